"""Judge answers: against their sources, against a reference, and one judge against another."""

import re
import unicodedata
from collections import Counter
from collections.abc import Hashable, Iterable, Sequence
from string import punctuation

from ragteach.answers.passages import Passage, check_passages
from ragteach.answers.words import content_tokens
from ragteach.retrieval.arguments import between, require, text_str

ELIDED_ARTICLE = re.compile(r"\b[ld]['’]")
ARTICLE = re.compile(r"\b(a|an|the|le|la|les|un|une|des|du)\b")


def faithfulness(verdicts: Sequence[bool]) -> float | None:
    """Give the share of an answer's claims that its sources support: supported / all, or None where there is no claim.

    One verdict a claim, True or False (1 or 0), from a human or a model as judge. Es et al., RAGAS: Automated
    Evaluation of Retrieval Augmented Generation, 2023. Raises ValueError where a verdict is something else: the
    str "no" would count as true.
    """
    for i, verdict in enumerate(verdicts):
        require(verdict in (0, 1), f"verdicts[{i}] must be True or False, not {verdict!r}.")
    return float(sum(verdicts) / len(verdicts)) if len(verdicts) else None


def is_supported(claim: str, passages: Sequence[Passage], threshold: float = 0.6) -> bool:
    """Tell whether one of the passages holds at least the share `threshold` of the claim's distinct content tokens.

    One passage must do it alone: words picked from several prove nothing. A claim without content tokens is not
    supported, there being nothing to check it by. It compares words, not meaning: a negation or a paraphrase
    escapes it. Raises ValueError where the threshold lies outside [0, 1], the claim is no str or a passage has no text.
    """
    text_str("claim", claim)
    check_passages(passages)
    between("threshold", threshold, 0, 1)
    claimed = content_tokens(claim)
    found = [len(claimed & content_tokens(passage["text"])) for passage in passages]
    return bool(claimed) and any(n / len(claimed) >= threshold for n in found)


def exact_match(prediction: str, reference: str) -> bool:
    """Tell whether prediction and reference are the same words once normalised.

    Normalising is SQuAD's: lower case, no punctuation, no articles, single spaces (Rajpurkar et al., SQuAD: 100,000+
    Questions for Machine Comprehension of Text, 2016, evaluation script). Here French articles go as well, le la les
    l’ un une des du d’, and « » … – ’ are punctuation too. As in SQuAD the points inside numbers go: 3.8 is 3,8, but 38
    too. Raises ValueError where an argument is no str.
    """
    return _answer_tokens("prediction", prediction) == _answer_tokens("reference", reference)


def token_f1(prediction: str, reference: str) -> float:
    """Give 2PR/(P+R), P being the share of the prediction's tokens found in the reference, R the other way round.

    Tokens are normalised as in `exact_match` and count as often as they occur in both. Where one side has no tokens
    left, 1.0 if the other has none either, else 0.0 (Rajpurkar et al., SQuAD 2.0, 2018). Raises ValueError where an
    argument is no str.
    """
    predicted, expected = _answer_tokens("prediction", prediction), _answer_tokens("reference", reference)
    if not predicted or not expected:
        return float(predicted == expected)
    common = sum((Counter(predicted) & Counter(expected)).values())
    if common == 0:
        return 0.0
    precision, recall = common / len(predicted), common / len(expected)
    return 2 * precision * recall / (precision + recall)


def _answer_tokens(name: str, text: str) -> list[str]:
    """Normalise an answer as SQuAD does, and split it at white space."""
    text_str(name, text)
    text = ELIDED_ARTICLE.sub(" ", unicodedata.normalize("NFC", text).lower())
    text = "".join(c for c in text if c not in punctuation and not unicodedata.category(c).startswith("P"))
    return ARTICLE.sub(" ", text).split()


def refusal_rate(answers: Sequence[str], refusal: str) -> float:
    """Give the share of the answers that are the refusal and nothing else.

    White space of any kind and the form of the apostrophe (' or ’) do not count; one word more or less does: an answer
    that refuses and then answers all the same is no refusal. Raises ValueError where there is no answer or the refusal
    is blank.
    """
    require(not isinstance(answers, str), "answers must be a list of answers, not a str.")
    require(len(answers) > 0, "answers must hold at least one answer.")
    text_str("refusal", refusal)
    require(bool(refusal.strip()), "refusal must not be blank.")
    for i, answer in enumerate(answers):
        text_str(f"answers[{i}]", answer)
    return sum(_plain(answer) == _plain(refusal) for answer in answers) / len(answers)


def _plain(text: str) -> str:
    """Write a text with one kind of apostrophe, one kind of space and composed accents."""
    return " ".join(unicodedata.normalize("NFC", text).replace("’", "'").split())


def context_precision(used: Iterable[Hashable], provided: Iterable[Hashable]) -> float:
    """Give the share of the provided passages that the answer used: |used ∩ provided| / |provided|, 0.0 where none is.

    Both are passages' ids or numbers, each counting once; `parse_citations` gives the used ones. (RAGAS calls by this
    name an average precision over the ranks.) Raises ValueError where one of them is a str.
    """
    for name, ids in (("used", used), ("provided", provided)):
        require(not isinstance(ids, str), f"{name} must be a list of ids, not a str.")
    used, provided = set(used), set(provided)
    return len(used & provided) / len(provided) if provided else 0.0


def cohen_kappa(a: Sequence[Hashable], b: Sequence[Hashable]) -> float:
    """Give two judges' agreement beyond chance: (p_o - p_e) / (1 - p_e), 1.0 where both are constant and equal.

    a[i] and b[i] are the labels that the two give to item i; p_o is the share of equal labels, p_e what it would be
    if each drew labels at random at its own rates (Cohen, A Coefficient of Agreement for Nominal Scales, 1960).
    Equals scikit-learn's cohen_kappa_score, which gives nan where ours is 1.0 by convention. Raises ValueError
    where the lengths differ or there is no label.
    """
    for name, labels in (("a", a), ("b", b)):
        require(not isinstance(labels, str), f"{name} must be a list of labels, not a str.")
    require(len(a) == len(b), f"a and b must have the same length, not {len(a)} and {len(b)}.")
    require(len(a) > 0, "a and b must hold at least one label.")
    n = len(a)
    observed = sum(x == y for x, y in zip(a, b, strict=True)) / n
    counts_a, counts_b = Counter(a), Counter(b)
    expected = sum(counts_a[label] * counts_b[label] for label in counts_a) / n**2
    return 1.0 if expected == 1 else float((observed - expected) / (1 - expected))
