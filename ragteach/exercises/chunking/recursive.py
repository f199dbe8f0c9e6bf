"""chunking.recursive: coarse separators first."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.chunking.inputs import judge_chunks
from ragteach.retrieval.chunking import chunk_recursive, chunk_words

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

SEPARATORS = ("\n\n", "\n", ". ", " ")


def inputs() -> SearchStrategy[tuple]:
    """Draw a text with separators of every kind, a size, and in a quarter of the cases other separators."""
    from hypothesis import strategies as st

    ends = st.sampled_from([" ", " ", " ", ". ", "\n", "\n\n"])
    text = st.lists(ends, max_size=14).map(lambda drawn: "".join(f"{i}{end}" for i, end in enumerate(drawn, 1)))
    usual = st.tuples(text, st.integers(1, 6))
    others = st.tuples(text, st.integers(1, 6), st.sampled_from([["\n\n", " "], ["\n"], [". ", " "]]))
    return st.one_of(usual, usual, usual, others)


def n_words(text: str) -> int:
    return len(text.split())


def after(text: str, separator: str) -> list[str]:
    *pieces, last = text.split(separator)
    return [piece + separator for piece in pieces] + [last]


def merge(pieces, max_words):
    """Merge neighbours as long as they fit together; a piece that is too long stays alone."""
    groups, current = [], ""
    for piece in pieces:
        if n_words(current + piece) > max_words:
            groups.append(current)
            current = ""
        current += piece
    return [group for group in [*groups, current] if group.strip()]


def coarsest_only(text, max_words, separators=SEPARATORS):
    if n_words(text) <= max_words:
        return [text] if text.strip() else []
    return merge(after(text, separators[0]), max_words)


def never_merged(text, max_words, separators=SEPARATORS):
    if n_words(text) <= max_words:
        return [text] if text.strip() else []
    if not separators:
        return chunk_words(text, max_words, 0)
    return [chunk for piece in after(text, separators[0]) for chunk in never_merged(piece, max_words, separators[1:])]


def merged_across(text, max_words, separators=SEPARATORS):
    return merge([f"{piece} " for piece in never_merged(text, max_words, separators)], max_words)


def separators_lost(text, max_words, separators=SEPARATORS):
    if n_words(text) <= max_words:
        return [text] if text.strip() else []
    if not separators:
        return chunk_words(text, max_words, 0)
    separator, *finer = separators
    chunks, current = [], None
    for piece in text.split(separator):
        joined = piece if current is None else current + separator + piece
        if current is not None and n_words(joined) > max_words:
            chunks += separators_lost(current, max_words, finer)
            joined = piece
        current = joined
    return chunks + separators_lost(current, max_words, finer)


def spaces_for_separators(text, max_words, separators=SEPARATORS):
    if n_words(text) <= max_words:
        return [text] if text.strip() else []
    if not separators:
        return chunk_words(text, max_words, 0)
    groups = merge([f" {piece}" for piece in text.split(separators[0])], max_words)
    return [chunk for group in groups for chunk in spaces_for_separators(group.strip(), max_words, separators[1:])]


def too_long_in_the_end(text, max_words, separators=SEPARATORS):
    if n_words(text) <= max_words or not separators:
        return [text] if text.strip() else []
    groups = merge(after(text, separators[0]), max_words)
    return [chunk for group in groups for chunk in too_long_in_the_end(group, max_words, separators[1:])]


def long_pieces_merged(text, max_words, separators=SEPARATORS):
    """Let a part that was cut finer go on merging with what follows it."""
    if n_words(text) <= max_words:
        return [text] if text.strip() else []
    if not separators:
        return chunk_words(text, max_words, 0)
    chunks, current = [], ""
    for piece in after(text, separators[0]):
        if n_words(current + piece) > max_words:
            *done, current = long_pieces_merged(current, max_words, separators[1:]) or [""]
            chunks += done
            if n_words(current) + n_words(piece) > max_words:
                chunks.append(current)
                current = ""
            else:
                current += " "
        current += piece
    return [chunk for chunk in chunks + long_pieces_merged(current, max_words, separators[1:]) if chunk.strip()]


def one_piece_too_many(text, max_words, separators=SEPARATORS):
    if n_words(text) <= max_words:
        return [text] if text.strip() else []
    if not separators:
        return chunk_words(text, max_words, 0)
    groups, current = [], ""
    for piece in after(text, separators[0]):
        current += piece
        if n_words(current) >= max_words:
            groups.append(current)
            current = ""
    return [chunk for group in [*groups, current] for chunk in one_piece_too_many(group, max_words, separators[1:])]


MISCONCEPTIONS = (
    Misconception(
        "words_only",
        lambda text, max_words, separators=SEPARATORS: chunk_words(text, max_words, 0),
        {
            "fr": "Vous coupez tous les max_words mots, sans regarder les séparateurs. Essayez d’abord le plus gros, "
            "et ne descendez que dans les parties trop longues.",
            "en": "You cut every max_words words without looking at the separators. Try the coarsest first, and go "
            "finer only inside parts that are too long.",
        },
    ),
    Misconception(
        "coarsest_only",
        coarsest_only,
        {
            "fr": "Vous n’utilisez que le premier séparateur : certains morceaux restent trop longs. Rappelez la "
            "fonction sur eux, avec separators[1:].",
            "en": "You use the first separator only, and some chunks stay too long. Call the function again on those, "
            "with separators[1:].",
        },
    ),
    Misconception(
        "never_merged",
        never_merged,
        {
            "fr": "Vous coupez sans jamais regrouper : les morceaux sont minuscules. Réunissez les voisins tant qu’ils "
            "tiennent ensemble dans max_words.",
            "en": "You cut and never merge, so the chunks are tiny. Put neighbours together as long as they fit into "
            "max_words.",
        },
    ),
    Misconception(
        "merged_across",
        merged_across,
        {
            "fr": "Vous coupez tout très fin, puis vous regroupez par-dessus les frontières : un bout de paragraphe se "
            "retrouve avec le paragraphe voisin. Regroupez à chaque niveau, avant de descendre.",
            "en": "You cut everything fine and then merge across boundaries: the end of one paragraph lands in a chunk "
            "with the next. Merge at each level, before going down.",
        },
    ),
    Misconception(
        "long_pieces_merged",
        long_pieces_merged,
        {
            "fr": "La fin d’une partie découpée plus finement est réunie avec la partie suivante. Une partie trop "
            "longue se découpe seule ; le regroupement repart de zéro après elle.",
            "en": "The end of a part that was cut finer is merged with the part after it. A part that is too long is "
            "cut by itself; merging starts afresh after it.",
        },
    ),
    Misconception(
        "separators_lost",
        separators_lost,
        {
            "fr": "Le séparateur disparaît au bord des morceaux : une phrase y perd son point. Gardez-le à la fin de "
            "la pièce qui le précède.",
            "en": "The separator is lost at the edges of chunks: a sentence loses its full stop there. Keep it at the "
            "end of the piece before it.",
        },
    ),
    Misconception(
        "spaces_for_separators",
        spaces_for_separators,
        {
            "fr": "text.split(separator) ôte le séparateur, et vous ne le remettez nulle part : les phrases perdent "
            "leur point. Ajoutez-le à la fin de chaque pièce, sauf la dernière.",
            "en": "text.split(separator) removes the separator and you put it back nowhere, so sentences lose their "
            "full stop. Add it to the end of every piece but the last.",
        },
    ),
    Misconception(
        "too_long_in_the_end",
        too_long_in_the_end,
        {
            "fr": "Quand il ne reste plus de séparateur, vous rendez un morceau trop long. Coupez-le alors tous les "
            "max_words mots.",
            "en": "Where no separator is left you return a chunk that is too long. Cut it every max_words words then.",
        },
    ),
    Misconception(
        "finest_first",
        lambda text, max_words, separators=SEPARATORS: chunk_recursive(text, max_words, list(separators)[::-1]),
        {
            "fr": "Vous commencez par le séparateur le plus fin. Prenez-les dans l’ordre donné, du plus gros au plus "
            "fin.",
            "en": "You begin with the finest separator. Take them in the order given, coarsest first.",
        },
    ),
    Misconception(
        "separators_ignored",
        lambda text, max_words, separators=SEPARATORS: chunk_recursive(text, max_words),
        {
            "fr": "Vous utilisez toujours les séparateurs par défaut. Servez-vous de l’argument separators.",
            "en": "You always use the default separators. Use the argument separators.",
        },
    ),
    Misconception(
        "one_piece_too_many",
        one_piece_too_many,
        {
            "fr": "Vous ajoutez la pièce, puis regardez si le groupe est trop long : il l’est déjà, et il sera "
            "recoupé. Regardez avant d’ajouter.",
            "en": "You add the piece and then see whether the group is too long: it already is, and will be cut again. "
            "Look before you add.",
        },
    ),
    Misconception(
        "strictly_fewer",
        lambda text, max_words, separators=SEPARATORS: chunk_recursive(text, max(1, max_words - 1), separators),
        {
            "fr": "Vos morceaux s’arrêtent à max_words − 1 mots. Exactement max_words est permis.",
            "en": "Your chunks stop at max_words - 1 words. Exactly max_words is allowed.",
        },
    ),
    Misconception(
        "last_group_lost",
        lambda text, max_words, separators=SEPARATORS: chunk_recursive(text, max_words, separators)[:-1],
        {
            "fr": "Le dernier groupe manque : après la boucle, il faut encore le traiter.",
            "en": "The last group is missing: it still has to be dealt with after the loop.",
        },
    ),
)

RECURSIVE = Exercise(
    id="chunking.recursive",
    chapter="01_chunking",
    entry="chunk_recursive",
    title={"fr": "Découper du plus gros au plus fin", "en": "Cut from coarse to fine"},
    points=3,
    importance=3,
    minutes=12,
    reference=chunk_recursive,
    uses=("chunking.words",),
    examples=(
        Example(
            ("1 2.\n\n3 4.\n\n5 6.", 4),
            {
                "fr": "Deux paragraphes tiennent ensemble, le troisième non.",
                "en": "Two paragraphs fit together, the third does not.",
            },
        ),
        Example(
            ("1 2\n\n3 4\n5 6 7\n\n8", 4),
            {
                "fr": "Seul le paragraphe du milieu est trop long : lui seul se coupe aux lignes, et « 8 » ne rejoint "
                "pas sa fin.",
                "en": 'Only the middle paragraph is too long: it alone is cut at line ends, and "8" does not join its '
                "end.",
            },
        ),
        Example(
            ("1 2 3. 4 5. 6 7 8 9.", 5),
            {
                "fr": "Ni paragraphe ni ligne : on descend aux phrases, qui gardent leur point.",
                "en": "No paragraphs, no lines: go down to sentences, which keep their full stop.",
            },
        ),
        Example(
            ("1 2 3 4 5 6 7", 3),
            {
                "fr": "Une seule longue phrase : on descend jusqu’aux mots.",
                "en": "One long sentence: go down to the words.",
            },
        ),
        Example(
            ("1\n2\n\n3", 3),
            {"fr": "Tout tient : un seul morceau, sans rien couper.", "en": "All fits: one chunk, nothing is cut."},
        ),
        Example(
            ("1. 2 3\n4 5. 6 7 8. 9\n\n10. 11 12 13. 14\n15 16", 4),
            {
                "fr": "Les quatre niveaux à la fois, avec des regroupements à chacun.",
                "en": "All four levels at once, with merging at each of them.",
            },
        ),
        Example(
            ("1 2; 3 4; 5", 3, ["; "]),
            {
                "fr": "Un autre séparateur, qui reste lui aussi à la fin de sa pièce.",
                "en": "Another separator, which also stays at the end of its piece.",
            },
        ),
        Example(
            ("1 2\n3 4 5 6 7\n8", 3, ["\n"]),
            {
                "fr": "Plus de séparateur, et cinq mots : fenêtres de trois mots, sans recouvrement.",
                "en": "No separator is left, and five words: windows of three words, without overlap.",
            },
        ),
        Example(("\n \n\n", 3), {"fr": "Un texte blanc : aucun morceau.", "en": "A blank text: no chunk."}),
        Example(
            ("1 2", 0),
            {"fr": "max_words doit valoir au moins 1 : ValueError.", "en": "max_words must be at least 1: ValueError."},
        ),
        Example(
            ("1 2 3", 2, "\n "),
            {
                "fr": "separators est une chaîne : elle serait lue caractère par caractère. ValueError.",
                "en": "separators is a string: it would be read character by character. ValueError.",
            },
        ),
    ),
    inputs=inputs,
    judge=judge_chunks,
    misconceptions=MISCONCEPTIONS,
    hints=(
        {
            "fr": "La fonction s’appelle elle-même. Deux cas l’arrêtent : le texte tient déjà dans max_words "
            "(rendez-le seul, ou rien s’il est blanc), ou il n’y a plus de séparateur (fenêtres de mots).",
            "en": "The function calls itself. Two cases stop it: the text fits into max_words already (return it "
            "alone, or nothing if it is blank), or no separator is left (windows of words).",
        },
        {
            "fr": "Sinon, coupez au premier séparateur en le gardant à la fin de chaque pièce, et parcourez les pièces "
            'avec un groupe current. Si current + pièce dépasse max_words, traitez current, puis repartez de "".',
            "en": "Otherwise split at the first separator, keeping it at the end of each piece, and go through the "
            'pieces with a group current. If current + piece exceeds max_words, deal with current, then start from "".',
        },
        {
            "fr": "Traiter current, c’est chunks += chunk_recursive(current, max_words, separators[1:]) : un groupe "
            "qui tient revient tel quel, une pièce trop longue est découpée plus finement. N’oubliez pas le dernier "
            "groupe après la boucle.",
            "en": "To deal with current is chunks += chunk_recursive(current, max_words, separators[1:]): a group that "
            "fits comes back as it is, a piece that is too long is cut finer. Do not forget the last group after the "
            "loop.",
        },
    ),
)
