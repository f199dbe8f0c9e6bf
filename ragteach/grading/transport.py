"""The grader's end of the pipe to a worker process that is started for it: on every system, without a fork server."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import signal
import site
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Mapping
from pathlib import Path
from typing import IO

from ragteach.grading.scratch import HOMES, remove
from ragteach.grading.worker import MAX_LINE, OUT_OF_MEMORY

START_SECONDS = 60.0  # for Python and IPython to load on a slow disk
DYING_SECONDS = 0.2
MAX_WAITING = 4  # lines kept before the worker must wait: bounds what a flood takes
KEPT = "PATH SYSTEMROOT WINDIR LD_LIBRARY_PATH DYLD_LIBRARY_PATH LANG LC_ALL TZ VIRTUAL_ENV CONDA_PREFIX".split()


class Late(Exception):
    """The worker has not answered in time."""


class Gone(Exception):
    """The worker has died, or has said what no worker says."""


class WorkerBroken(Exception):
    """The worker could not even start: the grader's own trouble, not the submission's."""


def message_of(line: bytes) -> dict:
    """Read one line of a worker's without trusting it. Raises Gone where it is no message."""
    if not line.endswith(b"\n"):
        raise Gone
    try:
        message = json.loads(line)
    except (ValueError, RecursionError):
        raise Gone from None
    if not isinstance(message, dict):
        raise Gone
    return message


class SpawnedWorker:
    """One worker process in a scratch folder of its own; close() ends all that it started and removes the folder."""

    def __init__(self, bounds: Mapping[str, float]) -> None:
        self.scratch = tempfile.mkdtemp(prefix="ragteach-")
        own_group = (
            {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP} if os.name == "nt" else {"start_new_session": True}
        )
        self.process = subprocess.Popen(
            [sys.executable, "-m", "ragteach.grading.worker", json.dumps(dict(bounds))],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=self.scratch,
            env=environment(self.scratch),
            **own_group,
        )
        self.closed, self.gone = False, False
        self.inbox: queue.Queue[bytes] = queue.Queue(MAX_WAITING)
        self.outbox: queue.Queue[bytes | None] = queue.Queue()
        # Threads, because a pipe has no time limit of its own on every system: reading or writing to a worker
        # that sulks must not stop the grader.
        threading.Thread(target=self._read, args=(self.process.stdout,), daemon=True).start()
        threading.Thread(target=self._write, args=(self.process.stdin,), daemon=True).start()
        try:
            message_of(self.receive(time.monotonic() + START_SECONDS))
        except (Late, Gone):
            broken = not_started(self.process)
            self.close()
            raise broken from None
        except BaseException:
            self.close()
            raise
        self.process.stderr.close()  # a worker that is ready has let go of its end

    def send(self, message: dict) -> None:
        """Hand over one line; never waits."""
        self.outbox.put(json.dumps(message).encode() + b"\n")

    def receive(self, deadline: float) -> bytes:
        """Wait for one line until `deadline` (time.monotonic). Raises Late, or Gone."""
        try:
            line = self.inbox.get(timeout=max(0.0, deadline - time.monotonic()))
        except queue.Empty:
            raise Late from None
        if not line:
            self.gone = True
            raise Gone
        return line

    def close(self) -> str:
        """Kill the worker with every process of its group and remove its folder; tell how it had ended."""
        status = None
        with contextlib.suppress(subprocess.TimeoutExpired):  # one that has closed its pipe is about to end
            status = self.process.wait(DYING_SECONDS if self.gone else 0)
        if os.name == "nt":
            subprocess.run(["taskkill", "/F", "/T", "/PID", str(self.process.pid)], capture_output=True, check=False)
        else:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self.process.pid, signal.SIGKILL)
        self.process.kill()
        self.process.wait()
        self.closed = True
        self.outbox.put(None)
        remove(self.scratch)
        return how_it_ended(status)

    def _read(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), stream:
            while not self.closed:
                self._put(line := stream.readline(MAX_LINE + 1000))
                if not line:  # the end of the pipe, which receive() must see too
                    return

    def _write(self, stream: IO[bytes]) -> None:
        with contextlib.suppress(OSError, ValueError), stream:
            while (line := self.outbox.get()) is not None:
                stream.write(line)
                stream.flush()

    def _put(self, line: bytes) -> None:
        while not self.closed:
            with contextlib.suppress(queue.Full):
                return self.inbox.put(line, timeout=0.2)


def not_started(process: subprocess.Popen) -> WorkerBroken:
    """Kill a process that has not started well, and make the error that tells what it last said."""
    process.kill()
    why = process.stderr.read().decode(errors="replace").strip().splitlines()
    return WorkerBroken(f"the worker process does not start: {why[-1] if why else 'no message'}")


def how_it_ended(code: int | None) -> str:
    """Tell by its exit code (negative: a signal's number) how a worker ended: crashed, timeout or memory."""
    if code == OUT_OF_MEMORY:
        return "memory"
    stopped = code is not None and code < 0 and -code == getattr(signal, "SIGXCPU", 0)
    return "timeout" if stopped else "crashed"


def environment(scratch: str) -> dict[str, str]:
    """Make the worker's environment: what Python needs, and nothing of the teacher's."""
    root = str(Path(__file__).resolve().parents[2])
    threads = "OMP_NUM_THREADS OPENBLAS_NUM_THREADS MKL_NUM_THREADS".split()
    return {
        **{name: os.environ[name] for name in KEPT if name in os.environ},
        **dict.fromkeys(HOMES, scratch),
        **dict.fromkeys(threads, "1"),
        "PYTHONPATH": root,
        "PYTHONUSERBASE": site.getuserbase(),
        "PYTHONHASHSEED": "0",  # a set's order must not change a mark from one grading to the next
        "PYTHONUTF8": "1",
        "MPLBACKEND": "agg",
        "RAGTEACH_STATIC": "1",
    }
