"""Rewrite a question before it is searched for. In production a model rewrites; these rules fit in two sentences."""

import re
from collections.abc import Callable, Mapping, Sequence

import numpy as np

from ragteach.retrieval.arguments import at_least, require, text_str, vector
from ragteach.retrieval.dense import dense_search
from ragteach.retrieval.fusion import rrf
from ragteach.retrieval.text import tokenize

# A question that opens with one of these words leans on the question before it.
OPENINGS = (["et"], ["mais"], ["and"], ["but"], ["what", "about"], ["how", "about"])

# Not "qui" and "que": after "et" they mostly go on with a relative clause, "le robot qui avance et qui tourne".
QUESTION_WORDS = set(
    """quel quelle quels quelles quand où comment combien pourquoi
    what which who when where why how""".split()
)
# Where a question may be cut: at an "et" or "and" between words, or at the white space after a question mark.
LINK = re.compile(r"[\s,;]+(?:et|and)\s+|(?<=\?)\s+", re.IGNORECASE)


def expand_abbreviations(query: str, table: Mapping[str, str]) -> str:
    """Replace the abbreviations of a query by what they stand for; everything else stays as it is written.

    `table` maps an abbreviation to its expansion: {"PWM": "pulse-width modulation (PWM)"}. It is found whatever its
    case, but only as a whole word: no letter or digit touches it. Where two begin at the same place the longer one
    counts, and an expansion is not expanded again. Raises ValueError where query, an abbreviation or an expansion is
    no str, an abbreviation is blank, or two differ by their case only.
    """
    text_str("query", query)
    for short, long in table.items():
        text_str("an abbreviation of table", short)
        text_str(f"table[{short!r}]", long)
        require(bool(short.strip()), "table must not hold a blank abbreviation.")
    expansions = {short.lower(): long for short, long in table.items()}
    require(len(expansions) == len(table), "table must not hold abbreviations that differ by their case only.")
    if not table:
        return query
    longest_first = sorted(table, key=len, reverse=True)
    whole_word = rf"(?<![^\W_])(?:{'|'.join(map(re.escape, longest_first))})(?![^\W_])"
    # Where Unicode knows more pairs of cases than lower() (ſ and s), what was found stays.
    return re.sub(whole_word, lambda found: expansions.get(found[0].lower(), found[0]), query, flags=re.IGNORECASE)


def standalone_query(history: Sequence[str], follow_up: str) -> str:
    """Make a question that can be searched for on its own out of one that leans on the conversation.

    A question is bare where it is a single word or opens with et, mais, and, but, what about or how about. A bare
    follow-up is put behind the last question of the history that is not bare, with a space between; any other, and one
    with no such question before it, is given back as it is.

        standalone_query(["What voltage do the motors take?"], "And the lidar?")
        == "What voltage do the motors take? And the lidar?"

    `history` holds the earlier questions of the reader, oldest first, without the answers. Raises ValueError where it
    is a str, or a question is no str.
    """
    require(not isinstance(history, str), "history must be a list of questions, not a str.")
    text_str("follow_up", follow_up)
    for i, question in enumerate(history):
        text_str(f"history[{i}]", question)
    complete = [question for question in history if tokenize(question) and not _is_bare(question)]
    return f"{complete[-1]} {follow_up}" if complete and _is_bare(follow_up) else follow_up


def _is_bare(question: str) -> bool:
    tokens = tokenize(question)
    return len(tokens) == 1 or any(tokens[: len(opening)] == opening for opening in OPENINGS)


def multi_query(search: Callable[[str], Sequence], variants: Sequence[str], k: int) -> list:
    """Search for each variant of a question and give the k best of all results, fused by `rrf` with its k = 60.

    `search(query)` gives a ranking of ids, best first; it is called once a variant, in their order. Raises
    ValueError where k < 1 or variants is a str.
    """
    at_least("k", k, 1)
    require(not isinstance(variants, str), "variants must be a list of queries, not a str.")
    return rrf([search(variant) for variant in variants])[:k]


def decompose(question: str) -> list[str]:
    """Cut a compound question into parts; a plain one stays whole, alone in its list.

    It is cut after each question mark, and at each "et" or "and" that has a question word (QUESTION_WORDS) among
    the two words after it; the "et" or "and" at a cut is dropped. Where one of the parts would have fewer than two
    words, the question stays whole: "Comment et pourquoi ...". Words are counted as tokens, and white space around the
    question is dropped.

        decompose("What is the voltage, and at what rate does the lidar turn?")
        == ["What is the voltage", "at what rate does the lidar turn?"]

    Raises ValueError where the question is no str.
    """
    text_str("question", question)
    question = question.strip()
    parts, start = [], 0
    for link in LINK.finditer(question):
        before, after = question[start : link.start()], question[link.end() :]
        if before.endswith("?") or not QUESTION_WORDS.isdisjoint(tokenize(after)[:2]):
            parts.append(before)
            start = link.end()
    parts.append(question[start:])
    return parts if all(len(tokenize(part)) >= 2 for part in parts) else [question]


def hyde_search(draft: str, embed: Callable[[str], Sequence[float]], embeddings: np.ndarray, k: int) -> list[int]:
    """Search with the embedding of a hypothetical answer: the k documents nearest to `embed(draft)` by cosine.

    `draft` is an answer that a model made up: right or wrong, it has the words of an answer, which the question lacks
    (Gao et al., Precise Zero-Shot Dense Retrieval without Relevance Labels, 2022). `embed(text)` gives a vector (d,),
    embeddings have the shape (N, d). Raises ValueError where draft is no str, k < 1, or the shapes do not match.
    """
    text_str("draft", draft)
    query = vector("embed(draft)", embed(draft))
    return dense_search(query, embeddings, k)
