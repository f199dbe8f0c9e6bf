"""bm25.inverted_index: from documents to postings."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.bm25.inputs import corpora
from ragteach.retrieval.bm25 import inverted_index

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def inputs() -> SearchStrategy[tuple]:
    """Draw small corpora."""
    from hypothesis import strategies as st

    return st.tuples(corpora())


def one_posting_an_occurrence(documents):
    index = {}
    for doc, tokens in enumerate(documents):
        for token in tokens:
            index.setdefault(token, []).append((doc, tokens.count(token)))
    return index


def occurrences_not_grouped(documents):
    index = {}
    for doc, tokens in enumerate(documents):
        for token in tokens:
            index.setdefault(token, []).append((doc, 1))
    return index


def one_list_for_all(documents):
    index = dict.fromkeys((token for tokens in documents for token in tokens), [])
    for doc, tokens in enumerate(documents):
        for token, tf in Counter(tokens).items():
            index[token].append((doc, tf))
    return index


def positions(documents):
    index = {}
    for doc, tokens in enumerate(documents):
        for token in dict.fromkeys(tokens):
            index.setdefault(token, []).append((doc, tokens.index(token)))
    return index


def corpus_counts(documents):
    return dict(Counter(token for tokens in documents for token in tokens))


def document_counts(documents):
    return {token: len(postings) for token, postings in inverted_index(documents).items()}


def by_frequency(documents):
    index = inverted_index(documents)
    return {token: sorted(postings, key=lambda posting: -posting[1]) for token, postings in index.items()}


MISCONCEPTIONS = (
    Misconception(
        "one_posting_an_occurrence",
        one_posting_an_occurrence,
        {
            "fr": "Un document où le mot revient deux fois figure deux fois dans sa liste. Parcourez les mots "
            "distincts du document, par exemple ceux de Counter(tokens), au lieu de tous ses mots.",
            "en": "A document that contains a word twice is listed twice. Go through the document's distinct words, "
            "those of Counter(tokens) for instance, rather than through all its words.",
        },
    ),
    Misconception(
        "occurrences_not_grouped",
        occurrences_not_grouped,
        {
            "fr": "Chaque occurrence ajoute son propre couple (doc, 1). Comptez d’abord les mots du document, puis "
            "ajoutez un seul couple par mot, avec son compte.",
            "en": "Every occurrence adds its own pair (doc, 1). Count the document's words first, then add one pair "
            "per word, with its count.",
        },
    ),
    Misconception(
        "binary_frequency",
        lambda documents: {t: [(doc, 1) for doc, _ in p] for t, p in inverted_index(documents).items()},
        {
            "fr": "La fréquence vaut toujours 1 : vous notez que le mot est présent, pas combien de fois. BM25 a "
            "besoin du compte ; Counter(tokens) le donne.",
            "en": "The frequency is always 1: you record that the word is there, not how often. BM25 needs the count; "
            "Counter(tokens) gives it.",
        },
    ),
    Misconception(
        "documents_only",
        lambda documents: {t: [doc for doc, _ in p] for t, p in inverted_index(documents).items()},
        {
            "fr": "Vos listes ne contiennent que des numéros de documents. Rendez des couples (document, fréquence).",
            "en": "Your lists contain document numbers only. Return pairs (document, frequency).",
        },
    ),
    Misconception(
        "pair_swapped",
        lambda documents: {t: [(tf, doc) for doc, tf in p] for t, p in inverted_index(documents).items()},
        {
            "fr": "Les couples sont à l’envers : (fréquence, document). Mettez le document d’abord.",
            "en": "Your pairs are the wrong way round: (frequency, document). Put the document first.",
        },
    ),
    Misconception(
        "numbered_from_1",
        lambda documents: {t: [(doc + 1, tf) for doc, tf in p] for t, p in inverted_index(documents).items()},
        {
            "fr": "Vos documents sont numérotés à partir de 1. Ils le sont ici à partir de 0, comme les indices de "
            "Python : enumerate(documents) suffit.",
            "en": "You number documents from 1. Here they are numbered from 0, as Python's indices are: "
            "enumerate(documents) will do.",
        },
    ),
    Misconception(
        "dict_postings",
        lambda documents: {t: dict(p) for t, p in inverted_index(documents).items()},
        {
            "fr": "Les comptes sont justes, mais chaque mot mène à un dictionnaire. Rendez une liste de couples : "
            "list(d.items()) fait le passage.",
            "en": "The counts are right, but each word maps to a dictionary. Return a list of pairs: list(d.items()) "
            "turns the one into the other.",
        },
    ),
    Misconception(
        "by_document",
        lambda documents: {doc: list(Counter(tokens).items()) for doc, tokens in enumerate(documents)},
        {
            "fr": "Votre index va du document à ses mots ; c’est l’index direct. Inversez-le : la clé est le mot, la "
            "liste dit dans quels documents il se trouve.",
            "en": "Your index maps each document to its words; that is a forward index. Invert it: the key is the "
            "word, and the list says which documents contain it.",
        },
    ),
    Misconception(
        "one_counter_a_document",
        lambda documents: [Counter(tokens) for tokens in documents],
        {
            "fr": "Vous rendez les comptes de chaque document, l’un après l’autre. Il reste à les inverser : la clé "
            "est le mot, la liste dit dans quels documents il se trouve.",
            "en": "You return each document's counts, one after the other. They still have to be inverted: the key is "
            "the word, and the list says which documents contain it.",
        },
    ),
    Misconception(
        "last_document_only",
        lambda documents: {t: p[-1:] for t, p in inverted_index(documents).items()},
        {
            "fr": "Seul le dernier document de chaque mot est resté : vous remplacez la liste au lieu de l’allonger. "
            "Utilisez setdefault(token, []).append(…) ou un defaultdict(list).",
            "en": "Only the last document of each word is left: you replace the list instead of extending it. Use "
            "setdefault(token, []).append(…) or a defaultdict(list).",
        },
    ),
    Misconception(
        "one_list_for_all",
        one_list_for_all,
        {
            "fr": "Tous les mots partagent une même liste : dict.fromkeys(mots, []) n’en crée qu’une. Créez-en une "
            "par mot, avec setdefault(token, []) ou un defaultdict(list).",
            "en": "All words share one list: dict.fromkeys(words, []) makes only one. Make one for each word, with "
            "setdefault(token, []) or a defaultdict(list).",
        },
    ),
    Misconception(
        "positions",
        positions,
        {
            "fr": "Le second nombre est la position du mot dans le document. Rendez le nombre de fois "
            "qu’il y apparaît.",
            "en": "Your second number is the word's position in the document. Return how many times it appears there.",
        },
    ),
    Misconception(
        "corpus_counts",
        corpus_counts,
        {
            "fr": "Vous rendez le nombre total d’occurrences de chaque mot. Gardez le détail : pour chaque mot, une "
            "paire (document, fréquence) par document.",
            "en": "You return each word's total count. Keep the detail: for each word, one pair (document, frequency) "
            "per document.",
        },
    ),
    Misconception(
        "document_counts",
        document_counts,
        {
            "fr": "Vous rendez le nombre de documents qui contiennent chaque mot. C’est la longueur de la liste "
            "attendue : rendez la liste elle-même.",
            "en": "You return how many documents contain each word. That is the length of the list asked for: return "
            "the list itself.",
        },
    ),
    Misconception(
        "by_frequency",
        by_frequency,
        {
            "fr": "Vos listes sont triées par fréquence décroissante. Laissez-les par numéro de document croissant : "
            "il suffit de parcourir les documents dans l’ordre.",
            "en": "Your lists are sorted by decreasing frequency. Leave them in order of document number: going "
            "through the documents in order is enough.",
        },
    ),
)

INVERTED_INDEX = Exercise(
    id="bm25.inverted_index",
    chapter="02_bm25",
    entry="inverted_index",
    title={"fr": "Construire l’index inversé", "en": "Build the inverted index"},
    points=2,
    importance=3,
    minutes=6,
    reference=inverted_index,
    examples=(
        Example(
            ([["fusible", "moteur"], ["lidar", "moteur"]],),
            {
                "fr": "« moteur » est dans les documents 0 et 1, les deux autres mots dans un seul.",
                "en": '"moteur" appears in documents 0 and 1, the other two words in only one.',
            },
        ),
        Example(
            ([["le", "fusible", "protège", "le", "moteur"]],),
            {
                "fr": "« le » revient deux fois : un seul couple, de fréquence 2.",
                "en": '"le" appears twice: one pair, with frequency 2.',
            },
        ),
        Example(
            ([["fuse"], ["fuse", "5", "a", "fuse"], ["lidar"], ["fuse", "fuse", "fuse"]],),
            {
                "fr": "Les documents se suivent par numéro croissant, quelle que soit la fréquence ; le 2 n’a "
                "pas le mot.",
                "en": "Documents come in increasing order of number, whatever the frequency; number 2 is skipped.",
            },
        ),
        Example(
            ([[], ["odométrie"], []],),
            {
                "fr": "Un document vide garde son numéro et n’apparaît dans aucune liste.",
                "en": "An empty document keeps its number and appears in no list.",
            },
        ),
        Example(
            ([],),
            {"fr": "Sans document, l’index est vide.", "en": "Without documents the index is empty."},
        ),
        Example(
            ([["le", "robot"], "le robot"],),
            {
                "fr": "Un texte à la place d’une liste de tokens serait lu lettre par lettre : levez une ValueError.",
                "en": "A string in place of a list of tokens would be read letter by letter: raise a ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=MISCONCEPTIONS,
    hints=(
        {
            "fr": "Deux boucles : sur les documents et leur numéro (enumerate), puis sur les mots distincts du "
            "document et leur compte (collections.Counter).",
            "en": "Two loops: over the documents and their numbers (enumerate), then over the document's distinct "
            "words and their counts (collections.Counter).",
        },
        {
            "fr": "Partez de index = {}. Pour chaque document, refusez d’abord un str (isinstance) ; puis, pour "
            "chaque couple token, tf de Counter(tokens).items(), ajoutez (doc, tf) à index.setdefault(token, []).",
            "en": "Start from index = {}. For each document, reject a str first (isinstance); then, for each pair "
            "token, tf of Counter(tokens).items(), append (doc, tf) to index.setdefault(token, []).",
        },
    ),
)
