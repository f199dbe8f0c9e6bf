"""metrics.expected_accuracy and metrics.required_recall: what recall allows a whole RAG to be (theorem 3)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.retrieval.metrics import expected_accuracy, required_recall

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def inputs() -> SearchStrategy[tuple]:
    """Draw three shares in hundredths, often equal or at an end."""
    from hypothesis import strategies as st

    share = st.sampled_from((0.0, 0.2, 0.5, 0.9, 1.0)) | st.integers(0, 100).map(lambda n: n / 100)
    triples = st.tuples(share, share, share)
    # Half of the time the target lies between what is reached without a hit and with one: (target, with, without).
    return triples | triples.map(sorted).map(lambda drawn: (drawn[1], drawn[2], drawn[0]))


EXPECTED_ACCURACY = Exercise(
    id="metrics.expected_accuracy",
    chapter="05_metrics",
    entry="expected_accuracy",
    title={"fr": "Ce que le rappel permet", "en": "What recall allows"},
    points=1,
    importance=3,
    minutes=2,
    reference=expected_accuracy,
    examples=(
        Example(
            (0.7, 0.9, 0.2),
            {
                "fr": "70 % du temps le contexte contient la réponse : 0,7 × 0,9 + 0,3 × 0,2, soit 0,69.",
                "en": "70% of the time the context holds the answer: 0.7 × 0.9 + 0.3 × 0.2, that is, 0.69.",
            },
        ),
        Example(
            (1.0, 0.9, 0.2),
            {
                "fr": "Recherche parfaite : reste ce que le modèle sait faire d’un bon contexte.",
                "en": "Perfect search: what is left is what the model makes of a good context.",
            },
        ),
        Example(
            (0.0, 0.9, 0.2),
            {
                "fr": "Recherche nulle : le modèle répond de mémoire.",
                "en": "Useless search: the model answers from memory.",
            },
        ),
        Example(
            (0.6, 1.0, 0.0),
            {
                "fr": "Un modèle parfait, qui ne sait rien par lui-même : l’exactitude est le rappel.",
                "en": "A perfect model that knows nothing by itself: accuracy is recall.",
            },
        ),
        Example(
            (0.25, 0.5, 0.5),
            {
                "fr": "Si le contexte ne change rien, le rappel ne change rien non plus.",
                "en": "If context changes nothing, recall changes nothing either.",
            },
        ),
        Example(
            (0.5, 0.3, 0.6),
            {
                "fr": "Un contexte qui égare le modèle : la formule tient aussi.",
                "en": "A context that misleads the model: the formula holds too.",
            },
        ),
        Example(
            (1.2, 0.9, 0.2),
            {
                "fr": "Un rappel supérieur à 1 n’existe pas : levez une ValueError.",
                "en": "A recall above 1 does not exist: raise a ValueError.",
            },
        ),
        Example(
            (0.7, -0.1, 0.2),
            {
                "fr": "p_with est une probabilité : hors de [0, 1], levez une ValueError.",
                "en": "p_with is a probability: outside [0, 1], raise a ValueError.",
            },
        ),
        Example(
            (0.7, 0.9, 20),
            {
                "fr": "20 pour 20 % : p_without aussi doit être entre 0 et 1.",
                "en": "20 for 20%: p_without must lie between 0 and 1 as well.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=(
        Misconception(
            "second_term_missing",
            lambda recall, p_with, p_without: recall * p_with,
            {
                "fr": "Il manque le cas où le contexte ne contient pas la réponse : ajoutez (1 − recall) · p_without.",
                "en": "The case where the context does not hold the answer is missing: add (1 - recall) · p_without.",
            },
        ),
        Misconception(
            "second_term_unweighted",
            lambda recall, p_with, p_without: recall * p_with + p_without,
            {
                "fr": "p_without compte ici toujours, même quand le contexte est bon : la somme peut dépasser 1. "
                "Multipliez-le par (1 − recall).",
                "en": "p_without always counts in yours, even where the context is good, so the sum may exceed 1. "
                "Multiply it by (1 - recall).",
            },
        ),
        Misconception(
            "swapped",
            lambda recall, p_with, p_without: recall * p_without + (1 - recall) * p_with,
            {
                "fr": "p_with et p_without sont échangés : c’est p_with que multiplie le rappel.",
                "en": "p_with and p_without are swapped: recall multiplies p_with.",
            },
        ),
        Misconception(
            "minimum",
            lambda recall, p_with, p_without: min(recall, p_with),
            {
                "fr": "Vous prenez le plus petit du rappel et de p_with. Les deux échecs s’ajoutent : multipliez.",
                "en": "You take the smaller of recall and p_with. The two failures add up: multiply.",
            },
        ),
        Misconception(
            "plain_mean",
            lambda recall, p_with, p_without: (p_with + p_without) / 2,
            {
                "fr": "Vous faites la moyenne simple des deux probabilités. Pondérez-les par recall et 1 − recall.",
                "en": "You take the plain mean of the two probabilities. Weight them by recall and 1 - recall.",
            },
        ),
        Misconception(
            "difference",
            lambda recall, p_with, p_without: recall * (p_with - p_without),
            {
                "fr": "C’est le gain dû au contexte. Ajoutez-lui p_without, ce que le modèle sait déjà.",
                "en": "This is the gain from context. Add p_without to it, what the model knows already.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Deux cas : le contexte contient la réponse (probabilité recall), ou non (1 − recall).",
            "en": "Two cases: the context holds the answer (probability recall), or it does not (1 - recall).",
        },
        {
            "fr": "recall * p_with + (1 - recall) * p_without. Avant, une ValueError si l’un des trois n’est pas entre "
            "0 et 1.",
            "en": "recall * p_with + (1 - recall) * p_without. Before that, a ValueError if one of the three is not "
            "between 0 and 1.",
        },
    ),
)


def seed_formula(target, p_with, p_without):
    if target > p_with:
        return None
    return (target - p_without) / (p_with - p_without)


def impossible_first(target, p_with, p_without):
    return None if target > p_with else required_recall(target, p_with, p_without)


def without_equal_case(target, p_with, p_without):
    if target > p_with:
        return None
    return max(0.0, (target - p_without) / (p_with - p_without))


def never_none(target, p_with, p_without):
    if target <= p_without:
        return 0.0
    return (target - p_without) / (p_with - p_without) if p_with != p_without else 1.0


def clipped(target, p_with, p_without):
    needed = required_recall(target, p_with, p_without)
    return 1.0 if needed is None else needed


def ends_excluded(target, p_with, p_without):
    return None if target >= p_with and target > p_without else required_recall(target, p_with, p_without)


def none_where_none_needed(target, p_with, p_without):
    return None if target <= p_without else required_recall(target, p_with, p_without)


def share_of_p_with(target, p_with, p_without):
    if target <= p_without:
        return 0.0
    return target / p_with if target <= p_with else None


def divides_by_p_with(target, p_with, p_without):
    needed = required_recall(target, p_with, p_without)
    return (target - p_without) / p_with if needed else needed


def zero_instead_of_none(target, p_with, p_without):
    needed = required_recall(target, p_with, p_without)
    return 0.0 if needed is None else needed


def equal_means_none(target, p_with, p_without):
    return None if p_with == p_without else required_recall(target, p_with, p_without)


REQUIRED_RECALL = Exercise(
    id="metrics.required_recall",
    chapter="05_metrics",
    entry="required_recall",
    title={"fr": "Le rappel qu’il faut", "en": "The recall you need"},
    points=2,
    importance=2,
    minutes=4,
    reference=required_recall,
    examples=(
        Example(
            (0.55, 0.9, 0.2),
            {
                "fr": "(0,55 − 0,2) / (0,9 − 0,2) : la moitié du chemin entre 0,2 et 0,9, donc un rappel de 0,5.",
                "en": "(0.55 - 0.2) / (0.9 - 0.2): half the way from 0.2 to 0.9, hence a recall of 0.5.",
            },
        ),
        Example(
            (0.8, 0.9, 0.2),
            {"fr": "Un objectif plus haut demande plus de rappel.", "en": "A higher target needs more recall."},
        ),
        Example(
            (0.9, 0.9, 0.2),
            {
                "fr": "L’objectif est exactement p_with : il faut tout retrouver, 1.",
                "en": "The target is exactly p_with: everything must be found, 1.",
            },
        ),
        Example(
            (0.95, 0.9, 0.2),
            {
                "fr": "Même avec un rappel de 1, on n’atteint que 0,9 : None. C’est le modèle qu’il faut changer.",
                "en": "Even a recall of 1 only gives 0.9: None. It is the model that has to change.",
            },
        ),
        Example(
            (0.15, 0.9, 0.2),
            {
                "fr": "Le modèle fait déjà mieux sans contexte : aucun rappel n’est nécessaire, 0.0.",
                "en": "The model does better without any context: no recall is needed, 0.0.",
            },
        ),
        Example(
            (0.5, 0.5, 0.5),
            {
                "fr": "p_with = p_without, et l’objectif est atteint : 0.0, sans division par zéro.",
                "en": "p_with = p_without, and the target is reached: 0.0, without a division by zero.",
            },
        ),
        Example(
            (0.6, 0.5, 0.5),
            {
                "fr": "p_with = p_without, et l’objectif est au-dessus : aucun rappel n’y suffit, None.",
                "en": "p_with = p_without, and the target lies above: no recall is enough, None.",
            },
        ),
        Example(
            (0.3, 0.2, 0.4),
            {
                "fr": "Le contexte nuit au modèle : sans lui, l’objectif est déjà atteint, 0.0.",
                "en": "Context harms the model: without it the target is reached already, 0.0.",
            },
        ),
        Example(
            (0.5, 0.2, 0.4),
            {
                "fr": "Le contexte nuit, et l’objectif est hors d’atteinte : None.",
                "en": "Context harms, and the target is out of reach: None.",
            },
        ),
        Example(
            (-0.1, 0.9, 0.2),
            {
                "fr": "Un objectif négatif n’a pas de sens : levez une ValueError.",
                "en": "A negative target makes no sense: raise a ValueError.",
            },
        ),
        Example(
            (0.8, 1.2, 0.2),
            {
                "fr": "p_with est une probabilité : hors de [0, 1], levez une ValueError.",
                "en": "p_with is a probability: outside [0, 1], raise a ValueError.",
            },
        ),
        Example(
            (0.8, 0.9, 20),
            {
                "fr": "20 pour 20 % : p_without aussi doit être entre 0 et 1.",
                "en": "20 for 20%: p_without must lie between 0 and 1 as well.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=(
        Misconception(
            "negative",
            seed_formula,
            {
                "fr": "Votre formule est juste entre p_without et p_with. En dessous de p_without elle devient "
                "négative, et si p_with = p_without elle divise par zéro. Traitez d’abord target <= p_without : 0.0.",
                "en": "Your formula is right between p_without and p_with. Below p_without it turns negative, and "
                "where p_with = p_without it divides by zero. Deal with target <= p_without first: 0.0.",
            },
        ),
        Misconception(
            "equal_case_fails",
            without_equal_case,
            {
                "fr": "Quand p_with = p_without vous divisez par zéro. Rendez 0.0 dès que target <= p_without, avant "
                "la division.",
                "en": "Where p_with = p_without you divide by zero. Return 0.0 as soon as target <= p_without, before "
                "dividing.",
            },
        ),
        Misconception(
            "never_none",
            never_none,
            {
                "fr": "Au-dessus de p_with, même un rappel de 1 ne suffit pas. Rendez None plutôt qu’un nombre.",
                "en": "Above p_with even a recall of 1 is not enough. Return None rather than a number.",
            },
        ),
        Misconception(
            "clipped",
            clipped,
            {
                "fr": "Vous ramenez à 1 un objectif impossible : on croirait qu’une recherche parfaite y suffit. "
                "Rendez None.",
                "en": "You bring an impossible target down to 1, as if perfect search were enough. Return None.",
            },
        ),
        Misconception(
            "zero_instead_of_none",
            zero_instead_of_none,
            {
                "fr": "Pour un objectif impossible vous rendez 0, qui veut dire « rien à faire ». Rendez None.",
                "en": 'For an impossible target you return 0, which means "nothing to do". Return None.',
            },
        ),
        Misconception(
            "end_excluded",
            ends_excluded,
            {
                "fr": "Quand target vaut exactement p_with, un rappel de 1 suffit. Ne rendez None que si target > "
                "p_with.",
                "en": "Where target is exactly p_with a recall of 1 is enough. Return None only if target > p_with.",
            },
        ),
        Misconception(
            "impossible_first",
            impossible_first,
            {
                "fr": "Vos cas sont dans le mauvais ordre : quand le contexte nuit (p_with < p_without), un objectif "
                "au-dessus de p_with peut être déjà atteint sans lui. Testez target <= p_without d’abord.",
                "en": "Your cases come in the wrong order: where context does harm (p_with < p_without), a target "
                "above p_with may already be reached without it. Test target <= p_without first.",
            },
        ),
        Misconception(
            "none_where_none_needed",
            none_where_none_needed,
            {
                "fr": "Un objectif déjà atteint sans contexte n’est pas impossible : il demande un rappel de 0.0.",
                "en": "A target that is reached without any context is not impossible: it needs a recall of 0.0.",
            },
        ),
        Misconception(
            "share_of_p_with",
            share_of_p_with,
            {
                "fr": "C’est target / p_with, ce qui oublie les bonnes réponses sans contexte. Résolvez "
                "recall · p_with + (1 − recall) · p_without = target.",
                "en": "This is target / p_with, which forgets the right answers without context. Solve "
                "recall · p_with + (1 - recall) · p_without = target.",
            },
        ),
        Misconception(
            "divides_by_p_with",
            divides_by_p_with,
            {
                "fr": "Vous divisez par p_with. Le chemin à parcourir va de p_without à p_with : divisez par leur "
                "différence.",
                "en": "You divide by p_with. The way to go runs from p_without to p_with: divide by their difference.",
            },
        ),
        Misconception(
            "equal_means_none",
            equal_means_none,
            {
                "fr": "Quand p_with = p_without vous rendez toujours None. Si l’objectif ne les dépasse pas, il est "
                "déjà atteint : 0.0.",
                "en": "Where p_with = p_without you always return None. If the target does not exceed them, it is "
                "reached already: 0.0.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Résolvez recall · p_with + (1 − recall) · p_without = target en recall. Puis voyez les cas où la "
            "solution n’est pas entre 0 et 1.",
            "en": "Solve recall · p_with + (1 - recall) · p_without = target for recall. Then look at the cases where "
            "the solution is not between 0 and 1.",
        },
        {
            "fr": "La solution : (target - p_without) / (p_with - p_without). Deux cas à traiter avant : target <= "
            "p_without, target > p_with.",
            "en": "The solution: (target - p_without) / (p_with - p_without). Two cases to deal with before: target <= "
            "p_without, target > p_with.",
        },
        {
            "fr": "Dans cet ordre : 0.0 si target <= p_without ; None si target > p_with ; sinon la fraction. Tout "
            "au début, une ValueError si l’un des trois n’est pas entre 0 et 1.",
            "en": "In this order: 0.0 if target <= p_without; None if target > p_with; otherwise the fraction. At the "
            "very top, a ValueError if one of the three is not between 0 and 1.",
        },
    ),
)
