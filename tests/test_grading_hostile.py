"""Code that loops, dies, floods or cheats: it costs its author what it breaks, and nobody else anything."""

import json
import os
import sys
import tempfile
import time

import pytest
from grading_notebooks import BEGIN, POINTS, SOLUTIONS, TOTAL, cells, code, save, wrong

from ragteach import exercises
from ragteach.checking.plain import NotPlain, decode, encode
from ragteach.grading import cells as reading
from ragteach.grading import examine, forked, jobs, marking, session, submission, words, workers
from ragteach.grading.cells import names_defined
from ragteach.grading.find import Found
from ragteach.grading.marking import mark
from ragteach.grading.samples import drawn
from ragteach.grading.sandbox import limits
from ragteach.grading.settings import Settings
from ragteach.retrieval.bm25 import idf

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
    verdict = "failed" if "array" in line else "crashed"  # an answer that is no plain data is a wrong one
    assert verdicts(result) == {"bm25.idf": verdict} and result.points == TOTAL - POINTS["bm25.idf"]


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


def test_a_cell_that_keeps_all_memory_costs_the_others_nothing(marked):
    hoard = "hoard = []\ntry:\n    while True:\n        hoard.append(bytearray(1000))\nexcept MemoryError:\n    pass"
    if sys.platform != "linux":
        pytest.skip("this system does not bound memory.")
    result = marked([code(hoard), *cells()], settings=Settings(memory=60))
    assert (result.status, verdicts(result)) == ("graded", {})
    assert "memory" in " ".join(remark["en"] for remark in result.remarks)


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


def test_what_a_slow_function_is_tried_on_depends_on_the_seed():
    simplest = [drawn(id, seed, 20)[0].encoded for id in ("bm25.idf", "bm25.search") for seed in range(6)]
    assert len({json.dumps(one) for one in simplest}) > 6  # hypothesis draws the simplest input first


def test_the_examples_by_heart_are_no_answer_however_slow(marked, monkeypatch):
    quick = session.Session.ask

    def slow(self, exercise, own, ask, samples, budget, least=1):  # as where the first random input takes all the time
        return quick(self, exercise, own, ask, samples, 0.0 if least > 1 else budget, least)

    monkeypatch.setattr(session.Session, "ask", slow)
    shown = {example.args: idf(*example.args) for example in exercises.get("bm25.idf").examples}
    by_heart = f"SHOWN = {shown}\ndef idf(n, m):\n    return SHOWN.get((n, m), 0.0)"
    result = marked(cells(wrong("bm25.idf", by_heart)), n_random=60)
    assert verdicts(result) == {"bm25.idf": "failed"}
    (one,) = [one for one in marked(cells(), n_random=60).results if one.exercise == "bm25.idf"]
    assert one.passed and one.n_cases == len(shown) + examine.LEAST_CALLS


def test_random_inputs_may_take_half_of_the_time_that_is_left(marked, monkeypatch):
    given, mark_one = [], marking.examine
    monkeypatch.setattr(marking, "examine", lambda *args: given.append(args[-1]) or mark_one(*args))
    marked(cells(), timeout=1000.0)
    assert len(given) == len(SOLUTIONS) and min(given) > 300


SPY = """
import sys
def idf(n, m):
    sys.__dict__.setdefault("spied", []).append((n, m))
    return idf_right(n, m){wrong}
"""


@pytest.mark.parametrize("wrong_at", ["", " + (n > 1000)"], ids=["right", "wrong on random inputs"])
def test_no_page_tells_a_random_input_that_another_function_has_seen(marked, wrong_at):
    spy = SOLUTIONS["bm25.idf"].replace("def idf(", "def idf_right(") + SPY.format(wrong=wrong_at)
    teller = "import sys\ndef bm25_search(*_, **__):\n    raise ValueError(str(sys.spied))"
    made = wrong("bm25.idf", spy) | wrong("bm25.search", teller)
    results = {one.exercise: one for one in marked(cells(made), n_random=60).results}
    assert results["bm25.idf"].passed is not bool(wrong_at)
    public = [str(example.args) for example in exercises.get("bm25.idf").examples]
    messages = [case.got.message for case in results["bm25.search"].examples if case.got.kind == "error"]
    assert messages and all(public[0] in message for message in messages) is not bool(wrong_at)
    secret = {str(one.args) for one in drawn("bm25.idf", 0, 60) if one.args[0] > 100} - set(public)  # of no example
    assert len(secret) > 20 and not [one for one in secret for message in messages if one in message]


def test_empty_lines_and_tagged_cells_without_end_are_read_at_once():
    lines = "\n" * 1_000_000  # hours, where a pattern may cross lines
    assert workers.libraries_of([lines, "  import sklearn.decomposition"]) == ["sklearn"]
    assert reading.BLANK.search(lines) is None and names_defined(lines) == set()
    chapter = exercises.chapter("02_bm25")
    assert submission.chapter_of(None, [reading.RawCell("code", lines)], "02_bm25") is None
    many = [reading.RawCell("code", "def idf(n, m):\n    pass", "bm25.idf")] * 30_000
    kept, _ = reading.assign(many, chapter)
    assert [i for i, cell in enumerate(kept) if cell.exercise] == [29_999]


ASKING = """
def bm25_scores(query, documents, k1=1.5, b=0.75):
    {question}
    return [0.0] * len(documents)
"""


@pytest.mark.parametrize(
    ("question", "verdict"),
    [
        ("idf(10, 2)", "failed"),
        ("idf('x' * 200_000, 2)", "crashed"),  # no honest question is so long
        ("idf({i: i for i in range(3000)}, 2)", "crashed"),
    ],
)
def test_questions_of_a_submission_are_bounded(marked, question, verdict):
    blank = wrong("bm25.idf", "def idf(n, m):\n    raise NotImplementedError")
    answers = {**blank, "bm25.scores": ASKING.format(question=question)}
    assert verdicts(marked(cells(answers)))["bm25.scores"] == verdict


def test_an_answer_that_takes_all_memory_is_refused():
    with limits.bounded_memory(50_000_000), pytest.raises(MemoryError):
        bytearray(400_000_000)
    assert len(bytearray(400_000_000)) == 400_000_000  # afterwards all is as before
    notebook = submission.Notebook((), exercises.chapter("02_bm25"), "en")
    one = session.Session(notebook, {}, {}, 30.0, Settings())
    question = {"args": encode((10**9,)), "kwargs": encode({})}
    assert one._reply(question, bytearray)["raise"] in ("MemoryError", "RuntimeError")
    assert one._reply({**question, "args": encode((3,))}, range) == {"told": [0, 1, 2]}


@pytest.mark.parametrize("data", [{"array": "", "dtype": ",", "shape": [0]}, {"dict": [[i, 0] for i in range(9999)]}])
def test_answers_that_would_hold_up_or_break_the_grader_are_none(data):
    with pytest.raises(NotPlain):
        decode(data)


def dies_of_the_fifth(found, *_, **__):
    """Stand for `mark` in a job: one submission kills it."""
    if found.name == "s5":
        os._exit(3)
    return marking.Marked(found.name, "graded")


def test_a_submission_that_kills_its_job_is_found_among_the_others(monkeypatch, tmp_path):
    monkeypatch.setattr(jobs, "mark", dies_of_the_fifth)
    found = [Found(f"s{n}", None) for n in range(9)]
    limits_and_more = {"jobs": 2, "seed": 0, "timeout": 9.0, "scratch": str(tmp_path), "settings": Settings()}
    done = [(one.name, marked.status) for one, marked in jobs.mark_all(found, **limits_and_more)]
    assert sorted(done) == [(f"s{n}", "grader_error" if n == 5 else "graded") for n in range(9)]
