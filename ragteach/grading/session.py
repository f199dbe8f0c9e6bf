"""One submission under grading: its cells run in a worker, calls answered, the worker replaced when it dies."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import Any

from ragteach.checking.call import Outcome, direct
from ragteach.checking.exercise import Text
from ragteach.checking.plain import NotPlain, decode, encode
from ragteach.checking.run import FATAL
from ragteach.grading import words
from ragteach.grading.cells import names_defined
from ragteach.grading.outcomes import MAX_HELD, MAX_TEXT, weight
from ragteach.grading.remarks import UNDEFINED
from ragteach.grading.samples import Sample
from ragteach.grading.sandbox.limits import bounded_memory
from ragteach.grading.settings import Settings
from ragteach.grading.submission import Notebook
from ragteach.grading.transport import Gone, Late, message_of
from ragteach.grading.workers import Worker, libraries_of, new_worker

GRACE = 2.0  # after the worker's own time limit, which is kinder: the grader's kills
MAX_STARTS = 24
MAX_OUT_OF_MEMORY = 3  # each may bring the machine to its knees
MAX_QUESTION = 100_000  # bytes of what a stand-in asks; the largest honest question takes a quarter
MAX_ANSWERING = 300_000_000  # bytes for the answer to it
MAX_REMARKS = 6


class Session:
    """The transport of grading: `ask(...)` has the worker make calls.

    A worker that a call has killed is replaced by a new one. A cell that kills it is left out at the next start.
    `lost` says why no call can be made any more (timeout, memory or crashed), None as long as it can.
    """

    def __init__(
        self,
        notebook: Notebook,
        references: Mapping[str, Callable],
        entries: Mapping[str, str],
        timeout: float,
        settings: Settings,
    ):
        self.notebook, self.references, self.entries = notebook, references, entries
        self.timeout, self.settings = timeout, settings
        self.cell_seconds = min(timeout / 6, settings.cell_seconds)
        self.seconds_left = timeout  # that the notebook may still take; loading Python does not count, nor comparing
        self._end = 0.0  # when that is over, while it runs
        self.libraries = libraries_of(cell.source for cell in notebook.cells)
        self.skip: dict[int, str] = {}
        self.remarks: list[tuple[int, str, str]] = []
        self.lost: str | None = None
        self._worker: Worker | None = None
        self._starts = 0
        self._out_of_memory = 0
        self._batches = 0
        self._held: Counter[str] = Counter()  # weight of the answers to each exercise

    def ask(
        self,
        exercise: str,
        own: Mapping[str, str],
        ask: Mapping[str, str],
        samples: Sequence[Sample],
        budget: float,
        least: int = 1,
    ) -> list[Outcome]:
        """Have the reader's function called with each sample's arguments; return the outcomes, in order.

        There are fewer outcomes than samples where one is fatal (it is the last one), or where the calls have
        taken more than `budget` seconds, but never fewer than `least` for that. `own` maps names to the
        exercises whose functions of the reader's the calls may use, `ask` those that are to be asked back here.
        """
        self.start()
        if self.lost is not None:
            return [Outcome(self.lost)]
        with self._counted():
            outcomes, whole = self._exchange(exercise, samples, budget, least, own, ask, careful=False)
        if not whole:  # the worker died with outcomes that it had not sent yet: find the call that killed it
            self.start()
            if self.lost is not None:
                return [*outcomes, Outcome(self.lost)]
            rest, still = samples[len(outcomes) :], max(least - len(outcomes), 1)
            with self._counted():
                more, _ = self._exchange(exercise, rest, budget, still, own, ask, careful=True)
            outcomes += more
        if outcomes and outcomes[-1].kind == "missing":
            outcomes[-1] = self._why_missing(exercise) or outcomes[-1]
        return outcomes

    def close(self) -> str:
        """End the worker; tell how it had ended (crashed, timeout or memory) where it was not asked to."""
        worker, self._worker = self._worker, None
        fate = worker.close() if worker is not None else "crashed"
        self._out_of_memory += fate == "memory"
        return fate

    def texts(self) -> tuple[Text, ...]:
        """Tell what happened to the cells, in words."""
        remarks = {(number, kind, detail.rstrip(".")) for number, kind, detail in self.remarks}
        remarks |= {(number, kind, "") for number, kind in self.skip.items()}
        texts = [
            words.cell(kind, first_line(self.notebook.cells[number].source), detail)
            for number, kind, detail in sorted(remarks)
            if not self._only_follows(number, detail, remarks)
        ]
        if len(texts) > MAX_REMARKS:  # most follow from the first ones
            texts[MAX_REMARKS:] = [words.more_cells(len(texts) - MAX_REMARKS)]
        return tuple(texts)

    def _only_follows(self, number: int, detail: str, remarks: Set[tuple[int, str, str]]) -> bool:
        """Tell whether a cell lacks a function of the course, no more, whose own cell has a remark that says why."""
        lacking = UNDEFINED.search(detail)
        ids = [id for id, entry in self.entries.items() if lacking and entry == lacking[1]]
        earlier = [other for other, kind, _ in remarks if other < number and kind != "shell"]
        return any(self._defines(other, id) for id in ids for other in earlier)

    def start(self) -> None:
        """Have a worker that has run the cells, unless there is one or `lost` says why there can be none."""
        while self.lost is None:
            if self.seconds_left <= 0:
                self.lost = "timeout"
            elif self._worker is not None:
                return
            elif self._out_of_memory >= MAX_OUT_OF_MEMORY:
                self.lost = "memory"
            elif self._starts >= MAX_STARTS:
                self.lost = "crashed"
            else:
                self._starts += 1
                self._worker = new_worker(self.settings, self.timeout, self.libraries)
                with self._counted():
                    self._run_cells(self._worker)

    def _run_cells(self, worker: Worker) -> None:
        cells = [
            {"source": cell.source, "exercise": cell.exercise, "entry": self.entries.get(cell.exercise or "")}
            for cell in self.notebook.cells
        ]
        limits = {"seconds": self.cell_seconds, "cpu": min(self.cell_seconds, self.settings.cell_cpu)}
        worker.send({"cells": cells, "skip": list(self.skip), **limits, "lang": self.notebook.lang or "en"})
        running = -1
        try:
            while True:
                line = self._receive(worker, time.monotonic() + self.cell_seconds + GRACE)
                match message_of(line):
                    case {"cell": int(number)} if running < number < len(cells):
                        running = number
                    case {"ran": list(remarks)}:
                        self.remarks = [known for remark in remarks[:100] if (known := self._remark(remark))]
                        return
                    case _:
                        raise Gone
        except (Late, Gone) as error:
            fate = self.close()
            if running >= 0:
                self.skip[running] = "timeout" if isinstance(error, Late) else fate

    def _remark(self, remark: Any) -> tuple[int, str, str] | None:
        match remark:
            case [int(number), "error" | "shell" | "timeout" | "memory" as kind, str(detail)] if (
                0 <= number < len(self.notebook.cells)
            ):
                return number, kind, detail[:MAX_TEXT]
        return None

    def _exchange(
        self,
        exercise: str,
        samples: Sequence[Sample],
        budget: float,
        least: int,
        own: Mapping[str, str],
        ask: Mapping[str, str],
        careful: bool,
    ) -> tuple[list[Outcome], bool]:
        """Send one batch of calls; return the outcomes, and whether they are all that can be known.

        A worker that is not `careful` sends them together: when it dies, it takes some along.
        """
        self._batches += 1
        n, worker, seconds = self._batches, self._worker, self.settings.call_seconds
        head = f'{{"n": {n}, "kind": '.encode()
        limits = {"seconds": seconds, "cpu": self.settings.call_cpu, "printed": self.settings.printed}
        calls = {"calls": [one.encoded for one in samples], "functions": [list(one.functions) for one in samples]}
        watch = any(one.watch for one in samples)
        job = {"n": n, "exercise": exercise, "entry": self.entries[exercise], "watch": watch, **calls, **limits}
        how = {"budget": budget, "least": least, "careful": careful, "own": dict(own), "ask": dict(ask)}
        worker.send({**job, **how})
        outcomes: list[Outcome] = []
        start = began = time.monotonic()
        try:
            while True:
                line = self._receive(worker, began + seconds + GRACE)
                if line.startswith(head) and len(outcomes) < len(samples):
                    outcomes.append(self._read(exercise, samples[len(outcomes)], line[len(head) :]))
                    began = time.monotonic()
                    continue
                match message := message_of(line):
                    case {"n": number} if number != n:
                        raise Gone
                    case {"done": int(done)}:
                        late = time.monotonic() - start >= budget
                        fatal = bool(outcomes) and outcomes[-1].kind in FATAL
                        enough = late and done >= least
                        if done != len(outcomes) or not (done == len(samples) or enough or fatal):
                            raise Gone
                        return outcomes, True
                    case {"ask": what} if len(outcomes) < len(samples) and len(line) <= MAX_QUESTION:
                        worker.send(self._reply(message, self._asked(what, ask, samples[len(outcomes)])))
                    case _:
                        raise Gone
        except Late:
            self.close()
            kind = "timeout"
        except (Gone, NotPlain):
            kind = self.close()
        if not careful and len(samples) > 1:
            return outcomes, False
        return [*outcomes, Outcome(kind)][: len(samples)], True

    def _read(self, exercise: str, sample: Sample, line: bytes) -> Outcome:
        """Read an answer, as long as all those to an exercise take little memory."""
        self._held[exercise] += weight(line)
        return sample.read(line) if self._held[exercise] <= MAX_HELD else Outcome("not_plain", message="too much data")

    def _asked(self, what: Any, ask: Mapping[str, str], sample: Sample) -> Callable:
        """Find the function that a stand-in asks for: only what this call needs and the reader has not found."""
        if isinstance(what, str) and what in ask.values():
            return self.references[what]
        if type(what) is int and what in sample.functions:
            return sample.args[what]
        raise Gone

    def _receive(self, worker: Worker, limit: float) -> bytes:
        """Wait for the worker, until `limit` or as long as the submission's time lasts."""
        limit = min(limit, self._end)
        if time.monotonic() > limit:  # a worker that asks and asks is late too
            raise Late
        return worker.receive(limit)

    @contextmanager
    def _counted(self) -> Iterator[None]:
        """Count what is done here against the submission's time, reading what it answers and answering it included."""
        self._end = time.monotonic() + self.seconds_left
        try:
            yield
        finally:
            self.seconds_left = self._end - time.monotonic()

    def _reply(self, message: dict, function: Callable) -> dict:
        """Answer a stand-in: what the function makes of its arguments."""
        args, kwargs = decode(message.get("args")), decode(message.get("kwargs"))
        if not isinstance(args, tuple) or not isinstance(kwargs, dict):
            raise Gone
        seconds = self.settings.call_seconds
        try:  # a submission chooses the arguments, and this process has no sandbox
            with bounded_memory(MAX_ANSWERING):
                outcome = direct(lambda args, kwargs: function(*args, **kwargs), seconds)((args, kwargs))
                if outcome.kind == "value":
                    return {"told": encode(outcome.value)}
        except MemoryError:
            return {"raise": "MemoryError", "message": ""}
        return {"raise": outcome.errors[0] if outcome.errors else "RuntimeError", "message": outcome.message}

    def _why_missing(self, exercise: str) -> Outcome | None:
        """Tell what stopped the cell that should define a function: an error, or it was too much for the worker."""
        stopped = [remark for remark in self.remarks if remark[1] in ("error", "timeout", "memory")]
        stopped += [(number, kind, "") for number, kind in self.skip.items()]
        own = [(kind, detail) for number, kind, detail in stopped if self._defines(number, exercise)]
        if not own:
            return None
        kind, detail = own[-1]
        error, _, message = detail.partition(": ")
        return Outcome("missing", errors=(error,), message=message.rstrip(".")) if kind == "error" else Outcome(kind)

    def _defines(self, number: int, exercise: str) -> bool:
        """Tell whether a cell is an exercise's own, or one for several functions with this one among them."""
        cell = self.notebook.cells[number]
        return cell.exercise == exercise or (not cell.exercise and self.entries[exercise] in names_defined(cell.source))


def first_line(source: str) -> str:
    """Give the beginning of a cell, to recognise it by."""
    line = source.strip().splitlines()[0].strip()
    return line if len(line) <= 60 else line[:59] + "…"
