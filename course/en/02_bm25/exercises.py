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
#     chapter: 02_bm25
#     course: '1'
#     kind: exercises
#     lang: en
# ---

# %% [markdown]
# # 02. BM25 and the inverted index: exercises
#
# Eight functions, in the order of the lesson. By the end you will have written a complete search engine, one that can
# explain its results. Allow **half an hour** if you have done the lesson: four of the eight are already there (copy
# them over), the other four are new.
#
# **How it works.** Write the function, run its cell, then the cell below. That cell tries your function on chosen
# examples and on random ones; when it fails, you see the smallest case that goes wrong and, often, the name of the
# mistake. Hints come one at a time: run `hint("bm25.idf")`, for instance. You may run the whole notebook whenever you
# like: an empty exercise does not stop the ones after it.
#
# **Conventions.** Documents are numbered from 0. A query (the question) and a document are lists of tokens. Where an
# exercise says so, a function given an argument that makes no sense raises `ValueError` with a sentence that names the
# argument. Your functions may call one another.

# %%
from ragteach.notebook import begin, check, hint, points

begin("02_bm25", lang="en", course="1")

# %%
import re
import unicodedata
from collections import Counter
from math import log

import numpy as np

# %% [markdown]
# ## 1. `tokenize`: make the tokens
#
# **Level: standard (2 points). Importance: essential. Time: 6 minutes.**
#
# Cut a text into tokens:
#
# - the text is put into Unicode form **NFC**, then into **lower case**;
# - a token is a run of letters and digits of any script (`œ`, `ÿ` and `Ω` included); everything else separates, and
#   tokens of a single character are kept: `3 A` gives `3` and `a`;
# - a comma or a point **between two digits** stays inside: `5,5`, `3.8`, `2.1.3`; anywhere else it separates;
# - the **elided words** of French, right before an apostrophe, are dropped together with it: c, d, j, l, m, n, s, t,
#   qu, jusqu, lorsqu, puisqu, quoiqu. This goes for the straight apostrophe `'` and for the curly one `’`, and only
#   where the elided word is the whole word;
# - other apostrophes separate: `robot’s` gives `robot` and `s`;
# - tokens come in the order of the text, repetitions included; an empty text gives an empty list.
#
# | call | result |
# |---|---|
# | `tokenize("L’alimentation: 3.8 V.")` | `["alimentation", "3.8", "v"]` |


# %% exercise="bm25.tokenize"
# the lesson's pattern: a letter or a digit, or a comma or a point between two digits
TOKEN = r"(?:[^\W_]|(?<=\d)[.,](?=\d))+"


def tokenize(text: str) -> list[str]:
    """Cut a text into lower-case tokens, without elided words."""
    ### BEGIN SOLUTION
    text = unicodedata.normalize("NFC", text).lower()
    text = re.sub(r"\b(?:c|d|j|l|m|n|s|t|qu|jusqu|lorsqu|puisqu|quoiqu)['’]", " ", text)
    return re.findall(TOKEN, text)
    ### END SOLUTION


# %% check="bm25.tokenize"
tokenize = check("bm25.tokenize", tokenize)
points("bm25.tokenize")

# %% [markdown] tags=["solution"]
# **Explanation.** The order of the three lines matters. Normalise first: an "é" stored as two characters would be cut
# in two by the pattern. Next remove the elided words, and put a **space** in their place: deleting only the apostrophe
# would glue the article to the noun (`lalimentation`). Last, look for the tokens. In that final pattern `[^\W_]` is
# "neither a non-word character nor an underscore", which leaves a letter or a digit. `(?<=\d)` and `(?=\d)` look around
# without consuming anything, so that `2.1.3` comes out whole.
#
# **Common mistakes**
# - `\w+` on its own: it cuts `5.5` and leaves the `l` of `l’axe` lying about.
# - `\w\w+`, scikit-learn's default: it loses `3`, `a` and `v`, hence values and units.
# - `[a-zà-ÿ]`: it forgets `œ` and cuts `cœur` in two.
# - no `\b` at the start: `aujourd’hui` would lose its `d`.
# - handling one of the two apostrophes only.

# %% [markdown]
# ## 2. `inverted_index`: the inverted index
#
# **Level: standard (2 points). Importance: essential. Time: 6 minutes.**
#
# Build a dictionary that maps each token to the list of its postings, the pairs `(document, how many times)`, by
# increasing document number. A document without tokens appears in no list; without documents, the dictionary is empty.
# Where a document is a string instead of a list of tokens, raise `ValueError`: Python would read it letter by letter.
#
# | call | result |
# |---|---|
# | `inverted_index([["motor", "3", "motor"], ["3"]])` | `{"motor": [(0, 2)], "3": [(0, 1), (1, 1)]}` |


# %% exercise="bm25.inverted_index"
def inverted_index(documents: list[list[str]]) -> dict[str, list[tuple[int, int]]]:
    """Map each token to its pairs (document, how many times)."""
    ### BEGIN SOLUTION
    index = {}
    for doc, tokens in enumerate(documents):
        if isinstance(tokens, str):
            raise ValueError(f"documents[{doc}] must be a list of tokens, not a string.")
        for token, tf in Counter(tokens).items():
            index.setdefault(token, []).append((doc, tf))
    return index
    ### END SOLUTION


# %% check="bm25.inverted_index"
inverted_index = check("bm25.inverted_index", inverted_index)
points("bm25.inverted_index")

# %% [markdown] tags=["solution"]
# **Explanation.** `Counter` counts a document's tokens; `setdefault` creates a token's list the first time it is met.
# Documents are visited in order, so each list comes out sorted without any sorting.
#
# **Common mistakes**
# - going through `tokens` instead of `Counter(tokens)`: a repeated word then gives several pairs for one document.
# - numbering from 1.
# - `dict.fromkeys(words, [])`: all words then share the *same* list.

# %% [markdown]
# ## 3. `bim_weight`: the weight of theorem 1
#
# **Level: warm-up (1 point). Importance: useful. Time: 3 minutes.**
#
# Return the weight of a word in the binary independence model, where `p` is the probability that a relevant document
# contains it and `u` the probability that another document does; both lie strictly between 0 and 1:
#
# $$w=\ln\frac{p\,(1-u)}{u\,(1-p)}$$
#
# | call | result |
# |---|---|
# | `bim_weight(0.5, 0.1)` | `2.197...`, that is, ln 9 |


# %% exercise="bm25.bim_weight"
def bim_weight(p: float, u: float) -> float:
    """Return the weight of a word: p among relevant documents, u among the others."""
    ### BEGIN SOLUTION
    return log(p * (1 - u) / (u * (1 - p)))
    ### END SOLUTION


# %% check="bm25.bim_weight"
bim_weight = check("bm25.bim_weight", bim_weight)
points("bm25.bim_weight")

# %% [markdown] tags=["solution"]
# **Explanation.** This is the logarithm of a ratio of odds: $\frac{p}{1-p}$ among relevant documents, $\frac{u}{1-u}$
# among the others. It is 0 when $p=u$, because the word tells us nothing, and negative when $p<u$, because the word is
# then a bad sign.
#
# **Common mistakes**
# - `a / u * (1 - p)` without parentheses: Python divides by `u` and then **multiplies** by `1 - p`.
# - stopping at $\ln\frac{p}{u}$: this forgets what the word's absence would have told us.
# - swapping `p` and `u`: every sign is reversed.

# %% [markdown]
# ## 4. `idf`: the weight of a rare word
#
# **Level: warm-up (1 point). Importance: essential. Time: 3 minutes.**
#
# Return Lucene's idf of a word that appears in `doc_freq` documents ($n$) out of `n_docs` ($N$), with $0\le n\le N$:
#
# $$\text{idf}=\ln\left(\frac{N-n+0.5}{n+0.5}+1\right)$$
#
# | call | result |
# |---|---|
# | `idf(2, 1)` | `0.693...`, that is, ln 2 |


# %% exercise="bm25.idf"
def idf(n_docs: int, doc_freq: int) -> float:
    """Return the idf of a word that doc_freq documents out of n_docs contain; it is never negative."""
    ### BEGIN SOLUTION
    return log((n_docs - doc_freq + 0.5) / (doc_freq + 0.5) + 1)
    ### END SOLUTION


# %% check="bm25.idf"
idf = check("bm25.idf", idf)
points("bm25.idf")

# %% [markdown] tags=["solution"]
# **Explanation.** This is `bim_weight` with $p=\tfrac12$ and $u=n/N$, smoothed by the halves. The + 1 is **inside** the
# logarithm: it keeps the result positive even for a word that every document contains.
#
# **Common mistakes**
# - leaving out the + 1: a word found in more than half of the documents would cost points.
# - putting it outside: $\ln(\dots)+1$ is another formula.
# - `log10` or `log2`: the order stays, the values change, and your scores no longer compare with anyone's.

# %% [markdown]
# ## 5. `term_weight`: repetition and length
#
# **Level: warm-up (1 point). Importance: essential. Time: 4 minutes.**
#
# Return the weight of a word that appears `tf` times in a document of `doc_len` tokens, where the average length is
# `avg_len`. The arguments are always valid.
#
# $$\frac{f\,(k_1+1)}{f+k_1\left(1-b+b\,\dfrac{\ell}{\bar\ell}\right)}$$
#
# Here $f$ is `tf`, $\ell$ is `doc_len` and $\bar\ell$ is `avg_len`. By default `k1` is 1.5 and `b` is 0.75. An absent
# word (`tf = 0`) weighs 0.
#
# | call | result |
# |---|---|
# | `term_weight(1, 40, 40)` | `1.0` |
# | `term_weight(2, 40, 40)` | `1.428...`, that is, 5 / 3.5 |


# %% exercise="bm25.term_weight"
def term_weight(
    tf: float, doc_len: float, avg_len: float, k1: float = 1.5, b: float = 0.75
) -> float:
    """Return the weight of a word that appears tf times, corrected for the document's length."""
    ### BEGIN SOLUTION
    if tf == 0:
        return 0.0
    length_factor = 1 - b + b * doc_len / avg_len
    return tf * (k1 + 1) / (tf + k1 * length_factor)
    ### END SOLUTION


# %% check="bm25.term_weight"
term_weight = check("bm25.term_weight", term_weight)
points("bm25.term_weight")

# %% [markdown] tags=["solution"]
# **Explanation.** Giving the length factor a name makes the formula readable: it is 1 for an average document and more
# than 1 for a long one. The `if` avoids 0 / 0 when `tf` and `k1` are both zero.
#
# **Common mistakes**
# - `tf * (k1 + 1) / tf + k1 * ...`: without parentheses round the denominator you divide by `tf` alone.
# - the ratio upside down: `avg_len / doc_len` rewards long documents.
# - ignoring the arguments `k1` and `b`, and writing 1.5 and 0.75 into the formula.

# %% [markdown]
# ## 6. `bm25_scores`: BM25, complete
#
# **Level: hard (3 points). Importance: essential. Time: 10 minutes.**
#
# Return the score of each document: a NumPy array of length N. For each token of the query, `idf × term_weight` is
# added to the documents that contain it. The average length is that of all the documents given.
#
# - An unknown token adds nothing; a token **repeated** in the query counts each time.
# - Documents may be empty, even all of them: their score is 0. Without documents, the array is empty.
# - Raise `ValueError` if `query` or a document is a string, if `k1` is negative, or if `b` is not between 0 and 1.
#
# | call | result |
# |---|---|
# | `bm25_scores(["fuse"], [["fuse", "5", "a"], ["motor", "3", "a"]])` | `[0.693..., 0.0]` |


# %% exercise="bm25.scores"
def bm25_scores(
    query: list[str], documents: list[list[str]], k1: float = 1.5, b: float = 0.75
) -> np.ndarray:
    """Return the BM25 score of each document for the query."""
    ### BEGIN SOLUTION
    if isinstance(query, str):
        raise ValueError("query must be a list of tokens, not a string.")
    if k1 < 0:
        raise ValueError(f"k1 must not be negative, and it is {k1}.")
    if not 0 <= b <= 1:
        raise ValueError(f"b must lie between 0 and 1, and it is {b}.")
    index = inverted_index(documents)
    lengths = [len(tokens) for tokens in documents]
    avg_len = sum(lengths) / len(lengths) if lengths else 0.0
    scores = np.zeros(len(documents))
    for token in query:
        postings = index.get(token, [])
        weight = idf(len(documents), len(postings))
        for doc, tf in postings:
            scores[doc] += weight * term_weight(tf, lengths[doc], avg_len, k1, b)
    return scores
    ### END SOLUTION


# %% check="bm25.scores"
bm25_scores = check("bm25.scores", bm25_scores)
points("bm25.scores")

# %% [markdown] tags=["solution"]
# **Explanation.** Everything has been written already: what remains is to go through the postings. The inner loop
# visits only documents that contain the word, and that takes care of the edge cases too: with unknown tokens, no
# documents or only empty ones, it is never entered.
#
# **Common mistakes**
# - `set(query)`: a repeated word would count once, whereas Lucene, rank-bm25 and bm25s count it each time.
# - confusing `len(postings)`, the number of documents that contain the word, with the total number of times it appears.
# - `index[token]` for an unknown word: `KeyError`.
# - taking the average length only over the documents found.

# %% [markdown]
# ## 7. `bm25_search`: the best k
#
# **Level: standard (2 points). Importance: important. Time: 5 minutes.**
#
# Return the numbers of the `k` best documents, best first.
#
# - Only documents with a **strictly positive** score are returned, so there may be fewer than `k`.
# - Where scores tie, the lower number comes first.
# - Raise `ValueError` if `k` is below 1 or if `query` is a string.
#
# | call | result |
# |---|---|
# | `bm25_search(["a"], [["b"], ["a"], ["a"]], k=3)` | `[1, 2]` |


# %% exercise="bm25.search"
def bm25_search(query: list[str], documents: list[list[str]], k: int = 3) -> list[int]:
    """Return the numbers of the k documents with the best positive scores."""
    ### BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"k must be at least 1, and it is {k}.")
    scores = bm25_scores(query, documents)
    found = [doc for doc in range(len(documents)) if scores[doc] > 0]
    return sorted(found, key=lambda doc: -scores[doc])[:k]
    ### END SOLUTION


# %% check="bm25.search"
bm25_search = check("bm25.search", bm25_search)
points("bm25.search")

# %% [markdown] tags=["solution"]
# **Explanation.** Python's sort is **stable**: ties keep the order in which they came, here that of the numbers.
# Sorting by the negated score (`-scores[doc]`) therefore ranks best first without disturbing the ties.
#
# **Common mistakes**
# - `sorted(..., reverse=True)` on pairs (score, number), or `np.argsort(scores)[::-1]`: ties come out backwards.
# - forgetting the filter: the results would be filled up with documents that contain no word of the query.

# %% [markdown]
# ## 8. `explain`: why this score?
#
# **Level: standard (2 points). Importance: important. Time: 5 minutes.**
#
# Return, for each token of the query, what it adds to the score of the document `doc`: its share. The shares add up to
# the score.
#
# - Each token of the query has exactly one entry; where it is repeated, its shares are added together. A token that the
#   document lacks adds 0 (its entry may also be left out). An empty query gives an empty dictionary.
# - `doc` is always the number of a document. Raise `ValueError` if `query` is a string.
#
# | call | result |
# |---|---|
# | `explain(["a", "z"], [["a"], ["b"]], 0)` | `{"a": 0.693..., "z": 0.0}` |


# %% exercise="bm25.explain"
def explain(query: list[str], documents: list[list[str]], doc: int) -> dict[str, float]:
    """Return what each token of the query adds to the document's score."""
    ### BEGIN SOLUTION
    if isinstance(query, str):
        raise ValueError("query must be a list of tokens, not a string.")
    return {
        token: float(n * bm25_scores([token], documents)[doc])
        for token, n in Counter(query).items()
    }
    ### END SOLUTION


# %% check="bm25.explain"
explain = check("bm25.explain", explain)
points("bm25.explain")

# %% [markdown] tags=["solution"]
# **Explanation.** BM25 is a sum over tokens, so a token's share is the score of a query that consists of this token
# alone, times the number of times it appears in the query. This is simple, but the index is built again for each token;
# a real engine would keep it.
#
# **Common mistakes**
# - forgetting repetitions: the shares no longer add up to the score.
# - computing idf on the explained document alone: every word would then appear "in all documents".
# - rounding the shares: their sum is off.

# %% [markdown]
# ## Well done
#
# You have rebuilt the lexical half of a search engine. Try it on a question of your own:

# %%
documents = [
    tokenize(text)
    for text in ("A 5 A fuse protects the power supply.", "Each motor draws 3 A.")
]
query = tokenize("Which fuse for the power supply?")
print(bm25_search(query, documents))
print(explain(query, documents, 0))
