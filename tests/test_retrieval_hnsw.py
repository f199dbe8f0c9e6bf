"""HNSW: each step against a plain rewriting of the paper, the laws of the graph, and the index that changes."""

from collections import deque
from copy import deepcopy
from math import log

import numpy as np
import pytest
import vector_sets
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from ragteach.retrieval.hnsw import greedy_search, hnsw_search, random_level, search_layer
from ragteach.retrieval.hnsw_build import connect, insert, select_neighbours
from ragteach.retrieval.hnsw_index import HNSWIndex


def points(min_rows=1, max_rows=40):
    """Points of the plane with many duplicates and ties."""
    return st.integers(min_rows, max_rows).flatmap(
        lambda n: arrays.arrays(float, (n, 2), elements=st.integers(-4, 4).map(float), fill=st.nothing())
    )


def distance(vectors, i, point):
    return float(((vectors[i] - point) ** 2).sum())


def build(vectors, m=3, ef_construction=8, seed=0):
    layers, entry = [], None
    for node, u in enumerate(1 - np.random.default_rng(seed).random(len(vectors))):
        layers, entry = insert(vectors, layers, entry, node, random_level(u, m), m, ef_construction)
    return layers, entry


def reached(layer, start):
    seen, waiting = {start}, deque([start])
    while waiting:
        for other in layer[waiting.popleft()]:
            if other not in seen:
                seen.add(other)
                waiting.append(other)
    return seen


def assert_sound(vectors, layers, entry, m):
    """Every layer lies in the one below, obeys its bound, links no node to itself, and holds together."""
    assert set(layers[0]) == set(range(len(vectors)))
    for i, layer in enumerate(layers):
        assert entry in layer and (i == 0 or set(layer) <= set(layers[i - 1]))
        for node, links in layer.items():
            assert len(links) <= (2 * m if i == 0 else m)
            assert node not in links and len(set(links)) == len(links) and set(links) <= set(layer)
        for start in (entry, *list(layer)[:5], *list(layer)[-5:]):
            assert reached(layer, start) == set(layer)


# Levels


@pytest.mark.parametrize(("u", "m", "level"), [(1, 16, 0), (0.5, 16, 0), (1 / 17, 16, 1), (0.0039, 16, 2), (0.3, 2, 1)])
def test_levels(u, m, level):
    assert random_level(u, m) == level


@given(u=st.floats(0, 1, exclude_min=True), m=st.integers(2, 64))
def test_a_level_is_the_number_of_times_that_one_in_m_came_true(u, m):
    level = random_level(u, m)
    assert level >= 0 and type(level) is int
    assert level <= -log(u) / log(m) < level + 1


# Search in one layer


def line(n):
    return np.arange(float(n))[:, None], {i: [j for j in (i - 1, i + 1) if 0 <= j < n] for i in range(n)}


def test_greedy_search_walks_downhill_and_stops_in_a_hollow():
    vectors, neighbours = line(10)
    assert greedy_search(vectors, neighbours, np.array([6.2]), 0) == 6
    neighbours[3].remove(4)
    assert greedy_search(vectors, neighbours, np.array([6.2]), 0) == 3
    assert greedy_search(vectors, {}, np.array([6.2]), 2) == 2


def test_search_layer_gives_squared_distances_nearest_first():
    vectors, neighbours = line(10)
    found = search_layer(vectors, neighbours, np.array([6.25]), [0], 3)
    assert found == [(0.0625, 6), (0.5625, 7), (1.5625, 5)]
    assert all(type(d) is float and type(node) is int for d, node in found)


def test_search_layer_climbs_out_of_a_hollow_only_with_a_large_ef():
    vectors = np.array([[3.0], [1.5], [2.0], [0.0]])  # from node 0 to the query's node 3 by way of 1, then 2, farther
    neighbours = {0: [1], 1: [2], 2: [3], 3: []}
    assert search_layer(vectors, neighbours, np.array([0.0]), [0], 1) == [(2.25, 1)]
    assert search_layer(vectors, neighbours, np.array([0.0]), [0], 2) == [(0.0, 3), (2.25, 1)]


@given(vectors=points(min_rows=2), query=arrays.arrays(float, 2, elements=st.integers(-4, 4).map(float)))
def test_search_layer_of_all_nodes_sorts_them(vectors, query):
    layers, entry = build(vectors)
    expected = sorted((distance(vectors, i, query), i) for i in range(len(vectors)))
    assert search_layer(vectors, layers[0], query, [entry], len(vectors)) == expected
    assert hnsw_search(vectors, layers, entry, query, len(vectors), 1) == [i for _, i in expected]


def test_several_entry_points_count_once_each_and_no_more_than_ef_come_back():
    vectors, neighbours = line(6)
    assert search_layer(vectors, neighbours, np.array([0.0]), [5, 0, 5, 1], 2) == [(0.0, 0), (1.0, 1)]


# Choosing neighbours


def select_as_in_the_paper(vectors, base, candidates, m):
    """Algorithm 4, candidate by candidate, a tie in favour of the candidate as in hnswlib."""
    selected = []
    for d, candidate in sorted((distance(vectors, c, vectors[base]), c) for c in set(candidates) - {base}):
        if len(selected) < m and all(distance(vectors, candidate, vectors[s]) >= d for s in selected):
            selected.append(candidate)
    return selected


@given(vectors=points(min_rows=2), m=st.integers(1, 8), data=st.data())
def test_selection_is_the_papers_heuristic(vectors, m, data):
    nodes = st.integers(0, len(vectors) - 1)
    base, candidates = data.draw(nodes), data.draw(st.lists(nodes, max_size=30))
    assert select_neighbours(vectors, base, candidates, m) == select_as_in_the_paper(vectors, base, candidates, m)


def test_selection_links_in_different_directions():
    vectors = np.array([[0.0], [1.0], [1.1], [1.2], [-2.0]])
    assert select_neighbours(vectors, 0, [1, 2, 3, 4], 3) == [1, 4]  # not the three nearest


# Linking


def test_connect_links_both_ways_and_leaves_its_argument_as_it_was():
    vectors = np.array([[0.0, 0], [1, 0], [0, 1], [0.2, 0.2]])
    neighbours = {0: [1, 2], 1: [0], 2: [0]}
    before = deepcopy(neighbours)
    assert connect(vectors, neighbours, 3, [0, 1], 2) == {0: [3], 1: [0, 3], 2: [0], 3: [0, 1]}
    assert neighbours == before
    assert connect(vectors, {}, 3, [], 2) == {3: []}


@given(vectors=points(min_rows=3), m_max=st.integers(1, 4), data=st.data())
def test_connect_prunes_by_selection_only_what_is_too_long(vectors, m_max, data):
    layers, _ = build(vectors[:-1], m=2)
    node = len(vectors) - 1
    selected = data.draw(st.lists(st.integers(0, node - 1), unique=True, max_size=m_max))
    layer = connect(vectors, layers[0], node, selected, m_max)
    assert layer[node] == selected
    for other, links in layers[0].items():
        expected = links + [node] if other in selected else links
        if other in selected and len(expected) > m_max:
            expected = select_as_in_the_paper(vectors, other, expected, m_max)
        assert layer[other] == expected


# The graph


@given(vectors=points(), m=st.integers(2, 4), seed=st.integers(0, 3))
def test_any_points_make_a_sound_graph(vectors, m, seed):
    layers, entry = build(vectors, m, seed=seed)
    assert_sound(vectors, layers, entry, m)


def islands(size, n):
    """Far clusters of equal points: what heuristics cut off most easily."""
    return np.repeat(np.arange(n) * 1000.0, size)[:, None] * np.ones(3)


@pytest.mark.parametrize("m", [2, 4])
@pytest.mark.parametrize(
    "vectors",
    [
        np.zeros((150, 3)),
        islands(50, 4),
        np.random.default_rng(1).permutation(islands(20, 8)),
        np.vstack([islands(100, 1), np.random.default_rng(0).normal(size=(60, 3))]),
        vector_sets.make("clustered", 300, 3, 0)[0],
        np.arange(200.0)[:, None] ** 3,
    ],
    ids=["all equal", "equal in order", "equal mixed", "equal and others", "clusters", "a line"],
)
def test_no_node_becomes_an_island(vectors, m):
    layers, entry = build(vectors, m)
    assert_sound(vectors, layers, entry, m)
    found = hnsw_search(vectors, layers, entry, vectors[-1], len(vectors), len(vectors))
    assert sorted(found) == list(range(len(vectors)))


def test_layer_0_has_twice_the_links():
    vectors, _ = vector_sets.make("random", 400, 16, 0)
    layers, _ = build(vectors, m=4, ef_construction=20)
    assert max(map(len, layers[0].values())) == 8
    assert max(map(len, layers[1].values())) == 4


@given(vectors=points(min_rows=2, max_rows=15))
def test_insert_leaves_its_arguments_as_they_were(vectors):
    layers, entry = build(vectors[:-1])
    before = deepcopy(layers)
    insert(vectors, layers, entry, len(vectors) - 1, 2, 3, 8)
    assert layers == before


def test_a_node_that_climbs_above_all_becomes_the_entry():
    vectors = np.arange(3.0)[:, None]
    layers, entry = insert(vectors, [], None, 0, 0, 2, 5)
    assert (layers, entry) == ([{0: []}], 0)
    layers, entry = insert(vectors, layers, entry, 1, 2, 2, 5)
    assert (layers, entry) == ([{0: [1], 1: [0]}, {1: []}, {1: []}], 1)
    layers, entry = insert(vectors, layers, entry, 2, 1, 2, 5)
    assert (layers, entry) == ([{0: [1], 1: [0, 2], 2: [1]}, {1: [2], 2: [1]}, {1: []}], 1)


def test_an_empty_graph_finds_nothing():
    assert hnsw_search(np.empty((0, 2)), [], None, np.zeros(2), 3, 5) == []


def test_a_clustered_set_is_found_nearly_whole():
    vectors, queries = vector_sets.make("clustered", 1500, 24, 50)
    layers, entry = build(vectors, m=8, ef_construction=40)
    found = [hnsw_search(vectors, layers, entry, query, 10, 40) for query in queries]
    assert vector_sets.recall(found, vector_sets.exact(vectors, queries)) >= 0.95


# The index


@settings(max_examples=20)
@given(vectors=points(max_rows=60), query=arrays.arrays(float, 2, elements=st.integers(-4, 4).map(float)))
def test_the_index_is_the_graph_that_insert_makes(vectors, query):
    index = HNSWIndex(vectors, m=3, ef_construction=8, ef=5, seed=0)
    layers, entry = build(vectors)
    assert (index.layers, index.entry) == (layers, entry)
    assert index.search(query, 4) == hnsw_search(vectors, layers, entry, query, 4, 5)


def test_distances_are_counted():
    vectors, queries = vector_sets.make("random", 500, 8, 20)
    index = HNSWIndex(vectors, m=4, ef_construction=20, ef=10)
    assert index.n_build_distances > 500 and index.n_distances == 0
    index.search(queries[0], 5)
    assert 10 <= index.n_distances < 500
    narrow = index.n_distances
    index.n_distances, index.ef = 0, 500
    index.search(queries[0], 5)
    assert narrow < index.n_distances and index.n_distances >= 500


@settings(max_examples=40)
@given(vectors=points(min_rows=2), data=st.data())
def test_whatever_comes_and_goes_the_index_finds_all_that_is_left_and_nothing_else(vectors, data):
    index = HNSWIndex(vectors, m=2, ef_construction=5, ef=1)
    kept = dict(enumerate(vectors))
    for doc in data.draw(st.lists(st.integers(0, len(vectors) + 5), max_size=30)):
        if doc in kept and data.draw(st.booleans()):
            index.delete(doc)
            del kept[doc]
        else:
            kept[doc] = data.draw(arrays.arrays(float, 2, elements=st.integers(-4, 4).map(float)))
            index.add(doc, kept[doc])
    query = np.array([0.5, 0.25])
    found = index.search(query, len(index.docs) + 1)  # k above what exists
    assert sorted(found) == sorted(kept)
    distances = [((kept[doc] - query) ** 2).sum() for doc in found]
    assert distances == sorted(distances)


def test_a_search_goes_on_through_deleted_nodes():
    vectors, _ = vector_sets.make("random", 300, 4, 0)
    index = HNSWIndex(vectors, m=4, ef_construction=20, ef=10)
    query = vectors[0]
    order = np.argsort(((vectors - query) ** 2).sum(axis=1), kind="stable").tolist()
    for doc in order[:200]:  # all around the query, and the entry may be among them
        index.delete(doc)
    assert index.search(query, 10) == order[200:210]


def test_an_update_moves_the_document():
    index = HNSWIndex(np.array([[0.0, 0], [1, 0], [2, 0]]))
    index.add(0, [5.0, 0])
    assert index.search(np.array([0.0, 0]), 3) == [1, 2, 0]
    for doc in range(3):
        index.delete(doc)
    assert index.search(np.array([0.0, 0]), 3) == []
    index.add(7, [0.0, 1])
    assert index.search(np.array([0.0, 0]), 3) == [7]


@pytest.mark.parametrize("n", [0, 1, 200])
def test_an_index_comes_back_from_its_file(n, tmp_path):
    vectors, queries = vector_sets.make("random", n, 6, 10)
    index = HNSWIndex(vectors, m=4, ef_construction=20, ef=10)
    for doc in range(0, n, 7):
        index.delete(doc)
    index.save(tmp_path / "index.npz")
    again = HNSWIndex.load(tmp_path / "index.npz")
    assert (again.layers, again.entry, again.docs, again.nodes) == (index.layers, index.entry, index.docs, index.nodes)
    assert [again.search(query, 5) for query in queries] == [index.search(query, 5) for query in queries]
    again.add(n, queries[0])
    assert again.search(queries[0], 1) == [n]
    (tmp_path / "index.npz").write_text("no index")
    with pytest.raises(ValueError, match="HNSWIndex"):
        HNSWIndex.load(tmp_path / "index.npz")


# Bad input

X, NEIGHBOURS = line(4)
Q, NAN = np.zeros(1), np.array([[0.0], [np.nan], [2], [3]])


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("u", lambda: random_level(0, 16)),
        ("u", lambda: random_level(1.5, 16)),
        ("u", lambda: random_level(float("nan"), 16)),
        ("m", lambda: random_level(0.5, 1)),
        ("entry", lambda: greedy_search(X, NEIGHBOURS, Q, 4)),
        ("entry", lambda: greedy_search(X, NEIGHBOURS, Q, -1)),
        ("query", lambda: greedy_search(X, NEIGHBOURS, np.zeros(2), 0)),
        ("vectors", lambda: greedy_search(NAN, NEIGHBOURS, Q, 0)),
        ("ef", lambda: search_layer(X, NEIGHBOURS, Q, [0], 0)),
        ("entry_points", lambda: search_layer(X, NEIGHBOURS, Q, [], 1)),
        ("entry_points", lambda: search_layer(X, NEIGHBOURS, Q, [0, 9], 1)),
        ("query", lambda: search_layer(X, NEIGHBOURS, Q * np.nan, [0], 1)),
        ("m", lambda: select_neighbours(X, 0, [1], 0)),
        ("base", lambda: select_neighbours(X, 9, [1], 1)),
        ("candidates", lambda: select_neighbours(X, 0, [9], 1)),
        ("m_max", lambda: connect(X, NEIGHBOURS, 3, [0], 0)),
        ("node", lambda: connect(X, NEIGHBOURS, 9, [0], 2)),
        ("selected", lambda: connect(X, NEIGHBOURS, 3, [3], 2)),
        ("selected", lambda: connect(X, NEIGHBOURS, 3, [-1], 2)),
        ("m", lambda: insert(X, [], None, 0, 0, 1, 5)),
        ("level", lambda: insert(X, [], None, 0, -1, 2, 5)),
        ("ef_construction", lambda: insert(X, [], None, 0, 0, 2, 0)),
        ("node", lambda: insert(X, [], None, 4, 0, 2, 5)),
        ("node", lambda: insert(X, [{0: []}], 0, 0, 0, 2, 5)),
        ("entry", lambda: insert(X, [{0: []}], None, 1, 0, 2, 5)),
        ("vectors", lambda: insert(NAN, [], None, 0, 0, 2, 5)),
        ("k", lambda: hnsw_search(X, [NEIGHBOURS], 0, Q, 0, 5)),
        ("ef", lambda: hnsw_search(X, [NEIGHBOURS], 0, Q, 1, 0)),
        ("entry", lambda: hnsw_search(X, [NEIGHBOURS], None, Q, 1, 5)),
        ("m", lambda: HNSWIndex(X, m=1)),
        ("ef_construction", lambda: HNSWIndex(X, ef_construction=0)),
        ("ef", lambda: HNSWIndex(X, ef=0)),
        ("vectors", lambda: HNSWIndex(NAN)),
        ("k", lambda: HNSWIndex(X).search(Q, 0)),
        ("query", lambda: HNSWIndex(X).search(np.zeros(2), 1)),
        ("doc", lambda: HNSWIndex(X).delete(4)),
        ("doc", lambda: HNSWIndex(X).add(-1, Q)),
        ("new", lambda: HNSWIndex(X).add(4, np.zeros(3))),
    ],
)
def test_bad_arguments_are_refused_by_name(name, call):
    with pytest.raises(ValueError, match=rf"^{name}\b.*\.$"):
        call()
