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
#     chapter: 02_bm25
#     course: '1'
#     kind: lesson
#     lang: en
# ---

# %% [markdown]
# # 02. BM25 and the inverted index
# **Finding the right passage by its words**
#
# You have cut a robot's documentation into chunks. Someone asks: "Which fuse should I fit?" One chunk holds the answer,
# and you have to find it. Get this step wrong and no language model will save you: it never sees the passage.
#
# In this chapter you build the method that every newer one is measured against, and that most search engines still run:
# **BM25**. When you are done, you will be able to
#
# - turn a text into words that can be compared, numbers and part codes included;
# - say what an **inverted index** is for;
# - prove where the weight of a rare word comes from (**theorem 1** of the course), and check the proof by simulation;
# - write BM25 in about twenty lines, and explain what $k_1$ and $b$ do;
# - tell in advance what BM25 always finds, and what it never will.

# %% [markdown]
# ## Time needed
#
# Allow **60 to 90 minutes** in all: at most one hour for this lesson, and half an hour for the exercise notebook.
#
# | part | minutes |
# |---|---|
# | 1. Count shared words | 5 |
# | 2. Make good words (your turn) | 10 |
# | 3. The inverted index | 4 |
# | 4. What is a word worth? Theorem 1 (your turn) | 14 |
# | 5. Repetition and length (your turn) | 8 |
# | 6. BM25, complete (your turn) | 9 |
# | 7. What BM25 cannot see, and what other libraries do | 6 |
# | 8. Recap and quiz | 4 |
#
# **How to work.** Clear the stored results first (*Edit*, *Clear Outputs of All Cells*): they would give the
# predictions away. Run the cells one after another (`Shift + Enter`). When you are asked for a prediction, answer
# *before* you go on: being wrong and then seeing why is what sticks. Cells marked **Your turn** wait for your code. The
# cell below checks it; until it is right, the lesson carries on with a reference version. You cannot get stuck.

# %%
from ragteach.notebook import begin, check, hint, predict, quiz, reveal

begin("02_bm25", lang="en", course="1")

# %% [markdown]
# ## 1. Count shared words
#
# We start with the simplest idea there is. Here is the corpus: three short documents, cut into windows of 40 words,
# each sharing 10 with the next. Skim them now, because they stay with us to the end.

# %%
from ragteach.corpus import chunk, load, relevant_chunks
from ragteach.explore import bars, curves, number, show, stacked, table
from ragteach.retrieval.chunking import chunk_words

corpus = load("mini", "en")
chunks = chunk(corpus.documents, chunk_words)
texts = [piece.text for piece in chunks]
table(
    ["chunk", "document", "text"],
    [[i, piece.source, piece.text] for i, piece in enumerate(chunks)],
    lang="en",
)

# %% [markdown]
# And here are six questions. Someone read the corpus and noted, for each one, which chunks contain the answer. Those
# notes will tell us whether we are making progress.

# %%
questions = corpus.questions
relevant = [relevant_chunks(question, chunks) for question in questions]
rows = [[question.text, sorted(relevant_chunks(question, chunks))] for question in questions]
table(["question", "chunks that answer"], rows, lang="en")

# %% [markdown]
# The naive method: split the text at spaces, put it in lower case, and count how many different words of the question
# also appear in the chunk. Let us try it on the question about batteries.


# %%
def words(text):
    return text.lower().split()


def shared_words(question, text):
    return len(set(words(question)) & set(words(text)))


question = questions[3].text
counts = {f"chunk {i}": shared_words(question, text) for i, text in enumerate(texts)}
print(question)
show(
    bars(counts, "words shared with the question", lang="en", digits=0),
    f"Shared words, chunk by chunk: {counts}.",
)

# %% [markdown]
# Which chunk comes first? And which words put it there?

# %%
best = max(range(len(texts)), key=lambda i: shared_words(question, texts[i]))
print("first chunk :", best)
print("shared words:", sorted(set(words(question)) & set(words(texts[best]))))
print("to be found :", sorted(relevant[3]))

# %% [markdown]
# The winner says nothing about batteries. It wins on small words that tell us nothing about the subject.
#
# Before improving anything we need a way to measure. Two measures are enough for now (chapter 05 is all about them):
#
# - **recall@1**: what share of the chunks that answer the question is in first place?
# - **reciprocal rank**: 1 divided by the rank of the first chunk that answers (1st: 1; 2nd: 1/2; absent: 0). Its mean
#   over the questions is called **MRR** (mean reciprocal rank).
#
# Higher is better for both. MRR can reach 1. Recall@1 cannot do so here: where several chunks answer, only one of them
# can come first.


# %%
def rank(scores):
    """Rank the chunks with a positive score, best first; ties: lower number first."""
    return sorted((i for i in range(len(scores)) if scores[i] > 0), key=lambda i: -scores[i])


def recall_at_1(ranking, found):
    return len(set(ranking[:1]) & found) / len(found)


def reciprocal_rank(ranking, found):
    return next((1 / place for place, i in enumerate(ranking, start=1) if i in found), 0.0)


# %% [markdown]
# This table will grow with the lesson, one row for each improvement.

# %%
results = {}


def evaluate(name, score):
    """Rate a way of searching: `score(question)` gives each chunk a score."""
    rankings = [rank(score(question.text)) for question in questions]
    recall = sum(map(recall_at_1, rankings, relevant)) / len(questions)
    mrr = sum(map(reciprocal_rank, rankings, relevant)) / len(questions)
    results[name] = [recall, mrr]
    table(
        ["method", "recall@1", "MRR"],
        [[name, *values] for name, values in results.items()],
        lang="en",
    )


# %% tags=["nbval-check-output"]
evaluate("shared words, raw", lambda question: [shared_words(question, text) for text in texts])

# %% [markdown]
# That is our starting point. Keep these two numbers in mind.

# %% [markdown]
# ## 2. Make good words
#
# A shared word counts 1, a missing word counts 0. But what is a word? The robot's documentation also exists in French,
# and French shows the problem best.

# %%
predict("bm25.elision")

# %%
print(words("couper l’alimentation"))
reveal("bm25.elision", shared_words("alimentation", "couper l’alimentation"))

# %% [markdown]
# English has its own version of the problem. Look at a sentence from the corpus as the naive method sees it:

# %%
print(words("A 5 A fuse guards the power supply."))

# %% [markdown]
# "supply." with its full stop is not "supply", so a search for "supply" misses this passage.
#
# Apostrophes are sneakier still. Your keyboard types the straight one, `'`; typeset text uses the curly one, `’`. To
# Python they are two unrelated characters.

# %%
print("robot's" == "robot’s")
for query in ("supply", "robot's", "robot’s"):
    print(query, "->", sum(query in words(text) for text in texts), "chunk(s)")

# %% [markdown]
# The units that we compare are called **tokens**, and the function that makes them is a **tokenizer**. Step by step,
# this is what ours should do:
#
# | step | before | after |
# |---|---|---|
# | 1. Unicode form NFC, lower case | `L’Été` | `l’été` |
# | 2. drop elided French words and their apostrophe | `l’été` | `été` |
# | 3. keep runs of letters and digits | `fuse, (motor)` | `fuse` `motor` |
# | 4. keep a comma or a point *between two digits* | `5.5 Hz. End` | `5.5` `hz` `end` |
#
# Step 1 deserves a word. "é" can be stored as one character, or as two (an e followed by an accent); **NFC** always
# picks the single one. The elided words are c, d, j, l, m, n, s, t, qu, jusqu, lorsqu, puisqu and quoiqu. All other
# apostrophes simply separate: "robot’s" gives "robot" and "s".

# %% [markdown]
# Two Python modules are all we need: `unicodedata` makes the NFC form, and `re` looks for patterns. In a pattern,
# `[^\W_]` means "a letter or digit, of any script", `+` "one or more", `|` "or", `[.,]` "a point or a comma", and
# `(?:…)` makes a group. `(?<=\d)` and `(?=\d)` want a digit right before and right after. The pattern `TOKEN` puts
# all this together: it does steps 3 and 4.

# %%
import re
import unicodedata

two_characters = "e\u0301"  # an e, then an acute accent
print(
    two_characters, len(two_characters), "->", len(unicodedata.normalize("NFC", two_characters))
)

TOKEN = r"(?:[^\W_]|(?<=\d)[.,](?=\d))+"
print(re.findall(r"[^\W_]+", "lidar: 5.5 hz."))
print(re.findall(TOKEN, "lidar: 5.5 hz."))
print(re.sub(r"\b(?:l|d)[’]", " ", "l’arrêt d’urgence"))

# %% [markdown]
# Without `TOKEN`, `5.5` would be cut. The last line still handles only two of the elided words, and only one of the two
# apostrophes.
#
# ### Your turn: `tokenize`
#
# Three lines will do: normalise and put in lower case, drop the elided words, find the tokens with `TOKEN`. In a
# pattern, `\b` means "at the edge of a word".

# %%
ELIDED = ["c", "d", "j", "l", "m", "n", "s", "t", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu"]


def tokenize(text: str) -> list[str]:
    """Cut a text into tokens, in lower case.

    "L’alimentation" -> ["alimentation"] (with ' as with ’); "robot’s" -> ["robot", "s"];
    "5.5 Hz" -> ["5.5", "hz"]; "3,8" -> ["3,8"]; "3 A" -> ["3", "a"]; "/odom" -> ["odom"].
    """
    raise NotImplementedError


# %%
tokenize = check("bm25.tokenize", tokenize)

# %% [markdown]
# From here on our documents are lists of tokens. Is that enough to rank better?

# %%
documents = [tokenize(text) for text in texts]
print(documents[1])


def shared_tokens(question):
    return [len(set(tokenize(question)) & set(document)) for document in documents]


# %% tags=["nbval-check-output"]
evaluate("shared words, good tokens", shared_tokens)

# %% [markdown]
# MRR moves up. Look closer, though, before you celebrate: good tokens find *more* words, the useful ones and the
# useless ones alike. "the" and "is" still count as much as "fuse". Good tokens are needed; they are not enough. Bear in
# mind, too, that six questions are very few: further down we look at 225.

# %% [markdown]
# ## 3. The inverted index
#
# So far every question rereads every chunk. With nine chunks, who cares? With ten million, it is hopeless.
#
# The way out is at the back of any textbook. To find where fuses are discussed you do not reread the book: you look up
# "fuse" in the index and get the pages. An **inverted index** does the same: for each word, the list of chunks that
# contain it. Each entry in the list, called a **posting**, is a pair (chunk, how many times).

# %%
from ragteach.explore import index_figure
from ragteach.retrieval.bm25 import inverted_index

index = inverted_index(documents)
some_words = ["fuse", "odometry", "robot", "the"]
alt = "; ".join(f"{word}: {index[word]}" for word in some_words)
show(
    index_figure(index, some_words, lang="en"),
    f"Each word, followed by its pairs (chunk, how many times). {alt}.",
)

# %% [markdown]
# (Here `inverted_index` comes from the package. You will write it in the exercises; it takes five lines.)
#
# How much work does this save? Let us count visits. Without an index, each word of the question is looked for in each
# chunk; with it, only the chunks on the word's own list are touched.

# %% tags=["nbval-check-output"]
rows = []
for question in questions:
    tokens = tokenize(question.text)
    without, visits = (
        len(tokens) * len(documents),
        sum(len(index.get(token, [])) for token in tokens),
    )
    rows.append([question.text, without, visits])
table(["question", "visits without index", "with index"], rows, lang="en")

# %% [markdown]
# We count visits rather than milliseconds because they do not depend on your laptop. And the saving grows with the
# corpus: if two hundred chunks out of a million say "fuse", that word costs two hundred visits instead of a million.
# Very common words remain expensive. Luckily, they are also the words that tell us least, and that is our next subject.

# %% [markdown]
# ## 4. What is a word worth?
#
# Sharing "fuse" says a lot. Sharing "the" says nothing. So each word should get a **weight**. We could make one up and
# try it. In 1976 Robertson and Spärck Jones did better: they *derived* it.
#
# Take a single word, and sort the chunks into two groups: those that answer the question, and all the others. Write
#
# - $p$ for the share of the **relevant** chunks that contain the word,
# - $u$ for the share of the **other** chunks that contain it.

# %%
from ragteach.explore import two_groups_figure

alt = "20 squares for the relevant chunks, 10 of them hatched; 100 for the others, 10 of them hatched."
show(
    two_groups_figure(p=0.5, u=0.1, lang="en"),
    f"{alt} A hatched square is a chunk that contains the word.",
)

# %% [markdown]
# A useful word is one for which $p$ and $u$ differ widely: seeing it in a chunk then tips the scales. The question is
# *by how much*.

# %% [markdown]
# ### Theorem 1, step by step
#
# Get a sheet of paper: you should be able to redo these six steps on your own. A chunk $d$ is described by the words it
# contains; $R$ means "relevant" and $\bar R$ "not relevant".
#
# **Step 1. What should be computed?** The best ranking sorts chunks by **decreasing** $P(R \mid d)$: the one most
# likely to be relevant comes first. This is the *probability ranking principle*.
#
# **Step 2. Switch to odds.** The odds $\dfrac{P(R\mid d)}{P(\bar R\mid d)}$ grow when $P(R\mid d)$ grows, so they give
# the same order. Apply Bayes' rule to the numerator and the denominator, and $P(d)$ cancels:
#
# $$\frac{P(R\mid d)}{P(\bar R\mid d)} \;=\; \frac{P(d\mid R)}{P(d\mid \bar R)}
# \;\times\;\underbrace{\frac{P(R)}{P(\bar R)}}_{\text{the same for every chunk}}$$
#
# What is left to sort by is the **likelihood ratio** $P(d\mid R)/P(d\mid\bar R)$.

# %% [markdown]
# **Step 3. Assume independence.** Within a group, the presence of one word says nothing about the presence of another.
# Real texts disagree ("duty" and "cycle" travel together), yet this is what makes the calculation possible. With $p_t$
# and $u_t$ for the two shares of a word $t$, both strictly between 0 and 1:
#
# $$P(d\mid R) = \prod_{t\in d} p_t \prod_{t\notin d} (1-p_t), \qquad
# P(d\mid \bar R) = \prod_{t\in d} u_t \prod_{t\notin d} (1-u_t).$$
#
# **Step 4. Forget words outside the question.** We have no reason to believe that they tell the groups apart, so for
# them we set $p_t=u_t$, and they cancel out of the ratio. Only the words $t$ of the question $q$ remain.
#
# **Step 5. Take logarithms, and get rid of the absent words.** The logarithm is increasing, so the order is unchanged.
#
# $$\ln\frac{P(d\mid R)}{P(d\mid\bar R)} = \sum_{t\in q\cap d}\ln\frac{p_t}{u_t} +
# \sum_{t\in q,\;t\notin d}\ln\frac{1-p_t}{1-u_t}.$$
#
# The second sum is a nuisance, since it runs over words that are *not there*. The trick is to add and subtract
# $\sum_{t\in q\cap d}\ln\frac{1-p_t}{1-u_t}$.
#
# $$= \sum_{t\in q\cap d}\underbrace{\ln\frac{p_t\,(1-u_t)}{u_t\,(1-p_t)}}_{w_t} \;+
# \underbrace{\sum_{t\in q}\ln\frac{1-p_t}{1-u_t}}_{\text{no longer depends on } d}.$$
#
# The last sum runs over the whole question, so it is a constant, and a constant does not change a ranking.
# $\blacksquare$

# %% [markdown]
# **The result.** The best ranking comes from **adding up, over the words of the question that the chunk contains**, the
# weight
#
# $$w_t=\ln\frac{p_t\,(1-u_t)}{u_t\,(1-p_t)}.$$
#
# Pause on this: nobody chose the form "a sum of weights over shared words". It follows from the assumptions.
#
# But let us not take the algebra's word for it. We draw 200,000 chunks at random from this very model.

# %%
import numpy as np

from ragteach.retrieval.bm25 import bim_weight

rng = np.random.default_rng(0)
p = np.array([0.8, 0.6, 0.5, 0.4])  # four words of the question, in relevant chunks
u = np.array([0.3, 0.05, 0.1, 0.35])  # the same words, in the others
is_relevant = rng.random(200_000) < 0.1
holds = rng.random((200_000, 4)) < np.where(is_relevant[:, None], p, u)
weights = np.array([bim_weight(p[t], u[t]) for t in range(4)])
table(["p", "u", "weight w"], np.column_stack([p, u, weights]).tolist(), lang="en")

# %% [markdown]
# Look at the last row: a word that is barely more frequent among relevant chunks weighs very little. Now compute in two
# ways: the full likelihood ratio (step 3, absent words included), and the plain sum of weights (the result).

# %% tags=["nbval-check-output"]
log_p = np.where(holds, np.log(p), np.log(1 - p)).sum(axis=1)
log_u = np.where(holds, np.log(u), np.log(1 - u)).sum(axis=1)
log_ratio = log_p - log_u
sums = holds @ weights
difference = log_ratio - sums
print("the difference is the same for all, within 1e-9:", bool(np.ptp(difference) < 1e-9))

cases, first = np.unique(
    holds, axis=0, return_index=True
)  # the 16 possible combinations of words
same_order = np.array_equal(np.argsort(log_ratio[first]), np.argsort(sums[first]))
print("all", len(cases), "combinations come in the same order:", same_order)

# %% [markdown]
# The difference is a constant, just as promised. Does the sum really rank by probability, though? For each combination
# of words, compare the share of relevant chunks **observed** in the simulation with the share that the theorem
# **predicts**.

# %%
constant = np.log((1 - p) / (1 - u)).sum() + np.log(
    0.1 / 0.9
)  # what no chunk changes, and the prior odds
score = sums[first]
predicted = 1 / (1 + np.exp(-(score + constant)))  # from odds to probability
observed = [is_relevant[(holds == case).all(axis=1)].mean() for case in cases]
grid = np.linspace(0, score.max(), 50)
series = {"predicted": 1 / (1 + np.exp(-(grid + constant)))}
figure = curves(
    grid,
    series,
    "sum of the weights of the words in the chunk",
    "share of relevant chunks",
    lang="en",
)
figure.axes[0].plot(score, observed, "ks", label="observed, one for each combination")
figure.axes[0].legend()
show(
    figure,
    "An S-shaped curve, the predicted share, rises with the sum of weights; the 16 observed shares lie on it.",
)
print("largest gap:", number(max(abs(predicted - observed)), "en", 3))

# %% [markdown]
# ### Step 6: what if nothing is known?
#
# In real life nobody hands us $p_t$ and $u_t$ before the search. Two assumptions are reasonable:
#
# - about relevant chunks we know nothing, so we say that half of them contain the word: **$p_t=\tfrac12$**. Then
#   $\frac{p_t}{1-p_t}=1$ and that factor is gone;
# - nearly all chunks are irrelevant: $u_t$ is close to the share in the whole corpus, **$u_t\approx n_t/N$**, where
#   $n_t$ of the $N$ chunks contain the word ($n_t$ is its **document frequency**).
#
# $$w_t \approx \ln\frac{1-u_t}{u_t} \approx \ln\frac{N-n_t}{n_t}.$$
#
# When $n_t=0$ or $n_t=N$ this fraction has no logarithm. So we **smooth** it, by adding half a chunk to both counts:
#
# $$\ln\frac{N-n_t+0.5}{n_t+0.5}.$$
#
# And there it is, the **idf** (*inverse document frequency*): the rarer a word is in the corpus, the more it weighs.

# %% [markdown]
# ### A wrong turn
#
# Let us take that formula as it stands, and look at a few words of our corpus.

# %%
from math import log

N = len(documents)


def idf_without_one(n_docs, doc_freq):
    return log((n_docs - doc_freq + 0.5) / (doc_freq + 0.5))


words_to_compare = ["lidar", "fuse", "at", "is", "the"]
rows = [
    [word, len(index[word]), idf_without_one(N, len(index[word]))] for word in words_to_compare
]
table(["word", "chunks that contain it", "weight"], rows, lang="en")

# %% [markdown]
# A **negative** weight! As soon as a word appears in more than half of the chunks, containing it *costs* a chunk
# points. See what happens to a chunk that contains both "fuse" and "the":


# %% tags=["nbval-check-output"]
def sum_of_weights(query, document, weight):
    """Add up the weights of the words of the question that the chunk contains."""
    return sum(weight(N, len(index[token])) for token in set(tokenize(query)) & set(document))


queries = ["fuse", "the fuse"]
rows = [[query, sum_of_weights(query, documents[5], idf_without_one)] for query in queries]
table(["question", "score of chunk 5"], rows, lang="en")

# %% [markdown]
# The chunk contains both words, and its score **fell** when the second one was added. At worst, a question made of
# common words finds nothing at all. Lucene, the engine inside Elasticsearch, repairs this by adding 1 inside the
# logarithm:
#
# $$\text{idf}(t)=\ln\left(\frac{N-n_t+0.5}{n_t+0.5}+1\right).$$

# %%
predict("bm25.common")

# %% [markdown]
# ### Your turn: `idf`
#
# Remember that `ln` is the **natural** logarithm: in Python, `log` from the module `math`.


# %%
def idf(n_docs: int, doc_freq: int) -> float:
    """Give ln((N - n + 0.5) / (n + 0.5) + 1), where n = doc_freq chunks out of N = n_docs contain the word.

    idf(9, 3) is about 1.05. The arguments are always valid: 0 <= doc_freq <= n_docs.
    """
    raise NotImplementedError


# %%
idf = check("bm25.idf", idf)

# %%
reveal("bm25.common", idf(N, N))

# %% [markdown]
# The logarithm of a number above 1 is positive, so the repair works. Put both terms over one denominator and the
# formula becomes readable: $\text{idf}(t)=\ln\frac{N+1}{n_t+0.5}$. Up to details, that is minus the logarithm of the
# share of chunks that contain the word.

# %%
frequencies = range(N + 1)
series = {
    "without the + 1": [idf_without_one(N, n) for n in frequencies],
    "with the + 1": [idf(N, n) for n in frequencies],
}
figure = curves(
    frequencies,
    series,
    "number of chunks that contain the word",
    "weight of the word",
    lang="en",
)
figure.axes[0].axhline(0, color="black", linewidth=1)
show(
    figure,
    "Both weights fall as the word grows more common; without the + 1 they drop below zero at one half.",
)

# %% [markdown]
# Is this still the theorem's formula? Compare it with $w_t$ for $p=\tfrac12$ in a large corpus, for rarer and rarer
# words.

# %% tags=["nbval-check-output"]
big = 1_000_000
rows = []
for share in (0.5, 0.1, 0.01, 0.001, 0.0001):
    n = int(share * big)
    rows.append([str(n), bim_weight(0.5, n / big), idf_without_one(big, n), idf(big, n)])
table(
    ["n in a million", "theorem, p = 1/2", "without the + 1", "idf (with the + 1)"],
    rows,
    lang="en",
)

# %% [markdown]
# At this size the smoothing cannot be seen. The + 1 matters for common words and hardly at all for rare ones, which are
# the ones that count. So Lucene's formula is the theorem, touched up where it gave nonsense. What do our six questions
# say?


# %%
def score_with(weight):
    """Turn a weight of words into a way of scoring all chunks."""
    return lambda question: [
        sum_of_weights(question, document, weight) for document in documents
    ]


# %% tags=["nbval-check-output"]
evaluate("idf without the + 1 (wrong turn)", score_with(idf_without_one))

# %% tags=["nbval-check-output"]
evaluate("idf", score_with(idf))

# %% [markdown]
# Two disappointments, and both deserve a closer look.
#
# **The wrong turn does worse**, as it should. Every word in more than half of the chunks works against the chunks that
# contain it, and one of the six questions now gets no answer at all: "What is the frequency of the lidar?"
#
# **The repaired idf does no better than counting.** To find out why, look at the first question.

# %% tags=["nbval-check-output"]
rows = []
for token in tokenize(questions[0].text):
    n = len(index.get(token, []))
    rows.append([token, n, idf(N, n)])
table(["word of the question", "chunks that contain it", "idf"], rows, lang="en")

# %% [markdown]
# There is the culprit. In these nine chunks "which" appears once, so idf takes it to be *more valuable* than "fuse". It
# knows no English; all it knows is this corpus. Among ten thousand chunks "which" would be everywhere and weigh next to
# nothing: **idf needs a corpus large enough to tell what is rare**. As for "should", "i" and "fit", they weigh most of
# all, but no chunk contains them, so they add nothing to any score.

# %% [markdown]
# ## 5. Repetition and length
#
# Theorem 1 looks only at whether a word is there. Two pieces of information go unused:
#
# - **how often** the word appears: a passage that says "lidar" three times is probably about the lidar;
# - **how long** the chunk is: a long chunk contains many words by mere chance.

# %%
predict("bm25.saturation")

# %% [markdown]
# Intuition first. The first time you meet "lidar", you learn a lot. The second time confirms it. The twentieth adds
# nothing: the weight must **saturate**. And ten mentions in a paragraph say more than ten in a book: length must be
# **compared with the average**. BM25 does both in one fraction, where $f$ is the number of times that the word appears,
# $\ell$ the length of the chunk in tokens and $\bar\ell$ the average length:
#
# $$\text{tw}(f,\ell)=\frac{f\,(k_1+1)}{f+k_1\left(1-b+b\,\dfrac{\ell}{\bar\ell}\right)}$$
#
# - $k_1\ge 0$ sets the saturation: at 0 only presence counts; the larger it is, the more repetition pays. Usual values:
#   1.2 to 2.
# - $b$, between 0 and 1, sets how much length counts: at 0 it is ignored, at 1 it is fully corrected for. Usual value:
#   0.75.
#
# Two values to check in your head, for a chunk of average length: with $f=1$ the fraction is 1; with $f$ huge it
# approaches $k_1+1$.
#
# To be honest: this part is **not** proved. It imitates, with a simple formula, the curve of a more complicated model
# (two Poisson distributions).

# %% [markdown]
# ### Your turn: `term_weight`


# %%
def term_weight(
    tf: float, doc_len: float, avg_len: float, k1: float = 1.5, b: float = 0.75
) -> float:
    """Give tf(k1+1) / (tf + k1(1 - b + b·doc_len/avg_len)).

    term_weight(1, 40, 40) is 1.0; an absent word (tf = 0) weighs 0.0. The arguments are always valid.
    """
    raise NotImplementedError


# %%
term_weight = check("bm25.term_weight", term_weight)

# %% [markdown]
# Saturation first, for a chunk of average length.

# %%
times = range(21)
series = {}
for k1, name in ((0, "k1 = 0"), (0.5, "k1 = 0.5"), (1.5, "k1 = 1.5"), (5, "k1 = 5")):
    series[name] = [term_weight(f, 40, 40, k1=k1) for f in times]
figure = curves(times, series, "how many times the word appears", "weight", lang="en")
show(
    figure,
    "Four curves are 1 at the first appearance and then flatten; the larger k1, the later.",
)

# %%
reveal("bm25.saturation", term_weight(20, 40, 40) / term_weight(1, 40, 40))

# %% [markdown]
# On to length.

# %%
predict("bm25.longer")

# %%
short, long = term_weight(1, 20, 30), term_weight(1, 40, 30)
reveal(
    "bm25.longer",
    f"{number(short, 'en')} for the short one, {number(long, 'en')} for the long one",
)

# %% [markdown]
# The same effect as a picture: a word that appears twice, in longer and longer chunks (average length: 40 tokens).

# %%
lengths = range(10, 131, 10)
series = {}
for b, name in ((0, "b = 0"), (0.5, "b = 0.5"), (0.75, "b = 0.75"), (1, "b = 1")):
    series[name] = [term_weight(2, length, 40, b=b) for length in lengths]
figure = curves(lengths, series, "length of the chunk, in tokens", "weight", lang="en")
figure.axes[0].axvline(40, color="black", linewidth=1)
show(
    figure,
    "At b = 0 the curve is flat; the larger b, the more long chunks lose. All curves cross at 40.",
)

# %% [markdown]
# All curves cross at the average length, where $b$ changes nothing. Seven of our nine windows have 40 words; the other
# two, each the last of its document, are shorter. So expect little effect here, and a large one on documents of mixed
# lengths.

# %% [markdown]
# ## 6. BM25, complete
#
# All that remains is to put the parts together. A chunk's score adds up, over the words of the question:
#
# $$\text{BM25}(q,d)=\sum_{t\in q}\;\underbrace{\text{idf}(t)}_{\text{is it rare?}}
# \times\underbrace{\text{tw}(f_{t,d},\,\ell_d)}_{\text{is it frequent in this chunk?}}$$
#
# | part | what it asks | where it comes from |
# |---|---|---|
# | inverted index | which chunks hold this word? | the back of every textbook |
# | idf | is this word rare in the corpus? | theorem 1, touched up |
# | saturation ($k_1$) | how often does it appear? | a rule of thumb, well tested |
# | length ($b$) | is the chunk long? | a rule of thumb, well tested |

# %% [markdown]
# ### Your turn: `bm25_scores`
#
# The plan: build the index and the lengths; start from an array of zeros; for each word of the question go through its
# postings, and add `idf × term_weight` to the right chunk. Three details:
#
# - a word that no chunk contains adds nothing;
# - a word repeated in the question counts each time (as in Lucene, rank-bm25 and bm25s);
# - `query` is a list of tokens: a string would be read letter by letter. Reject it with `ValueError`.


# %%
def bm25_scores(
    query: list[str], documents: list[list[str]], k1: float = 1.5, b: float = 0.75
) -> np.ndarray:
    """Give the BM25 score of each document: a numpy array of length N.

    Raises ValueError if query or a document is a string, if k1 is negative or if b is not between 0 and 1.
    """
    raise NotImplementedError


# %%
bm25_scores = check("bm25.scores", bm25_scores)

# %% tags=["nbval-check-output"]
evaluate("BM25, complete", lambda question: bm25_scores(tokenize(question), documents))

# %% [markdown]
# No change worth mentioning, and that is no accident: most of our windows have the same length, and few words are
# repeated inside them. Saturation and length find nothing to correct here. Distrust any lesson in which every step
# improves the table.

# %% [markdown]
# ### Explain a score
#
# BM25 is a sum, so it can tell you *why* a chunk ranks where it does, word by word. Few modern methods can.

# %%
from ragteach.retrieval.bm25 import bm25_search, explain

tokens = tokenize(questions[0].text)
parts = {
    f"chunk {doc}": explain(tokens, documents, doc)
    for doc in bm25_search(tokens, documents, k=5)
}
print(questions[0].text, "Chunks that answer:", sorted(relevant[0]))
alt = "What each word adds to the scores of the best chunks."
for name, part in parts.items():
    alt += (
        f" {name}: "
        + ", ".join(f"{token} {number(x, 'en')}" for token, x in part.items() if x > 0)
        + "."
    )
show(stacked(parts, "BM25 score", lang="en"), alt)

# %% [markdown]
# It is all there: the first chunk owes its place to "which", and has nothing to say about which fuse to fit. Once you
# can read such a picture you know what to repair, and part 7 does just that.

# %% [markdown]
# ### Play with it
#
# Move the sliders (with the mouse, or by keyboard: `Tab`, then the arrow keys) and change the question. Try, in this
# order:
#
# 1. $k_1=0$: repetition no longer counts; which chunks change places?
# 2. $b=0$, then $b=1$: who gains from the length correction?
# 3. a question of your own, with a word that no chunk contains.

# %%
from ragteach.explore import bm25_explorer

bm25_explorer(lang="en")

# %% [markdown]
# ## 7. What BM25 cannot see
#
# ### Stop words
#
# "which", "the" and "is" say nothing about the subject: they are called **stop words**. In a large corpus idf takes
# care of them. In a small one it needs help. There is a catch: the list must go through **the same tokenizer** as the
# texts, or some of its entries will never match anything.

# %% tags=["nbval-check-output"]
STOP_WORDS = """the an and or of to in on at by for from with as is are was be been it its this that these those
i he she they we you do does did should would can could which who how why where when what’s not"""
raw_stop = set(STOP_WORDS.split())
stop = set(tokenize(STOP_WORDS))
print("“what” in the raw list:", "what" in raw_stop, "; in the tokenized list:", "what" in stop)
print("raw entries that would never match:", sorted(raw_stop - stop))

# %% [markdown]
# Notice what is missing: "a". Nearly every English stop list has it, but in a robot manual "5 A" is a current. Never
# adopt a stop list without reading it with your corpus in mind.


# %%
def content(tokens):
    return [token for token in tokens if token not in stop]


content_documents = [content(document) for document in documents]

# %% tags=["nbval-check-output"]
evaluate(
    "BM25 without stop words",
    lambda question: bm25_scores(content(tokenize(question)), content_documents),
)

# %% [markdown]
# This time the table does move. The corpus was too small to learn on its own which words say nothing, so we told it.
#
# **What about a larger scale?** We took the same steps, with these same functions, on Cranfield: 225 questions by
# engineers on 1,400 abstracts about aerodynamics. (Those texts do not come with the course; `benchmarks/bm25_steps.py`
# in the project repeats the measurement for anyone who has them.) There, every part counts. Saturation and length help
# most, since these abstracts vary in length; idf helps nearly as much, and good tokens a little. Without the + 1, the
# wrong turn, idf does harm. And dropping the stop words adds hardly anything: idf had already seen through them.
#
# **Six questions are good for finding mistakes, not for choosing a method.**

# %% [markdown]
# ### Exact codes: the strong point
#
# A part number, the name of a sensor, an error message: BM25 finds them without fail, because it compares words.

# %% tags=["nbval-check-output"]
rows = []
for code in ("RPLIDAR A1", "/odom", "3S LiPo", "3.8 V"):
    best = bm25_search(tokenize(code), documents, k=1)[0]
    rows.append([code, best, "yes" if code in texts[best] else "no"])
table(["code searched", "first chunk", "contains it as written"], rows, lang="en")

# %% [markdown]
# ### Paraphrases: the blind spot
#
# The manual says that the controller *brings the duty cycle down* against *overheating*. A user writes instead:

# %% tags=["nbval-check-output"]
query = "the robot becomes sluggish in warm weather"
ranking = bm25_search(tokenize(query), documents, k=3)
gains = explain(tokenize(query), documents, ranking[0])
rows = [[token, len(index.get(token, [])), gain] for token, gain in gains.items()]
table(
    [
        "word of the question",
        "chunks that contain it",
        f"adds to the score of chunk {ranking[0]}",
    ],
    rows,
    lang="en",
)
print("first three:", ranking, "; chunks that answer:", sorted(relevant[2]))

# %% [markdown]
# No chunk contains "sluggish" or "warm". Whatever BM25 finds, it owes to words such as "the" and "in": if a right chunk
# comes first, that is luck. It is the same story elsewhere: a customer writes "my curry arrived cold", and the policy
# is headed "temperature of dishes on delivery". No word in common, no hope. What we need is to compare **meanings**:
# that is chapter 03. And since each method sees what the other misses, chapter 04 combines them.

# %% [markdown]
# ### What about production?
#
# The library `rank-bm25` is widely used. Its default $k_1$ and $b$ are ours, but it keeps the idf **without** the + 1,
# and patches it: a negative weight is replaced by a fraction ($\varepsilon=0.25$) of the mean idf.

# %% tags=["nbval-check-output"]
from rank_bm25 import BM25Okapi

okapi = BM25Okapi(documents)
rows = []
for word in words_to_compare:
    n = len(index[word])
    rows.append([word, n, idf_without_one(N, n), okapi.idf[word], idf(N, n)])
table(["word", "chunks", "without the + 1", "rank-bm25", "ours"], rows, lang="en")

# %% [markdown]
# The patch has an odd effect: compare the rows "fuse" and "the". The common word outweighs the rare one! It also leaves
# two holes, shown here on tiny corpora.

# %% tags=["nbval-check-output"]
half = [["a", "b"], ["c", "d"]]
print(
    "word in half of the documents. rank-bm25:",
    BM25Okapi(half).get_scores(["a"]).round(2).tolist(),
)
print("                               ours     :", bm25_scores(["a"], half).round(2).tolist())
everywhere = [["a"], ["a"], ["a"]]
print(
    "word in all documents.         rank-bm25:",
    BM25Okapi(everywhere).get_scores(["a"]).round(2).tolist(),
)
print(
    "                               ours     :",
    bm25_scores(["a"], everywhere).round(2).tolist(),
)

# %% [markdown]
# Zero for a word that is there, and a negative score for a perfect match. Apart from idf, though, both programs do the
# same calculation. Give `rank-bm25` our idf, and compare every score.

# %% tags=["nbval-check-output"]
okapi.idf = {token: idf(N, len(postings)) for token, postings in index.items()}
gaps = [
    np.abs(
        okapi.get_scores(tokenize(question.text))
        - bm25_scores(tokenize(question.text), documents)
    ).max()
    for question in questions
]
print("largest difference < 1e-9:", bool(max(gaps) < 1e-9))

# %% [markdown]
# So what you hold is the real BM25. Here is what others do differently:
#
# - **Lucene**, the core of Elasticsearch and OpenSearch: the same idf as yours; $k_1=1.2$ and $b=0.75$ by default; the
#   constant factor $(k_1+1)$ is left out, which changes no ranking; lengths are rounded to fit in one byte; the index
#   lives on disk, and postings are compressed.
# - **bm25s**: computes the weight of every word in every document beforehand and keeps them in a sparse matrix. A
#   question becomes a sum of columns, which is very fast; the price is that $k_1$ and $b$ must be chosen in advance.
# - **rank-bm25**: no inverted index; every question goes through all documents. Fine for a few thousand of them, not
#   beyond.
#
# The moral: two programs called "BM25" may give different scores. Always say which one, with which tokenizer, which
# $k_1$ and which $b$.

# %% [markdown]
# ## 8. Recap
#
# - Search begins with **tokens**: elisions, apostrophes, numbers and units decide what can be found at all.
# - The **inverted index** visits only chunks that contain words of the question.
# - **Theorem 1**: under independence, the best score is a sum of weights $\ln\frac{p(1-u)}{u(1-p)}$. With $p=\tfrac12$
#   and $u=n/N$ it becomes **idf**.
# - Lucene's **+ 1** keeps a common word from costing points.
# - $k_1$ makes repetition **saturate**; $b$ **corrects for length**. Both are rules of thumb.
# - BM25 **explains itself** word by word, finds **exact codes**, and stays blind to **paraphrases**.
# - Six questions are enough to see mistakes, and too few to choose a setting.

# %% [markdown]
# ### The running table
#
# Every chapter adds a row to this table, always with the same six questions. From chapter 01 on, the documents are cut
# at paragraphs and sentences, and recall counts the passages that answer: it stays comparable whatever the chunks.

# %% tags=["nbval-check-output"]
from ragteach.explore import milestones

milestones("02_bm25", lang="en")

# %%
quiz("02_bm25")

# %% [markdown]
# ### Words to remember
#
# | English | French |
# |---|---|
# | *chunk* | morceau (d’un document) |
# | *token, tokenizer* | token, tokeniseur |
# | *inverted index, postings list* | index inversé, liste des occurrences |
# | *term frequency (tf)* | fréquence du terme |
# | *inverse document frequency (idf)* | fréquence documentaire inverse |
# | *binary independence model (BIM)* | modèle d’indépendance binaire |
# | *stop words* | mots vides |
# | *lexical, or sparse, retrieval* | recherche lexicale, ou creuse |
#
# ### What next?
#
# 1. The notebook `exercises/en/02_bm25.ipynb`: the chapter's eight functions, half an hour. Four of them you have
#    written here; copy them over.
# 2. Chapter 03, which tackles the blind spot: finding a passage by what it *means*.

# %% [markdown]
# ### Sources
#
# - S. Robertson and K. Spärck Jones, "Relevance weighting of search terms", *Journal of the American Society for
#   Information Science*, 27(3), 1976: the model and its weight.
# - S. Robertson and H. Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", *Foundations and Trends in
#   Information Retrieval*, 3(4), 2009: the whole story, saturation and length included.
# - Apache Lucene, documentation of the class `BM25Similarity`: the idf with the + 1, and the defaults.
# - C. Kamphuis et al., "Which BM25 Do You Mean?", ECIR 2020: the variants compared.
# - X. H. Lù, "BM25S: Orders of magnitude faster lexical search via eager sparse scoring", arXiv 2407.03618, 2024.
# - D. Brown, the library `rank-bm25`.
