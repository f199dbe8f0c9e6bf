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
#     kind: exercises
#     lang: fr
# ---

# %% [markdown]
# # 03. Des vecteurs par TF-IDF et SVD : les exercices
#
# Neuf fonctions et un exercice rédigé. À la fin, vous aurez écrit une recherche par le sens, du texte au classement, et
# la perte qui entraîne les modèles d’aujourd’hui. Comptez **une demi-heure** si vous avez suivi la leçon : cinq des
# neuf y sont déjà (recopiez-les), les quatre autres sont nouvelles.
#
# **Comment ça marche.** Écrivez la fonction, exécutez sa cellule, puis celle du dessous. Elle essaie votre fonction sur
# des exemples choisis et sur d’autres tirés au hasard ; en cas d’échec, elle montre le plus petit cas qui ne va pas, et
# souvent elle reconnaît l’erreur. Les indices se demandent un par un, avec `hint("lsa.cosine")` par exemple. Vous
# pouvez exécuter tout le carnet à n’importe quel moment : un exercice vide ne bloque pas les suivants. Le nombre seul,
# sous chaque retour, est celui de vos points.
#
# **Conventions.** Les documents sont numérotés à partir de 0. Vecteurs et matrices sont des tableaux NumPy de nombres
# finis. Une fonction qui reçoit un argument absurde lève `ValueError` avec une phrase qui nomme l’argument, quand
# l’énoncé le demande. Vos fonctions peuvent s’appeler les unes les autres.

# %%
from ragteach.notebook import begin, check, hint, points

begin("03_lsa", lang="fr", course="1")

# %%
from collections import Counter
from math import log

import numpy as np

# %% [markdown]
# ## 1. `tfidf` : les vecteurs TF-IDF
#
# **Niveau : difficile (3 points). Importance : essentielle. Durée : 10 minutes.**
#
# Rendez le couple (vocabulaire, tableau) :
#
# - le **vocabulaire** est la liste triée (par `sorted`) des tokens différents ;
# - le **tableau** a une ligne par document et une colonne par token, dans l’ordre du vocabulaire. Un token présent `tf`
#   fois dans un document, et présent dans `df` documents sur `N`, y pèse
#
# $$(1+\ln \text{tf})\left(\ln\frac{1+N}{1+\text{df}}+1\right);$$
#
# - un token absent pèse 0 ; chaque ligne est ensuite divisée par sa norme euclidienne, pour que celle-ci vaille 1 ;
# - un document vide garde sa ligne, faite de zéros, et compte dans `N`. Si tous les documents sont vides, le
#   vocabulaire est vide et le tableau a N lignes et aucune colonne ;
# - levez `ValueError` si un document est une chaîne au lieu d’une liste de tokens.
#
# | appel | résultat |
# |---|---|
# | `tfidf([["a", "b"], ["b"]])` | `["a", "b"]` et `[[0.814..., 0.579...], [0.0, 1.0]]` |


# %% exercise="lsa.tfidf"
def tfidf(documents: list[list[str]]) -> tuple[list[str], np.ndarray]:
    """Donner le vocabulaire trié, et le tableau (N, V) des poids, lignes de norme 1."""
    ### BEGIN SOLUTION
    for i, tokens in enumerate(documents):
        if isinstance(tokens, str):
            raise ValueError(f"documents[{i}] must be a list of tokens, not a string.")
    doc_freqs = Counter(token for tokens in documents for token in set(tokens))
    vocabulary = sorted(doc_freqs)
    column = {token: j for j, token in enumerate(vocabulary)}
    matrix = np.zeros((len(documents), len(vocabulary)))
    for row, tokens in enumerate(documents):
        for token, tf in Counter(tokens).items():
            idf = log((1 + len(documents)) / (1 + doc_freqs[token])) + 1
            matrix[row, column[token]] = (1 + log(tf)) * idf
    norms = np.linalg.norm(matrix, axis=1, keepdims=True)
    return vocabulary, matrix / np.where(norms > 0, norms, 1)
    ### END SOLUTION


# %% check="lsa.tfidf"
tfidf = check("lsa.tfidf", tfidf)
points("lsa.tfidf")

# %% [markdown] tags=["solution"]
# **Explication.** `set(tokens)` fait compter un document une seule fois par mot : c’est df. Le dictionnaire `column`
# évite de chercher chaque mot dans la liste. `np.where(norms > 0, norms, 1)` divise par 1 les lignes nulles, qui
# restent donc nulles.
#
# **Erreurs fréquentes**
# - compter les occurrences au lieu des documents pour df ;
# - écrire $\ln(1+\text{tf})$ : le 1 est devant le logarithme ;
# - oublier le dernier + 1 : un mot présent partout pèserait 0 ;
# - normaliser les colonnes (`axis=0`), ou diviser par la somme ;
# - 0/0 pour un document vide, donc `nan`.

# %% [markdown]
# ## 2. `cosine` : le cosinus
#
# **Niveau : échauffement (1 point). Importance : essentielle. Durée : 4 minutes.**
#
# Rendez le cosinus de deux vecteurs, $\dfrac{u\cdot v}{\|u\|\,\|v\|}$.
#
# - Si l’un des deux est nul (ou les deux), rendez 0.0.
# - Le résultat reste dans [−1, 1] malgré les arrondis : jamais 1.0000000000000002.
# - Levez `ValueError` si les longueurs diffèrent (`u @ v` le fait déjà).
#
# | appel | résultat |
# |---|---|
# | `cosine(np.array([1.0, 0.0]), np.array([3.0, 4.0]))` | `0.6` |


# %% exercise="lsa.cosine"
def cosine(u: np.ndarray, v: np.ndarray) -> float:
    """Donner le cosinus de deux vecteurs, dans [-1, 1] ; 0.0 si l’un est nul."""
    ### BEGIN SOLUTION
    product = float(u @ v)
    norms = float(np.linalg.norm(u) * np.linalg.norm(v))
    if norms == 0:
        return 0.0
    return max(-1.0, min(1.0, product / norms))
    ### END SOLUTION


# %% check="lsa.cosine"
cosine = check("lsa.cosine", cosine)
points("lsa.cosine")

# %% [markdown] tags=["solution"]
# **Explication.** Le produit d’abord : il refuse les longueurs différentes. Puis le cas où une norme est nulle, et la
# division. `max(-1.0, min(1.0, x))` borne les arrondis.
#
# **Erreurs fréquentes**
# - 0/0 : `nan` se glisse en tête des classements ;
# - diviser par une seule norme, ou par les carrés des normes ;
# - rendre 1 − cos, la « distance cosinus ».

# %% [markdown]
# ## 3. `squared_distance` : le théorème 2
#
# **Niveau : échauffement (1 point). Importance : importante. Durée : 3 minutes.**
#
# Rendez le **carré** de la distance euclidienne de deux vecteurs de norme 1, connaissant leur cosinus `cos`. Levez
# `ValueError` si `cos` n’est pas entre −1 et 1 (bornes comprises).
#
# | appel | résultat |
# |---|---|
# | `squared_distance(0.0)` | `2.0` |


# %% exercise="lsa.squared_distance"
def squared_distance(cos: float) -> float:
    """Donner ‖u - v‖² pour des vecteurs de norme 1 dont le cosinus est cos."""
    ### BEGIN SOLUTION
    if not -1 <= cos <= 1:
        raise ValueError(f"cos must lie between -1 and 1, and it is {cos}.")
    return 2 - 2 * cos
    ### END SOLUTION


# %% check="lsa.squared_distance"
squared_distance = check("lsa.squared_distance", squared_distance)
points("lsa.squared_distance")

# %% [markdown] tags=["solution"]
# **Explication.** $\|u-v\|^2=\|u\|^2-2\,u\cdot v+\|v\|^2=2-2\cos$. Plus le cosinus est grand, plus la distance est
# petite : les deux classent pareil.
#
# **Erreurs fréquentes**
# - prendre la racine : c’est le carré qu’on demande ;
# - 1 − cos : le double produit compte deux fois.

# %% [markdown]
# ## 4. `lsa_fit` : la décomposition tronquée
#
# **Niveau : standard (2 points). Importance : essentielle. Durée : 7 minutes.**
#
# Rendez le couple (composantes, valeurs singulières) de la décomposition $A=USV^\top$ d’une matrice de forme (N, V) :
#
# - les **composantes** sont les `dims` premières lignes de $V^\top$, de forme (dims, V) ; leur signe est libre ;
# - les **valeurs singulières** sont les `dims` plus grandes, en ordre décroissant ;
# - ne rendez pas les dimensions dont la valeur singulière est au plus un millionième de la plus grande (ce sont des
#   erreurs d’arrondi) : il peut donc y en avoir moins de `dims` ;
# - ne centrez pas la matrice ; elle n’est jamais toute nulle ;
# - levez `ValueError` si `dims` est plus petit que 1.
#
# | appel | résultat |
# |---|---|
# | `lsa_fit(np.array([[3.0, 0.0], [0.0, 1.0]]), 1)` | `[[1.0, 0.0]]` (ou son opposé) et `[3.0]` |


# %% exercise="lsa.fit"
def lsa_fit(matrix: np.ndarray, dims: int) -> tuple[np.ndarray, np.ndarray]:
    """Donner les composantes, (dims, V), et les valeurs singulières, (dims,), d’une matrice (N, V)."""
    ### BEGIN SOLUTION
    if dims < 1:
        raise ValueError(f"dims must be at least 1, and it is {dims}.")
    _, singular_values, vt = np.linalg.svd(matrix, full_matrices=False)
    rank = int((singular_values > 1e-6 * singular_values[0]).sum())
    kept = min(dims, rank)
    return vt[:kept], singular_values[:kept]
    ### END SOLUTION


# %% check="lsa.fit"
lsa_fit = check("lsa.fit", lsa_fit)
points("lsa.fit")

# %% [markdown] tags=["solution"]
# **Explication.** `np.linalg.svd` fait le travail ; reste à couper deux fois, à `dims` et au rang. Le paquet, lui,
# passe par les vecteurs propres de la plus petite des matrices $AA^\top$ et $A^\top A$ : les mêmes nombres, une dizaine
# de fois plus vite.
#
# **Erreurs fréquentes**
# - transposer une fois de trop : `svd` rend déjà $V^\top$ ;
# - rendre $U$, qui décrit les documents ;
# - avec `eigh`, oublier la racine, ou garder les plus petites valeurs ;
# - garder des dimensions de valeur singulière nulle : leur direction est du hasard.

# %% [markdown]
# ## 5. `lsa_embed` : projeter et normaliser
#
# **Niveau : standard (2 points). Importance : essentielle. Durée : 5 minutes.**
#
# Projetez les lignes de `vectors`, de forme (n, V), sur les composantes, de forme (dims, V), puis donnez à chaque ligne
# la norme 1. Le résultat est de forme (n, dims).
#
# - Une ligne de zéros reste à zéro, et une projection nulle aussi.
# - Levez `ValueError` si les nombres de colonnes diffèrent (le produit de NumPy le fait déjà).
#
# | appel | résultat |
# |---|---|
# | `lsa_embed(np.array([[3.0, 4.0, 9.0]]), np.array([[1.0, 0, 0], [0, 1.0, 0]]))` | `[[0.6, 0.8]]` |


# %% exercise="lsa.embed"
def lsa_embed(vectors: np.ndarray, components: np.ndarray) -> np.ndarray:
    """Projeter les vecteurs sur les composantes ; lignes de norme 1, forme (n, dims)."""
    ### BEGIN SOLUTION
    projected = vectors @ components.T
    norms = np.linalg.norm(projected, axis=1, keepdims=True)
    return projected / np.where(norms > 0, norms, 1)
    ### END SOLUTION


# %% check="lsa.embed"
lsa_embed = check("lsa.embed", lsa_embed)
points("lsa.embed")

# %% [markdown] tags=["solution"]
# **Explication.** Les composantes sont perpendiculaires et de norme 1 : la coordonnée d’un vecteur sur l’une d’elles
# est leur produit scalaire. Un seul produit de matrices les calcule toutes. Questions et documents suivent le même
# chemin ; sinon leurs cosinus n’auraient aucun sens.
#
# **Erreurs fréquentes**
# - normaliser avant de projeter : la projection raccourcit ;
# - une norme pour tout le tableau, ou par colonne ;
# - oublier la transposée, que rien ne signale quand dims = V.

# %% [markdown]
# ## 6. `dense_search` : la recherche dense
#
# **Niveau : échauffement (1 point). Importance : essentielle. Durée : 5 minutes.**
#
# Rendez les numéros des `k` lignes de `embeddings` dont le cosinus avec `query` est le plus grand, la meilleure
# d’abord.
#
# - Ni `query` ni les lignes ne sont forcément de norme 1. Un vecteur nul a le cosinus 0 avec tous.
# - On rend `k` numéros même quand les cosinus sont nuls ou négatifs ; s’il y a moins de `k` lignes, on rend ce qui
#   existe.
# - À cosinus égal, le plus petit numéro d’abord : `np.argsort` ne le garantit qu’avec `kind="stable"` (deux cosinus qui
#   ne diffèrent que par l’arrondi peuvent sortir dans n’importe quel ordre).
# - Levez `ValueError` si `k` est plus petit que 1.
#
# | appel | résultat |
# |---|---|
# | `dense_search(np.array([1.0, 0.0]), np.array([[0.0, 1.0], [5.0, 0.0]]), k=1)` | `[1]` |


# %% exercise="lsa.dense_search"
def dense_search(query: np.ndarray, embeddings: np.ndarray, k: int = 3) -> list[int]:
    """Donner les k documents les plus proches de la question par le cosinus, le meilleur d’abord."""
    ### BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"k must be at least 1, and it is {k}.")
    cosines = np.array([cosine(query, row) for row in embeddings])
    return np.argsort(-cosines, kind="stable")[:k].tolist()
    ### END SOLUTION


# %% check="lsa.dense_search"
dense_search = check("lsa.dense_search", dense_search)
points("lsa.dense_search")

# %% [markdown] tags=["solution"]
# **Explication.** Le tri **stable** de −cos garde, à égalité, l’ordre des numéros. En production, les lignes sont
# normalisées une fois pour toutes, et la boucle devient un produit : `embeddings @ query`.
#
# **Erreurs fréquentes**
# - classer par produit scalaire sans normaliser : les vecteurs longs gagnent ;
# - `np.argsort(cosines)[::-1]` : les ex æquo sortent à l’envers, et un `nan` passe en tête ;
# - écarter les cosinus négatifs.

# %% [markdown]
# ## 7. `info_nce` : la perte InfoNCE
#
# **Niveau : standard (2 points). Importance : importante. Durée : 7 minutes.**
#
# Rendez la perte d’une question, où `scores` est la liste des scores de quelques passages et `positive` le numéro du
# bon :
#
# $$L=-\ln\frac{e^{s^+/\tau}}{\sum_{s} e^{s/\tau}}$$
#
# - $\tau$ est `temperature`, et la somme porte sur **tous** les scores, celui du bon passage compris.
# - Le résultat reste juste et fini pour des scores de ±10 000 : retranchez d’abord le plus grand score, ce qui ne
#   change pas le rapport. Avec $z=(s-\max s)/\tau$, la perte est $\ln\sum e^{z}-z^+$.
# - Levez `ValueError` si `temperature` n’est pas strictement positive, ou si `positive` n’est pas un numéro entre 0 et
#   `len(scores) - 1` (donc pas non plus −1).
#
# | appel | résultat |
# |---|---|
# | `info_nce([2.0, 1.0], 0, temperature=1.0)` | `0.313...`, soit ln(1 + 1/e) |


# %% exercise="lsa.info_nce"
def info_nce(scores: list[float], positive: int, temperature: float = 0.05) -> float:
    """Donner la perte d’une question dont le bon passage a le numéro positive."""
    ### BEGIN SOLUTION
    if not temperature > 0:
        raise ValueError(f"temperature must be above 0, and it is {temperature}.")
    if not 0 <= positive < len(scores):
        raise ValueError(f"positive must be a position in scores, and it is {positive}.")
    z = np.asarray(scores) / temperature
    z = z - z.max()
    return float(np.log(np.exp(z).sum()) - z[positive])
    ### END SOLUTION


# %% check="lsa.info_nce"
info_nce = check("lsa.info_nce", info_nce)
points("lsa.info_nce")

# %% [markdown] tags=["solution"]
# **Explication.** $-\ln\frac{a}{b}=\ln b-\ln a$, et $\ln e^{z^+}=z^+$ : on ne calcule jamais la probabilité elle-même,
# qui pourrait être trop petite pour un nombre à virgule. Après soustraction du maximum, la somme vaut au moins 1 : son
# logarithme est toujours défini.
#
# **Erreurs fréquentes**
# - `np.exp(s / temperature)` sans soustraction : `inf / inf = nan` ;
# - ajouter un epsilon dans le logarithme : la perte est plafonnée ;
# - oublier le bon passage dans la somme ;
# - multiplier par la température.

# %% [markdown]
# ## 8. `maxsim` : l’interaction tardive
#
# **Niveau : standard (2 points). Importance : importante. Durée : 5 minutes.**
#
# Rendez le score de ColBERT : pour chaque vecteur de la question, son meilleur produit scalaire avec un vecteur du
# document ; puis la somme de ces meilleurs.
#
# $$\sum_i \max_j\; q_i\cdot d_j$$
#
# - `query_vectors` est de forme (m, d) et `doc_vectors` de forme (n, d). Les produits scalaires sont pris tels quels,
#   sans normaliser ; un meilleur produit peut être négatif.
# - Une question sans vecteur (m = 0) a le score 0.
# - Levez `ValueError` si le document n’a pas de vecteur (n = 0), ou si les dimensions diffèrent (NumPy le fait déjà
#   dans les deux cas).
#
# | appel | résultat |
# |---|---|
# | `maxsim(np.array([[1.0, 0], [0, 1.0]]), np.array([[0.8, 0.6], [0, 1.0]]))` | `1.8` |


# %% exercise="lsa.maxsim"
def maxsim(query_vectors: np.ndarray, doc_vectors: np.ndarray) -> float:
    """Additionner, pour chaque vecteur de la question, son meilleur produit scalaire."""
    ### BEGIN SOLUTION
    return float((query_vectors @ doc_vectors.T).max(axis=1).sum())
    ### END SOLUTION


# %% check="lsa.maxsim"
maxsim = check("lsa.maxsim", maxsim)
points("lsa.maxsim")

# %% [markdown] tags=["solution"]
# **Explication.** Le produit donne le tableau (m, n) de tous les produits scalaires. `max(axis=1)` garde le meilleur de
# chaque ligne, `sum` additionne. Les vecteurs du document qui ne répondent à rien ne coûtent rien.
#
# **Erreurs fréquentes**
# - `axis=0` : un document long gagnerait toujours ;
# - la moyenne au lieu de la somme ;
# - une boucle dont le maximum part de 0 : les produits négatifs disparaissent.

# %% [markdown]
# ## 9. `index_bytes` : la mémoire d’un index
#
# **Niveau : échauffement (1 point). Importance : importante. Durée : 2 minutes.**
#
# Rendez le nombre d’**octets** que prennent `n` vecteurs de `dims` nombres, à `bytes_per_value` octets par nombre.
# Levez `ValueError` si `n` est négatif, ou si `dims` ou `bytes_per_value` est plus petit que 1.
#
# | appel | résultat |
# |---|---|
# | `index_bytes(1_000_000, 1024)` | `4096000000`, environ 4,1 Go |


# %% exercise="lsa.index_bytes"
def index_bytes(n: int, dims: int, bytes_per_value: int = 4) -> int:
    """Donner la mémoire de n vecteurs de dims nombres, en octets."""
    ### BEGIN SOLUTION
    if n < 0:
        raise ValueError(f"n must not be negative, and it is {n}.")
    if dims < 1 or bytes_per_value < 1:
        raise ValueError("dims and bytes_per_value must be at least 1.")
    return n * dims * bytes_per_value
    ### END SOLUTION


# %% check="lsa.index_bytes"
index_bytes = check("lsa.index_bytes", index_bytes)
points("lsa.index_bytes")

# %% [markdown] tags=["solution"]
# **Explication.** Trois facteurs, rien de plus : c’est le calcul à faire *avant* de choisir une base vectorielle. Un
# graphe HNSW ajoute ses liens par-dessus (chapitre 08).
#
# **Erreurs fréquentes**
# - compter en bits ;
# - rendre des gigaoctets ;
# - ignorer `bytes_per_value` : c’est par lui que l’int8 divise la mémoire par quatre.

# %% [markdown]
# ## 10. Exercice rédigé : faut-il un index approximatif ?
#
# **4 points, notés par votre enseignant. Durée : 10 minutes.**
#
# Un corpus de 10 000 pages fait environ 5 millions de tokens. On le découpe en morceaux de 400 tokens qui se recouvrent
# de 50, et l’on donne à chacun un vecteur de 768 nombres en float32. Votre machine fait environ un milliard de
# multiplications-additions par seconde.
#
# 1. Combien de morceaux (chapitre 01) ?
# 2. Quelle mémoire pour l’index ?
# 3. Combien de temps pour une recherche exacte ?
# 4. Faut-il un index approximatif (ANN) ? À partir de quand ? Justifiez.
#
# | barème | points |
# |---|---|
# | le nombre de morceaux, avec la formule du chapitre 01 | 1 |
# | la mémoire, avec son unité | 1 |
# | le temps, à partir du nombre d’opérations | 1 |
# | une conclusion argumentée : ce que l’index ferait gagner, ce qu’il coûterait, et le moment de changer | 1 |

# %% [markdown] written="lsa.w_memory" points=4
# *Votre réponse ici.*

# %% [markdown] tags=["solution"]
# **Une réponse possible.**
#
# 1. $(5\,000\,000-50)/(400-50)$, arrondi vers le haut : **14 286 morceaux**.
# 2. `index_bytes(14_286, 768)` : $14\,286\times768\times4\approx 44$ millions d’octets, soit **44 Mo**.
# 3. Un produit scalaire par morceau : $14\,286\times768\approx1{,}1\times10^7$ multiplications-additions, donc environ
#    **11 ms**.
# 4. **Non.** Un index approximatif gagnerait au mieux dix millisecondes sur une réponse dont la génération prend des
#    secondes, et il coûterait du rappel : des passages manqués sans bruit. Vers un million de morceaux, la recherche
#    exacte approche la seconde et la question se pose. La règle : **commencer exact** ; passer à l’approximatif quand
#    la recherche devient plus lente que le reste, et mesurer alors le rappel perdu.

# %% [markdown]
# ## Bravo
#
# Vous avez écrit une recherche par le sens. Essayez-la : la question n’a aucun mot du premier texte.

# %%
texts = ["batterie cellule charge", "accu cellule charge", "lidar laser portée", "accu charge"]
vocabulary, matrix = tfidf([text.split() for text in texts])
components, _ = lsa_fit(matrix, 2)
query = np.array([[float(token == "accu") for token in vocabulary]])
embeddings = lsa_embed(matrix, components)
ranking = dense_search(lsa_embed(query, components)[0], embeddings, k=4)
print("les trois textes d’énergie d’abord :", sorted(ranking[:3]), "puis", ranking[3])
