"""Several notebooks of one student: which are attempts at the same chapter, and which of them counts."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from ragteach.checking.exercise import Text
from ragteach.grading.cells import BLANK
from ragteach.grading.submission import MAX_BYTES, Refused, read

POLICIES = ("last", "best")
MOST = 100  # notebooks of one student that are looked at: the whole course in both languages has 54
MOST_BYTES = 10 * MAX_BYTES  # of these, as far as they are read
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
    of which the best is to count, `set_aside` those that do not count: among them `no_attempts`, such as untouched
    copies, and `unread`, too many to be looked at. `place` is what the name is made of, `folder` where the notebook
    lies, both below the path.
    """

    name: str
    notebook: Path | None
    student: str = ""
    participant: str = ""
    refusal: Text | None = None
    attempts: tuple[Path, ...] = ()
    set_aside: tuple[str, ...] = ()
    no_attempts: tuple[str, ...] = ()
    unread: tuple[str, ...] = ()
    place: PurePosixPath = PurePosixPath()
    folder: PurePosixPath = PurePosixPath()


def choose(candidates: Sequence[tuple[Path, Found]], policy: str) -> list[tuple[Path, Found]]:
    """Keep one notebook of each student and chapter; several chapters of a student stay apart.

    Notebooks are one student's where the layout says so (Moodle's number does, whatever the download), or where they
    lie in one folder and either most folders beside it hold a single notebook or their names differ by a version only.
    All others are students of their own: no submission may be lost to a guess.
    """
    chosen = []
    for group in groups(candidates):
        if len(group) == 1:
            chosen += group
            continue
        newest, older = part(group)
        by_chapter = defaultdict(list)
        for root, one in newest:
            chapter, rank = look(one)
            by_chapter[chapter].append((rank, one, root))
        known = {chapter: ones for chapter, ones in by_chapter.items() if chapter}
        strays = [(root, one) for _, one, root in by_chapter[None] if one.notebook]
        for ones in (known or by_chapter).values():
            alone = len(known or by_chapter) == 1
            chosen.append(pick(ones, strays if alone and known else [], older, policy, alone))
        if len(known) > 1:  # what cannot be read may be of yet another chapter
            chosen += strays
    return chosen


def groups(candidates: Sequence[tuple[Path, Found]]) -> Iterator[list[tuple[Path, Found]]]:
    """Put together what one student handed in."""
    below = defaultdict(list)
    for root, one in candidates:
        below[root].append(one)
    whose = {(root, folder): top for root, ones in below.items() for folder, top in students(ones)}
    found = defaultdict(list)
    for root, one in candidates:
        if one.participant:  # no two students of a Moodle share one: the late submissions may be another download
            key = (one.participant,)
        elif one.student:
            key = (root, one.student)
        elif (root, one.folder) in whose:
            key = (root, whose[root, one.folder])
        else:
            version = VERSION.sub("", one.place.name).casefold() if one.folder.parts else ""
            key = (root, one.folder, version or one.place.name)
        found[key].append((root, one))
    yield from found.values()


def students(found: Sequence[Found], depth: int = 0) -> Iterator[tuple[PurePosixPath, tuple[str, ...]]]:
    """Tell in whose folder each folder lies, where most of those side by side hold a single notebook.

    They are compared `depth` folders down, or further down where that says nothing. Only notebooks as deep as most are
    counted, and each folder has one voice: what students put into their own, or below it, changes nothing for others.
    """
    beside = defaultdict(list)
    for one in found:
        if len(one.folder.parts) > depth:
            beside[one.folder.parts[depth]].append(one)
    counts = [Counter(len(one.folder.parts) for one in ones if one.notebook) for ones in beside.values()]
    first = Counter(min(count) for count in counts if count)
    deep = max(first, key=lambda parts: (first[parts], parts), default=0)
    voices = [count[deep] for count in counts if count[deep]]
    if voices.count(1) >= 2 and 2 * voices.count(1) > len(voices):
        yield from ((one.folder, one.folder.parts[:deep]) for ones in beside.values() for one in ones)
    else:
        for ones in beside.values():
            yield from students(ones, depth + 1)


def part(group: Sequence[tuple[Path, Found]]) -> tuple[list[tuple[Path, Found]], list[tuple[Path, Found]]]:
    """Part what one student handed in: the newest notebooks, as many as may be looked at, and the older ones."""
    notebooks = sorted((one.notebook for _, one in group if one.notebook), key=order, reverse=True)
    left, seen = MOST_BYTES, set()
    for notebook in notebooks[:MOST]:
        left -= min(notebook.stat().st_size, MAX_BYTES)
        if left < 0:
            break
        seen.add(notebook)
    newest = [(root, one) for root, one in group if one.notebook is None or one.notebook in seen]
    return newest, [(root, one) for root, one in group if one.notebook and one.notebook not in seen]


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
    ones: list[tuple[tuple, Found, Path]],
    strays: list[tuple[Path, Found]],
    older: list[tuple[Path, Found]],
    policy: str,
    alone: bool,
) -> tuple[Path, Found]:
    """Make one candidate of the attempts at a chapter; it bears the folder's name where that is all there is.

    Its name is that of the first path's: a later download of the same students renames nobody.
    """
    root = ones[0][2]
    first = min((one for _, one, path in ones if path == root), key=lambda one: str(one.place))
    ones = sorted(ones, key=lambda one: one[0])
    best, last, _ = ones[-1]
    equal = [one for rank, one, _ in ones if rank[:3] == best[:3] and one.notebook]  # none is a blank copy
    attempts = [(path, one) for _, one, path in ones if one in equal and one is not last and policy == "last"]
    others = [*((path, one) for _, one, path in ones if one not in equal), *strays]
    known = [*((path, one) for _, one, path in ones), *strays, *older]
    names, no_attempts, unread = (
        tuple(sorted(label(path, one, known) for path, one in those if one.notebook))
        for those in (attempts, others, older)
    )
    return root, replace(
        last,
        place=first.folder if alone and first.folder.parts else first.place,
        attempts=tuple(one.notebook for one in equal) if policy == "best" and len(equal) > 1 else (),
        set_aside=tuple(sorted((*names, *no_attempts, *unread))),
        no_attempts=no_attempts,
        unread=unread,
    )


def label(root: Path, one: Found, known: Sequence[tuple[Path, Found]]) -> str:
    """Name a notebook among those of a student: by its file, where others have that name too by its folder and path."""
    same = [path for path, other in known if other.notebook and other.notebook.name == one.notebook.name]
    if len(same) < 2:
        return one.notebook.name
    elsewhere = any(path != root for path in same)
    return str(PurePosixPath(root.name if elsewhere else "", one.folder, one.notebook.name))
