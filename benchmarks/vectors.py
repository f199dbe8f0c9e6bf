"""Exact search, k-means, IVF and PQ beside NumPy, FAISS and nanopq.

    python benchmarks/vectors.py [--rounds 7]

One thread. The two sides of each row take turns, and each row shows the least time of the processor that a side took
(not the clock's: other work on the machine would count too), and the ratio of ours to the peer's.
"""

import argparse
import os
import sys
from collections.abc import Callable
from pathlib import Path
from time import process_time

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # before NumPy is loaded

import faiss  # noqa: E402
import nanopq  # noqa: E402
import numpy as np  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import vector_sets  # noqa: E402

from ragteach.retrieval.exact import ExactIndex, exact_search  # noqa: E402
from ragteach.retrieval.ivf_index import IVFIndex  # noqa: E402
from ragteach.retrieval.kmeans import kmeans  # noqa: E402
from ragteach.retrieval.pq import pq_distances, pq_encode, pq_train  # noqa: E402

SETS = (("random", 20_000, 32), ("clustered", 20_000, 384))
N_CELLS = 64


def compare(name: str, ours: Callable[[], object], peer: Callable[[], object], bound: float, rounds: int) -> None:
    """Print a row: both times in ms, their ratio, and the bound that the ratio is to keep."""
    times: tuple[list[float], list[float]] = ([], [])
    for _ in range(rounds):
        for side, call in zip(times, (ours, peer), strict=True):
            start = process_time()
            call()
            side.append(process_time() - start)
    a, b = (min(side) * 1000 for side in times)
    print(f"{name:58}{a:10.2f}{b:10.2f}{a / b:8.2f}{bound:8.2f}", flush=True)


def exact_in_numpy(vectors: np.ndarray, query: np.ndarray, k: int) -> np.ndarray:
    scores = vectors @ query
    top = np.argpartition(scores, -k)[-k:]
    return top[np.argsort(-scores[top])]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=7)
    rounds = parser.parse_args().rounds
    faiss.omp_set_num_threads(1)
    print(f"{'':58}{'ours, ms':>10}{'peer, ms':>10}{'ratio':>8}{'bound':>8}")

    for kind, n, dims in SETS:
        vectors, queries = vector_sets.make(kind, n, dims, 1000)
        few, index = queries[:100], ExactIndex(vectors)
        name = f"{kind}, {n:,} x {dims}"
        for label, search in (("index", index.search), ("function", lambda q, k, v=vectors: exact_search(v, q, k))):
            compare(
                f"exact search, {label}, 100 queries, {name}",
                lambda search=search, few=few: [search(query, 10) for query in few],
                lambda vectors=vectors, few=few: [exact_in_numpy(vectors, query, 10) for query in few],
                1.2,
                rounds,
            )

        peer = faiss.Kmeans(dims, N_CELLS, niter=8, spherical=True, max_points_per_centroid=n)
        compare(
            f"k-means, {N_CELLS} cells, 8 rounds, {name}",
            lambda vectors=vectors: kmeans(vectors, N_CELLS),
            lambda vectors=vectors, peer=peer: peer.train(vectors),
            3,
            rounds,
        )

        centroids = kmeans(vectors, N_CELLS)
        quantizer = faiss.IndexFlatIP(dims)
        quantizer.add(centroids)
        flat = faiss.IndexIVFFlat(quantizer, dims, N_CELLS, faiss.METRIC_INNER_PRODUCT)
        flat.train(vectors)
        flat.add(vectors)
        ivf = IVFIndex(vectors, centroids)
        exact = vector_sets.exact(vectors, queries)
        for nprobe in (1, 2, 4, 8, 16, 32):
            ivf.nprobe = flat.nprobe = nprobe
            ivf.n_distances = 0
            ours = vector_sets.recall(ivf.search_batch(queries, 10), exact)
            theirs = vector_sets.recall(flat.search(queries, 10)[1].tolist(), exact)
            compare(
                f"IVF, nprobe {nprobe}, recall {ours:.3f} ({theirs:.3f}), {ivf.n_distances // 1000} distances, {kind}",
                lambda ivf=ivf, queries=queries: ivf.search_batch(queries, 10),
                lambda flat=flat, queries=queries: flat.search(queries, 10),
                2.5,
                rounds,
            )

    for n, dims, n_subspaces in ((10_000, 128, 16), (10_000, 384, 48)):
        vectors, queries = vector_sets.make("random", n, dims, 20)
        peer = nanopq.PQ(n_subspaces, 256, verbose=False)
        name = f"{n:,} x {dims}, {n_subspaces} bytes"
        compare(
            f"PQ training, 256 codewords, 20 rounds, {name}",
            lambda vectors=vectors, m=n_subspaces: pq_train(vectors, m, 256),
            lambda vectors=vectors, peer=peer: peer.fit(vectors),
            1.2,
            min(rounds, 3),
        )
        books = peer.codewords
        codes = pq_encode(vectors, books)
        compare(
            f"PQ distances, 20 queries, {name}",
            lambda codes=codes, books=books, queries=queries: [pq_distances(q, codes, books) for q in queries],
            lambda codes=codes, peer=peer, queries=queries: [peer.dtable(q).adist(codes) for q in queries],
            0.5,
            rounds,
        )


if __name__ == "__main__":
    main()
