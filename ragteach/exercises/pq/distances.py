"""pq.distances: distances of a query to coded vectors, by one table and M look-ups a vector."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.pq.inputs import codes, numbers
from ragteach.retrieval.pq import pq_distances, pq_encode

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

BOOKS = np.array([[[0.0, 0.0], [2.0, 1.0], [6.0, 5.0]], [[1.0, -1.0], [-3.0, 0.0], [0.0, 4.0]]])
CODES = np.array([[1, 1], [2, 0], [0, 2], [1, 0]], dtype=np.uint8)
QUERY = np.array([2.0, 2.0, -2.0, 1.0])
LINES = np.array([[[0.0], [3.0]], [[10.0], [-10.0]], [[1.0], [2.0]]])


def inputs() -> SearchStrategy[tuple]:
    """Draw a query, up to four coded vectors and the codebooks that fit them."""
    from hypothesis import strategies as st

    shapes = st.tuples(st.integers(1, 4), st.integers(1, 3), st.integers(1, 4), st.integers(1, 2))
    return shapes.flatmap(lambda s: st.tuples(numbers(s[1] * s[3]), codes(*s[:3]), numbers(s[1], s[2], s[3])))


def add_up(table, codes):
    """Add up the numbers of a table (M, K) that each row of codes points to."""
    return table[np.arange(len(table)), codes].sum(axis=1)


def by(entry):
    """Make a look-up in another table: entry(query's subvectors (M, 1, d/M), codebooks) gives it."""
    return lambda query, codes, codebooks: add_up(
        entry(query.reshape(len(codebooks), 1, -1), codebooks), checked(query, codes, codebooks)
    )


def checked(query, codes, codebooks):
    """Refuse what the exercise refuses."""
    pq_distances(query, codes, codebooks)
    return codes


def interleaved(query, codes, codebooks):
    parts = np.concatenate([query[m :: len(codebooks)] for m in range(len(codebooks))])
    return pq_distances(parts, codes, codebooks)


def symmetric(query, codes, codebooks):
    own = pq_encode(query[None], codebooks)[0]
    coded = np.concatenate([book[code] for book, code in zip(codebooks, own, strict=True)])
    return pq_distances(coded, codes, codebooks)


def not_summed(query, codes, codebooks):
    table = ((codebooks - query.reshape(len(codebooks), 1, -1)) ** 2).sum(axis=2)
    return table[np.arange(len(table)), checked(query, codes, codebooks)]


def first_row(query, codes, codebooks):
    table = ((codebooks - query.reshape(len(codebooks), 1, -1)) ** 2).sum(axis=2)
    return table[0][checked(query, codes, codebooks)].sum(axis=1)


def sum_of_roots(parts, codebooks):
    return np.sqrt(((codebooks - parts) ** 2).sum(axis=2))


DISTANCES = Exercise(
    id="pq.distances",
    chapter="07_pq",
    entry="pq_distances",
    title={"fr": "Mesurer sans décoder", "en": "Measure without decoding"},
    points=3,
    importance=3,
    minutes=10,
    reference=pq_distances,
    examples=(
        Example(
            (QUERY, CODES, BOOKS),
            {
                "fr": "Une table de deux lignes et trois colonnes ; le vecteur 0, codé [1, 1], a la distance "
                "table[0, 1] + table[1, 1] = 1 + 2.",
                "en": "A table of two rows and three columns; vector 0, coded [1, 1], is at distance table[0, 1] + "
                "table[1, 1] = 1 + 2.",
            },
        ),
        Example(
            (np.array([6.0, 5.0, 1.0, -1.0]), CODES, BOOKS),
            {
                "fr": "La question est exactement le vecteur décodé 1 : distance 0.",
                "en": "The query is exactly the decoded vector 1: distance 0.",
            },
        ),
        Example(
            (np.array([1.0, 4.0, 3.0]), np.array([[0, 0, 1], [1, 1, 0], [1, 0, 1]], dtype=np.uint8), LINES),
            {
                "fr": "Trois sous-espaces d’une dimension : trois nombres de la table par vecteur.",
                "en": "Three subspaces of one dimension: three numbers of the table a vector.",
            },
        ),
        Example(
            (np.array([3.0, 4.0]), np.array([[0]], dtype=np.uint8), np.array([[[0.0, 0.0]]])),
            {
                "fr": "Au carré : 25, pas 5. La racine ne changerait pas l’ordre, elle coûterait du temps.",
                "en": "Squared: 25, not 5. The root would not change the order; it would cost time.",
            },
        ),
        Example(
            (QUERY, CODES[[3, 3, 0]], BOOKS),
            {
                "fr": "Deux vecteurs de même code ont la même distance : la question ne peut plus les distinguer.",
                "en": "Two vectors of the same code are at the same distance: the query can no longer tell them apart.",
            },
        ),
        Example(
            (QUERY, np.zeros((0, 2), dtype=np.uint8), BOOKS),
            {"fr": "Aucun vecteur : un tableau vide.", "en": "No vector: an empty array."},
        ),
        Example(
            (QUERY[:3], CODES, BOOKS),
            {
                "fr": "Une question de 3 nombres pour des dictionnaires de 4 : ValueError.",
                "en": "A query of 3 numbers for codebooks of 4: ValueError.",
            },
        ),
        Example(
            (QUERY, CODES[:, :1], BOOKS),
            {
                "fr": "Un code par vecteur alors qu’il y a deux sous-espaces : ValueError.",
                "en": "One code a vector although there are two subspaces: ValueError.",
            },
        ),
        Example(
            (QUERY, np.array([[1, 3]]), BOOKS),
            {
                "fr": "Le mot 3 n’existe pas (0 à 2) : ValueError.",
                "en": "There is no codeword 3 (0 to 2): ValueError.",
            },
        ),
        Example(
            (QUERY, np.array([[1, -1]]), BOOKS),
            {
                "fr": "−1 désignerait en Python le dernier mot : ValueError.",
                "en": "-1 would mean the last codeword to Python: ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=(
        Misconception(
            "root",
            lambda query, codes, codebooks: np.sqrt(pq_distances(query, codes, codebooks)),
            {
                "fr": "Vous prenez la racine. On garde les distances au carré : elles s’additionnent, et l’ordre est "
                "le même.",
                "en": "You take the root. Distances stay squared: they add up, and the order is the same.",
            },
        ),
        Misconception(
            "sum_of_roots",
            by(sum_of_roots),
            {
                "fr": "Vous additionnez des distances, non leurs carrés : par Pythagore, seuls les carrés "
                "s’additionnent. Enlevez la racine de la table.",
                "en": "You add up distances instead of their squares; by Pythagoras, only squares add up. Take the "
                "root out of the table.",
            },
        ),
        Misconception(
            "absolute",
            by(lambda parts, codebooks: np.abs(codebooks - parts).sum(axis=2)),
            {
                "fr": "Votre table additionne des valeurs absolues. Additionnez les carrés des écarts.",
                "en": "Your table adds up absolute values. Add up the squares of the gaps.",
            },
        ),
        Misconception(
            "inner_products",
            by(lambda parts, codebooks: (codebooks * parts).sum(axis=2)),
            {
                "fr": "Votre table contient des produits scalaires. On demande des distances au carré : "
                "(codebooks - parts) ** 2, sommé sur le dernier axe.",
                "en": "Your table holds inner products. Squared distances are asked for: (codebooks - parts) ** 2, "
                "summed over the last axis.",
            },
        ),
        Misconception(
            "symmetric",
            symmetric,
            {
                "fr": "Vous codez aussi la question : c’est la distance symétrique, dont l’erreur est plus grande. La "
                "question est unique et déjà en mémoire : gardez-la telle quelle.",
                "en": "You code the query too: that is the symmetric distance, with a larger error. There is one query "
                "and it is in memory already: keep it as it is.",
            },
        ),
        Misconception(
            "interleaved",
            interleaved,
            {
                "fr": "Vous coupez la question en prenant une dimension sur M. Le morceau m est un bloc qui se suit : "
                "query.reshape(M, -1)[m].",
                "en": "You cut the query by taking every M-th dimension. Piece m is a consecutive block: "
                "query.reshape(M, -1)[m].",
            },
        ),
        Misconception(
            "first_row",
            first_row,
            {
                "fr": "Vous lisez toujours la première ligne de la table. Le code du sous-espace m se lit dans la "
                "ligne m.",
                "en": "You always read the first row of the table. The code of subspace m is looked up in row m.",
            },
        ),
        Misconception(
            "not_summed",
            not_summed,
            {
                "fr": "Vous avez bien les M nombres de chaque vecteur ; il reste à les additionner : sum(axis=1).",
                "en": "You have the M numbers of each vector; they remain to be added up: sum(axis=1).",
            },
        ),
        Misconception(
            "mean",
            lambda query, codes, codebooks: pq_distances(query, codes, codebooks) / len(codebooks),
            {
                "fr": "Vous prenez la moyenne sur les sous-espaces. La distance est leur somme.",
                "en": "You take the mean over subspaces. The distance is their sum.",
            },
        ),
        Misconception(
            "ranking",
            lambda query, codes, codebooks: np.argsort(pq_distances(query, codes, codebooks), kind="stable"),
            {
                "fr": "Vous rendez un classement. Rendez les distances, dans l’ordre des vecteurs.",
                "en": "You return a ranking. Return the distances, in the order of the vectors.",
            },
        ),
    ),
    hints=(
        {
            "fr": "La distance au carré entre deux vecteurs est la somme, sur leurs morceaux, des distances au carré. "
            "Et un morceau codé n’a que K valeurs possibles : calculez-les d’avance.",
            "en": "The squared distance between two vectors is the sum, over their pieces, of squared distances. And a "
            "coded piece has only K possible values: compute them beforehand.",
        },
        {
            "fr": "parts = query.reshape(M, 1, -1) ; table = ((codebooks - parts) ** 2).sum(axis=2), de forme (M, K).",
            "en": "parts = query.reshape(M, 1, -1); table = ((codebooks - parts) ** 2).sum(axis=2), of shape (M, K).",
        },
        {
            "fr": "return table[np.arange(M), codes].sum(axis=1) : la ligne m de la table, à la colonne codes[:, m].",
            "en": "return table[np.arange(M), codes].sum(axis=1): row m of the table, at column codes[:, m].",
        },
    ),
)
