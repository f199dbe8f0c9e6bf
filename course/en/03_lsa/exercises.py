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
#     chapter: 03_lsa
#     course: '1'
#     kind: exercises
#     lang: en
# ---

# %% [markdown]
# # 03. Embeddings with TF-IDF and SVD: exercises
#
# Nine functions and one written exercise. By the end you will have written a search by meaning, from text to ranking,
# and the loss that trains today's models. Allow **half an hour** if you have done the lesson: five of the nine are
# already there (copy them over), the other four are new.
#
# **How it works.** Write the function, run its cell, then the cell below. That cell tries your function on chosen
# examples and on random ones; when it fails, you see the smallest case that goes wrong and, often, the name of the
# mistake. Hints come one at a time: run `hint("lsa.cosine")`, for instance. You may run the whole notebook whenever you
# like: an empty exercise does not stop the ones after it. The number on its own, below each feedback, is that of your
# points.
#
# **Conventions.** Documents are numbered from 0. Vectors and matrices are NumPy arrays of finite numbers. Where an
# exercise says so, a function given an argument that makes no sense raises `ValueError` with a sentence that names the
# argument. Your functions may call one another.

# %%
from ragteach.notebook import begin, check, hint, points

begin("03_lsa", lang="en", course="1")

# %%
from collections import Counter
from math import log

import numpy as np

# %% [markdown]
# ## 1. `tfidf`: TF-IDF vectors
#
# **Level: hard (3 points). Importance: essential. Time: 10 minutes.**
#
# Return the pair (vocabulary, array):
#
# - the **vocabulary** is the list of the different tokens, sorted (by `sorted`);
# - the **array** has one row per document and one column per token, in the order of the vocabulary. A token that
#   appears `tf` times in a document, and in `df` documents out of `N`, weighs
#
# $$(1+\ln \text{tf})\left(\ln\frac{1+N}{1+\text{df}}+1\right);$$
#
# - an absent token weighs 0; each row is then divided by its Euclidean norm, so that this norm becomes 1;
# - an empty document keeps its row, made of zeros, and counts in `N`. Where every document is empty, the vocabulary is
#   empty and the array has N rows and no column;
# - raise `ValueError` where a document is a string instead of a list of tokens.
#
# | call | result |
# |---|---|
# | `tfidf([["a", "b"], ["b"]])` | `["a", "b"]` and `[[0.814..., 0.579...], [0.0, 1.0]]` |


# %% exercise="lsa.tfidf"
def tfidf(documents: list[list[str]]) -> tuple[list[str], np.ndarray]:
    """Return the sorted vocabulary, and the array (N, V) of weights, rows of norm 1."""
    ### BEGIN SOLUTION
    for i, tokens in enumerate(documents):
        if isinstance(tokens, str):
            raise ValueError(f"documents[{i}] must be a list of tokens, not a string.")
    doc_freqs = Counter(token for tokens in documents for token in set(tokens))
    vocabulary = sorted(doc_freqs)
    column = {token: j for j, token in enumerate(vocabulary)}
    matrix = np.zeros((len(documents), len(vocabulary)))
    for row, tokens in enumerate(documents):
        for token, tf in Counter(tokens).items():
            idf = log((1 + len(documents)) / (1 + doc_freqs[token])) + 1
            matrix[row, column[token]] = (1 + log(tf)) * idf
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    return vocabulary, matrix / np.where(norms > 0, norms, 1)
    ### END SOLUTION


# %% check="lsa.tfidf"
tfidf = check("lsa.tfidf", tfidf)
points("lsa.tfidf")

# %% [markdown] tags=["solution"]
# **Explanation.** `set(tokens)` makes a document count once for each word: that is df. The dictionary `column` saves
# searching the list for each word. `np.where(norms > 0, norms, 1)` divides zero rows by 1, so they stay zero.
#
# **Common mistakes**
# - counting occurrences instead of documents for df;
# - writing $\ln(1+\text{tf})$: the 1 stands in front of the logarithm;
# - leaving out the last + 1: a word found everywhere would weigh 0;
# - normalising columns (`axis=0`), or dividing by the sum;
# - 0/0 for an empty document, hence `nan`.

# %% [markdown]
# ## 2. `cosine`: the cosine
#
# **Level: warm-up (1 point). Importance: essential. Time: 4 minutes.**
#
# Return the cosine of two vectors, $\dfrac{u\cdot v}{\|u\|\,\|v\|}$.
#
# - Where either is zero (or both are), return 0.0.
# - The result stays inside [-1, 1] in spite of rounding: never 1.0000000000000002.
# - Raise `ValueError` where the lengths differ (`u @ v` does so already).
#
# | call | result |
# |---|---|
# | `cosine(np.array([1.0, 0.0]), np.array([3.0, 4.0]))` | `0.6` |


# %% exercise="lsa.cosine"
def cosine(u: np.ndarray, v: np.ndarray) -> float:
    """Return the cosine of two vectors, inside [-1, 1]; 0.0 where either is zero."""
    ### BEGIN SOLUTION
    product = float(u @ v)
    norms = float(np.linalg.norm(u) * np.linalg.norm(v))
    if norms == 0:
        return 0.0
    return max(-1.0, min(1.0, product / norms))
    ### END SOLUTION


# %% check="lsa.cosine"
cosine = check("lsa.cosine", cosine)
points("lsa.cosine")

# %% [markdown] tags=["solution"]
# **Explanation.** The product comes first: it rejects different lengths. Then the case where a norm is zero, and the
# division. `max(-1.0, min(1.0, x))` keeps rounding within bounds.
#
# **Common mistakes**
# - 0/0: `nan` slips to the top of rankings;
# - dividing by one norm only, or by the squares of the norms;
# - returning 1 - cos, the "cosine distance".

# %% [markdown]
# ## 3. `squared_distance`: theorem 2
#
# **Level: warm-up (1 point). Importance: important. Time: 3 minutes.**
#
# Return the **squared** Euclidean distance of two vectors of norm 1, given their cosine `cos`. Raise `ValueError` where
# `cos` does not lie between -1 and 1 (both included).
#
# | call | result |
# |---|---|
# | `squared_distance(0.0)` | `2.0` |


# %% exercise="lsa.squared_distance"
def squared_distance(cos: float) -> float:
    """Return ‖u - v‖² for vectors of norm 1 whose cosine is cos."""
    ### BEGIN SOLUTION
    if not -1 <= cos <= 1:
        raise ValueError(f"cos must lie between -1 and 1, and it is {cos}.")
    return 2 - 2 * cos
    ### END SOLUTION


# %% check="lsa.squared_distance"
squared_distance = check("lsa.squared_distance", squared_distance)
points("lsa.squared_distance")

# %% [markdown] tags=["solution"]
# **Explanation.** $\|u-v\|^2=\|u\|^2-2\,u\cdot v+\|v\|^2=2-2\cos$. The larger the cosine, the smaller the distance:
# both give the same ranking.
#
# **Common mistakes**
# - taking the square root: it is the square that is asked for;
# - 1 - cos: the double product counts twice.

# %% [markdown]
# ## 4. `lsa_fit`: the truncated decomposition
#
# **Level: standard (2 points). Importance: essential. Time: 7 minutes.**
#
# Return the pair (components, singular values) of the decomposition $A=USV^\top$ of a matrix of shape (N, V):
#
# - the **components** are the first `dims` rows of $V^\top$, of shape (dims, V); their sign is free;
# - the **singular values** are the `dims` largest, in decreasing order;
# - do not return dimensions whose singular value is at most one millionth of the largest (they are rounding errors), so
#   there may be fewer than `dims`;
# - do not centre the matrix; it is never all zeros;
# - raise `ValueError` where `dims` is below 1.
#
# | call | result |
# |---|---|
# | `lsa_fit(np.array([[3.0, 0.0], [0.0, 1.0]]), 1)` | `[[1.0, 0.0]]` (or its opposite) and `[3.0]` |


# %% exercise="lsa.fit"
def lsa_fit(matrix: np.ndarray, dims: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the components, (dims, V), and the singular values, (dims,), of a matrix (N, V)."""
    ### BEGIN SOLUTION
    if dims < 1:
        raise ValueError(f"dims must be at least 1, and it is {dims}.")
    _, singular_values, vt = np.linalg.svd(matrix, full_matrices=False)
    rank = int((singular_values > 1e-6 * singular_values[0]).sum())
    kept = min(dims, rank)
    return vt[:kept], singular_values[:kept]
    ### END SOLUTION


# %% check="lsa.fit"
lsa_fit = check("lsa.fit", lsa_fit)
points("lsa.fit")

# %% [markdown] tags=["solution"]
# **Explanation.** `np.linalg.svd` does the work; what is left is to cut twice, at `dims` and at the rank. The package
# goes through the eigenvectors of the smaller of the matrices $AA^\top$ and $A^\top A$: the same numbers, about ten
# times faster.
#
# **Common mistakes**
# - one transpose too many: `svd` returns $V^\top$ already;
# - returning $U$, which describes documents;
# - with `eigh`, forgetting the square root, or keeping the smallest values;
# - keeping dimensions whose singular value is zero: their direction is mere chance.

# %% [markdown]
# ## 5. `lsa_embed`: project and normalise
#
# **Level: standard (2 points). Importance: essential. Time: 5 minutes.**
#
# Project the rows of `vectors`, of shape (n, V), on the components, of shape (dims, V), then give each row norm 1. The
# result has shape (n, dims).
#
# - A row of zeros stays zero, and so does a projection that is zero.
# - Raise `ValueError` where the numbers of columns differ (NumPy's product does so already).
#
# | call | result |
# |---|---|
# | `lsa_embed(np.array([[3.0, 4.0, 9.0]]), np.array([[1.0, 0, 0], [0, 1.0, 0]]))` | `[[0.6, 0.8]]` |


# %% exercise="lsa.embed"
def lsa_embed(vectors: np.ndarray, components: np.ndarray) -> np.ndarray:
    """Project vectors on components; rows of norm 1, shape (n, dims)."""
    ### BEGIN SOLUTION
    projected = vectors @ components.T
    norms = np.linalg.norm(projected, axis=1, keepdims=True)
    return projected / np.where(norms > 0, norms, 1)
    ### END SOLUTION


# %% check="lsa.embed"
lsa_embed = check("lsa.embed", lsa_embed)
points("lsa.embed")

# %% [markdown] tags=["solution"]
# **Explanation.** Components are perpendicular and have norm 1, so the coordinate of a vector on one of them is their
# inner product. A single matrix product computes them all. Queries and documents go the same way; otherwise their
# cosines would make no sense.
#
# **Common mistakes**
# - normalising before projecting: projecting shortens;
# - one norm for the whole array, or one for each column;
# - leaving out the transpose, which gives no warning where dims = V.

# %% [markdown]
# ## 6. `dense_search`: dense search
#
# **Level: warm-up (1 point). Importance: essential. Time: 5 minutes.**
#
# Return the numbers of the `k` rows of `embeddings` whose cosine with `query` is largest, best first.
#
# - Neither `query` nor the rows need have norm 1. A zero vector has cosine 0 with all.
# - `k` numbers are returned even where cosines are zero or negative; where there are fewer than `k` rows, return what
#   there is.
# - At equal cosine, the lower number comes first, which `np.argsort` only promises with `kind="stable"` (two cosines
#   that differ by rounding alone may come out in either order).
# - Raise `ValueError` where `k` is below 1.
#
# | call | result |
# |---|---|
# | `dense_search(np.array([1.0, 0.0]), np.array([[0.0, 1.0], [5.0, 0.0]]), k=1)` | `[1]` |


# %% exercise="lsa.dense_search"
def dense_search(query: np.ndarray, embeddings: np.ndarray, k: int = 3) -> list[int]:
    """Return the k documents nearest to the query by cosine, best first."""
    ### BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"k must be at least 1, and it is {k}.")
    cosines = np.array([cosine(query, row) for row in embeddings])
    return np.argsort(-cosines, kind="stable")[:k].tolist()
    ### END SOLUTION


# %% check="lsa.dense_search"
dense_search = check("lsa.dense_search", dense_search)
points("lsa.dense_search")

# %% [markdown] tags=["solution"]
# **Explanation.** The **stable** sort of -cos keeps the order of numbers in a tie. In production rows are normalised
# once and for all, and the loop becomes a product: `embeddings @ query`.
#
# **Common mistakes**
# - ranking by inner product without normalising: long vectors win;
# - `np.argsort(cosines)[::-1]`: ties come out backwards, and a `nan` on top;
# - leaving out negative cosines.

# %% [markdown]
# ## 7. `info_nce`: the InfoNCE loss
#
# **Level: standard (2 points). Importance: important. Time: 7 minutes.**
#
# Return the loss of one query, where `scores` is the list of the scores of a few passages and `positive` the number of
# the right one:
#
# $$L=-\ln\frac{e^{s^+/\tau}}{\sum_{s} e^{s/\tau}}$$
#
# - $\tau$ is `temperature`, and the sum runs over **all** scores, the right passage's included.
# - The result stays right and finite for scores of ±10,000: take the largest score off first, which leaves the ratio as
#   it is. With $z=(s-\max s)/\tau$, the loss is $\ln\sum e^{z}-z^+$.
# - Raise `ValueError` where `temperature` is not above 0, or `positive` is no number between 0 and `len(scores) - 1`
#   (so not -1 either).
#
# | call | result |
# |---|---|
# | `info_nce([2.0, 1.0], 0, temperature=1.0)` | `0.313...`, that is, ln(1 + 1/e) |


# %% exercise="lsa.info_nce"
def info_nce(scores: list[float], positive: int, temperature: float = 0.05) -> float:
    """Return the loss of a query whose right passage has the number positive."""
    ### BEGIN SOLUTION
    if not temperature > 0:
        raise ValueError(f"temperature must be above 0, and it is {temperature}.")
    if not 0 <= positive < len(scores):
        raise ValueError(f"positive must be a position in scores, and it is {positive}.")
    z = np.asarray(scores) / temperature
    z = z - z.max()
    return float(np.log(np.exp(z).sum()) - z[positive])
    ### END SOLUTION


# %% check="lsa.info_nce"
info_nce = check("lsa.info_nce", info_nce)
points("lsa.info_nce")

# %% [markdown] tags=["solution"]
# **Explanation.** $-\ln\frac{a}{b}=\ln b-\ln a$, and $\ln e^{z^+}=z^+$: the probability itself, which may be too small
# for a float, is never computed. Once the maximum is taken off, the sum is at least 1, so that its logarithm always
# exists.
#
# **Common mistakes**
# - `np.exp(s / temperature)` with nothing taken off: `inf / inf = nan`;
# - an epsilon inside the logarithm: it puts a ceiling on the loss;
# - leaving the right passage out of the sum;
# - multiplying by the temperature.

# %% [markdown]
# ## 8. `maxsim`: late interaction
#
# **Level: standard (2 points). Importance: important. Time: 5 minutes.**
#
# Return ColBERT's score: for each vector of the query, its best inner product with a vector of the document; then the
# sum of these.
#
# $$\sum_i \max_j\; q_i\cdot d_j$$
#
# - `query_vectors` has shape (m, d) and `doc_vectors` shape (n, d). Inner products are taken as they are, without
#   normalising; a best product may be negative.
# - A query without vectors (m = 0) scores 0.
# - Raise `ValueError` where the document has no vector (n = 0), or the dimensions differ (NumPy does so already in both
#   cases).
#
# | call | result |
# |---|---|
# | `maxsim(np.array([[1.0, 0], [0, 1.0]]), np.array([[0.8, 0.6], [0, 1.0]]))` | `1.8` |


# %% exercise="lsa.maxsim"
def maxsim(query_vectors: np.ndarray, doc_vectors: np.ndarray) -> float:
    """Add up, for each vector of the query, its best inner product."""
    ### BEGIN SOLUTION
    return float((query_vectors @ doc_vectors.T).max(axis=1).sum())
    ### END SOLUTION


# %% check="lsa.maxsim"
maxsim = check("lsa.maxsim", maxsim)
points("lsa.maxsim")

# %% [markdown] tags=["solution"]
# **Explanation.** The product gives the table (m, n) of all inner products. `max(axis=1)` keeps the best of each row,
# and `sum` adds up. Document vectors that answer nothing cost nothing.
#
# **Common mistakes**
# - `axis=0`: a long document would always win;
# - the mean instead of the sum;
# - a loop whose maximum starts from 0: negative products vanish.

# %% [markdown]
# ## 9. `index_bytes`: the memory of an index
#
# **Level: warm-up (1 point). Importance: important. Time: 2 minutes.**
#
# Return the number of **bytes** that `n` vectors of `dims` numbers take, at `bytes_per_value` bytes a number. Raise
# `ValueError` where `n` is negative, or `dims` or `bytes_per_value` is below 1.
#
# | call | result |
# |---|---|
# | `index_bytes(1_000_000, 1024)` | `4096000000`, about 4.1 GB |


# %% exercise="lsa.index_bytes"
def index_bytes(n: int, dims: int, bytes_per_value: int = 4) -> int:
    """Return the memory of n vectors of dims numbers, in bytes."""
    ### BEGIN SOLUTION
    if n < 0:
        raise ValueError(f"n must not be negative, and it is {n}.")
    if dims < 1 or bytes_per_value < 1:
        raise ValueError("dims and bytes_per_value must be at least 1.")
    return n * dims * bytes_per_value
    ### END SOLUTION


# %% check="lsa.index_bytes"
index_bytes = check("lsa.index_bytes", index_bytes)
points("lsa.index_bytes")

# %% [markdown] tags=["solution"]
# **Explanation.** Three factors and no more: it is the sum to do *before* choosing a vector store. An HNSW graph adds
# its links on top (chapter 08).
#
# **Common mistakes**
# - counting in bits;
# - returning gigabytes;
# - ignoring `bytes_per_value`: it is what makes int8 take a quarter of the memory.

# %% [markdown]
# ## 10. Written exercise: is an approximate index needed?
#
# **4 points, marked by your teacher. Time: 10 minutes.**
#
# A corpus of 10,000 pages makes about 5 million tokens. It is cut into chunks of 400 tokens that overlap by 50, and
# each is given a vector of 768 numbers in float32. Your machine does about a billion multiply-adds per second.
#
# 1. How many chunks are there (chapter 01)?
# 2. How much memory does the index take?
# 3. How long does an exact search take?
# 4. Is an approximate (ANN) index needed? From when on? Give your reasons.
#
# | rubric | points |
# |---|---|
# | the number of chunks, by the formula of chapter 01 | 1 |
# | the memory, with its unit | 1 |
# | the time, from the number of operations | 1 |
# | a reasoned conclusion: what the index would gain, what it would cost, and when to change | 1 |

# %% [markdown] written="lsa.w_memory" points=4
# *Your answer here.*

# %% [markdown] tags=["solution"]
# **One possible answer.**
#
# 1. $(5{,}000{,}000-50)/(400-50)$, rounded up: **14,286 chunks**.
# 2. `index_bytes(14_286, 768)`: $14{,}286\times768\times4\approx 44$ million bytes, that is **44 MB**.
# 3. One inner product a chunk: $14{,}286\times768\approx1.1\times10^7$ multiply-adds, hence about **11 ms**.
# 4. **No.** An approximate index would at best gain ten milliseconds on an answer that takes seconds to generate, and
#    it would cost recall: passages missed without a sound. Near a million chunks exact search approaches a second, and
#    the question arises. The rule is to **start exact**, to move to an approximate index when searching becomes slower
#    than the rest, and then to measure the recall that is lost.

# %% [markdown]
# ## Well done
#
# You have written a search by meaning. Try it: the query has no word of the first text.

# %%
texts = ["battery cell charge", "pack cell charge", "lidar laser range", "pack charge"]
vocabulary, matrix = tfidf([text.split() for text in texts])
components, _ = lsa_fit(matrix, 2)
query = np.array([[float(token == "pack") for token in vocabulary]])
embeddings = lsa_embed(matrix, components)
ranking = dense_search(lsa_embed(query, components)[0], embeddings, k=4)
print("the three texts about energy first:", sorted(ranking[:3]), "then", ranking[3])
