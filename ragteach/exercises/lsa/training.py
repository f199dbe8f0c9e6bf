"""lsa.info_nce: the loss that trains a bi-encoder."""

from __future__ import annotations

from math import exp, log, log10
from typing import TYPE_CHECKING

import numpy as np

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.retrieval.dense import info_nce

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def inputs() -> SearchStrategy[tuple]:
    """Draw one to six scores, ordinary or huge, which one is the positive's, and a temperature in half of the cases."""
    from hypothesis import strategies as st

    def of_size(size: float) -> SearchStrategy[list[float]]:
        return st.lists(st.integers(-10, 10).map(lambda n: n * size / 10), min_size=1, max_size=6)

    questions = (of_size(1.0) | of_size(2.0) | of_size(10_000.0)).flatmap(
        lambda scores: st.tuples(st.just(scores), st.integers(0, len(scores) - 1))
    )
    return questions | st.tuples(questions, st.sampled_from((0.05, 0.1, 1.0, 2.0))).map(lambda d: (*d[0], d[1]))


def logits(scores, temperature):
    values = np.array(scores, dtype=float) / temperature
    return values - values.max()


def overflowing(scores, positive, temperature=0.05):
    with np.errstate(all="ignore"):
        exponentials = np.exp(np.array(scores, dtype=float) / temperature)
        return -np.log(exponentials[positive] / exponentials.sum())


def overflowing_in_python(scores, positive, temperature=0.05):
    exponentials = [exp(score / temperature) for score in scores]
    return -log(exponentials[positive] / sum(exponentials))


def with_epsilon(scores, positive, temperature=0.05):
    exponentials = np.exp(logits(scores, temperature))
    return -log(exponentials[positive] / exponentials.sum() + 1e-12)


def probability_first(scores, positive, temperature=0.05):
    exponentials = np.exp(logits(scores, temperature))
    with np.errstate(divide="ignore"):
        return -np.log(exponentials[positive] / exponentials.sum())


def probability(scores, positive, temperature=0.05):
    return exp(-info_nce(scores, positive, temperature))


def negatives_only(scores, positive, temperature=0.05):
    values = logits(scores, temperature)
    others = np.delete(values, positive)
    if not len(others):
        return -np.inf
    return others.max() + log(np.exp(others - others.max()).sum()) - values[positive]


def margin(scores, positive, temperature=0.05):
    return max([0.0, *(score - scores[positive] for i, score in enumerate(scores) if i != positive)])


INFO_NCE = Exercise(
    id="lsa.info_nce",
    chapter="03_lsa",
    entry="info_nce",
    title={"fr": "La perte InfoNCE", "en": "The InfoNCE loss"},
    points=2,
    importance=2,
    minutes=7,
    reference=info_nce,
    examples=(
        Example(
            ([2.0, 1.0], 0, 1.0),
            {
                "fr": "Température 1 : −ln(e²/(e² + e)), soit ln(1 + 1/e).",
                "en": "Temperature 1: -ln(e²/(e² + e)), that is, ln(1 + 1/e).",
            },
        ),
        Example(
            ([0.8, 0.7, 0.2], 0),
            {
                "fr": "Le bon passage est devant, de peu : la température 0,05 grossit l’écart de 0,1 en 2.",
                "en": "The right passage leads by a little: temperature 0.05 enlarges the gap of 0.1 to 2.",
            },
        ),
        Example(
            ([0.8, 0.7, 0.2], 2),
            {
                "fr": "Les mêmes scores, mais c’est le dernier qui répond : la perte est grande.",
                "en": "The same scores, but the last one is the answer: the loss is large.",
            },
        ),
        Example(
            ([0.3, 0.3, 0.3, 0.3], 1),
            {
                "fr": "Rien ne distingue les quatre passages : ln 4, la perte du hasard.",
                "en": "Nothing tells the four passages apart: ln 4, the loss of pure chance.",
            },
        ),
        Example(
            ([0.5], 0),
            {
                "fr": "Aucun négatif : il n’y a rien à apprendre, la perte est 0.",
                "en": "No negative: there is nothing to learn, and the loss is 0.",
            },
        ),
        Example(
            ([10_000.0, -10_000.0], 0),
            {
                "fr": "Des scores énormes, bien rangés : la perte est 0. e^200000 ne tient pas dans un nombre à "
                "virgule : retranchez d’abord le plus grand score.",
                "en": "Huge scores in the right order: the loss is 0. No float can hold e^200000: take the largest "
                "score off first.",
            },
        ),
        Example(
            ([10_000.0, -10_000.0], 1),
            {
                "fr": "Les mêmes, mal rangés : la perte est finie, 20000/0,05 = 400000.",
                "en": "The same in the wrong order: the loss is finite, 20000/0.05 = 400000.",
            },
        ),
        Example(
            ([0.1, 0.2], -1),
            {
                "fr": "−1 désignerait en silence le dernier passage : levez une ValueError.",
                "en": "-1 would silently mean the last passage: raise a ValueError.",
            },
        ),
        Example(
            ([0.1, 0.2], 2),
            {"fr": "Il n’y a pas de passage numéro 2 : ValueError.", "en": "There is no passage number 2: ValueError."},
        ),
        Example(
            ([0.1, 0.2], 0, 0.0),
            {
                "fr": "Une température nulle diviserait par zéro : ValueError.",
                "en": "A temperature of zero would divide by zero: ValueError.",
            },
        ),
        Example(
            ([0.1, 0.2], 0, -1.0),
            {
                "fr": "Une température négative retournerait l’ordre : ValueError.",
                "en": "A negative temperature would turn the order round: ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=(
        Misconception(
            "overflow",
            overflowing,
            {
                "fr": "La formule est juste, mais l’exponentielle d’un grand score déborde, et inf/inf donne nan. "
                "Retranchez d’abord le plus grand score : le rapport ne change pas.",
                "en": "The formula is right, but the exponential of a large score overflows, and inf/inf gives nan. "
                "Take the largest score off first: the ratio does not change.",
            },
        ),
        Misconception(
            "overflow_in_python",
            overflowing_in_python,
            {
                "fr": "math.exp déborde (OverflowError) sur un grand score. Retranchez d’abord le plus grand score : "
                "le rapport ne change pas.",
                "en": "math.exp overflows (OverflowError) for a large score. Take the largest score off first: the "
                "ratio does not change.",
            },
        ),
        Misconception(
            "probability_first",
            probability_first,
            {
                "fr": "La probabilité du bon passage devient 0, et −ln 0 est infini. Ne passez pas par la "
                "probabilité : la perte est ln Σe^z − z⁺.",
                "en": "The probability of the right passage becomes 0, and -ln 0 is infinite. Do not go through the "
                "probability: the loss is ln Σe^z - z⁺.",
            },
        ),
        Misconception(
            "epsilon",
            with_epsilon,
            {
                "fr": "Ajouter un epsilon dans le logarithme plafonne la perte et la fausse. Écrivez ln Σe^z − z⁺, "
                "qui n’en a pas besoin.",
                "en": "An epsilon inside the logarithm puts a ceiling on the loss and falsifies it. Write "
                "ln Σe^z - z⁺, which needs none.",
            },
        ),
        Misconception(
            "no_temperature",
            lambda scores, positive, temperature=0.05: info_nce(scores, positive, 1.0),
            {
                "fr": "La température n’entre pas dans votre calcul. Divisez tous les scores par elle.",
                "en": "The temperature plays no part in your computation. Divide every score by it.",
            },
        ),
        Misconception(
            "always_default",
            lambda scores, positive, temperature=0.05: info_nce(scores, positive),
            {
                "fr": "Vous divisez toujours par 0,05. Prenez l’argument temperature.",
                "en": "You always divide by 0.05. Take the argument temperature.",
            },
        ),
        Misconception(
            "times_temperature",
            lambda scores, positive, temperature=0.05: info_nce(scores, positive, 1 / temperature),
            {
                "fr": "Vous multipliez par la température. Divisez : une petite température grossit les écarts.",
                "en": "You multiply by the temperature. Divide: a small temperature enlarges the gaps.",
            },
        ),
        Misconception(
            "sign",
            lambda scores, positive, temperature=0.05: -info_nce(scores, positive, temperature),
            {
                "fr": "Il manque le signe moins : une perte est positive, et petite quand tout va bien.",
                "en": "The minus sign is missing: a loss is positive, and small when all is well.",
            },
        ),
        Misconception(
            "probability",
            probability,
            {
                "fr": "C’est la probabilité du bon passage. La perte est l’opposé de son logarithme.",
                "en": "This is the probability of the right passage. The loss is its negated logarithm.",
            },
        ),
        Misconception(
            "negatives_only",
            negatives_only,
            {
                "fr": "Votre dénominateur ne compte que les négatifs. Le bon passage y est aussi : la somme porte sur "
                "tous les scores.",
                "en": "Your denominator holds the negatives only. The right passage is in it too: the sum runs over "
                "every score.",
            },
        ),
        Misconception(
            "first_is_positive",
            lambda scores, positive, temperature=0.05: info_nce(scores, 0, temperature),
            {
                "fr": "Vous prenez toujours le premier score pour le bon. Prenez celui que désigne positive.",
                "en": "You always take the first score for the right one. Take the one that positive points to.",
            },
        ),
        Misconception(
            "log10",
            lambda scores, positive, temperature=0.05: info_nce(scores, positive, temperature) * log10(np.e),
            {
                "fr": "C’est le logarithme décimal. Prenez le népérien, math.log ou np.log.",
                "en": "This is the logarithm to base 10. Take the natural one, math.log or np.log.",
            },
        ),
        Misconception(
            "mean",
            lambda scores, positive, temperature=0.05: info_nce(scores, positive, temperature) / len(scores),
            {
                "fr": "Vous divisez par le nombre de passages. La moyenne se fait sur les questions, pas ici.",
                "en": "You divide by the number of passages. The mean is taken over queries, not here.",
            },
        ),
        Misconception(
            "margin",
            margin,
            {
                "fr": "C’est une perte à marge : seul le plus dangereux des négatifs y compte. InfoNCE les pèse tous "
                "par leur exponentielle.",
                "en": "This is a margin loss, in which only the worst negative counts. InfoNCE weighs them all "
                "by their exponential.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Avec z = s/τ, la perte est ln(Σ e^z) − z⁺. Retrancher une constante de tous les z ne la change pas.",
            "en": "With z = s/τ, the loss is ln(Σ e^z) - z⁺. Taking a constant off every z does not change it.",
        },
        {
            "fr": "z = np.asarray(scores) / temperature, puis z = z - z.max() : la plus grande exponentielle vaut "
            "alors 1.",
            "en": "z = np.asarray(scores) / temperature, then z = z - z.max(): the largest exponential is then 1.",
        },
        {
            "fr": "Refusez temperature <= 0 et positive hors de range(len(scores)), puis rendez "
            "np.log(np.exp(z).sum()) - z[positive].",
            "en": "Reject temperature <= 0 and a positive outside range(len(scores)), then return "
            "np.log(np.exp(z).sum()) - z[positive].",
        },
    ),
)
