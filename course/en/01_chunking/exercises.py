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
#     chapter: 01_chunking
#     course: '1'
#     kind: exercises
#     lang: en
# ---

# %% [markdown]
# # 01. Cut the documents: the exercises
#
# Eight functions, and a question to answer in writing. Five of the eight are in the lesson already: copy them over. The
# three new ones are numbers 4, 5 and 6. Allow **35 minutes**, ten of them for the written question.
#
# **How it works.** Write the function, run its cell, then the one below. It tries your function on chosen examples and on
# others drawn at random. If it fails, you are shown the smallest case that goes wrong, and often the mistake is
# recognised. Hints come one at a time, with `hint("chunking.words")` for instance. You can run the whole notebook at any
# moment: an empty exercise does not block the others. The number alone under each feedback is that of your points.
#
# **Conventions.** *Words* are those of `text.split()`. Inside a chunk it does not matter which white space separates two
# words (a space or a line end): the check compares words only, unless the exercise says otherwise. Where you are asked
# to, reject a senseless argument by `ValueError`, with a sentence that names it. Your functions may call one another.

# %%
from ragteach.notebook import begin, check, hint, points

begin("01_chunking", lang="en", course="1")

# %%
import re
from math import ceil

# %% [markdown]
# ## 1. `chunk_words`: windows of words
#
# **Level: warm-up (1 point). Importance: essential. Time: 5 minutes.**
#
# Cut a text into windows of `size` words; each shares `overlap` words with the next. Join the words of a window with a
# space.
#
# - The last window may be shorter. None lies wholly inside the one before: stop as soon as a window reaches the end of
#   the text.
# - A blank text has no chunk: `[]`.
# - Raise `ValueError` if `size` is less than 1, or if `overlap` is not between 0 and `size - 1`.
#
# | call | result |
# |---|---|
# | `chunk_words("1 2 3 4 5 6 7", 3, 1)` | `["1 2 3", "3 4 5", "5 6 7"]` |


# %% exercise="chunking.words"
def chunk_words(text: str, size: int = 40, overlap: int = 10) -> list[str]:
    """Cut a text into windows of size words that share overlap words with the one before."""
    ### BEGIN SOLUTION
    if size < 1:
        raise ValueError(f"size must be at least 1, not {size}.")
    if not 0 <= overlap < size:
        raise ValueError(f"overlap must be between 0 and {size - 1}, not {overlap}.")
    words = text.split()
    chunks = []
    for start in range(0, len(words), size - overlap):
        chunks.append(" ".join(words[start : start + size]))
        if start + size >= len(words):
            break
    return chunks
    ### END SOLUTION


# %% check="chunking.words"
chunk_words = check("chunking.words", chunk_words)
points("chunking.words")

# %% [markdown] tags=["solution"]
# **Explanation.** From one window to the next we move on by `size - overlap` words. The `break` comes *after* the append:
# the window that touches the end is kept, and is the last.
#
# **Common mistakes**
# - going on as long as there are words: the last window may repeat the end of the one before.
# - moving on by `overlap`, or by `size`.
# - `text.split(" ")`, which makes empty words and keeps line ends.
# - letting `overlap >= size` pass: the loop no longer moves.

# %% [markdown]
# ## 2. `chunk_count`: how many chunks?
#
# **Level: warm-up (1 point). Importance: important. Time: 4 minutes.**
#
# Give the number of windows that `chunk_words` cuts from a text of `n_tokens` words ($T$), with $c$ for `size` and $o$
# for `overlap`:
#
# $$n=\left\lceil\frac{T-o}{c-o}\right\rceil\quad\text{if } T>c.$$
#
# A text that fits into one window makes 1; an empty text, 0. Raise `ValueError` if `n_tokens` is negative, if `size` is
# less than 1, or if `overlap` is not between 0 and `size - 1`.
#
# | call | result |
# |---|---|
# | `chunk_count(100, 40, 10)` | `3` |
# | `chunk_count(5_000_000, 400, 50)` | `14286` |


# %% exercise="chunking.count"
def chunk_count(n_tokens: int, size: int, overlap: int) -> int:
    """Give the number of windows of size words, overlap of them shared, in n_tokens words."""
    ### BEGIN SOLUTION
    if n_tokens < 0:
        raise ValueError(f"n_tokens must not be negative, and is {n_tokens}.")
    if size < 1:
        raise ValueError(f"size must be at least 1, not {size}.")
    if not 0 <= overlap < size:
        raise ValueError(f"overlap must be between 0 and {size - 1}, not {overlap}.")
    if n_tokens == 0:
        return 0
    if n_tokens <= size:
        return 1
    return ceil((n_tokens - overlap) / (size - overlap))
    ### END SOLUTION


# %% check="chunking.count"
chunk_count = check("chunking.count", chunk_count)
points("chunking.count")

# %% [markdown] tags=["solution"]
# **Explanation.** $n$ windows cover $n(c-o)+o$ words. We need the smallest number that reaches $T$, so we round up. By
# itself the formula would give 0 for a text shorter than the overlap; hence the two separate cases.
#
# **Common mistakes**
# - `//`, which rounds down; `// … + 1`, which counts one window too many where the division comes out even.
# - dividing $T$ instead of $T-o$: that counts the useless window at the end.
# - dividing by $c$, as if nothing were shared.

# %% [markdown]
# ## 3. `chunk_sentences`: whole sentences
#
# **Level: standard (2 points). Importance: essential. Time: 8 minutes.**
#
# Group whole sentences into chunks of at most `max_words` words, joined with a space. Sentences are those of the
# lesson's function `sentences`, given below: one of the marks `.`, `!`, `?` or `…` with white space after it ends a
# sentence, except after an abbreviation of the list.
#
# - Each chunk begins with the last `overlap_sentences` sentences of the one before (all of them, if it has fewer). If
#   they do not fit beside the next sentence, drop the oldest, one at a time, until they do: each chunk brings at least
#   one new sentence.
# - A sentence longer than `max_words` stays whole, alone in its chunk. No sentence is lost.
# - An empty text gives `[]`. Raise `ValueError` if `max_words` is less than 1 or `overlap_sentences` is negative.
#
# | call | result |
# |---|---|
# | `chunk_sentences("One. Two three. Four.", 3, 1)` | `["One. Two three.", "Two three. Four."]` |

# %% exercise="chunking.sentences"
# the function of the lesson
ABBREVIATIONS = ("M.", "Dr.", "art.", "fig.", "p.", "cf.", "etc.", "e.g.", "i.e.")


def sentences(text):
    """Cut a text into sentences."""
    found = []
    for piece in re.split(r"(?<=[.!?…])\s+", text.strip()):
        if found and found[-1].split()[-1] in ABBREVIATIONS:
            found[-1] += " " + piece
        elif piece:
            found.append(piece)
    return found


def chunk_sentences(text: str, max_words: int = 30, overlap_sentences: int = 1) -> list[str]:
    """Group whole sentences into chunks of at most max_words words."""
    ### BEGIN SOLUTION
    if max_words < 1:
        raise ValueError(f"max_words must be at least 1, not {max_words}.")
    if overlap_sentences < 0:
        raise ValueError(f"overlap_sentences is negative: {overlap_sentences}.")

    def n_words(group):
        return sum(len(sentence.split()) for sentence in group)

    chunks, current = [], []
    for sentence in sentences(text):
        if current and n_words([*current, sentence]) > max_words:
            chunks.append(" ".join(current))
            current = current[max(0, len(current) - overlap_sentences) :]
            while current and n_words([*current, sentence]) > max_words:
                current = current[1:]
        current.append(sentence)
    if current:
        chunks.append(" ".join(current))
    return chunks
    ### END SOLUTION


# %% check="chunking.sentences"
chunk_sentences = check("chunking.sentences", chunk_sentences)
points("chunking.sentences")

# %% [markdown] tags=["solution"]
# **Explanation.** Look *before* adding. A sentence that is too long finds `current` empty, or empties it, and so makes a
# chunk by itself without a special case. The `while` makes sure that the next sentence always fits.
#
# **Common mistakes**
# - `current[-overlap_sentences:]`: with 0, Python gives the whole list.
# - not dropping any repeated sentence: the chunk is too long, or brings nothing new.
# - cutting at every full stop, to the cost of `5.5 Hz` and "Dr. Roy".
# - forgetting the last chunk after the loop.

# %% [markdown]
# ## 4. `chunk_recursive`: from coarse to fine
#
# **Level: hard (3 points). Importance: essential. Time: 12 minutes.**
#
# Cut a text into chunks of at most `max_words` words, at the coarsest separator possible:
#
# 1. a text that fits into `max_words` words makes one chunk (none if it is blank);
# 2. otherwise split it at the **first** separator of the list. The separator stays at the end of the piece before it, so
#    that a sentence keeps its full stop;
# 3. go through the pieces from left to right and **merge** neighbours as long as their total does not exceed `max_words`;
# 4. a group that fits is a chunk. A piece that is too long stays alone in its group, and is cut in the same way with the
#    separators that **follow**; its end is not merged with the next piece;
# 5. where no separator is left, cut every `max_words` words, without overlap.
#
# Raise `ValueError` if `max_words` is less than 1, or if `separators` is a string instead of a list.
#
# | call | result |
# |---|---|
# | `chunk_recursive("1 2 3.\n\n4 5. 6 7 8.\n\n9", 4)` | `["1 2 3.", "4 5.", "6 7 8.", "9"]` |
# | `chunk_recursive("1.\n\n2 3.\n\n4 5", 3)` | `["1. 2 3.", "4 5"]` (but for white space) |


# %% exercise="chunking.recursive"
def chunk_recursive(
    text: str, max_words: int, separators: list[str] = ("\n\n", "\n", ". ", " ")
) -> list[str]:
    """Cut at the coarsest separator, and finer only where a piece is too long."""
    ### BEGIN SOLUTION
    if max_words < 1:
        raise ValueError(f"max_words must be at least 1, not {max_words}.")
    if isinstance(separators, str):
        raise ValueError("separators must be a list of strings, not a string.")
    if len(text.split()) <= max_words:
        return [text.strip()] if text.strip() else []
    if not separators:
        return chunk_words(text, max_words, 0)

    separator, *finer = separators
    *pieces, last = text.split(separator)
    chunks, current = [], ""
    for piece in [*(piece + separator for piece in pieces), last]:
        if len(current.split()) + len(piece.split()) > max_words:
            chunks += chunk_recursive(current, max_words, finer)
            current = ""
        current += piece
    return chunks + chunk_recursive(current, max_words, finer)
    ### END SOLUTION


# %% check="chunking.recursive"
chunk_recursive = check("chunking.recursive", chunk_recursive)
points("chunking.recursive")

# %% [markdown] tags=["solution"]
# **Explanation.** The recursive call does it all: given a group that fits, it returns it; given a piece that is too
# long, it cuts it finer; given `""`, it returns nothing. A piece that is too long is always alone in `current`, since
# nothing can join it without going over.
#
# **Common mistakes**
# - `text.split(separator)` without putting the separator back: ". " vanishes at the edges of chunks.
# - cutting without merging: tiny chunks.
# - cutting everything fine and then merging it all: the end of a paragraph joins the next paragraph.
# - forgetting the last group after the loop.

# %% [markdown]
# ## 5. `chunk_headings`: one chunk per section
#
# **Level: standard (2 points). Importance: essential. Time: 8 minutes.**
#
# Cut a Markdown text into sections: a list of dictionaries `{"path": [titles], "text": text}`.
#
# - A **heading** is a line that begins with one to six `#`, then white space, then the title. Their number is its level.
#   `#5 screws` is none.
# - A section runs from its heading to the next one, of whatever level. Its text is what stands between the two, lines
#   kept, white space at both ends dropped. A section without text is kept, with `""`.
# - Its **path** holds the titles that are open, from the most general to the most specific, its own last. A heading
#   closes those of the same level and of deeper ones. A document may begin at level 2, or skip a level.
# - What stands before the first heading is a section with the empty path `[]`, unless it is blank.
# - Between two lines that begin with three backticks (a **block of code**) nothing is a heading.
#
# | call | result |
# |---|---|
# | `chunk_headings("# Robot\nR2\n## Lidar\n5.5 Hz")` | `[{"path": ["Robot"], "text": "R2"}, {"path": ["Robot", "Lidar"], "text": "5.5 Hz"}]` |


# %% exercise="chunking.headings"
def chunk_headings(markdown: str) -> list[dict]:
    """Make a chunk of each section, with the path of its titles."""
    ### BEGIN SOLUTION
    stack = []  # the open headings: (level, title)
    sections = [([], [])]  # the path and the lines of each section
    in_code = False
    for line in markdown.splitlines():
        if line.startswith("```"):
            in_code = not in_code
        heading = re.fullmatch(r"(#{1,6})\s+(.*)", line)
        if heading and not in_code:
            level = len(heading[1])
            while stack and stack[-1][0] >= level:
                stack.pop()
            stack.append((level, heading[2].strip()))
            sections.append(([title for _, title in stack], []))
        else:
            sections[-1][1].append(line)
    chunks = [{"path": path, "text": "\n".join(lines).strip()} for path, lines in sections]
    return [chunk for chunk in chunks if chunk["path"] or chunk["text"]]
    ### END SOLUTION


# %% check="chunking.headings"
chunk_headings = check("chunking.headings", chunk_headings)
points("chunking.headings")

# %% [markdown] tags=["solution"]
# **Explanation.** The stack keeps the open headings. At each new one we pop those of the same or a deeper level, push it,
# and the stack *is* the path. The first section, before any heading, starts with an empty path; the last line drops it if
# it is blank.
#
# **Common mistakes**
# - taking the level for a place (`path[:level - 1]`): wrong as soon as a level is missing.
# - looking for headings inside blocks of code.
# - losing empty sections, and their titles with them.
# - leaving the heading's line in the text.

# %% [markdown]
# ## 6. `parent_child`: search small, give large
#
# **Level: standard (2 points). Importance: important. Time: 5 minutes.**
#
# Cut the text into **parents** of `parent_size` words, without overlap, and each parent into **children** of `child_size`
# words, without overlap. Return the children in the text's order, each with its parent's number, counted from 0:
# `{"child": text, "parent": number}`. A child always lies wholly inside its parent.
#
# Raise `ValueError` if `child_size` is less than 1 or larger than `parent_size`. An empty text gives `[]`.
#
# | call | result |
# |---|---|
# | `parent_child("1 2 3 4", 2, 3)` | `[{"child": "1 2", "parent": 0}, {"child": "3", "parent": 0}, {"child": "4", "parent": 1}]` |


# %% exercise="chunking.parent_child"
def parent_child(text: str, child_size: int, parent_size: int) -> list[dict]:
    """Cut into small chunks to search, each inside a large one to give."""
    ### BEGIN SOLUTION
    if not 1 <= child_size <= parent_size:
        raise ValueError(f"child_size must be between 1 and {parent_size}, not {child_size}.")
    return [
        {"child": child, "parent": number}
        for number, parent in enumerate(chunk_words(text, parent_size, 0))
        for child in chunk_words(parent, child_size, 0)
    ]
    ### END SOLUTION


# %% check="chunking.parent_child"
parent_child = check("chunking.parent_child", parent_child)
points("chunking.parent_child")

# %% [markdown] tags=["solution"]
# **Explanation.** One cut inside the other: children are cut *within* each parent, never from the whole text. So the last
# child of a parent is sometimes shorter.
#
# **Common mistakes**
# - cutting children from the whole text: some straddle two parents.
# - returning the parent's text instead of its number: the same text would be stored for every child.
# - forgetting `overlap=0`: the default is 10.

# %% [markdown]
# ## 7. `contextualize`: say where a chunk stands
#
# **Level: warm-up (1 point). Importance: important. Time: 4 minutes.**
#
# Write before a chunk where it stands: the document's title, then the titles of the path, with ` > ` between them, then a
# blank line (`"\n\n"`), then the chunk. Here white space counts.
#
# - Empty titles are skipped. Without any title the chunk comes back as it is.
# - A chunk that already **begins** with this very prefix, blank line included, comes back as it is.
# - Raise `ValueError` if `path` is a string instead of a list.
#
# | call | result |
# |---|---|
# | `contextualize("5 A.", "Manual", ["Power"])` | `"Manual > Power\n\n5 A."` |


# %% exercise="chunking.contextual"
def contextualize(chunk: str, title: str, path: list[str]) -> str:
    """Write before a chunk where it stands, once only."""
    ### BEGIN SOLUTION
    if isinstance(path, str):
        raise ValueError("path must be a list of titles, not a string.")
    places = [place for place in (title, *path) if place]
    if not places:
        return chunk
    prefix = " > ".join(places) + "\n\n"
    return chunk if chunk.startswith(prefix) else prefix + chunk
    ### END SOLUTION


# %% check="chunking.contextual"
contextualize = check("chunking.contextual", contextualize)
points("chunking.contextual")

# %% [markdown] tags=["solution"]
# **Explanation.** `startswith(prefix)`, with the whole prefix: a chunk that begins with the title's word, or that
# quotes the path further down, must still get its own.
#
# **Common mistakes**
# - `prefix in chunk`: the path quoted inside the text would do.
# - adding the prefix twice: ingestion often runs over the same chunks again.
# - leaving a ` > ` in front where the title is empty.

# %% [markdown]
# ## 8. `split_at_dips`: where the subject changes
#
# **Level: standard (2 points). Importance: important. Time: 6 minutes.**
#
# `similarities[i]` compares sentence `i` with sentence `i + 1`. Give, in increasing order, the numbers `i` of the
# sentences after which to cut: those where the value is **strictly below** `threshold`, and **neither larger than the
# one before nor larger than the one after**. At either end there is only one neighbour; a lone value has none. So two
# equal neighbours can both be dips. The values are always finite numbers.
#
# | call | result |
# |---|---|
# | `split_at_dips([0.8, 0.2, 0.7, 0.3, 0.9], 0.5)` | `[1, 3]` |
# | `split_at_dips([0.4, 0.3, 0.2, 0.3], 0.5)` | `[2]` |


# %% exercise="chunking.semantic"
def split_at_dips(similarities: list[float], threshold: float) -> list[int]:
    """Give the numbers of the sentences after which the subject changes."""
    ### BEGIN SOLUTION
    boundaries = []
    for i, value in enumerate(similarities):
        neighbours = [*similarities[max(0, i - 1) : i], *similarities[i + 1 : i + 2]]
        if value < threshold and all(value <= neighbour for neighbour in neighbours):
            boundaries.append(i)
    return boundaries
    ### END SOLUTION


# %% check="chunking.semantic"
split_at_dips = check("chunking.semantic", split_at_dips)
points("chunking.semantic")

# %% [markdown] tags=["solution"]
# **Explanation.** A slice that leaves the list is empty, so the ends need no special case. `<=` keeps equal values;
# with `<` two equal dips would cancel out and a boundary would be lost.
#
# **Common mistakes**
# - cutting everywhere below the threshold: three sentences going down would give three boundaries.
# - `similarities[i - 1]` for `i = 0`: in Python, that is the last value.
# - returning `i + 1`, the sentence after.

# %% [markdown]
# ## 9. Written question: the answer is in the table
#
# **4 points, marked by your teacher. Time: 10 minutes.**
#
# A system often answers "I cannot find it" to questions whose answer is in a **table of a PDF**. Explain why, and what
# you would do. Half a page is enough; use an example.
#
# **Marking scheme**
#
# | points | for |
# |---|---|
# | 1 | at least two causes, each placed in the chain: reading the PDF, chunking, search |
# | 1 | for each one, *why* the question no longer meets the answer, on an example |
# | 1 | a remedy in reading or chunking, described well enough to be programmed |
# | 1 | a remedy in search or use (hybrid, a tool), **and** how to verify that things have improved |

# %% [markdown] written="chunking.w_table" points=4
# *Your answer here.*

# %% [markdown] tags=["solution"]
# **A possible answer.** *The causes.* Extraction mixes the cells up, or puts them out column by column, so that a price
# no longer stands beside its part. Chunking separates a row from its headers: "motor | 2 | 18.50" does not say which of
# them is a price. Search then fails: the question "what does the motor draw?" shares no word with the cell "3 A", and
# the vector of a row of figures resembles nothing.
#
# *The remedies.* Extract the table with a tool that reads its structure (pdfplumber, Camelot, a layout model). Make
# each row a chunk that stands by itself, with the headers and the table's title: "Parts list > Drive. Part: motor;
# price: 18.50 €". Keep page and table as metadata. Search by words *and* by meaning: the lexical search is sure to find
# "motor". For questions that need arithmetic, put the table into a database and query it in SQL rather than let the
# model count.
#
# *The proof.* Annotate twenty questions about tables and measure their recall apart, before and after: a good average can
# hide a segment at zero.

# %% [markdown]
# ## Well done
#
# You can cut, label and measure. Try the chain on a text of your own:

# %%
page = (
    "## Power\nA 5 A fuse protects R2. Its battery is a 3S LiPo.\n## Lidar\nIt spins at 5.5 Hz."
)
for section in chunk_headings(page):
    for piece in chunk_sentences(section["text"], 8, 0):
        print(repr(contextualize(piece, "Manual", section["path"])))
