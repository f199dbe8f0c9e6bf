"""Judging what was drawn at random: near enough to the exact distribution for any generator, too far for a mistake.

The exercises' values are chosen so that the exact distribution is quick to compute: few questions, or few different
scores. A right answer is refused once in about 10^8 calls.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from math import inf, isclose, isfinite, sqrt
from numbers import Real
from typing import Any

import numpy as np

from ragteach.checking.compare import Difference, same
from ragteach.retrieval.statistics import bootstrap_ci, paired_permutation_test

Z = 6.0  # standard errors, between an answer and the truth
Z_ALIKE = 4.0  # between two drawings of the same mistake: an error here only leaves it without its name
ROUNDING = 1e-9  # two sums of the same numbers differ by less


@lru_cache(maxsize=256)
def sums(steps: tuple[tuple[tuple[float, float], ...], ...]) -> tuple[np.ndarray, np.ndarray]:
    """Give the values of a sum of independent draws, increasing, and their probabilities.

    Each step lists its (value, probability) pairs.
    """
    chances = {0.0: 1.0}
    for step in steps:
        grown: Counter[float] = Counter()
        for total, chance in chances.items():
            for value, probability in step:
                grown[round(total + value, 9)] += chance * probability
        chances = grown
    totals = sorted(chances)
    return np.array(totals), np.array([chances[total] for total in totals])


def resampled_means(values: Sequence[float]) -> tuple[np.ndarray, np.ndarray]:
    """Give the exact distribution of the mean of as many draws with replacement as there are values."""
    n = len(values)
    step = tuple((float(value), count / n) for value, count in sorted(Counter(values).items()))
    totals, chances = sums((step,) * n)
    return totals / n, chances


def wilson(share: float, n: int, z: float = Z) -> tuple[float, float]:
    """Give the probabilities for which a share observed in n draws lies within z standard errors (Wilson, 1927)."""
    square = z * z / n
    middle, half = share + square / 2, z * sqrt(share * (1 - share) / n + square / n / 4)
    return (middle - half) / (1 + square), (middle + half) / (1 + square)


def interval_judge(args: tuple, expected: Any, got: Any) -> Difference | None:
    """Accept an interval whose bounds are quantiles of the resampled means, up to what n_resamples draws may miss."""
    difference = same(expected, got)
    if difference is None or not (_is_pair(expected) and _is_pair(got)):
        return difference
    values, level, n, _ = (*args, *(0.95, 1000, 0)[len(args) - 1 :])
    means, chances = resampled_means(values)
    quantiles = ((1 - level) / 2, (1 + level) / 2)

    def right(bounds: Any) -> list[bool]:
        return [_holds(means, chances, float(x), *wilson(q, n), 2 / n) for x, q in zip(bounds, quantiles, strict=True)]

    ok = right(got)
    if all(ok) and got[0] > got[1] + ROUNDING:
        ok = [False, True]
    if not (all(ok) and all(right(expected))) and tuple(expected) != bootstrap_ci(*args):
        # A misconception's interval: is the reader's the same mistake, drawn otherwise?
        ok = [_alike(means, chances, float(x), float(y), n) for x, y in zip(expected, got, strict=True)]
    wrong = [i for i in (0, 1) if not ok[i]]
    return Difference("value", f"[{wrong[0]}]", expected[wrong[0]], got[wrong[0]]) if wrong else None


def _is_pair(value: Any) -> bool:
    return (
        isinstance(value, list | tuple | np.ndarray)
        and len(value) == 2
        and all(isinstance(x, Real) and not isinstance(x, bool) and isfinite(x) for x in value)
    )


def _below(means: np.ndarray, chances: np.ndarray, x: float) -> tuple[float, float]:
    """Give the probabilities of a mean below x, and of one that is not above."""
    return float(chances[means < x - ROUNDING].sum()), float(chances[means <= x + ROUNDING].sum())


def _holds(means: np.ndarray, chances: np.ndarray, x: float, low: float, high: float, slack: float) -> bool:
    under, up_to = _below(means, chances, x)
    inside = means[0] - ROUNDING <= x <= means[-1] + ROUNDING
    return inside and under <= high + slack and up_to >= low - slack


def _alike(means: np.ndarray, chances: np.ndarray, x: float, y: float, n: int) -> bool:
    if isclose(x, y, rel_tol=1e-6, abs_tol=1e-9):
        return True
    if not means[0] <= x <= means[-1]:
        return False
    under, up_to = (min(share, 1.0) for share in _below(means, chances, x))
    return _holds(means, chances, y, wilson(under, n, Z_ALIKE)[0], wilson(up_to, n, Z_ALIKE)[1], 2 / n)


def p_value_judge(args: tuple, expected: Any, got: Any) -> Difference | None:
    """Accept a p-value near the exact one: what n_permutations draws may miss, and no more."""
    difference = same(expected, got)
    if difference is None or not all(isinstance(x, Real) and isfinite(x) for x in (expected, got)):
        return difference
    a, b, n, _ = (*args, *(1000, 0)[len(args) - 2 :])
    lowest, highest = exact_p_values(a, b)

    def right(p: float) -> bool:
        return 0 < p <= 1 + ROUNDING and lowest - _margin(lowest, n) <= p <= highest + _margin(highest, n)

    ok = right(got)
    if not (ok and right(expected)) and expected != paired_permutation_test(*args):
        # A misconception's p-value: is the reader's the same mistake, drawn otherwise?
        # Both are drawn, so that their distance spreads sqrt(2) times as far as one of them.
        ok = abs(got - expected) <= sqrt(2) * max(_margin(min(max(p, 0), 1), n) for p in (got, expected))
    return None if ok else difference


def _margin(p: float, n: int) -> float:
    if p > 1 - ROUNDING:  # every draw counts: there is nothing left to chance
        return ROUNDING
    return Z * sqrt(p * (1 - p) / n) + 4 / n


def exact_p_values(a: Sequence[float], b: Sequence[float]) -> tuple[float, float]:
    """Give the share of all signs that makes the mean difference larger, and that which makes it at least as large.

    Where no rounding can decide between equal and smaller, ties count, and both are the second one.
    """
    differences = [float(x) - float(y) for x, y in zip(a, b, strict=True)]
    totals, chances = sums(tuple(((-d, 0.5), (d, 0.5)) for d in differences))
    observed = abs(sum(differences))
    at_least = float(chances[np.abs(totals) >= observed - ROUNDING].sum())
    if _is_exact([*a, *b]) and len(a) & (len(a) - 1) == 0:
        return at_least, at_least
    return float(chances[np.abs(totals) > observed + ROUNDING].sum()), at_least


def _is_exact(values: Sequence[float]) -> bool:
    """Tell whether sums of these values are the same in any order: multiples of 1/8 that are not huge."""
    return all(abs(value) < inf and (8 * value) % 1 == 0 for value in values)
