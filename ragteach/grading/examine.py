"""Marking one exercise by what the reader's function answers to samples, many calls at a time.

The same rules as checking.run, in another order: all exercises of a submission are first called with their hand-picked
examples, so that what a student is shown was said before any of the code had seen a random input. A class shares these
inputs, so they are drawn once, and only a failure that no hand-picked example shows is shrunk.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from ragteach.checking.call import Outcome
from ragteach.checking.exercise import Exercise
from ragteach.checking.run import FATAL, Case, Failure, Result, diagnose, draw_and_shrink, how_telling, verdict_of
from ragteach.grading.samples import Sample, drawn, hand_picked, misled, sample

Ask = Callable[[Sequence[Sample], float, int], list[Outcome]]
"""Makes calls for some seconds, and at least some number: fewer outcomes than samples where one is fatal or the time
is spent."""

LEAST_SECONDS = 2.0  # for the random inputs, however little time there is
LEAST_CALLS = 10  # with random inputs, however slow they are: the examples are public, these are not
SHRINK_CALLS = 100


def try_examples(exercise: Exercise, ask: Ask, seconds: float) -> list[Case]:
    """Call a function with the hand-picked examples; those that come later than `seconds` are a timeout."""
    picked = hand_picked(exercise.id)
    outcomes = ask(picked, seconds, 1)
    if len(outcomes) < len(picked) and not (outcomes and outcomes[-1].kind in FATAL):
        outcomes = [*outcomes, Outcome("timeout")]
    return cases_of(exercise, picked, outcomes)


def examine(exercise: Exercise, examples: list[Case], ask: Ask, seed: int, n_random: int, seconds: float) -> Result:
    """Mark an exercise by what came of its hand-picked examples, and by random inputs as long as `seconds` last.

    A slow function is tried on fewer random inputs, ten at least, never failed for it; a pass needs a right answer to
    every call made.
    """
    if all("NotImplementedError" in case.got.errors for case in examples):
        return Result(exercise.id, "not_attempted", 0, exercise.points)
    samples, others = list(hand_picked(exercise.id)[: len(examples)]), []
    if not fatal(examples):
        random_samples = drawn(exercise.id, seed, n_random)
        outcomes = ask(random_samples, max(seconds, LEAST_SECONDS), min(LEAST_CALLS, len(random_samples)))
        others = cases_of(exercise, random_samples, outcomes)
        samples += random_samples[: len(others)]

    cases = examples + others
    failures = [case for case in cases if case.difference]
    found = tuple(examples), len(cases), len(cases) - len(failures)
    if not failures:
        return Result(exercise.id, "passed", exercise.points, exercise.points, *found)
    if failures[0].point is None and not fatal(cases):
        failures.append(shrink(exercise, ask, seed, n_random, samples, cases))
    shown = [case for case in failures if case.point] or failures  # a student sees no random input
    smallest = min(shown, key=how_telling)
    diagnosis = diagnose(exercise, cases, lambda mistake, i: misled(exercise.id, mistake.id, samples[i]))
    return Result(exercise.id, verdict_of(smallest), 0, exercise.points, *found, diagnosis, smallest)


def cases_of(exercise: Exercise, samples: Sequence[Sample], outcomes: Sequence[Outcome]) -> list[Case]:
    """Compare outcomes with what is right."""
    return [
        Case(one.args, one.expected, got, one.judge(exercise, got), one.point)
        for one, got in zip(samples, outcomes, strict=False)
    ]


def fatal(cases: Sequence[Case]) -> bool:
    """Tell whether the last call makes further ones useless."""
    return cases[-1].got.kind in FATAL


def shrink(
    exercise: Exercise, ask: Ask, seed: int, n_random: int, samples: Sequence[Sample], cases: Sequence[Case]
) -> Case:
    """Look for a smaller failing input than those drawn, in a bounded number of calls; return the smallest known."""
    known = {json.dumps(one.encoded): case for one, case in zip(samples, cases, strict=True)}
    most = len(known) + SHRINK_CALLS

    def attempt(args: tuple) -> None:
        nonlocal most
        one = sample(exercise, args)
        key = json.dumps(one.encoded)
        if key not in known:
            if len(known) >= most:
                return
            outcomes = ask([one], LEAST_SECONDS, 1)
            (case,) = cases_of(exercise, [one], outcomes)
            if fatal([case]):  # another kind of failure, and a slow one: what is known will do
                most = 0
                return
            known[key] = case
        if known[key].difference:
            raise Failure

    draw_and_shrink(exercise, attempt, seed, n_random)
    return min((case for case in known.values() if case.difference), key=how_telling)
