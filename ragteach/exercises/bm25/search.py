"""bm25.search: the k best documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ragteach.checking.exercise import Example, Exercise, Misconception, Text
from ragteach.exercises.bm25.inputs import WORDS, corpora, queries, ties_are_exact
from ragteach.exercises.bm25.scores import DOCUMENTS
from ragteach.retrieval.bm25 import bm25_scores, bm25_search

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

TWINS = [["lidar"], ["fuse", "5"], ["robot"], ["fuse", "7"]]


def inputs() -> SearchStrategy[tuple]:
    """Draw a query, a small corpus without doubtful ties, and k in most cases."""
    from hypothesis import strategies as st

    texts = st.tuples(queries(), corpora()).filter(lambda drawn: ties_are_exact(*drawn))
    # One word, which most documents hold: more of them are found than k, and some tie.
    document = st.lists(st.sampled_from(WORDS[:2]), min_size=1, max_size=4)
    many = st.tuples(st.just([WORDS[0]]), st.lists(document, min_size=4, max_size=6), st.sampled_from((2, 1, 4, 5)))
    return st.one_of(texts, st.tuples(texts, st.integers(1, 6)).map(lambda drawn: (*drawn[0], drawn[1])), many)


def ranking(query, documents):
    """Rank every document that matches."""
    return bm25_search(query, documents, len(documents) + 1)


def worst_first(query, documents, k=3):
    scores = bm25_scores(query, documents)
    return [int(doc) for doc in np.argsort(scores, kind="stable") if scores[doc] > 0][:k]


def zeros_kept(query, documents, k=3):
    return np.argsort(-bm25_scores(query, documents), kind="stable")[:k]


def plain_argsort(kind):
    """Reverse an increasing sort; without a `kind`, as most readers do, the order of ties is the machine's."""
    return lambda query, documents, k=3: np.argsort(bm25_scores(query, documents), kind=kind)[::-1][:k]


def reversed_ties(kind):
    """Reverse an increasing sort, and keep positive scores only."""

    def search(query, documents, k=3):
        scores = bm25_scores(query, documents)
        return [int(doc) for doc in np.argsort(scores, kind=kind)[::-1][:k] if scores[doc] > 0]

    return search


def numbers_among_matches(query, documents, k=3):
    scores = bm25_scores(query, documents)
    return np.argsort(-scores[scores > 0], kind="stable")[:k]


def with_scores(query, documents, k=3):
    scores = bm25_scores(query, documents)
    return [(doc, scores[doc]) for doc in bm25_search(query, documents, k)]


def scores_only(query, documents, k=3):
    return [score for _, score in with_scores(query, documents, k)]


def documents_themselves(query, documents, k=3):
    return [documents[doc] for doc in bm25_search(query, documents, k)]


def shared_words(query, documents, k=3):
    counts = [len(set(query) & set(tokens)) for tokens in documents]
    order = sorted(range(len(documents)), key=lambda doc: -counts[doc])
    return [doc for doc in order if counts[doc] > 0][:k]


def too_few_fails(query, documents, k=3):
    if k > len(documents):
        raise ValueError("k is larger than the number of documents")
    return bm25_search(query, documents, k)


def best_only(query, documents, k=3):
    return bm25_search(query, documents, 1)


PLAIN_ARGSORT: Text = {
    "fr": "argsort()[::-1] fait deux choses de trop : il garde les documents de score 0, et à égalité il met "
    'le plus grand numéro devant. Triez −scores avec kind="stable", puis ne gardez que les scores positifs.',
    "en": "argsort()[::-1] does two things too many: it keeps documents of score 0, and in a tie it puts the "
    'higher number first. Sort -scores with kind="stable", then keep positive scores only.',
}
REVERSED_TIES: Text = {
    "fr": "À score égal, vous mettez le plus grand numéro devant : retourner un tri croissant retourne aussi "
    'les ex æquo. Triez -scores avec kind="stable", ou sorted avec la clé -score.',
    "en": "At equal scores you put the higher number first: reversing an increasing sort reverses ties as "
    'well. Sort -scores with kind="stable", or use sorted with the key -score.',
}

MISCONCEPTIONS = (
    Misconception(
        "worst_first",
        worst_first,
        {
            "fr": "Vos documents vont du moins bon au meilleur : argsort et sorted trient en ordre croissant. Triez "
            "selon l’opposé du score.",
            "en": "Your documents go from worst to best: argsort and sorted sort in increasing order. Sort by the "
            "negated score.",
        },
    ),
    Misconception(
        "zeros_kept",
        zeros_kept,
        {
            "fr": "Vous rendez aussi des documents de score 0, qui ne contiennent aucun mot de la question. Ne gardez "
            "que les scores positifs, quitte à en rendre moins de k.",
            "en": "You return documents of score 0 too, which contain no word of the query. Keep positive scores only, "
            "even if fewer than k are left.",
        },
    ),
    Misconception("plain_argsort", plain_argsort("stable"), PLAIN_ARGSORT),
    Misconception("plain_argsort_default", plain_argsort(None), PLAIN_ARGSORT),
    Misconception("reversed_ties", reversed_ties("stable"), REVERSED_TIES),
    Misconception("reversed_ties_default", reversed_ties(None), REVERSED_TIES),
    Misconception(
        "numbers_among_matches",
        numbers_among_matches,
        {
            "fr": "Vous retirez les scores nuls avant de trier : vos numéros sont ceux des documents restants, plus "
            "ceux du corpus. Triez d’abord, filtrez ensuite.",
            "en": "You remove the zero scores before sorting, so your numbers refer to the documents that are left, no "
            "longer to the corpus. Sort first, filter afterwards.",
        },
    ),
    Misconception(
        "numbered_from_1",
        lambda query, documents, k=3: [doc + 1 for doc in bm25_search(query, documents, k)],
        {
            "fr": "Vos numéros commencent à 1. Les documents sont numérotés à partir de 0.",
            "en": "Your numbers start at 1. Documents are numbered from 0.",
        },
    ),
    Misconception(
        "in_document_order",
        lambda query, documents, k=3: sorted(bm25_search(query, documents, k)),
        {
            "fr": "Les bons documents sont là, mais rangés par numéro. Rendez le meilleur d’abord ; si vous avez pris "
            "argpartition, il reste à trier les k retenus.",
            "en": "The right documents are there, but in order of number. Return the best first; if you used "
            "argpartition, the k that it keeps still have to be sorted.",
        },
    ),
    Misconception(
        "k_ignored",
        lambda query, documents, k=3: ranking(query, documents),
        {
            "fr": "Vous rendez tous les documents qui répondent. Arrêtez-vous aux k premiers : [:k].",
            "en": "You return every document that matches. Stop after the first k: [:k].",
        },
    ),
    Misconception(
        "always_three",
        lambda query, documents, k=3: bm25_search(query, documents, 3),
        {
            "fr": "Vous rendez trois documents quel que soit k. Coupez avec l’argument : [:k].",
            "en": "You return three documents whatever k is. Cut with the argument: [:k].",
        },
    ),
    Misconception(
        "best_only",
        best_only,
        {
            "fr": "Vous ne rendez que le meilleur document, comme argmax. Rendez les k premiers du classement.",
            "en": "You return the best document only, as argmax does. Return the first k of the ranking.",
        },
    ),
    Misconception(
        "with_scores",
        with_scores,
        {
            "fr": "Vous rendez des couples (document, score). Rendez seulement les numéros des documents.",
            "en": "You return pairs (document, score). Return the documents' numbers alone.",
        },
    ),
    Misconception(
        "scores_only",
        scores_only,
        {
            "fr": "Vous rendez les meilleurs scores. Rendez les numéros des documents qui les ont : np.argsort trie "
            "des numéros, np.sort des valeurs.",
            "en": "You return the best scores. Return the numbers of the documents that have them: np.argsort sorts "
            "numbers, np.sort values.",
        },
    ),
    Misconception(
        "documents_themselves",
        documents_themselves,
        {
            "fr": "Vous rendez les documents eux-mêmes. Rendez leurs numéros : l’appelant en déduira texte, titre et "
            "source.",
            "en": "You return the documents themselves. Return their numbers: the caller gets text, title and source "
            "from them.",
        },
    ),
    Misconception(
        "shared_words",
        shared_words,
        {
            "fr": "Vous classez par nombre de mots communs. Classez par bm25_scores : la rareté des mots et la "
            "longueur des documents y comptent.",
            "en": "You rank by the number of shared words. Rank by bm25_scores, where the rarity of words and the "
            "length of documents count.",
        },
    ),
    Misconception(
        "too_few_fails",
        too_few_fails,
        {
            "fr": "Vous refusez un k plus grand que le nombre de documents. C’est une demande légitime : rendez ce "
            "qu’il y a.",
            "en": "You reject a k larger than the number of documents. It is a reasonable request: return what there "
            "is.",
        },
    ),
)

SEARCH = Exercise(
    id="bm25.search",
    chapter="02_bm25",
    entry="bm25_search",
    title={"fr": "Les k meilleurs documents", "en": "The k best documents"},
    points=2,
    importance=2,
    minutes=5,
    reference=bm25_search,
    uses=("bm25.scores", "bm25.inverted_index", "bm25.idf", "bm25.term_weight"),
    examples=(
        Example(
            (["moteur", "chauffe"], DOCUMENTS),
            {
                "fr": "Le document 2 contient les deux mots, le 0 un seul ; le 1 n’en contient aucun et "
                "n’apparaît pas.",
                "en": "Document 2 contains both words, 0 only one; 1 contains neither and does not appear.",
            },
        ),
        Example(
            (["moteur", "chauffe"], DOCUMENTS, 1),
            {"fr": "k = 1 : le meilleur seulement.", "en": "k = 1: the best one only."},
        ),
        Example(
            (["fuse"], TWINS),
            {
                "fr": "Deux documents de même score : le plus petit numéro d’abord.",
                "en": "Two documents with the same score: the lower number first.",
            },
        ),
        Example(
            (["fuse"], [[word] for _ in range(10) for word in ("lidar", "fuse")]),
            {
                "fr": "Dix documents à égalité, et k vaut 3 par défaut : les trois plus petits numéros.",
                "en": "Ten documents that tie, and k is 3 by default: the three lowest numbers.",
            },
        ),
        Example(
            (["le"], [["le", "moteur", "est", "chaud"], ["le"], ["le", "lidar", "tourne"], ["le", "robot"]], 4),
            {
                "fr": "« le » est dans chaque document : tous sortent, le plus court d’abord.",
                "en": '"le" appears in every document, so all are returned, the shortest first.',
            },
        ),
        Example(
            (["gps"], DOCUMENTS),
            {
                "fr": "Aucun document ne contient le mot : une liste vide vaut mieux que trois mauvaises réponses.",
                "en": "No document contains the word: an empty list is better than three wrong answers.",
            },
        ),
        Example(
            (["lidar"], DOCUMENTS, 10),
            {
                "fr": "k dépasse le nombre de documents : on rend ce qui existe.",
                "en": "k is larger than the number of documents: return what there is.",
            },
        ),
        Example((["robot"], []), {"fr": "Aucun document, aucun résultat.", "en": "No document, no result."}),
        Example(
            (["lidar"], DOCUMENTS, 0),
            {
                "fr": "k doit valoir au moins 1 : levez une ValueError.",
                "en": "k must be at least 1: raise a ValueError.",
            },
        ),
        Example(
            ("lidar", DOCUMENTS),
            {
                "fr": "Une question qui est un texte : ValueError, que bm25_scores lève déjà si vous l’appelez.",
                "en": "A query that is a string: ValueError, which bm25_scores raises already if you call it.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=MISCONCEPTIONS,
    hints=(
        {
            "fr": "Calculez les scores, triez les numéros de documents, coupez à k, retirez les scores nuls. "
            "np.argsort et sorted avec une clé trient des numéros.",
            "en": "Compute the scores, sort the document numbers, cut at k, remove zero scores. np.argsort, or sorted "
            "with a key, sorts numbers.",
        },
        {
            "fr": 'np.argsort(-scores, kind="stable")[:k] met le meilleur devant et garde l’ordre des numéros à '
            "égalité ; ne gardez ensuite que les doc dont scores[doc] > 0. Avant, si k < 1, levez une ValueError.",
            "en": 'np.argsort(-scores, kind="stable")[:k] puts the best first and keeps the order of numbers in ties; '
            "then keep only those doc whose scores[doc] > 0. Before that, raise a ValueError if k < 1.",
        },
    ),
)
