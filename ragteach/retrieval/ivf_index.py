"""IVF as an index: the vectors of a cell stand side by side in memory, so that a cell is one product."""

from os import PathLike

import numpy as np

from ragteach.retrieval.arguments import at_least, matrix, require, vector
from ragteach.retrieval.ivf import assign, build_cells
from ragteach.retrieval.storage import load_arrays, save_arrays


class IVFIndex:
    """Vectors in order of their cells, searched by inner product in the `nprobe` cells nearest to the query.

    Cell c is rows starts[c]:starts[c + 1] of vectors, shape (N, d), and of docs, (N,), where its documents stand in
    increasing order. nprobe may be changed at any time. n_distances counts the inner products that searches computed,
    those with the centroids included.
    """

    def __init__(self, vectors: np.ndarray, centroids: np.ndarray, nprobe: int = 8) -> None:
        """Index vectors of shape (N, d), row i being document i, by centroids of shape (C, d) (see `kmeans`).

        Raises ValueError where nprobe < 1 or as `assign` does.
        """
        at_least("nprobe", nprobe, 1)
        vectors, self.centroids = matrix("vectors", vectors), np.array(matrix("centroids", centroids))
        cells = build_cells(assign(vectors, self.centroids), len(self.centroids))
        self.docs = np.concatenate(cells)
        self.vectors = vectors[self.docs]
        self.starts = np.concatenate([[0], np.cumsum([len(cell) for cell in cells])])
        self.nprobe = nprobe
        self.n_distances = 0

    def search(self, query: np.ndarray, k: int) -> list[int]:
        """Return the k documents of greatest inner product in the cells probed, best first; ties: lower number first.

        Empty cells do not use up nprobe. Raises ValueError where k < 1 or the query has not shape (d,).
        """
        return self.search_batch(vector("query", query)[None], k)[0]

    def search_batch(self, queries: np.ndarray, k: int) -> list[list[int]]:
        """Do what `search` does for queries of shape (Q, d): the queries that probe a cell go through it together."""
        at_least("k", k, 1)
        queries = self._fitting("queries", matrix("queries", queries))
        if not len(self.docs):
            return [[] for _ in queries]
        probed = self._probed(queries)
        self.n_distances += len(queries) * len(self.centroids)

        pairs = np.argsort(probed, axis=None, kind="stable")  # (query, cell), in order of the cells
        ends = np.cumsum(np.bincount(probed.ravel(), minlength=len(self.centroids)))
        asking = np.split(pairs // probed.shape[1], ends[:-1])  # the queries that probe each cell
        bars = np.full(len(queries), -np.inf, dtype=self.vectors.dtype)  # k documents of a query are known to reach it
        hits = [(np.empty(0, int), np.empty(0), np.empty(0, int))]
        for cell in np.unique(probed):
            start, end = self.starts[cell : cell + 2]
            products = queries[asking[cell]] @ self.vectors[start:end].T
            self.n_distances += products.size
            if end - start >= k:
                bars[asking[cell]] = np.maximum(bars[asking[cell]], np.partition(products, -k, axis=1)[:, -k])
            rows, columns = np.nonzero(products >= bars[asking[cell], None])
            hits.append((asking[cell][rows], products[rows, columns], self.docs[start:end][columns]))

        owners, scores, docs = (np.concatenate(parts) for parts in zip(*hits, strict=True))
        order = np.lexsort((docs, -scores, owners))
        ends = np.cumsum(np.bincount(owners, minlength=len(queries)))
        return [found[:k].tolist() for found in np.split(docs[order], ends[:-1])]

    def add(self, doc: int, new: np.ndarray) -> None:
        """Add a document's vector of shape (d,), in place of the one that it had; centroids stay as they are.

        Raises ValueError for another shape or doc < 0.
        """
        at_least("doc", doc, 0)
        point = self._fitting("new", vector("new", new)[None])
        if doc in self.docs:
            self.delete(doc)
        cell = int(assign(point, self.centroids)[0])
        start, end = self.starts[cell : cell + 2]
        place = start + np.searchsorted(self.docs[start:end], doc)
        self.docs = np.insert(self.docs, place, doc)
        self.vectors = np.insert(self.vectors, place, point, axis=0)
        self.starts[cell + 1 :] += 1

    def delete(self, doc: int) -> None:
        """Delete a document, of which nothing stays. Raises ValueError where it is not there."""
        require(doc in self.docs, f"doc must be a document of the index, and {doc} is none.")
        place = np.flatnonzero(self.docs == doc)[0]
        self.docs = np.delete(self.docs, place)
        self.vectors = np.delete(self.vectors, place, axis=0)
        self.starts[self.starts > place] -= 1

    def _probed(self, queries: np.ndarray) -> np.ndarray:
        """Give the cells that each query probes, the nearest filled ones in any order: shape (Q, nprobe), or fewer."""
        similarities = queries @ self.centroids.T
        empty = self.starts[1:] == self.starts[:-1]
        similarities[:, empty] = -np.inf
        nprobe = min(self.nprobe, np.count_nonzero(~empty))
        return np.argpartition(similarities, -nprobe, axis=1)[:, -nprobe:]

    def _fitting(self, name: str, points: np.ndarray) -> np.ndarray:
        dims = self.vectors.shape[1]
        require(points.shape[1] == dims, f"{name} must have {dims} dimensions, not {points.shape[1]}.")
        return points.astype(self.vectors.dtype, copy=False)

    def save(self, path: str | PathLike) -> None:
        """Write the index to one .npz file."""
        arrays = {name: getattr(self, name) for name in ("centroids", "vectors", "docs", "starts", "nprobe")}
        save_arrays(path, "IVFIndex", **arrays)

    @classmethod
    def load(cls, path: str | PathLike) -> "IVFIndex":
        """Read an index that `save` wrote. Raises ValueError where the file is none, OSError where there is no file."""
        arrays = load_arrays(path, "IVFIndex")
        index = cls(arrays["vectors"][:0], arrays["centroids"], int(arrays["nprobe"]))
        index.vectors, index.docs, index.starts = arrays["vectors"], arrays["docs"], arrays["starts"]
        return index
