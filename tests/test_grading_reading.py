"""Reading submissions: files that nobody vouches for, and the names that they get."""

import json
import os

import pytest
from grading_notebooks import METADATA, SOLUTIONS, cells, code, notebook, save

from ragteach import COURSE_VERSION
from ragteach.grading import submission
from ragteach.grading.find import file_name, find
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


def test_another_course_is_refused_even_under_the_right_name(tmp_path):
    assert "course" in refusal(tmp_path / "02_bm25.ipynb", notebook(FOREIGN, {}))
    assert "course" in refusal(tmp_path / "a.ipynb", notebook(FOREIGN, {"ragteach": {"chapter": "77_other"}}))


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
    assert names(root) == ["Zoé Élise", "bob/deep er"]


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
