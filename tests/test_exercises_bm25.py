"""What is special to the exercises of chapter 02; what holds for all chapters stands in test_exercises.py."""

import re
import subprocess
import sys
import time
import unicodedata

import pytest
from hand_picked import caught

from ragteach import exercises
from ragteach.checking.run import run
from ragteach.retrieval.bm25 import bm25_search
from ragteach.retrieval.text import ELIDED, ELISION, TOKEN

CHAPTER = exercises.chapter("02_bm25")


# Finding them


def test_get_all_and_chapters():
    assert exercises.get("bm25.idf") is CHAPTER.exercises[3]
    assert CHAPTER in exercises.chapters()
    assert exercises.all() == tuple(item for chapter in exercises.chapters() for item in chapter.exercises)


@pytest.mark.parametrize(("id", "near"), [("bm25.score", "bm25.scores"), ("idf", "bm25.idf"), ("bm52.idf", "bm25.idf")])
def test_unknown_id_names_the_nearest(id, near):
    with pytest.raises(ValueError, match=rf"{re.escape(id)}.*{re.escape(near)}"):
        exercises.get(id)


@pytest.mark.parametrize("id", ["", None, 3, "__init__.x"])
def test_odd_ids_are_refused(id):
    with pytest.raises(ValueError, match=rf"no exercise {id!r}; the nearest are \w+\.\w+, "):
        exercises.get(id)


def test_unknown_chapter_names_the_nearest():
    with pytest.raises(ValueError, match="2_bm25.*02_bm25"):
        exercises.chapter("2_bm25")


def test_chapter_is_imported_when_asked_for_and_hypothesis_when_checking():
    code = (
        "import sys, ragteach.exercises as e; assert 'ragteach.exercises.bm25' not in sys.modules;"
        "e.get('bm25.idf'); assert 'ragteach.exercises.bm25' in sys.modules; assert 'hypothesis' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


# What does not pass


def with_patterns(elision, token=TOKEN.pattern):
    """Tokenise as the statement says, with these patterns."""

    def tokenize(text):
        return re.findall(token, re.sub(elision, " ", unicodedata.normalize("NFC", text).lower()))

    return tokenize


NEARLY_RIGHT = {
    "bm25.tokenize": [
        *(with_patterns(ELISION.pattern.replace(f"{word}|", "", 1)) for word in ELIDED[1:-1]),
        with_patterns(r"\b(?:[a-z]|(?:jus|lors|puis|quoi)?qu)['’]"),
        with_patterns(ELISION.pattern.replace("quoiqu", "quoiqu|quelqu")),
        with_patterns(ELISION.pattern.replace(r"(?<![^\W_])", r"(?:^|(?<=\s))")),
        with_patterns(ELISION.pattern, r"(?:\w|(?<=\d)[.,](?=\d))+"),
        with_patterns(ELISION.pattern, r"(?:[^\W_]|[.,](?=\d))+"),
        with_patterns(ELISION.pattern, r"(?:[^\W_]|(?<=\w)[.,](?=\w))+"),
        with_patterns(ELISION.pattern, r"(?:[^\W_]|(?<=\d)[.,:](?=\d))+"),
        with_patterns(ELISION.pattern, r"(?:[^\W_]|%|(?<=\d)[.,](?=\d))+"),
    ],
    "bm25.search": [
        lambda query, documents, k=4: bm25_search(query, documents, k),
    ],
}


@pytest.mark.parametrize(("id", "answer"), [(id, answer) for id in NEARLY_RIGHT for answer in NEARLY_RIGHT[id]])
def test_hand_picked_examples_catch_small_departures(id, answer):
    assert caught(id, answer)


def test_departures_are_made_from_a_right_answer():
    assert run(exercises.get("bm25.tokenize"), with_patterns(ELISION.pattern)).passed


def loop_for_ever(*args):
    while True:
        pass


def test_endless_loop_is_told_within_the_promised_time():
    start = time.monotonic()
    assert run(exercises.get("bm25.idf"), loop_for_ever).verdict == "timeout"
    assert time.monotonic() - start < 5  # the promise made to readers
