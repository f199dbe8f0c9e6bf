"""The user layer: a worker is a user of its own, who owns nothing and may nothing."""

from __future__ import annotations

import os
from pathlib import Path

from ragteach.grading.sandbox import kernel

READ_ANY_FILE = 2  # the capability CAP_DAC_READ_SEARCH
MOST_PROCESSES = 4_194_304  # Linux numbers no process higher


def stranger(process: int) -> int:
    """Give a user id that nobody has, one for each process number where there are that many; 0 where there is none."""
    try:
        lines = [line.split() for line in Path("/proc/self/uid_map").read_text().splitlines()]
    except OSError:
        lines = [["0", "0", "65536"]]
    top = min(max(int(first) + int(count) for first, _, count in lines) - 2, 2_000_000_000)
    return top - process % min(top // 2, MOST_PROCESSES) if top >= 2 else 0


def become(user: int, read_any_file: bool) -> None:
    """Turn root into another user, or, where this is a user namespace, give up what rights it gave.

    `read_any_file` keeps the one capability to look past the permissions of files: for a Python that lies in
    root's own folder. It is safe only under Landlock, which says which files there are. Raises OSError where
    the process is neither root's nor in a user namespace of its own, or root is the only user there is.
    """
    if os.geteuid() != 0:
        kernel.capabilities()
        return
    if user == 0:
        raise OSError("root is the only user here")
    if read_any_file:
        kernel.keep_capabilities()
    os.setgroups([])
    os.setresgid(user, user, user)
    os.setresuid(user, user, user)
    if read_any_file:
        kernel.capabilities(READ_ANY_FILE)


def open_to_all(path: str) -> bool:
    """Tell whether every user can reach what lies at a path."""
    real = Path(os.path.realpath(path))
    return all(place.stat().st_mode & 0o001 for place in real.parents)
