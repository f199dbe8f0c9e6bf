"""Reading one submitted notebook without trusting it: its code cells, and what says which chapter it belongs to."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ragteach import COURSE_VERSION, exercises
from ragteach.checking.exercise import Chapter, Text
from ragteach.grading import reading_words as words
from ragteach.grading.cells import Cell, RawCell, among, assign, known_entries, known_ids, mapping, raw_cell
from ragteach.grading.slim import TooBig, TooMany, read_bytes
from ragteach.grading.written import Written, written_answers

MAX_BYTES = 50_000_000  # of a notebook without its outputs; one of this course weighs 0.1 MB
MAX_CELLS = 20_000  # of which a notebook of this course has 50
OUTPUTS_TOLD = 20_000_000  # bytes of a file whose author is told that outputs weigh

FUNCTION = re.compile(r"^def[ \t]+(\w+)", re.MULTILINE)

COMMON_WORDS = {  # and no words of Python
    "fr": re.compile(r"\b(le|la|les|des|une|est|et|vous|pour|dans|que)\b", re.IGNORECASE),
    "en": re.compile(r"\b(the|of|you|to|that|this|which|are|your)\b", re.IGNORECASE),
}

OURS = {"lesson": words.LESSON, "solutions": words.SOLUTIONS}
"""What is said of the course's own notebooks, which are no exercises."""


class Refused(Exception):
    """The file cannot be graded; `reason` says why in a sentence, `chapter` and `lang` what could be known of it."""

    def __init__(self, reason: Text, chapter: str | None = None, lang: str = "") -> None:
        super().__init__(reason["en"])
        self.reason, self.chapter, self.lang = reason, chapter, lang


@dataclass(frozen=True)
class Notebook:
    """What grading needs of a notebook.

    The code cells in order, the chapter, the language (empty where nothing tells it), the course version that it
    states, remarks for the feedback, answers in words, and the kind that its metadata state (exercises, lesson,
    solutions, or nothing).
    """

    cells: tuple[Cell, ...]
    chapter: Chapter
    lang: str
    course: str | None = None
    remarks: tuple[Text, ...] = ()
    written: tuple[Written, ...] = ()
    kind: str = ""


def read(path: Path) -> Notebook:
    """Read a notebook of the course: nbformat 4, in UTF-8 (with or without BOM), UTF-16, UTF-32 or Windows-1252.

    Outputs are not read. A notebook made for another COURSE_VERSION is graded all the same, by today's exercises,
    and is told so. Raises Refused where the file is no notebook of the course.
    """
    guess = chapter_in_name(path)
    data, remarks = load_json(path, guess)
    json_cells, metadata = parts(data, guess)
    raw = [raw_cell(cell) for cell in json_cells]
    own = mapping(metadata.get("ragteach"))
    lang = own["lang"] if among(own.get("lang"), ("fr", "en")) else guess_lang("\n".join(cell.source for cell in raw))
    code = [cell for cell in raw if cell.kind == "code" and cell.source.strip()]
    if not code and not any(cell.exercise for cell in raw):
        raise Refused(words.NO_CELLS, guess, lang)
    id = chapter_of(own.get("chapter"), raw, guess)
    if id is None:
        raise Refused(words.OTHER_COURSE, guess, lang)
    chapter = exercises.chapter(id)
    cells, about_cells = assign(raw, chapter)
    if not cells:
        raise Refused(words.NO_CELLS, guess, lang)
    course = str(own["course"])[:20] if "course" in own else None
    kind = own["kind"] if among(own.get("kind"), ("exercises", "lesson", "solutions")) else ""
    remarks += [OURS[kind]] if kind in OURS else about_cells  # a lesson defines some functions twice, and not all
    if course not in (None, COURSE_VERSION):
        remarks.append(words.other_version(course, COURSE_VERSION))
    return Notebook(cells, chapter, lang, course, tuple(remarks), written_answers(json_cells), kind)


def load_json(path: Path, guess: str | None = None) -> tuple[Any, list[Text]]:
    """Read a JSON file of bounded size, with what there is to say of it; raises Refused where it is none."""
    remarks = []
    try:
        data = read_bytes(path, MAX_BYTES)
        if path.stat().st_size > OUTPUTS_TOLD:
            remarks.append(words.heavy(path.stat().st_size // 1_000_000))
    except (OSError, ValueError) as error:
        raise Refused(words.unreadable(getattr(error, "strerror", "") or str(error)), guess) from None
    except TooMany:
        raise Refused(words.TOO_MANY, guess) from None
    except TooBig:
        raise Refused(words.too_big(MAX_BYTES // 1_000_000), guess) from None
    if not data.strip(b"\xef\xbb\xbf\xff\xfe\0 \t\r\n"):
        raise Refused(words.EMPTY, guess)
    try:
        try:
            return json.loads(data), remarks  # detects UTF-8, UTF-16 and UTF-32
        except UnicodeDecodeError:
            return json.loads(data.decode("cp1252", errors="replace")), [*remarks, words.ENCODING]
    except (ValueError, RecursionError):
        raise Refused(words.NO_JSON, guess) from None


def parts(data: Any, guess: str | None = None) -> tuple[list[dict], dict]:
    """Split the JSON of a notebook into cells and metadata; raises Refused where it is no notebook of nbformat 4."""
    if not isinstance(data, dict):
        raise Refused(words.NO_NOTEBOOK, guess)
    if data.get("nbformat", 4) != 4:
        raise Refused(words.OLD_FORMAT, guess)
    cells = data.get("cells")
    if not isinstance(cells, list):
        raise Refused(words.NO_NOTEBOOK, guess)
    if len(cells) > MAX_CELLS:
        raise Refused(words.TOO_MANY, guess)
    return [cell for cell in cells if isinstance(cell, dict)], dict(mapping(data.get("metadata")))


def chapter_of(stated: Any, cells: list[RawCell], guess: str | None) -> str | None:
    """Decide which chapter a notebook belongs to; None where nothing ties it to one.

    What the metadata state comes first, then the exercises that most cells name. A file name alone is no proof
    (a wrong file under the right name): it counts together with one function of the chapter. Nor is one function
    alone, which another course may ask for too: two of a chapter count, and more than of any other.
    """
    chapters = {chapter.id: chapter for chapter in exercises.chapters()}
    if among(stated, chapters):
        return stated
    code = [cell for cell in cells if cell.kind == "code"]
    ids = [cell.exercise for cell in cells if cell.exercise] + [id for cell in code for id in cell.checked]
    found = [exercises.get(id).chapter for id in ids if id in known_ids()]
    if found:
        return max(sorted(set(found)), key=found.count)
    if guess:
        entries = "|".join(re.escape(exercise.entry) for exercise in chapters[guess].exercises)
        named = re.compile(rf"^[ \t]*(def[ \t]+)?({entries})[ \t]*[=(]", re.MULTILINE)
        if any(named.search(cell.source) for cell in code):
            return guess
    functions = {match[1] for cell in code for match in FUNCTION.finditer(cell.source) if match[1] in known_entries()}
    has = {id: sum(exercise.entry in functions for exercise in one.exercises) for id, one in chapters.items()}
    first, second = sorted(has, key=has.__getitem__, reverse=True)[:2]
    return first if has[first] >= 2 and has[first] > has[second] else None


def chapter_in_name(path: Path) -> str | None:
    """Find a chapter's id in a file's name, such as "Dupont_02_bm25 (1).ipynb", or in its folder's."""
    for name in (path.stem, path.parent.name):
        for chapter in exercises.chapters():
            if chapter.id in name:
                return chapter.id
    return None


def guess_lang(text: str) -> str:
    """Tell French from English by their commonest words; an empty text in doubt."""
    counts = {lang: len(pattern.findall(text[:200_000])) for lang, pattern in COMMON_WORDS.items()}
    if counts["fr"] == counts["en"]:
        return ""
    return max(counts, key=counts.__getitem__)
