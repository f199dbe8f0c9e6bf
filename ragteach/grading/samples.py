"""The inputs on which an exercise is marked, and what is right for each: drawn once a process, for the whole class."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache
from random import Random
from typing import Any

from ragteach import exercises
from ragteach.checking.call import Outcome, direct
from ragteach.checking.compare import Difference
from ragteach.checking.exercise import Exercise, Text
from ragteach.checking.plain import decode, encode
from ragteach.checking.run import difference_of, draw, reference_outcome
from ragteach.grading.outcomes import read_outcome, weight
from ragteach.grading.transport import message_of

MAX_KEPT, MOST_KEPT = 50_000, 8  # weight of an answer, answers to a sample


@dataclass(frozen=True, eq=False)
class Sample:
    """One call: its arguments, what the reference makes of them, and the arguments as they cross the pipe.

    `functions` are the positions of the arguments that are functions: the worker asks back for them. `watch` has
    the worker tell whether the call changed its arguments.
    """

    args: tuple
    expected: Outcome
    encoded: Any
    functions: tuple[int, ...] = ()
    point: Text | None = None
    watch: bool = False
    seen: dict[bytes, Outcome] = field(default_factory=dict)
    judged: dict[int, Difference | None] = field(default_factory=dict)

    def read(self, line: bytes) -> Outcome:
        """Read an outcome from what stands on a worker's line after its head. Raises Gone.

        Most of a class gives the same answers in the same letters: these are read, and judged, once.
        """
        if line in self.seen:
            return self.seen[line]
        outcome = read_outcome(message_of(b'{"kind": ' + line))
        if len(self.seen) < MOST_KEPT and weight(line) <= MAX_KEPT:
            self.seen[line] = outcome
        return outcome

    def judge(self, exercise: Exercise, got: Outcome) -> Difference | None:
        """Compare an outcome with what is right."""
        if id(got) in self.judged:
            return self.judged[id(got)]
        difference = difference_of(exercise, self.args, self.expected, got)
        if any(got is kept for kept in self.seen.values()):
            self.judged[id(got)] = difference
        return difference


def sample(exercise: Exercise, args: tuple, point: Text | None = None) -> Sample:
    """Make a sample of arguments."""
    functions = tuple(position for position, value in enumerate(args) if callable(value))
    plain_args = tuple(None if position in functions else value for position, value in enumerate(args))
    encoded = encode(plain_args)  # now: a function may change its arguments
    return Sample(args, reference_outcome(exercise, args), encoded, functions, point, exercise.keeps_arguments)


@cache
def hand_picked(id: str) -> tuple[Sample, ...]:
    """Make the samples of an exercise's examples."""
    exercise = exercises.get(id)
    return tuple(sample(exercise, example.args, example.point) for example in exercise.examples)


@cache
def drawn(id: str, seed: int, n_random: int) -> tuple[Sample, ...]:
    """Draw the random samples of an exercise: the same seed gives the same ones.

    They are shuffled, since hypothesis begins with the simplest input, whatever the seed: the first ones, which a
    slow function is tried on, must not be known to everybody.
    """
    exercise, found = exercises.get(id), []
    draw(exercise, lambda args: found.append(sample(exercise, args)), seed, n_random)
    Random(f"{seed} {id}").shuffle(found)
    return tuple(found)


@cache
def misled(id: str, misconception: str, one: Sample) -> Outcome:
    """Give what a misconception of an exercise answers to a sample."""
    exercise = exercises.get(id)
    function = next(each.function for each in exercise.misconceptions if each.id == misconception)
    crossed = list(decode(one.encoded))  # as the reader's function got them: a list that stood twice is now two
    for position in one.functions:
        crossed[position] = one.args[position]
    return direct(function, watch=exercise.keeps_arguments)(tuple(crossed))
