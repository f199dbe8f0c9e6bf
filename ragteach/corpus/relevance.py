"""Which chunks answer a question, whatever cut made them: from passages to chunks."""

from collections.abc import Iterable, Sequence

from ragteach.corpus.chunks import Chunk
from ragteach.corpus.records import Passage, Question


def relevance(question: Question, chunks: Sequence[Chunk]) -> dict[int, int]:
    """Map the number of each chunk that answers the question to its grade, 1 to 3; the others are left out.

    Questions are annotated with passages, which no chunking moves. A chunk takes a passage over where it

    - holds at least half of the passage, counted in characters that are not white space, or
    - lies wholly inside the passage;

    its grade is the largest among the question's passages that it takes over.

    These two keep chunkings comparable: wherever the pieces of a text follow one another, or overlap, at least one
    of them takes a passage over, and recall can reach 1. For the first piece that begins inside the passage either
    ends inside as well, and lies wholly in it, or reaches its end: then the piece before holds the rest, and one of
    the two holds half. It takes more chunks to reach 1 where pieces are small or overlap: `passages_found` counts
    passages instead.

    Raises ValueError where a chunk was not located in its document.
    """
    grades: dict[int, int] = {}
    for number, piece in enumerate(chunks):
        taken_over = [
            question.relevant[passage.anchor]
            for passage in question.passages
            if passage.document == piece.source and _takes_over(_spans(number, piece), passage)
        ]
        if taken_over:
            grades[number] = max(taken_over)
    return grades


def relevant_chunks(question: Question, chunks: Sequence[Chunk]) -> set[int]:
    """Give the numbers of the chunks that answer the question, in whatever grade: see `relevance`."""
    return set(relevance(question, chunks))


def passages_found(question: Question, chunks: Sequence[Chunk]) -> list[str]:
    """Give the anchors of the question's passages of which the chunks together hold at least half, first found first.

    With the k best chunks of a search, the share of `question.relevant` that is found is a recall which is the same
    whether a passage came whole, in pieces or twice. Raises ValueError where a chunk was not located in its document.
    """
    anchors: list[str] = []
    spans: dict[str, list[tuple[int, int]]] = {}
    for number, piece in enumerate(chunks):
        spans.setdefault(piece.source, []).extend(_spans(number, piece))
        anchors += [
            passage.anchor
            for passage in question.passages
            if passage.anchor not in anchors and _holds_half(spans.get(passage.document, ()), passage)
        ]
    return anchors


def _spans(number: int, piece: Chunk) -> tuple[tuple[int, int], ...]:
    if piece.spans is None:
        raise ValueError(f"chunks[{number}] must know where it lies: make it with chunk, or call locate.")
    return piece.spans


def _takes_over(spans: Sequence[tuple[int, int]], passage: Passage) -> bool:
    inside = bool(spans) and all(passage.start <= start and end <= passage.end for start, end in spans)
    return inside or _holds_half(spans, passage)


def _holds_half(spans: Iterable[tuple[int, int]], passage: Passage) -> bool:
    held, reached = 0, passage.start
    for start, end in sorted(spans):
        start, reached = max(start, reached), max(reached, min(end, passage.end))
        held += _n_visible(passage.text[start - passage.start : reached - passage.start])
    return 2 * held >= _n_visible(passage.text)


def _n_visible(text: str) -> int:
    return len("".join(text.split()))
