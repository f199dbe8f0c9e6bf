"""A class on a Dask cluster: every submission is marked, once, whatever happens to the cluster's machines."""

import csv
import json
import os
import pickle
import signal
import threading
import time
from collections import Counter

import pytest
from grading_notebooks import METADATA, SOLUTIONS, blank, cells, code, save, wrong

from ragteach import exercises
from ragteach.grading import classroom, cluster, grade, remote
from ragteach.grading.find import Found
from ragteach.grading.marking import Marked, mark, opened
from ragteach.grading.settings import Settings
from ragteach.language import BadValue

ENGLISH = {"ragteach": {**METADATA["ragteach"], "lang": "en"}}
FEW = {id: blank(id) for id in SOLUTIONS}  # blanks: quick to mark
TWO = {**FEW, **{id: SOLUTIONS[id] for id in ("bm25.bim_weight", "bm25.idf")}}
KILLER = code("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)")  # nothing holds it in a mere process


@pytest.fixture(scope="module")
def two_workers():
    """Start a cluster of two processes on this machine."""
    distributed = pytest.importorskip("distributed", reason="the extra dask is not installed.")
    with distributed.LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, worker_dashboard_address=None, silence_logs=50
    ) as local:
        yield local


def found_in(folder, *names_and_cells):
    return [Found(name, save(folder / f"{name}.ipynb", made, ENGLISH)) for name, made in names_and_cells]


def order_of(found, settings):
    return remote.Order(tuple((one, remote.packed(opened(one))) for one in found), 0, 20.0, settings)


def test_a_machine_that_is_lost_midway_loses_and_doubles_nothing(two_workers, tmp_path):
    for n in range(8):
        save(
            tmp_path / "in" / f"student{n}" / "02_bm25.ipynb",
            cells({**TWO, **wrong("bm25.idf")} if n % 2 else TWO),
            ENGLISH,
        )
    (tmp_path / "in" / "empty").mkdir()
    (tmp_path / "in" / "empty" / "a.ipynb").touch()
    out, killed = tmp_path / "out", []

    def results():
        lines = (out / "results.jsonl").read_bytes().splitlines() if (out / "results.jsonl").exists() else []
        return [name for line in lines if line.endswith(b"}") and (name := json.loads(line).get("name"))]

    def kill_one():
        while not (there := results()):
            time.sleep(0.05)
        busy = two_workers.workers[0].pid
        os.kill(busy, signal.SIGKILL)
        killed.append(len(there))

    killer = threading.Thread(target=kill_one, daemon=True)
    killer.start()
    assert grade([tmp_path / "in"], out, dask=two_workers.scheduler_address, lang="en", seed=3) == 0
    killer.join(1)
    assert killed and killed[0] < 7  # there was work left to lose
    assert set(Counter(results()).values()) == {1}
    with (out / "grades.csv").open(encoding="utf-8", newline="") as file:
        rows = [(row["submission"], row["status"], row["points"]) for row in csv.DictReader(file)]
    marked = [(f"student{n}", "graded", str(2 - n % 2)) for n in range(8)]
    assert rows == [("empty", "refused", "0"), *marked]
    assert "Sandbox" in json.loads((out / "grades.json").read_text("utf-8"))["sandbox"]


@pytest.mark.skipif(os.name == "nt", reason="needs getppid and SIGKILL")
def test_a_submission_that_kills_its_grader_costs_the_others_of_its_task_nothing(two_workers, tmp_path, monkeypatch):
    monkeypatch.setattr(cluster, "TASKS", 1)
    made = [(f"student{n}", [*cells(FEW), KILLER] if n == 1 else cells(FEW)) for n in range(4)]
    how = {"address": two_workers.scheduler_address, "seed": 0, "timeout": 20.0, "settings": Settings("process")}
    marked = {one.name: result.status for one, result in cluster.mark_all(found_in(tmp_path, *made), **how)}
    assert marked == {**{f"student{n}": "graded" for n in range(4)}, "student1": "grader_error"}


def test_a_task_marks_as_this_machine_does(tmp_path):
    found = found_in(tmp_path, ("ann", cells({**TWO, **wrong("bm25.idf")})))
    (there,) = remote.mark_in_a_process(order_of(found, Settings()))
    here = mark(found[0], timeout=20.0)
    assert (there.name, there.points, there.remarks) == (here.name, here.points, here.remarks) == ("ann", 1, ())
    assert [one.verdict for one in there.results] == [one.verdict for one in here.results]


@pytest.mark.skipif(os.name == "nt", reason="needs getppid and SIGKILL")
def test_what_was_marked_before_the_grader_died_is_kept(tmp_path):
    found = found_in(tmp_path, ("ann", cells(FEW)), ("bob", [*cells(FEW), KILLER]), ("cid", cells(FEW)))
    marked = remote.mark_in_a_process(order_of(found, Settings("process")))
    assert [one.name for one in marked] == ["ann"]


def test_every_chapter_can_travel(tmp_path):
    for chapter in exercises.chapters():
        metadata = {"ragteach": {"chapter": chapter.id, "kind": "exercises", "lang": "fr"}}
        read = opened(
            Found("a", save(tmp_path / "a.ipynb", [code("x = 1", exercise=chapter.exercises[0].id)], metadata))
        )
        assert not isinstance(read, Marked)
        assert remote.unpacked(pickle.loads(pickle.dumps(remote.packed(read)))).chapter is chapter


def test_a_cluster_that_cannot_do_it_is_said(two_workers, monkeypatch, tmp_path, capsys):
    address = two_workers.scheduler_address
    save(tmp_path / "in" / "a.ipynb", cells(FEW))
    with monkeypatch.context() as patch:
        patch.setattr(cluster, "CONNECT_SECONDS", 1)
        assert grade([tmp_path / "in"], tmp_path / "out", dask="tcp://127.0.0.1:9", lang="fr") == 2
    assert "Aucun ordonnanceur Dask" in capsys.readouterr().err and not (tmp_path / "out").exists()
    monkeypatch.setattr(cluster, "versions", lambda: "another")
    with pytest.raises(BadValue, match="same everywhere"):
        cluster.sandbox_report(address, Settings())


def test_where_dask_is_absent_it_is_said(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "distributed", None)
    options = classroom.Options(dask="tcp://127.0.0.1:9")
    with pytest.raises(BadValue, match="distributed") as error:
        classroom.enforced(options)
    assert "[dask]" in error.value.text["fr"]
