"""ivf.exact: measure every vector."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ragteach.checking.exercise import Example, Exercise, Misconception, Text
from ragteach.exercises.ivf.inputs import collections, counts
from ragteach.retrieval.exact import exact_search

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

VECTORS = np.array([[2.0, 1.0], [0.0, 3.0], [1.0, 0.0], [-2.0, 1.0]])


def inputs() -> SearchStrategy[tuple]:
    """Draw vectors, a query and k."""
    from hypothesis import strategies as st

    return st.tuples(collections(), counts()).map(lambda drawn: (*drawn[0], drawn[1]))


def by(scores):
    """Make a search that ranks by other scores; ties: lower number first."""
    return lambda vectors, query, k: np.argsort(-np.round(scores(vectors, query), 12), kind="stable")[:k].tolist()


def products(vectors, query):
    return vectors @ query


def cosines(vectors, query):
    norms = np.linalg.norm(vectors, axis=1) * np.linalg.norm(query)
    return vectors @ query / np.where(norms > 0, norms, 1)


def backwards(kind):
    """Reverse an increasing sort; without a `kind`, as most readers do, the order of ties is the machine's."""
    return lambda vectors, query, k: np.argsort(vectors @ query, kind=kind)[::-1][:k].tolist()


def with_scores(vectors, query, k):
    found = products(vectors, query)
    return [(doc, found[doc]) for doc in exact_search(vectors, query, k)]


def scores_only(vectors, query, k):
    return [score for _, score in with_scores(vectors, query, k)]


def too_few_fails(vectors, query, k):
    if k > len(vectors):
        raise ValueError("k is larger than the number of vectors")
    return exact_search(vectors, query, k)


def partition_fails(vectors, query, k):
    if k > len(vectors):
        raise IndexError("kth out of bounds")
    return exact_search(vectors, query, k)


REVERSED_TIES: Text = {
    "fr": "Un tri croissant retourné par [::-1] retourne aussi les ex æquo : le plus grand numéro passe "
    'devant. Triez −scores avec kind="stable".',
    "en": "An increasing sort turned round by [::-1] turns the ties round as well: the higher number comes "
    'first. Sort -scores with kind="stable".',
}

EXACT = Exercise(
    id="ivf.exact",
    chapter="06_ivf",
    entry="exact_search",
    title={"fr": "La recherche exacte", "en": "Exact search"},
    points=1,
    importance=3,
    minutes=4,
    reference=exact_search,
    examples=(
        Example(
            (VECTORS, np.array([1.0, 2.0]), 2),
            {
                "fr": "Les produits scalaires valent 4, 6, 1 et 0 : les vecteurs 1 et 0 sont les deux meilleurs.",
                "en": "The inner products are 4, 6, 1 and 0: vectors 1 and 0 are the two best.",
            },
        ),
        Example(
            (np.array([[1.0, 0.0], [3.0, 3.0], [2.0, 0.0]]), np.array([1.0, 0.0]), 3),
            {
                "fr": "Le vecteur 1 est long et penché : il a le plus grand produit scalaire, pas le plus grand "
                "cosinus.",
                "en": "Vector 1 is long and slanted: it has the largest inner product, not the largest cosine.",
            },
        ),
        Example(
            (np.array([[0.0, 1.0], [1.0, 0.0], [1.0, 3.0], [2.0, 0.0], [1.0, -1.0]]), np.array([1.0, 0.0]), 3),
            {
                "fr": "Trois vecteurs valent 1 et il reste deux places : à égalité, les plus petits numéros.",
                "en": "Three vectors score 1 and two places are left: in a tie, the lower numbers.",
            },
        ),
        Example(
            (np.array([[-1.0, 0.0], [-3.0, 0.0], [-2.0, 5.0]]), np.array([1.0, 0.0]), 2),
            {
                "fr": "Tous les produits sont négatifs : −1 est le plus grand, et on rend quand même k vecteurs.",
                "en": "All products are negative: -1 is the largest, and k vectors are returned all the same.",
            },
        ),
        Example(
            (VECTORS, np.array([1.0, 2.0]), 10),
            {
                "fr": "k dépasse le nombre de vecteurs : rendez ceux qui existent.",
                "en": "k is larger than the number of vectors: return those that there are.",
            },
        ),
        Example(
            (VECTORS, np.array([-1.0, 0.0]), 1),
            {"fr": "k = 1 : le meilleur seul, dans une liste.", "en": "k = 1: the best one alone, in a list."},
        ),
        Example(
            (VECTORS, np.array([0.0, 0.0]), 3),
            {
                "fr": "Une question nulle met tous les vecteurs à égalité : 0, 1, 2.",
                "en": "A query of zeros makes all vectors tie: 0, 1, 2.",
            },
        ),
        Example(
            (VECTORS, np.array([1.0, 2.0]), 0),
            {
                "fr": "k doit valoir au moins 1 : levez une ValueError.",
                "en": "k must be at least 1: raise a ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=(
        Misconception(
            "cosine",
            by(cosines),
            {
                "fr": "Vous classez par cosinus. Ici la longueur compte : prenez le produit scalaire, vectors @ query, "
                "sans diviser.",
                "en": "You rank by cosine. Length counts here: take the inner product, vectors @ query, and do not "
                "divide.",
            },
        ),
        Misconception(
            "distance",
            by(lambda vectors, query: -((vectors - query) ** 2).sum(axis=1)),
            {
                "fr": "Vous classez par distance euclidienne. Elle donne le même ordre que le produit scalaire pour "
                "des vecteurs de norme 1 seulement (théorème 2) : calculez vectors @ query.",
                "en": "You rank by Euclidean distance. It gives the order of the inner product for vectors of norm 1 "
                "only (theorem 2): compute vectors @ query.",
            },
        ),
        Misconception(
            "worst_first",
            by(lambda vectors, query: -(vectors @ query)),
            {
                "fr": "argsort trie du plus petit au plus grand : vous rendez les pires. Triez l’opposé des scores.",
                "en": "argsort sorts from smallest to largest: you return the worst ones. Sort the negated scores.",
            },
        ),
        Misconception("reversed_ties", backwards("stable"), REVERSED_TIES),
        Misconception("reversed_ties_default", backwards(None), REVERSED_TIES),
        Misconception(
            "absolute",
            by(lambda vectors, query: abs(vectors @ query)),
            {
                "fr": "Vous classez par valeur absolue : un vecteur opposé à la question passe en tête. Gardez le "
                "signe.",
                "en": "You rank by absolute value, so a vector opposite to the query comes out on top. Keep the sign.",
            },
        ),
        Misconception(
            "in_number_order",
            lambda vectors, query, k: sorted(exact_search(vectors, query, k)),
            {
                "fr": "Les bons vecteurs sont là, rangés par numéro : argpartition choisit les k meilleurs, mais ne "
                "les trie pas. Triez-les ensuite par score.",
                "en": "The right vectors are there, in order of number: argpartition picks the k best, but does not "
                "sort them. Sort them by score afterwards.",
            },
        ),
        Misconception(
            "k_ignored",
            lambda vectors, query, k: exact_search(vectors, query, len(vectors)),
            {
                "fr": "Vous rendez tous les vecteurs. Coupez après les k premiers : [:k].",
                "en": "You return every vector. Cut after the first k: [:k].",
            },
        ),
        Misconception(
            "only_positive",
            lambda vectors, query, k: [doc for doc, score in with_scores(vectors, query, k) if score > 0],
            {
                "fr": "Vous écartez les scores nuls et négatifs. C’était juste pour BM25 ; entre vecteurs, un score "
                "négatif se classe comme un autre.",
                "en": "You leave out scores of zero and below. That was right for BM25; between vectors a negative "
                "score is ranked like any other.",
            },
        ),
        Misconception(
            "scores_only",
            scores_only,
            {
                "fr": "Vous rendez les meilleurs scores. Rendez les numéros de leurs vecteurs : np.argsort trie des "
                "numéros.",
                "en": "You return the best scores. Return the numbers of their vectors: np.argsort sorts numbers.",
            },
        ),
        Misconception(
            "with_scores",
            with_scores,
            {
                "fr": "Vous rendez des couples (numéro, score). Rendez les numéros seuls.",
                "en": "You return pairs (number, score). Return the numbers alone.",
            },
        ),
        Misconception(
            "numbered_from_1",
            lambda vectors, query, k: [doc + 1 for doc in exact_search(vectors, query, k)],
            {
                "fr": "Vos numéros commencent à 1. Les vecteurs sont numérotés à partir de 0.",
                "en": "Your numbers start at 1. Vectors are numbered from 0.",
            },
        ),
        Misconception(
            "too_few_fails",
            too_few_fails,
            {
                "fr": "Vous refusez un k plus grand que le nombre de vecteurs (argpartition le refuse aussi). Rendez "
                "ce qu’il y a : k = min(k, len(vectors)).",
                "en": "You reject a k larger than the number of vectors (argpartition does so too). Return what there "
                "is: k = min(k, len(vectors)).",
            },
        ),
        Misconception(
            "index_error",
            partition_fails,
            {
                "fr": "Votre fonction s’arrête quand k dépasse le nombre de vecteurs. Rendez ceux qu’il y a : une "
                "tranche [:k] ne dépasse jamais.",
                "en": "Your function stops where k is larger than the number of vectors. Return those that there are: "
                "a slice [:k] never goes too far.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Un seul produit donne tous les scores : vectors @ query. Reste à trier les numéros, du plus grand "
            "score au plus petit, et à en garder k.",
            "en": "One product gives all scores: vectors @ query. What is left is to sort the numbers, from the "
            "largest score to the smallest, and to keep k of them.",
        },
        {
            "fr": 'np.argsort(-scores, kind="stable")[:k].tolist() : le signe moins met les plus grands devant, '
            '"stable" laisse les ex æquo dans l’ordre des numéros. Avant, si k < 1, levez une ValueError.',
            "en": 'np.argsort(-scores, kind="stable")[:k].tolist(): the minus sign puts the largest first, "stable" '
            "leaves ties in order of number. Before that, raise a ValueError if k < 1.",
        },
    ),
)
