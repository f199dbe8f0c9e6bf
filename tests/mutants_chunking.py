"""Mutants of chapter 01's references that do nothing wrong that an exercise asks about: see mutants.py."""

SAME_COUNT = "for n_tokens = size the formula gives 1 as well"
DROPPED_ANYWAY = "all the sentences and the next one are too long together, so that the first would be dropped anyway"
CUT_AND_MERGED = "a text of exactly max_words words is cut, and merged again to the same words"
CLOSING_MARKS = "the statement asks for no run of # that closes a heading"
OTHER_FENCES = "the statement asks for blocks between two lines of ``` only"

TITLE = "return without.rstrip() if without[-1:] in ('', ' ', '\\t') else rest"
CLOSES = "closes = found[1].startswith(fence) and (not found[2].strip())"

EQUIVALENT = {
    "chunking.count": {"n_tokens <= size -> n_tokens < size in: if n_tokens <= size:": SAME_COUNT},
    "chunking.sentences": {"0 -> 1 in: current = current[max(0, len(current) - overlap_sentences):]": DROPPED_ANYWAY},
    "chunking.recursive": {
        "_n_words(text) <= max_words -> _n_words(text) < max_words in: if _n_words(text) <= max_words:": CUT_AND_MERGED,
    },
    "chunking.headings": {
        f"-1 -> 1 in: {TITLE}": CLOSING_MARKS,
        f"1 -> 2 in: {TITLE}": CLOSING_MARKS,
        f"without[-1:] in ('', ' ', '\\t') -> without[-1:] not in ('', ' ', '\\t') in: {TITLE}": CLOSING_MARKS,
        f"{TITLE[7:]} -> {TITLE[7:].replace(' if ', ' if not ')} in: {TITLE}": CLOSING_MARKS,
        f"found[1].startswith(fence) and (not found[2].strip()) -> "
        f"found[1].startswith(fence) or not found[2].strip() in: {CLOSES}": OTHER_FENCES,
    },
}
