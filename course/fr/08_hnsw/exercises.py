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
#     kind: exercises
#     lang: fr
# ---

# %% [markdown]
# # 08. HNSW, un graphe navigable : les exercices
#
# Sept fonctions, d’un simple tirage à l’index entier. À la fin, vous aurez écrit un index HNSW qui marche, et vous le ferez
# tourner sur dix mille vecteurs. Comptez **une demi-heure** si vous avez suivi la leçon : quatre des sept y sont déjà
# (recopiez-les) ; une heure sinon.
#
# **Comment ça marche.** Écrivez la fonction, exécutez sa cellule, puis celle du dessous. Elle essaie votre fonction sur
# des exemples choisis et sur d’autres tirés au hasard ; en cas d’échec, elle montre le plus petit cas qui ne va pas, et
# souvent elle reconnaît l’erreur. Les indices se demandent un par un, avec `hint("hnsw.level")` par exemple.
#
# **Conventions.**
#
# - `vectors` est un tableau NumPy, une ligne par vecteur. Un **nœud** est le numéro d’une ligne.
# - Un **étage** est un dictionnaire : à chaque nœud, la liste de ses voisins. Un nœud absent du dictionnaire n’a pas de
#   voisin.
# - `layers` est la liste des étages, **du bas vers le haut** : `layers[0]` contient tous les nœuds. `entry` est le nœud
#   par lequel une recherche entre, en haut. Un graphe vide, c’est `layers = []` et `entry = None`.
# - Les distances sont les **carrés** des distances euclidiennes, comme dans hnswlib et FAISS : même ordre, sans racine.
#   À distance égale, le plus petit numéro d’abord ; les vérifications ne dépendent pas de ce détail.
#
# Vos fonctions peuvent s’appeler les unes les autres.

# %%
from ragteach.notebook import begin, check, hint, points

begin("08_hnsw", lang="fr", course="1")

# %%
from heapq import heapify, heappop, heappush
from math import floor, log

import numpy as np


def squared_distances(vectors: np.ndarray, ids: list[int], point: np.ndarray) -> np.ndarray:
    """Donner la distance au carré de chaque nœud de ids à un point."""
    gaps = vectors[ids] - point
    return (gaps * gaps).sum(axis=1)


# %% [markdown]
# `squared_distances` vous est donnée : elle mesure plusieurs nœuds d’un coup, ce qui est bien plus rapide qu’un par un.
#
# ## 1. `random_level` : tirer l’étage d’un nœud
#
# **Niveau : échauffement (1 point). Importance : importante. Durée : 3 minutes.**
#
# Donnez l’étage le plus haut d’un nouveau nœud, à partir d’un nombre `u` tiré au hasard dans ]0, 1] :
#
# $$\left\lfloor \frac{-\ln u}{\ln m} \right\rfloor$$
#
# Levez `ValueError` si `u` n’est pas dans ]0, 1], ou si `m` est inférieur à 2.
#
# | appel | résultat |
# |---|---|
# | `random_level(0.05, 16)` | `1`, car −ln(0,05)/ln(16) vaut environ 1,08 |


# %% exercise="hnsw.level"
def random_level(u: float, m: int) -> int:
    """Donner l’étage le plus haut d’un nouveau nœud."""
    ### BEGIN SOLUTION
    if not 0 < u <= 1:
        raise ValueError(f"u doit être dans ]0, 1] ; il vaut {u}.")
    if m < 2:
        raise ValueError(f"m doit valoir au moins 2 ; il vaut {m}.")
    return floor(-log(u) / log(m))
    ### END SOLUTION


# %% check="hnsw.level"
random_level = check("hnsw.level", random_level)
points("hnsw.level")

# %% [markdown] tags=["solution"]
# **Explication.** Le résultat vaut au moins 1 quand $u \le 1/m$, ce qui arrive une fois sur $m$ ; au moins 2 quand
# $u \le 1/m^2$, et ainsi de suite. Chaque étage contient donc environ un nœud sur $m$ de l’étage du dessous.
#
# **Erreurs fréquentes**
# - multiplier par `log(m)` : dans l’article, $m_L$ est $1/\ln m$.
# - `round` : des nœuds montent un étage trop haut.
# - oublier le signe moins : `log(u)` est négatif.

# %% [markdown]
# ## 2. `greedy_search` : marcher de voisin en voisin
#
# **Niveau : échauffement (1 point). Importance : essentielle. Durée : 6 minutes.**
#
# Dans un étage, partez de `entry`. À chaque pas, allez vers celui des voisins qui est **le plus proche de la question**,
# mais seulement s’il est **strictement** plus proche d’elle que le nœud où vous êtes. Rendez le nœud où vous vous
# arrêtez.
#
# Levez `ValueError` si `entry` n’est pas le numéro d’une ligne de `vectors` (`-1` non plus).
#
# | appel | résultat |
# |---|---|
# | `greedy_search(np.array([[0.0], [1], [2]]), {0: [1], 1: [0, 2]}, np.array([1.8]), 0)` | `2` |


# %% exercise="hnsw.greedy"
def greedy_search(
    vectors: np.ndarray, neighbours: dict[int, list[int]], query: np.ndarray, entry: int
) -> int:
    """Marcher vers le voisin le plus proche de la question, tant que cela rapproche."""
    ### BEGIN SOLUTION
    if not 0 <= entry < len(vectors):
        raise ValueError(f"entry doit être le numéro d’un vecteur ; il vaut {entry}.")
    node, distance = entry, squared_distances(vectors, [entry], query)[0]
    while neighbours.get(node):
        around = squared_distances(vectors, neighbours[node], query)
        nearest = around.argmin()
        if around[nearest] >= distance:
            break
        node, distance = neighbours[node][nearest], around[nearest]
    return node
    ### END SOLUTION


# %% check="hnsw.greedy"
greedy_search = check("hnsw.greedy", greedy_search)
points("hnsw.greedy")

# %% [markdown] tags=["solution"]
# **Explication.** On garde le nœud et sa distance. Tous les voisins se mesurent d’un coup, et `argmin` donne le plus
# proche. Si lui-même ne rapproche pas, aucun ne le fait : on s’arrête. `neighbours.get(node)` vaut `None` pour un nœud
# sans liste, ce qui arrête aussi la boucle.
#
# **Erreurs fréquentes**
# - partir vers le *premier* voisin qui rapproche, au lieu du plus proche.
# - bouger à distance égale : deux nœuds à égalité se renvoient la balle sans fin.
# - chercher le voisin le plus proche de *l’endroit où l’on est* : c’est la question qui compte.

# %% [markdown]
# ## 3. `search_layer` : explorer un étage sans s’y enfermer
#
# **Niveau : difficile (3 points). Importance : essentielle. Durée : 12 minutes.**
#
# C’est l’algorithme 2 de l’article. Tenez à jour
#
# - les **candidats** : les nœuds vus, mais pas encore explorés ;
# - les **résultats** : au plus `ef` nœuds, les plus proches vus jusqu’ici ;
# - les nœuds déjà **vus** : chacun n’est mesuré qu’une fois.
#
# Au début, les points d’entrée sont dans les trois (un point d’entrée répété compte une fois). Ensuite, répétez :
# prenez le candidat le plus proche de la question ; s’il est plus loin que le **pire** des résultats, arrêtez. Sinon,
# regardez ses voisins jamais vus : chacun devient candidat et résultat s’il y a moins de `ef` résultats, ou s’il bat le
# pire ; au-delà de `ef` résultats, le pire s’en va.
#
# Rendez les résultats sous forme de couples `(distance au carré, nœud)`, le plus proche d’abord. Levez `ValueError` si
# `ef` est inférieur à 1, s’il n’y a aucun point d’entrée, ou si l’un d’eux n’est pas le numéro d’une ligne de `vectors`.
#
# | appel | résultat |
# |---|---|
# | `search_layer(np.array([[0.0], [1], [3]]), {0: [1], 1: [0, 2]}, np.array([2.5]), [0], 2)` | `[(0.25, 2), (2.25, 1)]` |


# %% exercise="hnsw.search_layer"
def search_layer(
    vectors: np.ndarray,
    neighbours: dict[int, list[int]],
    query: np.ndarray,
    entry_points: list[int],
    ef: int,
) -> list[tuple[float, int]]:
    """Rendre les ef nœuds trouvés les plus proches, en couples (distance au carré, nœud)."""
    ### BEGIN SOLUTION
    if ef < 1:
        raise ValueError(f"ef doit valoir au moins 1 ; il vaut {ef}.")
    if len(entry_points) == 0 or not all(0 <= node < len(vectors) for node in entry_points):
        raise ValueError("entry_points doit contenir des numéros de vecteurs.")
    seen = set(entry_points)
    candidates = list(
        zip(squared_distances(vectors, list(seen), query).tolist(), seen, strict=True)
    )
    heapify(candidates)  # le plus proche sur le dessus
    found = [(-distance, -node) for distance, node in sorted(candidates)[:ef]]
    heapify(found)  # le plus éloigné sur le dessus, d’où les signes
    while candidates:
        distance, here = heappop(candidates)
        if distance > -found[0][0]:
            break
        new = [node for node in neighbours.get(here, []) if node not in seen]
        seen.update(new)
        distances = squared_distances(vectors, new, query).tolist() if new else []
        for distance, node in zip(distances, new, strict=True):
            if len(found) < ef or distance < -found[0][0]:
                heappush(candidates, (distance, node))
                heappush(found, (-distance, -node))
                if len(found) > ef:
                    heappop(found)
    return sorted((-distance, -node) for distance, node in found)
    ### END SOLUTION


# %% check="hnsw.search_layer"
search_layer = check("hnsw.search_layer", search_layer)
points("hnsw.search_layer")

# %% [markdown] tags=["solution"]
# **Explication.** Un tas (`heapq`) donne son plus petit élément sans trier le reste. Les candidats y vont tels quels ;
# les résultats y vont avec le signe moins, pour que le **plus éloigné** soit sur le dessus, prêt à partir. Les voisins
# d’un nœud se mesurent d’un coup : c’est ce qui rend la fonction assez rapide pour dix mille vecteurs.
#
# **Erreurs fréquentes**
# - comparer le candidat au *meilleur* résultat : on s’arrête beaucoup trop tôt.
# - n’accepter un nœud que s’il bat le pire, même quand il y a moins de `ef` résultats.
# - oublier que les points d’entrée sont aussi des résultats.
# - ne pas retenir les nœuds vus : les doublons prennent la place des bons.
# - rendre des racines carrées, ou les couples dans l’autre sens.

# %% [markdown]
# ## 4. `select_neighbours` : choisir dans toutes les directions
#
# **Niveau : difficile (3 points). Importance : essentielle. Durée : 10 minutes.**
#
# C’est l’heuristique de l’article (algorithme 4). Prenez les candidats du plus proche de `base` au plus éloigné. Gardez
# chacun, sauf s’il est **strictement plus proche d’un nœud déjà gardé que de `base`**. Arrêtez-vous à `m` nœuds gardés.
#
# - À égalité exacte des deux distances, le candidat reste.
# - Un candidat écarté ne revient pas : il peut y avoir moins de `m` voisins, comme dans hnswlib et FAISS.
# - `base` n’est jamais son propre voisin, et un candidat répété compte une fois.
# - Rendez les nœuds gardés, le plus proche d’abord.
#
# Levez `ValueError` si `m` est inférieur à 1, ou si `base` ou un candidat n’est pas le numéro d’une ligne de `vectors`.
#
# | appel | résultat |
# |---|---|
# | `select_neighbours(np.array([[0.0], [1], [2], [-3]]), 0, [1, 2, 3], 3)` | `[1, 3]` : le nœud 2 est derrière le nœud 1 |


# %% exercise="hnsw.select"
def select_neighbours(
    vectors: np.ndarray, base: int, candidates: list[int], m: int
) -> list[int]:
    """Choisir au plus m voisins de base, qui partent dans des directions différentes."""
    ### BEGIN SOLUTION
    if m < 1:
        raise ValueError(f"m doit valoir au moins 1 ; il vaut {m}.")
    if not all(0 <= node < len(vectors) for node in (base, *candidates)):
        raise ValueError("base et candidates doivent être des numéros de vecteurs.")
    left = np.array(sorted(set(candidates) - {base}), dtype=int)
    to_base = squared_distances(vectors, left, vectors[base])
    order = to_base.argsort(kind="stable")
    left, to_base = left[order], to_base[order]
    selected = []
    while len(left) and len(selected) < m:
        nearest = left[0]
        selected.append(int(nearest))
        stays = squared_distances(vectors, left, vectors[nearest]) >= to_base
        stays[0] = False
        left, to_base = left[stays], to_base[stays]
    return selected
    ### END SOLUTION


# %% check="hnsw.select"
select_neighbours = check("hnsw.select", select_neighbours)
points("hnsw.select")

# %% [markdown] tags=["solution"]
# **Explication.** Au lieu de comparer chaque candidat à tous les nœuds gardés, on fait l’inverse : dès qu’un nœud est
# gardé, tous ceux qui sont plus proches de lui que de la base disparaissent, en une opération sur un tableau. Il reste à
# prendre le premier de ceux qui restent, et à recommencer. Au plus `m` tours.
#
# **Erreurs fréquentes**
# - garder les `m` plus proches : ils peuvent être tous du même côté.
# - ne comparer qu’au dernier nœud gardé, ou qu’au premier.
# - compléter jusqu’à `m` avec des candidats écartés.
# - laisser la base parmi les candidats : à distance zéro, elle écarte tout le monde.

# %% [markdown]
# ## 5. `connect` : lier dans les deux sens
#
# **Niveau : standard (2 points). Importance : importante. Durée : 8 minutes.**
#
# Reliez `node` à chacun des nœuds de `selected`, **dans les deux sens**, et rendez le nouvel étage : tous les nœuds de
# l’ancien, et `node` (avec une liste vide si `selected` l’est). Chaque voisin figure une fois. Si `node` ou l’un des
# `selected` a maintenant **plus de** `m_max` voisins, `select_neighbours` choisit parmi eux ; le lien disparaît alors de
# ce côté-là seulement. Les autres nœuds gardent leurs listes.
#
# L’étage reçu, et les listes qu’il contient, restent **tels quels** : d’autres s’en servent peut-être.
#
# Levez `ValueError` si `m_max` est inférieur à 1, ou si `node` est parmi les `selected`.
#
# | appel | résultat |
# |---|---|
# | `connect(np.array([[0.0], [1], [2]]), {0: [1], 1: [0]}, 2, [1], 3)` | `{0: [1], 1: [0, 2], 2: [1]}` |


# %% exercise="hnsw.connect"
def connect(
    vectors: np.ndarray,
    neighbours: dict[int, list[int]],
    node: int,
    selected: list[int],
    m_max: int,
) -> dict[int, list[int]]:
    """Relier node à chacun des selected, dans les deux sens, au plus m_max voisins chacun."""
    ### BEGIN SOLUTION
    if m_max < 1:
        raise ValueError(f"m_max doit valoir au moins 1 ; il vaut {m_max}.")
    if node in selected:
        raise ValueError("selected ne doit pas contenir node.")
    layer = dict(neighbours)
    layer[node] = [*layer.get(node, []), *selected]
    for other in selected:
        layer[other] = [*layer.get(other, []), node]
    for linked in (node, *selected):
        layer[linked] = list(dict.fromkeys(layer[linked]))
        if len(layer[linked]) > m_max:
            layer[linked] = select_neighbours(vectors, linked, layer[linked], m_max)
    return layer
    ### END SOLUTION


# %% check="hnsw.connect"
connect = check("hnsw.connect", connect)
points("hnsw.connect")

# %% [markdown] tags=["solution"]
# **Explication.** `dict(neighbours)` copie le dictionnaire, mais pas les listes : un `append` changerait celles de
# l’appelant. On fabrique donc une liste neuve pour chaque nœud touché, et pour eux seulement : copier toutes les listes
# serait juste, mais bien trop lent dans un grand graphe.
#
# **Erreurs fréquentes**
# - `layer[other].append(node)` : modifie la liste reçue.
# - lier dans un seul sens : on ne trouvera jamais le nouveau nœud.
# - élaguer en gardant les plus proches, ou les plus anciens, au lieu d’appeler `select_neighbours`.
# - couper l’autre sens quand un côté abandonne un lien.

# %% [markdown]
# ## 6. `insert` : insérer un nœud
#
# **Niveau : difficile (3 points). Importance : essentielle. Durée : 12 minutes.**
#
# Insérez `node` dans les étages 0 à `level`, et rendez `(layers, entry)` ; les anciens étages restent tels quels.
#
# 1. De l’étage du haut jusqu’au-dessus de `level`, **descendez** avec `greedy_search`.
# 2. De `min(level, étage du haut)` jusqu’à 0 : **cherchez** avec `search_layer` et `ef_construction`, **choisissez** avec
#    `select_neighbours` au plus `m` nœuds parmi ceux trouvés, **liez** avec `connect`. La borne `m_max` est **`2 * m` à
#    l’étage 0 et `m` au-dessus**. Le plus proche trouvé est l’entrée de l’étage suivant.
# 3. Si `level` dépasse l’étage du haut, **ouvrez** les étages qui manquent, où le nœud est seul (`{node: []}`) ; il
#    devient alors, et alors seulement, le point d’entrée.
#
# Le premier nœud arrive dans `layers = []`, `entry = None`. Levez `ValueError` si `m` est inférieur à 2, si `level` est
# négatif, ou si le nœud est déjà dans le graphe.
#
# Deux bons programmes peuvent donner des graphes différents. La vérification regarde donc si le graphe tient ses
# promesses : étages, bornes, liens dans les deux sens, voisins bien choisis, rien d’abîmé ailleurs.
#
# | appel | résultat |
# |---|---|
# | `insert(np.array([[0.0], [1]]), [{0: []}], 0, 1, 0, 2, 10)` | `([{0: [1], 1: [0]}], 0)` |


# %% exercise="hnsw.insert"
def insert(
    vectors: np.ndarray,
    layers: list[dict[int, list[int]]],
    entry: int | None,
    node: int,
    level: int,
    m: int,
    ef_construction: int,
) -> tuple[list[dict[int, list[int]]], int]:
    """Insérer un nœud dans les étages 0 à level, et rendre (layers, entry)."""
    ### BEGIN SOLUTION
    if m < 2:
        raise ValueError(f"m doit valoir au moins 2 ; il vaut {m}.")
    if level < 0:
        raise ValueError(f"level ne doit pas être négatif ; il vaut {level}.")
    if layers and node in layers[0]:
        raise ValueError(f"le nœud {node} est déjà dans le graphe.")
    layers, top, here = list(layers), len(layers) - 1, entry
    for n in range(top, level, -1):
        here = greedy_search(vectors, layers[n], vectors[node], here)
    for n in range(min(level, top), -1, -1):
        found = search_layer(vectors, layers[n], vectors[node], [here], ef_construction)
        found = [other for _, other in found]
        selected = select_neighbours(vectors, node, found, m)
        m_max = 2 * m if n == 0 else m
        layers[n] = connect(vectors, layers[n], node, selected, m_max)
        here = found[0]
    for _ in range(top, level):
        layers.append({node: []})
    return layers, node if level > top else entry
    ### END SOLUTION


# %% check="hnsw.insert"
insert = check("hnsw.insert", insert)
points("hnsw.insert")

# %% [markdown] tags=["solution"]
# **Explication.** Trois boucles, une par temps. Pour un graphe vide, `top` vaut −1 : les deux premières ne tournent pas,
# et la troisième ouvre tous les étages. `list(layers)` copie la liste des étages ; `connect` rend un étage neuf, et
# l’ancien reste entier.
#
# **Erreurs fréquentes**
# - `range(min(level, top), 0, -1)` : l’étage 0 est oublié.
# - la même borne partout. L’étage 0 décide du rappel, d’où ses `2 * m` liens.
# - `level >= top` : un nœud qui atteint l’étage du haut sans le dépasser ne devient pas le point d’entrée.
# - garder les `m` plus proches au lieu d’appeler `select_neighbours`.

# %% [markdown]
# ## 7. `hnsw_search` : chercher dans tout le graphe
#
# **Niveau : standard (2 points). Importance : essentielle. Durée : 6 minutes.**
#
# Descendez de l’étage du haut à l’étage 1 avec `greedy_search`, puis cherchez à l’étage 0 avec `search_layer`. Rendez
# les `k` nœuds les plus proches trouvés, le plus proche d’abord.
#
# - Comme dans hnswlib, un `ef` plus petit que `k` compte pour `k`.
# - S’il y a moins de `k` nœuds, rendez ceux qui existent ; un graphe vide donne `[]`. `vectors` peut contenir des
#   vecteurs qui ne sont pas encore dans le graphe : on ne les trouve pas.
# - Levez `ValueError` si `k` ou `ef` est inférieur à 1.
#
# Sur les deux cents vecteurs en grappes de la vérification, il faut trouver au moins 95 % des dix plus proches.
#
# | appel | résultat |
# |---|---|
# | `hnsw_search(np.array([[0.0], [1], [3]]), [{0: [1], 1: [0, 2], 2: [1]}], 0, np.array([2.5]), 2, 2)` | `[2, 1]` |


# %% exercise="hnsw.search"
def hnsw_search(
    vectors: np.ndarray,
    layers: list[dict[int, list[int]]],
    entry: int | None,
    query: np.ndarray,
    k: int,
    ef: int,
) -> list[int]:
    """Rendre les k nœuds trouvés les plus proches de la question."""
    ### BEGIN SOLUTION
    if k < 1 or ef < 1:
        raise ValueError(f"k et ef doivent valoir au moins 1 ; ils valent {k} et {ef}.")
    if not layers:
        return []
    for layer in reversed(layers[1:]):
        entry = greedy_search(vectors, layer, query, entry)
    found = search_layer(vectors, layers[0], query, [entry], max(k, ef))
    return [node for _, node in found[:k]]
    ### END SOLUTION


# %% check="hnsw.search"
hnsw_search = check("hnsw.search", hnsw_search)
points("hnsw.search")

# %% [markdown] tags=["solution"]
# **Explication.** C’est l’algorithme 5 de l’article. En haut, un seul nœud suffit pour s’orienter ; en bas, on en garde
# `ef`. On ne coupe à `k` qu’à la fin.
#
# **Erreurs fréquentes**
# - `layers[1:]` sans `reversed` : on descendrait en montant.
# - chercher avec `k` au lieu de `max(k, ef)`, ou avec `ef` seul.
# - `layers[-1]` pour l’étage du bas : c’est celui du haut.

# %% [markdown]
# ## Votre HNSW sur dix mille vecteurs
#
# Voici vos sept fonctions assemblées. La cellule insère dix mille vecteurs en grappes, un par un, puis pose cent
# questions et compare à la recherche exacte. Comptez de dix à trente secondes. (Tant que `hnsw_search` n’est pas
# juste, elle se contente de mille vecteurs.)

# %%
from ragteach.corpus.vectors import clustered_vectors
from ragteach.explore import number

N = 10_000 if points("hnsw.search") else 1_000
M, EF_CONSTRUCTION = 8, 32
vectors, queries = clustered_vectors(N, dims=16)
layers, entry = [], None
for node, u in enumerate(1 - np.random.default_rng(0).random(N)):
    level = random_level(u, M)
    layers, entry = insert(vectors, layers, entry, node, level, M, EF_CONSTRUCTION)
print("nœuds par étage, du bas vers le haut :", [len(layer) for layer in layers])

# %%
exact = [np.argsort(((vectors - query) ** 2).sum(axis=1))[:10].tolist() for query in queries]
for ef in (10, 20, 40):
    found = [hnsw_search(vectors, layers, entry, query, 10, ef) for query in queries]
    shared = [len(set(a) & set(b)) / 10 for a, b in zip(found, exact, strict=True)]
    print(f"ef = {ef} : rappel@10 = {number(np.mean(shared), 'fr')}")

# %% [markdown]
# Plus `ef` est grand, plus on trouve : c’est tout le réglage d’un HNSW en service. Vous avez maintenant en main la
# structure qui fait tourner la plupart des bases vectorielles.
