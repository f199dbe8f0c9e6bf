"""An answer without a model: the best sentence of the passages, or the refusal."""

from collections.abc import Sequence

from ragteach.answers.citations import SPACED_CITATION
from ragteach.answers.passages import Passage, check_passages
from ragteach.answers.prompt import refusal
from ragteach.answers.words import content_tokens
from ragteach.retrieval.arguments import text_str
from ragteach.retrieval.sentences import split_sentences


def extractive_answer(question: str, passages: Sequence[Passage]) -> str:
    """Give the sentence of the passages that answers best, with its citation, or the exact refusal.

    The best sentence is the one that shares the most content tokens with the question, the first of them in a tie;
    a sentence that is itself a question is none. Unless it holds more than half of the question's content tokens,
    the answer is the refusal, in the question's language.

        extractive_answer("What fuse protects the supply?", [{"text": "R2 moves. A 5 A fuse protects the supply."}])
        == "A 5 A fuse protects the supply. [1]"

    Raises ValueError where the question is no str or a passage has no text.
    """
    text_str("question", question)
    check_passages(passages)
    asked = content_tokens(question)
    best, most = "", 0
    for number, passage in enumerate(passages, start=1):
        # A bracketed number in a passage is no citation of ours.
        for sentence in split_sentences(SPACED_CITATION.sub("", passage["text"])):
            shared = len(asked & content_tokens(sentence))
            if shared > most and not sentence.endswith("?"):
                best, most = f"{sentence} [{number}]", shared
    return best if most > len(asked) / 2 else refusal(question, passages)
