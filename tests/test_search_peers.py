"""Whole searches on public collections: the scores known for them, and scikit-learn's neighbours."""

from functools import cache

import numpy as np
import pytest
import search_scores
import shared_data
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.preprocessing import normalize

from ragteach.retrieval.lsa_index import LSAIndex


@cache
def collection_and_searches(name):
    if reason := shared_data.absent(name):
        pytest.skip(reason)
    collection = shared_data.read(name)
    return collection, search_scores.Searches(collection)


# test_bm25_peers.py has the scores of BM25 alone, and reads them with trec_eval's metrics instead of ours.
@pytest.mark.parametrize(("collection_name", "system"), [key for key in search_scores.EXPECTED if key[1] != "BM25"])
def test_collections_reach_the_known_scores(collection_name, system):
    collection, searches = collection_and_searches(collection_name)
    scores = search_scores.scores(collection, lambda query: searches.search(system, query))
    assert scores == pytest.approx(search_scores.EXPECTED[collection_name, system], abs=0.005)


def test_our_metrics_read_bm25_on_cranfield_as_trec_eval_does():
    collection, searches = collection_and_searches("cranfield")
    scores = search_scores.scores(collection, lambda query: searches.search("BM25", query))
    assert scores == pytest.approx(search_scores.EXPECTED["cranfield", "BM25"], abs=5e-5)


def test_gains_of_2_to_the_grade_and_binary_ones():
    collection, searches = collection_and_searches("cranfield")
    judged = search_scores.judgements(collection)
    ours, binary = [], []
    for query, text in collection.queries.items():
        ranking = searches.search("BM25", shared_data.words(text), 10)
        ours.append(search_scores.ndcg(ranking, judged[query], 10))
        binary.append(search_scores.ndcg(ranking, {id_: int(gain > 0) for id_, gain in judged[query].items()}, 10))
    assert np.mean(ours) == pytest.approx(0.5126, abs=0.005)
    assert np.mean(binary) == pytest.approx(0.4860, abs=0.005)


def test_cosines_are_those_of_scikit_learns_lsa():
    collection, _ = collection_and_searches("cranfield")
    documents = [shared_data.words(text) for text in list(collection.documents.values())[:400]]
    queries = [shared_data.words(text) for text in list(collection.queries.values())[:50]]
    vectorizer = TfidfVectorizer(
        sublinear_tf=True, tokenizer=lambda tokens: tokens, lowercase=False, token_pattern=None
    )
    rows = vectorizer.fit_transform(documents)
    peer = TruncatedSVD(50, algorithm="arpack").fit(rows)
    embed = lambda rows: normalize(peer.transform(rows))  # noqa: E731
    expected = embed(vectorizer.transform(queries)) @ embed(rows).T
    index = LSAIndex(documents, dims=50)
    np.testing.assert_allclose(index.embed(queries) @ index.embeddings.T, expected, rtol=0, atol=1e-7)
    for query, cosines in zip(queries, expected, strict=True):
        assert index.search(query, k=10) == np.argsort(-np.round(cosines, 9), kind="stable")[:10].tolist()
