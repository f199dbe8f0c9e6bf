"""BM25 over an index that is built once and asked many times.

`bm25_scores` goes through every document at each query. Here each product idf · term_weight is computed once, when
the index is built, and put where a query finds it: the postings of all terms stand one after the other in two
arrays, `docs` and `weights`, and those of term number t are the slice starts[t]:starts[t + 1] (a sparse matrix in
compressed rows, one row a term). A query then adds up a few slices. Source: Lù, BM25S: orders of magnitude faster
lexical search via eager sparse scoring, 2024.
"""

import json
from collections import defaultdict
from collections.abc import Sequence
from itertools import chain
from os import PathLike
from zipfile import BadZipFile

import numpy as np

from ragteach.retrieval.arguments import at_least, token_list, token_lists
from ragteach.retrieval.bm25 import Tokens, check_parameters, idf


class BM25Index:
    """An inverted index with its weights, giving the scores of `ragteach.retrieval.bm25.bm25_scores`.

    n_docs is the number of documents, N; vocabulary maps a token to its number. Where P is the number of postings
    (pairs of a token and a document that holds it), docs has shape (P,) and type int64, which NumPy indexes fastest
    with, and weights (P,) and float64: 16 bytes a posting.
    """

    def __init__(self, documents: Sequence[Tokens], k1: float = 1.5, b: float = 0.75) -> None:
        """Index documents, given as lists of tokens.

        Raises ValueError where a document is a str, k1 is negative or b lies outside [0, 1].
        """
        token_lists("documents", documents)
        check_parameters(k1, b)
        self.n_docs = len(documents)
        lengths = np.array([len(tokens) for tokens in documents], dtype=np.int64)

        # A token met for the first time gets the next number.
        vocabulary: dict[str, int] = defaultdict(lambda: len(vocabulary))
        terms = np.fromiter(map(vocabulary.__getitem__, chain.from_iterable(documents)), np.int64, lengths.sum())
        self.vocabulary = dict(vocabulary)

        # Every token of the corpus is a pair (term, document). Written as one number, term · N + document, the
        # pairs sort by term, then by document, and a pair stands there as many times as its term frequency says.
        pairs = terms * self.n_docs + np.repeat(np.arange(self.n_docs), lengths)
        pairs, tf = np.unique(pairs, return_counts=True)
        terms, self.docs = np.divmod(pairs, max(self.n_docs, 1))
        doc_freqs = np.bincount(terms, minlength=len(vocabulary))
        self.starts = np.concatenate([[0], np.cumsum(doc_freqs)])

        # The same formulas, in the same order, as `term_weight` and `bm25_scores`: so are the numbers, to the bit.
        length_ratio = lengths / lengths.mean() if lengths.any() else np.ones(self.n_docs)
        term_weights = tf * (k1 + 1) / (tf + k1 * (1 - b + b * length_ratio[self.docs]))
        idfs = np.array([idf(self.n_docs, n) for n in doc_freqs.tolist()])
        self.weights = idfs[terms] * term_weights

    def scores(self, query: Tokens) -> np.ndarray:
        """Score every document against the query: an array of shape (N,), as `bm25_scores` gives it.

        Raises ValueError where the query is a str.
        """
        scores = np.zeros(self.n_docs)
        for docs, weights in self._postings(query):
            np.add.at(scores, docs, weights)  # scores[docs] += weights, and twice as fast
        return scores

    def search(self, query: Tokens, k: int = 3) -> list[int]:
        """Return the k best documents, best first; ties: lower number first; only positive scores.

        Raises ValueError where k < 1 or the query is a str.
        """
        at_least("k", k, 1)
        scores = self.scores(query)
        # Sorting every document that holds a frequent word would take longer than scoring it. No k documents are
        # better than the k best: so the k-th best score among the documents of one word is a bar that the k best of
        # all pass, ties included, and few others do. The rarest word that has k documents is the quickest to try.
        long_enough = [docs for docs, _ in self._postings(query) if len(docs) >= k]
        if long_enough:
            bar = np.partition(scores[min(long_enough, key=len)], -k)[-k]
            candidates = np.flatnonzero(scores >= bar)
        else:
            candidates = np.flatnonzero(scores)
        return candidates[np.argsort(-scores[candidates], kind="stable")[:k]].tolist()

    def _postings(self, query: Tokens) -> list[tuple[np.ndarray, np.ndarray]]:
        """Give the slices of docs and weights of each token of the query that the vocabulary holds."""
        token_list("query", query)
        terms = [self.vocabulary[token] for token in query if token in self.vocabulary]
        slices = [slice(self.starts[term], self.starts[term + 1]) for term in terms]
        return [(self.docs[s], self.weights[s]) for s in slices]

    def save(self, path: str | PathLike) -> None:
        """Write the index to one .npz file, which holds arrays and text only, no pickled object."""
        # A NumPy array of str would drop trailing NULs and pad every token to the longest: JSON does neither.
        vocabulary = np.frombuffer(json.dumps(list(self.vocabulary)).encode(), dtype=np.uint8)
        with open(path, "wb") as file:
            np.savez(
                file,
                n_docs=self.n_docs,
                vocabulary=vocabulary,
                starts=self.starts,
                docs=self.docs,
                weights=self.weights,
            )

    @classmethod
    def load(cls, path: str | PathLike) -> "BM25Index":
        """Read an index that `save` wrote. Raises ValueError where the file is none, OSError where there is no file."""
        index = cls.__new__(cls)
        try:
            with np.load(path, allow_pickle=False) as arrays:
                index.n_docs = int(arrays["n_docs"])
                tokens = json.loads(arrays["vocabulary"].tobytes())
                index.vocabulary = {token: number for number, token in enumerate(tokens)}
                index.starts, index.docs, index.weights = arrays["starts"], arrays["docs"], arrays["weights"]
        except (ValueError, KeyError, TypeError, EOFError, BadZipFile) as error:
            raise ValueError(f"{path} is not an index written by BM25Index.save.") from error
        return index
