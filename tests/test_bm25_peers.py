"""BM25 against rank-bm25 and bm25s, on the robot corpus and on public collections."""

from math import log

import bm25s
import numpy as np
import pytest
import shared_data
from hypothesis import given
from hypothesis import strategies as st
from rank_bm25 import BM25Okapi

from ragteach import corpus
from ragteach.retrieval.bm25 import bm25_scores, bm25_search
from ragteach.retrieval.bm25_index import BM25Index
from ragteach.retrieval.chunking import chunk_words
from ragteach.retrieval.text import tokenize


class LuceneOkapi(BM25Okapi):
    """rank-bm25 with the one formula replaced in which it differs: its IDF."""

    def _calc_idf(self, nd: dict[str, int]) -> None:
        self.idf = {token: log((self.corpus_size - n + 0.5) / (n + 0.5) + 1) for token, n in nd.items()}


def assert_equal_to_peers(documents, queries, scores):
    """Hold `scores(query)` to rank-bm25 within 1e-9, and to bm25s within 1e-5 times the score (at least times 1)."""
    rank_bm25 = LuceneOkapi(documents)  # k1 = 1.5 and b = 0.75 are its defaults too
    fast = bm25s.BM25(method="lucene", k1=1.5, b=0.75)
    fast.index(documents, show_progress=False)
    for query in queries:
        got = scores(query)
        np.testing.assert_allclose(got, rank_bm25.get_scores(query), rtol=0, atol=1e-9)
        known = [token for token in query if token in fast.vocab_dict]
        if known:  # bm25s fails on a query of unknown words only
            # bm25s leaves out the factor (k1 + 1), which changes no ranking, and works in float32.
            peer = fast.get_scores(known).astype(float) * 2.5
            np.testing.assert_array_less(np.abs(got - peer), 1e-5 * np.maximum(1, got))


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_robot_chunks_score_as_with_the_peers(lang):
    robot = corpus.load("mini", lang)
    documents = [tokenize(piece.text) for piece in corpus.chunk(robot.documents, chunk_words)]
    queries = [tokenize(question.text) for question in robot.questions]
    assert_equal_to_peers(documents, queries, lambda query: bm25_scores(query, documents))
    assert_equal_to_peers(documents, queries, BM25Index(documents).scores)


DOCUMENT = st.lists(st.sampled_from("a b c d e f g h".split()), max_size=12)


@given(documents=st.lists(DOCUMENT, min_size=1, max_size=8).filter(any), query=DOCUMENT)
def test_any_documents_score_as_with_rank_bm25(documents, query):
    np.testing.assert_allclose(
        bm25_scores(query, documents), LuceneOkapi(documents).get_scores(query), rtol=0, atol=1e-9
    )


@pytest.mark.parametrize("name", shared_data.COLLECTIONS)
def test_collections_score_as_with_the_peers(name):
    if reason := shared_data.absent(name):
        pytest.skip(reason)
    collection = shared_data.read(name)
    documents = [tokenize(text) for text in collection.documents.values()]
    queries = [tokenize(text) for text in list(collection.queries.values())[:225]]
    index = BM25Index(documents)
    assert_equal_to_peers(documents, queries, index.scores)
    for query in queries[:2]:  # the plain function makes its index anew at each call
        np.testing.assert_allclose(bm25_scores(query, documents), index.scores(query), rtol=0, atol=1e-12)
        assert bm25_search(query, documents, k=100) == index.search(query, k=100)


@pytest.mark.parametrize("name", shared_data.COLLECTIONS)
def test_collections_reach_the_known_scores(name):
    if reason := shared_data.absent(name):
        pytest.skip(reason)
    assert shared_data.evaluate(name) == pytest.approx(shared_data.EXPECTED[name], abs=0.005)
