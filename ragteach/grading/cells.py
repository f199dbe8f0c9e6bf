"""Which cell answers which exercise, whatever became of the notebook: cells moved, copied, split, retyped, retagged."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, cached_property
from typing import Any

from ragteach import exercises
from ragteach.checking.exercise import Chapter, Text
from ragteach.grading import reading_words as words

CHECK_CALL = re.compile(r"""\bcheck\(\s*["']([^"'\n]+)["']""")
DEFINED = re.compile(r"^(?:(?:async[ \t]+)?def|class)[ \t]+(\w+)|^(\w+)[ \t]*=(?!=)(?![ \t]*check\()", re.MULTILINE)
# No \s at the start of a line, here or elsewhere: it crosses lines, and a cell of empty lines would take hours.
BLANK = re.compile(r"^[ \t]+raise NotImplementedError\b", re.MULTILINE)


@dataclass(frozen=True)
class Cell:
    """A code cell, and the id of the exercise whose answer it is, if any."""

    source: str
    exercise: str | None = None


@dataclass(frozen=True)
class RawCell:
    """A cell as the file has it: its kind ("code", "markdown", "raw") and the exercise that its metadata name."""

    kind: str
    source: str
    exercise: str | None = None

    # Looked up once: a cell may be long, there may be many, and each exercise asks them all.

    @cached_property
    def asked_for(self) -> frozenset[str]:
        """The functions of the course that it defines."""
        return frozenset(name for name in defined_in(self.source) if name in known_entries())

    @cached_property
    def defines(self) -> bool:
        """Whether it defines anything."""
        return DEFINED.search(self.source) is not None

    @cached_property
    def checked(self) -> frozenset[str]:
        """The exercises that it checks."""
        return frozenset(match[1] for match in CHECK_CALL.finditer(self.source) if match[1] in known_ids())

    @cached_property
    def blank(self) -> bool:
        """Whether it is an exercise that nobody has filled in."""
        return BLANK.search(self.source) is not None


def raw_cell(cell: dict) -> RawCell:
    """Read one cell of the JSON."""
    kind = cell.get("cell_type")
    return RawCell(kind if isinstance(kind, str) else "", source_of(cell), exercise_of(cell))


def source_of(cell: dict) -> str:
    """Give a cell's text, which nbformat allows to be one string or a list of lines."""
    source = cell.get("source")
    if isinstance(source, list):
        return "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""


def exercise_of(cell: dict) -> str | None:
    """Find the exercise that a cell's metadata name: ours, else nbgrader's, else the cell's id (Colab moves it)."""
    metadata = mapping(cell.get("metadata"))
    if among(metadata.get("exercise"), known_ids()):
        return metadata["exercise"]
    by_name = ids_by_name()
    names = (mapping(metadata.get("nbgrader")).get("grade_id"), cell.get("id"), metadata.get("id"))
    return next((by_name[name] for name in names if among(name, by_name)), None)


def assign(raw: Sequence[RawCell], chapter: Chapter) -> tuple[tuple[Cell, ...], tuple[Text, ...]]:
    """Settle which cell answers each exercise of a chapter; returns the code cells and what is to be told.

    An exercise's cell is known by its metadata, else by a check of it in the cell that defines a function, else by
    the function's name. Of several, the last that is no blank counts. An answer in a cell that became text is run
    all the same, where no code cell has it.
    """
    cells = [replace(cell, exercise=None) if cell.kind != "code" else cell for cell in raw]
    duplicated, split, retyped, missing = [], [], [], []
    for exercise in chapter.exercises:
        id, entry = exercise.id, exercise.entry
        code = [i for i, cell in enumerate(cells) if cell.kind == "code"]
        tagged = [i for i in code if cells[i].exercise == id]
        own = [i for i in code if entry in cells[i].asked_for]
        own = own or [i for i in code if id in cells[i].checked and cells[i].defines]
        text = [i for i, c in enumerate(raw) if c.kind != "code" and c.exercise == id and entry in c.asked_for]
        if not own and text:
            cells[text[-1]] = replace(raw[text[-1]], kind="code")
            retyped.append(entry)
        elif not own and not tagged and not any(id in cell.checked for cell in cells):
            missing.append(entry)
        else:
            counted = counts(own, set(tagged), cells)
            for i in {*tagged, *([] if counted is None else [counted])}:
                cells[i] = replace(cells[i], exercise=id if i == counted else None)
            if len(own) > 1:
                duplicated.append(entry)
            elif len(tagged) > 1:
                split.append(entry)
    told = [(words.duplicated, duplicated), (words.split, split), (words.retyped, retyped), (words.missing, missing)]
    remarks = tuple(say(entries) for say, entries in told if entries)
    return tuple(Cell(c.source, c.exercise) for c in cells if c.kind == "code" and c.source.strip()), remarks


def counts(own: Sequence[int], tagged: Set[int], cells: Sequence[RawCell]) -> int | None:
    """Choose the cell that counts: the last with the exercise's tag that defines the function and is no blank."""
    filled = [i for i in own if not cells[i].blank]
    own_tagged = [i for i in own if i in tagged]
    for candidates in ([i for i in filled if i in tagged], filled, own_tagged, sorted(tagged), own):
        for i in reversed(candidates):
            shared = len(cells[i].asked_for) > 1  # no single exercise's own
            if i in tagged or (cells[i].exercise is None and not shared):
                return i
    return None


def names_defined(source: str) -> set[str]:
    """Name what a cell defines at its outermost level."""
    return set(defined_in(source))


def defined_in(source: str) -> Iterator[str]:
    """Yield the names that a cell defines at its outermost level, as often as it does."""
    return (match[1] or match[2] for match in DEFINED.finditer(source))


@cache
def known_entries() -> frozenset[str]:
    """Give the names of all functions that the course asks for."""
    return frozenset(exercise.entry for exercise in exercises.all())


@cache
def known_ids() -> frozenset[str]:
    """Give the ids of all exercises of the package."""
    return frozenset(exercise.id for exercise in exercises.all())


@cache
def ids_by_name() -> dict[str, str]:
    """Map what nbgrader and cell ids, which hold no point, call the exercises to their ids."""
    return {id.replace(".", "-"): id for id in known_ids()}


def among(name: Any, names: Any) -> bool:
    """Tell whether something of the JSON is a text and one of some names."""
    return isinstance(name, str) and name in names


def mapping(value: Any) -> Mapping:
    """Give something of the JSON where it is an object, else an empty one."""
    return value if isinstance(value, dict) else {}
