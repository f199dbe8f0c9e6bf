"""The Landlock layer: which files a worker may read, and the one folder in which it may write.

A worker takes two sets of rules, of which both must allow what it does: one that its fork server makes for all of its
workers, and a small one of its own, so that it can write in its own scratch folder and nowhere beside it. Landlock
holds for a process and all its descendants, whatever user they are, and cannot be undone.
Source: the kernel's documentation, userspace-api/landlock.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable
from functools import cache

from ragteach.grading.sandbox import kernel

CREATE, ADD, RESTRICT = 444, 445, 446  # system calls, of the same numbers on every processor
RUN_FILE, WRITE_FILE, READ_FILE, LIST = 1, 2, 4, 8
TRUNCATE, DEVICE_CONTROL = 1 << 14, 1 << 15
READ = READ_FILE | LIST
ON_FILES = RUN_FILE | WRITE_FILE | READ_FILE | TRUNCATE | DEVICE_CONTROL  # other rights are of folders only
RIGHTS = {1: 13, 2: 14, 3: 15, 4: 15}  # how many rights each version knows; later ones know 16
NETWORK = 3  # to bind and to connect, from version 4
SCOPES = 3  # abstract sockets and signals, from version 6


class Ruleset(ctypes.Structure):
    _fields_ = [("files", ctypes.c_uint64), ("network", ctypes.c_uint64), ("scopes", ctypes.c_uint64)]


class Below(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = [("rights", ctypes.c_uint64), ("descriptor", ctypes.c_int32)]


def shared_rules(readable: Iterable[tuple[str, int]], scratches: str) -> int:
    """Make the rules for all workers: everything not named is closed, and nothing may be executed.

    `readable` pairs paths with rights (READ, LIST or both); in the folder `scratches` lie those of the workers.
    Returns a descriptor. Raises OSError where the kernel has no Landlock.
    """
    rights = known()
    rules = ruleset(rights)
    for path, wanted in readable:
        allow(rules, path, wanted & rights)
    allow_changes(rules, scratches, rights)
    return rules


def own_rules(scratch: str) -> int:
    """Make the rules for one worker: nothing may be changed but in its scratch folder. Returns a descriptor."""
    rights = known() & ~READ
    rules = ruleset(rights)
    allow_changes(rules, scratch, rights)
    return rules


def allow_changes(rules: int, folder: str, rights: int) -> None:
    """Add these rights, but for running files, on a folder, and on the devices that any program may write to."""
    for device in ("/dev/null", "/dev/zero"):
        allow(rules, device, (READ_FILE | WRITE_FILE | TRUNCATE) & rights)
    allow(rules, folder, rights & ~RUN_FILE)


@cache
def version() -> int:
    """Tell which version of Landlock the kernel has."""
    return kernel.system_call(CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(1))


def known() -> int:
    """Give all rights on files that this version can refuse."""
    return (1 << RIGHTS.get(version(), 16)) - 1


def ruleset(rights: int) -> int:
    """Make a set of rules that refuses these rights, and the network and signals to others where it can."""
    rules = Ruleset(rights, NETWORK if version() >= 4 else 0, SCOPES if version() >= 6 else 0)
    size = 24 if version() >= 6 else 16 if version() >= 4 else 8
    return kernel.system_call(CREATE, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0))


def allow(rules: int, path: str, rights: int) -> None:
    """Add the rights on one file, or on all that lies below a folder."""
    try:
        descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return  # what is not there needs no rule
    try:
        folder = stat.S_ISDIR(os.fstat(descriptor).st_mode)
        rule = Below(rights if folder else rights & ON_FILES, descriptor)
        if rule.rights:
            kernel.system_call(ADD, rules, ctypes.c_int(1), ctypes.byref(rule), ctypes.c_uint32(0))
    finally:
        os.close(descriptor)


def restrict(rules: int) -> None:
    """Put this process under a set of rules."""
    kernel.no_new_privileges()
    kernel.system_call(RESTRICT, rules, ctypes.c_uint32(0))
