"""Opening a zip that nobody vouches for: its notebooks only, in bounded numbers and sizes, inside one folder."""

from __future__ import annotations

import os
import stat
import time
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from itertools import takewhile
from pathlib import Path, PurePosixPath

from ragteach.checking.exercise import Text
from ragteach.grading import reading_words as words
from ragteach.grading.names import safe_part
from ragteach.grading.slim import MAX_FILE

SUFFIX = ".zip"
NOTEBOOK = ".ipynb"
MAX_MEMBERS = 100_000
MAX_TOTAL = 20_000_000_000  # bytes of all notebooks together
MAX_RATIO = 300  # unpacked to packed, once there is more than MANY: text packs 5 to 20 times
MANY = 200_000_000
CHUNK = 1 << 20


class BadArchive(Exception):
    """The zip cannot be opened; `reason` says why in a sentence."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason["en"])
        self.reason = reason


def unpack(archive: Path, folder: Path) -> dict[Path, Text]:
    """Unpack the notebooks of a zip below a new folder, and make the folders in which it holds anything at all.

    No link is made, no name leads out of the folder, a zip inside is not opened. Returns the places of notebooks
    that could not be unpacked and of zips inside, each with the reason. Raises BadArchive where nothing can be had.
    """
    folder.mkdir(parents=True)
    refused: dict[Path, Text] = {}
    try:
        with zipfile.ZipFile(archive) as zipped:
            members = zipped.infolist()
            if len(members) > MAX_MEMBERS:
                raise BadArchive(words.ARCHIVE_TOO_MANY)
            budget = Budget(archive.stat().st_size)
            for member, place in wanted(members):
                target = free(folder / place)
                try:
                    (target if member is None else target.parent).mkdir(parents=True, exist_ok=True)
                except OSError:  # a name too long, or a file where another member wants a folder
                    continue
                if member is None:
                    continue
                reason = unpack_one(zipped, member, target, budget)
                if reason is not None:
                    refused[target] = reason
    except BadArchive:
        raise
    except Exception as error:  # zipfile lets through whatever its decompressors raise
        raise BadArchive(words.ARCHIVE_BROKEN) from error
    return refused


class Budget:
    """How much an archive may unpack to."""

    def __init__(self, packed: int) -> None:
        self.left = min(MAX_TOTAL, max(MANY, packed * MAX_RATIO))

    def spend(self, n_bytes: int) -> None:
        """Take some bytes; raises BadArchive where there are none left."""
        self.left -= n_bytes
        if self.left < 0:
            raise BadArchive(words.ARCHIVE_TOO_BIG)


def unpack_one(zipped: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, budget: Budget) -> Text | None:
    """Unpack one member where it is a notebook; returns why it is not, where somebody should be told."""
    name = target.name.lower()
    if name.endswith(SUFFIX):
        return words.NESTED_ARCHIVE
    if not name.endswith(NOTEBOOK):
        return None
    if stat.S_ISLNK(member.external_attr >> 16):
        return words.LINK
    if member.flag_bits & 1:
        return words.ENCRYPTED
    written = 0
    try:
        with zipped.open(member) as source, target.open("wb") as file:
            while chunk := source.read(CHUNK):
                budget.spend(len(chunk))
                written += len(chunk)
                if written > MAX_FILE:  # what the zip says of the size is not to be believed
                    raise BadArchive(words.too_big(MAX_FILE // 1_000_000))
                file.write(chunk)
    except BadArchive as error:
        target.unlink(missing_ok=True)
        if budget.left < 0:
            raise
        return error.reason
    except Exception:
        target.unlink(missing_ok=True)
        return words.MEMBER_BROKEN
    with suppress(OSError, OverflowError, ValueError):  # the date that tells the last attempt
        when = time.mktime((*member.date_time, 0, 0, -1))
        os.utime(target, (when, when))
    return None


def wanted(members: list[zipfile.ZipInfo]) -> Iterator[tuple[zipfile.ZipInfo | None, PurePosixPath]]:
    """Yield the members with a name that stays inside; of what is hidden, or a Mac's own, the folder it lies in."""
    for member in members:
        parts = [part for part in name_of(member).replace("\\", "/").split("/") if part and part != "."]
        if ".." in parts:
            continue
        shown = list(takewhile(lambda part: not part.startswith((".", "__MACOSX")), parts))
        if shown:
            place = PurePosixPath(*(safe_part(part) for part in shown))
            yield None if member.is_dir() or len(shown) < len(parts) else member, place


def name_of(member: zipfile.ZipInfo) -> str:
    """Read a member's name: zips of old Windows and Mac programs do not say in which encoding it is."""
    if member.flag_bits & 0x800:
        return member.filename
    raw = member.filename.encode("cp437", errors="replace")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError:
        return raw.decode("cp850")  # what Windows uses in Western Europe


def free(path: Path) -> Path:
    """Give a path that no file has yet: a zip may hold two members of one name."""
    candidate, n = path, 1
    while candidate.is_file():
        n += 1
        candidate = path.with_name(f"{path.stem} ({n}){path.suffix}")
    return candidate
