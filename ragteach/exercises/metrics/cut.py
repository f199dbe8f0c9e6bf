"""metrics.precision and metrics.recall: what the first k places hold."""

from __future__ import annotations

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.metrics.inputs import cut_rankings
from ragteach.retrieval.metrics import precision_at_k, recall_at_k

RANKING = ["d4", "d1", "d7", "d2", "d9", "d3"]


def found(ranking, relevant, k):
    """Count the relevant documents among the first k, each once."""
    return len(set(ranking[:k]) & set(relevant))


def repeats(ranking, relevant, k):
    """Count the places among the first k that hold a relevant document, as often as it stands there."""
    return sum(doc in relevant for doc in ranking[:k])


def precision_of_what_came(ranking, relevant, k):
    return found(ranking, relevant, k) / len(ranking[:k]) if ranking else 0.0


def recall_without_guard(ranking, relevant, k):
    return found(ranking, relevant, k) / len(relevant)


def recall_one_where_nothing(ranking, relevant, k):
    return recall_at_k(ranking, relevant, k) if relevant else 1.0


def capped_recall(ranking, relevant, k):
    return found(ranking, relevant, k) / min(len(relevant), k) if relevant else 0.0


def recall_of_repeats(ranking, relevant, k):
    return repeats(ranking, relevant, k) / len(relevant) if relevant else 0.0


PRECISION = Exercise(
    id="metrics.precision",
    chapter="05_metrics",
    entry="precision_at_k",
    title={"fr": "La précision@k", "en": "Precision@k"},
    points=1,
    importance=2,
    minutes=3,
    reference=precision_at_k,
    examples=(
        Example(
            (RANKING, {"d1", "d2", "d3"}, 5),
            {
                "fr": "Deux documents pertinents dans les cinq premiers : 0,40. Le troisième est trop loin.",
                "en": "Two relevant documents in the first five: 0.40. The third one stands too low.",
            },
        ),
        Example(
            (RANKING, {"d1", "d2", "d3"}, 2),
            {
                "fr": "Même classement, k plus petit : un sur deux.",
                "en": "Same ranking, smaller k: one out of two.",
            },
        ),
        Example(
            (RANKING, {"d4"}, 1),
            {"fr": "La première place compte bien.", "en": "The first place does count."},
        ),
        Example(
            (["d1", "d2", "d3"], {"d1", "d2", "d3"}, 10),
            {
                "fr": "Trois documents rendus, tous bons, mais k = 10 : les sept places vides ne contiennent rien "
                "de pertinent, donc 0,3. C’est aussi ce que fait trec_eval.",
                "en": "Three documents returned, all good, but k = 10: the seven empty places hold nothing relevant, "
                "so 0.3. trec_eval does the same.",
            },
        ),
        Example(
            (["d1", "d1", "d2", "d5"], {"d1", "d2"}, 4),
            {
                "fr": "d1 est rendu deux fois : il ne compte qu’une fois, mais sa seconde place est prise.",
                "en": "d1 is returned twice: it counts once, yet its second place is taken.",
            },
        ),
        Example(
            (["d1", "d1", "d2"], {"d1", "d2"}, 2),
            {
                "fr": "Les places sont celles du classement donné : d2 est à la troisième, hors des deux premières.",
                "en": "Places are those of the ranking as given: d2 stands third, outside the first two.",
            },
        ),
        Example(
            (RANKING, set(), 3),
            {"fr": "Rien n’est pertinent : 0.", "en": "Nothing is relevant: 0."},
        ),
        Example(
            ([], {"d1"}, 3),
            {"fr": "Un classement vide : 0.", "en": "An empty ranking: 0."},
        ),
        Example(
            (RANKING, {"d1"}, 0),
            {
                "fr": "k doit valoir au moins 1 : levez une ValueError.",
                "en": "k must be at least 1: raise a ValueError.",
            },
        ),
    ),
    inputs=cut_rankings,
    misconceptions=(
        Misconception(
            "divides_by_what_came",
            precision_of_what_came,
            {
                "fr": "Quand le classement a moins de k documents, vous divisez par leur nombre. Divisez toujours "
                "par k : une place vide est une place perdue.",
                "en": "Where the ranking has fewer than k documents, you divide by their number. Always divide by k: "
                "an empty place is a lost place.",
            },
        ),
        Misconception(
            "divides_by_whole_ranking",
            lambda ranking, relevant, k: found(ranking, relevant, k) / len(ranking) if ranking else 0.0,
            {
                "fr": "Vous comptez dans les k premiers, mais vous divisez par la longueur de tout le classement. "
                "Divisez par k.",
                "en": "You count among the first k but divide by the length of the whole ranking. Divide by k.",
            },
        ),
        Misconception(
            "recall",
            recall_at_k,
            {
                "fr": "C’est le rappel : vous divisez par le nombre de documents pertinents. La précision divise "
                "par k.",
                "en": "This is recall: you divide by the number of relevant documents. Precision divides by k.",
            },
        ),
        Misconception(
            "capped",
            capped_recall,
            {
                "fr": "Vous divisez par le plus petit de k et du nombre de pertinents. C’est une autre mesure ; "
                "divisez par k.",
                "en": "You divide by the smaller of k and the number of relevant documents. That is another measure; "
                "divide by k.",
            },
        ),
        Misconception(
            "repeats_counted",
            lambda ranking, relevant, k: repeats(ranking, relevant, k) / k,
            {
                "fr": "Un document rendu deux fois compte deux fois chez vous. Comptez des documents distincts : "
                "set(ranking[:k]) & set(relevant).",
                "en": "A document returned twice counts twice in yours. Count distinct documents: "
                "set(ranking[:k]) & set(relevant).",
            },
        ),
        Misconception(
            "repeats_removed_first",
            lambda ranking, relevant, k: found(list(dict.fromkeys(ranking)), relevant, k) / k,
            {
                "fr": "Vous retirez les répétitions avant de couper, et les documents suivants gagnent des places. "
                "Coupez d’abord le classement à k, puis comptez les documents distincts.",
                "en": "You remove repetitions before cutting, so later documents move up. Cut the ranking at k "
                "first, then count distinct documents.",
            },
        ),
        Misconception(
            "k_ignored",
            lambda ranking, relevant, k: found(ranking, relevant, len(ranking)) / k,
            {
                "fr": "Vous comptez dans tout le classement. Ne regardez que les k premiers : ranking[:k].",
                "en": "You count in the whole ranking. Look at the first k only: ranking[:k].",
            },
        ),
        Misconception(
            "one_place_short",
            lambda ranking, relevant, k: found(ranking, relevant, k - 1) / k,
            {
                "fr": "Vous regardez k − 1 places. ranking[:k] contient déjà les rangs 1 à k.",
                "en": "You look at k - 1 places. ranking[:k] already holds ranks 1 to k.",
            },
        ),
        Misconception(
            "first_place_skipped",
            lambda ranking, relevant, k: len(set(ranking[1 : k + 1]) & set(relevant)) / k,
            {
                "fr": "Vous sautez la première place : les rangs commencent à 1, mais les listes de Python à 0. "
                "Prenez ranking[:k].",
                "en": "You skip the first place: ranks start at 1, but Python's lists at 0. Take ranking[:k].",
            },
        ),
        Misconception(
            "count",
            lambda ranking, relevant, k: found(ranking, relevant, k),
            {
                "fr": "Vous rendez le nombre de documents pertinents trouvés. Divisez-le par k.",
                "en": "You return how many relevant documents were found. Divide that by k.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Deux étapes : combien de documents pertinents distincts dans les k premières places, puis une "
            "division.",
            "en": "Two steps: how many distinct relevant documents stand in the first k places, then a division.",
        },
        {
            "fr": "len(set(ranking[:k]) & set(relevant)), divisé par k. Avant, si k < 1, levez une ValueError.",
            "en": "len(set(ranking[:k]) & set(relevant)), divided by k. Before that, raise a ValueError if k < 1.",
        },
    ),
)

RECALL = Exercise(
    id="metrics.recall",
    chapter="05_metrics",
    entry="recall_at_k",
    title={"fr": "Le rappel@k", "en": "Recall@k"},
    points=1,
    importance=3,
    minutes=3,
    reference=recall_at_k,
    examples=(
        Example(
            (RANKING, {"d1", "d2", "d3"}, 5),
            {
                "fr": "Deux des trois documents pertinents sont dans les cinq premiers.",
                "en": "Two of the three relevant documents are in the first five.",
            },
        ),
        Example(
            (RANKING, {"d1", "d2", "d3"}, 6),
            {
                "fr": "Une place de plus, et le troisième est trouvé : 1. Le rappel ne baisse jamais quand k grandit.",
                "en": "One place more and the third is found: 1. Recall never falls as k grows.",
            },
        ),
        Example(
            (RANKING, {"d4", "d7", "d8", "d9", "d0"}, 3),
            {
                "fr": "Cinq documents pertinents et trois places : deux trouvés sur cinq. On divise par tous les "
                "pertinents, même quand k places ne suffisent pas à les contenir.",
                "en": "Five relevant documents and three places: two found out of five. Divide by all that is "
                "relevant, even where k places cannot hold it.",
            },
        ),
        Example(
            (RANKING, {"d4"}, 1),
            {"fr": "Le seul document pertinent est en tête.", "en": "The only relevant document comes first."},
        ),
        Example(
            (["d1"], {"d1", "d2"}, 10),
            {
                "fr": "k dépasse la longueur du classement : on compte ce qui existe.",
                "en": "k exceeds the length of the ranking: count what is there.",
            },
        ),
        Example(
            (["d1", "d1", "d1"], {"d1", "d2"}, 3),
            {
                "fr": "Le même document trois fois : un pertinent trouvé sur deux. Le rappel ne dépasse jamais 1.",
                "en": "The same document three times: one relevant document found out of two. Recall never exceeds 1.",
            },
        ),
        Example(
            (["d1", "d1", "d2"], {"d2"}, 2),
            {
                "fr": "d2 est à la troisième place, répétition comprise : il n’est pas dans les deux premières.",
                "en": "d2 stands third, repetition included: it is not among the first two.",
            },
        ),
        Example(
            (RANKING, set(), 3),
            {
                "fr": "Rien n’est pertinent : 0.0, sans division par zéro.",
                "en": "Nothing is relevant: 0.0, without a division by zero.",
            },
        ),
        Example(
            (RANKING, {"d1"}, 0),
            {
                "fr": "k doit valoir au moins 1 : levez une ValueError.",
                "en": "k must be at least 1: raise a ValueError.",
            },
        ),
    ),
    inputs=cut_rankings,
    misconceptions=(
        Misconception(
            "precision",
            precision_at_k,
            {
                "fr": "C’est la précision : vous divisez par k. Le rappel divise par le nombre de documents "
                "pertinents.",
                "en": "This is precision: you divide by k. Recall divides by the number of relevant documents.",
            },
        ),
        Misconception(
            "capped",
            capped_recall,
            {
                "fr": "Vous divisez par min(k, nombre de pertinents). C’est le rappel plafonné, une autre mesure. "
                "Divisez par le nombre de tous les documents pertinents.",
                "en": "You divide by min(k, number of relevant documents). That is capped recall, another measure. "
                "Divide by the number of all relevant documents.",
            },
        ),
        Misconception(
            "hit_rate",
            lambda ranking, relevant, k: float(found(ranking, relevant, k) > 0),
            {
                "fr": "Vous rendez 1 dès qu’un document pertinent est trouvé : c’est le taux de succès (success@k). "
                "Le rappel demande quelle part d’entre eux est trouvée.",
                "en": "You return 1 as soon as one relevant document is found: that is the success rate (success@k). "
                "Recall asks what share of them is found.",
            },
        ),
        Misconception(
            "repeats_counted",
            recall_of_repeats,
            {
                "fr": "Un document rendu deux fois compte deux fois : votre rappel peut dépasser 1. Comptez des "
                "documents distincts, avec set.",
                "en": "A document returned twice counts twice: your recall may exceed 1. Count distinct documents, "
                "with set.",
            },
        ),
        Misconception(
            "repeats_removed_first",
            lambda ranking, relevant, k: recall_at_k(list(dict.fromkeys(ranking)), relevant, k),
            {
                "fr": "Vous retirez les répétitions avant de couper, et les documents suivants gagnent des places. "
                "Coupez d’abord le classement à k.",
                "en": "You remove repetitions before cutting, so later documents move up. Cut the ranking at k first.",
            },
        ),
        Misconception(
            "nothing_relevant_fails",
            recall_without_guard,
            {
                "fr": "Sans document pertinent, vous divisez par zéro. Rendez 0.0 dans ce cas.",
                "en": "With no relevant document you divide by zero. Return 0.0 in that case.",
            },
        ),
        Misconception(
            "nothing_relevant_is_one",
            recall_one_where_nothing,
            {
                "fr": "Sans document pertinent, vous rendez 1. L’énoncé demande 0.0, comme trec_eval.",
                "en": "With no relevant document you return 1. The exercise asks for 0.0, as trec_eval does.",
            },
        ),
        Misconception(
            "k_ignored",
            lambda ranking, relevant, k: recall_at_k(ranking, relevant, len(ranking) + 1),
            {
                "fr": "Vous cherchez dans tout le classement. Ne regardez que les k premiers : ranking[:k].",
                "en": "You look through the whole ranking. Look at the first k only: ranking[:k].",
            },
        ),
        Misconception(
            "one_place_short",
            lambda ranking, relevant, k: found(ranking, relevant, k - 1) / len(relevant) if relevant else 0.0,
            {
                "fr": "Vous regardez k − 1 places. ranking[:k] contient déjà les rangs 1 à k.",
                "en": "You look at k - 1 places. ranking[:k] already holds ranks 1 to k.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Le numérateur est celui de la précision ; seul le dénominateur change. Pensez au cas où il vaut 0.",
            "en": "The numerator is precision's; only the denominator changes. Think of the case where it is 0.",
        },
        {
            "fr": "len(set(ranking[:k]) & set(relevant)) / len(relevant), et 0.0 si relevant est vide. Avant, si "
            "k < 1, levez une ValueError.",
            "en": "len(set(ranking[:k]) & set(relevant)) / len(relevant), and 0.0 if relevant is empty. Before that, "
            "raise a ValueError if k < 1.",
        },
    ),
)
