"""The comparison of outputs: no right answer is refused, whatever its form, and a wrong one is located."""

import tracemalloc
from collections import Counter, OrderedDict, defaultdict

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragteach.checking.compare import MAX_KEY, as_array, same
from ragteach.checking.plain import plain

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5)
values = st.recursive(
    scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(max_size=3), inner), max_leaves=8
)


@pytest.mark.parametrize(
    ("expected", "got"),
    [
        ([1, 2], (1, 2)),
        ([1, 2], np.array([1, 2])),
        ([1, 2], range(1, 3)),
        ([1, 2], (i for i in (1, 2))),
        ([1, 2], {1: "a", 2: "b"}.keys()),
        ([(0, 1)], [[0, 1]]),
        ([(0, 1)], np.array([[0, 1]])),
        ([], np.array([])),
        (["a", "b"], np.array(["a", "b"])),
        (3, np.int64(3)),
        (3, 3.0),
        (3, np.float64(3)),
        (0.3, 0.1 + 0.2),
        (0.3, np.float32(0.3)),
        (2.0, 2),
        (0.0, 1e-12),
        ("a", np.str_("a")),
        (True, np.bool_(True)),
        ({"a": 1}, Counter("a")),
        ({"a": [1]}, defaultdict(list, a=[1])),
        ({"a": 1, "b": 2}, OrderedDict(b=2, a=1)),
        (np.array([1.0, 2.0]), [1, 2]),
        (np.array([1.0, 2.0]), (1.0, 2.0 + 1e-12)),
        (np.array([]), []),
        (np.zeros((2, 2)), [[0, 0], [0, 0]]),
    ],
)
def test_one_right_answer_in_many_forms(expected, got):
    assert same(expected, plain(got)) is None


@pytest.mark.parametrize(
    ("expected", "got", "kind", "path"),
    [
        (1, 2, "value", ""),
        (1, None, "none", ""),
        (1, True, "type", ""),
        (True, 1, "type", ""),
        (1.0, float("nan"), "nan", ""),
        (1.0, "1.0", "type", ""),
        (1.0, 10**400, "value", ""),
        ("a", "b", "value", ""),
        ("a", ["a"], "type", ""),
        ([1, 2], [1, 3], "value", "[1]"),
        ([1, 2], [1], "length", ""),
        ([1], [1, 2], "length", ""),
        ([1, 2], {1, 2}, "type", ""),
        (["a", "b"], "ab", "type", ""),
        ([[1], [2, 3]], [[1], [2, 4]], "value", "[1][1]"),
        ({"a": 1}, {}, "missing_key", "['a']"),
        ({}, {"a": 1}, "extra_key", "['a']"),
        ({"a": [1]}, {"a": [2]}, "value", "['a'][0]"),
        ({"a": 1}, [("a", 1)], "type", ""),
        (np.array([1.0, 2.0]), [1.0, 3.0], "value", "[1]"),
        (np.array([1.0, 2.0]), [1.0, np.nan], "nan", "[1]"),
        (np.array([1.0, 2.0]), [[1.0, 2.0]], "shape", ""),
        (np.array([1.0, 2.0]), [[1.0], [2.0, 3.0]], "shape", ""),
        (np.array([1.0, 2.0]), ["1", "2"], "type", ""),
        (np.zeros((2, 2)), [[0, 0], [0, 1]], "value", "[1, 1]"),
        (np.array([1.0]), 1.0, "type", ""),
    ],
)
def test_a_wrong_answer_is_located(expected, got, kind, path):
    difference = same(expected, plain(got))
    assert difference is not None
    assert (difference.kind, difference.path) == (kind, path)


@pytest.mark.parametrize(
    ("expected", "got", "kind"),
    [
        ([1, 2], np.zeros((300_000, 0)), "type"),
        ([[], []], np.zeros((300_000, 0)), "length"),
        ([1, 2], np.arange(1, 300_000), "length"),
        ([[1, 2]], np.arange(1, 300_001).reshape(1, -1), "length"),
        (np.zeros(3), np.zeros(300_000), "shape"),
        (np.zeros(1001), ["x" * 10_000, *["y"] * 1000], "type"),
        (np.zeros((2, 1001)), [[0.0] * 1001, ["x" * 10_000, *[1.0] * 1000]], "type"),
    ],
    ids=range(7),
)
def test_a_comparison_takes_little_memory_whatever_shape_an_answer_claims(expected, got, kind):
    tracemalloc.start()
    try:
        difference = same(expected, got)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert difference.kind == kind and peak < 1_000_000


def test_a_text_among_numbers_makes_no_array():
    assert as_array([[1, 2.5], (3, 4)]).shape == (2, 2)
    for mixed in (["1"], [[1], ["2"]], [1, (2, ["x"])]):
        with pytest.raises(TypeError):
            as_array(mixed)


@pytest.mark.parametrize("key", ["x" * 100_000, "\U000e0001" * 1000, ("x",) * 1000, 10**5000], ids=range(4))
def test_a_key_is_cut_in_a_path(key):
    for expected, got in (({}, {key: 1}), ({key: 1}, {}), ({key: 1}, {key: 2}), ([{key: [1]}], [{key: [2]}])):
        assert 3 <= len(same(expected, got).path) <= MAX_KEY + 10


def test_a_path_begins_where_the_caller_says():
    assert same([[1]], [[2]], "[7]").path == "[7][0][0]"
    assert same(1, 2, "[7]").path == "[7]" and same(1, 1, "[7]") is None


@given(values)
def test_everything_is_the_same_as_itself(value):
    assert same(value, value) is None


@given(st.lists(st.integers(), min_size=1))
def test_one_changed_item_is_found(numbers):
    changed = [*numbers[:-1], numbers[-1] + 1]
    assert same(numbers, changed).path == f"[{len(numbers) - 1}]"
