"""HNSW, a navigable graph in layers (Malkov & Yashunin, Efficient and robust approximate nearest neighbor search using
Hierarchical Navigable Small World graphs, 2016; "algorithm" below means one of that paper).

A layer is a dict that maps a node to the list of its neighbours; a node is the number of a row of `vectors`, and one
that is no key has no neighbour. `layers` lists the layers from the bottom up: layers[0] holds every node, each layer
above about 1/m of the nodes of the one below, and `entry`, the node where a search enters, stands in all of them.
Distances are squared Euclidean ones, as in hnswlib and FAISS; between vectors of norm 1 they order as the cosine does.
"""

from collections.abc import Callable, Sequence, Set
from functools import partial
from heapq import heapify, heappop, heappush, heapreplace
from math import floor, inf, log

import numpy as np

from ragteach.retrieval.arguments import at_least, matrix, require, vector

Layer = dict[int, list[int]]
Measure = Callable[[Sequence[int], np.ndarray], np.ndarray]  # ids (n,), point (d,) -> distances (n,)


def squared_distances(vectors: np.ndarray, ids: Sequence[int], point: np.ndarray) -> np.ndarray:
    """Give the squared Euclidean distance of each of the vectors `ids` to a point, in one batch: shape (len(ids),)."""
    differences = vectors.take(ids, axis=0) - point
    return np.einsum("ij,ij->i", differences, differences)


def random_level(u: float, m: int) -> int:
    """Give the highest layer of a new node, floor(-ln(u) / ln(m)), from a random u of (0, 1] (section 4.1).

    One node in m climbs to layer 1, one in m² to layer 2. Raises ValueError where u lies outside (0, 1] or m < 2.
    """
    require(0 < u <= 1, f"u must lie in (0, 1], not be {u}.")
    at_least("m", m, 2)
    return floor(-log(u) / log(m))


def greedy_search(vectors: np.ndarray, neighbours: Layer, query: np.ndarray, entry: int) -> int:
    """Walk from `entry` to the nearest neighbour of where we stand, as long as that brings us nearer to the query.

    This is algorithm 2 with ef = 1, for the upper layers. Raises ValueError where a node is no row of vectors.
    """
    vectors, query = check_query(vectors, query, [entry])
    return greedy(partial(squared_distances, vectors), neighbours, query, entry)


def search_layer(
    vectors: np.ndarray, neighbours: Layer, query: np.ndarray, entry_points: Sequence[int], ef: int
) -> list[tuple[float, int]]:
    """Return the `ef` nodes found nearest to the query as (squared distance, node), nearest first (algorithm 2).

    At equal distance the lower node comes first. Raises ValueError where ef < 1, there is no entry point, or a node
    is no row of vectors.
    """
    at_least("ef", ef, 1)
    vectors, query = check_query(vectors, query, entry_points, "entry_points")
    return search(partial(squared_distances, vectors), neighbours, query, entry_points, ef)


def hnsw_search(
    vectors: np.ndarray, layers: Sequence[Layer], entry: int | None, query: np.ndarray, k: int, ef: int
) -> list[int]:
    """Return the k nodes found nearest to the query, nearest first (algorithm 5).

    As in hnswlib, an ef below k counts as k. A graph without nodes (layers [], entry None) gives []. Raises
    ValueError where k < 1, ef < 1 or a node is no row of vectors.
    """
    at_least("k", k, 1)
    at_least("ef", ef, 1)
    if not layers:
        return []
    vectors, query = check_query(vectors, query, [entry])
    return [node for _, node in descend(partial(squared_distances, vectors), layers, entry, query, max(k, ef))[:k]]


def check_query(
    vectors: np.ndarray, query: np.ndarray, nodes: Sequence[int], name: str = "entry"
) -> tuple[np.ndarray, np.ndarray]:
    """Give vectors and query as arrays. Raises ValueError where they do not fit, or a node is no row of vectors."""
    vectors, query = matrix("vectors", vectors), vector("query", query)
    require(len(query) == vectors.shape[1], f"query must have {vectors.shape[1]} dimensions, not {len(query)}.")
    check_nodes(name, nodes, vectors)
    return vectors, query


def check_nodes(name: str, nodes: Sequence[int], vectors: np.ndarray) -> None:
    """Raise ValueError where there is no node, or one is no row of vectors."""
    require(len(nodes) > 0, f"{name} must name at least one node.")
    for node in nodes:
        known = isinstance(node, int | np.integer) and 0 <= node < len(vectors)
        require(known, f"{name} must name rows of the {len(vectors)} vectors, and {node} is none.")


# The same three searches with a function that measures distances: an index counts there what it computes.


def greedy(measure: Measure, neighbours: Layer, query: np.ndarray, entry: int) -> int:
    """Do what `greedy_search` does; a node that was measured once and was not nearer is not measured again."""
    node, distance = entry, float(measure([entry], query)[0])
    seen = {entry}
    while new := [other for other in neighbours.get(node, ()) if other not in seen]:
        seen.update(new)
        nearest, other = min(zip(measure(new, query).tolist(), new, strict=True))
        if nearest >= distance:
            break
        node, distance = other, nearest
    return node


def search(
    measure: Measure,
    neighbours: Layer,
    query: np.ndarray,
    entry_points: Sequence[int],
    ef: int,
    hidden: Set[int] = frozenset(),
) -> list[tuple[float, int]]:
    """Do what `search_layer` does; nodes of `hidden` are walked through like others, but never returned."""
    seen = set(map(int, entry_points))
    candidates = list(zip(measure(list(seen), query).tolist(), seen, strict=True))
    heapify(candidates)  # to walk to: the nearest on top
    # What was found so far, at most ef: a heap with the farthest on top, hence the signs.
    found = sorted((-distance, -node) for distance, node in candidates if node not in hidden)[-ef:]
    worst = -found[0][0] if len(found) == ef else inf  # nothing farther than this is of use
    while candidates:
        nearest, here = heappop(candidates)
        if nearest > worst:
            break  # all that is left to walk to is farther still
        new = list(dict.fromkeys(other for other in neighbours.get(here, ()) if other not in seen))
        if not new:
            continue
        seen.update(new)
        for distance, node in zip(measure(new, query).tolist(), new, strict=True):  # measured in one batch
            if distance < worst:
                heappush(candidates, (distance, node))
                if node not in hidden:
                    (heappush if len(found) < ef else heapreplace)(found, (-distance, -node))
                    worst = -found[0][0] if len(found) == ef else inf
    return sorted((-distance, -node) for distance, node in found)


def descend(
    measure: Measure,
    layers: Sequence[Layer],
    entry: int,
    query: np.ndarray,
    ef: int,
    hidden: Set[int] = frozenset(),
) -> list[tuple[float, int]]:
    """Walk greedily down to layer 0 and search there with `ef`: pairs (squared distance, node), nearest first."""
    for layer in reversed(layers[1:]):
        entry = greedy(measure, layer, query, entry)
    return search(measure, layers[0], query, [entry], ef, hidden)
