"""chunking.words and chunking.count: windows of words, and how many there are."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.chunking.inputs import judge_chunks, texts, windows
from ragteach.retrieval.chunking import chunk_count, chunk_words

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def word_inputs() -> SearchStrategy[tuple]:
    """Draw a text, often a blank one, a size and an overlap."""
    from hypothesis import strategies as st

    text = st.one_of(texts(), texts(), texts(), st.sampled_from(("", " ", "\n")))
    return st.tuples(text, windows()).map(lambda drawn: (drawn[0], *drawn[1]))


def count_inputs() -> SearchStrategy[tuple]:
    """Draw a number of tokens, a size and an overlap."""
    from hypothesis import strategies as st

    return st.tuples(st.integers(0, 40), windows()).map(lambda drawn: (drawn[0], *drawn[1]))


def cut(words, starts, size):
    return [" ".join(words[start : start + size]) for start in starts]


def until_no_word_is_left(text, size=40, overlap=10):
    words = text.split()
    return cut(words, range(0, len(words), size - overlap), size)


def full_windows_only(text, size=40, overlap=10):
    words = text.split()
    return cut(words, range(0, len(words) - size + 1, size - overlap), size)


def stops_before_the_overlap(text, size=40, overlap=10):
    words = text.split()
    return cut(words, range(0, len(words) - overlap, size - overlap), size)


def overlap_as_step(text, size=40, overlap=10):
    words = text.split()
    chunks = []
    for start in range(0, len(words), overlap or size):
        chunks.append(" ".join(words[start : start + size]))
        if start + size >= len(words):
            break
    return chunks


def overlap_added(text, size=40, overlap=10):
    words = text.split()
    return cut(words, range(0, len(words), size), size + overlap)


def last_window_moved_back(text, size=40, overlap=10):
    chunks, words = chunk_words(text, size, overlap), text.split()
    return [*chunks[:-1], " ".join(words[-size:])] if chunks else []


def characters(text, size=40, overlap=10):
    chunks = []
    for start in range(0, len(text), size - overlap):
        chunks.append(text[start : start + size])
        if start + size >= len(text):
            break
    return chunks


def split_at_spaces(text, size=40, overlap=10):
    words = text.split(" ")
    chunks = []
    for start in range(0, len(words), size - overlap):
        chunks.append(" ".join(words[start : start + size]))
        if start + size >= len(words):
            break
    return chunks


WORDS = Exercise(
    id="chunking.words",
    chapter="01_chunking",
    entry="chunk_words",
    title={"fr": "Découper en fenêtres de mots", "en": "Cut into windows of words"},
    points=1,
    importance=3,
    minutes=5,
    reference=chunk_words,
    examples=(
        Example(
            ("1 2 3 4 5 6 7", 3, 1),
            {
                "fr": "La troisième fenêtre atteint la fin : on s’arrête là, sans en ouvrir une pour le seul « 7 ».",
                "en": 'The third window reaches the end: stop there, and open no further one for "7" alone.',
            },
        ),
        Example(
            ("1 2 3 4 5 6", 4, 1),
            {
                "fr": "La dernière fenêtre est plus courte, et partage quand même un mot avec la précédente.",
                "en": "The last window is shorter, and still shares one word with the one before.",
            },
        ),
        Example(
            ("1 2 3 4 5", 2, 0),
            {
                "fr": "Sans recouvrement, chaque mot est dans une seule fenêtre.",
                "en": "Without overlap every word is in one window.",
            },
        ),
        Example(
            ("1 2 3 4 5 6 7 8", 5, 3),
            {
                "fr": "Un grand recouvrement : on n’avance que de deux mots à chaque fois.",
                "en": "A large overlap: each window moves on by two words only.",
            },
        ),
        Example(
            ("Un fusible", 5, 2),
            {
                "fr": "Pas plus de mots que le recouvrement : le texte fait quand même un morceau.",
                "en": "No more words than the overlap: the text makes one chunk all the same.",
            },
        ),
        Example(
            (" ".join(map(str, range(1, 76))),),
            {
                "fr": "Les valeurs par défaut : 40 mots, dont 10 partagés.",
                "en": "The default values: 40 words, 10 of them shared.",
            },
        ),
        Example(
            ("  Couper\n\nle  courant.\tPuis attendre. ", 3, 0),
            {
                "fr": "Espaces doubles, tabulations et retours à la ligne séparent des mots ; aucun n’en est un.",
                "en": "Double spaces, tabs and line ends separate words; none of them is a word.",
            },
        ),
        Example(
            (" \n ", 3, 1),
            {
                "fr": "Un texte blanc n’a pas de morceau : une liste vide.",
                "en": "A blank text has no chunk: an empty list.",
            },
        ),
        Example(
            ("1 2 3 4 5", 3, 3),
            {
                "fr": "overlap = size : les fenêtres n’avanceraient jamais. Levez une ValueError.",
                "en": "overlap = size: the windows would never move on. Raise a ValueError.",
            },
        ),
        Example(
            ("1 2 3 4 5", 3, 4),
            {"fr": "overlap > size : ValueError aussi.", "en": "overlap > size: ValueError too."},
        ),
        Example(
            ("1 2 3 4 5", 3, -1),
            {
                "fr": "Un recouvrement négatif sauterait des mots : ValueError.",
                "en": "A negative overlap would skip words: ValueError.",
            },
        ),
        Example(
            ("1 2 3", 0, 0),
            {"fr": "size doit valoir au moins 1 : ValueError.", "en": "size must be at least 1: ValueError."},
        ),
    ),
    inputs=word_inputs,
    judge=judge_chunks,
    misconceptions=(
        Misconception(
            "until_no_word_is_left",
            until_no_word_is_left,
            {
                "fr": "Vous continuez tant qu’il reste des mots : la dernière fenêtre peut se trouver tout entière "
                "dans la précédente, et n’apporter rien. Arrêtez dès qu’une fenêtre atteint la fin du texte.",
                "en": "You go on as long as there are words: the last window may lie wholly inside the one before and "
                "add nothing. Stop as soon as a window reaches the end of the text.",
            },
        ),
        Misconception(
            "no_overlap",
            lambda text, size=40, overlap=10: chunk_words(text, size, 0),
            {
                "fr": "Vos fenêtres ne partagent aucun mot. Avancez de size − overlap mots à chaque fois, pas de size.",
                "en": "Your windows share no words. Move on by size - overlap words each time, not by size.",
            },
        ),
        Misconception(
            "overlap_as_step",
            overlap_as_step,
            {
                "fr": "Vous avancez de overlap mots. C’est ce que deux fenêtres partagent ; le pas est size − overlap.",
                "en": "You move on by overlap words. That is what two windows share; the step is size - overlap.",
            },
        ),
        Misconception(
            "full_windows_only",
            full_windows_only,
            {
                "fr": "Vous ne gardez que les fenêtres pleines : la fin du texte est perdue. La dernière fenêtre a le "
                "droit d’être plus courte.",
                "en": "You keep full windows only, so the end of the text is lost. The last window may be shorter.",
            },
        ),
        Misconception(
            "stops_before_the_overlap",
            stops_before_the_overlap,
            {
                "fr": "Un texte qui n’a pas plus de mots que le recouvrement disparaît : "
                "range(0, len(words) - overlap, …) est alors vide. Gardez toujours la première fenêtre.",
                "en": "A text with no more words than the overlap is lost: range(0, len(words) - overlap, …) is empty "
                "then. Always keep the first window.",
            },
        ),
        Misconception(
            "overlap_added",
            overlap_added,
            {
                "fr": "Vos fenêtres ont size + overlap mots. Le recouvrement se prend dans la taille : size mots en "
                "tout, dont overlap communs avec la fenêtre d’avant.",
                "en": "Your windows have size + overlap words. The overlap is part of the size: size words in all, "
                "overlap of them shared with the window before.",
            },
        ),
        Misconception(
            "last_window_moved_back",
            last_window_moved_back,
            {
                "fr": "Vous reculez la dernière fenêtre pour la remplir : elle répète alors plus de overlap mots. "
                "Laissez-la plus courte.",
                "en": "You move the last window back to fill it, so it repeats more than overlap words. Leave it "
                "shorter.",
            },
        ),
        Misconception(
            "characters",
            characters,
            {
                "fr": "Vous comptez des caractères : les mots sont coupés. Partez de text.split().",
                "en": "You count characters, so words are cut. Start from text.split().",
            },
        ),
        Misconception(
            "split_at_spaces",
            split_at_spaces,
            {
                "fr": 'text.split(" ") fabrique des mots vides et garde les retours à la ligne. Utilisez '
                "text.split(), sans argument.",
                "en": 'text.split(" ") makes empty words and keeps line ends. Use text.split() without an argument.',
            },
        ),
        Misconception(
            "blank_chunk",
            lambda text, size=40, overlap=10: chunk_words(text, size, overlap) or [""],
            {
                "fr": "Un texte blanc vous donne un morceau vide. Rendez une liste vide.",
                "en": "A blank text gives you one empty chunk. Return an empty list.",
            },
        ),
        Misconception(
            "lists_of_words",
            lambda text, size=40, overlap=10: [chunk.split() for chunk in chunk_words(text, size, overlap)],
            {
                "fr": 'Les fenêtres sont justes, mais chacune est une liste de mots. Joignez-les : " ".join(…).',
                "en": 'The windows are right, but each is a list of words. Join them: " ".join(…).',
            },
        ),
        Misconception(
            "arguments_ignored",
            lambda text, size=40, overlap=10: chunk_words(text),
            {
                "fr": "Vous découpez toujours en 40 mots dont 10 partagés. Utilisez les arguments size et overlap.",
                "en": "You always cut into 40 words with 10 shared. Use the arguments size and overlap.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Coupez le texte en mots avec text.split(). Les fenêtres commencent aux mots 0, pas, 2·pas… où le "
            "pas vaut size − overlap.",
            "en": "Cut the text into words with text.split(). Windows begin at words 0, step, 2·step…, where the step "
            "is size - overlap.",
        },
        {
            "fr": 'Pour start dans range(0, len(words), size - overlap), ajoutez " ".join(words[start:start + size]), '
            "puis break si start + size >= len(words). Avant la boucle, levez ValueError si size < 1 ou si overlap "
            "n’est pas entre 0 et size − 1.",
            "en": 'For start in range(0, len(words), size - overlap), append " ".join(words[start:start + size]), '
            "then break if start + size >= len(words). Before the loop, raise ValueError if size < 1 or if overlap is "
            "not between 0 and size - 1.",
        },
    ),
)


def fraction(n_tokens, size, overlap):
    return (n_tokens - overlap) / (size - overlap) if n_tokens > size else min(n_tokens, 1)


COUNT = Exercise(
    id="chunking.count",
    chapter="01_chunking",
    entry="chunk_count",
    title={"fr": "Compter les morceaux", "en": "Count the chunks"},
    points=1,
    importance=2,
    minutes=4,
    reference=chunk_count,
    uses=("chunking.words",),
    examples=(
        Example(
            (5_000_000, 400, 50),
            {
                "fr": "Dix mille pages : 4 999 950 / 350 = 14 285,57…, donc 14 286 morceaux.",
                "en": "Ten thousand pages: 4,999,950 / 350 = 14,285.57…, hence 14,286 chunks.",
            },
        ),
        Example(
            (100, 40, 10),
            {
                "fr": "Le compte tombe juste : trois fenêtres, la dernière pleine.",
                "en": "It comes out even: three windows, the last one full.",
            },
        ),
        Example(
            (101, 40, 10),
            {
                "fr": "Un seul mot de plus demande une fenêtre de plus.",
                "en": "One word more takes one window more.",
            },
        ),
        Example(
            (95, 40, 10),
            {
                "fr": "La dernière fenêtre est incomplète ; elle compte pour une.",
                "en": "The last window is incomplete; it counts as one.",
            },
        ),
        Example((10, 3, 0), {"fr": "Sans recouvrement.", "en": "Without overlap."}),
        Example((40, 40, 10), {"fr": "Juste une fenêtre pleine.", "en": "Exactly one full window."}),
        Example(
            (7, 40, 10),
            {
                "fr": "Moins de mots que le recouvrement : la formule donnerait 0, il y a pourtant un morceau.",
                "en": "Fewer words than the overlap: the formula would give 0, yet there is one chunk.",
            },
        ),
        Example(
            (0, 40, 30),
            {
                "fr": "Aucun mot, aucun morceau : la formule donnerait −3.",
                "en": "No word, no chunk: the formula would give −3.",
            },
        ),
        Example((1, 1, 0), {"fr": "Le plus petit cas.", "en": "The smallest case."}),
        Example(
            (9, 3, 3),
            {
                "fr": "overlap = size : il faudrait une infinité de fenêtres. Levez une ValueError.",
                "en": "overlap = size: there would be no end of windows. Raise a ValueError.",
            },
        ),
        Example((9, 0, 0), {"fr": "size = 0 : ValueError.", "en": "size = 0: ValueError."}),
        Example((-1, 3, 1), {"fr": "n_tokens négatif : ValueError.", "en": "n_tokens negative: ValueError."}),
    ),
    inputs=count_inputs,
    misconceptions=(
        Misconception(
            "rounded_down",
            lambda n_tokens, size, overlap: int(fraction(n_tokens, size, overlap)),
            {
                "fr": "Vous arrondissez vers le bas : les derniers mots n’ont plus de fenêtre. Arrondissez vers le "
                "haut.",
                "en": "You round down, and the last words have no window any more. Round up.",
            },
        ),
        Misconception(
            "rounded_to_nearest",
            lambda n_tokens, size, overlap: round(fraction(n_tokens, size, overlap)),
            {
                "fr": "round arrondit au plus proche. Une fenêtre entamée compte pour une : math.ceil.",
                "en": "round goes to the nearest number. A window that has begun counts as one: math.ceil.",
            },
        ),
        Misconception(
            "not_rounded",
            fraction,
            {
                "fr": "Un nombre de morceaux est entier : arrondissez vers le haut.",
                "en": "A number of chunks is a whole number: round up.",
            },
        ),
        Misconception(
            "down_plus_1",
            lambda n_tokens, size, overlap: (
                int(fraction(n_tokens, size, overlap)) + 1 if n_tokens > size else int(n_tokens > 0)
            ),
            {
                "fr": "Arrondir vers le bas puis ajouter 1 compte une fenêtre de trop quand la division tombe juste.",
                "en": "Rounding down and adding 1 counts one window too many where the division comes out even.",
            },
        ),
        Misconception(
            "overlap_forgotten",
            lambda n_tokens, size, overlap: ceil(n_tokens / size),
            {
                "fr": "Vous divisez par size, comme si les fenêtres ne partageaient rien. Chacune n’apporte que "
                "size − overlap mots nouveaux.",
                "en": "You divide by size, as if windows shared nothing. Each brings only size - overlap new words.",
            },
        ),
        Misconception(
            "first_window_forgotten",
            lambda n_tokens, size, overlap: ceil(n_tokens / (size - overlap)),
            {
                "fr": "Vous comptez une fenêtre par pas commencé : la dernière est parfois tout entière dans la "
                "précédente. Retirez overlap de n_tokens avant de diviser.",
                "en": "You count one window per step begun: the last may lie wholly inside the one before. Take "
                "overlap from n_tokens before dividing.",
            },
        ),
        Misconception(
            "formula_below_0",
            lambda n_tokens, size, overlap: ceil((n_tokens - overlap) / (size - overlap)),
            {
                "fr": "La formule seule ne vaut que pour n_tokens > size : plus bas, elle donne 0, ou un nombre "
                "négatif. Traitez à part un texte vide, puis un texte qui tient dans une fenêtre.",
                "en": "The formula alone holds for n_tokens > size only: below, it gives 0 or a negative number. Treat "
                "an empty text apart, then a text that fits into one window.",
            },
        ),
        Misconception(
            "formula_alone",
            lambda n_tokens, size, overlap: max(0, ceil((n_tokens - overlap) / (size - overlap))),
            {
                "fr": "La formule seule donne 0 pour un texte plus court que le recouvrement. Traitez à part "
                "0 < n_tokens ≤ size : un morceau.",
                "en": "The formula alone gives 0 for a text shorter than the overlap. Treat 0 < n_tokens ≤ size apart: "
                "one chunk.",
            },
        ),
        Misconception(
            "empty_counts",
            lambda n_tokens, size, overlap: max(1, ceil((n_tokens - overlap) / (size - overlap))),
            {
                "fr": "Un texte vide vous donne un morceau. Sans mot, il n’y en a aucun : 0.",
                "en": "An empty text gives you one chunk. Without a word there is none: 0.",
            },
        ),
        Misconception(
            "first_window_not_counted",
            lambda n_tokens, size, overlap: (
                ceil((n_tokens - size) / (size - overlap)) if n_tokens > size else min(n_tokens, 1)
            ),
            {
                "fr": "Vous comptez les fenêtres qui suivent la première, et oubliez celle-ci : ajoutez 1.",
                "en": "You count the windows after the first one and forget that one: add 1.",
            },
        ),
        Misconception(
            "sign_of_overlap",
            lambda n_tokens, size, overlap: (
                ceil((n_tokens + overlap) / (size - overlap)) if n_tokens > size else min(n_tokens, 1)
            ),
            {
                "fr": "Au numérateur, le recouvrement se retranche : n_tokens − overlap.",
                "en": "In the numerator the overlap is taken away: n_tokens - overlap.",
            },
        ),
    ),
    hints=(
        {
            "fr": "La première fenêtre couvre size mots ; chacune des suivantes en apporte size − overlap nouveaux. "
            "Combien en faut-il pour arriver à n_tokens ?",
            "en": "The first window covers size words; each one after it brings size - overlap new ones. How many does "
            "it take to reach n_tokens?",
        },
        {
            "fr": "Si n_tokens vaut 0, rendez 0 ; s’il ne dépasse pas size, rendez 1 ; sinon "
            "math.ceil((n_tokens - overlap) / (size - overlap)). Levez d’abord ValueError si un argument est absurde.",
            "en": "If n_tokens is 0, return 0; if it does not exceed size, return 1; otherwise "
            "math.ceil((n_tokens - overlap) / (size - overlap)). First raise ValueError if an argument makes no sense.",
        },
    ),
)
