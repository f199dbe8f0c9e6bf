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
#     kind: lesson
#     lang: fr
# ---

# %% [markdown]
# # 04. Hybride, reclassement, diversité
# **Deux recherches valent mieux qu’une, si l’on sait les marier**
#
# Au labo, deux étudiantes cherchent dans la documentation du robot. L’une tape un code d’erreur : BM25 trouve la ligne
# exacte, la recherche par le sens hésite. L’autre demande si elle peut rester tard le soir sans compagnie : le
# règlement le dit avec d’autres mots, et c’est BM25 qui reste muet. Vous avez maintenant les deux moteurs. Lequel
# brancher ?
#
# Les deux, et c’est tout le chapitre. À la fin, vous saurez :
#
# - dire pourquoi additionner des scores est fragile, et le montrer ;
# - fusionner des classements par leurs **rangs** (RRF), démontrer le **théorème 4** et dire ce que règle $k$ ;
# - **reclasser** une courte liste, et prévoir ce qui bouge (le MRR) et ce qui ne bouge pas (le rappel) ;
# - choisir des passages **qui ne se répètent pas** (MMR) ;
# - lire, et exécuter, la configuration d’une recherche hybride complète.

# %% [markdown]
# ## Votre temps
#
# Comptez **75 à 90 minutes** en tout : une heure au plus pour cette leçon, une demi-heure pour le carnet d’exercices.
#
# | partie | minutes |
# |---|---|
# | 1. Deux moteurs, deux sortes d’échecs | 5 |
# | 2. Additionner les scores : une fausse piste (à vous) | 8 |
# | 3. Ne garder que les rangs : RRF (à vous) | 13 |
# | 4. Le verdict de nos questions | 3 |
# | 5. Reclasser (à vous) | 10 |
# | 6. Ne pas se répéter : MMR (à vous) | 14 |
# | 7. La configuration, exécutable, et la bibliothèque d’en face | 4 |
# | 8. Bilan et quiz | 3 |
#
# **Comment travailler.** Effacez d’abord les résultats enregistrés (*Edit*, *Clear Outputs of All Cells*) : ils
# vendraient la mèche. Exécutez les cellules une à une (`Maj + Entrée`), et répondez aux prédictions *avant* de
# continuer. Les cellules **À vous** attendent votre code ; la suivante le vérifie. S’il n’est pas encore juste, la
# leçon continue avec une version de référence : vous ne serez jamais bloqué.

# %%
from ragteach.notebook import begin, check, hint, predict, quiz, reveal

begin("04_fusion", lang="fr", course="1")

# %% [markdown]
# ### D’où l’on part
#
# Voici le tableau que chaque chapitre allonge d’une ligne : les six mêmes questions, posées au petit corpus. La
# première ligne est la version naïve (fenêtres de 40 mots, mots pris tels quels).

# %%
from ragteach.explore import milestones

milestones("04_fusion", lang="fr", before=True)

# %% [markdown]
# Six questions ne suffisent pas pour choisir (le chapitre 05 dira pourquoi). Pour ce chapitre, nous prenons donc le
# grand corpus du robot et toutes ses questions annotées.
#
# ## 1. Deux moteurs, deux sortes d’échecs
#
# Les documents sont coupés à leurs séparateurs, en morceaux de 60 mots au plus (chapitre 01). Les questions pièges,
# sans réponse dans le corpus, sont mises de côté.

# %%
from ragteach.corpus import chunk, load, relevant_chunks
from ragteach.corpus.synonyms import SYNONYMS
from ragteach.retrieval.bm25_index import BM25Index
from ragteach.retrieval.chunking import chunk_recursive
from ragteach.retrieval.lsa_index import LSAIndex
from ragteach.retrieval.text import tokenize

corpus = load("robot", "fr")
chunks = chunk(corpus.documents, lambda text: chunk_recursive(text, 60))
questions = [question for question in corpus.questions if question.relevant]
relevant = [relevant_chunks(question, chunks) for question in questions]
print(len(chunks), "morceaux,", len(questions), "questions")

# %% [markdown]
# Nos deux moteurs sont ceux des chapitres 02 et 03. BM25 compare des mots. LSA compare des sens : ses vecteurs viennent
# d’une SVD, après remplacement de chaque synonyme par son mot, comme au chapitre 03. Chacun rend ses 40 meilleurs
# morceaux.


# %%
def concepts(text):
    """Les tokens d’un texte, chaque synonyme remplacé par son mot."""
    return [SYNONYMS["fr"].get(token, token) for token in tokenize(text)]


bm25 = BM25Index([tokenize(piece.text) for piece in chunks])
lsa = LSAIndex([concepts(piece.text) for piece in chunks], dims=100)
lexical = [bm25.search(tokenize(question.text), 40) for question in questions]
dense = [lsa.search(concepts(question.text), 40) for question in questions]
members = list(zip(lexical, dense, strict=True))

# %% [markdown]
# Trois mesures, que le chapitre 05 détaillera : le **rappel@5** et le **rappel@10** (quelle part des morceaux qui
# répondent est parmi les 5, les 10 premiers ?) et le **MRR** (à quel rang vient le premier ?).

# %% tags=["nbval-check-output"]
from ragteach.explore import curves, number, show, table
from ragteach.retrieval.metrics import by_segment, mrr, recall_curve

results = {}


def evaluate(name, rankings):
    """Ajouter une ligne aux résultats."""
    results[name] = [*recall_curve(rankings, relevant, [5, 10]), mrr(rankings, relevant)]


def show_results():
    header = ["recherche", "rappel@5", "rappel@10", "MRR"]
    table(header, [[name, *values] for name, values in results.items()], lang="fr")


evaluate("BM25", lexical)
evaluate("LSA", dense)
show_results()

# %% [markdown]
# LSA retrouve davantage de morceaux, mais au MRR les deux font jeu égal. Et une moyenne cache l’essentiel. Regardons
# par genre de question : les codes exacts d’un côté, les paraphrases et les synonymes de l’autre.

# %% tags=["nbval-check-output"]
KINDS = {
    "exact-code": "code exact",
    "paraphrase": "paraphrase",
    "synonym": "synonyme",
    "table": "tableau",
    "follow-up": "relance",
}


def mrr_by_kind(rankings):
    values = [
        mrr([ranking], [answers]) for ranking, answers in zip(rankings, relevant, strict=True)
    ]
    return by_segment(values, [question.kind for question in questions])


def show_kinds(**searches):
    columns = {name: mrr_by_kind(rankings) for name, rankings in searches.items()}
    rows = [[KINDS[kind], *(column[kind] for column in columns.values())] for kind in KINDS]
    table(["genre de question", *(f"MRR {name}" for name in columns)], rows, lang="fr")


show_kinds(BM25=lexical, LSA=dense)

# %% [markdown]
# Chacun son terrain : BM25 mène sur les codes et les tableaux, LSA sur les paraphrases et les synonymes. Combien de
# questions ne sont réussies que par l’un des deux ? Soyons exigeants : une question est réussie quand un morceau qui
# répond est à la première place.


# %% tags=["nbval-check-output"]
def right(rankings, k=1):
    """Les numéros des questions dont une réponse est parmi les k premiers."""
    return {i for i, ranking in enumerate(rankings) if relevant[i] & set(ranking[:k])}


by_bm25, by_lsa = right(lexical), right(dense)
print("les deux       :", len(by_bm25 & by_lsa))
print("BM25 seulement :", len(by_bm25 - by_lsa))
print("LSA seulement  :", len(by_lsa - by_bm25))
print("aucun des deux :", len(questions) - len(by_bm25 | by_lsa))

# %% [markdown]
# Qui saurait toujours choisir le bon moteur réussirait les trois premières lignes : voilà la marge d’une fusion. La
# dernière est plus difficile. Il y faut deux bonnes places, deuxième dans les deux listes par exemple, qui, ensemble,
# valent une première.
#
# ## 2. Additionner les scores : une fausse piste
#
# L’idée qui vient d’abord : chaque moteur donne un score, additionnons-les. Regardons ces scores.

# %% tags=["nbval-check-output"]
import numpy as np


def both_scores(question):
    """Les scores BM25 et les cosinus LSA de tous les morceaux."""
    vector = lsa.embed([concepts(question.text)])[0]
    return bm25.scores(tokenize(question.text)), lsa.embeddings @ vector


scores, cosines = both_scores(questions[0])
print(questions[0].text)
rows = [["BM25", scores.max(), scores.min()], ["cosinus LSA", cosines.max(), cosines.min()]]
table(
    ["score", "le plus grand", "le plus petit"],
    [[a, float(b), float(c)] for a, b, c in rows],
    lang="fr",
)

# %% [markdown]
# Des centimètres et des kilos : un score BM25 part de 0 et n’a pas de plafond ; un cosinus va de −1 à 1. Si l’on
# additionne tel quel, combien de fois les cinq premiers de la somme sont-ils simplement ceux de BM25, dans le même
# ordre ?


# %% tags=["nbval-check-output"]
def ranked(values, k=40):
    """Les numéros des k plus grandes valeurs, la plus grande d’abord."""
    return np.argsort(-np.asarray(values), kind="stable")[:k].tolist()


sums = [ranked(sum(both_scores(question))) for question in questions]
copies = sum(total[:5] == ranking[:5] for total, ranking in zip(sums, lexical, strict=True))
print(copies, "questions sur", len(questions))

# %% [markdown]
# Quatre fois sur cinq, LSA n’a pas eu voix au chapitre. Il faut une échelle commune. La plus courante ramène chaque
# liste de scores entre 0 et 1 :
#
# $$s’ = \frac{s-\min}{\max-\min}$$
#
# ### À vous : `min_max`
#
# La plus petite note devient 0, la plus grande 1. Trois cas à part : aucune note, une liste vide ; toutes les notes
# égales, rien que des 0.0 (et pas de division par zéro) ; une note `nan` ou infinie, `ValueError`.

# %%
import math


def min_max(scores: list[float]) -> list[float]:
    """Ramener des notes entre 0 et 1.

    min_max([2, 6, 3]) vaut [0.0, 1.0, 0.25], min_max([5, 5]) vaut [0.0, 0.0], min_max([]) vaut [].
    Lève ValueError si une note est nan ou infinie (math.isfinite le dit).
    """
    raise NotImplementedError


# %%
min_max = check("fusion.min_max", min_max)


# %% tags=["nbval-check-output"]
def mixed(question, bend=lambda values: values):
    """Classer par la somme des deux scores ramenés entre 0 et 1."""
    scores, cosines = both_scores(question)
    return ranked(np.add(min_max(scores.tolist()), min_max(bend(cosines).tolist())))


mix = [mixed(question) for question in questions]
evaluate("somme après min-max", mix)
show_results()

# %% [markdown]
# Ce n’est pas mauvais du tout, et il faut le dire : bien réglée, une somme de scores fait souvent aussi bien qu’une
# fusion par rangs. Alors pourquoi « fausse piste » ? Parce qu’elle tient debout sans être solide. Deux coups d’épaule.
#
# **Premier coup : un intrus.**

# %%
predict("fusion.outlier")

# %% tags=["nbval-check-output"]
toy_bm25 = {"A": 9.0, "B": 7.0, "C": 2.0}
toy_lsa = {"A": 0.25, "B": 0.30, "C": 0.05}


def order_by_sum(first, second):
    totals = np.add(min_max(list(first.values())), min_max(list(second.values())))
    return [name for _, name in sorted(zip(-totals, first, strict=True))]


before = order_by_sum(toy_bm25, toy_lsa)
after = order_by_sum(toy_bm25 | {"D": 60.0}, toy_lsa | {"D": 0.10})
print("sans D :", before)
print("avec D :", after)
reveal("fusion.outlier", "avec D, " + " > ".join(name for name in after if name in "AB"))

# %% [markdown]
# D peut être une page qui répète vingt fois les mots de la question. Il suffit qu’on l’ajoute au corpus pour que deux
# autres documents échangent leurs places.
#
# **Second coup : une autre échelle.** Demain, le modèle dense est remplacé par une version qui range *exactement dans
# le même ordre*, mais dont les cosinus sont plus contrastés. Rien n’a changé à son avis. La somme, elle,
# change-t-elle ?


# %% tags=["nbval-check-output"]
def contrasted(cosines):
    """Une transformation strictement croissante : le même ordre, d’autres écarts."""
    return np.exp(10 * cosines)


bent = [mixed(question, contrasted) for question in questions]
moved = sum(before[:5] != after[:5] for before, after in zip(mix, bent, strict=True))
print("questions dont les cinq premiers ont changé :", moved, "/", len(questions))
evaluate("la même, cosinus contrastés", bent)
show_results()

# %% [markdown]
# Plus de deux listes sur trois ont bougé, et le MRR a baissé, alors qu’aucun moteur n’a changé d’avis. Une somme de
# scores se règle pour deux moteurs précis, un corpus précis, et se règle de nouveau à chaque mise à jour. Il nous faut
# quelque chose qui ne regarde pas les échelles.
#
# ## 3. Ne garder que les rangs : RRF
#
# Oublions les scores. Il reste les **rangs** : 1er, 2e, 3e… La *fusion par rangs réciproques* (reciprocal rank fusion,
# RRF) donne à chaque document, pour chaque liste qui le contient, $\frac{1}{k+\text{rang}}$, et additionne :
#
# $$\text{RRF}(d)=\sum_{\ell\,:\,d\in\ell}\frac{1}{k+\text{rang}_\ell(d)}\qquad\text{d’ordinaire } k=60.$$
#
# À la main, sur deux listes : BM25 dit D7, D2, D9, D4 ; la recherche dense dit D2, D5, D7, D1.
#
# | document | rang BM25 | rang dense | somme | score |
# |---|---|---|---|---|
# | D2 | 2 | 1 | 1/62 + 1/61 | 0,0325 |
# | D7 | 1 | 3 | 1/61 + 1/63 | 0,0323 |
# | D5 | – | 2 | 1/62 | 0,0161 |
# | D9 | 3 | – | 1/63 | 0,0159 |
# | D4 | 4 | – | 1/64 | 0,0156 |
# | D1 | – | 4 | 1/64 | 0,0156 |
#
# D4 et D1 sont à égalité : l’ordre de première apparition décide, et D4 est lu d’abord.

# %% [markdown]
# ### À vous : `rrf_scores`
#
# Rendez un dictionnaire, du document à son score. Quatre précisions, qui sont autant d’erreurs vues dans de vrais
# logiciels :
#
# - le premier rang est **1**, pas 0 ;
# - un document absent d’une liste n’en reçoit **rien** : ne lui inventez pas de rang ;
# - un document répété dans une liste n’est payé **qu’une fois**, à son meilleur rang, et les suivants gardent le leur ;
# - on **additionne** sur les listes : on ne garde pas le meilleur terme.
#
# Levez `ValueError` si `k` est inférieur à 1, ou si un classement est une chaîne au lieu d’une liste.


# %%
def rrf_scores(rankings: list[list], k: int = 60) -> dict:
    """Associer à chaque document la somme des 1 / (k + rang).

    rrf_scores([["A", "A", "B"], ["B"]]) vaut {"A": 1/61, "B": 1/63 + 1/61}.
    """
    raise NotImplementedError


# %%
rrf_scores = check("fusion.rrf_scores", rrf_scores)

# %% tags=["nbval-check-output"]
LISTS = [["D7", "D2", "D9", "D4"], ["D2", "D5", "D7", "D1"]]
for document, score in rrf_scores(LISTS).items():
    print(document, number(score, "fr", 4))
print("premier dans les deux listes :", number(rrf_scores([["A"], ["A"]])["A"], "fr", 4))
print("premier dans une seule       :", number(rrf_scores([["A"], ["B"]])["A"], "fr", 4))

# %% [markdown]
# Deux nombres à retenir : être premier partout rapporte le double d’être premier quelque part. Il ne reste qu’à trier
# par score décroissant (le tri de Python est stable : à égalité, il garde l’ordre de première apparition). C’est `rrf`,
# que vous écrirez dans les exercices.

# %%
from ragteach.explore import bump_figure
from ragteach.retrieval.fusion import rrf, weighted_rrf

figure = bump_figure(
    {"BM25": LISTS[0], "RRF": rrf(LISTS), "dense": LISTS[1]}, {"D2", "D7"}, lang="fr"
)
alt = f"RRF : {', '.join(rrf(LISTS))}."
show(figure, f"D2 et D7, que les deux listes contiennent, passent en tête. {alt}")

# %% [markdown]
# (Ici, supposons que D2 et D7 répondent : ce sont eux que l’étoile marque.)
#
# ### Théorème 4 : RRF ne voit pas les échelles
#
# **Énoncé.** Si l’on applique aux scores d’une liste une fonction strictement croissante, RRF ne change pas.
#
# **Démonstration.** Soit $f$ strictement croissante : $s(a)>s(b)$ si et seulement si $f(s(a))>f(s(b))$, et $s(a)=s(b)$
# si et seulement si $f(s(a))=f(s(b))$. Trier par $s$ ou par $f(s)$ donne donc le même ordre, ex æquo compris. Donc
# $\text{rang}_\ell(d)$ est le même pour tout $d$. Or RRF n’est fait que de ces rangs. $\blacksquare$
#
# Une démonstration se vérifie aussi. Tirons mille paires de listes au hasard, tordons leurs scores par des fonctions
# croissantes, et comptons les fusions qui changent.

# %% tags=["nbval-check-output"]
rng = np.random.default_rng(4)
increasing = [np.exp, np.cbrt, lambda s: s**3, lambda s: 7 * s + 2, np.arctan]
changed = {"RRF": 0, "min-max": 0}
for _ in range(1000):
    first, second = rng.normal(size=(2, 8))
    f, g = rng.choice(len(increasing), 2)
    bent_first, bent_second = increasing[f](first), increasing[g](second)
    changed["RRF"] += rrf([ranked(first), ranked(second)]) != rrf(
        [ranked(bent_first), ranked(bent_second)]
    )
    sums = [
        np.add(min_max(list(a)), min_max(list(b)))
        for a, b in ((first, second), (bent_first, bent_second))
    ]
    changed["min-max"] += ranked(sums[0]) != ranked(sums[1])
print("fusions changées, sur 1000 :", changed)

# %% [markdown]
# Le théorème a une limite, qu’il faut connaître : en oubliant les scores, RRF oublie aussi *de combien* le premier
# devance le deuxième. Un cosinus de 0,95 suivi d’un 0,20 et un 0,31 suivi d’un 0,30 lui disent la même chose. Et quand
# une liste a des ex æquo, leurs rangs, donc la fusion, dépendent de la règle qui les départage : dites-la (la nôtre :
# le plus petit numéro d’abord).
#
# ### Ce que règle k
#
# Comparez un document présent **dans les deux** listes au rang $r$, et un autre **premier d’une seule**. Jusqu’à quel
# $r$ le premier des deux l’emporte-t-il ?

# %%
predict("fusion.twice")

# %% [markdown]
# Il l’emporte quand
#
# $$\frac{2}{k+r}>\frac{1}{k+1}\iff 2k+2>k+r\iff r<k+2.$$
#
# En particulier, deux fois troisième bat une fois premier dès que $k>1$.


# %% tags=["nbval-check-output"]
def deepest(k):
    """Le plus grand rang qui, dans deux listes, bat encore le premier d’une seule."""
    return max((r for r in range(1, 500) if 2 / (k + r) > 1 / (k + 1)), default=None)


rows = [[k, deepest(k)] for k in (1, 5, 20, 60, 100)]
table(["k", "l’accord l’emporte jusqu’au rang"], rows, lang="fr")
reveal("fusion.twice", deepest(60))

# %% [markdown]
# $k$ dit donc jusqu’où l’on fait confiance à l’**accord**. Grand, il écoute le consensus ; petit, il écoute les
# premiers de chaque liste. La courbe montre ce que vaut un rang, comparé au premier.

# %%
places = range(1, 41)
worth = {f"k = {k}": [(k + 1) / (k + place) for place in places] for k in (1, 10, 60)}
figure = curves(places, worth, "rang", "valeur, le 1er valant 1", lang="fr")
show(
    figure,
    "Avec k = 1 la valeur s’effondre dès le 2e rang ; avec k = 60, le 40e rang vaut encore plus de la moitié du 1er.",
)

# %% [markdown]
# Cela se paie. Prenons la question sur laquelle $k$ change le plus de choses, et regardons où RRF place la bonne
# réponse.


# %% tags=["nbval-check-output"]
def first_rank(ranking, answers):
    """Le rang du premier morceau qui répond ; 41 s’il n’y en a pas."""
    return next((rank for rank, i in enumerate(ranking, start=1) if i in answers), 41)


def rank_with(k, i):
    return first_rank(rrf(members[i], k), relevant[i])


worst = max(range(len(questions)), key=lambda i: rank_with(60, i) - rank_with(1, i))
print(questions[worst].text)
rows = [
    ["BM25", first_rank(lexical[worst], relevant[worst])],
    ["LSA", first_rank(dense[worst], relevant[worst])],
]
rows += [[f"RRF, k = {k}", rank_with(k, worst)] for k in (60, 20, 5, 2, 1)]
table(["recherche", "rang de la réponse (41 : pas trouvée)"], rows, lang="fr")

# %% [markdown]
# BM25 n’a pas trouvé le morceau : il n’a donc qu’une voix, et avec $k=60$ tous ceux qui en ont deux lui passent devant.
# C’est la règle $r<k+2$ à l’œuvre. Un $k$ plus petit le fait remonter. Faut-il baisser $k$ pour autant ? Une question
# ne fait pas une règle ; balayons.

# %%
ks = [1, 2, 5, 10, 20, 30, 40, 60, 80, 100]
fused = {k: [rrf([a, b], k) for a, b in members] for k in ks}
sweep = {
    "MRR": [mrr(fused[k], relevant) for k in ks],
    "rappel@10": [recall_curve(fused[k], relevant, [10])[0] for k in ks],
}
figure = curves(ks, sweep, "k", "moyenne sur les questions", lang="fr")
figure.axes[0].set_ylim(0.5, 1)
alt = " ; ".join(
    f"k = {k} : MRR {number(m, 'fr')}" for k, m in zip(ks, sweep["MRR"], strict=True)
)
show(figure, f"Deux courbes presque plates. {alt}.")

# %% [markdown]
# Presque plat. Voilà pourquoi tout le monde garde 60, la valeur des auteurs : non parce qu’elle serait la meilleure,
# mais parce que le résultat en dépend peu. Ne cherchez pas là votre prochain progrès.
#
# ### Des poids
#
# Si l’on se fie plus à une liste qu’à l’autre, on pèse ses termes : $\sum_\ell w_\ell/(k+\text{rang}_\ell)$. Un poids
# de 0 fait taire une liste (ses documents restent, en fin de classement).

# %%
weights = [n / 10 for n in range(11)]
weighed = [[weighted_rrf([a, b], [w, 1 - w]) for a, b in members] for w in weights]
sweep = {
    "MRR": [mrr(rankings, relevant) for rankings in weighed],
    "rappel@10": [recall_curve(rankings, relevant, [10])[0] for rankings in weighed],
}
figure = curves(
    weights, sweep, "poids de BM25 (celui de LSA est le reste)", "moyenne", lang="fr"
)
figure.axes[0].set_ylim(0.5, 1)
alt = " ; ".join(
    f"{number(w, 'fr', 1)} : {number(m, 'fr')} et {number(r, 'fr')}"
    for w, m, r in zip(weights, *sweep.values(), strict=True)
)
show(figure, f"MRR et rappel@10 selon le poids de BM25 : {alt}.")

# %% [markdown]
# Le MRR ne bouge que de deux centièmes d’un bord à l’autre ; le rappel@10, lui, préfère LSA seul. Deux mesures, deux
# meilleurs poids : décidez d’abord ce que vous voulez, et ne croyez pas un sommet d’un centième.

# %% [markdown]
# ### Manipulez
#
# Les questions proposées sont celles où BM25 et LSA sont le moins d’accord, pourvu que l’un des deux place une réponse
# parmi ses six premiers. Déplacez les curseurs (à la souris, ou au clavier : `Tab`, puis les flèches gauche et droite).
# Essayez, dans l’ordre :
#
# 1. $k$ de 60 à 1 : qui monte, qui descend ?
# 2. le poids de BM25 à 0 : que devient la colonne du milieu ?
# 3. à la deuxième question, de quel moteur faut-il baisser le poids ?

# %%
from ragteach.explore import fusion_explorer

fusion_explorer(lang="fr")

# %% [markdown]
# ## 4. Le verdict de nos questions

# %%
predict("fusion.best_of_two")

# %% tags=["nbval-check-output"]
hybrid = [rrf([a, b]) for a, b in members]
evaluate("RRF, k = 60", hybrid)
show_results()
show_kinds(BM25=lexical, LSA=dense, RRF=hybrid)
reveal("fusion.best_of_two", results["RRF, k = 60"][2])

# %% [markdown]
# Au MRR, la fusion fait à peine mieux que ses deux membres ; au rappel, elle reste entre les deux. Genre par genre, la
# raison saute aux yeux : elle garde presque tout l’avantage de BM25 sur les codes et les tableaux, et ne prend qu’un
# peu moins de la moitié de celui de LSA sur les paraphrases. Elle n’est nulle part la pire des trois.
#
# C’est une **assurance**, et il faut la juger comme telle. Sur de grandes collections publiques, la même chose se
# voit : quand les deux membres sont de force égale et se trompent différemment, la fusion les dépasse ; quand l’un des
# deux est nettement meilleur, elle le tire vers le bas. « L’hybride gagne toujours » est une phrase de vendeur. Mesurez
# sur vos questions ; et prenez un écart d’un ou deux centièmes, sur 120 d’entre elles, pour ce qu’il est : le chapitre
# 05 montrera que le hasard en fait autant.

# %% [markdown]
# ## 5. Reclasser
#
# Un bi-encodeur (LSA en est un) calcule les vecteurs des morceaux **d’avance**, sans connaître la question. C’est ce
# qui le rend rapide, et c’est sa limite. Un **cross-encodeur** lit la question et le passage **ensemble** : il voit
# quel mot répond à quel mot. Il est bien plus précis, et bien trop lent pour tout lire.
#
# | | bi-encodeur | cross-encodeur |
# |---|---|---|
# | lit | la question et le passage séparément | les deux ensemble, paire par paire |
# | quand | les passages, à l’indexation | à chaque question |
# | coût d’une question | un vecteur, puis des produits scalaires | une lecture par candidat |
# | sa force | trouver large : le rappel | mettre en ordre : la précision |
# | sa place | premier étage, 40 à 100 candidats | second étage, 5 à 10 gardés |
#
# D’où le montage que l’on rencontre partout : **chercher large, puis reclasser peu**.

# %% [markdown]
# Un vrai cross-encodeur est un réseau de quelques centaines de mégaoctets. Nous prenons à sa place un lecteur de
# papier, qui lit lui aussi question et passage ensemble : il compte les **concepts communs**. Trois étapes :
#
# 1. couper chaque texte en tokens (`tokenize`, chapitre 02) et remplacer chaque token par son concept,
#    `synonyms.get(token, token)` ;
# 2. garder les concepts **distincts** que les deux textes partagent ;
# 3. retirer ceux qui sont des mots vides (la liste passe elle aussi par `tokenize`).
#
# ### À vous : `concept_score`
#
# Levez `ValueError` si `query` ou `chunk` n’est pas une chaîne, ou si `stopwords` en est une (elle serait lue lettre
# par lettre).


# %%
def concept_score(
    query: str, chunk: str, synonyms: dict[str, str], stopwords: list[str]
) -> int:
    """Compter les concepts distincts que la question et le morceau partagent.

    concept_score("le moteur chauffe", "Le moteur, en surchauffe !",
    {"chauffe": "surchauffe"}, ["le"]) vaut 2.
    """
    raise NotImplementedError


# %%
concept_score = check("fusion.concept_score", concept_score)

# %% [markdown]
# Reclasser, c’est trier les candidats par cette note. À note égale, ils gardent leur ordre d’arrivée : le premier étage
# avait ses raisons.

# %%
from functools import cache

from ragteach.answers.words import STOP_WORDS
from ragteach.retrieval.fusion import rerank


@cache  # chaque paire n’est lue qu’une fois
def note(question, doc):
    return concept_score(question, chunks[doc].text, SYNONYMS["fr"], STOP_WORDS)


def reranked(i, n):
    """Les n premiers candidats de la question i, reclassés."""
    candidates = hybrid[i][:n]
    return rerank(candidates, [note(questions[i].text, doc) for doc in candidates], n)


# %%
predict("fusion.rerank_recall")

# %% tags=["nbval-check-output"]
evaluate("RRF, 10 premiers reclassés", [reranked(i, 10) for i in range(len(questions))])
names = ["BM25", "LSA", "RRF, k = 60", "RRF, 10 premiers reclassés"]
header = ["configuration", "rappel@5", "rappel@10", "MRR"]
table(header, [[name, *results[name]] for name in names], lang="fr")
same = results[names[2]][1] == results[names[3]][1]
reveal("fusion.rerank_recall", "identique" if same else "différent")

# %% [markdown]
# C’est une table que donnent bien des manuels de RAG, refaite sur nos questions : le MRR monte (ici de peu), et le
# rappel@10 est le même jusqu’au dernier chiffre. « Le reclassement améliore le rappel » est une idée reçue.
#
# Soyons précis. Un de ces manuels annonce, sur 200 questions, un MRR de 0,61 avant et de 0,74 après, pour un rappel@5
# de 0,83 les deux fois. Chez nous, le rappel@5 bouge. Tout dépend de ce qu’on reclasse : le rappel ne peut pas bouger
# **à la profondeur des candidats**. Plus haut dans la liste, si : un morceau qui passe du 9e au 3e rang fait monter le
# rappel@5. Faisons varier le nombre de candidats relus.

# %% tags=["nbval-check-output"]
rows = []
for n in (5, 10, 20, 40):
    rankings = [reranked(i, n) for i in range(len(questions))]
    first_stage = recall_curve(hybrid, relevant, [n])[0]
    rows.append(
        [n, first_stage, *recall_curve(rankings, relevant, [n, 5]), mrr(rankings, relevant)]
    )
lost = sum(
    not answers & set(ranking[:40]) for ranking, answers in zip(hybrid, relevant, strict=True)
)
header = ["candidats relus, n", "rappel@n avant", "rappel@n après", "rappel@5", "MRR"]
table(header, rows, lang="fr")
print("questions sans réponse parmi les 40 candidats :", lost)

# %% [markdown]
# Les colonnes « avant » et « après » sont égales à chaque ligne, comme prévu. Et les questions sans réponse parmi les
# candidats, aucun reclasseur ne les rattrapera : c’est au premier étage qu’il faut travailler. Au-delà de dix, chaque
# candidat de plus rapporte peu, et coûte une lecture : voilà pourquoi on s’arrête à quelques dizaines.
#
# Deux réserves, par honnêteté. Notre table de synonymes a été écrite par des gens qui connaissent le corpus : un vrai
# cross-encodeur doit, lui, avoir appris la langue. Et voici comment on le branche ; ce modèle-là n’a **pas** été
# exécuté pour cette leçon :
#
# ```python
# from sentence_transformers import CrossEncoder          # pip install sentence-transformers
#
# model = CrossEncoder("cross-encoder/ms-marco-MiniLM-L-6-v2")
# notes = model.predict([(question, chunks[doc].text) for doc in candidates])
# rerank(candidates, notes, top_n=8)
# ```
#
# Ses notes peuvent être toutes négatives : seul leur ordre compte.

# %% [markdown]
# ## 6. Ne pas se répéter : MMR
#
# Le modèle de langage ne lira que quelques passages. S’ils disent tous la même chose, la place est perdue. Cela arrive
# surtout avec des **fenêtres qui se recouvrent** : revenons-y (40 mots, 10 en commun), et comptons les paires de
# voisines parmi les cinq premières.

# %% tags=["nbval-check-output"]
from ragteach.explore import overlapping
from ragteach.retrieval.chunking import chunk_words

windows = chunk(corpus.documents, chunk_words)
window_index = LSAIndex([concepts(piece.text) for piece in windows], dims=100)
found = [window_index.search(concepts(question.text), 12) for question in questions]
pairs = [overlapping([windows[i] for i in best[:5]]) for best in found]
print(
    "questions dont les 5 premières fenêtres se recouvrent :",
    sum(n > 0 for n in pairs),
    "/",
    len(questions),
)
busiest = pairs.index(max(pairs))
print(questions[busiest].text, "->", pairs[busiest], "paires")
for i in found[busiest][:5]:
    print(f"  {i:3d}  {windows[i].source:14s} {' '.join(windows[i].text.split()[:9])} …")

# %% [markdown]
# La *pertinence marginale maximale* (maximal marginal relevance, MMR) choisit les documents **un par un**. Le premier
# est le plus proche de la question. Ensuite, à chaque tour, on prend le document de plus grand gain :
#
# $$\lambda\cdot\underbrace{\text{sim}(q,d)}_{\text{pertinence}}\;-\;(1-\lambda)\cdot\underbrace{\max_{c\,\in\,\text{choisis}}\text{sim}(d,c)}_{\text{redondance}}$$
#
# - $\lambda=1$ : la pertinence seule, donc le classement simple ;
# - $\lambda=0$ : la nouveauté seule (après le premier) ;
# - on compare à **tous** les documents déjà choisis, et on retient la plus **grande** ressemblance : il suffit d’une
#   copie.
#
# ### À vous : `mmr`
#
# À gain égal, le plus petit numéro. Si `k` dépasse le nombre de documents, rendez-les tous. Levez `ValueError` si `k`
# est inférieur à 1 ou si `lam` n’est pas entre 0 et 1.


# %%
def mmr(query_sims: np.ndarray, doc_sims: np.ndarray, k: int, lam: float = 0.5) -> list[int]:
    """Choisir k documents, pertinents et différents entre eux.

    query_sims[d]: ressemblance de d avec la question (N,).
    doc_sims[d][e]: ressemblance de d et de e (N, N).
    """
    raise NotImplementedError


# %%
mmr = check("fusion.mmr", mmr)

# %% [markdown]
# Regardons-la choisir, sur la question la plus répétitive. Chaque point est une fenêtre, les points voisins se
# ressemblent, et le numéro blanc est l’ordre du choix.

# %%
from ragteach.explore import choice_figure


def choose(i, lam, k=5):
    """Les positions, parmi les 12 meilleures fenêtres de la question i, que MMR choisit."""
    vectors = window_index.embeddings[found[i]]
    query = window_index.embed([concepts(questions[i].text)])[0]
    return mmr(vectors @ query, vectors @ vectors.T, k, lam)


query = window_index.embed([concepts(questions[busiest].text)])[0]
for lam in (1.0, 0.7):
    chosen = choose(busiest, lam)
    n = overlapping([windows[found[busiest][i]] for i in chosen])
    figure = choice_figure(
        query, window_index.embeddings[found[busiest]], found[busiest], chosen, lang="fr"
    )
    figure.axes[0].set_title(
        f"lambda = {number(lam, 'fr', 1)} ; paires qui se recouvrent : {n}"
    )
    show(figure, f"lambda = {lam}, fenêtres choisies : {[found[busiest][i] for i in chosen]}.")

# %%
from ragteach.explore import mmr_explorer

mmr_explorer(lang="fr")

# %% [markdown]
# Cherchez, sur chaque question, le lambda où les copies disparaissent ; puis allez jusqu’à 0, et lisez les passages :
# sont-ils encore utiles ? Mesurons-le sur toutes les questions. Ici le rappel compte des **passages** trouvés, et non
# des fenêtres : deux fenêtres du même passage n’en font qu’un.

# %% tags=["nbval-check-output"]
from ragteach.corpus import passages_found

rows = []
for lam in (1.0, 0.9, 0.8, 0.7, 0.5, 0.3, 0.0):
    kept = [
        [windows[found[i][c]] for c in choose(i, lam)] if found[i] else []
        for i in range(len(questions))
    ]
    shares = [
        len(passages_found(q, pieces)) / len(q.relevant)
        for q, pieces in zip(questions, kept, strict=True)
    ]
    sources = [len({piece.source for piece in pieces}) for pieces in kept]
    rows.append(
        [
            lam,
            sum(map(overlapping, kept)),
            sum(sources) / len(sources),
            sum(shares) / len(shares),
        ]
    )
header = ["lambda", "paires qui se recouvrent", "documents différents", "rappel@5 des passages"]
table(header, rows, lang="fr")

# %% [markdown]
# Jusque vers 0,7, la moitié des recouvrements disparaît et le rappel perd peu (0,02) : la place gagnée va à
# d’autres documents. Mais à 0,5, la valeur que recommandent tant de manuels, le rappel s’effondre : pour éviter les
# copies, MMR va chercher des passages hors sujet. Ici, les cosinus avec la question sont plus petits que ceux des
# fenêtres entre elles, et la redondance pèse plus lourd que la pertinence. Un lambda ne se recopie pas : il se règle,
# sur vos vecteurs.

# %% [markdown]
# ## 7. La configuration, exécutable
#
# En production, tout cela tient dans un fichier de configuration. Voici celui d’un manuel répandu, avec nos moteurs à
# la place des siens, et un lambda de 0,9 au lieu de 0,5 : nous venons de mesurer pourquoi.

# %%
CONFIGURATION = """
retrieval:
  dense:
    model: lsa-100          # un plongement, en vrai
    top_k: 40
  sparse:
    algorithm: bm25
    top_k: 40
  fusion:
    method: reciprocal_rank_fusion
    k: 60
  rerank:
    model: concept-score    # un cross-encodeur, en vrai
    top_n: 8                # ce que lira le modèle de langage
  diversity:
    method: mmr             # facultatif
    lambda: 0.9
"""

# %% [markdown]
# Une fonction par étage, une clé par réglage. En bout de chaîne, MMR prend pour pertinence les notes du reclasseur,
# que `min_max` rapproche de l’échelle des cosinus auxquels elles sont opposées. La fonction garde aussi la **trace** :
# combien de candidats à chaque étage. Le jour où une réponse est mauvaise, c’est la trace qu’on lit d’abord.

# %%
import yaml

settings = yaml.safe_load(CONFIGURATION)["retrieval"]


def retrieve(question, settings, trace):
    """Chercher comme la configuration le dit."""
    sparse = bm25.search(tokenize(question), settings["sparse"]["top_k"])
    near = lsa.search(concepts(question), settings["dense"]["top_k"])
    candidates = rrf([sparse, near], settings["fusion"]["k"])
    notes = [note(question, doc) for doc in candidates]
    order = rerank(candidates, notes, len(candidates) or 1)
    trace.update(bm25=len(sparse), lsa=len(near), fused=len(candidates))
    if "diversity" not in settings:
        return order[: settings["rerank"]["top_n"]]
    vectors = lsa.embeddings[order]
    relevance = np.array(min_max([note(question, doc) for doc in order]))
    chosen = mmr(
        relevance,
        vectors @ vectors.T,
        settings["rerank"]["top_n"],
        settings["diversity"]["lambda"],
    )
    return [order[i] for i in chosen]


# %% tags=["nbval-check-output"]
def gain(i):
    return first_rank(hybrid[i], relevant[i]) - first_rank(reranked(i, 40), relevant[i])


shown, trace = max(range(len(questions)), key=gain), {}
best = retrieve(questions[shown].text, settings, trace)
print(questions[shown].text)
print(trace, "->", len(best))
print("rang de la réponse après la fusion :", first_rank(hybrid[shown], relevant[shown]))
for rank, doc in enumerate(best[:3], start=1):
    star = "★" if doc in relevant[shown] else " "
    print(rank, star, chunks[doc].source, "|", " ".join(chunks[doc].text.split()[:14]), "…")

# %% tags=["nbval-check-output"]
without = {key: value for key, value in settings.items() if key != "diversity"}
rows = []
for name, chosen_settings in (("avec MMR", settings), ("sans MMR", without)):
    rankings = [retrieve(question.text, chosen_settings, {}) for question in questions]
    rows.append([name, recall_curve(rankings, relevant, [8])[0], mrr(rankings, relevant)])
table(["configuration", "rappel@8", "MRR"], rows, lang="fr")

# %% [markdown]
# La bonne réponse, loin dans la fusion, est maintenant parmi les trois premiers. Et voyez la seconde table : MMR fait
# ici **perdre** du rappel. Rien d’étonnant : nos morceaux, coupés aux séparateurs, ne se recouvrent pas, il n’y avait
# pas de copies à écarter. L’étage `diversity` est facultatif ; on retire trois lignes de la configuration, et on mesure
# de nouveau. C’est à cela que sert une configuration exécutable.

# %% [markdown]
# ### Et en production ?
#
# Notre `min_max` est-il celui de tout le monde ? Demandons à scikit-learn.

# %% tags=["nbval-check-output"]
from sklearn.preprocessing import minmax_scale

values = both_scores(questions[0])[0].tolist()
print(bool(np.abs(minmax_scale(values) - min_max(values)).max() < 1e-12))

# %% [markdown]
# La bibliothèque `ranx` fusionne des résultats de recherche de vingt-cinq façons, dont RRF. Les tests du cours la
# comparent à notre `rrf_scores` : mêmes scores, aux arrondis près. Comme elle met plusieurs secondes à se charger, la
# leçon vous laisse l’essai. Le voici pour la première question (ranx veut des scores : nous lui en donnons qui baissent
# avec le rang).
#
# ```python
# import ranx                                               # pip install ranx
#
#
# def as_run(ranking):
#     return ranx.Run({"q": {str(doc): 100.0 - place for place, doc in enumerate(ranking)}})
#
#
# runs = [as_run(lexical[0]), as_run(dense[0])]
# print(ranx.fuse(runs, method="rrf", params={"k": 60}).to_dict()["q"])
# print(rrf_scores([lexical[0], dense[0]]))
# ```
#
# Ce que vous rencontrerez ailleurs :
#
# - **Elasticsearch et OpenSearch** : BM25, vecteurs et fusion dans le même moteur ; RRF avec un `rank_constant` de 60
#   par défaut, et une fenêtre (`rank_window_size`) qui est notre `top_k`.
# - **Qdrant, Weaviate, Milvus** : recherche hybride intégrée. Lisez quel $k$ et quel premier rang elles prennent : ce
#   ne sont pas toujours 60 et 1, et l’ordre peut en dépendre.
# - **LangChain** : `EnsembleRetriever` est une RRF pondérée ; `max_marginal_relevance_search` est notre `mmr`, avec
#   `lambda_mult`. Vérifiez que $\lambda=1$ y rend bien le classement simple : des intégrations l’ont inversé.
# - **PostgreSQL** : deux requêtes (plein texte, et pgvector), et un `1.0 / (60 + rang)` que vous écrivez vous-même.

# %% [markdown]
# ## 8. Bilan
#
# - BM25 et une recherche dense échouent sur des questions **différentes** : c’est la raison de les marier.
# - **Additionner des scores** marche parfois, et se dérègle toujours : un intrus ou une autre échelle suffit.
# - **RRF** additionne $1/(k+\text{rang})$. Le **théorème 4** : aucune transformation strictement croissante des scores
#   ne le change.
# - **$k$** dit jusqu’à quel rang l’accord l’emporte : $r<k+2$. Le résultat en dépend peu.
# - La fusion **ne gagne pas toujours**. Elle assure ; mesurez.
# - **Reclasser** change l’ordre, donc le MRR, jamais le rappel à la profondeur des candidats.
# - **MMR** écarte les copies ; un lambda trop bas écarte aussi les réponses.
#
# Le tableau du cours, avec les lignes de ce chapitre :

# %%
milestones("04_fusion", lang="fr")

# %%
quiz("04_fusion")

# %% [markdown]
# ### Les mots à retenir
#
# | français | anglais |
# |---|---|
# | recherche hybride | *hybrid search* |
# | fusion par rangs réciproques | *reciprocal rank fusion (RRF)* |
# | premier étage, second étage | *first stage, second stage* |
# | bi-encodeur, cross-encodeur | *bi-encoder, cross-encoder* |
# | reclasser, reclasseur | *to rerank, reranker* |
# | pertinence marginale maximale | *maximal marginal relevance (MMR)* |
# | redondance, diversité | *redundancy, diversity* |
# | trace | *trace* |
#
# ### Et maintenant
#
# 1. Le carnet `exercises/fr/04_fusion.ipynb` : les huit fonctions du chapitre, dont quatre sont déjà écrites
#    (recopiez-les), et une question rédigée.
# 2. Le chapitre 05 : toutes ces différences de quelques centièmes, sont-elles vraies, ou le hasard de nos questions ?

# %% [markdown]
# ### Sources
#
# - G. V. Cormack, C. L. A. Clarke et S. Büttcher, « Reciprocal Rank Fusion outperforms Condorcet and individual rank
#   learning methods », SIGIR 2009 : RRF, et la valeur 60.
# - E. A. Fox et J. A. Shaw, « Combination of Multiple Searches », TREC-2, 1994 : additionner des scores normalisés
#   (CombSUM, CombMNZ).
# - S. Bruch, S. Gai et A. Ingber, « An Analysis of Fusion Functions for Hybrid Retrieval », *ACM Transactions on
#   Information Systems*, 42(1), 2023 : quand une somme bien réglée bat RRF.
# - J. Carbonell et J. Goldstein, « The Use of MMR, Diversity-Based Reranking for Reordering Documents and Producing
#   Summaries », SIGIR 1998.
# - R. Nogueira et K. Cho, « Passage Re-ranking with BERT », arXiv 1901.04085, 2019 : le cross-encodeur.
# - E. Bassani et L. Romelli, « ranx.fuse: A Python Library for Metasearch », CIKM 2022.
