"""What chapter 05 shows: one ranking under every metric, means that waver, intervals."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from ragteach.explore.figures import FILLS, STYLES, axes, image, number
from ragteach.explore.widgets import LINES, show_explorer
from ragteach.retrieval.metrics import average_precision, mrr, ndcg, precision_at_k, recall_at_k

if TYPE_CHECKING:
    from ipywidgets import VBox

TEXTS = {
    "rank": {"fr": "rang", "en": "rank"},
    "grade": {"fr": "note", "en": "grade"},
    "chosen": {"fr": "Passage au rang", "en": "Passage at rank"},
    "up": {"fr": "Monter", "en": "Move up"},
    "down": {"fr": "Descendre", "en": "Move down"},
    "reset": {"fr": "Remettre en ordre", "en": "Start again"},
    "metric": {"fr": "mesure", "en": "metric"},
    "value": {"fr": "valeur", "en": "value"},
    "start": {"fr": "au départ", "en": "at the start"},
    "rr": {"fr": "rang réciproque", "en": "reciprocal rank"},
    "ap": {"fr": "précision moyenne", "en": "average precision"},
    "precision": {"fr": "précision@{k}", "en": "precision@{k}"},
    "recall": {"fr": "rappel@{k}", "en": "recall@{k}"},
    "ndcg": {"fr": "nDCG@{k}", "en": "nDCG@{k}"},
    "title": {
        "fr": "Classement de {n} passages ; le trait marque k = {k}. ",
        "en": "A ranking of {n} passages; the line marks k = {k}. ",
    },
    "place": {"fr": "rang {rank} : {name}, note {grade}", "en": "rank {rank}: {name}, grade {grade}"},
    "static": {
        "fr": "Exécutez cette cellule pour déplacer les passages et changer k.",
        "en": "Run this cell to move the passages and to change k.",
    },
}

# The ranking that the lesson works out by hand: name and grade, best first.
PASSAGES: tuple[tuple[Mapping[str, str], int], ...] = (
    ({"fr": "lidar : réglages", "en": "lidar: settings"}, 0),
    ({"fr": "manuel : surchauffe", "en": "manual: overheating"}, 3),
    ({"fr": "codes d’erreur", "en": "error codes"}, 1),
    ({"fr": "roues de rechange", "en": "spare wheels"}, 0),
    ({"fr": "FAQ : arrêt à chaud", "en": "FAQ: stops when hot"}, 2),
    ({"fr": "entretien : ventilateur", "en": "maintenance: fan"}, 3),
)


def passages(lang: str) -> tuple[list[str], dict[str, int]]:
    """Give the lesson's ranking, and the grade of each of its passages."""
    return [name[lang] for name, _ in PASSAGES], {name[lang]: grade for name, grade in PASSAGES}


def values(ranking: Sequence[str], grades: Mapping[str, int], k: int, lang: str) -> dict[str, float]:
    """Give the value of each metric of one ranking, under its name."""
    relevant = {name for name, grade in grades.items() if grade > 0}
    return {
        TEXTS["precision"][lang].format(k=k): precision_at_k(ranking, relevant, k),
        TEXTS["recall"][lang].format(k=k): recall_at_k(ranking, relevant, k),
        TEXTS["rr"][lang]: mrr([ranking], [relevant]),
        TEXTS["ap"][lang]: average_precision(ranking, relevant),
        TEXTS["ndcg"][lang].format(k=k): ndcg(ranking, grades, k),
    }


def ranking_figure(
    ranking: Sequence[str], grades: Mapping[str, int], k: int, lang: str, chosen: int | None = None
) -> Figure:
    """Draw a ranking from top to bottom: as many squares as the grade, and a line below the k-th place.

    An arrow points at the chosen rank, if any.
    """
    figure = Figure(figsize=(7.5, 0.5 + 0.42 * len(ranking)))
    ax = figure.add_subplot()
    for place, name in enumerate(ranking):
        ax.text(0, place, f"{TEXTS['rank'][lang]} {place + 1}", ha="right", va="center")
        ax.text(0.15, place, name, va="center", weight="bold" if grades.get(name, 0) else "normal")
        for square in range(grades.get(name, 0)):
            box = {"facecolor": FILLS[0][0], "hatch": "///", "edgecolor": "black"}
            ax.add_patch(Rectangle((3.6 + 0.5 * square, place - 0.3), 0.4, 0.6, **box))
        ax.text(5.3, place, f"{TEXTS['grade'][lang]} {grades.get(name, 0)}", va="center")
    if chosen:
        ax.annotate("", (-0.85, chosen - 1), (-1.25, chosen - 1), arrowprops={"arrowstyle": "-|>", "linewidth": 2})
    ax.axhline(min(k, len(ranking)) - 0.5, color="black", linestyle="--")
    ax.text(6.5, min(k, len(ranking)) - 0.55, f"k = {k}", ha="right", va="bottom")
    ax.set_xlim(-1.3, 6.6)
    ax.set_ylim(len(ranking) - 0.4, -0.6)
    ax.axis("off")
    return figure


def ranking_text(ranking: Sequence[str], grades: Mapping[str, int], k: int, lang: str) -> str:
    """Say a ranking in words."""
    places = (
        TEXTS["place"][lang].format(rank=rank, name=name, grade=grades.get(name, 0))
        for rank, name in enumerate(ranking, start=1)
    )
    return TEXTS["title"][lang].format(n=len(ranking), k=k) + "; ".join(places) + "."


def metrics_html(ranking: Sequence[str], lang: str, k: int, chosen: int | None = None) -> str:
    """Tell every metric of a ranking of the lesson's passages, beside its value at the start."""
    first, grades = passages(lang)
    now, before = values(ranking, grades, k, lang), values(first, grades, k, lang)
    head = "".join(
        f'<th scope="col" style="text-align: left; padding-right: 1em">{TEXTS[name][lang]}</th>'
        for name in ("metric", "value", "start")
    )
    rows = "".join(
        f'<tr><th scope="row" style="text-align: left; padding-right: 1em">{escape(name)}</th>'
        f"<td>{number(value, lang, 3)}</td><td>{number(before[name], lang, 3)}</td></tr>"
        for name, value in now.items()
    )
    picture = image(ranking_figure(ranking, grades, k, lang, chosen), ranking_text(ranking, grades, k, lang))
    table = f"<table><thead><tr>{head}</tr></thead><tbody>{rows}</tbody></table>"
    return f'<div lang="{lang}" role="status" style="{LINES}">{picture}{table}</div>'


def moved(ranking: Sequence[str], rank: int, target: int) -> list[str]:
    """Move the passage at a rank to another; those between make room."""
    order = list(ranking)
    order.insert(target - 1, order.pop(rank - 1))
    return order


def explorer(lang: str) -> VBox:
    """Build the explorer: a slider that chooses a passage, buttons that move it, a slider for k, and the metrics.

    JupyterLab takes the arrow keys of a drop-down list for itself; sliders and buttons keep theirs.
    """
    import ipywidgets as widgets

    first, _ = passages(lang)
    order = list(first)
    style = {"description_width": "10em"}
    chosen = widgets.IntSlider(2, min=1, max=len(first), description=TEXTS["chosen"][lang], style=style)
    k = widgets.IntSlider(5, min=1, max=len(first), description="k", style=style)
    chosen.layout.width = k.layout.width = "26em"
    up, down, reset = (widgets.Button(description=TEXTS[name][lang]) for name in ("up", "down", "reset"))
    result = widgets.HTML()

    def refresh(change: object = None) -> None:
        result.value = metrics_html(order, lang, k.value, chosen.value)

    def move(by: int) -> None:
        target = min(max(chosen.value + by, 1), len(order))
        order[:] = moved(order, chosen.value, target)
        chosen.value = target  # the slider stays with the passage
        refresh()

    def start_again(button: object = None) -> None:
        order[:] = first
        refresh()

    up.on_click(lambda button: move(-1))
    down.on_click(lambda button: move(1))
    reset.on_click(start_again)
    for slider in (chosen, k):
        slider.observe(refresh, names="value")
    refresh()
    return widgets.VBox([chosen, widgets.HBox([up, down, reset]), k, result])


def metrics_explorer(lang: str = "fr") -> None:
    """Display a ranking whose passages can be moved up and down, and what every metric makes of it.

    Where RAGTEACH_STATIC is 1, as in a stored notebook, a picture stands for the buttons and a sentence says so.
    """
    show_explorer(lambda: explorer(lang), lambda: metrics_html(passages(lang)[0], lang, 5), TEXTS["static"][lang])


def histograms(
    rows: Mapping[str, Sequence[float]], marks: Mapping[str, Sequence[float]], x_label: str, lang: str
) -> Figure:
    """Draw one histogram a row over a common axis, with dashed lines at its marks and their values beside them."""
    figure = Figure(figsize=(7.5, 1 + 1.1 * len(rows)))
    low = min(min(row) for row in rows.values())
    high = max(max(row) for row in rows.values())
    margin = 0.06 * (high - low or 1)
    panels = figure.subplots(len(rows), 1, sharex=True, squeeze=False)[:, 0]
    for ax, (name, row) in zip(panels, rows.items(), strict=True):
        ax.hist(row, bins=40, range=(low - margin, high + margin), color=FILLS[0][0], edgecolor="black", linewidth=0.3)
        top = ax.get_ylim()[1]
        for value in marks.get(name, ()):
            ax.axvline(value, color="black", linestyle="--")
            ax.text(value, top, number(value, lang), ha="center", va="bottom", fontsize=9)
        ax.set_yticks([])
        ax.set_ylabel(name, rotation=0, ha="right", va="center")
        ax.spines[["top", "right", "left"]].set_visible(False)
    panels[-1].set_xlabel(x_label)
    panels[-1].xaxis.set_major_formatter(lambda value, position: number(value, lang, 1))
    figure.subplots_adjust(hspace=0.55)
    return figure


def intervals(rows: Mapping[str, tuple[float, float, float]], x_label: str, lang: str) -> Figure:
    """Draw one interval a row, from low to high, with a dot at the mean: rows hold (low, mean, high)."""
    figure = axes(x_label, "", lang, height=1 + 0.5 * len(rows))
    ax = figure.axes[0]
    for place, (low, middle, high) in enumerate(rows.values()):
        ax.plot([low, high], [place, place], color=STYLES[0]["color"], linewidth=2, marker="|", markersize=14)
        ax.plot([middle], [place], color="black", marker="o")
        comma = " ; " if lang == "fr" else ", "  # in French the comma is in the numbers
        text = f"{number(middle, lang)}  [{number(low, lang)}{comma}{number(high, lang)}]"
        ax.annotate(text, (high, place), xytext=(8, 0), textcoords="offset points", va="center", fontsize=9)
    ax.set_yticks(range(len(rows)), list(rows))
    ax.set_ylim(len(rows) - 0.5, -0.5)
    ax.margins(x=0.25)
    return figure
