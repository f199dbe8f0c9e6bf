"""What is special to chapter 04's exercises: faults of comparable libraries, and orders that rounding leaves open."""

import numpy as np
import pytest
from right_answers_fusion import rrf_by_fractions, rrf_by_sorted

from ragteach import exercises
from ragteach.checking.call import direct
from ragteach.checking.run import run, try_case

CYCLE = [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]]


def difference(id, function, *args):
    """Say where a function's answer to one call parts from the reference's; None where it is right."""
    return try_case(exercises.get(id), direct(function), args).difference


def naive_rrf(rankings, k=60):
    """RRF as tutorials write it, with mistakes to be put in by the tests."""
    scores = {}
    for ranking in rankings:
        for rank, id_ in enumerate(dict.fromkeys(ranking), start=1):
            scores[id_] = scores.get(id_, 0.0) + 1 / (k + rank)
    return sorted(scores, key=scores.get, reverse=True)


# Orders that rounding leaves open


def test_three_equal_ranks_tie_whatever_the_order_of_addition():
    """1/61 + 1/62 + 1/63 has several float values: a plain sum puts "b" first, exact arithmetic "a"."""
    assert rrf_by_fractions(CYCLE) == ["a", "b", "c"]
    for order in (["a", "b", "c"], ["b", "a", "c"], ["c", "b", "a"]):
        assert difference("fusion.rrf", lambda rankings, k=60, order=order: order, CYCLE) is None
    assert difference("fusion.rrf", naive_rrf, CYCLE) is None
    assert difference("fusion.weighted_rrf", lambda r, w, k=60: naive_rrf(r, k), CYCLE, [2.0, 2.0, 2.0]) is None


def test_real_ties_stand_in_the_order_of_appearance():
    assert difference("fusion.rrf", lambda rankings, k=60: ["b", "a"], [["a"], ["b"]])
    swapped = [["a", "b"], ["b", "a"]]  # 1/61 + 1/62 and 1/62 + 1/61 are the same float
    assert difference("fusion.rrf", lambda rankings, k=60: ["b", "a"], swapped)
    assert difference("fusion.weighted_rrf", lambda r, w, k=60: ["b", "a"], swapped, [0.5, 0.5])


def test_sums_of_other_ranks_that_tie_may_stand_in_any_order():
    rankings = [["d", "e", "y"], ["x", "f", "y"]]  # k = 1: 1/4 + 1/4 = 1/2
    for order in (["d", "y", "x", "e", "f"], ["y", "d", "x", "e", "f"]):
        assert difference("fusion.rrf", lambda rankings, k=60, order=order: order, rankings, 1) is None
    assert difference("fusion.rrf", lambda rankings, k=60: ["e", "d", "y", "x", "f"], rankings, 1)


@pytest.mark.parametrize("wrong", [["a", "b"], ["a", "b", "b"], ["a", "b", "d"], [["a"], "b", "c"], "abc", None, 3])
def test_what_is_no_permutation_is_wrong(wrong):
    assert difference("fusion.rrf", lambda rankings, k=60: wrong, CYCLE)


@pytest.mark.parametrize("as_given", [list, tuple, iter, np.array])
def test_any_kind_of_sequence_passes(as_given):
    assert run(exercises.get("fusion.rrf"), lambda rankings, k=60: as_given(rrf_by_sorted(rankings, k))).passed


# Faults of comparable libraries, each with the smallest input that shows it


def fake_rank(rankings, k=60):
    """Give a document that a list lacks the rank behind the list's last, and count from 0."""
    every = dict.fromkeys(id_ for ranking in rankings for id_ in ranking)
    score = {
        id_: sum(1 / (k + (ranking.index(id_) if id_ in ranking else len(ranking))) for ranking in rankings)
        for id_ in every
    }
    return sorted(score, key=score.get, reverse=True)


def test_a_fake_rank_for_absent_documents_is_seen():
    rankings = [["X", "a", "Y"], ["b", "c", "Y"]]
    assert fake_rank(rankings) != ["Y", "X", "b", "a", "c"]
    assert difference("fusion.rrf", fake_rank, rankings)


FAULTS = {
    "fusion.rrf_scores": {"ranks_from_0", "paid_twice", "best_term", "k_ignored", "fake_rank"},
    "fusion.rrf": {"ranks_from_0", "paid_twice", "best_term", "k_ignored", "fake_rank", "ties_by_id"},
    "fusion.weighted_rrf": {"weights_ignored"},
    "fusion.min_max": {"constant_fails", "constant_is_nan"},
    "fusion.mmr": {"lambda_inverted", "lambda_ignored", "never_removed"},
    "fusion.hybrid": {"scores_by_position"},
}


@pytest.mark.parametrize("id", FAULTS)
def test_known_faults_are_known_misconceptions(id):
    assert FAULTS[id] <= {misconception.id for misconception in exercises.get(id).misconceptions}


def test_qdrant_s_constants_are_seen():
    """k = 2 and ranks from 0, whatever is asked."""

    def scores(rankings, k=60):
        result = {}
        for ranking in rankings:
            for place, id_ in enumerate(ranking):
                result[id_] = result.get(id_, 0.0) + 1 / (2 + place)
        return result

    assert not run(exercises.get("fusion.rrf_scores"), scores).passed


def test_k_larger_than_the_number_of_documents_is_allowed():
    def refuses(query_sims, doc_sims, k, lam=0.5):
        if k > len(query_sims):
            raise ValueError("k")
        return exercises.get("fusion.mmr").reference(query_sims, doc_sims, k, lam)

    result = run(exercises.get("fusion.mmr"), refuses)
    assert not result.passed and result.counterexample.args[2] > len(result.counterexample.args[0])


def test_equal_gains_of_random_inputs_are_exact():
    """A reader who takes λ outside the bracket rounds in another way: it must not decide a tie."""

    def other_arithmetic(query_sims, doc_sims, k, lam=0.5):
        reference = exercises.get("fusion.mmr").reference
        if k < 1 or not 0 <= lam <= 1:
            return reference(query_sims, doc_sims, k, lam)
        left, chosen = list(range(len(query_sims))), []
        while left and len(chosen) < k:
            top = {doc: max((doc_sims[doc][c] for c in chosen), default=0.0) for doc in left}
            gains = {d: lam * (query_sims[d] + top[d]) - top[d] if chosen else query_sims[d] for d in left}
            chosen.append(max(left, key=gains.get))
            left.remove(chosen[-1])
        return chosen

    assert all(run(exercises.get("fusion.mmr"), other_arithmetic, seed).passed for seed in range(5))
