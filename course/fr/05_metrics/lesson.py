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
#     kind: lesson
#     lang: fr
# ---

# %% [markdown]
# # 05. Mesurer la recherche seule
# **Savoir si elle marche, et de combien on peut se tromper**
#
# Deux équipes du laboratoire ont chacune leur moteur de recherche sur la documentation du robot. « Le nôtre a trouvé le
# bon fusible tout de suite », dit l’une. « Le nôtre répond mieux en général », dit l’autre. Chacune a raison, avec ses
# exemples. Qui faut-il croire ?
#
# Ni l’une ni l’autre : il faut mesurer. Et mesurer la **recherche seule**, avant d’y brancher un modèle de langage, car
# une bonne réponse peut cacher une mauvaise recherche, et une mauvaise réponse une bonne. À la fin, vous saurez :
#
# - calculer **à la main**, puis en code, la précision, le rappel, le MRR, la précision moyenne et le nDCG ;
# - choisir la mesure qui répond à votre question, et dire ce qu’elle ne voit pas ;
# - donner un **intervalle de confiance**, et dire si une différence entre deux systèmes peut venir du hasard ;
# - démontrer le **théorème 3** : ce que le rappel permet, et interdit, à tout le reste ;
# - vérifier vos fonctions contre une bibliothèque de référence.

# %% [markdown]
# ## Votre temps
#
# Comptez **80 à 90 minutes** en tout : 50 minutes pour cette leçon, 35 pour le carnet d’exercices, où cinq fonctions
# sur douze seront déjà écrites.
#
# | partie | minutes |
# |---|---|
# | 1. D’où nous partons | 3 |
# | 2. Un classement, toutes les mesures (à vous, trois fois) | 18 |
# | 3. Quatre recherches, 120 questions | 8 |
# | 4. Six questions ne prouvent rien (à vous) | 11 |
# | 5. Le théorème 3 (à vous) | 6 |
# | 6. Et en production ? Bilan et quiz | 4 |
#
# **Comment travailler.** Effacez d’abord les résultats enregistrés (*Edit*, *Clear Outputs of All Cells*) : ils
# vendraient la mèche. Exécutez les cellules une à une (`Maj + Entrée`). Prédisez *avant* d’exécuter. Les cellules
# **À vous** attendent votre code ; la suivante le vérifie, et la leçon continue avec une version de référence s’il
# n’est pas encore juste.

# %%
from ragteach.notebook import begin, check, hint, predict, quiz, reveal

begin("05_metrics", lang="fr", course="1")

# %% [markdown]
# ## 1. D’où nous partons
#
# Depuis le chapitre 00, un tableau grandit : les mêmes six questions du petit corpus, une ligne par amélioration. La
# première ligne est la méthode naïve (des fenêtres de 40 mots, les mots tels quels).

# %% tags=["nbval-check-output"]
from ragteach.explore import milestones

milestones("05_metrics", lang="fr", before=True)

# %% [markdown]
# Deux doutes devraient vous gêner. D’abord, que veulent dire exactement ces quatre colonnes ? Ensuite, chaque nombre
# est une moyenne sur **six** questions : une seule question qui bascule déplace une colonne d’un sixième. L’écart entre
# deux lignes voisines tient-il à la méthode, ou à la question qui a eu de la chance ?
#
# Ce chapitre ne change rien à la recherche. Il change ce que nous avons le droit d’en dire.

# %% [markdown]
# ## 2. Un classement, toutes les mesures
#
# Quelqu’un demande : « Pourquoi le robot ralentit-il quand il chauffe ? » La recherche rend six passages. Un humain les
# a **notés** : 3 répond entièrement, 2 en partie, 1 parle du sujet, 0 n’aide pas.

# %%
from ragteach.explore import number, passages, ranking_figure, ranking_text, show, table

ranking, grades = passages("fr")
show(ranking_figure(ranking, grades, 5, "fr"), ranking_text(ranking, grades, 5, "fr"))

# %% [markdown]
# ### Combien de bons ? Précision et rappel
#
# Les premières mesures ne connaissent que oui et non : un passage est **pertinent** si sa note est positive. On coupe
# le classement à $k$ places (le trait), et l’on compte.
#
# $$\text{précision@}k=\frac{|\text{pertinents}\cap\text{top-}k|}{k}
# \qquad\qquad
# \text{rappel@}k=\frac{|\text{pertinents}\cap\text{top-}k|}{|\text{pertinents}|}$$
#
# Le même numérateur, deux questions différentes : « quelle part de ce que je donne est utile ? » et « quelle part de ce
# qui est utile ai-je donnée ? ».

# %% tags=["nbval-check-output"]
k = 5
relevant = {name for name, grade in grades.items() if grade > 0}
hits = set(ranking[:k]) & relevant
rows = [
    [f"précision@{k}", f"{len(hits)} / {k}", len(hits) / k],
    [f"rappel@{k}", f"{len(hits)} / {len(relevant)}", len(hits) / len(relevant)],
]
table(["mesure", "fraction", "valeur"], rows, lang="fr")

# %% [markdown]
# Trois détails évitent bien des disputes :
#
# - la précision divise par $k$, même quand le moteur rend moins de $k$ passages : une place vide est une place perdue ;
# - le rappel divise par **tous** les pertinents. Avec cinq pertinents, le rappel@3 ne dépassera pas 3/5. (Diviser par
#   $\min(k,\text{pertinents})$ existe aussi : c’est le *rappel plafonné*. Dites lequel vous donnez.)
# - quand chaque question a un seul bon passage, le rappel@k moyen est simplement la part des questions réussies : 8
#   questions sur 10 ont leur passage dans les cinq premiers, donc rappel@5 = 8/10.
#
# ### À vous : `recall_at_k`
#
# Un passage répété ne compte qu’une fois, et sa seconde place reste prise : coupez d’abord à $k$, comptez ensuite.


# %%
def recall_at_k(ranking, relevant, k):
    """Donner la part des pertinents qui sont dans les k premiers ; 0.0 si rien n’est pertinent.

    recall_at_k(["d4", "d1", "d7"], {"d1", "d9"}, 2) vaut 0.5. Lève ValueError si k < 1.
    """
    raise NotImplementedError


# %%
recall_at_k = check("metrics.recall", recall_at_k)

# %% [markdown]
# ### Une fausse route
#
# Pourquoi « une fois » ? Une recherche hybride mal soudée rend le même passage deux fois, une par liste. Comptons
# naïvement.


# %% tags=["nbval-check-output"]
def naive_recall(ranking, relevant, k):
    return sum(name in relevant for name in ranking[:k]) / len(relevant)


doubled = ["d1", "d1", "d2", "d2"]
print("naïf  :", naive_recall(doubled, {"d1", "d2"}, 4))
print("juste :", recall_at_k(doubled, {"d1", "d2"}, 4))

# %% [markdown]
# Un rappel de 200 % ! Des bibliothèques très utilisées ont eu ce défaut. La règle qui protège : une mesure se calcule
# sur des **ensembles** de documents, et un test la tient entre 0 et 1.
#
# ### À quelle place ? Le rang réciproque
#
# Le rappel ne voit pas l’ordre. Le **rang réciproque** ne regarde que lui : $1/r$, où $r$ est le rang du premier
# passage pertinent ; 0 s’il n’y en a pas. Dans notre classement, le premier pertinent est au rang 2 : le rang
# réciproque vaut 1/2. Sa moyenne sur les questions est le **MRR** (*mean reciprocal rank*) :
#
# $$\text{MRR}=\frac1{|Q|}\sum_{q\in Q}\frac1{\text{rang}_q}$$

# %% tags=["nbval-check-output"]
ranks = [1, 3, 2]  # le premier bon passage de trois questions
reciprocals = [1 / rank for rank in ranks]
rows = [
    ["moyenne des inverses (MRR)", round(sum(reciprocals) / 3, 3)],
    ["inverse de la moyenne (faux)", round(3 / sum(ranks), 3)],
]
for name, value in rows:
    print(f"{name:32} {value}")

# %% [markdown]
# L’ordre des opérations compte : d’abord l’inverse de chaque rang, ensuite la moyenne. Passer du rang 2 au rang 1
# rapporte un demi-point ; du rang 20 au rang 10, presque rien. C’est voulu : un lecteur lit les premières lignes.
#
# ### À vous : `mrr`
#
# Une question où rien n’est trouvé compte 0 et **reste dans la moyenne**.


# %%
def mrr(rankings, relevants):
    """Donner la moyenne de 1/rang du premier pertinent ; rankings[i] et relevants[i] sont ceux de la question i.

    mrr([["d2", "d5"]], [{"d5"}]) vaut 0.5. Lève ValueError sans question, ou si les longueurs diffèrent.
    """
    raise NotImplementedError


# %%
mrr = check("metrics.mrr", mrr)

# %% [markdown]
# ### Tous les bons, à leur place : la précision moyenne
#
# Le MRR s’arrête au premier. La **précision moyenne** (*average precision*, AP) continue : à chaque passage pertinent
# rencontré, on note la précision à son rang ; puis on divise par le nombre de **tous** les pertinents, trouvés ou non.
# Sa moyenne sur les questions s’appelle MAP.

# %% tags=["nbval-check-output"]
rows, n_hits = [], 0
for rank, name in enumerate(ranking, start=1):
    if name in relevant:
        n_hits += 1
        rows.append([rank, name, f"{n_hits} / {rank}", n_hits / rank])
average = sum(row[3] for row in rows) / len(relevant)
rows.append(["", "somme divisée par " + str(len(relevant)), "", average])
table(["rang", "passage pertinent", "précision", "valeur"], rows, lang="fr")

# %% [markdown]
# ### Des notes plutôt que oui ou non : le nDCG
#
# Trouver le passage noté 3 vaut mieux que trouver celui noté 1. Le **DCG** (*discounted cumulative gain*) additionne
# des gains, réduits selon le rang :
#
# $$\text{DCG@}k=\sum_{i=1}^{k}\frac{2^{\text{note}_i}-1}{\log_2(i+1)}$$
#
# Le gain $2^{\text{note}}-1$ vaut 0, 1, 3 ou 7 : la note 3 compte sept fois la note 1. Le diviseur vaut 1 au rang 1, 2
# au rang 3, puis grandit lentement.
#
# Un DCG seul ne dit rien : est-ce beaucoup ? On le divise donc par celui du **meilleur classement possible**, qui range
# **tous** les passages notés par note décroissante. C’est le **nDCG** (n comme *normalisé*), entre 0 et 1.

# %% tags=["nbval-check-output"]
from math import log2

from ragteach.retrieval.metrics import dcg

rows = []
for rank, name in enumerate(ranking[:k], start=1):
    gain = 2 ** grades[name] - 1
    rows.append([rank, name, grades[name], gain, log2(rank + 1), gain / log2(rank + 1)])
header = "rang, passage, note, gain, diviseur, part".split(", ")
table(header, rows, lang="fr")
ideal = sorted(grades.values(), reverse=True)
print(
    f"DCG@{k}   :",
    round(sum(row[5] for row in rows), 3),
    "=",
    round(dcg([row[2] for row in rows], k), 3),
)
print("idéal   :", round(dcg(ideal, k), 3), "pour les notes", ideal[:k])
print(f"nDCG@{k}  :", round(dcg([row[2] for row in rows], k) / dcg(ideal, k), 3))

# %% [markdown]
# ### À vous : `ndcg`
#
# `relevance` est un dictionnaire : passage → note. Un passage absent du dictionnaire vaut 0 ; un passage qui revient
# vaut 0 la seconde fois, mais garde sa place. Vous pouvez appeler `dcg(notes, k)`, importé ci-dessus.


# %%
def ndcg(ranking, relevance, k):
    """Donner le DCG à k divisé par celui du classement idéal ; 0.0 si aucune note n’est positive.

    ndcg(["d2", "d1"], {"d1": 3, "d2": 0}, 2) vaut environ 0.63. Lève ValueError si k < 1.
    """
    raise NotImplementedError


# %%
ndcg = check("metrics.ndcg", ndcg)

# %% [markdown]
# **L’erreur la plus répandue** se cache dans l’idéal. Si l’on trie les passages *retrouvés* au lieu de tous les
# passages *notés*, une recherche qui manque le meilleur passage obtient la note maximale :

# %% tags=["nbval-check-output"]
judged = {"d1": 3, "d2": 1, "d3": 1}
poor = ["d2", "d9"]  # d1, le meilleur, n’est pas trouvé
of_found = sorted((judged.get(doc, 0) for doc in poor), reverse=True)
print("idéal des retrouvés :", dcg([1, 0], 2) / dcg(of_found, 2))
print("idéal de tous       :", round(ndcg(poor, judged, 2), 3))

# %% [markdown]
# Trois propriétés à vérifier de toute fonction nDCG, la vôtre comprise : le classement idéal vaut 1 ; échanger deux
# documents de notes différentes baisse la valeur ; un document inutile coûte plus cher en tête qu’en dixième place.

# %% tags=["nbval-check-output"]
marks = {f"d{i}": grade for i, grade in enumerate([3, 3, 2, 2, 2, 1, 1, 1, 1])}
best = list(marks)
swapped = [best[2], best[1], best[0], *best[3:]]
print("idéal              :", ndcg(best, marks, 10))
print("d0 et d2 échangés  :", round(ndcg(swapped, marks, 10), 3))
print("inutile en tête    :", round(ndcg(["x", *best], marks, 10), 3))
print("inutile en dixième :", round(ndcg([*best, "x"], marks, 10), 3))

# %% [markdown]
# ### Laquelle voit quoi ?

# %%
predict("metrics.move_up")

# %%
marks = {"a": 0, "b": 1, "c": 0, "d": 3, "e": 2}
before, after = ["a", "b", "c", "d", "e"], ["d", "a", "b", "c", "e"]
good = {doc for doc, grade in marks.items() if grade}
values = [
    [len(set(order[:5]) & good) / 5, recall_at_k(order, good, 5), ndcg(order, marks, 5)]
    for order in (before, after)
]
reveal(
    "metrics.move_up", " -> ".join(" / ".join(number(x, "fr") for x in row) for row in values)
)

# %% [markdown]
# Jouez : choisissez un passage par son rang, montez-le ou descendez-le, changez $k$ (tout se fait aussi au clavier,
# avec `Tab`, la barre d’espace et les flèches). Essayez, dans cet ordre :
#
# 1. montez « manuel : surchauffe » au premier rang : quelles mesures ne bougent pas ?
# 2. descendez-le au dernier rang : laquelle s’effondre le plus ?
# 3. sans rien déplacer, promenez $k$ de 1 à 6 : laquelle monte sans jamais redescendre ?

# %%
from ragteach.explore import metrics_explorer

metrics_explorer(lang="fr")

# %% [markdown]
# Vous deviez trouver :
#
# 1. précision@5 et rappel@5 ne bougent pas ; rang réciproque, précision moyenne et nDCG montent ;
# 2. du premier au dernier rang, le rang réciproque tombe de 1 à 1/2, et le nDCG@5 perd près de la moitié de sa
#    valeur : ces deux-là récompensent la tête. Précision@5 et rappel@5 ne voient toujours rien, car un autre bon passage
#    entre dans les cinq premiers ;
# 3. le rappel. La précision et le nDCG peuvent monter puis redescendre ; le rang réciproque et la précision moyenne ne
#    dépendent pas de $k$.
#
# | mesure | la question à laquelle elle répond | ce qu’elle ne voit pas |
# |---|---|---|
# | précision@k | quelle part de ce que je donne est utile ? | ce qui manque ; l’ordre avant $k$ |
# | rappel@k | ai-je donné ce qu’il fallait ? | l’ordre avant $k$ ; le bruit |
# | MRR | à quelle place est le premier bon ? | tous les suivants |
# | AP, MAP | les bons sont-ils tous là, et tôt ? | les notes : un passable vaut un excellent |
# | nDCG@k | les meilleurs sont-ils tout en haut ? | il exige des notes, et se lit moins bien |
#
# **Pour un RAG, regardez d’abord le rappel au $k$ que vous envoyez réellement au modèle** : une réponse ne peut pas
# être meilleure que le contexte reçu. Puis le MRR ou le nDCG, car un modèle lit mieux le début de son contexte.

# %% [markdown]
# ## 3. Quatre recherches, 120 questions
#
# Assez d’exemples inventés. Le corpus du robot (29 documents par langue) est livré avec 120 questions **annotées** :
# pour chacune, quelqu’un a marqué dans les documents les passages qui répondent, avec leur note. Sur vos propres
# documents, cette annotation sera le plus gros du travail, et le plus utile : comptez une cinquantaine de questions
# réalistes pour commencer, plus une dizaine de pièges sans réponse.
#
# Une réserve : nos questions ont été écrites les documents sous les yeux. Elles leur empruntent des mots, et le rappel
# que nous allons lire est plus haut que celui de questions posées à l’aveugle. Pour les vôtres, faites écrire les
# questions par des gens qui n’ont pas lu la documentation, ou prenez celles que vos utilisateurs ont posées.
#
# Un conseil qui évite de tout refaire : annotez des **passages**, pas des morceaux. Si le découpage change, `relevance`
# retrouve les nouveaux morceaux ; des numéros de morceaux, eux, ne voudraient plus rien dire.

# %%
from ragteach.corpus import chunk, load, relevance
from ragteach.retrieval.chunking import chunk_words

corpus = load("robot", "fr")
questions = [question for question in corpus.questions if not question.is_trap]
chunks = chunk(corpus.documents, chunk_words)
judged = [relevance(question, chunks) for question in questions]
relevants = [set(found) for found in judged]
print(
    len(corpus.documents), "documents,", len(chunks), "morceaux,", len(questions), "questions"
)
print(questions[0].text, "->", judged[0])

# %% [markdown]
# Quatre recherches, toutes construites dans les chapitres précédents : les mots bruts en commun, BM25, LSA, et leur
# fusion par RRF. Chacune rend les numéros de 40 morceaux au plus, le meilleur d’abord. (Certaines questions en
# prolongent une autre ; on y joint la question d’avant.)

# %%
from ragteach.answers.words import STOP_WORDS
from ragteach.retrieval.bm25_index import BM25Index
from ragteach.retrieval.fusion import rrf
from ragteach.retrieval.lsa_index import LSAIndex
from ragteach.retrieval.text import tokenize


def content(text):
    return [token for token in tokenize(text) if token not in STOP_WORDS]


texts = [piece.text for piece in chunks]
bm25 = BM25Index([tokenize(text) for text in texts])
lsa = LSAIndex([content(text) for text in texts], 60)

# %%
raw = [set(text.lower().split()) for text in texts]


def shared_words(text):
    counts = [len(set(text.lower().split()) & words) for words in raw]
    return sorted((i for i, n in enumerate(counts) if n), key=lambda i: -counts[i])[:40]


searches = {
    "mots bruts": shared_words,
    "BM25": lambda text: bm25.search(tokenize(text), 40),
    "LSA": lambda text: lsa.search(content(text), 40),
}
searches["RRF"] = lambda text: rrf([searches["BM25"](text), searches["LSA"](text)])[:40]

# %%
asked = [" ".join([*question.history, question.text]) for question in questions]
rankings = {name: [search(text) for text in asked] for name, search in searches.items()}


def recall_at_5(ranking, relevant):
    return recall_at_k(ranking, relevant, 5)


def precision_at_5(ranking, relevant):
    return len(set(ranking[:5]) & relevant) / 5


def ndcg_at_10(ranking, grades):
    return ndcg(ranking, grades, 10)


def average(measure, rankings, answers):
    """Faire la moyenne d’une mesure sur les questions."""
    return sum(map(measure, rankings, answers)) / len(rankings)


# %% [markdown]
# Les quatre recherches, sous quatre mesures :

# %% tags=["nbval-check-output"]
rows = []
for name, found in rankings.items():
    recall, precision = (
        average(measure, found, relevants) for measure in (recall_at_5, precision_at_5)
    )
    rows.append(
        [name, recall, precision, mrr(found, relevants), average(ndcg_at_10, found, judged)]
    )
perfect = [list(good) for good in relevants]  # tous les bons d’abord
recall, precision = (
    average(measure, perfect, relevants) for measure in (recall_at_5, precision_at_5)
)
rows.append(["recherche parfaite", recall, precision, 1.0, 1.0])
table(["recherche", "rappel@5", "précision@5", "MRR", "nDCG@10"], rows, lang="fr")

# %% [markdown]
# Lisez d’abord la colonne de la précision : toutes les valeurs y sont basses, et ce n’est pas un défaut. Une question
# n’a le plus souvent que quelques morceaux qui répondent : sur cinq places, même une recherche parfaite reste loin de
# 1, comme le montre la dernière ligne. **Une mesure ne se compare qu’à elle-même**, sur les mêmes questions et le même
# découpage.
#
# Du naïf à BM25, le gain est énorme dans toutes les colonnes. Entre les trois suivantes, c’est plus serré ; et la
# fusion RRF n’y dépasse pas toujours ses deux membres. Gardez cette impression : la partie 4 dira ce qu’elle vaut.
#
# ### La courbe du rappel
#
# Pour choisir $k$, on trace le rappel pour plusieurs $k$. Il ne baisse jamais : plus de places ne fait rien perdre. La
# précision et le prix du contexte, eux, s’en ressentent.

# %%
from ragteach.explore import curves
from ragteach.retrieval.metrics import recall_curve

ks = list(range(1, 21))
series = {name: recall_curve(found, relevants, ks) for name, found in rankings.items()}
figure = curves(ks, series, "k, nombre de morceaux donnés au modèle", "rappel@k", lang="fr")
alt = "; ".join(
    f"{name} {number(v[0], 'fr')}, {number(v[4], 'fr')}, {number(v[-1], 'fr')}"
    for name, v in series.items()
)
show(figure, "Quatre courbes croissantes. Valeurs à k = 1, 5, 20 : " + alt)

# %% [markdown]
# Toutes montent vite, puis s’aplatissent : au-delà d’un certain $k$, chaque place de plus coûte des tokens et rapporte
# peu. Si la courbe monte encore là où vous coupez, augmenter $k$ est le remède le moins cher.
#
# ### Par segment
#
# Une moyenne cache. Ventilons le rappel@5 de BM25, de LSA et de leur fusion selon le **type de question** (`by_segment`
# fait la moyenne de chaque groupe ; vous l’écrirez dans les exercices).

# %% tags=["nbval-check-output"]
from ragteach.retrieval.metrics import by_segment

scores = {name: list(map(recall_at_5, found, relevants)) for name, found in rankings.items()}
kinds = [question.kind for question in questions]
parts = {name: by_segment(scores[name], kinds) for name in ("BM25", "LSA", "RRF")}
rows = [
    [kind, kinds.count(kind), *(part[kind] for part in parts.values())]
    for kind in sorted(parts["BM25"], key=parts["BM25"].get)
]
rows.append(["ensemble", len(kinds), *(sum(scores[name]) / len(kinds) for name in parts)])
table(["type", "questions", *parts], rows, lang="fr")

# %% [markdown]
# Voilà ce que la moyenne cachait. BM25 a l’air honorable dans l’ensemble ; sur les synonymes et les paraphrases
# (*synonym*, *paraphrase*, les deux premières lignes), il s’effondre, comme le chapitre 02 l’annonçait. LSA relève
# nettement les paraphrases. Qui ne lit que la dernière ligne met en service un moteur qui abandonne tous ceux qui ne
# parlent pas comme le manuel. **Un 0,9 d’ensemble peut cacher une source à 0,4.** Ventilez par type de question, par
# source, par langue, par date.
#
# La colonne RRF dit aussi **quand une fusion gagne**. Sur les questions composées (*compound*), les deux membres se
# valent à peu près et n’échouent pas aux mêmes endroits : la fusion dépasse l’un et l’autre. Sur les paraphrases, l’un
# est bien plus fort : elle reste entre les deux, tirée vers le bas par le plus faible. Une recherche hybride n’est pas
# toujours la meilleure.
#
# Attention toutefois : chaque ligne repose sur une douzaine de questions. Nous y venons.
#
# ### Rappel ou ordre ? Ce qu’un reclassement change
#
# Un guide de praticiens publie cette comparaison, sur 200 questions :
#
# | configuration | rappel@5 | MRR |
# |---|---|---|
# | dense seul | 0,71 | 0,52 |
# | hybride (RRF) | 0,83 | 0,61 |
# | hybride + reclassement | 0,83 | 0,74 |
#
# L’hybride trouve **plus** : le rappel monte. Le reclassement ne trouve rien de nouveau, il **ordonne** les mêmes
# candidats : le rappel ne bouge pas, le MRR si. Dire « le reclassement améliore le rappel » trahit une confusion entre
# les deux mesures.

# %% [markdown]
# ## 4. Six questions ne prouvent rien
#
# Sur 120 questions, la fusion RRF a un meilleur rappel@5 que BM25. Supposons que nous n’ayons eu que six questions.
# Tirons-en six au hasard parmi les 120, mille fois, et regardons qui gagne.

# %% tags=["nbval-check-output"]
import numpy as np

rng = np.random.default_rng(0)
first, second = np.array(scores["BM25"]), np.array(scores["RRF"])
wins = {"BM25": 0, "égalité": 0, "RRF": 0}
for _ in range(1000):
    six = rng.choice(len(questions), size=6, replace=False)
    gap = first[six].mean() - second[six].mean()
    wins["BM25" if gap > 1e-9 else "RRF" if gap < -1e-9 else "égalité"] += 1
table(["qui gagne sur six questions", "fois sur 1000"], list(wins.items()), lang="fr")

# %% [markdown]
# Plus d’une fois sur trois, six questions ne désignent pas RRF : elles disent « égalité », ou donnent l’avantage à
# BM25. Avec six questions, votre conclusion dépend du tirage. Il nous faut deux outils : un **intervalle** autour d’une
# moyenne, et un **test** pour une différence.
#
# ### L’intervalle : rééchantillonner
#
# Nos questions sont un échantillon de toutes celles qu’on pourrait poser. Si nous en avions tiré d’autres, la moyenne
# aurait été un peu différente. De combien ? On ne peut pas redemander 120 nouvelles questions mille fois. L’idée
# d’Efron (1979), le **bootstrap** : faire comme si notre échantillon était la population, et y **retirer avec remise**
# autant de questions qu’il en a. Certaines sortent deux fois, d’autres pas du tout ; la moyenne bouge. On recommence
# mille fois, et l’on regarde l’étalement des moyennes :
#
# 1. tirer `len(values)` valeurs **avec remise**, noter leur moyenne ; recommencer `n_resamples` fois ;
# 2. pour un niveau de 95 %, laisser 2,5 % des moyennes de chaque côté : les quantiles $(1-\text{niveau})/2$ et
#    $(1+\text{niveau})/2$.

# %%
predict("metrics.width")

# %% [markdown]
# ### À vous : `bootstrap_ci`
#
# `rng = np.random.default_rng(seed)` fabrique le hasard ; `rng.choice(values, size=n)` tire $n$ valeurs avec remise ;
# `np.quantile(means, [a, b])` donne deux quantiles. Créez `rng` une seule fois, avant la boucle. On vérifie des
# propriétés, pas un tirage précis : tout bon générateur convient.


# %%
def bootstrap_ci(values, level=0.95, n_resamples=1000, seed=0):
    """Donner l’intervalle (bas, haut) de la moyenne, par les quantiles des moyennes rééchantillonnées.

    Lève ValueError si values est vide, si level n’est pas strictement entre 0 et 1, ou si n_resamples < 1.
    """
    raise NotImplementedError


# %%
bootstrap_ci = check("metrics.bootstrap_ci", bootstrap_ci)

# %% [markdown]
# Voyons les moyennes rééchantillonnées du rappel@5 de BM25, avec six questions puis avec 120. Les traits marquent
# l’intervalle à 95 %. (À partir d’ici, les nombres affichés viennent de la version de référence, pour que tout le monde
# lise les mêmes.)

# %%
from ragteach.explore import histograms, intervals
from ragteach.retrieval import statistics

some = {"n = 6": scores["BM25"][::20], "n = 120": scores["BM25"]}
rng = np.random.default_rng(0)
means = {
    name: [rng.choice(v, size=len(v)).mean() for _ in range(1000)] for name, v in some.items()
}
marks = {name: statistics.bootstrap_ci(values) for name, values in some.items()}
figure = histograms(means, marks, "rappel@5 moyen d’un rééchantillon", "fr")
alt = "; ".join(
    f"{name}, {number(low, 'fr')} - {number(high, 'fr')}" for name, (low, high) in marks.items()
)
show(
    figure,
    "Moyennes rééchantillonnées, étalées pour n = 6, serrées pour n = 120. Intervalles : "
    + alt,
)

# %%
widths = []
for values in (scores["BM25"][::4], scores["BM25"]):
    low, high = statistics.bootstrap_ci(values)
    widths.append(f"n = {len(values)} -> {number(high - low, 'fr')}")
reveal("metrics.width", ", ".join(widths))

# %% [markdown]
# Et pour nos quatre recherches, sur les 120 questions :

# %%
rows = {}
for name, values in scores.items():
    low, high = statistics.bootstrap_ci(values)
    rows[name] = (low, sum(values) / len(values), high)
figure = intervals(rows, "rappel@5 (intervalle à 95 %)", "fr")
alt = "; ".join(
    f"{name}, {number(low, 'fr')} - {number(high, 'fr')}"
    for name, (low, _, high) in rows.items()
)
show(figure, "Intervalles à 95 % : " + alt)

# %% [markdown]
# Les mots bruts sont seuls, loin derrière : leur intervalle ne touche pas les autres. Ceux de BM25 et de RRF se
# chevauchent. Faut-il conclure que ces deux-là se valent ? **Non, pas encore** : deux intervalles qui se chevauchent
# n’interdisent pas une vraie différence. Chacun contient le hasard du choix des questions, or les deux systèmes ont
# répondu aux **mêmes** questions. Une question difficile l’est pour les deux. Mieux vaut regarder les différences,
# question par question.
#
# ### Le test apparié : et si les étiquettes étaient échangées ?
#
# Notons $d_i$ la différence des scores sur la question $i$. Si les deux systèmes se valaient, qui est « a » et qui est
# « b » n’aurait aucune importance : chaque $d_i$ aurait aussi bien pu valoir $-d_i$. Alors :
#
# 1. tirer un signe au hasard pour **chaque** question, et recalculer la différence moyenne ;
# 2. recommencer, et compter les tirages dont la différence moyenne est, **en valeur absolue, au moins aussi grande**
#    que celle observée ;
# 3. la **valeur p** est leur part. On compte les vrais signes comme un tirage de plus :
#    $(\text{compte}+1)/(\text{tirages}+1)$, pour ne jamais prétendre à 0.
#
# Une petite valeur p dit : « le hasard des étiquettes donnerait rarement un tel écart ». L’usage retient 5 %.

# %%
predict("metrics.six")

# %%
from itertools import product

differences = np.array([1, 1, 1, 1, 1, 1])  # six victoires sur six
all_signs = list(product([-1, 1], repeat=6))
as_large = sum(abs(np.dot(signs, differences)) >= differences.sum() for signs in all_signs)
reveal(
    "metrics.six",
    f"{as_large} / {len(all_signs)} = {number(as_large / len(all_signs), 'fr', 3)}",
)

# %% [markdown]
# Six questions, c’est si peu qu’on peut essayer tous les signes. Le meilleur résultat imaginable passe de justesse sous
# 5 % ; une seule défaite, et tout est perdu. Et sur nos vraies questions ?

# %% tags=["nbval-check-output"]
first_ranks = {
    name: [mrr([top], [good]) for top, good in zip(found, relevants, strict=True)]
    for name, found in rankings.items()
}
comparisons = [
    ("mots bruts", "BM25", "rappel@5", scores),
    ("BM25", "RRF", "rappel@5", scores),
    ("RRF", "LSA", "rappel@5", scores),
    ("RRF", "LSA", "rang réciproque", first_ranks),
]
rows = []
for a, b, measure, by_question in comparisons:
    x, y = by_question[a], by_question[b]
    six, every = (statistics.paired_permutation_test(x[::step], y[::step]) for step in (20, 1))
    rows.append(
        [f"{a} -> {b}", measure, sum(y) / 120 - sum(x) / 120, six, number(every, "fr", 3)]
    )
header = "comparaison, mesure, écart sur 120, p sur 6, p sur 120"
table(header.split(", "), rows, lang="fr")

# %% [markdown]
# Lisez ligne par ligne.
#
# - **Mots bruts contre BM25** : sur 120 questions, aucun doute possible.
# - **BM25 contre RRF** : les intervalles se chevauchaient, et pourtant le test apparié voit la différence. Comparer sur
#   les mêmes questions vaut beaucoup de questions supplémentaires.
# - **RRF contre LSA, au rappel@5** : LSA seul fait mieux que la fusion, et le hasard ne suffit pas à
#   l’expliquer. Sur ce corpus, l’hybride n’est donc pas le meilleur choix. (Sur le corpus anglais, la même comparaison
#   ne montre rien : ce qu’un corpus apprend ne vaut pas d’avance pour un autre.)
# - **RRF contre LSA, au rang du premier bon morceau** : l’écart peut venir du hasard. Cela ne prouve pas qu’ils se
#   valent ; cela dit que ces 120 questions ne permettent pas de choisir sur ce point.
#
# Avec six questions, aucune des quatre comparaisons ne passe sous 5 % : même le fossé entre mots bruts et BM25 n’est pas
# prouvé. **Visez 100 à 1 000 questions.**
#
# Trois précautions encore :
#
# - **Ne réglez pas et ne jugez pas sur les mêmes questions.** Le corpus sépare une moitié *dev*, pour régler, et une
#   moitié *held-out*, qu’on ouvre une fois, à la fin.
# - **Qui compare vingt variantes en trouve une « significative » par hasard** : 5 % de vingt font une. Décidez avant
#   quelle comparaison compte.
# - **Significatif n’est pas important.** La valeur p dit si l’écart existe, l’intervalle dit s’il est grand.

# %% [markdown]
# ## 5. Le théorème 3 : ce que le rappel permet
#
# Pourquoi tant d’efforts sur la recherche seule, alors que l’utilisateur ne voit que la réponse ? À cause de ceci.
#
# **Théorème 3.** Notons $R$ la probabilité que le contexte donné au modèle contienne l’information nécessaire (le
# rappel@k), $p_{\text{avec}}$ celle d’une bonne réponse quand il la contient, $p_{\text{sans}}$ quand il ne la contient
# pas. Alors
#
# $$\text{exactitude}=R\cdot p_{\text{avec}}+(1-R)\cdot p_{\text{sans}}.$$
#
# *Démonstration.* Ou bien le contexte contient l’information (événement $C$, de probabilité $R$), ou bien non. Ces deux
# cas s’excluent et couvrent tout : la formule des probabilités totales donne $P(\text{juste})=P(\text{juste}\mid
# C)\,P(C)+P(\text{juste}\mid\bar C)\,P(\bar C)$. $\blacksquare$
#
# Dans le second terme, le modèle répond de mémoire, ou invente. Sur des documents privés, $p_{\text{sans}}$ est presque
# nul. Et comme $p_{\text{avec}}\le 1$ :
#
# $$\text{exactitude}\;\le\;R+(1-R)\cdot p_{\text{sans}}.$$
#
# Aucun modèle, si grand soit-il, ne franchit ce plafond.

# %%
predict("metrics.ceiling")

# %% [markdown]
# ### À vous : `expected_accuracy`


# %%
def expected_accuracy(recall, p_with, p_without):
    """Donner la part de bonnes réponses, selon le théorème 3.

    expected_accuracy(0.7, 0.9, 0.2) vaut 0.69. Lève ValueError si l’un des trois n’est pas entre 0 et 1.
    """
    raise NotImplementedError


# %%
expected_accuracy = check("metrics.expected_accuracy", expected_accuracy)

# %%
now, perfect = expected_accuracy(0.6, 0.95, 0.05), expected_accuracy(0.6, 1.0, 0.05)
reveal("metrics.ceiling", f"{number(now, 'fr')} -> {number(perfect, 'fr')}")

# %% [markdown]
# Et le plafond ? Supposons le modèle parfait, et faisons varier ce qu’il sait par lui-même :

# %% tags=["nbval-check-output"]
rows = [[p_without, expected_accuracy(0.6, 1.0, p_without)] for p_without in (0.0, 0.1, 0.25)]
table(["p sans", "plafond à 60 % de rappel"], rows, lang="fr")

# %% [markdown]
# Avec ce rappel, aucun modèle de langage ne sauvera le système.
#
# Le théorème tient-il ? Simulons 100 000 questions : pour chacune, le contexte est bon ou non, puis le modèle répond
# juste ou non. On compare la part observée à la formule.

# %% tags=["nbval-check-output"]
rng = np.random.default_rng(0)
rows = []
for recall, p_with, p_without in ((0.6, 0.95, 0.05), (0.7, 0.9, 0.2), (0.9, 0.6, 0.4)):
    good_context = rng.random(100_000) < recall
    right = rng.random(100_000) < np.where(good_context, p_with, p_without)
    rows.append(
        [
            recall,
            p_with,
            p_without,
            expected_accuracy(recall, p_with, p_without),
            float(right.mean()),
        ]
    )
table("rappel, p avec, p sans, théorème 3, simulation".split(", "), rows, lang="fr")

# %% [markdown]
# En image : l’exactitude est une **droite** qui va de $p_{\text{sans}}$ (rappel 0) à $p_{\text{avec}}$ (rappel 1).

# %%
steps = [i / 20 for i in range(21)]
models = {
    "modèle parfait": (1.0, 0.05),
    "bon modèle": (0.85, 0.05),
    "modèle moyen": (0.6, 0.05),
}
series = {
    name: [expected_accuracy(recall, *p) for recall in steps] for name, p in models.items()
}
figure = curves(steps, series, "rappel@k", "exactitude attendue", lang="fr")
figure.axes[0].axvline(0.6, color="black", linestyle=":")
show(
    figure,
    "Trois droites montantes, de 0,05 à 1, à 0,85 et à 0,6 ; un trait vertical marque un rappel de 0,6.",
)

# %% [markdown]
# Suivez le trait vertical. À 60 % de rappel, remplacer le bon modèle par un modèle parfait monte d’un cran ; glisser
# vers la droite sur **n’importe laquelle** de ces droites monte davantage.
#
# ### Quel levier ?
#
# Un RAG donne 55 % de bonnes réponses avec un rappel@5 de 60 %, et rien sans contexte. Que rapporte chaque levier ?

# %%
from ragteach.explore import bars

p_with = 0.55 / 0.6  # ce que le modèle fait d’un bon contexte, s’il ne sait rien sans
levers = {
    "aujourd’hui": expected_accuracy(0.6, p_with, 0),
    "modèle parfait": expected_accuracy(0.6, 1, 0),
    "rappel 0,75": expected_accuracy(0.75, p_with, 0),
    "rappel 0,9": expected_accuracy(0.9, p_with, 0),
}
alt = "; ".join(f"{name}, {number(value, 'fr')}" for name, value in levers.items())
show(bars(levers, "exactitude attendue", lang="fr"), "Exactitude attendue : " + alt)

# %% [markdown]
# La recherche, sans hésiter. Le modèle fait déjà presque tout ce que son contexte lui permet.
#
# On peut lire la droite à l’envers : quel rappel faut-il pour atteindre un objectif ? On résout en $R$ :
#
# $$R=\frac{\text{objectif}-p_{\text{sans}}}{p_{\text{avec}}-p_{\text{sans}}}$$
#
# avec deux bords à ne pas oublier : sous $p_{\text{sans}}$, il ne faut aucun rappel (0) ; au-dessus de
# $p_{\text{avec}}$, aucun rappel ne suffit (`None`), et c’est le modèle ou le prompt qu’il faut changer. Vous écrirez
# `required_recall` dans les exercices.

# %% tags=["nbval-check-output"]
from ragteach.retrieval.metrics import required_recall

rows = [
    [target, required_recall(target, 0.9, 0.2)] for target in (0.1, 0.55, 0.69, 0.8, 0.9, 0.95)
]
table(["objectif (p avec = 0,9 ; p sans = 0,2)", "rappel nécessaire"], rows, lang="fr")

# %% [markdown]
# La morale de méthode : **mesurez le rappel de la recherche sur des questions annotées avant de toucher au modèle.**
# C’est moins cher, plus rapide, sans hasard de génération, et cela vous dit d’avance jusqu’où le reste peut aller.

# %% [markdown]
# ## 6. Et en production ?
#
# Personne n’écrit ces fonctions pour publier un résultat : on prend `trec_eval`, la référence du domaine depuis les
# années 1990, à travers `ir-measures` ou `pytrec_eval`. Donnons-lui nos 120 questions et le classement de BM25, et
# comparons.

# %%
from ragteach.retrieval.metrics import average_precision

tops = rankings["BM25"]
ours = {
    "P@5": average(precision_at_5, tops, relevants),
    "R@5": average(recall_at_5, tops, relevants),
    "RR": mrr(tops, relevants),
    "AP": average(average_precision, tops, relevants),
    "nDCG@10": average(ndcg_at_10, tops, judged),
}

# %% tags=["nbval-check-output"]
try:
    import ir_measures
except ImportError:
    print("Pour comparer, installez la bibliothèque : pip install ir-measures")
else:
    measures = [ir_measures.parse_measure(name) for name in ours]
    notes = [(q, i, grade) for q, found in enumerate(judged) for i, grade in found.items()]
    places = [(q, i, -rank) for q, top in enumerate(tops) for rank, i in enumerate(top)]
    qrels = [ir_measures.Qrel(str(q), str(i), grade) for q, i, grade in notes]
    run = [ir_measures.ScoredDoc(str(q), str(i), score) for q, i, score in places]
    theirs = ir_measures.calc_aggregate(measures, qrels, run)
    rows = [
        [name, number(ours[name], "fr", 4), number(theirs[measure], "fr", 4)]
        for name, measure in zip(ours, measures, strict=True)
    ]
    table(["mesure", "la nôtre", "ir-measures"], rows, lang="fr")

# %% [markdown]
# Quatre lignes tombent juste, la dernière non. Ce n’est pas une erreur : `trec_eval` prend la note elle-même pour gain,
# nous $2^{\text{note}}-1$. Donnons à notre fonction des notes qui reviennent au gain linéaire, puisque
# $2^{\log_2(1+g)}-1=g$ :

# %% tags=["nbval-check-output"]
linear = [{i: log2(1 + grade) for i, grade in found.items()} for found in judged]
value = average(ndcg_at_10, rankings["BM25"], linear)
print("nDCG@10 à gains linéaires :", number(value, "fr", 4))

# %% [markdown]
# Le voilà, identique. Ce que les outils font différemment, et qu’il faut dire quand on publie :
#
# - **les gains** du nDCG : linéaires (`trec_eval`) ou exponentiels (les concours d’apprentissage du classement) ;
# - **les ex æquo** : `trec_eval` trie par score, et à égalité par identifiant décroissant ; d’autres font l’inverse.
#   Classez vous-même avant d’évaluer, et le problème disparaît ;
# - **les documents non notés** comptent 0 presque partout ;
# - **la précision moyenne** : certains divisent par les pertinents *trouvés*. La « context precision » de RAGAS est de
#   cette famille ;
# - **les tests** : `ranx` ajoute des tests appariés à son tableau, `scipy.stats` offre `bootstrap` et
#   `permutation_test`.
#
# Et en service :
#
# - **rejouez ces mesures** après chaque ré-ingestion, chaque changement de découpage ou de modèle, et ne publiez le
#   nouvel index que si elles tiennent. Un index qui a changé de découpeur se dégrade sans bruit ;
# - **gardez la trace** de chaque question : question, question réécrite, numéros et scores des morceaux, ordre après
#   reclassement, prompt. Sans elle, une mauvaise réponse ne se diagnostique pas.

# %% [markdown]
# ## 7. Bilan
#
# - **Précision** et **rappel** comptent les bons passages avant $k$ ; le **MRR** regarde le premier ; l’**AP** et le
#   **nDCG** regardent tout, le second avec des notes.
# - Pour un RAG, le rappel au $k$ réellement envoyé passe avant tout.
# - L’idéal du nDCG se calcule sur **tous** les documents notés ; un document répété ne compte qu’une fois.
# - Une moyenne cache ses segments : **ventilez**.
# - Une moyenne sans **intervalle** est une anecdote ; une différence se teste **par paires**, sur les mêmes questions.
#   Six n’y suffisent pas.
# - **Théorème 3** : l’exactitude est une droite entre $p_{\text{sans}}$ et $p_{\text{avec}}$, et le rappel y est votre
#   position. Il plafonne tout le reste.
#
# Voici le tableau du cours, avec la ligne que ce chapitre lui ajoute : l’intervalle à 95 % de la ligne précédente.

# %% tags=["nbval-check-output"]
milestones("05_metrics", lang="fr")

# %% [markdown]
# Dans la colonne du rappel@1, l’intervalle est plus large que l’écart entre la première ligne du tableau et la
# dernière : six questions ne permettent pas d’affirmer que tout ce chemin a servi à quelque chose. Et méfiez-vous de
# l’intervalle du rappel@3, réduit à un point : six succès sur six ne prouvent pas la perfection, le bootstrap ne
# connaît que ce qu’il a vu. Voilà pourquoi la suite du cours mesure sur le grand corpus.

# %%
quiz("05_metrics")

# %% [markdown]
# ### Les mots à retenir
#
# | français | anglais |
# |---|---|
# | rappel, précision | *recall, precision* |
# | rang réciproque moyen | *mean reciprocal rank (MRR)* |
# | précision moyenne | *average precision (AP, MAP)* |
# | gain cumulé réduit, normalisé | *(normalised) discounted cumulative gain (nDCG)* |
# | jeu de questions annotées | *annotated test set, qrels* |
# | intervalle de confiance | *confidence interval* |
# | rééchantillonnage avec remise | *bootstrap, resampling with replacement* |
# | test de permutation apparié, valeur p | *paired permutation test, p-value* |
# | exactitude (des réponses) | *accuracy* |
#
# ### Et maintenant
#
# 1. Le carnet `exercises/fr/05_metrics.ipynb` : les douze fonctions du chapitre, plus une question à rédiger. Cinq
#    fonctions sont déjà dans cette leçon.
# 2. Le chapitre 06 : chercher dans un million de vecteurs. Une autre mesure y portera le nom de « rappel », la part des
#    vrais plus proches voisins qu’un index rapide retrouve : deux choses différentes, deux noms.
# 3. Le chapitre 11 : évaluer les **réponses** (fidélité, refus, accord entre juges).

# %% [markdown]
# ### Sources
#
# - K. Järvelin et J. Kekäläinen, « Cumulated gain-based evaluation of IR techniques », *ACM Transactions on Information
#   Systems*, 20(4), 2002 : le DCG et le nDCG.
# - C. Burges et coll., « Learning to Rank using Gradient Descent », ICML 2005 : le gain $2^{\text{note}}-1$.
# - C. Buckley et E. Voorhees, « Evaluating evaluation measure stability », SIGIR 2000 : combien de questions faut-il ?
# - B. Efron, « Bootstrap Methods: Another Look at the Jackknife », *Annals of Statistics*, 7(1), 1979.
# - R. A. Fisher, *The Design of Experiments*, 1935 : le test de permutation.
# - B. Phipson et G. Smyth, « Permutation P-values Should Never Be Zero », *Statistical Applications in Genetics and
#   Molecular Biology*, 9(1), 2010.
# - M. Smucker, J. Allan et B. Carterette, « A Comparison of Statistical Significance Tests for Information Retrieval
#   Evaluation », CIKM 2007.
# - S. Es et coll., « RAGAS: Automated Evaluation of Retrieval Augmented Generation », arXiv 2309.15217, 2023.
# - S. MacAvaney et coll., « Streamlining Evaluation with ir-measures », ECIR 2022.
