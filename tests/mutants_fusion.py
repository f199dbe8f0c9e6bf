"""Mutants of chapter 04's references that do nothing wrong that an exercise asks about: see mutants.py."""

UNASKED = "the reference also refuses scores that span more than the largest float, of which the statement says nothing"
EARLIER = "short rankings come in the same order; the value itself is tested by fusion.rrf_scores, which all build on"

EQUIVALENT = {
    "fusion.min_max": {
        "high - low < inf -> high - low <= inf in: "
        "require(high - low < inf, 'scores must span less than the largest float.')": UNASKED,
        "high - low -> high + low in: "
        "require(high - low < inf, 'scores must span less than the largest float.')": UNASKED,
    },
    "fusion.rrf": {
        "60 -> 61 in: def rrf(rankings: Sequence[Ranking], k: int=60) -> list:": EARLIER,
        "60 -> 59 in: def rrf(rankings: Sequence[Ranking], k: int=60) -> list:": EARLIER,
    },
    "fusion.weighted_rrf": {
        "60 -> 61 in: "
        "def weighted_rrf(rankings: Sequence[Ranking], weights: Sequence[float], k: int=60) -> list:": EARLIER,
        "60 -> 59 in: "
        "def weighted_rrf(rankings: Sequence[Ranking], weights: Sequence[float], k: int=60) -> list:": EARLIER,
    },
    "fusion.hybrid": {
        "1 -> 2 in: at_least('k', k, 1)": EARLIER,
        "1 -> 2 in: for rank, id_ in enumerate(ids, start=1):": EARLIER,
    },
}
