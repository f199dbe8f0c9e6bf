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
#     chapter: 07_pq
#     course: '1'
#     kind: exercises
#     lang: en
# ---

# %% [markdown]
# # 07. Compress the vectors: exercises
#
# Five functions and one written question. Together the functions make a PQ index: learn, code, measure, and know what
# it weighs; int8 comes first, to compare with. Allow **twenty minutes** if you have done the lesson: four of the
# five are already there (copy them over); forty-five otherwise.
#
# **How it works.** Write the function, run its cell, then the cell below. That cell tries your function on chosen
# examples and on random ones; when it fails, you see the smallest case that goes wrong and, often, the name of the
# mistake. Hints come one at a time: run `hint("pq.encode")`, for instance. You may run the whole notebook whenever
# you like: an empty exercise does not stop the ones after it.
#
# **Conventions.** Vectors are the rows of a NumPy array of shape (N, d). M is the number of pieces (`n_subspaces`), K
# the number of codewords a piece (`n_codes`); codebooks have shape (M, K, d/M). Piece m of a vector is the m-th block
# of d/M **consecutive** numbers. All distances are Euclidean, and **squared**. Where an exercise says so, a function
# given an argument that makes no sense raises `ValueError` with a sentence that names the argument.

# %%
from ragteach.notebook import begin, check, hint, points

begin("07_pq", lang="en", course="1")

# %%
import numpy as np

# %% [markdown]
# ## 1. `quantize_int8`: one byte a number
#
# **Level: standard (2 points). Importance: essential. Time: 7 minutes.**
#
# For each dimension (column), the step is the greatest **absolute value** divided by 127; a column of zeros gets
# step 1. The code of a number is that number divided by the step, rounded to the nearest whole number: it lies
# between -127 and 127.
#
# Return `(codes, scale)`: the codes, of shape (N, d) and type `int8`; the steps, of shape (d,). So `codes * scale`
# gives the numbers back to within half a step. Exactly midway between two whole numbers, either will do.
#
# | call | result |
# |---|---|
# | `quantize_int8(np.array([[12.7, 0.], [-5.02, 0.]]))` | codes `[[127, 0], [-50, 0]]`, scale `[0.1, 1.]` |


# %% exercise="pq.quantize"
def quantize_int8(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the codes, from -127 to 127, and the step of each dimension."""
    ### BEGIN SOLUTION
    scale = np.abs(vectors).max(axis=0) / 127
    scale[scale == 0] = 1.0
    return np.rint(vectors / scale).astype(np.int8), scale
    ### END SOLUTION


# %% check="pq.quantize"
quantize_int8 = check("pq.quantize", quantize_int8)
points("pq.quantize")

# %% [markdown] tags=["solution"]
# **Explanation.** Dividing by the greatest absolute value brings the column between -1 and 1; by the step, between
# -127 and 127. `np.rint` rounds to the nearest, so the error is half a step at most. The scale is symmetric: zero
# stays exactly zero, and inner products can be computed on codes, but for one multiplication. (Code -128 is unused,
# on purpose.)
#
# **Common mistakes**
# - `max` without `axis=0`: one step for everything, and a dimension of small values is wiped out.
# - `astype(np.int8)` without rounding: decimals are cut off, and the error doubles.
# - dividing by 128: the greatest number gives 128, which turns into -128.
# - forgetting the column of zeros: 0/0 is `nan`.

# %% [markdown]
# ## 2. `pq_train`: learn the codebooks
#
# **Level: standard (2 points). Importance: essential. Time: 12 minutes.**
#
# For each of the `n_subspaces` pieces, learn `n_codes` codewords by a **Euclidean** k-means:
#
# 1. **Start**: `n_codes` different rows, drawn without replacement with `seed`.
# 2. **Assign**: each subvector goes to its nearest codeword.
# 3. **Move**: each codeword goes to the **mean** of the subvectors assigned to it. If it has none, it stays where it
#    is (or goes where you like, but does not become `nan`).
#
# Repeat 2 and 3 twenty times, and return an array of shape `(M, K, d/M)`.
#
# Your draw may differ from ours: no number is imposed. The check looks at whether each codebook has settled on the
# subvectors **of its own piece** (one round more would gain nothing) and wastes no codewords (with as many codewords
# as vectors, the error must be zero).
#
# Raise `ValueError` if `n_subspaces` is below 1 or does not divide d, if `n_codes` is not between 1 and 256, or if
# there are fewer vectors than codewords.
#
# | call | result |
# |---|---|
# | `pq_train(np.array([[1., 5.], [3., 9.]]), 2, 1)` | `[[[2.]], [[7.]]]`: two pieces of one number, one codeword each |


# %% exercise="pq.train"
def pq_train(vectors: np.ndarray, n_subspaces: int, n_codes: int, seed: int = 0) -> np.ndarray:
    """Learn n_codes codewords for each of the n_subspaces pieces: shape (M, K, d/M)."""
    ### BEGIN SOLUTION
    if n_subspaces < 1 or vectors.shape[1] % n_subspaces != 0:
        raise ValueError(f"n_subspaces = {n_subspaces} does not divide {vectors.shape[1]}.")
    if n_codes < 1 or n_codes > 256:
        raise ValueError(f"n_codes must lie between 1 and 256, not {n_codes}.")
    if len(vectors) < n_codes:
        raise ValueError(f"n_codes = {n_codes}, and there are only {len(vectors)} vectors.")
    rng = np.random.default_rng(seed)
    codebooks = []
    for part in np.split(vectors, n_subspaces, axis=1):
        book = part[rng.choice(len(part), n_codes, replace=False)]
        for _ in range(20):
            nearest = ((part[:, None] - book[None]) ** 2).sum(axis=2).argmin(axis=1)
            for k in range(n_codes):
                if (nearest == k).any():
                    book[k] = part[nearest == k].mean(axis=0)
        codebooks.append(book)
    return np.stack(codebooks)
    ### END SOLUTION


# %% check="pq.train"
pq_train = check("pq.train", pq_train)
points("pq.train")

# %% [markdown] tags=["solution"]
# **Explanation.** Each piece is a small k-means problem, independent of the others. It is the Euclidean version: the
# smallest distance (no longer the greatest inner product), and the mean as it is (no longer brought to norm 1), since
# a piece of a vector has not norm 1. Both steps lower the sum of squared distances, or leave it: codewords settle.
#
# **Common mistakes**
# - `vectors[:, m::n_subspaces]`: every M-th column instead of a block. Coding and measuring must cut in the same way.
# - `rng.integers` for the start: a vector drawn twice, a codeword lost.
# - keeping chapter 06's division by the norm.
# - `mean` of an empty array: `nan`, which spreads into all codes.
# - learning 256 codewords from 111 vectors: FAISS refuses as well, and warns below 39 vectors a codeword.

# %% [markdown]
# ## 3. `pq_encode`: code the vectors
#
# **Level: standard (2 points). Importance: essential. Time: 6 minutes.**
#
# Return the codes: a `uint8` array of shape (N, M). Code m of a vector is the number, from 0, of the codeword of
# `codebooks[m]` that is nearest to piece m, by squared distance. In a tie, any of the nearest will do.
#
# Raise `ValueError` if the number of dimensions of the vectors is not M × d/M.
#
# With `codebooks = np.array([[[0.], [4.]], [[1.], [5.]]])`:
#
# | call | result |
# |---|---|
# | `pq_encode(np.array([[3., 2.], [0., 6.]]), codebooks)` | `[[1, 0], [0, 1]]` |


# %% exercise="pq.encode"
def pq_encode(vectors: np.ndarray, codebooks: np.ndarray) -> np.ndarray:
    """Return the codes of the vectors: one byte a piece."""
    ### BEGIN SOLUTION
    n_subspaces, _, width = codebooks.shape
    if vectors.shape[1] != n_subspaces * width:
        raise ValueError(
            f"codebooks : {n_subspaces} × {width} dimensions, not {vectors.shape[1]}."
        )
    columns = []
    for part, book in zip(np.split(vectors, n_subspaces, axis=1), codebooks, strict=True):
        squared = ((part[:, None] - book[None]) ** 2).sum(axis=2)
        columns.append(squared.argmin(axis=1))
    return np.stack(columns, axis=1).astype(np.uint8)
    ### END SOLUTION


# %% check="pq.encode"
pq_encode = check("pq.encode", pq_encode)
points("pq.encode")

# %% [markdown] tags=["solution"]
# **Explanation.** `part[:, None] - book[None]` compares each subvector with each codeword: shape (N, K, d/M). Summing
# squares over the last axis gives distances, `argmin` the number of the codeword. Columns are put side by side
# (`axis=1`), and `uint8` makes a code fit into one byte, which is the whole point.
#
# **Common mistakes**
# - taking the greatest inner product: a long codeword would always win.
# - leaving the `int64` of `argmin`: eight bytes a code, eight times the memory.
# - `np.stack(columns)`: shape (M, N), one row a piece.

# %% [markdown]
# ## 4. `pq_distances`: measure without decoding
#
# **Level: hard (3 points). Importance: essential. Time: 10 minutes.**
#
# Return the **squared** distance of the query, as it is, to each of the N coded vectors: an array of N numbers. First
# build the table: in row m and column k, the squared distance of piece m of the query to codeword k of
# `codebooks[m]`. A vector's distance is the sum of the M numbers that its codes point to.
#
# Raise `ValueError` if the query has not M × d/M numbers, if `codes` has not M columns, or if a code is not between 0
# and K - 1 (a -1 would read the last column without a sound).
#
# With the `codebooks` of exercise 3:
#
# | call | result |
# |---|---|
# | `pq_distances(np.array([3., 2.]), np.array([[1, 0], [0, 1]]), codebooks)` | `[2., 18.]`: 1 + 1, then 9 + 9 |


# %% exercise="pq.distances"
def pq_distances(query: np.ndarray, codes: np.ndarray, codebooks: np.ndarray) -> np.ndarray:
    """Return the squared distance of the query to each coded vector."""
    ### BEGIN SOLUTION
    n_subspaces, n_codes, width = codebooks.shape
    if len(query) != n_subspaces * width:
        raise ValueError(f"query must have {n_subspaces * width} numbers, not {len(query)}.")
    if codes.shape[1] != n_subspaces:
        raise ValueError(f"codes must have {n_subspaces} columns, not {codes.shape[1]}.")
    if (codes < 0).any() or (codes >= n_codes).any():
        raise ValueError(f"codes must hold numbers from 0 to {n_codes - 1}.")
    parts = query.reshape(n_subspaces, 1, width)
    table = ((codebooks - parts) ** 2).sum(axis=2)
    return table[np.arange(n_subspaces), codes].sum(axis=1)
    ### END SOLUTION


# %% check="pq.distances"
pq_distances = check("pq.distances", pq_distances)
points("pq.distances")

# %% [markdown] tags=["solution"]
# **Explanation.** The square of a distance is the sum of the squares of its pieces, so one may measure piece by
# piece. The table has M × K numbers, computed once a query. `table[np.arange(M), codes]` pairs column m of the codes
# with row m of the table and gives an (N, M) array; its sum along rows is the distance. Decoding would give the same
# numbers, for d/M times the operations a vector, and multiplications at that.
#
# **Common mistakes**
# - `table[codes]` or `table[0][codes]`: always the wrong rows.
# - the root, in the table or at the end: distances do not add up, their squares do.
# - coding the query as well: one more error, for nothing.

# %% [markdown]
# ## 5. `pq_bytes`: the memory that codes take
#
# **Level: warm-up (1 point). Importance: important. Time: 2 minutes.**
#
# Return the number of bytes that the codes of `n` vectors take, cut into `n_subspaces` pieces, at one byte a code.
# Codebooks are not counted: their size does not depend on `n`.
#
# Raise `ValueError` if `n` is negative or `n_subspaces` is below 1.
#
# | call | result |
# |---|---|
# | `pq_bytes(1_000, 16)` | `16000` |


# %% exercise="pq.bytes"
def pq_bytes(n: int, n_subspaces: int) -> int:
    """Return the number of bytes that the codes of n vectors take."""
    ### BEGIN SOLUTION
    if n < 0:
        raise ValueError(f"n must not be negative, and is {n}.")
    if n_subspaces < 1:
        raise ValueError(f"n_subspaces must be at least 1, not {n_subspaces}.")
    return n * n_subspaces
    ### END SOLUTION


# %% check="pq.bytes"
pq_bytes = check("pq.bytes", pq_bytes)
points("pq.bytes")

# %% [markdown] tags=["solution"]
# **Explanation.** A code runs from 0 to 255, hence one byte; M codes a vector. The dimensions of the vectors do not
# come into it, which is what makes PQ so strong for vectors of many dimensions.
#
# **Common mistakes**
# - counting bits, or four bytes a code.
# - counting the codebook once for each vector.

# %% [markdown]
# ## 6. Written question: making ten million vectors fit
#
# **Marked by your teacher: 4 points. Time: 8 minutes.**
#
# You have ten million vectors of 768 numbers, a machine with 16 GB of main memory, and a fast disk. Measured on your
# queries: recall@10 of 0.99 with int8; 0.75 with PQ of 96 bytes; 0.98 with PQ of 96 bytes followed by reranking 100
# candidates read from disk.
#
# 1. How many gigabytes do the vectors take as float32, as int8, as PQ of 96 bytes?
# 2. How much do the PQ codebooks take, with 256 codewords a piece, as float32?
# 3. What would you choose, and why? What becomes of your choice at a hundred million vectors?
# 4. What will you keep an eye on in the months that follow?
#
# | points | for |
# |---|---|
# | 1 | the three sizes, with their computation |
# | 1 | the size of the codebooks, and the remark that it does not depend on the number of vectors |
# | 1 | a choice that fits into memory, argued from recall, and reconsidered at a hundred million |
# | 1 | something to measure regularly, and what to do if it gets worse |

# %% [markdown] written="pq.w_budget" points=4
# *Your answer here.*

# %% [markdown] tags=["solution"]
# ## 6. Written question: a model answer
#
# 1. (1 point) $10^7\times768\times4\approx31$ GB as float32; $10^7\times768\approx7.7$ GB as int8;
#    $10^7\times96=0.96$ GB as PQ.
# 2. (1 point) Each codebook has 256 codewords of $768/96=8$ numbers, and there are 96 of them:
#    $256\times768\times4\approx0.8$ MB, whether for a thousand vectors or a billion.
# 3. (1 point) At ten million, **int8**: 7.7 GB fit into 16, recall is 0.99, and there is nothing to learn and nothing
#    to read back from disk. At a hundred million, int8 would take 77 GB; PQ takes 9.6, and reranking gives 0.98: that
#    is when to use it. (PQ right now can be defended if the machine has other work; PQ *without* reranking cannot.)
# 4. (1 point) The coding error of new documents, and recall@10 on a fixed set of queries, against exact search. If
#    the one rises or the other falls: learn the steps or codebooks anew on a recent sample, and code everything again
#    from the original vectors.
