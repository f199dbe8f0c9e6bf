"""The language of the reader's system, and errors that speak both of ours."""

import os
import sys
from collections.abc import Mapping

LANGUAGES = ("fr", "en")


class BadValue(ValueError):
    """A ValueError that somebody who types a command will read: its sentence in French and in English."""

    def __init__(self, text: Mapping[str, str]) -> None:
        super().__init__(text["en"])
        self.text = dict(text)

    def __reduce__(self) -> tuple:
        """Keep the text when the error crosses to another process."""
        return BadValue, (self.text,)


def sentence(error: ValueError | OSError, lang: str) -> str:
    """Give an error's sentence in a language, where it has one; the system's own errors name their file."""
    if isinstance(error, OSError):
        return f"{error.filename}: {error.strerror}." if error.filename else f"{error}."
    return error.text[lang] if isinstance(error, BadValue) else str(error)


def system_language(env: Mapping[str, str] = os.environ) -> str:
    """Give the language of the reader's system, "fr" or, for all others, "en".

    Reads what gettext reads, in its order; Windows, which sets none of it, is asked.
    """
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"):
        known = [code[:2].lower() for code in env.get(name, "").split(":") if code[:2].lower() in LANGUAGES]
        if known:
            return known[0]
        if env.get(name) and name != "LANGUAGE":
            return "en"
    if sys.platform == "win32":
        import ctypes

        return "fr" if ctypes.windll.kernel32.GetUserDefaultUILanguage() & 0x3FF == 0x0C else "en"
    return "en"
