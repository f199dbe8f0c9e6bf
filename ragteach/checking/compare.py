"""Whether two outputs say the same thing, and where they first part.

The expected value decides what is compared. Nobody is failed for writing the right answer in another way: a list,
a tuple or an array are one sequence, a Counter is a dict, 3.0 is 3, and the last digits of a float do not count.
"""

import math
from dataclasses import dataclass, replace
from itertools import chain
from numbers import Real
from typing import Any

import numpy as np

REL_TOL = 1e-5  # an honest float32 computation of a few steps stays within it
ABS_TOL = 1e-8
MAX_KEY = 100  # characters of a key in a path


@dataclass(frozen=True)
class Difference:
    """Where two outputs first part: `path` is read after the output's name, such as '["fusible"][0]'.

    `kind` is one of: value, none, nan, type, length, missing_key, extra_key, shape (compared values);
    no_error, error (what was raised); changed (arguments that should have stayed as they were).
    """

    kind: str
    path: str
    expected: Any
    got: Any


def same(expected: Any, got: Any, path: str = "") -> Difference | None:
    """Compare plain data; None where they say the same, else the first difference.

    Floats agree within a relative 1e-5 or an absolute 1e-8. The time it takes grows with the expected value and with
    what `got` really holds, whatever shape it claims.
    """
    difference = _same(expected, got)
    return _inside(path, difference) if path and difference else difference


def _same(expected: Any, got: Any) -> Difference | None:
    if got is None and expected is not None:
        return Difference("none", "", expected, got)
    if isinstance(expected, np.ndarray):
        return _same_array(expected, got)
    if isinstance(expected, dict):
        return _same_dict(expected, got)
    if isinstance(expected, list | tuple):
        return _same_sequence(expected, got)
    if isinstance(expected, bool) or not isinstance(expected, Real):
        return _same_object(expected, got)
    return _same_number(expected, got)


def _inside(place: str, difference: Difference) -> Difference:
    """Say in what the difference was found; only now, since a path that nobody reads takes time."""
    return replace(difference, path=place + difference.path)


def _same_object(expected: Any, got: Any) -> Difference | None:
    if type(expected) is not type(got):
        return Difference("type", "", expected, got)
    return None if expected == got else Difference("value", "", expected, got)


def _same_number(expected: Any, got: Any) -> Difference | None:
    if isinstance(got, bool) or not isinstance(got, Real):
        return Difference("type", "", expected, got)
    if isinstance(expected, int) and isinstance(got, int):
        return None if expected == got else Difference("value", "", expected, got)
    try:
        expected_is_nan, got_is_nan = math.isnan(expected), math.isnan(got)
        close = expected == got or math.isclose(expected, got, rel_tol=REL_TOL, abs_tol=ABS_TOL)
    except OverflowError:  # an int that no float can hold
        return Difference("value", "", expected, got)
    if got_is_nan and not expected_is_nan:
        return Difference("nan", "", expected, got)
    return None if close or (expected_is_nan and got_is_nan) else Difference("value", "", expected, got)


def _same_sequence(expected: list | tuple, got: Any) -> Difference | None:
    if not isinstance(got, list | tuple | np.ndarray) or (isinstance(got, np.ndarray) and got.ndim == 0):
        return Difference("type", "", expected, got)
    # Rows stay arrays, and of numbers no more become objects than are compared.
    items = got[: len(expected)].tolist() if isinstance(got, np.ndarray) and got.ndim == 1 else got
    for i, (item_expected, item_got) in enumerate(zip(expected, items, strict=False)):
        if difference := _same(item_expected, item_got):
            return _inside(f"[{i}]", difference)
    return None if len(expected) == len(got) else Difference("length", "", expected, got)


def _same_dict(expected: dict, got: Any) -> Difference | None:
    if not isinstance(got, dict):
        return Difference("type", "", expected, got)
    for key, value in expected.items():
        if key not in got:
            return Difference("missing_key", _at(key), value, None)
        if difference := _same(value, got[key]):
            return _inside(_at(key), difference)
    for key, value in got.items():
        if key not in expected:
            return Difference("extra_key", _at(key), None, value)
    return None


def _at(key: Any) -> str:
    """Write a key as an index, cut where it is long: a key can be anything that the reader likes."""
    try:
        text = repr(key)
    except ValueError:  # Python writes no int of more than 4300 digits
        text = "…"
    return f"[{text}]" if len(text) <= MAX_KEY else f"[{text[: MAX_KEY - 1]}…]"


def _same_array(expected: np.ndarray, got: Any) -> Difference | None:
    if not isinstance(got, list | tuple | np.ndarray):
        return Difference("type", "", expected, got)
    try:
        array = as_array(got)
    except TypeError:
        return Difference("type", "", expected, got)
    except ValueError:
        return Difference("shape", "", expected, got)
    if array.size and (array.dtype.kind not in "biuf" or (array.dtype.kind == "b") != (expected.dtype.kind == "b")):
        return Difference("type", "", expected, got)
    if array.shape != expected.shape:
        return Difference("shape", "", expected, got)
    if not expected.size:
        return None
    if expected.dtype.kind == "f" and np.isnan(array).any() and not np.isnan(expected).any():
        place = tuple(int(i) for i in np.argwhere(np.isnan(array))[0])
        return Difference("nan", _place(place), expected[place].item(), array[place].item())
    right = np.isclose(array, expected, rtol=REL_TOL, atol=ABS_TOL, equal_nan=True)
    if right.all():
        return None
    place = tuple(int(i) for i in np.argwhere(~right)[0])
    return Difference("value", _place(place), expected[place].item(), array[place].item())


def as_array(value: Any) -> np.ndarray:
    """Make an array of nested lists of numbers.

    Raises ValueError where rows are of unequal length, and TypeError where there is a text among them: NumPy would
    give every item the length of the longest one.
    """
    if isinstance(value, list | tuple) and _holds_text(value):
        raise TypeError("a text among numbers")
    return np.asarray(value)


def _holds_text(items: list | tuple) -> bool:
    kinds = set(map(type, items))
    while str not in kinds and (list in kinds or tuple in kinds):  # one level of nesting after the other
        items = list(chain.from_iterable(item for item in items if type(item) is list or type(item) is tuple))
        kinds = set(map(type, items))
    return str in kinds


def _place(indices: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, indices))}]" if indices else ""
