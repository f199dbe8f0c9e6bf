"""A folder of the reader's own documents: what is read, how, and what is said of the rest."""

import io
import os
import subprocess
import sys
from pathlib import Path

import pypdf
import pytest
from pypdf.generic import DecodedStreamObject, DictionaryObject, NameObject

from ragteach.corpus import chunk, load_folder
from ragteach.corpus.formats import Unreadable, decode
from ragteach.corpus.html_text import html_to_markdown
from ragteach.corpus.reasons import SENTENCES, say
from ragteach.retrieval.chunking import chunk_words


def pdf(*pages, title="", **encryption):
    """Make a PDF; a page without text is what a scanner makes."""
    writer = pypdf.PdfWriter()
    font = DictionaryObject(
        {
            NameObject("/Type"): NameObject("/Font"),
            NameObject("/Subtype"): NameObject("/Type1"),
            NameObject("/BaseFont"): NameObject("/Helvetica"),
        }
    )
    for text in pages:
        page = writer.add_blank_page(300, 300)
        if text:
            page[NameObject("/Resources")] = DictionaryObject(
                {NameObject("/Font"): DictionaryObject({NameObject("/F1"): font})}
            )
            stream = DecodedStreamObject()
            stream.set_data(f"BT /F1 12 Tf 20 200 Td ({text}) Tj ET".encode("latin-1"))
            page[NameObject("/Contents")] = writer._add_object(stream)
    if title:
        writer.add_metadata({"/Title": title})
    if encryption:
        writer.encrypt(algorithm="RC4-128", **encryption)
    file = io.BytesIO()
    writer.write(file)
    return file.getvalue()


@pytest.fixture
def folder(tmp_path):
    folder = tmp_path / "mes documents"
    (folder / "notes").mkdir(parents=True)
    return folder


def reasons(skipped, lang="en"):
    """Write each sentence as the name of its reason."""
    names = {sentences[lang]: name for name, sentences in SENTENCES.items()}
    return {name: names.get(sentence, sentence) for name, sentence in skipped}


def test_every_format_is_read_in_folders_and_subfolders(folder):
    (folder / "a.md").write_text("---\ndate: 2025-01-02\nroles: all, team\n---\n# Lidar\n\nIt spins.", encoding="utf-8")
    (folder / "b.TXT").write_bytes(b"One line.\r\nAnother.\r")
    (folder / "notes" / "c.html").write_text("<title>Fuse</title><h1>Fuse</h1><p>5&nbsp;A", encoding="utf-8")
    (folder / "notes" / "d.pdf").write_bytes(pdf("Page one.", "Page two.", title="Battery"))
    mine, skipped = load_folder(folder, "en")
    assert skipped == [] and (mine.name, mine.lang, mine.questions, mine.passages) == ("mes documents", "en", (), {})
    assert [(d.id, d.title, d.text) for d in mine.documents] == [
        ("a.md", "Lidar", "It spins."),
        ("b.TXT", "b", "One line.\nAnother."),
        ("notes/c.html", "Fuse", "# Fuse\n\n5\u00a0A"),
        ("notes/d.pdf", "Battery", "Page one.\n\nPage two."),
    ]
    assert mine.documents[0].metadata == {
        "language": "en",
        "date": "2025-01-02",
        "roles": ("all", "team"),
        "source": "a.md",
    }
    assert [piece.source for piece in chunk(mine.documents, chunk_words)] == [d.id for d in mine.documents]
    assert load_folder(str(folder), "en") == (mine, skipped)


def test_what_is_skipped_is_told(folder):
    (folder / "good.txt").write_text("Good.")
    (folder / "sheet.xlsx").write_bytes(b"PK")
    (folder / "none").write_bytes(b"")
    (folder / "empty.md").write_text("---\ntitle: x\n---\n \n")
    (folder / "blank.html").write_text("<script>x</script>")
    (folder / "binary.txt").write_bytes(bytes(range(256)))
    (folder / ".hidden.txt").write_text("x")
    (folder / ".git").mkdir()
    (folder / ".git" / "config.txt").write_text("x")
    (folder / "notes" / "locked.pdf").write_bytes(pdf("Secret.", user_password="x"))
    (folder / "notes" / "scan.pdf").write_bytes(pdf("", ""))
    (folder / "notes" / "half.pdf").write_bytes(pdf("Text.", "", ""))
    (folder / "notes" / "cut.pdf").write_bytes(pdf("Text.")[:200])
    (folder / "notes" / "no.pdf").write_bytes(b"This is no PDF.")
    (folder / "notes" / "nothing.pdf").write_bytes(b"")
    (folder / "broken.txt").symlink_to(folder / "gone.txt")
    (folder / "again").symlink_to(folder)
    os.mkfifo(folder / "pipe.txt")
    mine, skipped = load_folder(folder, "en")
    assert [d.id for d in mine.documents] == ["good.txt", "notes/half.pdf"]
    assert reasons(skipped) == {
        "sheet.xlsx": "format",
        "none": "format",
        "empty.md": "no text",
        "blank.html": "no text",
        "binary.txt": "encoding",
        ".hidden.txt": "hidden",
        ".git": "hidden",
        "notes/locked.pdf": "encrypted",
        "notes/scan.pdf": "scanned",
        "notes/half.pdf": "This PDF was read, except for 2 of its 3 page(s), which hold no text: images, perhaps.",
        "notes/cut.pdf": "broken pdf",
        "notes/no.pdf": "broken pdf",
        "notes/nothing.pdf": "broken pdf",
        "broken.txt": "no file",
        "again": "link",
        "pipe.txt": "no file",
    }
    assert skipped == sorted(skipped)
    assert reasons(load_folder(folder, "fr")[1], "fr")["binary.txt"] == "encoding"


def test_a_pdf_that_everybody_may_read_is_read_though_it_is_encrypted(folder):
    (folder / "a.pdf").write_bytes(pdf("Do not print.", user_password="", owner_password="x"))
    [document] = load_folder(folder, "en")[0].documents
    assert (document.title, document.text) == ("a", "Do not print.")


def test_what_the_system_refuses_is_skipped(folder, monkeypatch):
    (folder / "good.txt").write_text("Good.")
    (folder / "notes" / "closed.txt").write_text("x")
    (folder / "shut").mkdir()
    read, listing = Path.read_bytes, Path.iterdir

    def refuse(path):
        if path.name in ("closed.txt", "shut"):
            raise PermissionError(13, "Permission denied")
        return (listing if path.is_dir() else read)(path)

    monkeypatch.setattr(Path, "read_bytes", refuse)
    monkeypatch.setattr(Path, "iterdir", refuse)
    assert reasons(load_folder(folder, "en")[1]) == {"notes/closed.txt": "closed", "shut": "closed"}


def test_a_folder_that_cannot_be_read_is_told_in_one_sentence(tmp_path):
    def sentence(path, lang):
        with pytest.raises(ValueError) as caught:
            load_folder(path, lang)
        return str(caught.value)

    assert sentence(tmp_path / "gone", "en") == f"There is no folder {tmp_path / 'gone'}."
    assert sentence(tmp_path / "gone", "fr") == f"Le dossier {tmp_path / 'gone'} n’existe pas."
    assert sentence(tmp_path, "en") == f"The folder {tmp_path} is empty."
    (tmp_path / "folder").mkdir()
    assert sentence(tmp_path, "fr") == f"Le dossier {tmp_path} est vide."  # folders in it hold nothing either
    (tmp_path / "a.doc").write_text("x")
    (tmp_path / "b.txt").write_text("")
    assert sentence(tmp_path, "en") == (
        f"No document of the folder {tmp_path} could be read; 2 left out, the first of them a.doc: "
        "Only .md, .txt, .html and .pdf files are read."
    )
    assert sentence(tmp_path / "a.doc", "en") == f"{tmp_path / 'a.doc'} is a file: give the folder that it is in."
    assert sentence(tmp_path, "de") == "lang must be one of fr, en, not 'de'."


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32", "cp1252"])
def test_encodings(encoding):
    text = "L’été, « 5 A » : 3 €\nœuvre"
    assert decode(text.encode(encoding)) == text


@pytest.mark.parametrize(
    "data,text",
    [
        ("<meta charset='iso-8859-2'>ł".encode("iso-8859-2"), "<meta charset='iso-8859-2'>ł"),
        ('<?xml encoding="koi8-r"?>ж'.encode("koi8-r"), '<?xml encoding="koi8-r"?>ж'),
        (b"<meta charset=unknown>\xe9", "<meta charset=unknown>é"),
        (b"<meta charset=ascii>\xe9", "<meta charset=ascii>é"),
        (b"a\r\nb\rc\n", "a\nb\nc\n"),
        (b"tab\tand form feed\x0c", "tab\tand form feed\x0c"),
        (b"", ""),
    ],
)
def test_decode(data, text):
    assert decode(data) == text


@pytest.mark.parametrize(
    "data",
    [
        b"\x00\x01",
        b"\xff\xfe\x00",
        b"\xff\xfea\xd8",
        b"\xef\xbb\xbf\xe9",
        b"\x81\x8d",
        "a".encode("utf-16-le"),
        b"\x89PNG",
    ],
)
def test_bytes_that_are_no_text(data):
    if data == b"\x89PNG":
        assert decode(data) == "‰PNG"  # four bytes of Windows-1252 that only a longer file gives away
        data += b"\r\n\x1a\n"
    with pytest.raises(Unreadable) as caught:
        decode(data)
    assert caught.value.reason == "encoding"


@pytest.mark.parametrize(
    "page,expected",
    [
        ("<p>one\n two<p>three", ("", "one two\n\nthree")),
        ("<TITLE>The\n title</TITLE><body><h2>A &amp; B</h2>text", ("The title", "## A & B\n\ntext")),
        ("<h1> Big <b>title</b></h1>x", ("Big title", "# Big title\n\nx")),
        ("<ul><li>one</li> <li><b>two</b> three</ul>end", ("", "- one\n- two three\n\nend")),
        (
            "<table>\n<tr> <th>a</th> <th>b</th>\n</tr><tr><td>1</td><td>2</td></tr></table>",
            ("", "a | b\n1 | 2"),
        ),
        ("<pre>def f():\n    <b>return</b> 1\n</pre>x", ("", "```\ndef f():\n    return 1\n```\n\nx")),
        ("a<script>if (a < b) {}</script><style>p {}</style><!-- c -->b", ("", "ab")),
        ("<svg><title>no</title><text>no</text></svg>yes", ("", "yes")),
        ("<title>never closed<body><p>text", ("never closed", "text")),
        ("a<br>b<br/>c<b> d</b>e", ("", "a\nb\nc de")),
        ("</p></script>stray < & &eacute;", ("", "stray < & é")),
        ("", ("", "")),
        ("just text", ("", "just text")),
    ],
)
def test_html_to_markdown(page, expected):
    assert html_to_markdown(page) == expected


def test_every_reason_has_its_sentence_in_both_languages():
    for reason, sentences in SENTENCES.items():
        assert set(sentences) == {"fr", "en"}
        details = dict.fromkeys(("folder", "n", "name", "sentence", "n_blank"), "X.")
        for lang in sentences:
            assert say(reason, lang, **details).endswith((".", ":"))
            assert "'" not in sentences[lang]


def test_a_progress_bar_shows_how_far_it_is_but_not_in_a_stored_notebook(folder, capsys, monkeypatch):
    for number in range(3):
        (folder / f"{number}.txt").write_text("x")
    monkeypatch.delenv("RAGTEACH_STATIC", raising=False)
    load_folder(folder, "fr")
    assert "Lecture" in capsys.readouterr().err
    monkeypatch.setenv("RAGTEACH_STATIC", "1")
    load_folder(folder, "fr")
    assert capsys.readouterr().err == ""


def test_importing_the_corpus_loads_neither_pypdf_nor_tqdm():
    code = "import sys, ragteach.corpus; print('pypdf' in sys.modules, 'tqdm' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "False"]
