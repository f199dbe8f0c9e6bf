"""Arrays in one .npz file: no pickled object, so that reading a file from elsewhere runs nothing."""

from os import PathLike
from zipfile import BadZipFile

import numpy as np

from ragteach.retrieval.arguments import require


def save_arrays(path: str | PathLike, kind: str, **arrays: object) -> None:
    """Write arrays, and the kind of index that they make up, to one .npz file."""
    with open(path, "wb") as file:
        np.savez(file, kind=np.array(kind), **{name: np.asarray(array) for name, array in arrays.items()})


def load_arrays(path: str | PathLike, kind: str) -> dict[str, np.ndarray]:
    """Read the arrays that `save_arrays` wrote for this kind. Raises ValueError where the file holds no such thing."""
    try:
        with np.load(path, allow_pickle=False) as file:
            arrays = dict(file)
    except (ValueError, TypeError, AttributeError, EOFError, BadZipFile) as error:
        raise ValueError(f"{path} is not an index written by {kind}.save.") from error
    require(str(arrays.pop("kind", None)) == kind, f"{path} is not an index written by {kind}.save.")
    return arrays
