"""k-means (Lloyd, Least squares quantization in PCM, 1982), spherical for IVF and Euclidean for PQ.

Both maximise the same thing. ‖x - c‖² = ‖x‖² - 2(x·c - ‖c‖²/2), so the nearest centroid is the one of greatest
x·c - ‖c‖²/2; spherical k-means keeps ‖c‖ = 1, which leaves the inner product x·c (Dhillon & Modha, Concept
decompositions for large sparse text data using clustering, 2001).
"""

import numpy as np

from ragteach.retrieval.arguments import at_least, matrix, require

BLOCK = 1024  # rows assigned at a time: their scores against some hundred centroids stay in the processor's cache


def kmeans(vectors: np.ndarray, n_cells: int, n_iter: int = 8, seed: int = 0) -> np.ndarray:
    """Find n_cells centroids of norm 1, shape (n_cells, d), each the direction of the vectors nearest to it.

    The objective, the sum of each vector's inner product with its centroid, never falls from one step to the next.
    No cell is left empty: an empty one takes over the vector that its centroid serves worst (unless there are fewer
    different directions than cells). Raises ValueError where n_cells < 1, n_iter < 1 or there are fewer non-zero
    vectors than cells.
    """
    at_least("n_cells", n_cells, 1)
    at_least("n_iter", n_iter, 1)
    vectors = matrix("vectors", vectors)
    training = vectors[vectors.any(axis=1)]  # the zero vector has no direction
    require(
        len(training) >= n_cells,
        f"vectors must hold at least n_cells = {n_cells} non-zero vectors, not {len(training)}.",
    )
    return lloyd(training, n_cells, n_iter, seed, spherical=True)


def lloyd(vectors: np.ndarray, n_cells: int, n_iter: int, seed: int, spherical: bool) -> np.ndarray:
    """Repeat n_iter times: assign each vector to its nearest centroid, move each centroid to the middle of its cell."""
    start = np.random.default_rng(seed).choice(len(vectors), n_cells, replace=False)
    centroids = unit(vectors[start]) if spherical else vectors[start]
    for _ in range(n_iter):
        cells = fill_cells(vectors, centroids, spherical)
        sums, counts = cell_sums(vectors, cells, n_cells)
        # A cell may be empty still, or its vectors cancel out: such a centroid stays where it is.
        movable = sums.any(axis=1) if spherical else counts > 0
        centroids[movable] = unit(sums[movable]) if spherical else sums[movable] / counts[movable, None]
    fill_cells(vectors, centroids, spherical)
    return centroids


def nearest(vectors: np.ndarray, centroids: np.ndarray, spherical: bool) -> np.ndarray:
    """Give the cell of each vector, shape (N,): the centroid c of greatest x·c, less ‖c‖²/2 unless spherical."""
    half = np.zeros(len(centroids)) if spherical else np.einsum("ij,ij->i", centroids, centroids) / 2
    half = half.astype(centroids.dtype)
    cells = np.empty(len(vectors), dtype=np.intp)
    for start in range(0, len(vectors), BLOCK):
        similarities = vectors[start : start + BLOCK] @ centroids.T
        similarities -= half
        cells[start : start + BLOCK] = similarities.argmax(axis=1)
    return cells


def fill_cells(vectors: np.ndarray, centroids: np.ndarray, spherical: bool) -> np.ndarray:
    """Give the cell of each vector, shape (N,), after moving the centroids of empty cells, in place, until none is.

    What a centroid serves nobody with is worth nothing, so to move it onto the vectors that gain most by it can only
    raise the objective. It stops too where no vector would gain: each lies on its centroid already.
    """
    for _ in range(len(centroids)):
        cells = nearest(vectors, centroids, spherical)
        empty = np.flatnonzero(np.bincount(cells, minlength=len(centroids)) == 0)
        if not len(empty):
            break
        best = unit(vectors) if spherical else vectors  # where a centroid serves a vector best: on it
        missing = best - centroids[cells]
        gains = np.einsum("ij,ij->i", missing, vectors if spherical else missing)
        rounding = 32 * np.finfo(vectors.dtype).eps * np.einsum("ij,ij->i", vectors, best).max()
        worst = np.argsort(-gains, kind="stable")[: len(empty)]
        worst = worst[gains[worst] > rounding]
        if not len(worst):
            break
        centroids[empty[: len(worst)]] = best[worst]
    return cells


def cell_sums(vectors: np.ndarray, cells: np.ndarray, n_cells: int) -> tuple[np.ndarray, np.ndarray]:
    """Give the sum of each cell's vectors, shape (n_cells, d), and their number, (n_cells,)."""
    counts = np.bincount(cells, minlength=n_cells)
    in_order = vectors.take(np.argsort(cells, kind="stable"), axis=0)  # the vectors of a cell stand together
    starts = np.cumsum(counts) - counts
    if vectors.shape[1] < 16:  # many short sums in one call; of long rows, one call a cell is faster
        sums = np.zeros((n_cells, vectors.shape[1]), dtype=vectors.dtype)
        sums[counts > 0] = np.add.reduceat(in_order, starts[counts > 0], axis=0)
        return sums, counts
    return np.array([part.sum(axis=0) for part in np.split(in_order, starts[1:])]), counts


def unit(vectors: np.ndarray) -> np.ndarray:
    """Give the rows divided by their norms; a zero row stays zero."""
    norms = np.linalg.norm(vectors, axis=1, keepdims=True)
    return vectors / np.where(norms > 0, norms, 1)
