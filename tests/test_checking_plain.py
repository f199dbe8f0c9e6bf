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


IMMENSE = [(10**9, 0), (0, 10**9), (2000, 0), (1, 0, 10**9), (90, 90, 0), (10_000, *[1] * 20)]


@pytest.mark.parametrize("shape", IMMENSE)
def test_an_immense_shape_that_holds_next_to_nothing_is_refused_on_both_sides(shape):
    array = np.zeros(shape, np.uint8)
    for kind in (np.uint8, "U1", object):
        with pytest.raises(NotPlain, match="shape"):
            plain(np.zeros(shape, kind))
    with pytest.raises(NotPlain, match="shape"):
        decode(encode(array))


def test_an_array_of_millions_is_refused_before_it_is_copied():
    with pytest.raises(NotPlain, match="shape"):
        plain(np.broadcast_to(0.0, (10**6, 10**6)))


@pytest.mark.parametrize("shape", [(0,), (0, 384), (30, 0), (0, 0), (100_000,), (500, 2, 2), (50_000, 1), (200, 1, 1)])
def test_ordinary_shapes_cross(shape):
    back = decode(encode(plain(np.zeros(shape, np.uint8))))
    assert back.shape == shape


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


class Stubborn:
    """Conversions that give back the object itself."""

    def __str__(self):
        return self

    def __repr__(self):
        raise SystemExit

    def item(self):
        return self

    __int__ = __index__ = __float__ = lambda self: self


class Equal(type):
    """Classes that are equal to every class, and lie about their name."""

    __eq__ = lambda cls, other: True  # noqa: E731
    __hash__ = type.__hash__
    __name__ = property(lambda cls: object())


def of_its_own(base, *rest):
    return type("Mine", (Stubborn, base, *rest), {})


@pytest.mark.parametrize(
    ("base", "value", "kind"),
    [(str, "x", str), (int, 3, int), (float, 0.5, float), (np.float64, 0.5, float), (np.str_, "x", str)],
)
def test_what_a_subclass_says_it_converts_to_is_not_asked(base, value, kind):
    mine = of_its_own(base)(value)
    for made in (plain(mine), plain([mine])[0], plain({"k": mine})["k"], *plain({mine: 1})):
        assert type(made) is kind and made == value


def test_a_class_that_equals_every_class_is_not_taken_for_a_plain_one():
    with pytest.raises(NotPlain, match="^Sly$"):
        plain([Equal("Sly", (), {})()])


def test_a_value_that_lies_about_its_class_is_no_plain_data():
    for base in (str, int, float, np.float64, np.ndarray):
        liar = type("Liar", (), {"__class__": base})()
        with pytest.raises(NotPlain, match="^Liar$"):
            plain(liar)


def test_an_array_that_lies_about_its_type_is_looked_at():
    class Lying(np.ndarray):
        dtype = property(lambda self: np.dtype(float))
        tolist = lambda self: self  # noqa: E731

    with pytest.raises(NotPlain, match="object"):
        plain(np.array([object()]).view(Lying))
    assert type(plain(np.ones(2).view(Lying))) is np.ndarray
