"""Vectors: TF-IDF, LSA and dense search hold to their formulas, to scikit-learn, and to their laws."""

from math import exp, log, sqrt

import numpy as np
import pytest
import shared_data
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from scipy.special import log_softmax
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer

from ragteach import corpus
from ragteach.retrieval.bm25_index import BM25Index
from ragteach.retrieval.chunking import chunk_words
from ragteach.retrieval.dense import cosine, dense_search, index_bytes, info_nce, maxsim, squared_distance, unit_rows
from ragteach.retrieval.lsa import lsa_embed, lsa_fit, tfidf
from ragteach.retrieval.lsa_index import LSAIndex
from ragteach.retrieval.text import tokenize

TOKENS = st.lists(st.sampled_from("a b c d é ß Z 3,8".split()), max_size=9)
FLOATS = st.floats(-1e300, 1e300)
SMALL = st.integers(-4, 4).map(float)


def vectors(length, elements=FLOATS):
    return hnp.arrays(float, length, elements=elements)


def robot_documents(lang="fr"):
    return [tokenize(piece.text) for piece in corpus.chunk(corpus.load("mini", lang).documents, chunk_words)]


# TF-IDF


def sklearn_tfidf(documents):
    vectorizer = TfidfVectorizer(
        sublinear_tf=True, tokenizer=lambda tokens: tokens, lowercase=False, token_pattern=None
    )
    rows = vectorizer.fit_transform(documents).toarray()
    return vectorizer.get_feature_names_out().tolist(), rows


@given(st.lists(TOKENS, min_size=1, max_size=8).filter(any))
def test_tfidf_is_scikit_learns(documents):
    vocabulary, rows = tfidf(documents)
    expected_vocabulary, expected = sklearn_tfidf(documents)
    assert vocabulary == expected_vocabulary
    np.testing.assert_allclose(rows, expected, rtol=0, atol=1e-9)


@pytest.mark.parametrize("name", shared_data.COLLECTIONS)
def test_tfidf_of_collections_is_scikit_learns(name):
    if reason := shared_data.absent(name):
        pytest.skip(reason)
    documents = [tokenize(text) for text in shared_data.read(name).documents.values()]
    vocabulary, rows = tfidf(documents)
    expected_vocabulary, expected = sklearn_tfidf(documents)
    assert vocabulary == expected_vocabulary
    assert np.abs(rows - expected).max() < 1e-9


def test_tfidf_by_hand():
    vocabulary, rows = tfidf([["a", "a", "b"], ["b"], []])
    a, b = (1 + log(2)) * (log(4 / 2) + 1), log(4 / 3) + 1
    assert vocabulary == ["a", "b"]
    np.testing.assert_allclose(rows, [[a / sqrt(a * a + b * b), b / sqrt(a * a + b * b)], [0, 1], [0, 0]])


@pytest.mark.parametrize("documents", [[], [[]], [[], []]])
def test_documents_without_words_have_no_columns(documents):
    vocabulary, rows = tfidf(documents)
    assert vocabulary == []
    assert rows.shape == (len(documents), 0)


# Singular value decomposition


def assert_same_components(got, expected, atol):
    """Compare components up to sign: their inner products are ±1."""
    np.testing.assert_allclose(np.abs(np.sum(got * expected, axis=1)), 1, rtol=0, atol=atol)
    signs = np.sign(np.sum(got * expected, axis=1))
    np.testing.assert_allclose(got * signs[:, np.newaxis], expected, rtol=0, atol=atol)


def test_lsa_of_cranfield_is_scikit_learns():
    if reason := shared_data.absent("cranfield"):
        pytest.skip(reason)
    # Not all of it: ARPACK is slow.
    _, rows = tfidf([shared_data.words(text) for text in list(shared_data.read("cranfield").documents.values())[:300]])
    for matrix in (rows, rows[:, :200]):  # wide, then tall
        peer = TruncatedSVD(40, algorithm="arpack").fit(matrix)
        components, singular_values = lsa_fit(matrix, 40)
        np.testing.assert_allclose(singular_values, peer.singular_values_, rtol=1e-9)
        assert_same_components(components, peer.components_, atol=1e-7)


@settings(max_examples=50)
@given(hnp.arrays(float, st.tuples(st.integers(0, 6), st.integers(0, 6)), elements=SMALL), st.integers(1, 8))
def test_decomposition_of_any_matrix(matrix, dims):
    components, singular_values = lsa_fit(matrix, dims)
    expected = np.linalg.svd(matrix, compute_uv=False)
    rank = int((expected > 1e-6).sum())
    assert len(components) == len(singular_values) == min(dims, rank)  # capped at the rank
    np.testing.assert_allclose(singular_values, expected[: min(dims, rank)], rtol=1e-6)
    np.testing.assert_allclose(components @ components.T, np.eye(len(components)), atol=1e-6)
    # A V has the singular values as the norms of its columns: these are right singular vectors, in this order.
    np.testing.assert_allclose(np.linalg.norm(matrix @ components.T, axis=0), singular_values, rtol=1e-6)
    if dims >= rank:
        np.testing.assert_allclose(matrix @ components.T @ components, matrix, atol=1e-6)
    assert all(row.max() >= -row.min() - 1e-9 for row in components)  # the largest loading is positive


def test_more_dimensions_than_there_are():
    components, singular_values = lsa_fit(np.eye(3), 5)
    assert components.shape == (3, 3)
    np.testing.assert_allclose(singular_values, 1)
    rng = np.random.default_rng(0)
    for _ in range(5):  # of rank 2, whatever rounding makes of the other singular values
        components, singular_values = lsa_fit(rng.normal(size=(7, 2)) @ rng.normal(size=(2, 5)), 4)
        assert components.shape == (2, 5)
        assert singular_values.shape == (2,)


# Embeddings


def test_embeddings_have_norm_one_and_zero_stays_zero():
    documents = [["a", "b"], ["a", "b"], ["c", "d"], []]
    _, rows = tfidf(documents)
    components, _ = lsa_fit(rows, 1)  # the pair a, b; c and d are orthogonal to it
    embeddings = lsa_embed(rows, components)
    np.testing.assert_allclose(np.abs(embeddings[:, 0]), [1, 1, 0, 0])
    assert embeddings[2, 0] == 0
    basis, _ = np.linalg.qr(np.random.default_rng(0).normal(size=(9, 9)))
    assert not lsa_embed(basis[3:], basis[:3]).any()  # no rounding error was given norm 1


@given(hnp.arrays(float, (5, 7), elements=SMALL), st.integers(1, 7))
def test_embeddings_are_projections(matrix, dims):
    components, _ = lsa_fit(matrix, dims)
    embeddings = lsa_embed(matrix, components)
    norms = np.linalg.norm(embeddings, axis=1)
    assert all(norm == 0 or norm == pytest.approx(1) for norm in norms)
    projected = matrix @ components.T
    np.testing.assert_allclose(
        embeddings * np.linalg.norm(projected, axis=1)[:, np.newaxis], projected, rtol=0, atol=1e-9
    )


def test_a_dimension_joins_words_that_share_company():
    documents = [["car", "engine"], ["automobile", "engine"], ["flower", "petal"], ["flower", "stem"]]
    index = LSAIndex(documents, dims=2)
    assert index.search(["car"], k=2) == [0, 1]  # document 1 does not hold the word
    assert BM25Index(documents).search(["car"], k=2) == [0]


# Cosine and distance


@given(vectors(4), vectors(4))
def test_cosine_is_inside_its_bounds_whatever_the_size(u, v):
    value = cosine(u, v)
    assert -1 <= value <= 1
    assert value == cosine(v, u)
    assert (value == 0) or (u.any() and v.any())
    if u.any():
        assert cosine(u, u) == pytest.approx(1)
        assert cosine(u, -u) == pytest.approx(-1)


@given(vectors(5, SMALL).filter(np.any), vectors(5, SMALL).filter(np.any))
def test_theorem_2(u, v):
    u, v = u / np.linalg.norm(u), v / np.linalg.norm(v)
    assert squared_distance(cosine(u, v)) == pytest.approx(np.sum((u - v) ** 2), abs=1e-12)


@given(vectors((9, 3), SMALL), vectors(3, SMALL).filter(np.any), st.integers(1, 12))
def test_dense_search_is_nearest_neighbour_search(embeddings, query, k):
    units = unit_rows(embeddings)
    found = dense_search(query, embeddings, k)
    assert len(found) == len(set(found)) == min(k, 9)
    expected = sorted(range(9), key=lambda i: (-round(cosine(query, embeddings[i]), 12), i))[:k]
    assert found == expected
    if embeddings.any(axis=1).all():  # theorem 2: the same order by distance
        distances = np.sum((units - query / np.linalg.norm(query)) ** 2, axis=1)
        assert found == sorted(range(9), key=lambda i: (round(distances[i] / 2, 12), i))[:k]


def test_a_zero_vector_is_no_nan():
    assert cosine([0, 0], [1, 0]) == 0.0
    assert dense_search([1, 0], [[1, 0], [0.5, 0.5], [0, 0]], k=2) == [0, 1]
    assert dense_search([0, 0], [[1, 0], [0, 1]], k=2) == [0, 1]
    assert dense_search([1, 0], np.zeros((0, 2)), k=2) == []


def test_equal_documents_tie_wherever_they_stand():
    rng = np.random.default_rng(0)
    for n in range(2, 40):
        row, query = rng.normal(size=(2, 97))
        assert dense_search(query, np.tile(row, (n, 1)), n) == list(range(n))
        assert dense_search(query, np.tile(row, (n, 1)).astype(np.float32), n) == list(range(n))


# InfoNCE, MaxSim, memory


def test_info_nce_by_hand():
    assert info_nce([2, 1], 0, temperature=1) == pytest.approx(-log(exp(2) / (exp(2) + exp(1))))
    assert info_nce([5], 0) == 0
    assert info_nce([0.3] * 8, 3) == pytest.approx(log(8))


@given(st.lists(st.floats(-1e4, 1e4), min_size=1, max_size=9), st.data())
def test_info_nce_is_finite_and_blind_to_a_constant(scores, data):
    positive = data.draw(st.integers(0, len(scores) - 1))
    loss = info_nce(scores, positive)
    assert 0 <= loss < np.inf
    assert info_nce([score + 100 for score in scores], positive) == pytest.approx(loss, rel=1e-6, abs=1e-6)
    if len(scores) > 1:
        assert loss == pytest.approx(-log_softmax(np.array(scores) / 0.05)[positive], rel=1e-9, abs=1e-9)


@given(vectors((3, 4), SMALL), vectors((5, 4), SMALL))
def test_maxsim_takes_the_best_match_of_each_query_vector(query_vectors, doc_vectors):
    expected = sum(max(float(q @ d) for d in doc_vectors) for q in query_vectors)
    assert maxsim(query_vectors, doc_vectors) == pytest.approx(expected)
    assert maxsim(query_vectors, doc_vectors[::-1]) == pytest.approx(expected)  # the document's order is no matter


def test_memory():
    assert index_bytes(1_000_000, 1024) == 4_096_000_000
    assert index_bytes(10_000_000, 768) == 30_720_000_000
    assert index_bytes(0, 768, 1) == 0


# The index


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_index_is_its_functions(lang):
    documents = robot_documents(lang)
    index = LSAIndex(documents, dims=3)
    _, rows = tfidf(documents)
    components, _ = lsa_fit(rows, 3)
    np.testing.assert_allclose(index.embeddings, lsa_embed(rows, components), atol=1e-12)
    np.testing.assert_allclose(index.embed(documents), index.embeddings, atol=1e-9)  # fit and transform agree
    query = documents[1][:5]
    assert index.search(query, k=4) == dense_search(index.embed([query])[0], index.embeddings, 4)
    assert index.search(query, k=4) == index.search([*query, "unknown-word"], k=4)
    assert len(index.search(query, k=999)) == len(documents)


def test_an_index_counts_its_inner_products_and_survives_a_round_trip(tmp_path):
    documents = robot_documents()
    index = LSAIndex(documents, dims=4)
    index.search(documents[0])
    index.search(documents[1])
    assert index.n_distances == 2 * len(documents)
    index.save(tmp_path / "lsa")
    loaded = LSAIndex.load(tmp_path / "lsa")
    assert loaded.n_distances == 0
    assert list(loaded.idfs.items()) == list(index.idfs.items())
    for query in (documents[2][:4], ["fusible"], ["œuvre", "inconnue"]):
        assert loaded.search(query, k=9) == index.search(query, k=9)
        np.testing.assert_array_equal(loaded.embed([query]), index.embed([query]))


def test_documents_and_queries_without_known_words():
    index = LSAIndex([["a", "b"], [], ["b", "c"]], dims=10)
    assert index.search([]) == index.search(["x"]) == []
    assert index.search(["a"], k=3) == [0, 2, 1] or index.search(["a"], k=3) == [0, 1, 2]
    assert np.isfinite(index.embeddings).all()
    for documents in ([], [[]]):
        assert LSAIndex(documents, dims=2).search(["a"]) == []


@pytest.mark.parametrize("content", [b"", b"no index", b"\x93NUMPY"])
def test_a_file_that_is_no_index_is_refused(tmp_path, content):
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(ValueError, match="not an index written by LSAIndex.save"):
        LSAIndex.load(path)


def test_the_index_of_another_kind_is_refused(tmp_path):
    BM25Index([["a"]]).save(tmp_path / "bm25")
    np.save(tmp_path / "array.npy", np.eye(2))
    for name in ("bm25", "array.npy"):
        with pytest.raises(ValueError, match="not an index written by LSAIndex.save"):
            LSAIndex.load(tmp_path / name)
    with pytest.raises(OSError):
        LSAIndex.load(tmp_path / "missing")


NAN = float("nan")


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: tfidf(["a text"]), r"documents\[0\]"),
        (lambda: tfidf("a text"), "documents"),
        (lambda: cosine([1, 2], [1]), "u and v"),
        (lambda: cosine([1, NAN], [1, 2]), "u"),
        (lambda: cosine([[1]], [[1]]), "u"),
        (lambda: squared_distance(1.5), "cos"),
        (lambda: squared_distance(NAN), "cos"),
        (lambda: lsa_fit(np.eye(2), 0), "dims"),
        (lambda: lsa_fit([1, 2], 1), "matrix"),
        (lambda: lsa_fit([[NAN]], 1), "matrix"),
        (lambda: lsa_embed(np.eye(2), np.eye(3)), "vectors"),
        (lambda: lsa_embed([[np.inf]], [[1]]), "vectors"),
        (lambda: dense_search([1], [[1]], 0), "k"),
        (lambda: dense_search([1, 2], [[1]]), "query"),
        (lambda: dense_search([1], [[NAN]]), "embeddings"),
        (lambda: info_nce([1, 2], 2), "positive"),
        (lambda: info_nce([1, 2], -1), "positive"),
        (lambda: info_nce([], 0), "positive"),
        (lambda: info_nce([1, 2], 0, 0), "temperature"),
        (lambda: info_nce([1, NAN], 0), "scores"),
        (lambda: maxsim(np.ones((2, 3)), np.ones((0, 3))), "doc_vectors"),
        (lambda: maxsim(np.ones((2, 3)), np.ones((2, 4))), "query_vectors and doc_vectors"),
        (lambda: index_bytes(-1, 2), "n"),
        (lambda: index_bytes(1, 0), "dims"),
        (lambda: index_bytes(1, 1, 0), "bytes_per_value"),
        (lambda: LSAIndex(["a text"]), r"documents\[0\]"),
        (lambda: LSAIndex([["a"]], 0), "dims"),
        (lambda: LSAIndex([["a"]]).search("a"), "query"),
        (lambda: LSAIndex([["a"]]).search(["a"], 0), "k"),
        (lambda: LSAIndex([["a"]]).embed(["a"]), r"texts\[0\]"),
    ],
)
def test_bad_arguments_are_refused_by_name(call, argument):
    with pytest.raises(ValueError, match=f"^{argument} must"):
        call()
