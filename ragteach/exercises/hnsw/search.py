"""hnsw.search: down the layers, then around: the k nearest. Judged by how near what comes back is."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from ragteach.checking.compare import Difference, same
from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.hnsw.greedy import CHAIN, FORK, FORK_LINKS, GOAL, LINE
from ragteach.exercises.hnsw.inputs import NEAR, far_end, history, ids_of, layers, no_ties, points, queries, squared
from ragteach.retrieval.hnsw import Layer, greedy_search, hnsw_search, random_level, search_layer
from ragteach.retrieval.hnsw_build import insert

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

N_CLUSTERED, DIMS, M, EF_CONSTRUCTION = 200, 8, 4, 30
# Two hollows in layer 0: only layer 1 leads over to the other side.
SIDES = np.array([[0.0, 0], [1, 1], [2, 0], [10, 0], [11, 1], [12, 0]])
FAR = np.array([11.75, 0.0625])
SIDE_LAYERS = [{0: [1], 1: [0, 2], 2: [1], 3: [4], 4: [3, 5], 5: [4]}, {0: [3], 3: [0]}]
# Three islands in layer 0, and the ways, if any, that lead to the last one from the layers above.
ISLANDS = {0: [1], 1: [0, 2], 2: [1], 3: [4], 4: [3, 5], 5: [4], 6: [7], 7: [6, 8], 8: [7]}
WAYS = (
    [{0: [], 3: [6], 6: [3]}, {0: [3], 3: [0]}],
    [{0: [], 4: [7], 7: [4]}, {0: [4], 4: [0]}],
    [{0: [3], 3: [0, 6], 6: [3]}, {0: []}],
    [{0: [6], 6: [0]}],
    [{0: [], 1: [7], 7: [1]}],  # none: one never climbs up again
    [{0: [], 2: [6], 6: [2]}],
)


@lru_cache
def clustered() -> tuple[np.ndarray, list[Layer], int, np.ndarray]:
    """Draw points around ten centres and build their graph: vectors, layers, entry, and three queries."""
    rng = np.random.default_rng(8)
    centres = rng.normal(size=(10, DIMS))
    points = (centres[rng.integers(0, 10, N_CLUSTERED + 3)] + 0.35 * rng.normal(size=(N_CLUSTERED + 3, DIMS))).round(2)
    vectors, layers, entry = points[:N_CLUSTERED], [], None
    for node, u in enumerate(1 - rng.random(N_CLUSTERED)):
        layers, entry = insert(vectors, layers, entry, node, random_level(u, M), M, EF_CONSTRUCTION)
    return vectors, layers, entry, points[N_CLUSTERED:]


def in_clusters(query: int, k: int, ef: int) -> tuple:
    """Give the arguments of a search of the clustered set."""
    vectors, layers, entry, points = clustered()
    return vectors, layers, entry, points[query], k, ef


def inputs() -> SearchStrategy[tuple]:
    """Draw a search in a graph that the reference built, in one layer of few links, or in islands below long links."""
    from hypothesis import strategies as st

    def call(seed: int, m: int, n: int, query: np.ndarray, k: int, ef: int) -> tuple:
        vectors, states = history(seed, m)
        return (vectors, *states[n], query, k, ef)

    drawn = st.builds(
        call,
        st.integers(0, 2),
        st.integers(2, 3),
        st.just(0) | st.integers(1, 26),
        queries(),
        st.integers(1, 6),
        st.integers(1, 8),
    )

    def one_layer(vectors: np.ndarray) -> SearchStrategy[tuple]:
        """Search one layer from afar, with a small ef: where that stops, ef alone decides."""
        n = len(vectors)
        return st.tuples(layers(n, 2, 2), queries(), st.integers(1, 2), st.integers(2, 4)).map(
            lambda drawn: (vectors, [drawn[0]], far_end(vectors, drawn[1]), *drawn[1:])
        )

    def in_islands(vectors: np.ndarray, query: np.ndarray, upper: list[Layer], k: int, ef: int) -> tuple:
        """Put the points into order, the nearest last, and search from the first island for what is on the last."""
        order = ((vectors - query) ** 2).sum(axis=1).argsort()[::-1]
        return vectors[order], [ISLANDS, *upper], 0, query, k, ef

    islands = st.builds(
        in_islands, points(9, 9), queries(), st.sampled_from(WAYS), st.integers(1, 3), st.integers(1, 4)
    )
    every = st.one_of(drawn, points(5, 7).flatmap(one_layer), points(5, 7).flatmap(one_layer), islands)
    return every.filter(lambda args: no_ties(args[0], args[3]))


def judge(args: tuple, expected: Any, got: Any) -> Difference | None:
    """Accept nodes that are as near as the expected ones, rank by rank, or at least 95 % of the exact ones.

    With layer 0 alone there is but one way: from the entry, with ef. Who finds more there has not searched so.
    """
    wanted, given = ids_of(expected), ids_of(got)
    difference = same(expected, got)
    if difference is None or wanted is None or given is None or isinstance(got, set):
        return difference
    return None if good(args, wanted) and good(args, given) else difference


def good(args: tuple, found: list[int]) -> bool:
    """Tell whether a ranking may come from a search: nodes that can be reached, near enough, nearest first."""
    vectors, layers, entry, query, k, ef = args
    right = hnsw_search(*args)
    if len(layers) == 1 and no_ties(vectors, query):
        return found == right
    if not set(found) <= set(reachable(layers, entry)) or len(set(found)) != len(found):
        return False
    distances = [squared(vectors[node], query) for node in found]
    limits = [squared(vectors[node], query) for node in right]
    as_near = len(found) == len(right) and all(d <= limit + NEAR for d, limit in zip(distances, limits, strict=True))
    exact = sorted(squared(vectors[node], query) for node in layers[0])[:k] if layers else []
    recall = sum(d <= exact[-1] + NEAR for d in distances) / len(exact) if exact else 1.0
    in_order = all(a <= b + NEAR for a, b in zip(distances, distances[1:], strict=False))
    return in_order and len(found) == len(right) and (as_near or recall >= 0.95)


def reachable(layers: list[Layer], entry: int | None) -> list[int]:
    """List the nodes that links lead to from the entry, layer by layer: one never climbs up again."""
    found = [] if entry is None else [entry]
    for layer in reversed(layers):
        for node in found:  # grows as we go
            found += [other for other in dict.fromkeys(layer.get(node, [])) if other not in found]
    return found


def all_that_links_reach(vectors, layers, entry, query, k, ef):
    hnsw_search(vectors, layers, entry, query, k, ef)
    found = [] if entry is None else [entry]
    for node in found:
        found += [n for n in dict.fromkeys(o for layer in layers for o in layer.get(node, [])) if n not in found]
    return sorted(found, key=lambda node: squared(vectors[node], query))[:k]


def variant(
    down=lambda layers: reversed(layers[1:]),
    width=lambda k, ef: max(k, ef),
    bottom=lambda layers: layers[0],
    result=lambda found, k: [node for _, node in found[:k]],
):
    """Make a search as the reference's, with some of its parts exchanged."""

    def search(vectors, layers, entry, query, k, ef):
        hnsw_search(vectors, layers, entry, query, k, ef)  # refuses what the reference refuses
        if not layers:
            return []
        for layer in down(layers):
            entry = greedy_search(vectors, layer, query, entry)
        return result(search_layer(vectors, bottom(layers), query, [entry], width(k, ef)), k)

    return search


def exact(vectors, layers, entry, query, k, ef):
    hnsw_search(vectors, layers, entry, query, k, ef)
    order = np.argsort(((np.asarray(vectors) - query) ** 2).sum(axis=1), kind="stable")
    return order[:k].tolist()


def greedy_to_the_bottom(vectors, layers, entry, query, k, ef):
    hnsw_search(vectors, layers, entry, query, k, ef)
    if not layers:
        return []
    for layer in reversed(layers):
        entry = greedy_search(vectors, layer, query, entry)
    found = [entry, *layers[0].get(entry, [])]
    return sorted(found, key=lambda node: squared(vectors[node], query))[:k]


def empty_fails(vectors, layers, entry, query, k, ef):
    hnsw_search(vectors, layers, entry, query, k, ef)
    if not layers:
        raise IndexError("list index out of range")
    return hnsw_search(vectors, layers, entry, query, k, ef)


def too_few_fails(vectors, layers, entry, query, k, ef):
    found = hnsw_search(vectors, layers, entry, query, k, ef)
    if len(found) < k:
        raise IndexError("list index out of range")
    return found


MISCONCEPTIONS = (
    Misconception(
        "bottom_first",
        variant(down=lambda layers: layers[1:]),
        {
            "fr": "Vous parcourez les étages de bas en haut. On entre par le haut, où les liens sont longs, et l’on "
            "descend : reversed(layers[1:]).",
            "en": "You go through the layers from the bottom up. One enters at the top, where links are long, and "
            "walks down: reversed(layers[1:]).",
        },
    ),
    Misconception(
        "upper_layers_skipped",
        variant(down=lambda layers: []),
        {
            "fr": "Vous cherchez à l’étage 0 depuis le point d’entrée, sans descendre par les autres étages : sur un "
            "grand graphe, le chemin est long, et l’on se perd.",
            "en": "You search layer 0 from the entry, without walking down through the other layers: in a large graph "
            "the way is long, and one gets lost.",
        },
    ),
    Misconception(
        "top_layer_skipped",
        variant(down=lambda layers: reversed(layers[1:-1])),
        {
            "fr": "L’étage du haut est oublié : layers[1:-1] s’arrête avant lui. Écrivez reversed(layers[1:]).",
            "en": "The top layer is forgotten: layers[1:-1] stops before it. Write reversed(layers[1:]).",
        },
    ),
    Misconception(
        "ef_below_k",
        variant(width=lambda k, ef: ef),
        {
            "fr": "Quand ef est plus petit que k, vous rendez moins de k résultats. Comme hnswlib, cherchez avec "
            "max(k, ef).",
            "en": "Where ef is smaller than k you return fewer than k results. As hnswlib does, search with "
            "max(k, ef).",
        },
    ),
    Misconception(
        "k_as_ef",
        variant(width=lambda k, ef: k),
        {
            "fr": "Vous cherchez avec k au lieu de ef : c’est ef, plus grand, qui fait sortir des creux. Ne coupez à k "
            "qu’à la fin.",
            "en": "You search with k instead of ef: it is ef, the larger one, that leads out of hollows. Cut to k only "
            "at the end.",
        },
    ),
    Misconception(
        "ef_results",
        variant(result=lambda found, k: [node for _, node in found]),
        {
            "fr": "Vous rendez ef résultats. Coupez à k, après la recherche.",
            "en": "You return ef results. Cut to k, after the search.",
        },
    ),
    Misconception(
        "greedy_to_the_bottom",
        greedy_to_the_bottom,
        {
            "fr": "Vous marchez aussi à l’étage 0 avec greedy_search, puis regardez les voisins de l’arrivée. À "
            "l’étage 0, il faut search_layer avec ef.",
            "en": "You walk through layer 0 too with greedy_search, and look at the neighbours of where you end. In "
            "layer 0, search_layer with ef is needed.",
        },
    ),
    Misconception(
        "top_layer_only",
        variant(down=lambda layers: [], bottom=lambda layers: layers[-1]),
        {
            "fr": "Vous cherchez dans layers[-1], l’étage du haut, où presque aucun nœud ne se trouve. L’étage du bas "
            "est layers[0].",
            "en": "You search layers[-1], the top layer, where hardly any node is. The bottom layer is layers[0].",
        },
    ),
    Misconception(
        "pairs",
        variant(result=lambda found, k: found[:k]),
        {
            "fr": "Vous rendez les couples de search_layer. Rendez seulement les numéros des nœuds.",
            "en": "You return the pairs of search_layer. Return the numbers of the nodes only.",
        },
    ),
    Misconception(
        "farthest_first",
        variant(result=lambda found, k: [node for _, node in found[:k]][::-1]),
        {
            "fr": "Vos résultats sont à l’envers. search_layer donne déjà le plus proche d’abord.",
            "en": "Your results are reversed. search_layer gives the nearest first already.",
        },
    ),
    Misconception(
        "exact",
        exact,
        {
            "fr": "Vous mesurez tous les vecteurs, même ceux qui ne sont pas dans le graphe. Cherchez par les liens, "
            "avec greedy_search puis search_layer.",
            "en": "You measure all vectors, even those that are not in the graph. Search along the links, with "
            "greedy_search and then search_layer.",
        },
    ),
    Misconception(
        "all_that_links_reach",
        all_that_links_reach,
        {
            "fr": "Vous visitez tous les nœuds que des liens atteignent, puis vous triez : c’est aussi long que de "
            "tout mesurer. Descendez avec greedy_search, puis cherchez avec search_layer, que ef arrête.",
            "en": "You visit all nodes that links reach, and then sort: that takes as long as measuring everything. "
            "Walk down with greedy_search, then search with search_layer, which ef stops.",
        },
    ),
    Misconception(
        "empty_fails",
        empty_fails,
        {
            "fr": "Votre fonction s’arrête sur un graphe vide (layers vaut [], entry vaut None). Il n’y a rien à "
            "trouver : rendez [].",
            "en": "Your function stops at an empty graph (layers is [], entry is None). There is nothing to find: "
            "return [].",
        },
    ),
    Misconception(
        "too_few_fails",
        too_few_fails,
        {
            "fr": "Votre fonction s’arrête quand il y a moins de k nœuds. Rendez ceux qui existent.",
            "en": "Your function stops where there are fewer than k nodes. Return those that exist.",
        },
    ),
)

SEARCH = Exercise(
    id="hnsw.search",
    chapter="08_hnsw",
    entry="hnsw_search",
    title={"fr": "Chercher dans tout le graphe", "en": "Search the whole graph"},
    points=2,
    importance=3,
    minutes=6,
    reference=hnsw_search,
    examples=(
        Example(
            (LINE, [CHAIN, {0: [3], 3: [0, 5], 5: [3]}, {0: []}], 0, np.array([4.25, 0]), 3, 3),
            {
                "fr": "Trois étages, trois résultats : le plus proche d’abord.",
                "en": "Three layers, three results: the nearest first.",
            },
        ),
        Example(
            (SIDES, SIDE_LAYERS, 0, np.array([11.25, 0.0625]), 3, 3),
            {
                "fr": "Deux îles à l’étage 0 : seul l’étage 1 mène de l’une à l’autre.",
                "en": "Two islands in layer 0: only layer 1 leads from one to the other.",
            },
        ),
        Example(
            (SIDES, [*SIDE_LAYERS, {0: []}], 0, np.array([11.25, 0.0625]), 2, 2),
            {
                "fr": "L’étage du haut ne contient que le départ : c’est l’étage 1 qui fait passer de l’autre côté.",
                "en": "The top layer holds the start only: it is layer 1 that leads to the other side.",
            },
        ),
        Example(
            (SIDES, [{0: [1], 1: [0], 3: [4], 4: [3], 5: []}, {0: [], 3: [5], 5: [3]}, {0: [3], 3: [0]}], 0, FAR, 1, 2),
            {
                "fr": "L’étage 2 fait passer de l’autre côté, l’étage 1 mène au but : l’ordre compte.",
                "en": "Layer 2 leads to the other side, layer 1 to the goal: the order matters.",
            },
        ),
        Example(
            (FORK, [FORK_LINKS], 0, GOAL, 1, 3),
            {
                "fr": "ef plus grand que k : la recherche sort du creux, et l’on ne rend qu’un nœud.",
                "en": "ef larger than k: the search gets out of the hollow, and one node is returned.",
            },
        ),
        Example(
            (LINE, [CHAIN], 0, np.array([4.25, 0]), 4, 1),
            {"fr": "ef plus petit que k compte pour k.", "en": "An ef below k counts as k."},
        ),
        Example(
            (LINE, [{0: [1], 1: [0]}], 0, np.array([4.25, 0]), 3, 5),
            {
                "fr": "Deux nœuds seulement sont dans le graphe : on rend ces deux-là, bien qu’il y ait d’autres "
                "vecteurs.",
                "en": "Only two nodes are in the graph: these two come back, although there are more vectors.",
            },
        ),
        Example(
            (LINE, [], None, np.array([4.25, 0]), 3, 5), {"fr": "Un graphe vide : [].", "en": "An empty graph: []."}
        ),
        Example(
            in_clusters(0, 10, 40),
            {
                "fr": "Deux cents vecteurs en grappes : au moins 95 % des dix plus proches.",
                "en": "Two hundred clustered vectors: at least 95% of the ten nearest.",
            },
        ),
        Example(
            (FORK, [FORK_LINKS], 0, GOAL, 1, 1),
            {
                "fr": "k = 1 et ef = 1 : la recherche s’arrête dans le creux. On ne trouve que ce que ef permet.",
                "en": "k = 1 and ef = 1: the search stops in the hollow. One finds no more than ef allows.",
            },
        ),
        Example(
            (LINE, [CHAIN], 0, np.array([4.25, 0]), 0, 5), {"fr": "k = 0 : ValueError.", "en": "k = 0: ValueError."}
        ),
        Example(
            (LINE, [CHAIN], 0, np.array([4.25, 0]), 2, 0), {"fr": "ef = 0 : ValueError.", "en": "ef = 0: ValueError."}
        ),
    ),
    inputs=inputs,
    misconceptions=MISCONCEPTIONS,
    hints=(
        {
            "fr": "Deux temps : descendre de l’étage du haut à l’étage 1 avec greedy_search, puis chercher à l’étage 0 "
            "avec search_layer.",
            "en": "Two stages: walk down from the top layer to layer 1 with greedy_search, then search layer 0 with "
            "search_layer.",
        },
        {
            "fr": "`for layer in reversed(layers[1:]): entry = greedy_search(vectors, layer, query, entry)`. Puis "
            "search_layer(vectors, layers[0], query, [entry], max(k, ef)), dont on garde les k premiers nœuds. Et [] "
            "pour un graphe vide.",
            "en": "`for layer in reversed(layers[1:]): entry = greedy_search(vectors, layer, query, entry)`. Then "
            "search_layer(vectors, layers[0], query, [entry], max(k, ef)), of which the first k nodes are kept. And [] "
            "for an empty graph.",
        },
    ),
    judge=judge,
    uses=("hnsw.greedy", "hnsw.search_layer"),
)
