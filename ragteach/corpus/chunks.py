"""Chunks that remember where they come from, and where in their document they lie."""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from ragteach.corpus.records import Document

# Fewer words than this in a row may stand anywhere by chance: "of the motors is".
SHORTEST_RUN = 4


@dataclass(frozen=True)
class Chunk:
    """A piece of a document: `source` is the document's id, `position` the piece's number in it, from 0.

    `spans` tells where it lies: pairs (start, end) that count characters of Document.text. `chunk` and `locate`
    find them; they are None before, and empty where the document holds nothing of the chunk.
    """

    source: str
    position: int
    text: str
    spans: tuple[tuple[int, int], ...] | None = None


def chunk(documents: Iterable[Document], cut: Callable[[str], Sequence[str]]) -> list[Chunk]:
    """Cut every document with `cut`, a function from a text to its pieces, and keep track of where they come from."""
    chunks = []
    for document in documents:
        pieces = list(cut(document.text))
        for position, (piece, spans) in enumerate(zip(pieces, find_spans(document.text, pieces), strict=True)):
            chunks.append(Chunk(document.id, position, piece, spans))
    return chunks


def locate(chunks: Sequence[Chunk], documents: Iterable[Document]) -> list[Chunk]:
    """Find where chunks lie that were made in another way than by `chunk`.

    Chunks of one document are best given in the order of its text. Raises ValueError where a chunk's source is none
    of the documents.
    """
    texts = {document.id: document.text for document in documents}
    by_source: dict[str, list[int]] = {}
    for number, piece in enumerate(chunks):
        if piece.source not in texts:
            raise ValueError(f"chunks[{number}] comes from {piece.source!r}, which is none of the documents.")
        by_source.setdefault(piece.source, []).append(number)
    located = list(chunks)
    for source, numbers in by_source.items():
        found = find_spans(texts[source], [chunks[number].text for number in numbers])
        for number, spans in zip(numbers, found, strict=True):
            located[number] = replace(chunks[number], spans=spans)
    return located


def find_spans(text: str, pieces: Sequence[str]) -> list[tuple[tuple[int, int], ...]]:
    """Find where each piece stands in a text, as pairs (start, end); pieces are best given in the text's order.

    White space does not count, so that a chunker may turn line ends and no-break spaces into plain spaces. Where
    the text does not hold a piece as a whole, because something was written before it (its title, its context) or
    left out of it, the runs of at least SHORTEST_RUN words that the text does hold are found instead.

    A text may say the same thing twice: a piece is looked for behind the beginning of the one before it, and only
    then from the beginning of the text.
    """
    words = list(re.finditer(r"\S+", text))
    plain = f" {' '.join(word[0] for word in words)} "
    origin = [0]  # plain[i] is text[origin[i]]
    for word in words:
        origin += range(word.start(), word.end() + 1)

    spans, after = [], 0
    for piece in pieces:
        found = _runs(plain, piece.split(), after)
        if found:
            after = found[0][0] + 1
        spans.append(tuple((origin[start], origin[end - 1] + 1) for start, end in found))
    return spans


def _runs(plain: str, words: list[str], after: int) -> list[tuple[int, int]]:
    """Find all words in a row or, where that fails, the longest rows of them, from left to right."""
    if not words:
        return []
    whole = _find(plain, words, after)
    if whole:
        return [whole]
    runs, first = [], 0
    while first + SHORTEST_RUN <= len(words):
        last, found = first + SHORTEST_RUN, None
        while last <= len(words) and (longer := _find(plain, words[first:last], after)):
            last, found = last + 1, longer
        if found:
            runs.append(found)
            after = found[1] - 1
            first = last - 1
        else:
            first += 1
    return sorted(runs)


def _find(plain: str, words: list[str], after: int) -> tuple[int, int] | None:
    """Find words in a row: rather behind `after` than before, rather between two spaces than inside longer words."""
    run = " ".join(words)
    for begin in (after, 0):
        start = plain.find(f" {run} ", max(begin - 1, 0)) + 1 or plain.find(run, begin)
        if start > 0:
            return start, start + len(run)
    return None
