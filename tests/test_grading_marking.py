"""Marking: what honest notebooks earn, whatever shape they come back in, and what one mistake costs."""

from dataclasses import replace
from pathlib import Path

import pytest
from grading_notebooks import ENTRIES, POINTS, SOLUTIONS, TOTAL, blank, cells, code, save, wrong

from ragteach import exercises
from ragteach.checking.tell import tell
from ragteach.grading import forked, marking, transport
from ragteach.grading.classroom import worded
from ragteach.grading.feedback import next_steps
from ragteach.grading.find import Found
from ragteach.grading.marking import STATUSES, mark
from ragteach.grading.remarks import scrubbed
from ragteach.grading.settings import Settings


@pytest.fixture
def marked(tmp_path):
    """Mark a notebook made of cells, with few random inputs: speed matters here, severity elsewhere."""

    def mark_cells(made, metadata=None, name="a.ipynb", **options):
        found = Found("a", save(tmp_path / name, made, metadata))
        result = mark(found, **{"n_random": 8, "timeout": 30.0, **options})
        assert result.status in STATUSES
        return result

    return mark_cells


def verdicts(result):
    return {one.exercise: one.verdict for one in result.results if not one.passed}


def remarks(result):
    return " ".join(remark["en"] for remark in result.remarks)


@pytest.mark.parametrize("sandbox", ["auto", "process"])
def test_solutions_earn_every_point_and_blanks_none(marked, sandbox):
    full = marked(cells(), settings=Settings(sandbox))
    assert (full.status, full.points, full.max_points, full.remarks) == ("graded", TOTAL, TOTAL, ())
    empty = marked(cells({id: blank(id) for id in SOLUTIONS}), settings=Settings(sandbox))
    assert (empty.status, empty.points, empty.max_points) == ("graded", 0, TOTAL)
    assert verdicts(empty) == dict.fromkeys(SOLUTIONS, "not_attempted")


@pytest.mark.parametrize("id", ["bm25.inverted_index", "bm25.idf", "bm25.term_weight", "bm25.scores"])
def test_one_early_mistake_costs_its_own_points_and_no_more(marked, id):
    result = marked(cells(wrong(id)))
    assert verdicts(result) == {id: "failed"}
    assert result.points == TOTAL - POINTS[id]


def test_a_blank_that_others_need_costs_its_own_points_and_no_more(marked):
    result = marked(cells({id: blank(id) for id in ("bm25.inverted_index", "bm25.idf", "bm25.scores")}))
    assert verdicts(result) == dict.fromkeys(["bm25.inverted_index", "bm25.idf", "bm25.scores"], "not_attempted")


def test_a_stand_in_refuses_what_the_reference_refuses(marked):
    leaning = """
def bm25_scores(query, documents, k1=1.5, b=0.75):
    refuse_text(query)
    term_weight(0, 1, 1, k1=k1, b=b)  # leaves it to term_weight to refuse k1 and b
    index = inverted_index(documents)
    avg_len = sum(map(len, documents)) / len(documents) if documents else 0
    scores = [0.0] * len(documents)
    for token in query:
        for doc, tf in index.get(token, []):
            scores[doc] += idf(len(documents), len(index[token])) * term_weight(tf, len(documents[doc]), avg_len, k1, b)
    return scores
"""
    result = marked(cells({**wrong("bm25.term_weight"), "bm25.scores": leaning}))
    assert verdicts(result) == {"bm25.term_weight": "failed"}


def test_a_mistake_is_named(marked):
    base_ten = SOLUTIONS["bm25.idf"].replace("return log(", "from math import log10\n    return log10(")
    result = marked(cells({"bm25.idf": base_ten}))
    (found,) = [one for one in result.results if one.exercise == "bm25.idf"]
    assert found.verdict == "failed" and found.diagnosis is not None


@pytest.mark.parametrize(
    ("checks", "tags"), [(False, True), (True, False), (False, False)], ids=["no checks", "no tags", "neither"]
)
def test_deleted_check_cells_and_lost_metadata_cost_nothing(marked, checks, tags):
    assert marked(cells(checks=checks, tags=tags)).points == TOTAL


def test_a_renamed_file_without_metadata_costs_nothing(marked):
    assert marked(cells(), {}, name="Mon rendu final – Élise.ipynb").points == TOTAL


def test_everything_in_one_cell_at_the_end(marked):
    sources = [cell["source"] for cell in cells()]
    result = marked([code("# empty"), code("\n".join(sources))])
    assert result.points == TOTAL


def test_a_function_is_called_as_it_stood_when_it_was_checked(marked):
    later = cells() + [code("def idf(n, m):\n    return 0\ndef refuse_text(x):\n    raise SystemExit\nlog = None")]
    assert marked(later).points == TOTAL


def test_calls_leave_nothing_behind(marked):
    counting = SOLUTIONS["bm25.tokenize"].replace("    text = u", "    global seen\n    seen += 1\n    text = u")
    spoilt = "seen = 0\n" + counting.replace("    return re", "    return [] if seen > 1 else re")
    assert marked(cells({"bm25.tokenize": spoilt})).points == TOTAL


def test_methods_closures_and_decorated_functions_find_the_stand_ins(marked):
    method = SOLUTIONS["bm25.search"].replace("\n", "\n    ").replace("bm25_search(query", "find(self, query")
    answers = {
        **wrong("bm25.scores"),
        "bm25.search": f"class Search:{method}\nbm25_search = Search().find",
        "bm25.explain": "import functools\ndef same(f):\n    return functools.wraps(f)(lambda *args: f(*args))\n@same"
        + SOLUTIONS["bm25.explain"],
    }
    assert verdicts(marked(cells(answers))) == {"bm25.scores": "failed"}


def test_a_cell_that_raises_stops_neither_the_notebook_nor_the_marking(marked):
    broken = [code("1 / 0"), code("def half(:\n"), *cells(), code("raise SystemExit('done')"), code("undefined")]
    result = marked(broken)
    assert result.points == TOTAL
    for error in ("ZeroDivisionError", "SyntaxError", "SystemExit: done", "NameError"):
        assert error in remarks(result)


def test_many_remarks_are_summed_up(marked):
    result = marked([code(f"undefined_{n}") for n in range(20)] + [code("check('bm25.idf', 1)")])
    assert len(result.remarks) == 1 + 7 and "15" in result.remarks[-1]["en"]  # the first: missing cells


def test_a_lesson_handed_in_is_marked_and_told(marked):
    lesson = {"ragteach": {"chapter": "02_bm25", "kind": "lesson", "lang": "en"}}
    result = marked(cells()[:4], lesson)
    assert result.points == POINTS["bm25.tokenize"] and "exercises" in remarks(result)


def test_missing_functions_and_other_things_under_their_name(marked):
    made = [cell for cell in cells() if "bm25.idf" not in cell["metadata"].values()]
    result = marked([*made, code("term_weight = check('bm25.term_weight', 3)\ntokenize = None")])
    assert verdicts(result) == {"bm25.idf": "missing"}  # term_weight's own cell still counts
    assert verdicts(marked([code("idf = 3"), code("check('bm25.idf', idf)")]))["bm25.idf"] == "missing"


def test_a_cell_that_stopped_says_so_where_its_function_is_missed(marked):
    answers = {
        "bm25.idf": SOLUTIONS["bm25.idf"].replace("doc_freq):", "doc_freq)", 1),
        "bm25.bim_weight": "x = np.no_such_thing\n" + SOLUTIONS["bm25.bim_weight"],
    }
    result = marked([*cells(answers)[:-4], code(SOLUTIONS["bm25.search"] + "\n" + SOLUTIONS["bm25.explain"] + "\n(")])
    assert set(verdicts(result).values()) == {"missing"} and len(verdicts(result)) == 4
    (idf,) = [one for one in result.results if one.exercise == "bm25.idf"]
    told = tell(exercises.get("bm25.idf"), idf, "en", secret=True).remarks
    assert "The cell that defines idf stopped on SyntaxError: expected ':'" in scrubbed(told[0], "en")
    assert "(line 1)" in scrubbed(told[0], "en")
    steps = " ".join(next_steps(result))
    assert steps.count("Corrigez l") == 3 and "AttributeError" in steps and "Faites" not in steps


def test_a_cell_that_only_lacks_the_function_of_a_cell_that_stopped_has_no_remark_of_its_own(marked):
    answers = {"bm25.idf": SOLUTIONS["bm25.idf"].replace("doc_freq):", "doc_freq)", 1)}
    result = marked([*cells(answers), code("idf(3, 1)"), code("idf_of_mine"), code("bm25_score([], [])")])
    (one, *others) = [remark["en"] for remark in result.remarks if "stopped on" in remark["en"]]
    assert "SyntaxError" in one and ["idf_of_mine" in other or "bm25_score" in other for other in others] == [True] * 2
    own_fault = marked([cell for cell in cells() if "def idf" not in cell["source"]])
    assert "NameError: name 'idf'" in remarks(own_fault)


def test_a_recognised_mistake_is_not_told_with_the_point_of_an_example(marked):
    """The smallest failing call is one with k beyond the list, which says nothing of the gain."""
    source = """
from math import log2

def dcg(gains, k):
    if k < 1 or any(gain < 0 for gain in gains):
        raise ValueError
    return sum(gain / log2(rank + 1) for rank, gain in enumerate(gains[:k], 1))
"""
    metadata = {"ragteach": {"chapter": "05_metrics", "kind": "exercises", "lang": "en", "course": "1"}}
    result = marked([code(source, exercise="metrics.dcg")], metadata)
    (graded,) = [one for one in result.results if one.exercise == "metrics.dcg"]
    told = tell(exercises.get("metrics.dcg"), graded, "en", secret=True)
    assert graded.diagnosis == "linear_gain" and graded.counterexample.point and told.diagnosis
    assert not [remark for remark in told.remarks if graded.counterexample.point["en"] in remark]
    unnamed = tell(exercises.get("metrics.dcg"), replace(graded, diagnosis=None), "en", secret=True)
    assert [remark for remark in unnamed.remarks if graded.counterexample.point["en"] in remark]


def test_solutions_handed_in_keep_their_points_and_are_told(marked):
    solutions = {"ragteach": {"chapter": "02_bm25", "kind": "solutions", "lang": "en", "course": "1"}}
    result = marked(cells(), solutions)
    assert result.points == TOTAL and "solutions notebook" in remarks(result)


def test_a_notebook_of_no_known_language_speaks_the_teachers(marked):
    result = marked(
        [code("from ragteach.retrieval import bm25"), code("def idf(n, m):\n    return 0")], {}, "02_bm25.ipynb"
    )
    assert result.lang == "" and "ragteach.retrieval" in remarks(result)
    row = worded(result, Found("a", Path("02_bm25.ipynb")), "last", "fr")
    assert row.details["lang"] == "fr" and "Résumé" in row.page


def test_shell_lines_are_refused_and_said_so_and_the_cell_goes_on(marked, tmp_path):
    target = tmp_path / "made"
    made = cells()
    made[1] = code(f"!touch '{target}'\n%pip install nothing\n%matplotlib inline\nfiles = !ls\n" + made[1]["source"])
    result = marked([code(f"%%bash\ntouch '{target}'"), *made])
    assert result.points == TOTAL
    assert "touch" in remarks(result) and "%pip" in remarks(result) and not target.exists()


def test_a_notebook_that_asks_and_prints_and_plots(marked):
    chatty = [
        code("name = input('Your name? ')"),
        code("for i in range(1_000_000):\n    print(i)"),
        code('import sys\nsys.stdout.write(\'{"n": 1, "kind": "value", "value": 0}\\n\')\nsys.stdout.flush()'),
        code("import sys\nsys.stdout = sys.stderr = None"),
        code("exit()"),
    ]
    noisy = SOLUTIONS["bm25.idf"].replace("    return", "    print('x' * 100_000)\n    return")
    result = marked(chatty + cells({"bm25.idf": noisy}))
    assert result.points == TOTAL and "EOFError" in remarks(result)


def test_a_fault_of_the_grader_is_no_zero(marked, monkeypatch):
    def fail(exercise, *_):
        if exercise.id == "bm25.idf":
            raise RuntimeError("our own mistake")
        return examine(exercise, *_)

    examine = marking.examine
    monkeypatch.setattr(marking, "examine", fail)
    result = marked(cells())
    assert (result.status, result.points) == ("grader_error", None)
    assert verdicts(result) == {"bm25.idf": "grader_error"} and "our own mistake" in result.fault


@pytest.mark.parametrize("sandbox", ["auto", "process"])
def test_a_worker_that_cannot_start_is_the_graders_fault(marked, monkeypatch, sandbox):
    forked.close_servers()

    def where_the_package_is_broken(scratch):
        (Path(scratch) / "ragteach.py").write_text("raise ImportError")
        return {"PYTHONPATH": scratch}

    monkeypatch.setattr(transport, "environment", where_the_package_is_broken)
    result = marked(cells(), settings=Settings(sandbox))
    assert (result.status, result.points) == ("grader_error", None) and "worker" in result.fault


def test_the_fixtures_name_the_right_functions():
    assert {id: exercises.get(id).entry for id in SOLUTIONS} == ENTRIES
    assert {id: exercises.get(id).points for id in SOLUTIONS} == POINTS


def test_arguments_changed_in_the_worker_are_seen_from_here(marked):
    """Lists cross the pipe as copies, so only the worker can tell what a function did to its arguments."""
    connect = """
def connect(vectors, neighbours, node, selected, m_max):
    {layer} = {first}
    for a, b in [(node, other) for other in selected] + [(other, node) for other in selected]:
        {layer}[a] = [*{layer}.get(a, []), *([] if b in {layer}.get(a, []) else [b])]
    for linked in (node, *selected):
        if len({layer}.setdefault(linked, [])) > m_max:
            {layer}[linked] = select_neighbours(vectors, linked, {layer}[linked], m_max)
    if m_max < 1 or node in selected or not 0 <= node < len(vectors):
        raise ValueError("m_max or node")
    return {layer}
"""
    metadata = {"ragteach": {"chapter": "08_hnsw", "kind": "exercises", "lang": "en", "course": "1"}}
    outcomes = {}
    for name, first in (
        ("copied", "{n: list(links) for n, links in neighbours.items()}"),
        ("neighbours", "neighbours"),
    ):
        cell = code(connect.format(layer=name, first=first), exercise="hnsw.connect")
        result = marked([cell], metadata, name=f"{name}.ipynb")
        outcomes[name] = next(one for one in result.results if one.exercise == "hnsw.connect")
    assert outcomes["copied"].passed, outcomes["copied"].counterexample
    assert (outcomes["neighbours"].verdict, outcomes["neighbours"].diagnosis) == ("failed", "in_place")
