"""Search beside what is known of it: the time of LSA, and the scores of BM25, LSA and their fusion.

    python benchmarks/search.py [--rounds 3]

One thread. The two makers of embeddings take turns, so that a busy machine slows both alike: read the ratios, and
the processor's time rather than the clock's.
"""

import argparse
import os
import statistics
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from time import perf_counter, process_time

os.environ.update(OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1")  # before NumPy is loaded

from sklearn.decomposition import TruncatedSVD  # noqa: E402
from sklearn.feature_extraction.text import TfidfVectorizer  # noqa: E402
from sklearn.preprocessing import normalize  # noqa: E402

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests"))
import search_scores  # noqa: E402
import shared_data  # noqa: E402

from ragteach.retrieval.lsa_index import LSAIndex  # noqa: E402

DIMS = 300


def scikit_learn_embeddings(documents: list[list[str]]) -> object:
    """Do with scikit-learn, on a sparse matrix, what LSAIndex does when it is built."""
    vectorizer = TfidfVectorizer(
        sublinear_tf=True, tokenizer=lambda tokens: tokens, lowercase=False, token_pattern=None
    )
    rows = vectorizer.fit_transform(documents)
    return normalize(TruncatedSVD(DIMS, algorithm="arpack").fit_transform(rows))


MAKERS: dict[str, Callable] = {
    "LSAIndex": lambda documents: LSAIndex(documents, DIMS),
    "scikit-learn, arpack": scikit_learn_embeddings,
}


def time_lsa(rounds: int) -> None:
    documents = [shared_data.words(text) for text in shared_data.read("cranfield").documents.values()]
    clock: dict[str, list[float]] = {name: [] for name in MAKERS}
    processor: dict[str, list[float]] = {name: [] for name in MAKERS}
    for _ in range(rounds):
        for name, make in MAKERS.items():
            start = perf_counter(), process_time()
            make(documents)
            clock[name].append(perf_counter() - start[0])
            processor[name].append(process_time() - start[1])
    print(f"LSA, {DIMS} dimensions, Cranfield ({len(documents)} documents): from tokens to embeddings, {rounds} rounds")
    print(f"{'':24}{'clock, least':>14}{'median':>10}{'processor, least':>20}{'median':>10}")
    for name in MAKERS:
        times = (
            min(clock[name]),
            statistics.median(clock[name]),
            min(processor[name]),
            statistics.median(processor[name]),
        )
        print(f"{name:24}{times[0]:12.2f} s{times[1]:8.2f} s{times[2]:18.2f} s{times[3]:8.2f} s")
    ours, theirs = (statistics.median(processor[name]) for name in MAKERS)
    print(f"LSAIndex takes {ours / theirs:.2f} of scikit-learn's processor time.\n")


def print_scores() -> None:
    print(f"{'':36}" + "".join(f"{metric:>18}" for metric in search_scores.METRICS) + f"{'largest gap':>14}")
    read = ""
    for (name, system), expected in search_scores.EXPECTED.items():
        if name != read:
            collection, read = shared_data.read(name), name
            searches = search_scores.Searches(collection)
        got = search_scores.scores(collection, partial(searches.search, system))
        cells = "".join(f"{value:9.4f} ({known:.4f})" for value, known in zip(got, expected, strict=True))
        gap = max(abs(value - known) for value, known in zip(got, expected, strict=True))
        print(f"{name + ', ' + system:36}{cells}{gap:14.4f}", flush=True)
    print("In brackets: the score measured independently of this project. nDCG with linear gains, as trec_eval.")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--rounds", type=int, default=3, help="how often each library builds its embeddings")
    arguments = parser.parse_args()
    if missing := [reason for name in shared_data.COLLECTIONS if (reason := shared_data.absent(name))]:
        parser.exit(1, "\n".join(missing) + "\n")
    time_lsa(arguments.rounds)
    print_scores()


if __name__ == "__main__":
    main()
