"""Keep an index in step with its documents: updates, deletions, versions."""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence

from ragteach.retrieval.arguments import require
from ragteach.retrieval.text import tokenize

VERSION = re.compile(r"\d+(?:[.-]\d+)*")


def update_index(index: dict, changes: Mapping[str, Sequence[str] | None]) -> dict:
    """Add, replace and delete documents, and give the new index; the one given stays as it was.

    `changes` maps a document to the texts of its chunks, which replace all it had before, or to None, which
    deletes it. Deleting a document that is not there changes nothing: an event may arrive twice. The index holds
    chunks, named document#position, and for each token the sorted names of the chunks that hold it:

        update_index({"chunks": {}, "postings": {}}, {"faq": ["Zero."], "old": None})
        == {"chunks": {"faq#0": {"doc": "faq", "text": "Zero."}}, "postings": {"zero": ["faq#0"]}}

    Nothing of a deleted document is left, nor a chunk that its new version lacks, nor a token that no chunk holds.
    Raises ValueError where the index has no "chunks" or "postings", a document's name is no str, or its chunks are
    no list of str.
    """
    for part in ("chunks", "postings"):
        require(isinstance(index, Mapping) and part in index, f'index must be a dict that has "{part}".')
    require(isinstance(changes, Mapping), "changes must be a dict from documents to lists of chunk texts, or None.")
    chunks = {name: chunk for name, chunk in index["chunks"].items() if chunk["doc"] not in changes}
    kept = {token: [name for name in names if name in chunks] for token, names in index["postings"].items()}
    postings = {token: names for token, names in kept.items() if names}
    for doc, texts in changes.items():
        require(isinstance(doc, str), f"changes must have str keys, and has {doc!r}.")
        require(isinstance(texts, list | tuple | None), f"changes[{doc!r}] must be a list of chunk texts, or None.")
        for position, text in enumerate(texts or []):
            name = f"{doc}#{position}"
            chunks[name] = {"doc": doc, "text": text}
            for token in set(tokenize(text)):
                postings[token] = sorted([*postings.get(token, []), name])
    return {"chunks": chunks, "postings": postings}


def index_version(config: dict) -> str:
    """Name a configuration by its content: the first 16 hexadecimal digits of the SHA-256 of its canonical JSON.

    The order of keys counts at no depth; every value does, so that 1, 1.0, "1" and True give four versions. A tuple
    is written as a list. Raises ValueError where config is no dict, or holds something that JSON cannot write: a
    set, nan, an array, or a key that is no str (JSON would make the same text of 1 and "1").
    """
    require(isinstance(config, dict), f"config must be a dict, not {type(config).__name__}.")
    try:
        _check_keys(config)
        canonical = json.dumps(config, sort_keys=True, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise ValueError(f"config must hold plain data with str keys: {error}") from error
    return hashlib.sha256(canonical.encode()).hexdigest()[:16]


def _check_keys(value: object) -> None:
    """Raise ValueError where a dict at any depth has a key that is no str."""
    if isinstance(value, dict):
        for key in value:
            require(isinstance(key, str), f"the key {key!r} is no str.")
        value = value.values()
    elif not isinstance(value, list | tuple):
        return
    for item in value:
        _check_keys(item)


def latest_versions(chunks: Sequence[Mapping]) -> list[int]:
    """Give the numbers of the chunks that belong to the newest version of their document, in increasing order.

    A chunk looks like {"doc": "manual", "version": "1.10", ...}. Versions are compared number by number, so that
    1.10 comes after 1.9, and 2.0 is 2; they are int, or str of whole numbers joined by points or hyphens, which
    makes a date such as "2025-09-15" a version too. All chunks of the newest version stay. Raises ValueError where
    "doc" or "version" is missing, or a version is written otherwise (as a float, 1.10 would be 1.1).
    """
    newest: dict = {}
    versions = []
    for i, chunk in enumerate(chunks):
        for key in ("doc", "version"):
            require(isinstance(chunk, Mapping) and key in chunk, f'chunks[{i}] must be a dict that has "{key}".')
        versions.append(_version_key(f'chunks[{i}]["version"]', chunk["version"]))
        newest[chunk["doc"]] = max(versions[i], newest.get(chunk["doc"], ()))
    return [i for i, chunk in enumerate(chunks) if versions[i] == newest[chunk["doc"]]]


def _version_key(name: str, version: int | str) -> tuple[int, ...]:
    """Turn "1.10" into (1, 10), and "2.0" into (2,): tuples compare number by number."""
    require(isinstance(version, int | str) and not isinstance(version, bool), f"{name} must be an int or a str.")
    require(VERSION.fullmatch(str(version)) is not None, f"{name} must be whole numbers joined by points or hyphens.")
    numbers = [int(number) for number in re.split("[.-]", str(version))]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return tuple(numbers)
