"""Exact search: measure every vector. What approximate indexes are held to, and where to start."""

from collections.abc import Iterable, Sequence
from os import PathLike

import numpy as np

from ragteach.retrieval.arguments import at_least, matrix, require, vector
from ragteach.retrieval.storage import load_arrays, save_arrays


def exact_search(vectors: np.ndarray, query: np.ndarray, k: int) -> list[int]:
    """Return the k vectors of greatest inner product with the query, best first; ties: lower number first.

    vectors has shape (N, d), query (d,). Fewer than k come back where N < k. Raises ValueError where k < 1, the
    shapes do not fit or a number is not finite.
    """
    at_least("k", k, 1)
    return best(inner_products(vectors, query), k).tolist()


def filtered_search(vectors: np.ndarray, query: np.ndarray, k: int, allowed: Iterable[int]) -> list[int]:
    """Return the k best of the allowed documents only, best first: k of them, where as many are allowed.

    The filter comes before the search: to search first and filter the k results would lose some of them. allowed
    holds numbers of rows of vectors. Raises ValueError where one is not such a number, or as `exact_search` does.
    """
    at_least("k", k, 1)
    vectors = rows("vectors", vectors)
    ids = np.array(sorted(set(allowed)))
    if ids.size == 0:
        return []
    numbers = ids.dtype.kind in "iu" and ids.ndim == 1  # a mask of truth values would be read as numbers 0 and 1
    require(numbers, "allowed must hold numbers of documents.")
    require(0 <= ids[0] and ids[-1] < len(vectors), f"allowed must hold numbers from 0 to {len(vectors) - 1} only.")
    return ids[best(inner_products(vectors[ids], query), k)].tolist()


def ann_recall(approximate: Sequence[int], exact: Sequence[int]) -> float:
    """Give the share of the exact results that the approximate ones hold; 1.0 where there is nothing to find.

    This is the recall@k of ann-benchmarks and FAISS, an overlap of two lists of k: not the recall of relevant
    documents, which needs judgements.
    """
    return len(set(approximate) & set(exact)) / len(set(exact)) if len(exact) else 1.0


def rows(name: str, values: object) -> np.ndarray:
    """Give the values as an array of shape (N, d), without looking at each number."""
    array = np.asarray(values)
    require(array.ndim == 2, f"{name} must have two dimensions, (rows, columns), not {array.ndim}.")
    require(array.dtype.kind in "biuf", f"{name} must hold numbers.")
    return array


def inner_products(vectors: np.ndarray, query: np.ndarray) -> np.ndarray:
    """Give the inner product of each row with the query: one product of a matrix and a vector, shape (N,)."""
    vectors, query = rows("vectors", vectors), vector("query", query)
    require(len(query) == vectors.shape[1], f"query must have {vectors.shape[1]} dimensions, not {len(query)}.")
    scores = vectors @ query.astype(np.result_type(vectors, np.float32), copy=False)
    # nan or infinity in a vector shows here: much cheaper than to look at all N · d numbers first.
    require(bool(np.isfinite(scores).all()), "vectors must hold finite numbers whose products are finite.")
    return scores


def best(scores: np.ndarray, k: int) -> np.ndarray:
    """Give the places of the k greatest scores, greatest first; ties: lower place first."""
    if k >= len(scores):
        return np.argsort(-scores, kind="stable")
    # Only what passes the k-th greatest score is sorted, and all that equals it, lest a tie be broken at random.
    bar = np.partition(scores, -k)[-k]
    passing = np.flatnonzero(scores >= bar)
    return passing[np.argsort(-scores[passing], kind="stable")[:k]]


class ExactIndex:
    """All vectors in one array, searched by inner product; the interface that every index has.

    vectors has shape (N, d), docs[i] is the document whose vector is row i, in increasing order. n_distances counts
    the inner products that searches computed.
    """

    def __init__(self, vectors: np.ndarray) -> None:
        """Index vectors of shape (N, d); row i is document i. Raises ValueError for another shape, nan or infinity."""
        self.vectors = np.array(matrix("vectors", vectors))
        self.docs = np.arange(len(self.vectors))
        self.n_distances = 0

    def search(self, query: np.ndarray, k: int) -> list[int]:
        """Return the k documents of greatest inner product, best first. Raises ValueError as `exact_search` does."""
        at_least("k", k, 1)
        self.n_distances += len(self.docs)
        return self.docs[best(inner_products(self.vectors, query), k)].tolist()

    def add(self, doc: int, new: np.ndarray) -> None:
        """Add a document's vector of shape (d,), in place of the one that it had.

        Raises ValueError for another shape or doc < 0.
        """
        point = vector("new", new)
        require(len(point) == self.vectors.shape[1], f"new must have {self.vectors.shape[1]} dimensions.")
        at_least("doc", doc, 0)
        if doc in self.docs:
            self.delete(doc)
        place = np.searchsorted(self.docs, doc)
        self.docs = np.insert(self.docs, place, doc)
        self.vectors = np.insert(self.vectors, place, point, axis=0)

    def delete(self, doc: int) -> None:
        """Delete a document, of which nothing stays. Raises ValueError where it is not there."""
        require(doc in self.docs, f"doc must be a document of the index, and {doc} is none.")
        place = np.searchsorted(self.docs, doc)
        self.docs = np.delete(self.docs, place)
        self.vectors = np.delete(self.vectors, place, axis=0)

    def save(self, path: str | PathLike) -> None:
        """Write the index to one .npz file."""
        save_arrays(path, "ExactIndex", vectors=self.vectors, docs=self.docs)

    @classmethod
    def load(cls, path: str | PathLike) -> "ExactIndex":
        """Read an index that `save` wrote. Raises ValueError where the file is none, OSError where there is no file."""
        arrays = load_arrays(path, "ExactIndex")
        index = cls(arrays["vectors"])
        index.docs = arrays["docs"]
        return index
