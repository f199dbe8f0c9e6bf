"""The gradebook: grades.csv for the teacher's table, grades.json with the details, one feedback page a student.

grades.csv is plain UTF-8 with commas (no BOM: tools that read the first column by its name must find it); in Excel,
open it through Data > From Text/CSV. An empty points cell is not a zero: the grader failed there.

grades.json, schema 1:
  {"schema": 1, "ragteach": version, "course": COURSE_VERSION, "seed": seed, "submissions": [
    {"submission", "status", "points" (or null), "max_points", "chapter" (or null), "lang", "course" (as the notebook
     states it, or null), "seconds", "feedback" (path below the folder), "remarks": [sentence], "fault",
     "exercises": [{"id", "verdict", "points", "max_points", "n_cases", "n_passed", "diagnosis" (id or null),
                    "counterexample": {"call", "expected", "got", "hand_picked"} or null, "sentences": [...]}]}]}
"""

from __future__ import annotations

import csv
import io
import json
import os
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import ragteach
from ragteach import exercises
from ragteach.checking.run import Result
from ragteach.checking.tell import tell
from ragteach.grading.feedback import page
from ragteach.grading.find import file_name
from ragteach.grading.marking import Marked

SCHEMA = 1
FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


@dataclass(frozen=True)
class Row:
    """One submission as the gradebook keeps it: plain numbers and texts only, made where it was marked."""

    name: str
    status: str
    points: int | None
    max_points: int | None
    earned: dict[str, int]
    details: dict
    page: str


def row_of(marked: Marked) -> Row:
    """Put a marked submission into numbers and words."""
    details = {
        "submission": marked.name,
        "status": marked.status,
        "points": marked.points,
        "max_points": marked.max_points,
        "chapter": marked.chapter,
        "lang": marked.lang,
        "course": marked.course,
        "seconds": round(marked.seconds, 2),
        "feedback": feedback_path(marked.name),
        "remarks": [remark[marked.lang] for remark in marked.remarks],
        "fault": marked.fault,
        "exercises": [result_details(result, marked.lang) for result in marked.results],
    }
    earned = {result.exercise: result.points for result in marked.results if result.verdict != "grader_error"}
    return Row(marked.name, marked.status, marked.points, marked.max_points, earned, details, page(marked))


def result_details(result: Result, lang: str) -> dict:
    """Put the result of one exercise into words."""
    told = tell(exercises.get(result.exercise), result, lang)
    shown = dict(zip(("call", "expected", "got"), (value for _, value in told.table), strict=False))
    if shown:
        shown["hand_picked"] = result.counterexample.point is not None
    return {
        "id": result.exercise,
        "verdict": result.verdict,
        "points": result.points,
        "max_points": result.max_points,
        "n_cases": result.n_cases,
        "n_passed": result.n_passed,
        "diagnosis": result.diagnosis,
        "counterexample": shown or None,
        "sentences": [sentence for sentence in (told.title, told.facts, told.diagnosis, *told.remarks) if sentence],
    }


def write(out: Path, rows: Sequence[Row], seed: int) -> None:
    """Write the three outputs into a folder, each file whole or not at all; other files there are left alone."""
    columns = columns_of(rows)
    total = sum(exercises.get(id).points for id in columns)
    submissions = [{**row.details, "max_points": total if row.max_points is None else row.max_points} for row in rows]
    for row in rows:
        replace(out / feedback_path(row.name), row.page)
    head = {"schema": SCHEMA, "ragteach": ragteach.__version__, "course": ragteach.COURSE_VERSION, "seed": seed}
    replace(out / "grades.json", json.dumps({**head, "submissions": submissions}, ensure_ascii=False, indent=1) + "\n")
    replace(out / "grades.csv", table(rows, columns, total))


def columns_of(rows: Sequence[Row]) -> list[str]:
    """List the exercises of every chapter that was handed in, or of the whole course where none could be known."""
    chapters = {row.details["chapter"] for row in rows} - {None}
    return [e.id for c in exercises.chapters() if c.id in chapters or not chapters for e in c.exercises]


def table(rows: Sequence[Row], columns: Sequence[str], total: int) -> str:
    """Write grades.csv: texts quoted, numbers bare, nothing that a spreadsheet would take for a formula."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC)
    writer.writerow(["submission", "status", "points", "max_points", *columns])
    for row in rows:
        max_points = total if row.max_points is None else row.max_points
        points = [row.points, max_points, *(row.earned.get(id) for id in columns)]
        writer.writerow([harmless(row.name), row.status, *("" if n is None else n for n in points)])
    return stream.getvalue()


def harmless(text: str) -> str:
    """Keep a spreadsheet from reading a text as a formula."""
    return f"'{text}" if text.startswith(FORMULA) else text


def feedback_path(name: str) -> str:
    """Give a submission's feedback page, below the output folder."""
    return f"feedback/{file_name(name)}.html"


def replace(path: Path, text: str) -> None:
    """Write a file beside its place and move it there, so that no reader ever sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="") as file:
            file.write(text)
        if os.name != "nt":
            os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
