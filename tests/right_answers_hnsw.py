"""Right answers to the exercises of chapter 08, each written as another reader would write it.

None of them imports the reference: a check that fails one of them punishes a right answer.
"""

import heapq
import itertools
import math
from collections import defaultdict

import numpy as np


def gap(vectors, i, j):
    """Give the squared distance of two rows, coordinate by coordinate."""
    return sum((float(a) - float(b)) ** 2 for a, b in zip(vectors[i], vectors[j], strict=True))


def to_query(vectors, i, query):
    return sum((float(a) - float(b)) ** 2 for a, b in zip(vectors[i], query, strict=True))


def by_product(vectors, ids, point):
    """Give squared distances from inner products: |x|² - 2x·q + |q|²."""
    rows = np.asarray(vectors)[np.asarray(list(ids), dtype=int)]
    return (rows**2).sum(axis=1) - 2 * rows @ point + point @ point


def refuse(bad, message="a bad argument"):
    if bad:
        raise ValueError(message)


def no_row(vectors, *nodes):
    return any(node not in range(len(vectors)) for node in nodes)


# Levels


def level_by_base(u, m):
    refuse(not 0 < u <= 1 or m < 2)
    return int(math.log(1 / u, m))


def level_by_numpy(u, m):
    if u <= 0 or u > 1 or m <= 1:
        raise ValueError("u or m is out of range")
    return np.floor(-np.log(u) * (1 / np.log(m)))


def level_by_counting(u, m):
    refuse(not (m >= 2 and 0 < u <= 1))
    level, bar = 0, 1 / m
    while u <= bar * (1 + 1e-12):
        level, bar = level + 1, bar / m
    return level


# Greedy search


def greedy_by_min(vectors, neighbours, query, entry):
    refuse(no_row(vectors, entry))
    while neighbours.get(entry):
        best = min(neighbours[entry], key=lambda node: (to_query(vectors, node, query), node))
        if to_query(vectors, best, query) >= to_query(vectors, entry, query):
            break
        entry = best
    return entry


def greedy_by_argmin(vectors, neighbours, query, entry):
    refuse(not 0 <= entry < len(vectors))
    distances = np.linalg.norm(np.asarray(vectors) - query, axis=1)
    while True:
        around = np.array([entry, *neighbours.get(entry, [])])
        step = around[np.argmin(distances[around])]  # argmin keeps the first of equals: where we stand
        if step == entry:
            return np.int64(entry)
        entry = step


def greedy_by_recursion(vectors, neighbours, query, entry):
    if no_row(vectors, entry):
        raise ValueError("entry")
    here = to_query(vectors, entry, query)
    nearer = [(to_query(vectors, n, query), n) for n in neighbours.get(entry, ()) if to_query(vectors, n, query) < here]
    return greedy_by_recursion(vectors, neighbours, query, min(nearer)[1]) if nearer else entry


# Search in one layer


def layer_by_two_heaps(vectors, neighbours, query, entry_points, ef):
    refuse(ef < 1 or not len(entry_points) or no_row(vectors, *entry_points))
    seen, candidates, found = set(), [], []

    def offer(node):
        seen.add(node)
        distance = to_query(vectors, node, query)
        if len(found) < ef or distance < -found[0][0]:
            heapq.heappush(candidates, (distance, node))
            heapq.heappush(found, (-distance, node))
            if len(found) > ef:
                heapq.heappop(found)

    for node in entry_points:
        if node not in seen:
            offer(node)
    while candidates:
        distance, node = heapq.heappop(candidates)
        if distance > -found[0][0]:
            break
        for other in neighbours.get(node, []):
            if other not in seen:
                offer(other)
    return sorted((-distance, node) for distance, node in found)


def layer_by_sorted_lists(vectors, neighbours, query, entry_points, ef):
    if ef <= 0 or len(entry_points) == 0:
        raise ValueError("ef or entry_points")
    refuse(no_row(vectors, *entry_points))
    pool = [[to_query(vectors, node, query), node, False] for node in dict.fromkeys(entry_points)]
    seen = {node for _, node, _ in pool}
    pool = sorted(pool)[:ef]
    while todo := [item for item in pool if not item[2]]:
        item = todo[0]
        item[2] = True
        for other in neighbours.get(item[1], []):
            if other not in seen:
                seen.add(other)
                pool.append([to_query(vectors, other, query), other, False])
        pool = sorted(pool, key=lambda item: item[:2])[:ef]
    return [[distance, node] for distance, node, _ in pool]


def layer_by_arrays(vectors, neighbours, query, entry_points, ef):
    refuse(ef < 1 or no_row(vectors, *entry_points) or not list(entry_points))
    distances = by_product(vectors, range(len(vectors)), query)
    nodes = np.unique(entry_points)
    walked = np.zeros(len(vectors), dtype=bool)
    seen = walked.copy()
    seen[nodes] = True
    while True:
        nodes = nodes[np.argsort(distances[nodes], kind="stable")][:ef]
        left = nodes[~walked[nodes]]
        if not left.size:
            return np.column_stack([distances[nodes], nodes])
        walked[left[0]] = True
        new = np.array([n for n in neighbours.get(int(left[0]), []) if not seen[n]], dtype=int)
        seen[new] = True
        nodes = np.concatenate([nodes, new])


# Choosing neighbours


def select_by_loops(vectors, base, candidates, m):
    refuse(m < 1 or no_row(vectors, base, *candidates))
    selected = []
    for d, c in sorted((gap(vectors, base, c), c) for c in set(candidates) if c != base):
        if len(selected) == m:
            break
        if not any(gap(vectors, c, s) < d for s in selected):
            selected.append(c)
    return selected


def select_by_masks(vectors, base, candidates, m):
    if m <= 0 or no_row(vectors, base, *candidates):
        raise ValueError("m, base or candidates")
    left = np.array(sorted(set(candidates) - {base}), dtype=int)
    to_base = by_product(vectors, left, np.asarray(vectors)[base])
    selected = []
    while left.size and len(selected) < m:
        first = int(np.argmin(to_base))
        selected.append(left[first])
        stay = by_product(vectors, left, vectors[left[first]]) >= to_base
        stay[first] = False
        left, to_base = left[stay], to_base[stay]
    return np.array(selected, dtype=int)


def select_by_recursion(vectors, base, candidates, m):
    refuse(m < 1 or no_row(vectors, base, *candidates))
    order = sorted(dict.fromkeys(c for c in candidates if c != base), key=lambda c: gap(vectors, base, c))

    def choose(left, wanted):
        if not left or not wanted:
            return ()
        nearest, *others = left
        others = [c for c in others if gap(vectors, c, nearest) >= gap(vectors, c, base)]
        return (nearest, *choose(others, wanted - 1))

    return choose(order, m)


# Linking


def refuse_links(vectors, node, selected, m_max):
    refuse(m_max < 1 or node in selected or no_row(vectors, node, *selected))


def connect_by_new_lists(vectors, neighbours, node, selected, m_max):
    refuse_links(vectors, node, selected, m_max)
    layer = {n: list(links) for n, links in neighbours.items()}
    layer.setdefault(node, [])
    for other in selected:
        for a, b in ((node, other), (other, node)):
            if b not in layer.setdefault(a, []):
                layer[a].append(b)
    for n in {node, *selected}:
        if len(layer[n]) > m_max:
            layer[n] = select_by_loops(vectors, n, layer[n], m_max)
    return layer


def connect_by_comprehension(vectors, neighbours, node, selected, m_max):
    refuse_links(vectors, node, selected, m_max)
    added = {node: set(selected)} | {other: {node} for other in selected}

    def links(n):
        if n not in added:
            return tuple(neighbours[n])
        whole = added[n] | set(neighbours.get(n, []))
        return tuple(select_by_masks(vectors, n, whole, m_max).tolist() if len(whole) > m_max else whole)

    return {n: links(n) for n in {*neighbours, *added}}


def connect_by_arrays(vectors, neighbours, node, selected, m_max):
    refuse_links(vectors, node, selected, m_max)
    layer = defaultdict(lambda: np.array([], dtype=int))
    layer.update({n: np.array(links, dtype=int) for n, links in neighbours.items()})
    layer[node] = np.union1d(layer[node], np.array(selected, dtype=int))
    for other in selected:
        layer[other] = np.union1d(layer[other], [node])
    for n in [node, *selected]:
        if layer[n].size > m_max:
            layer[n] = select_by_masks(vectors, n, layer[n].tolist(), m_max)
    return layer


# Inserting


def refuse_node(vectors, layers, entry, node, level, m, ef_construction):
    refuse(m < 2 or level < 0 or ef_construction < 1 or no_row(vectors, node))
    refuse(layers and (node in layers[0] or no_row(vectors, entry)))


def insert_as_the_paper(vectors, layers, entry, node, level, m, ef_construction):
    refuse_node(vectors, layers, entry, node, level, m, ef_construction)
    layers, top, here = list(layers), len(layers) - 1, entry
    for number in range(top, -1, -1):
        if number > level:
            here = greedy_by_min(vectors, layers[number], vectors[node], here)
            continue
        found = layer_by_two_heaps(vectors, layers[number], vectors[node], [here], ef_construction)
        selected = select_by_loops(vectors, node, [n for _, n in found], m)
        layers[number] = connect_by_new_lists(vectors, layers[number], node, selected, m if number else 2 * m)
        here = found[0][1]
    layers += [{node: []} for _ in range(level - top)]
    return layers, node if level > top else entry


def insert_from_many_entries(vectors, layers, entry, node, level, m, ef_construction):
    """Choose up to 2m links in layer 0, and enter each layer by all that was found above."""
    refuse_node(vectors, layers, entry, node, level, m, ef_construction)
    result, starts = [], [entry]
    for number in reversed(range(max(len(layers), level + 1))):
        layer = dict(layers[number]) if number < len(layers) else {}
        if layer:
            ef = ef_construction if number <= level else 1
            starts = [n for _, n in layer_by_sorted_lists(vectors, layer, vectors[node], starts, ef)]
        if number <= level:
            most = m if number else 2 * m
            links = select_by_masks(vectors, node, starts if layer else [], most).tolist()
            layer = connect_by_comprehension(vectors, layer, node, links, most)
        result.insert(0, layer)
    return tuple(result), entry if level < len(layers) else node


def insert_by_arrays(vectors, layers, entry, node, level, m, ef_construction):
    refuse_node(vectors, layers, entry, node, level, m, ef_construction)
    new = [dict(layer) for layer in layers] + [{} for _ in range(level + 1 - len(layers))]
    here = entry
    for number, layer in reversed(list(enumerate(new))):
        if number > level:
            here = int(greedy_by_argmin(vectors, layer, vectors[node], here))
        elif not layer:
            layer[node] = np.array([], dtype=int)
        else:
            wide = layer_by_arrays(vectors, layer, vectors[node], [here], ef_construction)[:, 1].astype(int)
            chosen = select_by_masks(vectors, node, wide.tolist(), m).tolist()
            new[number] = dict(connect_by_arrays(vectors, layer, node, chosen, m * (1 + (number == 0))))
            here = int(wide[0])
    return [new, entry if len(new) == len(layers) else node]


# Searching


def refuse_search(k, ef):
    refuse(k < 1 or ef < 1, "k and ef must be at least 1")


def search_by_layers(vectors, layers, entry, query, k, ef):
    refuse_search(k, ef)
    if not layers:
        return []
    for layer in layers[:0:-1]:
        entry = greedy_by_min(vectors, layer, query, entry)
    return [node for _, node in layer_by_two_heaps(vectors, layers[0], query, [entry], max(ef, k))][:k]


def search_by_arrays(vectors, layers, entry, query, k, ef):
    refuse_search(k, ef)
    if len(layers) == 0:
        return np.array([], dtype=int)
    place = entry
    for layer in reversed(layers[1:]):
        place = int(layer_by_arrays(vectors, layer, query, [place], 1)[0, 1])
    return layer_by_arrays(vectors, layers[0], query, [place], max(ef, k))[:k, 1].astype(int)


def search_from_many_entries(vectors, layers, entry, query, k, ef):
    """Search every layer with ef and go down with all that was found: more work, nothing lost."""
    refuse_search(k, ef)
    starts = [] if entry is None else [entry]
    for layer in reversed(layers):
        starts = [node for _, node in layer_by_sorted_lists(vectors, layer, query, starts, max(k, ef))]
    return itertools.islice(starts, k)


RIGHT_ANSWERS = {
    "hnsw.level": [level_by_base, level_by_numpy, level_by_counting],
    "hnsw.greedy": [greedy_by_min, greedy_by_argmin, greedy_by_recursion],
    "hnsw.search_layer": [layer_by_two_heaps, layer_by_sorted_lists, layer_by_arrays],
    "hnsw.select": [select_by_loops, select_by_masks, select_by_recursion],
    "hnsw.connect": [connect_by_new_lists, connect_by_comprehension, connect_by_arrays],
    "hnsw.insert": [insert_as_the_paper, insert_from_many_entries, insert_by_arrays],
    "hnsw.search": [search_by_layers, search_by_arrays, search_from_many_entries],
}
