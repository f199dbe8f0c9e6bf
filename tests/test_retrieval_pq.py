"""Eight-bit numbers and product quantization: their laws, bad input, and the index."""

import numpy as np
import pytest
import vector_sets
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from ragteach.retrieval.pq import PQIndex, pq_bytes, pq_distances, pq_encode, pq_train, quantize_int8

FLOATS = st.floats(-1e6, 1e6, allow_subnormal=False)


@given(arrays.arrays(float, st.tuples(st.integers(0, 6), st.integers(1, 4)), elements=FLOATS))
def test_int8_comes_back_within_half_a_step(vectors):
    codes, scale = quantize_int8(vectors)
    assert codes.dtype == np.int8 and scale.shape == (vectors.shape[1],)
    assert (codes >= -127).all()
    assert (np.abs(codes * scale - vectors) <= scale / 2 * (1 + 1e-9)).all()


def test_int8_uses_the_whole_range_and_a_dimension_of_zeros_is_no_division_by_zero():
    codes, scale = quantize_int8(np.array([[1.0, 0], [-2, 0], [0.5, 0]]))
    assert codes.tolist() == [[64, 0], [-127, 0], [32, 0]]
    assert scale.tolist() == [2 / 127, 1]
    tiny = np.array([[5e-324]])  # its scale would round to 0
    assert np.isfinite(quantize_int8(tiny)[1]).all()


SET, QUERIES = vector_sets.make("clustered", 600, 12, 5)
BOOKS = pq_train(SET, 4, 16)
CODES = pq_encode(SET, BOOKS)


def decoded(codes, codebooks):
    return np.concatenate([book[column] for book, column in zip(codebooks, codes.T, strict=True)], axis=1)


def test_shapes_and_types():
    assert BOOKS.shape == (4, 16, 3) and CODES.shape == (600, 4) and CODES.dtype == np.uint8


def test_each_code_is_the_nearest_codeword():
    parts = SET.reshape(-1, 4, 1, 3)
    expected = np.square(parts - BOOKS[None]).sum(axis=3)  # (N, M, K)
    chosen = np.take_along_axis(expected, CODES[:, :, None].astype(int), axis=2)[:, :, 0]
    np.testing.assert_allclose(chosen, expected.min(axis=2), atol=1e-6)


def test_distances_are_those_to_the_decoded_vectors():
    for query in QUERIES:
        expected = np.square(decoded(CODES, BOOKS) - query).sum(axis=1)
        np.testing.assert_allclose(pq_distances(query, CODES, BOOKS), expected, rtol=1e-5, atol=1e-6)


def test_as_many_codewords_as_vectors_lose_nothing():
    vectors = np.arange(24.0).reshape(6, 4) ** 1.5
    books = pq_train(vectors, 2, 6)
    np.testing.assert_allclose(decoded(pq_encode(vectors, books), books), vectors)
    assert pq_distances(vectors[2], pq_encode(vectors, books), books).argmin() == 2


def test_more_codewords_lose_less():
    errors = []
    for n_codes in (1, 4, 16, 64, 256):
        books = pq_train(SET, 4, n_codes)
        errors.append(np.square(decoded(pq_encode(SET, books), books) - SET).sum())
    assert errors == sorted(errors, reverse=True) and errors[-1] < errors[0] / 10


def test_every_codeword_of_different_vectors_is_used():
    assert all(len(set(column.tolist())) == 16 for column in CODES.T)


def test_equal_vectors_are_coded_without_loss():
    vectors = np.tile([1.0, 2, 3, 4], (300, 1))
    books = pq_train(vectors, 2, 256)
    np.testing.assert_array_equal(decoded(pq_encode(vectors, books), books), vectors)


@pytest.mark.parametrize("scale", [1e-12, 1e12])
def test_units_change_nothing(scale):
    vectors = SET.astype(float)
    books = pq_train(vectors * scale, 4, 16)
    np.testing.assert_allclose(books / scale, pq_train(vectors, 4, 16), rtol=1e-6, atol=1e-9)


def test_vectors_far_from_the_origin_are_told_apart():
    far = SET + np.float32(1000)  # float32: squares of 1e6, of which 0.06 is the rounding
    books = pq_train(far, 4, 16)
    error = np.square(decoded(pq_encode(far, books), books) - far).sum()
    assert error < 1.2 * np.square(decoded(CODES, BOOKS) - SET).sum()


def test_training_depends_on_its_seed_only():
    np.random.seed(5)
    np.testing.assert_array_equal(pq_train(SET, 4, 16), BOOKS)
    assert not np.array_equal(pq_train(SET, 4, 16, seed=1), BOOKS)


def test_ten_million_vectors_of_96_bytes_take_about_a_gigabyte():
    assert pq_bytes(10_000_000, 96) == 960_000_000


def test_fewer_vectors_than_codewords_are_refused_by_both_numbers():
    with pytest.raises(ValueError, match="256.*111"):
        pq_train(np.ones((111, 4)), 2, 256)


def test_dimensions_that_cannot_be_cut_are_refused_by_both_numbers():
    with pytest.raises(ValueError, match="n_subspaces.*12.*5"):
        pq_train(SET, 5, 16)


def test_the_index_ranks_by_distance_counts_and_comes_back_from_its_file(tmp_path):
    index = PQIndex(SET, 4, 16)
    for query in QUERIES:
        assert index.search(query, 7) == np.argsort(pq_distances(query, CODES, BOOKS), kind="stable")[:7].tolist()
    assert index.n_distances == 600 * len(QUERIES)
    index.save(tmp_path / "index.npz")
    again = PQIndex.load(tmp_path / "index.npz")
    assert [again.search(query, 700) for query in QUERIES] == [index.search(query, 700) for query in QUERIES]
    (tmp_path / "index.npz").write_bytes(b"")
    with pytest.raises(ValueError, match="PQIndex"):
        PQIndex.load(tmp_path / "index.npz")


NAN = np.where(np.eye(600, 12) > 0, np.nan, SET)


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("vectors", lambda: quantize_int8(NAN)),
        ("vectors", lambda: quantize_int8(SET[0])),
        ("vectors", lambda: pq_train(NAN, 4, 16)),
        ("n_subspaces", lambda: pq_train(SET, 0, 16)),
        ("n_codes", lambda: pq_train(SET, 4, 0)),
        ("n_codes", lambda: pq_train(SET, 4, 257)),
        ("vectors", lambda: pq_encode(NAN, BOOKS)),
        ("vectors", lambda: pq_encode(SET[0], BOOKS)),
        ("codebooks", lambda: pq_encode(SET[:, :9], BOOKS)),
        ("codebooks", lambda: pq_encode(SET, BOOKS * np.nan)),
        ("codebooks", lambda: pq_encode(SET, BOOKS[0])),
        ("codebooks", lambda: pq_distances(QUERIES[0], CODES, BOOKS * np.nan)),
        ("codebooks", lambda: pq_distances(QUERIES[0][:9], CODES, BOOKS)),
        ("query", lambda: pq_distances(QUERIES[0] * np.inf, CODES, BOOKS)),
        ("codes", lambda: pq_distances(QUERIES[0], CODES[:, :3], BOOKS)),
        ("codes", lambda: pq_distances(QUERIES[0], CODES + 200, BOOKS)),
        ("codes", lambda: pq_distances(QUERIES[0], CODES.astype(int) - 100, BOOKS)),
        ("codes", lambda: pq_distances(QUERIES[0], CODES * 0.5, BOOKS)),
        ("n", lambda: pq_bytes(-1, 8)),
        ("n_subspaces", lambda: pq_bytes(1, 0)),
        ("k", lambda: PQIndex(SET, 4, 16).search(QUERIES[0], 0)),
    ],
)
def test_bad_arguments_are_refused_by_name(name, call):
    with pytest.raises(ValueError, match=rf"^{name}\b.*\.$"):
        call()
