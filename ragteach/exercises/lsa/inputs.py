"""Random vectors and matrices shared by the chapter's exercises, small enough to be read in a feedback.

hypothesis is imported when a strategy is built, so that importing the exercises stays fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

MAX_VALUE = 4


def rows(n: int, dims: int) -> SearchStrategy[np.ndarray]:
    """Draw n vectors of `dims` small whole numbers, rows of zeros and rows with one value among them."""
    from hypothesis import strategies as st

    value = st.integers(-MAX_VALUE, MAX_VALUE)
    full = st.lists(value, min_size=dims, max_size=dims)
    on_an_axis = st.tuples(st.integers(0, dims - 1), st.sampled_from((1, 2, -1, 0, 4))).map(
        lambda drawn: [drawn[1] if column == drawn[0] else 0 for column in range(dims)]
    )
    return st.lists(full | on_an_axis, min_size=n, max_size=n).map(
        lambda drawn: np.array(drawn, dtype=float).reshape(n, dims)
    )


def vectors(dims: int) -> SearchStrategy[np.ndarray]:
    """Draw one vector of `dims` small whole numbers."""
    return rows(1, dims).map(lambda drawn: drawn[0])
