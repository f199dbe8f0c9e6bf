"""hnsw.greedy: walk to the nearest neighbour as long as it brings us nearer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.hnsw.inputs import far_end, layers, no_ties, points, queries, squared, without_lone_nodes
from ragteach.retrieval.hnsw import greedy_search, search_layer

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

LINE = np.array([[0.0, 0], [1, 0], [2, 0], [3, 0], [4, 0], [5, 0]])
CHAIN = {0: [1], 1: [0, 2], 2: [1, 3], 3: [2, 4], 4: [3, 5], 5: [4]}
# Two ways out of node 0: node 1 is nearer to the query and leads nowhere else, node 2 less near and leads to the goal.
FORK = np.array([[0.0, 0], [3, 1], [2, -1], [4, -1], [6, 0]])
FORK_LINKS = {0: [2, 1], 1: [0], 2: [0, 3], 3: [2, 4], 4: [3]}
GOAL = np.array([6.25, 0.0625])


def inputs() -> SearchStrategy[tuple]:
    """Draw points, a layer of them, a query and where to start: often far away, or beside a node just as near."""
    from hypothesis import strategies as st

    def world(vectors: np.ndarray) -> SearchStrategy[tuple]:
        layer = layers(len(vectors)) | layers(len(vectors), 0, 2).map(without_lone_nodes)
        return st.tuples(st.just(vectors), layer, queries(), st.integers(0, len(vectors) - 1))

    def long_way(vectors: np.ndarray) -> SearchStrategy[tuple]:
        return st.tuples(layers(len(vectors), 2, 2), queries()).map(
            lambda drawn: (vectors, *drawn, far_end(vectors, drawn[1]))
        )

    def mirrored(x: int, y: int, further: int, query: int) -> tuple:
        vectors = np.array([[x, y], [-x, y], [0, further]], dtype=float)
        return vectors, {0: [1], 1: [0, 2], 2: [1]}, np.array([0.0, query]), 0

    sides = st.integers(-2, 2)
    worlds = st.one_of(points(1, 7).flatmap(world), points(6, 7).flatmap(long_way), points(7, 7).flatmap(long_way))
    return worlds.filter(lambda drawn: no_ties(drawn[0], drawn[2])) | st.builds(
        mirrored, st.sampled_from((1, 2, -1)), sides, sides, sides
    )


def nearest(vectors, query, around, here):
    return min(around, key=lambda node: squared(vectors[node], query))


def walk(choose=nearest, moves=lambda new, old: new < old):
    """Make a walk from how it chooses a neighbour, and from when the new distance is worth a move."""

    def greedy(vectors, neighbours, query, entry):
        greedy_search(vectors, {}, query, entry)  # refuses what the reference refuses
        node = entry
        for _ in vectors:
            around = neighbours.get(node, [])
            choice = choose(vectors, query, around, node) if around else node
            if not moves(squared(vectors[choice], query), squared(vectors[node], query)):
                break
            node = choice
        return node

    return greedy


def first_nearer(vectors, query, around, here):
    nearer = [node for node in around if squared(vectors[node], query) < squared(vectors[here], query)]
    return nearer[0] if nearer else here


def nearest_to_here(vectors, query, around, here):
    return min(around, key=lambda node: squared(vectors[node], vectors[here]))


def farthest(vectors, query, around, here):
    return max(around, key=lambda node: squared(vectors[node], query))


def one_step(vectors, neighbours, query, entry):
    greedy_search(vectors, {}, query, entry)
    around = [entry, *neighbours.get(entry, [])]
    return min(around, key=lambda node: squared(vectors[node], query))


def exact(vectors, neighbours, query, entry):
    greedy_search(vectors, {}, query, entry)
    return int(np.argmin(((np.asarray(vectors) - query) ** 2).sum(axis=1)))


def distance_returned(vectors, neighbours, query, entry):
    return squared(vectors[greedy_search(vectors, neighbours, query, entry)], query)


def whole_reach(vectors, neighbours, query, entry):
    return search_layer(vectors, neighbours, query, [entry], len(vectors))[0][1]


def missing_key_fails(vectors, neighbours, query, entry):
    if set(range(len(vectors))) - set(neighbours):
        raise KeyError(entry)
    return greedy_search(vectors, neighbours, query, entry)


def path_returned(vectors, neighbours, query, entry):
    greedy_search(vectors, {}, query, entry)
    path = [entry]
    while True:
        around = neighbours.get(path[-1], [])
        best = min(around, key=lambda node: squared(vectors[node], query), default=None)
        if best is None or squared(vectors[best], query) >= squared(vectors[path[-1]], query):
            return path
        path.append(best)


MISCONCEPTIONS = (
    Misconception(
        "one_step",
        one_step,
        {
            "fr": "Vous ne faites qu’un pas. Recommencez depuis le nœud atteint, tant que l’on se rapproche : il faut "
            "une boucle while.",
            "en": "You take one step only. Start again from the node you reached, as long as you get nearer: a while "
            "loop is needed.",
        },
    ),
    Misconception(
        "first_nearer",
        walk(first_nearer),
        {
            "fr": "Vous partez vers le premier voisin qui rapproche. Regardez tous les voisins, et allez vers le plus "
            "proche de la question.",
            "en": "You leave for the first neighbour that is nearer. Look at all neighbours, and go to the one nearest "
            "to the query.",
        },
    ),
    Misconception(
        "exact",
        exact,
        {
            "fr": "Vous mesurez tous les vecteurs : c’est la recherche exacte. Un glouton ne voit que les voisins du "
            "nœud où il se trouve, et peut s’arrêter dans un creux.",
            "en": "You measure every vector: that is exact search. A greedy walk sees only the neighbours of the node "
            "where it stands, and may stop in a hollow.",
        },
    ),
    Misconception(
        "whole_reach",
        whole_reach,
        {
            "fr": "Vous explorez tout ce que l’on peut atteindre. Le glouton s’arrête dès qu’aucun voisin n’est plus "
            "proche que le nœud où il se trouve, même si plus loin il y a mieux.",
            "en": "You explore all that can be reached. A greedy walk stops as soon as no neighbour is nearer than the "
            "node where it stands, even if there is better farther on.",
        },
    ),
    Misconception(
        "equal_is_a_move",
        walk(moves=lambda new, old: new <= old),
        {
            "fr": "Vous bougez aussi à distance égale. Il faut être strictement plus proche, sinon deux nœuds à "
            "égalité se renvoient la balle sans fin.",
            "en": "You also move at equal distance. A move must bring you strictly nearer, or two tied nodes send you "
            "back and forth for ever.",
        },
    ),
    Misconception(
        "nearest_to_here",
        walk(nearest_to_here),
        {
            "fr": "Vous choisissez le voisin le plus proche du nœud où vous êtes. C’est la distance à la question qui "
            "compte.",
            "en": "You choose the neighbour nearest to the node where you stand. What counts is the distance to the "
            "query.",
        },
    ),
    Misconception(
        "farthest",
        walk(farthest),
        {
            "fr": "Parmi les voisins, vous prenez le plus éloigné de la question. Prenez le minimum, pas le maximum.",
            "en": "Among the neighbours you take the one farthest from the query. Take the minimum, not the maximum.",
        },
    ),
    Misconception(
        "distance_returned",
        distance_returned,
        {
            "fr": "Vous rendez la distance. Il faut le numéro du nœud où la marche s’arrête.",
            "en": "You return the distance. Return the number of the node where the walk stops.",
        },
    ),
    Misconception(
        "path_returned",
        path_returned,
        {
            "fr": "Vous rendez tout le chemin. Il faut seulement son dernier nœud.",
            "en": "You return the whole path. Return its last node only.",
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

GREEDY = Exercise(
    id="hnsw.greedy",
    chapter="08_hnsw",
    entry="greedy_search",
    title={"fr": "Marcher de voisin en voisin", "en": "Walk from neighbour to neighbour"},
    points=1,
    importance=3,
    minutes=6,
    reference=greedy_search,
    examples=(
        Example(
            (LINE, CHAIN, np.array([4.25, 0]), 0),
            {
                "fr": "Le long d’une file, chaque pas rapproche : on arrive au nœud 4.",
                "en": "Along a line every step brings us nearer: we arrive at node 4.",
            },
        ),
        Example(
            (LINE, CHAIN, np.array([4.25, 0]), 5),
            {"fr": "Le départ peut être de l’autre côté.", "en": "The start may be on the other side."},
        ),
        Example(
            (FORK, FORK_LINKS, GOAL, 0),
            {
                "fr": "Le voisin le plus proche de la question mène dans un creux : le glouton y reste, au nœud 1.",
                "en": "The neighbour nearest to the query leads into a hollow: the greedy walk stays there, at node 1.",
            },
        ),
        Example(
            (FORK, FORK_LINKS | {0: [1, 2], 1: [0, 4]}, GOAL, 0),
            {
                "fr": "Avec un lien de plus, le même départ mène au but.",
                "en": "With one more link the same start leads to the goal.",
            },
        ),
        Example(
            (np.array([[0.0, 0], [1, 0], [5, 3], [4, 0], [6, 0]]), {0: [1, 2], 1: [0], 2: [3, 4]}, GOAL, 0),
            {
                "fr": "Le plus proche de la question n’est pas le plus proche du nœud où l’on est.",
                "en": "The neighbour nearest to the query is not the one nearest to where we stand.",
            },
        ),
        Example(
            (np.array([[1.0, 0], [-1, 0], [0, 0]]), {0: [1], 1: [0, 2], 2: [1]}, np.array([0.0, 0]), 0),
            {
                "fr": "Un voisin à distance égale ne rapproche pas : on reste au nœud 0.",
                "en": "A neighbour at equal distance brings us no nearer: we stay at node 0.",
            },
        ),
        Example(
            (LINE, {}, np.array([4.25, 0]), 2),
            {
                "fr": "Un nœud absent du dictionnaire n’a pas de voisin : on reste sur place.",
                "en": "A node that is not in the dictionary has no neighbour: we stay where we are.",
            },
        ),
        Example(
            (LINE, {0: [1, 2]}, np.array([4.25, 0]), 0),
            {
                "fr": "Un lien à sens unique : le nœud atteint n’a pas de liste.",
                "en": "A link that leads one way: the node reached has no list.",
            },
        ),
        Example(
            (LINE, CHAIN, np.array([4.25, 0]), 6),
            {"fr": "entry n’est le numéro d’aucun vecteur : ValueError.", "en": "entry numbers no vector: ValueError."},
        ),
        Example(
            (LINE, CHAIN, np.array([4.25, 0]), -1),
            {
                "fr": "En Python, −1 désignerait le dernier vecteur sans rien dire : ValueError.",
                "en": "In Python -1 would silently mean the last vector: ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=MISCONCEPTIONS,
    hints=(
        {
            "fr": "Gardez le nœud où vous êtes et sa distance à la question. À chaque tour, cherchez le voisin le plus "
            "proche de la question.",
            "en": "Keep the node where you stand and its distance to the query. In each round, look for the neighbour "
            "nearest to the query.",
        },
        {
            "fr": "La distance au carré est ((vectors[node] - query) ** 2).sum(). Les voisins sont "
            "neighbours.get(node, []) ; s’il n’y en a pas, on s’arrête.",
            "en": "The squared distance is ((vectors[node] - query) ** 2).sum(). The neighbours are "
            "neighbours.get(node, []); if there are none, stop.",
        },
        {
            "fr": "`while True: best = min(neighbours.get(node, []), key=distance, default=node)`, où distance(i) "
            "donne la distance du nœud i ; si distance(best) >= distance(node), rendez node ; sinon node = best.",
            "en": "`while True: best = min(neighbours.get(node, []), key=distance, default=node)`, where distance(i) "
            "gives node i's distance; if distance(best) >= distance(node), return node; otherwise node = best.",
        },
    ),
)
