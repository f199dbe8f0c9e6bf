"""The outputs of grading: tables, grades.json, Moodle, JUnit, Gradescope, the students' pages, the report."""

import csv
import io
import json
import re
import xml.etree.ElementTree as ET
from collections import Counter
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import jsonschema
import pytest
from grading_notebooks import POINTS, SOLUTIONS, TOTAL, blank
from grading_rows import BASE_TEN, CHAPTER, made, marked

import ragteach
from ragteach import exercises
from ragteach.checking.call import Outcome
from ragteach.checking.run import VERDICTS, Case
from ragteach.grading import gradescope, junit, moodle, report, tables, words, write
from ragteach.grading.feedback import next_steps
from ragteach.grading.gradebook import Run, columns_of
from ragteach.grading.marking import STATUSES, Marked
from ragteach.grading.outputs import Outputs
from ragteach.grading.remarks import scrubbed, tidy
from ragteach.grading.report_words import SIGNS, VERDICT
from ragteach.grading.submission import OURS
from ragteach.grading.written import MAX_TEXT, Written, written_answers
from ragteach.grading.written import POINTS as QUESTIONS

PROJECT = Path(__file__).parents[1]
SCHEMA = json.loads((PROJECT / "ragteach/grading/grades.schema.json").read_text(encoding="utf-8"))
RUN = Run("en", seed=3, sandbox="Nothing was enforced <here>.", limits={"memory": 1000}, total=6)
EVIL = "<script>alert(1)</script>"


def said(text):
    """Make a remark."""
    return {"fr": text, "en": text}


@pytest.fixture(scope="module")
def rows():
    """Make a class: everything right, a named mistake (twice), blanks, a refused file, a failure of the grader."""
    idf = {"bm25.idf": BASE_TEN}
    undone = {id: blank(id) for id in ("bm25.search", "bm25.explain")}
    return [
        made(marked("ann", seconds=2.0), "Ann Lee", "11"),
        made(marked("bob", idf, remarks=(said(EVIL),), seconds=9.25), "=cmd()", "12", set_aside=("old.ipynb",)),
        made(marked("cid é", {**idf, **undone}, lang="fr"), "Cid", "13"),
        made(Marked("dan", "refused", remarks=(words.NO_FILE,)), "Dan", "14"),
        made(Marked("eve", "grader_error", CHAPTER, fault=f"Traceback {EVIL}"), "Eve", "15"),
        made(Marked("=1+1\x00", "timeout", CHAPTER, results=marked("x", undone).results)),
    ]


class Page(HTMLParser):
    """Collects the tags, the attributes and the text of a page; fails on tags that are not closed in order."""

    EMPTY = {"meta", "br"}

    def __init__(self, text):
        super().__init__()
        self.tags, self.text, self.attributes, self._open = [], "", [], []
        self.feed(text)
        assert self._open == []

    def handle_starttag(self, tag, attrs):
        self.tags.append(tag)
        self.attributes += attrs
        if tag not in self.EMPTY:
            self._open.append(tag)

    def handle_endtag(self, tag):
        assert self._open.pop() == tag

    def handle_data(self, data):
        self.text += data


def parsed(text, **how):
    return list(csv.reader(io.StringIO(text), **how))


# --- tables ---


def test_the_table_holds_no_formula_and_tells_no_mark_from_zero(rows):
    lines = parsed(tables.grades(write.priced(rows), columns_of(rows)))
    assert lines[0] == ["submission", "status", "points", "max_points", *POINTS]
    by_name = {line[0]: line for line in lines[1:]}
    assert by_name["ann"][2:] == [str(TOTAL), str(TOTAL), *map(str, POINTS.values())]
    assert by_name["dan"][1:4] == ["refused", "0", str(TOTAL)]
    assert by_name["eve"][1:4] == ["grader_error", "", str(TOTAL)] and set(by_name["eve"][4:]) == {""}
    assert "'=1+1\x00" in by_name


@pytest.mark.parametrize("text", ["=1", "+1", "-1", "@x", "\t=1", " =1", "\r=1", "＝1"])
def test_what_a_spreadsheet_takes_for_a_formula_is_quoted(text):
    assert tables.harmless(text) == f"'{text}"
    assert tables.harmless("Zoé - 1") == "Zoé - 1"


@pytest.mark.parametrize(("lang", "separator"), [("fr", ";"), ("en", ",")])
def test_the_table_for_excel_has_a_mark_of_its_encoding_and_that_countrys_separator(rows, tmp_path, lang, separator):
    write.write(Outputs(tmp_path), rows, replace(RUN, lang=lang), 6)
    data = (tmp_path / "grades-excel.csv").read_bytes()
    assert data.startswith(b"\xef\xbb\xbf")
    plain = (tmp_path / "grades.csv").read_text(encoding="utf-8")
    assert parsed(data.decode("utf-8-sig"), delimiter=separator) == parsed(plain)


# --- grades.json ---


def test_grades_json_is_what_its_schema_says(rows):
    whole = json.loads(write.details(write.priced(rows), RUN))
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.validate(whole, SCHEMA)
    assert {one["submission"]: one["points"] for one in whole["submissions"]}["eve"] is None
    with pytest.raises(jsonschema.ValidationError):
        jsonschema.validate({**whole, "more": 1}, SCHEMA)


def test_the_schemas_lists_are_the_codes():
    assert tuple(SCHEMA["$defs"]["submission"]["properties"]["status"]["enum"]) == STATUSES
    assert SCHEMA["$defs"]["exercise"]["properties"]["verdict"]["enum"] == VERDICTS
    assert list(SIGNS) == list(VERDICT) == VERDICTS


def test_submissions_are_counted_as_a_language_counts():
    assert tuple(words.COUNTED) == tuple(words.STATUS) == STATUSES
    counts = {"grader_error": 2, "graded": 3, "refused": 1, "memory": 0}
    assert words.counted(counts, "fr") == "3 corrigés, 1 refusé, 2 problèmes du correcteur"
    assert words.counted(counts, "en") == "3 graded, 1 refused, 2 grader problems"


def test_every_key_of_grades_json_is_documented():
    text = (PROJECT / "docs/grades.md").read_text(encoding="utf-8")
    keys = set(SCHEMA["properties"]) | {key for one in SCHEMA["$defs"].values() for key in one.get("properties", {})}
    assert [key for key in keys if f"`{key}`" not in text] == []


# --- Moodle ---


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_moodles_worksheet(rows, lang):
    head, *lines = parsed(moodle.worksheet(rows, lang))
    assert head[0] == {"fr": "Identifiant", "en": "Identifier"}[lang]
    assert [line[0] for line in lines] == [f"Participant {n}" for n in range(11, 16)]
    assert [line[2] for line in lines] == ["14", "13", "9", "0", ""]  # no mark where the grader failed
    assert {line[4] for line in lines} == {""}
    assert lines[1][1] == "'=cmd()" and EVIL not in lines[1][5] and "&lt;script&gt;" in lines[1][5]
    assert "Total\u00a0: 9\u00a0points sur 14<br>" in lines[2][5] and lines[4][5] == ""


def test_chapters_of_one_student_are_added_up_for_moodle(rows):
    other = {**rows[1].details, "participant": "11", "chapter": "03_lsa"}
    twice = [rows[0], replace(rows[1], details=other)]
    (line,) = parsed(moodle.worksheet(twice, "en"))[1:]
    assert line[2:4] == [str(TOTAL + 13), str(2 * TOTAL)]


def test_a_class_that_does_not_come_from_moodle_has_no_worksheet(rows, tmp_path):
    assert moodle.worksheet(rows[-1:], "fr") is None
    write.write(Outputs(tmp_path), rows[-1:], RUN, 1)
    assert not (tmp_path / "moodle.csv").exists()


# --- JUnit, Gradescope ---


def test_junit_counts_what_went_wrong(rows):
    root = ET.fromstring(junit.report(rows).encode())
    suites = {suite.get("name"): suite for suite in root}
    counts = {
        name: [int(suite.get(key)) for key in ("tests", "failures", "errors", "skipped")]
        for name, suite in suites.items()
    }
    assert counts["ann"] == [8, 0, 0, 0] and counts["bob"] == [8, 1, 0, 0] and counts["cid é"] == [8, 1, 0, 2]
    assert counts["dan"] == [1, 0, 1, 0] and counts["eve"] == [1, 0, 1, 0]
    assert suites["bob"].find("testcase[@name='bm25.idf']/failure").get("message").startswith("Not yet")
    assert "=1+1\ufffd" in suites


def test_gradescope_gets_the_points_and_no_zero_for_our_own_failures(rows):
    for row in rows:
        text = gradescope.results(row)
        if row.points is None:
            assert text is None
            continue
        whole = json.loads(text)
        assert whole["score"] == row.points
        if row.details["exercises"]:
            assert sum(one["score"] for one in whole["tests"]) == row.points
            assert {one["status"] for one in whole["tests"]} <= {"passed", "failed"}


def test_gradescopes_own_name_only_where_there_is_one_submission(rows, tmp_path):
    write.write(Outputs(tmp_path / "a"), rows, RUN, 6)
    write.write(Outputs(tmp_path / "b"), rows[:1], RUN, 1)
    assert not (tmp_path / "a/results.json").exists() and (tmp_path / "a/gradescope/ann.json").exists()
    assert (tmp_path / "b/results.json").read_bytes() == (tmp_path / "b/gradescope/ann.json").read_bytes()


def test_no_secret_input_reaches_a_student(tmp_path):
    """Right on every hand-picked example, wrong on a random input only: it is for the teacher's eyes."""
    examples = [example.args for example in exercises.get("bm25.bim_weight").examples]
    known = {
        args: exercises.get("bm25.bim_weight").reference(*args) for args in examples if all(0 < x < 1 for x in args)
    }
    source = SOLUTIONS["bm25.bim_weight"].partition("    return")[0] + f"    return {known}.get((p, u), 0.123456)\n"
    row = made(marked("eve", {"bm25.bim_weight": source}), participant="1")
    (found,) = [one for one in row.details["exercises"] if one["verdict"] == "failed"]
    assert found["counterexample"]["hand_picked"] is False
    secret = [found["counterexample"]["call"], "0.123456"]
    for text in (row.page, gradescope.results(row), moodle.worksheet([row], "en"), *found["feedback"]):
        assert not [one for one in secret if one in text]


# --- the student's page ---


def test_a_page_says_what_to_do_next():
    undone = {"bm25.search": blank("bm25.search")}
    page = Page(made(marked("cid", {"bm25.idf": BASE_TEN, **undone}, lang="fr")).page)
    steps = page.text[page.text.index("À faire maintenant") : page.text.index("Résumé")]
    assert steps.index("Corrigez") < steps.index("Faites") and "minutes" in steps
    assert "Everything is right" in Page(made(marked("ann")).page).text
    assert "À faire maintenant" not in made(Marked("x", "grader_error", CHAPTER, "fr")).page


def test_an_answer_in_writing_is_the_last_thing_to_do():
    why = Written("bm25.w_why", 3, "")
    text = Page(made(marked("ann", written=(why, replace(why, id="bm25.w_how", text="Because.")))).page).text
    steps = text[text.index("What to do next") : text.index("Summary")]
    assert "Answer in writing: question bm25.w_why, worth 3 points." in steps and "w_how" not in steps
    assert "Everything is right" not in text
    text = Page(made(marked("ann", {"bm25.idf": BASE_TEN}, lang="fr", written=(why,))).page).text
    assert text.index("Corrigez") < text.index("Répondez par écrit à la question bm25.w_why") < text.index("Résumé")


def test_cells_that_one_error_stopped_are_one_step():
    stopped = Outcome("missing", errors=("NameError",), message="name 'np' is not defined")
    ann = marked("ann")
    case = Case((), Outcome("value", 0), stopped, None, said("x"))
    broken = tuple(replace(one, verdict="missing", points=0, counterexample=case) for one in ann.results[:2])
    steps = next_steps(replace(ann, results=broken + ann.results[2:]))
    assert steps == [
        "Mend the cells of “Cut a text into tokens”, “Build the inverted index”: they stopped on NameError: name 'np' "
        "is not defined."
    ]
    (step,) = next_steps(replace(ann, lang="fr", results=broken[:1] + ann.results[1:]))
    assert step.startswith("Corrigez la cellule de «\u202f") and "elle s’est arrêtée sur NameError" in step


def test_a_page_bears_the_students_name():
    text = Page(made(marked("Ann Lee_11_assignsubmission_file_"), "Ann Lee", "11").page).text
    assert "Ann Lee" in text and "assignsubmission" not in text
    assert "submission 7" in Page(made(marked("submission 7")).page).text


def test_a_page_shows_answers_that_the_teacher_reads():
    row = made(marked("ann", written=(Written("bm25.w_why", 3, EVIL), Written("bm25.w_how", 2, ""))))
    page = Page(row.page)
    assert EVIL in page.text and "script" not in page.tags and "no answer" in page.text
    assert (row.points, row.max_points) == (TOTAL, TOTAL)
    assert row.details["written"][0] == {"id": "bm25.w_why", "points": 3, "text": EVIL}


def test_what_a_student_wrote_is_shown_as_it_is():
    text = "It said: (12345.py, line 1) and <ipython-input-1-2>, line 3"
    row = made(marked("a/ipykernel_1/2.py, line 3", written=(Written("bm25.w_why", 3, text),)))
    page = Page(row.page)
    assert text in page.text and row.name in page.text


def test_a_name_of_a_key_is_cut_on_every_page():
    longer = "    index['\\x80' * 160_000] = []\n    return index"
    source = SOLUTIONS["bm25.inverted_index"].replace("    return index", longer)
    row = made(marked("ann", {"bm25.inverted_index": source}))
    (found,) = [one for one in row.details["exercises"] if one["verdict"] == "failed"]
    assert "should not be there" in " ".join(found["sentences"])
    usual = len(made(marked("ann", {"bm25.idf": BASE_TEN})).page)
    assert len(row.page) < usual + 10_000 and len(json.dumps(row.details)) < 100_000


def test_errors_that_only_follow_are_not_repeated():
    undefined = [said(f"The cell “{n}” stopped on NameError: name '{n}' is not defined.") for n in "aabcd"]
    kept = tidy([said("The cell “import x” stopped on ImportError."), *undefined, said("Other."), said("Other.")])
    assert [one["en"][-25:] for one in kept].count("Other.") == 1
    assert len([one for one in kept if "NameError" in one["en"]]) == 2


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        ("invalid syntax (<ipython-input-7-1234abcd>, line 3)", "invalid syntax (line 3)"),
        ("invalid syntax (&lt;ipython-input-7-1234abcd&gt;, line 3)", "invalid syntax (line 3)"),
        ("in /tmp/ipykernel_12/3456.py, line 3", "in line 3"),
        ("'[' was never closed (12345.py, line 1)", "'[' was never closed (line 1)"),
        ("File <ipython-input-7-12> said", "… said"),
        ("open data.py, line 3", "open data.py, line 3"),
    ],
)
def test_inner_file_names_are_not_shown(text, clean):
    assert scrubbed(text, "en") == clean
    assert scrubbed(text, "fr") == clean.replace("line", "ligne") or "data.py" in text


@pytest.mark.parametrize("word", ["x", "ipykernel_1", "ipykernel_1/2.py", "&lt;ipython-input-", "12", "/"])
def test_inner_file_names_are_looked_for_in_a_time_that_grows_with_the_text(word):
    """Without which this test would take hours."""
    text = word * (1_000_000 // len(word))
    assert scrubbed(f"{text}.py, line", "en") == f"{text}.py, line"
    assert scrubbed(f"{text} (/tmp/ipykernel_12/345.py, line 3)", "en") == f"{text} (line 3)"


# --- the report ---


@pytest.fixture(scope="module")
def page(rows):
    return Page(report.page(rows, RUN, 6))


def test_the_report_is_one_file_of_its_own(page):
    assert not {"script", "link", "img", "iframe", "object"} & set(page.tags)
    assert not [value for name, value in page.attributes if name == "src" or name.startswith("on")]
    links = [value for name, value in page.attributes if name == "href"]
    assert "feedback/cid%20%C3%A9.html" in links and all(link.startswith("feedback/") for link in links)


def test_the_reports_first_line_says_what_was_enforced(page):
    body = page.text[page.text.index("}\n", page.text.rindex("{")) + 2 :].strip()
    assert body.startswith("Nothing was enforced <here>.")


def test_the_report_escapes_what_people_wrote(page):
    assert page.text.count(EVIL) == 1  # eve's fault


def test_the_report_counts_and_maps(page):
    assert "Submissions: 6 (3 graded, 1 refused, 1 out of time, 1 grader problem)" in page.text
    assert "the last one counts (--attempts last)" in page.text and "=cmd(): old.ipynb" in page.text
    signs = Counter(value for name, value in page.attributes if name == "aria-label" and value.startswith("bm25.idf"))
    assert signs == {"bm25.idf: right": 2, "bm25.idf: wrong": 2}
    assert "✓ right" in " ".join(page.text.split())  # the legend


def test_the_report_shows_frequent_mistakes_with_an_example(rows, page):
    diagnosis = {one["diagnosis"] for row in rows for one in row.details["exercises"]} - {None}
    assert len(diagnosis) == 1
    (line,) = report.misconceptions(rows, "en")
    assert (line["count"], line["exercise"], line["id"]) == (2, "bm25.idf", *diagnosis)
    assert line["text"] in page.text and line["example"]["call"] in page.text


def test_the_reports_distribution_counts_every_submission_once():
    bars = report.bars([0, 0, 14, 7], 14)
    assert [bar["label"] for bar in bars] == [str(n) for n in range(15)]
    assert sum(bar["count"] for bar in bars) == 4 and bars[0]["count"] == 2
    wide = report.bars([0, 99, 100, 100], 100)
    assert len(wide) <= report.MAX_BARS and sum(bar["count"] for bar in wide) == 4
    assert wide[-1]["label"] == "96–100" or wide[-1]["label"].endswith("–100")
    assert [bar["label"] for bar in report.bars([20], 20)][-2:] == ["18–19", "20"]


def test_the_report_names_students_and_tells_namesakes_apart(rows):
    def row(name, student, participant, chapter):
        details = {**rows[0].details, "student": student, "participant": participant, "chapter": chapter}
        return replace(rows[0], name=name, details=details)

    people = [
        row("Ann_1_x/02", "Ann", "1", "02_bm25"),
        row("Ann_1_x/03", "Ann", "1", "03_lsa"),
        row("Bob_2_x", "Bob", "2", "02_bm25"),
        row("Bob_3_x", "Bob", "3", "02_bm25"),
        row("a/cid", "cid", "", "02_bm25"),
        row("b/cid", "cid", "", "02_bm25"),
        row("dan", "", "", None),
    ]
    named = report.named(people)
    assert [one.name for one in named] == ["Ann", "Ann", "Bob (2)", "Bob (3)", "a/cid", "b/cid", "dan"]
    across = [one.name for one in report.with_chapters(named)]
    assert across[:2] == ["Ann · 02_bm25", "Ann · 03_lsa"] and across[-1] == "dan"
    assert [one.name for one in report.with_chapters(named[2:])] == [one.name for one in named[2:]]


@pytest.mark.parametrize("remark", OURS.values(), ids=OURS)
def test_a_notebook_of_the_course_that_is_no_exercises_needs_a_look(remark):
    assert report.needs_a_look(made(marked("ann", lang="fr", remarks=(remark,))))
    assert not report.needs_a_look(made(marked("ann", lang="fr", remarks=(said("Hello."),))))


def test_the_report_says_which_number_is_the_courses(page):
    assert f"ragteach {ragteach.__version__}, course {ragteach.COURSE_VERSION}" in page.text


def test_the_report_in_french_and_of_an_unfinished_run(rows):
    text = Page(report.page(rows, replace(RUN, lang="fr", policy="best", total=40), 6)).text
    assert "Rendus\u00a0: 6" in text and "6 rendus sur 40" in text and "le meilleur compte" in text
    assert "Moyenne\u00a0: " in text and "50\u00a0%" in text


def test_the_report_lists_answers_to_be_read(rows):
    answers = [{"id": "lsa.w_memory", "points": 999, "text": EVIL}, {"id": "mine", "points": 3, "text": "mine too"}]
    row = replace(rows[0], details={**rows[0].details, "written": answers})
    page = Page(report.page([row], RUN, 6))
    assert "to be read by you" in page.text and EVIL in page.text and "script" not in page.tags
    assert "lsa.w_memory (4)" in page.text and "mine too" not in page.text and "(999)" not in page.text


def test_only_the_courses_questions_are_answered_and_for_its_points():
    def answer(id, text, points=999):
        return {"cell_type": "markdown", "source": text, "metadata": {"written": id, "points": points}}

    made = [answer(f"q{n}", "x" * 50_000) for n in range(300)] + [answer("lsa.w_memory", "y" * 50_000)]
    assert written_answers(made) == (Written("lsa.w_memory", 4, "y" * MAX_TEXT),)


def test_the_courses_questions_are_those_of_its_notebooks():
    for lang in ("fr", "en"):
        text = "".join(path.read_text(encoding="utf-8") for path in (PROJECT / "course" / lang).glob("*/exercises.py"))
        found = re.findall(r'^# %% .*written="([^"]+)" points=(\d+)$', text, re.MULTILINE)
        assert {id: int(points) for id, points in found} == QUESTIONS


# --- writing ---


def test_what_others_wrote_is_kept_under_another_name(tmp_path):
    (tmp_path / "grades.csv").write_text("theirs")
    first = Outputs(tmp_path)
    first.write("grades.csv", "ours")
    first.write("feedback/a.html", "ours")
    assert first.kept == ["grades.edited.csv"]
    (tmp_path / "feedback/a.html").write_text("ours, and the teacher's note")
    second = Outputs(tmp_path)
    second.write("grades.csv", "ours 2")
    second.write("feedback/a.html", "ours 2")
    assert second.kept == ["feedback/a.edited.html"]
    (tmp_path / "grades.csv").write_text("theirs again")
    third = Outputs(tmp_path)
    third.write("grades.csv", "ours")
    assert third.kept == ["grades.edited2.csv"]
    texts = {path.relative_to(tmp_path).as_posix(): path.read_text() for path in tmp_path.rglob("*.*ml")}
    assert texts == {"feedback/a.html": "ours 2", "feedback/a.edited.html": "ours, and the teacher's note"}
    assert (tmp_path / "grades.edited.csv").read_text() == "theirs"
    assert (tmp_path / "grades.edited2.csv").read_text() == "theirs again"


def test_what_an_earlier_run_wrote_and_this_one_did_not_is_removed(rows, tmp_path):
    (tmp_path / "feedback").mkdir()
    (tmp_path / "feedback/theirs.html").write_text("theirs")
    first = Outputs(tmp_path)
    for name in ("ann", "bob", "cid/02"):
        first.write(f"feedback/{name}.html", "ours")
    write.write(first, rows[:2], RUN, 2)
    (tmp_path / "feedback/bob.html").write_text("ours, and the teacher's note")
    second = Outputs(tmp_path)
    second.write("feedback/ann/02.html", "ours")
    write.write(second, [replace(rows[0], name="ann/02")], RUN, 1)
    pages = [*(tmp_path / "feedback").rglob("*"), *(tmp_path / "gradescope").rglob("*")]
    left = {path.relative_to(tmp_path).as_posix() for path in pages}
    assert left == {
        *("feedback/ann", "feedback/ann/02.html", "feedback/bob.html", "feedback/theirs.html"),
        *("gradescope/ann", "gradescope/ann/02.json"),
    }


def test_a_write_that_fails_leaves_the_old_file(tmp_path, monkeypatch):
    outputs = Outputs(tmp_path)
    outputs.write("a.txt", "old")
    monkeypatch.setattr("os.replace", lambda *_: (_ for _ in ()).throw(OSError("disk full")))
    outputs.write("a.txt", "new")
    assert outputs.failed == [(str(tmp_path / "a.txt"), "disk full")]
    assert (tmp_path / "a.txt").read_text() == "old"
    assert [path.name for path in tmp_path.iterdir() if path.suffix == ".tmp"] == []


def test_whatever_a_student_wrote_can_be_written(tmp_path):
    row = made(marked("ann", remarks=(said("\ud800 \x00 \u202e ＝"),)), "\ud83d", "1")
    write.write(Outputs(tmp_path), [row], RUN, 1)
    ET.fromstring((tmp_path / "junit.xml").read_bytes())
    json.loads((tmp_path / "grades.json").read_bytes())
