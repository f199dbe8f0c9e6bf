"""ivf.filtered: search among the allowed documents only."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.ivf.inputs import collections, counts, rows
from ragteach.retrieval.exact import exact_search, filtered_search

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

VECTORS = np.array([[3.0, 0.0], [2.0, 1.0], [0.0, 2.0], [1.0, 0.0], [-1.0, 0.0], [2.0, -1.0]])
QUERY = np.array([1.0, 0.0])  # scores 3, 2, 0, 1, -1, 2


def inputs() -> SearchStrategy[tuple]:
    """Draw vectors, a query, k and allowed numbers, in any order and sometimes repeated."""
    from hypothesis import strategies as st

    def allow(drawn: tuple) -> SearchStrategy[tuple]:
        numbers = st.lists(st.integers(0, len(drawn[0]) - 1), max_size=6)
        return st.tuples(counts(), numbers).map(lambda rest: (*drawn, *rest))

    def cut(vectors: np.ndarray) -> SearchStrategy[tuple]:
        few = st.lists(st.integers(0, len(vectors) - 1), min_size=2, max_size=4, unique=True)
        few |= few.map(lambda ids: [ids[-1], *ids])
        return st.tuples(st.just(vectors), rows(1, 2).map(lambda drawn: drawn[0]), st.integers(1, 2), few)

    # Half of the time many vectors and a small k: the best ones are not allowed, and the allowed ones far behind.
    return st.one_of(collections().flatmap(allow), *(rows(7, 2, largest).flatmap(cut) for largest in (2, 1)))


def filter_after(vectors, query, k, allowed):
    return [doc for doc in exact_search(vectors, query, k) if doc in set(allowed)]


def filter_after_more(vectors, query, k, allowed):
    return [doc for doc in exact_search(vectors, query, 2 * k) if doc in set(allowed)][:k]


def unfiltered(vectors, query, k, allowed):
    return exact_search(vectors, query, k)


def scores_with(vectors, query, allowed, others):
    scores = np.full(len(vectors), others)
    for doc in allowed:
        scores[doc] = vectors[doc] @ query
    return scores


def others_at_zero(vectors, query, k, allowed):
    return np.argsort(-scores_with(vectors, query, allowed, 0.0), kind="stable")[:k].tolist()


def others_last(vectors, query, k, allowed):
    return np.argsort(-scores_with(vectors, query, allowed, -np.inf), kind="stable")[:k].tolist()


def positions(vectors, query, k, allowed):
    ids = sorted(set(allowed))
    return [ids.index(doc) for doc in filtered_search(vectors, query, k, allowed)]


def positions_as_given(vectors, query, k, allowed):
    return exact_search(vectors[list(allowed)], query, k) if len(allowed) else []


def repeated(vectors, query, k, allowed):
    return sorted(sorted(allowed), key=lambda doc: -(vectors[doc] @ query))[:k]


def ties_as_given(vectors, query, k, allowed):
    return sorted(dict.fromkeys(allowed), key=lambda doc: -(vectors[doc] @ query))[:k]


def not_ranked(vectors, query, k, allowed):
    return sorted(set(allowed))[:k]


def forbidden(vectors, query, k, allowed):
    return filtered_search(vectors, query, k, set(range(len(vectors))) - set(allowed))


def empty_means_all(vectors, query, k, allowed):
    return filtered_search(vectors, query, k, allowed) if len(allowed) else exact_search(vectors, query, k)


def worst_first(vectors, query, k, allowed):
    return filtered_search(vectors, -query, k, allowed)


POSITIONS = {
    "fr": "Vous rendez des places dans la liste des permis. Traduisez-les en numéros : ids[place].",
    "en": "You return places in the list of allowed documents. Turn them into numbers: ids[place].",
}

FILTERED = Exercise(
    id="ivf.filtered",
    chapter="06_ivf",
    entry="filtered_search",
    title={"fr": "Chercher parmi les documents permis", "en": "Search among allowed documents"},
    points=2,
    importance=3,
    minutes=6,
    reference=filtered_search,
    uses=("ivf.exact",),
    examples=(
        Example(
            (VECTORS, QUERY, 2, [3, 4, 5]),
            {
                "fr": "Les deux meilleurs de tous (0 et 1) sont interdits : ce sont 5 et 3 qu’il faut, deux résultats "
                "et non zéro.",
                "en": "The two best of all (0 and 1) are not allowed: 5 and 3 are wanted, two results and not none.",
            },
        ),
        Example(
            (VECTORS, QUERY, 2, [2, 3, 4]),
            {
                "fr": "Même en prenant deux fois trop de résultats avant de filtrer, il en manquerait un.",
                "en": "Even by taking twice too many results before the filter, one would be missing.",
            },
        ),
        Example(
            (VECTORS, QUERY, 2, [4]),
            {
                "fr": "Un seul document permis : un seul résultat. Compléter avec un autre serait une fuite.",
                "en": "One document is allowed: one result. To fill up with another would be a leak.",
            },
        ),
        Example(
            (VECTORS, QUERY, 3, []),
            {
                "fr": "Rien n’est permis : une liste vide. « Aucun droit » ne veut pas dire « tout ».",
                "en": 'Nothing is allowed: an empty list. "No rights" does not mean "everything".',
            },
        ),
        Example(
            (VECTORS, QUERY, 2, [5, 1, 0]),
            {
                "fr": "1 et 5 sont à égalité derrière 0 : le plus petit numéro, bien que allowed cite 5 d’abord.",
                "en": "1 and 5 tie behind 0: the lower number, although allowed names 5 first.",
            },
        ),
        Example(
            (VECTORS, QUERY, 3, [1, 1, 3, 1]),
            {
                "fr": "Un numéro cité plusieurs fois n’est rendu qu’une fois.",
                "en": "A number that is named several times is returned once.",
            },
        ),
        Example(
            (VECTORS, QUERY, 10, [0, 1, 2, 3, 4, 5]),
            {
                "fr": "Tout est permis, et k dépasse : tous les documents, du meilleur au moins bon, score négatif "
                "compris.",
                "en": "Everything is allowed, and k is larger: all documents, best first, the negative score too.",
            },
        ),
        Example(
            (VECTORS, QUERY, 2, [0, 6]),
            {
                "fr": "Il n’y a pas de document 6 : levez une ValueError.",
                "en": "There is no document 6: raise a ValueError.",
            },
        ),
        Example(
            (VECTORS, QUERY, 2, [0, -1]),
            {
                "fr": "−1 désignerait le dernier document, que personne n’a permis : ValueError.",
                "en": "-1 would mean the last document, which nobody has allowed: ValueError.",
            },
        ),
        Example(
            (VECTORS, QUERY, 0, [0, 1]),
            {"fr": "k doit valoir au moins 1 : ValueError.", "en": "k must be at least 1: ValueError."},
        ),
    ),
    inputs=inputs,
    misconceptions=(
        Misconception(
            "filter_after",
            filter_after,
            {
                "fr": "Vous cherchez d’abord, puis filtrez les k trouvés : il en reste moins que k, parfois aucun. "
                "Filtrez avant de chercher.",
                "en": "You search first and then filter the k found: fewer than k are left, sometimes none. Filter "
                "before you search.",
            },
        ),
        Misconception(
            "filter_after_more",
            filter_after_more,
            {
                "fr": "Vous en cherchez deux fois trop, puis filtrez : un filtre sévère en laisse encore trop peu. "
                "Filtrez avant de chercher.",
                "en": "You search for twice as many, then filter: a strict filter still leaves too few. Filter before "
                "you search.",
            },
        ),
        Misconception(
            "unfiltered",
            unfiltered,
            {
                "fr": "Vous n’utilisez pas allowed : des documents interdits sortent.",
                "en": "You do not use allowed: documents that are not allowed come out.",
            },
        ),
        Misconception(
            "others_at_zero",
            others_at_zero,
            {
                "fr": "Vous donnez 0 aux documents interdits : ils dépassent les scores négatifs, et sortent. Ne "
                "calculez que sur les permis.",
                "en": "You give 0 to documents that are not allowed: they pass negative scores, and come out. Compute "
                "on the allowed ones only.",
            },
        ),
        Misconception(
            "others_last",
            others_last,
            {
                "fr": "Vous mettez les interdits à −∞ : ils sortent quand même s’il y a moins de k permis. Ne calculez "
                "que sur les permis.",
                "en": "You put those not allowed at minus infinity: they still come out where fewer than k are "
                "allowed. Compute on the allowed ones only.",
            },
        ),
        Misconception(
            "positions",
            positions,
            POSITIONS,
        ),
        Misconception(
            "positions_as_given",
            positions_as_given,
            POSITIONS,
        ),
        Misconception(
            "repeated",
            repeated,
            {
                "fr": "Un numéro répété dans allowed sort plusieurs fois. Passez par set(allowed).",
                "en": "A number repeated in allowed comes out several times. Go through set(allowed).",
            },
        ),
        Misconception(
            "ties_as_given",
            ties_as_given,
            {
                "fr": "À égalité, vous gardez l’ordre de allowed. Triez d’abord les numéros : sorted(set(allowed)).",
                "en": "In a tie you keep the order of allowed. Sort the numbers first: sorted(set(allowed)).",
            },
        ),
        Misconception(
            "not_ranked",
            not_ranked,
            {
                "fr": "Vous rendez les premiers permis, sans les classer. Classez-les par produit scalaire.",
                "en": "You return the first allowed documents without ranking them. Rank them by inner product.",
            },
        ),
        Misconception(
            "forbidden",
            forbidden,
            {
                "fr": "Le filtre est à l’envers : vous rendez ce qui n’est pas permis.",
                "en": "The filter is upside down: you return what is not allowed.",
            },
        ),
        Misconception(
            "empty_means_all",
            empty_means_all,
            {
                "fr": "Avec allowed vide, vous rendez tout : « if allowed » prend le vide pour une absence de filtre. "
                "Rien de permis, rien à rendre.",
                "en": 'With allowed empty you return everything: "if allowed" takes empty for the absence of a filter. '
                "Nothing allowed, nothing returned.",
            },
        ),
        Misconception(
            "worst_first",
            worst_first,
            {
                "fr": "Les bons documents, mais les pires d’abord. Triez l’opposé des scores.",
                "en": "The right documents, but the worst first. Sort the negated scores.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Réduisez vectors à ses lignes permises, cherchez dedans, puis traduisez les places trouvées en "
            "numéros.",
            "en": "Reduce vectors to its allowed rows, search in them, then turn the places found into numbers.",
        },
        {
            "fr": "ids = np.array(sorted(set(allowed)), dtype=int), puis places = exact_search(vectors[ids], query, "
            "k), puis ids[places].tolist().",
            "en": "ids = np.array(sorted(set(allowed)), dtype=int), then places = exact_search(vectors[ids], query, "
            "k), then ids[places].tolist().",
        },
        {
            "fr": "Avant : k < 1, ids[0] < 0 ou ids[-1] >= len(vectors), levez une ValueError. Et si ids est vide, "
            "rendez [] tout de suite.",
            "en": "Before that: if k < 1, ids[0] < 0 or ids[-1] >= len(vectors), raise a ValueError. And if ids is "
            "empty, return [] at once.",
        },
    ),
)
