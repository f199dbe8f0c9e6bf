"""Right answers to the exercises of chapter 06, each written as another reader would write it.

None of them imports the reference: a check that fails one of them punishes a right answer.
"""

import heapq
import random
from collections import defaultdict

import numpy as np


def exact_by_arrays(vectors, query, k):
    if k < 1:
        raise ValueError("k must be at least 1")
    return np.argsort(-(vectors @ query), kind="stable")[:k]


def exact_by_loops(vectors, query, k):
    if k <= 0:
        raise ValueError("k is too small")
    scored = []
    for number, vector in enumerate(vectors):
        total = 0.0
        for a, b in zip(vector, query, strict=True):
            total += a * b
        scored.append((-total, number))
    scored.sort()
    return [number for _, number in scored[:k]]


def exact_by_partition(vectors, query, k):
    if not k >= 1:
        raise ValueError(f"k = {k}")
    scores = np.einsum("ij,j->i", vectors.astype(np.float32), query.astype(np.float32))
    if k < len(scores):
        bar = scores[np.argpartition(-scores, k - 1)[k - 1]]
        kept = np.flatnonzero(scores >= bar)
    else:
        kept = np.arange(len(scores))
    return tuple(kept[np.lexsort((kept, -scores[kept]))][:k])


def exact_by_heap(vectors, query, k):
    if k < 1:
        raise ValueError("k")
    scores = [float(np.dot(query, vector)) for vector in vectors]
    return heapq.nsmallest(k, range(len(scores)), key=lambda i: (-scores[i], i))


def assign_by_arrays(vectors, centroids):
    return np.argmax(vectors @ centroids.T, axis=1)


def assign_by_loops(vectors, centroids):
    cells = []
    for vector in vectors:
        best, where = None, None
        for number, centroid in enumerate(centroids):
            product = sum(a * b for a, b in zip(vector, centroid, strict=True))
            if best is None or product > best:
                best, where = product, number
        cells.append(where)
    return cells


def assign_by_max(vectors, centroids):
    return (max(range(len(centroids)), key=lambda c: centroids[c] @ vector) for vector in vectors)


def kmeans_by_arrays(vectors, n_cells, n_iter=8, seed=0):
    if n_cells < 1 or n_iter < 1 or len(vectors) < n_cells:
        raise ValueError(f"{n_cells} cells, {len(vectors)} vectors, {n_iter} rounds")
    rng = np.random.default_rng(seed)
    centroids = vectors[rng.permutation(len(vectors))[:n_cells]]
    for _ in range(n_iter):
        cells = np.argmax(vectors @ centroids.T, axis=1)
        sizes = np.bincount(cells, minlength=n_cells)
        served = np.sum(vectors * centroids[cells], axis=1)
        order = np.argsort(served)
        for place, empty in enumerate(np.flatnonzero(sizes == 0)):
            cells[order[place]] = empty
        one_hot = np.eye(n_cells)[cells]
        totals = one_hot.T @ vectors
        norms = np.linalg.norm(totals, axis=1, keepdims=True)
        centroids = np.divide(totals, norms, out=centroids.copy(), where=norms > 0)
    return centroids


def kmeans_by_loops(vectors, n_cells, n_iter=8, seed=0):
    if n_cells < 1:
        raise ValueError("n_cells must be at least 1")
    if n_iter < 1:
        raise ValueError("n_iter must be at least 1")
    if n_cells > len(vectors):
        raise ValueError(f"{n_cells} cells for {len(vectors)} vectors")
    drawn = random.Random(seed)
    rows = [list(map(float, vector)) for vector in vectors]
    centroids = [list(row) for row in drawn.sample(rows, n_cells)]

    def product(u, v):
        return sum(a * b for a, b in zip(u, v, strict=True))

    for _ in range(n_iter):
        cells = [max(range(n_cells), key=lambda c: product(row, centroids[c])) for row in rows]
        for empty in range(n_cells):
            if empty not in cells:
                worst = min(range(len(rows)), key=lambda i: product(rows[i], centroids[cells[i]]))
                cells[worst] = empty
                centroids[empty] = list(rows[worst])
        for c in range(n_cells):
            members = [row for row, cell in zip(rows, cells, strict=True) if cell == c]
            if members:
                total = [sum(values) for values in zip(*members, strict=True)]
                length = sum(value * value for value in total) ** 0.5
                centroids[c] = [value / length for value in total]
    return centroids


def kmeans_spread_start(vectors, n_cells, n_iter=8, seed=0):
    """Start far apart (farthest first), so that cells are seldom empty; fill those that are at random."""
    if not 1 <= n_cells <= len(vectors) or n_iter < 1:
        raise ValueError("bad arguments")
    rng = np.random.default_rng(seed + 17)
    chosen = [int(rng.integers(len(vectors)))]
    while len(chosen) < n_cells:
        chosen.append(int((vectors @ vectors[chosen].T).max(axis=1).argmin()))
    centroids = [vectors[i] for i in chosen]
    for _ in range(n_iter):
        members = defaultdict(list)
        for vector in vectors:
            members[int(np.argmax([vector @ centroid for centroid in centroids]))].append(vector)
        for cell in range(n_cells):
            total = np.sum(members[cell], axis=0) if members[cell] else vectors[rng.integers(len(vectors))]
            centroids[cell] = total / np.sqrt(total @ total)
    return tuple(centroids)


def kmeans_in_float32(vectors, n_cells, n_iter=8, seed=0):
    if n_cells <= 0 or n_iter <= 0 or n_cells > vectors.shape[0]:
        raise ValueError("no")
    return kmeans_by_arrays(vectors.astype(np.float32), n_cells, n_iter, seed + 1)


def refuse_cells(assignment, n_cells):
    if n_cells < 1:
        raise ValueError("n_cells must be at least 1")
    for cell in assignment:
        if cell < 0 or cell >= n_cells:
            raise ValueError(f"there is no cell {cell}")


def build_cells_by_arrays(assignment, n_cells):
    if n_cells < 1 or np.any(assignment < 0) or np.any(assignment >= n_cells):
        raise ValueError("n_cells or assignment")
    return [np.flatnonzero(assignment == cell) for cell in range(n_cells)]


def build_cells_by_loops(assignment, n_cells):
    refuse_cells(assignment, n_cells)
    cells = [[] for _ in range(n_cells)]
    for number, cell in enumerate(assignment):
        cells[cell].append(number)
    return cells


def build_cells_by_sorting(assignment, n_cells):
    refuse_cells(assignment, n_cells)
    order = sorted(range(len(assignment)), key=lambda i: assignment[i])
    return (np.array([i for i in order if assignment[i] == cell], dtype=float) for cell in range(n_cells))


def ivf_by_arrays(query, vectors, centroids, cells, k, nprobe):
    if k < 1 or nprobe < 1:
        raise ValueError("k and nprobe must be at least 1")
    sizes = np.array([len(cell) for cell in cells])
    similarities = np.where(sizes > 0, centroids @ query, -np.inf)
    probed = np.argsort(-similarities, kind="stable")[: min(nprobe, np.count_nonzero(sizes))]
    found = np.sort(np.concatenate([*(cells[cell] for cell in probed), []]).astype(int))
    return found[np.argsort(-(vectors[found] @ query), kind="stable")][:k]


def ivf_by_loops(query, vectors, centroids, cells, k, nprobe):
    if k < 1:
        raise ValueError("k")
    if nprobe < 1:
        raise ValueError("nprobe")
    near = sorted((-float(centroid @ query), cell) for cell, centroid in enumerate(centroids))
    visited, scored = 0, []
    for _, cell in near:
        if visited == nprobe:
            break
        if len(cells[cell]) == 0:
            continue
        visited += 1
        for doc in cells[cell]:
            scored.append((-float(sum(vectors[doc] * query)), int(doc)))
    return [doc for _, doc in sorted(scored)[:k]]


def ivf_by_mask(query, vectors, centroids, cells, k, nprobe):
    if min(k, nprobe) < 1:
        raise ValueError("too small")
    filled = [cell for cell in range(len(cells)) if len(cells[cell])]
    filled.sort(key=lambda cell: centroids[cell] @ query, reverse=True)  # a stable sort, ties included
    allowed = np.zeros(len(vectors), dtype=bool)
    for cell in filled[:nprobe]:
        allowed[cells[cell]] = True
    scores = np.where(allowed, vectors @ query, -np.inf)
    return [doc for doc in np.argsort(-scores, kind="stable") if allowed[doc]][:k]


def recall_by_sets(approximate, exact):
    return len(set(exact).intersection(approximate)) / len(exact) if exact else 1


def recall_by_loops(approximate, exact):
    found = 0
    for doc in exact:
        if doc in approximate:
            found += 1
    if len(exact) == 0:
        return 1.0
    return found / len(exact)


def recall_by_arrays(approximate, exact):
    return np.isin(exact, approximate).mean() if len(exact) else np.float32(1)


def filtered_by_arrays(vectors, query, k, allowed):
    ids = np.unique(np.array(allowed, dtype=int))
    if k < 1 or (ids < 0).any() or (ids >= len(vectors)).any():
        raise ValueError("k or allowed")
    return ids[np.argsort(-(vectors[ids] @ query), kind="stable")[:k]]


def filtered_by_loops(vectors, query, k, allowed):
    if k < 1:
        raise ValueError("k must be at least 1")
    for doc in allowed:
        if not 0 <= doc < len(vectors):
            raise ValueError(f"no document {doc}")
    found = []
    for doc in range(len(vectors)):
        if doc in allowed:
            found.append((-sum(a * b for a, b in zip(vectors[doc], query, strict=True)), doc))
    return [doc for _, doc in sorted(found)][:k]


def filtered_by_walking(vectors, query, k, allowed):
    """Rank everything, then walk down the ranking until k allowed documents are met."""
    rights = set(allowed)
    if k < 1 or rights - set(range(len(vectors))):
        raise ValueError("k or allowed")
    found = []
    for doc in np.lexsort((np.arange(len(vectors)), -vectors.dot(query))):
        if len(found) < k and int(doc) in rights:
            found.append(int(doc))
    return found


RIGHT_ANSWERS = {
    "ivf.exact": [exact_by_arrays, exact_by_loops, exact_by_partition, exact_by_heap],
    "ivf.assign": [assign_by_arrays, assign_by_loops, assign_by_max],
    "ivf.kmeans": [kmeans_by_arrays, kmeans_by_loops, kmeans_spread_start, kmeans_in_float32],
    "ivf.build_cells": [build_cells_by_arrays, build_cells_by_loops, build_cells_by_sorting],
    "ivf.search": [ivf_by_arrays, ivf_by_loops, ivf_by_mask],
    "ivf.ann_recall": [recall_by_sets, recall_by_loops, recall_by_arrays],
    "ivf.filtered": [filtered_by_arrays, filtered_by_loops, filtered_by_walking],
}
