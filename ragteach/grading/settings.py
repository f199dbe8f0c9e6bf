"""What a teacher may set about how submissions run."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Any

from ragteach.language import BadValue

if TYPE_CHECKING:  # the command line reads this file whatever it is asked for: numpy must not come along
    from ragteach.checking.exercise import Text

SANDBOXES = ("auto", "strict", "process")


@dataclass(frozen=True)
class Settings:
    """The limits on one submission, and the sandbox it runs in.

    Times are in seconds, sizes in millions of bytes. `cell_seconds` and `call_seconds` bound what one cell, one
    call of a function, takes by the clock; `cell_cpu` and `call_cpu` what it takes of the processor (all its
    threads together). `memory` is what a submission may take beyond what Python and the libraries need;
    `processes` counts its threads too; `file_size` bounds each file and `files` all of them together; `printed`
    is the number of characters kept of what one call prints.

    `sandbox` is "auto" (all that this system offers), "strict" (the same, and refuse to start where a layer is
    missing) or "process" (a process of its own with time limits, on every system). Raises ValueError for a limit
    that is not positive, or a sandbox of another name.
    """

    sandbox: str = "auto"
    cell_seconds: float = 10.0
    call_seconds: float = 2.0
    cell_cpu: float = 5.0
    call_cpu: float = 2.0
    memory: int = 1_000
    processes: int = 64
    file_size: int = 50
    files: int = 200
    printed: int = 2_000

    def __post_init__(self) -> None:
        if self.sandbox not in SANDBOXES:
            raise BadValue(bad_sandbox(self.sandbox))
        for name, value in vars(self).items():
            if name != "sandbox" and not 0 < value < inf:
                raise BadValue(bad_limit(name, value))


def bad_sandbox(value: Any) -> Text:
    """Say which sandboxes there are."""
    return {
        "fr": f"--sandbox vaut {', '.join(SANDBOXES[:-1])} ou {SANDBOXES[-1]}, et non {value}.",
        "en": f"--sandbox is {', '.join(SANDBOXES[:-1])} or {SANDBOXES[-1]}, not {value}.",
    }


def bad_limit(name: str, value: Any) -> Text:
    """Say that a limit must be positive."""
    flag = f"--{name.replace('_', '-')}"
    return {
        "fr": f"{flag} doit être un nombre supérieur à 0, et non {value}.",
        "en": f"{flag} must be a number greater than 0, not {value}.",
    }
