"""hnsw.insert: one node more, layer by layer from the top. Judged by what the graph must be, not link by link."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ragteach.checking.compare import Difference, same
from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.hnsw.inputs import by_distance, history, is_selection, layer_of, sorted_links
from ragteach.retrieval.hnsw import Layer, greedy_search, search_layer
from ragteach.retrieval.hnsw_build import connect, insert, select_neighbours

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Graph = tuple[list[Layer], int]

# A crowd on the right, one node on the left, one above; the last four are far away, beside each other.
PLACES = np.array([[0.0, 0], [2, 0], [2, 1], [3, 0], [-4, 0], [0, 5], [20, 0], [21, 0], [22, 0], [23, 0]])
ALL = 30  # an ef_construction that finds every node
# Node 0 has 2m = 4 neighbours in layer 0, all around it, and m = 2 in layer 1.
STAR = np.array([[0.0, 0], [4, 0], [-4, 0], [0, 4], [0, -4], [1, 1]])
STAR_LAYERS = [{0: [1, 2, 3, 4], 1: [0], 2: [0], 3: [0], 4: [0]}, {0: [1, 2], 1: [0], 2: [0]}]
# A line of ten nodes: from node 0, one must walk all of it to come to the place of the new node 10.
ROAD = np.array([[float(i), 0] for i in range(10)] + [[9.5, 0]])
ROAD_LAYERS = [{i: [j for j in (i - 1, i + 1) if 0 <= j < 10] for i in range(10)}, {0: [5], 5: [0, 9], 9: [5]}]


def inputs() -> SearchStrategy[tuple]:
    """Draw a graph that the reference built, and how the next node is inserted."""
    from hypothesis import strategies as st

    def call(seed: int, m: int, n: int, level: int, ef_construction: int) -> tuple:
        vectors, states = history(seed, m)
        layers, entry = states[n]
        return vectors, layers, entry, n, level, m, ef_construction

    return st.builds(
        call,
        st.integers(0, 2),
        st.integers(2, 4),
        st.integers(0, 25),
        st.integers(0, 3),
        st.sampled_from((ALL, 8, 4, 1)),
    )


def judge(args: tuple, expected: Any, got: Any) -> Difference | None:
    """Accept the expected graph, and any other that keeps every promise of the statement."""
    wanted, given = graph_of(expected), graph_of(got)
    if given is None:
        return same(expected, got)
    if wanted is None:
        return Difference("type", "", expected, got)
    if (list(map(sorted_links, wanted[0])), wanted[1]) == (list(map(sorted_links, given[0])), given[1]):
        return None
    if fault(args, wanted) is not None:  # the expected graph is itself a wrong one: see `diagnose`
        return Difference("value", "", expected, got)
    return fault(args, given)


def graph_of(got: Any) -> Graph | None:
    """Read layers and entry, of whatever sequence type; None where they are none."""
    if not isinstance(got, list | tuple) or len(got) != 2 or not isinstance(got[0], list | tuple):
        return None
    layers = [layer_of(layer) for layer in got[0]]
    is_node = isinstance(got[1], int | float) and not isinstance(got[1], bool) and got[1] == got[1] // 1
    return None if None in layers or not is_node else (layers, int(got[1]))


def fault(args: tuple, graph: Graph) -> Difference | None:
    """Find the first promise that a graph breaks; None where it is a right one."""
    vectors, layers, entry, node, level, m, ef_construction = args
    found, found_entry = graph
    n_layers = max(len(layers), level + 1)
    if len(found) != n_layers:
        return Difference("length", "[0]", list(range(n_layers)), found)
    entry = node if level >= len(layers) else entry
    if found_entry != entry:
        return Difference("value", "[1]", entry, found_entry)
    for number, layer in enumerate(found):
        old = layers[number] if number < len(layers) else {}
        m_max = 2 * m if number == 0 else m
        wrong = layer_fault(old, layer, node, number <= level, m_max) or too_few_or_crowded(
            vectors, old, layer, node, m, m_max, ef_construction
        )
        if wrong:
            place, expected = wrong
            path = f"[0][{number}]" + (f"[{place}]" if place is not None else "")
            return Difference("value", path, expected, layer if place is None else layer.get(place))
    return None


def layer_fault(old: Layer, new: Layer, node: int, inserted: bool, m_max: int) -> tuple[int | None, Any] | None:
    """Find where one layer is wrong whatever the distances: (node, what its links might be), or None."""
    if not inserted:
        return None if sorted_links(old) == sorted_links(new) else (None, old)
    if set(new) != {*old, node}:
        return None, {**old, node: new.get(node, [])}
    mine = new[node]
    if len(set(mine)) != len(mine) or not set(mine) <= set(old) or len(mine) > m_max:
        return node, list(dict.fromkeys(other for other in mine if other in old))[:m_max]
    for other, before in old.items():
        after, wanted = new[other], [*before, node] if other in mine else before
        if len(wanted) <= m_max or other not in mine:
            if sorted(after) != sorted(wanted):
                return other, wanted
        elif len(set(after)) != len(after) or not set(after) <= set(wanted) or not 0 < len(after) <= m_max:
            return other, wanted[:m_max]
    return None


def too_few_or_crowded(
    vectors: np.ndarray, old: Layer, new: Layer, node: int, m: int, m_max: int, ef_construction: int
) -> tuple[int, list[int]] | None:
    """Find whether the new node's links are not those of the heuristic, chosen among all nodes that were found.

    How many it takes, from m to m_max, is open; and one link may stand apart, as that of the reference which ties
    the node to the rest.
    """
    if node not in new or not old:
        return None
    mine = by_distance(vectors, node, new[node])
    whole = ef_construction >= len(old)  # the search finds every node, however it is written
    least = m if whole else 1
    if len(mine) == m_max:
        least = min(least, m_max - 1)
    for links in [mine, *(mine[:i] + mine[i + 1 :] for i in range(len(mine)))]:
        if links and is_selection(vectors, node, old if whole else links, links, least, m_max):
            return None
    pool = list(old) if whole else mine
    return node, select_neighbours(vectors, node, pool, m)


def variant(
    choose=select_neighbours,
    bound=lambda number, m: 2 * m if number == 0 else m,
    ef=lambda ef_construction: ef_construction,
    link=connect,
    first=lambda level, top: min(level, top),
    last=0,
    new_layers=lambda node, top, level: [{node: []} for _ in range(top + 1, level + 1)],
    new_entry=lambda node, level, top, entry: node if level > top else entry,
):
    """Make an insertion as the paper's, with some of its parts exchanged."""

    def add(vectors, layers, entry, node, level, m, ef_construction):
        insert(vectors, layers, entry, node, level, m, ef_construction)  # refuses what the reference refuses
        layers, top = list(layers), len(layers) - 1
        place = entry
        for number in range(top, first(level, top), -1):
            place = greedy_search(vectors, layers[number], vectors[node], place)
        for number in range(first(level, top), last - 1, -1):
            found = search_layer(vectors, layers[number], vectors[node], [place], ef(ef_construction))
            found = [other for _, other in found]
            selected = choose(vectors, node, found, m)
            layers[number] = link(vectors, layers[number], node, selected, bound(number, m))
            place = found[0]
        return layers + new_layers(node, top, level), new_entry(node, level, top, entry)

    return add


def m_nearest(vectors, base, candidates, m):
    return by_distance(vectors, base, candidates)[:m]


def links_one_way(vectors, neighbours, node, selected, m_max):
    return {**neighbours, node: selected}


def never_pruned(vectors, neighbours, node, selected, m_max):
    return connect(vectors, neighbours, node, selected, 10**6)


def bottom_only(vectors, layers, entry, node, level, m, ef_construction):
    whole, new_entry = insert(vectors, layers, entry, node, level, m, ef_construction)
    return [whole[0], *layers[1:], *whole[max(1, len(layers)) :]], new_entry


def layers_alone(vectors, layers, entry, node, level, m, ef_construction):
    return insert(vectors, layers, entry, node, level, m, ef_construction)[0]


def empty_fails(vectors, layers, entry, node, level, m, ef_construction):
    if entry is None:
        raise IndexError("list index out of range")
    return insert(vectors, layers, entry, node, level, m, ef_construction)


MISCONCEPTIONS = (
    Misconception(
        "m_nearest",
        variant(choose=m_nearest),
        {
            "fr": "Le nouveau nœud se lie aux m plus proches, tous du même côté. Choisissez parmi les nœuds trouvés "
            "avec select_neighbours.",
            "en": "The new node is linked with the m nearest, all on the same side. Choose among the nodes found with "
            "select_neighbours.",
        },
    ),
    Misconception(
        "ef_ignored",
        variant(ef=lambda ef_construction: 1),
        {
            "fr": "Vous ne gardez qu’un nœud trouvé par étage : il n’y a rien à choisir. Cherchez avec search_layer et "
            "ef_construction.",
            "en": "You keep one node found in each layer, so there is nothing to choose from. Search with search_layer "
            "and ef_construction.",
        },
    ),
    Misconception(
        "one_way",
        variant(link=links_one_way),
        {
            "fr": "Le nouveau nœud connaît ses voisins, mais aucun lien ne mène à lui. Reliez-les avec connect, dans "
            "les deux sens.",
            "en": "The new node knows its neighbours, but no link leads to it. Link them with connect, both ways.",
        },
    ),
    Misconception(
        "never_pruned",
        variant(link=never_pruned),
        {
            "fr": "Des nœuds dépassent leur borne : 2m liens à l’étage 0, m au-dessus. Donnez-la à connect.",
            "en": "Nodes exceed their bound: 2m links in layer 0, m above. Give it to connect.",
        },
    ),
    Misconception(
        "m_everywhere",
        variant(bound=lambda number, m: m),
        {
            "fr": "Vous élaguez à m liens à l’étage 0. Le bas, où se joue la recherche, a droit à 2m.",
            "en": "You prune to m links in layer 0. The bottom, where the search is decided, is allowed 2m.",
        },
    ),
    Misconception(
        "twice_m_everywhere",
        variant(bound=lambda number, m: 2 * m),
        {
            "fr": "Vous permettez 2m liens à tous les étages. Ce n’est vrai qu’à l’étage 0 ; au-dessus, c’est m.",
            "en": "You allow 2m links in every layer. That holds for layer 0 only; above it is m.",
        },
    ),
    Misconception(
        "entry_unchanged",
        variant(new_entry=lambda node, level, top, entry: node if entry is None else entry),
        {
            "fr": "Un nœud monté plus haut que tous devient le point d’entrée : sinon ses étages ne servent jamais.",
            "en": "A node that climbs above all others becomes the entry: otherwise its layers are never used.",
        },
    ),
    Misconception(
        "always_the_entry",
        variant(new_entry=lambda node, level, top, entry: node),
        {
            "fr": "Le point d’entrée ne change que si le nœud monte plus haut que tous les étages existants.",
            "en": "The entry changes only where the node climbs above all existing layers.",
        },
    ),
    Misconception(
        "equal_is_higher",
        variant(new_entry=lambda node, level, top, entry: node if level >= top else entry),
        {
            "fr": "Un nœud qui monte jusqu’à l’étage du haut, sans le dépasser, ne remplace pas le point d’entrée.",
            "en": "A node that climbs to the top layer, and not above it, does not replace the entry.",
        },
    ),
    Misconception(
        "top_layers_missing",
        variant(new_layers=lambda node, top, level: [{node: []}] if level > top else []),
        {
            "fr": "Il manque des étages : un nœud de niveau 2 ouvre tous les étages jusqu’au 2.",
            "en": "Layers are missing: a node of level 2 opens all layers up to 2.",
        },
    ),
    Misconception(
        "one_layer_too_few",
        variant(last=1),
        {
            "fr": "L’étage 0 est oublié : range(a, 0, -1) s’arrête à 1. Écrivez range(a, -1, -1).",
            "en": "Layer 0 is forgotten: range(a, 0, -1) stops at 1. Write range(a, -1, -1).",
        },
    ),
    Misconception(
        "all_layers",
        variant(first=lambda level, top: top),
        {
            "fr": "Vous liez le nœud dans tous les étages. Au-dessus de level, on descend seulement, avec "
            "greedy_search.",
            "en": "You link the node in every layer. Above level you only walk down, with greedy_search.",
        },
    ),
    Misconception(
        "bottom_only",
        bottom_only,
        {
            "fr": "Vous ne liez le nœud qu’à l’étage 0. Il entre dans tous les étages de 0 à level.",
            "en": "You link the node in layer 0 only. It enters every layer from 0 to level.",
        },
    ),
    Misconception(
        "layers_alone",
        layers_alone,
        {
            "fr": "Vous rendez les étages seuls. Rendez le couple (étages, point d’entrée).",
            "en": "You return the layers alone. Return the pair (layers, entry).",
        },
    ),
    Misconception(
        "empty_fails",
        empty_fails,
        {
            "fr": "Votre fonction s’arrête quand le graphe est vide (layers vaut [], entry vaut None). Le premier nœud "
            "n’a personne à chercher : il ouvre ses étages et devient le point d’entrée.",
            "en": "Your function stops when the graph is empty (layers is [], entry is None). The first node has "
            "nobody to look for: it opens its layers and becomes the entry.",
        },
    ),
)

INSERT = Exercise(
    id="hnsw.insert",
    chapter="08_hnsw",
    entry="insert",
    title={"fr": "Insérer un nœud", "en": "Insert a node"},
    points=3,
    importance=3,
    minutes=12,
    reference=insert,
    examples=(
        Example(
            (PLACES, [], None, 0, 0, 2, ALL),
            {"fr": "Le premier nœud : un étage, aucun lien.", "en": "The first node: one layer, no link."},
        ),
        Example(
            (PLACES, [], None, 3, 2, 2, ALL),
            {
                "fr": "Le premier nœud ouvre tous ses étages, de 0 à level.",
                "en": "The first node opens all its layers, from 0 to level.",
            },
        ),
        Example(
            (PLACES, [{4: []}], 4, 0, 0, 2, ALL),
            {"fr": "Le deuxième nœud : un lien dans chaque sens.", "en": "The second node: a link each way."},
        ),
        Example(
            (PLACES, [{1: [2, 3], 2: [1, 3], 3: [1, 2, 4], 4: [3]}], 1, 0, 0, 2, ALL),
            {
                "fr": "Trois nœuds serrés d’un côté, un de l’autre : les liens vont des deux côtés.",
                "en": "Three nodes crowd on one side, one lies on the other: links go both ways.",
            },
        ),
        Example(
            (PLACES, [{4: [5], 5: [4]}, {4: []}], 4, 0, 1, 2, ALL),
            {
                "fr": "Le nœud monte jusqu’à l’étage du haut, sans le dépasser : le point d’entrée reste.",
                "en": "The node climbs to the top layer and not above it: the entry stays.",
            },
        ),
        Example(
            (PLACES, [{4: [5], 5: [4]}, {4: []}], 4, 0, 3, 2, ALL),
            {
                "fr": "Le nœud monte plus haut que tous : de nouveaux étages, et un nouveau point d’entrée.",
                "en": "The node climbs above all others: new layers, and a new entry.",
            },
        ),
        Example(
            (STAR, STAR_LAYERS, 0, 5, 0, 2, ALL),
            {
                "fr": "À l’étage 0, le nœud 0 avait déjà 2m liens ; l’étage 1 ne change pas.",
                "en": "In layer 0, node 0 had 2m links already; layer 1 does not change.",
            },
        ),
        Example(
            (STAR, STAR_LAYERS, 0, 5, 1, 2, ALL),
            {
                "fr": "À l’étage 1, la borne est m : le nœud 0 doit choisir parmi trois.",
                "en": "In layer 1 the bound is m: node 0 must choose among three.",
            },
        ),
        Example(
            (ROAD, ROAD_LAYERS, 0, 10, 0, 3, 4),
            {
                "fr": "ef_construction ne trouve ici que quatre nœuds : on descend d’abord par l’étage 1.",
                "en": "Here ef_construction finds four nodes only: one walks down from layer 1 first.",
            },
        ),
        Example((PLACES, [], None, 0, 0, 1, ALL), {"fr": "m = 1 : ValueError.", "en": "m = 1: ValueError."}),
        Example((PLACES, [], None, 0, -1, 2, ALL), {"fr": "level = −1 : ValueError.", "en": "level = -1: ValueError."}),
        Example(
            (PLACES, [{0: [1], 1: [0]}], 0, 1, 0, 2, ALL),
            {
                "fr": "Le nœud est déjà dans le graphe : ValueError.",
                "en": "The node is in the graph already: ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=MISCONCEPTIONS,
    hints=(
        {
            "fr": "Trois temps : descendre avec greedy_search au-dessus de level ; puis, étage par étage jusqu’à 0, "
            "chercher, choisir et lier ; enfin ouvrir les étages nouveaux.",
            "en": "Three stages: walk down with greedy_search above level; then, layer by layer down to 0, search, "
            "choose and link; lastly open the new layers.",
        },
        {
            "fr": "Avec top = len(layers) - 1, la descente parcourt range(top, level, -1) et les liens "
            "range(min(level, top), -1, -1). Le nœud le plus proche trouvé sert d’entrée à l’étage du dessous.",
            "en": "With top = len(layers) - 1, the descent runs over range(top, level, -1) and the linking over "
            "range(min(level, top), -1, -1). The nearest node found is the entry to the layer below.",
        },
        {
            "fr": "Pour un étage : found = [n for _, n in search_layer(vectors, layers[number], vectors[node], [here], "
            "ef_construction)] ; selected = select_neighbours(vectors, node, found, m) ; layers[number] = "
            "connect(vectors, layers[number], node, selected, 2 * m if number == 0 else m) ; here = found[0].",
            "en": "For one layer: found = [n for _, n in search_layer(vectors, layers[number], vectors[node], [here], "
            "ef_construction)]; selected = select_neighbours(vectors, node, found, m); layers[number] = "
            "connect(vectors, layers[number], node, selected, 2 * m if number == 0 else m); here = found[0].",
        },
    ),
    judge=judge,
    uses=("hnsw.greedy", "hnsw.search_layer", "hnsw.select", "hnsw.connect"),
)
