"""lsa.tfidf: from tokens to weighted vectors."""

from __future__ import annotations

from collections import Counter
from math import log, log10, sqrt
from typing import TYPE_CHECKING

import numpy as np

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.retrieval.bm25 import idf as bm25_idf
from ragteach.retrieval.dense import unit_rows
from ragteach.retrieval.lsa import tfidf

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

# "Zone" and "œil" tell the order of Python's sorted() from that of a dictionary; the first one shrinks to itself.
WORDS = ("moteur", "fusible", "Zone", "œil", "5,5", "a")


def inputs() -> SearchStrategy[tuple]:
    """Draw one to five documents of up to six tokens, empty ones among them."""
    from hypothesis import strategies as st

    return st.tuples(st.lists(st.lists(st.sampled_from(WORDS), max_size=6), min_size=1, max_size=5))


def sublinear(tf):
    return 1 + log(tf)


def smooth(n_docs, doc_freq):
    return log((1 + n_docs) / (1 + doc_freq)) + 1


def documents_with(documents, token):
    return sum(token in tokens for tokens in documents)


def variant(frequency=sublinear, rarity=smooth, counted=documents_with, norm=unit_rows, order=sorted):
    """Make a TF-IDF as the reference's, with some of its parts exchanged."""

    def weigh(documents):
        vocabulary = order(dict.fromkeys(token for tokens in documents for token in tokens))
        matrix = np.zeros((len(documents), len(vocabulary)))
        for row, tokens in enumerate(documents):
            for token, tf in Counter(tokens).items():
                weight = rarity(len(documents), counted(documents, token))
                matrix[row, vocabulary.index(token)] = frequency(tf) * weight
        return vocabulary, norm(matrix)

    return weigh


def unguarded(matrix):
    with np.errstate(invalid="ignore"):
        return matrix / np.linalg.norm(matrix, axis=1, keepdims=True)


def stopped_by_empty(matrix):
    lengths = [sqrt(sum(value * value for value in row)) for row in matrix.tolist()]
    return [[value / length for value in row] for row, length in zip(matrix.tolist(), lengths, strict=True)]


def sum_one(matrix):
    sums = np.abs(matrix).sum(axis=1, keepdims=True)
    return matrix / np.where(sums > 0, sums, 1)


def transposed(documents):
    vocabulary, matrix = tfidf(documents)
    return vocabulary, matrix.T


def empty_ones_left_out(documents):
    vocabulary, matrix = tfidf(documents)
    return vocabulary, matrix[matrix.any(axis=1)]


MISCONCEPTIONS = (
    Misconception(
        "raw_frequency",
        variant(frequency=lambda tf: tf),
        {
            "fr": "Vous multipliez l’idf par la fréquence brute : un mot répété dix fois pèse dix fois. Prenez "
            "1 + ln tf, qui grandit de moins en moins.",
            "en": "You multiply idf by the raw frequency, so a word repeated ten times weighs ten times as much. Take "
            "1 + ln tf, which grows more and more slowly.",
        },
    ),
    Misconception(
        "log_without_one",
        variant(frequency=lambda tf: log(tf)),
        {
            "fr": "ln tf vaut 0 pour un mot qui apparaît une seule fois : il disparaît. Écrivez 1 + ln tf.",
            "en": "ln tf is 0 for a word that appears once, so that word vanishes. Write 1 + ln tf.",
        },
    ),
    Misconception(
        "log_of_one_plus",
        variant(frequency=lambda tf: log(1 + tf)),
        {
            "fr": "C’est ln(1 + tf) : le 1 est dans le logarithme. Ici il est devant : 1 + ln tf.",
            "en": "This is ln(1 + tf), with the 1 inside the logarithm. Here it stands in front: 1 + ln tf.",
        },
    ),
    Misconception(
        "presence",
        variant(frequency=lambda tf: 1),
        {
            "fr": "Chaque mot présent compte 1, même répété. La fréquence entre par le facteur 1 + ln tf.",
            "en": "Each word that is present counts 1, even when it is repeated. Frequency enters by the factor "
            "1 + ln tf.",
        },
    ),
    Misconception(
        "no_smoothing",
        variant(rarity=lambda n, df: log(n / df) + 1),
        {
            "fr": "C’est ln(N/df) + 1, sans lissage. Ajoutez 1 en haut et en bas : ln((1 + N)/(1 + df)) + 1, comme "
            "s’il existait un document de plus qui contient tous les mots.",
            "en": "This is ln(N/df) + 1, without smoothing. Add 1 to both parts: ln((1 + N)/(1 + df)) + 1, as if there "
            "were one more document, which contains every word.",
        },
    ),
    Misconception(
        "no_plus_one",
        variant(rarity=lambda n, df: log((1 + n) / (1 + df))),
        {
            "fr": "Il manque le + 1 après le logarithme : un mot présent dans tous les documents pèse 0 et n’existe "
            "plus. Ajoutez 1 hors du logarithme.",
            "en": "The + 1 after the logarithm is missing: a word that every document contains weighs 0 and no longer "
            "exists. Add 1 outside the logarithm.",
        },
    ),
    Misconception(
        "negative_idf",
        variant(rarity=lambda n, df: log(n / (1 + df))),
        {
            "fr": "C’est ln(N/(1 + df)) : un mot présent dans tous les documents reçoit un poids négatif. Prenez "
            "ln((1 + N)/(1 + df)) + 1, qui vaut toujours au moins 1.",
            "en": "This is ln(N/(1 + df)): a word found in every document gets a negative weight. Take "
            "ln((1 + N)/(1 + df)) + 1, which is never below 1.",
        },
    ),
    Misconception(
        "bm25_idf",
        variant(rarity=bm25_idf),
        {
            "fr": "C’est l’idf de BM25, du chapitre 02. Ici c’est celui de scikit-learn : ln((1 + N)/(1 + df)) + 1.",
            "en": "This is BM25's idf, of chapter 02. Here it is scikit-learn's: ln((1 + N)/(1 + df)) + 1.",
        },
    ),
    Misconception(
        "log10",
        variant(frequency=lambda tf: 1 + log10(tf), rarity=lambda n, df: log10((1 + n) / (1 + df)) + 1),
        {
            "fr": "Vous prenez le logarithme décimal. Il faut le népérien : math.log ou np.log.",
            "en": "You take the logarithm to base 10. It has to be the natural one: math.log or np.log.",
        },
    ),
    Misconception(
        "occurrences_for_df",
        variant(counted=lambda documents, token: sum(list(tokens).count(token) for tokens in documents)),
        {
            "fr": "Votre df compte les occurrences. df est un nombre de documents : un mot répété dans un document n’y "
            "compte qu’une fois. Comptez sur set(tokens).",
            "en": "Your df counts occurrences. df is a number of documents: a word repeated within one counts once. "
            "Count over set(tokens).",
        },
    ),
    Misconception(
        "no_norm",
        variant(norm=lambda matrix: matrix),
        {
            "fr": "Vos lignes ne sont pas de norme 1 : un document long aurait un vecteur plus long. Divisez chaque "
            "ligne par sa norme.",
            "en": "Your rows do not have norm 1, so a long document would have a longer vector. Divide each row by its "
            "norm.",
        },
    ),
    Misconception(
        "sum_one",
        variant(norm=sum_one),
        {
            "fr": "La somme de chaque ligne vaut 1. C’est la norme euclidienne qui doit valoir 1 : la racine de la "
            "somme des carrés.",
            "en": "Each of your rows sums to 1. It is the Euclidean norm that has to be 1: the square root of the sum "
            "of squares.",
        },
    ),
    Misconception(
        "norm_by_column",
        variant(norm=lambda matrix: unit_rows(matrix.T).T),
        {
            "fr": "Vous avez normalisé les colonnes, donc les mots. Ce sont les lignes, les documents, qui ont la "
            "norme 1 : axis=1.",
            "en": "You normalised the columns, hence the words. It is the rows, the documents, that have norm 1: "
            "axis=1.",
        },
    ),
    Misconception(
        "nan_for_empty",
        variant(norm=unguarded),
        {
            "fr": "Un document vide a la norme 0, et 0/0 donne nan. Laissez sa ligne à zéro : ne divisez que par les "
            "normes positives.",
            "en": "An empty document has norm 0, and 0/0 gives nan. Leave its row at zero: divide by positive norms "
            "only.",
        },
    ),
    Misconception(
        "zero_division",
        variant(norm=stopped_by_empty),
        {
            "fr": "Un document vide a la norme 0, et la division arrête votre fonction. Laissez sa ligne à zéro : ne "
            "divisez que par les normes positives.",
            "en": "An empty document has norm 0, and the division stops your function. Leave its row at zero: divide "
            "by positive norms only.",
        },
    ),
    Misconception(
        "unsorted",
        variant(order=list),
        {
            "fr": "Votre vocabulaire est dans l’ordre d’apparition. Triez-le avec sorted : les colonnes suivent son "
            "ordre.",
            "en": "Your vocabulary is in order of appearance. Sort it with sorted; the columns follow its order.",
        },
    ),
    Misconception(
        "case_folded_order",
        variant(order=lambda tokens: sorted(tokens, key=str.lower)),
        {
            "fr": "Vous triez sans distinguer majuscules et minuscules. Un simple sorted suffit : il compare les "
            "caractères tels qu’ils sont.",
            "en": "You sort without telling capitals from small letters. Plain sorted is enough: it compares "
            "characters as they are.",
        },
    ),
    Misconception(
        "transposed",
        transposed,
        {
            "fr": "Votre tableau a une ligne par mot. Il faut une ligne par document et une colonne par mot.",
            "en": "Your array has one row per word. It takes one row per document and one column per word.",
        },
    ),
    Misconception(
        "empty_left_out",
        empty_ones_left_out,
        {
            "fr": "Les documents vides ont perdu leur ligne : les numéros des suivants ne correspondent plus. Gardez-y "
            "une ligne de zéros.",
            "en": "Empty documents have lost their row, so later numbers no longer match. Keep a row of zeros for "
            "them.",
        },
    ),
)

TFIDF = Exercise(
    id="lsa.tfidf",
    chapter="03_lsa",
    entry="tfidf",
    title={"fr": "Les vecteurs TF-IDF", "en": "TF-IDF vectors"},
    points=3,
    importance=3,
    minutes=10,
    reference=tfidf,
    examples=(
        Example(
            ([["moteur", "moteur", "chauffe"], ["moteur", "tourne"]],),
            {
                "fr": "Un mot répété pèse plus, mais pas deux fois plus : 1 + ln 2. « chauffe », plus rare, a le plus "
                "grand idf.",
                "en": "A repeated word weighs more, but not twice as much: 1 + ln 2. The rarer word has the larger "
                "idf.",
            },
        ),
        Example(
            ([["lidar"], ["fusible"], ["batterie"]],),
            {
                "fr": "Un seul mot par document : chaque ligne a un seul 1, et les colonnes suivent l’ordre "
                "alphabétique.",
                "en": "One word per document: each row holds a single 1, and columns are in alphabetical order.",
            },
        ),
        Example(
            ([["robot", "lidar"], ["robot"], ["robot", "fusible", "fusible", "fusible"]],),
            {
                "fr": "« robot » est partout : son idf vaut 1, pas 0. Il compte encore.",
                "en": '"robot" is everywhere: its idf is 1, not 0. It still counts.',
            },
        ),
        Example(
            ([["a", "b"], [], ["b"]],),
            {
                "fr": "Un document vide garde sa ligne, faite de zéros, et compte dans N.",
                "en": "An empty document keeps its row, made of zeros, and counts in N.",
            },
        ),
        Example(
            ([["a", "b", "b"], ["c", "b", "b"], ["a", "c"]],),
            {
                "fr": "df compte des documents : « b », quatre fois dans deux documents, a le même idf que « a ».",
                "en": 'df counts documents: "b", four times in two documents, has the same idf as "a".',
            },
        ),
        Example(
            ([["œil", "Zone", "3,8", "v"], ["v", "v", "été"]],),
            {
                "fr": "L’ordre est celui de sorted : chiffres, majuscules, minuscules, puis lettres accentuées.",
                "en": "The order is that of sorted: digits, capitals, small letters, then accented ones.",
            },
        ),
        Example(
            ([[], []],),
            {
                "fr": "Aucun mot : un vocabulaire vide, et un tableau de deux lignes sans colonne.",
                "en": "No words at all: an empty vocabulary, and an array of two rows without a column.",
            },
        ),
        Example(
            (["le moteur chauffe"],),
            {
                "fr": "Un texte au lieu d’une liste de tokens serait lu lettre par lettre : levez une ValueError.",
                "en": "A string instead of a list of tokens would be read letter by letter: raise a ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=MISCONCEPTIONS,
    hints=(
        {
            "fr": "Trois temps : le vocabulaire trié et, pour chaque mot, df ; le tableau des poids, ligne par ligne, "
            "avec Counter ; enfin la norme de chaque ligne.",
            "en": "Three stages: the sorted vocabulary and the df of each word; the array of weights, row by row, with "
            "Counter; and last the norm of each row.",
        },
        {
            "fr": "Counter(token for tokens in documents for token in set(tokens)) donne tous les df. Un dictionnaire "
            "mot → colonne évite de chercher dans la liste.",
            "en": "Counter(token for tokens in documents for token in set(tokens)) gives every df. A dictionary "
            "word -> column saves searching the list.",
        },
        {
            "fr": "matrix[row, column] = (1 + log(tf)) * (log((1 + N) / (1 + df)) + 1), puis "
            "norms = np.linalg.norm(matrix, axis=1, keepdims=True) et matrix / np.where(norms > 0, norms, 1).",
            "en": "matrix[row, column] = (1 + log(tf)) * (log((1 + N) / (1 + df)) + 1), then "
            "norms = np.linalg.norm(matrix, axis=1, keepdims=True) and matrix / np.where(norms > 0, norms, 1).",
        },
    ),
)
