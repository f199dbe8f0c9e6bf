"""Right answers to the exercises of chapter 05, each written as another reader would write it.

None of them imports the reference: a check that fails one of them punishes a right answer.
"""

import math
import random
import statistics
from collections import Counter, defaultdict
from fractions import Fraction
from itertools import accumulate, groupby, islice

import numpy as np

# First places


def precision_by_sets(ranking, relevant, k):
    if k < 1:
        raise ValueError("k must be at least 1")
    return len(set(ranking[:k]).intersection(relevant)) / k


def precision_by_arrays(ranking, relevant, k):
    if k <= 0:
        raise ValueError("k")
    top = np.unique(np.array(ranking[:k], dtype=object)) if ranking else np.array([])
    return np.isin(top, list(relevant)).sum() / np.float64(k)


def precision_by_loop(ranking, relevant, k):
    if not k >= 1:
        raise ValueError(f"k is {k}")
    hits, seen = 0, []
    for place in range(min(k, len(ranking))):
        doc = ranking[place]
        if doc in relevant and doc not in seen:
            hits += 1
            seen.append(doc)
    return Fraction(hits, k).__float__()


def recall_by_sets(ranking, relevant, k):
    if k < 1:
        raise ValueError("k must be at least 1")
    if not relevant:
        return 0
    return len(set(relevant) & set(ranking[0:k])) / len(relevant)


def recall_by_arrays(ranking, relevant, k):
    if k < 1:
        raise ValueError("k must be at least 1")
    found = np.array([doc in ranking[:k] for doc in relevant], dtype=float)
    return found.mean() if found.size else np.float64(0)


def recall_by_loop(ranking, relevant, k):
    if k < 1:
        raise ValueError("k must be at least 1")
    missing = set(relevant)
    for doc in islice(ranking, k):
        missing.discard(doc)
    try:
        return 1 - len(missing) / len(relevant)
    except ZeroDivisionError:
        return 0.0


# Ranks


def refuse_questions(rankings, relevants):
    if len(rankings) == 0:
        raise ValueError("rankings is empty")
    if len(rankings) != len(relevants):
        raise ValueError("relevants must be as long as rankings")


def mrr_by_loops(rankings, relevants):
    refuse_questions(rankings, relevants)
    total = 0
    for i in range(len(rankings)):
        for place in range(len(rankings[i])):
            if rankings[i][place] in relevants[i]:
                total = total + 1 / (place + 1)
                break
    return total / len(rankings)


def mrr_by_arrays(rankings, relevants):
    refuse_questions(rankings, relevants)
    values = []
    for ranking, relevant in zip(rankings, relevants, strict=True):
        hits = np.flatnonzero([doc in relevant for doc in ranking])
        values.append(1 / (hits[0] + 1) if len(hits) else 0)
    return np.mean(values)


def mrr_by_next(rankings, relevants):
    refuse_questions(rankings, relevants)
    return statistics.fmean(
        next((1 / rank for rank, doc in enumerate(ranking, 1) if doc in relevant), 0)
        for ranking, relevant in zip(rankings, relevants, strict=True)
    )


def average_precision_by_loop(ranking, relevant):
    if not relevant:
        return 0.0
    seen, total = set(), 0.0
    for rank, doc in enumerate(ranking, start=1):
        if doc in relevant and doc not in seen:
            seen.add(doc)
            total += len(seen) / rank
    return total / len(relevant)


def average_precision_by_arrays(ranking, relevant):
    fresh = np.array([doc in relevant and doc not in ranking[:i] for i, doc in enumerate(ranking)], dtype=float)
    precision = np.cumsum(fresh) / np.arange(1, len(ranking) + 1)
    return (precision * fresh).sum() / max(len(relevant), 1)


def average_precision_by_documents(ranking, relevant):
    total = Fraction(0)
    for doc in relevant:
        if doc in ranking:
            rank = ranking.index(doc) + 1
            total += Fraction(len(set(ranking[:rank]) & relevant), rank)
    return float(total / len(relevant)) if relevant else 0.0


# Gains


def refuse_gains(gains, k):
    if k < 1:
        raise ValueError("k must be at least 1")
    if any(gain < 0 for gain in gains):
        raise ValueError("gains must not be negative")


def dcg_by_loop(gains, k):
    refuse_gains(gains, k)
    total = 0
    for i in range(len(gains)):
        if i < k:
            total += (2 ** gains[i] - 1) / math.log(i + 2, 2)
    return total


def dcg_by_arrays(gains, k):
    refuse_gains(gains, k)
    top = np.asarray(gains, dtype=float)[:k]
    return np.expm1(top * np.log(2)) @ (1 / np.log2(np.arange(2, len(top) + 2)))


def dcg_by_map(gains, k):
    refuse_gains(gains, k)
    return math.fsum(map(lambda rank, gain: (pow(2, gain) - 1) / math.log2(rank), range(2, k + 2), gains))


def ndcg_by_loop(ranking, relevance, k):
    if k < 1:
        raise ValueError("k must be at least 1")
    total, ideal, seen = 0.0, 0.0, set()
    for rank, doc in enumerate(ranking[:k], start=1):
        if doc in relevance and doc not in seen:
            total += (2 ** relevance[doc] - 1) / math.log2(rank + 1)
        seen.add(doc)
    for rank, grade in enumerate(sorted(relevance.values())[::-1][:k], start=1):
        ideal += (2**grade - 1) / math.log2(rank + 1)
    return total / ideal if ideal else 0


def ndcg_by_arrays(ranking, relevance, k):
    if k < 1:
        raise ValueError("k must be at least 1")
    ids, places = np.unique(np.array(ranking, dtype=object), return_index=True) if ranking else ([], [])
    gains = np.zeros(max(len(ranking), 1))
    for doc, place in zip(ids, places, strict=True):
        gains[place] = relevance.get(doc, 0)
    best = -np.sort(-np.array(list(relevance.values()), dtype=float))

    def discounted(values):
        top = values[:k]
        return ((2**top - 1) / np.log2(np.arange(len(top)) + 2)).sum()

    below = discounted(best)
    return discounted(gains) / below if below > 0 else 0.0


def ndcg_by_dcg(ranking, relevance, k):
    counts = Counter()
    gains = []
    for doc in ranking:
        counts[doc] += 1
        gains.append(relevance.get(doc, 0) if counts[doc] == 1 else 0)
    ideal = dcg_by_map(sorted(relevance.values(), key=lambda grade: -grade), k)
    if ideal == 0:
        return 0.0
    return dcg_by_map(gains, k) / ideal


# Means


def recall_curve_by_calls(rankings, relevants, ks):
    refuse_questions(rankings, relevants)
    curve = []
    for k in ks:
        values = [recall_by_sets(r, p, k) for r, p in zip(rankings, relevants, strict=True)]
        curve.append(sum(values) / len(values))
    return curve


def recall_curve_by_arrays(rankings, relevants, ks):
    refuse_questions(rankings, relevants)
    table = np.array([[recall_by_arrays(r, p, k) for k in ks] for r, p in zip(rankings, relevants, strict=True)])
    return table.mean(axis=0)


def recall_curve_by_cumulation(rankings, relevants, ks):
    refuse_questions(rankings, relevants)
    if any(k < 1 for k in ks):
        raise ValueError("ks")
    depth = max(ks, default=1)
    totals = [0.0] * depth
    for ranking, relevant in zip(rankings, relevants, strict=True):
        fresh = [int(doc in relevant and doc not in ranking[:i]) for i, doc in enumerate(ranking)]
        fresh = (fresh + [0] * depth)[:depth]
        for place, found in enumerate(accumulate(fresh)):
            totals[place] += found / (len(relevant) or 1)
    return tuple(totals[k - 1] / len(rankings) for k in ks)


def by_segment_by_defaultdict(values, segments):
    if len(values) != len(segments):
        raise ValueError("one segment a value")
    groups = defaultdict(list)
    for value, segment in zip(values, segments, strict=True):
        groups[segment].append(value)
    return {segment: statistics.mean(group) for segment, group in groups.items()}


def by_segment_by_arrays(values, segments):
    if len(values) != len(segments):
        raise ValueError("one segment a value")
    numbers = np.asarray(values, dtype=float)
    return {name: numbers[[segment == name for segment in segments]].mean() for name in set(segments)}


def by_segment_by_sorting(values, segments):
    if len(values) != len(segments):
        raise ValueError("one segment a value")
    means = {}
    for name, pairs in groupby(sorted(zip(segments, values, strict=True)), key=lambda pair: pair[0]):
        group = [value for _, value in pairs]
        means[name] = sum(group) / len(group)
    return means


# Chance: other generators, other orders of drawing, other ways to cut


def refuse_resampling(values, level, n_resamples):
    if len(values) == 0:
        raise ValueError("values is empty")
    if level <= 0 or level >= 1:
        raise ValueError("level must lie between 0 and 1")
    if n_resamples < 1:
        raise ValueError("n_resamples must be at least 1")


def bootstrap_by_matrix(values, level=0.95, n_resamples=1000, seed=0):
    refuse_resampling(values, level, n_resamples)
    rng = np.random.default_rng(seed)
    drawn = np.asarray(values, dtype=float)[rng.integers(0, len(values), size=(n_resamples, len(values)))]
    return np.percentile(drawn.mean(axis=1), [50 * (1 - level), 50 * (1 + level)])


def bootstrap_by_random(values, level=0.95, n_resamples=1000, seed=0):
    refuse_resampling(values, level, n_resamples)
    rng = random.Random(seed)
    means = sorted(sum(rng.choices(values, k=len(values))) / len(values) for _ in range(n_resamples))
    cut = int((1 - level) / 2 * n_resamples)
    return means[cut], means[n_resamples - 1 - cut]


def bootstrap_by_counts(values, level=0.95, n_resamples=1000, seed=0):
    refuse_resampling(values, level, n_resamples)
    n = len(values)
    counts = np.random.RandomState(seed).multinomial(n, [1 / n] * n, size=n_resamples)
    means = counts @ np.array(values, dtype=float) / n
    return [np.quantile(means, q, method="nearest") for q in ((1 - level) / 2, (1 + level) / 2)]


def refuse_pairs(a, b, n_permutations):
    if len(a) != len(b) or len(a) == 0:
        raise ValueError("a and b must have the same length, at least 1")
    if n_permutations < 1:
        raise ValueError("n_permutations must be at least 1")


def paired_by_matrix(a, b, n_permutations=1000, seed=0):
    refuse_pairs(a, b, n_permutations)
    differences = np.array(a, dtype=float) - np.array(b, dtype=float)
    signs = 1 - 2 * np.random.default_rng(seed).integers(0, 2, size=(n_permutations, len(a)))
    as_large = np.abs(signs @ differences) >= abs(differences.sum()) - 1e-12
    return (as_large.sum() + 1) / (n_permutations + 1)


def paired_by_swapping(a, b, n_permutations=1000, seed=0):
    refuse_pairs(a, b, n_permutations)
    rng = random.Random(seed)
    observed = abs(sum(a) / len(a) - sum(b) / len(b))
    count = 1
    for _ in range(n_permutations):
        first, second = [], []
        for x, y in zip(a, b, strict=True):
            if rng.random() < 0.5:
                x, y = y, x
            first.append(x)
            second.append(y)
        if abs(sum(first) / len(a) - sum(second) / len(b)) >= observed:
            count += 1
    return count / (n_permutations + 1)


def paired_by_bits(a, b, n_permutations=1000, seed=0):
    refuse_pairs(a, b, n_permutations)
    rng = random.Random(seed)
    differences = [x - y for x, y in zip(a, b, strict=True)]

    def size(bits):
        return abs(math.fsum(-d if bits >> i & 1 else d for i, d in enumerate(differences)))

    drawn = [size(rng.getrandbits(len(a))) for _ in range(n_permutations)]
    return Fraction(1 + sum(x >= size(0) for x in drawn), 1 + n_permutations).__float__()


# Theorem 3


def refuse_shares(*shares):
    if any(share < 0 or share > 1 for share in shares):
        raise ValueError("a share lies between 0 and 1")


def expected_accuracy_plain(recall, p_with, p_without):
    refuse_shares(recall, p_with, p_without)
    return recall * p_with + (1 - recall) * p_without


def expected_accuracy_as_step(recall, p_with, p_without):
    for share in (recall, p_with, p_without):
        if not 0 <= share <= 1:
            raise ValueError(f"{share} is no share")
    return p_without + recall * (p_with - p_without)


def expected_accuracy_by_arrays(recall, p_with, p_without):
    shares = np.array([recall, p_with, p_without])
    if (shares < 0).any() or (shares > 1).any():
        raise ValueError("a share lies between 0 and 1")
    return np.average([p_with, p_without], weights=[recall, 1 - recall])


def required_recall_by_cases(target, p_with, p_without):
    refuse_shares(target, p_with, p_without)
    if p_without >= target:
        return 0
    if p_with < target:
        return None
    return (target - p_without) / (p_with - p_without)


def required_recall_by_solution(target, p_with, p_without):
    refuse_shares(target, p_with, p_without)
    if target <= p_without:
        return 0.0
    if p_with <= p_without:
        return None
    needed = np.float64(target - p_without) / (p_with - p_without)
    return needed if needed <= 1 else None


def required_recall_by_fractions(target, p_with, p_without):
    refuse_shares(target, p_with, p_without)
    target, p_with, p_without = map(Fraction, (target, p_with, p_without))
    if max(p_with, p_without) < target:
        return None
    gap = target - p_without
    return float(gap / (p_with - p_without)) if gap > 0 else 0.0


RIGHT_ANSWERS = {
    "metrics.precision": [precision_by_sets, precision_by_arrays, precision_by_loop],
    "metrics.recall": [recall_by_sets, recall_by_arrays, recall_by_loop],
    "metrics.mrr": [mrr_by_loops, mrr_by_arrays, mrr_by_next],
    "metrics.average_precision": [
        average_precision_by_loop,
        average_precision_by_arrays,
        average_precision_by_documents,
    ],
    "metrics.dcg": [dcg_by_loop, dcg_by_arrays, dcg_by_map],
    "metrics.ndcg": [ndcg_by_loop, ndcg_by_arrays, ndcg_by_dcg],
    "metrics.recall_curve": [recall_curve_by_calls, recall_curve_by_arrays, recall_curve_by_cumulation],
    "metrics.by_segment": [by_segment_by_defaultdict, by_segment_by_arrays, by_segment_by_sorting],
    "metrics.bootstrap_ci": [bootstrap_by_matrix, bootstrap_by_random, bootstrap_by_counts],
    "metrics.paired_test": [paired_by_matrix, paired_by_swapping, paired_by_bits],
    "metrics.expected_accuracy": [
        expected_accuracy_plain,
        expected_accuracy_as_step,
        expected_accuracy_by_arrays,
    ],
    "metrics.required_recall": [
        required_recall_by_cases,
        required_recall_by_solution,
        required_recall_by_fractions,
    ],
}
