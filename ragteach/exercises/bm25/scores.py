"""bm25.scores: every document's score against a query."""

from __future__ import annotations

from math import log
from typing import TYPE_CHECKING

import numpy as np

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.bm25.inputs import K1, B, corpora, queries
from ragteach.retrieval.bm25 import bm25_scores, idf, term_weight

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

DOCUMENTS = [
    ["le", "fusible", "protège", "le", "moteur"],
    ["le", "lidar", "tourne"],
    ["le", "moteur", "chauffe", "et", "le", "moteur", "ralentit"],
]


def inputs() -> SearchStrategy[tuple]:
    """Draw a query and a small corpus, with parameters in half of the cases."""
    from hypothesis import strategies as st

    texts = st.tuples(queries(), corpora())
    parameters = st.tuples(st.sampled_from(K1), st.sampled_from(B))
    return texts | st.tuples(texts, parameters).map(lambda drawn: drawn[0] + drawn[1])


def document_frequency(documents, token):
    return sum(token in tokens for tokens in documents)


def occurrences(documents, token):
    return sum(list(tokens).count(token) for tokens in documents)


def variant(rarity=idf, weight=term_weight, length=len, frequency=document_frequency, terms=list):
    """Make a BM25 as the reference's, document after document, with some of its parts exchanged."""

    def scores(query, documents, k1=1.5, b=0.75):
        lengths = [length(tokens) for tokens in documents]
        average = sum(lengths) / len(lengths) if lengths else 0.0
        result = np.zeros(len(documents))
        for token in terms(query):
            n = frequency(documents, token)
            for doc, tokens in enumerate(documents):
                if token in tokens:
                    tf = list(tokens).count(token)
                    result[doc] += rarity(len(documents), n) * weight(tf, lengths[doc], average, k1, b)
        return result

    return scores


def original_idf(n_docs, doc_freq):
    return log((n_docs - doc_freq + 0.5) / (doc_freq + 0.5))


def okapi(query, documents, k1=1.5, b=0.75):
    """Score as rank-bm25's BM25Okapi does: negative idfs become a quarter of the vocabulary's mean."""
    vocabulary = {token for tokens in documents for token in tokens}
    rarity = {token: original_idf(len(documents), document_frequency(documents, token)) for token in vocabulary}
    mean = sum(rarity.values()) / len(rarity) if rarity else 0.0
    patched = {token: value if value >= 0 else 0.25 * mean for token, value in rarity.items()}
    # Each term alone, so that its own idf can be used.
    parts = [variant(rarity=lambda N, n, t=token: patched.get(t, 0.0))([token], documents, k1, b) for token in query]
    return sum(parts, np.zeros(len(documents)))


def average_of_matches(query, documents, k1=1.5, b=0.75):
    scores = np.zeros(len(documents))
    for token in query:
        found = [doc for doc, tokens in enumerate(documents) if token in tokens]
        for doc in found:
            average = sum(len(documents[i]) for i in found) / len(found)
            tf, length = documents[doc].count(token), len(documents[doc])
            scores[doc] += idf(len(documents), len(found)) * term_weight(tf, length, average, k1, b)
    return scores


def matches_only(query, documents, k1=1.5, b=0.75):
    scores = bm25_scores(query, documents, k1, b)
    return scores[scores > 0]


def pairs_by_score(query, documents, k1=1.5, b=0.75):
    scores = bm25_scores(query, documents, k1, b)
    return sorted(enumerate(scores), key=lambda pair: -pair[1])


def unknown_term_fails(query, documents, k1=1.5, b=0.75):
    known = {token for tokens in documents for token in tokens}
    for token in query:
        if token not in known:
            raise KeyError(token)
    return bm25_scores(query, documents, k1, b)


def empty_corpus_fails(query, documents, k1=1.5, b=0.75):
    if len(documents) == 0:
        raise ZeroDivisionError("division by zero")
    return bm25_scores(query, documents, k1, b)


def empty_documents_fail(query, documents, k1=1.5, b=0.75):
    if sum(len(tokens) for tokens in documents) == 0:
        raise ZeroDivisionError("division by zero")
    return bm25_scores(query, documents, k1, b)


MISCONCEPTIONS = (
    Misconception(
        "no_length",
        variant(weight=lambda tf, doc_len, avg_len, k1, b: term_weight(tf, doc_len, avg_len, k1, 0)),
        {
            "fr": "Vos scores sont ceux d’un BM25 sans normalisation de longueur (b = 0). Passez à term_weight la "
            "longueur du document, la longueur moyenne et b.",
            "en": "Your scores are those of a BM25 without length normalisation (b = 0). Give term_weight the "
            "document's length, the average length and b.",
        },
    ),
    Misconception(
        "no_saturation",
        variant(weight=lambda tf, *_: tf),
        {
            "fr": "Vous additionnez idf · tf : la fréquence ne sature pas, et la longueur ne compte pas. Remplacez tf "
            "par term_weight(tf, …).",
            "en": "You add up idf · tf: frequency does not saturate, and length does not count. Replace tf by "
            "term_weight(tf, …).",
        },
    ),
    Misconception(
        "presence_only",
        variant(weight=lambda *_: 1.0),
        {
            "fr": "Vous additionnez les idf des mots présents, sans leur fréquence. Multipliez chaque idf par "
            "term_weight(tf, …).",
            "en": "You add up the idf of the words present, without their frequency. Multiply each idf by "
            "term_weight(tf, …).",
        },
    ),
    Misconception(
        "no_idf",
        variant(rarity=lambda *_: 1.0),
        {
            "fr": "Vous additionnez les term_weight sans l’idf : « le » pèse autant que « fusible ». Multipliez "
            "chacun par l’idf de son mot.",
            "en": 'You add up term_weight without idf: "the" weighs as much as "fuse". Multiply each by the idf of its '
            "word.",
        },
    ),
    Misconception(
        "common_words_counted",
        variant(rarity=lambda *_: 1.0, weight=lambda *_: 1.0),
        {
            "fr": "Vous comptez les mots communs à la question et au document. Chacun doit apporter idf · term_weight "
            "au lieu de 1.",
            "en": "You count the words that query and document share. Each should add idf · term_weight instead of 1.",
        },
    ),
    Misconception(
        "no_k1_plus_1",
        variant(weight=lambda tf, doc_len, avg_len, k1, b: term_weight(tf, doc_len, avg_len, k1, b) / (k1 + 1)),
        {
            "fr": "Il manque le facteur k1 + 1. L’ordre des documents est juste, car c’est ainsi que Lucene les "
            "note ; pour les valeurs demandées, multipliez tf par (k1 + 1).",
            "en": "The factor k1 + 1 is missing. The order of documents is right, for Lucene scores them this way; "
            "for the values asked for, multiply tf by (k1 + 1).",
        },
    ),
    Misconception(
        "log10",
        variant(rarity=lambda N, n: idf(N, n) / log(10)),
        {
            "fr": "Vos idf sont en logarithme décimal. Prenez le logarithme népérien, math.log ou np.log.",
            "en": "Your idf uses the logarithm to base 10. Take the natural one, math.log or np.log.",
        },
    ),
    Misconception(
        "no_plus_one",
        variant(rarity=original_idf),
        {
            "fr": "Il manque le 1 dans le logarithme de l’idf : un mot présent dans la moitié des documents ne compte "
            "plus, un mot plus fréquent enlève des points. Utilisez votre fonction idf.",
            "en": "The 1 inside the logarithm of idf is missing: a word found in half the documents no longer counts, "
            "and a more frequent one takes points away. Use your function idf.",
        },
    ),
    Misconception(
        "rank_bm25",
        okapi,
        {
            "fr": "Ce sont les scores de rank-bm25 : son idf vaut 0 pour un mot présent dans la moitié des documents, "
            "et les valeurs négatives y sont remplacées par une part de la moyenne. Utilisez votre fonction idf.",
            "en": "These are rank-bm25's scores: its idf is 0 for a word found in half the documents, and negative "
            "values are replaced by a share of the mean. Use your function idf.",
        },
    ),
    Misconception(
        "no_smoothing",
        variant(rarity=lambda N, n: log(N / n)),
        {
            "fr": "Votre idf est ln(N/n) : un mot présent dans tous les documents n’y compte pas du tout. Utilisez "
            "votre fonction idf, avec ses 0,5 et son 1.",
            "en": "Your idf is ln(N/n): a word found in every document does not count at all. Use your function idf, "
            "with its halves and its 1.",
        },
    ),
    Misconception(
        "occurrences_as_documents",
        variant(
            rarity=lambda N, n: log((N - n + 0.5) / (n + 0.5) + 1),
            frequency=occurrences,
        ),
        {
            "fr": "Votre n compte les occurrences du mot dans tout le corpus. L’idf demande le nombre de documents "
            "qui le contiennent : la longueur de sa liste dans l’index.",
            "en": "Your n counts the word's occurrences in the whole corpus. The idf needs the number of documents "
            "that contain it: the length of its list in the index.",
        },
    ),
    Misconception(
        "distinct_words_as_length",
        variant(length=lambda tokens: len(set(tokens))),
        {
            "fr": "Vous mesurez les documents en mots distincts. La longueur est le nombre de tokens, répétitions "
            "comprises : len(tokens).",
            "en": "You count distinct words only. A document's length is the number of tokens, repetitions included: "
            "len(tokens).",
        },
    ),
    Misconception(
        "average_of_matches",
        average_of_matches,
        {
            "fr": "Votre longueur moyenne ne porte que sur les documents qui contiennent le mot. Calculez-la une "
            "fois, sur tous les documents reçus, vides compris.",
            "en": "Your average length covers only the documents that contain the word. Compute it once, over all the "
            "documents given, empty ones included.",
        },
    ),
    Misconception(
        "length_upside_down",
        variant(weight=lambda tf, doc_len, avg_len, k1, b: term_weight(tf, avg_len, doc_len, k1, b)),
        {
            "fr": "La longueur du document et la moyenne sont échangées : les longs documents gagnent. L’ordre est "
            "term_weight(tf, doc_len, avg_len, …).",
            "en": "The document's length and the average are swapped, so long documents win. The order is "
            "term_weight(tf, doc_len, avg_len, …).",
        },
    ),
    Misconception(
        "query_as_set",
        variant(terms=dict.fromkeys),
        {
            "fr": "Un mot répété dans la question ne compte qu’une fois. Parcourez la question telle qu’elle est, sans "
            "set : chaque répétition ajoute sa part.",
            "en": "A word repeated in the query counts only once. Go through the query as it is, without a set: every "
            "repetition adds its share.",
        },
    ),
    Misconception(
        "parameters_ignored",
        variant(weight=lambda tf, doc_len, avg_len, k1, b: term_weight(tf, doc_len, avg_len)),
        {
            "fr": "Vos scores sont justes pour k1 = 1,5 et b = 0,75 seulement. Transmettez k1 et b à term_weight.",
            "en": "Your scores are right for k1 = 1.5 and b = 0.75 only. Pass k1 and b on to term_weight.",
        },
    ),
    Misconception(
        "sorted_scores",
        lambda query, documents, k1=1.5, b=0.75: np.sort(bm25_scores(query, documents, k1, b))[::-1],
        {
            "fr": "Les valeurs sont justes, mais triées : on ne sait plus à quel document elles appartiennent. Rendez "
            "le score du document i à la place i.",
            "en": "The values are right, but sorted: nobody can tell which document they belong to. Put document i's "
            "score at index i.",
        },
    ),
    Misconception(
        "pairs_by_score",
        pairs_by_score,
        {
            "fr": "Vous rendez des couples (document, score) classés. Rendez seulement les scores, un par document, "
            "dans l’ordre des documents ; le classement viendra avec bm25_search.",
            "en": "You return ranked pairs (document, score). Return the scores alone, one per document, in the order "
            "of the documents; ranking comes with bm25_search.",
        },
    ),
    Misconception(
        "matches_only",
        matches_only,
        {
            "fr": "Les documents sans aucun mot de la question manquent. Il faut un score par document : le leur "
            "est 0.",
            "en": "Documents that contain no word of the query are missing. There must be one score per document: "
            "theirs is 0.",
        },
    ),
    Misconception(
        "unknown_term_fails",
        unknown_term_fails,
        {
            "fr": "Votre fonction s’arrête sur un mot qu’aucun document ne contient. Il n’apporte rien : "
            "index.get(token, []) donne alors une liste vide.",
            "en": "Your function stops at a word that no document contains. It adds nothing, and that is all: "
            "index.get(token, []) gives an empty list.",
        },
    ),
    Misconception(
        "empty_corpus_fails",
        empty_corpus_fails,
        {
            "fr": "Sans document, la longueur moyenne est une division par zéro. Traitez ce cas : il n’y a aucun "
            "score à rendre, donc un tableau vide.",
            "en": "Without documents the average length is a division by zero. Handle that case: there is no score to "
            "return, so return an empty array.",
        },
    ),
    Misconception(
        "empty_documents_fail",
        empty_documents_fail,
        {
            "fr": "Une division par zéro : sans document, leur nombre vaut 0 ; quand ils sont tous vides, c’est leur "
            "longueur moyenne. Traitez le premier cas, et ne calculez un poids que pour les mots présents : les "
            "listes de l’index s’en chargent.",
            "en": "When all documents are empty the average length is 0 and nothing can be divided by it. Compute a "
            "weight only for words that are present: the lists of the index take care of that.",
        },
    ),
)

SCORES = Exercise(
    id="bm25.scores",
    chapter="02_bm25",
    entry="bm25_scores",
    title={"fr": "Les scores BM25", "en": "BM25 scores"},
    points=3,
    importance=3,
    minutes=10,
    reference=bm25_scores,
    uses=("bm25.inverted_index", "bm25.idf", "bm25.term_weight"),
    examples=(
        Example(
            (["moteur", "gps"], DOCUMENTS),
            {
                "fr": "« moteur » note deux documents ; « gps », que personne ne contient, n’ajoute rien.",
                "en": '"moteur" scores two documents; "gps", which none contains, adds nothing.',
            },
        ),
        Example(
            (["le", "moteur", "chauffe"], DOCUMENTS),
            {
                "fr": "Chaque mot de la question ajoute sa part ; « le », partout présent, compte peu.",
                "en": 'Each word of the query adds its share; "le", which is everywhere, counts for little.',
            },
        ),
        Example(
            (["robot", "fuse"], [["robot", "fuse"], ["robot", "lidar"]]),
            {
                "fr": "Un mot présent dans tous les documents et un mot présent dans la moitié : les deux comptent, "
                "aucun ne nuit.",
                "en": "A word in every document and a word in half of them: both count, and neither does harm.",
            },
        ),
        Example(
            (["fuse", "fuse"], [["fuse", "5", "a"], ["battery"]]),
            {
                "fr": "Un mot répété dans la question compte deux fois, comme dans Lucene.",
                "en": "A word repeated in the query counts twice, as in Lucene.",
            },
        ),
        Example(
            (["moteur", "lidar"], DOCUMENTS, 1.2, 0.3),
            {
                "fr": "Avec d’autres paramètres, d’autres scores.",
                "en": "Other parameters, other scores.",
            },
        ),
        Example(
            (["robot"], [[], []]),
            {
                "fr": "Tous les documents sont vides : la longueur moyenne est 0, et les scores aussi.",
                "en": "All documents are empty: the average length is 0, and so are the scores.",
            },
        ),
        Example(
            (["robot"], []),
            {"fr": "Aucun document : aucun score.", "en": "No document: no score."},
        ),
        Example(
            ("robot", [["robot", "lidar"], ["fuse"]]),
            {
                "fr": "Une question qui est un texte serait lue lettre par lettre : levez une ValueError.",
                "en": "A query that is a string would be read letter by letter: raise a ValueError.",
            },
        ),
        Example(
            (["robot"], [["robot", "lidar"], ["fuse"]], 1.5, 1.2),
            {
                "fr": "b hors de [0, 1] n’a pas de sens : levez une ValueError.",
                "en": "A b outside [0, 1] makes no sense: raise a ValueError.",
            },
        ),
        Example(
            (["robot"], [["robot", "lidar"], ["fuse"]], -1.0),
            {
                "fr": "Un k1 négatif n’a pas de sens : levez une ValueError.",
                "en": "A negative k1 makes no sense: raise a ValueError.",
            },
        ),
        Example(
            (["robot"], [["robot", "lidar"], "robot"]),
            {
                "fr": "Un document qui est un texte serait lu lettre par lettre : levez une ValueError.",
                "en": "A document that is a string would be read letter by letter: raise a ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=MISCONCEPTIONS,
    hints=(
        {
            "fr": "Assemblez ce que vous avez : inverted_index donne, pour un mot, les documents et les fréquences ; "
            "idf et term_weight donnent les deux facteurs de chaque part.",
            "en": "Put together what you have: inverted_index gives a word's documents and frequencies; idf and "
            "term_weight give the two factors of each share.",
        },
        {
            "fr": "Calculez une fois l’index, les longueurs et leur moyenne (attention à un corpus vide). Partez de "
            "np.zeros(len(documents)), puis, pour chaque mot de la question, parcourez index.get(token, []).",
            "en": "Compute the index, the lengths and their mean once (mind an empty corpus). Start from "
            "np.zeros(len(documents)), then go through index.get(token, []) for each word of the query.",
        },
        {
            "fr": "Dans la boucle, pour chaque couple doc, tf : scores[doc] += idf(N, len(postings)) * term_weight(tf, "
            "lengths[doc], avg_len, k1, b). Avant tout cela, refusez par une ValueError une question qui est un str, "
            "un k1 négatif et un b hors de [0, 1].",
            "en": "In the loop, for each pair doc, tf: scores[doc] += idf(N, len(postings)) * term_weight(tf, "
            "lengths[doc], avg_len, k1, b). Before all that, reject a query that is a str, a negative k1 and a b "
            "outside [0, 1] with a ValueError.",
        },
    ),
)
