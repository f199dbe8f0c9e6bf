"""The Landlock layer: which files a worker may read, and the one folder in which it may write.

Landlock holds for a process and all its descendants, whatever user they are, and cannot be undone.
Source: the kernel's documentation, userspace-api/landlock.
"""

from __future__ import annotations

import ctypes
import os
import stat
from collections.abc import Iterable

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


def ruleset(readable: Iterable[tuple[str, int]], writable: str) -> int:
    """Make a set of rules and return its descriptor: everything not named is closed, and nothing may be executed.

    `readable` pairs paths with rights (READ, LIST or both). Raises OSError where the kernel has no Landlock.
    """
    version = kernel.system_call(CREATE, None, ctypes.c_size_t(0), ctypes.c_uint32(1))
    every = (1 << RIGHTS.get(version, 16)) - 1
    rules = Ruleset(every, NETWORK if version >= 4 else 0, SCOPES if version >= 6 else 0)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    made = kernel.system_call(CREATE, ctypes.byref(rules), ctypes.c_size_t(size), ctypes.c_uint32(0))
    for path, rights in readable:
        allow(made, path, rights & every)
    for path in ("/dev/null", "/dev/zero"):
        allow(made, path, (READ_FILE | WRITE_FILE | TRUNCATE) & every)
    allow(made, writable, every & ~RUN_FILE)
    return made


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
