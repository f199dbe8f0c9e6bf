"""fusion.concept_score: a stand-in for a cross-encoder, which reads question and passage together."""

from __future__ import annotations

from itertools import permutations, product
from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.retrieval.fusion import concept_score
from ragteach.retrieval.text import tokenize

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

SYNONYMS = {"chauffe": "température", "surchauffe": "température", "ralentit": "réduit"}
STOP_WORDS = ["le", "la", "il", "en", "quand", "de"]
HEAT = {"hot": "temperature", "overheats": "temperature", "overheating": "temperature"}
ENGLISH_STOP_WORDS = ["the", "is", "of", "or"]
WORDS = ("robot", "chauffe", "surchauffe", "température", "le", "La", "l’eau,", "réduit", "ralentit !", "robots")
# Two short texts, of words of which one is within another, or in other letters, or stands for the same concept.
ALIKE = [
    (" ".join(query), " ".join(chunk))
    for words in (
        ("robot", "robots", "La"),
        ("chauffe", "surchauffe", "température"),
        ("eau", "l’eau,", "eaux"),
        ("chauffe", "La", "température"),
    )
    for query, chunk in product([words[:1], *permutations(words, 2), words[1:2], words[2:]], repeat=2)
    if query != chunk
]


def inputs() -> SearchStrategy[tuple]:
    """Draw two short texts, with or without synonyms and stop words."""
    from hypothesis import strategies as st

    text = st.lists(st.sampled_from(WORDS), max_size=5).map(" ".join)
    synonyms = st.sampled_from([SYNONYMS, {}])
    usual = st.tuples(text, text, synonyms, st.sampled_from([STOP_WORDS, ["Le", "température"], []]))
    alike = st.tuples(st.sampled_from(ALIKE), synonyms).map(lambda drawn: (*drawn[0], drawn[1], ["La", "température"]))
    return st.one_of(usual, alike, alike, alike)


def concepts(text, synonyms):
    return {synonyms.get(token, token) for token in tokenize(text)}


def stop_tokens(stopwords):
    return {token for word in stopwords for token in tokenize(word)}


def query_only(query, chunk, synonyms, stopwords):
    return len((concepts(query, synonyms) & set(tokenize(chunk))) - stop_tokens(stopwords))


def chunk_only(query, chunk, synonyms, stopwords):
    return len((set(tokenize(query)) & concepts(chunk, synonyms)) - stop_tokens(stopwords))


def stop_first(query, chunk, synonyms, stopwords):
    asked, found = (
        {synonyms.get(token, token) for token in tokenize(text) if token not in stop_tokens(stopwords)}
        for text in (query, chunk)
    )
    return len(asked & found)


def raw_stop_list_first(query, chunk, synonyms, stopwords):
    asked, found = (
        {synonyms.get(token, token) for token in tokenize(text) if token not in stopwords} for text in (query, chunk)
    )
    return len(asked & found)


def raw_stop_list(query, chunk, synonyms, stopwords):
    return len((concepts(query, synonyms) & concepts(chunk, synonyms)) - set(stopwords))


def split_at_spaces(query, chunk, synonyms, stopwords):
    asked, found = ({synonyms.get(word, word) for word in text.lower().split()} for text in (query, chunk))
    return len((asked & found) - {word.lower() for word in stopwords})


def repeated(first, second):
    """Count the tokens of one text whose concept the other holds, each time that they stand there."""

    def function(query, chunk, synonyms, stopwords):
        one, other = first(query, chunk), second(query, chunk)
        wanted = concepts(other, synonyms) - stop_tokens(stopwords)
        return sum(synonyms.get(token, token) in wanted for token in tokenize(one))

    return function


def shared(query, chunk, synonyms, stopwords):
    return (concepts(query, synonyms) & concepts(chunk, synonyms)) - stop_tokens(stopwords)


def share(query, chunk, synonyms, stopwords):
    asked = concepts(query, synonyms) - stop_tokens(stopwords)
    return len(shared(query, chunk, synonyms, stopwords)) / len(asked) if asked else 0


def all_concepts(query, chunk, synonyms, stopwords):
    return len((concepts(query, synonyms) | concepts(chunk, synonyms)) - stop_tokens(stopwords))


def inside_words(query, chunk, synonyms, stopwords):
    text = " ".join(synonyms.get(token, token) for token in tokenize(chunk))
    return sum(concept in text for concept in concepts(query, synonyms) - stop_tokens(stopwords))


MISCONCEPTIONS = (
    Misconception(
        "no_synonyms",
        lambda query, chunk, synonyms, stopwords: concept_score(query, chunk, {}, stopwords),
        {
            "fr": "La table des synonymes ne sert pas : « chauffe » et « surchauffe » doivent devenir le même concept. "
            "Remplacez chaque token par synonyms.get(token, token).",
            "en": 'The table of synonyms is not used: "chauffe" and "surchauffe" must become one concept. Replace '
            "each token by synonyms.get(token, token).",
        },
    ),
    Misconception(
        "synonyms_of_query_only",
        query_only,
        {
            "fr": "Vous remplacez les synonymes de la question seulement. Faites-le des deux côtés.",
            "en": "You replace synonyms in the question only. Do it on both sides.",
        },
    ),
    Misconception(
        "synonyms_of_chunk_only",
        chunk_only,
        {
            "fr": "Vous remplacez les synonymes du morceau seulement. Faites-le des deux côtés.",
            "en": "You replace synonyms in the chunk only. Do it on both sides.",
        },
    ),
    Misconception(
        "stop_words_kept",
        lambda query, chunk, synonyms, stopwords: concept_score(query, chunk, synonyms, []),
        {
            "fr": "Les mots vides comptent encore. Retirez-les de l’intersection.",
            "en": "Stop words still count. Take them out of the intersection.",
        },
    ),
    Misconception(
        "split_at_spaces",
        split_at_spaces,
        {
            "fr": "Vous coupez aux espaces : la ponctuation et les articles élidés restent collés aux mots. Appelez "
            "tokenize.",
            "en": "You split at spaces, so punctuation and elided articles stay stuck to the words. Call tokenize.",
        },
    ),
    Misconception(
        "raw_stop_list",
        raw_stop_list,
        {
            "fr": "La liste de mots vides n’est pas passée par tokenize : « Le » n’y reconnaît pas « le ».",
            "en": 'The stop list did not go through tokenize: its "Le" does not match "le".',
        },
    ),
    Misconception(
        "stop_words_first",
        stop_first,
        {
            "fr": "Vous retirez les mots vides avant de remplacer les synonymes. L’énoncé fait l’inverse : concepts "
            "d’abord, mots vides ensuite.",
            "en": "You drop stop words before replacing synonyms. The statement does it the other way round: concepts "
            "first, stop words after.",
        },
    ),
    Misconception(
        "raw_stop_list_first",
        raw_stop_list_first,
        {
            "fr": "Deux choses à la fois. Vous retirez les mots vides avant de remplacer les synonymes : l’énoncé fait "
            "l’inverse. Et leur liste n’est pas passée par tokenize : « Le » n’y reconnaît pas « le ».",
            "en": "Two things at once. You drop stop words before replacing synonyms: the statement does it the other "
            'way round. And the stop list did not go through tokenize: its "Le" does not match "le".',
        },
    ),
    Misconception(
        "repeated_in_chunk",
        repeated(lambda query, chunk: chunk, lambda query, chunk: query),
        {
            "fr": "Vous comptez chaque répétition du morceau. Un concept compte une fois : travaillez avec des "
            "ensembles.",
            "en": "You count each repetition in the chunk. A concept counts once: work with sets.",
        },
    ),
    Misconception(
        "repeated_in_query",
        repeated(lambda query, chunk: query, lambda query, chunk: chunk),
        {
            "fr": "Vous comptez les tokens de la question : deux mots du même concept comptent deux fois. Comparez des "
            "ensembles de concepts.",
            "en": "You count tokens of the question, so two words of one concept count twice. Compare sets.",
        },
    ),
    Misconception(
        "inside_words",
        inside_words,
        {
            "fr": "Vous cherchez les mots à l’intérieur d’autres mots (in sur une chaîne). Comparez des tokens.",
            "en": "You look for words inside other words (in on a string). Compare whole tokens.",
        },
    ),
    Misconception(
        "share",
        share,
        {
            "fr": "Vous rendez une proportion. Rendez le nombre de concepts communs, un entier.",
            "en": "You return a share. Return the number of shared concepts, a whole number.",
        },
    ),
    Misconception(
        "all_concepts",
        all_concepts,
        {
            "fr": "Vous comptez les concepts de l’un ou de l’autre (|). Ceux qui sont communs s’obtiennent avec &.",
            "en": "You count the concepts of either (|). Those that both hold come from &.",
        },
    ),
    Misconception(
        "the_concepts_themselves",
        lambda query, chunk, synonyms, stopwords: sorted(shared(query, chunk, synonyms, stopwords)),
        {
            "fr": "Vous rendez les concepts communs. Rendez leur nombre : len(...).",
            "en": "You return the shared concepts. Return how many there are: len(...).",
        },
    ),
)

CONCEPT_SCORE = Exercise(
    id="fusion.concept_score",
    chapter="04_fusion",
    entry="concept_score",
    title={"fr": "Compter les concepts communs", "en": "Count shared concepts"},
    points=2,
    importance=2,
    minutes=6,
    reference=concept_score,
    examples=(
        Example(
            (
                "le robot ralentit quand il chauffe",
                "En surchauffe, le contrôleur réduit la vitesse.",
                SYNONYMS,
                STOP_WORDS,
            ),
            {
                "fr": "« ralentit » et « réduit », « chauffe » et « surchauffe » : deux concepts communs, aucun mot "
                "utile.",
                "en": '"ralentit" and "réduit", "chauffe" and "surchauffe": two shared concepts, no useful word.',
            },
        ),
        Example(
            ("the robot is hot", "The temperature of the robot, always the temperature.", HEAT, ENGLISH_STOP_WORDS),
            {
                "fr": "Un concept répété dans le morceau compte une fois.",
                "en": "A concept that the chunk repeats counts once.",
            },
        ),
        Example(
            ("hot or overheating", "temperature", HEAT, ENGLISH_STOP_WORDS),
            {
                "fr": "Deux mots de la question pour un même concept : 1.",
                "en": "Two words of the question for one concept: 1.",
            },
        ),
        Example(
            ("the temperature", "the motor overheats", HEAT, ENGLISH_STOP_WORDS),
            {
                "fr": "Le synonyme peut être du côté du morceau.",
                "en": "The synonym may be on the chunk's side.",
            },
        ),
        Example(
            ("De l’odométrie qui dérive !", "la dérive de l'odométrie", {}, ["De", "La"]),
            {
                "fr": "tokenize retire ponctuation et articles élidés, et il sert aussi aux mots vides : « De » "
                "écarte « de ».",
                "en": 'tokenize takes off punctuation and elided articles, and serves stop words too: "De" drops "de".',
            },
        ),
        Example(
            ("the fuse is hot", "The robot refused.", {}, ["the"]),
            {
                "fr": "« fuse » n’est pas dans « refused » : on compare des tokens entiers.",
                "en": '"fuse" is not in "refused": whole tokens are compared.',
            },
        ),
        Example(
            ("le robot", "le robot", {}, []),
            {"fr": "Sans mots vides, « le » compte aussi : 2.", "en": 'Without stop words, "le" counts as well: 2.'},
        ),
        Example(
            ("il chauffe", "il chauffe", SYNONYMS, ["il", "chauffe"]),
            {
                "fr": "Concepts d’abord, mots vides ensuite : « chauffe » est devenu « température », qui reste.",
                "en": 'Concepts first, stop words after: "chauffe" has become "température", which stays.',
            },
        ),
        Example(
            ("", "le robot", SYNONYMS, STOP_WORDS),
            {"fr": "Une question vide : 0.", "en": "An empty question: 0."},
        ),
        Example(
            (["le", "robot"], "le robot", {}, []),
            {
                "fr": "La question doit être une chaîne : ValueError.",
                "en": "The question must be a string: ValueError.",
            },
        ),
        Example(
            ("le robot", None, {}, []),
            {"fr": "Le morceau aussi : ValueError.", "en": "So must the chunk: ValueError."},
        ),
        Example(
            ("le robot", "le robot", {}, "le la il"),
            {
                "fr": "Les mots vides en une seule chaîne seraient lus lettre par lettre : ValueError.",
                "en": "Stop words in a single string would be read letter by letter: ValueError.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=MISCONCEPTIONS,
    hints=(
        {
            "fr": "Un ensemble de concepts par texte : {synonyms.get(token, token) for token in tokenize(text)}. "
            "Puis l’intersection, &.",
            "en": "One set of concepts a text: {synonyms.get(token, token) for token in tokenize(text)}. Then the "
            "intersection, &.",
        },
        {
            "fr": "Les mots vides : {token for word in stopwords for token in tokenize(word)}, à retirer de "
            "l’intersection avec -. La réponse est un len(...).",
            "en": "The stop words: {token for word in stopwords for token in tokenize(word)}, to be taken out of the "
            "intersection with -. The answer is a len(...).",
        },
    ),
)
