"""Where a notebook stands: its language, whether it has a kernel to talk to, and how things are shown in it."""

import os
from html import escape

from ragteach.language import LANGUAGES, system_language

_lang: str | None = None


def language() -> str:
    """Give the language of this notebook, or the system's where no begin() has set one."""
    return _lang or system_language()


def set_language(lang: str) -> None:
    """Set the language of this notebook."""
    global _lang
    if lang not in LANGUAGES:
        raise ValueError(f"lang must be one of {', '.join(LANGUAGES)}, not {lang!r}.")
    _lang = lang


def static() -> bool:
    """Say whether pictures and text must stand for widgets, as in a stored notebook that no kernel serves."""
    return os.environ.get("RAGTEACH_STATIC") == "1"


def show(text: str, html: str | None = None) -> None:
    """Show something in the cell's output as HTML, and as text where HTML is not shown."""
    from IPython.display import display

    html = html if html is not None else f'<p style="white-space:pre-line">{escape(text)}</p>'
    display({"text/html": html, "text/plain": text}, raw=True)
