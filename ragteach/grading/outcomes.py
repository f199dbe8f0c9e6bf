"""Reading what a worker answers, without trusting it."""

from __future__ import annotations

from ragteach.checking.call import Outcome
from ragteach.checking.plain import decode
from ragteach.grading.transport import Gone

KINDS = ("value", "error", "timeout", "memory", "not_plain", "missing")
MAX_TEXT = 2_000
NOTHING = {"value": None, "errors": [], "message": "", "line": "", "printed": ""}  # what a worker leaves out


def read_outcome(message: dict) -> Outcome:
    """Read an outcome that a worker sent, without trusting it. Raises Gone or NotPlain where it is none."""
    match {**NOTHING, **message}:
        case {
            "kind": str(kind),
            "value": value,
            "errors": list(errors),
            "message": str(text),
            "line": str(line),
            "printed": str(printed),
        } if kind in KINDS and all(isinstance(name, str) for name in errors):
            names = tuple(name[:100] for name in errors[:20])
            texts = text[:MAX_TEXT], line[:MAX_TEXT], printed[:MAX_TEXT]
            return Outcome(kind, decode(value), names, *texts, changed=message.get("changed") is True)
    raise Gone
