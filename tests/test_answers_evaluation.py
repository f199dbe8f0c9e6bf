"""Evaluation of answers: against the SQuAD definition and scikit-learn, and its own laws."""

import re
import string
import warnings
from collections import Counter
from math import isnan

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from sklearn.metrics import cohen_kappa_score

from ragteach.answers.evaluation import (
    cohen_kappa,
    context_precision,
    exact_match,
    faithfulness,
    is_supported,
    refusal_rate,
    token_f1,
)
from ragteach.answers.prompt import REFUSALS

FRENCH_ARTICLES = ("le", "la", "les", "l’", "l'", "un", "une", "des", "du", "d’", "d'")


def squad_tokens(text: str) -> list[str]:
    """Normalise as SQuAD's evaluation script is documented to: lower case, punctuation, articles, white space."""
    kept = [character for character in text.lower() if character not in set(string.punctuation)]
    return [word for word in "".join(kept).split() if word not in ("a", "an", "the")]


def squad_f1(prediction: str, reference: str) -> float:
    predicted, expected = squad_tokens(prediction), squad_tokens(reference)
    if len(predicted) == 0 or len(expected) == 0:
        return 1.0 if len(predicted) == len(expected) else 0.0
    left = Counter(expected)
    common = 0
    for token in predicted:
        if left[token] > 0:
            left[token] -= 1
            common += 1
    return 2 * common / (len(predicted) + len(expected))


english = st.lists(
    st.sampled_from(
        "the The a an fuse Fuse, is rated 5 A. 3.8 V; robot's fast-acting and another there ! $5 (R2)".split()
    ),
    max_size=8,
).map(" ".join)
ascii_text = st.text(st.characters(min_codepoint=32, max_codepoint=126), max_size=30)


def without_french_articles(text: str) -> bool:
    return not re.search(r"\b([ld]'|(le|la|les|un|une|des|du)\b)", "".join(text.lower()))


@given(english, english)
def test_f1_and_exact_match_are_squads(prediction, reference):
    assert token_f1(prediction, reference) == pytest.approx(squad_f1(prediction, reference), abs=1e-12)
    assert exact_match(prediction, reference) == (squad_tokens(prediction) == squad_tokens(reference))


@given(ascii_text, ascii_text)
def test_f1_and_exact_match_are_squads_on_any_ascii_text(prediction, reference):
    for text in (prediction, reference):
        # Where taking the punctuation out makes a French article, l-e, it would be SQuAD's word and our article.
        assume(without_french_articles(text) and not set(squad_tokens(text)) & set(FRENCH_ARTICLES))
    assert token_f1(prediction, reference) == pytest.approx(squad_f1(prediction, reference), abs=1e-12)
    assert exact_match(prediction, reference) == (squad_tokens(prediction) == squad_tokens(reference))


@pytest.mark.parametrize("article", FRENCH_ARTICLES)
def test_french_articles_do_not_count(article):
    space = "" if article[-1] in "’'" else " "
    assert exact_match(f"{article}{space}alimentation", "alimentation")
    assert exact_match(f"{article.upper()}{space}Alimentation", "alimentation.")


@pytest.mark.parametrize(
    ("prediction", "reference"),
    [
        ("« Un fusible de 5\u00a0A »", "fusible de 5 A"),
        ("\u00ab\u202fun fusible\u202f\u00bb\u202f!", "Fusible"),
        ("l’e\u0301tat", "l'état"),
        ("aujourd’hui", "aujourd'hui"),
        ("The fuse…", "fuse"),
    ],
)
def test_typography_does_not_count(prediction, reference):
    assert exact_match(prediction, reference)
    assert token_f1(prediction, reference) == 1.0


def test_an_article_inside_a_word_stays():
    assert not exact_match("theory", "ory")
    assert not exact_match("lampe", "ampe")
    assert not exact_match("laine", "ine")


def test_f1_counts_a_repeated_word_as_often_as_both_have_it():
    assert token_f1("robot robot robot", "robot") == pytest.approx(0.5)


def test_f1_of_nothing():
    assert token_f1("", "the") == 1.0
    assert token_f1("", "fuse") == token_f1("fuse", "…") == 0.0


@given(st.text(max_size=20), st.text(max_size=20))
def test_f1_laws(a, b):
    assert 0.0 <= token_f1(a, b) <= 1.0
    assert token_f1(a, b) == pytest.approx(token_f1(b, a))
    assert token_f1(a, a) == 1.0 and exact_match(a, a)
    if exact_match(a, b):
        assert token_f1(a, b) == 1.0


def test_faithfulness():
    assert faithfulness([True] * 47 + [False] * 3) == pytest.approx(0.94)
    assert faithfulness([]) is None
    assert faithfulness(np.array([True, False])) == 0.5
    assert faithfulness([0, 0]) == 0.0


@pytest.mark.parametrize("verdicts", [["yes", "no"], "no", [None], [0.5], [2]])
def test_faithfulness_refuses_what_is_no_verdict(verdicts):
    with pytest.raises(ValueError, match="verdicts"):
        faithfulness(verdicts)


def passages(*texts):
    return [{"text": text} for text in texts]


def test_support_must_come_from_one_passage():
    halves = passages("Le fusible protège.", "L’alimentation du robot.")
    claim = "Le fusible protège l’alimentation du robot."
    assert not is_supported(claim, halves)
    assert is_supported(claim, passages("Un fusible protège l'alimentation."))  # 3 of 4


def test_support_counts_distinct_content_tokens_and_the_threshold_itself_is_enough():
    claim = "fuse fuse fuse battery motor wheel lidar"  # five distinct ones
    assert is_supported(claim, passages("fuse battery motor"))  # 3 of 5 is 0.6
    assert not is_supported(claim, passages("fuse battery"))
    assert is_supported(claim, passages("fuse battery"), threshold=0.4)


def test_stop_words_support_nothing():
    assert not is_supported("Il est dans la batterie.", passages("Il est dans la vitre."))
    assert not is_supported("It is in the battery.", passages("It is in the glass."))
    assert not is_supported("", passages("fuse"))
    assert not is_supported("C’est à elle.", passages("C’est à elle."))
    assert not is_supported("fuse", [])


@given(st.lists(st.sampled_from(["fuse", "5", "motor", "the", "le", "vitre"]), min_size=1))
def test_a_passage_supports_its_own_words(words):
    claim = " ".join(words)
    if set(words) - {"the", "le"}:
        assert is_supported(claim, passages("other", claim), threshold=1.0)


def test_refusal_rate():
    refusal = REFUSALS["fr"]
    answers = [refusal, f" {refusal}\n", f"{refusal} Mais le fusible est de 5 A.", "Un fusible de 5 A [1]."]
    assert refusal_rate(answers, refusal) == 0.5
    assert refusal_rate(["C’est\u202fnon\u00a0!"], "C'est non !") == 1.0
    assert refusal_rate([""], refusal) == 0.0


def test_context_precision():
    assert context_precision([1, 3], [1, 2, 3, 4]) == 0.5
    assert context_precision([1, 1, 9], [1, 1, 2, 2]) == 0.5  # once each; 9 was never provided
    assert context_precision([1], []) == 0.0
    assert context_precision([], ["a"]) == 0.0


labels = st.sampled_from(["yes", "no", "partly"])


@given(st.lists(st.tuples(labels, labels), min_size=1, max_size=30))
def test_kappa_is_scikit_learns(pairs):
    a, b = (list(side) for side in zip(*pairs, strict=True))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        peer = cohen_kappa_score(a, b)
    assert cohen_kappa(a, b) == pytest.approx(1.0 if isnan(peer) else peer, abs=1e-12)
    assert cohen_kappa(a, b) == pytest.approx(cohen_kappa(b, a), abs=1e-12)


def test_kappa_by_hand():
    assert cohen_kappa(["yes"] * 3, ["yes"] * 3) == 1.0
    assert cohen_kappa(["yes"] * 3, ["no"] * 3) == 0.0
    assert cohen_kappa([1, 1, 0, 0], [1, 0, 1, 0]) == 0.0
    assert cohen_kappa([1, 0], [0, 1]) == -1.0
    assert cohen_kappa(np.array([1, 1, 0, 0]), np.array([1, 1, 0, 1])) == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("call", "named"),
    [
        (lambda: is_supported("x", passages("y"), threshold=1.5), "threshold"),
        (lambda: is_supported("x", passages("y"), threshold=float("nan")), "threshold"),
        (lambda: is_supported("x", "y"), "passages"),
        (lambda: is_supported("x", ["y"]), r"passages\[0\]"),
        (lambda: is_supported("x", [{"title": "y"}]), "text"),
        (lambda: is_supported(["x"], []), "claim"),
        (lambda: exact_match(5, "5"), "prediction"),
        (lambda: token_f1("5", None), "reference"),
        (lambda: refusal_rate([], "no"), "answers"),
        (lambda: refusal_rate("no", "no"), "answers"),
        (lambda: refusal_rate([None], "no"), "answers"),
        (lambda: refusal_rate(["no"], " "), "refusal"),
        (lambda: context_precision("12", [1, 2]), "used"),
        (lambda: context_precision([1], "12"), "provided"),
        (lambda: cohen_kappa([1], [1, 2]), "length"),
        (lambda: cohen_kappa([], []), "at least one"),
        (lambda: cohen_kappa("yn", "yn"), "a must be a list"),
    ],
)
def test_bad_arguments_are_named(call, named):
    with pytest.raises(ValueError, match=named):
        call()
