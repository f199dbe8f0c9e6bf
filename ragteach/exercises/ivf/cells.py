"""ivf.assign and ivf.build_cells: which cell each vector belongs to, and which vectors each cell holds."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.ivf.inputs import rows
from ragteach.retrieval.ivf import assign, build_cells
from ragteach.retrieval.kmeans import unit

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

AXES = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])


def assign_inputs() -> SearchStrategy[tuple]:
    """Draw up to six vectors and four centroids."""
    from hypothesis import strategies as st

    shapes = st.tuples(st.integers(1, 6), st.integers(1, 4), st.integers(1, 3))
    return shapes.flatmap(lambda shape: st.tuples(rows(shape[0], shape[2]), rows(shape[1], shape[2])))


def cell_inputs() -> SearchStrategy[tuple]:
    """Draw the cells of up to eight vectors, and a number of cells that leaves some of them empty."""
    from hypothesis import strategies as st

    def assignments(n_cells: int) -> SearchStrategy[tuple]:
        numbers = st.lists(st.integers(0, n_cells - 1), max_size=8).map(lambda drawn: np.array(drawn, dtype=int))
        return st.tuples(numbers, st.just(n_cells))

    return st.integers(1, 5).flatmap(assignments)


def by(scores):
    """Make an assignment by other scores; ties: lower number."""
    return lambda vectors, centroids: np.round(scores(vectors, centroids), 12).argmax(axis=1)


def distances(vectors, centroids):
    return ((vectors[:, None] - centroids[None]) ** 2).sum(axis=2)


def last_of_ties(vectors, centroids):
    return len(centroids) - 1 - (vectors @ centroids.T)[:, ::-1].argmax(axis=1)


ASSIGN = Exercise(
    id="ivf.assign",
    chapter="06_ivf",
    entry="assign",
    title={"fr": "La cellule de chaque vecteur", "en": "The cell of each vector"},
    points=1,
    importance=3,
    minutes=3,
    reference=assign,
    examples=(
        Example(
            (np.array([[2.0, 1.0], [0.0, 3.0], [-2.0, 1.0], [1.0, 0.0]]), AXES),
            {
                "fr": "Chaque vecteur va vers l’axe qui lui ressemble le plus : 0, 1, 2, 0.",
                "en": "Each vector goes to the axis that it is most like: 0, 1, 2, 0.",
            },
        ),
        Example(
            (np.array([[1.0, 1.0], [-2.0, 2.0]]), AXES),
            {
                "fr": "Deux égalités : le plus petit numéro de cellule l’emporte, 0 puis 1.",
                "en": "Two ties: the lower cell number wins, 0 and then 1.",
            },
        ),
        Example(
            (np.array([[0.0, -2.0], [0.0, -1.0]]), np.array([[1.0, 3.0], [0.0, 1.0], [3.0, 2.0]])),
            {
                "fr": "Tous les produits sont négatifs ; il faut pourtant une cellule : celle du plus grand.",
                "en": "All products are negative, yet a cell is needed: that of the largest.",
            },
        ),
        Example(
            (np.array([[1.0, 1.0], [0.0, 1.0]]), np.array([[1.0, 1.0], [5.0, 0.0]])),
            {
                "fr": "Le centre 1 est long : pour le vecteur 0, son produit scalaire l’emporte (5 contre 2), bien "
                "qu’il soit plus loin et plus penché.",
                "en": "Centroid 1 is long: for vector 0 its inner product wins (5 against 2), although it is farther "
                "away and more slanted.",
            },
        ),
        Example(
            (np.array([[1.0, 1.0]]), np.array([[1.0, 0.0], [3.0, 3.0]])),
            {
                "fr": "Un seul vecteur : un tableau d’un seul numéro. Le centre le plus proche en distance n’est pas "
                "celui du plus grand produit.",
                "en": "A single vector: an array of one number. The centroid nearest by distance is not that of the "
                "largest product.",
            },
        ),
        Example(
            (np.array([[1.0, 2.0], [0.0, 0.0], [-1.0, 0.0]]), np.array([[0.0, 1.0]])),
            {
                "fr": "Une seule cellule : tout le monde y va, le vecteur nul aussi.",
                "en": "A single cell: everyone goes there, the zero vector too.",
            },
        ),
        Example(
            (np.array([[0.0, 0.0], [3.0, 0.0], [2.0, -1.0]]), AXES),
            {
                "fr": "Le vecteur nul est à égalité partout : cellule 0. Les cellules 1 et 2 restent vides, et c’est "
                "permis.",
                "en": "The zero vector ties everywhere: cell 0. Cells 1 and 2 stay empty, and that is allowed.",
            },
        ),
    ),
    inputs=assign_inputs,
    misconceptions=(
        Misconception(
            "distance",
            by(lambda vectors, centroids: -distances(vectors, centroids)),
            {
                "fr": "Vous choisissez le centre le plus proche en distance. L’énoncé demande le plus grand produit "
                "scalaire, vectors @ centroids.T ; les deux ne s’accordent que pour des centres de même norme.",
                "en": "You choose the centroid nearest by distance. The exercise asks for the largest inner product, "
                "vectors @ centroids.T; the two agree only where centroids have the same norm.",
            },
        ),
        Misconception(
            "cosine",
            by(lambda vectors, centroids: vectors @ unit(centroids).T),
            {
                "fr": "Vous comparez des cosinus. Ne divisez pas par la norme des centres : prenez le produit scalaire "
                "tel quel.",
                "en": "You compare cosines. Do not divide by the norm of the centroids: take the inner product as it "
                "is.",
            },
        ),
        Misconception(
            "farthest",
            by(lambda vectors, centroids: -(vectors @ centroids.T)),
            {
                "fr": "Vous prenez le plus petit produit scalaire (argmin) : le centre le moins ressemblant. "
                "C’est avec une distance qu’on prend le minimum ; ici, argmax.",
                "en": "You take the smallest inner product (argmin): the centroid least alike. The minimum goes with "
                "distances; here it is argmax.",
            },
        ),
        Misconception(
            "wrong_axis",
            lambda vectors, centroids: (vectors @ centroids.T).argmax(axis=0),
            {
                "fr": "Vous donnez à chaque centre son meilleur vecteur. On veut l’inverse, un numéro par vecteur : "
                "argmax(axis=1).",
                "en": "You give each centroid its best vector. The other way round is wanted, one number a vector: "
                "argmax(axis=1).",
            },
        ),
        Misconception(
            "no_axis",
            lambda vectors, centroids: int((vectors @ centroids.T).argmax()),
            {
                "fr": "Sans axis, argmax rend un seul numéro pour toute la matrice. Écrivez argmax(axis=1).",
                "en": "Without axis, argmax returns one number for the whole matrix. Write argmax(axis=1).",
            },
        ),
        Misconception(
            "last_of_ties",
            last_of_ties,
            {
                "fr": "À égalité, vous gardez le dernier centre. Gardez le premier : argmax le fait, une boucle avec "
                ">= non.",
                "en": "In a tie you keep the last centroid. Keep the first: argmax does, a loop with >= does not.",
            },
        ),
        Misconception(
            "absolute",
            by(lambda vectors, centroids: abs(vectors @ centroids.T)),
            {
                "fr": "Vous comparez des valeurs absolues : un centre opposé au vecteur lui ressemblerait. Gardez le "
                "signe.",
                "en": "You compare absolute values: a centroid opposite to the vector would be like it. Keep the sign.",
            },
        ),
        Misconception(
            "numbered_from_1",
            lambda vectors, centroids: assign(vectors, centroids) + 1,
            {
                "fr": "Vos cellules sont numérotées à partir de 1. La première est la cellule 0.",
                "en": "Your cells are numbered from 1. The first one is cell 0.",
            },
        ),
        Misconception(
            "similarities",
            lambda vectors, centroids: (vectors @ centroids.T).max(axis=1),
            {
                "fr": "Vous rendez le plus grand produit (max). Rendez le numéro du centre qui l’atteint : argmax.",
                "en": "You return the largest product (max). Return the number of the centroid that reaches it: "
                "argmax.",
            },
        ),
        Misconception(
            "centroids",
            lambda vectors, centroids: centroids[assign(vectors, centroids)],
            {
                "fr": "Vous rendez les centres eux-mêmes. Rendez leurs numéros.",
                "en": "You return the centroids themselves. Return their numbers.",
            },
        ),
    ),
    hints=(
        {
            "fr": "vectors @ centroids.T est un tableau à N lignes (les vecteurs) et C colonnes (les centres). Sur "
            "chaque ligne, où est le maximum ?",
            "en": "vectors @ centroids.T is a table of N rows (the vectors) and C columns (the centroids). In each "
            "row, where is the maximum?",
        },
        {
            "fr": "return (vectors @ centroids.T).argmax(axis=1) : argmax garde le premier maximum, donc le plus petit "
            "numéro.",
            "en": "return (vectors @ centroids.T).argmax(axis=1): argmax keeps the first maximum, hence the lower "
            "number.",
        },
    ),
)


def groups(assignment, n_cells):
    """Give the cells as lists, so that wrong variants change one thing at a time."""
    return [cell.tolist() for cell in build_cells(assignment, n_cells)]


def up_to_the_largest(assignment, n_cells):
    return groups(assignment, n_cells)[: max(assignment, default=-1) + 1]


def in_order_of_appearance(assignment, n_cells):
    cells = groups(assignment, n_cells)
    order = list(dict.fromkeys(int(cell) for cell in assignment))
    return [cells[cell] for cell in order] + [[] for _ in range(n_cells - len(order))]


def one_shared_list(assignment, n_cells):
    return [list(range(len(assignment)))] * n_cells


BUILD_CELLS = Exercise(
    id="ivf.build_cells",
    chapter="06_ivf",
    entry="build_cells",
    title={"fr": "Le contenu des cellules", "en": "What the cells hold"},
    points=1,
    importance=2,
    minutes=4,
    reference=build_cells,
    examples=(
        Example(
            (np.array([0, 1, 0, 2]), 3),
            {
                "fr": "Les vecteurs 0 et 2 sont dans la cellule 0 ; chacun est dans une cellule et une seule.",
                "en": "Vectors 0 and 2 are in cell 0; each is in one cell and no other.",
            },
        ),
        Example(
            (np.array([3, 1, 3, 3]), 4),
            {
                "fr": "Les cellules 0 et 2 sont vides ; elles gardent leur place.",
                "en": "Cells 0 and 2 are empty; they keep their place.",
            },
        ),
        Example(
            (np.array([0, 0]), 3),
            {
                "fr": "Les dernières cellules sont vides : il en faut n_cells, pas max + 1.",
                "en": "The last cells are empty: there must be n_cells of them, not max + 1.",
            },
        ),
        Example(
            (np.array([2, 0, 1, 0, 2]), 3),
            {
                "fr": "La cellule 2 est rencontrée la première ; elle reste en troisième place.",
                "en": "Cell 2 is met first; it still stands in third place.",
            },
        ),
        Example(
            (np.array([0, 0, 0]), 1),
            {"fr": "Une seule cellule contient tout.", "en": "A single cell holds everything."},
        ),
        Example(
            (np.array([], dtype=int), 2),
            {"fr": "Aucun vecteur : deux cellules vides.", "en": "No vector: two empty cells."},
        ),
        Example(
            (np.array([0, 3]), 3),
            {
                "fr": "La cellule 3 n’existe pas : levez une ValueError, sinon le vecteur 1 se perdrait sans bruit.",
                "en": "There is no cell 3: raise a ValueError, or vector 1 would be lost without a sound.",
            },
        ),
        Example(
            (np.array([1, -1]), 3),
            {
                "fr": "−1 désignerait en Python la dernière cellule : levez une ValueError.",
                "en": "-1 would mean the last cell to Python: raise a ValueError.",
            },
        ),
        Example(
            (np.array([], dtype=int), 0),
            {"fr": "Il faut au moins une cellule : ValueError.", "en": "At least one cell is needed: ValueError."},
        ),
    ),
    inputs=cell_inputs,
    misconceptions=(
        Misconception(
            "empty_left_out",
            lambda assignment, n_cells: [cell for cell in groups(assignment, n_cells) if cell],
            {
                "fr": "Vous omettez les cellules vides : les suivantes changent de numéro et ne répondent plus à leur "
                "centre. Gardez-les, vides.",
                "en": "You leave empty cells out, so the next ones change their number and no longer belong to their "
                "centroid. Keep them, empty.",
            },
        ),
        Misconception(
            "up_to_the_largest",
            up_to_the_largest,
            {
                "fr": "Vous vous arrêtez à la plus grande cellule occupée. Il en faut n_cells, les dernières fussent-"
                "elles vides.",
                "en": "You stop at the largest cell that is used. There must be n_cells, even where the last ones are "
                "empty.",
            },
        ),
        Misconception(
            "in_order_of_appearance",
            in_order_of_appearance,
            {
                "fr": "Vos cellules sont dans l’ordre où elles apparaissent. La cellule c doit être à la place c.",
                "en": "Your cells stand in the order in which they appear. Cell c must be in place c.",
            },
        ),
        Misconception(
            "one_shared_list",
            one_shared_list,
            {
                "fr": "[[]] * n_cells répète n fois la même liste : chaque ajout se voit partout. Écrivez "
                "[[] for _ in range(n_cells)].",
                "en": "[[]] * n_cells repeats the same list n times: what you append appears everywhere. Write "
                "[[] for _ in range(n_cells)].",
            },
        ),
        Misconception(
            "masks",
            lambda assignment, n_cells: [assignment == cell for cell in range(n_cells)],
            {
                "fr": "assignment == c est un tableau de vrai et de faux. np.flatnonzero(assignment == c) en donne les "
                "numéros.",
                "en": "assignment == c is an array of true and false. np.flatnonzero(assignment == c) gives the "
                "numbers.",
            },
        ),
        Misconception(
            "tuples",
            lambda assignment, n_cells: [np.where(assignment == cell) for cell in range(n_cells)],
            {
                "fr": "np.where rend un tuple qui contient le tableau. Prenez son premier élément, [0], ou "
                "np.flatnonzero.",
                "en": "np.where returns a tuple that holds the array. Take its first item, [0], or use np.flatnonzero.",
            },
        ),
        Misconception(
            "sizes",
            lambda assignment, n_cells: np.bincount(assignment, minlength=n_cells),
            {
                "fr": "Vous comptez les vecteurs de chaque cellule. Rendez leurs numéros.",
                "en": "You count the vectors of each cell. Return their numbers.",
            },
        ),
        Misconception(
            "cells_from_1",
            lambda assignment, n_cells: [np.flatnonzero(assignment == cell) for cell in range(1, n_cells + 1)],
            {
                "fr": "Vous parcourez les cellules 1 à n_cells : la cellule 0 est perdue. Elles vont de 0 à "
                "n_cells − 1.",
                "en": "You go through cells 1 to n_cells, and cell 0 is lost. They run from 0 to n_cells - 1.",
            },
        ),
        Misconception(
            "decreasing",
            lambda assignment, n_cells: [cell[::-1] for cell in groups(assignment, n_cells)],
            {
                "fr": "Vos numéros décroissent dans chaque cellule. Rangez-les par ordre croissant.",
                "en": "Your numbers decrease in each cell. Put them in increasing order.",
            },
        ),
        Misconception(
            "as_dict",
            lambda assignment, n_cells: dict(enumerate(groups(assignment, n_cells))),
            {
                "fr": "Vous rendez un dictionnaire. Rendez une liste : la place c contient la cellule c.",
                "en": "You return a dictionary. Return a list: place c holds cell c.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Pour une cellule c : les numéros i tels que assignment[i] == c. Il faut le faire pour chaque c de "
            "range(n_cells), même si aucun i ne convient.",
            "en": "For a cell c: the numbers i with assignment[i] == c. Do it for each c in range(n_cells), even where "
            "no i fits.",
        },
        {
            "fr": "[np.flatnonzero(assignment == c) for c in range(n_cells)]. Avant, refusez n_cells < 1 et tout "
            "numéro hors de 0 à n_cells − 1.",
            "en": "[np.flatnonzero(assignment == c) for c in range(n_cells)]. Before that, reject n_cells < 1 and any "
            "number outside 0 to n_cells - 1.",
        },
    ),
)
