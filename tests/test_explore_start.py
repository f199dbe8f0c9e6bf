"""The picture of chapter 00."""

import pytest

from ragteach import explore
from ragteach.explore.start import ARROWS, STAGES

LANGS = pytest.mark.parametrize("lang", ["fr", "en"])


@LANGS
def test_every_stage_has_its_box_its_name_and_its_chapters(lang):
    ax = explore.pipeline_figure(lang).axes[0]
    written = [text.get_text() for text in ax.texts]
    assert len(ax.patches) == len(STAGES)
    for name, action, chapters, _, _ in STAGES:
        assert {name[lang], action[lang]} <= set(written)
        assert any(text.endswith(f" {chapters}") for text in written)


def test_no_text_leaves_its_box():
    for lang in ("fr", "en"):
        figure = explore.pipeline_figure(lang)
        figure.canvas.draw()
        ax = figure.axes[0]
        for box in ax.patches:
            frame = box.get_window_extent()
            inside = [text for text in ax.texts if frame.contains(*text.get_window_extent().get_points().mean(axis=0))]
            names = [text for text in inside if text.get_text()]
            assert len(names) == 3
            for text in names:
                extent = text.get_window_extent()
                assert frame.x0 < extent.x0 and extent.x1 < frame.x1, text.get_text()


def test_arrows_lead_from_the_documents_and_from_the_question_to_the_answer():
    places = {(column, row) for *_, column, row in STAGES}
    assert {place for arrow in ARROWS for place in arrow} == places
    for start in ((0, 1), (0, 0)):
        place = start
        while place in dict(ARROWS):
            place = dict(ARROWS)[place]
        assert place == (4, 0)
