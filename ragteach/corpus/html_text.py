"""From HTML to Markdown that is just rich enough for chunking: headings, paragraphs, lists, table rows, code."""

import re
from html.parser import HTMLParser

# What these hold is not shown to a reader of the page.
UNSEEN = {"script", "style", "template", "noscript", "svg"}

HEADINGS = {f"h{level}": "#" * level + " " for level in range(1, 7)}

# These begin and end a paragraph, or begin a line.
PARAGRAPHS = set("p div section article main header footer nav aside ul ol dl table blockquote figure form".split())
LINES = set("br tr dt dd option figcaption summary caption legend".split())


def html_to_markdown(page: str) -> tuple[str, str]:
    """Give the title of a page (<title>, or else the first <h1>) and its text.

    White space is folded as a browser does, but for <pre>. Scripts, styles and comments are left out.
    """
    reader = _Reader()
    reader.feed(page)
    reader.close()
    lines = [line.rstrip() for line in "".join(reader.parts).split("\n")]
    text = re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip()
    heading = re.search(r"^# (.+)$", text, re.MULTILINE)
    return " ".join("".join(reader.title).split()) or (heading[1] if heading else ""), text


class _Reader(HTMLParser):
    """Collects the parts of the text, and of the title."""

    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = [""]
        self.title: list[str] = []
        self.around: list[str] = []  # the unseen elements, <title> and <pre> that are open

    def handle_starttag(self, tag: str, attrs: list) -> None:
        if tag == "body":
            self.around = []  # whatever was forgotten above
        elif tag in UNSEEN or tag in ("title", "pre"):
            self.around.append(tag)
        if tag == "pre":
            self.parts.append("\n\n```\n")
        elif tag in HEADINGS:
            self.parts.append("\n\n" + HEADINGS[tag])
        elif tag in PARAGRAPHS:
            self.parts.append("\n\n")
        elif tag == "li":
            self.parts.append("\n- ")
        elif tag in LINES:
            self.parts.append("\n")
        elif tag in ("td", "th") and not self.parts[-1].endswith("\n"):  # not the first cell of its row
            self.parts.append("| " if self.parts[-1].endswith(" ") else " | ")

    def handle_endtag(self, tag: str) -> None:
        if tag in self.around:
            while self.around.pop() != tag:
                pass
        if tag == "pre":
            self.parts.append("```\n\n" if self.parts[-1].endswith("\n") else "\n```\n\n")
        elif tag in HEADINGS or tag in PARAGRAPHS:
            self.parts.append("\n\n")

    def handle_data(self, data: str) -> None:
        if UNSEEN.intersection(self.around):
            return
        if "title" in self.around:
            self.title.append(data)
        elif "pre" in self.around:
            self.parts.append(data)
        else:
            text = re.sub(r"[ \t\n\r\f]+", " ", data)  # not \s: a no-break space is there on purpose
            if self.parts[-1].endswith((" ", "\n")) or self.parts[-1] == "":
                text = text.lstrip(" ")
            if text:
                self.parts.append(text)
