# ---
# jupyter:
#   jupytext:
#     cell_metadata_filter: all
#     notebook_metadata_filter: all,-language_info
#     text_representation:
#       extension: .py
#       format_name: percent
#   kernelspec:
#     display_name: Python 3 (ipykernel)
#     language: python
#     name: python3
#   ragteach:
#     chapter: 04_fusion
#     course: '1'
#     kind: exercises
#     lang: en
# ---

# %% [markdown]
# # 04. Hybrid search, reranking, diversity: exercises
#
# Eight functions and one question to answer in writing, in the order of the lesson. At the end you will have written
# all that lies between two search engines and a good short list. Allow **half an hour** if you have worked through the
# lesson: four of the eight are there already (copy them over).
#
# **How it works.** Write the function, run its cell, then the one below. It tries your function on chosen examples and
# on others drawn at random; where it fails, it shows the smallest case that goes wrong, and often recognises the
# mistake. Ask for hints one at a time, with `hint("fusion.rrf")` for instance. You may run the whole notebook at any
# moment: an empty exercise does not block those after it. The number alone, under each feedback, is that of your
# points.
#
# **Conventions.** A ranking is a list of ids (strings or numbers), best first. The first rank is 1. A function that is
# given an absurd argument raises `ValueError`, where the statement asks for it. Your functions may call one another.

# %%
from ragteach.notebook import begin, check, hint, points

begin("04_fusion", lang="en", course="1")

# %%
import math
import re
import unicodedata

import numpy as np

# %% [markdown]
# ## 1. `min_max`: bring scores into the range 0 to 1
#
# **Level: warm-up (1 point). Importance: useful. Time: 3 minutes.**
#
# Stretch a list of scores over the range 0 to 1: $s'=\dfrac{s-\min}{\max-\min}$. Each score keeps its place in the
# list.
#
# - All scores equal (or a single score): nothing but `0.0`. No score: an empty list.
# - Raise `ValueError` if a score is `nan` or infinite.
#
# | call | result |
# |---|---|
# | `min_max([2.0, 6.0, 3.0])` | `[0.0, 1.0, 0.25]` |


# %% exercise="fusion.min_max"
def min_max(scores: list[float]) -> list[float]:
    """Bring scores into the range 0 to 1."""
    ### BEGIN SOLUTION
    if not all(math.isfinite(score) for score in scores):
        raise ValueError("scores must hold finite numbers only.")
    if not scores:
        return []
    low, high = min(scores), max(scores)
    if low == high:
        return [0.0] * len(scores)
    return [(score - low) / (high - low) for score in scores]
    ### END SOLUTION


# %% check="fusion.min_max"
min_max = check("fusion.min_max", min_max)
points("fusion.min_max")

# %% [markdown] tags=["solution"]
# **Explanation.** Minimum and maximum are found once, before the loop. Both edge cases are dealt with before the
# division, which then has nothing to fear.
#
# **Common mistakes**
# - dividing by the maximum: the smallest score does not become 0.
# - forgetting equal scores: `ZeroDivisionError` in Python and, worse, a silent `nan` with NumPy, which spoils all that
#   follows.
# - taking the scale for a firm one: a single extreme score squeezes all the others.

# %% [markdown]
# ## 2. `rrf_scores`: scores of reciprocal rank fusion
#
# **Level: standard (2 points). Importance: essential. Time: 6 minutes.**
#
# Map each document to the sum, over the lists that hold it, of $\dfrac{1}{k+\text{rank}}$.
#
# - The first rank is 1. From a list that lacks it a document gets nothing.
# - Repeated in a list, it counts there once, at its best rank; those behind it keep their ranks.
# - No list: an empty dictionary. The order of the keys is free.
# - Raise `ValueError` if `k` is below 1, or if a ranking is a string.
#
# | call | result |
# |---|---|
# | `rrf_scores([["A", "B"], ["B"]])` | `{"A": 1/61, "B": 1/62 + 1/61}` |


# %% exercise="fusion.rrf_scores"
def rrf_scores(rankings: list[list], k: int = 60) -> dict:
    """Map each document to the sum of 1 / (k + rank)."""
    ### BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"k must be at least 1, and is {k}.")
    scores = {}
    for ranking in rankings:
        if isinstance(ranking, str):
            raise ValueError("rankings must hold lists, not strings.")
        seen = set()
        for rank, document in enumerate(ranking, start=1):
            if document not in seen:
                seen.add(document)
                scores[document] = scores.get(document, 0.0) + 1 / (k + rank)
    return scores
    ### END SOLUTION


# %% check="fusion.rrf_scores"
rrf_scores = check("fusion.rrf_scores", rrf_scores)
points("fusion.rrf_scores")

# %% [markdown] tags=["solution"]
# **Explanation.** `enumerate(..., start=1)` gives the ranks. The set `seen`, empty at the start of each list, skips
# repetitions without moving any rank. A Python dictionary keeps the order of insertion: documents stand in the order of
# their first appearance, which `rrf` will need.
#
# **Common mistakes**
# - counting ranks from 0: the first would get 1/60. A well-known tutorial does so.
# - making up a rank for documents that are absent: first once would then beat third twice.
# - keeping the best term instead of adding up: agreement would earn nothing.
# - paying a repeated document twice.

# %% [markdown]
# ## 3. `rrf`: fuse rankings
#
# **Level: standard (2 points). Importance: essential. Time: 4 minutes.**
#
# Return the documents, from the largest `rrf_scores` to the smallest. Equal scores: in the order of first appearance
# (the first list is read to its end, then the second, and so on). `ValueError` in the same cases as `rrf_scores`.
#
# | call | result |
# |---|---|
# | `rrf([["D7", "D2", "D9", "D4"], ["D2", "D5", "D7", "D1"]])` | `["D2", "D7", "D5", "D9", "D4", "D1"]` |


# %% exercise="fusion.rrf"
def rrf(rankings: list[list], k: int = 60) -> list:
    """Fuse rankings by their ranks, best first."""
    ### BEGIN SOLUTION
    scores = rrf_scores(rankings, k)
    return sorted(scores, key=scores.get, reverse=True)
    ### END SOLUTION


# %% check="fusion.rrf"
rrf = check("fusion.rrf", rrf)
points("fusion.rrf")

# %% [markdown] tags=["solution"]
# **Explanation.** Going through a dictionary gives its keys, here in the order of first appearance. The sort is stable,
# with `reverse=True` too: documents that tie keep that order.
#
# **Common mistakes**
# - forgetting to pass `k` on.
# - `sorted(...)[::-1]`: documents that tie come out backwards.
# - sorting by (score, id): the rule asked for is the order of appearance.
# - starting from a `set`: the order of appearance is lost.

# %% [markdown]
# ## 4. `weighted_rrf`: fuse with weights
#
# **Level: standard (2 points). Importance: important. Time: 5 minutes.**
#
# Like `rrf`, with the term of each list multiplied by its weight: $\sum_\ell w_\ell/(k+\text{rank}_\ell)$, `weights[i]`
# belonging to `rankings[i]`.
#
# - A list of weight 0 decides nothing, yet its documents stay: with score 0 they come last.
# - Weights need not sum to 1. Repetitions and ties: as in `rrf`.
# - Raise `ValueError` if there is not one weight for each list, if a weight is negative, and in the same cases as
#   `rrf_scores`.
#
# | call | result |
# |---|---|
# | `weighted_rrf([["A", "B"], ["C", "A"]], [0.0, 1.0])` | `["C", "A", "B"]` |


# %% exercise="fusion.weighted_rrf"
def weighted_rrf(rankings: list[list], weights: list[float], k: int = 60) -> list:
    """Fuse rankings by their ranks, each with its weight."""
    ### BEGIN SOLUTION
    if len(weights) != len(rankings):
        raise ValueError("weights must hold one weight for each ranking.")
    if any(weight < 0 for weight in weights):
        raise ValueError("weights must hold no negative weight.")
    rrf_scores(rankings, k)  # raises ValueError where it should
    scores = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        for document, score in rrf_scores([ranking], k).items():
            scores[document] = scores.get(document, 0.0) + weight * score
    return sorted(scores, key=scores.get, reverse=True)
    ### END SOLUTION


# %% check="fusion.weighted_rrf"
weighted_rrf = check("fusion.weighted_rrf", weighted_rrf)
points("fusion.weighted_rrf")

# %% [markdown] tags=["solution"]
# **Explanation.** `rrf_scores([ranking], k)` gives the terms of a single list, repetitions left out: all that remains
# is to weigh them. The first call, on all lists, only refuses bad arguments, also where there is no list to go through.
#
# **Common mistakes**
# - multiplying the rank, or `k`, instead of the whole term: `1 / (k + weight * rank)` punishes lists of large weight.
# - skipping lists of weight 0: their documents disappear.
# - simply not using the weights: a well-known library did so.

# %% [markdown]
# ## 5. `rerank`: rerank candidates
#
# **Level: warm-up (1 point). Importance: essential. Time: 4 minutes.**
#
# `scores[i]` is the score of `candidates[i]`. Return the `top_n` candidates of the largest scores, best first.
#
# - Candidates of equal score keep the order in which they came. Scores may be negative.
# - A repeated candidate counts once: where it first stands, with the score it has there.
# - `top_n` may be larger than the number of candidates: return what there is.
# - Raise `ValueError` if the two lists differ in length, or if `top_n` is below 1.
#
# | call | result |
# |---|---|
# | `rerank(["D2", "D7", "D5"], [0.1, 0.5, 0.9], 2)` | `["D5", "D7"]` |


# %% exercise="fusion.rerank"
def rerank(candidates: list, scores: list[float], top_n: int) -> list:
    """Return the top_n candidates of the largest scores, best first."""
    ### BEGIN SOLUTION
    if len(candidates) != len(scores):
        raise ValueError("scores must hold one score for each candidate.")
    if top_n < 1:
        raise ValueError(f"top_n must be at least 1, and is {top_n}.")
    by_candidate = {}
    for candidate, score in zip(candidates, scores, strict=True):
        by_candidate.setdefault(candidate, score)
    return sorted(by_candidate, key=by_candidate.get, reverse=True)[:top_n]
    ### END SOLUTION


# %% check="fusion.rerank"
rerank = check("fusion.rerank", rerank)
points("fusion.rerank")

# %% [markdown] tags=["solution"]
# **Explanation.** `setdefault` writes the first time only: a repetition changes neither score nor place. The stable
# sort does the rest.
#
# **Common mistakes**
# - cutting to `top_n` before sorting: candidates further down lose their chance.
# - `sorted(zip(scores, candidates), reverse=True)`: at equal scores the id decides.
# - `dict(zip(candidates, scores))`: a repeated candidate takes its last score.

# %% [markdown]
# ## 6. `concept_score`: read question and passage together
#
# **Level: standard (2 points). Importance: important. Time: 6 minutes.**
#
# Count the **distinct** concepts that question and chunk share. The concept of a token is `synonyms[token]` where there
# is one, else the token itself. In this order:
#
# 1. cut each text with `tokenize` (given here, it is that of chapter 02) and turn tokens into concepts;
# 2. keep those that both texts hold;
# 3. take out those that are stop words. Each entry of `stopwords` goes through `tokenize` as well, but not through the
#    synonyms.
#
# Raise `ValueError` if `query` or `chunk` is no string, or if `stopwords` is one.
#
# | call | result |
# |---|---|
# | `concept_score("the motor is hot", "The motor, overheating!", {"hot": "overheating"}, ["the"])` | `2` |

# %%
ELIDED = r"(?<![^\W_])(?:c|d|j|l|m|n|s|t|qu|jusqu|lorsqu|puisqu|quoiqu)['’]"
TOKEN = r"(?:[^\W_]|(?<=\d)[.,](?=\d))+"


def tokenize(text: str) -> list[str]:
    """Cut a text into tokens (chapter 02)."""
    text = unicodedata.normalize("NFC", text).lower()
    return re.findall(TOKEN, re.sub(ELIDED, " ", text))


# %% exercise="fusion.concept_score"
def concept_score(
    query: str, chunk: str, synonyms: dict[str, str], stopwords: list[str]
) -> int:
    """Count the distinct concepts that question and chunk share."""
    ### BEGIN SOLUTION
    for text in (query, chunk):
        if not isinstance(text, str):
            raise ValueError("query and chunk must be strings.")
    if isinstance(stopwords, str):
        raise ValueError("stopwords must be a list of words, not a string.")
    asked = {synonyms.get(token, token) for token in tokenize(query)}
    found = {synonyms.get(token, token) for token in tokenize(chunk)}
    stop = {token for word in stopwords for token in tokenize(word)}
    return len((asked & found) - stop)
    ### END SOLUTION


# %% check="fusion.concept_score"
concept_score = check("fusion.concept_score", concept_score)
points("fusion.concept_score")

# %% [markdown] tags=["solution"]
# **Explanation.** Three sets, one intersection (`&`), one difference (`-`). Sets count each concept once, as the
# statement asks.
#
# **Common mistakes**
# - replacing synonyms on one side only: "hot" and "overheating" no longer meet.
# - comparing the stop list without tokenizing it: "The" does not remove "the".
# - `word in text`: "fuse" is *in* "refused".

# %% [markdown]
# ## 7. `mmr`: choose without repeating
#
# **Level: hard (3 points). Importance: important. Time: 10 minutes.**
#
# Choose `k` documents one by one. `query_sims[d]` is the similarity of document `d` to the question, `doc_sims[d][e]`
# that of `d` and `e` (a symmetric matrix). Both are NumPy arrays.
#
# - The first choice is the document most similar to the question, whatever `lam`.
# - Then, at each turn, that of the largest gain among those left:
#   $\lambda\cdot\text{sim}(q,d)-(1-\lambda)\cdot\max_{c\in\text{chosen}}\text{sim}(d,c)$. Similarities may be negative.
# - Equal gains: the lower number. If `k` is larger than the number of documents, return them all; no document, an empty
#   list.
# - Raise `ValueError` if `k` is below 1, or if `lam` does not lie between 0 and 1.
#
# | call | result |
# |---|---|
# | `mmr(np.array([0.9, 0.8, 0.5]), np.array([[1, 0.9, 0.1], [0.9, 1, 0.2], [0.1, 0.2, 1]]), 2)` | `[0, 2]` |
#
# (1 is nearly a copy of 0: its gain is 0.4 − 0.45; that of 2 is 0.25 − 0.05.)


# %% exercise="fusion.mmr"
def mmr(query_sims: np.ndarray, doc_sims: np.ndarray, k: int, lam: float = 0.5) -> list[int]:
    """Choose k documents, relevant and unlike one another."""
    ### BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"k must be at least 1, and is {k}.")
    if not 0 <= lam <= 1:
        raise ValueError(f"lam must lie between 0 and 1, and is {lam}.")
    left, chosen = list(range(len(query_sims))), []

    def gain(doc):
        if not chosen:
            return query_sims[doc]
        redundancy = max(doc_sims[doc][other] for other in chosen)
        return lam * query_sims[doc] - (1 - lam) * redundancy

    while left and len(chosen) < k:
        best = max(left, key=gain)
        chosen.append(best)
        left.remove(best)
    return chosen
    ### END SOLUTION


# %% check="fusion.mmr"
mmr = check("fusion.mmr", mmr)
points("fusion.mmr")

# %% [markdown] tags=["solution"]
# **Explanation.** `max(left, key=gain)` returns the first of those that tie, and `left` is sorted, so the lower number
# wins. For the very first choice the gain is relevance alone. The loop stops when nothing is left: too large a `k` does
# no harm.
#
# **Common mistakes**
# - turning lambda round: at `lam = 1` the plain ranking must come out.
# - comparing with the last choice only, or with the mean of the choices: a copy of the first gets in.
# - starting the maximum from 0: a negative similarity is an advantage, and would be lost.
# - reordering the `k` most relevant: the others must keep their chance.

# %% [markdown]
# ## 8. `hybrid_search`: hybrid search, complete
#
# **Level: standard (2 points). Importance: essential. Time: 6 minutes.**
#
# Put the stages together: cut each ranking to its first `top_k`, fuse them by RRF (`k = 60`), rerank all these
# candidates by their scores, and return the best `top_n`.
#
# - `rerank_scores[doc]` is the score of document number `doc`: a dictionary, or a list. It is read for the candidates
#   only.
# - Equal scores: the order is that of the fusion.
# - Raise `ValueError` if `top_k` or `top_n` is below 1, or if a candidate has no score.
#
# | call | result |
# |---|---|
# | `hybrid_search([1, 2, 3], [3, 4], {1: 0.1, 2: 0.9, 3: 0.5, 4: 0.7}, top_n=3)` | `[2, 4, 3]` |


# %% exercise="fusion.hybrid"
def hybrid_search(
    lexical: list[int],
    dense: list[int],
    rerank_scores: dict[int, float] | list[float],
    top_k: int = 40,
    top_n: int = 8,
) -> list[int]:
    """Fuse two rankings by RRF, rerank, return the best top_n."""
    ### BEGIN SOLUTION
    if top_k < 1:
        raise ValueError(f"top_k must be at least 1, and is {top_k}.")
    candidates = rrf([lexical[:top_k], dense[:top_k]])
    try:
        scores = [rerank_scores[doc] for doc in candidates]
    except LookupError as error:
        raise ValueError("rerank_scores must score each candidate.") from error
    return rerank(candidates, scores, top_n)
    ### END SOLUTION


# %% check="fusion.hybrid"
hybrid_search = check("fusion.hybrid", hybrid_search)
points("fusion.hybrid")

# %% [markdown] tags=["solution"]
# **Explanation.** Three lines, one a stage. `KeyError` (a dictionary) and `IndexError` (a list) are both a
# `LookupError`: one clause is enough. `rerank` already refuses too small a `top_n`, and it is stable, so the order of
# the fusion settles ties.
#
# **Common mistakes**
# - cutting to `top_n` before reranking: nothing is left for the reranker to lift.
# - reading scores by position in the fusion instead of by document number. A well-known tutorial adds three different
#   orders in this way.
# - cutting the fusion to `top_k` instead of the two lists.
# - reranking every document that has a score: reranking adds no candidate.

# %% [markdown]
# ## 9. A question to answer in writing: the assistant that began to err
#
# **Marked by hand (6 points). Time: 10 minutes.**
#
# A help desk relies on 40,000 articles, indexed anew each week. Customers write in everyday language, but also quote
# exact error codes. This week the assistant gives answers that are confident and wrong. The search is purely dense; the
# model reads the first 8 passages. Ten traces are opened: the right article is found at rank 14 on average where the
# question is in everyday language, and is not found at all where it holds nothing but a code.
#
# 1. Where do you begin, and why not with the model's instructions?
# 2. Which search architecture do you propose? Justify each stage by a symptom in the text.
# 3. Which figures will you follow to know whether it worked, and which will not move when you add the reranker?
#
# | what is marked | points |
# |---|---|
# | 1. a first step drawn from the traces (1 point), and the reason not to begin with the instructions (1 point) | 2 |
# | 2. one stage for each of the two symptoms, and why it cures it (1 point a symptom) | 2 |
# | 3. figures that would show progress, split as the text suggests (1 point); the one that does not move, and why (1 point) | 2 |

# %% [markdown] written="fusion.w_case" points=6
# *Your answer here.*

# %% [markdown] tags=["solution"]
# **One answer.** 1. Begin with the traces, and they blame the search: the right article is outside the 8 passages read,
# or absent. No instruction makes a model read what it is not given. And since the trouble began this week, compare the
# two indexes first: chunking, embedding model, documents lost. 2. Codes are never found: that is the blind spot of a
# dense search, and BM25 finds them. The two lists share no scale: RRF. The right article at rank 14 is found but ranked
# badly: take 40 candidates from each side, rerank, keep 8. 3. Recall@40 of the candidates and recall@8, MRR, all of
# them apart for codes and for everyday language: a mean of 0.9 may hide a kind at 0.4. When the reranker is added,
# recall of the candidates does not move; MRR and recall@8 do. Repeat these measurements before each new index goes
# live.

# %% [markdown]
# ## Well done
#
# With all eight functions right you know how to marry two engines. Try yours: two rankings, some scores, three results.

# %%
print(rrf([["D7", "D2", "D9", "D4"], ["D2", "D5", "D7", "D1"]]))
print(hybrid_search([7, 2, 9, 4], [2, 5, 7, 1], {7: 3, 2: 5, 9: 0, 4: 1, 5: 4, 1: 2}, top_n=3))
