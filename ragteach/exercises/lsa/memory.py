"""lsa.index_bytes: what the vectors of an index weigh."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.retrieval.dense import index_bytes

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def inputs() -> SearchStrategy[tuple]:
    """Draw a number of vectors, their dimension, and the bytes of a value in half of the cases."""
    from hypothesis import strategies as st

    sizes = st.tuples(st.integers(0, 10**7), st.integers(1, 2048))
    return sizes | st.tuples(sizes, st.sampled_from((1, 2, 4, 8))).map(lambda drawn: (*drawn[0], drawn[1]))


INDEX_BYTES = Exercise(
    id="lsa.index_bytes",
    chapter="03_lsa",
    entry="index_bytes",
    title={"fr": "La mémoire d’un index dense", "en": "The memory of a dense index"},
    points=1,
    importance=2,
    minutes=2,
    reference=index_bytes,
    examples=(
        Example(
            (1_000_000, 1024),
            {
                "fr": "Un million de vecteurs de 1024 nombres : 4,096 milliards d’octets, environ 4,1 Go.",
                "en": "A million vectors of 1024 numbers: 4.096 billion bytes, about 4.1 GB.",
            },
        ),
        Example(
            (10_000_000, 768),
            {
                "fr": "Dix millions de vecteurs de 768 nombres : environ 31 Go.",
                "en": "Ten million vectors of 768 numbers: about 31 GB.",
            },
        ),
        Example(
            (10_000_000, 768, 1),
            {
                "fr": "Les mêmes avec un octet par nombre (int8) : environ 8 Go.",
                "en": "The same with one byte a number (int8): about 8 GB.",
            },
        ),
        Example(
            (25_000, 384),
            {
                "fr": "Vingt-cinq mille morceaux, un petit modèle : 38 Mo seulement.",
                "en": "Twenty-five thousand chunks, a small model: a mere 38 MB.",
            },
        ),
        Example(
            (3, 1, 2),
            {"fr": "Trois nombres de deux octets : 6.", "en": "Three numbers of two bytes: 6."},
        ),
        Example((0, 384), {"fr": "Un index vide ne pèse rien.", "en": "An empty index weighs nothing."}),
        Example(
            (-1, 384),
            {
                "fr": "Un nombre négatif de vecteurs n’a pas de sens : levez une ValueError.",
                "en": "A negative number of vectors makes no sense: raise a ValueError.",
            },
        ),
        Example(
            (10, 0),
            {
                "fr": "Ni un vecteur sans dimension : ValueError.",
                "en": "Nor does a vector of no dimension: ValueError.",
            },
        ),
        Example(
            (10, 384, 0),
            {"fr": "Ni un nombre de zéro octet : ValueError.", "en": "Nor does a number of zero bytes: ValueError."},
        ),
    ),
    inputs=inputs,
    misconceptions=(
        Misconception(
            "values",
            lambda n, dims, bytes_per_value=4: n * dims,
            {
                "fr": "Vous comptez les nombres. Chacun prend bytes_per_value octets : multipliez encore.",
                "en": "You count the numbers. Each takes bytes_per_value bytes: multiply once more.",
            },
        ),
        Misconception(
            "bits",
            lambda n, dims, bytes_per_value=4: 8 * n * dims * bytes_per_value,
            {
                "fr": "Ce sont des bits. On demande des octets : ne multipliez pas par 8.",
                "en": "These are bits. Bytes are asked for: do not multiply by 8.",
            },
        ),
        Misconception(
            "always_four",
            lambda n, dims, bytes_per_value=4: n * dims * 4,
            {
                "fr": "Vous comptez toujours 4 octets par nombre. Prenez l’argument bytes_per_value.",
                "en": "You always count 4 bytes a number. Take the argument bytes_per_value.",
            },
        ),
        Misconception(
            "gigabytes",
            lambda n, dims, bytes_per_value=4: n * dims * bytes_per_value / 1e9,
            {
                "fr": "Vous rendez des gigaoctets. On demande des octets, un entier.",
                "en": "You return gigabytes. Bytes are asked for, a whole number.",
            },
        ),
        Misconception(
            "gibibytes",
            lambda n, dims, bytes_per_value=4: n * dims * bytes_per_value / 2**30,
            {
                "fr": "Vous divisez par 2^30 : ce sont des gibioctets. On demande des octets.",
                "en": "You divide by 2^30: these are gibibytes. Bytes are asked for.",
            },
        ),
        Misconception(
            "megabytes",
            lambda n, dims, bytes_per_value=4: n * dims * bytes_per_value / 1e6,
            {
                "fr": "Vous rendez des mégaoctets. On demande des octets, un entier.",
                "en": "You return megabytes. Bytes are asked for, a whole number.",
            },
        ),
        Misconception(
            "one_vector",
            lambda n, dims, bytes_per_value=4: dims * bytes_per_value,
            {
                "fr": "C’est la taille d’un seul vecteur. Il y en a n.",
                "en": "This is the size of one vector. There are n of them.",
            },
        ),
        Misconception(
            "all_pairs",
            lambda n, dims, bytes_per_value=4: n * n * dims * bytes_per_value,
            {
                "fr": "Vous comptez n² : un index garde un vecteur par morceau, pas un par couple.",
                "en": "You count n²: an index keeps one vector per chunk, not one per pair.",
            },
        ),
    ),
    hints=(
        {
            "fr": "n vecteurs, de dims nombres chacun, de bytes_per_value octets chacun.",
            "en": "n vectors of dims numbers each, of bytes_per_value bytes each.",
        },
        {
            "fr": "Refusez n < 0, dims < 1 et bytes_per_value < 1, puis rendez n * dims * bytes_per_value.",
            "en": "Reject n < 0, dims < 1 and bytes_per_value < 1, then return n * dims * bytes_per_value.",
        },
    ),
)
