"""The teacher's folder: no name and no file that cannot be written costs another student's page, or a table."""

import csv
import errno
import json
import os
import re
import tempfile

import pytest
from grading_notebooks import METADATA, cells, save
from grading_rows import fake_mark_all, made, marked

from ragteach.grading import classroom, grade, lock, write
from ragteach.grading.find import find
from ragteach.grading.gradebook import Run
from ragteach.grading.lock import locked
from ragteach.grading.names import MAX_ALL, file_name, safe_part
from ragteach.grading.output_words import SHOWN, no_lock, unwritten
from ragteach.grading.outputs import Outputs
from ragteach.language import BadValue

TABLES = ("grades.csv", "grades-excel.csv", "grades.json", "junit.xml", "moodle.csv", "report.html")
DEEP = "/".join(["d" * 230] * 15)  # fits where it was handed in, and not below a longer path


def outputs_of(names, folder):
    """Write all outputs of submissions with these names, the pages first, as grading does."""
    outputs = Outputs(folder)
    rows = [made(marked(name), name, str(number)) for number, name in enumerate(names)]
    for row in rows:
        outputs.write(row.details["feedback"], row.page)
    write.write(outputs, rows, Run(total=len(rows)), len(rows))
    return outputs


def submissions(folder):
    with (folder / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["submission"] for row in csv.DictReader(file)}


# --- names ---


@pytest.mark.parametrize(
    "files",
    [
        ("a.ipynb", "b.ipynb", "a.html/x.ipynb", "a.html/y.ipynb"),
        ("a.ipynb", "b.ipynb", "a.JSON/x.ipynb", "a.JSON/y.ipynb", "A.Html/x.ipynb", "A.Html/y.ipynb"),
        ("a.html.ipynb", "a.html_.ipynb", "a.html/a.html/x.ipynb", "a.html_/a.html/x.ipynb", "a.html/y.ipynb"),
        (f"{DEEP}/x.ipynb", "b.ipynb"),
    ],
    ids=["page", "case", "twice", "deep"],
)
@pytest.mark.skipif(os.name == "nt", reason="names of other systems")
def test_no_names_of_folders_and_files_stop_the_outputs(tmp_path, files):
    for name in files:
        path = tmp_path / "class" / "eve" / name
        if len(os.fsencode(path)) < 4000:
            save(path, cells(), METADATA)
    save(tmp_path / "class" / "bob" / "02_bm25.ipynb", cells(), METADATA)
    names = [one.name for one in find([tmp_path / "class"])]
    out = tmp_path / ("o" * 200) / ("u" * 200) / ("t" * 200)
    outputs = outputs_of(names, out)
    assert outputs.failed == [] and submissions(out) == set(names)
    for kind in ("feedback/**/*.html", "gradescope/**/*.json"):
        assert len([path for path in out.glob(kind) if path.is_file()]) == len(names)


@pytest.mark.parametrize("name", [DEEP, "a/" * 3000, "é" * 500, "a" * 149 + "/.html", f"{'x' * 143}.html/y", "/", ""])
def test_a_name_is_short_and_no_page_is_another_ones_folder(name):
    made = file_name(name)
    assert 0 < len(made.encode()) <= MAX_ALL
    assert all(part and not part.casefold().endswith((".html", ".json")) for part in made.split("/"))
    assert file_name(f"{name}2") != made


@pytest.mark.parametrize("stem", ["CON", "nul", "Aux", "prn", "COM1", "lpt9", "COM²", "CONIN$"])
def test_a_name_that_windows_keeps_for_a_device_is_changed(stem):
    for name in (stem, f"{stem}.txt", f"{stem} .tar.gz", f"{stem}.", f" {stem} "):
        assert safe_part(name) == f"_{name.strip(' .')}"
        assert file_name(f"{name}/x").split("/")[0] == f"_{name.strip(' .')}"
    for name in (f"{stem}s", f"a{stem}", f"a.{stem}"):
        assert safe_part(name) == name


@pytest.mark.parametrize(("name", "safe"), [("Ann.", "Ann"), ("Ann . .", "Ann"), ("...", "___"), (". .", "___")])
def test_dots_and_spaces_at_the_end_of_a_name_go_as_windows_drops_them(name, safe):
    assert safe_part(name) == safe


@pytest.mark.skipif(os.name == "nt", reason="names of other systems")
def test_names_that_windows_takes_for_one_stay_apart(tmp_path):
    for name in ("Ann", "Ann.", "ann ", "CON", "_CON", "con."):
        save(tmp_path / name / "a.ipynb", [])
    assert len({file_name(one.name).casefold() for one in find([tmp_path])}) == 6


# --- files that cannot be written ---


def forbid(monkeypatch, *refused):
    """Let files of some names be replaced by nobody, as where Excel holds them open."""
    real = os.replace

    def checked(source, target):
        if os.fspath(target).endswith(refused):
            raise PermissionError(errno.EACCES, "Permission denied", os.fspath(source))
        real(source, target)

    monkeypatch.setattr(os, "replace", checked)


@pytest.mark.parametrize("name", [*TABLES, "feedback/ann.html", "gradescope/ann.json"])
def test_a_file_that_cannot_be_replaced_costs_no_other_and_is_named(tmp_path, monkeypatch, name):
    outputs_of(["ann"], tmp_path)
    before = (tmp_path / name).read_bytes()
    with monkeypatch.context() as patch:
        forbid(patch, name)
        patch.setattr(write, "SCHEMA", 2)
        rows = [made(marked("ann", seconds=7.0), "Ann Lee", "0"), made(marked("bob"), "Bob", "1")]
        outputs = Outputs(tmp_path)
        for row in rows:
            outputs.write(row.details["feedback"], row.page)
        write.write(outputs, rows, Run("en", total=2), 2)
    assert outputs.failed == [(str(tmp_path / name), "Permission denied")]
    assert (tmp_path / name).read_bytes() == before and not list(tmp_path.rglob("*.tmp"))
    for table in {"grades.csv", "grades.json", "junit.xml", "report.html", "moodle.csv"} - {name}:
        assert "bob" in (tmp_path / table).read_text(encoding="utf-8").lower()
    again = outputs_of(["ann", "bob"], tmp_path)
    assert again.failed == [] and again.kept == []
    assert (tmp_path / name).read_bytes() != before or name.startswith(("feedback", "gradescope"))


def test_what_cannot_be_removed_is_named_and_removed_by_the_next_run(tmp_path, monkeypatch):
    outputs_of(["ann", "bob", "cid"], tmp_path)
    pages = tmp_path / "feedback"
    real = os.unlink

    def checked(path, *args, **kwargs):
        if os.fspath(path).endswith("bob.html"):
            raise PermissionError(errno.EACCES, "Permission denied", os.fspath(path))
        real(path, *args, **kwargs)

    with monkeypatch.context() as patch:
        patch.setattr(os, "unlink", checked)
        outputs = outputs_of(["ann"], tmp_path)
    assert outputs.failed == [(str(pages / "bob.html"), "Permission denied")]
    assert sorted(path.name for path in pages.iterdir()) == ["ann.html", "bob.html"]
    assert outputs_of(["ann"], tmp_path).failed == [] and [path.name for path in pages.iterdir()] == ["ann.html"]


def test_folders_and_files_in_the_way_are_named(tmp_path):
    (tmp_path / "grades.csv").mkdir()
    (tmp_path / "feedback").write_text("a file of the teacher's")
    outputs = outputs_of(["ann", "bob"], tmp_path)
    failed = {os.path.relpath(file, tmp_path).replace(os.sep, "/") for file, _ in outputs.failed}
    assert failed == {"grades.csv", "feedback/ann.html", "feedback/bob.html"}
    assert {path.name for path in tmp_path.iterdir()} >= {*TABLES, "gradescope"}
    assert (tmp_path / "feedback").read_text() == "a file of the teacher's"


def test_a_letter_that_the_system_lacks_costs_one_page(tmp_path, monkeypatch):
    real = tempfile.mkstemp

    def ascii_only(**how):
        str(how["dir"]).encode("ascii")
        return real(**how)

    monkeypatch.setattr(tempfile, "mkstemp", ascii_only)
    outputs = Outputs(tmp_path)
    outputs.write("feedback/é/a.html", "")
    outputs.write("feedback/a.html", "")
    assert [file for file, _ in outputs.failed] == [str(tmp_path / "feedback/é/a.html")]


def test_the_sentence_names_a_few_files_and_counts_the_others():
    files = [(f"out/{n}.html", "No space left on device") for n in range(3000)]
    for count in (1, SHOWN, 3000):
        said = unwritten(files[:count])
        for text in said.values():
            assert text.count(".html (No space left on device)") == min(count, SHOWN)
            assert (f" {count - SHOWN} " in text) == (count > SHOWN) and "--report-only" in text and len(text) < 800


def test_the_class_has_its_tables_and_the_sentence_when_a_page_fails(tmp_path, monkeypatch, capsys):
    for name in ("ann", "bob"):
        save(tmp_path / "in" / name / "02_bm25.ipynb", cells(), METADATA)
    monkeypatch.setattr(classroom, "mark_all", fake_mark_all([]))
    with monkeypatch.context() as patch:
        forbid(patch, "bob.html", "grades.csv")
        assert grade([tmp_path / "in"], tmp_path / "out", lang="en") == 1
    said = capsys.readouterr().err
    assert said.count("ragteach grade: ") == 1 and ".tmp" not in said
    assert str(tmp_path / "out" / "grades.csv") in said and str(tmp_path / "out" / "feedback" / "bob.html") in said
    whole = json.loads((tmp_path / "out" / "grades.json").read_text(encoding="utf-8"))
    assert [one["points"] for one in whole["submissions"]] == [14, 14]
    assert grade([], tmp_path / "out", lang="en", report_only=True) == 0
    assert submissions(tmp_path / "out") == {"ann", "bob"} and (tmp_path / "out/feedback/bob.html").is_file()
    assert capsys.readouterr().err == ""


# --- the lock ---


@pytest.mark.parametrize("number", [errno.ENOLCK, errno.EOPNOTSUPP, errno.EPERM])
def test_a_disk_without_locks_is_named_with_what_to_do(tmp_path, monkeypatch, number):
    def refuse(descriptor):
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(lock, "_lock", refuse)
    monkeypatch.setattr(lock, "HELD", BlockingIOError)
    with pytest.raises(BadValue) as caught, locked(tmp_path):
        pass
    for text in caught.value.text.values():
        assert str(tmp_path) in text and os.strerror(number) in text and "--out" in text


def test_french_has_its_spaces_and_apostrophes():
    for said in (unwritten([("a", "b")] * 9), no_lock("a", "b")):
        assert not re.search(r"'|[^\u202f][;!?]|[^\u00a0]:", said["fr"]) and not re.search("[\u202f\u00a0]", said["en"])
