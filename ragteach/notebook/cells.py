"""The cells of a self-grading notebook: begin, check, hint, points."""

from collections.abc import Callable
from html import escape

from ragteach import COURSE_VERSION, exercises
from ragteach.checking import Chapter, Exercise, Result, as_html, as_text, run
from ragteach.checking.tell import about
from ragteach.notebook import page, progress, words

_points: dict[str, int] = {}  # of the last check of each exercise in this kernel


def begin(chapter: str, lang: str, course: str) -> None:
    """Open a notebook: set its language, compare its course version with the package's, show the progress.

    Raises ValueError where the language or the chapter is unknown.
    """
    page.set_language(lang)
    found = exercises.chapter(chapter)
    progress.write("reader", "language", {"lang": lang})
    _define_blanks(found)
    text = progress.chapter_line(found, lang)
    html = f'<p role="status" lang="{lang}"><strong>{escape(found.title[lang])}</strong><br>{escape(text)}</p>'
    if course != COURSE_VERSION:
        warning = words.OTHER_VERSION[lang].format(notebook=course, package=COURSE_VERSION)
        text, html = f"{text}\n{warning}", f"{html}<p>{escape(warning)}</p>"
    page.show(f"{found.title[lang]}\n{text}", html)


def _define_blanks(chapter: Chapter) -> None:
    """Define the functions still to be written, so that a cell with a syntax error costs its own exercise only."""
    from IPython import get_ipython

    shell = get_ipython()
    for exercise in chapter.exercises if shell else ():
        shell.user_ns.setdefault(exercise.entry, _blank)


def _blank(*_: object, **__: object) -> None:
    raise NotImplementedError


def check(id: str, function: Callable) -> Callable:
    """Check the reader's function and show the feedback.

    Returns the function where it is right, else the reference, so that the cells below run all the same. An
    unknown id is told, with the nearest ones, and the function returned as it is.
    """
    lang = page.language()
    try:
        exercise = exercises.get(id)
    except ValueError:
        page.show(_unknown(id, lang))
        return function
    try:
        result = run(exercise, function)
    except Exception:  # a fault of ours must not become the reader's
        result = Result(exercise.id, "grader_error", 0, exercise.points)
    _points[id] = result.points
    kept = progress.record(exercise, result)
    lines = [progress.chapter_line(exercises.chapter(exercise.chapter), lang)]
    if not result.passed:
        lines.insert(0, words.REFERENCE_TAKES_OVER[lang].format(entry=exercise.entry))
    if not kept:
        lines.append(words.NOT_KEPT[lang].format(folder=progress.home()))
    foot = "".join(f'<p style="margin:.3em 0">{escape(line)}</p>' for line in lines)
    page.show("\n".join([as_text(exercise, result, lang), *lines]), as_html(exercise, result, lang) + foot)
    return function if result.passed else exercise.reference


def points(id: str) -> int:
    """Give the points that the last check of an exercise earned in this session; 0 where none was made.

    Where nbgrader runs the notebook it reads this number, the value of the cell, as the cell's score.
    """
    return _points.get(id, 0)


def hint(id: str) -> None:
    """Show the next hint of an exercise, one at a time; after the last one, where the solution is."""
    lang = page.language()
    try:
        exercise = exercises.get(id)
    except ValueError:
        page.show(_unknown(id, lang))
        return
    facts = progress.read("exercises", id)
    number = min(facts.get("hints", 0) + 1, len(exercise.hints))
    progress.write("exercises", id, facts | {"hints": number})
    page.show(_hint_text(exercise, number, lang))


def _hint_text(exercise: Exercise, number: int, lang: str) -> str:
    head = words.HINT[lang].format(number=number, n=len(exercise.hints), title=exercise.title[lang])
    after = words.MORE[lang] if number < len(exercise.hints) else words.SOLUTION[lang]
    return f"{head}\n{exercise.hints[number - 1][lang]}\n{about(exercise, lang)}\n{after}"


def _unknown(id: str, lang: str) -> str:
    return words.UNKNOWN[lang].format(id=id, nearest=", ".join(exercises.nearest(id)))
