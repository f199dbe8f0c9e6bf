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
#     chapter: 05_metrics
#     course: '1'
#     kind: exercises
#     lang: en
# ---

# %% [markdown]
# # 05. Measure the search alone: exercises
#
# Twelve functions, in the order of the lesson: by the end you will have all it takes to judge a search, and to know
# whether that judgement holds. Allow **35 minutes** if you have done the lesson: five of the twelve are already there
# (copy them over), the others are new. One question to answer in writing waits at the end.
#
# **How it works.** Write the function, run its cell, then the cell below. That cell tries your function on chosen
# examples and on random ones; when it fails, you see the smallest case that goes wrong and, often, the name of the
# mistake. Hints come one at a time: run `hint("metrics.ndcg")`, for instance. You may run the whole notebook whenever
# you like: an empty exercise does not stop the ones after it. The bare number under each feedback is your points.
#
# **Conventions.** A ranking is a list of documents, best first; ranks start at 1. `relevant` is a `set` of documents. A
# document that a ranking repeats counts once, at its best rank, and its repetitions keep their places. Documents may be
# strings or numbers. Your functions may call one another.

# %%
from ragteach.notebook import begin, check, hint, points

begin("05_metrics", lang="en", course="1")

# %%
from math import log2

import numpy as np

# %% [markdown]
# ## 1. `precision_at_k`: the useful share
#
# **Level: warm-up (1 point). Importance: important. Time: 3 minutes.**
#
# Return the share of the first $k$ places that hold a relevant document. **Always divide by $k$**: an empty place is a
# lost place. If `k < 1`, raise `ValueError`.
#
# | call | result |
# |---|---|
# | `precision_at_k(["d4", "d1", "d7", "d2", "d9"], {"d1", "d2"}, 5)` | `0.4` |
# | `precision_at_k(["d1"], {"d1"}, 10)` | `0.1` |


# %% exercise="metrics.precision"
def precision_at_k(ranking: list, relevant: set, k: int) -> float:
    """Return the share of the first k places that hold a relevant document."""
    ### BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}.")
    return len(set(ranking[:k]) & set(relevant)) / k
    ### END SOLUTION


# %% check="metrics.precision"
precision_at_k = check("metrics.precision", precision_at_k)
points("metrics.precision")

# %% [markdown] tags=["solution"]
# **Explanation.** `ranking[:k]` cuts, `set` removes repetitions, `&` keeps the relevant ones. Order matters: cut
# *before* removing repetitions, or later documents would move up.
#
# **Common mistakes**
# - dividing by `len(ranking[:k])`: an engine that returns one good document would have a precision@10 of 1.
# - counting `sum(doc in relevant for doc in ranking[:k])`: a repeated document counts twice.

# %% [markdown]
# ## 2. `recall_at_k`: the share found
#
# **Level: warm-up (1 point). Importance: essential. Time: 3 minutes.**
#
# Return the share of the relevant documents that stand in the first $k$ places. Divide by the number of **all**
# relevant documents. If nothing is relevant, return `0.0`. If `k < 1`, raise `ValueError`.
#
# | call | result |
# |---|---|
# | `recall_at_k(["d4", "d1", "d7"], {"d1", "d9"}, 2)` | `0.5` |
# | `recall_at_k(["d1", "d1"], {"d1", "d2"}, 2)` | `0.5` |


# %% exercise="metrics.recall"
def recall_at_k(ranking: list, relevant: set, k: int) -> float:
    """Return the share of the relevant documents that are in the first k places."""
    ### BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}.")
    if not relevant:
        return 0.0
    return len(set(ranking[:k]) & set(relevant)) / len(relevant)
    ### END SOLUTION


# %% check="metrics.recall"
recall_at_k = check("metrics.recall", recall_at_k)
points("metrics.recall")

# %% [markdown] tags=["solution"]
# **Explanation.** The numerator of precision, another denominator. The empty case comes before the division.
#
# **Common mistakes**
# - dividing by `min(k, len(relevant))`: that is capped recall, which has its own name.
# - returning 1 as soon as one document is found: that is the success rate.
# - returning 1 where nothing is relevant: such a question shows nothing, and `trec_eval` counts 0.

# %% [markdown]
# ## 3. `mrr`: the rank of the first
#
# **Level: warm-up (1 point). Importance: essential. Time: 3 minutes.**
#
# `rankings[i]` is the ranking of question `i`, `relevants[i]` the set of its relevant documents. Return the mean, over
# **all** questions, of $1/\text{rank}$ of the first relevant document. A question for which none is found counts 0.
# Raise `ValueError` if there is no question, or if the two lists differ in length.
#
# | call | result |
# |---|---|
# | `mrr([["d5"], ["d1", "d2", "d5"], ["d1", "d5"]], [{"d5"}, {"d5"}, {"d5"}])` | `0.611...` |


# %% exercise="metrics.mrr"
def mrr(rankings: list[list], relevants: list[set]) -> float:
    """Return the mean of 1/rank of each question's first relevant document."""
    ### BEGIN SOLUTION
    if len(rankings) == 0 or len(rankings) != len(relevants):
        raise ValueError("rankings and relevants must have the same length, at least 1.")
    total = 0.0
    for ranking, relevant in zip(rankings, relevants, strict=True):
        for rank, doc in enumerate(ranking, start=1):
            if doc in relevant:
                total += 1 / rank
                break
    return total / len(rankings)
    ### END SOLUTION


# %% check="metrics.mrr"
mrr = check("metrics.mrr", mrr)
points("metrics.mrr")

# %% [markdown] tags=["solution"]
# **Explanation.** `break` stops at the first relevant one; a question without success adds nothing to the total, yet
# counts in the divisor.
#
# **Common mistakes**
# - starting ranks at 0: a division by zero as soon as a good document comes first.
# - forgetting `break`: later documents are added.
# - averaging over the successful questions only: the score rises when the search fails altogether.
# - taking the reciprocal of the mean rank.

# %% [markdown]
# ## 4. `average_precision`: all the good ones, at their ranks
#
# **Level: standard (2 points). Importance: useful. Time: 5 minutes.**
#
# At each rank that holds a relevant document (its first appearance), note the precision at that rank: the number of
# relevant ones found so far, divided by the rank. Add up, then divide by the number of **all** relevant documents,
# found or not. `0.0` if nothing is relevant.
#
# | call | result |
# |---|---|
# | `average_precision(["d1", "d8", "d2"], {"d1", "d2"})` | `0.833...`, that is, (1/1 + 2/3) / 2 |
# | `average_precision(["d1"], {"d1", "d2"})` | `0.5` |


# %% exercise="metrics.average_precision"
def average_precision(ranking: list, relevant: set) -> float:
    """Return the mean, over all relevant documents, of the precision at their rank."""
    ### BEGIN SOLUTION
    seen, total = set(), 0.0
    for rank, doc in enumerate(ranking, start=1):
        if doc in relevant and doc not in seen:
            seen.add(doc)
            total += len(seen) / rank
    return total / len(relevant) if relevant else 0.0
    ### END SOLUTION


# %% check="metrics.average_precision"
average_precision = check("metrics.average_precision", average_precision)
points("metrics.average_precision")

# %% [markdown] tags=["solution"]
# **Explanation.** `len(seen)` is the number of relevant documents found so far; dividing it by the rank gives
# precision. A missing one adds nothing but stands in the divisor, so it counts 0.
#
# **Common mistakes**
# - dividing by the number of relevant documents *found*: the "context precision" of RAGAS does; an engine that forgets
#   half of them is then not punished.
# - dividing by the length of the ranking.
# - adding up 1/rank: this forgets the relevant ones already met.

# %% [markdown]
# ## 5. `dcg`: gains that shrink with rank
#
# **Level: standard (2 points). Importance: important. Time: 3 minutes.**
#
# `gains` holds the documents' grades, in ranking order. Return
#
# $$\text{DCG@}k=\sum_{i=1}^{k}\frac{2^{\text{grade}_i}-1}{\log_2(i+1)}$$
#
# If there are fewer than $k$ grades, take those there are. Raise `ValueError` if `k < 1` or if a grade is negative.
#
# | call | result |
# |---|---|
# | `dcg([3, 0, 1], 3)` | `7.5`, that is, 7/1 + 0 + 1/2 |


# %% exercise="metrics.dcg"
def dcg(gains: list[float], k: int) -> float:
    """Return the cumulative gain of the first k grades, discounted by rank."""
    ### BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"k must be at least 1, not {k}.")
    if any(grade < 0 for grade in gains):
        raise ValueError("gains must not hold a negative grade.")
    return sum((2**grade - 1) / log2(rank + 1) for rank, grade in enumerate(gains[:k], start=1))
    ### END SOLUTION


# %% check="metrics.dcg"
dcg = check("metrics.dcg", dcg)
points("metrics.dcg")

# %% [markdown] tags=["solution"]
# **Explanation.** Ranks start at 1, so the first divisor is $\log_2 2=1$. Because of the $-1$ a document of grade 0
# earns nothing.
#
# **Common mistakes**
# - $\log_2(\text{rank})$: the first divisor is 0.
# - another logarithm: the values change (nDCG would not: why?).
# - the grade itself as the gain: that is the variant of `trec_eval`.

# %% [markdown]
# ## 6. `ndcg`: compared with the ideal
#
# **Level: standard (2 points). Importance: essential. Time: 5 minutes.**
#
# `relevance` is a dictionary document → grade (0 to 3); a document that is not in it has grade 0. Return the DCG at $k$
# of the ranking, divided by that of the **best possible ranking of all graded documents**, cut at $k$ as well. A
# repeated document has grade 0 at the places where it comes back. If no grade is positive, return `0.0`. If `k < 1`,
# raise `ValueError`.
#
# | call | result |
# |---|---|
# | `ndcg(["d2", "d1"], {"d1": 3, "d2": 0}, 2)` | `0.63...`, that is, (7/log₂3) / 7 |
# | `ndcg(["d1"], {"d1": 1, "d2": 3}, 1)` | `0.142...`, that is, 1/7 |


# %% exercise="metrics.ndcg"
def ndcg(ranking: list, relevance: dict, k: int) -> float:
    """Return the DCG at k divided by that of the ideal ranking."""
    ### BEGIN SOLUTION
    gains = [
        0 if doc in ranking[:i] else relevance.get(doc, 0) for i, doc in enumerate(ranking)
    ]
    ideal = dcg(sorted(relevance.values(), reverse=True), k)
    return dcg(gains, k) / ideal if ideal > 0 else 0.0
    ### END SOLUTION


# %% check="metrics.ndcg"
ndcg = check("metrics.ndcg", ndcg)
points("metrics.ndcg")

# %% [markdown] tags=["solution"]
# **Explanation.** Two lists of grades, two calls of `dcg`, one division. `dcg` refuses a `k` that is too small already.
# The logarithm chosen vanishes in the division, since a change of base multiplies both parts by the same constant.
#
# **Common mistakes**
# - sorting the grades of the documents *found*: a search that misses the best one gets 1.
# - not cutting the ideal at $k$: 1 is then out of reach.
# - paying a repeated document twice: the result exceeds 1.
# - `relevance[doc]`: an error at the first document without a grade.

# %% [markdown]
# ## 7. `recall_curve`: recall for several k
#
# **Level: warm-up (1 point). Importance: important. Time: 3 minutes.**
#
# Return the list of mean recalls: for each `k` of `ks`, in their order, the mean of `recall_at_k` over all questions.
# Each question weighs the same, and one without a relevant document counts 0. Raise `ValueError` if there is no
# question, if the lengths differ, or if a `k` is below 1.
#
# | call | result |
# |---|---|
# | `recall_curve([["d1", "d2"], ["d7", "d3"]], [{"d1", "d2"}, {"d3"}], [1, 2])` | `[0.25, 1.0]` |


# %% exercise="metrics.recall_curve"
def recall_curve(rankings: list[list], relevants: list[set], ks: list[int]) -> list[float]:
    """Return, for each k of ks, the mean recall over the questions."""
    ### BEGIN SOLUTION
    if len(rankings) == 0 or len(rankings) != len(relevants):
        raise ValueError("rankings and relevants must have the same length, at least 1.")
    pairs = list(zip(rankings, relevants, strict=True))
    return [sum(recall_at_k(*pair, k) for pair in pairs) / len(pairs) for k in ks]
    ### END SOLUTION


# %% check="metrics.recall_curve"
recall_curve = check("metrics.recall_curve", recall_curve)
points("metrics.recall_curve")

# %% [markdown] tags=["solution"]
# **Explanation.** A mean of recalls, repeated for each $k$. It never falls as $k$ grows: more places lose nothing.
#
# **Common mistakes**
# - pooling the documents found for all questions and dividing once: questions with many relevant documents then
#   dominate.
# - a `zip` kept in a variable and gone through twice: it is empty the second time. `list(zip(...))` settles that.

# %% [markdown]
# ## 8. `by_segment`: a mean for each group
#
# **Level: warm-up (1 point). Importance: important. Time: 3 minutes.**
#
# `values[i]` is the score of question `i`, `segments[i]` its group (a source, a language, a kind). Return a dictionary
# that maps each group to the mean of its scores; without questions, an empty dictionary. Raise `ValueError` if the
# lengths differ.
#
# | call | result |
# |---|---|
# | `by_segment([1.0, 0.0, 0.5], ["manual", "faq", "manual"])` | `{"manual": 0.75, "faq": 0.0}` |


# %% exercise="metrics.by_segment"
def by_segment(values: list[float], segments: list) -> dict:
    """Map each segment to the mean of its values."""
    ### BEGIN SOLUTION
    if len(values) != len(segments):
        raise ValueError("values and segments must have the same length.")
    groups = {}
    for value, segment in zip(values, segments, strict=True):
        groups.setdefault(segment, []).append(value)
    return {segment: sum(group) / len(group) for segment, group in groups.items()}
    ### END SOLUTION


# %% check="metrics.by_segment"
by_segment = check("metrics.by_segment", by_segment)
points("metrics.by_segment")

# %% [markdown] tags=["solution"]
# **Explanation.** Sort into groups first, divide afterwards: each group by its own size.
#
# **Common mistakes**
# - `dict(zip(segments, values))`: keeps only the last value of each group.
# - `itertools.groupby` without sorting: groups neighbours only.
# - dividing by the total number of questions.

# %% [markdown]
# ## 9. `bootstrap_ci`: an interval around a mean
#
# **Level: hard (3 points). Importance: essential. Time: 6 minutes.**
#
# Return `(low, high)`, the confidence interval of the mean of `values`, by resampling: `n_resamples` times, draw
# `len(values)` values **with replacement** and note their mean; the bounds are the quantiles $(1-\text{level})/2$ and
# $(1+\text{level})/2$ of these means. `seed` makes the draws repeatable.
#
# No generator is imposed: your bounds are compared with the exact distribution of resampled means, and accepted
# whenever the luck of the draw explains them. Raise `ValueError` if `values` is empty, if `level` is not strictly
# between 0 and 1, or if `n_resamples < 1`.
#
# | call | result |
# |---|---|
# | `bootstrap_ci([0.25, 0.25, 0.25])` | `(0.25, 0.25)` |
# | `bootstrap_ci([1, 1, 0, 1, 0, 1, 1, 0])` | about `(0.25, 0.875)` |


# %% exercise="metrics.bootstrap_ci"
def bootstrap_ci(
    values: list[float], level: float = 0.95, n_resamples: int = 1000, seed: int = 0
) -> tuple[float, float]:
    """Return the confidence interval (low, high) of the mean."""
    ### BEGIN SOLUTION
    if len(values) == 0:
        raise ValueError("values must hold at least one value.")
    if not 0 < level < 1:
        raise ValueError(f"level must lie strictly between 0 and 1, not {level}.")
    if n_resamples < 1:
        raise ValueError(f"n_resamples must be at least 1, not {n_resamples}.")
    rng = np.random.default_rng(seed)
    means = [rng.choice(values, size=len(values)).mean() for _ in range(n_resamples)]
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
    ### END SOLUTION


# %% check="metrics.bootstrap_ci"
bootstrap_ci = check("metrics.bootstrap_ci", bootstrap_ci)
points("metrics.bootstrap_ci")

# %% [markdown] tags=["solution"]
# **Explanation.** The generator is created **once**, before the loop: created anew with the same `seed` each time
# round, it would give the same draw a thousand times. The interval follows the shape of the data, with no normal
# distribution assumed, so it never leaves the range of the values.
#
# **Common mistakes**
# - quantiles of the values instead of those of the means.
# - drawing without replacement: all means are equal.
# - `np.percentile(means, 0.025)`: `percentile` counts from 0 to 100.
# - leaving 5% on each side: the interval is then a 90% one.

# %% [markdown]
# ## 10. `paired_permutation_test`: is chance enough?
#
# **Level: hard (3 points). Importance: essential. Time: 6 minutes.**
#
# `a[i]` and `b[i]` are the scores of two systems on the same question `i`. Return the two-sided p-value of the paired
# permutation test:
#
# 1. the observed mean difference is that of the $a_i-b_i$;
# 2. `n_permutations` times, draw a sign, +1 or -1, for **each** difference, and recompute the mean;
# 3. count the draws whose mean is, in absolute value, **at least as large** as the observed one; return
#    $(\text{count}+1)/(\text{n\_permutations}+1)$.
#
# Your value is compared with the exact p-value and accepted whenever the luck of the draw explains it; no generator is
# imposed. Two sums of the same numbers may differ in the last digit: a tolerance of `1e-12` keeps ties from being lost.
# Raise `ValueError` if the lengths differ or are zero, or if `n_permutations < 1`.
#
# | call | result |
# |---|---|
# | `paired_permutation_test([0.5, 1.0], [0.5, 1.0])` | `1.0` |
# | `paired_permutation_test([1] * 6, [0] * 6)` | about `0.03` |


# %% exercise="metrics.paired_test"
def paired_permutation_test(
    a: list[float], b: list[float], n_permutations: int = 1000, seed: int = 0
) -> float:
    """Return the two-sided p-value of the mean difference, by random signs."""
    ### BEGIN SOLUTION
    if len(a) != len(b) or len(a) == 0:
        raise ValueError("a and b must have the same length, at least 1.")
    if n_permutations < 1:
        raise ValueError(f"n_permutations must be at least 1, not {n_permutations}.")
    differences = np.asarray(a, dtype=float) - np.asarray(b, dtype=float)
    observed = abs(differences.mean())
    rng = np.random.default_rng(seed)
    count = 0
    for _ in range(n_permutations):
        signs = rng.choice([-1, 1], size=len(a))
        if abs((signs * differences).mean()) >= observed - 1e-12:
            count += 1
    return (count + 1) / (n_permutations + 1)
    ### END SOLUTION


# %% check="metrics.paired_test"
paired_permutation_test = check("metrics.paired_test", paired_permutation_test)
points("metrics.paired_test")

# %% [markdown] tags=["solution"]
# **Explanation.** Swapping the labels "a" and "b" of a question changes the sign of its difference, and nothing else.
# Easy and hard questions stay where they are: that is what makes the test finer than comparing two intervals.
#
# **Common mistakes**
# - shuffling all the values: the test is no longer paired, and the difficulty of the questions drowns the gap.
# - `>` instead of `>=`: two identical systems would have a p-value near zero.
# - forgetting the absolute value: the test is no longer two-sided.
# - forgetting the `+ 1`s: a p-value of 0 would claim the impossible.

# %% [markdown]
# ## 11. `expected_accuracy`: theorem 3
#
# **Level: warm-up (1 point). Importance: essential. Time: 2 minutes.**
#
# Return the share of right answers to expect: `recall` is the probability that the context holds the information,
# `p_with` that of a right answer in that case, `p_without` in the other.
#
# $$\text{recall}\cdot p_{\text{with}}+(1-\text{recall})\cdot p_{\text{without}}$$
#
# Raise `ValueError` if one of the three is not between 0 and 1.
#
# | call | result |
# |---|---|
# | `expected_accuracy(0.7, 0.9, 0.2)` | `0.69` |


# %% exercise="metrics.expected_accuracy"
def expected_accuracy(recall: float, p_with: float, p_without: float) -> float:
    """Return the share of right answers to expect, by theorem 3."""
    ### BEGIN SOLUTION
    for name, value in (("recall", recall), ("p_with", p_with), ("p_without", p_without)):
        if not 0 <= value <= 1:
            raise ValueError(f"{name} must lie between 0 and 1, not {value}.")
    return recall * p_with + (1 - recall) * p_without
    ### END SOLUTION


# %% check="metrics.expected_accuracy"
expected_accuracy = check("metrics.expected_accuracy", expected_accuracy)
points("metrics.expected_accuracy")

# %% [markdown] tags=["solution"]
# **Explanation.** Two cases that exclude each other, each weighted by its probability: the law of total probability.
#
# **Common mistakes**
# - stopping at `recall * p_with`: the model can sometimes answer without context.
# - adding `p_without` unweighted: the sum may exceed 1.

# %% [markdown]
# ## 12. `required_recall`: the recall you need
#
# **Level: standard (2 points). Importance: important. Time: 4 minutes.**
#
# Read the theorem backwards: return the **smallest recall** with which `expected_accuracy` reaches `target`.
#
# - `0.0` if the target is reached without any context (`target <= p_without`);
# - `None` if no recall is enough, not even 1;
# - `ValueError` if one of the three arguments is not between 0 and 1.
#
# Think of the case `p_with == p_without`, and of a context that harms (`p_with < p_without`).
#
# | call | result |
# |---|---|
# | `required_recall(0.55, 0.9, 0.2)` | `0.5` |
# | `required_recall(0.95, 0.9, 0.2)` | `None` |


# %% exercise="metrics.required_recall"
def required_recall(target: float, p_with: float, p_without: float) -> float | None:
    """Return the smallest recall that reaches the target; None if none does."""
    ### BEGIN SOLUTION
    for name, value in (("target", target), ("p_with", p_with), ("p_without", p_without)):
        if not 0 <= value <= 1:
            raise ValueError(f"{name} must lie between 0 and 1, not {value}.")
    if target <= p_without:
        return 0.0
    if target > p_with:
        return None
    return (target - p_without) / (p_with - p_without)
    ### END SOLUTION


# %% check="metrics.required_recall"
required_recall = check("metrics.required_recall", required_recall)
points("metrics.required_recall")

# %% [markdown] tags=["solution"]
# **Explanation.** The order of the three cases does it all. After the first two we know that `p_without < target <=
# p_with`: dividing is allowed, and the result lies between 0 and 1. A context that harms falls into one of the first
# two cases as well.
#
# **Common mistakes**
# - the formula alone: negative below `p_without`, a division by zero where `p_with == p_without`.
# - bringing an impossible target down to 1: you would work on the search for a long time, in vain.
# - `target >= p_with`: at equality a recall of 1 is enough.

# %% [markdown]
# ## 13. In writing: two teams, two figures
#
# **Marked by hand, out of 6 points. Time: 8 minutes.**
#
# Team A reports 78% "correct answers" for its RAG, according to a language model that acts as judge. Team B reports 71%
# for its own, according to human annotators. Does it follow that A is better? Answer in ten to fifteen lines: say what
# is missing, then describe a comparison that would settle it.
#
# **Rubric**
#
# | points | for |
# |---|---|
# | 1 | a clear answer: nothing follows |
# | 1 | the judges differ, and the model acting as judge may be biased (lenient, fond of long answers or of wordings like its own) |
# | 1 | the questions differ, or nothing says that they are the same |
# | 1 | neither sample size nor confidence interval: 7 points may be chance |
# | 1 | a sound protocol: the same questions (200 or more), the same reference passages, the same judges, and the agreement of human and model judge measured on a subset |
# | 1 | separate measures with intervals (accuracy, faithfulness, relevance), and the search's recall@k to explain the gaps |

# %% [markdown] written="metrics.w_two_teams" points=6
# *Your answer here.*

# %% [markdown] tags=["solution"]
# **Model answer.** No. The two figures do not measure the same thing. The **judges** are not the same: a model acting
# as judge may be more lenient than a human, or prefer answers that are long or that resemble its own. The **questions**
# are probably not the same either, and 78% on easy questions is not worth 71% on hard ones. Finally, with neither
# **sample size** nor **interval**, nobody knows whether 7 points exceed chance: on fifty questions the 95% interval of
# such a proportion is some 23 points wide.
#
# To settle it: take **the same** questions, at least 200, with the same reference passages, and have both systems
# answer them. Have all answers judged by the same model, blind, and a subset by humans; measure their agreement
# (Cohen's kappa) to know what the model judge is worth. Report accuracy, faithfulness and relevance separately, each
# with its interval, and test the difference in pairs. Last, give the recall@k of both searches: by theorem 3 it is
# often what explains the gap, and it tells what to improve.

# %% [markdown]
# ## Well done
#
# You now have what it takes to judge any search. One last trial, with your twelve functions: two systems on eight
# questions. Which would you choose, and what do you say to whoever asks you to be certain?

# %%
old = [1.0, 0.5, 0.0, 1.0, 0.0, 0.5, 1.0, 0.0]
new = [1.0, 1.0, 0.5, 1.0, 0.0, 1.0, 0.5, 0.5]
for name, values in (("old", old), ("new", new)):
    low, high = bootstrap_ci(values)
    print(f"{name:8} {sum(values) / len(values):.3f}  [{low:.2f}, {high:.2f}]")
print("p =", round(paired_permutation_test(new, old), 2))
