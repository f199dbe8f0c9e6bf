"""The namespaces layer: no network, no sight of other processes, no file to change but in a scratch folder in memory.

The fork server enters namespaces of its own once, and each worker gets two more. One is for its processes: when the
worker ends, the kernel ends every process in it, whatever these have done to get away. The other is for what is
mounted: there all is read-only, and the scratch folder ends with the worker.
"""

from __future__ import annotations

import os

from ragteach.grading.sandbox import kernel

SERVER = kernel.NEW_NETWORK | kernel.NEW_IPC | kernel.NEW_HOST | kernel.NEW_MOUNTS | kernel.NEW_PROCESSES


def enter() -> None:
    """Give this process namespaces of its own; its next child is the first process of the new ones.

    Where it is not root's, it gets a user namespace too, which is what allows the others. Raises OSError where
    the system does not allow it.
    """
    user, group = os.geteuid(), os.getegid()
    kernel.unshare(SERVER if user == 0 else SERVER | kernel.NEW_USER)
    if user != 0:
        write("/proc/self/setgroups", "deny")
        write("/proc/self/uid_map", f"{user} {user} 1")
        write("/proc/self/gid_map", f"{group} {group} 1")
    kernel.mount("none", "/", None, kernel.RECURSIVE | kernel.PRIVATE)  # what is mounted here stays unseen elsewhere


def seal() -> None:
    """Make all files read-only for this process; they keep their modes, owners, times and attributes as well.

    Raises OSError where the kernel cannot, which is before Linux 5.12.
    """
    kernel.unshare(kernel.NEW_MOUNTS)
    kernel.make_read_only("/")


def mount_scratch(folder: str, user: int, group: int, megabytes: int) -> None:
    """Lay a file system of bounded size, in memory, over a folder; no program in it can be run."""
    flags = kernel.NO_SUID | kernel.NO_DEVICES | kernel.NO_PROGRAMS
    options = f"size={megabytes}m,nr_inodes=20000,mode=700,uid={user},gid={group}"
    kernel.mount("ragteach", folder, "tmpfs", flags, options)


def write(path: str, text: str) -> None:
    """Write a file of the kernel's in one piece."""
    descriptor = os.open(path, os.O_WRONLY)
    try:
        os.write(descriptor, text.encode())
    finally:
        os.close(descriptor)
