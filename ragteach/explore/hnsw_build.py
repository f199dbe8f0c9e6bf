"""The graph of chapter 08 that grows node by node under a slider."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from ragteach.explore.hnsw_figures import directed, draw_layer, layers_figure, page, pairs, title_of
from ragteach.explore.widgets import result_of, show_explorer
from ragteach.retrieval.hnsw import Layer, random_level
from ragteach.retrieval.hnsw_build import insert

if TYPE_CHECKING:
    from ipywidgets import VBox

N_POINTS, M, EF_CONSTRUCTION, SEED = 30, 3, 12, 5
APART = 0.7  # least distance between two of the points

TEXTS = {
    "step": {"fr": "Étape", "en": "Step"},
    "empty": {"fr": "Le graphe est vide.", "en": "The graph is empty."},
    "inserted": {
        "fr": "Nœud {node}, niveau {level}. Liens nouveaux : {new}. Liens élagués, d’un côté au moins : {gone}. "
        "Point d’entrée : {entry}.",
        "en": "Node {node}, level {level}. New links: {new}. Pruned links, on one side at least: {gone}. "
        "Entry: {entry}.",
    },
    "static": {
        "fr": "Exécutez cette cellule pour obtenir le curseur, et insérer les nœuds un par un.",
        "en": "Run this cell to get the slider, and insert the nodes one by one.",
    },
}


@lru_cache
def example() -> tuple[np.ndarray, list[int], list[tuple[list[Layer], int | None]]]:
    """Give 30 points of the plane in three clusters, their levels, and the graph before and after each insertion."""
    rng = np.random.default_rng(SEED)
    centres = np.array([[2.0, 2.0], [5.0, 7.5], [9.0, 3.0]])
    places: list[np.ndarray] = []
    while len(places) < N_POINTS:
        place = centres[rng.integers(3)] + rng.normal(scale=1.4, size=2)
        if all(np.linalg.norm(place - other) > APART for other in places):  # lest nodes cover each other
            places.append(place)
    vectors = np.array(places)
    levels = [random_level(u, M) for u in 1 - rng.random(N_POINTS)]
    states: list[tuple[list[Layer], int | None]] = [([], None)]
    for node, level in enumerate(levels):
        states.append(insert(vectors, *states[-1], node, min(level, 2), M, EF_CONSTRUCTION))
    return vectors, [min(level, 2) for level in levels], states


def build_figure(step: int, lang: str) -> Figure:
    """Draw the layers after some insertions: the links that the last one made, and those that it pruned."""
    vectors, _, states = example()
    (before, _), (after, _) = states[max(0, step - 1)], states[step]
    draw, titles = [], []
    for n in reversed(range(3)):
        old = before[n] if n < len(before) else {}
        layer = after[n] if n < len(after) else {}
        new, gone = pairs(layer) - pairs(old), directed(old) - directed(layer)
        here = {step - 1: "here"} if step else {}
        draw.append(
            lambda ax, layer=layer, new=new, gone=gone, here=here: draw_layer(ax, vectors, layer, new, gone, here)
        )
        titles.append(title_of(n, layer, lang))
    return layers_figure(draw, titles)


def build_words(step: int, lang: str) -> str:
    """Say what the last of some insertions did."""
    _, levels, states = example()
    if not step:
        return TEXTS["empty"][lang]
    (before, _), (after, entry) = states[step - 1], states[step]
    old = {(n, pair) for n, layer in enumerate(before) for pair in directed(layer)}
    now = {(n, pair) for n, layer in enumerate(after) for pair in directed(layer)}
    new, gone = ({(n, frozenset(pair)) for n, pair in links} for links in (now - old, old - now))
    return TEXTS["inserted"][lang].format(
        node=step - 1, level=levels[step - 1], new=len(new), gone=len(gone), entry=entry
    )


def build_page(step: int, lang: str) -> str:
    """Put the layers after some insertions on a page, with what the last one did in words."""
    return page(build_figure(step, lang), build_words(step, lang), lang)


def build_box(lang: str) -> VBox:
    """Build the explorer of the graph: a slider above the layers."""
    import ipywidgets as widgets

    step = widgets.IntSlider(N_POINTS // 2, min=0, max=N_POINTS, description=TEXTS["step"][lang])
    return widgets.VBox([step, result_of([step], lambda: build_page(step.value, lang))])


def hnsw_builder(lang: str = "fr") -> None:
    """Display a graph that grows node by node under a slider; a picture where RAGTEACH_STATIC is 1."""
    show_explorer(
        lambda: build_box(lang),
        lambda: build_page(N_POINTS // 2, lang) + build_page(N_POINTS, lang),
        TEXTS["static"][lang],
    )
