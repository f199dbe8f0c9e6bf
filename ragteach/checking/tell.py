"""Feedback in words: from what a check found to what the reader is told."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ragteach.checking import words
from ragteach.checking.call import Outcome
from ragteach.checking.compare import Difference, as_array
from ragteach.checking.exercise import IMPORTANCE, LEVELS, Exercise
from ragteach.checking.run import Case, Result, how_telling

MAX_SHOWN = 300  # characters of one value
MAX_PATH = 100  # characters of the place of a difference


@dataclass(frozen=True)
class Told:
    """Feedback in words, in the order in which it is read; what does not apply is empty."""

    title: str
    facts: str
    diagnosis: str
    table: tuple[tuple[str, str], ...]  # call, expected, got
    remarks: tuple[str, ...]
    examples: tuple[tuple[bool, str], ...]  # right or not, the point that the example makes
    hints: tuple[str, ...]


def tell(exercise: Exercise, result: Result, lang: str, secret: bool = False) -> Told:
    """Put a result into words. With `secret`, an input that is no hand-picked example is not shown."""
    case = result.counterexample
    if secret and case is not None and case.point is None:
        case = min((tried for tried in result.examples if tried.difference), key=how_telling, default=case)
    if result.verdict == "not_attempted":
        table, remarks = (), [words.NOT_ATTEMPTED[lang]]
    elif case is None:
        table, remarks = (), []
    elif secret and case.point is None:
        table, remarks = (), [words.SECRET[lang], _kind_of_failure(case, lang)]
    else:
        table, remarks = _table(exercise, case, lang), _remarks(exercise, case, result.diagnosis is not None, lang)
    return Told(
        title=f"{words.TITLES[result.verdict][lang]} · {exercise.title[lang]} ({exercise.id})",
        facts=about(exercise, lang) if result.verdict == "not_attempted" else _facts(result, lang),
        diagnosis=diagnosis_text(exercise, result.diagnosis, lang),
        table=table,
        remarks=tuple(remark for remark in remarks if remark),
        examples=tuple((tried.difference is None, tried.point[lang]) for tried in result.examples)
        if result.verdict != "missing"
        else (),
        hints=() if result.passed else tuple(hint[lang] for hint in exercise.hints),
    )


def about(exercise: Exercise, lang: str) -> str:
    """State an exercise's points, level, importance and time in one line."""
    level, importance = LEVELS[exercise.points][lang], IMPORTANCE[exercise.importance][lang]
    points = words.point_count(exercise.points, lang)
    return words.ABOUT[lang].format(level=level, importance=importance, minutes=exercise.minutes, points=points)


def diagnosis_text(exercise: Exercise, diagnosis: str | None, lang: str) -> str:
    """Give the explanation of a misconception by its id; an empty text for None."""
    explanations = {m.id: m.explanation[lang] for m in exercise.misconceptions}
    return explanations[diagnosis] if diagnosis else ""


def call_text(entry: str, args: tuple) -> str:
    """Write a call as a reader would type it."""
    return f"{entry}({', '.join(show(arg) for arg in args)})"


def show(value: Any) -> str:
    """Write a value on one line, cut where it is long."""
    with np.printoptions(precision=6, threshold=20, linewidth=MAX_SHOWN):
        try:
            text = " ".join(repr(value).split()) if isinstance(value, np.ndarray) else repr(value)
        except ValueError:  # Python writes no int of more than 4300 digits
            text = "…"
    return cut(text, MAX_SHOWN)


def cut(text: str, most: int) -> str:
    """Cut a text where it is long."""
    return text if len(text) <= most else text[: most - 1] + "…"


def _facts(result: Result, lang: str) -> str:
    facts = [words.EARNED[lang].format(points=words.point_count(result.points, lang), max_points=result.max_points)]
    if result.n_cases and result.verdict != "missing":
        counted = words.ALL_RIGHT if result.n_passed == result.n_cases else words.SOME_RIGHT
        facts.append(counted[lang].format(n=result.n_cases, n_right=result.n_passed))
    return " ".join(facts)


def _table(exercise: Exercise, case: Case, lang: str) -> tuple[tuple[str, str], ...]:
    if case.got.kind == "missing":
        return ()
    expected, got = case.expected, case.got
    return (
        (words.LABELS["call"][lang], call_text(exercise.entry, case.args)),
        (
            words.LABELS["expected"][lang],
            show(expected.value) if expected.kind == "value" else words.LABELS["error_expected"][lang],
        ),
        (
            words.LABELS["got"][lang],
            show(got.value) if got.kind == "value" else error_text(got) or words.LABELS["nothing"][lang],
        ),
    )


def _remarks(exercise: Exercise, case: Case, named: bool, lang: str) -> list[str]:
    remarks = [_what_happened(exercise, case, lang)]
    # Where the mistake has a name, the example's own point may be another: the smallest call that fails shows it.
    if case.point and not named and case.got.kind != "missing":
        remarks.append(words.labelled(words.LABELS["point"][lang], case.point[lang], lang))
    if case.got.printed:
        remarks.append(words.labelled(words.LABELS["printed"][lang], show(case.got.printed.strip()), lang))
    return remarks


def _kind_of_failure(case: Case, lang: str) -> str:
    """Say how a secret call failed without a word of its arguments: an error's own text could quote them."""
    if case.got.kind in ("timeout", "memory", "crashed"):
        return words.OUTCOMES[case.got.kind][lang]
    return words.OUTCOMES["error"][lang].format(error=case.got.errors[0]) if case.got.errors else ""


def _what_happened(exercise: Exercise, case: Case, lang: str) -> str:
    got, refused = case.got, case.expected.kind == "error"
    kind = got.kind
    if refused and kind in ("value", "not_plain"):
        kind = "no_error"
    elif kind == "value":
        return _difference(case.difference, lang) if case.difference else ""
    elif kind == "error":
        kind = "other_error" if refused else "error_on_line" if got.line else "error"
    elif kind == "missing" and got.errors:
        kind = "cell_stopped"
    elif kind == "missing" and got.message:
        kind = "not_callable"
    return words.OUTCOMES[kind][lang].format(
        entry=exercise.entry, error=error_text(got), line=got.line, message=got.message
    )


def _difference(difference: Difference, lang: str) -> str:
    expected, got = difference.expected, difference.got
    if difference.kind == "value" and not difference.path:
        return ""  # the table says it already
    path = cut(difference.path, MAX_PATH)
    where = words.PLACE[lang].format(path=path) if path else words.RESULT[lang]
    describe = {"type": _type_in_words, "length": _length_in_words, "shape": _shape_in_words}.get(difference.kind)
    return words.DIFFERENCES[difference.kind][lang].format(
        where=where,
        expected=show(expected),
        got=show(got),
        expected_is=describe(expected, lang) if describe else "",
        got_is=describe(got, lang) if describe else "",
    )


def _type_in_words(value: Any, lang: str) -> str:
    return words.type_name(value, lang)


def _length_in_words(value: Any, lang: str) -> str:
    return str(len(value))


def _shape_in_words(value: Any, lang: str) -> str:
    try:
        return str(as_array(value).shape)
    except (ValueError, TypeError):  # rows of unequal length have no shape
        return words.type_name(value, lang)


def error_text(outcome: Outcome) -> str:
    """Write the error of an outcome as Python does; an empty text where there is none."""
    if not outcome.errors:
        return ""
    return f"{outcome.errors[0]}: {outcome.message}" if outcome.message else outcome.errors[0]
