"""Chapter 07's pictures and explorers: a codebook on a plane, a table read step by step, what compression costs."""

import re

import numpy as np
import pytest
from seen import numbers

from ragteach import explore
from ragteach.explore import figures, pq, pq_table
from ragteach.retrieval.pq import pq_distances, pq_train


def status(result):
    return re.search(r'role="status">(.*?)</p>', result)[1]


def test_subvectors_are_on_the_plane_and_always_the_same():
    points = pq.plane_subvectors()
    assert points.shape == (300, 2) and abs(points).max() < pq.SIDE
    np.testing.assert_array_equal(points, pq.plane_subvectors())


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_more_codewords_leave_less_error_at_one_more_bit_each_time(lang):
    size, chosen, result = pq.explorer(lang).children
    errors = []
    for n_codes in pq.SIZES:
        size.value = n_codes
        words, bits, error, *_ = numbers(status(result.value))
        assert words == n_codes == 2**bits
        errors.append(error)
    assert errors == sorted(errors, reverse=True) and errors[0] == 100 and errors[-1] < 2
    before = status(result.value)
    chosen.value = 7
    assert status(result.value) != before
    assert 'alt="' in result.value and pq.TEXTS["legend"][lang] in result.value


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_table_fills_row_by_row_and_is_then_read(lang):
    step, chosen, result = pq_table.explorer(lang).children
    filled, read = [], []
    for step.value in range(pq_table.STEPS):
        filled.append(len(re.findall(r"<td[^>]*>[^<]|<strong>", result.value)))
        read.append(result.value.count("<strong>["))
    m, k = pq_table.N_SUBSPACES, pq_table.N_CODES
    assert filled == [k * min(s, m) for s in range(pq_table.STEPS)]
    assert read == [max(0, s - m) for s in range(pq_table.STEPS)]


@pytest.mark.parametrize("chosen", range(pq_table.N_SHOWN))
def test_the_numbers_read_add_up_to_the_distance_as_they_are_printed(chosen):
    query, codes, codebooks = pq_table.example()
    html = pq_table.look_up_html(pq_table.STEPS - 1, chosen, "en")
    terms = [float(term) for term in re.findall(r"<strong>\[([\d.]+)\]", html)]
    *_, total, direct = numbers(status(html).rstrip("."))
    assert len(terms) == pq_table.N_SUBSPACES
    assert sum(terms) == pytest.approx(total, abs=1e-6) and total == direct
    assert direct == pytest.approx(pq_distances(query, codes, codebooks)[chosen], abs=0.005)


@pytest.mark.parametrize("module", [pq, pq_table])
def test_the_controls_are_sliders_which_the_arrow_keys_move(module):
    controls = module.explorer("en").children[:-1]
    assert {type(control).__name__ for control in controls} <= {"IntSlider", "SelectionSlider"} and len(controls) == 2
    assert all(control.description for control in controls)


@pytest.mark.parametrize("lang", ["fr", "en"])
@pytest.mark.parametrize(
    ("module", "show"), [(pq, explore.codebook_explorer), (pq_table, explore.look_up_explorer)], ids=["plane", "table"]
)
def test_a_stored_notebook_gets_a_picture_instead_of_sliders(shown, monkeypatch, lang, module, show):
    monkeypatch.setenv("RAGTEACH_STATIC", "1")
    show(lang=lang)
    plain, html = shown[0]
    assert ('alt="' in html or 'scope="row"' in html) and module.TEXTS["static"][lang] in html
    assert plain == module.TEXTS["static"][lang]
    monkeypatch.delenv("RAGTEACH_STATIC")
    show(lang=lang)
    assert len(shown[1].children) == 3


def test_numbers_of_a_pair_are_written_as_the_language_does():
    assert pq.pair([0.5, -1], "fr") == "0,50\u202f; −1,00"
    assert pq.pair([0.5, -1], "en", 1) == "0.5; −1.0"


def test_two_small_codebooks_cross_in_every_pair_of_codewords():
    points = pq.plane_subvectors(80)
    figure = explore.product_figure(points, pq_train(points, 2, 3), "en")
    lines = {line.get_label(): line for line in figure.axes[0].lines}
    assert len(lines["vectors that can be decoded"].get_xdata()) == 9
    assert len(lines["vector"].get_xdata()) == 80


def test_levels_stand_below_the_values_that_they_are_for():
    values = np.random.default_rng(0).normal(0, 1, 200)
    figure = explore.levels_figure(values, {"even": [-3, 0, 3], "learnt": [-1, 0, 1]}, "fr")
    ax = figure.axes[0]
    marks = [line for line in ax.lines if line.get_marker() == "|"]
    assert [len(line.get_xdata()) for line in marks] == [3, 3]
    assert marks[1].get_ydata()[0] < marks[0].get_ydata()[0] < 0
    assert {text.get_text() for text in ax.texts} == {"even", "learnt"}
    assert ax.get_ylabel() == "nombre de vecteurs" and min(ax.get_yticks()) >= 0


def test_a_vector_and_what_its_codes_give_back_differ_by_dash_and_marker():
    figure = explore.decoded_figure({"vector": [1, 2, 3, 4], "decoded": [1, 2, 2, 4]}, 2, "en")
    first, second, edge = figure.axes[0].lines
    assert first.get_linestyle() != second.get_linestyle() and first.get_marker() != second.get_marker()
    assert edge.get_xdata() == [1.5, 1.5]


@pytest.mark.parametrize(("lang", "label"), [("fr", "octets par vecteur"), ("en", "bytes a vector")])
def test_recall_error_and_bytes_stand_on_one_picture(lang, label):
    series = {"rounded": [(32, 1.0, 1e-4), (8, 0.2, 0.6)], "PQ": [(8, 0.8, 0.04), (16, 0.9, 0.01)]}
    figure = explore.compression_figure(series, lang)
    above, below = figure.axes
    assert below.get_xlabel() == label and above.get_ylabel() and below.get_ylabel()
    assert [text.get_text() for text in below.get_xticklabels()] == ["8", "16", "32"]
    assert [text.get_text() for text in above.get_legend().get_texts()] == list(series)
    assert figures.png(figure) == figures.png(explore.compression_figure(series, lang))
