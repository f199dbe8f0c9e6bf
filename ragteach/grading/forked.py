"""The grader's end of the pipe to a worker that a fork server makes, and of the socket to that server (Linux)."""

from __future__ import annotations

import atexit
import contextlib
import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence

from ragteach.grading import transport
from ragteach.grading.forkserver import PACKET
from ragteach.grading.scratch import remove
from ragteach.grading.transport import (
    DYING_SECONDS,
    START_SECONDS,
    Gone,
    Late,
    WorkerBroken,
    how_it_ended,
    message_of,
    not_started,
)
from ragteach.grading.worker import MAX_LINE

SEND_SECONDS = 5.0  # for a worker to take a message, which is its first duty


class ForkServer:
    """A fork server: started once a grading process, it makes one worker after another.

    `layers` are those of the sandbox that every worker takes, `missing` maps the others to the reason why not;
    `only` names those to try (None: all). Without `shell` it starts faster, and can
    only be asked about its layers.
    Raises WorkerBroken where it does not start.
    """

    def __init__(self, bounds: Mapping[str, float], shell: bool = True, only: Sequence[str] | None = None) -> None:
        self.folder = tempfile.mkdtemp(prefix="ragteach-")
        os.chmod(self.folder, 0o711)  # a worker is another user, and its own folder lies in this one
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with theirs:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "ragteach.grading.forkserver", str(theirs.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.PIPE,
                cwd=self.folder,
                env=transport.environment(self.folder),
                pass_fds=[theirs.fileno()],
                start_new_session=True,
            )
        self.socket.settimeout(START_SECONDS)
        try:
            self.tell({"bounds": dict(bounds), "folder": self.folder, "only": only, "shell": shell})
            ready = self.hear()
            self.layers, self.missing = tuple(ready["layers"]), dict(ready["missing"])
        except (WorkerBroken, KeyError):
            broken = not_started(self.process)
            self.close()
            raise broken from None
        except BaseException:
            self.close()
            raise
        self.process.stderr.close()

    def tell(self, message: dict, *descriptors: int) -> None:
        """Send one order, and descriptors with it. Raises WorkerBroken where the server is gone."""
        try:
            socket.send_fds(self.socket, [json.dumps(message).encode()], descriptors)
        except OSError as error:
            raise WorkerBroken(f"the fork server does not listen: {error}") from None

    def hear(self) -> dict:
        """Receive one answer. Raises WorkerBroken where the server is gone, or says that it could not."""
        try:
            data = self.socket.recv(PACKET)
        except OSError as error:
            raise WorkerBroken(f"the fork server does not answer: {error}") from None
        answer = json.loads(data) if data else {"broken": "the fork server has ended"}
        if "broken" in answer:
            raise WorkerBroken(answer["broken"])
        return answer

    def fork(self, descriptor: int, libraries: Sequence[str]) -> None:
        """Make a worker that speaks over the socket of a descriptor and has libraries loaded."""
        self.tell({"fork": list(libraries)}, descriptor)
        self.hear()

    def end(self, wait: float) -> dict:
        """End the worker; tell how it ended, for which it has `wait` seconds if it has done so by itself."""
        self.tell({"wait": wait})
        return self.hear()

    def close(self) -> None:
        """End the server with its worker, and remove its folder."""
        self.socket.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.process.wait(2)
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        if self.process.stderr:
            self.process.stderr.close()
        remove(self.folder)


_servers: dict[str, ForkServer] = {}


def server(bounds: Mapping[str, float]) -> ForkServer:
    """Give this process's fork server for these bounds, made when first asked for."""
    key = json.dumps([dict(bounds), tempfile.gettempdir()])
    if key not in _servers:
        close_servers()
        _servers[key] = ForkServer(bounds)
    return _servers[key]


@atexit.register
def close_servers() -> None:
    """End this process's fork servers."""
    while _servers:
        _servers.popitem()[1].close()


class ForkedWorker:
    """One worker that a fork server has made; close() ends all that it started and removes its folder."""

    def __init__(self, bounds: Mapping[str, float], libraries: Sequence[str] = ()) -> None:
        self.cpu, self.stuck, self.gone = bounds["cpu"], False, False
        self.waiting = bytearray()
        self.server = server(bounds)
        self.socket, theirs = socket.socketpair()
        try:
            with theirs:
                self.server.fork(theirs.fileno(), libraries)
            answer = message_of(self.receive(time.monotonic() + START_SECONDS))
        except (WorkerBroken, Late, Gone) as error:
            close_servers()  # the next submission tries with a new one
            self.socket.close()
            raise WorkerBroken(f"the fork server makes no worker: {error}") from None
        if "broken" in answer:
            self.close()
            raise WorkerBroken(f"the worker cannot be confined: {answer['broken']}")

    def send(self, message: dict) -> None:
        """Hand over one line; a worker that does not take it is found late at the next receive."""
        try:
            self.socket.settimeout(SEND_SECONDS)
            self.socket.sendall(json.dumps(message).encode() + b"\n")
        except TimeoutError:
            self.stuck = True
        except OSError:
            pass  # it has ended, which receive() will see

    def receive(self, deadline: float) -> bytes:
        """Wait for one line until `deadline` (time.monotonic). Raises Late, or Gone."""
        if self.stuck:
            raise Late
        searched = 0
        while (end := self.waiting.find(b"\n", searched)) < 0:
            searched = len(self.waiting)
            if searched > MAX_LINE + 1000:
                raise Gone
            remaining = deadline - time.monotonic()
            if remaining <= 0:
                raise Late
            self.socket.settimeout(remaining)
            try:
                data = self.socket.recv(PACKET)
            except TimeoutError:
                raise Late from None
            except OSError:
                data = b""
            if not data:
                self.gone = True
                raise Gone
            self.waiting += data
        line = bytes(self.waiting[: end + 1])
        del self.waiting[: end + 1]
        return line

    def close(self) -> str:
        """End the worker with every process that it has started; tell how it had ended: crashed, timeout or memory."""
        self.socket.close()
        try:
            fate = self.server.end(DYING_SECONDS if self.gone else 0.0)
        except WorkerBroken:
            close_servers()
            return "crashed"
        if fate["killed"]:
            return "crashed"
        code = os.waitstatus_to_exitcode(fate["status"])
        if code == -signal.SIGKILL:  # neither by us nor by itself: the kernel, for one of two reasons
            return "timeout" if fate["cpu"] >= self.cpu - 0.5 else "memory"
        return how_it_ended(code)
