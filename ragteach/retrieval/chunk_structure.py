"""Cuts that follow what a document is made of: its headings, its subjects, small pieces inside larger ones."""

import re
from collections.abc import Sequence

from ragteach.retrieval.arguments import at_least, between, require, text_str, vector
from ragteach.retrieval.chunking import chunk_words

# CommonMark: up to three spaces, one to six #, then white space or nothing.
HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t]+(.*))?")
FENCE = re.compile(r" {0,3}(`{3,}(?=[^`]*$)|~{3,})(.*)")


def chunk_headings(markdown: str) -> list[dict]:
    """Cut a Markdown text into one chunk per section: {"path": the titles down to the section, "text": its text}.

    A section runs from its heading to the next one, of whatever level, and its text is what stands between them:
    empty where a heading follows at once, for the title would be lost if the section were left out. What stands
    before the first heading is a chunk with an empty path, unless it is blank. Headings are CommonMark's ATX
    headings ("## Title"): a # inside a fenced code block (``` or ~~~), indented by four spaces, or without a space
    after it ("#5") makes none. Raises ValueError where markdown is no str.
    """
    text_str("markdown", markdown)
    sections: list[tuple[list[str], list[str]]] = [([], [])]  # the path and the lines of each section
    levels: list[int] = []  # the level of each title of the current path
    fence = ""
    for line in markdown.splitlines():
        heading = None if fence else HEADING.fullmatch(line)
        if heading:
            level, title = len(heading[1]), _title(heading[2] or "")
            depth = sum(above < level for above in levels)  # the titles that stay open above this one
            levels = [*levels[:depth], level]
            sections.append(([*sections[-1][0][:depth], title], []))
        else:
            sections[-1][1].append(line)
            fence = _fence_after(line, fence)
    chunks = [{"path": path, "text": "\n".join(lines).strip()} for path, lines in sections]
    return [chunk for chunk in chunks if chunk["path"] or chunk["text"]]


def _title(rest: str) -> str:
    """Give a heading's title without the run of # that may close it ("## Title ##", but not "C#")."""
    rest = rest.strip()
    without = rest.rstrip("#")
    return without.rstrip() if without[-1:] in ("", " ", "\t") else rest


def _fence_after(line: str, fence: str) -> str:
    """Give the fence of the code block that is open after this line, "" where none is.

    A block ends at a fence of the same character, at least as long as the one that opened it, with nothing behind.
    """
    found = FENCE.fullmatch(line)
    if not found:
        return fence
    if not fence:
        return found[1]
    closes = found[1].startswith(fence) and not found[2].strip()
    return "" if closes else fence


def parent_child(text: str, child_size: int, parent_size: int) -> list[dict]:
    """Cut a text into small chunks for the search, each inside a large one for the model ("small-to-big").

    Parents are windows of `parent_size` words without overlap, and each is cut into children of `child_size` words.
    Returns {"child": the child's text, "parent": its parent's number} in the text's order; parent number i is
    chunk_words(text, parent_size, overlap=0)[i]. Raises ValueError unless text is a str and
    1 <= child_size <= parent_size.
    """
    at_least("parent_size", parent_size, 1)
    between("child_size", child_size, 1, parent_size)
    return [
        {"child": child, "parent": number}
        for number, parent in enumerate(chunk_words(text, parent_size, overlap=0))
        for child in chunk_words(parent, child_size, overlap=0)
    ]


def contextualize(chunk: str, title: str, path: Sequence[str]) -> str:
    """Write before a chunk where it stands: the document's title and the path of headings, then a blank line.

    "Manual > Power > Fuse", for instance, which both a lexical and a dense index then find (Anthropic, Contextual
    Retrieval, 2024). A chunk that begins with this very prefix comes back as it is, so that doing it twice does no
    harm. Without a title and a path there is no prefix. Raises ValueError where chunk or title is no str, or path
    is one.
    """
    text_str("chunk", chunk)
    text_str("title", title)
    require(not isinstance(path, str), "path must be a list of titles, not a str.")
    places = [place for place in (title, *path) if place]
    prefix = " > ".join(places) + "\n\n" if places else ""
    return chunk if chunk.startswith(prefix) else prefix + chunk


def split_at_dips(similarities: Sequence[float], threshold: float) -> list[int]:
    """Return the numbers i of the sentences after which the subject changes, in increasing order.

    similarities[i] compares sentence i with sentence i + 1. There is a boundary where it is smaller than the
    threshold and a local minimum, that is not larger than the value before it nor the value after it; at either end
    there is one neighbour only. Equal neighbours are both minima: the sentence between them resembles neither side.
    The idea is TextTiling's (Hearst, 1997). Raises ValueError where a value is nan or infinite, or similarities
    have not one dimension.
    """
    values = vector("similarities", similarities).tolist()
    require(threshold == threshold, "threshold must be a number, not nan.")
    boundaries = []
    for i, value in enumerate(values):
        neighbours = values[max(0, i - 1) : i] + values[i + 1 : i + 2]
        if value < threshold and all(value <= neighbour for neighbour in neighbours):
            boundaries.append(i)
    return boundaries
