"""fusion.min_max: scores on one scale, and why that is fragile."""

from __future__ import annotations

from math import exp, inf, nan
from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.retrieval.fusion import min_max

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def inputs() -> SearchStrategy[tuple]:
    """Draw up to six scores in quarters, below zero too."""
    from hypothesis import strategies as st

    return st.tuples(st.lists(st.integers(-12, 60).map(lambda n: n / 4), max_size=6))


def spread(scores):
    """Give the smallest and the largest score."""
    return min(scores), max(scores)


def constant(value):
    """Make a min_max that gives equal scores some other value."""

    def function(scores):
        return [value] * len(scores) if len(set(scores)) == 1 else min_max(scores)

    return function


def by_largest(scores):
    return [score / max(scores) if max(scores) else 0.0 for score in scores]


def by_sum(scores):
    return [score / sum(scores) if sum(scores) else 0.0 for score in scores]


def softmax(scores):
    weights = [exp(score - max(scores)) for score in scores]
    return [weight / sum(weights) for weight in weights]


def standardised(scores):
    mean = sum(scores) / len(scores) if scores else 0.0
    deviation = (sum((score - mean) ** 2 for score in scores) / len(scores)) ** 0.5 if scores else 0.0
    return [(score - mean) / deviation if deviation else 0.0 for score in scores]


def no_guard(scores):
    return [(score - min(scores)) / (max(scores) - min(scores)) for score in scores]


def no_parentheses(scores):
    if len(set(scores)) <= 1:
        return [0.0] * len(scores)
    low, high = spread(scores)
    return [score - low / (high - low) for score in scores]


def over_largest(scores):
    if len(set(scores)) <= 1:
        return [0.0] * len(scores)
    low, high = spread(scores)
    return [(score - low) / high for score in scores]


def places(scores):
    order = sorted(set(scores))
    return [order.index(score) / (len(order) - 1) if len(order) > 1 else 0.0 for score in scores]


MISCONCEPTIONS = (
    Misconception(
        "by_largest",
        by_largest,
        {
            "fr": "Vous divisez par la plus grande note : la plus petite n’arrive pas à 0. Retirez-la d’abord : "
            "(s - min) / (max - min).",
            "en": "You divide by the largest score, so the smallest does not become 0. Take it off first: "
            "(s - min) / (max - min).",
        },
    ),
    Misconception(
        "over_largest",
        over_largest,
        {
            "fr": "Vous retirez bien le minimum, mais vous divisez par le maximum. Divisez par l’étendue, max - min : "
            "la meilleure note doit valoir 1.",
            "en": "You take the minimum off, but divide by the maximum. Divide by the range, max - min: the best "
            "score must become 1.",
        },
    ),
    Misconception(
        "by_sum",
        by_sum,
        {
            "fr": "Vous divisez par la somme : vos valeurs sont des parts, pas une échelle de 0 à 1. La formule est "
            "(s - min) / (max - min).",
            "en": "You divide by the sum: your values are shares, not a scale from 0 to 1. The formula is "
            "(s - min) / (max - min).",
        },
    ),
    Misconception(
        "softmax",
        softmax,
        {
            "fr": "C’est un softmax : il rend des probabilités de somme 1. Ici, une simple règle de trois suffit : "
            "(s - min) / (max - min).",
            "en": "This is a softmax, which gives probabilities that sum to 1. Here a straight line is enough: "
            "(s - min) / (max - min).",
        },
    ),
    Misconception(
        "standardised",
        standardised,
        {
            "fr": "Vous centrez et réduisez (moyenne 0, écart-type 1) : le résultat sort de l’intervalle de 0 à 1. "
            "Retirez le minimum, divisez par max - min.",
            "en": "You standardise (mean 0, standard deviation 1), and the result leaves the range 0 to 1. Take the "
            "minimum off and divide by max - min.",
        },
    ),
    Misconception(
        "upside_down",
        lambda scores: [1 - value for value in min_max(scores)] if len(set(scores)) > 1 else [0.0] * len(scores),
        {
            "fr": "Votre échelle est retournée : la meilleure note devient 0. C’est s - min qu’il faut diviser, pas "
            "max - s.",
            "en": "Your scale is upside down: the best score becomes 0. Divide s - min, not max - s.",
        },
    ),
    Misconception(
        "no_parentheses",
        no_parentheses,
        {
            "fr": "Il manque des parenthèses : s - min / (max - min) divise d’abord min. Écrivez "
            "(s - min) / (max - min).",
            "en": "Parentheses are missing: s - min / (max - min) divides min first. Write (s - min) / (max - min).",
        },
    ),
    Misconception(
        "constant_fails",
        no_guard,
        {
            "fr": "Quand toutes les notes sont égales, max - min vaut 0 et la division échoue. Traitez ce cas à part : "
            "rien que des 0.0.",
            "en": "Where all scores are equal, max - min is 0 and the division fails. Treat that case apart: all 0.0.",
        },
    ),
    Misconception(
        "constant_is_nan",
        constant(nan),
        {
            "fr": "Quand toutes les notes sont égales, NumPy calcule 0 / 0 et rend nan, qui gâchera toutes les sommes. "
            "Traitez ce cas à part : rien que des 0.0.",
            "en": "Where all scores are equal, NumPy computes 0 / 0 and gives nan, which spoils every sum after it. "
            "Treat that case apart: all 0.0.",
        },
    ),
    Misconception(
        "constant_is_one",
        constant(1.0),
        {
            "fr": "Des notes toutes égales ne distinguent personne ; l’énoncé demande 0.0 pour toutes, pas 1.0.",
            "en": "Equal scores tell nobody apart; the statement asks for 0.0 for all of them, not 1.0.",
        },
    ),
    Misconception(
        "constant_is_half",
        constant(0.5),
        {
            "fr": "Des notes toutes égales valent 0.0 dans l’énoncé, pas 0.5.",
            "en": "Equal scores become 0.0 in the statement, not 0.5.",
        },
    ),
    Misconception(
        "places",
        places,
        {
            "fr": "Vous espacez les notes régulièrement, selon leur place. Ce sont les écarts entre notes qui comptent "
            "ici : (s - min) / (max - min).",
            "en": "You space the scores evenly, by their place. Here the gaps between scores count: "
            "(s - min) / (max - min).",
        },
    ),
    Misconception(
        "sorted_values",
        lambda scores: sorted(min_max(scores), reverse=True),
        {
            "fr": "Vos valeurs sont triées. Laissez chacune à la place de sa note : scores[i] donne résultat[i].",
            "en": "Your values are sorted. Leave each at the place of its score: scores[i] gives result[i].",
        },
    ),
    Misconception(
        "percent",
        lambda scores: [100 * value for value in min_max(scores)],
        {
            "fr": "Vous rendez des pourcentages. L’échelle demandée va de 0 à 1.",
            "en": "You return percentages. The scale asked for goes from 0 to 1.",
        },
    ),
)

MIN_MAX = Exercise(
    id="fusion.min_max",
    chapter="04_fusion",
    entry="min_max",
    title={"fr": "Ramener des notes entre 0 et 1", "en": "Bring scores into the range 0 to 1"},
    points=1,
    importance=1,
    minutes=3,
    reference=min_max,
    examples=(
        Example(
            ([2.0, 6.0, 3.0],),
            {
                "fr": "La plus petite devient 0, la plus grande 1 ; 3 est au quart du chemin.",
                "en": "The smallest becomes 0, the largest 1; 3 is a quarter of the way.",
            },
        ),
        Example(
            ([0.8, 0.9, 0.84],),
            {
                "fr": "Des cosinus serrés sont étirés sur toute l’échelle, comme s’ils étaient très différents.",
                "en": "Cosines close together are stretched over the whole scale, as if they differed a lot.",
            },
        ),
        Example(
            ([1.0, 2.0, 3.0, 1000.0],),
            {
                "fr": "Une seule note extrême écrase toutes les autres contre 0.",
                "en": "A single extreme score squeezes all the others against 0.",
            },
        ),
        Example(
            ([-3.0, 1.0, -1.0],),
            {"fr": "Les notes peuvent être négatives.", "en": "Scores may be negative."},
        ),
        Example(
            ([5.0, 5.0, 5.0],),
            {
                "fr": "Toutes égales : 0.0 pour toutes, sans division par zéro.",
                "en": "All equal: 0.0 for each, and no division by zero.",
            },
        ),
        Example(
            ([7.5],),
            {"fr": "Une note seule est égale à elle-même : 0.0.", "en": "A single score equals itself: 0.0."},
        ),
        Example(([],), {"fr": "Aucune note : une liste vide.", "en": "No score: an empty list."}),
        Example(
            ([1.0, nan, 2.0],),
            {
                "fr": "nan n’a pas de place sur l’échelle : ValueError.",
                "en": "nan has no place on a scale: ValueError.",
            },
        ),
        Example(
            ([1.0, inf],),
            {
                "fr": "Une note infinie non plus : ValueError.",
                "en": "Neither has an infinite score: ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=MISCONCEPTIONS,
    hints=(
        {
            "fr": "Cherchez la plus petite et la plus grande note, une fois, avant la boucle. Deux cas à part : la "
            "liste vide, et toutes les notes égales.",
            "en": "Find the smallest and the largest score once, before the loop. Two cases stand apart: the empty "
            "list, and scores that are all equal.",
        },
        {
            "fr": "[(s - low) / (high - low) for s in scores] quand high > low, sinon [0.0] * len(scores). Avant : "
            "si not all(math.isfinite(s) for s in scores), levez ValueError.",
            "en": "[(s - low) / (high - low) for s in scores] where high > low, else [0.0] * len(scores). Before that: "
            "if not all(math.isfinite(s) for s in scores), raise ValueError.",
        },
    ),
)
