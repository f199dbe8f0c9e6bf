"""`ragteach build`, on small courses of the tests' own and on the project's."""

import ast
import json
import os
import re
import shutil
from pathlib import Path

import nbformat
import pytest
from IPython.core.inputtransformer2 import TransformerManager

from ragteach import exercises
from ragteach.build import BuildError, build, check, kernel, make, targets
from ragteach.build.stored import edited

PROJECT = Path(__file__).parents[1]
POINTS = {"toy.half": 1, "toy.double": 2}

LESSON = """# %% [markdown]
# # Une leçon

# %%
from ragteach.retrieval.text import tokenize

# %% tags=["nbval-check-output"]
print(tokenize("Le fusible"))
for n in range(3):
    print(n, flush=True)

# %% [markdown]
# À vous.

# %%
def half(x):
    raise NotImplementedError
"""

EXERCISES = '''# %% [markdown]
# ## La moitié

# %% exercise="toy.half"
def half(x: float) -> float:
    """La moitié."""
    if x:
        ### BEGIN SOLUTION
        y = x / 2
        return y
        ### END SOLUTION
    return 0.0

# %% check="toy.half"
print(half(3))

# %% [markdown] tags=["solution"]
# On divise par deux.

# %% [markdown]
# Fin.
'''


def write_sources(root: Path) -> Path:
    """Write the sources of one small French chapter; returns the project's folder."""
    folder = root / "course/fr/01_toy"
    folder.mkdir(parents=True)
    (folder / "lesson.py").write_text(LESSON, encoding="utf-8")
    (folder / "exercises.py").write_text(EXERCISES, encoding="utf-8")
    return root


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """Give a project with one small chapter and no notebook yet."""
    return write_sources(tmp_path)


@pytest.fixture(scope="module")
def built_once(tmp_path_factory) -> Path:
    """Build the small chapter: it takes two kernels, so once for all the tests that only need the result."""
    root = write_sources(tmp_path_factory.mktemp("built"))
    assert run(root)[0] == []
    return root


@pytest.fixture
def built(built_once: Path, tmp_path: Path) -> Path:
    """Give a project with the small chapter built."""
    return shutil.copytree(built_once, tmp_path / "project")


def run(root: Path, **options) -> tuple[list[str], list[str]]:
    """Build; returns the problems and what was said."""
    said: list[str] = []
    return build(root, points=POINTS.__getitem__, say=said.append, **options), said


def made(root: Path, kind: str) -> nbformat.NotebookNode:
    """Make the small chapter's notebook of a kind, without executing it."""
    target = next(target for target in targets(root) if target.kind == kind)
    return make(root, target, POINTS.__getitem__)


def replace(path: Path, old: str, new: str) -> None:
    """Replace text in a file, which must hold it."""
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def test_blanks_take_the_solution_and_its_explanation_out(course):
    cells = {cell.id: cell for cell in made(course, "exercises").cells}
    assert list(cells) == ["01-001", "toy-half", "toy-half-check", "01-005"]
    assert cells["toy-half"].source == (
        'def half(x: float) -> float:\n    """La moitié."""\n    if x:\n        ### BEGIN SOLUTION\n        # À vous\n'
        "        raise NotImplementedError\n        ### END SOLUTION\n    return 0.0"
    )


WRITTEN = """
# %% [markdown] written="toy.w_why" points=3
# *Votre réponse ici.*
"""


def test_a_written_answer_is_marked_by_hand_and_has_no_place_among_the_solutions(course):
    source = course / "course/fr/01_toy/exercises.py"
    source.write_text(source.read_text(encoding="utf-8") + WRITTEN, encoding="utf-8")
    cell = made(course, "exercises").cells[-1]
    assert (cell.id, cell.cell_type, cell.source) == ("toy-w_why", "markdown", "*Votre réponse ici.*")
    assert {key: cell.metadata["nbgrader"][key] for key in ("cell_type", "grade", "solution", "locked", "points")} == {
        "cell_type": "markdown",
        "grade": True,
        "solution": True,
        "locked": False,
        "points": 3,
    }
    assert "toy-w_why" not in [cell.id for cell in made(course, "solutions").cells]


@pytest.mark.parametrize("points", ["", "points=0", 'points="three"'])
def test_a_written_answer_needs_points(course, points):
    source = course / "course/fr/01_toy/exercises.py"
    text = source.read_text(encoding="utf-8") + WRITTEN.replace("points=3", points)
    source.write_text(text, encoding="utf-8")
    with pytest.raises(BuildError, match="toy-w_why.*points"):
        made(course, "exercises")


def test_one_chapter_is_built_alone(course):
    (course / "course/fr/02_other").mkdir()
    (course / "course/fr/02_other/exercises.py").write_text("broken (\n### BEGIN SOLUTION", encoding="utf-8")
    problems, said = run(course, chapters=["01_toy"])
    assert problems == [] and any("01_toy" in line for line in said)
    assert check(course, ["01_toy"], points=POINTS.__getitem__) == []
    with pytest.raises(ValueError, match="03_none.*01_toy, 02_other"):
        check(course, ["03_none"])


def test_solutions_keep_the_code_without_the_markers(course):
    cells = {cell.id: cell for cell in made(course, "solutions").cells}
    assert list(cells) == ["01-001", "toy-half", "toy-half-check", "01-004", "01-005"]
    assert cells["toy-half"].source == (
        'def half(x: float) -> float:\n    """La moitié."""\n'
        "    if x:\n        y = x / 2\n        return y\n    return 0.0"
    )
    assert not any("nbgrader" in cell.metadata for cell in cells.values())


def test_nbgrader_metadata(course):
    cells = {cell.id: cell.metadata for cell in made(course, "exercises").cells}
    common = {"schema_version": 3, "task": False, "cell_type": "code"}
    assert cells["toy-half"] == {
        "exercise": "toy.half",
        "nbgrader": {**common, "grade_id": "toy-half", "grade": False, "locked": False, "solution": True},
    }
    assert cells["toy-half-check"] == {
        "check": "toy.half",
        "nbgrader": {
            **common, "grade_id": "toy-half-check", "grade": True, "locked": True, "solution": False, "points": 1
        },
    }  # fmt: skip
    assert "nbgrader" not in cells["01-001"]


def test_nbgrader_accepts_the_notebooks():
    v3 = pytest.importorskip("nbgrader.nbgraderformat.v3", reason="nbgrader is not installed.")
    for target in targets(PROJECT):
        if target.kind == "exercises":
            v3.MetadataValidatorV3().validate_nb(make(PROJECT, target, lambda id: exercises.get(id).points))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ("        ### END SOLUTION\n", "", "cell toy-half: '### BEGIN SOLUTION' has no partner"),
        ("        ### BEGIN SOLUTION\n", "        ### BEGIN SOLUTION\n" * 2, "'### BEGIN SOLUTION' has no partner"),
        ("        ### BEGIN SOLUTION\n", "", "its solution would be given away"),
        ("        ### END SOLUTION\n", "        ### END SOLUTION\n" * 2, "'### END SOLUTION' has no partner"),
        ("### BEGIN SOLUTION", "x = 1 ### BEGIN SOLUTION", "has no partner"),
        ('check="toy.half"', 'exercise="toy.half"', "cell toy-half: two cells have this id"),
        ("# %% exercise", "# %%\n### BEGIN SOLUTION\nx = 1\n### END SOLUTION\n\n# %% exercise", "inside a function"),
        ('"toy.half"', '"toy.hàlf"', "letters, digits"),
        ('"toy.half"', '"toy.nope"', "exercises.py, cell toy-nope-check: .*toy.nope"),
    ],
)
def test_a_faulty_source_is_named_with_its_cell(course, old, new, message):
    replace(course / "course/fr/01_toy/exercises.py", old, new)
    with pytest.raises(BuildError, match=message):
        made(course, "exercises")


def test_a_source_that_is_no_utf_8_is_named(course):
    (course / "course/fr/01_toy/exercises.py").write_bytes(b"# %%\nx = '\xe9'\n")
    with pytest.raises(BuildError, match="exercises.py: not written in UTF-8"):
        made(course, "exercises")


def test_a_lesson_holds_no_solution(course):
    replace(course / "course/fr/01_toy/lesson.py", "    raise NotImplementedError", "    ### BEGIN SOLUTION")
    with pytest.raises(BuildError, match="lesson.py, cell 01-005: a lesson holds blanks"):
        made(course, "lesson")


def test_the_build_stores_outputs_and_what_they_came_from(built):
    lesson = nbformat.read(built / "notebooks/fr/01_toy.ipynb", as_version=4)
    assert lesson.cells[2].outputs == [
        {"name": "stdout", "output_type": "stream", "text": "['fusible']\n0\n1\n2\n".replace("['", "['le', '")}
    ]
    assert lesson.metadata.kernelspec.name == "python3"
    assert lesson.metadata.language_info == {"name": "python"}
    about = lesson.metadata.ragteach
    assert (about.chapter, about.kind, about.lang, about.course) == ("01_toy", "lesson", "fr", "1")
    assert {"course/fr/01_toy/lesson.py", "ragteach/__init__.py", "ragteach/retrieval/text.py"} <= set(
        about.executed_with
    )
    assert "ragteach/retrieval/bm25.py" not in about.executed_with
    blanks = nbformat.read(built / "exercises/fr/01_toy.ipynb", as_version=4)
    assert not any(cell.get("outputs") or cell.get("execution_count") for cell in blanks.cells)
    assert "executed_with" not in blanks.metadata.ragteach


def contents(root: Path) -> dict[Path, bytes]:
    """Read all notebooks below a folder."""
    return {path: path.read_bytes() for path in root.rglob("*.ipynb")}


def test_two_builds_give_the_same_bytes(built):
    first = contents(built)
    assert len(first) == 3
    problems, said = run(built, force=True)
    assert problems == []
    assert sum(line.endswith("executing") for line in said) == 2
    assert contents(built) == first


def test_only_what_changed_is_executed(built, monkeypatch):
    assert run(built) == ([], [])

    replace(built / "course/fr/01_toy/lesson.py", "# # Une leçon", "# # Une bonne leçon")
    assert run(built)[1] == ["notebooks/fr/01_toy.ipynb: executing", "notebooks/fr/01_toy.ipynb: written"]

    # The lesson loaded text.py, the solutions did not.
    real = kernel.sha_of
    monkeypatch.setattr(kernel, "sha_of", lambda path: "changed" if path.name == "text.py" else real(path))
    assert run(built)[1] == ["notebooks/fr/01_toy.ipynb: executing", "notebooks/fr/01_toy.ipynb: written"]


def test_a_changed_document_of_the_corpus_counts_as_changed_code(tmp_path):
    assert kernel.DATA in kernel.ours([str(kernel.PACKAGE / "corpus/__init__.py")])
    assert kernel.DATA not in kernel.ours([str(kernel.PACKAGE / "retrieval/text.py"), os.__file__])
    (tmp_path / "doc.md").write_bytes(b"3 A\n")
    before = kernel.sha_of(tmp_path)
    (tmp_path / "doc.md").write_bytes(b"3 A\r\n")  # the same text on Windows
    assert kernel.sha_of(tmp_path) == before
    (tmp_path / "doc.md").write_bytes(b"5 A\n")
    assert kernel.sha_of(tmp_path) != before


@pytest.mark.parametrize(
    ("code", "message"),
    [
        ("1 / 0", "notebooks/fr/01_toy.ipynb, cell 01-001: ZeroDivisionError: division by zero"),
        ("object()", "notebooks/fr/01_toy.ipynb, cell 01-001: '0x[0-9a-f]+' in the output changes"),
        ("import ipywidgets\nipywidgets.IntSlider()", "cell 01-001: a widget is stored"),
        ("import os\nos._exit(1)", "cell 01-001: the kernel died"),
    ],
)
def test_a_notebook_that_does_not_run_is_named_with_its_cell(tmp_path, code, message):
    folder = tmp_path / "course/fr/01_toy"
    folder.mkdir(parents=True)
    (folder / "lesson.py").write_text(f"# %%\n{code}\n\n# %%\nprint('after')\n")
    problems, _ = run(tmp_path)
    assert len(problems) == 1
    assert re.search(message, problems[0])
    assert not (tmp_path / "notebooks").exists()


def test_check_names_missing_notebooks(course):
    assert check(course, points=POINTS.__getitem__) == [
        f"{folder}/fr/01_toy.ipynb is missing: run `ragteach build`."
        for folder in ("notebooks", "exercises", "solutions")
    ]


def test_check_names_file_and_cell(built):
    assert check(built, points=POINTS.__getitem__) == []

    source = built / "course/fr/01_toy/exercises.py"
    replace(source, "y = x / 2", "y = x * 0.5")
    replace(source, "# Fin.", "# Fin.\n\n# %%\nx = 1")
    assert check(built, points=POINTS.__getitem__) == [
        "exercises/fr/01_toy.ipynb, cell 01-006: missing: run `ragteach build`.",
        "solutions/fr/01_toy.ipynb, cell toy-half: another text, from line 4: run `ragteach build`.",
        "solutions/fr/01_toy.ipynb, cell 01-006: missing: run `ragteach build`.",
    ]


@pytest.mark.filterwarnings("ignore::nbformat.warnings.DuplicateCellId")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda nb: nb["cells"][1].update(source=["pass"]), "cell toy-half: another text, from line 1"),
        (
            lambda nb: nb["cells"][2]["metadata"]["nbgrader"].update(points=9),
            "cell toy-half-check: other metadata",
        ),
        (lambda nb: nb["cells"].pop(0), "cell 01-001: missing"),
        (lambda nb: nb["cells"].append({**nb["cells"][0], "id": "mine"}), "cell mine: not in the source"),
        (lambda nb: nb["cells"].append(nb["cells"][0]), "cell [0-9a-f]{8}: not in the source"),
        (lambda nb: nb["cells"].reverse(), "cell 01-001: at another place"),
        (lambda nb: nb["cells"][0].update(cell_type="raw"), "cell 01-001: raw instead of markdown"),
        (lambda nb: nb["metadata"]["kernelspec"].update(name="ir"), "metadata of the notebook: kernelspec"),
        (lambda nb: nb["metadata"]["ragteach"].update(course="0"), "metadata of the notebook: ragteach"),
    ],
)
def test_check_sees_every_change_of_a_stored_notebook(built, change, message):
    path = built / "exercises/fr/01_toy.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    change(notebook)
    path.write_text(json.dumps(notebook), encoding="utf-8")
    problems = check(built, points=POINTS.__getitem__)
    assert any(re.match(f"exercises/fr/01_toy.ipynb, {message}", line) for line in problems), problems


def test_check_leaves_outputs_aside(built):
    path = built / "solutions/fr/01_toy.ipynb"
    notebook = nbformat.read(path, as_version=4)
    notebook.cells[2].update(outputs=[], execution_count=99)
    nbformat.write(notebook, path)
    assert check(built, points=POINTS.__getitem__) == []


def test_check_names_a_notebook_without_source(built):
    (built / "course/fr/01_toy/lesson.py").unlink()
    nbformat.write(nbformat.v4.new_notebook(), built / "notebooks/fr/mine.ipynb")  # a reader's own
    assert check(built, points=POINTS.__getitem__) == ["notebooks/fr/01_toy.ipynb has no source any more: delete it."]


def test_nothing_that_a_reader_wrote_is_lost(built):
    path = built / "exercises/fr/01_toy.ipynb"
    for name in ("01_toy.edited.ipynb", "01_toy.edited-2.ipynb"):
        replace(path, "raise NotImplementedError", f"return 0.25  # {name}")
        assert check(built, points=POINTS.__getitem__) == [
            "exercises/fr/01_toy.ipynb, cell toy-half: another text, from line 6: edited by hand; "
            "change course/fr/01_toy/exercises.py instead, then run `ragteach build`."
        ]
        _, said = run(built)
        assert f"exercises/fr/01_toy.ipynb: edited by hand, kept as {name}" in said
        assert f"# {name}" in path.with_name(name).read_text(encoding="utf-8")
        assert "0.25" not in path.read_text(encoding="utf-8")
    assert check(built, points=POINTS.__getitem__) == []


@pytest.mark.parametrize("content", ["{half a file", "{}", '{"cells": 3}', '{"cells": ["x"], "nbformat": 4}', "[]"])
def test_a_file_that_is_no_notebook_is_kept_too(course, content):
    path = course / "exercises/fr/01_toy.ipynb"
    path.parent.mkdir(parents=True)
    path.write_text(content)
    assert check(course, points=POINTS.__getitem__)[1] == (
        "exercises/fr/01_toy.ipynb is no readable notebook: run `ragteach build`."
    )
    run(course)
    assert path.with_name("01_toy.edited.ipynb").read_text() == content
    assert nbformat.read(path, as_version=4).cells


def test_a_failed_build_leaves_the_notebook_of_before(built):
    before = contents(built)
    replace(built / "course/fr/01_toy/lesson.py", "    raise NotImplementedError", "    pass\n\n1 / 0")
    replace(built / "course/fr/01_toy/exercises.py", "# Fin.", "# Voilà.")
    problems, said = run(built)
    assert problems == ["notebooks/fr/01_toy.ipynb, cell 01-005: ZeroDivisionError: division by zero"]
    assert said[-1] == "solutions/fr/01_toy.ipynb: written"  # one that fails does not stop the others
    assert contents(built)[built / "notebooks/fr/01_toy.ipynb"] == before[built / "notebooks/fr/01_toy.ipynb"]


# --- the project's own course ---

TARGETS = targets(PROJECT)
PAIRS = [
    (one, other)
    for one in TARGETS
    for other in TARGETS
    if one.lang == "fr" and other.lang == "en" and (one.chapter, one.kind) == (other.chapter, other.kind)
]


def test_every_chapter_has_both_languages():
    kinds = {
        lang: {(target.chapter, target.kind) for target in TARGETS if target.lang == lang} for lang in ("fr", "en")
    }
    assert kinds["fr"] == kinds["en"] != set()


def test_the_course_and_the_package_have_the_same_chapters_and_exercises():
    asked = {
        (target.chapter, cell.metadata[key])
        for target in TARGETS
        if target.kind == "exercises"
        for cell in make(PROJECT, target, lambda id: 1).cells
        for key in ("exercise", "check")
        if key in cell.metadata
    }
    assert asked == {(exercise.chapter, exercise.id) for exercise in exercises.all()}


ASKING = {"begin", "check", "hint", "points", "predict", "quiz", "reveal"}


class Blank(ast.NodeTransformer):
    """Blanks the strings, but for the ids in calls such as check("bm25.idf", idf)."""

    def visit_Call(self, node):
        if isinstance(node.func, ast.Name) and node.func.id in ASKING:
            node.args[:1] = [ast.Name(ast.dump(argument)) for argument in node.args[:1]]
        return self.generic_visit(node)

    def visit_Constant(self, node):
        return ast.Constant("") if isinstance(node.value, str) else node

    def visit_JoinedStr(self, node):  # the words around the values, and so their order, are the language's
        values = [self.visit(part) for part in node.values if isinstance(part, ast.FormattedValue)]
        return ast.Tuple(sorted(values, key=ast.dump)) if values else ast.Constant("")


def tree(code: str) -> str:
    """Give the code's syntax tree without comments, with its strings blanked."""
    return ast.dump(Blank().visit(ast.parse(TransformerManager().transform_cell(code))))


@pytest.mark.parametrize(("french", "english"), PAIRS, ids=[f"{fr.chapter}-{fr.kind}" for fr, _ in PAIRS])
def test_french_and_english_have_the_same_cells_and_code(french, english):
    def cells(target):
        return make(PROJECT, target, lambda id: exercises.get(id).points).cells

    def kinds(target):
        return [(cell.id, cell.cell_type, cell.metadata) for cell in cells(target)]

    assert kinds(french) == kinds(english)
    for one, other in zip(cells(french), cells(english), strict=True):
        if one.cell_type == "code":
            assert tree(one.source) == tree(other.source), f"cell {one.id}"


def test_the_parity_test_sees_code_and_ids_but_not_words():
    assert tree('f(f"{a} mots {b:.2f}")  # oui') == tree('f(f"{b:.2f} in {a}")')
    assert tree('print("Bonjour")') == tree("print('Hello')")
    assert tree("%matplotlib inline\nx = 1") == tree("%matplotlib inline\nx = 1  # one")
    assert tree("f(1)") != tree("f(2)")
    assert tree('check("bm25.idf", idf)') != tree('check("bm25.tf", idf)')
    assert tree('f(f"{a}")') != tree('f(f"{b}")')


@pytest.mark.parametrize("target", TARGETS, ids=[target.path for target in TARGETS])
def test_stored_notebooks_are_what_their_sources_make(target):
    path = PROJECT / target.path
    if path.exists() and not os.environ.get("CI") and edited(nbformat.read(path, as_version=4)):
        pytest.skip(f"{target.path} holds a reader's own work.")
    assert [line for line in check(PROJECT, [target.chapter]) if line.startswith(target.path)] == []
