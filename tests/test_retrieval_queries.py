"""Rewritten questions: abbreviations, follow-ups, variants, parts, hypothetical answers."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragteach import corpus
from ragteach.retrieval.dense import dense_search
from ragteach.retrieval.fusion import rrf
from ragteach.retrieval.queries import (
    decompose,
    expand_abbreviations,
    hyde_search,
    multi_query,
    standalone_query,
)

# --- expand_abbreviations

TABLE = {"PWM": "pulse-width modulation (PWM)", "AC": "alternating current", "AC/DC": "converter", "C++": "cpp"}


@pytest.mark.parametrize(
    ("query", "expanded"),
    [
        ("Which PWM rate?", "Which pulse-width modulation (PWM) rate?"),
        ("the pwm, Pwm", "the pulse-width modulation (PWM), pulse-width modulation (PWM)"),
        ("PWMs, XPWM, PWM2, 2PWM", "PWMs, XPWM, PWM2, 2PWM"),
        ("éAC ACé", "éAC ACé"),
        ("l’AC et l'AC", "l’alternating current et l'alternating current"),
        ("«\u202fAC\u202f»\u00a0?", "«\u202falternating current\u202f»\u00a0?"),
        ("_AC_", "_alternating current_"),
        ("AC/DC or AC", "converter or alternating current"),
        ("C++ and C+", "cpp and C+"),
        ("Keep THIS Case", "Keep THIS Case"),
        ("", ""),
    ],
)
def test_expand_abbreviations(query, expanded):
    assert expand_abbreviations(query, TABLE) == expanded


def test_an_expansion_is_not_expanded_again_and_may_hold_anything():
    assert expand_abbreviations("a b", {"a": "b", "b": "a"}) == "b a"
    assert expand_abbreviations("x", {"x": r"\1 \g<0>"}) == r"\1 \g<0>"
    assert expand_abbreviations("PWM", {}) == "PWM"
    assert expand_abbreviations("ſ S", {"s": "second"}) == "ſ second"  # ſ is an s only to a search without case


@given(st.text(alphabet="aAbB .’é1\u202f", max_size=20))
def test_a_query_without_abbreviations_stays_as_it_is(query):
    assert expand_abbreviations(query, {"xyz": "long"}) == query
    words = query.split(" ")
    if all(word.lower() != "ab" for word in words) and query.replace(" ", "").isalnum():
        assert expand_abbreviations(query, {"ab": "long"}) == query


# --- standalone_query

VOLTAGE = "Quelle est la tension des moteurs\u202f?"


@pytest.mark.parametrize(
    ("history", "follow_up", "standalone"),
    [
        ([VOLTAGE], "Et pour le lidar\u202f?", f"{VOLTAGE} Et pour le lidar\u202f?"),
        ([VOLTAGE], "«\u202fet\u202f» le lidar", f"{VOLTAGE} «\u202fet\u202f» le lidar"),
        ([VOLTAGE], "Mais l’été ?", f"{VOLTAGE} Mais l’été ?"),
        ([VOLTAGE], "What about the lidar?", f"{VOLTAGE} What about the lidar?"),
        ([VOLTAGE], "HOW ABOUT it?", f"{VOLTAGE} HOW ABOUT it?"),
        ([VOLTAGE], "And the lidar?", f"{VOLTAGE} And the lidar?"),
        ([VOLTAGE], "Pourquoi ?", f"{VOLTAGE} Pourquoi ?"),
        ([VOLTAGE], "Où est le fusible ?", "Où est le fusible ?"),
        ([VOLTAGE], "What is the voltage?", "What is the voltage?"),
        ([VOLTAGE], "Étage deux ?", "Étage deux ?"),
        ([VOLTAGE], "Android or not?", "Android or not?"),
        (["First question?", VOLTAGE], "Et le lidar ?", f"{VOLTAGE} Et le lidar ?"),
        ([VOLTAGE, "Et le lidar ?", "Combien ?"], "Et la batterie ?", f"{VOLTAGE} Et la batterie ?"),
        ([VOLTAGE, " ", "!"], "Et la batterie ?", f"{VOLTAGE} Et la batterie ?"),
        ([], "Et le lidar ?", "Et le lidar ?"),
        (["Et lui ?"], "Et le lidar ?", "Et le lidar ?"),
        ([VOLTAGE], "", ""),
    ],
)
def test_standalone_query(history, follow_up, standalone):
    assert standalone_query(history, follow_up) == standalone


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_questions_of_the_corpus_stand_on_their_own_and_are_in_one_part(lang):
    for question in corpus.load("mini", lang).questions:
        assert standalone_query([VOLTAGE], question.text) == question.text
        assert decompose(question.text) == [question.text]


# --- multi_query

RANKINGS = {"q1": ["D7", "D2", "D9", "D4"], "q2": ["D2", "D5", "D7", "D1"]}


def test_multi_query_fuses_by_rrf():
    assert multi_query(RANKINGS.get, ["q1", "q2"], 6) == ["D2", "D7", "D5", "D9", "D4", "D1"]
    assert multi_query(RANKINGS.get, ["q1", "q2"], 2) == ["D2", "D7"]
    assert multi_query(RANKINGS.get, ["q1"], 99) == RANKINGS["q1"]
    assert multi_query(RANKINGS.get, [], 3) == []


@given(st.lists(st.lists(st.integers(0, 9), unique=True), min_size=1, max_size=4), st.integers(1, 12))
def test_multi_query_is_the_head_of_the_union(rankings, k):
    asked = []

    def search(query):
        asked.append(query)
        return rankings[int(query)]

    variants = [str(i) for i in range(len(rankings))]
    found = multi_query(search, variants, k)
    assert asked == variants
    assert found == rrf(rankings)[:k]
    assert len(found) == min(k, len(set().union(*rankings)))


# --- decompose


@pytest.mark.parametrize(
    ("question", "parts"),
    [
        (
            "Quelle est la tension nominale et à quelle fréquence tourne le lidar\u202f?",
            ["Quelle est la tension nominale", "à quelle fréquence tourne le lidar\u202f?"],
        ),
        ("Quel fusible et quelle tension ?", ["Quel fusible", "quelle tension ?"]),
        ("D’où vient la chaleur, et d’où vient le bruit ?", ["D’où vient la chaleur", "d’où vient le bruit ?"]),
        ("What is the voltage, and how fast is it?", ["What is the voltage", "how fast is it?"]),
        ("Which fuse AND WHICH battery?", ["Which fuse", "WHICH battery?"]),
        (
            "Quel fusible\u202f?\u00a0Quelle tension\u202f? Et combien de temps\u202f?",
            ["Quel fusible\u202f?", "Quelle tension\u202f?", "combien de temps\u202f?"],
        ),
        ("Which fuse? Which battery", ["Which fuse?", "Which battery"]),
        ("Quel fusible ? Le robot tourne-t-il ?", ["Quel fusible ?", "Le robot tourne-t-il ?"]),
        ("Which fuse? And the battery?", ["Which fuse?", "the battery?"]),
        # Plain questions stay whole.
        ("Comment nettoyer le lidar et la vitre ?", ["Comment nettoyer le lidar et la vitre ?"]),
        ("Le robot qui avance et qui tourne", ["Le robot qui avance et qui tourne"]),
        ("Comment et pourquoi le robot ralentit-il ?", ["Comment et pourquoi le robot ralentit-il ?"]),
        ("How and why does it stop?", ["How and why does it stop?"]),
        ("Le robot s’arrête, et pourquoi ?", ["Le robot s’arrête, et pourquoi ?"]),
        ("Why??", ["Why??"]),
        ("Le débit et, surtout, quand ?", ["Le débit et, surtout, quand ?"]),
        ("The handle and the whatever", ["The handle and the whatever"]),
        ("  Which fuse? ", ["Which fuse?"]),
        ("", [""]),
    ],
)
def test_decompose(question, parts):
    assert decompose(question) == parts


def test_a_second_clause_of_time_is_cut_too():
    """The rule sees words, not grammar: its known mistake."""
    assert len(decompose("What happens when it overheats and when it stops?")) == 2


fragments = st.sampled_from("quel fusible ? et à quelle how and , motor why\u202f? le l’été".split(" "))


@given(st.lists(fragments, max_size=12))
def test_decompose_loses_nothing_but_the_links(words):
    question = " ".join(words)
    parts = decompose(question)
    left = [word for word in question.replace(",", " ").split() if word not in ("et", "and")]
    assert [word for word in " ".join(parts).replace(",", " ").split() if word not in ("et", "and")] == left
    if len(parts) == 1:
        assert parts == [question.strip()]
    else:
        assert all(part == part.strip() and part for part in parts)


# --- hyde_search


def test_hyde_searches_with_the_draft_not_with_the_question():
    embeddings = np.eye(3)
    vectors = {"A draft.": [0.1, 0.0, 5.0]}
    assert hyde_search("A draft.", vectors.__getitem__, embeddings, 2) == [2, 0]
    assert hyde_search("A draft.", vectors.__getitem__, embeddings, 9) == [2, 0, 1]


@given(st.lists(st.lists(st.integers(-2, 2), min_size=2, max_size=2), min_size=1, max_size=6), st.integers(1, 7))
def test_hyde_is_dense_search_by_cosine_also_with_zero_vectors(rows, k):
    embeddings = np.array(rows, dtype=float)
    draft = rows[0]
    assert hyde_search("draft", lambda text: draft, embeddings, k) == dense_search(draft, embeddings, k)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: expand_abbreviations(None, {}), "query"),
        (lambda: expand_abbreviations("a", {"": "x"}), "table"),
        (lambda: expand_abbreviations("a", {"a": None}), "table"),
        (lambda: expand_abbreviations("a", {1: "x"}), "table"),
        (lambda: expand_abbreviations("a", {"ac": "x", "AC": "y"}), "table"),
        (lambda: standalone_query("What?", "And?"), "history"),
        (lambda: standalone_query([None], "And?"), "history"),
        (lambda: standalone_query([], None), "follow_up"),
        (lambda: multi_query(RANKINGS.get, ["q1"], 0), "k must"),
        (lambda: multi_query(RANKINGS.get, "q1", 1), "variants"),
        (lambda: decompose(None), "question"),
        (lambda: hyde_search(None, len, np.eye(2), 1), "draft"),
        (lambda: hyde_search("a", lambda text: [1.0, 0.0], np.eye(2), 0), "k must"),
        (lambda: hyde_search("a", lambda text: [1.0], np.eye(2), 1), "embeddings"),
        (lambda: hyde_search("a", lambda text: [float("nan"), 1], np.eye(2), 1), "embed"),
    ],
)
def test_bad_arguments_are_named(call, named):
    with pytest.raises(ValueError, match=named):
        call()
