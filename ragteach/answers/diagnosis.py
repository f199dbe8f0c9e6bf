"""What went wrong with an answer, and what is wrong with a text."""

from collections.abc import Mapping

from ragteach.retrieval.arguments import require, text_str
from ragteach.retrieval.text import tokenize

# Each stage hands the next one a list of passages: a relevant one must be in every list.
STAGES = {"recall": "retrieved", "ranking": "ranked", "context": "context"}

COMMANDS = frozenset(
    """ignore ignores ignorez ignorer ignoring disregard disregarding forget forgetting override overriding bypass
    oublie oublies oubliez oublier contourne contournez contourner""".split()
)
ORDERS = frozenset(
    """instruction instructions consigne consignes règle règles rule rules directive directives prompt prompts
    policy policies""".split()
)
WINDOW = 6


def diagnose(trace: Mapping) -> str:
    """Name the first stage that failed in the trace of a question, or "ok".

        {"relevant": ["manual#2"], "retrieved": ["faq#0", "manual#2"], "ranked": ["faq#0"], "context": ["faq#0"],
         "correct": False}  ->  "ranking"

    "retrieved" holds the candidates of the first search, "ranked" those that the final ranking keeps, "context" those
    that stand in the prompt, "correct" whether the answer is right. "recall", "ranking" and "context" fail where
    their list holds no relevant passage, "generation" where the answer is not correct all the same. A question
    without relevant passages (a trap, rightly refused) can only fail at the last stage. Raises ValueError where a
    key is missing or a list is a str.
    """
    for key in ("relevant", *STAGES.values(), "correct"):
        require(isinstance(trace, Mapping) and key in trace, f'trace must be a dict that has "{key}".')
        require(not isinstance(trace[key], str), f'trace["{key}"] must not be a str.')
    relevant = set(trace["relevant"])
    for stage, key in STAGES.items():
        if relevant and relevant.isdisjoint(trace[key]):
            return stage
    return "ok" if trace["correct"] else "generation"


def flag_injection(text: str) -> bool:
    """Tell whether a text looks like an order to the model: a word of COMMANDS, then one of ORDERS within six words.

    "Ignore all the previous instructions" and « Oubliez les consignes » are flagged. Words are tokens, in French and
    English at once. It is no security boundary: a rewording, another language or an encoding passes, and « N’ignorez
    pas les consignes de sécurité » is flagged though harmless. Raises ValueError where text is no str.
    """
    text_str("text", text)
    tokens = tokenize(text)
    return any(
        token in COMMANDS and not ORDERS.isdisjoint(tokens[i + 1 : i + 1 + WINDOW]) for i, token in enumerate(tokens)
    )
