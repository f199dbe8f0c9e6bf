"""hnsw.level: how high a new node climbs."""

from __future__ import annotations

from math import ceil, floor, log, log10
from typing import TYPE_CHECKING, Any

from ragteach.checking.compare import Difference, same
from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.retrieval.hnsw import random_level

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

ROUNDING = 1e-9


def inputs() -> SearchStrategy[tuple]:
    """Draw u and m: any u, one just where a level begins, or one that is refused."""
    from hypothesis import strategies as st

    m = st.integers(2, 64)
    anywhere = st.tuples(st.floats(1e-6, 1), m)
    at_a_step = st.tuples(m, st.integers(0, 3), st.sampled_from((0.9, 1.1))).map(
        lambda drawn: (min(1.0, drawn[2] * drawn[0] ** -drawn[1]), drawn[0])
    )
    return anywhere | at_a_step


def judge(args: tuple, expected: Any, got: Any) -> Difference | None:
    """Compare two levels; where -ln(u)/ln(m) is whole but for rounding, that level and the one below are right."""
    u, m = args
    exact = -log(u) / log(m)
    if round(exact) > 0 and abs(exact - round(exact)) < ROUNDING:
        if any(same(round(exact) - less, got) is None for less in (0, 1)):
            return None
    return same(expected, got)


def checked(formula):
    """Make a level function of a formula that refuses what the reference refuses."""

    def level(u, m):
        random_level(u, m)
        return formula(u, m)

    return level


MISCONCEPTIONS = (
    Misconception(
        "rounded",
        checked(lambda u, m: round(-log(u) / log(m))),
        {
            "fr": "Vous arrondissez au plus proche : des nœuds montent un étage trop haut. Prenez la partie entière, "
            "math.floor.",
            "en": "You round to the nearest whole number, so some nodes climb one layer too high. Round down, with "
            "math.floor.",
        },
    ),
    Misconception(
        "rounded_up",
        checked(lambda u, m: ceil(-log(u) / log(m))),
        {
            "fr": "Vous arrondissez vers le haut : presque tous les nœuds quittent l’étage 0. Prenez math.floor, qui "
            "arrondit vers le bas.",
            "en": "You round up, and nearly every node leaves layer 0. Take math.floor, which rounds down.",
        },
    ),
    Misconception(
        "sign_forgotten",
        checked(lambda u, m: floor(log(u) / log(m))),
        {
            "fr": "Il manque le signe moins : ln(u) est négatif pour u < 1, et le niveau le devient aussi.",
            "en": "The minus sign is missing: ln(u) is negative for u < 1, and so is your level.",
        },
    ),
    Misconception(
        "multiplied",
        checked(lambda u, m: floor(-log(u) * log(m))),
        {
            "fr": "Vous multipliez par ln(m). Dans l’article, m_L vaut 1/ln(m) : c’est une division.",
            "en": "You multiply by ln(m). In the paper, m_L is 1/ln(m): it is a division.",
        },
    ),
    Misconception(
        "divided_by_m",
        checked(lambda u, m: floor(-log(u) / m)),
        {
            "fr": "Vous divisez par m au lieu de ln(m) : presque personne ne monte.",
            "en": "You divide by m instead of ln(m), so hardly any node climbs.",
        },
    ),
    Misconception(
        "two_bases",
        checked(lambda u, m: floor(-log10(u) / log(m))),
        {
            "fr": "Le haut de la fraction est en base 10, le bas en base e. Prenez le même logarithme des deux côtés.",
            "en": "The numerator is to base 10, the denominator to base e. Use the same logarithm for both.",
        },
    ),
    Misconception(
        "natural_only",
        checked(lambda u, m: floor(-log(u))),
        {
            "fr": "Vous oubliez m : un nœud sur e monterait, au lieu d’un sur m. Divisez par ln(m).",
            "en": "You leave m out: one node in e would climb instead of one in m. Divide by ln(m).",
        },
    ),
    Misconception(
        "from_one",
        checked(lambda u, m: floor(-log(u) / log(m)) + 1),
        {
            "fr": "Vos niveaux commencent à 1. L’étage du bas porte le numéro 0, et la plupart des nœuds y restent.",
            "en": "Your levels start at 1. The bottom layer is number 0, and most nodes stay there.",
        },
    ),
    Misconception(
        "not_whole",
        checked(lambda u, m: -log(u) / log(m)),
        {
            "fr": "Un niveau est un entier : prenez la partie entière avec math.floor.",
            "en": "A level is a whole number: round down with math.floor.",
        },
    ),
    Misconception(
        "from_one_minus_u",
        checked(lambda u, m: floor(-log(1 - u) / log(m)) if u < 1 else 0),
        {
            "fr": "Vous calculez avec 1 − u. La fonction reçoit u, déjà tiré dans ]0, 1] : servez-vous-en tel quel.",
            "en": "You compute with 1 - u. The function is given u, already drawn from (0, 1]: use it as it is.",
        },
    ),
)

LEVEL = Exercise(
    id="hnsw.level",
    chapter="08_hnsw",
    entry="random_level",
    title={"fr": "Tirer l’étage d’un nœud", "en": "Draw a node's layer"},
    points=1,
    importance=2,
    minutes=3,
    reference=random_level,
    examples=(
        Example(
            (0.5, 16),
            {
                "fr": "Quinze nœuds sur seize restent à l’étage 0.",
                "en": "Fifteen nodes in sixteen stay in layer 0.",
            },
        ),
        Example(
            (0.05, 16),
            {
                "fr": "−ln(0,05)/ln(16) vaut environ 1,08 : étage 1.",
                "en": "-ln(0.05)/ln(16) is about 1.08: layer 1.",
            },
        ),
        Example(
            (0.08, 16),
            {
                "fr": "0,91 : encore l’étage 0, car on arrondit vers le bas.",
                "en": "0.91: still layer 0, for it is rounded down.",
            },
        ),
        Example(
            (0.003, 16),
            {"fr": "Moins d’un nœud sur 256 : étage 2.", "en": "Fewer than one node in 256: layer 2."},
        ),
        Example(
            (0.001, 4),
            {
                "fr": "Avec m = 4, un petit u monte plus haut : étage 4.",
                "en": "With m = 4 nodes climb more easily: layer 4.",
            },
        ),
        Example(
            (1.0, 2),
            {"fr": "u = 1 est permis : ln(1) vaut 0.", "en": "u = 1 is allowed: ln(1) is 0."},
        ),
        Example(
            (0.3, 2),
            {"fr": "Le plus petit m permis.", "en": "The smallest m allowed."},
        ),
        Example(
            (0.0, 16),
            {
                "fr": "u = 0 n’a pas de logarithme : ValueError.",
                "en": "u = 0 has no logarithm: ValueError.",
            },
        ),
        Example(
            (1.5, 16),
            {"fr": "u dépasse 1 : ValueError.", "en": "u exceeds 1: ValueError."},
        ),
        Example(
            (0.5, 1),
            {
                "fr": "m = 1 : ln(1) vaut 0, et tous les nœuds monteraient sans fin. ValueError.",
                "en": "m = 1: ln(1) is 0, and every node would climb for ever. ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=MISCONCEPTIONS,
    hints=(
        {
            "fr": "ln(u) est négatif ou nul : le signe moins rend le niveau positif. Le logarithme népérien est "
            "math.log.",
            "en": "ln(u) is negative or zero; the minus sign makes the level positive. The natural logarithm is "
            "math.log.",
        },
        {
            "fr": "Vérifiez d’abord 0 < u <= 1 et m >= 2, puis rendez math.floor(-math.log(u) / math.log(m)).",
            "en": "Check 0 < u <= 1 and m >= 2 first, then return math.floor(-math.log(u) / math.log(m)).",
        },
    ),
    judge=judge,
)
