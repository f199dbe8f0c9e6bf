"""Grading on a machine of a cluster: `python -m ragteach.grading.remote`, a grader with a fork server of its own.

A task of Dask runs in one of several threads of a process that holds much else, which nothing should be forked from.
So a task starts this process instead. It reads one pickled order, writes one pickled Marked after another, and ends,
with all its workers, when its input ends: a task that is killed leaves nothing running.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, Any

import ragteach
from ragteach import exercises
from ragteach.grading.find import Found
from ragteach.grading.marking import N_RANDOM, Marked, mark_opened
from ragteach.grading.settings import Settings
from ragteach.grading.submission import Notebook


@dataclass(frozen=True)
class Order:
    """Submissions to mark, and how. A notebook carries its chapter's name: a chapter holds functions."""

    submissions: tuple[tuple[Found, Notebook], ...]
    seed: int
    timeout: float
    settings: Settings


def packed(notebook: Notebook) -> Notebook:
    """Make a notebook ready for the journey."""
    return replace(notebook, chapter=notebook.chapter.id)


def unpacked(notebook: Notebook) -> Notebook:
    """Undo `packed`."""
    return replace(notebook, chapter=exercises.chapter(notebook.chapter))


def mark_in_a_process(order: Order) -> list[Marked]:
    """Mark submissions in a process of their own; fewer come back than were sent where that process dies.

    This is the task of a cluster's worker.
    """
    root = str(Path(ragteach.__file__).parents[1])
    paths = os.pathsep.join(filter(None, [root, os.environ.get("PYTHONPATH")]))
    process = subprocess.Popen(
        [sys.executable, "-m", "ragteach.grading.remote"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": paths},
        start_new_session=True,  # Ctrl-C is the task's business
    )
    marked = []
    with process:
        with contextlib.suppress(EOFError, pickle.UnpicklingError, OSError):  # it has died
            pickle.dump(order, process.stdin)
            process.stdin.flush()
            for _ in order.submissions:
                marked.append(pickle.load(process.stdout))
    return marked


def serve(orders: IO[bytes], answers: IO[bytes], end: Callable[[], Any]) -> None:
    """Mark what is ordered, one submission after another; `end` is called when the orders end before that."""
    order = pickle.load(orders)
    threading.Thread(target=lambda: (orders.read(1), end()), daemon=True).start()
    for found, notebook in order.submissions:
        marked = mark_opened(found, unpacked(notebook), order.seed, order.timeout, N_RANDOM, order.settings)
        pickle.dump(marked, answers)
        answers.flush()


def main() -> None:
    """Run as a process."""
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what anything prints is no answer
    scratch = tempfile.mkdtemp(prefix="ragteach-")
    os.chmod(scratch, 0o711)  # a worker that is another user must reach its own folder below
    tempfile.tempdir = scratch

    def end() -> None:
        """End at once: the fork server ends with this process, and its worker with it."""
        shutil.rmtree(scratch, ignore_errors=True)
        os.kill(os.getpid(), getattr(signal, "SIGKILL", signal.SIGTERM))

    try:
        serve(sys.stdin.buffer, answers, end)
    finally:
        from ragteach.grading.forked import close_servers

        close_servers()
        shutil.rmtree(scratch, ignore_errors=True)


if __name__ == "__main__":
    main()
