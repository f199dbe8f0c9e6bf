"""fusion.weighted_rrf: rankings that one does not trust equally."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.fusion.inputs import KS, SMALL_KS, best_ranks, judge_fusion, long_rankings, rankings
from ragteach.exercises.fusion.rrf import LISTS, best_first
from ragteach.retrieval.fusion import rrf, weighted_rrf

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

WEIGHTS = (1.0, 0.0, 0.5, 2.0, 3.0)


def inputs() -> SearchStrategy[tuple]:
    """Draw rankings, a weight for each, and k in most cases: often a small one, with long rankings."""
    from hypothesis import strategies as st

    def with_weights(lists: list[list[str]]) -> SearchStrategy[tuple]:
        weights = st.lists(st.sampled_from(WEIGHTS), min_size=len(lists), max_size=len(lists))
        equal = st.sampled_from(WEIGHTS).map(lambda weight: [weight] * len(lists))
        return st.tuples(st.just(lists), weights | equal)

    def with_k(pairs: SearchStrategy[tuple], ks: tuple[int, ...]) -> SearchStrategy[tuple]:
        return st.tuples(pairs, st.sampled_from(ks)).map(lambda drawn: (*drawn[0], drawn[1]))

    pairs, long_pairs = rankings().flatmap(with_weights), long_rankings().flatmap(with_weights)
    return st.one_of(pairs, with_k(pairs, KS), with_k(long_pairs, SMALL_KS), with_k(long_pairs, SMALL_KS))


def fused(term, join=lambda before, now: before + now, order=best_first):
    """Make a fusion of the terms `term(weight, rank, k)`."""

    def function(rankings, weights, k=60):
        scores = {}
        for ranking, weight in zip(rankings, weights, strict=True):
            for id_, rank in best_ranks(ranking).items():
                value = term(weight, rank, k)
                scores[id_] = join(scores[id_], value) if id_ in scores else value
        return order(scores)

    return function


def zero_left_out(rankings, weights, k=60):
    kept = [(ranking, weight) for ranking, weight in zip(rankings, weights, strict=True) if weight > 0]
    return weighted_rrf([ranking for ranking, _ in kept], [weight for _, weight in kept], k)


def paid_twice(rankings, weights, k=60):
    scores = {}
    for ranking, weight in zip(rankings, weights, strict=True):
        for rank, id_ in enumerate(ranking, start=1):
            scores[id_] = scores.get(id_, 0.0) + weight / (k + rank)
    return best_first(scores)


def first_weight(rankings, weights, k=60):
    return weighted_rrf(rankings, weights[:1] * len(rankings), k)


MISCONCEPTIONS = (
    Misconception(
        "weights_ignored",
        lambda rankings, weights, k=60: rrf(rankings, k),
        {
            "fr": "Vos poids ne changent rien. Multipliez chaque terme par le poids de sa liste : poids / (k + rang).",
            "en": "Your weights change nothing. Multiply each term by its list's weight: weight / (k + rank).",
        },
    ),
    Misconception(
        "weights_swapped",
        lambda rankings, weights, k=60: weighted_rrf(rankings, list(weights)[::-1], k),
        {
            "fr": "Les poids sont à l’envers. weights[0] est celui de rankings[0] : parcourez les deux ensemble avec "
            "zip.",
            "en": "The weights are in reverse. weights[0] belongs to rankings[0]: go through both with zip.",
        },
    ),
    Misconception(
        "first_weight",
        first_weight,
        {
            "fr": "Le poids de la première liste sert pour toutes. Prenez weights[i] pour rankings[i].",
            "en": "The first list's weight serves for all. Take weights[i] for rankings[i].",
        },
    ),
    Misconception(
        "weight_below",
        fused(lambda weight, rank, k: 1 / (weight * (k + rank))),
        {
            "fr": "Le poids est au dénominateur : un grand poids y fait baisser le score, et 0 fait échouer la "
            "division. Mettez-le en haut : poids / (k + rang).",
            "en": "The weight is in the denominator, where a large one lowers the score and 0 makes the division "
            "fail. Put it on top: weight / (k + rank).",
        },
    ),
    Misconception(
        "weight_on_rank",
        fused(lambda weight, rank, k: 1 / (k + weight * rank)),
        {
            "fr": "Vous multipliez le rang par le poids, ce qui punit les listes de grand poids. C’est le terme entier "
            "qui est pesé : poids / (k + rang).",
            "en": "You multiply the rank by the weight, which punishes lists of large weight. The whole term is "
            "weighted: weight / (k + rank).",
        },
    ),
    Misconception(
        "weight_added",
        fused(lambda weight, rank, k: weight + 1 / (k + rank)),
        {
            "fr": "Vous ajoutez le poids au terme, et le rang ne compte presque plus. Multipliez : poids / (k + rang).",
            "en": "You add the weight to the term, and the rank hardly counts any more. Multiply: weight / (k + rank).",
        },
    ),
    Misconception(
        "zero_left_out",
        zero_left_out,
        {
            "fr": "Les documents d’une liste de poids 0 ont disparu. Ils restent, avec un score de 0, en fin de "
            "classement.",
            "en": "The documents of a list of weight 0 are gone. They stay, with score 0, at the end of the ranking.",
        },
    ),
    Misconception(
        "best_term",
        fused(lambda weight, rank, k: weight / (k + rank), max),
        {
            "fr": "Vous gardez le plus grand terme de chaque document. Additionnez ceux de toutes les listes.",
            "en": "You keep each document's largest term. Add up those of all lists.",
        },
    ),
    Misconception(
        "ranks_from_0",
        fused(lambda weight, rank, k: weight / (k + rank - 1)),
        {
            "fr": "Vos rangs commencent à 0. Le premier rang est 1 : enumerate(ranking, start=1).",
            "en": "Your ranks start at 0. The first rank is 1: enumerate(ranking, start=1).",
        },
    ),
    Misconception(
        "k_ignored",
        lambda rankings, weights, k=60: weighted_rrf(rankings, weights),
        {
            "fr": "Vous prenez toujours k = 60. Servez-vous de l’argument.",
            "en": "You always take k = 60. Use the argument.",
        },
    ),
    Misconception(
        "paid_twice",
        paid_twice,
        {
            "fr": "Un document répété dans une liste est payé à chaque fois. Il compte une fois, à son meilleur rang.",
            "en": "A document that a list repeats is paid each time. It counts once, at its best rank.",
        },
    ),
    Misconception(
        "worst_first",
        lambda rankings, weights, k=60: weighted_rrf(rankings, weights, k)[::-1],
        {
            "fr": "Votre classement est à l’envers : le meilleur d’abord.",
            "en": "Your ranking is upside down: best first.",
        },
    ),
    Misconception(
        "ties_by_id",
        fused(
            lambda weight, rank, k: weight / (k + rank),
            order=lambda scores: sorted(scores, key=lambda id_: (-scores[id_], id_)),
        ),
        {
            "fr": "À score égal, vous rangez par identifiant. Gardez l’ordre de première apparition.",
            "en": "Equal scores are put in order of id. Keep the order of first appearance.",
        },
    ),
)


WEIGHTED_RRF = Exercise(
    id="fusion.weighted_rrf",
    chapter="04_fusion",
    entry="weighted_rrf",
    title={"fr": "Fusionner avec des poids", "en": "Fuse with weights"},
    points=2,
    importance=2,
    minutes=5,
    reference=weighted_rrf,
    uses=("fusion.rrf_scores", "fusion.rrf"),
    judge=judge_fusion(lambda args: list(args[1]), lambda args: args[2] if len(args) > 2 else 60),
    examples=(
        Example(
            (LISTS, [1.0, 1.0]),
            {"fr": "À poids égaux, c’est rrf.", "en": "With equal weights this is rrf."},
        ),
        Example(
            (LISTS, [2.0, 1.0]),
            {
                "fr": "La première liste compte double : D7, son premier, repasse devant D2, de justesse.",
                "en": "The first list counts double: its first, D7, gets ahead of D2 again, only just.",
            },
        ),
        Example(
            (LISTS, [1.0, 2.0]),
            {
                "fr": "La seconde compte double : D5, qu’elle est seule à connaître, garde la troisième place.",
                "en": "The second counts double: D5, which it alone knows, keeps third place.",
            },
        ),
        Example(
            ([["A", "B"], ["C", "A"]], [0.0, 1.0]),
            {
                "fr": "Poids 0 : la liste ne décide de rien, mais B, qu’elle seule connaît, reste en dernier.",
                "en": "Weight 0: the list decides nothing, yet B, which it alone knows, stays, last.",
            },
        ),
        Example(
            ([["Z", "M"], ["A", "N"], ["N", "Z"]], [0.5, 0.5, 2.0]),
            {
                "fr": "Trois listes, trois poids, qui n’ont pas à faire 1.",
                "en": "Three lists, three weights, which need not sum to 1.",
            },
        ),
        Example(
            ([["X", "a", "b", "Y"], ["c", "d", "e", "Y"]], [2.0, 2.0], 1),
            {
                "fr": "Avec k = 1 : X et c valent 2/2, Y vaut 2/5 + 2/5.",
                "en": "With k = 1: X and c have 2/2, Y has 2/5 + 2/5.",
            },
        ),
        Example(
            ([["d", "e", "Y"], ["X", "f", "Y"]], [1.0, 1.0], 2),
            {
                "fr": "Y vaut 2/5 et d vaut 1/3 : avec des rangs comptés depuis 0, ils seraient à égalité.",
                "en": "Y has 2/5 and d has 1/3: with ranks counted from 0 they would tie.",
            },
        ),
        Example(
            ([["A", "A", "B"], ["C", "B"]], [1.0, 1.0]),
            {
                "fr": "A, répété, n’est payé qu’une fois.",
                "en": "A, which is repeated, is paid once.",
            },
        ),
        Example(([], []), {"fr": "Aucune liste, aucun résultat.", "en": "No list, no result."}),
        Example(
            (LISTS, [1.0]),
            {"fr": "Il faut un poids par liste : ValueError.", "en": "Each list needs a weight: ValueError."},
        ),
        Example(
            (LISTS, [1.0, -0.5]),
            {"fr": "Un poids négatif : ValueError.", "en": "A negative weight: ValueError."},
        ),
        Example(
            (LISTS, [1.0, 1.0], 0),
            {"fr": "k doit valoir au moins 1 : ValueError.", "en": "k must be at least 1: ValueError."},
        ),
    ),
    inputs=inputs,
    misconceptions=MISCONCEPTIONS,
    hints=(
        {
            "fr": "C’est la boucle de rrf_scores, où chaque terme est multiplié par le poids de sa liste ; puis le tri "
            "de rrf. zip(rankings, weights) parcourt les deux ensemble.",
            "en": "It is the loop of rrf_scores with each term multiplied by its list's weight, then the sort of rrf. "
            "zip(rankings, weights) goes through both together.",
        },
        {
            "fr": "scores[id_] = scores.get(id_, 0.0) + weight / (k + rank). Un poids 0 ajoute 0 : le document garde "
            "une entrée. Comparez d’abord len(weights) et len(rankings).",
            "en": "scores[id_] = scores.get(id_, 0.0) + weight / (k + rank). A weight of 0 adds 0: the document keeps "
            "its entry. Compare len(weights) and len(rankings) first.",
        },
    ),
)
