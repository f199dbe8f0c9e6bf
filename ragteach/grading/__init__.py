"""Reads submissions, runs each in a process of its own, compares on this side of the pipe, keeps the gradebook.

The two functions import what they need when called: the worker lives in this package too, and no reference
implementation may enter its process.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any


def grade(
    paths: Iterable[str | Path],
    out: str | Path,
    jobs: int | None = None,
    seed: int | None = None,
    timeout: float = 60.0,
    lang: str | None = None,
    attempts: str = "last",
    report_only: bool = False,
    dask: str | None = None,
    **limits: Any,
) -> int:
    """Grade the notebooks below `paths` (files, folders, zips) into the folder `out`: see docs/grading.md.

    `jobs` submissions at a time (default: one a core), or on the machines of a Dask cluster (`dask`: its address);
    the same `seed` gives the same random inputs (None: that of the last run, or a new one); `timeout` is what one
    submission may take, in seconds; of several attempts the "last" or the "best" counts (`attempts`).
    What `out` holds already is not marked again unless something changed; `report_only` marks nothing and writes
    the outputs anew. `limits` are the fields of ragteach.grading.settings.Settings. Returns 0 when every submission
    has its mark, 1 where the grader itself failed on one (its row says so), 130 after Ctrl-C, 2 (and a sentence on
    stderr) where there is nothing to grade or `out` cannot be written. Raises ValueError for a limit that makes no
    sense.
    """
    from ragteach.grading.classroom import Options, grade_class
    from ragteach.grading.settings import Settings

    options = Options(jobs, seed, timeout, lang, attempts, report_only, Settings(**limits), dask)
    return grade_class([Path(path) for path in paths], Path(out), options)


def check_notebook(path: str | Path, lang: str | None = None, timeout: float = 60.0) -> int:
    """Grade one notebook and print the feedback: 0 when everything passes, 1 when not, 2 when it cannot be read."""
    from ragteach.grading.own import check_one

    return check_one(Path(path), lang, timeout)
