"""What chapter 03 shows: theorem 2 on a circle, matrices with their values, and a map of the robot corpus."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from html import escape
from math import acos, cos, hypot, pi, sin
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Circle, Rectangle

from ragteach.answers.words import STOP_WORDS
from ragteach.corpus import Chunk, chunk, load
from ragteach.explore.figures import STYLES, axes, image, number
from ragteach.explore.widgets import page, result_of, show_explorer
from ragteach.retrieval.chunking import chunk_words
from ragteach.retrieval.dense import rank, unit_rows
from ragteach.retrieval.lsa import lsa_fit, smooth_idfs, tfidf_rows
from ragteach.retrieval.text import tokenize

if TYPE_CHECKING:
    from ipywidgets import VBox

TEXTS = {
    "question": {"fr": "Question", "en": "Question"},
    "first question": {"fr": "mon accu est bombé, que faire ?", "en": "my pack is puffed, what should I do?"},
    "dims": {"fr": "dimensions", "en": "dimensions"},
    "across": {"fr": "axe horizontal", "en": "across"},
    "up": {"fr": "axe vertical", "en": "up"},
    "axis": {"fr": "dimension {n}", "en": "dimension {n}"},
    "query": {"fr": "la question", "en": "the query"},
    "nearest": {"fr": "les 5 plus proches", "en": "the 5 nearest"},
    "other chunks": {"fr": "les autres morceaux", "en": "the other chunks"},
    "nothing": {
        "fr": "Aucun mot de la question n’est dans le corpus : son vecteur est nul.",
        "en": "The corpus holds no word of the query, so its vector is zero.",
    },
    "unknown": {"fr": "Mots absents du corpus : {words}.", "en": "Words that the corpus lacks: {words}."},
    "title": {
        "fr": "Les morceaux les plus proches de « {query} » en {dims} dimensions, dessinés sur les dimensions {x} et "
        "{y}",
        "en": "The chunks nearest to “{query}” in {dims} dimensions, drawn on dimensions {x} and {y}",
    },
    "one axis": {
        "fr": "Les deux axes montrent la même dimension : les points sont sur une droite. Changez l’un des deux.",
        "en": "Both axes show the same dimension, so the dots lie on a line. Change one of them.",
    },
    "static": {
        "fr": "Exécutez cette cellule pour changer la question, le nombre de dimensions et les axes.",
        "en": "Run this cell to change the query, the number of dimensions and the axes.",
    },
}
MOST_DIMS = 200
DIMS = 50
N_AXES = 12
N_WORDS = 22


def chord_figure(cosine: float, lang: str) -> Figure:
    """Draw two vectors of norm 1 on their circle, the angle between them, and the chord that joins their ends."""
    figure = Figure(figsize=(4.6, 4.6))
    ax = figure.add_subplot()
    angle = acos(cosine)
    ends = {"u": (1.0, 0.0), "v": (cos(angle), sin(angle))}
    ax.add_patch(Circle((0, 0), 1, fill=False, edgecolor="grey", linestyle=":"))
    for (name, (x, y)), style in zip(ends.items(), STYLES, strict=False):
        ax.annotate("", (x, y), (0, 0), arrowprops={"arrowstyle": "-|>", "color": style["color"], "linewidth": 2})
        ax.text(1.1 * x, 1.1 * y, name, ha="center", va="center", weight="bold")
    ax.plot(*zip(*ends.values(), strict=True), color="black", linestyle="--")
    turn = np.linspace(0, angle, 40)
    ax.plot(0.25 * np.cos(turn), 0.25 * np.sin(turn), color="black", linewidth=1)
    ax.text(0.38 * cos(angle / 2), 0.38 * sin(angle / 2), f"{180 * angle / pi:.0f}°", ha="center", va="center")
    square = number(2 - 2 * cosine, lang)
    middle = [sum(values) / 2 for values in zip(*ends.values(), strict=True)]
    ax.annotate(f"‖u − v‖² = {square}", middle, xytext=(10, 6), textcoords="offset points")
    ax.set_title(f"cos(u, v) = {number(cosine, lang)}", fontsize=11)
    ax.set_xlim(-1.25, 1.6)
    ax.set_ylim(-1.25, 1.25)
    ax.set_aspect("equal")
    ax.axis("off")
    return figure


def grid_figure(
    grids: Mapping[str, np.ndarray], rows: Sequence[str], columns: Sequence[str], lang: str, boxed: bool = False
) -> Figure:
    """Draw matrices side by side, each value written in its cell and darker the larger it is.

    With `boxed`, the largest value of each row has a thick frame.
    """
    height = 1.5 + 0.38 * len(rows)
    figure = Figure(figsize=(1.4 + len(grids) * (0.5 + 0.62 * len(columns)), height))
    for ax, (name, values) in zip(figure.subplots(1, len(grids), squeeze=False)[0], grids.items(), strict=True):
        ax.imshow(np.abs(values), cmap="Blues", vmin=0, vmax=max(1e-9, 2.2 * np.abs(values).max()), aspect="auto")
        for (row, column), value in np.ndenumerate(values):
            text = number(value, lang) if abs(value) >= 0.005 else "0"
            ax.text(column, row, text, ha="center", va="center", fontsize=8)
        if boxed:
            for row, column in enumerate(values.argmax(axis=1)):
                ax.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, fill=False, edgecolor="black", linewidth=2.5))
        ax.set_xticks(range(len(columns)), columns, rotation=45, ha="right", fontsize=8)
        ax.set_yticks(range(len(rows)), rows if ax is figure.axes[0] else [""] * len(rows), fontsize=8)
        ax.set_title(name, fontsize=10)
    figure.subplots_adjust(wspace=0.08)
    return figure


def plane_figure(
    words: Mapping[str, Sequence[float]],
    documents: Mapping[str, Sequence[float]],
    lang: str,
    queries: Mapping[str, Sequence[float]] | None = None,
) -> Figure:
    """Draw words as arrows, documents as squares and queries as stars on one plane, each with its name."""
    figure = axes(TEXTS["axis"][lang].format(n=1), TEXTS["axis"][lang].format(n=2), lang, height=4.6)
    ax = figure.axes[0]
    ax.axhline(0, color="grey", linewidth=0.8)
    ax.axvline(0, color="grey", linewidth=0.8)
    for place in words.values():
        ax.annotate("", place, (0, 0), arrowprops={"arrowstyle": "->", "color": STYLES[0]["color"], "alpha": 0.6})
    for places, style, size in ((documents, STYLES[1], 60), (queries or {}, STYLES[3], 140)):
        if places:
            marker = "*" if places is queries else style["marker"]
            ax.scatter(*np.array(list(places.values())).T, color=style["color"], marker=marker, s=size, zorder=3)
    taken: list[tuple[float, float]] = []
    named = [*((queries or {}).items()), *documents.items(), *words.items()]
    reach = max((abs(value) for _, place in named for value in place), default=1.0) or 1.0
    for name, place in named:
        x, y = (float(value) for value in place)
        while any(abs(y - other) < 0.075 * reach and abs(x - beside) < 0.4 * reach for beside, other in taken):
            y += 0.02 * reach  # a name moves up until it covers no other
        taken.append((x, y))
        label = ax.annotate(name, (x, y), xytext=(7, 9), textcoords="offset points", va="center", fontsize=9)
        label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 0.5, "alpha": 0.8})
    ax.margins(0.22)
    return figure


@lru_cache(maxsize=2)
def robot_space(lang: str) -> tuple[list[Chunk], dict[str, float], np.ndarray, np.ndarray]:
    """Decompose the robot corpus, once a language: its chunks, idfs, places of the chunks, and components.

    idfs maps each of the V words to its idf, in the order of columns; places has shape (N, dims), not normalised, and
    components (dims, V).
    """
    chunks = chunk(load("robot", lang).documents, chunk_words)
    documents = [tokenize(piece.text) for piece in chunks]
    idfs = smooth_idfs(documents)
    matrix = unit_rows(tfidf_rows(documents, idfs))
    components, _ = lsa_fit(matrix, MOST_DIMS)
    return chunks, idfs, matrix @ components.T, components


def map_figure(query: str, lang: str, dims: int = DIMS, x: int = 2, y: int = 3) -> tuple[Figure, list[int]]:
    """Draw the robot corpus on two of its dimensions; also gives the 5 chunks nearest to the query in all `dims`."""
    chunks, idfs, places, components = robot_space(lang)
    place = tfidf_rows([tokenize(query)], idfs)[0] @ components.T
    nearest = rank(unit_rows(places[:, :dims]) @ unit_rows(place[np.newaxis, :dims])[0], 5) if place.any() else []
    plane = [x - 1, y - 1]
    figure = axes(TEXTS["axis"][lang].format(n=x), TEXTS["axis"][lang].format(n=y), lang, height=5)
    ax = figure.axes[0]
    ax.axhline(0, color="grey", linewidth=0.8)
    ax.axvline(0, color="grey", linewidth=0.8)
    others = np.delete(np.arange(len(chunks)), nearest)
    ax.scatter(*places[others][:, plane].T, s=14, color="#999999", label=TEXTS["other chunks"][lang])
    if nearest:
        style = {"s": 55, "color": STYLES[1]["color"], "marker": "s", "zorder": 3}
        ax.scatter(*places[nearest][:, plane].T, label=TEXTS["nearest"][lang], **style)
        star = place[plane] * (np.abs(places[:, plane]).max() / max(hypot(*place[plane]), 1e-9)) * 0.8
        ax.scatter(*star, s=220, color=STYLES[3]["color"], marker="*", zorder=4, label=TEXTS["query"][lang])
    _write_words(ax, list(idfs), components[plane], np.abs(places[:, plane]).max(axis=0), tokenize(query))
    ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False, fontsize=9)
    return figure, nearest


def _write_words(ax: Axes, words: Sequence[str], plane: np.ndarray, reach: np.ndarray, asked: Sequence[str]) -> None:
    """Write the words that reach farthest on the plane where they leave room, and the query's own in bold."""
    scaled = plane * (reach / np.abs(plane).max(axis=1))[:, np.newaxis]
    lengths = np.hypot(*(scaled / reach[:, np.newaxis]))
    telling = [column for column, word in enumerate(words) if word not in STOP_WORDS and word[0].isalpha()]
    taken: list[np.ndarray] = []
    for column in sorted(telling, key=lambda column: (words[column] not in asked, -lengths[column])):
        word, place = words[column], scaled[:, column]
        if all(abs(place - other)[0] > 0.22 * reach[0] or abs(place - other)[1] > 0.055 * reach[1] for other in taken):
            ax.text(*place, word, fontsize=8, ha="center", weight="bold" if word in asked else "normal", zorder=5)
            taken.append(place)
        if len(taken) == N_WORDS:
            break


def map_html(query: str, lang: str, dims: int = DIMS, x: int = 2, y: int = 3) -> str:
    """Tell what is nearest to a query, as a map and as a list that a screen reader reads."""
    chunks, idfs, *_ = robot_space(lang)
    figure, nearest = map_figure(query, lang, dims, x, y)
    title = TEXTS["title"][lang].format(query=query, dims=dims, x=x, y=y)
    unknown = [token for token in dict.fromkeys(tokenize(query)) if token not in idfs]
    notes = [TEXTS["unknown"][lang].format(words=", ".join(unknown))] if unknown else []
    notes += [] if nearest else [TEXTS["nothing"][lang]]
    notes += [TEXTS["one axis"][lang]] if x == y else []
    items = "".join(f"<li><b>{escape(chunks[i].source)}</b> {escape(chunks[i].text)}</li>" for i in nearest)
    note = "".join(f"<p>{escape(sentence)}</p>" for sentence in notes)
    return page(f'<p role="status">{escape(title)}</p>{image(figure, title)}{note}<ol>{items}</ol>', lang)


def explorer(lang: str) -> VBox:
    """Build the map: a question, the number of dimensions and the two axes above the picture that they give."""
    import ipywidgets as widgets

    style = {"description_width": "8em"}
    query = widgets.Text(TEXTS["first question"][lang], description=TEXTS["question"][lang], style=style)
    query.layout.width = "90%"
    dims = widgets.IntSlider(DIMS, min=2, max=MOST_DIMS, step=1, description=TEXTS["dims"][lang], style=style)
    x = widgets.IntSlider(2, min=1, max=N_AXES, description=TEXTS["across"][lang], style=style)
    y = widgets.IntSlider(3, min=1, max=N_AXES, description=TEXTS["up"][lang], style=style)
    for slider in (dims, x, y):
        slider.continuous_update = False
        slider.layout.width = "60%"
    controls = [query, dims, x, y]
    result = result_of(controls, lambda: map_html(query.value, lang, dims.value, x.value, y.value))
    return widgets.VBox([*controls, result])


def lsa_map(lang: str = "fr") -> None:
    """Display the robot corpus on two dimensions of its LSA, with sliders and a box for the question.

    Where RAGTEACH_STATIC is 1, as in a stored notebook, a picture stands for the sliders and a sentence says so.
    """
    show_explorer(lambda: explorer(lang), lambda: map_html(TEXTS["first question"][lang], lang), TEXTS["static"][lang])
