"""What chapter 00 shows: the whole pipeline, from documents to a cited answer, with the chapters that build it."""

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from ragteach.explore.figures import FILLS

STAGES = (
    # name, what it does, chapters, column, row
    ({"fr": "documents", "en": "documents"}, {"fr": "lire, étiqueter", "en": "read, label"}, "01", 0, 1),
    ({"fr": "morceaux", "en": "chunks"}, {"fr": "découper", "en": "cut"}, "01", 1, 1),
    ({"fr": "index", "en": "index"}, {"fr": "ranger", "en": "file away"}, "02–03, 06–08", 2, 1),
    ({"fr": "question", "en": "question"}, {"fr": "reformuler", "en": "rewrite"}, "09", 0, 0),
    ({"fr": "recherche", "en": "search"}, {"fr": "trouver, classer", "en": "find, rank"}, "02–05", 2, 0),
    ({"fr": "prompt", "en": "prompt"}, {"fr": "consigne, sources", "en": "rules, sources"}, "10", 3, 0),
    ({"fr": "réponse [1]", "en": "answer [1]"}, {"fr": "citer, ou refuser", "en": "cite, or refuse"}, "10–12", 4, 0),
)
ARROWS = (((0, 1), (1, 1)), ((1, 1), (2, 1)), ((2, 1), (2, 0)), ((0, 0), (2, 0)), ((2, 0), (3, 0)), ((3, 0), (4, 0)))
ROWS = {
    1: {"fr": "une fois, à l’avance", "en": "once, in advance"},
    0: {"fr": "à chaque question", "en": "for each question"},
}
CHAPTER = {"fr": "chap.", "en": "ch."}
HALF_WIDTH, HALF_HEIGHT = 0.44, 0.3


def pipeline_figure(lang: str) -> Figure:
    """Draw the stages as boxes, prepared ones above and those of each question below, joined by arrows."""
    figure = Figure(figsize=(11, 3.6))
    ax = figure.add_subplot()
    for name, action, chapters, column, row in STAGES:
        ax.text(column, row + 0.12, name[lang], ha="center", va="center", weight="bold", zorder=3)
        ax.text(column, row - 0.03, action[lang], ha="center", va="center", fontsize=8, zorder=3)
        ax.text(column, row - 0.18, f"{CHAPTER[lang]} {chapters}", ha="center", va="center", fontsize=8, zorder=3)
        ax.add_patch(_box(column, row))
    for start, end in ARROWS:
        ax.annotate("", _edge(end, start), _edge(start, end), arrowprops={"arrowstyle": "->", "linewidth": 1.5})
    for row, text in ROWS.items():
        ax.text(-0.55, row, text[lang], ha="right", va="center", style="italic")
    ax.set_xlim(-1.6, 4.5)
    ax.set_ylim(-0.4, 1.4)
    ax.axis("off")
    return figure


def _box(column: float, row: float) -> Rectangle:
    corner = column - HALF_WIDTH, row - HALF_HEIGHT
    fill = FILLS[0][0] if row else FILLS[4][0]
    return Rectangle(corner, 2 * HALF_WIDTH, 2 * HALF_HEIGHT, facecolor=fill, edgecolor="black", zorder=2)


def _edge(place: tuple[int, int], towards: tuple[int, int]) -> tuple[float, float]:
    """Give the point of a box's edge where an arrow to or from another box, in its row or column, begins or ends."""
    step = [(b > a) - (b < a) for a, b in zip(place, towards, strict=True)]
    return place[0] + step[0] * HALF_WIDTH, place[1] + step[1] * HALF_HEIGHT
