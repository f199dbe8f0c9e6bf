"""Several notebooks of one student: which are attempts at the same chapter, and which of them counts."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from ragteach.checking.exercise import Text
from ragteach.grading.cells import BLANK
from ragteach.grading.submission import Refused, read

POLICIES = ("last", "best")
SAME_TIME = 2.0  # seconds: what a zip can tell apart

# What browsers, systems and people put behind the name of a second version. A bare number is none: student1, student2.
VERSION = re.compile(
    r"(?:\s*\(\d+\)|[\s_.-]+(?:copy\d*|copie\d*|v\d+|version\s?\d+|final|finale|bis|new))+$", re.IGNORECASE
)


@dataclass(frozen=True)
class Found:
    """A submission: its name in the gradebook, and its notebook.

    `notebook` is None for a student's folder that holds none, or none that can be read: `refusal` then says why.
    `student` and `participant` (Moodle's number) are what the download's layout says. `attempts` are the notebooks
    of which the best is to count, `set_aside` those that do not count. `place` is what the name is made of, `folder`
    where the notebook lies, both below the path.
    """

    name: str
    notebook: Path | None
    student: str = ""
    participant: str = ""
    refusal: Text | None = None
    attempts: tuple[Path, ...] = ()
    set_aside: tuple[str, ...] = ()
    place: PurePosixPath = PurePosixPath()
    folder: PurePosixPath = PurePosixPath()


def choose(candidates: Sequence[tuple[Path, Found]], policy: str) -> list[tuple[Path, Found]]:
    """Keep one notebook of each student and chapter; several chapters of a student stay apart.

    Notebooks are one student's where the layout says so (Moodle's number does, whatever the download), or where they
    lie in one folder and either most folders hold a single notebook or their names differ by a version only. All
    others are students of their own: no submission may be lost to a guess.
    """
    chosen = []
    for group in groups(candidates):
        if len(group) == 1:
            chosen += group
            continue
        by_chapter = defaultdict(list)
        for root, one in group:
            chapter, rank = look(one)
            by_chapter[chapter].append((rank, one, root))
        known = {chapter: ones for chapter, ones in by_chapter.items() if chapter}
        strays = [(root, one) for _, one, root in by_chapter[None] if one.notebook]
        for ones in (known or by_chapter).values():
            alone = len(known or by_chapter) == 1
            chosen.append(pick(ones, strays if alone and known else [], policy, alone))
        if len(known) > 1:  # what cannot be read may be of yet another chapter
            chosen += strays
    return chosen


def groups(candidates: Sequence[tuple[Path, Found]]) -> Iterator[list[tuple[Path, Found]]]:
    """Put together what one student handed in."""
    folders = defaultdict(list)
    for root, one in candidates:
        folders[root, one.folder].append(one)
    single = sum(len(ones) == 1 for (_, folder), ones in folders.items() if folder.parts)
    several = sum(len(ones) > 1 for (_, folder), ones in folders.items() if folder.parts)
    one_a_student = single >= 2 and single > several
    found = defaultdict(list)
    for root, one in candidates:
        if one.participant:  # no two students of a Moodle share one: the late submissions may be another download
            key = (one.participant,)
        elif one.student:
            key = (root, one.student)
        elif one.folder.parts and one_a_student:
            key = (root, one.folder)
        else:
            version = VERSION.sub("", one.place.name).casefold() if one.folder.parts else ""
            key = (root, one.folder, version or one.place.name)
        found[key].append((root, one))
    yield from found.values()


def look(one: Found) -> tuple[str | None, tuple]:
    """Tell a notebook's chapter, if any, and how it ranks among attempts at it: the highest is the last."""
    if one.notebook is None:
        return None, ()
    try:
        notebook = read(one.notebook)
    except Refused as refusal:  # what cannot be read is no attempt as long as another can
        return refusal.chapter, (False, False, False, *order(one.notebook))
    ours = notebook.kind in ("lesson", "solutions")  # lie beside the exercises in a copy of the whole course
    filled = any(cell.exercise and not BLANK.search(cell.source) for cell in notebook.cells)
    return notebook.chapter.id, (True, not ours, filled, *order(one.notebook))


def order(path: Path) -> tuple:
    """Order attempts by the time at which they were saved, those of one moment by name, numbers as numbers."""
    pieces = re.split(r"(\d+)", path.stem)
    natural = [(int(piece), "") if piece.isdecimal() else (-1, piece.casefold()) for piece in pieces]
    return path.stat().st_mtime // SAME_TIME, natural, str(path)


def pick(
    ones: list[tuple[tuple, Found, Path]], strays: list[tuple[Path, Found]], policy: str, alone: bool
) -> tuple[Path, Found]:
    """Make one candidate of the attempts at a chapter; it bears the folder's name where that is all there is."""
    ones = sorted(ones, key=lambda one: one[0])
    _, last, root = ones[-1]
    first = min((one for _, one, path in ones if path == root), key=lambda one: str(one.place))
    equal = [one for rank, one, _ in ones if rank[:3] == ones[-1][0][:3] and one.notebook]  # none is a blank copy
    others = [(path, one) for _, one, path in ones if one is not last and (policy == "last" or one not in equal)]
    return root, replace(
        last,
        place=first.folder if alone and first.folder.parts else first.place,
        attempts=tuple(one.notebook for one in equal) if policy == "best" and len(equal) > 1 else (),
        set_aside=tuple(sorted(label(path, one, ones) for path, one in [*others, *strays] if one.notebook)),
    )


def label(root: Path, one: Found, ones: Sequence[tuple[tuple, Found, Path]]) -> str:
    """Name a notebook among the attempts: by its file, where others have that name too by its folder and path."""
    same = [(path, other) for _, other, path in ones if other.notebook and other.notebook.name == one.notebook.name]
    if len(same) < 2:
        return one.notebook.name
    elsewhere = any(path != root for path, _ in same)
    return str(PurePosixPath(root.name if elsewhere else "", one.folder, one.notebook.name))
