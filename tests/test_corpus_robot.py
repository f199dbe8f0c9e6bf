"""The robot corpus: consistent in itself, the same world in both languages, and true to the mini corpus."""

import re
import unicodedata
from collections import Counter
from pathlib import Path

import pytest
from test_corpus import FACTS

from ragteach import corpus
from ragteach.corpus.markdown import ANCHOR, split_front_matter, split_title
from ragteach.corpus.synonyms import SYNONYMS
from ragteach.retrieval.access import allowed_chunks
from ragteach.retrieval.chunking import chunk_words
from ragteach.retrieval.text import tokenize

LANGS = ("fr", "en")
DATA = Path(corpus.__file__).parent / "data"
ROBOT = {lang: corpus.load("robot", lang) for lang in LANGS}
FRONT_MATTER = ["title", "source", "date", "version", "language", "owner", "roles", "tenant"]
TYPES = ("exact-code paraphrase synonym multi-passage numeric table temporal follow-up compound").split()
EVERYBODY = {"tenant": "labo", "roles": ("all",)}

# A number as it is written: 5,5 and 12 and 14:00, but neither the 2 of R2 nor the 05 of R2-FUS-05.
NUMBER = re.compile(r"(?<![\w-])(?<!\w[.,])\d+(?:[.,:]\d+)*")
# A code: a word with a capital letter and a digit, such as E17, J5, R2-TYR-65.
CODE = re.compile(r"\b(?=[\w-]*[A-Z])(?=[\w-]*\d)[\w-]*\w")

# What an answer to a trap would have to say. It must stand in no document that the asking user may read.
NO_ANSWER = {
    "q121": (r"caméra|mégapixel", r"camera|megapixel"),
    "q122": (r"R2 (?:complet|entier|neuf) .*€", r"(?:complete|whole|new) R2 .*€"),
    "q123": (r"\bpluie|\bpleut|étanche", r"\brain|waterproof"),
    "q124": (r"téléphone du fournisseur|\b0\d(?: \d\d){4}\b", r"supplier’s (?:tele)?phone|\b0\d{3} \d+"),
    "q125": (r"E77", r"E77"),
    "q126": (r"(?:firmware|version) 3\.0", r"(?:firmware|version) 3\.0"),
    "q127": (r"\bpente[^.]*\d|\d[^.]*\bpente", r"\bslope[^.]*\d|\d[^.]*\bslope"),
    "q128": (r"bluetooth|appaire", r"bluetooth"),
    "q129": (r"gazebo|simulateur", r"gazebo|simulator"),
    "q131": (r"décibel|\bdB\b", r"decibel|\bdB\b"),
    "q133": (r"\bbadge", r"\bbadge"),
    "q134": (r"R2-GRI", r"R2-GRI"),
    "q136": (r"réducteur|rapport de réduction", r"gear ratio|gearbox ratio"),
    "q137": (r"4071", r"4071"),
    "q138": (r"14,20", r"14\.20"),
    "q139": (r"12 mars 2026|\bR3\b", r"12 March 2026|\bR3\b"),
    "q140": (r"2409", r"2409"),
    "q141": (r"1:48|1 ?: ?48|\bR3\b", r"1:48|\bR3\b"),
    "q142": (r"7,5 A", r"7\.5 A"),
    "q143": (r"(?<![,\d])8 Hz", r"(?<![.\d])8 Hz"),
    "q144": (r"15 € par jour", r"15 € a day"),
}


def plain(text: str) -> str:
    return " ".join(text.split())


def readable(robot: corpus.Corpus, user: dict | None) -> list[corpus.Document]:
    """Give the documents that a user may read, by the rule that the course teaches."""
    return [robot.documents[n] for n in allowed_chunks([d.metadata for d in robot.documents], user or EVERYBODY)]


def asked(lang: str, traps: bool = False) -> list[corpus.Question]:
    return [question for question in ROBOT[lang].questions if question.is_trap == traps]


# --- documents


@pytest.mark.parametrize("lang", LANGS)
def test_the_corpus_has_the_size_of_a_small_world(lang):
    robot = ROBOT[lang]
    assert (robot.name, robot.lang) == ("robot", lang)
    assert 24 <= len(robot.documents) <= 30
    assert 7000 <= sum(len(document.text.split()) for document in robot.documents) <= 10_000
    assert sum(file.stat().st_size for file in DATA.rglob("*")) < 2_000_000


@pytest.mark.parametrize("lang", LANGS)
def test_front_matter_is_complete_and_in_order(lang):
    for document in ROBOT[lang].documents:
        metadata = document.metadata
        assert list(metadata) == FRONT_MATTER, document.id
        assert all(metadata.values()), document.id
        assert re.fullmatch(r"20\d\d-\d\d-\d\d", metadata["date"]) and metadata["date"] < "2026"
        assert re.fullmatch(r"\d+\.\d+", metadata["version"])
        assert metadata["language"] == lang and metadata["source"].endswith(".md")
        assert isinstance(metadata["roles"], tuple)
        raw = (DATA / "robot" / lang / f"{document.id}.md").read_text(encoding="utf-8")
        assert split_title(split_front_matter(raw)[1])[0] == document.title == metadata["title"]
    assert len({document.metadata["source"] for document in ROBOT[lang].documents}) == len(ROBOT[lang].documents)
    assert sum("\n## " in f"\n{document.text}" for document in ROBOT[lang].documents) >= 24  # a short email has none


def test_both_languages_have_the_same_documents_and_passages():
    fr, en = ROBOT["fr"], ROBOT["en"]
    assert [d.id for d in fr.documents] == [d.id for d in en.documents]
    for a, b in zip(fr.documents, en.documents, strict=True):
        for key in ("date", "version", "roles", "tenant"):
            assert a.metadata[key] == b.metadata[key], (a.id, key)
    assert {(p.anchor, p.document) for p in fr.passages.values()} == {
        (p.anchor, p.document) for p in en.passages.values()
    }


@pytest.mark.parametrize("lang", LANGS)
def test_every_anchor_exists_once_and_names_a_passage(lang):
    raw = "\n".join(file.read_text(encoding="utf-8") for file in (DATA / "robot" / lang).glob("*.md"))
    anchors = [found[1] for found in ANCHOR.finditer(raw)]
    assert Counter(anchors).most_common(1)[0][1] == 1 and set(anchors) == set(ROBOT[lang].passages)
    assert raw.count("<!--") == len(anchors)  # a comment written otherwise would stay in the text
    texts = {document.id: document.text for document in ROBOT[lang].documents}
    for passage in ROBOT[lang].passages.values():
        assert texts[passage.document][passage.start : passage.end] == passage.text
        assert not passage.text.startswith("#") and 5 <= len(passage.text.split()) <= 70, passage.anchor
    assert all("<!--" not in text for text in texts.values())


def test_both_languages_state_the_same_numbers():
    titles = {document.id: document.title for document in ROBOT["fr"].documents}
    for anchor, fr in ROBOT["fr"].passages.items():
        en = ROBOT["en"].passages[anchor]
        numbers = [Counter(_number(found) for found in NUMBER.findall(_clock(p.text))) for p in (fr, en)]
        named = FIRMWARE | set(NUMBER.findall(titles[fr.document]))
        assert set(numbers[0]) ^ set(numbers[1]) <= named, (anchor, fr.text, en.text)


# One language may say "this version", or "the session", where the other gives its number.
FIRMWARE = {"1.4", "2.0", "2.1", "2.2"}


def _clock(text: str) -> str:
    """Write 18 h 30 as 18:30, and leave the number of a group of students out: it is no fact of the passage."""
    return re.sub(r"(\d+)\sh\s(\d\d)", r"\1:\2", re.sub(r"(group\w*)\s\d", r"\1", text))


def _number(found: str) -> str:
    return found.replace(",", ".").rstrip(".")


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("document,fr,en", FACTS)
def test_every_fact_of_the_mini_corpus_is_kept(document, fr, en, lang):
    """The wording may have grown; the numbers of each fact stand together in the same document."""
    pattern = {"fr": fr, "en": en}[lang]
    [text] = [plain(d.text) for d in ROBOT[lang].documents if d.id == document]
    [mini] = [plain(d.text) for d in corpus.load("mini", lang).documents if d.id == document]
    fact = re.search(pattern, mini)
    numbers = NUMBER.findall(fact[0])
    sentences = re.split(r"(?<=[.?!]) ", text)
    nearby = [" ".join(sentences[i : i + 3]) for i in range(len(sentences))]
    assert re.search(pattern, text) or (
        numbers and any(set(numbers) <= set(NUMBER.findall(part)) for part in nearby)
    ), fact[0]


# --- questions


@pytest.mark.parametrize("lang", LANGS)
def test_questions_and_traps_are_as_many_as_they_should(lang):
    questions, traps = asked(lang), asked(lang, traps=True)
    assert (len(questions), len(traps)) == (120, 24)
    assert [q.id for q in ROBOT[lang].questions] == [f"q{n:03}" for n in range(1, 145)]
    assert Counter(q.split for q in questions) == {"dev": 60, "held-out": 60}
    assert Counter(q.split for q in traps) == {"dev": 12, "held-out": 12}
    assert sum(1 for q in traps if q.hidden) == 8
    kinds = Counter(q.kind for q in questions)
    assert set(kinds) == set(TYPES) and all(10 <= n <= 18 for n in kinds.values())
    assert {(q.kind, q.split) for q in questions} == {(kind, split) for kind in TYPES for split in ("dev", "held-out")}
    assert {q.kind for q in traps} == {"trap"}
    assert all(q.segment for q in ROBOT[lang].questions)


def test_both_languages_have_the_same_questions():
    for a, b in zip(ROBOT["fr"].questions, ROBOT["en"].questions, strict=True):
        for field in ("id", "kind", "segment", "split", "is_trap", "relevant", "user", "hidden"):
            assert getattr(a, field) == getattr(b, field), (a.id, field)
        assert bool(a.history) == bool(b.history)
        assert a.text != b.text or CODE.search(a.text)


@pytest.mark.parametrize("lang", LANGS)
def test_each_question_has_an_answer_in_its_passages(lang):
    texts = [question.text for question in ROBOT[lang].questions]
    # A follow-up may be as short as another one; what it follows tells them apart.
    assert len({(q.text, q.history) for q in ROBOT[lang].questions}) == len(texts)
    for question in asked(lang):
        assert question.text.strip() and question.answer.strip()
        assert set(question.relevant.values()) <= {1, 2, 3} and 3 in question.relevant.values(), question.id
        assert bool(question.history) == (question.kind == "follow-up"), question.id
        assert len(question.passages) > 1 or question.kind not in ("multi-passage", "compound"), question.id
        assert question.user is None and question.hidden == ()


@pytest.mark.parametrize("lang", LANGS)
def test_every_number_and_code_of_an_answer_is_in_one_of_its_passages(lang):
    documents = {document.id: document for document in ROBOT[lang].documents}
    for question in asked(lang):
        passages = plain(" ".join(passage.text for passage in question.passages))
        for number in NUMBER.findall(plain(question.answer)):
            assert number.rstrip(".") in {n.rstrip(".") for n in NUMBER.findall(passages)}, (question.id, number)
        context = plain(" ".join([question.text, *question.history]))
        titles = " ".join(documents[passage.document].title for passage in question.passages)
        for code in CODE.findall(question.answer):
            assert code in CODE.findall(f"{passages} {context} {titles}") or code in ("R2", "R2-XL"), (
                question.id,
                code,
            )


@pytest.mark.parametrize("lang", LANGS)
def test_questions_of_codes_name_a_code_and_paraphrases_do_not_name_their_passage(lang):
    """Whoever asks in other words shares none of the rarer words with the passages that answer fully."""
    texts = [set(tokenize(passage.text)) for passage in ROBOT[lang].passages.values()]
    frequency = Counter(token for tokens in texts for token in tokens)
    for question in asked(lang):
        if question.kind == "exact-code":
            assert re.search(r"[A-Z_]+[_-]?\w*\d|[A-Z]+(?:_[A-Z]+)+|[A-Z]-\d", question.text), question.id
        if question.kind in ("paraphrase", "synonym"):
            answers = [passage for passage in question.passages if question.relevant[passage.anchor] == 3]
            shared = set(tokenize(question.text)) & {t for passage in answers for t in tokenize(passage.text)}
            rare = {token for token in shared if frequency[token] <= 4 and len(token) > 3}
            assert rare == set(), (question.id, rare)


@pytest.mark.parametrize("lang", LANGS)
def test_whoever_asks_may_read_what_answers(lang):
    open_to_all = {document.id for document in readable(ROBOT[lang], EVERYBODY)}
    for question in asked(lang):
        assert {passage.document for passage in question.passages} <= open_to_all, question.id
    closed = {document.id for document in ROBOT[lang].documents} - open_to_all
    assert len(closed) == 2
    assert {document.metadata["tenant"] for document in ROBOT[lang].documents if document.id in closed} > {"labo"}


# --- traps


@pytest.mark.parametrize("lang", LANGS)
def test_traps_have_no_answer_and_hide_only_what_the_user_may_not_read(lang):
    for question in asked(lang, traps=True):
        assert question.answer == "" and question.relevant == {} and question.passages == ()
        assert bool(question.hidden) == bool(question.user), question.id
        if question.hidden:
            allowed = {document.id for document in readable(ROBOT[lang], question.user)}
            assert allowed >= {document.id for document in readable(ROBOT[lang], EVERYBODY)}
            assert not {ROBOT[lang].passages[anchor].document for anchor in question.hidden} & allowed, question.id


@pytest.mark.parametrize("lang", LANGS)
def test_no_answer_to_a_trap_can_be_found(lang):
    traps = {question.id: question for question in asked(lang, traps=True)}
    for id_, patterns in NO_ANSWER.items():
        pattern = re.compile(patterns[LANGS.index(lang)], re.IGNORECASE)
        for document in readable(ROBOT[lang], traps[id_].user):
            found = pattern.search(plain(document.text))
            assert not found, (id_, document.id, found[0])
        if traps[id_].hidden:  # but the document that the user may not read does say it
            assert any(pattern.search(plain(ROBOT[lang].passages[anchor].text)) for anchor in traps[id_].hidden), id_


def test_every_access_trap_is_looked_for():
    assert {question.id for question in asked("fr", traps=True) if question.hidden} <= set(NO_ANSWER)


# --- chunks and words


@pytest.mark.parametrize("lang", LANGS)
def test_every_question_can_be_answered_from_windows_of_forty_words(lang):
    chunks = corpus.chunk(ROBOT[lang].documents, chunk_words)
    for question in asked(lang):
        assert set(corpus.passages_found(question, chunks)) == set(question.relevant)
        grades = corpus.relevance(question, chunks)
        assert max(grades.values()) == 3 and len(grades) <= 5 * len(question.relevant)


@pytest.mark.parametrize("lang", LANGS)
def test_synonyms_are_single_tokens_of_the_corpus(lang):
    words = {token for document in ROBOT[lang].documents for token in tokenize(document.text)}
    words |= {token for question in ROBOT[lang].questions for token in tokenize(question.text)}
    for synonym, word in SYNONYMS[lang].items():
        assert tokenize(synonym) == [synonym] and tokenize(word) == [word]
        assert word in words and word not in SYNONYMS[lang], word


@pytest.mark.parametrize("lang", LANGS)
def test_nobody_is_named_and_nothing_points_outside(lang):
    private = r"\b(?:M\.|Mme|Mlle|MM\.|Mr|Mrs|Ms|Dr|Pr|Prof\.?)\s[A-ZÀ-Ý]|\w@\w|https?:|www\.|\b0\d(?:[ .]\d\d){4}\b"
    for file in (DATA / "robot" / lang).iterdir():
        found = re.search(private, file.read_text(encoding="utf-8"))
        assert not found, (file.name, found[0])


@pytest.mark.parametrize("lang", LANGS)
def test_texts_are_composed_unicode_without_straight_apostrophes(lang):
    texts = [(document.id, document.text) for document in ROBOT[lang].documents]
    texts += [(q.id, text) for q in ROBOT[lang].questions for text in (q.text, q.answer, *q.history)]
    for id_, text in texts:
        assert unicodedata.is_normalized("NFC", text), id_
        prose = re.sub(r"```.*?```|`[^`]*`", "", text, flags=re.DOTALL)
        assert "'" not in prose, id_
        assert not re.search(r"[ \t]+\n", text), id_


def test_french_typography():
    robot = ROBOT["fr"]
    texts = [(document.id, document.text) for document in robot.documents if document.id != "inspection-scan"]
    texts += [(q.id, text) for q in robot.questions for text in (q.text, q.answer, *q.history)]
    for id_, text in texts:
        prose = re.sub(r"```.*?```|`[^`]*`|^\|[-|: ]*\|$", "", text, flags=re.DOTALL | re.MULTILINE)
        for found in re.finditer(
            r".{0,12}(?:[^\u202f](?=[;!?»])|[^\u202f\u00a0](?=%)|[^\u00a0\d](?=:)(?!:[/\w])|«(?!\u202f)).{0,12}", prose
        ):
            raise AssertionError((id_, found[0]))
        for found in re.finditer(r".{0,8}\d (?:V|A|Hz|kHz|m|cm|mm|kg|g|s|ms|mAh|°C|€|N·m|km)\b.{0,8}", prose):
            raise AssertionError((id_, found[0]))
