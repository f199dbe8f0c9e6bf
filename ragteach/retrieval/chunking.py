"""Cut a text into chunks, the pieces that an index holds and a model is given."""


def chunk_words(text: str, size: int = 40, overlap: int = 10) -> list[str]:
    """Cut a text into windows of `size` words, where consecutive windows share `overlap` words.

    Words are what white space separates; each chunk joins them with single spaces. The last window may be
    shorter, and none lies wholly inside the one before: cutting stops as soon as a window reaches the end of the
    text. A blank text has no chunk. Raises ValueError unless text is a str, size >= 1 and 0 <= overlap < size.
    """
    if not isinstance(text, str):
        raise ValueError(f"text must be a str, not {type(text).__name__}.")
    if size < 1:
        raise ValueError(f"size must be at least 1, not {size}.")
    if not 0 <= overlap < size:
        raise ValueError(f"overlap must lie between 0 and size - 1 ({size - 1}), not {overlap}.")
    words = text.split()
    chunks = []
    for start in range(0, len(words), size - overlap):
        chunks.append(" ".join(words[start : start + size]))
        if start + size >= len(words):  # this window reaches the end: another one would lie inside it
            break
    return chunks
