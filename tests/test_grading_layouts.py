"""Layouts of downloads: Moodle's, GitHub Classroom's, nbgrader's, zips; several attempts of one student."""

import os
import stat
import zipfile
from dataclasses import replace
from pathlib import Path

import pytest
from grading_notebooks import METADATA, SOLUTIONS, TOTAL, blank, cells, notebook, save, wrong
from grading_rows import BASE_TEN, made, marked

from ragteach import exercises
from ragteach.grading import archive
from ragteach.grading import attempts as attempts_module
from ragteach.grading.archive import BadArchive, unpack
from ragteach.grading.find import Found, find
from ragteach.grading.gradebook import row_of
from ragteach.grading.marking import Marked
from ragteach.grading.moodle import worksheet
from ragteach.grading.submission import read

ROOT = Path(__file__).resolve().parent.parent
BLANK = {id: blank(id) for id in SOLUTIONS}
LESSON = {"ragteach": {**METADATA["ragteach"], "kind": "lesson"}}
SOLVED = {"ragteach": {**METADATA["ragteach"], "kind": "solutions"}}


def students(root, scratch=None, policy="last"):
    """List (name, student, participant, file) of what is found below a folder or in a zip."""
    found = find([root], scratch, policy)
    return [(one.name, one.student, one.participant, one.notebook and one.notebook.name) for one in found]


def zipped(path, files, year=2026):
    """Make a zip of texts by member name."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in files.items():
            archive.writestr(zipfile.ZipInfo(name, (year, 3, 4, 5, 6, 8)), text, zipfile.ZIP_DEFLATED)
    return path


def aged(path, seconds):
    """Make a file that many seconds older than it is."""
    when = path.stat().st_mtime - seconds
    os.utime(path, (when, when))
    return path


@pytest.fixture
def moodle(tmp_path):
    root = tmp_path / "class"
    save(root / "Zoé Martin_12345_assignsubmission_file_" / "x.ipynb", cells())
    save(root / "Jean_Paul Duval_77_assignsubmission_file" / "deep" / "mon rendu.ipynb", cells())
    text = root / "Zoé Martin_12345_assignsubmission_onlinetext_"
    text.mkdir()
    (text / "onlinetext.html").write_text("fini !")
    (root / "Ann O'Neil_8_assignsubmission_onlinetext_").mkdir()
    return root


def test_moodles_folders(moodle):
    assert students(moodle) == [
        ("Ann O'Neil_8_assignsubmission_onlinetext_", "Ann O'Neil", "8", None),
        ("Jean_Paul Duval_77_assignsubmission_file/deep", "Jean_Paul Duval", "77", "mon rendu.ipynb"),
        ("Zoé Martin_12345_assignsubmission_file_", "Zoé Martin", "12345", "x.ipynb"),
    ]


def test_moodles_zip_as_downloaded(moodle, tmp_path):
    path = tmp_path / "02 BM25-4711.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in sorted(moodle.rglob("*")):
            archive.write(file, file.relative_to(moodle))
    assert students(path, tmp_path / "scratch") == students(moodle)


def test_moodles_files_side_by_side(tmp_path):
    save(tmp_path / "c" / "Zoé Martin_12345_assignsubmission_file_02_bm25.ipynb", cells())
    save(tmp_path / "c" / "Participant_9_assignsubmission_file_a_b.ipynb", cells())
    assert [one[1:3] for one in students(tmp_path / "c")] == [("Participant", "9"), ("Zoé Martin", "12345")]


FLAT = {
    "Élise B. Roy_11_assignsubmission_file_02_bm25.ipynb": notebook(cells()),
    "Élise B. Roy_11_assignsubmission_file_02_bm25 (1).ipynb": notebook(cells()),
    "B. Xu_13_assignsubmission_file_devoir.pdf": "%PDF",
    "B. Xu_13_assignsubmission_file_notes": "",
    "Ann_14_assignsubmission_onlinetext_onlinetext.html": "fini !",
}


def test_in_moodles_flat_download_nobody_is_lost(tmp_path):
    root = tmp_path / "c" / "TP2"
    root.mkdir(parents=True)
    for name, text in FLAT.items():
        (root / name).write_text(text, encoding="utf-8")
    expected = [("Ann", "14", False), ("B. Xu", "13", False), ("Élise B. Roy", "11", True)]
    path = zipped(tmp_path / "flat.zip", FLAT)
    for found in (find([root]), find([root.parent]), find([path], tmp_path / "s")):
        assert [(one.student, one.participant, one.notebook is not None) for one in found] == expected
        assert "devoir.pdf, notes" in found[1].refusal["fr"] and "onlinetext.html" in found[0].refusal["en"]
        assert [len(one.set_aside) for one in found] == [0, 0, 1]


def test_the_zips_of_moodles_flat_download_are_opened_for_each_participant(tmp_path):
    root = tmp_path / "c"
    save(root / "Zoé_1_assignsubmission_file_02_bm25.ipynb", cells())
    zipped(root / "Bob_2_assignsubmission_file_tp.zip", {"sub/02_bm25.ipynb": notebook(cells())})
    zipped(root / "Cid_3_assignsubmission_file_tp.zip", {"a.ipynb": notebook(cells()), "b.ipynb": notebook(cells())})
    (root / "Dan_4_assignsubmission_file_tp.zip").write_bytes(b"PK\x03\x04garbage")
    found = find([root], tmp_path / "s")
    assert [one.student for one in found] == ["Bob", "Cid", "Dan", "Zoé"]
    assert [one.notebook and one.notebook.name for one in found[:3]] == ["02_bm25.ipynb", "b.ipynb", None]
    assert "damaged" in found[2].refusal["en"] and found[1].set_aside == ("a.ipynb",)
    path = tmp_path / "c.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for file in root.iterdir():
            archive.write(file, file.name)
    whole = find([path], tmp_path / "t")
    assert [one.student for one in whole] == ["Bob", "Cid", "Dan", "Zoé"]
    assert all("inside another zip" in one.refusal["en"] for one in whole[:3])


def test_the_late_submissions_of_another_moodle_download_are_of_the_same_students(tmp_path):
    ann, bob, cid = ("Ann Lee_1_assignsubmission_file_", "Bob_2_assignsubmission_file_", "Cid_3_assignsubmission_file_")
    early = {f"{ann}/02_bm25.ipynb": notebook(cells(BLANK)), f"{bob}/02_bm25.ipynb": notebook(cells()), f"{cid}/a": ""}
    late = {f"{ann}/02_bm25.ipynb": notebook(cells()), f"{cid}/02_bm25.ipynb": notebook(cells())}
    paths = [zipped(tmp_path / "TP2.zip", early, 2025), zipped(tmp_path / "TP2-late.zip", late, 2026)]
    found = {one.student: one for one in find(paths, tmp_path / "s")}
    assert {one.name for one in found.values()} == {ann, bob, cid}
    assert found["Ann Lee"].set_aside == (f"TP2.zip/{ann}/02_bm25.ipynb",) and not found["Cid"].set_aside
    paths[0] = zipped(tmp_path / "TP2.zip", early | late, 2025)
    best = {one.student: one for one in find(paths, tmp_path / "t", "best")}
    assert {student: len(one.attempts) for student, one in best.items()} == {"Ann Lee": 2, "Bob": 0, "Cid": 2}


@pytest.mark.parametrize("flat", [False, True])
def test_a_late_moodle_download_renames_nobody(tmp_path, flat):
    between = "" if flat else "/"
    mine = {f"{name}_assignsubmission_file_{between}": f"{name[:3]} 1.ipynb" for name in ("Ann_1", "Bob_2", "Cid_3")}
    early = {prefix + file: notebook(cells()) for prefix, file in mine.items()}
    late = {f"Ann_1_assignsubmission_file_{between}a late one.ipynb": notebook(cells(BLANK | {"bm25.idf": "x"}))}
    late[f"Dan_4_assignsubmission_file_{between}x.ipynb"] = notebook(cells())
    first = zipped(tmp_path / "TP2.zip", early, 2025)
    alone = {one.student: one.name for one in find([first], tmp_path / "s")}
    other = zipped(tmp_path / "TP2-late.zip", late)
    both = {one.student: one for one in find([first, other], tmp_path / "t")}
    assert {student: both[student].name for student in alone} == alone and set(both) == {*alone, "Dan"}
    assert both["Ann"].notebook.name.endswith("a late one.ipynb") and len(both["Ann"].set_aside) == 1
    plain = zipped(tmp_path / "mail.zip", {"eve/a.ipynb": notebook(cells())})
    assert [one.name for one in find([first, plain], tmp_path / "u")] == [*sorted(alone.values()), "mail/eve"]


def test_folders_of_moodle_given_one_by_one_keep_their_names(moodle):
    found = find(sorted(moodle.iterdir()))
    assert [one.name for one in found] == [
        "Jean_Paul Duval_77_assignsubmission_file/deep",
        "Zoé Martin_12345_assignsubmission_file_/x",
    ]
    assert [one.participant for one in found] == ["77", "12345"]


# --- names that a student chose ---

EVE = "Eve X_111_assignsubmission_file_"
BOB = "Bob Smith_67890_assignsubmission_file_"
OTHERS = {"bob": "Bob Smith_67890", "dan": "Dan_5"}


def test_a_file_named_like_another_students_is_its_owners(tmp_path):
    root = tmp_path / "c"
    save(root / f"{EVE}{BOB}02_bm25.ipynb", cells())
    aged(save(root / f"{BOB}02_bm25.ipynb", cells()), 1000)
    assert [one[1:3] for one in students(root)] == [("Bob Smith", "67890"), ("Eve X", "111")]
    assert all(not one.set_aside for one in find([root]))


@pytest.mark.parametrize("eve", ["eve", EVE, f"TP2/{EVE}"])
@pytest.mark.parametrize(
    "inside",
    [f"{BOB}/x.ipynb", f"{BOB}x.ipynb", f"a/{BOB}/x.ipynb", "submitted/bob/x.ipynb", "t-submissions/t-bob/x.ipynb"],
)
def test_what_a_student_calls_a_subfolder_is_nobody_elses(tmp_path, eve, inside):
    root = tmp_path / "class"
    bob, dan = (eve.replace("Eve X_111", number).replace("eve", name) for name, number in OTHERS.items())
    save(root / eve / inside, cells())
    aged(save(root / bob / "02_bm25.ipynb", cells()), 1000)
    save(root / dan / "x.ipynb", cells())
    found = {one.student or one.name.split("/")[0]: one for one in find([root])}
    assert set(found) == ({"eve", "bob", "dan"} if eve == "eve" else {"Eve X", "Bob Smith", "Dan"})
    assert sorted(one.participant for one in found.values()) == ([""] * 3 if eve == "eve" else ["111", "5", "67890"])
    assert not any(one.set_aside for one in found.values())


def test_moodles_names_are_not_sought_further_and_further_down(tmp_path):
    save(tmp_path / "class" / "eve" / "a" / "a" / "a" / BOB / "x.ipynb", cells())
    assert [one[1:3] for one in students(tmp_path / "class")] == [("", "")]
    (tmp_path / "round").mkdir()
    (tmp_path / "round" / "again").symlink_to(tmp_path / "round", target_is_directory=True)
    assert find([tmp_path / "round"]) == []


def test_the_folders_of_several_moodle_downloads_side_by_side(tmp_path):
    for name in (f"TP2-4711/{BOB}/a.ipynb", f"TP2-4712/{EVE}x.ipynb"):
        save(tmp_path / "class" / name, cells())
    (tmp_path / "class" / "TP2-4711" / "Dan_5_assignsubmission_file_").mkdir()
    found = students(tmp_path / "class")
    assert [one[1:3] for one in found] == [("Bob Smith", "67890"), ("Dan", "5"), ("Eve X", "111")]


def test_who_handed_in_no_notebook_is_told_what_there_was_in_moodles_folders_too(tmp_path):
    root = tmp_path / "c"
    files = {"Bob_2_assignsubmission_file_/sub/report.pdf": ""}
    files |= {f"Cid_3_assignsubmission_file_/{n}.py": "" for n in range(12)}
    for name in files:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("")
    path = zipped(tmp_path / "c.zip", files)
    with zipfile.ZipFile(path, "a") as archive:
        archive.writestr("Dan_4_assignsubmission_file_/", "")
    (root / "Dan_4_assignsubmission_file_").mkdir()
    for found in (find([root], tmp_path / "s"), find([path], tmp_path / "t")):
        assert [one.student for one in found] == ["Bob", "Cid", "Dan"]
        assert "report.pdf" in found[0].refusal["fr"] and "and 2 more" in found[1].refusal["en"]
        assert found[2].refusal is None


def test_a_folder_inside_too_many_others_is_said(tmp_path):
    save(tmp_path / "class" / "ann" / "x.ipynb", cells())
    save(tmp_path / "class" / "eve" / "/".join("a" * 60) / "x.ipynb", cells())  # of hundreds, os.walk makes an error
    found = find([tmp_path / "class"])
    assert [one.name.split("/")[0] for one in found] == ["ann", "eve"]
    assert found[0].notebook and not found[1].notebook and "too long" in found[1].refusal["en"]


def test_moodles_worksheet_never_counts_a_chapter_twice():
    rows = [made(marked("a/ann", {"bm25.idf": BASE_TEN}), "Ann", "1"), made(marked("b/ann"), "Ann", "1")]
    for twice in (rows, rows[::-1]):
        assert worksheet(twice, "en").splitlines()[1].startswith(f'"Participant 1","Ann",{TOTAL},{TOTAL},')


def test_names_are_sorted_as_people_sort_them(tmp_path):
    for name in ("Zoë", "Élise", "bob", "Émile", "Elise", "ann", "Eve"):
        save(tmp_path / "class" / name / "x.ipynb", cells())
    assert [one[0] for one in students(tmp_path / "class")] == ["ann", "bob", "Elise", "Élise", "Émile", "Eve", "Zoë"]


def test_a_github_classroom(tmp_path):
    root = tmp_path / "tp2-bm25-submissions"
    for user in ("ann-lee", "bob"):
        save(root / f"tp2-bm25-{user}" / "02_bm25.ipynb", cells())
    expected = [("tp2-bm25-ann-lee", "ann-lee"), ("tp2-bm25-bob", "bob")]
    assert [one[:2] for one in students(root)] == expected
    os.rename(root, tmp_path / "elsewhere")
    assert [one[1] for one in students(tmp_path / "elsewhere")] == ["", ""]
    for user in ("ann-lee", "bob"):
        (tmp_path / "elsewhere" / f"tp2-bm25-{user}" / ".git").mkdir()
    assert [one[:2] for one in students(tmp_path / "elsewhere")] == expected


def test_a_copy_of_the_whole_course_in_a_students_repository(tmp_path):
    root = tmp_path / "tp-submissions"
    own = root / "tp-ann"
    save(own / "exercises" / "02_bm25.ipynb", cells())
    save(own / "exercises_en" / "02_bm25.ipynb", cells(BLANK))
    save(own / "notebooks" / "02_bm25.ipynb", cells(), LESSON)
    save(own / "solutions" / "02_bm25.ipynb", cells(), SOLVED)
    for policy in ("last", "best"):
        (found,) = find([root], policy=policy)
        assert (found.student, found.notebook.parent.name) == ("ann", "exercises")
        assert len(found.set_aside) == 3


def test_nbgraders_course(tmp_path):
    course = tmp_path / "course"
    save(course / "submitted" / "ann" / "ps1" / "02_bm25.ipynb", cells())
    save(course / "source" / "ps1" / "02_bm25.ipynb", cells())
    save(course / "autograded" / "ann" / "ps1" / "02_bm25.ipynb", cells())
    (course / "submitted" / "bob" / "ps1").mkdir(parents=True)
    expected = [("ann/ps1", "ann", "", "02_bm25.ipynb"), ("bob", "bob", "", None)]
    assert students(course / "submitted") == expected
    assert students(course) == [(f"submitted/{name}", *rest) for name, *rest in expected]


# --- several attempts ---


def attempts(tmp_path, policy="last"):
    (found,) = find([tmp_path / "class"], policy=policy)
    return found


@pytest.mark.parametrize("folder", ["Zoé_1_assignsubmission_file_", "zoe"])
def test_the_last_attempt_counts(tmp_path, folder):
    own = tmp_path / "class" / folder
    aged(save(own / "02_bm25 (1).ipynb", cells()), 100)
    save(own / "02_bm25.ipynb", cells(BLANK | {"bm25.idf": SOLUTIONS["bm25.idf"]}))
    found = attempts(tmp_path)
    assert (found.name, found.notebook.name, found.set_aside) == (folder, "02_bm25.ipynb", ("02_bm25 (1).ipynb",))
    assert found.attempts == ()


def test_of_attempts_saved_at_once_the_highest_version_counts(tmp_path):
    made = [save(tmp_path / "class" / "zoe" / f"bm25_v{n}.ipynb", cells()) for n in (1, 10, 9)]
    for path in made:
        os.utime(path, (1e9, 1e9))
    assert attempts(tmp_path).notebook.name == "bm25_v10.ipynb"


def test_the_best_attempt_needs_all_of_them(tmp_path):
    own = tmp_path / "class" / "zoe"
    save(own / "02_bm25.ipynb", cells())
    aged(save(own / "02_bm25-Copie1.ipynb", cells(wrong("bm25.idf"))), 50)
    found = attempts(tmp_path, "best")
    assert [path.name for path in found.attempts] == ["02_bm25-Copie1.ipynb", "02_bm25.ipynb"]


def test_an_unreadable_or_untouched_copy_is_no_attempt(tmp_path):
    own = tmp_path / "class" / "Zoé_1_assignsubmission_file_"
    aged(save(own / "mine.ipynb", cells()), 1000)
    aged(save(own / "given.ipynb", cells(BLANK)), 10)
    (own / "02_bm25.ipynb").write_text("")
    save(own / "other course.ipynb", [{"cell_type": "code", "source": "import pandas"}], {})
    found = attempts(tmp_path, "best")
    assert (found.notebook.name, found.attempts) == ("mine.ipynb", ())
    assert set(found.set_aside) == {"given.ipynb", "02_bm25.ipynb", "other course.ipynb"}


def test_students_whose_notebooks_share_a_folder_are_never_taken_for_one(tmp_path):
    root = tmp_path / "class"
    for name in ("group1/ann", "group1/bob", "group2/student1", "group2/student2", "group3/cid"):
        save(root / f"{name}.ipynb", cells())
    for name in ("dan", "dan (1)", "eve_v2"):
        save(tmp_path / "flat" / f"{name}.ipynb", cells())
    assert len(students(root)) == 5 and len(students(tmp_path / "flat")) == 3


def test_other_names_are_attempts_where_most_folders_hold_one_notebook(tmp_path):
    for name in ("ann/a", "bob/b", "cid/first try", "cid/second"):
        save(tmp_path / "class" / f"{name}.ipynb", cells())
    assert [one[0] for one in students(tmp_path / "class")] == ["ann", "bob", "cid"]


def test_what_a_student_puts_into_subfolders_groups_nobody_else(tmp_path):
    for name in ("ann/a", "bob/b", "cid/first try", "cid/second"):
        save(tmp_path / "class" / f"{name}.ipynb", cells())
    for n in range(4):
        for name in "xy":
            save(tmp_path / "class" / "eve" / f"s{n}" / f"{name}.ipynb", cells())
    assert [one[0].split("/")[0] for one in students(tmp_path / "class")] == ["ann", "bob", "cid", "eve"]
    for name in ("fay/hers", "gus/his"):  # the same one folder down
        save(tmp_path / "nested" / f"{name}" / "x.ipynb", cells())
    for name in ("first try", "second"):
        save(tmp_path / "nested" / "hal" / "work" / f"{name}.ipynb", cells())
    assert [one[0] for one in students(tmp_path / "nested")] == ["fay/hers", "gus/his", "hal/work"]


def test_folders_of_groups_are_not_taken_for_one_student(tmp_path):
    for name in ("TD1/ann", "TD2/bob", "TD3/cid", "TD3/dan"):
        save(tmp_path / "class" / name / "x.ipynb", cells())
    save(tmp_path / "class" / "TD3" / "dan" / "second.ipynb", cells())
    assert [one[0] for one in students(tmp_path / "class")] == ["TD1/ann", "TD2/bob", "TD3/cid", "TD3/dan"]


def test_of_too_many_notebooks_the_newest_are_looked_at(tmp_path, monkeypatch):
    monkeypatch.setattr(attempts_module, "MOST", 3)
    own = tmp_path / "class" / "Zoé_1_assignsubmission_file_"
    for n in range(6):
        aged(save(own / f"{n}.ipynb", cells()), 100 * n)
    aged(save(own / "blank.ipynb", cells(BLANK)), 50)
    looked = []
    monkeypatch.setattr(attempts_module, "read", lambda path: looked.append(path.name) or read(path))
    found = attempts(tmp_path)
    assert sorted(looked) == ["0.ipynb", "1.ipynb", "blank.ipynb"] and found.notebook.name == "0.ipynb"
    assert found.unread == ("2.ipynb", "3.ipynb", "4.ipynb", "5.ipynb") and found.no_attempts == ("blank.ipynb",)
    assert found.set_aside == ("1.ipynb", *found.unread, *found.no_attempts)
    looked.clear()
    monkeypatch.setattr(attempts_module, "MOST_BYTES", (own / "0.ipynb").stat().st_size + 10)
    assert attempts(tmp_path).notebook.name == "0.ipynb" and looked == ["0.ipynb"]


def test_the_whole_course_is_looked_at():
    course = [path for kind in ("exercises", "notebooks", "solutions") for path in (ROOT / kind).rglob("*.ipynb")]
    assert 0 < 1.5 * len(course) < min(attempts_module.MOST, archive.OWN_NOTEBOOKS)


def told(found, policy="last", lang="en"):
    """Give what the student's page says of a marked submission."""
    return row_of(Marked(found.name, "graded", lang=lang), found, policy).details["remarks"]


def test_a_page_tells_attempts_that_do_not_count_from_what_is_no_attempt(tmp_path):
    own = tmp_path / "class" / "zoe"
    save(own / "02_bm25.ipynb", cells())
    aged(save(own / "02_bm25 (1).ipynb", cells()), 100)
    save(own / "02_bm25 (2).ipynb", cells(BLANK))
    (own / "02_bm25 (3).ipynb").write_text("damaged")
    other, none = told(attempts(tmp_path))
    assert other == "Other notebooks handed in, which did not count (the last one counts): 02_bm25 (1).ipynb."
    assert "no attempts" in none and none.endswith(": 02_bm25 (2).ipynb, 02_bm25 (3).ipynb.")
    (only,) = told(replace(attempts(tmp_path, "best"), attempts=()), "best", "fr")
    assert "pas des essais" in only and only.endswith("\N{NO-BREAK SPACE}: 02_bm25 (2).ipynb, 02_bm25 (3).ipynb.")


def test_a_page_names_ten_notebooks_and_counts_the_rest():
    many = tuple(f"{n}.ipynb" for n in range(3000))
    found = Found("a", None, set_aside=many, unread=many[2000:], no_attempts=many[1000:1011])
    remarks = told(found)
    assert len(remarks) == 3 and sum(map(len, remarks)) < 1000
    assert [remark.rpartition(" and ")[2] for remark in remarks] == ["1979 more.", "1 more.", "990 more."]
    assert [remark.rpartition(" et ")[2] for remark in told(found, lang="fr")][1:] == ["1 autre.", "990 autres."]


def test_chapters_of_one_student_have_a_row_each(tmp_path):
    other = next(chapter for chapter in exercises.chapters() if chapter.id != "02_bm25")
    own = tmp_path / "class" / "Zoé_1_assignsubmission_file_"
    save(own / "02_bm25.ipynb", cells())
    save(own / "02_bm25 (1).ipynb", cells())
    save(own / f"{other.id}.ipynb", cells(), {"ragteach": {"chapter": other.id}})
    found = {one.name.rpartition("/")[2]: one for one in find([tmp_path / "class"])}
    assert set(found) == {"02_bm25", other.id} and {one.participant for one in found.values()} == {"1"}
    assert found["02_bm25"].set_aside and not found[other.id].set_aside
    (own / "homework three.ipynb").write_text("damaged")  # may be of a third chapter
    assert [one.name.rpartition("/")[2] for one in find([tmp_path / "class"])] == [*sorted(found), "homework three"]


# --- zips ---


def test_a_zip_is_named_and_read_like_the_folder(tmp_path):
    text = notebook(cells())
    files = {
        "ann/a.ipynb": text,
        "bob/answers.pdf": "",
        "__MACOSX/ann/._a.ipynb": "x",
        "cid/.ipynb_checkpoints/a.ipynb": text,
    }
    path = zipped(tmp_path / "c.zip", files)
    assert [(one[0], one[3]) for one in students(path, tmp_path / "s")] == [
        ("ann", "a.ipynb"),
        ("bob", None),
        ("cid", None),
    ]
    other = zipped(tmp_path / "d.zip", {"ann/a.ipynb": text})
    assert [one.name for one in find([path, other], tmp_path / "t")] == ["c/ann", "c/bob", "c/cid", "d/ann"]


def test_a_students_own_zip_is_opened_and_a_zip_inside_a_zip_is_not(tmp_path):
    own = tmp_path / "class" / "ann"
    own.mkdir(parents=True)
    zipped(own / "rendu.zip", {"rendu/02_bm25.ipynb": notebook(cells())})
    (tmp_path / "class" / "bob").mkdir()
    zipped(tmp_path / "class" / "bob" / "x.zip", {"y.zip": "PK"})
    (tmp_path / "class" / "cid").mkdir()
    (tmp_path / "class" / "cid" / "x.zip").write_bytes(b"PK\x03\x04garbage")
    found = {one.name: one for one in find([tmp_path / "class"], tmp_path / "s")}
    assert found["ann"].notebook.name == "02_bm25.ipynb"
    assert found["bob"].notebook is None and "inside another zip" in found["bob"].refusal["en"]
    assert found["cid"].notebook is None and "damaged" in found["cid"].refusal["en"]


def test_no_member_of_a_zip_leaves_its_folder(tmp_path):
    path = tmp_path / "x.zip"
    with zipfile.ZipFile(path, "w") as archive:
        for name in ("../out.ipynb", "/abs.ipynb", "a/../../out.ipynb", "..\\out.ipynb", "C:\\win.ipynb", "a\\b.ipynb"):
            archive.writestr(name, "{}")
        link = zipfile.ZipInfo("link.ipynb")
        link.external_attr = (stat.S_IFLNK | 0o777) << 16
        archive.writestr(link, "/etc/passwd")
    refused = unpack(path, tmp_path / "s" / "in")
    written = {file.relative_to(tmp_path / "s").as_posix() for file in tmp_path.rglob("*") if file.suffix == ".ipynb"}
    assert written == {"in/abs.ipynb", "in/C_/win.ipynb", "in/a/b.ipynb"}
    assert not any(file.is_symlink() for file in tmp_path.rglob("*"))
    assert [(place.name, "link" in reason["en"]) for place, reason in refused.items()] == [("link.ipynb", True)]


def test_a_zip_bomb_is_refused(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MANY", 100_000)
    bomb = zipped(tmp_path / "b.zip", {f"{n}.ipynb": " " * 1_000_000 for n in range(5)})
    with pytest.raises(BadArchive, match="proportion"):
        unpack(bomb, tmp_path / "s")
    with pytest.raises(ValueError, match="b.zip"):
        find([bomb], tmp_path / "t")
    monkeypatch.setattr(archive, "MAX_MEMBERS", 3)
    with pytest.raises(BadArchive, match="too many"):
        unpack(bomb, tmp_path / "u")


def test_a_notebook_too_big_or_locked_refuses_its_own_student_only(tmp_path, monkeypatch):
    monkeypatch.setattr(archive, "MAX_FILE", 100_000)
    path = tmp_path / "c.zip"
    zipped(path, {"ann/a.ipynb": notebook(cells()), "bob/b.ipynb": "x" * 200_000, "cid/c.ipynb": "{}"})
    data = bytearray(path.read_bytes())
    at = data.rindex(b"PK\x01\x02", 0, data.index(b"cid/c.ipynb", data.index(b"PK\x01\x02")))
    data[at + 8] |= 1  # encrypted, says the central directory
    path.write_bytes(data)
    found = {one.name: one for one in find([path], tmp_path / "s")}
    assert found["ann"].refusal is None and found["ann"].notebook is not None
    assert "over" in found["bob"].refusal["en"] and "password" in found["cid"].refusal["en"]


@pytest.mark.parametrize("method", [zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED, zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_a_damaged_member_refuses_its_own_student_only(tmp_path, method):
    path = tmp_path / "c.zip"
    with zipfile.ZipFile(path, "w", method) as made:
        made.writestr("ann/a.ipynb", notebook(cells()))
        made.writestr("bob/b.ipynb", notebook(cells()))
    data = bytearray(path.read_bytes())
    at = data.index(b"ann/a.ipynb") + 60
    data[at : at + 40] = bytes(40)
    path.write_bytes(data)
    found = {one.name: one for one in find([path], tmp_path / "s")}
    assert found["ann"].notebook is None and "damaged" in found["ann"].refusal["en"]
    assert found["bob"].notebook is not None


@pytest.mark.parametrize("encoding", ["utf-8", "cp850"])
def test_names_of_members_in_old_encodings(tmp_path, encoding):
    path = zipped(
        tmp_path / "c.zip", {"Zo\u0001 \u0002lise/a.ipynb": notebook(cells()), "x/b.ipynb": notebook(cells())}
    )
    replaced = {b"\x01": "é".encode(encoding), b"\x02": "É".encode(encoding)}
    with zipfile.ZipFile(path, "w") as made:
        info = zipfile.ZipInfo(
            "Zo@1 @2lise/a.ipynb".replace("@1", "@" * len(replaced[b"\x01"])).replace(
                "@2", "#" * len(replaced[b"\x02"])
            )
        )
        made.writestr(info, notebook(cells()))
        made.writestr("x/b.ipynb", notebook(cells()))
    data = path.read_bytes()
    data = data.replace(b"Zo" + b"@" * len(replaced[b"\x01"]), b"Zo" + replaced[b"\x01"])
    data = data.replace(b" " + b"#" * len(replaced[b"\x02"]) + b"lise", b" " + replaced[b"\x02"] + b"lise")
    path.write_bytes(data)
    assert [one[0] for one in students(path, tmp_path / "s")] == ["x", "Zoé Élise"]


def test_the_date_in_a_zip_tells_the_last_attempt(tmp_path):
    path = tmp_path / "c.zip"
    with zipfile.ZipFile(path, "w") as made:
        for name, year in (("a.ipynb", 2026), ("b.ipynb", 2024)):
            info = zipfile.ZipInfo(f"Zoé_1_assignsubmission_file_/{name}", (year, 3, 4, 5, 6, 8))
            made.writestr(info, notebook(cells()))
    assert students(path, tmp_path / "s")[0][3] == "a.ipynb"


@pytest.mark.parametrize("damage", [b"", b"PK\x05\x06", b"not a zip"])
def test_a_path_that_is_no_zip_is_said(tmp_path, damage):
    path = tmp_path / "c.zip"
    path.write_bytes(damage)
    with pytest.raises(ValueError, match="c.zip"):
        find([path], tmp_path / "s")
