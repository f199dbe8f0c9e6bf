"""What a class can hand in, graded together: each bad submission has its row, and no honest one loses a point."""

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest
from grading_notebooks import METADATA, TOTAL, cells, save
from hostile_notebooks import FILE, IN_CELLS, IN_FUNCTIONS, KINDS, PWNED, SECRET, write_class

from ragteach.grading import jobs

PROJECT = Path(__file__).parents[1]
LINUX = sys.platform == "linux"
MISSING = jobs.layers_here()[1] if LINUX else dict.fromkeys(["namespaces", "files", "user", "calls"], "no Linux")
EVERY = 6
LIMITS = ["--timeout", "15", "--cell-seconds", "1", "--call-seconds", "1", "--memory", "400"]
ENGLISH = {"ragteach": {**METADATA["ragteach"], "lang": "en"}}

HELD = {name: kind for name, kind in KINDS.items() if kind.layer not in MISSING}
# What a mere process holds too: no attack on files or the system, no bomb, a share of the rest.
BOMBS = ("fork bomb", "thread bomb", "disk full", "many files", "hoard", "10 GB", "function: 10 GB")
IN_A_PROCESS = {name: kind for name, kind in (IN_CELLS | IN_FUNCTIONS).items() if name not in BOMBS}
IN_A_PROCESS = dict(list(IN_A_PROCESS.items())[::5])


def grade(folder, kinds, sandbox):
    """Grade a class with `ragteach grade`; return its rows by name, and the number of honest ones."""
    root, out, scratch = folder / "class", folder / "results", folder / "scratch"
    scratch.mkdir()
    n = write_class(root, kinds, lambda place: save(place / FILE, cells(), ENGLISH), EVERY)
    command = [
        sys.executable,
        "-m",
        "ragteach.cli",
        "grade",
        str(root),
        "--out",
        str(out),
        "--jobs",
        "2",
        "--lang",
        "en",
    ]
    env = {**os.environ, SECRET: "the teacher's", "PYTHONPATH": str(PROJECT), "TMPDIR": str(scratch)}
    done = subprocess.run(
        [*command, "--sandbox", sandbox, *LIMITS],
        env=env,
        cwd=PROJECT,
        capture_output=True,
        text=True,
        errors="replace",
    )
    assert done.returncode == 0 and "Traceback" not in done.stderr, done.stderr
    assert list(scratch.iterdir()) == []
    submissions = json.loads((out / "grades.json").read_text(encoding="utf-8"))["submissions"]
    rows = {row["submission"]: row for row in submissions}
    assert len(rows) == len(submissions) == len(kinds) + n
    return rows, n


@pytest.fixture(scope="module")
def sandboxed(tmp_path_factory):
    return grade(tmp_path_factory.mktemp("sandboxed"), HELD, "auto")


@pytest.fixture(scope="module")
def spawned(tmp_path_factory):
    return grade(tmp_path_factory.mktemp("spawned"), IN_A_PROCESS, "process")


def printable(name):
    return "".join(c if c.isprintable() else "_" for c in name)


def judge(row, kind):
    """Compare a row with what must come of a kind."""
    verdicts = {one["id"]: one["verdict"] for one in row["exercises"]}
    assert (row["status"], row["points"]) == (kind.status, kind.points), (row["remarks"], verdicts, row["fault"])
    assert verdicts.get("bm25.idf") == kind.idf, row["exercises"]
    if kind.points:
        assert verdicts["bm25.bim_weight"] == "passed"
    told = row["remarks"] + [sentence for one in row["exercises"] for sentence in one["feedback"]]
    assert told and all(told) and row["fault"] == ""
    assert any(kind.says in sentence for sentence in told), "\n".join(told)


@pytest.mark.parametrize("name", HELD)
def test_a_bad_submission_has_its_row_and_a_sentence(sandboxed, name):
    judge(sandboxed[0][printable(name)], HELD[name])


@pytest.mark.parametrize("name", IN_A_PROCESS)
def test_a_process_alone_holds_what_it_can(spawned, name):
    judge(spawned[0][printable(name)], IN_A_PROCESS[name])


@pytest.mark.parametrize("rows", ["sandboxed", "spawned"])
def test_every_honest_one_keeps_its_exact_points(rows, request):
    rows, n = request.getfixturevalue(rows)
    honest = [row for name, row in rows.items() if name.startswith("honest")]
    assert [(row["status"], row["points"]) for row in honest] == [("graded", TOTAL)] * n
    assert n >= 3 and not [row["remarks"] for row in honest if row["remarks"]]


def test_no_attack_leaves_anything_behind(sandboxed, tmp_path_factory):
    assert not list(tmp_path_factory.getbasetemp().rglob(PWNED))
    assert not Path(tempfile.gettempdir(), PWNED).exists() and not (PROJECT / PWNED).exists()


def test_there_are_enough_of_them():
    assert len(KINDS) >= 60 and len(IN_A_PROCESS) >= 12
