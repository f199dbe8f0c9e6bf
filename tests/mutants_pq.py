"""Mutants of chapter 07's references that do nothing wrong that an exercise asks about: see mutants.py."""

IN_RANGE = "what is divided by its own greatest value / 127 lies between -127 and 127: there is nothing to clip"
OTHER_START = "it starts elsewhere, and codebooks are judged by their properties"
SLOW = "256 codewords are allowed, and not tried: plain loops over them would take longer than a check may"
NEGATIVE = "NumPy works out a length for any negative number"
UNASKED = "arrays of other types or dimensions are not asked about, and what does not fit fails later by a ValueError"

CODES = "return (np.clip(np.rint(vectors / scale), -127, 127).astype(np.int8), scale)"
FITS = "codes.ndim == 2 and codes.shape[1] == len(codebooks) and (codes.dtype.kind in 'iu')"
BOOKS = "codebooks.ndim == 3 and codebooks.shape[0] * codebooks.shape[2] == dims and (codebooks.dtype.kind in 'iuf')"
FITS_OR = "codes.ndim == 2 or codes.shape[1] == len(codebooks) or codes.dtype.kind in 'iu'"
BOOKS_OR = "codebooks.ndim == 3 or codebooks.shape[0] * codebooks.shape[2] == dims or codebooks.dtype.kind in 'iuf'"

EQUIVALENT = {
    "pq.quantize": {
        f"127 -> 128 in: {CODES}": IN_RANGE,
        f"127 -> 128 in: {CODES} (2)": IN_RANGE,
    },
    "pq.train": {
        "0 -> 1 in: def pq_train(vectors: np.ndarray, n_subspaces: int, n_codes: int, seed: int=0) -> np.ndarray:": (
            OTHER_START
        ),
        "256 -> 255 in: between('n_codes', n_codes, 1, 256)": SLOW,
    },
    "pq.distances": {
        f"{FITS} -> {FITS_OR} in: fits = {FITS}": UNASKED,
        f"{BOOKS} -> {BOOKS_OR} in: fits = {BOOKS}": UNASKED,
        "1 -> 2 in: differences = codebooks - query.reshape(len(codebooks), 1, -1) (2)": NEGATIVE,
    },
}
