"""metrics.recall_curve and metrics.by_segment: means over questions, and over groups of them."""

from __future__ import annotations

from statistics import median
from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.metrics.inputs import eighths, question_sets
from ragteach.retrieval.metrics import by_segment, precision_at_k, recall_at_k, recall_curve

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def curve_inputs() -> SearchStrategy[tuple]:
    """Draw questions and up to four values of k, in any order."""
    from hypothesis import strategies as st

    ks = st.lists(st.integers(1, 8), max_size=4)
    return st.tuples(question_sets(), ks).map(lambda drawn: (*drawn[0], drawn[1]))


def segment_inputs() -> SearchStrategy[tuple]:
    """Draw up to eight values, each in one of three segments."""
    from hypothesis import strategies as st

    pairs = st.lists(st.tuples(eighths(), st.sampled_from(("faq", "manual", "code"))), max_size=8)
    return pairs.map(lambda drawn: ([value for value, _ in drawn], [segment for _, segment in drawn]))


def mean_of(measure):
    """Make a curve of another measure of one question."""

    def curve(rankings, relevants, ks):
        pairs = list(zip(rankings, relevants, strict=True))
        return [sum(measure(ranking, relevant, k) for ranking, relevant in pairs) / len(pairs) for k in ks]

    return curve


def success(ranking, relevant, k):
    return float(recall_at_k(ranking, relevant, k) > 0)


def each_question(rankings, relevants, ks):
    return [[recall_at_k(*pair, k) for k in ks] for pair in zip(rankings, relevants, strict=True)]


def pooled(rankings, relevants, ks):
    n_relevant = sum(map(len, relevants))
    pairs = list(zip(rankings, relevants, strict=True))
    return [sum(len(set(top[:k]) & good) for top, good in pairs) / n_relevant if n_relevant else 0.0 for k in ks]


def exhausted_zip(rankings, relevants, ks):
    pairs = zip(rankings, relevants, strict=True)
    return [sum(recall_at_k(*pair, k) for pair in pairs) / len(rankings) for k in ks]


def only_with_relevant(rankings, relevants, ks):
    pairs = [pair for pair in zip(rankings, relevants, strict=True) if pair[1]]
    return [sum(recall_at_k(*pair, k) for pair in pairs) / len(pairs) if pairs else 0.0 for k in ks]


QUESTIONS = (
    [["d1", "d5", "d2", "d6"], ["d7", "d3", "d8", "d4"]],
    [{"d1", "d2"}, {"d3"}],
)

RECALL_CURVE = Exercise(
    id="metrics.recall_curve",
    chapter="05_metrics",
    entry="recall_curve",
    title={"fr": "La courbe du rappel", "en": "The recall curve"},
    points=1,
    importance=2,
    minutes=3,
    reference=recall_curve,
    uses=("metrics.recall",),
    examples=(
        Example(
            (*QUESTIONS, [1, 2, 3]),
            {
                "fr": "À k = 1 : (1/2 + 0) / 2. À k = 2 : (1/2 + 1) / 2. À k = 3, tout est trouvé.",
                "en": "At k = 1: (1/2 + 0) / 2. At k = 2: (1/2 + 1) / 2. At k = 3 all is found.",
            },
        ),
        Example(
            (*QUESTIONS, [3, 1]),
            {
                "fr": "Les valeurs suivent l’ordre de ks, trié ou non.",
                "en": "The values follow the order of ks, sorted or not.",
            },
        ),
        Example(
            (*QUESTIONS, [10]),
            {"fr": "Un seul k, plus grand que les classements.", "en": "A single k, larger than the rankings."},
        ),
        Example(
            ([["d1"], ["d9", "d2", "d3", "d4"]], [{"d1"}, {"d2", "d3", "d4"}], [1, 2]),
            {
                "fr": "Chaque question pèse autant, qu’elle ait un document pertinent ou trois.",
                "en": "Each question weighs the same, whether it has one relevant document or three.",
            },
        ),
        Example(
            ([["d1"], ["d2"]], [{"d1"}, set()], [1]),
            {
                "fr": "Une question sans document pertinent compte 0 et reste dans la moyenne.",
                "en": "A question without a relevant document counts 0 and stays in the mean.",
            },
        ),
        Example((*QUESTIONS, []), {"fr": "Aucun k : une liste vide.", "en": "No k: an empty list."}),
        Example(
            ([], [], [1]),
            {
                "fr": "Sans aucune question, la moyenne n’existe pas : levez une ValueError.",
                "en": "With no question at all there is no mean: raise a ValueError.",
            },
        ),
        Example(
            (QUESTIONS[0], [{"d1"}], [1]),
            {
                "fr": "Deux classements, un seul ensemble de documents pertinents : levez une ValueError.",
                "en": "Two rankings, one set of relevant documents: raise a ValueError.",
            },
        ),
        Example(
            (*QUESTIONS, [1, 0]),
            {
                "fr": "Un k inférieur à 1 : ValueError, que recall_at_k lève déjà si vous l’appelez.",
                "en": "A k below 1: ValueError, which recall_at_k raises already if you call it.",
            },
        ),
    ),
    inputs=curve_inputs,
    misconceptions=(
        Misconception(
            "success",
            mean_of(success),
            {
                "fr": "Vous comptez 1 dès qu’un document pertinent est trouvé : c’est la courbe du taux de succès. "
                "Faites la moyenne de recall_at_k.",
                "en": "You count 1 as soon as one relevant document is found: that is the curve of the success rate. "
                "Average recall_at_k.",
            },
        ),
        Misconception(
            "precision",
            mean_of(precision_at_k),
            {
                "fr": "C’est la courbe de la précision. Faites la moyenne de recall_at_k.",
                "en": "This is the curve of precision. Average recall_at_k.",
            },
        ),
        Misconception(
            "pooled",
            pooled,
            {
                "fr": "Vous additionnez les documents de toutes les questions avant de diviser : une question à dix "
                "documents pèse dix fois plus. Calculez le rappel de chaque question, puis la moyenne.",
                "en": "You pool the documents of all questions before dividing: a question with ten documents weighs "
                "ten times as much. Compute each question's recall, then the mean.",
            },
        ),
        Misconception(
            "sorted_ks",
            lambda rankings, relevants, ks: recall_curve(rankings, relevants, sorted(ks)),
            {
                "fr": "Vous rendez les valeurs par k croissant. Gardez l’ordre de ks.",
                "en": "You return the values by increasing k. Keep the order of ks.",
            },
        ),
        Misconception(
            "one_to_largest",
            lambda rankings, relevants, ks: recall_curve(rankings, relevants, range(1, max(ks, default=0) + 1)),
            {
                "fr": "Vous calculez tous les k de 1 au plus grand. Ne rendez que ceux de ks.",
                "en": "You compute every k from 1 to the largest. Return only those in ks.",
            },
        ),
        Misconception(
            "not_averaged",
            lambda rankings, relevants, ks: [value * len(rankings) for value in recall_curve(rankings, relevants, ks)],
            {
                "fr": "Vous additionnez les rappels sans diviser par le nombre de questions.",
                "en": "You add up the recalls without dividing by the number of questions.",
            },
        ),
        Misconception(
            "each_question",
            each_question,
            {
                "fr": "Vous rendez une courbe par question. Rendez une seule liste : pour chaque k, la moyenne sur "
                "les questions.",
                "en": "You return one curve a question. Return a single list: for each k, the mean over the questions.",
            },
        ),
        Misconception(
            "exhausted_zip",
            exhausted_zip,
            {
                "fr": "Après le premier k, tout vaut 0 : un zip ne se parcourt qu’une fois. Refaites-le pour chaque "
                "k, ou gardez list(zip(...)).",
                "en": "After the first k everything is 0: a zip can be gone through only once. Make it anew for each "
                "k, or keep list(zip(...)).",
            },
        ),
        Misconception(
            "only_with_relevant",
            only_with_relevant,
            {
                "fr": "Vous écartez les questions sans document pertinent. Ici elles comptent 0 : divisez par le "
                "nombre de toutes les questions.",
                "en": "You set aside questions without a relevant document. Here they count 0: divide by the number "
                "of all questions.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Pour un seul k : la moyenne de recall_at_k sur les couples (classement, pertinents). Puis la même "
            "chose pour chaque k de ks.",
            "en": "For a single k: the mean of recall_at_k over the pairs (ranking, relevant). Then the same for each "
            "k of ks.",
        },
        {
            "fr": "pairs = list(zip(rankings, relevants)) ; pour chaque k : sum(recall_at_k(r, p, k) for r, p in "
            "pairs) / len(pairs). Avant, une ValueError si rankings est vide ou si les longueurs diffèrent.",
            "en": "pairs = list(zip(rankings, relevants)); for each k: sum(recall_at_k(r, p, k) for r, p in pairs) / "
            "len(pairs). Before that, a ValueError if rankings is empty or the lengths differ.",
        },
    ),
)


def grouped(make):
    """Make a summary of the values of each segment."""

    def summary(values, segments):
        groups = {}
        for value, segment in zip(values, segments, strict=True):
            groups.setdefault(segment, []).append(value)
        return {segment: make(group) for segment, group in groups.items()}

    return summary


def mean(values):
    return sum(values) / len(values)


def last_run(values, segments):
    """Do what itertools.groupby without sorting does: the last run of a segment replaces the earlier ones."""
    runs = []
    for value, segment in zip(values, segments, strict=True):
        if not runs or runs[-1][0] != segment:
            runs.append((segment, []))
        runs[-1][1].append(value)
    return {segment: mean(run) for segment, run in runs}


def overall_in_each(values, segments):
    return {segment: mean(values) for segment in segments}


def over_all_questions(values, segments):
    return {segment: total / len(values) for segment, total in grouped(sum)(values, segments).items()}


def running_mean(values, segments):
    means = {}
    for value, segment in zip(values, segments, strict=True):
        means[segment] = (means[segment] + value) / 2 if segment in means else value
    return means


BY_SEGMENT = Exercise(
    id="metrics.by_segment",
    chapter="05_metrics",
    entry="by_segment",
    title={"fr": "Une moyenne par segment", "en": "A mean for each segment"},
    points=1,
    importance=2,
    minutes=3,
    reference=by_segment,
    examples=(
        Example(
            ([1.0, 0.5, 0.0, 1.0], ["manual", "manual", "faq", "manual"]),
            {
                "fr": "Trois questions sur le manuel, une sur la FAQ : la moyenne d’ensemble cachait un zéro.",
                "en": "Three questions on the manual, one on the FAQ: the overall mean was hiding a zero.",
            },
        ),
        Example(
            ([1.0, 0.0, 0.5, 0.25, 0.0], ["a", "b", "a", "b", "a"]),
            {
                "fr": "Les segments peuvent être mêlés : on regroupe par nom, pas par voisinage.",
                "en": "Segments may be mixed: group by name, not by neighbourhood.",
            },
        ),
        Example(
            ([1.0] * 9 + [0.4, 1.0, 0.0], ["ok"] * 9 + ["bad"] * 3),
            {
                "fr": "Neuf questions parfaites et trois moins bonnes : chaque segment divise par sa propre taille.",
                "en": "Nine perfect questions and three worse ones: each segment divides by its own size.",
            },
        ),
        Example(
            ([0.25], ["faq"]),
            {"fr": "Une seule question, un seul segment.", "en": "One question, one segment."},
        ),
        Example(
            ([0.0, 0.0, 1.0], [1, 1, 1]),
            {
                "fr": "Un segment peut être un nombre, un mois par exemple. Et la médiane n’est pas la moyenne.",
                "en": "A segment may be a number, a month for instance. And the median is not the mean.",
            },
        ),
        Example(([], []), {"fr": "Aucune question : un dictionnaire vide.", "en": "No question: an empty dictionary."}),
        Example(
            ([1.0, 0.5], ["faq"]),
            {
                "fr": "Deux valeurs, un seul nom de segment : levez une ValueError.",
                "en": "Two values, one segment name: raise a ValueError.",
            },
        ),
    ),
    inputs=segment_inputs,
    misconceptions=(
        Misconception(
            "sum",
            grouped(sum),
            {
                "fr": "Vous rendez la somme de chaque segment. Divisez-la par le nombre de ses valeurs.",
                "en": "You return each segment's sum. Divide it by the number of its values.",
            },
        ),
        Misconception(
            "count",
            grouped(len),
            {
                "fr": "Vous comptez les questions de chaque segment. Rendez la moyenne de leurs valeurs.",
                "en": "You count the questions of each segment. Return the mean of their values.",
            },
        ),
        Misconception(
            "over_all_questions",
            over_all_questions,
            {
                "fr": "Vous divisez par le nombre total de questions. Divisez par celui du segment.",
                "en": "You divide by the total number of questions. Divide by the segment's own.",
            },
        ),
        Misconception(
            "overall",
            overall_in_each,
            {
                "fr": "Chaque segment reçoit la moyenne d’ensemble. Ne prenez que les valeurs du segment.",
                "en": "Every segment gets the overall mean. Take the segment's own values only.",
            },
        ),
        Misconception(
            "last_value",
            lambda values, segments: dict(zip(segments, values, strict=True)),
            {
                "fr": "La dernière valeur d’un segment remplace les précédentes. Gardez-les toutes, dans une liste "
                "par segment.",
                "en": "A segment's last value replaces the earlier ones. Keep them all, in one list a segment.",
            },
        ),
        Misconception(
            "last_run",
            last_run,
            {
                "fr": "Vous ne regroupez que des voisins : itertools.groupby recommence un groupe à chaque "
                "changement. Utilisez un dictionnaire de listes.",
                "en": "You group neighbours only: itertools.groupby starts a new group at every change. Use a "
                "dictionary of lists.",
            },
        ),
        Misconception(
            "running_mean",
            running_mean,
            {
                "fr": "(ancienne moyenne + valeur) / 2 donne de plus en plus de poids aux dernières valeurs. Gardez "
                "les valeurs, et divisez une fois à la fin.",
                "en": "(old mean + value) / 2 gives more and more weight to the latest values. Keep the values, and "
                "divide once at the end.",
            },
        ),
        Misconception(
            "median",
            grouped(median),
            {
                "fr": "C’est la médiane de chaque segment. Rendez la moyenne.",
                "en": "This is the median of each segment. Return the mean.",
            },
        ),
        Misconception(
            "pairs",
            lambda values, segments: list(by_segment(values, segments).items()),
            {
                "fr": "Les moyennes sont justes, mais rendez un dictionnaire : segment -> moyenne.",
                "en": "The means are right, but return a dictionary: segment -> mean.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Rangez d’abord les valeurs : un dictionnaire qui associe à chaque segment la liste des siennes.",
            "en": "Sort the values into groups first: a dictionary that maps each segment to the list of its own.",
        },
        {
            "fr": "groups.setdefault(segment, []).append(value) pour chaque couple ; puis la moyenne de chaque liste, "
            "dans un dictionnaire. Avant, une ValueError si les longueurs diffèrent.",
            "en": "groups.setdefault(segment, []).append(value) for each pair; then the mean of each list, in a "
            "dictionary. Before that, a ValueError if the lengths differ.",
        },
    ),
)
