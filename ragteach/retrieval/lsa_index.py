"""LSA over an index that is built once and asked many times."""

import json
from collections.abc import Sequence
from os import PathLike

import numpy as np

from ragteach.retrieval.arguments import at_least, token_list, token_lists
from ragteach.retrieval.dense import rank, unit_rows
from ragteach.retrieval.lsa import Tokens, lsa_embed, lsa_fit, smooth_idfs, tfidf_rows
from ragteach.retrieval.storage import load_arrays, save_arrays


class LSAIndex:
    """Embeddings of documents by TF-IDF and a truncated singular value decomposition, searched by cosine.

    idfs maps each of the V tokens to its inverse document frequency, columns to its column; components has shape
    (dims, V) and embeddings (N, dims), with rows of norm 1. n_distances counts the inner products that searches have
    computed so far.
    """

    def __init__(self, documents: Sequence[Tokens], dims: int = 100) -> None:
        """Index documents, given as lists of tokens.

        There are fewer dimensions than `dims` where the documents have no more of their own. Raises ValueError where
        a document is a str or dims < 1.
        """
        token_lists("documents", documents)
        self.idfs = smooth_idfs(documents)
        weights = unit_rows(tfidf_rows(documents, self.idfs))
        self.components, _ = lsa_fit(weights, dims)
        self.embeddings = lsa_embed(weights, self.components)
        self.columns = {token: column for column, token in enumerate(self.idfs)}
        self.n_distances = 0

    def embed(self, texts: Sequence[Tokens]) -> np.ndarray:
        """Give the embeddings of texts, shape (n, dims), whether they are documents or questions.

        Tokens that no indexed document holds are left out; a text of such tokens only has a row of zeros. Raises
        ValueError where a text is a str instead of a list of tokens.
        """
        token_lists("texts", texts)
        # Only the columns of tokens that the texts hold are read: all others would be multiplied by zero.
        known = sorted({token for tokens in texts for token in tokens if token in self.idfs})
        idfs = {token: self.idfs[token] for token in known}
        return lsa_embed(tfidf_rows(texts, idfs), self.components[:, [self.columns[token] for token in known]])

    def search(self, query: Tokens, k: int = 3) -> list[int]:
        """Return the k documents of the largest cosine with the query, best first; ties: lower number first.

        A query without any known token is like no document, and finds none. Raises ValueError where k < 1 or the
        query is a str.
        """
        at_least("k", k, 1)
        token_list("query", query)
        vector = self.embed([query])[0]
        if not vector.any():
            return []
        self.n_distances += len(self.embeddings)
        return rank(self.embeddings @ vector, k)

    def save(self, path: str | PathLike) -> None:
        """Write the index to one .npz file, which holds arrays and text only, no pickled object."""
        # JSON keeps any token as it is; an array of str would pad each to the longest, and drop a NUL at its end.
        vocabulary = np.frombuffer(json.dumps(list(self.idfs)).encode(), dtype=np.uint8)
        idfs = list(self.idfs.values())
        save_arrays(
            path, "LSAIndex", vocabulary=vocabulary, idfs=idfs, components=self.components, embeddings=self.embeddings
        )

    @classmethod
    def load(cls, path: str | PathLike) -> "LSAIndex":
        """Read an index that `save` wrote. Raises ValueError where the file is none, OSError where there is no file."""
        arrays = load_arrays(path, "LSAIndex")
        index = cls.__new__(cls)
        tokens = json.loads(arrays["vocabulary"].tobytes())
        index.idfs = dict(zip(tokens, arrays["idfs"].tolist(), strict=True))
        index.columns = {token: column for column, token in enumerate(tokens)}
        index.components, index.embeddings = arrays["components"], arrays["embeddings"]
        index.n_distances = 0
        return index
