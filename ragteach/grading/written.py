"""Answers in words, which a teacher reads: found here, never marked, never in the sum."""

from __future__ import annotations

from dataclasses import dataclass

from ragteach.grading.cells import mapping, source_of

MAX_TEXT = 20_000  # characters of one answer
UNTOUCHED = {"*Votre réponse ici.*", "*Your answer here.*", ""}


@dataclass(frozen=True)
class Written:
    """One answer in words: its id, what the teacher may give for it, and the text (empty: not answered)."""

    id: str
    points: int
    text: str


def written_answers(cells: list[dict]) -> tuple[Written, ...]:
    """List the cells whose metadata say `written`; of several with one id the last that was filled in counts."""
    found: dict[str, Written] = {}
    for cell in cells:
        metadata = mapping(cell.get("metadata"))
        id = metadata.get("written")
        if not isinstance(id, str) or not id:
            continue
        points = mapping(metadata.get("nbgrader")).get("points", metadata.get("points"))
        points = int(points) if isinstance(points, int | float) and 0 <= points <= 1000 else 0
        text = source_of(cell).strip()[:MAX_TEXT]
        text = "" if text in UNTOUCHED else text
        if text or id not in found:
            found[id] = Written(id[:200], points, text)
    return tuple(found.values())
