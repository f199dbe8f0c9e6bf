"""A reader at work: JupyterLab in a headless browser, the lesson run, an exercise got wrong then right, a slider moved.

Screenshots are kept in test-artefacts/ at the top of the project.
"""

import shutil
from pathlib import Path

import pytest

pytest.importorskip("playwright", reason="Playwright is not installed: the browser tests need it.")
from browser import Notebook, browser_page, find_browser, lab_server  # noqa: E402

ROOT = Path(__file__).parents[1]
SHOTS = ROOT / "test-artefacts"

pytestmark = pytest.mark.skipif(
    find_browser() is None, reason="No Chromium or Chrome was found on this machine: the browser tests need one."
)

RIGHT_IDF = """import math


def idf(n_docs, doc_freq):
    return math.log((n_docs - doc_freq + 0.5) / (doc_freq + 0.5) + 1)"""
WRONG_IDF = RIGHT_IDF.replace("math.log(", "math.log10(")
SAID = {
    "fr": {
        "wrong": "Diagnostic",
        "right": "✓ Juste",
        "noted": "C’est noté",
        "answered": ("✓ Juste", "✗ Pas tout à fait"),
    },
    "en": {"wrong": "Diagnosis", "right": "✓ Right", "noted": "Noted", "answered": ("✓ Right", "✗ Not quite")},
}


@pytest.fixture(scope="module")
def lab(tmp_path_factory):
    """JupyterLab on a copy of the notebooks: what a test types stays out of the project."""
    root = tmp_path_factory.mktemp("collection")
    for folder in ("notebooks", "exercises", "solutions"):
        shutil.copytree(ROOT / folder, root / folder)
    SHOTS.mkdir(exist_ok=True)
    with lab_server(root, tmp_path_factory.mktemp("home")) as address:
        yield address


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_a_reader_learns_bm25(lab, lang):
    with browser_page() as page:
        notebook = Notebook(page, lab.format(f"notebooks/{lang}/02_bm25.ipynb"))
        notebook.run_all()
        notebook.select("times = range(")
        page.wait_for_timeout(500)
        page.screenshot(path=SHOTS / f"lesson-{lang}.png")

        cell = notebook.select("def idf(")
        notebook.type(WRONG_IDF)
        notebook.run_selected()
        notebook.select('check("bm25.idf"', cell)
        notebook.run_selected()
        notebook.output.get_by_text(SAID[lang]["wrong"]).first.wait_for()
        page.screenshot(path=SHOTS / f"feedback-{lang}.png")

        notebook.select("def idf(", cell)
        notebook.type(RIGHT_IDF)
        notebook.run_selected()
        notebook.select('check("bm25.idf"', cell)
        notebook.run_selected()
        notebook.output.get_by_text(SAID[lang]["right"]).first.wait_for()
        page.screenshot(path=SHOTS / f"passed-{lang}.png")

        notebook.select("bm25_explorer(")
        handle = notebook.output.locator(".widget-slider .noUi-handle").first
        handle.wait_for()
        before = notebook.output.inner_text()
        value = handle.get_attribute("aria-valuetext") or handle.get_attribute("aria-valuenow")
        handle.focus()
        for _ in range(10):
            page.keyboard.press("ArrowRight")
        page.wait_for_function(
            "([handle, value]) => (handle.getAttribute('aria-valuetext') ?? '') !== value",
            arg=[handle.element_handle(), value],
        )
        page.wait_for_timeout(1500)
        assert notebook.output.inner_text() != before, "moving k1 re-ranks nothing"
        page.screenshot(path=SHOTS / f"explorer-{lang}.png")


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_predictions_and_quiz_need_no_mouse(lab, lang):
    with browser_page() as page:
        notebook = Notebook(page, lab.format(f"notebooks/{lang}/02_bm25.ipynb"))
        notebook.run_all()

        notebook.select('predict("bm25.saturation")')
        notebook.output.locator("button.jupyter-button").first.focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Space")
        notebook.output.get_by_text(SAID[lang]["noted"]).first.wait_for()
        page.screenshot(path=SHOTS / f"prediction-{lang}.png")

        notebook.select("quiz(")
        notebook.output.locator("button.jupyter-button").first.focus()
        page.keyboard.press("Tab")
        page.keyboard.press("Enter")
        right, wrong = SAID[lang]["answered"]
        notebook.output.get_by_text(right).or_(notebook.output.get_by_text(wrong)).first.wait_for()
        page.screenshot(path=SHOTS / f"quiz-{lang}.png")
