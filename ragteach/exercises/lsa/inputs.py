"""Random vectors and matrices shared by the chapter's exercises, small enough to be read in a feedback.

hypothesis is imported when a strategy is built, so that importing the exercises stays fast.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

MAX_VALUE = 4


@lru_cache
def one_row(dims: int) -> SearchStrategy[tuple[int, ...]]:
    """Draw `dims` small whole numbers; half of the time at most one of them is not zero."""
    from hypothesis import strategies as st

    largest = MAX_VALUE if dims <= 3 else 2
    everything = product(range(-largest, largest + 1), repeat=dims)
    # A row is one draw, not one a value, and simple ones come first: an input that fails shrinks to the simplest in
    # far fewer calls of the reader's function.
    full = sorted(everything, key=lambda row: (sum(map(abs, row)), sum(value < 0 for value in row)))
    on_an_axis = [row for row in full if sum(map(bool, row)) < 2 and set(row) <= {0, 1, 2, -1, 4}]
    return st.sampled_from(on_an_axis) | st.sampled_from(full)


@lru_cache
def rows(n: int, dims: int) -> SearchStrategy[np.ndarray]:
    """Draw n vectors of `dims` small whole numbers, rows of zeros and rows with one value among them."""
    from hypothesis import strategies as st

    return st.lists(one_row(dims), min_size=n, max_size=n).map(
        lambda drawn: np.array(drawn, dtype=float).reshape(n, dims)
    )


@lru_cache
def vectors(dims: int) -> SearchStrategy[np.ndarray]:
    """Draw one vector of `dims` small whole numbers."""
    return one_row(dims).map(lambda drawn: np.array(drawn, dtype=float))
