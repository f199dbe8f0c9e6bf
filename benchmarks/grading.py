"""How long a class takes to grade: `ragteach grade` beside nbgrader and `otter run`, in turns, on the same submissions.

    python benchmarks/grading.py [--submissions 200] [--sample 6] [--rounds 3] [--nbgrader PYTHON] [--otter PYTHON]

PYTHON is the python of a virtual environment that holds the tool, and what ragteach needs; without one, a tool is left
out. Each round grades the whole class with ragteach (two jobs, sandbox and feedback on), then with nbgrader (autograde,
generate_feedback and export), and a sample of it with otter: a larger class costs it no less a submission, since each
run is a process of its own; those that never end are left out, since it has no time limit. ragteach checks the
exercises in all three, on 120 random inputs an exercise in `ragteach grade` and on 60 in the others. Printed is what a
submission takes by the clock and of the processor, and how many times more than with ragteach.
"""

from __future__ import annotations

import argparse
import copy
import csv
import json
import os
import random
import re
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
import zipfile
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[1]
CHAPTER = "02_bm25"
KINDS = {"full": 80, "partial": 60, "wrong": 35, "blank": 18, "raises": 5, "loops": 2}  # of 200
# What readers get wrong, as a change of the solution's text.
MISTAKES = {
    "bm25.idf": ("return log(", "return 2 * log("),
    "bm25.term_weight": ("b * ", "b / 2 * "),
    "bm25.search": ("[:k]", "[: k + 1]"),
    "bm25.tokenize": (".lower()", ""),
}


def load(folder: str) -> dict:
    """Read a notebook of chapter 02 from exercises/ or solutions/."""
    return json.loads((PROJECT / folder / "en" / f"{CHAPTER}.ipynb").read_text(encoding="utf-8"))


def code_of(cell: dict) -> str:
    return "".join(cell["source"])


def submission(kind: str, number: int) -> dict:
    """Make a submission: the exercise notebook as a student of some kind fills it in."""
    chance = random.Random(number)
    answers = {cell["metadata"]["exercise"]: code_of(cell) for cell in exercise_cells(load("solutions"))}
    notebook = copy.deepcopy(load("exercises"))
    ids = list(answers)
    given = {"blank": 0, "partial": chance.randint(2, len(ids) - 1)}.get(kind, len(ids))
    for cell in exercise_cells(notebook):
        id = cell["metadata"]["exercise"]
        if ids.index(id) < given:
            cell["source"] = f"# student {number}\n{answers[id]}"
    cells = {cell["metadata"]["exercise"]: cell for cell in exercise_cells(notebook)}
    if kind == "wrong":
        for id in chance.sample(list(MISTAKES), 2):
            old, new = MISTAKES[id]
            cells[id]["source"] = cells[id]["source"].replace(old, new)
    if kind == "raises":
        cells["bm25.search"]["source"] = "1 / 0\n" + cells["bm25.search"]["source"]
    if kind == "loops":
        cells["bm25.idf"]["source"] = "def idf(n_docs, doc_freq):\n    while True:\n        pass"
    return notebook


def exercise_cells(notebook: dict) -> list[dict]:
    """List the cells that a student fills in."""
    return [cell for cell in notebook["cells"] if "exercise" in cell["metadata"]]


def make_class(root: Path, n: int) -> dict[Path, str]:
    """Write n submissions, a folder each, in the proportions of KINDS, the same ones every time; give their kinds."""
    kinds = [kind for kind, count in KINDS.items() for _ in range(round(count * n / 200) or 1)]
    kinds = (kinds + ["full"] * n)[:n]
    random.Random(0).shuffle(kinds)
    paths = {}
    for number, kind in enumerate(kinds):
        path = root / f"student{number:03}" / f"{CHAPTER}.ipynb"
        path.parent.mkdir(parents=True)
        path.write_text(json.dumps(submission(kind, number)), encoding="utf-8")
        paths[path] = kind
    return paths


Cost = tuple[float, float]
"""Seconds by the clock, and of the processor in all processes together."""


def timed(command: list[str], cwd: Path, python: str | None = None) -> Cost:
    """Run a command; return what it cost."""
    env = {**os.environ, "PYTHONPATH": str(PROJECT), "OMP_NUM_THREADS": "1", "RAGTEACH_HOME": str(cwd / "home")}
    if python:
        env["PATH"] = f"{Path(python).parent}{os.pathsep}{env['PATH']}"
    start, before = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(command, cwd=cwd, env=env, capture_output=True, text=True)
    if done.returncode:
        print(done.stdout[-2000:], done.stderr[-2000:], file=sys.stderr)
        raise SystemExit(f"{command[0]} failed")
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - start, cpu


def each(costs: list[Cost], n: int) -> Cost:
    """Share what several commands cost among n submissions."""
    clock, cpu = map(sum, zip(*costs, strict=True))
    return clock / n, cpu / n


def agree(shares: dict[Path, float], kinds: dict[Path, str]) -> None:
    """Stop where a tool has not graded: full submissions have all points with each of them, blank ones none."""
    right = {"full": 1.0, "blank": 0.0}
    for path, share in shares.items():
        if share != right.get(kinds[path], share):
            raise SystemExit(f"{path.parent.name}, {kinds[path]}, has {share:.0%} of the points")


def run_ragteach(root: Path, kinds: dict[Path, str], work: Path, jobs: int) -> Cost:
    """Grade the whole class; return what a submission costs."""
    out = Path(tempfile.mkdtemp(dir=work))
    ragteach = [sys.executable, "-m", "ragteach.cli", "grade"]
    cost = timed([*ragteach, str(root), "--out", str(out / "grades"), "--jobs", str(jobs)], out)
    rows = json.loads((out / "grades" / "grades.json").read_text(encoding="utf-8"))["submissions"]
    agree({root / row["submission"] / f"{CHAPTER}.ipynb": row["points"] / row["max_points"] for row in rows}, kinds)
    return each([cost], len(kinds))


def run_nbgrader(kinds: dict[Path, str], work: Path, python: str) -> Cost:
    """Grade the whole class with nbgrader; return what a submission costs."""
    course = Path(tempfile.mkdtemp(dir=work))
    source = course / "source" / CHAPTER
    source.mkdir(parents=True)
    shutil.copy(PROJECT / "exercises" / "en" / f"{CHAPTER}.ipynb", source)
    for path in kinds:
        target = course / "submitted" / path.parent.name / CHAPTER
        target.mkdir(parents=True)
        shutil.copy(path, target)
    nbgrader = [python, "-m", "nbgrader"]
    timed([*nbgrader, "generate_assignment", CHAPTER, "--force"], course, python)
    autograde = [*nbgrader, "autograde", CHAPTER, "--ExecutePreprocessor.timeout=60"]
    steps = [autograde, [*nbgrader, "generate_feedback", CHAPTER], [*nbgrader, "export"]]
    costs = [timed(step, course, python) for step in steps]
    with (course / "grades.csv").open(encoding="utf-8") as file:
        points = {row["student_id"]: float(row["score"]) / float(row["max_score"]) for row in csv.DictReader(file)}
    agree({path: points[path.parent.name] for path in kinds}, kinds)
    return each(costs, len(kinds))


def run_otter(kinds: dict[Path, str], sample: list[Path], work: Path, python: str) -> Cost:
    """Grade a sample with `otter run`; return what a submission costs."""
    folder = Path(tempfile.mkdtemp(dir=work))
    with zipfile.ZipFile(folder / "autograder.zip", "w") as archive:
        archive.writestr("otter_config.json", json.dumps({"lang": "python"}))
        for cell in load("exercises")["cells"]:
            if id := cell["metadata"].get("check"):
                archive.writestr(f"tests/{id.replace('.', '_')}.py", otter_test(id, code_of(cell)))
    costs = []
    for path in sample:
        place = Path(tempfile.mkdtemp(dir=work))
        shutil.copy(folder / "autograder.zip", place)
        (place / path.name).write_text(json.dumps(without_checks(path)), encoding="utf-8")
        otter = [python, "-m", "otter", "run", f"{CHAPTER}.ipynb", "-a", "autograder.zip"]
        costs.append(timed(otter, place, python))
        tests = json.loads((place / "results.json").read_text(encoding="utf-8"))["tests"]
        scored = [test for test in tests if test.get("max_score")]
        agree({path: sum(test["score"] for test in scored) / (len(scored) or 1)}, kinds)
    return each(costs, len(sample))


def without_checks(path: Path) -> dict:
    """Read a submission without its check cells: otter's own tests check in their place, so that all check once."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return {**notebook, "cells": [cell for cell in notebook["cells"] if not cell["metadata"].get("check")]}


def otter_test(id: str, check: str) -> str:
    """Write an otter test that asks ragteach whether an exercise passes."""
    entry = re.match(r"(\w+) = check", check)[1]
    code = f">>> from ragteach import checking, exercises\n>>> checking.run(exercises.get({id!r}), {entry}).passed"
    case = {"code": code + "\nTrue", "hidden": False, "locked": False, "points": 1}
    suite = {"cases": [case], "scored": True, "setup": "", "teardown": "", "type": "doctest"}
    return f"OK_FORMAT = True\ntest = { ({'name': id, 'points': 1, 'suites': [suite]})!r}\n"


def main() -> None:
    """Run as a program."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--submissions", type=int, default=200)
    parser.add_argument("--sample", type=int, default=6, help="how many of the submissions otter grades")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--nbgrader", metavar="PYTHON", type=os.path.abspath)
    parser.add_argument("--otter", metavar="PYTHON", type=os.path.abspath)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="ragteach-benchmark-", ignore_cleanup_errors=True) as work:
        root = Path(work, "class")
        kinds = make_class(root, options.submissions)
        ending = [path for path, kind in kinds.items() if kind != "loops"]  # otter has no time limit
        costs: dict[str, list[Cost]] = {}
        for number in range(options.rounds):
            sample = random.Random(number).sample(ending, min(options.sample, len(ending)))
            costs.setdefault("ragteach", []).append(run_ragteach(root, kinds, Path(work), options.jobs))
            if options.nbgrader:
                costs.setdefault("nbgrader", []).append(run_nbgrader(kinds, Path(work), options.nbgrader))
            if options.otter:
                costs.setdefault("otter", []).append(run_otter(kinds, sample, Path(work), options.otter))
            print({name: [round(cost, 3) for cost in values[-1]] for name, values in costs.items()}, flush=True)
        ours = [statistics.median(column) for column in zip(*costs["ragteach"], strict=True)]
        for name, values in costs.items():
            clock, cpu = (statistics.median(column) for column in zip(*values, strict=True))
            print(
                f"{name:9} a submission: {clock:7.3f} s by the clock ({clock / ours[0]:5.1f} times ours), "
                f"{cpu:7.3f} s of the processor ({cpu / ours[1]:5.1f} times ours)"
            )


if __name__ == "__main__":
    main()
