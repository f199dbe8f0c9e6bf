"""BM25 beside its peers: speed and memory of BM25Index, then its scores on public collections.

    python benchmarks/bm25.py [--docs 100000] [--queries 60]

The libraries take turns, query by query, so that a busy machine slows all of them alike: read the ratios.
"""

import argparse
import statistics
import sys
from collections.abc import Callable
from pathlib import Path
from time import perf_counter

import bm25s
import numpy as np
from rank_bm25 import BM25Okapi

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import shared_data  # noqa: E402

from ragteach.retrieval.bm25_index import BM25Index  # noqa: E402

K = 10
DOC_LEN = 60
VOCABULARY = 50_000
QUERY_LEN = 4


class Bm25s:
    """bm25s with its NumPy backend, behind the calls that the other two have."""

    def __init__(self, documents: list[list[str]]) -> None:
        self.index = bm25s.BM25(method="lucene", k1=1.5, b=0.75, backend="numpy")
        self.index.index(documents, show_progress=False)

    def search(self, query: list[str]) -> object:
        return self.index.retrieve([query], k=K, show_progress=False, backend_selection="numpy")


def rank_bm25_search(index: BM25Okapi, query: list[str]) -> np.ndarray:
    """Return the k best documents as rank-bm25's get_top_n does, without fetching their texts."""
    return np.argsort(index.get_scores(query))[::-1][:K]


LIBRARIES: dict[str, tuple[Callable, Callable]] = {
    "BM25Index": (BM25Index, lambda index, query: index.search(query, K)),
    "rank-bm25": (BM25Okapi, rank_bm25_search),
    "bm25s": (Bm25s, lambda index, query: index.search(query)),
}


def seconds(function: Callable, *args: object) -> tuple[float, object]:
    start = perf_counter()
    result = function(*args)
    return perf_counter() - start, result


def zipf_corpus(n_docs: int, n_queries: int) -> tuple[list[list[str]], dict[str, list[list[str]]]]:
    """Make documents of Zipfian words, and queries of words as frequent as theirs, or drawn from the vocabulary."""
    rng = np.random.default_rng(0)
    probabilities = 1 / np.arange(1, VOCABULARY + 1)
    probabilities /= probabilities.sum()
    words = np.array([f"w{rank}" for rank in range(VOCABULARY)], dtype=object)
    documents = [list(row) for row in words[rng.choice(VOCABULARY, (n_docs, DOC_LEN), p=probabilities)]]
    frequent = [list(row) for row in words[rng.choice(VOCABULARY, (n_queries, QUERY_LEN), p=probabilities)]]
    rare = [list(row) for row in words[rng.choice(VOCABULARY, (n_queries, QUERY_LEN))]]
    return documents, {"frequent words": frequent, "any words": rare}


def print_speed(n_docs: int, n_queries: int) -> None:
    documents, query_sets = zipf_corpus(n_docs, n_queries)
    print(f"{n_docs:,} Zipfian documents of {DOC_LEN} words, queries of {QUERY_LEN} words, k = {K}")
    print(f"{'':34}" + "".join(f"{name:>12}" for name in LIBRARIES) + f"{'rank/ours':>12}{'bm25s/ours':>12}")

    def row(title: str, times: dict[str, float], unit: str, scale: float) -> None:
        ours, *peers = times.values()
        cells = "".join(f"{value * scale:>10.2f} {unit:<1}" for value in times.values())
        print(f"{title:34}{cells}" + "".join(f"{peer / ours:>11.1f}x" for peer in peers))

    indexes, build = {}, {name: [] for name in LIBRARIES}
    for _ in range(3):
        for name, (make, _search) in LIBRARIES.items():
            took, indexes[name] = seconds(make, documents)
            build[name].append(took)
    row("index, median of 3 (s)", {name: statistics.median(times) for name, times in build.items()}, "", 1)

    for kind, queries in query_sets.items():
        times = {name: [] for name in LIBRARIES}
        for query in queries:
            for name, (_make, search) in LIBRARIES.items():
                times[name].append(seconds(search, indexes[name], query)[0])
        row(f"query, {kind}, mean (ms)", {name: statistics.mean(t) for name, t in times.items()}, "", 1e3)
        row(f"query, {kind}, median (ms)", {name: statistics.median(t) for name, t in times.items()}, "", 1e3)

    print("\nmemory of BM25Index's arrays")
    for n in (n_docs // 4, n_docs // 2, n_docs):
        index = indexes["BM25Index"] if n == n_docs else BM25Index(documents[:n])
        n_bytes = sum(array.nbytes for array in (index.docs, index.weights, index.starts))
        n_postings = len(index.docs)
        print(f"{n:>10,} documents {n_postings:>12,} postings {n_bytes / n_postings:>7.2f} bytes a posting")


def print_scores() -> None:
    print("\nscores, with those measured independently of this project in brackets")
    for name in shared_data.COLLECTIONS:
        if reason := shared_data.absent(name):
            print(f"{name:10} not measured: {reason}")
            continue
        expected = shared_data.EXPECTED[name]
        got = shared_data.evaluate(name)
        print(f"{name:10}" + "  ".join(f"{key} {got[key]:.4f} ({value:.4f})" for key, value in expected.items()))


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--docs", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=60)
    arguments = parser.parse_args()
    print_speed(arguments.docs, arguments.queries)
    print_scores()
