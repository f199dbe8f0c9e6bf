"""Metrics: by hand, by their laws, and by trec_eval on every query of Cranfield."""

from math import log2

import numpy as np
import pytest
import search_scores
import shared_data
from hypothesis import given
from hypothesis import strategies as st

from ragteach.retrieval.bm25_index import BM25Index
from ragteach.retrieval.metrics import (
    average_precision,
    by_segment,
    dcg,
    expected_accuracy,
    mrr,
    ndcg,
    precision_at_k,
    recall_at_k,
    recall_curve,
    required_recall,
)

IDS = st.integers(0, 12)
RANKING = st.lists(IDS, max_size=10)  # with repetitions
RELEVANT = st.sets(IDS, max_size=6)
RELEVANCE = st.dictionaries(IDS, st.integers(0, 3), max_size=8)
SHARE = st.floats(0, 1)


# By hand


def test_precision_divides_by_k():
    assert precision_at_k([1, 2, 3, 4, 5], {2, 5, 9}, 5) == 0.4
    assert precision_at_k([1, 2, 3], {1, 2, 3}, 10) == 0.3  # seven places hold nothing
    assert precision_at_k([1, 1, 2], {1, 2}, 2) == 0.5  # the repetition takes a place and counts for nothing
    assert precision_at_k([], {1}, 3) == precision_at_k([1], set(), 3) == 0


def test_recall_divides_by_all_that_is_relevant():
    ranking, relevant = [1, 0, 20, 30, 40], {0, 1, 2, 3, 4}
    assert [recall_at_k(ranking, relevant, k) for k in (1, 2, 3, 4, 5)] == [0.2, 0.4, 0.4, 0.4, 0.4]
    assert recall_at_k([7, 7, 7], {7, 8}, 3) == 0.5
    assert recall_at_k([1], set(), 3) == 0.0


def test_mrr_of_ranks_1_3_2():
    assert mrr([[5], [1, 2, 5], [1, 5]], [{5}, {5}, {5}]) == pytest.approx(0.611, abs=5e-4)
    assert mrr([[5, 6], [1]], [{6, 5}, {9}]) == 0.5  # the first relevant one counts; none at all is 0
    assert mrr([[1, 1, 2]], [{2}]) == pytest.approx(1 / 3)


def test_average_precision_divides_by_all_that_is_relevant():
    assert average_precision([1, 0, 3], {1, 3}) == pytest.approx((1 + 2 / 3) / 2)
    assert average_precision([1, 0, 3], {1, 3, 9}) == pytest.approx((1 + 2 / 3) / 3)
    assert average_precision([1, 1], {1}) == 1
    assert average_precision([1], set()) == average_precision([], {1}) == 0


def test_dcg_and_ndcg():
    assert dcg([3, 2, 3, 0, 1, 2], 6) == pytest.approx(7 + 3 / log2(3) + 7 / 2 + 1 / log2(6) + 3 / log2(7))
    assert dcg([3, 2], 1) == 7
    assert dcg([], 3) == 0
    assert ndcg([1, 0], {1: 1, 2: 1}, 2) == pytest.approx(0.613, abs=5e-4)  # the ideal holds the one that is missed
    assert ndcg(["A", "A"], {"A": 2}, 5) == 1  # not 1.63
    # 3, 2, 3, 0, 1, 2 is found, 3 and 2 is missed; with linear gains 0.785.
    grades = dict(enumerate([3, 2, 3, 0, 1, 2, 3, 2]))
    assert ndcg([0, 1, 2, 3, 4, 5], search_scores.linear(grades), 6) == pytest.approx(0.785, abs=5e-4)
    assert ndcg([1], {}, 3) == ndcg([1], {1: 0}, 3) == ndcg([], {1: 3}, 3) == 0


def test_an_irrelevant_document_costs_more_at_the_top():
    relevance = {i: 1 for i in range(9)}
    assert ndcg([99, *range(9)], relevance, 10) < ndcg([*range(9), 99], relevance, 10) == 1


def test_an_aggregate_hides_a_segment():
    values, segments = [1.0] * 8 + [0.8, 0.0], ["manual"] * 8 + ["faq"] * 2
    assert np.mean(values) > 0.87
    assert by_segment(values, segments) == {"manual": 1.0, "faq": 0.4}
    assert list(by_segment([1, 0, 0], ["b", "a", "b"]).items()) == [("b", 0.5), ("a", 0.0)]
    assert by_segment([], []) == {}


def test_recall_bounds_the_accuracy():
    assert expected_accuracy(0.7, 0.9, 0.2) == pytest.approx(0.69)
    assert required_recall(0.8, 0.9, 0.2) == pytest.approx(6 / 7)
    assert required_recall(0.95, 0.9, 0.2) is None
    assert required_recall(0.1, 0.9, 0.2) == required_recall(0.2, 0.9, 0.2) == 0.0
    assert required_recall(0.9, 0.9, 0.2) == 1
    assert required_recall(0.5, 0.5, 0.5) == 0.0  # the context changes nothing, and nothing is needed
    assert required_recall(0.6, 0.5, 0.5) is None
    assert required_recall(0.3, 0.2, 0.4) == 0.0  # a context that harms


# Laws


@given(RANKING, RELEVANT, st.integers(1, 12))
def test_all_values_lie_between_0_and_1(ranking, relevant, k):
    relevance = {id_: 1 + id_ % 3 for id_ in relevant}
    values = [
        precision_at_k(ranking, relevant, k),
        recall_at_k(ranking, relevant, k),
        average_precision(ranking, relevant),
        mrr([ranking], [relevant]),
        ndcg(ranking, relevance, k),
    ]
    assert all(type(value) is float and 0 <= value <= 1 for value in values)


@given(RANKING, RELEVANT, st.integers(1, 12))
def test_metrics_agree_with_their_definitions(ranking, relevant, k):
    top = set(ranking[:k])
    assert precision_at_k(ranking, relevant, k) == pytest.approx(len(top & relevant) / k)
    assert recall_at_k(ranking, relevant, k) == pytest.approx(len(top & relevant) / max(len(relevant), 1))
    ranks = sorted(ranking.index(id_) + 1 for id_ in relevant if id_ in ranking)
    assert mrr([ranking], [relevant]) == (1 / ranks[0] if ranks else 0)
    precisions = [precision_at_k(ranking, relevant, rank) for rank in ranks]
    assert average_precision(ranking, relevant) == pytest.approx(sum(precisions) / max(len(relevant), 1))


@given(st.lists(RANKING, min_size=1, max_size=5), st.data())
def test_recall_never_falls_as_k_grows(rankings, data):
    relevants = data.draw(st.lists(RELEVANT, min_size=len(rankings), max_size=len(rankings)))
    curve = recall_curve(rankings, relevants, range(1, 13))
    assert all(before <= after for before, after in zip(curve, curve[1:], strict=False))
    assert recall_curve(rankings, relevants, [5, 2]) == [curve[4], curve[1]]
    assert curve[4] == pytest.approx(np.mean([recall_at_k(*pair, 5) for pair in zip(rankings, relevants, strict=True)]))


@given(RELEVANCE, st.integers(1, 12))
def test_the_ideal_ranking_has_ndcg_1(relevance, k):
    ideal = sorted(relevance, key=lambda id_: -relevance[id_])
    assert ndcg(ideal, relevance, k) == (1 if any(relevance.values()) else 0)


@given(RELEVANCE.filter(lambda relevance: len(relevance) > 1), st.data())
def test_swapping_a_better_document_upwards_never_harms(relevance, data):
    ranking = data.draw(st.permutations(sorted(relevance)))
    i, j = sorted(data.draw(st.lists(st.integers(0, len(ranking) - 1), min_size=2, max_size=2, unique=True)))
    swapped = list(ranking)
    swapped[i], swapped[j] = swapped[j], swapped[i]
    before, after = (ndcg(order, relevance, len(ranking)) for order in (ranking, swapped))
    if relevance[ranking[i]] == relevance[ranking[j]]:
        assert after == pytest.approx(before)
    else:
        assert (after > before) == (relevance[ranking[j]] > relevance[ranking[i]])


@given(RANKING, RELEVANT, st.integers(1, 12))
def test_ids_of_any_kind(ranking, relevant, k):
    named, named_relevant = [f"d{id_}" for id_ in ranking], [f"d{id_}" for id_ in relevant]
    array = np.array(ranking, dtype=int)
    for metric in (precision_at_k, recall_at_k):
        assert metric(named, named_relevant, k) == metric(array, relevant, k) == metric(ranking, relevant, k)


@given(SHARE, SHARE, SHARE)
def test_required_recall_is_the_smallest_that_suffices(target, p_with, p_without):
    needed = required_recall(target, p_with, p_without)
    if needed is None:
        assert target > max(p_with, p_without)
    else:
        assert 0 <= needed <= 1
        assert expected_accuracy(needed, p_with, p_without) >= target - 1e-12
        if needed > 0:
            assert expected_accuracy(needed * 0.99, p_with, p_without) <= target


NAN = float("nan")


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: precision_at_k([1], {1}, 0), "k"),
        (lambda: precision_at_k("ab", {"a"}, 1), "ranking"),
        (lambda: recall_at_k([1], {1}, 0), "k"),
        (lambda: recall_at_k(["a"], "ab", 1), "relevant"),
        (lambda: mrr([], []), "rankings"),
        (lambda: mrr([[1]], [{1}, {2}]), "relevants"),
        (lambda: mrr(["ab"], [{"a"}]), r"rankings\[0\]"),
        (lambda: average_precision("ab", {"a"}), "ranking"),
        (lambda: dcg([1], 0), "k"),
        (lambda: dcg([-1], 1), "gains"),
        (lambda: dcg([NAN], 1), "gains"),
        (lambda: ndcg([1], {1: 1}, 0), "k"),
        (lambda: ndcg([1], {1: 1, 2: -1}, 1), "gains"),
        (lambda: ndcg([1], {1: NAN}, 1), "gains"),
        (lambda: ndcg("ab", {"a": 1}, 1), "ranking"),
        (lambda: ndcg(["a"], {"a"}, 1), "relevance"),
        (lambda: recall_curve([[1]], [{1}], [0]), "k"),
        (lambda: recall_curve([], [], [1]), "rankings"),
        (lambda: by_segment([1], ["a", "b"]), "segments"),
        (lambda: by_segment([NAN], ["a"]), "values"),
        (lambda: by_segment([1], "a"), "segments"),
        (lambda: expected_accuracy(1.1, 0.5, 0.5), "recall"),
        (lambda: expected_accuracy(0.5, NAN, 0.5), "p_with"),
        (lambda: required_recall(-0.1, 0.5, 0.5), "target"),
        (lambda: required_recall(0.5, 0.5, 2), "p_without"),
    ],
)
def test_bad_arguments_are_refused_by_name(call, argument):
    with pytest.raises(ValueError, match=f"^{argument} must"):
        call()


# trec_eval


CUTS = (1, 5, 10, 100)
MEASURES = {"map", "recip_rank", *(f"{name}.{','.join(map(str, CUTS))}" for name in ("P", "recall", "ndcg_cut"))}


def by_trec_eval(rankings, judged):
    """Evaluate with pytrec_eval. It sorts by score and breaks ties its own way, so it is given ranks, without ties."""
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval is not installed")
    qrels = {query: {str(id_): gain for id_, gain in relevance.items()} for query, relevance in judged.items()}
    run = {query: {str(id_): -float(rank) for rank, id_ in enumerate(ranking)} for query, ranking in rankings.items()}
    return pytrec_eval.RelevanceEvaluator(qrels, MEASURES).evaluate(run)


def assert_equal_to_trec_eval(rankings, judged):
    expected = by_trec_eval(rankings, judged)
    assert set(expected) == set(judged)
    for query, values in expected.items():
        ranking, relevance = rankings[query], judged[query]
        relevant = {id_ for id_, gain in relevance.items() if gain > 0}
        ours = {"map": average_precision(ranking, relevant), "recip_rank": mrr([ranking], [relevant])}
        for k in CUTS:
            ours[f"P_{k}"] = precision_at_k(ranking, relevant, k)
            ours[f"recall_{k}"] = recall_at_k(ranking, relevant, k)
            # trec_eval's gain is the grade, ours 2^grade - 1: we are given log2(1 + grade).
            ours[f"ndcg_cut_{k}"] = ndcg(ranking, search_scores.linear(relevance), k)
        assert ours == pytest.approx(values, abs=1e-12)


@pytest.fixture(scope="module")
def cranfield():
    if reason := shared_data.absent("cranfield"):
        pytest.skip(reason)
    return shared_data.read("cranfield")


def test_every_query_of_cranfield_scores_as_in_trec_eval(cranfield):
    index = BM25Index([shared_data.words(text) for text in cranfield.documents.values()])
    rankings = {query: index.search(shared_data.words(text), 1000) for query, text in cranfield.queries.items()}
    judged = search_scores.judgements(cranfield)
    assert len(judged) == 225
    unjudged = [id_ for query, ranking in rankings.items() for id_ in ranking[:10] if id_ not in judged[query]]
    assert unjudged  # and yet the values agree
    assert_equal_to_trec_eval(rankings, judged)


def test_tied_scores_are_ranked_before_they_are_evaluated(cranfield):
    # Counts of shared words tie all the time; ours rank them by number.
    documents = [set(shared_data.words(text)) for text in cranfield.documents.values()]
    rankings = {}
    for query, text in cranfield.queries.items():
        asked = set(shared_data.words(text))
        counts = [len(asked & document) for document in documents]
        rankings[query] = sorted(range(len(documents)), key=lambda i: (-counts[i], i))[:200]
        assert len({counts[i] for i in rankings[query]}) < 30
    assert_equal_to_trec_eval(rankings, search_scores.judgements(cranfield))


def test_two_documents_of_equal_score():
    pytrec_eval = pytest.importorskip("pytrec_eval", reason="pytrec_eval is not installed")
    tied = {"q": {"a": 1.0, "b": 1.0}}
    for relevant, theirs, ours in (("a", 0.5, 1.0), ("b", 1.0, 0.5)):
        qrels = {"q": {relevant: 1}}
        found = pytrec_eval.RelevanceEvaluator(qrels, {"recip_rank"}).evaluate(tied)
        assert found["q"]["recip_rank"] == theirs  # trec_eval puts the higher id first
        assert mrr([["a", "b"]], [{relevant}]) == ours
        assert_equal_to_trec_eval({"q": ["a", "b"]}, qrels)


@given(st.lists(st.integers(0, 30), max_size=20, unique=True), st.dictionaries(st.integers(0, 30), st.integers(0, 4)))
def test_any_ranking_scores_as_in_trec_eval(ranking, relevance):
    if any(relevance.values()):
        assert_equal_to_trec_eval({"q": ranking}, {"q": relevance})
