"""What is special to the exercises of chapter 08; what holds for all chapters stands in test_exercises.py."""

from copy import deepcopy
from math import log

import numpy as np
import pytest
import vector_sets
from hand_picked import caught
from right_answers_hnsw import RIGHT_ANSWERS, level_by_numpy

from ragteach import exercises
from ragteach.checking.run import run
from ragteach.exercises.hnsw import choose, insertion, layer, level, link, search
from ragteach.exercises.hnsw.inputs import history
from ragteach.retrieval.hnsw import hnsw_search
from ragteach.retrieval.hnsw_build import insert, select_neighbours

N, M, EF_CONSTRUCTION = 300, 4, 20


@pytest.fixture(scope="module")
def clustered():
    """Vectors around 64 centres, queries, and the ten nearest to each."""
    vectors, queries = vector_sets.make("clustered", N, 16, 30)
    return vectors, queries, vector_sets.exact(vectors, queries)


# A right answer makes a graph that serves


@pytest.mark.parametrize("add", RIGHT_ANSWERS["hnsw.insert"], ids=lambda f: f.__name__)
def test_right_answers_put_together_find_at_least_95_percent(add, clustered):
    vectors, queries, expected = clustered
    layers, entry = [], None
    for node, u in enumerate(1 - np.random.default_rng(0).random(N)):
        layers, entry = add(vectors, list(layers), entry, node, int(level_by_numpy(u, M)), M, EF_CONSTRUCTION)
    plain = [{node: [int(o) for o in links] for node, links in one.items()} for one in layers]
    for find in (*RIGHT_ANSWERS["hnsw.search"], hnsw_search):
        found = [list(find(vectors, plain, entry, query, 10, 60)) for query in queries]
        assert vector_sets.recall(found, expected) >= 0.95


# Judging by properties: a right graph spoilt in one place is refused, wherever it is spoilt

PLACES, STAR, STAR_LAYERS, ALL = insertion.PLACES, insertion.STAR, insertion.STAR_LAYERS, insertion.ALL


def spoil(change):
    """Insert node 5 into the star, then change the graph."""
    layers, entry = insert(STAR, STAR_LAYERS, 0, 5, 1, 2, ALL)
    return change(deepcopy(layers), entry)


def without(layers, number, node, link):
    layers[number][node].remove(link)


def changed(number, node, links):
    def change(layers, entry):
        layers[number][node] = links(layers[number][node])
        return layers, entry

    return change


SPOILT = {
    "another entry": lambda layers, entry: (layers, 5),
    "a layer too many": lambda layers, entry: ([*layers, {5: []}], entry),
    "a layer too few": lambda layers, entry: (layers[:1], entry),
    "an old node lost": lambda layers, entry: ([{n: o for n, o in layers[0].items() if n != 4}, layers[1]], entry),
    "the new node lost": lambda layers, entry: ([layers[0], {n: o for n, o in layers[1].items() if n != 5}], entry),
    "no way back": changed(0, 1, lambda links: [other for other in links if other != 5]),
    "linked with itself": changed(0, 5, lambda links: [*links, 5]),
    "linked twice": changed(0, 5, lambda links: [*links, links[0]]),
    "an old link lost": changed(0, 4, lambda links: []),
    "a link from nowhere": changed(0, 2, lambda links: [*links, 4]),
    "no link at all": changed(0, 5, lambda links: []),
    "a neighbour with none": changed(0, 0, lambda links: []),
    "above 2m": changed(0, 0, lambda links: [1, 2, 3, 4, 5]),
    "above m": changed(1, 0, lambda links: [1, 2, 5]),
    "no lists": lambda layers, entry: ([{n: 7 for n in one} for one in layers], entry),
    "no pair": lambda layers, entry: layers,
}


@pytest.mark.parametrize("name", SPOILT)
def test_a_spoilt_graph_is_refused(name):
    args = (STAR, STAR_LAYERS, 0, 5, 1, 2, ALL)
    expected = insert(*args)
    assert insertion.judge(args, expected, expected) is None
    assert insertion.judge(args, expected, spoil(SPOILT[name])) is not None


@pytest.mark.parametrize("m_chosen", [2, 3, 4])
def test_from_m_to_the_bound_any_number_of_links_will_do(m_chosen):
    vectors, states = history(0, 2)
    for node, (layers, entry) in enumerate(states[:-1]):
        add = insertion.variant(choose=lambda v, base, found, m: select_neighbours(v, base, found, m_chosen))
        args = (vectors, layers, entry, node, 0, 2, ALL)
        if layers:
            assert insertion.judge(args, insert(*args), add(*args)) is None


def test_the_lower_layer_has_room_for_twice_the_links():
    exercise = exercises.get("hnsw.insert")
    for name in ("m_everywhere", "twice_m_everywhere"):
        wrong = next(m for m in exercise.misconceptions if m.id == name)
        assert run(exercise, wrong.function).diagnosis == name


# Right in another form


@pytest.mark.parametrize(
    ("module", "args", "got"),
    [
        (layer, None, np.array([[0.25, 1.0], [0.25, 0.0]])),
        (layer, None, ([0.25, 1], [0.25 + 1e-13, 0])),
        (level, (1 / 125, 5), 2),
        (level, (1 / 125, 5), 3),
    ],
)
def test_noise_and_other_types_are_accepted(module, args, got):
    expected = [(0.25, 0), (0.25, 1)] if args is None else 3
    assert module.judge(args, expected, got) is None


def test_a_level_beside_a_step_is_not_lowered():
    assert -log(0.00799) / log(5) > 3
    assert level.judge((0.00799, 5), 3, 2) is not None


def test_candidates_at_equal_distance_may_be_kept_in_any_order():
    square = np.array([[0.0, 0], [1, 0], [0, 1], [-1, 0]])
    args = (square, 0, [1, 2, 3], 2)
    for got in ([1, 2], [3, 2], np.array([2, 1]), (1.0, 3.0)):
        assert choose.judge(args, select_neighbours(*args), got) is None
    for got in ([1], [1, 1], [1, 0], {1, 2}, [1, 2, 3], None, "12", [[1, 2]]):
        assert choose.judge(args, select_neighbours(*args), got) is not None


def test_neighbours_may_come_as_sets_and_in_any_order():
    args = (link.AROUND, {0: [1], 1: [0]}, 4, [0, 1], 3)
    expected = exercises.get("hnsw.connect").reference(*args)
    assert link.judge(args, expected, {0: {4, 1}, 1: (4, 0), 4: np.array([1, 0])}) is None
    assert link.judge(args, expected, {0: {4, 1}, 1: (4, 0), 4: np.array([1, 0.5])}) is not None


def test_a_search_that_finds_more_on_its_way_down_is_right():
    """Whoever goes down with several nodes, not with one, may find more: that is no fault."""
    layers = [{0: [1], 1: [0], 2: [3], 3: [2, 4], 4: [3]}, {0: [1, 2], 1: [0], 2: [0]}]
    args = (search.FORK, layers, 0, search.GOAL, 1, 1)
    assert hnsw_search(*args) == [1]  # the hollow
    assert search.judge(args, [1], [4]) is None
    for got in ([3, 4], [2], [5], [[4]], {4}, []):
        assert search.judge(args, [1], got) is not None


def test_in_one_layer_ef_decides_what_is_found():
    args = (search.FORK, [search.FORK_LINKS], 0, search.GOAL, 1, 1)
    assert hnsw_search(*args) == [1]
    assert search.judge(args, [1], [4]) is not None


def test_a_search_never_climbs_up_again():
    """Node 1 has a link to the other side in layer 1, where nothing leads to node 1."""
    args = (search.SIDES, [search.SIDE_LAYERS[0], {0: [], 1: [5], 5: [1]}], 0, search.FAR, 1, 4)
    assert hnsw_search(*args) == [2]
    assert search.judge(args, [2], [5]) is not None


def test_to_visit_all_that_links_reach_is_no_search():
    found = run(exercises.get("hnsw.search"), search.all_that_links_reach)
    assert (found.passed, found.diagnosis) == (False, "all_that_links_reach")


# Faults that users of comparable libraries report


def test_more_results_than_nodes_are_no_error():
    """hnswlib raises where k exceeds what there is."""
    exercise = exercises.get("hnsw.search")
    assert any(len(args[1]) and args[4] > len(args[1][0]) for args in (example.args for example in exercise.examples))


def test_equal_points_keep_their_links():
    """A tie drops nothing: among equal points the heuristic would otherwise keep one neighbour, and make islands."""
    assert select_neighbours(np.zeros((5, 2)), 0, [1, 2, 3, 4], 3) == [1, 2, 3]
    exercise = exercises.get("hnsw.select")
    wrong = next(m for m in exercise.misconceptions if m.id == "tie_dropped")
    assert caught(exercise.id, wrong.function)


def test_lists_that_were_given_are_not_changed():
    exercise = exercises.get("hnsw.connect")
    wrong = next(m for m in exercise.misconceptions if m.id == "in_place")
    assert run(exercise, wrong.function).diagnosis == "in_place"
