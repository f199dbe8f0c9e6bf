"""Which kind of worker runs a submission."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Sequence

from ragteach.grading.forked import ForkedWorker, server
from ragteach.grading.forkserver import LIBRARIES
from ragteach.grading.settings import Settings
from ragteach.grading.transport import SpawnedWorker, WorkerBroken

Worker = SpawnedWorker | ForkedWorker


def bounds_of(settings: Settings, timeout: float) -> dict[str, float]:
    """Give the limits that the system enforces on a worker: see sandbox.limits."""
    return {
        "cpu": timeout + 5,  # the last resort: a cell and a call have limits of their own
        "memory": settings.memory,
        "processes": settings.processes,
        "file_size": settings.file_size,
        "files": settings.files,
    }


def forks(settings: Settings) -> bool:
    """Tell whether workers come from a fork server."""
    return settings.sandbox != "process" and sys.platform == "linux"


def new_worker(settings: Settings, timeout: float, libraries: Sequence[str] = ()) -> Worker:
    """Start a worker, with libraries loaded where that saves time.

    Raises WorkerBroken where that fails, or a strict sandbox lacks a layer.
    """
    bounds = bounds_of(settings, timeout)
    if not forks(settings):
        if settings.sandbox == "strict":
            raise WorkerBroken("a strict sandbox needs Linux")
        return SpawnedWorker(bounds)
    if settings.sandbox == "strict" and (missing := server(bounds).missing):
        raise WorkerBroken("; ".join(f"{layer}: {reason}" for layer, reason in missing.items()))
    try:
        return ForkedWorker(bounds, libraries)
    except WorkerBroken:  # the fork server may have died since the last submission: a new one may not
        return ForkedWorker(bounds, libraries)


IMPORT = re.compile(r"^[ \t]*(?:import|from)[ \t]+([\w.]+)", re.MULTILINE)


def libraries_of(sources: Iterable[str]) -> list[str]:
    """Find the libraries that code imports, of those that a fork server may load beforehand."""
    text = "\n".join(sources)
    imported = set(IMPORT.findall(text))
    return [name for name in LIBRARIES if any(one == name or one.startswith(f"{name}.") for one in imported)]
