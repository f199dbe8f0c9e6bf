"""Random vectors, cells and rankings shared by the chapter's exercises.

Their numbers are small and whole: every inner product is exact in any order of summation, so that ties are true
ties and nobody is failed for rounding. hypothesis is imported when a strategy is built.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING

import numpy as np

from ragteach.retrieval.ivf import assign, build_cells

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

MAX_VALUE = 3


@lru_cache
def rows(n: int, dims: int, largest: int = MAX_VALUE) -> SearchStrategy[np.ndarray]:
    """Draw n vectors of `dims` small whole numbers, the zero vector and repeated ones among them."""
    from hypothesis import strategies as st

    # A row is one draw, not one a number: that is quicker, and hypothesis repeats itself less. Simple rows come first.
    everything = sorted(product(range(-largest, largest + 1), repeat=dims), key=lambda row: (sum(map(abs, row)), row))
    drawn = st.lists(st.sampled_from(everything), min_size=n, max_size=n)
    return drawn.map(lambda chosen: np.array(chosen, dtype=float).reshape(n, dims))


def collections(max_size: int = 7) -> SearchStrategy[tuple[np.ndarray, np.ndarray]]:
    """Draw up to `max_size` vectors, at least one, and a query of as many dimensions."""
    from hypothesis import strategies as st

    shapes = st.tuples(st.integers(1, max_size), st.integers(1, 3))
    return shapes.flatmap(lambda shape: st.tuples(rows(*shape), rows(1, shape[1]).map(lambda drawn: drawn[0])))


def counts() -> SearchStrategy[int]:
    """Draw a k or an nprobe, often larger than what there is."""
    from hypothesis import strategies as st

    return st.integers(1, 8)


def cells_of(vectors: np.ndarray, centroids: np.ndarray) -> list[np.ndarray]:
    """Give the cells that the centroids make of the vectors, empty ones included."""
    return build_cells(assign(vectors, centroids), len(centroids))
