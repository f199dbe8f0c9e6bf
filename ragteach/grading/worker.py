"""The process in which a submission runs: `python -m ragteach.grading.worker`, started by transport.py.

It speaks one JSON object a line over its first stdin and stdout, which it keeps to itself: prints of the notebook
go nowhere. It is told to run cells, then answers calls with plain data, and asks back for the functions that it
has no right version of. It holds no expected value, so nothing that runs here can tell a right answer from a
wrong one: the other side compares. `serve` is all that a forked worker will need.

to it    {"cells": [{"source", "exercise", "entry"}], "skip": [int], "seconds": s, "lang": l}
from it  {"cell": i} before each, then {"ran": [[i, kind, detail]]}
to it    {"n": i, "call": id, "entry": name, "args": data, "seconds": s, "own": {name: id}, "ask": {name: id}}
from it  {"n": i, "ask": id, "args": data, "kwargs": data}, answered by {"told": data} or {"raise": name, "message"}
from it  {"n": i, "kind", "value", "errors", "message", "line", "printed"}: a ragteach.checking.call.Outcome
"""

import builtins
import contextlib
import json
import os
import sys
from collections.abc import Callable
from typing import Any

from ragteach.checking.call import Outcome, direct
from ragteach.checking.plain import NotPlain, decode, encode, plain
from ragteach.grading.namespace import Namespace
from ragteach.grading.shell import make_shell, run_cells
from ragteach.grading.standins import install

MAX_LINE = 1_000_000  # bytes that one answer may take
MAX_MEMORY = 4 << 30
MAX_FILE = 100 << 20


class Pipe:
    """The private ends of the pipe to the grader."""

    def __init__(self, read: int, write: int) -> None:
        self.reader, self.writer = os.fdopen(read, "rb"), os.fdopen(write, "wb")
        self.dumps, self.loads = json.dumps, json.loads

    def send(self, message: dict) -> None:
        """Write one line."""
        self.writer.write(self.dumps(message).encode() + b"\n")
        self.writer.flush()

    def receive(self) -> dict:
        """Read one line; the process ends with the pipe."""
        line = self.reader.readline()
        if not line:
            os._exit(0)
        return self.loads(line)


def serve(pipe: Pipe) -> None:
    """Answer the grader until it closes the pipe."""
    remarks: list = []
    shell = make_shell(remarks)
    namespace = Namespace(shell.user_ns)
    pipe.send({"ready": 1})
    job = pipe.receive()
    install(namespace.check, job["lang"])
    cells = job["cells"]

    def after(number: int) -> None:
        if cells[number]["exercise"]:
            namespace.after_cell(cells[number]["exercise"], cells[number]["entry"])

    sources = [cell["source"] for cell in cells]
    run_cells(shell, sources, job["skip"], job["seconds"], lambda i: pipe.send({"cell": i}), after, remarks)
    namespace.after_notebook()
    pipe.send({"ran": remarks})
    while True:
        answer(pipe, namespace, pipe.receive())


def answer(pipe: Pipe, namespace: Namespace, job: dict) -> None:
    """Make one call and send its outcome."""
    stand_ins = {name: ask_back(pipe, job["n"], id) for name, id in job["ask"].items()}
    function = namespace.prepare(job["call"], job["entry"], job["own"], stand_ins)
    if callable(function):
        outcome = direct(function, job["seconds"])(decode(job["args"]))
    else:
        outcome = Outcome("missing", message="" if function is None else type(function).__name__)
    try:
        line = {"n": job["n"], **vars(outcome), "value": encode(outcome.value)}
        if len(json.dumps(line)) > MAX_LINE:
            raise NotPlain("a result of over a megabyte")
    except (NotPlain, ValueError, RecursionError) as error:
        line = {"n": job["n"], **vars(Outcome("not_plain", message=str(error)))}
    pipe.send(line)


def ask_back(pipe: Pipe, n: int, exercise: str) -> Callable:
    """Make a function that has the grader answer: it stands for an exercise whose answer the reader has not found."""

    def stand_in(*args: Any, **kwargs: Any) -> Any:
        pipe.send({"n": n, "ask": exercise, "args": encode(plain(args)), "kwargs": encode(plain(kwargs))})
        reply = pipe.receive()
        if "told" in reply:
            return decode(reply["told"])
        error = getattr(builtins, reply["raise"], RuntimeError)
        raise error(reply["message"])

    return stand_in


def keep_pipe() -> tuple[int, int]:
    """Move stdin and stdout to private descriptors, and leave nothing behind that a notebook could read or write."""
    private = os.dup(0), os.dup(1)
    hole = os.open(os.devnull, os.O_RDWR)
    for descriptor in range(3):
        os.dup2(hole, descriptor)
    os.close(hole)
    return private


def limit() -> None:
    """Bound memory and file size where the system can (POSIX; macOS does not bound memory)."""
    with contextlib.suppress(ImportError):
        import resource

        for what, most in (
            (resource.RLIMIT_AS, MAX_MEMORY),
            (resource.RLIMIT_FSIZE, MAX_FILE),
            (resource.RLIMIT_CORE, 0),
        ):
            with contextlib.suppress(ValueError, OSError):
                resource.setrlimit(what, (most, most))


def main() -> None:
    """Run as a process."""
    pipe = Pipe(*keep_pipe())
    limit()
    sys.argv = ["ipykernel_launcher.py"]
    serve(pipe)


if __name__ == "__main__":
    main()
