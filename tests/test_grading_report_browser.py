"""The class's report and a student's page in a real browser: no network, no script, readable without colour."""

from dataclasses import replace

import pytest
from grading_notebooks import SOLUTIONS, blank
from grading_rows import BASE_TEN, CHAPTER, made, marked

from ragteach.grading import words
from ragteach.grading.gradebook import Run
from ragteach.grading.marking import Marked
from ragteach.grading.outputs import Outputs
from ragteach.grading.write import write

pytest.importorskip("playwright", reason="Playwright is not installed: the browser tests need it.")
from browser import browser_page, find_browser  # noqa: E402

pytestmark = pytest.mark.skipif(find_browser() is None, reason="no Chromium on this machine")

EVIL = "<script>document.title = 'hacked'</script><img src=x onerror=\"document.title = 'hacked'\">"
SANDBOX = "Bac à sable\u00a0: tout est fermé, sauf ce qui ne l’est pas."


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Write the outputs of a class of forty in French, with everything that a report can show."""
    evil = {"fr": EVIL, "en": EVIL}
    undone = {id: blank(id) for id in ("bm25.search", "bm25.explain")}
    kinds = [
        lambda name: made(marked(name, seconds=1.5)),
        lambda name: made(marked(name, {"bm25.idf": BASE_TEN}, lang="fr", remarks=(evil,))),
        lambda name: made(marked(name, {"bm25.idf": BASE_TEN, **undone})),
        lambda name: made(Marked(name, "refused", remarks=(words.NO_FILE,))),
        lambda name: made(Marked(name, "grader_error", CHAPTER, fault=EVIL)),
    ]
    rows = [kinds[n % 5](f"étudiant {n:02}") for n in range(40)]
    answers = [{"id": "lsa.w_memory", "points": 4, "text": EVIL}]
    rows[0] = replace(rows[0], details={**rows[0].details, "written": answers})
    out = tmp_path_factory.mktemp("out")
    outputs = Outputs(out)
    for row in rows:
        outputs.write(row.details["feedback"], row.page)
    write(outputs, rows, Run("fr", sandbox=SANDBOX, total=40), 40)
    return out


@pytest.fixture(scope="module")
def page():
    with browser_page() as page:
        yield page


@pytest.fixture
def opened(page, folder):
    """Open one of the files; any request but for the file itself fails the test."""

    asked = []
    note = lambda request: asked.append(request.url)  # noqa: E731

    def open_file(name):
        page.on("request", note)
        page.goto((folder / name).as_uri())
        assert asked == [(folder / name).as_uri()]
        return page

    yield open_file
    page.remove_listener("request", note)


def test_the_report_begins_with_what_was_enforced(opened):
    page = opened("report.html")
    assert page.inner_text("main").splitlines()[0] == SANDBOX
    assert page.title() == "Correction d’une classe"


def test_nothing_that_a_student_wrote_runs(opened):
    page = opened("report.html")
    for summary in page.locator("summary").all():
        summary.click()
    assert page.title() == "Correction d’une classe"
    assert page.locator("img, script").count() == 0
    assert EVIL in page.locator("#written blockquote").first.inner_text()


def test_the_map_reads_without_colour(opened):
    page = opened("report.html")
    page.emulate_media(forced_colors="active")
    signs = page.locator(".map td.sign").all_inner_texts()
    assert len(signs) == 24 * len(SOLUTIONS)  # forty but for sixteen without results
    assert {"✓", "✗", "○"} == set(signs)
    assert {"✓", "✗", "○"} <= set(page.inner_text("section p:has(strong)"))  # the legend
    labels = page.locator(".map td.sign").evaluate_all("cells => cells.map(cell => cell.getAttribute('aria-label'))")
    assert all(labels)
    page.emulate_media(forced_colors="none")


@pytest.mark.parametrize("width", [1300, 420])
def test_the_report_fits_its_window(opened, width):
    page = opened("report.html")
    page.set_viewport_size({"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    bars = page.locator(".distribution .bar").evaluate_all("bars => bars.map(bar => bar.getBoundingClientRect().width)")
    assert max(bars) > 20 and min(bars) == 0
    page.set_viewport_size({"width": 1300, "height": 950})


@pytest.mark.parametrize("width", [1300, 420])
@pytest.mark.parametrize("name", ["report.html", "feedback/étudiant 02.html"])
def test_no_short_word_is_broken(opened, name, width):
    page = opened(name)
    page.set_viewport_size({"width": width, "height": 900})
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    broken = page.locator("th:not(.upright), td.status, td.sign, td.number, td.points").evaluate_all(
        """cells => cells.flatMap(cell => Array.from(cell.childNodes)).filter(node => node.nodeType === 3)
        .flatMap(node => Array.from(node.data.matchAll(/[^\\s-]+/g), word => {
            const range = document.createRange();
            range.setStart(node, word.index); range.setEnd(node, word.index + word[0].length);
            return range.getClientRects().length > 1 ? [word[0]] : [] }).flat())"""
    )
    assert broken == []
    page.set_viewport_size({"width": 1300, "height": 950})


def test_a_link_of_the_map_leads_to_the_students_page(opened):
    page = opened("report.html")
    page.locator(".map a", has_text="étudiant 01").click()
    page.wait_for_url("**/feedback/*")
    assert "Votre correction" in page.inner_text("h1")
    assert "À faire maintenant" in page.inner_text("main")
    assert page.locator("img, script").count() == 0 and page.title() != "hacked"
    page.locator("summary", has_text="Indice 1").first.click()
    assert page.locator("summary", has_text="Indice 2").first.is_visible()
