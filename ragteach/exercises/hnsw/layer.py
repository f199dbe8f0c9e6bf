"""hnsw.search_layer: best-first search that keeps the ef nearest nodes found."""

from __future__ import annotations

from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any

import numpy as np

from ragteach.checking.compare import Difference, same
from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.hnsw.greedy import CHAIN, FORK, FORK_LINKS, GOAL, LINE
from ragteach.exercises.hnsw.inputs import NEAR, layers, no_ties, points, queries, squared, without_lone_nodes
from ragteach.retrieval.hnsw import search_layer

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

START = np.array([4.25, 0])
# A hub whose neighbours come in no order; the nearest is node 3, and node 5 hangs behind node 4.
HUB = np.array([[0.0, 0], [3, 3], [-2, 1], [1, 1], [2, -2], [3, -1]])
HUB_LINKS = {0: [1, 2, 3, 4], 1: [0], 2: [0], 3: [0], 4: [0, 5], 5: [4]}
QUERY = np.array([2.25, 0.0625])


def inputs() -> SearchStrategy[tuple]:
    """Draw points, a layer of them, a query, where to start and how many to keep."""
    from hypothesis import strategies as st

    def world(vectors: np.ndarray) -> SearchStrategy[tuple]:
        n = len(vectors)
        starts = st.lists(st.integers(0, n - 1), min_size=1, max_size=2)
        return st.tuples(st.just(vectors), layers(n, 1), queries(), starts, st.integers(1, n + 1))

    def islands(vectors: np.ndarray) -> SearchStrategy[tuple]:
        """Draw few links, so that each entry point leads to other nodes, and some nodes to none."""
        layer = layers(len(vectors), 0, 1).map(without_lone_nodes)
        starts = st.permutations(range(len(vectors))).map(lambda nodes: nodes[:2])
        return st.tuples(st.just(vectors), layer, queries(), starts, st.integers(1, 4))

    worlds = st.one_of(*(points(n, 8).flatmap(world) for n in (1, 5, 7)), points(3, 6).flatmap(islands))
    return worlds.filter(lambda drawn: no_ties(drawn[0], drawn[2]))


def judge(args: tuple, expected: Any, got: Any) -> Difference | None:
    """Compare two lists of pairs; nodes at the same distance may stand in any order."""
    return same(in_order(expected), in_order(got))


def in_order(found: Any) -> Any:
    """Sort the nodes inside each run of equal distances; what is no list of pairs stays as it is."""
    if not isinstance(found, list | tuple | np.ndarray):
        return found
    pairs = found.tolist() if isinstance(found, np.ndarray) else list(found)
    if not all(isinstance(pair, list | tuple | np.ndarray) and len(pair) == 2 for pair in pairs):
        return found
    try:
        runs = np.cumsum([i > 0 and abs(pair[0] - pairs[i - 1][0]) > NEAR for i, pair in enumerate(pairs)])
        return [pairs[i] for i in sorted(range(len(pairs)), key=lambda i: (runs[i], pairs[i][1]))]
    except TypeError:
        return found


def variant(
    measure=squared,
    enough=lambda nearest, found: nearest > found[-1][0],
    kept=lambda entry_points: entry_points,
    again=False,
    result=lambda found, ef: found,
    size=lambda ef: ef,
    admit=lambda distance, found: True,
):
    """Make a search as the reference's, with sorted lists for heaps, and some of its parts exchanged."""

    def search(vectors, neighbours, query, entry_points, ef):
        search_layer(vectors, {}, query, entry_points, ef)  # refuses what the reference refuses
        most = size(ef)
        starts = list(dict.fromkeys(entry_points))
        seen = set(starts)
        candidates = sorted((measure(vectors[node], query), node) for node in starts)
        found = [pair for pair in candidates if pair[1] in kept(starts)][:most]
        for _ in range(5 * len(vectors)):
            if not candidates:
                break
            nearest, here = heappop(candidates)
            if found and enough(nearest, found):
                break
            for node in neighbours.get(here, []):
                distance = measure(vectors[node], query)
                if (again or node not in seen) and (len(found) < most or distance < found[-1][0]):
                    seen.add(node)
                    if admit(distance, found):
                        heappush(candidates, (distance, node))
                        found = sorted([*found, (distance, node)])[:most]
        return result(found, ef)

    return search


def greedy_only(vectors, neighbours, query, entry_points, ef):
    search_layer(vectors, {}, query, entry_points, ef)
    node = min(entry_points, key=lambda start: squared(vectors[start], query))
    path = [(squared(vectors[node], query), node)]
    while True:
        best = min(((squared(vectors[n], query), n) for n in neighbours.get(node, [])), default=None)
        if best is None or best >= path[-1]:
            return sorted(path)[:ef]
        node = best[1]
        path.append(best)


def exact(vectors, neighbours, query, entry_points, ef):
    search_layer(vectors, {}, query, entry_points, ef)
    return sorted((squared(vector, query), node) for node, vector in enumerate(vectors))[:ef]


def first_entry_only(vectors, neighbours, query, entry_points, ef):
    return search_layer(vectors, neighbours, query, entry_points[:1], ef)


def missing_key_fails(vectors, neighbours, query, entry_points, ef):
    for _, node in search_layer(vectors, neighbours, query, entry_points, ef):
        if node not in neighbours:
            raise KeyError(node)
    return search_layer(vectors, neighbours, query, entry_points, ef)


MISCONCEPTIONS = (
    Misconception(
        "not_squared",
        variant(result=lambda found, ef: [(distance**0.5, node) for distance, node in found]),
        {
            "fr": "Les nœuds sont justes, mais vos distances sont des racines carrées. Rendez les carrés, comme "
            "hnswlib : ils donnent le même ordre, sans racine à calculer.",
            "en": "The nodes are right, but your distances are square roots. Return the squares, as hnswlib does: they "
            "give the same order and need no root.",
        },
    ),
    Misconception(
        "pairs_swapped",
        variant(result=lambda found, ef: [(node, distance) for distance, node in found]),
        {
            "fr": "Vos couples sont (nœud, distance). Rendez (distance, nœud) : un tas compare d’abord le premier "
            "élément.",
            "en": "Your pairs are (node, distance). Return (distance, node): a heap compares the first item first.",
        },
    ),
    Misconception(
        "nodes_only",
        variant(result=lambda found, ef: [node for _, node in found]),
        {
            "fr": "Vous rendez les nœuds seuls. Rendez des couples (distance au carré, nœud).",
            "en": "You return the nodes alone. Return pairs (squared distance, node).",
        },
    ),
    Misconception(
        "farthest_first",
        variant(result=lambda found, ef: found[::-1]),
        {
            "fr": "Vos résultats vont du plus loin au plus proche. Un tas qui garde le plus éloigné sur le dessus se "
            "lit à l’envers : triez avant de rendre.",
            "en": "Your results run from the farthest to the nearest. A heap that keeps the farthest on top reads "
            "backwards: sort it before you return it.",
        },
    ),
    Misconception(
        "greedy_only",
        greedy_only,
        {
            "fr": "Vous suivez un seul chemin, comme greedy_search. Il faut revenir aux candidats laissés de côté : "
            "on explore toujours le plus proche de tous les candidats.",
            "en": "You follow a single path, as greedy_search does. Come back to the candidates left aside: the one to "
            "explore next is always the nearest of all candidates.",
        },
    ),
    Misconception(
        "exact",
        exact,
        {
            "fr": "Vous mesurez tous les vecteurs. Ne mesurez que ce que les liens permettent d’atteindre, depuis les "
            "points d’entrée.",
            "en": "You measure every vector. Measure only what links lead to, from the entry points on.",
        },
    ),
    Misconception(
        "never_stops_early",
        variant(size=lambda ef: 10**6, result=lambda found, ef: found[:ef]),
        {
            "fr": "Vous explorez tout ce qui est relié, puis gardez les ef meilleurs : ef ne limite plus le travail. "
            "Arrêtez dès que le plus proche candidat est plus loin que le pire des ef résultats.",
            "en": "You explore all that is linked and then keep the ef best, so ef no longer limits the work. Stop "
            "once the nearest candidate is farther than the worst of the ef results.",
        },
    ),
    Misconception(
        "stops_at_the_best",
        variant(enough=lambda nearest, found: nearest > found[0][0]),
        {
            "fr": "Vous arrêtez dès qu’un candidat est plus loin que le meilleur résultat. C’est au pire des ef "
            "résultats qu’il faut le comparer.",
            "en": "You stop as soon as a candidate is farther than the best result. Compare it with the worst of the "
            "ef results.",
        },
    ),
    Misconception(
        "more_than_ef",
        variant(size=lambda ef: ef + 1),
        {
            "fr": "Vous gardez un résultat de trop. Après chaque ajout, retirez le plus éloigné s’il y en a plus "
            "de ef.",
            "en": "You keep one result too many. After each addition, take the farthest out if there are more than ef.",
        },
    ),
    Misconception(
        "only_improvements",
        variant(admit=lambda distance, found: not found or distance < found[-1][0]),
        {
            "fr": "Vous n’acceptez un nœud que s’il bat le pire résultat. Tant qu’il y en a moins de ef, tout nœud "
            "nouveau est bon à prendre.",
            "en": "You accept a node only if it beats the worst result. While there are fewer than ef, every new node "
            "is welcome.",
        },
    ),
    Misconception(
        "no_visited_set",
        variant(again=True),
        {
            "fr": "Un même nœud revient plusieurs fois : retenez dans un ensemble ceux que vous avez déjà vus, points "
            "d’entrée compris.",
            "en": "The same node comes back several times: keep those already seen in a set, the entry points "
            "included.",
        },
    ),
    Misconception(
        "entries_not_returned",
        variant(kept=lambda entry_points: []),
        {
            "fr": "Les points d’entrée manquent parmi les résultats. Ils sont des nœuds trouvés comme les autres.",
            "en": "The entry points are missing from the results. They are nodes found like any others.",
        },
    ),
    Misconception(
        "first_entry_only",
        first_entry_only,
        {
            "fr": "Vous partez du premier point d’entrée seulement. Mettez-les tous parmi les candidats.",
            "en": "You start from the first entry point only. Put all of them among the candidates.",
        },
    ),
    Misconception(
        "missing_key_fails",
        missing_key_fails,
        {
            "fr": "Votre fonction s’arrête sur un nœud absent du dictionnaire. Il n’a pas de voisin : "
            "neighbours.get(node, []) donne alors une liste vide.",
            "en": "Your function stops at a node that is not in the dictionary. It has no neighbour: "
            "neighbours.get(node, []) gives an empty list.",
        },
    ),
)

SEARCH_LAYER = Exercise(
    id="hnsw.search_layer",
    chapter="08_hnsw",
    entry="search_layer",
    title={"fr": "Explorer un étage sans s’y enfermer", "en": "Search one layer without getting stuck"},
    points=3,
    importance=3,
    minutes=12,
    reference=search_layer,
    examples=(
        Example(
            (LINE, CHAIN, START, [0], 3),
            {
                "fr": "Trois résultats, le plus proche d’abord, avec les distances au carré.",
                "en": "Three results, nearest first, with squared distances.",
            },
        ),
        Example(
            (LINE, CHAIN, START, [4], 10),
            {
                "fr": "ef dépasse le nombre de nœuds : on les rend tous, une fois chacun, départ compris.",
                "en": "ef exceeds the number of nodes: all come back, once each, the start included.",
            },
        ),
        Example(
            (FORK, FORK_LINKS, GOAL, [0], 1),
            {"fr": "Avec ef = 1, on reste dans le creux.", "en": "With ef = 1 we stay in the hollow."},
        ),
        Example(
            (FORK, FORK_LINKS, GOAL, [0], 2),
            {
                "fr": "Avec ef = 2, on revient au second candidat, et l’on sort du creux.",
                "en": "With ef = 2 we come back to the second candidate, and get out of the hollow.",
            },
        ),
        Example(
            (HUB, HUB_LINKS, QUERY, [0], 1),
            {
                "fr": "Un candidat plus loin que le pire résultat arrête la recherche : ce qui est derrière n’est pas "
                "vu.",
                "en": "A candidate farther than the worst result ends the search: what lies behind it is not seen.",
            },
        ),
        Example(
            (HUB, HUB_LINKS, QUERY, [0], 4),
            {
                "fr": "Des voisins dans le désordre : on explore toujours le plus proche.",
                "en": "Neighbours in no order: the nearest is always explored first.",
            },
        ),
        Example(
            (LINE, {0: [1], 1: [0], 4: [5], 5: [4]}, START, [0, 4], 3),
            {
                "fr": "Deux points d’entrée, deux morceaux de graphe : on explore les deux.",
                "en": "Two entry points, two pieces of graph: both are explored.",
            },
        ),
        Example(
            (LINE, CHAIN, START, [5, 0, 5, 1], 2),
            {
                "fr": "Plus de points d’entrée que ef, et un qui revient : deux résultats, sans doublon.",
                "en": "More entry points than ef, and one given twice: two results, no duplicate.",
            },
        ),
        Example(
            (LINE, {0: [3]}, START, [0], 2),
            {
                "fr": "Un nœud absent du dictionnaire n’a pas de voisin.",
                "en": "A node that is not in the dictionary has no neighbour.",
            },
        ),
        Example((LINE, CHAIN, START, [0], 0), {"fr": "ef = 0 : ValueError.", "en": "ef = 0: ValueError."}),
        Example(
            (LINE, CHAIN, START, [], 2),
            {"fr": "Aucun point d’entrée : ValueError.", "en": "No entry point: ValueError."},
        ),
        Example(
            (LINE, CHAIN, START, [0, 9], 2),
            {
                "fr": "Un point d’entrée qui n’est le numéro d’aucun vecteur : ValueError.",
                "en": "An entry point that numbers no vector: ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=MISCONCEPTIONS,
    hints=(
        {
            "fr": "Deux collections : les candidats, où l’on prend toujours le plus proche, et les résultats, d’où "
            "l’on retire toujours le plus éloigné. Et un ensemble des nœuds déjà vus.",
            "en": "Two collections: the candidates, from which you always take the nearest, and the results, from "
            "which you always drop the farthest. Plus a set of nodes already seen.",
        },
        {
            "fr": "heapq met le plus petit sur le dessus. Pour y mettre le plus éloigné, poussez (-distance, nœud) : "
            "le pire résultat est alors à la distance -found[0][0].",
            "en": "heapq puts the smallest on top. To have the farthest there, push (-distance, node): the worst "
            "result is then at the distance -found[0][0].",
        },
        {
            "fr": "Tant qu’il y a des candidats : d, here = heappop(candidates) ; si d > -found[0][0], arrêtez. Pour "
            "chaque voisin non vu, notez-le vu ; si len(found) < ef ou si sa distance bat la pire, poussez-le dans "
            "les deux tas, et s’il y a plus de ef résultats, heappop(found). À la fin, remettez les signes et triez.",
            "en": "While there are candidates: d, here = heappop(candidates); if d > -found[0][0], stop. Mark each "
            "unseen neighbour as seen; if len(found) < ef or its distance beats the worst, push it on both heaps, and "
            "if there are more than ef results, heappop(found). At the end restore the signs and sort.",
        },
    ),
    judge=judge,
)
