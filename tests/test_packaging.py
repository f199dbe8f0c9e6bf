"""What is installed, declared and promised: pyproject.toml, environment.yml, constraints.txt, Makefile, READMEs."""

import ast
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module, metadata, resources
from pathlib import Path

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

PROJECT = Path(__file__).parents[1]
PYPROJECT = tomllib.loads((PROJECT / "pyproject.toml").read_text(encoding="utf-8"))["project"]

# Declared though no line imports them, and why.
NOT_IMPORTED = {
    "ruff": "a command: the house style",
    "nbval": "a plugin of pytest: runs the notebooks",
    "pytest-xdist": "a plugin of pytest: two processes",
}


def declared(requirements: list[str]) -> dict[str, str]:
    """Map the names of requirements to their bounds."""
    return {canonicalize_name(one.name): str(one.specifier) for one in map(Requirement, requirements)}


CORE = declared(PYPROJECT["dependencies"])
AUTHOR = declared(PYPROJECT["optional-dependencies"]["author"])
TEST = {
    name: bound
    for name, bound in declared(PYPROJECT["optional-dependencies"]["test"]).items()
    if name != PYPROJECT["name"]
}


def optional_imports(tree: ast.AST) -> set[ast.AST]:
    """Find the imports that a file tries, and goes on without."""
    tries = [
        node
        for node in ast.walk(tree)
        if isinstance(node, ast.Try)
        and any(isinstance(one.type, ast.Name) and one.type.id in GOES_ON for one in node.handlers)
    ]
    return {node for one in tries for part in one.body for node in ast.walk(part)}


GOES_ON = ("ImportError", "ModuleNotFoundError")


DASK = declared(PYPROJECT["optional-dependencies"]["dask"])


def third_party(*paths: Path) -> set[str]:
    """Name the distributions whose modules the Python files below some paths import, and cannot do without."""
    modules = set()
    files = [file for path in paths for file in ([path] if path.is_file() else path.rglob("*.py"))]
    own = {"ragteach", "conftest"} | {file.stem for file in files}
    for file in files:
        tree = ast.parse(file.read_text(encoding="utf-8"))
        optional = optional_imports(tree)
        for node in ast.walk(tree):
            if node in optional:
                continue
            if isinstance(node, ast.Import):
                modules |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and not node.level:
                modules.add(node.module.split(".")[0])
    provides = metadata.packages_distributions()
    return {
        canonicalize_name(provides.get(module, [module])[0])
        for module in modules - set(sys.stdlib_module_names) - own
    }  # fmt: skip


BUILD = PROJECT / "ragteach/build"
READER_FILES = [path for path in (PROJECT / "ragteach").rglob("*.py") if not path.is_relative_to(BUILD)]


def test_core_dependencies_are_what_the_package_and_the_course_import():
    assert third_party(*READER_FILES, PROJECT / "course") - set(DASK) == set(CORE) - set(NOT_IMPORTED)


def test_the_extra_dask_is_for_what_the_cluster_imports():
    assert set(DASK) == third_party(PROJECT / "ragteach/grading/cluster.py")


def test_author_dependencies_are_what_the_build_imports():
    assert third_party(BUILD) - set(CORE) == set(AUTHOR) - set(NOT_IMPORTED)


def test_test_dependencies_are_what_the_tests_import():
    imported = third_party(PROJECT / "tests", PROJECT / "conftest.py")
    assert imported - set(CORE) - set(AUTHOR) == set(TEST) - set(NOT_IMPORTED)


def test_the_reasons_are_still_true():
    assert third_party(PROJECT / "ragteach", PROJECT / "course") & set(NOT_IMPORTED) == set()
    assert set(NOT_IMPORTED) <= set(CORE) | set(AUTHOR) | set(TEST)


def test_conda_users_get_the_same():
    entries = yaml.safe_load((PROJECT / "environment.yml").read_text(encoding="utf-8"))["dependencies"]
    (by_pip,) = (entry["pip"] for entry in entries if isinstance(entry, dict))
    assert by_pip[-1] == "--editable ."
    found = declared([entry for entry in entries if isinstance(entry, str)] + by_pip[:-1])
    assert found.pop("python") == PYPROJECT["requires-python"]
    assert found.pop("pip") == ""
    assert found == CORE


def test_every_pin_admits_the_oldest_python():
    """Debian 12 has Python 3.11.2: a pin that wants a later 3.11 leaves its users without an installation."""
    lines = (PROJECT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    installed = {canonicalize_name(one.name): one for one in metadata.distributions()}
    for line in lines:
        name, _, version = line.partition("==")
        one = installed.get(canonicalize_name(name))
        if one is not None and one.version == version:
            assert SpecifierSet(one.metadata.get("Requires-Python") or "").contains("3.11.0"), line


def test_constraints_pin_every_dependency_within_its_bounds():
    lines = (PROJECT / "constraints.txt").read_text(encoding="utf-8").splitlines()
    pins = dict(re.fullmatch(r"([\w.-]+)==([\w.]+)", line).groups() for line in lines if not line.startswith("#"))
    pins = {canonicalize_name(name): version for name, version in pins.items()}
    requirements = PYPROJECT["dependencies"] + [
        one for extra in PYPROJECT["optional-dependencies"].values() for one in extra if not one.startswith("ragteach")
    ]
    for requirement in map(Requirement, requirements):
        assert requirement.specifier.contains(pins[canonicalize_name(requirement.name)]), requirement


def test_the_package_carries_its_data_and_types():
    package = resources.files("ragteach")
    assert (package / "py.typed").is_file()
    for lang in ("fr", "en"):
        assert (package / "corpus/data/mini" / lang / "questions.json").is_file()


def test_the_command_is_the_one_declared():
    module, _, name = PYPROJECT["scripts"]["ragteach"].partition(":")
    assert callable(getattr(import_module(module), name))


def test_licences():
    assert (PROJECT / "LICENSE").read_text(encoding="utf-8").startswith("MIT License\n")
    assert "Attribution 4.0 International (CC BY 4.0)" in (PROJECT / "LICENSE-text").read_text(encoding="utf-8")
    assert PYPROJECT["license"] == "MIT AND CC-BY-4.0"
    assert PYPROJECT["license-files"] == ["LICENSE", "LICENSE-text"]


def test_ci_script():
    script = PROJECT / ".ci/run"
    assert os.access(script, os.X_OK)
    assert script.read_text(encoding="utf-8").rstrip().endswith("make test")
    subprocess.run(["bash", "-n", script], check=True)


# --- the READMEs ---

READMES = {"fr": "README.fr.md", "en": "README.md"}


@pytest.mark.parametrize("name", READMES.values())
def test_a_readme_begins_with_the_two_commands(name):
    blocks = re.findall(r"^```\w*\n(.*?)^```", (PROJECT / name).read_text(encoding="utf-8"), flags=re.M | re.S)
    commands = [line.split("#")[0].strip() for line in blocks[0].splitlines()]
    assert commands == ["make lab", "make test"]


@pytest.mark.parametrize("name", [*READMES.values(), "CONTRIBUTING.md"])
def test_what_a_readme_points_to_exists(name):
    text = (PROJECT / name).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)", text) if "://" not in link]
    assert links
    assert [link for link in links if not (PROJECT / link).exists()] == []


@pytest.mark.parametrize(("lang", "name"), READMES.items())
def test_a_readme_shows_its_own_language(lang, name):
    text = (PROJECT / name).read_text(encoding="utf-8")
    assert set(re.findall(r"docs/images/\w+-(\w\w)\.png", text)) == {lang}
    assert all(re.findall(r"!\[(.*?)\]", text)), "an image has no description"
    assert READMES["en" if lang == "fr" else "fr"] in text


# --- make ---


@pytest.fixture
def clone(tmp_path) -> Path:
    """Give a folder with what `make env` reads."""
    if not shutil.which("make"):
        pytest.skip("make is not installed.")
    for name in ("Makefile", "pyproject.toml", "constraints.txt"):
        shutil.copy(PROJECT / name, tmp_path)
    return tmp_path


def fake_python(folder: Path, version: str, works_for: str) -> Path:
    """Write a stand-in for a Python that fails at all code but that which contains `works_for`."""
    python = folder / "python"
    python.write_text(
        f'#!/bin/sh\ncase "$*" in --version) echo "Python {version}";; *"{works_for}"*) exit 0;; *) exit 1;; esac\n'
    )
    python.chmod(0o755)
    return python


@pytest.mark.parametrize(
    ("version", "works_for", "sentence"),
    [
        ("3.9.6", "nothing at all", "ragteach needs Python 3.11 or later, but {python} is Python 3.9.6"),
        ("3.11.2", "version_info", "{python} cannot make a virtual environment: install its venv module"),
    ],
)
def test_make_says_what_python_lacks(clone, version, works_for, sentence):
    python = fake_python(clone, version, works_for)
    done = subprocess.run(["make", "-s", "lab", f"PYTHON={python}"], cwd=clone, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stdout.startswith(sentence.format(python=python))
    assert len(done.stdout.splitlines()) == 1
    assert not (clone / ".venv").exists()


def test_make_says_that_there_is_no_such_python(clone):
    done = subprocess.run(["make", "-s", "lab", "PYTHON=no-such-python"], cwd=clone, capture_output=True, text=True)
    assert done.returncode == 2
    assert "ragteach needs Python 3.11 or later" in done.stdout


def plan(folder: Path, target: str) -> str:
    """Give the commands that make would run."""
    return subprocess.run(["make", "-n", target], cwd=folder, capture_output=True, text=True, check=True).stdout


def test_make_installs_only_when_something_changed(clone):
    venv = clone / ".venv"
    (venv / "bin").mkdir(parents=True)
    (venv / "bin/python").symlink_to(sys.executable)
    (venv / "place").write_text(f"{clone.resolve()}\n")
    for name in ("pip", "reader", "test"):
        (venv / f"{name}.stamp").touch()
    assert "pip install" not in plan(clone, "test")
    assert "ragteach lab --lang fr" in plan(clone, "lab-fr")

    later = (venv / "test.stamp").stat().st_mtime + 10
    os.utime(clone / "constraints.txt", (later, later))
    assert "pip install" in plan(clone, "test")
    assert "-m venv" not in plan(clone, "test")

    moved = clone.rename(clone.with_name("moved"))
    assert "-m venv" in plan(moved, "test")
