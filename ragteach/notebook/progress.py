"""What a reader has done so far, remembered on disk.

One small JSON file an exercise, a question or a prediction: two notebooks open at once never overwrite each
other's, and a damaged file costs one entry.
"""

import contextlib
import json
import os
import tempfile
from pathlib import Path
from typing import Any

import platformdirs

from ragteach import exercises
from ragteach.checking import Chapter, Exercise, Result
from ragteach.checking.render import OPEN, RIGHT, WRONG
from ragteach.checking.words import point_count
from ragteach.language import LANGUAGES, system_language
from ragteach.notebook import words

BAR_WIDTH = 20  # characters
COUNTS = ("points", "attempts", "hints", "choice")  # what an entry holds of whole numbers


def home() -> Path:
    """Give the folder of the reader's progress: RAGTEACH_HOME, else the system's place for users' data."""
    return Path(os.environ.get("RAGTEACH_HOME") or platformdirs.user_data_dir("ragteach", appauthor=False))


def read(kind: str, id: str) -> dict[str, Any]:
    """Read one entry; {} where there is none. A damaged file is set aside, never overwritten."""
    path = _path(kind, id)
    try:
        facts = json.loads(path.read_text(encoding="utf-8"))
    except OSError:
        return {}
    except (ValueError, RecursionError):
        facts = None
    if isinstance(facts, dict) and all(type(facts[key]) is int and facts[key] >= 0 for key in COUNTS if key in facts):
        return facts
    with contextlib.suppress(OSError):
        path.replace(path.with_suffix(".damaged"))
    return {}


def write(kind: str, id: str, facts: dict[str, Any]) -> bool:
    """Write one entry whole or not at all; False where the disk does not let us."""
    path, half = _path(kind, id), None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile("w", encoding="utf-8", dir=path.parent, delete=False) as file:
            half = file.name
            json.dump(facts, file, ensure_ascii=False)
        os.replace(half, path)
    except OSError:
        if half is not None:  # a full disk: nothing half written is left behind
            with contextlib.suppress(OSError):
                os.unlink(half)
        return False
    return True


def _path(kind: str, id: str) -> Path:
    return home() / kind / f"{id}.json"


def reader_language() -> str:
    """Give the language of the notebook that the reader opened last, or the system's."""
    lang = read("reader", "language").get("lang")
    return lang if lang in LANGUAGES else system_language()


def record(exercise: Exercise, result: Result) -> bool:
    """Remember a check: the best points ever, the last verdict, the number of attempts."""
    facts = read("exercises", exercise.id)
    attempts = facts.get("attempts", 0) + (result.verdict != "not_attempted")
    points = max(facts.get("points", 0), result.points)  # once earned, never lost
    return write("exercises", exercise.id, facts | {"verdict": result.verdict, "points": points, "attempts": attempts})


def solved(exercise: Exercise) -> bool:
    """Say whether the exercise was ever passed."""
    return read("exercises", exercise.id).get("points", 0) >= exercise.points


def chapter_line(chapter: Chapter, lang: str) -> str:
    """State a chapter's progress in one line, and what comes next."""
    done = [exercise for exercise in chapter.exercises if solved(exercise)]
    total = sum(exercise.points for exercise in chapter.exercises)
    points = sum(exercise.points for exercise in done)
    bar = "█" * round(BAR_WIDTH * points / total) + "░" * (BAR_WIDTH - round(BAR_WIDTH * points / total))
    line = words.PROGRESS[lang].format(
        bar=bar, points=point_count(points, lang), total=total, done=len(done), n=len(chapter.exercises)
    )
    left = [exercise for exercise in chapter.exercises if not solved(exercise)]
    if not left:
        return f"{line} {words.ALL_DONE[lang]}"
    return f"{line} {words.NEXT[lang].format(id=left[0].id, title=left[0].title[lang])}"


def summary_text(lang: str) -> str:
    """Write the whole course's progress, chapter by chapter, for a terminal."""
    lines = []
    for chapter in exercises.chapters():
        lines += [chapter.title[lang], chapter_line(chapter, lang)]
        for exercise in chapter.exercises:
            attempts = read("exercises", exercise.id).get("attempts", 0)
            sign = RIGHT if solved(exercise) else WRONG if attempts else OPEN
            count = words.ATTEMPTS[lang].format(n=attempts) if attempts else ""
            points = point_count(exercise.points, lang)
            lines.append(f"  {sign} {exercise.id:<24} {points:<9} {exercise.title[lang]} {count}".rstrip())
    return "\n".join(lines)
