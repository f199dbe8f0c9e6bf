"""Random arguments shared by the chapter's exercises: short rankings, now and then with a repeated document.

hypothesis is imported when a strategy is built, so that importing the exercises stays fast.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

N_DOCUMENTS = 5  # few, so that most rankings hold relevant documents, and many repeat one


def rankings() -> SearchStrategy[list[int]]:
    """Draw up to seven documents, best first, repeated ones among them."""
    from hypothesis import strategies as st

    drawn = st.lists(st.integers(0, N_DOCUMENTS), max_size=7)
    return drawn | st.permutations(range(N_DOCUMENTS)).map(lambda documents: [documents[0], *documents])


def relevant_ids() -> SearchStrategy[set[int]]:
    """Draw up to four relevant documents."""
    from hypothesis import strategies as st

    return st.sets(st.integers(0, N_DOCUMENTS), max_size=4)


def cuts() -> SearchStrategy[int]:
    """Draw a k, sometimes larger than the ranking is long."""
    from hypothesis import strategies as st

    return st.integers(1, 10) | st.integers(1, 4)


def cut_rankings() -> SearchStrategy[tuple]:
    """Draw a ranking, its relevant documents and a k."""
    from hypothesis import strategies as st

    return st.tuples(rankings(), relevant_ids(), cuts())


def question_sets() -> SearchStrategy[tuple]:
    """Draw the rankings of one to four questions, and the relevant documents of each."""
    from hypothesis import strategies as st

    questions = st.lists(st.tuples(rankings(), relevant_ids()), min_size=1, max_size=4)
    return questions.map(lambda drawn: ([ranking for ranking, _ in drawn], [relevant for _, relevant in drawn]))


def eighths() -> SearchStrategy[float]:
    """Draw a score in [0, 1] that a float holds exactly, and so do its sums."""
    from hypothesis import strategies as st

    return st.integers(0, 8).map(lambda n: n / 8)
