"""The pictures and the explorer of chapter 05."""

import re

import pytest
from seen import texts

from ragteach import explore
from ragteach.explore import figures, metrics
from ragteach.retrieval.metrics import ndcg

LANGS = pytest.mark.parametrize("lang", ["fr", "en"])


def places(html):
    """The passages in the picture's alternative text, best first."""
    return re.findall(r"(?:rang|rank) \d+\s?: (.+?), (?:note|grade)", html)


@LANGS
def test_both_languages_rank_the_same_grades(lang):
    ranking, grades = metrics.passages(lang)
    assert [grades[name] for name in ranking] == [0, 3, 1, 0, 2, 3]
    assert len(set(ranking)) == 6


@LANGS
def test_moving_a_passage_changes_the_ranking_and_what_the_metrics_say(lang):
    rank, buttons, k, result = metrics.explorer(lang).children
    up, down, reset = buttons.children
    ranking, grades = metrics.passages(lang)
    assert places(result.value) == ranking
    up.click()  # the overheating passage, at rank 2
    assert places(result.value)[0] == ranking[1]
    assert rank.value == 1, "the slider follows the passage"
    assert figures.number(ndcg(places(result.value), grades, 5), lang, 3) in result.value
    up.click()
    assert places(result.value)[0] == ranking[1], "it cannot rise above the first place"
    rank.value = 6
    down.click()
    assert places(result.value)[5] == ranking[5], "nor fall below the last"
    rank.value = 2
    down.click()
    down.click()
    assert places(result.value)[3] == ranking[0] and rank.value == 4
    reset.click()
    assert places(result.value) == ranking


@LANGS
def test_k_is_a_slider_and_the_result_is_announced(lang):
    _, _, k, result = metrics.explorer(lang).children
    k.value = 2
    assert "@2" in result.value and "@5" not in result.value
    assert 'role="status"' in result.value and 'alt="' in result.value


def test_those_between_make_room():
    assert metrics.moved(["a", "b", "c"], 3, 1) == ["c", "a", "b"]
    assert metrics.moved(["a", "b", "c"], 1, 2) == ["b", "a", "c"]
    assert metrics.moved(["a", "b", "c"], 2, 2) == ["a", "b", "c"]


def test_an_arrow_points_at_the_chosen_passage():
    ranking, grades = metrics.passages("en")
    pictures = [figures.png(metrics.ranking_figure(ranking, grades, 4, "en", chosen)) for chosen in (None, 1, 2)]
    assert len(set(pictures)) == 3


@LANGS
def test_a_stored_notebook_gets_a_picture_instead_of_buttons(shown, monkeypatch, lang):
    monkeypatch.setenv("RAGTEACH_STATIC", "1")
    explore.metrics_explorer(lang=lang)
    plain, html = shown[0]
    assert places(html) == metrics.passages(lang)[0]
    assert metrics.TEXTS["static"][lang] in html and metrics.TEXTS["static"][lang] == plain


def test_a_running_notebook_gets_the_controls(shown, monkeypatch):
    monkeypatch.delenv("RAGTEACH_STATIC", raising=False)
    explore.metrics_explorer(lang="en")
    rank, buttons, k, _ = shown[0].children
    assert [rank.description, k.description] == ["Passage at rank", "k"]
    assert [button.description for button in buttons.children] == ["Move up", "Move down", "Start again"]


def test_the_picture_shows_grades_as_squares_and_the_cut():
    ranking, grades = metrics.passages("en")
    figure = metrics.ranking_figure(ranking, grades, 4, "en")
    assert len(figure.axes[0].patches) == sum(grades.values())
    assert {"k = 4", "rank 1", "rank 6", "grade 3"} <= set(texts(figure))


def test_histograms_share_their_axis_and_write_their_marks():
    figure = metrics.histograms({"6": [0, 0.5, 1], "120": [0.4, 0.5]}, {"6": [0.25]}, "mean", "fr")
    assert {"6", "120", "mean", "0,25"} <= set(texts(figure))
    first, second = figure.axes
    assert first.get_xlim() == second.get_xlim()
    assert metrics.histograms({"x": [1.0, 1.0]}, {}, "mean", "en")  # all alike


def test_intervals_write_their_numbers():
    figure = metrics.intervals({"BM25": (0.25, 0.5, 0.75)}, "recall", "fr")
    assert "0,50  [0,25 ; 0,75]" in texts(figure)
