"""What a corpus is made of: documents, passages that answer, questions."""

from dataclasses import dataclass, field

LANGUAGES = ("fr", "en")


@dataclass(frozen=True)
class Document:
    """One document: `text` is its body without the title, and `metadata` its front matter.

    Every metadata value is a str, except roles, the tuple of those who may read the document.
    """

    id: str
    title: str
    text: str
    metadata: dict[str, str | tuple[str, ...]]


@dataclass(frozen=True)
class Passage:
    """A piece of a document that answers a question, whatever chunks are cut: text[start:end] of `document` (an id).

    `anchor` is its name, the same in every language. start and end count characters of Document.text.
    """

    anchor: str
    document: str
    start: int
    end: int
    text: str


@dataclass(frozen=True)
class Question:
    """An annotated question.

    `relevant` maps the anchors of the passages that answer it to their grades: 3 answers fully, 2 in part or in
    other words, 1 is related; `passages` are these passages, in the same order. A trap (`is_trap`) has none: the
    corpus does not hold the answer, or `user` ({"tenant": ..., "roles": ...}) may not read the passages that do,
    whose anchors are then `hidden`. `history` holds the questions before a follow-up.
    """

    id: str
    text: str
    kind: str
    answer: str
    split: str
    is_trap: bool
    relevant: dict[str, int]
    passages: tuple[Passage, ...]
    segment: str = ""
    history: tuple[str, ...] = ()
    user: dict[str, str | tuple[str, ...]] | None = None
    hidden: tuple[str, ...] = ()


@dataclass(frozen=True)
class Corpus:
    """Documents in one language, and the questions asked of them; `passages` maps an anchor to its passage."""

    name: str
    lang: str
    documents: tuple[Document, ...]
    questions: tuple[Question, ...] = ()
    passages: dict[str, Passage] = field(default_factory=dict)
