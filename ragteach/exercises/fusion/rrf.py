"""fusion.rrf_scores and fusion.rrf: reciprocal rank fusion."""

from __future__ import annotations

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.fusion.inputs import DENSE, LEXICAL, best_ranks, fusions, judge_fusion
from ragteach.retrieval.fusion import rrf, rrf_scores

LISTS = [LEXICAL, DENSE]
TWICE_THIRD = [["X", "a", "Y"], ["b", "c", "Y"]]


def added(rankings, term, join=lambda before, now: before + now):
    """Give each id what `term(rank, ranking)` says, joined over the rankings that hold it."""
    scores = {}
    for ranking in rankings:
        for id_, rank in best_ranks(ranking).items():
            value = term(rank, ranking)
            scores[id_] = join(scores[id_], value) if id_ in scores else value
    return scores


def best_first(scores):
    return sorted(scores, key=lambda id_: -scores[id_])


def ranks_from_0(rankings, k=60):
    return added(rankings, lambda rank, _: 1 / (k + rank - 1))


def k_ignored(rankings, k=60):
    return added(rankings, lambda rank, _: 1 / (60 + rank))


def no_k(rankings, k=60):
    return added(rankings, lambda rank, _: 1 / rank)


def best_term(rankings, k=60):
    return added(rankings, lambda rank, _: 1 / (k + rank), max)


def last_term(rankings, k=60):
    return added(rankings, lambda rank, _: 1 / (k + rank), lambda before, now: now)


def paid_twice(rankings, k=60):
    scores = {}
    for ranking in rankings:
        for rank, id_ in enumerate(ranking, start=1):
            scores[id_] = scores.get(id_, 0.0) + 1 / (k + rank)
    return scores


def from_0_paid_twice(rankings, k=60):
    """Do what the shortest of loops does: two mistakes at once."""
    scores = {}
    for ranking in rankings:
        for rank, id_ in enumerate(ranking):
            scores[id_] = scores.get(id_, 0.0) + 1 / (k + rank)
    return scores


def closed_up(rankings, k=60):
    return rrf_scores([list(dict.fromkeys(ranking)) for ranking in rankings], k)


def last_rank(rankings, k=60):
    scores = {}
    for ranking in rankings:
        for id_, rank in {id_: rank for rank, id_ in enumerate(ranking, start=1)}.items():
            scores[id_] = scores.get(id_, 0.0) + 1 / (k + rank)
    return scores


def fake_rank(rankings, k=60):
    every = list(dict.fromkeys(id_ for ranking in rankings for id_ in ranking))
    return {id_: sum(1 / (k + best_ranks(ranking).get(id_, len(ranking) + 1)) for ranking in rankings) for id_ in every}


def mean(rankings, k=60):
    return {id_: score / len(rankings) for id_, score in rrf_scores(rankings, k).items()}


def in_all_lists(rankings, k=60):
    return {id_: score for id_, score in rrf_scores(rankings, k).items() if all(id_ in ranking for ranking in rankings)}


def one_count_for_all(rankings, k=60):
    scores, rank = {}, 0
    for ranking in rankings:
        for id_ in ranking:
            rank += 1
            scores[id_] = scores.get(id_, 0.0) + 1 / (k + rank)
    return scores


def sum_below(rankings, k=60):
    return {id_: 1 / total for id_, total in added(rankings, lambda rank, _: k + rank).items()}


RRF_SCORES_MISCONCEPTIONS = (
    Misconception(
        "ranks_from_0",
        ranks_from_0,
        {
            "fr": "Votre premier reçoit 1/k : vos rangs commencent à 0, ceux d’enumerate. Le premier rang est 1 : "
            "enumerate(ranking, start=1).",
            "en": "Your first document gets 1/k: your ranks start at 0, as enumerate does. The first rank is 1: "
            "enumerate(ranking, start=1).",
        },
    ),
    Misconception(
        "paid_twice",
        paid_twice,
        {
            "fr": "Un document répété dans une même liste est payé plusieurs fois. Il ne compte qu’une fois, à son "
            "meilleur rang.",
            "en": "A document that one list repeats is paid several times. It counts once, at its best rank.",
        },
    ),
    Misconception(
        "from_0_paid_twice",
        from_0_paid_twice,
        {
            "fr": "Deux choses à la fois. Vos rangs commencent à 0 : enumerate(ranking, start=1). Et un document "
            "répété dans une liste est payé à chaque fois : il ne compte qu’une fois, à son meilleur rang.",
            "en": "Two things at once. Your ranks start at 0: enumerate(ranking, start=1). And a document that a list "
            "repeats is paid each time: it counts once, at its best rank.",
        },
    ),
    Misconception(
        "closed_up",
        closed_up,
        {
            "fr": "Vous retirez les répétitions avant de compter, et les suivants gagnent un rang. Gardez les rangs de "
            "la liste reçue ; ignorez seulement les répétitions.",
            "en": "You drop repetitions before counting, and those behind move up. Keep the ranks of the list as "
            "received; only skip the repetitions.",
        },
    ),
    Misconception(
        "last_rank",
        last_rank,
        {
            "fr": "Un document répété reçoit son dernier rang : le dictionnaire a écrasé le premier. Gardez le "
            "meilleur.",
            "en": "A repeated document gets its last rank: the dictionary overwrote the first. Keep the best one.",
        },
    ),
    Misconception(
        "fake_rank",
        fake_rank,
        {
            "fr": "Vous donnez un rang inventé aux documents absents d’une liste. Absent, un document ne reçoit rien "
            "de cette liste.",
            "en": "You make up a rank for documents that a list does not hold. From such a list a document gets "
            "nothing.",
        },
    ),
    Misconception(
        "best_term",
        best_term,
        {
            "fr": "Vous gardez le plus grand terme. Additionnez : être dans deux listes doit rapporter plus que dans "
            "une.",
            "en": "You keep the largest term. Add them up: to stand in two lists must be worth more than in one.",
        },
    ),
    Misconception(
        "last_term",
        last_term,
        {
            "fr": "Chaque liste écrase ce que la précédente avait donné. Ajoutez : "
            "scores[id_] = scores.get(id_, 0) + 1 / (k + rank).",
            "en": "Each list overwrites what the one before had given. Add: "
            "scores[id_] = scores.get(id_, 0) + 1 / (k + rank).",
        },
    ),
    Misconception(
        "k_ignored",
        k_ignored,
        {
            "fr": "Vous prenez toujours 60. Servez-vous de l’argument k.",
            "en": "You always take 60. Use the argument k.",
        },
    ),
    Misconception(
        "no_k",
        no_k,
        {
            "fr": "Vous donnez 1 / rang. Le terme est 1 / (k + rang) : k évite que le premier écrase tout.",
            "en": "You give 1 / rank. The term is 1 / (k + rank): k keeps the first place from deciding all.",
        },
    ),
    Misconception(
        "no_parentheses",
        lambda rankings, k=60: added(rankings, lambda rank, _: 1 / k + rank),
        {
            "fr": "1 / k + rang : sans parenthèses, Python divise d’abord. Écrivez 1 / (k + rang).",
            "en": "1 / k + rank: without parentheses Python divides first. Write 1 / (k + rank).",
        },
    ),
    Misconception(
        "ranks_added",
        lambda rankings, k=60: added(rankings, lambda rank, _: k + rank),
        {
            "fr": "Vous additionnez k + rang. Additionnez les inverses, 1 / (k + rang) : un bon rang doit rapporter "
            "plus.",
            "en": "You add up k + rank. Add up the inverses, 1 / (k + rank): a good rank must be worth more.",
        },
    ),
    Misconception(
        "sum_below",
        sum_below,
        {
            "fr": "Vous prenez l’inverse d’une somme. Prenez la somme des inverses : un terme par liste.",
            "en": "You take the inverse of a sum. Take the sum of the inverses: one term 1 / (k + rank) a list.",
        },
    ),
    Misconception(
        "mean",
        mean,
        {
            "fr": "Vous divisez par le nombre de listes. RRF est une somme : l’ordre est le même, les valeurs non.",
            "en": "You divide by the number of lists. RRF is a sum: the order is the same, the values are not.",
        },
    ),
    Misconception(
        "in_all_lists",
        in_all_lists,
        {
            "fr": "Vous ne gardez que les documents communs à toutes les listes. Gardez-les tous : une bonne place "
            "dans une seule liste compte aussi.",
            "en": "You keep only documents that all lists hold. Keep them all: a good place in one list counts too.",
        },
    ),
    Misconception(
        "one_count_for_all",
        one_count_for_all,
        {
            "fr": "Votre compteur de rang continue d’une liste à l’autre. Chaque liste repart au rang 1.",
            "en": "Your rank keeps counting from one list to the next. Each list starts again at rank 1.",
        },
    ),
    Misconception(
        "list_of_pairs",
        lambda rankings, k=60: sorted(rrf_scores(rankings, k).items(), key=lambda pair: -pair[1]),
        {
            "fr": "Vous rendez une liste de couples. Rendez le dictionnaire, qui va du document à son score.",
            "en": "You return a list of pairs. Return the dictionary, from a document to its score.",
        },
    ),
)

RRF_SCORES = Exercise(
    id="fusion.rrf_scores",
    chapter="04_fusion",
    entry="rrf_scores",
    title={"fr": "Les scores de la fusion par rangs", "en": "Scores of reciprocal rank fusion"},
    points=2,
    importance=3,
    minutes=6,
    reference=rrf_scores,
    examples=(
        Example(
            (LISTS,),
            {
                "fr": "D2 est deuxième puis premier : 1/62 + 1/61. D5 n’est que dans la seconde liste : 1/62.",
                "en": "D2 is second, then first: 1/62 + 1/61. D5 stands in the second list only: 1/62.",
            },
        ),
        Example(
            ([["A"], ["A"]],),
            {"fr": "Premier dans deux listes : 2/61, environ 0,0328.", "en": "First in two lists: 2/61, about 0.0328."},
        ),
        Example(
            ([["A"], ["B"]],),
            {
                "fr": "Premier dans une seule liste : 1/61, environ 0,0164.",
                "en": "First in one list only: 1/61, about 0.0164.",
            },
        ),
        Example(
            (TWICE_THIRD,),
            {
                "fr": "Y, troisième deux fois, reçoit 2/63 ; X n’est pas dans la seconde liste et n’en reçoit rien.",
                "en": "Y, third twice, gets 2/63; X is not in the second list and gets nothing from it.",
            },
        ),
        Example(
            ([["A", "A", "B"]],),
            {
                "fr": "A compte une fois, à son meilleur rang ; B garde le rang 3.",
                "en": "A counts once, at its best rank; B keeps rank 3.",
            },
        ),
        Example(
            (LISTS, 1),
            {"fr": "k vient de l’appel : 1 / (1 + rang).", "en": "k comes from the call: 1 / (1 + rank)."},
        ),
        Example(
            ([[3, 1], [1, 2], [2, 1, 3]], 10),
            {
                "fr": "Trois listes, et des numéros pour identifiants.",
                "en": "Three lists, with numbers as ids.",
            },
        ),
        Example(
            ([[], ["A"]],),
            {"fr": "Une liste vide n’apporte rien.", "en": "An empty list adds nothing."},
        ),
        Example(([],), {"fr": "Aucune liste : un dictionnaire vide.", "en": "No list: an empty dictionary."}),
        Example(
            ([["A"]], 0),
            {"fr": "k doit valoir au moins 1 : ValueError.", "en": "k must be at least 1: ValueError."},
        ),
        Example(
            ([["A"], "AB"],),
            {
                "fr": "Une chaîne au lieu d’une liste serait lue lettre par lettre : ValueError.",
                "en": "A string in place of a list would be read letter by letter: ValueError.",
            },
        ),
    ),
    inputs=fusions,
    misconceptions=RRF_SCORES_MISCONCEPTIONS,
    hints=(
        {
            "fr": "Deux boucles : sur les listes, puis sur les documents d’une liste avec leur rang, "
            "enumerate(ranking, start=1). Un dictionnaire additionne.",
            "en": "Two loops: over the lists, then over a list's documents with their ranks, "
            "enumerate(ranking, start=1). A dictionary adds up.",
        },
        {
            "fr": "Pour les répétitions, tenez un ensemble seen, vide au début de chaque liste : si le document y est "
            "déjà, passez au suivant.",
            "en": "For repetitions keep a set seen, empty at the start of each list: if the document is in it already, "
            "go on to the next.",
        },
        {
            "fr": "scores[id_] = scores.get(id_, 0.0) + 1 / (k + rank). Avant, si k < 1, levez ValueError ; "
            "dans la première, faites-le aussi si isinstance(ranking, str).",
            "en": "scores[id_] = scores.get(id_, 0.0) + 1 / (k + rank). Before the loops raise ValueError if k < 1; in "
            "the first loop do so as well if isinstance(ranking, str).",
        },
    ),
)


def by_id(rankings, k=60):
    scores = rrf_scores(rankings, k)
    return sorted(scores, key=lambda id_: (-scores[id_], id_))


def ties_reversed(rankings, k=60):
    scores = rrf_scores(rankings, k)
    return sorted(scores, key=lambda id_: scores[id_])[::-1]


def rank_sums(rankings, k=60):
    sums = added(rankings, lambda rank, _: rank)
    return sorted(sums, key=sums.get)


def worst_first(rankings, k=60):
    scores = rrf_scores(rankings, k)
    return sorted(scores, key=scores.get)


RRF_MISCONCEPTIONS = (
    Misconception(
        "worst_first",
        worst_first,
        {
            "fr": "Vous allez du moins bon au meilleur : sorted trie en ordre croissant. Triez par score opposé, ou "
            "avec reverse=True.",
            "en": "You go from worst to best: sorted sorts in increasing order. Sort by the negated score, or with "
            "reverse=True.",
        },
    ),
    Misconception(
        "ties_by_id",
        by_id,
        {
            "fr": "À score égal, vous rangez par identifiant. Gardez l’ordre de première apparition : sorted le fait "
            "de lui-même si la clé est le score seul.",
            "en": "Equal scores are put in order of id. Keep the order of first appearance: sorted does so by itself "
            "if the key is the score alone.",
        },
    ),
    Misconception(
        "ties_reversed",
        ties_reversed,
        {
            "fr": "À score égal, vos documents sortent à l’envers : retourner un tri croissant retourne aussi les ex "
            "æquo. Utilisez reverse=True, qui les laisse en place.",
            "en": "Documents of equal score come out backwards: reversing an increasing sort reverses ties as well. "
            "Use reverse=True, which leaves them in place.",
        },
    ),
    Misconception(
        "ranks_from_0",
        lambda rankings, k=60: best_first(ranks_from_0(rankings, k)),
        {
            "fr": "Vos rangs commencent à 0. Pour un petit k, cela change l’ordre : enumerate(ranking, start=1).",
            "en": "Your ranks start at 0. With a small k this changes the order: enumerate(ranking, start=1).",
        },
    ),
    Misconception(
        "k_ignored",
        lambda rankings, k=60: rrf(rankings),
        {
            "fr": "Vous ne transmettez pas k : rrf_scores prend alors 60. Appelez rrf_scores(rankings, k).",
            "en": "You do not pass k on, so rrf_scores takes 60. Call rrf_scores(rankings, k).",
        },
    ),
    Misconception(
        "paid_twice",
        lambda rankings, k=60: best_first(paid_twice(rankings, k)),
        {
            "fr": "Un document répété dans une liste est payé à chaque fois. Il compte une fois, à son meilleur rang.",
            "en": "A document that a list repeats is paid each time. It counts once, at its best rank.",
        },
    ),
    Misconception(
        "best_term",
        lambda rankings, k=60: best_first(best_term(rankings, k)),
        {
            "fr": "Vous gardez le meilleur rang de chaque document, comme si l’on prenait les listes à tour de rôle. "
            "Additionnez les termes de toutes les listes : l’accord doit payer.",
            "en": "You keep each document's best rank, as if one took from the lists in turn. Add up the terms of all "
            "lists: agreement must pay.",
        },
    ),
    Misconception(
        "fake_rank",
        lambda rankings, k=60: best_first(fake_rank(rankings, k)),
        {
            "fr": "Les absents d’une liste reçoivent un rang inventé, juste après le dernier. Ils ne doivent rien "
            "recevoir : deux fois troisième doit battre une fois premier.",
            "en": "Documents that a list lacks get a made-up rank, right after its last. They must get nothing: third "
            "twice has to beat first once.",
        },
    ),
    Misconception(
        "rank_sums",
        rank_sums,
        {
            "fr": "Vous triez par somme des rangs : un document vu par une seule liste est alors avantagé. "
            "Additionnez 1 / (k + rang), du plus grand au plus petit.",
            "en": "You sort by the sum of ranks, which favours documents that one list alone holds. Add up "
            "1 / (k + rank), largest first.",
        },
    ),
    Misconception(
        "one_after_the_other",
        lambda rankings, k=60: list(dict.fromkeys(id_ for ranking in rankings for id_ in ranking)),
        {
            "fr": "Vous mettez les listes bout à bout : la seconde ne peut jamais remonter un document. Triez par "
            "rrf_scores.",
            "en": "You put the lists end to end, so the second can never lift a document. Sort by rrf_scores.",
        },
    ),
    Misconception(
        "in_all_lists",
        lambda rankings, k=60: best_first(in_all_lists(rankings, k)),
        {
            "fr": "Il manque les documents vus par une seule liste. Gardez-les : c’est tout l’intérêt de deux "
            "recherches différentes.",
            "en": "Documents that only one list holds are missing. Keep them: they are why one runs two different "
            "searches.",
        },
    ),
    Misconception(
        "with_scores",
        lambda rankings, k=60: [(id_, rrf_scores(rankings, k)[id_]) for id_ in rrf(rankings, k)],
        {
            "fr": "Vous rendez des couples (document, score). Rendez les documents seuls.",
            "en": "You return pairs (document, score). Return the documents alone.",
        },
    ),
    Misconception(
        "scores_only",
        lambda rankings, k=60: sorted(rrf_scores(rankings, k).values(), reverse=True),
        {
            "fr": "Vous rendez les scores triés. Rendez les documents, triés par leur score.",
            "en": "You return the sorted scores. Return the documents, sorted by their scores.",
        },
    ),
)

RRF = Exercise(
    id="fusion.rrf",
    chapter="04_fusion",
    entry="rrf",
    title={"fr": "Fusionner des classements", "en": "Fuse rankings"},
    points=2,
    importance=3,
    minutes=4,
    reference=rrf,
    uses=("fusion.rrf_scores",),
    judge=judge_fusion(lambda args: [1.0] * len(args[0]), lambda args: args[1] if len(args) > 1 else 60),
    examples=(
        Example(
            (LISTS,),
            {
                "fr": "D2 et D7, vus par les deux listes, passent devant ; puis D5, D9, D4, D1.",
                "en": "D2 and D7, which both lists hold, come first; then D5, D9, D4, D1.",
            },
        ),
        Example(
            (TWICE_THIRD,),
            {
                "fr": "Deux fois troisième bat une fois premier, quand k vaut 60.",
                "en": "Third twice beats first once, when k is 60.",
            },
        ),
        Example(
            ([["X", "a", "b", "Y"], ["c", "d", "e", "Y"]], 1),
            {
                "fr": "Avec k = 1, les premiers pèsent lourd : deux fois quatrième ne suffit plus.",
                "en": "With k = 1 the first places weigh a lot: fourth twice is no longer enough.",
            },
        ),
        Example(
            ([["d", "e", "Y"], ["X", "f", "Y"]], 2),
            {
                "fr": "Avec k = 2, Y vaut 2/5 et d vaut 1/3. Avec des rangs comptés depuis 0, ils seraient à égalité.",
                "en": "With k = 2, Y has 2/5 and d has 1/3. With ranks counted from 0 they would tie.",
            },
        ),
        Example(
            ([["Z", "M"], ["A", "N"]],),
            {
                "fr": "À score égal, l’ordre de première apparition : Z est lu avant A, M avant N.",
                "en": "Equal scores keep the order of first appearance: Z is read before A, M before N.",
            },
        ),
        Example(
            ([["A", "A", "B"], ["C", "B"]],),
            {
                "fr": "A n’est payé qu’une fois ; B, dans les deux listes, passe devant.",
                "en": "A is paid once; B, which both lists hold, comes first.",
            },
        ),
        Example(
            ([[5, 2, 9]],),
            {"fr": "Une seule liste sort comme elle est entrée.", "en": "A single list comes out as it went in."},
        ),
        Example(([],), {"fr": "Aucune liste, aucun résultat.", "en": "No list, no result."}),
        Example(
            ([["A"]], 0),
            {"fr": "k doit valoir au moins 1 : ValueError.", "en": "k must be at least 1: ValueError."},
        ),
        Example(
            (["AB", ["A"]],),
            {
                "fr": "Une chaîne au lieu d’une liste : ValueError, que rrf_scores lève déjà si vous l’appelez.",
                "en": "A string in place of a list: ValueError, which rrf_scores raises already if you call it.",
            },
        ),
    ),
    inputs=fusions,
    misconceptions=RRF_MISCONCEPTIONS,
    hints=(
        {
            "fr": "rrf_scores fait tout le calcul ; il reste à trier les identifiants du dictionnaire.",
            "en": "rrf_scores does all the arithmetic; what is left is to sort the dictionary's ids.",
        },
        {
            "fr": "sorted(scores, key=scores.get, reverse=True) : le tri est stable, et le dictionnaire suit l’ordre "
            "de première apparition.",
            "en": "sorted(scores, key=scores.get, reverse=True): the sort is stable, and the dictionary keeps the "
            "order of first appearance.",
        },
    ),
)
