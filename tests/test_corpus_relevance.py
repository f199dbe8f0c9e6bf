"""From passages to chunks: where chunks lie, and which of them answer, for any cut of any text."""

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from ragteach import corpus
from ragteach.corpus import Chunk, Document, Passage, Question, chunk, locate, passages_found, relevance
from ragteach.corpus.chunks import find_spans
from ragteach.retrieval.chunk_structure import chunk_headings, contextualize
from ragteach.retrieval.chunking import chunk_recursive, chunk_sentences, chunk_words

# Few words and many repetitions: what makes places hard to tell apart. White space of several kinds.
TEXTS = st.lists(
    st.tuples(
        st.sampled_from(["a", "b", "ab", "ba", "fuse", "5,5", "é"]), st.sampled_from([" ", "\n", "\n\n", "\u202f"])
    ),
    min_size=2,
    max_size=40,
).map(lambda pairs: "".join(word + space for word, space in pairs).strip())


@st.composite
def texts_and_passages(draw):
    text = draw(TEXTS)
    start = draw(st.integers(0, len(text) - 1))
    end = draw(st.integers(start + 1, len(text)))
    assume(text[start:end].strip())
    return text, Passage("p", "d", start, end, text[start:end])


def ask(*passages, grades=None):
    relevant = {passage.anchor: grade for passage, grade in zip(passages, grades or [3] * len(passages), strict=True)}
    return Question("q", "?", "numeric", "", "dev", False, relevant, passages)


def document(text, id_="d"):
    return Document(id_, "", text, {})


def visible(text):
    return "".join(text.split())


# --- where chunks lie


@pytest.mark.parametrize("lang", ("fr", "en"))
@pytest.mark.parametrize("cut", [chunk_words, chunk_sentences, lambda text: chunk_recursive(text, 20), lambda t: [t]])
def test_every_chunk_of_our_own_cuts_is_found_whole(cut, lang):
    documents = corpus.load("mini", lang).documents
    texts = {d.id: d.text for d in documents}
    for piece in chunk(documents, cut):
        [(start, end)] = piece.spans
        assert visible(texts[piece.source][start:end]) == visible(piece.text)


@given(TEXTS, st.data())
def test_pieces_in_order_are_found_where_they_were_cut(text, data):
    words = text.split()
    cuts = sorted(data.draw(st.sets(st.integers(1, len(words) - 1)))) if len(words) > 1 else []
    bounds = list(zip([0, *cuts], [*cuts, len(words)], strict=True))
    found = find_spans(text, [" ".join(words[first:last]) for first, last in bounds])
    spans = [span for [span] in found]
    held = [visible(text[start:end]) for start, end in spans]
    assert held == ["".join(words[first:last]) for first, last in bounds]
    assert visible(text) == "".join(held)
    starts = [start for start, _ in spans]
    assert starts == sorted(starts)


@given(TEXTS, st.integers(1, 7))
def test_pieces_cut_inside_words_are_found_too(text, size):
    pieces = [text[i : i + size] for i in range(0, len(text), size)]
    for piece, spans in zip(pieces, find_spans(text, pieces), strict=True):
        assert [visible(text[start:end]) for start, end in spans] == ([visible(piece)] if piece.strip() else [])


def test_the_second_of_two_equal_sentences_is_found_behind_the_first():
    text = "It is 5 A. Then more. It is 5 A. The end."
    assert find_spans(text, ["It is 5 A.", "Then more.", "It is 5 A.", "The end."]) == [
        ((0, 10),),
        ((11, 21),),
        ((22, 32),),
        ((33, 41),),
    ]
    assert find_spans(text, ["The end.", "It is 5 A."]) == [((33, 41),), ((0, 10),)]
    assert find_spans("maison son", ["maison", "son"]) == [((0, 6),), ((7, 10),)]
    assert find_spans("sonner son", ["son"]) == [((7, 10),)]


def test_what_was_written_before_a_chunk_does_not_hide_it():
    text = "Intro.\n\nThe supply is guarded by a fuse of 5\u00a0A behind the plate."
    body = "The supply is guarded by a fuse of 5 A behind the plate."
    for prefix in ("Manual > Power\n\n", "This piece is about the fuse. ", "# The supply\n"):
        [[(start, end)]] = find_spans(text, [prefix + body])
        assert text[start:end].split() == body.split()
    [spans] = find_spans(text, ["The supply is guarded by a thing that is behind the plate."])
    assert [text[start:end] for start, end in spans] == ["The supply is guarded by a"]  # "behind the plate." is short
    assert find_spans(text, ["Something else altogether, and more."]) == [()]
    assert find_spans(text, ["", " \n", "fuse"]) == [(), (), ((35, 39),)]
    assert find_spans("", ["a"]) == [()] and find_spans(text, []) == []


def test_chunks_of_sections_with_their_path_are_found():
    text = "# One\n\n## Half\n\nThe lidar spins at 5.5 Hz today.\n\n## Two\n\nThe fuse is a 5 A model.\n"

    def cut(text):
        return [contextualize(section["text"], "Manual", section["path"]) for section in chunk_headings(text)]

    empty, first, second = chunk([document(text)], cut)
    assert empty.spans == ()  # two words, which would be found anywhere
    assert [text[start:end] for start, end in first.spans] == ["Half\n\nThe lidar spins at 5.5 Hz today."]
    assert [text[start:end] for start, end in second.spans] == ["Two\n\nThe fuse is a 5 A model."]


def test_locate_finds_chunks_made_elsewhere():
    documents = [document("one two three"), document("two three", "e")]
    chunks = [Chunk("e", 0, "two"), Chunk("d", 0, "one"), Chunk("d", 1, "two\nthree")]
    located = locate(chunks, documents)
    assert [piece.spans for piece in located] == [((0, 3),), ((0, 3),), ((4, 13),)]
    assert [(piece.source, piece.position, piece.text) for piece in located] == [
        (piece.source, piece.position, piece.text) for piece in chunks
    ]
    with pytest.raises(ValueError, match=r"^chunks\[0\] comes from 'x', which is none of the documents\.$"):
        locate([Chunk("x", 0, "one")], documents)


# --- which chunks answer


def test_half_of_a_passage_is_enough_and_less_is_not():
    text = "aa bb cc dd ee ff"
    question = ask(Passage("p", "d", 3, 14, text[3:14]))  # bb cc dd ee
    pieces = {"aa bb cc": True, "aa bb": False, "dd ee ff": True, "ee ff": False, "cc": True, "aa": False, text: True}
    for piece, relevant in pieces.items():
        assert bool(relevance(question, chunk([document(text)], lambda text, piece=piece: [piece]))) == relevant
    assert relevance(question, chunk([document(text, "e")], lambda text: [text])) == {}


def test_a_chunk_has_the_largest_of_its_grades():
    text = "aa bb cc dd"
    passages = [Passage(name, "d", 3 * i, 3 * i + 2, text[3 * i : 3 * i + 2]) for i, name in enumerate("abcd")]
    question = ask(*passages[:3], grades=[1, 3, 2])
    chunks = chunk([document(text)], lambda text: ["aa bb", "cc dd", "aa", "dd"])
    assert relevance(question, chunks) == {0: 3, 1: 2, 2: 1}
    assert corpus.relevant_chunks(question, chunks) == {0, 1, 2}
    assert relevance(question, []) == {} == relevance(ask(), chunks)


@given(texts_and_passages(), st.data())
def test_however_a_text_is_cut_some_piece_takes_each_passage_over(example, data):
    text, passage = example
    cuts = sorted(data.draw(st.sets(st.integers(1, len(text) - 1)))) if len(text) > 1 else []
    pieces = [text[first:last] for first, last in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    chunks = chunk([document(text)], lambda text: pieces)
    # Pieces of a text that repeats itself may be found too early: here each is told where it was cut.
    spans = [((first, last),) for first, last in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    chunks = [Chunk("d", i, piece.text, span) for i, (piece, span) in enumerate(zip(chunks, spans, strict=True))]
    assert relevance(ask(passage), chunks)
    assert passages_found(ask(passage), chunks) == ["p"]


@given(texts_and_passages(), st.integers(1, 12), st.integers(0, 11))
def test_windows_with_an_overlap_take_each_passage_over(example, size, overlap):
    text, passage = example
    chunks = chunk([document(text)], lambda text: chunk_words(text, size, min(overlap, size - 1)))
    words = [(i, i + len(word)) for i, word in _places(text)]
    step = size - min(overlap, size - 1)
    chunks = [
        Chunk("d", i, piece.text, ((words[i * step][0], words[min(i * step + size, len(words)) - 1][1]),))
        for i, piece in enumerate(chunks)
    ]
    assert relevance(ask(passage), chunks)


def _places(text):
    start = 0
    for word in text.split():
        start = text.index(word, start)
        yield start, word
        start += len(word)


@given(texts_and_passages(), st.data())
def test_more_text_never_makes_a_passage_less_held(example, data):
    text, passage = example
    start = data.draw(st.integers(0, len(text) - 1))
    end = data.draw(st.integers(start + 1, len(text)))
    small, large = Chunk("d", 0, "", ((start, end),)), Chunk("d", 0, "", ((max(0, start - 3), end + 3),))
    question = ask(passage)
    if passages_found(question, [small]):
        assert passages_found(question, [large]) == ["p"] and relevance(question, [large]) == {0: 3}
    held = visible(text[max(start, passage.start) : min(end, passage.end)])
    assert bool(passages_found(question, [small])) == (2 * len(held) >= len(visible(passage.text)))
    if not held and text[start:end].strip():
        assert relevance(question, [small]) == {}


@given(texts_and_passages(), st.integers(1, 12))
def test_white_space_and_a_context_change_nothing(example, size):
    text, passage = example
    question = ask(passage)
    plain = chunk([document(text)], lambda text: chunk_words(text, size, 0))
    wide = chunk([document(text)], lambda text: [piece.replace(" ", " \n\t") for piece in chunk_words(text, size, 0)])
    assert relevance(question, plain) == relevance(question, wide)
    if size >= 4:
        framed = chunk([document(text)], lambda text: [f"[X > Y]\n\n{piece}" for piece in chunk_words(text, size, 0)])
        whole = [number for number, piece in enumerate(plain) if len(piece.text.split()) >= 4]
        assert {n: g for n, g in relevance(question, framed).items() if n in whole} == {
            n: g for n, g in relevance(question, plain).items() if n in whole
        }


def test_pieces_of_a_passage_find_it_together_and_only_once():
    text = "aa bb cc dd ee ff gg hh"
    first, second = Passage("x", "d", 0, 11, text[:11]), Passage("y", "d", 12, 23, text[12:])
    question = ask(first, second, grades=[2, 3])
    words = chunk([document(text)], str.split)
    assert set(relevance(question, words).values()) == {2, 3} and len(relevance(question, words)) == 8
    assert passages_found(question, words[:1]) == [] == passages_found(question, [])
    assert passages_found(question, [words[7], words[7], words[0], words[6], words[1]]) == ["y", "x"]
    assert passages_found(question, chunk([document(text)], lambda text: [text])) == ["x", "y"]


@pytest.mark.parametrize("function", [relevance, corpus.relevant_chunks, passages_found])
def test_a_chunk_that_was_not_located_is_told_so(function):
    question = ask(Passage("p", "d", 0, 1, "a"))
    with pytest.raises(
        ValueError, match=r"^chunks\[0\] must know where it lies: make it with chunk, or call locate\.$"
    ):
        function(question, [Chunk("d", 0, "a")])
