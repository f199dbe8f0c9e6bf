"""Scores of our searches on public collections, by our own metrics; read by tests and by benchmarks/search.py."""

from collections.abc import Callable
from math import log2

import shared_data

from ragteach.retrieval.bm25_index import BM25Index
from ragteach.retrieval.fusion import rrf
from ragteach.retrieval.lsa_index import LSAIndex
from ragteach.retrieval.metrics import average_precision, ndcg, recall_at_k

METRICS = ("nDCG@10", "MAP", "recall@10", "recall@100")

# As measured independently of this project. nDCG has linear gains, as trec_eval.
EXPECTED = {
    ("cranfield", "BM25"): (0.4947, 0.3869, 0.4204, 0.7262),
    ("cranfield", "LSA 100"): (0.4615, 0.3951, 0.4247, 0.7890),
    ("cranfield", "LSA 200"): (0.5055, 0.4169, 0.4473, 0.7791),
    ("cranfield", "LSA 300"): (0.5229, 0.4292, 0.4557, 0.7707),
    ("cranfield", "RRF of BM25 and LSA 300"): (0.5174, 0.4118, 0.4457, 0.7610),
    ("cisi", "BM25"): (0.3496, 0.1882, 0.1213, 0.4121),
    ("cisi", "LSA 300"): (0.3443, 0.1885, 0.1068, 0.4275),
    ("piaf", "BM25"): (0.7787, 0.7493, 0.8793, 0.9455),
    ("piaf", "LSA 200"): (0.7128, 0.6677, 0.8662, 0.9546),
}
DEPTH = 1000
FUSION_DEPTH = 100

Search = Callable[[list[str]], list[int]]


class Searches:
    """The searches of one collection by name, each built when it is first asked for."""

    def __init__(self, collection: shared_data.Collection) -> None:
        self.documents = [shared_data.words(text) for text in collection.documents.values()]
        self.indexes: dict[str, BM25Index | LSAIndex] = {}

    def search(self, name: str, query: list[str], k: int = DEPTH) -> list[int]:
        """Search by "BM25", "LSA <dims>" or "RRF of <name> and <name>"."""
        if name.startswith("RRF of "):
            members = name.removeprefix("RRF of ").split(" and ")
            return rrf([self.search(member, query, FUSION_DEPTH) for member in members])
        if name not in self.indexes:
            dims = name.removeprefix("LSA ")
            self.indexes[name] = BM25Index(self.documents) if name == "BM25" else LSAIndex(self.documents, int(dims))
        return self.indexes[name].search(query, k)


def judgements(collection: shared_data.Collection) -> dict[str, dict[int, int]]:
    """Map each query to the grades of its judged documents, by document number."""
    numbers = {id_: number for number, id_ in enumerate(collection.documents)}
    judged: dict[str, dict[int, int]] = {}
    for query, document, gain in collection.qrels:
        judged.setdefault(query, {})[numbers[document]] = gain
    return judged


def linear(relevance: dict[int, int]) -> dict[int, float]:
    """Turn grades so that 2^rel - 1, our gain, becomes the grade itself, trec_eval's gain."""
    return {document: log2(1 + max(gain, 0)) for document, gain in relevance.items()}


def scores(collection: shared_data.Collection, search: Search) -> tuple[float, ...]:
    """Give the means of METRICS over the judged queries."""
    totals = [0.0] * len(METRICS)
    judged = judgements(collection)
    for query, text in collection.queries.items():
        ranking = search(shared_data.words(text))
        relevant = {document for document, gain in judged[query].items() if gain > 0}
        values = (
            ndcg(ranking, linear(judged[query]), 10),
            average_precision(ranking, relevant),
            recall_at_k(ranking, relevant, 10),
            recall_at_k(ranking, relevant, 100),
        )
        totals = [total + value for total, value in zip(totals, values, strict=True)]
    return tuple(total / len(collection.queries) for total in totals)
