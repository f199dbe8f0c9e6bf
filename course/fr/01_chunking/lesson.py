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
#     chapter: 01_chunking
#     course: '1'
#     kind: lesson
#     lang: fr
# ---

# %% [markdown]
# # 01. Découper les documents
# **Ce que l’on coupe mal, personne ne le retrouve**
#
# Au labo de robotique, quelqu’un demande : « Combien coûte une roue ? » Le prix est dans la liste des pièces. Le
# système répond pourtant « je ne trouve pas ». Ni la recherche ni le modèle ne sont en cause : la table avait été coupée
# entre son en-tête et ses lignes, et plus rien ne disait quel nombre était un prix.
#
# Un moteur de recherche ne rend pas des documents, il rend des **morceaux** (*chunks*). Leur découpage décide de ce qui
# peut être trouvé. À la fin de ce chapitre, vous saurez :
#
# - découper un texte de six façons, et dire quand chacune convient ;
# - compter les morceaux d’avance, et ce qu’ils coûtent en tokens ;
# - réparer une table, et rendre à un morceau le contexte qui lui donne son sens ;
# - **mesurer** un découpage au lieu de le choisir par habitude ;
# - reconnaître la *dérive de découpage*, une panne qui ne dit pas son nom.

# %% [markdown]
# ## Votre temps
#
# Comptez **90 minutes** en tout : 65 pour cette leçon, 25 pour les trois nouvelles fonctions du carnet d’exercices (les
# cinq autres s’écrivent ici). La question écrite du carnet, si votre enseignant la demande, en prend dix de plus.
#
# | partie | minutes |
# |---|---|
# | 1. D’où nous partons | 4 |
# | 2. Des fenêtres de mots (à vous, deux fois) | 11 |
# | 3. Avant de découper : lire, nettoyer, étiqueter | 5 |
# | 4. Des phrases entières (à vous) | 9 |
# | 5. Suivre la structure, ou le sujet (à vous) | 9 |
# | 6. Rendre son contexte à un morceau (à vous) | 7 |
# | 7. La table que le découpage détruit | 4 |
# | 8. Mesurer, puis choisir | 8 |
# | 9. La dérive | 3 |
# | 10. Bilan et quiz | 5 |
#
# **Comment travailler.** Effacez d’abord les résultats enregistrés (*Edit*, *Clear Outputs of All Cells*) : ils
# vendraient la mèche. Exécutez les cellules une à une (`Maj + Entrée`). Quand on vous demande une prédiction,
# répondez *avant* de continuer. Les cellules **À vous** attendent votre code. La suivante le vérifie ; s’il n’est pas
# encore juste, la leçon continue avec une version de référence. Vous ne serez donc jamais bloqué.

# %%
from ragteach.notebook import begin, check, hint, predict, quiz, reveal

begin("01_chunking", lang="fr", course="1")

# %% [markdown]
# ## 1. D’où nous partons
#
# Voici la version naïve sur six questions : des fenêtres de 40 mots, et l’on compte les mots bruts que la question et le
# morceau ont en commun. Chaque chapitre ajoutera une ligne à ce tableau.

# %% tags=["nbval-check-output"]
from ragteach.explore import milestones

milestones("01_chunking", lang="fr", before=True)

# %% [markdown]
# Le **rappel@3** (*recall@3*) dit quelle part des passages attendus se trouve dans les trois premiers morceaux. Le MRR
# et le nDCG récompensent les bons morceaux placés haut ; le chapitre 05 les construit. Ici, un chiffre suffit : le
# rappel. Si le bon passage n’est pas dans ce qu’on donne au modèle, il ne peut pas répondre.
#
# Regardons ces fenêtres sur le premier des trois petits documents, le manuel du robot.

# %%
from ragteach.corpus import chunk, load
from ragteach.explore import curves, lanes_figure, number, show, show_chunks, table

short_manual = load("mini", "fr").documents[0]


def naive(text):
    """Couper tous les 40 mots, sans rien regarder."""
    words = text.split()
    return [" ".join(words[start : start + 40]) for start in range(0, len(words), 40)]


show_chunks(short_manual, chunk([short_manual], naive), lang="fr")

# %% [markdown]
# Cherchez les frontières `[1]` et `[2]` : les deux tombent au milieu d’une phrase. Le fusible est dans un morceau, et ses
# 5 A dans le suivant ; aucun des deux ne répond tout seul.
#
# Tout le chapitre tient dans ce **compromis** :
#
# | | morceau trop petit | morceau trop grand |
# |---|---|---|
# | ce qu’on y gagne | une correspondance précise | du contexte |
# | ce qu’on y perd | la phrase qui lui donnait son sens : « *il* tourne », qui, il ? | l’idée est diluée, et chaque token se paie |

# %% [markdown]
# ## 2. Des fenêtres de mots
#
# Premier remède : faire se **recouvrir** les fenêtres. Une phrase coupée par une frontière est alors entière dans la
# fenêtre d’à côté, si elle n’est pas trop longue. On prend souvent 10 à 20 % de la taille.

# %%
predict("chunking.windows")


# %% [markdown]
# Une première écriture, celle qu’on trouve partout : avancer de 30 mots *tant qu’il en reste*.


# %%
def first_try(text, size=40, overlap=10):
    words, chunks, start = text.split(), [], 0
    while start < len(words):
        chunks.append(" ".join(words[start : start + size]))
        start += size - overlap
    return chunks


hundred = " ".join(str(i) for i in range(1, 101))
ranges = [(int(piece.split()[0]) - 1, int(piece.split()[-1])) for piece in first_try(hundred)]
show(
    lanes_figure(ranges, lang="fr"),
    f"Quatre barres, du mot de départ au mot de fin : {ranges}. La dernière est sous la troisième.",
)

# %% [markdown]
# La dernière fenêtre est tout entière dans la précédente. Elle n’apporte rien, prend de la place dans l’index, et
# donnera un jour deux fois le même passage au modèle. La bonne règle d’arrêt : **s’arrêter dès qu’une fenêtre atteint la
# fin**.
#
# Deuxième piège, plus méchant : que fait `first_try` si `overlap` égale `size` ? Elle avance de zéro mot, pour toujours.
# Des bibliothèques connues ont eu cette panne. Refusez l’argument.
#
# ### À vous : `chunk_words`


# %%
def chunk_words(text: str, size: int = 40, overlap: int = 10) -> list[str]:
    """Couper un texte en fenêtres de size mots, dont overlap communs avec la précédente.

    chunk_words("1 2 3 4 5 6 7", 3, 1) -> ["1 2 3", "3 4 5", "5 6 7"] ; un texte blanc -> [].
    Les mots sont ceux de text.split(), joints par une espace. La dernière fenêtre peut être plus courte ;
    aucune n’est tout entière dans la précédente. Lève ValueError si size < 1, ou si overlap n’est pas
    entre 0 et size - 1.
    """
    raise NotImplementedError


# %%
chunk_words = check("chunking.words", chunk_words)

# %%
reveal("chunking.windows", len(chunk_words(hundred, 40, 10)))

# %% [markdown]
# ### Combien de morceaux ?
#
# Notons $T$ le nombre de mots, $c$ la taille d’une fenêtre et $o$ le recouvrement. La première fenêtre couvre $c$ mots ;
# chacune des suivantes en apporte $c-o$ nouveaux. Avec $n$ fenêtres, on couvre $c+(n-1)(c-o)$ mots, soit
# $n(c-o)+o$. Il en faut assez pour atteindre $T$ :
#
# $$n(c-o)+o\ge T\quad\Longleftrightarrow\quad n\ge\frac{T-o}{c-o},\qquad\text{donc}\qquad
# n=\left\lceil\frac{T-o}{c-o}\right\rceil.$$
#
# Les crochets $\lceil\;\rceil$ arrondissent **vers le haut** : une fenêtre entamée compte pour une. La formule vaut pour
# $T>c$. Un texte plus court fait un morceau, et un texte vide n’en fait aucun.
#
# ### À vous : `chunk_count`


# %%
def chunk_count(n_tokens: int, size: int, overlap: int) -> int:
    """Donner le nombre de fenêtres : ceil((T - o) / (c - o)), 1 si 0 < T <= c, et 0 si T = 0.

    chunk_count(100, 40, 10) -> 3. Lève ValueError si n_tokens < 0, si size < 1, ou si overlap n’est pas
    entre 0 et size - 1.
    """
    raise NotImplementedError


# %%
chunk_count = check("chunking.count", chunk_count)

# %% [markdown]
# Un corpus de dix mille pages fait environ cinq millions de tokens. Combien de morceaux de 400 tokens, et combien de
# texte dans l’index, selon le recouvrement ?

# %% tags=["nbval-check-output"]
rows = []
for overlap in (0, 50, 100, 200, 300):
    n = chunk_count(5_000_000, 400, overlap)
    growth = (5_000_000 + (n - 1) * overlap) / 5_000_000
    rows.append([number(overlap / 4, "fr", 1), n, growth])
table(["recouvrement, en %", "morceaux", "texte indexé, en fois le corpus"], rows, lang="fr")

# %% [markdown]
# À 50 tokens, l’index grossit à peine. À 300, il contient quatre fois le corpus, et la recherche rend quatre fois la même
# chose. D’où la règle des 10 à 20 %.

# %% [markdown]
# ## 3. Avant de découper : lire, nettoyer, étiqueter
#
# Un découpage parfait ne rattrape pas un texte mal lu. Voici une petite table dans un PDF, lue par `pypdf`, une
# bibliothèque très employée.

# %% tags=["nbval-check-output"]
from pypdf import PdfReader

from ragteach.explore import column_pdf

pdf = column_pdf(
    [
        ["Référence", "Pièce", "Prix"],
        ["R2-MOT-12", "moteur", "18,50"],
        ["R2-WHL-65", "roue", "6,20"],
    ]
)
page = PdfReader(pdf).pages[0]
print(page.extract_text().replace("\n", " / "))
print()
print(
    "\n".join(line for line in page.extract_text(extraction_mode="layout").splitlines() if line)
)

# %% [markdown]
# La première ligne est la lecture par défaut : les cellules sortent dans l’ordre où le programme les avait *dessinées*,
# colonne par colonne. Le prix du moteur est séparé du mot « moteur ». La seconde lecture regarde où les mots se trouvent
# sur la page, et la table réapparaît. Aucune erreur dans les deux cas : **regardez toujours ce que votre lecteur a
# produit**. Un PDF perd son ordre de lecture, une page web apporte ses menus et son bandeau de cookies, une page scannée
# n’a pas de texte du tout : il faut en reconnaître les caractères (*OCR*).
#
# Ensuite, on **nettoie** : ôter ce qui se répète sur chaque page, et les documents en double. Enfin, on **étiquette** :
# chaque morceau garde les métadonnées de son document. Voici celles du grand manuel, dans le corpus complet du labo.

# %%
robot = load("robot", "fr")
documents = {document.id: document for document in robot.documents}
manual = documents["manual"]
labels = {
    "source": "d’où vient-il ? Pour citer.",
    "date": "de quand date-t-il ? Pour préférer le plus récent.",
    "version": "quelle version ?",
    "language": "en quelle langue ?",
    "owner": "qui peut le corriger ?",
    "roles": "qui a le droit de le lire ?",
}
rows = [[key, manual.metadata[key], question] for key, question in labels.items()]
table(["métadonnée", "manuel du robot", "à quoi elle sert"], rows, lang="fr")

# %% [markdown]
# La dernière ligne est la plus importante. Un passage placé dans le prompt peut ressortir dans la réponse : le droit de
# lire se vérifie à la recherche, dans le code, pas par une consigne au modèle. Il manque encore une étiquette, le chemin
# des titres ; nous l’ajouterons dans la partie 6.

# %% [markdown]
# ## 4. Des phrases entières
#
# Deuxième remède : ne jamais couper une phrase. Facile, une phrase finit par un point ?

# %% tags=["nbval-check-output"]
import re

text = "M. Roy règle le lidar à 5.5 Hz. La cellule reste à 3,8 V. Quel fusible ? Un 5 A, cf. fig. 2."
print([piece.strip() for piece in text.split(".") if piece.strip()])

# %% [markdown]
# Le nombre `5.5` est coupé en deux, « M. » fait une phrase, et les points ont disparu. Demandons plutôt *un signe de fin,
# puis un blanc*. Dans le motif ci-dessous, `[.!?…]` est l’un des quatre signes, `\s+` un ou plusieurs blancs, et
# `(?<=…)` veut dire « juste après » : le signe reste donc à la phrase.

# %% tags=["nbval-check-output"]
print(re.split(r"(?<=[.!?…])\s+", text))

# %% [markdown]
# Les nombres sont sauvés. Restent les **abréviations** : aucune règle ne les devine, il faut une liste. La fonction
# suivante recolle la suite à une phrase qui finit par l’une d’elles.

# %% tags=["nbval-check-output"]
ABBREVIATIONS = ("M.", "Dr.", "art.", "fig.", "p.", "cf.", "etc.", "e.g.", "i.e.")


def sentences(text):
    """Couper un texte en phrases."""
    found = []
    for piece in re.split(r"(?<=[.!?…])\s+", text.strip()):
        if found and found[-1].split()[-1] in ABBREVIATIONS:
            found[-1] += " " + piece
        elif piece:
            found.append(piece)
    return found


print(sentences(text))

# %% [markdown]
# ### À vous : `chunk_sentences`
#
# Regroupez des phrases entières jusqu’à `max_words` mots. Le recouvrement se compte maintenant en phrases. Le plan :
#
# 1. tenir une liste `current` des phrases du morceau en cours ;
# 2. avant d’ajouter une phrase, regarder si le morceau dépasserait `max_words` ; si oui, le ranger, et repartir de ses
#    `overlap_sentences` dernières phrases ;
# 3. si elles et la nouvelle ne tiennent pas ensemble, ôter les plus anciennes, une à une, jusqu’à ce que cela tienne :
#    chaque morceau doit apporter au moins une phrase nouvelle ;
# 4. à la fin, ne pas oublier le dernier morceau.
#
# Une phrase plus longue que `max_words` reste entière, et seule. Méfiez-vous de Python : `current[-0:]` est la liste
# *entière*.


# %%
def chunk_sentences(text: str, max_words: int = 30, overlap_sentences: int = 1) -> list[str]:
    """Regrouper des phrases entières, jointes par une espace, en morceaux d’au plus max_words mots.

    chunk_sentences("Un. Deux trois. Quatre.", 3, 1) -> ["Un. Deux trois.", "Deux trois. Quatre."]
    Utilisez sentences(text). Lève ValueError si max_words < 1 ou si overlap_sentences < 0.
    """
    raise NotImplementedError


# %%
chunk_sentences = check("chunking.sentences", chunk_sentences)

# %%
show_chunks(manual, chunk([manual], lambda text: chunk_sentences(text, 40, 1)), lang="fr")

# %% [markdown]
# Plus aucune phrase n’est coupée. Mais regardez mieux : des titres (`## Propulsion`) finissent un morceau au lieu
# d’ouvrir le suivant, et des phrases de deux sections se retrouvent ensemble. Les phrases ne savent rien de la
# **structure**.

# %% [markdown]
# ## 5. Suivre la structure, ou le sujet
#
# ### Du plus gros au plus fin
#
# Le découpage **récursif** essaie les séparateurs dans l’ordre : paragraphe, ligne, phrase, mot. Il ne descend d’un cran
# que dans une partie encore trop longue, et réunit les petits voisins qui tiennent ensemble. C’est le réglage par défaut
# de bien des outils. (Vous l’écrirez dans les exercices.)

# %%
from ragteach.retrieval.chunking import chunk_recursive

sample = "Un deux trois.\n\nQuatre cinq. Six sept huit neuf. Dix.\n\nOnze.\n\nDouze."
for max_words in (12, 5, 3):
    print(
        max_words,
        "mots :",
        [" ".join(piece.split()) for piece in chunk_recursive(sample, max_words)],
    )

# %% [markdown]
# Avec 5 mots, seul le paragraphe du milieu est coupé, et il l’est entre ses phrases. Avec 3, une phrase de quatre mots
# doit céder à son tour.
#
# ### Un morceau par section
#
# Un manuel a des titres : son auteur l’a déjà découpé pour nous. On fait un morceau de chaque section, et l’on garde le
# **chemin** de ses titres. Un piège : dans un bloc de code, `#` ouvre un commentaire.

# %% tags=["nbval-check-output"]
from ragteach.retrieval.chunk_structure import chunk_headings

page = "## Démarrer\n```\n# un commentaire\nr2-start\n```\n## Arrêter\nAppuyez sur le bouton."
print("lignes qui commencent par # :", sum(line.startswith("#") for line in page.splitlines()))
print("vraies sections :", [" > ".join(part["path"]) for part in chunk_headings(page)])
rows = [
    [" > ".join(part["path"]), len(part["text"].split())]
    for part in chunk_headings(manual.text)
]
table(["chemin (manuel du robot)", "mots"], rows, lang="fr")

# %% [markdown]
# Les longueurs sont très inégales. C’est le prix de ce découpage, qui demande aussi une bonne structure : un courriel
# n’en a souvent aucune.
#
# ### Là où le sujet change
#
# Sans titres, on peut chercher les changements de sujet : comparer chaque phrase à la suivante, et couper où la
# ressemblance se creuse. C’est le découpage **sémantique**. Il faut une similarité entre textes ; le chapitre 03 en
# construit une, que nous empruntons (`neighbour_similarities` compare les deux phrases d’avant aux deux d’après).

# %%
from ragteach.explore import dips_figure, neighbour_similarities

manual_sentences, headings = [], []
for part in chunk_headings(manual.text):
    if manual_sentences:
        headings.append(len(manual_sentences) - 1)  # la dernière phrase d’avant le titre
    manual_sentences += sentences(part["text"])
similarities = neighbour_similarities(manual_sentences, lang="fr")
print(len(manual_sentences), "phrases,", len(headings), "frontières de section")

# %% [markdown]
# ### À vous : `split_at_dips`
#
# `similarities[i]` compare la phrase `i` à la phrase `i + 1`. On coupe après la phrase `i` quand cette valeur est
#
# - **strictement sous le seuil**, et
# - un **creux** : pas plus grande que la valeur d’avant, ni que celle d’après. Aux deux bouts, il n’y a qu’une voisine.
#
# Deux voisines égales sont deux creux : la phrase entre elles ne ressemble ni à l’avant ni à l’après.


# %%
def split_at_dips(similarities: list[float], threshold: float) -> list[int]:
    """Donner, en ordre croissant, les numéros des phrases après lesquelles couper.

    split_at_dips([0.8, 0.2, 0.7, 0.3, 0.9], 0.5) -> [1, 3] ; une liste vide -> [].
    """
    raise NotImplementedError


# %%
split_at_dips = check("chunking.semantic", split_at_dips)

# %% tags=["nbval-check-output"]
dips = split_at_dips(similarities, 0.3)
print(
    "creux sous 0,3 :",
    len(dips),
    "; frontières de section trouvées :",
    len(set(dips) & set(headings)),
)

# %%
show(
    dips_figure(similarities, dips, headings, 0.3, lang="fr"),
    f"La similarité d’une phrase à l’autre. Creux après les phrases {dips} ; sections finies en {headings}.",
)

# %% [markdown]
# Sans avoir lu un seul titre, la méthode retrouve la plupart des frontières de section. Elle en invente d’autres, où
# l’auteur change de sujet dans une section. Et elle a un prix : il a fallu calculer un vecteur par phrase. Quand les
# titres existent, ils sont gratuits.

# %% [markdown]
# ## 6. Rendre son contexte à un morceau
#
# Que manque-t-il à ce passage ?

# %% tags=["nbval-check-output"]
xl = documents["manual-xl"]
perception = next(part for part in chunk_headings(xl.text) if "A2" in part["text"])
print(sentences(perception["text"])[1])
print(" > ".join([xl.title, *perception["path"]]))

# %% [markdown]
# Quel lidar ? Celui du grand robot ; le petit a le sien, avec d’autres valeurs. La seconde ligne le dit, et elle n’est
# pas dans le morceau. Écrivons-la **devant**, avant d’indexer : la recherche la lira, et le modèle aussi. Cette idée
# s’appelle la *récupération contextuelle* (Anthropic, 2024) ; sa version complète demande à un modèle de rédiger, pour
# chaque morceau, une phrase qui le situe. Le chemin des titres en donne déjà beaucoup, gratuitement.
#
# ### À vous : `contextualize`
#
# Le préfixe : le titre du document, puis ceux du chemin, séparés par ` > `, puis **une ligne vide**. Les titres vides se
# sautent ; sans aucun titre, pas de préfixe. Et la fonction est **idempotente** : un morceau qui commence déjà par ce
# préfixe exact revient inchangé, car un pipeline d’ingestion passe souvent deux fois.


# %%
def contextualize(chunk: str, title: str, path: list[str]) -> str:
    """Écrire devant un morceau où il se trouve.

    contextualize("5 A.", "Manuel", ["Énergie"]) -> "Manuel > Énergie\\n\\n5 A."
    Lève ValueError si path est une chaîne au lieu d’une liste.
    """
    raise NotImplementedError


# %%
contextualize = check("chunking.contextual", contextualize)

# %% [markdown]
# ### Chercher petit, fournir grand
#
# Autre façon de garder le contexte : le découpage **parent-enfant** (*small-to-big*). On cherche parmi de petits enfants,
# précis ; on donne au modèle le parent, plus large, qui contient l’enfant trouvé. Il faut alors deux niveaux de stockage.
# En production : des enfants de 150 à 300 tokens, des parents de 800 à 1 200.

# %%
from ragteach.retrieval.chunk_structure import parent_child

for pair in parent_child(
    "un deux trois quatre cinq six sept huit neuf dix", child_size=2, parent_size=5
):
    print(pair)

# %% [markdown]
# L’enfant « cinq » est seul : aucun enfant n’est à cheval sur deux parents.
#
# ### Découper tard (*late chunking*)
#
# Un modèle de plongement lit un morceau et en fait un vecteur. S’il lit « il tourne à 40 Hz » tout seul, le vecteur ne
# sait pas qui est « il ». D’où l’idée de **late chunking** : faire lire au modèle le document *entier*, ce qui donne un
# vecteur par token, nourri de tout le contexte ; puis seulement découper, en prenant la moyenne des tokens de chaque
# morceau. Il faut un modèle à long contexte.

# %%
from ragteach.explore import late_chunking_figure

show(
    late_chunking_figure(lang="fr"),
    "À gauche, chaque moitié du texte passe seule dans l’encodeur. À droite, le texte entier y passe, "
    "puis on fait la moyenne par moitié.",
)

# %% [markdown]
# Un jouet pour le voir : chaque mot a son vecteur, et « lire le document » consiste à mêler à chaque mot un peu de la
# moyenne de ce qui est lu (un vrai modèle le fait par l’attention). Deux documents finissent par la même phrase.

# %%
import numpy as np

# deux documents qui finissent par la même phrase
words_a = "le lidar balaie la pièce | il tourne vite".split(" | ")
words_b = "le ventilateur refroidit la carte | il tourne vite".split(" | ")
vocabulary = sorted({word for part in words_a + words_b for word in part.split()})


def read(text):
    """Rendre un vecteur par mot, mêlé de la moyenne de tout ce qui a été lu."""
    vectors = np.array(
        [[word == other for other in vocabulary] for word in text.split()], dtype=float
    )
    return 0.6 * vectors + 0.4 * vectors.mean(axis=0)


def cos(u, v):
    return u @ v / np.linalg.norm(u) / np.linalg.norm(v)


# %% tags=["nbval-check-output"]
query, rows = read("lidar tourne").mean(axis=0), []
for name, (first, second) in {"lidar": words_a, "ventilateur": words_b}.items():
    early = read(second).mean(axis=0)  # le morceau est lu seul
    whole = read(f"{first} {second}")  # le document est lu en entier
    late = whole[-len(second.split()) :].mean(axis=0)
    rows.append([name, cos(query, early), cos(query, late)])
table(
    ["« il tourne vite », document sur :", "découper, puis plonger", "plonger, puis découper"],
    rows,
    lang="fr",
)

# %% [markdown]
# À la question « lidar tourne », les deux morceaux lus seuls sont **à égalité** : le même texte donne le même vecteur.
# Lus dans leur document, ils se distinguent, et le bon passe devant.

# %% [markdown]
# ## 7. La table que le découpage détruit
#
# Revenons au prix de la roue, et coupons sa table en fenêtres de 20 mots.

# %%
predict("chunking.table_row")

# %%
parts = documents["parts-list"]
drive = next(part for part in chunk_headings(parts.text) if "R2-WHL-65" in part["text"])
broken = chunk_words(drive["text"], 20, 4)
for place, piece in enumerate(broken):
    if "R2-WHL-65" in piece:
        print(f"[{place}]", piece)

# %%
wheel = next(piece for piece in broken if "R2-WHL-65" in piece and "6,20" in piece)
reveal("chunking.table_row", "oui" if "Prix" in wheel else "non")

# %% [markdown]
# La ligne est entière, mais « Prix » n’y est pas. Une question en langage courant (« combien coûte… »)
# ne partage aucun mot avec elle, et son vecteur de chiffres ne dit presque rien. **La réparation** : faire de chaque
# ligne une phrase, où chaque valeur porte le nom de sa colonne, sous le titre de la table.


# %% tags=["nbval-check-output"]
def row_sentences(text):
    """Rendre chaque ligne d’une table Markdown avec ses en-têtes, et le reste du texte à part."""
    rows, prose, header = [], [], None
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("| ").split("|")]
        if not line.startswith("|"):
            prose.append(line)
            header = None
        elif header is None:
            header = cells
        elif not set("".join(cells)) <= set("-: "):  # la ligne de tirets ne dit rien
            rows.append(
                " ; ".join(
                    f"{name} : {cell}" for name, cell in zip(header, cells, strict=False)
                )
            )
    return rows, "\n".join(prose)


rows, prose = row_sentences(drive["text"])
print(contextualize(rows[1], parts.title, drive["path"]))

# %% [markdown]
# Ce morceau se comprend seul. Combien de prix cela rend-il trouvables ? Pour chacune des pièces de la liste, cherchons
# « prix » et son nom dans tout le corpus, et regardons si l’un des trois premiers morceaux contient à la fois sa ligne et
# le mot « prix ». La recherche est celle du chapitre 02, **BM25** : prenez-la comme une boîte noire, qui classe les
# morceaux pour une question.

# %%
from ragteach.retrieval.bm25_index import BM25Index
from ragteach.retrieval.text import tokenize


def searcher(texts):
    """Indexer des textes ; rendre une fonction qui classe leurs numéros pour une question."""
    index = BM25Index([tokenize(text) for text in texts])
    return lambda question: index.search(tokenize(question), 60)


def prices_found(texts):
    """Compter les pièces dont un des trois premiers morceaux donne la ligne et dit que c’est un prix."""
    search, found = searcher(texts), 0
    for row in rows_of_parts:
        top = [texts[i] for i in search(f"prix {row[1]}")[:3]]
        found += any(row[0] in text and "prix" in text.lower() for text in top)
    return found


lines = [
    line.strip("| ").split(" | ")
    for line in parts.text.splitlines()
    if line.startswith("| R2-")
]
rows_of_parts = [[cell.strip() for cell in line] for line in lines]

# %% tags=["nbval-check-output"]
windows = [
    piece.text for piece in chunk(robot.documents, lambda text: chunk_words(text, 20, 4))
]
repaired = []
for document in robot.documents:
    for part in chunk_headings(document.text):
        rows, prose = row_sentences(part["text"])
        pieces = rows + chunk_words(prose, 20, 4)
        repaired += [contextualize(piece, document.title, part["path"]) for piece in pieces]
print("fenêtres de 20 mots :", prices_found(windows), "prix sur", len(rows_of_parts))
print("une ligne, un morceau :", prices_found(repaired), "prix sur", len(rows_of_parts))

# %% [markdown]
# La réparation ne touche ni à la recherche ni au modèle. Pour des questions de calcul (« combien pour dix robots ? »),
# elle ne suffit plus : mieux vaut alors un outil qui interroge la table, par exemple en SQL.

# %% [markdown]
# ## 8. Mesurer, puis choisir
#
# Le corpus du robot a ses questions annotées. Les annotations désignent des **passages** du texte, pas des morceaux :
# elles restent valables quel que soit le découpage. Le rappel@5 est la part des passages attendus dont les cinq premiers
# morceaux contiennent au moins la moitié.

# %%
from ragteach.corpus import Chunk, locate, passages_found

asked = [
    question for question in robot.questions if not question.is_trap and not question.history
]
print(
    len(robot.documents),
    "documents,",
    sum(len(document.text.split()) for document in robot.documents),
    "mots,",
)
print(len(asked), "questions qui ont une réponse et se comprennent seules")


def recall(search, chunks, choose):
    """Donner la part moyenne des passages trouvés dans les morceaux que `choose` garde, et les mots envoyés."""
    shares, words = [], []
    for question in asked:
        kept = choose([chunks[i] for i in search(question.text)])
        shares.append(len(passages_found(question, kept)) / len(question.relevant))
        words.append(sum(len(piece.text.split()) for piece in kept))
    return float(np.mean(shares)), float(np.mean(words))


# %% [markdown]
# ### La taille

# %%
predict("chunking.bigger")


# %%
from functools import partial


def first_five(chunks):
    return chunks[:5]


sizes = (20, 40, 80, 160, 320)
by_overlap = {"aucun recouvrement": 0, "un quart": 0.25, "la moitié": 0.5}
cuts = {}
for size in sizes:
    for share in by_overlap.values():
        chunks = chunk(
            robot.documents, partial(chunk_words, size=size, overlap=int(size * share))
        )
        cuts[size, share] = chunks, searcher([piece.text for piece in chunks])
at_five = {key: recall(search, chunks, first_five) for key, (chunks, search) in cuts.items()}

# %%
series = {
    name: [at_five[size, share][0] for size in sizes] for name, share in by_overlap.items()
}
figure = curves(sizes, series, "taille des fenêtres, en mots", "rappel@5", lang="fr")
show(
    figure,
    f"Les trois courbes montent avec la taille. Sans recouvrement : {np.round(series['aucun recouvrement'], 2)}.",
)

# %%
small, large = at_five[20, 0][0], at_five[160, 0][0]
reveal("chunking.bigger", f"il passe de {number(small, 'fr')} à {number(large, 'fr')}")

# %% [markdown]
# Faut-il donc prendre des fenêtres de 320 mots ? Regardez ce que le modèle doit lire.
#
# ### Le coût
#
# Un prompt contient la consigne, $k$ morceaux de taille $c$, et la question :
#
# $$\text{tokens du prompt}=\text{consigne}+k\cdot c+\text{question}.$$
#
# En français, comptez à peu près 1,5 token par mot (le chapitre 10 y revient). Le modèle lit ces tokens avant d’écrire le
# premier mot : le prix monte avec eux, et l’attente aussi. Prenons une consigne de 60 mots et une question de 12.

# %% tags=["nbval-check-output"]
per_word = {"fr": 1.5, "en": 1.3}  # tokens par mot, à peu près
rows = []
for size in sizes:
    chunks, _ = cuts[size, 0.25]
    score, words = at_five[size, 0.25]
    indexed = sum(len(piece.text.split()) for piece in chunks)
    tokens = per_word["fr"] * (60 + words + 12)  # consigne, morceaux, question
    rows.append([size, len(chunks), indexed, score, f"{tokens:.0f}"])
table(
    ["taille", "morceaux", "mots indexés", "rappel@5", "tokens du prompt"],
    rows,
    lang="fr",
)

# %% [markdown]
# Voilà la vraie question : à **nombre de mots égal**, quelle taille est la meilleure ? Donnons au modèle 400 mots, pas un
# de plus : les meilleurs morceaux, entiers, tant qu’ils tiennent.


# %%
def within_400_words(chunks):
    kept, n = [], 0
    for piece in chunks:
        n += len(piece.text.split())
        if n > 400:
            break
        kept.append(piece)
    return kept


at_400 = {
    key: recall(search, chunks, within_400_words) for key, (chunks, search) in cuts.items()
}
series = {
    name: [at_400[size, share][0] for size in sizes] for name, share in by_overlap.items()
}
figure = curves(sizes, series, "taille des fenêtres, en mots", "rappel, à 400 mots", lang="fr")
show(
    figure,
    f"Les courbes montent, puis redescendent. Un quart : {np.round(series['un quart'], 2)}.",
)

# %% tags=["nbval-check-output"]
best = max(at_400, key=lambda key: at_400[key][0])
print(
    "meilleur réglage à 400 mots :",
    best[0],
    "mots ; recouvrement, en % :",
    number(100 * best[1], "fr", 0),
)

# %% [markdown]
# La courbe a maintenant un sommet. Trop petits, les morceaux coupent les passages ; trop grands, ils gaspillent le
# budget avec des mots qui ne servent pas. Un peu de recouvrement aide, presque à toutes les tailles. Le meilleur, ici,
# dépasse même les 10 à 20 % : une règle empirique est un point de départ.
#
# ### Les stratégies
#
# Comparons enfin les façons de couper, sur les mêmes questions.

# %%
sections, section_texts, children, parents = [], [], [], []
for document in robot.documents:
    for part in chunk_headings(document.text):
        if part["text"]:
            sections.append(Chunk(document.id, len(sections), part["text"]))
            section_texts.append(contextualize(part["text"], document.title, part["path"]))
    n = len(parents)
    parents += [
        Chunk(document.id, i, text) for i, text in enumerate(chunk_words(document.text, 120, 0))
    ]
    children += [
        (n + pair["parent"], pair["child"]) for pair in parent_child(document.text, 30, 120)
    ]
sections, parents = locate(sections, robot.documents), locate(parents, robot.documents)
with_context = [
    Chunk(section.source, section.position, text, section.spans)
    for section, text in zip(sections, section_texts, strict=True)
]
print(len(sections), "sections ;", len(children), "enfants de", len(parents), "parents")


# %%
def by_dips(text):
    found = sentences(text)
    dips = split_at_dips(neighbour_similarities(found, lang="fr"), 0.3)
    edges = [0, *(dip + 1 for dip in dips), len(found)]
    return [" ".join(found[start:end]) for start, end in zip(edges, edges[1:], strict=False)]


find_child = searcher([text for _, text in children])


def find_parent(question):
    return list(dict.fromkeys(children[i][0] for i in find_child(question)))  # chacun une fois


# %%
systems = {}
for name, cut in {
    "fenêtres, 40 mots, 10 communs": lambda text: chunk_words(text, 40, 10),
    "phrases entières, 40 mots": lambda text: chunk_sentences(text, 40, 1),
    "récursif, 40 mots": lambda text: chunk_recursive(text, 40),
    "récursif, 80 mots": lambda text: chunk_recursive(text, 80),
    "sémantique (creux)": by_dips,
}.items():
    chunks = chunk(robot.documents, cut)
    systems[name] = searcher([piece.text for piece in chunks]), chunks
systems["parent-enfant, 30 dans 120 mots"] = find_parent, parents
systems["une section, un morceau"] = searcher([piece.text for piece in sections]), sections
systems["… avec son contexte devant"] = searcher(section_texts), with_context

# %% tags=["nbval-check-output"]
rows = []
for name, (search, chunks) in systems.items():
    mean = sum(len(piece.text.split()) for piece in chunks) / len(chunks)
    five, words = recall(search, chunks, first_five)
    rows.append(
        [
            name,
            len(chunks),
            f"{mean:.0f}",
            five,
            f"{words:.0f}",
            recall(search, chunks, within_400_words)[0],
        ]
    )
table(
    ["stratégie", "morceaux", "mots chacun", "rappel@5", "mots envoyés", "rappel à 400 mots"],
    rows,
    lang="fr",
)

# %% [markdown]
# Lisez d’abord les deux colonnes de rappel ensemble. Le découpage sémantique et le parent-enfant brillent à cinq
# morceaux, parce que ces cinq morceaux sont gros ; à 400 mots, ils reculent. À l’inverse, le récursif à 40 mots envoie
# peu de texte.
#
# À budget égal, quatre façons de couper se tiennent à deux centièmes : les fenêtres, le récursif à 80 mots, les
# sections, et les sections avec leur contexte. Sur 107 questions, un tel écart ne prouve rien (le chapitre 05 dira
# pourquoi). Ce qui est sûr : une section ne coûte aucun calcul, ne coupe aucune phrase, et fait aussi bien que le
# reste. Le préfixe de contexte gagne peu ici : les sections de ce corpus disent déjà de quoi elles parlent.

# %% [markdown]
# | stratégie | point de départ | idéale pour | son défaut |
# |---|---|---|---|
# | taille fixe | 512 tokens, 50 de recouvrement | prose uniforme | coupe en pleine idée |
# | récursive | 400 à 800 tokens | prose mêlée | tailles inégales |
# | sémantique | creux de similarité | textes qui changent de sujet | un calcul par phrase |
# | par structure | une section, un morceau | manuels, contrats, wikis | exige de bons titres |
# | parent-enfant | 150–300 dans 800–1 200 tokens | réponse précise, contexte large | deux niveaux de stockage |
# | *late chunking* | document entier | morceaux pleins de « il » et de « cela » | modèle à long contexte |
#
# En pratique, on part de 200 à 500 tokens par morceau, avec 10 à 20 % de recouvrement, et l’on garde entiers, quand on le
# peut, les titres, les paragraphes et les tables. Tables, code (une fonction, un morceau) et formulaires demandent presque
# toujours un traitement à part. Et avant de croire ce tableau, ou le nôtre, refaites la mesure sur **vos** documents.

# %% [markdown]
# ### Manipulez
#
# Changez de document, de stratégie, de taille, à la souris ou au clavier : les flèches déplacent un curseur, et deux fois
# `Tab` mène au suivant. La figure, sous le texte, montre les mêmes morceaux. Essayez, dans l’ordre :
#
# 1. des fenêtres de 40 mots sans recouvrement, puis avec 50 % : combien de mots indexés ?
# 2. la liste des pièces, en fenêtres de 20 mots : où sont les en-têtes ?
# 3. « une section, un morceau » sur le courriel des fusibles : que se passe-t-il ?

# %%
from ragteach.explore import chunk_viewer

chunk_viewer(lang="fr")

# %% [markdown]
# ## 9. La dérive
#
# Un lundi, quelqu’un trouve 60 mots préférable à 40 et relance l’ingestion. Les textes sont redécoupés ; l’index, qui
# connaît les morceaux par leur numéro, n’est pas reconstruit.

# %%
predict("chunking.drift")

# %% tags=["nbval-check-output"]
old = chunk(robot.documents, lambda text: chunk_words(text, 40, 10))
new = chunk(robot.documents, lambda text: chunk_words(text, 60, 10))
search_old, search_new = (searcher([piece.text for piece in chunks]) for chunks in (old, new))


def stale(question):
    return [
        i for i in search_old(question) if i < len(new)
    ]  # un numéro qui n’existe plus est ignoré


before, drifted, rebuilt = (
    recall(search, chunks, first_five)[0]
    for search, chunks in ((search_old, old), (stale, new), (search_new, new))
)
rows = [
    ["avant lundi", before],
    ["textes redécoupés, index inchangé", drifted],
    ["index reconstruit", rebuilt],
]
table(["situation", "rappel@5"], rows, lang="fr")

# %%
reveal(
    "chunking.drift",
    f"le rappel@5 passe de {number(before, 'fr')} à {number(drifted, 'fr')}, sans message",
)

# %% [markdown]
# Pas une erreur, pas un avertissement : un système sûr de lui, qui lit les mauvais passages. Retenez le signal : « **faux
# avec assurance, après une mise à jour des documents** » désigne la recherche et son index, pas le prompt, pas le modèle.
#
# Le remède tient en deux gestes. **Versionner** la configuration du découpage avec l’index, et refuser de servir quand
# elles diffèrent. **Remesurer** le rappel après tout changement.

# %% tags=["nbval-check-output"]
from ragteach.retrieval.freshness import index_version

built_with = index_version({"strategy": "windows", "size": 40, "overlap": 10})
served_with = index_version({"strategy": "windows", "size": 60, "overlap": 10})
print("index   :", built_with)
print("textes  :", served_with)
print("servir ?", built_with == served_with)

# %% [markdown]
# L’index est une donnée *dérivée* : on doit pouvoir le reconstruire à tout moment à partir des documents, des mêmes
# réglages et du même code.

# %% [markdown]
# ### Et en production ?
#
# La bibliothèque LangChain propose `RecursiveCharacterTextSplitter`. Réglée comme nous (longueur en mots, séparateur
# gardé à la fin), elle rend nos morceaux. La cellule suivante le vérifie sur tous les documents si vous l’avez ; sinon,
# elle passe son chemin (`pip install langchain-text-splitters` l’installe). Elle n’affiche rien : une différence
# lèverait une erreur.


# %%
def same_as_langchain(max_words):
    """Comparer notre découpage à celui de LangChain ; None si la bibliothèque n’est pas installée."""
    try:
        from langchain_text_splitters import RecursiveCharacterTextSplitter
    except ImportError:
        return None
    splitter = RecursiveCharacterTextSplitter(
        chunk_size=max_words,
        chunk_overlap=0,
        length_function=lambda text: len(text.split()),
        separators=["\n\n", "\n", ". ", " "],
        keep_separator="end",
    )
    return all(
        [piece.split() for piece in splitter.split_text(document.text)]
        == [piece.split() for piece in chunk_recursive(document.text, max_words)]
        for document in robot.documents
    )


assert same_as_langchain(40) in (True, None)

# %% [markdown]
# Ce que font les autres :
#
# - **LangChain** compte par défaut des *caractères*, pas des tokens : 4 000 caractères, 200 de recouvrement. Dites
#   toujours l’unité.
# - **LlamaIndex** découpe par phrases et par tokens, sait lire la structure, et propose le parent-enfant.
# - **pypdf**, **pdfplumber**, **Camelot** lisent les PDF ; les deux derniers cherchent les tables.
# - Les **tokens** sont ceux du modèle : un découpage réglé en mots doit laisser de la marge.

# %% [markdown]
# ## 10. Bilan
#
# - Un morceau trop petit perd son contexte, un trop grand dilue et coûte. Le **recouvrement** (10 à 20 %) protège les
#   frontières.
# - Nombre de morceaux : $\lceil (T-o)/(c-o)\rceil$. `overlap >= size` ne finit jamais ; la dernière fenêtre ne doit pas
#   être dans la précédente.
# - Une **phrase** ne finit pas à chaque point. Une **section**, quand elle existe, est un bon morceau, et
#   gratuit.
# - Le **contexte** se rend : par le chemin des titres, par le parent, ou en découpant tard.
# - Une **table** se découpe ligne par ligne, avec ses en-têtes.
# - Le rappel@5 flatte les gros morceaux : comparez **à nombre de mots égal**.
# - La configuration du découpage fait partie de la **version** de l’index.
#
# Voici le tableau du cours, avec sa nouvelle ligne : la même recherche naïve, les mêmes six questions, mais des morceaux
# récursifs.

# %% tags=["nbval-check-output"]
milestones("01_chunking", lang="fr")

# %% [markdown]
# Le rappel@1 n’a pas bougé. Le rappel@3, le MRR et le nDCG montent, et la recherche est pourtant restée la même : seuls
# les morceaux ont changé. C’est encore loin du compte ; la suite s’attaque à la recherche.

# %%
quiz("01_chunking")

# %% [markdown]
# ### Les mots à retenir
#
# | français | anglais |
# |---|---|
# | morceau, fragment | *chunk* |
# | découpage | *chunking* |
# | recouvrement, chevauchement | *overlap* |
# | découpage récursif | *recursive splitting* |
# | découpage par structure | *structural, document-aware chunking* |
# | parent-enfant, du petit au grand | *parent-child, small-to-big* |
# | récupération contextuelle | *contextual retrieval* |
# | découpage tardif | *late chunking* |
# | dérive de découpage | *chunk drift* |
#
# ### Et maintenant
#
# 1. Le carnet `exercises/fr/01_chunking.ipynb` : recopiez-y vos cinq fonctions, et écrivez les trois autres (récursif,
#    sections, parent-enfant).
# 2. Le chapitre 02 ouvre la boîte noire : **BM25**, qui classe les morceaux par leurs mots.

# %% [markdown]
# ### Sources
#
# - M. A. Hearst, « TextTiling: Segmenting Text into Multi-paragraph Subtopic Passages », *Computational Linguistics*,
#   23(1), 1997 : couper aux creux de similarité.
# - J. P. Callan, « Passage-Level Evidence in Document Retrieval », SIGIR 1994 : chercher des passages plutôt que des
#   documents, et déjà des fenêtres qui se recouvrent.
# - P. Lewis et coll., « Retrieval-Augmented Generation for Knowledge-Intensive NLP Tasks », NeurIPS 2020 : Wikipédia en
#   passages de 100 mots.
# - N. F. Liu et coll., « Lost in the Middle: How Language Models Use Long Contexts », *TACL*, 2024 : pourquoi plus de
#   texte n’aide pas toujours.
# - M. Günther et coll., « Late Chunking: Contextual Chunk Embeddings Using Long-Context Embedding Models »,
#   arXiv 2409.04701, 2024.
# - Anthropic, « Introducing Contextual Retrieval », 2024.
