"""Random arguments shared by the chapter's exercises, and the order that rounding leaves open.

hypothesis is imported when a strategy is built, so that importing the exercises stays fast.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np

from ragteach.checking.compare import Difference, same

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

IDS = ("D1", "D2", "D3", "D4", "D5", "D6")
KS = (60, 1, 2, 10, 100)
SMALL_KS = (1, 2, 1)  # with which a first place outweighs several lower ones: k then changes the order
NOISE = 1e-9

# The two rankings of the chapter: what BM25 and what the dense search found.
LEXICAL = ["D7", "D2", "D9", "D4"]
DENSE = ["D2", "D5", "D7", "D1"]


def rankings() -> SearchStrategy[list[list[str]]]:
    """Draw up to three rankings of up to five ids, empty ones and repeated ids among them."""
    from hypothesis import strategies as st

    return st.lists(st.lists(st.sampled_from(IDS), max_size=5), max_size=3)


def fusions() -> SearchStrategy[tuple]:
    """Draw rankings, and k in most cases: often a small one, with long rankings."""
    from hypothesis import strategies as st

    ks = st.sampled_from(SMALL_KS)
    return st.one_of(
        st.tuples(rankings()),
        st.tuples(rankings(), st.sampled_from(KS)),
        st.tuples(long_rankings(), ks),
        st.tuples(long_rankings(), ks),
    )


def long_rankings() -> SearchStrategy[list[list[str]]]:
    """Draw two or three rankings of four or five ids, almost all of them different."""
    from hypothesis import strategies as st

    ranking = st.permutations(IDS).map(lambda ids: ids[:5]) | st.permutations(IDS).map(lambda ids: [*ids[:3], ids[0]])
    mirrored = st.permutations(IDS).map(lambda ids: [ids[:4], ids[3::-1]])  # several of these tie
    return st.lists(ranking, min_size=2, max_size=3) | mirrored


def best_ranks(ranking: list) -> dict[Hashable, int]:
    """Map each id to its best rank."""
    ranks: dict[Hashable, int] = {}
    for rank, id_ in enumerate(ranking, start=1):
        ranks.setdefault(id_, rank)
    return ranks


def shares(rankings: list[list], weights: list[float]) -> dict[Hashable, list[tuple[float, int]]]:
    """Map each id to what makes its score: (weight, rank) in each ranking of a weight above 0 that holds it."""
    found: dict[Hashable, list[tuple[float, int]]] = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        for id_, rank in best_ranks(ranking).items():
            parts = found.setdefault(id_, [])
            if weight > 0:
                parts.append((weight, rank))
    return found


def judge_fusion(weights_of: Callable[[tuple], list[float]], k_of: Callable[[tuple], int]) -> Callable:
    """Make a judge of fused rankings that takes no reader's rounding for a mistake.

    Sums of three terms, or of other terms of the same value, may differ in their last digit with the order of
    addition; where they do, either order passes. One or two equal terms give the same float in any order: those
    ties are real, and the statement says how they stand.
    """

    def judge(args: tuple, expected: Any, got: Any) -> Difference | None:
        difference = same(expected, got)
        if difference is None or not isinstance(expected, list) or not _is_permutation(expected, got):
            return difference
        parts = shares(args[0], weights_of(args))
        scores = {id_: sum(weight / (k_of(args) + rank) for weight, rank in parts[id_]) for id_ in parts}
        open_to_both = all(abs(scores[a] - scores[b]) < NOISE for a, b in zip(expected, got, strict=True))
        return None if open_to_both and _keeps_real_ties(expected, list(got), parts) else difference

    return judge


def _is_permutation(expected: list, got: Any) -> bool:
    return isinstance(got, list | tuple | np.ndarray) and sorted(expected, key=repr) == sorted(list(got), key=repr)


def _keeps_real_ties(expected: list, got: list, parts: Mapping[Hashable, list]) -> bool:
    tied = [(a, b) for a, b in combinations(expected, 2) if len(parts[a]) <= 2 and sorted(parts[a]) == sorted(parts[b])]
    return all(got.index(a) < got.index(b) for a, b in tied)
