"""start.best_chunk: the smallest search there is."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from itertools import product
from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.retrieval.overlap import best_chunk

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

# Three words each, of which one is almost another.
ALIKE = (("robot", "Robot", "le"), ("robot", "robots", "le"), ("robot", "robot.", "le"), ("robot.", "Le", "le"))


def inputs() -> SearchStrategy[tuple]:
    """Draw a question of one to four words, repeated ones among them, and two to four chunks of one or two."""
    from hypothesis import strategies as st

    # Three words only, so that the question repeats some and the chunks share some; where nothing is shared, or with
    # one chunk, most mistakes give 0 as well.
    few, spaces = st.sampled_from(ALIKE), st.sampled_from((" ", "\n"))

    def texts(longest: int) -> SearchStrategy[tuple[int, ...]]:
        return st.sampled_from([places for n in range(1, longest + 1) for places in product(range(3), repeat=n)])

    def write(words: tuple[str, ...], space: str, asked: tuple, found: list[tuple]) -> tuple[str, list[str]]:
        return " ".join(words[i] for i in asked), [space.join(words[i] for i in chunk) for chunk in found]

    return st.builds(write, few, spaces, texts(4), st.lists(texts(2), min_size=2, max_size=4, unique=True))


def first_best(count: Callable[[str, str], float], question: str, chunks: Sequence[str]) -> int:
    """Return the number of the chunk with the highest count; ties: lower number."""
    counts = [count(question, chunk) for chunk in chunks]
    return counts.index(max(counts))


def words(text: str) -> set[str]:
    return set(text.lower().split())


def shared(question: str, chunk: str) -> int:
    return len(words(question) & words(chunk))


def case_kept(question, chunks):
    return first_best(lambda q, c: len(set(q.split()) & set(c.split())), question, chunks)


def occurrences(question, chunks):
    return first_best(lambda q, c: sum(c.lower().split().count(word) for word in words(q)), question, chunks)


def question_repeated(question, chunks):
    return first_best(lambda q, c: sum(word in words(c) for word in q.lower().split()), question, chunks)


def substrings(question, chunks):
    return first_best(lambda q, c: sum(word in c.lower() for word in words(q)), question, chunks)


def share_of_the_chunk(question, chunks):
    return first_best(lambda q, c: shared(q, c) / max(1, len(c.split())), question, chunks)


def letters(question, chunks):
    return first_best(lambda q, c: len(set(q.lower()) & set(c.lower())), question, chunks)


def without_punctuation(question, chunks):
    def tokens(text):
        return set(re.findall(r"\w+", text.lower()))

    return first_best(lambda q, c: len(tokens(q) & tokens(c)), question, chunks)


def split_at_spaces(question, chunks):
    return first_best(lambda q, c: len(set(q.lower().split(" ")) & set(c.lower().split(" ")) - {""}), question, chunks)


def last_of_ties(question, chunks):
    best, most = 0, -1
    for i, chunk in enumerate(chunks):
        if shared(question, chunk) >= most:
            best, most = i, shared(question, chunk)
    return best


BEST_CHUNK = Exercise(
    id="start.best_chunk",
    chapter="00_start",
    entry="best_chunk",
    title={"fr": "Le meilleur morceau", "en": "The best chunk"},
    points=1,
    importance=2,
    minutes=6,
    reference=best_chunk,
    examples=(
        Example(
            ("Quel fusible pour le robot", ["le lidar tourne", "fusible\nrobot", "un moteur"]),
            {
                "fr": "Deux mots communs avec le morceau 1, un seul avec le 0. Un retour à la ligne sépare aussi.",
                "en": "Two words shared with chunk 1, one with chunk 0. A line end separates words too.",
            },
        ),
        Example(
            ("FUSIBLE du Robot", ["du texte", "Fusible du robot"]),
            {"fr": "Majuscules et minuscules se valent.", "en": "Upper and lower case are the same."},
        ),
        Example(
            ("le fusible du robot", ["le le le le chat", "le fusible"]),
            {
                "fr": "Un mot répété dans un morceau compte une fois.",
                "en": "A word repeated in a chunk counts once.",
            },
        ),
        Example(
            ("robot robot lidar fusible", ["robot", "lidar fusible"]),
            {
                "fr": "Un mot répété dans la question compte une fois.",
                "en": "A word repeated in the question counts once.",
            },
        ),
        Example(
            ("le robot", ["robot", "le", "le lidar"]),
            {
                "fr": "Trois ex æquo : le plus petit numéro gagne.",
                "en": "Three chunks tie: the lowest number wins.",
            },
        ),
        Example(
            ("le robot", ["les robots", "un robot"]),
            {
                "fr": "Des mots entiers : « le » n’est pas dans « les robots ».",
                "en": 'Whole words: "le" is not in "les robots".',
            },
        ),
        Example(
            ("quel fusible ?", ["le fusible.", "pourquoi ?"]),
            {
                "fr": "La ponctuation reste collée : « fusible. » n’est pas « fusible ». Le chapitre 02 y remédie.",
                "en": 'Punctuation stays on: "fusible." is not "fusible". Chapter 02 mends that.',
            },
        ),
        Example(
            ("le fusible du robot", ["fusible", "le fusible du robot se trouve derrière la plaque arrière, à gauche"]),
            {
                "fr": "C’est le nombre de mots communs qui compte, pas leur proportion dans le morceau.",
                "en": "The number of shared words counts, not their share of the chunk.",
            },
        ),
        Example(
            ("zigzag", ["gag a zig", "zigzag"]),
            {"fr": "On compare des mots, pas des lettres.", "en": "Words are compared, not letters."},
        ),
        Example(
            ("gps", ["le robot"]),
            {"fr": "Aucun mot commun : 0, le premier.", "en": "No shared word: 0, the first one."},
        ),
        Example(
            ("fusible", []),
            {"fr": "Aucun morceau : levez une ValueError.", "en": "No chunk at all: raise a ValueError."},
        ),
        Example(
            ("fusible", "un fusible"),
            {
                "fr": "Une chaîne à la place de la liste : elle serait lue lettre par lettre. Levez une ValueError.",
                "en": "A string instead of the list: it would be read letter by letter. Raise a ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=(
        Misconception(
            "case_kept",
            case_kept,
            {
                "fr": "« Fusible » et « fusible » sont pour vous deux mots. Mettez la question et les morceaux en "
                "minuscules, avec lower().",
                "en": '"Fuse" and "fuse" are two words to you. Put the question and the chunks in lower case, with '
                "lower().",
            },
        ),
        Misconception(
            "occurrences",
            occurrences,
            {
                "fr": "Un mot répété dans le morceau compte plusieurs fois, et « le le le » l’emporte. Comparez des "
                "ensembles : set(…) & set(…).",
                "en": 'A word repeated in the chunk counts several times, so "the the the" wins. Compare sets: '
                "set(…) & set(…).",
            },
        ),
        Misconception(
            "question_repeated",
            question_repeated,
            {
                "fr": "Un mot répété dans la question compte plusieurs fois. Faites aussi un ensemble des mots de la "
                "question.",
                "en": "A word repeated in the question counts several times. Make a set of the question's words too.",
            },
        ),
        Misconception(
            "substrings",
            substrings,
            {
                "fr": "« le » in « les robots » est vrai : vous cherchez des suites de lettres. Coupez le morceau en "
                "mots avant de comparer.",
                "en": '"le" in "les robots" is true: you look for runs of letters. Cut the chunk into words before '
                "comparing.",
            },
        ),
        Misconception(
            "letters",
            letters,
            {
                "fr": "set(texte) est l’ensemble des lettres. Coupez d’abord le texte en mots : set(texte.split()).",
                "en": "set(text) is the set of letters. Cut the text into words first: set(text.split()).",
            },
        ),
        Misconception(
            "share_of_the_chunk",
            share_of_the_chunk,
            {
                "fr": "Vous divisez par la longueur du morceau. L’idée reviendra dans BM25 ; ici, on compte seulement "
                "les mots communs.",
                "en": "You divide by the length of the chunk. The idea returns in BM25; here, just count the shared "
                "words.",
            },
        ),
        Misconception(
            "without_punctuation",
            without_punctuation,
            {
                "fr": "Vous retirez la ponctuation. C’est une bonne idée, et le chapitre 02 la suit ; ici, les mots "
                "sont ceux de split().",
                "en": "You drop punctuation. A good idea, which chapter 02 takes up; here, words are those of split().",
            },
        ),
        Misconception(
            "split_at_spaces",
            split_at_spaces,
            {
                "fr": 'split(" ") ne coupe qu’à l’espace : les mots qu’un retour à la ligne sépare restent collés. '
                "Écrivez split(), sans argument.",
                "en": 'split(" ") cuts at spaces only: words with a line end between them stay together. Write '
                "split() without an argument.",
            },
        ),
        Misconception(
            "last_of_ties",
            last_of_ties,
            {
                "fr": "À égalité, vous gardez le dernier. Le premier doit rester : comparez avec >, pas avec >=.",
                "en": "In a tie you keep the last one. The first must stay: compare with >, not with >=.",
            },
        ),
        Misconception(
            "counted_from_1",
            lambda question, chunks: best_chunk(question, chunks) + 1,
            {
                "fr": "Vos numéros commencent à 1. Le premier morceau porte le numéro 0.",
                "en": "Your numbers start at 1. The first chunk is number 0.",
            },
        ),
        Misconception(
            "count_returned",
            lambda question, chunks: max(shared(question, chunk) for chunk in chunks),
            {
                "fr": "Vous rendez le nombre de mots communs. On demande le numéro du morceau qui en a le plus.",
                "en": "You return how many words are shared. The exercise asks for the number of the chunk that shares "
                "most.",
            },
        ),
        Misconception(
            "text_returned",
            lambda question, chunks: chunks[best_chunk(question, chunks)],
            {
                "fr": "Vous rendez le texte du morceau. On demande son numéro dans la liste.",
                "en": "You return the chunk's text. The exercise asks for its number in the list.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Pour un morceau : set(question.lower().split()) & set(chunk.lower().split()) est l’ensemble des "
            "mots communs, et len(…) dit combien.",
            "en": "For one chunk: set(question.lower().split()) & set(chunk.lower().split()) is the set of shared "
            "words, and len(…) tells how many.",
        },
        {
            "fr": "Rangez ces nombres dans une liste shared, un par morceau. shared.index(max(shared)) est le numéro "
            "du premier maximum.",
            "en": "Put these counts into a list shared, one per chunk. shared.index(max(shared)) is the number of the "
            "first maximum.",
        },
        {
            "fr": "Avant tout cela : `if isinstance(chunks, str) or len(chunks) == 0: raise ValueError(…)`.",
            "en": "Before all that: `if isinstance(chunks, str) or len(chunks) == 0: raise ValueError(…)`.",
        },
    ),
)
