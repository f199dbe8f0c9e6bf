"""Right answers to the exercises of chapter 04, each written as another reader would write it.

None of them imports the reference: a check that fails one of them punishes a right answer.
"""

import math
import re
import unicodedata
from collections import Counter, defaultdict
from fractions import Fraction

import numpy as np

ELIDED = "c d j l m n s t qu jusqu lorsqu puisqu quoiqu".split()


def tokens_of(text):
    text = unicodedata.normalize("NFC", text).lower()
    text = re.sub(r"(?<![^\W_])(" + "|".join(ELIDED) + r")['’]", " ", text)
    return re.findall(r"(?:[^\W_]|(?<=\d)[.,](?=\d))+", text)


# fusion.min_max


def min_max_by_loop(scores):
    low = high = None
    for score in scores:
        if math.isnan(score) or math.isinf(score):
            raise ValueError("scores must be finite")
        low = score if low is None or score < low else low
        high = score if high is None or score > high else high
    result = []
    for score in scores:
        result.append(0.0 if high == low else (score - low) / (high - low))
    return result


def min_max_by_numpy(scores):
    values = np.asarray(scores, dtype=float)
    if not np.isfinite(values).all():
        raise ValueError("scores")
    if values.size == 0 or np.ptp(values) == 0:
        return np.zeros(len(values))
    return (values - values.min()) / np.ptp(values)


def min_max_with_an_epsilon(scores):
    if any(score != score or abs(score) == math.inf for score in scores):
        raise ValueError("nan or infinity in scores")
    if not scores:
        return ()
    low, span = min(scores), max(scores) - min(scores)
    return tuple((score - low) / (span + 1e-9) for score in scores)


def min_max_from_the_top(scores):
    if not all(map(math.isfinite, scores)):
        raise ValueError("scores")
    span = max(scores, default=0) - min(scores, default=0)
    return (1 - (max(scores) - score) / span if span else 0 for score in scores)


# fusion.rrf_scores, rrf, weighted_rrf


def refuse(rankings, k):
    if k < 1:
        raise ValueError("k must be at least 1")
    if isinstance(rankings, str) or any(isinstance(ranking, str) for ranking in rankings):
        raise ValueError("a ranking is a str")


def rrf_scores_by_loops(rankings, k=60):
    refuse(rankings, k)
    scores = {}
    for ranking in rankings:
        seen = set()
        for rank, id_ in enumerate(ranking, start=1):
            if id_ in seen:
                continue
            seen.add(id_)
            scores[id_] = scores.get(id_, 0) + 1 / (k + rank)
    return scores


def rrf_scores_by_index(rankings, k=60):
    refuse(rankings, k)
    every = [id_ for ranking in rankings for id_ in ranking]
    return {id_: sum(1 / (k + 1 + list(r).index(id_)) for r in rankings if id_ in r) for id_ in every}


def rrf_scores_by_counter(rankings, k=60):
    refuse(rankings, k)
    total = Counter()
    for ranking in rankings:
        total.update({id_: 1 / (k + len(ranking) - i) for i, id_ in enumerate(reversed(ranking))})
    return total


def rrf_scores_by_numpy(rankings, k=60):
    refuse(rankings, k)
    names = list(dict.fromkeys(id_ for ranking in rankings for id_ in ranking))
    ranks = np.full((len(rankings), len(names)), np.inf)
    for row, ranking in zip(ranks, rankings, strict=True):
        for rank, id_ in enumerate(ranking, start=1):
            row[names.index(id_)] = min(row[names.index(id_)], rank)
    return dict(zip(names, (1 / (k + ranks)).sum(axis=0), strict=True))


def rrf_by_sorted(rankings, k=60):
    scores = rrf_scores_by_loops(rankings, k)
    return sorted(scores, key=scores.get, reverse=True)


def rrf_by_numpy(rankings, k=60):
    scores = rrf_scores_by_numpy(rankings, k)
    names = list(scores)
    order = np.argsort(-np.array(list(scores.values())), kind="stable")
    return np.array(names)[order] if names else []


def rrf_by_most_common(rankings, k=60):
    refuse(rankings, k)
    total = Counter()
    for ranking in rankings:
        for id_ in dict.fromkeys(ranking):
            total[id_] += 1 / (k + 1 + ranking.index(id_))
    return (id_ for id_, _ in total.most_common())


def rrf_by_fractions(rankings, k=60):
    refuse(rankings, k)
    exact = defaultdict(Fraction)
    for ranking in rankings[::-1]:  # sums in another order, and without rounding
        for id_ in set(ranking):
            exact[id_] += Fraction(1, k + 1 + ranking.index(id_))
    appearance = list(dict.fromkeys(id_ for ranking in rankings for id_ in ranking))
    return sorted(exact, key=lambda id_: (-exact[id_], appearance.index(id_)))


def refuse_weights(rankings, weights, k):
    refuse(rankings, k)
    if len(weights) != len(rankings) or min(weights, default=0) < 0:
        raise ValueError("weights")


def weighted_rrf_by_loops(rankings, weights, k=60):
    refuse_weights(rankings, weights, k)
    scores = {}
    for i in range(len(rankings)):
        seen = []
        for j in range(len(rankings[i])):
            id_ = rankings[i][j]
            if id_ not in seen:
                seen.append(id_)
                scores[id_] = scores.get(id_, 0.0) + weights[i] * (1 / (k + j + 1))
    return sorted(scores, key=lambda id_: -scores[id_])


def weighted_rrf_by_numpy(rankings, weights, k=60):
    refuse_weights(rankings, weights, k)
    names = list(dict.fromkeys(id_ for ranking in rankings for id_ in ranking))
    table = np.zeros((len(rankings), len(names)))
    for row, ranking in enumerate(rankings):
        for column, id_ in enumerate(names):
            if id_ in ranking:
                table[row, column] = 1 / (k + ranking.index(id_) + 1)
    scores = np.array(weights, dtype=float) @ table if names else np.array([])
    return [names[i] for i in np.argsort(-scores, kind="stable")]


def weighted_rrf_by_negative_sums(rankings, weights, k=60):
    refuse_weights(rankings, weights, k)
    loss = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        best = {}
        for rank, id_ in enumerate(ranking, 1):
            best[id_] = min(rank, best.get(id_, rank))
        for id_, rank in best.items():
            loss[id_] = loss.get(id_, 0) - weight / (k + rank)
    return tuple(sorted(loss, key=loss.get))


# fusion.rerank


def refuse_candidates(candidates, scores, top_n):
    if len(candidates) != len(scores) or top_n < 1:
        raise ValueError("candidates, scores or top_n")


def rerank_by_loops(candidates, scores, top_n):
    refuse_candidates(candidates, scores, top_n)
    left = []
    for id_, score in zip(candidates, scores, strict=True):
        if id_ not in [other for other, _ in left]:
            left.append((id_, score))
    chosen = []
    while left and len(chosen) < top_n:
        best = 0
        for i in range(1, len(left)):
            if left[i][1] > left[best][1]:
                best = i
        chosen.append(left.pop(best)[0])
    return chosen


def rerank_by_numpy(candidates, scores, top_n):
    refuse_candidates(candidates, scores, top_n)
    if not len(candidates):
        return []
    names, first = np.unique(np.array(candidates), return_index=True)
    first = np.sort(first)
    order = first[np.argsort(-np.array(scores)[first], kind="stable")]
    return np.array(candidates)[order][:top_n]


def rerank_by_dict(candidates, scores, top_n):
    refuse_candidates(candidates, scores, top_n)
    by_id = {}
    for id_, score in zip(candidates, scores, strict=True):
        by_id.setdefault(id_, score)
    return sorted(by_id, key=by_id.get, reverse=True)[:top_n]


# fusion.concept_score


def refuse_texts(query, chunk, stopwords):
    if not isinstance(query, str) or not isinstance(chunk, str) or isinstance(stopwords, str):
        raise ValueError("texts")


def concept_score_by_loops(query, chunk, synonyms, stopwords):
    refuse_texts(query, chunk, stopwords)
    stop = []
    for word in stopwords:
        stop += tokens_of(word)
    found = []
    for token in tokens_of(query):
        concept = synonyms[token] if token in synonyms else token
        if concept in stop or concept in found:
            continue
        for other in tokens_of(chunk):
            if synonyms.get(other, other) == concept:
                found.append(concept)
                break
    return len(found)


def concept_score_by_sets(query, chunk, synonyms, stopwords):
    refuse_texts(query, chunk, stopwords)

    def concepts(text):
        return {synonyms.get(token, token) for token in tokens_of(text)} - set(tokens_of(" ".join(stopwords)))

    return len(concepts(query).intersection(concepts(chunk)))


def concept_score_by_numpy(query, chunk, synonyms, stopwords):
    refuse_texts(query, chunk, stopwords)
    asked, held = (np.array([synonyms.get(t, t) for t in tokens_of(text)], dtype=str) for text in (query, chunk))
    stop = np.array([token for word in stopwords for token in tokens_of(word)], dtype=str)
    return np.setdiff1d(np.intersect1d(asked, held), stop).size


# fusion.mmr


def refuse_mmr(k, lam):
    if k < 1:
        raise ValueError("k must be at least 1")
    if lam < 0 or lam > 1:
        raise ValueError("lam must lie between 0 and 1")


def mmr_by_loops(query_sims, doc_sims, k, lam=0.5):
    refuse_mmr(k, lam)
    n = len(query_sims)
    if n == 0:
        return []
    first = 0
    for doc in range(n):
        if query_sims[doc] > query_sims[first]:
            first = doc
    chosen = [first]
    while len(chosen) < k and len(chosen) < n:
        best, best_gain = None, None
        for doc in range(n):
            if doc in chosen:
                continue
            gain = lam * query_sims[doc] - (1 - lam) * max(doc_sims[doc][other] for other in chosen)
            if best is None or gain > best_gain:
                best, best_gain = doc, gain
        chosen.append(best)
    return chosen


def mmr_by_numpy(query_sims, doc_sims, k, lam=0.5):
    refuse_mmr(k, lam)
    n = len(query_sims)
    left = np.ones(n, dtype=bool)
    redundancy, chosen = np.full(n, -np.inf), []
    for step in range(min(k, n)):
        gain = lam * query_sims - (1 - lam) * redundancy if step else np.array(query_sims)
        doc = np.where(left, gain, -np.inf).argmax()
        chosen.append(doc)
        left[doc] = False
        redundancy = np.maximum(redundancy, doc_sims[doc])
    return np.array(chosen, dtype=int)


def mmr_by_max(query_sims, doc_sims, k, lam=0.5):
    refuse_mmr(k, lam)
    left, chosen = list(range(len(query_sims))), []

    def gain(doc):
        if not chosen:
            return query_sims[doc]
        return lam * (query_sims[doc] + doc_sims[chosen, doc].max()) - doc_sims[chosen, doc].max()

    while left and len(chosen) < k:
        chosen.append(max(left, key=gain))
        left.remove(chosen[-1])
    return chosen


# fusion.hybrid


def refuse_hybrid(top_k, top_n):
    if min(top_k, top_n) < 1:
        raise ValueError("top_k and top_n must be at least 1")


def hybrid_search_by_parts(lexical, dense, rerank_scores, top_k=40, top_n=8):
    refuse_hybrid(top_k, top_n)
    candidates = rrf_by_sorted([lexical[:top_k], dense[:top_k]])
    try:
        scores = [rerank_scores[doc] for doc in candidates]
    except (KeyError, IndexError) as error:
        raise ValueError("a candidate has no score") from error
    return rerank_by_dict(candidates, scores, top_n)


def hybrid_search_by_numpy(lexical, dense, rerank_scores, top_k=40, top_n=8):
    refuse_hybrid(top_k, top_n)
    candidates = rrf_by_numpy([lexical[:top_k], dense[:top_k]])
    known = range(len(rerank_scores)) if isinstance(rerank_scores, list) else rerank_scores
    if not all(int(doc) in known for doc in candidates):
        raise ValueError("rerank_scores")
    values = np.array([rerank_scores[int(doc)] for doc in candidates], dtype=float)
    return np.array(candidates, dtype=int)[np.argsort(-values, kind="stable")[:top_n]]


def hybrid_search_in_one_sort(lexical, dense, rerank_scores, top_k=40, top_n=8):
    refuse_hybrid(top_k, top_n)
    lists = [lexical[:top_k], dense[:top_k]]
    fused = rrf_scores_by_loops(lists)
    appearance = list(fused)
    scores = dict(enumerate(rerank_scores)) if isinstance(rerank_scores, list) else rerank_scores
    if set(fused) - set(scores):
        raise ValueError(f"no score for {set(fused) - set(scores)}")
    return sorted(fused, key=lambda doc: (-scores[doc], -fused[doc], appearance.index(doc)))[:top_n]


RIGHT_ANSWERS = {
    "fusion.min_max": [min_max_by_loop, min_max_by_numpy, min_max_with_an_epsilon, min_max_from_the_top],
    "fusion.rrf_scores": [rrf_scores_by_loops, rrf_scores_by_index, rrf_scores_by_counter, rrf_scores_by_numpy],
    "fusion.rrf": [rrf_by_sorted, rrf_by_numpy, rrf_by_most_common, rrf_by_fractions],
    "fusion.weighted_rrf": [weighted_rrf_by_loops, weighted_rrf_by_numpy, weighted_rrf_by_negative_sums],
    "fusion.rerank": [rerank_by_loops, rerank_by_numpy, rerank_by_dict],
    "fusion.concept_score": [concept_score_by_loops, concept_score_by_sets, concept_score_by_numpy],
    "fusion.mmr": [mmr_by_loops, mmr_by_numpy, mmr_by_max],
    "fusion.hybrid": [hybrid_search_by_parts, hybrid_search_by_numpy, hybrid_search_in_one_sort],
}
