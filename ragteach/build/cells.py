"""From a source in course/ to the cells of a notebook: jupytext reads, the solutions are taken out, ids are set."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import jupytext
from nbformat import NotebookNode
from nbformat.v4 import new_notebook

from ragteach import COURSE_VERSION

LANGUAGES = ("fr", "en")
BLANK = {"fr": "# À vous", "en": "# Your turn"}
BEGIN, END = "### BEGIN SOLUTION", "### END SOLUTION"
KERNELSPEC = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
# Only this much, so that a notebook executed by another Python 3 keeps its bytes.
LANGUAGE_INFO = {"name": "python"}

# Each source's notebooks: (folder, kind).
NOTEBOOKS = {
    "lesson.py": (("notebooks", "lesson"),),
    "exercises.py": (("exercises", "exercises"), ("solutions", "solutions")),
}

Points = Callable[[str], int]
"""The points of an exercise, by its id; KeyError or ValueError where there is no such exercise."""


class BuildError(ValueError):
    """A source that makes no notebook, or a notebook that does not run; the message names file and cell."""


@dataclass(frozen=True)
class Target:
    """A notebook to make: its source, where it is stored (both below the project's folder), and what it is."""

    source: str
    path: str
    kind: str
    lang: str
    chapter: str

    @property
    def executed(self) -> bool:
        """Whether the notebook is stored with outputs: all are but the blanks."""
        return self.kind != "exercises"


def targets(root: Path) -> list[Target]:
    """List the notebooks that the sources below course/ make, chapter by chapter."""
    return [
        Target(source.relative_to(root).as_posix(), f"{folder}/{lang}/{chapter.name}.ipynb", kind, lang, chapter.name)
        for lang in LANGUAGES
        for chapter in sorted((root / "course" / lang).glob("*/"))
        for name, made in NOTEBOOKS.items()
        if (source := chapter / name).is_file()
        for folder, kind in made
    ]


def make(root: Path, target: Target, points: Points) -> NotebookNode:
    """Make the notebook without its outputs.

    Raises BuildError where the source is no UTF-8, a solution's markers do not pair, an exercise holds no solution
    to take out or is unknown, or two cells claim one id.
    """
    try:
        source = jupytext.reads((root / target.source).read_text(encoding="utf-8"), fmt="py:percent")
    except UnicodeDecodeError:
        raise BuildError(f"{target.source}: not written in UTF-8.") from None
    cells = source.cells
    for position, cell in enumerate(cells, start=1):
        for note in [key for key in cell.metadata if key.startswith("lines_to_")]:  # jupytext's, on blank lines
            del cell.metadata[note]
        cell.id = cell_id(target.chapter, position, cell.metadata)
    ids = [cell.id for cell in cells]
    for name in ids:
        if ids.count(name) > 1:
            raise BuildError(f"{target.source}, cell {name}: two cells have this id.")

    if target.kind == "exercises":
        cells = [cell for cell in cells if "solution" not in cell.metadata.get("tags", ())]
    else:  # the place for a written answer; a solution cell after it holds a model answer
        cells = [cell for cell in cells if "written" not in cell.metadata]
    for cell in cells:
        if cell.cell_type == "code":
            fill_cell(cell, target, points)
        elif "written" in cell.metadata:
            cell.metadata["nbgrader"] = written(cell, target)

    about = {"chapter": target.chapter, "kind": target.kind, "lang": target.lang, "course": COURSE_VERSION}
    about["made"] = fingerprint(cells)
    metadata = {"kernelspec": KERNELSPEC, "language_info": LANGUAGE_INFO, "ragteach": about}
    notebook = new_notebook(cells=cells, metadata=metadata)
    notebook.nbformat_minor = 5
    return notebook


def cell_id(chapter: str, position: int, metadata: dict) -> str:
    """Name a cell by its exercise or question, or by its chapter's number and its position, whatever the language."""
    if "exercise" in metadata:
        return metadata["exercise"].replace(".", "-")
    if "check" in metadata:
        return metadata["check"].replace(".", "-") + "-check"
    if "written" in metadata:
        return metadata["written"].replace(".", "-")
    return f"{chapter.split('_')[0]}-{position:03}"


def fill_cell(cell: NotebookNode, target: Target, points: Points) -> None:
    """Treat the solution regions of a code cell as its notebook's kind demands, and tell nbgrader what the cell is."""
    place = f"{target.source}, cell {cell.id}"
    if target.kind == "lesson":
        if BEGIN in cell.source or END in cell.source:
            raise BuildError(f"{place}: a lesson holds blanks, not solutions.")
        return
    if "exercise" in cell.metadata and BEGIN not in cell.source:
        raise BuildError(f"{place}: the exercise has no line {BEGIN!r}, so that its solution would be given away.")
    blank = BLANK[target.lang] if target.kind == "exercises" else None
    cell.source = without_solution(cell.source, blank, place)
    if target.kind == "exercises":
        if "exercise" in cell.metadata:
            cell.metadata["nbgrader"] = nbgrader(cell.id, grade=False)
        elif "check" in cell.metadata:
            try:
                worth = points(cell.metadata["check"])
            except (KeyError, ValueError) as error:
                raise BuildError(f"{place}: {error}") from None
            cell.metadata["nbgrader"] = nbgrader(cell.id, grade=True) | {"points": worth}


def without_solution(source: str, blank: str | None, place: str) -> str:
    """Drop the markers of each solution region; where `blank` is given, keep them, around it and an exception.

    nbgrader makes its own blank between the markers; where a solution cell has none it wipes the whole cell. Raises
    BuildError, naming `place`, where markers do not pair or a region to blank stands outside a function.
    """
    lines: list[str] = []
    inside = False
    for line in source.splitlines():
        if line.strip() == (END if inside else BEGIN):
            inside = not inside
            if inside and blank is not None:
                indent = line[: len(line) - len(line.lstrip())]
                if not indent:  # the exception would stop Run All there
                    raise BuildError(f"{place}: the solution must stand inside a function.")
                lines += [line, indent + blank, indent + "raise NotImplementedError"]
            elif blank is not None:
                lines.append(line)
        elif BEGIN in line or END in line:
            raise BuildError(f"{place}: {line.strip()!r} has no partner.")
        elif not inside or blank is None:
            lines.append(line)
    if inside:
        raise BuildError(f"{place}: {BEGIN!r} has no partner.")
    return "\n".join(lines)


def written(cell: NotebookNode, target: Target) -> dict:
    """Give nbgrader's metadata of a cell for a written answer, which a teacher reads and marks."""
    worth = cell.metadata.get("points")
    if not isinstance(worth, int) or worth < 1:
        raise BuildError(f"{target.source}, cell {cell.id}: a written answer needs points=N, at least 1.")
    about = nbgrader(cell.id, grade=True) | {"points": worth, "solution": True, "locked": False}
    return about | {"cell_type": "markdown"}


def nbgrader(grade_id: str, grade: bool) -> dict:
    """Give nbgrader's metadata (schema 3) of a locked test cell (`grade`) or of a solution cell."""
    if not re.fullmatch(r"[A-Za-z0-9_-]+", grade_id):
        raise BuildError(f"cell {grade_id}: nbgrader wants ids of letters, digits, hyphens and underscores.")
    return {
        "cell_type": "code",
        "grade": grade,
        "grade_id": grade_id,
        "locked": grade,
        "schema_version": 3,
        "solution": not grade,
        "task": False,
    }


def fingerprint(cells: list[NotebookNode]) -> str:
    """Hash what a reader edits, the cells and their order; JupyterLab adds metadata of its own when it saves."""
    return sha(json.dumps([[cell.get("id"), cell.cell_type, cell.source] for cell in cells]).encode())


def sha(content: bytes) -> str:
    """Hash a file's content, whatever the system's line ends, in 16 hexadecimal digits."""
    return hashlib.sha256(content.replace(b"\r\n", b"\n")).hexdigest()[:16]
