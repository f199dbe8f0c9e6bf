"""Pictures of chapter 08: friends in a circle, a graph on a plane, its layers side by side, recall and growth."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import cos, pi, sin

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ragteach.explore.figures import grouped, image, paths
from ragteach.retrieval.hnsw import Layer

BLUE, ORANGE, GREY = "#0b5394", "#b45f06", "#bbbbbb"
MOST_NUMBERED = 40  # nodes of a layer; more of them are drawn as dots, without numbers or marks
# Mark of a node -> fill, edge and its width, shape. Results have thick edges and candidates are squares, so that the
# marks can be told apart in grey, and a node can be both.
MARKS = {
    "plain": ("white", "black", 0.8, "circle"),
    "seen": ("#e0e0e0", "black", 0.8, "circle"),
    "here": (BLUE, BLUE, 2.5, "circle"),
    "result": ("#9fc5e8", BLUE, 2.5, "circle"),
    "candidate": ("#ffe599", ORANGE, 1.0, "square"),
    "both": ("#9fc5e8", BLUE, 2.5, "square"),
}

TEXTS = {
    "layer": {"fr": "étage {n} : {size} nœuds", "en": "layer {n}: {size} nodes"},
    "layer of one": {"fr": "étage {n} : 1 nœud", "en": "layer {n}: 1 node"},
    "distances": {"fr": "distances calculées par question", "en": "distances computed per query"},
    "recall": {"fr": "rappel@10 (recherche exacte : 1)", "en": "recall@10 (exact search: 1)"},
    "vectors": {"fr": "nombre de vecteurs", "en": "number of vectors"},
    "exact": {"fr": "recherche exacte", "en": "exact search"},
    "query": {"fr": "question", "en": "query"},
}


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
        fill, edge, width, shape = MARKS[style]
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
    """Draw the query as a star with its name."""
    ax.plot(*query, marker="*", markersize=16, color=ORANGE, markeredgecolor="black", zorder=4)
    ax.annotate(TEXTS["query"][lang], query, xytext=(0, 12), textcoords="offset points", ha="center", fontsize=9)


def directed(layer: Layer) -> set[tuple[int, int]]:
    """Give the links of a layer as pairs (from, to): a link may be pruned on one side only."""
    return {(a, b) for a, links in layer.items() for b in links}


def pairs(layer: Layer) -> set[tuple[int, int]]:
    """Give the links of a layer as pairs, the lower node first: a link both ways is drawn once."""
    return {(min(a, b), max(a, b)) for a, links in layer.items() for b in links}


def layers_figure(draw: Sequence[Callable[[Axes], None]], titles: Sequence[str]) -> Figure:
    """Open one picture a layer, the top one on the left, and have each drawn."""
    figure = Figure(figsize=(3.6 * len(titles), 3.5), layout="constrained")
    for ax, title, what in zip(figure.subplots(1, len(titles), squeeze=False)[0], titles, draw, strict=True):
        ax.set_title(title, fontsize=10)
        what(ax)
        ax.set_aspect("equal")
    return figure


def title_of(n: int, layer: Layer, lang: str) -> str:
    """Say which layer it is, and how many nodes it holds."""
    return TEXTS["layer" if len(layer) != 1 else "layer of one"][lang].format(n=n, size=len(layer))


def recall_figure(series: Mapping[str, Sequence[tuple[float, float]]], lang: str) -> Figure:
    """Draw recall against distances, one curve a setting, named in a legend.

    Raises ValueError for no curve, or for more than four.
    """
    figure = paths(series, TEXTS["distances"][lang], TEXTS["recall"][lang], lang)
    ax = figure.axes[0]
    low, _ = ax.get_ylim()
    ax.set_yticks([tick for tick in ax.get_yticks() if low <= tick <= 1])  # a recall above 1 does not exist
    ax.set_ylim(low, 1.02)  # lest a marker at 1 be cut in two
    ax.legend(loc="lower right", frameon=False)
    return figure


def growth_figure(sizes: Sequence[int], series: Mapping[str, Sequence[float]], lang: str) -> Figure:
    """Draw distances per query against the number of vectors, both on log axes, beside exact search.

    Raises ValueError for more than three series, or for one that has not a value for each size.
    """
    counts = {TEXTS["exact"][lang]: sizes, **series}
    points = {name: list(zip(sizes, values, strict=True)) for name, values in counts.items()}
    figure = paths(points, TEXTS["vectors"][lang], TEXTS["distances"][lang], lang)
    ax = figure.axes[0]
    ax.set_xscale("log")
    ax.set_yscale("log")
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(lambda value, position: grouped(value, lang))
    ax.legend(loc="upper left", frameon=False)
    return figure


def page(figure: Figure, words: str, lang: str) -> str:
    """Put a picture and what it shows in words on a page."""
    return f'<div lang="{lang}" style="white-space: normal"><p role="status">{words}</p>{image(figure, words)}</div>'
