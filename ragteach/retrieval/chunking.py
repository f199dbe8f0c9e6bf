"""Cut a text into chunks, the pieces that an index holds and a model is given.

Sizes are counted in words, and words are what white space separates. No word is ever lost. The cuts that follow a
document's structure or its subjects are in chunk_structure.py.
"""

from collections.abc import Sequence

from ragteach.retrieval.arguments import at_least, between, require, text_str
from ragteach.retrieval.sentences import split_sentences


def chunk_words(text: str, size: int = 40, overlap: int = 10) -> list[str]:
    """Cut a text into windows of `size` words, where consecutive windows share `overlap` words.

    Words are what white space separates; each chunk joins them with single spaces. The last window may be
    shorter, and none lies wholly inside the one before: cutting stops as soon as a window reaches the end of the
    text. A blank text has no chunk. Raises ValueError unless text is a str, size >= 1 and 0 <= overlap < size.
    """
    text_str("text", text)
    at_least("size", size, 1)
    between("overlap", overlap, 0, size - 1)
    words = text.split()
    chunks = []
    for start in range(0, len(words), size - overlap):
        chunks.append(" ".join(words[start : start + size]))
        if start + size >= len(words):  # this window reaches the end: another one would lie inside it
            break
    return chunks


def chunk_count(n_tokens: int, size: int, overlap: int) -> int:
    """Count the windows that `chunk_words` cuts from n_tokens words: ceil((T - o) / (c - o)).

    T is n_tokens, c is size and o is overlap. A text that fits into one window makes 1, an empty one 0. Raises
    ValueError unless n_tokens >= 0, size >= 1 and 0 <= overlap < size.
    """
    at_least("n_tokens", n_tokens, 0)
    at_least("size", size, 1)
    between("overlap", overlap, 0, size - 1)
    if n_tokens <= size:
        return 1 if n_tokens > 0 else 0
    return -(-(n_tokens - overlap) // (size - overlap))  # -(-a // b) rounds a / b up, and stays among whole numbers


def chunk_sentences(text: str, max_words: int = 30, overlap_sentences: int = 1) -> list[str]:
    """Group whole sentences into chunks of at most `max_words` words, with `overlap_sentences` sentences in common.

    Sentences are those of `split_sentences`, joined with single spaces. Only a sentence that is longer than
    max_words makes a longer chunk, and it stands alone. Where the repeated sentences would leave no room for the
    next one, fewer are repeated, as in LangChain's text splitters: each chunk brings at least one new sentence.
    Raises ValueError unless text is a str, max_words >= 1 and overlap_sentences >= 0.
    """
    text_str("text", text)
    at_least("max_words", max_words, 1)
    at_least("overlap_sentences", overlap_sentences, 0)
    chunks = []
    current: list[str] = []
    for sentence in split_sentences(text):
        if current and _n_words(*current, sentence) > max_words:
            chunks.append(" ".join(current))
            current = current[max(0, len(current) - overlap_sentences) :]
            while current and _n_words(*current, sentence) > max_words:
                current = current[1:]
        current.append(sentence)
    return [*chunks, " ".join(current)] if current else []


def chunk_recursive(text: str, max_words: int, separators: Sequence[str] = ("\n\n", "\n", ". ", " ")) -> list[str]:
    """Cut at the coarsest separator, and go finer only where a piece is longer than `max_words` words.

    Neighbouring pieces are merged as long as they fit together; pieces of a part that had to be cut finer are not
    merged with what surrounds that part. This is LangChain's RecursiveCharacterTextSplitter, counting words. A
    separator stays at the end of its piece, so that a sentence keeps its point; white space around a chunk is
    dropped. A piece that is still too long when no separator is left is cut between two words: no chunk is ever
    longer than max_words. Raises ValueError unless text is a str, max_words >= 1 and separators is a list of
    strings that are not empty.
    """
    text_str("text", text)
    at_least("max_words", max_words, 1)
    require(not isinstance(separators, str), "separators must be a list of strings, not a str.")
    require(all(separators), "separators must not hold an empty string.")
    if _n_words(text) <= max_words:
        return [text.strip()] if text.strip() else []
    if not separators:
        return chunk_words(text, max_words, overlap=0)

    coarsest, *finer = separators
    chunks = []
    current, n_current = "", 0
    for piece in _split_after(text, coarsest):
        n_words = _n_words(piece)
        if n_current + n_words > max_words:
            chunks += chunk_recursive(current, max_words, finer)
            current, n_current = "", 0
        current, n_current = current + piece, n_current + n_words
    return chunks + chunk_recursive(current, max_words, finer)


def _split_after(text: str, separator: str) -> list[str]:
    """Split a text at a separator, which stays at the end of the piece before it."""
    *pieces, last = text.split(separator)
    return [piece + separator for piece in pieces] + [last]


def _n_words(*texts: str) -> int:
    return sum(len(text.split()) for text in texts)
