"""What chapter 07 shows: levels of rounding, codewords on a plane, a vector and what its codes give back, the cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from ragteach.explore.figures import STYLES, axes, image, number
from ragteach.explore.widgets import page, result_of, show_explorer
from ragteach.retrieval.pq import pq_encode, pq_train

if TYPE_CHECKING:
    from ipywidgets import VBox

SIZES = (1, 2, 4, 8, 16, 32, 64)
N_POINTS = 300
SIDE = 1.05  # half the side of the square that is drawn
PIXELS = 300
EDGE, DOT = (0.55, 0.55, 0.55), "#444444"
MAX_NUMBERED = 16  # codewords whose numbers are still readable

TEXTS = {
    "codewords": {"fr": "mots de code", "en": "codewords"},
    "point": {"fr": "sous-vecteur", "en": "subvector"},
    "codeword": {"fr": "mot de code", "en": "codeword"},
    "chosen": {"fr": "son mot de code", "en": "its codeword"},
    "state": {
        "fr": "{words} : un code de {bits}. L’erreur moyenne est {share} % de la variance. Le sous-vecteur {i}, "
        "({x}), devient le mot {k}, ({c}).",
        "en": "{words}: a code of {bits}. The mean error is {share}% of the variance. Subvector {i}, ({x}), becomes "
        "codeword {k}, ({c}).",
    },
    "one word": {"fr": "{n} mot", "en": "{n} codeword"},
    "words": {"fr": "{n} mots", "en": "{n} codewords"},
    "one bit": {"fr": "{n} bit", "en": "{n} bit"},
    "bits": {"fr": "{n} bits", "en": "{n} bits"},
    "legend": {
        "fr": "Points : les sous-vecteurs. Croix blanches : les mots de code, chacun à la moyenne des points de sa "
        "cellule. Étoile : le sous-vecteur choisi, relié à son mot.",
        "en": "Dots: the subvectors. White crosses: the codewords, each at the mean of the points of its cell. Star: "
        "the chosen subvector, joined to its codeword.",
    },
    "static": {
        "fr": "Exécutez cette cellule pour obtenir les curseurs : nombre de mots de code, sous-vecteur.",
        "en": "Run this cell to get the sliders: number of codewords, subvector.",
    },
    "first": {"fr": "premier nombre", "en": "first number"},
    "second": {"fr": "second nombre", "en": "second number"},
    "vector": {"fr": "vecteur", "en": "vector"},
    "product": {"fr": "vecteurs que l’on sait décoder", "en": "vectors that can be decoded"},
    "value": {"fr": "valeur du nombre", "en": "value of the number"},
    "count": {"fr": "nombre de vecteurs", "en": "number of vectors"},
    "dimension": {"fr": "dimension", "en": "dimension"},
    "bytes": {"fr": "octets par vecteur", "en": "bytes a vector"},
    "recall": {"fr": "rappel@10", "en": "recall@10"},
    "error": {"fr": "erreur relative", "en": "relative error"},
}


def plane_subvectors(n: int = N_POINTS, seed: int = 5) -> np.ndarray:
    """Draw subvectors of two numbers to look at, shape (n, 2): both rise together, and crowd in three places."""
    rng = np.random.default_rng(seed)
    centres = np.array([[-0.55, -0.45], [0.1, 0.15], [0.6, 0.4]])
    drawn = centres[rng.integers(0, 3, n)] + rng.normal(0, 0.17, (n, 2)) @ np.array([[1.0, 0.6], [0.0, 0.8]])
    return np.clip(drawn, -1, 1)


def draw_codebook(ax: Axes, points: np.ndarray, book: np.ndarray) -> None:
    """Draw subvectors and codewords on a plane cut into the codewords' cells."""
    along = np.linspace(-SIDE, SIDE, PIXELS)
    grid = np.stack(np.meshgrid(along, along), axis=-1).reshape(-1, 2)
    owner = pq_encode(grid, book[None])[:, 0].reshape(PIXELS, PIXELS)
    pixels = np.ones((PIXELS, PIXELS, 3))
    pixels[:, :-1][owner[:, :-1] != owner[:, 1:]] = EDGE
    pixels[:-1][owner[:-1] != owner[1:]] = EDGE
    ax.imshow(pixels, origin="lower", extent=(-SIDE, SIDE, -SIDE, SIDE), interpolation="nearest")
    ax.plot(*points.T, ".", color=DOT, markersize=4)
    ax.plot(*book.T, "P", color="white", markeredgecolor="black", markersize=9)
    if len(book) <= MAX_NUMBERED:
        for k, word in enumerate(book):
            ax.annotate(str(k), word, xytext=(6, 5), textcoords="offset points", fontweight="bold")
    ax.set(xlim=(-SIDE, SIDE), ylim=(-SIDE, SIDE), xticks=[-1, 0, 1], yticks=[-1, 0, 1])


def codebook_figure(points: np.ndarray, book: np.ndarray, chosen: int, lang: str) -> Figure:
    """Draw a codebook, with one subvector joined to the codeword that stands for it."""
    figure = Figure(figsize=(7.4, 4.8), layout="constrained")
    ax = figure.add_subplot()
    draw_codebook(ax, points, book)
    word = book[pq_encode(points[[chosen]], book[None])[0, 0]]
    ax.plot(*np.array([points[chosen], word]).T, "-", color="black")
    dot = {"linestyle": "none", "markeredgecolor": "black"}
    ax.plot(*points[chosen], marker="*", color="#ffd966", markersize=15, **dot)
    ax.plot([], [], marker=".", color=DOT, linestyle="none", label=TEXTS["point"][lang])
    ax.plot([], [], marker="P", color="white", markersize=9, label=TEXTS["codeword"][lang], **dot)
    ax.set(xlabel=TEXTS["first"][lang], ylabel=TEXTS["second"][lang])
    ax.legend(loc="upper left", bbox_to_anchor=(1.02, 1), frameon=False)
    return figure


def codebook_html(points: np.ndarray, n_codes: int, chosen: int, lang: str) -> str:
    """Tell a codebook and one coded subvector, as one line, a picture and how to read it."""
    book = pq_train(points, 1, n_codes)[0]
    codes = pq_encode(points, book[None])[:, 0]
    error = ((points - book[codes]) ** 2).sum() / ((points - points.mean(axis=0)) ** 2).sum()
    bits, code = n_codes.bit_length() - 1, int(codes[chosen])
    state = TEXTS["state"][lang].format(
        words=TEXTS["words" if n_codes > 1 else "one word"][lang].format(n=n_codes),
        bits=TEXTS["bits" if bits > 1 else "one bit"][lang].format(n=bits),
        share=number(100 * error, lang, 1),
        i=chosen,
        x=pair(points[chosen], lang),
        k=code,
        c=pair(book[code], lang),
    )
    picture = image(codebook_figure(points, book, chosen, lang), f"{state} {TEXTS['legend'][lang]}")
    return page(f'<p role="status">{state}</p>{picture}<p>{TEXTS["legend"][lang]}</p>', lang)


def pair(values: Sequence[float], lang: str, digits: int = 2) -> str:
    """Write the numbers of a short vector."""
    semicolon = "\N{NARROW NO-BREAK SPACE}; " if lang == "fr" else "; "
    return semicolon.join(number(value, lang, digits) for value in values)


def explorer(lang: str) -> VBox:
    """Build the explorer: sliders for the number of codewords and the subvector, above the plane that they give."""
    import ipywidgets as widgets

    points = plane_subvectors()
    style = {"description_width": "8em"}
    size = widgets.SelectionSlider(options=SIZES, value=4, description=TEXTS["codewords"][lang], style=style)
    chosen = widgets.IntSlider(0, 0, N_POINTS - 1, description=TEXTS["point"][lang], style=style)
    result = result_of([size, chosen], lambda: codebook_html(points, size.value, chosen.value, lang))
    return widgets.VBox([size, chosen, result])


def codebook_explorer(lang: str = "fr") -> None:
    """Display a codebook on a plane with sliders for the number of codewords and the subvector to code.

    Where RAGTEACH_STATIC is 1, as in a stored notebook, a picture stands for the sliders and a sentence says so.
    """
    show_explorer(lambda: explorer(lang), lambda: codebook_html(plane_subvectors(), 16, 0, lang), TEXTS["static"][lang])


def product_figure(points: np.ndarray, codebooks: np.ndarray, lang: str) -> Figure:
    """Draw vectors of two numbers, each number coded alone: lines at its codewords, crosses where lines meet.

    codebooks has shape (2, K, 1).
    """
    figure = Figure(figsize=(7.4, 4.6), layout="constrained")
    ax = figure.add_subplot()
    across, up = codebooks[:, :, 0]
    for x in across:
        ax.axvline(x, color=EDGE, linestyle="--", linewidth=1)
    for y in up:
        ax.axhline(y, color=EDGE, linestyle=":", linewidth=1)
    ax.plot(*points.T, ".", color=DOT, markersize=4, label=TEXTS["vector"][lang])
    meet = np.stack(np.meshgrid(across, up), axis=-1).reshape(-1, 2)
    style = {"linestyle": "none", "color": "white", "markeredgecolor": "black", "markersize": 9}
    ax.plot(*meet.T, marker="P", label=TEXTS["product"][lang], **style)
    ax.set(xlabel=TEXTS["first"][lang], ylabel=TEXTS["second"][lang], xticks=[-1, 0, 1], yticks=[-1, 0, 1])
    ax.set_aspect("equal")
    ax.legend(loc="upper left", bbox_to_anchor=(1.02, 1), frameon=False)
    return figure


def levels_figure(values: Sequence[float], levels: Mapping[str, Sequence[float]], lang: str) -> Figure:
    """Draw how the values of one dimension are spread, and below, the levels that each way of rounding offers."""
    figure = axes(TEXTS["value"][lang], TEXTS["count"][lang], lang, height=3.4)
    ax = figure.axes[0]
    heights, *_ = ax.hist(values, bins=60, color="#9fc5e8", edgecolor="black", linewidth=0.4)
    row = -0.13 * heights.max()
    for place, (name, marks) in enumerate(levels.items(), 1):
        ax.plot(marks, [place * row] * len(marks), "|", color="black", markersize=11)
        label = ax.annotate(name, (1.01, place * row), xycoords=("axes fraction", "data"), va="center")
        label.set_annotation_clip(False)
    ax.set_ylim((len(levels) + 0.6) * row, None)
    ax.set_yticks([tick for tick in ax.get_yticks() if 0 <= tick <= heights.max()])
    ax.axhline(0, color="black", linewidth=0.8)
    return figure


def decoded_figure(vectors: Mapping[str, Sequence[float]], width: int, lang: str) -> Figure:
    """Draw the numbers of a vector and of what its codes give back, over its dimensions, cut every `width` of them."""
    figure = axes(TEXTS["dimension"][lang], TEXTS["value"][lang], lang, height=3.2)
    ax = figure.axes[0]
    for (name, values), style in zip(vectors.items(), STYLES, strict=False):
        ax.plot(range(len(values)), values, label=name, markersize=4, **style)
    for edge in range(width, len(values), width):
        ax.axvline(edge - 0.5, color=EDGE, linewidth=0.8)
    ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    return figure


def compression_figure(series: Mapping[str, Sequence[tuple[float, float, float]]], lang: str) -> Figure:
    """Draw recall, and below it error, against bytes a vector, of several ways: (bytes, recall, error) each."""
    figure = Figure(figsize=(7.5, 5.4), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    for (name, points), style in zip(series.items(), STYLES, strict=False):
        size, recall, error = zip(*points, strict=True)
        above.plot(size, recall, label=name, **style)
        below.plot(size, error, label=name, **style)
    for ax, what in ((above, "recall"), (below, "error")):
        ax.set_ylabel(TEXTS[what][lang])
        ax.spines[["top", "right"]].set_visible(False)
    ticks = sorted({size for points in series.values() for size, *_ in points})
    below.set_xscale("log")
    below.set_yscale("log")
    below.set_xticks(ticks, [f"{tick:g}" for tick in ticks])
    below.set_xticks([], minor=True)
    below.set_xlabel(TEXTS["bytes"][lang])
    above.yaxis.set_major_formatter(lambda value, position: number(value, lang, 1))
    above.legend(frameon=False, loc="lower right")
    return figure
