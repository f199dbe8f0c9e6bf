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
#     kind: lesson
#     lang: en
# ---

# %% [markdown]
# # 05. Measure the search alone
# **Know whether it works, and how wrong you may be about it**
#
# Two teams of the lab have each built a search engine over the robot's documentation. "Ours found the right fuse at
# once," says one. "Ours gives better answers overall," says the other. Both are right, on their own examples. Whom
# should you believe?
#
# Neither: you have to measure. And you have to measure the **search alone**, before any language model comes in,
# because a good answer may hide a bad search, and a bad answer a good one. By the end you will be able to:
#
# - compute precision, recall, MRR, average precision and nDCG **by hand**, then in code;
# - pick the measure that answers your question, and say what it cannot see;
# - give a **confidence interval**, and say whether a difference between two systems could be mere chance;
# - prove **theorem 3**: what recall allows everything else to be, and what it rules out;
# - check your functions against a reference library.

# %% [markdown]
# ## Your time
#
# Allow **80 to 90 minutes** in all: 50 minutes for this lesson, 35 for the exercises notebook, where five functions out
# of twelve will be written already.
#
# | part | minutes |
# |---|---|
# | 1. Where we stand | 3 |
# | 2. One ranking, every measure (your turn, three times) | 18 |
# | 3. Four searches, 120 questions | 8 |
# | 4. Six questions prove nothing (your turn) | 11 |
# | 5. Theorem 3 (your turn) | 6 |
# | 6. What about production? Recap and quiz | 4 |
#
# **How to work.** Clear the stored results first (*Edit*, *Clear Outputs of All Cells*): they would give the
# predictions away. Run the cells one by one (`Shift + Enter`). Predict *before* you run. **Your turn** cells wait for
# your code; the cell after each one checks it, and the lesson goes on with a reference version if yours is not right
# yet.

# %%
from ragteach.notebook import begin, check, hint, predict, quiz, reveal

begin("05_metrics", lang="en", course="1")

# %% [markdown]
# ## 1. Where we stand
#
# A table has been growing since chapter 00: the same six questions of the mini corpus, one row for each improvement.
# The first row is the naive method (windows of 40 words, words as they come).

# %% tags=["nbval-check-output"]
from ragteach.explore import milestones

milestones("05_metrics", lang="en", before=True)

# %% [markdown]
# Two doubts should bother you. First, what exactly do these four columns mean? Second, each number is a mean over
# **six** questions: a single question that tips over moves a column by a sixth. Is the gap between two neighbouring
# rows due to the method, or to one lucky question?
#
# This chapter changes nothing about the search. It changes what we are entitled to say about it.

# %% [markdown]
# ## 2. One ranking, every measure
#
# Someone asks: "Why does the robot slow down when it gets hot?" The search returns six passages. A human has **graded**
# them: 3 answers fully, 2 in part, 1 is related, 0 is no help.

# %%
from ragteach.explore import number, passages, ranking_figure, ranking_text, show, table

ranking, grades = passages("en")
show(ranking_figure(ranking, grades, 5, "en"), ranking_text(ranking, grades, 5, "en"))

# %% [markdown]
# ### How many good ones? Precision and recall
#
# The first measures know only yes and no: a passage is **relevant** if its grade is positive. Cut the ranking at $k$
# places (the line), and count.
#
# $$\text{precision@}k=\frac{|\text{relevant}\cap\text{top-}k|}{k}
# \qquad\qquad
# \text{recall@}k=\frac{|\text{relevant}\cap\text{top-}k|}{|\text{relevant}|}$$
#
# One numerator, two different questions: "what share of what I hand over is useful?" and "what share of what is useful
# have I handed over?".

# %% tags=["nbval-check-output"]
k = 5
relevant = {name for name, grade in grades.items() if grade > 0}
hits = set(ranking[:k]) & relevant
rows = [
    [f"precision@{k}", f"{len(hits)} / {k}", len(hits) / k],
    [f"recall@{k}", f"{len(hits)} / {len(relevant)}", len(hits) / len(relevant)],
]
table(["measure", "fraction", "value"], rows, lang="en")

# %% [markdown]
# Three details prevent many a quarrel:
#
# - precision divides by $k$, even where the engine returns fewer than $k$ passages: an empty place is a lost place;
# - recall divides by **all** relevant passages. With five relevant ones, recall@3 cannot exceed 3/5. (Dividing by
#   $\min(k,\text{relevant})$ exists as well: it is called *capped recall*. Say which one you report.)
# - where each question has a single good passage, mean recall@k is simply the share of questions that succeed: 8
#   questions out of 10 have their passage in the first five, so recall@5 = 8/10.
#
# ### Your turn: `recall_at_k`
#
# A repeated passage counts once, and its second place stays taken: cut at $k$ first, count afterwards.


# %%
def recall_at_k(ranking, relevant, k):
    """Give the share of the relevant documents that are in the first k; 0.0 if nothing is relevant.

    recall_at_k(["d4", "d1", "d7"], {"d1", "d9"}, 2) is 0.5. Raises ValueError if k < 1.
    """
    raise NotImplementedError


# %%
recall_at_k = check("metrics.recall", recall_at_k)

# %% [markdown]
# ### A wrong turn
#
# Why "once"? A badly joined hybrid search returns the same passage twice, once from each list. Let us count naively.


# %% tags=["nbval-check-output"]
def naive_recall(ranking, relevant, k):
    return sum(name in relevant for name in ranking[:k]) / len(relevant)


doubled = ["d1", "d1", "d2", "d2"]
print("naive:", naive_recall(doubled, {"d1", "d2"}, 4))
print("right:", recall_at_k(doubled, {"d1", "d2"}, 4))

# %% [markdown]
# A recall of 200%! Widely used libraries have had this fault. The rule that protects you: a measure is computed on
# **sets** of documents, and a test holds it between 0 and 1.
#
# ### At which place? The reciprocal rank
#
# Recall does not see order. The **reciprocal rank** sees nothing else: $1/r$, where $r$ is the rank of the first
# relevant passage; 0 if there is none. In our ranking the first relevant passage stands at rank 2: the reciprocal rank
# is 1/2. Its mean over the questions is **MRR** (mean reciprocal rank):
#
# $$\text{MRR}=\frac1{|Q|}\sum_{q\in Q}\frac1{\text{rank}_q}$$

# %% tags=["nbval-check-output"]
ranks = [1, 3, 2]  # the first good passage of three questions
reciprocals = [1 / rank for rank in ranks]
rows = [
    ["mean of the reciprocals (MRR)", round(sum(reciprocals) / 3, 3)],
    ["reciprocal of the mean (wrong)", round(3 / sum(ranks), 3)],
]
for name, value in rows:
    print(f"{name:32} {value}")

# %% [markdown]
# The order of operations matters: first the reciprocal of each rank, then the mean. Going from rank 2 to rank 1 earns
# half a point; from rank 20 to rank 10, next to nothing. That is on purpose: readers read the first lines.
#
# ### Your turn: `mrr`
#
# A question for which nothing is found counts 0 and **stays in the mean**.


# %%
def mrr(rankings, relevants):
    """Give the mean of 1/rank of the first relevant one; rankings[i] and relevants[i] belong to question i.

    mrr([["d2", "d5"]], [{"d5"}]) is 0.5. Raises ValueError for no question, or if the lengths differ.
    """
    raise NotImplementedError


# %%
mrr = check("metrics.mrr", mrr)

# %% [markdown]
# ### All the good ones, at their places: average precision
#
# MRR stops at the first. **Average precision** (AP) goes on: at each relevant passage met, note the precision at its
# rank; then divide by the number of **all** relevant passages, found or not. Its mean over the questions is called MAP.

# %% tags=["nbval-check-output"]
rows, n_hits = [], 0
for rank, name in enumerate(ranking, start=1):
    if name in relevant:
        n_hits += 1
        rows.append([rank, name, f"{n_hits} / {rank}", n_hits / rank])
average = sum(row[3] for row in rows) / len(relevant)
rows.append(["", "sum divided by " + str(len(relevant)), "", average])
table(["rank", "relevant passage", "precision", "value"], rows, lang="en")

# %% [markdown]
# ### Grades instead of yes or no: nDCG
#
# Finding the passage of grade 3 is better than finding the one of grade 1. **DCG** (discounted cumulative gain) adds up
# gains, reduced according to rank:
#
# $$\text{DCG@}k=\sum_{i=1}^{k}\frac{2^{\text{grade}_i}-1}{\log_2(i+1)}$$
#
# The gain $2^{\text{grade}}-1$ is 0, 1, 3 or 7: grade 3 counts seven times as much as grade 1. The divisor is 1 at rank
# 1, 2 at rank 3, and then grows slowly.
#
# A DCG alone says nothing: is it a lot? So it is divided by that of the **best possible ranking**, which puts **all**
# graded passages in order of decreasing grade. That is **nDCG** (n for *normalised*), between 0 and 1.

# %% tags=["nbval-check-output"]
from math import log2

from ragteach.retrieval.metrics import dcg

rows = []
for rank, name in enumerate(ranking[:k], start=1):
    gain = 2 ** grades[name] - 1
    rows.append([rank, name, grades[name], gain, log2(rank + 1), gain / log2(rank + 1)])
header = "rank, passage, grade, gain, divisor, share".split(", ")
table(header, rows, lang="en")
ideal = sorted(grades.values(), reverse=True)
print(
    f"DCG@{k}   :",
    round(sum(row[5] for row in rows), 3),
    "=",
    round(dcg([row[2] for row in rows], k), 3),
)
print("ideal   :", round(dcg(ideal, k), 3), "for the grades", ideal[:k])
print(f"nDCG@{k}  :", round(dcg([row[2] for row in rows], k) / dcg(ideal, k), 3))

# %% [markdown]
# ### Your turn: `ndcg`
#
# `relevance` is a dictionary: passage → grade. A passage that is not in it is worth 0; a passage that comes back is
# worth 0 the second time, yet keeps its place. You may call `dcg(grades, k)`, imported above.


# %%
def ndcg(ranking, relevance, k):
    """Give the DCG at k divided by that of the ideal ranking; 0.0 if no grade is positive.

    ndcg(["d2", "d1"], {"d1": 3, "d2": 0}, 2) is about 0.63. Raises ValueError if k < 1.
    """
    raise NotImplementedError


# %%
ndcg = check("metrics.ndcg", ndcg)

# %% [markdown]
# **The commonest mistake** hides in the ideal. Sort the passages that were *found* instead of all that were *graded*,
# and a search that misses the best passage gets full marks:

# %% tags=["nbval-check-output"]
judged = {"d1": 3, "d2": 1, "d3": 1}
poor = ["d2", "d9"]  # d1, the best one, was not found
of_found = sorted((judged.get(doc, 0) for doc in poor), reverse=True)
print("ideal of the found: ", dcg([1, 0], 2) / dcg(of_found, 2))
print("ideal of all:       ", round(ndcg(poor, judged, 2), 3))

# %% [markdown]
# Three properties to check of any nDCG function, yours included: the ideal ranking is worth 1; swapping two documents
# of different grades lowers the value; a useless document costs more at the top than in tenth place.

# %% tags=["nbval-check-output"]
marks = {f"d{i}": grade for i, grade in enumerate([3, 3, 2, 2, 2, 1, 1, 1, 1])}
best = list(marks)
swapped = [best[2], best[1], best[0], *best[3:]]
print("ideal:            ", ndcg(best, marks, 10))
print("d0 and d2 swapped:", round(ndcg(swapped, marks, 10), 3))
print("useless one first:", round(ndcg(["x", *best], marks, 10), 3))
print("useless one tenth:", round(ndcg([*best, "x"], marks, 10), 3))

# %% [markdown]
# ### Which one sees what?

# %%
predict("metrics.move_up")

# %%
marks = {"a": 0, "b": 1, "c": 0, "d": 3, "e": 2}
before, after = ["a", "b", "c", "d", "e"], ["d", "a", "b", "c", "e"]
good = {doc for doc, grade in marks.items() if grade}
values = [
    [len(set(order[:5]) & good) / 5, recall_at_k(order, good, 5), ndcg(order, marks, 5)]
    for order in (before, after)
]
reveal(
    "metrics.move_up", " -> ".join(" / ".join(number(x, "en") for x in row) for row in values)
)

# %% [markdown]
# Play: choose a passage by its rank, move it up or down, change $k$ (all of it works from the keyboard too, with `Tab`,
# the space bar and the arrow keys). Try, in this order:
#
# 1. move "manual: overheating" to first rank: which measures do not move?
# 2. take it down to the last rank: which one collapses most?
# 3. without moving anything, take $k$ from 1 to 6: which one rises and never falls back?

# %%
from ragteach.explore import metrics_explorer

metrics_explorer(lang="en")

# %% [markdown]
# You should have found:
#
# 1. precision@5 and recall@5 do not move; reciprocal rank, average precision and nDCG rise;
# 2. from first place to last, reciprocal rank falls from 1 to 1/2, and nDCG@5 loses nearly half its value: those two
#    reward the top. Precision@5 and recall@5 still see nothing, since another good passage enters the first five;
# 3. recall. Precision and nDCG may rise and fall again; reciprocal rank and average precision do not depend on $k$.
#
# | measure | the question that it answers | what it does not see |
# |---|---|---|
# | precision@k | what share of what I hand over is useful? | what is missing; order above $k$ |
# | recall@k | have I handed over what was needed? | order above $k$; noise |
# | MRR | at which place is the first good one? | all the others |
# | AP, MAP | are the good ones all there, and early? | grades: a fair one counts as an excellent one |
# | nDCG@k | are the best ones at the very top? | it needs grades, and is harder to read |
#
# **For a RAG, look first at recall at the $k$ that you really send to the model**: an answer cannot be better than the
# context it was given. Then at MRR or nDCG, since a model reads the beginning of its context best.

# %% [markdown]
# ## 3. Four searches, 120 questions
#
# Enough of made-up examples. The robot corpus (29 documents in each language) comes with 120 **annotated** questions:
# for each, someone has marked the passages that answer it in the documents, with their grades. On your own documents
# this annotation will be most of the work, and the most useful part: plan some fifty realistic questions to begin with,
# and ten traps that have no answer.
#
# A reservation: our questions were written with the documents in view. They borrow words from them, and the recall that
# we are about to read is higher than it would be on questions asked blind. For your own, have the questions written by
# people who have not read the documentation, or take those that your users asked.
#
# One piece of advice that saves doing it all again: annotate **passages**, not chunks. When the chunking changes,
# `relevance` finds the new chunks; numbers of chunks would no longer mean anything.

# %%
from ragteach.corpus import chunk, load, relevance
from ragteach.retrieval.chunking import chunk_words

corpus = load("robot", "en")
questions = [question for question in corpus.questions if not question.is_trap]
chunks = chunk(corpus.documents, chunk_words)
judged = [relevance(question, chunks) for question in questions]
relevants = [set(found) for found in judged]
print(len(corpus.documents), "documents,", len(chunks), "chunks,", len(questions), "questions")
print(questions[0].text, "->", judged[0])

# %% [markdown]
# Four searches, all built in earlier chapters: raw shared words, BM25, LSA, and the fusion of these two by RRF. Each
# returns the numbers of 40 chunks at most, best first. (Some questions follow up on another one; the earlier question
# is put before them.)

# %%
from ragteach.answers.words import STOP_WORDS
from ragteach.retrieval.bm25_index import BM25Index
from ragteach.retrieval.fusion import rrf
from ragteach.retrieval.lsa_index import LSAIndex
from ragteach.retrieval.text import tokenize


def content(text):
    return [token for token in tokenize(text) if token not in STOP_WORDS]


texts = [piece.text for piece in chunks]
bm25 = BM25Index([tokenize(text) for text in texts])
lsa = LSAIndex([content(text) for text in texts], 60)

# %%
raw = [set(text.lower().split()) for text in texts]


def shared_words(text):
    counts = [len(set(text.lower().split()) & words) for words in raw]
    return sorted((i for i, n in enumerate(counts) if n), key=lambda i: -counts[i])[:40]


searches = {
    "raw words": shared_words,
    "BM25": lambda text: bm25.search(tokenize(text), 40),
    "LSA": lambda text: lsa.search(content(text), 40),
}
searches["RRF"] = lambda text: rrf([searches["BM25"](text), searches["LSA"](text)])[:40]

# %%
asked = [" ".join([*question.history, question.text]) for question in questions]
rankings = {name: [search(text) for text in asked] for name, search in searches.items()}


def recall_at_5(ranking, relevant):
    return recall_at_k(ranking, relevant, 5)


def precision_at_5(ranking, relevant):
    return len(set(ranking[:5]) & relevant) / 5


def ndcg_at_10(ranking, grades):
    return ndcg(ranking, grades, 10)


def average(measure, rankings, answers):
    """Average a measure over the questions."""
    return sum(map(measure, rankings, answers)) / len(rankings)


# %% [markdown]
# The four searches, under four measures:

# %% tags=["nbval-check-output"]
rows = []
for name, found in rankings.items():
    recall, precision = (
        average(measure, found, relevants) for measure in (recall_at_5, precision_at_5)
    )
    rows.append(
        [name, recall, precision, mrr(found, relevants), average(ndcg_at_10, found, judged)]
    )
perfect = [list(good) for good in relevants]  # all the good ones first
recall, precision = (
    average(measure, perfect, relevants) for measure in (recall_at_5, precision_at_5)
)
rows.append(["perfect search", recall, precision, 1.0, 1.0])
table(["search", "recall@5", "precision@5", "MRR", "nDCG@10"], rows, lang="en")

# %% [markdown]
# Read the precision column first: all its values are low, and that is no fault. Mostly a question has but a few chunks
# that answer: in five places even a perfect search stays far from 1, as the last row shows. **A measure compares only
# with itself**, on the same questions and the same chunking.
#
# From naive to BM25 the gain is huge in every column. Among the next three it is closer; and RRF's fusion does not
# always beat both its members. Keep that impression: part 4 will say what it is worth.
#
# ### The recall curve
#
# To choose $k$, draw recall for several values of $k$. It never falls: more places lose nothing. Precision, and the
# price of the context, do suffer.

# %%
from ragteach.explore import curves
from ragteach.retrieval.metrics import recall_curve

ks = list(range(1, 21))
series = {name: recall_curve(found, relevants, ks) for name, found in rankings.items()}
figure = curves(ks, series, "k, number of chunks given to the model", "recall@k", lang="en")
alt = "; ".join(
    f"{name} {number(v[0], 'en')}, {number(v[4], 'en')}, {number(v[-1], 'en')}"
    for name, v in series.items()
)
show(figure, "Four rising curves. Values at k = 1, 5, 20: " + alt)

# %% [markdown]
# All rise fast, then flatten: beyond some $k$ each further place costs tokens and earns little. If the curve is still
# rising where you cut, a larger $k$ is the cheapest remedy.
#
# ### By segment
#
# A mean hides things. Let us break down the recall@5 of BM25, LSA and their fusion by **kind of question**
# (`by_segment` averages each group; you will write it in the exercises).

# %% tags=["nbval-check-output"]
from ragteach.retrieval.metrics import by_segment

scores = {name: list(map(recall_at_5, found, relevants)) for name, found in rankings.items()}
kinds = [question.kind for question in questions]
parts = {name: by_segment(scores[name], kinds) for name in ("BM25", "LSA", "RRF")}
rows = [
    [kind, kinds.count(kind), *(part[kind] for part in parts.values())]
    for kind in sorted(parts["BM25"], key=parts["BM25"].get)
]
rows.append(["overall", len(kinds), *(sum(scores[name]) / len(kinds) for name in parts)])
table(["kind", "questions", *parts], rows, lang="en")

# %% [markdown]
# There is what the mean was hiding. BM25 looks respectable overall; on synonyms and paraphrases, the first two rows, it
# collapses, as chapter 02 said it would. LSA lifts the paraphrases clearly. Whoever reads only the last row puts an
# engine into service that abandons everyone who does not talk like the manual. **An overall 0.9 may hide a source at
# 0.4.** Break your numbers down by kind of question, by source, by language, by date.
#
# The RRF column also tells **when a fusion wins**. On compound questions its two members are about equally good and
# fail in different places: the fusion beats both. On paraphrases one member is far stronger: the fusion stays between
# the two, held back by the weaker one. A hybrid search is not always the best.
#
# Mind, though: each row rests on a dozen questions. We are coming to that.
#
# ### Recall or order? What reranking changes
#
# A practitioners' guide publishes this comparison, on 200 questions:
#
# | configuration | recall@5 | MRR |
# |---|---|---|
# | dense alone | 0.71 | 0.52 |
# | hybrid (RRF) | 0.83 | 0.61 |
# | hybrid + reranking | 0.83 | 0.74 |
#
# The hybrid finds **more**: recall rises. Reranking finds nothing new, it **orders** the same candidates: recall does
# not move, MRR does. To say "reranking improves recall" is to confuse the two measures.

# %% [markdown]
# ## 4. Six questions prove nothing
#
# On 120 questions, RRF's fusion has a better recall@5 than BM25. Suppose we had had six questions only. Draw six of the
# 120 at random, a thousand times, and see who wins.

# %% tags=["nbval-check-output"]
import numpy as np

rng = np.random.default_rng(0)
first, second = np.array(scores["BM25"]), np.array(scores["RRF"])
wins = {"BM25": 0, "draw": 0, "RRF": 0}
for _ in range(1000):
    six = rng.choice(len(questions), size=6, replace=False)
    gap = first[six].mean() - second[six].mean()
    wins["BM25" if gap > 1e-9 else "RRF" if gap < -1e-9 else "draw"] += 1
table(["who wins on six questions", "times in 1000"], list(wins.items()), lang="en")

# %% [markdown]
# More than one time in three, six questions do not point to RRF: they say "draw", or give BM25 the advantage. With six
# questions your conclusion depends on the draw. We need two tools: an **interval** around a mean, and a **test** for a
# difference.
#
# ### The interval: resampling
#
# Our questions are a sample of all that might be asked. Had we drawn others, the mean would have been a little
# different. By how much? Nobody can collect 120 new questions a thousand times over. Efron's idea (1979), the
# **bootstrap**: pretend that our sample is the population, and **draw from it again, with replacement**, as many
# questions as it has. Some come out twice, others not at all; the mean moves. Repeat a thousand times and look at how
# the means spread:
#
# 1. draw `len(values)` values **with replacement**, note their mean; repeat `n_resamples` times;
# 2. for a level of 95%, leave 2.5% of the means on either side: the quantiles $(1-\text{level})/2$ and
#    $(1+\text{level})/2$.

# %%
predict("metrics.width")

# %% [markdown]
# ### Your turn: `bootstrap_ci`
#
# `rng = np.random.default_rng(seed)` makes the randomness; `rng.choice(values, size=n)` draws $n$ values with
# replacement; `np.quantile(means, [a, b])` gives two quantiles. Create `rng` once, before the loop. Properties are
# checked, not one particular draw: any good generator will do.


# %%
def bootstrap_ci(values, level=0.95, n_resamples=1000, seed=0):
    """Give the interval (low, high) of the mean, by quantiles of the resampled means.

    Raises ValueError if values is empty, if level is not strictly between 0 and 1, or if n_resamples < 1.
    """
    raise NotImplementedError


# %%
bootstrap_ci = check("metrics.bootstrap_ci", bootstrap_ci)

# %% [markdown]
# Let us see the resampled means of BM25's recall@5, with six questions and then with 120. The lines mark the 95%
# interval. (From here on the numbers shown come from the reference version, so that everybody reads the same ones.)

# %%
from ragteach.explore import histograms, intervals
from ragteach.retrieval import statistics

some = {"n = 6": scores["BM25"][::20], "n = 120": scores["BM25"]}
rng = np.random.default_rng(0)
means = {
    name: [rng.choice(v, size=len(v)).mean() for _ in range(1000)] for name, v in some.items()
}
marks = {name: statistics.bootstrap_ci(values) for name, values in some.items()}
figure = histograms(means, marks, "mean recall@5 of a resample", "en")
alt = "; ".join(
    f"{name}, {number(low, 'en')} - {number(high, 'en')}" for name, (low, high) in marks.items()
)
show(figure, "Resampled means, spread out for n = 6, tight for n = 120. Intervals: " + alt)

# %%
widths = []
for values in (scores["BM25"][::4], scores["BM25"]):
    low, high = statistics.bootstrap_ci(values)
    widths.append(f"n = {len(values)} -> {number(high - low, 'en')}")
reveal("metrics.width", ", ".join(widths))

# %% [markdown]
# And for our four searches, on the 120 questions:

# %%
rows = {}
for name, values in scores.items():
    low, high = statistics.bootstrap_ci(values)
    rows[name] = (low, sum(values) / len(values), high)
figure = intervals(rows, "recall@5 (95% interval)", "en")
alt = "; ".join(
    f"{name}, {number(low, 'en')} - {number(high, 'en')}"
    for name, (low, _, high) in rows.items()
)
show(figure, "95% intervals: " + alt)

# %% [markdown]
# Raw words stand alone, far behind: their interval touches none of the others. Those of BM25 and RRF overlap. Does it
# follow that these two are equally good? **No, not yet**: two intervals that overlap do not rule out a real difference.
# Each holds the luck of which questions were drawn, and yet both systems answered the **same** questions. A hard
# question is hard for both. It is better to look at the differences, question by question.
#
# ### The paired test: what if the labels were swapped?
#
# Write $d_i$ for the difference of the scores on question $i$. If the two systems were alike, which one is called "a"
# and which "b" would not matter: each $d_i$ might as well have been $-d_i$. So:
#
# 1. draw a random sign for **each** question, and recompute the mean difference;
# 2. repeat, and count the draws whose mean difference is, **in absolute value, at least as large** as the observed one;
# 3. the **p-value** is their share. The true signs are counted as one more draw: $(\text{count}+1)/(\text{draws}+1)$,
#    so as never to claim 0.
#
# A small p-value says: "chance labels would rarely give such a gap". Custom draws the line at 5%.

# %%
predict("metrics.six")

# %%
from itertools import product

differences = np.array([1, 1, 1, 1, 1, 1])  # six wins out of six
all_signs = list(product([-1, 1], repeat=6))
as_large = sum(abs(np.dot(signs, differences)) >= differences.sum() for signs in all_signs)
reveal(
    "metrics.six",
    f"{as_large} / {len(all_signs)} = {number(as_large / len(all_signs), 'en', 3)}",
)

# %% [markdown]
# Six questions are so few that all signs can be tried. The best result imaginable just gets below 5%; a single loss,
# and all is lost. And on our real questions?

# %% tags=["nbval-check-output"]
first_ranks = {
    name: [mrr([top], [good]) for top, good in zip(found, relevants, strict=True)]
    for name, found in rankings.items()
}
comparisons = [
    ("raw words", "BM25", "recall@5", scores),
    ("BM25", "RRF", "recall@5", scores),
    ("RRF", "LSA", "recall@5", scores),
    ("RRF", "LSA", "reciprocal rank", first_ranks),
]
rows = []
for a, b, measure, by_question in comparisons:
    x, y = by_question[a], by_question[b]
    six, every = (statistics.paired_permutation_test(x[::step], y[::step]) for step in (20, 1))
    rows.append(
        [f"{a} -> {b}", measure, sum(y) / 120 - sum(x) / 120, six, number(every, "en", 3)]
    )
header = "comparison, measure, gap on 120, p on 6, p on 120"
table(header.split(", "), rows, lang="en")

# %% [markdown]
# Read it row by row.
#
# - **Raw words against BM25**: on 120 questions there is no room for doubt.
# - **BM25 against RRF**: the intervals overlapped, and yet the paired test sees the difference. Comparing on the same
#   questions is worth many more questions.
# - **RRF against LSA**, by either measure: the gap may be mere chance. That does not prove them equal; it says that
#   these 120 questions cannot choose between them. (In the French corpus LSA alone beats the fusion on recall@5, by
#   more than chance explains: what one corpus teaches need not hold for another.)
#
# With six questions, none of the four comparisons gets below 5%: even the gulf between raw words and BM25 is not
# proved. **Aim for 100 to 1,000 questions.**
#
# Three more precautions:
#
# - **Do not tune and judge on the same questions.** The corpus keeps a *dev* half, for tuning, and a *held-out* half,
#   to be opened once, at the end.
# - **Whoever compares twenty variants finds one "significant" by chance**: 5% of twenty is one. Decide beforehand which
#   comparison counts.
# - **Significant does not mean important.** The p-value says whether there is a gap, the interval says whether it is
#   large.

# %% [markdown]
# ## 5. Theorem 3: what recall allows
#
# Why so much effort on the search alone, when the user only sees the answer? Because of this.
#
# **Theorem 3.** Write $R$ for the probability that the context given to the model holds the information needed
# (recall@k), $p_{\text{with}}$ for that of a right answer when it does, $p_{\text{without}}$ when it does not. Then
#
# $$\text{accuracy}=R\cdot p_{\text{with}}+(1-R)\cdot p_{\text{without}}.$$
#
# *Proof.* Either the context holds the information (event $C$, of probability $R$), or it does not. The two cases
# exclude each other and cover everything: the law of total probability gives $P(\text{right})=P(\text{right}\mid
# C)\,P(C)+P(\text{right}\mid\bar C)\,P(\bar C)$. $\blacksquare$
#
# In the second term the model answers from memory, or makes things up. On private documents $p_{\text{without}}$ is
# next to nothing. And since $p_{\text{with}}\le 1$:
#
# $$\text{accuracy}\;\le\;R+(1-R)\cdot p_{\text{without}}.$$
#
# No model, however large, gets through that ceiling.

# %%
predict("metrics.ceiling")

# %% [markdown]
# ### Your turn: `expected_accuracy`


# %%
def expected_accuracy(recall, p_with, p_without):
    """Give the share of right answers, by theorem 3.

    expected_accuracy(0.7, 0.9, 0.2) is 0.69. Raises ValueError if one of the three is not between 0 and 1.
    """
    raise NotImplementedError


# %%
expected_accuracy = check("metrics.expected_accuracy", expected_accuracy)

# %%
now, perfect = expected_accuracy(0.6, 0.95, 0.05), expected_accuracy(0.6, 1.0, 0.05)
reveal("metrics.ceiling", f"{number(now, 'en')} -> {number(perfect, 'en')}")

# %% [markdown]
# And the ceiling? Suppose the model is perfect, and vary what it knows by itself:

# %% tags=["nbval-check-output"]
rows = [[p_without, expected_accuracy(0.6, 1.0, p_without)] for p_without in (0.0, 0.1, 0.25)]
table(["p without", "ceiling at 60% recall"], rows, lang="en")

# %% [markdown]
# With this recall no language model will save the system.
#
# Does the theorem hold? Simulate 100,000 questions: for each, the context is good or not, then the model answers right
# or not. Compare the observed share with the formula.

# %% tags=["nbval-check-output"]
rng = np.random.default_rng(0)
rows = []
for recall, p_with, p_without in ((0.6, 0.95, 0.05), (0.7, 0.9, 0.2), (0.9, 0.6, 0.4)):
    good_context = rng.random(100_000) < recall
    right = rng.random(100_000) < np.where(good_context, p_with, p_without)
    rows.append(
        [
            recall,
            p_with,
            p_without,
            expected_accuracy(recall, p_with, p_without),
            float(right.mean()),
        ]
    )
table("recall, p with, p without, theorem 3, simulation".split(", "), rows, lang="en")

# %% [markdown]
# As a picture: accuracy is a **straight line** that runs from $p_{\text{without}}$ (recall 0) to $p_{\text{with}}$
# (recall 1).

# %%
steps = [i / 20 for i in range(21)]
models = {
    "perfect model": (1.0, 0.05),
    "good model": (0.85, 0.05),
    "fair model": (0.6, 0.05),
}
series = {
    name: [expected_accuracy(recall, *p) for recall in steps] for name, p in models.items()
}
figure = curves(steps, series, "recall@k", "expected accuracy", lang="en")
figure.axes[0].axvline(0.6, color="black", linestyle=":")
show(
    figure,
    "Three rising lines, from 0.05 to 1, to 0.85 and to 0.6; a vertical line marks a recall of 0.6.",
)

# %% [markdown]
# Follow the vertical line. At 60% recall, replacing the good model by a perfect one climbs one step; sliding to the
# right along **any** of these lines climbs further.
#
# ### Which lever?
#
# A RAG gives 55% right answers at a recall@5 of 60%, and none without context. What does each lever bring?

# %%
from ragteach.explore import bars

p_with = 0.55 / 0.6  # what the model makes of a good context, if it knows nothing without
levers = {
    "today": expected_accuracy(0.6, p_with, 0),
    "perfect model": expected_accuracy(0.6, 1, 0),
    "recall 0.75": expected_accuracy(0.75, p_with, 0),
    "recall 0.9": expected_accuracy(0.9, p_with, 0),
}
alt = "; ".join(f"{name}, {number(value, 'en')}" for name, value in levers.items())
show(bars(levers, "expected accuracy", lang="en"), "Expected accuracy: " + alt)

# %% [markdown]
# The search, without hesitation. The model already does nearly all that its context allows.
#
# The line can be read backwards: which recall does a target need? Solve for $R$:
#
# $$R=\frac{\text{target}-p_{\text{without}}}{p_{\text{with}}-p_{\text{without}}}$$
#
# with two edges not to forget: below $p_{\text{without}}$ no recall is needed (0); above $p_{\text{with}}$ no recall is
# enough (`None`), and it is the model or the prompt that has to change. You will write `required_recall` in the
# exercises.

# %% tags=["nbval-check-output"]
from ragteach.retrieval.metrics import required_recall

rows = [
    [target, required_recall(target, 0.9, 0.2)] for target in (0.1, 0.55, 0.69, 0.8, 0.9, 0.95)
]
table(["target (p with = 0.9, p without = 0.2)", "recall needed"], rows, lang="en")

# %% [markdown]
# The moral for your method: **measure the recall of the search on annotated questions before you touch the model.** It
# is cheaper, faster, free of the randomness of generation, and it tells you in advance how far the rest can go.

# %% [markdown]
# ## 6. What about production?
#
# Nobody writes these functions to publish a result: one takes `trec_eval`, the field's reference since the 1990s,
# through `ir-measures` or `pytrec_eval`. Let us give it our 120 questions and BM25's rankings, and compare.

# %%
from ragteach.retrieval.metrics import average_precision

tops = rankings["BM25"]
ours = {
    "P@5": average(precision_at_5, tops, relevants),
    "R@5": average(recall_at_5, tops, relevants),
    "RR": mrr(tops, relevants),
    "AP": average(average_precision, tops, relevants),
    "nDCG@10": average(ndcg_at_10, tops, judged),
}

# %% tags=["nbval-check-output"]
try:
    import ir_measures
except ImportError:
    print("To compare, install the library: pip install ir-measures")
else:
    measures = [ir_measures.parse_measure(name) for name in ours]
    notes = [(q, i, grade) for q, found in enumerate(judged) for i, grade in found.items()]
    places = [(q, i, -rank) for q, top in enumerate(tops) for rank, i in enumerate(top)]
    qrels = [ir_measures.Qrel(str(q), str(i), grade) for q, i, grade in notes]
    run = [ir_measures.ScoredDoc(str(q), str(i), score) for q, i, score in places]
    theirs = ir_measures.calc_aggregate(measures, qrels, run)
    rows = [
        [name, number(ours[name], "en", 4), number(theirs[measure], "en", 4)]
        for name, measure in zip(ours, measures, strict=True)
    ]
    table(["measure", "ours", "ir-measures"], rows, lang="en")

# %% [markdown]
# Four rows agree, the last does not. It is no error: `trec_eval` takes the grade itself as the gain, we take
# $2^{\text{grade}}-1$. Give our function grades that come down to the linear gain, since $2^{\log_2(1+g)}-1=g$:

# %% tags=["nbval-check-output"]
linear = [{i: log2(1 + grade) for i, grade in found.items()} for found in judged]
value = average(ndcg_at_10, rankings["BM25"], linear)
print("nDCG@10 with linear gains:", number(value, "en", 4))

# %% [markdown]
# There it is, identical. What tools do differently, and what you should state when you publish:
#
# - **the gains** of nDCG: linear (`trec_eval`) or exponential (learning-to-rank competitions);
# - **ties**: `trec_eval` sorts by score and breaks ties by decreasing identifier; others do the reverse. Rank the
#   documents yourself before you evaluate, and the problem is gone;
# - **documents without a grade** count 0 nearly everywhere;
# - **average precision**: some divide by the relevant documents *found*. The "context precision" of RAGAS belongs to
#   that family;
# - **tests**: `ranx` adds paired tests to its table, `scipy.stats` offers `bootstrap` and `permutation_test`.
#
# And once in service:
#
# - **run these measures again** after every new ingestion, every change of chunking or of model, and publish the new
#   index only if they hold. An index whose chunker has changed gets worse without a sound;
# - **keep a trace** of every question: question, rewritten question, numbers and scores of the chunks, order after
#   reranking, prompt. Without it a wrong answer cannot be diagnosed.

# %% [markdown]
# ## 7. Recap
#
# - **Precision** and **recall** count good passages above $k$; **MRR** looks at the first; **AP** and **nDCG** look at
#   all of them, the latter with grades.
# - For a RAG, recall at the $k$ really sent comes before everything else.
# - The ideal of nDCG comes from **all** graded documents; a repeated document counts once.
# - A mean hides its segments: **break it down**.
# - A mean without an **interval** is an anecdote; a difference is tested **in pairs**, on the same questions. Six will
#   not do.
# - **Theorem 3**: accuracy is a straight line from $p_{\text{without}}$ to $p_{\text{with}}$, and recall is where you
#   stand on it. It puts a ceiling on all the rest.
#
# Here is the table of the course with the row that this chapter adds: the 95% interval of the row above it.

# %% tags=["nbval-check-output"]
milestones("05_metrics", lang="en")

# %% [markdown]
# In the recall@1 column the interval is wider than the gap between the table's first row and its last: six questions
# cannot establish that all this work was of any use. And beware of the interval of recall@3, shrunk to a point: six
# successes out of six do not prove perfection; the bootstrap only knows what it has seen. That is why the rest of the
# course measures on the large corpus.

# %%
quiz("05_metrics")

# %% [markdown]
# ### Words to remember
#
# | English | French |
# |---|---|
# | recall, precision | *rappel, précision* |
# | mean reciprocal rank (MRR) | *rang réciproque moyen* |
# | average precision (AP, MAP) | *précision moyenne* |
# | (normalised) discounted cumulative gain (nDCG) | *gain cumulé réduit, normalisé* |
# | annotated test set, qrels | *jeu de questions annotées* |
# | confidence interval | *intervalle de confiance* |
# | bootstrap, resampling with replacement | *rééchantillonnage avec remise* |
# | paired permutation test, p-value | *test de permutation apparié, valeur p* |
# | accuracy (of the answers) | *exactitude* |
#
# ### What next
#
# 1. The notebook `exercises/en/05_metrics.ipynb`: the chapter's twelve functions, and one question to answer in
#    writing. Five functions are already in this lesson.
# 2. Chapter 06: search a million vectors. Another measure goes by the name of "recall" there, the share of the true
#    nearest neighbours that a fast index finds: two things, two names.
# 3. Chapter 11: evaluate the **answers** (faithfulness, refusals, agreement between judges).

# %% [markdown]
# ### Sources
#
# - K. Järvelin and J. Kekäläinen, "Cumulated gain-based evaluation of IR techniques", *ACM Transactions on Information
#   Systems*, 20(4), 2002: DCG and nDCG.
# - C. Burges et al., "Learning to Rank using Gradient Descent", ICML 2005: the gain $2^{\text{grade}}-1$.
# - C. Buckley and E. Voorhees, "Evaluating evaluation measure stability", SIGIR 2000: how many questions does it take?
# - B. Efron, "Bootstrap Methods: Another Look at the Jackknife", *Annals of Statistics*, 7(1), 1979.
# - R. A. Fisher, *The Design of Experiments*, 1935: the permutation test.
# - B. Phipson and G. Smyth, "Permutation P-values Should Never Be Zero", *Statistical Applications in Genetics and
#   Molecular Biology*, 9(1), 2010.
# - M. Smucker, J. Allan and B. Carterette, "A Comparison of Statistical Significance Tests for Information Retrieval
#   Evaluation", CIKM 2007.
# - S. Es et al., "RAGAS: Automated Evaluation of Retrieval Augmented Generation", arXiv 2309.15217, 2023.
# - S. MacAvaney et al., "Streamlining Evaluation with ir-measures", ECIR 2022.
