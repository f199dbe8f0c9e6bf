"""What the chapter's checks share: random texts, and how chunks are compared.

hypothesis is imported when a strategy is built, so that importing the exercises stays fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ragteach.checking.compare import Difference, same

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

WORDS = ("le", "robot", "fusible", "3,8", "V.", "lidar", "5.5", "Hz")


def texts(max_words: int = 12, min_words: int = 0, spaces: tuple[str, ...] = (" ", "  ", "\n")) -> SearchStrategy[str]:
    """Draw texts of up to `max_words` words, with white space of several kinds between them and around."""
    from hypothesis import strategies as st

    pairs = st.tuples(st.sampled_from(WORDS), st.sampled_from(spaces))
    return st.lists(pairs, min_size=min_words, max_size=max_words).map(lambda drawn: "".join(map("".join, drawn)))


def windows() -> SearchStrategy[tuple[int, int]]:
    """Draw a size from 1 to 6 and an overlap that is smaller."""
    from hypothesis import strategies as st

    return st.integers(1, 6).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size - 1)))


def by_words(value: Any) -> Any:
    """Write every text of a list with single spaces: which white space stands between words does not count."""
    if isinstance(value, list | tuple):
        return [" ".join(item.split()) if isinstance(item, str) else item for item in value]
    return value


def judge_chunks(args: tuple, expected: Any, got: Any) -> Difference | None:
    """Compare lists of chunks, word by word."""
    return same(by_words(expected), by_words(got))
