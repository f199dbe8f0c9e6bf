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
#     chapter: 00_start
#     course: '1'
#     kind: lesson
#     lang: en
# ---

# %% [markdown]
# # 00. A RAG in ten minutes
# **Make a model answer from your documents, and check that it does**
#
# One of the lab's robots is dead: its fuse has blown. Which fuse goes in? The answer stands somewhere in the lab's papers,
# between a manual, some release notes, a few e-mails and a badly scanned form. A large language model has read none of
# them. Ask it anyway and it will name a rating, calmly and fluently; if the rating is right, you were lucky.
#
# This course builds what is missing between the two, piece by piece. The first chapter shows you the finished thing. By
# its end you will be able to
#
# - say what a **RAG** system is, when you need one, and when you are better off without;
# - follow a question down the whole chain, to an answer that names its source;
# - tell a refusal from a failure, and spot an answer that is wrong *because the search was*;
# - work with these notebooks, which mark themselves.

# %% [markdown]
# ## Time needed
#
# Allow **45 minutes** in all: 40 for this lesson and 5 for the exercise notebook, whose two functions you write here.
#
# | part | minutes |
# |---|---|
# | 1. Why RAG, and when not | 5 |
# | 2. A RAG in ten minutes | 10 |
# | 3. How these notebooks work (your turn) | 6 |
# | 4. The smallest search there is (your turn) | 7 |
# | 5. The four sessions | 2 |
# | 6. Recap and quiz | 5 |
# | For reference: the glossary and the eleven papers | 5, to look them over |
#
# **How to work.** This notebook opens with its results already in place, so that one can leaf through it. Clear them
# first: menu *Edit*, *Clear Outputs of All Cells*. Then click here, and run the cells one after
# another with `Shift + Enter`. When you are asked for a prediction, answer *before* you go on: being wrong and then
# seeing why is what sticks.

# %%
from ragteach.notebook import begin, check, hint, predict, quiz, reveal

begin("00_start", lang="en", course="1")

# %% [markdown]
# ## 1. Why RAG, and when not
#
# A language model knows what it read in training, and its training stopped on a certain day. Your private documents, this
# morning's prices, the order that came in ten minutes ago: all unknown to it. Yet when asked, it does not keep silent. It
# completes the text, in good style. That is a **hallucination**.
#
# There are three ways of giving it the knowledge.
#
# | | paste everything into the prompt | fine-tune the model | search, then answer (**RAG**) |
# |---|---|---|---|
# | the idea | the model rereads it all for each question | the documents become weights | it gets the few passages that matter |
# | updates | at once | train again; meanwhile the facts go stale | at once, if the index keeps up |
# | can it cite? | yes | no | yes |
# | who may read what? | you sort what you paste | there is no telling | decided for each question |
# | cost of a question | very high, and the window has an end | low | low, and a smaller model often does |
# | how it breaks | slow, dear, then too big | out of date, cannot be checked | a chain, as strong as its weakest link |
#
# RAG stands for *retrieval-augmented generation*. The name comes from a paper of 2020, whose retriever and generator were
# trained together. Nowadays they are nearly always two separate things, trained before you met them.

# %% [markdown]
# Faced with a real case, this is how to choose.
#
# | your case | what you need | why |
# |---|---|---|
# | thousands of documents, often updated, sources required | RAG | fresh, grounded in the texts, auditable |
# | one manual of fifty pages that rarely changes and fits into the window | long context | no index to build or to keep up to date |
# | "write in our tone, always in this format" | fine-tuning, or a few examples in the prompt | you want a behaviour, not facts |
# | questions where one must search, read, and search again | *agentic* RAG: the model runs the searches itself | it can rephrase and retry |
#
# One rule sums up both tables: **RAG for many facts that change and must be cited; long context for a little text that
# stays as it is; fine-tuning for style**.
#
# And one warning holds for the whole course: where the search misses the right passage, no model can bring it back.

# %% [markdown]
# ## 2. A RAG in ten minutes
#
# Here is the whole chain. The upper row is prepared once; the lower one runs for each question. Each box says which chapter
# teaches you to build it.

# %%
from ragteach.explore import bars, milestones, pipeline_figure, show, table

alt = "Two rows of boxes. Above, prepared once: documents, chunks, index. "
alt += "Below, for each question: question, search (which asks the index), prompt, answer."
show(pipeline_figure(lang="en"), alt)

# %% [markdown]
# ### The documents
#
# The course works on the papers of R2, a laboratory robot. Each document carries labels: its title, its date, and who may
# read it. We start there. You are a student, and what you may not read must never get into your index.

# %% tags=["nbval-check-output"]
from ragteach.corpus import chunk, load
from ragteach.retrieval.access import allowed_chunks

robot = load("robot", "en")
student = {"tenant": "labo", "roles": ["all"]}
labels = [document.metadata for document in robot.documents]
documents = [robot.documents[i] for i in allowed_chunks(labels, student)]
print(len(robot.documents), "documents; you may read", len(documents), "of them, such as:")
for document in documents[:3]:
    print("-", document.metadata["date"], document.title)

# %% [markdown]
# ### The chunks, and the index
#
# A whole document is too long an answer. So documents are cut into **chunks**: here at paragraphs and sentences, 60 words
# at most. The words of each chunk then go into an **index**, without stop words such as "the" or "is", which say nothing
# about the subject.

# %% tags=["nbval-check-output"]
from ragteach.answers.words import STOP_WORDS
from ragteach.retrieval.bm25_index import BM25Index
from ragteach.retrieval.chunking import chunk_recursive
from ragteach.retrieval.text import tokenize


def words(text):
    return [token for token in tokenize(text) if token not in STOP_WORDS]


def prepare(documents):
    """Cut the documents, and put the words of the chunks into an index."""
    chunks = chunk(documents, lambda text: chunk_recursive(text, 60))
    return chunks, BM25Index([words(piece.text) for piece in chunks])


chunks, index = prepare(documents)
print(len(chunks), "chunks")
print(words("Which fuse protects the power supply of R2?"))

# %% [markdown]
# ### The search
#
# From here on, everything happens again for each question. The search gives every chunk a score, from the words that it
# shares with the question and how rare they are (this is **BM25**, chapter 02). We keep the best two.


# %%
def search(question, k=2):
    """Return the k best passages, with their titles and dates."""
    source = {document.id: document for document in documents}
    found = [chunks[i] for i in index.search(words(question), k)]
    return [
        {
            "title": source[piece.source].title,
            "date": source[piece.source].metadata["date"],
            "text": piece.text,
        }
        for piece in found
    ]


question = "Which fuse protects the power supply of R2?"
passages = search(question)
rows = [[n, one["title"], one["date"], one["text"]] for n, one in enumerate(passages, start=1)]
table(["source", "document", "date", "passage"], rows, lang="en")

# %% [markdown]
# ### The prompt
#
# The two passages, the question and some instructions make up the text that the model will read. Read it too: this is the
# heart of a RAG system.

# %% tags=["nbval-check-output"]
from ragteach.answers.prompt import build_prompt

print(build_prompt(question, passages))

# %% [markdown]
# Three rules carry it all: answer **from the sources only**; **cite** a number for every claim; where the answer is
# missing, **refuse** in one exact sentence. The last two have a further merit: a program can check them. The other two
# lines guard against what documents may hide: a value that is out of date, or an order slipped into the text.
#
# ### The answer
#
# Any language model could take this prompt now, on your own machine or at a provider's (chapter 10). So that the lesson
# gives the same result everywhere, a humble stand-in plays its part here. It copies out the sentence of the sources that
# shares most words with the question, and refuses if that is too few. It understands nothing, but then it cannot make
# anything up.

# %% tags=["nbval-check-output"]
from ragteach.answers.citations import check_citations
from ragteach.answers.extractive import extractive_answer


def ask(question):
    """Answer a question, show the sources and check the citations."""
    passages = search(question)
    answer = extractive_answer(question, passages)
    print("question:", question)
    for n, one in enumerate(passages, start=1):
        print(f"  source {n}: {one['title']} ({one['date']})")
    print("answer  :", answer)
    print("faults in citations:", sum(map(len, check_citations(answer, passages).values())))


ask(question)

# %% [markdown]
# **This answer is right, and can be checked.** The number in brackets leads to the robot's manual, where anyone can read
# the sentence. The last line counts what the program objects to: a number that leads nowhere, a claim without a source, a
# source that says something else.
#
# ### A refusal
#
# And what if the documents do not know?

# %%
predict("start.camera")

# %% tags=["nbval-check-output"]
camera = "What is the resolution of the camera on R2?"
ask(camera)

# %%
reveal("start.camera", extractive_answer(camera, search(camera)))

# %% [markdown]
# The search did return two passages, as it always does. They are about another robot, and neither answers. A refusal is
# not a failure. A made-up number of pixels would have been one.
#
# ### An answer that is wrong because the search was
#
# The holidays are near. The batteries have to be stored, and a battery that is stored badly suffers.

# %%
predict("start.cited")

# %% tags=["nbval-check-output"]
storage = "At what voltage per cell are LiPo batteries stored?"
ask(storage)

# %%
answer = extractive_answer(storage, search(storage))
reveal("start.cited", "a right answer" if "3.8" in answer else "a wrong answer")

# %% [markdown]
# Everything looks fine: a clear sentence, a source, a citation without fault. Now look at the **dates**. Source 1 is a
# copy of version 1.2 that nobody threw away. The procedure has changed since, and the value to use is in source 2. The
# two texts are the same almost to the word, and a search that compares words put the old one first.
#
# A real model, told by the prompt to follow the more recent source, might get out of this, provided that it is given
# both. Better to give it nothing that is out of date. So it is the search that we repair: the old copy leaves the index.

# %% tags=["nbval-check-output"]
documents = [document for document in documents if document.id != "maintenance-1-2"]
chunks, index = prepare(documents)
ask(storage)

# %% [markdown]
# Same question, same prompt, same model. Only the search has changed, and the answer is right.
#
# A search can fail in another way: the right passage exists, but ranks below those that we pass on.

# %% tags=["nbval-check-output"]
code = "What does code E42 mean?"
ask(code)
right = robot.passages["code-e42"].text
ranking = index.search(words(code), len(chunks))
rank = next(n for n, i in enumerate(ranking, start=1) if right in chunks[i].text)
print("the right passage:", right)
print("its rank:", rank)

# %% [markdown]
# Since firmware 2.0 this code has meant a motor under strain; the old meaning misleads. We gave the model two passages,
# and the right one was not among them. The best model in the world could have done nothing.
#
# Hence the first habit to take from this course: when an answer is wrong, **look first at what the search returned**. Was
# the right passage found? Ranked well? Given? Used? In that order.
#
# **Play with it.** Add a cell (`Esc`, then `B`) and put questions of your own with `ask("…")`. Try to find one that the
# manual answers and our system misses. Changing a single word is often enough.

# %% [markdown]
# ### What about production?
#
# Let us put a real library, `rank-bm25`, in the place of our index. Does it find the same passages?

# %% tags=["nbval-check-output"]
from rank_bm25 import BM25Okapi

library = BM25Okapi([words(piece.text) for piece in chunks])
for asked in (question, camera, storage, code):
    scores = library.get_scores(words(asked))
    best = sorted(range(len(chunks)), key=lambda i: -scores[i])[:2]
    print("yes" if best == index.search(words(asked), 2) else "no", "-", asked)

# %% [markdown]
# The same ones. Our pieces are small, but they are the real thing. Elsewhere they go by other names:
#
# | piece | here | in production |
# |---|---|---|
# | read the documents | clean Markdown | PDF files, web pages, scans: most of the work |
# | search | BM25 in memory | BM25 **and** embeddings, fused: Elasticsearch, OpenSearch, PostgreSQL with pgvector, Qdrant… |
# | rerank | nothing yet | a *cross-encoder* rereads the best twenty to a hundred and keeps five to ten |
# | answer | a stand-in that copies | a local model (llama.cpp, Ollama) or an API |
# | watch | you, reading | a trace of every step, and measurements repeated after each change |

# %% [markdown]
# ## 3. How these notebooks work
#
# Cells marked **Your turn** wait for your code. The cell below checks it: it tries your function on hand-picked examples,
# then on random ones. Here is a first attempt at counting the words of a text, not quite right. Read what the check has to
# say.


# %%
def first_try(text):
    return text.count(" ") + 1


_ = check("start.count_words", first_try)

# %% [markdown]
# From top to bottom you see, often, **the name of the mistake**; then **a call that shows it**, with the value expected and
# the value obtained; last, the hand-picked cases and **hints**, to be opened one at a time.
#
# ### Your turn: `count_words`
#
# Replace the line `raise NotImplementedError`. Python has what you need: `"the robot".split()` cuts a text at any white
# space, and `len(…)` gives the length of a list.


# %%
def count_words(text: str) -> int:
    """Count the words of a text: what white space separates.

    count_words("A 5 A fuse guards the robot.") -> 7; an empty or blank text -> 0.
    """
    raise NotImplementedError


# %%
count_words = check("start.count_words", count_words)

# %% [markdown]
# If your function is right, the lesson uses it from now on. If not, it carries on with a **reference version**, and says
# so. You cannot get stuck, and you may run a whole notebook before you fill in a line of it.
#
# | you would like… | do this |
# |---|---|
# | a hint | write `hint("start.count_words")` in a cell, and run it again for the next one |
# | to know how far you are | see the bar below each check, or use the command `.venv/bin/ragteach progress` |
# | your notebook marked | use the command `.venv/bin/ragteach check exercises/en/00_start.ipynb`: the same check as your teacher's |
# | the explained solution | open the folder `solutions`, once you have tried |
# | out of an endless loop | a check stops by itself; elsewhere, menu *Kernel*, *Interrupt Kernel* |
# | to start afresh | menu *Kernel*, *Restart Kernel*: your answers and points stay |
#
# Commands are typed in a terminal opened on the course's folder: in JupyterLab, menu *File*, *New*, *Terminal*.
#
# Each chapter has three notebooks: the **lesson** (`notebooks`), the **exercises** (`exercises`), to be handed in, and the
# **solutions**. Only the best of your attempts counts, and a blank is no mistake.

# %% [markdown]
# ## 4. The smallest search there is
#
# How many words does one read when one searches?

# %% tags=["nbval-check-output"]
n_words = sum(count_words(document.text) for document in documents)
given = sum(count_words(one["text"]) for one in search(question))
print("in the documents:", n_words, "words; in the prompt:", given)

# %% [markdown]
# That is the whole point: the model reads two passages, not the corpus. They had better be the right ones. Write the
# simplest search of all: count the **words that the question shares** with each chunk, and keep the chunk that shares
# most.
#
# ### Your turn: `best_chunk`
#
# The plan: first refuse a senseless argument, with `raise ValueError("…")`; put the texts in lower case; cut them with
# `split()`; make sets of the words with `set(…)`, so that a repeated word counts once. `a & b` is the set of what `a`
# and `b` have in common, and `shared.index(max(shared))` is the place of the largest number in a list.


# %%
def best_chunk(question: str, chunks: list[str]) -> int:
    """Give the number of the chunk that shares most distinct words with the question.

    best_chunk("Which fuse", ["the lidar", "the fuse"]) -> 1. Words are those of lower().split().
    Numbers start at 0; in a tie, the lowest wins. Raises ValueError if chunks is empty, or if it is a
    string.
    """
    raise NotImplementedError


# %%
best_chunk = check("start.best_chunk", best_chunk)

# %% [markdown]
# Try it on three small chunks, then on the whole corpus.

# %%
three = ["The lidar spins at 5.5 Hz.", "A fuse protects the robot.", "The care of R2 is easy."]
asked = "Where is the fuse of the robot?"
common = {text: len(set(asked.lower().split()) & set(text.lower().split())) for text in three}
print(asked, "-> chunk", best_chunk(asked, three))
show(
    bars(common, "words shared with the question", lang="en", digits=0),
    f"Shared words, chunk by chunk: {common}.",
)

# %% tags=["nbval-check-output"]
texts = [piece.text for piece in chunks]
best = best_chunk(question, texts)
print(question)
print("found :", chunks[best].source)
print("thanks to:", sorted(set(question.lower().split()) & set(texts[best].lower().split())))

# %% [markdown]
# On the corpus it lands in the glossary, since "of", "the" and "which" weigh as much as "fuse". Even on three small
# chunks it goes wrong: "robot?" is not "robot.", and "is" and "of" beat the fuse. Each chapter will mend something. To
# know whether things get better we must measure, and always on the same questions: six, put to three documents so short
# that one reads them in two minutes (`load("mini", "en")`). Here is the **first row** of the table that will follow us.

# %% tags=["nbval-check-output"]
milestones("00_start", lang="en")

# %% [markdown]
# For now, remember one column: **recall@3**, the share of the passages we wanted that are in the first three chunks.
# Chapter 05 explains the others.
#
# ## 5. The four sessions
#
# | session | chapters | the question |
# |---|---|---|
# | 1. Find the words | 00 a RAG in ten minutes, 01 cut the documents, 02 BM25 and the inverted index | Does the passage hold these words? |
# | 2. Find the meaning | 03 embeddings by TF-IDF and SVD, 04 hybrid search, 05 measure the search | What if it says it differently? How do we prove it? |
# | 3. Scale up | 06 exact, then cells, 07 compress the vectors, 08 a navigable graph | And with ten million passages? |
# | 4. Answer, and prove it | 09 rewrite the question, 10 prompt, citations, refusal, 11 evaluate the answers, 12 in production | Is the answer faithful? And who may see it? |
# | the lab, six hours | 13 your own documents | All of it, on a corpus that you know |
#
# From here on a chapter takes 45 to 90 minutes, and builds on the pieces of those before it.
# Chapters 09 to 13 are still being written; the package already holds their functions.

# %% [markdown]
# ## 6. Recap
#
# - A language model does not know your documents, and **invents** rather than keep silent. RAG hands it, for each question,
#   the passages that it needs.
# - **RAG** for many facts that change and must be cited; **long context** for a little text that stays; **fine-tuning** for
#   style.
# - The chain: documents, chunks, index; then question, search, prompt, answer.
# - A prompt has three rules: the sources **only**, **citations**, one exact **refusal**.
# - A citation makes an answer **checkable**, not true.
# - When an answer is wrong, look at **the search first**.

# %%
quiz("00_start")

# %% [markdown]
# ### What next?
#
# 1. The notebook `exercises/en/00_start.ipynb`: copy your two functions into it. It is a practice run at handing in a
#    notebook.
# 2. Chapter 01: it all begins with how documents are **cut**.
#
# The rest of this notebook is for reference. Come back to it when a word or a paper stops you.

# %% [markdown]
# ## For reference: the glossary
#
# The terms of the course in both languages, each with the chapter that builds it.
#
# **The principle**
#
# | English | French | in one sentence | ch. |
# |---|---|---|---|
# | *information retrieval* | recherche d’information | ordering the documents of a corpus by relevance to a query | 02 |
# | *retrieval-augmented generation, RAG* | génération augmentée par la recherche | finding passages, then answering from them | 00 |
# | *large language model, LLM* | grand modèle de langage | a program that continues a text, word after word | 10 |
# | *hallucination* | hallucination | an invention, told with confidence | 10 |
# | *prompt* | consigne, prompt | all the text that the model is given | 10 |
# | *token* | token | what a model or an index counts in: a word, often less | 02 |
# | *context window* | fenêtre de contexte | how much a model can read at once | 10 |
# | *token budget* | budget de tokens | the window, shared among instructions, conversation and sources | 10 |
# | *long context* | contexte long | giving it everything to read, without search | 00 |
# | *fine-tuning* | affinage | training a model further on examples of your own | 00 |
# | *few-shot* | quelques exemples | showing in the prompt what is wanted | 00 |
# | *iterative, agentic RAG* | RAG itératif, agentique | searching several times; letting the model decide when | 09 |
#
# **Documents**
#
# | English | French | in one sentence | ch. |
# |---|---|---|---|
# | *ingestion* | ingestion | from raw files to the index | 01 |
# | *parsing* | analyse (d’un fichier) | getting usable text out of a PDF or a web page | 01 |
# | *OCR* | reconnaissance de texte | reading the letters of an image | 01 |
# | *cleaning, deduplication* | nettoyage, dédoublonnage | taking out menus, banners and copies | 01 |
# | *metadata* | métadonnées | source, date, version, language, allowed readers | 01 |
# | *heading path* | chemin des titres | the headings under which a passage stands | 01 |
# | *chunk* | morceau, fragment | the part of a document that is searched for and handed over | 01 |
# | *chunking* | découpage | how the chunks are made | 01 |
# | *overlap* | recouvrement, chevauchement | what two neighbouring chunks have in common | 01 |
# | *fixed-size, recursive* | à taille fixe, récursif | windows of n words; or the coarsest separator first | 01 |
# | *structural, semantic* | par la structure, sémantique | one chunk a section; or a cut where the subject changes | 01 |
# | *parent-child, small-to-big* | parent-enfant, du petit au grand | find a small chunk, hand over the large one around it | 01 |
# | *contextual retrieval* | récupération contextuelle | saying in front of each chunk where it comes from | 01 |
# | *late chunking* | découpage tardif | embed the whole document first, cut afterwards | 01 |
# | *chunk drift* | dérive de découpage | texts cut anew under an index that was not rebuilt | 01 |

# %% [markdown]
# **Search**
#
# | English | French | in one sentence | ch. |
# |---|---|---|---|
# | *query* | requête | what is being looked for | 02 |
# | *relevance* | pertinence | the judgement, yes or no or in grades, that a passage answers | 05 |
# | *stop words* | mots vides | "the", "is": frequent, and silent about the subject | 02 |
# | *lexical, sparse retrieval* | recherche lexicale, ou creuse | comparing words | 02 |
# | *inverted index* | index inversé | for each word, the list of documents that hold it | 02 |
# | *TF, IDF* | fréquence du terme, rareté | how often here; in how many documents | 02 |
# | *binary independence model* | modèle binaire d’indépendance | the assumption behind IDF: words are independent once relevance is known | 02 |
# | *BM25* | BM25 | rarity × saturating frequency × correction for length | 02 |
# | *baseline* | point de comparaison | the simple method to beat | 02 |
# | *dense retrieval* | recherche dense | comparing vectors that carry the meaning | 03 |
# | *embedding* | plongement | the vector of a text | 03 |
# | *encoder* | encodeur | the model that turns a text into a vector | 03 |
# | *cosine similarity* | similarité cosinus | the cosine of the angle between two vectors | 03 |
# | *latent semantic analysis, LSA* | analyse sémantique latente | embeddings by TF-IDF and SVD | 03 |
# | *bi-encoder* | bi-encodeur | question and passage embedded apart: fast, can be indexed | 03 |
# | *contrastive learning, InfoNCE* | apprentissage contrastif | pulling right pairs together, pushing others apart | 03 |
# | *hard negative* | négatif dur | a passage that looks right and does not answer | 03 |
# | *cross-encoder* | cross-encodeur | question and passage read together: precise, slow | 03, 04 |
# | *late interaction, MaxSim* | interaction tardive | one vector a token, compared one by one | 03 |
# | *hybrid search* | recherche hybride | words and meaning, fused | 04 |
# | *reciprocal rank fusion, RRF* | fusion des rangs réciproques | adding up 1 / (60 + rank) | 04 |
# | *reranking* | reclassement | rereading the best in order to rank them better | 04 |
# | *maximal marginal relevance, MMR* | pertinence marginale maximale | choosing passages that are useful and different | 04 |
# | *query rewriting* | réécriture de requête | spelling out abbreviations, making a question stand alone | 09 |
# | *multi-query* | multi-requête | searching with several wordings, joining the results | 09 |
# | *decomposition* | décomposition | cutting up a compound question | 09 |
# | *HyDE* | réponse hypothétique | searching with an imagined answer | 09 |
#
# **Scaling up**
#
# | English | French | in one sentence | ch. |
# |---|---|---|---|
# | *exact search* | recherche exacte | comparing the question with every vector | 06 |
# | *approximate nearest neighbours, ANN* | plus proches voisins approchés | searching fast, and missing a neighbour now and then | 06 |
# | *inverted file, IVF* | fichier inversé de cellules | visiting only the nearest groups of vectors | 06 |
# | *quantization, product quantization (PQ)* | quantification, quantification produit | smaller vectors, a little less precise | 07 |
# | *HNSW* | graphe navigable hiérarchique | from neighbour to neighbour, by motorway, then by lane | 08 |
# | *index recall* | rappel de l’index | the share of the true neighbours that an approximate index finds | 06 |
# | *filtering* | filtrage | searching among the permitted documents only | 06 |
# | *vector database* | base vectorielle | a store of vectors that can search them | 06 |

# %% [markdown]
# **Measuring and answering**
#
# | English | French | in one sentence | ch. |
# |---|---|---|---|
# | *evaluation set* | jeu d’évaluation | questions, with their passages and answers | 05 |
# | *trap, unanswerable question* | question piège | the documents do not know, and the system must refuse | 05 |
# | *gold chunk* | passage de référence | the one that answers, marked by hand | 05 |
# | *recall@k* | rappel@k | the share of the right passages that are among the first k | 05 |
# | *precision@k* | précision@k | the share of the first k that are right | 05 |
# | *mean reciprocal rank, MRR* | rang réciproque moyen | the mean of 1 / rank of the first right passage | 05 |
# | *nDCG* | gain cumulé actualisé normalisé | graded relevance that counts for more near the top | 05 |
# | *by segment* | par segment | a mean for each kind of document or question | 05 |
# | *confidence interval* | intervalle de confiance | between which values lies a mean measured on few questions | 05 |
# | *ablation* | ablation | changing one piece at a time, and measuring | 13 |
# | *citation* | citation | the number of the source that supports the sentence | 10 |
# | *refusal* | refus | the exact sentence that says: not in the documents | 10 |
# | *extractive answer* | réponse extractive | a sentence copied from the sources as it stands | 10 |
# | *grounding, faithfulness* | ancrage, fidélité | every claim is supported by the passages given | 11 |
# | *accuracy* | exactitude | the answer is true, judged by a reference answer | 11 |
# | *exact match, F1* | correspondance exacte, F1 | comparing the answer with the reference, word by word | 11 |
# | *answer relevance* | pertinence de la réponse | it answers the question that was asked | 11 |
# | *context relevance, precision* | pertinence, précision du contexte | how much of what was given was of use | 11 |
# | *LLM as a judge* | modèle juge | a model that marks, to be calibrated against people | 11 |
# | *Cohen’s kappa* | accord corrigé du hasard | how far two judges really agree | 11 |
#
# **In production**
#
# | English | French | in one sentence | ch. |
# |---|---|---|---|
# | *trace* | trace | the log of every step of a question | 12 |
# | *latency* | latence | the wait: search, reading the prompt, writing | 10 |
# | *prefill* | préremplissage | the model reads the whole prompt before it writes a word | 10 |
# | *cache* | cache | keeping a result, for those who may see it | 12 |
# | *access control, tenant* | contrôle d’accès, locataire | who may read what, decided before the prompt | 12 |
# | *freshness, stale index* | fraîcheur, index périmé | does the index keep up with the documents? | 12 |
# | *derived data* | donnée dérivée | what can be made anew from the documents, such as the index | 12 |
# | *incremental indexing* | indexation incrémentale | redoing only what has changed, deletions included | 12 |
# | *blue-green* | bascule bleu-vert | build the new index beside the old, evaluate it, switch | 12 |
# | *indirect prompt injection* | injection de prompt indirecte | a document that gives the model orders | 12 |

# %% [markdown]
# ## For reference: eleven papers, one map
#
# These are the texts on which the field rests, with the chapter that uses each. Do not read them now: come back chapter by
# chapter.
#
# | paper | what it brought | what to keep | ch. |
# |---|---|---|---|
# | Robertson and Zaragoza, *The Probabilistic Relevance Framework: BM25 and Beyond*, 2009 | where BM25 comes from, by probability | old, fast, and still hard to beat | 02 |
# | Karpukhin et al., *Dense Passage Retrieval*, EMNLP 2020 (arXiv 2004.04906) | two BERT encoders trained to bring question and passage together | better than BM25 on open questions, thanks to contrastive training and its hard negatives | 03 |
# | Lewis et al., *Retrieval-Augmented Generation for Knowledge-Intensive NLP Tasks*, NeurIPS 2020 (2005.11401) | the name RAG; retriever and generator trained together | hardly anyone trains them together now: frozen parts do | 00, 01, 10 |
# | Khattab and Zaharia, *ColBERT*, SIGIR 2020 (2004.12832) | one vector a token, and MaxSim | nearly as precise as a cross-encoder, at far less cost | 03 |
# | Malkov and Yashunin, *HNSW*, 2016, in a journal in 2018 (1603.09320) | a graph in storeys, descended from neighbour to neighbour | the index in widest use; three settings: M, efConstruction, efSearch | 08 |
# | Johnson, Douze and Jégou, *Billion-scale similarity search with GPUs* (FAISS), 2017 (1702.08734) | cells and compression, for a thousand million vectors | compressing costs little recall | 06, 07 |
# | Gao et al., *HyDE*, 2022 (2212.10496) | imagine an answer, and search with it | a gain without training, where question and answer use different words | 09 |
# | Es et al., *RAGAS*, 2023 (2309.15217) | faithfulness and relevance measured without reference answers | the judge is a model: calibrate it against people | 05, 11 |
# | Liu et al., *Lost in the Middle*, 2023 (2307.03172) | models read the middle of a long context badly | best passages first and last, and few of them | 10 |
# | Asai et al., *Self-RAG*, 2023 (2310.11511) | a model that decides when to search, and criticises its answers | the road to agentic RAG | 09, 12 |
# | Gao et al., *Retrieval-Augmented Generation for Large Language Models: A Survey*, 2023 (2312.10997) | the panorama: naive, advanced, modular RAG | a map for choosing your pieces | 00 |
#
# A twelfth one links the first two sessions: Cormack, Clarke and Büttcher, "Reciprocal Rank Fusion outperforms Condorcet and
# individual rank learning methods", SIGIR 2009, in chapter 04.
