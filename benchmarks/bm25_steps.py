"""The steps of chapter 02, one by one, on public collections: what the lesson tells about a larger scale.

    python benchmarks/bm25_steps.py

Prints recall@1 and MRR over the whole ranking. Skips a collection that is not there.
"""

import re
import sys
from collections.abc import Callable
from math import log
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "tests"))
import shared_data  # noqa: E402

from ragteach.retrieval.bm25 import idf, inverted_index, term_weight  # noqa: E402
from ragteach.retrieval.text import tokenize  # noqa: E402

Weigh = Callable[[int, int, int, int, float], float]
"""Weighs one posting: (documents, document frequency, term frequency, document length, average length)."""


def stop_words(lang: str) -> set[str]:
    """Read the stop list of the lesson itself."""
    source = (ROOT / "course" / lang / "02_bm25" / "lesson.py").read_text(encoding="utf-8")
    return set(tokenize(re.search(r'STOP_WORDS = """(.*?)"""', source, re.DOTALL)[1]))


def steps(lang: str) -> dict[str, tuple[Callable[[str], list[str]], bool, Weigh]]:
    """Give each step: its tokens, whether a repeated word of the query counts each time, how a posting is weighed."""
    stop = stop_words(lang)

    def raw(text: str) -> list[str]:
        return text.lower().split()

    def content(text: str) -> list[str]:
        return [token for token in tokenize(text) if token not in stop]

    def bm25(n_docs: int, doc_freq: int, tf: int, length: int, average: float) -> float:
        return idf(n_docs, doc_freq) * term_weight(tf, length, average)

    return {
        "shared words, raw": (raw, False, lambda *_: 1),
        "shared words, good tokens": (tokenize, False, lambda *_: 1),
        "idf without the + 1": (tokenize, False, lambda n, df, *_: log((n - df + 0.5) / (df + 0.5))),
        "idf": (tokenize, False, lambda n, df, *_: idf(n, df)),
        "BM25": (tokenize, True, bm25),
        "BM25 without stop words": (content, True, bm25),
    }


def measure(collection: shared_data.Collection, cut: Callable, repeats: bool, weigh: Weigh) -> tuple[float, float]:
    """Give recall@1 and MRR of one step, both means over the queries."""
    ids = list(collection.documents)
    documents = [cut(text) for text in collection.documents.values()]
    lengths = [len(document) for document in documents]
    average = sum(lengths) / len(lengths)
    index = inverted_index(documents)
    relevant: dict[str, set[str]] = {}
    for query, document, gain in collection.qrels:
        relevant.setdefault(query, set()).update([document] if gain > 0 else [])
    recalls, reciprocal_ranks = [], []
    for query, text in collection.queries.items():
        scores: dict[int, float] = {}
        for token in cut(text) if repeats else set(cut(text)):
            postings = index.get(token, [])
            for doc, tf in postings:
                weight = weigh(len(ids), len(postings), tf, lengths[doc], average)
                scores[doc] = scores.get(doc, 0.0) + weight
        ranking = sorted((doc for doc in scores if scores[doc] > 0), key=lambda doc: (-scores[doc], doc))
        hits = [rank for rank, doc in enumerate(ranking, start=1) if ids[doc] in relevant[query]]
        recalls.append((hits[:1] == [1]) / max(len(relevant[query]), 1))
        reciprocal_ranks.append(1 / hits[0] if hits else 0.0)
    return sum(recalls) / len(recalls), sum(reciprocal_ranks) / len(reciprocal_ranks)


def main() -> None:
    for name, lang in (("piaf", "fr"), ("cranfield", "en")):
        if reason := shared_data.absent(name):
            print(reason)
            continue
        collection = shared_data.read(name)
        print(f"{name}: {len(collection.documents)} documents, {len(collection.queries)} questions")
        for step, (cut, repeats, weigh) in steps(lang).items():
            recall, mrr = measure(collection, cut, repeats, weigh)
            print(f"  {step:<28} recall@1 {recall:.3f}   MRR {mrr:.3f}")


if __name__ == "__main__":
    main()
