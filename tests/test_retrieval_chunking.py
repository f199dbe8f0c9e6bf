"""Cutting texts into words, sentences, sections: no chunker loses a word, and sentences end where they should."""

from math import ceil

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ragteach import corpus
from ragteach.retrieval.chunk_structure import chunk_headings, contextualize, parent_child, split_at_dips
from ragteach.retrieval.chunking import chunk_count, chunk_recursive, chunk_sentences, chunk_words
from ragteach.retrieval.overlap import best_chunk, count_words
from ragteach.retrieval.sentences import split_sentences

WORDS = st.sampled_from(["le", "fil", "3,8", "V.", "Hz", "M.", "etc.", "?", "!", "«\u00a0oui", "fin.»", "a-b", "2."])
SPACES = st.sampled_from([" ", " ", " ", "\n", "\n\n", "\t", "\u00a0", "\r\n", ". "])
TEXTS = st.lists(st.tuples(WORDS, SPACES), max_size=40).map(lambda pairs: "".join(map("".join, pairs)))


def words(*texts: str) -> list[str]:
    return " ".join(texts).split()


# Chapter 00


@pytest.mark.parametrize(("text", "count"), [("", 0), (" \n", 0), ("un", 1), (" un\n deux\u00a0trois\t", 3)])
def test_words_are_what_white_space_separates(text, count):
    assert count_words(text) == count


def test_the_best_chunk_shares_most_distinct_words():
    chunks = ["the the the the fuse", "the robot has a FUSE", "the robot has a fuse"]
    assert best_chunk("Which fuse has the robot", chunks) == 1  # not 0, whose "the" counts once; ties: the lower
    assert best_chunk("nothing shared", chunks) == 0


@pytest.mark.parametrize("chunks", [[], "one text"])
def test_best_chunk_refuses_what_is_no_list_of_texts(chunks):
    with pytest.raises(ValueError, match="chunks"):
        best_chunk("a", chunks)


# Windows of words


@given(n=st.integers(0, 60), size=st.integers(1, 12), data=st.data())
def test_windows_overlap_lose_nothing_and_are_counted(n, size, data):
    overlap = data.draw(st.integers(0, size - 1))
    text = [f"w{i}" for i in range(n)]
    chunks = [chunk.split() for chunk in chunk_words(" ".join(text), size, overlap)]
    assert chunk_count(n, size, overlap) == len(chunks)
    assert [word for i, chunk in enumerate(chunks) for word in (chunk if i == 0 else chunk[overlap:])] == text
    for before, after in zip(chunks, chunks[1:], strict=False):
        assert len(before) == size
        assert before[size - overlap :] == after[:overlap]
        assert len(after) > overlap  # none lies inside the one before


def test_five_million_tokens():
    assert chunk_count(5_000_000, 400, 50) == 14_286 == ceil((5_000_000 - 50) / 350)
    huge = 10**18 + 1  # beyond what a float holds exactly
    assert chunk_count(huge, 10, 0) == 10**17 + 1


@pytest.mark.parametrize(
    ("call", "argument"),
    [
        (lambda: chunk_words("a " * 5000, 512, 512), "overlap"),
        (lambda: chunk_words("a", 3, -1), "overlap"),
        (lambda: chunk_words("a", 0, 0), "size"),
        (lambda: chunk_words(None), "text"),
        (lambda: chunk_count(-1, 3, 1), "n_tokens"),
        (lambda: chunk_count(9, 3, 3), "overlap"),
        (lambda: chunk_count(9, 0, 0), "size"),
        (lambda: chunk_sentences("a", 0), "max_words"),
        (lambda: chunk_sentences("a", 3, -1), "overlap_sentences"),
        (lambda: chunk_sentences(["a"]), "text"),
        (lambda: chunk_recursive("a", 0), "max_words"),
        (lambda: chunk_recursive("a b", 1, "\n "), "separators"),
        (lambda: chunk_recursive("a b", 1, ["\n", ""]), "separators"),
        (lambda: chunk_headings(b"# a"), "markdown"),
        (lambda: parent_child("a", 0, 2), "child_size"),
        (lambda: parent_child("a", 3, 2), "child_size"),
        (lambda: parent_child("a", 1, 0), "parent_size"),
        (lambda: contextualize("a", "b", "c"), "path"),
        (lambda: contextualize("a", None, []), "title"),
        (lambda: split_at_dips([0.1, float("nan")], 0.5), "similarities"),
        (lambda: split_at_dips([0.1], float("nan")), "threshold"),
    ],
)
def test_bad_arguments_are_refused_by_name(call, argument):
    with pytest.raises(ValueError, match=f"^{argument} must"):
        call()


# Sentences


@pytest.mark.parametrize(
    "sentences",
    [
        ["3,8 V par cellule."],
        ["Le lidar tourne à 5.5 Hz.", "Il voit à 12 m.", "Le reste suit."],
        ["La tension est de 3,8 V.", "Le fil est rouge."],
        ["M. Dupont et MM. Roy ouvrent le capot."],
        ["Voir art. 5 et fig. 2 (cf. p. 7)."],
        ["Les vis, les roues, etc. sont serrées (fusibles, etc.) ici."],
        ["Nettoyez avec un chiffon sec.", "Le modèle est le no.", "Rien d'autre."],
        ["Quel fusible\u00a0?", "Un 5 A\u202f!", "Bon…", "Soit."],
        ["Il dit «\u202fStop\u202f!\u202f»", "Puis il part."],
        ["98.6°F is warm.", "33.33% pen, 1.6m long.", "Dr. Who, e.g. him, agrees."],
        ["1. Coupez le courant.", "2. Attendez 30 s.", "Il en reste 5.", "Bien."],
        ["pas de majuscule.", "non plus."],
    ],
)
def test_where_sentences_end(sentences):
    assert split_sentences(" ".join(sentences)) == sentences
    assert split_sentences("\n".join(sentences)) == sentences


def test_a_blank_line_ends_a_sentence_even_after_an_abbreviation():
    assert split_sentences("Un titre\n\nDu texte, etc.\n \nLa suite\nsur deux lignes") == [
        "Un titre",
        "Du texte, etc.",
        "La suite\nsur deux lignes",
    ]
    assert split_sentences("Étapes :\n1. Couper.\n2. Attendre.") == ["Étapes :\n1. Couper.", "2. Attendre."]
    assert split_sentences(" \n\n ") == []


@given(TEXTS)
def test_sentences_hold_every_word_in_order(text):
    assert words(*split_sentences(text)) == words(text)


@given(lengths=st.lists(st.integers(1, 9), max_size=12), max_words=st.integers(1, 12), overlap=st.integers(0, 3))
def test_chunks_of_sentences(lengths, max_words, overlap):
    sentences = [" ".join([f"s{i}"] * n) + "." for i, n in enumerate(lengths)]
    chunks = [split_sentences(chunk) for chunk in chunk_sentences(" ".join(sentences), max_words, overlap)]
    assert list(dict.fromkeys(sentence for chunk in chunks for sentence in chunk)) == sentences  # all, in order
    for chunk in chunks:
        assert len(chunk) == 1 or len(words(*chunk)) <= max_words
        start = sentences.index(chunk[0])
        assert chunk == sentences[start : start + len(chunk)]  # whole sentences that follow one another
    for before, after in zip(chunks, chunks[1:], strict=False):
        assert after[-1] not in before  # always advances
        shared = [sentence for sentence in after if sentence in before]
        new = after[len(shared)]
        assert shared == before[len(before) - len(shared) :]
        # As many are repeated as were asked for, unless the next one more would not have fitted.
        assert len(shared) == min(overlap, len(before)) or len(words(*before[-len(shared) - 1 :], new)) > max_words


def test_a_sentence_longer_than_the_chunk_stands_alone():
    text = "Un deux. Un deux trois quatre cinq six. Un deux."
    assert chunk_sentences(text, 5, 1) == ["Un deux.", "Un deux trois quatre cinq six.", "Un deux."]


# Separators, coarse to fine


def test_coarse_separators_first_and_small_neighbours_merged():
    text = "a b. c d\n\ne f g h i. j k\nl\n\nm\n\nn o"
    assert chunk_recursive(text, 4) == ["a b. c d", "e f g h", "i.", "j k", "l", "m\n\nn o"]
    assert chunk_recursive(text, 7) == ["a b. c d", "e f g h i. j k", "l", "m\n\nn o"]
    assert chunk_recursive(text, 99) == [text]
    assert chunk_recursive("a\tb\tc", 2) == ["a b", "c"]  # no separator is left, and no chunk is too long
    assert chunk_recursive("", 3) == chunk_recursive(" \n\n ", 3) == []


@given(TEXTS, st.integers(1, 9))
def test_recursive_chunks_hold_every_word_and_never_too_many(text, max_words):
    chunks = chunk_recursive(text, max_words)
    assert words(*chunks) == words(text)
    assert all(1 <= len(chunk.split()) <= max_words for chunk in chunks)
    assert all(chunk == chunk.strip() for chunk in chunks)


# Headings


def test_one_chunk_a_section_with_the_path_of_its_titles():
    markdown = "avant\n# Robot\n## Moteurs ##\n3 A\n### PWM\n20 kHz\n## Lidar\n5,5 Hz\n# C#\nfin\n###### Profond\nx"
    assert chunk_headings(markdown) == [
        {"path": [], "text": "avant"},
        {"path": ["Robot"], "text": ""},
        {"path": ["Robot", "Moteurs"], "text": "3 A"},
        {"path": ["Robot", "Moteurs", "PWM"], "text": "20 kHz"},
        {"path": ["Robot", "Lidar"], "text": "5,5 Hz"},
        {"path": ["C#"], "text": "fin"},
        {"path": ["C#", "Profond"], "text": "x"},
    ]


@pytest.mark.parametrize(
    "block",
    [
        "```sh\n# a comment\n```",
        "~~~\n# a comment\n```\n# another\n~~~~",
        "````md\n```\n# a comment\n```\n````",
        "```\n# never closed",
        "   ```\n# a comment\n   ```",
        "    # indented code",
        "#5 is no heading",
        "####### nor is this",
        "\\# nor this",
        "- # nor this",
    ],
)
def test_what_is_no_heading(block):
    assert chunk_headings(f"# Title\ntext\n{block}") == [{"path": ["Title"], "text": f"text\n{block}".strip()}]


def test_a_fence_ends_only_where_it_is_closed():
    assert [chunk["path"] for chunk in chunk_headings("```\n# a\n```\n# b\n```x`y```\n# c")] == [[], ["b"], ["c"]]
    assert chunk_headings("") == chunk_headings("\n \n") == []


@given(TEXTS, st.lists(st.tuples(st.integers(1, 6), WORDS, TEXTS), max_size=6))
def test_sections_hold_every_word(before, sections):
    markdown = before + "".join(f"\n{'#' * level} {title}\n{text}" for level, title, text in sections)
    chunks = chunk_headings(markdown)
    with_titles = [word for chunk in chunks for word in words(*chunk["path"][-1:], chunk["text"])]
    expected = words(before) + [word for _, title, text in sections for word in words(title, text)]
    assert with_titles == expected
    assert [chunk["path"][-1] for chunk in chunks if chunk["path"]] == [title for _, title, _ in sections]


# Small inside large, in context, by subject


@given(n=st.integers(0, 50), parent_size=st.integers(1, 12), data=st.data())
def test_every_child_is_inside_its_parent(n, parent_size, data):
    child_size = data.draw(st.integers(1, parent_size))
    text = " ".join(f"w{i}" for i in range(n))
    parents = chunk_words(text, parent_size, overlap=0)
    pairs = parent_child(text, child_size, parent_size)
    assert words(*(pair["child"] for pair in pairs)) == words(text)
    assert all(f" {pair['child']} " in f" {parents[pair['parent']]} " for pair in pairs)
    assert all(len(pair["child"].split()) <= child_size for pair in pairs)
    assert sorted({pair["parent"] for pair in pairs}) == list(range(len(parents)))


def test_the_context_stands_before_the_chunk():
    assert contextualize("Un fusible de 5 A.", "Manuel", ["Énergie"]) == "Manuel > Énergie\n\nUn fusible de 5 A."
    assert contextualize("x", "", []) == "x"


@given(TEXTS, WORDS | st.just(""), st.lists(WORDS, max_size=3))
def test_context_twice_is_context_once(chunk, title, path):
    once = contextualize(chunk, title, path)
    assert once.endswith(chunk)
    assert contextualize(once, title, path) == once


@pytest.mark.parametrize(
    ("similarities", "boundaries"),
    [
        ([], []),
        ([0.2], [0]),
        ([0.9], []),
        ([0.8, 0.2, 0.7, 0.3, 0.9], [1, 3]),
        ([0.4, 0.3, 0.2, 0.3], [2]),  # below the threshold all along, but one dip only
        ([0.1, 0.9, 0.2], [0, 2]),  # both ends
        ([0.9, 0.2, 0.2, 0.9], [1, 2]),  # the sentence between resembles neither side
        ([0.9, 0.5, 0.9], []),  # at the threshold is not below it
    ],
)
def test_boundaries_are_dips_below_the_threshold(similarities, boundaries):
    assert split_at_dips(similarities, 0.5) == boundaries


@pytest.mark.parametrize("lang", ["fr", "en"])
def test_the_robot_documents_keep_every_word(lang):
    for document in corpus.load("mini", lang).documents:
        text = document.text
        assert words(*split_sentences(text)) == words(text)
        assert words(*chunk_recursive(text, 25)) == words(text)
        assert words(*chunk_sentences(text, 30, 0)) == words(text)
