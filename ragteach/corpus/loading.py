"""Read a corpus of the course from the package's data files."""

import json
from dataclasses import dataclass
from importlib.resources import files
from importlib.resources.abc import Traversable

LANGUAGES = ("fr", "en")
# The order of the documents is the order of their numbers in an index; both languages share it.
DOCUMENTS = {"mini": ("manual", "maintenance", "faq")}


@dataclass(frozen=True)
class Document:
    """One document: `text` is its body without the title; `metadata` holds source, lang, date and version."""

    id: str
    title: str
    text: str
    metadata: dict[str, str]


@dataclass(frozen=True)
class Passage:
    """A passage that answers a question: words of `document` (an id), quoted as they stand there."""

    document: str
    quote: str


@dataclass(frozen=True)
class Question:
    """An annotated question; a trap (`is_trap`) has no answer in the corpus, hence no relevant passage."""

    id: str
    text: str
    kind: str
    answer: str
    split: str
    is_trap: bool
    relevant: tuple[Passage, ...]


@dataclass(frozen=True)
class Corpus:
    """Documents in one language, and the questions asked of them."""

    name: str
    lang: str
    documents: tuple[Document, ...]
    questions: tuple[Question, ...]


def load(name: str = "mini", lang: str = "fr") -> Corpus:
    """Load a corpus of the course: its documents and its annotated questions.

    Document and question ids are the same in every language. Raises ValueError where no corpus has that name or
    the corpus does not exist in that language.
    """
    if name not in DOCUMENTS:
        raise ValueError(f"name must be one of {', '.join(DOCUMENTS)}, not {name!r}.")
    if lang not in LANGUAGES:
        raise ValueError(f"lang must be one of {', '.join(LANGUAGES)}, not {lang!r}.")
    folder = files("ragteach.corpus").joinpath("data", name, lang)
    documents = tuple(_read_document(folder, document_id) for document_id in DOCUMENTS[name])
    return Corpus(name, lang, documents, _read_questions(folder))


def _read_document(folder: Traversable, document_id: str) -> Document:
    """Read a Markdown file: metadata between two `---` lines, the title as its first heading, then the body."""
    raw = folder.joinpath(f"{document_id}.md").read_text(encoding="utf-8")
    _, front_matter, content = raw.split("---\n", 2)
    metadata = dict(line.split(": ", 1) for line in front_matter.splitlines())
    heading, text = content.split("\n", 1)
    return Document(document_id, heading.removeprefix("# "), text.strip(), metadata)


def _read_questions(folder: Traversable) -> tuple[Question, ...]:
    entries = json.loads(folder.joinpath("questions.json").read_text(encoding="utf-8"))
    return tuple(
        Question(**{**entry, "relevant": tuple(Passage(**passage) for passage in entry["relevant"])})
        for entry in entries
    )
