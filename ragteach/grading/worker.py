"""The process in which a submission runs: forked by forkserver.py, or `python -m ragteach.grading.worker`.

It speaks one JSON object a line over a pipe that it keeps to itself: prints of the notebook go nowhere. It is told to
run cells, then makes calls with plain data, and asks back for the functions that it has no right version of. It holds
no expected value, so nothing that runs here can tell a right answer from a wrong one: the other side compares.

from it  {"ready": 1}
to it    {"cells": [{"source", "exercise", "entry"}], "skip": [int], "seconds", "cpu", "lang"}
from it  {"cell": i} before each, then {"ran": [[i, kind, detail]]}
to it    {"n": i, "exercise": id, "entry": name, "calls": [data], "functions": [[position]], "seconds", "cpu",
          "printed", "budget", "least", "careful", "own": {name: id}, "ask": {name: id}}
from it  {"n": i, "ask": id or position, "args": data, "kwargs": data}, answered by {"told": data} or
         {"raise": name, "message"}
from it  {"n": i, "kind", "value"} for each call, and what else a checking.call.Outcome holds that is not empty
from it  {"n": i, "done": number of calls made}: fewer than asked where one was fatal or the budget is spent
"""

import builtins
import json
import os
import sys
import time
from collections.abc import Callable
from typing import Any

from IPython.core.interactiveshell import InteractiveShell
from numpy import empty

from ragteach.checking.call import Outcome, alarm_clock, once
from ragteach.checking.plain import NotPlain, class_name, decode, encode, plain
from ragteach.checking.run import FATAL
from ragteach.grading.namespace import Namespace
from ragteach.grading.sandbox.limits import limit
from ragteach.grading.shell import Remark, make_shell, run_cells
from ragteach.grading.standins import install

TOLD = ("errors", "message", "line", "printed", "changed")  # of an outcome, where there is any
KEPT_SECONDS = 0.05  # that an outcome may wait for the next ones
OUT_OF_MEMORY = 77  # the exit status of a worker that has no memory left to say so
ROOM = 10_000_000  # bytes that a cell has to leave to those after it
BUFFER = 65_536  # bytes: a batch of calls in one read
MAX_LINE = 1_000_000  # bytes that one answer may take


as_json = json.JSONEncoder().encode  # kept here: a notebook may patch the module
from_json = json.loads


class Pipe:
    """The private ends of the pipe to the grader."""

    def __init__(self, read: int, write: int) -> None:
        self.reader, self.writer = os.fdopen(read, "rb", BUFFER), os.fdopen(write, "wb", BUFFER)
        self.owner = os.getpid()

    def send(self, message: dict) -> None:
        """Write a message, and what was kept before it."""
        self.keep(as_line(message))
        self.flush()

    def keep(self, line: bytes) -> None:
        """Write a line later, together with the next; a process that the notebook has forked ends here."""
        if os.getpid() != self.owner:
            os._exit(0)
        self.writer.write(line)

    def flush(self) -> None:
        """Write what was kept."""
        self.writer.flush()

    def receive(self) -> dict:
        """Read one line; the process ends with the pipe."""
        line = self.reader.readline()
        if not line:
            os._exit(0)
        return from_json(line)


def as_line(message: dict) -> bytes:
    """Write a message as a line."""
    return as_json(message).encode() + b"\n"


_shell: list[tuple[InteractiveShell, list[Remark]]] = []


def prepare() -> tuple[InteractiveShell, list[Remark]]:
    """Make the shell once; a fork server does so before it forks."""
    if not _shell:
        remarks: list[Remark] = []
        _shell.append((make_shell(remarks), remarks))
        _shell[0][0].run_cell("None", store_history=False)  # IPython loads some of itself at the first cell
    return _shell[0]


def serve(pipe: Pipe) -> None:
    """Answer the grader until it closes the pipe."""
    shell, remarks = prepare()
    namespace = Namespace(shell.user_ns)
    pipe.send({"ready": 1})
    try:
        run_notebook(pipe, namespace, shell, remarks, pipe.receive())
        while True:
            answer(pipe, namespace, pipe.receive())
    except MemoryError:
        os._exit(OUT_OF_MEMORY)


def run_notebook(pipe: Pipe, namespace: Namespace, shell: InteractiveShell, remarks: list[Remark], job: dict) -> None:
    """Run the cells, and note what each defines."""
    install(namespace.check, job["lang"])
    cells = job["cells"]

    def after(number: int) -> None:
        empty(ROOM, bool)  # a cell that keeps all memory ends here, so that it is left out, not those after it
        if cells[number]["exercise"]:
            namespace.after_cell(cells[number]["exercise"], cells[number]["entry"])

    sources = [cell["source"] for cell in cells]
    limits = job["seconds"], job["cpu"]
    run_cells(shell, sources, job["skip"], limits, lambda i: pipe.send({"cell": i}), after, remarks)
    namespace.after_notebook()
    pipe.send({"ran": remarks})


def answer(pipe: Pipe, namespace: Namespace, job: dict) -> None:
    """Make some calls of one function and send their outcomes: each at once if `careful`, else many together."""
    start = sent = time.monotonic()
    done = 0
    stand_ins = {name: ask_back(pipe, job["n"], id, {}) for name, id in job["ask"].items()}
    with alarm_clock():
        for data, functions in zip(job["calls"], job["functions"], strict=True):
            if done >= job["least"] and time.monotonic() - start > job["budget"]:
                break
            function = namespace.prepare(job["exercise"], job["entry"], job["own"], stand_ins)
            if callable(function):
                args = list(decode(data))
                for position in functions:
                    args[position] = ask_back(pipe, job["n"], position)
                outcome = once(function, tuple(args), job["seconds"], job["printed"], job["cpu"], job["watch"])
            else:
                outcome = Outcome("missing", message="" if function is None else class_name(type(function)))
            done += 1
            pipe.keep(line_of(job["n"], outcome))
            if job["careful"] or time.monotonic() - sent > KEPT_SECONDS:
                pipe.flush()
                sent = time.monotonic()
            if outcome.kind in FATAL:
                break
    pipe.send({"n": job["n"], "done": done})


def line_of(n: int, outcome: Outcome) -> bytes:
    """Put an outcome into a line of bounded size."""
    try:
        told = {name: text for name in TOLD if (text := getattr(outcome, name))}
        line = as_line({"n": n, "kind": outcome.kind, "value": encode(outcome.value), **told})
        if len(line) > MAX_LINE:
            raise NotPlain("a result of over a megabyte")
        return line
    except (NotPlain, ValueError, RecursionError) as error:
        return as_line({"n": n, "kind": "not_plain", "message": str(error)})


def ask_back(pipe: Pipe, n: int, what: str | int, known: dict[str, dict] | None = None) -> Callable:
    """Make a function that has the grader answer.

    It stands for an exercise whose answer the reader has not found (whose answers it keeps in `known`), or for a
    function among the arguments, named by its position.
    """

    def stand_in(*args: Any, **kwargs: Any) -> Any:
        question = {"ask": what, "args": encode(plain(args)), "kwargs": encode(plain(kwargs))}
        key = json.dumps(question)
        reply = None if known is None else known.get(key)
        if reply is None:
            pipe.send({"n": n, **question})
            reply = pipe.receive()
        if known is not None:
            known[key] = reply
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


def main() -> None:
    """Run as a process of its own."""
    bounds = json.loads(sys.argv[1])
    pipe = Pipe(*keep_pipe())
    sys.argv = ["ipykernel_launcher.py"]
    prepare()
    limit(bounds["cpu"], bounds["memory"], None, bounds["file_size"])
    serve(pipe)


if __name__ == "__main__":
    main()
