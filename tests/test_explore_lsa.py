"""The pictures and the map of chapter 03: what they say, live and still, in both languages."""

import re

import numpy as np
import pytest
from seen import texts

from ragteach import explore
from ragteach.explore import figures, lsa
from ragteach.retrieval.dense import rank
from ragteach.retrieval.lsa_index import LSAIndex
from ragteach.retrieval.text import tokenize

every_language = pytest.mark.parametrize("lang", ["fr", "en"])


def sources(html):
    """The documents in the list of nearest chunks, nearest first."""
    return re.findall(r"<li><b>([\w-]+)</b>", html)


@pytest.mark.parametrize(("lang", "square"), [("fr", "1,00"), ("en", "1.00")])
def test_the_chord_tells_angle_and_distance(lang, square):
    written = texts(explore.chord_figure(0.5, lang))
    assert "60°" in written and f"‖u − v‖² = {square}" in written


def test_a_grid_writes_its_values_and_frames_the_best_of_each_row():
    values = np.array([[0.25, -0.5], [0.001, 0.75]])
    figure = explore.grid_figure({"A": values, "B": values}, ["r0", "r1"], ["c0", "c1"], "en", boxed=True)
    assert {"A", "B", "r0", "c1", "0.25", "−0.50", "0"} <= set(texts(figure))
    frames = [patch.get_xy() for patch in figure.axes[0].patches]
    assert frames == [(-0.5, -0.5), (0.5, 0.5)]


def test_names_on_the_plane_do_not_cover_each_other():
    words = {"lidar": (0, 0.5), "laser": (0, 0.5), "range": (0, 0.5)}
    figure = explore.plane_figure(words, {"text 0": (1, 0)}, "en", {"query": (0.7, 0.7)})
    heights = sorted(item.xy[1] for item in figure.axes[0].texts if item.get_text() in words)
    assert min(np.diff(heights)) > 0.05
    assert {"text 0", "query"} <= set(texts(figure))


@every_language
def test_the_map_ranks_as_the_index_does(lang):
    query = lsa.TEXTS["first question"][lang]
    chunks, *_ = lsa.robot_space(lang)
    figure, nearest = lsa.map_figure(query, lang, dims=50)
    index = LSAIndex([tokenize(piece.text) for piece in chunks], 50)
    assert nearest == rank(index.embeddings @ index.embed([tokenize(query)])[0], 5)
    legend = [text.get_text() for text in figure.axes[0].get_legend().get_texts()]
    assert legend == [lsa.TEXTS[name][lang] for name in ("other chunks", "nearest", "query")]


@every_language
def test_words_of_the_question_stand_on_the_map(lang):
    figure, _ = lsa.map_figure("lidar", lang)
    bold = [item.get_text() for item in figure.axes[0].texts if item.get_weight() == "bold"]
    assert bold == ["lidar"]
    assert len(figure.axes[0].texts) > 10


@every_language
def test_each_control_changes_the_map_and_says_so(lang):
    query, dims, x, y, result = lsa.explorer(lang).children
    assert 'role="status"' in result.value and len(sources(result.value)) == 5
    for control, value in ((dims, 2), (x, 4), (y, 5)):
        before = result.value
        control.value = value
        assert result.value != before
    head = re.search(r'<p role="status">(.*?)</p>', result.value)[1]
    assert re.findall(r"\d+", head.rpartition("«" if lang == "fr" else "“")[2])[-3:] == ["2", "4", "5"]
    query.value = "lidar"
    assert "lidar" in result.value


@every_language
def test_controls_are_sliders_and_a_box_with_names(lang):
    query, dims, x, y, _ = lsa.explorer(lang).children
    assert all(control.description for control in (query, dims, x, y))
    assert {type(control).__name__ for control in (dims, x, y)} == {"IntSlider"}  # the arrow keys move them
    assert (dims.min, dims.max) == (2, lsa.MOST_DIMS)


@every_language
def test_a_question_is_escaped_and_unknown_words_are_told(lang):
    html = lsa.map_html("<script>xyzzy", lang)
    assert "<script>" not in html and "xyzzy" in html
    assert lsa.TEXTS["nothing"][lang] in lsa.map_html("xyzzy", lang)
    assert sources(lsa.map_html("", lang)) == []


@every_language
def test_one_dimension_on_both_axes_is_told(lang):
    assert lsa.TEXTS["one axis"][lang] in lsa.map_html("lidar", lang, x=3, y=3)
    assert lsa.TEXTS["one axis"][lang] not in lsa.map_html("lidar", lang, x=3, y=4)


@every_language
def test_a_stored_notebook_gets_a_picture_instead_of_sliders(shown, monkeypatch, lang):
    monkeypatch.setenv("RAGTEACH_STATIC", "1")
    explore.lsa_map(lang)
    plain, html = shown[0]
    assert plain == lsa.TEXTS["static"][lang]
    assert 'alt="' in html and plain in html and len(sources(html)) == 5


def test_a_running_notebook_gets_sliders(shown, monkeypatch):
    monkeypatch.delenv("RAGTEACH_STATIC", raising=False)
    explore.lsa_map("en")
    assert len(shown[0].children) == 5


def test_the_same_map_gives_the_same_bytes():
    first, second = (figures.png(lsa.map_figure("lidar", "fr")[0]) for _ in range(2))
    assert first == second


@every_language
def test_texts_stand_in_both_languages(lang):
    for text in lsa.TEXTS.values():
        assert text[lang] and "'" not in text["fr"]
        assert not re.search(r"(?<![\u202f])[;!?»](?=\s|$)|(?<!\u00a0):(?=\s|$)", text["fr"])
