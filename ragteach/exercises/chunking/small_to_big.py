"""chunking.parent_child: search small, give large."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragteach.checking.compare import Difference, same
from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.chunking.inputs import texts
from ragteach.retrieval.chunk_structure import parent_child
from ragteach.retrieval.chunking import chunk_words

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

TEN = "1 2 3 4 5 6 7 8 9 10"


def inputs() -> SearchStrategy[tuple]:
    """Draw a text, the children's size and the parents', which is at least as large."""
    from hypothesis import strategies as st

    sizes = st.integers(1, 6).flatmap(lambda parent: st.tuples(st.integers(1, parent), st.just(parent)))
    # Most texts fill several parents: in a single one, children cannot run across.
    return st.tuples(st.one_of(texts(14), texts(14, 7), texts(14, 7)), sizes).map(lambda drawn: (drawn[0], *drawn[1]))


def trimmed(value: Any) -> Any:
    """Write the children with single spaces."""
    if isinstance(value, list | tuple):
        return [trimmed(item) for item in value]
    if isinstance(value, dict) and isinstance(value.get("child"), str):
        return {**value, "child": " ".join(value["child"].split())}
    return value


def judge(args: tuple, expected: Any, got: Any) -> Difference | None:
    """Compare the children word by word."""
    return same(trimmed(expected), trimmed(got))


def children_across(text, child_size, parent_size):
    children = chunk_words(text, child_size, 0)
    return [{"child": child, "parent": i * child_size // parent_size} for i, child in enumerate(children)]


def overlapping_parents(text, child_size, parent_size):
    parents = chunk_words(text, parent_size, min(child_size, parent_size - 1))
    return [
        {"child": child, "parent": i}
        for i, parent in enumerate(parents)
        for child in chunk_words(parent, child_size, 0)
    ]


def overlapping_children(text, child_size, parent_size):
    return [
        {"child": child, "parent": i}
        for i, parent in enumerate(chunk_words(text, parent_size, 0))
        for child in chunk_words(parent, child_size, child_size // 2)
    ]


def child_numbers(text, child_size, parent_size):
    return [{**pair, "parent": i} for i, pair in enumerate(parent_child(text, child_size, parent_size))]


def parent_texts(text, child_size, parent_size):
    parents = chunk_words(text, parent_size, 0)
    return [{**pair, "parent": parents[pair["parent"]]} for pair in parent_child(text, child_size, parent_size)]


def sizes_swapped(text, child_size, parent_size):
    return [
        {"child": child, "parent": i}
        for i, parent in enumerate(chunk_words(text, child_size, 0))
        for child in chunk_words(parent, parent_size, 0)
    ]


def lists_of_children(text, child_size, parent_size):
    parents = chunk_words(text, parent_size, 0)
    return [{"child": chunk_words(parent, child_size, 0), "parent": i} for i, parent in enumerate(parents)]


def whole_children_only(text, child_size, parent_size):
    return [pair for pair in parent_child(text, child_size, parent_size) if len(pair["child"].split()) == child_size]


PARENT_CHILD = Exercise(
    id="chunking.parent_child",
    chapter="01_chunking",
    entry="parent_child",
    title={"fr": "Chercher petit, fournir grand", "en": "Search small, give large"},
    points=2,
    importance=2,
    minutes=5,
    reference=parent_child,
    uses=("chunking.words",),
    examples=(
        Example(
            (TEN, 2, 4),
            {
                "fr": "Chaque parent de quatre mots a deux enfants ; le dernier, de deux mots, n’en a qu’un.",
                "en": "Each parent of four words has two children; the last one, of two words, has only one.",
            },
        ),
        Example(
            (TEN, 2, 5),
            {
                "fr": "Le cinquième mot fait un enfant à lui seul : « 5 6 » serait à cheval sur deux parents.",
                "en": 'The fifth word is a child by itself: "5 6" would straddle two parents.',
            },
        ),
        Example(
            (TEN, 3, 4),
            {
                "fr": "Trois mots et un, dans chaque parent plein.",
                "en": "Three words and one, in every full parent.",
            },
        ),
        Example(
            ("1 2 3 4 5", 1, 3),
            {"fr": "Des enfants d’un seul mot.", "en": "Children of one word each."},
        ),
        Example(
            ("1 2 3 4 5", 3, 3),
            {
                "fr": "Des tailles égales : chaque parent est son seul enfant.",
                "en": "Equal sizes: every parent is its own only child.",
            },
        ),
        Example(("Un fusible", 2, 9), {"fr": "Un texte court : un parent.", "en": "A short text: one parent."}),
        Example(("", 2, 4), {"fr": "Un texte vide : aucune paire.", "en": "An empty text: no pair."}),
        Example(
            (TEN, 5, 4),
            {
                "fr": "Un enfant plus grand que son parent n’y tiendrait pas : ValueError.",
                "en": "A child larger than its parent would not fit inside: ValueError.",
            },
        ),
        Example(
            (TEN, 0, 4),
            {
                "fr": "child_size doit valoir au moins 1 : ValueError.",
                "en": "child_size must be at least 1: ValueError.",
            },
        ),
    ),
    inputs=inputs,
    judge=judge,
    misconceptions=(
        Misconception(
            "children_across",
            children_across,
            {
                "fr": "Vos enfants sont découpés dans le texte entier : certains sont à cheval sur deux parents. "
                "Découpez chaque parent séparément.",
                "en": "Your children are cut from the whole text, so some straddle two parents. Cut each parent by "
                "itself.",
            },
        ),
        Misconception(
            "parent_texts",
            parent_texts,
            {
                "fr": "« parent » contient le texte du parent. Donnez son numéro : le texte se garde une seule fois, "
                "ailleurs.",
                "en": '"parent" holds the parent\'s text. Give its number: the text is kept once, elsewhere.',
            },
        ),
        Misconception(
            "numbered_from_1",
            lambda text, child_size, parent_size: [
                {**pair, "parent": pair["parent"] + 1} for pair in parent_child(text, child_size, parent_size)
            ],
            {
                "fr": "Vos parents sont numérotés à partir de 1. Ici on compte à partir de 0 : enumerate(parents).",
                "en": "Your parents are numbered from 1. Here they are counted from 0: enumerate(parents).",
            },
        ),
        Misconception(
            "child_numbers",
            child_numbers,
            {
                "fr": "« parent » contient le numéro de l’enfant. Donnez celui du parent qui le contient.",
                "en": '"parent" holds the child\'s number. Give that of the parent that contains it.',
            },
        ),
        Misconception(
            "sizes_swapped",
            sizes_swapped,
            {
                "fr": "Les deux tailles sont échangées : les parents ont parent_size mots, les enfants child_size.",
                "en": "The two sizes are swapped: parents have parent_size words, children child_size.",
            },
        ),
        Misconception(
            "overlapping_parents",
            overlapping_parents,
            {
                "fr": "Vos parents se recouvrent. Découpez-les sans recouvrement : overlap=0.",
                "en": "Your parents overlap. Cut them without overlap: overlap=0.",
            },
        ),
        Misconception(
            "overlapping_children",
            overlapping_children,
            {
                "fr": "Vos enfants se recouvrent. Découpez-les sans recouvrement : overlap=0.",
                "en": "Your children overlap. Cut them without overlap: overlap=0.",
            },
        ),
        Misconception(
            "lists_of_children",
            lists_of_children,
            {
                "fr": "Vous rendez un dictionnaire par parent. Il en faut un par enfant.",
                "en": "You return one dictionary per parent. There must be one per child.",
            },
        ),
        Misconception(
            "whole_children_only",
            whole_children_only,
            {
                "fr": "Les enfants plus courts que child_size ont disparu, et leurs mots avec eux. Gardez-les.",
                "en": "Children shorter than child_size have gone, and their words with them. Keep them.",
            },
        ),
        Misconception(
            "pairs",
            lambda text, child_size, parent_size: [
                tuple(pair.values()) for pair in parent_child(text, child_size, parent_size)
            ],
            {
                "fr": 'Vous rendez des couples. Rendez des dictionnaires à deux clés, "child" et "parent".',
                "en": 'You return pairs. Return dictionaries with two keys, "child" and "parent".',
            },
        ),
    ),
    hints=(
        {
            "fr": "Découpez d’abord le texte en parents, puis chaque parent en enfants, chaque fois avec "
            "chunk_words(…, overlap=0).",
            "en": "First cut the text into parents, then each parent into children, both with chunk_words(…, "
            "overlap=0).",
        },
        {
            "fr": "for number, parent in enumerate(chunk_words(text, parent_size, 0)), puis for child in "
            "chunk_words(parent, child_size, 0) : ajoutez dict(child=child, parent=number). Refusez avant "
            "child_size < 1 ou child_size > parent_size.",
            "en": "for number, parent in enumerate(chunk_words(text, parent_size, 0)), then for child in "
            "chunk_words(parent, child_size, 0): append dict(child=child, parent=number). Before that, reject "
            "child_size < 1 and child_size > parent_size.",
        },
    ),
)
