"""What chapter 01 shows: chunks over their text, windows side by side, dips in similarity, and the chunk viewer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from html import escape
from io import BytesIO
from typing import TYPE_CHECKING

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from ragteach.corpus import Chunk, Document, chunk, load
from ragteach.explore.figures import FILLS, STYLES, axes, image, show_html
from ragteach.explore.widgets import result_of, show_explorer
from ragteach.retrieval.chunk_structure import chunk_headings, parent_child, split_at_dips
from ragteach.retrieval.chunking import chunk_recursive, chunk_sentences, chunk_words
from ragteach.retrieval.dense import unit_rows
from ragteach.retrieval.lsa_index import LSAIndex
from ragteach.retrieval.sentences import split_sentences
from ragteach.retrieval.text import tokenize

if TYPE_CHECKING:
    from ipywidgets import VBox

DIMS = 50
BLOCK = 2
"""Sentences on either side that are compared: one alone holds too few words."""

TEXTS = {
    "document": {"fr": "Document", "en": "Document"},
    "strategy": {"fr": "Stratégie", "en": "Strategy"},
    "size": {"fr": "Taille (mots)", "en": "Size (words)"},
    "overlap": {"fr": "Recouvrement (%)", "en": "Overlap (%)"},
    "word": {"fr": "numéro du mot", "en": "number of the word"},
    "chunk": {"fr": "morceau", "en": "chunk"},
    "sentence": {"fr": "phrase", "en": "sentence"},
    "similarity": {"fr": "similarité avec la suite", "en": "similarity to what follows"},
    "threshold": {"fr": "seuil", "en": "threshold"},
    "heading": {"fr": "titre de section", "en": "section heading"},
    "dip": {"fr": "creux", "en": "dip"},
    "cut first": {"fr": "Découper, puis plonger", "en": "Cut, then embed"},
    "embed first": {"fr": "Plonger, puis découper (late chunking)", "en": "Embed, then cut (late chunking)"},
    "encoder": {"fr": "encodeur", "en": "encoder"},
    "mean": {"fr": "moyenne", "en": "mean"},
    "static": {
        "fr": "Exécutez cette cellule pour obtenir les curseurs et changer de document ou de stratégie.",
        "en": "Run this cell to get the sliders, and to change the document or the strategy.",
    },
    "legend": {
        "fr": "[n] ouvre le morceau n ; ce qui est souligné se trouve dans deux morceaux.",
        "en": "[n] opens chunk n; underlined text stands in two chunks.",
    },
    "no size": {"fr": " La taille ne joue pas ici.", "en": " Size plays no part here."},
    "no overlap": {"fr": " Le recouvrement ne joue pas ici.", "en": " Overlap plays no part here."},
}
SUMMARY = {
    "fr": "{n} morceaux de {least} à {most} mots ; {indexed} mots à indexer pour {total} dans le document.",
    "en": "{n} chunks of {least} to {most} words; {indexed} words to index for {total} in the document.",
}
STRATEGIES = {
    "windows": {"fr": "fenêtres de mots", "en": "windows of words"},
    "sentences": {"fr": "phrases entières", "en": "whole sentences"},
    "recursive": {"fr": "récursif", "en": "recursive"},
    "sections": {"fr": "une section, un morceau", "en": "one section, one chunk"},
    "children": {"fr": "enfants d’un parent", "en": "children of a parent"},
    "semantic": {"fr": "aux creux de similarité", "en": "at dips in similarity"},
}
NAMES = "ragteach-chunk-names"
ROOM = f"<style>.{NAMES} .widget-readout {{ min-width: 24em; max-width: none; text-align: left }}</style>"
"""Sliders give a name 148 pixels and clip the rest."""
SIZED = ("windows", "sentences", "recursive", "children")
OVERLAPPING = ("windows", "sentences")


def cutter(strategy: str, size: int, overlap: int, lang: str) -> Callable[[str], list[str]]:
    """Give the function that cuts a text by a strategy: `size` in words, `overlap` in percent of it.

    Whole sentences overlap by one where overlap is not 0; children have a quarter of their parent's size.
    """
    cuts = {
        "windows": lambda text: chunk_words(text, size, size * overlap // 100),
        "sentences": lambda text: chunk_sentences(text, size, min(overlap, 1)),
        "recursive": lambda text: chunk_recursive(text, size),
        "sections": lambda text: [section["text"] for section in chunk_headings(text) if section["text"]],
        "children": lambda text: [pair["child"] for pair in parent_child(text, max(1, size // 4), size)],
        "semantic": lambda text: semantic_chunks(split_sentences(text), lang),
    }
    return cuts[strategy]


@cache
def sentence_index(lang: str) -> LSAIndex:
    """Index the paragraphs of the robot corpus, whose vectors compare sentences (chapter 03 builds it)."""
    paragraphs = [piece for document in load("robot", lang).documents for piece in chunk_recursive(document.text, 60)]
    return LSAIndex([tokenize(piece) for piece in paragraphs], DIMS)


def neighbour_similarities(sentences: Sequence[str], lang: str) -> list[float]:
    """Compare the two sentences that end at each place with the two that follow: one cosine a place between two."""
    vectors = sentence_index(lang).embed([tokenize(sentence) for sentence in sentences])
    values = []
    for i in range(1, len(vectors)):
        sums = vectors[max(0, i - BLOCK) : i].sum(axis=0), vectors[i : i + BLOCK].sum(axis=0)
        before, after = unit_rows(np.array(sums))
        values.append(float(before @ after))
    return values


def semantic_chunks(sentences: Sequence[str], lang: str, threshold: float = 0.3) -> list[str]:
    """Join the sentences between one dip in similarity and the next."""
    dips = split_at_dips(neighbour_similarities(sentences, lang), threshold) if len(sentences) > 1 else []
    edges = [0, *(dip + 1 for dip in dips), len(sentences)]
    return [" ".join(sentences[start:end]) for start, end in zip(edges, edges[1:], strict=False) if start < end]


def lanes_figure(ranges: Sequence[tuple[int, int]], lang: str) -> Figure:
    """Draw chunks as bars over the words that they hold: `ranges` are pairs (first word, word after the last)."""
    figure = axes(TEXTS["word"][lang], TEXTS["chunk"][lang], lang, height=1.2 + 0.25 * len(ranges))
    ax = figure.axes[0]
    for row, (start, end) in enumerate(ranges):
        fill, hatch = FILLS[row % 2]
        ax.barh(row, end - start, left=start, height=0.8, color=fill, hatch=hatch, edgecolor="black")
    ax.set_yticks(range(len(ranges)))
    ax.invert_yaxis()
    return figure


def word_ranges(text: str, chunks: Sequence[Chunk]) -> list[tuple[int, int]]:
    """Give, for each chunk, the number of its first word in the text and of the word after its last."""
    found = []
    for piece in chunks:
        spans = piece.spans or ((0, 0),)
        first = len(text[: spans[0][0]].split())
        found.append((first, first + len(text[spans[0][0] : spans[-1][1]].split())))
    return found


def coloured(text: str, chunks: Sequence[Chunk]) -> str:
    """Write a text as HTML with its chunks: [n] opens chunk n, and what stands in two chunks is underlined."""
    covers = [(n, start, end) for n, piece in enumerate(chunks) for start, end in piece.spans or ()]
    edges = sorted({0, len(text), *(edge for _, start, end in covers for edge in (start, end))})
    opened, parts = set(), []
    for start, end in zip(edges, edges[1:], strict=False):
        inside = [n for n, first, last in covers if first <= start and end <= last]
        labels = "".join(f"<b>[{n}]</b> " for n in inside if n not in opened)
        opened.update(inside)
        style = ""
        if inside:
            style = f"background: {FILLS[inside[-1] % 2][0]}; color: black"
            style += "; border-bottom: 2px solid black" if len(inside) > 1 else ""
        parts.append(f'<span style="{style}">{labels}{escape(text[start:end])}</span>')
    return f'<div style="white-space: pre-wrap; line-height: 1.7">{"".join(parts)}</div>'


def summary(document: Document, chunks: Sequence[Chunk], lang: str) -> str:
    """Say how many chunks there are, how long they are, and how many words an index would hold."""
    lengths = [len(piece.text.split()) for piece in chunks] or [0]
    total = len(document.text.split())
    return SUMMARY[lang].format(n=len(chunks), least=min(lengths), most=max(lengths), indexed=sum(lengths), total=total)


def chunks_html(document: Document, chunks: Sequence[Chunk], lang: str) -> str:
    """Write the chunks of a document as HTML: a sentence, the coloured text, and a picture."""
    told = summary(document, chunks, lang)
    picture = image(lanes_figure(word_ranges(document.text, chunks), lang), told)
    return (
        f'<div lang="{lang}"><p role="status">{escape(told)}</p>'
        f"<p>{TEXTS['legend'][lang]}</p>{coloured(document.text, chunks)}{picture}</div>"
    )


def show_chunks(document: Document, chunks: Sequence[Chunk], lang: str) -> None:
    """Display the chunks of one document over its text."""
    told = summary(document, chunks, lang)
    html = f'<div lang="{lang}"><p>{told} {TEXTS["legend"][lang]}</p>{coloured(document.text, chunks)}</div>'
    plain = "\n".join([told, *(f"[{n}] {piece.text}" for n, piece in enumerate(chunks))])
    show_html(html, plain)


def dips_figure(
    similarities: Sequence[float], dips: Sequence[int], headings: Sequence[int], threshold: float, lang: str
) -> Figure:
    """Draw similarities between neighbouring sentences, the dips among them, and where section headings stand."""
    figure = axes(TEXTS["sentence"][lang], TEXTS["similarity"][lang], lang)
    ax = figure.axes[0]
    ax.plot(range(len(similarities)), similarities, **STYLES[0] | {"marker": None})
    ax.plot(dips, [similarities[i] for i in dips], "ks", linestyle="", label=TEXTS["dip"][lang])
    for n, place in enumerate(headings):
        label = TEXTS["heading"][lang] if n == 0 else None
        ax.axvline(place, color=STYLES[1]["color"], linestyle="--", linewidth=1, label=label)
    ax.axhline(threshold, color="black", linewidth=0.8, linestyle=":", label=TEXTS["threshold"][lang])
    ax.legend(loc="upper left", bbox_to_anchor=(1.01, 1), frameon=False)
    return figure


def late_chunking_figure(lang: str) -> Figure:
    """Draw the two orders: cut and then embed each chunk, or embed the whole text and then average by chunk."""
    figure = Figure(figsize=(7.5, 3.4))
    for ax, name in zip(figure.subplots(1, 2), ("cut first", "embed first"), strict=True):
        ax.set_title(TEXTS[name][lang], fontsize=10)
        late = name == "embed first"
        for place in range(6):
            ax.text(place, 0, f"t{place + 1}", ha="center", va="center", bbox=_box(FILLS[place // 3]))
            ax.annotate("", (place, 0.75), (place, 0.25), arrowprops={"arrowstyle": "->"})
            ax.annotate("", (2.5 * 0.4 + 3 * (place // 3), 2.35), (place, 1.3), arrowprops={"arrowstyle": "->"})
        for left, width in [(-0.4, 5.8)] if late else [(-0.4, 2.7), (2.7, 2.7)]:
            ax.text(left + width / 2, 1, TEXTS["encoder"][lang], ha="center", va="center")
            ax.add_patch(_rectangle(left, width))
        for half in range(2):
            label = f"{TEXTS['mean'][lang]} {half + 1}"
            ax.text(1 + 3 * half, 2.6, label, ha="center", va="center", bbox=_box(FILLS[half]))
        ax.set_xlim(-0.7, 5.7)
        ax.set_ylim(-0.5, 3.1)
        ax.axis("off")
    return figure


def column_pdf(rows: Sequence[Sequence[str]]) -> BytesIO:
    """Write a table as a PDF whose columns were drawn one after the other, as many programs do."""
    figure = Figure(figsize=(5, 2))
    ax = figure.add_subplot()
    ax.axis("off")
    for column, texts in enumerate(zip(*rows, strict=True)):
        for row, text in enumerate(texts):
            ax.text(column / len(rows[0]), 1 - row / len(rows), text)
    pdf = BytesIO()
    with rc_context({"pdf.fonttype": 42}):  # a font whose characters a reader can copy
        figure.savefig(pdf, format="pdf", metadata={"CreationDate": None})
    return pdf


def _box(fill: tuple[str, str]) -> dict:
    return {"boxstyle": "round", "facecolor": fill[0], "edgecolor": "black"}


def _rectangle(left: float, width: float) -> Rectangle:
    return Rectangle((left, 0.75), width, 0.5, facecolor="none", edgecolor="black")


def view(document: Document, strategy: str, size: int, overlap: int, lang: str) -> str:
    """Write what the viewer shows for one choice of document, strategy, size and overlap."""
    chunks = chunk([document], cutter(strategy, size, overlap, lang))
    notes = "" if strategy in SIZED else TEXTS["no size"][lang]
    notes += "" if strategy in OVERLAPPING else TEXTS["no overlap"][lang]
    title = f"{document.title} · {STRATEGIES[strategy][lang]}."
    return f"<p><b>{escape(title)}</b>{notes}</p>{chunks_html(document, chunks, lang)}"


def viewer(lang: str) -> VBox:
    """Build the chunk viewer: four sliders above the coloured text.

    Names are chosen on sliders too: JupyterLab takes the arrow keys away from a drop-down list.
    """
    import ipywidgets as widgets

    documents = {document.id: document for document in load("robot", lang).documents}
    style = {"description_width": "11em"}
    wide = {"width": "90%"}
    document = widgets.SelectionSlider(
        options=[(one.title, one.id) for one in documents.values()],
        value="manual",
        description=TEXTS["document"][lang],
        style=style,
        layout=wide,
    )
    strategy = widgets.SelectionSlider(
        options=[(name[lang], id) for id, name in STRATEGIES.items()],
        value="windows",
        description=TEXTS["strategy"][lang],
        style=style,
        layout=wide,
    )
    size = widgets.IntSlider(40, min=10, max=200, step=10, description=TEXTS["size"][lang], style=style, layout=wide)
    overlap = widgets.IntSlider(25, min=0, max=75, step=5, description=TEXTS["overlap"][lang], style=style, layout=wide)
    controls = [document, strategy, size, overlap]
    for control in (document, strategy):
        control.add_class(NAMES)
    for control in controls:
        control.continuous_update = False  # a mouse that drags would ask for more pictures than can be drawn

    def html() -> str:
        return ROOM + view(documents[document.value], strategy.value, size.value, overlap.value, lang)

    return widgets.VBox([*controls, result_of(controls, html)])


def chunk_viewer(lang: str = "fr") -> None:
    """Display the chunks of a robot document, with controls for the document, the strategy, size and overlap.

    Where RAGTEACH_STATIC is 1, as in a stored notebook, a picture stands for the controls and a sentence says so.
    """

    def still() -> str:
        document = next(one for one in load("robot", lang).documents if one.id == "manual")
        return view(document, "windows", 40, 25, lang)

    show_explorer(lambda: viewer(lang), still, TEXTS["static"][lang])
