"""Marked submissions for the tests of outputs and of resuming, made in this process: quick, and no worker."""

import json
from functools import cache
from pathlib import Path

from grading_notebooks import HELPERS, SOLUTIONS

from ragteach import exercises
from ragteach.checking.run import Result, run
from ragteach.grading.find import Found
from ragteach.grading.gradebook import Row, row_of
from ragteach.grading.marking import Marked

CHAPTER = "02_bm25"
BASE_TEN = SOLUTIONS["bm25.idf"].replace("return log(", "return np.log10(")


def marked(name: str, answers: dict[str, str] | None = None, lang: str = "en", **more) -> Marked:
    """Check the solutions, some replaced by `answers`, and make what marking would make of them."""
    results = tuple(result(one.id, (answers or {}).get(one.id)) for one in exercises.chapter(CHAPTER).exercises)
    return Marked(name, **{"status": "graded", "chapter": CHAPTER, "lang": lang, "results": results, **more})


@cache
def result(id: str, answer: str | None) -> Result:
    """Check the answer to an exercise among the right ones to all others, as grading does."""
    namespace: dict = {}
    exec(HELPERS, namespace)
    for other, source in SOLUTIONS.items():
        exec(answer if other == id and answer else source, namespace)
    return run(exercises.get(id), namespace[exercises.get(id).entry])


def made(one: Marked, student: str = "", participant: str = "", **more) -> Row:
    """Make the row of a marked submission."""
    found = Found(one.name, Path(f"{one.name}.ipynb"), student=student, participant=participant, **more)
    return row_of(one, found)


def fake_mark_all(calls: list[str], fail: tuple[str, ...] = (), stop: int | None = None):
    """Stand in for jobs.mark_all: every notebook is right; notes who was marked, fails on some, stops like Ctrl-C.

    `fail` names submissions or files. A notebook whose metadata say "wrong" has a mistake in one function.
    """

    def mark_all(found, **_):
        for one in found:
            if stop is not None and len(calls) >= stop:
                raise KeyboardInterrupt
            calls.append(one.name)
            wrong = "wrong" in json.loads(one.notebook.read_text(encoding="utf-8"))["metadata"]
            if {one.name, one.notebook.name} & set(fail):
                yield one, Marked(one.name, "grader_error", CHAPTER, fault="Traceback: on purpose")
            else:
                yield one, marked(one.name, {"bm25.idf": BASE_TEN} if wrong else None)

    return mark_all
