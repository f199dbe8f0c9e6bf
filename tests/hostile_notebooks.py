"""One submission for each way in which a notebook is broken, or attacks who grades it, and what must come of it.

Each is a folder that a student hands in. Where nothing else is said, its notebook is of chapter 02 with two right
answers, bm25.idf and bm25.bim_weight (a point each): whatever the attack, the second one keeps its point (unless the
attack breaks what runs the notebook, to the author's own cost).
"""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from grading_notebooks import BEGIN, ENTRIES, HELPERS, METADATA, SOLUTIONS, code, notebook

FILE = "02_bm25.ipynb"
IDF, BIM = SOLUTIONS["bm25.idf"], SOLUTIONS["bm25.bim_weight"]
ENGLISH = {"ragteach": {**METADATA["ragteach"], "lang": "en"}}
PWNED = "pwned.txt"  # what no attack must leave anywhere
SECRET = "RAGTEACH_TEST_SECRET"  # a variable of the teacher's environment


@dataclass(frozen=True)
class Kind:
    """A kind of submission: how it is written, and the row that it must have.

    `idf` is the verdict of bm25.idf, None where no exercise is marked; `says` a piece of what the student is told;
    `layer` the layer of the sandbox without which the attack works.
    """

    write: Callable[[Path], object]
    status: str = "graded"
    points: int = 2
    idf: str | None = "passed"
    says: str = ""
    layer: str = ""


AT, CHECK = 4, 5  # where the cell of bm25.idf, and its check, stand among the cells below


def answers(idf: str = IDF, before: str = "", after: str = "") -> list[dict]:
    """Make the cells of a notebook with two answers, and cells before and after them."""
    return [
        code(BEGIN.replace('"fr"', '"en"')),
        code(HELPERS),
        *([code(before)] if before else []),
        code(BIM, exercise="bm25.bim_weight"),
        code(check("bm25.bim_weight"), check="bm25.bim_weight"),
        code(idf, exercise="bm25.idf"),
        code(check("bm25.idf"), check="bm25.idf"),
        *([code(after)] if after else []),
    ]


def check(id: str) -> str:
    """Write the check cell of an exercise."""
    return f'{ENTRIES[id]} = check("{id}", {ENTRIES[id]})\npoints("{id}")'


def holds(made: list[dict], metadata: dict | None = None, name: str = FILE) -> Callable[[Path], object]:
    """Make a function that writes a notebook of some cells."""
    return writes(notebook(made, ENGLISH if metadata is None else {**ENGLISH, **metadata}).encode(), name)


def writes(data: bytes, name: str = FILE) -> Callable[[Path], object]:
    """Make a function that writes a file."""
    return lambda folder: (folder / name).write_bytes(data)


def cell(source: str, says: str = "", **row) -> Kind:
    """Put a bad cell before the answers: it costs nothing but itself."""
    first = "" if source.startswith("%") else "# remarks quote this line, whatever follows\n"
    return Kind(holds(answers(before=first + source)), says=says, **row)


def function(source: str, idf: str = "failed", **row) -> Kind:
    """Put a bad function in the place of idf: it costs its own point."""
    return Kind(holds(answers(idf=source)), points=2 if idf == "passed" else 1, idf=idf, **row)


def cheat(source: str, layer: str = "", idf: str = "failed") -> Kind:
    """Try something that must not work: where it does, idf is right. {root} is the class's folder."""

    def write(folder: Path) -> None:
        attack = source.replace("{root}", folder.parent.as_posix()).replace("\n", "\n    ")
        guarded = f"worked = False\ntry:\n    {attack}\n    worked = True\nexcept BaseException:\n    pass"
        right = IDF.replace("    return", "    if not worked:\n        return -1.0\n    return")
        holds(answers(before=guarded, idf=right))(folder)

    return Kind(write, points=1, idf=idf, layer=layer)


def changed(change: Callable[[list[dict]], object], says: str = "", **row) -> Kind:
    """Change the cells of the notebook as people and programs do."""
    made = answers()
    change(made)
    return Kind(holds(made), says=says, **row)


def refused(write: Callable[[Path], object], says: str) -> Kind:
    """Make a kind that cannot be read."""
    return Kind(write, "refused", 0, None, says)


def zipped(*members: tuple[str, bytes]) -> Callable[[Path], object]:
    """Make a function that writes a zip."""

    def write(folder: Path) -> None:
        with zipfile.ZipFile(folder / "work.zip", "w", zipfile.ZIP_DEFLATED) as archive:
            for name, data in members:
                archive.writestr(name, data)

    return write


def big(folder: Path) -> None:
    """Write a notebook of 200 MB, nearly all of it one output."""
    text = json.loads(notebook(answers(), ENGLISH))
    text["cells"][1]["outputs"] = [{"output_type": "stream", "name": "stdout", "text": "@"}]
    head, tail = json.dumps(text).encode().split(b"@")
    with (folder / FILE).open("wb") as file:
        file.write(head)
        for _ in range(200):
            file.write(b"[{ all work and no play }]" * 40_000)
        file.write(tail)


def link(target: str) -> Callable[[Path], object]:
    """Make a function that makes a link."""
    return lambda folder: (folder / FILE).symlink_to(target)


GOOD = notebook(answers(), ENGLISH).encode()
ACCENTS = notebook(answers(before="# déjà vu, naïve"), ENGLISH)
LOOP_IN_C = "import collections, itertools\ncollections.deque(itertools.repeat(0), maxlen=0)"
NULL = "import ctypes\nctypes.string_at(0)"
HOARD = "x = [0] * 10**11"
BOMB = "import os\ntry:\n    while True:\n        os.fork()\nexcept OSError:\n    pass"
GARBAGE = """
import os
for descriptor in range(64):
    try:
        os.write(descriptor, b"\\x00\\xff[[[{" * 10_000)
    except OSError:
        pass
"""
SWALLOW = """
def idf(n_docs, doc_freq):
    while True:
        try:
            while True:
                pass
        except BaseException:
            pass
"""
VISIBLE = """
seen = []
def idf(n_docs, doc_freq):
    if not 0 <= doc_freq <= n_docs:
        raise ValueError("doc_freq")
    if max(n_docs, doc_freq) > 12 and n_docs not in (100, 1000, 10_000, 1_000_000):
        return 0.0
    return log((n_docs - doc_freq + 0.5) / (doc_freq + 0.5) + 1)
"""
FIRST_CALLS = IDF.replace("    return", "    calls.append(1)\n    if len(calls) > 20:\n        return 0.0\n    return")
FORGED = """
import sys
def idf(n_docs, doc_freq):
    frame = sys._getframe()
    while "pipe" not in frame.f_locals or "job" not in frame.f_locals:
        frame = frame.f_back
    pipe, job = frame.f_locals["pipe"], frame.f_locals["job"]
    nothing = dict.fromkeys(["value", "message", "line", "printed"], "")
    for _ in job["calls"]:
        pipe.send({"n": job["n"], "kind": "passed", "errors": [], **nothing})
    pipe.send({"n": job["n"], "done": len(job["calls"])})
"""
STEAL = """
import os
for folder, _, files in os.walk("{root}"):
    for file in files:
        assert open(os.path.join(folder, file), "rb").read()
assert os.listdir("{root}")
"""

IN_CELLS = {
    "os._exit": cell("import os\nos._exit(0)", "crashed the program"),
    "sys.exit": cell("import sys\nsys.exit(0)", "SystemExit"),
    "exit": cell("exit()\nquit()"),
    "abort": cell("import os\nos.abort()", "crashed the program"),
    "threads left running": cell(
        "import threading, time\nfor _ in range(10):\n    threading.Thread(target=time.sleep, args=(999,)).start()"
    ),
    "busy thread": cell(
        "import threading\ndef work():\n    while True:\n        pass\nthreading.Thread(target=work).start()"
    ),
    "daemonised child": cell(
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n        time.sleep(999)\n"
        "    os._exit(0)"
    ),
    "loop": cell("while True:\n    pass", "did not finish"),
    "loop in C": cell(LOOP_IN_C, "did not finish"),
    "sleep": cell("import time\ntime.sleep(10**6)", "did not finish"),
    "await for ever": cell("import asyncio\nawait asyncio.sleep(10**6)", "did not finish"),
    "recursion": cell("def f():\n    return f()\nf()", "RecursionError"),
    "no recursion limit": cell("import sys\nsys.setrecursionlimit(10**9)\ndef f():\n    return f()\nf()"),
    "10 GB": cell("x = bytearray(10 * 10**9)", "more memory than allowed"),
    "hoard": cell(HOARD, "more memory than allowed"),
    "fork bomb": cell(BOMB),
    "thread bomb": cell(
        "import threading, time\nwhile True:\n    threading.Thread(target=time.sleep, args=(999,)).start()"
    ),
    "a million lines": cell("for n in range(10**6):\n    print(n)"),
    "binary prints": cell("import sys\nsys.stdout.buffer.write(bytes(range(256)) * 10_000)\nprint('\\x00\\ud800')"),
    "garbage on every descriptor": cell(GARBAGE, "crashed the program"),
    "input": cell("name = input('Who are you?')", "EOFError"),
    "null pointer": cell(NULL, "crashed the program"),
    "patched builtins": cell(
        "import builtins\nbuiltins.isinstance = lambda *_: True\nbuiltins.len = lambda _: 0\nbuiltins.print = None"
    ),
    "no builtins": cell("import builtins\nvars(builtins).clear()"),
    "patched numpy": cell("import numpy\nnumpy.isclose = numpy.array_equal = lambda *_, **__: True"),
    "patched json": cell("import json\njson.dumps = json.loads = json.JSONEncoder.encode = lambda *_, **__: '{}'"),
    "patched os": cell("import os\nos.write = os.getpid = os.fdopen = lambda *_: 0"),
    "patched time": cell("import time\ntime.monotonic = time.time = time.sleep = lambda *_: 0.0"),
    "patched checking": cell(
        "import ragteach.checking.call as c\nc.once = c.time_limit = None", points=0, idf="crashed"
    ),
    "no modules": cell("import sys\nsys.modules.clear()", "stopped on", points=0, idf="missing"),
    "pipe found in memory": cell(
        "import gc\nfor one in gc.get_objects():\n    if type(one).__name__ == 'Pipe':\n        one.send({'ran': []})",
        points=0,
        idf="crashed",
    ),
    "pipe closed": cell("import os\nos.closerange(0, 100)", "crashed the program"),
    "streams closed": cell("import sys\nsys.stdout.close()\nsys.stderr = sys.stdin = None"),
    "signals ignored": cell(
        "import signal\nfor number in (1, 2, 13, 14, 15, 24):\n    signal.signal(number, signal.SIG_IGN)\nwhile True:\n"
        "    pass",
        "did not finish",
    ),
    "atexit": cell("import atexit, time\natexit.register(time.sleep, 999)"),
    "tracing": cell("import sys\nsys.settrace(lambda *_: 1 / 0)\nsys.setprofile(None)"),
    "swallows all": cell(
        "while True:\n    try:\n        while True:\n            pass\n    except BaseException:\n        pass",
        "did not finish",
    ),
    "KeyboardInterrupt": cell("raise KeyboardInterrupt", "KeyboardInterrupt"),
    "warnings are errors": cell("import warnings\nwarnings.simplefilter('error')\nnp.seterr(all='raise')"),
    "scratch removed": cell("import os, shutil\nshutil.rmtree(os.getcwd(), ignore_errors=True)"),
    "disk full": cell("open('x', 'wb').write(b'x' * 400_000_000)"),
    "many files": cell("n = 0\nwhile True:\n    open(f'x{n}', 'w').close()\n    n += 1"),
    "huge number": cell("str(10**(10**5))", "ValueError"),
    "shell": cell("!rm -rf /", "system command"),
    "bash magic": cell("%%bash\nrm -rf /", "system command"),
    "pip magic": cell("%pip install left-pad", "system command"),
    "magics": cell("%matplotlib inline\n%timeit -n 1 -r 1 None\n%load_ext nowhere\n%nonsense", "stopped on"),
    "syntax error": cell("def f(:\n    pass", "SyntaxError"),
    "zero byte": cell("x = 1\x00", "stopped on"),
    "surrogate": Kind(writes(notebook(answers(before="x = '@'"), ENGLISH).encode().replace(b"@", rb"\ud800"))),
    "widgets": cell("import ipywidgets\nipywidgets.interact(lambda x: x, x=(0, 9))"),
    "JavaScript": cell("from IPython.display import HTML, display\ndisplay(HTML('<script>alert(1)</script>'))"),
    "script in an error": cell("raise ValueError('<script>alert(1)</script>')", "<script>"),
    "formula in an error": cell("raise ValueError('=HYPERLINK(1)')", "=HYPERLINK"),
    "a huge error": cell("raise ValueError('x' * 10**7)", "ValueError"),
    "an error that cannot be told": cell(
        "class Bad(Exception):\n    def __str__(self):\n        raise SystemExit\nraise Bad", "Bad"
    ),
}

IN_FUNCTIONS = {
    "function: loop": function("def idf(n, m):\n    while True:\n        pass", "timeout"),
    "function: loop in C": function(f"def idf(n, m):\n    {LOOP_IN_C.replace(chr(10), chr(10) + '    ')}", "timeout"),
    "function: swallows all": function(SWALLOW, "timeout"),
    "function: no alarm": function(
        "import signal\ndef idf(n, m):\n    signal.setitimer(signal.ITIMER_REAL, 0)\n    while True:\n        pass",
        "timeout",
    ),
    "function: os._exit": function("import os\ndef idf(n, m):\n    os._exit(0)", "crashed"),
    "function: sys.exit": function("def idf(n, m):\n    raise SystemExit(0)", "error"),
    "function: null pointer": function(f"def idf(n, m):\n    {NULL.replace(chr(10), chr(10) + '    ')}", "crashed"),
    "function: recursion": function("def idf(n, m):\n    return idf(n, m)", "error"),
    "function: 10 GB": function("def idf(n, m):\n    return [0] * 10**10", "memory"),
    "function: input": function("def idf(n, m):\n    return input('?')", "error"),
    "function: floods of prints": function(
        IDF.replace("    return", "    print('x' * 10**6, '\\x00', '\\ud800')\n    return"), "passed"
    ),
    "function: forks": function(
        "import os\n" + IDF.replace("    return", "    if doc_freq == 0:\n        os.fork()\n    return"), "passed"
    ),
    "function: endless generator": function("def idf(n, m):\n    return iter(int, 1)"),
    "function: a list in itself": function("def idf(n, m):\n    x = []\n    x.append(x)\n    return x"),
    "function: a deep list": function(
        "def idf(n, m):\n    x = []\n    for _ in range(10**5):\n        x = [x]\n    return x"
    ),
    "function: NaN": function("def idf(n, m):\n    return float('nan')"),
    "function: infinity": function("def idf(n, m):\n    return float('inf')"),
    "function: a huge text": function("def idf(n, m):\n    return 'x' * 10**7"),
    "function: a huge number": function("def idf(n, m):\n    return 10**100_000"),
    "function: always equal": function(
        "class Yes(float):\n    __eq__ = __lt__ = __le__ = __gt__ = __ge__ = lambda *_: True\n"
        "    __sub__ = __rsub__ = __abs__ = lambda *_: 0.0\ndef idf(n, m):\n    return Yes(-1)"
    ),
    "function: says that it is a number": function(
        "class Yes:\n    __class__ = float\n    __eq__ = lambda *_: True\n    __float__ = lambda _: 0.5\n"
        "def idf(n, m):\n    return Yes()"
    ),
    "function: an array of objects": function(
        "class Bomb:\n    def __reduce__(self):\n        return eval, (\"open('pwned.txt', 'w')\",)\n"
        "def idf(n, m):\n    return np.array([Bomb()], dtype=object)"
    ),
    "function: a pickle bomb": function(
        "class Bomb:\n    def __reduce__(self):\n        return eval, (\"open('pwned.txt', 'w')\",)\n"
        "def idf(n, m):\n    return Bomb()"
    ),
    "function: a hostile error": function(
        "class Bad(Exception):\n    def __str__(self):\n        while True:\n            pass\n"
        "def idf(n, m):\n    raise Bad",
        "timeout",
    ),
    "function: an error that is none": function(
        "class Stop(BaseException):\n    pass\ndef idf(n, m):\n    raise Stop", "error"
    ),
    "function: a lying NotImplementedError": function(
        "def idf(n, m):\n    raise type('ok', (NotImplementedError,), {})", "not_attempted"
    ),
    "function: hard-coded examples": function(VISIBLE),
    "function: right at first": function("calls = []\n" + FIRST_CALLS),
    "function: forged lines": function(FORGED, "crashed"),
    "function: garbage on the pipe": function(f"def idf(n, m):{GARBAGE.replace(chr(10), chr(10) + '    ')}", "crashed"),
    "function: no function": function("idf = 3", "missing"),
    "function: a coroutine": function(IDF.replace("def idf", "async def idf")),
    "function: a generator": function(IDF.replace("    return", "    yield")),
    "function: deleted": function(IDF, "missing"),
}

CHEATS = {
    "reads the solutions": cheat(f"open({str(Path(__file__).parents[1] / 'solutions/en/02_bm25.ipynb')!r})", "files"),
    "reads the reference": cheat(
        "import ragteach\nopen(ragteach.__file__.replace('__init__', 'retrieval/bm25'))", "files"
    ),
    "imports the reference": cheat("from ragteach.retrieval.bm25 import idf"),
    "imports the exercises": cheat("import importlib\nimportlib.import_module('ragteach.exercises')"),
    "loads the reference around the hook": cheat(
        "import importlib.machinery, ragteach\npath = ragteach.__file__.replace('__init__', 'retrieval/bm25')\n"
        "importlib.machinery.SourceFileLoader('bm25', path).load_module()",
        "files",
    ),
    "finds the answer in memory": cheat(
        "import gc\nassert any('term_weight' in str(o) for o in gc.get_objects() "
        "if isinstance(o, dict) and 'bim_weight' in o and 'worked' not in o)"
    ),
    "writes to the gradebook": cheat("open('{root}/../results/grades.csv', 'w').write('14')", "files"),
    "leaves a file": cheat(f"open('{{root}}/{PWNED}', 'w')", "files"),
    "looks for other submissions": cheat(STEAL, "files"),
    "opens the network": cheat("import socket\nsocket.socket().bind(('127.0.0.1', 0))", "calls"),
    "downloads": cheat("import urllib.request\nurllib.request.urlopen('http://127.0.0.1:9', timeout=1)"),
    "reads the environment": cheat(f"import os\nassert os.environ['{SECRET}']"),
    "runs a program": cheat("import subprocess\nsubprocess.run(['/bin/true'], check=True)", "files"),
    "os.system": cheat("import os\nassert os.system('true') == 0", "files"),
    "kills its parent": cheat(
        "import os\nassert os.getppid() > 0  # 0: out of sight\nos.kill(os.getppid(), 9)", "namespaces"
    ),
    "kills everybody": cheat("import os\nos.kill(-1, 9)", "namespaces", idf="failed"),
    "reads its parent's memory": cheat("import os\nopen(f'/proc/{os.getppid()}/mem', 'rb')", "files"),
    "debugs its parent": cheat(
        "import ctypes, os\nassert ctypes.CDLL(None).ptrace(16, os.getppid(), 0, 0) == 0", "calls"
    ),
    "becomes root": cheat("import os\nos.setuid(0)\nopen('/etc/shadow')", "user"),
}

COLAB = {
    "colab": {"provenance": []},
    "kernelspec": {"name": "python3", "display_name": "Python 3"},
    "accelerator": "GPU",
}
LITE = {"kernelspec": {"name": "python", "display_name": "Python (Pyodide)"}}
WIDGETS = {"widgets": {"application/vnd.jupyter.widget-state+json": {"state": {"a" * 32: {}}, "version_major": 2}}}
FOREIGN_KERNEL = {"kernelspec": {"name": "my old course", "display_name": "Python 2", "language": "python"}}


def move(made: list[dict]) -> None:
    made.insert(0, made.pop(AT))


def split(made: list[dict]) -> None:
    head, _, body = made[AT]["source"].partition("def idf")
    made[AT : AT + 1] = [code("unit = 1", exercise="bm25.idf"), code(head + "def idf" + body, exercise="bm25.idf")]


def retype(made: list[dict]) -> None:
    made[AT] = {**made[AT], "cell_type": "markdown"}


def forget(made: list[dict]) -> None:
    for one in made:
        one["metadata"] = {}


def number(made: list[dict]) -> None:
    for one in made:
        one["id"] = "same"


CHANGED = {
    "checks deleted": changed(lambda made: made.__delitem__(CHECK)),
    "checks edited": changed(
        lambda made: made[CHECK].update(source="idf = check('bm25.idf', lambda *_: 0) or idf"), idf="failed", points=1
    ),
    "checks that say yes": changed(lambda made: made[CHECK].update(source="points = lambda _: 14\npoints('bm25.idf')")),
    "checks copied": changed(lambda made: made.extend(made[3:6])),
    "a copy left blank": changed(lambda made: made.append(code("def idf(n, m):\n    raise NotImplementedError"))),
    "two definitions": changed(
        lambda made: made.insert(1, code("def idf(n_docs, doc_freq):\n    return 0")), "several cells"
    ),
    "cells moved": changed(move),
    "a cell split": changed(split),
    "a cell retyped": changed(retype, "became a text cell"),
    "no metadata": changed(forget),
    "ids that are all the same": changed(number),
    "ten thousand cells": changed(lambda made: made.extend([code("")] * 10_000)),
    "a cell of 5 MB": changed(lambda made: made.insert(1, code("# " + "x" * 5_000_000))),
    "cells that are none": changed(lambda made: made.extend([None, 3, [], {}, {"cell_type": 3, "source": {"a": 1}}])),
}

FILES = {
    "empty": refused(writes(b""), "empty"),
    "truncated": refused(writes(GOOD[: len(GOOD) // 2]), "not readable JSON"),
    "merge conflict": refused(writes(b"<<<<<<< HEAD\n" + GOOD + b"=======\n"), "not readable JSON"),
    "a web page": refused(writes(b"<!DOCTYPE html><title>Log in</title>"), "not readable JSON"),
    "a list": refused(writes(b"[1, 2]"), "not a Jupyter notebook"),
    "brackets": refused(writes(b"[" * 1_000_000), "not readable JSON"),
    "a pickle": refused(writes(b"\x80\x04\x95"), "not readable JSON"),
    "nbformat 3": refused(writes(b'{"nbformat": 3, "worksheets": [{"cells": []}]}'), "format 4"),
    "no cells": refused(holds([]), "no code cells"),
    "blank cells": refused(holds([code(" \n")]), "no code cells"),
    "another subject": refused(
        writes(notebook([code("import pandas")], {}).encode(), "lab.ipynb"), "not an exercise notebook"
    ),
    "a folder for a notebook": refused(lambda folder: (folder / FILE).mkdir(), "No notebook"),
    "no notebook": refused(writes(b"dear teacher", "letter.txt"), "No notebook"),
    "a link outside": refused(link("/etc/passwd"), "link"),
    "a link to itself": refused(link(FILE), "link"),
    "a link to a device": refused(link("/dev/zero"), "link"),
    "a link to another's": refused(link(f"../honest 00/{FILE}"), "link"),
    "zip slip": refused(zipped(("../../" + FILE, GOOD), ("/" + PWNED, b"x"), ("..\\" + PWNED, b"x")), "no notebook"),
    "zip bomb": refused(zipped((FILE, b" " * 250_000_000)), "over 200 MB"),
    "a zip in a zip": refused(zipped(("inner.zip", b"PK")), "inside another zip"),
    "a zip that is none": refused(writes(b"PK\x03\x04" + GOOD, "work.zip"), "cannot be opened"),
    "a good zip": Kind(zipped((FILE, GOOD))),
    "BOM": Kind(writes(b"\xef\xbb\xbf" + ACCENTS.encode())),
    "UTF-16": Kind(writes(ACCENTS.encode("utf-16"))),
    "Latin-1": Kind(writes(ACCENTS.encode("latin-1")), says="Windows-1252"),
    "CRLF": Kind(writes(json.dumps(json.loads(GOOD), indent=1).replace("\n", "\r\n").encode())),
    "200 MB": Kind(big, says="MB"),
    "unicode 学生 \u202e🙂": Kind(holds(answers(), name="mon  devoir é (1).ipynb")),
    "=1+1": Kind(holds(answers())),
    "two\nlines": Kind(holds(answers())),
    "renamed": Kind(holds(answers(), name="Untitled12.ipynb")),
    "wrong kernel": Kind(holds(answers(), FOREIGN_KERNEL)),
    "Colab": Kind(
        holds(
            [code("!pip install numpy\nfrom google.colab import drive\ndrive.mount('/content/drive')"), *answers()],
            COLAB,
        ),
        says="google",
    ),
    "JupyterLite": Kind(
        holds([code("import piplite\nawait piplite.install('numpy')"), *answers()], LITE), says="piplite"
    ),
    "widget state": Kind(holds(answers(), WIDGETS)),
    "another version": Kind(holds(answers(), {"ragteach": {**ENGLISH["ragteach"], "course": "0"}}), says="version 0"),
    "odd metadata": Kind(holds(answers(), {"ragteach": {"chapter": ["02_bm25"], "lang": "en", "course": {}}})),
    "constants that are no JSON": Kind(writes(GOOD.replace(b'"nbformat_minor": 5', b'"nbformat_minor": NaN'))),
    "a key twice": Kind(writes(GOOD[:-1] + b', "nbformat": 4}')),
}
if hasattr(os, "mkfifo"):
    FILES["a pipe for a notebook"] = refused(lambda folder: os.mkfifo(folder / FILE), "No notebook")

KINDS: dict[str, Kind] = {**IN_CELLS, **IN_FUNCTIONS, **CHEATS, **CHANGED, **FILES}
KINDS["function: deleted"] = Kind(holds(answers(after="del idf", idf="idf = None")), points=1, idf="missing")


def write_class(root: Path, kinds: dict[str, Kind], honest: Callable[[Path], object], every: int) -> int:
    """Write a folder for each kind, and an honest one before every few of them; return how many of the latter."""
    n = 0
    for number, (name, kind) in enumerate(kinds.items()):
        if number % every == 0:
            place = root / f"honest {n:02}"
            place.mkdir(parents=True)
            honest(place)
            n += 1
        place = root / name
        place.mkdir(parents=True)
        kind.write(place)
    return n
