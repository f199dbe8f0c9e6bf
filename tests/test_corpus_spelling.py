"""Spelling of the corpora by Hunspell's French and British dictionaries; tests/spelling/ holds the words they lack."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from ragteach import corpus

DICTIONARIES = {"fr": "fr_FR", "en": "en_GB"}
LISTS = Path(__file__).parent / "spelling"

# What is no prose: code, codes and references (E17, R2-TYR-65), file and topic names, numbers with their units.
NOT_PROSE = re.compile(r"```.*?```|`[^`]*`|\S*[/_<>@=]\S*|[\w-]*\d[\w.,:-]*|--\w+", re.DOTALL)
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)*")  # Hunspell looks the parts of "frein-filet" up one by one

# The acceptance sheet looks like a scan that nobody read over: its words are broken on purpose.
BROKEN = {"inspection-scan"}


def words(text: str) -> set[str]:
    """Give the words of a text, with the straight apostrophe that the dictionaries know."""
    return {word.replace("’", "'") for word in WORD.findall(NOT_PROSE.sub(" ", text))}


def exceptions(lang: str) -> list[str]:
    return [line for line in (LISTS / f"{lang}.txt").read_text(encoding="utf-8").splitlines() if line]


def unknown(lang: str, candidates: set[str]) -> list[str]:
    """Give the words that the dictionary does not hold."""
    command = ["hunspell", "-l", "-i", "utf-8", "-d", DICTIONARIES[lang]]
    done = subprocess.run(
        command, input="\n".join(sorted(candidates)), capture_output=True, encoding="utf-8", check=True
    )
    return done.stdout.split()


def reason_to_skip() -> str:
    if not shutil.which("hunspell"):
        return "hunspell is not there (Debian: apt-get install hunspell hunspell-fr hunspell-en-gb)."
    listed = subprocess.run(["hunspell", "-D"], stdin=subprocess.DEVNULL, capture_output=True, text=True).stderr
    missing = [name for name in DICTIONARIES.values() if f"/{name}" not in listed]
    return (
        f"hunspell has no dictionary {' or '.join(missing)} (Debian: hunspell-fr, hunspell-en-gb)." if missing else ""
    )


needs_hunspell = pytest.mark.skipif(bool(reason_to_skip()), reason=reason_to_skip() or "hunspell is there")


@needs_hunspell
@pytest.mark.parametrize("lang", DICTIONARIES)
@pytest.mark.parametrize("name", ["mini", "robot"])
def test_every_word_is_in_the_dictionary_or_in_the_list_of_exceptions(name, lang):
    robot = corpus.load(name, lang)
    used: dict[str, str] = {}
    for document in robot.documents:
        if document.id not in BROKEN:
            used |= dict.fromkeys(words(f"{document.title}\n{document.text}"), document.id)
    for question in robot.questions:
        used |= dict.fromkeys(words("\n".join([question.text, question.answer, *question.history])), question.id)
    misspelt = set(unknown(lang, set(used))) - set(exceptions(lang))
    assert {word: used[word] for word in sorted(misspelt)} == {}


@needs_hunspell
@pytest.mark.parametrize("lang,wrong", [("fr", {"fussible", "l'alimentattion"}), ("en", {"fuze", "color"})])
def test_a_slip_is_seen(lang, wrong):
    assert set(unknown(lang, wrong | {"robot"})) == wrong


@needs_hunspell
@pytest.mark.parametrize("lang", DICTIONARIES)
def test_exceptions_are_sorted_used_and_unknown_to_the_dictionary(lang):
    listed = exceptions(lang)
    assert listed == sorted(set(listed))
    used = set()
    for name in ("mini", "robot"):
        robot = corpus.load(name, lang)
        for document in robot.documents:
            used |= words(f"{document.title}\n{document.text}") if document.id not in BROKEN else set()
        for question in robot.questions:
            used |= words("\n".join([question.text, question.answer, *question.history]))
    assert set(listed) <= used
    assert set(unknown(lang, set(listed))) == set(listed)


def test_words_are_prose_only():
    text = "R2-TYR-65 à `r2-update --to`, /odom, ROS_DOMAIN_ID ; l’été 5 A, E17.\n```\nxyzzy\n```\nfrein-filet"
    assert words(text) == {"à", "l'été", "A", "frein", "filet"}
