"""One submission under grading: its cells run in a worker, calls answered, the worker replaced when it dies."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping
from typing import Any

from ragteach.checking.call import Call, Outcome, direct
from ragteach.checking.exercise import Text
from ragteach.checking.plain import NotPlain, decode, encode
from ragteach.grading import words
from ragteach.grading.submission import Notebook
from ragteach.grading.transport import Gone, Late, Worker

CALL_SECONDS = 2.0
GRACE = 2.0  # after the worker's own time limit, which is kinder: the grader's kills
MAX_STARTS = 24
KINDS = ("value", "error", "timeout", "memory", "not_plain", "missing")
MAX_TEXT = 2_000
MAX_REMARKS = 6


class Session:
    """The transport of grading: `call(...)` makes a `Call` that asks the worker.

    A worker that a call has killed is replaced by a new one. A cell that kills it is left out at the next start.
    `lost` says why no call can be made any more (timeout or crashed), None as long as it can.
    """

    def __init__(
        self, notebook: Notebook, references: Mapping[str, Callable], entries: Mapping[str, str], timeout: float
    ):
        self.notebook, self.references, self.entries = notebook, references, entries
        self.cell_seconds = timeout / 6
        self.seconds_left = timeout  # that the notebook may still take; loading Python and our own work do not count
        self.skip: dict[int, str] = {}
        self.remarks: list[tuple[int, str, str]] = []
        self.lost: str | None = None
        self._worker: Worker | None = None
        self._starts = 0
        self._calls = 0

    def call(self, exercise: str, own: Mapping[str, str], ask: Mapping[str, str]) -> Call:
        """Make a Call of the reader's function for an exercise.

        `own` maps names to the exercises whose functions of the reader's the call may use, `ask` those that are
        to be asked back here.
        """

        def call(args: tuple) -> Outcome:
            self.start()
            if self.lost is not None:
                return Outcome(self.lost)
            outcome = self._exchange(exercise, args, own, ask)
            if outcome.kind == "missing":
                return Outcome(self._why_missing(exercise) or "missing", message=outcome.message)
            return outcome

        return call

    def close(self) -> None:
        """End the worker."""
        if self._worker is not None:
            self._worker.close()
            self._worker = None

    def texts(self) -> tuple[Text, ...]:
        """Tell what happened to the cells, in words."""
        remarks = {(number, kind, detail.rstrip(".")) for number, kind, detail in self.remarks}
        remarks |= {(number, kind, "") for number, kind in self.skip.items()}
        texts = [
            words.cell(kind, first_line(self.notebook.cells[number].source), detail)
            for number, kind, detail in sorted(remarks)
        ]
        if len(texts) > MAX_REMARKS:  # most follow from the first ones
            texts[MAX_REMARKS:] = [words.more_cells(len(texts) - MAX_REMARKS)]
        return tuple(texts)

    def start(self) -> None:
        """Have a worker that has run the cells, unless there is one or `lost` says why there can be none."""
        while self.lost is None:
            if self.seconds_left <= 0:
                self.lost = "timeout"
            elif self._worker is not None:
                return
            elif self._starts >= MAX_STARTS:
                self.lost = "crashed"
            else:
                self._starts += 1
                self._worker = Worker()
                self._run_cells(self._worker)

    def _run_cells(self, worker: Worker) -> None:
        cells = [
            {"source": cell.source, "exercise": cell.exercise, "entry": self.entries.get(cell.exercise or "")}
            for cell in self.notebook.cells
        ]
        worker.send({"cells": cells, "skip": list(self.skip), "seconds": self.cell_seconds, "lang": self.notebook.lang})
        running = -1
        try:
            while True:
                message = self._receive(worker, time.monotonic() + self.cell_seconds + GRACE)
                match message:
                    case {"cell": int(number)} if running < number < len(cells):
                        running = number
                    case {"ran": list(remarks)}:
                        self.remarks = [known for remark in remarks[:100] if (known := self._remark(remark))]
                        return
                    case _:
                        raise Gone
        except (Late, Gone) as error:
            self.close()
            if running >= 0:
                self.skip[running] = "timeout" if isinstance(error, Late) else "crashed"

    def _remark(self, remark: Any) -> tuple[int, str, str] | None:
        match remark:
            case [int(number), "error" | "shell" | "timeout" as kind, str(detail)] if (
                0 <= number < len(self.notebook.cells)
            ):
                return number, kind, detail[:MAX_TEXT]
        return None

    def _exchange(self, exercise: str, args: tuple, own: Mapping[str, str], ask: Mapping[str, str]) -> Outcome:
        self._calls += 1
        n, worker = self._calls, self._worker
        limit = time.monotonic() + CALL_SECONDS + GRACE
        job = {"n": n, "call": exercise, "entry": self.entries[exercise], "args": encode(args), "seconds": CALL_SECONDS}
        worker.send({**job, "own": dict(own), "ask": dict(ask)})
        try:
            while True:
                message = self._receive(worker, limit)
                if message.get("n") != n:
                    raise Gone
                if "ask" not in message:
                    outcome = read_outcome(message)
                    break
                if message["ask"] not in ask.values():  # only what this call needs and the reader has not found
                    raise Gone
                worker.send(self._reply(message))
        except Late:
            outcome = Outcome("timeout")
        except (Gone, NotPlain):
            outcome = Outcome("crashed")
        if outcome.kind in ("timeout", "crashed"):  # an interrupted worker may be out of step with us
            self.close()
        return outcome

    def _receive(self, worker: Worker, limit: float) -> dict:
        """Wait for the worker, until `limit` or as long as the submission's time lasts."""
        before = time.monotonic()
        if before > limit:  # a worker that asks and asks is late too
            raise Late
        try:
            return worker.receive(min(limit, before + self.seconds_left))
        finally:
            self.seconds_left -= time.monotonic() - before

    def _reply(self, message: dict) -> dict:
        """Answer a stand-in: what the reference makes of its arguments."""
        args, kwargs = decode(message.get("args")), decode(message.get("kwargs"))
        if not isinstance(args, tuple) or not isinstance(kwargs, dict):
            raise Gone
        reference = self.references[message["ask"]]
        outcome = direct(lambda args, kwargs: reference(*args, **kwargs), CALL_SECONDS)((args, kwargs))
        if outcome.kind == "value":
            return {"told": encode(outcome.value)}
        return {"raise": outcome.errors[0] if outcome.errors else "RuntimeError", "message": outcome.message}

    def _why_missing(self, exercise: str) -> str | None:
        """Tell whether a function is missing because the cell that should define it had to be left out."""
        kinds = [kind for number, kind in self.skip.items() if self.notebook.cells[number].exercise == exercise]
        return kinds[0] if kinds else None


def read_outcome(message: dict) -> Outcome:
    """Read an outcome that a worker sent, without trusting it. Raises Gone or NotPlain where it is none."""
    match message:
        case {
            "kind": str(kind),
            "value": value,
            "errors": list(errors),
            "message": str(text),
            "line": str(line),
            "printed": str(printed),
        } if kind in KINDS and all(isinstance(name, str) for name in errors):
            names = tuple(name[:100] for name in errors[:20])
            return Outcome(kind, decode(value), names, text[:MAX_TEXT], line[:MAX_TEXT], printed[:MAX_TEXT])
    raise Gone


def first_line(source: str) -> str:
    """Give the beginning of a cell, to recognise it by."""
    line = source.strip().splitlines()[0].strip()
    return line if len(line) <= 60 else line[:59] + "…"
