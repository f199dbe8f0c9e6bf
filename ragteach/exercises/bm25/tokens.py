"""bm25.tokenize: from a text to its tokens."""

from __future__ import annotations

import re
import unicodedata
from typing import TYPE_CHECKING

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.retrieval.text import ELIDED, ELISION, TOKEN, tokenize

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

WORDS = (
    # plain words, codes and units
    "robot fuse Lidar été déjà à À cœur L’Haÿ V A 3 12 20 5A R2 LM2596 RPLIDAR A1 /odom 70 °C kΩ"
    # elisions with both apostrophes, and apostrophes that are none
    " l’alimentation l'alimentation L'odométrie d’un qu’il s'arrête jusqu’à lorsqu'elle puisqu’on quoiqu’il c’est n'a"
    " aujourd’hui aujourd'hui presqu’île quelqu’un entr’ouvert O’Neill (l’axe) robot's don't it’s"
    # numbers, punctuation, repetitions
    " 3,8 5.5 2.1.3 1,25 fin. V. 20, (moteur) moteur, surchauffe ! rendez-vous est-il C++ 50% robot robot"
    " cmd_vel 12:30 .5 V2.x"
).split(" ")
SPECIAL = ("cœur", "Ωmega", "3,8", "2.1.3", "fin.", "V.", "cmd_vel")
DECOMPOSED = [unicodedata.normalize("NFD", word) for word in WORDS if not unicodedata.is_normalized("NFD", word)]


def inputs() -> SearchStrategy[tuple]:
    """Draw short texts of words from a robot's papers, often of those on which many stumble."""
    from hypothesis import strategies as st

    words = st.one_of(*map(st.sampled_from, (WORDS, DECOMPOSED, SPECIAL)))
    return st.tuples(st.lists(words, max_size=6).map(" ".join))


def variant(text: str, elision: re.Pattern = ELISION, token: re.Pattern = TOKEN, form: str = "NFC") -> list[str]:
    """Tokenise as the reference does, with one thing changed."""
    return token.findall(elision.sub(" ", unicodedata.normalize(form, text).lower()))


NO_ELISION = re.compile("(?!)")
STRAIGHT_ONLY = re.compile(rf"\b(?:{'|'.join(ELIDED)})'")
L_AND_D = re.compile(r"\b[ld]['’]")
ANY_CASE = re.compile(ELISION.pattern, re.IGNORECASE)
ANYWHERE = re.compile(rf"(?:{'|'.join(ELIDED)})['’]")
WITH_APOSTROPHE = re.compile(r"(?:[^\W_]|(?<=\w)['’](?=\w)|(?<=\d)[.,](?=\d))+")
LETTERS = re.compile(r"[^\W\d_]+")
TO_FF = re.compile(r"(?:[a-z0-9à-ÿ]|(?<=\d)[.,](?=\d))+")
ASCII = re.compile(r"(?:[a-z0-9]|(?<=\d)[.,](?=\d))+")
FINAL_POINTS = re.compile(r"(?:[^\W_]|(?<=\w)[.,])+")
STOP_WORDS = set("le la les un une des du de et à the a an of and".split())


def without_accents(text: str) -> list[str]:
    letters = unicodedata.normalize("NFKD", text)
    return variant("".join(letter for letter in letters if not unicodedata.combining(letter)))


def case_kept(text: str) -> list[str]:
    return TOKEN.findall(ANY_CASE.sub(" ", unicodedata.normalize("NFC", text)))


MISCONCEPTIONS = (
    Misconception(
        "split",
        lambda text: text.lower().split(),
        {
            "fr": "Vous coupez aux espaces seulement : la virgule de « moteur, » et le « l’ » de « l’alimentation » "
            "restent collés au mot. Cherchez plutôt les suites de lettres et de chiffres avec re.findall.",
            "en": 'You cut at spaces only, so the comma of "moteur," and the "l’" of "l’alimentation" stay glued to '
            "the word. Look for runs of letters and digits instead, with re.findall.",
        },
    ),
    Misconception(
        "word_characters_only",
        lambda text: re.findall(r"\w+", text.lower()),
        {
            "fr": "C’est le découpage par \\w+ sans rien d’autre : « 5,5 » donne deux nombres et « l’axe » laisse un "
            "« l » seul. Enlevez d’abord les mots élidés, puis acceptez une virgule ou un point entre deux chiffres.",
            "en": 'This is \\w+ and nothing else: "5,5" becomes two numbers and "l’axe" leaves an "l" behind. Remove '
            "the elided words first, then allow a comma or a point between two digits.",
        },
    ),
    Misconception(
        "scikit_learn",
        lambda text: re.findall(r"\b\w\w+\b", text.lower()),
        {
            "fr": "C’est le découpage par défaut de scikit-learn (\\w\\w+) : les mots d’une seule lettre "
            "disparaissent, et avec eux le « 3 » et le « A » de « 3 A ». Gardez aussi les suites d’un seul caractère, "
            "puis traitez les nombres à virgule.",
            "en": 'This is the default of scikit-learn (\\w\\w+): words of one letter vanish, and with them the "3" '
            'and the "A" of "3 A". Keep runs of one character too, then handle decimal numbers.',
        },
    ),
    Misconception(
        "latin_range_only",
        lambda text: re.findall(r"[a-zà-ÿ0-9]+", text.lower()),
        {
            "fr": "C’est le découpage par [a-zà-ÿ0-9]+ : « cœur » est coupé, car œ est hors de cet intervalle, les "
            "nombres à virgule aussi, et les mots élidés restent. Décrivez une lettre ou un chiffre par [^\\W_], puis "
            "traitez les élisions et les nombres.",
            "en": 'This is [a-zà-ÿ0-9]+: "cœur" is cut because œ lies outside that range, decimal numbers are cut too, '
            "and elided words stay. Describe a letter or digit by [^\\W_], then handle elisions and numbers.",
        },
    ),
    Misconception(
        "latin_range",
        lambda text: variant(text, token=TO_FF),
        {
            "fr": "L’intervalle à-ÿ ne contient pas toutes les lettres : œ et Ω n’en sont pas, et « cœur » donne "
            "« c » et « ur ». Décrivez une lettre ou un chiffre par [^\\W_] au lieu d’énumérer.",
            "en": 'The range à-ÿ does not contain every letter: œ and Ω are outside it, and "cœur" gives "c" and "ur". '
            "Describe a letter or digit by [^\\W_] instead of listing them.",
        },
    ),
    Misconception(
        "ascii_only",
        lambda text: variant(text, token=ASCII),
        {
            "fr": "Seules les lettres sans accent passent : « été » est réduit à « t ». Décrivez une lettre ou un "
            "chiffre par [^\\W_], qui vaut pour toutes les langues, au lieu de [a-z0-9].",
            "en": 'Only unaccented letters get through: "été" is reduced to "t". Describe a letter or digit by '
            "[^\\W_], which works for every language, instead of [a-z0-9].",
        },
    ),
    Misconception(
        "letters_only",
        lambda text: variant(text, token=LETTERS),
        {
            "fr": "Vos tokens ne gardent que des lettres : les tensions, les calibres et les codes comme « LM2596 » "
            "sont perdus ou coupés. Acceptez les chiffres parmi les caractères d’un token.",
            "en": 'Your tokens keep letters only, so voltages, ratings and codes such as "LM2596" are lost or cut. '
            "Allow digits among the characters of a token.",
        },
    ),
    Misconception(
        "accents_stripped",
        without_accents,
        {
            "fr": "Vos tokens ont perdu leurs accents. Ce choix se défend, mais ce n’est pas celui demandé : gardez "
            "la forme composée (NFC), sans retirer les signes.",
            "en": "Your tokens have lost their accents. That is a possible choice, but not the one asked for here: "
            "keep the composed form (NFC) and remove no accents.",
        },
    ),
    Misconception(
        "no_nfc",
        lambda text: TOKEN.findall(ELISION.sub(" ", text.lower())),
        {
            "fr": "Un é peut s’écrire en deux caractères, un e puis un accent, et vous coupez entre les deux. "
            'Commencez par unicodedata.normalize("NFC", text).',
            "en": "An é may be written as two characters, an e and an accent, and you cut between them. Begin with "
            'unicodedata.normalize("NFC", text).',
        },
    ),
    Misconception(
        "case_kept",
        case_kept,
        {
            "fr": "Les majuscules sont restées : « Lidar » et « lidar » seraient deux mots. Passez le texte en "
            "minuscules avant de chercher les tokens.",
            "en": 'Capitals are still there: "Lidar" and "lidar" would be two words. Put the text in lower case before '
            "you look for tokens.",
        },
    ),
    Misconception(
        "apostrophe_kept",
        lambda text: variant(text, elision=NO_ELISION, token=WITH_APOSTROPHE),
        {
            "fr": "L’apostrophe reste dans le token : la question « alimentation » ne trouvera jamais "
            "« l’alimentation ». Remplacez le mot élidé et son apostrophe par un espace.",
            "en": 'The apostrophe stays inside the token, so the query "alimentation" never finds "l’alimentation". '
            "Replace the elided word and its apostrophe by a space.",
        },
    ),
    Misconception(
        "apostrophe_deleted",
        lambda text: variant(text.replace("'", "").replace("’", "")),
        {
            "fr": "Vous effacez les apostrophes, et « l’axe » devient « laxe », un mot que personne ne cherchera. "
            "Remplacez le mot élidé et son apostrophe par un espace.",
            "en": 'You delete apostrophes, and "l’axe" becomes "laxe", a word that nobody will look for. Replace the '
            "elided word and its apostrophe by a space.",
        },
    ),
    Misconception(
        "elided_letter_kept",
        lambda text: variant(text, elision=NO_ELISION),
        {
            "fr": "Le mot élidé est resté comme token : « l’axe » donne « l » puis « axe ». Enlevez d’abord c’, d’, "
            "l’, qu’ et les autres de la liste.",
            "en": 'The elided word stayed as a token: "l’axe" gives "l" and "axe". Remove c’, d’, l’, qu’ and the '
            "others of the list first.",
        },
    ),
    Misconception(
        "l_and_d_only",
        lambda text: variant(text, elision=L_AND_D),
        {
            "fr": "Vous traitez l’ et d’, mais pas le reste de la liste : c, j, m, n, s, t, qu, jusqu, lorsqu, puisqu "
            "et quoiqu s’élident aussi.",
            "en": "You handle l’ and d’ but not the rest of the list: c, j, m, n, s, t, qu, jusqu, lorsqu, puisqu and "
            "quoiqu are elided too.",
        },
    ),
    Misconception(
        "straight_apostrophe_only",
        lambda text: variant(text, elision=STRAIGHT_ONLY),
        {
            "fr": "L’apostrophe droite (U+0027) est traitée, la courbe (U+2019) ne l’est pas, et les textes mis en "
            "page n’emploient que celle-ci. Mettez les deux dans votre motif.",
            "en": "You handle the straight apostrophe (U+0027) but not the curly one (U+2019), and typeset texts use "
            "only the latter. Put both into your pattern.",
        },
    ),
    Misconception(
        "elision_inside_words",
        lambda text: variant(text, elision=ANYWHERE),
        {
            "fr": "Vous enlevez une lettre au milieu d’un mot : « aujourd’hui » perd son d. L’élision commence au "
            "début d’un mot ; mettez \\b devant votre motif.",
            "en": 'You remove a letter from the middle of a word: "aujourd’hui" loses its d. An elided word starts '
            "where a word starts; put \\b before your pattern.",
        },
    ),
    Misconception(
        "decimals_split",
        lambda text: variant(text, token=re.compile(r"[^\W_]+")),
        {
            "fr": "« 5,5 » est coupé en deux nombres : un passage qui parle de 5 V paraîtrait répondre à 5,5 Hz. "
            "Acceptez une virgule ou un point quand il y a un chiffre de chaque côté.",
            "en": '"5,5" is cut into two numbers, so a passage about 5 V would seem to answer a question about 5,5 Hz. '
            "Allow a comma or a point that has a digit on either side.",
        },
    ),
    Misconception(
        "final_point_kept",
        lambda text: variant(text, token=FINAL_POINTS),
        {
            "fr": "La ponctuation finale reste collée : « V. » n’est pas « v ». Un point ou une virgule ne compte que "
            "s’il y a un chiffre avant et un chiffre après.",
            "en": 'Final punctuation stays glued on: "V." is not "v". A point or comma counts only where there is a '
            "digit before it and a digit after it.",
        },
    ),
    Misconception(
        "one_letter_lost",
        lambda text: [token for token in tokenize(text) if len(token) > 1],
        {
            "fr": "Les tokens d’un caractère ont disparu, et avec eux les unités : « 3 A » ne laisse rien. Ne filtrez "
            "pas sur la longueur.",
            "en": 'Tokens of one character have vanished, and units with them: nothing is left of "3 A". Do not '
            "filter by length.",
        },
    ),
    Misconception(
        "stop_words_dropped",
        lambda text: [token for token in tokenize(text) if token not in STOP_WORDS],
        {
            "fr": "Vous retirez des mots vides (le, de, à…). L’énoncé ne le demande pas : l’idf s’en chargera, et "
            "« a » est ici l’ampère. Rendez tous les tokens.",
            "en": "You drop stop words (the, of, a…). The exercise does not ask for it: idf will take care of them, "
            'and "a" is the ampere here. Return every token.',
        },
    ),
    Misconception(
        "duplicates_dropped",
        lambda text: list(dict.fromkeys(tokenize(text))),
        {
            "fr": "Chaque token n’apparaît qu’une fois, mais BM25 doit compter les répétitions. Rendez les tokens tels "
            "qu’ils se suivent, répétitions comprises.",
            "en": "Each token appears only once, and BM25 needs to count repetitions. Return the tokens as they "
            "follow one another, repetitions included.",
        },
    ),
)

TOKENIZE = Exercise(
    id="bm25.tokenize",
    chapter="02_bm25",
    entry="tokenize",
    title={"fr": "Découper un texte en tokens", "en": "Cut a text into tokens"},
    points=2,
    importance=3,
    minutes=6,
    reference=tokenize,
    examples=(
        Example(
            ("Le fusible de 3 A protège le moteur.",),
            {
                "fr": "Minuscules, accents gardés, répétitions gardées ; le nombre et l’unité d’une lettre aussi.",
                "en": "Lower case, accents kept, repetitions kept; the number and its one-letter unit too.",
            },
        ),
        Example(
            ("L’alimentation de l'axe tient jusqu’à 20 heures",),
            {
                "fr": "Le mot élidé disparaît, que l’apostrophe soit courbe ou droite.",
                "en": "The elided word goes, whether the apostrophe is curly or straight.",
            },
        ),
        Example(
            ("J’ai m’a n’a t’a s’est c’est d’un qu’on jusqu’à lorsqu’il puisqu’elle quoiqu’on quelqu’un O’Neill",),
            {
                "fr": "Toute la liste est à traiter, et elle seule : « quelqu » et « o » n’y sont pas.",
                "en": 'The whole list counts, and nothing else: "quelqu" and "o" are not in it.',
            },
        ),
        Example(
            ("3,8 V. Puis 5.5 Hz, firmware 2.1.3.",),
            {
                "fr": "Une virgule ou un point entre deux chiffres reste ; en fin de phrase il disparaît.",
                "en": "A comma or a point between two digits stays; at the end of a sentence it goes.",
            },
        ),
        Example(
            ("RPLIDAR A1, LM2596 : /odom, v2.1, 5,5V",),
            {
                "fr": "Les codes restent entiers : ce sont les mots que BM25 retrouve le mieux.",
                "en": "Codes stay whole: they are the words that BM25 finds best.",
            },
        ),
        Example(
            ("Au cœur de L’Haÿ, 10 kΩ.",),
            {
                "fr": "œ, ÿ et Ω sont des lettres comme les autres.",
                "en": "œ, ÿ and Ω are letters like any other.",
            },
        ),
        Example(
            ("Aujourd’hui the robot's wheel",),
            {
                "fr": "Une apostrophe dans un mot sépare, sans rien enlever : « aujourd » n’est pas un mot élidé de "
                "la liste.",
                "en": 'An apostrophe inside a word separates and removes nothing: "aujourd" is no elided word.',
            },
        ),
        Example(
            ("(l’axe) cmd_vel 12:30 +5° .5 V2.x 50%",),
            {
                "fr": "Tout le reste sépare : parenthèses, tirets bas, deux-points, signes, et le point de « .5 ».",
                "en": 'Everything else separates: brackets, underscores, colons, signs, and the point of ".5".',
            },
        ),
        Example(
            (unicodedata.normalize("NFD", "Régler à l’été"),),
            {
                "fr": "Ici chaque accent est un caractère à part (forme décomposée) ; les tokens sont les mêmes.",
                "en": "Here every accent is a character of its own (decomposed form); the tokens are the same.",
            },
        ),
        Example(
            ("",),
            {
                "fr": "Un texte vide n’a pas de token : une liste vide, pas une liste qui contient un texte vide.",
                "en": "An empty text has no tokens: return an empty list, not a list with an empty string in it.",
            },
        ),
    ),
    inputs=inputs,
    misconceptions=MISCONCEPTIONS,
    hints=(
        {
            "fr": "Procédez par étapes : normaliser (NFC), mettre en minuscules, enlever les mots élidés, puis "
            "chercher les tokens. Affichez le texte après chacune.",
            "en": "Go step by step: normalise (NFC), put in lower case, remove the elided words, then look for tokens. "
            "Print the text after each step.",
        },
        {
            "fr": "Pour l’élision, re.sub avec un motif qui commence par \\b, énumère les mots de la liste séparés "
            "par | et finit par l’une ou l’autre apostrophe, remplacé par un espace.",
            "en": "For elision, use re.sub with a pattern that begins with \\b, lists the words with | between them "
            "and ends with either apostrophe; replace it by a space.",
        },
        {
            "fr": "Pour les tokens, re.findall avec une répétition (+) de deux cas : une lettre ou un chiffre, "
            "[^\\W_], ou bien [.,] précédé d’un chiffre, (?<=\\d), et suivi d’un chiffre, (?=\\d). Le groupe s’écrit "
            "(?:…)+.",
            "en": "For the tokens, use re.findall with a repetition (+) of two cases: a letter or digit, [^\\W_], or "
            "else [.,] with a digit before it, (?<=\\d), and one after it, (?=\\d). Write the group as (?:…)+.",
        },
    ),
)
