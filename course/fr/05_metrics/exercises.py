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
#     chapter: 05_metrics
#     course: '1'
#     kind: exercises
#     lang: fr
# ---

# %% [markdown]
# # 05. Mesurer la recherche seule : les exercices
#
# Douze fonctions, dans l’ordre de la leçon : à la fin, vous aurez tout ce qu’il faut pour juger une recherche et pour
# savoir si ce jugement tient. Comptez **35 minutes** si vous avez suivi la leçon : cinq des douze y sont déjà
# (recopiez-les), les autres sont nouvelles. Une question à rédiger vous attend à la fin.
#
# **Comment ça marche.** Écrivez la fonction, exécutez sa cellule, puis celle du dessous. Elle essaie votre fonction sur
# des exemples choisis et sur d’autres tirés au hasard ; en cas d’échec, elle montre le plus petit cas qui ne va pas, et
# souvent elle reconnaît l’erreur. Les indices se demandent un par un, avec `hint("metrics.ndcg")` par exemple. Vous
# pouvez exécuter tout le carnet à n’importe quel moment : un exercice vide ne bloque pas les suivants. Le nombre seul,
# sous chaque retour, est celui de vos points.
#
# **Conventions.** Un classement (`ranking`) est une liste de documents, le meilleur d’abord ; les rangs commencent à 1.
# `relevant` est un ensemble (`set`) de documents. Un document répété dans un classement ne compte qu’une fois, à son
# meilleur rang, et ses répétitions gardent leur place. Les documents peuvent être des textes ou des nombres. Vos
# fonctions peuvent s’appeler les unes les autres.

# %%
from ragteach.notebook import begin, check, hint, points

begin("05_metrics", lang="fr", course="1")

# %%
from math import log2

import numpy as np

# %% [markdown]
# ## 1. `precision_at_k` : la part utile
#
# **Niveau : échauffement (1 point). Importance : importante. Durée : 3 minutes.**
#
# Rendez la part des $k$ premières places qui contiennent un document pertinent. On divise **toujours par $k$** : une
# place vide est une place perdue. Si `k < 1`, levez `ValueError`.
#
# | appel | résultat |
# |---|---|
# | `precision_at_k(["d4", "d1", "d7", "d2", "d9"], {"d1", "d2"}, 5)` | `0.4` |
# | `precision_at_k(["d1"], {"d1"}, 10)` | `0.1` |


# %% exercise="metrics.precision"
def precision_at_k(ranking: list, relevant: set, k: int) -> float:
    """Rendre la part des k premières places qui contiennent un document pertinent."""
    ### BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"k doit valoir au moins 1, et non {k}.")
    return len(set(ranking[:k]) & set(relevant)) / k
    ### END SOLUTION


# %% check="metrics.precision"
precision_at_k = check("metrics.precision", precision_at_k)
points("metrics.precision")

# %% [markdown] tags=["solution"]
# **Explication.** `ranking[:k]` coupe, `set` retire les répétitions, `&` garde les pertinents. L’ordre compte : couper
# *avant* de retirer les répétitions, sinon les documents suivants gagneraient des places.
#
# **Erreurs fréquentes**
# - diviser par `len(ranking[:k])` : un moteur qui rend un seul document, bon, aurait une précision@10 de 1.
# - compter `sum(doc in relevant for doc in ranking[:k])` : un document répété compte deux fois.

# %% [markdown]
# ## 2. `recall_at_k` : la part trouvée
#
# **Niveau : échauffement (1 point). Importance : essentielle. Durée : 3 minutes.**
#
# Rendez la part des documents pertinents qui se trouvent dans les $k$ premières places. On divise par le nombre de
# **tous** les pertinents. Si rien n’est pertinent, rendez `0.0`. Si `k < 1`, levez `ValueError`.
#
# | appel | résultat |
# |---|---|
# | `recall_at_k(["d4", "d1", "d7"], {"d1", "d9"}, 2)` | `0.5` |
# | `recall_at_k(["d1", "d1"], {"d1", "d2"}, 2)` | `0.5` |


# %% exercise="metrics.recall"
def recall_at_k(ranking: list, relevant: set, k: int) -> float:
    """Rendre la part des documents pertinents qui sont dans les k premières places."""
    ### BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"k doit valoir au moins 1, et non {k}.")
    if not relevant:
        return 0.0
    return len(set(ranking[:k]) & set(relevant)) / len(relevant)
    ### END SOLUTION


# %% check="metrics.recall"
recall_at_k = check("metrics.recall", recall_at_k)
points("metrics.recall")

# %% [markdown] tags=["solution"]
# **Explication.** Même numérateur que la précision, autre dénominateur. Le cas vide vient avant la division.
#
# **Erreurs fréquentes**
# - diviser par `min(k, len(relevant))` : c’est le rappel plafonné, qui a son propre nom.
# - rendre 1 dès qu’un document est trouvé : c’est le taux de succès.
# - rendre 1 quand rien n’est pertinent : la question n’a rien apporté, `trec_eval` compte 0.

# %% [markdown]
# ## 3. `mrr` : le rang du premier
#
# **Niveau : échauffement (1 point). Importance : essentielle. Durée : 3 minutes.**
#
# `rankings[i]` est le classement de la question `i`, `relevants[i]` l’ensemble de ses documents pertinents. Rendez la
# moyenne, sur **toutes** les questions, de $1/\text{rang}$ du premier document pertinent. Une question où aucun n’est
# trouvé compte 0. Levez `ValueError` s’il n’y a aucune question, ou si les deux listes n’ont pas la même longueur.
#
# | appel | résultat |
# |---|---|
# | `mrr([["d5"], ["d1", "d2", "d5"], ["d1", "d5"]], [{"d5"}, {"d5"}, {"d5"}])` | `0.611...` |


# %% exercise="metrics.mrr"
def mrr(rankings: list[list], relevants: list[set]) -> float:
    """Rendre la moyenne de 1/rang du premier document pertinent de chaque question."""
    ### BEGIN SOLUTION
    if len(rankings) == 0 or len(rankings) != len(relevants):
        raise ValueError("rankings et relevants doivent avoir la même longueur, au moins 1.")
    total = 0.0
    for ranking, relevant in zip(rankings, relevants, strict=True):
        for rank, doc in enumerate(ranking, start=1):
            if doc in relevant:
                total += 1 / rank
                break
    return total / len(rankings)
    ### END SOLUTION


# %% check="metrics.mrr"
mrr = check("metrics.mrr", mrr)
points("metrics.mrr")

# %% [markdown] tags=["solution"]
# **Explication.** `break` s’arrête au premier pertinent ; une question sans succès n’ajoute rien au total, mais compte
# dans le diviseur.
#
# **Erreurs fréquentes**
# - commencer les rangs à 0 : division par zéro dès qu’un bon document est en tête.
# - oublier `break` : les documents suivants s’ajoutent.
# - faire la moyenne des seules questions réussies : le score monte quand la recherche échoue complètement.
# - prendre l’inverse de la moyenne des rangs.

# %% [markdown]
# ## 4. `average_precision` : tous les bons, à leur rang
#
# **Niveau : standard (2 points). Importance : utile. Durée : 5 minutes.**
#
# À chaque rang où se trouve un document pertinent (sa première apparition), notez la précision à ce rang : le nombre de
# pertinents trouvés jusque-là, divisé par le rang. Additionnez, puis divisez par le nombre de **tous** les pertinents,
# trouvés ou non. `0.0` si rien n’est pertinent.
#
# | appel | résultat |
# |---|---|
# | `average_precision(["d1", "d8", "d2"], {"d1", "d2"})` | `0.833...`, soit (1/1 + 2/3) / 2 |
# | `average_precision(["d1"], {"d1", "d2"})` | `0.5` |


# %% exercise="metrics.average_precision"
def average_precision(ranking: list, relevant: set) -> float:
    """Rendre la moyenne, sur tous les pertinents, de la précision à leur rang."""
    ### BEGIN SOLUTION
    seen, total = set(), 0.0
    for rank, doc in enumerate(ranking, start=1):
        if doc in relevant and doc not in seen:
            seen.add(doc)
            total += len(seen) / rank
    return total / len(relevant) if relevant else 0.0
    ### END SOLUTION


# %% check="metrics.average_precision"
average_precision = check("metrics.average_precision", average_precision)
points("metrics.average_precision")

# %% [markdown] tags=["solution"]
# **Explication.** `len(seen)` est le nombre de pertinents déjà trouvés ; le diviser par le rang donne la précision. Un
# pertinent absent n’ajoute rien, mais il est dans le diviseur : il compte donc 0.
#
# **Erreurs fréquentes**
# - diviser par le nombre de pertinents *trouvés* : la « context precision » de RAGAS le fait ; un moteur qui en oublie
#   la moitié n’est alors pas puni.
# - diviser par la longueur du classement.
# - additionner 1/rang : c’est oublier les pertinents déjà rencontrés.

# %% [markdown]
# ## 5. `dcg` : des gains qui baissent avec le rang
#
# **Niveau : standard (2 points). Importance : importante. Durée : 3 minutes.**
#
# `gains` contient les notes des documents, dans l’ordre du classement. Rendez
#
# $$\text{DCG@}k=\sum_{i=1}^{k}\frac{2^{\text{note}_i}-1}{\log_2(i+1)}$$
#
# S’il y a moins de $k$ notes, prenez celles qui existent. Levez `ValueError` si `k < 1` ou si une note est négative.
#
# | appel | résultat |
# |---|---|
# | `dcg([3, 0, 1], 3)` | `7.5`, soit 7/1 + 0 + 1/2 |


# %% exercise="metrics.dcg"
def dcg(gains: list[float], k: int) -> float:
    """Rendre le gain cumulé des k premières notes, réduit selon le rang."""
    ### BEGIN SOLUTION
    if k < 1:
        raise ValueError(f"k doit valoir au moins 1, et non {k}.")
    if any(grade < 0 for grade in gains):
        raise ValueError("gains ne doit pas contenir de note négative.")
    return sum((2**grade - 1) / log2(rank + 1) for rank, grade in enumerate(gains[:k], start=1))
    ### END SOLUTION


# %% check="metrics.dcg"
dcg = check("metrics.dcg", dcg)
points("metrics.dcg")

# %% [markdown] tags=["solution"]
# **Explication.** Les rangs commencent à 1, le premier diviseur est donc $\log_2 2=1$. Le $-1$ fait qu’un document de
# note 0 ne rapporte rien.
#
# **Erreurs fréquentes**
# - $\log_2(\text{rang})$ : le premier diviseur vaut 0.
# - un autre logarithme : les valeurs changent (le nDCG, lui, ne changerait pas : pourquoi ?).
# - la note elle-même comme gain : c’est la variante de `trec_eval`.

# %% [markdown]
# ## 6. `ndcg` : comparé à l’idéal
#
# **Niveau : standard (2 points). Importance : essentielle. Durée : 5 minutes.**
#
# `relevance` est un dictionnaire document → note (0 à 3) ; un document qui n’y est pas a la note 0. Rendez le DCG à $k$
# du classement, divisé par celui du **meilleur classement possible de tous les documents notés**, coupé lui aussi à
# $k$. Un document répété a la note 0 aux places où il revient. Si aucune note n’est positive, rendez `0.0`. Si `k < 1`,
# levez `ValueError`.
#
# | appel | résultat |
# |---|---|
# | `ndcg(["d2", "d1"], {"d1": 3, "d2": 0}, 2)` | `0.63...`, soit (7/log₂3) / 7 |
# | `ndcg(["d1"], {"d1": 1, "d2": 3}, 1)` | `0.142...`, soit 1/7 |


# %% exercise="metrics.ndcg"
def ndcg(ranking: list, relevance: dict, k: int) -> float:
    """Rendre le DCG à k divisé par celui du classement idéal."""
    ### BEGIN SOLUTION
    gains = [
        0 if doc in ranking[:i] else relevance.get(doc, 0) for i, doc in enumerate(ranking)
    ]
    ideal = dcg(sorted(relevance.values(), reverse=True), k)
    return dcg(gains, k) / ideal if ideal > 0 else 0.0
    ### END SOLUTION


# %% check="metrics.ndcg"
ndcg = check("metrics.ndcg", ndcg)
points("metrics.ndcg")

# %% [markdown] tags=["solution"]
# **Explication.** Deux listes de notes, deux appels à `dcg`, une division. `dcg` refuse déjà un `k` trop petit. Le
# logarithme choisi disparaît dans la division, car un changement de base multiplie haut et bas par la même constante.
#
# **Erreurs fréquentes**
# - trier les notes des documents *retrouvés* : une recherche qui manque le meilleur obtient 1.
# - ne pas couper l’idéal à $k$ : 1 devient hors d’atteinte.
# - payer deux fois un document répété : le résultat dépasse 1.
# - `relevance[doc]` : une erreur au premier document non noté.

# %% [markdown]
# ## 7. `recall_curve` : le rappel pour plusieurs k
#
# **Niveau : échauffement (1 point). Importance : importante. Durée : 3 minutes.**
#
# Rendez la liste des rappels moyens : pour chaque `k` de `ks`, dans leur ordre, la moyenne de `recall_at_k` sur toutes
# les questions. Chaque question pèse autant, et une question sans document pertinent compte 0. Levez `ValueError` s’il
# n’y a aucune question, si les longueurs diffèrent, ou si un `k` est inférieur à 1.
#
# | appel | résultat |
# |---|---|
# | `recall_curve([["d1", "d2"], ["d7", "d3"]], [{"d1", "d2"}, {"d3"}], [1, 2])` | `[0.25, 1.0]` |


# %% exercise="metrics.recall_curve"
def recall_curve(rankings: list[list], relevants: list[set], ks: list[int]) -> list[float]:
    """Rendre, pour chaque k de ks, le rappel moyen sur les questions."""
    ### BEGIN SOLUTION
    if len(rankings) == 0 or len(rankings) != len(relevants):
        raise ValueError("rankings et relevants doivent avoir la même longueur, au moins 1.")
    pairs = list(zip(rankings, relevants, strict=True))
    return [sum(recall_at_k(*pair, k) for pair in pairs) / len(pairs) for k in ks]
    ### END SOLUTION


# %% check="metrics.recall_curve"
recall_curve = check("metrics.recall_curve", recall_curve)
points("metrics.recall_curve")

# %% [markdown] tags=["solution"]
# **Explication.** Une moyenne de rappels, recommencée pour chaque $k$. Elle ne baisse jamais quand $k$ grandit : plus
# de places ne fait rien perdre.
#
# **Erreurs fréquentes**
# - additionner les documents trouvés de toutes les questions, puis diviser une fois : les questions à nombreux
#   pertinents l’emportent.
# - un `zip` gardé dans une variable et parcouru deux fois : il est vide la seconde fois. `list(zip(...))` règle cela.

# %% [markdown]
# ## 8. `by_segment` : une moyenne par groupe
#
# **Niveau : échauffement (1 point). Importance : importante. Durée : 3 minutes.**
#
# `values[i]` est le score de la question `i`, `segments[i]` son groupe (une source, une langue, un type). Rendez un
# dictionnaire qui associe à chaque groupe la moyenne de ses scores ; sans question, un dictionnaire vide. Levez
# `ValueError` si les longueurs diffèrent.
#
# | appel | résultat |
# |---|---|
# | `by_segment([1.0, 0.0, 0.5], ["manuel", "faq", "manuel"])` | `{"manuel": 0.75, "faq": 0.0}` |


# %% exercise="metrics.by_segment"
def by_segment(values: list[float], segments: list) -> dict:
    """Associer à chaque segment la moyenne de ses valeurs."""
    ### BEGIN SOLUTION
    if len(values) != len(segments):
        raise ValueError("values et segments doivent avoir la même longueur.")
    groups = {}
    for value, segment in zip(values, segments, strict=True):
        groups.setdefault(segment, []).append(value)
    return {segment: sum(group) / len(group) for segment, group in groups.items()}
    ### END SOLUTION


# %% check="metrics.by_segment"
by_segment = check("metrics.by_segment", by_segment)
points("metrics.by_segment")

# %% [markdown] tags=["solution"]
# **Explication.** On range d’abord, on divise ensuite : chaque groupe par sa propre taille.
#
# **Erreurs fréquentes**
# - `dict(zip(segments, values))` : ne garde que la dernière valeur de chaque groupe.
# - `itertools.groupby` sans tri : ne regroupe que des voisins.
# - diviser par le nombre total de questions.

# %% [markdown]
# ## 9. `bootstrap_ci` : un intervalle autour d’une moyenne
#
# **Niveau : difficile (3 points). Importance : essentielle. Durée : 6 minutes.**
#
# Rendez `(bas, haut)`, l’intervalle de confiance de la moyenne de `values`, par rééchantillonnage : `n_resamples` fois,
# tirez `len(values)` valeurs **avec remise** et notez leur moyenne ; les bornes sont les quantiles $(1-\text{level})/2$
# et $(1+\text{level})/2$ de ces moyennes. `seed` rend les tirages reproductibles.
#
# Aucun générateur n’est imposé : vos bornes sont comparées à la loi exacte des moyennes rééchantillonnées, et acceptées
# dès que le hasard des tirages les explique. Levez `ValueError` si `values` est vide, si `level` n’est pas strictement
# entre 0 et 1, ou si `n_resamples < 1`.
#
# | appel | résultat |
# |---|---|
# | `bootstrap_ci([0.25, 0.25, 0.25])` | `(0.25, 0.25)` |
# | `bootstrap_ci([1, 1, 0, 1, 0, 1, 1, 0])` | environ `(0.25, 0.875)` |


# %% exercise="metrics.bootstrap_ci"
def bootstrap_ci(
    values: list[float], level: float = 0.95, n_resamples: int = 1000, seed: int = 0
) -> tuple[float, float]:
    """Rendre l’intervalle de confiance (bas, haut) de la moyenne."""
    ### BEGIN SOLUTION
    if len(values) == 0:
        raise ValueError("values doit contenir au moins une valeur.")
    if not 0 < level < 1:
        raise ValueError(f"level doit être strictement entre 0 et 1, et non {level}.")
    if n_resamples < 1:
        raise ValueError(f"n_resamples doit valoir au moins 1, et non {n_resamples}.")
    rng = np.random.default_rng(seed)
    means = [rng.choice(values, size=len(values)).mean() for _ in range(n_resamples)]
    low, high = np.quantile(means, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)
    ### END SOLUTION


# %% check="metrics.bootstrap_ci"
bootstrap_ci = check("metrics.bootstrap_ci", bootstrap_ci)
points("metrics.bootstrap_ci")

# %% [markdown] tags=["solution"]
# **Explication.** Le générateur est créé **une fois**, avant la boucle : recréé à chaque tour avec le même `seed`, il
# donnerait mille fois le même tirage. L’intervalle vient de la forme des données, sans supposer de loi normale ; il ne
# sort donc jamais de l’étendue des valeurs.
#
# **Erreurs fréquentes**
# - les quantiles des valeurs au lieu de ceux des moyennes.
# - tirer sans remise : toutes les moyennes sont égales.
# - `np.percentile(means, 0.025)` : `percentile` compte de 0 à 100.
# - laisser 5 % de chaque côté : l’intervalle n’est plus qu’à 90 %.

# %% [markdown]
# ## 10. `paired_permutation_test` : le hasard suffit-il ?
#
# **Niveau : difficile (3 points). Importance : essentielle. Durée : 6 minutes.**
#
# `a[i]` et `b[i]` sont les scores de deux systèmes sur la même question `i`. Rendez la valeur p bilatérale du test de
# permutation apparié :
#
# 1. la différence moyenne observée est celle des $a_i-b_i$ ;
# 2. `n_permutations` fois, tirez un signe, +1 ou −1, pour **chaque** différence, et recalculez la moyenne ;
# 3. comptez les tirages dont la moyenne est, en valeur absolue, **au moins aussi grande** que celle observée ; rendez
#    $(\text{compte}+1)/(\text{n\_permutations}+1)$.
#
# Votre valeur est comparée à la valeur p exacte et acceptée dès que le hasard des tirages l’explique ; aucun générateur
# n’est imposé. Deux sommes des mêmes nombres peuvent différer au dernier chiffre : une tolérance de `1e-12` évite de
# perdre des égalités. Levez `ValueError` si les longueurs diffèrent ou sont nulles, ou si `n_permutations < 1`.
#
# | appel | résultat |
# |---|---|
# | `paired_permutation_test([0.5, 1.0], [0.5, 1.0])` | `1.0` |
# | `paired_permutation_test([1] * 6, [0] * 6)` | environ `0.03` |


# %% exercise="metrics.paired_test"
def paired_permutation_test(
    a: list[float], b: list[float], n_permutations: int = 1000, seed: int = 0
) -> float:
    """Rendre la valeur p bilatérale de la différence moyenne, par signes tirés au hasard."""
    ### BEGIN SOLUTION
    if len(a) != len(b) or len(a) == 0:
        raise ValueError("a et b doivent avoir la même longueur, au moins 1.")
    if n_permutations < 1:
        raise ValueError(f"n_permutations doit valoir au moins 1, et non {n_permutations}.")
    differences = np.asarray(a, dtype=float) - np.asarray(b, dtype=float)
    observed = abs(differences.mean())
    rng = np.random.default_rng(seed)
    count = 0
    for _ in range(n_permutations):
        signs = rng.choice([-1, 1], size=len(a))
        if abs((signs * differences).mean()) >= observed - 1e-12:
            count += 1
    return (count + 1) / (n_permutations + 1)
    ### END SOLUTION


# %% check="metrics.paired_test"
paired_permutation_test = check("metrics.paired_test", paired_permutation_test)
points("metrics.paired_test")

# %% [markdown] tags=["solution"]
# **Explication.** Échanger les étiquettes « a » et « b » d’une question change le signe de sa différence, et rien
# d’autre. Les questions faciles et difficiles restent à leur place : c’est ce qui rend le test plus fin que la
# comparaison de deux intervalles.
#
# **Erreurs fréquentes**
# - mélanger toutes les valeurs : le test n’est plus apparié, et la difficulté des questions noie l’écart.
# - `>` au lieu de `>=` : deux systèmes identiques auraient une valeur p presque nulle.
# - oublier la valeur absolue : le test n’est plus bilatéral.
# - oublier les `+ 1` : une valeur p de 0 affirmerait l’impossible.

# %% [markdown]
# ## 11. `expected_accuracy` : le théorème 3
#
# **Niveau : échauffement (1 point). Importance : essentielle. Durée : 2 minutes.**
#
# Rendez la part de bonnes réponses attendue : `recall` est la probabilité que le contexte contienne l’information,
# `p_with` celle d’une bonne réponse dans ce cas, `p_without` dans l’autre.
#
# $$\text{recall}\cdot p_{\text{with}}+(1-\text{recall})\cdot p_{\text{without}}$$
#
# Levez `ValueError` si l’un des trois n’est pas entre 0 et 1.
#
# | appel | résultat |
# |---|---|
# | `expected_accuracy(0.7, 0.9, 0.2)` | `0.69` |


# %% exercise="metrics.expected_accuracy"
def expected_accuracy(recall: float, p_with: float, p_without: float) -> float:
    """Rendre la part de bonnes réponses attendue, selon le théorème 3."""
    ### BEGIN SOLUTION
    for name, value in (("recall", recall), ("p_with", p_with), ("p_without", p_without)):
        if not 0 <= value <= 1:
            raise ValueError(f"{name} doit être entre 0 et 1, et non {value}.")
    return recall * p_with + (1 - recall) * p_without
    ### END SOLUTION


# %% check="metrics.expected_accuracy"
expected_accuracy = check("metrics.expected_accuracy", expected_accuracy)
points("metrics.expected_accuracy")

# %% [markdown] tags=["solution"]
# **Explication.** Deux cas qui s’excluent, chacun pondéré par sa probabilité : la formule des probabilités totales.
#
# **Erreurs fréquentes**
# - s’arrêter à `recall * p_with` : le modèle sait parfois répondre sans contexte.
# - ajouter `p_without` sans le pondérer : la somme peut dépasser 1.

# %% [markdown]
# ## 12. `required_recall` : le rappel qu’il faut
#
# **Niveau : standard (2 points). Importance : importante. Durée : 4 minutes.**
#
# Lisez le théorème à l’envers : rendez le **plus petit rappel** avec lequel `expected_accuracy` atteint `target`.
#
# - `0.0` si l’objectif est atteint sans aucun contexte (`target <= p_without`) ;
# - `None` si aucun rappel ne suffit, pas même 1 ;
# - `ValueError` si l’un des trois arguments n’est pas entre 0 et 1.
#
# Pensez au cas `p_with == p_without`, et à un contexte qui nuit (`p_with < p_without`).
#
# | appel | résultat |
# |---|---|
# | `required_recall(0.55, 0.9, 0.2)` | `0.5` |
# | `required_recall(0.95, 0.9, 0.2)` | `None` |


# %% exercise="metrics.required_recall"
def required_recall(target: float, p_with: float, p_without: float) -> float | None:
    """Rendre le plus petit rappel qui atteint l’objectif ; None si aucun n’y suffit."""
    ### BEGIN SOLUTION
    for name, value in (("target", target), ("p_with", p_with), ("p_without", p_without)):
        if not 0 <= value <= 1:
            raise ValueError(f"{name} doit être entre 0 et 1, et non {value}.")
    if target <= p_without:
        return 0.0
    if target > p_with:
        return None
    return (target - p_without) / (p_with - p_without)
    ### END SOLUTION


# %% check="metrics.required_recall"
required_recall = check("metrics.required_recall", required_recall)
points("metrics.required_recall")

# %% [markdown] tags=["solution"]
# **Explication.** L’ordre des trois cas fait tout. Après les deux premiers, on sait que `p_without < target <=
# p_with` : la division est permise, et le résultat est entre 0 et 1. Le contexte qui nuit tombe lui aussi dans l’un des
# deux premiers cas.
#
# **Erreurs fréquentes**
# - la formule seule : négative sous `p_without`, division par zéro quand `p_with == p_without`.
# - ramener à 1 un objectif impossible : on chercherait longtemps à améliorer la recherche pour rien.
# - `target >= p_with` : à égalité, un rappel de 1 suffit.

# %% [markdown]
# ## 13. À rédiger : deux équipes, deux chiffres
#
# **Corrigé à la main, sur 6 points. Durée : 8 minutes.**
#
# L’équipe A annonce 78 % de « réponses correctes » pour son RAG, selon un modèle de langage qui sert de juge. L’équipe
# B annonce 71 % pour le sien, selon des annotateurs humains. Peut-on conclure que A est meilleur ? Répondez en dix à
# quinze lignes : dites ce qui manque, puis décrivez une comparaison qui permettrait de conclure.
#
# **Barème**
#
# | points | pour |
# |---|---|
# | 1 | une réponse claire : on ne peut pas conclure |
# | 1 | les juges diffèrent, avec un biais possible du modèle-juge (indulgence, goût des réponses longues ou proches des siennes) |
# | 1 | les questions diffèrent, ou rien ne dit qu’elles sont les mêmes |
# | 1 | ni taille d’échantillon ni intervalle de confiance : 7 points peuvent venir du hasard |
# | 1 | un protocole valable : mêmes questions (200 ou plus), mêmes extraits de référence, mêmes juges, et l’accord entre juge humain et modèle-juge mesuré sur un sous-ensemble |
# | 1 | des mesures séparées, avec intervalles (exactitude, fidélité, pertinence), et le rappel@k de la recherche pour expliquer les écarts |

# %% [markdown] written="metrics.w_two_teams" points=6
# *Votre réponse ici.*

# %% [markdown] tags=["solution"]
# **Réponse modèle.** Non. Les deux chiffres ne mesurent pas la même chose. Les **juges** ne sont pas les mêmes : un
# modèle-juge peut être plus indulgent qu’un humain, préférer les réponses longues ou celles qui ressemblent aux
# siennes. Les **questions** ne sont sans doute pas les mêmes non plus, et 78 % sur des questions faciles ne vaut pas
# 71 % sur des questions difficiles. Enfin, sans **taille d’échantillon** ni **intervalle**, on ne sait pas si 7 points
# dépassent le hasard : sur cinquante questions, l’intervalle à 95 % d’une telle proportion fait environ 23 points de
# large.
#
# Pour conclure : prendre **les mêmes** questions, 200 au moins, avec les mêmes extraits de référence, et faire répondre
# les deux systèmes. Faire juger toutes les réponses par le même modèle-juge, à l’aveugle, et un sous-ensemble par des
# humains ; mesurer leur accord (kappa de Cohen) pour savoir ce que vaut le modèle-juge. Rapporter séparément
# exactitude, fidélité et pertinence, chacune avec son intervalle, et tester la différence par paires. Donner enfin le
# rappel@k des deux recherches : d’après le théorème 3, c’est souvent lui qui explique l’écart, et il dit quoi
# améliorer.

# %% [markdown]
# ## Bravo
#
# Vous avez maintenant de quoi juger n’importe quelle recherche. Un dernier essai, avec vos douze fonctions : deux
# systèmes sur huit questions. Lequel choisiriez-vous, et que répondez-vous à qui vous demande d’en être sûr ?

# %%
old = [1.0, 0.5, 0.0, 1.0, 0.0, 0.5, 1.0, 0.0]
new = [1.0, 1.0, 0.5, 1.0, 0.0, 1.0, 0.5, 0.5]
for name, values in (("ancien", old), ("nouveau", new)):
    low, high = bootstrap_ci(values)
    print(f"{name:8} {sum(values) / len(values):.3f}  [{low:.2f}, {high:.2f}]")
print("p =", round(paired_permutation_test(new, old), 2))
