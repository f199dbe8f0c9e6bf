"""From the bytes of a file to its text: Markdown, plain text, HTML and PDF."""

import codecs
import io
import logging
import re
from collections.abc import Callable
from dataclasses import dataclass, field

from ragteach.corpus.html_text import html_to_markdown
from ragteach.corpus.markdown import split_front_matter, split_title

# A file that begins with one of these says itself how it is written. UTF-32 first: its mark begins like UTF-16's.
MARKS = {
    codecs.BOM_UTF32_LE: "utf-32",
    codecs.BOM_UTF32_BE: "utf-32",
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
DECLARED = re.compile(rb"""<(?:meta|\?xml)[^>]*?(?:charset|encoding)\s*=\s*["']?([\w.:-]+)""", re.IGNORECASE)

# Text has none of these; bytes that are no text, or text read in the wrong encoding, soon do.
CONTROL = re.compile(r"[\x00-\x08\x0e-\x1f\x7f-\x9f]")


class Unreadable(Exception):
    """A file cannot be read; `reason` is one of `reasons.SENTENCES`, `details` what its sentence speaks of."""

    def __init__(self, reason: str, **details: object) -> None:
        super().__init__(reason)
        self.reason, self.details = reason, details


@dataclass(frozen=True)
class Content:
    """What a file says; `pages` counts pages, and those without text, of a PDF that has some."""

    text: str
    title: str = ""
    metadata: dict = field(default_factory=dict)
    pages: dict[str, int] = field(default_factory=dict)


def decode(data: bytes) -> str:
    """Decode text: by the mark at its beginning, as UTF-8, as it declares itself (HTML), or as Windows-1252.

    Bytes that happen to be valid UTF-8 hardly ever are anything else; older French and English files are mostly
    Windows-1252. Line ends become "\\n". Raises Unreadable where none of these makes text.
    """
    marked = [encoding for mark, encoding in MARKS.items() if data.startswith(mark)][:1]
    declared = [found.decode("ascii") for found in DECLARED.findall(data[:2000])]
    for encoding in marked or ["utf-8", *declared, "cp1252"]:
        try:
            text = data.decode(encoding)
        except (UnicodeError, LookupError):  # LookupError: an encoding that does not exist
            continue
        if not CONTROL.search(text):
            return text.replace("\r\n", "\n").replace("\r", "\n")
    raise Unreadable("encoding")


def read_text(data: bytes) -> Content:
    """Read plain text."""
    return Content(decode(data))


def read_markdown(data: bytes) -> Content:
    """Read Markdown: its front matter and its title, where it has them, leave the text."""
    metadata, body = split_front_matter(decode(data))
    title, text = split_title(body)
    return Content(text, str(metadata.get("title", title)), metadata)


def read_html(data: bytes) -> Content:
    """Read HTML as Markdown, so that its headings and lists are still seen."""
    title, text = html_to_markdown(decode(data))
    return Content(text, title)


def read_pdf(data: bytes) -> Content:
    """Read the text of a PDF, page after page.

    Raises Unreadable where it is protected by a password or damaged.
    """
    import pypdf  # here, for it is slow to import and few folders hold a PDF
    from pypdf.errors import DependencyError

    log = logging.getLogger("pypdf")
    level = log.level
    log.setLevel(logging.CRITICAL)  # it warns of every slip of a file that it then reads well
    try:
        reader = pypdf.PdfReader(io.BytesIO(data))
        if reader.is_encrypted and not reader.decrypt(""):  # many may be read by everybody, and are only not to print
            raise Unreadable("encrypted")
        pages = [(page.extract_text() or "").strip() for page in reader.pages]
        title = (reader.metadata.title if reader.metadata else "") or ""
    except DependencyError:  # pypdf needs another package for this cipher
        raise Unreadable("encrypted") from None
    except Unreadable:
        raise
    except Exception as error:  # on a damaged file a parser may fail in any way
        raise Unreadable("broken pdf") from error
    finally:
        log.setLevel(level)
    n_blank = pages.count("")
    counts = {"n_blank": n_blank, "n": len(pages)} if n_blank else {}
    return Content("\n\n".join(filter(None, pages)), str(title).strip(), pages=counts)


READERS: dict[str, Callable[[bytes], Content]] = {
    ".md": read_markdown,
    ".markdown": read_markdown,
    ".txt": read_text,
    ".html": read_html,
    ".htm": read_html,
    ".pdf": read_pdf,
}
