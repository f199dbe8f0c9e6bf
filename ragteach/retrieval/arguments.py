"""Refusing bad arguments: one ValueError, one sentence that names the argument."""

from collections.abc import Iterable, Sequence
from math import inf

import numpy as np


def require(condition: bool, message: str) -> None:
    """Raise ValueError with the message unless the condition holds."""
    if not condition:
        raise ValueError(message)


def at_least(name: str, value: float, low: float) -> None:
    """Raise ValueError where the value is smaller than `low`, infinite or nan."""
    require(low <= value < inf, f"{name} must be a finite number, at least {low}, not {value}.")


def between(name: str, value: float, low: float, high: float) -> None:
    """Raise ValueError where the value lies outside [low, high], or is nan."""
    require(low <= value <= high, f"{name} must lie between {low} and {high}, not {value}.")


def text_str(name: str, text: str) -> None:
    """Raise ValueError where a text is no str."""
    require(isinstance(text, str), f"{name} must be a str, not {type(text).__name__}.")


def token_list(name: str, tokens: Sequence[str]) -> None:
    """Raise ValueError where a text stands for a list of tokens: it would be read letter by letter."""
    require(not isinstance(tokens, str), f"{name} must be a list of tokens, not a str: call tokenize on it first.")


def token_lists(name: str, documents: Iterable[Sequence[str]]) -> None:
    """Raise ValueError where one of the documents, or all of them, is a str instead of a list of tokens."""
    require(not isinstance(documents, str), f"{name} must be a list of token lists, not a str.")
    for i, tokens in enumerate(documents):
        token_list(f"{name}[{i}]", tokens)


def id_list(name: str, ids: Iterable) -> list:
    """Give ids, such as a ranking, as a list. Raises ValueError where it is a str, read letter by letter."""
    require(not isinstance(ids, str), f"{name} must be a list of ids, not a str.")
    return ids.tolist() if isinstance(ids, np.ndarray) else list(ids)


def id_lists(name: str, lists: Iterable[Iterable]) -> list[list]:
    """Give several rankings as lists of ids. Raises ValueError where one of them, or the whole, is a str."""
    require(not isinstance(lists, str), f"{name} must be a list of lists of ids, not a str.")
    return [id_list(f"{name}[{i}]", ids) for i, ids in enumerate(lists)]


def matrix(name: str, values: object) -> np.ndarray:
    """Give the values as a two-dimensional array of finite floats. Raises ValueError where they are none."""
    array = np.asarray(values)
    require(array.ndim == 2, f"{name} must have two dimensions, (rows, columns), not {array.ndim}.")
    return _finite(name, array)


def vector(name: str, values: object) -> np.ndarray:
    """Give the values as a one-dimensional array of finite floats. Raises ValueError where they are none."""
    array = np.asarray(values)
    require(array.ndim == 1, f"{name} must have one dimension, not {array.ndim}.")
    return _finite(name, array)


def _finite(name: str, array: np.ndarray) -> np.ndarray:
    require(array.dtype.kind in "biuf", f"{name} must hold numbers.")
    if array.dtype not in (np.float32, np.float64):  # float16 would overflow in sums
        array = array.astype(float)
    require(bool(np.isfinite(array).all()), f"{name} must hold finite numbers, and holds nan or infinity.")
    return array
