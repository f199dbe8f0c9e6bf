"""Citations: the numbers in square brackets that lead from a claim to its sources."""

import re
from collections.abc import Sequence

from ragteach.answers.evaluation import is_supported
from ragteach.answers.passages import Passage, check_passages
from ragteach.answers.prompt import REFUSALS
from ragteach.retrieval.arguments import text_str
from ragteach.retrieval.sentences import split_sentences
from ragteach.retrieval.text import tokenize

# One number or several between commas. No answer has a billion sources, and int() refuses thousands of digits.
CITATION = re.compile(r"\[\s*(\d{1,9}(?:\s*,\s*\d{1,9})*)\s*\]")
# With the spaces before it, so that taking it out leaves none behind.
SPACED_CITATION = re.compile(rf"\s*{CITATION.pattern}")
AFTER_THE_STOP = re.compile(rf"([.!?…]+)((?:\s*{CITATION.pattern})+)")


def parse_citations(answer: str) -> list[int]:
    """Give the numbers of the sources that an answer cites, in the order of their first citation, each once.

    A citation is a number in square brackets, or several with commas between: [2], [1][3], [1, 3]. Brackets that hold
    anything else are none: [sic], [12 V], [S1]. Raises ValueError where the answer is no str.
    """
    text_str("answer", answer)
    numbers = [int(number) for group in CITATION.findall(answer) for number in group.split(",")]
    return list(dict.fromkeys(numbers))


def check_citations(answer: str, passages: Sequence[Passage]) -> dict[str, list]:
    """Find what is wrong with the citations of an answer; passages are numbered from 1, as in the prompt.

    "unknown": the cited numbers that no passage has; "uncited": the sentences that cite nothing; "unsupported": the
    sentences that cite, but are not supported (`is_supported`) by any of the passages they cite. Sentences are given
    without their citations. A citation after the full stop belongs to the sentence before it, each line starts a new
    sentence; the refusal and what holds no word claim nothing.

        check_citations("The fuse is rated 5 A [1]. It is blue.", [{"text": "A 5 A fuse, rated for 12 V."}])
        == {"unknown": [], "uncited": ["It is blue."], "unsupported": []}

    Raises ValueError where the answer is no str or a passage has no text.
    """
    check_passages(passages)
    known = range(1, len(passages) + 1)
    faults: dict[str, list] = {"unknown": [], "uncited": [], "unsupported": []}
    faults["unknown"] = [number for number in parse_citations(answer) if number not in known]
    before_the_stop = AFTER_THE_STOP.sub(lambda found: f" {' '.join(found[2].split())}{found[1]}", answer)
    for sentence in (sentence for line in before_the_stop.splitlines() for sentence in split_sentences(line)):
        cited = parse_citations(sentence)
        claim = SPACED_CITATION.sub("", sentence).strip()
        if claim in REFUSALS.values() or not tokenize(claim):
            continue
        if not cited:
            faults["uncited"].append(claim)
        elif not is_supported(claim, [passages[number - 1] for number in cited if number in known]):
            faults["unsupported"].append(claim)
    return faults
