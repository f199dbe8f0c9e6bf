"""What an exercise is: data that the engine runs, never code that prints."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ragteach.checking.compare import Difference, same

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

Text = Mapping[str, str]
"""One sentence or paragraph in each language: {"fr": ..., "en": ...}."""

Judge = Callable[[tuple, Any, Any], "Difference | None"]
"""Compares (arguments, expected value, obtained value); None where the obtained value is right."""

LEVELS: dict[int, Text] = {
    1: {"fr": "échauffement", "en": "warm-up"},
    2: {"fr": "standard", "en": "standard"},
    3: {"fr": "difficile", "en": "hard"},
}
IMPORTANCE: dict[int, Text] = {
    1: {"fr": "utile", "en": "useful"},
    2: {"fr": "importante", "en": "important"},
    3: {"fr": "essentielle", "en": "essential"},
}


@dataclass(frozen=True)
class Example:
    """One hand-picked call, and the point that it makes."""

    args: tuple
    point: Text


@dataclass(frozen=True)
class Misconception:
    """A wrong implementation that readers really write, and the sentence that helps them out of it."""

    id: str
    function: Callable
    explanation: Text


@dataclass(frozen=True)
class Exercise:
    """One auto-graded exercise.

    `points` is its level too (see LEVELS); `importance` runs from 1 to 3 (see IMPORTANCE); `minutes` is what a
    student should plan. `inputs` returns the hypothesis strategy of argument tuples; it is a function so that
    hypothesis is loaded when a check runs and not before. `judge` decides whether an output is right, by
    default by comparing it with the reference's. `uses` holds the ids of the exercises whose functions the
    reader's own may call. `keeps_arguments` is set where the statement says that arguments stay as they were.
    """

    id: str
    chapter: str
    entry: str
    title: Text
    points: int
    importance: int
    minutes: int
    reference: Callable
    examples: tuple[Example, ...]
    inputs: Callable[[], SearchStrategy[tuple]]
    misconceptions: tuple[Misconception, ...]
    hints: tuple[Text, ...]
    judge: Judge = lambda args, expected, got: same(expected, got)
    uses: tuple[str, ...] = ()
    keeps_arguments: bool = False


@dataclass(frozen=True)
class Choice:
    """One answer of a quiz question, and why it is right or wrong."""

    text: Text
    right: bool
    explanation: Text


@dataclass(frozen=True)
class Question:
    """One multiple-choice question with exactly one right choice."""

    id: str
    text: Text
    choices: tuple[Choice, ...]


@dataclass(frozen=True)
class Prediction:
    """A question that the reader answers before a cell runs, and what the result teaches."""

    id: str
    text: Text
    choices: tuple[Text, ...]
    explanation: Text


@dataclass(frozen=True)
class Chapter:
    """All that the package holds of one chapter; `id` is the name of its folder, such as "02_bm25"."""

    id: str
    title: Text
    exercises: tuple[Exercise, ...]
    quiz: tuple[Question, ...] = ()
    predictions: tuple[Prediction, ...] = ()
