"""Sets of vectors on which to measure exact and approximate searches: random, clustered, and of real texts.

Each comes with queries of its own kind, which are not among the vectors. The same seed makes the same set; with the
same dims and seed, a smaller set is the beginning of a larger one, and both have the same queries, so that only the
size changes from 1,000 vectors to 100,000.
"""

from collections.abc import Callable, Sequence

import numpy as np

# Each kind of draw has its own stream of random numbers: [seed, VECTORS] does not move when [seed, QUERIES] does.
VECTORS, QUERIES, CENTRES, VECTOR_CLUSTERS, QUERY_CLUSTERS = range(5)


def random_vectors(n: int, dims: int = 64, n_queries: int = 100, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Draw directions that have nothing in common: the hard case, where no vector has near neighbours.

    Returns vectors of shape (n, dims) and queries (n_queries, dims), float32, rows of norm 1. Raises ValueError where
    n, dims or n_queries is below 1.
    """
    _check(n=n, dims=dims, n_queries=n_queries)
    return _unit(_normal(n, dims, seed, VECTORS)), _unit(_normal(n_queries, dims, seed, QUERIES))


def clustered_vectors(
    n: int, dims: int = 64, n_queries: int = 100, n_clusters: int = 64, spread: float = 0.35, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Draw vectors around `n_clusters` centres: the easy case, where cells follow the data.

    A vector is its centre plus `spread` times a random vector as long as the centre: 0 puts all on the centres, 1
    leaves little of the clusters. Returns vectors of shape (n, dims) and queries (n_queries, dims), float32, rows of
    norm 1. Raises ValueError where n, dims, n_queries or n_clusters is below 1, or spread is negative.
    """
    _check(n=n, dims=dims, n_queries=n_queries, n_clusters=n_clusters)
    if not spread >= 0:
        raise ValueError(f"spread must not be negative, and is {spread}.")
    centres = _normal(n_clusters, dims, seed, CENTRES)

    def around_centres(count: int, clusters: int, stream: int) -> np.ndarray:
        drawn = np.random.default_rng([seed, clusters]).random(count)  # one number a vector, for any count
        return _unit(
            centres[(drawn * n_clusters).astype(int)] + np.float32(spread) * _normal(count, dims, seed, stream)
        )

    return around_centres(n, VECTOR_CLUSTERS, VECTORS), around_centres(n_queries, QUERY_CLUSTERS, QUERIES)


def text_vectors(
    texts: Sequence[str], embed: Callable[[list[str]], np.ndarray], n_queries: int = 100, seed: int = 0
) -> tuple[np.ndarray, np.ndarray]:
    """Embed real texts, and set some of them aside as queries: what indexes are made for.

    `embed` gives a list of texts their vectors, one row each. A text that comes twice is taken once, and one without
    a vector (a row of zeros) is left out. Returns vectors of shape (n, dims) and queries (n_queries, dims), float32,
    rows of norm 1, where n is what the queries leave. Raises ValueError where n_queries is below 1 or leaves nothing,
    or embed does not give one row of finite numbers a text.
    """
    _check(n_queries=n_queries)
    distinct = list(dict.fromkeys(texts))
    rows = np.asarray(embed(distinct), dtype=np.float32)
    if rows.ndim != 2 or len(rows) != len(distinct) or not np.isfinite(rows).all():
        raise ValueError(f"embed must give one row of finite numbers for each of the {len(distinct)} texts.")
    rows = rows[rows.any(axis=1)]
    if n_queries >= len(rows):
        raise ValueError(f"n_queries must be smaller than the number of texts, {len(rows)}, and is {n_queries}.")
    order = np.random.default_rng([seed, QUERIES]).permutation(len(rows))
    return _unit(rows[np.sort(order[n_queries:])]), _unit(rows[order[:n_queries]])


def _normal(count: int, dims: int, seed: int, stream: int) -> np.ndarray:
    return np.random.default_rng([seed, stream]).standard_normal((count, dims), dtype=np.float32)


def _unit(rows: np.ndarray) -> np.ndarray:
    return rows / np.linalg.norm(rows, axis=1, keepdims=True)


def _check(**counts: int) -> None:
    for name, count in counts.items():
        if count < 1:
            raise ValueError(f"{name} must be at least 1, not {count}.")
