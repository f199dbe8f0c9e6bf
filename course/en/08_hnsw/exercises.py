# ---
# jupyter:
#   jupytext:
#     cell_metadata_filter: all
#     notebook_metadata_filter: all,-language_info
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
#   ragteach:
#     chapter: 08_hnsw
#     course: '1'
#     kind: exercises
#     lang: en
# ---

# %% [markdown]
# # 08. HNSW, a navigable graph: the exercises
#
# Seven functions, from a single draw to the whole index. When they are done you will have written an HNSW index that
# works, and you will run it on ten thousand vectors. Allow **half an hour** once you have been through the lesson, for
# four of the seven are in it already (copy them over); an hour without it.
#
# **How it works.** Write the function, run its cell, then the one below. It tries your function on hand-picked examples
# and on others drawn at random; where one fails, it shows the smallest failing case, and often recognises the mistake.
# Hints come one at a time, with `hint("hnsw.level")` for instance.
#
# **Conventions.**
#
# - `vectors` is a NumPy array, one row a vector. A **node** is the number of a row.
# - A **layer** is a dictionary: for each node, the list of its neighbours. A node that is not in the dictionary has no
#   neighbour.
# - `layers` is the list of layers **from the bottom up**: `layers[0]` holds all nodes. `entry` is the node by which a
#   search enters, at the top. An empty graph is `layers = []` and `entry = None`.
# - Distances are **squared** Euclidean ones, as in hnswlib and FAISS: the same order, and no root to take. At equal
#   distance the lower number comes first; the checks do not depend on this detail.
#
# Your functions may call each other.

# %%
from ragteach.notebook import begin, check, hint, points

begin("08_hnsw", lang="en", course="1")

# %%
from heapq import heapify, heappop, heappush
from math import floor, log

import numpy as np


def squared_distances(vectors: np.ndarray, ids: list[int], point: np.ndarray) -> np.ndarray:
    """Give the squared distance of each node of ids to a point."""
    gaps = vectors[ids] - point
    return (gaps * gaps).sum(axis=1)


# %% [markdown]
# `squared_distances` is given to you: it measures several nodes in one go, which is far quicker than one at a time.
#
# ## 1. `random_level`: draw a node's layer
#
# **Level: warm-up (1 point). Importance: important. Time: 3 minutes.**
#
# Give the highest layer of a new node, from a number `u` drawn at random from (0, 1]:
#
# $$\left\lfloor \frac{-\ln u}{\ln m} \right\rfloor$$
#
# Raise `ValueError` if `u` is not in (0, 1], or if `m` is below 2.
#
# | call | result |
# |---|---|
# | `random_level(0.05, 16)` | `1`, since -ln(0.05)/ln(16) is about 1.08 |


# %% exercise="hnsw.level"
def random_level(u: float, m: int) -> int:
    """Give the highest layer of a new node."""
    ### BEGIN SOLUTION
    if not 0 < u <= 1:
        raise ValueError(f"u must lie in (0, 1], not be {u}.")
    if m < 2:
        raise ValueError(f"m must be at least 2, not {m}.")
    return floor(-log(u) / log(m))
    ### END SOLUTION


# %% check="hnsw.level"
random_level = check("hnsw.level", random_level)
points("hnsw.level")

# %% [markdown] tags=["solution"]
# **Explanation.** The result is at least 1 when $u \le 1/m$, which happens once in $m$ times; at least 2 when
# $u \le 1/m^2$, and so on. Each layer thus holds about one in $m$ of the nodes of the layer below.
#
# **Common mistakes**
# - multiplying by `log(m)`: in the paper, $m_L$ is $1/\ln m$.
# - `round`: some nodes climb one layer too high.
# - forgetting the minus sign: `log(u)` is negative.

# %% [markdown]
# ## 2. `greedy_search`: walk from neighbour to neighbour
#
# **Level: warm-up (1 point). Importance: essential. Time: 6 minutes.**
#
# In one layer, start from `entry`. In each step go to the neighbour that is **nearest to the query**, but only if it is
# **strictly** nearer to it than the node where you stand. Return the node where you stop.
#
# Raise `ValueError` if `entry` is not the number of a row of `vectors` (`-1` is none either).
#
# | call | result |
# |---|---|
# | `greedy_search(np.array([[0.0], [1], [2]]), {0: [1], 1: [0, 2]}, np.array([1.8]), 0)` | `2` |


# %% exercise="hnsw.greedy"
def greedy_search(
    vectors: np.ndarray, neighbours: dict[int, list[int]], query: np.ndarray, entry: int
) -> int:
    """Walk to the neighbour nearest to the query, as long as that brings us nearer."""
    ### BEGIN SOLUTION
    if not 0 <= entry < len(vectors):
        raise ValueError(f"entry must be the number of a vector, not {entry}.")
    node, distance = entry, squared_distances(vectors, [entry], query)[0]
    while neighbours.get(node):
        around = squared_distances(vectors, neighbours[node], query)
        nearest = around.argmin()
        if around[nearest] >= distance:
            break
        node, distance = neighbours[node][nearest], around[nearest]
    return node
    ### END SOLUTION


# %% check="hnsw.greedy"
greedy_search = check("hnsw.greedy", greedy_search)
points("hnsw.greedy")

# %% [markdown] tags=["solution"]
# **Explanation.** We keep the node and its distance. All neighbours are measured in one go, and `argmin` gives the
# nearest. If even that one is no nearer, none is: we stop. `neighbours.get(node)` is `None` for a node without a list,
# which ends the loop too.
#
# **Common mistakes**
# - leaving for the *first* neighbour that is nearer, instead of the nearest.
# - moving at equal distance: two tied nodes send you back and forth for ever.
# - looking for the neighbour nearest to *where you stand*: what counts is the query.

# %% [markdown]
# ## 3. `search_layer`: search one layer without getting stuck
#
# **Level: hard (3 points). Importance: essential. Time: 12 minutes.**
#
# This is the paper's algorithm 2. Keep
#
# - the **candidates**: nodes seen but not yet explored;
# - the **results**: at most `ef` nodes, the nearest seen so far;
# - the nodes **seen**: each is measured only once.
#
# To begin with, the entry points are in all three (an entry point given twice counts once). Then repeat: take the
# candidate nearest to the query; if it is farther than the **worst** of the results, stop. Otherwise look at its
# neighbours that were never seen: each becomes a candidate and a result if there are fewer than `ef` results, or if it
# beats the worst; above `ef` results, the worst goes.
#
# Return the results as pairs `(squared distance, node)`, nearest first. Raise `ValueError` if `ef` is below 1, if there
# is no entry point, or if one of them is not the number of a row of `vectors`.
#
# | call | result |
# |---|---|
# | `search_layer(np.array([[0.0], [1], [3]]), {0: [1], 1: [0, 2]}, np.array([2.5]), [0], 2)` | `[(0.25, 2), (2.25, 1)]` |


# %% exercise="hnsw.search_layer"
def search_layer(
    vectors: np.ndarray,
    neighbours: dict[int, list[int]],
    query: np.ndarray,
    entry_points: list[int],
    ef: int,
) -> list[tuple[float, int]]:
    """Return the ef nearest nodes found, as pairs (squared distance, node)."""
    ### BEGIN SOLUTION
    if ef < 1:
        raise ValueError(f"ef must be at least 1, not {ef}.")
    if len(entry_points) == 0 or not all(0 <= node < len(vectors) for node in entry_points):
        raise ValueError("entry_points must hold numbers of vectors.")
    seen = set(entry_points)
    candidates = list(
        zip(squared_distances(vectors, list(seen), query).tolist(), seen, strict=True)
    )
    heapify(candidates)  # the nearest on top
    found = [(-distance, -node) for distance, node in sorted(candidates)[:ef]]
    heapify(found)  # the farthest on top, hence the signs
    while candidates:
        distance, here = heappop(candidates)
        if distance > -found[0][0]:
            break
        new = [node for node in neighbours.get(here, []) if node not in seen]
        seen.update(new)
        distances = squared_distances(vectors, new, query).tolist() if new else []
        for distance, node in zip(distances, new, strict=True):
            if len(found) < ef or distance < -found[0][0]:
                heappush(candidates, (distance, node))
                heappush(found, (-distance, -node))
                if len(found) > ef:
                    heappop(found)
    return sorted((-distance, -node) for distance, node in found)
    ### END SOLUTION


# %% check="hnsw.search_layer"
search_layer = check("hnsw.search_layer", search_layer)
points("hnsw.search_layer")

# %% [markdown] tags=["solution"]
# **Explanation.** A heap (`heapq`) gives its smallest item without sorting the rest. Candidates go in as they are;
# results go in with a minus sign, so that the **farthest** is on top, ready to leave. A node's neighbours are measured
# in one go: that makes the function quick enough for ten thousand vectors.
#
# **Common mistakes**
# - comparing the candidate with the *best* result: the search stops far too early.
# - accepting a node only if it beats the worst, even while there are fewer than `ef` results.
# - forgetting that entry points are results too.
# - not remembering the nodes seen: duplicates take the place of good ones.
# - returning square roots, or pairs the other way round.

# %% [markdown]
# ## 4. `select_neighbours`: choose in all directions
#
# **Level: hard (3 points). Importance: essential. Time: 10 minutes.**
#
# This is the paper's heuristic (algorithm 4). Take the candidates from the nearest to `base` to the farthest. Keep each
# of them, unless it is **strictly nearer to a node already kept than to `base`**. Stop at `m` nodes kept.
#
# - Where the two distances are exactly equal, the candidate stays.
# - A dropped candidate does not come back: there may be fewer than `m` neighbours, as in hnswlib and FAISS.
# - `base` is never its own neighbour, and a repeated candidate counts once.
# - Return the nodes kept, nearest first.
#
# Raise `ValueError` if `m` is below 1, or if `base` or a candidate is not the number of a row of `vectors`.
#
# | call | result |
# |---|---|
# | `select_neighbours(np.array([[0.0], [1], [2], [-3]]), 0, [1, 2, 3], 3)` | `[1, 3]`: node 2 is behind node 1 |


# %% exercise="hnsw.select"
def select_neighbours(
    vectors: np.ndarray, base: int, candidates: list[int], m: int
) -> list[int]:
    """Choose at most m neighbours of base that lead in different directions."""
    ### BEGIN SOLUTION
    if m < 1:
        raise ValueError(f"m must be at least 1, not {m}.")
    if not all(0 <= node < len(vectors) for node in (base, *candidates)):
        raise ValueError("base and candidates must be numbers of vectors.")
    left = np.array(sorted(set(candidates) - {base}), dtype=int)
    to_base = squared_distances(vectors, left, vectors[base])
    order = to_base.argsort(kind="stable")
    left, to_base = left[order], to_base[order]
    selected = []
    while len(left) and len(selected) < m:
        nearest = left[0]
        selected.append(int(nearest))
        stays = squared_distances(vectors, left, vectors[nearest]) >= to_base
        stays[0] = False
        left, to_base = left[stays], to_base[stays]
    return selected
    ### END SOLUTION


# %% check="hnsw.select"
select_neighbours = check("hnsw.select", select_neighbours)
points("hnsw.select")

# %% [markdown] tags=["solution"]
# **Explanation.** Instead of comparing each candidate with all nodes kept, we do the reverse: as soon as a node is kept,
# all those that are nearer to it than to the base vanish, in one operation on an array. Then take the first of what is
# left, and repeat. At most `m` rounds.
#
# **Common mistakes**
# - keeping the `m` nearest: they may all lie on the same side.
# - comparing with the last node kept only, or with the first.
# - filling up to `m` with dropped candidates.
# - leaving the base among the candidates: at distance zero it drops everybody else.

# %% [markdown]
# ## 5. `connect`: link both ways
#
# **Level: standard (2 points). Importance: important. Time: 8 minutes.**
#
# Link `node` with each of the nodes of `selected`, **both ways**, and return the new layer: all nodes of the old one,
# and `node` (with an empty list if `selected` is empty). Each neighbour stands once. If `node` or one of those selected
# now has **more than** `m_max` neighbours, `select_neighbours` chooses among them; the link then disappears on that side
# only. All other nodes keep their lists.
#
# The layer that you are given, and the lists in it, stay **as they were**: others may be using them.
#
# Raise `ValueError` if `m_max` is below 1, or if `node` is among `selected`.
#
# | call | result |
# |---|---|
# | `connect(np.array([[0.0], [1], [2]]), {0: [1], 1: [0]}, 2, [1], 3)` | `{0: [1], 1: [0, 2], 2: [1]}` |


# %% exercise="hnsw.connect"
def connect(
    vectors: np.ndarray,
    neighbours: dict[int, list[int]],
    node: int,
    selected: list[int],
    m_max: int,
) -> dict[int, list[int]]:
    """Link node with each of those selected, both ways, at most m_max neighbours each."""
    ### BEGIN SOLUTION
    if m_max < 1:
        raise ValueError(f"m_max must be at least 1, not {m_max}.")
    if node in selected:
        raise ValueError("selected must not hold node.")
    layer = dict(neighbours)
    layer[node] = [*layer.get(node, []), *selected]
    for other in selected:
        layer[other] = [*layer.get(other, []), node]
    for linked in (node, *selected):
        layer[linked] = list(dict.fromkeys(layer[linked]))
        if len(layer[linked]) > m_max:
            layer[linked] = select_neighbours(vectors, linked, layer[linked], m_max)
    return layer
    ### END SOLUTION


# %% check="hnsw.connect"
connect = check("hnsw.connect", connect)
points("hnsw.connect")

# %% [markdown] tags=["solution"]
# **Explanation.** `dict(neighbours)` copies the dictionary, but not the lists: an `append` would change those of the
# caller. So we make a new list for each node touched, and for those only: to copy all lists would be right, but far too
# slow in a large graph.
#
# **Common mistakes**
# - `layer[other].append(node)`: changes the list that you were given.
# - linking one way only: the new node will never be found.
# - pruning by keeping the nearest, or the oldest, instead of calling `select_neighbours`.
# - cutting the other direction when one side gives a link up.

# %% [markdown]
# ## 6. `insert`: insert a node
#
# **Level: hard (3 points). Importance: essential. Time: 12 minutes.**
#
# Insert `node` into layers 0 to `level`, and return `(layers, entry)`; the old layers stay as they were.
#
# 1. From the top layer down to the one above `level`, **walk down** with `greedy_search`.
# 2. From `min(level, top layer)` down to 0: **search** with `search_layer` and `ef_construction`, **choose** with
#    `select_neighbours` at most `m` of the nodes found, **link** with `connect`. The bound `m_max` is **`2 * m` in layer
#    0 and `m` above**. The nearest node found is the entry to the next layer.
# 3. If `level` lies above the top layer, **open** the missing layers, in which the node is alone (`{node: []}`); then,
#    and only then, it becomes the entry.
#
# The first node comes to `layers = []`, `entry = None`. Raise `ValueError` if `m` is below 2, if `level` is negative, or
# if the node is in the graph already.
#
# Two good programs may give different graphs. So the check looks at whether the graph keeps its promises: layers,
# bounds, links both ways, neighbours well chosen, nothing damaged elsewhere.
#
# | call | result |
# |---|---|
# | `insert(np.array([[0.0], [1]]), [{0: []}], 0, 1, 0, 2, 10)` | `([{0: [1], 1: [0]}], 0)` |


# %% exercise="hnsw.insert"
def insert(
    vectors: np.ndarray,
    layers: list[dict[int, list[int]]],
    entry: int | None,
    node: int,
    level: int,
    m: int,
    ef_construction: int,
) -> tuple[list[dict[int, list[int]]], int]:
    """Insert a node into layers 0 to level, and return (layers, entry)."""
    ### BEGIN SOLUTION
    if m < 2:
        raise ValueError(f"m must be at least 2, not {m}.")
    if level < 0:
        raise ValueError(f"level must not be negative, and is {level}.")
    if layers and node in layers[0]:
        raise ValueError(f"node {node} is in the graph already.")
    layers, top, here = list(layers), len(layers) - 1, entry
    for n in range(top, level, -1):
        here = greedy_search(vectors, layers[n], vectors[node], here)
    for n in range(min(level, top), -1, -1):
        found = search_layer(vectors, layers[n], vectors[node], [here], ef_construction)
        found = [other for _, other in found]
        selected = select_neighbours(vectors, node, found, m)
        m_max = 2 * m if n == 0 else m
        layers[n] = connect(vectors, layers[n], node, selected, m_max)
        here = found[0]
    for _ in range(top, level):
        layers.append({node: []})
    return layers, node if level > top else entry
    ### END SOLUTION


# %% check="hnsw.insert"
insert = check("hnsw.insert", insert)
points("hnsw.insert")

# %% [markdown] tags=["solution"]
# **Explanation.** Three loops, one a stage. For an empty graph `top` is -1: the first two do not run, and the third
# opens all layers. `list(layers)` copies the list of layers; `connect` returns a new layer, and the old one stays whole.
#
# **Common mistakes**
# - `range(min(level, top), 0, -1)`: layer 0 is forgotten.
# - the same bound everywhere. Layer 0 decides the recall, hence its `2 * m` links.
# - `level >= top`: a node that reaches the top layer and not above it does not become the entry.
# - keeping the `m` nearest instead of calling `select_neighbours`.

# %% [markdown]
# ## 7. `hnsw_search`: search the whole graph
#
# **Level: standard (2 points). Importance: essential. Time: 6 minutes.**
#
# Walk down from the top layer to layer 1 with `greedy_search`, then search layer 0 with `search_layer`. Return the `k`
# nearest nodes found, nearest first.
#
# - As in hnswlib, an `ef` below `k` counts as `k`.
# - If there are fewer than `k` nodes, return those that exist; an empty graph gives `[]`. `vectors` may hold vectors
#   that are not in the graph yet: they are not found.
# - Raise `ValueError` if `k` or `ef` is below 1.
#
# On the check's two hundred clustered vectors, at least 95% of the ten nearest must be found.
#
# | call | result |
# |---|---|
# | `hnsw_search(np.array([[0.0], [1], [3]]), [{0: [1], 1: [0, 2], 2: [1]}], 0, np.array([2.5]), 2, 2)` | `[2, 1]` |


# %% exercise="hnsw.search"
def hnsw_search(
    vectors: np.ndarray,
    layers: list[dict[int, list[int]]],
    entry: int | None,
    query: np.ndarray,
    k: int,
    ef: int,
) -> list[int]:
    """Return the k nodes found nearest to the query."""
    ### BEGIN SOLUTION
    if k < 1 or ef < 1:
        raise ValueError(f"k and ef must be at least 1, not {k} and {ef}.")
    if not layers:
        return []
    for layer in reversed(layers[1:]):
        entry = greedy_search(vectors, layer, query, entry)
    found = search_layer(vectors, layers[0], query, [entry], max(k, ef))
    return [node for _, node in found[:k]]
    ### END SOLUTION


# %% check="hnsw.search"
hnsw_search = check("hnsw.search", hnsw_search)
points("hnsw.search")

# %% [markdown] tags=["solution"]
# **Explanation.** This is the paper's algorithm 5. At the top one node is enough to find the way; at the bottom `ef` of
# them are kept. Cut to `k` only at the end.
#
# **Common mistakes**
# - `layers[1:]` without `reversed`: that walks up, not down.
# - searching with `k` instead of `max(k, ef)`, or with `ef` alone.
# - `layers[-1]` for the bottom layer: that is the top one.

# %% [markdown]
# ## Your HNSW on ten thousand vectors
#
# Here are your seven functions put together. The cell inserts ten thousand clustered vectors one by one, then asks a
# hundred queries and compares with exact search. It takes ten to thirty seconds. (As long as `hnsw_search` is not right,
# it makes do with a thousand vectors.)

# %%
from ragteach.corpus.vectors import clustered_vectors
from ragteach.explore import number

N = 10_000 if points("hnsw.search") else 1_000
M, EF_CONSTRUCTION = 8, 32
vectors, queries = clustered_vectors(N, dims=16)
layers, entry = [], None
for node, u in enumerate(1 - np.random.default_rng(0).random(N)):
    level = random_level(u, M)
    layers, entry = insert(vectors, layers, entry, node, level, M, EF_CONSTRUCTION)
print("nodes per layer, from the bottom up:", [len(layer) for layer in layers])

# %%
exact = [np.argsort(((vectors - query) ** 2).sum(axis=1))[:10].tolist() for query in queries]
for ef in (10, 20, 40):
    found = [hnsw_search(vectors, layers, entry, query, 10, ef) for query in queries]
    shared = [len(set(a) & set(b)) / 10 for a, b in zip(found, exact, strict=True)]
    print(f"ef = {ef}: recall@10 = {number(np.mean(shared), 'en')}")

# %% [markdown]
# The larger `ef`, the more is found: that is all there is to tuning an HNSW in service. You now hold the structure that
# runs most vector databases.
