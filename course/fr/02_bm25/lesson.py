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
#     kind: lesson
#     lang: fr
# ---

# %% [markdown]
# # 02. BM25 et l’index inversé
# **Retrouver le bon passage grâce à ses mots**
#
# Vous avez découpé la documentation d’un robot en morceaux. Quelqu’un demande : « Quel fusible faut-il monter ? » Il
# faut retrouver le morceau qui répond. Si vous vous trompez ici, aucun modèle de langage ne rattrapera l’erreur : il
# n’aura pas lu le bon passage.
#
# Vous allez construire la méthode à laquelle toutes les autres se mesurent depuis trente ans, et qui tourne encore dans
# la plupart des moteurs de recherche : **BM25**. À la fin, vous saurez :
#
# - transformer un texte français en mots comparables, nombres et codes compris ;
# - expliquer à quoi sert un **index inversé** ;
# - démontrer d’où vient le poids d’un mot rare (le **théorème 1** du cours), et le vérifier par une simulation ;
# - écrire BM25 en une vingtaine de lignes, et dire à quoi servent $k_1$ et $b$ ;
# - prévoir ce que BM25 trouve toujours, et ce qu’il ne trouvera jamais.

# %% [markdown]
# ## Votre temps
#
# Comptez **60 à 90 minutes** en tout : une heure au plus pour cette leçon, une demi-heure pour le carnet d’exercices.
#
# | partie | minutes |
# |---|---|
# | 1. Compter les mots partagés | 5 |
# | 2. Fabriquer de bons mots (à vous) | 10 |
# | 3. L’index inversé | 4 |
# | 4. Combien vaut un mot ? Le théorème 1 (à vous) | 14 |
# | 5. Répétitions et longueur (à vous) | 8 |
# | 6. BM25 en entier (à vous) | 9 |
# | 7. Ce que BM25 ne voit pas, et la bibliothèque d’en face | 6 |
# | 8. Bilan et quiz | 4 |
#
# **Comment travailler.** Effacez d’abord les résultats enregistrés (*Edit*, *Clear Outputs of All Cells*) : ils
# vendraient la mèche. Exécutez les cellules une à une (`Maj + Entrée`). Quand on vous demande une prédiction,
# répondez *avant* de continuer : se tromper puis voir pourquoi, c’est ce qui reste. Les cellules **À vous** attendent
# votre code. La suivante le vérifie ; s’il n’est pas encore juste, la leçon continue avec une version de référence.
# Vous ne serez donc jamais bloqué.

# %%
from ragteach.notebook import begin, check, hint, predict, quiz, reveal

begin("02_bm25", lang="fr", course="1")

# %% [markdown]
# ## 1. Compter les mots partagés
#
# Commençons par l’idée la plus simple. Voici le corpus : trois petits documents, découpés en fenêtres de 40 mots qui se
# recouvrent de 10. Parcourez-les des yeux : vous les retrouverez jusqu’à la fin.

# %%
from ragteach.corpus import chunk, load, relevant_chunks
from ragteach.explore import bars, curves, number, show, stacked, table
from ragteach.retrieval.chunking import chunk_words

corpus = load("mini", "fr")
chunks = chunk(corpus.documents, chunk_words)
texts = [piece.text for piece in chunks]
table(
    ["morceau", "document", "texte"],
    [[i, piece.source, piece.text] for i, piece in enumerate(chunks)],
    lang="fr",
)

# %% [markdown]
# Et voici six questions. Quelqu’un a relu le corpus et noté, pour chacune, les morceaux qui contiennent la réponse.
# C’est ce relevé qui nous dira si nous progressons.

# %%
questions = corpus.questions
relevant = [relevant_chunks(question, chunks) for question in questions]
rows = [[question.text, sorted(relevant_chunks(question, chunks))] for question in questions]
table(["question", "morceaux qui répondent"], rows, lang="fr")

# %% [markdown]
# La méthode naïve : couper le texte aux espaces, tout mettre en minuscules, et compter combien de mots différents de la
# question se trouvent dans le morceau. Essayons avec la question des batteries.


# %%
def words(text):
    return text.lower().split()


def shared_words(question, text):
    return len(set(words(question)) & set(words(text)))


question = questions[3].text
counts = {f"morceau {i}": shared_words(question, text) for i, text in enumerate(texts)}
print(question)
show(
    bars(counts, "mots partagés avec la question", lang="fr", digits=0),
    f"Mots partagés, par morceau : {counts}.",
)

# %% [markdown]
# Quel morceau est en tête ? Et quels mots l’ont placé là ?

# %%
best = max(range(len(texts)), key=lambda i: shared_words(question, texts[i]))
print("morceau de tête :", best)
print("mots partagés   :", sorted(set(words(question)) & set(words(texts[best]))))
print("à trouver       :", sorted(relevant[3]))

# %% [markdown]
# Le morceau de tête ne parle pas de batteries. Il gagne par des mots qui ne disent rien du sujet, et même par un point
# d’interrogation.
#
# Avant d’améliorer quoi que ce soit, il faut pouvoir mesurer. Deux mesures nous suffiront ici (le chapitre 05 leur est
# consacré) :
#
# - **rappel@1** : quelle part des morceaux qui répondent se trouve à la première place ?
# - **rang réciproque** : 1 divisé par le rang du premier morceau qui répond (1er : 1 ; 2e : 1/2 ; absent : 0). Sa
#   moyenne sur toutes les questions s’appelle le **MRR**.
#
# Dans les deux cas, plus c’est grand, mieux c’est, et 1 est le maximum du MRR. Le rappel@1, lui, ne peut pas atteindre
# 1 ici : quand deux morceaux répondent, un seul tient à la première place.


# %%
def rank(scores):
    """Classer les morceaux de score positif, du meilleur au moins bon ; à égalité, le plus petit numéro d’abord."""
    return sorted((i for i in range(len(scores)) if scores[i] > 0), key=lambda i: -scores[i])


def recall_at_1(ranking, found):
    return len(set(ranking[:1]) & found) / len(found)


def reciprocal_rank(ranking, found):
    return next((1 / place for place, i in enumerate(ranking, start=1) if i in found), 0.0)


# %% [markdown]
# Et voici le tableau qui va grandir avec la leçon : une ligne pour chaque amélioration.

# %%
results = {}


def evaluate(name, score):
    """Noter une façon de chercher : `score(question)` donne un score à chaque morceau."""
    rankings = [rank(score(question.text)) for question in questions]
    recall = sum(map(recall_at_1, rankings, relevant)) / len(questions)
    mrr = sum(map(reciprocal_rank, rankings, relevant)) / len(questions)
    results[name] = [recall, mrr]
    table(
        ["méthode", "rappel@1", "MRR"],
        [[name, *values] for name, values in results.items()],
        lang="fr",
    )


# %% tags=["nbval-check-output"]
evaluate(
    "mots partagés, bruts", lambda question: [shared_words(question, text) for text in texts]
)

# %% [markdown]
# C’est notre point de départ. Retenez ces deux nombres.

# %% [markdown]
# ## 2. Fabriquer de bons mots
#
# Un mot partagé compte 1, un mot absent compte 0. Mais qu’est-ce qu’un mot ?

# %%
predict("bm25.elision")

# %%
print(words("couper l’alimentation"))
reveal("bm25.elision", shared_words("alimentation", "couper l’alimentation"))

# %% [markdown]
# Même ennui avec la ponctuation. Regardons une phrase du corpus avec les yeux de la méthode naïve :

# %%
print(words("L’alimentation est protégée par un fusible de 5 A."))

# %% [markdown]
# « a. » n’est pas « a » : qui cherche « 5 A » manquera ce passage.
#
# Il y a plus sournois : le clavier tape l’apostrophe droite `'`, les textes soignés utilisent l’apostrophe courbe `’`.
# Pour Python, ce sont deux caractères sans rapport.

# %%
print("l'odométrie" == "l’odométrie")
for query in ("odométrie", "l'odométrie", "l’odométrie"):
    print(query, "->", sum(query in words(text) for text in texts), "morceau(x)")

# %% [markdown]
# Les unités que l’on compare s’appellent des **tokens**, et la fonction qui les fabrique un **tokeniseur**. Voici ce
# que nous voulons, étape par étape :
#
# | étape | avant | après |
# |---|---|---|
# | 1. forme Unicode NFC, minuscules | `L’Été` | `l’été` |
# | 2. retirer les mots élidés et leur apostrophe | `l’été` | `été` |
# | 3. garder les suites de lettres et de chiffres | `été, « robot »` | `été` `robot` |
# | 4. garder la virgule ou le point *entre deux chiffres* | `5,5 Hz. Fin` | `5,5` `hz` `fin` |
#
# L’étape 1 mérite un mot : « é » peut être écrit en un caractère, ou en deux (un e, puis un accent). La forme **NFC**
# choisit toujours l’écriture en un seul. Les mots élidés sont : c, d, j, l, m, n, s, t, qu, jusqu, lorsqu, puisqu,
# quoiqu.

# %% [markdown]
# Deux outils de Python suffisent. Le module `unicodedata` fabrique la forme NFC ; le module `re` cherche des motifs.
# Dans un motif, `[^\W_]` veut dire « une lettre ou un chiffre, de n’importe quelle écriture », `+` « un ou plusieurs »,
# `|` « ou », `[.,]` « un point ou une virgule », et `(?:…)` sert de parenthèses. `(?<=\d)` et `(?=\d)` exigent un chiffre
# juste avant et juste après. Le motif `TOKEN` réunit tout cela : il fait les étapes 3 et 4.

# %%
import re
import unicodedata

two_characters = "e\u0301"  # un e, puis un accent aigu
print(
    two_characters, len(two_characters), "->", len(unicodedata.normalize("NFC", two_characters))
)

TOKEN = r"(?:[^\W_]|(?<=\d)[.,](?=\d))+"
print(re.findall(r"[^\W_]+", "lidar : 5,5 hz."))
print(re.findall(TOKEN, "lidar : 5,5 hz."))
print(re.sub(r"\b(?:l|d)[’]", " ", "l’arrêt d’urgence"))

# %% [markdown]
# Sans `TOKEN`, `5,5` serait coupé. La dernière ligne ne connaît encore que deux mots élidés, et une apostrophe sur deux.
#
# ### À vous : `tokenize`
#
# Trois lignes suffisent : normaliser et mettre en minuscules, retirer les mots élidés, chercher les tokens avec `TOKEN`.
# Dans un motif, `\b` veut dire « au bord d’un mot ».

# %%
ELIDED = ["c", "d", "j", "l", "m", "n", "s", "t", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu"]


def tokenize(text: str) -> list[str]:
    """Couper un texte en tokens, en minuscules.

    "L’alimentation" -> ["alimentation"] (avec ' comme avec ’) ; "aujourd’hui" -> ["aujourd", "hui"] ;
    "5,5 Hz" -> ["5,5", "hz"] ; "3.8" -> ["3.8"] ; "3 A" -> ["3", "a"] ; "/odom" -> ["odom"].
    """
    raise NotImplementedError


# %%
tokenize = check("bm25.tokenize", tokenize)

# %% [markdown]
# Nos documents seront désormais des listes de tokens. Est-ce que cela suffit à mieux classer ?

# %%
documents = [tokenize(text) for text in texts]
print(documents[1])


def shared_tokens(question):
    return [len(set(tokenize(question)) & set(document)) for document in documents]


# %% tags=["nbval-check-output"]
evaluate("mots partagés, bons tokens", shared_tokens)

# %% [markdown]
# Presque rien n’a bougé. Décevant ? Un peu, et il y a une raison : de bons tokens font retrouver *plus* de mots, les
# utiles comme les inutiles. « de », « le » et « il » comptent toujours autant que « fusible ». Les bons tokens sont
# nécessaires ; ils ne suffisent pas. Gardez aussi en tête que six questions, c’est très peu : nous y reviendrons avec
# 3 835 questions.

# %% [markdown]
# ## 3. L’index inversé
#
# Pour l’instant, chaque question relit tous les morceaux. Avec neuf, peu importe. Avec dix millions, c’est impossible.
#
# L’idée tient dans la dernière page d’un livre. Pour trouver où l’on parle de fusibles, vous ne relisez pas le livre :
# vous ouvrez l’index à « fusible », et il vous donne les pages. Un **index inversé** fait de même : à chaque mot, la
# liste des morceaux qui le contiennent. Chaque élément de la liste, une **occurrence indexée** (*posting*), est un
# couple (morceau, nombre de fois).

# %%
from ragteach.explore import index_figure
from ragteach.retrieval.bm25 import inverted_index

index = inverted_index(documents)
some_words = ["fusible", "odométrie", "robot", "de"]
alt = "; ".join(f"{word} : {index[word]}" for word in some_words)
show(
    index_figure(index, some_words, lang="fr"),
    f"Chaque mot, suivi des couples (morceau, nombre de fois). {alt}.",
)

# %% [markdown]
# (Ici `inverted_index` vient du paquet ; vous l’écrirez dans les exercices, elle tient en cinq lignes.)
#
# Combien de travail cela épargne-t-il ? Comptons les visites : sans index, chaque mot de la question se cherche dans
# chaque morceau ; avec l’index, on ne touche que les morceaux de sa liste.

# %% tags=["nbval-check-output"]
rows = []
for question in questions:
    tokens = tokenize(question.text)
    without, visits = (
        len(tokens) * len(documents),
        sum(len(index.get(token, [])) for token in tokens),
    )
    rows.append([question.text, without, visits])
table(["question", "visites sans index", "avec index"], rows, lang="fr")

# %% [markdown]
# Nous comptons des visites plutôt que des millisecondes : elles ne dépendent pas de votre machine. Et le gain grandit
# avec le corpus. Dans un million de morceaux dont deux cents contiennent « fusible », ce mot coûte deux cents visites
# au lieu d’un million. Ce sont les mots très courants qui coûtent encore cher. Coïncidence heureuse : ce sont aussi
# ceux qui renseignent le moins. C’est le sujet qui suit.

# %% [markdown]
# ## 4. Combien vaut un mot ?
#
# Partager « fusible » en dit long. Partager « de » ne dit rien. Nous voulons donc donner un **poids** à chaque mot. On
# pourrait en inventer un, et l’essayer. Robertson et Spärck Jones ont fait mieux en 1976 : ils l’ont *déduit*.
#
# Prenons un seul mot, et séparons les morceaux en deux groupes : ceux qui répondent à la question et les autres. Notons
#
# - $p$ la part des morceaux **pertinents** qui contiennent le mot,
# - $u$ la part des **autres** morceaux qui le contiennent.

# %%
from ragteach.explore import two_groups_figure

alt = "20 carrés pour les morceaux pertinents, dont 10 hachurés ; 100 pour les autres, dont 10 hachurés."
show(
    two_groups_figure(p=0.5, u=0.1, lang="fr"),
    f"{alt} Un carré hachuré est un morceau qui contient le mot.",
)

# %% [markdown]
# Un mot utile est un mot pour lequel $p$ et $u$ sont très différents : le voir dans un morceau fait alors pencher la
# balance. Reste à savoir *de combien*.

# %% [markdown]
# ### Théorème 1, pas à pas
#
# Prenez une feuille : vous devez pouvoir refaire ces six pas seul. Un morceau $d$ est décrit par les mots qu’il
# contient ; $R$ veut dire « pertinent » et $\bar R$ « non pertinent ».
#
# **Pas 1. Que faut-il calculer ?** Pour une question fixée, le meilleur classement range les morceaux par
# $P(R \mid d)$ **décroissante** : le plus probablement pertinent en tête. C’est le *principe de classement par
# probabilité*.
#
# **Pas 2. Passer à la cote.** La cote $\dfrac{P(R\mid d)}{P(\bar R\mid d)}$ grandit quand $P(R\mid d)$ grandit : elle
# range donc dans le même ordre. Et la formule de Bayes, appliquée en haut et en bas, fait disparaître $P(d)$ :
#
# $$\frac{P(R\mid d)}{P(\bar R\mid d)} \;=\; \frac{P(d\mid R)}{P(d\mid \bar R)}
# \;\times\;\underbrace{\frac{P(R)}{P(\bar R)}}_{\text{identique pour tous les morceaux}}$$
#
# Il reste à classer par le **rapport de vraisemblance** $P(d\mid R)/P(d\mid\bar R)$.

# %% [markdown]
# **Pas 3. Supposer l’indépendance.** Notons $p_t$ et $u_t$ les parts $p$ et $u$ du mot $t$, strictement entre 0 et 1.
# Sachant le groupe, la présence d’un mot ne renseigne pas sur celle d’un autre : les probabilités se multiplient, sur
# tous les mots $t$ du vocabulaire, présents ($t\in d$) ou absents ($t\notin d$). C’est faux dans la vraie vie
# (« courant » et « continu » vont ensemble), mais c’est ce qui rend le calcul possible :
#
# $$P(d\mid R) = \prod_{t\in d} p_t \prod_{t\notin d} (1-p_t), \qquad
# P(d\mid \bar R) = \prod_{t\in d} u_t \prod_{t\notin d} (1-u_t).$$
#
# **Pas 4. Oublier les mots hors de la question.** On n’a aucune raison de penser qu’ils distinguent les deux groupes :
# pour eux $p_t=u_t$, et ils disparaissent du rapport. Il ne reste que les mots $t$ de la question $q$.
#
# **Pas 5. Prendre le logarithme, et se débarrasser des absents.** Le logarithme est croissant : l’ordre ne change pas.
#
# $$\ln\frac{P(d\mid R)}{P(d\mid\bar R)} = \sum_{t\in q\cap d}\ln\frac{p_t}{u_t} +
# \sum_{t\in q,\;t\notin d}\ln\frac{1-p_t}{1-u_t}.$$
#
# La seconde somme est gênante : elle porte sur les mots *absents*. L’astuce : ajoutons et retranchons
# $\sum_{t\in q\cap d}\ln\frac{1-p_t}{1-u_t}$.
#
# $$= \sum_{t\in q\cap d}\underbrace{\ln\frac{p_t\,(1-u_t)}{u_t\,(1-p_t)}}_{w_t} \;+
# \underbrace{\sum_{t\in q}\ln\frac{1-p_t}{1-u_t}}_{\text{sans } d}.$$
#
# La dernière somme porte sur toute la question et ne dépend plus de $d$ : c’est une constante. On peut l’ignorer pour
# classer. $\blacksquare$

# %% [markdown]
# **Le résultat.** Le meilleur classement s’obtient en **additionnant, pour chaque mot de la question présent dans le
# morceau**, le poids
#
# $$w_t=\ln\frac{p_t\,(1-u_t)}{u_t\,(1-p_t)}.$$
#
# C’est remarquable : la forme « une somme de poids sur les mots partagés » n’a pas été choisie. Elle découle des
# hypothèses.
#
# Vérifions-le sans faire confiance à l’algèbre : fabriquons 200 000 morceaux au hasard selon ce modèle.

# %%
import numpy as np

from ragteach.retrieval.bm25 import bim_weight

rng = np.random.default_rng(0)
p = np.array([0.8, 0.6, 0.5, 0.4])  # quatre mots de la question, dans les morceaux pertinents
u = np.array([0.3, 0.05, 0.1, 0.35])  # les mêmes, dans les autres
is_relevant = rng.random(200_000) < 0.1
holds = rng.random((200_000, 4)) < np.where(is_relevant[:, None], p, u)
weights = np.array([bim_weight(p[t], u[t]) for t in range(4)])
table(["p", "u", "poids w"], np.column_stack([p, u, weights]).tolist(), lang="fr")

# %% [markdown]
# Lisez la dernière ligne : un mot à peine plus fréquent chez les pertinents ne pèse presque rien. Calculons maintenant
# de deux façons : le rapport de vraisemblance complet (pas 3, mots absents compris) et la simple somme des poids (le
# résultat).

# %% tags=["nbval-check-output"]
log_p = np.where(holds, np.log(p), np.log(1 - p)).sum(axis=1)
log_u = np.where(holds, np.log(u), np.log(1 - u)).sum(axis=1)
log_ratio = log_p - log_u
sums = holds @ weights
difference = log_ratio - sums
print("la différence est la même pour tous, à 1e-9 près :", bool(np.ptp(difference) < 1e-9))

cases, first = np.unique(
    holds, axis=0, return_index=True
)  # les 16 combinaisons de mots possibles
same_order = np.array_equal(np.argsort(log_ratio[first]), np.argsort(sums[first]))
print("les", len(cases), "combinaisons sont rangées dans le même ordre :", same_order)

# %% [markdown]
# La différence est une constante, exactement comme annoncé. Et cette somme classe-t-elle vraiment par probabilité ?
# Pour chaque combinaison de mots, comparons la part de morceaux pertinents **observée** dans la simulation et celle que
# **prédit** le théorème.

# %%
constant = np.log((1 - p) / (1 - u)).sum() + np.log(
    0.1 / 0.9
)  # ce qui ne dépend pas du morceau, et la cote de départ
score = sums[first]
predicted = 1 / (1 + np.exp(-(score + constant)))  # de la cote à la probabilité
observed = [is_relevant[(holds == case).all(axis=1)].mean() for case in cases]
grid = np.linspace(0, score.max(), 50)
series = {"prédite": 1 / (1 + np.exp(-(grid + constant)))}
figure = curves(
    grid, series, "somme des poids des mots présents", "part de morceaux pertinents", lang="fr"
)
figure.axes[0].plot(score, observed, "ks", label="observée, une par combinaison")
figure.axes[0].legend()
show(
    figure,
    "Une courbe en S, la part prédite, monte avec la somme des poids ; les 16 parts observées sont dessus.",
)
print("plus grand écart :", number(max(abs(predicted - observed)), "fr", 3))

# %% [markdown]
# ### Pas 6 : et quand on ne sait rien ?
#
# En vrai, personne ne nous donne $p_t$ et $u_t$ avant la recherche. Deux paris raisonnables :
#
# - on ne sait rien des morceaux pertinents : un mot de la question s’y trouve une fois sur deux, **$p_t=\tfrac12$**.
#   Alors $\frac{p_t}{1-p_t}=1$ : le facteur disparaît ;
# - presque tous les morceaux sont non pertinents : $u_t$ ressemble à la part du corpus entier, **$u_t\approx n_t/N$**,
#   où $n_t$ des $N$ morceaux contiennent le mot.
#
# $$w_t \approx \ln\frac{1-u_t}{u_t} \approx \ln\frac{N-n_t}{n_t}.$$
#
# Si $n_t=0$ ou $n_t=N$, cette fraction n’a pas de logarithme. On **lisse** en ajoutant un demi-morceau de chaque côté :
#
# $$\ln\frac{N-n_t+0{,}5}{n_t+0{,}5}.$$
#
# Voilà l’**idf** (*inverse document frequency*, fréquence documentaire inverse) : plus un mot est rare dans le corpus,
# plus il pèse.

# %% [markdown]
# ### Une fausse piste
#
# Prenons cette formule telle quelle, et regardons quelques mots de notre corpus.

# %%
from math import log

N = len(documents)


def idf_without_one(n_docs, doc_freq):
    return log((n_docs - doc_freq + 0.5) / (doc_freq + 0.5))


words_to_compare = ["fusible", "robot", "est", "la", "de"]
rows = [
    [word, len(index[word]), idf_without_one(N, len(index[word]))] for word in words_to_compare
]
table(["mot", "morceaux qui le contiennent", "poids"], rows, lang="fr")

# %% [markdown]
# Un poids **négatif** ! Dès qu’un mot se trouve dans plus de la moitié des morceaux, le contenir fait *perdre* des
# points. Voyez ce que cela donne pour un morceau qui contient « fusible » et « de » :


# %% tags=["nbval-check-output"]
def sum_of_weights(query, document, weight):
    """Additionner le poids des mots de la question qui se trouvent dans le morceau."""
    return sum(weight(N, len(index[token])) for token in set(tokenize(query)) & set(document))


queries = ["fusible", "fusible de"]
rows = [[query, sum_of_weights(query, documents[5], idf_without_one)] for query in queries]
table(["question", "score du morceau 5"], rows, lang="fr")

# %% [markdown]
# Le morceau contient les deux mots, et son score a **baissé** quand on a ajouté le second. À la limite, une question
# faite de mots courants ne retrouve plus rien. Lucene, le moteur d’Elasticsearch, répare cela en ajoutant 1 à
# l’intérieur du logarithme :
#
# $$\text{idf}(t)=\ln\left(\frac{N-n_t+0{,}5}{n_t+0{,}5}+1\right).$$

# %%
predict("bm25.common")

# %% [markdown]
# ### À vous : `idf`
#
# Attention, `ln` est le logarithme **népérien** : en Python, c’est `log` du module `math`.


# %%
def idf(n_docs: int, doc_freq: int) -> float:
    """Donner ln((N - n + 0,5) / (n + 0,5) + 1), où n = doc_freq morceaux sur N = n_docs contiennent le mot.

    idf(9, 3) vaut environ 1,05. Les arguments sont toujours valables : 0 <= doc_freq <= n_docs.
    """
    raise NotImplementedError


# %%
idf = check("bm25.idf", idf)

# %%
reveal("bm25.common", idf(N, N))

# %% [markdown]
# Le logarithme d’un nombre plus grand que 1 est positif : c’est réparé. En réduisant au même dénominateur, on trouve
# même plus parlant : $\text{idf}(t)=\ln\frac{N+1}{n_t+0{,}5}$. C’est, à peu de chose près, l’opposé du logarithme de la
# part des morceaux qui contiennent le mot.

# %%
frequencies = range(N + 1)
series = {
    "sans le + 1": [idf_without_one(N, n) for n in frequencies],
    "avec le + 1": [idf(N, n) for n in frequencies],
}
figure = curves(
    frequencies, series, "nombre de morceaux qui contiennent le mot", "poids du mot", lang="fr"
)
figure.axes[0].axhline(0, color="black", linewidth=1)
show(
    figure,
    "Les deux poids baissent quand le mot devient courant ; sans le + 1, il passe sous zéro à la moitié.",
)

# %% [markdown]
# Cette formule est-elle encore celle du théorème ? Comparons-la à $w_t$ avec $p=\tfrac12$ dans un grand corpus, pour
# des mots de plus en plus rares.

# %% tags=["nbval-check-output"]
big = 1_000_000
rows = []
for share in (0.5, 0.1, 0.01, 0.001, 0.0001):
    n = int(share * big)
    rows.append([str(n), bim_weight(0.5, n / big), idf_without_one(big, n), idf(big, n)])
table(
    ["n sur un million", "théorème, p = 1/2", "sans le + 1", "idf (avec le + 1)"],
    rows,
    lang="fr",
)

# %% [markdown]
# Le lissage est invisible à cette taille. Le + 1, lui, se voit sur les mots courants et s’efface sur les mots rares :
# ceux qui comptent. La formule de Lucene est donc le théorème, plus une retouche là où il donnait une absurdité. Que
# disent nos six questions ?


# %%
def score_with(weight):
    """Faire, d’un poids de mot, une façon de noter tous les morceaux."""
    return lambda question: [
        sum_of_weights(question, document, weight) for document in documents
    ]


# %% tags=["nbval-check-output"]
evaluate("idf sans le + 1 (fausse piste)", score_with(idf_without_one))

# %% tags=["nbval-check-output"]
evaluate("idf", score_with(idf))

# %% [markdown]
# Deux surprises, et il faut les regarder en face.
#
# **La fausse piste fait mieux que la bonne formule.** En rendant négatifs les mots les plus courants, elle s’est
# fabriqué par accident une liste de mots à écarter. Ne vous y laissez pas prendre : elle écarte aussi les mots du
# métier dès qu’ils sont courants (« robot », dans la documentation d’un robot), et elle peut laisser une question sans
# aucune réponse. Et ce sont six questions.
#
# **L’idf ne fait pas mieux que de compter.** Cherchons pourquoi, sur la première question.

# %% tags=["nbval-check-output"]
rows = []
for token in tokenize(questions[0].text):
    n = len(index.get(token, []))
    rows.append([token, n, idf(N, n)])
table(["mot de la question", "morceaux qui le contiennent", "idf"], rows, lang="fr")

# %% [markdown]
# Voilà le coupable. Dans ces neuf morceaux, « quel » et « faut » ne se rencontrent qu’une fois : l’idf les croit *plus
# précieux* que « fusible ». Il ne connaît pas le français, seulement ce corpus. Dans dix mille morceaux, « quel »
# serait partout et ne pèserait presque rien : **l’idf a besoin d’un corpus assez grand pour savoir ce qui est rare**.
# Quant à « monter », il pèse le plus lourd de tous, mais aucun morceau ne le contient : il n’ajoute rien à personne.

# %% [markdown]
# ## 5. Répétitions et longueur
#
# Le théorème 1 ne regarde que la présence d’un mot. Deux informations restent inutilisées :
#
# - **combien de fois** le mot apparaît : un passage qui dit trois fois « lidar » parle sans doute du lidar ;
# - **la longueur** du morceau : un long morceau contient beaucoup de mots par hasard.

# %%
predict("bm25.saturation")

# %% [markdown]
# L’intuition, d’abord. La première apparition de « lidar » vous apprend beaucoup. La deuxième confirme. La vingtième
# n’apprend plus rien : le poids doit **saturer**. Et dix apparitions dans un paragraphe en disent plus que dix dans un
# livre : il faut **rapporter la longueur à la moyenne**. BM25 fait les deux dans une seule fraction, notée tw
# (*term weight*, poids du terme), avec $f$ le nombre de fois, $\ell$ la longueur du morceau en tokens et $\bar\ell$ la
# longueur moyenne :
#
# $$\text{tw}(f,\ell)=\frac{f\,(k_1+1)}{f+k_1\left(1-b+b\,\dfrac{\ell}{\bar\ell}\right)}$$
#
# - $k_1\ge 0$ règle la saturation : à 0, seule la présence compte ; plus il est grand, plus les répétitions paient.
#   Valeur usuelle : 1,2 à 2.
# - $b$ entre 0 et 1 règle la longueur : à 0 on l’ignore, à 1 on la corrige entièrement. Valeur usuelle : 0,75, un
#   compromis : un morceau peut être long parce qu’il se répète (il faut corriger) ou parce qu’il en dit davantage (il
#   ne faut pas).
#
# Deux repères à vérifier de tête, pour un morceau de longueur moyenne : si $f=1$, la fraction vaut 1. Si $f$ est
# immense, elle tend vers $k_1+1$.
#
# Soyons honnêtes : cette partie n’est **pas** démontrée. Elle imite, par une formule simple, la courbe d’un modèle plus
# compliqué (deux lois de Poisson).

# %% [markdown]
# ### À vous : `term_weight`


# %%
def term_weight(
    tf: float, doc_len: float, avg_len: float, k1: float = 1.5, b: float = 0.75
) -> float:
    """Donner tf(k1+1) / (tf + k1(1 - b + b·doc_len/avg_len)).

    term_weight(1, 40, 40) vaut 1.0 ; un mot absent (tf = 0) pèse 0.0. Les arguments sont toujours valables.
    """
    raise NotImplementedError


# %%
term_weight = check("bm25.term_weight", term_weight)

# %% [markdown]
# Voyons d’abord la saturation, pour un morceau de longueur moyenne.

# %%
times = range(21)
series = {}
for k1, name in ((0, "k1 = 0"), (0.5, "k1 = 0,5"), (1.5, "k1 = 1,5"), (5, "k1 = 5")):
    series[name] = [term_weight(f, 40, 40, k1=k1) for f in times]
figure = curves(times, series, "nombre de fois que le mot apparaît", "poids", lang="fr")
show(
    figure,
    "Quatre courbes valent 1 à la première apparition, puis s’aplatissent ; plus k1 est grand, plus tard.",
)

# %%
reveal("bm25.saturation", term_weight(20, 40, 40) / term_weight(1, 40, 40))

# %% [markdown]
# Passons à la longueur.

# %%
predict("bm25.longer")

# %%
short, long = term_weight(1, 20, 30), term_weight(1, 40, 30)
reveal("bm25.longer", f"{number(short, 'fr')} pour le court, {number(long, 'fr')} pour le long")

# %% [markdown]
# Le même effet en image : un mot présent deux fois, dans des morceaux de plus en plus longs (longueur moyenne : 40
# tokens).

# %%
lengths = range(10, 131, 10)
series = {}
for b, name in ((0, "b = 0"), (0.5, "b = 0,5"), (0.75, "b = 0,75"), (1, "b = 1")):
    series[name] = [term_weight(2, length, 40, b=b) for length in lengths]
figure = curves(lengths, series, "longueur du morceau, en tokens", "poids", lang="fr")
figure.axes[0].axvline(40, color="black", linewidth=1)
show(
    figure,
    "À b = 0 la courbe est plate ; plus b est grand, plus les morceaux longs sont pénalisés. Toutes se croisent à 40.",
)

# %% [markdown]
# Toutes les courbes se croisent à la longueur moyenne : là, $b$ ne change rien. Nos fenêtres ont toutes 40 mots,
# sauf la dernière de chaque document, plus courte. Attendez-vous donc à peu d’effet ici, et à beaucoup sur des
# documents de longueurs mélangées.

# %% [markdown]
# ## 6. BM25 en entier
#
# Il ne reste qu’à assembler. Le score d’un morceau additionne, pour chaque mot de la question :
#
# $$\text{BM25}(q,d)=\sum_{t\in q}\;\underbrace{\text{idf}(t)}_{\text{est-il rare ?}}
# \times\underbrace{\text{tw}(f_{t,d},\,\ell_d)}_{\text{est-il souvent dans ce morceau ?}}$$
#
# | pièce | question qu’elle pose | d’où elle vient |
# |---|---|---|
# | index inversé | quels morceaux contiennent ce mot ? | la dernière page des livres |
# | idf | ce mot est-il rare dans le corpus ? | théorème 1, plus une retouche |
# | saturation ($k_1$) | combien de fois apparaît-il ? | heuristique, très éprouvée |
# | longueur ($b$) | le morceau est-il long ? | heuristique, très éprouvée |

# %% [markdown]
# ### À vous : `bm25_scores`
#
# Le plan : construire l’index et les longueurs ; partir d’un tableau de zéros ; pour chaque mot de la question,
# parcourir sa liste et ajouter `idf × term_weight` au bon morceau. Quatre précisions :
#
# - un mot qui n’est nulle part n’ajoute rien ;
# - un mot répété dans la question compte à chaque fois (comme dans Lucene, rank-bm25 et bm25s) ;
# - sans aucun document, rendez un tableau vide ; si tous les documents sont vides, leurs scores sont 0 ;
# - `query` est une liste de tokens : une chaîne serait lue lettre par lettre. Refusez-la par `ValueError`.


# %%
def bm25_scores(
    query: list[str], documents: list[list[str]], k1: float = 1.5, b: float = 0.75
) -> np.ndarray:
    """Donner le score BM25 de chaque document : un tableau numpy de longueur N.

    Lève ValueError si query ou un document est une chaîne, si k1 est négatif ou si b n’est pas entre 0 et 1.
    """
    raise NotImplementedError


# %%
bm25_scores = check("bm25.scores", bm25_scores)

# %% tags=["nbval-check-output"]
evaluate("BM25 complet", lambda question: bm25_scores(tokenize(question), documents))

# %% [markdown]
# Toujours le même niveau, ou presque. Ce n’est pas un accident : nos fenêtres ont pour la plupart la même longueur, et
# peu de mots s’y répètent. Saturation et longueur n’ont donc rien à corriger ici. Méfiez-vous des leçons où chaque
# étape améliore le tableau.

# %% [markdown]
# ### Expliquer un score
#
# BM25 est une somme : on peut donc dire *pourquoi* un morceau est bien placé, mot par mot. Peu de méthodes modernes
# savent le faire.

# %%
from ragteach.retrieval.bm25 import bm25_search, explain

tokens = tokenize(questions[0].text)
parts = {
    f"morceau {doc}": explain(tokens, documents, doc)
    for doc in bm25_search(tokens, documents, k=5)
}
print(questions[0].text, "Morceaux qui répondent :", sorted(relevant[0]))
alt = "Ce que chaque mot apporte aux meilleurs morceaux."
for name, part in parts.items():
    alt += (
        f" {name} : "
        + ", ".join(f"{token} {number(x, 'fr')}" for token, x in part.items() if x > 0)
        + "."
    )
show(stacked(parts, "score BM25", lang="fr"), alt)

# %% [markdown]
# Tout est là : le morceau de tête doit sa place à « quel », « faut » et « il », et il n’a rien à dire du fusible.
# Savoir lire une telle image, c’est savoir quoi réparer : nous le ferons dans la partie 7.

# %% [markdown]
# ### Manipulez
#
# Déplacez les curseurs (à la souris, ou au clavier : `Tab` puis les flèches) et changez la question. Essayez, dans
# l’ordre :
#
# 1. $k_1=0$ : les répétitions ne comptent plus ; quels morceaux changent de place ?
# 2. $b=0$, puis $b=1$ : qui profite de la correction de longueur ?
# 3. une question à vous, avec un mot qui n’est nulle part.

# %%
from ragteach.explore import bm25_explorer

bm25_explorer(lang="fr")

# %% [markdown]
# ## 7. Ce que BM25 ne voit pas
#
# ### Les mots vides
#
# « quel », « de », « il » ne disent rien du sujet : on les appelle des **mots vides** (*stop words*). Dans un grand
# corpus, l’idf s’en charge. Dans un petit, il faut l’aider. Un piège : la liste doit passer par **le même tokeniseur**
# que les textes, sinon certains de ses mots ne correspondront jamais à rien.

# %% tags=["nbval-check-output"]
STOP_WORDS = """le la les un une des du de à au aux et ou en par sur pour avec dans ce cet cette ces son sa ses
leur leurs il elle ils elles on nous vous je tu se que qui quoi quel quelle quels quelles quand comment pourquoi où
c’est sont être faut ne pas plus l’ d’ qu’ s’"""
raw_stop = set(STOP_WORDS.split())
stop = set(tokenize(STOP_WORDS))
print(
    "« est » dans la liste brute :",
    "est" in raw_stop,
    "; dans la liste tokenisée :",
    "est" in stop,
)
print("entrées brutes qui ne serviraient jamais :", sorted(raw_stop - stop))

# %% [markdown]
# Remarquez l’absent : « a ». La plupart des listes françaises le contiennent (c’est le verbe avoir), mais dans un
# manuel de robot, « 5 A » est un courant. Une liste de mots vides se relit toujours avec son corpus sous les yeux.


# %%
def content(tokens):
    return [token for token in tokens if token not in stop]


content_documents = [content(document) for document in documents]

# %% tags=["nbval-check-output"]
evaluate(
    "BM25 sans mots vides",
    lambda question: bm25_scores(content(tokenize(question)), content_documents),
)

# %% [markdown]
# Cette fois, le tableau bouge pour de bon : le corpus était trop petit pour apprendre seul quels mots sont vides, nous
# le lui avons dit. La question du fusible trouve enfin son passage.
#
# **Et à grande échelle ?** Nous avons repris ces mêmes étapes, avec ces mêmes fonctions, sur PIAF : 3 835 questions
# posées en français sur 761 passages de Wikipédia. (Ces textes ne sont pas fournis avec le cours ; le banc d’essai
# `benchmarks/bm25_steps.py` du projet refait la mesure pour qui les a.) Là, chaque brique compte. Les bons tokens font
# gagner beaucoup, l’idf davantage encore, la saturation et la longueur un peu. L’idf sans le + 1, la fausse piste, fait
# perdre. Et retirer les mots vides n’apporte presque plus rien : l’idf les avait reconnus.
#
# **Six questions servent à trouver des erreurs, pas à choisir une méthode.**

# %% [markdown]
# ### Les codes exacts : le point fort
#
# Un numéro de pièce, un nom de capteur, un message d’erreur : BM25 les trouve à coup sûr, puisqu’il compare des mots.

# %% tags=["nbval-check-output"]
rows = []
for code in ("RPLIDAR A1", "/odom", "LiPo 3S", "3,8 V"):
    best = bm25_search(tokenize(code), documents, k=1)[0]
    rows.append([code, best, "oui" if code in texts[best] else "non"])
table(["code cherché", "premier morceau", "le contient tel quel"], rows, lang="fr")

# %% [markdown]
# ### Les paraphrases : le point aveugle
#
# La doc dit que le contrôleur *réduit le rapport cyclique* en cas de *surchauffe*. Un utilisateur, lui, écrit :

# %% tags=["nbval-check-output"]
query = "le robot devient lent quand il fait chaud"
ranking = bm25_search(tokenize(query), documents, k=3)
gains = explain(tokenize(query), documents, ranking[0])
rows = [[token, len(index.get(token, [])), gain] for token, gain in gains.items()]
table(
    ["mot de la question", "morceaux qui le contiennent", f"apport au morceau {ranking[0]}"],
    rows,
    lang="fr",
)
print("trois premiers :", ranking, "; morceaux qui répondent :", sorted(relevant[2]))

# %% [markdown]
# « lent » et « chaud » ne sont nulle part. Ce que BM25 trouve, il le doit à des mots comme « le » et « il » : le
# classement ne tient qu’au hasard. Même histoire au restaurant : un client écrit « mon curry est arrivé froid »,
# et le règlement s’intitule « température des plats à la livraison ». Aucun mot commun, aucun espoir. Il faut
# comparer des **sens** : ce sera le chapitre 03. Et comme chacun voit ce que l’autre manque, le chapitre 04 les
# mariera.

# %% [markdown]
# ### Et en production ?
#
# La bibliothèque `rank-bm25` est très répandue. Elle prend les mêmes $k_1$ et $b$ par défaut que nous, mais garde l’idf
# **sans** le + 1, avec une rustine : un poids négatif est remplacé par une fraction ($\varepsilon=0{,}25$) de l’idf
# moyen.

# %% tags=["nbval-check-output"]
from rank_bm25 import BM25Okapi

okapi = BM25Okapi(documents)
rows = []
for word in words_to_compare:
    n = len(index[word])
    rows.append([word, n, idf_without_one(N, n), okapi.idf[word], idf(N, n)])
table(["mot", "morceaux", "sans le + 1", "rank-bm25", "le nôtre"], rows, lang="fr")

# %% [markdown]
# La rustine crée une bizarrerie : comparez les lignes « robot » et « de ». Le mot courant pèse plus que le mot rare !
# Elle laisse aussi deux trous, que voici sur des corpus minuscules.

# %% tags=["nbval-check-output"]
half = [["a", "b"], ["c", "d"]]
print(
    "mot dans la moitié des documents. rank-bm25 :",
    BM25Okapi(half).get_scores(["a"]).round(2).tolist(),
)
print(
    "                                  le nôtre  :", bm25_scores(["a"], half).round(2).tolist()
)
everywhere = [["a"], ["a"], ["a"]]
print(
    "mot dans tous les documents.      rank-bm25 :",
    BM25Okapi(everywhere).get_scores(["a"]).round(2).tolist(),
)
print(
    "                                  le nôtre  :",
    bm25_scores(["a"], everywhere).round(2).tolist(),
)

# %% [markdown]
# Zéro pour un mot présent, et un score négatif pour une correspondance parfaite. À l’idf près, pourtant, les deux codes
# font le même calcul : donnons à `rank-bm25` notre idf, et comparons tous les scores.

# %% tags=["nbval-check-output"]
okapi.idf = {token: idf(N, len(postings)) for token, postings in index.items()}
gaps = [
    np.abs(
        okapi.get_scores(tokenize(question.text))
        - bm25_scores(tokenize(question.text), documents)
    ).max()
    for question in questions
]
print("écart maximal < 1e-9 :", bool(max(gaps) < 1e-9))

# %% [markdown]
# C’est donc le vrai BM25 que vous avez entre les mains. Ce que d’autres font autrement :
#
# - **Lucene**, le cœur d’Elasticsearch et d’OpenSearch : le même idf que vous ; $k_1=1{,}2$ et $b=0{,}75$ par défaut ;
#   le facteur constant $(k_1+1)$ est omis, ce qui ne change aucun classement ; les longueurs sont arrondies pour tenir
#   sur un octet ; l’index vit sur disque, et les listes sont compressées.
# - **bm25s** : calcule d’avance le poids de chaque mot dans chaque document et les range dans une matrice creuse. Une
#   question devient une somme de colonnes : c’est très rapide, mais il faut choisir $k_1$ et $b$ avant.
# - **rank-bm25** : pas d’index inversé ; chaque question parcourt tous les documents. Parfait pour quelques milliers,
#   pas au-delà.
#
# Moralité : deux « BM25 » peuvent donner des scores différents. Dites toujours lequel, avec quel tokeniseur, quel $k_1$
# et quel $b$.

# %% [markdown]
# ## 8. Bilan
#
# - La recherche commence par les **tokens** : élisions, apostrophes, nombres et unités décident de ce qui peut se
#   retrouver.
# - L’**index inversé** ne visite que les morceaux qui contiennent les mots de la question.
# - Le **théorème 1** : sous l’indépendance, le meilleur score est une somme de poids $\ln\frac{p(1-u)}{u(1-p)}$. Avec
#   $p=\tfrac12$ et $u=n/N$, c’est l’**idf**.
# - Le **+ 1** de Lucene empêche un mot courant de faire perdre des points.
# - $k_1$ fait **saturer** les répétitions ; $b$ **corrige la longueur**. Ce sont des heuristiques.
# - BM25 **s’explique** mot par mot, trouve les **codes exacts**, et reste aveugle aux **paraphrases**.
# - Six questions suffisent pour voir des erreurs, pas pour choisir un réglage.

# %% [markdown]
# ### Le tableau de bord du cours
#
# Chaque chapitre y ajoute une ligne, toujours sur les mêmes six questions. À partir du chapitre 01, les documents sont
# coupés aux paragraphes et aux phrases, et le rappel compte les passages qui répondent : il reste comparable quels que
# soient les morceaux.

# %% tags=["nbval-check-output"]
from ragteach.explore import milestones

milestones("02_bm25", lang="fr")

# %%
quiz("02_bm25")

# %% [markdown]
# ### Les mots à retenir
#
# | français | anglais |
# |---|---|
# | morceau (d’un document) | *chunk* |
# | question (ou requête) | *query* |
# | token, tokeniseur | *token, tokenizer* |
# | index inversé, liste des occurrences | *inverted index, postings list* |
# | fréquence du terme | *term frequency (tf)* |
# | fréquence documentaire inverse | *inverse document frequency (idf)* |
# | modèle d’indépendance binaire | *binary independence model (BIM)* |
# | mots vides | *stop words* |
# | recherche lexicale, ou creuse | *lexical, or sparse, retrieval* |
#
# ### Et maintenant
#
# 1. Le carnet `exercises/fr/02_bm25.ipynb` : les huit fonctions du chapitre, une demi-heure. Recopiez-y les quatre que
#    vous avez écrites ici.
# 2. Le chapitre 03, qui s’attaque au point aveugle : retrouver un passage par son *sens*.

# %% [markdown]
# ### Sources
#
# - S. Robertson et K. Spärck Jones, « Relevance weighting of search terms », *Journal of the American Society for
#   Information Science*, 27(3), 1976 : le modèle et son poids.
# - S. Robertson et H. Zaragoza, « The Probabilistic Relevance Framework: BM25 and Beyond », *Foundations and Trends in
#   Information Retrieval*, 3(4), 2009 : toute l’histoire, la saturation et la longueur comprises.
# - Apache Lucene, documentation de la classe `BM25Similarity` : l’idf avec le + 1 et les valeurs par défaut.
# - C. Kamphuis et coll., « Which BM25 Do You Mean? », ECIR 2020 : les variantes comparées.
# - X. H. Lù, « BM25S: Orders of magnitude faster lexical search via eager sparse scoring », arXiv 2407.03618, 2024.
# - D. Brown, bibliothèque `rank-bm25`.
