"""What has been marked already: one line a submission, appended as it comes, so that nothing is lost or done twice.

results.jsonl begins with a line that says what the file is. Then come lines of three kinds: {"run": {...}} for each
run begun, {"name", "key", "status", "row"} for a submission that was marked, the row packed, and {"name", "failed"}
for one that the grader failed on, which is no result: the next run tries again. The last line of a name and key
counts. A line torn by a crash is skipped.
"""

from __future__ import annotations

import base64
import hashlib
import json
import os
import zlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import ragteach
from ragteach.grading.gradebook import Row

FILE = "results.jsonl"
HEAD = {"ragteach": "results", "version": 1}
ROOMS = ("checking", "exercises", "retrieval", "answers", "corpus")  # what decides a mark
NO_MARK = "grader_error"


class Store:
    """The results kept in one folder; the caller holds the folder's lock while it writes.

    Raises ValueError where the folder's results.jsonl is not one of ours.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE
        self.run: dict[str, Any] | None = None
        self._places: dict[tuple[str, str], int] = {}
        self._plans: list[dict[str, list[str]]] = []
        self._failed: dict[str, int] = {}
        self._whole = True
        if self.path.exists():
            self._load()

    def get(self, name: str, key: str) -> Row | None:
        """Give the result of a submission with just this content and these settings, if there is one."""
        place = self._places.get((name, key))
        return None if place is None else self._row(place)

    def earlier(self, name: str) -> list[Row]:
        """Give a submission's results, one an attempt, of the latest earlier run that marked them all, else some."""
        some: list[Row] = []
        for plan in reversed(self._plans[:-1]):
            keys = plan.get(name, [])
            rows = [row for key in keys if (row := self.get(name, key)) is not None]
            if rows and len(rows) == len(keys):
                return rows
            some = some or rows
        return some

    def names(self) -> list[str]:
        """List all submissions that have a result."""
        return list({name: None for name, _ in self._places})

    def failures(self) -> dict[str, Row]:
        """Give what the last run says of each submission that the grader failed on."""
        rows = {name: self._row(place, "failed") for name, place in self._failed.items()}
        return {name: row for name, row in rows.items() if row is not None}

    def add(self, row: Row, key: str) -> None:
        """Keep a result; a failure of the grader is none, and kept only for the tables of its own run."""
        packed = base64.b64encode(zlib.compress(json.dumps(vars(row)).encode(), 6)).decode()
        if row.status == NO_MARK:
            self._failed[row.name] = self._append({"name": row.name, "failed": packed})
            return
        line = {"name": row.name, "key": key, "status": row.status, "row": packed}
        self._places[row.name, key] = self._append(line)

    def begin(self, run: dict[str, Any]) -> None:
        """Keep what a run sets out to do."""
        self._append({"run": run})
        self._begun(run)

    def _load(self) -> None:
        place = 0
        for number, line in enumerate(self._lines()):
            try:
                record = json.loads(line)
            except ValueError:
                record = None
            if number == 0 and record != HEAD:
                raise ValueError(str(self.path))
            match record:
                case {"name": str(name), "key": str(key), "row": str()}:
                    self._places[name, key] = place
                case {"name": str(name), "failed": str()}:
                    self._failed[name] = place
                case {"run": {"plan": dict()} as run}:
                    self._begun(run)
            place += len(line)
            self._whole = line.endswith(b"\n")

    def _begun(self, run: dict[str, Any]) -> None:
        self.run = run
        self._plans.append(run["plan"])
        self._failed.clear()

    def _lines(self) -> Iterator[bytes]:
        with self.path.open("rb") as file:
            yield from file

    def _row(self, place: int, kind: str = "row") -> Row | None:
        with self.path.open("rb") as file:
            file.seek(place)
            record = json.loads(file.readline())
        try:
            return Row(**json.loads(zlib.decompress(base64.b64decode(record[kind]))))
        except (ValueError, TypeError, zlib.error):  # a damaged line: marked again
            return None

    def _append(self, record: dict) -> int:
        with self.path.open("ab") as file:
            start = b"" if self._whole else b"\n"  # after a torn line
            if file.tell() == 0:
                start = json.dumps(HEAD).encode() + b"\n"
            place = file.tell() + len(start)
            file.write(start + json.dumps(record).encode() + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self._whole = True
        return place


def begun(folder: Path) -> bool:
    """Tell whether a folder holds results. Raises ValueError where the file of that name is not one of ours."""
    path = folder / FILE
    if not path.is_file():
        return False
    with path.open("rb") as file:
        first = file.readline()
    if first and first.strip() != json.dumps(HEAD).encode():
        raise ValueError(str(path))
    return bool(first)


def key_of(notebook: Path | None, *settings: Any) -> str:
    """Sum up all that a mark depends on: the file's content, the settings, the course, the code that marks.

    A file that cannot be read is refused when it is marked, and marked anew once it can.
    """
    digest = hashlib.sha256(json.dumps([ragteach.__version__, ragteach.COURSE_VERSION, code_digest()]).encode())
    digest.update(repr(settings).encode())
    if notebook is not None:
        try:
            with notebook.open("rb") as file:
                digest.update(hashlib.file_digest(file, "sha256").digest())
        except OSError as error:
            digest.update(repr(error.errno).encode())
    return digest.hexdigest()


@cache
def code_digest() -> str:
    """Sum up the package's files that decide a mark, so that a mended exercise is marked anew."""
    digest = hashlib.sha256()
    package = Path(ragteach.__file__).parent
    for file in sorted(file for room in ROOMS for file in (package / room).rglob("*.py")):
        digest.update(file.relative_to(package).as_posix().encode() + b"\0" + file.read_bytes() + b"\0")
    return digest.hexdigest()
