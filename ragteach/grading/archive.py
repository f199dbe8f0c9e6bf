"""Opening a zip that nobody vouches for: its notebooks only, in bounded numbers and sizes, inside one folder."""

from __future__ import annotations

import io
import os
import stat
import struct
import time
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from itertools import takewhile
from pathlib import Path, PurePosixPath

from ragteach.checking.exercise import Text
from ragteach.grading import reading_words as words
from ragteach.grading.layouts import handed_in
from ragteach.grading.names import safe_part
from ragteach.grading.slim import MAX_FILE

SUFFIX = ".zip"
NOTEBOOK = ".ipynb"
MAX_MEMBERS = 100_000
MAX_TOTAL = 20_000_000_000  # bytes of all notebooks together: 6 MB for each of 3,000 students
MAX_RATIO = 300  # unpacked to packed, once there is more than MANY: text packs 5 to 20 times
MANY = 200_000_000
CHUNK = 1 << 20
SMALL_CHUNK = 1 << 12  # bzip2 and LZMA unpack all that they are given at once, some 25,000 times as much


class BadArchive(Exception):
    """The zip cannot be opened; `reason` says why in a sentence."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason["en"])
        self.reason = reason


def unpack(archive: Path, folder: Path) -> dict[Path, Text]:
    """Unpack the notebooks of a zip below a new folder, and make the folders in which it holds anything at all.

    Where Moodle puts the files of all students side by side, it is an empty file that shows who handed in no notebook.
    No link is made, no name leads out of the folder, a zip inside is not opened. Returns the places of notebooks
    that could not be unpacked and of zips inside, each with the reason. Raises BadArchive where nothing can be had.
    """
    folder.mkdir(parents=True)
    refused: dict[Path, Text] = {}
    try:
        with opened(archive) as zipped:
            members = zipped.infolist()
            if len(members) > MAX_MEMBERS:
                raise BadArchive(words.ARCHIVE_TOO_MANY)
            inside = list(wanted(members))
            notebooks = (member for member, place in inside if member and is_notebook(place.name))
            heavy = too_heavy(notebooks, archive.stat().st_size)
            if heavy and len(heavy) == len(inside):
                raise BadArchive(words.ARCHIVE_TOO_BIG)
            for member, place in inside:
                target = free(folder / place)
                try:
                    (target if member is None else target.parent).mkdir(parents=True, exist_ok=True)
                except OSError:  # a name too long, or a file where another member wants a folder
                    continue
                if member is None:
                    continue
                reason = unpack_one(zipped, member, target, member in heavy)
                if reason is not None:
                    refused[target] = reason
    except BadArchive:
        raise
    except PermissionError as error:
        raise BadArchive(words.unreadable(error.strerror)) from error
    except Exception as error:  # zipfile lets through whatever its decompressors raise
        raise BadArchive(words.ARCHIVE_BROKEN) from error
    return refused


@contextmanager
def opened(archive: Path) -> Iterator[zipfile.ZipFile]:
    """Open a zip; where a name in it is not the UTF-8 that it is said to be, no name is said to be UTF-8."""
    try:
        zipped = zipfile.ZipFile(archive)
    except UnicodeDecodeError:
        with Unmarked(archive) as file, zipfile.ZipFile(file) as zipped:
            yield zipped
    else:
        with zipped:
            yield zipped


class Unmarked(io.FileIO):
    """A zip's file, whose headers are read without the mark "this name is UTF-8": for one name zipfile gives up all."""

    def read(self, size: int = -1) -> bytes:
        data = bytearray(super().read(size))
        if len(data) == 30 and data.startswith(b"PK\3\4"):  # one member's own header
            data[7] &= ~8
        at = 0
        while data.startswith(b"PK\1\2", at):  # the central directory, which zipfile reads at once
            data[at + 9] &= ~8
            at += 46 + sum(struct.unpack_from("<3H", data, at + 28))
        return bytes(data)


def too_heavy(members: Iterable[zipfile.ZipInfo], packed: int) -> set[zipfile.ZipInfo]:
    """Choose the notebooks that are refused for their size: each over its own limit, then the biggest of all.

    `packed` is the size of the zip.
    zipfile reads no more of a member than the size that the zip states, whatever there is.
    """
    left = min(MAX_TOTAL, max(MANY, packed * MAX_RATIO))
    heavy = set()
    for member in sorted(members, key=lambda member: member.file_size):
        if member.file_size > min(most_of(member), left):
            heavy.add(member)
        else:
            left -= member.file_size
    return heavy


def most_of(member: zipfile.ZipInfo) -> int:
    """Say how many bytes one notebook may have."""
    return min(MAX_FILE, max(MANY, member.compress_size * MAX_RATIO))


def is_notebook(name: str) -> bool:
    """Tell whether a file's name is a notebook's."""
    return name.lower().endswith(NOTEBOOK)


def unpack_one(zipped: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, heavy: bool) -> Text | None:
    """Unpack one member where it is a notebook; returns why it is not, where somebody should be told."""
    if target.name.lower().endswith(SUFFIX):
        return words.NESTED_ARCHIVE
    if not is_notebook(target.name):
        if handed_in(target.name):
            with suppress(OSError):
                target.touch()
        return None
    if stat.S_ISLNK(member.external_attr >> 16):
        return words.LINK
    if member.flag_bits & 1:
        return words.ENCRYPTED
    if heavy:
        return words.too_big(min(member.file_size, most_of(member)) // 1_000_000)
    size = CHUNK if member.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED) else SMALL_CHUNK
    try:
        with zipped.open(member) as source, target.open("wb") as file:
            while chunk := source.read(size):
                file.write(chunk)
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
