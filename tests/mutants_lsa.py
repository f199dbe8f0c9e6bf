"""Mutants of chapter 03's references that do nothing wrong that an exercise asks about: see mutants.py."""

EXTREME = (
    "rows are first divided by their largest value for numbers near the limits of floats, which are not asked about"
)
SIGN = "the sign of a component is free"
SIDE = "both square matrices give the same decomposition"
TINY = "it differs only for matrices of zeros, or whose singular values are all below 1e-6, which are not asked about"
ROUNDING = (
    "it differs only for rows that rounding leaves almost perpendicular to all components, which are not asked about"
)

LARGEST = "largest = np.maximum(vectors.max(axis=1, initial=0), -vectors.min(axis=1, initial=0))"
SCALED = "scaled = vectors / np.where(largest > 0, largest, 1)[:, np.newaxis]"
DIVIDED = "scaled /= np.where(norms > 0, norms, 1)[:, np.newaxis]"
WIDE = "wide = a.shape[0] <= a.shape[1]"
KEPT = "kept = squares > squares.max(initial=0) * SMALLEST_SHARE ** 2"
FLIPPED = "components.max(axis=1, initial=0) < -components.min(axis=1, initial=0)"
FLIP = f"components[{FLIPPED}] *= -1"
NEAR_ZERO = "rounding = 1e-12 * np.linalg.norm(vectors, axis=1)"

ROUNDED = "return np.argsort(-np.round(cosines, 12), kind='stable')[:k].tolist()"

UNIT_ROWS = {
    f"0 -> 1 in: {LARGEST}": EXTREME,
    f"0 -> 1 in: {LARGEST} (2)": EXTREME,
    f"-vectors.min(axis=1, initial=0) -> vectors.min(axis=1, initial=0) in: {LARGEST}": EXTREME,
    "vectors / np.where(largest > 0, largest, 1)[:, np.newaxis] -> "
    f"vectors * np.where(largest > 0, largest, 1)[:, np.newaxis] in: {SCALED}": EXTREME,
    f"largest > 0 -> largest < 0 in: {SCALED}": EXTREME,
    f"0 -> 1 in: {SCALED}": EXTREME,
    f"1 -> 2 in: {SCALED}": EXTREME,
    f"0 -> 1 in: {DIVIDED}": "after that division the norm of a row is 0 or at least 1",
    f"1 -> 2 in: {DIVIDED}": "a row of zeros is zero whatever it is divided by",
}

EQUIVALENT = {
    "lsa.cosine": UNIT_ROWS,
    "lsa.fit": {
        f"a.shape[0] <= a.shape[1] -> a.shape[0] < a.shape[1] in: {WIDE}": SIDE,
        f"a.shape[0] <= a.shape[1] -> a.shape[0] > a.shape[1] in: {WIDE}": SIDE,
        f"0 -> 1 in: {WIDE}": SIDE,
        "squares > squares.max(initial=0) * SMALLEST_SHARE ** 2 -> "
        f"squares >= squares.max(initial=0) * SMALLEST_SHARE ** 2 in: {KEPT}": TINY,
        f"0 -> 1 in: {KEPT}": TINY,
        f"components[{FLIPPED}] *= -1 -> components[{FLIPPED}] /= -1 in: {FLIP}": SIGN,
        f"{FLIPPED} -> {FLIPPED.replace('<', '<=')} in: {FLIP}": SIGN,
        f"{FLIPPED} -> {FLIPPED.replace('<', '>')} in: {FLIP}": SIGN,
        f"0 -> 1 in: {FLIP}": SIGN,
        f"0 -> 1 in: {FLIP} (2)": SIGN,
        f"-components.min(axis=1, initial=0) -> components.min(axis=1, initial=0) in: {FLIP}": SIGN,
        f"-1 -> 1 in: {FLIP}": SIGN,
    },
    "lsa.embed": {
        f"1e-12 * np.linalg.norm(vectors, axis=1) -> 1e-12 / np.linalg.norm(vectors, axis=1) in: {NEAR_ZERO}": ROUNDING,
        f"1e-12 -> -0.999999999999 in: {NEAR_ZERO}": ROUNDING,
        "np.linalg.norm(projected, axis=1) <= rounding -> np.linalg.norm(projected, axis=1) < rounding in: "
        "projected[np.linalg.norm(projected, axis=1) <= rounding] = 0": "a row of zeros is zero already",
    },
    "lsa.dense_search": UNIT_ROWS
    | {
        "False -> True in: units = unit_rows(embeddings.astype(float, copy=False))": "a copy more shows nowhere",
        f"12 -> 13 in: {ROUNDED}": "cosines closer than that may stand in either order",
        f"12 -> 11 in: {ROUNDED}": "cosines closer than that may stand in either order",
    },
    "lsa.maxsim": {
        "len(doc_vectors) > 0 -> len(doc_vectors) >= 0 in: "
        "require(len(doc_vectors) > 0, 'doc_vectors must hold at least one vector.')": "max raises it then",
    },
}
