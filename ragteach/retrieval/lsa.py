"""Latent semantic analysis: TF-IDF vectors, and their singular value decomposition as embeddings.

Deerwester et al., Indexing by Latent Semantic Analysis, 1990. A document is a list of tokens; N documents over a
vocabulary of V tokens make a matrix of shape (N, V).
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from math import log

import numpy as np

from ragteach.retrieval.arguments import at_least, require, token_lists
from ragteach.retrieval.arguments import matrix as finite_matrix
from ragteach.retrieval.dense import unit_rows

Tokens = Sequence[str]

# Singular values below this share of the largest are rounding errors, not dimensions.
SMALLEST_SHARE = 1e-6


def tfidf(documents: Sequence[Tokens]) -> tuple[list[str], np.ndarray]:
    """Weigh each token of each document: (1 + ln tf) · (ln((1 + N) / (1 + df)) + 1), rows of norm 1.

    Returns the sorted vocabulary and an array of shape (N, V), where the row of an empty document is zero. These
    are the weights of scikit-learn's TfidfVectorizer(sublinear_tf=True); as each is at least 1 before the rows are
    normalised, a token that stands in every document still counts. Raises ValueError where a document is a str.
    """
    token_lists("documents", documents)
    vocabulary = sorted({token for tokens in documents for token in tokens})
    return vocabulary, unit_rows(tfidf_rows(documents, smooth_idfs(documents)))


def smooth_idfs(documents: Sequence[Tokens]) -> dict[str, float]:
    """Map each token, in sorted order, to its inverse document frequency ln((1 + N) / (1 + df)) + 1."""
    doc_freqs = Counter(token for tokens in documents for token in set(tokens))
    return {token: log((1 + len(documents)) / (1 + doc_freqs[token])) + 1 for token in sorted(doc_freqs)}


def tfidf_rows(documents: Sequence[Tokens], idfs: Mapping[str, float]) -> np.ndarray:
    """Give the rows (1 + ln tf) · idf of documents or questions, not normalised, one column for each token of idfs.

    Tokens that idfs does not hold are left out: that is how a question meets the vocabulary of the corpus.
    """
    columns = {token: column for column, token in enumerate(idfs)}
    rows = np.zeros((len(documents), len(columns)))
    for row, tokens in zip(rows, documents, strict=True):
        for token, tf in Counter(tokens).items():
            if token in columns:
                row[columns[token]] = (1 + log(tf)) * idfs[token]
    return rows


def lsa_fit(matrix: np.ndarray, dims: int) -> tuple[np.ndarray, np.ndarray]:
    """Give the `dims` largest singular values of a matrix, and its right singular vectors as rows.

    With A = U S Vᵀ, the truncated singular value decomposition of A (N, V), returns the first rows of Vᵀ, shape
    (dims, V), and the diagonal of S, shape (dims,), largest first. There are fewer where A has fewer dimensions of
    its own: its rank. The sign of a component is arbitrary; here its largest loading is positive, as in
    scikit-learn's TruncatedSVD. Raises ValueError where dims < 1, or the matrix has not two dimensions or holds nan
    or infinity.
    """
    a = finite_matrix("matrix", matrix)
    at_least("dims", dims, 1)
    # A Aᵀ = U S² Uᵀ and Aᵀ A = V S² Vᵀ: the smaller of the two square matrices has the same S, and one side of
    # vectors; the other side follows from Uᵀ A = S Vᵀ. That is ten times faster than decomposing A itself.
    wide = a.shape[0] <= a.shape[1]
    squares, vectors = np.linalg.eigh(a @ a.T if wide else a.T @ a)
    squares, vectors = squares[::-1][:dims], vectors[:, ::-1][:, :dims]  # eigh gives the smallest first
    kept = squares > squares.max(initial=0) * SMALLEST_SHARE**2
    singular_values, vectors = np.sqrt(squares[kept]), vectors[:, kept]
    components = vectors.T @ a / singular_values[:, np.newaxis] if wide else vectors.T
    components[components.max(axis=1, initial=0) < -components.min(axis=1, initial=0)] *= -1
    return components, singular_values


def lsa_embed(vectors: np.ndarray, components: np.ndarray) -> np.ndarray:
    """Project vectors (n, V) on the components (dims, V) and give the rows norm 1: shape (n, dims).

    Documents and questions go the same way, so that they can be compared. A row of zeros stays zero, and so does
    one that is orthogonal to all components. Raises ValueError where the shapes do not fit or a value is nan or
    infinite.
    """
    vectors, components = finite_matrix("vectors", vectors), finite_matrix("components", components)
    require(
        vectors.shape[1] == components.shape[1],
        f"vectors must have as many columns as components ({components.shape[1]}), not {vectors.shape[1]}.",
    )
    projected = vectors @ components.T
    # What is orthogonal to all components leaves only rounding errors; norm 1 would turn them into a direction.
    rounding = 1e-12 * np.linalg.norm(vectors, axis=1)
    projected[np.linalg.norm(projected, axis=1) <= rounding] = 0
    return unit_rows(projected)
