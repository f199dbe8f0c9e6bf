"""The gradebook's rows: one submission in plain numbers and words, which every output is made from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from ragteach import exercises
from ragteach.checking.run import Result
from ragteach.checking.tell import tell
from ragteach.checking.words import labelled
from ragteach.grading import reading_words
from ragteach.grading.feedback import page
from ragteach.grading.find import Found
from ragteach.grading.marking import Marked
from ragteach.grading.names import file_name
from ragteach.grading.remarks import scrubbed, tidy


@dataclass(frozen=True)
class Row:
    """One submission as the gradebook keeps it: plain numbers and texts only."""

    name: str
    status: str
    points: int | None
    max_points: int | None
    earned: dict[str, int]
    details: dict[str, Any]
    page: str


@dataclass(frozen=True)
class Run:
    """What one run of the grader was told, and how far it came; `total` counts the submissions that it found."""

    lang: str = "en"
    seed: int = 0
    policy: str = "last"
    timeout: float = 60.0
    sandbox: str = ""
    limits: dict[str, Any] = field(default_factory=dict)
    total: int = 0


def row_of(marked: Marked, found: Found, policy: str = "last") -> Row:
    """Put a marked submission into numbers and words."""
    lang = marked.lang
    attempts = [file for file in found.set_aside if file not in (*found.no_attempts, *found.unread)]
    told = reading_words.set_aside(attempts, found.no_attempts, found.unread, policy)
    remarks = (*tidy(marked.remarks), *told)
    details = {
        "submission": marked.name,
        "student": found.student,
        "participant": found.participant,
        "status": marked.status,
        "points": marked.points,
        "max_points": marked.max_points,
        "chapter": marked.chapter,
        "lang": lang,
        "course": marked.course,
        "seconds": round(marked.seconds, 2),
        "file": found.notebook.name if found.notebook else None,
        "set_aside": list(found.set_aside),
        "feedback": feedback_path(marked.name),
        "remarks": [remark[lang] for remark in remarks],
        "fault": marked.fault,
        "exercises": [result_details(result, lang) for result in marked.results],
        "written": [vars(answer) for answer in marked.written],
    }
    earned = {result.exercise: result.points for result in marked.results if result.verdict != "grader_error"}
    whole = page(marked, remarks, found.student)
    return Row(marked.name, marked.status, marked.points, marked.max_points, earned, details, whole)


def result_details(result: Result, lang: str) -> dict[str, Any]:
    """Put the result of one exercise into words: `sentences` for the teacher, `feedback` for the student."""
    exercise = exercises.get(result.exercise)
    told = tell(exercise, result, lang)
    shown = dict(zip(("call", "expected", "got"), (value for _, value in told.table), strict=False))
    if shown:
        shown["hand_picked"] = result.counterexample.point is not None
    safe = tell(exercise, result, lang, secret=True)
    table = [labelled(name, value, lang) for name, value in safe.table]
    return {
        "id": result.exercise,
        "verdict": result.verdict,
        "points": result.points,
        "max_points": result.max_points,
        "n_cases": result.n_cases,
        "n_passed": result.n_passed,
        "diagnosis": result.diagnosis,
        "counterexample": shown or None,
        "sentences": sentences(lang, told.title, told.facts, told.diagnosis, *told.remarks),
        "feedback": sentences(lang, safe.title, safe.facts, safe.diagnosis, *table, *safe.remarks),
    }


def sentences(lang: str, *texts: str) -> list[str]:
    """Drop empty texts, and Python's inner file names from the others."""
    return [scrubbed(text, lang) for text in texts if text]


def columns_of(rows: Sequence[Row]) -> list[str]:
    """List the exercises of every chapter that was handed in, or of the whole course where none could be known."""
    chapters = {row.details["chapter"] for row in rows} - {None}
    return [e.id for c in exercises.chapters() if c.id in chapters or not chapters for e in c.exercises]


def feedback_path(name: str) -> str:
    """Give a submission's feedback page, below the output folder."""
    return f"feedback/{file_name(name)}.html"
