"""What a passage is: a dict of texts.

    {"text": "The fuse is rated 5 A.", "title": "Robot manual", "date": "2025-09-15", "source": "manual.md"}

"text" is what the passage says; "title" and "date" (year-month-day) help the model to judge it; "source" leads the
reader to the document. Passages come best first and are numbered from 1, as they are in the prompt and in [1], [2].
"""

from collections.abc import Mapping, Sequence

from ragteach.retrieval.arguments import require, text_str

Passage = Mapping[str, str]


def check_passages(passages: Sequence[Passage], *keys: str) -> None:
    """Raise ValueError unless `passages` is a list of dicts that hold a str under "text" and under each of `keys`."""
    require(not isinstance(passages, str | Mapping), "passages must be a list of dicts, not a single passage.")
    for i, passage in enumerate(passages):
        require(isinstance(passage, Mapping), f"passages[{i}] must be a dict, not {type(passage).__name__}.")
        for key in ("text", *keys):
            require(key in passage, f'passages[{i}] must have a "{key}".')
            text_str(f'passages[{i}]["{key}"]', passage[key])
