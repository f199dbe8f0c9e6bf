"""pq.bytes: how much memory codes take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.retrieval.pq import pq_bytes

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def inputs() -> SearchStrategy[tuple]:
    """Draw a number of vectors and one of subspaces."""
    from hypothesis import strategies as st

    return st.tuples(st.integers(0, 10**9), st.integers(1, 1024))


BYTES = Exercise(
    id="pq.bytes",
    chapter="07_pq",
    entry="pq_bytes",
    title={"fr": "La mémoire des codes", "en": "The memory that codes take"},
    points=1,
    importance=2,
    minutes=2,
    reference=pq_bytes,
    examples=(
        Example(
            (10_000_000, 96),
            {
                "fr": "Dix millions de vecteurs à 96 octets : 960 000 000 octets, environ 1 Go, quelle que soit leur "
                "dimension.",
                "en": "Ten million vectors of 96 bytes: 960,000,000 bytes, about 1 GB, whatever their dimension.",
            },
        ),
        Example(
            (1919, 8),
            {"fr": "Huit octets par vecteur : 15 352 octets.", "en": "Eight bytes a vector: 15,352 bytes."},
        ),
        Example((7, 1), {"fr": "Un seul octet par vecteur.", "en": "A single byte a vector."}),
        Example((0, 8), {"fr": "Aucun vecteur : aucun octet.", "en": "No vector: no byte."}),
        Example((1, 16), {"fr": "Un vecteur, seize octets.", "en": "One vector, sixteen bytes."}),
        Example((-1, 8), {"fr": "n ne peut pas être négatif : ValueError.", "en": "n cannot be negative: ValueError."}),
        Example(
            (10, 0),
            {
                "fr": "Il faut au moins un sous-espace : ValueError.",
                "en": "At least one subspace is needed: ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=(
        Misconception(
            "bits",
            lambda n, n_subspaces: 8 * n * n_subspaces,
            {
                "fr": "Vous comptez des bits. Un code vaut de 0 à 255 : c’est un octet.",
                "en": "You count bits. A code lies between 0 and 255: that is one byte.",
            },
        ),
        Misconception(
            "float32",
            lambda n, n_subspaces: 4 * n * n_subspaces,
            {
                "fr": "Vous comptez quatre octets par code, comme pour un float32. Un code tient dans un seul (uint8).",
                "en": "You count four bytes a code, as for a float32. A code fits into one (uint8).",
            },
        ),
        Misconception(
            "gigabytes",
            lambda n, n_subspaces: n * n_subspaces / 1e9,
            {
                "fr": "Vous rendez des gigaoctets. Rendez des octets, un entier.",
                "en": "You return gigabytes. Return bytes, a whole number.",
            },
        ),
        Misconception(
            "per_vector",
            lambda n, n_subspaces: n_subspaces,
            {
                "fr": "C’est la taille d’un seul vecteur. Multipliez par n.",
                "en": "That is the size of one vector. Multiply by n.",
            },
        ),
        Misconception(
            "codebook",
            lambda n, n_subspaces: 256 * n * n_subspaces,
            {
                "fr": "Vous comptez les 256 mots de code pour chaque vecteur. Un vecteur ne garde qu’un numéro par "
                "sous-espace ; le dictionnaire est rangé une fois pour toutes, à part.",
                "en": "You count the 256 codewords for each vector. A vector keeps one number a subspace; the codebook "
                "is stored once for all, apart.",
            },
        ),
        Misconception(
            "divided",
            lambda n, n_subspaces: n // n_subspaces,
            {
                "fr": "Vous divisez. Chaque vecteur a n_subspaces codes : on multiplie.",
                "en": "You divide. Each vector has n_subspaces codes: multiply.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Combien de codes par vecteur ? Combien d’octets pour un nombre de 0 à 255 ?",
            "en": "How many codes has a vector? How many bytes does a number from 0 to 255 take?",
        },
        {
            "fr": "Après les deux vérifications : return n * n_subspaces",
            "en": "After the two checks: return n * n_subspaces",
        },
    ),
)
