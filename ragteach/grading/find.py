"""Finding the submissions below some paths, and giving each a name of its own."""

from __future__ import annotations

import errno
import os
import stat
import unicodedata
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath

from ragteach.checking.exercise import Text
from ragteach.grading import reading_words as words
from ragteach.grading.archive import MAX_DEPTH, NOTEBOOK, OWN_NOTEBOOKS, OWN_TOTAL, BadArchive, unpack
from ragteach.grading.archive import SUFFIX as ZIP
from ragteach.grading.attempts import Found, choose
from ragteach.grading.layouts import handed_in, is_online_text, moodle_folders, owners, start
from ragteach.grading.names import file_name
from ragteach.grading.words import no_such_file
from ragteach.language import BadValue

Entry = tuple[Path, Path | None, Text | None]
"""What lies in a folder: its path, the notebook, and why there is none."""


def find(paths: Sequence[Path], scratch: Path | None = None, policy: str = "last") -> list[Found]:
    """List the submissions below each path, by name.

    A submission is named by its notebook's folder below the path, or by the file without its suffix where several
    notebooks lie side by side; the path's own name stands before it when there are several paths, and Moodle's names
    do not tell students apart already. Zips are unpacked below `scratch`, if given. Of several attempts of a student
    the `policy` says which counts: "last" or "best". Raises BadValue for a path that does not exist or a zip that
    cannot be opened.
    """
    candidates: list[tuple[Path, Found]] = []
    seen: set[Path] = set()
    for root in paths:
        if not root.exists():
            raise BadValue(no_such_file(str(root)))
        for one in below(root, scratch):
            real = (one.notebook or root / one.place).resolve()
            if real not in seen:  # a path given twice, or one inside another
                seen.add(real)
                candidates.append((root, one))
    chosen = choose(candidates, policy)
    wished = names(chosen, len(paths) > 1)
    return sorted(unique(wished, [one for _, one in chosen]), key=lambda one: as_people_sort(one.name))


def as_people_sort(name: str) -> tuple[str, str]:
    """Give the key that sorts names as people do: accents and capitals tell apart only what is otherwise alike."""
    plain = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    return plain.casefold(), name


def below(root: Path, scratch: Path | None = None) -> list[Found]:
    """List the notebooks of one path, each with its place below that path, and the folders without one."""
    label, named = label_of(root), []
    if root.is_file() and root.suffix.lower() != ZIP:
        made = [Found("", root, place=PurePosixPath(root.stem))]
    elif root.is_file():
        if scratch is None:
            raise ValueError(f"{root}: a zip, and no folder to unpack it in.")
        folder = new_folder(scratch)
        try:
            refused = unpack(root, folder)
        except BadArchive as error:
            raise BadValue(words.bad_path(str(root), error.reason)) from None
        root, named = folder, moodle_folders(start(folder), label, refused)
        made = list(below_folder(root, None, refused, named))
    else:
        named = moodle_folders(start(root), label)
        made = list(below_folder(root, scratch, {}, named))
    whose = owners([one.place for one in made], root, label, named)
    return [
        replace(one, student=owner.student, participant=owner.participant) if owner else one
        for one, owner in zip(made, whose, strict=True)
    ]


def label_of(root: Path) -> str:
    """Name a path, as its owner may be named."""
    return root.stem if root.is_file() else root.name


def below_folder(
    root: Path, scratch: Path | None, refused: Mapping[Path, Text], moodles: Sequence[Path]
) -> Iterator[Found]:
    """Yield what lies below a folder; `refused` are places known to hold nothing that can be read, and why.

    `moodles` are the folders in which Moodle gave the names.
    """
    top = start(root)
    folders: dict[Path, list[Entry]] = {}
    closed: list[OSError] = []
    absent = defaultdict(list)
    for file in refused:
        absent[file.parent].append(file)
    for folder, files in walk(top, closed.append):
        files = sorted({*files, *absent[folder]})
        own, handed = by_participant(files) if folder in moodles else (files, {})
        for those in handed.values():
            yield from flat(root, those, entries_of(those, refused, scratch))
        entries = entries_of(own, refused, scratch)
        if entries or handed:
            folders[folder] = entries
    for error in closed:
        folder, reason = Path(error.filename), words.unreadable(error.strerror)
        if folder == top:
            raise BadValue(words.bad_path(str(top), reason))
        folders[folder] = [(folder, None, reason)]
    for folder, entries in folders.items():
        place = PurePosixPath(folder.relative_to(root).as_posix())
        if folder != root:
            entries = readable(entries)
        for file, notebook, reason in entries:
            alone = len(entries) == 1 and folder not in (root, top)
            yield Found("", notebook, refusal=reason, place=place if alone else place / file.stem, folder=place)
    known = {place for folder in folders for place in (folder, *folder.parents)}
    for parent in moodles or ([top] if folders else []):
        for folder in sorted(parent.iterdir()):
            students = parent not in folders or handed_in(folder.name)  # one folder a student, with a notebook or not
            if students and folder not in known and wanted(folder):
                place = PurePosixPath(folder.relative_to(root).as_posix())
                yield Found("", None, refusal=without_notebook(folder), place=place, folder=place)


def without_notebook(folder: Path) -> Text | None:
    """Say what a folder without a notebook holds; None where that is nothing."""
    files = [file.name for _, files in walk(folder) for file in files]
    return words.other_files(files) if files else None


def by_participant(files: Sequence[Path]) -> tuple[list[Path], dict[str, list[Path]]]:
    """Tell files from those of Moodle's flat download, which lie side by side and name their participant."""
    own: list[Path] = []
    handed: dict[str, list[Path]] = defaultdict(list)
    for file in files:
        split = handed_in(file.name)
        (handed[split.participant] if split else own).append(file)
    return own, handed


def flat(root: Path, files: Sequence[Path], entries: Sequence[Entry]) -> Iterator[Found]:
    """Yield what one participant of Moodle's flat download handed in: where it is no notebook, one row that says so."""
    for file, notebook, reason in readable(entries):
        place = PurePosixPath(file.relative_to(root).with_suffix("").as_posix())
        yield Found("", notebook, refusal=reason, place=place)
    if not entries:
        splits = [handed_in(file.name) for file in files]
        place = PurePosixPath(files[0].parent.relative_to(root).as_posix(), splits[0].prefix)
        yield Found("", None, refusal=words.other_files([split.name for split in splits]), place=place)


def readable(entries: Sequence[Entry]) -> list[Entry]:
    """Keep the notebooks; what cannot be read matters only where there is none, and then once."""
    return [entry for entry in entries if entry[1]] or list(entries)


def entries_of(files: Sequence[Path], refused: Mapping[Path, Text], scratch: Path | None) -> list[Entry]:
    """List the notebooks among files that lie together; where there is none, those of their zips."""
    entries = [entry for file in files if (entry := entry_of(file, refused))]
    if scratch is not None and not any(notebook for _, notebook, _ in entries):
        zips = [file for file in files if file.name.lower().endswith(ZIP) and file not in refused and is_own(file)]
        for file in zips:
            entries += opened(file, scratch, len(zips))
    return entries


def entry_of(file: Path, refused: Mapping[Path, Text]) -> Entry | None:
    """Tell what a file is: a notebook, one that cannot be had, or (None) something else."""
    if file in refused:
        return file, None, refused[file]
    if not file.name.lower().endswith(NOTEBOOK):
        return None
    try:
        mode = file.lstat().st_mode
    except OSError as error:
        return file, None, words.unreadable(error.strerror)
    if stat.S_ISLNK(mode):  # it could lead to the solutions, a device, or another's notebook
        return file, None, words.LINK
    return (file, file, None) if stat.S_ISREG(mode) else None


def opened(archive: Path, scratch: Path, beside: int) -> list[Entry]:
    """List the notebooks of a zip in a student's folder, as though they lay in that folder.

    It is one of `beside` zips, which share what one student may unpack.
    """
    folder = new_folder(scratch)
    try:
        refused = unpack(archive, folder, OWN_TOTAL // beside, max(1, OWN_NOTEBOOKS // beside))
    except BadArchive as error:
        return [(archive, None, error.reason)]
    inside = [file for _, files in walk(folder) for file in files if file.name.lower().endswith(NOTEBOOK)]
    notebooks = [(archive if len(inside) == 1 else archive / file.name, file, None) for file in inside]
    return notebooks or [(archive, None, reason) for reason in [*refused.values(), words.EMPTY_ARCHIVE][:1]]


def new_folder(scratch: Path) -> Path:
    """Name a folder for one more zip."""
    scratch.mkdir(mode=0o700, parents=True, exist_ok=True)
    return scratch / f"zip{len(list(scratch.iterdir()))}"


def walk(root: Path, closed: Callable[[OSError], None] | None = None) -> Iterator[tuple[Path, list[Path]]]:
    """Walk a tree in the order of names, hidden files, hidden folders, links to folders and gradebooks left out.

    `closed` is told of a folder that cannot be read, or lies too deep.
    """
    for folder, folders, files in os.walk(root, onerror=closed):
        if len(Path(folder).parts) - len(root.parts) >= MAX_DEPTH:
            if closed and folders:
                closed(OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG), str(Path(folder, folders[0]))))
            folders.clear()
        folders[:] = sorted(name for name in folders if wanted(Path(folder, name)))
        yield Path(folder), [Path(folder, name) for name in sorted(files) if not name.startswith(".")]


def is_own(path: Path) -> bool:
    """Tell whether a path is a file itself, and no link."""
    return os.path.isfile(path) and not os.path.islink(path)


def wanted(path: Path) -> bool:
    """Tell whether a path is a folder that a student could have handed in, and no gradebook of an earlier run."""
    if path.name.startswith((".", "__")) or os.path.islink(path) or not os.path.isdir(path):
        return False
    gradebook = all(os.path.isfile(path / name) for name in ("grades.csv", "grades.json"))  # False where it is closed
    twin = is_online_text(path.name) and any((path.parent / name).is_dir() for name in file_twins(path.name))
    return not gradebook and not twin


def file_twins(name: str) -> tuple[str, str]:
    """Give the names that Moodle gives the folder of files beside that of an online text."""
    twin = name.replace("_assignsubmission_onlinetext", "_assignsubmission_file").rstrip("_")
    return twin, f"{twin}_"


def names(chosen: Sequence[tuple[Path, Found]], several: bool) -> list[PurePosixPath]:
    """Put the path's own name before each name where there are several paths, and its parents' too where two clash.

    Moodle's names tell students apart in any download, and stay as they are: a late download renames nobody.
    """
    bare = [not several or bool(one.participant and not handed_in(label_of(root))) for root, one in chosen]
    for depth in range(1, 8):
        full = [
            one.place if as_it_is else PurePosixPath(*end_of(root, depth)) / one.place
            for (root, one), as_it_is in zip(chosen, bare, strict=True)
        ]
        longer = [name for name, as_it_is in zip(full, bare, strict=True) if not as_it_is]
        if len(set(longer)) == len(longer):
            break
    return full


def end_of(root: Path, depth: int) -> tuple[str, ...]:
    """Give the last names of a folder's path; of a notebook's those before its own, which the submission bears."""
    parts = Path(os.path.abspath(root)).parts[1:]
    if root.is_dir():
        return parts[-depth:]
    return (*parts[:-1], root.stem)[-depth:] if root.suffix.lower() == ZIP else parts[-depth:-1]


def unique(wished: Sequence[PurePosixPath], found: Sequence[Found]) -> Iterator[Found]:
    """Make every name printable, and no two alike as file names of any system."""
    taken: set[str] = set()
    for name, one in zip(wished, found, strict=True):
        base = "/".join("".join(c if c.isprintable() else "_" for c in part) for part in name.parts)
        candidate, n = base, 1
        while (key := unicodedata.normalize("NFC", file_name(candidate)).casefold()) in taken:
            n += 1
            candidate = f"{base}-{n}"
        taken.add(key)
        yield replace(one, name=candidate)
