"""Reading what a worker answers, without trusting it."""

from __future__ import annotations

from ragteach.checking.call import Outcome
from ragteach.checking.plain import NotPlain, decode
from ragteach.grading.transport import Gone

KINDS = ("value", "error", "timeout", "memory", "not_plain", "missing")
MAX_TEXT = 2_000
MAX_HELD = 8_000_000  # weight of all answers to one exercise: nothing that is nearly right takes a quarter of it
NOTHING = {"value": None, "errors": [], "message": "", "line": "", "printed": ""}  # what a worker leaves out


def weight(line: bytes) -> int:
    """Estimate, rather too high, how many bytes of memory a line takes once it is read."""
    return 4 * len(line) + 100 * (line.count(b"[") + line.count(b"{") + line.count(b","))


def read_outcome(message: dict) -> Outcome:
    """Read an outcome that a worker sent, without trusting it; what is no plain data makes one that says so.

    Raises Gone where the message is no outcome.
    """
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
            try:
                return Outcome(kind, decode(value), names, *texts, changed=message.get("changed") is True)
            except NotPlain as error:
                return Outcome("not_plain", message=str(error)[:MAX_TEXT])
    raise Gone
