"""Tokens and chunks: nothing lost, nothing glued, and no loop that never ends."""

import unicodedata
from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragteach.retrieval.chunking import chunk_words
from ragteach.retrieval.text import ELIDED, tokenize

FRENCH = st.text(alphabet="aeélLqudtœÿÉ'’ ,.;35\u00a0\u202f_-\n", max_size=30)


@pytest.mark.parametrize(
    "text,tokens",
    [
        # one-letter words are words, and here they are units
        ("I am a sentence.", ["i", "am", "a", "sentence"]),
        ("3 A", ["3", "a"]),
        ("L'alimentation 3,8 V. à l'été C++ #5", ["alimentation", "3,8", "v", "à", "été", "c", "5"]),
        # the apostrophe separates, and the elided word goes
        ("l'harmonie", ["harmonie"]),
        ("L'Opoponax", ["opoponax"]),
        ("C’est", ["est"]),
        ("Dents d’éléphants", ["dents", "éléphants"]),
        ("Qu’il jusqu’à lorsqu'on puisqu'elle quoiqu’ils", ["il", "à", "on", "elle", "ils"]),
        ("_l’odométrie_", ["odométrie"]),
        # other apostrophes only separate; a letter inside a word is no elided word
        ("aujourd'hui", ["aujourd", "hui"]),
        ("the robot's", ["the", "robot", "s"]),
        ("we'll", ["we", "ll"]),
        ("quelqu’un", ["quelqu", "un"]),
        # a comma or point between digits stays, any other goes
        ("5,5 Hz, 3.8 V.", ["5,5", "hz", "3.8", "v"]),
        ("98.6°F", ["98.6", "f"]),
        ("33.33% pen", ["33.33", "pen"]),
        ("1.6m 5. 5 .5 5..5", ["1.6m", "5", "5", "5", "5", "5"]),
        ("fin.Début a.5", ["fin", "début", "a", "5"]),
        ("192.168.0.1", ["192.168.0.1"]),
        # codes, paths, every script's letters, œ and ÿ
        ("E17 /odom snake_case RPLIDAR\u00a0A1", ["e17", "odom", "snake", "case", "rplidar", "a1"]),
        ("L’Œuvre de L’Haÿ", ["œuvre", "de", "haÿ"]),
        ("Ωμέγα МОТОР 電池", ["ωμέγα", "мотор", "電池"]),
        # nothing in, nothing out
        ("", []),
        (" \n\t", []),
        ("… l’ ?!", []),
    ],
)
def test_tokens(text, tokens):
    assert tokenize(text) == tokens


@pytest.mark.parametrize("word", ELIDED)
@pytest.mark.parametrize("apostrophe", "'’")
@pytest.mark.parametrize("case", [str.lower, str.upper, str.title])
def test_every_elided_word_is_dropped(word, apostrophe, case):
    assert tokenize(f"{case(word)}{apostrophe}eau") == ["eau"]
    assert tokenize(f"x{word}{apostrophe}eau") == [f"x{word}", "eau"]


@given(FRENCH)
def test_straight_and_curly_apostrophes_give_the_same_tokens(text):
    assert tokenize(text.replace("’", "'")) == tokenize(text.replace("'", "’"))


@given(st.one_of(FRENCH, st.text(max_size=30)))
def test_composed_and_decomposed_texts_give_the_same_tokens(text):
    assert tokenize(unicodedata.normalize("NFC", text)) == tokenize(unicodedata.normalize("NFD", text))


@given(st.one_of(FRENCH, st.text(max_size=30)))
def test_a_token_is_lower_case_and_holds_letters_digits_or_a_mark_between_digits(text):
    for token in tokenize(text):
        assert token and token == token.lower()
        assert not any(c.isspace() or c in "'’_" for c in token)
        for i, c in enumerate(token):
            assert c.isalnum() or (c in ".," and token[i - 1].isdigit() and token[i + 1].isdigit())


@given(st.one_of(FRENCH, st.text(max_size=30)))
def test_a_text_has_the_tokens_of_its_words(text):
    # So a stop list goes through the same tokenizer, word by word, and then fits the text.
    assert tokenize(text) == [token for word in text.split() for token in tokenize(word)]


@given(FRENCH)
def test_no_word_is_lost_but_elided_ones(text):
    kept = "".join(tokenize(text))
    for word in "".join(c if c.isalnum() else " " for c in text.lower().replace("'", "’")).split():
        assert word in kept or word in ELIDED


@pytest.mark.parametrize("text", [None, 3, ["a", "b"], b"abc"])
def test_tokenize_refuses_what_is_no_text(text):
    with pytest.raises(ValueError, match="text"):
        tokenize(text)


WORDS = st.lists(st.sampled_from("a b c d".split()), max_size=60)
CUT = st.integers(1, 12).flatmap(lambda size: st.tuples(st.just(size), st.integers(0, size - 1)))


@pytest.mark.parametrize(
    "text,size,overlap,chunks",
    [
        ("a b c d e", 3, 1, ["a b c", "c d e"]),
        ("a b c d e f", 3, 1, ["a b c", "c d e", "e f"]),
        ("a b c d", 4, 1, ["a b c d"]),  # and not a second window, "d", inside the first
        ("a b c d e", 4, 3, ["a b c d", "b c d e"]),
        ("a b", 40, 10, ["a b"]),
        ("a\u00a0b\n\nc\td", 2, 0, ["a b", "c d"]),
        ("a b c", 1, 0, ["a", "b", "c"]),
        ("", 40, 10, []),
        (" \n ", 40, 10, []),
    ],
)
def test_windows_of_words(text, size, overlap, chunks):
    assert chunk_words(text, size, overlap) == chunks


def test_windows_have_40_words_and_share_10_by_default():
    chunks = [chunk.split() for chunk in chunk_words(" ".join(map(str, range(100))))]
    assert [(int(chunk[0]), int(chunk[-1])) for chunk in chunks] == [(0, 39), (30, 69), (60, 99)]


@given(WORDS, CUT)
def test_windows_lose_no_word_and_each_brings_a_new_one(words, cut):
    size, overlap = cut
    words = [f"{word}{i}" for i, word in enumerate(words)]  # all different
    chunks = [chunk.split() for chunk in chunk_words(" ".join(words), size, overlap)]
    assert words == [word for i, chunk in enumerate(chunks) for word in (chunk[overlap:] if i else chunk)]
    for before, after in zip(chunks, chunks[1:], strict=False):
        assert len(before) == size and len(after) <= size
        assert after[:overlap] == before[size - overlap :]
        assert not set(after) <= set(before)
    if words:
        assert len(chunks) == max(1, ceil((len(words) - overlap) / (size - overlap)))


@pytest.mark.parametrize(
    "size,overlap,name",
    [
        (0, 0, "size"),
        (-1, 0, "size"),
        (512, 512, "overlap"),
        (10, 11, "overlap"),
        (10, -1, "overlap"),
        (1, 1, "overlap"),
    ],
)
def test_bad_windows_are_refused_and_named(size, overlap, name):
    for text in ("a " * 5000, ""):
        with pytest.raises(ValueError, match=f"^{name} "):
            chunk_words(text, size, overlap)


@pytest.mark.parametrize("text", [None, ["a", "b"], 3])
def test_chunk_words_refuses_what_is_no_text(text):
    with pytest.raises(ValueError, match="^text "):
        chunk_words(text)
