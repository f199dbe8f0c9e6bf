"""Chunks that remember where they come from, and which of them answer a question."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from ragteach.corpus.loading import Document, Question


@dataclass(frozen=True)
class Chunk:
    """A piece of a document: `source` is the document's id, `position` the piece's number in it, from 0."""

    source: str
    position: int
    text: str


def chunk(documents: Iterable[Document], cut: Callable[[str], Sequence[str]]) -> list[Chunk]:
    """Cut every document with `cut`, a function from a text to its pieces, and keep track of where they come from."""
    return [
        Chunk(document.id, position, piece)
        for document in documents
        for position, piece in enumerate(cut(document.text))
    ]


def relevant_chunks(question: Question, chunks: Sequence[Chunk]) -> set[int]:
    """Give the numbers of the chunks that answer the question, whatever cut made them.

    A chunk is relevant where it comes from the passage's document and holds one of the quoted passages whole;
    white space does not count, so that a chunker may turn no-break spaces and line ends into plain spaces.
    """
    return {
        number
        for number, piece in enumerate(chunks)
        for passage in question.relevant
        if piece.source == passage.document and _plain(passage.quote) in _plain(piece.text)
    }


def _plain(text: str) -> str:
    """Write every run of white space as one space."""
    return " ".join(text.split())
