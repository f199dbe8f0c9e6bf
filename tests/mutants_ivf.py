"""Mutants of chapter 06's references that do nothing wrong that an exercise asks about: see mutants.py."""

SPEED = "it copies, or sums, in another way, and the values are the same"
EQUAL = "a partition at the last place and a sort of all give the same"
PARTITION = "of so few scores NumPy's partition then lets too many pass to the sort, never too few"
UNASKED = "cells and allowed numbers of other kinds are not asked about"
NUMPY = "NumPy raises a ValueError of its own for the maximum of no column"
EUCLIDEAN = "it concerns Euclidean k-means (for PQ, chapter 07) only, or vectors that have not norm 1"
RANDOM = "it leads to other centroids that have all properties asked for"
REPAIRED = "what is drawn twice leaves an empty cell, which is filled at once"
NO_ZERO = "no sum of vectors without negative coordinates is zero"
LONGER = "a sum of vectors of norm 1 without negative coordinates has at least norm 1"
DIMS = "both ways of summing give the same, and the exercise has few dimensions"
ROUNDING = "it moves the bar below which a gain is rounding, and no gain lies near it"

PRODUCTS = "scores = vectors @ query.astype(np.result_type(vectors, np.float32), copy=False)"
BEST = {
    f"False -> True in: {PRODUCTS}": SPEED,
    "k >= len(scores) -> k > len(scores) in: if k >= len(scores):": EQUAL,
    "-k -> k in: bar = np.partition(scores, -k)[-k]": PARTITION,
}

KMEANS = "def kmeans(vectors: np.ndarray, n_cells: int, n_iter: int=8, seed: int=0) -> np.ndarray:"
START = "centroids = unit(vectors[start]) if spherical else vectors[start]"
MOVABLE = "movable = sums.any(axis=1) if spherical else counts > 0"
MOVED = "centroids[movable] = unit(sums[movable]) if spherical else sums[movable] / counts[movable, None]"
UNIT = "return vectors / np.where(norms > 0, norms, 1)"
SHORT = "if vectors.shape[1] < 16:"
FILLED = "sums[counts > 0] = np.add.reduceat(in_order, starts[counts > 0], axis=0)"
LONG = "return (np.array([part.sum(axis=0) for part in np.split(in_order, starts[1:])]), counts)"
ON_IT = "best = unit(vectors) if spherical else vectors"
GAINS = "gains = np.einsum('ij,ij->i', missing, vectors if spherical else missing)"
SMALL = "32 * np.finfo(vectors.dtype).eps * np.einsum('ij,ij->i', vectors, best).max()"
BAR = f"rounding = {SMALL}"
SQUARES = "np.einsum('ij,ij->i', centroids, centroids) / 2"
HALF_VALUE = f"np.zeros(len(centroids)) if spherical else {SQUARES}"
HALF = f"half = {HALF_VALUE}"

EQUIVALENT = {
    "ivf.exact": BEST,
    "ivf.assign": {
        "len(centroids) > 0 -> len(centroids) >= 0 in: "
        "require(len(centroids) > 0, 'centroids must hold at least one centroid.')": NUMPY,
    },
    "ivf.kmeans": {
        f"8 -> 9 in: {KMEANS}": RANDOM,
        f"8 -> 7 in: {KMEANS}": RANDOM,
        f"0 -> 1 in: {KMEANS}": RANDOM,
        "False -> True in: start = np.random.default_rng(seed).choice(len(vectors), n_cells, replace=False)": REPAIRED,
        f"{START[12:]} -> {START[12:].replace('if', 'if not')} in: {START}": EUCLIDEAN,
        f"{MOVABLE[10:]} -> {MOVABLE[10:].replace('if', 'if not')} in: {MOVABLE}": NO_ZERO,
        f"counts > 0 -> counts >= 0 in: {MOVABLE}": EUCLIDEAN,
        f"counts > 0 -> counts < 0 in: {MOVABLE}": EUCLIDEAN,
        f"0 -> 1 in: {MOVABLE}": EUCLIDEAN,
        f"sums[movable] / counts[movable, None] -> sums[movable] * counts[movable, None] in: {MOVED}": EUCLIDEAN,
        f"norms > 0 -> norms >= 0 in: {UNIT}": NO_ZERO,
        f"0 -> 1 in: {UNIT}": LONGER,
        f"1 -> 2 in: {UNIT}": NO_ZERO,
        f"{SHORT} -> {SHORT.replace('if', 'if not')} in: {SHORT}": DIMS,
        f"vectors.shape[1] < 16 -> vectors.shape[1] <= 16 in: {SHORT}": DIMS,
        f"vectors.shape[1] < 16 -> vectors.shape[1] > 16 in: {SHORT}": DIMS,
        f"16 -> 17 in: {SHORT}": DIMS,
        f"16 -> 15 in: {SHORT}": DIMS,
        f"counts > 0 -> counts >= 0 in: {FILLED}": RANDOM,
        f"counts > 0 -> counts >= 0 in: {FILLED} (2)": RANDOM,
        f"0 -> 1 in: {LONG}": DIMS,
        f"1 -> 2 in: {LONG}": DIMS,
        f"{ON_IT[7:]} -> {ON_IT[7:].replace('if', 'if not')} in: {ON_IT}": EUCLIDEAN,
        f"vectors if spherical else missing -> vectors if not spherical else missing in: {GAINS}": RANDOM,
        f"{SMALL} -> {SMALL.replace('* np.einsum', '/ np.einsum')} in: {BAR}": ROUNDING,
        f"32 -> 33 in: {BAR}": ROUNDING,
        f"32 -> 31 in: {BAR}": ROUNDING,
        "gains[worst] > rounding -> gains[worst] >= rounding in: worst = worst[gains[worst] > rounding]": ROUNDING,
        f"{HALF_VALUE} -> {HALF_VALUE.replace('if', 'if not')} in: {HALF}": EUCLIDEAN,
        f"{SQUARES} -> {SQUARES.replace('/ 2', '* 2')} in: {HALF}": EUCLIDEAN,
        f"2 -> 3 in: {HALF}": EUCLIDEAN,
        f"2 -> 1 in: {HALF}": EUCLIDEAN,
        "similarities -= half -> similarities += half in: similarities -= half": EUCLIDEAN,
    },
    "ivf.search": {
        "0 <= candidates[0] and candidates[-1] < len(vectors) -> 0 <= candidates[0] or candidates[-1] < len(vectors) "
        "in: in_range = 0 <= candidates[0] and candidates[-1] < len(vectors)": UNASKED,
        "candidates[-1] < len(vectors) -> candidates[-1] <= len(vectors) "
        "in: in_range = 0 <= candidates[0] and candidates[-1] < len(vectors)": UNASKED,
    },
    "ivf.filtered": BEST
    | {
        "ids.dtype.kind in 'iu' and ids.ndim == 1 -> ids.dtype.kind in 'iu' or ids.ndim == 1 "
        "in: numbers = ids.dtype.kind in 'iu' and ids.ndim == 1": UNASKED,
    },
}
