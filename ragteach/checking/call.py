"""Calling a reader's function without being hurt by it: one call, one outcome.

A `Call` is all that the engine needs of a transport: give it arguments, get an `Outcome`. `direct` calls a
function in this very process; grading has another that asks a worker process.
"""

import builtins
import contextlib
import copy
import ctypes
import io
import signal
import sys
import threading
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from types import FrameType
from typing import Any

from ragteach.checking.compare import same
from ragteach.checking.plain import NotPlain, class_name, plain

MAX_PRINTED = 2_000  # characters kept of what one call prints
MAX_MESSAGE = 500
MAX_LINE = 200
SWALLOWED = 5  # alarms that a call may swallow before they come faster


@dataclass(frozen=True)
class Outcome:
    """What came of one call.

    `kind` is value, error, timeout, memory, not_plain, crashed or missing. For an error, `errors` names the
    exception's class and its bases, most specific first, `message` is its text and `line` the line of the
    reader's code that raised it. `printed` is the beginning of what the call printed. `changed` says that the
    arguments are no longer what they were, where somebody asked.
    """

    kind: str
    value: Any = None
    errors: tuple[str, ...] = ()
    message: str = ""
    line: str = ""
    printed: str = ""
    changed: bool = False


Call = Callable[[tuple], Outcome]


class TimeLimit(BaseException):
    """Raised inside a call that takes too long; no Exception, so that `except Exception` does not catch it."""


def direct(function: Callable, seconds: float = 2.0, printed: int = MAX_PRINTED, watch: bool = False) -> Call:
    """Make a Call of a function of this process.

    Arguments are copied first, prints are kept aside (their first `printed` characters), input() raises, and a
    call that takes longer than `seconds` is interrupted (a loop inside one call of compiled code is out of reach).
    Where `watch` is set, the outcome tells whether the arguments were changed.
    """

    def call(args: tuple) -> Outcome:
        return once(function, copy.deepcopy(args), seconds, printed, watch=watch)

    return call


def once(
    function: Callable,
    args: tuple,
    seconds: float = 2.0,
    printed: int = MAX_PRINTED,
    cpu: float | None = None,
    watch: bool = False,
) -> Outcome:
    """Make one call as `direct` does, with arguments that nobody else needs; `cpu` as in `time_limit`."""
    text = BoundedText(printed)
    before = copy.deepcopy(args) if watch else None
    streams, original = (sys.stdout, sys.stderr), builtins.input
    sys.stdout = sys.stderr = text
    builtins.input = no_input
    try:  # a context manager would be clearer, and a tenth of a simple call
        outcome = _outcome(function, args, seconds, cpu)
    finally:
        (sys.stdout, sys.stderr), builtins.input = streams, original
    if watch and _changed(before, args, seconds):
        outcome = replace(outcome, changed=True)
    printed = _printed(text, printed)
    return replace(outcome, printed=printed) if printed else outcome


def _outcome(function: Callable, args: tuple, seconds: float, cpu: float | None) -> Outcome:
    try:
        with time_limit(seconds, cpu):
            return _value_or_error(function, args)
    except TimeLimit:
        return Outcome("timeout")
    except MemoryError:
        return Outcome("memory")
    except NotPlain as error:
        return Outcome("not_plain", message=_message(error))


def _value_or_error(function: Callable, args: tuple) -> Outcome:
    """Call, and put what comes back into plain data: an error's class and text are the reader's code too."""
    try:
        return Outcome("value", plain(function(*args)))
    except (TimeLimit, MemoryError, NotPlain, KeyboardInterrupt):
        raise
    except BaseException as error:  # SystemExit too: a call must never end the kernel
        return Outcome("error", errors=_names(error), message=_message(error), line=_line(error, function))


def _names(error: BaseException) -> tuple[str, ...]:
    """Name an error's class and its bases, whatever a metaclass says of them."""
    classes = type.__dict__["__mro__"].__get__(type(error))
    return tuple(class_name(cls) for cls in classes if cls is not object and cls is not BaseException)


def _message(error: BaseException) -> str:
    return text_of(lambda: str(error), MAX_MESSAGE)


def _line(error: BaseException, function: Callable) -> str:
    """Find the line of the reader's own code on which an error arose."""

    def last() -> str:
        home = getattr(getattr(function, "__code__", None), "co_filename", None)
        frames = [frame for frame in traceback.extract_tb(error.__traceback__) if frame.filename == home]
        return (frames[-1].line or "").strip() if frames else ""

    return text_of(last, MAX_LINE)


def text_of(read: Callable[[], str], most: int) -> str:
    """Read a text by code that may be the reader's, and make it one that any page can hold; empty where it fails."""
    try:
        return str.__str__(read())[:most].encode(errors="backslashreplace").decode()
    except (TimeLimit, KeyboardInterrupt):
        raise
    except BaseException:  # an exception class of the reader's whose __str__ fails
        return ""


def _changed(before: tuple, args: tuple, seconds: float) -> bool:
    """Tell whether the arguments are no longer the same, among which the reader may have put anything."""
    try:
        with time_limit(seconds):
            return same(before, args) is not None
    except KeyboardInterrupt:
        raise
    except BaseException:
        return True


def _printed(text: io.StringIO, most: int) -> str:
    """Read what was printed, by the class's own method: the call could replace that of its sys.stdout."""
    try:
        return io.StringIO.getvalue(text)[:most] if io.StringIO.tell(text) else ""
    except ValueError:  # closed, again by the class's own method
        return ""


class BoundedText(io.StringIO):
    """A text stream that keeps its first characters and lets the rest go."""

    def __init__(self, most: int = MAX_PRINTED) -> None:
        super().__init__()
        self.most = most

    def write(self, text: str) -> int:
        room = self.most - self.tell()
        if room > 0:
            super().write(text[:room])
        return len(text)

    def close(self) -> None:
        """Stay open: what was printed before the reader's code closed sys.stdout is still to be read."""


def no_input(*_: Any) -> str:
    """Stand for input() and raise at once: nobody answers during a check, and the call would wait for ever."""
    raise RuntimeError("input() asks a question, and nobody answers during a check")


def time_limit(seconds: float, cpu: float | None = None) -> contextlib.AbstractContextManager[None]:
    """Raise TimeLimit inside the block when it takes longer, and again every 0.1 s if that is swallowed.

    `cpu` bounds what the process takes of the processor, all its threads together, where the system can tell.
    """
    main = threading.current_thread() is threading.main_thread()
    return _alarm(seconds, cpu) if main and hasattr(signal, "setitimer") else _watchdog(seconds)


class _Clock:
    """The alarm clock of this process: whether it hangs on the wall, whether it may ring, how often it has rung."""

    hung = running = False
    rings = 0


def rang() -> bool:
    """Tell whether the last block under `time_limit` was interrupted, whatever it made of that."""
    return _Clock.rings > 0


def _ring(_: int, frame: FrameType) -> None:
    # Our own clean-up must not be interrupted: an alarm that rings there is lost, or rings again.
    if not _Clock.running or frame.f_code.co_filename in (__file__, contextlib.__file__):
        return
    _Clock.rings += 1
    if _Clock.rings >= SWALLOWED:  # always swallowed by the same try: ring so soon again that it strikes after it
        signal.setitimer(signal.ITIMER_REAL, (1 + _Clock.rings % 50) * 1e-6, 1e-3)
    raise TimeLimit


@contextlib.contextmanager
def alarm_clock() -> Iterator[None]:
    """Hang up the alarm clock for many calls of `time_limit`, which otherwise do so one by one, more slowly."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return
    bells = signal.SIGALRM, signal.SIGPROF
    before = [signal.signal(bell, _ring) for bell in bells]
    _Clock.hung = True
    try:
        yield
    finally:
        _Clock.hung = False
        for bell, handler in zip(bells, before, strict=True):
            signal.signal(bell, signal.SIG_IGN)  # drops one on its way, which by default would end the kernel
            signal.signal(bell, handler)


@contextlib.contextmanager
def _alarm(seconds: float, cpu: float | None) -> Iterator[None]:
    with contextlib.nullcontext() if _Clock.hung else alarm_clock():
        _Clock.running, _Clock.rings = True, 0
        signal.setitimer(signal.ITIMER_REAL, seconds, 0.1)
        if cpu is not None:
            signal.setitimer(signal.ITIMER_PROF, cpu, 0.1)
        try:
            yield
        finally:
            _Clock.running = False  # an alarm that rings from here on must not interrupt the clean-up
            signal.setitimer(signal.ITIMER_REAL, 0)
            if cpu is not None:
                signal.setitimer(signal.ITIMER_PROF, 0)


@contextlib.contextmanager
def _watchdog(seconds: float) -> Iterator[None]:
    """Where there is no SIGALRM (Windows, or another thread): a thread that raises TimeLimit in this one."""
    thread = ctypes.c_ulong(threading.get_ident())
    raise_here = ctypes.pythonapi.PyThreadState_SetAsyncExc
    done = threading.Event()

    def watch() -> None:
        wait = seconds
        while not done.wait(wait):
            _Clock.rings += 1
            raise_here(thread, ctypes.py_object(TimeLimit))
            wait = 0.1

    watcher = threading.Thread(target=watch, daemon=True)
    _Clock.rings = 0
    try:
        watcher.start()
        yield
    finally:
        while True:  # once the watcher has ended, and what it sent last is dropped, nothing strikes outside the block
            try:
                done.set()
                if watcher.ident is not None:
                    watcher.join()
                raise_here(thread, None)
                break
            except TimeLimit:  # it struck this clean-up
                pass
