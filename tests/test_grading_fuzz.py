"""Damaged notebooks, zips and results, and damaged answers of workers: whatever comes, nothing but a sentence.

A few of them each time; RAGTEACH_FUZZ=100000 tries that many (an hour or so).
"""

import json
import os
import random
import zipfile
from io import BytesIO
from pathlib import Path

import pytest
from grading_notebooks import SOLUTIONS, cells, notebook

from ragteach import exercises
from ragteach.checking.plain import encode
from ragteach.grading import marking, samples, session, slim
from ragteach.grading.archive import BadArchive, unpack
from ragteach.grading.find import Found, find
from ragteach.grading.gradebook import row_of
from ragteach.grading.settings import Settings
from ragteach.grading.store import Store
from ragteach.grading.submission import Cell, Notebook, Refused, read
from ragteach.grading.transport import Gone, Late

TRIES = int(os.environ.get("RAGTEACH_FUZZ", "150"))
PIECES = [
    *(b'" \\ { } [ ] , : null true 1e999 -Infinity NaN \xff \x00 \\ud800'.split(b" ")),
    b"\n",
    b"9" * 5000,
    b'"outputs": [',
    b'"cells"',
    b'"metadata": 3',
    b'"source": 3',
    b'"exercise"',
    b"check(",
    b"def idf",
    b'"n": 1',
    b'"kind": "value"',
    b'"ask": "bm25.idf"',
    b'"done": 0',
    b'{"array": "AAAA", "dtype": "<f8", "shape": [1]}',
    b'{"tuple": [1]}',
    b'{"dict": [[1, 2]]}',
    b'"errors": [3]',
]
BASES = [notebook(cells()).encode(), notebook(cells()).encode("utf-16"), notebook(cells(checks=False), {}).encode()]
NAMES = ["a", "..", "é", "x" * 300, ".", "C:", "a.ipynb", "CON", "\x01", " ", "__MACOSX"]
RESULTS = (
    b'{"ragteach": "results", "version": 1}\n{"run": {"lang": "en"}}\n'
    b'{"name": "a", "key": "k", "status": "graded", "row": "eJwDAAAAAAE="}\n'
)


def damaged(data: bytes, chance: random.Random) -> bytes:
    """Damage some bytes: put in, take out, change, copy, replace."""
    made = bytearray(data)
    for _ in range(chance.choice([1, 1, 2, 5, 30])):
        at, length = chance.randrange(len(made) + 1), chance.choice([1, 3, 60, 3000])
        match chance.randrange(5):
            case 0:
                made[at:at] = chance.choice(PIECES)
            case 1:
                del made[at : at + length]
            case 2 if made:
                made[at % len(made)] = chance.randrange(256)
            case 3:
                start = chance.randrange(len(made) + 1)
                made[at:at] = made[start : start + length]
            case 4:
                old = chance.choice([b"value", b"exercise", b"code", b"tuple", b"4", b"[]"])
                made = made.replace(old, chance.choice(PIECES), chance.randrange(1, 4))
    return bytes(made)


def swapped(data: bytes, chance: random.Random) -> bytes:
    """Put odd values into a JSON text that stays one."""
    whole = json.loads(data)
    places: list[tuple] = []

    def walk(node):
        keys = list(node) if isinstance(node, dict) else range(len(node)) if isinstance(node, list) else ()
        for key in keys:
            places.append((node, key))
            walk(node[key])

    walk(whole)
    for node, key in chance.sample(places, min(len(places), chance.choice([1, 2, 5, 40]))):
        node[key] = chance.choice([None, True, 3, -1.5, "x", [], {}, [[]], {"a": {}}, "bm25.idf", "\ud800", 10**30])
    return json.dumps(whole).encode()


def test_a_damaged_notebook_is_read_or_refused(tmp_path, monkeypatch):
    for seed in range(TRIES):
        chance = random.Random(seed)
        monkeypatch.setattr(slim, "WHOLE", chance.choice([0, 4_000_000]))
        path = tmp_path / chance.choice(["02_bm25.ipynb", "x.ipynb"])
        path.write_bytes(chance.choice([damaged, swapped])(BASES[seed % len(BASES)], chance))
        try:
            told = read(path).remarks
        except Refused as refusal:
            told = (refusal.reason,)
        assert all(text["fr"] and text["en"] for text in told)


def test_a_damaged_zip_is_opened_or_refused_and_never_left(tmp_path):
    for seed in range(TRIES):
        chance, memory = random.Random(seed), BytesIO()
        with zipfile.ZipFile(memory, "w", chance.choice([zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED])) as archive:
            for _ in range(chance.randrange(6)):
                name = "/".join(chance.choices(NAMES, k=chance.randrange(1, 5)))
                archive.writestr(name + chance.choice([".ipynb", ".zip", "/", ""]), chance.choice(BASES)[:2000])
        made = tmp_path / str(seed)
        made.mkdir()
        (made / "a.zip").write_bytes(damaged(memory.getvalue(), chance) if seed % 5 else memory.getvalue())
        try:
            unpack(made / "a.zip", made / "out")
            find([made / "a.zip"], made / "scratch")
        except (BadArchive, ValueError):
            pass
        assert {path.name for path in made.iterdir()} <= {"a.zip", "out", "scratch"}
        assert not [path for path in made.rglob("*") if path.is_symlink()]
    assert {path.name for path in tmp_path.iterdir()} == {str(seed) for seed in range(TRIES)}


def test_damaged_results_are_skipped_or_refused(tmp_path):
    for seed in range(TRIES):
        (tmp_path / "results.jsonl").write_bytes(damaged(RESULTS, random.Random(seed)))
        try:
            store = Store(tmp_path)
        except ValueError:
            continue
        assert store.get("a", "k") is None and store.earlier("a") == []


class Echo:
    """A worker that answers as an honest one does, and whose lines are damaged on the way."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)
        self.rate = self.chance.choice([0, 0.002, 0.02, 0.1, 0.3])
        self.lines = [b'{"ran": []}\n']

    def send(self, message):
        if "calls" in message:
            known = {json.dumps(one.encoded): one.expected for one in samples.hand_picked(message["exercise"])}
            known |= {json.dumps(one.encoded): one.expected for one in samples.drawn(message["exercise"], 0, 4)}
            outcomes = [known[key] for call in message["calls"] if (key := json.dumps(call)) in known]
            answers = [{**vars(outcome), "value": encode(outcome.value)} for outcome in outcomes]
            for answer in [*answers, {"done": len(answers)}]:
                self.lines.append(json.dumps({"n": message["n"], **answer}).encode() + b"\n")

    def receive(self, deadline):
        if not self.lines:
            raise self.chance.choice([Late, Gone])
        line = self.lines.pop(0)
        if self.chance.random() < self.rate:
            line, *more = damaged(line, self.chance).splitlines(keepends=True) or [b""]
            self.lines[:0] = more
        return line

    def close(self):
        return "crashed"


@pytest.mark.parametrize("rate", ["honest", "damaged"])
def test_the_answers_of_a_worker_may_be_damaged(monkeypatch, rate):
    chapter = exercises.chapter("02_bm25")
    whole = Notebook(tuple(Cell(source, id) for id, source in SOLUTIONS.items()), chapter, "en")
    tries = 1 if rate == "honest" else max(1, TRIES // 10)
    points = []
    for seed in range(tries):
        echoes = iter(range(seed * 1000, seed * 1000 + 1000))

        def worker(*_, echoes=echoes):
            echo = Echo(next(echoes))
            echo.rate = 0 if rate == "honest" else echo.rate
            return echo

        monkeypatch.setattr(session, "new_worker", worker)
        one = session.Session(whole, marking.references(chapter), marking.entries(chapter), 5.0, Settings())
        results, fault = marking.mark_exercises(chapter, one, 0, 4)
        found = Found("a", Path("a.ipynb"))
        row = row_of(marking.told(found, whole, one, results, fault), found)
        assert fault == "" and row.status in ("graded", "crashed", "timeout") and json.dumps(row.details)
        points.append(row.points)
    assert points == [14] if rate == "honest" else min(points) < 14
