"""chunking.headings: one chunk per section, with the path of its titles."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

from ragteach.checking.compare import Difference, same
from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.retrieval.chunk_structure import chunk_headings

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

LINES = ("texte", "fin", "", "# A", "# B", "## C", "## D", "### E", "```", "#5 vis")


def inputs() -> SearchStrategy[tuple]:
    """Draw a small Markdown text line by line."""
    from hypothesis import strategies as st

    return st.tuples(st.lists(st.sampled_from(LINES), max_size=9).map("\n".join))


def trimmed(value: Any) -> Any:
    """Drop the white space at the ends of texts and of their lines."""
    if isinstance(value, list | tuple):
        return [trimmed(item) for item in value]
    if isinstance(value, dict) and isinstance(value.get("text"), str):
        return {**value, "text": "\n".join(line.rstrip() for line in value["text"].strip().splitlines())}
    return value


def judge(args: tuple, expected: Any, got: Any) -> Difference | None:
    """Compare sections; white space at the end of a line does not count."""
    return same(trimmed(expected), trimmed(got))


def sections(markdown, heading=r"(#{1,6})\s+(.*)", fences=True):
    """Cut as the statement says: (levels, titles, lines) of each section."""
    found, levels, titles, inside = [([], [], [])], [], [], False
    for line in markdown.splitlines():
        if fences and line.startswith("```"):
            inside = not inside
        match = None if inside else re.fullmatch(heading, line)
        if match:
            level = len(match[1])
            depth = sum(above < level for above in levels)
            levels, titles = [*levels[:depth], level], [*titles[:depth], match[2].strip()]
            found.append((levels, titles, []))
        else:
            found[-1][2].append(line)
    return found


def chunks_of(found):
    chunks = [{"path": titles, "text": "\n".join(lines).strip()} for _, titles, lines in found]
    return [chunk for chunk in chunks if chunk["path"] or chunk["text"]]


def levels_as_places(markdown):
    path, found = [], []
    for levels, titles, lines in sections(markdown):
        path = [*path[: levels[-1] - 1], titles[-1]] if levels else []
        found.append((levels, path, lines))
    return chunks_of(found)


def paths_never_shortened(markdown):
    path, found = [], []
    for levels, titles, lines in sections(markdown):
        path = [*path, *titles[-1:]]
        found.append((levels, path, lines))
    return chunks_of(found)


def same_level_left_open(markdown):
    open_levels, path, found = [], [], []
    for levels, titles, lines in sections(markdown):
        if levels:
            depth = sum(above <= levels[-1] for above in open_levels)
            open_levels, path = [*open_levels[:depth], levels[-1]], [*path[:depth], titles[-1]]
        found.append((levels, path, lines))
    return chunks_of(found)


def with_subsections(markdown):
    found, whole = sections(markdown), []
    for i, (levels, titles, lines) in enumerate(found):
        text = list(lines)
        for below in found[i + 1 :]:
            if not levels or below[0][-1] <= levels[-1]:
                break
            text += below[2]
        whole.append((levels, titles, text))
    return chunks_of(whole)


def heading_kept_in_text(markdown):
    found = []
    for levels, titles, lines in sections(markdown):
        head = [f"{'#' * levels[-1]} {titles[-1]}"] if levels else []
        found.append((levels, titles, [*head, *lines]))
    return chunks_of(found)


def marks_kept(markdown):
    return chunks_of(
        (levels, [f"{'#' * level} {title}" for level, title in zip(levels, titles, strict=True)], lines)
        for levels, titles, lines in sections(markdown)
    )


def change(make):
    """Make a misconception out of a change to each right chunk."""
    return lambda markdown: [make(chunk) for chunk in chunk_headings(markdown)]


MISCONCEPTIONS = (
    Misconception(
        "fences_ignored",
        lambda markdown: chunks_of(sections(markdown, fences=False)),
        {
            "fr": "Un # dans un bloc de code est pris pour un titre. Retenez si vous êtes entre deux lignes ```, et "
            "n’y cherchez pas de titre.",
            "en": "A # inside a block of code is taken for a heading. Remember whether you are between two ``` lines, "
            "and look for no heading there.",
        },
    ),
    Misconception(
        "no_space_needed",
        lambda markdown: chunks_of(sections(markdown, r"(#{1,6})\s*(.*)")),
        {
            "fr": "« #5 vis » n’est pas un titre : il faut une espace après les #.",
            "en": '"#5 vis" is no heading: a space must follow the #.',
        },
    ),
    Misconception(
        "levels_as_places",
        levels_as_places,
        {
            "fr": "Vous gardez les niveau − 1 premiers titres du chemin. C’est faux dès qu’un niveau manque, par "
            "exemple dans un document qui commence au niveau 2 : gardez les titres de niveau strictement inférieur.",
            "en": "You keep the first level - 1 titles of the path. That fails as soon as a level is missing, in a "
            "document that begins at ## for instance: keep the titles of a strictly smaller level.",
        },
    ),
    Misconception(
        "paths_never_shortened",
        paths_never_shortened,
        {
            "fr": "Le chemin s’allonge sans fin. Un titre ferme tous ceux de même niveau ou plus profonds avant de "
            "s’ajouter.",
            "en": "The path grows without end. A heading closes those of the same or a deeper level before it is "
            "added.",
        },
    ),
    Misconception(
        "same_level_left_open",
        same_level_left_open,
        {
            "fr": "Un titre ne ferme pas celui de même niveau : deux sections sœurs s’emboîtent. Dépilez tant que le "
            "niveau du dernier titre est supérieur ou égal (>=) au nouveau.",
            "en": "A heading does not close the one of its own level, so that two sister sections are nested. Pop as "
            "long as the last title's level is greater than or equal to (>=) the new one.",
        },
    ),
    Misconception(
        "last_title_only",
        change(lambda chunk: {**chunk, "path": chunk["path"][-1:]}),
        {
            "fr": "Le chemin ne contient que le dernier titre. Donnez tous les titres, du plus général au plus précis.",
            "en": "The path contains the last title only. Give all titles, from the most general to the most specific.",
        },
    ),
    Misconception(
        "path_as_text",
        change(lambda chunk: {**chunk, "path": " > ".join(chunk["path"])}),
        {
            "fr": "path est un texte. Rendez la liste des titres ; vous la joindrez plus tard.",
            "en": "path is a string. Return the list of titles; joining them comes later.",
        },
    ),
    Misconception(
        "empty_sections_lost",
        lambda markdown: [chunk for chunk in chunk_headings(markdown) if chunk["text"]],
        {
            "fr": "Une section sans texte disparaît, et son titre avec elle. Gardez-la, avec un texte vide.",
            "en": "A section without text is lost, and its title with it. Keep it, with an empty text.",
        },
    ),
    Misconception(
        "beginning_lost",
        lambda markdown: [chunk for chunk in chunk_headings(markdown) if chunk["path"]],
        {
            "fr": "Ce qui précède le premier titre est perdu. Rendez-le comme une section au chemin vide.",
            "en": "What stands before the first heading is lost. Return it as a section with an empty path.",
        },
    ),
    Misconception(
        "blank_beginning",
        lambda markdown: [{"path": t, "text": "\n".join(lines).strip()} for _, t, lines in sections(markdown)],
        {
            "fr": "Vous rendez une première section sans titre ni texte. S’il n’y a rien avant le premier titre, "
            "n’ajoutez rien.",
            "en": "You return a first section with neither title nor text. Where nothing stands before the first "
            "heading, add nothing.",
        },
    ),
    Misconception(
        "heading_kept_in_text",
        heading_kept_in_text,
        {
            "fr": "La ligne de titre est restée dans le texte. Elle est déjà dans path.",
            "en": "The heading's line is still in the text. It is in path already.",
        },
    ),
    Misconception(
        "marks_kept",
        marks_kept,
        {
            "fr": "Les titres ont gardé leurs #. Retirez-les, avec l’espace qui suit.",
            "en": "The titles have kept their #. Remove them, with the space that follows.",
        },
    ),
    Misconception(
        "with_subsections",
        with_subsections,
        {
            "fr": "Une section contient aussi le texte de ses sous-sections, qui est donc rendu deux fois. Elle "
            "s’arrête au titre suivant, quel que soit son niveau.",
            "en": "A section also holds the text of its subsections, which is returned twice. It ends at the next "
            "heading, of whatever level.",
        },
    ),
    Misconception(
        "texts_only",
        lambda markdown: [chunk["text"] for chunk in chunk_headings(markdown)],
        {
            "fr": 'Vous rendez les textes seuls. Rendez des dictionnaires à deux clés, "path" et "text".',
            "en": 'You return the texts alone. Return dictionaries with two keys, "path" and "text".',
        },
    ),
)

HEADINGS = Exercise(
    id="chunking.headings",
    chapter="01_chunking",
    entry="chunk_headings",
    title={"fr": "Un morceau par section", "en": "One chunk per section"},
    points=2,
    importance=3,
    minutes=8,
    reference=chunk_headings,
    examples=(
        Example(
            ("# Robot\nR2\n## Lidar\n5,5 Hz\n## Moteurs\n3 A",),
            {
                "fr": "Deux sous-sections : la seconde remplace la première dans le chemin.",
                "en": "Two subsections: the second replaces the first in the path.",
            },
        ),
        Example(
            ("Avant tout titre.\n\n# Robot\nligne 1\n\nligne 2",),
            {
                "fr": "Ce qui précède le premier titre a un chemin vide ; un texte garde ses lignes.",
                "en": "What precedes the first heading has an empty path; a text keeps its lines.",
            },
        ),
        Example(
            ("# Robot\n## Moteurs\n### PWM\n20 kHz\n# Chargeur\n15 V",),
            {
                "fr": "Une section sans texte est gardée ; un titre de niveau 1 referme tous les autres.",
                "en": "A section without text is kept; a level 1 heading closes all others.",
            },
        ),
        Example(
            ("## Moteurs\n3 A\n### PWM\n20 kHz\n## Lidar\n5,5 Hz",),
            {
                "fr": "Le document commence au niveau 2, comme bien des pages : les niveaux se comparent, ils ne se "
                "comptent pas.",
                "en": "The document begins at level 2, as many pages do: levels are compared, not counted.",
            },
        ),
        Example(
            ("# Essai\n```\n# un commentaire\nls\n```\nfin\n## Suite\nok",),
            {
                "fr": "Dans un bloc de code, # ouvre un commentaire, pas une section ; après lui, les titres "
                "reprennent.",
                "en": "Inside a block of code # opens a comment, not a section; after it, headings count again.",
            },
        ),
        Example(
            ("# Vis\n#5 vis\n#\tprix",),
            {
                "fr": "« #5 » n’est pas un titre ; # suivi d’une tabulation en est un.",
                "en": '"#5" is no heading; # followed by a tab is one.',
            },
        ),
        Example(
            ("###### Note\nfin\n####### sept",),
            {"fr": "Six # au plus font un titre.", "en": "Six # at most make a heading."},
        ),
        Example(
            ("pas de titre",),
            {"fr": "Sans titre : un seul morceau, au chemin vide.", "en": "No heading: one chunk with an empty path."},
        ),
        Example(("\n \n",), {"fr": "Un texte blanc : aucun morceau.", "en": "A blank text: no chunk."}),
    ),
    inputs=inputs,
    judge=judge,
    misconceptions=MISCONCEPTIONS,
    hints=(
        {
            "fr": "Parcourez les lignes avec splitlines() en gardant trois choses : le chemin en cours avec ses "
            "niveaux, les lignes de la section, et si vous êtes dans un bloc de code.",
            "en": "Go through the lines with splitlines() and keep three things: the current path with its levels, the "
            "section's lines, and whether you are inside a block of code.",
        },
        {
            "fr": 're.fullmatch(r"(#{1,6})\\s+(.*)", line) reconnaît un titre : len(m[1]) est son niveau, m[2] son '
            "texte. Une ligne qui commence par ``` ouvre ou ferme un bloc.",
            "en": 're.fullmatch(r"(#{1,6})\\s+(.*)", line) recognises a heading: len(m[1]) is its level, m[2] its '
            "text. A line that begins with ``` opens or closes a block.",
        },
        {
            "fr": "Tenez une pile de couples (niveau, titre). À chaque titre, dépilez tant que pile[-1][0] >= niveau, "
            "puis empilez le nouveau. Le chemin de la section est alors [titre for _, titre in pile].",
            "en": "Keep a stack of pairs (level, title). At each heading pop as long as stack[-1][0] >= level, then "
            "push the new one. The section's path is then [title for _, title in stack].",
        },
    ),
)
