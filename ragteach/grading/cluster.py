"""Marking a class on a Dask cluster: the same work as jobs.py, on as many machines as there are.

Submissions travel in batches, since each task starts a grader of its own. A task whose machine is lost is run again
elsewhere by Dask; only the one that comes back counts. A batch whose grader died is tried again, one submission at a
time, so that one of them cannot cost the others their marks.
"""

from __future__ import annotations

import queue
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from typing import TYPE_CHECKING, Any

import ragteach
from ragteach.checking.exercise import Text
from ragteach.grading import cluster_words as words
from ragteach.grading.find import Found
from ragteach.grading.jobs import sandbox_report as report_here
from ragteach.grading.marking import Marked, grader_error, opened
from ragteach.grading.remote import Order, mark_in_a_process, packed
from ragteach.grading.settings import Settings
from ragteach.grading.submission import Notebook
from ragteach.language import BadValue

if TYPE_CHECKING:
    from distributed import Client

MOST = 100  # submissions a task: so many share what a grader needs to start, and are lost with a machine
TASKS = 4  # a thread, at least, so that no machine is idle while another works off a long one
AHEAD = 3  # tasks a thread that are handed out before they are needed: notebooks take memory
CONNECT_SECONDS = 20

Submission = tuple[Found, Notebook]


def mark_all(
    found: Sequence[Found], *, address: str, seed: int, timeout: float, settings: Settings
) -> Iterator[tuple[Found, Marked]]:
    """Mark submissions on a cluster and yield each with what came of it, in the order in which they are done.

    Ends early where the scheduler is lost: the others have no result then. Raises BadValue where there is no cluster.
    """
    with connected(address) as client:
        refused: list[tuple[Found, Marked]] = []
        sent: dict[Any, list[Submission]] = {}
        done: queue.SimpleQueue = queue.SimpleQueue()

        def send(batch: Sequence[Submission]) -> None:
            order = Order(tuple(batch), seed, timeout, settings)
            future = client.submit(mark_in_a_process, order, pure=False)  # two students may hand in the same
            sent[future] = list(batch)
            future.add_done_callback(done.put)

        threads = sum(client.nthreads().values())
        size = max(1, min(MOST, len(found) // (TASKS * threads)))
        todo = batches(readable(found, refused), size)
        try:
            for batch in islice(todo, AHEAD * threads):
                send(batch)
            while sent and (future := next_done(done, client)) is not None:
                batch = sent.pop(future)
                results = future.result() if future.status == "finished" else []
                yield from zip((one for one, _ in batch), results, strict=False)
                left = batch[len(results) :]
                if len(batch) > 1:
                    for submission in left:
                        send([submission])
                elif left:
                    yield left[0][0], grader_error(left[0][0], "the grading process on the cluster died")
                if batch := next(todo, None):
                    send(batch)
            yield from refused
        finally:
            with suppress(Exception):  # of a cluster that is gone
                client.cancel(list(sent))  # after Ctrl-C, those that wait are not begun


def readable(found: Sequence[Found], refused: list[tuple[Found, Marked]]) -> Iterator[Submission]:
    """Read notebooks, here, as they are wanted; those that cannot be read are put into `refused`."""
    for one in found:
        notebook = opened(one)
        if isinstance(notebook, Marked):
            refused.append((one, notebook))
        else:
            yield one, packed(notebook)


def next_done(done: queue.SimpleQueue, client: Client) -> Any:
    """Wait for a task to end, in whatever way; None where the cluster is lost."""
    while client.status in ("running", "connecting"):
        with suppress(queue.Empty):
            return done.get(timeout=1.0)
    return None


def sandbox_report(address: str, settings: Settings) -> Text:
    """Say what keeps submissions apart from the cluster's machines, and what does not.

    Raises BadValue where there is no cluster, a machine has another version, or a strict sandbox cannot be had on one.
    """
    with connected(address) as client:
        answers = client.run(about, settings, on_error="return")
    texts: dict[str, Text] = {}
    for machine, answer in answers.items():
        if isinstance(answer, Exception):
            raise BadValue(words.machine(machine, {lang: str(answer) for lang in ("fr", "en")}))
        version, text = answer
        if version != versions():
            raise BadValue(words.other_version(machine, version, versions()))
        if isinstance(text, BadValue):
            raise BadValue(words.machine(machine, text.text))
        texts[machine] = text
    kinds = {text["en"] for text in texts.values()}
    if len(kinds) == 1:
        return next(iter(texts.values()))
    return {lang: " ".join(words.machine(name, text)[lang] for name, text in texts.items()) for lang in ("fr", "en")}


def about(settings: Settings) -> tuple[str, Text | BadValue]:
    """Tell, on a machine of the cluster, its versions and what its sandbox enforces."""
    try:
        return versions(), report_here(settings)
    except BadValue as error:
        return versions(), error


def versions() -> str:
    """Give the versions of the package and of the course."""
    return f"{ragteach.__version__} ({ragteach.COURSE_VERSION})"


@contextmanager
def connected(address: str) -> Iterator[Client]:
    """Connect to a scheduler. Raises BadValue where Dask is missing, or nobody answers, or there is no worker."""
    try:
        from distributed import Client
    except ModuleNotFoundError:
        raise BadValue(words.NO_DASK) from None
    try:
        client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        raise BadValue(words.no_cluster(address, str(error))) from None
    with client:
        if not client.nthreads():
            raise BadValue(words.no_workers(address))
        yield client


def batches(items: Iterable, size: int) -> Iterator[list]:
    """Cut into lists of at most `size`."""
    rest = iter(items)
    while batch := list(islice(rest, size)):
        yield batch
