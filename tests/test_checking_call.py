"""Calling a reader's function: whatever it does, one outcome comes back."""

import io
import sys
import threading
import time

import pytest

from ragteach import exercises
from ragteach.checking import as_html, as_text, run
from ragteach.checking.call import MAX_PRINTED, TimeLimit, direct, time_limit


def endless():
    while True:
        pass


def swallows_everything():
    while True:
        try:
            sum(range(100))
        except BaseException:
            continue


def sleeps_and_swallows():
    while True:
        try:
            time.sleep(0.01)
        except BaseException:
            pass


class Endless(Exception):
    def __str__(self):
        return endless()


def fails_without_end():
    raise Endless


def test_a_value_comes_back_plain_and_arguments_are_copied():
    argument = [3, 1]

    def sorts_its_argument(items):
        items.sort()
        return tuple(items)

    assert direct(sorts_its_argument)((argument,)).value == (1, 3)
    assert argument == [3, 1]


@pytest.mark.parametrize(
    "function",
    [endless, swallows_everything, sleeps_and_swallows, fails_without_end, lambda: time.sleep(60)],
)
def test_a_call_without_end_is_interrupted(function):
    assert direct(function, seconds=0.2)(()).kind == "timeout"


def test_an_endless_generator_is_not_plain():
    def numbers():
        while True:
            yield 1

    assert direct(numbers)(()).kind in ("not_plain", "timeout")


def test_an_error_tells_its_class_its_text_and_the_readers_line():
    def divide():
        return 1 / 0

    outcome = direct(divide)(())
    assert outcome.kind == "error"
    assert outcome.errors[:2] == ("ZeroDivisionError", "ArithmeticError")
    assert outcome.line == "return 1 / 0"


def test_leaving_the_program_or_asking_a_question_is_only_an_error():
    assert direct(lambda: sys.exit(0))(()).errors[0] == "SystemExit"
    assert direct(lambda: input("?"))(()).errors[0] == "RuntimeError"
    assert direct(lambda: exec("raise MemoryError"))(()).kind == "memory"


def test_recursion_without_end_is_an_error():
    def down(n):
        return down(n + 1)

    assert direct(down)((0,)).errors[0] == "RecursionError"


def test_prints_are_kept_aside_and_bounded(capsys):
    def novel():
        for _ in range(1_000):
            print("x" * 100)
            print("y", file=sys.stderr)
        return 1

    outcome = direct(novel)(())
    assert outcome.value == 1
    assert len(outcome.printed) == MAX_PRINTED
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize("fault", [RuntimeError, SystemExit, GeneratorExit])
def test_an_exception_whose_text_fails_is_still_told(fault):
    class Mute(Exception):
        def __str__(self):
            raise fault

    def fails():
        raise Mute

    assert direct(fails)(()).errors[0] == "Mute"


def test_outside_the_main_thread_a_watchdog_interrupts():
    caught = []

    def work():
        try:
            with time_limit(0.2):
                endless()
        except TimeLimit:
            caught.append(True)

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(10)
    assert caught == [True]


def test_a_watchdog_never_strikes_outside_its_block():
    """Many blocks that end just before or after their time: each is interrupted or not, and nothing else is."""
    outcomes = []

    def count(n):
        for _ in range(n):
            pass

    def work():
        start = time.perf_counter()
        count(100_000)
        about = int(100_000 * 0.002 / (time.perf_counter() - start))
        for i in range(1000):
            try:
                with time_limit(0.002):
                    count(about * (60 + i % 100) // 100)
                outcomes.append("in time")
            except TimeLimit:
                outcomes.append("interrupted")
        count(1_000_000)  # where what comes late would strike
        outcomes.append("end")

    thread = threading.Thread(target=work, daemon=True)
    thread.start()
    thread.join(120)
    assert len(outcomes) == 1001 and outcomes[-1] == "end"


def test_a_call_that_ends_in_time_is_left_alone_afterwards():
    with time_limit(0.5):
        pass
    time.sleep(0.7)


def test_input_works_again_after_a_call(monkeypatch):
    direct(lambda: 1)(())
    monkeypatch.setattr("builtins.input", lambda prompt="": "yes")
    assert input("?") == "yes"


def test_closing_the_output_stream_closes_nothing_of_ours(capsys):
    def closes():
        print("last words")
        sys.stdout.close()
        return 1

    outcome = direct(closes)(())
    assert (outcome.value, outcome.printed) == (1, "last words\n")
    print("still open")
    assert capsys.readouterr().out == "still open\n"


class Lying(type):
    """Classes that lie about their name and their bases, and whose == fails."""

    __name__ = property(lambda cls: object())
    __mro__ = property(lambda cls: 3)
    __hash__ = type.__hash__

    def __eq__(cls, other):
        raise SystemExit


class Itself(str):
    """A text that stays one of its own class, whatever is done to it."""

    __str__ = strip = lambda self: self  # noqa: E731

    def __getitem__(self, _):
        return [object()]


class Mine(ValueError, metaclass=Lying):
    def __str__(self):
        return Itself("why")


def fails_with(error):
    def fails():
        raise error

    return fails


def test_an_error_is_named_by_its_own_class_whatever_its_metaclass_says():
    outcome = direct(fails_with(Mine()))(())
    assert outcome.errors == ("Mine", "ValueError", "Exception")
    assert outcome.message == "why" and type(outcome.message) is str
    renamed = type("Other", (Exception,), {})
    renamed.__name__ = Itself("Other")
    assert [type(name) for name in direct(fails_with(renamed()))(()).errors] == [str, str]


def test_an_errors_text_can_always_be_written_to_a_page():
    assert direct(fails_with(ValueError("a\ud800b é")))(()).message == "a\\ud800b é"


def test_a_callable_whose_code_is_hidden_has_no_line_to_show():
    class Hidden:
        __code__ = property(fails_with(SystemExit()))

        def __call__(self):
            raise ValueError

    assert direct(Hidden())(()).line == ""


def replaces_the_streams_methods():
    print("said")
    sys.stdout.getvalue = sys.stdout.tell = lambda: object()


def closes_for_good():
    io.StringIO.close(sys.stdout)


def prints_past_the_bound():
    io.StringIO.write(sys.stdout, "x" * 3 * MAX_PRINTED)


@pytest.mark.parametrize(
    ("function", "printed"),
    [(replaces_the_streams_methods, "said\n"), (closes_for_good, ""), (prints_past_the_bound, "x" * MAX_PRINTED)],
)
def test_prints_are_read_whatever_the_call_did_to_its_stream(function, printed):
    outcome = direct(function)(())
    assert (outcome.kind, outcome.printed) == ("value", printed)


def test_what_a_call_puts_into_its_arguments_hurts_nobody():
    class Endless(list):
        __iter__ = lambda self: iter(endless, 1)  # noqa: E731

    class Refusing(float):
        __eq__ = __float__ = fails_with(SystemExit())

    for hostile in (Endless([1]), Refusing(1.0)):

        def spoils(items, hostile=hostile):
            items[0] = hostile

        assert direct(spoils, seconds=0.2, watch=True)(([[1.0]],)).changed
    assert not direct(lambda items: None, watch=True)(([1.0],)).changed


def test_nothing_hostile_ends_in_a_traceback_of_the_course():
    hostile = [
        fails_with(Mine()),
        fails_with(ValueError("\ud800")),
        replaces_the_streams_methods,
        lambda: Itself("x"),
        lambda: [Itself("x")],
        lambda: {Itself("x"): 1},
        lambda: "\ud800",
        lambda: Lying("Sly", (), {})(),
    ]
    exercise = exercises.get("bm25.idf")
    for function in hostile:
        result = run(exercise, lambda *_, function=function: function())
        for lang in ("fr", "en"):
            assert as_html(exercise, result, lang).encode() and as_text(exercise, result, lang).encode()
        assert not result.passed
