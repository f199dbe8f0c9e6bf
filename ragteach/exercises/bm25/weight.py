"""bm25.term_weight: saturation and length.

It is checked on valid arguments only, so that a one-line answer is a whole answer; `bm25.scores`, into which data
enter, is where arguments are refused.
"""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.bm25.inputs import K1, B
from ragteach.retrieval.bm25 import term_weight

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def term_inputs() -> SearchStrategy[tuple]:
    """Draw a frequency, a length that can hold it, an average length, and parameters in half of the cases."""
    from hypothesis import strategies as st

    tf, others, average = st.integers(1, 30), st.integers(0, 60), st.integers(1, 200).map(lambda n: n / 2)
    facts = st.tuples(tf, others, average).map(lambda drawn: (drawn[0], drawn[0] + drawn[1], drawn[2]))
    parameters = st.tuples(st.sampled_from(K1), st.sampled_from(B))
    return facts | st.tuples(facts, parameters).map(lambda drawn: drawn[0] + drawn[1])


def weight_in_logarithm(tf, doc_len, avg_len, k1=1.5, b=0.75):
    return 1 + log(tf) if tf > 0 else 0.0


TERM_WEIGHT = Exercise(
    id="bm25.term_weight",
    chapter="02_bm25",
    entry="term_weight",
    title={"fr": "Saturation et longueur", "en": "Saturation and length"},
    points=1,
    importance=3,
    minutes=4,
    reference=term_weight,
    examples=(
        Example(
            (1, 10, 10),
            {
                "fr": "Une fois, dans un document de longueur moyenne : exactement 1.",
                "en": "Once, in a document of average length: exactly 1.",
            },
        ),
        Example(
            (2, 10, 10),
            {
                "fr": "Deux fois le mot, moins de deux fois le poids.",
                "en": "Twice the word, less than twice the weight.",
            },
        ),
        Example(
            (20, 40, 40),
            {
                "fr": "Vingt fois : le poids approche k1 + 1 et ne le dépasse pas.",
                "en": "Twenty times: the weight approaches k1 + 1 but does not exceed it.",
            },
        ),
        Example(
            (1, 20, 10),
            {
                "fr": "Un document deux fois plus long que la moyenne : le mot y pèse moins.",
                "en": "A document twice as long as the average: the word weighs less in it.",
            },
        ),
        Example(
            (1, 5, 10),
            {"fr": "Un document court : le mot y pèse plus.", "en": "A short document: the word weighs more in it."},
        ),
        Example(
            (3, 20, 10, 1.2, 0.0),
            {
                "fr": "Avec b = 0, la longueur ne joue plus.",
                "en": "With b = 0 length plays no part.",
            },
        ),
        Example(
            (3, 20, 10, 2.0, 1.0),
            {
                "fr": "Avec b = 1, la longueur joue entièrement.",
                "en": "With b = 1 length is fully corrected for.",
            },
        ),
        Example(
            (3, 20, 10, 0.0, 0.75),
            {
                "fr": "Avec k1 = 0, seule compte la présence du mot : 1.",
                "en": "With k1 = 0 only the word's presence counts: 1.",
            },
        ),
        Example((0, 10, 10), {"fr": "Un mot absent pèse 0.", "en": "An absent word weighs 0."}),
    ),
    inputs=term_inputs,
    misconceptions=(
        Misconception(
            "no_length",
            lambda tf, doc_len, avg_len, k1=1.5, b=0.75: term_weight(tf, doc_len, avg_len, k1, 0),
            {
                "fr": "Vos poids ne dépendent pas de la longueur (comme si b = 0) : une longue page l’emporterait par "
                "sa taille. Multipliez k1 par 1 − b + b · doc_len/avg_len.",
                "en": "Your weights do not depend on length (as if b = 0): a long page would win by its size. "
                "Multiply k1 by 1 - b + b · doc_len/avg_len.",
            },
        ),
        Misconception(
            "full_length",
            lambda tf, doc_len, avg_len, k1=1.5, b=0.75: term_weight(tf, doc_len, avg_len, k1, 1),
            {
                "fr": "La longueur compte en entier (comme si b = 1). Gardez la part fixe 1 − b, et multipliez le "
                "rapport des longueurs par b.",
                "en": "Length counts in full (as if b = 1). Keep the fixed share 1 - b, and multiply the ratio of "
                "lengths by b.",
            },
        ),
        Misconception(
            "no_saturation",
            lambda tf, doc_len, avg_len, k1=1.5, b=0.75: tf,
            {
                "fr": "Votre poids est la fréquence elle-même : vingt répétitions vaudraient vingt mots. Faites-la "
                "saturer en divisant par tf + k1 · (…).",
                "en": "Your weight is the frequency itself: twenty repetitions would be worth twenty words. Make it "
                "saturate by dividing by tf + k1 · (…).",
            },
        ),
        Misconception(
            "share_of_document",
            lambda tf, doc_len, avg_len, k1=1.5, b=0.75: tf / doc_len,
            {
                "fr": "C’est la part du mot dans le document, tf/longueur, comme dans certains TF-IDF. BM25 compare "
                "la longueur à la moyenne et fait saturer la fréquence.",
                "en": "This is the word's share of the document, tf/length, as in some versions of TF-IDF. BM25 "
                "compares the length with the average and makes the frequency saturate.",
            },
        ),
        Misconception(
            "logarithmic",
            weight_in_logarithm,
            {
                "fr": "C’est 1 + ln(tf), l’amortissement de TF-IDF, qui grandit sans fin. BM25 sature par une "
                "fraction : tf(k1 + 1) sur tf + k1 · (…).",
                "en": "This is 1 + ln(tf), the damping of TF-IDF, which grows without end. BM25 saturates through a "
                "fraction: tf(k1 + 1) over tf + k1 · (…).",
            },
        ),
        Misconception(
            "no_k1_plus_1",
            lambda tf, doc_len, avg_len, k1=1.5, b=0.75: term_weight(tf, doc_len, avg_len, k1, b) / (k1 + 1),
            {
                "fr": "Il manque le facteur k1 + 1 du numérateur. Le classement n’en dépend pas (Lucene l’a retiré), "
                "les valeurs si : multipliez tf par (k1 + 1).",
                "en": "The factor k1 + 1 of the numerator is missing. The ranking does not depend on it (Lucene has "
                "dropped it), but the values do: multiply tf by (k1 + 1).",
            },
        ),
        Misconception(
            "ratio_upside_down",
            lambda tf, doc_len, avg_len, k1=1.5, b=0.75: term_weight(tf, avg_len, doc_len, k1, b),
            {
                "fr": "Le rapport des longueurs est retourné, et les longs documents sont favorisés. Divisez doc_len "
                "par avg_len.",
                "en": "The ratio of lengths is upside down, which favours long documents. Divide doc_len by avg_len.",
            },
        ),
        Misconception(
            "one_minus_b_times_ratio",
            lambda tf, doc_len, avg_len, k1=1.5, b=0.75: tf * (k1 + 1) / (tf + k1 * (1 - b * doc_len / avg_len)),
            {
                "fr": "Vous retranchez b · doc_len/avg_len : un document long y gagnerait. La parenthèse est "
                "1 − b + b · doc_len/avg_len, une part fixe et une part qui suit la longueur.",
                "en": "You subtract b · doc_len/avg_len, so that a long document would gain. The bracket is "
                "1 - b + b · doc_len/avg_len, one fixed share and one that follows the length.",
            },
        ),
        Misconception(
            "one_minus_b_forgotten",
            lambda tf, doc_len, avg_len, k1=1.5, b=0.75: tf * (k1 + 1) / (tf + k1 * (b * doc_len / avg_len)),
            {
                "fr": "La part fixe 1 − b manque : il reste k1 · b · doc_len/avg_len. Avec elle, un document de "
                "longueur moyenne reçoit exactement k1.",
                "en": "The fixed share 1 - b is missing: k1 · b · doc_len/avg_len is left. With it, a document of "
                "average length gets exactly k1.",
            },
        ),
        Misconception(
            "parentheses",
            lambda tf, doc_len, avg_len, k1=1.5, b=0.75: tf * (k1 + 1) / tf + k1 * (1 - b + b * doc_len / avg_len),
            {
                "fr": "Il manque des parenthèses autour du dénominateur : vous divisez par tf, puis ajoutez le reste. "
                "Écrivez … / (tf + k1 * (…)).",
                "en": "Parentheses are missing round the denominator: you divide by tf and then add the rest. Write … "
                "/ (tf + k1 * (…)).",
            },
        ),
        Misconception(
            "parameters_swapped",
            lambda tf, doc_len, avg_len, k1=1.5, b=0.75: tf * (b + 1) / (tf + b * (1 - k1 + k1 * doc_len / avg_len)),
            {
                "fr": "k1 et b ont échangé leurs rôles : k1 règle la saturation, b la part de la longueur.",
                "en": "k1 and b have swapped roles: k1 sets the saturation, b how much length counts.",
            },
        ),
        Misconception(
            "parameters_ignored",
            lambda tf, doc_len, avg_len, k1=1.5, b=0.75: term_weight(tf, doc_len, avg_len),
            {
                "fr": "Vos poids sont justes pour k1 = 1,5 et b = 0,75 seulement. Utilisez les arguments k1 et b, pas "
                "leurs valeurs habituelles.",
                "en": "Your weights are right for k1 = 1.5 and b = 0.75 only. Use the arguments k1 and b, not their "
                "usual values.",
            },
        ),
        Misconception(
            "other_default",
            lambda tf, doc_len, avg_len, k1=1.2, b=0.75: term_weight(tf, doc_len, avg_len, k1, b),
            {
                "fr": "La formule est juste, mais k1 vaut 1,2 par défaut, comme dans Lucene. L’énoncé demande 1,5.",
                "en": "The formula is right, but your default k1 is 1.2, as in Lucene. The exercise asks for 1.5.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Calculez d’abord un facteur de longueur qui vaut 1 pour un document de longueur moyenne, puis "
            "placez-le à côté de k1, au dénominateur.",
            "en": "First compute a length factor that is 1 for a document of average length, then put it beside k1, "
            "in the denominator.",
        },
        {
            "fr": "Facteur : 1 - b + b * doc_len / avg_len. Résultat : tf * (k1 + 1), divisé par la parenthèse tf + "
            "k1 * facteur.",
            "en": "Factor: 1 - b + b * doc_len / avg_len. Result: tf * (k1 + 1), divided by (tf + k1 * factor).",
        },
    ),
)
