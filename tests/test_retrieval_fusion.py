"""Fusion, reranking and diversity: their laws, their bad arguments, and ranx."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ragteach.retrieval.fusion import (
    concept_score,
    hybrid_search,
    min_max,
    mmr,
    rerank,
    rrf,
    rrf_scores,
    weighted_rrf,
)

IDS = st.integers(0, 9)
RANKING = st.lists(IDS, max_size=8, unique=True)
RANKINGS = st.lists(RANKING, max_size=4)
UNIT = st.floats(-1, 1)


# Scores


@given(st.lists(st.floats(-1e300, 1e300), max_size=9))
def test_min_max_keeps_order_and_bounds(scores):
    scaled = min_max(scores)
    assert len(scaled) == len(scores)
    assert all(0 <= value <= 1 for value in scaled)
    if len(set(scores)) > 1:
        assert (min(scaled), max(scaled)) == (0, 1)
        order = sorted(range(len(scores)), key=scores.__getitem__)
        assert all(scaled[i] <= scaled[j] for i, j in zip(order, order[1:], strict=False))
    else:
        assert scaled == [0.0] * len(scores)


def test_one_extreme_score_flattens_the_others():
    assert min_max([1, 2, 3]) == [0, 0.5, 1]
    assert min_max([1, 2, 3, 1000])[2] < 0.003


# Reciprocal rank fusion


def test_rrf_by_hand():
    scores = rrf_scores([["D7", "D2", "D9", "D4"], ["D2", "D5", "D7", "D1"]])
    assert list(scores) == ["D7", "D2", "D9", "D4", "D5", "D1"]  # in the order of first appearance
    assert scores["D2"] == pytest.approx(1 / 62 + 1 / 61)
    assert rrf([["D7", "D2", "D9", "D4"], ["D2", "D5", "D7", "D1"]]) == ["D2", "D7", "D5", "D9", "D4", "D1"]
    assert rrf_scores([["a"], ["a"]])["a"] == pytest.approx(0.0328, abs=5e-5)
    assert rrf_scores([["a"], ["b"]])["a"] == pytest.approx(0.0164, abs=5e-5)
    assert rrf_scores([["a", "a", "b"]]) == {"a": 1 / 61, "b": 1 / 63}  # once, at its best rank
    assert rrf([["X", "a", "Y"], ["b", "c", "Y"]])[0] == "Y"  # twice third beats once first
    assert rrf([]) == rrf([[], []]) == []


@given(RANKINGS, st.integers(1, 100))
def test_rrf_adds_one_over_k_plus_rank(rankings, k):
    scores = rrf_scores(rankings, k)
    assert set(scores) == {id_ for ranking in rankings for id_ in ranking}
    for id_, score in scores.items():
        assert score == pytest.approx(sum(1 / (k + ranking.index(id_) + 1) for ranking in rankings if id_ in ranking))
    fused = rrf(rankings, k)
    first_seen = list(dict.fromkeys(id_ for ranking in rankings for id_ in ranking))
    for before, after in zip(fused, fused[1:], strict=False):
        assert scores[before] >= scores[after]
        if scores[before] == scores[after]:
            assert first_seen.index(before) < first_seen.index(after)


@given(st.lists(st.dictionaries(IDS, st.floats(-50, 50), max_size=8), max_size=4))
def test_theorem_4_only_ranks_count(lists):
    def by_score(scores):
        return sorted(scores, key=lambda id_: (-scores[id_], id_))

    grown = [{id_: float(np.cbrt(score)) * 1000 + 7 for id_, score in scores.items()} for scores in lists]
    # The change is strictly increasing, but for scores so close that floats cannot tell them apart any more.
    if all(len(set(a.values())) == len(set(b.values())) for a, b in zip(lists, grown, strict=True)):
        assert rrf(map_list(by_score, grown)) == rrf(map_list(by_score, lists))


def map_list(function, values):
    return [function(value) for value in values]


@given(RANKINGS, st.permutations(range(4)))
def test_the_order_of_the_lists_changes_no_score(rankings, order):
    shuffled = [rankings[i] for i in order if i < len(rankings)]
    assert rrf_scores(shuffled) == rrf_scores(rankings)  # to the last bit, so that equal ranks tie


def test_same_ranks_in_other_lists_tie():
    # 1/61 + 1/62 + 1/63, added in three orders, gives more than one float.
    rankings = [["a", "b", "c"], ["b", "c", "a"], ["c", "a", "b"]]
    assert len(set(rrf_scores(rankings).values())) == 1
    assert rrf(rankings) == ["a", "b", "c"]


@given(RANKINGS, st.data())
def test_weighted_rrf(rankings, data):
    n = len(rankings)
    weights = data.draw(st.lists(st.integers(1, 5), min_size=n, max_size=n))
    repeated = [ranking for ranking, weight in zip(rankings, weights, strict=True) for _ in range(weight)]
    fused, expected = weighted_rrf(rankings, weights), rrf_scores(repeated)  # a weight of 2 is the list read twice
    assert [round(expected[id_], 12) for id_ in fused] == sorted(
        (round(v, 12) for v in expected.values()), reverse=True
    )
    assert weighted_rrf(rankings, [1] * n) == rrf(rankings)


def test_weights_count():
    assert weighted_rrf([["a", "b"], ["b", "a"]], [1, 0]) == ["a", "b"]
    assert weighted_rrf([["a", "b"], ["b", "a"]], [0, 1]) == ["b", "a"]
    assert weighted_rrf([["a"], ["b"]], [0, 1]) == ["b", "a"]  # of weight 0 only: last


def test_arrays_give_plain_ids():
    assert all(type(id_) is int for id_ in rrf([np.array([3, 1]), np.array([1, 2])]))


# Reranking


@given(st.lists(st.tuples(IDS, st.integers(0, 3)), max_size=9, unique_by=lambda pair: pair[0]), st.integers(1, 12))
def test_rerank_is_stable(pairs, top_n):
    candidates, scores = [id_ for id_, _ in pairs], [score for _, score in pairs]
    order = sorted(range(len(pairs)), key=lambda i: (-scores[i], i))
    assert rerank(candidates, scores, top_n) == [candidates[i] for i in order][:top_n]


def test_a_repeated_candidate_comes_back_once():
    assert rerank(["a", "b", "a"], [1, 2, 3], 5) == ["b", "a"]


def test_concepts():
    synonyms = {"chauffe": "température", "surchauffe": "température", "ralentit": "réduit"}
    stopwords = ["Le", "il", "quand", "l’", "robot"]
    question = "Pourquoi le robot ralentit-il quand il chauffe ?"
    assert concept_score(question, "En surchauffe, le robot réduit la vitesse.", synonyms, stopwords) == 2
    assert concept_score(question, "Le robot, la température, la température…", synonyms, stopwords) == 1
    assert concept_score("", "", synonyms, stopwords) == 0
    assert concept_score("le robot", "le robot", {}, []) == 2


# Diversity


SIMS = st.integers(1, 7).flatmap(
    lambda n: st.tuples(hnp.arrays(float, n, elements=UNIT), hnp.arrays(float, (n, n), elements=UNIT))
)


@given(SIMS, st.integers(1, 9), st.floats(0, 1))
def test_mmr_takes_the_largest_gain_at_each_step(sims, k, lam):
    query_sims, doc_sims = sims
    chosen = mmr(query_sims, doc_sims, k, lam)
    assert len(chosen) == len(set(chosen)) == min(k, len(query_sims))
    assert chosen[0] == int(np.argmax(query_sims))
    assert mmr(query_sims, doc_sims, 99, lam)[: len(chosen)] == chosen  # k more only adds
    for step in range(1, len(chosen)):
        gains = {
            doc: lam * query_sims[doc] - (1 - lam) * max(doc_sims[doc, other] for other in chosen[:step])
            for doc in set(range(len(query_sims))) - set(chosen[:step])
        }
        assert gains[chosen[step]] == pytest.approx(max(gains.values()))


@given(SIMS, st.integers(1, 9))
def test_mmr_of_lambda_1_is_plain_ranking(sims, k):
    query_sims, doc_sims = sims
    assert mmr(query_sims, doc_sims, k, lam=1) == np.argsort(-query_sims, kind="stable")[:k].tolist()


def test_mmr_of_lambda_0_looks_at_diversity_only():
    doc_sims = np.array([[1, 0.9, 0.1], [0.9, 1, 0.2], [0.1, 0.2, 1]])
    assert mmr([0.9, 0.8, 0.1], doc_sims, 3, lam=0) == [0, 2, 1]
    assert mmr([0.9, 0.8, 0.1], doc_sims, 3, lam=1) == [0, 1, 2]
    assert mmr([0.1, 0.8, 0.9], doc_sims, 1, lam=0) == [2]  # the first is the most relevant
    assert mmr([], [], 3) == []


def test_the_copy_of_a_document_waits():
    vectors = np.array([[1, 0], [1, 0], [0.6, 0.8]])
    query = np.array([1, 0.1])
    assert mmr(vectors @ query, vectors @ vectors.T, 2) == [0, 2]


# Hybrid search


def test_hybrid_is_fusion_then_reranking():
    assert hybrid_search([1, 2, 3], [3, 4], {1: 0.1, 2: 0.9, 3: 0.5, 4: 0.9}, top_n=3) == [
        2,
        4,
        3,
    ]  # 2 and 4 keep their fused order
    assert hybrid_search([1, 2, 3], [3, 4], [0.0] * 5) == rrf([[1, 2, 3], [3, 4]])
    # Only the first top_k of each list are candidates: 2 and 4 are not, and need no score.
    assert hybrid_search([1, 2], [3, 4], {1: 1, 3: 2}, top_k=1) == [3, 1]
    assert hybrid_search([], [], {}) == []


@given(RANKING, RANKING, st.lists(st.integers(0, 4), min_size=10, max_size=10), st.integers(1, 5), st.integers(1, 5))
def test_hybrid_of_any_rankings(lexical, dense, scores, top_k, top_n):
    found = hybrid_search(lexical, dense, scores, top_k, top_n)
    candidates = {*lexical[:top_k], *dense[:top_k]}
    assert set(found) <= candidates
    assert len(found) == len(set(found)) == min(top_n, len(candidates))
    assert all(scores[kept] >= scores[other] for kept in found for other in candidates - set(found))
    assert all(scores[a] >= scores[b] for a, b in combinations(found, 2))


NAN = float("nan")


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: min_max([1, NAN]), "scores"),
        (lambda: min_max([-1e308, 1e308]), "scores"),
        (lambda: rrf_scores([["a"]], 0), "k"),
        (lambda: rrf([["a"]], -1), "k"),
        (lambda: rrf(["ab"]), r"rankings\[0\]"),
        (lambda: rrf("ab"), "rankings"),
        (lambda: weighted_rrf([["a"]], [1, 1]), "weights"),
        (lambda: weighted_rrf([["a"]], [-1]), "weights"),
        (lambda: weighted_rrf([["a"]], [NAN]), "weights"),
        (lambda: rerank(["a"], [1, 2], 1), "scores"),
        (lambda: rerank(["a"], [NAN], 1), "scores"),
        (lambda: rerank(["a"], [1], 0), "top_n"),
        (lambda: rerank("ab", [1, 2], 1), "candidates"),
        (lambda: concept_score(["a"], "a", {}, []), "query"),
        (lambda: concept_score("a", None, {}, []), "chunk"),
        (lambda: concept_score("a", "a", {}, "le la"), "stopwords"),
        (lambda: mmr([1], [[1]], 0), "k"),
        (lambda: mmr([1], [[1]], 1, 1.1), "lam"),
        (lambda: mmr([1], [[1]], 1, NAN), "lam"),
        (lambda: mmr([1, 2], [[1]], 1), "doc_sims"),
        (lambda: mmr([1], [[NAN]], 1), "doc_sims"),
        (lambda: mmr([NAN], [[1]], 1), "query_sims"),
        (lambda: hybrid_search([1], [2], {1: 1}), "rerank_scores"),
        (lambda: hybrid_search([1], [2], [0.5]), "rerank_scores"),
        (lambda: hybrid_search([1], [2], None), "rerank_scores"),
        (lambda: hybrid_search([1], [2], {1: 1, 2: 2}, top_k=0), "top_k"),
        (lambda: hybrid_search([1], [2], {1: 1, 2: 2}, top_n=0), "top_n"),
        (lambda: hybrid_search("1", [2], {1: 1, 2: 2}), "lexical"),
    ],
)
def test_bad_arguments_are_refused_by_name(call, argument):
    with pytest.raises(ValueError, match=f"^{argument} must"):
        call()


# ranx


def ranx_scores(ranx, rankings, k):
    """Fuse by ranx, which wants scores that fall with the rank."""
    runs = [ranx.Run({"q": {str(id_): 1000.0 - rank for rank, id_ in enumerate(ranking)}}) for ranking in rankings]
    return ranx.fuse(runs, method="rrf", params={"k": k}).to_dict()["q"]


def test_rrf_is_that_of_ranx(monkeypatch):
    numba = pytest.importorskip("numba", reason="ranx is not installed")
    monkeypatch.setattr(numba.config, "DISABLE_JIT", True)  # to compile takes two minutes, to run no time
    ranx = pytest.importorskip("ranx", reason="ranx is not installed")
    rng = np.random.default_rng(0)
    for _ in range(20):
        n_lists, k = int(rng.integers(2, 5)), int(rng.integers(1, 100))
        rankings = [rng.permutation(60)[: rng.integers(1, 40)].tolist() for _ in range(n_lists)]
        expected = ranx_scores(ranx, rankings, k)
        got = rrf_scores(rankings, k)
        assert {str(id_) for id_ in got} == set(expected)
        assert all(score == pytest.approx(expected[str(id_)], rel=1e-12) for id_, score in got.items())
