"""What answers are compared by: the words that carry their meaning, and their language."""

from ragteach.retrieval.text import tokenize

# Words that say nothing of the subject, as tokenize writes them (elided ones, as in l’ and qu’, are gone already).
FUNCTION_WORDS = {
    "fr": frozenset(
        """le la les un une des du de au aux et ou où mais donc ni si que qui quoi quel quelle quels quelles quand
        comment combien pourquoi est sont sera ce cet cette ces ça il elle ils elles je tu nous vous se me te y en
        dans par pour sur sous avec sans entre vers chez dont leur leurs son sa ses mon ma mes notre nos votre vos ne
        pas plus moins très faut doit peut être avoir fait faire ont à t""".split()
    ),
    "en": frozenset(
        """the an of and or but so if that this these those who whom whose which what when where why how is are was
        were be been being has have had do does did it its he she they them their we our you your i my to in at by
        for from with without into onto than then there as not no can could must should will would may s""".split()
    ),
}
# "a" and "on" belong to both languages, so they tell neither. "a" is also the ampere of "5 A": the number stays.
STOP_WORDS = FUNCTION_WORDS["fr"] | FUNCTION_WORDS["en"] | {"a", "on"}


def content_tokens(text: str) -> set[str]:
    """Give the distinct tokens of a text that are no stop words, French or English."""
    return set(tokenize(text)) - STOP_WORDS


def language(*texts: str) -> str:
    """Give "fr" or "en": the language with more function words in the first text that has more of one; else "fr"."""
    for text in texts:
        tokens = tokenize(text)
        french = sum(token in FUNCTION_WORDS["fr"] for token in tokens)
        english = sum(token in FUNCTION_WORDS["en"] for token in tokens)
        if french != english:
            return "fr" if french > english else "en"
    return "fr"
