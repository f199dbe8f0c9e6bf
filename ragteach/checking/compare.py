"""Whether two outputs say the same thing, and where they first part.

The expected value decides what is compared. Nobody is failed for writing the right answer in another way: a list,
a tuple or an array are one sequence, a Counter is a dict, 3.0 is 3, and the last digits of a float do not count.
"""

import math
from dataclasses import dataclass
from numbers import Real
from typing import Any

import numpy as np

REL_TOL = 1e-5  # an honest float32 computation of a few steps stays within it
ABS_TOL = 1e-8


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

    Floats agree within a relative 1e-5 or an absolute 1e-8.
    """
    if got is None and expected is not None:
        return Difference("none", path, expected, got)
    if isinstance(expected, np.ndarray):
        return _same_array(expected, got, path)
    if isinstance(expected, dict):
        return _same_dict(expected, got, path)
    if isinstance(expected, list | tuple):
        return _same_sequence(expected, got, path)
    if isinstance(expected, bool) or not isinstance(expected, Real):
        return _same_object(expected, got, path)
    return _same_number(expected, got, path)


def _same_object(expected: Any, got: Any, path: str) -> Difference | None:
    if type(expected) is not type(got):
        return Difference("type", path, expected, got)
    return None if expected == got else Difference("value", path, expected, got)


def _same_number(expected: Any, got: Any, path: str) -> Difference | None:
    if isinstance(got, bool) or not isinstance(got, Real):
        return Difference("type", path, expected, got)
    if isinstance(expected, int) and isinstance(got, int):
        return None if expected == got else Difference("value", path, expected, got)
    try:
        expected_is_nan, got_is_nan = math.isnan(expected), math.isnan(got)
        close = expected == got or math.isclose(expected, got, rel_tol=REL_TOL, abs_tol=ABS_TOL)
    except OverflowError:  # an int that no float can hold
        return Difference("value", path, expected, got)
    if got_is_nan and not expected_is_nan:
        return Difference("nan", path, expected, got)
    return None if close or (expected_is_nan and got_is_nan) else Difference("value", path, expected, got)


def _same_sequence(expected: list | tuple, got: Any, path: str) -> Difference | None:
    if not isinstance(got, list | tuple | np.ndarray) or (isinstance(got, np.ndarray) and got.ndim == 0):
        return Difference("type", path, expected, got)
    items = got.tolist() if isinstance(got, np.ndarray) else got
    for i, (item_expected, item_got) in enumerate(zip(expected, items, strict=False)):
        if difference := same(item_expected, item_got, f"{path}[{i}]"):
            return difference
    return None if len(expected) == len(items) else Difference("length", path, expected, got)


def _same_dict(expected: dict, got: Any, path: str) -> Difference | None:
    if not isinstance(got, dict):
        return Difference("type", path, expected, got)
    for key, value in expected.items():
        if key not in got:
            return Difference("missing_key", f"{path}[{key!r}]", value, None)
        if difference := same(value, got[key], f"{path}[{key!r}]"):
            return difference
    for key, value in got.items():
        if key not in expected:
            return Difference("extra_key", f"{path}[{key!r}]", None, value)
    return None


def _same_array(expected: np.ndarray, got: Any, path: str) -> Difference | None:
    if not isinstance(got, list | tuple | np.ndarray):
        return Difference("type", path, expected, got)
    try:
        array = np.asarray(got)
    except ValueError:  # rows of unequal length
        return Difference("shape", path, expected, got)
    if array.size and (array.dtype.kind not in "biuf" or (array.dtype.kind == "b") != (expected.dtype.kind == "b")):
        return Difference("type", path, expected, got)
    if array.shape != expected.shape:
        return Difference("shape", path, expected, got)
    if not expected.size:
        return None
    if expected.dtype.kind == "f" and np.isnan(array).any() and not np.isnan(expected).any():
        place = tuple(int(i) for i in np.argwhere(np.isnan(array))[0])
        return Difference("nan", f"{path}{_place(place)}", expected[place].item(), array[place].item())
    right = np.isclose(array, expected, rtol=REL_TOL, atol=ABS_TOL, equal_nan=True)
    if right.all():
        return None
    place = tuple(int(i) for i in np.argwhere(~right)[0])
    return Difference("value", f"{path}{_place(place)}", expected[place].item(), array[place].item())


def _place(indices: tuple[int, ...]) -> str:
    return f"[{', '.join(map(str, indices))}]" if indices else ""
