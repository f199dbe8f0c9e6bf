"""What is special to the exercises of chapter 06; what holds for all chapters stands in test_exercises.py."""

import numpy as np
import pytest
from hand_picked import caught
from right_answers_ivf import RIGHT_ANSWERS, build_cells_by_loops, kmeans_by_arrays

from ragteach import exercises
from ragteach.checking.call import direct
from ragteach.checking.run import run, try_case
from ragteach.exercises.ivf import kmeans as judging
from ragteach.exercises.ivf.inputs import cells_of
from ragteach.retrieval.exact import exact_search, filtered_search
from ragteach.retrieval.ivf import ivf_search
from ragteach.retrieval.kmeans import kmeans

KMEANS = exercises.get("ivf.kmeans")
ASKED = [
    example.args for example in KMEANS.examples if try_case(KMEANS, direct(kmeans), example.args).got.value is not None
]
STARTS = range(12)


# k-means is judged by what centroids must satisfy


@pytest.mark.parametrize("answer", [kmeans, *RIGHT_ANSWERS["ivf.kmeans"]], ids=lambda answer: answer.__name__)
def test_no_start_of_a_right_kmeans_is_refused(answer):
    for vectors, n_cells, *rest in ASKED:
        for seed in STARTS:
            args = (vectors, n_cells, *(rest[:1] or [8]), seed)
            assert judging.fault(args, answer(*args)) is None


def filling_at_random(vectors, n_cells, n_iter=8, seed=0):
    """Put the centroid of an empty cell onto any vector: a rougher repair than the one that is told, and right."""
    judging.start(vectors, n_cells, n_iter, seed)
    rng = np.random.default_rng(seed)
    centroids = vectors[rng.choice(len(vectors), n_cells, replace=False)]
    for _ in range(n_iter):
        cells = judging.nearest(vectors, centroids)
        for cell in range(n_cells):
            members = vectors[cells == cell]
            total = members.sum(axis=0) if len(members) else vectors[rng.integers(len(vectors))]
            centroids[cell] = total / np.linalg.norm(total)
    return centroids


@pytest.mark.parametrize("seed", range(5))
def test_another_repair_of_empty_cells_passes(seed):
    assert run(KMEANS, filling_at_random, seed).passed


def test_a_single_round_is_caught_by_the_examples_from_most_starts():
    """Whoever draws otherwise than the reference does must still be told about a return inside the loop."""
    caught = [
        any(judging.fault(args, kmeans(args[0], args[1], 1, seed)) for args in ASKED if len(args) > 2)
        for seed in range(100)
    ]
    assert sum(caught) > 80


PLANE = np.array([[1.0, 0.0], [1.0, 0.0], [0.8, 0.6], [0.0, 1.0]])


@pytest.mark.parametrize(
    ("lacks", "args", "centroids"),
    [
        (None, (PLANE, 3, 25), [[1, 0], [0.8, 0.6], [0, 1]]),
        (None, (PLANE, 3, 25), [[0, 1], [1, 0], [0.8, 0.6]]),
        ("shape", (PLANE, 3, 25), [[1, 0], [0, 1]]),
        ("nan", (PLANE, 3, 25), [[1, 0], [0.8, 0.6], [float("nan"), 1]]),
        ("type", (PLANE, 3, 25), 3.0),
        ("norm", (PLANE, 3, 25), [[1, 0], [0.8, 0.6], [0, 0.5]]),
        ("norm", (PLANE, 3, 25), [[1, 0], [0.8, 0.6], [0, 0]]),
        ("empty", (PLANE, 3, 25), [[1, 0], [1, 0], [0, 1]]),
        ("empty", (PLANE, 3, 25), [[1, 0], [0, 1], [-1, 0]]),
        ("unsettled", (PLANE, 1), [[1, 0]]),
        ("unsettled", (PLANE, 2, 25), [[0.8, 0.6], [0, 1]]),
        (None, (PLANE, 2, 1), [[0.8, 0.6], [0, 1]]),
    ],
)
def test_what_centroids_lack_is_named(lacks, args, centroids):
    found = judging.fault(args, centroids)
    assert (found and found[0]) == lacks


def test_two_cells_may_share_a_vector_that_ties_between_them():
    """(1, 1) is as near to both centroids: whichever cell it is given to, no cell counts as empty for it."""
    root = 0.5**0.5
    vectors = np.array([[root, root], [1, 0]])
    assert judging.fault((vectors, 2, 1), [[0.6, 0.8], [0.8, 0.6]]) is None


# Faults that users of comparable libraries report


def test_fewer_vectors_than_cells_must_be_refused():
    def drawing_twice(vectors, n_cells, n_iter=8, seed=0):
        if n_cells > len(vectors):
            vectors = np.vstack([vectors] * n_cells)
        return kmeans_by_arrays(vectors, n_cells, n_iter, seed)

    result = run(KMEANS, drawing_twice)
    assert not result.passed and result.counterexample.expected.kind == "error"


def wrong_cell_numbers(assignment, n_cells):
    """Let -1 through: Python puts it into the last cell."""
    if n_cells < 1 or any(cell >= n_cells for cell in assignment):
        raise ValueError
    return build_cells_by_loops(np.where(assignment < 0, assignment + n_cells, assignment), n_cells)


def leaking_negatives(vectors, query, k, allowed):
    return filtered_search(vectors, query, k, [doc % len(vectors) if doc < 0 else doc for doc in allowed])


def all_k_from_elsewhere(vectors, query, k, allowed):
    """Fill up to k with what is not allowed."""
    found = filtered_search(vectors, query, k, allowed)
    return found + [doc for doc in exact_search(vectors, query, len(vectors)) if doc not in found][: k - len(found)]


def no_probe_is_one(query, vectors, centroids, cells, k, nprobe):
    return ivf_search(query, vectors, centroids, cells, k, max(nprobe, 1))


def unstable_ties(vectors, query, k):
    """Rank as a library does whose sort breaks ties at will: the first of them last."""
    if k < 1:
        raise ValueError
    scores = vectors @ query
    return sorted(range(len(scores)), key=lambda i: (-scores[i], -i))[:k]


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("ivf.build_cells", wrong_cell_numbers),
        ("ivf.filtered", leaking_negatives),
        ("ivf.filtered", all_k_from_elsewhere),
        ("ivf.search", no_probe_is_one),
        ("ivf.exact", unstable_ties),
    ],
)
def test_hand_picked_examples_catch_small_departures(id, answer):
    assert caught(id, answer)


def test_the_examples_of_the_search_show_what_they_say():
    """One cell misses the best vector, all cells find it, and empty cells come first in one example."""
    search = exercises.get("ivf.search")
    one, all_cells, empty_first = (search.examples[place].args for place in (0, 2, 5))
    best = exact_search(one[1], one[0], 1)
    assert best == ivf_search(*all_cells) and best[0] not in ivf_search(*one)
    query, vectors, centroids, cells, *_ = empty_first
    nearest_two = np.argsort(-(centroids @ query))[:2]
    assert [len(cells[cell]) for cell in nearest_two] == [0, 0]
    assert all(np.array_equal(a, b) for a, b in zip(cells, cells_of(vectors, centroids), strict=True))
