"""Whose a submission is, where the download's layout says so: Moodle's, nbgrader's, GitHub Classroom's."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

# Moodle: "Zoé Martin_12345_assignsubmission_file_" (folder or beginning of a file's name); the number is the one
# that its grading worksheet calls "Participant 12345". Moodle writes an underscore in a student's name as a space, so
# the first match is its own: what stands behind it is a file's name, and the student's to choose.
MOODLE = re.compile(r"(?P<student>.+?)_(?P<participant>\d{1,18})_assignsubmission_(?P<kind>file|onlinetext)(?:_|$)")
NBGRADER = "submitted"  # submitted/<student>/<assignment>/
NBGRADER_SIGNS = ("source", "release", "nbgrader_config.py", "gradebook.db")
GITHUB = "-submissions"  # <assignment>-submissions/<assignment>-<user>/


@dataclass(frozen=True)
class Owner:
    """A student as the layout names one; `participant` is Moodle's number of the student, or empty."""

    student: str
    participant: str = ""


@dataclass(frozen=True)
class HandedIn:
    """What a file's name says where Moodle puts all files side by side: what it puts first, and the student's name."""

    participant: str
    prefix: str
    name: str


def owners(places: Sequence[PurePosixPath], root: Path, label: str, moodles: Sequence[Path]) -> list[Owner | None]:
    """Tell whose the submission at each place below a root (named `label`) is; None where the layout does not say.

    `moodles` are the folders in which Moodle gave the names.
    """
    slug = github_slug(places, root)
    above = [folder.relative_to(root).parts for folder in moodles]
    depths = [max((len(top) + 2 for top in above if place.parts[: len(top)] == top), default=1) for place in places]
    return [owner_of((label, *place.parts), slug, depth) for place, depth in zip(places, depths, strict=True)]


def owner_of(parts: tuple[str, ...], slug: str | None = None, depth: int = 2) -> Owner | None:
    """Find the student's name in the outer parts of a path: names further down are the student's to choose.

    Moodle's are sought in the first `depth` parts.
    """
    for part in parts[:depth]:
        if match := MOODLE.match(part):
            return Owner(match["student"], match["participant"])
    for folder, below in zip(parts[:2], parts[1:], strict=False):
        if folder == NBGRADER:
            return Owner(below)
        assignment = folder.removesuffix(GITHUB)
        if folder != assignment and below.startswith(f"{assignment}-"):
            return Owner(below.removeprefix(f"{assignment}-"))
    if slug and len(parts) > 1 and parts[1].startswith(slug):
        return Owner(parts[1].removeprefix(slug))
    return None


def github_slug(places: Sequence[PurePosixPath], root: Path) -> str | None:
    """Find what clones of one assignment have in common: "tp2-" of tp2-ann, tp2-bob, each a git repository."""
    folders = sorted({place.parts[0] for place in places if place.parts})
    if len(folders) < 2 or not all(os.path.exists(root / folder / ".git") for folder in folders):
        return None
    common = os.path.commonprefix(folders)
    slug = common[: common.rfind("-") + 1]
    return slug if slug and all(len(folder) > len(slug) for folder in folders) else None


def start(root: Path) -> Path:
    """Give the folder to search: of a whole nbgrader course only what was submitted, never its solutions."""
    course = os.path.isdir(root / NBGRADER) and any(os.path.exists(root / sign) for sign in NBGRADER_SIGNS)
    return root / NBGRADER if course else root


def moodle_folders(top: Path, label: str, known: Collection[Path] = (), around: int = 2) -> list[Path]:
    """List the folders in which Moodle gave the names: the one to search, or those that it is made of.

    Further down, the same names are a student's own idea. `label` names what was given to grade: where it is one
    student's folder, there are none. `known` are files that should be there, and are not. Up to `around` folders may
    lie around a download, each alone.
    """
    if MOODLE.match(label):
        return []
    absent = defaultdict(set)
    for path in known:
        absent[path.parent].add(path.name)
    names = names_in(top) | absent[top]
    if any(map(MOODLE.match, names)):
        return [top]
    folders = [top / name for name in sorted(names) if os.path.isdir(top / name) and not os.path.islink(top / name)]
    if len(folders) == 1 and around:
        return moodle_folders(folders[0], "", known, around - 1)
    downloads = [folder for folder in folders if any(map(MOODLE.match, names_in(folder) | absent[folder]))]
    return downloads if 2 * len(downloads) > len(folders) else []  # one among others is a student's


def names_in(folder: Path) -> set[str]:
    """List what lies in a folder and is not hidden; nothing where it cannot be read."""
    try:
        return {name for name in os.listdir(folder) if not name.startswith((".", "__"))}
    except OSError:
        return set()


def handed_in(file: str) -> HandedIn | None:
    """Split the name of a file of Moodle's flat download; None where it is another file."""
    match = MOODLE.match(file)
    return HandedIn(match["participant"], match[0], file[match.end() :]) if match else None


def is_online_text(folder: str) -> bool:
    """Tell whether a Moodle folder holds what a student typed into the page, beside the one with the files."""
    match = MOODLE.match(folder)
    return bool(match) and match["kind"] == "onlinetext"
