"""Reads submissions, runs each in a process of its own, compares on this side of the pipe, keeps the gradebook.

The two functions import what they need when called: the worker lives in this package too, and no reference
implementation may enter its process.
"""

from collections.abc import Iterable
from pathlib import Path


def grade(
    paths: Iterable[str | Path],
    out: str | Path,
    jobs: int | None = None,
    seed: int = 0,
    timeout: float = 60.0,
    lang: str | None = None,
) -> int:
    """Grade the notebooks below `paths` into the folder `out`: grades.csv, grades.json, feedback/.

    `jobs` submissions at a time (default: one a core); the same `seed` gives the same random inputs; `timeout` is
    what one submission may take, in seconds. Returns 0 when every submission has its row, 2 (and a sentence on
    stderr) where there is nothing to grade or `out` cannot be written.
    """
    from ragteach.grading.classroom import grade_class

    return grade_class([Path(path) for path in paths], Path(out), jobs, seed, timeout, lang)


def check_notebook(path: str | Path, lang: str | None = None, timeout: float = 60.0) -> int:
    """Grade one notebook and print the feedback: 0 when everything passes, 1 when not, 2 when it cannot be read."""
    from ragteach.grading.classroom import check_one

    return check_one(Path(path), lang, timeout)
