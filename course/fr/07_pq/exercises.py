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
#     chapter: 07_pq
#     course: '1'
#     kind: exercises
#     lang: fr
# ---

# %% [markdown]
# # 07. Comprimer les vecteurs : exercices
#
# Cinq fonctions et une question écrite. Ensemble, les fonctions font un index PQ : apprendre, coder, mesurer, et
# savoir ce qu’il pèse ; int8 vient en premier, pour comparer. Comptez **vingt minutes** si vous avez fait la
# leçon : quatre des cinq y sont déjà (recopiez-les) ; quarante-cinq sinon.
#
# **Mode d’emploi.** Écrivez la fonction, exécutez sa cellule, puis celle d’en dessous. Elle essaie votre fonction sur
# des exemples choisis et sur d’autres tirés au hasard ; en cas d’échec, vous voyez le plus petit cas qui ne va pas
# et, souvent, le nom de l’erreur. Les indices viennent un par un : exécutez par exemple `hint("pq.encode")`. Vous
# pouvez exécuter tout le carnet quand vous voulez : un exercice vide n’arrête pas les suivants.
#
# **Conventions.** Les vecteurs sont les lignes d’un tableau NumPy de forme (N, d). M est le nombre de morceaux
# (`n_subspaces`), K le nombre de mots de code par morceau (`n_codes`) ; les dictionnaires ont la forme (M, K, d/M).
# Le morceau m d’un vecteur est le m-ième bloc de d/M nombres **qui se suivent**. Toutes les distances sont
# euclidiennes, **au carré**. Quand l’énoncé le dit, une fonction qui reçoit un argument sans signification lève
# `ValueError`, avec une phrase qui nomme l’argument.

# %%
from ragteach.notebook import begin, check, hint, points

begin("07_pq", lang="fr", course="1")

# %%
import numpy as np

# %% [markdown]
# ## 1. `quantize_int8` : un octet par nombre
#
# **Niveau : standard (2 points). Importance : essentielle. Durée : 7 minutes.**
#
# Pour chaque dimension (colonne), le pas est la plus grande **valeur absolue** divisée par 127 ; une colonne toute
# nulle reçoit le pas 1. Le code d’un nombre est ce nombre divisé par le pas, arrondi à l’entier le plus proche : il
# est entre −127 et 127.
#
# Rendez `(codes, scale)` : les codes, de forme (N, d) et de type `int8` ; les pas, de forme (d,). Ainsi `codes *
# scale` redonne les nombres à un demi-pas près. Exactement à mi-chemin de deux entiers, l’un ou l’autre convient.
#
# | appel | résultat |
# |---|---|
# | `quantize_int8(np.array([[12.7, 0.], [-5.02, 0.]]))` | codes `[[127, 0], [-50, 0]]`, scale `[0.1, 1.]` |


# %% exercise="pq.quantize"
def quantize_int8(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rendre les codes, de −127 à 127, et le pas de chaque dimension."""
    ### BEGIN SOLUTION
    scale = np.abs(vectors).max(axis=0) / 127
    scale[scale == 0] = 1.0
    return np.rint(vectors / scale).astype(np.int8), scale
    ### END SOLUTION


# %% check="pq.quantize"
quantize_int8 = check("pq.quantize", quantize_int8)
points("pq.quantize")

# %% [markdown] tags=["solution"]
# **Explication.** Diviser par la plus grande valeur absolue met la colonne entre −1 et 1 ; par le pas, entre −127
# et 127. `np.rint` arrondit au plus proche : l’erreur est d’un demi-pas au plus. L’échelle est symétrique, si bien
# que zéro reste exactement zéro, et que les produits scalaires se calculent sur les codes, à une multiplication
# près. (Le code −128 ne sert pas : c’est voulu.)
#
# **Erreurs fréquentes**
# - `max` sans `axis=0` : un seul pas pour tout ; une dimension aux petites valeurs est effacée.
# - `astype(np.int8)` sans arrondi : les décimales sont coupées, l’erreur double.
# - diviser par 128 : le plus grand nombre donne 128, qui devient −128.
# - oublier la colonne nulle : 0/0 donne `nan`.

# %% [markdown]
# ## 2. `pq_train` : apprendre les dictionnaires
#
# **Niveau : standard (2 points). Importance : essentielle. Durée : 12 minutes.**
#
# Pour chacun des `n_subspaces` morceaux, apprenez `n_codes` mots de code par un k-means **euclidien** :
#
# 1. **Départ** : `n_codes` lignes différentes, tirées sans remise avec la graine `seed`.
# 2. **Confier** : chaque sous-vecteur va au mot le plus proche.
# 3. **Déplacer** : chaque mot va à la **moyenne** des sous-vecteurs qu’on lui a confiés. S’il n’en a pas, il reste où
#    il est (ou va où vous voulez, mais ne devient pas `nan`).
#
# Répétez 2 et 3 vingt fois, et rendez un tableau de forme `(M, K, d/M)`.
#
# Votre tirage peut différer du nôtre : aucun nombre n’est imposé. La vérification regarde si chaque dictionnaire
# s’est posé sur les sous-vecteurs **de son morceau** (un tour de plus ne gagnerait rien) et s’il ne gaspille pas de
# mots (avec autant de mots que de vecteurs, l’erreur doit être nulle).
#
# Levez `ValueError` si `n_subspaces` est inférieur à 1 ou ne divise pas d, si `n_codes` n’est pas entre 1 et 256, ou
# s’il y a moins de vecteurs que de mots.
#
# | appel | résultat |
# |---|---|
# | `pq_train(np.array([[1., 5.], [3., 9.]]), 2, 1)` | `[[[2.]], [[7.]]]` : deux morceaux d’un nombre, un mot chacun |


# %% exercise="pq.train"
def pq_train(vectors: np.ndarray, n_subspaces: int, n_codes: int, seed: int = 0) -> np.ndarray:
    """Apprendre n_codes mots pour chacun des n_subspaces morceaux : forme (M, K, d/M)."""
    ### BEGIN SOLUTION
    if n_subspaces < 1 or vectors.shape[1] % n_subspaces != 0:
        raise ValueError(f"n_subspaces = {n_subspaces} ne divise pas {vectors.shape[1]}.")
    if n_codes < 1 or n_codes > 256:
        raise ValueError(f"n_codes doit être entre 1 et 256, et vaut {n_codes}.")
    if len(vectors) < n_codes:
        raise ValueError(f"n_codes = {n_codes}, et il n’y a que {len(vectors)} vecteurs.")
    rng = np.random.default_rng(seed)
    codebooks = []
    for part in np.split(vectors, n_subspaces, axis=1):
        book = part[rng.choice(len(part), n_codes, replace=False)]
        for _ in range(20):
            nearest = ((part[:, None] - book[None]) ** 2).sum(axis=2).argmin(axis=1)
            for k in range(n_codes):
                if (nearest == k).any():
                    book[k] = part[nearest == k].mean(axis=0)
        codebooks.append(book)
    return np.stack(codebooks)
    ### END SOLUTION


# %% check="pq.train"
pq_train = check("pq.train", pq_train)
points("pq.train")

# %% [markdown] tags=["solution"]
# **Explication.** Chaque morceau est un petit problème de k-means, indépendant des autres. C’est la version
# euclidienne : la plus petite distance (non plus le plus grand produit scalaire), et la moyenne telle quelle (non
# plus ramenée à la norme 1), car un morceau de vecteur n’a pas la norme 1. Les deux étapes font baisser la somme des
# distances au carré, ou la laissent : les mots se posent.
#
# **Erreurs fréquentes**
# - `vectors[:, m::n_subspaces]` : une colonne sur M, au lieu d’un bloc. Coder et mesurer doivent couper de la même
#   façon.
# - `rng.integers` pour le départ : un vecteur tiré deux fois, un mot perdu.
# - reprendre la division par la norme du chapitre 06.
# - `mean` d’un tableau vide : `nan`, qui se répand dans tous les codes.
# - apprendre 256 mots sur 111 vecteurs : FAISS refuse aussi, et prévient quand il y a moins de 39 vecteurs par mot.

# %% [markdown]
# ## 3. `pq_encode` : coder les vecteurs
#
# **Niveau : standard (2 points). Importance : essentielle. Durée : 6 minutes.**
#
# Rendez les codes : un tableau `uint8` de forme (N, M). Le code m d’un vecteur est le numéro, à partir de 0, du mot
# de `codebooks[m]` le plus proche du morceau m, par distance au carré. En cas d’égalité, n’importe lequel des plus
# proches convient.
#
# Levez `ValueError` si le nombre de dimensions des vecteurs n’est pas M × d/M.
#
# Avec `codebooks = np.array([[[0.], [4.]], [[1.], [5.]]])` :
#
# | appel | résultat |
# |---|---|
# | `pq_encode(np.array([[3., 2.], [0., 6.]]), codebooks)` | `[[1, 0], [0, 1]]` |


# %% exercise="pq.encode"
def pq_encode(vectors: np.ndarray, codebooks: np.ndarray) -> np.ndarray:
    """Rendre les codes des vecteurs : un octet par morceau."""
    ### BEGIN SOLUTION
    n_subspaces, _, width = codebooks.shape
    if vectors.shape[1] != n_subspaces * width:
        raise ValueError(
            f"codebooks : {n_subspaces} × {width} dimensions, et non {vectors.shape[1]}."
        )
    columns = []
    for part, book in zip(np.split(vectors, n_subspaces, axis=1), codebooks, strict=True):
        squared = ((part[:, None] - book[None]) ** 2).sum(axis=2)
        columns.append(squared.argmin(axis=1))
    return np.stack(columns, axis=1).astype(np.uint8)
    ### END SOLUTION


# %% check="pq.encode"
pq_encode = check("pq.encode", pq_encode)
points("pq.encode")

# %% [markdown] tags=["solution"]
# **Explication.** `part[:, None] - book[None]` compare chaque sous-vecteur à chaque mot : forme (N, K, d/M). La somme
# des carrés sur le dernier axe donne les distances, `argmin` le numéro du mot. Les colonnes se rassemblent côte à
# côte (`axis=1`), et `uint8` fait qu’un code tient dans un octet : c’est tout l’intérêt.
#
# **Erreurs fréquentes**
# - prendre le plus grand produit scalaire : un mot long gagnerait toujours.
# - laisser les `int64` d’`argmin` : huit octets par code, et 8 fois la mémoire.
# - `np.stack(columns)` : la forme (M, N), une ligne par morceau.

# %% [markdown]
# ## 4. `pq_distances` : mesurer sans décoder
#
# **Niveau : difficile (3 points). Importance : essentielle. Durée : 10 minutes.**
#
# Rendez la distance **au carré** de la question, telle quelle, à chacun des N vecteurs codés : un tableau de N
# nombres. Construisez d’abord la table : en ligne m et colonne k, la distance au carré du morceau m de la question au
# mot k de `codebooks[m]`. La distance d’un vecteur est la somme des M nombres que ses codes désignent.
#
# Levez `ValueError` si la question n’a pas M × d/M nombres, si `codes` n’a pas M colonnes, ou si un code n’est pas
# entre 0 et K − 1 (un −1 lirait sans bruit la dernière colonne).
#
# Avec les `codebooks` de l’exercice 3 :
#
# | appel | résultat |
# |---|---|
# | `pq_distances(np.array([3., 2.]), np.array([[1, 0], [0, 1]]), codebooks)` | `[2., 18.]` : 1 + 1, puis 9 + 9 |


# %% exercise="pq.distances"
def pq_distances(query: np.ndarray, codes: np.ndarray, codebooks: np.ndarray) -> np.ndarray:
    """Rendre la distance au carré de la question à chaque vecteur codé."""
    ### BEGIN SOLUTION
    n_subspaces, n_codes, width = codebooks.shape
    if len(query) != n_subspaces * width:
        raise ValueError(
            f"query doit avoir {n_subspaces * width} nombres, et non {len(query)}."
        )
    if codes.shape[1] != n_subspaces:
        raise ValueError(f"codes doit avoir {n_subspaces} colonnes, et non {codes.shape[1]}.")
    if (codes < 0).any() or (codes >= n_codes).any():
        raise ValueError(f"codes ne doit contenir que des numéros de 0 à {n_codes - 1}.")
    parts = query.reshape(n_subspaces, 1, width)
    table = ((codebooks - parts) ** 2).sum(axis=2)
    return table[np.arange(n_subspaces), codes].sum(axis=1)
    ### END SOLUTION


# %% check="pq.distances"
pq_distances = check("pq.distances", pq_distances)
points("pq.distances")

# %% [markdown] tags=["solution"]
# **Explication.** Le carré d’une distance est la somme des carrés de ses morceaux : on peut donc mesurer morceau par
# morceau. La table a M × K nombres, calculés une fois par question. `table[np.arange(M), codes]` associe la colonne m
# des codes à la ligne m de la table, et donne un tableau (N, M) ; sa somme par ligne est la distance. Décoder
# donnerait les mêmes nombres, pour d/M fois plus d’opérations par vecteur, et des multiplications.
#
# **Erreurs fréquentes**
# - `table[codes]` ou `table[0][codes]` : toujours les mauvaises lignes.
# - la racine, dans la table ou à la fin : les distances ne s’additionnent pas, leurs carrés si.
# - coder aussi la question : une erreur de plus, pour rien.

# %% [markdown]
# ## 5. `pq_bytes` : la mémoire des codes
#
# **Niveau : échauffement (1 point). Importance : importante. Durée : 2 minutes.**
#
# Rendez le nombre d’octets que prennent les codes de `n` vecteurs coupés en `n_subspaces` morceaux, à un octet par
# code. Les dictionnaires ne sont pas comptés : leur taille ne dépend pas de `n`.
#
# Levez `ValueError` si `n` est négatif ou si `n_subspaces` est inférieur à 1.
#
# | appel | résultat |
# |---|---|
# | `pq_bytes(1_000, 16)` | `16000` |


# %% exercise="pq.bytes"
def pq_bytes(n: int, n_subspaces: int) -> int:
    """Rendre le nombre d’octets des codes de n vecteurs."""
    ### BEGIN SOLUTION
    if n < 0:
        raise ValueError(f"n ne peut pas être négatif, et vaut {n}.")
    if n_subspaces < 1:
        raise ValueError(f"n_subspaces doit valoir au moins 1, et vaut {n_subspaces}.")
    return n * n_subspaces
    ### END SOLUTION


# %% check="pq.bytes"
pq_bytes = check("pq.bytes", pq_bytes)
points("pq.bytes")

# %% [markdown] tags=["solution"]
# **Explication.** Un code va de 0 à 255, donc un octet ; M codes par vecteur. La dimension des vecteurs n’y est pour
# rien : c’est ce qui rend PQ si fort pour les grandes dimensions.
#
# **Erreurs fréquentes**
# - compter des bits, ou quatre octets par code.
# - compter le dictionnaire une fois par vecteur.

# %% [markdown]
# ## 6. Question écrite : faire tenir dix millions de vecteurs
#
# **Corrigée par votre enseignant : 4 points. Durée : 8 minutes.**
#
# Vous avez dix millions de vecteurs de 768 nombres, une machine de 16 Go de mémoire vive et un disque rapide. Les
# mesures, sur vos questions : rappel@10 de 0,99 en int8 ; 0,75 en PQ à 96 octets ; 0,98 en PQ à 96 octets suivi d’un
# reclassement de 100 candidats lus sur disque.
#
# 1. Combien de gigaoctets occupent les vecteurs en float32, en int8, en PQ à 96 octets ?
# 2. Combien occupent les dictionnaires de PQ, à 256 mots par morceau, en float32 ?
# 3. Que choisiriez-vous, et pourquoi ? Que deviendrait votre choix à cent millions de vecteurs ?
# 4. Que surveillerez-vous pendant les mois qui suivent ?
#
# | points | pour |
# |---|---|
# | 1 | les trois tailles, avec leur calcul |
# | 1 | la taille des dictionnaires, et la remarque qu’elle ne dépend pas du nombre de vecteurs |
# | 1 | un choix qui tient en mémoire, motivé par le rappel, et revu à cent millions |
# | 1 | une grandeur à mesurer régulièrement, et ce que l’on fera si elle se dégrade |

# %% [markdown] written="pq.w_budget" points=4
# *Votre réponse ici.*

# %% [markdown] tags=["solution"]
# ## 6. Question écrite : un corrigé
#
# 1. (1 point) $10^7\times768\times4\approx31$ Go en float32 ; $10^7\times768\approx7{,}7$ Go en int8 ;
#    $10^7\times96=0{,}96$ Go en PQ.
# 2. (1 point) Chaque dictionnaire a 256 mots de $768/96=8$ nombres, et il y en a 96 :
#    $256\times768\times4\approx0{,}8$ Mo, que l’on ait mille ou un milliard de vecteurs.
# 3. (1 point) À dix millions, **int8** : 7,7 Go tiennent dans 16, le rappel est de 0,99, et il n’y a rien à apprendre
#    ni à relire sur disque. À cent millions, int8 demanderait 77 Go ; PQ en demande 9,6, et le reclassement rend
#    0,98 : c’est alors lui qu’il faut. (PQ dès maintenant se défend, si la machine sert à autre chose ; PQ *sans*
#    reclassement, non.)
# 4. (1 point) L’erreur de codage des nouveaux documents et le rappel@10 sur un jeu de questions fixe, face à la
#    recherche exacte. Si l’une monte ou si l’autre baisse : réapprendre les pas ou les dictionnaires sur un
#    échantillon récent, et tout recoder à partir des vecteurs d’origine.
