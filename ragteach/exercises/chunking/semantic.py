"""chunking.semantic: where the subject changes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.retrieval.chunk_structure import split_at_dips

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy


def inputs() -> SearchStrategy[tuple]:
    """Draw similarities with many ties, and a threshold that some of them equal."""
    from hypothesis import strategies as st

    tenths = st.sampled_from([0.1, 0.2, 0.3, 0.5, 0.6, 0.8])
    several = st.lists(tenths, min_size=3, max_size=7)  # both ends matter, and what lies between them
    return st.tuples(st.lists(tenths, max_size=7) | several, st.sampled_from([0.3, 0.5, 0.9]))


def dips(similarities, threshold, below=lambda value, limit: value < limit, low=lambda a, b: a <= b, end=True):
    """Find dips as the statement says, but for what is passed."""
    last = len(similarities) - 1
    found = []
    for i, value in enumerate(similarities):
        before = end if i == 0 else low(value, similarities[i - 1])
        after = end if i == last else low(value, similarities[i + 1])
        if below(value, threshold) and before and after:
            found.append(i)
    return found


def first_of_equals(similarities, threshold):
    found = split_at_dips(similarities, threshold)
    return [i for i in found if i == 0 or similarities[i - 1] != similarities[i]]


def last_of_equals(similarities, threshold):
    found = split_at_dips(similarities, threshold)
    return [i for i in found if i == len(similarities) - 1 or similarities[i + 1] != similarities[i]]


def lowest_only(similarities, threshold):
    low = [value for value in similarities if value < threshold]
    return [i for i, value in enumerate(similarities) if low and value == min(low)]


def left_neighbour_only(similarities, threshold):
    return [i for i, value in enumerate(similarities) if value < threshold and (i == 0 or value <= similarities[i - 1])]


def wraps_around(similarities, threshold):
    n = len(similarities)
    return [
        i
        for i, value in enumerate(similarities)
        if value < threshold and value <= similarities[i - 1] and value <= similarities[(i + 1) % n]
    ]


SEMANTIC = Exercise(
    id="chunking.semantic",
    chapter="01_chunking",
    entry="split_at_dips",
    title={"fr": "Couper aux creux de similarité", "en": "Cut at dips in similarity"},
    points=2,
    importance=2,
    minutes=6,
    reference=split_at_dips,
    examples=(
        Example(
            ([0.8, 0.2, 0.7, 0.3, 0.9], 0.5),
            {
                "fr": "Deux creux sous le seuil : une frontière après les phrases 1 et 3.",
                "en": "Two dips below the threshold: a boundary after sentences 1 and 3.",
            },
        ),
        Example(
            ([0.4, 0.3, 0.2, 0.3], 0.5),
            {
                "fr": "Tout est sous le seuil, mais il n’y a qu’un creux : le sujet ne change qu’une fois.",
                "en": "All lie below the threshold, but there is only one dip: the subject changes once.",
            },
        ),
        Example(
            ([0.9, 0.6, 0.8, 0.1, 0.7], 0.5),
            {
                "fr": "0,6 est un creux, mais au-dessus du seuil : les phrases se ressemblent encore.",
                "en": "0.6 is a dip, but above the threshold: the sentences are still alike.",
            },
        ),
        Example(
            ([0.9, 0.5, 0.8], 0.5),
            {"fr": "Au seuil exactement : ce n’est pas en dessous.", "en": "Exactly at the threshold is not below it."},
        ),
        Example(
            ([0.1, 0.9, 0.2], 0.5),
            {
                "fr": "Aux deux bouts, on n’a qu’un voisin.",
                "en": "At either end there is one neighbour only.",
            },
        ),
        Example(
            ([0.9, 0.2, 0.2, 0.8], 0.5),
            {
                "fr": "Deux valeurs égales : deux frontières. La phrase du milieu ne ressemble ni à l’avant ni à "
                "l’après.",
                "en": "Two equal values: two boundaries. The sentence between them resembles neither side.",
            },
        ),
        Example(
            ([0.1, 0.2, 0.3, 0.4], 0.5),
            {"fr": "Une pente : seul son pied est un creux.", "en": "A slope: only its foot is a dip."},
        ),
        Example(
            ([0.3, 0.2, 0.4, 0.1, 0.6], 0.5),
            {"fr": "Un creux moins profond qu’un autre compte aussi.", "en": "A shallower dip counts as well."},
        ),
        Example(([0.2], 0.5), {"fr": "Deux phrases, sans rapport.", "en": "Two sentences that are unrelated."}),
        Example(([0.9], 0.5), {"fr": "Deux phrases qui se suivent bien.", "en": "Two sentences that go together."}),
        Example(([], 0.5), {"fr": "Une seule phrase : rien à couper.", "en": "One sentence: nothing to cut."}),
    ),
    inputs=inputs,
    misconceptions=(
        Misconception(
            "threshold_only",
            lambda similarities, threshold: [i for i, value in enumerate(similarities) if value < threshold],
            {
                "fr": "Vous coupez partout où la similarité est sous le seuil. Il faut aussi que ce soit un creux : "
                "pas plus grande que ses voisines.",
                "en": "You cut wherever similarity is below the threshold. It must also be a dip: not larger than its "
                "neighbours.",
            },
        ),
        Misconception(
            "minima_only",
            lambda similarities, threshold: split_at_dips(similarities, 1e9),
            {
                "fr": "Vous coupez à chaque creux, même peu profond. Il doit aussi être sous le seuil.",
                "en": "You cut at every dip, however shallow. It must also lie below the threshold.",
            },
        ),
        Misconception(
            "at_the_threshold",
            lambda similarities, threshold: dips(similarities, threshold, below=lambda value, limit: value <= limit),
            {
                "fr": "Une similarité égale au seuil n’est pas en dessous : comparez avec <.",
                "en": "A similarity equal to the threshold is not below it: compare with <.",
            },
        ),
        Misconception(
            "strictly_lower",
            lambda similarities, threshold: dips(similarities, threshold, low=lambda a, b: a < b),
            {
                "fr": "Vous exigez d’être strictement sous les voisines : deux valeurs égales s’annulent, et une "
                "frontière se perd. Comparez avec <=.",
                "en": "You require strictly less than the neighbours: two equal values cancel out and a boundary is "
                "lost. Compare with <=.",
            },
        ),
        Misconception(
            "first_of_equals",
            first_of_equals,
            {
                "fr": "De deux valeurs égales vous ne gardez que la première. Les deux sont des frontières : comparez "
                "avec <= des deux côtés.",
                "en": "Of two equal values you keep the first only. Both are boundaries: compare with <= on both "
                "sides.",
            },
        ),
        Misconception(
            "last_of_equals",
            last_of_equals,
            {
                "fr": "De deux valeurs égales vous ne gardez que la dernière. Les deux sont des frontières : comparez "
                "avec <= des deux côtés.",
                "en": "Of two equal values you keep the last only. Both are boundaries: compare with <= on both sides.",
            },
        ),
        Misconception(
            "ends_ignored",
            lambda similarities, threshold: dips(similarities, threshold, end=False),
            {
                "fr": "Vous ignorez la première et la dernière similarité. Elles n’ont qu’une voisine, mais peuvent "
                "être des creux.",
                "en": "You ignore the first and the last similarity. They have one neighbour only, but can be dips.",
            },
        ),
        Misconception(
            "wraps_around",
            wraps_around,
            {
                "fr": "similarities[-1] est la dernière valeur : la première est comparée à la fin du texte. Traitez "
                "les bouts à part.",
                "en": "similarities[-1] is the last value: the first is compared with the end of the text. Treat the "
                "ends apart.",
            },
        ),
        Misconception(
            "left_neighbour_only",
            left_neighbour_only,
            {
                "fr": "Vous ne regardez que la voisine de gauche : toute la descente est coupée. Regardez aussi celle "
                "de droite.",
                "en": "You look at the left neighbour only, and cut all the way down. Look at the right one too.",
            },
        ),
        Misconception(
            "lowest_only",
            lowest_only,
            {
                "fr": "Vous ne gardez que le creux le plus profond. Tous ceux qui sont sous le seuil comptent.",
                "en": "You keep the deepest dip only. All those below the threshold count.",
            },
        ),
        Misconception(
            "numbered_from_1",
            lambda similarities, threshold: [i + 1 for i in split_at_dips(similarities, threshold)],
            {
                "fr": "Vous donnez le numéro de la phrase qui suit la frontière. Donnez celui de la phrase d’avant : "
                "l’indice i de la similarité.",
                "en": "You give the number of the sentence after the boundary. Give that of the sentence before it: "
                "the index i of the similarity.",
            },
        ),
        Misconception(
            "values",
            lambda similarities, threshold: [similarities[i] for i in split_at_dips(similarities, threshold)],
            {
                "fr": "Vous rendez les similarités. Rendez leurs numéros.",
                "en": "You return the similarities. Return their numbers.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Parcourez les similarités avec enumerate. Trois conditions : sous le seuil, pas plus grande que la "
            "précédente, pas plus grande que la suivante.",
            "en": "Go through the similarities with enumerate. Three conditions: below the threshold, not larger than "
            "the one before, not larger than the one after.",
        },
        {
            "fr": "Les voisines qui existent : similarities[max(0, i - 1):i] + similarities[i + 1:i + 2] ; une "
            "tranche hors de la liste est vide. Puis all(value <= voisine for voisine in …).",
            "en": "The neighbours that exist: similarities[max(0, i - 1):i] + similarities[i + 1:i + 2]; a slice "
            "outside the list is empty. Then all(value <= neighbour for neighbour in …).",
        },
    ),
)
