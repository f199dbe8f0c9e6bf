"""What an exercise's hand-picked examples alone say about a function, without the luck of random inputs."""

from collections.abc import Callable

from ragteach import exercises
from ragteach.checking.call import direct
from ragteach.checking.run import Case, diagnose, try_case


def cases(id: str, function: Callable) -> list[Case]:
    """Try each example of an exercise."""
    exercise, call = exercises.get(id), direct(function)
    return [try_case(exercise, call, example.args, example.point) for example in exercise.examples]


def caught(id: str, function: Callable) -> bool:
    """Tell whether an example shows the function to be wrong."""
    return any(case.difference for case in cases(id, function))


def named(id: str, function: Callable) -> str | None:
    """Give the misconception that the examples make of the function, if any."""
    return diagnose(exercises.get(id), cases(id, function))
