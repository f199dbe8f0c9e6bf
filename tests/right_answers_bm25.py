"""Right answers to the exercises of chapter 02, each written as another reader would write it.

None of them imports the reference: a check that fails one of them punishes a right answer.
"""

import math
import re
import unicodedata
from collections import Counter, defaultdict

import numpy as np

ELIDED = ["c", "d", "j", "l", "m", "n", "s", "t", "qu", "jusqu", "lorsqu", "puisqu", "quoiqu"]


def tokenize_by_regex(text):
    text = unicodedata.normalize("NFC", text).lower().replace("’", "'")
    text = re.sub(r"\b(" + "|".join(sorted(ELIDED, key=len, reverse=True)) + r")'", " ", text)
    return [match.group() for match in re.finditer(r"[^\W_]+(?:(?<=\d)[.,](?=\d)[^\W_]+)*", text)]


def tokenize_by_loop(text):
    text = unicodedata.normalize("NFC", text).lower()
    tokens, word = [], ""
    for i, character in enumerate(text + " "):
        between_digits = character in ".," and word[-1:].isdigit() and i + 1 < len(text) and text[i + 1].isdigit()
        if character.isalnum() or between_digits:
            word += character
        else:
            if word and not (character in "'’" and word in ELIDED):
                tokens.append(word)
            word = ""
    return tokens


def tokenize_by_generator(text):
    text = unicodedata.normalize("NFC", text.lower())
    for piece in re.findall(r"(?:[^\W_]|(?<=\d)[,.](?=\d))+['’]?", text):
        if piece[-1] not in "'’":
            yield piece
        elif piece[:-1] not in ELIDED:
            yield piece[:-1]


def inverted_index_by_defaultdict(documents):
    index = defaultdict(list)
    for doc, tokens in enumerate(documents):
        if isinstance(tokens, str):
            raise ValueError("documents must hold lists of tokens")
        for token in sorted(set(tokens)):
            index[token].append((doc, tokens.count(token)))
    return index


def inverted_index_by_comprehension(documents):
    if any(isinstance(tokens, str) for tokens in documents):
        raise ValueError("a document is a str")
    vocabulary = {token for tokens in documents for token in tokens}
    return {
        token: tuple([doc, tokens.count(token)] for doc, tokens in enumerate(documents) if token in tokens)
        for token in vocabulary
    }


def inverted_index_by_counters(documents):
    index = {}
    for doc in range(len(documents)):
        if not isinstance(documents[doc], (list, tuple)):
            raise ValueError(f"documents[{doc}] must be a list of tokens")
        for token in documents[doc]:
            index.setdefault(token, Counter())[doc] += 1
    return {token: counts.items() for token, counts in index.items()}


def bim_weight_by_logits(p, u):
    def logit(x):
        return math.log(x) - math.log1p(-x)

    return logit(p) - logit(u)


def bim_weight_by_numpy(p, u):
    return np.log(np.float64(p) / (1 - p) * (1 - u) / u)


def bim_weight_as_two_differences(p, u):
    present = math.log(p / u)
    absent = math.log((1 - p) / (1 - u))
    return present - absent


def idf_by_log1p(n_docs, doc_freq):
    return math.log1p((n_docs - doc_freq + 0.5) / (doc_freq + 0.5))


def idf_simplified(n_docs, doc_freq):
    return np.log(n_docs + 1) - np.log(doc_freq + 0.5)


def idf_in_decimal_digits(n_docs, doc_freq):
    without = n_docs - doc_freq + 0.5
    return math.log10(1 + without / (0.5 + doc_freq)) * math.log(10)


def term_weight_in_steps(tf, doc_len, avg_len, k1=1.5, b=0.75):
    norm = 1 - b
    norm += b * (doc_len / avg_len)
    return (tf * (k1 + 1)) / (tf + k1 * norm)


def term_weight_by_arrays(tf, doc_len, avg_len, k1=1.5, b=0.75):
    tf = np.asarray(tf, dtype=float)
    return (k1 + 1) / (1 + k1 * (1 - b + b * np.divide(doc_len, avg_len)) / tf) if tf else np.float64(0)


def term_weight_as_saturation(tf, doc_len, avg_len, k1=1.5, b=0.75):
    half = k1 * ((1 - b) + b * doc_len / avg_len)
    return 0 if tf == 0 else (k1 + 1) * (1 - half / (tf + half))


def refuse(query, documents, k1=1.5, b=0.75):
    if isinstance(query, str) or any(isinstance(tokens, str) for tokens in documents):
        raise ValueError("token lists are needed")
    if k1 < 0 or not 0 <= b <= 1:
        raise ValueError("k1 or b is out of range")


def bm25_scores_by_loops(query, documents, k1=1.5, b=0.75):
    refuse(query, documents, k1, b)
    scores = []
    for tokens in documents:
        average = sum(map(len, documents)) / len(documents)
        score = 0.0
        for token in query:
            tf = tokens.count(token)
            if tf:
                n = sum(1 for other in documents if token in other)
                weight = tf * (k1 + 1) / (tf + k1 * (1 - b + b * len(tokens) / average))
                score += math.log(1 + (len(documents) - n + 0.5) / (n + 0.5)) * weight
        scores.append(score)
    return scores


def bm25_scores_by_matrix(query, documents, k1=1.5, b=0.75):
    refuse(query, documents, k1, b)
    terms = sorted(set(query))
    frequency = np.array([[tokens.count(term) for term in terms] for tokens in documents], dtype=float)
    frequency = frequency.reshape(len(documents), len(terms))
    lengths = np.array([len(tokens) for tokens in documents], dtype=float)
    ratio = lengths / lengths.mean() if lengths.sum() else np.ones(len(documents))
    n = (frequency > 0).sum(axis=0)
    rarity = np.log1p((len(documents) - n + 0.5) / (n + 0.5))
    below = frequency + k1 * (1 - b + b * ratio)[:, None]
    weights = np.divide(frequency * (k1 + 1), below, out=np.zeros_like(below), where=below > 0)
    return weights @ (rarity * [query.count(term) for term in terms])


def bm25_scores_by_postings(query, documents, k1=1.5, b=0.75):
    refuse(query, documents, k1, b)
    postings = inverted_index_by_defaultdict(documents)
    total = sum(len(tokens) for tokens in documents)
    scores = dict.fromkeys(range(len(documents)), 0.0)
    for token, repeated in Counter(query).items():
        found = postings.get(token, [])
        for doc, tf in found:
            weight = term_weight_as_saturation(tf, len(documents[doc]), total / len(documents), k1, b)
            scores[doc] += repeated * idf_by_log1p(len(documents), len(found)) * weight
    return scores.values()


def bm25_search_by_sorted(query, documents, k=3):
    if k <= 0:
        raise ValueError("k must be positive")
    scores = bm25_scores_by_loops(query, documents)
    best = sorted((-score, doc) for doc, score in enumerate(scores) if score > 0)
    return (doc for _, doc in best[:k])


def bm25_search_by_lexsort(query, documents, k=3):
    if k < 1:
        raise ValueError("k < 1")
    scores = np.asarray(bm25_scores_by_loops(query, documents))
    order = np.lexsort((np.arange(len(scores)), -scores))
    return order[scores[order] > 0][:k]


def bm25_search_by_picking(query, documents, k=3):
    if k < 1:
        raise ValueError("k must be at least 1")
    left = dict(enumerate(bm25_scores_by_postings(query, documents)))
    found = []
    while left and len(found) < k:
        best = max(left, key=left.get)  # max keeps the first of equals: the lower number
        if left.pop(best) <= 0:
            break
        found.append(best)
    return np.array(found, dtype=int)


def explain_by_comprehension(query, documents, doc):
    refuse(query, documents)
    return {token: query.count(token) * bm25_scores_by_matrix([token], documents)[doc] for token in set(query)}


def explain_by_counter(query, documents, doc):
    refuse(query, documents)
    parts = Counter()
    for token in query:
        if token in documents[doc]:
            parts[token] += bm25_scores_by_loops([token], documents)[doc]
    return parts


def explain_by_leaving_out(query, documents, doc):
    whole = bm25_scores_by_matrix(query, documents)[doc]
    parts = {}
    for token in query:
        others = [other for other in query if other != token]
        parts[token] = whole - bm25_scores_by_matrix(others, documents)[doc]
    return parts


RIGHT_ANSWERS = {
    "bm25.tokenize": [tokenize_by_regex, tokenize_by_loop, tokenize_by_generator],
    "bm25.inverted_index": [
        inverted_index_by_defaultdict,
        inverted_index_by_comprehension,
        inverted_index_by_counters,
    ],
    "bm25.bim_weight": [bim_weight_by_logits, bim_weight_by_numpy, bim_weight_as_two_differences],
    "bm25.idf": [idf_by_log1p, idf_simplified, idf_in_decimal_digits],
    "bm25.term_weight": [term_weight_in_steps, term_weight_by_arrays, term_weight_as_saturation],
    "bm25.scores": [bm25_scores_by_loops, bm25_scores_by_matrix, bm25_scores_by_postings],
    "bm25.search": [bm25_search_by_sorted, bm25_search_by_lexsort, bm25_search_by_picking],
    "bm25.explain": [explain_by_comprehension, explain_by_counter, explain_by_leaving_out],
}
