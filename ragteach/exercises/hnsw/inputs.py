"""Points of the plane and small graphs shared by the chapter's exercises, and how lists of neighbours are compared.

hypothesis is imported when a strategy is built, so that importing the exercises stays fast. Points have whole
coordinates: their distances are exact however they are computed, so that a tie is a tie for everybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import permutations
from typing import TYPE_CHECKING, Any

import numpy as np

from ragteach.retrieval.hnsw import Layer
from ragteach.retrieval.hnsw_build import insert

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

SIDE = 4  # coordinates run from -SIDE to SIDE
OFFSET = (0.25, 0.0625)  # from a query to the points with whole coordinates around it
NEAR = 1e-9  # distances that differ by less are equal


def squared(a: Sequence[float], b: Sequence[float]) -> float:
    """Give the squared distance of two points."""
    return float(np.square(np.subtract(a, b)).sum())


def points(least: int, most: int) -> SearchStrategy[np.ndarray]:
    """Draw different points of the plane."""
    from hypothesis import strategies as st

    coordinate = st.integers(-SIDE, SIDE)
    return st.lists(st.tuples(coordinate, coordinate), min_size=least, max_size=most, unique=True).map(
        lambda drawn: np.array(drawn, dtype=float)
    )


def queries() -> SearchStrategy[np.ndarray]:
    """Draw a query beside a point with whole coordinates."""
    from hypothesis import strategies as st

    coordinate = st.integers(-SIDE, SIDE)
    return st.tuples(coordinate, coordinate).map(lambda drawn: np.array(drawn) + OFFSET)


@lru_cache
def layers(n: int, least: int = 0, most: int = 3) -> SearchStrategy[Layer]:
    """Draw a layer of n nodes, each with `least` to `most` neighbours; some links lead one way only."""
    from hypothesis import strategies as st

    def links(node: int) -> SearchStrategy[list[int]]:
        # All at once, not one by one: that is quicker, and hypothesis repeats itself less.
        others = [other for other in range(n) if other != node]
        sizes = range(min(least, len(others)), min(most, len(others)) + 1)
        return st.one_of(*(st.sampled_from(list(permutations(others, size))) for size in sizes)).map(list)

    return st.fixed_dictionaries({node: links(node) for node in range(n)})


def without_lone_nodes(layer: Layer) -> Layer:
    """Drop the nodes without neighbours: a node that is not in the layer has none either."""
    return {node: links for node, links in layer.items() if links}


def far_end(vectors: np.ndarray, query: np.ndarray) -> int:
    """Give the node from which the way to a query is longest."""
    return int(((vectors - query) ** 2).sum(axis=1).argmax())


def no_ties(vectors: np.ndarray, query: np.ndarray) -> bool:
    """Tell whether all points lie at different distances of the query, so that there is one way to walk."""
    distances = np.sort(((vectors - query) ** 2).sum(axis=1))
    return bool((np.diff(distances) > NEAR).all())


@lru_cache
def history(seed: int, m: int, n: int = 26) -> tuple[np.ndarray, list[tuple[list[Layer], int | None]]]:
    """Build a graph of n points one by one: the points, and the layers and entry before each of them and at the end."""
    rng = np.random.default_rng(seed)
    grid = np.stack(np.meshgrid(*[np.arange(-SIDE, SIDE + 1)] * 2), axis=-1).reshape(-1, 2)
    vectors = rng.permutation(grid)[:n].astype(float)
    state: tuple[list[Layer], int | None] = ([], None)
    states = [state]
    for node, level in enumerate(rng.geometric(1 - 1 / m, n) - 1):
        states.append(insert(vectors, *states[-1], node, int(level), m, 20))
    return vectors, states


def ids_of(got: Any) -> list[int] | None:
    """Read a collection of node numbers, of whatever type; None where it is none."""
    if not isinstance(got, list | tuple | set | np.ndarray):
        return None
    items = list(got.tolist() if isinstance(got, np.ndarray) else got)
    whole = all(
        isinstance(item, int | float) and not isinstance(item, bool) and item == int_or_none(item) for item in items
    )
    return [int(item) for item in items] if whole else None


def int_or_none(item: float) -> int | None:
    """Give a number as an int; None for nan and infinity."""
    try:
        return int(item)
    except (ValueError, OverflowError):
        return None


def layer_of(got: Any) -> Layer | None:
    """Read a layer, its lists of neighbours of whatever type; None where it is none."""
    if not isinstance(got, dict):
        return None
    layer = {node: ids_of(links) for node, links in got.items()}
    return None if None in layer.values() else layer


def sorted_links(layer: Layer) -> Layer:
    """Sort each node's neighbours: their order does not count."""
    return {node: sorted(links) for node, links in layer.items()}


def is_selection(
    vectors: np.ndarray, base: int, candidates: Iterable[int], chosen: Sequence[int], least: int, most: int
) -> bool:
    """Tell whether the heuristic may choose these neighbours, in this order, at some bound from `least` to `most`.

    Among candidates at equal distance of the base any may be taken first. That decides nothing else: of two such
    candidates either keeps or drops the other.
    """
    left = {c: squared(vectors[c], vectors[base]) for c in set(candidates) - {base}}
    for choice in chosen:
        if choice not in left or left[choice] > min(left.values()) + NEAR:
            return False
        del left[choice]
        left = {c: d for c, d in left.items() if squared(vectors[c], vectors[choice]) >= d - NEAR}
    return len(chosen) <= most and (len(chosen) >= least or not left)


def by_distance(vectors: np.ndarray, base: int, nodes: Iterable[int]) -> list[int]:
    """Sort nodes by their distance of the base."""
    return sorted(nodes, key=lambda node: (squared(vectors[node], vectors[base]), node))
