"""The pictures and the chunk viewer of chapter 01, live and still."""

import re

import pytest
from ipywidgets import IntSlider, SelectionSlider

from ragteach import explore
from ragteach.corpus import Chunk, Document, chunk, load
from ragteach.explore import chunking
from ragteach.retrieval.chunking import chunk_words

LANGS = pytest.mark.parametrize("lang", ["fr", "en"])


def document(text, title="<Manual>"):
    return Document("manual", title, text, {})


def labels(html):
    return [int(number) for number in re.findall(r"<b>\[(\d+)\]</b>", html)]


def visible(html):
    """Drop labels and tags."""
    return re.sub(r"<[^>]+>", "", re.sub(r"<b>\[\d+\]</b> ", "", html))


@LANGS
@pytest.mark.parametrize("strategy", chunking.STRATEGIES)
def test_every_strategy_shows_each_chunk_once_and_keeps_the_text(strategy, lang):
    manual = next(one for one in load("robot", lang).documents if one.id == "manual")
    chunks = chunk([manual], chunking.cutter(strategy, 40, 25, lang))
    html = chunking.coloured(manual.text, chunks)
    assert sorted(labels(html)) == list(range(len(chunks)))
    assert visible(html).replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&") == manual.text.replace(
        "'", "&#x27;"
    ).replace('"', "&quot;")


def test_shared_words_are_underlined_and_html_is_escaped():
    text = "one <b>two</b> three four"
    html = chunking.coloured(text, chunk([document(text)], lambda text: chunk_words(text, 3, 1)))
    shared = re.findall(r"border-bottom[^>]*>(?:<b>\[\d\]</b> )*([^<]*)<", html)
    assert [piece.strip() for piece in shared] == ["three"]
    assert "&lt;b&gt;two&lt;/b&gt;" in html


def test_summary_counts_words_twice_where_chunks_overlap():
    text = " ".join("abcdefg")
    told = chunking.summary(document(text), chunk([document(text)], lambda text: chunk_words(text, 3, 1)), "en")
    assert told == "3 chunks of 3 to 3 words; 9 words to index for 7 in the document."
    assert "0 chunks" in chunking.summary(document(""), [], "en")


def test_word_ranges_are_those_of_the_windows():
    text = "1 2 3 4 5 6 7"
    chunks = chunk([document(text)], lambda text: chunk_words(text, 3, 1))
    assert chunking.word_ranges(text, chunks) == [(0, 3), (2, 5), (4, 7)]
    assert chunking.word_ranges(text, [Chunk("manual", 0, "elsewhere", ())]) == [(0, 0)]


def test_lanes_are_one_bar_a_chunk_that_differ_by_hatching():
    ax = explore.lanes_figure([(0, 40), (30, 70)], lang="fr").axes[0]
    assert [(bar.get_x(), bar.get_width()) for bar in ax.patches] == [(0, 40), (30, 40)]
    assert ax.patches[0].get_hatch() != ax.patches[1].get_hatch()
    assert ax.get_xlabel() and ax.get_ylabel()


@LANGS
def test_dips_figure_names_what_it_draws(lang):
    figure = explore.dips_figure([0.9, 0.2, 0.8], [1], [1], 0.3, lang)
    ax = figure.axes[0]
    named = {text.get_text() for text in ax.get_legend().get_texts()}
    assert named == {chunking.TEXTS[name][lang] for name in ("dip", "heading", "threshold")}
    assert list(ax.lines[1].get_xdata()) == [1]


@LANGS
def test_similarities_are_cosines_of_neighbours(lang):
    sentences = ["The fuse is 5 A.", "Le fusible est de 5 A.", "xyzzy", "The lidar spins.", "The lidar sees."]
    values = explore.neighbour_similarities(sentences, lang)
    assert len(values) == len(sentences) - 1
    assert all(-1 <= value <= 1 + 1e-9 for value in values)
    assert explore.neighbour_similarities(sentences[:1], lang) == []


@LANGS
def test_late_chunking_figure_has_one_encoder_less_on_the_right(lang):
    left, right = explore.late_chunking_figure(lang).axes
    count = [sum(text.get_text() == chunking.TEXTS["encoder"][lang] for text in ax.texts) for ax in (left, right)]
    assert count == [2, 1]


def test_the_pdf_s_columns_come_out_one_after_the_other():
    from pypdf import PdfReader

    page = PdfReader(explore.column_pdf([["part", "price"], ["motor", "18.50"], ["wheel", "6.20"]])).pages[0]
    assert page.extract_text().split() == ["part", "motor", "wheel", "price", "18.50", "6.20"]
    layout = page.extract_text(extraction_mode="layout").split()
    assert layout == ["part", "price", "motor", "18.50", "wheel", "6.20"]


@LANGS
def test_moving_a_control_cuts_again_and_says_so(lang):
    *controls, result = chunking.viewer(lang).children
    which, strategy, size, overlap = controls
    assert all(isinstance(control, SelectionSlider | IntSlider) for control in controls)  # arrow keys reach these
    assert all(control.description for control in controls)
    before = result.value
    size.value = 80
    assert len(set(labels(result.value))) < len(set(labels(before)))
    n_words = [int(n) for n in re.findall(r"(\d+) (?:mots à indexer|words to index)", before + result.value)]
    overlap.value = 0
    assert int(re.search(r"(\d+) (?:mots à indexer|words to index)", result.value)[1]) < min(n_words)
    for id in chunking.STRATEGIES:
        strategy.value = id
        assert chunking.STRATEGIES[id][lang] in result.value and 'role="status"' in result.value
    assert chunking.TEXTS["no size"][lang] in result.value
    which.value = "parts-list"
    assert "R2-WHL-65" in result.value


@LANGS
def test_a_stored_notebook_gets_a_picture_instead_of_controls(shown, monkeypatch, lang):
    monkeypatch.setenv("RAGTEACH_STATIC", "1")
    explore.chunk_viewer(lang=lang)
    plain, html = shown[0]
    assert chunking.TEXTS["static"][lang] in html and chunking.TEXTS["static"][lang] in plain
    assert re.search('<img alt="[^"]{20,}"', html) and labels(html)


def test_a_running_notebook_gets_controls(shown, monkeypatch):
    monkeypatch.delenv("RAGTEACH_STATIC", raising=False)
    explore.chunk_viewer(lang="en")
    assert [control.description for control in shown[0].children[:-1]] == [
        "Document",
        "Strategy",
        "Size (words)",
        "Overlap (%)",
    ]


def test_chunks_of_a_document_are_shown_as_text_too(shown):
    text = "one two three"
    explore.show_chunks(document(text), chunk([document(text)], lambda text: chunk_words(text, 2, 0)), lang="en")
    plain, html = shown[0]
    assert plain.splitlines()[1:] == ["[0] one two", "[1] three"]
    assert labels(html) == [0, 1]
