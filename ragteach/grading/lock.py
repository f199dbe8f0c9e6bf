"""One grader at a time in an output folder. The lock ends with the process, however that ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ragteach.grading.output_words import no_lock
from ragteach.language import BadValue

FILE = ".lock"
HELD = PermissionError if os.name == "nt" else BlockingIOError  # what the system raises for a lock that is held


class Locked(Exception):
    """Another process holds the lock."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock. Raises Locked where another process does, BadValue where the disk has no locks."""
    with (folder / FILE).open("a+b") as file:
        try:
            _lock(file.fileno())
        except HELD:
            raise Locked from None
        except OSError as error:
            raise BadValue(no_lock(str(folder), error.strerror)) from None
        yield


def _lock(descriptor: int) -> None:
    if os.name == "nt":
        import msvcrt

        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
