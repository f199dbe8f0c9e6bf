"""What the two commands do: `ragteach grade` marks a class, `ragteach check` one notebook."""

from __future__ import annotations

import os
import sys
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import replace
from math import inf
from multiprocessing import get_context
from pathlib import Path

from tqdm import tqdm

from ragteach import exercises
from ragteach.checking.render import as_text
from ragteach.checking.words import labelled
from ragteach.grading import gradebook, words
from ragteach.grading.find import Found, find
from ragteach.grading.marking import STATUSES, grader_error, mark
from ragteach.language import system_language

NOTEBOOK_RANDOM = 60  # what a check in a notebook tries: one's own check must say the same


def grade_class(paths: Sequence[Path], out: Path, jobs: int | None, seed: int, timeout: float, lang: str | None) -> int:
    """Mark every submission below `paths` and write the gradebook; see ragteach.grading.grade."""
    lang = lang or system_language()
    jobs = (os.cpu_count() or 1) if jobs is None else jobs
    try:
        if jobs < 1 or not 0 < timeout < inf:
            raise ValueError(words.BAD_NUMBERS[lang])
        for path in paths:
            if not path.exists():
                raise ValueError(words.no_such_file(str(path))[lang])
        found = find(paths)
        if not found:
            raise ValueError(words.NOTHING_FOUND[lang])
        out.mkdir(parents=True, exist_ok=True)
    except ValueError as error:
        print(f"ragteach grade: {error}", file=sys.stderr)
        return 2
    except OSError as error:
        print(f"ragteach grade: {error.filename}: {error.strerror}.", file=sys.stderr)
        return 2
    with tempfile.TemporaryDirectory(prefix="ragteach-", ignore_cleanup_errors=True) as scratch:
        marked = mark_all(found, jobs, seed, timeout, scratch)
        progress = tqdm(marked, total=len(found), disable=None, leave=False, file=sys.stderr)
        rows = sorted(progress, key=lambda row: row.name)
    try:
        gradebook.write(out, rows, seed)
    except OSError as error:
        print(f"ragteach grade: {error}", file=sys.stderr)
        return 2
    counts = {status: sum(row.status == status for row in rows) for status in STATUSES}
    earned = [row.points for row in rows if row.status == "graded"]
    mean = sum(earned) / len(earned) if earned else None
    say(words.class_summary(counts, mean, str(out / "grades.csv"))[lang])
    return 0


def pool_of(jobs: int, scratch: str) -> ProcessPoolExecutor:
    """Make processes whose temporary files all lie in one folder, which is removed even where they are killed."""
    return ProcessPoolExecutor(jobs, get_context("spawn"), initializer=use_scratch, initargs=(scratch,))


def use_scratch(folder: str) -> None:
    """Make a folder the one in which this process puts its temporary files."""
    tempfile.tempdir = folder


def mark_all(found: Sequence[Found], jobs: int, seed: int, timeout: float, scratch: str) -> Iterator[gradebook.Row]:
    """Mark submissions, `jobs` at a time, and yield a row for each as it comes.

    Each job is a process: a check changes what is global to one (its alarm clock, its output stream), and a
    submission that manages to kill the process that grades it must not kill this one.
    """
    broken = []
    with pool_of(min(jobs, len(found)), scratch) as pool:
        futures = {pool.submit(mark_row, one, seed, timeout): one for one in found}
        try:
            for future in as_completed(futures):
                try:
                    yield future.result()
                except BrokenProcessPool:
                    broken.append(futures[future])
        finally:
            pool.shutdown(cancel_futures=True)  # after Ctrl-C, those that wait are not begun
    for one in broken:  # one of them killed its job and took the others along: each alone now
        try:
            with pool_of(1, scratch) as pool:
                yield pool.submit(mark_row, one, seed, timeout).result()
        except BrokenProcessPool as error:
            yield gradebook.row_of(grader_error(one, f"the grading process died ({error})"))


def mark_row(found: Found, seed: int, timeout: float) -> gradebook.Row:
    """Mark one submission and put it into words; a fault of the wording is the grader's, never the student's."""
    marked = mark(found, seed, timeout)
    try:
        return gradebook.row_of(marked)
    except Exception:
        return gradebook.row_of(replace(grader_error(found, traceback.format_exc()), chapter=marked.chapter))


def check_one(path: Path, lang: str | None, timeout: float) -> int:
    """Mark one notebook and print the feedback; see ragteach.grading.check_notebook."""
    if not path.is_file():
        print(f"ragteach check: {words.no_such_file(str(path))[lang or system_language()]}", file=sys.stderr)
        return 2
    marked = mark(Found(path.stem, path), timeout=timeout, n_random=NOTEBOOK_RANDOM)
    lang = lang or marked.lang
    for remark in marked.remarks:
        say(remark[lang])
    if not marked.results:
        if marked.fault:
            print(marked.fault, file=sys.stderr)
        return 2
    for result in marked.results:
        say(as_text(exercises.get(result.exercise), result, lang) + "\n")
    say(labelled(words.PAGE["total"][lang], words.total(marked.points, marked.max_points)[lang], lang))
    return 0 if all(result.passed for result in marked.results) else 1


def say(text: str) -> None:
    """Print on a terminal of any encoding."""
    encoding = sys.stdout.encoding or "utf-8"
    print(text.encode(encoding, "replace").decode(encoding))
