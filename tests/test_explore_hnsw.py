"""What chapter 08 shows: the graph node by node, a search hop by hop, and the measurements that are kept."""

import numpy as np
import pytest

from ragteach import explore
from ragteach.explore import hnsw_build, hnsw_figures, hnsw_growth, hnsw_walk
from ragteach.retrieval.hnsw import descend, squared_distances

LANGS = pytest.mark.parametrize("lang", ["fr", "en"])


def test_the_example_has_three_layers_and_prunes():
    vectors, levels, states = hnsw_build.example()
    assert [len(layer) for layer in states[-1][0]] == [sum(level >= n for level in levels) for n in range(3)]
    said = [hnsw_build.build_words(step, "en") for step in range(1, hnsw_build.N_POINTS + 1)]
    assert any("least: 0." not in words for words in said)
    gaps = [np.linalg.norm(a - b) for i, a in enumerate(vectors) for b in vectors[:i]]
    assert min(gaps) > hnsw_build.APART


@pytest.mark.parametrize("ef", [1, 3, 8])
def test_hops_end_where_the_search_ends_with_as_many_distances(ef):
    vectors, _, states = hnsw_build.example()
    layers, entry = states[-1]
    counted = 0

    def measure(ids, point):
        nonlocal counted
        counted += len(ids)
        return squared_distances(vectors, ids, point)

    expected = [node for _, node in descend(measure, layers, entry, hnsw_walk.QUERY, ef)]
    last = hnsw_walk.hops(vectors, layers, entry, hnsw_walk.QUERY, ef)[-1]
    assert (list(last.results), last.n_distances, last.over) == (expected, counted, True)


def dotted(figure):
    """The links that a figure draws as pruned: its pairs of ends."""
    return {
        (panel, frozenset(map(tuple, line.get_xydata())))
        for panel, ax in enumerate(figure.axes)
        for line in ax.lines
        if line.get_linestyle() == ":"
    }


@pytest.mark.parametrize("step", [15, 30])
def test_words_count_the_links_that_the_picture_shows_as_pruned(step):
    said = int(hnsw_build.build_words(step, "en").split("least: ")[1].split(".")[0])
    assert len(dotted(hnsw_build.build_figure(step, "en"))) == said


def test_a_candidate_that_is_a_result_looks_like_both():
    vectors, _, states = hnsw_build.example()
    layers, entry = states[-1]
    found = hnsw_walk.hops(vectors, layers, entry, hnsw_walk.QUERY, 3)
    hop = next(hop for hop in found if set(hop.candidates) & set(hop.results) - {hop.here})
    node = next(iter(set(hop.candidates) & set(hop.results) - {hop.here}))
    ax = hnsw_walk.hop_figure(vectors, layers, hnsw_walk.QUERY, hop, "en").axes[0]
    [box] = [text.get_bbox_patch() for text in ax.texts if text.get_text() == str(node)]
    assert "Square" in type(box.get_boxstyle()).__name__
    assert box.get_linewidth() == hnsw_figures.MARKS["result"][2]


@LANGS
def test_the_builder_follows_its_slider(lang):
    step, result = hnsw_build.build_box(lang).children
    for value in (0, 1, hnsw_build.N_POINTS):
        step.value = value
        assert hnsw_build.build_words(value, lang) in result.value
        assert 'role="status"' in result.value and 'alt="' in result.value
    assert step.max == hnsw_build.N_POINTS


@LANGS
def test_the_walker_follows_both_sliders_and_stays_where_the_search_is_over(lang):
    ef, step, result = hnsw_walk.search_box(lang).children
    end = step.max
    assert end == max(len(hnsw_walk.example_hops(ef)) for ef in range(ef.min, ef.max + 1)) - 1
    step.value = 1
    assert hnsw_walk.hop_words(hnsw_walk.example_hops(3)[1], lang) in result.value
    for ef.value in (8, 1):
        step.value = end
        assert hnsw_walk.hop_words(hnsw_walk.example_hops(ef.value)[-1], lang) in result.value
    assert step.max == end


@LANGS
@pytest.mark.parametrize("name", ["builder", "walker"])
def test_a_stored_notebook_gets_pictures_and_a_running_one_sliders(shown, monkeypatch, lang, name):
    explorer = getattr(explore, f"hnsw_{name}")
    monkeypatch.setenv("RAGTEACH_STATIC", "1")
    explorer(lang=lang)
    plain, html = shown[0]
    assert html.count('alt="') >= 2 and plain in html
    monkeypatch.delenv("RAGTEACH_STATIC")
    explorer(lang=lang)
    assert all(child.description for child in shown[1].children[:-1])


def texts(figure):
    ax = figure.axes[0]
    legend = ax.get_legend()
    return [text.get_text() for text in (*ax.texts, *(legend.get_texts() if legend else []))]


@LANGS
def test_figures_name_what_they_draw(lang):
    curves = {"M = 4": [(10.0, 0.5), (20.0, 0.9)], "M = 8": [(15.0, 0.7), (30.0, 1.0)]}
    figure = explore.recall_figure(curves, lang)
    assert set(texts(figure)) == set(curves)
    assert len({(line.get_linestyle(), line.get_marker()) for line in figure.axes[0].lines}) == 2
    assert figure.axes[0].get_xlabel() and figure.axes[0].get_ylabel()
    grown = explore.growth_figure([1000, 10_000], {"HNSW": [100.0, 150.0]}, lang)
    assert set(texts(grown)) == {"HNSW", hnsw_figures.TEXTS["exact"][lang]}
    assert grown.axes[0].get_xscale() == grown.axes[0].get_yscale() == "log"
    plane = explore.graph_figure(np.array([[0.0, 0], [1, 1]]), {0: [1], 1: []}, np.array([2.0, 2]), [0, 1], lang)
    assert {"0", "1", hnsw_figures.TEXTS["query"][lang]} <= set(texts(plane))
    assert {"0", "1"} <= set(texts(explore.friends_figure(5, [(0, 1)], [0, 1])))


def test_recall_figure_marks_no_recall_above_one():
    ax = explore.recall_figure({"M = 4": [(10.0, 0.98), (20.0, 1.0)]}, "en").axes[0]
    assert 1 in ax.get_yticks() and max(ax.get_yticks()) <= 1 < ax.get_ylim()[1]


def test_figures_refuse_more_curves_than_they_can_tell_apart():
    with pytest.raises(ValueError, match="series"):
        explore.recall_figure({str(i): [(1.0, 1.0)] for i in range(5)}, "en")
    with pytest.raises(ValueError, match="series"):
        explore.growth_figure([1000], {str(i): [1.0] for i in range(4)}, "en")


@LANGS
def test_an_absent_library_is_told_and_a_stored_notebook_never_depends_on_one(capsys, monkeypatch, lang):
    monkeypatch.delenv("RAGTEACH_STATIC", raising=False)
    assert explore.optional("json", "pip install json", lang).__name__ == "json"
    assert capsys.readouterr().out == ""
    assert explore.optional("no_such_library", "pip install it", lang) is None
    assert "pip install it" in capsys.readouterr().out
    monkeypatch.setenv("RAGTEACH_STATIC", "1")
    assert explore.optional("json", "pip install json", lang) is None
    assert "pip install json" in capsys.readouterr().out


@pytest.mark.parametrize("kind", hnsw_growth.MAKERS)
def test_measurements_that_are_kept_are_those_made_again(kind):
    assert len(hnsw_growth.MEASURED[kind]) == len(hnsw_growth.SIZES)
    distances, recall = next(hnsw_growth.measure(kind, hnsw_growth.SIZES[:1]))
    assert (distances, recall) == pytest.approx(hnsw_growth.MEASURED[kind][0], rel=0.05)


def test_measure_refuses_an_unknown_kind():
    with pytest.raises(ValueError, match="kind"):
        next(hnsw_growth.measure("text"))
