"""pq.quantize: one signed byte for each number, with a scale for each dimension."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ragteach.checking.compare import Difference, same
from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.pq.inputs import type_fault
from ragteach.retrieval.pq import quantize_int8

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

HALFWAY = 1e-4  # in steps: what rounding to float32 may move


def inputs() -> SearchStrategy[tuple]:
    """Draw up to five vectors of up to three numbers, columns of zeros among them."""
    from hypothesis import strategies as st

    def vectors(shape: tuple[int, int]) -> SearchStrategy[tuple]:
        row = st.lists(st.integers(-60, 60), min_size=shape[1], max_size=shape[1])
        drawn = st.lists(row, min_size=shape[0], max_size=shape[0]).map(lambda rows: np.array(rows) / 8)
        in_use = st.lists(st.sampled_from((1, 1, 1, 0)), min_size=shape[1], max_size=shape[1])
        return st.tuples(drawn, in_use).map(lambda pair: (pair[0] * pair[1],))

    return st.tuples(st.integers(1, 5), st.integers(1, 3)).flatmap(vectors)


def judge(args: tuple, expected: Any, got: Any) -> Difference | None:
    """Compare codes and scales; a number midway between two steps may take either."""
    difference = same(expected, got)
    if difference and difference.kind == "value" and difference.path.startswith("[0]"):
        wanted, found = np.asarray(expected[0], dtype=float), np.asarray(got[0], dtype=float)
        with np.errstate(divide="ignore", invalid="ignore"):
            midway = np.abs(args[0] / np.asarray(expected[1]) - (wanted + found) / 2) <= HALFWAY
        if ((wanted == found) | (midway & (np.abs(wanted - found) == 1))).all():
            difference = same(expected[1], got[1], "[1]")
    return difference or type_fault(expected[0], got[0], "[0]")


def scales(vectors, greatest=None, steps=127):
    scale = (np.abs(vectors).max(axis=0) if greatest is None else greatest) / steps
    return np.where(scale == 0, 1.0, scale)


def rounded(vectors, scale):
    return np.clip(np.rint(vectors / scale), -127, 127).astype(np.int8)


def one_scale(vectors):
    scale = scales(vectors, np.full(vectors.shape[1], np.abs(vectors).max()))
    return rounded(vectors, scale), scale


def by_row(vectors):
    scale = scales(vectors, np.abs(vectors).max(axis=1))
    return rounded(vectors, scale[:, None]), scale


def truncated(vectors):
    scale = scales(vectors)
    return np.trunc(np.round(vectors / scale, 9)).astype(np.int8), scale


def greatest_without_sign(vectors):
    scale = scales(vectors, vectors.max(axis=0))
    return np.rint(vectors / scale).astype(np.int64).astype(np.int8), scale


def wraps_at_128(vectors):
    scale = scales(vectors, steps=128)
    return np.rint(vectors / scale).astype(np.int64).astype(np.int8), scale


def by_range(vectors):
    low, high = vectors.min(axis=0), vectors.max(axis=0)
    scale = np.where(high > low, (high - low) / 255, 1.0)
    return np.clip(np.rint((vectors - low) / scale) - 128, -128, 127).astype(np.int8), scale


def zero_scale(vectors):
    scale = np.abs(vectors).max(axis=0) / 127
    with np.errstate(divide="ignore", invalid="ignore"):
        steps = vectors / scale
    return np.nan_to_num(np.rint(steps)).astype(np.int8), scale


def factor(vectors):
    codes, scale = quantize_int8(vectors)
    return codes, 1 / scale


def floats(vectors):
    codes, scale = quantize_int8(vectors)
    return codes.astype(float), scale


def decoded(vectors):
    codes, scale = quantize_int8(vectors)
    return codes * scale, scale


def codes_only(vectors):
    return quantize_int8(vectors)[0]


QUANTIZE = Exercise(
    id="pq.quantize",
    chapter="07_pq",
    entry="quantize_int8",
    title={"fr": "Un octet par nombre", "en": "One byte a number"},
    points=2,
    importance=3,
    minutes=7,
    reference=quantize_int8,
    judge=judge,
    examples=(
        Example(
            (np.array([[127.0, 25.4], [-63.3, 5.1], [20.0, -12.7]]),),
            {
                "fr": "Deux dimensions, deux pas : 1 pour la première (127/127), 0,2 pour la seconde (25,4/127).",
                "en": "Two dimensions, two steps: 1 for the first (127/127), 0.2 for the second (25.4/127).",
            },
        ),
        Example(
            (np.array([[127.0], [2.7], [-2.7], [0.2]]),),
            {
                "fr": "On arrondit au plus proche : 2,7 donne 3, −2,7 donne −3. astype seul couperait à 2 et −2.",
                "en": "Round to the nearest: 2.7 gives 3, -2.7 gives -3. astype alone would cut to 2 and -2.",
            },
        ),
        Example(
            (np.array([[-4.0, 1.0], [1.0, 0.5]]),),
            {
                "fr": "Dans la première dimension, la plus grande valeur absolue est celle d’un nombre négatif : 4.",
                "en": "In the first dimension the greatest absolute value is that of a negative number: 4.",
            },
        ),
        Example(
            (np.array([[0.0, 3.0], [0.0, -1.0]]),),
            {
                "fr": "Une dimension toute nulle : son pas est 1 par convention, et ses codes sont 0. Pas de 0/0.",
                "en": "A dimension of zeros: its scale is 1 by convention and its codes are 0. No 0/0.",
            },
        ),
        Example(
            (np.array([[1000.0, 0.003], [-500.0, -0.001], [250.0, 0.002]]),),
            {
                "fr": "Un seul pas pour tout effacerait la seconde dimension : elle a le sien.",
                "en": "A single scale for everything would wipe out the second dimension: it has its own.",
            },
        ),
        Example(
            (np.array([[10.0], [11.0], [12.0], [9.0]]),),
            {
                "fr": "Des nombres tous positifs : l’échelle reste symétrique autour de 0, et la moitié des codes ne "
                "sert pas.",
                "en": "All numbers are positive: the scale stays symmetric around 0, and half of the codes are unused.",
            },
        ),
        Example(
            (np.array([[0.5, -2.0, 0.0]]),),
            {
                "fr": "Un seul vecteur : chaque nombre est le plus grand de sa dimension, donc 127, −127 ou 0.",
                "en": "A single vector: each number is the greatest of its dimension, hence 127, -127 or 0.",
            },
        ),
        Example(
            (np.array([[127.0, 0.0], [2.5, 127.0], [-0.5, 3.0]]),),
            {
                "fr": "2,5 est à mi-chemin de 2 et de 3 : les deux conviennent.",
                "en": "2.5 lies midway between 2 and 3: either will do.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=(
        Misconception(
            "one_scale",
            one_scale,
            {
                "fr": "Vous prenez un seul pas pour tout le tableau : les dimensions aux petites valeurs sont écrasées "
                "à zéro. Cherchez le maximum de chaque colonne : max(axis=0).",
                "en": "You take one scale for the whole array, so that dimensions of small values are crushed to zero. "
                "Find the maximum of each column: max(axis=0).",
            },
        ),
        Misconception(
            "by_row",
            by_row,
            {
                "fr": "Vous avez un pas par vecteur (axis=1). Il en faut un par dimension, donc par colonne : axis=0.",
                "en": "You have one scale a vector (axis=1). One a dimension is wanted, that is a column: axis=0.",
            },
        ),
        Misconception(
            "truncated",
            truncated,
            {
                "fr": "astype coupe les décimales au lieu d’arrondir : l’erreur peut atteindre un pas entier. "
                "Appelez np.rint avant.",
                "en": "astype cuts decimals off instead of rounding, and the error may reach a whole step. Call "
                "np.rint first.",
            },
        ),
        Misconception(
            "greatest_without_sign",
            greatest_without_sign,
            {
                "fr": "Vous prenez le plus grand nombre, pas la plus grande valeur absolue : un grand nombre négatif "
                "sort de −127…127. Écrivez np.abs(vectors).max(axis=0).",
                "en": "You take the greatest number, not the greatest absolute value: a large negative number leaves "
                "-127 to 127. Write np.abs(vectors).max(axis=0).",
            },
        ),
        Misconception(
            "wraps_at_128",
            wraps_at_128,
            {
                "fr": "Vous divisez par 128 : le plus grand nombre reçoit le code 128, qu’un int8 ne sait pas écrire ; "
                "il devient −128. Divisez par 127.",
                "en": "You divide by 128: the greatest number gets code 128, which an int8 cannot hold; it turns into "
                "-128. Divide by 127.",
            },
        ),
        Misconception(
            "by_range",
            by_range,
            {
                "fr": "Vous étalez l’intervalle du minimum au maximum (quantification asymétrique) : zéro n’a plus le "
                "code 0. Ici, codes × scale doit redonner les nombres, sans décalage.",
                "en": "You spread the range from minimum to maximum (asymmetric quantization), and zero no longer has "
                "code 0. Here codes × scale must give the numbers back, with no offset.",
            },
        ),
        Misconception(
            "zero_scale",
            zero_scale,
            {
                "fr": "Une dimension toute nulle a chez vous un pas de 0, et 0/0 donne nan. Donnez-lui le pas 1.",
                "en": "A dimension of zeros gets a scale of 0 from you, and 0/0 is nan. Give it scale 1.",
            },
        ),
        Misconception(
            "factor",
            factor,
            {
                "fr": "Vous rendez l’inverse du pas. On veut le nombre par lequel multiplier les codes pour revenir "
                "aux valeurs.",
                "en": "You return the inverse of the scale. What is wanted is the number by which to multiply codes to "
                "get values back.",
            },
        ),
        Misconception(
            "floats",
            floats,
            {
                "fr": "Les bonnes valeurs, mais dans un tableau de grands nombres : rien n’est comprimé. Terminez par "
                ".astype(np.int8).",
                "en": "The right values, but in an array of wide numbers: nothing is compressed. End with "
                ".astype(np.int8).",
            },
        ),
        Misconception(
            "decoded",
            decoded,
            {
                "fr": "Vous rendez les nombres arrondis (codes × scale). Rendez les codes eux-mêmes, des entiers de "
                "−127 à 127.",
                "en": "You return the rounded numbers (codes × scale). Return the codes themselves, whole numbers from "
                "-127 to 127.",
            },
        ),
        Misconception(
            "codes_only",
            codes_only,
            {
                "fr": "Vous ne rendez que les codes. Sans les pas, personne ne peut revenir aux nombres : rendez les "
                "deux, codes, scale.",
                "en": "You return the codes only. Without the scales nobody can get back to the numbers: return both, "
                "codes, scale.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Pour chaque colonne, la plus grande valeur absolue doit recevoir le code 127 ou −127. Quel est "
            "alors le pas ?",
            "en": "In each column the greatest absolute value must get code 127 or -127. What is the step then?",
        },
        {
            "fr": "scale = np.abs(vectors).max(axis=0) / 127, puis scale[scale == 0] = 1.0.",
            "en": "scale = np.abs(vectors).max(axis=0) / 127, then scale[scale == 0] = 1.0.",
        },
        {
            "fr": "return np.rint(vectors / scale).astype(np.int8), scale",
            "en": "return np.rint(vectors / scale).astype(np.int8), scale",
        },
    ),
)
