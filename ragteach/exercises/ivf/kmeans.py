"""ivf.kmeans: centroids of norm 1, judged by what they must satisfy, since another start gives other centroids."""

from __future__ import annotations

from itertools import product
from typing import TYPE_CHECKING, Any

import numpy as np

from ragteach.checking.compare import Difference, same
from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.retrieval.kmeans import kmeans, unit

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

MANY = 25  # rounds after which k-means of a dozen vectors has settled, wherever it started
TIE = 1e-9


# All have norm 1 and no negative coordinate, so that no cell's vectors cancel out.
FIVE = unit(np.array([[4.0, 0.0], [4.0, 1.0], [3.0, 1.0], [1.0, 4.0], [0.0, 2.0]]))
SPREAD = unit(
    np.array(
        [[4, 0, 0], [4, 1, 0], [4, 0, 1], [0, 4, 0], [1, 4, 0], [0, 4, 1], [0, 0, 4], [1, 0, 4], [0, 1, 4], [3, 3, 1]],
        dtype=float,
    )
)
ARC = unit(np.array([[9.0, 0.0], [9.0, 1.0], [9.0, 2.0], [9.0, 3.0], [9.0, 5.0], [9.0, 8.0], [8.0, 9.0], [2.0, 9.0]]))
SPREAD_ROWS = tuple(product((0, 1, 3), (0, 1, 3), (0, 2)))[2:]
FEW = ((1, 0), (0, 1), (1, 1), (4, 1))
COPIES = np.array([[1.0, 0.0, 0.0]] * 9 + [[0.0, 1.0, 0.0], [0.0, 0.0, 1.0]])


def inputs() -> SearchStrategy[tuple]:
    """Draw up to eight vectors of norm 1, and at most as many cells as they have directions."""
    from hypothesis import strategies as st

    def cut(vectors: np.ndarray) -> SearchStrategy[tuple]:
        directions = len({tuple(row) for row in vectors.round(9).tolist()})
        return st.tuples(st.just(vectors), st.integers(1, directions), st.just(MANY), st.integers(0, 3))

    def collections(dims: int) -> SearchStrategy[np.ndarray]:
        row = st.sampled_from([row for row in product(range(5), repeat=dims) if any(row)])
        drawn = st.lists(row, min_size=1, max_size=8) | st.lists(row, min_size=5, max_size=8)
        return drawn.map(lambda rows: unit(np.array(rows, dtype=float)))

    # Copies of two or three vectors: two centroids often start alike, and one of them serves nobody.
    directions = st.lists(st.sampled_from(FEW), min_size=2, max_size=3, unique=True)
    copies = st.tuples(directions, st.lists(st.integers(0, 2), min_size=2, max_size=5)).map(
        lambda drawn: unit(np.array(drawn[0] + [drawn[0][i % len(drawn[0])] for i in drawn[1]], dtype=float))
    )
    crowded = copies.flatmap(
        lambda vectors: st.tuples(st.just(vectors), st.integers(2, 3), st.just(MANY), st.integers(0, 3))
    )
    crowded = crowded.filter(lambda drawn: drawn[1] <= len(np.unique(drawn[0], axis=0)))
    # Many directions and two or three cells: one round of moves is not enough.
    spread = st.permutations(SPREAD_ROWS).map(lambda rows: unit(np.array(rows[:8], dtype=float)))
    settling = st.tuples(spread, st.integers(2, 3), st.just(MANY), st.integers(0, 3))
    return st.one_of(st.integers(2, 3).flatmap(collections).flatmap(cut), crowded, crowded, settling)


def objective(vectors, centroids):
    """Sum each vector's inner product with the centroid that it is most like: what k-means makes large."""
    return float((vectors @ centroids.T).max(axis=1).sum())


def sums(vectors, cells, n_cells):
    return np.array([vectors[cells == cell].sum(axis=0) for cell in range(n_cells)])


def one_more_round(vectors, centroids):
    """Move each centroid to the direction of its cell; that of an empty cell stays."""
    totals = sums(vectors, (vectors @ centroids.T).argmax(axis=1), len(centroids))
    return np.where(totals.any(axis=1, keepdims=True), unit(totals), centroids)


def fault(args: tuple, got: Any) -> tuple[str, Difference] | None:
    """Name the first property that centroids lack, with what is to be told about it; None where they have all."""
    vectors, n_cells, n_iter = (*args, 8)[:3]
    difference = same(np.zeros((n_cells, vectors.shape[1])), got)
    if difference and difference.kind != "value":
        return difference.kind, difference
    centroids = np.asarray(got, dtype=float)
    norms = np.linalg.norm(centroids, axis=1)
    for cell in np.flatnonzero(abs(norms - 1) > 1e-5):
        shown = centroids[cell] / norms[cell] if norms[cell] else "norm 1"
        return "norm", Difference("value", f"[{cell}]", shown, centroids[cell])
    products = vectors @ centroids.T
    serves = (products >= products.max(axis=1, keepdims=True) - TIE).any(axis=0)
    doubles = np.triu(centroids @ centroids.T > 1 - TIE, k=1).any(axis=0)
    for cell in np.flatnonzero(~serves | doubles):
        return "empty", Difference("value", f" → len(cells[{cell}])", 1, 0)
    reached, settled = objective(vectors, centroids), objective(vectors, one_more_round(vectors, centroids))
    if (n_iter >= MANY or n_cells == 1) and settled > reached + 1e-6 * len(vectors):
        return "unsettled", Difference("value", " → sum(max(vectors @ centroids.T))", settled, reached)
    return None


def judge(args: tuple, expected: Any, got: Any) -> Difference | None:
    """Accept centroids that lack no property; beside a wrong variant's, those that lack the same one."""
    lacking, wanted = fault(args, got), fault(args, expected)
    if (lacking and lacking[0]) == (wanted and wanted[0]):
        return None
    return lacking[1] if lacking else Difference("value", "", expected, got)


def start(vectors, n_cells, n_iter, seed):
    """Refuse what the exercise refuses, and draw the first centroids among the vectors."""
    if n_cells < 1 or n_iter < 1 or n_cells > len(vectors):
        raise ValueError("bad arguments")
    return vectors[np.random.default_rng(seed).choice(len(vectors), n_cells, replace=False)]


def nearest(vectors, centroids):
    return (vectors @ centroids.T).argmax(axis=1)


def variant(move, cells_of=nearest, rounds=None):
    """Make a k-means that moves its centroids in another way: move(sums, sizes, centroids) gives the new ones."""

    def changed(vectors, n_cells, n_iter=8, seed=0):
        centroids = start(vectors, n_cells, n_iter, seed)
        for _ in range(n_iter if rounds is None else rounds):
            cells = cells_of(vectors, centroids)
            sizes = np.bincount(cells, minlength=len(centroids))
            with np.errstate(invalid="ignore"):
                centroids = move(sums(vectors, cells, len(centroids)), sizes, centroids)
        return centroids

    return changed


def empty_stays(totals, sizes, centroids):
    return np.where(sizes[:, None] > 0, unit(totals), centroids)


def mean(totals, sizes, centroids):
    return np.where(sizes[:, None] > 0, totals / np.maximum(sizes, 1)[:, None], centroids)


def empty_is_nan(totals, sizes, centroids):
    return unit(totals) / np.where(sizes > 0, 1, np.nan)[:, None]


def empty_is_zero(totals, sizes, centroids):
    return unit(totals)


def empty_is_dropped(totals, sizes, centroids):
    return unit(totals[sizes > 0])


def one_norm_for_all(totals, sizes, centroids):
    means = mean(totals, sizes, centroids)
    return means / np.linalg.norm(means)


def filled(vectors, centroids):
    """Give the cells after the repair that the exercise tells: empty ones get the vectors served worst."""
    cells = nearest(vectors, centroids)
    for cell in range(len(centroids)):
        if not (cells == cell).any():
            worst = (vectors * centroids[cells]).sum(axis=1).argmin()
            centroids[cell], cells[worst] = vectors[worst], cell
    return cells


def farthest(vectors, centroids):
    return (vectors @ centroids.T).argmin(axis=1)


def moved_once(vectors, n_cells, n_iter=8, seed=0):
    return kmeans(vectors, n_cells, 1, seed) if n_iter >= 1 else kmeans(vectors, n_cells, n_iter, seed)


NOT_NORMALISED = {
    "fr": "Vos centres sont des moyennes, plus courtes que 1 : les cellules serrées attireraient plus que "
    "les autres. Divisez chaque centre par sa norme.",
    "en": "Your centroids are means, shorter than 1, so that tight cells would attract more than the "
    "others. Divide each centroid by its norm.",
}

KMEANS = Exercise(
    id="ivf.kmeans",
    chapter="06_ivf",
    entry="kmeans",
    title={"fr": "k-means sphérique", "en": "Spherical k-means"},
    points=3,
    importance=3,
    minutes=12,
    reference=kmeans,
    judge=judge,
    uses=("ivf.assign",),
    examples=(
        Example(
            (FIVE, 1, 1),
            {
                "fr": "Une seule cellule, un seul tour : le centre est la direction de la somme des vecteurs, quel "
                "que soit le départ.",
                "en": "A single cell, a single round: the centroid is the direction of the vectors' sum, whatever the "
                "start.",
            },
        ),
        Example(
            (FIVE, 2, MANY),
            {
                "fr": "Deux groupes : après 25 tours, un tour de plus ne gagnerait rien.",
                "en": "Two groups: after 25 rounds, one round more would gain nothing.",
            },
        ),
        Example(
            (ARC, 3, MANY, 1),
            {
                "fr": "Un arc sans groupes nets : il faut plusieurs tours pour que les centres se stabilisent.",
                "en": "An arc without clear groups: it takes several rounds for the centroids to settle.",
            },
        ),
        Example(
            (SPREAD, 4, MANY),
            {
                "fr": "Dix vecteurs, quatre cellules : tous les centres ont la norme 1, aucune cellule n’est vide.",
                "en": "Ten vectors, four cells: all centroids have norm 1, and no cell is empty.",
            },
        ),
        Example(
            (SPREAD, 3, MANY, 2),
            {
                "fr": "Trois groupes et un vecteur entre deux : les centres doivent s’être stabilisés.",
                "en": "Three groups and one vector in between: the centroids must have settled.",
            },
        ),
        Example(
            (FIVE, 5, MANY),
            {
                "fr": "Autant de cellules que de vecteurs : chacun la sienne.",
                "en": "As many cells as vectors: one each.",
            },
        ),
        Example(
            (COPIES, 3, MANY),
            {
                "fr": "Neuf copies d’un vecteur : le tirage les choisit souvent, et des cellules se vident. "
                "Donnez-leur les vecteurs les plus mal servis.",
                "en": "Nine copies of one vector: the draw often picks them, and cells end up empty. Give those the "
                "vectors that are served worst.",
            },
        ),
        Example(
            (SPREAD, 3),
            {
                "fr": "Sans n_iter ni seed : 8 tours et la graine 0.",
                "en": "Without n_iter and seed: 8 rounds and seed 0.",
            },
        ),
        Example(
            (FIVE, 6),
            {
                "fr": "Plus de cellules que de vecteurs : levez une ValueError qui nomme les deux nombres.",
                "en": "More cells than vectors: raise a ValueError that names both numbers.",
            },
        ),
        Example(
            (FIVE, 0),
            {"fr": "Il faut au moins une cellule : ValueError.", "en": "At least one cell is needed: ValueError."},
        ),
        Example(
            (FIVE, 2, 0),
            {
                "fr": "Il faut au moins un tour : sans lui, les centres seraient des vecteurs tirés au hasard. "
                "ValueError.",
                "en": "At least one round is needed: without it, the centroids would be vectors drawn at random. "
                "ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=(
        Misconception(
            "not_normalised",
            variant(mean, filled),
            NOT_NORMALISED,
        ),
        Misconception(
            "not_normalised_nor_filled",
            variant(mean),
            NOT_NORMALISED,
        ),
        Misconception(
            "one_norm_for_all",
            variant(one_norm_for_all),
            {
                "fr": "Vous divisez tous les centres par un même nombre : np.linalg.norm sans axis donne la norme de "
                "toute la matrice. Écrivez axis=1, keepdims=True.",
                "en": "You divide all centroids by one number: np.linalg.norm without axis gives the norm of the whole "
                "matrix. Write axis=1, keepdims=True.",
            },
        ),
        Misconception(
            "empty_is_nan",
            variant(empty_is_nan),
            {
                "fr": "Une cellule vide donne nan : la moyenne de rien est 0/0. Traitez-la avant : déplacez son centre "
                "sur le vecteur le plus mal servi.",
                "en": "An empty cell gives nan: the mean of nothing is 0/0. Deal with it first: move its centroid onto "
                "the vector that is served worst.",
            },
        ),
        Misconception(
            "empty_is_zero",
            variant(empty_is_zero),
            {
                "fr": "Une cellule vide reçoit le centre nul, dont la norme est 0. Déplacez plutôt son centre sur le "
                "vecteur le plus mal servi.",
                "en": "An empty cell gets the zero centroid, whose norm is 0. Move its centroid onto the vector that "
                "is served worst instead.",
            },
        ),
        Misconception(
            "empty_is_dropped",
            variant(empty_is_dropped),
            {
                "fr": "Vous supprimez les cellules vides : il reste moins de n_cells centres. Déplacez leur centre sur "
                "le vecteur le plus mal servi.",
                "en": "You drop empty cells, and fewer than n_cells centroids are left. Move their centroid onto the "
                "vector that is served worst.",
            },
        ),
        Misconception(
            "empty_stays",
            variant(empty_stays),
            {
                "fr": "Une cellule vide garde son centre et reste vide jusqu’au bout : une cellule de moins. Déplacez "
                "ce centre sur le vecteur dont le produit avec son propre centre est le plus petit.",
                "en": "An empty cell keeps its centroid and stays empty to the end: one cell less. Move that centroid "
                "onto the vector whose product with its own centroid is smallest.",
            },
        ),
        Misconception(
            "never_moved",
            lambda vectors, n_cells, n_iter=8, seed=0: start(vectors, n_cells, n_iter, seed),
            {
                "fr": "Vos centres ne sont pas au milieu de leur cellule, comme s’ils n’avaient jamais bougé. À chaque "
                "tour, remplacez chacun par la somme de ses vecteurs, ramenée à la norme 1.",
                "en": "Your centroids are not in the middle of their cells, as if they had never moved. In each round, "
                "replace each by the sum of its vectors, brought back to norm 1.",
            },
        ),
        Misconception(
            "farthest",
            variant(empty_stays, farthest),
            {
                "fr": "Vous confiez chaque vecteur au centre qui lui ressemble le moins (argmin). Avec un produit "
                "scalaire, c’est argmax.",
                "en": "You give each vector to the centroid that it is least like (argmin). With an inner product it "
                "is argmax.",
            },
        ),
        Misconception(
            "moved_once",
            moved_once,
            {
                "fr": "Vos centres bougent encore : un tour de plus ferait mieux. Faites n_iter tours ; le return "
                "est-il bien après la boucle, pas dedans ?",
                "en": "Your centroids are still moving: one round more would do better. Do n_iter rounds; does return "
                "stand after the loop, and not inside it?",
            },
        ),
    ),
    hints=(
        {
            "fr": "Tirez n_cells vecteurs différents comme premiers centres, puis répétez : à chaque vecteur sa "
            "cellule (assign), à chaque cellule son nouveau centre (la somme de ses vecteurs, de norme 1).",
            "en": "Draw n_cells different vectors as first centroids, then repeat: a cell for each vector (assign), a "
            "new centroid for each cell (the sum of its vectors, at norm 1).",
        },
        {
            "fr": "Cellule vide c : served = (vectors * centroids[cells]).sum(axis=1) dit comment chaque vecteur est "
            "servi ; worst = served.argmin() est le plus mal servi ; centroids[c] = vectors[worst] et "
            "cells[worst] = c.",
            "en": "Empty cell c: served = (vectors * centroids[cells]).sum(axis=1) tells how well each vector is "
            "served; worst = served.argmin() is served worst; centroids[c] = vectors[worst] and cells[worst] = c.",
        },
        {
            "fr": "Départ : rng = np.random.default_rng(seed), puis centroids = vectors[rng.choice(len(vectors), "
            "n_cells, replace=False)]. Centre : total = vectors[cells == c].sum(axis=0), puis total / "
            "np.linalg.norm(total). Si la cellule a perdu son dernier vecteur, laissez ce centre où il est : le tour "
            "suivant s’en occupe.",
            "en": "Start: rng = np.random.default_rng(seed), then centroids = vectors[rng.choice(len(vectors), "
            "n_cells, replace=False)]. Centroid: total = vectors[cells == c].sum(axis=0), then total / "
            "np.linalg.norm(total). If the cell has lost its last vector, leave its centroid where it is: the next "
            "round deals with it.",
        },
    ),
)
