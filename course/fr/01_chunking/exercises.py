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
#     kind: exercises
#     lang: fr
# ---

# %% [markdown]
# # 01. Découper les documents : les exercices
#
# Huit fonctions, puis une question à rédiger. Cinq des huit sont déjà dans la leçon : recopiez-les. Les trois nouvelles
# sont la 4, la 5 et la 6. Comptez **35 minutes**, dont dix pour la question écrite.
#
# **Comment ça marche.** Écrivez la fonction, exécutez sa cellule, puis celle du dessous. Elle essaie votre fonction sur
# des exemples choisis et sur d’autres tirés au hasard ; en cas d’échec, elle montre le plus petit cas qui ne va pas, et
# souvent elle reconnaît l’erreur. Les indices se demandent un par un, avec `hint("chunking.words")` par exemple. Vous
# pouvez exécuter tout le carnet à n’importe quel moment : un exercice vide ne bloque pas les suivants. Le nombre seul,
# sous chaque retour, est celui de vos points.
#
# **Conventions.** Les *mots* sont ceux de `text.split()`. Dans un morceau, peu importe quel blanc sépare deux mots (une
# espace, un retour à la ligne) : la vérification ne compare que les mots, sauf où l’énoncé dit le contraire. Quand
# l’énoncé le demande, un argument absurde lève `ValueError` avec une phrase qui le nomme. Vos fonctions peuvent
# s’appeler les unes les autres.

# %%
from ragteach.notebook import begin, check, hint, points

begin("01_chunking", lang="fr", course="1")

# %%
import re
from math import ceil

# %% [markdown]
# ## 1. `chunk_words` : des fenêtres de mots
#
# **Niveau : échauffement (1 point). Importance : essentielle. Durée : 5 minutes.**
#
# Coupez un texte en fenêtres de `size` mots ; deux fenêtres qui se suivent ont `overlap` mots en commun. Joignez les mots
# d’une fenêtre par une espace.
#
# - La dernière fenêtre peut être plus courte. Aucune n’est tout entière dans la précédente : on s’arrête dès qu’une
#   fenêtre atteint la fin du texte.
# - Un texte blanc n’a pas de morceau : `[]`.
# - Levez `ValueError` si `size` est inférieur à 1, ou si `overlap` n’est pas entre 0 et `size - 1`.
#
# | appel | résultat |
# |---|---|
# | `chunk_words("1 2 3 4 5 6 7", 3, 1)` | `["1 2 3", "3 4 5", "5 6 7"]` |


# %% exercise="chunking.words"
def chunk_words(text: str, size: int = 40, overlap: int = 10) -> list[str]:
    """Couper un texte en fenêtres de size mots, dont overlap communs avec la précédente."""
    ### BEGIN SOLUTION
    if size < 1:
        raise ValueError(f"size doit valoir au moins 1 ; il vaut {size}.")
    if not 0 <= overlap < size:
        raise ValueError(f"overlap doit être entre 0 et {size - 1} ; il vaut {overlap}.")
    words = text.split()
    chunks = []
    for start in range(0, len(words), size - overlap):
        chunks.append(" ".join(words[start : start + size]))
        if start + size >= len(words):
            break
    return chunks
    ### END SOLUTION


# %% check="chunking.words"
chunk_words = check("chunking.words", chunk_words)
points("chunking.words")

# %% [markdown] tags=["solution"]
# **Explication.** D’une fenêtre à la suivante, on avance de `size - overlap` mots. Le `break` vient *après* l’ajout : la
# fenêtre qui touche la fin est gardée, et c’est la dernière.
#
# **Erreurs fréquentes**
# - continuer tant qu’il reste des mots : la dernière fenêtre peut répéter la fin de la précédente.
# - avancer de `overlap`, ou de `size`.
# - `text.split(" ")`, qui fabrique des mots vides et garde les retours à la ligne.
# - ne pas refuser `overlap >= size` : la boucle n’avance plus.

# %% [markdown]
# ## 2. `chunk_count` : combien de morceaux ?
#
# **Niveau : échauffement (1 point). Importance : importante. Durée : 4 minutes.**
#
# Donnez le nombre de fenêtres que `chunk_words` coupe dans un texte de `n_tokens` mots ($T$), avec $c$ pour `size` et $o$
# pour `overlap` :
#
# $$n=\left\lceil\frac{T-o}{c-o}\right\rceil\quad\text{si } T>c.$$
#
# Un texte qui tient dans une fenêtre en fait 1 ; un texte vide, 0. Levez `ValueError` si `n_tokens` est négatif, si
# `size` est inférieur à 1, ou si `overlap` n’est pas entre 0 et `size - 1`.
#
# | appel | résultat |
# |---|---|
# | `chunk_count(100, 40, 10)` | `3` |
# | `chunk_count(5_000_000, 400, 50)` | `14286` |


# %% exercise="chunking.count"
def chunk_count(n_tokens: int, size: int, overlap: int) -> int:
    """Donner le nombre de fenêtres de size mots, dont overlap communs, dans n_tokens mots."""
    ### BEGIN SOLUTION
    if n_tokens < 0:
        raise ValueError(f"n_tokens ne doit pas être négatif ; il vaut {n_tokens}.")
    if size < 1:
        raise ValueError(f"size doit valoir au moins 1 ; il vaut {size}.")
    if not 0 <= overlap < size:
        raise ValueError(f"overlap doit être entre 0 et {size - 1} ; il vaut {overlap}.")
    if n_tokens == 0:
        return 0
    if n_tokens <= size:
        return 1
    return ceil((n_tokens - overlap) / (size - overlap))
    ### END SOLUTION


# %% check="chunking.count"
chunk_count = check("chunking.count", chunk_count)
points("chunking.count")

# %% [markdown] tags=["solution"]
# **Explication.** $n$ fenêtres couvrent $n(c-o)+o$ mots. Il en faut le plus petit nombre qui atteigne $T$ : on arrondit
# vers le haut. La formule seule donnerait 0 pour un texte plus court que le recouvrement ; d’où les deux cas à part.
#
# **Erreurs fréquentes**
# - `//`, qui arrondit vers le bas ; `// … + 1`, qui compte une fenêtre de trop quand la division tombe juste.
# - diviser $T$ au lieu de $T-o$ : on compte la fenêtre inutile de la fin.
# - diviser par $c$, comme si rien n’était partagé.

# %% [markdown]
# ## 3. `chunk_sentences` : des phrases entières
#
# **Niveau : standard (2 points). Importance : essentielle. Durée : 8 minutes.**
#
# Regroupez des phrases entières en morceaux d’au plus `max_words` mots, joints par une espace. Les phrases sont celles de
# la fonction `sentences` de la leçon, donnée ci-dessous : un signe `.`, `!`, `?` ou `…` suivi d’un blanc finit une
# phrase, sauf après une abréviation de la liste.
#
# - Chaque morceau commence par les `overlap_sentences` dernières phrases du précédent (toutes, s’il en a moins). Si elles
#   ne tiennent pas avec la phrase suivante, ôtez les plus anciennes, une à une, jusqu’à ce que cela tienne : chaque
#   morceau apporte au moins une phrase nouvelle.
# - Une phrase plus longue que `max_words` reste entière, seule dans son morceau. Aucune phrase ne se perd.
# - Un texte vide donne `[]`. Levez `ValueError` si `max_words` est inférieur à 1, ou `overlap_sentences` négatif.
#
# | appel | résultat |
# |---|---|
# | `chunk_sentences("Un. Deux trois. Quatre.", 3, 1)` | `["Un. Deux trois.", "Deux trois. Quatre."]` |


# %% exercise="chunking.sentences"
# la fonction de la leçon
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


def chunk_sentences(text: str, max_words: int = 30, overlap_sentences: int = 1) -> list[str]:
    """Regrouper des phrases entières en morceaux d’au plus max_words mots."""
    ### BEGIN SOLUTION
    if max_words < 1:
        raise ValueError(f"max_words doit valoir au moins 1 ; il vaut {max_words}.")
    if overlap_sentences < 0:
        raise ValueError(f"overlap_sentences est négatif : {overlap_sentences}.")

    def n_words(group):
        return sum(len(sentence.split()) for sentence in group)

    chunks, current = [], []
    for sentence in sentences(text):
        if current and n_words([*current, sentence]) > max_words:
            chunks.append(" ".join(current))
            current = current[max(0, len(current) - overlap_sentences) :]
            while current and n_words([*current, sentence]) > max_words:
                current = current[1:]
        current.append(sentence)
    if current:
        chunks.append(" ".join(current))
    return chunks
    ### END SOLUTION


# %% check="chunking.sentences"
chunk_sentences = check("chunking.sentences", chunk_sentences)
points("chunking.sentences")

# %% [markdown] tags=["solution"]
# **Explication.** On regarde *avant* d’ajouter. Une phrase trop longue trouve toujours `current` vide, ou le vide : elle
# fait donc un morceau à elle seule, sans cas particulier. Le `while` garantit que la suivante tient toujours.
#
# **Erreurs fréquentes**
# - `current[-overlap_sentences:]` : avec 0, Python rend la liste entière.
# - ne pas ôter de phrases répétées : le morceau dépasse, ou n’apporte rien de nouveau.
# - couper à chaque point : `5.5 Hz` et « M. Roy » en font les frais.
# - oublier le dernier morceau après la boucle.

# %% [markdown]
# ## 4. `chunk_recursive` : du plus gros au plus fin
#
# **Niveau : difficile (3 points). Importance : essentielle. Durée : 12 minutes.**
#
# Coupez un texte en morceaux d’au plus `max_words` mots, au séparateur le plus gros possible :
#
# 1. un texte qui tient dans `max_words` mots fait un seul morceau (aucun s’il est blanc) ;
# 2. sinon, coupez-le au **premier** séparateur de la liste. Le séparateur reste à la fin de la pièce qui le précède : une
#    phrase garde son point ;
# 3. parcourez les pièces de gauche à droite et **réunissez** les voisines tant que leur total ne dépasse pas
#    `max_words` ;
# 4. un groupe qui tient est un morceau. Une pièce trop longue reste seule dans son groupe, et se découpe de la même façon
#    avec les séparateurs **suivants** ; sa fin n’est pas réunie avec la pièce d’après ;
# 5. s’il ne reste aucun séparateur, coupez tous les `max_words` mots, sans recouvrement.
#
# Levez `ValueError` si `max_words` est inférieur à 1, ou si `separators` est une chaîne au lieu d’une liste.
#
# | appel | résultat |
# |---|---|
# | `chunk_recursive("1 2 3.\n\n4 5. 6 7 8.\n\n9", 4)` | `["1 2 3.", "4 5.", "6 7 8.", "9"]` |
# | `chunk_recursive("1.\n\n2 3.\n\n4 5", 3)` | `["1. 2 3.", "4 5"]` (aux blancs près) |


# %% exercise="chunking.recursive"
def chunk_recursive(
    text: str, max_words: int, separators: list[str] = ("\n\n", "\n", ". ", " ")
) -> list[str]:
    """Couper au séparateur le plus gros, et plus finement seulement où c’est trop long."""
    ### BEGIN SOLUTION
    if max_words < 1:
        raise ValueError(f"max_words doit valoir au moins 1 ; il vaut {max_words}.")
    if isinstance(separators, str):
        raise ValueError("separators doit être une liste de chaînes, pas une chaîne.")
    if len(text.split()) <= max_words:
        return [text.strip()] if text.strip() else []
    if not separators:
        return chunk_words(text, max_words, 0)

    separator, *finer = separators
    *pieces, last = text.split(separator)
    chunks, current = [], ""
    for piece in [*(piece + separator for piece in pieces), last]:
        if len(current.split()) + len(piece.split()) > max_words:
            chunks += chunk_recursive(current, max_words, finer)
            current = ""
        current += piece
    return chunks + chunk_recursive(current, max_words, finer)
    ### END SOLUTION


# %% check="chunking.recursive"
chunk_recursive = check("chunking.recursive", chunk_recursive)
points("chunking.recursive")

# %% [markdown] tags=["solution"]
# **Explication.** L’appel récursif fait tout : donné un groupe qui tient, il le rend tel quel ; donné une pièce trop
# longue, il la découpe plus finement ; donné `""`, il ne rend rien. Une pièce trop longue est forcément seule dans
# `current`, puisque rien ne peut la rejoindre sans dépasser.
#
# **Erreurs fréquentes**
# - `text.split(separator)` sans remettre le séparateur : « . » disparaît au bord des morceaux.
# - couper sans réunir : des morceaux minuscules.
# - couper très fin, puis tout réunir : un bout de paragraphe rejoint le paragraphe voisin.
# - oublier le dernier groupe après la boucle.

# %% [markdown]
# ## 5. `chunk_headings` : un morceau par section
#
# **Niveau : standard (2 points). Importance : essentielle. Durée : 8 minutes.**
#
# Coupez un texte Markdown en sections : une liste de dictionnaires `{"path": [titres], "text": texte}`.
#
# - Un **titre** est une ligne qui commence par un à six `#`, suivis d’un blanc et du titre. Leur nombre est son niveau.
#   `#5 vis` n’en est pas un.
# - Une section va de son titre au titre suivant, quel qu’en soit le niveau. Son texte est ce qui se trouve entre les
#   deux, lignes gardées, blancs des bords ôtés. Une section sans texte est gardée, avec `""`.
# - Son **chemin** contient les titres ouverts, du plus général au plus précis, le sien en dernier. Un titre ferme ceux de
#   même niveau et de niveau plus profond. Un document peut commencer au niveau 2, ou sauter un niveau.
# - Ce qui précède le premier titre est une section au chemin vide `[]`, sauf si c’est blanc.
# - Entre deux lignes qui commencent par trois accents graves (un **bloc de code**), rien n’est un titre.
#
# | appel | résultat |
# |---|---|
# | `chunk_headings("# Robot\nR2\n## Lidar\n5,5 Hz")` | `[{"path": ["Robot"], "text": "R2"}, {"path": ["Robot", "Lidar"], "text": "5,5 Hz"}]` |


# %% exercise="chunking.headings"
def chunk_headings(markdown: str) -> list[dict]:
    """Faire un morceau de chaque section, avec le chemin de ses titres."""
    ### BEGIN SOLUTION
    stack = []  # les titres ouverts : (niveau, titre)
    sections = [([], [])]  # le chemin et les lignes de chaque section
    in_code = False
    for line in markdown.splitlines():
        if line.startswith("```"):
            in_code = not in_code
        heading = re.fullmatch(r"(#{1,6})\s+(.*)", line)
        if heading and not in_code:
            level = len(heading[1])
            while stack and stack[-1][0] >= level:
                stack.pop()
            stack.append((level, heading[2].strip()))
            sections.append(([title for _, title in stack], []))
        else:
            sections[-1][1].append(line)
    chunks = [{"path": path, "text": "\n".join(lines).strip()} for path, lines in sections]
    return [chunk for chunk in chunks if chunk["path"] or chunk["text"]]
    ### END SOLUTION


# %% check="chunking.headings"
chunk_headings = check("chunking.headings", chunk_headings)
points("chunking.headings")

# %% [markdown] tags=["solution"]
# **Explication.** La pile garde les titres ouverts. À chaque nouveau titre, on dépile ceux de niveau supérieur ou égal,
# on l’empile, et la pile *est* le chemin. La première section, avant tout titre, part avec un chemin vide ; la dernière
# ligne l’écarte si elle est blanche.
#
# **Erreurs fréquentes**
# - prendre le niveau pour une place (`path[:level - 1]`) : faux dès qu’un niveau manque.
# - chercher des titres dans les blocs de code.
# - perdre les sections vides, et leur titre avec elles.
# - laisser la ligne de titre dans le texte.

# %% [markdown]
# ## 6. `parent_child` : chercher petit, fournir grand
#
# **Niveau : standard (2 points). Importance : importante. Durée : 5 minutes.**
#
# Coupez le texte en **parents** de `parent_size` mots, sans recouvrement, puis chaque parent en **enfants** de
# `child_size` mots, sans recouvrement. Rendez les enfants dans l’ordre du texte, chacun avec le numéro de son parent, à
# partir de 0 : `{"child": texte, "parent": numéro}`. Un enfant est toujours tout entier dans son parent.
#
# Levez `ValueError` si `child_size` est inférieur à 1 ou plus grand que `parent_size`. Un texte vide donne `[]`.
#
# | appel | résultat |
# |---|---|
# | `parent_child("1 2 3 4", 2, 3)` | `[{"child": "1 2", "parent": 0}, {"child": "3", "parent": 0}, {"child": "4", "parent": 1}]` |


# %% exercise="chunking.parent_child"
def parent_child(text: str, child_size: int, parent_size: int) -> list[dict]:
    """Couper en petits morceaux pour chercher, chacun dans un grand morceau à fournir."""
    ### BEGIN SOLUTION
    if not 1 <= child_size <= parent_size:
        raise ValueError(
            f"child_size doit être entre 1 et {parent_size} ; il vaut {child_size}."
        )
    return [
        {"child": child, "parent": number}
        for number, parent in enumerate(chunk_words(text, parent_size, 0))
        for child in chunk_words(parent, child_size, 0)
    ]
    ### END SOLUTION


# %% check="chunking.parent_child"
parent_child = check("chunking.parent_child", parent_child)
points("chunking.parent_child")

# %% [markdown] tags=["solution"]
# **Explication.** Deux découpages emboîtés : les enfants se coupent *dans* chaque parent, jamais dans le texte entier. Le
# dernier enfant d’un parent est donc parfois plus court.
#
# **Erreurs fréquentes**
# - couper les enfants dans le texte entier : certains sont à cheval sur deux parents.
# - rendre le texte du parent au lieu de son numéro : le même texte serait stocké pour chaque enfant.
# - oublier `overlap=0` : la valeur par défaut est 10.

# %% [markdown]
# ## 7. `contextualize` : dire d’où vient le morceau
#
# **Niveau : échauffement (1 point). Importance : importante. Durée : 4 minutes.**
#
# Écrivez devant un morceau où il se trouve : le titre du document, puis les titres du chemin, séparés par ` > `, puis une
# ligne vide (`"\n\n"`), puis le morceau. Ici, les blancs comptent.
#
# - Les titres vides se sautent. Sans aucun titre, le morceau revient tel quel.
# - Un morceau qui **commence** déjà par ce préfixe exact, ligne vide comprise, revient tel quel.
# - Levez `ValueError` si `path` est une chaîne au lieu d’une liste.
#
# | appel | résultat |
# |---|---|
# | `contextualize("5 A.", "Manuel", ["Énergie"])` | `"Manuel > Énergie\n\n5 A."` |


# %% exercise="chunking.contextual"
def contextualize(chunk: str, title: str, path: list[str]) -> str:
    """Écrire devant un morceau où il se trouve, une seule fois."""
    ### BEGIN SOLUTION
    if isinstance(path, str):
        raise ValueError("path doit être une liste de titres, pas une chaîne.")
    places = [place for place in (title, *path) if place]
    if not places:
        return chunk
    prefix = " > ".join(places) + "\n\n"
    return chunk if chunk.startswith(prefix) else prefix + chunk
    ### END SOLUTION


# %% check="chunking.contextual"
contextualize = check("chunking.contextual", contextualize)
points("chunking.contextual")

# %% [markdown] tags=["solution"]
# **Explication.** `startswith(prefix)`, avec le préfixe entier : un morceau qui commence par le même mot que le titre, ou
# qui cite le chemin plus loin, doit quand même recevoir le sien.
#
# **Erreurs fréquentes**
# - `prefix in chunk` : le chemin cité au milieu du texte suffirait.
# - préfixer deux fois : l’ingestion repasse souvent sur les mêmes morceaux.
# - laisser un ` > ` en tête quand le titre est vide.

# %% [markdown]
# ## 8. `split_at_dips` : là où le sujet change
#
# **Niveau : standard (2 points). Importance : importante. Durée : 6 minutes.**
#
# `similarities[i]` compare la phrase `i` à la phrase `i + 1`. Donnez, en ordre croissant, les numéros `i` des phrases
# après lesquelles couper : ceux où la valeur est **strictement sous** `threshold`, et où elle n’est **ni plus grande
# que la précédente, ni plus grande que la suivante**. Aux deux bouts, il n’y a qu’une voisine ; une valeur seule n’en a
# aucune. Deux voisines égales peuvent donc être deux creux. Les valeurs sont toujours des nombres finis.
#
# | appel | résultat |
# |---|---|
# | `split_at_dips([0.8, 0.2, 0.7, 0.3, 0.9], 0.5)` | `[1, 3]` |
# | `split_at_dips([0.4, 0.3, 0.2, 0.3], 0.5)` | `[2]` |


# %% exercise="chunking.semantic"
def split_at_dips(similarities: list[float], threshold: float) -> list[int]:
    """Donner les numéros des phrases après lesquelles le sujet change."""
    ### BEGIN SOLUTION
    boundaries = []
    for i, value in enumerate(similarities):
        neighbours = [*similarities[max(0, i - 1) : i], *similarities[i + 1 : i + 2]]
        if value < threshold and all(value <= neighbour for neighbour in neighbours):
            boundaries.append(i)
    return boundaries
    ### END SOLUTION


# %% check="chunking.semantic"
split_at_dips = check("chunking.semantic", split_at_dips)
points("chunking.semantic")

# %% [markdown] tags=["solution"]
# **Explication.** Une tranche qui sort de la liste est vide : les bouts n’ont pas besoin de cas à part. `<=` garde les
# valeurs égales ; avec `<`, deux creux égaux s’annuleraient, et une frontière serait perdue.
#
# **Erreurs fréquentes**
# - couper partout sous le seuil : une descente de trois phrases donnerait trois frontières.
# - `similarities[i - 1]` pour `i = 0` : en Python, c’est la dernière valeur.
# - rendre `i + 1`, la phrase d’après.

# %% [markdown]
# ## 9. Question écrite : la réponse est dans la table
#
# **4 points, corrigés par votre enseignant. Durée : 10 minutes.**
#
# Un système répond souvent « je ne trouve pas » à des questions dont la réponse est dans une **table d’un PDF**.
# Expliquez pourquoi, puis ce que vous feriez. Une demi-page suffit ; prenez un exemple.
#
# **Barème**
#
# | points | pour |
# |---|---|
# | 1 | deux causes au moins, placées dans la chaîne : lecture du PDF, découpage, recherche |
# | 1 | pour chacune, *pourquoi* la question ne rencontre plus la réponse, sur un exemple |
# | 1 | un remède à la lecture ou au découpage, décrit assez pour être programmé |
# | 1 | un remède à la recherche ou à l’usage (hybride, outil), **et** comment vérifier que cela va mieux |

# %% [markdown] written="chunking.w_table" points=4
# *Votre réponse ici.*

# %% [markdown] tags=["solution"]
# **Une réponse possible.** *Les causes.* L’extraction mêle les cellules, ou les sort colonne par colonne : le prix
# n’est plus à côté de sa pièce. Le découpage sépare une ligne de ses en-têtes : « moteur | 2 | 18,50 » ne dit plus ce
# qui est un prix. La recherche échoue enfin : la question « que consomme le moteur ? » ne partage aucun mot avec la
# cellule « 3 A », et le vecteur d’une ligne de chiffres ne ressemble à rien.
#
# *Les remèdes.* Extraire la table avec un outil qui lit sa structure (pdfplumber, Camelot, un modèle de mise en page).
# Faire de chaque ligne un morceau qui se comprend seul, avec les en-têtes et le titre de la table : « Liste des pièces >
# Propulsion. Pièce : moteur ; Prix : 18,50 € ». Garder la page et la table en métadonnées. Chercher par les mots *et* par
# le sens : le lexical trouve « moteur » à coup sûr. Pour les questions de calcul, extraire la table dans une base et
# l’interroger en SQL, plutôt que laisser le modèle compter.
#
# *La preuve.* Annoter vingt questions sur des tables, mesurer leur rappel à part, avant et après : un bon rappel moyen
# peut cacher un segment à zéro.

# %% [markdown]
# ## Bravo
#
# Vous savez couper, étiqueter et mesurer. Essayez la chaîne sur un texte à vous :

# %%
page = "## Alimentation\nUn fusible de 5 A protège R2. Sa batterie est une LiPo 3S.\n## Lidar\nIl tourne à 5,5 Hz."
for section in chunk_headings(page):
    for piece in chunk_sentences(section["text"], 8, 0):
        print(repr(contextualize(piece, "Manuel", section["path"])))
