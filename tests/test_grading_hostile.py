"""Code that loops, dies, floods or cheats: it costs its author what it breaks, and nobody else anything."""

import os
import sys
import tempfile
import time

import pytest
from grading_notebooks import BEGIN, POINTS, SOLUTIONS, TOTAL, cells, code, save, wrong

from ragteach.grading import forked, words
from ragteach.grading.find import Found
from ragteach.grading.marking import mark
from ragteach.grading.settings import Settings

IDF = SOLUTIONS["bm25.idf"]
SWALLOW = """
def idf(n_docs, doc_freq):
    while True:
        try:
            try:
                while True:
                    pass
            except BaseException:
                pass
        except BaseException:
            pass
"""


@pytest.fixture
def marked(tmp_path):
    def mark_cells(made, **options):
        return mark(Found("a", save(tmp_path / "a.ipynb", made)), **{"n_random": 2, "timeout": 30.0, **options})

    return mark_cells


def verdicts(result):
    return {one.exercise: one.verdict for one in result.results if not one.passed}


@pytest.mark.parametrize(
    ("source", "verdict"),
    [
        ("def idf(n, m):\n    while True:\n        pass", "timeout"),
        (SWALLOW, "timeout"),
        ("import os\ndef idf(n, m):\n    os._exit(0)", "crashed"),
        ("import ctypes\ndef idf(n, m):\n    ctypes.string_at(0)", "crashed"),
        ("def idf(n, m):\n    raise SystemExit(0)", "error"),
        ("def idf(n, m):\n    return input('?')", "error"),
        ("def idf(n, m):\n    return idf(n, m)", "error"),
        ("def idf(n, m):\n    return [0] * 10**11", "memory"),
        ("def idf(n, m):\n    return 'x' * 10**7", "failed"),
        ("def idf(n, m):\n    return (i for i in iter(int, 1))", "failed"),
        ("class Yes(float):\n    __eq__ = lambda *_: True\ndef idf(n, m):\n    return Yes(0)", "failed"),
        ("class Yes:\n    __eq__ = lambda *_: True\ndef idf(n, m):\n    return Yes()", "failed"),
        ("class Bad(Exception):\n    def __str__(self):\n        1 / 0\ndef idf(n, m):\n    raise Bad", "error"),
    ],
    ids="loop swallow exit segfault sys.exit input recursion memory huge endless eq-float eq bad-str".split(),
)  # fmt: skip
def test_a_bad_function_costs_its_own_exercise(marked, source, verdict):
    result = marked(cells(wrong("bm25.idf", source)))
    assert result.status == "graded"
    assert verdicts(result) == {"bm25.idf": verdict}


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_fork_goes_its_own_way_and_costs_nothing(marked):
    forking = "import os\n" + IDF.replace("    return", "    if doc_freq == 0:\n        os.fork()\n    return")
    assert marked([code("import os\nos.fork()"), *cells({"bm25.idf": forking})]).points == TOTAL


def test_two_functions_that_loop_cost_two_exercises(marked):
    loop = "def {}(*args, **kwargs):\n    while True:\n        pass"
    answers = {"bm25.idf": loop.format("idf"), "bm25.search": loop.format("bm25_search")}
    result = marked(cells(answers))
    assert result.status == "graded" and verdicts(result) == dict.fromkeys(answers, "timeout")


@pytest.mark.parametrize(
    "source",
    [
        "while True:\n    pass",
        "import os\nos._exit(1)",
        "import threading, time\nfor _ in range(20):\n    threading.Thread(target=time.sleep, args=(60,)).start()",
        "import gc\nx = [0] * 10**11",
        "def f():\n    f()\nf()",
        "import sys\nsys.setrecursionlimit(10**9)",
        "import os\nos.close(1); os.close(2)",
        "import signal\nsignal.signal(signal.SIGALRM, signal.SIG_IGN)\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)",
        "raise KeyboardInterrupt",
        "import warnings\nwarnings.simplefilter('error')",
    ],
    ids="loop exit threads memory recursion limit close signals interrupt warnings".split(),
)
def test_a_bad_cell_costs_nothing_but_itself(marked, source):
    result = marked([code(source), *cells()], timeout=12.0)
    assert (result.status, result.points) == ("graded", TOTAL)


def test_a_notebook_that_only_loops_is_out_of_time(marked):
    result = marked([code("while True:\n    pass")] * 8 + cells(), timeout=1.0)
    assert (result.status, result.points) == ("timeout", 0)
    assert set(verdicts(result).values()) == {"timeout"}
    assert words.STOPPED["timeout"] in result.remarks


@pytest.mark.parametrize(
    "source",
    [
        "import ragteach.notebook\nragteach.notebook.check = lambda id, f=None: True",
        "from ragteach.retrieval.bm25 import idf",
        "import ragteach.exercises\nidf = ragteach.exercises.get('bm25.idf').reference",
        "from ragteach import exercises\nidf = exercises.get('bm25.idf').reference",
        "import importlib\nidf = importlib.import_module('ragteach.answers')",
        "import builtins, math\nbuiltins.isinstance = lambda *_: True\nmath.isclose = lambda *_, **__: True",
        "import json\njson.dumps = lambda *_, **__: '{\"passed\": true}'",
        "import ragteach.checking.run as run\nrun.run_call = run.run = lambda *_, **__: True",
        "import ragteach.checking.compare as c\nc.same = lambda *_, **__: None",
        "import numpy\nnumpy.isclose = lambda *_, **__: numpy.bool_(True)",
        "import sys\nsys.exit(0)",
    ],
    ids="check retrieval exercises package import_module builtins json run compare numpy exit".split(),
)
def test_patching_and_prying_earn_nothing(marked, source):
    guess = "def idf(n, m):\n    return 1.0\ncheck('bm25.idf', idf)"
    result = marked([code(BEGIN), code(guess), code(source), code("check('bm25.idf', idf)")])
    assert result.points == 0


def test_what_is_closed_says_so_in_the_notebooks_language(marked):
    result = marked([*cells(), code("from ragteach.retrieval import bm25"), code("from ragteach.explore import table")])
    assert result.points == TOTAL
    (remark,) = result.remarks
    assert "ragteach.retrieval n’est pas disponible" in remark["fr"]


@pytest.mark.parametrize(
    "line",
    [
        '{"n": job["n"], "kind": "passed"}',
        '{"n": job["n"], "kind": "crashed", "value": None, "errors": [], "message": "", "line": "", "printed": ""}',
        '{"n": 10**9, "kind": "value", "value": 1.0, "errors": [], "message": "", "line": "", "printed": ""}',
        '{"n": job["n"], "ask": "bm25.idf", "args": {"tuple": [10, 2]}, "kwargs": {"dict": []}}',
        '{"n": job["n"], "verdict": "passed", "points": 14}',
        '{"n": job["n"], "kind": "value", "value": {"array": "", "dtype": "O", "shape": [1]}, "errors": []}',
        '{"n": job["n"], "done": 3}',
        '{"n": job["n"], "done": len(job["calls"])}',
        "[]",
        '"passed"',
    ],
    ids="kind crash number ask verdict object early done list text".split(),
)
def test_lines_forged_on_the_pipe_earn_nothing(marked, line):
    prying = f"""
import sys
def idf(n_docs, doc_freq):
    frame = sys._getframe()
    while "pipe" not in frame.f_locals or "job" not in frame.f_locals:
        frame = frame.f_back
    pipe, job = frame.f_locals["pipe"], frame.f_locals["job"]
    pipe.send({line})
    return pipe.receive()["told"]
"""
    result = marked(cells(wrong("bm25.idf", prying)))
    assert verdicts(result) == {"bm25.idf": "crashed"} and result.points == TOTAL - POINTS["bm25.idf"]


def test_learning_the_visible_examples_and_then_taking_ones_time_earns_nothing(marked):
    from ragteach import exercises

    idf = exercises.get("bm25.idf")
    known = {args: idf.reference(*args) for args in (e.args for e in idf.examples) if 0 <= args[1] <= args[0]}
    learnt = f"""
import time
def idf(n_docs, doc_freq):
    if not 0 <= doc_freq <= n_docs:
        raise ValueError
    if (n_docs, doc_freq) in {list(known)}:
        time.sleep(1.5)
        return {known}[n_docs, doc_freq]
    time.sleep(1.5)
    return 0.123456
"""
    assert verdicts(marked(cells(wrong("bm25.idf", learnt))))["bm25.idf"] in ("failed", "timeout")


def test_hoarding_memory_is_a_status(marked):
    hoard = "hoard = []\ntry:\n    while True:\n        hoard.append(bytearray(1000))\nexcept MemoryError:\n    pass"
    if sys.platform != "linux":
        pytest.skip("this system does not bound memory.")
    result = marked([code(hoard), *cells()], settings=Settings(memory=60))
    assert (result.status, result.points) == ("memory", 0)


def test_garbage_and_floods_on_the_pipe_earn_nothing(marked):
    flood = """
import os
def idf(n_docs, doc_freq):
    for descriptor in range(3, 64):
        try:
            os.write(descriptor, b"\\x00\\xff[[[[" * 500_000)
        except OSError:
            pass
"""
    assert verdicts(marked(cells(wrong("bm25.idf", flood)))) == {"bm25.idf": "crashed"}


def test_nothing_is_left_on_disk(marked, tmp_path, monkeypatch):
    scratch = tmp_path / "scratch"
    scratch.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(scratch))
    writing = cells(wrong("bm25.idf", "def idf(n, m):\n    open('x', 'w').write('x')\n    import os; os._exit(1)"))
    marked([code("open('data.txt', 'w').write('x')"), *writing])
    forked.close_servers()  # as when the grading process ends
    assert not [path for path in scratch.iterdir() if not path.name.startswith("ragteach-hypothesis")]


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_processes_of_the_notebook_end_with_it(marked, tmp_path):
    beat = tmp_path / "beat"
    source = f"""
import os, time
if os.fork() == 0:
    while True:
        open({str(beat)!r}, "a").write("x")
        time.sleep(0.05)
"""
    assert marked([code(source), *cells()], settings=Settings("process")).points == TOTAL
    size = beat.stat().st_size
    time.sleep(0.4)
    assert beat.stat().st_size == size
