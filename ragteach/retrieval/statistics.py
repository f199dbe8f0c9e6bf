"""How far a mean over questions can be trusted. Draws are repeated exactly by the same seed."""

from collections.abc import Sequence

import numpy as np

from ragteach.retrieval.arguments import at_least, require, vector


def bootstrap_ci(
    values: Sequence[float], level: float = 0.95, n_resamples: int = 1000, seed: int = 0
) -> tuple[float, float]:
    """Give a confidence interval of the mean, by the percentile bootstrap (Efron, 1979).

    values holds one score a question. Each resample draws as many of them, with replacement; the interval runs
    between the quantiles (1 - level)/2 and (1 + level)/2 of the resamples' means. scipy.stats.bootstrap does the
    same with method="percentile". Raises ValueError where values is empty or holds nan or infinity, level does not
    lie strictly between 0 and 1, or n_resamples < 1.
    """
    scores = vector("values", values)
    require(len(scores) > 0, "values must hold at least one value.")
    require(0 < level < 1, f"level must lie strictly between 0 and 1, not {level}.")
    at_least("n_resamples", n_resamples, 1)
    rng = np.random.default_rng(seed)
    means = [rng.choice(scores, size=len(scores)).mean() for _ in range(n_resamples)]
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def paired_permutation_test(a: Sequence[float], b: Sequence[float], n_permutations: int = 1000, seed: int = 0) -> float:
    """Give the two-sided p-value of the mean difference of two systems on the same questions (Fisher, 1935).

    a[i] and b[i] are the scores of question i. If the systems were alike, each difference might as well have the
    opposite sign: the p-value is the share of random signs that give a mean difference at least as large as the
    observed one. The observed signs count as one draw, so that it is never 0 (Phipson & Smyth, 2010), as in
    scipy.stats.permutation_test. Raises ValueError where a and b are empty, differ in length, or hold nan or
    infinity, or where n_permutations < 1.
    """
    a, b = vector("a", a), vector("b", b)
    require(len(a) == len(b), f"a and b must have the same length, not {len(a)} and {len(b)}.")
    require(len(a) > 0, "a and b must hold at least one value.")
    at_least("n_permutations", n_permutations, 1)
    differences = a - b
    observed = abs(differences.mean())
    rounding = 1e-12 * np.abs(differences).mean()  # a sum of the same numbers in another order may differ so much
    rng = np.random.default_rng(seed)
    drawn = [rng.choice([-1, 1], size=len(a)) @ differences / len(a) for _ in range(n_permutations)]
    as_large = sum(abs(difference) >= observed - rounding for difference in drawn)
    return (int(as_large) + 1) / (n_permutations + 1)
