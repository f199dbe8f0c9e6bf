"""The kinds of picture that the lessons use, and how a cell shows them.

Every picture reads without colour: lines differ by dash and marker and carry their name at their end, bars carry
their value, and parts of a bar differ by hatching. Every picture has a text that says what is to be seen in it.
"""

from base64 import b64encode
from collections.abc import Mapping, Sequence
from html import escape
from io import BytesIO

from IPython.display import display
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

STYLES = (
    {"color": "#0b5394", "linestyle": "-", "marker": "o"},
    {"color": "#b45f06", "linestyle": "--", "marker": "s"},
    {"color": "#38761d", "linestyle": "-.", "marker": "^"},
    {"color": "#741b47", "linestyle": ":", "marker": "D"},
)
# Light fills under black hatching: they stay apart when printed in grey.
FILLS = (("#9fc5e8", ""), ("#f9cb9c", "///"), ("#b6d7a8", "..."), ("#d5a6bd", "xxx"), ("#ffe599", "\\\\\\"))
BAR = 0.42
"""Height of one bar with its share of the gap, in inches."""


def number(value: float, lang: str, digits: int = 2) -> str:
    """Write a number with the decimal mark of the language: "0,50" in French, "0.50" in English."""
    text = f"{value:.{digits}f}"
    return text.replace(".", ",").replace("-", "−") if lang == "fr" else text.replace("-", "−")


def short(value: float, lang: str) -> str:
    """Write a number with no more decimals than it needs: "0,5" in French, "0.5" in English."""
    text = f"{value:g}".replace("-", "−")
    return text.replace(".", ",") if lang == "fr" else text


def grouped(value: float, lang: str) -> str:
    """Write a whole number with its thousands apart: "1 000" in French, "1,000" in English."""
    return f"{value:,.0f}".replace(",", "\N{NARROW NO-BREAK SPACE}" if lang == "fr" else ",")


def png(figure: Figure) -> bytes:
    """Draw a figure as a PNG whose bytes depend on nothing but the figure."""
    buffer = BytesIO()
    figure.savefig(buffer, format="png", dpi=100, bbox_inches="tight", facecolor="white", metadata={"Software": None})
    return buffer.getvalue()


def image(figure: Figure, alt: str) -> str:
    """Draw a figure as an HTML image with its alternative text."""
    data = b64encode(png(figure)).decode("ascii")
    return f'<img alt="{escape(alt)}" src="data:image/png;base64,{data}" style="max-width: 100%">'


def show_html(html: str, plain: str) -> None:
    """Display HTML in a notebook; `plain` says the same where there is none, and to whoever reads the file."""
    display({"text/html": html, "text/plain": plain}, raw=True)


def show(figure: Figure, alt: str) -> None:
    """Display a figure in a notebook; `alt` says in words what it shows, for those who do not see it."""
    show_html(image(figure, alt), alt)


def table(header: Sequence[str], rows: Sequence[Sequence[object]], lang: str) -> None:
    """Display a table in a notebook; floats get two decimals and the decimal mark of the language."""
    cells = [[number(cell, lang) if isinstance(cell, float) else str(cell) for cell in row] for row in rows]
    widths = [max(len(line[column]) for line in [header, *cells]) for column in range(len(header))]
    plain = "\n".join("  ".join(map(str.ljust, line, widths)).rstrip() for line in [header, *cells])
    head = "".join(f'<th scope="col" style="text-align: left">{escape(name)}</th>' for name in header)
    body = "".join(
        "<tr>" + "".join(f'<td style="text-align: left">{escape(cell)}</td>' for cell in line) + "</tr>"
        for line in cells
    )
    show_html(f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>", plain)


def axes(x_label: str, y_label: str, lang: str, height: float = 3.6) -> Figure:
    """Open a figure with one pair of labelled axes, numbers written as the language does."""
    figure = Figure(figsize=(7.5, height))
    ax = figure.add_subplot()
    ax.set_xlabel(x_label)
    ax.set_ylabel(y_label)
    for axis in (ax.xaxis, ax.yaxis):
        axis.set_major_formatter(lambda value, position: short(value, lang))
    ax.spines[["top", "right"]].set_visible(False)
    return figure


def curves(x: Sequence[float], ys: Mapping[str, Sequence[float]], x_label: str, y_label: str, lang: str) -> Figure:
    """Draw at most four named curves over the same x; each name stands at the end of its curve."""
    if not 1 <= len(ys) <= len(STYLES):
        raise ValueError(f"ys must hold 1 to {len(STYLES)} curves, not {len(ys)}.")
    figure = axes(x_label, y_label, lang)
    ax = figure.axes[0]
    if all(float(value).is_integer() for value in x):
        ax.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    for values, style in zip(ys.values(), STYLES, strict=False):
        marked = style if len(ys) > 1 else style | {"marker": None}  # one curve has nothing to be told from
        ax.plot(x, values, markevery=max(1, len(x) // 10), **marked)
    ends = sorted((values[-1], name) for name, values in ys.items())
    gap = 0.06 * (ax.get_ylim()[1] - ax.get_ylim()[0])
    place = -float("inf")
    for end, name in ends:
        # Curves that end close together would have their names on top of each other.
        place = max(end, place + gap)
        label = ax.annotate(name, (x[-1], place), xytext=(8, 0), textcoords="offset points", va="center")
        label.set_annotation_clip(False)
        label.set_bbox({"facecolor": "white", "edgecolor": "none", "pad": 1})
    return figure


def paths(series: Mapping[str, Sequence[tuple[float, float]]], x_label: str, y_label: str, lang: str) -> Figure:
    """Draw at most four named curves, each over its own x, for a legend to name: they may end anywhere, and meet.

    Raises ValueError for no curve, or for more than four.
    """
    if not 1 <= len(series) <= len(STYLES):
        raise ValueError(f"series must hold 1 to {len(STYLES)} curves, not {len(series)}.")
    figure = axes(x_label, y_label, lang)
    for (name, points), style in zip(series.items(), STYLES, strict=False):
        figure.axes[0].plot(*zip(*points, strict=True), label=name, **style)
    return figure


def bars(values: Mapping[str, float], x_label: str, lang: str, digits: int = 2) -> Figure:
    """Draw one horizontal bar a name, the first one on top, with its value written at its end."""
    figure = axes(x_label, "", lang, height=1 + BAR * len(values))
    ax = figure.axes[0]
    if digits == 0:
        ax.xaxis.set_major_locator(MaxNLocator(integer=True, steps=[1, 2, 5, 10]))
    drawn = ax.barh(range(len(values)), list(values.values()), color=FILLS[0][0], edgecolor="black")
    ax.bar_label(drawn, [number(value, lang, digits) for value in values.values()], padding=4)
    ax.set_yticks(range(len(values)), list(values))
    ax.invert_yaxis()
    ax.axvline(0, color="black", linewidth=1)
    ax.margins(x=0.15)
    return figure


def stacked(rows: Mapping[str, Mapping[str, float]], x_label: str, lang: str) -> Figure:
    """Draw one horizontal bar a row, made of its parts end to end, with the total at its end.

    Parts that have the same name in several rows have the same filling. Values must not be negative.
    """
    figure = axes(x_label, "", lang, height=1 + BAR * max(1, len(rows)))
    ax = figure.axes[0]
    names = list(dict.fromkeys(name for parts in rows.values() for name, value in parts.items() if value > 0))
    start = [0.0] * len(rows)
    for i, name in enumerate(names):
        widths = [parts.get(name, 0.0) for parts in rows.values()]
        fill, hatch = FILLS[i % len(FILLS)]
        ax.barh(range(len(rows)), widths, left=start, color=fill, hatch=hatch, edgecolor="black", label=name)
        start = [left + width for left, width in zip(start, widths, strict=True)]
    for row, total in enumerate(start):
        ax.annotate(number(total, lang), (total, row), xytext=(4, 0), textcoords="offset points", va="center")
    ax.set_yticks(range(len(rows)), list(rows))
    ax.set_ylim(max(1, len(rows)) - 0.4, -0.6)
    ax.set_xlim(0, max([*start, 0.1]) * 1.12)
    if names:
        ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    return figure
