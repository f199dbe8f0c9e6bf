"""Grading that is interrupted, repeated, fails or meets another grader: nothing is lost and nothing done twice."""

import csv
import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from grading_notebooks import METADATA, SOLUTIONS, TOTAL, blank, cells, code, save
from grading_rows import BASE_TEN, fake_mark_all, marked

from ragteach.grading import classroom, grade
from ragteach.grading.find import Found
from ragteach.grading.gradebook import row_of
from ragteach.grading.lock import Locked, locked
from ragteach.grading.marking import Marked
from ragteach.grading.store import Store, key_of

PROJECT = Path(__file__).parents[1]
NAMES = ("ann", "bob", "cid", "dan")


@pytest.fixture
def lessons(tmp_path):
    """Make a class of four."""
    for name in NAMES:
        save(tmp_path / "in" / name / "02_bm25.ipynb", cells(), METADATA)
    return tmp_path / "in"


@pytest.fixture
def run(tmp_path, lessons, monkeypatch):
    """Grade the class with a stand-in for the workers; gives (exit status, who was marked)."""

    def run(paths=(lessons,), **options):
        calls = []
        faults = {name: options.pop(name) for name in ("fail", "stop") if name in options}
        monkeypatch.setattr(classroom, "mark_all", fake_mark_all(calls, **faults))
        return grade(paths, tmp_path / "out", lang="en", **options), sorted(calls)

    return run


def table(out):
    """Read grades.csv: name -> (status, points)."""
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        return {row["submission"]: (row["status"], row["points"]) for row in csv.DictReader(file)}


def submissions(out):
    whole = json.loads((out / "grades.json").read_text(encoding="utf-8"))
    return {one["submission"]: one for one in whole["submissions"]}


FULL = ("graded", str(TOTAL))


def test_what_is_marked_is_not_marked_again(run, tmp_path):
    assert run() == (0, list(NAMES))
    before = {path: path.read_bytes() for path in (tmp_path / "out").rglob("*.*") if path.name != "results.jsonl"}
    assert run() == (0, [])
    assert {path: path.read_bytes() for path in before} == before
    assert table(tmp_path / "out") == dict.fromkeys(NAMES, FULL)


def test_only_what_changed_is_marked_again(run, lessons, tmp_path):
    run()
    save(lessons / "bob" / "02_bm25.ipynb", cells(), {**METADATA, "wrong": True})
    save(lessons / "new" / "02_bm25.ipynb", cells(), METADATA)
    (lessons / "ann" / "02_bm25.ipynb").touch()
    assert run() == (0, ["bob", "new"])
    assert table(tmp_path / "out") == {**dict.fromkeys([*NAMES, "new"], FULL), "bob": ("graded", str(TOTAL - 1))}
    save(lessons / "bob" / "02_bm25.ipynb", cells(), METADATA)  # and back again: known already
    assert run() == (0, []) and table(tmp_path / "out")["bob"] == FULL


@pytest.mark.parametrize("options", [{"seed": 1}, {"timeout": 30.0}, {"memory": 500}, {"call_seconds": 1.0}])
def test_what_decides_a_mark_marks_everybody_again(run, options):
    run()
    assert run(**options) == (0, list(NAMES))
    assert run(jobs=1, **options) == (0, [])


def test_another_version_of_the_package_or_course_marks_again(run, monkeypatch):
    run()
    for name in ("__version__", "COURSE_VERSION"):
        with monkeypatch.context() as patch:
            patch.setattr(f"ragteach.{name}", "99")
            assert len(run()[1]) == 4


def test_ctrl_c_writes_what_is_done_and_the_next_run_goes_on(run, tmp_path, capsys):
    assert run(stop=2) == (130, ["ann", "bob"])
    assert set(table(tmp_path / "out")) == {"ann", "bob"}
    assert "2 of 4" in (tmp_path / "out/report.html").read_text(encoding="utf-8")
    assert "2 of 4" in capsys.readouterr().err
    assert run() == (0, ["cid", "dan"])
    assert table(tmp_path / "out") == dict.fromkeys(NAMES, FULL)
    assert "Grading was interrupted" not in (tmp_path / "out/report.html").read_text(encoding="utf-8")


def test_an_interrupted_regrade_keeps_the_earlier_results(run, tmp_path):
    run()
    assert run(seed=1, stop=1)[0] == 130
    found = submissions(tmp_path / "out")
    assert {name: one["points"] for name, one in found.items()} == dict.fromkeys(NAMES, TOTAL)
    assert [name for name in NAMES if "interrupted" in " ".join(found[name]["remarks"])] == ["bob", "cid", "dan"]


def test_a_failure_of_the_grader_never_replaces_a_result(run, lessons, tmp_path):
    run()
    save(lessons / "bob" / "02_bm25.ipynb", cells(), {**METADATA, "wrong": True})
    assert run(fail=("bob",)) == (1, ["bob"])
    assert run(paths=(), report_only=True) == (1, [])
    assert table(tmp_path / "out")["bob"] == FULL
    bob = submissions(tmp_path / "out")["bob"]
    assert "earlier grading" in bob["remarks"][0] and "on purpose" in bob["fault"]
    assert "on purpose" in (tmp_path / "out/report.html").read_text(encoding="utf-8")
    assert run() == (0, ["bob"])  # tried again
    assert table(tmp_path / "out")["bob"] == ("graded", str(TOTAL - 1))
    assert submissions(tmp_path / "out")["bob"]["fault"] == ""


def test_a_failure_without_an_earlier_result_has_its_row_and_is_tried_again(run, tmp_path):
    assert run(fail=("cid",)) == (1, list(NAMES))
    assert table(tmp_path / "out")["cid"] == ("grader_error", "")
    assert run(paths=(), report_only=True) == (1, [])
    assert table(tmp_path / "out")["cid"] == ("grader_error", "")
    assert run() == (0, ["cid"])
    assert table(tmp_path / "out")["cid"] == FULL


def test_the_best_of_several_attempts(run, lessons, tmp_path):
    save(lessons / "ann" / "02_bm25 (1).ipynb", cells(), {**METADATA, "wrong": True})
    assert run() == (0, ["ann", "bob", "cid", "dan"])
    assert table(tmp_path / "out")["ann"] == ("graded", str(TOTAL - 1))
    assert run(attempts="best") == (0, ["ann", "ann"])  # the others have one notebook: nothing changes for them
    ann = submissions(tmp_path / "out")["ann"]
    assert (ann["points"], ann["file"], ann["set_aside"]) == (TOTAL, "02_bm25.ipynb", ["02_bm25 (1).ipynb"])
    assert run(attempts="best") == (0, [])
    assert "the best one counts" in (tmp_path / "out/report.html").read_text(encoding="utf-8")


def test_the_best_attempt_counts_whatever_becomes_of_the_others(run, lessons, tmp_path):
    for n in (1, 2):
        save(lessons / "ann" / f"02_bm25 ({n}).ipynb", [*cells(), code(str(n))], {**METADATA, "wrong": True})
    assert run(attempts="best", fail=("02_bm25 (2).ipynb",))[0] == 1
    assert table(tmp_path / "out")["ann"] == FULL
    assert run(attempts="best") == (0, ["ann"])
    for stop in range(3):  # a new run, which comes to none of the attempts, or to some
        assert run(attempts="best", seed=5 + stop, stop=stop)[0] == 130
        assert table(tmp_path / "out")["ann"] == FULL


def test_a_run_that_ends_early_says_so_to_scripts(run, lessons, tmp_path, monkeypatch):
    def lost(found, **_):
        yield found[0], marked(found[0].name)

    monkeypatch.setattr(classroom, "mark_all", lost)
    assert grade([lessons], tmp_path / "out", lang="en") == 1
    assert list(table(tmp_path / "out")) == ["ann"]


def test_the_outputs_can_be_written_anew_without_the_submissions(run, tmp_path, lessons):
    run()
    out = tmp_path / "out"
    before = {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()}
    for path in [*out.glob("grades*.*"), out / "report.html", *(out / "feedback").iterdir()]:
        path.unlink()
    os.rename(lessons, tmp_path / "gone")
    assert run(paths=(), report_only=True) == (0, [])
    assert {path.name: path.read_bytes() for path in out.iterdir() if path.is_file()} == before
    assert len(list((out / "feedback").iterdir())) == len(NAMES)


def first_line(out):
    return (out / "report.html").read_text(encoding="utf-8").partition('id="sandbox">')[2].partition("<")[0]


def test_the_outputs_can_be_written_anew_in_another_language(run, tmp_path):
    run()
    out = tmp_path / "out"
    assert first_line(out).startswith("Sandbox:")
    assert grade((), out, lang="fr", report_only=True) == 0 and first_line(out).startswith("Bac à sable")
    assert grade((), out, lang="en", report_only=True) == 0 and first_line(out).startswith("Sandbox:")


def test_a_run_that_finds_fewer_than_an_earlier_one_says_so(run, lessons, tmp_path, capsys):
    late = save(tmp_path / "late" / "eve" / "02_bm25.ipynb", cells()).parents[1]
    run()
    assert run((late,)) == (0, ["eve"])
    told = capsys.readouterr().err
    assert "4 submissions of an earlier run" in told and "all paths together" in told
    assert run((late,)) == (0, [])
    assert "4 submissions of an earlier run" in capsys.readouterr().err
    assert run((lessons, late))[0] == 0  # under other names
    assert run(paths=(), report_only=True)[0] == 0
    assert "earlier run" not in capsys.readouterr().err


def test_the_rows_are_sorted_as_people_sort_them_whatever_the_download(run, tmp_path):
    for name in ("a/Zoë_1", "a/Élise_2", "b/emile_3", "b/Yves_4"):
        save(tmp_path / f"{name}_assignsubmission_file_" / "02_bm25.ipynb", cells())
    run((tmp_path / "a", tmp_path / "b"))
    assert [one["student"] for one in submissions(tmp_path / "out").values()] == ["Élise", "emile", "Yves", "Zoë"]


def test_a_submission_is_known_again_with_another_path_or_one_more_chapter():
    earlier = ["a/Ann_1_assignsubmission_file_", "bob", "cid/02_bm25", "cid/03_lsa", "dan"]
    plan = dict.fromkeys(["b/Ann_1_assignsubmission_file_/x", "c/bob/02_bm25", "c/bob/03_lsa", "cid", "dana"])
    assert classroom.left_out(earlier, plan) == 1


@pytest.mark.parametrize("stop", [0, 3])
def test_the_report_of_a_run_that_was_killed(run, tmp_path, stop):
    run(stop=stop)
    assert run(paths=(), report_only=True) == (1, [])
    assert len(table(tmp_path / "out")) == stop


def test_nothing_to_report(run, tmp_path, capsys):
    assert run(paths=(), report_only=True) == (2, [])
    (tmp_path / "out").mkdir()
    assert run(paths=(), report_only=True) == (2, [])
    assert run(paths=()) == (2, [])
    assert "no results" in capsys.readouterr().err
    (tmp_path / "out" / "notes.txt").write_text("the teacher's own")
    (tmp_path / "out" / "results.jsonl").write_text('{"mine": 1}')
    assert run(paths=(), report_only=True) == (2, []) and run() == (2, [])
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == ["notes.txt", "results.jsonl"]


def test_a_second_grader_is_told_in_a_sentence(run, tmp_path, capsys):
    run(stop=0)
    with locked(tmp_path / "out"):
        assert run() == (2, [])
        assert run(paths=(), report_only=True) == (2, [])
    assert capsys.readouterr().err.count("another grader is at work") == 2
    assert run()[0] == 0


def test_the_lock_is_between_processes_and_ends_with_its_holder(tmp_path):
    hold = (
        "import sys, time; from pathlib import Path; from ragteach.grading.lock import locked\n"
        "with locked(Path(sys.argv[1])):\n    print('held', flush=True); time.sleep(60)"
    )
    holder = subprocess.Popen([sys.executable, "-c", hold, tmp_path], stdout=subprocess.PIPE, cwd=PROJECT)
    assert holder.stdout.readline().strip() == b"held"
    with pytest.raises(Locked), locked(tmp_path):
        pass
    holder.kill()
    holder.wait()
    with locked(tmp_path):
        pass


def test_an_output_folder_with_somebody_elses_files(run, tmp_path, lessons, capsys):
    out = tmp_path / "out"
    (out / "feedback").mkdir(parents=True)
    (out / "feedback" / "ann.html").write_text("the teacher's own")
    (out / "report.html").write_text("theirs")
    assert run()[0] == 0
    assert (out / "feedback" / "ann.edited.html").read_text() == "the teacher's own"
    assert (out / "report.edited.html").read_text() == "theirs"
    assert "report.edited.html" in capsys.readouterr().err
    (out / "results.jsonl").write_text('{"mine": 1}\n')
    assert run() == (2, []) and (out / "results.jsonl").read_text() == '{"mine": 1}\n'
    assert "results.jsonl is not a file of ragteach" in capsys.readouterr().err
    assert grade([lessons], lessons, lang="en") == 2
    assert sorted(path.name for path in lessons.iterdir()) == sorted(NAMES)


def test_marks_that_a_teacher_changed_by_hand_are_kept(run, tmp_path, lessons):
    run()
    path = tmp_path / "out" / "grades.csv"
    path.write_text(path.read_text().replace("14", "12"))
    edited = path.read_text()
    save(lessons / "new" / "02_bm25.ipynb", cells(), METADATA)
    run()
    assert (tmp_path / "out" / "grades.edited.csv").read_text() == edited


# --- the file of results ---


def a_row(name, answers=None):
    return row_of(marked(name, answers), Found(name, None))


def test_a_torn_last_line_costs_that_line_only(tmp_path):
    rows = [a_row("ann"), a_row("bob", {"bm25.idf": BASE_TEN})]
    store = Store(tmp_path)
    for row in rows:
        store.add(row, "key")
    whole = store.path.read_bytes()
    last = whole.rindex(b"\n", 0, len(whole) - 1) + 1
    for cut in (last + 1, last + 30, len(whole) - 2, len(whole) - 1, last):
        store.path.write_bytes(whole[:cut])
        torn = Store(tmp_path)
        assert torn.get("ann", "key") == rows[0]
        torn.add(rows[1], "key")
        again = Store(tmp_path)
        assert [again.get(row.name, "key") for row in rows] == rows


def test_damaged_lines_are_skipped(tmp_path):
    store = Store(tmp_path)
    store.add(a_row("ann"), "key")
    with store.path.open("ab") as file:
        file.write(b'\x00\xff\n[1]\n{"name": "bob", "key": "key", "status": "graded", "row": "????"}\n{"run": 3}\n')
    store = Store(tmp_path)
    store.add(a_row("cid"), "key")
    again = Store(tmp_path)
    assert again.get("ann", "key") and again.get("cid", "key")
    assert again.get("bob", "key") is None and again.run is None


def test_the_latest_result_counts_and_a_failure_is_none(tmp_path):
    store = Store(tmp_path)
    store.add(a_row("ann"), "one")
    store.add(a_row("ann", {"bm25.idf": BASE_TEN}), "two")
    store.add(row_of(Marked("ann", "grader_error"), Found("ann", None)), "three")
    for known in (store, Store(tmp_path)):
        assert known.get("ann", "one").points == TOTAL
        assert known.get("ann", "two").points == TOTAL - 1 and known.get("ann", "three") is None
        assert known.failures()["ann"].status == "grader_error"
    store.begin({"plan": {}})
    assert store.failures() == Store(tmp_path).failures() == {}


def test_a_key_sums_up_content_and_settings_but_no_name_or_date(tmp_path):
    paths = [save(tmp_path / name / "x.ipynb", cells()) for name in "ab"]
    os.utime(paths[1], (1, 1))
    keys = {key_of(path, 1, "last") for path in paths}
    assert len(keys) == 1
    other = save(tmp_path / "c.ipynb", [*cells(), code("1")])
    assert len(keys | {key_of(other, 1, "last"), key_of(paths[0], 2, "last"), key_of(None, 1, "last")}) == 4


# --- the real thing, in a process of its own ---


def command(folder, out, *more):
    options = ["--out", str(out), "--jobs", "1", "--lang", "en", *more]
    return [sys.executable, "-m", "ragteach.cli", "grade", str(folder), *options]


def start(folder, out, *more):
    return subprocess.Popen(
        command(folder, out, *more), cwd=PROJECT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, start_new_session=True
    )


def kept(out):
    """Read which results are kept: (name, key) of each line."""
    path = out / "results.jsonl"
    lines = path.read_bytes().split(b"\n") if path.exists() else []
    records = [json.loads(line) for line in lines if line.endswith(b"}")]
    return [(record["name"], record["key"]) for record in records if "name" in record]


def wait_for_rows(process, out, n):
    """Wait until some submissions are marked; fails where grading ended before."""
    while len(kept(out)) < n:
        assert process.poll() is None, process.communicate()
        time.sleep(0.1)


@pytest.fixture
def slow(tmp_path):
    """Make a class in which every notebook but the first takes some seconds."""
    few = {id: blank(id) for id in SOLUTIONS}
    for n in range(4):
        sleepy = code(f"import time\ntime.sleep({5 if n else 0})  # {n}")
        save(tmp_path / "in" / f"s{n}" / "02_bm25.ipynb", [sleepy, *cells({**few, "bm25.idf": SOLUTIONS["bm25.idf"]})])
    return tmp_path / "in"


@pytest.mark.skipif(os.name == "nt", reason="no such signals there")
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGINT], ids=["kill -9", "Ctrl-C"])
def test_a_grader_that_is_killed_loses_nothing(slow, tmp_path, number):
    out = tmp_path / "out"
    process = start(slow, out)
    wait_for_rows(process, out, 1)
    os.killpg(process.pid, number)  # a terminal sends Ctrl-C to the whole group
    stdout, stderr = process.communicate()
    assert b"Traceback" not in stderr, stderr.decode()
    before = kept(out)
    assert 1 <= len(before) < 4
    if number == signal.SIGINT:
        assert process.returncode == 130 and len(table(out)) == len(before)
    assert subprocess.run(command(slow, out), cwd=PROJECT, capture_output=True).returncode == 0
    after = kept(out)
    assert len(set(after)) == len(after)  # nothing twice
    assert after[: len(before)] == before and {name for name, _ in after} == {f"s{n}" for n in range(4)}
    assert table(out) == {f"s{n}": ("graded", "1") for n in range(4)}


@pytest.mark.skipif(os.name == "nt", reason="no such pipes there")
def test_a_reader_that_has_gone_is_no_error(tmp_path):
    save(tmp_path / "in" / "a.ipynb", [], {})
    process = start(tmp_path / "in", tmp_path / "out")
    process.stdout.close()
    stderr = process.stderr.read()
    assert process.wait(60) == 0
    assert b"Broken" not in stderr and b"Traceback" not in stderr
