"""The process that forks workers: `python -m ragteach.grading.forkserver DESCRIPTOR`, started by forked.py (Linux).

It loads Python, IPython and what libraries notebooks import once, then forks a worker for each submission in a few
milliseconds. It never holds an answer: it imports no reference and no exercise, and its environment is the worker's
own. It knows one worker at a time, and speaks one JSON object a packet over the socket of that descriptor:

to it    {"bounds", "folder", "only": [layer] or null, "shell": bool}
from it  {"ready": 1, "layers": [...], "missing": {layer: reason}} or {"broken": why}
to it    {"fork": [library]}, and with it the worker's end of a socket         from it  {"forked": 1} or {"broken": why}
to it    {"wait": seconds}, which ends the worker                    from it  {"status": n, "cpu": s, "killed": bool}

`wait` is how long a worker that has closed its socket is given to die by itself, so that its status says why.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import json
import os
import signal
import socket
import sys
import tempfile
import time
from collections.abc import Iterable

from ragteach.grading.sandbox import LAYERS, Confinement, Place, attempt, enter_and_mount, identity, kernel, namespaces
from ragteach.grading.scratch import HOMES, remove

PACKET = 65_536
SOCKET = 3  # the descriptor of a worker's socket, in the worker
LIBRARIES = {  # what a notebook imports: what is loaded for it
    "ragteach.corpus": ("ragteach.corpus",),
    "matplotlib": ("matplotlib.pyplot",),
    "sklearn": ("sklearn.feature_extraction.text", "sklearn.decomposition", "sklearn.metrics.pairwise"),
}


class Server:
    """Forks one worker after another into a place that holds it."""

    def __init__(self, control: socket.socket, order: dict, layers: set[str]) -> None:
        self.control, self.order, self.layers = control, order, layers
        user, group = os.geteuid(), os.getegid()
        if user == 0 and "user" in layers:
            user = group = order["user"]
        apart = "namespaces" in layers
        self.place = Place(order["folder"], user, group, apart, apart and attempt(namespaces.seal) is None)
        self.confinement = Confinement(self.place, order["bounds"])
        if self.place.namespaces:
            self.own_processes = os.open("/proc/self/ns/pid", os.O_RDONLY | os.O_CLOEXEC)
        self.number = 0
        self.scratch: str | None = None

    def fork(self, worker_socket: int) -> int:
        """Make a worker that speaks over a socket, and return its process number."""
        self.scratch = self.make_scratch()
        if self.place.namespaces:
            kernel.unshare(kernel.NEW_PROCESSES)
        try:
            pid = os.fork()
            if pid == 0:
                self.work(worker_socket)
        finally:
            if self.place.namespaces:
                kernel.enter(self.own_processes, kernel.NEW_PROCESSES)
        return pid

    def make_scratch(self) -> str:
        """Make the folder in which the next worker may write."""
        self.number += 1
        folder = os.path.join(self.place.folder, str(self.number))
        os.mkdir(folder, 0o700)
        if "user" in self.layers and not self.place.namespaces:
            os.chown(folder, self.place.user, self.place.group)
        return folder

    def work(self, worker_socket: int) -> None:
        """Be a worker, confined before it hears of a submission. Never returns."""
        with contextlib.suppress(BaseException):
            try:
                os.setsid()
                self.control.close()
                self.confinement.take(self.layers, self.scratch)
                settle(self.scratch)
                sys.path.insert(0, "")  # as in Jupyter; only here, where nothing but the scratch folder can change
                os.dup2(worker_socket, SOCKET)
                os.closerange(SOCKET + 1, os.sysconf("SC_OPEN_MAX"))
            except BaseException as error:
                os.write(worker_socket, json.dumps({"broken": f"{type(error).__name__}: {error}"}).encode() + b"\n")
                raise
            from ragteach.grading.worker import Pipe, serve

            serve(Pipe(SOCKET, os.dup(SOCKET)))
        os._exit(0)

    def end(self, pid: int, wait: float) -> dict:
        """End a worker with all its descendants and remove its scratch folder; tell how it ended."""
        killed = not ended_within(pid, wait)
        for kill in (os.kill, os.killpg):
            with contextlib.suppress(ProcessLookupError, PermissionError):
                kill(pid, signal.SIGKILL)
        _, status, used = os.wait4(pid, 0)
        if not self.place.namespaces:
            end_orphans()
        remove(self.scratch)
        return {"status": status, "cpu": used.ru_utime + used.ru_stime, "killed": killed}


def settle(folder: str) -> None:
    """Make a folder the home of this process."""
    os.environ.update(dict.fromkeys(HOMES, folder))
    os.environ["PWD"] = folder
    tempfile.tempdir = folder


def ended_within(pid: int, seconds: float) -> bool:
    """Wait for a child to end by itself; False where it has not after some seconds."""
    limit = time.monotonic() + seconds
    while os.waitid(os.P_PID, pid, os.WEXITED | os.WNOHANG | os.WNOWAIT) is None:
        if time.monotonic() >= limit:
            return False
        time.sleep(0.002)
    return True


def end_orphans() -> None:
    """Kill every other descendant: all have become children of this process."""
    for _ in range(1000):
        for pid in children():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.002)


def children() -> list[int]:
    """List the processes whose parent is this one."""
    found = []
    for name in filter(str.isdigit, os.listdir("/proc")):
        with contextlib.suppress(OSError), open(f"/proc/{name}/stat", "rb") as file:
            if int(file.read().rpartition(b")")[2].split()[1]) == os.getpid():
                found.append(int(name))
    return found


def load(names: Iterable[str]) -> None:
    """Load libraries that the next notebooks import, so that no worker has to."""
    new = [module for name in names for module in LIBRARIES[name] if module not in sys.modules]
    if not new:
        return
    for module in new:
        importlib.import_module(module)
    if "sklearn.feature_extraction.text" in new:  # which loads more of itself at first use
        from sklearn.feature_extraction.text import TfidfVectorizer

        TfidfVectorizer().fit_transform(["one two", "two three"])
    gc.collect()
    gc.freeze()  # a worker's garbage collection must not touch, and so copy, what all share


def start(order: dict) -> set[str]:
    """Enter namespaces, where that works; return the layers that this did."""
    wished = order["only"] is None or "namespaces" in order["only"]
    order["why"] = {}
    if not wished:
        order["why"]["namespaces"] = "not asked for"
    elif (why := attempt(lambda: enter_and_mount(order["folder"]))) is not None:
        order["why"]["namespaces"] = why
    else:
        namespaces.enter()
        if first := os.fork():  # the first process of the new namespaces serves; this one only ends with it
            end_with(first)
        kernel.die_with_parent()
        return {"namespaces"}
    kernel.adopt_orphans()
    return set()


def end_with(pid: int) -> None:
    """Wait for a child, and end as it did."""
    for descriptor in range(64):
        with contextlib.suppress(OSError):
            os.close(descriptor)
    _, status = os.waitpid(pid, 0)
    os._exit(os.waitstatus_to_exitcode(status) & 0xFF)


def main() -> None:
    """Run as a process."""
    control = socket.socket(fileno=int(sys.argv[1]))
    control.set_inheritable(False)
    order = json.loads(control.recv(PACKET))
    sys.argv = ["ipykernel_launcher.py"]
    order["user"] = identity.stranger(os.getpid()) if os.geteuid() == 0 else os.geteuid()
    layers = start(order)
    settle(order["folder"])
    sys.path.remove(os.getcwd())  # put there by -m; what is imported here is not confined
    os.chdir("/")
    if order["shell"]:
        from ragteach.grading import worker

        worker.prepare()
    wished = set(LAYERS if order["only"] is None else order["only"])
    server = Server(control, order, layers | wished - {"namespaces"})  # entered by now, or never
    missing = {**order.pop("why"), **server.confinement.missing()}
    missing.update(dict.fromkeys(set(LAYERS) - wished, "not asked for"))
    server.layers = wished - set(missing)
    hole = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(hole, descriptor)
    os.close(hole)
    gc.collect()
    gc.freeze()
    tell(control, {"ready": 1, "layers": [name for name in LAYERS if name in server.layers], "missing": missing})
    listen(server)


def listen(server: Server) -> None:
    """Do as told until the other side closes the socket."""
    pid = 0
    while True:
        data, descriptors, *_ = socket.recv_fds(server.control, PACKET, 1)
        if not data:
            break
        order = json.loads(data)
        try:
            if "fork" in order:
                load(order["fork"])
                pid = server.fork(descriptors[0])
                tell(server.control, {"forked": 1})
            else:
                answer, pid = server.end(pid, order["wait"]), 0
                tell(server.control, answer)
        except Exception as error:
            tell(server.control, {"broken": f"{type(error).__name__}: {error}"})
        for descriptor in descriptors:
            os.close(descriptor)
    if pid:
        server.end(pid, 0.0)


def tell(control: socket.socket, message: dict) -> None:
    """Send one packet."""
    control.send(json.dumps(message).encode())


if __name__ == "__main__":
    main()
