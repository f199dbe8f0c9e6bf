"""What chapter 04 shows: rankings side by side, passages on a plane, and explorers of RRF and of MMR."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import lru_cache
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from ragteach.corpus import Chunk, Question, chunk, load, relevant_chunks
from ragteach.corpus.synonyms import SYNONYMS
from ragteach.explore.figures import FILLS, image, number
from ragteach.explore.widgets import page, result_of, show_explorer
from ragteach.retrieval.bm25_index import BM25Index
from ragteach.retrieval.chunking import chunk_recursive, chunk_words
from ragteach.retrieval.fusion import mmr, weighted_rrf
from ragteach.retrieval.lsa_index import LSAIndex
from ragteach.retrieval.text import tokenize

if TYPE_CHECKING:
    from ipywidgets import SelectionSlider, VBox

DEPTH = 40
SHOWN = 6  # rows of a ranking
N_CANDIDATES = 12  # passages that MMR chooses from
N_CHOSEN = 5
MAX_WORDS = 60
DIMS = 100
# Where a point's name may go, in points from its centre; the first that is free is taken.
LABEL_OFFSETS = ((24, 6), (24, -12), (-24, 6), (-24, -12), (0, 14), (0, -22), (38, -3), (-38, -3), (0, 26), (0, -34))

TEXTS = {
    "question": {"fr": "Question", "en": "Question"},
    "fused": {"fr": "RRF", "en": "RRF"},
    "rank": {"fr": "rang", "en": "rank"},
    "answers": {"fr": "★ répond à la question", "en": "★ answers the question"},
    "weight": {"fr": "poids {name}", "en": "{name} weight"},
    "first": {
        "fr": "Premier morceau qui répond : {ranks}.",
        "en": "First chunk that answers: {ranks}.",
    },
    "at": {"fr": "rang {rank} pour {name}", "en": "rank {rank} in {name}"},
    "beyond": {"fr": "pas trouvé par {name}", "en": "not found by {name}"},
    "fusion title": {
        "fr": "Fusion avec k = {k}, poids {lexical} pour BM25 et {dense} pour LSA",
        "en": "Fusion with k = {k}, weights {lexical} for BM25 and {dense} for LSA",
    },
    "mmr title": {
        "fr": "Cinq morceaux choisis avec lambda = {lam} ; paires qui se recouvrent : {n}",
        "en": "Five chunks chosen with lambda = {lam}; overlapping pairs: {n}",
    },
    "chunk": {"fr": "morceau", "en": "chunk"},
    "like question": {"fr": "proche de la question : {value}", "en": "similarity to the question: {value}"},
    "like chosen": {
        "fr": "au plus proche d’un morceau déjà choisi : {value}",
        "en": "largest similarity to a chunk chosen before: {value}",
    },
    "asked": {"fr": "question", "en": "question"},
    "plane": {
        "fr": "Un point par morceau ; les points voisins se ressemblent. Dans un disque plein : l’ordre du choix.",
        "en": "One point a chunk; points close together are alike. In a filled disc: the order of choice.",
    },
    "static": {
        "fr": "Exécutez cette cellule pour obtenir les réglages.",
        "en": "Run this cell to get the controls.",
    },
}


def bump_figure(rankings: Mapping[str, Sequence[Hashable]], marked: set, lang: str, depth: int = SHOWN) -> Figure:
    """Draw rankings side by side, best on top, with a line from each id to the same id in the next ranking.

    Ids in `marked` are those that answer: they have a star, a bold number and a thick line.
    """
    names = list(rankings)
    figure = Figure(figsize=(2.5 * len(names) + 0.6, 0.5 * depth + 1))
    ax = figure.add_subplot()
    for column, name in enumerate(names):
        ax.text(column, -0.9, name, ha="center", weight="bold")
        shown = list(rankings[name])[:depth]
        following = list(rankings[names[column + 1]])[:depth] if column + 1 < len(names) else []
        for row, id_ in enumerate(shown):
            star = id_ in marked
            if id_ in following:
                width, style = (2.5, "-") if star else (0.9, "--")
                ax.plot([column + 0.17, column + 0.83], [row, following.index(id_)], style, color="black", lw=width)
            box = {"boxstyle": "round", "facecolor": FILLS[1][0] if star else "white", "edgecolor": "black"}
            label = f"★ {id_}" if star else str(id_)
            ax.text(column, row, label, ha="center", va="center", weight="bold" if star else "normal", bbox=box)
    for row in range(depth):
        ax.text(-0.45, row, str(row + 1), ha="right", va="center", color="#444444")
    ax.text(-0.45, -0.9, TEXTS["rank"][lang], ha="right", style="italic")
    ax.text((len(names) - 1) / 2, depth - 0.2, TEXTS["answers"][lang], ha="center", fontsize=9)
    ax.set_xlim(-0.75, len(names) - 0.6)
    ax.set_ylim(depth, -1.3)
    ax.axis("off")
    return figure


def plane(vectors: np.ndarray) -> np.ndarray:
    """Put vectors on the plane that keeps most of their differences: shape (n, d) to (n, 2)."""
    centred = vectors - vectors.mean(axis=0)
    _, _, directions = np.linalg.svd(centred, full_matrices=False)
    axes = np.zeros((2, centred.shape[1]))
    axes[: len(directions[:2])] = directions[:2]
    largest = np.abs(axes).argmax(axis=1)
    axes *= np.where(np.take_along_axis(axes, largest[:, None], axis=1) < 0, -1, 1)
    return centred @ axes.T


def label_offsets(pixels: np.ndarray) -> list[tuple[float, float]]:
    """Choose where the name of each point but the first goes, in pixels from it, away from discs and other names."""
    taken, offsets = list(pixels), []
    for pixel in pixels[1:]:
        free = [_room(pixel + np.array(offset) + (0, 3), taken) for offset in LABEL_OFFSETS]
        offsets.append(LABEL_OFFSETS[int(np.argmax(free))])
        taken.append(pixel + offsets[-1] + np.array((0, 3)))
    return offsets


def _room(place: np.ndarray, taken: list[np.ndarray]) -> float:
    """Measure the free room around a label: it is wider than high, and more than enough counts as enough."""
    return min(1.0, *(np.hypot((place[0] - x) / 30, (place[1] - y) / 14) for x, y in taken))


def choice_figure(
    query: np.ndarray, vectors: np.ndarray, names: Sequence[object], chosen: Sequence[int], lang: str
) -> Figure:
    """Draw a question and passages on a plane; `chosen` are positions among the vectors, in order of choice."""
    points = plane(np.vstack([query, vectors]))
    figure = Figure(figsize=(7.5, 4.2))
    ax = figure.add_subplot()
    ax.plot(*points[0], marker="*", markersize=20, color="#741b47", linestyle="none")
    ax.annotate(TEXTS["asked"][lang], points[0], xytext=(0, -18), textcoords="offset points", ha="center")
    for i, point in enumerate(points[1:]):
        place = chosen.index(i) + 1 if i in chosen else None
        fill, layer = ("#0b5394", 4) if place else ("white", 3)  # what is chosen lies on top
        ax.plot(*point, "o", markersize=15, markeredgecolor="black", markerfacecolor=fill, zorder=layer)
        if place:
            ax.annotate(str(place), point, color="white", ha="center", va="center", weight="bold", fontsize=9, zorder=5)
    ax.set_xticks([])
    ax.set_yticks([])
    ax.margins(0.12)
    ax.autoscale_view()
    offsets = label_offsets(ax.transData.transform(points))
    for i, (name, point, offset) in enumerate(zip(names, points[1:], offsets, strict=True)):
        label = f"{name} ({chosen.index(i) + 1})" if i in chosen else f"{name}"  # discs may hide one another
        ax.annotate(label, point, offset, textcoords="offset points", ha="center", fontsize=8, color="#444444")
    ax.set_xlabel(TEXTS["plane"][lang], fontsize=8)
    return figure


@lru_cache(maxsize=4)
def searches(lang: str, windows: bool = False) -> tuple[list[Chunk], BM25Index, LSAIndex]:
    """Cut and index the robot corpus: at its separators, or in windows that overlap."""
    cut: Callable[[str], list[str]] = chunk_words if windows else lambda text: chunk_recursive(text, MAX_WORDS)
    chunks = chunk(load("robot", lang).documents, cut)
    lexical = BM25Index([tokenize(piece.text) for piece in chunks])
    return chunks, lexical, LSAIndex([concepts(piece.text, lang) for piece in chunks], DIMS)


def concepts(text: str, lang: str) -> list[str]:
    """Give the tokens of a text, each synonym replaced by the word that it stands for."""
    return [SYNONYMS[lang].get(token, token) for token in tokenize(text)]


@lru_cache(maxsize=2)
def disagreements(lang: str, n: int = 6) -> tuple[Question, ...]:
    """Give the questions on which BM25 and LSA differ most: one that LSA answers better, one BM25, and so on.

    One of the two must have an answer among the rows that are shown, or there would be nothing to watch.
    """
    chunks, lexical, dense = searches(lang)
    gaps = []
    for question in load("robot", lang).questions:
        if question.relevant and not question.history:
            lists = (lexical.search(tokenize(question.text), DEPTH), dense.search(concepts(question.text, lang), DEPTH))
            ranks = [first_rank(ranking, relevant_chunks(question, chunks)) or DEPTH + 1 for ranking in lists]
            if min(ranks) <= SHOWN:
                gaps.append((ranks[0] - ranks[1], question))
    gaps.sort(key=lambda pair: -pair[0])
    taken = [gaps[i if side else -1 - i][1] for i in range((n + 1) // 2) for side in (True, False)]
    return tuple(taken[:n])


@lru_cache(maxsize=2)
def repetitions(lang: str, n: int = 6) -> tuple[Question, ...]:
    """Give the questions whose best windows overlap most: those to which MMR has something to say."""
    chunks, _, dense = searches(lang, windows=True)
    pairs = []
    for question in load("robot", lang).questions:
        if question.relevant and not question.history:
            best = dense.search(concepts(question.text, lang), N_CHOSEN)
            pairs.append((overlapping([chunks[i] for i in best]), question))
    pairs.sort(key=lambda pair: -pair[0])
    return tuple(question for _, question in pairs[:n])


def first_rank(ranking: Sequence[int], relevant: set[int]) -> int | None:
    """Give the rank of the first chunk that answers; None where no chunk of the ranking does."""
    return next((rank for rank, i in enumerate(ranking, start=1) if i in relevant), None)


def fusion_html(question: Question, k: int, weights: tuple[float, float], lang: str) -> str:
    """Tell how BM25's ranking and LSA's fuse for a question, as a picture and as a line for a screen reader."""
    chunks, lexical, dense = searches(lang)
    lists = [lexical.search(tokenize(question.text), DEPTH), dense.search(concepts(question.text, lang), DEPTH)]
    fused = weighted_rrf(lists, weights, k)
    relevant = relevant_chunks(question, chunks)
    columns = {"BM25": lists[0], TEXTS["fused"][lang]: fused, "LSA": lists[1]}
    title = TEXTS["fusion title"][lang].format(
        k=k, lexical=number(weights[0], lang, 1), dense=number(weights[1], lang, 1)
    )
    ranks = ", ".join(_told_rank(name, first_rank(ranking, relevant), lang) for name, ranking in columns.items())
    told = TEXTS["first"][lang].format(ranks=ranks)
    picture = image(bump_figure(columns, relevant, lang), f"{title}. {told}")
    items = "".join(
        f"<li><b>{'★ ' if i in relevant else ''}{TEXTS['chunk'][lang]} {i}</b> ({escape(chunks[i].source)}) "
        f"{escape(_short(chunks[i].text))}</li>"
        for i in fused[:3]
    )
    return _page(question, f"{title}. {told}", f"{picture}<ol>{items}</ol>", lang)


def _told_rank(name: str, rank: int | None, lang: str) -> str:
    return TEXTS["at" if rank else "beyond"][lang].format(rank=rank, name=name)


def mmr_html(question: Question, lam: float, lang: str) -> str:
    """Tell which windows MMR chooses for a question, as a picture and as a list that a screen reader reads."""
    chunks, _, dense = searches(lang, windows=True)
    tokens = concepts(question.text, lang)
    query, candidates = dense.embed([tokens])[0], dense.search(tokens, N_CANDIDATES)
    vectors = dense.embeddings[candidates]
    sims, doc_sims = vectors @ query, vectors @ vectors.T
    chosen = mmr(sims, doc_sims, N_CHOSEN, lam)
    pieces = [chunks[candidates[i]] for i in chosen]
    title = TEXTS["mmr title"][lang].format(lam=number(lam, lang, 1), n=overlapping(pieces))
    picture = image(choice_figure(query, vectors, candidates, chosen, lang), title)
    items = ""
    for place, i in enumerate(chosen):
        facts = [TEXTS["like question"][lang].format(value=number(float(sims[i]), lang))]
        if place:
            facts.append(
                TEXTS["like chosen"][lang].format(value=number(float(doc_sims[i, chosen[:place]].max()), lang))
            )
        piece = chunks[candidates[i]]
        items += (
            f"<li><b>{TEXTS['chunk'][lang]} {candidates[i]}</b> ({escape(piece.source)}; {'; '.join(facts)}) "
            f"{escape(_short(piece.text))}</li>"
        )
    return _page(question, title, f"{picture}<ol>{items}</ol>", lang)


def overlapping(pieces: Sequence[Chunk]) -> int:
    """Count the pairs of neighbouring windows of one document: they share words."""
    places = {(piece.source, piece.position) for piece in pieces}
    return sum((source, position + 1) in places for source, position in places)


def _short(text: str, n_words: int = 24) -> str:
    words = text.split()
    return " ".join(words[:n_words]) + (" …" if len(words) > n_words else "")


def _page(question: Question, status: str, body: str, lang: str) -> str:
    told = f'<p role="status"><b>{escape(question.text)}</b><br>{escape(status)}</p>'
    return page(f"{told}{body}", lang)


def explorer(lang: str) -> VBox:
    """Build the fusion explorer: a question, k and the two weights above the rankings that they give."""
    import ipywidgets as widgets

    style = {"description_width": "7em"}
    weight = {"min": 0, "max": 3, "step": 0.5, "style": style, "readout_format": ".1f"}
    question = _question_choice(disagreements(lang), lang)
    k = widgets.IntSlider(60, min=1, max=100, description="k", style=style)
    lexical = widgets.FloatSlider(1, description=TEXTS["weight"][lang].format(name="BM25"), **weight)
    dense = widgets.FloatSlider(1, description=TEXTS["weight"][lang].format(name="LSA"), **weight)
    controls = [question, k, lexical, dense]
    result = result_of(controls, lambda: fusion_html(question.value, k.value, (lexical.value, dense.value), lang))
    return widgets.VBox([*controls, result])


def diversity_explorer(lang: str) -> VBox:
    """Build the MMR explorer: a question and lambda above the passages that they choose."""
    import ipywidgets as widgets

    question = _question_choice(repetitions(lang), lang)
    lam = widgets.FloatSlider(
        0.5, min=0, max=1, step=0.1, description="lambda", style={"description_width": "7em"}, readout_format=".1f"
    )
    result = result_of([question, lam], lambda: mmr_html(question.value, lam.value, lang))
    return widgets.VBox([question, lam, result])


def _question_choice(questions: Sequence[Question], lang: str) -> SelectionSlider:
    import ipywidgets as widgets

    # Not a drop-down list: on one of those JupyterLab takes the up and down arrows to leave the cell.
    return widgets.SelectionSlider(
        options=[(f"{n} / {len(questions)}", question) for n, question in enumerate(questions, start=1)],
        description=TEXTS["question"][lang],
        style={"description_width": "7em"},
    )


def fusion_explorer(lang: str = "fr") -> None:
    """Display BM25's and LSA's rankings of the robot corpus and their fusion, with k and the weights to move.

    Where RAGTEACH_STATIC is 1, as in a stored notebook, a picture stands for the controls and a sentence says so.
    """
    show_explorer(
        lambda: explorer(lang),
        lambda: fusion_html(disagreements(lang)[0], 60, (1.0, 1.0), lang),
        TEXTS["static"][lang],
    )


def mmr_explorer(lang: str = "fr") -> None:
    """Display the passages that MMR chooses from overlapping windows of the robot corpus, with lambda to move.

    Where RAGTEACH_STATIC is 1, as in a stored notebook, a picture stands for the controls and a sentence says so.
    """
    show_explorer(
        lambda: diversity_explorer(lang), lambda: mmr_html(repetitions(lang)[0], 0.5, lang), TEXTS["static"][lang]
    )
