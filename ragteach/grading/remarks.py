"""Remarks that help: nothing said twice, and no file names that only Python knows."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ragteach.checking.exercise import Text

UNDEFINED = re.compile(r"NameError: name '(\w+)' is not defined")
MAX_UNDEFINED = 2  # a cell that fails takes others along: the first ones tell where
INNER_FILE = r"(?:<|&lt;)ipython-input-[\w-]*(?:>|&gt;)"
PATH = r"(?<![^\s(])[^\s(]*ipykernel_\d+[/\\]\d+\.py"  # looked for where a word begins, not from each of its letters
INNER_LINE = re.compile(rf"(?:{INNER_FILE}|{PATH}|\b\d{{3,}}\.py), line (\d+)")
INNER = re.compile(rf"(?:File )?{INNER_FILE}")
LINE = {"fr": "ligne", "en": "line"}


def tidy(remarks: Sequence[Text]) -> tuple[Text, ...]:
    """Drop the errors that only follow from earlier ones, and write the others without inner file names."""
    kept, seen = [], set()
    for remark in remarks:
        undefined = UNDEFINED.search(remark["en"])
        if undefined and (undefined[1] in seen or len(seen) >= MAX_UNDEFINED):
            continue
        if undefined:
            seen.add(undefined[1])
        clean = {lang: scrubbed(text, lang) for lang, text in remark.items()}
        if clean not in kept:
            kept.append(clean)
    return tuple(kept)


def scrubbed(text: str, lang: str) -> str:
    """Write "line 3" for "<ipython-input-7-ab12>, line 3", in a time that grows with the text, whatever it holds.

    It is for texts of the grader's: an answer in words stays as the student wrote it.
    """
    if "ipython-input" not in text and ".py, line" not in text:
        return text
    return INNER.sub("…", INNER_LINE.sub(lambda match: f"{LINE[lang]} {match[1]}", text))
