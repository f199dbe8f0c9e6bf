"""The exercises of every chapter: what they ask, what their checks catch, what their checks let through."""

import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from itertools import islice
from pathlib import Path

import pytest
from mutants import mutants_of
from syllabus import SYLLABUS

from ragteach import exercises
from ragteach.checking.call import direct
from ragteach.checking.exercise import Text
from ragteach.checking.run import diagnose, difference_of, draw, reference_outcome, run, run_call, try_case

TESTS = Path(__file__).parent
SEEDS = (0, 7)
CHAPTERS = exercises.chapters()
MODULE = {chapter.id: exercises.MODULES[chapter.id] for chapter in CHAPTERS}
RIGHT_ANSWERS = {
    id: answers
    for module in MODULE.values()
    for id, answers in import_module(f"right_answers_{module}").RIGHT_ANSWERS.items()
}
EQUIVALENT = {
    id: mutants
    for module in MODULE.values()
    if (TESTS / f"mutants_{module}.py").exists()
    for id, mutants in import_module(f"mutants_{module}").EQUIVALENT.items()
}

every_chapter = pytest.mark.parametrize("chapter", CHAPTERS, ids=lambda chapter: chapter.id)
every_exercise = pytest.mark.parametrize("exercise", exercises.all(), ids=lambda exercise: exercise.id)
every_misconception = pytest.mark.parametrize(
    ("exercise", "misconception"),
    [(exercise, misconception) for exercise in exercises.all() for misconception in exercise.misconceptions],
    ids=lambda item: item.id,
)


# What is asked


@every_chapter
def test_exercises_are_the_syllabus_s(chapter):
    contract = SYLLABUS[chapter.id]
    assert [exercise.id for exercise in chapter.exercises] == list(contract)
    assert {exercise.chapter for exercise in chapter.exercises} == {chapter.id}
    for exercise in chapter.exercises:
        call, points = contract[exercise.id]
        assert (exercise.entry, exercise.points) == (call.partition("(")[0], points)


def test_chapters_come_in_the_course_s_order():
    order = list(SYLLABUS)
    assert [chapter.id for chapter in CHAPTERS] == sorted((chapter.id for chapter in CHAPTERS), key=order.index)


@every_exercise
def test_reference_has_the_contract_s_signature(exercise):
    call, _ = SYLLABUS[exercise.chapter][exercise.id]
    space: dict = {}
    exec(f"def {call}: ...", space)
    expected = inspect.signature(space[exercise.entry]).parameters.values()
    found = inspect.signature(exercise.reference).parameters.values()
    assert [(p.name, p.default) for p in found] == [(p.name, p.default) for p in expected]


@every_exercise
def test_exercise_is_complete(exercise):
    assert exercise.entry == exercise.reference.__name__
    assert exercise.importance in (1, 2, 3)
    assert 5 <= len(exercise.examples) <= 12
    assert len(exercise.misconceptions) >= 4
    assert len(exercise.hints) in (2, 3)
    assert set(exercise.uses) < {other.id for other in exercises.all()}
    ids = [misconception.id for misconception in exercise.misconceptions]
    assert len(ids) == len(set(ids))


@every_chapter
def test_exercises_fit_into_the_chapter_s_time(chapter):
    assert 5 <= sum(exercise.minutes for exercise in chapter.exercises) <= 60


@every_chapter
def test_ids_are_unique_and_begin_with_the_chapter_s_module(chapter):
    ids = [item.id for item in (*chapter.exercises, *chapter.quiz, *chapter.predictions)]
    assert len(ids) == len(set(ids))
    assert all(id.startswith(f"{MODULE[chapter.id]}.") for id in ids)


@every_chapter
def test_quiz_has_one_right_choice_a_question(chapter):
    assert 4 <= len(chapter.quiz) <= 6
    for question in chapter.quiz:
        assert 3 <= len(question.choices) <= 4
        assert sum(choice.right for choice in question.choices) == 1
    assert len({[c.right for c in question.choices].index(True) for question in chapter.quiz}) > 1


@every_chapter
def test_predictions_offer_a_choice(chapter):
    assert len(chapter.predictions) >= 2
    assert all(len(prediction.choices) >= 2 for prediction in chapter.predictions)


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


@every_exercise
def test_exercise_has_three_other_right_answers(exercise):
    answers = RIGHT_ANSWERS[exercise.id]
    assert len({answer.__code__.co_code for answer in answers}) == len(answers) >= 3


# What does not pass


def said(exercise, diagnosis):
    """Find what is said of a diagnosis: two misconceptions may be one where the machine sorts as the other does."""
    return {one.id: one.explanation for one in exercise.misconceptions}.get(diagnosis)


@every_misconception
def test_misconception_fails_and_is_named(exercise, misconception):
    result = run(exercise, misconception.function, seed=7)
    assert not result.passed
    assert result.points == 0
    assert said(exercise, result.diagnosis) == misconception.explanation


@every_misconception
def test_hand_picked_examples_alone_name_the_misconception(exercise, misconception):
    """Neither catching it nor naming it must hang on the luck of random inputs."""
    call = direct(misconception.function, watch=exercise.keeps_arguments)
    cases = [try_case(exercise, call, example.args, example.point) for example in exercise.examples]
    assert said(exercise, diagnose(exercise, cases)) == misconception.explanation


N_RANDOM, LEAST = 120, 3  # random inputs for a class, and how many of them must tell a misconception
SELDOM: dict[tuple[str, str], str] = {}
"""(exercise, misconception) -> why random inputs cannot tell it as often."""


@every_exercise
def test_random_inputs_alone_catch_each_misconception(exercise):
    """Whoever has learnt the hand-picked examples by heart and is mistaken must not pass by luck."""
    inputs: list[tuple] = []
    draw(exercise, lambda args: inputs.append(args), seed=1, n_random=N_RANDOM)
    samples = [(args, reference_outcome(exercise, args)) for args in inputs]
    for misconception in exercise.misconceptions:
        call = direct(misconception.function, watch=exercise.keeps_arguments)
        caught = (args for args, expected in samples if difference_of(exercise, args, expected, call(args)))
        enough = len(list(islice(caught, LEAST))) == LEAST
        assert enough or (exercise.id, misconception.id) in SELDOM, misconception.id


@every_exercise
def test_mutants_of_the_reference_fail(exercise):
    """At least 95 % of the changed references fail, those set aside that change nothing the statement asks for."""
    equivalent = EQUIVALENT.get(exercise.id, {})
    mutants = mutants_of(exercise.reference, {other.entry for other in exercises.all()})
    assert set(equivalent) <= set(mutants), "listed as equivalent, but no mutant any more"
    counted = {name: function for name, function in mutants.items() if name not in equivalent}
    survivors = [name for name, function in counted.items() if survives(exercise, function)]
    assert len(survivors) <= 0.05 * len(counted), "\n".join(survivors)


def survives(exercise, function):
    """Tell whether the check lets a function through; the hand-picked examples first, since they take no time."""
    call = direct(function, seconds=0.5, watch=exercise.keeps_arguments)
    cases = (try_case(exercise, call, example.args, example.point) for example in exercise.examples)
    return all(case.difference is None for case in cases) and run(exercise, function).passed


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
    assert (result.verdict, result.points) == (verdict, 0)


@every_exercise
def test_endless_loop_is_a_timeout(exercise):
    result = run_call(exercise, direct(loop_for_ever, seconds=0.2))
    assert (result.verdict, result.points, result.diagnosis) == ("timeout", 0, None)


@every_exercise
def test_printing_a_lot_does_not_matter(exercise, capsys):
    def talkative(*args):
        print("novel " * 2000)
        return exercise.reference(*args)

    assert run(exercise, talkative).passed
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


@every_chapter
def test_texts_stand_in_both_languages_and_typography(chapter):
    found = list(texts(chapter))
    assert len(found) > sum(len(exercise.misconceptions) + len(exercise.hints) for exercise in chapter.exercises)
    assert [text["en"] for text in found if fault_of(text)] == []


def fault_of(text: Text) -> bool:
    """Tell whether a text is missing in a language or breaks its typography."""
    french, english = text["fr"], text["en"]
    return (
        set(text) != {"fr", "en"}
        or any(not text[lang] or text[lang].strip() != text[lang] for lang in text)
        or "'" in re.sub(r"`[^`]*`", "", french)
        or bool(re.search(r"(?<![\u202f])[;!?»](?=\s|[.,)]|$)", re.sub(r"\(\?|`[^`]*`", "", french)))
        or bool(re.search(r"«(?!\u202f)", french))
        or bool(re.search(r"(?<!\u00a0):(?=\s|$)", re.sub(r"`[^`]*`", "", french)))
        or bool(re.search(r"[\u202f\u00a0«»]", english))
        or bool(re.search(r"\s[;:!?](\s|$)", re.sub(r"`[^`]*`", "", english)))
        or bool(re.search(r"  |\bTODO\b", french + english))
    )
