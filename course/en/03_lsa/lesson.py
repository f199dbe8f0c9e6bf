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
#     chapter: 03_lsa
#     course: '1'
#     kind: lesson
#     lang: en
# ---

# %% [markdown]
# # 03. Embeddings with TF-IDF and SVD
# **Find a passage by its meaning**
#
# A student walks into the laboratory: "My pack is puffed, what should I do?" The safety sheet has the answer, but it
# speaks of a *swollen battery*. BM25 compares words, and hardly any is shared here. Something else has to be compared:
# **meanings**.
#
# The idea that changed everything is to give each text a **place in a space**, so that two texts about the same thing
# are neighbours. To search is then to find nearest neighbours. By the end you will be able to:
#
# - turn a text into a vector by **TF-IDF**, and compare two vectors by their **cosine**;
# - prove **theorem 2**: for vectors of norm 1, cosine and distance give the same ranking;
# - make vectors of meaning by **singular value decomposition** (LSA), and choose how many dimensions to keep;
# - train a small **bi-encoder** for real, with the **InfoNCE** loss and hard negatives;
# - say what a **cross-encoder** and **ColBERT** change, and how much memory it all takes.

# %% [markdown]
# ## Your time
#
# Allow **90 minutes** in all: 60 for this lesson, 30 for the exercises. If you want a break, the end of part 6 is a
# good place for it.
#
# | part | minutes |
# |---|---|
# | 1. Where we start from | 4 |
# | 2. A text becomes a vector | 6 |
# | 3. Comparing directions (your turn) | 6 |
# | 4. Theorem 2 (your turn) | 6 |
# | 5. Bringing words together: SVD (your turn, twice) | 12 |
# | 6. On the robot corpus | 7 |
# | 7. A table of synonyms, by hand | 3 |
# | 8. Learning the vectors (your turn) | 8 |
# | 9. Reading together, or comparing token by token | 3 |
# | 10. Memory, the library next door, recap and quiz | 5 |
#
# **How to work.** Clear the stored results first (*Edit*, *Clear Outputs of All Cells*): they would give the
# predictions away. Run the cells one by one (`Shift + Enter`), and answer each prediction *before* you go on. The **Your
# turn** cells wait for your code; the cell after it checks it, and until it is right the lesson goes on with a
# reference version.

# %%
from ragteach.notebook import begin, check, hint, predict, quiz, reveal

begin("03_lsa", lang="en", course="1")

# %% [markdown]
# ## 1. Where we start from
#
# This is the course's running table so far: the same six questions on the small corpus, one row a chapter.

# %% tags=["nbval-check-output"]
from ragteach.explore import curves, milestones, number, show, table

milestones("03_lsa", lang="en", before=True)

# %% [markdown]
# Six questions make a good thread, and no proof. For this chapter let us take the whole robot corpus: its documents cut
# into windows of 40 words, and its annotated questions (traps left out). Each has a **kind**, and three of them matter
# here: *paraphrase*, *synonym* and *exact code*.

# %%
from ragteach.corpus import chunk, load, passages_found, relevant_chunks
from ragteach.retrieval.bm25_index import BM25Index
from ragteach.retrieval.chunking import chunk_words
from ragteach.retrieval.text import tokenize

corpus = load("robot", "en")
chunks = chunk(corpus.documents, chunk_words)
documents = [tokenize(piece.text) for piece in chunks]
questions = [question for question in corpus.questions if not question.is_trap]
kinds = {
    "paraphrases": "paraphrase",
    "synonyms": "synonym",
    "exact codes": "exact-code",
}
print(len(chunks), "chunks,", len(questions), "questions")

# %% [markdown]
# The measure is **recall@5**: the share of the annotated passages that the first five chunks hold. We give it for all
# questions, then kind by kind.

# %%
results = {}


def recall_at_5(question, ranking):
    found = passages_found(question, [chunks[i] for i in ranking[:5]])
    return len(found) / len(question.relevant)


def recalls(search, asked):
    """Give the mean recall@5: all questions, then each kind."""
    values = {question.id: recall_at_5(question, search(question.text)) for question in asked}
    groups = [asked] + [[q for q in asked if q.kind == kind] for kind in kinds.values()]
    return [sum(values[q.id] for q in group) / len(group) for group in groups]


def evaluate(name, search):
    """Add a row to the table: `search(text)` returns the numbers of chunks, best first."""
    results[name] = recalls(search, questions)
    header = ["search", "all", *kinds]
    table(header, [[name, *values] for name, values in results.items()], lang="en")


# %% tags=["nbval-check-output"]
def shared_words(text):
    """The naive way: count the shared words, as they come."""
    wanted = set(text.lower().split())
    counts = [len(wanted & set(piece.text.lower().split())) for piece in chunks]
    return sorted((i for i in range(len(chunks)) if counts[i]), key=lambda i: -counts[i])


bm25 = BM25Index(documents)
results["raw words"] = recalls(shared_words, questions)
evaluate("BM25", lambda text: bm25.search(tokenize(text), 5))

# %% [markdown]
# BM25 is excellent on exact codes, and weak as soon as people use words of their own. Look at the rank that it gives to
# the first right chunk, for a few reworded questions:


# %%
def first_rank(question, ranking):
    """Give the rank of the first chunk that answers; "absent" where there is none."""
    right = relevant_chunks(question, chunks)
    places = (place for place, i in enumerate(ranking, start=1) if i in right)
    return next(places, "absent")


reworded = [question for question in questions if question.kind == "paraphrase"][:6]
rows = [[q.text, first_rank(q, bm25.search(tokenize(q.text), len(chunks)))] for q in reworded]
table(["question", "rank"], rows, lang="en")

# %% [markdown]
# Beyond the fifth rank a passage is of no use to anyone: a model is only given the first few.

# %% [markdown]
# ## 2. A text becomes a vector
#
# Give **each word** of the vocabulary **an axis**. A text becomes a point: its coordinate on the axis "battery" says
# how much that word counts in it. Five tiny texts are enough to see everything.

# %%
import numpy as np

from ragteach.explore import chord_figure, grid_figure, plane_figure
from ragteach.retrieval.lsa import tfidf

tiny = [
    "battery cell charge".split(),
    "pack cell charge".split(),
    "pack charge".split(),
    "lidar laser range".split(),
    "lidar laser".split(),
]
names = [f"text {i}" for i in range(len(tiny))]
vocabulary, A = tfidf(tiny)
show(
    grid_figure({"TF-IDF": A}, names, vocabulary, lang="en"),
    "Five rows, one a text; seven columns, one a word. A cell is empty (0) where the text lacks the word.",
)

# %% [markdown]
# The weight of a word $t$ in a text $d$ has two factors, as in BM25: is it **frequent** in this text, is it **rare**
# elsewhere?
#
# $$\text{weight}(t,d)=\underbrace{(1+\ln f_{t,d})}_{\text{frequent here}}\;\times\;\underbrace{\left(\ln\frac{1+N}{1+n_t}+1\right)}_{\text{rare elsewhere}}$$
#
# where $f_{t,d}$ is the number of times that $t$ appears in $d$, $n_t$ (also written *df*) the number of texts that
# hold $t$, and $N$ the number of texts. An absent word weighs 0. Last, each row is divided by its **norm**
# $\|v\|=\sqrt{\sum_i v_i^2}$, so that every text, long or short, has a vector of length 1. The row of an empty text
# stays at zero. Columns follow the alphabetical order of the vocabulary.
#
# Let us check one number of the table by hand:

# %% tags=["nbval-check-output"]
from math import log, sqrt

N = len(tiny)
once_rare = (1 + log(1)) * (log((1 + N) / (1 + 1)) + 1)  # in a single text
in_two = (1 + log(1)) * (log((1 + N) / (1 + 2)) + 1)  # in two
in_three = (1 + log(1)) * (log((1 + N) / (1 + 3)) + 1)  # in three
print("by hand:", round(once_rare / sqrt(once_rare**2 + in_two**2 + in_three**2), 4))
print("tfidf  :", round(float(A[0, vocabulary.index("battery")]), 4))

# %% [markdown]
# Why all these "+ 1"? One often reads $\ln\frac{N}{1+n_t}$. Try it on a word found in **every** text:

# %% tags=["nbval-check-output"]
print("ln(N/(1+n))           :", round(log(N / (1 + N)), 3))
print("ln((1+N)/(1+n)) + 1   :", round(log((1 + N) / (1 + N)) + 1, 3))

# %% [markdown]
# A negative weight: sharing a word would drive two texts apart. With the second formula, scikit-learn's, every weight
# is at least 1 before the norm: a common word counts little, but it counts.

# %% [markdown]
# ## 3. Comparing directions
#
# A text twice as long on the same subject has a longer vector, but **the same direction**. So it is the angle that we
# compare, through its cosine:
#
# $$\cos(u,v)=\frac{u\cdot v}{\|u\|\,\|v\|},\qquad u\cdot v=\sum_i u_i v_i .$$
#
# It is 1 for two vectors of the same direction, 0 for perpendicular ones, -1 for opposite ones. Two traps await whoever
# writes it. The first is a zero vector (a text without any known word). See what a ranking becomes with `nan`:

# %% tags=["nbval-check-output"]
scores = np.array([0.9, 0.0, 0.5]) / np.array([1.0, 1.0, 1.0])
scores[1] = float("nan")  # what NumPy makes of 0/0
print("ranking:", np.argsort(scores)[::-1].tolist())
u = np.array([1.0, 1.0, 1.0])
print("cos(u, u):", float(u @ u / (np.linalg.norm(u) * np.linalg.norm(u))))

# %% [markdown]
# Text 1, which says nothing, comes out **on top**. So we agree that the cosine of a zero vector is 0. The second line
# shows the other trap: rounding may leave [-1, 1], and the square root or arc cosine that comes next will not take it.
# So bring the result back inside.
#
# ### Your turn: `cosine`


# %%
def cosine(u: np.ndarray, v: np.ndarray) -> float:
    """Return u·v / (‖u‖ ‖v‖), inside [-1, 1]; 0.0 where either is zero.

    cosine(np.array([1, 0]), np.array([3, 4])) is 0.6. Different lengths: ValueError (u @ v raises it already).
    """
    raise NotImplementedError


# %%
cosine = check("lsa.cosine", cosine)

# %%
predict("lsa.synonym")

# %%
pair = ["the battery is swollen", "my accumulator looks puffed"]
_, both = tfidf([tokenize(text) for text in pair] + documents)
reveal("lsa.synonym", number(cosine(both[0], both[1]), "en"))

# %% [markdown]
# One word, one axis: two synonyms are perpendicular. Let us search the whole corpus by cosine all the same. As every
# row has norm 1, a single product gives all the cosines, but for a factor, the query's norm, which does not change the
# ranking. `rank` returns the numbers of the largest.

# %% tags=["nbval-check-output"]
from functools import cache

from ragteach.retrieval.dense import rank
from ragteach.retrieval.lsa import smooth_idfs, tfidf_rows

words, matrix = tfidf(documents)
idfs = smooth_idfs(documents)


@cache  # the same question will come often
def vector(text):
    """Give a question's vector, with the words and idfs of the corpus."""
    return tfidf_rows([tokenize(text)], idfs)[0]


evaluate("TF-IDF, cosine", lambda text: rank(matrix @ vector(text), 5))

# %% [markdown]
# A word of the question that the corpus lacks is simply left out: it has no axis. As for the result, it is close to
# BM25's. No wonder: we still compare the same words. We have to **bring the axes together**.

# %% [markdown]
# ## 4. Theorem 2
#
# Before that, a result on which all the rest depends, indexes included. Vector indexes (chapters 06 to 08) often search
# by **distance**. We want the cosine. Do we have to choose?

# %%
predict("lsa.distance")

# %% [markdown]
# **Theorem 2.** *If* $\|u\|=\|v\|=1$, *then* $\|u-v\|^2 = 2-2\cos(u,v)$. *To look for the largest cosine is therefore
# to look for the smallest distance.*
#
# **Proof.** Expand the square of a norm, which is an inner product:
#
# $$\|u-v\|^2=(u-v)\cdot(u-v)=\|u\|^2-2\,u\cdot v+\|v\|^2 .$$
#
# As $\|u\|=\|v\|=1$, the two squares make 2, and $u\cdot v$ is the cosine. What is left is $2-2\cos(u,v)$, which falls
# when the cosine rises: ranking by increasing distance is ranking by decreasing cosine. $\blacksquare$

# %% [markdown]
# ### Your turn: `squared_distance`


# %%
def squared_distance(cos: float) -> float:
    """Return the squared distance of two vectors of norm 1, given their cosine.

    squared_distance(0.0) is 2.0. Raises ValueError where cos does not lie between -1 and 1.
    """
    raise NotImplementedError


# %%
squared_distance = check("lsa.squared_distance", squared_distance)

# %%
reveal("lsa.distance", number(squared_distance(0.5), "en"))
alt = "Two vectors of norm 1 on a circle, 60 degrees apart; the chord that joins their ends has length 1."
show(chord_figure(0.5, lang="en"), alt)

# %% [markdown]
# Let us check it on real vectors: for thirty questions, rank every chunk by cosine, then by distance.

# %% tags=["nbval-check-output"]
same, largest_gap = True, 0.0
for question in questions[:30]:
    query = vector(question.text)
    query = query / np.linalg.norm(query)
    cosines = matrix @ query
    distances = ((matrix - query) ** 2).sum(axis=1)
    largest_gap = max(largest_gap, np.abs(distances - (2 - 2 * cosines)).max())
    # rounded: otherwise errors of computation would decide between two chunks that tie
    by_cosine = np.argsort(-cosines.round(9), kind="stable")
    by_distance = np.argsort((distances / 2).round(9), kind="stable")
    same = same and np.array_equal(by_cosine, by_distance)
print("same ranking for all thirty questions:", same)
print("equal within 1e-12:", bool(largest_gap < 1e-12))

# %% [markdown]
# Two consequences. Any index made for distances serves cosines as well, **provided that vectors were given norm 1**.
# And exact search is a mere matrix-vector product, `matrix @ query`: for a million vectors of 768 numbers, a laptop
# takes something like a tenth of a second.

# %% [markdown]
# ## 5. Bringing words together: SVD
#
# Back to our five texts. "battery" and "pack" are never together, but they keep **the same company**: "cell", "charge".
# You know a word by those around it. How could a machine make use of that?
#
# By **running out of room**. Let us force each text into two numbers instead of seven. To lose as little as possible, a
# single number will have to describe what goes together. **Singular value decomposition** (SVD) gives the best way of
# doing so:
#
# $$A = U\,S\,V^\top .$$
#
# - the rows of $V^\top$ are the **components**, blends of words, perpendicular to one another and of norm 1;
# - $S$ holds the **singular values**, from largest to smallest: how important each component is;
# - $U S = A V$ gives the coordinates of the texts on these components.
#
# Only the first `dims` are kept: that is **LSA** (*latent semantic analysis*). Of all matrices of that rank, it comes
# closest to $A$ (theorem of Eckart and Young, 1936).

# %% [markdown]
# ### Your turn: `lsa_fit`
#
# `np.linalg.svd(matrix, full_matrices=False)` returns $U$, $S$ and $V^\top$, in this order. Keep the first `dims`
# components and their singular values. Three details:
#
# - a corpus may have fewer dimensions than you ask for (its *rank*): a singular value that does not reach one millionth
#   of the largest is a rounding error, and is not returned;
# - the sign of a component is arbitrary: the check takes no notice of it;
# - the mean of the columns is not subtracted: the matrix is decomposed as it is.


# %%
def lsa_fit(matrix: np.ndarray, dims: int) -> tuple[np.ndarray, np.ndarray]:
    """Return the components, of shape (dims, V), and the singular values, of shape (dims,).

    There are fewer where the rank of the matrix (N, V) is smaller. Raises ValueError where dims < 1.
    """
    raise NotImplementedError


# %%
lsa_fit = check("lsa.fit", lsa_fit)

# %% [markdown]
# What is left of the matrix in two dimensions? It is rebuilt as $A V V^\top$.

# %%
components, singular_values = lsa_fit(A, 2)
rebuilt = A @ components.T @ components
alt = (
    "On the right the rebuilt matrix: text 2, which only said “pack” and “charge”, "
    "now has some “battery” and “cell”."
)
figure = grid_figure({"TF-IDF": A, "in 2 dimensions": rebuilt}, names, vocabulary, lang="en")
show(figure, alt)

# %% [markdown]
# Look at the row of text 2: it only said "pack" and "charge", and now it holds some "battery". Room was short, and the
# two words were put away together. Nothing leaked to "lidar", though: those words have no company in common.
#
# A text is now described by its coordinates on the components alone, brought to norm 1 (as theorem 2 asks). A **query**
# goes the same way: its words, the corpus's idfs, then the same components.

# %% [markdown]
# ### Your turn: `lsa_embed`
#
# Project each row on the components (one matrix product, with the transpose: `vectors @ components.T`), then divide
# each row by its norm. A row of zeros stays zero.


# %%
def lsa_embed(vectors: np.ndarray, components: np.ndarray) -> np.ndarray:
    """Project the rows of vectors, (n, V), on components, (dims, V); rows of norm 1, shape (n, dims).

    Raises ValueError where the numbers of columns differ; NumPy's product does so already.
    """
    raise NotImplementedError


# %%
lsa_embed = check("lsa.embed", lsa_embed)

# %%
places = A @ components.T
query = np.array([[1.0 if word == "pack" else 0.0 for word in vocabulary]])
star = lsa_embed(query, components)[0]
word_places = {word: components[:, column] for column, word in enumerate(vocabulary)}
text_places = dict(zip(names, places, strict=True))
figure = plane_figure(word_places, text_places, "en", {"query “pack”": star})
alt = (
    "On one axis texts 0, 1 and 2 with pack, battery, cell and charge; on the other "
    "texts 3 and 4 with lidar, laser and range. The query lies on the first."
)
show(figure, alt)

# %% [markdown]
# Two subjects, two axes. The query "pack" points to the three texts about energy, text 0 included, which does not hold
# the word. How many dimensions does that take? Here is the cosine of the query and text 0:

# %% tags=["nbval-check-output"]
rows = []
for dims in range(1, 6):
    kept, _ = lsa_fit(A, dims)
    value = cosine(lsa_embed(query, kept)[0], lsa_embed(A, kept)[0])
    rows.append([dims, round(value, 6) + 0.0])  # without the sign of a rounded zero
table(["dimensions", "cos(query, text 0)"], rows, lang="en")

# %% [markdown]
# Synonymy is **found** as long as room is short, and **lost** as soon as there are dimensions enough to tell the two
# words apart. With all of them we are back at the TF-IDF cosine, zero. **It is forgetting that brings words together.**

# %% [markdown]
# ## 6. On the robot corpus
#
# On to the real documents, with 50 dimensions.

# %%
predict("lsa.codes")

# %% tags=["nbval-check-output"]
from ragteach.retrieval.dense import dense_search

components, singular_values = lsa_fit(matrix, 50)
embeddings = lsa_embed(matrix, components)


def lsa_search(text, k=5):
    return dense_search(lsa_embed(vector(text)[np.newaxis], components)[0], embeddings, k)


evaluate("LSA, 50 dimensions", lsa_search)

# %%
last = list(kinds).index("exact codes") + 1
before, after = results["BM25"][last], results["LSA, 50 dimensions"][last]
reveal("lsa.codes", f"BM25 {number(before, 'en')}, LSA {number(after, 'en')}")

# %% [markdown]
# Read the columns one at a time. **Reworded** questions and **synonyms** find more than with BM25. **Exact codes** lose
# what BM25 was able to do. And the mean over all questions even falls: the loss on one side is greater than the
# gain on the other. Let us see which questions.

# %%
gained, lost = [], []
for q in [q for q in questions if q.kind in kinds.values()]:
    by_words = bm25.search(tokenize(q.text), len(chunks))
    by_lsa = lsa_search(q.text, len(chunks))
    row = [q.text, first_rank(q, by_words), first_rank(q, by_lsa)]
    found_by_words, found_by_lsa = recall_at_5(q, by_words) > 0, recall_at_5(q, by_lsa) > 0
    if found_by_lsa and not found_by_words:
        gained.append(row)
    if found_by_words and not found_by_lsa:
        lost.append(row)
print("found by LSA alone:", len(gained))
print("found by BM25 alone:", len(lost))
header = ["question", "BM25 rank", "LSA rank"]
table(header, gained[:3] + lost[:3], lang="en")

# %% [markdown]
# On top, three questions that LSA alone serves: the answer says the same in other words. Below, three that BM25 alone
# serves: a code pointed to the passage, and forgetting has wiped it out.

# %%
predict("lsa.dims")

# %%
from ragteach.retrieval.dense import unit_rows

sweep = [2, 5, 10, 20, 50, 100, 150, 200, 250, 300]
all_components, _ = lsa_fit(matrix, max(sweep))
all_places = matrix @ all_components.T


@cache
def place(text):
    """Place a question in all dimensions: the first are the same whatever `dims`."""
    return all_components @ vector(text)


def searcher(dims):
    """Search with the first `dims` dimensions only."""
    rows = unit_rows(all_places[:, :dims])
    return lambda text: rank(rows @ place(text)[:dims], 5)


curve = {"all": [], **{name: [] for name in kinds}}
for dims in sweep:
    for name, value in zip(curve, recalls(searcher(dims), questions), strict=True):
        curve[name].append(value)


# %%
def in_words(series):
    """Tell the numbers of a figure to those who do not see it."""
    lines = (
        f"{name}: " + ", ".join(number(v, "en") for v in values)
        for name, values in series.items()
    )
    return ". ".join(lines) + "."


figure = curves(sweep, curve, "dimensions", "recall@5", lang="en")
show(figure, f"Recall@5 for {', '.join(map(str, sweep))} dimensions. {in_words(curve)}")

# %%
name = "paraphrases"
best = sweep[int(np.argmax(curve[name]))]
reveal("lsa.dims", f"{best} dimensions")

# %% [markdown]
# With two dimensions everything is confused. Then reworded questions rise, peak, and **come down again**: with 300
# dimensions hardly anything is forgotten, and LSA is back to being a search by words. Codes, for their part, ask for
# dimensions. Over all questions 50 was not enough here: with 100 LSA catches up with BM25. Each kind of question has
# its best number: there is no "right" one, there is the one that you have measured on *your* questions. One
# reservation: to choose it on the very questions that judge the search is to flatter oneself. Part 8 will keep those
# that tune apart from those that judge.
#
# It is the same elsewhere. On Cranfield (1,400 abstracts in aeronautics), LSA is behind BM25 with 100 dimensions and
# ahead with 300; on the French questions of PIAF it stays behind. (Those collections do not come with the course.)

# %% [markdown]
# ### Try it: the map of the corpus
#
# Each dot is a chunk, placed on two of the dimensions; the words farthest from the centre are written where they lie.
# The star is the direction of your question. The list gives the five nearest, counted in **all** the dimensions that
# are kept. (Dimension 1 mostly says "is this ordinary English": begin with 2 and 3.) Try, in this order:
#
# 1. other axes: which words gather at the ends?
# 2. 2 dimensions, then 20, then 200: does the list change its subject?
# 3. a question of your own, with a word that the corpus lacks.

# %%
from ragteach.explore import lsa_map

lsa_map(lang="en")

# %% [markdown]
# So our student's question has no answer yet. Packs do come up in this list, but not the puffed one: "what should I do"
# attracts the whole FAQ, and a rare word such as "puffed" weighs little in the main directions of the corpus. Keep that
# question in mind.

# %% [markdown]
# ## 7. A table of synonyms, by hand
#
# Why not simply write down that "pack" means "battery"? It is the oldest solution: a dictionary applied to documents
# **and** queries. The course has one, taken from the laboratory's glossary.

# %% tags=["nbval-check-output"]
from ragteach.corpus.synonyms import SYNONYMS

synonyms = SYNONYMS["en"]


def same_words(text):
    return [synonyms.get(token, token) for token in tokenize(text)]


print(same_words("my pack is puffed"))
by_hand = BM25Index([same_words(piece.text) for piece in chunks])
evaluate("BM25 + synonyms", lambda text: by_hand.search(same_words(text), 5))

# %% [markdown]
# The table helps rewordings and synonyms, and costs codes next to nothing. Trying it **with** LSA takes one line: the
# package's class `LSAIndex` puts `tfidf`, `lsa_fit` and `lsa_embed` together.

# %% tags=["nbval-check-output"]
from ragteach.retrieval.lsa_index import LSAIndex

both_ways = LSAIndex([same_words(piece.text) for piece in chunks], dims=50)
evaluate("LSA + synonyms", lambda text: both_ways.search(same_words(text), 5))

# %%
student = "my pack is puffed, what should I do?"
rows = [[chunks[i].source, chunks[i].text] for i in both_ways.search(same_words(student), 3)]
table(["document", "the first three chunks for " + student], rows, lang="en")

# %% [markdown]
# The student has an answer, in the second chunk. On rewordings and synonyms the two methods complement each other: the
# table says what the corpus does not, and LSA finds the rest. Codes stay behind BM25, so much that over all questions
# BM25 with the table remains ahead. And a table has its limits: somebody has to write it and keep it up, and it
# does not read the context. Ours turns "pack" into "battery", even in "pack the robot into its case".

# %% [markdown]
# ## 8. Learning the vectors
#
# LSA only knows what stands side by side. It has never seen a **query** and its **answer**. A **bi-encoder** has: it is
# shown pairs, and its numbers are adjusted so that a query falls near its passage. The encoder goes over each text
# **separately**: passages are encoded once and for all, and searching is still a matter of nearest neighbours. This is
# the architecture of DPR (2020) and of all today's embedding models; their encoder is a transformer, ours will be a
# plain matrix.
#
# What is to be minimised? For one query, $s^+$ is the score of its passage, and the other scores are those of
# **negatives**. The **InfoNCE** loss is
#
# $$L=-\ln\frac{e^{s^+/\tau}}{\sum_{s} e^{s/\tau}},$$
#
# where the sum runs over **all** scores, the right passage's included. The quotient is a probability: that of pointing
# at the right passage in a draw weighted by scores. The **temperature** $\tau$, a small number (0.05), enlarges the
# gaps.
#
# A numerical trap: $e^{s/\tau}$ overflows as soon as $s/\tau$ is above 709. But taking a constant off every score
# leaves the quotient as it is. Take off the largest one, and the largest exponential is 1. With $z=s/\tau$ minus their
# maximum, the loss is $\ln\sum e^{z}-z^+$.

# %% [markdown]
# ### Your turn: `info_nce`


# %%
def info_nce(scores: list[float], positive: int, temperature: float = 0.05) -> float:
    """Return the loss of one query: scores[positive] is the right passage's.

    info_nce([2.0, 1.0], 0, 1.0) is about 0.313. Raises ValueError where temperature is not above 0,
    or positive does not lie between 0 and len(scores) - 1.
    """
    raise NotImplementedError


# %%
info_nce = check("lsa.info_nce", info_nce)

# %% [markdown]
# ### Hard negatives
#
# Which negatives should be shown? Half of the questions will serve for training, the other half for measuring. For each
# question, compare the loss with four chunks drawn at random, then with four that BM25 **wrongly** puts on top.

# %% tags=["nbval-check-output"]
train = [question for question in questions if question.split == "dev"]
held_out = [question for question in questions if question.split == "held-out"]
print(len(train), "questions to learn from,", len(held_out), "to judge by")
right = {question.id: sorted(relevant_chunks(question, chunks)) for question in train}
hard = {}
for question in train:
    ranking = bm25.search(tokenize(question.text), 40)
    hard[question.id] = [i for i in ranking if i not in right[question.id]][:4]
rng = np.random.default_rng(0)
drawn = {
    q.id: [i for i in rng.permutation(len(chunks)) if i not in right[q.id]][:4] for q in train
}
for name, negatives in (("random", drawn), ("hard", hard)):
    losses = []
    for q in train:
        query = lsa_embed(vector(q.text)[np.newaxis], components)[0]
        losses.append(info_nce(embeddings[[right[q.id][0], *negatives[q.id]]] @ query, 0))
    print(f"mean loss, {name} negatives: {number(float(np.mean(losses)), 'en', 1)}")

# %% [markdown]
# Random negatives speak of something else: they are far away already, their loss is small, and a small loss teaches
# nothing. **Hard** negatives share the question's words without answering it. That is what the model has to learn to
# see.

# %% [markdown]
# ### One gradient step
#
# The encoder is a matrix $W$ of shape (V, dims): the vector of a text is $xW$, brought to norm 1. We start from LSA
# ($W=V$). Each query is compared at once with all candidates: the right passages of the other queries and every hard
# negative. The gradient of the loss with respect to the scores is simply "probability minus truth"; the rest is the
# chain rule. You may skim it: nothing below asks for its details.

# %%
pairs = [(question, i) for question in train for i in right[question.id]]
candidates = sorted(
    {i for _, i in pairs} | {i for negatives in hard.values() for i in negatives}
)
asked = np.array([vector(question.text) for question, _ in pairs])
passages = matrix[candidates]
answer = np.array([candidates.index(i) for _, i in pairs])
# neither right nor negative: the other right passages of the same question
ignored = np.array([[j in right[q.id] and j != i for j in candidates] for q, i in pairs])
print(len(pairs), "pairs,", len(candidates), "candidates")


def unit(rows):
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(norms > 0, norms, 1), np.where(norms > 0, norms, 1)


# %%
def step(W, rate=0.1, temperature=0.05):
    """Give the mean loss, and the matrix after one step of gradient descent."""
    q, q_norms = unit(asked @ W)
    d, d_norms = unit(passages @ W)
    z = np.where(ignored, -np.inf, q @ d.T / temperature)
    z -= z.max(axis=1, keepdims=True)
    probability = np.exp(z)
    probability /= probability.sum(axis=1, keepdims=True)
    each = np.arange(len(pairs))
    loss = -np.log(probability[each, answer]).mean()
    by_score = probability.copy()
    by_score[each, answer] -= 1  # probability minus truth
    by_score /= len(pairs) * temperature
    by_q, by_d = by_score @ d, by_score.T @ q
    # norm 1: only what turns the vector counts
    by_q = (by_q - (by_q * q).sum(axis=1, keepdims=True) * q) / q_norms
    by_d = (by_d - (by_d * d).sum(axis=1, keepdims=True) * d) / d_norms
    return float(loss), W - rate * (asked.T @ by_q + passages.T @ by_d)


# %% tags=["nbval-check-output"]
loss, _ = step(components.T)
q, _ = unit(asked @ components.T)
d, _ = unit(passages @ components.T)
kept = ~ignored
by_hand = [
    info_nce((q[i] @ d.T)[kept[i]], int(kept[i, : answer[i]].sum())) for i in range(len(pairs))
]
print("the same loss as your info_nce:", bool(abs(loss - np.mean(by_hand)) < 1e-9))

# %%
predict("lsa.training")


# %%
def encoder_search(W):
    encoded, _ = unit(matrix @ W)
    return lambda text: rank(encoded @ (vector(text) @ W), 5)


W, steps = components.T, list(range(21))
losses, seen, unseen = [], [], []
for number_of_steps in steps:
    if number_of_steps % 5 == 0:
        seen.append(recalls(encoder_search(W), train)[0])
        unseen.append(recalls(encoder_search(W), held_out)[0])
    loss, W = step(W)
    losses.append(loss)
alt = f"The loss starts at {number(losses[0], 'en')} and ends at {number(losses[-1], 'en')}."
show(curves(steps, {"InfoNCE": losses}, "step", "loss", lang="en"), alt)

# %%
series = {"questions learnt": seen, "never seen": unseen}
figure = curves(steps[::5], series, "step", "recall@5", lang="en")
show(figure, in_words(series))
gains = [number(values[-1] - values[0], "en") for values in (seen, unseen)]
reveal("lsa.training", f"+{gains[0]} on the questions learnt, +{gains[1]} on the others")

# %% tags=["nbval-check-output"]
print("the loss is divided by more than 10:", losses[-1] < losses[0] / 10)
print("recall rises on questions never seen:", unseen[-1] > unseen[0])

# %% [markdown]
# Recall on the questions learnt comes close to 1: the encoder knows them **by heart**. On questions never seen it rises
# less, but it rises, and nearly all of that comes from the first steps: going on brings little more. Let us compare, on
# those questions alone:

# %% tags=["nbval-check-output"]
searches = {
    "BM25": lambda text: bm25.search(tokenize(text), 5),
    "LSA": lsa_search,
    "trained encoder": encoder_search(W),
}
rows = [[name, *recalls(search, held_out)] for name, search in searches.items()]
table(["questions never seen", "all", *kinds], rows, lang="en")

# %% [markdown]
# Over all questions the trained encoder comes out ahead of the two others; exact codes remain BM25's domain. Two
# warnings. First, sixty questions are no proof: chapter 05 will say what such a gap is worth. Second, our encoder adds
# up words: "the robot follows the student" and "the student follows the robot" are the same vector to it. Real encoders
# read the sentence in order, and learn from hundreds of millions of pairs; the loss is the one that you have just
# written.

# %% [markdown]
# ## 9. Reading together, or comparing token by token
#
# A bi-encoder sums up a whole passage in one vector, without knowing the query. Two ways to know more, at a price:
#
# | | bi-encoder | late interaction (ColBERT) | cross-encoder |
# |---|---|---|---|
# | encodes | query and passage separately | separately, one vector a token | query and passage **together**, pair by pair |
# | computed in advance | the passages' vectors | those of all their tokens | nothing |
# | when a query comes | one nearest-neighbour search | nearest neighbours, then MaxSim | one run of the model **per candidate** |
# | accuracy | good | better | best |
# | role | first stage, on the whole corpus | first stage, or reranking | reranking a few dozen |
#
# The **cross-encoder** will have its chapter (04). **ColBERT** (Khattab and Zaharia, 2020) keeps one vector a token.
# Each vector of the query looks for its best partner in the passage, and these best inner products are added up:
#
# $$\text{MaxSim}(q,d)=\sum_{i}\;\max_{j}\; q_i\cdot d_j .$$
#
# One maximum a row, then the sum. Here is the table of inner products between the words of a query and those of a
# passage, with our LSA's vectors for the words (a real ColBERT's encoder reads the whole sentence):

# %% tags=["nbval-check-output"]
from ragteach.retrieval.dense import maxsim

column = {word: i for i, word in enumerate(words)}
word_vectors, _ = unit((components * singular_values[:, np.newaxis]).T)
asked_words = "pack puffed".split()
passage_words = "battery retired swollen".split()
q, d = (word_vectors[[column[word] for word in side]] for side in (asked_words, passage_words))
alt = "One row per word of the query; the best product of each row is framed."
show(grid_figure({"MaxSim": q @ d.T}, asked_words, passage_words, lang="en", boxed=True), alt)
print("MaxSim =", number(maxsim(q, d), "en"))

# %% [markdown]
# A long passage is not punished for its other words, and you can see **which** word answered which. The price is as
# many vectors as tokens.

# %% [markdown]
# ## 10. Memory
#
# A dense index is a table of numbers: $n$ vectors × `dims` numbers × bytes per number (4 for a float32). Let us do the
# sums:

# %% tags=["nbval-check-output"]
from ragteach.retrieval.dense import index_bytes

cases = [
    ("our corpus, LSA 50", len(chunks), 50, 4),
    ("10⁶ chunks, 1024 dimensions", 10**6, 1024, 4),
    ("10⁷ chunks, 768 dimensions", 10**7, 768, 4),
    ("the same in int8", 10**7, 768, 1),
    ("ColBERT: 10⁶ chunks of 300 tokens, 128 dimensions, 2 bytes", 300 * 10**6, 128, 2),
]
rows = [[name, index_bytes(n, dims, size) / 1e9] for name, n, dims, size in cases]
rows[0][1] = number(rows[0][1] * 1000, "en") + " MB"
table(["index", "GB"], rows, lang="en")

# %% [markdown]
# Ten million vectors of 768 numbers: 31 GB, which have to fit into memory. In int8, 8 GB. Chapter 07 will go down to 1
# GB. But the vast majority of projects fits into some tens of megabytes, and is searched **exactly**: that is the
# written exercise of the exercises notebook.

# %% [markdown]
# ### And in production?
#
# scikit-learn has the same bricks. Let us compare them with ours on the robot corpus:

# %% tags=["nbval-check-output"]
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer

vectorizer = TfidfVectorizer(
    sublinear_tf=True, tokenizer=tokenize, token_pattern=None, lowercase=False
)
theirs = vectorizer.fit_transform([piece.text for piece in chunks])
print("same vocabulary:", vectorizer.get_feature_names_out().tolist() == words)
print("same vectors, within 1e-9:", bool(np.abs(theirs.toarray() - matrix).max() < 1e-9))

svd = TruncatedSVD(50, algorithm="arpack", random_state=0).fit(theirs)
print(
    "same singular values:", bool(np.allclose(svd.singular_values_, singular_values, rtol=1e-6))
)
alike = np.abs((svd.components_ * components).sum(axis=1))
print("same components, up to sign:", bool(alike.min() > 0.999))

# %% [markdown]
# Three differences to know:
#
# - scikit-learn's **default** analyser drops one-letter words: "3.8 V", "5 A" and "I" are gone. We gave it our
#   `tokenize`;
# - its **default** SVD is approximate (*randomized*): fast on a large sparse matrix, but `fit_transform` and
#   `transform` may differ a little. We always project documents and queries in the same way;
# - with more dimensions than words, scikit-learn raises an error; we return what there is.
#
# A trained model is used as our LSA is, with `encode` in place of `lsa_embed`. With the library `sentence-transformers`
# (`pip install sentence-transformers`, then a model to download):
#
# ```python
# model = SentenceTransformer("all-MiniLM-L6-v2")      # 384 dimensions, mostly English
# embeddings = model.encode(texts, normalize_embeddings=True)
# ranking = dense_search(model.encode(question), embeddings, 5)
# ```
#
# Three pieces of advice: take a model that knows your **language** (e5 or bge-m3 for French; being multilingual, they
# even find a passage written in another language than the query); respect the **prefixes**
# that it asks for (`query: `, `passage: ` for e5); write its name into your index's version, since another model means
# encoding everything again.

# %% [markdown]
# ## Recap

# %% tags=["nbval-check-output"]
milestones("03_lsa", lang="en")

# %% [markdown]
# On the six questions of our thread LSA alone does **worse** than BM25: a handful of chunks is not enough to learn who
# resembles whom. But it is wrong *in another way*, and chapter 04 will make use of that. To remember:
#
# - A text becomes a **vector**; what is compared is **directions**, by the cosine.
# - **Theorem 2**: at norm 1, $\|u-v\|^2=2-2\cos$; cosine and distance give the same ranking.
# - **LSA** forgets the small dimensions, and it is forgetting that brings "pack" near "battery". How many to keep has
#   to be **measured**.
# - It sees rewordings better than BM25, and codes less well: in chapter 04 we keep both.
# - A **table of synonyms** is accurate and has to be kept up by hand.
# - A **bi-encoder** learns from pairs (query, passage), through InfoNCE and **hard negatives**; it is judged on
#   questions **never seen**.
# - **Cross-encoder**: accurate, nothing in advance. **ColBERT**: one vector a token, MaxSim. Memory: $n$ × `dims` ×
#   bytes.

# %%
quiz("03_lsa")

# %% [markdown]
# ### Words to remember
#
# | English | French |
# |---|---|
# | embedding (vector of a text) | *plongement* |
# | vector space | *espace vectoriel* |
# | inner product (dot product), norm | *produit scalaire, norme* |
# | singular value decomposition (SVD) | *décomposition en valeurs singulières* |
# | latent semantic analysis (LSA) | *analyse sémantique latente* |
# | bi-encoder, cross-encoder | *bi-encodeur, cross-encodeur* |
# | hard negative | *négatif dur* |
# | contrastive loss, temperature | *perte contrastive, température* |
# | late interaction | *interaction tardive* |
# | dense retrieval | *recherche dense* |
#
# ### What next
#
# 1. The notebook `exercises/en/03_lsa.ipynb`: the nine functions of the chapter and one written exercise. Copy over the
#    five that you have written here.
# 2. Chapter 04, which marries BM25 and vectors, then reranks.

# %% [markdown]
# ### Sources
#
# - C. Eckart and G. Young, "The approximation of one matrix by another of lower rank", *Psychometrika*, 1(3), 1936.
# - G. Salton, A. Wong and C. S. Yang, "A vector space model for automatic indexing", *Communications of the ACM*,
#   18(11), 1975.
# - S. Deerwester et al., "Indexing by latent semantic analysis", *Journal of the American Society for Information
#   Science*, 41(6), 1990.
# - A. van den Oord, Y. Li and O. Vinyals, "Representation learning with contrastive predictive coding", arXiv
#   1807.03748, 2018: InfoNCE.
# - V. Karpukhin et al., "Dense passage retrieval for open-domain question answering", EMNLP 2020: the bi-encoder and
#   its hard negatives.
# - O. Khattab and M. Zaharia, "ColBERT: Efficient and effective passage search via contextualized late interaction over
#   BERT", SIGIR 2020.
# - N. Reimers and I. Gurevych, "Sentence-BERT: Sentence embeddings using Siamese BERT-networks", EMNLP 2019.
# - scikit-learn, documentation of `TfidfVectorizer` and `TruncatedSVD`.
