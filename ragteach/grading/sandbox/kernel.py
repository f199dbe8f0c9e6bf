"""Linux system calls that Python 3.11 has no function for. Each raises OSError where the kernel refuses."""

from __future__ import annotations

import ctypes
import os
from functools import cache
from typing import Any

NEW_MOUNTS, NEW_HOST, NEW_IPC = 0x0002_0000, 0x0400_0000, 0x0800_0000
NEW_USER, NEW_PROCESSES, NEW_NETWORK = 0x1000_0000, 0x2000_0000, 0x4000_0000
NO_SUID, NO_DEVICES, NO_PROGRAMS, RECURSIVE, PRIVATE = 2, 4, 8, 0x4000, 0x4_0000
CHANGE_MOUNTS = 442  # the system call mount_setattr, of the same number on every processor
FROM_HERE, WITH_ALL_BELOW, READ_ONLY = -100, 0x8000, 1


@cache
def libc() -> ctypes.CDLL:
    """Give the C library of this process; not at import, which other systems do too."""
    return ctypes.CDLL(None, use_errno=True)


def checked(result: int) -> int:
    """Pass on what a call of the C library returned; raise OSError where it is -1."""
    if result == -1:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def unshare(flags: int) -> None:
    """Give this process namespaces of its own (the next child, for processes)."""
    checked(libc().unshare(flags))


def enter(namespace: int, kind: int) -> None:
    """Enter a namespace by its descriptor."""
    checked(libc().setns(namespace, kind))


def mount(source: str, target: str, kind: str | None, flags: int, options: str = "") -> None:
    """Mount a file system."""
    kind_bytes = kind.encode() if kind else None
    checked(libc().mount(source.encode(), os.fsencode(target), kind_bytes, ctypes.c_ulong(flags), options.encode()))


def make_read_only(target: str) -> None:
    """Make what is mounted at a path, and at all places below, read-only in this mount namespace (Linux 5.12)."""
    attributes = (ctypes.c_uint64 * 4)(READ_ONLY)  # to set, to clear, propagation, user namespace
    path, size = os.fsencode(target), ctypes.c_size_t(ctypes.sizeof(attributes))
    system_call(CHANGE_MOUNTS, FROM_HERE, path, WITH_ALL_BELOW, attributes, size)


def control(option: int, value: int) -> None:
    """Set an attribute of this process (prctl)."""
    checked(libc().prctl(option, ctypes.c_ulong(value), ctypes.c_ulong(0), ctypes.c_ulong(0), ctypes.c_ulong(0)))


def system_call(number: int, *args: Any) -> int:
    """Make a system call that the C library has no function for."""
    return checked(libc().syscall(ctypes.c_long(number), *args))


def die_with_parent() -> None:
    """Have the kernel kill this process when the one that made it ends."""
    control(1, 9)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends."""
    control(36, 1)


def no_new_privileges() -> None:
    """Give up for good what a set-user-id program would give; Landlock and seccomp want it."""
    control(38, 1)


def keep_capabilities() -> None:
    """Keep root's capabilities when becoming another user."""
    control(8, 1)


def capabilities(*kept: int) -> None:
    """Give up every capability but those named by their numbers."""
    mask = sum(1 << number for number in kept)
    header = (ctypes.c_uint32 * 2)(0x2008_0522, 0)
    low, high = mask & 0xFFFF_FFFF, mask >> 32
    data = (ctypes.c_uint32 * 6)(low, low, 0, high, high, 0)
    checked(libc().capset(header, data))


def load_filter(program: bytes) -> None:
    """Put a seccomp filter on this thread: an array of BPF instructions of eight bytes each."""

    class Program(ctypes.Structure):
        _fields_ = [("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p)]

    described = Program(len(program) // 8, program)
    checked(libc().prctl(22, ctypes.c_ulong(2), ctypes.byref(described), ctypes.c_ulong(0), ctypes.c_ulong(0)))
