"""What chapter 04 shows: rankings side by side, passages on a plane, the two explorers live and still."""

import re
from html import escape

import numpy as np
import pytest
from seen import texts

from ragteach import explore
from ragteach.corpus import Chunk, relevant_chunks
from ragteach.explore import fusion
from ragteach.retrieval.fusion import weighted_rrf
from ragteach.retrieval.text import tokenize

LANGS = pytest.mark.parametrize("lang", ["fr", "en"])


def status(html):
    """The line that a screen reader says."""
    return re.search(r'<p role="status"><b>[^<]*</b><br>([^<]*)</p>', html)[1]


def listed(html):
    """The numbers of the chunks in the list, best first."""
    return [int(number) for number in re.findall(r"<li><b>(?:★ )?\w+ (\d+)</b>", html)]


def test_rankings_side_by_side_mark_what_answers_without_colour():
    figure = explore.bump_figure({"BM25": ["a", "b"], "RRF": ["b", "a"]}, {"b"}, lang="en")
    assert {"BM25", "RRF", "rank", "a", "★ b"} <= set(texts(figure))
    thick, thin = sorted(figure.axes[0].lines, key=lambda line: -line.get_linewidth())
    assert thick.get_linestyle() == "-" and thin.get_linestyle() == "--"


def test_ids_below_the_last_row_are_left_out():
    figure = explore.bump_figure({"BM25": list(range(9)), "LSA": [8]}, set(), lang="fr", depth=3)
    assert "2" in texts(figure) and "7" not in texts(figure)
    assert len(figure.axes[0].lines) == 0


def test_the_plane_keeps_distances_of_vectors_that_lie_in_one():
    rng = np.random.default_rng(0)
    vectors = rng.normal(size=(6, 2)) @ rng.normal(size=(2, 5))
    points = fusion.plane(vectors)
    assert np.allclose(np.linalg.norm(points[0] - points, axis=1), np.linalg.norm(vectors[0] - vectors, axis=1))
    assert fusion.plane(np.ones((3, 1))).shape == (3, 2)


def test_the_choice_picture_numbers_the_choices_in_order():
    vectors = np.eye(4)
    figure = explore.choice_figure(vectors[0], vectors[1:], ["x", "y", "z"], [2, 0], lang="en")
    assert {"1", "2", "x (2)", "y", "z (1)", "question"} <= set(texts(figure)) and "3" not in texts(figure)


def test_names_of_points_that_coincide_do_not_cover_one_another():
    points = np.array([[0, 0], [100, 100], [100, 100], [104, 101], [300, 100]])
    places = points[1:] + np.array(fusion.label_offsets(points))
    gaps = [abs(a - b) for i, a in enumerate(places) for b in places[:i]]
    assert all(dx > 20 or dy > 10 for dx, dy in gaps)


def test_overlapping_counts_neighbours_of_one_document():
    pieces = [Chunk("faq", 0, ""), Chunk("faq", 2, ""), Chunk("faq", 1, ""), Chunk("manual", 3, "")]
    assert explore.overlapping(pieces) == 2
    assert explore.overlapping([Chunk("faq", 0, ""), Chunk("manual", 1, "")]) == 0


@LANGS
def test_fusion_explorer_shows_the_fusion_it_says(lang):
    box = fusion.explorer(lang)
    question, k, lexical, dense, result = box.children
    asked = question.value
    chunks, bm25, lsa = fusion.searches(lang)
    lists = [bm25.search(tokenize(asked.text), 40), lsa.search(fusion.concepts(asked.text, lang), 40)]
    assert listed(result.value) == weighted_rrf(lists, [1, 1], 60)[:3]
    k.value, lexical.value = 1, 0
    assert listed(result.value) == weighted_rrf(lists, [0, 1], 1)[:3] == lists[1][:3]
    assert "k = 1" in status(result.value)
    rank = fusion.first_rank(lists[1], relevant_chunks(asked, chunks))
    assert f"{rank} {'pour' if lang == 'fr' else 'in'} LSA" in status(result.value)


@LANGS
def test_questions_offered_are_those_of_disagreement_and_of_repetition(lang):
    both = fusion.disagreements(lang), fusion.repetitions(lang)
    assert all(len({question.id for question in questions}) == 6 for questions in both)
    assert all(question.relevant and not question.history for questions in both for question in questions)


@LANGS
def test_each_question_of_the_fusion_explorer_has_an_answer_in_the_picture(lang):
    question, *_, result = fusion.explorer(lang).children
    for n, (_, asked) in enumerate(question.options):
        question.index = n
        chunks, bm25, lsa = fusion.searches(lang)
        lists = [bm25.search(tokenize(asked.text), 40), lsa.search(fusion.concepts(asked.text, lang), 40)]
        shown_ids = {id_ for ranking in lists for id_ in ranking[: fusion.SHOWN]}
        assert shown_ids & relevant_chunks(asked, chunks)
        assert escape(asked.text) in result.value


@LANGS
def test_mmr_explorer_keeps_copies_out_when_lambda_falls(lang):
    box = fusion.diversity_explorer(lang)
    question, lam, result = box.children
    n_pairs = []
    for value in (1.0, 0.5):
        lam.value = value
        html = result.value
        n_pairs.append(int(status(html).split()[-1]))
        assert len(set(listed(html))) == 5
        assert explore.number(value, lang, 1) in status(html)
    assert n_pairs[0] > n_pairs[1]


@LANGS
def test_a_new_question_gives_another_list(lang):
    for box in (fusion.explorer(lang), fusion.diversity_explorer(lang)):
        before = box.children[-1].value
        box.children[0].index = 2
        assert box.children[-1].value != before


@LANGS
@pytest.mark.parametrize("name", ["fusion_explorer", "mmr_explorer"])
def test_a_stored_notebook_gets_a_picture_instead_of_controls(shown, monkeypatch, lang, name):
    monkeypatch.setenv("RAGTEACH_STATIC", "1")
    getattr(explore, name)(lang=lang)
    plain, html = shown[0]
    assert plain == fusion.TEXTS["static"][lang]
    assert 'alt="' in html and fusion.TEXTS["static"][lang] in html and listed(html)


@pytest.mark.parametrize("name", ["fusion_explorer", "mmr_explorer"])
def test_a_running_notebook_gets_controls_that_the_keyboard_reaches(shown, monkeypatch, name):
    import ipywidgets as widgets

    monkeypatch.delenv("RAGTEACH_STATIC", raising=False)
    getattr(explore, name)(lang="en")
    *controls, _ = shown[0].children
    sliders = widgets.SelectionSlider | widgets.IntSlider | widgets.FloatSlider  # the arrows leave a drop-down list
    assert all(isinstance(control, sliders) for control in controls)
    assert all(control.description for control in controls)


def test_texts_stand_in_both_languages():
    assert all(set(text) == {"fr", "en"} for text in fusion.TEXTS.values())
