"""Running an exercise against a function: hand-picked examples, random inputs, the smallest failure, a diagnosis."""

from __future__ import annotations

import copy
import os
import tempfile
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from types import ModuleType
from typing import Any

from ragteach.checking.call import Call, Outcome, direct
from ragteach.checking.compare import Difference, same
from ragteach.checking.exercise import Exercise, Misconception, Text
from ragteach.checking.plain import class_name

VERDICTS = (
    "passed failed not_attempted error timeout memory crashed missing refused grader_error"  # a closed list
).split()

NOTEBOOK_SECONDS = 2.5  # and at most one call of 2 s more: the reader waits less than 5

# A check takes what its process has one of, sys.stdout first; a widget's callback may run in a thread of its own.
ONE_AT_A_TIME = threading.RLock()

FATAL = ("timeout", "memory", "crashed", "missing")  # no further call is worth its wait


@dataclass(frozen=True)
class Case:
    """One call: the arguments, what the reference made of them, what the reader's function did, where they part."""

    args: tuple
    expected: Outcome
    got: Outcome
    difference: Difference | None
    point: Text | None = None  # of a hand-picked example; None for a random input


@dataclass(frozen=True)
class Result:
    """What a check found.

    `points` are those earned, `examples` the hand-picked cases that were tried, `n_cases` and `n_passed` count the
    random ones too, `diagnosis` is the id of the misconception that was recognised, if any, and
    `counterexample` the smallest failing case found.
    """

    exercise: str
    verdict: str
    points: int
    max_points: int
    examples: tuple[Case, ...] = ()
    n_cases: int = 0
    n_passed: int = 0
    diagnosis: str | None = None
    counterexample: Case | None = None

    @property
    def passed(self) -> bool:
        return self.verdict == "passed"


def run(exercise: Exercise, function: Callable, seed: int = 0) -> Result:
    """Check a function of this process against an exercise; the same seed tries the same inputs."""
    if not callable(function):
        return run_call(exercise, lambda args: Outcome("missing", message=class_name(type(function))), seed)
    with ONE_AT_A_TIME:
        call = direct(function, watch=exercise.keeps_arguments)
        return run_call(exercise, call, seed, seconds=NOTEBOOK_SECONDS)


def run_call(exercise: Exercise, call: Call, seed: int = 0, n_random: int = 60, seconds: float = 4.0) -> Result:
    """Check whatever answers `call` against an exercise.

    The hand-picked examples come first, and must be done within `seconds`; then up to `n_random` random inputs,
    which stop after that time (a slow function is tried on fewer, never failed for it). A pass needs a right
    answer to every call made.
    """
    load_hypothesis()  # the first time it takes half a second, which is not the reader's
    deadline = time.monotonic() + seconds
    examples: list[Case] = []
    for example in exercise.examples:
        in_time = call if time.monotonic() < deadline else lambda args: Outcome("timeout")
        examples.append(try_case(exercise, in_time, example.args, example.point))
        if examples[-1].got.kind in FATAL:
            break
    if all("NotImplementedError" in case.got.errors for case in examples):
        return Result(exercise.id, "not_attempted", 0, exercise.points)
    fatal = examples[-1].got.kind in FATAL
    cases = examples + ([] if fatal else random_cases(exercise, call, seed, n_random, deadline))

    failures = [case for case in cases if case.difference]
    found = tuple(examples), len(cases), len(cases) - len(failures)
    if not failures:
        return Result(exercise.id, "passed", exercise.points, exercise.points, *found)
    # Of the random failures only the last one is small: the earlier ones are hypothesis on its way down to it.
    smallest = min((case for case in failures if case.point or case is failures[-1]), key=how_telling)
    return Result(exercise.id, verdict_of(smallest), 0, exercise.points, *found, diagnose(exercise, cases), smallest)


def try_case(exercise: Exercise, call: Call, args: tuple, point: Text | None = None) -> Case:
    """Make one call on both sides and compare."""
    expected = reference_outcome(exercise, args)
    got = call(args)
    return Case(args, expected, got, difference_of(exercise, args, expected, got), point)


def reference_outcome(exercise: Exercise, args: tuple) -> Outcome:
    """Call the reference: its value, or the ValueError by which it refuses the arguments."""
    try:
        return Outcome("value", exercise.reference(*copy.deepcopy(args)))
    except ValueError as error:
        return Outcome("error", errors=("ValueError",), message=str(error))


def difference_of(exercise: Exercise, args: tuple, expected: Outcome, got: Outcome) -> Difference | None:
    """Say where an outcome parts from the expected one; None where it is right."""
    if expected.kind == "error":
        if got.kind == "error" and "ValueError" in got.errors:
            return None
        return Difference("error" if got.kind == "error" else "no_error", "", "ValueError", got.value)
    if got.kind != "value":
        return Difference("error", "", expected.value, None)
    difference = judged(exercise, args, expected.value, got.value)
    return Difference("changed", "", expected.value, got.value) if got.changed and not difference else difference


def judged(exercise: Exercise, args: tuple, expected: Any, got: Any) -> Difference | None:
    """Have the exercise's judge compare two values, and compare them plainly where it stumbles over one."""
    try:
        return exercise.judge(args, expected, got)
    except Exception:  # a reader's output, or a misconception's, can be anything
        return same(expected, got)


def load_hypothesis() -> ModuleType:
    """Import hypothesis, and keep its files out of the reader's folder."""
    os.environ.setdefault("HYPOTHESIS_STORAGE_DIRECTORY", os.path.join(tempfile.gettempdir(), "ragteach-hypothesis"))
    import hypothesis

    return hypothesis


def random_cases(exercise: Exercise, call: Call, seed: int, n_random: int, deadline: float) -> list[Case]:
    """Try random inputs; where one fails, shrink it, and put the smallest failing input found last."""
    cases: list[Case] = []

    def attempt(args: tuple) -> None:
        if time.monotonic() > deadline or (cases and cases[-1].got.kind in FATAL):
            return
        cases.append(try_case(exercise, call, args))
        if cases[-1].difference:
            raise Failure

    draw_and_shrink(exercise, attempt, seed, n_random)
    return cases


def draw(exercise: Exercise, attempt: Callable[[tuple], object], seed: int, n_random: int, *more: str) -> None:
    """Give random inputs to a function; with the phase "shrink", ever smaller ones once it has raised an error."""
    hypothesis = load_hypothesis()
    test = hypothesis.seed(seed)(hypothesis.given(exercise.inputs())(attempt))
    hypothesis.settings(
        max_examples=n_random,
        database=None,
        deadline=None,
        print_blob=False,
        report_multiple_bugs=False,
        suppress_health_check=list(hypothesis.HealthCheck),
        phases=[hypothesis.Phase[phase] for phase in ("generate", *more)],
    )(test)()


class Failure(Exception):
    """Tells hypothesis that an input fails."""


def draw_and_shrink(exercise: Exercise, attempt: Callable[[tuple], object], seed: int, n_random: int) -> None:
    """Give random inputs to a function until it raises Failure, then ever smaller ones."""
    try:
        draw(exercise, attempt, seed, n_random, "shrink")
    except (Failure, load_hypothesis().errors.Flaky):
        pass


def diagnose(
    exercise: Exercise, cases: Sequence[Case], misled: Callable[[Misconception, int], Outcome] | None = None
) -> str | None:
    """Name the misconception that answers as the reader's function did wherever the reference has a value.

    `misled` tells what a misconception answers to a case, by its number; by default it is called here.
    """

    def called(misconception: Misconception, i: int) -> Outcome:
        return direct(misconception.function, watch=exercise.keeps_arguments)(cases[i].args)

    misled = misled or called
    asked = [i for i, case in enumerate(cases) if case.expected.kind == "value" and case.got.kind not in FATAL]
    wrong = [i for i in asked if cases[i].difference]
    if not wrong:
        return None
    # The wrong answers first: most misconceptions part from the reader's function there, at once.
    order = wrong + [i for i in asked if not cases[i].difference]
    for misconception in exercise.misconceptions:
        if all(alike(exercise, cases[i], misled(misconception, i)) for i in order):
            return misconception.id
    return None


def alike(exercise: Exercise, case: Case, other: Outcome) -> bool:
    """Tell whether another function's outcome is the one of the reader's function."""
    if case.got.changed != other.changed:
        return False
    if case.got.kind == "value" and other.kind == "value":
        return judged(exercise, case.args, other.value, case.got.value) is None
    return case.got.kind == other.kind == "error" and case.got.errors[:1] == other.errors[:1]


def how_telling(case: Case) -> tuple:
    """Order failures: an ordinary call before a refused one, then the smallest, then the hand-picked one."""
    return case.expected.kind == "error", len(repr(case.args)), case.point is None


def verdict_of(case: Case) -> str:
    """Say what the smallest failure makes of the whole."""
    if case.got.kind in FATAL:
        return case.got.kind
    return "error" if case.got.kind == "error" and case.expected.kind == "value" else "failed"
