"""Printing for a teacher: on a terminal of any encoding, and quietly where nobody reads on."""

import os
import sys


def say(text: str) -> None:
    """Print a text; a reader that has gone (`ragteach grade ... | head`) is no error."""
    encoding = sys.stdout.encoding or "utf-8"
    try:
        print(text.encode(encoding, "replace").decode(encoding), flush=True)
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())  # or Python complains when it ends


def complain(text: str) -> None:
    """Print a sentence on stderr."""
    print(f"ragteach grade: {text}", file=sys.stderr)
