"""What `ragteach check` does: mark one notebook and print the feedback."""

from __future__ import annotations

import sys
from pathlib import Path

from ragteach import exercises
from ragteach.checking.render import as_text
from ragteach.checking.words import labelled
from ragteach.grading import words
from ragteach.grading.find import Found
from ragteach.grading.marking import mark
from ragteach.grading.remarks import scrubbed, tidy
from ragteach.grading.say import say
from ragteach.language import system_language

NOTEBOOK_RANDOM = 60  # what a check in a notebook tries: one's own check must say the same


def check_one(path: Path, lang: str | None, timeout: float) -> int:
    """Mark one notebook and print the feedback; see ragteach.grading.check_notebook."""
    if not path.is_file():
        print(f"ragteach check: {words.no_such_file(str(path))[lang or system_language()]}", file=sys.stderr)
        return 2
    marked = mark(Found(path.stem, path), timeout=timeout, n_random=NOTEBOOK_RANDOM)
    lang = lang or marked.lang or system_language()
    for remark in tidy(marked.remarks):
        say(remark[lang])
    if not marked.results:
        if marked.fault:
            print(marked.fault, file=sys.stderr)
        return 2
    for result in marked.results:
        say(scrubbed(as_text(exercises.get(result.exercise), result, lang), lang) + "\n")
    say(labelled(words.PAGE["total"][lang], words.total(marked.points, marked.max_points)[lang], lang))
    return 0 if all(result.passed for result in marked.results) else 1
