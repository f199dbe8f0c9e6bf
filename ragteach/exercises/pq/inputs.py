"""Random vectors, codebooks and codes shared by the chapter's exercises; hypothesis is imported when one is built.

For coding and distances, numbers are small and whole: squares and sums of them are exact in any order. For training
they are logarithms of primes, of which no mean lies midway between two others: k-means meets no tie, and nobody is
failed for breaking one in another way.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from ragteach.checking.compare import Difference

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

MAX_VALUE = 4
LOGS = np.log([n for n in range(2, 400) if all(n % d for d in range(2, int(n**0.5) + 1))])


def numbers(*shape: int) -> SearchStrategy[np.ndarray]:
    """Draw an array of small whole numbers."""
    from hypothesis import strategies as st

    size = int(np.prod(shape))
    drawn = st.lists(st.integers(-MAX_VALUE, MAX_VALUE), min_size=size, max_size=size)
    return drawn.map(lambda values: np.array(values, dtype=float).reshape(shape))


def codes(n: int, n_subspaces: int, n_codes: int) -> SearchStrategy[np.ndarray]:
    """Draw codes of n vectors, shape (n, M), type uint8."""
    from hypothesis import strategies as st

    size = n * n_subspaces
    drawn = st.lists(st.integers(0, n_codes - 1), min_size=size, max_size=size)
    return drawn.map(lambda values: np.array(values, dtype=np.uint8).reshape(n, n_subspaces))


def no_ties(n: int, dims: int) -> SearchStrategy[np.ndarray]:
    """Draw n vectors whose numbers are all different, and that k-means never finds midway between two centroids."""
    from hypothesis import strategies as st

    places = st.lists(st.integers(0, len(LOGS) - 1), min_size=n * dims, max_size=n * dims, unique=True)
    return places.map(lambda drawn: LOGS[drawn].reshape(n, dims))


def type_fault(expected: Any, got: Any, path: str) -> Difference | None:
    """Say where an array is not of the one-byte type of the expected one; lists of numbers have no such type."""
    if not isinstance(expected, np.ndarray) or not isinstance(got, np.ndarray):
        return None
    if (expected.dtype.itemsize == 1) == (got.dtype.itemsize == 1):  # same values in one byte are the same type
        return None
    return Difference("value", f"{path}.dtype", str(expected.dtype), str(got.dtype))
