"""HNSW as an index: vectors come and go, distances are counted. The algorithms are those of `hnsw`, `hnsw_build`."""

from collections.abc import Sequence
from os import PathLike

import numpy as np

from ragteach.retrieval.arguments import at_least, matrix, require, vector
from ragteach.retrieval.hnsw import Layer, descend, random_level, squared_distances
from ragteach.retrieval.hnsw_build import insert_into
from ragteach.retrieval.storage import load_arrays, save_arrays


class HNSWIndex:
    """A navigable graph over documents' vectors, searched by squared Euclidean distance.

    A node is a row of vectors, shape (n_nodes, d); docs[node] is its document. `ef`, which may be changed at any
    time, is the number of nodes that a search keeps: more of them find more and measure more. n_distances counts the
    distances that searches computed, n_build_distances those that building did (the products in `select` aside).
    """

    def __init__(
        self, vectors: np.ndarray, m: int = 16, ef_construction: int = 100, ef: int = 40, seed: int = 0
    ) -> None:
        """Index vectors of shape (N, d), one after the other; row i is document i.

        No node has more than m links in an upper layer, 2m in layer 0 (see `insert`). Raises ValueError where m < 2,
        ef_construction < 1 or ef < 1.
        """
        at_least("m", m, 2)
        at_least("ef_construction", ef_construction, 1)
        at_least("ef", ef, 1)
        self.m, self.ef_construction, self.ef = m, ef_construction, ef
        self.vectors = np.array(matrix("vectors", vectors))
        self.rng = np.random.default_rng(seed)
        self.layers: list[Layer] = []
        self.entry: int | None = None
        self.docs: list[int] = []
        self.nodes: dict[int, int] = {}  # document -> its node
        self.deleted: set[int] = set()  # nodes without a document
        self.n_distances = self.n_build_distances = 0
        for doc in range(len(self.vectors)):
            self._insert(doc)

    def search(self, query: np.ndarray, k: int) -> list[int]:
        """Return the k documents found nearest to the query, nearest first; as in hnswlib, an ef below k counts as k.

        Deleted nodes are walked through, and the search goes on until it has found `ef` others. Raises ValueError
        where k < 1 or the query has not shape (d,).
        """
        at_least("k", k, 1)
        query = self._point("query", query)
        if not self.nodes:
            return []

        def measure(ids: Sequence[int], point: np.ndarray) -> np.ndarray:
            self.n_distances += len(ids)
            return squared_distances(self.vectors, ids, point)

        found = descend(measure, self.layers, self.entry, query, max(k, self.ef), self.deleted)
        return [self.docs[node] for _, node in found[:k]]

    def add(self, doc: int, new: np.ndarray) -> None:
        """Add a document's vector of shape (d,), in place of the one that it had.

        Raises ValueError for another shape or doc < 0.
        """
        at_least("doc", doc, 0)
        point = self._point("new", new)
        if doc in self.nodes:
            self.delete(doc)
        self.vectors = np.vstack([self.vectors, point])
        self._insert(doc)

    def delete(self, doc: int) -> None:
        """Delete a document: no search returns it any more. Raises ValueError where it is not there.

        As in hnswlib its node stays in the graph as a stepping stone, so that what could be reached still can. Build
        the index anew when half of the nodes are such.
        """
        require(doc in self.nodes, f"doc must be a document of the index, and {doc} is none.")
        self.deleted.add(self.nodes.pop(doc))

    def _insert(self, doc: int) -> None:
        """Insert the next row of vectors into the graph, as the node of a document."""

        def measure(ids: Sequence[int], point: np.ndarray) -> np.ndarray:
            self.n_build_distances += len(ids)
            return squared_distances(self.vectors, ids, point)

        node = len(self.docs)
        level = random_level(1 - self.rng.random(), self.m)  # random() lies in [0, 1), u in (0, 1]
        self.entry = insert_into(
            measure, self.vectors, self.layers, self.entry, node, level, self.m, self.ef_construction
        )
        self.docs.append(doc)
        self.nodes[doc] = node

    def _point(self, name: str, values: np.ndarray) -> np.ndarray:
        point = vector(name, values)
        dims = self.vectors.shape[1]
        require(len(point) == dims, f"{name} must have {dims} dimensions, not {len(point)}.")
        return point.astype(self.vectors.dtype, copy=False)

    def save(self, path: str | PathLike) -> None:
        """Write the index to one .npz file. What is added after loading draws its levels from the seed 0 again."""
        arrays = {"n_layers": len(self.layers), "entry": -1 if self.entry is None else self.entry}
        for i, layer in enumerate(self.layers):
            arrays[f"nodes_{i}"] = list(layer)
            arrays[f"n_links_{i}"] = [len(links) for links in layer.values()]
            arrays[f"links_{i}"] = np.array([link for links in layer.values() for link in links], dtype=np.int64)
        parameters = [self.m, self.ef_construction, self.ef]
        deleted = np.array(sorted(self.deleted), dtype=np.int64)
        docs = np.array(self.docs, dtype=np.int64)
        save_arrays(
            path, "HNSWIndex", vectors=self.vectors, parameters=parameters, docs=docs, deleted=deleted, **arrays
        )

    @classmethod
    def load(cls, path: str | PathLike) -> "HNSWIndex":
        """Read an index that `save` wrote. Raises ValueError where the file is none, OSError where there is no file."""
        arrays = load_arrays(path, "HNSWIndex")
        m, ef_construction, ef = arrays["parameters"].tolist()
        vectors = arrays["vectors"]
        index = cls(vectors[:0], m, ef_construction, ef)
        index.vectors, index.docs = vectors, arrays["docs"].tolist()
        index.deleted = set(arrays["deleted"].tolist())
        index.nodes = {doc: node for node, doc in enumerate(index.docs) if node not in index.deleted}
        for i in range(int(arrays["n_layers"])):
            ends = np.cumsum(arrays[f"n_links_{i}"])[:-1].astype(np.int64)
            links = [part.tolist() for part in np.split(arrays[f"links_{i}"], ends)]
            index.layers.append(dict(zip(arrays[f"nodes_{i}"].tolist(), links, strict=True)))
        index.entry = int(arrays["entry"]) if index.docs else None
        return index
