"""fusion.rerank and fusion.hybrid_search: order a short list anew, and the whole pipeline."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.retrieval.fusion import hybrid_search, rerank, rrf

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

NUMBERS = (0, 1, 2, 3, 4, 5)


def rerank_inputs() -> SearchStrategy[tuple]:
    """Draw up to six candidates, repeated ones among them, a coarse score for each, and top_n."""
    from hypothesis import strategies as st

    pairs = st.lists(st.tuples(st.sampled_from("ABCDE"), st.integers(-4, 4).map(lambda n: n / 2)), max_size=6)
    return st.tuples(pairs, st.integers(1, 7)).map(
        lambda drawn: ([id_ for id_, _ in drawn[0]], [score for _, score in drawn[0]], drawn[1])
    )


def hybrid_inputs() -> SearchStrategy[tuple]:
    """Draw two rankings of six documents, a coarse rerank score for each document, and top_k and top_n at times."""
    from hypothesis import strategies as st

    ranking = st.lists(st.sampled_from(NUMBERS), max_size=6, unique=True)
    whole = st.permutations(NUMBERS)
    scores = st.lists(st.integers(-4, 4).map(lambda n: n / 2), min_size=6, max_size=6)
    scores |= st.lists(st.sampled_from((0.0, 0.5)), min_size=6, max_size=6)  # many ties
    either = scores | scores.map(lambda values: dict(enumerate(values)))
    plain = st.tuples(ranking, ranking, either) | st.tuples(whole, whole, either)
    cut = st.tuples(plain, st.integers(1, 6), st.integers(1, 6)).map(lambda drawn: (*drawn[0], drawn[1], drawn[2]))
    return plain | cut


def order(candidates, scores):
    """Sort positions by score, best first, stable."""
    return sorted(range(len(candidates)), key=lambda i: -scores[i])


def ties_by_id(candidates, scores, top_n):
    first = dict(zip(reversed(candidates), reversed(scores), strict=True))
    return sorted(first, key=lambda id_: (-first[id_], id_))[:top_n]


def by_pairs(candidates, scores, top_n):
    pairs = sorted(zip(scores, candidates, strict=True), reverse=True)
    return list(dict.fromkeys(id_ for _, id_ in pairs))[:top_n]


def ties_reversed(candidates, scores, top_n):
    unique = list(dict.fromkeys(candidates))
    first = [scores[candidates.index(id_)] for id_ in unique]
    return [unique[i] for i in sorted(range(len(unique)), key=lambda i: first[i])[::-1]][:top_n]


def last_score(candidates, scores, top_n):
    last = dict(zip(candidates, scores, strict=True))
    return sorted(last, key=lambda id_: -last[id_])[:top_n]


def best_score(candidates, scores, top_n):
    return list(dict.fromkeys(candidates[i] for i in order(candidates, scores)))[:top_n]


def cut_first(candidates, scores, top_n):
    return rerank(candidates[:top_n], scores[:top_n], top_n)


RERANK_MISCONCEPTIONS = (
    Misconception(
        "cut_first",
        cut_first,
        {
            "fr": "Vous coupez avant de trier : un bon candidat placé plus bas ne peut plus remonter. Triez tout, "
            "puis prenez les top_n premiers.",
            "en": "You cut before sorting, so a good candidate further down can no longer rise. Sort them all, then "
            "take the first top_n.",
        },
    ),
    Misconception(
        "worst_first",
        lambda candidates, scores, top_n: rerank(candidates, [-score for score in scores], top_n),
        {
            "fr": "Vous rangez du moins bon au meilleur. La plus grande note d’abord : triez par note opposée.",
            "en": "You order from worst to best. The largest score comes first: sort by the negated score.",
        },
    ),
    Misconception(
        "ties_reversed",
        ties_reversed,
        {
            "fr": "À note égale, vos candidats sortent à l’envers. Gardez leur ordre d’arrivée : sorted avec la clé "
            "-note est stable.",
            "en": "Candidates of equal score come out backwards. Keep the order in which they came: sorted with the "
            "key -score is stable.",
        },
    ),
    Misconception(
        "by_pairs",
        by_pairs,
        {
            "fr": "Vous triez des couples (note, candidat) : à note égale, c’est l’identifiant qui décide. Triez selon "
            "la note seule, avec key=.",
            "en": "You sort pairs (score, candidate), so at equal scores the id decides. Sort by the score alone, with "
            "key=.",
        },
    ),
    Misconception(
        "ties_by_id",
        ties_by_id,
        {
            "fr": "À note égale, vous rangez par identifiant. Gardez l’ordre d’arrivée : le premier étage avait ses "
            "raisons.",
            "en": "Equal scores are put in order of id. Keep the order in which they came: the first stage had its "
            "reasons.",
        },
    ),
    Misconception(
        "by_pairs_repeated",
        lambda candidates, scores, top_n: [
            id_ for _, id_ in sorted(zip(scores, candidates, strict=True), reverse=True)
        ][:top_n],
        {
            "fr": "Deux choses à la fois. Vous triez des couples (note, candidat) : à note égale, c’est l’identifiant "
            "qui décide ; triez selon la note seule. Et un candidat répété sort plusieurs fois : il compte une fois.",
            "en": "Two things at once. You sort pairs (score, candidate), so at equal scores the id decides: sort by "
            "the score alone. And a repeated candidate comes out several times: it counts once.",
        },
    ),
    Misconception(
        "repeated",
        lambda candidates, scores, top_n: [candidates[i] for i in order(candidates, scores)][:top_n],
        {
            "fr": "Un candidat répété sort plusieurs fois. Il ne compte qu’une fois, là où il est d’abord.",
            "en": "A repeated candidate comes out several times. It counts once, where it first stands.",
        },
    ),
    Misconception(
        "last_score",
        last_score,
        {
            "fr": "Un candidat répété prend sa dernière note : dict(zip(...)) écrase la première. Gardez la première, "
            "avec setdefault.",
            "en": "A repeated candidate takes its last score: dict(zip(...)) overwrites the first. Keep the first: "
            "setdefault.",
        },
    ),
    Misconception(
        "best_score",
        best_score,
        {
            "fr": "Un candidat répété prend sa meilleure note. L’énoncé demande celle de sa première apparition.",
            "en": "A repeated candidate takes its best score. The statement asks for that of its first appearance.",
        },
    ),
    Misconception(
        "positions",
        lambda candidates, scores, top_n: order(candidates, scores)[:top_n],
        {
            "fr": "Vous rendez les positions dans la liste. Rendez les candidats : candidates[i].",
            "en": "You return positions in the list. Return the candidates: candidates[i].",
        },
    ),
    Misconception(
        "with_scores",
        lambda candidates, scores, top_n: [
            (scores[candidates.index(id_)], id_) for id_ in rerank(candidates, scores, top_n)
        ],
        {
            "fr": "Vous rendez des couples. Rendez les candidats seuls.",
            "en": "You return pairs. Return the candidates alone.",
        },
    ),
    Misconception(
        "top_n_ignored",
        lambda candidates, scores, top_n: rerank(candidates, scores, len(candidates) + 1),
        {
            "fr": "Vous rendez tous les candidats. Gardez les top_n premiers : [:top_n].",
            "en": "You return every candidate. Keep the first top_n: [:top_n].",
        },
    ),
    Misconception(
        "positive_only",
        lambda candidates, scores, top_n: [
            id_ for id_ in rerank(candidates, scores, top_n) if scores[candidates.index(id_)] > 0
        ],
        {
            "fr": "Vous écartez les notes négatives ou nulles. Beaucoup de reclasseurs notent de −10 à 10 : seul "
            "l’ordre compte.",
            "en": "You drop scores that are zero or negative. Many rerankers score from -10 to 10: only the order "
            "counts.",
        },
    ),
    Misconception(
        "by_size",
        lambda candidates, scores, top_n: rerank(candidates, [abs(score) for score in scores], top_n),
        {
            "fr": "Vous triez selon la valeur absolue : −7 passe devant −0,5. Triez selon la note elle-même.",
            "en": "You sort by absolute value, so that -7 comes before -0.5. Sort by the score itself.",
        },
    ),
)

RERANK = Exercise(
    id="fusion.rerank",
    chapter="04_fusion",
    entry="rerank",
    title={"fr": "Reclasser des candidats", "en": "Rerank candidates"},
    points=1,
    importance=3,
    minutes=4,
    reference=rerank,
    examples=(
        Example(
            (["D2", "D7", "D5"], [0.1, 0.5, 0.9], 2),
            {
                "fr": "D5, dernier de la première recherche, a la meilleure note : il passe premier.",
                "en": "D5, last in the first search, has the best score: it comes first.",
            },
        ),
        Example(
            (["c", "a", "d", "b"], [1.0, 1.0, 2.0, 1.0], 4),
            {
                "fr": "À note égale, les candidats gardent leur ordre d’arrivée.",
                "en": "Candidates of equal score keep the order in which they came.",
            },
        ),
        Example(
            ([4, 8, 1], [-3.2, -0.5, -7.0], 2),
            {
                "fr": "Un reclasseur peut ne donner que des notes négatives : seul leur ordre compte.",
                "en": "A reranker may give negative scores only: nothing but their order counts.",
            },
        ),
        Example(
            (["A", "B"], [0.2, 0.3], 10),
            {
                "fr": "top_n dépasse le nombre de candidats : on rend ce qui existe.",
                "en": "top_n is larger than the number of candidates: return what there is.",
            },
        ),
        Example(
            (["A", "B", "A", "C", "A"], [1.0, 2.0, 3.0, 0.7, 0.5], 5),
            {
                "fr": "A, répété, compte une fois, avec sa première note.",
                "en": "A, which is repeated, counts once, with its first score.",
            },
        ),
        Example(
            ([f"D{n}" for n in range(12)], [0.0] * 12, 3),
            {
                "fr": "Un reclasseur sans avis ne change rien : les trois premiers restent les trois premiers.",
                "en": "A reranker without an opinion changes nothing: the first three stay the first three.",
            },
        ),
        Example(([], [], 3), {"fr": "Aucun candidat : une liste vide.", "en": "No candidate: an empty list."}),
        Example(
            (["A", "B"], [0.5], 1),
            {
                "fr": "Il faut une note par candidat : ValueError.",
                "en": "Each candidate needs a score: ValueError.",
            },
        ),
        Example(
            (["A"], [0.5], 0),
            {"fr": "top_n doit valoir au moins 1 : ValueError.", "en": "top_n must be at least 1: ValueError."},
        ),
    ),
    inputs=rerank_inputs,
    misconceptions=RERANK_MISCONCEPTIONS,
    hints=(
        {
            "fr": "Rangez d’abord les notes dans un dictionnaire, de candidat à note, sans écraser la première : "
            "setdefault. Puis triez les candidats.",
            "en": "Put the scores into a dictionary first, from candidate to score, without overwriting the first: "
            "setdefault. Then sort the candidates.",
        },
        {
            "fr": "sorted(by_id, key=by_id.get, reverse=True)[:top_n] ; le tri est stable. Avant : ValueError si les "
            "longueurs diffèrent ou si top_n < 1.",
            "en": "sorted(by_id, key=by_id.get, reverse=True)[:top_n]; the sort is stable. Before that: ValueError if "
            "the lengths differ or top_n < 1.",
        },
    ),
)


def chosen(candidates, rerank_scores, top_n):
    return sorted(candidates, key=lambda doc: -rerank_scores[doc])[:top_n]


def scores_by_position(lexical, dense, rerank_scores, top_k=40, top_n=8):
    candidates = rrf([lexical[:top_k], dense[:top_k]])
    values = list(rerank_scores.values()) if isinstance(rerank_scores, dict) else list(rerank_scores)
    return sorted(candidates, key=lambda doc: -values[candidates.index(doc)])[:top_n]


def everything_reranked(lexical, dense, rerank_scores, top_k=40, top_n=8):
    documents = list(rerank_scores) if isinstance(rerank_scores, dict) else range(len(rerank_scores))
    return chosen(documents, rerank_scores, top_n)


def end_to_end(lexical, dense, rerank_scores, top_k=40, top_n=8):
    return chosen(list(dict.fromkeys([*lexical[:top_k], *dense[:top_k]])), rerank_scores, top_n)


def by_number(lexical, dense, rerank_scores, top_k=40, top_n=8):
    return chosen(sorted({*lexical[:top_k], *dense[:top_k]}), rerank_scores, top_n)


def top_k_after_fusion(lexical, dense, rerank_scores, top_k=40, top_n=8):
    return chosen(rrf([lexical, dense])[:top_k], rerank_scores, top_n)


def cut_before_reranking(lexical, dense, rerank_scores, top_k=40, top_n=8):
    return chosen(rrf([lexical[:top_k], dense[:top_k]])[:top_n], rerank_scores, top_n)


def in_both(lexical, dense, rerank_scores, top_k=40, top_n=8):
    both = set(lexical[:top_k]) & set(dense[:top_k])
    return [doc for doc in hybrid_search(lexical, dense, rerank_scores, top_k, 10**6) if doc in both][:top_n]


def one_list(choose):
    def function(lexical, dense, rerank_scores, top_k=40, top_n=8):
        return chosen(choose(lexical, dense)[:top_k], rerank_scores, top_n)

    return function


HYBRID_MISCONCEPTIONS = (
    Misconception(
        "not_reranked",
        lambda lexical, dense, rerank_scores, top_k=40, top_n=8: rrf([lexical[:top_k], dense[:top_k]])[:top_n],
        {
            "fr": "Vous rendez la fusion telle quelle. Reclassez-la avec les notes de rerank_scores avant de couper.",
            "en": "You return the fusion as it is. Rerank it by rerank_scores before you cut.",
        },
    ),
    Misconception(
        "cut_before_reranking",
        cut_before_reranking,
        {
            "fr": "Vous coupez à top_n avant de reclasser : le reclasseur ne voit pas les autres candidats. Coupez en "
            "dernier.",
            "en": "You cut to top_n before reranking, so the reranker never sees the other candidates. Cut last.",
        },
    ),
    Misconception(
        "scores_by_position",
        scores_by_position,
        {
            "fr": "Vous lisez les notes par position dans la fusion. rerank_scores[doc] est la note du document numéro "
            "doc, où qu’il soit.",
            "en": "You read the scores by position in the fusion. rerank_scores[doc] is the score of document number "
            "doc, wherever it stands.",
        },
    ),
    Misconception(
        "everything_reranked",
        everything_reranked,
        {
            "fr": "Vous reclassez tous les documents notés. Seuls ceux que la recherche a trouvés sont candidats.",
            "en": "You rerank every document that has a score. Only those that the search found are candidates.",
        },
    ),
    Misconception(
        "top_k_ignored",
        lambda lexical, dense, rerank_scores, top_k=40, top_n=8: chosen(rrf([lexical, dense]), rerank_scores, top_n),
        {
            "fr": "Vous prenez les listes entières. Coupez chacune à ses top_k premiers avant de fusionner.",
            "en": "You take the whole lists. Cut each to its first top_k before fusing.",
        },
    ),
    Misconception(
        "top_k_after_fusion",
        top_k_after_fusion,
        {
            "fr": "Vous coupez la fusion à top_k. Coupez plutôt les deux listes reçues, avant de fusionner.",
            "en": "You cut the fusion to top_k. Cut the two lists received, before fusing.",
        },
    ),
    Misconception(
        "top_n_ignored",
        lambda lexical, dense, rerank_scores, top_k=40, top_n=8: hybrid_search(
            lexical, dense, rerank_scores, top_k, 10**6
        ),
        {
            "fr": "Vous rendez tous les candidats. Gardez les top_n premiers.",
            "en": "You return every candidate. Keep the first top_n.",
        },
    ),
    Misconception(
        "worst_first",
        lambda lexical, dense, rerank_scores, top_k=40, top_n=8: sorted(
            rrf([lexical[:top_k], dense[:top_k]]), key=lambda doc: rerank_scores[doc]
        )[:top_n],
        {
            "fr": "Vous mettez les plus petites notes devant. La plus grande d’abord.",
            "en": "You put the smallest scores first. The largest comes first.",
        },
    ),
    Misconception(
        "end_to_end",
        end_to_end,
        {
            "fr": "À note égale, votre ordre est celui des listes mises bout à bout. Il doit être celui de la fusion : "
            "appelez rrf.",
            "en": "At equal scores your order is that of the lists put end to end. It must be that of the fusion: call "
            "rrf.",
        },
    ),
    Misconception(
        "by_number",
        by_number,
        {
            "fr": "À note égale, vous rangez par numéro : un ensemble (set) a perdu l’ordre de la fusion. Partez de "
            "rrf.",
            "en": "At equal scores you sort by number: a set has lost the order of the fusion. Start from rrf.",
        },
    ),
    Misconception(
        "in_both",
        in_both,
        {
            "fr": "Vous exigez d’être dans les deux listes. Un document trouvé par une seule recherche est candidat.",
            "en": "You want documents to be in both lists. One that a single search found is a candidate.",
        },
    ),
    Misconception(
        "lexical_only",
        one_list(lambda lexical, dense: lexical),
        {
            "fr": "Les trouvailles de la recherche dense manquent. Fusionnez les deux listes.",
            "en": "What the dense search found is missing. Fuse the two lists.",
        },
    ),
    Misconception(
        "dense_only",
        one_list(lambda lexical, dense: dense),
        {
            "fr": "Les trouvailles de la recherche lexicale manquent. Fusionnez les deux listes.",
            "en": "What the lexical search found is missing. Fuse the two lists.",
        },
    ),
    Misconception(
        "with_scores",
        lambda lexical, dense, rerank_scores, top_k=40, top_n=8: [
            (doc, rerank_scores[doc]) for doc in hybrid_search(lexical, dense, rerank_scores, top_k, top_n)
        ],
        {
            "fr": "Vous rendez des couples (document, note). Rendez les numéros seuls.",
            "en": "You return pairs (document, score). Return the numbers alone.",
        },
    ),
)

HYBRID = Exercise(
    id="fusion.hybrid",
    chapter="04_fusion",
    entry="hybrid_search",
    title={"fr": "La recherche hybride complète", "en": "Hybrid search, complete"},
    points=2,
    importance=3,
    minutes=6,
    reference=hybrid_search,
    uses=("fusion.rrf", "fusion.rrf_scores", "fusion.rerank"),
    examples=(
        Example(
            ([1, 2, 3], [3, 4], {1: 0.1, 2: 0.9, 3: 0.5, 4: 0.7}, 40, 3),
            {
                "fr": "Quatre candidats, reclassés par leurs notes ; les trois meilleurs restent.",
                "en": "Four candidates, reranked by their scores; the best three stay.",
            },
        ),
        Example(
            ([5, 2, 3], [3, 1], [0.0] * 6),
            {
                "fr": "Notes égales : l’ordre est celui de la fusion, 3 d’abord.",
                "en": "Equal scores: the order is that of the fusion, 3 first.",
            },
        ),
        Example(
            ([1, 2], [3, 4], {1: 1.0, 3: 2.0}, 1),
            {
                "fr": "top_k = 1 : 2 et 4 ne sont pas candidats, et n’ont pas besoin de note.",
                "en": "top_k = 1: 2 and 4 are no candidates, and need no score.",
            },
        ),
        Example(
            ([1, 2], [2], {1: 0.2, 2: 0.4, 5: 99.0}),
            {
                "fr": "Le document 5 plairait au reclasseur, mais aucune recherche ne l’a trouvé : reclasser ne "
                "change pas le rappel.",
                "en": "The reranker would love document 5, but no search found it: reranking does not change recall.",
            },
        ),
        Example(
            (list(range(10)), list(range(9, -1, -1)), [3.0, 1.0, 4.0, 1.0, 5.0, 9.0, 2.0, 6.0, 5.0, 3.0]),
            {
                "fr": "Dix candidats, et top_n vaut 8 par défaut. Les notes sont lues par numéro de document.",
                "en": "Ten candidates, and top_n is 8 by default. Scores are read by document number.",
            },
        ),
        Example(
            (list(range(45)), [44], list(range(45))),
            {
                "fr": "top_k vaut 40 par défaut : 40 à 43 ne sont pas candidats ; 44 l’est, par la recherche dense.",
                "en": "top_k is 40 by default: 40 to 43 are no candidates; 44 is, thanks to the dense search.",
            },
        ),
        Example(
            ([], [2, 0], {0: 1.0, 2: 0.0}),
            {
                "fr": "Une recherche n’a rien trouvé : l’autre suffit.",
                "en": "One search found nothing: the other is enough.",
            },
        ),
        Example(([], [], {}), {"fr": "Rien de trouvé, rien à rendre.", "en": "Nothing found, nothing to return."}),
        Example(
            ([1], [2], {1: 0.5}),
            {
                "fr": "Le candidat 2 n’a pas de note : ValueError.",
                "en": "Candidate 2 has no score: ValueError.",
            },
        ),
        Example(
            ([1], [2], [0.5, 0.5]),
            {
                "fr": "Une liste de notes trop courte : ValueError aussi, pas IndexError.",
                "en": "A list of scores that is too short: ValueError as well, not IndexError.",
            },
        ),
        Example(
            ([1], [2], [0.5, 0.5, 0.5], 0),
            {"fr": "top_k doit valoir au moins 1 : ValueError.", "en": "top_k must be at least 1: ValueError."},
        ),
        Example(
            ([1], [2], [0.5, 0.5, 0.5], 40, 0),
            {"fr": "top_n doit valoir au moins 1 : ValueError.", "en": "top_n must be at least 1: ValueError."},
        ),
    ),
    inputs=hybrid_inputs,
    misconceptions=HYBRID_MISCONCEPTIONS,
    hints=(
        {
            "fr": "Trois étages : couper chaque liste à top_k et fusionner (rrf), lire les notes des candidats, "
            "reclasser (rerank).",
            "en": "Three stages: cut each list to top_k and fuse (rrf), read the candidates' scores, rerank (rerank).",
        },
        {
            "fr": "candidates = rrf([lexical[:top_k], dense[:top_k]]), puis scores = [rerank_scores[doc] for doc in "
            "candidates], puis rerank(candidates, scores, top_n).",
            "en": "candidates = rrf([lexical[:top_k], dense[:top_k]]), then scores = [rerank_scores[doc] for doc in "
            "candidates], then rerank(candidates, scores, top_n).",
        },
        {
            "fr": "Une note absente donne KeyError (dictionnaire) ou IndexError (liste), qui sont deux LookupError : "
            "try, except LookupError, et levez ValueError.",
            "en": "A missing score gives KeyError (a dictionary) or IndexError (a list). Both are a LookupError: try, "
            "except LookupError, and raise ValueError.",
        },
    ),
)
