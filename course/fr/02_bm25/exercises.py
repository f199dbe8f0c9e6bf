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
#     kind: exercises
#     lang: fr
# ---

# %% [markdown]
# # 02. BM25 et l’index inversé : les exercices
#
# Huit fonctions, dans l’ordre de la leçon. À la fin, vous aurez écrit un moteur de recherche complet, qui sait
# s’expliquer. Comptez **une demi-heure** si vous avez suivi la leçon : quatre des huit y sont déjà (recopiez-les), les
# quatre autres sont nouvelles.
#
# **Comment ça marche.** Écrivez la fonction, exécutez sa cellule, puis celle du dessous. Elle essaie votre fonction sur
# des exemples choisis et sur d’autres tirés au hasard ; en cas d’échec, elle montre le plus petit cas qui ne va pas, et
# souvent elle reconnaît l’erreur. Les indices se demandent un par un, avec `hint("bm25.idf")` par exemple. Vous pouvez
# exécuter tout le carnet à n’importe quel moment : un exercice vide ne bloque pas les suivants. Le nombre seul, sous
# chaque retour, est celui de vos points.
#
# **Conventions.** Les documents sont numérotés à partir de 0. Une question et un document sont des listes de tokens.
# Une fonction qui reçoit un argument absurde lève `ValueError` avec une phrase qui nomme l’argument, quand l’énoncé le
# demande. Vos fonctions peuvent s’appeler les unes les autres.

# %%
from ragteach.notebook import begin, check, hint, points

begin("02_bm25", lang="fr", course="1")

# %%
import re
import unicodedata
from collections import Counter
from math import log

import numpy as np

# %% [markdown]
# ## 1. `tokenize` : fabriquer les tokens
#
# **Niveau : standard (2 points). Importance : essentielle. Durée : 6 minutes.**
#
# Coupez un texte en tokens :
#
# - le texte est mis en forme Unicode **NFC**, puis en **minuscules** ;
# - un token est une suite de lettres et de chiffres, de n’importe quelle écriture (`œ`, `ÿ` et `Ω` comprises) ; tout le
#   reste sépare, et les tokens d’un seul caractère sont gardés : `3 A` donne `3` et `a` ;
# - une virgule ou un point **entre deux chiffres** reste à l’intérieur : `5,5`, `3.8`, `2.1.3` ; ailleurs, ils
#   séparent ;
# - les **mots élidés** placés juste avant une apostrophe disparaissent avec elle : c, d, j, l, m, n, s, t, qu, jusqu,
#   lorsqu, puisqu, quoiqu. Cela vaut pour l’apostrophe droite `'` et pour la courbe `’`, et seulement quand ce mot est
#   entier ;
# - les autres apostrophes séparent : `aujourd’hui` donne `aujourd` et `hui` ;
# - les tokens sortent dans l’ordre du texte, répétitions comprises ; un texte vide donne une liste vide.
#
# | appel | résultat |
# |---|---|
# | `tokenize("L’alimentation : 3,8 V.")` | `["alimentation", "3,8", "v"]` |


# %% exercise="bm25.tokenize"
# le motif de la leçon : une lettre ou un chiffre, ou une virgule ou un point entre deux chiffres
TOKEN = r"(?:[^\W_]|(?<=\d)[.,](?=\d))+"


def tokenize(text: str) -> list[str]:
    """Couper un texte en tokens, en minuscules, sans mots élidés."""
    ### BEGIN SOLUTION
    text = unicodedata.normalize("NFC", text).lower()
    text = re.sub(r"\b(?:c|d|j|l|m|n|s|t|qu|jusqu|lorsqu|puisqu|quoiqu)['’]", " ", text)
    return re.findall(TOKEN, text)
    ### END SOLUTION


# %% check="bm25.tokenize"
tokenize = check("bm25.tokenize", tokenize)
points("bm25.tokenize")

# %% [markdown] tags=["solution"]
# **Explication.** L’ordre des trois lignes compte. On normalise d’abord : « é » écrit en deux caractères serait coupé
# en deux par le motif. On retire ensuite les mots élidés, en les remplaçant par une **espace** : effacer l’apostrophe
# seule collerait l’article au mot (`lalimentation`). On cherche enfin les tokens. Dans le dernier motif, `[^\W_]` est
# « ce qui n’est ni hors d’un mot, ni un tiret bas » : une lettre ou un chiffre. `(?<=\d)` et `(?=\d)` regardent autour
# sans rien consommer, d’où `2.1.3` d’un seul tenant.
#
# **Erreurs fréquentes**
# - `\w+` tout seul : coupe `5,5` et laisse traîner le `l` de `l’axe`.
# - `\w\w+`, le réglage de scikit-learn : perd `3`, `a`, `v`, donc les valeurs et les unités.
# - `[a-zà-ÿ]` : oublie `œ`, et coupe `cœur` en deux.
# - oublier le `\b` au début : `aujourd’hui` perdrait son `d`.
# - ne traiter qu’une des deux apostrophes.

# %% [markdown]
# ## 2. `inverted_index` : l’index inversé
#
# **Niveau : standard (2 points). Importance : essentielle. Durée : 6 minutes.**
#
# Construisez un dictionnaire qui, à chaque token, associe la liste de ses couples `(document, nombre de fois)`, par
# numéro de document croissant. Un document sans aucun token n’apparaît nulle part ; aucun document, dictionnaire vide.
# Si un document est une chaîne au lieu d’une liste de tokens, levez `ValueError` : Python la lirait lettre par lettre.
#
# | appel | résultat |
# |---|---|
# | `inverted_index([["moteur", "3", "moteur"], ["3"]])` | `{"moteur": [(0, 2)], "3": [(0, 1), (1, 1)]}` |


# %% exercise="bm25.inverted_index"
def inverted_index(documents: list[list[str]]) -> dict[str, list[tuple[int, int]]]:
    """Associer à chaque token ses couples (document, nombre de fois)."""
    ### BEGIN SOLUTION
    index = {}
    for doc, tokens in enumerate(documents):
        if isinstance(tokens, str):
            raise ValueError(f"documents[{doc}] doit être une liste de tokens, pas une chaîne.")
        for token, tf in Counter(tokens).items():
            index.setdefault(token, []).append((doc, tf))
    return index
    ### END SOLUTION


# %% check="bm25.inverted_index"
inverted_index = check("bm25.inverted_index", inverted_index)
points("bm25.inverted_index")

# %% [markdown] tags=["solution"]
# **Explication.** `Counter` compte les tokens d’un document ; `setdefault` crée la liste d’un token à sa première
# rencontre. Les documents sont parcourus dans l’ordre : chaque liste est donc triée sans qu’on ait à la trier.
#
# **Erreurs fréquentes**
# - parcourir `tokens` au lieu de `Counter(tokens)` : un mot répété donne plusieurs couples pour le même document.
# - numéroter à partir de 1.
# - `dict.fromkeys(mots, [])` : tous les mots partagent alors la *même* liste.

# %% [markdown]
# ## 3. `bim_weight` : le poids du théorème 1
#
# **Niveau : échauffement (1 point). Importance : utile. Durée : 3 minutes.**
#
# Donnez le poids d’un mot dans le modèle d’indépendance binaire, avec `p` la probabilité qu’un document pertinent le
# contienne et `u` celle qu’un autre document le contienne, toutes deux strictement entre 0 et 1 :
#
# $$w=\ln\frac{p\,(1-u)}{u\,(1-p)}$$
#
# | appel | résultat |
# |---|---|
# | `bim_weight(0.5, 0.1)` | `2.197...`, c’est-à-dire ln 9 |


# %% exercise="bm25.bim_weight"
def bim_weight(p: float, u: float) -> float:
    """Donner le poids d’un mot : p parmi les documents pertinents, u parmi les autres."""
    ### BEGIN SOLUTION
    return log(p * (1 - u) / (u * (1 - p)))
    ### END SOLUTION


# %% check="bm25.bim_weight"
bim_weight = check("bm25.bim_weight", bim_weight)
points("bm25.bim_weight")

# %% [markdown] tags=["solution"]
# **Explication.** C’est le logarithme d’un rapport de cotes : $\frac{p}{1-p}$ chez les pertinents, $\frac{u}{1-u}$ chez
# les autres. Il vaut 0 quand $p=u$, car le mot n’apprend rien ; il est négatif quand $p<u$, car le mot est alors
# mauvais signe.
#
# **Erreurs fréquentes**
# - `a / u * (1 - p)` sans parenthèses : Python divise par `u`, puis **multiplie** par `1 - p`.
# - s’arrêter à $\ln\frac{p}{u}$ : on oublie ce qu’apprend l’absence du mot.
# - échanger `p` et `u` : tous les signes s’inversent.

# %% [markdown]
# ## 4. `idf` : le poids d’un mot rare
#
# **Niveau : échauffement (1 point). Importance : essentielle. Durée : 3 minutes.**
#
# Donnez l’idf de Lucene pour un mot présent dans `doc_freq` documents ($n$) sur `n_docs` ($N$), avec $0\le n\le N$ :
#
# $$\text{idf}=\ln\left(\frac{N-n+0{,}5}{n+0{,}5}+1\right)$$
#
# | appel | résultat |
# |---|---|
# | `idf(2, 1)` | `0.693...`, c’est-à-dire ln 2 |


# %% exercise="bm25.idf"
def idf(n_docs: int, doc_freq: int) -> float:
    """Donner l’idf d’un mot présent dans doc_freq documents sur n_docs ; il n’est jamais négatif."""
    ### BEGIN SOLUTION
    return log((n_docs - doc_freq + 0.5) / (doc_freq + 0.5) + 1)
    ### END SOLUTION


# %% check="bm25.idf"
idf = check("bm25.idf", idf)
points("bm25.idf")

# %% [markdown] tags=["solution"]
# **Explication.** C’est `bim_weight` avec $p=\tfrac12$ et $u=n/N$, lissé par les 0,5. Le + 1 est **dans** le
# logarithme : il le garde positif, même pour un mot de tous les documents.
#
# **Erreurs fréquentes**
# - oublier le + 1 : un mot de plus de la moitié des documents ferait perdre des points.
# - le mettre dehors : $\ln(\dots)+1$ est une autre formule.
# - `log10` ou `log2` : l’ordre reste le même, les valeurs changent, et vos scores ne se comparent plus à ceux des
#   autres.

# %% [markdown]
# ## 5. `term_weight` : répétitions et longueur
#
# **Niveau : échauffement (1 point). Importance : essentielle. Durée : 4 minutes.**
#
# Donnez le poids d’un mot qui apparaît `tf` fois dans un document de `doc_len` tokens, quand la longueur moyenne est
# `avg_len`. Les arguments sont toujours valables.
#
# $$\frac{f\,(k_1+1)}{f+k_1\left(1-b+b\,\dfrac{\ell}{\bar\ell}\right)}$$
#
# Ici $f$ est `tf`, $\ell$ est `doc_len` et $\bar\ell$ est `avg_len`. Par défaut, `k1` vaut 1,5 et `b` vaut 0,75. Un mot
# absent (`tf = 0`) pèse 0.
#
# | appel | résultat |
# |---|---|
# | `term_weight(1, 40, 40)` | `1.0` |
# | `term_weight(2, 40, 40)` | `1.428...`, soit 5 / 3,5 |


# %% exercise="bm25.term_weight"
def term_weight(
    tf: float, doc_len: float, avg_len: float, k1: float = 1.5, b: float = 0.75
) -> float:
    """Donner le poids d’un mot qui apparaît tf fois, corrigé par la longueur du document."""
    ### BEGIN SOLUTION
    if tf == 0:
        return 0.0
    length_factor = 1 - b + b * doc_len / avg_len
    return tf * (k1 + 1) / (tf + k1 * length_factor)
    ### END SOLUTION


# %% check="bm25.term_weight"
term_weight = check("bm25.term_weight", term_weight)
points("bm25.term_weight")

# %% [markdown] tags=["solution"]
# **Explication.** Nommer le facteur de longueur rend la formule lisible : il vaut 1 pour un document moyen, plus de 1
# pour un long. Le `if` évite 0 / 0 quand `tf` et `k1` sont nuls tous les deux.
#
# **Erreurs fréquentes**
# - `tf * (k1 + 1) / tf + k1 * ...` : sans parenthèses autour du dénominateur, on divise par `tf` seul.
# - retourner le rapport : `avg_len / doc_len` récompense les longs documents.
# - ignorer `k1` et `b` reçus en arguments, et écrire 1,5 et 0,75 dans la formule.

# %% [markdown]
# ## 6. `bm25_scores` : BM25 en entier
#
# **Niveau : difficile (3 points). Importance : essentielle. Durée : 10 minutes.**
#
# Donnez le score de chaque document : un tableau numpy de longueur N. Pour chaque token de la question, on ajoute
# `idf × term_weight` aux documents qui le contiennent. La longueur moyenne est celle de tous les documents reçus.
#
# - Un token inconnu n’ajoute rien ; un token **répété** dans la question compte à chaque fois.
# - Des documents vides sont permis, même s’ils le sont tous : leur score est 0. Aucun document : un tableau vide.
# - Levez `ValueError` si `query` ou un document est une chaîne, si `k1` est négatif, ou si `b` n’est pas entre 0 et 1.
#
# | appel | résultat |
# |---|---|
# | `bm25_scores(["fusible"], [["fusible", "5", "a"], ["moteur", "3", "a"]])` | `[0.693..., 0.0]` |


# %% exercise="bm25.scores"
def bm25_scores(
    query: list[str], documents: list[list[str]], k1: float = 1.5, b: float = 0.75
) -> np.ndarray:
    """Donner le score BM25 de chaque document pour la question."""
    ### BEGIN SOLUTION
    if isinstance(query, str):
        raise ValueError("query doit être une liste de tokens, pas une chaîne.")
    if k1 < 0:
        raise ValueError(f"k1 ne doit pas être négatif ; il vaut {k1}.")
    if not 0 <= b <= 1:
        raise ValueError(f"b doit être entre 0 et 1 ; il vaut {b}.")
    index = inverted_index(documents)
    lengths = [len(tokens) for tokens in documents]
    avg_len = sum(lengths) / len(lengths) if lengths else 0.0
    scores = np.zeros(len(documents))
    for token in query:
        postings = index.get(token, [])
        weight = idf(len(documents), len(postings))
        for doc, tf in postings:
            scores[doc] += weight * term_weight(tf, lengths[doc], avg_len, k1, b)
    return scores
    ### END SOLUTION


# %% check="bm25.scores"
bm25_scores = check("bm25.scores", bm25_scores)
points("bm25.scores")

# %% [markdown] tags=["solution"]
# **Explication.** Tout est déjà écrit : il ne reste qu’à parcourir les listes de l’index. La boucle interne ne visite
# que les documents qui contiennent le mot, ce qui règle aussi les cas limites : une question inconnue, un corpus vide
# ou fait de documents vides n’entrent jamais dans la boucle.
#
# **Erreurs fréquentes**
# - `set(query)` : un mot répété ne compterait qu’une fois, alors que Lucene, rank-bm25 et bm25s le comptent à chaque
#   fois.
# - confondre `len(postings)`, le nombre de documents qui contiennent le mot, et le nombre total d’apparitions du mot.
# - `index[token]` sur un mot inconnu : `KeyError`.
# - calculer la moyenne des longueurs sur les seuls documents trouvés.

# %% [markdown]
# ## 7. `bm25_search` : les k meilleurs
#
# **Niveau : standard (2 points). Importance : importante. Durée : 5 minutes.**
#
# Donnez les numéros des `k` meilleurs documents, le meilleur d’abord.
#
# - Seuls les documents de score **strictement positif** sont rendus : il peut donc y en avoir moins de `k`.
# - À égalité de score, le plus petit numéro vient en premier.
# - Levez `ValueError` si `k` est inférieur à 1 ou si `query` est une chaîne.
#
# | appel | résultat |
# |---|---|
# | `bm25_search(["a"], [["b"], ["a"], ["a"]], k=3)` | `[1, 2]` |


# %% exercise="bm25.search"
def bm25_search(query: list[str], documents: list[list[str]], k: int = 3) -> list[int]:
    """Donner les numéros des k documents de meilleur score positif."""
    ### BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"k doit valoir au moins 1 ; il vaut {k}.")
    scores = bm25_scores(query, documents)
    found = [doc for doc in range(len(documents)) if scores[doc] > 0]
    return sorted(found, key=lambda doc: -scores[doc])[:k]
    ### END SOLUTION


# %% check="bm25.search"
bm25_search = check("bm25.search", bm25_search)
points("bm25.search")

# %% [markdown] tags=["solution"]
# **Explication.** Le tri de Python est **stable** : à égalité, il garde l’ordre d’arrivée, ici celui des numéros. Trier
# par score opposé (`-scores[doc]`) classe donc du meilleur au moins bon, sans déranger les ex æquo.
#
# **Erreurs fréquentes**
# - `sorted(..., reverse=True)` sur des couples (score, numéro), ou `np.argsort(scores)[::-1]` : les ex æquo sortent à
#   l’envers.
# - oublier le filtre : on remplirait la page avec des documents qui n’ont aucun mot de la question.

# %% [markdown]
# ## 8. `explain` : pourquoi ce score ?
#
# **Niveau : standard (2 points). Importance : importante. Durée : 5 minutes.**
#
# Donnez, pour chaque token de la question, ce qu’il apporte au score du document `doc`. La somme des apports est le
# score.
#
# - Chaque token de la question a une entrée et une seule ; répété, il cumule ses apports. Absent du document, il
#   apporte 0 (son entrée peut aussi manquer). Une question vide donne un dictionnaire vide.
# - `doc` est toujours le numéro d’un document. Levez `ValueError` si `query` est une chaîne.
#
# | appel | résultat |
# |---|---|
# | `explain(["a", "z"], [["a"], ["b"]], 0)` | `{"a": 0.693..., "z": 0.0}` |


# %% exercise="bm25.explain"
def explain(query: list[str], documents: list[list[str]], doc: int) -> dict[str, float]:
    """Donner ce que chaque token de la question apporte au score du document."""
    ### BEGIN SOLUTION
    if isinstance(query, str):
        raise ValueError("query doit être une liste de tokens, pas une chaîne.")
    return {
        token: float(n * bm25_scores([token], documents)[doc])
        for token, n in Counter(query).items()
    }
    ### END SOLUTION


# %% check="bm25.explain"
explain = check("bm25.explain", explain)
points("bm25.explain")

# %% [markdown] tags=["solution"]
# **Explication.** BM25 est une somme sur les tokens : l’apport d’un token est donc le score d’une question réduite à ce
# token, multiplié par son nombre de répétitions. Simple, mais l’index est reconstruit pour chaque token ; un vrai
# moteur le garderait.
#
# **Erreurs fréquentes**
# - oublier les répétitions : la somme ne redonne plus le score.
# - recalculer l’idf sur le seul document expliqué : tout mot y serait alors « dans tous les documents ».
# - arrondir les apports : leur somme ne tombe plus juste.

# %% [markdown]
# ## Bravo
#
# Les huit exercices réussis, vous avez reconstruit la partie lexicale d’un moteur de recherche. Essayez-la
# sur une question de votre cru :

# %%
documents = [
    tokenize(text)
    for text in ("Un fusible de 5 A protège l’alimentation.", "Chaque moteur consomme 3 A.")
]
query = tokenize("Quel fusible pour l'alimentation ?")
print(bm25_search(query, documents))
print(explain(query, documents, 0))
