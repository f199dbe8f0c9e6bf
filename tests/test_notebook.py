"""What a cell sees: begin, check, hint, points, quiz, predict, reveal, and the progress on disk."""

import html
import json
import os
import subprocess
import sys

import pytest

from ragteach import COURSE_VERSION, exercises, notebook
from ragteach.notebook import cells, choices, page, progress
from ragteach.notebook import words as notebook_words
from ragteach.retrieval.bm25 import idf


@pytest.fixture(autouse=True)
def reader(tmp_path, monkeypatch):
    """A reader who starts: an empty home, no language set, nothing checked."""
    monkeypatch.setenv("RAGTEACH_HOME", str(tmp_path / "home"))
    monkeypatch.delenv("RAGTEACH_STATIC", raising=False)
    monkeypatch.setattr(page, "_lang", None)
    monkeypatch.setattr(cells, "_points", {})


@pytest.fixture
def shown(monkeypatch):
    """What the cells show, as text."""
    texts = []
    monkeypatch.setattr(page, "show", lambda text, html=None: texts.append(text))
    return texts


def wrong(n_docs, doc_freq):
    return 0.0


def blank(n_docs, doc_freq):
    raise NotImplementedError


def test_check_returns_the_function_where_it_is_right_else_the_reference(shown):
    notebook.begin("02_bm25", "en", COURSE_VERSION)

    def mine(n_docs, doc_freq):
        return idf(n_docs, doc_freq)

    assert notebook.check("bm25.idf", mine) is mine
    assert notebook.points("bm25.idf") == 1
    assert notebook.check("bm25.idf", wrong) is exercises.get("bm25.idf").reference
    assert notebook.points("bm25.idf") == 0
    assert "the reference idf" in shown[-1]


def test_check_survives_what_is_no_function_and_an_unknown_id(shown):
    notebook.begin("02_bm25", "fr", COURSE_VERSION)
    assert notebook.check("bm25.idf", 3) is exercises.get("bm25.idf").reference
    assert "n’est pas une fonction" in shown[-1]
    assert notebook.check("bm25.idff", wrong) is wrong
    assert "bm25.idf" in shown[-1]
    notebook.hint("bm25.idff")
    assert "bm25.idf" in shown[-1]


def test_a_fault_of_the_checker_is_not_the_readers(shown, monkeypatch):
    monkeypatch.setattr(cells, "run", lambda *_: 1 / 0)
    notebook.begin("02_bm25", "en", COURSE_VERSION)
    assert notebook.check("bm25.idf", idf) is exercises.get("bm25.idf").reference
    assert "you did nothing wrong" in shown[-1]


def test_points_are_zero_before_any_check():
    assert notebook.points("bm25.idf") == 0


def test_progress_keeps_the_best_and_counts_attempts(shown):
    notebook.begin("02_bm25", "en", COURSE_VERSION)
    assert "0 points out of 14" in shown[-1]
    for function in (blank, wrong, idf, wrong):
        notebook.check("bm25.idf", function)
    facts = progress.read("exercises", "bm25.idf")
    assert (facts["points"], facts["attempts"], facts["verdict"]) == (1, 3, "failed")
    notebook.begin("02_bm25", "fr", COURSE_VERSION)
    assert "1 point sur 14 · exercices réussis\u00a0: 1 sur 8" in shown[-1]
    assert "✓ bm25.idf" in progress.summary_text("fr")
    assert "○ bm25.scores" in progress.summary_text("fr")


def test_progress_speaks_the_language_of_the_last_notebook(shown, monkeypatch):
    monkeypatch.setenv("LC_ALL", "C")
    assert progress.reader_language() == "en"
    notebook.begin("02_bm25", "fr", COURSE_VERSION)
    assert progress.reader_language() == "fr"


def test_all_done_is_said(shown):
    notebook.begin("02_bm25", "en", COURSE_VERSION)
    for exercise in exercises.chapter("02_bm25").exercises:
        notebook.check(exercise.id, exercise.reference)
    assert exercises.chapter("02_bm25").exercises[-1].id in shown[-1] and notebook_words.ALL_DONE["en"] in shown[-1]


def test_a_damaged_progress_file_is_set_aside_not_overwritten():
    path = progress.home() / "exercises" / "bm25.idf.json"
    path.parent.mkdir(parents=True)
    wrong_types = (b'{"points": "x"}', b'{"points": null}', b'{"attempts": [1]}', b'{"hints": -7}', b'{"hints": 1e999}')
    for damage in (b"{not json", b"\xff\xfe", b"[1]", b"[" * 100_000, *wrong_types):
        path.write_bytes(damage)
        assert progress.read("exercises", "bm25.idf") == {}
        assert path.with_suffix(".damaged").read_bytes() == damage
    assert progress.write("exercises", "bm25.idf", {"points": 1})
    assert progress.read("exercises", "bm25.idf") == {"points": 1}


def test_a_full_disk_leaves_no_half_entry(monkeypatch):
    def full(*args, **kwargs):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(progress.json, "dump", full)
    assert progress.write("exercises", "bm25.idf", {"points": 1}) is False
    assert list((progress.home() / "exercises").iterdir()) == []


def test_where_progress_cannot_be_saved_the_check_says_so_and_goes_on(shown, monkeypatch, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("a file where a folder should be")
    monkeypatch.setenv("RAGTEACH_HOME", str(blocked))
    notebook.begin("02_bm25", "en", COURSE_VERSION)
    assert notebook.check("bm25.idf", idf) is idf
    assert "could not be saved" in shown[-1]


def test_another_course_version_is_told(shown):
    notebook.begin("02_bm25", "en", "0")
    assert "version 0" in shown[-1]


def test_begin_refuses_an_unknown_language_or_chapter():
    with pytest.raises(ValueError, match="lang"):
        notebook.begin("02_bm25", "de", COURSE_VERSION)
    with pytest.raises(ValueError, match="02_bm25"):
        notebook.begin("02_bm52", "en", COURSE_VERSION)


def test_hints_come_one_at_a_time(shown):
    notebook.begin("02_bm25", "en", COURSE_VERSION)
    hints = exercises.get("bm25.idf").hints
    for number in [*range(len(hints)), len(hints) - 1]:
        notebook.hint("bm25.idf")
        assert hints[number]["en"] in shown[-1]
        assert f"Hint {number + 1} of {len(hints)}" in shown[-1]
    assert "solutions folder" in shown[-1]


def parts(widget):
    """The buttons of a question, and the line below them."""
    _, *rows, said = widget.children
    return [row.children[0] for row in rows], said


def test_quiz_answers_are_told_and_remembered():
    question = exercises.chapter("02_bm25").quiz[0]
    right = [choice.right for choice in question.choices].index(True)
    wrong_choice = [choice.right for choice in question.choices].index(False)
    buttons, said = parts(choices.question_widget(question, 1, "fr"))
    assert said.value == "" and [button.description for button in buttons] == list("ABCD")[: len(buttons)]
    buttons[wrong_choice].click()
    assert "Pas tout à fait" in said.value
    buttons[right].click()
    assert "Juste" in said.value and 'role="status"' in said.value
    again, said_again = parts(choices.question_widget(question, 1, "fr"))
    assert "Juste" in said_again.value
    assert [button.icon for button in again].index("check") == right


def test_a_prediction_is_noted_and_recalled(shown):
    notebook.begin("02_bm25", "fr", COURSE_VERSION)
    prediction = exercises.prediction("bm25.saturation")
    notebook.reveal(prediction.id, 2.4)
    assert "Vous n’avez pas parié" in shown[-1] and "2,4" in shown[-1]
    buttons, said = parts(choices.prediction_widget(prediction, "fr"))
    buttons[1].click()
    assert prediction.choices[1]["fr"] in html.unescape(said.value)
    notebook.reveal(prediction.id, 2.4)
    assert prediction.choices[1]["fr"] in shown[-1] and prediction.explanation["fr"] in shown[-1]
    with pytest.raises(ValueError, match="bm25.saturation"):
        exercises.prediction("bm25.saturatio")


def test_static_pages_ask_without_widgets_and_without_answers(shown, monkeypatch):
    monkeypatch.setenv("RAGTEACH_STATIC", "1")
    notebook.begin("02_bm25", "en", COURSE_VERSION)
    notebook.quiz("02_bm25")
    for question in exercises.chapter("02_bm25").quiz:
        assert question.text["en"] in shown[-1]
        assert all(choice.explanation["en"] not in shown[-1] for choice in question.choices)
    notebook.predict("bm25.saturation")
    assert exercises.prediction("bm25.saturation").text["en"] in shown[-1]


def test_a_real_kernel_shows_html_and_survives_every_kind_of_function(tmp_path):
    """Run cells through IPython, as a kernel does, and read what they display."""
    code = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.capture import capture_output
shell = InteractiveShell.instance()
cells = ['from ragteach.notebook import *; begin("02_bm25", lang="en", course="VERSION")',
         'def idf(n, d):\\n    while True: pass', 'idf = check("bm25.idf", idf)',
         'def idf(n, d):\\n    return 1 / 0', 'idf = check("bm25.idf", idf)',
         'idf = check("bm25.idf", lambda n, d: print("x" * 10**6))']
with capture_output() as captured:
    ok = [shell.run_cell(cell).success for cell in cells]
print(json.dumps({"ok": ok, "outputs": [output.data for output in captured.outputs], "text": captured.stdout}))
""".replace("VERSION", COURSE_VERSION)
    env = dict(os.environ, RAGTEACH_HOME=str(tmp_path))
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, timeout=60)
    said = json.loads(done.stdout.splitlines()[-1])
    assert all(said["ok"]) and said["text"] == ""
    pages = [output["text/html"] for output in said["outputs"]]
    assert len(pages) == 4
    assert "does not finish" in pages[1]
    assert "ZeroDivisionError" in pages[2] and "return 1 / 0" in pages[2]
    assert all("text/plain" in output for output in said["outputs"])
