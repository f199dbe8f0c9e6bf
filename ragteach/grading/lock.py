"""One grader at a time in an output folder. The lock ends with the process, however that ends."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FILE = ".lock"


class Locked(Exception):
    """Another process holds the lock."""


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder's lock. Raises Locked where another process does, OSError where there can be none."""
    with (folder / FILE).open("a+b") as file:
        try:
            _lock(file.fileno())
        except (BlockingIOError, PermissionError):
            raise Locked from None
        yield


def _lock(descriptor: int) -> None:
    if os.name == "nt":
        import msvcrt

        os.lseek(descriptor, 0, os.SEEK_SET)
        msvcrt.locking(descriptor, msvcrt.LK_NBLCK, 1)
    else:
        import fcntl

        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
