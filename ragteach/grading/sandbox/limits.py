"""The limits layer: what a worker may take of processor, memory and disk (POSIX; macOS does not bound memory)."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from math import ceil

MEGABYTE = 1_000_000
OPEN_FILES = 256
ELSEWHERE = 4_000  # megabytes, on systems that do not tell how much a process has taken already


def limit(cpu: float, memory: int, processes: int | None, file_size: int) -> list[str]:
    """Bound this process and its descendants; return the names of the limits that the system does not know.

    `cpu` in seconds, `memory` beyond what the process has taken already and `file_size` in megabytes;
    `processes` only where they are counted for this worker alone (None: leave them).
    """
    try:
        import resource
    except ImportError:
        return ["cpu", "memory", "processes", "file_size"]
    seconds = ceil(cpu)
    missing = []
    for name, what, most in (
        ("cpu", "RLIMIT_CPU", seconds),
        ("memory", "RLIMIT_AS", taken() + memory * MEGABYTE),
        ("processes", "RLIMIT_NPROC", processes),
        ("file_size", "RLIMIT_FSIZE", file_size * MEGABYTE),
        ("files", "RLIMIT_NOFILE", OPEN_FILES),
        ("core", "RLIMIT_CORE", 0),
        ("queues", "RLIMIT_MSGQUEUE", 0),
    ):
        if most is None:
            missing.append(name)
            continue
        try:
            hard = resource.getrlimit(getattr(resource, what))[1]
            most = most if hard == resource.RLIM_INFINITY else min(most, hard)  # a stricter one is the system's
            resource.setrlimit(getattr(resource, what), (most, most))
        except (AttributeError, ValueError, OSError):
            missing.append(name)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "w") as file:
        file.write("1000")  # where the machine's memory ends, this process goes first
    return missing


@contextlib.contextmanager
def bounded_memory(more: int) -> Iterator[None]:
    """Let this process take so many bytes more, and no others, inside the block, on systems that can say so."""
    try:
        import resource

        what = resource.RLIMIT_AS
        soft, hard = resource.getrlimit(what)
        resource.setrlimit(what, (taken() + more, hard))
    except (ImportError, ValueError, OSError):
        yield
        return
    try:
        yield
    finally:
        resource.setrlimit(what, (soft, hard))


def taken() -> int:
    """Tell how many bytes of address space this process has taken."""
    try:
        import resource

        with open("/proc/self/statm") as file:
            return int(file.read().split()[0]) * resource.getpagesize()
    except OSError:
        return ELSEWHERE * MEGABYTE
