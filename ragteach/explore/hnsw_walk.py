"""A search of chapter 08, node by node under two sliders."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from ragteach.explore.hnsw_build import example
from ragteach.explore.hnsw_figures import draw_layer, draw_query, page, title_of
from ragteach.explore.widgets import result_of, show_explorer
from ragteach.retrieval.hnsw import Layer, greedy, squared_distances

if TYPE_CHECKING:
    from ipywidgets import VBox

QUERY = np.array([1.2, 4.2])
MOST_EF = 8

TEXTS = {
    "step": {"fr": "Étape", "en": "Step"},
    "none": {"fr": "aucun", "en": "none"},
    "at": {
        "fr": "Étage {layer}, au nœud {here}. Candidats : {candidates}. Résultats, le plus proche d’abord : {results}. "
        "Distances calculées : {n}.",
        "en": "Layer {layer}, at node {here}. Candidates: {candidates}. Results, nearest first: {results}. "
        "Distances computed: {n}.",
    },
    "over": {
        "fr": "Fini : le plus proche candidat est plus loin que le pire résultat, ou il n’y en a plus.",
        "en": "Done: the nearest candidate is farther than the worst result, or there is none left.",
    },
    "static": {
        "fr": "Exécutez cette cellule pour obtenir les curseurs, et avancer d’un nœud à la fois.",
        "en": "Run this cell to get the sliders, and advance one node at a time.",
    },
}


@dataclass(frozen=True)
class Hop:
    """Where a search stands: its layer and node, the candidates and results it holds, the distances it computed."""

    layer: int
    here: int
    candidates: tuple[int, ...]
    results: tuple[int, ...]
    seen: frozenset[int]
    n_distances: int
    over: bool = False


def hops(vectors: np.ndarray, layers: Sequence[Layer], entry: int, query: np.ndarray, ef: int) -> list[Hop]:
    """Search as HNSW does, and note each node that is explored."""
    counted = 0

    def measure(ids: Sequence[int], point: np.ndarray) -> np.ndarray:
        nonlocal counted
        counted += len(ids)
        return squared_distances(vectors, ids, point)

    noted = []
    here = entry
    for n in reversed(range(1, len(layers))):
        noted.append(Hop(n, here, (), (here,), frozenset([here]), counted))
        nearest = greedy(measure, layers[n], query, here)
        if nearest != here:
            noted.append(Hop(n, nearest, (), (nearest,), frozenset([here, nearest]), counted))
        here = nearest
    start = (float(measure([here], query)[0]), here)
    candidates, found, seen = [start], [start], {here}
    over = False
    while not over:
        over = not candidates or candidates[0][0] > found[-1][0]
        if not over:
            here = heappop(candidates)[1]
            new = [other for other in layers[0].get(here, []) if other not in seen]
            seen.update(new)
            for pair in zip(measure(new, query).tolist() if new else [], new, strict=True):
                if len(found) < ef or pair < found[-1]:
                    heappush(candidates, pair)
                    found = sorted([*found, pair])[:ef]
        left = tuple(node for _, node in sorted(candidates))
        noted.append(Hop(0, here, left, tuple(node for _, node in found), frozenset(seen), counted, over))
    return noted


def hop_figure(vectors: np.ndarray, layers: Sequence[Layer], query: np.ndarray, hop: Hop, lang: str) -> Figure:
    """Draw the layer where a search stands: the node explored full, candidates square, results with a thick edge."""
    marked = dict.fromkeys(hop.seen, "seen") | dict.fromkeys(hop.candidates, "candidate")
    marked |= {node: "both" if node in hop.candidates else "result" for node in hop.results} | {hop.here: "here"}
    figure = Figure(figsize=(6, 4.6))
    ax = figure.add_subplot()
    ax.set_title(title_of(hop.layer, layers[hop.layer], lang), fontsize=10)
    draw_layer(ax, vectors, layers[hop.layer], marked=marked)
    draw_query(ax, query, lang)
    ax.set_aspect("equal")
    return figure


def hop_words(hop: Hop, lang: str) -> str:
    """Say where a search stands."""

    def listed(nodes: Sequence[int]) -> str:
        return ", ".join(map(str, nodes)) or TEXTS["none"][lang]

    said = TEXTS["at"][lang].format(
        layer=hop.layer,
        here=hop.here,
        candidates=listed(hop.candidates),
        results=listed(hop.results),
        n=hop.n_distances,
    )
    return f"{said} {TEXTS['over'][lang]}" if hop.over else said


def example_hops(ef: int) -> list[Hop]:
    """Search the finished graph of the example for the query."""
    vectors, _, states = example()
    layers, entry = states[-1]
    return hops(vectors, layers, entry, QUERY, ef)


def search_page(step: int, ef: int, lang: str) -> str:
    """Put one step of the example's search on a page, as a picture and in words; the last one where it is over."""
    vectors, _, states = example()
    found = example_hops(ef)
    hop = found[min(step, len(found) - 1)]
    return page(hop_figure(vectors, states[-1][0], QUERY, hop, lang), hop_words(hop, lang), lang)


def search_box(lang: str) -> VBox:
    """Build the explorer of a search: sliders for ef and the step above the layer where the search stands."""
    import ipywidgets as widgets

    ef = widgets.IntSlider(3, min=1, max=MOST_EF, description="ef")
    # One end for every ef: in a browser the End key goes to the end that a slider had when it was made.
    step = widgets.IntSlider(0, min=0, max=len(example_hops(MOST_EF)) - 1, description=TEXTS["step"][lang])
    return widgets.VBox([ef, step, result_of([ef, step], lambda: search_page(step.value, ef.value, lang))])


def hnsw_walker(lang: str = "fr") -> None:
    """Display a search node by node under two sliders; pictures where RAGTEACH_STATIC is 1."""

    def still() -> str:
        last = len(example_hops(3)) - 1
        return "".join(search_page(step, 3, lang) for step in (0, last // 2, last))

    show_explorer(lambda: search_box(lang), still, TEXTS["static"][lang])
