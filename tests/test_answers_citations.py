"""Citations and the extractive answer."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragteach.answers.citations import check_citations, parse_citations
from ragteach.answers.extractive import extractive_answer
from ragteach.answers.prompt import REFUSALS

FUSE = {"text": "L’alimentation est protégée par un fusible de 5\u00a0A. Le lidar tourne à 5,5\u00a0Hz."}
STORE = {"text": "Store the LiPo batteries at 3.8\u00a0V per cell. How should they be stored? Read above."}


@pytest.mark.parametrize(
    ("answer", "numbers"),
    [
        ("Le fusible [2].", [2]),
        ("A [1][3].", [1, 3]),
        ("A [1, 3].", [1, 3]),
        ("A [3,1] [ 2 ] [3].", [3, 1, 2]),
        ("A [1,\u00a03] et [\u202f2\u202f].", [1, 3, 2]),
        ("A [10], B [1].", [10, 1]),
        ("A [01].", [1]),
        ("A [sic] [12 V] [S1] [] [1-3] [1.5] [3,8 V] (4) [a, 2] [-1]", []),
        ("A [0].", [0]),
        ("", []),
        ("[[4]]", [4]),
        (f"A [{'9' * 5000}] [2]", [2]),
    ],
)
def test_parse_citations(answer, numbers):
    assert parse_citations(answer) == numbers


@given(st.lists(st.lists(st.integers(1, 30), min_size=1, max_size=3), max_size=6))
def test_citations_keep_their_order_once_each(groups):
    answer = " ".join(f"Claim [{', '.join(map(str, group))}]. [sic]" for group in groups)
    flat = [number for group in groups for number in group]
    expected = [number for i, number in enumerate(flat) if number not in flat[:i]]
    assert parse_citations(answer) == expected


def check(answer, *passages):
    faults = check_citations(answer, list(passages))
    assert list(faults) == ["unknown", "uncited", "unsupported"]
    return faults["unknown"], faults["uncited"], faults["unsupported"]


def test_a_good_answer_has_no_fault():
    assert check("Le fusible est de 5\u00a0A [1]. Le lidar tourne à 5,5\u202fHz [1].", FUSE) == ([], [], [])
    assert check("Store the batteries at 3.8 V per cell [2].", FUSE, STORE) == ([], [], [])


def test_each_fault_is_found():
    answer = "The fuse is blue. Batteries are stored at 3.8 V [1][2]. The wheels are made of rubber [2]. See also [7]."
    unknown, uncited, unsupported = check(answer, FUSE, STORE)
    assert unknown == [7]
    assert uncited == ["The fuse is blue."]
    assert unsupported == ["The wheels are made of rubber.", "See also."]


def test_the_cited_passage_must_support_not_another_one():
    assert check("Le fusible est de 5 A [2].", FUSE, STORE) == ([], [], ["Le fusible est de 5 A."])
    assert check("Le fusible est de 5 A [2, 1].", FUSE, STORE) == ([], [], [])


def test_an_unknown_source_supports_nothing():
    assert check("Le fusible est de 5 A [9].", FUSE) == ([9], [], ["Le fusible est de 5 A."])
    assert check("Le fusible est de 5 A [9][1].", FUSE) == ([9], [], [])


def test_source_numbers_start_at_one():
    assert check("Le fusible est de 5 A [0].", FUSE)[0] == [0]
    assert check("Le fusible est de 5 A [1].", FUSE)[0] == []
    assert check("Le fusible est de 5 A [2][2].", FUSE)[0] == [2]


@pytest.mark.parametrize("space", [" ", "", "\n", "\u00a0", "\u202f"])
def test_a_citation_after_the_full_stop_belongs_to_the_sentence_before(space):
    assert check(f"Le fusible est de 5 A.{space}[1] Le lidar est bleu.", FUSE) == ([], ["Le lidar est bleu."], [])


def test_numbers_do_not_end_sentences_and_lines_do():
    assert check("La tension est de 3.8 V et de 5,5 V.", FUSE)[1] == ["La tension est de 3.8 V et de 5,5 V."]
    assert check("- le fusible : 5 A [1]\n- la vitre est bleue", FUSE)[1] == ["- la vitre est bleue"]


def test_a_refusal_followed_by_an_answer_is_uncited():
    assert check(f"{REFUSALS['en']} It is blue.", FUSE)[1] == ["It is blue."]


@pytest.mark.parametrize("answer", ["", " \n", "[1]", "…", "- [1]\n---"])
def test_what_holds_no_word_claims_nothing(answer):
    assert check(answer, FUSE) == ([], [], [])


@given(st.text(alphabet="ab. [1]2,\n", max_size=40))
def test_every_fault_names_something_of_the_answer(answer):
    faults = check_citations(answer, [{"text": "ab"}])
    assert set(faults["unknown"]) <= set(parse_citations(answer)) - {1}
    for claim in faults["uncited"] + faults["unsupported"]:
        assert parse_citations(claim) == [] or "[" in claim
        assert claim == claim.strip()
    assert check_citations(answer, [])["unknown"] == parse_citations(answer)


# --- extractive_answer


def test_the_best_sentence_with_the_number_of_its_passage():
    question = "Quel fusible protège l'alimentation\u202f?"
    sentence = "L’alimentation est protégée par un fusible de 5\u00a0A."
    assert extractive_answer(question, [STORE, FUSE]) == f"{sentence} [2]"
    assert extractive_answer(question, [FUSE, STORE]) == f"{sentence} [1]"


def test_a_question_is_no_answer():
    answer = extractive_answer("How should the batteries be stored?", [{"text": "How are batteries stored? At 3.8 V."}])
    assert answer == REFUSALS["en"]
    assert extractive_answer("At what voltage are LiPo cells?", [STORE]) == REFUSALS["en"]
    assert extractive_answer("Store the batteries at what?", [STORE]).endswith("per cell. [1]")


def test_more_than_half_of_the_content_tokens_are_needed():
    assert extractive_answer("Quelle est la garantie du robot ?", [{"text": "Le robot est bleu."}]) == REFUSALS["fr"]
    assert extractive_answer("The warranty of the robot?", [{"text": "The robot is blue."}]) == REFUSALS["en"]
    assert extractive_answer("Le lidar ?", [FUSE]) == "Le lidar tourne à 5,5\u00a0Hz. [1]"


def test_ties_go_to_the_first_sentence_of_the_first_passage():
    passages = [{"text": "Fuse one. Fuse two."}, {"text": "Fuse three."}]
    assert extractive_answer("Which fuse?", passages) == "Fuse one. [1]"


def test_nothing_to_go_by_is_a_refusal():
    assert extractive_answer("Et pourquoi ?", [FUSE]) == REFUSALS["fr"]
    assert extractive_answer("Which fuse?", []) == REFUSALS["en"]


def test_brackets_of_a_passage_are_no_citation():
    passages = [{"text": "The fuse [4] is rated 5 A."}]
    assert extractive_answer("Which fuse?", passages) == "The fuse is rated 5 A. [1]"


@given(st.lists(st.lists(st.sampled_from("fuse motor the 5 A. lidar? [3] !".split()), max_size=8), max_size=4))
def test_an_answer_is_a_refusal_or_cites_one_given_passage(texts):
    passages = [{"text": " ".join(words)} for words in texts]
    answer = extractive_answer("Which fuse and which motor?", passages)
    if answer != REFUSALS["en"]:
        (number,) = parse_citations(answer)
        assert 1 <= number <= len(passages)
        assert check_citations(answer, passages)["unknown"] == []


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: parse_citations(None), "answer"),
        (lambda: check_citations(["a"], []), "answer"),
        (lambda: check_citations("a", "b"), "passages"),
        (lambda: check_citations("a", [{}]), "text"),
        (lambda: extractive_answer(None, []), "question"),
        (lambda: extractive_answer("a", ["b"]), "passages"),
    ],
)
def test_bad_arguments_are_named(call, named):
    with pytest.raises(ValueError, match=named):
        call()


def test_the_examples_of_the_docstrings():
    passages = [{"text": "A 5 A fuse, rated for 12 V."}]
    expected = {"unknown": [], "uncited": ["It is blue."], "unsupported": []}
    assert check_citations("The fuse is rated 5 A [1]. It is blue.", passages) == expected
    passages = [{"text": "R2 moves. A 5 A fuse protects the supply."}]
    assert extractive_answer("What fuse protects the supply?", passages) == "A 5 A fuse protects the supply. [1]"
