"""Comparing vectors: cosine, dense search, and the scores that trained encoders are made with."""

from collections.abc import Sequence
from math import log

import numpy as np

from ragteach.retrieval.arguments import at_least, between, matrix, require, vector


def cosine(u: np.ndarray, v: np.ndarray) -> float:
    """Give the cosine of the angle between two vectors: u·v / (‖u‖ ‖v‖), inside [-1, 1].

    0.0 where either is the zero vector: it points nowhere, and 0/0 would be nan. u and v have shape (d,). Raises
    ValueError where they are not vectors of finite numbers of the same length.
    """
    u, v = vector("u", u), vector("v", v)
    require(len(u) == len(v), f"u and v must have the same length, not {len(u)} and {len(v)}.")
    return float(np.clip(unit_rows(u[np.newaxis])[0] @ unit_rows(v[np.newaxis])[0], -1, 1))


def squared_distance(cos: float) -> float:
    """Give ‖u - v‖² = 2 - 2 cos for unit vectors u and v, cos being their cosine (theorem 2).

    So the nearest vectors are those of the largest cosine. Raises ValueError where cos lies outside [-1, 1].
    """
    between("cos", cos, -1, 1)
    return 2 - 2 * float(cos)


def unit_rows(vectors: np.ndarray) -> np.ndarray:
    """Divide each row by its norm; a row of zeros stays as it is. Takes and returns shape (n, d)."""
    # First by its largest value: the squares of very large or very small numbers would leave the range of floats.
    largest = np.maximum(vectors.max(axis=1, initial=0), -vectors.min(axis=1, initial=0))
    scaled = vectors / np.where(largest > 0, largest, 1)[:, np.newaxis]
    norms = np.linalg.norm(scaled, axis=1)
    scaled /= np.where(norms > 0, norms, 1)[:, np.newaxis]
    return scaled


def dense_search(query: np.ndarray, embeddings: np.ndarray, k: int = 3) -> list[int]:
    """Return the k documents whose embeddings have the largest cosine with the query, best first.

    query has shape (d,) and embeddings (N, d); neither need be normalised. A zero vector has cosine 0 with all.
    Ties: lower number first. Raises ValueError where k < 1, the shapes do not fit, or a value is nan or infinite.
    """
    query, embeddings = vector("query", query), matrix("embeddings", embeddings)
    at_least("k", k, 1)
    require(
        len(query) == embeddings.shape[1],
        f"query must have as many values as a row of embeddings ({embeddings.shape[1]}), not {len(query)}.",
    )
    units = unit_rows(embeddings.astype(float, copy=False))  # in float32 equal documents would not tie
    return rank(units @ unit_rows(query[np.newaxis])[0], k)


def rank(cosines: np.ndarray, k: int) -> list[int]:
    """Return the positions of the k largest cosines, largest first; ties: lower position first."""
    # Equal vectors must tie, but a matrix product may round the same row differently at another place of the
    # matrix: the last digits are dropped before the comparison.
    return np.argsort(-np.round(cosines, 12), kind="stable")[:k].tolist()


def info_nce(scores: Sequence[float], positive: int, temperature: float = 0.05) -> float:
    """Give the loss that trains a bi-encoder: -ln(e^(s⁺/τ) / Σ e^(s/τ)), with τ the temperature.

    scores compares a question with one relevant passage, number `positive`, and with passages that are not: small
    where the relevant one scores well above the others. The largest score is taken off all of them first, which
    changes nothing but keeps the exponentials finite. InfoNCE: van den Oord et al., 2018; for passages: Karpukhin
    et al., Dense Passage Retrieval, 2020, equation 2. Raises ValueError where temperature is not above 0, positive
    is no position in scores, or a score is nan or infinite.
    """
    values = vector("scores", scores)
    require(0 < temperature < np.inf, f"temperature must be a finite number above 0, not {temperature}.")
    require(0 <= positive < len(values), f"positive must be a position in the {len(values)} scores, not {positive}.")
    logits = (values - values.max()) / temperature
    return log(np.exp(logits).sum()) - float(logits[positive])


def maxsim(query_vectors: np.ndarray, doc_vectors: np.ndarray) -> float:
    """Score a document by late interaction: for each vector of the query its best inner product, summed.

    query_vectors has shape (m, d) and doc_vectors (n, d), one row a token; ColBERT normalises them, so that inner
    products are cosines (Khattab & Zaharia, 2020, equation 3). Raises ValueError where doc_vectors has no row or
    the dimensions differ.
    """
    query_vectors, doc_vectors = matrix("query_vectors", query_vectors), matrix("doc_vectors", doc_vectors)
    require(len(doc_vectors) > 0, "doc_vectors must hold at least one vector.")
    dims, doc_dims = query_vectors.shape[1], doc_vectors.shape[1]
    require(dims == doc_dims, f"query_vectors and doc_vectors must have the same dimension, not {dims} and {doc_dims}.")
    return float((query_vectors @ doc_vectors.T).max(axis=1).sum())


def index_bytes(n: int, dims: int, bytes_per_value: int = 4) -> int:
    """Give the memory that n vectors of `dims` values take, in bytes; 4 bytes a value is float32.

    Raises ValueError where n is negative, or dims or bytes_per_value is below 1.
    """
    at_least("n", n, 0)
    at_least("dims", dims, 1)
    at_least("bytes_per_value", bytes_per_value, 1)
    return n * dims * bytes_per_value
