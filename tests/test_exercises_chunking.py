"""What is special to the exercises of chapter 01: endless loops, sentence ends, white space, the peer."""

import itertools
import re
from pathlib import Path

import pytest
from hand_picked import caught
from hypothesis import given, settings
from hypothesis import strategies as st
from right_answers_chunking import sentences_by_glue, sentences_by_words

from ragteach import exercises
from ragteach.checking.call import direct
from ragteach.checking.run import run, run_call, try_case
from ragteach.corpus import load
from ragteach.exercises.chunking.sentences import SENTENCES
from ragteach.retrieval.chunk_structure import chunk_headings, contextualize, parent_child
from ragteach.retrieval.chunking import chunk_recursive, chunk_sentences, chunk_words
from ragteach.retrieval.sentences import split_sentences

COURSE = Path(__file__).parents[1] / "course"


def loops_where_overlap_is_size(text, size=40, overlap=10):
    """Write the right windows, but let overlap = size pass."""
    words, chunks, start = text.split(), [], 0
    while start < len(words):
        chunks.append(" ".join(words[start : start + size]))
        if start + size >= len(words):
            break
        start += size - overlap
    return chunks


def goes_back_at_the_end(text, size=40, overlap=10):
    """Step back by the overlap from each end, the last one too: it never gets past it."""
    words, chunks, start = text.split(), [], 0
    while start < len(words):
        end = min(start + size, len(words))
        chunks.append(" ".join(words[start:end]))
        start = end - overlap
    return chunks


@pytest.mark.parametrize("answer", [loops_where_overlap_is_size, goes_back_at_the_end])
def test_endless_windows_are_told_as_a_timeout(answer):
    result = run_call(exercises.get("chunking.words"), direct(answer, seconds=0.3), seconds=5)
    assert (result.verdict, result.points) == ("timeout", 0)


@pytest.mark.parametrize(
    ("args", "why"),
    [(("1 2 3", 3, 3), "overlap = size"), (("1 2 3", 3, 4), "overlap > size"), (("1 2 3", 3, -1), "negative")],
)
def test_bad_windows_need_a_value_error(args, why):
    exercise = exercises.get("chunking.words")
    assert try_case(exercise, direct(lambda *args: []), args).difference.kind == "no_error", why
    refused = try_case(exercise, direct(lambda *args: int("no")), args)
    assert refused.difference is None


def test_five_million_tokens_are_the_first_example():
    first = exercises.get("chunking.count").examples[0]
    assert first.args == (5_000_000, 400, 50)
    assert exercises.get("chunking.count").reference(*first.args) == 14_286


def cut_at(pattern):
    """Make a chunker of one sentence each that splits at a pattern."""
    return lambda text, max_words=30, overlap_sentences=1: [piece for piece in re.split(pattern, text) if piece]


@pytest.mark.parametrize("text", ["Il fait 98.6 °F.", "Stocker à 3,8 V par cellule.", "M. Roy, fig. 2, etc. suit."])
def test_one_sentence_stays_one_chunk(text):
    exercise = exercises.get("chunking.sentences")
    assert try_case(exercise, direct(chunk_sentences), (text, 2, 0)).expected.value == [text]


def test_examples_alone_catch_every_wrong_idea_of_a_sentence():
    for pattern in (r"(?<=[.])", r"(?<=[.])\s+", r"(?<=[.!?])\s*", r"\. ", r"(?<=[,.!?])\s+"):
        assert caught("chunking.sentences", cut_at(pattern)), pattern


@settings(max_examples=100, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(SENTENCES), st.sampled_from([" ", "\n", "  "])), max_size=6))
def test_the_function_given_in_the_notebooks_agrees_with_the_reference_on_what_is_checked(pairs):
    text = "".join(itertools.chain.from_iterable(pairs))
    expected = [sentence.split() for sentence in split_sentences(text)]
    assert [sentence.split() for sentence in sentences_by_glue(text)] == expected
    assert sentences_by_words(text) == expected
    for lang in ("fr", "en"):
        assert [sentence.split() for sentence in given_sentences(lang)(text)] == expected


def given_sentences(lang):
    """Take the function `sentences` out of the exercise notebook's source."""
    source = (COURSE / lang / "01_chunking" / "exercises.py").read_text(encoding="utf8")
    code = source[source.index("ABBREVIATIONS = ") : source.index("def chunk_sentences")]
    space = {"re": re}
    exec(code, space)
    return space["sentences"]


@pytest.mark.parametrize(
    ("id", "reference", "change"),
    [
        ("chunking.words", chunk_words, lambda chunks: [chunk.replace(" ", "  ") for chunk in chunks]),
        ("chunking.sentences", chunk_sentences, lambda chunks: [chunk.replace(" ", "\n") for chunk in chunks]),
        ("chunking.recursive", chunk_recursive, lambda chunks: (f"{chunk}\n\n" for chunk in chunks)),
        ("chunking.headings", chunk_headings, lambda parts: [{**p, "text": f"\n{p['text']} \n"} for p in parts]),
        ("chunking.headings", chunk_headings, lambda parts: tuple({**p, "path": tuple(p["path"])} for p in parts)),
        ("chunking.parent_child", parent_child, lambda pairs: [{**p, "child": f" {p['child']}"} for p in pairs]),
    ],
)
def test_white_space_that_the_statement_leaves_open_does_not_count(id, reference, change):
    assert run(exercises.get(id), lambda *args: change(reference(*args))).passed


def test_white_space_counts_where_the_statement_says_so():
    exercise = exercises.get("chunking.contextual")
    assert not run(exercise, lambda *args: contextualize(*args).replace("\n\n", "\n \n")).passed


def test_lines_of_a_section_count():
    def on_one_line(markdown):
        return [{**part, "text": " ".join(part["text"].split())} for part in chunk_headings(markdown)]

    assert not run(exercises.get("chunking.headings"), on_one_line).passed


@pytest.mark.parametrize("max_words", [10, 40, 80])
@pytest.mark.parametrize("lang", ["fr", "en"])
def test_langchain_cuts_as_the_exercise_asks(lang, max_words):
    splitters = pytest.importorskip("langchain_text_splitters", reason="LangChain's text splitters are not installed")
    splitter = splitters.RecursiveCharacterTextSplitter(
        chunk_size=max_words,
        chunk_overlap=0,
        length_function=lambda text: len(text.split()),
        separators=["\n\n", "\n", ". ", " "],
        keep_separator="end",
    )
    for document in load("robot", lang).documents:
        theirs = [chunk.split() for chunk in splitter.split_text(document.text)]
        assert theirs == [chunk.split() for chunk in chunk_recursive(document.text, max_words)]
