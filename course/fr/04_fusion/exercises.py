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
#     chapter: 04_fusion
#     course: '1'
#     kind: exercises
#     lang: fr
# ---

# %% [markdown]
# # 04. Hybride, reclassement, diversité : les exercices
#
# Huit fonctions et une question rédigée, dans l’ordre de la leçon. À la fin, vous aurez écrit tout ce qui sépare deux
# moteurs de recherche d’une bonne courte liste. Comptez **une demi-heure** si vous avez suivi la leçon : quatre des
# huit fonctions y sont déjà (recopiez-les).
#
# **Comment ça marche.** Écrivez la fonction, exécutez sa cellule, puis celle du dessous. Elle essaie votre fonction sur
# des exemples choisis et sur d’autres tirés au hasard ; en cas d’échec, elle montre le plus petit cas qui ne va pas, et
# souvent elle reconnaît l’erreur. Les indices se demandent un par un, avec `hint("fusion.rrf")` par exemple. Vous
# pouvez exécuter tout le carnet à n’importe quel moment : un exercice vide ne bloque pas les suivants. Le nombre seul,
# sous chaque retour, est celui de vos points.
#
# **Conventions.** Un classement est une liste d’identifiants (chaînes ou numéros), le meilleur d’abord. Le premier rang
# est 1. Une fonction qui reçoit un argument absurde lève `ValueError`, quand l’énoncé le demande. Vos fonctions peuvent
# s’appeler les unes les autres.

# %%
from ragteach.notebook import begin, check, hint, points

begin("04_fusion", lang="fr", course="1")

# %%
import math
import re
import unicodedata

import numpy as np

# %% [markdown]
# ## 1. `min_max` : ramener des notes entre 0 et 1
#
# **Niveau : échauffement (1 point). Importance : utile. Durée : 3 minutes.**
#
# Étirez une liste de notes sur l’intervalle de 0 à 1 : $s'=\dfrac{s-\min}{\max-\min}$. Chaque note garde sa place dans
# la liste.
#
# - Toutes les notes égales (ou une seule note) : rien que des `0.0`. Aucune note : une liste vide.
# - Levez `ValueError` si une note est `nan` ou infinie.
#
# | appel | résultat |
# |---|---|
# | `min_max([2.0, 6.0, 3.0])` | `[0.0, 1.0, 0.25]` |


# %% exercise="fusion.min_max"
def min_max(scores: list[float]) -> list[float]:
    """Ramener des notes entre 0 et 1."""
    ### BEGIN SOLUTION
    if not all(math.isfinite(score) for score in scores):
        raise ValueError("scores ne doit contenir que des nombres finis.")
    if not scores:
        return []
    low, high = min(scores), max(scores)
    if low == high:
        return [0.0] * len(scores)
    return [(score - low) / (high - low) for score in scores]
    ### END SOLUTION


# %% check="fusion.min_max"
min_max = check("fusion.min_max", min_max)
points("fusion.min_max")

# %% [markdown] tags=["solution"]
# **Explication.** Le minimum et le maximum se cherchent une fois, avant la boucle. Les deux cas limites se traitent
# avant la division : elle n’a plus rien à craindre.
#
# **Erreurs fréquentes**
# - diviser par le maximum : la plus petite note n’arrive pas à 0.
# - oublier les notes égales : `ZeroDivisionError` en Python, et pire avec NumPy, un `nan` silencieux qui gâche la
#   suite.
# - croire l’échelle solide : une seule note extrême écrase toutes les autres.

# %% [markdown]
# ## 2. `rrf_scores` : les scores de la fusion par rangs
#
# **Niveau : standard (2 points). Importance : essentielle. Durée : 6 minutes.**
#
# Associez à chaque document la somme, sur les listes qui le contiennent, de $\dfrac{1}{k+\text{rang}}$.
#
# - Le premier rang est 1. Absent d’une liste, un document n’en reçoit rien.
# - Répété dans une liste, il n’y compte qu’une fois, à son meilleur rang ; les suivants gardent leur rang.
# - Aucune liste : un dictionnaire vide. L’ordre des clés est libre.
# - Levez `ValueError` si `k` est inférieur à 1, ou si un classement est une chaîne.
#
# | appel | résultat |
# |---|---|
# | `rrf_scores([["A", "B"], ["B"]])` | `{"A": 1/61, "B": 1/62 + 1/61}` |


# %% exercise="fusion.rrf_scores"
def rrf_scores(rankings: list[list], k: int = 60) -> dict:
    """Associer à chaque document la somme des 1 / (k + rang)."""
    ### BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"k doit valoir au moins 1 ; il vaut {k}.")
    scores = {}
    for ranking in rankings:
        if isinstance(ranking, str):
            raise ValueError("rankings doit contenir des listes, pas des chaînes.")
        seen = set()
        for rank, document in enumerate(ranking, start=1):
            if document not in seen:
                seen.add(document)
                scores[document] = scores.get(document, 0.0) + 1 / (k + rank)
    return scores
    ### END SOLUTION


# %% check="fusion.rrf_scores"
rrf_scores = check("fusion.rrf_scores", rrf_scores)
points("fusion.rrf_scores")

# %% [markdown] tags=["solution"]
# **Explication.** `enumerate(..., start=1)` donne les rangs. L’ensemble `seen`, vide au début de chaque liste, écarte
# les répétitions sans décaler les rangs. Un dictionnaire de Python garde l’ordre d’insertion : les documents y sont
# dans l’ordre de première apparition, ce qui servira pour `rrf`.
#
# **Erreurs fréquentes**
# - compter les rangs depuis 0 : le premier recevrait 1/60. Un tutoriel connu le fait.
# - donner un rang inventé aux absents : une fois premier battrait deux fois troisième.
# - garder le meilleur terme au lieu d’additionner : l’accord ne rapporterait plus rien.
# - payer deux fois un document répété.

# %% [markdown]
# ## 3. `rrf` : fusionner des classements
#
# **Niveau : standard (2 points). Importance : essentielle. Durée : 4 minutes.**
#
# Rendez les documents, du plus grand score `rrf_scores` au plus petit. À score égal, dans l’ordre de première
# apparition (la première liste est lue en entier, puis la deuxième, etc.). `ValueError` dans les mêmes cas que
# `rrf_scores`.
#
# | appel | résultat |
# |---|---|
# | `rrf([["D7", "D2", "D9", "D4"], ["D2", "D5", "D7", "D1"]])` | `["D2", "D7", "D5", "D9", "D4", "D1"]` |


# %% exercise="fusion.rrf"
def rrf(rankings: list[list], k: int = 60) -> list:
    """Fusionner des classements par leurs rangs, le meilleur d’abord."""
    ### BEGIN SOLUTION
    scores = rrf_scores(rankings, k)
    return sorted(scores, key=scores.get, reverse=True)
    ### END SOLUTION


# %% check="fusion.rrf"
rrf = check("fusion.rrf", rrf)
points("fusion.rrf")

# %% [markdown] tags=["solution"]
# **Explication.** Parcourir un dictionnaire donne ses clés, ici dans l’ordre de première apparition. Le tri est stable,
# même avec `reverse=True` : à égalité, cet ordre reste.
#
# **Erreurs fréquentes**
# - oublier de transmettre `k`.
# - `sorted(...)[::-1]` : les ex æquo sortent à l’envers.
# - trier par (score, identifiant) : la règle demandée est l’ordre d’apparition.
# - partir d’un `set` : l’ordre d’apparition est perdu.

# %% [markdown]
# ## 4. `weighted_rrf` : fusionner avec des poids
#
# **Niveau : standard (2 points). Importance : importante. Durée : 5 minutes.**
#
# Comme `rrf`, mais le terme de chaque liste est multiplié par son poids : $\sum_\ell w_\ell/(k+\text{rang}_\ell)$, avec
# `weights[i]` pour `rankings[i]`.
#
# - Une liste de poids 0 ne décide de rien, mais ses documents restent : avec un score de 0, ils viennent en dernier.
# - Les poids n’ont pas à faire 1. Répétitions et égalités : comme `rrf`.
# - Levez `ValueError` s’il n’y a pas un poids par liste, si un poids est négatif, et dans les mêmes cas que
#   `rrf_scores`.
#
# | appel | résultat |
# |---|---|
# | `weighted_rrf([["A", "B"], ["C", "A"]], [0.0, 1.0])` | `["C", "A", "B"]` |


# %% exercise="fusion.weighted_rrf"
def weighted_rrf(rankings: list[list], weights: list[float], k: int = 60) -> list:
    """Fusionner des classements par leurs rangs, chacun avec son poids."""
    ### BEGIN SOLUTION
    if len(weights) != len(rankings):
        raise ValueError("weights doit contenir un poids par classement.")
    if any(weight < 0 for weight in weights):
        raise ValueError("weights ne doit contenir aucun poids négatif.")
    rrf_scores(rankings, k)  # lève ValueError là où il le faut
    scores = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        for document, score in rrf_scores([ranking], k).items():
            scores[document] = scores.get(document, 0.0) + weight * score
    return sorted(scores, key=scores.get, reverse=True)
    ### END SOLUTION


# %% check="fusion.weighted_rrf"
weighted_rrf = check("fusion.weighted_rrf", weighted_rrf)
points("fusion.weighted_rrf")

# %% [markdown] tags=["solution"]
# **Explication.** `rrf_scores([ranking], k)` donne les termes d’une seule liste, répétitions écartées : il ne reste
# qu’à les peser. Le premier appel, sur toutes les listes, ne sert qu’à refuser les mauvais arguments, même quand il n’y
# a aucune liste à parcourir.
#
# **Erreurs fréquentes**
# - multiplier le rang, ou `k`, au lieu du terme entier : `1 / (k + poids * rang)` punit les listes de grand poids.
# - sauter les listes de poids 0 : leurs documents disparaissent.
# - ne pas se servir des poids, tout simplement : une bibliothèque connue l’a fait.

# %% [markdown]
# ## 5. `rerank` : reclasser des candidats
#
# **Niveau : échauffement (1 point). Importance : essentielle. Durée : 4 minutes.**
#
# `scores[i]` est la note de `candidates[i]`. Rendez les `top_n` candidats de plus grande note, le meilleur d’abord.
#
# - À note égale, les candidats gardent leur ordre d’arrivée. Les notes peuvent être négatives.
# - Un candidat répété compte une fois : là où il est d’abord, avec la note qu’il y a.
# - `top_n` peut dépasser le nombre de candidats : on rend ce qui existe.
# - Levez `ValueError` si les deux listes n’ont pas la même longueur, ou si `top_n` est inférieur à 1.
#
# | appel | résultat |
# |---|---|
# | `rerank(["D2", "D7", "D5"], [0.1, 0.5, 0.9], 2)` | `["D5", "D7"]` |


# %% exercise="fusion.rerank"
def rerank(candidates: list, scores: list[float], top_n: int) -> list:
    """Rendre les top_n candidats de plus grande note, le meilleur d’abord."""
    ### BEGIN SOLUTION
    if len(candidates) != len(scores):
        raise ValueError("scores doit contenir une note par candidat.")
    if top_n < 1:
        raise ValueError(f"top_n doit valoir au moins 1 ; il vaut {top_n}.")
    by_candidate = {}
    for candidate, score in zip(candidates, scores, strict=True):
        by_candidate.setdefault(candidate, score)
    return sorted(by_candidate, key=by_candidate.get, reverse=True)[:top_n]
    ### END SOLUTION


# %% check="fusion.rerank"
rerank = check("fusion.rerank", rerank)
points("fusion.rerank")

# %% [markdown] tags=["solution"]
# **Explication.** `setdefault` n’écrit que la première fois : une répétition ne change ni la note ni la place. Le tri
# stable fait le reste.
#
# **Erreurs fréquentes**
# - couper à `top_n` avant de trier : les candidats du bas n’ont plus leur chance.
# - `sorted(zip(scores, candidates), reverse=True)` : à note égale, c’est l’identifiant qui décide.
# - `dict(zip(candidates, scores))` : un candidat répété prend sa dernière note.

# %% [markdown]
# ## 6. `concept_score` : lire la question et le passage ensemble
#
# **Niveau : standard (2 points). Importance : importante. Durée : 6 minutes.**
#
# Comptez les concepts **distincts** que la question et le morceau partagent. Le concept d’un token est
# `synonyms[token]` s’il y est, sinon le token lui-même. Dans l’ordre :
#
# 1. couper chaque texte par `tokenize` (le voici, c’est celui du chapitre 02) et passer aux concepts ;
# 2. garder ceux que les deux textes contiennent ;
# 3. retirer ceux qui sont des mots vides. Chaque entrée de `stopwords` passe elle aussi par `tokenize`, mais pas par
#    les synonymes.
#
# Levez `ValueError` si `query` ou `chunk` n’est pas une chaîne, ou si `stopwords` en est une.
#
# | appel | résultat |
# |---|---|
# | `concept_score("le moteur chauffe", "Le moteur, en surchauffe !", {"chauffe": "surchauffe"}, ["le"])` | `2` |

# %%
ELIDED = r"(?<![^\W_])(?:c|d|j|l|m|n|s|t|qu|jusqu|lorsqu|puisqu|quoiqu)['’]"
TOKEN = r"(?:[^\W_]|(?<=\d)[.,](?=\d))+"


def tokenize(text: str) -> list[str]:
    """Couper un texte en tokens (chapitre 02)."""
    text = unicodedata.normalize("NFC", text).lower()
    return re.findall(TOKEN, re.sub(ELIDED, " ", text))


# %% exercise="fusion.concept_score"
def concept_score(
    query: str, chunk: str, synonyms: dict[str, str], stopwords: list[str]
) -> int:
    """Compter les concepts distincts que la question et le morceau partagent."""
    ### BEGIN SOLUTION
    for text in (query, chunk):
        if not isinstance(text, str):
            raise ValueError("query et chunk doivent être des chaînes.")
    if isinstance(stopwords, str):
        raise ValueError("stopwords doit être une liste de mots, pas une chaîne.")
    asked = {synonyms.get(token, token) for token in tokenize(query)}
    found = {synonyms.get(token, token) for token in tokenize(chunk)}
    stop = {token for word in stopwords for token in tokenize(word)}
    return len((asked & found) - stop)
    ### END SOLUTION


# %% check="fusion.concept_score"
concept_score = check("fusion.concept_score", concept_score)
points("fusion.concept_score")

# %% [markdown] tags=["solution"]
# **Explication.** Trois ensembles, une intersection (`&`), une différence (`-`). Les ensembles comptent chaque concept
# une fois, ce que l’énoncé demande.
#
# **Erreurs fréquentes**
# - ne remplacer les synonymes que d’un côté : « chauffe » et « surchauffe » ne se rencontrent plus.
# - comparer la liste de mots vides sans la tokeniser : « Le » ne retire pas « le ».
# - `mot in texte` : « fuse » est *dans* « refused ».

# %% [markdown]
# ## 7. `mmr` : choisir sans se répéter
#
# **Niveau : difficile (3 points). Importance : importante. Durée : 10 minutes.**
#
# Choisissez `k` documents un par un. `query_sims[d]` est la ressemblance du document `d` avec la question,
# `doc_sims[d][e]` celle de `d` et `e` (une matrice symétrique). Ce sont des tableaux NumPy.
#
# - Le premier choix est le document le plus proche de la question, quel que soit `lam`.
# - Ensuite, à chaque tour, celui de plus grand gain parmi ceux qui restent :
#   $\lambda\cdot\text{sim}(q,d)-(1-\lambda)\cdot\max_{c\in\text{choisis}}\text{sim}(d,c)$. Les ressemblances peuvent
#   être négatives.
# - À gain égal, le plus petit numéro. Si `k` dépasse le nombre de documents, on les rend tous ; aucun document, une
#   liste vide.
# - Levez `ValueError` si `k` est inférieur à 1, ou si `lam` n’est pas entre 0 et 1.
#
# | appel | résultat |
# |---|---|
# | `mmr(np.array([0.9, 0.8, 0.5]), np.array([[1, 0.9, 0.1], [0.9, 1, 0.2], [0.1, 0.2, 1]]), 2)` | `[0, 2]` |
#
# (1 est presque une copie de 0 : son gain est 0,4 − 0,45 ; celui de 2 est 0,25 − 0,05.)


# %% exercise="fusion.mmr"
def mmr(query_sims: np.ndarray, doc_sims: np.ndarray, k: int, lam: float = 0.5) -> list[int]:
    """Choisir k documents, pertinents et différents entre eux."""
    ### BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"k doit valoir au moins 1 ; il vaut {k}.")
    if not 0 <= lam <= 1:
        raise ValueError(f"lam doit être entre 0 et 1 ; il vaut {lam}.")
    left, chosen = list(range(len(query_sims))), []

    def gain(doc):
        if not chosen:
            return query_sims[doc]
        redundancy = max(doc_sims[doc][other] for other in chosen)
        return lam * query_sims[doc] - (1 - lam) * redundancy

    while left and len(chosen) < k:
        best = max(left, key=gain)
        chosen.append(best)
        left.remove(best)
    return chosen
    ### END SOLUTION


# %% check="fusion.mmr"
mmr = check("fusion.mmr", mmr)
points("fusion.mmr")

# %% [markdown] tags=["solution"]
# **Explication.** `max(left, key=gain)` rend le premier des ex æquo, et `left` est trié : le plus petit numéro gagne.
# Pour le tout premier choix, le gain est la pertinence seule. La boucle s’arrête quand il n’y a plus rien à choisir :
# un `k` trop grand ne gêne pas.
#
# **Erreurs fréquentes**
# - retourner lambda : à `lam = 1`, on doit retrouver le classement simple.
# - comparer au dernier choix seulement, ou à la moyenne des choix : une copie du premier passe.
# - partir d’un maximum à 0 : une ressemblance négative est un avantage, qu’on perdrait.
# - réordonner les `k` plus pertinents : les autres doivent garder leur chance.

# %% [markdown]
# ## 8. `hybrid_search` : la recherche hybride complète
#
# **Niveau : standard (2 points). Importance : essentielle. Durée : 6 minutes.**
#
# Montez les étages : coupez chaque classement à ses `top_k` premiers, fusionnez-les par RRF (`k = 60`), reclassez tous
# ces candidats par leurs notes, et rendez les `top_n` meilleurs.
#
# - `rerank_scores[doc]` est la note du document numéro `doc` : un dictionnaire, ou une liste. Elle n’est lue que pour
#   les candidats.
# - À note égale, l’ordre est celui de la fusion.
# - Levez `ValueError` si `top_k` ou `top_n` est inférieur à 1, ou si un candidat n’a pas de note.
#
# | appel | résultat |
# |---|---|
# | `hybrid_search([1, 2, 3], [3, 4], {1: 0.1, 2: 0.9, 3: 0.5, 4: 0.7}, top_n=3)` | `[2, 4, 3]` |


# %% exercise="fusion.hybrid"
def hybrid_search(
    lexical: list[int],
    dense: list[int],
    rerank_scores: dict[int, float] | list[float],
    top_k: int = 40,
    top_n: int = 8,
) -> list[int]:
    """Fusionner deux classements par RRF, reclasser, rendre les top_n meilleurs."""
    ### BEGIN SOLUTION
    if top_k < 1:
        raise ValueError(f"top_k doit valoir au moins 1 ; il vaut {top_k}.")
    candidates = rrf([lexical[:top_k], dense[:top_k]])
    try:
        scores = [rerank_scores[doc] for doc in candidates]
    except LookupError as error:
        raise ValueError("rerank_scores doit noter chaque candidat.") from error
    return rerank(candidates, scores, top_n)
    ### END SOLUTION


# %% check="fusion.hybrid"
hybrid_search = check("fusion.hybrid", hybrid_search)
points("fusion.hybrid")

# %% [markdown] tags=["solution"]
# **Explication.** Trois lignes, une par étage. `KeyError` (dictionnaire) et `IndexError` (liste) sont deux
# `LookupError` : une seule clause suffit. `rerank` refuse déjà un `top_n` trop petit, et il est stable, donc l’ordre de
# la fusion départage les ex æquo.
#
# **Erreurs fréquentes**
# - couper à `top_n` avant de reclasser : le reclasseur n’a plus rien à remonter.
# - lire les notes par position dans la fusion, au lieu du numéro du document. Un tutoriel connu additionne ainsi trois
#   ordres différents.
# - couper la fusion à `top_k`, au lieu des deux listes.
# - reclasser tous les documents notés : reclasser n’ajoute aucun candidat.

# %% [markdown]
# ## 9. Question rédigée : l’assistant qui s’est mis à se tromper
#
# **Notée à la main (6 points). Durée : 10 minutes.**
#
# Un service d’assistance s’appuie sur 40 000 articles, réindexés chaque semaine. Les clients écrivent en langage
# courant, mais citent aussi des codes d’erreur exacts. Cette semaine, l’assistant donne des réponses assurées et
# fausses. La recherche est purement dense ; le modèle lit les 8 premiers passages. On ouvre dix traces : le bon article
# y est trouvé au rang 14 en moyenne quand la question est en langage courant, et n’est pas trouvé du tout quand elle ne
# contient qu’un code.
#
# 1. Par quoi commencez-vous, et pourquoi pas par la consigne du modèle ?
# 2. Quelle architecture de recherche proposez-vous ? Justifiez chaque étage par un symptôme de l’énoncé.
# 3. Quels chiffres suivrez-vous pour savoir si cela a marché, et lesquels ne bougeront pas quand vous ajouterez le
#    reclassement ?
#
# | ce qui est noté | points |
# |---|---|
# | 1. une première étape tirée des traces (1 point), et la raison de ne pas commencer par la consigne (1 point) | 2 |
# | 2. un étage pour chacun des deux symptômes, et pourquoi il le soigne (1 point par symptôme) | 2 |
# | 3. des chiffres qui montreraient le progrès, séparés comme l’énoncé y invite (1 point) ; celui qui ne bouge pas, et pourquoi (1 point) | 2 |

# %% [markdown] written="fusion.w_case" points=6
# *Votre réponse ici.*

# %% [markdown] tags=["solution"]
# **Une réponse.** 1. On part des traces, et elles accusent la recherche : le bon article est hors des 8 passages lus,
# ou absent. Aucune consigne ne fera lire au modèle ce qu’on ne lui donne pas. Et puisque la panne date de cette
# semaine, on compare d’abord les deux index : découpage, modèle de plongement, documents perdus. 2. Les codes ne sont
# jamais trouvés : c’est le point aveugle du dense, BM25 les retrouve. Les deux listes n’ont pas d’échelle commune :
# RRF. Le bon article au rang 14 est trouvé mais mal classé : on prend 40 candidats de chaque côté, on reclasse, on en
# garde 8. 3. Rappel@40 des candidats et rappel@8, MRR, le tout séparément pour les codes et le langage courant : une
# moyenne de 0,9 peut cacher un genre à 0,4. Au moment où l’on ajoute le reclassement, le rappel des candidats ne bouge
# pas ; le MRR et le rappel@8, si. On rejoue ces mesures avant chaque réindexation.

# %% [markdown]
# ## Bravo
#
# Les huit fonctions réussies, vous savez marier deux moteurs. Essayez la vôtre : deux classements, des notes, trois
# résultats.

# %%
print(rrf([["D7", "D2", "D9", "D4"], ["D2", "D5", "D7", "D1"]]))
print(hybrid_search([7, 2, 9, 4], [2, 5, 7, 1], {7: 3, 2: 5, 9: 0, 4: 1, 5: 4, 1: 2}, top_n=3))
