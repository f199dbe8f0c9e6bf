"""Where a sentence ends: one rule, in French and in English."""

import re

from ragteach.retrieval.arguments import text_str

# Words whose point belongs to the word; most stand before a name or a number. Upper case counts in the titles:
# "M. Dupont" is a man, but "12 m. Le lidar" ends after the metres. Words with a sense of their own ("sec", "no",
# "vol") are left out. "etc." may well end a sentence: then two sentences stay together, which harms a chunk less
# than half a sentence does.
TITLES = "M. MM. Mr. Mrs. Ms. Dr. Pr. Prof. St.".split()
SHORT_FORMS = (
    "etc. fig. p. pp. cf. al. vs. chap. "  # both languages
    "art. éd. env. ex. tél. réf. janv. févr. juill. oct. nov. déc. "  # French
    "e.g. i.e. eq. approx. dept. jan. feb. aug. dec."  # English
).split()
ABBREVIATIONS = frozenset([*TITLES, *SHORT_FORMS, *(word.capitalize() for word in SHORT_FORMS)])

# End marks, then any closing quotes or brackets (French puts a space before »), then white space; or a blank line.
BLANK_LINE = re.compile(r"\n[^\S\n]*\n")
END = re.compile(rf"[.!?…]+(?:[^\S\n]?»|[\"”’')\]])*\s+|{BLANK_LINE.pattern}\s*")

BEFORE_WORD = re.compile(r"[\s(\[«“\"]")
LIST_NUMBER = re.compile(r"(?:\A|\n)[^\S\n]*\d+\.\Z")


def split_sentences(text: str) -> list[str]:
    """Split a text into its sentences; joined again they hold every word, in order.

    The rule: a sentence ends at one of . ! ? … (closing quotes and brackets included) where white space follows,
    and at a blank line. A point ends none where its word is one of ABBREVIATIONS, or a number at the beginning of
    a line or sentence: a list's item ("1. Cut the power"). So "5.5 Hz" holds no end, "M. Dupont" none, and
    "3,8 V. Le fil" one. Upper and lower case of what follows do not count. White space around a sentence is
    dropped. Raises ValueError where text is no str.
    """
    text_str("text", text)
    sentences = []
    start = 0
    for end in END.finditer(text):
        up_to_mark = text[start : end.start() + 1]
        if _keeps_its_point(up_to_mark) and not BLANK_LINE.search(end.group()):
            continue
        sentences.append(text[start : end.end()].strip())
        start = end.end()
    sentences.append(text[start:].strip())
    return [sentence for sentence in sentences if sentence]


def _keeps_its_point(text: str) -> bool:
    """Tell whether a point at the end of the text belongs to its last word, or to the number of a list's item."""
    return BEFORE_WORD.split(text)[-1] in ABBREVIATIONS or LIST_NUMBER.search(text) is not None
