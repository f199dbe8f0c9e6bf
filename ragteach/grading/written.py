"""Answers in words, which a teacher reads: found here, never marked, never in the sum."""

from __future__ import annotations

from dataclasses import dataclass

from ragteach.grading.cells import mapping, source_of

MAX_TEXT = 20_000  # characters of one answer
POINTS = {  # what the course's questions are worth; a submission that says otherwise is not believed
    "chunking.w_table": 4,
    "lsa.w_memory": 4,
    "fusion.w_case": 6,
    "metrics.w_two_teams": 6,
    "ivf.w_exact": 4,
    "pq.w_budget": 4,
}
UNTOUCHED = {"*Votre réponse ici.*", "*Your answer here.*", ""}


@dataclass(frozen=True)
class Written:
    """One answer in words: its id, what the teacher may give for it, and the text (empty: not answered)."""

    id: str
    points: int
    text: str


def written_answers(cells: list[dict]) -> tuple[Written, ...]:
    """List the answers to questions of the course, by the cells' metadata `written`.

    Of several with one id the last that was filled in counts.
    """
    found: dict[str, Written] = {}
    for cell in cells:
        id = mapping(cell.get("metadata")).get("written")
        if not isinstance(id, str) or id not in POINTS:
            continue
        text = source_of(cell).strip()[:MAX_TEXT]
        text = "" if text in UNTOUCHED else text
        if text or id not in found:
            found[id] = Written(id, POINTS[id], text)
    return tuple(found.values())
