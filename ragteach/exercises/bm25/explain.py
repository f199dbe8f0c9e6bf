"""bm25.explain: where a document's score comes from."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Any

from ragteach.checking.compare import Difference, same
from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.bm25.inputs import WORDS, corpora, queries
from ragteach.exercises.bm25.scores import DOCUMENTS, document_frequency
from ragteach.retrieval.bm25 import bm25_scores, explain, idf, term_weight

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def inputs() -> SearchStrategy[tuple]:
    """Draw a query, a small corpus and the number of one of its documents."""
    from hypothesis import strategies as st

    def ask(documents: list[list[str]]) -> SearchStrategy[tuple]:
        doc = st.integers(0, len(documents) - 1)
        return st.tuples(queries(), st.just(documents), doc) | doc.flatmap(
            # the document's own words, repeated ones among them
            lambda n: st.tuples(
                st.lists(st.sampled_from(documents[n] or WORDS), min_size=2, max_size=4), st.just(documents), st.just(n)
            )
        )

    return corpora(min_docs=1).flatmap(ask)


def judge(args: tuple, expected: Any, got: Any) -> Difference | None:
    """Compare contributions; a word that contributes nothing may be there or be left out."""
    if not isinstance(got, dict):
        return same(expected, got)
    return same({**dict.fromkeys(got, 0.0), **expected}, {**dict.fromkeys(expected, 0.0), **got})


def repetitions_lost(query, documents, doc):
    return {token: bm25_scores([token], documents)[doc] for token in query}


def idf_only(query, documents, doc):
    counts = Counter(query)
    return {t: counts[t] * idf(len(documents), document_frequency(documents, t)) for t in counts if t in documents[doc]}


def idf_of_all_terms(query, documents, doc):
    return {token: idf(len(documents), document_frequency(documents, token)) for token in query}


def weight_only(query, documents, doc):
    average = sum(len(tokens) for tokens in documents) / len(documents)
    tokens, counts = documents[doc], Counter(query)
    return {t: counts[t] * term_weight(tokens.count(t), len(tokens), average) for t in counts}


def alone_in_corpus(query, documents, doc):
    return {token: bm25_scores([token] * n, [documents[doc]])[0] for token, n in Counter(query).items()}


def shares(query, documents, doc):
    parts = explain(query, documents, doc)
    total = sum(parts.values())
    return {token: part / total if total else 0.0 for token, part in parts.items()}


def summed_over_documents(query, documents, doc):
    return {token: bm25_scores([token] * n, documents).sum() for token, n in Counter(query).items()}


def every_document(query, documents, doc):
    return {token: bm25_scores([token] * n, documents) for token, n in Counter(query).items()}


def running_total(query, documents, doc):
    total, result = 0.0, {}
    for token in query:
        total += bm25_scores([token], documents)[doc]
        result[token] = total
    return result


MISCONCEPTIONS = (
    Misconception(
        "repetitions_lost",
        repetitions_lost,
        {
            "fr": "Un mot répété dans la question n’a que la part d’une seule occurrence, et la somme n’est plus le "
            "score. Ajoutez chaque répétition à l’entrée du mot au lieu de l’écraser.",
            "en": "A word repeated in the query gets the share of one occurrence only, so the sum is no longer the "
            "score. Add each repetition to the word's entry instead of overwriting it.",
        },
    ),
    Misconception(
        "idf_only",
        idf_only,
        {
            "fr": "Vous donnez l’idf des mots. La contribution est idf · term_weight : il manque la fréquence dans le "
            "document et sa longueur.",
            "en": "You return the words' idf. A contribution is idf · term_weight: the frequency in the document and "
            "its length are missing.",
        },
    ),
    Misconception(
        "idf_of_all_terms",
        idf_of_all_terms,
        {
            "fr": "Vous donnez l’idf de chaque mot de la question, présent ou non. Multipliez par term_weight dans le "
            "document doc : un mot absent y pèse 0.",
            "en": "You return the idf of every word of the query, present or not. Multiply by term_weight in document "
            "doc: an absent word weighs 0 there.",
        },
    ),
    Misconception(
        "weight_only",
        weight_only,
        {
            "fr": "Vous donnez term_weight seul. Multipliez chaque poids par l’idf du mot.",
            "en": "You return term_weight alone. Multiply each weight by the word's idf.",
        },
    ),
    Misconception(
        "frequencies",
        lambda query, documents, doc: {token: documents[doc].count(token) for token in query},
        {
            "fr": "Vous donnez le nombre d’occurrences de chaque mot. Donnez sa part du score, idf · term_weight.",
            "en": "You return each word's number of occurrences. Return its share of the score, idf · term_weight.",
        },
    ),
    Misconception(
        "alone_in_corpus",
        alone_in_corpus,
        {
            "fr": "Vous notez le document comme s’il était seul : l’idf et la longueur moyenne ne viennent plus du "
            "corpus. Calculez les scores sur documents entier, puis prenez la place doc.",
            "en": "You score the document as if it stood alone: IDF and average length no longer come from the corpus. "
            "Score all the documents, then take number doc.",
        },
    ),
    Misconception(
        "whole_score_for_each",
        lambda query, documents, doc: {token: bm25_scores(query, documents)[doc] for token in query},
        {
            "fr": "Chaque mot reçoit le score entier. Notez-le avec une question qui ne contient que lui.",
            "en": "Each word gets the whole score. Score it with a query that contains that word alone.",
        },
    ),
    Misconception(
        "words_of_document",
        lambda query, documents, doc: explain(documents[doc], documents, doc),
        {
            "fr": "Vous expliquez tous les mots du document. Seuls ceux de la question contribuent au score.",
            "en": "You explain every word of the document. Only those of the query contribute to the score.",
        },
    ),
    Misconception(
        "shares",
        shares,
        {
            "fr": "Vous rendez des proportions, dont la somme est 1. Rendez les contributions, dont la somme est le "
            "score.",
            "en": "You return proportions, which sum to 1. Return the contributions, which sum to the score.",
        },
    ),
    Misconception(
        "summed_over_documents",
        summed_over_documents,
        {
            "fr": "Vous additionnez les contributions de tous les documents. Gardez celle du document doc.",
            "en": "You add up the contributions of all documents. Keep that of document doc.",
        },
    ),
    Misconception(
        "every_document",
        every_document,
        {
            "fr": "Chaque mot mène aux scores de tous les documents. Prenez celui du document doc : …[doc].",
            "en": "Each word maps to the scores of all documents. Take that of document doc: …[doc].",
        },
    ),
    Misconception(
        "numbered_from_1",
        lambda query, documents, doc: explain(query, documents, (doc - 1) % len(documents)),
        {
            "fr": "Vous expliquez le document d’avant. Les documents sont numérotés à partir de 0 : documents[doc].",
            "en": "You explain the previous document. Documents are numbered from 0: documents[doc].",
        },
    ),
    Misconception(
        "running_total",
        running_total,
        {
            "fr": "Vos valeurs se cumulent d’un mot au suivant. Donnez à chacun sa part seulement.",
            "en": "Your values accumulate from one word to the next. Give each its own share only.",
        },
    ),
    Misconception(
        "list_of_pairs",
        lambda query, documents, doc: list(explain(query, documents, doc).items()),
        {
            "fr": "Vous rendez une liste de couples. Rendez un dictionnaire qui va du mot à sa contribution.",
            "en": "You return a list of pairs. Return a dictionary that maps each word to its contribution.",
        },
    ),
)

EXPLAIN = Exercise(
    id="bm25.explain",
    chapter="02_bm25",
    entry="explain",
    title={"fr": "Expliquer un score", "en": "Explain a score"},
    points=2,
    importance=2,
    minutes=5,
    reference=explain,
    uses=("bm25.scores", "bm25.inverted_index", "bm25.idf", "bm25.term_weight"),
    examples=(
        Example(
            (["moteur", "chauffe"], DOCUMENTS, 2),
            {
                "fr": "Deux mots, deux parts : « chauffe », plus rare, compte plus que « moteur », répété.",
                "en": 'Two words, two shares: "chauffe", which is rarer, counts more than "moteur", which is repeated.',
            },
        ),
        Example(
            (["le", "moteur"], DOCUMENTS, 0),
            {
                "fr": "« le », présent partout, apporte moins que « moteur », même écrit deux fois.",
                "en": '"le", which appears everywhere, adds less than "moteur" even when it is asked for twice.',
            },
        ),
        Example(
            (["moteur", "lidar"], DOCUMENTS, 0),
            {
                "fr": "Le document n’a pas « lidar » : sa part est 0 (l’entrée peut aussi manquer).",
                "en": 'The document lacks "lidar": its share is 0 (the entry may also be left out).',
            },
        ),
        Example(
            (["fuse", "lidar", "fuse"], [["fuse", "5", "a"], ["lidar", "fuse"], ["battery"]], 1),
            {
                "fr": "Un mot répété dans la question a une seule entrée, qui compte ses deux occurrences.",
                "en": "A word repeated in the query has one entry, which counts both occurrences.",
            },
        ),
        Example(
            (["gps"], DOCUMENTS, 1),
            {
                "fr": "Un mot inconnu de tout le corpus n’explique rien.",
                "en": "A word that the whole corpus lacks adds nothing.",
            },
        ),
        Example(
            ([], DOCUMENTS, 1),
            {"fr": "Une question vide : rien à expliquer.", "en": "An empty query: nothing to explain."},
        ),
        Example(
            ("lidar", DOCUMENTS, 1),
            {
                "fr": "Une question qui est un texte serait lue lettre par lettre : levez une ValueError.",
                "en": "A query that is a string would be read letter by letter: raise a ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=MISCONCEPTIONS,
    judge=judge,
    hints=(
        {
            "fr": "Le score est une somme sur les mots de la question : rendez ses termes au lieu de leur somme. Deux "
            "chemins : refaire la boucle de bm25_scores pour un seul document, ou l’appeler mot par mot.",
            "en": "The score is a sum over the query's words: return its terms instead of their sum. There are two "
            "ways: write the loop of bm25_scores again for one document, or call it word by word.",
        },
        {
            "fr": "Pour chaque mot : bm25_scores([token], documents)[doc], ajouté à parts.get(token, 0.0) pour que "
            "les répétitions s’additionnent. Refusez d’abord une question qui est un str.",
            "en": "For each word: bm25_scores([token], documents)[doc], added to parts.get(token, 0.0) so that "
            "repetitions add up. Reject a query that is a str first.",
        },
    ),
)
