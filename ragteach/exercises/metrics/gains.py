"""metrics.dcg and metrics.ndcg: graded documents, discounted by their rank."""

from __future__ import annotations

from math import log, log2, log10
from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.metrics.inputs import N_DOCUMENTS, cuts, rankings
from ragteach.retrieval.metrics import dcg, ndcg

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def dcg_inputs() -> SearchStrategy[tuple]:
    """Draw up to six grades and a k."""
    from hypothesis import strategies as st

    return st.tuples(st.lists(st.integers(0, 3), max_size=6), cuts())


def ndcg_inputs() -> SearchStrategy[tuple]:
    """Draw a ranking, grades for some documents, and a k."""
    from hypothesis import strategies as st

    grades = st.dictionaries(st.integers(0, N_DOCUMENTS), st.integers(0, 3), max_size=6)
    return st.tuples(rankings(), grades, cuts())


def variant(gain=lambda grade: 2**grade - 1, discount=lambda rank: log2(rank + 1)):
    """Make a DCG with its gain or its discount exchanged."""
    return lambda gains, k: sum((gain(grade) / discount(rank) for rank, grade in enumerate(gains[:k], start=1)), 0.0)


def undiscounted_first(rank):
    return log2(rank) if rank > 1 else 1.0


DCG = Exercise(
    id="metrics.dcg",
    chapter="05_metrics",
    entry="dcg",
    title={"fr": "Le gain cumulé, réduit selon le rang", "en": "Discounted cumulative gain"},
    points=2,
    importance=2,
    minutes=3,
    reference=dcg,
    examples=(
        Example(
            ([3, 2, 0, 1], 4),
            {
                "fr": "7/log₂2 + 3/log₂3 + 0 + 1/log₂5 : la note 3 vaut 7, la note 2 vaut 3, la note 1 vaut 1.",
                "en": "7/log₂2 + 3/log₂3 + 0 + 1/log₂5: grade 3 is worth 7, grade 2 is worth 3, grade 1 is worth 1.",
            },
        ),
        Example(
            ([1, 0, 2, 3], 4),
            {
                "fr": "Les mêmes notes dans l’autre sens : les bons documents en bas rapportent moins.",
                "en": "The same grades the other way round: good documents lower down earn less.",
            },
        ),
        Example(
            ([3, 2, 0, 1], 2),
            {"fr": "k = 2 : seules les deux premières places comptent.", "en": "k = 2: only the first two places."},
        ),
        Example(
            ([1], 1),
            {
                "fr": "Rang 1 : on divise par log₂2, qui vaut 1.",
                "en": "Rank 1: divide by log₂2, which is 1.",
            },
        ),
        Example(
            ([0, 0, 1], 3),
            {"fr": "Rang 3 : on divise par log₂4, qui vaut 2.", "en": "Rank 3: divide by log₂4, which is 2."},
        ),
        Example(
            ([2, 1], 10),
            {
                "fr": "k dépasse la longueur : on prend ce qui existe.",
                "en": "k exceeds the length: take what there is.",
            },
        ),
        Example(([0, 0], 2), {"fr": "Rien de pertinent : 0.", "en": "Nothing relevant: 0."}),
        Example(([], 3), {"fr": "Aucun document : 0.", "en": "No document: 0."}),
        Example(
            ([2, 1], 0),
            {
                "fr": "k doit valoir au moins 1 : levez une ValueError.",
                "en": "k must be at least 1: raise a ValueError.",
            },
        ),
        Example(
            ([2, -0.5], 2),
            {
                "fr": "Une note négative n’a pas de sens ici : levez une ValueError.",
                "en": "A negative grade makes no sense here: raise a ValueError.",
            },
        ),
    ),
    inputs=dcg_inputs,
    misconceptions=(
        Misconception(
            "linear_gain",
            variant(gain=lambda grade: grade),
            {
                "fr": "Votre gain est la note elle-même, comme dans trec_eval. Ici le gain est 2^note − 1 : la note 3 "
                "vaut sept fois la note 1.",
                "en": "Your gain is the grade itself, as in trec_eval. Here the gain is 2^grade - 1: grade 3 is worth "
                "seven times grade 1.",
            },
        ),
        Misconception(
            "no_minus_one",
            variant(gain=lambda grade: 2**grade),
            {
                "fr": "Il manque le − 1 : un document de note 0 rapporterait 1. Le gain est 2^note − 1.",
                "en": "The - 1 is missing: a document of grade 0 would earn 1. The gain is 2^grade - 1.",
            },
        ),
        Misconception(
            "binary_gain",
            variant(gain=lambda grade: int(grade > 0)),
            {
                "fr": "Vous comptez 1 pour toute note positive. Utilisez la note : 2^note − 1.",
                "en": "You count 1 for any positive grade. Use the grade: 2^grade - 1.",
            },
        ),
        Misconception(
            "natural_log",
            variant(discount=lambda rank: log(rank + 1)),
            {
                "fr": "C’est le logarithme népérien. Prenez celui de base 2, math.log2 ou np.log2.",
                "en": "This is the natural logarithm. Take the one to base 2, math.log2 or np.log2.",
            },
        ),
        Misconception(
            "log10",
            variant(discount=lambda rank: log10(rank + 1)),
            {
                "fr": "C’est le logarithme décimal. Prenez celui de base 2, math.log2 ou np.log2.",
                "en": "This is the logarithm to base 10. Take the one to base 2, math.log2 or np.log2.",
            },
        ),
        Misconception(
            "rank_forgets_one",
            variant(discount=log2),
            {
                "fr": "Au rang 1 vous divisez par log₂1, qui vaut 0. Divisez par log₂(rang + 1).",
                "en": "At rank 1 you divide by log₂1, which is 0. Divide by log₂(rank + 1).",
            },
        ),
        Misconception(
            "original_discount",
            variant(discount=undiscounted_first),
            {
                "fr": "Vous divisez par log₂(rang) à partir du rang 2, comme la toute première définition (2002). "
                "Celle-ci divise par log₂(rang + 1).",
                "en": "You divide by log₂(rank) from rank 2 on, as the very first definition did (2002). This one "
                "divides by log₂(rank + 1).",
            },
        ),
        Misconception(
            "one_further",
            variant(discount=lambda rank: log2(rank + 2)),
            {
                "fr": "Le premier document est divisé par log₂3. Si vos rangs partent de 1, le diviseur est "
                "log₂(rang + 1) ; s’ils partent de 0, log₂(rang + 2).",
                "en": "The first document is divided by log₂3. If your ranks start at 1 the divisor is "
                "log₂(rank + 1); if they start at 0, log₂(rank + 2).",
            },
        ),
        Misconception(
            "divides_by_rank",
            variant(discount=lambda rank: rank),
            {
                "fr": "Vous divisez par le rang, ce qui punit trop vite. Divisez par log₂(rang + 1).",
                "en": "You divide by the rank, which punishes too fast. Divide by log₂(rank + 1).",
            },
        ),
        Misconception(
            "no_discount",
            variant(discount=lambda rank: 1),
            {
                "fr": "Vous additionnez les gains sans tenir compte du rang. Divisez chacun par log₂(rang + 1).",
                "en": "You add up the gains without regard to rank. Divide each by log₂(rank + 1).",
            },
        ),
        Misconception(
            "k_ignored",
            lambda gains, k: dcg(gains, len(gains) + 1),
            {
                "fr": "Vous additionnez toutes les places. Arrêtez-vous à la k-ième : gains[:k].",
                "en": "You add up all places. Stop at the k-th: gains[:k].",
            },
        ),
        Misconception(
            "sorted_first",
            lambda gains, k: dcg(sorted(gains, reverse=True), k),
            {
                "fr": "Vous triez les notes : c’est le DCG du classement idéal. Gardez l’ordre du classement.",
                "en": "You sort the grades: that is the DCG of the ideal ranking. Keep the ranking's order.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Une somme sur les k premières places. Pour chacune : le gain 2^note − 1, divisé par log₂(rang + 1).",
            "en": "A sum over the first k places. For each: the gain 2^grade - 1, divided by log₂(rank + 1).",
        },
        {
            "fr": "sum((2**grade - 1) / math.log2(rank + 1) for rank, grade in enumerate(gains[:k], start=1)). Avant, "
            "une ValueError si k < 1 ou si une note est négative.",
            "en": "sum((2**grade - 1) / math.log2(rank + 1) for rank, grade in enumerate(gains[:k], start=1)). Before "
            "that, a ValueError if k < 1 or if a grade is negative.",
        },
    ),
)

GRADES = {"d1": 3, "d2": 2, "d3": 2, "d4": 1}


def gains_of(ranking, relevance):
    """Give the grade at each place, 0 where a document stands again."""
    return [0 if doc in ranking[:place] else relevance.get(doc, 0) for place, doc in enumerate(ranking)]


def ratio(above, below):
    return above / below if below > 0 else 0.0


def best_first(grades):
    return sorted(grades, reverse=True)


def ndcg_variant(measure):
    """Make an nDCG with another DCG."""
    return lambda ranking, relevance, k: ratio(
        measure(gains_of(ranking, relevance), k), measure(best_first(relevance.values()), k)
    )


def ideal_of_retrieved(ranking, relevance, k):
    gains = gains_of(ranking, relevance)
    return ratio(dcg(gains, k), dcg(best_first(gains), k))


def ideal_of_top(ranking, relevance, k):
    gains = gains_of(ranking, relevance)[:k]
    return ratio(dcg(gains, k), dcg(best_first(gains), k))


def ideal_not_cut(ranking, relevance, k):
    return ratio(dcg(gains_of(ranking, relevance), k), dcg(best_first(relevance.values()), len(relevance) + 1))


def ideal_not_sorted(ranking, relevance, k):
    return ratio(dcg(gains_of(ranking, relevance), k), dcg(list(relevance.values()), k))


def repeats_counted(ranking, relevance, k):
    gains = [relevance.get(doc, 0) for doc in ranking]
    return ratio(dcg(gains, k), dcg(best_first(relevance.values()), k))


def ideal_of_retrieved_with_repeats(ranking, relevance, k):
    gains = [relevance.get(doc, 0) for doc in ranking]
    return ratio(dcg(gains, k), dcg(best_first(gains), k))


def repeats_removed_first(ranking, relevance, k):
    return ndcg(list(dict.fromkeys(ranking)), relevance, k)


def unjudged_fails(ranking, relevance, k):
    for doc in ranking[:k]:
        relevance[doc]
    return ndcg(ranking, relevance, k)


def unjudged_removed(ranking, relevance, k):
    return ndcg([doc for doc in ranking if doc in relevance], relevance, k)


def no_gain_fails(ranking, relevance, k):
    return dcg(gains_of(ranking, relevance), k) / dcg(best_first(relevance.values()), k)


NDCG = Exercise(
    id="metrics.ndcg",
    chapter="05_metrics",
    entry="ndcg",
    title={"fr": "Le nDCG@k", "en": "nDCG@k"},
    points=2,
    importance=3,
    minutes=5,
    reference=ndcg,
    uses=("metrics.dcg",),
    examples=(
        Example(
            (["d2", "d9", "d1"], GRADES, 3),
            {
                "fr": "Le meilleur document est au rang 3, un document sans note au rang 2 : 6,5 obtenus.",
                "en": "The best document is at rank 3, one without a grade at rank 2: 6.5 earned.",
            },
        ),
        Example(
            (["d1", "d2", "d3", "d4"], GRADES, 4),
            {"fr": "Le classement idéal vaut exactement 1.", "en": "The ideal ranking is worth exactly 1."},
        ),
        Example(
            (["d1", "d3", "d4", "d2"], GRADES, 4),
            {
                "fr": "Deux documents de notes différentes échangés : moins de 1. (d2 et d3 ont la même note, les "
                "échanger ne changerait rien.)",
                "en": "Two documents of different grades swapped: less than 1. (d2 and d3 share a grade, so swapping "
                "them would change nothing.)",
            },
        ),
        Example(
            (["d4", "d9"], GRADES, 2),
            {
                "fr": "Les bons documents n’ont pas été trouvés : l’idéal se calcule sur tous les documents notés, "
                "pas sur ceux du classement.",
                "en": "The good documents were not found: the ideal comes from all graded documents, not from those "
                "in the ranking.",
            },
        ),
        Example(
            (["d1"], GRADES, 1),
            {
                "fr": "k = 1 : l’idéal n’a qu’une place lui aussi, et il est atteint.",
                "en": "k = 1: the ideal has one place only, and it is reached.",
            },
        ),
        Example(
            (["d9", "d1", "d2", "d3", "d4"], GRADES, 5),
            {
                "fr": "Un document sans intérêt en tête coûte cher : tous les autres reculent.",
                "en": "A useless document at the top is expensive: all the others move down.",
            },
        ),
        Example(
            (["d1", "d2", "d3", "d4", "d9"], GRADES, 5),
            {
                "fr": "Le même document en dernière place ne coûte rien.",
                "en": "The same document in last place costs nothing.",
            },
        ),
        Example(
            (["d2", "d1", "d1"], {"d1": 2, "d2": 1}, 3),
            {
                "fr": "Le meilleur est au rang 2, et revient au rang 3, où sa note est 0 : jamais plus de 1.",
                "en": "The best one is at rank 2, and comes back at rank 3, where its grade is 0: never more than 1.",
            },
        ),
        Example(
            (["d1", "d1", "d2"], {"d1": 2, "d2": 1}, 2),
            {
                "fr": "La répétition occupe la deuxième place : d2 est au rang 3, hors des deux premières.",
                "en": "The repetition takes up second place: d2 is at rank 3, outside the first two.",
            },
        ),
        Example(
            (["d4", "d2"], {"d4": 1, "d1": 3, "d2": 2}, 2),
            {
                "fr": "L’ordre du dictionnaire ne veut rien dire : l’idéal trie les notes.",
                "en": "The order of the dictionary means nothing: the ideal sorts the grades.",
            },
        ),
        Example(
            (["d1"], {"d1": 0}, 1),
            {
                "fr": "Aucune note positive : 0.0, sans division par zéro.",
                "en": "No positive grade: 0.0, without a division by zero.",
            },
        ),
        Example(
            (["d1"], GRADES, 0),
            {
                "fr": "k doit valoir au moins 1 : levez une ValueError (dcg le fait déjà, si vous l’appelez).",
                "en": "k must be at least 1: raise a ValueError (dcg does so already, if you call it).",
            },
        ),
    ),
    inputs=ndcg_inputs,
    misconceptions=(
        Misconception(
            "ideal_of_retrieved",
            ideal_of_retrieved,
            {
                "fr": "Votre idéal ne trie que les documents du classement : en oublier un excellent ne coûte rien. "
                "Triez toutes les notes, relevance.values().",
                "en": "Your ideal sorts only the documents in the ranking, so missing an excellent one costs nothing. "
                "Sort all grades, relevance.values().",
            },
        ),
        Misconception(
            "ideal_of_top",
            ideal_of_top,
            {
                "fr": "Votre idéal ne trie que les k premiers documents rendus. Triez toutes les notes, "
                "relevance.values().",
                "en": "Your ideal sorts only the first k documents returned. Sort all grades, relevance.values().",
            },
        ),
        Misconception(
            "ideal_of_retrieved_with_repeats",
            ideal_of_retrieved_with_repeats,
            {
                "fr": "Deux erreurs : votre idéal ne trie que les documents du classement (triez toutes les notes, "
                "relevance.values()), et un document répété rapporte chaque fois (sa note est 0 quand il revient).",
                "en": "Two mistakes: your ideal sorts only the documents in the ranking (sort all grades, "
                "relevance.values()), and a repeated document earns every time (its grade is 0 when it comes back).",
            },
        ),
        Misconception(
            "ideal_not_cut",
            ideal_not_cut,
            {
                "fr": "Votre idéal compte tous les documents notés, même au-delà de k : 1 devient hors d’atteinte. "
                "Coupez-le aussi à k.",
                "en": "Your ideal counts all graded documents, even beyond k, which puts 1 out of reach. Cut it at k "
                "too.",
            },
        ),
        Misconception(
            "ideal_not_sorted",
            ideal_not_sorted,
            {
                "fr": "Votre idéal suit l’ordre du dictionnaire. Triez les notes en ordre décroissant.",
                "en": "Your ideal follows the order of the dictionary. Sort the grades in decreasing order.",
            },
        ),
        Misconception(
            "not_normalised",
            lambda ranking, relevance, k: dcg(gains_of(ranking, relevance), k),
            {
                "fr": "C’est le DCG, sans le n : divisez-le par celui du classement idéal.",
                "en": "This is DCG, without the n: divide it by that of the ideal ranking.",
            },
        ),
        Misconception(
            "linear_gain",
            ndcg_variant(variant(gain=lambda grade: grade)),
            {
                "fr": "Vos gains sont les notes elles-mêmes, comme dans trec_eval. Ici le gain est 2^note − 1 : "
                "appelez votre fonction dcg.",
                "en": "Your gains are the grades themselves, as in trec_eval. Here the gain is 2^grade - 1: call your "
                "function dcg.",
            },
        ),
        Misconception(
            "binary_gain",
            ndcg_variant(variant(gain=lambda grade: int(grade > 0))),
            {
                "fr": "Vous comptez 1 pour toute note positive : un document excellent et un document à peine utile "
                "se valent. Utilisez la note, avec dcg.",
                "en": "You count 1 for any positive grade: an excellent document and a barely useful one are worth "
                "the same. Use the grade, with dcg.",
            },
        ),
        Misconception(
            "no_discount",
            ndcg_variant(variant(discount=lambda rank: 1)),
            {
                "fr": "Le rang ne joue pas : vous divisez des sommes de gains. Divisez chaque gain par log₂(rang + 1).",
                "en": "Rank plays no part: you divide sums of gains. Divide each gain by log₂(rank + 1).",
            },
        ),
        Misconception(
            "repeats_counted",
            repeats_counted,
            {
                "fr": "Un document répété rapporte chaque fois, et le résultat peut dépasser 1. Mettez une note 0 à "
                "chaque place où il revient.",
                "en": "A repeated document earns every time, and the result may exceed 1. Put a grade 0 at each place "
                "where it comes back.",
            },
        ),
        Misconception(
            "repeats_removed_first",
            repeats_removed_first,
            {
                "fr": "Vous retirez les répétitions, et les documents suivants gagnent des places. Gardez la place et "
                "mettez-y la note 0.",
                "en": "You remove repetitions, so later documents move up. Keep the place and put a grade 0 there.",
            },
        ),
        Misconception(
            "unjudged_fails",
            unjudged_fails,
            {
                "fr": "Un document sans note fait échouer votre code. Il vaut 0 : relevance.get(doc, 0).",
                "en": "A document without a grade makes your code fail. It is worth 0: relevance.get(doc, 0).",
            },
        ),
        Misconception(
            "unjudged_removed",
            unjudged_removed,
            {
                "fr": "Vous retirez du classement les documents sans note : ils occupent pourtant une place. "
                "Donnez-leur la note 0.",
                "en": "You remove documents without a grade from the ranking, yet they take up a place. Give them "
                "grade 0.",
            },
        ),
        Misconception(
            "no_gain_fails",
            no_gain_fails,
            {
                "fr": "Sans note positive, l’idéal vaut 0 et vous divisez par lui. Rendez 0.0 dans ce cas.",
                "en": "With no positive grade the ideal is 0 and you divide by it. Return 0.0 in that case.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Faites la liste des notes dans l’ordre du classement (0 pour un document sans note), et celle des "
            "notes idéales. Deux appels à dcg, une division.",
            "en": "Make the list of grades in ranking order (0 for a document without one), and that of the ideal "
            "grades. Two calls of dcg, one division.",
        },
        {
            "fr": "L’idéal : dcg(sorted(relevance.values(), reverse=True), k). S’il vaut 0, rendez 0.0.",
            "en": "The ideal: dcg(sorted(relevance.values(), reverse=True), k). If it is 0, return 0.0.",
        },
        {
            "fr": "Pour les répétitions : à la place i, la note est 0 si ranking[i] est déjà dans ranking[:i], sinon "
            "relevance.get(ranking[i], 0).",
            "en": "For repetitions: at place i the grade is 0 if ranking[i] is already in ranking[:i], otherwise "
            "relevance.get(ranking[i], 0).",
        },
    ),
)
