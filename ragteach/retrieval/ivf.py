"""IVF, the inverted file of cells: search only the cells nearest to the query (Jégou, Douze & Schmid, 2011, section IV;
Sivic & Zisserman, Video Google, 2003).

Everything goes by inner product, as FAISS's IndexIVFFlat with METRIC_INNER_PRODUCT does; `kmeans` finds the centroids.
"""

from collections.abc import Sequence

import numpy as np

from ragteach.retrieval.arguments import at_least, matrix, require, vector
from ragteach.retrieval.exact import best, inner_products, rows
from ragteach.retrieval.kmeans import nearest


def assign(vectors: np.ndarray, centroids: np.ndarray) -> np.ndarray:
    """Give each vector's cell, shape (N,): the centroid of greatest inner product; ties: lower number.

    vectors has shape (N, d), centroids (C, d). Raises ValueError where they do not fit or there is no centroid.
    """
    vectors, centroids = matrix("vectors", vectors), matrix("centroids", centroids)
    require(len(centroids) > 0, "centroids must hold at least one centroid.")
    dims = vectors.shape[1]
    require(centroids.shape[1] == dims, f"centroids must have {dims} dimensions, not {centroids.shape[1]}.")
    return nearest(vectors, centroids, spherical=True)


def build_cells(assignment: Sequence[int], n_cells: int) -> list[np.ndarray]:
    """List the vectors of each cell, in increasing order: a partition of 0..N-1, empty cells included.

    Raises ValueError where n_cells < 1 or a cell's number lies outside 0 to n_cells - 1.
    """
    at_least("n_cells", n_cells, 1)
    cells = vector("assignment", assignment).astype(np.intp)
    in_range = not len(cells) or (0 <= cells.min() and cells.max() < n_cells)
    require(bool(in_range), f"assignment must hold numbers from 0 to {n_cells - 1} only.")
    in_order = np.argsort(cells, kind="stable")
    ends = np.cumsum(np.bincount(cells, minlength=n_cells))
    return np.split(in_order, ends[:-1])


def ivf_search(
    query: np.ndarray,
    vectors: np.ndarray,
    centroids: np.ndarray,
    cells: Sequence[np.ndarray],
    k: int,
    nprobe: int,
) -> list[int]:
    """Return the k best vectors by inner product, best first, among those of the nprobe cells nearest to the query.

    With all cells this is exact search. Empty cells are skipped and do not use up nprobe (in FAISS they do); an
    nprobe above the number of cells means all. Fewer than k come back where the cells hold fewer. Raises ValueError
    where k < 1, nprobe < 1, the shapes do not fit or there is not one cell for each centroid.
    """
    at_least("k", k, 1)
    at_least("nprobe", nprobe, 1)
    vectors = rows("vectors", vectors)
    similarities = inner_products(centroids, query)
    require(len(cells) == len(similarities), f"cells must be {len(similarities)}, one a centroid, not {len(cells)}.")
    filled = np.array([cell for cell in range(len(cells)) if len(cells[cell])], dtype=np.intp)
    if not len(filled):
        return []
    probed = filled[best(similarities[filled], nprobe)]
    candidates = np.sort(np.concatenate([cells[cell] for cell in probed]))
    in_range = 0 <= candidates[0] and candidates[-1] < len(vectors)
    require(bool(in_range), f"cells must hold numbers from 0 to {len(vectors) - 1} only.")
    return candidates[best(inner_products(vectors[candidates], query), k)].tolist()
