"""BM25: its laws, the faults that users of other libraries reported, and the index that gives the same numbers."""

import pickle
from math import exp, inf, log, nan

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragteach.retrieval.bm25 import (
    bim_weight,
    bm25_scores,
    bm25_search,
    explain,
    idf,
    inverted_index,
    term_weight,
)
from ragteach.retrieval.bm25_index import BM25Index

TOKENS = st.lists(st.sampled_from("a b c d e".split()), max_size=8)
DOCUMENTS = st.lists(TOKENS, max_size=8)
K1, B = st.floats(0, 3), st.floats(0, 1)


def index_scores(query, documents, k1=1.5, b=0.75):
    return BM25Index(documents, k1, b).scores(query)


def index_search(query, documents, k=3):
    return BM25Index(documents).search(query, k)


SCORES = pytest.mark.parametrize("scores", [bm25_scores, index_scores])
SEARCH = pytest.mark.parametrize("search", [bm25_search, index_search])


# The formulas


def test_bim_weight_is_the_log_of_the_odds_ratio():
    assert bim_weight(0.5, 0.25) == pytest.approx(log(3))
    assert bim_weight(0.3, 0.3) == pytest.approx(0)
    # theorem 1: with p = 1/2 and u = n/N the weight is ln((N - n)/n), which the idf smooths
    assert bim_weight(0.5, 100 / 1e6) == pytest.approx(log(999_900 / 100))
    assert idf(1_000_000, 100) == pytest.approx(bim_weight(0.5, 100 / 1e6), abs=0.01)


@given(st.floats(0.01, 0.99), st.floats(0.01, 0.99))
def test_bim_weight_changes_sign_where_p_and_u_change_places(p, u):
    assert bim_weight(p, u) == pytest.approx(-bim_weight(u, p), abs=1e-9)
    assert (1 - p) * u * exp(bim_weight(p, u)) == pytest.approx(p * (1 - u))


@pytest.mark.parametrize("p,u,name", [(0, 0.5, "p"), (1, 0.5, "p"), (0.5, 0, "u"), (0.5, 1, "u"), (nan, 0.5, "p")])
def test_bim_weight_refuses_what_is_no_open_probability(p, u, name):
    with pytest.raises(ValueError, match=f"^{name} "):
        bim_weight(p, u)


def test_idf_by_hand():
    assert idf(9, 2) == pytest.approx(log(7.5 / 2.5 + 1))
    assert idf(2, 1) == pytest.approx(log(2))  # in half of the documents: ln 2, and not ln 1 = 0
    assert idf(10, 0) == pytest.approx(log(22))


@given(st.integers(1, 10**6), st.data())
def test_idf_is_positive_and_falls_with_the_document_frequency(n_docs, data):
    n = data.draw(st.integers(0, n_docs - 1))
    assert idf(n_docs, n) > idf(n_docs, n + 1) > 0


@pytest.mark.parametrize(
    "n_docs,doc_freq,name",
    [(3, 4, "doc_freq"), (3, -1, "doc_freq"), (3, nan, "doc_freq"), (-1, 0, "n_docs"), (inf, inf, "n_docs")],
)
def test_idf_refuses_an_impossible_document_frequency(n_docs, doc_freq, name):
    with pytest.raises(ValueError, match=f"^{name} "):
        idf(n_docs, doc_freq)


def test_term_weight_by_hand():
    assert term_weight(1, 10, 10) == pytest.approx(1)
    assert term_weight(3, 20, 10) == pytest.approx(3 * 2.5 / (3 + 1.5 * (0.25 + 0.75 * 2)))
    assert term_weight(3, 20, 10, k1=0) == 1  # no frequency
    assert term_weight(3, 20, 10, b=0) == term_weight(3, 5, 10, b=0)  # no length
    assert term_weight(0, 0, 0) == 0 and term_weight(0, 5, 0, k1=0) == 0


@given(st.integers(1, 1000), st.integers(1, 1000), st.integers(1, 1000), st.floats(0.01, 3), B)
def test_term_weight_grows_with_frequency_saturates_and_falls_with_length(tf, doc_len, avg_len, k1, b):
    weight = term_weight(tf, doc_len, avg_len, k1, b)
    assert 0 < weight <= k1 + 1
    assert term_weight(tf + 1, doc_len, avg_len, k1, b) >= weight
    assert term_weight(tf, doc_len + 1, avg_len, k1, b) <= weight
    assert term_weight(2 * tf, doc_len, avg_len, k1, b) <= 2 * weight


@pytest.mark.parametrize("arguments,name", [((-1, 1, 1), "tf"), ((1, -1, 1), "doc_len"), ((1, 1, -1), "avg_len")])
def test_term_weight_refuses_negative_numbers_and_nan(arguments, name):
    for bad in (arguments, tuple(nan if value == -1 else value for value in arguments)):
        with pytest.raises(ValueError, match=f"^{name} "):
            term_weight(*bad)


@pytest.mark.parametrize(
    "k1,b,name",
    [(-0.1, 0.75, "k1"), (nan, 0.75, "k1"), (inf, 0.75, "k1"), (1.5, -0.1, "b"), (1.5, 1.1, "b"), (1.5, nan, "b")],
)
def test_parameters_outside_their_range_are_refused(k1, b, name):
    for call in (
        lambda: term_weight(1, 1, 1, k1, b),
        lambda: bm25_scores(["a"], [["a"]], k1, b),
        lambda: BM25Index([["a"]], k1, b),
    ):
        with pytest.raises(ValueError, match=f"^{name} "):
            call()


# The inverted index


def test_inverted_index_by_hand():
    index = inverted_index([["a", "b", "a"], [], ["b"]])
    assert index == {"a": [(0, 2)], "b": [(0, 1), (2, 1)]}
    assert inverted_index([]) == {} == inverted_index([[], []])


@given(DOCUMENTS)
def test_inverted_index_holds_the_documents(documents):
    index = inverted_index(documents)
    assert all(postings == sorted(set(postings)) and postings for postings in index.values())
    bags = [[] for _ in documents]
    for token, postings in index.items():
        for doc, tf in postings:
            bags[doc] += [token] * tf
    assert [sorted(bag) for bag in bags] == [sorted(tokens) for tokens in documents]


# Faults that were reported elsewhere


@SCORES
def test_a_word_in_half_of_the_documents_counts(scores):
    assert scores(["a"], [["a", "b"], ["c", "d"]]) == pytest.approx([log(2), 0])


@SCORES
def test_a_word_in_every_document_never_counts_against_them(scores):
    assert (scores(["a"], [["a"], ["a"], ["a"]]) > 0).all()


@SCORES
def test_an_empty_corpus_has_no_scores(scores):
    assert scores(["a"], []).shape == (0,)


@SEARCH
def test_an_empty_corpus_has_no_answer(search):
    assert search(["a"], []) == []


@SCORES
def test_documents_without_a_token_score_zero(scores):
    assert scores(["a"], [[], []]).tolist() == [0, 0]
    assert np.isfinite(scores(["a"], [[], ["a"]])).all() and scores(["a"], [[], ["a"]])[0] == 0


@SCORES
def test_an_empty_query_and_an_empty_token_are_legal(scores):
    assert scores([], [["a"], []]).tolist() == [0, 0]
    assert scores([""], [["a"], [""]])[0] == 0


@SEARCH
def test_k_beyond_the_corpus_returns_what_matches(search):
    assert search(["a"], [["a"], ["b"], ["a", "a"]], k=1000) == [2, 0]


@SEARCH
def test_a_query_of_unknown_words_finds_nothing(search):
    assert search(["x", "y"], [["a"], ["b"]]) == [] == search([], [["a"]])


@SEARCH
def test_ties_go_to_the_lower_number_and_k_cuts_them(search):
    documents = [["b"], ["a"], ["a"], ["a"], ["a", "a"]]
    assert search(["a"], documents, k=4) == search(["a"], documents, k=9) == [4, 1, 2, 3]
    assert search(["a"], documents, k=3) == [4, 1, 2] and search(["a"], documents, k=1) == [4]
    assert search(["a", "b"], [["b", "a"], ["a", "b"]] * 3, k=4) == [0, 1, 2, 3]


@SEARCH
@pytest.mark.parametrize("k", [0, -1])
def test_k_below_one_is_refused(search, k):
    with pytest.raises(ValueError, match="^k "):
        search(["a"], [["a"]], k=k)


@pytest.mark.parametrize(
    "call",
    [
        lambda: bm25_scores("ab", [["a"], ["b"]]),
        lambda: bm25_search("ab", [["a"], ["b"]]),
        lambda: explain("ab", [["a"], ["b"]], 0),
        lambda: BM25Index([["a"], ["b"]]).scores("ab"),
        lambda: BM25Index([["a"], ["b"]]).search("ab"),
    ],
)
def test_a_text_for_a_query_is_not_read_letter_by_letter(call):
    with pytest.raises(ValueError, match="^query "):
        call()


@pytest.mark.parametrize("function", [inverted_index, BM25Index, lambda documents: bm25_scores(["a"], documents)])
@pytest.mark.parametrize("documents", [["ab", "cd"], "ab", [["a"], "b"]])
def test_a_text_for_a_document_is_not_read_letter_by_letter(function, documents):
    with pytest.raises(ValueError, match="^documents"):
        function(documents)


@pytest.mark.parametrize("doc", [-1, 2])
def test_explain_refuses_an_unknown_document(doc):
    with pytest.raises(ValueError, match="^doc "):
        explain(["a"], [["a"], ["b"]], doc)


# Laws


@SCORES
@given(TOKENS, DOCUMENTS, K1, B)
def test_a_score_is_finite_and_positive_exactly_where_a_word_matches(scores, query, documents, k1, b):
    got = scores(query, documents, k1, b)
    assert got.shape == (len(documents),) and np.isfinite(got).all()
    assert (got > 0).tolist() == [bool(set(query) & set(tokens)) for tokens in documents]


@SCORES
@given(TOKENS, DOCUMENTS)
def test_unknown_words_change_nothing(scores, query, documents):
    assert scores([*query, "x", "y"], documents).tolist() == scores(query, documents).tolist()


@SCORES
@given(TOKENS, DOCUMENTS, st.randoms())
def test_documents_in_another_order_keep_their_scores(scores, query, documents, random):
    order = list(range(len(documents)))
    random.shuffle(order)
    assert scores(query, [documents[i] for i in order]).tolist() == scores(query, documents)[order].tolist()


@SCORES
@given(TOKENS, DOCUMENTS)
def test_the_order_of_words_does_not_count(scores, query, documents):
    turned = scores(query[::-1], [tokens[::-1] for tokens in documents])
    np.testing.assert_allclose(turned, scores(query, documents), rtol=1e-12)


@SCORES
@given(TOKENS, DOCUMENTS)
def test_a_repeated_query_counts_twice(scores, query, documents):
    np.testing.assert_allclose(scores(query * 2, documents), 2 * scores(query, documents), rtol=1e-12)


@given(TOKENS, DOCUMENTS.filter(bool), st.data())
def test_explain_sums_to_the_score(query, documents, data):
    doc = data.draw(st.integers(0, len(documents) - 1))
    parts = explain(query, documents, doc)
    assert set(parts) == set(query)
    assert sum(parts.values()) == pytest.approx(bm25_scores(query, documents)[doc], rel=1e-12)
    assert all((part > 0) == (token in documents[doc]) for token, part in parts.items())


@SCORES
@given(DOCUMENTS, TOKENS)
def test_one_more_occurrence_raises_the_score(scores, documents, tokens):
    # "a" takes the place of another word: same length, same document frequency
    before, after = [["a", "b", *tokens], *documents], [["a", "a", *tokens], *documents]
    assert scores(["a"], after)[0] > scores(["a"], before)[0]


# The index gives the same numbers


@given(TOKENS, DOCUMENTS, K1, B, st.integers(1, 10))
def test_the_index_agrees_with_the_functions(query, documents, k1, b, k):
    index = BM25Index(documents, k1, b)
    expected = bm25_scores(query, documents, k1, b)
    np.testing.assert_allclose(index.scores(query), expected, rtol=0, atol=1e-12)
    ranking = [doc for doc in np.argsort(-expected, kind="stable").tolist() if expected[doc] > 0]
    assert index.search(query, k) == ranking[:k]
    assert BM25Index(documents).search(query, k) == bm25_search(query, documents, k)


def test_the_index_agrees_on_more_documents_than_k():
    rng = np.random.default_rng(0)
    # Zipf: some terms in nearly every document, some in one; short documents: many ties
    documents = [[f"w{number}" for number in rng.zipf(1.3, rng.integers(0, 12))] for _ in range(500)]
    index = BM25Index(documents)
    for i in range(60):
        query = [f"w{number}" for number in rng.zipf(1.3, 1 + i % 5)]
        for k in (1, 3, 10, 600):
            assert index.search(query, k) == bm25_search(query, documents, k)


def test_a_query_reads_the_postings_of_its_own_words_only():
    documents = [["a", "b"], ["b"], ["c", "a", "a"], ["b", "c"]]
    index = BM25Index(documents)
    expected, ranking = index.scores(["a"]), index.search(["a"], 2)
    own = slice(index.starts[index.vocabulary["a"]], index.starts[index.vocabulary["a"] + 1])
    foreign = np.ones(len(index.weights), dtype=bool)
    foreign[own] = False
    index.weights[foreign] = nan
    index.docs[foreign] = 10**9  # no such document
    assert index.scores(["a"]).tolist() == expected.tolist()
    assert index.search(["a"], 2) == ranking == [2, 0]


def test_memory_is_proportional_to_the_postings():
    documents = [[f"w{i}", f"w{i + 1}", "common"] * 50 for i in range(300)]
    index = BM25Index(documents)
    n_postings = 3 * 300
    assert len(index.docs) == len(index.weights) == index.starts[-1] == n_postings
    assert index.docs.nbytes + index.weights.nbytes == 16 * n_postings
    assert len(index.starts) == len(index.vocabulary) + 1
    assert not any(isinstance(value, np.ndarray) and value.size > n_postings for value in vars(index).values())


@given(DOCUMENTS, st.lists(st.text(st.characters(), max_size=4), max_size=5))
def test_a_saved_index_comes_back_the_same(tmp_path_factory, documents, odd_tokens):
    path = tmp_path_factory.mktemp("index") / "bm25.index"  # no .npz is added behind the caller's back
    documents = [*documents, odd_tokens]
    index = BM25Index(documents)
    index.save(path)
    again = BM25Index.load(path)
    assert (again.n_docs, again.vocabulary) == (index.n_docs, index.vocabulary)
    for query in (["a", "b"], odd_tokens):
        assert again.scores(query).tolist() == index.scores(query).tolist()
        assert again.search(query, 5) == index.search(query, 5)


def test_a_saved_index_holds_no_pickle_and_none_is_read(tmp_path):
    BM25Index([["a"]]).save(tmp_path / "good.npz")
    with np.load(tmp_path / "good.npz", allow_pickle=False) as arrays:
        assert all(arrays[name].dtype.kind in "iuf" for name in arrays)

    good = (tmp_path / "good.npz").read_bytes()
    np.savez(tmp_path / "other.npz", x=np.zeros(3))
    np.save(tmp_path / "array.npy", np.zeros(3))
    (tmp_path / "cut.npz").write_bytes(good[: len(good) // 2])
    (tmp_path / "text.npz").write_text("hello")
    (tmp_path / "empty.npz").write_bytes(b"")
    (tmp_path / "pickle.npz").write_bytes(pickle.dumps({"a": 1}))
    with np.load(tmp_path / "good.npz") as arrays:
        np.savez(tmp_path / "vocabulary.npz", **{**arrays, "vocabulary": np.frombuffer(b"3", dtype=np.uint8)})
    for name in ("vocabulary.npz", "other.npz", "array.npy", "cut.npz", "text.npz", "empty.npz", "pickle.npz"):
        with pytest.raises(ValueError, match=f"{name} is not an index"):
            BM25Index.load(tmp_path / name)
    with pytest.raises(FileNotFoundError):
        BM25Index.load(tmp_path / "absent.npz")
