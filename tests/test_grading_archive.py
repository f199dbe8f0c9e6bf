"""Zips of a whole class: what one member is costs its own student only, and no zip takes more than it may."""

import errno
import io
import os
import re
import struct
import tracemalloc
import zipfile

import pytest
from grading_notebooks import cells, notebook

from ragteach.grading import archive
from ragteach.grading import find as find_module
from ragteach.grading.archive import BadArchive, unpack
from ragteach.grading.find import find
from ragteach.language import BadValue

NOTEBOOK = notebook(cells())
ANN, BOB, EVE = (f"{name}_assignsubmission_file_" for name in ("Ann Lee_11", "Bob Lee_12", "Eve Lee_13"))


def zipped(path, files, method=zipfile.ZIP_DEFLATED):
    """Make a zip of texts by member name."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w", method) as made:
        for name, text in files.items():
            made.writestr(name, text)
    return path


def found_in(path, scratch):
    """Give what is found in a zip, by its names."""
    return {one.name: one for one in find([path], scratch)}


@pytest.mark.parametrize("n_bombs", [1, 3])
def test_a_notebook_out_of_all_proportion_refuses_its_own_student_only(tmp_path, monkeypatch, n_bombs):
    monkeypatch.setattr(archive, "MANY", 1_000_000)
    bombs = {f"Eve_{n}_assignsubmission_file_": " " * 3_000_000 for n in range(n_bombs)}
    files = {**bombs, ANN: NOTEBOOK, BOB: NOTEBOOK}
    path = zipped(tmp_path / "c.zip", {f"{name}/02_bm25.ipynb": text for name, text in files.items()})
    found = found_in(path, tmp_path / "s")
    assert set(found) == set(files) and found[ANN].notebook and found[BOB].notebook
    assert all(found[bomb].notebook is None and "over 1 MB" in found[bomb].refusal["en"] for bomb in bombs)


def test_of_a_zip_that_is_too_much_in_all_the_biggest_notebooks_are_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MAX_TOTAL", 5_000_000)
    sizes = {"ann": 1_000_000, "bob": 3_000_000, "cid": 2_000_000, "dan": 1_500_000}
    path = zipped(tmp_path / "c.zip", {f"{name}/a.ipynb": "x" * size for name, size in sizes.items()})
    found = found_in(path, tmp_path / "s")
    assert [name for name, one in found.items() if one.notebook] == ["ann", "cid", "dan"]
    assert "over 3 MB" in found["bob"].refusal["en"] and "3 Mo" in found["bob"].refusal["fr"].replace("\xa0", " ")
    monkeypatch.setattr(archive, "MAX_TOTAL", 500_000)
    with pytest.raises(BadArchive, match="proportion"):
        unpack(path, tmp_path / "t")


def test_a_zip_of_3000_honest_notebooks_of_6_megabytes_is_opened_whole():
    """By their sizes, which are what counts: text with plots packs twice, text alone ten times."""
    made = []
    for n in range(3_000):
        made.append(zipfile.ZipInfo(f"{n}/a.ipynb"))
        made[-1].file_size, made[-1].compress_size = 6_500_000, 650_000 * (1 + 4 * (n % 2))
    assert archive.too_heavy(made, sum(member.compress_size for member in made), archive.MAX_TOTAL) == set()


@pytest.mark.parametrize("name", ["é02_bm25.ipynb", "02_bm25é.ipynb"])
def test_a_name_that_is_not_the_utf8_it_claims_costs_nobody_anything(tmp_path, name):
    files = {f"Zoé Élie_7_assignsubmission_file_/ü{name}": NOTEBOOK, f"{ANN}/a.ipynb": NOTEBOOK}
    path = zipped(tmp_path / "c.zip", {f"{EVE}/{name}": NOTEBOOK, **files})
    data = path.read_bytes().replace(
        f"{EVE}/{name}".encode(), f"{EVE}/{name}".encode().replace(b"\xc3\xa9", b"\x82\xff")
    )
    path.write_bytes(data)
    found = found_in(path, tmp_path / "s")
    assert set(found) == {ANN, EVE, "Zoé Élie_7_assignsubmission_file_"}
    assert [one.notebook.name for one in found.values()] == ["a.ipynb", name.replace("é", "é_"), f"ü{name}"]
    assert {one.notebook.read_text() for one in found.values()} == {NOTEBOOK}


def test_what_a_zip_unpacks_to_never_lies_in_memory_at_once(tmp_path):
    path = zipped(tmp_path / "c.zip", {"a.ipynb": b" " * 150_000_000}, zipfile.ZIP_LZMA)
    data = bytearray(path.read_bytes())
    struct.pack_into("<L", data, data.rindex(b"PK\1\2") + 24, 1_000)  # so small it is, it says
    path.write_bytes(data)
    tracemalloc.start()
    try:
        refused = unpack(path, tmp_path / "s")
        assert tracemalloc.get_traced_memory()[1] < 75_000_000
    finally:
        tracemalloc.stop()
    assert "damaged" in next(iter(refused.values()))["en"]


@pytest.mark.parametrize(
    "bad",
    [
        f"{EVE}/{'d' * 200}/" * 25 + "x.ipynb",
        f"{EVE}/" + "d/" * 1500 + "x.ipynb",
        f"TP2/{EVE}/" + "d/" * 60 + "x.ipynb",
        f"{EVE}/a.py/x.ipynb",
        f"{EVE}/" + "d/" * 1500 + "x.zip",
    ],
)
def test_a_member_that_has_no_place_refuses_its_own_student_only(tmp_path, bad):
    root = "TP2/" if bad.startswith("TP2") else ""
    files = {f"{root}{ANN}/a.ipynb": NOTEBOOK, f"{root}{EVE}/a.py": "", bad: NOTEBOOK, f"{root}{BOB}/b.ipynb": NOTEBOOK}
    found = {one.student: one for one in find([zipped(tmp_path / "c.zip", files)], tmp_path / "s")}
    assert set(found) == {"Ann Lee", "Bob Lee", "Eve Lee"} and found["Ann Lee"].notebook and found["Bob Lee"].notebook
    assert found["Eve Lee"].notebook is None and "out of the zip" in found["Eve Lee"].refusal["en"]


class Full(io.BytesIO):
    """A file on a disk that is full, or worse."""

    def __init__(self, error):
        super().__init__()
        self.error = error

    def write(self, data):
        raise OSError(self.error, os.strerror(self.error))


@pytest.mark.parametrize("error", [errno.ENOSPC, errno.EDQUOT, errno.EIO])
@pytest.mark.parametrize("own", [False, True])
def test_a_full_disk_is_no_students_fault(tmp_path, monkeypatch, error, own):
    path = zipped(tmp_path / "c" / "ann" / "rendu.zip", {"a/a.ipynb": NOTEBOOK})
    monkeypatch.setattr(archive.Path, "open", lambda *_, **__: Full(error))
    with pytest.raises(BadValue, match=re.escape(f"{tmp_path / 's'}")) as told:
        find([tmp_path / "c" if own else path], tmp_path / "s")
    assert os.strerror(error) in str(told.value) and "TMPDIR" in told.value.text["fr"]


def test_a_disk_that_has_no_room_for_a_folder_is_no_students_fault(tmp_path, monkeypatch):
    path = zipped(tmp_path / "c.zip", {f"{ANN}/a.ipynb": NOTEBOOK})
    make = archive.Path.mkdir

    def full(folder, *args, **kwargs):
        if folder.name == ANN:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        make(folder, *args, **kwargs)

    monkeypatch.setattr(archive.Path, "mkdir", full)
    with pytest.raises(BadValue, match="TMPDIR"):
        find([path], tmp_path / "s")


def test_the_zips_of_one_student_take_little(tmp_path, monkeypatch):
    monkeypatch.setattr(find_module, "OWN_TOTAL", 1_000_000)
    monkeypatch.setattr(find_module, "OWN_NOTEBOOKS", 4)
    root = tmp_path / "c"
    zipped(root / "ann" / "a.zip", {"a.ipynb": " " * 800_000})
    zipped(root / "bob" / "b.zip", {"b.ipynb": " " * 1_200_000})
    zipped(root / "cid" / "c.zip", {f"{n}.ipynb": NOTEBOOK for n in range(5)})
    for n in range(2):
        zipped(root / "dan" / f"{n}.zip", {"d.ipynb": " " * 800_000})
    found = {one.name.split("/")[0]: one for one in find([root], tmp_path / "s")}
    assert found["ann"].notebook and not any(found[name].notebook for name in ("bob", "cid", "dan"))
    assert "over 1 MB" in found["bob"].refusal["en"] and "too many" in found["cid"].refusal["en"]
    zipped(root / "eve" / "e.zip", {f"{n}/": "" for n in range(5)} | {"x.py": "", "e.ipynb": NOTEBOOK})
    find([root], tmp_path / "t")
    assert sum(file.is_file() for file in (tmp_path / "t").rglob("*")) == 2
    assert not list((tmp_path / "t").rglob("0"))
