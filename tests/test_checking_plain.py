"""Plain data: what may be returned, and its way through a pipe."""

import enum
import itertools
import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from ragteach.checking.compare import same
from ragteach.checking.plain import NotPlain, decode, encode, plain

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text()
keys = st.booleans() | st.integers() | st.text() | st.tuples(st.integers(), st.text())
arrays = hnp.arrays(st.sampled_from(["bool", "int32", "int64", "uint8", "float32", "float64"]), hnp.array_shapes())
values = st.recursive(
    scalars | arrays,
    lambda inner: st.lists(inner) | st.lists(inner).map(tuple) | st.dictionaries(keys, inner) | st.sets(keys),
    max_leaves=10,
)
anything_json = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(
        st.sampled_from(["int", "float", "tuple", "set", "dict", "array", "dtype", "shape", "x"]), inner
    ),
    max_leaves=10,
)  # fmt: skip


@given(values)
def test_encode_and_decode_keep_value_and_type(value):
    back = decode(json.loads(json.dumps(encode(plain(value)))))
    assert type(back) is type(value)
    assert same(value, back) is None
    if isinstance(value, np.ndarray):
        assert back.dtype == value.dtype


@given(anything_json)
def test_decode_reads_any_json_or_says_not_plain(data):
    try:
        value = decode(data)
    except NotPlain:
        return
    assert same(value, decode(json.loads(json.dumps(encode(value))))) is None


@pytest.mark.parametrize(
    "data",
    [
        {"array": "AAAA", "dtype": "|O8", "shape": [1]},
        {"array": "!!", "dtype": "<f8", "shape": [0]},
        {"array": "", "dtype": "<f8", "shape": [10**9]},
        {"array": "", "dtype": "<f8", "shape": [-1]},
        {"int": "x"},
        {"int": "9" * 5000},
        {"dict": [[[1], 2]]},
        {"dict": [1]},
        {"set": [[1]]},
        {"other": 1},
        {},
        {"tuple": [1], "extra": 2},
    ],
)
def test_malformed_data_is_refused(data):
    with pytest.raises(NotPlain):
        decode(data)


def test_deep_nesting_is_refused_on_both_sides():
    loop = []
    loop.append(loop)
    with pytest.raises(NotPlain):
        plain(loop)
    data = 1
    for _ in range(500):
        data = [data]
    with pytest.raises(NotPlain):
        decode(data)


@pytest.mark.parametrize(
    "value", [itertools.count(), object(), b"bytes", 1j, print, np.array([1j]), np.datetime64("now")]
)
def test_what_is_not_plain_is_refused(value):
    with pytest.raises(NotPlain):
        plain(value)


def test_numpy_and_subclasses_become_plain():
    class Colour(enum.IntEnum):
        RED = 1

    assert type(plain(np.float32(1.5))) is float
    assert type(plain(np.array(3))) is int
    assert type(plain(Colour.RED)) is int
    assert plain({np.int64(1): np.bool_(True)}) == {1: True}
    assert plain(x for x in "ab") == ["a", "b"]
