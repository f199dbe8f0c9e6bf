"""hnsw.select: the heuristic that chooses neighbours in different directions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ragteach.checking.compare import Difference, same
from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.hnsw.inputs import by_distance, ids_of, is_selection, points, squared
from ragteach.retrieval.hnsw_build import select_neighbours

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

# The base in the middle, three nodes close together on the right, one far above, one on the left.
CROWD = np.array([[0.0, 0], [2, 0], [2, 1], [3, 0], [0, 5], [-4, 0]])
ROW = np.array([[0.0, 0], [1, 0], [2, 0], [4, 0], [-3, 0]])
# Around node 0: some are as far from one another as from it.
AS_FAR = ((1, 1), (2, -1), (-1, 2), (2, 0), (1, 2), (1, -2), (-2, 0), (-2, 1))
SQUARE = np.array([[0.0, 0], [2, 0], [1, 1], [0, 2], [2, 2]])


def inputs() -> SearchStrategy[tuple]:
    """Draw points, a base, candidates (the base or repetitions among them), and how many to keep."""
    from hypothesis import strategies as st

    def world(vectors: np.ndarray) -> SearchStrategy[tuple]:
        node = st.integers(0, len(vectors) - 1)
        several = st.permutations(range(len(vectors))).map(lambda nodes: nodes[1:7])
        return st.tuples(st.just(vectors), node, st.lists(node, max_size=10) | several, st.integers(1, 5))

    def beside(places: list[tuple[int, int]], m: int) -> tuple:
        return np.array([(0, 0), *places[:5]], dtype=float), 0, [5, 4, 3, 2, 1], m

    tied = st.builds(beside, st.permutations(AS_FAR), st.integers(3, 5))
    return points(2, 10).flatmap(world) | points(7, 10).flatmap(world) | tied


def judge(args: tuple, expected: Any, got: Any) -> Difference | None:
    """Compare two selections; candidates at equal distance of the base may have been taken in any order."""
    difference = same(expected, got)
    if difference is None:
        return None
    vectors, base, candidates, m = args
    right = [is_selection(vectors, base, candidates, chosen or [], m, m) for chosen in (ids_of(expected), ids_of(got))]
    ordered = not isinstance(got, set) and ids_of(got) is not None
    return None if all(right) and ordered else difference


def variant(
    stays=lambda to_base, to_chosen, chosen_to_base: to_chosen >= to_base,
    compared=lambda chosen: chosen,
    order=by_distance,
    pool=lambda candidates, base: set(candidates) - {base},
    full=lambda chosen, m: len(chosen) >= m,
    fill=False,
):
    """Make a heuristic as the reference's, candidate by candidate, with some of its parts exchanged."""

    def select(vectors, base, candidates, m):
        select_neighbours(vectors, base, candidates, m)  # refuses what the reference refuses
        chosen, dropped = [], []
        for candidate in order(vectors, base, pool(candidates, base)):
            to_base = squared(vectors[candidate], vectors[base])
            good = all(
                stays(to_base, squared(vectors[candidate], vectors[c]), squared(vectors[c], vectors[base]))
                for c in compared(chosen)
            )
            if not full(chosen, m):
                (chosen if good else dropped).append(candidate)
        return by_distance(vectors, base, chosen + dropped[: max(0, m - len(chosen))]) if fill else chosen

    return select


def by_number(vectors, base, chosen, m):
    return sorted(select_neighbours(vectors, base, chosen, m))


def pairs(vectors, base, candidates, m):
    chosen = select_neighbours(vectors, base, candidates, m)
    return [(squared(vectors[c], vectors[base]), c) for c in chosen]


MISCONCEPTIONS = (
    Misconception(
        "m_nearest",
        variant(stays=lambda *_: True),
        {
            "fr": "Vous gardez simplement les m plus proches : tous peuvent être du même côté. Écartez un candidat "
            "plus proche d’un nœud déjà choisi que de la base.",
            "en": "You just keep the m nearest, which may all lie on the same side. Drop a candidate that is nearer to "
            "a node already chosen than to the base.",
        },
    ),
    Misconception(
        "upside_down",
        variant(stays=lambda to_base, to_chosen, _: to_chosen <= to_base),
        {
            "fr": "La comparaison est à l’envers : vous gardez les candidats qui se serrent autour d’un nœud choisi. "
            "Ce sont eux qu’il faut écarter.",
            "en": "The comparison is upside down: you keep candidates that crowd around a chosen node. They are the "
            "ones to drop.",
        },
    ),
    Misconception(
        "last_only",
        variant(compared=lambda chosen: chosen[-1:]),
        {
            "fr": "Vous ne comparez qu’au dernier nœud choisi. Il faut comparer à tous ceux qui le sont déjà.",
            "en": "You compare with the last node chosen only. Compare with all those chosen so far.",
        },
    ),
    Misconception(
        "first_only",
        variant(compared=lambda chosen: chosen[:1]),
        {
            "fr": "Vous ne comparez qu’au plus proche de tous. Il faut comparer à tous les nœuds déjà choisis.",
            "en": "You compare with the very nearest only. Compare with all nodes chosen so far.",
        },
    ),
    Misconception(
        "chosen_to_base",
        variant(stays=lambda _, to_chosen, chosen_to_base: to_chosen >= chosen_to_base),
        {
            "fr": "Vous comparez à la distance entre le nœud choisi et la base. C’est la distance du candidat à la "
            "base qui compte : est-il plus proche du nœud choisi, ou de la base ?",
            "en": "You compare with the distance from the chosen node to the base. What counts is the candidate's own "
            "distance to the base: is it nearer to the chosen node, or to the base?",
        },
    ),
    Misconception(
        "tie_dropped",
        variant(stays=lambda to_base, to_chosen, _: to_chosen > to_base),
        {
            "fr": "À égalité, vous écartez le candidat. Il reste : on n’écarte que ce qui est strictement plus proche "
            "d’un nœud choisi.",
            "en": "At equal distances you drop the candidate. It stays: only what is strictly nearer to a chosen node "
            "is dropped.",
        },
    ),
    Misconception(
        "filled_up",
        variant(fill=True),
        {
            "fr": "Vous complétez jusqu’à m avec des candidats écartés. L’article le permet, mais ni hnswlib ni FAISS "
            "ne le font : rendez-en moins de m.",
            "en": "You fill up to m with dropped candidates. The paper allows it, but neither hnswlib nor FAISS does "
            "it: return fewer than m.",
        },
    ),
    Misconception(
        "order_of_arrival",
        variant(
            order=lambda vectors, base, ids: list(ids),
            pool=lambda candidates, base: [c for c in dict.fromkeys(candidates) if c != base],
        ),
        {
            "fr": "Vous prenez les candidats dans l’ordre où ils arrivent. Triez-les d’abord par distance à la base.",
            "en": "You take candidates in the order in which they come. Sort them by distance to the base first.",
        },
    ),
    Misconception(
        "farthest_first",
        variant(order=lambda vectors, base, ids: by_distance(vectors, base, ids)[::-1]),
        {
            "fr": "Vous commencez par le candidat le plus éloigné. Commencez par le plus proche.",
            "en": "You begin with the farthest candidate. Begin with the nearest.",
        },
    ),
    Misconception(
        "base_kept",
        variant(pool=lambda candidates, base: set(candidates)),
        {
            "fr": "La base est parmi ses propres voisins, et sa distance nulle écarte tous les autres. Retirez-la des "
            "candidats.",
            "en": "The base is among its own neighbours, and at distance zero it drops all others. Take it out of the "
            "candidates.",
        },
    ),
    Misconception(
        "repeated",
        variant(
            pool=lambda candidates, base: [c for c in candidates if c != base], stays=lambda t, c, _: c >= t or c == 0
        ),
        {
            "fr": "Un candidat donné deux fois est choisi deux fois. Passez d’abord les candidats par un ensemble.",
            "en": "A candidate given twice is chosen twice. Put the candidates through a set first.",
        },
    ),
    Misconception(
        "m_ignored",
        variant(full=lambda chosen, m: False),
        {
            "fr": "Vous dépassez m. Arrêtez-vous dès que m voisins sont choisis.",
            "en": "You exceed m. Stop as soon as m neighbours are chosen.",
        },
    ),
    Misconception(
        "by_number",
        by_number,
        {
            "fr": "Les nœuds sont les bons, mais triés par numéro. Rendez-les dans l’ordre où ils sont choisis, le "
            "plus proche d’abord.",
            "en": "The nodes are right, but sorted by number. Return them in the order in which they are chosen, "
            "nearest first.",
        },
    ),
    Misconception(
        "pairs",
        pairs,
        {
            "fr": "Vous rendez des couples. Rendez seulement les numéros des nœuds.",
            "en": "You return pairs. Return the numbers of the nodes only.",
        },
    ),
)

SELECT = Exercise(
    id="hnsw.select",
    chapter="08_hnsw",
    entry="select_neighbours",
    title={"fr": "Choisir des voisins dans toutes les directions", "en": "Choose neighbours in all directions"},
    points=3,
    importance=3,
    minutes=10,
    reference=select_neighbours,
    examples=(
        Example(
            (CROWD, 0, [1, 2, 3, 4, 5], 3),
            {
                "fr": "Les trois nœuds de droite se serrent : un seul est gardé, et les liens partent dans trois "
                "directions.",
                "en": "The three nodes on the right crowd together: one is kept, and the links lead in three "
                "directions.",
            },
        ),
        Example(
            (CROWD, 0, [1, 2, 3, 4, 5], 2),
            {"fr": "Au plus m voisins, les plus proches d’abord.", "en": "At most m neighbours, the nearest first."},
        ),
        Example(
            (CROWD, 0, [3, 2, 1], 3),
            {
                "fr": "Un seul est gardé sur trois, bien que m = 3 : un candidat écarté ne revient pas.",
                "en": "One of three is kept although m = 3: a dropped candidate does not come back.",
            },
        ),
        Example(
            (ROW, 0, [4, 3, 2, 1], 4),
            {
                "fr": "Sur une ligne, un voisin de chaque côté suffit : l’ordre d’arrivée ne compte pas.",
                "en": "On a line one neighbour a side is enough; the order of arrival does not matter.",
            },
        ),
        Example(
            (SQUARE, 0, [1, 3, 4], 3),
            {
                "fr": "Le nœud 3 est plus loin du nœud 1 que de la base : il reste. Le nœud 4 est plus proche du nœud "
                "1 que de la base : il est écarté.",
                "en": "Node 3 is farther from node 1 than from the base: it stays. Node 4 is nearer to node 1 than to "
                "the base: it is dropped.",
            },
        ),
        Example(
            (np.array([[0.0, 0], [2, 0], [1, 2], [-3, 0], [-3, 2]]), 0, [1, 2, 3, 4], 4),
            {
                "fr": "Le nœud 2 est exactement à la même distance de la base et du nœud choisi 1 : il reste.",
                "en": "Node 2 is exactly as far from the base as from the chosen node 1: it stays.",
            },
        ),
        Example(
            (CROWD, 0, [0, 4, 1, 4, 0], 3),
            {
                "fr": "La base n’est pas candidate, et un candidat répété compte une fois.",
                "en": "The base is no candidate, and a repeated candidate counts once.",
            },
        ),
        Example(
            (CROWD, 3, [5, 4, 0, 2, 1], 5),
            {
                "fr": "La base n’est pas toujours le nœud 0 ni l’origine.",
                "en": "The base is not always node 0, nor the origin.",
            },
        ),
        Example((CROWD, 0, [], 3), {"fr": "Aucun candidat : aucun voisin.", "en": "No candidate: no neighbour."}),
        Example((CROWD, 0, [1, 4], 0), {"fr": "m = 0 : ValueError.", "en": "m = 0: ValueError."}),
        Example(
            (CROWD, 0, [1, 9], 2),
            {
                "fr": "Un candidat qui n’est le numéro d’aucun vecteur : ValueError.",
                "en": "A candidate that numbers no vector: ValueError.",
            },
        ),
        Example(
            (CROWD, -1, [1, 4], 2),
            {"fr": "base n’est le numéro d’aucun vecteur : ValueError.", "en": "base numbers no vector: ValueError."},
        ),
    ),
    inputs=inputs,
    misconceptions=MISCONCEPTIONS,
    hints=(
        {
            "fr": "Triez les candidats par distance à la base, sans doublons ni la base. Prenez-les un par un.",
            "en": "Sort the candidates by distance to the base, without repetitions and without the base. Take them "
            "one by one.",
        },
        {
            "fr": "Un candidat est gardé si, pour tous les nœuds déjà choisis, sa distance à ce nœud est supérieure ou "
            "égale à sa distance à la base.",
            "en": "A candidate is kept if, for all nodes chosen so far, its distance to that node is at least its "
            "distance to the base.",
        },
        {
            "fr": "for d, c in sorted((distance(base, c), c) for c in set(candidates) - {base}) : si len(selected) < m "
            "et all(distance(c, s) >= d for s in selected), alors selected.append(c).",
            "en": "for d, c in sorted((distance(base, c), c) for c in set(candidates) - {base}): if len(selected) < m "
            "and all(distance(c, s) >= d for s in selected), then selected.append(c).",
        },
    ),
    judge=judge,
)
