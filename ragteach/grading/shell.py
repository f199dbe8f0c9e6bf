"""Running a notebook's code cells one after the other, as Jupyter would, without Jupyter. Runs inside the worker."""

import ast
import contextlib
import os
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

from IPython.core.history import HistoryManager
from IPython.core.interactiveshell import InteractiveShell
from IPython.utils.text import SList

from ragteach.checking.call import TimeLimit, rang, text_of, time_limit
from ragteach.checking.plain import class_name

MAX_REMARKS = 50
MAX_DETAIL = 300
SYSTEM_MAGICS = {
    "line": "cd conda mamba micromamba pip pip3 sc sx system uv".split(),
    "cell": "! bash cmd perl pypy python python2 python3 ruby script sh sx system".split(),
}
DISPLAYS = "html javascript js latex markdown svg".split()

Remark = tuple[int, str, str]
"""What happened to a cell: (its number among the code cells, error, shell, timeout or memory, the detail)."""


def make_shell(remarks: list[Remark]) -> InteractiveShell:
    """Build IPython's shell: no history, no system commands (each leaves a remark), no windows."""
    HistoryManager.enabled = False
    shell = InteractiveShell.instance()
    shell.current_cell = -1

    def refuse(*args: Any, **_: Any) -> SList:
        add(remarks, shell.current_cell, "shell", " ".join(str(arg) for arg in args if arg).strip())
        return SList()

    shell.system = shell.system_piped = shell.system_raw = shell.getoutput = refuse
    for kind, names in SYSTEM_MAGICS.items():
        for name in names:
            shell.register_magic_function(lambda *args, name=name: refuse(f"%{name}", *args), kind, name)
    for name in DISPLAYS:  # nobody looks
        shell.register_magic_function(lambda line, cell: None, "cell", name)
    shell.register_magic_function(lambda line: None, "line", "matplotlib")  # the backend stays agg
    shell.showtraceback = shell.showsyntaxerror = lambda *args, **kwargs: None  # nobody reads them here
    shell.ask_exit = lambda: None  # exit() and quit() end nothing
    shell.transform_cell = partial(unless_python, shell.transform_cell)
    return shell


def unless_python(transform: Callable[[str], str], source: str) -> str:
    """Leave plain Python as it is: IPython would look for magics in it for as long as it takes to run.

    A cell of one line is IPython's all the same: `whos` is plain Python, and a magic.
    """
    if len(source.strip().splitlines()) < 2:
        return transform(source)
    try:
        ast.parse(source)
    except Exception:  # with magics, or wrong, or too deep: IPython's to judge
        return transform(source)
    return source


def run_cells(
    shell: InteractiveShell,
    sources: Sequence[str],
    skip: Sequence[int],
    limits: tuple[float, float],
    before: Callable[[int], None],
    after: Callable[[int], None],
    remarks: list[Remark],
) -> None:
    """Run every cell that is not in `skip`; one that raises or takes too long is noted and the rest still runs.

    `limits` are the seconds that a cell may take by the clock, and of the processor.
    """
    for number, source in enumerate(sources):
        if number in skip:
            continue
        before(number)
        shell.current_cell = number
        detail = ""
        try:
            with nowhere(), time_limit(*limits):
                result = shell.run_cell(source, store_history=False)
                error = result.error_before_exec or result.error_in_exec
                detail = describe(error)  # runs the reader's __str__
        except BaseException as raised:  # an alarm that rang while IPython was tidying up, or a hostile hook
            error, detail = raised, class_name(type(raised))
        if rang() or isinstance(error, TimeLimit):  # IPython may swallow an alarm, or trip over it
            add(remarks, number, "timeout", "")
        elif isinstance(error, MemoryError):
            BaseException.with_traceback(error, None)  # it keeps what the functions that it ended had built
            add(remarks, number, "memory", "")
        elif error is not None and not isinstance(error, NotImplementedError):  # a blank is no mistake
            add(remarks, number, "error", detail)
        after(number)


@contextlib.contextmanager
def nowhere() -> Iterator[None]:
    """Send what a cell prints nowhere; a cell that spoils these streams spoils them for itself alone."""
    with open(os.devnull, "w", encoding="utf-8", errors="replace") as hole:
        with contextlib.redirect_stdout(hole), contextlib.redirect_stderr(hole):
            yield


def add(remarks: list[Remark], number: int, kind: str, detail: str) -> None:
    """Keep a remark while there is room."""
    if len(remarks) < MAX_REMARKS:
        remarks.append((number, kind, detail[:MAX_DETAIL]))


def describe(error: BaseException) -> str:
    """Write an exception on one line."""
    text = text_of(lambda: str(error), MAX_DETAIL)
    name = class_name(type(error))
    return f"{name}: {text}" if text else name
