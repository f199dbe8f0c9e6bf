"""Sets of vectors: reproducible, of norm 1, as hard or as easy as they say, and some of real texts."""

import numpy as np
import pytest

from ragteach.corpus import chunk
from ragteach.corpus.python_reference import python_reference
from ragteach.corpus.vectors import clustered_vectors, random_vectors, text_vectors
from ragteach.retrieval.chunking import chunk_words
from ragteach.retrieval.lsa_index import LSAIndex
from ragteach.retrieval.text import tokenize

MAKERS = (random_vectors, clustered_vectors)


@pytest.mark.parametrize("make", MAKERS)
def test_vectors_have_norm_1_and_their_shapes(make):
    vectors, queries = make(1000, 16, n_queries=7)
    assert vectors.shape == (1000, 16) and queries.shape == (7, 16)
    for rows in (vectors, queries):
        assert rows.dtype == np.float32
        np.testing.assert_allclose(np.linalg.norm(rows, axis=1), 1, rtol=1e-5)
    assert make(1, 1, n_queries=1)[0].shape == (1, 1)


@pytest.mark.parametrize("make", MAKERS)
def test_the_seed_decides_and_only_the_size_changes(make):
    vectors, queries = make(1000, 8, n_queries=20)
    again, larger, other = make(1000, 8, n_queries=20), make(3000, 8, n_queries=50), make(1000, 8, n_queries=20, seed=1)
    np.testing.assert_array_equal(vectors, again[0])
    np.testing.assert_array_equal(queries, again[1])
    np.testing.assert_array_equal(vectors, larger[0][:1000])
    np.testing.assert_array_equal(queries, larger[1][:20])
    assert np.abs(vectors - other[0]).max() > 0.1 and np.abs(queries - other[1]).max() > 0.1
    assert (vectors @ queries.T).max() < 0.9999  # no query is one of the vectors


def test_clusters_have_near_neighbours_and_random_vectors_have_none():
    nearest = {}
    for make in MAKERS:
        vectors, queries = make(1000, 64)
        nearest[make] = np.sort(queries @ vectors.T, axis=1)[:, -10:].mean()
    assert nearest[clustered_vectors] > 0.8 > 0.5 > nearest[random_vectors]


def test_clusters_are_as_many_and_as_wide_as_asked():
    vectors, _ = clustered_vectors(500, 32, n_clusters=5, spread=0)
    assert len(np.unique(vectors.round(4), axis=0)) == 5
    narrow, wide = (
        np.sort(v @ q.T, axis=0)[-1].mean() for v, q in (clustered_vectors(500, spread=s) for s in (0.2, 2))
    )
    assert narrow > 0.9 > 0.7 > wide


def test_real_texts_become_vectors_and_held_out_queries():
    pieces = chunk(python_reference()[::4], chunk_words)
    texts = [piece.text for piece in pieces]

    def embed(texts):
        return LSAIndex([tokenize(text) for text in texts], 16).embeddings

    vectors, queries = text_vectors(texts, embed, n_queries=20)
    distinct = len(set(texts))
    assert vectors.shape == (distinct - 20, 16) and queries.shape == (20, 16)
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)
    again = text_vectors(texts, embed, n_queries=20)
    np.testing.assert_array_equal(queries, again[1])


def test_texts_that_repeat_or_have_no_vector_are_left_out():
    rows = {"a": [1, 0], "b": [0, 0], "c": [0, 2], "d": [3, 4]}
    vectors, queries = text_vectors(["a", "a", "b", "c", "d"], lambda texts: np.array([rows[t] for t in texts]), 1)
    found = sorted(np.vstack([vectors, queries]).tolist())
    np.testing.assert_allclose(found, [[0, 1], [0.6, 0.8], [1, 0]], rtol=1e-6)


@pytest.mark.parametrize(
    "call,sentence",
    [
        (lambda: random_vectors(0), "n must be at least 1, not 0."),
        (lambda: random_vectors(5, dims=0), "dims must be at least 1, not 0."),
        (lambda: clustered_vectors(5, n_queries=-1), "n_queries must be at least 1, not -1."),
        (lambda: clustered_vectors(5, n_clusters=0), "n_clusters must be at least 1, not 0."),
        (lambda: clustered_vectors(5, spread=-0.1), "spread must not be negative, and is -0.1."),
        (lambda: text_vectors(["a"], lambda t: [[1.0]], 0), "n_queries must be at least 1, not 0."),
        (
            lambda: text_vectors(["a", "b"], lambda t: [[1.0], [1.0]], 2),
            "n_queries must be smaller than the number of texts, 2, and is 2.",
        ),
        (
            lambda: text_vectors(["a", "b"], lambda t: [[1.0]], 1),
            "embed must give one row of finite numbers for each of the 2 texts.",
        ),
        (
            lambda: text_vectors(["a"], lambda t: [[float("nan")]], 1),
            "embed must give one row of finite numbers for each of the 1 texts.",
        ),
    ],
)
def test_bad_arguments(call, sentence):
    with pytest.raises(ValueError) as caught:
        call()
    assert str(caught.value) == sentence


def test_pythons_reference_is_a_text_of_some_size():
    documents = python_reference()
    assert len({document.id for document in documents}) == len(documents) > 50
    assert sum(len(document.text.split()) for document in documents) > 40_000
    assert all(document.title and document.metadata["language"] == "en" for document in documents)
