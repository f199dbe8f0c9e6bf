"""What an exercise is, and how one is run against a function, diagnosed and told."""

from ragteach.checking.exercise import Chapter, Choice, Example, Exercise, Misconception, Prediction, Question, Text
from ragteach.checking.render import as_html, as_text
from ragteach.checking.run import VERDICTS, Case, Result, run, run_call

__all__ = [
    "VERDICTS", "Case", "Chapter", "Choice", "Example", "Exercise", "Misconception", "Prediction", "Question",
    "Result", "Text", "as_html", "as_text", "run", "run_call",
]  # fmt: skip
