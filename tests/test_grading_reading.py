"""Reading submissions: files that nobody vouches for, and the names that they get."""

import io
import json
import os
import tracemalloc
from pathlib import Path

import pytest
from grading_notebooks import ENTRIES, METADATA, SOLUTIONS, blank, cells, code, notebook, save
from hypothesis import given, settings
from hypothesis import strategies as st

from ragteach import COURSE_VERSION
from ragteach.grading import cells as reading_cells
from ragteach.grading import slim, submission
from ragteach.grading.archive import BadArchive, unpack
from ragteach.grading.find import Found, file_name, find
from ragteach.grading.marking import mark
from ragteach.grading.store import key_of
from ragteach.grading.submission import Refused, read

FOREIGN = [code("import pandas as pd\nframe = pd.DataFrame()"), code("frame.describe()")]


def refusal(path, data):
    path.write_bytes(data if isinstance(data, bytes) else data.encode())
    with pytest.raises(Refused) as caught:
        read(path)
    assert set(caught.value.reason) == {"fr", "en"}
    return caught.value.reason["en"]


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-16-le", "utf-32"])
def test_encodings(tmp_path, encoding):
    path = tmp_path / "a.ipynb"
    path.write_bytes(notebook(cells({"bm25.idf": "é = 'œuvre'"})).encode(encoding))
    assert any("œuvre" in cell.source for cell in read(path).cells)


@pytest.mark.parametrize("minor", range(6))
def test_cells_of_nbformat_4_with_or_without_ids_and_metadata(tmp_path, minor):
    bare = [{"cell_type": "code", "source": ["idf = check(\n", "    'bm25.idf', idf)"]}, {"cell_type": "markdown"}, 7]
    path = tmp_path / "a.ipynb"
    path.write_text(notebook(bare, {}, minor))
    read_back = read(path)
    assert [cell.source for cell in read_back.cells] == ["idf = check(\n    'bm25.idf', idf)"]
    assert read_back.chapter.id == "02_bm25"


def test_what_is_no_notebook_is_refused_in_a_sentence(tmp_path):
    path = tmp_path / "a.ipynb"
    sentences = {
        refusal(path, b""),
        refusal(path, b"\xef\xbb\xbf \n"),
        refusal(path, b"\x80\x04binary \x00\xff"),
        refusal(path, "[" * 100_000),
        refusal(path, '{"cells": ['),
        refusal(path, "[1, 2]"),
        refusal(path, '{"a": ' + "9" * 5000 + "}"),
        refusal(path, json.dumps({"nbformat": 3, "worksheets": []})),
        refusal(path, json.dumps({"cells": {}})),
        refusal(path, notebook([])),
        refusal(path, notebook([{"cell_type": "markdown", "source": "bm25.idf"}])),
        refusal(path, notebook(FOREIGN, {})),
    }
    assert len(sentences) == 6  # empty, no JSON, no notebook, old format, no code, another course


def test_a_file_too_big_is_refused_unread(tmp_path, monkeypatch):
    monkeypatch.setattr(submission, "MAX_BYTES", 1000)
    assert "Clear" in refusal(tmp_path / "a.ipynb", notebook(cells()))


def test_a_file_in_windows_own_encoding_is_read_and_told(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_bytes(notebook(cells({"bm25.idf": "é = 'Élise'"})).encode("latin-1", errors="replace"))
    made = read(path)
    assert any("Élise" in cell.source for cell in made.cells)
    assert "UTF-8" in made.remarks[0]["en"]


# --- big files ---


def heavy(n_lines):
    """Make the cells of a notebook with big outputs, tricky ones included."""
    lines = ['}"]{[ \\\\ "outputs": [1, {"a": "b"}], \n'] * n_lines
    output = {"output_type": "stream", "name": "stdout", "text": lines}
    picture = {"output_type": "display_data", "data": {"image/png": "iVBOR" * 1000, "x": [[1, {"outputs": [2]}]]}}
    made = cells({"bm25.idf": 'idf = "outputs"  # {"outputs": ["]"\n' + SOLUTIONS["bm25.idf"]})
    for cell in made:
        cell["outputs"] = [output, picture]
    return made


def test_outputs_and_widgets_of_a_big_notebook_are_not_read(tmp_path, monkeypatch):
    path = tmp_path / "a.ipynb"
    metadata = {**METADATA, "widgets": {"application/vnd.jupyter.widget-state+json": {"state": {"x": "]}" * 1000}}}}
    path.write_text(notebook(heavy(20), metadata), encoding="utf-8")
    whole = read(path)
    monkeypatch.setattr(slim, "WHOLE", 1000)
    monkeypatch.setattr(submission, "OUTPUTS_TOLD", 1000)
    cut = read(path)
    assert cut.cells == whole.cells and cut.chapter is whole.chapter and cut.lang == whole.lang
    assert "not read" in cut.remarks[-1]["en"] and whole.remarks == cut.remarks[:-1]


def test_the_memory_for_a_big_notebook_is_bounded(tmp_path):
    path = tmp_path / "a.ipynb"
    path.write_text(notebook(heavy(40_000)), encoding="utf-8")
    assert path.stat().st_size > 20_000_000
    tracemalloc.start()
    made = read(path)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(made.cells) == len(cells()) and most < 5_000_000


def test_what_is_big_without_its_outputs_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(submission, "MAX_BYTES", 100_000)
    assert "Clear" in refusal(tmp_path / "a.ipynb", notebook([*cells(), code("x = 1\n" * 100_000)]))
    monkeypatch.setattr(slim, "MAX_FILE", 1000)
    assert "Clear" in refusal(tmp_path / "b.ipynb", notebook(cells()))


def test_a_file_of_nothing_but_brackets_ends_soon(monkeypatch):
    monkeypatch.setattr(slim, "MAX_TOKENS", 10_000)
    for data in (b'{"outputs": ' + b"[" * 100_000, b'"' * 100_000, b'{"outputs": [' * 100_000):
        try:
            assert len(slim.without_heavy(data, 1_000_000)) <= len(data)
        except slim.TooBig:
            pass


@pytest.mark.parametrize("cell", ["{}", "7", '{"cell_type":"code","source":"check(\'bm25.idf\',1);idf=1"}'])
def test_too_many_cells_are_refused_whatever_they_hold(tmp_path, cell):
    path = tmp_path / "02_bm25.ipynb"
    head = '{"nbformat": 4, "metadata": {"ragteach": {"chapter": "02_bm25"}}, "cells": ['
    assert "20,000 cells" in refusal(path, head + ",".join([cell] * (submission.MAX_CELLS + 1)) + "]}")
    own = notebook([*cells(), *[code("x = 1")] * (submission.MAX_CELLS - len(cells()))])
    path.write_text(own, encoding="utf-8")
    assert len(read(path).cells) == submission.MAX_CELLS


@pytest.mark.parametrize("piece", ["{}", "[]", "0.5", "null", '"a"', '{"a": [{"b": "c"}]}', '{"outputs": []}'])
def test_a_big_file_of_small_pieces_is_refused_before_it_is_taken_apart(tmp_path, monkeypatch, piece):
    path = tmp_path / "02_bm25.ipynb"
    monkeypatch.setattr(slim, "WHOLE", 1000)
    monkeypatch.setattr(slim, "MAX_PIECES", 5_000)
    monkeypatch.setattr(submission.json, "loads", lambda _: pytest.fail("taken apart"))
    assert "20,000 cells" in refusal(path, '{"cells": [' + ",".join([piece] * 50_000) + "]}")


def test_each_cell_is_searched_once_however_many_exercises_there_are(tmp_path, monkeypatch):
    class Counted:
        def __init__(self, pattern):
            self.pattern, self.calls = pattern, 0

        def __getattr__(self, name):
            self.calls += 1
            return getattr(self.pattern, name)

    all_in_one = "\n".join([*SOLUTIONS.values(), *(f'check("{id}", {entry})' for id, entry in ENTRIES.items())])
    for made in (all_in_one, SOLUTIONS["bm25.idf"], blank("bm25.idf"), "x = 1"):
        counted = {name: Counted(getattr(reading_cells, name)) for name in ("CHECK_CALL", "DEFINED", "BLANK")}
        for name, pattern in counted.items():
            monkeypatch.setattr(reading_cells, name, pattern)
        save(tmp_path / "a.ipynb", [code(made, exercise="bm25.idf")] * 500)
        assert len(read(tmp_path / "a.ipynb").cells) == 500
        assert {name: pattern.calls <= 2 * 500 for name, pattern in counted.items()} == dict.fromkeys(counted, True)
        monkeypatch.undo()


@settings(max_examples=300, deadline=None)
@given(st.binary(max_size=200) | st.text('"\\{}[]:, outputs', max_size=80).map(lambda text: text.encode()))
def test_cutting_garbage_ends_and_never_grows(data):
    assert len(slim.without_heavy(data, 1000)) <= len(data)


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["outputs", "source", "a"]), inner),
    max_leaves=20,
)


def emptied(value, key=None):
    """Do to plain data what cutting does to their text."""
    if key == "outputs" and isinstance(value, list | dict):
        return []
    if isinstance(value, dict):
        return {name: emptied(inner, name) for name, inner in value.items()}
    return [emptied(inner) for inner in value] if isinstance(value, list) else value


@settings(max_examples=300, deadline=None)
@given(JSON, st.sampled_from([None, 1]), st.booleans())
def test_cutting_leaves_the_rest_as_it_was(value, indent, ascii_only):
    text = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode("utf-8", "surrogatepass")
    assert json.loads(slim.without_heavy(text, 10_000)) == emptied(value)


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=100) | JSON.map(lambda value: json.dumps(value).encode()))
def test_any_file_is_read_or_refused(tmp_path_factory, data):
    path = tmp_path_factory.getbasetemp() / "any.ipynb"
    path.write_bytes(data)
    try:
        read(path)
    except Refused as refused:
        assert set(refused.reason) == {"fr", "en"}


ODD = st.none() | st.booleans() | st.integers() | st.text(max_size=5) | st.just([]) | st.just({"a": 1})


@settings(max_examples=200, deadline=None)
@given(
    st.lists(
        st.fixed_dictionaries(
            {},
            optional={
                "cell_type": st.sampled_from(["code", "markdown", "raw"]) | ODD,
                "source": st.sampled_from(["def idf(a, b): pass", 'check("bm25.idf", f)']) | ODD | st.lists(ODD),
                "id": ODD | st.just("bm25-idf"),
                "metadata": ODD
                | st.fixed_dictionaries(
                    {},
                    optional={
                        "exercise": ODD | st.just("bm25.idf"),
                        "nbgrader": ODD | st.fixed_dictionaries({"grade_id": ODD, "points": ODD}),
                        "written": ODD | st.just("lsa.w_memory"),
                        "points": ODD | st.just(float("nan")),
                    },
                ),
            },
        )
        | ODD,
        max_size=4,
    ),
    ODD | st.fixed_dictionaries({"ragteach": ODD | st.dictionaries(st.sampled_from(["chapter", "lang", "kind"]), ODD)}),
)
def test_any_notebook_is_read_or_refused(tmp_path_factory, made, metadata):
    path = tmp_path_factory.getbasetemp() / "02_bm25_odd.ipynb"
    path.write_text(json.dumps({"nbformat": 4, "metadata": metadata, "cells": made}), encoding="utf-8")
    try:
        assert read(path).cells
    except Refused as refused:
        assert set(refused.reason) == {"fr", "en"}


# --- cells moved, copied, split, retyped ---


def exercise_cells(made):
    """Give the sources of the cells of each exercise, and the remarks in English."""
    return {cell.exercise: cell.source for cell in made.cells if cell.exercise}, [one["en"] for one in made.remarks]


def shuffled(tmp_path, made, metadata=METADATA):
    return exercise_cells(read(save(tmp_path / "a.ipynb", made, metadata)))


def test_nothing_is_said_of_a_notebook_as_it_should_be(tmp_path):
    for made in (cells(), cells(checks=False), cells(tags=False), cells({id: blank(id) for id in SOLUTIONS})):
        assert shuffled(tmp_path, made)[1] == []


def test_a_cell_without_metadata_is_known_by_its_function(tmp_path):
    found, _ = shuffled(tmp_path, cells(tags=False, checks=False))
    assert found == SOLUTIONS


def test_a_cell_that_checks_is_known_by_that(tmp_path):
    made = [cell for cell in cells(tags=False) if "bm25.idf" not in cell["source"] and "def idf" not in cell["source"]]
    made.append(code('def my_own(n, m):\n    return 0\n\nidf = check("bm25.idf", my_own)'))
    assert "my_own" in shuffled(tmp_path, made)[0]["bm25.idf"]


def test_of_a_cell_and_its_copy_the_one_that_is_filled_in_counts(tmp_path):
    for first, second in ((SOLUTIONS["bm25.idf"], blank("bm25.idf")), (blank("bm25.idf"), SOLUTIONS["bm25.idf"])):
        made = cells({"bm25.idf": first})
        made.append(code(second, exercise="bm25.idf"))
        found, remarks = shuffled(tmp_path, made)
        assert found["bm25.idf"] == SOLUTIONS["bm25.idf"]
        assert len(remarks) == 1 and "several cells" in remarks[0] and "idf" in remarks[0]


def test_an_answer_in_a_new_cell_below_the_blank_counts(tmp_path):
    made = cells({"bm25.idf": blank("bm25.idf")}, checks=False)
    made.append(code(SOLUTIONS["bm25.idf"]))
    assert shuffled(tmp_path, made)[0]["bm25.idf"] == SOLUTIONS["bm25.idf"]


def test_a_split_cell_is_told_and_the_part_that_defines_counts(tmp_path):
    made = cells()
    at = next(i for i, cell in enumerate(made) if cell["source"] == SOLUTIONS["bm25.idf"])
    made.insert(at, code("from math import log", exercise="bm25.idf"))
    made.insert(at + 2, code("idf(3, 1)", exercise="bm25.idf"))
    found, remarks = shuffled(tmp_path, made)
    assert found["bm25.idf"] == SOLUTIONS["bm25.idf"] and len(remarks) == 1 and "split" in remarks[0]


@pytest.mark.parametrize("kind", ["markdown", "raw"])
def test_a_retyped_cell_is_told_and_run_where_it_stands(tmp_path, kind):
    made = cells()
    at = next(i for i, cell in enumerate(made) if cell["source"] == SOLUTIONS["bm25.idf"])
    made[at]["cell_type"] = kind
    found, remarks = shuffled(tmp_path, made)
    assert found["bm25.idf"] == SOLUTIONS["bm25.idf"] and list(found) == list(SOLUTIONS)
    assert len(remarks) == 1 and "text cell" in remarks[0]


def test_missing_cells_are_told(tmp_path):
    made = [cell for cell in cells() if "def idf(" not in cell["source"] and "bm25.idf" not in cell["source"]]
    _, remarks = shuffled(tmp_path, made)
    assert len(remarks) == 1 and remarks[0].endswith(f"any more: {ENTRIES['bm25.idf']}.")


def test_duplicated_ids_and_edited_checks_cost_nothing(tmp_path):
    made = [{**cell, "id": "same"} for cell in cells()]
    for cell in made:
        if "check" in cell["metadata"]:
            cell["source"] = "print('I deleted the check')"
    assert shuffled(tmp_path, made) == (SOLUTIONS, [])


def test_colab_and_vs_code_keep_their_ids_elsewhere(tmp_path):
    colab = code("a", id="bm25-idf", colab={"base_uri": "x"})
    code_cell = {**code("b", vscode={"languageId": "python"}), "id": "bm25-search"}
    assert shuffled(tmp_path, [colab, code_cell], {"colab": {}, "language_info": {"name": "python"}})[0] == {
        "bm25.idf": "a",
        "bm25.search": "b",
    }


def test_answers_in_words_are_kept_for_the_teacher(tmp_path):
    def answer(id, text, **more):
        return {"cell_type": "markdown", "source": text, "metadata": {"written": id, **more}}

    made = [
        *cells(),
        answer("lsa.w_memory", "Parce que…", nbgrader={"points": 999}),
        answer("fusion.w_case", "*Votre réponse ici.*"),
        answer("lsa.w_memory", "*Your answer here.*"),
        answer("my.own_question", "And its points.", points=3),
    ]
    written = read(save(tmp_path / "a.ipynb", made, METADATA)).written
    assert [(one.id, one.points, one.text) for one in written] == [
        ("lsa.w_memory", 4, "Parce que…"),
        ("fusion.w_case", 6, ""),
    ]


def test_another_course_is_refused_even_under_the_right_name(tmp_path):
    assert "course" in refusal(tmp_path / "02_bm25.ipynb", notebook(FOREIGN, {}))
    assert "course" in refusal(tmp_path / "a.ipynb", notebook(FOREIGN, {"ragteach": {"chapter": "77_other"}}))


BARE = ("import math", *SOLUTIONS.values())
OTHERS = ("def tfidf(a): ...", "def cosine(a, b): ...")


@pytest.mark.parametrize(
    "sources",
    [BARE, ["\n".join(BARE)], BARE[-2:], ["\n".join(BARE[-2:])], [*BARE[-3:], *OTHERS], ["\n".join([*BARE, *OTHERS])]],
    ids=["all", "one cell", "two", "two in one cell", "most", "most in one cell"],
)
def test_functions_of_one_chapter_tell_it_whatever_the_files_name(tmp_path, sources):
    for name in ("TP2 bm25 final.ipynb", "one_cell.ipynb", "05_metrics.ipynb"):
        for metadata in ({}, {"ragteach": {"chapter": "77_other"}}):
            made = read(save(tmp_path / name, [code(source) for source in sources], metadata))
            assert made.chapter.id == "02_bm25"


@pytest.mark.parametrize(
    "sources",
    [
        BARE[-1:],
        [*BARE[-2:], *OTHERS],
        ["ndcg = 1\nmrr = 2", "average_precision = 3"],
        ["class A:\n    def idf(self): ...\n    def tokenize(self): ..."],
        ["tokenize('a')\nidf(3, 2)", "idf == tokenize"],
        ["def search(): ...\ndef index(): ..."],
    ],
    ids=["one", "as many of another", "variables", "methods", "calls", "another course"],
)
def test_names_that_any_course_may_use_tell_no_chapter(tmp_path, sources):
    assert "course" in refusal(tmp_path / "a.ipynb", notebook([code(source) for source in sources], {}))


def test_functions_in_text_tell_no_chapter(tmp_path):
    made = [{"cell_type": "markdown", "source": source, "metadata": {}} for source in BARE]
    assert "course" in refusal(tmp_path / "a.ipynb", notebook([code("x = 1"), *made], {}))


@pytest.mark.parametrize(
    ("name", "made", "metadata"),
    [
        ("x.ipynb", cells(checks=False, tags=False), METADATA),
        ("x.ipynb", cells(checks=False), {}),
        ("x.ipynb", cells(tags=False), {}),
        ("Dupont 02_bm25 (1).ipynb", cells(checks=False, tags=False), {}),
    ],
    ids=["metadata", "exercise cells", "check calls", "file name and functions"],
)
def test_the_chapter_is_found_by_any_trace_of_it(tmp_path, name, made, metadata):
    assert read(save(tmp_path / name, made, metadata)).chapter.id == "02_bm25"


def test_an_exercise_cell_is_known_by_nbgrader_and_by_its_id_too(tmp_path):
    made = [
        code("a", nbgrader={"grade_id": "bm25-idf"}),
        {**code("b"), "id": "bm25-search"},
        code("c", exercise="bm25.none"),
        code("d", exercise=["bm25.idf"]),
    ]
    found = [cell.exercise for cell in read(save(tmp_path / "a.ipynb", made)).cells]
    assert found == ["bm25.idf", "bm25.search", None, None]


def test_another_version_of_the_course_is_told_and_graded(tmp_path):
    other = {"ragteach": {**METADATA["ragteach"], "course": "0"}}
    assert read(save(tmp_path / "a.ipynb", cells(), METADATA)).remarks == ()
    (remark,) = read(save(tmp_path / "a.ipynb", cells(), other)).remarks
    assert "0" in remark["en"] and COURSE_VERSION in remark["en"]


def test_the_language_comes_from_the_metadata_else_from_the_text(tmp_path):
    french = [{"cell_type": "markdown", "source": "Écrivez la fonction pour les documents et la requête."}]
    assert read(save(tmp_path / "a.ipynb", cells(), METADATA)).lang == "fr"
    assert read(save(tmp_path / "a.ipynb", french + cells(), {})).lang == "fr"
    assert read(save(tmp_path / "a.ipynb", cells(), {"ragteach": {"lang": "de"}})).lang == "en"


def names(*paths):
    return [one.name for one in find(paths)]


def touch(root, *files):
    for name in files:
        save(root / name, [])
    return root


def test_a_folder_a_student_is_named_by_the_folder(tmp_path):
    root = touch(tmp_path / "class", "Zoé Élise/02_bm25.ipynb", "bob/deep er/x.ipynb", "bob/.hidden/y.ipynb")
    touch(root, "bob/deep er/.ipynb_checkpoints/x-checkpoint.ipynb", ".git/z.ipynb")
    assert names(root) == ["bob/deep er", "Zoé Élise"]


def test_notebooks_side_by_side_are_named_by_the_file(tmp_path):
    root = touch(tmp_path / "class", "ann.ipynb", "bob.v2.ipynb", "fr/one.ipynb", "fr/two.IPYNB")
    assert names(root) == ["ann", "bob.v2", "fr/one", "fr/two"]
    assert names(root / "ann.ipynb") == ["ann"]


def test_several_paths_put_their_own_name_first(tmp_path):
    touch(tmp_path, "exercises/fr/02_bm25.ipynb", "solutions/fr/02_bm25.ipynb")
    assert names(tmp_path / "exercises", tmp_path / "solutions") == ["exercises/fr", "solutions/fr"]
    both = names(tmp_path / "exercises/fr", tmp_path / "solutions/fr")
    assert both == ["exercises/fr/02_bm25", "solutions/fr/02_bm25"]
    files = names(tmp_path / "exercises/fr/02_bm25.ipynb", tmp_path / "solutions/fr/02_bm25.ipynb")
    assert len(set(files)) == 2


def test_a_path_given_twice_counts_once(tmp_path):
    root = touch(tmp_path / "class", "ann/a.ipynb", "bob/b.ipynb")
    assert names(root, root / "ann", root) == ["class/ann", "class/bob"]


def test_a_student_without_a_notebook_has_a_row(tmp_path):
    root = touch(tmp_path / "class", "ann/a.ipynb")
    (root / "bob").mkdir()
    (root / "bob" / "answers.pdf").write_text("")
    assert [(one.name, one.notebook is None) for one in find([root])] == [("ann", False), ("bob", True)]


def test_the_gradebook_of_an_earlier_run_is_no_student(tmp_path):
    root = touch(tmp_path / "class", "ann/a.ipynb")
    (root / "out").mkdir()
    for name in ("grades.csv", "grades.json"):
        (root / "out" / name).write_text("")
    assert names(root) == ["ann"]


def test_a_path_that_does_not_exist_is_named(tmp_path):
    with pytest.raises(ValueError, match="nowhere"):
        find([tmp_path / "nowhere"])


@pytest.mark.skipif(os.name == "nt", reason="names of other systems")
def test_names_that_another_system_would_take_for_one_stay_apart(tmp_path):
    root = touch(tmp_path, "Ann/a.ipynb", "ann/a.ipynb", "e\u0301/a.ipynb", "é/a.ipynb", "a\nb/a.ipynb", "a_b/a.ipynb")
    found = find([root])
    assert len(found) == 6 and all(one.name.isprintable() for one in found)
    assert len({file_name(one.name).casefold() for one in found}) == 6


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_a_link_out_of_the_folder_is_not_followed(tmp_path):
    outside = save(tmp_path / "solutions.ipynb", cells())
    root = touch(tmp_path / "class", "ann/a.ipynb", "bob/b.ipynb")
    (root / "bob" / "b.ipynb").unlink()
    (root / "bob" / "b.ipynb").symlink_to(outside)
    assert [(one.name, one.notebook is None) for one in find([root])] == [("ann", False), ("bob", True)]


def close(monkeypatch, path):
    """Take away the right to read a file or a folder: chmod does not, where root runs the tests."""

    def refuse(module, name):
        real = getattr(module, name)

        def checked(place=".", *args, **kwargs):
            inside = isinstance(place, str | os.PathLike) and path in Path(place).parents
            if inside or (name in ("scandir", "open") and str(place) == str(path)):
                raise PermissionError(13, "Permission denied", str(place))
            return real(place, *args, **kwargs)

        monkeypatch.setattr(module, name, checked)

    for module, name in ((os, "scandir"), (os, "stat"), (os, "lstat"), (io, "open")):
        refuse(module, name)


@pytest.mark.parametrize("layout", ["bob", "Bob_2_assignsubmission_file_", "bob/deep"])
def test_a_folder_that_cannot_be_read_has_a_row_and_stops_nobody_else(tmp_path, monkeypatch, layout):
    root = touch(tmp_path / "class", "ann/a.ipynb", f"{layout}/b.ipynb", "cid/c.ipynb")
    close(monkeypatch, root / layout)
    found = {one.name: one for one in find([root], tmp_path / "s")}
    assert set(found) == {"ann", layout, "cid"} and found["ann"].notebook and found["cid"].notebook
    assert found[layout].notebook is None and "cannot be read (Permission denied)" in found[layout].refusal["en"]


def test_a_class_that_cannot_be_read_is_said(tmp_path, monkeypatch):
    root = touch(tmp_path / "class", "ann/a.ipynb")
    close(monkeypatch, root)
    with pytest.raises(ValueError, match=r"class: The file cannot be read"):
        find([root])


def test_a_notebook_that_cannot_be_read_is_refused(tmp_path, monkeypatch):
    root = touch(tmp_path / "class", "ann/a.ipynb", "bob/b.ipynb")
    path = root / "bob" / "b.ipynb"
    key = key_of(path, 1)
    close(monkeypatch, path)
    assert [one.name for one in find([root])] == ["ann", "bob"]
    assert key_of(path, 1) not in (key, key_of(root / "ann" / "a.ipynb", 1))
    refused = mark(Found("bob", path))
    assert refused.status == "refused" and "cannot be read (Permission denied)" in refused.remarks[0]["en"]


def test_a_zip_that_cannot_be_read_is_not_called_damaged(tmp_path, monkeypatch):
    path = tmp_path / "a.zip"
    path.write_bytes(b"PK")
    close(monkeypatch, path)
    with pytest.raises(BadArchive, match="cannot be read"):
        unpack(path, tmp_path / "s")


@pytest.mark.parametrize(
    "name", ["..", "../../x", "/etc/x", "a/../../b", "c:\\x", "x" * 400, "é" * 200, ".", "a//b", "<b>"]
)
def test_a_feedback_file_never_leaves_its_folder(name):
    made = file_name(name)
    parts = made.split("/")
    assert ".." not in parts and "." not in parts and all(parts) and not set(made) & set('\\:<>|"')
    assert all(len(f"{part}.html".encode()) <= 255 for part in parts)


def test_the_fixtures_cover_every_exercise_of_the_chapter():
    from ragteach import exercises

    assert list(SOLUTIONS) == [exercise.id for exercise in exercises.chapter("02_bm25").exercises]
