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
#     chapter: 07_pq
#     course: '1'
#     kind: lesson
#     lang: en
# ---

# %% [markdown]
# # 07. Compress the vectors
# **Ten million vectors in one gigabyte**
#
# The whole school has taken up the lab's assistant, and then its partners: ten million chunks of text. Chapter 06
# dealt with the time a search takes. Memory remains: the lab's machine has 16 GB, and the vectors want 31. Buy a
# bigger machine? Or write the vectors in fewer bytes?
#
# To write less is to lose something. This chapter is about choosing *what* to lose. At the end you will be able to:
#
# - work out what an index takes before you build it;
# - go from four bytes a number to one (**int8**), and say what that costs;
# - learn **codebooks** and code a whole vector in a few bytes: **product quantization**, PQ;
# - measure distances **without decoding**, through a table;
# - win back nearly all of the loss by **reranking**.

# %% [markdown]
# ## Your time
#
# Allow **80 to 90 minutes** in all: sixty-five for this lesson, twenty for the exercise notebook.
#
# | part | minutes |
# |---|---|
# | 1. How much memory? | 4 |
# | 2. One byte a number (your turn) | 12 |
# | 3. Coding several numbers together (your turn, twice) | 24 |
# | 4. Measuring without decoding (your turn) | 13 |
# | 5. Memory, error, recall | 5 |
# | 6. What PQ does not tell you | 3 |
# | 7. What production does instead, summary and quiz | 4 |
#
# **How to work.** Clear the stored results first (*Edit*, *Clear Outputs of All Cells*): they would give the
# predictions away. Run the cells one after another (`Shift + Enter`). When you are asked for a prediction, answer
# *before* you go on. Cells marked **Your turn** wait for your code; the cell below checks it and, until it is right,
# the lesson carries on with a reference version.

# %%
from ragteach.notebook import begin, check, hint, predict, quiz, reveal

begin("07_pq", lang="en", course="1")

# %% [markdown]
# **Where are we?** The six questions of the mini corpus, chapter by chapter.

# %%
import numpy as np

from ragteach.explore import milestones, number, show, table

milestones("07_pq", lang="en", before=True)

# %% [markdown]
# As in chapter 06, do not expect this table to improve: compression makes no vector more accurate. What is gained
# lies elsewhere, and is counted in bytes.

# %% [markdown]
# ## 1. How much memory?
#
# A vector of $d$ float32 numbers takes $4d$ bytes. At one byte a number, it takes $d$. And what if a whole vector
# could be summed up in 96 bytes?

# %% tags=["nbval-check-output"]
from ragteach.retrieval.dense import index_bytes
from ragteach.retrieval.pq import pq_bytes

N, DIMS = 10_000_000, 768
sizes = {
    "float32": index_bytes(N, DIMS, 4),
    "int8": index_bytes(N, DIMS, 1),
    "PQ, 96 bytes": pq_bytes(N, 96),
}
rows = [[name, size / 1e9, f"{sizes['float32'] // size} ×"] for name, size in sizes.items()]
table(["written as", "GB", "gain"], rows, lang="en")

# %% [markdown]
# **31 GB, 8 GB, 1 GB**: three very different machines. (These figures count the vectors alone; a graph or cells come
# on top.) Let us see what each step loses.

# %% [markdown]
# ## 2. One byte a number
#
# Back to the vectors of chapter 06: the robot's documentation in windows of 20 words, and LSA with 32 dimensions. The
# yardstick is each question's ten exact neighbours.

# %% tags=["nbval-check-output"]
from ragteach.corpus import chunk, load
from ragteach.retrieval.chunking import chunk_words
from ragteach.retrieval.exact import ann_recall, exact_search
from ragteach.retrieval.lsa_index import LSAIndex
from ragteach.retrieval.text import tokenize

corpus = load("robot", "en")
chunks = chunk(corpus.documents, lambda text: chunk_words(text, 20, 15))
questions = [question for question in corpus.questions if not question.is_trap]
lsa = LSAIndex([tokenize(piece.text) for piece in chunks], dims=32)
texts = lsa.embeddings
text_queries = lsa.embed([tokenize(question.text) for question in questions])
exact = [exact_search(texts, query, 10) for query in text_queries]
print(texts.shape, text_queries.shape)

# %% [markdown]
# For each dimension, take the greatest absolute value $m$ and divide the range from $-m$ to $m$ into 254 equal
# **steps** of width $m/127$. A number becomes the nearest of its 255 marks: a whole number from -127 to 127, hence an
# `int8`. To get the number back, multiply by the step. The error is never more than half a step.
#
# ### Your turn: `quantize_int8`
#
# Return the codes (type `int8`) and the steps, one a dimension (`scale`). For a dimension of zeros, the step is 1 by
# convention. Remember to round: `astype(np.int8)` alone cuts decimals off.


# %%
def quantize_int8(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Return the codes, from -127 to 127, and the step of each dimension."""
    raise NotImplementedError


# %%
quantize_int8 = check("pq.quantize", quantize_int8)

# %%
predict("pq.int8")

# %% [markdown]
# Two measures will serve throughout. The **relative error**: what has been lost of the vectors, squared. And chapter
# 06's **recall@10**: how many of the ten exact neighbours are found when ranking by approximate distances. (The
# vectors have norm 1, so by theorem 2 the smallest distance is the largest inner product.)


# %%
def relative_error(decoded):
    return float(((texts - decoded) ** 2).sum() / (texts**2).sum())


def nearest(distances, k=10):
    return np.argsort(distances, kind="stable")[:k].tolist()


def recall(measure):
    """Give the mean recall where measure(query) gives the distances to all vectors."""
    found = [nearest(measure(query)) for query in text_queries]
    return float(np.mean(list(map(ann_recall, found, exact))))


def to_decoded(decoded):
    return lambda query: ((decoded - query) ** 2).sum(axis=1)


# %% tags=["nbval-check-output"]
codes, scale = quantize_int8(texts)
decoded = codes * scale
print("relative error:", f"{relative_error(decoded):.6f}")
reveal("pq.int8", recall(to_decoded(decoded)))

# %% [markdown]
# A quarter of the memory, and next to nothing lost. That is why int8 is the first thing to try; many vector stores
# offer it in a single line of configuration.
#
# ### A wrong turn: fewer bits still
#
# If 8 bits are enough, why not 4, 3 or 2? With $b$ bits, the marks run from $-(2^{b-1}-1)$ to $2^{b-1}-1$.

# %%
predict("pq.two_bits")


# %% tags=["nbval-check-output"]
def rounded(vectors, top):
    """Round like int8, but to marks from -top to top, and decode."""
    scale = np.abs(vectors).max(axis=0) / top
    return np.rint(vectors / scale) * scale


def written(size, recall, error):
    return [size, number(recall, "en", 3), number(error, "en", 4)]


by_rounding = []
for bits in (8, 4, 3, 2):
    decoded = rounded(texts, 2 ** (bits - 1) - 1)
    by_rounding.append((32 * bits // 8, recall(to_decoded(decoded)), relative_error(decoded)))
header = ["bytes a vector", "recall@10", "relative error"]
table(header, [written(*row) for row in by_rounding], lang="en")
reveal("pq.two_bits", by_rounding[-1][1])

# %% [markdown]
# At two bits everything collapses. One dimension is enough to see why:

# %%
from ragteach.explore import levels_figure
from ragteach.retrieval.pq import pq_train as package_train

values = texts[:, 5]
top = np.abs(values).max()
learnt = np.sort(package_train(values[:, None], 1, 3)[0, :, 0])
levels = {
    "4 bits": np.arange(-7, 8) * top / 7,
    "2 bits": np.array([-1, 0, 1]) * top,
    "3 learnt marks": learnt,
}
alt = (
    "Values crowd near zero. At two bits the marks are at both ends "
    "and at zero; the three learnt marks are at "
) + "; ".join(number(mark, "en") for mark in learnt)
show(levels_figure(values, levels, lang="en"), f"{alt}.")

# %% [markdown]
# Two of the three marks stand where there is hardly anyone. Hence two remedies:
#
# - **learn** the marks, by k-means, instead of spacing them evenly: the bottom row;
# - stop coding each number on its own: numbers that go together can be described together.
#
# Product quantization does both.

# %% [markdown]
# ## 3. Coding several numbers together
#
# Take **subvectors** of two numbers: points of a plane. Place $K$ **codewords** there, by chapter 06's k-means, but
# the Euclidean one: smallest squared distance, and plain means. Each point is replaced by the number of its nearest
# codeword. The codewords together are a **codebook**.
#
# Vary the number of codewords: how many does it take for the error to fall below 5%? Then walk through the
# subvectors: where are the largest errors?

# %%
from ragteach.explore import codebook_explorer

codebook_explorer(lang="en")

# %% [markdown]
# Eight codewords are enough, only just. They go where the points are, and leave empty the corners where there is no
# one; the largest errors lie on the fringe of the cloud, where points are rare. Doubling the number of codewords costs
# one bit more a code.
#
# ### Another wrong turn: a single codebook
#
# Why not do the same with whole vectors? 256 codewords of 32 numbers, one byte a vector:

# %% tags=["nbval-check-output"]
from ragteach.retrieval.pq import pq_encode as package_encode

whole = package_train(texts, 1, 256)
decoded = whole[0][package_encode(texts, whole)[:, 0]]
print("error", number(relative_error(decoded), "en"))
print("recall", number(recall(to_decoded(decoded)), "en"))
print("codewords: 256 for", len(texts), "vectors")

# %% [markdown]
# All vectors of one codeword become indistinguishable, seven or eight at a time. Far more codewords are needed. But
# with codes of 64 bits there would be $2^{64}$ of them: far more than there are vectors to learn them from, and
# more than any machine can hold.
#
# The idea of Jégou, Douze and Schmid (2011): **cut** the vector into $M$ pieces, and give each piece its own codebook
# of 256 codewords.


# %% tags=["nbval-check-output"]
def grouped(count):
    return f"{count:_}".replace("_", ",")


M, K = 8, 256
print("codewords learnt:", M * K)
print("vectors that can be decoded:", grouped(K**M))
print("bytes a code:", M)

# %% [markdown]
# Two thousand short codewords are enough to name $256^8$ vectors: every way of putting one word of each codebook end
# to end. That is a Cartesian **product**, hence the name. Here it is in small, on the points of a moment ago: two
# pieces of a single number, four codewords each.

# %%
from ragteach.explore import plane_subvectors, product_figure

plane = plane_subvectors()
alt = (
    "Twice four learnt codewords make sixteen crosses, where four vertical and four "
    "horizontal lines meet; several of them are far from any point."
)
show(product_figure(plane, package_train(plane, 2, 4), lang="en"), alt)

# %% [markdown]
# Eight codewords learnt, sixteen possible vectors. That is the price as well: the grid does not know that the two
# pieces go together, and some crosses fall where there is no one. With the same number of bits, fewer pieces describe
# better, but the codewords to learn multiply. In practice $K=256$ is kept, one byte a piece, and $M$ is chosen by the
# bytes one can afford.
#
# ### Your turn: `pq_train`
#
# Cut the vectors into `n_subspaces` blocks of consecutive columns (`np.split(vectors, n_subspaces, axis=1)`). For
# each block, a Euclidean k-means:
#
# 1. the start: `n_codes` different rows, drawn without replacement;
# 2. some twenty rounds: each subvector goes to its nearest codeword, each codeword to the mean of its own; one that
#    nobody chooses stays where it is.
#
# Return an array of shape `(M, K, d/M)`. Raise `ValueError` if `n_subspaces` is below 1 or does not divide the number
# of dimensions, if `n_codes` is not between 1 and 256, or if there are fewer vectors than codewords. No particular
# draw is asked for: the check looks at whether your codewords have settled.


# %%
def pq_train(vectors: np.ndarray, n_subspaces: int, n_codes: int, seed: int = 0) -> np.ndarray:
    """Learn a codebook of n_codes codewords for each of the n_subspaces pieces."""
    raise NotImplementedError


# %%
pq_train = check("pq.train", pq_train)

# %% [markdown]
# Let us try it on every tenth vector, with 16 codewords a piece. For the 256 codewords that follow we shall take the
# package's function: the same, only faster.

# %% tags=["nbval-check-output"]
small = pq_train(texts[::10], 8, 16)
print("shape:", small.shape)
codebooks = package_train(texts, 8, 256)
print("shape:", codebooks.shape)

# %% [markdown]
# ### Your turn: `pq_encode`
#
# For each piece of each vector, the number of the nearest codeword **in that piece's codebook**, by squared distance.
# Return a `uint8` array of shape `(N, M)`. In a tie, any of the nearest will do. Raise `ValueError` if vectors and
# codebooks do not have the same number of dimensions.


# %%
def pq_encode(vectors: np.ndarray, codebooks: np.ndarray) -> np.ndarray:
    """Return the codes of the vectors: one byte a piece."""
    raise NotImplementedError


# %%
pq_encode = check("pq.encode", pq_encode)

# %% tags=["nbval-check-output"]
codes = np.asarray(pq_encode(texts, codebooks))
print("codes of vector 0:", codes[0].tolist())
sizes = {
    "float32": index_bytes(*texts.shape),
    "codes": pq_bytes(*codes.shape),
    "codebooks": 4 * codebooks.size,
}
table(["what", "bytes"], [[name, grouped(size)] for name, size in sizes.items()], lang="en")

# %% [markdown]
# Sixteen times less for the vectors. But look at the last row: on so small a corpus, the codebooks weigh more than
# the codes! Their size does not depend on $N$: at ten million vectors, nobody notices them.
#
# To decode is to put end to end the codewords that the codes point to:

# %%
from ragteach.explore import decoded_figure


def decode(codes, codebooks):
    return np.hstack([book[column] for book, column in zip(codebooks, codes.T, strict=True)])


decoded = decode(codes, codebooks)
lines = {"vector": texts[0], "decoded": decoded[0]}
alt = (
    "The 32 numbers of vector 0 and those that its eight codes give back: the shape is "
    "there, the details are not. Relative error over all vectors: "
)
error = number(relative_error(decoded), "en", 3)
show(decoded_figure(lines, 4, lang="en"), f"{alt}{error}.")

# %% [markdown]
# ## 4. Measuring without decoding
#
# To decode ten million vectors for each question would be absurd. Fortunately there is no need. The squared distance
# between the query $q$ and a decoded vector splits into pieces, by Pythagoras:
#
# $$\|q-\hat x\|^2=\sum_{m=1}^{M}\|q_m-c_{m,\,code_m(x)}\|^2$$
#
# And each term has only $K$ possible values! They are computed **once a query**, in a **table** of $M$ rows and $K$
# columns. The distance to a vector is then $M$ numbers read from the table, and their sum.
#
# Go step by step: the query is cut, the table fills up, then the codes of a vector are looked up. After that, change
# the vector.

# %%
from ragteach.explore import look_up_explorer

look_up_explorer(lang="en")

# %% [markdown]
# This distance is called **asymmetric** (ADC): the vector is coded, the query is not. There it is in memory, all
# alone: coding it would save nothing and add an error.
#
# ### Your turn: `pq_distances`
#
# Build the table, then read it. Return the **squared** distances, one a vector, of the query as it is to the coded
# vectors. Raise `ValueError` if the query has not the length that the codebooks want, if there are not `M` codes a
# vector, or if a code is not between 0 and `K - 1`. A tip: `table[np.arange(M), codes]` has shape `(N, M)`.


# %%
def pq_distances(query: np.ndarray, codes: np.ndarray, codebooks: np.ndarray) -> np.ndarray:
    """Return the squared distance of the query to each coded vector."""
    raise NotImplementedError


# %%
pq_distances = check("pq.distances", pq_distances)

# %%
predict("pq.eight_bytes")

# %% tags=["nbval-check-output"]
asymmetric = recall(lambda query: pq_distances(query, codes, codebooks))
same = np.allclose(
    pq_distances(text_queries[0], codes, codebooks), to_decoded(decoded)(text_queries[0])
)
print("the table gives the distances to the decoded vectors:", same)
coded_queries = decode(package_encode(text_queries, codebooks), codebooks)
found = [nearest(pq_distances(query, codes, codebooks)) for query in coded_queries]
symmetric = float(np.mean(list(map(ann_recall, found, exact))))
print("recall if the query is coded too:", number(symmetric, "en"))
reveal("pq.eight_bytes", asymmetric)

# %% [markdown]
# At eight bytes a vector, rounding to two bits found fewer than two neighbours in ten; PQ finds nearly eight. And
# coding the query as well costs recall for nothing, as expected.
#
# How much work was saved? Let us count, for one query:

# %% tags=["nbval-check-output"]
rows = []
for n, dims, m in ((len(texts), 32, 8), (10_000_000, 768, 96)):
    counts = [grouped(count) for count in (n, n * dims, 256 * dims, n * m)]
    rows.append([dims, m, *counts])
columns = ["d", "M", "N", "multiplications, exact", "multiplications, table", "numbers read"]
table(columns, rows, lang="en")

# %% [markdown]
# The table always costs the same, $K\times d$; it only pays if $N$ is much larger than $K$. After that, there are
# four to eight times fewer operations a vector, and additions only. The larger gain is often elsewhere: there is
# sixteen or thirty-two times less memory to go through.

# %% [markdown]
# ## 5. Memory, error, recall
#
# Now everything on the same picture: each number rounded, and PQ with more and more pieces.

# %% tags=["nbval-check-output"]
from ragteach.retrieval.pq import pq_distances as package_distances

by_pq, kept = [], {}
for m in (2, 4, 8, 16):
    books = codebooks if m == 8 else package_train(texts, m, 256)
    codes = package_encode(texts, books)
    kept[m] = (codes, books)
    measured = recall(lambda query, c=codes, b=books: package_distances(query, c, b))
    by_pq.append((m, measured, relative_error(decode(codes, books))))
table(header, [written(*row) for row in by_pq], lang="en")

# %%
from ragteach.explore import compression_figure

series = {"each number rounded": by_rounding, "PQ": by_pq}
alt = "Recall and relative error against bytes a vector."
for name, points in series.items():
    told = (f"{size} -> {number(r, 'en')} and {number(e, 'en', 4)}" for size, r, e in points)
    alt += f" {name}: {', '.join(told)}."
show(compression_figure(series, lang="en"), alt)

# %% [markdown]
# At the same memory PQ is above wherever the two meet, and the tighter the memory, the wider the gap. But at 32 bytes
# int8 is enough and needs no learning: take it as long as memory allows.
#
# ### Reranking
#
# Does a recall of 0.8 worry you? It should: two neighbours in ten lost without a sound is a fault of quality. But
# see *where* the missing neighbours have gone: not far. Let us ask PQ for fifty candidates instead of ten, and rerank
# those fifty with their original vectors, kept on disk. It is the idea of chapter 04: search wide at low cost, then
# sort with care.

# %%
predict("pq.rerank")


# %% tags=["nbval-check-output"]
def reranked(query, m, n_candidates):
    candidates = np.sort(nearest(package_distances(query, *kept[m]), n_candidates))
    return candidates[exact_search(texts[candidates], query, 10)].tolist()


rows = []
for n_candidates in (10, 20, 50):
    by_m = []
    for m in (4, 8):
        found = [reranked(query, m, n_candidates) for query in text_queries]
        by_m.append(float(np.mean(list(map(ann_recall, found, exact)))))
    rows.append([n_candidates, *by_m])
table(["candidates", "PQ, M = 4", "PQ, M = 8"], rows, lang="en")
reveal("pq.rerank", rows[-1][2])

# %% [markdown]
# Eight bytes in main memory, fifty vectors read from disk a query, and recall is back. Even four bytes nearly do.
# This is how it is done at scale: **codes to discard, vectors to decide**.

# %% [markdown]
# ## 6. What PQ does not tell you
#
# Codebooks are learnt on the data of one day. What if other data arrive? Let us learn them on vectors that have
# nothing to do with ours, random ones, and code our texts with them.

# %% tags=["nbval-check-output"]
from ragteach.corpus.vectors import random_vectors

foreign = package_train(random_vectors(2_000, 32)[0].astype(float), 8, 256)
rows = []
for name, books in {"texts": codebooks, "random vectors": foreign}.items():
    codes = package_encode(texts, books)
    measured = recall(lambda query, c=codes, b=books: package_distances(query, c, b))
    rows.append([name, relative_error(decode(codes, books)), measured])
table(["codebooks learnt on", "relative error", "recall@10"], rows, lang="en")

# %% [markdown]
# The error has more than doubled, recall has fallen, and **no message said so**: there is always a nearest codeword.
# So keep an eye on the coding error of new documents, and learn new codebooks when it rises. Everything must then be
# coded again: keep the original vectors, or the means to make them anew.
#
# Another blind spot: two vectors of the same code are at the same distance from any query. And pieces are not
# equal: if a few dimensions carry nearly everything, their codebook is overworked while the others idle. OPQ (Ge et
# al., 2013) learns a rotation that spreads the work.

# %% [markdown]
# ## 7. What production does instead
#
# FAISS has PQ under the name `IndexPQ`; two of its authors invented the method. Let us hand it our codebooks and
# compare.

# %%
try:
    import faiss
except ImportError:
    faiss = None
    print(
        "FAISS is not installed. To compare: pip install faiss-cpu, then run these three cells again."
    )

# %% tags=["nbval-check-output"]
if faiss is not None:
    vectors, queries = texts.astype(np.float32), text_queries.astype(np.float32)
    theirs = faiss.IndexPQ(32, 8, 8)  # dimensions, pieces, bits a code
    faiss.copy_array_to_vector(codebooks.astype(np.float32).ravel(), theirs.pq.centroids)
    theirs.is_trained = True
    theirs.add(vectors)
    distances, found = theirs.search(queries, 10)
    ours = [np.sort(package_distances(query, *kept[8]))[:10] for query in text_queries]
    print("same distances:", np.allclose(ours, distances, atol=1e-4))
    stored = faiss.vector_to_array(theirs.codes).reshape(-1, 8)
    print("same codes:", f"{100 * (stored == kept[8][0]).mean():.0f}%")

# %% [markdown]
# The same codes, the same distances. Production combines this with chapter 06: `IndexIVFPQ` first sorts vectors into
# cells, then codes what is left once the centroid is taken off (the **residual**). The residual is smaller, so 256
# codewords describe it better.

# %% tags=["nbval-check-output"]
from ragteach.retrieval.kmeans import kmeans

if faiss is not None:
    centroids = kmeans(texts, 64)
    residuals = texts - centroids[np.argmax(texts @ centroids.T, axis=1)]
    coarse = faiss.IndexFlatL2(32)
    coarse.add(centroids.astype(np.float32))
    ivfpq = faiss.IndexIVFPQ(coarse, 32, 64, 8, 8)
    books = package_train(residuals, 8, 256).astype(np.float32)
    faiss.copy_array_to_vector(books.ravel(), ivfpq.pq.centroids)
    ivfpq.is_trained = True
    ivfpq.add(vectors)
    rows = [["PQ, no cells", asymmetric]]
    for ivfpq.nprobe in (1, 4, 8, 64):
        found = ivfpq.search(queries, 10)[1].tolist()
        mean = float(np.mean(list(map(ann_recall, found, exact))))
        rows.append([f"nprobe = {ivfpq.nprobe}", mean])
    table(["search", "recall@10"], rows, lang="en")

# %% [markdown]
# With all cells visited and as many bytes, residuals do better than PQ alone. Otherwise recall is limited twice: by
# the cells that are not visited, and by the codes. Here too, reranking follows. (FAISS sets all this up from one
# string: `index_factory(768, "OPQ96,IVF4096,PQ96,RFlat")`.)
#
# | | what it is | where to find it | when |
# |---|---|---|---|
# | half precision | 2 bytes a number | pgvector's `halfvec`, FAISS `SQfp16` | without a second thought: the loss is close to nil |
# | scalar, int8 | 1 byte a number | Qdrant, Milvus `IVF_SQ8`, FAISS `SQ8` | the first real compression |
# | product, PQ | a few bytes a vector | FAISS `IVFPQ`, Milvus `IVF_PQ`, Qdrant | tens of millions of vectors, with reranking |
# | binary | 1 bit a number | pgvector's `binary_quantize`, Qdrant | many dimensions only, with reranking |
# | fewer dimensions | $d/2$ numbers, say | chapter 03's LSA; embedding models made to be cut short | goes with all the others |
#
# What these stores do about filters, updates and memory is in chapter 06's table.
#
# Always measure recall *after* reranking, on your own questions: it is the only figure that your users will see.

# %% [markdown]
# ## What to remember
#
# - Ten million vectors of 768 numbers: **31 GB** as float32, **8 GB** as int8, **1 GB** as PQ of 96 bytes.
# - **int8**: one step a dimension, an error of half a step at most, hardly any recall lost.
# - Coarser rounding fails: even marks fall where there is no one.
# - **PQ** cuts the vector into $M$ pieces, learns $K$ codewords for each, and keeps $M$ numbers: $K^M$ possible
#   vectors.
# - The **table** saves decoding: $K\times d$ multiplications a query, then $M$ additions a vector. The query is not
#   coded.
# - **Reranking** the first candidates gives back nearly all of the recall.
# - Codebooks **age** without warning: measure their error.

# %%
milestones("07_pq", lang="en")

# %% [markdown]
# Compare row 07 with row 03, the same LSA without compression: some numbers have risen, others have fallen. Make
# nothing of it. With ten chunks or so and four codewords a codebook, the codes are so coarse that luck decides, and
# on six questions that proves nothing (chapter 05). Nor does it make any sense to compress a corpus of one page.

# %%
quiz("07_pq")

# %% [markdown]
# ### Words to remember
#
# | English | French |
# |---|---|
# | quantization | *quantification* |
# | scalar quantization | *quantification scalaire* |
# | step, scale | *pas, échelle* |
# | product quantization (PQ) | *quantification produit* |
# | subvector, subspace | *sous-vecteur, sous-espace* |
# | codeword | *mot de code* |
# | codebook | *dictionnaire* |
# | encode, decode | *coder, décoder* |
# | look-up table | *table de correspondance* |
# | asymmetric distance (ADC) | *distance asymétrique* |
# | rerank, refine | *reclasser* |
#
# ### What next
#
# 1. The notebook `exercises/en/07_pq.ipynb`: the five functions and a written question, twenty minutes. Copy over the
#    four that you have written here.
# 2. Chapter 08 comes back to the time a search takes, with a graph.

# %% [markdown]
# ### Sources
#
# - H. Jégou, M. Douze and C. Schmid, "Product Quantization for Nearest Neighbor Search", *IEEE Transactions on
#   Pattern Analysis and Machine Intelligence*, 33(1), 2011: PQ, the asymmetric distance, IVFPQ.
# - S. Lloyd, "Least squares quantization in PCM", *IEEE Transactions on Information Theory*, 28(2), 1982: k-means.
# - T. Ge, K. He, Q. Ke and J. Sun, "Optimized Product Quantization for Approximate Nearest Neighbor Search", CVPR
#   2013: OPQ.
# - R. Guo et al., "Accelerating Large-Scale Inference with Anisotropic Vector Quantization", ICML 2020: ScaNN,
#   codebooks learnt for the inner product.
# - J. Johnson, M. Douze and H. Jégou, "Billion-scale similarity search with GPUs", arXiv 1702.08734, 2017: FAISS, IVF
#   and PQ on a billion vectors.
