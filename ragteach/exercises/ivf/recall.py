"""ivf.ann_recall: how much of the exact result the approximate one holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.retrieval.exact import ann_recall

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def inputs() -> SearchStrategy[tuple]:
    """Draw an approximate list, which may repeat itself, and an exact one, which does not."""
    from hypothesis import strategies as st

    numbers = st.integers(0, 6)
    return st.tuples(st.lists(numbers, max_size=6), st.lists(numbers, max_size=5, unique=True))


def by_place(approximate, exact):
    same = sum(a == b for a, b in zip(approximate, exact, strict=False))
    return same / len(exact) if exact else 1.0


def zero_for_nothing(approximate, exact):
    return ann_recall(approximate, exact) if exact else 0.0


def division_by_zero(approximate, exact):
    return len(set(approximate) & set(exact)) / len(exact)


def precision(approximate, exact):
    if not exact:
        return 1.0
    return len(set(approximate) & set(exact)) / len(approximate) if approximate else 0.0


def jaccard(approximate, exact):
    union = set(approximate) | set(exact)
    return len(set(approximate) & set(exact)) / len(union) if exact else 1.0


def repeats_count(approximate, exact):
    return sum(doc in exact for doc in approximate) / len(exact) if exact else 1.0


def number_found(approximate, exact):
    return len(set(approximate) & set(exact)) if exact else 1.0


def first_only(approximate, exact):
    return float(approximate[:1] == exact[:1]) if exact else 1.0


ANN_RECALL = Exercise(
    id="ivf.ann_recall",
    chapter="06_ivf",
    entry="ann_recall",
    title={"fr": "Le rappel d’une recherche approchée", "en": "Recall of an approximate search"},
    points=1,
    importance=3,
    minutes=3,
    reference=ann_recall,
    examples=(
        Example(
            ([4, 8, 1], [8, 1, 5, 4]),
            {
                "fr": "Trois des quatre voisins exacts sont là : 0,75. L’ordre ne compte pas.",
                "en": "Three of the four exact neighbours are there: 0.75. Order does not count.",
            },
        ),
        Example(
            ([1, 2, 3], [1, 2, 3]),
            {"fr": "La même liste : 1.", "en": "The same list: 1."},
        ),
        Example(
            ([7, 9], [1, 2, 3]),
            {"fr": "Rien en commun : 0.", "en": "Nothing in common: 0."},
        ),
        Example(
            ([], [1, 2]),
            {
                "fr": "La recherche approchée n’a rien rendu : 0.",
                "en": "The approximate search returned nothing: 0.",
            },
        ),
        Example(
            ([5, 6, 2, 9, 1], [1, 2]),
            {
                "fr": "Cinq candidats pour deux voisins exacts, tous deux présents : 1. On divise par ce qu’il fallait "
                "trouver.",
                "en": "Five candidates for two exact neighbours, both present: 1. Divide by what was to be found.",
            },
        ),
        Example(
            ([3, 3, 3], [3, 4]),
            {
                "fr": "Un numéro répété ne compte qu’une fois : 0,5.",
                "en": "A repeated number counts once: 0.5.",
            },
        ),
        Example(
            ([1, 2], []),
            {
                "fr": "Il n’y avait rien à trouver : rien ne manque, 1.0, et pas de division par zéro.",
                "en": "There was nothing to find: nothing is missing, 1.0, and no division by zero.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=(
        Misconception(
            "by_place",
            by_place,
            {
                "fr": "Vous comparez place à place. Le rappel ne regarde pas l’ordre : comptez les numéros communs, "
                "avec des ensembles.",
                "en": "You compare place by place. Recall ignores order: count the numbers in common, with sets.",
            },
        ),
        Misconception(
            "precision",
            precision,
            {
                "fr": "Vous divisez par la longueur de la liste approchée : c’est une précision. Divisez par le nombre "
                "de voisins exacts.",
                "en": "You divide by the length of the approximate list, which is a precision. Divide by the number "
                "of exact neighbours.",
            },
        ),
        Misconception(
            "jaccard",
            jaccard,
            {
                "fr": "Vous divisez par la réunion des deux listes (indice de Jaccard). Divisez par le nombre de "
                "voisins exacts.",
                "en": "You divide by the union of both lists (the Jaccard index). Divide by the number of exact "
                "neighbours.",
            },
        ),
        Misconception(
            "repeats_count",
            repeats_count,
            {
                "fr": "Un numéro répété compte plusieurs fois, et le rappel pourrait dépasser 1. Passez par "
                "set(approximate).",
                "en": "A repeated number counts several times, and recall could exceed 1. Go through set(approximate).",
            },
        ),
        Misconception(
            "number_found",
            number_found,
            {
                "fr": "Vous rendez le nombre de voisins trouvés. Divisez-le par le nombre de voisins exacts.",
                "en": "You return the number of neighbours found. Divide it by the number of exact neighbours.",
            },
        ),
        Misconception(
            "first_only",
            first_only,
            {
                "fr": "Vous ne comparez que les premiers. Le rappel porte sur les k voisins.",
                "en": "You compare the first ones only. Recall is about all k neighbours.",
            },
        ),
        Misconception(
            "zero_for_nothing",
            zero_for_nothing,
            {
                "fr": "Quand il n’y a rien à trouver, vous rendez 0. Rien ne manque pourtant : l’énoncé demande 1.0.",
                "en": "Where there is nothing to find you return 0. Yet nothing is missing: the exercise asks for 1.0.",
            },
        ),
        Misconception(
            "division_by_zero",
            division_by_zero,
            {
                "fr": "Une liste exacte vide arrête votre fonction. Rendez 1.0 dans ce cas.",
                "en": "An empty exact list stops your function. Return 1.0 in that case.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Combien de voisins exacts se trouvent aussi dans la liste approchée ? Un ensemble (set) le dit, & "
            "donne l’intersection.",
            "en": "How many exact neighbours are in the approximate list as well? A set tells; & gives the "
            "intersection.",
        },
        {
            "fr": "len(set(approximate) & set(exact)) / len(exact), et 1.0 si exact est vide.",
            "en": "len(set(approximate) & set(exact)) / len(exact), and 1.0 if exact is empty.",
        },
    ),
)
