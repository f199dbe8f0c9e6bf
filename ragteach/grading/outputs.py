"""Writing into the teacher's folder: each file whole or not at all, and nothing that somebody else wrote is lost.

.written lists the digests of what was written here. A file that is not in it, or that was changed since, is somebody's
own: it is kept under another name ("grades.edited.csv") before ours takes its place. What an earlier run wrote and this
one did not is removed, as long as nobody changed it. A file that cannot be written or removed costs no other.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

FILE = ".written"


class Outputs:
    """The files of one folder.

    `kept` lists the names under which other people's files were put aside, `failed` the files that could not be
    written or removed, each with the reason.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.kept: list[str] = []
        self.failed: list[tuple[str, str]] = []
        self._ours: dict[str, set[str]] = defaultdict(set)
        self._written: set[str] = set()
        if (folder / FILE).is_file():
            for line in (folder / FILE).read_text(encoding="utf-8", errors="replace").splitlines():
                digest, _, name = line.partition(" ")
                self._ours[name].add(digest)

    def write(self, name: str, text: str, bom: bool = False) -> None:
        """Write a file below the folder; where that fails, the old one stays and is in `failed`."""
        self._written.add(name)
        with self._noted(name):
            self._write(name, (b"\xef\xbb\xbf" if bom else b"") + text.encode("utf-8", errors="backslashreplace"))

    def remove_others(self) -> None:
        """Remove what earlier runs wrote and this one did not, but for what somebody has changed since."""
        for name in self._ours.keys() - self._written:
            with self._noted(name):
                path = self.folder / name
                if path.is_file() and digest_of(path) in self._ours[name]:
                    path.unlink()
                    remove_if_empty(path.parent, self.folder)

    @contextmanager
    def _noted(self, name: str) -> Iterator[None]:
        """Go on after a fault of one file: open in Excel, a path too long here, letters that the system lacks."""
        try:
            yield
        except OSError as error:
            self.failed.append((str(self.folder / name), error.strerror or str(error)))
        except UnicodeEncodeError as error:
            self.failed.append((str(self.folder / name), error.reason))

    def _write(self, name: str, data: bytes) -> None:
        path, digest = self.folder / name, hashlib.sha256(data).hexdigest()
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.is_file():
            there = digest_of(path)
            if there == digest and there in self._ours[name]:
                return
            if there not in self._ours[name]:
                self._keep(path)
        if digest not in self._ours[name]:
            self._ours[name].add(digest)
            with (self.folder / FILE).open("a", encoding="utf-8") as file:  # first: a crash after it does no harm
                file.write(f"{digest} {name}\n")
        replace(path, data)

    def _keep(self, path: Path) -> None:
        n, edited = 1, path.with_name(f"{path.stem}.edited{path.suffix}")
        while edited.exists():
            n += 1
            edited = path.with_name(f"{path.stem}.edited{n}{path.suffix}")
        os.rename(path, edited)
        self.kept.append(edited.relative_to(self.folder).as_posix())


def digest_of(path: Path) -> str:
    """Sum up what a file holds."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def remove_if_empty(folder: Path, top: Path) -> None:
    """Remove a folder, and those around it as far as `top`, where nothing is left in them."""
    while folder != top and not any(folder.iterdir()):
        folder.rmdir()
        folder = folder.parent


def replace(path: Path, data: bytes) -> None:
    """Write a file beside its place and move it there, so that no reader ever sees half of it."""
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=".", suffix=".tmp")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
        if os.name != "nt":
            os.chmod(temporary, 0o644)
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise
