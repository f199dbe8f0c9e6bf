"""Whose a submission is, where the download's layout says so: Moodle's, nbgrader's, GitHub Classroom's."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

# Moodle: "Zoé Martin_12345_assignsubmission_file_" (folder or beginning of a file's name); the number is the one
# that its grading worksheet calls "Participant 12345".
MOODLE = re.compile(r"(?P<student>.+)_(?P<participant>\d{1,18})_assignsubmission_(?P<kind>file|onlinetext)(?:_|$)")
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


def owners(places: Sequence[PurePosixPath], root: Path, label: str) -> list[Owner | None]:
    """Tell whose the submission at each place below a root (named `label`) is; None where the layout does not say."""
    slug = github_slug(places, root)
    return [owner_of((label, *place.parts), slug) for place in places]


def owner_of(parts: tuple[str, ...], slug: str | None = None) -> Owner | None:
    """Find the student's name in the parts of a path."""
    for part in parts:
        if match := MOODLE.match(part):
            return Owner(match["student"], match["participant"])
    for folder, below in zip(parts, parts[1:], strict=False):
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


def handed_in(file: str) -> HandedIn | None:
    """Split the name of a file of Moodle's flat download; None where it is another file."""
    match = MOODLE.match(file)
    return HandedIn(match["participant"], match[0], file[match.end() :]) if match else None


def is_online_text(folder: str) -> bool:
    """Tell whether a Moodle folder holds what a student typed into the page, beside the one with the files."""
    match = MOODLE.match(folder)
    return bool(match) and match["kind"] == "onlinetext"
