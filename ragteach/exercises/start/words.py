"""start.count_words: how many words a text has."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.retrieval.overlap import count_words

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

WORDS = ("robot", "le", "le", "3,8", "V", "l’axe", "R2.", "?")
SPACES = (" ", "  ", "\n", "\t", "\N{NARROW NO-BREAK SPACE}")


def inputs() -> SearchStrategy[tuple]:
    """Draw texts of up to six words, with white space of several kinds between them and around."""
    from hypothesis import strategies as st

    pairs = st.tuples(st.sampled_from(WORDS), st.sampled_from(SPACES))
    words = st.lists(pairs, max_size=6).map(lambda drawn: "".join(map("".join, drawn)))
    return st.tuples(st.tuples(st.sampled_from(("", *SPACES)), words).map("".join))


COUNT_WORDS = Exercise(
    id="start.count_words",
    chapter="00_start",
    entry="count_words",
    title={"fr": "Compter les mots", "en": "Count the words"},
    points=1,
    importance=1,
    minutes=3,
    reference=count_words,
    examples=(
        Example(
            ("Un fusible de 5 A protège le robot.",),
            {
                "fr": "Huit mots. Le point reste collé au dernier : il n’en fait pas un de plus.",
                "en": "Eight words. The full stop stays on the last one: it makes no word of its own.",
            },
        ),
        Example(("",), {"fr": "Un texte vide n’a aucun mot.", "en": "An empty text has no word."}),
        Example(
            ("   ",),
            {"fr": "Trois espaces, et toujours aucun mot.", "en": "Three spaces, and still no word."},
        ),
        Example(
            ("3,8 V  par cellule",),
            {
                "fr": "Deux espaces de suite ne font pas un mot de plus.",
                "en": "Two spaces in a row make no extra word.",
            },
        ),
        Example(
            ("un\nrobot\tR2",),
            {
                "fr": "Un retour à la ligne et une tabulation séparent aussi.",
                "en": "A line end and a tab separate words too.",
            },
        ),
        Example(
            ("le robot et le lidar",),
            {"fr": "« le » compte deux fois.", "en": '"le" counts twice.'},
        ),
        Example(
            ("couper l’alimentation",),
            {
                "fr": "Seuls les blancs séparent : l’apostrophe, non.",
                "en": "Only white space separates; the apostrophe does not.",
            },
        ),
        Example(
            (" R2 ",),
            {"fr": "Des espaces autour ne comptent pas.", "en": "Spaces around the text do not count."},
        ),
    ),
    inputs=inputs,
    misconceptions=(
        Misconception(
            "spaces_plus_1",
            lambda text: text.count(" ") + 1,
            {
                "fr": "Vous comptez les espaces, plus un. Deux espaces de suite, un retour à la ligne ou un texte vide "
                "faussent ce compte. text.split(), sans argument, sépare à tous les blancs.",
                "en": "You count the spaces and add one. Two spaces in a row, a line end or an empty text upset that "
                "count. text.split() without an argument cuts at any white space.",
            },
        ),
        Misconception(
            "strip_then_spaces",
            lambda text: text.strip().count(" ") + 1,
            {
                "fr": "Retirer les espaces du bord ne suffit pas : il en reste parfois deux de suite, et un texte vide "
                "compte encore pour un mot. text.split(), sans argument, règle tout cela.",
                "en": "Taking off the outer spaces is not enough: there may still be two in a row, and an empty text "
                "still counts as one word. text.split() without an argument settles all that.",
            },
        ),
        Misconception(
            "spaces",
            lambda text: text.count(" "),
            {
                "fr": "Vous comptez les espaces. Il faut compter ce qui est entre eux : la longueur de text.split().",
                "en": "You count the spaces. Count what lies between them: the length of text.split().",
            },
        ),
        Misconception(
            "only_spaces_separate",
            lambda text: len([word for word in text.split(" ") if word]),
            {
                "fr": 'text.split(" ") ne coupe qu’à l’espace ordinaire : « un\\nrobot » resterait un seul mot. '
                "Écrivez text.split(), sans argument.",
                "en": 'text.split(" ") cuts at plain spaces only: "un\\nrobot" would stay one word. Write '
                "text.split() without an argument.",
            },
        ),
        Misconception(
            "distinct",
            lambda text: len(set(text.split())),
            {
                "fr": "Vous comptez chaque mot une seule fois. Ici, un mot répété compte à chaque fois : pas de set.",
                "en": "You count each word once. Here a repeated word counts every time: no set.",
            },
        ),
        Misconception(
            "letter_runs",
            lambda text: len(re.findall(r"\w+", text)),
            {
                "fr": "Vous comptez les suites de lettres et de chiffres : « 3,8 » en fait deux, « l’alimentation » "
                "aussi. Ici, seuls les blancs séparent.",
                "en": 'You count runs of letters and digits: "3,8" makes two, and so does "l’alimentation". Here only '
                "white space separates.",
            },
        ),
        Misconception(
            "characters",
            lambda text: len(text),
            {
                "fr": "len(text) compte les caractères. Coupez d’abord : len(text.split()).",
                "en": "len(text) counts characters. Cut first: len(text.split()).",
            },
        ),
        Misconception(
            "the_words_themselves",
            lambda text: text.split(),
            {
                "fr": "Vous rendez la liste des mots. On demande leur nombre : len(…).",
                "en": "You return the list of words. The exercise asks how many there are: len(…).",
            },
        ),
    ),
    hints=(
        {
            "fr": 'Une chaîne sait se couper elle-même : essayez "un fusible de 5 A".split() dans une cellule.',
            "en": 'A string can cut itself: try "a 5 A fuse".split() in a cell.',
        },
        {
            "fr": "split() sans argument coupe à tous les blancs et ne fabrique aucun mot vide. Il reste à rendre la "
            "longueur de la liste : return len(text.split()).",
            "en": "split() without an argument cuts at any white space and makes no empty words. What remains is to "
            "return the length of the list: return len(text.split()).",
        },
    ),
)
