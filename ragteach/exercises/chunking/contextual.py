"""chunking.contextual: say where a chunk stands."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.retrieval.chunk_structure import contextualize

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

FUSE = "Un fusible de 5 A."


def inputs() -> SearchStrategy[tuple]:
    """Draw a chunk, a title and a path; often the chunk has its prefix already, at its beginning or further down."""
    from hypothesis import strategies as st

    titles = st.sampled_from(["Manuel", "FAQ", "Moteurs", ""])
    plain = st.tuples(st.sampled_from([FUSE, "Manuel", "", "FAQ > Moteurs"]), titles, st.lists(titles, max_size=3))
    titled = plain.map(lambda args: (f"{args[1]} {args[0]}", *args[1:]))
    done = plain.map(lambda args: (contextualize(*args), *args[1:]))
    return st.one_of(plain, done, titled, done.map(lambda args: (f"{FUSE} {args[0]}", *args[1:])))


def places(title, path):
    return [place for place in (title, *path) if place]


def with_prefix(prefix, chunk):
    return chunk if chunk.startswith(prefix) else prefix + chunk


def twice(chunk, title, path):
    head = " > ".join(places(title, path))
    return f"{head}\n\n{chunk}" if head else chunk


def head_anywhere(chunk, title, path):
    head = " > ".join(places(title, path))
    return chunk if head in chunk else f"{head}\n\n{chunk}"


def title_at_the_start(chunk, title, path):
    return chunk if title and chunk.startswith(title) else twice(chunk, title, path)


def empty_places_kept(chunk, title, path):
    return with_prefix(" > ".join([title, *path]) + "\n\n", chunk) if title or any(path) else chunk


def blank_prefix(chunk, title, path):
    return with_prefix(" > ".join(places(title, path)) + "\n\n", chunk)


def other_form(between, after):
    def contextual(chunk, title, path):
        head = between.join(places(title, path))
        return with_prefix(head + after, chunk) if head else chunk

    return contextual


def at_the_end(chunk, title, path):
    head = " > ".join(places(title, path))
    return chunk if not head or chunk.endswith(f"\n\n{head}") else f"{chunk}\n\n{head}"


CONTEXTUAL = Exercise(
    id="chunking.contextual",
    chapter="01_chunking",
    entry="contextualize",
    title={"fr": "Dire d’où vient le morceau", "en": "Say where a chunk stands"},
    points=1,
    importance=2,
    minutes=4,
    reference=contextualize,
    examples=(
        Example(
            (FUSE, "Manuel", ["Énergie", "Protection"]),
            {
                "fr": "Le titre du document, puis les titres des sections, puis une ligne vide.",
                "en": "The document's title, then the titles of its sections, then a blank line.",
            },
        ),
        Example(
            (f"Manuel > Énergie\n\n{FUSE}", "Manuel", ["Énergie"]),
            {
                "fr": "Le préfixe y est déjà : le morceau revient inchangé.",
                "en": "The prefix is there already: the chunk comes back unchanged.",
            },
        ),
        Example(
            ("Manuel à lire d’abord.", "Manuel", []),
            {
                "fr": "Commencer par le même mot que le titre ne suffit pas : ce n’est pas le préfixe.",
                "en": "Beginning with the title's word is not enough: that is not the prefix.",
            },
        ),
        Example(
            ("Voir Manuel > Énergie.", "Manuel", ["Énergie"]),
            {
                "fr": "Le chemin cité au milieu du texte n’est pas un préfixe non plus.",
                "en": "The path quoted inside the text is no prefix either.",
            },
        ),
        Example((FUSE, "Manuel", []), {"fr": "Un titre sans section.", "en": "A title and no section."}),
        Example(
            (FUSE, "", ["Énergie"]),
            {
                "fr": "Sans titre, le chemin suffit : pas de « > » en tête.",
                "en": 'Without a title the path is enough: no ">" in front.',
            },
        ),
        Example(
            (FUSE, "Manuel", ["", "Énergie"]),
            {"fr": "Un titre de section vide se saute.", "en": "An empty section title is skipped."},
        ),
        Example(
            (FUSE, "", []),
            {
                "fr": "Ni titre ni section : pas de préfixe du tout, pas même une ligne vide.",
                "en": "Neither title nor section: no prefix at all, not even a blank line.",
            },
        ),
        Example(
            ("", "Manuel", ["Énergie"]),
            {
                "fr": "Un morceau vide reçoit son préfixe comme les autres.",
                "en": "An empty chunk gets its prefix like any other.",
            },
        ),
        Example(
            (FUSE, "Manuel", "Énergie"),
            {
                "fr": "path est une chaîne au lieu d’une liste : « É > n > e… ». Levez une ValueError.",
                "en": 'path is a string instead of a list: "É > n > e…". Raise a ValueError.',
            },
        ),
    ),
    inputs=inputs,
    misconceptions=(
        Misconception(
            "twice",
            twice,
            {
                "fr": "Un morceau déjà préfixé l’est une seconde fois. Testez d’abord chunk.startswith(prefix).",
                "en": "A chunk that has its prefix gets a second one. Test chunk.startswith(prefix) first.",
            },
        ),
        Misconception(
            "head_anywhere",
            head_anywhere,
            {
                "fr": "Vous cherchez le chemin n’importe où dans le morceau : un texte qui le cite n’est plus préfixé. "
                "Comparez le début seulement, ligne vide comprise : startswith.",
                "en": "You look for the path anywhere in the chunk, so a text that quotes it gets no prefix. Compare "
                "the beginning only, blank line included: startswith.",
            },
        ),
        Misconception(
            "title_at_the_start",
            title_at_the_start,
            {
                "fr": "Vous ne regardez que le titre : un morceau qui commence par ce mot n’est plus préfixé. Comparez "
                "avec le préfixe entier, ligne vide comprise.",
                "en": "You look at the title only, so a chunk that begins with that word gets no prefix. Compare with "
                "the whole prefix, blank line included.",
            },
        ),
        Misconception(
            "title_only",
            lambda chunk, title, path: contextualize(chunk, title, []),
            {
                "fr": "Le chemin des sections manque : joignez le titre et tous les titres de path.",
                "en": "The path of sections is missing: join the title and all the titles of path.",
            },
        ),
        Misconception(
            "path_only",
            lambda chunk, title, path: contextualize(chunk, "", path),
            {
                "fr": "Le titre du document manque en tête du chemin.",
                "en": "The document's title is missing at the head of the path.",
            },
        ),
        Misconception(
            "last_section_only",
            lambda chunk, title, path: contextualize(chunk, title, path[-1:]),
            {
                "fr": "Vous ne gardez que la dernière section. Donnez tout le chemin.",
                "en": "You keep the last section only. Give the whole path.",
            },
        ),
        Misconception(
            "no_blank_line",
            other_form(" > ", "\n"),
            {
                "fr": "Il manque une ligne vide entre le chemin et le texte : deux retours à la ligne.",
                "en": "A blank line is missing between the path and the text: two line ends.",
            },
        ),
        Misconception(
            "other_separator",
            other_form(" / ", "\n\n"),
            {
                "fr": "Le séparateur demandé est « > », avec une espace de chaque côté.",
                "en": 'The separator asked for is ">" with a space on either side.',
            },
        ),
        Misconception(
            "empty_places_kept",
            empty_places_kept,
            {
                "fr": "Un titre vide laisse un « > » orphelin. Ne joignez que les titres non vides.",
                "en": 'An empty title leaves a stray ">". Join only the titles that are not empty.',
            },
        ),
        Misconception(
            "blank_prefix",
            blank_prefix,
            {
                "fr": "Sans titre ni section, vous ajoutez quand même une ligne vide. Rendez alors le morceau tel "
                "quel.",
                "en": "With neither title nor section you still add a blank line. Return the chunk as it is then.",
            },
        ),
        Misconception(
            "at_the_end",
            at_the_end,
            {
                "fr": "Le chemin est après le texte. Mettez-le devant.",
                "en": "The path stands after the text. Put it in front.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Faites d’abord la liste des titres non vides : le titre du document, puis ceux de path. Joignez-les "
            'avec " > ".',
            "en": "First make the list of titles that are not empty: the document's, then those of path. Join them "
            'with " > ".',
        },
        {
            "fr": 'prefix = " > ".join(places) + "\\n\\n" si places n’est pas vide, "" sinon. Rendez chunk si '
            "chunk.startswith(prefix), prefix + chunk sinon. Avant tout, refusez un path qui est un str.",
            "en": 'prefix = " > ".join(places) + "\\n\\n" if places is not empty, "" otherwise. Return chunk if '
            "chunk.startswith(prefix), else prefix + chunk. Before all that, reject a path that is a str.",
        },
    ),
)
