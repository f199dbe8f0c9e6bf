"""lsa.dense_search: the k nearest embeddings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ragteach.checking.compare import Difference, same
from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.lsa.inputs import rows, vectors
from ragteach.retrieval.dense import cosine, dense_search

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

ARROWS = np.array([[1.0, 0.0], [0.0, 1.0], [3.0, 4.0], [-1.0, 0.0]])


def inputs() -> SearchStrategy[tuple]:
    """Draw a query, up to six embeddings, and k in half of the cases."""
    from hypothesis import strategies as st

    pairs = st.integers(2, 3).flatmap(
        lambda dims: st.tuples(vectors(dims), st.integers(1, 6).flatmap(lambda n: rows(n, dims)))
    )
    # A zero vector behind an opposite one: where its cosine is nan and not 0, it stands at the wrong place.
    few = st.integers(2, 3).flatmap(lambda dims: st.tuples(vectors(dims), rows(1, dims)))
    pairs |= few.map(lambda drawn: (drawn[0], np.vstack([drawn[1], -drawn[0], 0 * drawn[0]])))
    return pairs | st.tuples(pairs, st.integers(1, 7)).map(lambda drawn: (*drawn[0], drawn[1]))


def cosines(query: np.ndarray, embeddings: np.ndarray) -> np.ndarray:
    return np.array([cosine(query, row) for row in embeddings])


def ties_by_number(args: tuple, expected: Any, got: Any) -> Difference | None:
    """Compare two rankings; cosines that differ by rounding alone may stand in either order.

    Rows with a single value, a power of two, leave nothing to rounding: between two of them the order counts.
    """
    difference = same(expected, got)
    if difference is None or difference.kind != "value":
        return difference
    query, embeddings = args[0], args[1]
    try:
        wanted_ids, given_ids = ([range(len(embeddings))[int(number)] for number in ids] for ids in (expected, got))
    except (IndexError, TypeError, ValueError):  # no numbers of documents
        return difference
    if given_ids != list(got) or len(set(given_ids)) < len(given_ids) or len(given_ids) != len(wanted_ids):
        return difference
    found = cosines(query, embeddings)
    exact = [np.count_nonzero(row) < 2 and all(abs(value) in (0, 1, 2, 4) for value in row) for row in embeddings]
    for place, (wanted, given) in enumerate(zip(wanted_ids, given_ids, strict=True)):
        if wanted != given and (abs(found[wanted] - found[given]) > 1e-9 or (exact[wanted] and exact[given])):
            return Difference("value", f"[{place}]", wanted, given)
    return None


def by(scores, order=lambda values: np.argsort(-values, kind="stable")):
    """Make a search that ranks by other scores, or in another order."""
    return lambda query, embeddings, k=3: order(np.round(scores(query, embeddings), 12))[:k]


def unguarded(query, embeddings):
    with np.errstate(invalid="ignore"):
        return embeddings @ query / (np.linalg.norm(embeddings, axis=1) * np.linalg.norm(query))


def backwards(values):
    """Sort as most readers do; the order of ties is then the machine's."""
    return np.argsort(values)[::-1]


def with_scores(query, embeddings, k=3):
    found = cosines(query, embeddings)
    return [(doc, found[doc]) for doc in dense_search(query, embeddings, k)]


def too_few_fails(query, embeddings, k=3):
    if k > len(embeddings):
        raise ValueError("k is larger than the number of embeddings")
    return dense_search(query, embeddings, k)


def only_positive(query, embeddings, k=3):
    found = cosines(query, embeddings)
    return [doc for doc in dense_search(query, embeddings, k) if found[doc] > 0]


DENSE_SEARCH = Exercise(
    id="lsa.dense_search",
    chapter="03_lsa",
    entry="dense_search",
    title={"fr": "La recherche dense", "en": "Dense search"},
    points=1,
    importance=3,
    minutes=5,
    reference=dense_search,
    judge=ties_by_number,
    uses=("lsa.cosine",),
    examples=(
        Example(
            (np.array([1.0, 0.5]), ARROWS),
            {
                "fr": "Les trois directions les plus proches ; k vaut 3 par défaut.",
                "en": "The three nearest directions; k is 3 by default.",
            },
        ),
        Example(
            (np.array([2.0, 1.0]), np.array([[10.0, 40.0], [2.0, 1.0], [8.0, 3.0]]), 2),
            {
                "fr": "Le vecteur le plus long a le plus grand produit scalaire, pas le plus grand cosinus.",
                "en": "The longest vector has the largest inner product, not the largest cosine.",
            },
        ),
        Example(
            (np.array([1.0, 0.0]), np.array([[1.0, 0.0], [0.5, 0.5], [0.0, 0.0], [-1.0, 0.0]]), 3),
            {
                "fr": "Un vecteur nul a le cosinus 0, mieux que −1. Calculé 0/0, il deviendrait nan et irait "
                "n’importe où.",
                "en": "A zero vector has cosine 0, better than -1. Computed as 0/0 it would be nan, and go anywhere.",
            },
        ),
        Example(
            (np.array([0.0, 1.0]), np.array([[2.0, 0.0], [0.0, 1.0], [0.0, 4.0], [0.0, 2.0], [-1.0, 0.0]]), 4),
            {
                "fr": "Trois directions identiques, puis deux perpendiculaires : à égalité, le plus petit numéro "
                "d’abord.",
                "en": "Three identical directions, then two perpendicular ones: in a tie, the lower number first.",
            },
        ),
        Example(
            (np.array([1.0, 0.0]), np.array([[-1.0, 0.0], [1.0, 1.0], [-1.0, 1.0]]), 3),
            {
                "fr": "Un cosinus négatif se classe aussi : on rend k documents, même peu ressemblants.",
                "en": "A negative cosine is ranked too: k documents are returned, however unlike.",
            },
        ),
        Example(
            (np.array([1.0, 2.0]), ARROWS, 1),
            {"fr": "k = 1 : le plus proche seulement.", "en": "k = 1: the nearest one only."},
        ),
        Example(
            (np.array([1.0, 2.0]), ARROWS, 10),
            {
                "fr": "k dépasse le nombre de vecteurs : on rend ce qui existe.",
                "en": "k is larger than the number of vectors: return what there is.",
            },
        ),
        Example(
            (np.array([0.0, 0.0]), ARROWS, 2),
            {
                "fr": "Une question sans aucun mot connu : tous les cosinus valent 0, les plus petits numéros sortent.",
                "en": "A query without a known word: every cosine is 0, and the lowest numbers come out.",
            },
        ),
        Example(
            (np.array([1.0, 2.0]), ARROWS, 0),
            {
                "fr": "k doit valoir au moins 1 : levez une ValueError.",
                "en": "k must be at least 1: raise a ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=(
        Misconception(
            "inner_product",
            by(lambda query, embeddings: embeddings @ query),
            {
                "fr": "Vous classez par produit scalaire sans normaliser : les vecteurs longs passent devant. Divisez "
                "par les normes, ou appelez cosine.",
                "en": "You rank by inner product without normalising, so long vectors come first. Divide by the "
                "norms, or call cosine.",
            },
        ),
        Misconception(
            "distance",
            by(lambda query, embeddings: -np.linalg.norm(embeddings - query, axis=1)),
            {
                "fr": "Vous classez par distance entre vecteurs non normalisés. Le théorème 2 demande la norme 1 : "
                "normalisez, ou prenez le cosinus.",
                "en": "You rank by distance between vectors that are not normalised. Theorem 2 asks for norm 1: "
                "normalise, or take the cosine.",
            },
        ),
        Misconception(
            "worst_first",
            by(cosines, lambda values: np.argsort(values, kind="stable")),
            {
                "fr": "Vos documents vont du moins proche au plus proche. Triez selon l’opposé du cosinus.",
                "en": "Your documents go from the least near to the nearest. Sort by the negated cosine.",
            },
        ),
        Misconception(
            "reversed_ties",
            by(cosines, backwards),
            {
                "fr": "À égalité, vous mettez le plus grand numéro devant : retourner un tri croissant retourne aussi "
                'les ex æquo. Triez −cos avec kind="stable".',
                "en": "In a tie you put the higher number first: reversing an increasing sort reverses ties as well. "
                'Sort -cos with kind="stable".',
            },
        ),
        Misconception(
            "nan_first",
            by(unguarded, backwards),
            {
                "fr": "Un vecteur nul donne nan, que argsort range à la fin, donc en tête une fois la liste "
                "retournée. Donnez-lui le cosinus 0, et triez −cos.",
                "en": "A zero vector gives nan, which argsort puts last, hence first once the list is reversed. Give "
                "it cosine 0, and sort -cos.",
            },
        ),
        Misconception(
            "nan_last",
            by(unguarded),
            {
                "fr": "Un vecteur nul donne nan, que le tri envoie tout à la fin, derrière les cosinus négatifs. "
                "Donnez-lui le cosinus 0.",
                "en": "A zero vector gives nan, which sorting sends to the very end, behind negative cosines. Give it "
                "cosine 0.",
            },
        ),
        Misconception(
            "absolute",
            by(lambda query, embeddings: np.abs(cosines(query, embeddings))),
            {
                "fr": "Vous classez par valeur absolue : un vecteur opposé à la question passe en tête. Gardez le "
                "signe.",
                "en": "You rank by absolute value, so a vector opposite to the query comes out on top. Keep the sign.",
            },
        ),
        Misconception(
            "k_ignored",
            lambda query, embeddings, k=3: dense_search(query, embeddings, len(embeddings)),
            {
                "fr": "Vous rendez tous les documents. Arrêtez-vous aux k premiers : [:k].",
                "en": "You return every document. Stop after the first k: [:k].",
            },
        ),
        Misconception(
            "always_three",
            lambda query, embeddings, k=3: dense_search(query, embeddings, 3),
            {
                "fr": "Vous rendez trois documents quel que soit k. Coupez avec l’argument : [:k].",
                "en": "You return three documents whatever k is. Cut with the argument: [:k].",
            },
        ),
        Misconception(
            "in_document_order",
            lambda query, embeddings, k=3: sorted(dense_search(query, embeddings, k)),
            {
                "fr": "Les bons documents sont là, mais rangés par numéro : argpartition ne trie pas. Rendez le plus "
                "proche d’abord.",
                "en": "The right documents are there, but in order of number: argpartition does not sort. Return the "
                "nearest first.",
            },
        ),
        Misconception(
            "numbered_from_1",
            lambda query, embeddings, k=3: [doc + 1 for doc in dense_search(query, embeddings, k)],
            {
                "fr": "Vos numéros commencent à 1. Les documents sont numérotés à partir de 0.",
                "en": "Your numbers start at 1. Documents are numbered from 0.",
            },
        ),
        Misconception(
            "with_scores",
            with_scores,
            {
                "fr": "Vous rendez des couples (document, cosinus). Rendez seulement les numéros.",
                "en": "You return pairs (document, cosine). Return the numbers alone.",
            },
        ),
        Misconception(
            "scores_only",
            lambda query, embeddings, k=3: [score for _, score in with_scores(query, embeddings, k)],
            {
                "fr": "Vous rendez les meilleurs cosinus. Rendez les numéros de leurs documents : np.argsort trie des "
                "numéros.",
                "en": "You return the best cosines. Return the numbers of their documents: np.argsort sorts numbers.",
            },
        ),
        Misconception(
            "only_positive",
            only_positive,
            {
                "fr": "Vous écartez les cosinus nuls et négatifs, comme bm25_search les scores nuls. Un cosinus 0 ne "
                "dit pas « aucun rapport » : rendez les k premiers.",
                "en": "You leave out zero and negative cosines, as bm25_search does with zero scores. A cosine of 0 "
                'does not say "unrelated": return the first k.',
            },
        ),
        Misconception(
            "too_few_fails",
            too_few_fails,
            {
                "fr": "Vous refusez un k plus grand que le nombre de vecteurs. Rendez ce qu’il y a.",
                "en": "You reject a k larger than the number of vectors. Return what there is.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Un cosinus par ligne de embeddings, puis les numéros triés du plus grand au plus petit, puis [:k].",
            "en": "One cosine for each row of embeddings, then the numbers sorted from largest to smallest, then [:k].",
        },
        {
            "fr": "scores = np.array([cosine(query, row) for row in embeddings]), puis "
            'np.argsort(-scores, kind="stable")[:k]. Avant, si k < 1, levez une ValueError.',
            "en": "scores = np.array([cosine(query, row) for row in embeddings]), then "
            'np.argsort(-scores, kind="stable")[:k]. Before that, raise a ValueError if k < 1.',
        },
    ),
)
