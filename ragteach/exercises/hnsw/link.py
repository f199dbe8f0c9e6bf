"""hnsw.connect: links both ways, pruned where there are too many."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ragteach.checking.compare import Difference, same
from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.hnsw.inputs import (
    by_distance,
    is_selection,
    layer_of,
    layers,
    points,
    sorted_links,
    without_lone_nodes,
)
from ragteach.retrieval.hnsw import Layer
from ragteach.retrieval.hnsw_build import connect, select_neighbours

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

# Node 0 in the middle; 1, 2 and 3 crowd together on its right, 4 lies on its left, 5 above, 6 far away.
AROUND = np.array([[0.0, 0], [2, 0], [2, 1], [3, 0], [-4, 0], [0, 5], [9, 9]])
SHARED = [4]  # one list that two nodes have


def inputs() -> SearchStrategy[tuple]:
    """Draw points, a layer without the last of them, whom to link it with, and the bound."""
    from hypothesis import strategies as st

    def world(vectors: np.ndarray) -> SearchStrategy[tuple]:
        node = len(vectors) - 1
        selected = st.lists(st.integers(0, node - 1), unique=True, max_size=3)
        return st.tuples(st.just(vectors), layers(node), st.just(node), selected, st.integers(1, 4))

    def crowded(vectors: np.ndarray) -> SearchStrategy[tuple]:
        """Draw a layer with many links, the node's own among them: there is something to prune, or linked already."""
        node = len(vectors) - 1
        selected = st.permutations(range(node)).map(lambda nodes: nodes[:3])
        return st.tuples(st.just(vectors), layers(node + 1, 2), st.just(node), selected, st.integers(2, 4))

    def sparse(vectors: np.ndarray) -> SearchStrategy[tuple]:
        """Draw a layer in which some nodes do not stand yet."""
        return world(vectors).map(lambda drawn: (drawn[0], without_lone_nodes(drawn[1]), *drawn[2:]))

    some = points(2, 7)
    return st.one_of(some.flatmap(world), some.flatmap(sparse), points(5, 7).flatmap(crowded))


def judge(args: tuple, expected: Any, got: Any) -> Difference | None:
    """Compare two layers: neighbours in any order, and where a list was pruned whatever the heuristic may choose."""
    wanted, given = layer_of(expected), layer_of(got)
    if wanted is None or given is None:
        return same(expected, got)
    difference = same(sorted_links(wanted), sorted_links(given))
    if difference is None or (fits(args, wanted) and fits(args, given)):
        return None
    return difference


def fits(args: tuple, layer: Layer) -> bool:
    """Tell whether a layer is what linking may give."""
    vectors, neighbours, node, selected, m_max = args
    before = {linked: links_before(args, linked) for linked in {*neighbours, node, *selected}}
    if set(layer) != set(before):
        return False
    for linked, links in before.items():
        if linked in (node, *selected) and len(links) > m_max:
            if not is_selection(vectors, linked, links, by_distance(vectors, linked, layer[linked]), m_max, m_max):
                return False
        elif sorted(links) != sorted(layer[linked]):
            return False
    return True


def links_before(args: tuple, linked: int) -> list[int]:
    """Give a node's links, the new ones included, before any is pruned."""
    _, neighbours, node, selected, _ = args
    new = selected if linked == node else [node] if linked in selected else []
    old = neighbours.get(linked, [])
    return list(dict.fromkeys([*old, *new])) if new else list(old)


def variant(prune=select_neighbours, both=True, pruned=lambda node, selected, layer: [node, *selected]):
    """Make a linking function as the reference's, with some of its parts exchanged."""

    def link(vectors, neighbours, node, selected, m_max):
        connect(vectors, neighbours, node, selected, m_max)  # refuses what the reference refuses
        layer = {n: list(links) for n, links in neighbours.items()}
        layer[node] = list(dict.fromkeys([*layer.get(node, []), *selected]))
        for other in selected if both else []:
            layer[other] = list(dict.fromkeys([*layer.get(other, []), node]))
        for linked in pruned(node, selected, layer):
            if len(layer.get(linked, [])) > m_max:
                layer[linked] = prune(vectors, linked, layer[linked], m_max)
        return layer

    return link


def nearest_kept(vectors, node, links, m_max):
    return by_distance(vectors, node, links)[:m_max]


def both_sides_cut(vectors, neighbours, node, selected, m_max):
    whole = variant(prune=lambda vectors, linked, links, m: links)(vectors, neighbours, node, selected, m_max)
    layer = connect(vectors, neighbours, node, selected, m_max)
    for linked in (node, *selected):
        for gone in set(whole[linked]) - set(layer[linked]):
            layer[gone] = [other for other in layer.get(gone, []) if other != linked]
    return layer


def in_place(vectors, neighbours, node, selected, m_max):
    connect(vectors, neighbours, node, selected, m_max)
    for a, b in [(node, other) for other in selected] + [(other, node) for other in selected]:
        links = neighbours.setdefault(a, [])
        if b not in links:
            links.append(b)
    neighbours.setdefault(node, [])
    for linked in (node, *selected):
        if len(neighbours[linked]) > m_max:
            neighbours[linked] = select_neighbours(vectors, linked, neighbours[linked], m_max)
    return neighbours


def overwritten(vectors, neighbours, node, selected, m_max):
    connect(vectors, neighbours, node, selected, m_max)
    return {**neighbours, node: list(selected), **{other: [node] for other in selected}}


def changed_only(vectors, neighbours, node, selected, m_max):
    layer = connect(vectors, neighbours, node, selected, m_max)
    return {linked: layer[linked] for linked in (node, *selected)}


def repeated(vectors, neighbours, node, selected, m_max):
    connect(vectors, neighbours, node, selected, m_max)
    layer = {**neighbours, node: [*neighbours.get(node, []), *selected]}
    for other in selected:
        layer[other] = [*layer.get(other, []), node]
    for linked in (node, *selected):
        if len(layer[linked]) > m_max:
            layer[linked] = select_neighbours(vectors, linked, layer[linked], m_max)
    return layer


def nothing_returned(vectors, neighbours, node, selected, m_max):
    connect(vectors, neighbours, node, selected, m_max)


def missing_key_fails(vectors, neighbours, node, selected, m_max):
    for other in selected:
        if other not in neighbours:
            raise KeyError(other)
    return connect(vectors, neighbours, node, selected, m_max)


MISCONCEPTIONS = (
    Misconception(
        "one_way",
        variant(both=False),
        {
            "fr": "Le nœud connaît ses voisins, mais ses voisins ne le connaissent pas : personne ne pourra le "
            "trouver. Ajoutez node dans la liste de chacun des selected.",
            "en": "The node knows its neighbours, but they do not know it: nobody will ever find it. Add node to the "
            "list of each of selected.",
        },
    ),
    Misconception(
        "never_pruned",
        variant(prune=lambda vectors, node, links, m_max: links),
        {
            "fr": "Vous n’élaguez pas : un nœud très demandé aurait des milliers de voisins. Au-delà de m_max, "
            "choisissez avec select_neighbours.",
            "en": "You do not prune: a popular node would end up with thousands of neighbours. Above m_max, choose "
            "with select_neighbours.",
        },
    ),
    Misconception(
        "nearest_kept",
        variant(prune=nearest_kept),
        {
            "fr": "Vous élaguez en gardant les m_max plus proches. Utilisez select_neighbours, qui garde des liens "
            "dans toutes les directions.",
            "en": "You prune by keeping the m_max nearest. Use select_neighbours, which keeps links in all directions.",
        },
    ),
    Misconception(
        "newest_kept",
        variant(prune=lambda vectors, node, links, m_max: links[-m_max:]),
        {
            "fr": "Vous gardez les m_max derniers arrivés, sans regarder les distances. Choisissez avec "
            "select_neighbours.",
            "en": "You keep the m_max latest, whatever their distances. Choose with select_neighbours.",
        },
    ),
    Misconception(
        "oldest_kept",
        variant(prune=lambda vectors, node, links, m_max: links[:m_max]),
        {
            "fr": "Quand la liste est pleine, vous refusez le nouveau lien, même s’il est meilleur. Choisissez parmi "
            "tous, le nouveau compris, avec select_neighbours.",
            "en": "When a list is full you turn the new link away, even where it is better. Choose among all of them, "
            "the new one included, with select_neighbours.",
        },
    ),
    Misconception(
        "node_never_pruned",
        variant(pruned=lambda node, selected, layer: selected),
        {
            "fr": "Vous n’élaguez que les voisins. La borne m_max vaut aussi pour node.",
            "en": "You prune the neighbours only. The bound m_max holds for node too.",
        },
    ),
    Misconception(
        "all_pruned",
        variant(
            prune=lambda vectors, node, links, m_max: select_neighbours(vectors, node, links, m_max),
            pruned=lambda node, selected, layer: list(layer),
        ),
        {
            "fr": "Vous élaguez aussi des nœuds dont la liste n’a pas changé. Ne touchez qu’à node et aux selected.",
            "en": "You also prune nodes whose lists have not changed. Touch node and those selected only.",
        },
    ),
    Misconception(
        "pruned_below_the_bound",
        lambda vectors, neighbours, node, selected, m_max: {
            linked: select_neighbours(vectors, linked, links, m_max) if linked in (node, *selected) else links
            for linked, links in connect(vectors, neighbours, node, selected, m_max).items()
        },
        {
            "fr": "Vous passez select_neighbours même sur une liste qui ne dépasse pas m_max : des liens utiles "
            "disparaissent. N’élaguez qu’au-delà de m_max.",
            "en": "You apply select_neighbours even to a list within m_max, and useful links vanish. Prune only above "
            "m_max.",
        },
    ),
    Misconception(
        "both_sides_cut",
        both_sides_cut,
        {
            "fr": "Quand un nœud abandonne un lien, vous coupez aussi l’autre sens. L’article ne le fait pas : le lien "
            "reste du côté qui l’a gardé.",
            "en": "When a node gives up a link you cut the other direction too. The paper does not: the link stays on "
            "the side that kept it.",
        },
    ),
    Misconception(
        "in_place",
        in_place,
        {
            "fr": "Vous modifiez les listes reçues : qui les partage les voit changer. Copiez le dictionnaire, puis "
            "remplacez une liste par une nouvelle ([*liste, node]) au lieu d’un append.",
            "en": "You change the lists that you were given, and whoever shares them sees them change. Copy the "
            "dictionary, and replace a list by a new one ([*links, node]) instead of using append.",
        },
    ),
    Misconception(
        "overwritten",
        overwritten,
        {
            "fr": "Les anciens liens des voisins ont disparu : vous remplacez leur liste par [node]. Ajoutez node à ce "
            "qu’ils ont déjà.",
            "en": "The neighbours' old links are gone: you replace their list by [node]. Add node to what they have "
            "already.",
        },
    ),
    Misconception(
        "changed_only",
        changed_only,
        {
            "fr": "Il manque des nœuds : rendez tout l’étage, y compris ceux qui n’ont pas changé.",
            "en": "Nodes are missing: return the whole layer, with those that have not changed.",
        },
    ),
    Misconception(
        "repeated",
        repeated,
        {
            "fr": "Un lien qui existait déjà figure deux fois. Gardez chaque voisin une seule fois.",
            "en": "A link that was there already stands twice. Keep each neighbour once.",
        },
    ),
    Misconception(
        "missing_key_fails",
        missing_key_fails,
        {
            "fr": "Votre fonction s’arrête sur un nœud sans liste. Il n’a pas encore de voisin : "
            "layer.get(other, []) donne une liste vide.",
            "en": "Your function stops at a node without a list. It has no neighbour yet: layer.get(other, []) gives "
            "an empty list.",
        },
    ),
    Misconception(
        "nothing_returned",
        nothing_returned,
        {
            "fr": "Votre fonction ne rend rien. Rendez le nouvel étage ; celui que vous avez reçu reste tel quel.",
            "en": "Your function returns nothing. Return the new layer; the one you were given stays as it was.",
        },
    ),
)

CONNECT = Exercise(
    id="hnsw.connect",
    chapter="08_hnsw",
    entry="connect",
    title={"fr": "Lier dans les deux sens", "en": "Link both ways"},
    points=2,
    importance=2,
    minutes=8,
    reference=connect,
    keeps_arguments=True,
    examples=(
        Example(
            (AROUND, {0: [1], 1: [0], 5: []}, 4, [0, 5], 3),
            {
                "fr": "Le lien va dans les deux sens, et l’ancien lien reste.",
                "en": "The link goes both ways, and the old one stays.",
            },
        ),
        Example(
            (AROUND, {0: [1]}, 4, [0, 1], 3),
            {
                "fr": "Le nœud 1 n’a pas encore de liste : il n’a pas de voisin.",
                "en": "Node 1 has no list yet: it has no neighbour.",
            },
        ),
        Example(
            (AROUND, {0: [1, 2, 5], 1: [0], 2: [0], 5: [0]}, 4, [0], 3),
            {
                "fr": "Le nœud 0 aurait quatre voisins : l’heuristique en garde trois, dans trois directions.",
                "en": "Node 0 would have four neighbours: the heuristic keeps three, in three directions.",
            },
        ),
        Example(
            (AROUND, {0: [1, 4], 1: [0], 4: [0]}, 3, [0], 2),
            {
                "fr": "Le nœud 0 garde ses deux anciens voisins : le nouveau lien ne reste que du côté du nœud 3.",
                "en": "Node 0 keeps its two old neighbours: the new link remains on node 3's side only.",
            },
        ),
        Example(
            (AROUND, {0: [2, 3], 2: [0], 3: [0]}, 1, [0], 2),
            {
                "fr": "Le nouveau voisin chasse les deux anciens : il en reste un seul, moins que m_max.",
                "en": "The new neighbour drives the two old ones out: one is left, fewer than m_max.",
            },
        ),
        Example(
            (AROUND, {0: [1, 2], 1: [0], 2: [0], 5: [4]}, 3, [0], 3),
            {
                "fr": "Trois voisins pour m_max = 3 : on ne touche à rien, même s’ils sont serrés.",
                "en": "Three neighbours for m_max = 3: nothing is pruned, even though they crowd.",
            },
        ),
        Example(
            (AROUND, {1: [0], 2: [0], 5: [1, 2, 3, 4]}, 0, [1, 2, 3], 2),
            {
                "fr": "node lui-même a trop de voisins : il est élagué aussi. Le nœud 5, qui n’est pas concerné, garde "
                "tout.",
                "en": "The node itself has too many neighbours: it is pruned too. Node 5, not concerned, keeps all.",
            },
        ),
        Example(
            (AROUND, {0: SHARED, 1: SHARED, 4: [0, 1]}, 5, [0], 3),
            {
                "fr": "Deux nœuds ont la même liste, [4]. Seul le nœud 0 reçoit un lien : l’autre ne doit pas changer.",
                "en": "Two nodes have the same list, [4]. Only node 0 gets a link: the other must not change.",
            },
        ),
        Example(
            (AROUND, {0: [1, 4], 1: [0], 4: [0]}, 1, [0, 4], 3),
            {
                "fr": "Un lien qui existe déjà ne compte pas deux fois.",
                "en": "A link that exists already does not count twice.",
            },
        ),
        Example(
            (AROUND, {0: [1], 1: [0]}, 3, [], 2),
            {
                "fr": "Personne à relier : le nœud entre dans l’étage avec une liste vide.",
                "en": "Nobody to link with: the node enters the layer with an empty list.",
            },
        ),
        Example(
            (AROUND, {0: [1], 1: [0]}, 2, [0], 0), {"fr": "m_max = 0 : ValueError.", "en": "m_max = 0: ValueError."}
        ),
        Example(
            (AROUND, {0: [1], 1: [0]}, 2, [0, 2], 3),
            {
                "fr": "Un nœud n’est pas son propre voisin : ValueError.",
                "en": "A node is no neighbour of its own: ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=MISCONCEPTIONS,
    hints=(
        {
            "fr": "Commencez par layer = dict(neighbours) : les listes sont encore celles d’avant, alors remplacez-les "
            "sans les modifier.",
            "en": "Begin with layer = dict(neighbours): its lists are still the old ones, so replace them without "
            "changing them.",
        },
        {
            "fr": "layer[other] = [*layer.get(other, []), node] fabrique une liste neuve. dict.fromkeys(liste) enlève "
            "les répétitions en gardant l’ordre.",
            "en": "layer[other] = [*layer.get(other, []), node] makes a new list. dict.fromkeys(links) removes "
            "repetitions and keeps the order.",
        },
        {
            "fr": "Pour finir, pour chaque linked de [node, *selected] : si len(layer[linked]) > m_max, alors "
            "layer[linked] = select_neighbours(vectors, linked, layer[linked], m_max).",
            "en": "Lastly, for each linked of [node, *selected]: if len(layer[linked]) > m_max, then layer[linked] = "
            "select_neighbours(vectors, linked, layer[linked], m_max).",
        },
    ),
    judge=judge,
    uses=("hnsw.select",),
)
