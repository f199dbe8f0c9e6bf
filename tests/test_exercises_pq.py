"""What is special to the exercises of chapter 07; what holds for all chapters stands in test_exercises.py."""

import numpy as np
import pytest
from hand_picked import caught
from right_answers_pq import RIGHT_ANSWERS, encode_by_arrays, quantize_by_arrays, train_by_arrays

from ragteach import exercises
from ragteach.checking.call import direct
from ragteach.checking.run import run, try_case
from ragteach.exercises.pq import encoding, int8
from ragteach.exercises.pq import training as judging
from ragteach.retrieval.pq import pq_distances, pq_encode, pq_train, quantize_int8

TRAIN, ENCODE, QUANTIZE = (exercises.get(f"pq.{name}") for name in ("train", "encode", "quantize"))
ASKED = [
    example.args for example in TRAIN.examples if try_case(TRAIN, direct(pq_train), example.args).got.value is not None
]
STARTS = range(25)


# Training is judged by what codebooks must satisfy


@pytest.mark.parametrize("answer", [pq_train, *RIGHT_ANSWERS["pq.train"]], ids=lambda answer: answer.__name__)
def test_no_start_of_a_right_training_is_refused(answer):
    for vectors, n_subspaces, n_codes, *_ in ASKED:
        for seed in STARTS:
            args = (vectors, n_subspaces, n_codes, seed)
            assert judging.fault(args, answer(*args)) is None


def test_its_error_is_never_far_from_the_reference_s():
    """On the examples, another start costs at most four times the least error of some."""
    for vectors, n_subspaces, n_codes, *_ in ASKED:
        parts = judging.blocks(vectors, n_subspaces)

        def total(books, parts=parts):
            return sum(map(judging.error, parts, books))

        least = min(total(pq_train(vectors, n_subspaces, n_codes, seed)) for seed in range(8))
        assert total(train_by_arrays(vectors, n_subspaces, n_codes, 3)) <= 4 * least + 1e-9


def other_draw(seed, **how):
    """A mistaken training that draws otherwise than the reference does."""

    def changed(vectors, n_subspaces, n_codes, ignored=0):
        return judging.variant(**how)(vectors, n_subspaces, n_codes, seed + 1000)

    return changed


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(
    ("how", "named"),
    [({"rounds": 1}, "moved_once"), ({"replace": True}, "drawn_twice"), ({"rounds": 0}, "never_moved")],
    ids=["once", "twice", "never"],
)
def test_a_mistake_is_named_whatever_the_draws(how, named, seed):
    assert run(TRAIN, other_draw(seed, **how)).diagnosis == named


def test_inner_products_are_named_from_nearly_any_start():
    """From a few starts, training by inner products goes round in circles and cannot be recognised."""
    results = [run(TRAIN, other_draw(seed, far=lambda part, book: -part @ book.T)) for seed in range(3)]
    assert not any(result.passed for result in results)
    assert [result.diagnosis for result in results].count("inner_product") >= 2


SQUARE = np.array([[0.0, 0.0], [0.0, 1.0], [4.0, 0.0], [4.0, 5.0]])


@pytest.mark.parametrize(
    ("lacks", "n_codes", "books"),
    [
        (None, 1, [[[2]], [[1.5]]]),
        (None, 2, [[[0], [4]], [[1 / 3], [5]]]),
        (None, 2, [[[4], [0]], [[5], [1 / 3]]]),
        (None, 3, [[[0], [4], [9]], [[0], [1], [5]]]),
        ("shape", 2, [[[0], [4]]]),
        ("nan", 2, [[[0], [4]], [[1 / 3], [float("nan")]]]),
        ("type", 2, 3.0),
        ("unsettled", 2, [[[0], [4]], [[0.5], [5]]]),
        ("twice", 2, [[[2], [2]], [[1 / 3], [5]]]),
        ("first_for_all", 2, [[[0], [4]], [[0], [4]]]),
    ],
)
def test_what_codebooks_lack_is_named(lacks, n_codes, books):
    found = judging.fault((SQUARE, 2, n_codes), books)
    name = found and found[0]
    assert (name[0] if isinstance(name, tuple) else name) == lacks


# Ties and types


@pytest.mark.parametrize(
    ("codes", "right"),
    [
        ([[127], [2], [0]], True),
        ([[127], [3], [-1]], True),
        ([[127], [4], [0]], False),
        ([[126], [2], [0]], False),
    ],
)
def test_midway_between_two_steps_either_will_do(codes, right):
    args = (np.array([[127.0], [2.5], [-0.5]]),)
    found = int8.judge(args, quantize_int8(*args), (np.array(codes, dtype=np.int8), np.array([1.0])))
    assert (found is None) == right


@pytest.mark.parametrize(("code", "right"), [(0, True), (1, True), (2, False), (3, False), (-1, False), (0.5, False)])
def test_codewords_that_are_as_near_are_as_right(code, right):
    args = (np.array([[1.0]]), np.array([[[0.0], [2.0 + 1e-12], [5.0]]]))
    found = encoding.judge(args, pq_encode(*args), [[code]])
    assert (found is None) == right


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        (QUANTIZE, lambda vectors: (quantize_by_arrays(vectors)[0].astype(np.int64), quantize_by_arrays(vectors)[1])),
        (ENCODE, lambda vectors, codebooks: encode_by_arrays(vectors, codebooks).astype(np.int32)),
    ],
    ids=["quantize", "encode"],
)
def test_codes_of_more_than_a_byte_are_told_so(exercise, answer):
    result = run(exercise, answer)
    assert not result.passed and result.diagnosis in ("floats", "not_bytes")
    assert result.counterexample.difference.path.endswith(".dtype")


@pytest.mark.parametrize(
    ("exercise", "answer"),
    [
        (QUANTIZE, lambda vectors: (quantize_by_arrays(vectors)[0].tolist(), quantize_by_arrays(vectors)[1].tolist())),
        (ENCODE, lambda vectors, codebooks: (row.tolist() for row in encode_by_arrays(vectors, codebooks))),
    ],
    ids=["quantize", "encode"],
)
def test_lists_of_codes_have_no_type_to_be_wrong(exercise, answer):
    assert run(exercise, answer).passed


# Faults that users of comparable libraries report


def test_fewer_vectors_than_codewords_must_be_refused():
    """111 vectors and 256 codewords: libraries have crashed on it, or learnt from copies."""

    def from_copies(vectors, n_subspaces, n_codes, seed=0):
        if n_codes > len(vectors):
            vectors = np.vstack([vectors] * n_codes)
        return train_by_arrays(vectors, n_subspaces, n_codes, seed)

    result = run(TRAIN, from_copies)
    assert not result.passed and result.counterexample.expected.kind == "error"


def cut_short(vectors, n_subspaces, n_codes, seed=0):
    """Leave out the dimensions that do not fit."""
    if n_subspaces >= 1:
        vectors = vectors[:, : vectors.shape[1] // n_subspaces * n_subspaces]
    return train_by_arrays(vectors, n_subspaces, n_codes, seed)


def beyond_a_byte(vectors, n_subspaces, n_codes, seed=0):
    if n_codes > 256:
        return vectors.reshape(n_subspaces, n_codes, -1)
    return train_by_arrays(vectors, n_subspaces, n_codes, seed)


def from_the_end(query, codes, codebooks):
    return pq_distances(query, np.where(codes < 0, codes + codebooks.shape[1], codes), codebooks)


def clipped(query, codes, codebooks):
    return pq_distances(query, np.minimum(codes, codebooks.shape[1] - 1), codebooks)


def first_column_for_all(query, codes, codebooks):
    if codes.shape[1] < len(codebooks):
        codes = np.repeat(codes[:, :1], len(codebooks), axis=1)
    return pq_distances(query, codes, codebooks)


@pytest.mark.parametrize(
    ("id", "answer"),
    [
        ("pq.train", cut_short),
        ("pq.train", beyond_a_byte),
        ("pq.distances", from_the_end),
        ("pq.distances", clipped),
        ("pq.distances", first_column_for_all),
    ],
)
def test_hand_picked_examples_catch_small_departures(id, answer):
    assert caught(id, answer)


def test_the_numbers_told_in_statements_are_so():
    codes, scale = quantize_int8(np.array([[12.7, 0.0], [-5.02, 0.0]]))
    assert codes.tolist() == [[127, 0], [-50, 0]] and np.allclose(scale, [0.1, 1])
    assert np.allclose(pq_train(np.array([[1.0, 5.0], [3.0, 9.0]]), 2, 1), [[[2]], [[7]]])
    books = np.array([[[0.0], [4.0]], [[1.0], [5.0]]])
    assert pq_encode(np.array([[3.0, 2.0], [0.0, 6.0]]), books).tolist() == [[1, 0], [0, 1]]
    assert pq_distances(np.array([3.0, 2.0]), np.array([[1, 0], [0, 1]]), books).tolist() == [2, 18]
