"""All the files that a run leaves in the teacher's folder, made from its rows."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import ragteach
from ragteach.grading import gradescope, junit, moodle, report, tables
from ragteach.grading.gradebook import Row, Run, columns_of
from ragteach.grading.names import file_name
from ragteach.grading.outputs import Outputs

SCHEMA = 1  # of grades.json: see docs/grades.md and grades.schema.json


def write(outputs: Outputs, rows: Sequence[Row], run: Run, done: int) -> None:
    """Write every output but the feedback pages, which are written by now; `done` submissions of the run are marked."""
    columns, rows = columns_of(rows), priced(rows)
    outputs.write("grades.csv", tables.grades(rows, columns))
    excel = tables.grades(rows, columns, tables.EXCEL_SEPARATOR[run.lang])
    outputs.write("grades-excel.csv", excel, bom=True)
    outputs.write("grades.json", details(rows, run))
    outputs.write("junit.xml", junit.report(rows))
    worksheet = moodle.worksheet(rows, run.lang)
    if worksheet is not None:
        outputs.write("moodle.csv", worksheet)
    for row in rows:
        results = gradescope.results(row)
        if results is not None:
            outputs.write(f"gradescope/{file_name(row.name)}.json", results)
            if len(rows) == 1:
                outputs.write("results.json", results)  # the name that Gradescope looks for
    outputs.write("report.html", report.page(rows, run, done))
    outputs.remove_others()


def priced(rows: Sequence[Row]) -> list[Row]:
    """Give a submission of which nobody knows the chapter what the only chapter handed in is worth, where there is one.

    Where there are several, or none, it is worth 0: it is in nobody's total.
    """
    known = {row.details["chapter"]: row.max_points for row in rows if row.max_points is not None}
    worth = next(iter(known.values())) if len(known) == 1 else 0
    return [replace(row, max_points=worth) if row.max_points is None else row for row in rows]


def details(rows: Sequence[Row], run: Run) -> str:
    """Write grades.json."""
    head = {
        "schema": SCHEMA,
        "ragteach": ragteach.__version__,
        "course": ragteach.COURSE_VERSION,
        "seed": run.seed,
        "attempts": run.policy,
        "timeout": run.timeout,
        "sandbox": run.sandbox,
        "limits": run.limits,
        "found": run.total,
    }
    submissions = [{**row.details, "max_points": row.max_points} for row in rows]
    lines = ",\n".join(json.dumps(one, ensure_ascii=False) for one in submissions)  # a line each: quick, and diffs well
    return json.dumps(head, ensure_ascii=False)[:-1] + f', "submissions": [\n{lines}\n]}}\n'
