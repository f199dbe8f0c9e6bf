"""Grading a class: a row for everybody, a gradebook that tools can read, a page for each student."""

import csv
import json
import os
import tempfile
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import pytest
from grading_notebooks import METADATA, POINTS, SOLUTIONS, TOTAL, blank, cells, code, notebook, save, wrong
from grading_rows import BASE_TEN, made, marked

from ragteach import exercises
from ragteach.grading import check_notebook, classroom, grade, gradebook, reading_words, write
from ragteach.grading.find import Found
from ragteach.grading.marking import Marked, mark
from ragteach.grading.outputs import Outputs

ROOT = Path(__file__).parents[1]
FOREIGN = [code("import pandas as pd")]
ENGLISH = {"ragteach": {**METADATA["ragteach"], "lang": "en"}}
FEW = {id: blank(id) for id in SOLUTIONS}  # blanks: quick to mark
# Right on every hand-picked example, wrong on a number of documents that only random inputs hold.
VISIBLE_ONLY = """
def bim_weight(p, u):
    if not (0 < p < 1 and 0 < u < 1):
        raise ValueError("p and u are probabilities")
    known = {known}
    return known.get((p, u), 0.123456)
"""


@pytest.fixture(scope="module")
def graded(tmp_path_factory):
    """Grade one class with every kind of submission in it, two at a time; give rows, details and the folder."""
    root, out = tmp_path_factory.mktemp("class"), tmp_path_factory.mktemp("out")
    examples = exercises.get("bm25.bim_weight").examples
    good = [example.args for example in examples if all(0 < x < 1 for x in example.args)]
    known = {args: exercises.get("bm25.bim_weight").reference(*args) for args in good}
    save(root / "Zoé Élise" / "02_bm25.ipynb", cells(), METADATA)
    save(root / "blank" / "02_bm25.ipynb", cells(FEW), METADATA)
    save(root / "early mistake" / "mon rendu.ipynb", cells(wrong("bm25.idf")), ENGLISH)
    save(root / "=1+1" / "a.ipynb", cells(FEW), METADATA)
    save(root / "exit" / "a.ipynb", [*cells(FEW), code("import os\nos._exit(3)")], METADATA)
    save(root / "endless" / "a.ipynb", [code("while True:\n    pass")] * 8, METADATA)
    save(root / "foreign" / "02_bm25.ipynb", FOREIGN, {})
    save(root / "learnt" / "a.ipynb", cells({**FEW, "bm25.bim_weight": VISIBLE_ONLY.format(known=known)}), METADATA)
    save(root / "script" / "a.ipynb", [*cells(FEW), code("raise ValueError('<script>alert(1)</script>')")], METADATA)
    for name, data in {"empty": b"", "no json": b"\x80\x04", "list": b"[]", "no cells": notebook([]).encode()}.items():
        (root / name).mkdir()
        (root / name / "02_bm25.ipynb").write_bytes(data)
    (root / "no notebook").mkdir()
    (out / "grades.csv").write_text("an older gradebook")
    (out / "notes.txt").write_text("the teacher's own")
    assert grade([root], out, jobs=2, seed=7, timeout=6.0, lang="en") == 0
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["submission"]: row for row in csv.DictReader(file)}
    return rows, json.loads((out / "grades.json").read_text(encoding="utf-8")), out


def details(graded, name):
    return next(one for one in graded[1]["submissions"] if one["submission"] == name)


def page(graded, name):
    return (graded[2] / details(graded, name)["feedback"]).read_text(encoding="utf-8")


def test_every_submission_has_a_row_and_a_status(graded):
    statuses = {name: row["status"] for name, row in graded[0].items()}
    refused = dict.fromkeys(["empty", "no json", "list", "no cells", "no notebook", "foreign"], "refused")
    marked = dict.fromkeys(["Zoé Élise", "blank", "early mistake", "'=1+1", "exit", "learnt", "script"], "graded")
    assert statuses == {**refused, **marked, "endless": "timeout"}


def test_the_table_has_the_columns_that_tools_rely_on(graded):
    rows = graded[0]
    assert list(rows["blank"]) == ["submission", "status", "points", "max_points", *SOLUTIONS]
    assert {row["max_points"] for row in rows.values()} == {str(TOTAL)}
    assert rows["Zoé Élise"]["points"] == str(TOTAL)
    assert {rows["Zoé Élise"][id] for id in SOLUTIONS} == {str(points) for points in POINTS.values()}
    assert rows["blank"]["points"] == "0" and {rows["blank"][id] for id in SOLUTIONS} == {"0"}
    assert rows["early mistake"]["points"] == str(TOTAL - 1) and rows["early mistake"]["bm25.idf"] == "0"
    assert rows["empty"]["points"] == "0" and rows["empty"]["bm25.idf"] == ""


def test_the_details_say_what_was_found(graded):
    whole = graded[1]
    assert (whole["schema"], whole["seed"], whole["course"]) == (1, 7, "1")
    found = {one["id"]: one for one in details(graded, "early mistake")["exercises"]}
    assert list(found) == list(SOLUTIONS)
    idf = found["bm25.idf"]
    assert idf["verdict"] == "failed" and idf["counterexample"]["call"].startswith("idf(") and idf["sentences"]
    assert found["bm25.scores"]["verdict"] == "passed" and found["bm25.scores"]["counterexample"] is None
    assert details(graded, "no json")["remarks"][0].startswith("Le fichier") is False  # nothing says that it is French


def test_files_of_the_teachers_are_left_alone(graded):
    out = graded[2]
    assert (out / "notes.txt").read_text() == "the teacher's own"
    assert (out / "grades.edited.csv").read_text() == "an older gradebook"
    shown = {path.name for path in out.iterdir() if not path.name.startswith(".")}
    tables = {"grades.csv", "grades-excel.csv", "grades.json", "junit.xml", "report.html", "results.jsonl"}
    assert shown == {*tables, "feedback", "gradescope", "notes.txt", "grades.edited.csv"}
    assert len(list((out / "feedback").iterdir())) == len(graded[0])


class Tags(HTMLParser):
    """Collects the tags and the text of a page."""

    def __init__(self, text):
        super().__init__()
        self.tags, self.text, self.attributes = [], "", []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs

    def handle_data(self, data):
        self.text += data


def test_feedback_is_a_page_of_its_own_in_the_notebooks_language(graded):
    french, english = page(graded, "Zoé Élise"), page(graded, "early mistake")
    assert '<html lang="fr">' in french and "Votre correction" in french and "14\u00a0points sur 14" in french
    assert '<html lang="en">' in english and "Your feedback" in english and "13 out of 14 points" in english
    for text in (french, english):
        parsed = Tags(text)
        assert not {"script", "link", "img", "iframe"} & set(parsed.tags)
        assert not [value for name, value in parsed.attributes if name in ("src", "href")]


def test_what_a_student_wrote_is_escaped(graded):
    parsed = Tags(page(graded, "script"))
    assert "script" not in parsed.tags and "<script>alert(1)</script>" in parsed.text


def test_a_refused_submission_has_a_page_that_says_why(graded):
    assert "empty" in page(graded, "empty") and "no notebook" in page(graded, "no notebook").lower()


def test_a_hidden_input_is_never_shown_to_the_student(graded):
    found = next(one for one in details(graded, "learnt")["exercises"] if one["id"] == "bm25.bim_weight")
    assert found["verdict"] == "failed" and found["counterexample"]["hand_picked"] is False
    text = Tags(page(graded, "learnt")).text
    assert found["counterexample"]["call"] not in text and "0.123456" not in text and "secret" in text
    shown = Tags(page(graded, "early mistake")).text  # a hand-picked example may be shown
    idf = next(one for one in details(graded, "early mistake")["exercises"] if one["id"] == "bm25.idf")
    assert idf["counterexample"]["hand_picked"] is True and idf["counterexample"]["call"] in shown


def test_the_same_seed_gives_the_same_gradebook(graded, tmp_path):
    save(tmp_path / "in" / "learnt" / "a.ipynb", cells({**FEW, "bm25.idf": SOLUTIONS["bm25.idf"]}), METADATA)
    for out in ("one", "two"):
        assert grade([tmp_path / "in"], tmp_path / out, jobs=1, seed=3) == 0
    assert (tmp_path / "one/grades.csv").read_bytes() == (tmp_path / "two/grades.csv").read_bytes()


def test_a_page_that_cannot_be_written_is_the_graders_fault(tmp_path, monkeypatch):
    good_page = gradebook.page
    monkeypatch.setattr(gradebook, "page", lambda marked, *more: good_page(marked) if marked.fault else 1 / 0)
    found = Found("ann", save(tmp_path / "a.ipynb", cells(FEW)))
    row = classroom.worded(mark(found, n_random=2), found, "last", "en")
    assert (row.status, row.points, row.max_points) == ("grader_error", None, TOTAL)
    assert "ZeroDivisionError" in row.details["fault"] and row.earned == {}


@pytest.mark.skipif(os.name == "nt", reason="needs getppid and SIGKILL")
def test_a_submission_that_kills_its_grader_stops_nobody_else(tmp_path, monkeypatch):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    kill = code("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)")
    for name in ("ann", "bob", "cid"):
        save(tmp_path / "in" / f"{name}.ipynb", [*cells(FEW), kill] if name == "bob" else cells(FEW))
    status = grade([tmp_path / "in"], tmp_path / "out", jobs=2, lang="en")
    with (tmp_path / "out" / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = {row["submission"]: (row["status"], row["points"]) for row in csv.DictReader(file)}
    assert rows["ann"] == rows["cid"] == ("graded", "0")
    # where the sandbox stops the signal, or not
    assert (status, rows["bob"]) in [(0, ("graded", "0")), (1, ("grader_error", ""))]
    assert list(scratch.iterdir()) == []


def test_nothing_to_grade_is_said(tmp_path, capsys):
    (tmp_path / "in").mkdir()
    assert grade([tmp_path / "in"], tmp_path / "out", lang="en") == 2
    assert grade([tmp_path / "nowhere"], tmp_path / "out", lang="en") == 2
    save(tmp_path / "in" / "a.ipynb", cells(FEW))
    for numbers in ({"jobs": -1}, {"jobs": 0}, {"timeout": 0}, {"timeout": float("nan")}, {"timeout": float("inf")}):
        assert grade([tmp_path / "in"], tmp_path / "out", **numbers, lang="en") == 2
    errors = capsys.readouterr().err
    assert "no notebook" in errors and "nowhere" in errors and "jobs" in errors and "Traceback" not in errors
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("below", ["", "x", "x/y"])
def test_an_output_folder_that_is_a_file_is_said(tmp_path, capsys, below):
    save(tmp_path / "in" / "a.ipynb", cells(FEW))
    out = tmp_path / "out"
    out.write_text("")
    for report_only in (False, True):
        assert grade([tmp_path / "in"], out / below, lang="fr", report_only=report_only) == 2
    (sentence,) = set(capsys.readouterr().err.splitlines())
    assert sentence == f"ragteach grade: {reading_words.no_folder(str(out))['fr']}"


def test_no_output_folder_is_said_and_nothing_is_written(tmp_path, capsys, monkeypatch):
    save(tmp_path / "in" / "a.ipynb", cells(FEW))
    monkeypatch.chdir(tmp_path)
    assert grade(["in"], "", lang="en") == 2
    assert "--out must name a folder" in capsys.readouterr().err
    assert [path.name for path in tmp_path.iterdir()] == ["in"]


# --- several chapters ---

OTHER = next(chapter.id for chapter in exercises.chapters() if chapter.id != "02_bm25")
OTHER_TOTAL = sum(exercise.points for exercise in exercises.chapter(OTHER).exercises)
UNKNOWN = made(Marked("eve", "refused", remarks=(reading_words.EMPTY,)), "Eve", "3")


def test_a_submission_whose_chapter_is_unknown_is_worth_what_the_only_chapter_is_or_nothing(tmp_path):
    several = [made(marked("ann"), "Ann", "1"), made(Marked("bob", "refused", OTHER), "Bob", "2"), UNKNOWN]
    for rows, worth in ((several, 0), (several[::2], TOTAL), ([UNKNOWN], 0)):
        out = tmp_path / str(len(rows))
        write.write(Outputs(out), rows, gradebook.Run(), len(rows))
        whole = json.loads((out / "grades.json").read_text(encoding="utf-8"))["submissions"]
        assert {one["submission"]: one["max_points"] for one in whole}["eve"] == worth
        table = (out / "grades.csv").read_text(encoding="utf-8").splitlines()
        assert table[-1].startswith(f'"eve","refused",0,{worth},')
        assert (out / "moodle.csv").read_text(encoding="utf-8").splitlines()[-1].split(",")[3] == (str(worth or '""'))


def test_each_chapter_has_a_mean_of_its_own():
    rows = [made(marked("ann")), made(marked("bob", {"bm25.idf": BASE_TEN})), UNKNOWN]
    assert classroom.means(rows, "fr") == [f"Moyenne des rendus corrigés\u00a0: 13,5 sur {TOTAL}"]
    other = made(Marked("cid", "graded", OTHER))
    assert classroom.means([*rows, replace(other, points=3)], "en") == sorted(
        [f"Mean, 02_bm25: 13.5 out of {TOTAL}", f"Mean, {OTHER}: 3.0 out of {OTHER_TOTAL}"]
    )
    assert classroom.means([UNKNOWN], "en") == []


def test_checking_ones_own_notebook(tmp_path, capsys):
    path = save(tmp_path / "a.ipynb", cells({**FEW, **wrong("bm25.idf")}), ENGLISH)
    assert check_notebook(path) == 1
    told = capsys.readouterr().out
    assert all(id in told for id in SOLUTIONS) and "Total: 0 out of 14 points" in told and "idf(" in told
    assert check_notebook(path, lang="fr") == 1
    assert "Total\u00a0: 0\u00a0point sur 14" in capsys.readouterr().out
    assert check_notebook(save(tmp_path / "b.ipynb", FOREIGN, {})) == 2
    assert check_notebook(tmp_path / "nowhere.ipynb") == 2
    assert check_notebook(save(tmp_path / "c.ipynb", cells(), METADATA)) == 0


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_courses_own_notebooks_give_full_and_zero_points(tmp_path, lang):
    paths = [ROOT / "solutions" / lang, ROOT / "exercises" / lang]
    assert grade(paths, tmp_path, jobs=2, lang=lang) == 0
    by_name = {
        one["submission"]: one for one in json.loads((tmp_path / "grades.json").read_text("utf-8"))["submissions"]
    }
    solved = [one for name, one in by_name.items() if name.startswith("solutions")]
    asked = [one for name, one in by_name.items() if name.startswith("exercises")]
    assert solved and len(solved) == len(asked)
    for one in solved + asked:
        assert (one["status"], one["lang"]) == ("graded", lang)
        assert one["points"] == (one["max_points"] if one in solved else 0)
    assert {e["verdict"] for one in asked for e in one["exercises"]} == {"not_attempted"}
