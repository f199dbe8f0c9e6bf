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
#     kind: exercises
#     lang: fr
# ---

# %% [markdown]
# # 00. Un RAG en dix minutes : les exercices
#
# Deux fonctions, déjà rencontrées dans la leçon : recopiez-les. Comptez **5 minutes**, ou 10 si vous les écrivez ici pour la
# première fois. Ce carnet vous apprend surtout à rendre les suivants.
#
# **Comment ça marche.** Écrivez la fonction, exécutez sa cellule, puis celle du dessous. Elle essaie votre fonction sur
# des exemples choisis et sur d’autres tirés au hasard ; en cas d’échec, elle montre le plus petit cas qui ne va pas, et
# souvent elle reconnaît l’erreur. Les indices se demandent un par un, avec `hint("start.count_words")` par exemple. Vous
# pouvez exécuter tout le carnet à n’importe quel moment : un exercice vide ne bloque pas le suivant. Le nombre seul, sous
# chaque retour, est celui de vos points.
#
# **Conventions.** Les *mots* sont ceux de `text.split()`, la ponctuation collée : « robot. » est un mot. Les numéros
# commencent à 0. Quand l’énoncé le demande, un argument absurde lève `ValueError`, avec une phrase qui le nomme.

# %%
from ragteach.notebook import begin, check, hint, points

begin("00_start", lang="fr", course="1")

# %% [markdown]
# ## 1. `count_words` : compter les mots
#
# **Niveau : échauffement (1 point). Importance : utile. Durée : 3 minutes.**
#
# Comptez les mots d’un texte, c’est-à-dire ce que des **blancs** séparent : espaces, retours à la ligne, tabulations,
# espaces insécables. On compte ainsi la taille d’un morceau dans tout le cours.
#
# - Un mot répété compte à chaque fois.
# - Deux blancs de suite, ou des blancs au bord, ne font pas un mot de plus.
# - Un texte vide ou blanc a 0 mot.
#
# | appel | résultat |
# |---|---|
# | `count_words("Un fusible de 5 A protège le robot.")` | `8` |
# | `count_words("  3,8 V\n")` | `2` |


# %% exercise="start.count_words"
def count_words(text: str) -> int:
    """Compter les mots d’un texte : ce que des blancs séparent."""
    ### BEGIN SOLUTION
    return len(text.split())
    ### END SOLUTION


# %% check="start.count_words"
count_words = check("start.count_words", count_words)
points("start.count_words")

# %% [markdown] tags=["solution"]
# **Explication.** `split()`, sans argument, coupe à toute suite de blancs, et ne fabrique jamais de mot vide.
#
# **Erreurs fréquentes**
# - `text.split(" ")` : deux espaces de suite donnent un mot vide, et un retour à la ligne n’y coupe rien.
# - `text.count(" ") + 1` : la même erreur, et un texte vide compte pour un mot.
# - `len(set(…))` : c’est le nombre de mots *différents*.
# - `len(text)` : c’est le nombre de caractères.

# %% [markdown]
# ## 2. `best_chunk` : le meilleur morceau
#
# **Niveau : échauffement (1 point). Importance : importante. Durée : 6 minutes.**
#
# Donnez le **numéro** du morceau qui a le plus de mots *différents* en commun avec la question. C’est la recherche la
# plus simple qui soit ; tout le cours va l’améliorer.
#
# - Les mots sont ceux de `text.lower().split()` : majuscules et minuscules se valent, la ponctuation reste collée.
# - Un mot répété, dans la question ou dans le morceau, compte une fois.
# - À égalité, le plus petit numéro gagne ; c’est donc 0 si aucun morceau n’a de mot commun.
# - Levez `ValueError` si `chunks` est vide, ou si c’est une chaîne au lieu d’une liste.
#
# | appel | résultat |
# |---|---|
# | `best_chunk("Quel fusible ?", ["le lidar", "le fusible"])` | `1` |
# | `best_chunk("le robot", ["robot", "le", "le lidar"])` | `0` |


# %% exercise="start.best_chunk"
def best_chunk(question: str, chunks: list[str]) -> int:
    """Donner le numéro du morceau qui a le plus de mots différents en commun avec la question."""
    ### BEGIN SOLUTION
    if isinstance(chunks, str) or len(chunks) == 0:
        raise ValueError("chunks doit être une liste d’au moins un texte.")
    asked = set(question.lower().split())
    shared = [len(asked & set(chunk.lower().split())) for chunk in chunks]
    return shared.index(max(shared))
    ### END SOLUTION


# %% check="start.best_chunk"
best_chunk = check("start.best_chunk", best_chunk)
points("start.best_chunk")

# %% [markdown] tags=["solution"]
# **Explication.** `set` ne garde qu’un exemplaire de chaque mot, et `&` ceux que deux ensembles ont en commun. `index` rend
# la première place du maximum : l’égalité est réglée sans y penser.
#
# **Erreurs fréquentes**
# - `mot in chunk` sur le texte lui-même : « le » se trouve dans « les ». Coupez d’abord.
# - `set(chunk)` sans `split()` : c’est l’ensemble des *lettres*.
# - oublier `lower()` d’un côté.
# - rendre le texte, ou le nombre de mots communs, au lieu du numéro.
# - garder le dernier à égalité, avec `>=`.
