"""The explore room: pictures with a text, tables in two languages, the explorer live and still."""

import re
from base64 import b64decode

import pytest
from seen import texts

from ragteach import explore
from ragteach.corpus import chunk, load
from ragteach.explore import bm25, figures
from ragteach.retrieval.bm25 import bm25_scores, bm25_search, inverted_index
from ragteach.retrieval.chunking import chunk_words
from ragteach.retrieval.text import tokenize

DOCUMENTS = [["robot", "fuse", "5", "a"], ["robot", "robot", "lidar"], ["battery"]]


def test_a_figure_is_shown_with_its_alternative_text_escaped(shown):
    explore.show(explore.bars({"chunk 0": 2.0}, "score", lang="en"), 'chunk 0 holds "fuse" & <5 A>')
    plain, html = shown[0]
    assert plain == 'chunk 0 holds "fuse" & <5 A>'
    assert 'alt="chunk 0 holds &quot;fuse&quot; &amp; &lt;5 A&gt;"' in html
    assert b64decode(re.search('base64,([^"]+)', html)[1]).startswith(b"\x89PNG")


def test_the_same_figure_gives_the_same_bytes():
    first, second = (explore.curves([0, 1, 2], {"k1 = 0": [0, 1, 1]}, "tf", "weight", lang="en") for _ in range(2))
    assert figures.png(first) == figures.png(second)


def test_no_figure_is_left_open(shown):
    from matplotlib import pyplot

    explore.show(explore.bars({"a": 1}, "x", lang="fr"), "a")
    assert pyplot.get_fignums() == []


@pytest.mark.parametrize(("lang", "half", "minus"), [("fr", "0,50", "−1,25"), ("en", "0.50", "−1.25")])
def test_numbers_follow_the_language(shown, lang, half, minus):
    assert explore.number(0.5, lang) == half
    explore.table(["word", "n", "weight"], [["<b>", 3, -1.25]], lang=lang)
    plain, html = shown[0]
    assert plain.splitlines()[0].split() == ["word", "n", "weight"]
    assert plain.splitlines()[1].split() == ["<b>", "3", minus]
    assert "&lt;b&gt;" in html and '<th scope="col"' in html and minus in html


def test_curves_carry_their_names_and_differ_without_colour():
    figure = explore.curves([0, 1], {"b = 0": [0, 1], "b = 1": [1, 1]}, "length", "weight", lang="fr")
    assert {"b = 0", "b = 1", "length", "weight"} <= set(texts(figure))
    first, second = figure.axes[0].lines
    assert first.get_linestyle() != second.get_linestyle() and first.get_marker() != second.get_marker()
    labels = [text for text in figure.axes[0].texts if text.get_text().startswith("b =")]
    heights = sorted(text.xy[1] for text in labels)
    assert heights[1] - heights[0] > 0.05, "names of curves that end together must not cover each other"


def test_curves_refuse_more_than_they_can_tell_apart():
    with pytest.raises(ValueError, match="ys"):
        explore.curves([0], {str(i): [0] for i in range(5)}, "x", "y", lang="en")


def test_bars_write_their_values():
    assert {"chunk 3", "2,50"} <= set(texts(explore.bars({"chunk 3": 2.5}, "score", lang="fr")))


def test_stacked_bars_write_totals_and_name_only_parts_that_count():
    figure = explore.stacked({"chunk 0": {"fuse": 1.5, "gps": 0.0, "robot": 0.25}}, "score", lang="en")
    assert "1.75" in texts(figure)
    assert [text.get_text() for text in figure.axes[0].get_legend().get_texts()] == ["fuse", "robot"]


def test_the_index_picture_shows_each_posting_and_copes_with_an_unknown_word():
    figure = explore.index_figure(inverted_index(DOCUMENTS), ["robot", "gps"], lang="fr")
    assert {"robot", "0 (×1)", "1 (×2)", "gps"} <= set(texts(figure))


@pytest.mark.parametrize(("lang", "title"), [("fr", "p = 50\u202f%"), ("en", "p = 50%")])
def test_the_two_groups_have_as_many_filled_squares_as_they_say(lang, title):
    figure = explore.two_groups_figure(p=0.5, u=0.1, lang=lang)
    filled = [sum(1 for square in ax.patches if square.get_hatch()) for ax in figure.axes]
    assert filled == [10, 10] and [len(ax.patches) for ax in figure.axes] == [20, 100]
    assert title in figure.axes[0].get_title()


def test_contributions_add_up_to_the_scores_and_rank_like_the_search():
    query = ["robot", "fuse", "robot", "gps"]
    parts = bm25.contributions(query, DOCUMENTS, k1=0.9, b=0.3)
    assert [sum(part.values()) for part in parts] == pytest.approx(list(bm25_scores(query, DOCUMENTS, 0.9, 0.3)))
    assert bm25.ranking(bm25.contributions(query, DOCUMENTS, 1.5, 0.75), k=2) == bm25_search(query, DOCUMENTS, k=2)
    assert "chunk 2" not in texts(bm25.ranking_figure(query, DOCUMENTS, lang="en"))


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_moving_a_slider_reranks_and_says_so(lang):
    box = bm25.explorer(lang)
    query, k1, b, result = box.children
    before = positions(result.value)
    k1.value = 0
    after = positions(result.value)
    assert before != after, "the first question is one whose ranking depends on k1"
    assert f"k1 = {explore.number(0, lang, 1)}" in result.value and 'role="status"' in result.value
    chunks = chunk(load("mini", lang).documents, chunk_words)
    documents = [tokenize(piece.text) for piece in chunks]
    scores = bm25_scores(tokenize(query.value), documents, k1=0.0, b=b.value)
    assert after[0] == int(scores.argmax())


def positions(html):
    """The numbers of the chunks in the list, best first."""
    return [int(number) for number in re.findall(r"<li><b>\w+ (\d+)</b>", html)]


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_question_is_escaped_and_one_without_answer_is_told(lang):
    query, _, _, result = bm25.explorer(lang).children
    query.value = "<script>robot</script>"
    assert "<script>" not in result.value and positions(result.value)
    query.value = "xyzzy"
    assert bm25.TEXTS["nothing"][lang] in result.value
    query.value = ""
    assert bm25.TEXTS["nothing"][lang] in result.value


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_stored_notebook_gets_a_picture_instead_of_sliders(shown, monkeypatch, lang):
    monkeypatch.setenv("RAGTEACH_STATIC", "1")
    explore.bm25_explorer(lang=lang)
    plain, html = shown[0]
    assert 'alt="' in html and bm25.TEXTS["static"][lang] in html and positions(html)
    assert bm25.TEXTS["static"][lang] in plain


def test_a_running_notebook_gets_sliders(shown, monkeypatch):
    monkeypatch.delenv("RAGTEACH_STATIC", raising=False)
    explore.bm25_explorer(lang="en")
    query, k1, b, _ = shown[0].children
    assert [query.description, k1.description, b.description] == ["Question", "k1", "b"]
