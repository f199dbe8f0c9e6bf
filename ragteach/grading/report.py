"""report.html: a class at a glance, one self-contained file, readable without colour."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from statistics import mean, median
from typing import Any
from urllib.parse import quote

from jinja2 import Environment, Template

import ragteach
from ragteach import exercises
from ragteach.checking.exercise import Chapter
from ragteach.checking.tell import diagnosis_text
from ragteach.checking.words import labelled
from ragteach.grading import words
from ragteach.grading.gradebook import Row, Run
from ragteach.grading.reading_words import listed
from ragteach.grading.report_words import POLICY, REPORT, SIGNS, VERDICT
from ragteach.grading.submission import OURS
from ragteach.grading.written import POINTS

MAX_BARS = 20
N_SLOWEST = 10
COLON = {"fr": "\u00a0:", "en": ":"}
SPACE = {"fr": "\u00a0", "en": ""}


def page(rows: Sequence[Row], run: Run, done: int) -> str:
    """Write the report in the teacher's language; where `done` is less than what the run found, it says so."""
    lang, rows = run.lang, named(rows)
    text = {key: value[lang] for key, value in REPORT.items()}
    by_chapter = defaultdict(list)
    for row in rows:
        if row.details["exercises"]:
            by_chapter[row.details["chapter"]].append(row)
    all_rows = with_chapters(rows)
    return template().render(
        lang=lang,
        colon=COLON[lang],
        t=text,
        run=run,
        unfinished=words.unfinished(done, run.total)[lang] if done < run.total else "",
        summary=summary(rows, lang),
        policy=POLICY[run.policy][lang],
        set_aside=[(row.name, listed(files)[lang]) for row in all_rows if (files := row.details["set_aside"])],
        attention=[attention(row, lang) for row in all_rows if needs_a_look(row)],
        chapters=[about(exercises.chapter(id), by_chapter[id], lang) for id in sorted(by_chapter)],
        written=written(rows),
        slowest=slowest(all_rows, lang),
        settings=settings(run, text),
    )


def named(rows: Sequence[Row]) -> list[Row]:
    """Call submissions by their students where the download tells them, and that leaves no two of a chapter alike."""
    people = defaultdict(set)
    for row in rows:
        people[row.details["student"]].add(row.details["participant"])

    def name_of(row: Row) -> str:
        student, participant = row.details["student"], row.details["participant"]
        return f"{student} ({participant})" if len(people[student]) > 1 and participant else student

    counts = Counter((name_of(row), row.details["chapter"]) for row in rows)
    clear = [name_of(row) and counts[name_of(row), row.details["chapter"]] == 1 for row in rows]
    return [replace(row, name=name_of(row)) if one else row for row, one in zip(rows, clear, strict=True)]


def with_chapters(rows: Sequence[Row]) -> list[Row]:
    """Call submissions by their chapter too, for lists that hold several chapters."""
    chapters = [row.details["chapter"] for row in rows]
    if len(set(chapters) - {None}) < 2:
        return list(rows)
    return [replace(row, name=f"{row.name} · {id}") if id else row for row, id in zip(rows, chapters, strict=True)]


@cache
def template() -> Template:
    """Load the page's template; whatever is put in is escaped."""
    source = Path(__file__).with_name("report.html.j2").read_text(encoding="utf-8")
    return Environment(autoescape=True, trim_blocks=True, lstrip_blocks=True).from_string(source)


def summary(rows: Sequence[Row], lang: str) -> str:
    """Count the submissions by status."""
    counts = Counter(row.status for row in rows)
    return labelled(REPORT["students"][lang], f"{len(rows)} ({words.counted(counts, lang)})", lang)


def needs_a_look(row: Row) -> bool:
    """Tell whether a submission did not go through smoothly, or is a notebook of the course that is no exercises."""
    ours = {remark[row.details["lang"]] for remark in OURS.values()}
    return row.status != "graded" or bool(row.details["fault"]) or bool(ours & set(row.details["remarks"]))


def attention(row: Row, lang: str) -> dict[str, Any]:
    """Describe a submission that did not go through smoothly."""
    return {
        "name": row.name,
        "link": link(row),
        "status": words.STATUS[row.status][lang],
        "remarks": row.details["remarks"],
        "fault": row.details["fault"],
    }


def about(chapter: Chapter, rows: Sequence[Row], lang: str) -> dict[str, Any]:
    """Describe how a chapter went: distribution, map, recognised mistakes."""
    points = [row.points for row in rows if row.points is not None]
    most = sum(exercise.points for exercise in chapter.exercises)
    maps = [row_of_map(row, lang) for row in rows]
    verdicts = {one["verdict"] for row in rows for one in row.details["exercises"]}
    return {
        "title": f"{chapter.id} · {chapter.title[lang]}",
        "n": len(rows),
        "mean": number(mean(points), lang) if points else "–",
        "median": number(median(points), lang) if points else "–",
        "max_points": most,
        "bars": bars(points, most),
        "legend": [(SIGNS[verdict], VERDICT[verdict][lang]) for verdict in SIGNS if verdict in verdicts],
        "columns": [exercise.id for exercise in chapter.exercises],
        "rows": maps,
        "rates": [rate(exercise.id, rows, lang) for exercise in chapter.exercises],
        "misconceptions": misconceptions(rows, lang),
    }


def bars(points: Sequence[int], most: int) -> list[dict[str, Any]]:
    """Count submissions by points, in at most MAX_BARS classes of whole points."""
    width = -(-(most + 1) // MAX_BARS)
    counts = Counter(min(value, most) // width for value in points)
    highest = max(counts.values(), default=1)
    classes = [(low, min(low + width - 1, most)) for low in range(0, most + 1, width)]
    return [
        {
            "label": str(low) if low == high else f"{low}–{high}",
            "count": counts[low // width],
            "share": round(counts[low // width] / highest, 3),
        }
        for low, high in classes
    ]


def row_of_map(row: Row, lang: str) -> dict[str, Any]:
    """Make a line of the map."""
    cells = [
        {
            "verdict": one["verdict"],
            "sign": SIGNS[one["verdict"]],
            "word": f"{one['id']}: {VERDICT[one['verdict']][lang]}",
        }
        for one in row.details["exercises"]
    ]
    return {"name": row.name, "link": link(row), "points": "–" if row.points is None else row.points, "cells": cells}


def rate(id: str, rows: Sequence[Row], lang: str) -> str:
    """Give the share of right answers to an exercise; the grader's own failures do not count."""
    verdicts = [one["verdict"] for row in rows for one in row.details["exercises"] if one["id"] == id]
    counted = [verdict for verdict in verdicts if verdict != "grader_error"]
    if not counted:
        return "–"
    return f"{100 * counted.count('passed') / len(counted):.0f}{SPACE[lang]}%"


def misconceptions(rows: Sequence[Row], lang: str) -> list[dict[str, Any]]:
    """List the recognised mistakes, the most frequent first, each with one student's example."""
    found: dict[tuple[str, str], list[tuple[Row, dict]]] = defaultdict(list)
    for row in rows:
        for one in row.details["exercises"]:
            if one["diagnosis"]:
                found[one["id"], one["diagnosis"]].append((row, one))
    listed = []
    for (exercise, id), cases in sorted(found.items(), key=lambda item: (-len(item[1]), item[0])):
        row, example = min(cases, key=lambda case: len(str(case[1]["counterexample"])))
        text = diagnosis_text(exercises.get(exercise), id, lang)
        shown = example["counterexample"]
        listed.append(
            {"count": len(cases), "exercise": exercise, "id": id, "text": text, "example": shown, "name": row.name}
        )
    return listed


def written(rows: Sequence[Row]) -> list[dict[str, Any]]:
    """Put the answers in words together by question, in the order of the course."""
    found: dict[str, list[dict[str, str]]] = {id: [] for id in POINTS}
    for row in rows:
        for answer in row.details["written"]:
            if answer["id"] in found:
                found[answer["id"]].append({"name": row.name, "text": answer["text"]})
    return [{"id": id, "points": POINTS[id], "answers": answers} for id, answers in found.items() if answers]


def slowest(rows: Sequence[Row], lang: str) -> list[dict[str, Any]]:
    """List the submissions that took longest."""
    first = sorted(rows, key=lambda row: -row.details["seconds"])[:N_SLOWEST]
    return [{"name": row.name, "seconds": number(row.details["seconds"], lang)} for row in first]


def settings(run: Run, text: dict[str, str]) -> list[tuple[str, str]]:
    """List what the run was told."""
    limits = ", ".join(f"{name} {value}" for name, value in run.limits.items())
    return [
        (text["seed"], str(run.seed)),
        (text["timeout"], number(run.timeout, run.lang)),
        (text["limits"], limits),
        (text["versions"], f"ragteach {ragteach.__version__}, {text['course']} {ragteach.COURSE_VERSION}"),
    ]


def number(value: float, lang: str) -> str:
    """Write a number with at most one decimal."""
    shown = f"{value:.1f}".removesuffix(".0")
    return shown.replace(".", ",") if lang == "fr" else shown


def link(row: Row) -> str:
    """Give the address of a submission's feedback page, seen from the report."""
    return quote(row.details["feedback"])
