"""The exercises of chapter 02: what they ask, what their checks catch, what their checks let through."""

import re
import subprocess
import sys
import time
import unicodedata
from collections.abc import Iterator

import pytest
from right_answers_bm25 import RIGHT_ANSWERS

from ragteach import exercises
from ragteach.checking.call import direct
from ragteach.checking.exercise import Text
from ragteach.checking.run import diagnose, run, run_call, try_case
from ragteach.retrieval.bm25 import bm25_search
from ragteach.retrieval.text import ELIDED, ELISION, TOKEN

CHAPTER = exercises.chapter("02_bm25")
POINTS = {  # the syllabus's
    "bm25.tokenize": ("tokenize", 2),
    "bm25.inverted_index": ("inverted_index", 2),
    "bm25.bim_weight": ("bim_weight", 1),
    "bm25.idf": ("idf", 1),
    "bm25.term_weight": ("term_weight", 1),
    "bm25.scores": ("bm25_scores", 3),
    "bm25.search": ("bm25_search", 2),
    "bm25.explain": ("explain", 2),
}
SEEDS = (0, 7)

every_exercise = pytest.mark.parametrize("exercise", CHAPTER.exercises, ids=lambda exercise: exercise.id)
every_misconception = pytest.mark.parametrize(
    ("exercise", "misconception"),
    [(exercise, misconception) for exercise in CHAPTER.exercises for misconception in exercise.misconceptions],
    ids=lambda item: item.id,
)


# What is asked


def test_exercises_are_the_syllabus_s():
    assert {exercise.id: (exercise.entry, exercise.points) for exercise in CHAPTER.exercises} == POINTS
    assert {exercise.chapter for exercise in CHAPTER.exercises} == {"02_bm25"}
    assert [exercise.id for exercise in CHAPTER.exercises] == list(POINTS)


@every_exercise
def test_exercise_is_complete(exercise):
    assert exercise.entry == exercise.reference.__name__
    assert exercise.importance in (1, 2, 3)
    assert 5 <= len(exercise.examples) <= 12
    assert len(exercise.misconceptions) >= 4
    assert len(exercise.hints) in (2, 3)
    assert set(exercise.uses) < set(POINTS)


def test_exercises_fit_into_the_chapter_s_time():
    assert 30 <= sum(exercise.minutes for exercise in CHAPTER.exercises) <= 50


@every_exercise
def test_misconception_ids_are_unique(exercise):
    ids = [misconception.id for misconception in exercise.misconceptions]
    assert len(ids) == len(set(ids))


def test_ids_are_unique_and_begin_with_the_chapter_s_module():
    ids = [item.id for item in (*CHAPTER.exercises, *CHAPTER.quiz, *CHAPTER.predictions)]
    assert len(ids) == len(set(ids))
    assert all(id.startswith("bm25.") for id in ids)


def test_quiz_has_one_right_choice_a_question():
    assert len(CHAPTER.quiz) == 5
    for question in CHAPTER.quiz:
        assert 3 <= len(question.choices) <= 4
        assert sum(choice.right for choice in question.choices) == 1
    assert len({[c.right for c in question.choices].index(True) for question in CHAPTER.quiz}) > 1


def test_predictions_offer_a_choice():
    assert {"bm25.saturation", "bm25.elision", "bm25.common"} <= {p.id for p in CHAPTER.predictions}
    assert all(len(prediction.choices) >= 3 for prediction in CHAPTER.predictions)


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
    with pytest.raises(ValueError, match="bm25"):
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


# What passes


@every_exercise
@pytest.mark.parametrize("seed", SEEDS)
def test_reference_passes(exercise, seed):
    result = run_call(exercise, direct(exercise.reference), seed, seconds=60)
    assert result.passed, result.counterexample
    assert result.points == exercise.points
    assert result.n_cases > len(exercise.examples)


@pytest.mark.parametrize(
    ("id", "answer"),
    [(id, answer) for id, answers in RIGHT_ANSWERS.items() for answer in answers],
    ids=lambda item: getattr(item, "__name__", item),
)
@pytest.mark.parametrize("seed", SEEDS)
def test_other_right_answers_pass(id, answer, seed):
    result = run(exercises.get(id), answer, seed)
    assert result.passed, result.counterexample


def test_every_exercise_has_two_other_right_answers():
    assert all(len(RIGHT_ANSWERS[id]) >= 2 for id in POINTS)


# What does not pass


@every_misconception
@pytest.mark.parametrize("seed", SEEDS)
def test_misconception_fails_and_is_named(exercise, misconception, seed):
    result = run(exercise, misconception.function, seed)
    assert not result.passed
    assert result.points == 0
    assert result.diagnosis == misconception.id


@every_misconception
def test_hand_picked_examples_alone_name_the_misconception(exercise, misconception):
    """Neither catching it nor naming it must hang on the luck of random inputs."""
    call = direct(misconception.function)
    cases = [try_case(exercise, call, example.args, example.point) for example in exercise.examples]
    assert diagnose(exercise, cases) == misconception.id


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
    exercise, call = exercises.get(id), direct(answer)
    assert any(try_case(exercise, call, example.args).difference for example in exercise.examples)


def test_departures_are_made_from_a_right_answer():
    assert run(exercises.get("bm25.tokenize"), with_patterns(ELISION.pattern)).passed


@every_exercise
def test_blank_is_not_attempted(exercise):
    def blank(*args):
        raise NotImplementedError

    result = run(exercise, blank)
    assert (result.verdict, result.points) == ("not_attempted", 0)


def loop_for_ever(*args):
    while True:
        pass


def fail(*args):
    raise RuntimeError("broken")


def wrap(reference, before=lambda: None):
    def function(*args):
        before()
        return reference(*args)

    return function


BROKEN = [
    (lambda *args: None, "failed"),
    (lambda *args: float("nan"), "failed"),
    (lambda *args: "seven", "failed"),
    (lambda *args: object(), "failed"),
    (fail, "error"),
]


@every_exercise
@pytest.mark.parametrize(("function", "verdict"), BROKEN, ids="none nan text object error".split())
def test_broken_functions_get_their_verdict(exercise, function, verdict):
    result = run(exercise, function)
    assert (result.verdict, result.points, result.diagnosis) == (verdict, 0, None)


@every_exercise
def test_endless_loop_is_a_timeout(exercise):
    result = run_call(exercise, direct(loop_for_ever, seconds=0.2))
    assert (result.verdict, result.points, result.diagnosis) == ("timeout", 0, None)


def test_endless_loop_is_told_within_the_promised_time():
    start = time.monotonic()
    assert run(exercises.get("bm25.idf"), loop_for_ever).verdict == "timeout"
    assert time.monotonic() - start < 5  # the promise made to readers


@every_exercise
def test_printing_a_lot_does_not_matter(exercise, capsys):
    result = run(exercise, wrap(exercise.reference, lambda: print("novel " * 2000)))
    assert result.passed
    assert capsys.readouterr().out == ""


# What is said


def texts(item: object) -> Iterator[Text]:
    """Walk through everything of an exercise, question or prediction that a reader may read."""
    if isinstance(item, dict):
        yield item
    elif isinstance(item, tuple):
        for part in item:
            yield from texts(part)
    elif hasattr(item, "__dataclass_fields__"):
        for name in item.__dataclass_fields__:
            if name not in ("args", "reference", "function", "inputs", "judge"):
                yield from texts(getattr(item, name))


ALL_TEXTS = list(texts(CHAPTER))


def test_texts_are_found():
    n_misconceptions = sum(len(exercise.misconceptions) for exercise in CHAPTER.exercises)
    assert len(ALL_TEXTS) > n_misconceptions + 100


@pytest.mark.parametrize("text", ALL_TEXTS, ids=lambda text: text["en"][:40])
def test_texts_stand_in_both_languages_and_typography(text):
    assert set(text) == {"fr", "en"}
    assert all(text[lang].strip() == text[lang] != "" for lang in text)
    french, english = text["fr"], text["en"]
    assert "'" not in french
    assert not re.search(r"(?<![\u202f])[;!?»](?=\s|[.,)]|$)", re.sub(r"\(\?", "", french)), "U+202F before ; ! ? »"
    assert not re.search(r"«(?!\u202f)", french)
    assert not re.search(r"(?<!\u00a0):(?=\s|$)", french), "U+00A0 before :"
    assert not re.search(r"[\u202f\u00a0«»]", english)
    assert not re.search(r"\s[;:!?](\s|$)", english)
    assert not re.search(r"  |\bTODO\b", french + english)
