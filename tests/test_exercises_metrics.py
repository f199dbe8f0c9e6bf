"""What is special to chapter 05: judges of what chance drew, faults that users of other libraries report."""

import math
import random
import statistics

import hand_picked
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from right_answers_metrics import RIGHT_ANSWERS

from ragteach import exercises
from ragteach.checking.run import run
from ragteach.exercises.metrics.chance import exact_p_values, interval_judge, p_value_judge, resampled_means, wilson
from ragteach.retrieval.metrics import dcg
from ragteach.retrieval.statistics import bootstrap_ci, paired_permutation_test

EIGHTHS = st.lists(st.integers(0, 8).map(lambda n: n / 8), min_size=1, max_size=6)


def diagnosis(id, answer):
    result = run(exercises.get(id), answer)
    assert not result.passed
    return result.diagnosis


# Faults reported of other libraries (each is named, not only caught)


def share_of_answer(ranking, relevant, k):
    """Divide by the answer's length: precision@10 of three good documents is then 1 instead of 0.3."""
    top = ranking[:k]
    return sum(doc in relevant for doc in dict.fromkeys(top)) / len(top) if top else 0


def capped(ranking, relevant, k):
    hits = len(set(ranking[:k]) & relevant)
    return hits / min(k, len(relevant)) if hits else 0


def duplicates_paid_twice(ranking, relevance, k):
    total = sum((2 ** relevance.get(doc, 0) - 1) / math.log2(i + 2) for i, doc in enumerate(ranking[:k]))
    ideal = dcg(sorted(relevance.values())[::-1], k)
    return total / ideal if ideal else 0


def ideal_of_what_was_retrieved(ranking, relevance, k):
    grades = [relevance.get(doc, 0) if doc not in ranking[:i] else 0 for i, doc in enumerate(ranking)]
    ideal = dcg(sorted(grades)[::-1], k)
    return dcg(grades, k) / ideal if ideal else 0


def binary(ranking, relevance, k):
    flat = {doc: min(grade, 1) for doc, grade in relevance.items()}
    ideal = dcg(sorted(flat.values())[::-1], k)
    grades = [flat.get(doc, 0) if doc not in ranking[:i] else 0 for i, doc in enumerate(ranking)]
    return dcg(grades, k) / ideal if ideal else 0


def over_hits(ranking, relevant):
    hits, total, seen = 0, 0, set()
    for rank, doc in enumerate(ranking, 1):
        if doc in relevant and doc not in seen:
            seen.add(doc)
            hits += 1
            total += hits / rank
    return total / hits if hits else 0


def by_length_of_predictions(ranking, relevant, k):
    return len(set(ranking[:k]) & relevant) / len(ranking) if ranking else 0


@pytest.mark.parametrize(
    ("id", "answer", "named"),
    [
        ("metrics.precision", share_of_answer, "divides_by_what_came"),
        ("metrics.precision", by_length_of_predictions, "divides_by_whole_ranking"),
        ("metrics.recall", capped, "capped"),
        ("metrics.ndcg", duplicates_paid_twice, "repeats_counted"),
        ("metrics.ndcg", ideal_of_what_was_retrieved, "ideal_of_retrieved"),
        ("metrics.ndcg", binary, "binary_gain"),
        ("metrics.average_precision", over_hits, "over_found"),
    ],
)
def test_faults_of_other_libraries_are_named(id, answer, named):
    assert diagnosis(id, answer) == named


def seed_formula(target, p_with, p_without):
    return (target - p_without) / (p_with - p_without) if target <= p_with else None


def test_the_widespread_formula_for_the_required_recall_is_named():
    assert diagnosis("metrics.required_recall", seed_formula) == "negative"


# Faults of readers, written as they write them


def restarts_for_each_resample(values, level=0.95, n_resamples=1000, seed=0):
    means = [np.random.default_rng(seed).choice(values, size=len(values)).mean() for _ in range(n_resamples)]
    return np.quantile(means, [(1 - level) / 2, (1 + level) / 2])


def resamples_of_the_wrong_size(values, level=0.95, n_resamples=1000, seed=0):
    rng = np.random.default_rng(seed)
    means = [rng.choice(values, size=n_resamples).mean() for _ in range(n_resamples)]
    return np.quantile(means, [(1 - level) / 2, (1 + level) / 2])


def restarts_for_each_permutation(a, b, n_permutations=1000, seed=0):
    differences, count = np.subtract(a, b), 0
    for _ in range(n_permutations):
        signs = np.random.default_rng(seed).choice([-1, 1], size=len(a))
        count += abs((signs * differences).mean()) >= abs(differences.mean()) - 1e-12
    return (count + 1) / (n_permutations + 1)


def returns_from_the_loop(rankings, relevants):
    for ranking, relevant in zip(rankings, relevants, strict=True):
        for rank, doc in enumerate(ranking, start=1):
            if doc in relevant:
                return 1 / rank
    return 0.0


def precision_over_hits(ranking, relevant):
    hits, total = 0, 0
    for rank, doc in enumerate(ranking, start=1):
        if doc in relevant:
            hits += 1
            total += hits / rank
    return total / hits if hits else 0.0


def sorted_top(ranking, relevance, k):
    grades = [relevance.get(doc, 0) for doc in ranking[:k]]
    ideal = dcg(sorted(grades, reverse=True), k)
    return dcg(grades, k) / ideal if ideal else 0.0


@pytest.mark.parametrize(
    ("id", "answer", "named"),
    [
        ("metrics.bootstrap_ci", restarts_for_each_resample, "generator_recreated"),
        ("metrics.bootstrap_ci", resamples_of_the_wrong_size, "resamples_too_large"),
        ("metrics.paired_test", restarts_for_each_permutation, "generator_recreated"),
        ("metrics.mrr", returns_from_the_loop, "first_question_only"),
        ("metrics.average_precision", precision_over_hits, "over_found_with_repeats"),
        ("metrics.ndcg", sorted_top, "ideal_of_retrieved_with_repeats"),
    ],
)
def test_faults_of_readers_are_named(id, answer, named):
    assert hand_picked.named(id, answer) == named


# Judges: exact distributions


@given(EIGHTHS)
@settings(max_examples=30, deadline=None)
def test_the_distribution_of_resampled_means_is_exact(values):
    means, chances = resampled_means(values)
    assert chances.sum() == pytest.approx(1)
    assert means @ chances == pytest.approx(statistics.fmean(values))
    assert (means - means @ chances) ** 2 @ chances == pytest.approx(np.var(values) / len(values), abs=1e-9)


def test_exact_p_values_by_hand():
    assert exact_p_values([1] * 6, [0] * 6) == pytest.approx((0, 2 / 64))  # sixths are no exact floats: both pass
    assert exact_p_values([1] * 8, [0] * 8) == pytest.approx((2 / 256, 2 / 256))
    assert exact_p_values([0.5, 0.25], [0.5, 0.25]) == (1, 1)
    assert exact_p_values([0.1], [0.3])[1] == 1


def test_wilson_s_interval_holds_the_share_and_narrows():
    for share in (0, 0.025, 0.5, 1):
        (low, high), (lower, higher) = wilson(share, 1000), wilson(share, 100)
        assert lower <= low <= share + 1e-12 and share - 1e-12 <= high <= higher


# Judges: right answers pass whatever the seed, the generator, the quantile


@pytest.mark.parametrize("answer", RIGHT_ANSWERS["metrics.bootstrap_ci"], ids=lambda answer: answer.__name__)
def test_no_seed_makes_an_interval_wrong(answer):
    values = [0.0, 0.25, 1, 1, 0.5, 0, 0, 1]
    for level, n in ((0.95, 1000), (0.5, 100), (0.9, 20), (0.95, 3)):
        args = (values, level, n, 0)
        expected = bootstrap_ci(*args)
        assert not any(interval_judge(args, expected, answer(values, level, n, seed)) for seed in range(60))


@pytest.mark.parametrize("answer", RIGHT_ANSWERS["metrics.paired_test"], ids=lambda answer: answer.__name__)
def test_no_seed_makes_a_p_value_wrong(answer):
    a, b = [1, 1, 0.5, 1, 0, 1, 0, 0], [0, 0, 1, 0.25, 0, 0, 0.5, 0]
    for n in (1000, 100, 20, 3):
        args = (a, b, n, 0)
        expected = paired_permutation_test(*args)
        assert not any(p_value_judge(args, expected, answer(a, b, n, seed)) for seed in range(60))


def test_a_tie_that_rounding_decides_passes_either_way():
    # The means of sixths, tenths and thirds differ in their last digit with the way they are computed.
    a, b = [0.1, 0.2, 0.3, 1 / 3, 0.5, 0.7], [0.3, 0.1, 0.2, 0.0, 0.9, 0.6]
    lowest, highest = exact_p_values(a, b)
    assert lowest < highest
    for p in (lowest, highest, (lowest + highest) / 2):
        assert p_value_judge((a, b), paired_permutation_test(a, b), p) is None


@pytest.mark.parametrize(
    "wrong",
    [(0.3, 0.6), (0.9, 0.2), (-0.1, 1.1), (0.625, 0.625), (0.0, 1.0), [0.25], "no", None, (math.nan, 1), (True, 1)],
    ids=str,
)
def test_wrong_intervals_fail(wrong):
    args = ([1, 1, 0, 1, 0, 1, 1, 0], 0.8, 2000, 0)
    assert interval_judge(args, bootstrap_ci(*args), wrong)


@pytest.mark.parametrize("wrong", [0, 0.02, 0.5, 1.2, -0.2, math.nan, "p", None, True, (0.2,)], ids=str)
def test_wrong_p_values_fail(wrong):
    args = ([1, 1, 1, 0, 1, 1, 0, 0], [0, 0, 0, 1, 0, 0, 0, 0])
    assert p_value_judge(args, paired_permutation_test(*args), wrong)


def test_other_generators_of_the_same_mistake_are_named():
    def pooled(a, b, n_permutations=1000, seed=0):
        rng, pool = random.Random(seed), [*a, *b]
        observed, count = abs(sum(a) - sum(b)), 0
        for _ in range(n_permutations):
            rng.shuffle(pool)
            count += abs(sum(pool[: len(a)]) - sum(pool[len(a) :])) >= observed - 1e-9
        return (count + 1) / (n_permutations + 1)

    def without_replacement(values, level=0.95, n_resamples=1000, seed=0):
        return statistics.fmean(values), statistics.fmean(values)

    def in_one_tail(values, level=0.95, n_resamples=1000, seed=0):
        rng = random.Random(seed)
        means = [statistics.fmean(rng.choices(values, k=len(values))) for _ in range(n_resamples)]
        return np.quantile(means, [1 - level, level])

    # On a random input two draws of one mistake may fall on either side of right.
    assert hand_picked.named("metrics.paired_test", pooled) == "unpaired"
    assert hand_picked.named("metrics.bootstrap_ci", without_replacement) == "without_replacement"
    assert hand_picked.named("metrics.bootstrap_ci", in_one_tail) == "both_tails_whole"


# Lenient outputs


def test_arrays_and_other_pairs_pass_as_an_interval():
    exercise = exercises.get("metrics.bootstrap_ci")
    for shape in (list, np.array, lambda pair: np.array(pair, dtype=np.float32), lambda pair: (x for x in pair)):
        assert run(exercise, lambda *args, shape=shape: shape(bootstrap_ci(*args))).passed


def test_a_generator_passes_as_a_curve_and_numpy_means_as_segments():
    def curve(rankings, relevants, ks):
        return iter(exercises.get("metrics.recall_curve").reference(rankings, relevants, ks))

    def segments(values, names):
        means = exercises.get("metrics.by_segment").reference(values, names)
        return {name: np.float64(mean) for name, mean in means.items()}

    assert run(exercises.get("metrics.recall_curve"), curve).passed
    assert run(exercises.get("metrics.by_segment"), segments).passed
