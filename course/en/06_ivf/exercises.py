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
#     chapter: 06_ivf
#     course: '1'
#     kind: exercises
#     lang: en
# ---

# %% [markdown]
# # 06. Exact search, then cells: exercises
#
# Seven functions and one written question. Together the functions make a search that scales: an exact one to compare
# with, the cells, the search in some of them, its measure, and a filter that does not leak. Allow **half an hour** if
# you have done the lesson: four of the seven are already there (copy them over), the other three are new.
#
# **How it works.** Write the function, run its cell, then the cell below. That cell tries your function on chosen
# examples and on random ones; when it fails, you see the smallest case that goes wrong and, often, the name of the
# mistake. Hints come one at a time: run `hint("ivf.exact")`, for instance. You may run the whole notebook whenever you
# like: an empty exercise does not stop the ones after it.
#
# **Conventions.** Vectors are the rows of a NumPy array of shape (N, d), numbered from 0; everything goes by **inner
# product**, and larger is nearer. In a tie the lower number comes first. Where an exercise says so, a function given an
# argument that makes no sense raises `ValueError` with a sentence that names the argument. Your functions may call one
# another.

# %%
from ragteach.notebook import begin, check, hint, points

begin("06_ivf", lang="en", course="1")

# %%
import numpy as np

# %% [markdown]
# ## 1. `exact_search`: measure everything
#
# **Level: warm-up (1 point). Importance: essential. Time: 4 minutes.**
#
# Return the numbers of the `k` vectors whose inner product with `query` is largest, best first. Vectors may have any
# length, so this is not the cosine.
#
# - In a tie, the lower number comes first. (`np.argpartition` is allowed, but it does not sort, and it breaks ties as it
#   likes.)
# - Where there are fewer than `k` vectors, return them all. Negative products are ranked like the others.
# - Raise `ValueError` if `k` is below 1.
#
# | call | result |
# |---|---|
# | `exact_search(np.array([[2., 1.], [0., 3.], [1., 0.]]), np.array([1., 2.]), 2)` | `[1, 0]` (products 4, 6, 1) |


# %% exercise="ivf.exact"
def exact_search(vectors: np.ndarray, query: np.ndarray, k: int) -> list[int]:
    """Return the k vectors of largest inner product with the query, best first."""
    ### BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"k must be at least 1, and it is {k}.")
    scores = vectors @ query
    return np.argsort(-scores, kind="stable")[:k].tolist()
    ### END SOLUTION


# %% check="ivf.exact"
exact_search = check("ivf.exact", exact_search)
points("ivf.exact")

# %% [markdown] tags=["solution"]
# **Explanation.** `vectors @ query` is one product of a matrix and a vector: all scores at once. Sorting the **negated**
# scores with a **stable** sort puts the largest first and leaves ties in order of number. A slice `[:k]` never goes too
# far. In production one sorts only the winners (`np.argpartition`), but must then sort those and mind the ties.
#
# **Common mistakes**
# - `np.argsort(scores)[::-1]`: the ties come out backwards.
# - `np.argpartition(-scores, k)[:k]` as it is: the right vectors, in no order; and an error where `k` is too large.
# - dividing by the norms: that is the cosine, another question.

# %% [markdown]
# ## 2. `assign`: the cell of each vector
#
# **Level: warm-up (1 point). Importance: essential. Time: 3 minutes.**
#
# For each vector, return the number of the centroid with which its **inner product** is largest: an array of N whole
# numbers. In a tie, the lower number.
#
# | call | result |
# |---|---|
# | `assign(np.array([[2., 1.], [0., 3.]]), np.array([[1., 0.], [0., 1.]]))` | `[0, 1]` |


# %% exercise="ivf.assign"
def assign(vectors: np.ndarray, centroids: np.ndarray) -> np.ndarray:
    """Return the cell of each vector: the centroid of largest inner product."""
    ### BEGIN SOLUTION
    return (vectors @ centroids.T).argmax(axis=1)
    ### END SOLUTION


# %% check="ivf.assign"
assign = check("ivf.assign", assign)
points("ivf.assign")

# %% [markdown] tags=["solution"]
# **Explanation.** `vectors @ centroids.T` has one row a vector and one column a centroid; `argmax(axis=1)` finds the
# best column of each row, and keeps the first of equals.
#
# **Common mistakes**
# - `argmin`: it goes with a distance, not with a product.
# - `axis=0`: the best vector of each centroid, which is another thing.
# - comparing distances: the same cells where all centroids have norm 1, others elsewhere.

# %% [markdown]
# ## 3. `kmeans`: find the centroids
#
# **Level: hard (3 points). Importance: essential. Time: 12 minutes.**
#
# Return `n_cells` centroids, an array of shape (n_cells, d), by **spherical k-means**. The vectors all have norm 1. Draw
# `n_cells` of them as first centroids (the draw depends on `seed`), then repeat `n_iter` times:
#
# 1. give each vector to the centroid with which its inner product is largest;
# 2. if a cell is **empty**, move its centroid onto the vector that is served worst, the one whose product with its own
#    centroid is smallest, and put that vector into the cell;
# 3. replace each centroid by the sum of its cell's vectors, divided by its norm. (A cell that has just lost its last
#    vector keeps its centroid: the next round fills it.)
#
# No generator is imposed, so the check does not expect given numbers. It wants: centroids of **norm 1**; **no empty
# cell** (it never asks for more cells than there are different vectors); and after 25 rounds or more on some ten
# vectors, or with a single cell, centroids that have **settled**: one round more must gain nothing.
#
# Raise `ValueError` if `n_cells` or `n_iter` is below 1, or if there are more cells than vectors (name both numbers).
#
# | call | result |
# |---|---|
# | `kmeans(np.array([[1., 0.], [0.6, 0.8]]), 1)` | about `[[0.894, 0.447]]`: the direction of the sum |


# %% exercise="ivf.kmeans"
def kmeans(vectors: np.ndarray, n_cells: int, n_iter: int = 8, seed: int = 0) -> np.ndarray:
    """Return n_cells centroids of norm 1, none of which is left without a vector."""
    ### BEGIN SOLUTION
    if n_cells < 1 or n_iter < 1:
        raise ValueError(f"n_cells and n_iter must be at least 1: {n_cells}, {n_iter}.")
    if n_cells > len(vectors):
        raise ValueError(f"n_cells is {n_cells}, and there are only {len(vectors)} vectors.")
    rng = np.random.default_rng(seed)
    centroids = vectors[rng.choice(len(vectors), n_cells, replace=False)]
    for _ in range(n_iter):
        cells = assign(vectors, centroids)
        for c in range(n_cells):
            if not (cells == c).any():
                served = (vectors * centroids[cells]).sum(axis=1)
                worst = served.argmin()
                centroids[c] = vectors[worst]
                cells[worst] = c
        for c in range(n_cells):
            if (cells == c).any():
                total = vectors[cells == c].sum(axis=0)
                centroids[c] = total / np.linalg.norm(total)
    return centroids
    ### END SOLUTION


# %% check="ivf.kmeans"
kmeans = check("ivf.kmeans", kmeans)
points("ivf.kmeans")

# %% [markdown] tags=["solution"]
# **Explanation.** What k-means makes large is the sum of each vector's product with its own centroid. Step 1 chooses the
# best centroid for each vector, step 3 the best vector of norm 1 for each cell (the sum's direction): neither can make
# the sum fall. Nor can step 2, since a centroid without vectors adds nothing where it is. So the sum rises, and it
# cannot rise for ever: the centroids settle. They settle in *a* good place, not in the best one: another seed gives
# other cells.
#
# **Common mistakes**
# - leaving means as they are: they are shorter than 1, and tight cells then attract more than they should.
# - `np.linalg.norm(centroids)` without `axis=1`: one norm for the whole matrix.
# - `vectors[cells == c].mean(axis=0)` for an empty cell: `nan`, which spreads.
# - skipping empty cells: you asked for 64 cells and search in 50.
# - a `return` one step too far to the right: a single round.

# %% [markdown]
# ## 4. `build_cells`: what the cells hold
#
# **Level: warm-up (1 point). Importance: important. Time: 4 minutes.**
#
# `assignment[i]` is the cell of vector i. Return a list of `n_cells` arrays (or lists): place c holds the numbers of
# cell c's vectors, in increasing order. Each vector stands in exactly one place, and an empty cell in its own place, empty.
#
# Raise `ValueError` if `n_cells` is below 1 or if a number of `assignment` lies outside 0 to `n_cells - 1`.
#
# | call | result |
# |---|---|
# | `build_cells(np.array([2, 0, 2]), 4)` | `[[1], [], [0, 2], []]` |


# %% exercise="ivf.build_cells"
def build_cells(assignment: np.ndarray, n_cells: int) -> list[np.ndarray]:
    """Return the numbers of each cell's vectors, empty cells included."""
    ### BEGIN SOLUTION
    if n_cells < 1:
        raise ValueError(f"n_cells must be at least 1, and it is {n_cells}.")
    if any(cell < 0 or cell >= n_cells for cell in assignment):
        raise ValueError(f"assignment must hold numbers from 0 to {n_cells - 1} only.")
    return [np.flatnonzero(assignment == cell) for cell in range(n_cells)]
    ### END SOLUTION


# %% check="ivf.build_cells"
build_cells = check("ivf.build_cells", build_cells)
points("ivf.build_cells")

# %% [markdown] tags=["solution"]
# **Explanation.** It is the inverted index of chapter 02 again: a cell in place of a word, and the list of those in it.
# Going through `range(n_cells)` keeps empty cells in their place, so that cell c stays that of centroid c.
#
# **Common mistakes**
# - grouping in a dictionary and returning its values: empty cells are gone, and the others have moved.
# - `[[]] * n_cells`: the *same* list n times.
# - letting -1 through: in Python it means the last cell.

# %% [markdown]
# ## 5. `ivf_search`: search a few cells
#
# **Level: standard (2 points). Importance: essential. Time: 8 minutes.**
#
# Return the `k` best vectors by inner product with the query, best first, among those of the `nprobe` cells whose
# centroids have the largest inner product with it. `cells[c]` holds the numbers of the vectors of centroid c, as
# `build_cells` makes them.
#
# - **Empty cells do not count**: they are skipped, and do not use up `nprobe`.
# - If `nprobe` is larger than the number of cells, all are visited; the result is then that of `exact_search`.
# - If the cells visited hold fewer than `k` vectors, return those. If all cells are empty, return `[]`.
# - Ties: lower number first, among vectors and among cells.
# - Raise `ValueError` if `k` or `nprobe` is below 1.
#
# Mind the order of the arguments: the query comes first here.
#
# With `vectors = np.array([[0., 3.], [1., 0.], [2., 0.]])`, `centroids = np.array([[1., 0.], [0., 1.]])`,
# `cells = [np.array([1, 2]), np.array([0])]` and `query = np.array([3., 2.])`:
#
# | call | result |
# |---|---|
# | `ivf_search(query, vectors, centroids, cells, k=2, nprobe=1)` | `[2, 1]`: vector 0 is in the other cell |
# | `ivf_search(query, vectors, centroids, cells, k=2, nprobe=2)` | `[0, 2]`: exact (0 and 2 tie at 6) |


# %% exercise="ivf.search"
def ivf_search(
    query: np.ndarray,
    vectors: np.ndarray,
    centroids: np.ndarray,
    cells: list[np.ndarray],
    k: int,
    nprobe: int,
) -> list[int]:
    """Return the k best vectors among those of the nprobe cells nearest to the query."""
    ### BEGIN SOLUTION
    if k < 1 or nprobe < 1:
        raise ValueError(f"k and nprobe must be at least 1: {k}, {nprobe}.")
    order = np.argsort(-(centroids @ query), kind="stable")
    probed = [cell for cell in order if len(cells[cell]) > 0][:nprobe]
    if not probed:
        return []
    candidates = np.sort(np.concatenate([cells[cell] for cell in probed]))
    places = exact_search(vectors[candidates], query, k)
    return candidates[places].tolist()
    ### END SOLUTION


# %% check="ivf.search"
ivf_search = check("ivf.search", ivf_search)
points("ivf.search")

# %% [markdown] tags=["solution"]
# **Explanation.** Which cells, which candidates, which ranking: three lines. `exact_search` answers with *places* among
# the candidates, and `candidates[places]` turns them into numbers of vectors. Sorting the candidates first makes the
# order of places the order of numbers, so that ties are right as well.
#
# **Common mistakes**
# - returning the places.
# - ranking within each cell, then putting cells end to end.
# - `np.concatenate([])`: an error where all cells are empty.
# - letting an empty cell use up a visit, as FAISS does: a query may then find nothing.

# %% [markdown]
# ## 6. `ann_recall`: how much was missed?
#
# **Level: warm-up (1 point). Importance: essential. Time: 3 minutes.**
#
# Return the share of the exact neighbours that the approximate list holds. Order does not count, a repeated number
# counts once, and where there is nothing to find the recall is `1.0`.
#
# This is the "recall@k" of FAISS and of approximate-search benchmarks: how well two lists of neighbours agree. It is not
# the recall of chapter 05, which needs passages annotated as relevant.
#
# | call | result |
# |---|---|
# | `ann_recall([4, 8, 1], [8, 1, 5, 4])` | `0.75` |


# %% exercise="ivf.ann_recall"
def ann_recall(approximate: list[int], exact: list[int]) -> float:
    """Return the share of the exact neighbours that the approximate list holds."""
    ### BEGIN SOLUTION
    if len(exact) == 0:
        return 1.0
    return len(set(approximate) & set(exact)) / len(set(exact))
    ### END SOLUTION


# %% check="ivf.ann_recall"
ann_recall = check("ivf.ann_recall", ann_recall)
points("ivf.ann_recall")

# %% [markdown] tags=["solution"]
# **Explanation.** The sets do everything: order and repetitions go, and `&` keeps what is in both. The divisor is what
# was to be found.
#
# **Common mistakes**
# - comparing place by place: one neighbour missed at the front would shift all the others.
# - dividing by the length of the approximate list: that is a precision.
# - forgetting the empty list: `ZeroDivisionError`.

# %% [markdown]
# ## 7. `filtered_search`: among allowed documents
#
# **Level: standard (2 points). Importance: essential. Time: 6 minutes.**
#
# `allowed` holds the numbers of the documents that the user may read, in any order, sometimes repeated. Return the `k`
# best **of these**, by inner product, best first.
#
# - No document outside `allowed` ever comes out, even where fewer than `k` are allowed. If nothing is allowed, return
#   `[]`.
# - There are `k` results wherever `k` documents are allowed.
# - Ties: lower number first. Each document comes out once.
# - Raise `ValueError` if `k` is below 1, or if `allowed` holds a number outside 0 to N - 1 (a -1 would silently mean the
#   last document).
#
# With `vectors = np.array([[3., 0.], [2., 1.], [0., 2.], [1., 0.]])` and `query = np.array([1., 0.])`:
#
# | call | result |
# |---|---|
# | `filtered_search(vectors, query, 2, [3, 2])` | `[3, 2]`, although 0 and 1 are nearer |


# %% exercise="ivf.filtered"
def filtered_search(
    vectors: np.ndarray, query: np.ndarray, k: int, allowed: list[int]
) -> list[int]:
    """Return the k best of the allowed documents, and no other."""
    ### BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"k must be at least 1, and it is {k}.")
    ids = np.array(sorted(set(allowed)), dtype=int)
    if len(ids) == 0:
        return []
    if ids[0] < 0 or ids[-1] >= len(vectors):
        raise ValueError(f"allowed must hold numbers from 0 to {len(vectors) - 1} only.")
    return ids[exact_search(vectors[ids], query, k)].tolist()
    ### END SOLUTION


# %% check="ivf.filtered"
filtered_search = check("ivf.filtered", filtered_search)
points("ivf.filtered")

# %% [markdown] tags=["solution"]
# **Explanation.** The filter comes *before* the search: only allowed rows are ever measured. Nothing that is not in
# `vectors[ids]` can come out, which is easier to trust than a check at the end.
#
# **Common mistakes**
# - searching and then filtering: with a strict filter next to nothing is left.
# - giving the others the score 0 or -inf: they come out when too few documents are allowed.
# - `if allowed:` round the filter: a user without any rights would see everything.

# %% [markdown]
# ## 8. Written question: is it time for an index?
#
# **Marked by your teacher: 4 points. Time: 10 minutes.**
#
# A company has 10,000 pages of documentation, about 5 million tokens. They are cut into chunks of 400 tokens, each
# sharing 50 with the next. Each chunk gets a vector of 768 numbers in float32. The machine does about $10^9$
# multiply-adds a second. Answers are written by a language model, in two to three seconds.
#
# 1. How many chunks are there? (chapter 01 has the formula)
# 2. How many megabytes do the vectors take?
# 3. How long does an exact search take?
# 4. Would you install an approximate index? From what size on would you look at the question again, and by what rule?
#
# Show your calculations; round sensibly.
#
# | points | for |
# |---|---|
# | 1 | the number of chunks, with the formula |
# | 1 | the memory, with its unit |
# | 1 | the time, from the number of operations |
# | 1 | a decision with its reason (what an index would gain, what it would cost) and a rule that tells when to decide again |

# %% [markdown] written="ivf.w_exact" points=4
# *Your answer here.*

# %% [markdown] tags=["solution"]
# ## 8. Written question: a model answer
#
# 1. (1 point) $\lceil(5{,}000{,}000-50)/(400-50)\rceil=14{,}286$ chunks.
# 2. (1 point) $14{,}286\times768\times4$ bytes $\approx4.4\times10^7$ bytes, that is **44 MB**: it fits into the memory
#    of a phone.
# 3. (1 point) $14{,}286\times768\approx1.1\times10^7$ multiply-adds, hence about **11 ms** a query.
# 4. (1 point) **No.** An index would gain ten milliseconds out of two or three seconds, which nobody would notice. It
#    would cost some recall, a setting to tune (`nprobe`), and care at every update. Around a million vectors of 768
#    numbers an exact search takes nearly a second: look again there. The rule: **start exact; go approximate when the
#    search, measured, takes longer than you can afford beside generation**, and then measure the recall that you lose.
