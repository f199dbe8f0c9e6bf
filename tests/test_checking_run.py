"""Running an exercise: verdicts, the smallest counterexample, the diagnosis, and how they are told."""

import math
import sys
import threading
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import strategies as st

from ragteach.checking import Example, Exercise, Misconception, Result, as_html, as_text, run, run_call
from ragteach.checking.call import Outcome
from ragteach.checking.tell import about, call_text, show


def text(words):
    return {"fr": f"{words} en français", "en": f"{words} in English"}


def half(n):
    """Half of a whole number that is not negative, rounded down."""
    if n < 0:
        raise ValueError(f"n must not be negative, and it is {n}.")
    return n // 2


EXERCISE = Exercise(
    id="demo.half",
    chapter="00_demo",
    entry="half",
    title=text("Halve"),
    points=2,
    importance=1,
    minutes=5,
    reference=half,
    examples=(
        Example((10,), text("an even number")),
        Example((7,), text("an odd number")),
        Example((-1,), text("a negative number is refused")),
    ),
    inputs=lambda: st.tuples(st.integers(0, 1000)),
    misconceptions=(
        Misconception("rounds_up", lambda n: (n + 1) // 2, text("You round <up>.")),
        Misconception("true_division", lambda n: n / 2, text("You keep the half.")),
    ),
    hints=(text("First <hint>"), text("Second hint")),
)


def wrong_from_20_on(n):
    return half(n) if n < 20 else 0


def test_the_reference_passes_and_earns_its_points():
    result = run(EXERCISE, half)
    assert (result.passed, result.verdict, result.points) == (True, "passed", 2)
    assert result.n_cases == result.n_passed > len(EXERCISE.examples)
    assert result.counterexample is None


@pytest.mark.parametrize("seed", range(5))
def test_misconceptions_fail_and_are_named(seed):
    for misconception in EXERCISE.misconceptions:
        result = run(EXERCISE, misconception.function, seed)
        assert (result.verdict, result.points, result.diagnosis) == ("failed", 0, misconception.id)


def test_an_unknown_mistake_has_no_diagnosis_but_the_smallest_counterexample():
    result = run(EXERCISE, wrong_from_20_on)
    assert result.diagnosis is None
    assert result.counterexample.args == (20,)
    assert result.counterexample.difference.expected == 10


def test_a_missing_refusal_is_told_only_when_nothing_else_is_wrong():
    result = run(EXERCISE, lambda n: n // 2)
    assert result.verdict == "failed"
    assert result.counterexample.args == (-1,)
    assert "ValueError" in as_text(EXERCISE, result, "en")
    assert run(EXERCISE, lambda n: (n + 1) // 2).counterexample.args != (-1,)


def test_refusing_by_another_error_is_not_enough():
    def refuses_otherwise(n):
        if n < 0:
            raise TypeError("no")
        return n // 2

    result = run(EXERCISE, refuses_otherwise)
    assert result.verdict == "failed"
    assert "TypeError: no" in as_text(EXERCISE, result, "fr")


def test_a_subclass_of_value_error_refuses_too():
    class BadNumber(ValueError):
        pass

    def refuses(n):
        if n < 0:
            raise BadNumber
        return n // 2

    assert run(EXERCISE, refuses).passed


def blank(n):
    raise NotImplementedError


def endless(n):
    while True:
        pass


@pytest.mark.parametrize(
    ("function", "verdict"),
    [
        (blank, "not_attempted"),
        (endless, "timeout"),
        (lambda n: 1 / 0, "error"),
        (lambda: 0, "error"),
        (lambda n: None, "failed"),
        (lambda n: float("nan"), "failed"),
        (lambda n: "half", "failed"),
        (lambda n: object(), "failed"),
        (lambda n: np.array([1, 2]), "failed"),
        (lambda n: 10**100_000, "failed"),
        (lambda n: [10**100_000], "failed"),
        (lambda n: print("a long story " * 1000), "failed"),
        (42, "missing"),
        (None, "missing"),
    ],
)
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_whatever_the_function_does_there_is_a_verdict_in_words(function, verdict, lang):
    result = run(EXERCISE, function)
    assert (result.verdict, result.points) == (verdict, 0)
    for told in (as_text(EXERCISE, result, lang), as_html(EXERCISE, result, lang)):
        assert EXERCISE.title[lang] in told
        assert "Traceback" not in told and "ragteach/checking" not in told
        assert len(told) < 6_000


def test_written_half_way_is_failed_and_not_unattempted():
    def only_even(n):
        if n % 2:
            raise NotImplementedError
        return n // 2

    assert run(EXERCISE, only_even).verdict == "error"


def test_the_same_seed_tries_the_same_inputs():
    def inputs_tried(seed):
        tried = []

        def call(args):
            tried.append(args)
            return Outcome("value", half(*args)) if args[0] >= 0 else Outcome("error", errors=("ValueError",))

        assert run_call(EXERCISE, call, seed).passed
        return tried

    assert inputs_tried(1) == inputs_tried(1) != inputs_tried(2)


def test_checks_in_several_threads_wait_for_one_another():
    stdout, results = sys.stdout, []
    threads = [threading.Thread(target=lambda: results.append(run(EXERCISE, half))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(results) == 4 and all(result.passed for result in results)
    assert sys.stdout is stdout


def test_silence_is_never_a_pass():
    for kind in ("crashed", "timeout", "memory", "missing"):
        result = run_call(EXERCISE, lambda args, kind=kind: Outcome(kind))
        assert (result.verdict, result.points) == (kind, 0)


def test_a_slow_right_function_passes_on_fewer_inputs():
    def slow(n):
        time.sleep(0.02)
        return half(n)

    result = run_call(EXERCISE, lambda args: _outcome(slow, args), n_random=500, seconds=2)
    assert result.passed
    assert len(EXERCISE.examples) < result.n_cases < 500


def _outcome(function, args):
    try:
        return Outcome("value", function(*args))
    except ValueError:
        return Outcome("error", errors=("ValueError",))


def test_html_is_escaped_and_hints_are_nested():
    result = run(EXERCISE, EXERCISE.misconceptions[0].function)
    html = as_html(EXERCISE, result, "en")
    assert "You round &lt;up&gt;." in html
    first, second = html.index("First &lt;hint&gt;"), html.index("Second hint")
    assert html[first:second].count("<details>") == 1 and "</details>" not in html[first:second]


def test_secret_feedback_does_not_show_a_random_input():
    result = run(EXERCISE, wrong_from_20_on)
    assert "half(20)" in as_text(EXERCISE, result, "en")
    for told in (as_text(EXERCISE, result, "en", secret=True), as_html(EXERCISE, result, "en", secret=True)):
        assert "half(20)" not in told and "secret" in told


def test_secret_feedback_names_an_error_without_its_text():
    def fails(n):
        if n >= 20:
            raise KeyError(f"the input was {n}")
        return half(n)

    told = as_text(EXERCISE, run(EXERCISE, fails), "en", secret=True)
    assert "KeyError" in told and "the input was" not in told and "half(" not in told


def test_a_function_too_slow_for_the_examples_is_out_of_time_soon():
    start = time.monotonic()
    result = run_call(EXERCISE, lambda args: time.sleep(0.3) or Outcome("value", args[0] // 2), seconds=0.2)
    assert result.verdict == "timeout"
    assert time.monotonic() - start < 5


def test_secret_feedback_shows_a_hand_picked_case_where_one_fails():
    exercise = replace(EXERCISE, examples=(Example((1000,), text("a large number")),))
    result = run(exercise, lambda n: 0)
    assert result.counterexample.args == (2,)
    told = as_text(exercise, result, "en", secret=True)
    assert "half(1000)" in told and "half(2)" not in told and "secret" not in told


def test_values_are_shown_short():
    assert show(list(range(1000))).endswith("…")
    assert len(show("x" * 10_000)) == 300
    assert show(np.array([math.pi, 0.0])) == "array([3.141593, 0. ])"
    assert call_text("half", (10, "a")) == "half(10, 'a')"


def test_the_line_about_an_exercise_states_level_importance_and_minutes():
    assert about(EXERCISE, "en") == "2 points · level: standard · importance: useful · about 5 min"
    assert "environ 5 min" in as_text(EXERCISE, run(EXERCISE, blank), "fr")


def test_a_result_that_is_no_pass_has_no_points():
    assert Result("demo.half", "failed", 0, 2).passed is False


def test_a_judge_that_stumbles_over_an_odd_output_stops_nothing():
    """A judge is written for the reference's outputs; a reader's, or a misconception's, may be of any shape."""
    fussy = replace(
        EXERCISE,
        judge=lambda args, expected, got: None if abs(expected - got) < 1e-9 else EXERCISE.judge(args, expected, got),
        misconceptions=(Misconception("a_list", lambda n: [n], text("A list.")), *EXERCISE.misconceptions),
    )
    assert run(fussy, half).passed
    assert run(fussy, lambda n: [n]).diagnosis == "a_list"
    assert run(fussy, lambda n: (n + 1) // 2).diagnosis == "rounds_up"
    assert run(fussy, lambda n: {"n": n}).verdict == "failed"


def test_a_function_that_must_leave_its_arguments_alone():
    """A right value is not enough where the statement says that arguments stay as they were."""

    def doubled(numbers):
        return [2 * n for n in numbers]

    def in_place(numbers):
        numbers[:] = [2 * n for n in numbers]
        return numbers

    exercise = replace(
        EXERCISE,
        entry="doubled",
        reference=doubled,
        examples=(Example(([1, 2],), text("two numbers")),),
        inputs=lambda: st.tuples(st.lists(st.integers(0, 9))),
        misconceptions=(Misconception("in_place", in_place, text("In place.")),),
    )
    assert run(exercise, in_place).passed
    exercise = replace(exercise, keeps_arguments=True)
    assert run(exercise, doubled).passed
    result = run(exercise, in_place)
    assert (result.verdict, result.diagnosis, result.counterexample.difference.kind) == (
        "failed",
        "in_place",
        "changed",
    )
    assert "arguments" in as_text(exercise, result, "fr") and "copy" in as_text(exercise, result, "en")
