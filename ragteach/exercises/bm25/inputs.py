"""Random arguments shared by the chapter's exercises: small corpora of robot words, queries that often match.

hypothesis is imported when a strategy is built, so that importing the exercises stays fast.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TYPE_CHECKING

from ragteach.retrieval.bm25 import Tokens, bm25_scores

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

# Few words, so that random queries meet random documents; the first one is what a failing input shrinks to.
WORDS = ("robot", "lidar", "fusible", "odométrie", "fuse", "20")
UNKNOWN = "gps"  # stands in queries only

K1 = (1.5, 1.2, 2.0, 0.5, 0.0)
B = (0.75, 0.5, 0.3, 1.0, 0.0)


def corpora(min_docs: int = 0, max_docs: int = 5) -> SearchStrategy[list[list[str]]]:
    """Draw up to `max_docs` documents of up to six tokens, empty ones among them."""
    from hypothesis import strategies as st

    return st.lists(st.lists(st.sampled_from(WORDS), max_size=6), min_size=min_docs, max_size=max_docs)


def queries(min_tokens: int = 0) -> SearchStrategy[list[str]]:
    """Draw up to four tokens, repeated or unknown ones among them."""
    from hypothesis import strategies as st

    return st.lists(st.sampled_from((*WORDS, UNKNOWN)), min_size=min_tokens, max_size=4)


def ties_are_exact(query: Tokens, documents: Sequence[Tokens]) -> bool:
    """Tell whether no two documents tie by a sum of several terms.

    Such sums may differ in their last digit with the order of addition, and whoever adds in another order than
    the reference would see another ranking without having made a mistake.
    """
    scores = bm25_scores(query, documents)
    matched = [len(Counter(tokens).keys() & set(query)) for tokens in documents]
    return all(
        matched[i] <= 1 and matched[j] <= 1
        for i in range(len(documents))
        for j in range(i)
        if abs(scores[i] - scores[j]) < 1e-9
    )
