"""How good a ranking is, and what that allows a whole RAG to be.

A ranking is a list of ids, best first; `relevant` is the set of ids that answer the question. The values are those
of trec_eval wherever both are defined. An id that a ranking repeats counts once, at its best rank, and the ids behind
it keep theirs. Documents are ranked before they are evaluated, so scores and their ties play no part here.
"""

from collections.abc import Collection, Hashable, Iterator, Mapping, Sequence
from math import log2

from ragteach.retrieval.arguments import at_least, between, id_list, id_lists, require, vector

Ranking = Sequence[Hashable]
Ids = Collection[Hashable]


def precision_at_k(ranking: Ranking, relevant: Ids, k: int) -> float:
    """Give the share of the first k places that hold a relevant document; a place left empty holds none.

    Raises ValueError where k < 1, or ranking or relevant is a str.
    """
    at_least("k", k, 1)
    return sum(rank <= k for rank in _hit_ranks(ranking, relevant)) / k


def recall_at_k(ranking: Ranking, relevant: Ids, k: int) -> float:
    """Give the share of the relevant documents that stand in the first k places; 0.0 where nothing is relevant.

    Raises ValueError where k < 1, or ranking or relevant is a str.
    """
    at_least("k", k, 1)
    hits = sum(rank <= k for rank in _hit_ranks(ranking, relevant))
    return hits / len(set(relevant)) if hits else 0.0


def mrr(rankings: Sequence[Ranking], relevants: Sequence[Ids]) -> float:
    """Give the mean reciprocal rank: the mean over the questions of 1 / rank of the first relevant document.

    A question whose ranking holds no relevant document counts 0. Raises ValueError where there is no question, not
    one set of relevant ids for each ranking, or a str in either.
    """
    pairs = _questions(rankings, relevants)
    return sum(1 / next(_hit_ranks(ranking, relevant), float("inf")) for ranking, relevant in pairs) / len(pairs)


def average_precision(ranking: Ranking, relevant: Ids) -> float:
    """Give the mean, over all relevant documents, of the precision at the rank of each; 0 for one that is not found.

    0.0 where nothing is relevant. The mean of this over questions is MAP. Raises ValueError where ranking or
    relevant is a str.
    """
    precisions = [hits / rank for hits, rank in enumerate(_hit_ranks(ranking, relevant), start=1)]
    return sum(precisions) / len(set(relevant)) if precisions else 0.0


def dcg(gains: Sequence[float], k: int) -> float:
    """Give the discounted cumulative gain Σ (2^rel - 1) / log2(rank + 1) of the first k grades, in ranking order.

    Burges et al., Learning to Rank using Gradient Descent, 2005; trec_eval has rel instead of 2^rel - 1. Raises
    ValueError where k < 1, or a grade is negative, nan or infinite.
    """
    at_least("k", k, 1)
    grades = vector("gains", gains).tolist()
    require(all(grade >= 0 for grade in grades), "gains must not be negative.")
    return sum(((2**grade - 1) / log2(rank + 1) for rank, grade in enumerate(grades[:k], start=1)), 0.0)


def ndcg(ranking: Ranking, relevance: Mapping[Hashable, float], k: int) -> float:
    """Divide the DCG at k of a ranking by that of the best ranking of all judged documents: a value in [0, 1].

    relevance maps an id to its grade (0 to 3, say); an id without one has grade 0. 0.0 where no grade is above 0
    (Järvelin & Kekäläinen, 2002). Raises ValueError where k < 1, ranking is a str, relevance is no
    dict, or a grade is negative, nan or infinite.
    """
    require(isinstance(relevance, Mapping), "relevance must be a dict from ids to grades.")
    ids = id_list("ranking", ranking)
    # A repeated id adds nothing where it stands again.
    gains = [0 if id_ in ids[:place] else relevance.get(id_, 0) for place, id_ in enumerate(ids[:k])]
    best = dcg(sorted(relevance.values(), reverse=True), k)
    return dcg(gains, k) / best if best > 0 else 0.0


def recall_curve(rankings: Sequence[Ranking], relevants: Sequence[Ids], ks: Sequence[int]) -> list[float]:
    """Give the mean over the questions of recall at each k of `ks`, in their order.

    Raises ValueError as `mrr` does, and where a k is below 1.
    """
    pairs = _questions(rankings, relevants)
    return [sum(recall_at_k(ranking, relevant, k) for ranking, relevant in pairs) / len(pairs) for k in ks]


def by_segment(values: Sequence[float], segments: Sequence[Hashable]) -> dict[Hashable, float]:
    """Map each segment (a source, a language, a kind of question) to the mean of its values.

    values[i] belongs to segments[i]; segments stand in the order of their first appearance. Raises ValueError where
    the lengths differ, or a value is nan or infinite.
    """
    numbers, names = vector("values", values).tolist(), id_list("segments", segments)
    require(len(numbers) == len(names), f"segments must hold one for each of the {len(numbers)} values.")
    groups: dict[Hashable, list[float]] = {}
    for number, name in zip(numbers, names, strict=True):
        groups.setdefault(name, []).append(number)
    return {name: sum(group) / len(group) for name, group in groups.items()}


def expected_accuracy(recall: float, p_with: float, p_without: float) -> float:
    """Give the share of right answers: recall · p_with + (1 - recall) · p_without (theorem 3).

    p_with is the probability of a right answer where the context holds the information, p_without where it does
    not. Raises ValueError where one of the three lies outside [0, 1].
    """
    for name, value in (("recall", recall), ("p_with", p_with), ("p_without", p_without)):
        between(name, value, 0, 1)
    return recall * p_with + (1 - recall) * p_without


def required_recall(target: float, p_with: float, p_without: float) -> float | None:
    """Give the smallest recall for which `expected_accuracy` reaches the target; None where none does.

    0.0 where the target is reached without any context. Raises ValueError where one of the three lies outside
    [0, 1].
    """
    for name, value in (("target", target), ("p_with", p_with), ("p_without", p_without)):
        between(name, value, 0, 1)
    if target <= p_without:
        return 0.0
    if target > p_with:
        return None
    return (target - p_without) / (p_with - p_without)


def _hit_ranks(ranking: Ranking, relevant: Ids) -> Iterator[int]:
    """Give the ranks of the relevant documents, smallest first, each document once."""
    left = set(id_list("relevant", relevant))
    for rank, id_ in enumerate(id_list("ranking", ranking), start=1):
        if id_ in left:
            left.remove(id_)
            yield rank


def _questions(rankings: Sequence[Ranking], relevants: Sequence[Ids]) -> list[tuple[list, list]]:
    """Pair each ranking with its relevant ids."""
    rankings, relevants = id_lists("rankings", rankings), id_lists("relevants", relevants)
    require(len(rankings) > 0, "rankings must hold at least one question.")
    require(
        len(rankings) == len(relevants),
        f"relevants must hold one set for each of the {len(rankings)} rankings, not {len(relevants)}.",
    )
    return list(zip(rankings, relevants, strict=True))
