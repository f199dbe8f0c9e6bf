"""Compressing vectors: eight bits a number, then product quantization (Jégou, Douze & Schmid, Product quantization for
nearest neighbor search, 2011; "equation" below means one of that paper).

A vector of d numbers is cut into M subvectors of d/M; each is replaced by the number of the nearest of K codewords
learnt for its place. So codebooks have shape (M, K, d/M), codes (N, M), and N vectors take N · M bytes.
"""

from os import PathLike

import numpy as np

from ragteach.retrieval.arguments import at_least, between, matrix, require, vector
from ragteach.retrieval.exact import best
from ragteach.retrieval.kmeans import lloyd, nearest
from ragteach.retrieval.storage import load_arrays, save_arrays

N_ITER = 20  # of k-means; nanopq's and SciPy's default too


def quantize_int8(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Round each number to one of 255 steps from -127 to 127 times its dimension's scale.

    scale, shape (d,), is the dimension's greatest absolute value / 127, and 1 where all its values are 0; codes,
    shape (N, d) and type int8, are the nearest steps: codes · scale differs from vectors by scale / 2 at most. Raises
    ValueError where vectors is no matrix of finite numbers.
    """
    vectors = matrix("vectors", vectors).astype(float)
    scale = np.abs(vectors).max(axis=0, initial=0.0) / 127
    scale[scale == 0] = 1.0
    return np.clip(np.rint(vectors / scale), -127, 127).astype(np.int8), scale


def pq_train(vectors: np.ndarray, n_subspaces: int, n_codes: int, seed: int = 0) -> np.ndarray:
    """Learn n_codes codewords for each of n_subspaces subvectors by k-means: codebooks, shape (M, K, d/M).

    Raises ValueError where n_subspaces does not divide d, n_codes lies outside 1 to 256 (a code is one byte), or
    there are fewer vectors than codewords.
    """
    vectors = matrix("vectors", vectors)
    between("n_codes", n_codes, 1, 256)
    require(
        len(vectors) >= n_codes, f"vectors must hold at least n_codes = {n_codes} training vectors, not {len(vectors)}."
    )
    parts = subvectors(vectors, n_subspaces)
    origins = [part.mean(axis=0) for part in parts]  # from there, numbers are small, and so is their rounding
    return np.stack(
        [
            lloyd(part - origin, n_codes, N_ITER, seed + m, spherical=False) + origin
            for m, (part, origin) in enumerate(zip(parts, origins, strict=True))
        ]
    )


def pq_encode(vectors: np.ndarray, codebooks: np.ndarray) -> np.ndarray:
    """Give each subvector's nearest codeword (equation 8): codes, shape (N, M), type uint8.

    Raises ValueError where vectors and codebooks do not fit together.
    """
    vectors = matrix("vectors", vectors)
    codebooks = books(codebooks, vectors.shape[1])
    require(bool(np.isfinite(codebooks).all()), "codebooks must hold finite numbers.")
    parts = subvectors(vectors, len(codebooks))
    origins = codebooks.mean(axis=1)  # as in `pq_train`
    codes = [
        nearest(part - origin, book - origin, spherical=False)
        for part, book, origin in zip(parts, codebooks, origins, strict=True)
    ]
    return np.stack(codes, axis=1).astype(np.uint8)


def pq_distances(query: np.ndarray, codes: np.ndarray, codebooks: np.ndarray) -> np.ndarray:
    """Give the squared distance of the query, as it is, to each coded vector: shape (N,) (asymmetric, equation 13).

    The table holds the squared distance of each of the query's subvectors to each codeword; a vector's distance is
    the sum of M of its numbers. Raises ValueError where query, codes and codebooks do not fit together.
    """
    query = vector("query", query)
    codebooks = books(codebooks, len(query))
    codes = np.asarray(codes)
    fits = codes.ndim == 2 and codes.shape[1] == len(codebooks) and codes.dtype.kind in "iu"
    require(fits, f"codes must hold whole numbers, {len(codebooks)} for each vector.")
    n_codes = codebooks.shape[1]
    in_range = not codes.size or (0 <= codes.min() and codes.max() < n_codes)
    require(bool(in_range), f"codes must lie between 0 and {n_codes - 1}.")
    differences = codebooks - query.reshape(len(codebooks), 1, -1)
    table = np.einsum("mkd,mkd->mk", differences, differences)
    require(bool(np.isfinite(table).all()), "codebooks must hold finite numbers, at finite distances of the query.")
    return look_up(table, codes)


def pq_bytes(n: int, n_subspaces: int) -> int:
    """Give the bytes that n codes take, one for each subspace; the codebooks come on top, whatever n."""
    at_least("n", n, 0)
    at_least("n_subspaces", n_subspaces, 1)
    return n * n_subspaces


def subvectors(vectors: np.ndarray, n_subspaces: int) -> list[np.ndarray]:
    """Cut each vector into equal parts: arrays of shape (N, d/M). Raises ValueError where M does not divide d."""
    at_least("n_subspaces", n_subspaces, 1)
    dims = vectors.shape[1]
    require(
        dims % n_subspaces == 0, f"n_subspaces must divide the vectors' {dims} dimensions, and {n_subspaces} does not."
    )
    return [np.ascontiguousarray(part) for part in np.split(vectors, n_subspaces, axis=1)]


def books(codebooks: np.ndarray, dims: int) -> np.ndarray:
    """Give codebooks as an array. Raises ValueError unless it has shape (M, K, d/M) and holds numbers."""
    codebooks = np.asarray(codebooks)
    fits = codebooks.ndim == 3 and codebooks.shape[0] * codebooks.shape[2] == dims and codebooks.dtype.kind in "iuf"
    require(fits, f"codebooks must hold numbers in shape (M, K, {dims}/M), not {codebooks.shape}.")
    return codebooks


def look_up(table: np.ndarray, codes: np.ndarray) -> np.ndarray:
    """Add up, for each row of codes (N, M), the M numbers of the table (M, K) that its codes point to: shape (N,)."""
    sums = np.zeros(len(codes), dtype=table.dtype)
    for row, column in zip(table, codes.T, strict=True):
        sums += row.take(column)
    return sums


class PQIndex:
    """Codes of vectors, searched by asymmetric distance; the vectors themselves are not kept.

    codes has shape (N, M), codebooks (M, K, d/M). n_distances counts the distances that searches looked up.
    """

    def __init__(self, vectors: np.ndarray, n_subspaces: int, n_codes: int = 256, seed: int = 0) -> None:
        """Learn codebooks from vectors of shape (N, d) and code these; row i is document i.

        Raises ValueError as `pq_train` does.
        """
        self.codebooks = pq_train(vectors, n_subspaces, n_codes, seed)
        # Column by column in memory: a search reads all first codes, then all second ones.
        self.codes = np.asfortranarray(pq_encode(vectors, self.codebooks))
        self.n_distances = 0

    def search(self, query: np.ndarray, k: int) -> list[int]:
        """Return the k documents of least squared distance, nearest first; ties: lower number first.

        Raises ValueError where k < 1 or the query has not shape (d,).
        """
        at_least("k", k, 1)
        self.n_distances += len(self.codes)
        return best(-pq_distances(query, self.codes, self.codebooks), k).tolist()

    def save(self, path: str | PathLike) -> None:
        """Write the index to one .npz file."""
        save_arrays(path, "PQIndex", codebooks=self.codebooks, codes=self.codes)

    @classmethod
    def load(cls, path: str | PathLike) -> "PQIndex":
        """Read an index that `save` wrote. Raises ValueError where the file is none, OSError where there is no file."""
        arrays = load_arrays(path, "PQIndex")
        index = cls.__new__(cls)
        index.codebooks, index.codes, index.n_distances = arrays["codebooks"], arrays["codes"], 0
        return index
