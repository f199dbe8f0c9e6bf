"""Building the graph of HNSW: choose neighbours, link, insert (algorithms 1, 3 and 4; see `hnsw` for the data)."""

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain

import numpy as np

from ragteach.retrieval.arguments import at_least, matrix, require
from ragteach.retrieval.hnsw import Layer, Measure, check_nodes, greedy, squared_distances

WIDTH = 16  # candidates that `beam_search` takes at a time


def select_neighbours(vectors: np.ndarray, base: int, candidates: Sequence[int], m: int) -> list[int]:
    """Choose at most m of the candidates as neighbours of `base`, nearest first (algorithm 4).

    Keep the nearest, drop every candidate that is nearer to it than to the base, and repeat with what is left: so
    the links point in different directions, and some lead out of the base's cluster. As in hnswlib and FAISS a
    dropped candidate does not come back to fill up m, and one at equal distances stays. At equal distance the lower
    node comes first; the base itself is no candidate. Raises ValueError where m < 1 or a node is no row of vectors.
    """
    at_least("m", m, 1)
    vectors = matrix("vectors", vectors)
    check_nodes("base", [base], vectors)
    candidates = sorted(set(candidates) - {base})
    if candidates:
        check_nodes("candidates", candidates, vectors)
    return select(partial(squared_distances, vectors), vectors, base, candidates, m)


def connect(vectors: np.ndarray, neighbours: Layer, node: int, selected: Sequence[int], m_max: int) -> Layer:
    """Link a node with the selected ones both ways, and return the new layer; the old one stays as it was.

    Where one of them then has more than m_max neighbours, `select_neighbours` chooses among these (algorithm 1, lines
    11 to 16): it may well drop the new link, on one side. Raises ValueError where m_max < 1, the node is among the
    selected, or one is no row of vectors.
    """
    at_least("m_max", m_max, 1)
    vectors = matrix("vectors", vectors)
    check_nodes("node", [node], vectors)
    if len(selected):
        check_nodes("selected", selected, vectors)
    require(node not in selected, f"selected must not hold the node itself, {node}.")
    layer = dict(neighbours)
    layer[node] = [*layer.get(node, []), *selected]
    for other in selected:
        layer[other] = [*layer.get(other, []), node]
    for linked in (node, *selected):
        layer[linked] = list(dict.fromkeys(layer[linked]))  # each neighbour once
        if len(layer[linked]) > m_max:
            layer[linked] = select(partial(squared_distances, vectors), vectors, linked, layer[linked], m_max)
    return layer


def insert(
    vectors: np.ndarray,
    layers: Sequence[Layer],
    entry: int | None,
    node: int,
    level: int,
    m: int,
    ef_construction: int,
) -> tuple[list[Layer], int]:
    """Insert a node into layers 0 to `level`, and return the new layers and entry; the old ones stay (algorithm 1).

    Start with layers [] and entry None. No node ever has more than m links in a layer, or 2m in layer 0. The new
    node chooses at most m; in layer 0 it chooses 3m/2, half-way between the paper's m (hnswlib) and FAISS's 2m, which
    finds most for the distances measured. Pruning never cuts the tree of anchors (see `link`), so that from every
    node of a layer every other can be reached. Raises ValueError where m < 2, level < 0, ef_construction < 1, the
    node is already there or is no row of vectors.
    """
    at_least("m", m, 2)
    at_least("level", level, 0)
    at_least("ef_construction", ef_construction, 1)
    vectors = matrix("vectors", vectors)
    check_nodes("node", [node], vectors)
    require(not layers or node not in layers[0], f"node {node} is in the graph already.")
    if layers:
        check_nodes("entry", [entry], vectors)
    layers = [dict(layer) for layer in layers]
    entry = insert_into(partial(squared_distances, vectors), vectors, layers, entry, node, level, m, ef_construction)
    return layers, entry


# The same steps in place, with a function that measures distances: an index counts there what it computes.


def select(measure: Measure, vectors: np.ndarray, base: int, candidates: Sequence[int], m: int) -> list[int]:
    """Do what `select_neighbours` does.

    Seen from the base, x_j is nearer to x_i than to the base where it lies beyond the middle between the two:
    ‖x_i - x_j‖² < ‖x_j‖², that is x_i·x_j > ‖x_i‖²/2. One product of matrices tells it for all pairs.
    """
    ids = np.array(candidates, dtype=np.intp)
    to_base = measure(ids, vectors[base])
    order = np.lexsort((ids, to_base))
    ids, to_base = ids[order], to_base[order]
    points = vectors.take(ids, axis=0) - vectors[base]
    stay = points @ points.T <= to_base[:, None] / 2  # stay[i] tells who stays when i is kept
    selected: list[int] = []
    left = np.ones(len(ids), dtype=bool)
    while len(ids) and len(selected) < m and left[nearest := left.argmax()]:  # the first that is left, if any is
        selected.append(nearest)
        left &= stay[nearest]
        left[nearest] = False
    return ids[selected].tolist()


def insert_into(
    measure: Measure,
    vectors: np.ndarray,
    layers: list[Layer],
    entry: int | None,
    node: int,
    level: int,
    m: int,
    ef_construction: int,
) -> int:
    """Do what `insert` does, changing `layers`, and return the new entry."""
    point, here = vectors[node], entry
    for layer in reversed(layers[level + 1 :]):
        here = greedy(measure, layer, point, here)
    for number in reversed(range(min(level + 1, len(layers)))):
        m_max = 2 * m if number == 0 else m
        found = beam_search(measure, layers[number], point, here, ef_construction, len(vectors))
        selected = select(measure, vectors, node, found, (m + m_max) // 2)
        link(measure, vectors, layers[number], node, selected, m_max)
        here = found[0]
    while len(layers) <= level:
        layers.append({node: []})
        entry = node
    return entry


def beam_search(measure: Measure, neighbours: Layer, point: np.ndarray, entry: int, ef: int, n_nodes: int) -> list[int]:
    """Find the `ef` nodes nearest to a point, nearest first, as `search_layer` does but WIDTH candidates at a time.

    The neighbours of WIDTH nodes are measured and sorted in one batch: a few distances more than one node after the
    other, in far fewer steps.
    """
    seen = np.zeros(n_nodes, dtype=bool)
    seen[entry] = True
    nodes, distances, walked = np.array([entry]), measure([entry], point), np.array([False])
    while not walked.all():
        nearest = np.flatnonzero(~walked)[:WIDTH]  # nodes are sorted, the nearest first
        walked[nearest] = True
        linked = chain.from_iterable(neighbours.get(node, ()) for node in nodes[nearest].tolist())
        new = np.fromiter(linked, np.intp)
        new = np.unique(new[~seen[new]])
        seen[new] = True
        nodes = np.concatenate([nodes, new])
        distances = np.concatenate([distances, measure(new, point)])
        walked = np.concatenate([walked, np.zeros(len(new), dtype=bool)])
        best = np.argsort(distances, kind="stable")[:ef]
        nodes, distances, walked = nodes[best], distances[best], walked[best]
    return nodes.tolist()


def link(measure: Measure, vectors: np.ndarray, layer: Layer, node: int, selected: list[int], m_max: int) -> None:
    """Do what `connect` does, in place, without ever cutting the layer in two.

    Each node but a layer's first has an anchor: the nearest of the nodes that it was linked with first, and the
    first in its list. The links between a node and its anchor, both ways, are never pruned. They form a tree that
    spans the layer: whatever else is pruned, among duplicates or far clusters, no node becomes an island.
    """
    free = (other for other in along_tree(layer, selected) if len(anchored(layer, other)) < m_max)
    anchor = next(free, selected[0])
    layer[node] = [anchor, *(other for other in selected if other != anchor)][:m_max]
    for other in layer[node]:
        links = [*layer.get(other, []), node]
        if len(links) > m_max:
            kept = anchored(layer, other) + [node] * (other == anchor)
            chosen = select(measure, vectors, other, links, m_max)
            links = (kept + [choice for choice in chosen if choice not in kept])[:m_max]
        layer[other] = links


def anchored(layer: Layer, node: int) -> list[int]:
    """Give the neighbours to which a link of the tree leads: the node's anchor, then those whose anchor it is."""
    return [other for i, other in enumerate(layer[node]) if i == 0 or layer.get(other, [])[:1] == [node]]


def along_tree(layer: Layer, nodes: Sequence[int]) -> Iterator[int]:
    """Give the nodes, then those that the tree of anchors leads to from there, step by step."""
    reached, known = list(nodes), set(nodes)
    for node in reached:  # grows as we go
        yield node
        new = [other for other in anchored(layer, node) if other not in known]
        known.update(new)
        reached += new
