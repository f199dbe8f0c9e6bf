"""lsa.cosine and lsa.squared_distance: comparing two vectors, and theorem 2."""

from __future__ import annotations

from math import acos, sqrt
from typing import TYPE_CHECKING, Any

import numpy as np

from ragteach.checking.compare import Difference, same
from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.lsa.inputs import vectors
from ragteach.retrieval.dense import cosine, squared_distance

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

# By the bare formula, the cosine of each with itself comes out as 1.0000000000000002.
ROUNDED_UP = ((3.0, 3.0), (1.0, 1.0, 1.0), (1.0, 1.0, 2.0), (1.0, 2.0, 1.0))


def cosine_inputs() -> SearchStrategy[tuple]:
    """Draw two vectors of the same length; often the second is a multiple of the first."""
    from hypothesis import strategies as st

    rounded_up = st.tuples(st.sampled_from(ROUNDED_UP).map(np.array), st.sampled_from((1, -1)))

    def pairs(dims: int) -> SearchStrategy[tuple]:
        factors = st.sampled_from((1, 3, -1, 0.5))
        multiple = st.tuples(vectors(dims), factors).map(lambda d: (d[0], d[0] * d[1]))
        return st.tuples(vectors(dims), vectors(dims)) | multiple

    return st.one_of(*map(pairs, (1, 2, 3, 4)), rounded_up.map(lambda drawn: (drawn[0], drawn[0] * drawn[1])))


def distance_inputs() -> SearchStrategy[tuple]:
    """Draw a cosine in hundredths."""
    from hypothesis import strategies as st

    return st.tuples(st.integers(-100, 100).map(lambda n: n / 100))


def inside_its_bounds(args: tuple, expected: Any, got: Any) -> Difference | None:
    """Compare, and refuse 1.0000000000000002: the acos or the square root of what follows would be nan."""
    if difference := same(expected, got):
        return difference
    return Difference("value", "", expected, got) if abs(got) > 1 >= abs(expected) else None


def norm(u):
    return float(np.linalg.norm(u))


def guarded(formula):
    """Make a variant that gives 0.0 where either vector is zero, as it should."""
    return lambda u, v: formula(u, v) if norm(u) and norm(v) else 0.0


def clipped(u, v):
    return max(-1.0, min(1.0, float(u @ v) / (norm(u) * norm(v))))


def unguarded(u, v):
    with np.errstate(invalid="ignore"):
        return float(np.clip(u @ v / (np.linalg.norm(u) * np.linalg.norm(v)), -1, 1))


COSINE = Exercise(
    id="lsa.cosine",
    chapter="03_lsa",
    entry="cosine",
    title={"fr": "Le cosinus de deux vecteurs", "en": "The cosine of two vectors"},
    points=1,
    importance=3,
    minutes=4,
    reference=cosine,
    judge=inside_its_bounds,
    examples=(
        Example(
            (np.array([1.0, 0.0]), np.array([3.0, 4.0])),
            {
                "fr": "Le produit scalaire vaut 3, les normes 1 et 5 : le cosinus est 3/5.",
                "en": "The inner product is 3, the norms are 1 and 5: the cosine is 3/5.",
            },
        ),
        Example(
            (np.array([1.0, 2.0, 2.0]), np.array([2.0, 4.0, 4.0])),
            {
                "fr": "Même direction, longueurs différentes : 1. La longueur ne compte pas.",
                "en": "Same direction, different lengths: 1. Length does not matter.",
            },
        ),
        Example(
            (np.array([1.0, 0.0, 2.0]), np.array([0.0, 3.0, 0.0])),
            {
                "fr": "Aucun mot commun : les vecteurs sont perpendiculaires, 0.",
                "en": "No word in common: the vectors are perpendicular, 0.",
            },
        ),
        Example(
            (np.array([2.0, -1.0]), np.array([-4.0, 1.0])),
            {
                "fr": "Des directions presque opposées : le cosinus est négatif, et le reste.",
                "en": "Nearly opposite directions: the cosine is negative, and stays so.",
            },
        ),
        Example(
            (np.array([0.0, 0.0]), np.array([1.0, 2.0])),
            {
                "fr": "Le vecteur nul n’a pas de direction : 0.0 par convention, et surtout pas nan.",
                "en": "The zero vector points nowhere: 0.0 by convention, and certainly not nan.",
            },
        ),
        Example(
            (np.zeros(3), np.zeros(3)),
            {
                "fr": "Deux vecteurs nuls : encore 0.0, bien qu’ils soient égaux.",
                "en": "Two zero vectors: still 0.0, although they are equal.",
            },
        ),
        Example(
            (np.array([1.0, 1.0, 1.0]), np.array([1.0, 1.0, 1.0])),
            {
                "fr": "Un vecteur et lui-même : 1, et non 1.0000000000000002, que donnent les arrondis. Ramenez le "
                "résultat dans [−1, 1].",
                "en": "A vector and itself: 1, and not the 1.0000000000000002 that rounding gives. Bring the result "
                "back into [-1, 1].",
            },
        ),
        Example(
            (np.array([-1.0, -1.0, -1.0]), np.array([1.0, 1.0, 1.0])),
            {
                "fr": "Deux opposés : −1, et pas moins.",
                "en": "Two opposites: -1, and no less.",
            },
        ),
        Example(
            (np.array([1.0, 2.0, 3.0]), np.array([1.0, 2.0])),
            {
                "fr": "Des longueurs différentes : levez une ValueError. Le produit u @ v de NumPy le fait déjà.",
                "en": "Different lengths: raise a ValueError. NumPy's product u @ v does so already.",
            },
        ),
    ),
    inputs=cosine_inputs,
    misconceptions=(
        Misconception(
            "inner_product",
            lambda u, v: float(u @ v),
            {
                "fr": "C’est le produit scalaire : il grandit avec la longueur des vecteurs. Divisez-le par le produit "
                "des deux normes.",
                "en": "This is the inner product, which grows with the length of the vectors. Divide it by the product "
                "of the two norms.",
            },
        ),
        Misconception(
            "one_norm",
            guarded(lambda u, v: float(u @ v) / norm(u)),
            {
                "fr": "Vous ne divisez que par la norme de u. Divisez aussi par celle de v.",
                "en": "You divide by the norm of u only. Divide by that of v as well.",
            },
        ),
        Misconception(
            "other_norm",
            guarded(lambda u, v: float(u @ v) / norm(v)),
            {
                "fr": "Vous ne divisez que par la norme de v. Divisez aussi par celle de u.",
                "en": "You divide by the norm of v only. Divide by that of u as well.",
            },
        ),
        Misconception(
            "nan_for_zero",
            unguarded,
            {
                "fr": "Un vecteur nul donne 0/0, donc nan, et un nan se glisse en tête d’un classement. Rendez 0.0 "
                "quand une norme est nulle.",
                "en": "A zero vector gives 0/0, hence nan, and a nan may slip to the top of a ranking. Return 0.0 when "
                "a norm is zero.",
            },
        ),
        Misconception(
            "zero_division",
            lambda u, v: max(-1.0, min(1.0, float(u @ v) / (norm(u) * norm(v)))),
            {
                "fr": "Un vecteur nul arrête votre fonction : division par zéro. Rendez 0.0 quand une norme est nulle.",
                "en": "A zero vector stops your function: division by zero. Return 0.0 when a norm is zero.",
            },
        ),
        Misconception(
            "not_clipped",
            guarded(lambda u, v: float(u @ v) / (norm(u) * norm(v))),
            {
                "fr": "La formule est juste, mais les arrondis la font sortir de [−1, 1]. Ramenez-la dedans : "
                "max(-1.0, min(1.0, c)), ou np.clip.",
                "en": "The formula is right, but rounding takes it out of [-1, 1]. Bring it back: "
                "max(-1.0, min(1.0, c)), or np.clip.",
            },
        ),
        Misconception(
            "squared_norms",
            guarded(lambda u, v: float(u @ v) / float((u @ u) * (v @ v))),
            {
                "fr": "Vous divisez par les carrés des normes : il manque la racine. np.linalg.norm la prend.",
                "en": "You divide by the squares of the norms: the square root is missing. np.linalg.norm takes it.",
            },
        ),
        Misconception(
            "cosine_distance",
            lambda u, v: 1 - cosine(u, v),
            {
                "fr": "C’est 1 − cos, une « distance cosinus » : 0 pour des vecteurs de même direction. Rendez le "
                "cosinus lui-même.",
                "en": 'This is 1 - cos, a "cosine distance": 0 for vectors of the same direction. Return the cosine '
                "itself.",
            },
        ),
        Misconception(
            "angle",
            guarded(lambda u, v: acos(clipped(u, v))),
            {
                "fr": "C’est l’angle, en radians. Rendez son cosinus : n’appelez pas acos.",
                "en": "This is the angle, in radians. Return its cosine: do not call acos.",
            },
        ),
        Misconception(
            "absolute",
            lambda u, v: abs(cosine(u, v)),
            {
                "fr": "Vous perdez le signe : deux vecteurs opposés ne se ressemblent pas. Retirez la valeur absolue.",
                "en": "You lose the sign, but opposite vectors are not alike. Remove the absolute value.",
            },
        ),
        Misconception(
            "never_negative",
            lambda u, v: max(0.0, cosine(u, v)),
            {
                "fr": "Vous ramenez les cosinus négatifs à 0. Les vecteurs denses en ont, et ils comptent : bornez à "
                "−1, pas à 0.",
                "en": "You raise negative cosines to 0. Dense vectors have them, and they count: the bound is -1, not "
                "0.",
            },
        ),
        Misconception(
            "one_for_equal_zeros",
            lambda u, v: 1.0 if len(u) == len(v) and not u.any() and not v.any() else cosine(u, v),
            {
                "fr": "Vous donnez 1 à deux vecteurs nuls. Ils n’ont pas de direction : 0.0, même entre eux.",
                "en": "You give 1 to two zero vectors. They point nowhere: 0.0, even between themselves.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Produit scalaire, divisé par le produit des deux normes. Traitez avant le cas où une norme est "
            "nulle.",
            "en": "Inner product, divided by the product of the two norms. Deal first with the case where a norm is "
            "zero.",
        },
        {
            "fr": "product = u @ v, puis norms = np.linalg.norm(u) * np.linalg.norm(v). Si norms vaut 0 : 0.0. Sinon "
            "max(-1.0, min(1.0, product / norms)).",
            "en": "product = u @ v, then norms = np.linalg.norm(u) * np.linalg.norm(v). If norms is 0: 0.0. Otherwise "
            "max(-1.0, min(1.0, product / norms)).",
        },
    ),
)

SQUARED_DISTANCE = Exercise(
    id="lsa.squared_distance",
    chapter="03_lsa",
    entry="squared_distance",
    title={"fr": "Théorème 2 : du cosinus à la distance", "en": "Theorem 2: from cosine to distance"},
    points=1,
    importance=2,
    minutes=3,
    reference=squared_distance,
    examples=(
        Example(
            (1.0,),
            {"fr": "Même direction : les points sont confondus.", "en": "Same direction: the points coincide."},
        ),
        Example(
            (0.0,),
            {
                "fr": "Perpendiculaires : la diagonale d’un carré de côté 1, dont le carré est 2.",
                "en": "Perpendicular: the diagonal of a square of side 1, whose square is 2.",
            },
        ),
        Example(
            (-1.0,),
            {
                "fr": "Opposés sur le cercle : à distance 2, dont le carré est 4.",
                "en": "Opposite on the circle: at distance 2, whose square is 4.",
            },
        ),
        Example((0.5,), {"fr": "Un angle de 60° : distance 1.", "en": "An angle of 60°: distance 1."}),
        Example(
            (0.9,),
            {
                "fr": "Un grand cosinus, une petite distance : 0,2.",
                "en": "A large cosine, a small distance: 0.2.",
            },
        ),
        Example(
            (-0.5,),
            {
                "fr": "Un cosinus négatif éloigne au-delà de la perpendiculaire : 3.",
                "en": "A negative cosine is farther than perpendicular: 3.",
            },
        ),
        Example(
            (1.5,),
            {
                "fr": "Aucun couple de vecteurs n’a ce cosinus : levez une ValueError.",
                "en": "No pair of vectors has this cosine: raise a ValueError.",
            },
        ),
        Example(
            (-1.5,),
            {"fr": "Pas plus que celui-ci : ValueError.", "en": "Nor this one: ValueError."},
        ),
    ),
    inputs=distance_inputs,
    misconceptions=(
        Misconception(
            "one_minus_cos",
            lambda cos: 1 - cos,
            {
                "fr": "C’est 1 − cos. Développez ‖u − v‖² : les deux carrés font 2, et le double produit 2 cos.",
                "en": "This is 1 - cos. Expand ‖u - v‖²: the two squares make 2, and the double product 2 cos.",
            },
        ),
        Misconception(
            "forgotten_double",
            lambda cos: 2 - cos,
            {
                "fr": "Le double produit de ‖u − v‖² est 2 cos : il manque le 2.",
                "en": "The double product in ‖u - v‖² is 2 cos: the 2 is missing.",
            },
        ),
        Misconception(
            "square_root",
            lambda cos: sqrt(2 - 2 * cos),
            {
                "fr": "C’est la distance. On demande son carré : ne prenez pas la racine.",
                "en": "This is the distance. Its square is asked for: take no square root.",
            },
        ),
        Misconception(
            "plus",
            lambda cos: 2 + 2 * cos,
            {
                "fr": "C’est ‖u + v‖². Pour la différence, le double produit se retranche : 2 − 2 cos.",
                "en": "This is ‖u + v‖². For the difference, the double product is taken away: 2 - 2 cos.",
            },
        ),
        Misconception(
            "sine",
            lambda cos: 1 - cos**2,
            {
                "fr": "C’est sin² : la distance à la droite, pas au point. Écrivez 2 − 2 cos.",
                "en": "This is sin²: the distance to the line, not to the point. Write 2 - 2 cos.",
            },
        ),
        Misconception(
            "squared_again",
            lambda cos: (2 - 2 * cos) ** 2,
            {
                "fr": "2 − 2 cos est déjà un carré : ne l’élevez pas au carré une seconde fois.",
                "en": "2 - 2 cos is a square already: do not square it a second time.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Développez ‖u − v‖² = ‖u‖² − 2 u·v + ‖v‖², avec ‖u‖ = ‖v‖ = 1.",
            "en": "Expand ‖u - v‖² = ‖u‖² - 2 u·v + ‖v‖², with ‖u‖ = ‖v‖ = 1.",
        },
        {
            "fr": "Refusez d’abord ce qui n’est pas entre −1 et 1 : if not -1 <= cos <= 1, raise ValueError(...). "
            "Puis rendez 2 - 2 * cos.",
            "en": "First reject what does not lie between -1 and 1: if not -1 <= cos <= 1, raise ValueError(...). Then "
            "return 2 - 2 * cos.",
        },
    ),
)
