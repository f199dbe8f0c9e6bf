"""What chapter 02 shows: the inverted index, the binary independence model, and BM25 under two sliders."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from ragteach.corpus import Chunk, chunk, load
from ragteach.explore.figures import FILLS, image, number, stacked
from ragteach.explore.widgets import page, result_of, show_explorer
from ragteach.retrieval.bm25 import Tokens, bm25_scores
from ragteach.retrieval.chunking import chunk_words
from ragteach.retrieval.text import tokenize

if TYPE_CHECKING:
    from ipywidgets import VBox

TEXTS = {
    "question": {"fr": "Question", "en": "Question"},
    "first question": {"fr": "le robot et les moteurs", "en": "the motors of the robot"},
    "chunk": {"fr": "morceau", "en": "chunk"},
    "score": {"fr": "score BM25", "en": "BM25 score"},
    "absent": {"fr": "Mots absents du corpus : {words}.", "en": "Words that no chunk contains: {words}."},
    "nothing": {
        "fr": "Aucun morceau ne partage de mot avec la question.",
        "en": "No chunk shares a word with the question.",
    },
    "ranking": {
        "fr": "Classement pour « {query} » avec k1 = {k1} et b = {b}",
        "en": "Ranking for “{query}” with k1 = {k1} and b = {b}",
    },
    "static": {
        "fr": "Exécutez cette cellule pour obtenir les curseurs k1 et b et changer la question.",
        "en": "Run this cell to get the k1 and b sliders and to change the question.",
    },
    "percent": {"fr": "\N{NARROW NO-BREAK SPACE}%", "en": "%"},
    "word": {"fr": "mot", "en": "word"},
    "postings": {
        "fr": "morceaux qui le contiennent (× nombre de fois)",
        "en": "chunks that contain it (× how many times)",
    },
    "relevant": {"fr": "morceaux pertinents", "en": "relevant chunks"},
    "others": {"fr": "autres morceaux", "en": "other chunks"},
}


def index_figure(index: Mapping[str, Sequence[tuple[int, int]]], words: Sequence[str], lang: str) -> Figure:
    """Draw the postings of a few words of an inverted index: one row a word, one box a document."""
    longest = max((len(index.get(word, [])) for word in words), default=1)
    right = 0.9 + 0.9 * max(longest, 5)
    figure = Figure(figsize=(0.75 * (1.6 + right), 0.9 + 0.5 * len(words)))
    ax = figure.add_subplot()
    ax.text(0, -0.8, TEXTS["word"][lang], ha="right", style="italic")
    ax.text(0.6, -0.8, TEXTS["postings"][lang], style="italic")
    for row, word in enumerate(words):
        ax.text(0, row, word, ha="right", va="center", weight="bold")
        ax.annotate("", (0.55, row), (0.1, row), arrowprops={"arrowstyle": "->"})
        for column, (doc, tf) in enumerate(index.get(word, [])):
            box = {"boxstyle": "round", "facecolor": FILLS[0][0], "edgecolor": "black"}
            ax.text(0.75 + 0.9 * column, row, f"{doc} (×{tf})", va="center", fontsize=9, bbox=box)
    ax.set_xlim(-1.6, right)
    ax.set_ylim(len(words) - 0.4, -1.2)
    ax.axis("off")
    return figure


def two_groups_figure(p: float, u: float, lang: str) -> Figure:
    """Draw 20 relevant chunks and 100 others as squares, filled for the share (p, then u) that holds the word."""
    figure = Figure(figsize=(7.5, 2.6))
    groups = (("relevant", "p", p, 20), ("others", "u", u, 100))
    for ax, (name, letter, share, size) in zip(figure.subplots(1, 2, width_ratios=(1, 5)), groups, strict=True):
        for square in range(size):
            filled = square < round(share * size)
            fill = {"facecolor": FILLS[0][0], "hatch": "///"} if filled else {"facecolor": "white"}
            ax.add_patch(Rectangle((square // 5, square % 5), 0.8, 0.8, edgecolor="black", **fill))
        ax.set_xlim(-0.1, size / 5)
        ax.set_ylim(5, -0.1)
        ax.set_aspect("equal")
        ax.axis("off")
        held = f"{100 * share:.0f}" + TEXTS["percent"][lang]
        ax.set_title(f"{TEXTS[name][lang]}\n{letter} = {held}", fontsize=10)
    return figure


def contributions(query: Tokens, documents: Sequence[Tokens], k1: float, b: float) -> list[dict[str, float]]:
    """Give, for each document, what each token of the query adds to its BM25 score."""
    columns = {token: bm25_scores([token] * n, documents, k1, b) for token, n in Counter(query).items()}
    return [{token: float(column[doc]) for token, column in columns.items()} for doc in range(len(documents))]


def ranking(parts: Sequence[Mapping[str, float]], k: int = 5) -> list[int]:
    """Rank documents by the sum of their parts: the k best of those whose score is positive, best first."""
    totals = [sum(part.values()) for part in parts]
    return sorted((doc for doc, total in enumerate(totals) if total > 0), key=lambda doc: -totals[doc])[:k]


def ranking_figure(
    query: Tokens, documents: Sequence[Tokens], lang: str, k1: float = 1.5, b: float = 0.75, k: int = 5
) -> Figure:
    """Draw the k best documents for a query, one bar a document, one part a word."""
    parts = contributions(query, documents, k1, b)
    rows = {f"{TEXTS['chunk'][lang]} {doc}": parts[doc] for doc in ranking(parts, k)}
    return stacked(rows, TEXTS["score"][lang], lang)


def ranking_html(query: str, chunks: Sequence[Chunk], lang: str, k1: float = 1.5, b: float = 0.75) -> str:
    """Tell the ranking of the chunks for a question, as a picture and as a list that a screen reader reads."""
    documents = [tokenize(piece.text) for piece in chunks]
    tokens = tokenize(query)
    parts = contributions(tokens, documents, k1, b)
    best = ranking(parts)
    if not best:
        return f'<p role="status" lang="{lang}">{TEXTS["nothing"][lang]}</p>'
    title = TEXTS["ranking"][lang].format(query=query, k1=number(k1, lang, 1), b=number(b, lang))
    items = "".join(
        f"<li><b>{TEXTS['chunk'][lang]} {doc}</b> ({escape(chunks[doc].source)}, "
        f"{number(sum(parts[doc].values()), lang)}) {_marked(chunks[doc].text, set(tokens))}</li>"
        for doc in best
    )
    absent = [token for token in dict.fromkeys(tokens) if not any(token in document for document in documents)]
    note = f"<p>{TEXTS['absent'][lang].format(words=escape(', '.join(absent)))}</p>" if absent else ""
    picture = image(ranking_figure(tokens, documents, lang, k1, b), title)
    return page(f'<p role="status">{escape(title)}</p>{picture}<ol>{items}</ol>{note}', lang)


def _marked(text: str, tokens: set[str]) -> str:
    """Write a text as HTML with the words that hold one of the tokens in bold."""
    return " ".join(
        f"<b>{escape(word)}</b>" if tokens.intersection(tokenize(word)) else escape(word) for word in text.split()
    )


def explorer(lang: str) -> VBox:
    """Build the explorer: two sliders and a question above the ranking that they give."""
    import ipywidgets as widgets

    chunks = chunk(load("mini", lang).documents, chunk_words)
    style = {"description_width": "5em"}
    k1 = widgets.FloatSlider(1.5, min=0, max=5, step=0.1, description="k1", style=style, readout_format=".1f")
    b = widgets.FloatSlider(0.75, min=0, max=1, step=0.05, description="b", style=style)
    query = widgets.Text(TEXTS["first question"][lang], description=TEXTS["question"][lang], style=style)
    query.layout.width = "90%"
    controls = [query, k1, b]
    result = result_of(controls, lambda: ranking_html(query.value, chunks, lang, k1.value, b.value))
    return widgets.VBox([*controls, result])


def bm25_explorer(lang: str = "fr") -> None:
    """Display BM25's ranking of the robot chunks with sliders for k1 and b and a box for the question.

    Where RAGTEACH_STATIC is 1, as in a stored notebook, a picture stands for the sliders and a sentence says so.
    """

    def still() -> str:
        chunks = chunk(load("mini", lang).documents, chunk_words)
        return ranking_html(TEXTS["first question"][lang], chunks, lang)

    show_explorer(lambda: explorer(lang), still, TEXTS["static"][lang])
