"""metrics.mrr and metrics.average_precision: at which ranks the relevant documents stand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.metrics.inputs import question_sets, rankings, relevant_ids
from ragteach.retrieval.metrics import average_precision, mrr, precision_at_k, recall_at_k

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

THREE = [["d5", "d1", "d2"], ["d3", "d4", "d5"], ["d4", "d5", "d1"]]  # the right document at ranks 1, 3, 2


def ap_inputs() -> SearchStrategy[tuple]:
    """Draw a ranking and its relevant documents."""
    from hypothesis import strategies as st

    return st.tuples(rankings(), relevant_ids())


def first_rank(ranking, relevant):
    """Give the rank of the first relevant document, None where there is none."""
    return next((rank for rank, doc in enumerate(ranking, start=1) if doc in relevant), None)


def all_ranks(ranking, relevant):
    """Give the ranks of all relevant documents, each at its best one."""
    return [ranking.index(doc) + 1 for doc in dict.fromkeys(ranking) if doc in relevant]


def mean(values):
    return sum(values) / len(values)


def of_each(reciprocal):
    """Make a mean over the questions of a function of one ranking."""
    return lambda rankings, relevants: mean([reciprocal(*pair) for pair in zip(rankings, relevants, strict=True)])


def first_ranks(rankings, relevants):
    return [first_rank(*pair) for pair in zip(rankings, relevants, strict=True)]


def mean_over_found(rankings, relevants):
    ranks = [rank for rank in first_ranks(rankings, relevants) if rank]
    return mean([1 / rank for rank in ranks]) if ranks else 0.0


def first_question_only(rankings, relevants):
    return next((1 / rank for rank in first_ranks(rankings, relevants) if rank), 0.0)


def mean_rank(rankings, relevants):
    ranks = [rank for rank in first_ranks(rankings, relevants) if rank]
    return mean(ranks) if ranks else 0.0


def one_over_mean_rank(rankings, relevants):
    average = mean_rank(rankings, relevants)
    return 1 / average if average else 0.0


def from_zero(ranking, relevant):
    rank = first_rank(ranking, relevant)
    return 1 / (rank - 1) if rank else 0.0


def one_further(ranking, relevant):
    rank = first_rank(ranking, relevant)
    return 1 / (rank + 1) if rank else 0.0


def first_place_only(ranking, relevant):
    return 1.0 if first_rank(ranking, relevant) == 1 else 0.0


def every_reciprocal(ranking, relevant):
    return sum(1 / rank for rank in all_ranks(ranking, relevant))


def last_reciprocal(ranking, relevant):
    ranks = all_ranks(ranking, relevant)
    return 1 / ranks[-1] if ranks else 0.0


def fails_where_none(ranking, relevant):
    ranks = all_ranks(ranking, relevant)
    return 1 / ranks[0]


MRR = Exercise(
    id="metrics.mrr",
    chapter="05_metrics",
    entry="mrr",
    title={"fr": "Le rang réciproque moyen", "en": "Mean reciprocal rank"},
    points=1,
    importance=3,
    minutes=3,
    reference=mrr,
    examples=(
        Example(
            (THREE, [{"d5"}, {"d5"}, {"d5"}]),
            {
                "fr": "Rangs 1, 3 et 2 : (1 + 1/3 + 1/2) / 3, soit 0,611.",
                "en": "Ranks 1, 3 and 2: (1 + 1/3 + 1/2) / 3, that is, 0.611.",
            },
        ),
        Example(
            ([["d1", "d2", "d3", "d4"]], [{"d4", "d2"}]),
            {
                "fr": "Deux documents pertinents : seul le premier rencontré compte, ici au rang 2.",
                "en": "Two relevant documents: only the first one met counts, here at rank 2.",
            },
        ),
        Example(
            ([["d5", "d6"], ["d1", "d2"]], [{"d6"}, {"d9"}]),
            {
                "fr": "La seconde question n’a rien trouvé : elle compte 0, et reste dans la moyenne.",
                "en": "The second question found nothing: it counts 0, and stays in the mean.",
            },
        ),
        Example(
            ([["d1"], ["d2"], []], [{"d1"}, set(), {"d3"}]),
            {
                "fr": "Aucun document pertinent, ou classement vide : 0 aussi.",
                "en": "No relevant document, or an empty ranking: 0 as well.",
            },
        ),
        Example(
            ([["d1", "d1", "d2"]], [{"d2"}]),
            {
                "fr": "d1 occupe deux places : d2 est au rang 3.",
                "en": "d1 takes up two places: d2 is at rank 3.",
            },
        ),
        Example(
            ([list(range(20))], [{19}]),
            {
                "fr": "Loin dans le classement, la contribution est petite mais non nulle : 1/20.",
                "en": "Far down the ranking the contribution is small but not zero: 1/20.",
            },
        ),
        Example(
            ([["d9", "d5"], ["d9", "d8", "d7", "d5"]], [{"d5"}, {"d5"}]),
            {
                "fr": "Rangs 2 et 4 : la moyenne des inverses (0,375) n’est pas l’inverse de la moyenne (1/3).",
                "en": "Ranks 2 and 4: the mean of the reciprocals (0.375) is not the reciprocal of the mean (1/3).",
            },
        ),
        Example(
            ([], []),
            {
                "fr": "Sans aucune question, la moyenne n’existe pas : levez une ValueError.",
                "en": "With no question at all there is no mean: raise a ValueError.",
            },
        ),
        Example(
            ([["d1"], ["d2"]], [{"d1"}]),
            {
                "fr": "Deux classements, un seul ensemble de documents pertinents : levez une ValueError.",
                "en": "Two rankings, one set of relevant documents: raise a ValueError.",
            },
        ),
    ),
    inputs=question_sets,
    misconceptions=(
        Misconception(
            "from_zero",
            of_each(from_zero),
            {
                "fr": "Vos rangs commencent à 0, et un document en tête fait diviser par zéro. Les rangs commencent à "
                "1 : enumerate(ranking, start=1).",
                "en": "Your ranks start at 0, and a document in first place makes you divide by zero. Ranks start at "
                "1: enumerate(ranking, start=1).",
            },
        ),
        Misconception(
            "one_further",
            of_each(one_further),
            {
                "fr": "Vos rangs ont un de trop : un document en tête doit donner 1, et le vôtre donne 1/2. "
                "N’ajoutez 1 qu’une fois.",
                "en": "Your ranks are one too high: a document in first place should give 1, and yours gives 1/2. "
                "Add 1 only once.",
            },
        ),
        Misconception(
            "mean_over_found",
            mean_over_found,
            {
                "fr": "Vous laissez de côté les questions où rien n’est trouvé, ce qui flatte le résultat. Elles "
                "comptent 0 : divisez par le nombre de toutes les questions.",
                "en": "You leave out the questions that found nothing, which flatters the result. They count 0: "
                "divide by the number of all questions.",
            },
        ),
        Misconception(
            "first_question_only",
            first_question_only,
            {
                "fr": "Vous rendez 1/rang dès le premier document trouvé : le return quitte aussi la boucle des "
                "questions. Ajoutez la valeur à un total, puis break.",
                "en": "You return 1/rank at the first document found: that return also leaves the loop over the "
                "questions. Add the value to a total, then break.",
            },
        ),
        Misconception(
            "mean_rank",
            mean_rank,
            {
                "fr": "C’est le rang moyen. Prenez d’abord l’inverse de chaque rang, puis la moyenne.",
                "en": "This is the mean rank. Take the reciprocal of each rank first, then the mean.",
            },
        ),
        Misconception(
            "one_over_mean_rank",
            one_over_mean_rank,
            {
                "fr": "Vous prenez l’inverse du rang moyen. Prenez la moyenne des inverses : 1/rang pour chaque "
                "question, puis la moyenne.",
                "en": "You take the reciprocal of the mean rank. Take the mean of the reciprocals: 1/rank for each "
                "question, then the mean.",
            },
        ),
        Misconception(
            "sum",
            lambda rankings, relevants: mrr(rankings, relevants) * len(rankings),
            {
                "fr": "Vous additionnez sans diviser par le nombre de questions.",
                "en": "You add up without dividing by the number of questions.",
            },
        ),
        Misconception(
            "every_relevant",
            of_each(every_reciprocal),
            {
                "fr": "Vous ajoutez 1/rang pour chaque document pertinent. Seul le premier compte : arrêtez-vous "
                "(break, ou next) dès qu’il est trouvé.",
                "en": "You add 1/rank for every relevant document. Only the first counts: stop (break, or next) as "
                "soon as it is found.",
            },
        ),
        Misconception(
            "last_relevant",
            of_each(last_reciprocal),
            {
                "fr": "Vous gardez le dernier document pertinent, comme une boucle sans break. Gardez le premier.",
                "en": "You keep the last relevant document, as a loop without break does. Keep the first.",
            },
        ),
        Misconception(
            "first_place_only",
            of_each(first_place_only),
            {
                "fr": "Vous comptez 1 ou 0 selon la première place. Un document au rang r doit rapporter 1/r.",
                "en": "You count 1 or 0 by the first place alone. A document at rank r should earn 1/r.",
            },
        ),
        Misconception(
            "not_found_fails",
            of_each(fails_where_none),
            {
                "fr": "Une question sans document pertinent trouvé fait échouer votre code. Elle compte 0.",
                "en": "A question for which nothing relevant is found makes your code fail. It counts 0.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Écrivez d’abord le calcul pour une question : parcourir le classement, s’arrêter au premier "
            "document pertinent, rendre 1/rang ; 0 si l’on arrive au bout.",
            "en": "Write it for one question first: walk down the ranking, stop at the first relevant document, give "
            "1/rank; 0 if you reach the end.",
        },
        {
            "fr": "next((1 / rank for rank, doc in enumerate(ranking, start=1) if doc in relevant), 0.0) donne une "
            "question. Faites la moyenne sur zip(rankings, relevants). Avant, une ValueError si rankings est vide ou "
            "si les longueurs diffèrent.",
            "en": "next((1 / rank for rank, doc in enumerate(ranking, start=1) if doc in relevant), 0.0) gives one "
            "question. Take the mean over zip(rankings, relevants). Before that, a ValueError if rankings is empty "
            "or the lengths differ.",
        },
    ),
)


def precisions(ranking, relevant):
    return [hits / rank for hits, rank in enumerate(all_ranks(ranking, relevant), start=1)]


def over_found(ranking, relevant):
    values = precisions(ranking, relevant)
    return mean(values) if values else 0.0


def over_ranking(ranking, relevant):
    return sum(precisions(ranking, relevant)) / len(ranking) if ranking else 0.0


def over_smaller(ranking, relevant):
    below = min(len(ranking), len(relevant))
    return sum(precisions(ranking, relevant)) / below if below else 0.0


def at_every_rank(ranking, relevant):
    values = [precision_at_k(ranking, relevant, k) for k in range(1, len(ranking) + 1)]
    return mean(values) if values else 0.0


def repeats_counted(ranking, relevant):
    hits, total = 0, 0.0
    for rank, doc in enumerate(ranking, start=1):
        if doc in relevant:
            hits += 1
            total += hits / rank
    return total / len(relevant) if relevant else 0.0


def over_found_with_repeats(ranking, relevant):
    n_found = sum(doc in relevant for doc in ranking)
    return repeats_counted(ranking, relevant) * len(relevant) / n_found if n_found else 0.0


def ranks_instead_of_hits(ranking, relevant):
    return every_reciprocal(ranking, relevant) / len(relevant) if relevant else 0.0


def zero_division(ranking, relevant):
    return sum(precisions(ranking, relevant)) / len(relevant)


AVERAGE_PRECISION = Exercise(
    id="metrics.average_precision",
    chapter="05_metrics",
    entry="average_precision",
    title={"fr": "La précision moyenne", "en": "Average precision"},
    points=2,
    importance=1,
    minutes=5,
    reference=average_precision,
    uses=("metrics.precision",),
    examples=(
        Example(
            (["d1", "d8", "d2", "d9"], {"d1", "d2"}),
            {
                "fr": "Pertinents aux rangs 1 et 3 : (1/1 + 2/3) / 2.",
                "en": "Relevant documents at ranks 1 and 3: (1/1 + 2/3) / 2.",
            },
        ),
        Example(
            (["d1", "d2", "d8", "d9"], {"d1", "d2"}),
            {"fr": "Les deux en tête : 1.", "en": "Both at the top: 1."},
        ),
        Example(
            (["d1", "d8", "d9"], {"d1", "d2"}),
            {
                "fr": "d2 n’est pas trouvé : il compte 0, et l’on divise tout de même par 2.",
                "en": "d2 is not found: it counts 0, and you divide by 2 all the same.",
            },
        ),
        Example(
            (["d8", "d9", "d1"], {"d1"}),
            {
                "fr": "Un seul document pertinent : la précision moyenne est le rang réciproque, 1/3.",
                "en": "A single relevant document: average precision is the reciprocal rank, 1/3.",
            },
        ),
        Example(
            (["d1", "d1", "d2"], {"d1", "d2"}),
            {
                "fr": "d1 répété ne compte qu’une fois, et d2 reste au rang 3 : (1 + 2/3) / 2.",
                "en": "d1 repeated counts once, and d2 stays at rank 3: (1 + 2/3) / 2.",
            },
        ),
        Example(
            (["d1", "d2"], {"d1", "d2", "d3", "d4"}),
            {
                "fr": "Deux trouvés sur quatre, en tête : 2/4. La longueur du classement n’intervient pas.",
                "en": "Two found out of four, at the top: 2/4. The length of the ranking plays no part.",
            },
        ),
        Example(
            (["d8", "d9"], {"d1"}),
            {"fr": "Rien de trouvé : 0.", "en": "Nothing found: 0."},
        ),
        Example(
            (["d8", "d9"], set()),
            {"fr": "Rien n’est pertinent : 0.0.", "en": "Nothing is relevant: 0.0."},
        ),
        Example(
            ([], {"d1"}),
            {"fr": "Un classement vide : 0.", "en": "An empty ranking: 0."},
        ),
    ),
    inputs=ap_inputs,
    misconceptions=(
        Misconception(
            "over_found",
            over_found,
            {
                "fr": "Vous divisez par le nombre de pertinents trouvés : ceux qui manquent ne coûtent rien. RAGAS le "
                "fait sous le nom de « context precision » ; ici, divisez par tous les pertinents.",
                "en": "You divide by the number of relevant documents found, so missing ones cost nothing. RAGAS does "
                'so under the name "context precision"; here, divide by all relevant documents.',
            },
        ),
        Misconception(
            "over_found_with_repeats",
            over_found_with_repeats,
            {
                "fr": "Deux erreurs : vous divisez par le nombre de pertinents trouvés (divisez par tous les "
                "pertinents), et un document répété compte chaque fois (retenez ceux que vous avez vus, dans un set).",
                "en": "Two mistakes: you divide by the number of relevant documents found (divide by all relevant "
                "ones), and a repeated document counts every time (remember those already seen, in a set).",
            },
        ),
        Misconception(
            "over_ranking",
            over_ranking,
            {
                "fr": "Vous divisez par la longueur du classement. Divisez par le nombre de documents pertinents.",
                "en": "You divide by the length of the ranking. Divide by the number of relevant documents.",
            },
        ),
        Misconception(
            "over_smaller",
            over_smaller,
            {
                "fr": "Vous divisez par le plus petit des deux nombres, longueur du classement et pertinents. "
                "Divisez par le nombre de tous les pertinents.",
                "en": "You divide by the smaller of two numbers, the ranking's length and the relevant documents. "
                "Divide by the number of all relevant documents.",
            },
        ),
        Misconception(
            "at_every_rank",
            at_every_rank,
            {
                "fr": "Vous faites la moyenne des précisions à tous les rangs. Ne prenez que les rangs où se trouve "
                "un document pertinent.",
                "en": "You average the precisions at all ranks. Take only the ranks that hold a relevant document.",
            },
        ),
        Misconception(
            "repeats_counted",
            repeats_counted,
            {
                "fr": "Un document répété compte chaque fois : le résultat peut dépasser 1. Retenez ceux que vous avez "
                "déjà vus, dans un set.",
                "en": "A repeated document counts every time: the result may exceed 1. Remember those already seen, "
                "in a set.",
            },
        ),
        Misconception(
            "reciprocal_ranks",
            ranks_instead_of_hits,
            {
                "fr": "Vous additionnez 1/rang. La précision au rang r vaut le nombre de pertinents trouvés "
                "jusque-là, divisé par r.",
                "en": "You add up 1/rank. Precision at rank r is the number of relevant documents found so far, "
                "divided by r.",
            },
        ),
        Misconception(
            "not_divided",
            lambda ranking, relevant: sum(precisions(ranking, relevant)),
            {
                "fr": "Vous additionnez les précisions sans en faire la moyenne. Divisez par le nombre de documents "
                "pertinents.",
                "en": "You add up the precisions without averaging. Divide by the number of relevant documents.",
            },
        ),
        Misconception(
            "first_only",
            lambda ranking, relevant: mrr([ranking], [relevant]),
            {
                "fr": "C’est le rang réciproque : vous vous arrêtez au premier document pertinent. Continuez jusqu’au "
                "bout.",
                "en": "This is the reciprocal rank: you stop at the first relevant document. Go on to the end.",
            },
        ),
        Misconception(
            "recall",
            lambda ranking, relevant: recall_at_k(ranking, relevant, len(ranking) + 1),
            {
                "fr": "Vous comptez 1 pour chaque pertinent trouvé, où qu’il soit : c’est le rappel. Comptez la "
                "précision à son rang.",
                "en": "You count 1 for each relevant document found, wherever it stands: that is recall. Count the "
                "precision at its rank.",
            },
        ),
        Misconception(
            "nothing_relevant_fails",
            zero_division,
            {
                "fr": "Sans document pertinent, vous divisez par zéro. Rendez 0.0 dans ce cas.",
                "en": "With no relevant document you divide by zero. Return 0.0 in that case.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Descendez le classement en comptant les pertinents rencontrés (chacun une fois). À chaque nouveau "
            "pertinent, notez compte / rang.",
            "en": "Walk down the ranking and count the relevant documents met (each once). At each new one, note "
            "count / rank.",
        },
        {
            "fr": "Additionnez ces valeurs, puis divisez par len(relevant), qu’ils aient été trouvés ou non ; 0.0 si "
            "relevant est vide.",
            "en": "Add these values up, then divide by len(relevant), whether found or not; 0.0 if relevant is empty.",
        },
        {
            "fr": "seen = set() ; pour rank, doc dans enumerate(ranking, start=1) : si doc est dans relevant et pas "
            "dans seen, ajoutez-le à seen, puis total += len(seen) / rank.",
            "en": "seen = set(); for rank, doc in enumerate(ranking, start=1): if doc is in relevant and not in seen, "
            "add it to seen, then total += len(seen) / rank.",
        },
    ),
)
