"""Confidence intervals and p-values: by seed, by their laws, and beside SciPy's in distribution."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ragteach.retrieval.statistics import bootstrap_ci, paired_permutation_test

VALUES = st.lists(st.integers(0, 8).map(lambda n: n / 8), min_size=1, max_size=12)
RNG = np.random.default_rng(7)
A = RNG.beta(2, 2, size=80)
B = np.clip(A + RNG.normal(0.03, 0.12, size=80), 0, 1)


def test_the_seed_decides():
    assert bootstrap_ci(A) == bootstrap_ci(A, seed=0) != bootstrap_ci(A, seed=1)
    assert paired_permutation_test(A, B) == paired_permutation_test(A, B, seed=0)
    assert len({paired_permutation_test(A, B, seed=seed) for seed in range(5)}) > 1


def test_global_random_state_is_left_alone():
    before = np.random.get_state()[1].copy()
    bootstrap_ci(A, n_resamples=10)
    paired_permutation_test(A, B, n_permutations=10)
    np.testing.assert_array_equal(np.random.get_state()[1], before)


# Bootstrap


@given(VALUES, st.integers(0, 3))
def test_the_interval_lies_among_the_values(values, seed):
    low, high = bootstrap_ci(values, n_resamples=50, seed=seed)
    assert min(values) - 1e-12 <= low <= high <= max(values) + 1e-12
    narrow_low, narrow_high = bootstrap_ci(values, level=0.5, n_resamples=50, seed=seed)
    assert low <= narrow_low <= narrow_high <= high


def test_one_value_or_equal_values_leave_no_doubt():
    assert bootstrap_ci([0.25]) == bootstrap_ci([0.25] * 9) == (0.25, 0.25)


@pytest.mark.parametrize("level", [0.8, 0.95])
def test_the_interval_is_scipys_in_distribution(level):
    ours = [bootstrap_ci(A, level, n_resamples=500, seed=seed) for seed in range(30)]
    theirs = [
        stats.bootstrap(
            (A,), np.mean, confidence_level=level, n_resamples=500, method="percentile", rng=np.random.default_rng(seed)
        ).confidence_interval
        for seed in range(30)
    ]
    standard_error = A.std() / len(A) ** 0.5
    # Over 30 seeds each bound wavers by a few hundredths of the standard error.
    np.testing.assert_allclose(np.mean(ours, axis=0), np.mean(theirs, axis=0), rtol=0, atol=0.06 * standard_error)


def test_the_interval_covers_the_mean_as_often_as_it_says():
    rng = np.random.default_rng(3)
    covered = 0
    for seed in range(200):
        low, high = bootstrap_ci(rng.random(50), level=0.8, n_resamples=200, seed=seed)
        covered += low <= 0.5 <= high
    assert 0.7 < covered / 200 < 0.9


# Permutations


def test_six_questions_prove_nothing():
    # Of 64 ways to give six differences their signs, two are as extreme as six wins: 1/32, and no p-value is smaller.
    p = paired_permutation_test([1] * 6, [0] * 6, n_permutations=5000)
    assert p == pytest.approx(2 / 64, abs=0.01)
    assert paired_permutation_test([1, 1, 1, 0, 1, 0], [0, 0, 0, 1, 0, 0], n_permutations=5000) > 0.3
    assert paired_permutation_test([1] * 60, [0] * 60) == 1 / 1001  # sixty do; and it is never 0


def test_equal_systems_differ_by_nothing():
    assert paired_permutation_test(A, A) == 1


@pytest.mark.parametrize("differences", [[1, 2, -3], [3, 1, 2, -1, 4, 1], [7, -1, 1, 6, -2, 3, 1]])
def test_rounding_breaks_no_tie(differences):
    # Tenths are no exact floats, whole numbers are: the same signs must count in both.
    tenths = [difference / 10 for difference in differences]
    zeros = [0] * len(differences)
    assert paired_permutation_test(tenths, zeros) == paired_permutation_test(differences, zeros)


@given(VALUES, st.integers(0, 3), st.data())
def test_it_is_symmetric_and_blind_to_scale(a, seed, data):
    b = data.draw(st.lists(st.integers(0, 8).map(lambda n: n / 8), min_size=len(a), max_size=len(a)))
    p = paired_permutation_test(a, b, n_permutations=40, seed=seed)
    assert 0 < p <= 1
    assert paired_permutation_test(b, a, n_permutations=40, seed=seed) == p
    assert paired_permutation_test([x * 3 + 1 for x in a], [x * 3 + 1 for x in b], 40, seed) == p


def test_few_questions_give_the_exact_share_of_signs():
    a, b = A[:9], B[:9]
    differences = a - b
    means = [abs(np.dot(signs, differences)) for signs in product([-1, 1], repeat=9)]
    exact = np.mean([mean >= abs(differences.sum()) - 1e-12 for mean in means])
    assert paired_permutation_test(a, b, n_permutations=20_000) == pytest.approx(exact, abs=0.02)


def test_the_p_value_is_scipys_in_distribution():
    ours = [paired_permutation_test(A, B, n_permutations=500, seed=seed) for seed in range(20)]
    theirs = [
        stats.permutation_test(
            (A, B),
            lambda x, y: np.mean(x - y),
            permutation_type="samples",
            n_resamples=500,
            rng=np.random.default_rng(seed),
        ).pvalue
        for seed in range(20)
    ]
    assert np.mean(ours) == pytest.approx(np.mean(theirs), abs=0.02)


def test_p_values_of_equal_systems_are_uniform():
    rng = np.random.default_rng(5)
    p_values = [
        paired_permutation_test(rng.random(20), rng.random(20), n_permutations=99, seed=seed) for seed in range(200)
    ]
    assert 0.02 <= np.mean(np.array(p_values) <= 0.05) <= 0.1


NAN = float("nan")


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: bootstrap_ci([]), "values"),
        (lambda: bootstrap_ci([1, NAN]), "values"),
        (lambda: bootstrap_ci([1], level=1), "level"),
        (lambda: bootstrap_ci([1], level=95), "level"),
        (lambda: bootstrap_ci([1], n_resamples=0), "n_resamples"),
        (lambda: paired_permutation_test([], []), "a and b"),
        (lambda: paired_permutation_test([1], [1, 2]), "a and b"),
        (lambda: paired_permutation_test([NAN], [1]), "a"),
        (lambda: paired_permutation_test([1], [NAN]), "b"),
        (lambda: paired_permutation_test([1], [1], 0), "n_permutations"),
    ],
)
def test_bad_arguments_are_refused_by_name(call, argument):
    with pytest.raises(ValueError, match=f"^{argument} must"):
        call()
