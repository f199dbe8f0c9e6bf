"""From a text to the tokens that a lexical index is made of."""

import re
import unicodedata

from ragteach.retrieval.arguments import text_str

# French words that lose their vowel before an apostrophe. They carry no meaning of their own, and left in place
# they would hide the word behind them: "l'alimentation" must be found by "alimentation".
ELIDED = "c d j l m n s t qu jusqu lorsqu puisqu quoiqu".split()

# Not \b, for which the underscore of a Markdown _l’eau_ is part of the word.
ELISION = re.compile(rf"(?<![^\W_])(?:{'|'.join(ELIDED)})['’]")

# A letter or a digit of any script (\w without the underscore), or a comma or point between two digits.
TOKEN = re.compile(r"(?:[^\W_]|(?<=\d)[.,](?=\d))+")


def tokenize(text: str) -> list[str]:
    """Split a text into lower-case tokens: words without their elided article, numbers and codes kept whole.

    "5,5" and "3.8" stay in one piece, "l’alimentation" gives "alimentation", "3 A" gives "3" and "a". Both
    apostrophes, ' and ’, are read alike, and composed and decomposed accents give the same tokens (NFC).
    Like scikit-learn's and Lucene's standard tokenizers it neither stems nor drops stop words; unlike
    scikit-learn's default it keeps one-letter words, which are units here.

    Raises ValueError where `text` is not a str.
    """
    text_str("text", text)
    text = unicodedata.normalize("NFC", text).lower()
    return TOKEN.findall(ELISION.sub(" ", text))
