"""Chapter 00: the first functions of the course, which need nothing but white space."""

from collections.abc import Sequence

from ragteach.retrieval.arguments import require, text_str


def count_words(text: str) -> int:
    """Count the words of a text: what white space separates, as `str.split` has it.

    Raises ValueError where text is no str.
    """
    text_str("text", text)
    return len(text.split())


def best_chunk(question: str, chunks: Sequence[str]) -> int:
    """Return the number of the chunk that shares most distinct lower-case words with the question.

    Words are those of `count_words`, punctuation included: "fuse." is not "fuse" here (`tokenize` mends that in
    chapter 02). Ties: lower number first, so that 0 comes back where no chunk shares a word. Raises ValueError
    where question is no str, or chunks is a str or empty.
    """
    text_str("question", question)
    require(not isinstance(chunks, str), "chunks must be a list of texts, not a str.")
    require(len(chunks) > 0, "chunks must hold at least one text.")
    asked = set(question.lower().split())
    shared = [len(asked & set(chunk.lower().split())) for chunk in chunks]
    return shared.index(max(shared))
