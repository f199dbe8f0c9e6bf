"""lsa.fit and lsa.embed: the truncated singular value decomposition, and the projection on it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ragteach.checking.compare import Difference, same
from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.lsa.inputs import rows
from ragteach.retrieval.dense import unit_rows
from ragteach.retrieval.lsa import lsa_embed, lsa_fit

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

# Singular values closer than this share of the largest make one group, in which only the subspace is determined.
SAME_VALUE = 1e-3
ROOT = 0.5**0.5


def groups(singular_values: np.ndarray) -> list[slice]:
    """Cut decreasing singular values into runs of nearly equal ones."""
    values = np.asarray(singular_values, dtype=float)
    cuts = [i for i in range(1, len(values)) if values[i - 1] - values[i] > SAME_VALUE * values[0]]
    return [slice(start, stop) for start, stop in zip([0, *cuts], [*cuts, len(values)], strict=True)]


def no_group_is_cut(matrix: np.ndarray, dims: int) -> bool:
    """Tell whether the first `dims` components span a subspace that does not depend on who computes it."""
    values = np.linalg.svd(matrix, compute_uv=False)
    return matrix.any() and (dims >= len(values) or values[dims - 1] - values[dims] > SAME_VALUE * values[0])


def fit_inputs() -> SearchStrategy[tuple]:
    """Draw a matrix of small whole numbers, wide, square or tall, and a number of dimensions, often too large."""
    from hypothesis import strategies as st

    matrices = st.tuples(st.integers(1, 4), st.integers(1, 5)).flatmap(lambda shape: rows(*shape))
    return st.tuples(matrices, st.integers(1, 6)).filter(lambda drawn: no_group_is_cut(*drawn))


def up_to_signs(args: tuple, expected: Any, got: Any) -> Difference | None:
    """Compare two decompositions: components up to their sign, and groups of equal singular values as subspaces."""
    try:
        (components, values), (got_components, got_values) = expected, got
        wanted, given = (np.asarray(rows, dtype=float) for rows in (components, got_components))
    except (TypeError, ValueError):  # no pair of arrays
        return same(expected, got)
    if difference := same(np.asarray(values), got_values, "[1]"):
        return difference
    if wanted.ndim != 2 or wanted.shape != given.shape or len(wanted) != len(values) or np.isnan(given).any():
        return same(components, got_components, "[0]")
    for group in groups(values):
        w, g = wanted[group], given[group]
        if np.allclose(w.T @ w, g.T @ g, rtol=0, atol=1e-6):  # the same rows up to sign, or the same subspace
            continue
        signs = np.where(np.sum(w * g, axis=1) < 0, -1.0, 1.0)
        return same(w, g * signs[:, np.newaxis], f"[0][{group.start}:{group.stop}]") or Difference("value", "[0]", w, g)
    return None


def decomposed(matrix):
    """Give U, S, Vᵀ without the dimensions that are rounding errors."""
    u, values, vt = np.linalg.svd(matrix, full_matrices=False)
    kept = values > 1e-6 * values[0]
    return u[:, kept], values[kept], vt[kept]


def left_vectors(matrix, dims):
    u, values, _ = decomposed(matrix)
    return u.T[:dims], values[:dims]


def transposed_once_too_often(matrix, dims):
    _, values, vt = np.linalg.svd(matrix, full_matrices=False)
    return vt.T[:dims], values[:dims]


def smallest(matrix, dims):
    _, values, vt = decomposed(matrix)
    return vt[::-1][:dims], values[::-1][:dims]


def squares(matrix, dims):
    components, values = lsa_fit(matrix, dims)
    return components, values**2


def rounding_kept(matrix, dims):
    _, values, vt = np.linalg.svd(matrix, full_matrices=False)
    return vt[:dims], values[:dims]


def all_of_v(matrix, dims):
    _, values, vt = np.linalg.svd(matrix)
    return vt[:dims], values[:dims]


def too_many_refused(matrix, dims):
    if dims > min(matrix.shape):
        raise ValueError("dims is larger than the matrix")
    return lsa_fit(matrix, dims)


def centred(matrix, dims):
    moved = matrix - matrix.mean(axis=0)
    if not np.abs(moved).max() > 1e-12:
        return np.zeros((0, matrix.shape[1])), np.zeros(0)
    return lsa_fit(moved, dims)


def scaled(matrix, dims):
    components, values = lsa_fit(matrix, dims)
    return components * values[:, np.newaxis], values


def columns_of_vt(matrix, dims):
    _, values, vt = np.linalg.svd(matrix, full_matrices=False)
    return vt[:, :dims], values[:dims]


def as_columns(matrix, dims):
    components, values = lsa_fit(matrix, dims)
    return components.T, values


def swapped(matrix, dims):
    return lsa_fit(matrix, dims)[::-1]


def components_only(matrix, dims):
    return lsa_fit(matrix, dims)[0]


def all_dims(matrix, dims):
    return lsa_fit(matrix, min(matrix.shape))


FIT = Exercise(
    id="lsa.fit",
    chapter="03_lsa",
    entry="lsa_fit",
    title={"fr": "La décomposition tronquée", "en": "The truncated decomposition"},
    points=2,
    importance=3,
    minutes=7,
    reference=lsa_fit,
    judge=up_to_signs,
    examples=(
        Example(
            (np.array([[2.0, 2.0, 0.0], [1.0, 1.0, 0.0], [0.0, 0.0, 1.0]]), 1),
            {
                "fr": "Deux documents emploient les deux premiers mots ensemble : une seule composante résume ce "
                "couple. Son signe est libre.",
                "en": "Two documents use the first two words together: one component sums up that pair. Its sign is "
                "free.",
            },
        ),
        Example(
            (np.array([[3.0, 0.0], [0.0, 1.0], [0.0, 0.0]]), 2),
            {
                "fr": "Une matrice déjà diagonale : les valeurs singulières 3 et 1, la plus grande d’abord.",
                "en": "A matrix that is diagonal already: singular values 3 and 1, the largest first.",
            },
        ),
        Example(
            (np.array([[1.0, 0.0, 2.0, 0.0], [0.0, 1.0, 0.0, 3.0]]), 3),
            {
                "fr": "Plus de mots que de documents, le cas ordinaire. On demande trois dimensions : deux documents "
                "n’en ont que deux.",
                "en": "More words than documents, the usual case. Three dimensions are asked for; two documents have "
                "only two.",
            },
        ),
        Example(
            (np.array([[1.0, 2.0], [3.0, 4.0], [5.0, 7.0]]), 1),
            {
                "fr": "On ne garde que la première dimension, sans centrer la matrice.",
                "en": "Only the first dimension is kept, and the matrix is not centred.",
            },
        ),
        Example(
            (np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0], [1.0, 0.0, 1.0]]), 2),
            {
                "fr": "Une matrice carrée ne prévient pas quand on confond V et sa transposée. Vérifiez vos lignes.",
                "en": "A square matrix gives no warning when V is taken for its transpose. Check your rows.",
            },
        ),
        Example(
            (np.array([[1.0, 1.0], [2.0, 2.0], [3.0, 3.0]]), 2),
            {
                "fr": "Deux colonnes égales : le rang est 1. La seconde valeur singulière n’est qu’une erreur "
                "d’arrondi ; rendez une seule dimension.",
                "en": "Two equal columns: the rank is 1. The second singular value is a rounding error; return one "
                "dimension only.",
            },
        ),
        Example(
            (np.array([[2000.0, 0.0], [0.0, 1.0]]), 2),
            {
                "fr": "La seconde valeur singulière vaut un deux-millième de la première : c’est peu, mais ce n’est "
                "pas une erreur d’arrondi. Gardez-la.",
                "en": "The second singular value is one two-thousandth of the first: small, but no rounding error. "
                "Keep it.",
            },
        ),
        Example(
            (np.eye(3), 5),
            {
                "fr": "On demande 5 dimensions, il y en a 3 : rendez-les. Égales, elles peuvent sortir dans n’importe "
                "quelle base.",
                "en": "Five dimensions are asked for and there are 3: return those. As they are equal, any basis will "
                "do.",
            },
        ),
        Example(
            (np.array([[1.0, 2.0]]), 0),
            {
                "fr": "Il faut au moins une dimension : levez une ValueError.",
                "en": "There must be at least one dimension: raise a ValueError.",
            },
        ),
    ),
    inputs=fit_inputs,
    misconceptions=(
        Misconception(
            "left_vectors",
            left_vectors,
            {
                "fr": "Vous rendez U, qui décrit les documents. Les composantes sont les lignes de Vᵀ, le troisième "
                "résultat de np.linalg.svd : une valeur par mot.",
                "en": "You return U, which describes the documents. Components are the rows of Vᵀ, the third result "
                "of np.linalg.svd: one value per word.",
            },
        ),
        Misconception(
            "transposed_once_too_often",
            transposed_once_too_often,
            {
                "fr": "np.linalg.svd rend déjà Vᵀ, pas V. Prenez ses lignes : vt[:dims], sans transposer.",
                "en": "np.linalg.svd returns Vᵀ already, not V. Take its rows: vt[:dims], without a transpose.",
            },
        ),
        Misconception(
            "smallest",
            smallest,
            {
                "fr": "Vous gardez les plus petites valeurs singulières. eigh les range par ordre croissant, svd par "
                "ordre décroissant : gardez les plus grandes, la première en tête.",
                "en": "You keep the smallest singular values. eigh sorts them upwards, svd downwards: keep the "
                "largest ones, the first one on top.",
            },
        ),
        Misconception(
            "squares",
            squares,
            {
                "fr": "Ce sont les valeurs propres de AᵀA, donc les carrés. Prenez-en la racine.",
                "en": "These are the eigenvalues of AᵀA, hence squares. Take their square root.",
            },
        ),
        Misconception(
            "rounding_kept",
            rounding_kept,
            {
                "fr": "Vous gardez des dimensions de valeur singulière nulle, ou de l’ordre de l’erreur d’arrondi : "
                "leur direction est du hasard. Ne gardez que S > 1e-6 * S[0].",
                "en": "You keep dimensions whose singular value is zero or a rounding error: their direction is mere "
                "chance. Keep only S > 1e-6 * S[0].",
            },
        ),
        Misconception(
            "all_of_v",
            all_of_v,
            {
                "fr": "Sans full_matrices=False, svd complète Vᵀ par des directions qui ne viennent pas de la "
                "matrice. Ajoutez cet argument, puis ne gardez que S > 1e-6 * S[0].",
                "en": "Without full_matrices=False, svd fills Vᵀ up with directions that do not come from the matrix. "
                "Add that argument, then keep only S > 1e-6 * S[0].",
            },
        ),
        Misconception(
            "too_many_refused",
            too_many_refused,
            {
                "fr": "Vous refusez de rendre moins de dimensions que demandé. Un petit corpus en a peu : rendez "
                "celles qui existent.",
                "en": "You refuse to return fewer dimensions than asked for. A small corpus has few: return those "
                "that exist.",
            },
        ),
        Misconception(
            "centred",
            centred,
            {
                "fr": "Vous retirez la moyenne de chaque colonne : c’est une analyse en composantes principales. La "
                "LSA décompose la matrice telle quelle.",
                "en": "You subtract the mean of each column: that is principal component analysis. LSA decomposes the "
                "matrix as it is.",
            },
        ),
        Misconception(
            "scaled",
            scaled,
            {
                "fr": "Vos composantes sont multipliées par les valeurs singulières. Rendez les lignes de Vᵀ telles "
                "quelles, de norme 1.",
                "en": "Your components are multiplied by the singular values. Return the rows of Vᵀ as they are, with "
                "norm 1.",
            },
        ),
        Misconception(
            "columns_of_vt",
            columns_of_vt,
            {
                "fr": "Vous prenez les premières colonnes de Vᵀ, donc les premiers mots du vocabulaire. Prenez ses "
                "premières lignes : vt[:dims].",
                "en": "You take the first columns of Vᵀ, hence the first words of the vocabulary. Take its first rows: "
                "vt[:dims].",
            },
        ),
        Misconception(
            "as_columns",
            as_columns,
            {
                "fr": "Vos composantes sont en colonnes, de forme (V, dims). Mettez-les en lignes : (dims, V).",
                "en": "Your components are columns, of shape (V, dims). Make them rows: (dims, V).",
            },
        ),
        Misconception(
            "swapped",
            swapped,
            {
                "fr": "Les deux résultats sont dans l’autre ordre : d’abord les composantes, puis les valeurs "
                "singulières.",
                "en": "The two results are the wrong way round: components first, then singular values.",
            },
        ),
        Misconception(
            "components_only",
            components_only,
            {
                "fr": "Il manque les valeurs singulières. Rendez le couple (composantes, valeurs singulières).",
                "en": "The singular values are missing. Return the pair (components, singular values).",
            },
        ),
        Misconception(
            "all_dims",
            all_dims,
            {
                "fr": "Vous rendez toutes les dimensions. Coupez à dims : vt[:dims] et S[:dims].",
                "en": "You return every dimension. Cut at dims: vt[:dims] and S[:dims].",
            },
        ),
    ),
    hints=(
        {
            "fr": "np.linalg.svd(matrix, full_matrices=False) rend U, S et Vᵀ, valeurs singulières décroissantes. Il "
            "ne reste qu’à choisir des lignes.",
            "en": "np.linalg.svd(matrix, full_matrices=False) returns U, S and Vᵀ, singular values decreasing. All "
            "that is left is to choose rows.",
        },
        {
            "fr": "Deux coupes : à dims, et là où S n’est plus qu’une erreur d’arrondi. rank = (S > 1e-6 * "
            "S[0]).sum(), puis k = min(dims, rank).",
            "en": "Two cuts: at dims, and where S is a mere rounding error. rank = (S > 1e-6 * S[0]).sum(), then k = "
            "min(dims, rank).",
        },
        {
            "fr": "Refusez dims < 1. Puis _, s, vt = np.linalg.svd(matrix, full_matrices=False), "
            "k = min(dims, (s > 1e-6 * s[0]).sum()), et return vt[:k], s[:k].",
            "en": "Reject dims < 1. Then _, s, vt = np.linalg.svd(matrix, full_matrices=False), "
            "k = min(dims, (s > 1e-6 * s[0]).sum()), and return vt[:k], s[:k].",
        },
    ),
)


# Rows of norm 1 that are perpendicular, of three and of four words: what lsa_fit gives, with round numbers.
AXES = {
    3: ([[0, 1, 0]], [[1, 0, 0], [0, 1, 0]], [[0.6, 0.8, 0], [-0.8, 0.6, 0]], [[ROOT, ROOT, 0], [0, 0, 1]]),
    4: ([[0.5, 0.5, 0.5, 0.5]], [[0.6, 0, 0.8, 0], [0, 0.8, 0, 0.6]], np.eye(4).tolist()),
}
THREE = np.array([[0.6, 0.8, 0.0], [-0.8, 0.6, 0.0], [0.0, 0.0, 1.0]])


def embed_inputs() -> SearchStrategy[tuple]:
    """Draw vectors of three or four words, and components to project them on.

    Vectors that are almost, but not exactly, perpendicular to all components are left out: whether rounding leaves
    them zero depends on the order of additions.
    """
    from hypothesis import strategies as st

    def of_dims(dims: int) -> SearchStrategy[tuple]:
        axes = st.sampled_from(AXES[dims]).map(lambda lists: np.array(lists, dtype=float))
        return st.tuples(st.integers(1, 4).flatmap(lambda n: rows(n, dims)), axes)

    return st.sampled_from(sorted(AXES)).flatmap(of_dims).filter(lambda drawn: projection_is_clear(*drawn))


def projection_is_clear(vectors: np.ndarray, components: np.ndarray) -> bool:
    """Tell whether each projection is well away from zero, or a sum of zeros."""
    products = vectors[:, np.newaxis, :] * components
    away = np.linalg.norm(products.sum(axis=2), axis=1) > 1e-3
    return bool((away | ~products.any(axis=(1, 2))).all())


def divided(projected, norms):
    return projected / np.where(norms > 0, norms, 1)


def with_norm(norms):
    """Make a projection that divides by something else than each row's norm."""
    return lambda vectors, components: divided(vectors @ components.T, norms(vectors @ components.T))


def unguarded(vectors, components):
    projected = vectors @ components.T
    with np.errstate(invalid="ignore"):
        return projected / np.linalg.norm(projected, axis=1, keepdims=True)


EMBED = Exercise(
    id="lsa.embed",
    chapter="03_lsa",
    entry="lsa_embed",
    title={"fr": "Projeter et normaliser", "en": "Project and normalise"},
    points=2,
    importance=3,
    minutes=5,
    reference=lsa_embed,
    examples=(
        Example(
            (np.array([[2.0, 2.0, 0.0], [0.0, 0.0, 5.0]]), np.array([[ROOT, ROOT, 0.0], [0.0, 0.0, 1.0]])),
            {
                "fr": "Trois mots, deux dimensions : le premier document est tout entier sur la première, le second "
                "sur la deuxième.",
                "en": "Three words, two dimensions: the first document lies wholly on the first one, the second "
                "document on the second.",
            },
        ),
        Example(
            (np.array([[1.0, 2.0, 3.0]]), np.array([[0.6, 0.8, 0.0], [0.0, 0.0, 1.0]])),
            {
                "fr": "La projection vaut (2,2 ; 3) ; la norme 1 vient ensuite.",
                "en": "The projection is (2.2, 3); norm 1 comes afterwards.",
            },
        ),
        Example(
            (np.array([[1.0, 0.0, 2.0], [3.0, 1.0, 0.0]]), THREE),
            {
                "fr": "Autant de composantes que de mots : sans la transposée, le calcul passe et se trompe.",
                "en": "As many components as words: without the transpose the computation goes through, and is wrong.",
            },
        ),
        Example(
            (np.array([[1.0, 1.0, 1.0], [2.0, 0.0, 0.0], [0.0, 0.0, 4.0]]), np.array([[1.0, 0.0, 0.0]])),
            {
                "fr": "Une seule dimension : il ne reste que le signe, et 0 pour un document perpendiculaire.",
                "en": "One dimension: only the sign is left, and 0 for a perpendicular document.",
            },
        ),
        Example(
            (np.array([[0.0, 0.0, 0.0], [3.0, 4.0, 0.0]]), np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])),
            {
                "fr": "Un document vide reste à zéro : pas de nan.",
                "en": "An empty document stays at zero: no nan.",
            },
        ),
        Example(
            (np.array([[-3.0, -4.0, 1.0]]), np.array([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0]])),
            {
                "fr": "Des coordonnées négatives : la norme ne change pas leur signe.",
                "en": "Negative coordinates: the norm does not change their sign.",
            },
        ),
        Example(
            (np.array([[1.0, 2.0]]), np.array([[0.6, 0.8, 0.0]])),
            {
                "fr": "Des vecteurs d’un autre vocabulaire : levez une ValueError. Le produit de NumPy le fait déjà.",
                "en": "Vectors over another vocabulary: raise a ValueError. NumPy's product does so already.",
            },
        ),
    ),
    inputs=embed_inputs,
    misconceptions=(
        Misconception(
            "not_normalised",
            lambda vectors, components: vectors @ components.T,
            {
                "fr": "La projection est juste, mais les lignes ne sont pas de norme 1. Divisez chacune par sa norme.",
                "en": "The projection is right, but its rows do not have norm 1. Divide each by its norm.",
            },
        ),
        Misconception(
            "nan_for_zero",
            unguarded,
            {
                "fr": "Une ligne de zéros donne 0/0, donc nan. Divisez par 1 quand la norme est nulle.",
                "en": "A row of zeros gives 0/0, hence nan. Divide by 1 where the norm is zero.",
            },
        ),
        Misconception(
            "not_transposed",
            lambda vectors, components: unit_rows(vectors @ components),
            {
                "fr": "Vous multipliez par components. Ses lignes sont les directions : c’est components.T qui "
                "projette dessus.",
                "en": "You multiply by components. Its rows are the directions: components.T is what projects on them.",
            },
        ),
        Misconception(
            "normalised_before",
            lambda vectors, components: unit_rows(vectors) @ components.T,
            {
                "fr": "Vous normalisez avant de projeter. La projection raccourcit les vecteurs : normalisez après.",
                "en": "You normalise before projecting. Projecting shortens vectors: normalise afterwards.",
            },
        ),
        Misconception(
            "one_norm_for_all",
            with_norm(lambda projected: np.linalg.norm(projected)),
            {
                "fr": "Vous divisez tout par la norme du tableau entier. Il faut une norme par ligne : axis=1, "
                "keepdims=True.",
                "en": "You divide everything by the norm of the whole array. It takes one norm per row: axis=1, "
                "keepdims=True.",
            },
        ),
        Misconception(
            "norm_by_column",
            with_norm(lambda projected: np.linalg.norm(projected, axis=0)),
            {
                "fr": "Vous normalisez les colonnes, donc les dimensions. Ce sont les lignes qui ont la norme 1 : "
                "axis=1.",
                "en": "You normalise columns, hence dimensions. It is the rows that have norm 1: axis=1.",
            },
        ),
        Misconception(
            "sum_one",
            with_norm(lambda projected: np.abs(projected).sum(axis=1, keepdims=True)),
            {
                "fr": "Vous divisez par la somme des valeurs absolues. Prenez la norme euclidienne, "
                "np.linalg.norm(..., axis=1).",
                "en": "You divide by the sum of absolute values. Take the Euclidean norm, np.linalg.norm(..., axis=1).",
            },
        ),
        Misconception(
            "squared_norm",
            with_norm(lambda projected: (projected**2).sum(axis=1, keepdims=True)),
            {
                "fr": "Vous divisez par le carré de la norme : il manque la racine.",
                "en": "You divide by the squared norm: the square root is missing.",
            },
        ),
        Misconception(
            "largest_one",
            with_norm(lambda projected: np.abs(projected).max(axis=1, keepdims=True)),
            {
                "fr": "Vous divisez par la plus grande coordonnée. Prenez la norme euclidienne de la ligne.",
                "en": "You divide by the largest coordinate. Take the Euclidean norm of the row.",
            },
        ),
        Misconception(
            "back_in_words",
            lambda vectors, components: unit_rows(vectors @ components.T @ components),
            {
                "fr": "Vous revenez dans l’espace des mots : le résultat a V colonnes. Arrêtez-vous à vectors @ "
                "components.T, qui en a dims.",
                "en": "You go back to the space of words: the result has V columns. Stop at vectors @ components.T, "
                "which has dims.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Un produit de matrices projette toutes les lignes d’un coup : les produits scalaires avec chaque "
            "composante. Puis une norme par ligne.",
            "en": "One matrix product projects every row at once: the inner products with each component. Then one "
            "norm per row.",
        },
        {
            "fr": "projected = vectors @ components.T, puis norms = np.linalg.norm(projected, axis=1, keepdims=True), "
            "et projected / np.where(norms > 0, norms, 1).",
            "en": "projected = vectors @ components.T, then norms = np.linalg.norm(projected, axis=1, keepdims=True), "
            "and projected / np.where(norms > 0, norms, 1).",
        },
    ),
)
