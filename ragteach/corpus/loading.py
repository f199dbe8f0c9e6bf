"""Read a corpus of the course from the package's data files."""

import json
from collections.abc import Iterable
from importlib.resources import files
from importlib.resources.abc import Traversable
from typing import Any

from ragteach.corpus.markdown import split_front_matter, split_title, take_anchors
from ragteach.corpus.records import LANGUAGES, Corpus, Document, Passage, Question

NAMES = ("mini", "robot")
# Documents stand in the order of their ids, which is the same in both languages, but for the first corpus of all.
ORDER = {"mini": ("manual", "maintenance", "faq")}


def load(name: str = "mini", lang: str = "fr") -> Corpus:
    """Load a corpus of the course: its documents, its annotated questions and the passages that answer them.

    "mini" has three short documents and six questions, "robot" is the whole world around the same robot. Ids of
    documents, questions and passages are the same in every language. Raises ValueError where no corpus has that
    name or the corpus does not exist in that language.
    """
    if name not in NAMES:
        raise ValueError(f"name must be one of {', '.join(NAMES)}, not {name!r}.")
    if lang not in LANGUAGES:
        raise ValueError(f"lang must be one of {', '.join(LANGUAGES)}, not {lang!r}.")
    return read_corpus(files("ragteach.corpus").joinpath("data", name, lang), name, lang)


def read_corpus(folder: Traversable, name: str, lang: str) -> Corpus:
    """Read a folder of Markdown documents and annotated questions, in the format of the course's own data.

    Each document is a file <id>.md; questions.json holds the questions. A passage is named by an anchor in its
    document, or by its quote in passages.json: {anchor: {"document": id, "quote": words that stand there once}}.
    Raises ValueError where an anchor is used twice or a question needs one that does not exist.
    """
    ids = ORDER.get(name) or sorted(
        file.name.removesuffix(".md") for file in folder.iterdir() if file.name.endswith(".md")
    )
    documents, found = [], []
    for document_id in ids:
        document, anchored = _read_document(folder, document_id)
        documents.append(document)
        found += anchored
    quotes = folder.joinpath("passages.json")
    if quotes.is_file():
        found += _quoted(_read_json(quotes), documents)
    passages = _by_anchor(found)
    questions = tuple(_question(entry, passages) for entry in _read_json(folder.joinpath("questions.json")))
    return Corpus(name, lang, tuple(documents), questions, passages)


def _read_document(folder: Traversable, document_id: str) -> tuple[Document, list[Passage]]:
    """Read metadata, the title (of the metadata, or else the first heading), the text and its anchored passages."""
    metadata, body = split_front_matter(folder.joinpath(f"{document_id}.md").read_text(encoding="utf-8"))
    heading, marked = split_title(body)
    text, passages = take_anchors(document_id, marked)
    return Document(document_id, str(metadata.get("title", heading)), text, metadata), passages


def _quoted(quotes: dict, documents: Iterable[Document]) -> list[Passage]:
    """Find the passages that are named by a quote."""
    texts = {document.id: document.text for document in documents}
    passages = []
    for anchor, entry in quotes.items():
        source, quote = entry["document"], entry["quote"]
        if texts[source].count(quote) != 1:
            raise ValueError(f'The quote of "{anchor}" must stand once in "{source}".')
        start = texts[source].index(quote)
        passages.append(Passage(anchor, source, start, start + len(quote), quote))
    return passages


def _by_anchor(found: Iterable[Passage]) -> dict[str, Passage]:
    passages: dict[str, Passage] = {}
    for passage in found:
        if passage.anchor in passages:
            first = passages[passage.anchor].document
            raise ValueError(f'The anchor "{passage.anchor}" stands twice: in "{first}" and in "{passage.document}".')
        passages[passage.anchor] = passage
    return passages


def _question(entry: dict, passages: dict[str, Passage]) -> Question:
    relevant, hidden = entry["relevant"], tuple(entry.get("hidden", ()))
    for anchor in (*relevant, *hidden):
        if anchor not in passages:
            raise ValueError(f'Question "{entry["id"]}" needs the anchor "{anchor}", which no document holds.')
    user = entry.get("user")
    return Question(
        id=entry["id"],
        text=entry["text"],
        kind=entry["type"],
        answer=entry["answer"],
        split=entry["split"],
        is_trap=entry["is_trap"],
        relevant=relevant,
        passages=tuple(passages[anchor] for anchor in relevant),
        segment=entry.get("segment", ""),
        history=tuple(entry.get("history", ())),
        user={**user, "roles": tuple(user["roles"])} if user else None,
        hidden=hidden,
    )


def _read_json(file: Traversable) -> Any:
    return json.loads(file.read_text(encoding="utf-8"))
