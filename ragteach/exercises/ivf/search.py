"""ivf.search: exact search in the cells nearest to the query."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.ivf.inputs import MAX_VALUE, cells_of, counts, rows
from ragteach.retrieval.exact import exact_search, filtered_search
from ragteach.retrieval.ivf import ivf_search

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

QUERY = np.array([3.0, 2.0])
VECTORS = np.array([[0.0, 3.0], [1.0, 0.0], [2.0, 0.0], [-2.0, 1.0], [1.0, 2.0], [-1.0, -1.0]])
CENTROIDS = np.array([[1.0, 0.0], [0.0, 1.0], [-1.0, 0.0]])
CELLS = cells_of(VECTORS, CENTROIDS)  # [1, 2], [0, 4], [3, 5]

# The query is nearest to the centroids 1 and 0, whose cells are empty.
FAR = np.array([[0.0, 1.0], [-1.0, 2.0], [-2.0, 0.0]])
TWO_EMPTY = np.array([[1.0, -3.0], [2.0, -3.0], [0.0, 1.0], [-1.0, 0.0]])

TIED = np.array([[0.0, 2.0], [2.0, 0.0], [0.0, 2.0], [2.0, 0.0]])
TIED_CENTROIDS = np.array([[2.0, 0.0], [0.0, 1.0]])


def inputs() -> SearchStrategy[tuple]:
    """Draw vectors, a query, centroids with the cells that they make, k and nprobe."""
    from hypothesis import strategies as st

    def world(n: int, n_cells: int, dims: int, largest: int = MAX_VALUE) -> SearchStrategy[tuple]:
        query = rows(1, dims, largest).map(lambda drawn: drawn[0])
        return st.tuples(query, rows(n, dims, largest), rows(n_cells, dims, largest))

    def call(drawn: tuple, empty: bool, k: int, nprobe: int) -> tuple:
        query, vectors, centroids = drawn
        cells = cells_of(vectors, centroids)
        return query, vectors, centroids, [cell[:0] for cell in cells] if empty else cells, k, nprobe

    small = st.tuples(st.integers(1, 7), st.integers(1, 4), st.integers(1, 3)).flatmap(lambda shape: world(*shape))
    # Many vectors and cells, of which few are visited: which ones, then decides.
    large, tied = world(7, 4, 2, 2), world(7, 4, 2, 1)
    full = st.just(False)
    return st.one_of(
        st.builds(call, small, full, counts(), st.integers(1, 5)),
        st.builds(call, large, full, st.integers(1, 4), st.integers(1, 2)),
        st.builds(call, tied, full, st.integers(2, 4), st.integers(1, 3)),
        st.builds(call, large, st.sampled_from((True, True, False)), st.integers(2, 6), st.integers(2, 3)),
    )


def ranked(scores):
    return np.argsort(-scores, kind="stable")


def candidates(query, centroids, cells, nprobe, similarities=None):
    """Give the vectors of the cells probed, cell after cell, the nearest cell first; empty cells are skipped."""
    similarities = centroids @ query if similarities is None else similarities
    probed = [cell for cell in ranked(similarities) if len(cells[cell])][:nprobe]
    return [int(doc) for cell in probed for doc in cells[cell]]


def best_of(found, query, vectors, k):
    """Rank candidates by their inner product with the query; ties: lower number first."""
    return filtered_search(vectors, query, k, found)


def empty_cells_count(query, vectors, centroids, cells, k, nprobe):
    probed = ranked(centroids @ query)[:nprobe]
    return best_of([int(doc) for cell in probed for doc in cells[cell]], query, vectors, k)


def positions(query, vectors, centroids, cells, k, nprobe):
    found = sorted(candidates(query, centroids, cells, nprobe))
    return [found.index(doc) for doc in best_of(found, query, vectors, k)]


def one_cell(query, vectors, centroids, cells, k, nprobe):
    return ivf_search(query, vectors, centroids, cells, k, 1)


def all_cells(query, vectors, centroids, cells, k, nprobe):
    return exact_search(vectors, query, k)


def farthest_cells(query, vectors, centroids, cells, k, nprobe):
    return best_of(candidates(query, centroids, cells, nprobe, -(centroids @ query)), query, vectors, k)


def cells_in_order(query, vectors, centroids, cells, k, nprobe):
    return best_of(candidates(query, centroids, cells, nprobe, -np.arange(len(cells))), query, vectors, k)


def ranked_by_cell(query, vectors, centroids, cells, k, nprobe):
    """Rank within each cell probed, k vectors at most, and put the cells end to end."""
    probed = [cell for cell in ranked(centroids @ query) if len(cells[cell])][:nprobe]
    return [doc for cell in probed for doc in best_of(cells[cell].tolist(), query, vectors, k)]


def cell_after_cell(query, vectors, centroids, cells, k, nprobe):
    return ranked_by_cell(query, vectors, centroids, cells, k, nprobe)[:k]


def not_ranked(query, vectors, centroids, cells, k, nprobe):
    return candidates(query, centroids, cells, nprobe)[:k]


def worst_first(query, vectors, centroids, cells, k, nprobe):
    return best_of(candidates(query, centroids, cells, nprobe), -query, vectors, k)


def ties_by_cell(query, vectors, centroids, cells, k, nprobe):
    found = candidates(query, centroids, cells, nprobe)
    return sorted(found, key=lambda doc: -(vectors[doc] @ query))[:k]


def nearest_by_distance(query, vectors, centroids, cells, k, nprobe):
    distances = ((centroids - query) ** 2).sum(axis=1)
    return best_of(candidates(query, centroids, cells, nprobe, -distances), query, vectors, k)


def nothing_to_concatenate(query, vectors, centroids, cells, k, nprobe):
    if not any(len(cell) for cell in cells):
        raise ValueError("need at least one array to concatenate")
    return ivf_search(query, vectors, centroids, cells, k, nprobe)


def all_k_or_fails(query, vectors, centroids, cells, k, nprobe):
    found = candidates(query, centroids, cells, nprobe)
    return [best_of(found, query, vectors, k)[place] for place in range(k)]


SEARCH = Exercise(
    id="ivf.search",
    chapter="06_ivf",
    entry="ivf_search",
    title={"fr": "Chercher dans quelques cellules", "en": "Search a few cells"},
    points=2,
    importance=3,
    minutes=8,
    reference=ivf_search,
    uses=("ivf.exact",),
    examples=(
        Example(
            (QUERY, VECTORS, CENTROIDS, CELLS, 2, 1),
            {
                "fr": "Une cellule visitée, la 0 : elle contient les vecteurs 1 et 2. Le meilleur de tous, le 4, est "
                "dans une autre : il est manqué.",
                "en": "One cell visited, cell 0: it holds vectors 1 and 2. The best of all, 4, is in another one and "
                "is missed.",
            },
        ),
        Example(
            (QUERY, VECTORS, CENTROIDS, CELLS, 4, 2),
            {
                "fr": "Deux cellules : leurs vecteurs forment une seule liste, classée par score.",
                "en": "Two cells: their vectors make one list, ranked by score.",
            },
        ),
        Example(
            (QUERY, VECTORS, CENTROIDS, CELLS, 1, 3),
            {
                "fr": "Toutes les cellules : le résultat de la recherche exacte.",
                "en": "All cells: the result of exact search.",
            },
        ),
        Example(
            (np.array([-2.0, 1.0]), VECTORS, CENTROIDS, CELLS, 5, 1),
            {
                "fr": "La cellule visitée ne contient que deux vecteurs : on en rend deux, leurs numéros à eux "
                "(3 et 5).",
                "en": "The cell visited holds two vectors only: two are returned, by their own numbers (3 and 5).",
            },
        ),
        Example(
            (QUERY, VECTORS, CENTROIDS, CELLS, 3, 9),
            {
                "fr": "nprobe dépasse le nombre de cellules : toutes sont visitées.",
                "en": "nprobe is larger than the number of cells: all are visited.",
            },
        ),
        Example(
            (np.array([2.0, -1.0]), FAR, TWO_EMPTY, cells_of(FAR, TWO_EMPTY), 2, 1),
            {
                "fr": "Les deux cellules les plus proches sont vides : on visite la première qui ne l’est pas.",
                "en": "The two nearest cells are empty: the first one that is not is visited.",
            },
        ),
        Example(
            (np.array([1.0, 1.0]), TIED, TIED_CENTROIDS, cells_of(TIED, TIED_CENTROIDS), 3, 2),
            {
                "fr": "Quatre vecteurs à égalité, dans deux cellules : les plus petits numéros d’abord, quelle que "
                "soit la cellule.",
                "en": "Four vectors tie, in two cells: the lower numbers first, whichever their cell.",
            },
        ),
        Example(
            (
                np.array([1.0, 1.0]),
                np.array([[3.0, 0.0], [0.0, 1.0]]),
                np.array([[4.0, 0.0], [0.0, 1.0]]),
                [np.array([0]), np.array([1])],
                1,
                1,
            ),
            {
                "fr": "Le centre 0 est long : il a le plus grand produit scalaire avec la question, bien qu’il soit le "
                "plus loin.",
                "en": "Centroid 0 is long: it has the largest inner product with the query, although it is farther "
                "away.",
            },
        ),
        Example(
            (QUERY, VECTORS, CENTROIDS, [np.array([], dtype=int)] * 3, 2, 2),
            {
                "fr": "Toutes les cellules sont vides : une liste vide, sans erreur.",
                "en": "All cells are empty: an empty list, and no error.",
            },
        ),
        Example(
            (QUERY, VECTORS, CENTROIDS, CELLS, 0, 1),
            {"fr": "k doit valoir au moins 1 : ValueError.", "en": "k must be at least 1: ValueError."},
        ),
        Example(
            (QUERY, VECTORS, CENTROIDS, CELLS, 2, 0),
            {
                "fr": "nprobe doit valoir au moins 1 : ne visiter aucune cellule ne trouverait rien. ValueError.",
                "en": "nprobe must be at least 1: to visit no cell would find nothing. ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=(
        Misconception(
            "empty_cells_count",
            empty_cells_count,
            {
                "fr": "Une cellule vide prend une de vos nprobe visites (c’est ce que fait FAISS). Écartez les "
                "cellules vides avant de choisir les plus proches.",
                "en": "An empty cell uses up one of your nprobe visits (this is what FAISS does). Drop empty cells "
                "before you choose the nearest.",
            },
        ),
        Misconception(
            "positions",
            positions,
            {
                "fr": "Vous rendez des places dans la liste des candidats. Traduisez-les en numéros : "
                "candidates[place].",
                "en": "You return places in the list of candidates. Turn them into numbers: candidates[place].",
            },
        ),
        Misconception(
            "one_cell",
            one_cell,
            {
                "fr": "Vous ne visitez que la cellule la plus proche. Visitez-en nprobe.",
                "en": "You visit the nearest cell only. Visit nprobe of them.",
            },
        ),
        Misconception(
            "all_cells",
            all_cells,
            {
                "fr": "C’est la recherche exacte : vous visitez toutes les cellules. Tenez-vous-en aux nprobe plus "
                "proches de la question.",
                "en": "This is exact search: you visit all cells. Keep to the nprobe that are nearest to the query.",
            },
        ),
        Misconception(
            "farthest_cells",
            farthest_cells,
            {
                "fr": "Vous visitez les cellules les plus éloignées. Triez les produits centroids @ query du plus "
                "grand au plus petit.",
                "en": "You visit the farthest cells. Sort the products centroids @ query from largest to smallest.",
            },
        ),
        Misconception(
            "cells_in_order",
            cells_in_order,
            {
                "fr": "Vous visitez les premières cellules de la liste. Classez-les d’abord par centroids @ query.",
                "en": "You visit the first cells of the list. Rank them by centroids @ query first.",
            },
        ),
        Misconception(
            "nearest_by_distance",
            nearest_by_distance,
            {
                "fr": "Vous choisissez les cellules par distance à leur centre. Comme partout dans ce chapitre, prenez "
                "le produit scalaire : centroids @ query.",
                "en": "You choose cells by distance to their centroid. As everywhere in this chapter, take the inner "
                "product: centroids @ query.",
            },
        ),
        Misconception(
            "cell_after_cell",
            cell_after_cell,
            {
                "fr": "Vous classez dans chaque cellule, puis mettez les cellules bout à bout. Réunissez les "
                "candidats, et classez-les tous ensemble.",
                "en": "You rank within each cell and put the cells end to end. Bring the candidates together and rank "
                "them all at once.",
            },
        ),
        Misconception(
            "k_of_each",
            ranked_by_cell,
            {
                "fr": "Vous rendez k vecteurs de chaque cellule, l’une après l’autre. C’est k en tout, tous classés "
                "ensemble.",
                "en": "You return k vectors from each cell, one cell after another. It is k in all, ranked together.",
            },
        ),
        Misconception(
            "not_ranked",
            not_ranked,
            {
                "fr": "Vous coupez les candidats à k sans les classer. Classez-les par vectors[candidates] @ query.",
                "en": "You cut the candidates at k without ranking them. Rank them by vectors[candidates] @ query.",
            },
        ),
        Misconception(
            "worst_first",
            worst_first,
            {
                "fr": "Les bonnes cellules, mais les pires vecteurs d’abord : argsort trie du plus petit au plus "
                "grand. Triez l’opposé des scores.",
                "en": "The right cells, but the worst vectors first: argsort sorts from smallest to largest. Sort the "
                "negated scores.",
            },
        ),
        Misconception(
            "ties_by_cell",
            ties_by_cell,
            {
                "fr": "À égalité, vous gardez l’ordre des cellules. Triez les numéros des candidats avant de les "
                "classer par score.",
                "en": "In a tie you keep the order of the cells. Sort the candidates' numbers before ranking by score.",
            },
        ),
        Misconception(
            "nothing_to_concatenate",
            nothing_to_concatenate,
            {
                "fr": "np.concatenate refuse une liste sans tableau. Quand aucune cellule ne contient de vecteur, "
                "rendez [] avant.",
                "en": "np.concatenate rejects a list without arrays. Where no cell holds a vector, return [] first.",
            },
        ),
        Misconception(
            "all_k_or_fails",
            all_k_or_fails,
            {
                "fr": "Vous comptez sur k candidats ; les cellules visitées peuvent en contenir moins. Rendez ceux "
                "qu’il y a : [:k].",
                "en": "You rely on k candidates, but the cells visited may hold fewer. Return those that there are: "
                "[:k].",
            },
        ),
    ),
    hints=(
        {
            "fr": "Trois temps : quelles cellules (les nprobe meilleures par centroids @ query, vides exclues), quels "
            "candidats (tous leurs vecteurs), quel classement (recherche exacte parmi eux).",
            "en": "Three steps: which cells (the nprobe best by centroids @ query, empty ones left out), which "
            "candidates (all of their vectors), which ranking (exact search among them).",
        },
        {
            "fr": 'order = np.argsort(-(centroids @ query), kind="stable") ; probed = [c for c in order if '
            "len(cells[c])][:nprobe]. Si probed est vide, rendez [].",
            "en": 'order = np.argsort(-(centroids @ query), kind="stable"); probed = [c for c in order if '
            "len(cells[c])][:nprobe]. If probed is empty, return [].",
        },
        {
            "fr": "candidates = np.sort(np.concatenate([cells[c] for c in probed])), puis places = "
            "exact_search(vectors[candidates], query, k), puis candidates[places].tolist().",
            "en": "candidates = np.sort(np.concatenate([cells[c] for c in probed])), then places = "
            "exact_search(vectors[candidates], query, k), then candidates[places].tolist().",
        },
    ),
)
