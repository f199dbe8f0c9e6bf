"""What is special to the exercises of chapter 00: white space of every kind, ties, lenient outputs."""

import numpy as np
import pytest
from right_answers_start import best_by_loops, count_by_split

from ragteach import exercises
from ragteach.checking.call import direct
from ragteach.checking.run import run, run_call, try_case

COUNT = exercises.get("start.count_words")
BEST = exercises.get("start.best_chunk")


@pytest.mark.parametrize("text", ["3,8\N{NO-BREAK SPACE}V", "Quel fusible\N{NARROW NO-BREAK SPACE}?", "a\u2003b\r\nc"])
def test_typographic_spaces_separate_words(text):
    assert try_case(COUNT, direct(count_by_split), (text,)).difference is None
    assert try_case(COUNT, direct(lambda text: text.count(" ") + 1), (text,)).difference is not None


@pytest.mark.parametrize("kind", [int, float, np.int64, np.float32])
def test_any_kind_of_whole_number_passes(kind):
    assert run(COUNT, lambda text: kind(count_by_split(text))).passed
    assert run(BEST, lambda question, chunks: kind(best_by_loops(question, chunks))).passed


@pytest.mark.parametrize("chunks", [[], (), "un fusible", ""])
def test_no_chunks_and_a_str_need_a_value_error(chunks):
    assert try_case(BEST, direct(lambda *args: 0), ("fusible", chunks)).difference.kind == "no_error"
    assert try_case(BEST, direct(best_by_loops), ("fusible", chunks)).difference is None


def test_forgetting_the_bad_arguments_is_no_pass():
    def kind(question, chunks):
        return best_by_loops(question, list(chunks) or [""])

    result = run(BEST, kind)
    assert (result.verdict, result.points, result.diagnosis) == ("failed", 0, None)


def test_a_reader_who_sorts_by_count_with_an_unstable_order_is_told_of_ties():
    def last(question, chunks):
        if isinstance(chunks, str) or not chunks:
            raise ValueError("chunks")
        counts = [len(set(question.lower().split()) & set(chunk.lower().split())) for chunk in chunks]
        return len(counts) - 1 - counts[::-1].index(max(counts))

    assert run(BEST, last).diagnosis == "last_of_ties"


def test_the_chunks_are_not_the_reader_s_to_change():
    def eats(question, chunks):
        best = best_by_loops(question, chunks)
        chunks.clear()
        return best

    assert run_call(BEST, direct(eats)).passed
