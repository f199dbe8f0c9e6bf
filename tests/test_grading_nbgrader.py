"""The exercises in a course of the real nbgrader: the same points as `ragteach grade`, submission by submission.

nbgrader lives in an environment of its own, made by `make nbgrader`, or named by RAGTEACH_NBGRADER (its python).
"""

import copy
import csv
import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from ragteach import exercises
from ragteach.grading import grade

PROJECT = Path(__file__).parents[1]
MADE = PROJECT / ".venv/nbgrader" / ("Scripts/python.exe" if os.name == "nt" else "bin/python")
PYTHON = os.environ.get("RAGTEACH_NBGRADER") or (str(MADE) if MADE.exists() else "")
pytestmark = pytest.mark.skipif(not PYTHON, reason="there is no environment with nbgrader (make nbgrader).")

CHAPTERS = {"02_bm25": "en", "04_fusion": "fr"}
STUDENTS = ("blank", "full", "one error", "partial")


def load(folder, lang, chapter):
    return json.loads((PROJECT / folder / lang / f"{chapter}.ipynb").read_text(encoding="utf-8"))


def answers_of(chapter, lang):
    """Map a chapter's exercises to the code of their solutions."""
    cells = load("solutions", lang, chapter)["cells"]
    return {cell["metadata"]["exercise"]: cell["source"] for cell in cells if "exercise" in cell["metadata"]}


def fill_in(released, student, answers):
    """Fill in the notebook that nbgrader gives out, as one of the students does."""
    notebook, ids = copy.deepcopy(released), list(answers)
    given = ids[: {"blank": 0, "partial": len(ids) // 2}.get(student, len(ids))]
    for cell in notebook["cells"]:
        id = cell["metadata"].get("exercise")
        if id in given:
            cell["source"] = answers[id]
        if student == "one error" and id == ids[0]:
            cell["source"] = f"def {exercises.get(id).entry}(*args, **kwargs):\n    return 'wrong'"
    return notebook


@pytest.fixture(scope="module")
def course(tmp_path_factory):
    """Run a course: release each chapter, hand in for each student, grade and export with nbgrader."""
    root = tmp_path_factory.mktemp("course")
    env = {**os.environ, "PYTHONPATH": str(PROJECT), "RAGTEACH_HOME": str(root / "home")}
    env["PATH"] = f"{Path(PYTHON).parent}{os.pathsep}{env['PATH']}"

    def nbgrader(*arguments):
        done = subprocess.run([PYTHON, "-m", "nbgrader", *arguments], cwd=root, env=env, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr[-3000:]

    for chapter, lang in CHAPTERS.items():
        source = root / "source" / chapter
        source.mkdir(parents=True)
        shutil.copy(PROJECT / "exercises" / lang / f"{chapter}.ipynb", source)
        nbgrader("generate_assignment", chapter)
        released = json.loads((root / "release" / chapter / f"{chapter}.ipynb").read_text(encoding="utf-8"))
        for student in STUDENTS:
            place = root / "submitted" / student / chapter
            place.mkdir(parents=True)
            filled = json.dumps(fill_in(released, student, answers_of(chapter, lang)))
            (place / f"{chapter}.ipynb").write_text(filled, encoding="utf-8")
        nbgrader("autograde", chapter)
    nbgrader("export")
    with (root / "grades.csv").open(encoding="utf-8", newline="") as file:
        theirs = {(row["student_id"], row["assignment"]): row for row in csv.DictReader(file)}
    return root, theirs


def test_nbgrader_gives_the_same_points(course, tmp_path):
    root, theirs = course
    assert grade([root], tmp_path, jobs=2, lang="en") == 0
    rows = json.loads((tmp_path / "grades.json").read_text(encoding="utf-8"))["submissions"]
    ours = {(row["student"], row["chapter"]): row["points"] for row in rows}
    assert ours == {key: float(row["score"]) for key, row in theirs.items()}
    assert len(ours) == len(STUDENTS) * len(CHAPTERS)


def test_the_points_are_those_that_each_student_has_earned(course):
    theirs = course[1]
    for chapter, lang in CHAPTERS.items():
        points = {id: exercises.get(id).points for id in answers_of(chapter, lang)}
        half, first = list(points)[: len(points) // 2], next(iter(points))
        earned = {"blank": 0, "full": sum(points.values()), "partial": sum(points[id] for id in half)}
        earned["one error"] = earned["full"] - points[first]
        assert {student: float(theirs[student, chapter]["score"]) for student in STUDENTS} == earned
