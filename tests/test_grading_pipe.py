"""Whatever a worker writes on the pipe, the grader reads it without harm, and nothing but right answers is a pass."""

import json
import os
import tracemalloc
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from ragteach import exercises
from ragteach.checking.call import Outcome
from ragteach.checking.plain import NotPlain, encode
from ragteach.grading import session
from ragteach.grading.outcomes import MAX_HELD, read_outcome, weight
from ragteach.grading.samples import MAX_KEPT, MOST_KEPT, Sample, hand_picked
from ragteach.grading.settings import Settings
from ragteach.grading.submission import Cell, Notebook
from ragteach.grading.transport import Gone, Late, message_of

SAMPLES = hand_picked("bm25.idf")
N_EXAMPLES = int(os.environ.get("RAGTEACH_FUZZ", "150"))
fuzzed = settings(max_examples=N_EXAMPLES, suppress_health_check=[HealthCheck.too_slow])  # of the machine

scalars = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20)
json_values = st.recursive(
    scalars | st.sampled_from(["<i8", "|O", "<f8", "value", "error", "AAAA", "bm25.idf"]),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.sampled_from("n kind value ask args array dtype shape tuple dict set done".split()), inner)
    ),
    max_leaves=12,
)
messages = st.fixed_dictionaries(
    {},
    optional={
        "n": st.integers(0, 3) | json_values,
        "kind": st.sampled_from(["value", "error", "timeout", "passed"]) | json_values,
        "value": json_values,
        "errors": st.lists(st.text(max_size=9), max_size=3) | json_values,
        "message": st.text(max_size=9) | json_values,
        "line": st.just("") | json_values,
        "printed": st.just("") | json_values,
        "done": st.integers(-1, 20) | json_values,
        "ask": st.sampled_from(["bm25.idf", "bm25.scores", 0, 1]) | json_values,
        "args": st.just({"tuple": [10, 2]}) | json_values,
        "kwargs": st.just({"dict": []}) | json_values,
    },
)
honest = st.builds(
    lambda n, outcome: {"n": n, **vars(outcome), "value": encode(outcome.value)},
    st.integers(1, 2),
    st.builds(Outcome, kind=st.sampled_from(["value", "error", "timeout"]), value=st.floats() | st.integers()),
)
lines = (messages | honest).map(lambda message: json.dumps(message).encode() + b"\n") | st.binary(max_size=60)


class Scripted:
    """A worker that says what it was told to say, then is silent for ever or gone."""

    def __init__(self, script, silent):
        self.script, self.silent = list(script), silent

    def send(self, message):
        json.dumps(message)

    def receive(self, deadline):
        if self.script:
            return self.script.pop(0)
        raise Late if self.silent else Gone

    def close(self):
        return "crashed"


@fuzzed
@given(st.binary(max_size=200) | lines)
def test_a_line_is_a_message_or_none(line):
    try:
        assert isinstance(message_of(line), dict)
    except Gone:
        pass


@pytest.mark.parametrize(
    "value", [{"dict": [[n, 0] for n in range(2001)]}, {"array": "", "dtype": "|b1", "shape": [10**9, 0]}, {"x": 1}]
)
def test_a_value_that_is_no_plain_data_is_an_outcome_that_says_so(value):
    assert read_outcome({"kind": "value", "value": value}).kind == "not_plain"


@pytest.mark.parametrize("value", ["[" * 50 + "]" * 50, "{}", '{"a":0}', "1e3", '"\\u0100a"', '{"set":[]}', '"aé𝄞"'])
def test_a_line_takes_no_more_memory_than_its_weight(value):
    line = f"[{','.join([value] * 1000)}]".encode()
    tracemalloc.start()
    try:
        read = json.loads(line)
        taken = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    assert len(read) == 1000 and taken <= 1.1 * weight(line)


def test_answers_that_are_kept_for_the_class_are_few_and_small():
    sample = Sample((1, 2), Outcome("value", 1.0), None)
    for n in range(2 * MOST_KEPT):
        sample.read(f'"value", "value": {[[n]] * 1500}}}\n'.encode())
    assert not sample.seen
    for n in range(2 * MOST_KEPT):
        sample.read(f'"value", "value": {n}}}\n'.encode())
    assert len(sample.seen) == MOST_KEPT and MAX_KEPT < MAX_HELD


@fuzzed
@given(messages)
def test_a_message_is_an_outcome_or_none(message):
    try:
        outcome = read_outcome(message)
        assert outcome.kind in ("value", "error", "timeout", "memory", "not_plain", "missing")
    except (Gone, NotPlain):
        pass


@fuzzed
@given(st.lists(lines, max_size=12), st.lists(lines, max_size=12), st.booleans())
def test_a_session_survives_whatever_workers_say(first, second, silent):
    workers = [Scripted(second, not silent), Scripted(first, silent)]
    notebook = Notebook((Cell("x", None),), None, "en")
    reference = exercises.get("bm25.idf").reference
    one = session.Session(notebook, {"bm25.idf": reference}, {"bm25.idf": "idf"}, 5.0, Settings())
    one.start = lambda: setattr(one, "_worker", one._worker or (workers.pop() if workers else Scripted([], False)))
    outcomes = one.ask("bm25.idf", {}, {"idf": "bm25.idf"}, SAMPLES, 4.0)
    assert outcomes and len(outcomes) <= len(SAMPLES)
    assert all(isinstance(outcome, Outcome) for outcome in outcomes)


def test_answers_of_many_megabytes_are_not_all_kept():
    large = "[" + ",".join(["[[[]]]"] * 15_000) + "]"  # 6 MB of lists in a line of 100 KB
    samples = [replace(one, seen={}, judged={}) for one in SAMPLES]
    said = [f'{{"n": {n}, "kind": "value", "value": {large}}}\n'.encode() for n in (1, 2) for _ in samples]
    said.insert(len(samples), json.dumps({"n": 1, "done": len(samples)}).encode() + b"\n")
    one = session.Session(Notebook((), None, "en"), {}, {"bm25.idf": "idf", "bm25.bim_weight": "w"}, 50.0, Settings())
    one._worker = Scripted([*said, json.dumps({"n": 2, "done": len(samples)}).encode() + b"\n"], False)
    one.start = lambda: None
    for exercise in one.entries:  # what one has taken is no loss to the next
        outcomes = one.ask(exercise, {}, {}, samples, 4.0)
        assert [outcome.kind for outcome in outcomes] == ["value"] + ["not_plain"] * (len(samples) - 1)


@fuzzed
@given(st.lists(lines, max_size=8))
def test_the_cells_of_a_notebook_survive_whatever_a_worker_says(said):
    notebook = Notebook(tuple(Cell(f"x = {n}", None) for n in range(3)), None, "en")
    one = session.Session(notebook, {}, {}, 5.0, Settings())
    one._run_cells(Scripted(said, False))
    assert set(one.skip) <= set(range(3)) and all(0 <= number < 3 for number, *_ in one.remarks)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"{}",
        b"[" * 100_000 + b"\n",
        b'{"n": ' + b"9" * 5000 + b"}\n",
        b'{"n": 1e999}\n',
        b"\xff\xfe{}\n",
        b'{"\\ud800": 1}\n',
        b"NaN\n",
    ],
    ids=["end", "torn", "deep", "long number", "infinite", "utf-16", "surrogate", "nan"],
)
def test_odd_lines_are_read_or_refused(line):
    try:
        assert isinstance(message_of(line), dict)
    except Gone:
        pass
