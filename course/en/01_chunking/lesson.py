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
#     chapter: 01_chunking
#     course: '1'
#     kind: lesson
#     lang: en
# ---

# %% [markdown]
# # 01. Cut the documents
# **What is cut badly is never found again**
#
# In the robot lab someone asks: "What does a wheel cost?" The price is in the parts list, and yet the system answers "I
# cannot find it". Neither the search nor the model is to blame. The table had been cut between its header and its rows,
# and nothing was left to say which of the numbers was a price.
#
# A search engine does not return documents, it returns **chunks**. How they are cut decides what can be found at all. By
# the end of this chapter you will be able to
#
# - cut a text in six ways, and say what each is good for;
# - count the chunks beforehand, and what they cost in tokens;
# - repair a table, and give a chunk back the context that it needs to make sense;
# - **measure** a way of cutting instead of picking one out of habit;
# - recognise *chunk drift*, a breakdown that raises no error.

# %% [markdown]
# ## Time needed
#
# Allow **90 minutes** in all: 65 for this lesson and 25 for the three new functions of the exercise notebook (the other
# five are written here). The written question of that notebook, if your teacher sets it, takes ten more.
#
# | part | minutes |
# |---|---|
# | 1. Where we start | 4 |
# | 2. Windows of words (your turn, twice) | 11 |
# | 3. Before cutting: read, clean, label | 5 |
# | 4. Whole sentences (your turn) | 9 |
# | 5. Follow the structure, or the subject (your turn) | 9 |
# | 6. Give a chunk its context back (your turn) | 7 |
# | 7. The table that chunking destroys | 4 |
# | 8. Measure, then choose | 8 |
# | 9. Drift | 3 |
# | 10. Recap and quiz | 5 |
#
# **How to work.** Clear the stored results first (*Edit*, *Clear Outputs of All Cells*): they would give the
# predictions away. Run the cells one after another (`Shift + Enter`). When you are asked for a prediction, answer
# *before* you go on. Cells marked **Your turn** wait for your code. The cell below checks it; until it is right, the
# lesson carries on with a reference version. You cannot get stuck.

# %%
from ragteach.notebook import begin, check, hint, predict, quiz, reveal

begin("01_chunking", lang="en", course="1")

# %% [markdown]
# ## 1. Where we start
#
# This is what the naive version scores on six questions: windows of 40 words, ranked by counting the raw words that
# question and chunk share. Every chapter will add a row to this table.

# %% tags=["nbval-check-output"]
from ragteach.explore import milestones

milestones("01_chunking", lang="en", before=True)

# %% [markdown]
# **Recall@3** is the share of the expected passages that the first three chunks contain. MRR and nDCG reward good chunks
# that stand high up; chapter 05 builds them. For now one figure will do, and that is recall: a passage that never reaches
# the model cannot be used in its answer.
#
# Let us look at such windows on the first of the three short documents, the robot's manual.

# %%
from ragteach.corpus import chunk, load
from ragteach.explore import curves, lanes_figure, number, show, show_chunks, table

short_manual = load("mini", "en").documents[0]


def naive(text):
    """Cut every 40 words, looking at nothing."""
    words = text.split()
    return [" ".join(words[start : start + 40]) for start in range(0, len(words), 40)]


show_chunks(short_manual, chunk([short_manual], naive), lang="en")

# %% [markdown]
# Find the boundaries `[1]` and `[2]`: both fall inside a sentence. Chunk 1 sees the room, but who does so stayed in
# chunk 0; odometry is published in one chunk and its topic named in the next. Neither half is an answer by itself.
#
# The whole chapter is about one **trade-off**:
#
# | | chunk too small | chunk too large |
# |---|---|---|
# | what is gained | a precise match | context |
# | what is lost | the sentence that gave it meaning: "*it* spins", what does? | the idea is diluted, and every token is paid for |

# %% [markdown]
# ## 2. Windows of words
#
# The first remedy is to let windows **overlap**. A sentence that a boundary cuts is then whole in the window next door,
# as long as it is not too long. The usual overlap is 10 to 20% of the size.

# %%
predict("chunking.windows")


# %% [markdown]
# Here is a first version, the one found everywhere: move on by 30 words *as long as any are left*.


# %%
def first_try(text, size=40, overlap=10):
    words, chunks, start = text.split(), [], 0
    while start < len(words):
        chunks.append(" ".join(words[start : start + size]))
        start += size - overlap
    return chunks


hundred = " ".join(str(i) for i in range(1, 101))
ranges = [(int(piece.split()[0]) - 1, int(piece.split()[-1])) for piece in first_try(hundred)]
show(
    lanes_figure(ranges, lang="en"),
    f"Four bars, each from its first word to its last: {ranges}. The last one lies below the third.",
)

# %% [markdown]
# The last window lies wholly inside the one before. It adds nothing, takes up room in the index, and will one day hand
# the model the same passage twice. The right rule is to **stop as soon as a window reaches the end**.
#
# There is a nastier trap. What does `first_try` do when `overlap` equals `size`? It moves on by zero words, for ever.
# Well-known libraries have had this very bug. Reject such an argument.
#
# ### Your turn: `chunk_words`


# %%
def chunk_words(text: str, size: int = 40, overlap: int = 10) -> list[str]:
    """Cut a text into windows of size words that share overlap words with the one before.

    chunk_words("1 2 3 4 5 6 7", 3, 1) -> ["1 2 3", "3 4 5", "5 6 7"]; a blank text -> [].
    Words are those of text.split(), joined with a space. The last window may be shorter; none lies
    wholly inside the one before. Raises ValueError if size < 1, or if overlap is not between 0 and
    size - 1.
    """
    raise NotImplementedError


# %%
chunk_words = check("chunking.words", chunk_words)

# %%
reveal("chunking.windows", len(chunk_words(hundred, 40, 10)))

# %% [markdown]
# ### How many chunks?
#
# Write $T$ for the number of words, $c$ for the size of a window and $o$ for the overlap. The first window covers $c$
# words, and each one after it adds $c-o$ new ones. So $n$ windows cover $c+(n-1)(c-o)$ words, which is $n(c-o)+o$. That
# must be enough to reach $T$:
#
# $$n(c-o)+o\ge T\quad\Longleftrightarrow\quad n\ge\frac{T-o}{c-o},\qquad\text{hence}\qquad
# n=\left\lceil\frac{T-o}{c-o}\right\rceil.$$
#
# The brackets $\lceil\;\rceil$ round **up**: a window that has begun counts as one. The formula holds for $T>c$. A
# shorter text makes one chunk, and an empty text none.
#
# ### Your turn: `chunk_count`


# %%
def chunk_count(n_tokens: int, size: int, overlap: int) -> int:
    """Give the number of windows: ceil((T - o) / (c - o)), 1 if 0 < T <= c, and 0 if T = 0.

    chunk_count(100, 40, 10) -> 3. Raises ValueError if n_tokens < 0, if size < 1, or if overlap is not
    between 0 and size - 1.
    """
    raise NotImplementedError


# %%
chunk_count = check("chunking.count", chunk_count)

# %% [markdown]
# A corpus of ten thousand pages has about five million tokens. How many chunks of 400 tokens does it make, and how much
# text goes into the index, depending on the overlap?

# %% tags=["nbval-check-output"]
rows = []
for overlap in (0, 50, 100, 200, 300):
    n = chunk_count(5_000_000, 400, overlap)
    growth = (5_000_000 + (n - 1) * overlap) / 5_000_000
    rows.append([number(overlap / 4, "en", 1), n, growth])
table(["overlap, in %", "chunks", "text indexed, in times the corpus"], rows, lang="en")

# %% [markdown]
# An overlap of 50 tokens hardly makes the index grow. With 300, it holds the corpus four times over, and a search finds
# the same thing four times. Hence the rule of 10 to 20%.

# %% [markdown]
# ## 3. Before cutting: read, clean, label
#
# No way of cutting makes up for a text that was read badly. Here is a small table in a PDF, as read by `pypdf`, a library
# in wide use.

# %% tags=["nbval-check-output"]
from pypdf import PdfReader

from ragteach.explore import column_pdf

pdf = column_pdf(
    [
        ["Reference", "Part", "Price"],
        ["R2-MOT-12", "motor", "18.50"],
        ["R2-WHL-65", "wheel", "6.20"],
    ]
)
page = PdfReader(pdf).pages[0]
print(page.extract_text().replace("\n", " / "))
print()
print(
    "\n".join(line for line in page.extract_text(extraction_mode="layout").splitlines() if line)
)

# %% [markdown]
# The first line is what you get by default. Cells come out in the order in which a program once *drew* them, column by
# column, so the motor's price is nowhere near the word "motor". The second reading looks at where the words stand on
# the page, and the table is back. Neither raised an error, so **always look at what your reader has produced**. A PDF
# loses its reading order, a web page brings its menus and its cookie banner along, and a scanned page has no text at
# all: its characters must be recognised first (*OCR*).
#
# Next comes **cleaning**: drop what is repeated on every page, and documents that are there twice. Then **labelling**:
# every chunk keeps its document's metadata. These are those of the long manual, in the lab's full corpus.

# %%
robot = load("robot", "en")
documents = {document.id: document for document in robot.documents}
manual = documents["manual"]
labels = {
    "source": "where does it come from? To cite it.",
    "date": "how old is it? To prefer the newest.",
    "version": "which version?",
    "language": "in which language?",
    "owner": "who can correct it?",
    "roles": "who may read it?",
}
rows = [[key, manual.metadata[key], question] for key, question in labels.items()]
table(["metadata", "robot manual", "what it is for"], rows, lang="en")

# %% [markdown]
# The last row matters most. A passage that is put into the prompt may come out in the answer: permission to read is
# checked when searching, in code, and not by an instruction to the model. One label is still missing, the path of
# headings. It comes in part 6.

# %% [markdown]
# ## 4. Whole sentences
#
# The second remedy: never cut a sentence. A sentence ends at a full stop, doesn't it?

# %% tags=["nbval-check-output"]
import re

text = (
    "Dr. Roy sets the lidar to 5.5 Hz. The cell stays at 3.8 V. Which fuse? A 5 A, cf. fig. 2."
)
print([piece.strip() for piece in text.split(".") if piece.strip()])

# %% [markdown]
# Both numbers are cut in two, "Dr" is a sentence, and the full stops are gone. Let us ask for *an end mark, then white
# space* instead. In the pattern below `[.!?…]` is one of the four marks, `\s+` is white space, and `(?<=…)` means "right
# after", which leaves the mark with its sentence.

# %% tags=["nbval-check-output"]
print(re.split(r"(?<=[.!?…])\s+", text))

# %% [markdown]
# The numbers are safe. What remains are **abbreviations**: no rule can guess them, it takes a list. The next function
# puts what follows back on to a sentence that ends with one of them.

# %% tags=["nbval-check-output"]
ABBREVIATIONS = ("M.", "Dr.", "art.", "fig.", "p.", "cf.", "etc.", "e.g.", "i.e.")


def sentences(text):
    """Cut a text into sentences."""
    found = []
    for piece in re.split(r"(?<=[.!?…])\s+", text.strip()):
        if found and found[-1].split()[-1] in ABBREVIATIONS:
            found[-1] += " " + piece
        elif piece:
            found.append(piece)
    return found


print(sentences(text))

# %% [markdown]
# ### Your turn: `chunk_sentences`
#
# Group whole sentences, up to `max_words` words. The overlap is now counted in sentences. The plan:
#
# 1. keep a list `current` of the sentences in the chunk being made;
# 2. before adding a sentence, see whether the chunk would exceed `max_words`; if so, put it away, and start again from
#    its last `overlap_sentences` sentences;
# 3. if these and the new one do not fit together, drop the oldest, one at a time, until they do: each chunk must bring at
#    least one new sentence;
# 4. at the end, remember the last chunk.
#
# A sentence longer than `max_words` stays whole, and alone. Beware of Python: `current[-0:]` is the *whole* list.


# %%
def chunk_sentences(text: str, max_words: int = 30, overlap_sentences: int = 1) -> list[str]:
    """Group whole sentences, joined with a space, into chunks of at most max_words words.

    chunk_sentences("One. Two three. Four.", 3, 1) -> ["One. Two three.", "Two three. Four."]
    Use sentences(text). Raises ValueError if max_words < 1 or if overlap_sentences < 0.
    """
    raise NotImplementedError


# %%
chunk_sentences = check("chunking.sentences", chunk_sentences)

# %%
show_chunks(manual, chunk([manual], lambda text: chunk_sentences(text, 40, 1)), lang="en")

# %% [markdown]
# No sentence is cut any more. But look closer: headings (`## Drive` and so on) end one chunk instead of opening the next,
# and sentences from two sections meet in one chunk. Sentences know nothing of **structure**.

# %% [markdown]
# ## 5. Follow the structure, or the subject
#
# ### From coarse to fine
#
# **Recursive** chunking tries separators in order: paragraph, line, sentence, word. It goes one step finer only inside
# a part that is still too long, and merges small neighbours that fit together. Many tools do this by default. (You will
# write it in the exercises.)

# %%
from ragteach.retrieval.chunking import chunk_recursive

sample = "One two three.\n\nFour five. Six seven eight nine. Ten.\n\nEleven.\n\nTwelve."
for max_words in (12, 5, 3):
    print(
        max_words,
        "words:",
        [" ".join(piece.split()) for piece in chunk_recursive(sample, max_words)],
    )

# %% [markdown]
# With 5 words only the middle paragraph is cut, and between its sentences. With 3, a sentence of four words has to give
# way too.
#
# ### One chunk per section
#
# A manual has headings: its author has already cut it for us. Make a chunk of each section, and keep the **path** of its
# headings. One trap: inside a block of code `#` opens a comment.

# %% tags=["nbval-check-output"]
from ragteach.retrieval.chunk_structure import chunk_headings

page = "## Start\n```\n# a comment\nr2-start\n```\n## Stop\nPress the button."
print("lines that begin with #:", sum(line.startswith("#") for line in page.splitlines()))
print("real sections:", [" > ".join(part["path"]) for part in chunk_headings(page)])
rows = [
    [" > ".join(part["path"]), len(part["text"].split())]
    for part in chunk_headings(manual.text)
]
table(["path (robot manual)", "words"], rows, lang="en")

# %% [markdown]
# The lengths differ widely. That is the price of this method, which also needs good structure to begin with: an e-mail
# often has none.
#
# ### Where the subject changes
#
# Without headings we can look for changes of subject: compare each sentence with the next, and cut where the likeness
# dips. This is **semantic** chunking. It takes a similarity between texts. Chapter 03 builds one, and we borrow it here
# (`neighbour_similarities` compares the two sentences before a place with the two after it).

# %%
from ragteach.explore import dips_figure, neighbour_similarities

manual_sentences, headings = [], []
for part in chunk_headings(manual.text):
    if manual_sentences:
        headings.append(len(manual_sentences) - 1)  # the last sentence before the heading
    manual_sentences += sentences(part["text"])
similarities = neighbour_similarities(manual_sentences, lang="en")
print(len(manual_sentences), "sentences,", len(headings), "boundaries between sections")

# %% [markdown]
# ### Your turn: `split_at_dips`
#
# `similarities[i]` compares sentence `i` with sentence `i + 1`. Cut after sentence `i` where this value is
#
# - **strictly below the threshold**, and
# - a **dip**: not larger than the value before it, nor the value after. At either end there is only one neighbour.
#
# Two equal neighbours are two dips: the sentence between them resembles neither side.


# %%
def split_at_dips(similarities: list[float], threshold: float) -> list[int]:
    """Give, in increasing order, the numbers of the sentences after which to cut.

    split_at_dips([0.8, 0.2, 0.7, 0.3, 0.9], 0.5) -> [1, 3]; an empty list -> [].
    """
    raise NotImplementedError


# %%
split_at_dips = check("chunking.semantic", split_at_dips)

# %% tags=["nbval-check-output"]
dips = split_at_dips(similarities, 0.3)
print(
    "dips below 0.3:",
    len(dips),
    "; section boundaries found:",
    len(set(dips) & set(headings)),
)

# %%
show(
    dips_figure(similarities, dips, headings, 0.3, lang="en"),
    f"Similarity from one sentence to the next. Dips after sentences {dips}; sections end at {headings}.",
)

# %% [markdown]
# Without having read a single heading, the method finds most of the boundaries between sections. It makes up others,
# where the author changes the subject within a section. And it has a price, one vector for every sentence. Headings,
# where there are any, come free.

# %% [markdown]
# ## 6. Give a chunk its context back
#
# What does this passage lack?

# %% tags=["nbval-check-output"]
xl = documents["manual-xl"]
perception = next(part for part in chunk_headings(xl.text) if "A2" in part["text"])
print(sentences(perception["text"])[1])
print(" > ".join([xl.title, *perception["path"]]))

# %% [markdown]
# Which lidar? The large robot's; the small one has its own, with other values. The second line says so, and it is not
# in the chunk. Let us write it **in front**, before indexing: the search will read it, and so will the model. The idea
# is known as *contextual retrieval* (Anthropic, 2024). Its full version has a model write a sentence for every chunk
# that says where it stands. The path of headings gives much of that, for nothing.
#
# ### Your turn: `contextualize`
#
# The prefix is the document's title, then the titles of the path, with ` > ` between them, then **a blank line**. Empty
# titles are skipped; without any title there is no prefix. And the function is **idempotent**: a chunk that begins with
# this very prefix comes back unchanged, since ingestion often runs twice over the same chunks.


# %%
def contextualize(chunk: str, title: str, path: list[str]) -> str:
    """Write before a chunk where it stands.

    contextualize("5 A.", "Manual", ["Power"]) -> "Manual > Power\\n\\n5 A."
    Raises ValueError if path is a string instead of a list.
    """
    raise NotImplementedError


# %%
contextualize = check("chunking.contextual", contextualize)

# %% [markdown]
# ### Search small, give large
#
# There is another way to keep context: **parent-child** chunking, or *small-to-big*. Search among small children, which
# are precise; give the model the larger parent that contains the child found. This takes two levels of storage. In
# production, children have 150 to 300 tokens and parents 800 to 1,200.

# %%
from ragteach.retrieval.chunk_structure import parent_child

for pair in parent_child(
    "one two three four five six seven eight nine ten", child_size=2, parent_size=5
):
    print(pair)

# %% [markdown]
# The child "five" is alone: no child straddles two parents.
#
# ### Cut late (*late chunking*)
#
# An embedding model reads a chunk and turns it into a vector. If it reads "it spins at 40 Hz" by itself, the vector
# cannot know what "it" is. **Late chunking** turns the order round. The model reads the *whole* document, which gives
# one vector per token, each fed by all the context. Only then is the text cut, by taking the mean over each chunk's
# tokens. It takes a model that can read long texts.

# %%
from ragteach.explore import late_chunking_figure

show(
    late_chunking_figure(lang="en"),
    "On the left, each half of the text goes through the encoder by itself. On the right, the whole text does, "
    "and the mean is then taken of each half.",
)

# %% [markdown]
# A toy to see it with: each word has its vector, and "reading the document" mixes into every word a little of the mean of
# all that is read (a real model does this by attention). Two documents end with the same sentence.

# %%
import numpy as np

# two documents that end with the same sentence
words_a = "the lidar scans the room | it spins fast".split(" | ")
words_b = "the fan cools the board | it spins fast".split(" | ")
vocabulary = sorted({word for part in words_a + words_b for word in part.split()})


def read(text):
    """Give one vector per word, mixed with the mean of all that was read."""
    vectors = np.array(
        [[word == other for other in vocabulary] for word in text.split()], dtype=float
    )
    return 0.6 * vectors + 0.4 * vectors.mean(axis=0)


def cos(u, v):
    return u @ v / np.linalg.norm(u) / np.linalg.norm(v)


# %% tags=["nbval-check-output"]
query, rows = read("lidar spins").mean(axis=0), []
for name, (first, second) in {"lidar": words_a, "fan": words_b}.items():
    early = read(second).mean(axis=0)  # the chunk is read by itself
    whole = read(f"{first} {second}")  # the whole document is read
    late = whole[-len(second.split()) :].mean(axis=0)
    rows.append([name, cos(query, early), cos(query, late)])
table(
    ["“it spins fast”, in the document on the", "cut, then embed", "embed, then cut"],
    rows,
    lang="en",
)

# %% [markdown]
# For the question "lidar spins", the two chunks read by themselves **tie**: the same text gives the same vector. Read
# inside their documents they differ, and the right one comes first.

# %% [markdown]
# ## 7. The table that chunking destroys
#
# Back to the wheel's price. We cut its table into windows of 20 words.

# %%
predict("chunking.table_row")

# %%
parts = documents["parts-list"]
drive = next(part for part in chunk_headings(parts.text) if "R2-WHL-65" in part["text"])
broken = chunk_words(drive["text"], 20, 4)
for place, piece in enumerate(broken):
    if "R2-WHL-65" in piece:
        print(f"[{place}]", piece)

# %%
wheel = next(piece for piece in broken if "R2-WHL-65" in piece and "6.20" in piece)
reveal("chunking.table_row", "yes" if "price" in wheel else "no")

# %% [markdown]
# The row is whole, and the word "price" is not there. A question in everyday language ("what does … cost") shares no
# word with it, and its vector of figures says next to nothing. **The repair**: make a sentence of each row, in which
# every value carries the name of its column, under the table's title.


# %% tags=["nbval-check-output"]
def row_sentences(text):
    """Give each row of a Markdown table with its headers, and the rest of the text apart."""
    rows, prose, header = [], [], None
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if not line.startswith("|"):
            prose.append(line)
            header = None
        elif header is None:
            header = cells
        elif not set("".join(cells)) <= set("-: "):  # the line of dashes says nothing
            rows.append(
                "; ".join(f"{name}: {cell}" for name, cell in zip(header, cells, strict=False))
            )
    return rows, "\n".join(prose)


rows, prose = row_sentences(drive["text"])
print(contextualize(rows[1], parts.title, drive["path"]))

# %% [markdown]
# This chunk makes sense by itself. How many prices can now be found? For each part of the list, we search the whole
# corpus for "price" and its name, and see whether one of the first three chunks contains both its row and the word
# "price". The search is that of chapter 02, **BM25**: take it as a black box that ranks chunks for a question.

# %%
from ragteach.retrieval.bm25_index import BM25Index
from ragteach.retrieval.text import tokenize


def searcher(texts):
    """Index texts; give a function that ranks their numbers for a question."""
    index = BM25Index([tokenize(text) for text in texts])
    return lambda question: index.search(tokenize(question), 60)


def prices_found(texts):
    """Count the parts of which one of the first three chunks gives the row and says that it is a price."""
    search, found = searcher(texts), 0
    for row in rows_of_parts:
        top = [texts[i] for i in search(f"price {row[1]}")[:3]]
        found += any(row[0] in text and "price" in text.lower() for text in top)
    return found


lines = [
    line.strip("| ").split(" | ")
    for line in parts.text.splitlines()
    if line.startswith("| R2-")
]
rows_of_parts = [[cell.strip() for cell in line] for line in lines]

# %% tags=["nbval-check-output"]
windows = [
    piece.text for piece in chunk(robot.documents, lambda text: chunk_words(text, 20, 4))
]
repaired = []
for document in robot.documents:
    for part in chunk_headings(document.text):
        rows, prose = row_sentences(part["text"])
        pieces = rows + chunk_words(prose, 20, 4)
        repaired += [contextualize(piece, document.title, part["path"]) for piece in pieces]
print("windows of 20 words:", prices_found(windows), "prices of", len(rows_of_parts))
print("one chunk per row:", prices_found(repaired), "prices of", len(rows_of_parts))

# %% [markdown]
# The repair touches neither the search nor the model. Questions that need arithmetic ("how much for ten robots?") are
# beyond it; they are better served by a tool that queries the table, in SQL for instance.

# %% [markdown]
# ## 8. Measure, then choose
#
# The robot corpus comes with annotated questions. The annotations point at **passages** of the text, not at chunks, so
# they hold whatever way it is cut. Recall@5 is the share of the expected passages of which the first five chunks
# contain at least half.

# %%
from ragteach.corpus import Chunk, locate, passages_found

asked = [
    question for question in robot.questions if not question.is_trap and not question.history
]
print(
    len(robot.documents),
    "documents,",
    sum(len(document.text.split()) for document in robot.documents),
    "words,",
)
print(len(asked), "questions that have an answer and stand by themselves")


def recall(search, chunks, choose):
    """Give the mean share of passages found in the chunks that `choose` keeps, and the words sent."""
    shares, words = [], []
    for question in asked:
        kept = choose([chunks[i] for i in search(question.text)])
        shares.append(len(passages_found(question, kept)) / len(question.relevant))
        words.append(sum(len(piece.text.split()) for piece in kept))
    return float(np.mean(shares)), float(np.mean(words))


# %% [markdown]
# ### Size

# %%
predict("chunking.bigger")


# %%
from functools import partial


def first_five(chunks):
    return chunks[:5]


sizes = (20, 40, 80, 160, 320)
by_overlap = {"no overlap": 0, "a quarter": 0.25, "a half": 0.5}
cuts = {}
for size in sizes:
    for share in by_overlap.values():
        chunks = chunk(
            robot.documents, partial(chunk_words, size=size, overlap=int(size * share))
        )
        cuts[size, share] = chunks, searcher([piece.text for piece in chunks])
at_five = {key: recall(search, chunks, first_five) for key, (chunks, search) in cuts.items()}

# %%
series = {
    name: [at_five[size, share][0] for size in sizes] for name, share in by_overlap.items()
}
figure = curves(sizes, series, "size of the windows, in words", "recall@5", lang="en")
show(
    figure,
    f"The three curves rise with size. Without overlap: {np.round(series['no overlap'], 2)}.",
)

# %%
small, large = at_five[20, 0][0], at_five[160, 0][0]
reveal("chunking.bigger", f"it goes from {number(small, 'en')} to {number(large, 'en')}")

# %% [markdown]
# Should windows have 320 words, then? Look at what the model has to read.
#
# ### Cost
#
# A prompt holds the instructions, $k$ chunks of size $c$, and the question:
#
# $$\text{tokens in the prompt}=\text{instructions}+k\cdot c+\text{question}.$$
#
# In English, count roughly 1.3 tokens per word (chapter 10 comes back to this). The model reads these tokens before it
# writes its first word: they set the price, and the wait as well. Let us take instructions of 60 words and a question of
# 12.

# %% tags=["nbval-check-output"]
per_word = {"fr": 1.5, "en": 1.3}  # tokens per word, roughly
rows = []
for size in sizes:
    chunks, _ = cuts[size, 0.25]
    score, words = at_five[size, 0.25]
    indexed = sum(len(piece.text.split()) for piece in chunks)
    tokens = per_word["en"] * (60 + words + 12)  # instructions, chunks, question
    rows.append([size, len(chunks), indexed, score, f"{tokens:.0f}"])
table(
    ["size", "chunks", "words indexed", "recall@5", "tokens in the prompt"],
    rows,
    lang="en",
)

# %% [markdown]
# So the real question is: with an **equal number of words**, which size is best? Let us allow the model 400 words and
# not one more: the best chunks, whole, for as long as they fit.


# %%
def within_400_words(chunks):
    kept, n = [], 0
    for piece in chunks:
        n += len(piece.text.split())
        if n > 400:
            break
        kept.append(piece)
    return kept


at_400 = {
    key: recall(search, chunks, within_400_words) for key, (chunks, search) in cuts.items()
}
series = {
    name: [at_400[size, share][0] for size in sizes] for name, share in by_overlap.items()
}
figure = curves(
    sizes, series, "size of the windows, in words", "recall within 400 words", lang="en"
)
show(
    figure,
    f"The curves rise, then fall. A quarter: {np.round(series['a quarter'], 2)}.",
)

# %% tags=["nbval-check-output"]
best = max(at_400, key=lambda key: at_400[key][0])
print(
    "best setting within 400 words:",
    best[0],
    "words; overlap, in %:",
    number(100 * best[1], "en", 0),
)

# %% [markdown]
# Now the curve has a top. Chunks that are too small cut passages apart; chunks that are too large waste the budget on
# words that do not help. A little overlap helps, at nearly every size. The best one here is even larger than 10 to 20%:
# a rule of thumb is a place to start.
#
# ### Strategies
#
# Finally, let us compare the ways of cutting, on the same questions.

# %%
sections, section_texts, children, parents = [], [], [], []
for document in robot.documents:
    for part in chunk_headings(document.text):
        if part["text"]:
            sections.append(Chunk(document.id, len(sections), part["text"]))
            section_texts.append(contextualize(part["text"], document.title, part["path"]))
    n = len(parents)
    parents += [
        Chunk(document.id, i, text) for i, text in enumerate(chunk_words(document.text, 120, 0))
    ]
    children += [
        (n + pair["parent"], pair["child"]) for pair in parent_child(document.text, 30, 120)
    ]
sections, parents = locate(sections, robot.documents), locate(parents, robot.documents)
with_context = [
    Chunk(section.source, section.position, text, section.spans)
    for section, text in zip(sections, section_texts, strict=True)
]
print(len(sections), "sections;", len(children), "children of", len(parents), "parents")


# %%
def by_dips(text):
    found = sentences(text)
    dips = split_at_dips(neighbour_similarities(found, lang="en"), 0.3)
    edges = [0, *(dip + 1 for dip in dips), len(found)]
    return [" ".join(found[start:end]) for start, end in zip(edges, edges[1:], strict=False)]


find_child = searcher([text for _, text in children])


def find_parent(question):
    return list(
        dict.fromkeys(children[i][0] for i in find_child(question))
    )  # each of them once


# %%
systems = {}
for name, cut in {
    "windows, 40 words, 10 shared": lambda text: chunk_words(text, 40, 10),
    "whole sentences, 40 words": lambda text: chunk_sentences(text, 40, 1),
    "recursive, 40 words": lambda text: chunk_recursive(text, 40),
    "recursive, 80 words": lambda text: chunk_recursive(text, 80),
    "semantic (dips)": by_dips,
}.items():
    chunks = chunk(robot.documents, cut)
    systems[name] = searcher([piece.text for piece in chunks]), chunks
systems["parent-child, 30 inside 120 words"] = find_parent, parents
systems["one section, one chunk"] = searcher([piece.text for piece in sections]), sections
systems["… with its context in front"] = searcher(section_texts), with_context

# %% tags=["nbval-check-output"]
rows = []
for name, (search, chunks) in systems.items():
    mean = sum(len(piece.text.split()) for piece in chunks) / len(chunks)
    five, words = recall(search, chunks, first_five)
    rows.append(
        [
            name,
            len(chunks),
            f"{mean:.0f}",
            five,
            f"{words:.0f}",
            recall(search, chunks, within_400_words)[0],
        ]
    )
table(
    ["strategy", "chunks", "words each", "recall@5", "words sent", "recall within 400 words"],
    rows,
    lang="en",
)

# %% [markdown]
# Read the two columns of recall together. Semantic chunking and parent-child shine with five chunks, because those five
# are large; with 400 words they fall behind. Recursive chunks of 40 words, on the other hand, send little text.
#
# With an equal number of words, one section per chunk is ahead of all others, and it costs no computation and cuts no
# sentence. The context in front gains nothing here: the sections of this corpus already say what they are about, and
# the prefix takes up words. Small gaps prove nothing, by the way: 107 questions cannot settle a hundredth or two
# (chapter 05 says why).

# %% [markdown]
# | strategy | starting point | good for | its weakness |
# |---|---|---|---|
# | fixed size | 512 tokens, 50 of overlap | uniform prose | cuts in mid-thought |
# | recursive | 400 to 800 tokens | mixed prose | uneven sizes |
# | semantic | dips in similarity | texts that change subject | one vector per sentence |
# | structural | one section, one chunk | manuals, contracts, wikis | needs good headings |
# | parent-child | 150–300 inside 800–1,200 tokens | precise hits, wide context | two levels of storage |
# | *late chunking* | the whole document | chunks full of "it" and "this" | a long-context model |
#
# In practice people start from 200 to 500 tokens per chunk with 10 to 20% of overlap, and keep headings, paragraphs and
# tables whole where they can. Tables, code (one function, one chunk) and forms nearly always need treatment of their own.
# And before you believe this table, or ours, repeat the measurement on **your** documents.

# %% [markdown]
# ### Play with it
#
# Change the document, the strategy, the size, with the mouse or by keyboard: the arrow keys move a slider, and `Tab` twice
# takes you to the next one. The figure below the text shows the same chunks. Try, in this order:
#
# 1. windows of 40 words without overlap, then with 50%: how many words are indexed?
# 2. the parts list in windows of 20 words: where are the headers?
# 3. "one section, one chunk" on the e-mail about fuses: what happens?

# %%
from ragteach.explore import chunk_viewer

chunk_viewer(lang="en")

# %% [markdown]
# ## 9. Drift
#
# One Monday somebody finds 60 words better than 40 and runs ingestion again. The texts are cut anew. The index, which
# knows the chunks by their numbers, is not rebuilt.

# %%
predict("chunking.drift")

# %% tags=["nbval-check-output"]
old = chunk(robot.documents, lambda text: chunk_words(text, 40, 10))
new = chunk(robot.documents, lambda text: chunk_words(text, 60, 10))
search_old, search_new = (searcher([piece.text for piece in chunks]) for chunks in (old, new))


def stale(question):
    return [
        i for i in search_old(question) if i < len(new)
    ]  # a number that no longer exists is skipped


before, drifted, rebuilt = (
    recall(search, chunks, first_five)[0]
    for search, chunks in ((search_old, old), (stale, new), (search_new, new))
)
rows = [
    ["before Monday", before],
    ["texts cut again, index unchanged", drifted],
    ["index rebuilt", rebuilt],
]
table(["situation", "recall@5"], rows, lang="en")

# %%
reveal(
    "chunking.drift",
    f"recall@5 goes from {number(before, 'en')} to {number(drifted, 'en')}, without a message",
)

# %% [markdown]
# No error and no warning: the system is sure of itself, and reads the wrong passages. Remember the symptom.
# "**Confident but wrong, after an update of the documents**" points at the search and its index, not at the prompt, not
# at the model.
#
# The cure has two parts. **Version** the chunking configuration together with the index, and refuse to serve when they
# differ. **Measure** recall again after any change.

# %% tags=["nbval-check-output"]
from ragteach.retrieval.freshness import index_version

built_with = index_version({"strategy": "windows", "size": 40, "overlap": 10})
served_with = index_version({"strategy": "windows", "size": 60, "overlap": 10})
print("index :", built_with)
print("texts :", served_with)
print("serve?", built_with == served_with)

# %% [markdown]
# An index is *derived* data: it must be possible to rebuild it at any time from the documents, the same settings and
# the same code.

# %% [markdown]
# ### What about production?
#
# The library LangChain has a `RecursiveCharacterTextSplitter`. With our settings (length in words, separators kept at
# the end) it gives our chunks. The next cell checks that on every document if you have it, and otherwise passes on
# (`pip install langchain-text-splitters` installs it). It prints nothing: a difference would raise an error.


# %%
def same_as_langchain(max_words):
    """Compare our cut with LangChain's; None where the library is not installed."""
    try:
        from langchain_text_splitters import RecursiveCharacterTextSplitter
    except ImportError:
        return None
    splitter = RecursiveCharacterTextSplitter(
        chunk_size=max_words,
        chunk_overlap=0,
        length_function=lambda text: len(text.split()),
        separators=["\n\n", "\n", ". ", " "],
        keep_separator="end",
    )
    return all(
        [piece.split() for piece in splitter.split_text(document.text)]
        == [piece.split() for piece in chunk_recursive(document.text, max_words)]
        for document in robot.documents
    )


assert same_as_langchain(40) in (True, None)

# %% [markdown]
# What others do:
#
# - **LangChain** counts *characters* by default, not tokens: 4,000 characters, 200 of overlap. Always state the unit.
# - **LlamaIndex** cuts by sentences and tokens, can follow structure, and offers parent-child retrieval.
# - **pypdf**, **pdfplumber** and **Camelot** read PDFs; the last two look for tables.
# - **Tokens** are the model's own: leave some room when you set sizes in words.

# %% [markdown]
# ## 10. Recap
#
# - A chunk that is too small loses its context; one that is too large dilutes and costs. **Overlap** (10 to 20%) guards
#   the boundaries.
# - Number of chunks: $\lceil (T-o)/(c-o)\rceil$. `overlap >= size` never ends; the last window must not lie inside the
#   one before.
# - Not every full stop ends a **sentence**. A **section**, where there is one, is a good chunk that comes free.
# - **Context** can be given back: by the path of headings, by the parent, or by cutting late.
# - A **table** is cut row by row, with its headers.
# - Recall@5 flatters large chunks: compare at an **equal number of words**.
# - The chunking configuration is part of the index's **version**.
#
# Here is the table of the course with its new row: the same naive search and the same six questions, but recursive
# chunks.

# %% tags=["nbval-check-output"]
milestones("01_chunking", lang="en")

# %% [markdown]
# Recall@1 has not moved. Recall@3, MRR and nDCG go up, and yet the search is the same: only the chunks have changed.
# There is a long way to go, and the next chapters turn to the search.

# %%
quiz("01_chunking")

# %% [markdown]
# ### Words to remember
#
# | English | French |
# |---|---|
# | *chunk, chunking* | morceau, découpage |
# | *overlap* | recouvrement, chevauchement |
# | *recursive splitting* | découpage récursif |
# | *structural, document-aware chunking* | découpage par structure |
# | *parent-child, small-to-big* | parent-enfant, du petit au grand |
# | *contextual retrieval* | récupération contextuelle |
# | *late chunking* | découpage tardif |
# | *chunk drift* | dérive de découpage |
#
# ### What next?
#
# 1. The notebook `exercises/en/01_chunking.ipynb`: copy your five functions over, and write the other three (recursive,
#    headings, parent-child).
# 2. Chapter 02 opens the black box: **BM25**, which ranks chunks by their words.

# %% [markdown]
# ### Sources
#
# - M. A. Hearst, "TextTiling: Segmenting Text into Multi-paragraph Subtopic Passages", *Computational Linguistics*,
#   23(1), 1997: cutting at dips in similarity.
# - J. P. Callan, "Passage-Level Evidence in Document Retrieval", SIGIR 1994: searching passages rather than documents,
#   with windows that overlap already.
# - P. Lewis et al., "Retrieval-Augmented Generation for Knowledge-Intensive NLP Tasks", NeurIPS 2020: Wikipedia in
#   passages of 100 words.
# - N. F. Liu et al., "Lost in the Middle: How Language Models Use Long Contexts", *TACL*, 2024: why more text does not
#   always help.
# - M. Günther et al., "Late Chunking: Contextual Chunk Embeddings Using Long-Context Embedding Models", arXiv
#   2409.04701, 2024.
# - Anthropic, "Introducing Contextual Retrieval", 2024.
