"""The running table of the course: what each chapter so far changes, on the same six questions of the mini corpus."""

from collections.abc import Callable, Sequence

import numpy as np

from ragteach import corpus
from ragteach.answers.words import STOP_WORDS
from ragteach.corpus.synonyms import SYNONYMS
from ragteach.explore.figures import number, table
from ragteach.retrieval.bm25_index import BM25Index
from ragteach.retrieval.chunking import chunk_recursive, chunk_words
from ragteach.retrieval.fusion import concept_score, rerank, rrf
from ragteach.retrieval.hnsw_index import HNSWIndex
from ragteach.retrieval.ivf_index import IVFIndex
from ragteach.retrieval.kmeans import kmeans
from ragteach.retrieval.lsa_index import LSAIndex
from ragteach.retrieval.metrics import mrr, ndcg
from ragteach.retrieval.pq import PQIndex
from ragteach.retrieval.statistics import bootstrap_ci
from ragteach.retrieval.text import tokenize

DIMS = 4
N_CELLS = 4
NPROBE = 2
N_SUBSPACES = 2
N_CODES = 4
CHUNK_WORDS = 40
HEADER = {
    "fr": ("chapitre", "recherche", "recall@1", "recall@3", "MRR", "nDCG@3"),
    "en": ("chapter", "search", "recall@1", "recall@3", "MRR", "nDCG@3"),
}

INTERVAL = {"fr": "… intervalle à 95\N{NARROW NO-BREAK SPACE}% de cette ligne", "en": "... 95% interval of that row"}
TO = {"fr": "{} à {}", "en": "{} to {}"}

Chunks = Sequence[corpus.Chunk]
Search = Callable[[str], list[int]]
"""Ranks the numbers of the chunks for a question, best first."""


def by_words(chunks: Chunks) -> Search:
    """Rank by the number of shared words, in lower case and cut at white space: the naive way."""

    def words(text: str) -> set[str]:
        return set(text.lower().split())

    def search(question: str) -> list[int]:
        shared = [len(words(question) & words(piece.text)) for piece in chunks]
        return sorted((i for i, n in enumerate(shared) if n), key=lambda i: -shared[i])

    return search


def by_bm25(chunks: Chunks) -> Search:
    """Rank by BM25."""
    index = BM25Index([tokenize(piece.text) for piece in chunks])
    return lambda question: index.search(tokenize(question), len(chunks))


def by_lsa(chunks: Chunks) -> Search:
    """Rank by the cosine of LSA embeddings."""
    index = LSAIndex([tokenize(piece.text) for piece in chunks], DIMS)
    return lambda question: index.search(tokenize(question), len(chunks))


def by_index(chunks: Chunks, index_of: Callable[[np.ndarray], IVFIndex | PQIndex | HNSWIndex]) -> Search:
    """Rank by LSA embeddings through an index of them; a question of no known word finds nothing."""
    lsa = LSAIndex([tokenize(piece.text) for piece in chunks], DIMS)
    index = index_of(lsa.embeddings)

    def search(question: str) -> list[int]:
        vector = lsa.embed([tokenize(question)])[0]
        return index.search(vector, len(chunks)) if vector.any() else []

    return search


def by_ivf(chunks: Chunks) -> Search:
    """Rank by the cosine of LSA embeddings, those of the cells nearest to the question only."""
    return by_index(chunks, lambda vectors: IVFIndex(vectors, kmeans(vectors, N_CELLS), NPROBE))


def by_pq(chunks: Chunks) -> Search:
    """Rank by the distance to LSA embeddings of which only the codes are kept."""
    return by_index(chunks, lambda vectors: PQIndex(vectors, N_SUBSPACES, N_CODES))


def by_hnsw(chunks: Chunks) -> Search:
    """Rank by the cosine of LSA embeddings, found through a navigable graph."""
    return by_index(chunks, lambda vectors: HNSWIndex(vectors, m=4, ef_construction=32, ef=len(chunks)))


def by_rrf(chunks: Chunks) -> Search:
    """Rank by the fusion of BM25's ranking and LSA's."""
    members = by_bm25(chunks), by_lsa(chunks)
    return lambda question: rrf([member(question) for member in members])


def reranked(chunks: Chunks, synonyms: dict[str, str]) -> Search:
    """Rerank what the fusion found by shared concepts."""
    fused = by_rrf(chunks)

    def search(question: str) -> list[int]:
        found = fused(question)
        scores = [concept_score(question, chunks[i].text, synonyms, STOP_WORDS) for i in found]
        return rerank(found, scores, len(found))

    return search


def windows(text: str) -> list[str]:
    """Cut as the naive version does: windows of 40 words, each sharing 10 with the next."""
    return chunk_words(text)


def pieces(text: str) -> list[str]:
    """Cut at paragraphs, lines and sentences, into pieces of at most 40 words."""
    return chunk_recursive(text, CHUNK_WORDS)


# One row a step: its chapter, its name, its cut, and how it ranks the chunks that the cut makes.
STEPS = (
    (
        "00",
        {"fr": "mots bruts en commun, fenêtres de 40 mots", "en": "raw shared words, windows of 40 words"},
        windows,
        lambda chunks, lang: by_words(chunks),
    ),
    (
        "01",
        {"fr": "mots bruts en commun, découpage récursif", "en": "raw shared words, recursive chunks"},
        pieces,
        lambda chunks, lang: by_words(chunks),
    ),
    ("02", {"fr": "BM25", "en": "BM25"}, pieces, lambda chunks, lang: by_bm25(chunks)),
    (
        "03",
        {"fr": f"LSA, {DIMS} dimensions", "en": f"LSA, {DIMS} dimensions"},
        pieces,
        lambda chunks, lang: by_lsa(chunks),
    ),
    (
        "04",
        {"fr": "BM25 et LSA fusionnés (RRF)", "en": "BM25 and LSA fused (RRF)"},
        pieces,
        lambda chunks, lang: by_rrf(chunks),
    ),
    (
        "04",
        {"fr": "… puis reclassés par concepts", "en": "... then reranked by concepts"},
        pieces,
        lambda chunks, lang: reranked(chunks, SYNONYMS[lang]),
    ),
    (
        "06",
        {
            "fr": f"LSA par IVF, {N_CELLS} cellules dont {NPROBE} visitées",
            "en": f"LSA through IVF, {N_CELLS} cells, {NPROBE} of them visited",
        },
        pieces,
        lambda chunks, lang: by_ivf(chunks),
    ),
    (
        "07",
        {"fr": f"LSA par PQ, {N_SUBSPACES} octets par vecteur", "en": f"LSA through PQ, {N_SUBSPACES} bytes a vector"},
        pieces,
        lambda chunks, lang: by_pq(chunks),
    ),
    (
        "08",
        {"fr": "LSA par HNSW, un graphe", "en": "LSA through HNSW, a graph"},
        pieces,
        lambda chunks, lang: by_hnsw(chunks),
    ),
)


def scores_by_question(
    cut: Callable[[str], list[str]], build: Callable[[Chunks, str], Search], lang: str
) -> list[tuple[float, ...]]:
    """Give recall@1, recall@3, MRR and nDCG@3 of one search, a row for each of the six questions.

    Recall counts passages (at least half of each in the k best chunks), so that it compares different cuts.
    """
    mini = corpus.load("mini", lang)
    chunks = corpus.chunk(mini.documents, cut)
    search = build(chunks, lang)
    rows = []
    for question in mini.questions:
        ranking, grades = search(question.text), corpus.relevance(question, chunks)
        recalls = (
            len(corpus.passages_found(question, [chunks[i] for i in ranking[:k]])) / len(question.relevant)
            for k in (1, 3)
        )
        rows.append((*recalls, mrr([ranking], [set(grades)]), ndcg(ranking, grades, 3)))
    return rows


def scores(cut: Callable[[str], list[str]], build: Callable[[Chunks, str], Search], lang: str) -> list[float]:
    """Give recall@1, recall@3, MRR and nDCG@3 of one search, means over the six questions."""
    rows = scores_by_question(cut, build, lang)
    return [sum(column) / len(rows) for column in zip(*rows, strict=True)]


def interval_row(lang: str) -> list[str]:
    """Give chapter 05's row: how far the means of the row before it can be trusted."""
    *_, (_, _, cut, build) = (step for step in STEPS if step[0] == "04")
    columns = zip(*scores_by_question(cut, build, lang), strict=True)
    bounds = (bootstrap_ci(column) for column in columns)
    return ["05", INTERVAL[lang], *(TO[lang].format(*(number(x, lang) for x in pair)) for pair in bounds)]


def milestones(chapter: str, lang: str, before: bool = False) -> None:
    """Display the running table down to a chapter ("03_lsa"), or to the one before it."""
    last = chapter.partition("_")[0]

    def due(step: str) -> bool:
        return step < last or (step == last and not before)

    rows = [[step, name[lang], *scores(cut, build, lang)] for step, name, cut, build in STEPS if due(step)]
    if due("05"):
        rows.append(interval_row(lang))
    table(HEADER[lang], sorted(rows, key=lambda row: row[0]), lang=lang)
