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
#     kind: lesson
#     lang: fr
# ---

# %% [markdown]
# # 03. Des vecteurs par TF-IDF et SVD
# **Retrouver un passage par son sens**
#
# Un étudiant arrive au laboratoire : « Mon accu est bombé, que faire ? » La fiche de sécurité répond, mais elle parle
# de *batterie gonflée*. BM25 compare des mots ; ici, presque aucun n’est commun. Il faut comparer autre chose : des
# **sens**.
#
# L’idée qui a tout changé : donner à chaque texte une **position dans un espace**, telle que deux textes qui parlent de
# la même chose soient voisins. Chercher, c’est alors trouver les plus proches voisins. À la fin, vous saurez :
#
# - transformer un texte en vecteur par **TF-IDF**, et comparer deux vecteurs par leur **cosinus** ;
# - démontrer le **théorème 2** : pour des vecteurs de norme 1, le cosinus et la distance classent pareil ;
# - fabriquer des vecteurs de sens par **décomposition en valeurs singulières** (la LSA), et choisir leur nombre de
#   dimensions ;
# - entraîner pour de vrai un petit **bi-encodeur**, avec la perte **InfoNCE** et des négatifs durs ;
# - dire ce que changent un **cross-encodeur** et **ColBERT**, et combien de mémoire tout cela demande.

# %% [markdown]
# ## Votre temps
#
# Comptez **90 minutes** en tout : 60 pour cette leçon, 30 pour le carnet d’exercices. Pour vous arrêter en chemin, la
# fin de la partie 6 est un bon endroit.
#
# | partie | minutes |
# |---|---|
# | 1. D’où nous partons | 4 |
# | 2. Un texte devient un vecteur | 6 |
# | 3. Comparer des directions (à vous) | 6 |
# | 4. Le théorème 2 (à vous) | 6 |
# | 5. Rapprocher les mots : la SVD (à vous, deux fois) | 12 |
# | 6. Sur le corpus du robot | 7 |
# | 7. Une table de synonymes à la main | 3 |
# | 8. Apprendre les vecteurs (à vous) | 8 |
# | 9. Lire ensemble, ou comparer token par token | 3 |
# | 10. La mémoire, la bibliothèque d’en face, le bilan et le quiz | 5 |
#
# **Comment travailler.** Effacez d’abord les résultats enregistrés (*Edit*, *Clear Outputs of All Cells*) : ils
# vendraient la mèche. Exécutez les cellules une à une (`Maj + Entrée`) et répondez aux prédictions *avant* de
# continuer. Les cellules **À vous** attendent votre code ; la suivante le vérifie, et la leçon continue avec une
# version de référence tant qu’il n’est pas juste.

# %%
from ragteach.notebook import begin, check, hint, predict, quiz, reveal

begin("03_lsa", lang="fr", course="1")

# %% [markdown]
# ## 1. D’où nous partons
#
# Voici le tableau du cours, jusqu’ici : les mêmes six questions sur le petit corpus, une ligne par chapitre.

# %% tags=["nbval-check-output"]
from ragteach.explore import curves, milestones, number, show, table

milestones("03_lsa", lang="fr", before=True)

# %% [markdown]
# Six questions font un bon fil rouge, pas une preuve. Pour ce chapitre, prenons tout le corpus du robot : ses documents
# coupés en fenêtres de 40 mots, et ses questions annotées (les pièges mis à part). Chacune a un **genre** ; trois nous
# intéressent : *paraphrase*, *synonyme* et *code exact*.

# %%
from ragteach.corpus import chunk, load, passages_found, relevant_chunks
from ragteach.retrieval.bm25_index import BM25Index
from ragteach.retrieval.chunking import chunk_words
from ragteach.retrieval.text import tokenize

corpus = load("robot", "fr")
chunks = chunk(corpus.documents, chunk_words)
documents = [tokenize(piece.text) for piece in chunks]
questions = [question for question in corpus.questions if not question.is_trap]
kinds = {
    "reformulées": "paraphrase",
    "synonymes": "synonym",
    "codes exacts": "exact-code",
}
print(len(chunks), "morceaux,", len(questions), "questions")

# %% [markdown]
# La mesure : le **rappel@5**, la part des passages annotés que contiennent les cinq premiers morceaux. Nous le
# donnerons pour toutes les questions, puis genre par genre.

# %%
results = {}


def recall_at_5(question, ranking):
    found = passages_found(question, [chunks[i] for i in ranking[:5]])
    return len(found) / len(question.relevant)


def recalls(search, asked):
    """Donner le rappel@5 moyen : toutes les questions, puis chaque genre."""
    values = {question.id: recall_at_5(question, search(question.text)) for question in asked}
    groups = [asked] + [[q for q in asked if q.kind == kind] for kind in kinds.values()]
    return [sum(values[q.id] for q in group) / len(group) for group in groups]


def evaluate(name, search):
    """Ajouter une ligne au tableau : `search(texte)` rend les numéros des morceaux, le meilleur d’abord."""
    results[name] = recalls(search, questions)
    header = ["recherche", "toutes", *kinds]
    table(header, [[name, *values] for name, values in results.items()], lang="fr")


# %% tags=["nbval-check-output"]
def shared_words(text):
    """La façon naïve : compter les mots en commun, tels qu’ils viennent."""
    wanted = set(text.lower().split())
    counts = [len(wanted & set(piece.text.lower().split())) for piece in chunks]
    return sorted((i for i in range(len(chunks)) if counts[i]), key=lambda i: -counts[i])


bm25 = BM25Index(documents)
results["mots bruts"] = recalls(shared_words, questions)
evaluate("BM25", lambda text: bm25.search(tokenize(text), 5))

# %% [markdown]
# BM25 est excellent sur les codes exacts, et faible dès qu’on reformule. Regardons à quel rang il place le premier bon
# morceau, pour quelques questions reformulées :


# %%
def first_rank(question, ranking):
    """Donner le rang du premier morceau qui répond ; « absent » s’il n’y en a pas."""
    right = relevant_chunks(question, chunks)
    places = (place for place, i in enumerate(ranking, start=1) if i in right)
    return next(places, "absent")


reworded = [question for question in questions if question.kind == "paraphrase"][:6]
rows = [[q.text, first_rank(q, bm25.search(tokenize(q.text), len(chunks)))] for q in reworded]
table(["question", "rang"], rows, lang="fr")

# %% [markdown]
# Au-delà du cinquième rang, un passage ne sert à personne : on ne donne au modèle que les premiers.

# %% [markdown]
# ## 2. Un texte devient un vecteur
#
# Donnons un **axe à chaque mot** du vocabulaire. Un texte devient un point : sa coordonnée sur l’axe « batterie » dit
# combien ce mot y compte. Cinq textes minuscules suffiront pour tout voir.

# %%
import numpy as np

from ragteach.explore import chord_figure, grid_figure, plane_figure
from ragteach.retrieval.lsa import tfidf

tiny = [
    "batterie cellule charge".split(),
    "accu cellule charge".split(),
    "accu charge".split(),
    "lidar laser portée".split(),
    "lidar laser".split(),
]
names = [f"texte {i}" for i in range(len(tiny))]
vocabulary, A = tfidf(tiny)
show(
    grid_figure({"TF-IDF": A}, names, vocabulary, lang="fr"),
    "Cinq lignes, une par texte ; sept colonnes, une par mot. Une case est vide (0) quand le texte n’a pas le mot.",
)

# %% [markdown]
# Le poids d’un mot $t$ dans un texte $d$ a deux facteurs, comme dans BM25 : est-il **souvent** dans ce texte, est-il
# **rare** ailleurs ?
#
# $$\text{poids}(t,d)=\underbrace{(1+\ln f_{t,d})}_{\text{souvent ici}}\;\times\;\underbrace{\left(\ln\frac{1+N}{1+n_t}+1\right)}_{\text{rare ailleurs}}$$
#
# où $f_{t,d}$ est le nombre d’occurrences de $t$ dans $d$, $n_t$ (on écrit aussi *df*) le nombre de textes qui
# contiennent $t$, et $N$ le nombre de textes. Un mot absent pèse 0. Enfin, on divise chaque ligne par sa **norme**
# $\|v\|=\sqrt{\sum_i v_i^2}$ : tous les textes, longs ou courts, ont alors un vecteur de longueur 1. La ligne d’un
# texte vide reste à zéro. Les colonnes suivent l’ordre alphabétique du vocabulaire.
#
# Vérifions un nombre du tableau à la main :

# %% tags=["nbval-check-output"]
from math import log, sqrt

N = len(tiny)
once_rare = (1 + log(1)) * (log((1 + N) / (1 + 1)) + 1)  # dans un seul texte
in_two = (1 + log(1)) * (log((1 + N) / (1 + 2)) + 1)  # dans deux
in_three = (1 + log(1)) * (log((1 + N) / (1 + 3)) + 1)  # dans trois
print("à la main :", round(once_rare / sqrt(once_rare**2 + in_two**2 + in_three**2), 4))
print("tfidf     :", round(float(A[0, vocabulary.index("batterie")]), 4))

# %% [markdown]
# Pourquoi ces « + 1 » ? On lit souvent $\ln\frac{N}{1+n_t}$. Essayons sur un mot présent dans **tous** les textes :

# %% tags=["nbval-check-output"]
print("ln(N/(1+n))           :", round(log(N / (1 + N)), 3))
print("ln((1+N)/(1+n)) + 1   :", round(log((1 + N) / (1 + N)) + 1, 3))

# %% [markdown]
# Un poids négatif : partager un mot éloignerait deux textes. Avec la seconde formule, celle de scikit-learn, tout poids
# vaut au moins 1 avant la norme : un mot courant compte peu, mais il compte.

# %% [markdown]
# ## 3. Comparer des directions
#
# Un texte deux fois plus long sur le même sujet a un vecteur plus long, mais **de même direction**. C’est donc l’angle
# qu’on compare, par son cosinus :
#
# $$\cos(u,v)=\frac{u\cdot v}{\|u\|\,\|v\|},\qquad u\cdot v=\sum_i u_i v_i .$$
#
# Il vaut 1 pour deux vecteurs de même direction, 0 pour deux vecteurs perpendiculaires, −1 pour deux opposés. Deux
# pièges attendent qui l’écrit. Le premier : un vecteur nul (un texte sans aucun mot connu). Voyez ce que devient un
# classement avec `nan` :

# %% tags=["nbval-check-output"]
scores = np.array([0.9, 0.0, 0.5]) / np.array([1.0, 1.0, 1.0])
scores[1] = float("nan")  # ce que donne 0/0 dans NumPy
print("classement :", np.argsort(scores)[::-1].tolist())
u = np.array([1.0, 1.0, 1.0])
print("cos(u, u)  :", float(u @ u / (np.linalg.norm(u) * np.linalg.norm(u))))

# %% [markdown]
# Le texte 1, qui ne dit rien, passe **en tête**. On convient donc que le cosinus d’un vecteur nul est 0. La seconde
# ligne montre l’autre piège : les arrondis peuvent faire sortir de [−1, 1], et la racine carrée ou l’arc cosinus qui
# suit ne l’acceptera pas. On ramène dans l’intervalle.
#
# ### À vous : `cosine`


# %%
def cosine(u: np.ndarray, v: np.ndarray) -> float:
    """Donner u·v / (‖u‖ ‖v‖), dans [-1, 1] ; 0.0 si l’un des deux est nul.

    cosine(np.array([1, 0]), np.array([3, 4])) vaut 0.6. Des longueurs différentes : ValueError (u @ v la lève déjà).
    """
    raise NotImplementedError


# %%
cosine = check("lsa.cosine", cosine)

# %%
predict("lsa.synonym")

# %%
pair = ["la batterie est gonflée", "mon accu est bombé"]
_, both = tfidf([tokenize(text) for text in pair] + documents)
reveal("lsa.synonym", number(cosine(both[0], both[1]), "fr"))

# %% [markdown]
# Un mot, un axe : deux synonymes sont perpendiculaires. Le peu qui reste vient de « est », le seul mot commun.
# Cherchons quand même par cosinus sur tout le corpus. Comme chaque ligne est de norme 1, un seul produit donne tous les
# cosinus, à un facteur près, la norme de la question, qui ne change pas le classement. `rank` rend les numéros des plus
# grands.

# %% tags=["nbval-check-output"]
from functools import cache

from ragteach.retrieval.dense import rank
from ragteach.retrieval.lsa import smooth_idfs, tfidf_rows

words, matrix = tfidf(documents)
idfs = smooth_idfs(documents)


@cache  # la même question reviendra souvent
def vector(text):
    """Donner le vecteur d’une question, avec les mots et les idf du corpus."""
    return tfidf_rows([tokenize(text)], idfs)[0]


evaluate("TF-IDF, cosinus", lambda text: rank(matrix @ vector(text), 5))

# %% [markdown]
# Un mot de la question que le corpus n’a pas est simplement laissé de côté : il n’a pas d’axe. Quant au résultat, il
# est proche de celui de BM25. C’est logique : nous comparons toujours les mêmes mots. Il faut **rapprocher les axes**.

# %% [markdown]
# ## 4. Le théorème 2
#
# Avant cela, un résultat dont dépend tout ce qui suit, index compris. Les index vectoriels (chapitres 06 à 08)
# cherchent souvent par **distance**. Nous voulons le cosinus. Faut-il choisir ?

# %%
predict("lsa.distance")

# %% [markdown]
# **Théorème 2.** *Si* $\|u\|=\|v\|=1$, *alors* $\|u-v\|^2 = 2-2\cos(u,v)$. *Chercher le plus grand cosinus, c’est donc
# chercher la plus petite distance.*
#
# **Démonstration.** Développons le carré d’une norme, qui est un produit scalaire :
#
# $$\|u-v\|^2=(u-v)\cdot(u-v)=\|u\|^2-2\,u\cdot v+\|v\|^2 .$$
#
# Comme $\|u\|=\|v\|=1$, les deux carrés font 2, et $u\cdot v$ est le cosinus. Il reste $2-2\cos(u,v)$, qui décroît
# quand le cosinus croît : le classement par distance croissante est le classement par cosinus décroissant.
# $\blacksquare$

# %% [markdown]
# ### À vous : `squared_distance`


# %%
def squared_distance(cos: float) -> float:
    """Donner le carré de la distance de deux vecteurs de norme 1, connaissant leur cosinus.

    squared_distance(0.0) vaut 2.0. Lève ValueError si cos n’est pas entre -1 et 1.
    """
    raise NotImplementedError


# %%
squared_distance = check("lsa.squared_distance", squared_distance)

# %%
reveal("lsa.distance", number(squared_distance(0.5), "fr"))
alt = "Deux vecteurs de norme 1 sur un cercle, à 60 degrés ; la corde qui joint leurs bouts a la longueur 1."
show(chord_figure(0.5, lang="fr"), alt)

# %% [markdown]
# Vérifions-le sur de vrais vecteurs : pour trente questions, classons tous les morceaux par cosinus, puis par distance.

# %% tags=["nbval-check-output"]
same, largest_gap = True, 0.0
for question in questions[:30]:
    query = vector(question.text)
    query = query / np.linalg.norm(query)
    cosines = matrix @ query
    distances = ((matrix - query) ** 2).sum(axis=1)
    largest_gap = max(largest_gap, np.abs(distances - (2 - 2 * cosines)).max())
    # arrondir : sinon deux morceaux à égalité seraient départagés par les erreurs de calcul
    by_cosine = np.argsort(-cosines.round(9), kind="stable")
    by_distance = np.argsort((distances / 2).round(9), kind="stable")
    same = same and np.array_equal(by_cosine, by_distance)
print("même classement pour les trente questions :", same)
print("égalité à 1e-12 près :", bool(largest_gap < 1e-12))

# %% [markdown]
# Deux conséquences. Tout index conçu pour la distance sert aussi au cosinus, **si l’on a donné la norme 1 aux
# vecteurs**. Et la recherche exacte n’est qu’un produit matrice-vecteur, `matrix @ query` : pour un million de vecteurs
# de 768 nombres, un ordinateur portable met de l’ordre d’un dixième de seconde.

# %% [markdown]
# ## 5. Rapprocher les mots : la SVD
#
# Revenons à nos cinq textes. « batterie » et « accu » ne sont jamais ensemble, mais ils ont **la même compagnie** :
# « cellule », « charge ». Un mot se reconnaît à ceux qui l’entourent. Comment une machine pourrait-elle s’en servir ?
#
# En **manquant de place**. Obligeons chaque texte à tenir en deux nombres au lieu de sept. Pour perdre le moins
# possible, il faudra décrire d’un seul nombre ce qui va ensemble. La **décomposition en valeurs singulières** (SVD)
# donne la meilleure façon de le faire :
#
# $$A = U\,S\,V^\top .$$
#
# - les lignes de $V^\top$ sont les **composantes**, des mélanges de mots, perpendiculaires deux à deux et de norme 1 ;
# - $S$ contient les **valeurs singulières**, de la plus grande à la plus petite : l’importance de chaque composante ;
# - $U S = A V$ donne les coordonnées des textes sur ces composantes.
#
# On ne garde que les `dims` premières : c’est la **LSA** (*latent semantic analysis*). Parmi toutes les matrices de ce
# rang, c’est celle qui s’approche le plus de $A$ (théorème d’Eckart et Young, 1936).

# %% [markdown]
# ### À vous : `lsa_fit`
#
# `np.linalg.svd(matrix, full_matrices=False)` rend $U$, $S$ et $V^\top$, dans cet ordre. Gardez les `dims` premières
# composantes et leurs valeurs singulières. Trois précisions :
#
# - un corpus peut avoir moins de dimensions qu’on n’en demande (c’est son *rang*) : quand une valeur singulière
#   n’atteint pas un millionième de la plus grande, ce n’est qu’une erreur d’arrondi ; on ne la rend pas ;
# - le signe d’une composante est arbitraire : la vérification n’en tient pas compte ;
# - on ne retire pas la moyenne des colonnes : la matrice est décomposée telle quelle.


# %%
def lsa_fit(matrix: np.ndarray, dims: int) -> tuple[np.ndarray, np.ndarray]:
    """Donner les composantes, de forme (dims, V), et les valeurs singulières, de forme (dims,).

    Il y en a moins quand le rang de la matrice (N, V) est plus petit. Lève ValueError si dims < 1.
    """
    raise NotImplementedError


# %%
lsa_fit = check("lsa.fit", lsa_fit)

# %% [markdown]
# Que reste-t-il de la matrice en deux dimensions ? On la reconstruit par $A V V^\top$.

# %%
components, singular_values = lsa_fit(A, 2)
rebuilt = A @ components.T @ components
alt = (
    "À droite, la matrice reconstruite : le texte 2, qui ne disait que « accu » et « charge », "
    "a maintenant un peu de « batterie » et de « cellule »."
)
figure = grid_figure({"TF-IDF": A, "en 2 dimensions": rebuilt}, names, vocabulary, lang="fr")
show(figure, alt)

# %% [markdown]
# Regardez la ligne « texte 2 » : il ne disait que « accu » et « charge », et voilà qu’il contient un peu de
# « batterie ». La place manquait, et les deux mots ont été rangés ensemble. Rien n’a bavé, en revanche, vers
# « lidar » : ces mots n’ont aucune compagnie commune.
#
# Un texte n’est plus décrit que par ses coordonnées sur les composantes, ramenées à la norme 1 (théorème 2 oblige). Une
# **question** suit le même chemin : ses mots, les idf du corpus, puis les mêmes composantes.

# %% [markdown]
# ### À vous : `lsa_embed`
#
# Projetez chaque ligne sur les composantes (un produit de matrices, avec la transposée : `vectors @ components.T`),
# puis divisez chaque ligne par sa norme. Une ligne de zéros reste à zéro.


# %%
def lsa_embed(vectors: np.ndarray, components: np.ndarray) -> np.ndarray:
    """Projeter les lignes de vectors, (n, V), sur components, (dims, V) ; lignes de norme 1, forme (n, dims).

    Lève ValueError si les nombres de colonnes diffèrent ; le produit de NumPy le fait déjà.
    """
    raise NotImplementedError


# %%
lsa_embed = check("lsa.embed", lsa_embed)

# %%
places = A @ components.T
query = np.array([[1.0 if word == "accu" else 0.0 for word in vocabulary]])
star = lsa_embed(query, components)[0]
word_places = {word: components[:, column] for column, word in enumerate(vocabulary)}
text_places = dict(zip(names, places, strict=True))
figure = plane_figure(word_places, text_places, "fr", {"question « accu »": star})
alt = (
    "Sur un axe, les textes 0, 1 et 2 avec accu, batterie, cellule et charge ; sur l’autre, "
    "les textes 3 et 4 avec lidar, laser et portée. La question est sur le premier."
)
show(figure, alt)

# %% [markdown]
# Deux sujets, deux axes. La question « accu » pointe vers les trois textes d’énergie, y compris le texte 0, qui ne
# contient pas ce mot. Combien de dimensions faut-il pour cela ? Comptons le cosinus entre la question et le texte 0 :

# %% tags=["nbval-check-output"]
rows = []
for dims in range(1, 6):
    kept, _ = lsa_fit(A, dims)
    value = cosine(lsa_embed(query, kept)[0], lsa_embed(A, kept)[0])
    rows.append([dims, round(value, 6) + 0.0])  # sans le signe d’un zéro arrondi
table(["dimensions", "cos(question, texte 0)"], rows, lang="fr")

# %% [markdown]
# Synonymie **trouvée** tant qu’on manque de place ; **perdue** dès qu’on garde assez de dimensions pour distinguer les
# deux mots. Avec toutes, on retrouve le cosinus TF-IDF, nul. **C’est l’oubli qui fait le rapprochement.**

# %% [markdown]
# ## 6. Sur le corpus du robot
#
# Passons aux vrais documents, avec 50 dimensions.

# %%
predict("lsa.codes")

# %% tags=["nbval-check-output"]
from ragteach.retrieval.dense import dense_search

components, singular_values = lsa_fit(matrix, 50)
embeddings = lsa_embed(matrix, components)


def lsa_search(text, k=5):
    return dense_search(lsa_embed(vector(text)[np.newaxis], components)[0], embeddings, k)


evaluate("LSA, 50 dimensions", lsa_search)

# %%
last = list(kinds).index("codes exacts") + 1
before, after = results["BM25"][last], results["LSA, 50 dimensions"][last]
reveal("lsa.codes", f"BM25 {number(before, 'fr')}, LSA {number(after, 'fr')}")

# %% [markdown]
# Lisez les colonnes une à une. Les questions **reformulées** et les **synonymes** trouvent davantage qu’avec BM25. Les
# **codes exacts** perdent ce que BM25 savait faire. Et la moyenne de toutes les questions n’y gagne rien : un gain d’un
# côté, une perte de l’autre. Voyons lesquelles.

# %%
gained, lost = [], []
for q in [q for q in questions if q.kind in kinds.values()]:
    by_words = bm25.search(tokenize(q.text), len(chunks))
    by_lsa = lsa_search(q.text, len(chunks))
    row = [q.text, first_rank(q, by_words), first_rank(q, by_lsa)]
    found_by_words, found_by_lsa = recall_at_5(q, by_words) > 0, recall_at_5(q, by_lsa) > 0
    if found_by_lsa and not found_by_words:
        gained.append(row)
    if found_by_words and not found_by_lsa:
        lost.append(row)
print("trouvées par la LSA seule :", len(gained))
print("trouvées par BM25 seul :", len(lost))
header = ["question", "rang BM25", "rang LSA"]
table(header, gained[:3] + lost[:3], lang="fr")

# %% [markdown]
# En haut, trois questions que la LSA est seule à servir : la réponse dit la même chose en d’autres mots. En bas, trois
# que BM25 est seul à servir : un code désignait le passage, et l’oubli l’a effacé.

# %%
predict("lsa.dims")

# %%
from ragteach.retrieval.dense import unit_rows

sweep = [2, 5, 10, 20, 50, 100, 150, 200, 250, 300]
all_components, _ = lsa_fit(matrix, max(sweep))
all_places = matrix @ all_components.T


@cache
def place(text):
    """Placer une question dans toutes les dimensions : les premières sont les mêmes pour tout `dims`."""
    return all_components @ vector(text)


def searcher(dims):
    """Chercher avec les `dims` premières dimensions seulement."""
    rows = unit_rows(all_places[:, :dims])
    return lambda text: rank(rows @ place(text)[:dims], 5)


curve = {"toutes": [], **{name: [] for name in kinds}}
for dims in sweep:
    for name, value in zip(curve, recalls(searcher(dims), questions), strict=True):
        curve[name].append(value)


# %%
def in_words(series):
    """Dire les nombres d’une figure, pour qui ne la voit pas."""
    lines = (
        f"{name} : " + " ; ".join(number(v, "fr") for v in values)
        for name, values in series.items()
    )
    return ". ".join(lines) + "."


figure = curves(sweep, curve, "dimensions", "rappel@5", lang="fr")
show(figure, f"Rappel@5 pour {' ; '.join(map(str, sweep))} dimensions. {in_words(curve)}")

# %%
name = "reformulées"
best = sweep[int(np.argmax(curve[name]))]
reveal("lsa.dims", f"{best} dimensions")

# %% [markdown]
# Avec deux dimensions, tout se confond. Puis les questions reformulées montent, culminent, et **redescendent** : à 300
# dimensions, il n’y a presque plus d’oubli, et la LSA redevient une recherche par mots. Les codes, eux, réclament des
# dimensions. Sur l’ensemble, la courbe est presque plate à partir de 50. Chaque genre de question a son optimum : il
# n’y a pas de « bon » nombre, il y a celui que l’on a mesuré sur *ses* questions. Une réserve : choisir ce nombre sur
# les questions mêmes qui jugent la recherche, c’est se flatter. La partie 8 séparera celles qui règlent de celles qui
# jugent.
#
# Ailleurs, même constat. Sur Cranfield (1 400 résumés d’aéronautique), la LSA passe derrière BM25 avec 100 dimensions
# et devant avec 300 ; sur les questions françaises de PIAF, elle reste derrière. (Ces collections ne sont pas fournies
# avec le cours.)

# %% [markdown]
# ### Manipulez : la carte du corpus
#
# Chaque point est un morceau, placé sur deux des dimensions ; les mots les plus éloignés du centre sont écrits à leur
# place. L’étoile est la direction de votre question. La liste donne les cinq plus proches, comptés dans **toutes** les
# dimensions gardées. (La dimension 1 dit surtout « est-ce du français ordinaire » : commencez par la 2 et la 3.)
# Essayez, dans l’ordre :
#
# 1. d’autres axes : quels mots se rassemblent aux extrémités ?
# 2. 2 dimensions, puis 20, puis 200 : la liste change-t-elle de sujet ?
# 3. une question à vous, avec un mot que le corpus n’a pas.

# %%
from ragteach.explore import lsa_map

lsa_map(lang="fr")

# %% [markdown]
# La question de notre étudiant n’a donc pas encore sa réponse. On parle bien d’accus dans cette liste, mais pas de
# celui qui est bombé : « que faire » attire toute la FAQ, et un mot rare comme « bombé » pèse peu dans les grandes
# directions du corpus. Gardez-la en tête.

# %% [markdown]
# ## 7. Une table de synonymes à la main
#
# Et si l’on écrivait simplement que « accu » veut dire « batterie » ? C’est la plus vieille des solutions : un
# dictionnaire appliqué aux documents **et** aux questions. Le cours en fournit un, tiré du glossaire du laboratoire.

# %% tags=["nbval-check-output"]
from ragteach.corpus.synonyms import SYNONYMS

synonyms = SYNONYMS["fr"]


def same_words(text):
    return [synonyms.get(token, token) for token in tokenize(text)]


print(same_words("mon accu est bombé"))
by_hand = BM25Index([same_words(piece.text) for piece in chunks])
evaluate("BM25 + synonymes", lambda text: by_hand.search(same_words(text), 5))

# %% [markdown]
# La table aide les reformulations et les synonymes, et ne coûte presque rien aux codes. L’essayer **avec** la LSA tient
# en une ligne : la classe `LSAIndex` du paquet assemble `tfidf`, `lsa_fit` et `lsa_embed`.

# %% tags=["nbval-check-output"]
from ragteach.retrieval.lsa_index import LSAIndex

both_ways = LSAIndex([same_words(piece.text) for piece in chunks], dims=50)
evaluate("LSA + synonymes", lambda text: both_ways.search(same_words(text), 5))

# %%
student = "mon accu est bombé, que faire ?"
rows = [[chunks[i].source, chunks[i].text] for i in both_ways.search(same_words(student), 3)]
table(["document", "les trois premiers morceaux pour " + student], rows, lang="fr")

# %% [markdown]
# L’étudiant a sa réponse. Sur les reformulations et les synonymes, les deux méthodes se complètent : la table dit ce
# que le corpus ne dit pas, la LSA trouve le reste. Les codes restent derrière BM25. Et une table a ses limites : il
# faut quelqu’un pour l’écrire et la tenir à jour, et elle ne lit pas le contexte. La nôtre change « circuit » en
# « fusible », même dans « circuit imprimé ».

# %% [markdown]
# ## 8. Apprendre les vecteurs
#
# La LSA ne sait que ce qui se côtoie. Elle n’a jamais vu une **question** et sa **réponse**. Un **bi-encodeur**, si :
# on lui montre des couples, et on règle ses nombres pour que la question tombe près de son passage. L’encodeur passe
# sur chaque texte **séparément** : les passages sont encodés une fois pour toutes, et la recherche reste celle du plus
# proche voisin. C’est l’architecture de DPR (2020) et de tous les modèles d’*embeddings* d’aujourd’hui ; leur encodeur
# est un transformeur, le nôtre sera une simple matrice.
#
# Que veut-on minimiser ? Pour une question, $s^+$ est le score de son passage, et les autres scores sont ceux des
# **négatifs**. La perte **InfoNCE** :
#
# $$L=-\ln\frac{e^{s^+/\tau}}{\sum_{s} e^{s/\tau}},$$
#
# où la somme porte sur **tous** les scores, celui du bon passage compris. Le quotient est une probabilité : celle de
# désigner le bon passage si l’on tirait au sort selon les scores. La **température** $\tau$, petite (0,05), grossit les
# écarts.
#
# Un piège numérique : $e^{s/\tau}$ déborde dès que $s/\tau$ dépasse 709. Or retrancher une constante de tous les scores
# ne change pas le quotient. Retranchons le plus grand, et la plus grande exponentielle vaut 1. Avec $z=s/\tau$ moins
# leur maximum, la perte s’écrit $\ln\sum e^{z}-z^+$.

# %% [markdown]
# ### À vous : `info_nce`


# %%
def info_nce(scores: list[float], positive: int, temperature: float = 0.05) -> float:
    """Donner la perte d’une question : scores[positive] est celui du bon passage.

    info_nce([2.0, 1.0], 0, 1.0) vaut environ 0,313. Lève ValueError si temperature n’est pas positive,
    ou si positive n’est pas entre 0 et len(scores) - 1.
    """
    raise NotImplementedError


# %%
info_nce = check("lsa.info_nce", info_nce)

# %% [markdown]
# ### Des négatifs durs
#
# Quels négatifs montrer ? La moitié des questions servira à l’entraînement, l’autre moitié à la mesure. Pour chaque
# question, comparons la perte avec quatre morceaux tirés au hasard, puis avec quatre morceaux que BM25 met en tête **à
# tort**.

# %% tags=["nbval-check-output"]
train = [question for question in questions if question.split == "dev"]
held_out = [question for question in questions if question.split == "held-out"]
print(len(train), "questions pour apprendre,", len(held_out), "pour juger")
right = {question.id: sorted(relevant_chunks(question, chunks)) for question in train}
hard = {}
for question in train:
    ranking = bm25.search(tokenize(question.text), 40)
    hard[question.id] = [i for i in ranking if i not in right[question.id]][:4]
rng = np.random.default_rng(0)
drawn = {
    q.id: [i for i in rng.permutation(len(chunks)) if i not in right[q.id]][:4] for q in train
}
for name, negatives in (("au hasard", drawn), ("durs", hard)):
    losses = []
    for q in train:
        query = lsa_embed(vector(q.text)[np.newaxis], components)[0]
        losses.append(info_nce(embeddings[[right[q.id][0], *negatives[q.id]]] @ query, 0))
    print(f"perte moyenne, négatifs {name} : {number(float(np.mean(losses)), 'fr', 1)}")

# %% [markdown]
# Des négatifs au hasard parlent d’autre chose : ils sont déjà loin, leur perte est petite, et une perte petite
# n’apprend rien. Les négatifs **durs** partagent les mots de la question sans y répondre. C’est ce que le modèle doit
# apprendre à voir.

# %% [markdown]
# ### Un pas de gradient
#
# L’encodeur est une matrice $W$ de forme (V, dims) : le vecteur d’un texte est $xW$, ramené à la norme 1. Nous partons
# de la LSA ($W=V$). Chaque question est comparée d’un coup à tous les candidats : les bons passages des autres
# questions et tous les négatifs durs. Le gradient de la perte par rapport aux scores est simplement « probabilité moins
# vérité » ; le reste est la règle de la chaîne, que vous pouvez lire en diagonale : rien de ce qui suit n’en demande le
# détail.

# %%
pairs = [(question, i) for question in train for i in right[question.id]]
candidates = sorted(
    {i for _, i in pairs} | {i for negatives in hard.values() for i in negatives}
)
asked = np.array([vector(question.text) for question, _ in pairs])
passages = matrix[candidates]
answer = np.array([candidates.index(i) for _, i in pairs])
# ni bon passage, ni négatif : les autres bons passages de la même question
ignored = np.array([[j in right[q.id] and j != i for j in candidates] for q, i in pairs])
print(len(pairs), "couples,", len(candidates), "candidats")


def unit(rows):
    norms = np.linalg.norm(rows, axis=1, keepdims=True)
    return rows / np.where(norms > 0, norms, 1), np.where(norms > 0, norms, 1)


# %%
def step(W, rate=0.1, temperature=0.05):
    """Donner la perte moyenne, et la matrice après un pas de descente de gradient."""
    q, q_norms = unit(asked @ W)
    d, d_norms = unit(passages @ W)
    z = np.where(ignored, -np.inf, q @ d.T / temperature)
    z -= z.max(axis=1, keepdims=True)
    probability = np.exp(z)
    probability /= probability.sum(axis=1, keepdims=True)
    each = np.arange(len(pairs))
    loss = -np.log(probability[each, answer]).mean()
    by_score = probability.copy()
    by_score[each, answer] -= 1  # probabilité moins vérité
    by_score /= len(pairs) * temperature
    by_q, by_d = by_score @ d, by_score.T @ q
    # la norme 1 : seul compte ce qui tourne le vecteur
    by_q = (by_q - (by_q * q).sum(axis=1, keepdims=True) * q) / q_norms
    by_d = (by_d - (by_d * d).sum(axis=1, keepdims=True) * d) / d_norms
    return float(loss), W - rate * (asked.T @ by_q + passages.T @ by_d)


# %% tags=["nbval-check-output"]
loss, _ = step(components.T)
q, _ = unit(asked @ components.T)
d, _ = unit(passages @ components.T)
kept = ~ignored
by_hand = [
    info_nce((q[i] @ d.T)[kept[i]], int(kept[i, : answer[i]].sum())) for i in range(len(pairs))
]
print("la même perte que votre info_nce :", bool(abs(loss - np.mean(by_hand)) < 1e-9))

# %%
predict("lsa.training")


# %%
def encoder_search(W):
    encoded, _ = unit(matrix @ W)
    return lambda text: rank(encoded @ (vector(text) @ W), 5)


W, steps = components.T, list(range(21))
losses, seen, unseen = [], [], []
for number_of_steps in steps:
    if number_of_steps % 5 == 0:
        seen.append(recalls(encoder_search(W), train)[0])
        unseen.append(recalls(encoder_search(W), held_out)[0])
    loss, W = step(W)
    losses.append(loss)
alt = f"La perte part de {number(losses[0], 'fr')} et finit à {number(losses[-1], 'fr')}."
show(curves(steps, {"InfoNCE": losses}, "pas", "perte", lang="fr"), alt)

# %%
series = {"questions apprises": seen, "jamais vues": unseen}
figure = curves(steps[::5], series, "pas", "rappel@5", lang="fr")
show(figure, in_words(series))
gains = [number(values[-1] - values[0], "fr") for values in (seen, unseen)]
reveal("lsa.training", f"+{gains[0]} sur les questions apprises, +{gains[1]} sur les autres")

# %% tags=["nbval-check-output"]
print("la perte est divisée par plus de 10 :", losses[-1] < losses[0] / 10)
print("le rappel monte sur les questions jamais vues :", unseen[-1] > unseen[0])

# %% [markdown]
# Le rappel sur les questions apprises frôle 1 : l’encodeur les sait **par cœur**. Sur les questions jamais vues, il
# monte moins, mais il monte, et presque tout vient des premiers pas : continuer n’apporte plus grand-chose. Comparons,
# sur ces seules questions jamais vues :

# %% tags=["nbval-check-output"]
searches = {
    "BM25": lambda text: bm25.search(tokenize(text), 5),
    "LSA": lsa_search,
    "encodeur appris": encoder_search(W),
}
rows = [[name, *recalls(search, held_out)] for name, search in searches.items()]
table(["questions jamais vues", "toutes", *kinds], rows, lang="fr")

# %% [markdown]
# Sur l’ensemble, l’encodeur appris passe devant les deux autres ; les codes exacts restent le domaine de BM25. Deux
# mises en garde. D’abord, soixante questions ne font pas une preuve : le chapitre 05 dira ce que vaut un tel écart.
# Ensuite, notre encodeur additionne des mots : « le robot suit l’étudiant » et « l’étudiant suit le robot » ont pour
# lui le même vecteur. Les vrais encodeurs lisent la phrase dans l’ordre, et apprennent de centaines de millions de
# couples ; la perte, elle, est celle que vous venez d’écrire.

# %% [markdown]
# ## 9. Lire ensemble, ou comparer token par token
#
# Un bi-encodeur résume tout un passage en un vecteur, sans connaître la question. Deux façons d’en savoir plus, à un
# prix :
#
# | | bi-encodeur | interaction tardive (ColBERT) | cross-encodeur |
# |---|---|---|---|
# | encode | question et passage séparément | séparément, un vecteur par token | question et passage **ensemble**, par couple |
# | calculé d’avance | les vecteurs des passages | ceux de tous leurs tokens | rien |
# | au moment de la question | un plus proche voisin | des plus proches voisins, puis MaxSim | un passage du modèle **par candidat** |
# | précision | bonne | meilleure | la meilleure |
# | rôle | première étape, sur tout le corpus | première étape, ou reclassement | reclassement de quelques dizaines |
#
# Le **cross-encodeur** aura son chapitre (04). **ColBERT** (Khattab et Zaharia, 2020) garde un vecteur par token.
# Chaque vecteur de la question cherche son meilleur partenaire dans le passage, et l’on additionne ces meilleurs
# produits scalaires :
#
# $$\text{MaxSim}(q,d)=\sum_{i}\;\max_{j}\; q_i\cdot d_j .$$
#
# Un maximum par ligne, puis la somme. Voici le tableau des produits scalaires entre les mots d’une question et ceux
# d’un passage, avec pour vecteurs de mots ceux de notre LSA (l’encodeur d’un vrai ColBERT lit la phrase entière) :

# %% tags=["nbval-check-output"]
from ragteach.retrieval.dense import maxsim

column = {word: i for i, word in enumerate(words)}
word_vectors, _ = unit((components * singular_values[:, np.newaxis]).T)
asked_words = "accu bombé".split()
passage_words = "batterie gonflée retirée service".split()
q, d = (word_vectors[[column[word] for word in side]] for side in (asked_words, passage_words))
alt = "Une ligne par mot de la question ; le meilleur produit de chaque ligne est encadré."
show(grid_figure({"MaxSim": q @ d.T}, asked_words, passage_words, lang="fr", boxed=True), alt)
print("MaxSim =", number(maxsim(q, d), "fr"))

# %% [markdown]
# Un passage long n’est pas puni pour ses autres mots, et l’on voit **quel** mot a répondu à quel mot. Le prix : autant
# de vecteurs que de tokens.

# %% [markdown]
# ## 10. La mémoire
#
# Un index dense, c’est un tableau de nombres : $n$ vecteurs × `dims` nombres × octets par nombre (4 pour un float32).
# Faisons les comptes :

# %% tags=["nbval-check-output"]
from ragteach.retrieval.dense import index_bytes

cases = [
    ("notre corpus, LSA 50", len(chunks), 50, 4),
    ("10⁶ morceaux, 1024 dimensions", 10**6, 1024, 4),
    ("10⁷ morceaux, 768 dimensions", 10**7, 768, 4),
    ("les mêmes en int8", 10**7, 768, 1),
    ("ColBERT : 10⁶ morceaux de 300 tokens, 128 dimensions, 2 octets", 300 * 10**6, 128, 2),
]
rows = [[name, index_bytes(n, dims, size) / 1e9] for name, n, dims, size in cases]
rows[0][1] = number(rows[0][1] * 1000, "fr") + " Mo"
table(["index", "Go"], rows, lang="fr")

# %% [markdown]
# Dix millions de vecteurs de 768 nombres : 31 Go, qui doivent tenir en mémoire vive. En int8, 8 Go. Le chapitre 07
# descendra à 1 Go. Mais l’écrasante majorité des projets tient en quelques dizaines de mégaoctets, et se cherche de
# façon **exacte** : c’est l’exercice rédigé du carnet.

# %% [markdown]
# ### Et en production ?
#
# scikit-learn a les mêmes briques. Comparons-les aux nôtres, sur le corpus du robot :

# %% tags=["nbval-check-output"]
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer

vectorizer = TfidfVectorizer(
    sublinear_tf=True, tokenizer=tokenize, token_pattern=None, lowercase=False
)
theirs = vectorizer.fit_transform([piece.text for piece in chunks])
print("même vocabulaire :", vectorizer.get_feature_names_out().tolist() == words)
print("mêmes vecteurs, à 1e-9 près :", bool(np.abs(theirs.toarray() - matrix).max() < 1e-9))

svd = TruncatedSVD(50, algorithm="arpack", random_state=0).fit(theirs)
print(
    "mêmes valeurs singulières :",
    bool(np.allclose(svd.singular_values_, singular_values, rtol=1e-6)),
)
alike = np.abs((svd.components_ * components).sum(axis=1))
print("mêmes composantes, au signe près :", bool(alike.min() > 0.999))

# %% [markdown]
# Trois différences à connaître :
#
# - l’analyseur **par défaut** de scikit-learn jette les mots d’une lettre : « 3,8 V », « 5 A » et « à » n’existent
#   plus. Nous lui avons donné notre `tokenize` ;
# - la SVD **par défaut** y est approchée (*randomized*) : rapide sur une grande matrice creuse, mais `fit_transform` et
#   `transform` peuvent différer un peu. Nous projetons toujours documents et questions de la même façon ;
# - plus de dimensions que de mots : scikit-learn lève une erreur, nous rendons ce qui existe.
#
# Un modèle entraîné s’emploie comme notre LSA, `encode` à la place de `lsa_embed`. Avec la bibliothèque
# `sentence-transformers` (`pip install sentence-transformers`, puis un téléchargement de modèle) :
#
# ```python
# model = SentenceTransformer("all-MiniLM-L6-v2")      # 384 dimensions, surtout anglais
# embeddings = model.encode(texts, normalize_embeddings=True)
# ranking = dense_search(model.encode(question), embeddings, 5)
# ```
#
# Trois conseils : prenez un modèle qui connaît votre **langue** (e5, bge-m3 pour le français ; multilingues, ils
# retrouvent même un passage écrit dans une autre langue que la question) ; respectez les
# **préfixes** qu’il demande (`query: `, `passage: ` pour e5) ; notez son nom dans la version de votre index, car
# changer de modèle oblige à tout réencoder.

# %% [markdown]
# ## Bilan

# %% tags=["nbval-check-output"]
milestones("03_lsa", lang="fr")

# %% [markdown]
# Sur les six questions du fil rouge, la LSA seule fait **moins bien** que BM25 : une poignée de morceaux ne suffit pas
# pour apprendre qui ressemble à qui. Mais elle se trompe *autrement*, et le chapitre 04 en profitera. À retenir :
#
# - Un texte devient un **vecteur** ; on compare des **directions**, par le cosinus.
# - Le **théorème 2** : à la norme 1, $\|u-v\|^2=2-2\cos$ ; cosinus et distance classent pareil.
# - La **LSA** oublie les petites dimensions : c’est l’oubli qui rapproche « accu » de « batterie ». Le nombre de
#   dimensions se **mesure**.
# - Elle voit mieux les reformulations que BM25, et moins bien les codes : au chapitre 04, on garde les deux.
# - Une **table de synonymes** est précise et doit être entretenue à la main.
# - Un **bi-encodeur** apprend de couples (question, passage), par InfoNCE et des **négatifs durs** ; on le juge sur des
#   questions **jamais vues**.
# - **Cross-encodeur** : précis, rien d’avance. **ColBERT** : un vecteur par token, MaxSim. Mémoire : $n$ × `dims` ×
#   octets.

# %%
quiz("03_lsa")

# %% [markdown]
# ### Les mots à retenir
#
# | français | anglais |
# |---|---|
# | plongement (vecteur d’un texte) | *embedding* |
# | espace vectoriel | *vector space* |
# | produit scalaire, norme | *inner product (dot product), norm* |
# | décomposition en valeurs singulières (SVD) | *singular value decomposition* |
# | analyse sémantique latente (LSA) | *latent semantic analysis* |
# | bi-encodeur, cross-encodeur | *bi-encoder, cross-encoder* |
# | négatif dur | *hard negative* |
# | perte contrastive, température | *contrastive loss, temperature* |
# | interaction tardive | *late interaction* |
# | recherche dense | *dense retrieval* |
#
# ### Et maintenant
#
# 1. Le carnet `exercises/fr/03_lsa.ipynb` : les neuf fonctions du chapitre et un exercice rédigé. Recopiez-y les cinq
#    que vous avez écrites ici.
# 2. Le chapitre 04, qui marie BM25 et les vecteurs, puis reclasse.

# %% [markdown]
# ### Sources
#
# - C. Eckart et G. Young, « The approximation of one matrix by another of lower rank », *Psychometrika*, 1(3), 1936.
# - G. Salton, A. Wong et C. S. Yang, « A vector space model for automatic indexing », *Communications of the ACM*,
#   18(11), 1975.
# - S. Deerwester et coll., « Indexing by latent semantic analysis », *Journal of the American Society for Information
#   Science*, 41(6), 1990.
# - A. van den Oord, Y. Li et O. Vinyals, « Representation learning with contrastive predictive coding », arXiv
#   1807.03748, 2018 : InfoNCE.
# - V. Karpukhin et coll., « Dense passage retrieval for open-domain question answering », EMNLP 2020 : le bi-encodeur
#   et ses négatifs durs.
# - O. Khattab et M. Zaharia, « ColBERT: Efficient and effective passage search via contextualized late interaction over
#   BERT », SIGIR 2020.
# - N. Reimers et I. Gurevych, « Sentence-BERT: Sentence embeddings using Siamese BERT-networks », EMNLP 2019.
# - scikit-learn, documentation de `TfidfVectorizer` et de `TruncatedSVD`.
