# ---
# jupyter:
#   jupytext:
#     cell_metadata_filter: all
#     notebook_metadata_filter: all,-language_info
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
#   ragteach:
#     chapter: 00_start
#     course: '1'
#     kind: exercises
#     lang: en
# ---

# %% [markdown]
# # 00. A RAG in ten minutes: the exercises
#
# Two functions, both met in the lesson: copy them over. Allow **5 minutes**, or 10 if you write them here for the first
# time. What this notebook really teaches is how to hand in those to come.
#
# **How it works.** Write the function, run its cell, then the one below. It tries your function on hand-picked examples
# and on random ones; where it fails you see the smallest case that goes wrong, and often the mistake by its name. Hints
# come one at a time: `hint("start.count_words")`, for instance. You may run the whole notebook whenever you like: a blank
# exercise does not block the next one. The bare number below each feedback is your points.
#
# **Conventions.** *Words* are those of `text.split()`, punctuation included: "robot." is a word. Numbers start at 0. Where
# the exercise says so, a bad argument raises `ValueError` with a sentence that names it.

# %%
from ragteach.notebook import begin, check, hint, points

begin("00_start", lang="en", course="1")

# %% [markdown]
# ## 1. `count_words`: count the words
#
# **Level: warm-up (1 point). Importance: useful. Time: 3 minutes.**
#
# Count the words of a text, that is, what **white space** separates: spaces, line ends, tabs, no-break spaces. The whole
# course measures chunks in such words.
#
# - A repeated word counts every time.
# - Two spaces in a row, or spaces around the text, make no extra word.
# - An empty or blank text has 0 words.
#
# | call | result |
# |---|---|
# | `count_words("A 5 A fuse guards the robot.")` | `7` |
# | `count_words("  3.8 V\n")` | `2` |


# %% exercise="start.count_words"
def count_words(text: str) -> int:
    """Count the words of a text: what white space separates."""
    ### BEGIN SOLUTION
    return len(text.split())
    ### END SOLUTION


# %% check="start.count_words"
count_words = check("start.count_words", count_words)
points("start.count_words")

# %% [markdown] tags=["solution"]
# **Explanation.** `split()` without an argument cuts at any run of white space, and never makes an empty word.
#
# **Common mistakes**
# - `text.split(" ")`: two spaces in a row give an empty word, and a line end cuts nothing.
# - `text.count(" ") + 1`: the same mistake, and an empty text counts as one word.
# - `len(set(…))`: that is how many *different* words there are.
# - `len(text)`: that is how many characters there are.

# %% [markdown]
# ## 2. `best_chunk`: the best chunk
#
# **Level: warm-up (1 point). Importance: important. Time: 6 minutes.**
#
# Give the **number** of the chunk that shares most *distinct* words with the question. No search is simpler, and the whole
# course goes into improving it.
#
# - Words are those of `text.lower().split()`: upper and lower case are the same, punctuation stays on.
# - A word that is repeated, in the question or in the chunk, counts once.
# - In a tie the lowest number wins; so the result is 0 where no chunk shares a word.
# - Raise `ValueError` if `chunks` is empty, or if it is a string instead of a list.
#
# | call | result |
# |---|---|
# | `best_chunk("Which fuse", ["the lidar", "the fuse"])` | `1` |
# | `best_chunk("the robot", ["robot", "the", "the lidar"])` | `0` |


# %% exercise="start.best_chunk"
def best_chunk(question: str, chunks: list[str]) -> int:
    """Give the number of the chunk that shares most distinct words with the question."""
    ### BEGIN SOLUTION
    if isinstance(chunks, str) or len(chunks) == 0:
        raise ValueError("chunks must be a list of at least one text.")
    asked = set(question.lower().split())
    shared = [len(asked & set(chunk.lower().split())) for chunk in chunks]
    return shared.index(max(shared))
    ### END SOLUTION


# %% check="start.best_chunk"
best_chunk = check("start.best_chunk", best_chunk)
points("start.best_chunk")

# %% [markdown] tags=["solution"]
# **Explanation.** `set` keeps one of each word, and `&` those that two sets have in common. `index` gives the first place
# of the maximum, so ties settle themselves.
#
# **Common mistakes**
# - `word in chunk` on the text itself: "he" is in "the". Cut first.
# - `set(chunk)` without `split()`: that is the set of *letters*.
# - forgetting `lower()` on one side.
# - returning the text, or how many words are shared, instead of the number.
# - keeping the last chunk in a tie, with `>=`.
