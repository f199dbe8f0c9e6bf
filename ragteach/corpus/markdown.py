"""Take apart a Markdown file of a corpus: its front matter, its title, and its anchored passages."""

import re

from ragteach.corpus.records import Passage

# Metadata between two lines of three hyphens, at the very beginning of the file.
FRONT_MATTER = re.compile(r"---\n(.*?\n|)---\n", re.DOTALL)

# A first heading of level 1: the title, which is not repeated in the text.
TITLE = re.compile(r"\s*# +(.+?)(?: +#+)?(?:\n|\Z)")

# An HTML comment alone on its line. It names what follows.
ANCHOR = re.compile(r"^<!-- #([a-z0-9]+(?:-[a-z0-9]+)*) -->\n", re.MULTILINE)

# What an anchor names: a block of code between its fences, or the lines up to the next blank one.
BLOCK = re.compile(r"```.*?^```[^\n]*|.+?(?=\n[^\S\n]*\n|\s*\Z)", re.DOTALL | re.MULTILINE)


def split_front_matter(raw: str) -> tuple[dict[str, str | tuple[str, ...]], str]:
    """Give the metadata of a Markdown file, and what follows them; without front matter, no metadata.

    A line is "key: value"; "roles" is a list with commas, and becomes a tuple.
    """
    found = FRONT_MATTER.match(raw)
    if not found:
        return {}, raw
    pairs = (line.partition(":") for line in found[1].splitlines() if ":" in line)
    metadata: dict[str, str | tuple[str, ...]] = {key.strip(): value.strip() for key, _, value in pairs}
    if "roles" in metadata:
        metadata["roles"] = tuple(role.strip() for role in str(metadata["roles"]).split(",") if role.strip())
    return metadata, raw[found.end() :]


def split_title(body: str) -> tuple[str, str]:
    """Give the title, where the body begins with a heading of level 1, and the text below it."""
    found = TITLE.match(body)
    return (found[1], body[found.end() :].strip()) if found else ("", body.strip())


def take_anchors(document: str, marked: str) -> tuple[str, list[Passage]]:
    """Take the anchors out of a document's text, and give the text with the passages that they name.

    `document` is its id. An anchor, <!-- #fuse-rating --> alone on a line, names the block below it: a paragraph, a
    list, a table or a block of code. Two anchors on top of one another name the same block.
    """
    text = ANCHOR.sub("", marked)
    passages, removed = [], 0
    for found in ANCHOR.finditer(marked):
        removed += found.end() - found.start()
        start = found.end() - removed
        block = BLOCK.match(text, start)
        end = block.end() if block else start
        passages.append(Passage(found[1], document, start, end, text[start:end]))
    return text, passages
