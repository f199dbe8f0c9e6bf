"""Opening a zip that nobody vouches for: its notebooks only, in bounded numbers and sizes, inside one folder."""

from __future__ import annotations

import errno
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
from ragteach.language import BadValue

SUFFIX = ".zip"
NOTEBOOK = ".ipynb"
MAX_MEMBERS = 100_000
MAX_TOTAL = 20_000_000_000  # bytes of all notebooks together: 6 MB for each of 3,000 students
MAX_RATIO = 300  # unpacked to packed, once there is more than MANY: text packs 5 to 20 times
MANY = 200_000_000
MAX_DEPTH = 50  # folders inside one another
OWN_TOTAL = 200_000_000  # bytes of all notebooks in the zips of one folder, which are one student's
OWN_NOTEBOOKS = 100  # in these zips: the whole course in both languages has 54
CHUNK = 1 << 20
SMALL_CHUNK = 1 << 12  # bzip2 and LZMA unpack all that they are given at once, some 25,000 times as much

HERE = (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.EMFILE, errno.ENFILE)
"""What the system says where it is this computer that cannot go on, and no student's doing."""


class BadArchive(Exception):
    """The zip cannot be opened; `reason` says why in a sentence."""

    def __init__(self, reason: Text) -> None:
        super().__init__(reason["en"])
        self.reason = reason


def unpack(
    archive: Path, folder: Path, most_bytes: int | None = None, most_notebooks: int | None = None
) -> dict[Path, Text]:
    """Unpack the notebooks of a zip below a new folder, and make the folders in which it holds anything at all.

    In Moodle's download, empty files show what else was handed in. No link is made, no name leads out of the folder, a
    zip inside is not opened. A student's own zip is held to `most_bytes` and `most_notebooks`. Returns the places of
    notebooks that could not be unpacked and of zips inside, each with the reason. Raises BadArchive where nothing can
    be had, and BadValue where this computer cannot go on, its disk full perhaps.
    """
    own = most_bytes is not None
    folder.mkdir(parents=True)
    refused: dict[Path, Text] = {}
    try:
        with opened(archive) as zipped:
            members = zipped.infolist()
            if len(members) > MAX_MEMBERS:
                raise BadArchive(words.ARCHIVE_TOO_MANY)
            inside = list(wanted(members))
            if own:
                inside = [(member, place) for member, place in inside if member and is_told(place.name)]
            notebooks = [member for member, place in inside if member and is_notebook(place.name)]
            if own and len(notebooks) > most_notebooks:
                raise BadArchive(words.ARCHIVE_TOO_MANY)
            heavy = too_heavy(notebooks, archive.stat().st_size, most_bytes if own else MAX_TOTAL)
            if heavy and len(heavy) == len(inside) and not own:
                raise BadArchive(words.ARCHIVE_TOO_BIG)
            for member, place in inside:
                try:
                    target = room_for(folder, place, member is None)
                    reason = unpack_one(zipped, member, target, place, member in heavy) if member else None
                except OSError as error:
                    if error.errno in HERE:
                        raise
                    target = outermost(folder, place)
                    reason = words.MEMBER_PLACE if member and is_told(place.name) else None
                if reason is not None:
                    refused[target] = reason
    except BadArchive:
        raise
    except Exception as error:  # zipfile lets through whatever its decompressors raise
        if getattr(error, "errno", None) in HERE:
            raise BadValue(words.cannot_unpack(archive.name, str(folder), error.strerror)) from error
        if isinstance(error, PermissionError):
            raise BadArchive(words.unreadable(error.strerror)) from error
        raise BadArchive(words.ARCHIVE_BROKEN) from error
    return refused


def room_for(folder: Path, place: PurePosixPath, is_folder: bool) -> Path:
    """Make the folders that a member lies in, and give a path for it. Raises OSError where that cannot be.

    A path may be too long, or have a file where another member wants a folder.
    """
    if len(place.parts) > MAX_DEPTH:
        raise OSError(errno.ENAMETOOLONG, os.strerror(errno.ENAMETOOLONG))
    target = folder / place
    (target if is_folder else target.parent).mkdir(parents=True, exist_ok=True)
    return free(target)


def outermost(folder: Path, place: PurePosixPath) -> Path:
    """Give a place for what cannot be put where it belongs: in its outer folders, which tell whose it is."""
    for depth in (2, 1):
        outer = folder.joinpath(*place.parts[:-1][:depth])
        with suppress(OSError):
            outer.mkdir(parents=True, exist_ok=True)
            return outer / place.name
    return folder / place.name


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


def too_heavy(members: Iterable[zipfile.ZipInfo], packed: int, most: int) -> set[zipfile.ZipInfo]:
    """Choose the notebooks that are refused for their size: each over its own limit, then the biggest of all.

    `packed` is the size of the zip, `most` what all of them may have together.
    zipfile reads no more of a member than the size that the zip states, whatever there is.
    """
    left = min(most, max(MANY, packed * MAX_RATIO))
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


def is_told(name: str) -> bool:
    """Tell whether somebody should be told where a file cannot be had."""
    return name.lower().endswith((NOTEBOOK, SUFFIX))


def unpack_one(
    zipped: zipfile.ZipFile, member: zipfile.ZipInfo, target: Path, place: PurePosixPath, heavy: bool
) -> Text | None:
    """Unpack one member where it is a notebook; returns why it is not, where somebody should be told."""
    if target.name.lower().endswith(SUFFIX):
        return words.NESTED_ARCHIVE
    if not is_notebook(target.name):
        if any(map(handed_in, place.parts)):
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
    except Exception as error:
        if getattr(error, "errno", None) in HERE:
            raise
        with suppress(OSError):
            target.unlink()
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
