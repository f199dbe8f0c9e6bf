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
#     kind: exercises
#     lang: fr
# ---

# %% [markdown]
# # 06. Recherche exacte, puis cellules : exercices
#
# Sept fonctions et une question écrite. Ensemble, les fonctions font une recherche qui passe à l’échelle : une
# recherche exacte qui sert de référence, les cellules, la recherche dans quelques-unes, sa mesure, et un filtre qui ne
# fuit pas. Comptez **une demi-heure** si vous avez fait la leçon : quatre des sept y sont déjà (recopiez-les), les
# trois autres sont nouvelles.
#
# **Mode d’emploi.** Écrivez la fonction, exécutez sa cellule, puis celle d’en dessous. Elle essaie votre fonction sur
# des exemples choisis et sur d’autres tirés au hasard ; en cas d’échec, vous voyez le plus petit cas qui ne va pas et,
# souvent, le nom de l’erreur. Les indices viennent un par un : exécutez par exemple `hint("ivf.exact")`. Vous pouvez
# exécuter tout le carnet quand vous voulez : un exercice vide n’arrête pas les suivants.
#
# **Conventions.** Les vecteurs sont les lignes d’un tableau NumPy de forme (N, d), numérotées à partir de 0 ; tout se
# compare par **produit scalaire**, et plus grand veut dire plus proche. À égalité, le plus petit numéro vient d’abord.
# Quand l’énoncé le dit, une fonction qui reçoit un argument sans signification lève `ValueError`, avec une phrase qui
# nomme l’argument. Vos fonctions peuvent s’appeler entre elles.

# %%
from ragteach.notebook import begin, check, hint, points

begin("06_ivf", lang="fr", course="1")

# %%
import numpy as np

# %% [markdown]
# ## 1. `exact_search` : tout mesurer
#
# **Niveau : échauffement (1 point). Importance : essentielle. Durée : 4 minutes.**
#
# Rendez les numéros des `k` vecteurs dont le produit scalaire avec `query` est le plus grand, du meilleur au moins bon.
# Les vecteurs ont une longueur quelconque : ce n’est donc pas le cosinus.
#
# - À égalité, le plus petit numéro vient d’abord. (`np.argpartition` est permis, mais il ne trie pas, et départage les
#   ex æquo comme il veut.)
# - S’il y a moins de `k` vecteurs, rendez-les tous. Un produit négatif se classe comme un autre.
# - Levez `ValueError` si `k` est inférieur à 1.
#
# | appel | résultat |
# |---|---|
# | `exact_search(np.array([[2., 1.], [0., 3.], [1., 0.]]), np.array([1., 2.]), 2)` | `[1, 0]` (produits 4, 6, 1) |


# %% exercise="ivf.exact"
def exact_search(vectors: np.ndarray, query: np.ndarray, k: int) -> list[int]:
    """Rendre les k vecteurs de plus grand produit scalaire avec la question, du meilleur au moins bon."""
    ### BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"k doit valoir au moins 1, et vaut {k}.")
    scores = vectors @ query
    return np.argsort(-scores, kind="stable")[:k].tolist()
    ### END SOLUTION


# %% check="ivf.exact"
exact_search = check("ivf.exact", exact_search)
points("ivf.exact")

# %% [markdown] tags=["solution"]
# **Explication.** `vectors @ query` est le produit d’une matrice et d’un vecteur : tous les scores d’un coup. Trier les
# scores **changés de signe**, par un tri **stable**, met les plus grands devant et laisse les ex æquo dans l’ordre des
# numéros. Une tranche `[:k]` ne dépasse jamais. En production, on ne trie que les gagnants (`np.argpartition`), mais il
# faut alors les trier ensuite et veiller aux égalités.
#
# **Erreurs fréquentes**
# - `np.argsort(scores)[::-1]` : les ex æquo sortent à l’envers.
# - `np.argpartition(-scores, k)[:k]` tel quel : les bons vecteurs, sans ordre ; et une erreur quand `k` est trop grand.
# - diviser par les normes : c’est le cosinus, une autre question.

# %% [markdown]
# ## 2. `assign` : la cellule de chaque vecteur
#
# **Niveau : échauffement (1 point). Importance : essentielle. Durée : 3 minutes.**
#
# Pour chaque vecteur, rendez le numéro du centre avec lequel son **produit scalaire** est le plus grand : un tableau de
# N entiers. À égalité, le plus petit numéro.
#
# | appel | résultat |
# |---|---|
# | `assign(np.array([[2., 1.], [0., 3.]]), np.array([[1., 0.], [0., 1.]]))` | `[0, 1]` |


# %% exercise="ivf.assign"
def assign(vectors: np.ndarray, centroids: np.ndarray) -> np.ndarray:
    """Rendre la cellule de chaque vecteur : le centre de plus grand produit scalaire."""
    ### BEGIN SOLUTION
    return (vectors @ centroids.T).argmax(axis=1)
    ### END SOLUTION


# %% check="ivf.assign"
assign = check("ivf.assign", assign)
points("ivf.assign")

# %% [markdown] tags=["solution"]
# **Explication.** `vectors @ centroids.T` a une ligne par vecteur et une colonne par centre ; `argmax(axis=1)` trouve
# la meilleure colonne de chaque ligne, et garde la première en cas d’égalité.
#
# **Erreurs fréquentes**
# - `argmin` : il va avec une distance, pas avec un produit.
# - `axis=0` : le meilleur vecteur de chaque centre, ce qui est autre chose.
# - comparer des distances : les mêmes cellules si tous les centres ont la norme 1, d’autres sinon.

# %% [markdown]
# ## 3. `kmeans` : trouver les centres
#
# **Niveau : difficile (3 points). Importance : essentielle. Durée : 12 minutes.**
#
# Rendez `n_cells` centres, un tableau de forme (n_cells, d), par **k-means sphérique**. Les vecteurs ont tous la norme
# 1. Tirez-en `n_cells` comme premiers centres (le tirage dépend de `seed`), puis répétez `n_iter` fois :
#
# 1. confiez chaque vecteur au centre avec lequel son produit scalaire est le plus grand ;
# 2. si une cellule est **vide**, déplacez son centre sur le vecteur le plus mal servi, celui dont le produit avec son
#    propre centre est le plus petit, et mettez ce vecteur dans la cellule ;
# 3. remplacez chaque centre par la somme des vecteurs de sa cellule, divisée par sa norme. (Une cellule qui vient de
#    perdre son dernier vecteur garde son centre : le tour suivant la remplit.)
#
# Aucun générateur n’est imposé : la vérification n’attend donc pas de nombres précis. Elle veut des centres de **norme
# 1** ; **aucune cellule vide** (elle ne demande jamais plus de cellules qu’il n’y a de vecteurs différents) ; et, après
# 25 tours ou plus sur une dizaine de vecteurs, ou avec une seule cellule, des centres **stabilisés** : un tour de plus ne
# doit rien gagner.
#
# Levez `ValueError` si `n_cells` ou `n_iter` est inférieur à 1, ou s’il y a plus de cellules que de vecteurs (nommez
# les deux nombres).
#
# | appel | résultat |
# |---|---|
# | `kmeans(np.array([[1., 0.], [0.6, 0.8]]), 1)` | environ `[[0.894, 0.447]]` : la direction de la somme |


# %% exercise="ivf.kmeans"
def kmeans(vectors: np.ndarray, n_cells: int, n_iter: int = 8, seed: int = 0) -> np.ndarray:
    """Rendre n_cells centres de norme 1, dont aucun ne reste sans vecteur."""
    ### BEGIN SOLUTION
    if n_cells < 1 or n_iter < 1:
        raise ValueError(f"n_cells et n_iter doivent valoir au moins 1 : {n_cells}, {n_iter}.")
    if n_cells > len(vectors):
        raise ValueError(f"n_cells vaut {n_cells}, et il n’y a que {len(vectors)} vecteurs.")
    rng = np.random.default_rng(seed)
    centroids = vectors[rng.choice(len(vectors), n_cells, replace=False)]
    for _ in range(n_iter):
        cells = assign(vectors, centroids)
        for c in range(n_cells):
            if not (cells == c).any():
                served = (vectors * centroids[cells]).sum(axis=1)
                worst = served.argmin()
                centroids[c] = vectors[worst]
                cells[worst] = c
        for c in range(n_cells):
            if (cells == c).any():
                total = vectors[cells == c].sum(axis=0)
                centroids[c] = total / np.linalg.norm(total)
    return centroids
    ### END SOLUTION


# %% check="ivf.kmeans"
kmeans = check("ivf.kmeans", kmeans)
points("ivf.kmeans")

# %% [markdown] tags=["solution"]
# **Explication.** Ce que k-means agrandit, c’est la somme des produits de chaque vecteur avec son propre centre.
# L’étape 1 choisit le meilleur centre pour chaque vecteur, l’étape 3 le meilleur vecteur de norme 1 pour chaque cellule
# (la direction de la somme) : ni l’une ni l’autre ne peut faire baisser cette somme. L’étape 2 non plus, puisqu’un
# centre sans vecteur n’apporte rien là où il est. La somme monte donc, et elle ne peut pas monter toujours : les
# centres se posent. Ils se posent à *une* bonne place, pas à la meilleure : une autre graine donne d’autres cellules.
#
# **Erreurs fréquentes**
# - laisser les moyennes telles quelles : elles sont plus courtes que 1, et les cellules serrées attirent alors plus
#   qu’elles ne devraient.
# - `np.linalg.norm(centroids)` sans `axis=1` : une seule norme pour toute la matrice.
# - `vectors[cells == c].mean(axis=0)` pour une cellule vide : `nan`, qui se répand.
# - sauter les cellules vides : vous en demandiez 64, vous cherchez dans 50.
# - un `return` décalé d’un cran à droite : un seul tour.

# %% [markdown]
# ## 4. `build_cells` : le contenu des cellules
#
# **Niveau : échauffement (1 point). Importance : importante. Durée : 4 minutes.**
#
# `assignment[i]` est la cellule du vecteur i. Rendez une liste de `n_cells` tableaux (ou listes) : la place c contient les
# numéros des vecteurs de la cellule c, par ordre croissant. Chaque vecteur est à une place et une seule ; une cellule
# vide est à la sienne, vide.
#
# Levez `ValueError` si `n_cells` est inférieur à 1, ou si un numéro de `assignment` n’est pas entre 0 et `n_cells - 1`.
#
# | appel | résultat |
# |---|---|
# | `build_cells(np.array([2, 0, 2]), 4)` | `[[1], [], [0, 2], []]` |


# %% exercise="ivf.build_cells"
def build_cells(assignment: np.ndarray, n_cells: int) -> list[np.ndarray]:
    """Rendre les numéros des vecteurs de chaque cellule, cellules vides comprises."""
    ### BEGIN SOLUTION
    if n_cells < 1:
        raise ValueError(f"n_cells doit valoir au moins 1, et vaut {n_cells}.")
    if any(cell < 0 or cell >= n_cells for cell in assignment):
        raise ValueError(f"assignment ne doit contenir que des numéros de 0 à {n_cells - 1}.")
    return [np.flatnonzero(assignment == cell) for cell in range(n_cells)]
    ### END SOLUTION


# %% check="ivf.build_cells"
build_cells = check("ivf.build_cells", build_cells)
points("ivf.build_cells")

# %% [markdown] tags=["solution"]
# **Explication.** C’est de nouveau l’index inversé du chapitre 02 : une cellule au lieu d’un mot, et la liste de ceux
# qui s’y trouvent. Parcourir `range(n_cells)` garde les cellules vides à leur place, si bien que la cellule c reste
# celle du centre c.
#
# **Erreurs fréquentes**
# - grouper dans un dictionnaire et rendre ses valeurs : les cellules vides ont disparu, et les autres ont bougé.
# - `[[]] * n_cells` : n fois la *même* liste.
# - laisser passer −1 : pour Python, c’est la dernière cellule.

# %% [markdown]
# ## 5. `ivf_search` : chercher dans quelques cellules
#
# **Niveau : standard (2 points). Importance : essentielle. Durée : 8 minutes.**
#
# Rendez les `k` meilleurs vecteurs par produit scalaire avec la question, du meilleur au moins bon, parmi ceux des
# `nprobe` cellules dont le centre a le plus grand produit scalaire avec elle. `cells[c]` contient les numéros des vecteurs
# du centre c, comme `build_cells` les donne.
#
# - **Les cellules vides ne comptent pas** : on les saute, et elles ne sont pas comptées dans `nprobe`.
# - Si `nprobe` dépasse le nombre de cellules, toutes sont visitées ; le résultat est alors celui de `exact_search`.
# - Si les cellules visitées contiennent moins de `k` vecteurs, rendez ceux-là. Si toutes les cellules sont vides, rendez
#   `[]`.
# - À égalité, le plus petit numéro d’abord, entre vecteurs comme entre cellules.
# - Levez `ValueError` si `k` ou `nprobe` est inférieur à 1.
#
# Attention à l’ordre des arguments : ici, la question vient en premier.
#
# Avec `vectors = np.array([[0., 3.], [1., 0.], [2., 0.]])`, `centroids = np.array([[1., 0.], [0., 1.]])`, `cells =
# [np.array([1, 2]), np.array([0])]` et `query = np.array([3., 2.])` :
#
# | appel | résultat |
# |---|---|
# | `ivf_search(query, vectors, centroids, cells, k=2, nprobe=1)` | `[2, 1]` : le vecteur 0 est dans l’autre cellule |
# | `ivf_search(query, vectors, centroids, cells, k=2, nprobe=2)` | `[0, 2]` : exact (0 et 2 valent 6 tous les deux) |


# %% exercise="ivf.search"
def ivf_search(
    query: np.ndarray,
    vectors: np.ndarray,
    centroids: np.ndarray,
    cells: list[np.ndarray],
    k: int,
    nprobe: int,
) -> list[int]:
    """Rendre les k meilleurs vecteurs parmi ceux des nprobe cellules les plus proches de la question."""
    ### BEGIN SOLUTION
    if k < 1 or nprobe < 1:
        raise ValueError(f"k et nprobe doivent valoir au moins 1 : {k}, {nprobe}.")
    order = np.argsort(-(centroids @ query), kind="stable")
    probed = [cell for cell in order if len(cells[cell]) > 0][:nprobe]
    if not probed:
        return []
    candidates = np.sort(np.concatenate([cells[cell] for cell in probed]))
    places = exact_search(vectors[candidates], query, k)
    return candidates[places].tolist()
    ### END SOLUTION


# %% check="ivf.search"
ivf_search = check("ivf.search", ivf_search)
points("ivf.search")

# %% [markdown] tags=["solution"]
# **Explication.** Quelles cellules, quels candidats, quel classement : trois lignes. `exact_search` répond par des
# *places* parmi les candidats, et `candidates[places]` en fait des numéros de vecteurs. Trier d’abord les candidats met
# les places dans l’ordre des numéros : les ex æquo sont bien rangés, eux aussi.
#
# **Erreurs fréquentes**
# - rendre les places.
# - classer dans chaque cellule, puis mettre les cellules bout à bout.
# - `np.concatenate([])` : une erreur quand toutes les cellules sont vides.
# - laisser une cellule vide user une visite, comme FAISS : une question peut alors ne rien trouver.

# %% [markdown]
# ## 6. `ann_recall` : qu’a-t-on manqué ?
#
# **Niveau : échauffement (1 point). Importance : essentielle. Durée : 3 minutes.**
#
# Rendez la part des voisins exacts que contient la liste approchée. L’ordre ne compte pas, un numéro répété compte une
# fois, et quand il n’y a rien à trouver le rappel vaut `1.0`.
#
# C’est le « recall@k » de FAISS et des bancs d’essai de la recherche approchée : l’accord de deux listes de voisins. Ce
# n’est pas le rappel du chapitre 05, qui demande des passages annotés comme pertinents.
#
# | appel | résultat |
# |---|---|
# | `ann_recall([4, 8, 1], [8, 1, 5, 4])` | `0.75` |


# %% exercise="ivf.ann_recall"
def ann_recall(approximate: list[int], exact: list[int]) -> float:
    """Rendre la part des voisins exacts que contient la liste approchée."""
    ### BEGIN SOLUTION
    if len(exact) == 0:
        return 1.0
    return len(set(approximate) & set(exact)) / len(set(exact))
    ### END SOLUTION


# %% check="ivf.ann_recall"
ann_recall = check("ivf.ann_recall", ann_recall)
points("ivf.ann_recall")

# %% [markdown] tags=["solution"]
# **Explication.** Les ensembles font tout : l’ordre et les répétitions s’en vont, et `&` garde ce qui est dans les
# deux. On divise par ce qu’il fallait trouver.
#
# **Erreurs fréquentes**
# - comparer place à place : un voisin manqué en tête décalerait tous les autres.
# - diviser par la longueur de la liste approchée : c’est une précision.
# - oublier la liste vide : `ZeroDivisionError`.

# %% [markdown]
# ## 7. `filtered_search` : parmi les documents permis
#
# **Niveau : standard (2 points). Importance : essentielle. Durée : 6 minutes.**
#
# `allowed` contient les numéros des documents que l’utilisateur a le droit de lire, dans un ordre quelconque, parfois
# répétés. Rendez les `k` meilleurs **parmi eux**, par produit scalaire, du meilleur au moins bon.
#
# - Aucun document hors de `allowed` ne sort jamais, même s’il y en a moins de `k`. Si rien n’est permis, rendez `[]`.
# - Il y a `k` résultats dès que `k` documents sont permis.
# - À égalité, le plus petit numéro d’abord. Chaque document sort une seule fois.
# - Levez `ValueError` si `k` est inférieur à 1, ou si `allowed` contient un numéro qui n’est pas entre 0 et N − 1 (un
#   −1 désignerait sans bruit le dernier document).
#
# Avec `vectors = np.array([[3., 0.], [2., 1.], [0., 2.], [1., 0.]])` et `query = np.array([1., 0.])` :
#
# | appel | résultat |
# |---|---|
# | `filtered_search(vectors, query, 2, [3, 2])` | `[3, 2]`, bien que 0 et 1 soient plus proches |


# %% exercise="ivf.filtered"
def filtered_search(
    vectors: np.ndarray, query: np.ndarray, k: int, allowed: list[int]
) -> list[int]:
    """Rendre les k meilleurs des documents permis, et aucun autre."""
    ### BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"k doit valoir au moins 1, et vaut {k}.")
    ids = np.array(sorted(set(allowed)), dtype=int)
    if len(ids) == 0:
        return []
    if ids[0] < 0 or ids[-1] >= len(vectors):
        raise ValueError(f"allowed ne doit contenir que des numéros de 0 à {len(vectors) - 1}.")
    return ids[exact_search(vectors[ids], query, k)].tolist()
    ### END SOLUTION


# %% check="ivf.filtered"
filtered_search = check("ivf.filtered", filtered_search)
points("ivf.filtered")

# %% [markdown] tags=["solution"]
# **Explication.** Le filtre passe *avant* la recherche : seules les lignes permises sont mesurées. Rien de ce qui n’est
# pas dans `vectors[ids]` ne peut sortir, et c’est plus facile à croire qu’un contrôle à la fin.
#
# **Erreurs fréquentes**
# - chercher, puis filtrer : avec un filtre sévère, il ne reste presque rien.
# - donner aux autres le score 0 ou −∞ : ils sortent quand trop peu de documents sont permis.
# - `if allowed:` autour du filtre : un utilisateur sans aucun droit verrait tout.

# %% [markdown]
# ## 8. Question écrite : est-il temps de prendre un index ?
#
# **Corrigée par votre enseignant : 4 points. Durée : 10 minutes.**
#
# Une entreprise a 10 000 pages de documentation, environ 5 millions de tokens. On les découpe en morceaux de 400
# tokens, qui en partagent 50 avec le suivant. Chaque morceau reçoit un vecteur de 768 nombres en float32. La machine
# fait environ $10^9$ multiplications-additions par seconde. Un modèle de langage rédige les réponses, en deux à trois
# secondes.
#
# 1. Combien y a-t-il de morceaux ? (La formule est au chapitre 01.)
# 2. Combien de mégaoctets occupent les vecteurs ?
# 3. Combien de temps dure une recherche exacte ?
# 4. Installeriez-vous un index approché ? À partir de quelle taille reposeriez-vous la question, et selon quelle
#    règle ?
#
# Montrez vos calculs ; arrondissez raisonnablement.
#
# | points | pour |
# |---|---|
# | 1 | le nombre de morceaux, avec la formule |
# | 1 | la mémoire, avec son unité |
# | 1 | la durée, à partir du nombre d’opérations |
# | 1 | une décision motivée (ce qu’un index ferait gagner, ce qu’il coûterait) et une règle qui dit quand décider de nouveau |

# %% [markdown] written="ivf.w_exact" points=4
# *Votre réponse ici.*

# %% [markdown] tags=["solution"]
# ## 8. Question écrite : un corrigé
#
# 1. (1 point) $\lceil(5\,000\,000-50)/(400-50)\rceil=14\,286$ morceaux.
# 2. (1 point) $14\,286\times768\times4$ octets $\approx4{,}4\times10^7$ octets, soit **44 Mo** : la mémoire d’un
#    téléphone suffit.
# 3. (1 point) $14\,286\times768\approx1{,}1\times10^7$ multiplications-additions, donc environ **11 ms** par question.
# 4. (1 point) **Non.** Un index ferait gagner dix millisecondes sur deux ou trois secondes : personne ne le verrait. Il
#    coûterait du rappel, un réglage (`nprobe`), et des précautions à chaque mise à jour. Vers un million de vecteurs de
#    768 nombres, la recherche exacte prend près d’une seconde : c’est là qu’il faut reposer la question. La règle :
#    **commencer exact ; passer à l’approché quand la recherche, mesurée, dure plus que ce qu’on peut se permettre à
#    côté de la génération** ; et mesurer alors le rappel que l’on perd.
