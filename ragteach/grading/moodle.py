"""moodle.csv: what Moodle imports as a grading worksheet.

Moodle finds its columns by their titles in the teacher's language; it needs the identifier, the grade and the date
of the last grading (which may be empty), and skips a row whose grade is empty or above the assignment's maximum.
"""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from ragteach.checking.words import labelled
from ragteach.grading import words
from ragteach.grading.gradebook import Row
from ragteach.grading.tables import table

TITLES = {
    "fr": (
        "Identifiant",
        "Nom complet",
        "Note",
        "Note maximale",
        "Dernière modification (note)",
        "Feedback par commentaires",
    ),
    "en": (
        "Identifier",
        "Full name",
        "Grade",
        "Maximum grade",
        "Last modified (grade)",
        "Feedback comments",
    ),
}


def worksheet(rows: Sequence[Row], lang: str) -> str | None:
    """Write a line for each participant of a Moodle download; None where nobody came from one.

    A student's chapters are added up, each once. Where the grader failed on one of them the grade is left empty.
    """
    students: dict[str, list[Row]] = {}
    for row in rows:
        if row.details["participant"]:
            students.setdefault(row.details["participant"], []).append(row)
    if not students:
        return None
    lines = [TITLES[lang]]
    for participant, own in students.items():
        own = one_a_chapter(own)
        failed = any(row.points is None for row in own)
        grade = "" if failed else sum(row.points or 0 for row in own)
        most = sum(row.max_points or 0 for row in own) or ""
        comment = "" if failed else "<br>".join(line for row in own for line in comment_lines(row))
        lines.append((f"Participant {participant}", own[0].details["student"], grade, most, "", comment))
    return table(lines)


def one_a_chapter(rows: Sequence[Row]) -> list[Row]:
    """Keep one row of each chapter, the one with most points: results of an earlier version may hold two."""
    best: dict[str | None, Row] = {}
    for row in rows:
        there = best.setdefault(row.details["chapter"], row)
        if (row.points or 0) > (there.points or 0):
            best[row.details["chapter"]] = row
    return list(best.values())


def comment_lines(row: Row) -> list[str]:
    """Write a short feedback comment as HTML: the total, what to know, and a line for each exercise."""
    lang = row.details["lang"]
    lines = list(row.details["remarks"])
    if row.max_points:
        lines.insert(0, labelled(words.PAGE["total"][lang], words.total(row.points, row.max_points)[lang], lang))
    for one in row.details["exercises"]:
        lines.append(f"{one['points']}/{one['max_points']} {' '.join(one['feedback'][:1])}")
    return [escape(line) for line in lines]
