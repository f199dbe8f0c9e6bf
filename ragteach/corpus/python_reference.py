"""A larger public text that is on every reader's machine: the chapters of Python's reference that `help()` shows."""

from ragteach.corpus.records import Document


def python_reference() -> tuple[Document, ...]:
    """Give the topics that come with Python (pydoc_data, under the PSF licence), in English: about 65,000 words.

    There is nothing to download. The text changes a little from one version of Python to the next, so that figures
    measured on it do too. Raises ValueError where this Python was installed without it.
    """
    try:
        from pydoc_data.topics import topics
    except ImportError:
        raise ValueError("This Python was installed without pydoc_data, the text of its help.") from None
    documents = []
    for topic, text in sorted(topics.items()):
        title, _, body = text.strip().partition("\n")
        metadata: dict[str, str | tuple[str, ...]] = {
            "title": title,
            "source": f"pydoc_data: {topic}",
            "language": "en",
        }
        documents.append(Document(topic, title, body.lstrip("*=\n").strip(), metadata))
    return tuple(documents)
