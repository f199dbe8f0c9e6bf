"""Chapter 03: the faults that users of comparable libraries report, and what the judges let through."""

import numpy as np
import pytest

from ragteach import exercises
from ragteach.checking.call import Outcome, direct
from ragteach.checking.run import run, run_call, try_case
from ragteach.exercises.lsa.decompose import groups, up_to_signs
from ragteach.exercises.lsa.search import ties_by_number
from ragteach.retrieval.dense import dense_search, info_nce
from ragteach.retrieval.lsa import lsa_embed, lsa_fit, tfidf

NAN = float("nan")


def passes(id, function):
    return run(exercises.get(id), function).passed


def diagnosis(id, function):
    return run(exercises.get(id), function).diagnosis


# Signs and bases: a decomposition is not unique


@pytest.mark.parametrize("signs", [(1, 1), (-1, 1), (1, -1), (-1, -1)])
def test_any_sign_of_a_component_is_right(signs):
    def flipped(matrix, dims):
        components, values = lsa_fit(matrix, dims)
        return components * np.resize(signs, len(values))[:, np.newaxis], values

    assert passes("lsa.fit", flipped)


def test_any_basis_of_equal_singular_values_is_right():
    def turned(matrix, dims):
        components, values = lsa_fit(matrix, dims)
        for group in groups(values):
            n = group.stop - group.start
            rotation, _ = np.linalg.qr(np.random.default_rng(n).normal(size=(n, n)))
            components[group] = rotation @ components[group]
        return components, values

    assert passes("lsa.fit", turned)


def test_mixing_components_of_different_singular_values_is_wrong():
    def mixed(matrix, dims):
        components, values = lsa_fit(matrix, dims)
        if len(values) > 1:
            components[:2] = np.array([[1, 1], [1, -1]]) / np.sqrt(2) @ components[:2]
        return components, values

    assert not passes("lsa.fit", mixed)


@pytest.mark.parametrize(
    "output",
    [
        None,
        3,
        (1, 2, 3),
        ([[NAN, 0.0]], [2.0]),
        ([[1.0, 0.0]], [NAN]),
        ([[1.0]], [2.0]),
        ([1.0, 0.0], [2.0]),
        ("ab", "c"),
    ],
)
def test_what_is_no_decomposition_is_told_apart(output):
    expected = (np.array([[1.0, 0.0]]), np.array([2.0]))
    assert up_to_signs((), expected, output) is not None


def test_a_mixed_up_component_is_shown_with_the_sign_that_fits_best():
    expected = (np.array([[0.6, 0.8]]), np.array([2.0]))
    difference = up_to_signs((), expected, (np.array([[-0.8, -0.6]]), np.array([2.0])))
    assert difference.kind == "value" and difference.path.startswith("[0]")
    assert (difference.expected, difference.got) == (0.6, pytest.approx(0.8))


def test_approximate_svd_as_scikit_learn_s_default_passes():
    from sklearn.decomposition import TruncatedSVD

    def randomized(matrix, dims):
        if dims < 1:
            raise ValueError("dims")
        wider = np.hstack([matrix, np.zeros((len(matrix), 1))])
        svd = TruncatedSVD(min(dims, *matrix.shape), random_state=0, n_iter=20).fit(wider)
        kept = svd.singular_values_ > 1e-6 * svd.singular_values_[0]
        return svd.components_[kept, :-1], svd.singular_values_[kept]

    assert passes("lsa.fit", randomized)


# More dimensions than there are


def test_an_error_for_too_many_dimensions_is_named():
    def as_arpack(matrix, dims):
        if not 0 < dims < min(matrix.shape):
            raise ValueError("k must be less than min(A.shape)")
        return lsa_fit(matrix, dims)

    assert not passes("lsa.fit", as_arpack)


# Zero vectors


def test_nan_never_enters_the_ranking():
    exercise = exercises.get("lsa.dense_search")
    args = (np.array([1.0, 0.0]), np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 0.0]]), 2)

    def careless(query, embeddings, k=3):
        with np.errstate(invalid="ignore"):
            scores = embeddings @ query / (np.linalg.norm(embeddings, axis=1) * np.linalg.norm(query))
        return np.argsort(scores)[::-1][:k]

    assert try_case(exercise, direct(careless), args).got.value.tolist() == [2, 0]  # the report's own input
    assert exercise.reference(*args) == [0, 1]
    assert diagnosis("lsa.dense_search", careless) == "nan_first"


def test_empty_documents_and_zero_rows_make_no_nan():
    assert diagnosis("lsa.tfidf", lambda documents: nan_where_zero(tfidf(documents))) == "nan_for_empty"
    assert diagnosis("lsa.embed", lambda v, c: nan_where_zero((None, lsa_embed(v, c)))[1]) == "nan_for_zero"


def nan_where_zero(pair):
    first, rows = pair
    rows = rows.copy()
    rows[~rows.any(axis=1)] = NAN
    return first, rows


# Ties


def test_cosines_that_rounding_parts_may_stand_in_either_order():
    row = np.array([0.1, 0.2, 0.3])
    args = (np.array([0.3, 0.1, 0.7]), np.array([row, 3 * row, [1.0, 0.0, 0.0]]), 3)
    expected = dense_search(*args)
    assert expected[:2] == [0, 1]
    assert ties_by_number(args, expected, [1, 0, 2]) is None
    assert ties_by_number(args, expected, np.array([0, 1, 2])) is None
    assert ties_by_number(args, expected, [2, 0, 1]) is not None


def test_ties_that_nothing_rounds_go_by_number():
    args = (np.array([0.0, 1.0]), np.array([[0.0, 1.0], [0.0, 2.0]]), 2)
    assert ties_by_number(args, [0, 1], [1, 0]).expected == 0


@pytest.mark.parametrize(
    "output", [[0, 0], [0, 5], [0], [0.5, 1], "01", None, [None, 1], [(0, 0.5), (1, 0.2)], [-2, 1]]
)
def test_what_is_no_ranking_is_told_apart(output):
    args = (np.array([1.0, 0.0]), np.array([[1.0, 0.0], [1.0, 1.0]]), 2)
    assert ties_by_number(args, [0, 1], output) is not None


def test_float32_answers_pass():
    assert passes("lsa.embed", lambda v, c: lsa_embed(v.astype(np.float32), c.astype(np.float32)).tolist())
    assert passes("lsa.tfidf", lambda documents: (tfidf(documents)[0], tfidf(documents)[1].astype(np.float32)))


# Words of one letter, numbers, order


def test_one_letter_words_as_scikit_learn_drops_them_are_missed():
    def without_short_words(documents):
        kept = [documents] if isinstance(documents, str) else documents
        return tfidf([tokens if isinstance(tokens, str) else [t for t in tokens if len(t) > 1] for tokens in kept])

    assert not passes("lsa.tfidf", without_short_words)


# InfoNCE


def test_huge_scores_neither_overflow_nor_vanish():
    exercise = exercises.get("lsa.info_nce")
    assert exercise.reference([1e4, -1e4], 0) == 0
    assert exercise.reference([1e4, -1e4], 1) == pytest.approx(4e5)

    def careless(scores, positive, temperature=0.05):
        if not temperature > 0 or not 0 <= positive < len(scores):
            raise ValueError
        with np.errstate(all="ignore"):
            e = np.exp(np.array(scores) / temperature)
            return float(-np.log(e[positive] / e.sum()))

    assert diagnosis("lsa.info_nce", careless) == "overflow"


def test_a_negative_position_is_refused():
    assert not passes(
        "lsa.info_nce", lambda scores, positive, temperature=0.05: info_nce(scores, positive % len(scores))
    )


# Follow-through


def test_dense_search_may_call_the_reader_s_cosine():
    assert exercises.get("lsa.dense_search").uses == ("lsa.cosine",)


@pytest.mark.parametrize("exercise", exercises.chapter("03_lsa").exercises, ids=lambda exercise: exercise.id)
def test_lists_instead_of_arrays_are_no_mistake(exercise):
    def listed(*args):
        value = exercise.reference(*args)
        return to_lists(value)

    assert run_call(exercise, direct(listed)).passed


def to_lists(value):
    if isinstance(value, np.ndarray):
        return value.tolist() if value.size else value  # a list does not tell its shape without columns
    return [to_lists(item) for item in value] if isinstance(value, tuple) else value


def test_nothing_returned_earns_nothing():
    for exercise in exercises.chapter("03_lsa").exercises:
        assert run_call(exercise, lambda args: Outcome("value", None)).points == 0
