"""Reading one submitted notebook without trusting it: its code cells, and what says which chapter it belongs to."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragteach import COURSE_VERSION, exercises
from ragteach.checking.exercise import Chapter, Text
from ragteach.grading import words

MAX_BYTES = 50_000_000  # of a file; a notebook of this course weighs 0.1 MB

CHECK_CALL = re.compile(r"""\bcheck\(\s*["']([^"'\n]+)["']""")
COMMON_WORDS = {  # and no words of Python
    "fr": re.compile(r"\b(le|la|les|des|une|est|et|vous|pour|dans|que)\b", re.IGNORECASE),
    "en": re.compile(r"\b(the|of|you|to|that|this|which|are|your)\b", re.IGNORECASE),
}


class Refused(Exception):
    """The file cannot be graded; `reason` says why in a sentence, `chapter` and `lang` what could be known of it."""

    def __init__(self, reason: Text, chapter: str | None = None, lang: str = "en") -> None:
        super().__init__(reason["en"])
        self.reason, self.chapter, self.lang = reason, chapter, lang


@dataclass(frozen=True)
class Cell:
    """A code cell, and the id of the exercise that its metadata names, if any."""

    source: str
    exercise: str | None = None


@dataclass(frozen=True)
class Notebook:
    """What grading needs of a notebook: code cells in order, the chapter, the language, remarks for the feedback."""

    cells: tuple[Cell, ...]
    chapter: Chapter
    lang: str
    course: str | None = None
    remarks: tuple[Text, ...] = ()


def read(path: Path) -> Notebook:
    """Read a notebook of the course: nbformat 4, in UTF-8 (with or without BOM), UTF-16 or UTF-32.

    A notebook made for another COURSE_VERSION is graded all the same, by today's exercises, and is told so.
    Raises Refused where the file is no notebook of the course.
    """
    guess = chapter_in_name(path)
    data = load_json(path, guess)
    raw_cells, metadata = parts(data, guess)
    texts = [source_of(cell) for cell in raw_cells]
    own = metadata.get("ragteach") if isinstance(metadata.get("ragteach"), dict) else {}
    lang = own.get("lang") if own.get("lang") in ("fr", "en") else guess_lang("\n".join(texts))
    cells = tuple(
        Cell(source_of(cell), exercise_of(cell))
        for cell in raw_cells
        if cell.get("cell_type") == "code" and source_of(cell).strip()
    )
    if not cells:
        raise Refused(words.NO_CELLS, guess, lang)
    chapter = chapter_of(own.get("chapter"), cells, guess)
    if chapter is None:
        raise Refused(words.OTHER_COURSE, guess, lang)
    course = str(own["course"])[:20] if "course" in own else None
    remarks = [words.LESSON] if own.get("kind") == "lesson" else []
    if course not in (None, COURSE_VERSION):
        remarks.append(words.other_version(course, COURSE_VERSION))
    return Notebook(cells, exercises.chapter(chapter), lang, course, tuple(remarks))


def load_json(path: Path, guess: str | None = None) -> Any:
    """Read a JSON file of bounded size; raises Refused where it is none."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
    except OSError as error:
        raise Refused(words.unreadable(error.strerror or ""), guess) from None
    if len(data) > MAX_BYTES:
        raise Refused(words.too_big(MAX_BYTES // 1_000_000), guess)
    if not data.strip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n"):
        raise Refused(words.EMPTY, guess)
    try:
        return json.loads(data)  # detects UTF-8, UTF-16 and UTF-32
    except (ValueError, RecursionError):
        raise Refused(words.NO_JSON, guess) from None


def parts(data: Any, guess: str | None = None) -> tuple[list[dict], dict]:
    """Split the JSON of a notebook into cells and metadata; raises Refused where it is no notebook of nbformat 4."""
    if not isinstance(data, dict):
        raise Refused(words.NO_NOTEBOOK, guess)
    if data.get("nbformat", 4) != 4:
        raise Refused(words.OLD_FORMAT, guess)
    cells, metadata = data.get("cells"), data.get("metadata")
    if not isinstance(cells, list):
        raise Refused(words.NO_NOTEBOOK, guess)
    return [cell for cell in cells if isinstance(cell, dict)], metadata if isinstance(metadata, dict) else {}


def source_of(cell: dict) -> str:
    """Give a cell's text, which nbformat allows to be one string or a list of lines."""
    source = cell.get("source")
    if isinstance(source, list):
        return "".join(line for line in source if isinstance(line, str))
    return source if isinstance(source, str) else ""


def exercise_of(cell: dict) -> str | None:
    """Find the exercise whose answer a cell is: by its metadata, else nbgrader's, else the cell's id."""
    metadata = cell.get("metadata") if isinstance(cell.get("metadata"), dict) else {}
    nbgrader = metadata.get("nbgrader") if isinstance(metadata.get("nbgrader"), dict) else {}
    if _in(metadata.get("exercise"), known_ids()):
        return metadata["exercise"]
    by_name = {id.replace(".", "-"): id for id in known_ids()}
    return next((by_name[name] for name in (nbgrader.get("grade_id"), cell.get("id")) if _in(name, by_name)), None)


def chapter_of(stated: Any, cells: tuple[Cell, ...], guess: str | None) -> str | None:
    """Decide which chapter a notebook belongs to; None where nothing ties it to one.

    What the metadata state comes first, then the exercises that most cells name. A file name alone is no proof
    (a wrong file under the right name): it counts together with one function of the chapter.
    """
    chapters = {chapter.id: chapter for chapter in exercises.chapters()}
    if _in(stated, chapters):
        return stated
    ids = [cell.exercise for cell in cells] + [id for cell in cells for id in CHECK_CALL.findall(cell.source)]
    found = [exercises.get(id).chapter for id in ids if _in(id, known_ids())]
    if found:
        return max(sorted(set(found)), key=found.count)
    if guess:
        entries = "|".join(re.escape(exercise.entry) for exercise in chapters[guess].exercises)
        if any(re.search(rf"^\s*(def\s+)?({entries})\s*[=(]", cell.source, re.MULTILINE) for cell in cells):
            return guess
    return None


def chapter_in_name(path: Path) -> str | None:
    """Find a chapter's id in a file's name, such as "Dupont_02_bm25 (1).ipynb", or in its folder's."""
    for name in (path.stem, path.parent.name):
        for chapter in exercises.chapters():
            if chapter.id in name:
                return chapter.id
    return None


def guess_lang(text: str) -> str:
    """Tell French from English by their commonest words; English in doubt."""
    counts = {lang: len(pattern.findall(text[:200_000])) for lang, pattern in COMMON_WORDS.items()}
    return "fr" if counts["fr"] > counts["en"] else "en"


def known_ids() -> set[str]:
    """Give the ids of all exercises of the package."""
    return {exercise.id for exercise in exercises.all()}


def _in(name: Any, names: Any) -> bool:
    return isinstance(name, str) and name in names
