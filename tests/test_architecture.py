"""The house: which room may import which, what `import ragteach` loads, and what no file may name."""

import ast
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PROJECT = Path(__file__).parents[1]
PACKAGE = PROJECT / "ragteach"

BELOW_EXERCISES = {"checking", "retrieval", "answers", "corpus"}
MAY_IMPORT = {
    "language": set(),
    "checking": set(),
    "retrieval": set(),
    "corpus": set(),
    "answers": {"retrieval"},
    "explore": {"retrieval", "answers", "corpus"},
    "exercises": BELOW_EXERCISES,
    "notebook": {"exercises", "language"} | BELOW_EXERCISES,
    "grading": {"exercises", "language"} | BELOW_EXERCISES,
    "build": {"exercises"} | BELOW_EXERCISES,
    "cli": {"grading", "notebook", "build", "exercises", "language"} | BELOW_EXERCISES,
}
ROOMS = sorted(path.stem for path in PACKAGE.iterdir() if path.stem in MAY_IMPORT)


def imported(file: Path) -> Iterator[str]:
    """Yield the dotted name of every module or name of ours that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names if alias.name.split(".")[0] == "ragteach")
        elif isinstance(node, ast.ImportFrom):
            here = file.relative_to(PROJECT).with_suffix("").parts[: -node.level] if node.level else ()
            module = ".".join([*here, *filter(None, [node.module])])
            if module.split(".")[0] == "ragteach":
                yield from (f"{module}.{alias.name}" for alias in node.names)


def test_every_room_is_known():
    rooms = {path.name for path in PACKAGE.iterdir() if (path / "__init__.py").exists()}
    modules = {path.stem for path in PACKAGE.glob("*.py")} - {"__init__", "__main__"}
    assert rooms | modules <= set(MAY_IMPORT)


@pytest.mark.parametrize("room", ROOMS)
def test_arrows_run_one_way(room):
    files = sorted((PACKAGE / room).rglob("*.py")) or [PACKAGE / f"{room}.py"]
    wrong = [
        f"{file.relative_to(PROJECT)} imports {name}"
        for file in files
        for name in imported(file)
        if (other := f"{name}.".split(".")[1]) in MAY_IMPORT and other not in MAY_IMPORT[room] | {room}
    ]
    assert wrong == []


def test_the_arrows_see_every_way_to_import(tmp_path, monkeypatch):
    monkeypatch.setattr(f"{__name__}.PROJECT", tmp_path)
    (tmp_path / "ragteach/checking").mkdir(parents=True)
    file = tmp_path / "ragteach/checking/call.py"
    file.write_text(
        "import os, ragteach.grading\nfrom ragteach import exercises\ndef f():\n    from ..notebook import check\n"
        "from . import plain\nfrom ragteach.corpus.loading import load\n"
    )
    assert sorted(imported(file)) == [
        "ragteach.checking.plain",
        "ragteach.corpus.loading.load",
        "ragteach.exercises",
        "ragteach.grading",
        "ragteach.notebook.check",
    ]


@pytest.mark.parametrize(
    "statement",
    [
        "import ragteach, ragteach.checking",
        "import ragteach.exercises; ragteach.exercises.all()",
        "import ragteach.cli",
    ],
)
def test_importing_loads_nothing_heavy(statement):
    heavy = {"matplotlib", "ipywidgets", "sklearn", "hypothesis", "jupyterlab", "jupytext"}
    code = f"import sys; {statement}; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    assert heavy & set(done.stdout.split()) == set()


def test_the_command_line_itself_loads_no_numpy():
    code = "import sys, ragteach.cli; ragteach.cli.parser(); print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True)
    loaded = set(done.stdout.split())
    assert "argparse" in loaded and "numpy" not in loaded


# Written so that this file names none of them itself.
HOSTS = ["py" + "pi.org", "python" + "hosted.org", "npm" + "js.org", "conda.ana" + "conda.org", "deb." + "debian.org"]
FOLDERS = [r"/work/(?:main|shared|seeds)\b", r"/root/", r"/home/\w+/", r"/opt/(?:pypi|wheels)"]
NAMED = re.compile("|".join([re.escape(host) for host in HOSTS] + FOLDERS))


def project_files() -> list[Path]:
    """List what is, or would be, committed."""
    if shutil.which("git") is None:
        pytest.skip("git is not installed.")
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True)
    if done.returncode:
        pytest.skip("this is no git checkout.")
    return [PROJECT / name for name in done.stdout.split("\0") if name]


def test_no_file_names_a_registry_or_a_folder_of_somebodys_machine():
    found = [
        f"{path.relative_to(PROJECT)}: {match[0]}"
        for path in project_files()
        if path.is_file() and path != Path(__file__).resolve()
        for match in NAMED.finditer(path.read_text(encoding="utf-8", errors="ignore"))
    ]
    assert found == []
