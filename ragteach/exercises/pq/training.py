"""pq.train: one codebook a subspace, judged by what codebooks must satisfy, since another start gives others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ragteach.checking.compare import Difference, as_array, same
from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.pq.inputs import LOGS, no_ties
from ragteach.retrieval.pq import pq_train

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

ROUNDS = 20
STARTS = 25
GAIN = 1e-5  # of a subspace's whole variance: what one round more may still gain

EIGHT = LOGS[[3, 60, 11, 42, 5, 58, 70, 9, 2, 65, 50, 13, 7, 48, 66, 17, 4, 30, 20, 55, 1, 75, 35, 23]].reshape(8, 3)
SIX = LOGS[[0, 40, 5, 61, 22, 9, 33, 2, 71, 14, 3, 50, 62, 27, 8, 45, 18, 75, 1, 36, 12, 55, 29, 66]].reshape(6, 4)
LINE = np.array([[1.0], [2.1], [3.3], [4.6], [6.0], [7.5], [9.1], [10.8], [12.6], [14.5], [16.5], [18.6]])
CONSTANT = np.column_stack([LINE[:7, 0], np.full(7, 3.0)])


def inputs() -> SearchStrategy[tuple]:
    """Draw up to seven vectors, a number of subspaces that divides their dimensions, and codewords for them."""
    from hypothesis import strategies as st

    def cut(shape: tuple[int, int, int]) -> SearchStrategy[tuple]:
        n, n_subspaces, width = shape
        return st.tuples(
            no_ties(n, n_subspaces * width), st.just(n_subspaces), st.integers(1, min(n, 4)), st.integers(0, 3)
        )

    def flat(drawn: tuple) -> tuple:
        """Make all vectors alike in the last subspace, where all codewords but one then serve nobody."""
        vectors, n_subspaces, *rest = drawn
        width = vectors.shape[1] // n_subspaces
        return np.hstack([vectors[:, :-width], np.tile(vectors[:1, -width:], (len(vectors), 1))]), n_subspaces, *rest

    shapes = st.tuples(st.integers(1, 7), st.integers(1, 3), st.integers(1, 2))
    some = st.tuples(st.integers(3, 7), st.integers(1, 3), st.integers(1, 2))
    return st.one_of(shapes.flatmap(cut), some.flatmap(cut), some.flatmap(cut).map(flat))


def blocks(vectors, n_subspaces):
    """Cut each vector into consecutive subvectors: shape (M, N, d/M)."""
    return vectors.reshape(len(vectors), n_subspaces, -1).transpose(1, 0, 2)


def interleaved(vectors, n_subspaces):
    return np.stack([vectors[:, m::n_subspaces] for m in range(n_subspaces)])


def first_for_all(vectors, n_subspaces):
    return np.stack([blocks(vectors, n_subspaces)[0]] * n_subspaces)


def squared(part, book):
    return ((part[:, None] - book[None]) ** 2).sum(axis=2)


def error(part, book):
    """Sum the squared distances of subvectors to their nearest codeword: what training makes small."""
    return float(squared(part, book).min(axis=1).sum())


def stay(part, nearest, book):
    """Move each codeword to the mean of the subvectors that are nearest to it; an unused one stays."""
    return np.array([part[nearest == k].mean(axis=0) if (nearest == k).any() else book[k] for k in range(len(book))])


def means(part, book):
    """Do one round of k-means."""
    return stay(part, squared(part, book).argmin(axis=1), book)


def slight(part, gain):
    """Tell whether a fall of the error is next to nothing beside a subspace's whole variance."""
    return gain <= GAIN * float(((part - part.mean(axis=0)) ** 2).sum()) + 1e-9


def settled(part, book):
    """Tell whether one round more would gain nothing."""
    return slight(part, error(part, book) - error(part, means(part, book)))


def by_products(parts, books):
    """Tell whether codewords are the means of the subvectors with which they have the largest inner product."""
    return all(
        np.allclose(stay(part, (part @ book.T).argmax(axis=1), book), book)
        for part, book in zip(parts, books, strict=True)
    )


def what_was_done(vectors, n_subspaces, books):
    """Name what codebooks that have not settled in their own subspaces come from."""
    for name, cut in (("interleaved", interleaved), ("first_for_all", first_for_all)):
        if all(map(settled, cut(vectors, n_subspaces), books)):
            return name
    pool = vectors.reshape(-1, books.shape[2])
    if n_subspaces > 1 and all(settled(pool, book) for book in books):
        return "pooled"
    if np.allclose(np.linalg.norm(books, axis=2), 1):
        return "norm"
    parts = blocks(vectors, n_subspaces)
    if by_products(parts, books):
        return "inner_product"
    drawn = all((squared(book, part).min(axis=1) < 1e-9).all() for part, book in zip(parts, books, strict=True))
    return "never_moved" if drawn else "unsettled"


def shape_of(got):
    try:
        return as_array(got).shape
    except (ValueError, TypeError):  # rows of unequal length, or a text
        return None


def fault(args: tuple, got: Any) -> tuple[Any, Difference] | None:
    """Name the first property that codebooks lack, with what is to be told about it; None where they have all."""
    vectors, n_subspaces, n_codes = args[:3]
    parts = blocks(vectors, n_subspaces)
    difference = same(np.zeros((n_subspaces, n_codes, parts.shape[2])), got)
    if difference and difference.kind != "value":
        return (difference.kind, shape_of(got)), difference
    books = np.asarray(got, dtype=float)
    for m, (part, book) in enumerate(zip(parts, books, strict=True)):
        reached, better = error(part, book), error(part, means(part, book))
        if not slight(part, reached - better):
            path = f"[{m}] : sum((subvectors - nearest) ** 2)"
            return what_was_done(vectors, n_subspaces, books), Difference("value", path, better, reached)
        if n_codes == len(part) and reached > 1e-6 * max(1.0, float((part**2).sum())):
            return "twice", Difference("value", f"[{m}] : sum((subvectors - nearest) ** 2)", 0.0, reached)
        # k-means may lose a codeword on its way, but never so many: those have been drawn alike.
        used, wanted = len(set(squared(part, book).argmin(axis=1).tolist())), min(n_codes, len(np.unique(part, axis=0)))
        if 2 * used <= wanted and wanted > 1:
            name = "inner_product" if by_products(parts, books) else "twice"
            return name, Difference("value", f"[{m}] : len(used)", wanted, used)
    return None


def judge(args: tuple, expected: Any, got: Any) -> Difference | None:
    """Accept codebooks that lack no property; beside a wrong variant's, those that lack the same one.

    A variant whose draws are bad ones may lack a property where a reader who makes the same mistake was lucky.
    """
    lacking = fault(args, got)
    if lacking is None:
        return None
    wanted = fault(args, expected)
    return None if wanted and wanted[0] == lacking[0] else lacking[1]


def empty_is_nan(part, nearest, book):
    sizes = np.bincount(nearest, minlength=len(book))[:, None]
    with np.errstate(invalid="ignore"):
        return np.array([part[nearest == k].sum(axis=0) for k in range(len(book))]) / sizes


def unit(part, nearest, book):
    moved = stay(part, nearest, book)
    return moved / np.linalg.norm(moved, axis=1, keepdims=True)


def lloyd(part, n_codes, seed, move=stay, rounds=ROUNDS, replace=False, far=squared):
    book = part[np.random.default_rng(seed).choice(len(part), n_codes, replace=replace)]
    for _ in range(rounds):
        book = move(part, far(part, book).argmin(axis=1), book)
    return book


def refuse(vectors, n_subspaces, n_codes):
    if n_subspaces < 1 or vectors.shape[1] % n_subspaces or not 1 <= n_codes <= min(256, len(vectors)):
        raise ValueError("bad arguments")


def variant(cut=blocks, **how):
    """Make a training that cuts the vectors or runs k-means in another way."""

    def changed(vectors, n_subspaces, n_codes, seed=0):
        refuse(vectors, n_subspaces, n_codes)
        return np.stack([lloyd(part, n_codes, seed + m, **how) for m, part in enumerate(cut(vectors, n_subspaces))])

    return changed


def unlucky(lacks, **how):
    """Make a training whose start is the first one from which codebooks lack something: readers draw otherwise."""

    def changed(vectors, n_subspaces, n_codes, seed=0):
        for start in range(seed, seed + STARTS):
            books = variant(**how)(vectors, n_subspaces, n_codes, start)
            found = fault((vectors, n_subspaces, n_codes), books)
            if found and found[0] == lacks:
                break
        return books

    return changed


def whole_vectors(vectors, n_subspaces, n_codes, seed=0):
    refuse(vectors, n_subspaces, n_codes)
    return lloyd(vectors, n_codes, seed)


def transposed(vectors, n_subspaces, n_codes, seed=0):
    return pq_train(vectors, n_subspaces, n_codes, seed).transpose(1, 0, 2)


def pooled(vectors, n_subspaces, n_codes, seed=0):
    refuse(vectors, n_subspaces, n_codes)
    return np.stack([lloyd(vectors.reshape(-1, vectors.shape[1] // n_subspaces), n_codes, seed)] * n_subspaces)


TRAIN = Exercise(
    id="pq.train",
    chapter="07_pq",
    entry="pq_train",
    title={"fr": "Apprendre les dictionnaires", "en": "Learn the codebooks"},
    points=2,
    importance=3,
    minutes=12,
    reference=pq_train,
    judge=judge,
    examples=(
        Example(
            (SIX, 2, 1),
            {
                "fr": "Deux sous-espaces, un seul mot de code chacun : la moyenne de leurs sous-vecteurs, quel que "
                "soit le départ.",
                "en": "Two subspaces, a single codeword each: the mean of their subvectors, whatever the start.",
            },
        ),
        Example(
            (SIX, 2, 3),
            {
                "fr": "Deux sous-espaces de largeur 2, trois mots chacun : la forme (2, 3, 2). Chacun apprend sur ses "
                "propres colonnes.",
                "en": "Two subspaces of width 2, three codewords each: shape (2, 3, 2), each learnt on its own "
                "columns.",
            },
        ),
        Example(
            (LINE, 1, 3),
            {
                "fr": "Douze nombres sur une droite : il faut plusieurs tours pour que les trois mots se posent.",
                "en": "Twelve numbers on a line: it takes several rounds for the three codewords to settle.",
            },
        ),
        Example(
            (LINE[::-1], 1, 2, 5),
            {
                "fr": "La même droite, à l’envers, avec une autre graine : chaque mot doit être la moyenne des siens.",
                "en": "The same line, backwards, with another seed: each codeword must be the mean of its own.",
            },
        ),
        Example(
            (EIGHT, 3, 4, 1),
            {
                "fr": "Autant de sous-espaces que de dimensions : chaque nombre est codé seul.",
                "en": "As many subspaces as dimensions: each number is coded alone.",
            },
        ),
        Example(
            (SIX, 2, 6),
            {
                "fr": "Autant de mots que de vecteurs : chacun le sien, l’erreur est nulle. Un même vecteur tiré deux "
                "fois en priverait un autre.",
                "en": "As many codewords as vectors: each has its own, and the error is zero. A vector drawn twice "
                "would leave another without.",
            },
        ),
        Example(
            (CONSTANT, 2, 3),
            {
                "fr": "Dans le second sous-espace, tous les vecteurs sont pareils : deux mots ne servent pas, et rien "
                "ne doit devenir nan.",
                "en": "In the second subspace all vectors are alike: two codewords go unused, and nothing may become "
                "nan.",
            },
        ),
        Example(
            (SIX, 3, 2),
            {
                "fr": "4 dimensions ne se coupent pas en 3 parts égales : levez une ValueError.",
                "en": "4 dimensions cannot be cut into 3 equal parts: raise a ValueError.",
            },
        ),
        Example(
            (SIX, 2, 7),
            {
                "fr": "Sept mots pour six vecteurs : levez une ValueError qui nomme les deux nombres.",
                "en": "Seven codewords for six vectors: raise a ValueError that names both numbers.",
            },
        ),
        Example(
            (SIX, 0, 2),
            {
                "fr": "Il faut au moins un sous-espace : ValueError.",
                "en": "At least one subspace is needed: ValueError.",
            },
        ),
        Example(
            (SIX, 2, 0),
            {
                "fr": "Il faut au moins un mot de code : ValueError.",
                "en": "At least one codeword is needed: ValueError.",
            },
        ),
        Example(
            (np.arange(257.0).reshape(257, 1), 1, 257),
            {
                "fr": "Le code 256 ne tiendrait pas dans un octet : au-delà de 256 mots, ValueError.",
                "en": "Code 256 would not fit into a byte: above 256 codewords, ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=(
        Misconception(
            "whole_vectors",
            whole_vectors,
            {
                "fr": "Vous faites un k-means sur les vecteurs entiers. Coupez d’abord chaque vecteur en n_subspaces "
                "morceaux, et faites un k-means par morceau.",
                "en": "You run one k-means on whole vectors. First cut each vector into n_subspaces pieces, and run "
                "one k-means a piece.",
            },
        ),
        Misconception(
            "transposed",
            transposed,
            {
                "fr": "Vos axes sont dans un autre ordre. On veut (M, K, d/M) : le sous-espace d’abord, puis le mot de "
                "code.",
                "en": "Your axes are in another order. (M, K, d/M) is wanted: the subspace first, then the codeword.",
            },
        ),
        Misconception(
            "interleaved",
            variant(interleaved),
            {
                "fr": "Vous prenez une dimension sur M. Les sous-vecteurs sont des blocs de dimensions voisines : "
                "np.split(vectors, n_subspaces, axis=1).",
                "en": "You take every M-th dimension. Subvectors are blocks of consecutive dimensions: "
                "np.split(vectors, n_subspaces, axis=1).",
            },
        ),
        Misconception(
            "first_for_all",
            variant(first_for_all),
            {
                "fr": "Tous vos dictionnaires sont appris sur le premier sous-espace. Chacun s’apprend sur ses propres "
                "colonnes.",
                "en": "All your codebooks are learnt on the first subspace. Each is learnt on its own columns.",
            },
        ),
        Misconception(
            "pooled",
            pooled,
            {
                "fr": "Vous apprenez un seul dictionnaire sur tous les sous-vecteurs mêlés. Il en faut un par "
                "sous-espace : ce qui est fréquent dans l’un ne l’est pas dans l’autre.",
                "en": "You learn a single codebook on all subvectors mixed together. Each subspace needs its own: what "
                "is common in one is not in another.",
            },
        ),
        Misconception(
            "normalised",
            variant(move=unit),
            {
                "fr": "Vous ramenez les mots de code à la norme 1, comme au chapitre 06. Un morceau de vecteur a une "
                "longueur, qui compte : gardez la moyenne telle quelle.",
                "en": "You bring codewords to norm 1, as in chapter 06. A piece of a vector has a length, and it "
                "counts: keep the mean as it is.",
            },
        ),
        Misconception(
            "empty_is_nan",
            variant(move=empty_is_nan),
            {
                "fr": "Un mot sans sous-vecteur devient nan : la moyenne de rien est 0/0. Laissez-le où il est.",
                "en": "A codeword without subvectors becomes nan: the mean of nothing is 0/0. Leave it where it is.",
            },
        ),
        Misconception(
            "drawn_twice",
            unlucky("twice", replace=True),
            {
                "fr": "Votre tirage de départ peut prendre deux fois le même vecteur, et un mot est perdu. Tirez sans "
                "remise : rng.choice(len(vectors), n_codes, replace=False).",
                "en": "Your initial draw may take the same vector twice, and a codeword is lost. Draw without "
                "replacement: rng.choice(len(vectors), n_codes, replace=False).",
            },
        ),
        Misconception(
            "never_moved",
            variant(rounds=0),
            {
                "fr": "Vos mots de code sont des sous-vecteurs tirés au hasard, jamais déplacés. À chaque tour, "
                "remplacez chacun par la moyenne des sous-vecteurs dont il est le plus proche.",
                "en": "Your codewords are subvectors drawn at random and never moved. In each round, replace each by "
                "the mean of the subvectors that are nearest to it.",
            },
        ),
        Misconception(
            "moved_once",
            unlucky("unsettled", rounds=1),
            {
                "fr": "Vos mots bougent encore : un tour de plus ferait mieux. Faites une vingtaine de tours ; le "
                "return est-il bien après la boucle ?",
                "en": "Your codewords are still moving: one round more would do better. Do some twenty rounds; does "
                "return stand after the loop?",
            },
        ),
        Misconception(
            "inner_product",
            unlucky("inner_product", far=lambda part, book: -part @ book.T),
            {
                "fr": "Vous confiez chaque sous-vecteur au mot du plus grand produit scalaire, comme au chapitre 06 : "
                "un mot long prend tout. Prenez le mot le plus proche, par distance au carré.",
                "en": "You give each subvector to the codeword of the largest inner product, as in chapter 06, and a "
                "long codeword takes all. Take the nearest codeword, by squared distance.",
            },
        ),
    ),
    hints=(
        {
            "fr": "np.split(vectors, n_subspaces, axis=1) donne les M tableaux de sous-vecteurs. Pour chacun, un "
            "k-means ordinaire (distances au carré, moyennes), puis np.stack.",
            "en": "np.split(vectors, n_subspaces, axis=1) gives the M arrays of subvectors. For each, an ordinary "
            "k-means (squared distances, means), then np.stack.",
        },
        {
            "fr": "Un tour : nearest = ((part[:, None] - book[None]) ** 2).sum(axis=2).argmin(axis=1), puis, pour "
            "chaque mot k qui a des sous-vecteurs, book[k] = part[nearest == k].mean(axis=0).",
            "en": "One round: nearest = ((part[:, None] - book[None]) ** 2).sum(axis=2).argmin(axis=1), then, for each "
            "codeword k that has subvectors, book[k] = part[nearest == k].mean(axis=0).",
        },
        {
            "fr": "Le départ : book = part[rng.choice(len(part), n_codes, replace=False)], des lignes différentes ; "
            "l’indexation par un tableau en fait une copie.",
            "en": "The start: book = part[rng.choice(len(part), n_codes, replace=False)], different rows; indexing by "
            "an array makes a copy of them.",
        },
    ),
)
