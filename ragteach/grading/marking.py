"""Marking one submission: from a file to its status, its remarks and one result an exercise."""

from __future__ import annotations

import traceback
from dataclasses import dataclass
from functools import partial
from graphlib import TopologicalSorter
from itertools import product

from ragteach import exercises
from ragteach.checking.exercise import Chapter, Exercise, Text
from ragteach.checking.run import Case, Result
from ragteach.grading import words
from ragteach.grading.examine import LEAST_SECONDS, examine, try_examples
from ragteach.grading.find import Found
from ragteach.grading.session import Session
from ragteach.grading.settings import Settings
from ragteach.grading.submission import Notebook, Refused, read
from ragteach.grading.transport import WorkerBroken
from ragteach.grading.written import Written

STATUSES = ("graded", "refused", "timeout", "memory", "crashed", "grader_error")  # a closed list
EXERCISE_SECONDS = 8.0  # for the hand-picked examples; a notebook's are several times less, but jobs share the machine
N_RANDOM = 120  # inputs an exercise; a check in a notebook tries 60


@dataclass(frozen=True)
class Marked:
    """What grading found out about one submission.

    `chapter` is None, and `lang` empty, where they could not be known. `seconds` are those that its code took, of the
    time that it may take: loading Python and our own work do not count. `remarks` are for the student, `fault` (what
    went wrong in the grader itself) for the teacher, who also reads the answers in words (`written`).
    """

    name: str
    status: str
    chapter: str | None = None
    lang: str = "en"
    course: str | None = None
    remarks: tuple[Text, ...] = ()
    results: tuple[Result, ...] = ()
    seconds: float = 0.0
    fault: str = ""
    written: tuple[Written, ...] = ()

    @property
    def points(self) -> int | None:
        """The points earned; None where the grader failed, which is never a student's zero."""
        return None if self.status == "grader_error" else sum(result.points for result in self.results)

    @property
    def max_points(self) -> int | None:
        """What the chapter is worth; None where it could not be known."""
        return sum(e.points for e in exercises.chapter(self.chapter).exercises) if self.chapter else None


def mark(
    found: Found,
    seed: int = 0,
    timeout: float = 60.0,
    n_random: int = N_RANDOM,
    settings: Settings = Settings(),  # noqa: B008  (frozen)
) -> Marked:
    """Mark one submission. Whatever it holds, and whatever goes wrong here, one Marked comes back."""
    notebook = opened(found)
    return notebook if isinstance(notebook, Marked) else mark_opened(found, notebook, seed, timeout, n_random, settings)


def opened(found: Found) -> Notebook | Marked:
    """Read a submission's notebook; where that fails, all is known of the submission that ever will be."""
    try:
        if found.notebook is None:
            return Marked(found.name, "refused", remarks=(words.NO_FILE,))
        return read(found.notebook)
    except Refused as refusal:
        return Marked(found.name, "refused", refusal.chapter, refusal.lang, remarks=(refusal.reason,))
    except Exception:
        return grader_error(found, traceback.format_exc())


def mark_opened(
    found: Found, notebook: Notebook, seed: int, timeout: float, n_random: int, settings: Settings
) -> Marked:
    """Mark a submission whose notebook has been read. Whatever goes wrong here, one Marked comes back."""
    try:
        session = Session(notebook, references(notebook.chapter), entries(notebook.chapter), timeout, settings)
        try:
            results, fault = mark_exercises(notebook.chapter, session, seed, n_random)
        finally:
            session.close()
        return told(found, notebook, session, results, fault)
    except Exception:
        return grader_error(found, traceback.format_exc(), notebook)


def mark_exercises(chapter: Chapter, session: Session, seed: int, n_random: int) -> tuple[dict[str, Result], str]:
    """Check every exercise, those that others use first, so that a mistake costs only its own exercise.

    Below an exercise that failed, the function that the reader would have needed asks the reference here. That
    gives nothing away: an exercise's reference answers only once its own mark is settled. The examples of all
    exercises come before the random inputs of the first: no code that has seen these may tell them on a page.
    """
    results: dict[str, Result] = {}
    examples: dict[str, list[Case]] = {}
    used: dict[str, dict[str, str]] = {}
    fault = ""
    order = in_order(chapter)
    for final, exercise in product((False, True), order):
        if exercise.id in results:  # by a fault
            continue
        passed = {id for id, one in results.items() if one.passed}
        right = passed if final else {id for id, cases in examples.items() if not any(one.difference for one in cases)}
        entry = {exercises.get(id).entry: id for id in upstream(exercise)}
        own = {name: id for name, id in entry.items() if id in right}
        ask = {name: id for name, id in entry.items() if id not in right}
        call = partial(session.ask, exercise.id, own, ask)
        try:
            if used.get(exercise.id) != own:
                if final:  # a function that it uses was wrong on a random input
                    session.close()
                examples[exercise.id], used[exercise.id] = try_examples(exercise, call, EXERCISE_SECONDS), own
            if final:
                seconds = (session.seconds_left - LEAST_SECONDS * (len(order) - len(results))) / 2
                results[exercise.id] = examine(exercise, examples[exercise.id], call, seed, n_random, seconds)
        except WorkerBroken:  # no exercise will fare better
            raise
        except Exception:
            fault = fault or traceback.format_exc()
            results[exercise.id] = Result(exercise.id, "grader_error", 0, exercise.points)
    return results, fault


def told(found: Found, notebook: Notebook, session: Session, results: dict[str, Result], fault: str) -> Marked:
    """Put together what came of a submission."""
    status = "grader_error" if fault else session.lost or "graded"
    remarks = [*notebook.remarks, *session.texts()]
    if fault:
        remarks.append(words.GRADER_ERROR)
    elif session.lost:
        remarks.append(words.STOPPED[session.lost])
    ordered = tuple(results[exercise.id] for exercise in notebook.chapter.exercises)
    return Marked(
        found.name,
        status,
        notebook.chapter.id,
        notebook.lang,
        notebook.course,
        tuple(remarks),
        ordered,
        session.timeout - session.seconds_left,
        fault,
        notebook.written,
    )


def grader_error(found: Found, fault: str, notebook: Notebook | None = None) -> Marked:
    """Make the row of a submission that the grader failed on."""
    chapter, lang = (notebook.chapter.id, notebook.lang) if notebook else (None, "")
    return Marked(found.name, "grader_error", chapter, lang, remarks=(words.GRADER_ERROR,), fault=fault)


def in_order(chapter: Chapter) -> list[Exercise]:
    """Order a chapter's exercises so that each comes after those that it uses."""
    ids = [exercise.id for exercise in chapter.exercises]
    uses = {exercise.id: [id for id in exercise.uses if id in ids] for exercise in chapter.exercises}
    return [exercises.get(id) for id in TopologicalSorter(uses).static_order()]


def upstream(exercise: Exercise) -> list[str]:
    """List the ids of the exercises whose functions an exercise may call, directly or through another."""
    found: list[str] = []
    todo = list(exercise.uses)
    while todo:
        id = todo.pop()
        if id not in found:
            found.append(id)
            todo.extend(exercises.get(id).uses)
    return found


def references(chapter: Chapter) -> dict:
    """Map the exercises that a chapter's functions may need to their references."""
    return {id: exercises.get(id).reference for id in _needed(chapter)}


def entries(chapter: Chapter) -> dict[str, str]:
    """Map the exercises that a chapter's functions may need to the names of their functions."""
    return {id: exercises.get(id).entry for id in _needed(chapter)}


def _needed(chapter: Chapter) -> list[str]:
    ids = [exercise.id for exercise in chapter.exercises]
    return list(dict.fromkeys(ids + [id for exercise in chapter.exercises for id in upstream(exercise)]))
