"""Distances and recall of an HNSW search from 1,000 to 100,000 vectors: what chapter 08 draws, and how it was measured.

    python -m ragteach.explore.hnsw_growth

builds the graph of 100,000 vectors again, in some minutes, and prints what stands in MEASURED. Counts do not depend on
the machine, but for a rounding that may turn a near tie.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from ragteach.corpus.vectors import clustered_vectors, random_vectors
from ragteach.retrieval.exact import ann_recall
from ragteach.retrieval.hnsw import descend, random_level, squared_distances
from ragteach.retrieval.hnsw_build import insert_into

SIZES = (1_000, 3_000, 10_000, 30_000, 100_000)
MAKERS = {"clustered": clustered_vectors, "random": random_vectors}
DIMS, N_QUERIES, K = 16, 100, 10
M, EF_CONSTRUCTION, EF = 8, 32, 40

# kind -> (distances a query, recall@10) for each of SIZES
MEASURED: dict[str, list[tuple[float, float]]] = {
    "clustered": [(182.4, 1.0), (137.1, 1.0), (192.1, 1.0), (293.8, 0.981), (392.1, 0.975)],
    "random": [(336.5, 0.995), (426.4, 0.983), (497.8, 0.968), (547.0, 0.939), (588.4, 0.903)],
}


def measure(kind: str, sizes: Sequence[int] = SIZES) -> Iterator[tuple[float, float]]:
    """Grow one graph, and at each size give the distances that a query needs and its recall@10, means of 100 queries.

    Raises ValueError for another kind than "clustered" and "random".
    """
    if kind not in MAKERS:
        raise ValueError(f"kind must be one of {', '.join(MAKERS)}, not {kind!r}.")
    vectors, queries = MAKERS[kind](sizes[-1], DIMS, N_QUERIES)
    levels = [random_level(u, M) for u in 1 - np.random.default_rng(0).random(len(vectors))]
    counted = 0

    def distances(ids: Sequence[int], point: np.ndarray) -> np.ndarray:
        nonlocal counted
        counted += len(ids)
        return squared_distances(vectors, ids, point)

    layers, entry = [], None
    for node, level in enumerate(levels):
        entry = insert_into(distances, vectors, layers, entry, node, level, M, EF_CONSTRUCTION)
        if node + 1 in sizes:
            counted, recalls = 0, []
            for query in queries:
                found = [other for _, other in descend(distances, layers, entry, query, EF)[:K]]
                exact = np.argsort(((vectors[: node + 1] - query) ** 2).sum(axis=1), kind="stable")[:K]
                recalls.append(ann_recall(found, exact.tolist()))
            yield counted / len(queries), float(np.mean(recalls))


def main() -> None:
    for kind in MAKERS:
        print(kind, [(round(n, 1), round(recall, 3)) for n, recall in measure(kind)])


if __name__ == "__main__":
    main()
