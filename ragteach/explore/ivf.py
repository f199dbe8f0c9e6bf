"""What chapter 06 shows: cells on a plane, k-means round by round, a search that visits some of them, and its cost.

The plane is a globe seen from above. Each point of it is a vector of norm 1 of three coordinates, whose third one
points at the reader; so cells, centroids and searches are those of the chapter, by inner product.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from time import perf_counter
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ragteach.explore.figures import grouped, image, number, paths, short, show_html, table
from ragteach.explore.widgets import page, result_of, show_explorer, static
from ragteach.retrieval.exact import ann_recall, exact_search
from ragteach.retrieval.ivf import assign, build_cells, ivf_search
from ragteach.retrieval.kmeans import kmeans

if TYPE_CHECKING:
    from ipywidgets import VBox

K = 10
N_CELLS = 12
MAX_ROUNDS = 10
SIDE = 0.68  # half the side of the square that is drawn; its corners are still on the globe
PIXELS = 300
VISITED = (0.81, 0.89, 0.95)
EDGE = (0.35, 0.35, 0.35)
QUERY = (0.0, -0.06)

TEXTS = {
    "rounds": {"fr": "tours", "en": "rounds"},
    "nprobe": {"fr": "nprobe", "en": "nprobe"},
    "across": {"fr": "question ↔", "en": "query ↔"},
    "up": {"fr": "question ↕", "en": "query ↕"},
    "query": {"fr": "question", "en": "query"},
    "centroid": {"fr": "centre de cellule", "en": "centroid"},
    "found": {"fr": "voisin exact trouvé", "en": "exact neighbour found"},
    "missed": {"fr": "voisin exact manqué", "en": "exact neighbour missed"},
    "vector": {"fr": "vecteur", "en": "vector"},
    "start": {"fr": "tirage de départ", "en": "initial draw"},
    "round": {"fr": "après {n} tour", "en": "after {n} round"},
    "many rounds": {"fr": "après {n} tours", "en": "after {n} rounds"},
    "state": {
        "fr": "k-means, {when}. Cellules visitées : {nprobe} sur {n_cells} ; vecteurs mesurés : {visited} sur "
        "{n} ({share} %). Rappel@{k} : {recall}.",
        "en": "k-means, {when}. Cells visited: {nprobe} of {n_cells}; vectors measured: {visited} of {n} ({share}%). "
        "Recall@{k}: {recall}.",
    },
    "legend": {
        "fr": "Les cellules visitées sont teintées. Disque plein : voisin exact trouvé ; croix : voisin exact "
        "manqué, dans une cellule non visitée.",
        "en": "Visited cells are tinted. Full disc: exact neighbour found; cross: exact neighbour missed, in a cell "
        "that is not visited.",
    },
    "play": {
        "fr": "▶ fait défiler les tours de k-means, ■ revient au tirage de départ (au clavier : Tab, puis Espace).",
        "en": "▶ steps through the rounds of k-means, ■ goes back to the initial draw (by keyboard: Tab, then Space).",
    },
    "static": {
        "fr": "Exécutez cette cellule pour animer k-means (bouton ▶) et obtenir les curseurs : tours, nprobe, place de "
        "la question.",
        "en": "Run this cell to animate k-means (button ▶) and to get the sliders: rounds, nprobe, place of the query.",
    },
    "clock": {
        "fr": "Exécutez cette cellule pour mesurer sur votre machine : les millisecondes dépendent d’elle, les "
        "nombres de distances non.",
        "en": "Run this cell to measure on your machine: milliseconds depend on it, numbers of distances do not.",
    },
    "way": {"fr": "façon de chercher", "en": "way of searching"},
    "time": {"fr": "ms par question", "en": "ms a query"},
    "ratio": {"fr": "rapport au premier", "en": "ratio to the first"},
}


def lift(points: np.ndarray) -> np.ndarray:
    """Give the vectors of norm 1, shape (n, 3), that points of the plane, (n, 2), stand for."""
    points = np.asarray(points, dtype=float)
    return np.column_stack([points, np.sqrt(1 - (points**2).sum(axis=1))])


def plane_vectors(n: int = 240, seed: int = 3) -> np.ndarray:
    """Draw vectors to look at, shape (n, 3): half of them in four groups, half anywhere in the square."""
    rng = np.random.default_rng(seed)
    centres = np.array([[-0.4, 0.35], [0.35, 0.4], [0.1, -0.4], [-0.45, -0.3]])
    grouped = centres[rng.integers(0, 4, n // 2)] + rng.normal(0, 0.09, (n // 2, 2))
    anywhere = rng.uniform(-0.62, 0.62, (n - n // 2, 2))
    return lift(np.clip(np.vstack([grouped, anywhere]), -0.66, 0.66))


def centroids_after(vectors: np.ndarray, n_cells: int, n_rounds: int, seed: int = 0) -> np.ndarray:
    """Give the centroids of k-means after some rounds; after none, the vectors that it draws first."""
    if n_rounds:
        return kmeans(vectors, n_cells, n_rounds, seed)
    return vectors[np.random.default_rng(seed).choice(len(vectors), n_cells, replace=False)]


def visit(
    vectors: np.ndarray, centroids: np.ndarray, query: np.ndarray, nprobe: int, k: int = K
) -> tuple[list[int], int, list[int], list[int]]:
    """Search as IVF does; give the cells visited, how many vectors they hold, the exact neighbours and those found."""
    cells = build_cells(assign(vectors, centroids), len(centroids))
    order = np.argsort(-(centroids @ query), kind="stable")
    probed = [int(cell) for cell in order if len(cells[cell])][:nprobe]
    found = ivf_search(query, vectors, centroids, cells, k, nprobe)
    return probed, sum(len(cells[cell]) for cell in probed), exact_search(vectors, query, k), found


def draw_cells(ax: Axes, vectors: np.ndarray, centroids: np.ndarray, probed: Sequence[int] = ()) -> None:
    """Draw the plane cut into cells, those visited tinted, with the vectors and the centroids."""
    along = np.linspace(-SIDE, SIDE, PIXELS)
    grid = np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)
    owner = assign(lift(grid), centroids).reshape(PIXELS, PIXELS)
    pixels = np.ones((PIXELS, PIXELS, 3))
    pixels[np.isin(owner, probed)] = VISITED
    edge = np.zeros((PIXELS, PIXELS), dtype=bool)
    across, up = owner[:, :-1] != owner[:, 1:], owner[:-1] != owner[1:]
    for part, change in ((edge[:, :-1], across), (edge[:, 1:], across), (edge[:-1], up), (edge[1:], up)):
        part |= change  # on both sides, so that a small picture loses no line
    pixels[edge] = EDGE
    ax.imshow(pixels, origin="lower", extent=(-SIDE, SIDE, -SIDE, SIDE), interpolation="nearest")
    ax.plot(*vectors[:, :2].T, ".", color="#444444", markersize=4)
    ax.plot(*centroids[:, :2].T, "P", color="white", markeredgecolor="black", markersize=9)
    ax.set(xticks=[], yticks=[], xlim=(-SIDE, SIDE), ylim=(-SIDE, SIDE))


def when(n_rounds: int, lang: str) -> str:
    """Say after how many rounds of k-means."""
    name = "start" if n_rounds == 0 else "round" if n_rounds == 1 else "many rounds"
    return TEXTS[name][lang].format(n=n_rounds)


def rounds_figure(rounds: Sequence[int], lang: str, n_cells: int = N_CELLS) -> Figure:
    """Draw the cells of the plane after each of some numbers of rounds of k-means, side by side."""
    vectors = plane_vectors()
    figure = Figure(figsize=(2.5 * len(rounds), 2.8), layout="constrained")
    for ax, n_rounds in zip(figure.subplots(1, len(rounds), squeeze=False)[0], rounds, strict=True):
        draw_cells(ax, vectors, centroids_after(vectors, n_cells, n_rounds))
        ax.set_title(when(n_rounds, lang), fontsize=10)
    return figure


def search_figure(
    vectors: np.ndarray, centroids: np.ndarray, query: np.ndarray, nprobe: int, lang: str, k: int = K
) -> Figure:
    """Draw a search: visited cells tinted, exact neighbours found as discs, those missed as crosses."""
    probed, _, exact, found = visit(vectors, centroids, query, nprobe, k)
    figure = Figure(figsize=(7.2, 4.8), layout="constrained")
    ax = figure.add_subplot()
    draw_cells(ax, vectors, centroids, probed)
    hits = vectors[[doc for doc in exact if doc in found]]
    misses = vectors[[doc for doc in exact if doc not in found]]
    dot = {"linestyle": "none", "marker": ".", "color": "#444444"}
    ax.plot([], [], label=TEXTS["vector"][lang], **dot)
    style = {"linestyle": "none", "markeredgecolor": "black"}
    ax.plot([], [], marker="P", color="white", label=TEXTS["centroid"][lang], markersize=9, **style)
    ax.plot(*query[:2], marker="*", color="#ffd966", markersize=17, label=TEXTS["query"][lang], **style)
    ax.plot(*hits[:, :2].T, marker="o", color="#0b5394", markersize=8, label=TEXTS["found"][lang], **style)
    ax.plot(*misses[:, :2].T, marker="X", color="#e69138", markersize=10, label=TEXTS["missed"][lang], **style)
    ax.legend(loc="upper left", bbox_to_anchor=(1.02, 1), frameon=False)
    return figure


def search_state(
    vectors: np.ndarray, centroids: np.ndarray, query: np.ndarray, nprobe: int, n_rounds: int, lang: str, k: int = K
) -> str:
    """Say in one line what a search visited and what it found."""
    probed, visited, exact, found = visit(vectors, centroids, query, nprobe, k)
    return TEXTS["state"][lang].format(
        when=when(n_rounds, lang),
        nprobe=len(probed),
        n_cells=len(centroids),
        visited=visited,
        n=len(vectors),
        share=round(100 * visited / len(vectors)),
        k=k,
        recall=number(ann_recall(found, exact), lang, 1),
    )


def search_html(vectors: np.ndarray, n_rounds: int, nprobe: int, query: Sequence[float], lang: str) -> str:
    """Tell a search on the plane, as one line, a picture and how to read it."""
    centroids, lifted = centroids_after(vectors, N_CELLS, n_rounds), lift(np.array([query]))[0]
    state = search_state(vectors, centroids, lifted, nprobe, n_rounds, lang)
    picture = image(search_figure(vectors, centroids, lifted, nprobe, lang), f"{state} {TEXTS['legend'][lang]}")
    return page(f'<p role="status">{state}</p>{picture}<p>{TEXTS["legend"][lang]}</p>', lang)


def explorer(lang: str) -> VBox:
    """Build the explorer: a player and sliders (rounds of k-means, nprobe, the query) above the plane that they give.

    The player moves the slider of the rounds, one a second, so that a round can be looked at and a kernel keeps up.
    """
    import ipywidgets as widgets

    vectors = plane_vectors()
    style = {"description_width": "7em"}
    rounds = widgets.IntSlider(0, 0, MAX_ROUNDS, description=TEXTS["rounds"][lang], style=style)
    play = widgets.Play(max=MAX_ROUNDS, interval=1000, show_repeat=False)
    widgets.link((play, "value"), (rounds, "value"))
    told = widgets.HTML(f'<div lang="{lang}">{TEXTS["play"][lang]}</div>')
    nprobe = widgets.IntSlider(1, 1, N_CELLS, description=TEXTS["nprobe"][lang], style=style)
    place = {"min": -0.6, "max": 0.6, "step": 0.02, "style": style, "readout_format": ".2f"}
    across = widgets.FloatSlider(QUERY[0], description=TEXTS["across"][lang], **place)
    up = widgets.FloatSlider(QUERY[1], description=TEXTS["up"][lang], **place)
    controls = [rounds, nprobe, across, up]
    result = result_of(
        controls, lambda: search_html(vectors, rounds.value, nprobe.value, (across.value, up.value), lang)
    )
    return widgets.VBox([widgets.HBox([play, told]), *controls, result])


def cells_explorer(lang: str = "fr") -> None:
    """Display cells on a plane, k-means animated, with sliders for its rounds, nprobe and the place of the query.

    Where RAGTEACH_STATIC is 1, as in a stored notebook, a picture stands for the sliders and a sentence says so.
    """
    show_explorer(
        lambda: explorer(lang),
        lambda: search_html(plane_vectors(), MAX_ROUNDS, 2, QUERY, lang),
        TEXTS["static"][lang],
    )


def trade_off(
    series: Mapping[str, Sequence[tuple[float, float]]], x_label: str, y_label: str, lang: str, percent: bool = False
) -> Figure:
    """Draw at most four named curves, each over its own x on a logarithmic axis; with `percent`, x is a share.

    Raises ValueError for no curve, or for more than four.
    """
    figure = paths(series, x_label, y_label, lang)
    ax = figure.axes[0]
    ax.set_xscale("log")
    reached = [x for points in series.values() for x, _ in points]
    ticks = round_numbers(min(reached), max(reached))
    ax.set_xticks(ticks, [_share(tick, lang) if percent else grouped(tick, lang) for tick in ticks])
    ax.set_xticks([], minor=True)
    ax.legend(frameon=False)
    return figure


def round_numbers(low: float, high: float) -> list[float]:
    """List the powers of ten from low to high, and 2 and 5 times each where that makes few numbers."""
    powers = range(int(np.floor(np.log10(low))), int(np.ceil(np.log10(high))) + 1)
    digits = (1, 2, 5) if high < 300 * low else (1,)
    candidates = [round(digit * 10.0**power, 9) for power in powers for digit in digits]
    return [value for value in candidates if 0.95 * low <= value <= 1.05 * high]


def _share(value: float, lang: str) -> str:
    return short(100 * value, lang) + ("\N{NARROW NO-BREAK SPACE}%" if lang == "fr" else "%")


def stopwatch(
    ways: Mapping[str, Callable[[], object]],
    n_queries: int,
    lang: str,
    beside: Mapping[str, Sequence[object]] | None = None,
    rounds: int = 3,
) -> None:
    """Measure each way of answering n_queries queries, best of some rounds, and display milliseconds a query.

    `beside` holds columns to show next to the time, each with one value a way: what was counted, what was found.
    Where RAGTEACH_STATIC is 1, nothing is measured, since a stored notebook must not change from run to run.
    """
    live, columns = not static(), beside or {}
    least = dict.fromkeys(ways, float("inf"))
    for _ in range(rounds if live else 0):  # in turns, so that other work on the machine troubles all of them
        for name, call in ways.items():
            begun = perf_counter()
            call()
            least[name] = min(least[name], perf_counter() - begun)
    first = next(iter(least.values()))
    times = [
        (number(1000 * time / n_queries, lang, 3), time / first) if live else ("…", "…") for time in least.values()
    ]
    counted = zip(*columns.values(), strict=True) if columns else [()] * len(ways)
    rows = [[name, *counts, *time] for name, counts, time in zip(ways, counted, times, strict=True)]
    table([TEXTS["way"][lang], *columns, TEXTS["time"][lang], TEXTS["ratio"][lang]], rows, lang=lang)
    if not live:
        show_html(f'<p lang="{lang}"><em>{TEXTS["clock"][lang]}</em></p>', TEXTS["clock"][lang])
