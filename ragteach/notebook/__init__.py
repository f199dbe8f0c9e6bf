"""What a cell of the course sees: begin, check, hint, points, quiz, predict, reveal."""

from ragteach.notebook.cells import begin, check, hint, points
from ragteach.notebook.choices import predict, quiz, reveal

__all__ = ["begin", "check", "hint", "points", "predict", "quiz", "reveal"]
