"""Finding the submissions below some paths, and giving each a name of its own."""

from __future__ import annotations

import hashlib
import os
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

SUFFIX = ".ipynb"
MAX_BYTES = 240  # of one part of a feedback file's path


@dataclass(frozen=True)
class Found:
    """A submission: its name in the gradebook, and its notebook (None: a student's folder that holds none)."""

    name: str
    notebook: Path | None


def find(paths: Sequence[Path]) -> list[Found]:
    """List the submissions below each path, by name.

    A submission is named by its notebook's folder below the path, or by the file without its suffix where several
    notebooks lie side by side; the path's own name stands before it when there are several paths. Raises
    ValueError for a path that does not exist.
    """
    found: list[tuple[Path, PurePosixPath, Path | None]] = []
    seen: set[Path] = set()
    for root in paths:
        if not root.exists():
            raise ValueError(f"There is no file or folder {root}.")
        for name, notebook in below(root):
            real = (notebook or root / name).resolve()
            if real not in seen:  # a path given twice, or one inside another
                seen.add(real)
                found.append((root, name, notebook))
    return sorted(unique(names(found, len(paths) > 1), [notebook for *_, notebook in found]), key=lambda one: one.name)


def below(root: Path) -> Iterator[tuple[PurePosixPath, Path | None]]:
    """Yield the submissions of one path, each with its name below that path."""
    if root.is_file():
        yield PurePosixPath(root.stem), root
        return
    folders = dict(notebooks_by_folder(root))
    for folder, notebooks in folders.items():
        place = PurePosixPath(folder.relative_to(root).as_posix())
        for notebook in notebooks:
            alone = len(notebooks) == 1 and folder != root
            yield (place if alone else place / notebook.stem), notebook
    if folders and root not in folders:  # one folder a student: one without a notebook is a student without one
        for folder in sorted(root.iterdir()):
            if wanted(folder) and not any(folder in (other, *other.parents) for other in folders):
                yield PurePosixPath(folder.name), None


def notebooks_by_folder(root: Path) -> Iterator[tuple[Path, list[Path]]]:
    """Walk a tree, hidden folders and links to folders left out; yield each folder that holds notebooks."""
    for folder, folders, files in os.walk(root):
        folders[:] = sorted(name for name in folders if not name.startswith((".", "__")))
        notebooks = [
            Path(folder, name)
            for name in sorted(files)
            if name.lower().endswith(SUFFIX) and not name.startswith(".") and is_inside(Path(folder, name), root)
        ]
        if notebooks:
            yield Path(folder), notebooks


def is_inside(path: Path, root: Path) -> bool:
    """Tell whether a file really lies below a folder: a link could lead to the solutions, or to a device."""
    real = path.resolve()
    return real.is_relative_to(root.resolve()) and real.is_file()


def wanted(path: Path) -> bool:
    """Tell whether a path is a folder that a student could have handed in, and no gradebook of an earlier run."""
    gradebook = (path / "grades.csv").is_file() and (path / "grades.json").is_file()
    return path.is_dir() and not path.is_symlink() and not path.name.startswith((".", "__")) and not gradebook


def names(found: Sequence[tuple[Path, PurePosixPath, Path | None]], several: bool) -> list[PurePosixPath]:
    """Put the path's own name before each name where there are several paths, and its parents' too where two clash."""
    if not several:
        return [name for _, name, _ in found]
    for depth in range(1, 8):
        full = [PurePosixPath(*end_of(root, depth)) / name for root, name, _ in found]
        if len(set(full)) == len(full):
            break
    return full


def end_of(root: Path, depth: int) -> tuple[str, ...]:
    """Give the last names of a folder's path; of a file's path those before its own, which the submission bears."""
    parts = Path(os.path.abspath(root)).parts[1:]
    return parts[-depth:] if root.is_dir() else parts[-depth:-1]


def unique(wished: Sequence[PurePosixPath], notebooks: Sequence[Path | None]) -> Iterator[Found]:
    """Make every name printable, and no two alike as file names of any system."""
    taken: set[str] = set()
    for name, notebook in zip(wished, notebooks, strict=True):
        base = "/".join("".join(c if c.isprintable() else "_" for c in part) for part in name.parts)
        candidate, n = base, 1
        while (key := unicodedata.normalize("NFC", file_name(candidate)).casefold()) in taken:
            n += 1
            candidate = f"{base}-{n}"
        taken.add(key)
        yield Found(candidate, notebook)


def file_name(name: str) -> str:
    """Turn a submission's name into a relative path that any system takes and that never leaves its folder."""
    return "/".join(_piece(piece) for piece in name.split("/") if piece) or "_"


def _piece(piece: str) -> str:
    safe = "".join("_" if char in '<>:"|?*\\' or not char.isprintable() else char for char in piece).strip(" ")
    if not safe.strip("."):
        return "_" * max(1, len(safe))
    if len(safe.encode()) > MAX_BYTES:  # room for ".html" in the 255 bytes of a file's name
        digest = hashlib.sha256(safe.encode()).hexdigest()[:8]
        safe = safe.encode()[: MAX_BYTES - 9].decode(errors="ignore") + "-" + digest
    return safe
