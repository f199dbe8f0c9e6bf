"""What chapter 08 shows: a line of friends, layers that grow node by node, a search hop by hop, and recall curves."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush
from importlib import import_module
from math import cos, pi, sin
from types import ModuleType
from typing import TYPE_CHECKING

import numpy as np
from IPython.display import display
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ragteach.explore.figures import STYLES, axes, image
from ragteach.retrieval.hnsw import Layer, greedy, random_level, squared_distances
from ragteach.retrieval.hnsw_build import insert

if TYPE_CHECKING:
    from ipywidgets import VBox

BLUE, ORANGE, GREY = "#0b5394", "#b45f06", "#bbbbbb"
N_POINTS, M, EF_CONSTRUCTION, SEED = 30, 3, 12, 5
MOST_NUMBERED = 40  # nodes of a layer; more of them are drawn as dots, without numbers or marks
APART = 0.7  # least distance between two of the points
QUERY = np.array([1.2, 4.2])

TEXTS = {
    "layer": {"fr": "étage {n} : {size} nœuds", "en": "layer {n}: {size} nodes"},
    "layer of one": {"fr": "étage {n} : 1 nœud", "en": "layer {n}: 1 node"},
    "step": {"fr": "Étape", "en": "Step"},
    "empty": {"fr": "Le graphe est vide.", "en": "The graph is empty."},
    "inserted": {
        "fr": "Nœud {node}, niveau {level}. Liens nouveaux : {new}. Liens élagués, d’un côté au moins : {gone}. "
        "Point d’entrée : {entry}.",
        "en": "Node {node}, level {level}. New links: {new}. Pruned links, on one side at least: {gone}. "
        "Entry: {entry}.",
    },
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
    "static build": {
        "fr": "Exécutez cette cellule pour obtenir le curseur, et insérer les nœuds un par un.",
        "en": "Run this cell to get the slider, and insert the nodes one by one.",
    },
    "static search": {
        "fr": "Exécutez cette cellule pour obtenir les curseurs, et avancer d’un nœud à la fois.",
        "en": "Run this cell to get the sliders, and advance one node at a time.",
    },
    "distances": {"fr": "distances calculées par question", "en": "distances computed per query"},
    "recall": {"fr": "rappel@10 (recherche exacte : 1)", "en": "recall@10 (exact search: 1)"},
    "vectors": {"fr": "nombre de vecteurs", "en": "number of vectors"},
    "exact": {"fr": "recherche exacte", "en": "exact search"},
    "query": {"fr": "question", "en": "query"},
    "optional": {
        "fr": "Cette cellule est facultative : elle se sert de {module}. Pour l’essayer : {install}",
        "en": "This cell is optional: it uses {module}. To try it: {install}",
    },
}


# A line of friends, and some friends far away


def friends_figure(n: int, links: Iterable[tuple[int, int]], path: Sequence[int]) -> Figure:
    """Draw n people in a circle, who knows whom, and the way of a message: thick, its steps numbered."""
    figure = Figure(figsize=(4.2, 4.2))
    ax = figure.add_subplot()
    places = np.array([(sin(2 * pi * i / n), cos(2 * pi * i / n)) for i in range(n)])
    for a, b in links:
        ax.plot(*places[[a, b]].T, color=GREY, linewidth=1, zorder=1)
    ax.plot(*places[list(path)].T, color=BLUE, linewidth=2.5, zorder=2)
    ax.scatter(*places.T, s=40, color="white", edgecolor="black", zorder=3)
    for step, node in enumerate(path):
        ax.text(*(1.12 * places[node]), str(step), ha="center", va="center", fontsize=9, weight="bold")
    ax.set_aspect("equal")
    ax.axis("off")
    return figure


# One layer on a plane


def graph_figure(
    vectors: np.ndarray, layer: Layer, query: np.ndarray | None = None, path: Sequence[int] = (), lang: str = "fr"
) -> Figure:
    """Draw one layer on a plane: nodes with their numbers, links, the query as a star, and the way that is walked."""
    figure = Figure(figsize=(6, 3.6))
    ax = figure.add_subplot()
    draw_layer(ax, vectors, layer)
    for a, b in zip(path, path[1:], strict=False):
        arrow = {"arrowstyle": "->", "color": BLUE, "linewidth": 2.5}
        ax.annotate("", vectors[b], vectors[a], arrowprops=arrow)
    if query is not None:
        draw_query(ax, query, lang)
    ax.set_aspect("equal")
    return figure


def draw_layer(
    ax: Axes,
    vectors: np.ndarray,
    layer: Layer,
    new: Iterable[tuple[int, int]] = (),
    gone: Iterable[tuple[int, int]] = (),
    marked: Mapping[int, str] | None = None,
) -> None:
    """Draw a layer's links thin, new ones thick, pruned ones dotted; nodes as circles, or by their mark."""
    for a, b in pairs(layer):
        ax.plot(*vectors[[a, b]].T, color=GREY, linewidth=1, zorder=1)
    for a, b in new:
        ax.plot(*vectors[[a, b]].T, color=BLUE, linewidth=2.5, zorder=2)
    for a, b in gone:
        ax.plot(*vectors[[a, b]].T, color=ORANGE, linewidth=2, linestyle=":", zorder=2)
    if len(layer) > MOST_NUMBERED:
        ax.plot(*vectors[list(layer)].T, "o", markersize=6, color="white", markeredgecolor="black", zorder=3)
    for node in layer if len(layer) <= MOST_NUMBERED else ():
        style = (marked or {}).get(node, "plain")
        fill, edge, width = {
            "plain": ("white", "black", 0.8),
            "here": (BLUE, BLUE, 2.5),
            "result": ("#9fc5e8", BLUE, 2.0),
            "candidate": ("#ffe599", ORANGE, 2.0),
            "seen": ("#e0e0e0", "black", 0.8),
        }[style]
        shape = "square" if style == "candidate" else "circle"
        box = {"boxstyle": f"{shape},pad=0.2", "facecolor": fill, "edgecolor": edge, "linewidth": width}
        colour = "white" if style == "here" else "black"
        ax.text(*vectors[node], str(node), ha="center", va="center", fontsize=8, color=colour, bbox=box, zorder=3)
    low, high = vectors.min(axis=0), vectors.max(axis=0)
    margin = 0.08 * (high - low).max()
    ax.set_xlim(low[0] - margin, high[0] + margin)
    ax.set_ylim(low[1] - margin, high[1] + margin)
    ax.set_xticks([])
    ax.set_yticks([])


def draw_query(ax: Axes, query: np.ndarray, lang: str) -> None:
    ax.plot(*query, marker="*", markersize=16, color=ORANGE, markeredgecolor="black", zorder=4)
    ax.annotate(TEXTS["query"][lang], query, xytext=(0, 12), textcoords="offset points", ha="center", fontsize=9)


def directed(layer: Layer) -> set[tuple[int, int]]:
    """Give the links of a layer as pairs (from, to): a link may be pruned on one side only."""
    return {(a, b) for a, links in layer.items() for b in links}


def pairs(layer: Layer) -> set[tuple[int, int]]:
    """Give the links of a layer as pairs, the lower node first: a link both ways is drawn once."""
    return {(min(a, b), max(a, b)) for a, links in layer.items() for b in links}


def layers_figure(draw: Sequence, titles: Sequence[str]) -> Figure:
    """Open one picture a layer, the top one on the left, and have each drawn."""
    figure = Figure(figsize=(3.6 * len(titles), 3.5), layout="constrained")
    for ax, title, what in zip(figure.subplots(1, len(titles), squeeze=False)[0], titles, draw, strict=True):
        ax.set_title(title, fontsize=10)
        what(ax)
        ax.set_aspect("equal")
    return figure


def title_of(n: int, layer: Layer, lang: str) -> str:
    return TEXTS["layer" if len(layer) != 1 else "layer of one"][lang].format(n=n, size=len(layer))


# The graph, node by node


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
    links = {(n, min(pair), max(pair)) for n, pair in now - old}
    return TEXTS["inserted"][lang].format(
        node=step - 1, level=levels[step - 1], new=len(links), gone=len(old - now), entry=entry
    )


# A search, hop by hop


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
    """Draw the layer where a search stands: the node it explores, candidates in squares, results in thick circles."""
    marked = dict.fromkeys(hop.seen, "seen") | dict.fromkeys(hop.candidates, "candidate")
    marked |= dict.fromkeys(hop.results, "result") | {hop.here: "here"}
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


# Explorers


def page(figure: Figure, words: str, lang: str) -> str:
    """Put a picture and what it shows in words on a page."""
    return f'<div lang="{lang}" style="white-space: normal"><p role="status">{words}</p>{image(figure, words)}</div>'


def build_page(step: int, lang: str) -> str:
    return page(build_figure(step, lang), build_words(step, lang), lang)


def search_pages(ef: int, lang: str) -> list[Hop]:
    vectors, _, states = example()
    layers, entry = states[-1]
    return hops(vectors, layers, entry, QUERY, ef)


def search_page(step: int, ef: int, lang: str) -> str:
    vectors, _, states = example()
    hop = search_pages(ef, lang)[step]
    return page(hop_figure(vectors, states[-1][0], QUERY, hop, lang), hop_words(hop, lang), lang)


def build_box(lang: str) -> VBox:
    """Build the explorer of the graph: a slider above the layers."""
    import ipywidgets as widgets

    step = widgets.IntSlider(N_POINTS // 2, min=0, max=N_POINTS, description=TEXTS["step"][lang])
    result = widgets.HTML()

    def refresh(change: object = None) -> None:
        result.value = build_page(step.value, lang)

    step.observe(refresh, names="value")
    refresh()
    return widgets.VBox([step, result])


def search_box(lang: str) -> VBox:
    """Build the explorer of a search: sliders for ef and the step above the layer where the search stands."""
    import ipywidgets as widgets

    ef = widgets.IntSlider(3, min=1, max=8, description="ef")
    step = widgets.IntSlider(0, min=0, max=len(search_pages(3, lang)) - 1, description=TEXTS["step"][lang])
    result = widgets.HTML()

    def refresh(change: object = None) -> None:
        step.max = len(search_pages(ef.value, lang)) - 1  # moves the step where it would be too large
        result.value = search_page(step.value, ef.value, lang)

    ef.observe(refresh, names="value")
    step.observe(refresh, names="value")
    refresh()
    return widgets.VBox([ef, step, result])


def hnsw_builder(lang: str = "fr") -> None:
    """Display a graph that grows node by node under a slider; a picture where RAGTEACH_STATIC is 1."""
    if os.environ.get("RAGTEACH_STATIC") != "1":
        display(build_box(lang))
        return
    note = TEXTS["static build"][lang]
    html = build_page(N_POINTS // 2, lang) + build_page(N_POINTS, lang)
    display({"text/html": f"{html}<p>{note}</p>", "text/plain": note}, raw=True)


def hnsw_walker(lang: str = "fr") -> None:
    """Display a search node by node under two sliders; pictures where RAGTEACH_STATIC is 1."""
    if os.environ.get("RAGTEACH_STATIC") != "1":
        display(search_box(lang))
        return
    note = TEXTS["static search"][lang]
    last = len(search_pages(3, lang)) - 1
    html = "".join(search_page(step, 3, lang) for step in (0, last // 2, last))
    display({"text/html": f"{html}<p>{note}</p>", "text/plain": note}, raw=True)


# Recall and distances


def recall_figure(series: Mapping[str, Sequence[tuple[float, float]]], lang: str) -> Figure:
    """Draw recall against distances, one curve a setting, its name at its end; at most four."""
    if not 1 <= len(series) <= len(STYLES):
        raise ValueError(f"series must hold 1 to {len(STYLES)} curves, not {len(series)}.")
    figure = axes(TEXTS["distances"][lang], TEXTS["recall"][lang], lang)
    ax = figure.axes[0]
    for (name, curve), style in zip(series.items(), STYLES, strict=False):
        ax.plot(*zip(*curve, strict=True), label=name, **style)
    ax.set_ylim(top=1.02)
    ax.legend(loc="lower right", frameon=False)
    return figure


def growth_figure(sizes: Sequence[int], series: Mapping[str, Sequence[float]], lang: str) -> Figure:
    """Draw distances per query against the number of vectors, both on log axes, beside exact search."""
    figure = axes(TEXTS["vectors"][lang], TEXTS["distances"][lang], lang)
    ax = figure.axes[0]
    curves = {TEXTS["exact"][lang]: list(sizes), **series}
    for (name, values), style in zip(curves.items(), STYLES, strict=False):
        ax.plot(sizes, values, label=name, **style)
    ax.set_xscale("log")
    ax.set_yscale("log")
    thousands = "\u202f" if lang == "fr" else ","
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(lambda value, position: f"{value:,.0f}".replace(",", thousands))
    ax.legend(loc="upper left", frameon=False)
    return figure


def optional(module: str, install: str, lang: str) -> ModuleType | None:
    """Import a library that the course does without; where it is absent, say how to install it and give None.

    None too where RAGTEACH_STATIC is 1: a stored notebook reads the same with the library and without it.
    """
    if os.environ.get("RAGTEACH_STATIC") != "1":
        try:
            return import_module(module)
        except ImportError:
            pass
    print(TEXTS["optional"][lang].format(module=module, install=install))
    return None
