"""The command line: what each command hands on, and what it says when it cannot."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from ragteach import __version__, build, cli, grading
from ragteach.grading.settings import Settings

PROJECT = Path(__file__).parents[1]


@pytest.fixture
def english(monkeypatch):
    """Speak English, whatever this system's language."""
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LANG", "en_GB.UTF-8")


@pytest.fixture
def elsewhere(monkeypatch, tmp_path):
    """Stand in an empty folder, with a package that lies in no checkout."""
    monkeypatch.setattr(cli, "CHECKOUT", tmp_path)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_version(capsys):
    with pytest.raises(SystemExit) as end:
        cli.main(["--version"])
    assert end.value.code == 0
    assert capsys.readouterr().out == f"ragteach {__version__}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["unknown"],
        ["grade", "folder"],
        ["grade", "folder", "--out", "o", "--attempts", "first"],
        ["build", "--check", "--force"],
    ],
)
def test_a_wrong_command_line_exits_2(arguments):
    with pytest.raises(SystemExit) as end:
        cli.main(arguments)
    assert end.value.code == 2


@pytest.mark.parametrize(
    ("env", "lang"),
    [
        ({}, "en"),
        ({"LANG": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_CA"}, "fr"),
        ({"LANG": "de_DE.UTF-8"}, "en"),
        ({"LANG": "C.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_MESSAGES": "en_US.UTF-8"}, "en"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": "C"}, "en"),
        ({"LANG": "en_US.UTF-8", "LC_ALL": "fr_FR.UTF-8"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LC_ALL": ""}, "fr"),
        ({"LANG": "en_US.UTF-8", "LANGUAGE": "br:fr:en"}, "fr"),
        ({"LANG": "fr_FR.UTF-8", "LANGUAGE": "br"}, "fr"),
    ],
)
@pytest.mark.skipif(sys.platform == "win32", reason="Windows is asked for its language.")
def test_the_language_of_the_system(env, lang):
    assert cli.system_language(env) == lang


@pytest.mark.parametrize(
    ("arguments", "options"),
    [
        (["lab", "--lang", "fr"], []),
        (["lab", "--lang", "fr", "--", "--no-browser", "--ServerApp.port=9"], ["--no-browser", "--ServerApp.port=9"]),
    ],
)
def test_lab_opens_the_first_lesson(elsewhere, monkeypatch, arguments, options):
    from jupyterlab.labapp import LabApp

    for name in ("02_bm25", "01_chunking", "03_lsa"):
        (elsewhere / "notebooks/fr").mkdir(parents=True, exist_ok=True)
        (elsewhere / f"notebooks/fr/{name}.ipynb").touch()
    started = []
    monkeypatch.setattr(LabApp, "launch_instance", started.append)
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    assert cli.main(arguments) == 0
    assert started == [
        [
            f"--ServerApp.root_dir={elsewhere}",
            "--LabApp.default_url=/lab/tree/notebooks/fr/01_chunking.ipynb",
            *options,
        ]
    ]


def test_lab_lets_a_root_user_in(elsewhere, monkeypatch):
    from jupyterlab.labapp import LabApp

    (elsewhere / "notebooks/fr").mkdir(parents=True)
    (elsewhere / "notebooks/fr/02_bm25.ipynb").touch()
    started = []
    monkeypatch.setattr(LabApp, "launch_instance", started.append)
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    assert cli.main(["lab", "--lang", "fr"]) == 0
    assert "--allow-root" in started[0]


def test_lab_hands_options_to_the_real_jupyterlab(english):
    done = subprocess.run(
        [sys.executable, "-m", "ragteach.cli", "lab", "--", "--version"], cwd=PROJECT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.split(".")[0] == "4"


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["lab"], "No notebook of the course here: go to the folder that holds notebooks/en."),
        (
            ["lab", "--lang", "fr"],
            "Aucun carnet du cours ici\u00a0: placez-vous dans le dossier qui contient notebooks/fr.",
        ),
        (["build"], "No source of the course here: go to the folder that holds course/."),
    ],
)
def test_outside_the_project(elsewhere, english, capsys, arguments, sentence):
    assert cli.main(arguments) == 2
    assert capsys.readouterr().err == f"ragteach: {sentence}\n"


@pytest.mark.parametrize(
    ("error", "sentence"),
    [
        (ValueError("k must be positive."), "k must be positive."),
        (PermissionError(13, "Permission denied", "out"), "out: Permission denied."),
        (OSError("no space"), "no space."),
        (
            ModuleNotFoundError("No module named 'jupytext'", name="jupytext"),
            "The module jupytext is missing: install the project with pip install --editable '.[author]'.",
        ),
    ],
)
def test_an_error_is_one_sentence(english, monkeypatch, capsys, error, sentence):
    def fail(*_):
        raise error

    monkeypatch.setattr(grading, "check_notebook", fail)
    assert cli.main(["check", "x.ipynb"]) == 2
    assert capsys.readouterr().err == f"ragteach: {sentence}\n"


def test_a_fault_of_ours_is_not_hidden(monkeypatch):
    def fail(*_):
        raise ModuleNotFoundError("No module named 'ragteach.lost'", name="ragteach.lost")

    monkeypatch.setattr(grading, "check_notebook", fail)
    with pytest.raises(ModuleNotFoundError):
        cli.main(["check", "x.ipynb"])


def test_grade_hands_its_options_on(monkeypatch):
    calls = []
    monkeypatch.setattr(grading, "grade", lambda *arguments, **limits: calls.append((*arguments, limits)) or 0)
    assert cli.main(["grade", "a", "b", "--out", "o", "--jobs", "3", "--seed", "5", "--timeout", "2.5"]) == 0
    assert cli.main(["grade", "a", "--out", "o"]) == 0
    assert calls == [
        (["a", "b"], "o", 3, 5, 2.5, None, "last", False, None, {}),
        (["a"], "o", None, None, 60, None, "last", False, None, {}),
    ]
    calls.clear()
    more = [
        "--attempts",
        "best",
        "--report-only",
        "--dask",
        "tcp://a:1",
        "--lang",
        "fr",
        "--sandbox",
        "process",
        "--call-seconds",
        "0.5",
    ]
    assert cli.main(["grade", "--out", "o", *more]) == 0
    limits = {"sandbox": "process", "call_seconds": 0.5}
    assert calls == [([], "o", None, None, 60, "fr", "best", True, "tcp://a:1", limits)]


@pytest.mark.parametrize(
    ("lang", "sentence"),
    [
        ("fr", "--memory doit être un nombre supérieur à 0, et non -1."),
        ("en", "--memory must be a number greater than 0, not -1."),
        (None, "--memory must be a number greater than 0, not -1."),
    ],
)
def test_a_bad_limit_is_said_in_the_language_asked_for(english, capsys, lang, sentence):
    asked = ["--lang", lang] if lang else []
    assert cli.main(["grade", "a", "--out", "o", "--memory", "-1", *asked]) == 2
    assert capsys.readouterr().err == f"ragteach: {sentence}\n"


def test_every_limit_is_a_flag():
    assert list(cli.LIMITS) == list(vars(Settings()))
    assert cli.main(["grade", "a", "--out", "o", "--memory", "-1"]) == 2


def test_check_returns_its_verdict(monkeypatch):
    monkeypatch.setattr(grading, "check_notebook", lambda path: {"x.ipynb": 1}[path])
    assert cli.main(["check", "x.ipynb"]) == 1


def test_build_prints_each_problem(monkeypatch, capsys):
    monkeypatch.setattr(build, "check", lambda root, chapters: ["one", "two"])
    monkeypatch.setattr(build, "build", lambda root, chapters, force: [])
    assert cli.main(["build", "--check"]) == 1
    assert capsys.readouterr().out == "one\ntwo\n"
    assert cli.main(["build"]) == 0


def test_progress_is_shown(english, capsys):
    assert cli.main(["progress"]) == 0
    assert "bm25.idf" in capsys.readouterr().out
