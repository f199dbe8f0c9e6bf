"""How well the searches of the course do on the robot corpus, and whether the corpus asks what it is meant to ask.

    python benchmarks/corpus.py [--k 5] [--dims 60]

Chunks are windows of 40 words that share 10; tokens are those of `tokenize` without stop words. Recall at k is the
share of a question's passages of which the k best chunks hold at least half; MRR and nDCG@10 count chunks. Intervals
are 95 % bootstrap intervals of the mean over questions. Everything is computed at each run, nothing is remembered.
"""

import argparse
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from ragteach import corpus  # noqa: E402
from ragteach.answers.words import STOP_WORDS  # noqa: E402
from ragteach.corpus.synonyms import SYNONYMS  # noqa: E402
from ragteach.retrieval.bm25_index import BM25Index  # noqa: E402
from ragteach.retrieval.chunking import chunk_recursive, chunk_sentences, chunk_words  # noqa: E402
from ragteach.retrieval.fusion import concept_score, rerank, rrf  # noqa: E402
from ragteach.retrieval.lsa_index import LSAIndex  # noqa: E402
from ragteach.retrieval.metrics import mrr, ndcg, recall_at_k  # noqa: E402
from ragteach.retrieval.queries import standalone_query  # noqa: E402
from ragteach.retrieval.statistics import bootstrap_ci, paired_permutation_test  # noqa: E402
from ragteach.retrieval.text import tokenize  # noqa: E402

DEPTH = 40  # how many candidates are fused and reranked
SPLITS = ("dev", "held-out")
MEASURES = ("recall", "MRR", "nDCG@10")
Search = Callable[[str], list[int]]


@dataclass(frozen=True)
class Score:
    """The scores of one method on one question."""

    question: corpus.Question
    values: dict[str, float]


def content(text: str) -> list[str]:
    return [token for token in tokenize(text) if token not in STOP_WORDS]


def searches(chunks: Sequence[corpus.Chunk], lang: str, dims: int) -> dict[str, Search]:
    """Build each method once; it ranks the numbers of the chunks for a question."""
    texts = [piece.text for piece in chunks]
    tokens = [content(text) for text in texts]
    synonyms = SYNONYMS[lang]

    def concepts(words: Sequence[str]) -> list[str]:
        return [synonyms.get(word, word) for word in words]

    bm25, lsa = BM25Index(tokens), LSAIndex(tokens, dims)
    bm25_concepts = BM25Index([concepts(words) for words in tokens])

    def hybrid(text: str) -> list[int]:
        return rrf([bm25.search(content(text), DEPTH), lsa.search(content(text), DEPTH)])[:DEPTH]

    def reranked(text: str) -> list[int]:
        found = hybrid(text)
        return rerank(found, [concept_score(text, texts[n], synonyms, STOP_WORDS) for n in found], DEPTH)

    return {
        "BM25": lambda text: bm25.search(content(text), DEPTH),
        "LSA": lambda text: lsa.search(content(text), DEPTH),
        "hybrid (RRF)": hybrid,
        "reranked": reranked,
        "BM25, synonyms": lambda text: bm25_concepts.search(concepts(content(text)), DEPTH),
    }


def score(question: corpus.Question, ranking: list[int], chunks: Sequence[corpus.Chunk], k: int) -> Score:
    grades = corpus.relevance(question, chunks)
    found = corpus.passages_found(question, [chunks[number] for number in ranking[:k]])
    values = (len(found) / len(question.relevant), mrr([ranking], [set(grades)]), ndcg(ranking, grades, 10))
    return Score(question, dict(zip(MEASURES, values, strict=True)))


def values(scores: Sequence[Score], measure: str = "recall", **fields: str) -> list[float]:
    """Give one measure of the questions that have these fields: split="dev", kind="table"."""
    return [
        one.values[measure]
        for one in scores
        if all(getattr(one.question, name) == value for name, value in fields.items())
    ]


def with_interval(numbers: list[float]) -> str:
    low, high = bootstrap_ci(numbers)
    return f"{np.mean(numbers):.3f} [{low:.2f}, {high:.2f}]"


def print_corpus(robot: corpus.Corpus, chunks: Sequence[corpus.Chunk]) -> None:
    start = [perf_counter()]
    for _ in range(20):
        corpus.load("robot", robot.lang)
        start.append(perf_counter())
    lengths = [len(passage.text.split()) for passage in robot.passages.values()]
    words = sum(len(document.text.split()) for document in robot.documents)
    n_traps = sum(question.is_trap for question in robot.questions)
    print(
        f"\n=== {robot.lang}: {len(robot.documents)} documents, {words} words, {len(chunks)} chunks; "
        f"{len(robot.passages)} passages of {min(lengths)} to {max(lengths)} words; "
        f"{len(robot.questions) - n_traps} questions, {n_traps} traps; loaded in {1000 * min(np.diff(start)):.1f} ms"
    )


def print_methods(scores: dict[str, list[Score]], k: int) -> None:
    for split in SPLITS:
        print(f"\n{split:16}" + "".join(f"{name:>22}" for name in (f"recall@{k}", "MRR", "nDCG@10")))
        for name, of_method in scores.items():
            cells = (with_interval(values(of_method, measure, split=split)) for measure in MEASURES)
            print(f"{name:16}" + "".join(f"{cell:>22}" for cell in cells))


def print_kinds(scores: dict[str, list[Score]], with_history: dict[str, list[Score]], k: int) -> None:
    kinds = list(dict.fromkeys(one.question.kind for one in scores["BM25"]))
    print(f"\nrecall@{k} by type, both splits" + "".join(f"{name:>16}" for name in scores))
    for kind in kinds:
        n = len(values(scores["BM25"], kind=kind))
        means = (np.mean(values(of_method, kind=kind)) for of_method in scores.values())
        print(f"{f'{kind} ({n})':31}" + "".join(f"{mean:16.2f}" for mean in means))
    means = (np.mean(values(of_method)) for of_method in with_history.values())
    print(f"{'follow-up, made standalone':31}" + "".join(f"{mean:16.2f}" for mean in means))


def print_chunkings(robot: corpus.Corpus, questions: Sequence[corpus.Question], k: int) -> None:
    """Show what the choice of chunks changes, with recall counted by chunks and by passages."""
    cuts = {
        "windows 20/5": lambda text: chunk_words(text, 20, 5),
        "windows 40/10": chunk_words,
        "windows 80/20": lambda text: chunk_words(text, 80, 20),
        "sentences, 40 words": lambda text: chunk_sentences(text, 40),
        "recursive, 40 words": lambda text: chunk_recursive(text, 40),
    }
    heads = ("chunks", "relevant", "by chunks", "by passages", "words read")
    print(f"\n{'BM25, all questions':22}" + "".join(f"{head:>13}" for head in heads))
    for name, cut in cuts.items():
        chunks = corpus.chunk(robot.documents, cut)
        index = BM25Index([content(piece.text) for piece in chunks])
        rows = []
        for question in questions:
            ranking = index.search(content(question.text), k)
            relevant = corpus.relevant_chunks(question, chunks)
            found = corpus.passages_found(question, [chunks[number] for number in ranking])
            read = sum(len(chunks[number].text.split()) for number in ranking)
            rows.append((len(relevant), recall_at_k(ranking, relevant, k), len(found) / len(question.relevant), read))
        n_relevant, by_chunks, by_passages, read = np.mean(rows, axis=0)
        print(f"{name:22}{len(chunks):13}{n_relevant:13.1f}{by_chunks:13.3f}{by_passages:13.3f}{read:13.0f}")
    print(f"relevant: chunks a question; recall@{k} counted by chunks and by passages; words in the {k} best chunks.")


def print_expectations(scores: dict[str, list[Score]], k: int) -> None:
    """Say of each thing that the corpus is meant to show whether it does."""

    def tell(holds: bool, sentence: str) -> None:
        print(f"  {'holds    ' if holds else 'DOES NOT '} {sentence}")

    def mean(name: str, **fields: str) -> float:
        return float(np.mean(values(scores[name], **fields)))

    print("\nexpectations")
    for split in SPLITS:
        best = max(scores, key=lambda name: mean(name, split=split))
        recall = mean(best, split=split)
        tell(0.7 <= recall <= 0.95, f"{split}: the best recall@{k} lies in [0.7, 0.95]: {recall:.3f} ({best})")
    codes = {name: mean(name, kind="exact-code") for name in ("BM25", "LSA")}
    tell(codes["BM25"] > codes["LSA"], f"exact codes: BM25 {codes['BM25']:.2f} beats LSA {codes['LSA']:.2f}")
    for kind in ("paraphrase", "synonym"):
        bm25 = mean("BM25", kind=kind)
        others = {name: mean(name, kind=kind) for name in ("LSA", "reranked", "BM25, synonyms")}
        told = ", ".join(f"{name} {value:.2f}" for name, value in others.items())
        tell(max(others.values()) > bm25, f"{kind}: LSA or synonyms beat BM25 {bm25:.2f}: {told}")
    for measure in ("recall", "nDCG@10"):
        hybrid = values(scores["hybrid (RRF)"], measure)
        for name in ("BM25", "LSA"):
            other = values(scores[name], measure)
            p = paired_permutation_test(hybrid, other)
            sentence = f"{measure}: the hybrid {np.mean(hybrid):.3f} beats {name} {np.mean(other):.3f} (p = {p:.3f})"
            tell(bool(np.mean(hybrid) > np.mean(other)), sentence)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--k", type=int, default=5, help="how many chunks are read")
    parser.add_argument("--dims", type=int, default=60, help="dimensions of LSA")
    arguments = parser.parse_args()
    data = Path(corpus.__file__).parent / "data"
    size = sum(file.stat().st_size for file in data.rglob("*") if file.is_file())
    print(f"data in the wheel: {size / 1e6:.2f} MB before compression")
    for lang in ("fr", "en"):
        robot = corpus.load("robot", lang)
        chunks = corpus.chunk(robot.documents, chunk_words)
        questions = [question for question in robot.questions if not question.is_trap]
        methods = searches(chunks, lang, arguments.dims)
        scores = {
            name: [score(question, search(question.text), chunks, arguments.k) for question in questions]
            for name, search in methods.items()
        }
        with_history = {
            name: [
                score(question, search(standalone_query(question.history, question.text)), chunks, arguments.k)
                for question in questions
                if question.history
            ]
            for name, search in methods.items()
        }
        print_corpus(robot, chunks)
        print_methods(scores, arguments.k)
        print_kinds(scores, with_history, arguments.k)
        print_chunkings(robot, questions, arguments.k)
        print_expectations(scores, arguments.k)


if __name__ == "__main__":
    main()
