"""Read a folder of the reader's own documents, and tell what was left out and why."""

import os
from collections.abc import Iterator
from pathlib import Path

from ragteach.corpus.formats import READERS, Unreadable
from ragteach.corpus.reasons import say
from ragteach.corpus.records import LANGUAGES, Corpus, Document


def load_folder(path: str | os.PathLike, lang: str = "fr") -> tuple[Corpus, list[tuple[str, str]]]:
    """Load the documents of a folder and of the folders inside: .md, .txt, .html and .pdf.

    Returns a corpus without questions, whose documents are named by their path below the folder ("notes/lidar.md"),
    and what was skipped: pairs of such a path and a sentence that says why, in the language `lang`. A progress bar
    shows how far it is. Hidden files are skipped, and links to folders not followed, which may run in circles.
    Raises ValueError, with a sentence in that language, where the folder does not exist or holds no document that
    can be read.
    """
    if lang not in LANGUAGES:
        raise ValueError(f"lang must be one of {', '.join(LANGUAGES)}, not {lang!r}.")
    folder = Path(path)
    if not folder.is_dir():
        raise ValueError(say("no folder" if not folder.exists() else "not a folder", lang, folder=folder))
    files, skipped = [], []
    for name, reason in sorted(_walk(folder, folder)):
        if reason:
            skipped.append((name, say(reason, lang)))
        else:
            files.append(name)
    documents = []
    for name in _progress(files, lang):
        try:
            document, partly = _read(folder / name, name, lang)
            documents.append(document)
            if partly:
                skipped.append((name, partly))
        except Unreadable as error:
            skipped.append((name, say(error.reason, lang, **error.details)))
    skipped.sort()
    if not documents and not skipped:
        raise ValueError(say("empty folder", lang, folder=folder))
    if not documents:
        name, sentence = skipped[0]
        raise ValueError(say("nothing readable", lang, folder=folder, n=len(skipped), name=name, sentence=sentence))
    return Corpus(folder.resolve().name, lang, tuple(documents)), skipped


def _walk(folder: Path, top: Path) -> Iterator[tuple[str, str]]:
    """Give the path of each file below the top, and the reason to skip it ("" for none)."""
    try:
        entries = sorted(folder.iterdir())
    except OSError:
        yield folder.relative_to(top).as_posix(), "closed"
        return
    for entry in entries:
        name = entry.relative_to(top).as_posix()
        if entry.name.startswith("."):
            yield name, "hidden"
        elif entry.is_symlink() and entry.is_dir():
            yield name, "link"
        elif entry.is_dir():
            yield from _walk(entry, top)
        elif not entry.is_file():  # a pipe would keep us waiting for ever
            yield name, "no file"
        elif entry.suffix.lower() not in READERS:
            yield name, "format"
        else:
            yield name, ""


def _read(file: Path, name: str, lang: str) -> tuple[Document, str]:
    """Read one file; also give a sentence where a part of it was left out, "" where none was."""
    try:
        data = file.read_bytes()
    except OSError:
        raise Unreadable("closed") from None
    content = READERS[file.suffix.lower()](data)
    if not content.text.strip():
        raise Unreadable("scanned" if file.suffix.lower() == ".pdf" else "no text")
    metadata = {"language": lang, **content.metadata, "source": name}
    partly = say("blank pages", lang, **content.pages) if content.pages else ""
    return Document(name, content.title or file.stem, content.text.strip(), metadata), partly


def _progress(files: list[str], lang: str) -> Iterator[str]:
    from tqdm.auto import tqdm  # here, for importing the corpus must stay quick

    # A stored notebook is to be the same at every build, and a bar shows times.
    hidden = os.environ.get("RAGTEACH_STATIC") == "1"
    label = {"fr": "Lecture", "en": "Reading"}[lang]
    return iter(tqdm(files, desc=label, unit={"fr": " fichier", "en": " file"}[lang], disable=hidden, leave=False))
