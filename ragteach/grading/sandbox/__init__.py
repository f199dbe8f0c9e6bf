"""What keeps a submission apart from the computer that grades it, on Linux: one module a layer.

A layer is tried once, in a process made for that, so that one that the system refuses leaves nothing half done; what
is then found to work is demanded of every worker.
"""

from __future__ import annotations

import contextlib
import json
import os
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ragteach.grading.sandbox import identity, kernel, landlock, limits, namespaces, seccomp
from ragteach.grading.sandbox.files import readable

# In the order in which they are taken: of limits, one is a file of the kernel's, read-only in namespaces.
LAYERS = ("limits", "namespaces", "files", "user", "calls")


@dataclass(frozen=True)
class Place:
    """Where the workers of a fork server live.

    Each has its scratch folder below `folder`, where only the server can write; `sealed` tells whether all files but
    those of the scratch folder can be made read-only for a worker.
    """

    folder: str
    user: int
    group: int
    namespaces: bool
    sealed: bool


def attempt(action: Callable[[], object]) -> str | None:
    """Try an action in a child process; return why it failed, None where it worked."""
    read, write = os.pipe()
    child = os.fork()
    if child == 0:
        with contextlib.suppress(BaseException):
            try:
                action()
                os.write(write, b"null")
            except BaseException as error:
                os.write(write, json.dumps(f"{type(error).__name__}: {error}"[:400]).encode())
        os._exit(0)
    os.close(write)
    with os.fdopen(read, "rb") as pipe:
        answer = pipe.read()
    os.waitpid(child, 0)
    return json.loads(answer) if answer else "the process ended"


def enter_and_mount(folder: str) -> None:
    """Try the whole of the namespaces layer: entering, being the first process there, mounting a scratch folder."""
    namespaces.enter()

    def first_process() -> None:
        kernel.unshare(kernel.NEW_MOUNTS)
        namespaces.mount_scratch(folder, os.geteuid(), os.getegid(), 1)
        own = os.open("/proc/self/ns/pid", os.O_RDONLY)
        kernel.unshare(kernel.NEW_PROCESSES)
        kernel.enter(own, kernel.NEW_PROCESSES)

    if (why := attempt(first_process)) is not None:
        raise OSError(why)


class Confinement:
    """The layers that a worker takes upon itself before it runs anything of a submission's."""

    def __init__(self, place: Place, bounds: dict) -> None:
        self.place, self.bounds = place, bounds
        self.scratch = place.folder  # until there is a worker, which has its own below this one
        self.rules = -1
        # Processes are counted by user: without a user of its own, a worker would pay for all of the teacher's.
        self.counted = place.namespaces or os.geteuid() == 0
        needed = os.__file__, kernel.__file__, place.folder
        self.read_any_file = os.geteuid() == 0 and not all(map(identity.open_to_all, needed))

    def missing(self) -> dict[str, str]:
        """Try each layer; map those that this system refuses to its reason."""
        try:
            self.rules = landlock.shared_rules(readable(), self.place.folder)
            why = {"files": attempt(self.files)}
        except OSError as error:
            why = {"files": str(error)}
        self.read_any_file = self.read_any_file and why["files"] is None
        for layer in ("limits", "user", "calls"):
            why[layer] = attempt(getattr(self, layer))
        return {layer: reason for layer, reason in why.items() if reason is not None}

    def take(self, layers: Iterable[str], scratch: str) -> None:
        """Take these layers, with a scratch folder; raises OSError or ValueError where one fails."""
        self.scratch = scratch
        os.chdir(scratch)
        if "limits" not in layers:
            with contextlib.suppress(OSError):
                self.limits()  # one that the system does not know is no reason to do without the others
        for layer in LAYERS:
            if layer in layers:
                getattr(self, layer)()
        kernel.die_with_parent()

    def limits(self) -> None:
        """Bound processor, memory, processes and disk."""
        bounds = self.bounds
        processes = bounds["processes"] if self.counted else None
        missing = limits.limit(bounds["cpu"], bounds["memory"], processes, bounds["file_size"])
        if missing:
            raise OSError(f"no limit on {', '.join(missing)}")

    def namespaces(self) -> None:
        """See the files of the system read-only, and the scratch folder in memory; the server has done the rest."""
        if self.place.sealed:
            namespaces.seal()
        else:
            kernel.unshare(kernel.NEW_MOUNTS)
        namespaces.mount_scratch(self.scratch, self.place.user, self.place.group, self.bounds["files"])
        os.chdir(self.scratch)  # what now lies there, not what it covers

    def files(self) -> None:
        """Close every file but those of Python, and the scratch folder."""
        landlock.restrict(self.rules)
        landlock.restrict(landlock.own_rules(self.scratch))

    def user(self) -> None:
        """Become nobody."""
        if os.geteuid() != 0 and not self.place.namespaces:
            raise OSError("only root can become another user")
        identity.become(self.place.user, self.read_any_file)
        kernel.no_new_privileges()
        with open(os.__file__, "rb"):  # Python must still find its own library
            pass

    def calls(self) -> None:
        """Refuse system calls."""
        seccomp.restrict(self.place.sealed)
