"""The robot corpus: every fact is there, in both languages, and its questions can be answered from its chunks."""

import re
import subprocess
import sys
import zipfile
from dataclasses import FrozenInstanceError
from pathlib import Path

import pytest

from ragteach import corpus
from ragteach.retrieval.chunking import chunk_words

LANGS = ("fr", "en")
PACKAGE = Path(corpus.__file__).parents[1]

# (document, what it must say in fr, what it must say in en), as regular expressions over text with single spaces.
FACTS = [
    ("manual", r"deux moteurs à courant continu", r"Two DC motors"),
    ("manual", r"PWM à 20 kHz", r"PWM at 20 kHz"),
    ("manual", r"tension nominale de 12 V", r"nominal voltage is 12 V"),
    ("manual", r"Chaque moteur .* 3 A au maximum", r"neither motor may draw more than 3 A"),
    ("manual", r"alimentation .* fusible de 5 A", r"5 A fuse .* power supply"),
    ("manual", r"RPLIDAR A1\. Ce capteur tourne à 5,5 Hz", r"RPLIDAR A1\. This lidar spins at 5\.5 Hz"),
    ("manual", r"360 mesures à chaque tour", r"360 measures per turn"),
    ("manual", r"voit jusqu’à 12 m", r"its range is 12 m"),
    ("manual", r"l’odométrie, .* topic /odom à 50 Hz", r"odometry .* /odom topic at 50 Hz"),
    ("manual", r"surchauffe .* à 50 % le rapport cyclique", r"overheating\. .* duty cycle of the motors down to 50%"),
    ("maintenance", r"coupez l’alimentation, puis patientez 30 secondes", r"cut the power\. Then wait 30 seconds"),
    ("maintenance", r"LiPo 3S\. .* 3,8 V par cellule .* stockage", r"3S LiPo .* stored at 3\.8 V per cell"),
    ("maintenance", r"modèle de 5 A à fusion rapide, et aucun autre", r"just one .* a fast-acting 5 A model"),
    (
        "maintenance",
        r"vitre du lidar .* chiffon microfibre bien sec",
        r"window of the lidar with a dry microfibre cloth",
    ),
    ("maintenance", r"serrage toutes les 20 heures de fonctionnement", r"tight every 20 hours of operation"),
    (
        "faq",
        r"s’arrête au bout de quelques minutes .* température du contrôleur",
        r"stop after a few minutes\? .* contr",
    ),
    ("faq", r"Au-dessus de 70 °C, il réduit le rapport cyclique", r"above 70 °C, the duty cycle .* is reduced"),
    (
        "faq",
        r"odométrie dérive .* l’entraxe des roues et leur dia",
        r"odometry drifts.* wheel base and the wheel diameter",
    ),
    ("faq", r"rayon de braquage .* nul, car R2 sait tourner sur place", r"turning radius\? Zero\. .* turn on the spot"),
]


def plain(text):
    return " ".join(text.split())


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("document,fr,en", FACTS)
def test_every_fact_is_in_its_document(document, fr, en, lang):
    text = {document.id: plain(document.text) for document in corpus.load("mini", lang).documents}[document]
    assert re.search({"fr": fr, "en": en}[lang], text)


@pytest.mark.parametrize("lang", LANGS)
def test_no_number_beyond_the_facts(lang):
    numbers = {"manual": "2 20 12 3 5 1 5,5 360 12 50 50", "maintenance": "30 2 3 3,8 5 20", "faq": "70 2"}
    for document in corpus.load("mini", lang).documents:
        found = re.findall(r"\d+(?:[.,]\d+)?", document.text)
        assert {n.replace(".", ",") for n in found} == set(numbers[document.id].split())


def test_both_languages_have_the_same_ids_and_annotations():
    fr, en = (corpus.load("mini", lang) for lang in LANGS)
    assert [d.id for d in fr.documents] == [d.id for d in en.documents] == ["manual", "maintenance", "faq"]
    assert [d.text.count("\n\n") for d in fr.documents] == [d.text.count("\n\n") for d in en.documents]
    for a, b in zip(fr.questions, en.questions, strict=True):
        assert (a.id, a.kind, a.split, a.is_trap) == (b.id, b.kind, b.split, b.is_trap)
        assert a.relevant == b.relevant and set(a.relevant.values()) == {3}
        assert [p.document for p in a.passages] == [p.document for p in b.passages]
        assert a.text != b.text
    assert len({question.id for question in fr.questions}) == 6


@pytest.mark.parametrize("lang", LANGS)
def test_documents_carry_what_a_reader_is_shown(lang):
    robot = corpus.load("mini", lang)
    assert (robot.name, robot.lang) == ("mini", lang)
    for document in robot.documents:
        assert set(document.metadata) == {"source", "language", "date", "version"}
        assert document.metadata["language"] == lang
        assert re.fullmatch(r"\d{4}-\d\d-\d\d", document.metadata["date"])
        assert document.metadata["source"].endswith(".md")
        assert document.title and not document.title.startswith("#")
        assert document.text == document.text.strip() and "---" not in document.text
    sources = [document.metadata["source"] for document in corpus.load("mini", "fr").documents]
    assert sources == ["manuel_robot.md", "procedure_maintenance.md", "faq.md"]


@pytest.mark.parametrize("lang", LANGS)
def test_each_question_has_its_passages(lang):
    robot = corpus.load("mini", lang)
    texts = {document.id: document.text for document in robot.documents}
    for question in robot.questions:
        assert question.relevant and not question.is_trap
        assert question.passages == tuple(robot.passages[anchor] for anchor in question.relevant)
        for passage in question.passages:
            assert texts[passage.document][passage.start : passage.end] == passage.text
            assert texts[passage.document].count(passage.text) == 1
    assert set(robot.passages) == {anchor for question in robot.questions for anchor in question.relevant}


@pytest.mark.parametrize("lang", LANGS)
def test_every_number_of_an_answer_is_in_its_passages(lang):
    for question in corpus.load("mini", lang).questions:
        passages = " ".join(passage.text for passage in question.passages)
        for number in re.findall(r"\d+(?:[.,]\d+)?", question.answer):
            assert number in passages


@pytest.mark.parametrize("lang", LANGS)
def test_every_passage_lies_whole_in_a_chunk(lang):
    robot = corpus.load("mini", lang)
    chunks = corpus.chunk(robot.documents, chunk_words)
    assert 7 <= len(chunks) <= 11
    for question in robot.questions:
        found = {chunks[number].source for number in corpus.relevant_chunks(question, chunks)}
        assert found == {passage.document for passage in question.passages}
        for number in corpus.relevant_chunks(question, chunks):  # and no chunk counts that holds only half of it
            assert any(plain(passage.text) in plain(chunks[number].text) for passage in question.passages)


def test_chunks_know_their_source_and_position():
    documents = corpus.load("mini", "en").documents
    chunks = corpus.chunk(documents, lambda text: text.split("\n\n"))
    assert [(c.source, c.position) for c in chunks[:4]] == [
        ("manual", 0),
        ("manual", 1),
        ("manual", 2),
        ("maintenance", 0),
    ]
    assert chunks[1].text.startswith("R2 sees the room")
    assert corpus.chunk([], chunk_words) == [] == corpus.chunk(documents, lambda text: [])


def test_french_typography():
    robot = corpus.load("mini", "fr")
    texts = [document.text for document in robot.documents]
    texts += [text for question in robot.questions for text in (question.text, question.answer)]
    for text in texts:
        assert "'" not in text
        assert not re.search(r"[^\u202f][;!?%]|[^\u00a0]:", text)
        assert not re.search(r"\d (?:V|A|Hz|kHz|m|°C)\b", text)  # a number and its unit stay on one line
    assert all(
        elided in "".join(texts) for elided in ("l’alimentation", "L’alimentation", "l’odométrie", "L’odométrie")
    )


@pytest.mark.parametrize("lang", LANGS)
def test_texts_are_composed_unicode_and_english_has_curly_apostrophes_too(lang):
    import unicodedata

    for document in corpus.load("mini", lang).documents:
        assert unicodedata.is_normalized("NFC", document.text)
        assert "'" not in document.text


@pytest.mark.parametrize(
    "arguments,sentence",
    [
        (("maxi", "fr"), "name must be one of mini, robot, not 'maxi'."),
        (("mini", "de"), "lang must be one of fr, en, not 'de'."),
        (("../mini", "fr"), "name must be one of mini, robot, not '../mini'."),
        ((None, "fr"), "name must be one of mini, robot, not None."),
        (("mini", ""), "lang must be one of fr, en, not ''."),
    ],
)
def test_an_unknown_corpus_or_language_is_told_what_exists(arguments, sentence):
    with pytest.raises(ValueError) as caught:
        corpus.load(*arguments)
    assert str(caught.value) == sentence


def test_the_robot_speaks_french_by_default_and_cannot_be_changed():
    robot = corpus.load()
    assert robot == corpus.load("mini", "fr")
    with pytest.raises(FrozenInstanceError):
        robot.documents[0].text = ""
    robot.documents[0].metadata["date"] = ""  # a plain dict, but each load makes its own
    assert corpus.load().documents[0].metadata["date"]


def test_data_is_read_from_inside_a_zip(tmp_path):
    archive = tmp_path / "ragteach.zip"
    with zipfile.ZipFile(archive, "w") as file:
        for path in [PACKAGE / "__init__.py", *(PACKAGE / "corpus").rglob("*")]:
            if path.is_file() and "__pycache__" not in path.parts:
                file.write(path, path.relative_to(PACKAGE.parent))
    code = f"import sys; sys.path.insert(0, {str(archive)!r})\nfrom ragteach import corpus\n"
    code += "print(corpus.__file__, len(corpus.load('mini', 'en').questions))"
    run = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, cwd=tmp_path)
    assert run.returncode == 0, run.stderr
    assert str(archive) in run.stdout and run.stdout.split()[-1] == "6"
