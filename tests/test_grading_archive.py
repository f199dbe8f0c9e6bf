"""Zips of a whole class: what one member is costs its own student only, and no zip takes more than it may."""

import struct
import tracemalloc
import zipfile

import pytest
from grading_notebooks import cells, notebook

from ragteach.grading import archive
from ragteach.grading.archive import BadArchive, unpack
from ragteach.grading.find import find

NOTEBOOK = notebook(cells())
ANN, BOB, EVE = (f"{name}_assignsubmission_file_" for name in ("Ann Lee_11", "Bob Lee_12", "Eve Lee_13"))


def zipped(path, files, method=zipfile.ZIP_DEFLATED):
    """Make a zip of texts by member name."""
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
    assert archive.too_heavy(made, sum(member.compress_size for member in made)) == set()


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
