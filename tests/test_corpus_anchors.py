"""Reading a corpus: front matter, titles, anchors, and what is wrong in a folder of the course's own data."""

import json

import pytest

from ragteach.corpus.loading import read_corpus
from ragteach.corpus.markdown import split_front_matter, split_title, take_anchors

DOCUMENT = """---
title: Manual: the robot
source: manual.md
version:
roles: all, team-x ,
---
# Manual

## Power

<!-- #fuse -->
A 5 A fuse
guards the supply.

Free text.

<!-- #parts -->
<!-- #prices -->
| part | price |
|---|---|
| fuse | 0.40 € |

<!-- #code -->
```
one

two
```

<!-- #end -->
The end."""

QUESTION = {
    "id": "q1",
    "text": "Which fuse?",
    "type": "numeric",
    "answer": "5 A.",
    "split": "dev",
    "is_trap": False,
    "relevant": {"fuse": 3, "parts": 1},
}


def write(folder, documents=None, questions=None, **files):
    documents = {"manual": DOCUMENT} if documents is None else documents
    for name, text in documents.items():
        (folder / f"{name}.md").write_text(text, encoding="utf-8")
    (folder / "questions.json").write_text(json.dumps([QUESTION] if questions is None else questions))
    for name, value in files.items():
        (folder / f"{name}.json").write_text(json.dumps(value))
    return folder


def test_front_matter_becomes_metadata_and_anchors_become_passages(tmp_path):
    robot = read_corpus(write(tmp_path), "sample", "en")
    [document] = robot.documents
    assert document.title == "Manual: the robot"
    assert document.metadata == {
        "title": "Manual: the robot",
        "source": "manual.md",
        "version": "",
        "roles": ("all", "team-x"),
    }
    assert document.text.startswith("## Power\n\nA 5 A fuse\nguards") and "<!--" not in document.text
    assert {anchor: passage.text for anchor, passage in robot.passages.items()} == {
        "fuse": "A 5 A fuse\nguards the supply.",
        "parts": "| part | price |\n|---|---|\n| fuse | 0.40 € |",
        "prices": "| part | price |\n|---|---|\n| fuse | 0.40 € |",
        "code": "```\none\n\ntwo\n```",
        "end": "The end.",
    }
    for passage in robot.passages.values():
        assert passage.document == "manual"
        assert document.text[passage.start : passage.end] == passage.text


def test_a_question_has_its_grades_and_its_passages(tmp_path):
    trap = {
        **QUESTION,
        "id": "q2",
        "is_trap": True,
        "answer": "",
        "relevant": {},
        "segment": "power",
        "history": ["And before?"],
        "user": {"tenant": "labo", "roles": ["all"]},
        "hidden": ["end"],
    }
    plain, access = read_corpus(write(tmp_path, questions=[QUESTION, trap]), "sample", "en").questions
    assert plain.kind == "numeric" and plain.relevant == {"fuse": 3, "parts": 1}
    assert [passage.anchor for passage in plain.passages] == ["fuse", "parts"]
    assert (plain.segment, plain.history, plain.user, plain.hidden) == ("", (), None, ())
    assert access.is_trap and access.relevant == {} and access.passages == ()
    assert (access.segment, access.history, access.hidden) == ("power", ("And before?",), ("end",))
    assert access.user == {"tenant": "labo", "roles": ("all",)}


def test_documents_stand_in_the_order_of_their_ids(tmp_path):
    robot = read_corpus(write(tmp_path, {"b": "# B\n\nx", "a": "# A\n\ny", "c-1": "z"}, []), "sample", "fr")
    assert [(d.id, d.title, d.text) for d in robot.documents] == [("a", "A", "y"), ("b", "B", "x"), ("c-1", "", "z")]


@pytest.mark.parametrize(
    "changes,sentence",
    [
        (
            {"documents": {"a": "<!-- #x -->\none", "b": "<!-- #x -->\ntwo"}, "questions": []},
            'The anchor "x" stands twice: in "a" and in "b".',
        ),
        ({"documents": {"a": "one"}}, 'Question "q1" needs the anchor "fuse", which no document holds.'),
        (
            {"questions": [], "passages": {"q": {"document": "manual", "quote": "|"}}},
            'The quote of "q" must stand once in "manual".',
        ),
    ],
)
def test_what_does_not_fit_together_is_told(tmp_path, changes, sentence):
    with pytest.raises(ValueError) as caught:
        read_corpus(write(tmp_path, **changes), "sample", "en")
    assert str(caught.value) == sentence


@pytest.mark.parametrize(
    "raw,expected",
    [
        ("no front matter", ({}, "no front matter")),
        ("---\na: b\n---\ntext", ({"a": "b"}, "text")),
        ("---\n---\ntext", ({}, "text")),
        ("---\nnot closed", ({}, "---\nnot closed")),
        ("---\n# a line without a colon\ntime: 8:30\n---\nx\n---\ny", ({"time": "8:30"}, "x\n---\ny")),
        ("text\n---\na: b\n---\n", ({}, "text\n---\na: b\n---\n")),
    ],
)
def test_split_front_matter(raw, expected):
    assert split_front_matter(raw) == expected


@pytest.mark.parametrize(
    "body,expected",
    [
        ("\n# Title\n\ntext", ("Title", "text")),
        ("# Title #\ntext", ("Title", "text")),
        ("# C#\ntext", ("C#", "text")),
        ("# Title", ("Title", "")),
        ("## Section\ntext", ("", "## Section\ntext")),
        ("text\n# Later", ("", "text\n# Later")),
        ("", ("", "")),
    ],
)
def test_split_title(body, expected):
    assert split_title(body) == expected


def test_an_anchor_stands_alone_on_its_line_and_may_name_nothing():
    text, passages = take_anchors("d", "a <!-- #no -->\n<!-- #yes -->\n- one\n- two\n \nthree\n<!-- #last -->\n")
    assert [(p.anchor, p.text) for p in passages] == [("yes", "- one\n- two"), ("last", "")]
    assert text == "a <!-- #no -->\n- one\n- two\n \nthree\n"
