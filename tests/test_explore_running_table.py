"""The running table: its rows, and that its numbers are those of the course's own measures."""

import pytest

from ragteach import corpus
from ragteach.explore import figures, milestones
from ragteach.explore.running_table import STEPS, by_words, scores, windows
from ragteach.retrieval.chunking import chunk_words
from ragteach.retrieval.metrics import ndcg, recall_at_k


@pytest.fixture
def rows(monkeypatch):
    """Collect the rows of the tables that are shown, as lists of cells."""
    tables = []
    monkeypatch.setattr("ragteach.explore.running_table.table", lambda header, rows, lang: tables.append(rows))
    return tables


def test_the_table_ends_with_the_chapter_or_before_it(rows):
    milestones("03_lsa", lang="fr")
    milestones("03_lsa", lang="en", before=True)
    assert [row[0] for row in rows[0]] == ["00", "01", "02", "03"]
    assert [row[0] for row in rows[1]] == ["00", "01", "02"]


def test_chapter_05_adds_the_interval_of_the_row_before(rows):
    milestones("05_metrics", lang="en", before=True)
    milestones("05_metrics", lang="en")
    assert rows[1][:-1] == rows[0] and rows[1][-1][0] == "05"
    for mean, interval in zip(rows[0][-1][2:], rows[1][-1][2:], strict=True):
        low, high = map(float, interval.split(" to "))
        assert low - 0.005 <= mean <= high + 0.005 and low <= high


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_steps_follow_the_course_and_score_between_0_and_1(lang):
    assert [number for number, *_ in STEPS] == sorted(number for number, *_ in STEPS)
    for _, name, cut, build in STEPS:
        assert name[lang]
        assert all(0 <= score <= 1 for score in scores(cut, build, lang))


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_naive_row_is_what_the_first_lessons_compute(lang):
    """Recall counts passages; where every question has its passages in one chunk each, chunks say the same."""
    mini = corpus.load("mini", lang)
    chunks = corpus.chunk(mini.documents, chunk_words)
    search = by_words(chunks)
    grades = [corpus.relevance(question, chunks) for question in mini.questions]
    rankings = [search(question.text) for question in mini.questions]
    *recalls, mrr, gain = scores(windows, lambda chunks, lang: by_words(chunks), lang)
    first = [
        next((1 / place for place, i in enumerate(r, 1) if i in g), 0) for r, g in zip(rankings, grades, strict=True)
    ]
    assert mrr == pytest.approx(sum(first) / 6)
    assert gain == pytest.approx(sum(ndcg(r, g, 3) for r, g in zip(rankings, grades, strict=True)) / 6)
    at_1 = [recall_at_k(r, set(g), 1) for r, g in zip(rankings, grades, strict=True)]
    assert sum(recall > 0 for recall in at_1) == sum(r[0] in g for r, g in zip(rankings, grades, strict=True))
    assert recalls == sorted(recalls)


def test_the_table_itself(monkeypatch):
    shown = []
    monkeypatch.setattr(figures, "display", lambda bundle, raw: shown.append(bundle["text/plain"]))
    milestones("00_start", lang="fr")
    assert shown[0].splitlines()[0].split() == ["chapitre", "recherche", "recall@1", "recall@3", "MRR", "nDCG@3"]
    assert "," in shown[0].splitlines()[1]
