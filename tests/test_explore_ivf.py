"""Chapter 06's pictures and explorer: cells on a plane, a search among them, its cost."""

import re

import numpy as np
import pytest
from seen import numbers

from ragteach import explore
from ragteach.explore import figures, ivf
from ragteach.retrieval.exact import exact_search
from ragteach.retrieval.ivf import assign


def test_points_of_the_plane_are_vectors_of_norm_1():
    vectors = ivf.plane_vectors()
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1)
    assert vectors.shape == (240, 3) and abs(vectors[:, :2]).max() < ivf.SIDE
    np.testing.assert_array_equal(vectors, ivf.plane_vectors())
    corner = ivf.lift(np.array([[ivf.SIDE, ivf.SIDE]]))
    assert np.isfinite(corner).all()


def test_rounds_of_kmeans_move_centroids_less_and_less_and_fit_better():
    vectors = ivf.plane_vectors()
    steps = [ivf.centroids_after(vectors, 12, n) for n in range(ivf.MAX_ROUNDS + 1)]
    fits = [(vectors @ centroids.T).max(axis=1).sum() for centroids in steps]
    assert (np.diff(fits) >= -1e-9).all() and fits[-1] > fits[0]
    assert {tuple(row) for row in steps[0]} <= {tuple(row) for row in vectors}
    moves = [abs(after - before).max() for before, after in zip(steps, steps[1:], strict=False)]
    assert moves[-1] < moves[0]


@pytest.mark.parametrize("nprobe", [1, 2, 12])
def test_a_visit_counts_what_its_cells_hold(nprobe):
    vectors = ivf.plane_vectors()
    centroids, query = ivf.centroids_after(vectors, 12, 5), ivf.lift(np.array([ivf.QUERY]))[0]
    probed, visited, exact, found = ivf.visit(vectors, centroids, query, nprobe)
    owner = assign(vectors, centroids)
    assert visited == np.isin(owner, probed).sum() and len(probed) == nprobe
    assert exact == exact_search(vectors, query, 10)
    assert set(owner[found]) <= set(probed)
    assert (found == exact) or nprobe < 12


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_sliders_change_what_is_said(lang):
    _, rounds, nprobe, across, up, result = ivf.explorer(lang).children
    said, pages = [], []
    for control, value in ((rounds, 10), (nprobe, 4), (nprobe, 12), (across, 0.4), (up, 0.4)):
        control.value = value
        said.append(re.search(r'role="status">(.*?)</p>', result.value)[1])
        pages.append(result.value)
    assert len(set(pages)) == len(pages), "each control changes the picture"
    recalls = [numbers(line)[-1] for line in said]
    assert recalls[1] >= recalls[0] and recalls[2:] == [1, 1, 1], "all cells are exact, wherever the query is"
    assert "240" in said[2] and "100" in said[2]
    assert 'alt="' in result.value and ivf.TEXTS["legend"][lang] in result.value


def test_the_controls_are_sliders_which_the_arrow_keys_move():
    controls = ivf.explorer("en").children[1:-1]
    assert [type(control).__name__ for control in controls] == ["IntSlider"] * 2 + ["FloatSlider"] * 2
    assert all(control.description for control in controls)


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_player_steps_through_the_rounds(lang):
    top, rounds, *_, result = ivf.explorer(lang).children
    play, told = top.children
    assert ivf.TEXTS["play"][lang] in told.value and (play.min, play.max) == (rounds.min, rounds.max)
    pages = {result.value}
    for n_rounds in range(1, ivf.MAX_ROUNDS + 1):
        play.value = n_rounds
        assert rounds.value == n_rounds and f"k-means, {ivf.when(n_rounds, lang)}." in result.value
        pages.add(result.value)
    assert len(pages) == ivf.MAX_ROUNDS + 1
    rounds.value = 3
    assert play.value == 3, "the player goes on from where the slider is"


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_stored_notebook_gets_a_picture_instead_of_sliders(shown, monkeypatch, lang):
    monkeypatch.setenv("RAGTEACH_STATIC", "1")
    explore.cells_explorer(lang=lang)
    plain, html = shown[0]
    assert 'alt="' in html and ivf.TEXTS["static"][lang] in html and plain == ivf.TEXTS["static"][lang]


def test_a_running_notebook_gets_sliders(shown, monkeypatch):
    monkeypatch.delenv("RAGTEACH_STATIC", raising=False)
    explore.cells_explorer(lang="en")
    assert len(shown[0].children) == 6


def test_the_picture_of_a_search_tells_found_from_missed_without_colour():
    vectors = ivf.plane_vectors()
    centroids, query = ivf.centroids_after(vectors, 12, 10), ivf.lift(np.array([ivf.QUERY]))[0]
    _, _, exact, found = ivf.visit(vectors, centroids, query, 1)
    figure = ivf.search_figure(vectors, centroids, query, 1, "en")
    lines = {line.get_label(): line for line in figure.axes[0].lines}
    hit, missed = lines["exact neighbour found"], lines["exact neighbour missed"]
    assert hit.get_marker() != missed.get_marker()
    n_found = len(set(found) & set(exact))
    assert (len(hit.get_xdata()), len(missed.get_xdata())) == (n_found, 10 - n_found) and 0 < n_found < 10


def test_rounds_are_drawn_side_by_side():
    figure = explore.rounds_figure([0, 1, 8], lang="fr")
    assert [ax.get_title() for ax in figure.axes] == ["tirage de départ", "après 1 tour", "après 8 tours"]
    assert figures.png(figure) == figures.png(explore.rounds_figure([0, 1, 8], lang="fr"))


@pytest.mark.parametrize(("lang", "share", "count"), [("fr", "2\u202f%", "1\u202f000"), ("en", "2%", "1,000")])
def test_trade_offs_have_round_ticks_in_the_language(lang, share, count):
    series = {"a": [(0.018, 0.2), (1, 1)], "b": [(0.05, 0.5), (0.5, 0.9)]}
    figure = explore.trade_off(series, "share", "recall", lang, percent=True)
    ticks = [label.get_text() for label in figure.axes[0].get_xticklabels()]
    assert ticks[0] == share and len(ticks) == 6
    first, second = figure.axes[0].lines
    assert first.get_linestyle() != second.get_linestyle() and first.get_marker() != second.get_marker()
    counts = explore.trade_off({"a": [(400, 1), (6000, 2)]}, "n", "cost", lang)
    assert count in [label.get_text() for label in counts.axes[0].get_xticklabels()]


def test_trade_offs_refuse_more_curves_than_they_can_tell_apart():
    with pytest.raises(ValueError, match="series"):
        explore.trade_off({}, "x", "y", "en")


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_stored_notebook_holds_no_time(shown, monkeypatch, lang):
    monkeypatch.setenv("RAGTEACH_STATIC", "1")
    explore.stopwatch({"exact": lambda: pytest.fail("nothing is measured")}, 10, lang=lang)
    assert shown[0][0].splitlines()[1].split() == ["exact", "…", "…"]
    assert shown[1][0] == ivf.TEXTS["clock"][lang]


def test_the_stopwatch_calls_each_way_in_turn(shown, monkeypatch):
    monkeypatch.delenv("RAGTEACH_STATIC", raising=False)
    calls = []
    explore.stopwatch({"a": lambda: calls.append("a"), "b": lambda: calls.append("b")}, 1, lang="en", rounds=2)
    assert calls == ["a", "b", "a", "b"]
    assert [line.split()[0] for line in shown[0][0].splitlines()] == ["way", "a", "b"]


@pytest.mark.parametrize("static", ["0", "1"])
def test_what_was_counted_stands_beside_the_time(shown, monkeypatch, static):
    monkeypatch.setenv("RAGTEACH_STATIC", static)
    ways = {"a": lambda: None, "b": lambda: None}
    explore.stopwatch(ways, 1, lang="fr", beside={"recall": [0.5, 1.0], "n": [7, 20]})
    lines = [line.split() for line in shown[0][0].splitlines()]
    assert [line[:3] for line in lines[1:]] == [["a", "0,50", "7"], ["b", "1,00", "20"]]
    assert all((line[-1] == "…") == (static == "1") for line in lines[1:])
    with pytest.raises(ValueError):
        explore.stopwatch(ways, 1, lang="fr", beside={"n": [7]})
