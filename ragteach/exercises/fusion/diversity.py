"""fusion.mmr: relevant, and unlike what was chosen before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.retrieval.fusion import mmr

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

# Similarities and λ in powers of two: their sums are exact, so that equal gains tie whoever adds them, in any order.
EXACT = (0.5, 0.25, 0.75, 0.0, 1.0)


def symmetric(rows: list[list[float]]) -> np.ndarray:
    """Make the matrix of similarities from its part below the diagonal: rows[i] holds those of i + 1 with 0..i."""
    n = len(rows) + 1
    matrix = np.eye(n)
    for i, row in enumerate(rows, start=1):
        matrix[i, :i] = matrix[:i, i] = row
    return matrix


def inputs() -> SearchStrategy[tuple]:
    """Draw the similarities of up to five documents, k, and λ in most cases."""
    from hypothesis import strategies as st

    def of_size(n: int) -> SearchStrategy[tuple]:
        value = st.sampled_from((*EXACT, -0.5, -0.25))
        rows = st.tuples(*(st.lists(value, min_size=i, max_size=i) for i in range(1, n)))
        relevance = st.lists(value, min_size=n, max_size=n, unique=n > 3).map(np.array)
        return st.tuples(relevance, rows.map(list).map(symmetric))

    small = st.tuples(st.integers(1, 5).flatmap(of_size), st.integers(1, 6))
    # Many documents, of which several are chosen: the first one depends on hardly anything.
    large = st.tuples(of_size(5), st.integers(3, 4))
    plain, large = (one.map(lambda drawn: (*drawn[0], drawn[1])) for one in (small | large, large))
    with_lambda = st.tuples(plain, st.sampled_from(EXACT)) | st.tuples(large, st.sampled_from((0.0, 0.25, 0.75)))
    with_lambda = with_lambda.map(lambda drawn: (*drawn[0], drawn[1]))
    return st.one_of(plain, with_lambda, with_lambda)


def greedy(gain, first=None, last_of_ties=False):
    """Make a selection that takes the largest `gain(relevance, similarities to the chosen, lam)` each time."""

    def function(query_sims, doc_sims, k, lam=0.5):
        chosen = []
        while len(chosen) < min(k, len(query_sims)):
            gains = [
                -np.inf
                if doc in chosen
                else query_sims[doc]
                if not chosen and first is None
                else gain(query_sims[doc], [doc_sims[doc][other] for other in chosen], lam)
                for doc in range(len(query_sims))
            ]
            if not chosen and first is not None and first != "gain":
                chosen.append(first)
            elif last_of_ties:
                chosen.append(len(gains) - 1 - int(np.argmax(gains[::-1])))
            else:
                chosen.append(int(np.argmax(gains)))
        return chosen

    return function


def formula(relevance, redundancy, lam):
    return lam * relevance - (1 - lam) * max(redundancy, default=0.0)


def never_removed(query_sims, doc_sims, k, lam=0.5):
    chosen = []
    while len(chosen) < min(k, len(query_sims)):
        redundancy = [max((doc_sims[doc][other] for other in chosen), default=0.0) for doc in range(len(query_sims))]
        gains = lam * np.asarray(query_sims) - (1 - lam) * np.array(redundancy)
        chosen.append(int(np.argmax(gains if chosen else query_sims)))
    return chosen


def best_k_reordered(query_sims, doc_sims, k, lam=0.5):
    best = np.argsort(-np.asarray(query_sims), kind="stable")[:k]
    doc_sims = np.asarray(doc_sims)[np.ix_(best, best)]
    return [int(best[i]) for i in mmr(np.asarray(query_sims)[best], doc_sims, k, lam)]


def against_all(query_sims, doc_sims, k, lam=0.5):
    n = len(query_sims)
    gains = [
        lam * query_sims[doc] - (1 - lam) * max((doc_sims[doc][other] for other in range(n) if other != doc), default=0)
        for doc in range(n)
    ]
    return sorted(range(n), key=lambda doc: -gains[doc])[:k]


MISCONCEPTIONS = (
    Misconception(
        "plain_ranking",
        lambda query_sims, doc_sims, k, lam=0.5: mmr(query_sims, doc_sims, k, 1),
        {
            "fr": "Vous classez par ressemblance avec la question, sans regarder ce qui est déjà choisi. Retirez "
            "(1 - lam) · la plus grande ressemblance avec un document choisi.",
            "en": "You rank by similarity to the question, without looking at what is chosen already. Take off "
            "(1 - lam) · the largest similarity to a chosen document.",
        },
    ),
    Misconception(
        "lambda_inverted",
        lambda query_sims, doc_sims, k, lam=0.5: mmr(query_sims, doc_sims, k, 1 - lam),
        {
            "fr": "Votre lambda est à l’envers : lam pèse la pertinence, 1 - lam la redondance. À lam = 1, on doit "
            "retrouver le classement simple.",
            "en": "Your lambda is the wrong way round: lam weighs relevance, 1 - lam redundancy. At lam = 1 the plain "
            "ranking must come out.",
        },
    ),
    Misconception(
        "lambda_ignored",
        lambda query_sims, doc_sims, k, lam=0.5: mmr(query_sims, doc_sims, k),
        {
            "fr": "Vous prenez toujours 0,5. Servez-vous de l’argument lam.",
            "en": "You always take 0.5. Use the argument lam.",
        },
    ),
    Misconception(
        "mean_similarity",
        greedy(lambda relevance, redundancy, lam: lam * relevance - (1 - lam) * sum(redundancy) / len(redundancy)),
        {
            "fr": "Vous retirez la ressemblance moyenne avec les documents choisis : une copie d’un seul d’entre eux "
            "passe alors trop facilement. Prenez la plus grande.",
            "en": "You take off the mean similarity to the chosen documents, so that a copy of one of them gets in too "
            "easily. Take the largest.",
        },
    ),
    Misconception(
        "smallest_similarity",
        greedy(lambda relevance, redundancy, lam: lam * relevance - (1 - lam) * min(redundancy)),
        {
            "fr": "Vous retirez la plus petite ressemblance. Prenez la plus grande : un seul document semblable suffit "
            "à rendre celui-ci redondant.",
            "en": "You take off the smallest similarity. Take the largest: one similar document is enough to make this "
            "one redundant.",
        },
    ),
    Misconception(
        "summed_similarity",
        greedy(lambda relevance, redundancy, lam: lam * relevance - (1 - lam) * sum(redundancy)),
        {
            "fr": "Vous retirez la somme des ressemblances, qui grandit à chaque choix. Prenez la plus grande.",
            "en": "You take off the sum of similarities, which grows with each choice. Take the largest.",
        },
    ),
    Misconception(
        "last_chosen_only",
        greedy(lambda relevance, redundancy, lam: lam * relevance - (1 - lam) * redundancy[-1]),
        {
            "fr": "Vous ne comparez qu’au dernier document choisi. Comparez à tous les documents déjà choisis.",
            "en": "You compare with the last chosen document only. Compare with all those chosen so far.",
        },
    ),
    Misconception(
        "whole_relevance",
        greedy(lambda relevance, redundancy, lam: relevance - lam * max(redundancy)),
        {
            "fr": "Votre gain est pertinence - lam · redondance. La formule est lam · pertinence - (1 - lam) · "
            "redondance.",
            "en": "Your gain is relevance - lam · redundancy. The formula is lam · relevance - (1 - lam) · redundancy.",
        },
    ),
    Misconception(
        "similarity_added",
        greedy(lambda relevance, redundancy, lam: lam * relevance + (1 - lam) * max(redundancy)),
        {
            "fr": "Vous ajoutez la ressemblance au lieu de la retirer : vous choisissez des copies.",
            "en": "You add the similarity instead of taking it off: you choose copies.",
        },
    ),
    Misconception(
        "not_below_zero",
        greedy(lambda relevance, redundancy, lam: lam * relevance - (1 - lam) * max(0.0, *redundancy)),
        {
            "fr": "Votre maximum part de 0 : une ressemblance négative y devient 0. Prenez le maximum des "
            "ressemblances elles-mêmes.",
            "en": "Your maximum starts from 0, so a negative similarity becomes 0. Take the maximum of the "
            "similarities themselves.",
        },
    ),
    Misconception(
        "first_by_gain",
        greedy(formula, first="gain"),
        {
            "fr": "À lam = 0, votre premier choix est le document 0, faute de mieux. Le premier choix est toujours le "
            "plus proche de la question.",
            "en": "At lam = 0 your first choice is document 0, for want of anything else. The first choice is always "
            "the one most similar to the question.",
        },
    ),
    Misconception(
        "starts_at_0",
        greedy(formula, first=0),
        {
            "fr": "Vous commencez par le document 0. Commencez par le plus proche de la question.",
            "en": "You start from document 0. Start from the one most similar to the question.",
        },
    ),
    Misconception(
        "never_removed",
        never_removed,
        {
            "fr": "Un document déjà choisi peut revenir. Retirez-le des candidats.",
            "en": "A document chosen before may come again. Take it out of the candidates.",
        },
    ),
    Misconception(
        "best_k_reordered",
        best_k_reordered,
        {
            "fr": "Vous gardez d’abord les k plus pertinents, puis vous les réordonnez : aucun autre document n’a sa "
            "chance. Choisissez parmi tous.",
            "en": "You first keep the k most relevant, then reorder them, so no other document has a chance. Choose "
            "among all.",
        },
    ),
    Misconception(
        "against_all",
        against_all,
        {
            "fr": "Vous comparez chaque document à tous les autres, une fois pour toutes. Ne comparez qu’à ceux qui "
            "sont choisis, et refaites-le à chaque tour.",
            "en": "You compare each document with all others, once and for all. Compare only with those chosen, and "
            "again at each turn.",
        },
    ),
    Misconception(
        "last_of_ties",
        greedy(formula, last_of_ties=True),
        {
            "fr": "À gain égal, vous prenez le plus grand numéro. Prenez le plus petit, comme argmax.",
            "en": "At equal gains you take the higher number. Take the lower one, as argmax does.",
        },
    ),
)

# 0 and 1 are near copies; 2 says something else, 3 something else again.
RELEVANCE = np.array([0.9, 0.85, 0.6, 0.3])
SIMS = symmetric([[0.95], [0.2, 0.25], [0.1, 0.1, 0.05]])

# After 4 and 2: 3 repeats 4, which was chosen first, and has nothing of 2, chosen last.
MIXED = np.array([0.7, 0.58, 0.5, 0.6, 0.8])
MIXED_SIMS = symmetric([[0.4], [0.4, 0.1], [0.5, 0.4, 0.0], [0.6, 0.5, 0.3, 0.8]])

MMR = Exercise(
    id="fusion.mmr",
    chapter="04_fusion",
    entry="mmr",
    title={"fr": "Choisir sans se répéter (MMR)", "en": "Choose without repeating (MMR)"},
    points=3,
    importance=2,
    minutes=10,
    reference=mmr,
    examples=(
        Example(
            (RELEVANCE, SIMS, 3),
            {
                "fr": "1 est presque une copie de 0 : 2 et 3, moins pertinents mais nouveaux, passent devant.",
                "en": "1 is nearly a copy of 0: 2 and 3, less relevant but new, come before it.",
            },
        ),
        Example(
            (RELEVANCE, SIMS, 3, 1.0),
            {
                "fr": "lam = 1 : la pertinence seule, donc le classement simple.",
                "en": "lam = 1: relevance alone, hence the plain ranking.",
            },
        ),
        Example(
            (np.array([0.3, 0.9, 0.8]), symmetric([[0.2], [0.5, 0.9]]), 3, 0.0),
            {
                "fr": "lam = 0 : la diversité seule, mais le premier choix reste le plus proche de la question.",
                "en": "lam = 0: diversity alone, yet the first choice is still the one most similar to the question.",
            },
        ),
        Example(
            (RELEVANCE, SIMS, 3, 0.7),
            {
                "fr": "lam = 0,7 : 2 passe encore devant la copie, mais la copie passe devant 3.",
                "en": "lam = 0.7: 2 still comes before the copy, but the copy comes before 3.",
            },
        ),
        Example(
            (MIXED, MIXED_SIMS, 4),
            {
                "fr": "Après 4 et 2, le document 3 ne ressemble pas à 2, mais il copie 4 : on compare à tous les "
                "choix.",
                "en": "After 4 and 2, document 3 is unlike 2 but copies 4: compare with every choice.",
            },
        ),
        Example(
            (np.array([0.7, 0.5, 0.6]), symmetric([[-0.4], [0.0, 0.0]]), 2, 0.5),
            {
                "fr": "Deux vecteurs opposés : une ressemblance négative est un avantage.",
                "en": "Two opposite vectors: a negative similarity is an advantage.",
            },
        ),
        Example(
            (np.array([0.5, 0.5, 0.5]), symmetric([[-0.5], [-0.5, -0.25]]), 3, 0.5),
            {
                "fr": "À gain égal, le plus petit numéro ; et −0,5 n’est pas 0.",
                "en": "Equal gains: the lower number; and -0.5 is not 0.",
            },
        ),
        Example(
            (np.array([0.2, 0.4]), symmetric([[0.3]]), 10),
            {
                "fr": "k dépasse le nombre de documents : on rend tout, chacun une fois.",
                "en": "k is larger than the number of documents: return them all, each once.",
            },
        ),
        Example(
            (np.array([]), np.zeros((0, 0)), 3),
            {"fr": "Aucun document : une liste vide.", "en": "No document: an empty list."},
        ),
        Example(
            (RELEVANCE, SIMS, 0),
            {"fr": "k doit valoir au moins 1 : ValueError.", "en": "k must be at least 1: ValueError."},
        ),
        Example(
            (RELEVANCE, SIMS, 3, 1.5),
            {
                "fr": "lam doit être entre 0 et 1 : ValueError.",
                "en": "lam must lie between 0 and 1: ValueError.",
            },
        ),
        Example(
            (RELEVANCE, SIMS, 3, -0.1),
            {"fr": "lam négatif : ValueError.", "en": "A negative lam: ValueError."},
        ),
    ),
    inputs=inputs,
    misconceptions=MISCONCEPTIONS,
    hints=(
        {
            "fr": "Une liste chosen, d’abord le document le plus proche de la question. Tant qu’elle compte moins de "
            "min(k, N) documents, ajoutez le meilleur de ceux qui restent.",
            "en": "A list chosen, starting with the document most similar to the question. While it has fewer than "
            "min(k, N) documents, append the best of those left.",
        },
        {
            "fr": "La redondance de d : max(doc_sims[d][c] for c in chosen). Son gain : "
            "lam * query_sims[d] - (1 - lam) * redondance.",
            "en": "The redundancy of d: max(doc_sims[d][c] for c in chosen). Its gain: "
            "lam * query_sims[d] - (1 - lam) * redundancy.",
        },
        {
            "fr": "left = [d for d in range(N) if d not in chosen], puis chosen.append(max(left, key=gain)) : max rend "
            "le premier des ex æquo, donc le plus petit numéro.",
            "en": "left = [d for d in range(N) if d not in chosen], then chosen.append(max(left, key=gain)): max "
            "returns the first of those that tie, hence the lower number.",
        },
    ),
)
