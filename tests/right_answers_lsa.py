"""Right answers to the exercises of chapter 03, each written as another reader would write it.

None of them imports the reference: a check that fails one of them punishes a right answer.
"""

import math
from collections import Counter, defaultdict
from itertools import starmap

import numpy as np
from scipy.special import logsumexp
from sklearn.decomposition import TruncatedSVD
from sklearn.feature_extraction.text import TfidfVectorizer


def tfidf_by_loops(documents):
    vocabulary = []
    for tokens in documents:
        if isinstance(tokens, str):
            raise ValueError("documents must be lists of tokens")
        for token in tokens:
            if token not in vocabulary:
                vocabulary.append(token)
    vocabulary.sort()
    rows = []
    for tokens in documents:
        row = []
        for token in vocabulary:
            tf = tokens.count(token)
            df = sum(1 for other in documents if token in other)
            row.append((1 + math.log(tf)) * (1 + math.log((1 + len(documents)) / (1 + df))) if tf else 0.0)
        length = math.sqrt(sum(value * value for value in row))
        rows.append([value / length if length else 0.0 for value in row])
    return vocabulary, rows


def tfidf_by_arrays(documents):
    if any(isinstance(tokens, str) for tokens in documents):
        raise ValueError("a document is a str")
    vocabulary = np.unique([token for tokens in documents for token in tokens])
    counts = np.array([[list(tokens).count(token) for token in vocabulary] for tokens in documents], dtype=float)
    counts = counts.reshape(len(documents), len(vocabulary))
    idf = 1 + np.log1p(len(documents)) - np.log1p((counts > 0).sum(axis=0))
    weights = np.where(counts > 0, 1 + np.log(np.maximum(counts, 1)), 0) * idf
    norms = np.sqrt((weights**2).sum(axis=1))
    norms[norms == 0] = 1
    return vocabulary, weights / norms[:, None]


def tfidf_by_scikit_learn(documents):
    for tokens in documents:
        if not isinstance(tokens, list):
            raise ValueError("not a list")
    if not any(documents):
        return [], np.zeros((len(documents), 0))
    vectorizer = TfidfVectorizer(analyzer=lambda tokens: tokens, sublinear_tf=True)
    rows = vectorizer.fit_transform(documents).toarray()
    return list(vectorizer.get_feature_names_out()), rows


def tfidf_by_dictionaries(documents):
    frequency = defaultdict(set)
    for number, tokens in enumerate(documents):
        if isinstance(tokens, str):
            raise ValueError(f"documents[{number}] is a text")
        for token in tokens:
            frequency[token].add(number)
    columns = {token: column for column, token in enumerate(sorted(frequency))}
    matrix = np.zeros((len(documents), len(columns)), dtype=np.float32)
    for number, tokens in enumerate(documents):
        for token, tf in Counter(tokens).items():
            idf = math.log((len(documents) + 1) / (len(frequency[token]) + 1)) + 1
            matrix[number, columns[token]] = idf + idf * math.log(tf)
        if tokens:
            matrix[number] /= np.linalg.norm(matrix[number])
    return tuple(columns), matrix


def cosine_by_loops(u, v):
    if len(u) != len(v):
        raise ValueError("u and v must have the same length")
    product = norm_u = norm_v = 0.0
    for a, b in zip(u, v, strict=True):
        product += a * b
        norm_u += a * a
        norm_v += b * b
    if norm_u == 0 or norm_v == 0:
        return 0.0
    return max(-1.0, min(1.0, product / math.sqrt(norm_u * norm_v)))


def cosine_by_units(u, v):
    def unit(w):
        return w / (np.linalg.norm(w) or 1)

    return np.clip(np.dot(unit(u), unit(v)), -1, 1)


def cosine_by_hypot(u, v):
    lengths = math.hypot(*u) * math.hypot(*v)
    return min(1, max(-1, (u @ v) / lengths)) if lengths else 0 * (u @ v)


def squared_distance_by_vectors(cos):
    if abs(cos) > 1:
        raise ValueError("cos must lie between -1 and 1")
    u, v = np.array([1.0, 0.0]), np.array([cos, math.sqrt(1 - cos * cos)])
    return ((u - v) ** 2).sum()


def squared_distance_factored(cos):
    if cos < -1 or cos > 1:
        raise ValueError("no cosine")
    return 2 * (1 - cos)


def squared_distance_by_sine(cos):
    if not -1 <= cos <= 1:
        raise ValueError(f"{cos} is no cosine")
    return (2 * math.sin(math.acos(cos) / 2)) ** 2


def lsa_fit_by_svd(matrix, dims):
    if dims <= 0:
        raise ValueError("dims must be at least 1")
    _, values, vt = np.linalg.svd(matrix, full_matrices=False)
    k = min(dims, int((values > 1e-6 * values.max()).sum()))
    return vt[:k], values[:k]


def lsa_fit_by_eigenvectors(matrix, dims):
    if dims < 1:
        raise ValueError("dims < 1")
    squares, vectors = np.linalg.eigh(matrix.T @ matrix)
    order = [i for i in np.argsort(-squares) if squares[i] > 1e-12 * squares.max()][:dims]
    return [-vectors[:, i] for i in order], [math.sqrt(squares[i]) for i in order]


def lsa_fit_by_scikit_learn(matrix, dims):
    if dims < 1:
        raise ValueError(dims)
    n, size = matrix.shape  # scikit-learn asks for at least two columns, and for no more dimensions than columns
    wider = np.hstack([matrix, np.zeros((n, 1))])
    svd = TruncatedSVD(min(dims, n, size), algorithm="randomized", n_iter=50, random_state=0).fit(wider)
    kept = svd.singular_values_ > 1e-6 * svd.singular_values_[0]
    return svd.components_[kept, :size], svd.singular_values_[kept]


def lsa_fit_by_power_iteration(matrix, dims):
    if dims < 1:
        raise ValueError("dims")
    gram, components, values = matrix.T @ matrix, [], []
    first = np.trace(gram)
    while len(values) < dims:
        row = np.random.default_rng(len(values)).normal(size=len(gram))
        for _ in range(3000):
            for known in components:
                row = row - (row @ known) * known
            row = gram @ row
            norm = np.linalg.norm(row)
            if norm <= 1e-12 * first:
                return np.reshape(components, (-1, len(gram))), values
            row = row / norm
        components.append(row)
        values.append(np.linalg.norm(matrix @ row))
    return np.array(components), np.array(values)


def lsa_embed_by_loops(vectors, components):
    embeddings = []
    for vector in vectors:
        if len(vector) != len(components[0]):
            raise ValueError("vectors and components do not fit")
        row = [sum(a * b for a, b in zip(vector, component, strict=True)) for component in components]
        length = sum(value**2 for value in row) ** 0.5
        embeddings.append([value / length if length > 0 else value for value in row])
    return embeddings


def lsa_embed_by_einsum(vectors, components):
    projected = np.einsum("nv,dv->nd", vectors, components)
    norms = np.linalg.norm(projected, axis=1)
    norms[norms == 0] = 1
    return (projected.T / norms).T


def lsa_embed_with_epsilon(vectors, components):
    projected = (components @ vectors.T).T
    return projected / np.maximum(np.sqrt((projected**2).sum(axis=1, keepdims=True)), 1e-12)


def dense_search_by_sorted(query, embeddings, k=3):
    if k < 1:
        raise ValueError("k must be positive")
    scored = [(-cosine_by_loops(query, row), number) for number, row in enumerate(embeddings)]
    return [number for _, number in sorted(scored)[:k]]


def dense_search_by_arrays(query, embeddings, k=3):
    if k <= 0:
        raise ValueError("k <= 0")
    norms = np.linalg.norm(embeddings, axis=1) * np.linalg.norm(query)
    scores = np.divide(embeddings @ query, norms, out=np.zeros(len(embeddings)), where=norms > 0)
    return np.argsort(-scores, kind="stable")[:k]


def dense_search_by_units(query, embeddings, k=3):
    if not k >= 1:
        raise ValueError("k")
    lengths = np.linalg.norm(embeddings, axis=1, keepdims=True)
    units = embeddings / np.where(lengths == 0, 1, lengths)
    scores = units @ (query / (np.linalg.norm(query) or 1.0))
    ranking = []
    while len(ranking) < min(k, len(scores)):
        best = int(np.argmax(scores))
        ranking.append(best)
        scores[best] = -np.inf
    return tuple(ranking)


def info_nce_by_logsumexp(scores, positive, temperature=0.05):
    if not temperature > 0 or positive not in range(len(scores)):
        raise ValueError("temperature or positive")
    logits = np.array(scores) / temperature
    return logsumexp(logits) - logits[positive]


def info_nce_by_loops(scores, positive, temperature=0.05):
    if temperature <= 0:
        raise ValueError("temperature must be above 0")
    if positive < 0 or positive >= len(scores):
        raise ValueError("positive is no position")
    largest = max(scores)
    total = 0.0
    for score in scores:
        total += math.exp((score - largest) / temperature)
    return math.log(total) - (scores[positive] - largest) / temperature


def info_nce_by_logaddexp(scores, positive, temperature=0.05):
    if temperature <= 0 or not 0 <= positive < len(scores):
        raise ValueError
    gaps = [(score - scores[positive]) / temperature for score in scores]
    return np.logaddexp.reduce(gaps)


def maxsim_by_loops(query_vectors, doc_vectors):
    total = 0.0
    if len(doc_vectors) == 0:
        raise ValueError("doc_vectors must hold at least one vector")
    if query_vectors.shape[1] != doc_vectors.shape[1]:
        raise ValueError("the dimensions differ")
    for q in query_vectors:
        best = -math.inf
        for d in doc_vectors:
            product = sum(a * b for a, b in zip(q, d, strict=True))
            if product > best:
                best = product
        total += best
    return total


def maxsim_by_matrix(query_vectors, doc_vectors):
    return np.max(query_vectors @ doc_vectors.T, axis=1).sum()


def maxsim_by_generator(query_vectors, doc_vectors):
    if not len(doc_vectors) or query_vectors.shape[1] != doc_vectors.shape[1]:
        raise ValueError("doc_vectors")
    return sum(max(starmap(np.dot, ((q, d) for d in doc_vectors))) for q in query_vectors)


def index_bytes_by_product(n, dims, bytes_per_value=4):
    if n < 0 or dims < 1 or bytes_per_value < 1:
        raise ValueError("n, dims or bytes_per_value")
    return math.prod([n, dims, bytes_per_value])


def index_bytes_by_numpy(n, dims, bytes_per_value=4):
    if min(dims, bytes_per_value) <= 0 or n <= -1:
        raise ValueError("no such index")
    return np.int64(n) * np.int64(dims) * np.int64(bytes_per_value)


def index_bytes_in_steps(n, dims, bytes_per_value=4):
    if n < 0:
        raise ValueError("n is negative")
    for value in (dims, bytes_per_value):
        if value < 1:
            raise ValueError("too small")
    one_vector = bytes_per_value * dims
    return float(one_vector * n)


RIGHT_ANSWERS = {
    "lsa.tfidf": [tfidf_by_loops, tfidf_by_arrays, tfidf_by_scikit_learn, tfidf_by_dictionaries],
    "lsa.cosine": [cosine_by_loops, cosine_by_units, cosine_by_hypot],
    "lsa.squared_distance": [squared_distance_by_vectors, squared_distance_factored, squared_distance_by_sine],
    "lsa.fit": [lsa_fit_by_svd, lsa_fit_by_eigenvectors, lsa_fit_by_scikit_learn, lsa_fit_by_power_iteration],
    "lsa.embed": [lsa_embed_by_loops, lsa_embed_by_einsum, lsa_embed_with_epsilon],
    "lsa.dense_search": [dense_search_by_sorted, dense_search_by_arrays, dense_search_by_units],
    "lsa.info_nce": [info_nce_by_logsumexp, info_nce_by_loops, info_nce_by_logaddexp],
    "lsa.maxsim": [maxsim_by_loops, maxsim_by_matrix, maxsim_by_generator],
    "lsa.index_bytes": [index_bytes_by_product, index_bytes_by_numpy, index_bytes_in_steps],
}
