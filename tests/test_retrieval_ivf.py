"""Exact search, k-means and IVF: their laws, bad input, and indexes whose documents come and go."""

import numpy as np
import pytest
import vector_sets
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from ragteach.retrieval.exact import ExactIndex, ann_recall, exact_search, filtered_search
from ragteach.retrieval.ivf import assign, build_cells, ivf_search
from ragteach.retrieval.ivf_index import IVFIndex
from ragteach.retrieval.kmeans import kmeans

# Small whole numbers: many ties, and products without rounding.
NUMBERS = st.integers(-3, 3).map(float)


def matrices(min_rows=1, max_rows=12, dims=3):
    return st.integers(min_rows, max_rows).flatmap(lambda n: arrays.arrays(float, (n, dims), elements=NUMBERS))


QUERY = arrays.arrays(float, 3, elements=NUMBERS)
K = st.integers(1, 15)


def by_sorting(vectors, query, k):
    return sorted(range(len(vectors)), key=lambda i: (-sum(vectors[i] * query), i))[:k]


def cells_of(vectors, centroids):
    return build_cells(assign(vectors, centroids), len(centroids))


# Exact search


@given(vectors=matrices(), query=QUERY, k=K)
def test_exact_search_sorts_all_by_inner_product_and_ties_by_number(vectors, query, k):
    assert exact_search(vectors, query, k) == by_sorting(vectors, query, k)
    assert ExactIndex(vectors).search(query, k) == by_sorting(vectors, query, k)


def test_exact_search_of_no_vector_finds_none():
    assert exact_search(np.empty((0, 3)), np.zeros(3), 5) == []


@given(vectors=matrices(), query=QUERY, k=K, data=st.data())
def test_a_filter_never_leaks_and_gives_k_where_they_exist(vectors, query, k, data):
    allowed = data.draw(st.sets(st.integers(0, len(vectors) - 1)))
    found = filtered_search(vectors, query, k, list(allowed))
    assert set(found) <= allowed
    assert len(found) == min(k, len(allowed))
    assert found == [doc for doc in exact_search(vectors, query, len(vectors)) if doc in allowed][:k]


@pytest.mark.parametrize("allowed", [[-1], [3], [0, 7], [True, False, True], [0.5], ["0"]])
def test_a_filter_refuses_what_is_no_number_of_a_document(allowed):
    with pytest.raises(ValueError, match="allowed"):
        filtered_search(np.eye(3), np.ones(3), 2, allowed)


@pytest.mark.parametrize(
    ("approximate", "exact", "expected"),
    [([1, 2, 3], [1, 2, 3], 1), ([3, 9, 1, 8], [1, 2, 3, 4], 0.5), ([], [1], 0), ([1, 1], [1, 2], 0.5), ([], [], 1)],
)
def test_ann_recall_is_the_share_of_the_exact_results(approximate, exact, expected):
    assert ann_recall(approximate, exact) == expected


# k-means


def objective(vectors, centroids):
    return (vectors @ centroids.T).max(axis=1).sum()


@given(vectors=matrices(min_rows=4), n_cells=st.integers(1, 4), seed=st.integers(0, 5))
def test_kmeans_gives_unit_centroids_and_an_objective_that_never_falls(vectors, n_cells, seed):
    vectors = vectors + 0.1  # no zero vector
    steps = [kmeans(vectors, n_cells, n_iter, seed) for n_iter in range(1, 6)]
    for centroids in steps:
        np.testing.assert_allclose(np.linalg.norm(centroids, axis=1), 1, rtol=1e-12)
    objectives = [objective(vectors, centroids) for centroids in steps]
    assert (np.diff(objectives) >= -1e-9).all()


@given(vectors=matrices(min_rows=4, max_rows=30), n_cells=st.integers(1, 4), seed=st.integers(0, 5))
def test_kmeans_leaves_no_cell_empty_where_directions_suffice(vectors, n_cells, seed):
    vectors = vectors[vectors.any(axis=1)]
    directions = {tuple(np.round(row / np.linalg.norm(row), 9)) for row in vectors}
    if len(directions) >= n_cells:
        cells = cells_of(vectors, kmeans(vectors, n_cells, seed=seed))
        assert all(len(cell) for cell in cells)


def test_kmeans_fills_cells_although_most_vectors_are_the_same():
    vectors = np.vstack([np.tile([1.0, 0, 0, 0], (500, 1)), np.eye(4)])
    for seed in range(10):  # most starts draw the same vector four times
        assert all(len(cell) for cell in cells_of(vectors, kmeans(vectors, 4, seed=seed)))


def test_kmeans_of_equal_vectors_ends():
    centroids = kmeans(np.ones((10, 3)), 4)
    np.testing.assert_allclose(centroids, 1 / np.sqrt(3))


def test_kmeans_of_opposite_vectors_gives_numbers():
    vectors = np.array([[1.0, 0], [-1, 0], [1, 0], [-1, 0]])
    assert np.isfinite(kmeans(vectors, 1)).all()


def test_kmeans_depends_on_its_seed_only():
    vectors, _ = vector_sets.make("random", 300, 8, 0)
    np.random.seed(1)
    first = kmeans(vectors, 5, seed=3)
    np.random.seed(2)
    np.testing.assert_array_equal(kmeans(vectors, 5, seed=3), first)


def test_too_few_vectors_for_the_cells_are_refused_by_both_numbers():
    with pytest.raises(ValueError, match="256.*111"):
        kmeans(np.ones((111, 4)), 256)
    with pytest.raises(ValueError, match="2.*1"):
        kmeans(np.array([[0.0, 0], [1, 0], [0, 0]]), 2)


# Cells


@given(vectors=matrices(), centroids=matrices(max_rows=5))
def test_cells_are_a_partition_by_the_nearest_centroid(vectors, centroids):
    assignment = assign(vectors, centroids)
    assert assignment.tolist() == [by_sorting(centroids, vector, 1)[0] for vector in vectors]
    cells = build_cells(assignment, len(centroids))
    assert len(cells) == len(centroids)
    assert sorted(np.concatenate(cells).tolist()) == list(range(len(vectors)))
    assert all((np.diff(cell) > 0).all() and (assignment[cell] == c).all() for c, cell in enumerate(cells))


def test_empty_cells_are_listed():
    assert [cell.tolist() for cell in build_cells([3, 1, 3], 5)] == [[], [1], [], [0, 2], []]
    assert [cell.tolist() for cell in build_cells([], 2)] == [[], []]


@given(vectors=matrices(), centroids=matrices(max_rows=5), query=QUERY, k=K)
def test_ivf_with_all_cells_is_exact(vectors, centroids, query, k):
    cells = cells_of(vectors, centroids)
    for nprobe in (len(centroids), len(centroids) + 3):
        assert ivf_search(query, vectors, centroids, cells, k, nprobe) == exact_search(vectors, query, k)
        assert IVFIndex(vectors, centroids, nprobe).search(query, k) == exact_search(vectors, query, k)


@given(vectors=matrices(), centroids=matrices(max_rows=5), query=QUERY, k=K, nprobe=st.integers(1, 5))
def test_ivf_is_exact_within_the_filled_cells_that_it_probes(vectors, centroids, query, k, nprobe):
    cells = cells_of(vectors, centroids)
    filled = [cell for cell in by_sorting(centroids, query, len(centroids)) if len(cells[cell])]
    allowed = np.concatenate([cells[cell] for cell in filled[:nprobe]])
    assert ivf_search(query, vectors, centroids, cells, k, nprobe) == filtered_search(vectors, query, k, allowed)


def test_empty_cells_do_not_use_up_nprobe():
    vectors = np.array([[0.0, 1], [0, 2]])
    centroids = np.array([[1.0, 0], [0.9, 0], [0, 1]])  # the two nearest to the query are empty
    query = np.array([1.0, 0.1])
    assert ivf_search(query, vectors, centroids, cells_of(vectors, centroids), 1, 1) == [1]
    assert IVFIndex(vectors, centroids, nprobe=1).search(query, 1) == [1]


@pytest.mark.parametrize("kind", ["random", "clustered"])
def test_the_index_finds_what_the_function_finds_and_counts_what_it_computes(kind):
    vectors, queries = vector_sets.make(kind, 2000, 16, 50)
    centroids = kmeans(vectors, 20)
    cells = cells_of(vectors, centroids)
    index = IVFIndex(vectors, centroids)
    for nprobe in (1, 3, 20):
        index.nprobe, index.n_distances = nprobe, 0
        expected = [ivf_search(query, vectors, centroids, cells, 10, nprobe) for query in queries]
        assert index.search_batch(queries, 10) == expected
        nearest = np.argsort(-(queries @ centroids.T), axis=1)[:, :nprobe]
        visited = sum(len(cells[cell]) for row in nearest for cell in row)
        assert index.n_distances == visited + len(queries) * len(centroids)


# Documents that come and go


def make_index(kind, vectors):
    if kind == "exact":
        return ExactIndex(vectors)
    return IVFIndex(vectors, np.array([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [-1, -1, -1]]), nprobe=2)


def state(index):
    return {name: value.tolist() for name, value in vars(index).items() if isinstance(value, np.ndarray)}


@pytest.mark.parametrize("kind", ["exact", "ivf"])
@given(vectors=matrices(min_rows=0), new=QUERY, newer=QUERY, query=QUERY, k=K)
def test_a_document_that_was_deleted_leaves_the_index_as_if_it_had_never_been(kind, vectors, new, newer, query, k):
    index, without = make_index(kind, vectors), make_index(kind, vectors)
    doc = len(vectors)
    index.add(doc, new)
    index.add(doc, newer)  # an update
    assert len(index.docs) == doc + 1
    with_it = make_index(kind, np.vstack([vectors, newer]))
    assert state(index) == state(with_it) and index.search(query, k) == with_it.search(query, k)
    index.delete(doc)
    assert state(index) == state(without) and index.search(query, k) == without.search(query, k)


@pytest.mark.parametrize("kind", ["exact", "ivf"])
def test_an_update_puts_the_new_vector_in_the_place_of_the_old_one(kind):
    vectors = np.eye(3)
    index = make_index(kind, vectors)
    index.add(1, [0, 0, 5.0])
    assert index.search([0, 0, 1.0], 1) == [1]
    assert state(index) == state(make_index(kind, np.array([[1.0, 0, 0], [0, 0, 5], [0, 0, 1]])))


@pytest.mark.parametrize("kind", ["exact", "ivf"])
def test_an_index_comes_back_from_its_file(kind, tmp_path):
    vectors, queries = vector_sets.make("random", 100, 3, 20)
    index = make_index(kind, vectors)
    index.delete(3)
    index.save(tmp_path / "index.npz")
    again = type(index).load(tmp_path / "index.npz")
    assert state(again) == state(index)
    assert all(again.search(query, 5) == index.search(query, 5) for query in queries)
    again.add(3, vectors[3])
    assert state(again) == state(make_index(kind, vectors))


@pytest.mark.parametrize("cls", [ExactIndex, IVFIndex])
def test_a_file_that_is_no_index_is_refused(cls, tmp_path):
    path = tmp_path / "index.npz"
    other = ExactIndex(np.eye(2)) if cls is IVFIndex else IVFIndex(np.eye(2), np.eye(2))
    other.save(path)
    with pytest.raises(ValueError, match=cls.__name__):
        cls.load(path)
    path.write_text("no index")
    with pytest.raises(ValueError, match=cls.__name__):
        cls.load(path)
    with pytest.raises(OSError):
        cls.load(tmp_path / "absent.npz")


# Bad input

X, Q, C, CELLS = np.eye(3), np.ones(3), np.eye(3), [np.array([0]), np.array([1]), np.array([2])]
NAN = np.array([[1.0, np.nan, 0], [0, 1, 0], [0, 0, 1]])


@pytest.mark.parametrize(
    ("name", "call"),
    [
        ("k", lambda: exact_search(X, Q, 0)),
        ("query", lambda: exact_search(X, np.ones(2), 1)),
        ("query", lambda: exact_search(X, np.array([1, np.nan, 1]), 1)),
        ("vectors", lambda: exact_search(NAN, Q, 1)),
        ("vectors", lambda: exact_search(np.where(np.isnan(NAN), np.inf, NAN), Q, 1)),
        ("vectors", lambda: exact_search(Q, Q, 1)),
        ("k", lambda: filtered_search(X, Q, 0, [0])),
        ("vectors", lambda: filtered_search(NAN, Q, 1, [0])),
        ("vectors", lambda: assign(NAN, C)),
        ("centroids", lambda: assign(X, np.eye(2))),
        ("centroids", lambda: assign(X, np.empty((0, 3)))),
        ("n_cells", lambda: kmeans(X, 0)),
        ("n_iter", lambda: kmeans(X, 1, n_iter=0)),
        ("vectors", lambda: kmeans(NAN, 1)),
        ("n_cells", lambda: build_cells([0], 0)),
        ("assignment", lambda: build_cells([0, 3], 3)),
        ("assignment", lambda: build_cells([-1], 3)),
        ("k", lambda: ivf_search(Q, X, C, CELLS, 0, 1)),
        ("nprobe", lambda: ivf_search(Q, X, C, CELLS, 1, 0)),
        ("cells", lambda: ivf_search(Q, X, C, CELLS[:2], 1, 1)),
        ("cells", lambda: ivf_search(Q, X, C, [[0], [1], [9]], 1, 3)),
        ("vectors", lambda: ivf_search(Q, NAN, C, CELLS, 1, 3)),
        ("query", lambda: ivf_search(np.ones(2), X, C, CELLS, 1, 1)),
        ("nprobe", lambda: IVFIndex(X, C, nprobe=0)),
        ("vectors", lambda: IVFIndex(NAN, C)),
        ("k", lambda: IVFIndex(X, C).search(Q, 0)),
        ("queries", lambda: IVFIndex(X, C).search_batch(np.eye(2), 1)),
        ("doc", lambda: IVFIndex(X, C).delete(3)),
        ("doc", lambda: IVFIndex(X, C).add(-1, Q)),
        ("new", lambda: IVFIndex(X, C).add(1, np.ones(2))),
        ("vectors", lambda: ExactIndex(NAN)),
        ("k", lambda: ExactIndex(X).search(Q, 0)),
        ("doc", lambda: ExactIndex(X).delete(3)),
        ("new", lambda: ExactIndex(X).add(3, np.ones(2))),
    ],
)
def test_bad_arguments_are_refused_by_name(name, call):
    with pytest.raises(ValueError, match=rf"^{name}\b.*\.$"):
        call()
