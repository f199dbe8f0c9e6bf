"""Right answers to the exercises of chapter 07, each written as another reader would write it.

None of them imports the reference: a check that fails one of them punishes a right answer.
"""

import random
from math import dist, fsum

import numpy as np


def quantize_by_arrays(vectors):
    top = np.abs(vectors).max(axis=0)
    scale = np.where(top > 0, top / 127, 1.0)
    return np.round(vectors / scale).astype(np.int8), scale


def quantize_by_loops(vectors):
    n, dims = vectors.shape
    scale = []
    for j in range(dims):
        greatest = 0.0
        for i in range(n):
            greatest = max(greatest, abs(vectors[i][j]))
        scale.append(greatest / 127 if greatest else 1)
    codes = [[round(float(vectors[i][j]) / scale[j]) for j in range(dims)] for i in range(n)]
    return codes, scale


def quantize_half_up(vectors):
    """Round what lies midway upwards, in float32, and return a list."""
    small = vectors.astype(np.float32)
    scale = np.max([small.max(axis=0), -small.min(axis=0)], axis=0) / np.float32(127)
    scale[~small.any(axis=0)] = 1
    codes = np.clip(np.floor(small / scale + 0.5), -127, 127)
    return [codes.astype("int8"), scale]


def refuse(vectors, n_subspaces, n_codes):
    if n_subspaces < 1 or n_codes < 1 or n_codes > 256:
        raise ValueError("n_subspaces or n_codes")
    if len(vectors[0]) % n_subspaces != 0:
        raise ValueError(f"{len(vectors[0])} dimensions cannot be cut into {n_subspaces}")
    if len(vectors) < n_codes:
        raise ValueError(f"{n_codes} codewords for {len(vectors)} vectors")


def train_by_arrays(vectors, n_subspaces, n_codes, seed=0):
    refuse(vectors, n_subspaces, n_codes)
    rng = np.random.default_rng(seed)
    books = []
    for part in np.split(vectors, n_subspaces, axis=1):
        book = part[rng.permutation(len(part))[:n_codes]]
        for _ in range(20):
            nearest = np.argmin(((part[:, None] - book) ** 2).sum(-1), axis=1)
            member = np.eye(n_codes)[nearest]
            sizes = member.sum(axis=0)[:, None]
            book = np.where(sizes > 0, member.T @ part / np.maximum(sizes, 1), book)
        books.append(book)
    return np.stack(books)


def train_by_loops(vectors, n_subspaces, n_codes, seed=0):
    refuse(vectors, n_subspaces, n_codes)
    width = len(vectors[0]) // n_subspaces
    drawn = random.Random(seed)
    codebooks = []
    for m in range(n_subspaces):
        part = [[float(x) for x in vector[m * width : (m + 1) * width]] for vector in vectors]
        book = [list(row) for row in drawn.sample(part, n_codes)]
        for _ in range(25):
            groups = [[] for _ in range(n_codes)]
            for row in part:
                groups[min(range(n_codes), key=lambda k: dist(row, book[k]))].append(row)
            for k, group in enumerate(groups):
                if group:
                    book[k] = [sum(column) / len(group) for column in zip(*group, strict=True)]
        codebooks.append(book)
    return codebooks


def train_until_settled(vectors, n_subspaces, n_codes, seed=0):
    """Start from the first different subvectors, move empty codewords, stop when nothing moves."""
    refuse(vectors, n_subspaces, n_codes)
    parts = vectors.reshape(len(vectors), n_subspaces, -1).swapaxes(0, 1)
    result = []
    for part in parts:
        different = np.unique(part, axis=0)
        book = np.resize(different, (n_codes, part.shape[1])).copy()
        while True:
            squares = (part**2).sum(1)[:, None] - 2 * part @ book.T + (book**2).sum(1)
            nearest = squares.argmin(axis=1)
            empty = [k for k in range(n_codes) if k not in nearest]
            moved = np.array([part[nearest == k].mean(0) if k in nearest else book[k] for k in range(n_codes)])
            gap = ((part - moved[nearest]) ** 2).sum(axis=1)
            if empty and gap.max() > 1e-6:
                moved[empty[0]] = part[gap.argmax()]
            if np.allclose(moved, book):
                break
            book = moved
        result.append(book)
    return tuple(result)


def train_in_float32(vectors, n_subspaces, n_codes, seed=0):
    refuse(vectors, n_subspaces, n_codes)
    return train_by_arrays(vectors.astype(np.float32), n_subspaces, n_codes, seed + 11).astype(np.float32)


def encode_by_arrays(vectors, codebooks):
    m, _, width = codebooks.shape
    if vectors.shape[1] != m * width:
        raise ValueError("vectors and codebooks do not fit together")
    parts = vectors.reshape(-1, m, 1, width)
    return ((parts - codebooks) ** 2).sum(axis=3).argmin(axis=2).astype(np.uint8)


def encode_by_loops(vectors, codebooks):
    width = len(codebooks[0][0])
    if len(vectors[0]) != width * len(codebooks):
        raise ValueError("codebooks")
    codes = []
    for vector in vectors:
        row = []
        for m, book in enumerate(codebooks):
            piece = vector[m * width : (m + 1) * width]
            best = 0
            for k in range(len(book)):
                if dist(piece, book[k]) <= dist(piece, book[best]):  # the last of ties
                    best = k
            row.append(best)
        codes.append(row)
    return codes


def encode_by_products(vectors, codebooks):
    """Use |x - c|² = |x|² - 2 x·c + |c|², of which the first term does not matter."""
    if codebooks.shape[0] * codebooks.shape[2] != vectors.shape[1]:
        raise ValueError("shape")
    columns = []
    for part, book in zip(np.split(vectors, len(codebooks), axis=1), codebooks, strict=True):
        columns.append(np.argmax(2 * part @ book.T - (book * book).sum(1), axis=1))
    return np.array(columns, dtype="uint8").T


def distances_by_arrays(query, codes, codebooks):
    m, k, width = codebooks.shape
    if query.shape != (m * width,) or codes.shape[1] != m or (codes >= k).any() or (codes < 0).any():
        raise ValueError("query, codes and codebooks do not fit together")
    table = ((codebooks - query.reshape(m, 1, width)) ** 2).sum(axis=2)
    return table[np.arange(m), codes].sum(axis=1)


def distances_by_loops(query, codes, codebooks):
    width = len(codebooks[0][0])
    if len(query) != width * len(codebooks):
        raise ValueError("query")
    table = []
    for m, book in enumerate(codebooks):
        piece = query[m * width : (m + 1) * width]
        table.append([sum((a - b) ** 2 for a, b in zip(piece, word, strict=True)) for word in book])
    found = []
    for row in codes:
        if len(row) != len(table):
            raise ValueError("codes")
        total = 0.0
        for m, code in enumerate(row):
            if not 0 <= code < len(table[m]):
                raise ValueError(f"there is no codeword {code}")
            total += table[m][code]
        found.append(total)
    return found


def distances_by_decoding(query, codes, codebooks):
    """Decode, then measure: slower, and the same numbers."""
    if len(codebooks) != codes.shape[1] or codes.size and not 0 <= codes.min() <= codes.max() < codebooks.shape[1]:
        raise ValueError("codes")
    if query.size != codebooks.shape[0] * codebooks.shape[2]:
        raise ValueError("query")
    columns = [codebooks[m][codes[:, m].astype(int)] for m in range(len(codebooks))]
    return [fsum((vector - query) ** 2) for vector in np.hstack(columns)]


def bytes_by_product(n, n_subspaces):
    if n < 0 or n_subspaces < 1:
        raise ValueError("n or n_subspaces")
    return n * n_subspaces


def bytes_by_bits(n, n_subspaces):
    if n < 0:
        raise ValueError("n")
    if n_subspaces <= 0:
        raise ValueError("n_subspaces")
    bits = 8 * n_subspaces
    return bits * n / 8


def bytes_by_array(n, n_subspaces):
    """Ask NumPy how large one row of codes is."""
    if not (n >= 0 and n_subspaces >= 1):
        raise ValueError(f"{n}, {n_subspaces}")
    return n * np.zeros(n_subspaces, dtype=np.uint8).nbytes


RIGHT_ANSWERS = {
    "pq.quantize": [quantize_by_arrays, quantize_by_loops, quantize_half_up],
    "pq.train": [train_by_arrays, train_by_loops, train_until_settled, train_in_float32],
    "pq.encode": [encode_by_arrays, encode_by_loops, encode_by_products],
    "pq.distances": [distances_by_arrays, distances_by_loops, distances_by_decoding],
    "pq.bytes": [bytes_by_product, bytes_by_bits, bytes_by_array],
}
