"""bm25.bim_weight and bm25.idf: what a word that is present is worth.

They are checked on valid arguments only, so that a one-line answer is a whole answer; `bm25.scores`, into which data
enter, is where arguments are refused.
"""

from __future__ import annotations

from math import log, log2, log10
from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.retrieval.bm25 import bim_weight, idf

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def bim_inputs() -> SearchStrategy[tuple]:
    """Draw two probabilities in hundredths, 0 and 1 left out."""
    from hypothesis import strategies as st

    percent = st.integers(1, 99).map(lambda n: n / 100)
    return st.tuples(percent, percent)


def idf_inputs() -> SearchStrategy[tuple]:
    """Draw a number of documents and how many of them hold the term."""
    from hypothesis import strategies as st

    return st.integers(1, 2000).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, n)))


BIM_WEIGHT = Exercise(
    id="bm25.bim_weight",
    chapter="02_bm25",
    entry="bim_weight",
    title={"fr": "Le poids du modèle binaire", "en": "The weight of the binary independence model"},
    points=1,
    importance=1,
    minutes=3,
    reference=bim_weight,
    examples=(
        Example(
            (0.8, 0.1),
            {
                "fr": "Un mot fréquent dans les documents pertinents et rare ailleurs pèse en leur faveur.",
                "en": "A word that is frequent in relevant documents and rare elsewhere speaks for them.",
            },
        ),
        Example(
            (0.1, 0.8),
            {
                "fr": "Rôles échangés, le poids est l’opposé : le mot parle contre le document.",
                "en": "With the roles swapped, the weight changes sign: the word speaks against the document.",
            },
        ),
        Example(
            (0.3, 0.3),
            {
                "fr": "Aussi fréquent chez les uns que chez les autres, le mot n’apprend rien : 0.",
                "en": "A word equally frequent in both groups tells us nothing: 0.",
            },
        ),
        Example(
            (0.5, 0.01),
            {
                "fr": "Sans rien savoir de la pertinence (p = 0,5), un mot rare pèse lourd : c’est déjà l’idf.",
                "en": "With no knowledge of relevance (p = 0.5), a rare word weighs a lot: this is already idf.",
            },
        ),
        Example(
            (0.5, 0.9),
            {
                "fr": "Toujours p = 0,5 : un mot présent dans presque tous les documents reçoit un poids négatif.",
                "en": "Still p = 0.5: a word found in nearly all documents gets a negative weight.",
            },
        ),
        Example(
            (0.999, 0.001),
            {
                "fr": "Deux probabilités extrêmes : le poids grandit, mais reste fini.",
                "en": "Two extreme probabilities: the weight grows and stays finite.",
            },
        ),
    ),
    inputs=bim_inputs,
    misconceptions=(
        Misconception(
            "log10",
            lambda p, u: log10(p * (1 - u) / (u * (1 - p))),
            {
                "fr": "C’est le logarithme décimal. Prenez le logarithme népérien, math.log.",
                "en": "This is the logarithm to base 10. Take the natural one, math.log.",
            },
        ),
        Misconception(
            "log2",
            lambda p, u: log2(p * (1 - u) / (u * (1 - p))),
            {
                "fr": "C’est le logarithme en base 2. Prenez le logarithme népérien, math.log.",
                "en": "This is the logarithm to base 2. Take the natural one, math.log.",
            },
        ),
        Misconception(
            "swapped",
            lambda p, u: bim_weight(u, p),
            {
                "fr": "p et u sont échangés : vos poids ont le signe contraire. p(1 − u) va au numérateur.",
                "en": "p and u are swapped, so your weights have the opposite sign. p(1 - u) goes on top.",
            },
        ),
        Misconception(
            "no_log",
            lambda p, u: p * (1 - u) / (u * (1 - p)),
            {
                "fr": "C’est le rapport des cotes, sans le logarithme. Prenez son logarithme népérien : c’est lui qui "
                "permet d’additionner les mots.",
                "en": "This is the odds ratio without the logarithm. Take its natural logarithm: that is what turns "
                "products into sums.",
            },
        ),
        Misconception(
            "presence_only",
            lambda p, u: log(p / u),
            {
                "fr": "C’est ln(p/u) : il manque ce que l’absence du mot nous aurait appris. Multipliez le rapport "
                "par (1 − u)/(1 − p).",
                "en": "This is ln(p/u): what the word's absence would have told us is missing. Multiply the ratio by "
                "(1 - u)/(1 - p).",
            },
        ),
        Misconception(
            "parentheses",
            lambda p, u: log(p * (1 - u) / u * (1 - p)),
            {
                "fr": "Il manque des parenthèses : a / u * (1 - p) divise par u, puis multiplie par (1 - p). Écrivez "
                "a / (u * (1 - p)).",
                "en": "Parentheses are missing: a / u * (1 - p) divides by u and then multiplies by (1 - p). Write a "
                "/ (u * (1 - p)).",
            },
        ),
        Misconception(
            "log_of_differences",
            lambda p, u: log(p) - log(u) + log(1 - p) - log(1 - u),
            {
                "fr": "Les termes de l’absence ont le mauvais signe : c’est + ln(1 − u) − ln(1 − p).",
                "en": "The terms for absence have the wrong sign: it is + ln(1 - u) - ln(1 - p).",
            },
        ),
    ),
    hints=(
        {
            "fr": "C’est un rapport de cotes : la cote p/(1 − p) chez les documents pertinents, la cote u/(1 − u) "
            "chez les autres, puis un logarithme.",
            "en": "It is a ratio of odds: p/(1 - p) in relevant documents, u/(1 - u) in the others, and then a "
            "logarithm.",
        },
        {
            "fr": "math.log d’une fraction : p * (1 - u) en haut, u * (1 - p) en bas, le bas entre parenthèses.",
            "en": "math.log of a fraction: p * (1 - u) on top, u * (1 - p) below, with parentheses round the lower "
            "part.",
        },
    ),
)

IDF = Exercise(
    id="bm25.idf",
    chapter="02_bm25",
    entry="idf",
    title={"fr": "La rareté d’un mot : l’idf", "en": "How rare a word is: idf"},
    points=1,
    importance=3,
    minutes=3,
    reference=idf,
    examples=(
        Example(
            (10, 2),
            {
                "fr": "Un mot présent dans 2 documents sur 10.",
                "en": "A word found in 2 documents out of 10.",
            },
        ),
        Example(
            (1000, 1),
            {
                "fr": "Plus le mot est rare, plus il pèse.",
                "en": "The rarer the word, the more it weighs.",
            },
        ),
        Example(
            (2, 1),
            {
                "fr": "Un mot présent dans la moitié des documents : ln 2. Sans le 1 dans le logarithme, il ne "
                "compterait pas.",
                "en": "A word found in half the documents: ln 2. Without the 1 inside the logarithm it would not "
                "count.",
            },
        ),
        Example(
            (10, 7),
            {
                "fr": "Au-delà de la moitié, le poids baisse encore et reste positif.",
                "en": "Beyond one half, the weight falls further but stays positive.",
            },
        ),
        Example(
            (3, 3),
            {
                "fr": "Un mot présent dans tous les documents pèse peu, mais jamais moins que rien.",
                "en": "A word found in every document weighs little, but never less than zero.",
            },
        ),
        Example(
            (5, 0),
            {
                "fr": "Un mot absent de tous les documents : grâce aux 0,5, la formule reste définie.",
                "en": "A word found in no document: the halves keep the formula defined.",
            },
        ),
    ),
    inputs=idf_inputs,
    misconceptions=(
        Misconception(
            "log10",
            lambda n_docs, doc_freq: log10((n_docs - doc_freq + 0.5) / (doc_freq + 0.5) + 1),
            {
                "fr": "Votre idf est en logarithme décimal. Prenez le logarithme népérien, math.log.",
                "en": "Your idf uses the logarithm to base 10. Take the natural one, math.log.",
            },
        ),
        Misconception(
            "log2",
            lambda n_docs, doc_freq: log2((n_docs - doc_freq + 0.5) / (doc_freq + 0.5) + 1),
            {
                "fr": "Votre idf est en logarithme de base 2. Prenez le logarithme népérien, math.log.",
                "en": "Your idf uses the logarithm to base 2. Take the natural one, math.log.",
            },
        ),
        Misconception(
            "no_plus_one",
            lambda n_docs, doc_freq: log((n_docs - doc_freq + 0.5) / (doc_freq + 0.5)),
            {
                "fr": "Il manque le 1 dans le logarithme : un mot présent dans plus de la moitié des documents reçoit "
                "un poids négatif et punit ceux qui le contiennent. C’est l’idf d’origine, que rank-bm25 calcule "
                "aussi avant de le corriger. Ajoutez 1 à la fraction.",
                "en": "The 1 inside the logarithm is missing: a word found in more than half the documents gets a "
                "negative weight and penalises those that contain it. This is the original idf, which rank-bm25 also "
                "computes before patching it. Add 1 to the fraction.",
            },
        ),
        Misconception(
            "clipped",
            lambda n_docs, doc_freq: max(0.0, log((n_docs - doc_freq + 0.5) / (doc_freq + 0.5))),
            {
                "fr": "Vous ramenez les poids négatifs à 0 : les mots fréquents ne comptent plus du tout. Ajoutez "
                "plutôt 1 à la fraction, dans le logarithme.",
                "en": "You raise negative weights to 0, so frequent words no longer count at all. Add 1 to the "
                "fraction instead, inside the logarithm.",
            },
        ),
        Misconception(
            "no_smoothing",
            lambda n_docs, doc_freq: log(n_docs / doc_freq),
            {
                "fr": "C’est ln(N/n), sans les 0,5 : il n’est pas défini pour un mot absent partout et vaut 0 pour "
                "un mot présent partout. Ajoutez 0,5 en haut et en bas de (N − n)/n, puis 1.",
                "en": "This is ln(N/n), without the halves: it is undefined for a word found in no document and 0 for "
                "a word found in all. Add 0.5 to both parts of (N - n)/n, then 1 to the whole.",
            },
        ),
        Misconception(
            "plus_one_below",
            lambda n_docs, doc_freq: log(n_docs / (1 + doc_freq)),
            {
                "fr": "C’est ln(N/(1 + n)), un idf de TF-IDF, négatif pour un mot présent dans tous les documents. "
                "Celui de BM25 part de (N − n + 0,5)/(n + 0,5).",
                "en": "This is ln(N/(1 + n)), an idf for TF-IDF, which is negative for a word found in every document. "
                "BM25's starts from (N - n + 0.5)/(n + 0.5).",
            },
        ),
        Misconception(
            "scikit_learn",
            lambda n_docs, doc_freq: log((1 + n_docs) / (1 + doc_freq)) + 1,
            {
                "fr": "C’est l’idf du TF-IDF de scikit-learn, ln((1 + N)/(1 + n)) + 1. Celui de BM25 oppose les "
                "documents sans le mot, N − n, aux documents avec, n.",
                "en": "This is the idf of scikit-learn's TF-IDF, ln((1 + N)/(1 + n)) + 1. BM25's idf sets the "
                "documents without the word, N - n, against those with it, n.",
            },
        ),
        Misconception(
            "plus_one_outside",
            lambda n_docs, doc_freq: log((n_docs - doc_freq + 0.5) / (doc_freq + 0.5)) + 1,
            {
                "fr": "Le 1 est ajouté après le logarithme. Il va dedans : ln(fraction + 1).",
                "en": "You add the 1 after the logarithm. It belongs inside: ln(fraction + 1).",
            },
        ),
        Misconception(
            "parentheses",
            lambda n_docs, doc_freq: log(n_docs - doc_freq + 0.5 / (doc_freq + 0.5) + 1),
            {
                "fr": "Il manque des parenthèses autour du numérateur : seul 0,5 y est divisé. Écrivez (n_docs - "
                "doc_freq + 0.5) / (doc_freq + 0.5).",
                "en": "Parentheses are missing round the numerator: only 0.5 is divided. Write (n_docs - doc_freq + "
                "0.5) / (doc_freq + 0.5).",
            },
        ),
        Misconception(
            "upside_down",
            lambda n_docs, doc_freq: log((doc_freq + 0.5) / (n_docs - doc_freq + 0.5) + 1),
            {
                "fr": "La fraction est retournée : vos mots fréquents pèsent plus que les rares. Mettez les documents "
                "sans le mot, N − n, en haut.",
                "en": "The fraction is upside down: your frequent words weigh more than the rare ones. Put the "
                "documents without the word, N - n, on top.",
            },
        ),
        Misconception(
            "no_log",
            lambda n_docs, doc_freq: (n_docs - doc_freq + 0.5) / (doc_freq + 0.5) + 1,
            {
                "fr": "Il manque le logarithme : un mot rare écraserait tous les autres. Prenez math.log du résultat.",
                "en": "The logarithm is missing: one rare word would drown all the others. Take math.log of the "
                "result.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Comptez deux groupes : les documents sans le mot, N − n, et les documents avec, n. La formule en "
            "fait un rapport adouci par 0,5, puis un logarithme népérien.",
            "en": "Count two groups: the documents without the word, N - n, and those with it, n. The formula makes a "
            "ratio of them, softened by 0.5, and then a natural logarithm.",
        },
        {
            "fr": "math.log de : (N - n + 0.5), divisé par (n + 0.5), le tout plus 1. Le 1 est dans le logarithme.",
            "en": "math.log of: (N - n + 0.5), divided by (n + 0.5), and 1 added to that. The 1 is inside the "
            "logarithm.",
        },
    ),
)
