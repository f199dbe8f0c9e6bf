"""chunking.sentences: whole sentences, grouped."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.chunking.inputs import judge_chunks
from ragteach.retrieval.chunking import chunk_sentences, chunk_words
from ragteach.retrieval.sentences import split_sentences

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import SearchStrategy

# Every abbreviation stands in the list that the statement gives.
SENTENCES = (
    "Stop!",
    "Pourquoi?",
    "Il tourne à 5.5 Hz.",
    "Fusible de 5 A.",
    "Stocker à 3,8 V par cellule.",
    "M. Roy regarde, cf. fig. 2.",
    "Attendre trente secondes avant de toucher au robot…",
)
FOUR = "Couper l’alimentation. Attendre 30 secondes. Retirer le capot. Changer le fusible."
LIGHT = "Vérifier que le voyant vert reste bien allumé."


def inputs() -> SearchStrategy[tuple]:
    """Draw up to six sentences, a size and a number of sentences to repeat."""
    from hypothesis import strategies as st

    spaces = st.sampled_from([" ", " ", "\n"])
    # Short sentences more often than long ones, so that a chunk holds several, of which some are repeated.
    sentences = st.sampled_from(SENTENCES) | st.sampled_from(SENTENCES[:4])
    text = st.lists(st.tuples(sentences, spaces), max_size=3) | st.lists(
        st.tuples(sentences, spaces), min_size=4, max_size=7
    )
    overlaps = st.sampled_from((1, 0, 2, 0, 3))  # 0 is an end that slices like [-0:] forget
    return st.tuples(text.map(lambda pairs: "".join(map("".join, pairs))), st.integers(1, 14), overlaps)


def n_words(sentences: Sequence[str]) -> int:
    return len(" ".join(sentences).split())


def group(sentences, max_words, overlap_sentences, keep=None):
    """Group sentences as the statement says; `keep(current, next)` chooses those that are repeated."""

    def fewer_until_it_fits(current, sentence):
        kept = current[max(0, len(current) - overlap_sentences) :]
        while kept and n_words([*kept, sentence]) > max_words:
            kept = kept[1:]
        return kept

    keep = keep or fewer_until_it_fits
    chunks, current = [], []
    for sentence in sentences:
        if current and n_words([*current, sentence]) > max_words:
            chunks.append(" ".join(current))
            current = keep(current, sentence)
        current = [*current, sentence]
    return [*chunks, " ".join(current)] if current else []


def empty_chunk(text, max_words=30, overlap_sentences=1):
    chunks, current = [], []
    for sentence in split_sentences(text):
        if n_words([*current, sentence]) > max_words:
            chunks.append(" ".join(current))
            current = current[max(0, len(current) - overlap_sentences) :]
            while current and n_words([*current, sentence]) > max_words:
                current = current[1:]
        current = [*current, sentence]
    return [*chunks, " ".join(current)] if current else []


def points_in_numbers(text, max_words=30, overlap_sentences=1):
    sentences = [piece for piece in re.split(r"(?<=[.!?…])\s*", text) if piece]
    return group(sentences, max_words, overlap_sentences)


def abbreviations_cut(text, max_words=30, overlap_sentences=1):
    sentences = [piece for piece in re.split(r"(?<=[.!?…])\s+", text) if piece]
    return group(sentences, max_words, overlap_sentences)


def points_only(text, max_words=30, overlap_sentences=1):
    sentences = []
    for sentence in split_sentences(text):
        if sentences and sentences[-1][-1] != ".":
            sentences[-1] += " " + sentence
        else:
            sentences.append(sentence)
    return group(sentences, max_words, overlap_sentences)


def long_sentences_cut(text, max_words=30, overlap_sentences=1):
    pieces = [piece for sentence in split_sentences(text) for piece in chunk_words(sentence, max_words, 0)]
    return group(pieces, max_words, overlap_sentences)


def long_sentences_lost(text, max_words=30, overlap_sentences=1):
    kept = [sentence for sentence in split_sentences(text) if n_words([sentence]) <= max_words]
    return group(kept, max_words, overlap_sentences)


def minus_zero(text, max_words=30, overlap_sentences=1):
    def keep(current, sentence):
        kept = current[-overlap_sentences:]
        while kept and n_words([*kept, sentence]) > max_words:
            kept = kept[1:]
        return kept

    return group(split_sentences(text), max_words, overlap_sentences, keep)


def no_room_made(text, max_words=30, overlap_sentences=1):
    return group(
        split_sentences(text),
        max_words,
        overlap_sentences,
        lambda current, sentence: current[max(0, len(current) - overlap_sentences) :],
    )


def all_or_none(text, max_words=30, overlap_sentences=1):
    def keep(current, sentence):
        kept = current[max(0, len(current) - overlap_sentences) :]
        return kept if n_words([*kept, sentence]) <= max_words else []

    return group(split_sentences(text), max_words, overlap_sentences, keep)


def nothing_new(text, max_words=30, overlap_sentences=1):
    sentences, chunks, start = split_sentences(text), [], 0
    while start < len(sentences):
        end = start + 1
        while end < len(sentences) and n_words(sentences[start : end + 1]) <= max_words:
            end += 1
        chunks.append(" ".join(sentences[start:end]))
        if end >= len(sentences):
            break
        start = max(start + 1, end - overlap_sentences)
    return chunks


def overlap_in_words(text, max_words=30, overlap_sentences=1):
    def keep(current, sentence):
        words = " ".join(current).split()
        kept = words[max(0, len(words) - overlap_sentences) :]
        return [" ".join(kept)] if kept and len(kept) + n_words([sentence]) <= max_words else []

    return group(split_sentences(text), max_words, overlap_sentences, keep)


def one_sentence_too_many(text, max_words=30, overlap_sentences=1):
    chunks, current = [], []
    for sentence in split_sentences(text):
        current = [*current, sentence]
        if n_words(current) >= max_words:
            chunks.append(" ".join(current))
            current = current[max(0, len(current) - overlap_sentences) :]
    return [*chunks, " ".join(current)] if current else chunks


MISCONCEPTIONS = (
    Misconception(
        "points_in_numbers",
        points_in_numbers,
        {
            "fr": "Vous coupez à chaque point, même dans « 5.5 Hz ». Exigez un blanc après : (?<=[.!?…])\\s+.",
            "en": 'You cut at every point, even in "5.5 Hz". Require white space after it: (?<=[.!?…])\\s+.',
        },
    ),
    Misconception(
        "abbreviations_cut",
        abbreviations_cut,
        {
            "fr": "« M. Roy » ou « fig. 2 » sont coupés après l’abréviation. Si le dernier mot d’une phrase est dans "
            "ABBREVIATIONS, recollez-lui la suite ; la fonction sentences de l’énoncé le fait.",
            "en": '"M. Roy" or "fig. 2" are cut after the abbreviation. If the last word of a sentence is in '
            "ABBREVIATIONS, put what follows back on; the function sentences of the exercise does.",
        },
    ),
    Misconception(
        "points_only",
        points_only,
        {
            "fr": "Vous ne coupez qu’aux points. Un point d’interrogation, un point d’exclamation et des points de "
            "suspension finissent aussi une phrase.",
            "en": "You cut at full stops only. A question mark, an exclamation mark and an ellipsis end sentences too.",
        },
    ),
    Misconception(
        "words_cut",
        lambda text, max_words=30, overlap_sentences=1: chunk_words(text, max_words, 0),
        {
            "fr": "Vous coupez tous les max_words mots, donc au milieu des phrases. Comptez les mots, mais ne coupez "
            "qu’entre deux phrases.",
            "en": "You cut every max_words words, hence inside sentences. Count words, but cut only between two "
            "sentences.",
        },
    ),
    Misconception(
        "one_sentence_each",
        lambda text, max_words=30, overlap_sentences=1: split_sentences(text),
        {
            "fr": "Chaque phrase fait son propre morceau. Regroupez-les tant que max_words n’est pas dépassé.",
            "en": "Every sentence makes a chunk of its own. Group them as long as max_words is not exceeded.",
        },
    ),
    Misconception(
        "no_overlap",
        lambda text, max_words=30, overlap_sentences=1: chunk_sentences(text, max_words, 0),
        {
            "fr": "Aucune phrase n’est répétée. Commencez le morceau suivant par les overlap_sentences dernières "
            "phrases de celui-ci.",
            "en": "No sentence is repeated. Begin the next chunk with the last overlap_sentences sentences of this "
            "one.",
        },
    ),
    Misconception(
        "minus_zero",
        minus_zero,
        {
            "fr": "Avec overlap_sentences = 0, current[-0:] est la liste entière, pas une liste vide : des phrases se "
            "répètent. Écrivez current[len(current) - overlap_sentences:], ou traitez 0 à part.",
            "en": "With overlap_sentences = 0, current[-0:] is the whole list, not an empty one, so sentences are "
            "repeated. Write current[len(current) - overlap_sentences:], or treat 0 apart.",
        },
    ),
    Misconception(
        "no_room_made",
        no_room_made,
        {
            "fr": "Les phrases répétées font dépasser max_words. Retirez les premières tant que la phrase suivante ne "
            "tient pas.",
            "en": "The repeated sentences push the chunk over max_words. Remove the first ones until the next sentence "
            "fits.",
        },
    ),
    Misconception(
        "all_or_none",
        all_or_none,
        {
            "fr": "Quand les phrases à répéter ne tiennent pas toutes, vous n’en répétez aucune. Retirez-les une à "
            "une, la plus ancienne d’abord.",
            "en": "Where the sentences to repeat do not all fit, you repeat none. Remove them one at a time, the "
            "oldest first.",
        },
    ),
    Misconception(
        "nothing_new",
        nothing_new,
        {
            "fr": "Un de vos morceaux ne contient que des phrases du précédent : il n’apporte rien. Si la phrase "
            "suivante ne tient pas avec celles que vous répétez, répétez-en moins.",
            "en": "One of your chunks contains only sentences of the one before, and adds nothing. If the next "
            "sentence does not fit beside those that you repeat, repeat fewer.",
        },
    ),
    Misconception(
        "overlap_in_words",
        overlap_in_words,
        {
            "fr": "Vous répétez les derniers mots. Le recouvrement se compte ici en phrases entières.",
            "en": "You repeat the last words. Here the overlap is counted in whole sentences.",
        },
    ),
    Misconception(
        "long_sentences_cut",
        long_sentences_cut,
        {
            "fr": "Vous coupez les phrases plus longues que max_words. Laissez-les entières : elles font un morceau "
            "à elles seules.",
            "en": "You cut sentences longer than max_words. Leave them whole: each makes a chunk of its own.",
        },
    ),
    Misconception(
        "long_sentences_lost",
        long_sentences_lost,
        {
            "fr": "Les phrases plus longues que max_words ont disparu. Aucun mot ne doit se perdre : une telle phrase "
            "fait un morceau à elle seule.",
            "en": "Sentences longer than max_words have gone. No word may be lost: such a sentence makes a chunk of "
            "its own.",
        },
    ),
    Misconception(
        "empty_chunk",
        empty_chunk,
        {
            "fr": "Une phrase trop longue fait d’abord ranger un morceau vide. Ne rangez current que s’il contient une "
            "phrase.",
            "en": "A sentence that is too long first puts away an empty chunk. Put current away only if it holds a "
            "sentence.",
        },
    ),
    Misconception(
        "last_chunk_lost",
        lambda text, max_words=30, overlap_sentences=1: chunk_sentences(text, max_words, overlap_sentences)[:-1],
        {
            "fr": "Le dernier morceau manque : après la boucle, il reste des phrases à rendre.",
            "en": "The last chunk is missing: after the loop some sentences are still waiting.",
        },
    ),
    Misconception(
        "one_sentence_too_many",
        one_sentence_too_many,
        {
            "fr": "Vous ajoutez la phrase, puis regardez si le morceau est trop long : il l’est déjà. Regardez avant "
            "d’ajouter.",
            "en": "You add the sentence and then see whether the chunk is too long: it already is. Look before you "
            "add.",
        },
    ),
    Misconception(
        "strictly_fewer",
        lambda text, max_words=30, overlap_sentences=1: group(split_sentences(text), max_words - 1, overlap_sentences),
        {
            "fr": "Vos morceaux s’arrêtent à max_words − 1 mots. Un morceau d’exactement max_words mots est permis.",
            "en": "Your chunks stop at max_words - 1 words. A chunk of exactly max_words words is allowed.",
        },
    ),
)

SENTENCE_CHUNKS = Exercise(
    id="chunking.sentences",
    chapter="01_chunking",
    entry="chunk_sentences",
    title={"fr": "Regrouper des phrases entières", "en": "Group whole sentences"},
    points=2,
    importance=3,
    minutes=8,
    reference=chunk_sentences,
    examples=(
        Example(
            (FOUR, 6, 1),
            {
                "fr": "Chaque morceau commence par la dernière phrase du précédent.",
                "en": "Each chunk begins with the last sentence of the one before.",
            },
        ),
        Example(
            (FOUR, 6, 0),
            {
                "fr": "Sans recouvrement, aucune phrase n’est répétée.",
                "en": "Without overlap no sentence is repeated.",
            },
        ),
        Example(
            (FOUR, 6, 2),
            {
                "fr": "Deux phrases à répéter et la suivante feraient 8 mots : on n’en répète qu’une.",
                "en": "Two repeated sentences and the next one would make 8 words: only one is repeated.",
            },
        ),
        Example(
            ("Stop! Le fusible est de 5 A. La tension est de 12 V. Fin.", 7, 1),
            {
                "fr": "Répéter la phrase du fusible ne laisserait pas de place : on ne répète rien plutôt que de "
                "rendre un morceau sans rien de nouveau.",
                "en": "Repeating the sentence on the fuse would leave no room: nothing is repeated, rather than making "
                "a chunk with nothing new in it.",
            },
        ),
        Example(
            ("Stop! Le robot R2 dispose de deux moteurs à courant continu. Fin.", 5, 1),
            {
                "fr": "Une phrase plus longue que max_words reste entière, seule dans son morceau.",
                "en": "A sentence longer than max_words stays whole, alone in its chunk.",
            },
        ),
        Example(
            ("Stocker à 3,8 V par cellule. Pourquoi? Le lidar tourne à 5.5 Hz… Stop!", 6, 0),
            {
                "fr": "« 3,8 V » et « 5.5 Hz » ne contiennent aucune fin de phrase ; les points d’interrogation, "
                "d’exclamation et de suspension en sont.",
                "en": '"3,8 V" and "5.5 Hz" hold no end of a sentence; question marks, exclamation marks and ellipses '
                "are ends.",
            },
        ),
        Example(
            ("M. Roy ouvre le capot, cf. fig. 2 et art. 5. Il change le fusible.", 10, 0),
            {
                "fr": "Le point de « M. », « cf. », « fig. » et « art. » appartient au mot.",
                "en": 'The point of "M.", "cf.", "fig." and "art." belongs to the word.',
            },
        ),
        Example(
            ("Couper le courant.\nAttendre.  Ouvrir.", 4, 0),
            {
                "fr": "Un retour à la ligne ou deux espaces séparent aussi bien qu’une espace.",
                "en": "A line end or two spaces separate as well as one space does.",
            },
        ),
        Example(
            (f"{FOUR} {FOUR} {LIGHT} {FOUR} {LIGHT} Puis attendre une minute.",),
            {
                "fr": "Les valeurs par défaut : 30 mots, une phrase répétée.",
                "en": "The default values: 30 words, one sentence repeated.",
            },
        ),
        Example(("",), {"fr": "Un texte vide n’a pas de morceau.", "en": "An empty text has no chunk."}),
        Example(
            (FOUR, 0, 1),
            {"fr": "max_words doit valoir au moins 1 : ValueError.", "en": "max_words must be at least 1: ValueError."},
        ),
        Example(
            (FOUR, 6, -1),
            {
                "fr": "overlap_sentences ne peut pas être négatif : ValueError.",
                "en": "overlap_sentences must not be negative: ValueError.",
            },
        ),
    ),
    inputs=inputs,
    judge=judge_chunks,
    misconceptions=MISCONCEPTIONS,
    hints=(
        {
            "fr": "Gardez une liste current des phrases du morceau en cours. Avant d’ajouter une phrase, comptez : "
            "si elle ferait dépasser max_words, rendez d’abord le morceau.",
            "en": "Keep a list current of the sentences of the chunk being made. Before adding a sentence, count: if "
            "it would exceed max_words, put the chunk out first.",
        },
        {
            "fr": "Après avoir rendu un morceau, gardez-en les overlap_sentences dernières phrases : "
            "current[max(0, len(current) - overlap_sentences):]. Attention, current[-0:] est la liste entière.",
            "en": "After putting a chunk out, keep its last overlap_sentences sentences: "
            "current[max(0, len(current) - overlap_sentences):]. Beware, current[-0:] is the whole list.",
        },
        {
            "fr": "Puis, tant que current n’est pas vide et que current plus la phrase dépassent max_words : "
            "current = current[1:]. Ajoutez la phrase. Après la boucle, rendez le dernier morceau.",
            "en": "Then, as long as current is not empty and current plus the sentence exceed max_words: "
            "current = current[1:]. Add the sentence. After the loop, put out the last chunk.",
        },
    ),
)
