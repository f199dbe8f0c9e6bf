"""Vectors that the tests and the benchmarks of exact search, IVF, PQ and HNSW share."""

import numpy as np


def make(kind: str, n: int, dims: int, n_queries: int, seed: int = 0) -> tuple[np.ndarray, np.ndarray]:
    """Draw n vectors and some queries of norm 1: "random" ones (the hard case) or "clustered" ones (64 clusters)."""
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(n + n_queries, dims))
    if kind == "clustered":
        centres = rng.normal(size=(64, dims))
        points = centres[rng.integers(0, 64, n + n_queries)] + 0.35 * points
    points = (points / np.linalg.norm(points, axis=1, keepdims=True)).astype(np.float32)
    return points[:n], points[n:]


def exact(vectors: np.ndarray, queries: np.ndarray, k: int = 10) -> list[list[int]]:
    """Give each query's k nearest vectors, found without a line of the project."""
    return np.argsort(-(queries @ vectors.T), axis=1, kind="stable")[:, :k].tolist()


def recall(found: list[list[int]], expected: list[list[int]]) -> float:
    """Give the mean share of the expected that was found."""
    return float(np.mean([len(set(a) & set(b)) / len(b) for a, b in zip(found, expected, strict=True)]))


def lsa(name: str, dims: int) -> tuple[np.ndarray, np.ndarray]:
    """Give the LSA vectors of a collection's documents and of its queries: not random, not clean clusters either."""
    import shared_data

    from ragteach.retrieval.lsa_index import LSAIndex

    collection = shared_data.read(name)
    index = LSAIndex([shared_data.words(text) for text in collection.documents.values()], dims)
    queries = index.embed([shared_data.words(text) for text in collection.queries.values()])
    vectors = index.embeddings[index.embeddings.any(axis=1)]  # two documents are empty
    return vectors.astype(np.float32), queries.astype(np.float32)


EFS = (10, 20, 40, 80, 160)
DENSE_EFS = (10, 12, 14, 17, 20, 26, 32, 40, 60, 80, 120, 160, 240)  # few enough gaps to interpolate


def hnsw_curve(
    index, queries: np.ndarray, expected: list[list[int]], efs: tuple[int, ...] = DENSE_EFS
) -> list[tuple[float, float]]:
    """Give (distances a query, recall@10) of an HNSWIndex for each ef."""
    curve = []
    for index.ef in efs:
        index.n_distances = 0
        found = [index.search(query, 10) for query in queries]
        curve.append((index.n_distances / len(queries), recall(found, expected)))
    return curve


def faiss_curve(
    vectors: np.ndarray, queries: np.ndarray, expected: list[list[int]], m: int = 16, ef_construction: int = 100
) -> list[tuple[float, float]]:
    """Give (distances a query, recall@10) of FAISS's HNSW for each ef of EFS."""
    import faiss

    index = faiss.IndexHNSWFlat(vectors.shape[1], m)
    index.hnsw.efConstruction = ef_construction
    index.add(vectors)
    curve = []
    for index.hnsw.efSearch in EFS:
        faiss.cvar.hnsw_stats.reset()
        found = index.search(queries, 10)[1].tolist()
        curve.append((faiss.cvar.hnsw_stats.ndis / len(queries), recall(found, expected)))
    return curve


def gaps(ours: list[tuple[float, float]], theirs: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """Give (distances, our recall less theirs) at each of their points, or at the nearest that both curves reach.

    Between a curve's points it is taken as straight.
    """
    (x, y), (peer_x, peer_y) = (zip(*curve, strict=True) for curve in (ours, theirs))
    at = np.clip(peer_x, max(x[0], peer_x[0]), min(x[-1], peer_x[-1]))
    return list(zip(at, np.interp(at, x, y) - np.interp(at, peer_x, peer_y), strict=True))
