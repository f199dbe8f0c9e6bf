"""Marking a class: submissions shared out among processes, each with its own workers."""

from __future__ import annotations

import os
import signal
import tempfile
import traceback
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import cache
from multiprocessing import get_context, parent_process
from multiprocessing.connection import wait
from threading import Thread

from ragteach.checking.exercise import Text
from ragteach.grading import isolation_words as words
from ragteach.grading.find import Found
from ragteach.grading.forked import ForkServer, close_servers
from ragteach.grading.marking import Marked, grader_error, mark
from ragteach.grading.scratch import remove
from ragteach.grading.settings import Settings
from ragteach.grading.transport import WorkerBroken
from ragteach.grading.workers import bounds_of, forks
from ragteach.language import BadValue

MOST_JOBS = 61  # what Windows can wait for


def mark_all(
    found: Sequence[Found], *, jobs: int, seed: int, timeout: float, scratch: str, settings: Settings
) -> Iterator[tuple[Found, Marked]]:
    """Mark submissions, `jobs` at a time, and yield each with what came of it, in the order in which they are done.

    Each job is a process: a check changes what is global to one (its alarm clock, its output stream), and a
    submission that manages to kill the process that grades it must not kill this one; where it takes others along, it
    is looked for in halves of the rest. All temporary files lie below the folder `scratch`.
    """
    os.chmod(scratch, 0o711)  # a worker that is another user must reach its own folder below
    broken = []
    with pool_of(min(jobs, len(found), MOST_JOBS), scratch) as pool:
        futures = {pool.submit(mark, one, seed, timeout, settings=settings): one for one in found}
        try:
            for future in as_completed(futures):
                one = futures.pop(future)  # a class's results are too much to keep
                try:
                    yield one, future.result()
                except BrokenProcessPool:
                    broken.append(one)
                except Exception:  # what cannot cross between the processes
                    yield one, grader_error(one, traceback.format_exc())
        finally:
            pool.shutdown(cancel_futures=True)  # after Ctrl-C, those that wait are not begun
    if len(found) == 1:
        for one in broken:
            yield one, grader_error(one, "the grading process died")
        return
    middle = (len(broken) + 1) // 2
    for half in (broken[:middle], broken[middle:]):
        if half:
            yield from mark_all(half, jobs=jobs, seed=seed, timeout=timeout, scratch=scratch, settings=settings)


def sandbox_report(settings: Settings) -> Text:
    """Say what keeps submissions apart from this computer, and what does not.

    Raises BadValue, naming the layer, where a strict sandbox cannot be had here, or where no worker starts.
    """
    if not forks(settings):
        if settings.sandbox == "strict":
            raise BadValue(words.NEEDS_LINUX)
        return words.PROCESS_ONLY
    try:
        layers, missing = layers_here()
    except WorkerBroken as error:
        raise BadValue(words.no_worker(str(error))) from None
    if settings.sandbox == "strict" and missing:
        raise BadValue(words.not_strict(missing))
    return words.report(layers, missing, os.geteuid() == 0)


@cache
def layers_here() -> tuple[tuple[str, ...], dict[str, str]]:
    """Ask a fork server which layers of the sandbox this system allows, and why not the others."""
    server = ForkServer(bounds_of(Settings(), 60.0), shell=False)
    server.close()
    return server.layers, server.missing


def pool_of(jobs: int, scratch: str) -> ProcessPoolExecutor:
    """Make processes whose temporary files all lie in one folder, which is removed even where they are killed.

    Raises BadValue where the system has no semaphores for them.
    """
    try:
        return ProcessPoolExecutor(jobs, get_context("spawn"), initializer=use_scratch, initargs=(scratch,))
    except OSError as error:
        raise BadValue(words.no_pool(error.strerror)) from None


def use_scratch(folder: str) -> None:
    """Make a folder the one in which this process puts its temporary files, and end both with the grader."""
    tempfile.tempdir = folder
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # Ctrl-C ends a job, and not only the submission that it is at
    Thread(target=end_with_parent, args=(folder,), daemon=True).start()


def end_with_parent(folder: str) -> None:
    """Wait until the process that started this one is gone, killed perhaps, and leave nothing behind."""
    wait([parent_process().sentinel])
    close_servers()
    remove(folder)
    os._exit(1)
