"""Makes the notebooks from course/: notebooks/ (lessons), exercises/ (blanks) and solutions/ (worked)."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection
from pathlib import Path

import nbformat
from nbformat import NotebookNode

from ragteach.build.cells import BuildError, Points, Target, make, targets
from ragteach.build.kernel import execute, hashes
from ragteach.build.stored import about, differences, edited

__all__ = ["BuildError", "build", "check", "make", "targets"]


def points_of(exercise: str) -> int:
    """Look up the points of an exercise in the package. Raises KeyError or ValueError for an unknown id."""
    from ragteach import exercises

    return exercises.get(exercise).points


def build(
    root: Path,
    chapters: Collection[str] = (),
    force: bool = False,
    points: Points = points_of,
    say: Callable[[str], None] = print,
) -> list[str]:
    """Write the notebooks whose source, or whose code in this package, changed; all of them with `force`.

    Where `chapters` names some ("02_bm25"), only theirs. Says each notebook that it writes, and keeps a copy of one
    that was edited by hand. Goes on after a notebook that cannot be made, and returns one line for each such
    notebook, naming file and cell. Raises ValueError for a chapter that has no source.
    """
    problems = []
    for target in chosen(root, chapters):
        try:
            build_one(root, target, force, points, say)
        except BuildError as error:
            problems.append(str(error))
    return problems


def build_one(root: Path, target: Target, force: bool, points: Points, say: Callable[[str], None]) -> None:
    """Write one notebook where it is due. Raises BuildError where it cannot be made or does not run."""
    path = root / target.path
    made = make(root, target, points)
    stored = read(path)
    if not force and stored is not None and current(root, target, stored, made):
        return
    if target.executed:
        say(f"{target.path}: executing")
        loaded = execute(made, target.path)
        made.metadata.ragteach["executed_with"] = hashes(root, [target.source, *loaded])
    if path.exists() and edited(stored):
        copy = free_name(path)
        say(f"{target.path}: edited by hand, kept as {copy.name}")
        copy.write_bytes(path.read_bytes())
    write(path, made)
    say(f"{target.path}: written")


def check(root: Path, chapters: Collection[str] = (), points: Points = points_of) -> list[str]:
    """Compare the stored notebooks (of some `chapters`, or all) with what their sources make, executing nothing.

    Returns one line per difference, naming file and cell and what to do. Raises ValueError for a chapter that has
    no source.
    """
    problems = []
    for target in chosen(root, chapters):
        try:
            made = make(root, target, points)
        except BuildError as error:
            problems.append(str(error))
            continue
        stored = read(root / target.path)
        if stored is None:
            state = "is no readable notebook" if (root / target.path).exists() else "is missing"
            problems.append(f"{target.path} {state}: run `ragteach build`.")
            continue
        todo = "run `ragteach build`."
        if edited(stored):
            todo = f"edited by hand; change {target.source} instead, then run `ragteach build`."
        problems += [f"{target.path}, {line}: {todo}" for line in differences(stored, made)]
    return problems + [f"{path} has no source any more: delete it." for path in orphans(root)]


def chosen(root: Path, chapters: Collection[str]) -> list[Target]:
    """List the notebooks of some chapters, of all where none is named."""
    found = targets(root)
    known = sorted({target.chapter for target in found})
    for name in chapters:
        if name not in known:
            raise ValueError(f"There is no chapter {name!r} below course/, only {', '.join(known)}.")
    return [target for target in found if not chapters or target.chapter in chapters]


def orphans(root: Path) -> list[str]:
    """List the built notebooks whose source is gone."""
    wanted = {target.path for target in targets(root)}
    found = [path for folder in ("notebooks", "exercises", "solutions") for path in (root / folder).glob("*/*.ipynb")]
    return [
        name
        for path in sorted(found)
        if (name := path.relative_to(root).as_posix()) not in wanted
        and ".edited" not in path.name
        and (stored := read(path)) is not None
        and "made" in about(stored)
    ]


def current(root: Path, target: Target, stored: NotebookNode, made: NotebookNode) -> bool:
    """Tell whether the stored notebook is what its source makes, executed with the files of today."""
    if any(differences(stored, made)):
        return False
    executed_with = about(stored).get("executed_with", {})
    return not target.executed or (
        target.source in executed_with and hashes(root, list(executed_with)) == dict(executed_with)
    )


def read(path: Path) -> NotebookNode | None:
    """Read a stored notebook; None where there is none, or the file is no notebook."""
    try:
        return nbformat.read(path, as_version=4)
    except Exception:  # nbformat raises what comes where a file is JSON, but no notebook
        return None


def write(path: Path, notebook: NotebookNode) -> None:
    """Store a notebook, whole or not at all: the file of before stays until the new one is complete."""
    nbformat.validate(notebook)
    path.parent.mkdir(parents=True, exist_ok=True)
    half = path.with_name(path.name + ".new")
    half.write_text(nbformat.writes(notebook) + "\n", encoding="utf-8", newline="\n")
    os.replace(half, path)


def free_name(path: Path) -> Path:
    """Give a name beside `path` that nothing has yet: 02_bm25.edited.ipynb, 02_bm25.edited-2.ipynb ..."""
    number, copy = 1, path.with_name(f"{path.stem}.edited.ipynb")
    while copy.exists():
        number += 1
        copy = path.with_name(f"{path.stem}.edited-{number}.ipynb")
    return copy
