"""Public test collections that lie outside the project: read where they are, never copied into it."""

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

SHARED = Path(os.environ.get("RAGTEACH_SHARED", Path(__file__).resolve().parents[2] / "shared"))
DATA = SHARED / "data"
COLLECTIONS = ("cranfield", "cisi", "piaf")

# BM25 over lower-case \w+ tokens, as measured independently of this project; nDCG has linear gains, as trec_eval.
EXPECTED = {
    "cranfield": {"nDCG@10": 0.4947, "AP": 0.3869, "R@10": 0.4204, "R@100": 0.7262},
    "cisi": {"nDCG@10": 0.3496, "AP": 0.1882, "R@10": 0.1213, "R@100": 0.4121},
    "piaf": {"nDCG@10": 0.7787, "AP": 0.7493, "R@10": 0.8793, "R@100": 0.9455},
}


@dataclass(frozen=True)
class Collection:
    """Documents and judged queries (id -> text), and judgements (query id, document id, gain)."""

    documents: dict[str, str]
    queries: dict[str, str]
    qrels: list[tuple[str, str, int]]


def absent(name: str) -> str:
    """Say why a collection cannot be read; empty where it can."""
    return "" if (DATA / name).is_dir() else f"{name} is not there: set RAGTEACH_SHARED to the folder that holds data/."


def read(name: str) -> Collection:
    """Read a collection; the title is part of a document's text (Cranfield's texts begin with it already)."""

    def rows(file: str) -> list[dict]:
        return [json.loads(line) for line in (DATA / name / file).read_text(encoding="utf-8").splitlines()]

    with_title = name != "cranfield"
    documents = {
        row["id"]: f"{row['title']} {row['text']}" if with_title else row["text"] for row in rows("docs.jsonl")
    }
    lines = (DATA / name / "qrels.tsv").read_text(encoding="utf-8").splitlines()
    qrels = [(query, document, int(gain)) for query, document, gain in (line.split("\t") for line in lines)]
    judged = {query for query, _, _ in qrels}
    return Collection(
        documents, {row["id"]: row["text"] for row in rows("queries.jsonl") if row["id"] in judged}, qrels
    )


def words(text: str) -> list[str]:
    """Give the tokens that the expected scores were measured with: lower-case \\w+."""
    return re.findall(r"\w+", text.lower())


def evaluate(name: str) -> dict[str, float]:
    """Score BM25Index on a collection with ir-measures (trec_eval's metrics), at depth 1,000."""
    import ir_measures
    from ir_measures import AP, R, nDCG

    from ragteach.retrieval.bm25_index import BM25Index

    collection = read(name)
    ids = list(collection.documents)
    index = BM25Index([words(text) for text in collection.documents.values()])
    qrels = [ir_measures.Qrel(*judgement) for judgement in collection.qrels]
    # trec_eval sorts by score and breaks ties its own way: the score given to it is the rank, which has no ties.
    run = {
        query: {ids[doc]: -float(rank) for rank, doc in enumerate(index.search(words(text), k=1000), start=1)}
        for query, text in collection.queries.items()
    }
    results = ir_measures.calc_aggregate([nDCG @ 10, AP, R @ 10, R @ 100], qrels, run)
    return {str(measure): value for measure, value in results.items()}
