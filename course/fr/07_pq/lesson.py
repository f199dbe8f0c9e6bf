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
#     kind: lesson
#     lang: fr
# ---

# %% [markdown]
# # 07. Comprimer les vecteurs
# **Dix millions de vecteurs dans un gigaoctet**
#
# L’assistant du laboratoire a été adopté par toute l’école, puis par ses partenaires : dix millions de morceaux de
# textes. Le chapitre 06 a réglé le temps de recherche. Reste la mémoire : la machine du laboratoire a 16 Go, et les
# vecteurs en demandent 31. Acheter une plus grosse machine ? Ou écrire les vecteurs plus court ?
#
# Écrire plus court, c’est perdre quelque chose. Toute la question de ce chapitre est de choisir *quoi* perdre. À la
# fin, vous saurez :
#
# - calculer ce qu’un index occupe, avant de le construire ;
# - passer de quatre octets par nombre à un seul (**int8**), et dire ce que cela coûte ;
# - apprendre des **dictionnaires** et coder un vecteur entier en quelques octets : c’est la **quantification
#   produit**, PQ ;
# - mesurer des distances **sans décoder**, par une table ;
# - rattraper presque toute la perte par un **reclassement**.

# %% [markdown]
# ## Votre temps
#
# Comptez **80 à 90 minutes** en tout : soixante-cinq pour cette leçon, vingt pour le carnet d’exercices.
#
# | partie | minutes |
# |---|---|
# | 1. Combien de mémoire ? | 4 |
# | 2. Un octet par nombre (à vous) | 12 |
# | 3. Coder plusieurs nombres ensemble (à vous, deux fois) | 24 |
# | 4. Mesurer sans décoder (à vous) | 13 |
# | 5. Mémoire, erreur, rappel | 5 |
# | 6. Ce que PQ ne dit pas | 3 |
# | 7. Ce que fait la production, bilan et quiz | 4 |
#
# **Comment travailler.** Effacez d’abord les résultats enregistrés (*Edit*, *Clear Outputs of All Cells*) : ils
# vendraient la mèche. Exécutez les cellules une à une (`Maj + Entrée`). Quand on vous demande une prédiction,
# répondez *avant* de continuer. Les cellules **À vous** attendent votre code ; la suivante le vérifie et, s’il n’est
# pas encore juste, la leçon continue avec une version de référence.

# %%
from ragteach.notebook import begin, check, hint, predict, quiz, reveal

begin("07_pq", lang="fr", course="1")

# %% [markdown]
# **Où en sommes-nous ?** Les six questions du petit corpus, chapitre après chapitre.

# %%
import numpy as np

from ragteach.explore import milestones, number, show, table

milestones("07_pq", lang="fr", before=True)

# %% [markdown]
# Comme au chapitre 06, n’attendez pas de mieux dans ce tableau : comprimer ne rend pas un vecteur plus juste. Le gain
# est ailleurs, et il se compte en octets.

# %% [markdown]
# ## 1. Combien de mémoire ?
#
# Un vecteur de $d$ nombres en float32 occupe $4d$ octets. Avec un octet par nombre, il en faut $d$. Et si l’on savait
# résumer un vecteur entier en 96 octets ?

# %% tags=["nbval-check-output"]
from ragteach.retrieval.dense import index_bytes
from ragteach.retrieval.pq import pq_bytes

N, DIMS = 10_000_000, 768
sizes = {
    "float32": index_bytes(N, DIMS, 4),
    "int8": index_bytes(N, DIMS, 1),
    "PQ, 96 octets": pq_bytes(N, 96),
}
rows = [[name, size / 1e9, f"{sizes['float32'] // size} ×"] for name, size in sizes.items()]
table(["écriture", "Go", "gain"], rows, lang="fr")

# %% [markdown]
# **31 Go, 8 Go, 1 Go** : trois machines très différentes. (Ces nombres comptent les vecteurs seuls ; un graphe ou des
# cellules s’y ajoutent.) Voyons ce que chaque étape fait perdre.

# %% [markdown]
# ## 2. Un octet par nombre
#
# Reprenons les vecteurs du chapitre 06 : la documentation du robot en fenêtres de 20 mots, et la LSA à 32 dimensions.
# L’étalon, ce sont les dix voisins exacts de chaque question.

# %% tags=["nbval-check-output"]
from ragteach.corpus import chunk, load
from ragteach.retrieval.chunking import chunk_words
from ragteach.retrieval.exact import ann_recall, exact_search
from ragteach.retrieval.lsa_index import LSAIndex
from ragteach.retrieval.text import tokenize

corpus = load("robot", "fr")
chunks = chunk(corpus.documents, lambda text: chunk_words(text, 20, 15))
questions = [question for question in corpus.questions if not question.is_trap]
lsa = LSAIndex([tokenize(piece.text) for piece in chunks], dims=32)
texts = lsa.embeddings
text_queries = lsa.embed([tokenize(question.text) for question in questions])
exact = [exact_search(texts, query, 10) for query in text_queries]
print(texts.shape, text_queries.shape)

# %% [markdown]
# Pour chaque dimension, on prend la plus grande valeur absolue $m$ et l’on divise l’intervalle de $-m$ à $m$ en 254
# **pas** égaux, de largeur $m/127$. Un nombre devient celui de ses 255 crans qui est le plus proche : un entier de
# −127 à 127, donc un `int8`. Pour revenir au nombre, on multiplie par le pas. L’erreur ne dépasse jamais un demi-pas.
#
# ### À vous : `quantize_int8`
#
# Rendez les codes (type `int8`) et les pas, un par dimension (`scale`). Une dimension toute nulle a 1 pour pas.
# Pensez à arrondir : `astype(np.int8)` seul coupe les décimales.


# %%
def quantize_int8(vectors: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Rendre les codes, de −127 à 127, et le pas de chaque dimension."""
    raise NotImplementedError


# %%
quantize_int8 = check("pq.quantize", quantize_int8)

# %%
predict("pq.int8")

# %% [markdown]
# Deux mesures nous serviront tout le chapitre. L’**erreur relative** : ce que l’on a perdu des vecteurs, au carré. Le
# **rappel@10** du chapitre 06 : combien des dix voisins exacts on retrouve en classant par les distances approchées.
# (Les vecteurs ont la norme 1 : d’après le théorème 2, la plus petite distance est le plus grand produit scalaire.)


# %%
def relative_error(decoded):
    return float(((texts - decoded) ** 2).sum() / (texts**2).sum())


def nearest(distances, k=10):
    return np.argsort(distances, kind="stable")[:k].tolist()


def recall(measure):
    """Donner le rappel moyen quand measure(question) donne les distances à tous les vecteurs."""
    found = [nearest(measure(query)) for query in text_queries]
    return float(np.mean(list(map(ann_recall, found, exact))))


def to_decoded(decoded):
    return lambda query: ((decoded - query) ** 2).sum(axis=1)


# %% tags=["nbval-check-output"]
codes, scale = quantize_int8(texts)
decoded = codes * scale
print("erreur relative :", f"{relative_error(decoded):.6f}")
reveal("pq.int8", recall(to_decoded(decoded)))

# %% [markdown]
# Quatre fois moins de mémoire, et presque rien de perdu. C’est pourquoi int8 est la première chose à essayer ;
# beaucoup de bases vectorielles le proposent d’une seule ligne de configuration.
#
# ### Une fausse piste : encore moins de bits
#
# Puisque 8 bits suffisent, pourquoi pas 4, 3 ou 2 ? Avec $b$ bits, les crans vont de $-(2^{b-1}-1)$ à $2^{b-1}-1$.

# %%
predict("pq.two_bits")


# %% tags=["nbval-check-output"]
def rounded(vectors, top):
    """Arrondir comme int8, mais à des crans de −top à top, et décoder."""
    scale = np.abs(vectors).max(axis=0) / top
    return np.rint(vectors / scale) * scale


def written(size, recall, error):
    return [size, number(recall, "fr", 3), number(error, "fr", 4)]


by_rounding = []
for bits in (8, 4, 3, 2):
    decoded = rounded(texts, 2 ** (bits - 1) - 1)
    by_rounding.append((32 * bits // 8, recall(to_decoded(decoded)), relative_error(decoded)))
header = ["octets par vecteur", "rappel@10", "erreur relative"]
table(header, [written(*row) for row in by_rounding], lang="fr")
reveal("pq.two_bits", by_rounding[-1][1])

# %% [markdown]
# À deux bits, c’est l’effondrement. La raison se voit sur une dimension :

# %%
from ragteach.explore import levels_figure
from ragteach.retrieval.pq import pq_train as package_train

values = texts[:, 5]
top = np.abs(values).max()
learnt = np.sort(package_train(values[:, None], 1, 3)[0, :, 0])
levels = {
    "4 bits": np.arange(-7, 8) * top / 7,
    "2 bits": np.array([-1, 0, 1]) * top,
    "3 crans appris": learnt,
}
alt = (
    "Les valeurs se serrent près de zéro. À deux bits, les crans sont aux deux bouts "
    "et à zéro ; les trois crans appris sont en "
) + " ; ".join(number(mark, "fr") for mark in learnt)
show(levels_figure(values, levels, lang="fr"), f"{alt}.")

# %% [markdown]
# Deux des trois crans sont là où il n’y a presque personne. Deux remèdes, donc :
#
# - **apprendre** les crans, par k-means, au lieu de les espacer régulièrement : la ligne du bas ;
# - ne plus coder chaque nombre de son côté : des nombres qui vont ensemble se décrivent ensemble.
#
# La quantification produit fait les deux.

# %% [markdown]
# ## 3. Coder plusieurs nombres ensemble
#
# Prenons des **sous-vecteurs** de deux nombres : des points d’un plan. Posons-y $K$ **mots de code**, par le k-means
# du chapitre 06, mais euclidien : la plus petite distance au carré, et de simples moyennes. Chaque point est remplacé
# par le numéro du mot le plus proche. L’ensemble des mots est un **dictionnaire** (*codebook*).
#
# Faites varier le nombre de mots : combien en faut-il pour que l’erreur passe sous 5 % ? Puis promenez le
# sous-vecteur : où sont les plus grandes erreurs ?

# %%
from ragteach.explore import codebook_explorer

codebook_explorer(lang="fr")

# %% [markdown]
# Huit mots suffisent, de justesse. Ils vont là où sont les points, et laissent vides les coins où il n’y a personne ;
# les plus grandes erreurs sont au bord du nuage, où les points sont rares. Doubler le nombre de mots coûte un bit de
# plus par code.
#
# ### Une autre fausse piste : un seul dictionnaire
#
# Pourquoi ne pas faire de même avec les vecteurs entiers ? 256 mots de 32 nombres, un octet par vecteur :

# %% tags=["nbval-check-output"]
from ragteach.retrieval.pq import pq_encode as package_encode

whole = package_train(texts, 1, 256)
decoded = whole[0][package_encode(texts, whole)[:, 0]]
print("erreur", number(relative_error(decoded), "fr"))
print("rappel", number(recall(to_decoded(decoded)), "fr"))
print("mots de code : 256 pour", len(texts), "vecteurs")

# %% [markdown]
# Tous les vecteurs d’un même mot deviennent indiscernables, sept ou huit à la fois. Il faudrait beaucoup plus de
# mots. Mais avec des codes de 64 bits, ce seraient $2^{64}$ mots : bien plus que de vecteurs où les apprendre, et
# plus qu’aucune machine n’en peut garder.
#
# L’idée de Jégou, Douze et Schmid (2011) : **couper** le vecteur en $M$ morceaux, et donner à chaque morceau son
# propre dictionnaire de 256 mots.


# %% tags=["nbval-check-output"]
def grouped(count):
    return f"{count:_}".replace("_", " ")


M, K = 8, 256
print("mots appris :", M * K)
print("vecteurs que l’on sait décoder :", grouped(K**M))
print("octets par code :", M)

# %% [markdown]
# Deux mille mots courts suffisent à nommer $256^8$ vecteurs : toutes les façons de mettre bout à bout un mot de
# chaque dictionnaire. C’est un **produit** cartésien, d’où le nom. Le voici en petit, sur les points de tout à
# l’heure : deux morceaux d’un seul nombre, quatre mots chacun.

# %%
from ragteach.explore import plane_subvectors, product_figure

plane = plane_subvectors()
alt = (
    "Deux fois quatre mots appris font seize croix, aux croisements de quatre verticales "
    "et de quatre horizontales ; plusieurs sont loin de tout point."
)
show(product_figure(plane, package_train(plane, 2, 4), lang="fr"), alt)

# %% [markdown]
# Huit mots appris, seize vecteurs possibles. C’est aussi le prix : la grille ne sait pas que les deux morceaux vont
# ensemble, et des croix tombent là où il n’y a personne. À nombre de bits égal, moins de morceaux décrivent mieux,
# mais les mots à apprendre se multiplient. En pratique, on garde $K=256$, un octet par morceau, et l’on choisit $M$
# selon les octets dont on dispose.
#
# ### À vous : `pq_train`
#
# Coupez les vecteurs en `n_subspaces` blocs de colonnes qui se suivent (`np.split(vectors, n_subspaces, axis=1)`).
# Pour chaque bloc, un k-means euclidien :
#
# 1. le départ : `n_codes` lignes différentes, tirées sans remise ;
# 2. une vingtaine de tours : chaque sous-vecteur va au mot le plus proche, chaque mot va à la moyenne des siens ; un
#    mot que personne ne choisit reste où il est.
#
# Rendez un tableau de forme `(M, K, d/M)`. Levez `ValueError` si `n_subspaces` est inférieur à 1 ou ne divise pas le
# nombre de dimensions, si `n_codes` n’est pas entre 1 et 256, ou s’il y a moins de vecteurs que de mots. Aucun tirage
# n’est imposé : la vérification regarde si vos mots se sont posés.


# %%
def pq_train(vectors: np.ndarray, n_subspaces: int, n_codes: int, seed: int = 0) -> np.ndarray:
    """Apprendre un dictionnaire de n_codes mots pour chacun des n_subspaces morceaux."""
    raise NotImplementedError


# %%
pq_train = check("pq.train", pq_train)

# %% [markdown]
# Essayons-la sur un vecteur sur dix, avec 16 mots par morceau. Pour les 256 mots de la suite, nous prendrons la
# fonction du paquet : la même, en plus rapide.

# %% tags=["nbval-check-output"]
small = pq_train(texts[::10], 8, 16)
print("forme :", small.shape)
codebooks = package_train(texts, 8, 256)
print("forme :", codebooks.shape)

# %% [markdown]
# ### À vous : `pq_encode`
#
# Pour chaque morceau de chaque vecteur, le numéro du mot le plus proche **dans le dictionnaire de ce morceau**, par
# distance au carré. Rendez un tableau `uint8` de forme `(N, M)`. En cas d’égalité, n’importe lequel des plus proches
# convient. Levez `ValueError` si les vecteurs et les dictionnaires n’ont pas le même nombre de dimensions.


# %%
def pq_encode(vectors: np.ndarray, codebooks: np.ndarray) -> np.ndarray:
    """Rendre les codes des vecteurs : un octet par morceau."""
    raise NotImplementedError


# %%
pq_encode = check("pq.encode", pq_encode)

# %% tags=["nbval-check-output"]
codes = np.asarray(pq_encode(texts, codebooks))
print("codes du vecteur 0 :", codes[0].tolist())
sizes = {
    "float32": index_bytes(*texts.shape),
    "codes": pq_bytes(*codes.shape),
    "dictionnaires": 4 * codebooks.size,
}
table(["quoi", "octets"], [[name, grouped(size)] for name, size in sizes.items()], lang="fr")

# %% [markdown]
# Seize fois moins pour les vecteurs. Mais voyez la dernière ligne : sur un corpus aussi petit, les dictionnaires
# pèsent plus lourd que les codes ! Leur taille ne dépend pas de $N$ : à dix millions de vecteurs, on n’y pense plus.
#
# Décoder, c’est mettre bout à bout les mots que les codes désignent :

# %%
from ragteach.explore import decoded_figure


def decode(codes, codebooks):
    return np.hstack([book[column] for book, column in zip(codebooks, codes.T, strict=True)])


decoded = decode(codes, codebooks)
lines = {"vecteur": texts[0], "décodé": decoded[0]}
alt = (
    "Les 32 nombres du vecteur 0, et ceux que ses huit codes redonnent : l’allure y est, "
    "les détails non. Erreur relative sur tous les vecteurs : "
)
error = number(relative_error(decoded), "fr", 3)
show(decoded_figure(lines, 4, lang="fr"), f"{alt}{error}.")

# %% [markdown]
# ## 4. Mesurer sans décoder
#
# Décoder dix millions de vecteurs à chaque question serait absurde. Or on peut s’en passer. La distance au carré
# entre la question $q$ et un vecteur décodé se coupe en morceaux, d’après Pythagore :
#
# $$\|q-\hat x\|^2=\sum_{m=1}^{M}\|q_m-c_{m,\,code_m(x)}\|^2$$
#
# Et chaque terme n’a que $K$ valeurs possibles ! On les calcule **une fois par question**, dans une **table** de $M$
# lignes et $K$ colonnes. La distance à un vecteur, c’est alors $M$ nombres lus dans la table, et leur somme.
#
# Avancez pas à pas : la question est coupée, la table se remplit, puis les codes d’un vecteur y sont lus. Changez
# ensuite de vecteur.

# %%
from ragteach.explore import look_up_explorer

look_up_explorer(lang="fr")

# %% [markdown]
# Cette distance est dite **asymétrique** (ADC) : le vecteur est codé, la question ne l’est pas. Elle est là, en
# mémoire, toute seule : la coder n’économiserait rien et ajouterait une erreur.
#
# ### À vous : `pq_distances`
#
# Construisez la table, puis lisez-la. Rendez les distances **au carré**, une par vecteur, de la question telle quelle
# aux vecteurs codés. Levez `ValueError` si la question n’a pas la longueur que veulent les dictionnaires, s’il n’y a
# pas `M` codes par vecteur, ou si un code n’est pas entre 0 et `K - 1`. Un conseil : `table[np.arange(M), codes]` a
# la forme `(N, M)`.


# %%
def pq_distances(query: np.ndarray, codes: np.ndarray, codebooks: np.ndarray) -> np.ndarray:
    """Rendre la distance au carré de la question à chaque vecteur codé."""
    raise NotImplementedError


# %%
pq_distances = check("pq.distances", pq_distances)

# %%
predict("pq.eight_bytes")

# %% tags=["nbval-check-output"]
asymmetric = recall(lambda query: pq_distances(query, codes, codebooks))
same = np.allclose(
    pq_distances(text_queries[0], codes, codebooks), to_decoded(decoded)(text_queries[0])
)
print("la table donne les distances aux vecteurs décodés :", same)
coded_queries = decode(package_encode(text_queries, codebooks), codebooks)
found = [nearest(pq_distances(query, codes, codebooks)) for query in coded_queries]
symmetric = float(np.mean(list(map(ann_recall, found, exact))))
print("rappel si l’on code aussi la question :", number(symmetric, "fr"))
reveal("pq.eight_bytes", asymmetric)

# %% [markdown]
# À huit octets par vecteur, l’arrondi à deux bits retrouvait moins de deux voisins sur dix ; PQ en retrouve presque
# huit. Et coder aussi la question coûte, comme prévu, du rappel pour rien.
#
# Combien d’opérations a-t-on évitées ? Comptons, pour une question :

# %% tags=["nbval-check-output"]
rows = []
for n, dims, m in ((len(texts), 32, 8), (10_000_000, 768, 96)):
    counts = [grouped(count) for count in (n, n * dims, 256 * dims, n * m)]
    rows.append([dims, m, *counts])
columns = ["d", "M", "N", "multiplications, exact", "multiplications, table", "nombres lus"]
table(columns, rows, lang="fr")

# %% [markdown]
# La table coûte toujours la même chose, $K\times d$ ; elle n’a d’intérêt que si $N$ est bien plus grand que $K$.
# Ensuite, quatre à huit fois moins d’opérations par vecteur, et seulement des additions. Le plus grand gain est
# souvent ailleurs : la mémoire à parcourir est seize ou trente-deux fois plus petite.

# %% [markdown]
# ## 5. Mémoire, erreur, rappel
#
# Mettons tout sur la même figure : l’arrondi de chaque nombre, et PQ avec de plus en plus de morceaux.

# %% tags=["nbval-check-output"]
from ragteach.retrieval.pq import pq_distances as package_distances

by_pq, kept = [], {}
for m in (2, 4, 8, 16):
    books = codebooks if m == 8 else package_train(texts, m, 256)
    codes = package_encode(texts, books)
    kept[m] = (codes, books)
    measured = recall(lambda query, c=codes, b=books: package_distances(query, c, b))
    by_pq.append((m, measured, relative_error(decode(codes, books))))
table(header, [written(*row) for row in by_pq], lang="fr")

# %%
from ragteach.explore import compression_figure

series = {"chaque nombre arrondi": by_rounding, "PQ": by_pq}
alt = "Rappel et erreur relative selon les octets par vecteur."
for name, points in series.items():
    told = (f"{size} -> {number(r, 'fr')} et {number(e, 'fr', 4)}" for size, r, e in points)
    alt += f" {name} : {', '.join(told)}."
show(compression_figure(series, lang="fr"), alt)

# %% [markdown]
# À mémoire égale, PQ est au-dessus partout où les deux se rencontrent ; plus la mémoire est comptée, plus l’écart est
# grand. Mais à 32 octets, int8 suffit, sans rien apprendre : c’est lui qu’il faut prendre tant que la mémoire le
# permet.
#
# ### Reclasser
#
# Un rappel de 0,8 vous inquiète ? À raison : perdre sans bruit deux voisins sur dix, c’est un défaut de qualité.
# Mais regardez *où* sont passés les voisins manquants : tout près. Demandons à PQ cinquante candidats au lieu de dix,
# et reclassons ces cinquante-là avec leurs vecteurs d’origine, gardés sur disque. C’est l’idée du chapitre 04 :
# chercher large à bas prix, puis trier avec soin.

# %%
predict("pq.rerank")


# %% tags=["nbval-check-output"]
def reranked(query, m, n_candidates):
    candidates = np.sort(nearest(package_distances(query, *kept[m]), n_candidates))
    return candidates[exact_search(texts[candidates], query, 10)].tolist()


rows = []
for n_candidates in (10, 20, 50):
    by_m = []
    for m in (4, 8):
        found = [reranked(query, m, n_candidates) for query in text_queries]
        by_m.append(float(np.mean(list(map(ann_recall, found, exact)))))
    rows.append([n_candidates, *by_m])
table(["candidats", "PQ, M = 4", "PQ, M = 8"], rows, lang="fr")
reveal("pq.rerank", rows[-1][2])

# %% [markdown]
# Huit octets en mémoire vive, cinquante vecteurs lus sur disque par question, et le rappel est revenu. Même quatre
# octets suffisent presque. C’est ainsi que l’on travaille à grande échelle : **des codes pour écarter, des vecteurs
# pour trancher**.

# %% [markdown]
# ## 6. Ce que PQ ne dit pas
#
# Les dictionnaires sont appris sur les données d’un jour. Que se passe-t-il si d’autres arrivent ? Apprenons-les sur
# des vecteurs qui n’ont rien à voir, tirés au hasard, et codons nos textes avec.

# %% tags=["nbval-check-output"]
from ragteach.corpus.vectors import random_vectors

foreign = package_train(random_vectors(2_000, 32)[0].astype(float), 8, 256)
rows = []
for name, books in {"textes": codebooks, "hasard": foreign}.items():
    codes = package_encode(texts, books)
    measured = recall(lambda query, c=codes, b=books: package_distances(query, c, b))
    rows.append([name, relative_error(decode(codes, books)), measured])
table(["dictionnaires appris sur", "erreur relative", "rappel@10"], rows, lang="fr")

# %% [markdown]
# L’erreur a plus que doublé, le rappel a baissé, et **aucun message ne l’a dit** : il y a toujours un mot le plus
# proche. Surveillez donc l’erreur de codage des nouveaux documents, et réapprenez les dictionnaires quand elle monte.
# Il faut alors tout recoder : gardez les vecteurs d’origine, ou de quoi les refaire.
#
# Autre angle mort : deux vecteurs de même code sont à la même distance de toute question. Et les morceaux ne sont pas
# égaux : si quelques dimensions portent presque tout, leur dictionnaire est surchargé et les autres s’ennuient. OPQ
# (Ge et coll., 2013) apprend une rotation qui répartit le travail.

# %% [markdown]
# ## 7. Ce que fait la production
#
# FAISS porte PQ sous le nom d’`IndexPQ` ; deux de ses auteurs ont inventé la méthode. Donnons-lui nos dictionnaires,
# et comparons.

# %%
try:
    import faiss
except ImportError:
    faiss = None
    print(
        "FAISS n’est pas installé. Pour comparer : pip install faiss-cpu, puis relancez ces trois cellules."
    )

# %% tags=["nbval-check-output"]
if faiss is not None:
    vectors, queries = texts.astype(np.float32), text_queries.astype(np.float32)
    theirs = faiss.IndexPQ(32, 8, 8)  # dimensions, morceaux, bits par code
    faiss.copy_array_to_vector(codebooks.astype(np.float32).ravel(), theirs.pq.centroids)
    theirs.is_trained = True
    theirs.add(vectors)
    distances, found = theirs.search(queries, 10)
    ours = [np.sort(package_distances(query, *kept[8]))[:10] for query in text_queries]
    print("mêmes distances :", np.allclose(ours, distances, atol=1e-4))
    stored = faiss.vector_to_array(theirs.codes).reshape(-1, 8)
    print("mêmes codes :", f"{100 * (stored == kept[8][0]).mean():.0f} %")

# %% [markdown]
# Les mêmes codes, les mêmes distances. Pour la production, on combine avec le chapitre 06 : `IndexIVFPQ` range
# d’abord les vecteurs en cellules, puis code ce qui reste une fois le centre ôté (le **résidu**). Le résidu est plus
# petit, donc mieux décrit par 256 mots.

# %% tags=["nbval-check-output"]
from ragteach.retrieval.kmeans import kmeans

if faiss is not None:
    centroids = kmeans(texts, 64)
    residuals = texts - centroids[np.argmax(texts @ centroids.T, axis=1)]
    coarse = faiss.IndexFlatL2(32)
    coarse.add(centroids.astype(np.float32))
    ivfpq = faiss.IndexIVFPQ(coarse, 32, 64, 8, 8)
    books = package_train(residuals, 8, 256).astype(np.float32)
    faiss.copy_array_to_vector(books.ravel(), ivfpq.pq.centroids)
    ivfpq.is_trained = True
    ivfpq.add(vectors)
    rows = [["PQ, sans cellules", asymmetric]]
    for ivfpq.nprobe in (1, 4, 8, 64):
        found = ivfpq.search(queries, 10)[1].tolist()
        mean = float(np.mean(list(map(ann_recall, found, exact))))
        rows.append([f"nprobe = {ivfpq.nprobe}", mean])
    table(["recherche", "rappel@10"], rows, lang="fr")

# %% [markdown]
# Quand toutes les cellules sont visitées, à octets égaux, le résidu fait mieux que PQ seul. Sinon, le rappel est
# borné deux fois : par les cellules que l’on ne visite pas, et par les codes. Là aussi, on reclasse ensuite. (FAISS
# règle le tout par une chaîne de caractères : `index_factory(768, "OPQ96,IVF4096,PQ96,RFlat")`.)
#
# | | ce que c’est | où le trouver | quand |
# |---|---|---|---|
# | demi-précision | 2 octets par nombre | `halfvec` de pgvector, FAISS `SQfp16` | sans y réfléchir : la perte est presque nulle |
# | scalaire, int8 | 1 octet par nombre | Qdrant, Milvus `IVF_SQ8`, FAISS `SQ8` | première vraie compression |
# | produit, PQ | quelques octets par vecteur | FAISS `IVFPQ`, Milvus `IVF_PQ`, Qdrant | des dizaines de millions de vecteurs, avec reclassement |
# | binaire | 1 bit par nombre | `binary_quantize` de pgvector, Qdrant | grandes dimensions seulement, avec reclassement |
# | moins de dimensions | $d/2$ nombres, par exemple | la LSA du chapitre 03 ; des modèles d’embedding faits pour être coupés | se combine avec toutes les autres |
#
# Ce que ces bases font des filtres, des mises à jour et de la mémoire est dans le tableau du chapitre 06.
#
# Mesurez toujours le rappel *après* reclassement, sur vos questions : c’est le seul nombre que vos utilisateurs
# verront.

# %% [markdown]
# ## Bilan
#
# - Dix millions de vecteurs de 768 nombres : **31 Go** en float32, **8 Go** en int8, **1 Go** en PQ à 96 octets.
# - **int8** : un pas par dimension, une erreur d’un demi-pas au plus, presque aucun rappel perdu.
# - Arrondir davantage échoue : les crans réguliers tombent là où il n’y a personne.
# - **PQ** coupe le vecteur en $M$ morceaux, apprend $K$ mots pour chacun, et garde $M$ numéros : $K^M$ vecteurs
#   possibles.
# - La **table** évite de décoder : $K\times d$ multiplications par question, puis $M$ additions par vecteur. La
#   question n’est pas codée.
# - Un **reclassement** des premiers candidats rend presque tout le rappel.
# - Des dictionnaires **vieillissent** sans prévenir : mesurez leur erreur.

# %%
milestones("07_pq", lang="fr")

# %% [markdown]
# Comparez la ligne 07 à la ligne 03, la même LSA sans compression : comprimer semble avoir *amélioré* la recherche !
# N’y croyez pas. Avec une dizaine de morceaux et quatre mots par dictionnaire, les codes sont si grossiers que le
# hasard décide, et sur six questions cela ne prouve rien (chapitre 05). Comprimer un corpus d’une page n’a d’ailleurs
# aucun sens.

# %%
quiz("07_pq")

# %% [markdown]
# ### Les mots à retenir
#
# | français | anglais |
# |---|---|
# | quantification | *quantization* |
# | quantification scalaire | *scalar quantization* |
# | pas, échelle | *step, scale* |
# | quantification produit | *product quantization (PQ)* |
# | sous-vecteur, sous-espace | *subvector, subspace* |
# | mot de code | *codeword* |
# | dictionnaire | *codebook* |
# | coder, décoder | *encode, decode* |
# | table de correspondance | *look-up table* |
# | distance asymétrique | *asymmetric distance (ADC)* |
# | reclasser | *rerank, refine* |
#
# ### Et maintenant
#
# 1. Le carnet `exercises/fr/07_pq.ipynb` : les cinq fonctions et une question écrite, vingt minutes. Recopiez-y les
#    quatre que vous avez écrites ici.
# 2. Le chapitre 08 revient au temps de recherche, avec un graphe.

# %% [markdown]
# ### Sources
#
# - H. Jégou, M. Douze et C. Schmid, « Product Quantization for Nearest Neighbor Search », *IEEE Transactions on
#   Pattern Analysis and Machine Intelligence*, 33(1), 2011 : PQ, la distance asymétrique, IVFPQ.
# - S. Lloyd, « Least squares quantization in PCM », *IEEE Transactions on Information Theory*, 28(2), 1982 : k-means.
# - T. Ge, K. He, Q. Ke et J. Sun, « Optimized Product Quantization for Approximate Nearest Neighbor Search », CVPR
#   2013 : OPQ.
# - R. Guo et coll., « Accelerating Large-Scale Inference with Anisotropic Vector Quantization », ICML 2020 : ScaNN,
#   des dictionnaires appris pour le produit scalaire.
# - J. Johnson, M. Douze et H. Jégou, « Billion-scale similarity search with GPUs », arXiv 1702.08734, 2017 : FAISS,
#   IVF et PQ au milliard de vecteurs.
