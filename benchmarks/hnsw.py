"""HNSW beside FAISS: recall against distances; and beside HNSWs in pure Python: the time that building takes.

    python benchmarks/hnsw.py [--n 10000] [--queries 1000] [--ef-construction 100] [--python-n 1000]

One thread, times of the processor. hnsw-python is not on PyPI: it takes part where the environment variable
HNSW_PYTHON names the folder of its hnsw.py. So does tinyhnsw where it is installed (it asks for NumPy 1 but runs with
NumPy 2: pip install --no-deps tinyhnsw, and networkx and tqdm). Both are slow, hence --python-n.
"""

import argparse
import os
import sys
from collections.abc import Callable
from importlib.util import find_spec, module_from_spec, spec_from_file_location
from pathlib import Path
from time import process_time

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # before NumPy is loaded

import faiss  # noqa: E402
import numpy as np  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import vector_sets  # noqa: E402

from ragteach.retrieval.hnsw_index import HNSWIndex  # noqa: E402

M = 16


def show_curves(kind: str, dims: int, n: int, n_queries: int, ef_construction: int) -> None:
    vectors, queries = vector_sets.make(kind, n, dims, n_queries)
    exact = vector_sets.exact(vectors, queries)
    start = process_time()
    index = HNSWIndex(vectors, M, ef_construction)
    seconds = process_time() - start
    print(
        f"\n{kind}, {n:,} x {dims}, M = {M}, efConstruction = {ef_construction}: built in {seconds:.1f} s of processor"
    )
    print(f"time, {index.n_build_distances / n:,.0f} distances a node")
    ours = vector_sets.hnsw_curve(index, queries, exact)
    theirs = vector_sets.faiss_curve(vectors, queries, exact, M, ef_construction)
    print(f"{'ef':>4}{'ours':>8}{'distances':>11}{'FAISS':>8}{'distances':>11}{'ours - FAISS at equal distances':>34}")
    by_ef = dict(zip(vector_sets.DENSE_EFS, ours, strict=True))
    for ef, (peer_n, peer), (at, gap) in zip(vector_sets.EFS, theirs, vector_sets.gaps(ours, theirs), strict=True):
        n_distances, recall = by_ef[ef]
        print(f"{ef:>4}{recall:8.4f}{n_distances:11.0f}{peer:8.4f}{peer_n:11.0f}{gap:+24.4f} at {at:5.0f}")


def hnsw_python(vectors: np.ndarray, ef_construction: int) -> None:
    spec = spec_from_file_location("hnsw_python", Path(os.environ["HNSW_PYTHON"]) / "hnsw.py")
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    graph = module.HNSW("l2", m=M, ef=ef_construction)
    # Its own function of this name prints every list of distances before it returns it.
    graph.vectorized_distance = lambda x, ys: [graph.distance_func(x, y) for y in ys]
    for vector in vectors:
        graph.add(vector)


def tinyhnsw(vectors: np.ndarray, ef_construction: int) -> None:
    from tinyhnsw.hnsw import HNSWConfig, HNSWIndex

    config = HNSWConfig(M, M, 2 * M, 1 / np.log(M), ef_construction, ef_construction, neighbors="heuristic")
    HNSWIndex(vectors.shape[1], "l2", config).add(vectors)


def time_python(n: int, ef_construction: int) -> None:
    vectors, _ = vector_sets.make("random", n, 32, 0)
    builders: dict[str, Callable] = {"ours": lambda v, ef: HNSWIndex(v, M, ef)}
    builders |= {"hnsw-python": hnsw_python} if "HNSW_PYTHON" in os.environ else {}
    builders |= {"tinyhnsw": tinyhnsw} if find_spec("tinyhnsw") else {}
    print(f"\nBuilding {n:,} x 32, M = {M}, efConstruction = {ef_construction}, processor time")
    base = None
    for name, builder in builders.items():
        start = process_time()
        builder(vectors, ef_construction)
        seconds = process_time() - start
        base = base or seconds
        print(f"{name:14}{seconds:8.1f} s{seconds / base:8.1f} times ours", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--n", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=1000)
    parser.add_argument("--ef-construction", type=int, default=100)
    parser.add_argument("--python-n", type=int, default=1000)
    arguments = parser.parse_args()
    faiss.omp_set_num_threads(1)
    for kind, dims in (("random", 32), ("clustered", 384)):
        show_curves(kind, dims, arguments.n, arguments.queries, arguments.ef_construction)
    time_python(arguments.python_n, arguments.ef_construction)


if __name__ == "__main__":
    main()
