"""IVF, k-means, PQ and HNSW against FAISS, hnswlib and nanopq, on the same vectors.

Drawn sets, the hard case and the easy one, and the LSA vectors of a real collection, which lie between.
"""

import numpy as np
import pytest
import shared_data
import vector_sets

from ragteach.retrieval.exact import ExactIndex
from ragteach.retrieval.hnsw_index import HNSWIndex
from ragteach.retrieval.ivf import assign
from ragteach.retrieval.ivf_index import IVFIndex
from ragteach.retrieval.kmeans import kmeans
from ragteach.retrieval.pq import PQIndex, pq_distances, pq_encode, pq_train

SETS = ("random", "clustered", "cranfield")


@pytest.fixture(scope="module", params=SETS)
def vectors_and_queries(request):
    """Vectors and queries of norm 1, float32."""
    if request.param != "cranfield":
        return vector_sets.make(request.param, 2000, 32, 400)
    if reason := shared_data.absent("cranfield"):
        pytest.skip(reason)
    return vector_sets.lsa("cranfield", 64)


def faiss_or_skip():
    faiss = pytest.importorskip("faiss", reason="faiss-cpu is not installed")
    faiss.omp_set_num_threads(1)
    return faiss


def test_exact_search_ranks_as_faiss(vectors_and_queries):
    vectors, queries = vectors_and_queries
    peer = faiss_or_skip().IndexFlatIP(vectors.shape[1])
    peer.add(vectors)
    similarities, _ = peer.search(queries, 10)
    index = ExactIndex(vectors)
    for query, expected in zip(queries, similarities, strict=True):  # the ids of near ties may change places
        np.testing.assert_allclose(vectors[index.search(query, 10)] @ query, expected, atol=1e-6)


def test_ivf_finds_what_faiss_finds_with_the_same_centroids(vectors_and_queries):
    faiss = faiss_or_skip()
    vectors, queries = vectors_and_queries
    exact = vector_sets.exact(vectors, queries)
    centroids = kmeans(vectors, 32)
    quantizer = faiss.IndexFlatIP(vectors.shape[1])
    quantizer.add(centroids)
    peer = faiss.IndexIVFFlat(quantizer, vectors.shape[1], 32, faiss.METRIC_INNER_PRODUCT)
    peer.train(vectors)
    peer.add(vectors)
    assert (assign(vectors, centroids) == quantizer.search(vectors, 1)[1][:, 0]).mean() > 0.999
    index = IVFIndex(vectors, centroids)
    for nprobe in (1, 2, 4, 8, 16, 32):
        index.nprobe = peer.nprobe = nprobe
        ours = vector_sets.recall(index.search_batch(queries, 10), exact)
        assert ours == pytest.approx(vector_sets.recall(peer.search(queries, 10)[1].tolist(), exact), abs=0.01)


def test_kmeans_serves_as_well_as_faiss(vectors_and_queries):
    faiss = faiss_or_skip()
    vectors, _ = vectors_and_queries
    peer = faiss.Kmeans(vectors.shape[1], 32, niter=8, spherical=True, max_points_per_centroid=len(vectors))
    peer.train(vectors)
    ours, theirs = ((vectors @ c.T).max(axis=1).mean() for c in (kmeans(vectors, 32), peer.centroids))
    assert ours >= theirs - 0.01  # both depend on where they start


def test_pq_distances_and_codes_are_nanopqs(vectors_and_queries):
    nanopq = pytest.importorskip("nanopq")
    vectors, queries = vectors_and_queries
    peer = nanopq.PQ(M=8, Ks=64, verbose=False).fit(vectors)
    codes = pq_encode(vectors, peer.codewords)
    assert (codes == peer.encode(vectors)).mean() > 0.999  # near ties
    for query in queries[:20]:
        expected = peer.dtable(query).adist(codes)
        np.testing.assert_allclose(pq_distances(query, codes, peer.codewords), expected, rtol=1e-4, atol=1e-6)


def test_pq_training_loses_no_more_than_nanopq_and_faiss(vectors_and_queries):
    nanopq = pytest.importorskip("nanopq")
    faiss = faiss_or_skip()
    vectors, _ = vectors_and_queries
    quantizer = faiss.ProductQuantizer(vectors.shape[1], 8, 6)
    quantizer.train(vectors)
    peers = [
        nanopq.PQ(M=8, Ks=64, verbose=False).fit(vectors).codewords,
        faiss.vector_to_array(quantizer.centroids).reshape(8, 64, -1),
    ]
    losses = []
    for books in [pq_train(vectors, 8, 64), *peers]:
        codes = pq_encode(vectors, books)
        decoded = np.concatenate([book[column] for book, column in zip(books, codes.T, strict=True)], axis=1)
        losses.append(np.square(decoded - vectors).sum(axis=1).mean())
    assert losses[0] <= 1.02 * min(losses)


def test_pq_index_finds_what_faiss_finds(vectors_and_queries):
    faiss = faiss_or_skip()
    vectors, queries = vectors_and_queries
    exact = vector_sets.exact(vectors, queries)
    peer = faiss.IndexPQ(vectors.shape[1], 16, 6)
    peer.train(vectors)
    peer.add(vectors)
    index = PQIndex(vectors, 16, 64)
    ours = vector_sets.recall([index.search(query, 10) for query in queries], exact)
    assert ours >= vector_sets.recall(peer.search(queries, 10)[1].tolist(), exact) - 0.03  # other starts of k-means


@pytest.fixture(scope="module")
def hnsw(vectors_and_queries):
    return HNSWIndex(vectors_and_queries[0])


def test_hnsw_needs_no_more_distances_than_faiss(vectors_and_queries, hnsw):
    faiss_or_skip()
    vectors, queries = vectors_and_queries
    exact = vector_sets.exact(vectors, queries)
    ours = vector_sets.hnsw_curve(hnsw, queries, exact)
    # 0.01 is the promise, which `benchmarks/hnsw.py` measures; what a graph's random levels do is worth as much here.
    for _, gap in vector_sets.gaps(ours, vector_sets.faiss_curve(vectors, queries, exact)):
        assert gap >= -0.02


def test_hnsw_finds_what_hnswlib_finds(vectors_and_queries, hnsw):
    hnswlib = pytest.importorskip("hnswlib", reason="hnswlib is not installed")
    vectors, queries = vectors_and_queries
    exact = vector_sets.exact(vectors, queries)
    peer = hnswlib.Index("l2", vectors.shape[1])
    peer.init_index(len(vectors), M=16, ef_construction=100)
    peer.add_items(vectors, num_threads=1)
    for ef in (10, 40, 160):
        peer.set_ef(ef)
        [(_, ours)] = vector_sets.hnsw_curve(hnsw, queries, exact, (ef,))
        assert ours >= vector_sets.recall(peer.knn_query(queries, 10)[0].tolist(), exact) - 0.02
