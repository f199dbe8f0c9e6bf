"""Plain data: what an exercise's function may take and return, and how it crosses a pipe.

`plain` reduces what a function returned to None, bool, int, float, str, list, tuple, set, dict and NumPy arrays of
numbers. `encode` and `decode` carry those as JSON with their types; `decode` builds nothing else, so that data
from an untrusted process can be read without a risk.
"""

import base64
import math
from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from typing import Any

import numpy as np

MAX_ITEMS = 1_000_000  # of one sequence; an endless generator stops here
MAX_DEPTH = 50
MAX_KEYS = 2_000  # of a set or dict that is read: keys chosen to collide take a time that grows as their square
MAX_EMPTY = 1_000  # lists that an array may be without a number in them: a shape costs nothing, nested lists do
ARRAY_KINDS = "biuf"
DTYPES = frozenset("|b1 |i1 |u1 <i2 <i4 <i8 <u2 <u4 <u8 <f2 <f4 <f8".split())  # those of arrays that `encode` writes
SCALARS = (bool, int, float, str)
EXACT = {int: int.__int__, float: float.__float__, str: str.__str__}  # of a subclass, whatever its methods say


class NotPlain(ValueError):
    """The value is no plain data; the message says what it is."""


def plain(value: Any, depth: int = 0) -> Any:
    """Reduce a value to plain data: NumPy scalars to numbers, generators and other sequences to lists.

    Raises NotPlain for any other object, for nesting deeper than 50, for sequences and arrays of over a million
    items, and for arrays that hold next to nothing in an immense shape.
    """
    if depth > MAX_DEPTH:
        raise NotPlain("a structure nested too deep, or inside itself")
    kind = type(value)  # compared by "is": a class can have an == of its own, and a value lie about its class
    if value is None or kind is float or kind is int or kind is str or kind is bool:
        return value
    if (kind is list or kind is tuple) and len(value) <= MAX_ITEMS:  # by far the most frequent: the rest is slower
        items = [plain(item, depth + 1) for item in value]
        return items if kind is list else tuple(items)
    for base, exact in EXACT.items():  # subclasses: an IntEnum, a float64, a str of one's own
        if issubclass(kind, base):
            return exact(value)
    if issubclass(kind, np.generic):
        value = np.generic.item(value)
        if type(value) not in SCALARS:
            raise NotPlain(class_name(type(value)))
        return value
    if issubclass(kind, np.ndarray):
        return _plain_array(np.asarray(value), depth)
    if issubclass(kind, Mapping):
        return {_plain_key(key): plain(item, depth + 1) for key, item in _bounded(value.items())}
    if issubclass(kind, (set, frozenset)):
        return {_plain_key(item) for item in _bounded(value)}
    if issubclass(kind, (bytes, bytearray)) or not issubclass(kind, Iterable):
        raise NotPlain(class_name(kind))
    items = [plain(item, depth + 1) for item in _bounded(value)]
    return tuple(items) if issubclass(kind, tuple) else items


def class_name(cls: type) -> str:
    """Give a class's own name, whatever its metaclass says."""
    return str.__str__(type.__dict__["__name__"].__get__(cls))


def _plain_array(value: np.ndarray, depth: int) -> Any:
    if value.ndim == 0:
        return plain(value[()], depth)
    if value.size > MAX_ITEMS or not _fits(value.shape, value.size):
        raise NotPlain(f"an array of shape {value.shape}")
    if value.dtype.kind in ARRAY_KINDS and value.dtype.itemsize <= 8:
        return np.array(value)
    if value.dtype.kind in "OU":
        return plain(value.tolist(), depth)
    raise NotPlain(f"an array of {value.dtype}")


def _fits(shape: Sequence[int], size: int) -> bool:
    """Tell whether nested lists of this shape would be no more objects than the numbers in them call for."""
    if size and len(shape) <= 2:  # by far the most frequent
        return True
    rows = lists = 1
    for n in shape:
        rows *= n or 1
        lists += rows
    return lists <= 2 * size + MAX_EMPTY


def _plain_key(key: Any) -> Any:
    key = plain(key)
    if isinstance(key, (list, dict, set, np.ndarray)):
        raise NotPlain(f"{type(key).__name__} as a key")
    return key


def _bounded(items: Iterable) -> Iterable:
    for i, item in enumerate(islice(items, MAX_ITEMS + 1)):
        if i == MAX_ITEMS:
            raise NotPlain("a sequence that does not end")
        yield item


def encode(value: Any) -> Any:
    """Turn plain data into what JSON can carry, types kept; the inverse of `decode`."""
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return value if abs(value) < 2**53 else {"int": str(value)}
    if isinstance(value, float):
        return value if math.isfinite(value) else {"float": str(value)}
    if isinstance(value, np.ndarray):
        data = np.ascontiguousarray(value).astype(value.dtype.newbyteorder("<"), copy=False)
        code = base64.b64encode(data.tobytes()).decode()
        return {"array": code, "dtype": data.dtype.str, "shape": list(value.shape)}
    if isinstance(value, list):
        return [encode(item) for item in value]
    if isinstance(value, tuple):
        return {"tuple": [encode(item) for item in value]}
    if isinstance(value, (set, frozenset)):
        return {"set": [encode(item) for item in value]}
    if isinstance(value, dict):
        return {"dict": [[encode(key), encode(item)] for key, item in value.items()]}
    raise NotPlain(type(value).__name__)


def decode(data: Any, depth: int = 0) -> Any:
    """Turn what `encode` made back into plain data.

    Raises NotPlain for anything that `encode` does not make, however malformed.
    """
    if depth > 2 * MAX_DEPTH:
        raise NotPlain("a structure nested too deep")
    if data is None or type(data) in (bool, int, float, str):
        return data
    if isinstance(data, list):
        return [decode(item, depth + 1) for item in data]
    if not isinstance(data, dict):
        raise NotPlain(type(data).__name__)
    try:
        match data:
            case {"int": str(text)} if len(data) == 1 and len(text) < 4300:
                return int(text)
            case {"float": "nan" | "inf" | "-inf" as text} if len(data) == 1:
                return float(text)
            case {"tuple": list(items)} if len(data) == 1:
                return tuple(decode(item, depth + 1) for item in items)
            case {"set": list(items)} if len(data) == 1 and len(items) <= MAX_KEYS:
                return {decode(item, depth + 1) for item in items}
            case {"dict": list(pairs)} if len(data) == 1 and len(pairs) <= MAX_KEYS:
                return {decode(key, depth + 1): decode(item, depth + 1) for key, item in pairs}
            case {"array": str(code), "dtype": str(dtype), "shape": list(shape)} if len(data) == 3:
                return _decode_array(code, dtype, shape)
    except Exception as error:
        raise NotPlain(f"malformed data ({error})") from None
    raise NotPlain("malformed data")


def _decode_array(code: str, dtype: str, shape: list[int]) -> np.ndarray:
    if dtype not in DTYPES:  # not left to NumPy, which takes any text for the beginning of a language
        raise NotPlain("an array of an unknown type")
    kind = np.dtype(dtype)
    if not all(type(n) is int and n >= 0 for n in shape) or len(shape) > 32:
        raise NotPlain("an array of an unknown shape")
    data = np.frombuffer(base64.b64decode(code, validate=True), kind)
    if not _fits(shape, data.size):
        raise NotPlain("an array of an immense shape")
    return data.reshape(shape).astype(kind.newbyteorder("="))
