"""What a stored notebook says otherwise than its source: cells and metadata, never outputs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from nbformat import NotebookNode

from ragteach.build.cells import fingerprint


def edited(stored: NotebookNode | None) -> bool:
    """Tell whether somebody changed the cells since they were built (None: a file that is no notebook any more)."""
    return stored is None or about(stored).get("made") != fingerprint(stored.cells)


def about(notebook: NotebookNode) -> dict[str, Any]:
    """Give what the build wrote about the notebook; empty for one that it did not write."""
    return notebook.metadata.get("ragteach", {})


def differences(stored: NotebookNode, made: NotebookNode) -> Iterator[str]:
    """Yield one line per difference, naming the cell."""
    ours, theirs = cells_by_id(made), cells_by_id(stored)
    for name in ours:
        if name not in theirs:
            yield f"cell {name}: missing"
        elif ours[name].cell_type != theirs[name].cell_type:
            yield f"cell {name}: {theirs[name].cell_type} instead of {ours[name].cell_type}"
        elif ours[name].source != theirs[name].source:
            yield f"cell {name}: another text, from line {first_difference(ours[name].source, theirs[name].source)}"
        elif ours[name].metadata != theirs[name].metadata:
            yield f"cell {name}: other metadata ({differing(theirs[name].metadata, ours[name].metadata)})"
    for name in theirs:
        if name not in ours:
            yield f"cell {name}: not in the source"
    if list(ours) != list(theirs) and set(ours) == set(theirs):
        moved = next(name for name, other in zip(ours, theirs, strict=True) if name != other)
        yield f"cell {moved}: at another place"
    if metadata(stored) != metadata(made):
        yield f"metadata of the notebook: {differing(metadata(stored), metadata(made))}"


def cells_by_id(notebook: NotebookNode) -> dict[str, NotebookNode]:
    """Index the cells; one without an id, or with one already taken, goes by its position."""
    cells: dict[str, NotebookNode] = {}
    for position, cell in enumerate(notebook.cells, start=1):
        name = cell.get("id")
        cells[name if name and name not in cells else f"number {position}"] = cell
    return cells


def metadata(notebook: NotebookNode) -> dict[str, Any]:
    """Give the notebook's metadata that its source decides: not what it was executed with, nor a hash of the cells."""
    told = {key: value for key, value in about(notebook).items() if key not in ("executed_with", "made")}
    return {**notebook.metadata, "ragteach": told, "nbformat": [notebook.nbformat, notebook.nbformat_minor]}


def differing(stored: dict[str, Any], made: dict[str, Any]) -> str:
    """Name the keys whose values differ."""
    return ", ".join(sorted(key for key in {*stored, *made} if stored.get(key) != made.get(key)))


def first_difference(one: str, other: str) -> int:
    """Give the number of the first line that differs between two different texts."""
    lines, others = one.split("\n"), other.split("\n")
    same = zip(lines, others, strict=False)
    return next((n for n, (a, b) in enumerate(same, start=1) if a != b), min(len(lines), len(others)) + 1)
