"""Join rankings, order candidates anew, and keep the results from repeating one another.

A ranking is a list of ids, best first; the first rank is 1. An id that a ranking repeats counts once, at its best
rank, and the ids behind it keep theirs.
"""

from collections.abc import Collection, Hashable, Mapping, Sequence
from math import fsum, inf

import numpy as np

from ragteach.retrieval.arguments import at_least, between, id_list, id_lists, matrix, require, text_str, vector
from ragteach.retrieval.text import tokenize

Ranking = Sequence[Hashable]


def min_max(scores: Sequence[float]) -> list[float]:
    """Stretch scores to [0, 1]: (s - min) / (max - min). Equal scores all become 0.0.

    One extreme score moves all others, which is why mixing scores so is fragile. Raises ValueError where a score is
    nan or infinite.
    """
    values = vector("scores", scores).astype(float).tolist()
    if not values:
        return []
    low, high = min(values), max(values)
    require(high - low < inf, "scores must span less than the largest float.")
    return [(value - low) / (high - low) if high > low else 0.0 for value in values]


def rrf_scores(rankings: Sequence[Ranking], k: int = 60) -> dict[Hashable, float]:
    """Map each id to Σ 1 / (k + rank), over the rankings that hold it: reciprocal rank fusion.

    Ids stand in the order of their first appearance, the first ranking read first. A ranking without the id adds
    nothing (Cormack, Clarke & Büttcher, Reciprocal Rank Fusion, 2009). Raises ValueError where k < 1, or a ranking
    is a str.
    """
    return _weighted_scores(rankings, [1.0] * len(rankings), k)


def rrf(rankings: Sequence[Ranking], k: int = 60) -> list:
    """Fuse rankings by `rrf_scores`, best first; ties: in the order of first appearance.

    Only ranks count: a strictly increasing change of a list's scores changes nothing (theorem 4). Raises ValueError
    as `rrf_scores` does.
    """
    return _by_score(rrf_scores(rankings, k))


def weighted_rrf(rankings: Sequence[Ranking], weights: Sequence[float], k: int = 60) -> list:
    """Fuse rankings by Σ weight / (k + rank), best first; ties: in the order of first appearance.

    Ids that stand in rankings of weight 0 only come last. Raises ValueError where there is not one weight for each
    ranking, a weight is negative, nan or infinite, or as `rrf_scores` does.
    """
    return _by_score(_weighted_scores(rankings, weights, k))


def _weighted_scores(rankings: Sequence[Ranking], weights: Sequence[float], k: int) -> dict[Hashable, float]:
    at_least("k", k, 1)
    lists, weights = id_lists("rankings", rankings), vector("weights", weights).tolist()
    require(len(weights) == len(lists), f"weights must hold one for each of the {len(lists)} rankings.")
    require(all(weight >= 0 for weight in weights), "weights must not be negative.")
    shares: dict[Hashable, list[float]] = {}
    for ids, weight in zip(lists, weights, strict=True):
        best_ranks: dict[Hashable, int] = {}
        for rank, id_ in enumerate(ids, start=1):
            best_ranks.setdefault(id_, rank)
        for id_, rank in best_ranks.items():
            shares.setdefault(id_, []).append(weight / (k + rank))
    # fsum rounds once, at the end: the same ranks give the same score, whichever list each of them comes from.
    return {id_: fsum(parts) for id_, parts in shares.items()}


def _by_score(scores: Mapping[Hashable, float]) -> list:
    """Order ids by score, largest first; ties keep the order in which they stand."""
    return sorted(scores, key=lambda id_: -scores[id_])


def rerank(candidates: Ranking, scores: Sequence[float], top_n: int) -> list:
    """Return the `top_n` candidates of the largest scores, best first; scores[i] belongs to candidates[i].

    Stable: equal scores keep the candidates' order. A repeated candidate counts once, where it stands first. Raises
    ValueError where there is not one score for each candidate, top_n < 1, or a score is nan or infinite.
    """
    ids, values = id_list("candidates", candidates), vector("scores", scores).tolist()
    at_least("top_n", top_n, 1)
    require(len(values) == len(ids), f"scores must hold one for each of the {len(ids)} candidates, not {len(values)}.")
    by_id: dict[Hashable, float] = {}
    for id_, value in zip(ids, values, strict=True):
        by_id.setdefault(id_, value)
    return _by_score(by_id)[:top_n]


def concept_score(query: str, chunk: str, synonyms: Mapping[str, str], stopwords: Collection[str]) -> int:
    """Count the distinct concepts that a query and a chunk share: a stand-in for a cross-encoder's score.

    A token (as `tokenize` makes them) stands for the concept that synonyms maps it to, or for itself. Concepts that
    are stop words do not count; the stop words go through `tokenize` as well, so that "L’" or "Le" are found. Raises
    ValueError where query or chunk is no str, or stopwords is one.
    """
    text_str("query", query)
    text_str("chunk", chunk)
    require(not isinstance(stopwords, str), "stopwords must be a collection of words, not a str.")
    stop = {token for word in stopwords for token in tokenize(word)}
    asked, found = ({synonyms.get(token, token) for token in tokenize(text)} for text in (query, chunk))
    return len((asked & found) - stop)


def mmr(query_sims: Sequence[float], doc_sims: np.ndarray, k: int, lam: float = 0.5) -> list[int]:
    """Choose k documents one by one, each relevant and unlike those already chosen: maximal marginal relevance.

    The next document is the one of the largest λ · sim(query, d) - (1 - λ) · max sim(d, chosen) (Carbonell &
    Goldstein, 1998); ties: lower number first. query_sims has shape (N,) and doc_sims (N, N), with λ = lam. The
    first is the most similar to the query whatever λ, as in LangChain; λ = 1 is plain ranking. Raises ValueError
    where k < 1, lam lies outside [0, 1], the shapes do not fit, or a similarity is nan or infinite.
    """
    at_least("k", k, 1)
    between("lam", lam, 0, 1)
    relevance = vector("query_sims", query_sims)
    n = len(relevance)
    if n == 0:
        return []
    sims = matrix("doc_sims", doc_sims)
    require(sims.shape == (n, n), f"doc_sims must have shape ({n}, {n}), not {sims.shape}.")
    chosen = [int(relevance.argmax())]
    while len(chosen) < min(k, n):
        redundancy = sims[:, chosen].max(axis=1)
        gains = lam * relevance - (1 - lam) * redundancy
        gains[chosen] = -inf
        chosen.append(int(gains.argmax()))
    return chosen


def hybrid_search(
    lexical: Sequence[int],
    dense: Sequence[int],
    rerank_scores: Mapping[int, float] | Sequence[float],
    top_k: int = 40,
    top_n: int = 8,
) -> list[int]:
    """Fuse the first `top_k` of a lexical and of a dense ranking by RRF, rerank them, and return the best `top_n`.

    lexical and dense are rankings of document numbers; rerank_scores[doc] is what the reranker gives a document,
    read for the candidates only. Equal rerank scores keep the fused order. Raises ValueError where top_k or top_n
    is below 1 or a candidate has no rerank score.
    """
    at_least("top_k", top_k, 1)
    candidates = rrf([id_list("lexical", lexical)[:top_k], id_list("dense", dense)[:top_k]])
    try:
        scores = [rerank_scores[doc] for doc in candidates]
    except (LookupError, TypeError) as error:
        raise ValueError("rerank_scores must give a score for each document that is found.") from error
    return rerank(candidates, scores, top_n)
