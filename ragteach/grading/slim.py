"""Reading a notebook file of any size: what is heavy and not marked (outputs, pictures, widgets) is left out."""

from __future__ import annotations

import mmap
import re
from collections.abc import Iterator
from pathlib import Path

MAX_FILE = 1_000_000_000  # bytes
MAX_TOKENS = 10_000_000  # strings and brackets looked at in what is left out: ten seconds, whatever it is made of
MAX_PIECES = 1_000_000  # strings, brackets and commas that are kept: a line of code makes two
WHOLE = 4_000_000  # a file up to this size is read as it is

HEAVY = {b'"outputs"': b"[]", b'"attachments"': b"{}", b'"widgets"': b"{}"}
TOKEN = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[\[\]{},]', re.DOTALL)  # possessive: one look at each byte, whatever it is
NEXT_BRACKET = re.compile(rb'(?:[^"\[\]{}]++|"(?:[^"\\]++|\\.)*+")*+([\[\]{}])', re.DOTALL)
OPENS = re.compile(rb"\s*:\s*([\[{])")


class TooBig(Exception):
    """The file is over the limit, or what is left of it is."""


class TooMany(TooBig):
    """What is left of the file is made of more pieces than anybody writes."""


def read_bytes(path: Path, most: int) -> bytes:
    """Read a notebook as JSON in bytes, without outputs where it is big. Raises TooBig, OSError.

    `most` bounds what is read into memory. A big file in another encoding than UTF-8 cannot be cut: it is TooBig.
    """
    size = path.stat().st_size
    if size > MAX_FILE:
        raise TooBig
    with path.open("rb") as file:
        if size <= min(WHOLE, most):
            return file.read(min(WHOLE, most))
        with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return without_heavy(data, most)


def without_heavy(data: mmap.mmap | bytes, most: int) -> bytes:
    """Copy JSON text without the values of the keys in HEAVY.

    Raises TooBig where more than `most` bytes are left or what is left out takes too long, TooMany where what is left
    is made of more than MAX_PIECES.
    """
    kept, length, copied, at = [], 0, 0, 0
    tokens, pieces = iter(range(MAX_TOKENS)), iter(range(MAX_PIECES))
    while match := TOKEN.search(data, at):
        at = match.end()
        empty = HEAVY.get(match[0])
        opening = OPENS.match(data, at) if empty else None
        if opening:
            kept.append(data[copied : opening.start(1)] + empty)
            length += len(kept[-1])
            copied = at = end_of_value(data, opening.start(1), tokens)
        if length + at - copied > most:
            raise TooBig
        if next(pieces, None) is None:
            raise TooMany
    kept.append(data[copied : copied + most + 1])
    if length + len(kept[-1]) > most:
        raise TooBig
    return b"".join(kept)


def end_of_value(data: mmap.mmap | bytes, start: int, tokens: Iterator[int]) -> int:
    """Find where the list or object ends that begins at `start`; the end of the data where it does not end."""
    depth, at = 0, start
    while match := NEXT_BRACKET.match(data, at):
        at = match.end()
        depth += 1 if match[1] in b"[{" else -1
        if depth == 0:
            return at
        if next(tokens, None) is None:
            raise TooBig
    return len(data)
