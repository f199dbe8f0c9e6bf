"""pq.encode: the number of the nearest codeword, subvector by subvector."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ragteach.checking.compare import Difference, same
from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.pq.inputs import numbers, type_fault
from ragteach.retrieval.pq import pq_encode

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

TIE = 1e-9

BOOKS = np.array([[[0.0, 0.0], [2.0, 1.0], [6.0, 5.0]], [[1.0, -1.0], [-3.0, 0.0], [0.0, 4.0]]])
VECTORS = np.array(
    [[2.0, 2.0, -2.0, 1.0], [5.0, 5.0, 1.0, 3.0], [0.0, 1.0, 2.0, -1.0], [3.0, 0.0, 0.0, 0.5], [1.0, -3.0, -1.0, -2.0]]
)
THREE = np.array([[[0.0], [3.0]], [[10.0], [-10.0]], [[1.0], [2.0]]])


def inputs() -> SearchStrategy[tuple]:
    """Draw up to four vectors and codebooks that fit them."""
    from hypothesis import strategies as st

    shapes = st.tuples(st.integers(1, 4), st.integers(1, 3), st.integers(1, 4), st.integers(1, 2)) | st.tuples(
        st.integers(2, 4), st.integers(1, 3), st.integers(3, 4), st.just(2)
    )
    return shapes.flatmap(lambda s: st.tuples(numbers(s[0], s[1] * s[3]), numbers(s[1], s[2], s[3])))


def squared(vectors, codebooks):
    """Give the squared distance of each subvector to each codeword of its place: shape (N, M, K)."""
    parts = vectors.reshape(len(vectors), len(codebooks), 1, -1)
    return ((parts - codebooks[None]) ** 2).sum(axis=3)


def judge(args: tuple, expected: Any, got: Any) -> Difference | None:
    """Compare codes; one codeword may stand for another that is as near."""
    difference = same(expected, got)
    if difference and difference.kind == "value" and not difference.path.endswith("dtype"):
        distances, wanted, found = squared(*args), np.asarray(expected), np.asarray(got)
        n_codes = distances.shape[2]
        whole = (found == np.rint(found)).all() and 0 <= min(found.min(), wanted.min())
        if whole and wanted.shape == distances.shape[:2] and max(found.max(), wanted.max()) < n_codes:
            chosen = [np.take_along_axis(distances, c[:, :, None].astype(int), axis=2) for c in (wanted, found)]
            if (np.abs(chosen[0] - chosen[1]) <= TIE * np.maximum(1, chosen[0])).all():
                difference = None
    return difference or type_fault(expected, got, "")


def by(scores):
    """Make a coding that takes the codeword of the smallest score."""
    return lambda vectors, codebooks: scores(vectors, codebooks).argmin(axis=2).astype(np.uint8)


def products(vectors, codebooks):
    return np.einsum("nms,mks->nmk", vectors.reshape(len(vectors), len(codebooks), -1), codebooks)


def absolute(vectors, codebooks):
    parts = vectors.reshape(len(vectors), len(codebooks), 1, -1)
    return np.abs(parts - codebooks[None]).sum(axis=3)


def interleaved(vectors, codebooks):
    parts = np.stack([vectors[:, m :: len(codebooks)] for m in range(len(codebooks))], axis=1)
    return squared(parts.reshape(len(vectors), -1), codebooks)


def first_book(vectors, codebooks):
    return squared(vectors, np.stack([codebooks[0]] * len(codebooks)))


def one_code(vectors, codebooks):
    best = squared(vectors, codebooks).sum(axis=1).argmin(axis=1)
    return np.stack([best] * len(codebooks), axis=1).astype(np.uint8)


def codewords(vectors, codebooks):
    codes = pq_encode(vectors, codebooks)
    return np.concatenate([book[column] for book, column in zip(codebooks, codes.T, strict=True)], axis=1)


ENCODE = Exercise(
    id="pq.encode",
    chapter="07_pq",
    entry="pq_encode",
    title={"fr": "Coder les vecteurs", "en": "Code the vectors"},
    points=2,
    importance=3,
    minutes=6,
    reference=pq_encode,
    judge=judge,
    examples=(
        Example(
            (VECTORS, BOOKS),
            {
                "fr": "Le vecteur 0 se coupe en (2, 2) et (−2, 1) : mots 1 et 1. Chaque moitié cherche dans son "
                "dictionnaire.",
                "en": "Vector 0 is cut into (2, 2) and (-2, 1): codewords 1 and 1. Each half looks in its own "
                "codebook.",
            },
        ),
        Example(
            (np.array([[2.0, 1.0, 0.0, 4.0]]), BOOKS),
            {
                "fr": "Un vecteur fait de deux mots de code : il est codé sans perte, [1, 2].",
                "en": "A vector made of two codewords: it is coded without loss, [1, 2].",
            },
        ),
        Example(
            (np.array([[1.9, -8.0, 1.4], [1.2, 2.0, 1.6]]), THREE),
            {
                "fr": "Trois sous-espaces d’une seule dimension : trois codes par vecteur.",
                "en": "Three subspaces of a single dimension: three codes a vector.",
            },
        ),
        Example(
            (np.array([[1.0, 1.0]]), np.array([[[1.0, 0.0], [5.0, 5.0]]])),
            {
                "fr": "(5, 5) a le plus grand produit scalaire avec (1, 1), mais (1, 0) est bien plus proche : code 0.",
                "en": "(5, 5) has the greatest inner product with (1, 1), but (1, 0) is much nearer: code 0.",
            },
        ),
        Example(
            (np.array([[0.0, 0.0]]), np.array([[[3.0, 3.0], [0.0, 5.0]]])),
            {
                "fr": "Distances au carré 18 et 25 : code 0, bien que la somme des écarts soit plus petite pour "
                "l’autre (5 contre 6).",
                "en": "Squared distances 18 and 25: code 0, although the sum of gaps is smaller for the other (5 "
                "against 6).",
            },
        ),
        Example(
            (np.array([[1.5, 0.0, 5.0]]), THREE),
            {
                "fr": "À égalité (1,5 entre 0 et 3), l’un ou l’autre convient.",
                "en": "In a tie (1.5 between 0 and 3), either will do.",
            },
        ),
        Example(
            (VECTORS[:2], BOOKS[:, :1]),
            {
                "fr": "Un seul mot par dictionnaire : tous les codes valent 0.",
                "en": "A single codeword a codebook: all codes are 0.",
            },
        ),
        Example(
            (VECTORS[:, :3], BOOKS),
            {
                "fr": "Des vecteurs de 3 nombres, des dictionnaires pour 4 : levez une ValueError.",
                "en": "Vectors of 3 numbers, codebooks for 4: raise a ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=(
        Misconception(
            "inner_product",
            by(lambda vectors, codebooks: -products(vectors, codebooks)),
            {
                "fr": "Vous prenez le plus grand produit scalaire, comme au chapitre 06. Les mots de code n’ont pas la "
                "norme 1 : prenez la plus petite distance.",
                "en": "You take the greatest inner product, as in chapter 06. Codewords have not norm 1: take the "
                "smallest distance.",
            },
        ),
        Misconception(
            "farthest",
            by(lambda vectors, codebooks: -squared(vectors, codebooks)),
            {
                "fr": "Vous choisissez le mot le plus éloigné (argmax d’une distance). Prenez argmin.",
                "en": "You choose the farthest codeword (argmax of a distance). Take argmin.",
            },
        ),
        Misconception(
            "absolute",
            by(absolute),
            {
                "fr": "Vous additionnez des valeurs absolues. La distance est celle d’Euclide : additionnez les "
                "carrés.",
                "en": "You add up absolute values. The distance is Euclid's: add up squares.",
            },
        ),
        Misconception(
            "interleaved",
            by(interleaved),
            {
                "fr": "Vous prenez une dimension sur M. Le sous-vecteur m est le bloc de colonnes de m·d/M à "
                "(m+1)·d/M.",
                "en": "You take every M-th dimension. Subvector m is the block of columns from m·d/M to (m+1)·d/M.",
            },
        ),
        Misconception(
            "first_book",
            by(first_book),
            {
                "fr": "Vous cherchez toujours dans le premier dictionnaire. Le sous-vecteur m cherche dans "
                "codebooks[m].",
                "en": "You always look in the first codebook. Subvector m looks in codebooks[m].",
            },
        ),
        Misconception(
            "one_code",
            one_code,
            {
                "fr": "Vous donnez le même code à tous les morceaux d’un vecteur. Chaque morceau choisit le sien.",
                "en": "You give all pieces of a vector the same code. Each piece chooses its own.",
            },
        ),
        Misconception(
            "transposed",
            lambda vectors, codebooks: pq_encode(vectors, codebooks).T,
            {
                "fr": "Vos codes ont la forme (M, N). On veut une ligne par vecteur, (N, M) : np.stack(..., axis=1).",
                "en": "Your codes have shape (M, N). One row a vector is wanted, (N, M): np.stack(..., axis=1).",
            },
        ),
        Misconception(
            "numbered_from_1",
            lambda vectors, codebooks: pq_encode(vectors, codebooks) + np.uint8(1),
            {
                "fr": "Vos mots sont numérotés à partir de 1. Le premier a le code 0.",
                "en": "Your codewords are numbered from 1. The first one has code 0.",
            },
        ),
        Misconception(
            "codewords",
            codewords,
            {
                "fr": "Vous rendez les mots de code eux-mêmes, aussi longs que les vecteurs. Rendez leurs numéros.",
                "en": "You return the codewords themselves, as long as the vectors. Return their numbers.",
            },
        ),
        Misconception(
            "not_bytes",
            lambda vectors, codebooks: pq_encode(vectors, codebooks).astype(np.int64),
            {
                "fr": "Les bons codes, mais en entiers de huit octets : argmin rend des int64. Terminez par "
                ".astype(np.uint8).",
                "en": "The right codes, but as whole numbers of eight bytes: argmin gives int64. End with "
                ".astype(np.uint8).",
            },
        ),
    ),
    hints=(
        {
            "fr": "Pour le sous-espace m : part = le m-ième bloc de colonnes, book = codebooks[m]. Quelle est la "
            "distance de chaque ligne de part à chaque ligne de book ?",
            "en": "For subspace m: part = the m-th block of columns, book = codebooks[m]. What is the distance of each "
            "row of part to each row of book?",
        },
        {
            "fr": "((part[:, None] - book[None]) ** 2).sum(axis=2) a la forme (N, K) ; son argmin(axis=1) est la "
            "colonne m des codes.",
            "en": "((part[:, None] - book[None]) ** 2).sum(axis=2) has shape (N, K); its argmin(axis=1) is column m of "
            "the codes.",
        },
        {
            "fr": "Rassemblez par np.stack(columns, axis=1).astype(np.uint8). La vérification de départ : "
            "vectors.shape[1] != codebooks.shape[0] * codebooks.shape[2].",
            "en": "Bring them together by np.stack(columns, axis=1).astype(np.uint8). The check at the start: "
            "vectors.shape[1] != codebooks.shape[0] * codebooks.shape[2].",
        },
    ),
)
