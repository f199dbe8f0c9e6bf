"""BM25, one function a formula (Robertson & Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond, 2009).

A document and a query are lists of tokens. Documents are numbered 0 to N-1.
"""

from collections import Counter
from collections.abc import Sequence
from math import log

import numpy as np

from ragteach.retrieval.arguments import at_least, between, require, token_list, token_lists

Tokens = Sequence[str]


def inverted_index(documents: Sequence[Tokens]) -> dict[str, list[tuple[int, int]]]:
    """Map each token to its postings: the pairs (document, term frequency), by increasing document.

    Raises ValueError where a document is a str instead of a list of tokens.
    """
    token_lists("documents", documents)
    index: dict[str, list[tuple[int, int]]] = {}
    for doc, tokens in enumerate(documents):
        for token, tf in Counter(tokens).items():
            index.setdefault(token, []).append((doc, tf))
    return index


def bim_weight(p: float, u: float) -> float:
    """Weigh a term by the binary independence model: ln(p(1-u) / (u(1-p))).

    p is the probability that a relevant document holds the term, u that a non-relevant one does (Robertson &
    Spärck Jones, 1976). Raises ValueError unless both lie strictly between 0 and 1.
    """
    for name, value in (("p", p), ("u", u)):
        require(0 < value < 1, f"{name} must lie strictly between 0 and 1, not {value}.")
    return log(p * (1 - u) / (u * (1 - p)))


def idf(n_docs: int, doc_freq: int) -> float:
    """Give the inverse document frequency ln((N - n + 0.5) / (n + 0.5) + 1), which is never negative.

    This is Lucene's form: the 1 inside the logarithm keeps a term that stands in most documents from counting
    against those that hold it. Raises ValueError unless 0 <= doc_freq <= n_docs < infinity.
    """
    at_least("n_docs", n_docs, 0)
    between("doc_freq", doc_freq, 0, n_docs)
    return log((n_docs - doc_freq + 0.5) / (doc_freq + 0.5) + 1)


def term_weight(tf: float, doc_len: float, avg_len: float, k1: float = 1.5, b: float = 0.75) -> float:
    """Give the saturated, length-normalised term frequency tf(k1+1) / (tf + k1(1 - b + b·doc_len/avg_len)).

    Lengths are numbers of tokens. A term that is absent weighs 0, also in a corpus of empty documents.
    Raises ValueError where tf, doc_len, avg_len or k1 is negative or b lies outside [0, 1].
    """
    for name, value in (("tf", tf), ("doc_len", doc_len), ("avg_len", avg_len)):
        at_least(name, value, 0)
    check_parameters(k1, b)
    if tf == 0:
        return 0.0
    length_ratio = doc_len / avg_len if avg_len > 0 else 1.0
    return tf * (k1 + 1) / (tf + k1 * (1 - b + b * length_ratio))


def bm25_scores(query: Tokens, documents: Sequence[Tokens], k1: float = 1.5, b: float = 0.75) -> np.ndarray:
    """Score every document against the query: the sum of idf · term_weight over the query's tokens.

    Returns an array of shape (N,). A token of the query counts each time it is repeated, as in Lucene,
    rank-bm25 and bm25s; a token that no document holds adds 0. Raises ValueError where the query or a document
    is a str, k1 is negative or b lies outside [0, 1].
    """
    token_list("query", query)
    check_parameters(k1, b)
    index = inverted_index(documents)
    lengths = [len(tokens) for tokens in documents]
    scores = np.zeros(len(documents))
    avg_len = sum(lengths) / len(documents) if documents else 0.0
    for token in query:
        postings = index.get(token, [])
        weight = idf(len(documents), len(postings))
        for doc, tf in postings:
            scores[doc] += weight * term_weight(tf, lengths[doc], avg_len, k1, b)
    return scores


def bm25_search(query: Tokens, documents: Sequence[Tokens], k: int = 3) -> list[int]:
    """Return the k best documents, best first; ties: lower number first; only positive scores.

    Fewer than k documents come back where fewer match. Raises ValueError where k < 1, or as `bm25_scores` does.
    """
    at_least("k", k, 1)
    scores = bm25_scores(query, documents)
    ranking = np.argsort(-scores, kind="stable")[:k]
    return [int(doc) for doc in ranking if scores[doc] > 0]


def explain(query: Tokens, documents: Sequence[Tokens], doc: int) -> dict[str, float]:
    """Split a document's score into the contribution of each token of the query; they sum to the score.

    A repeated token has one entry, which counts all its repetitions; a token that the document lacks has 0.0.
    Raises ValueError where doc is not a document's number, or as `bm25_scores` does.
    """
    token_list("query", query)
    require(0 <= doc < len(documents), f"doc must be the number of one of the {len(documents)} documents, not {doc}.")
    return {token: float(bm25_scores([token] * n, documents)[doc]) for token, n in Counter(query).items()}


def check_parameters(k1: float, b: float) -> None:
    """Raise ValueError where k1 or b lies outside the range in which BM25 is defined."""
    at_least("k1", k1, 0)
    between("b", b, 0, 1)
