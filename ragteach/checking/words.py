"""The sentences of feedback, French and English side by side."""

from typing import Any

from ragteach.checking.exercise import Text

Words = dict[str, Text]

TITLES: Words = {
    "passed": {
        "fr": "Juste",
        "en": "Right",
    },
    "failed": {
        "fr": "Pas encore",
        "en": "Not yet",
    },
    "not_attempted": {
        "fr": "À vous de jouer",
        "en": "Your turn",
    },
    "error": {
        "fr": "Une erreur arrête la fonction",
        "en": "An error stops the function",
    },
    "timeout": {
        "fr": "La fonction ne finit pas",
        "en": "The function does not finish",
    },
    "memory": {
        "fr": "La fonction demande trop de mémoire",
        "en": "The function asks for too much memory",
    },
    "crashed": {
        "fr": "Le programme s’est arrêté net",
        "en": "The program crashed",
    },
    "missing": {
        "fr": "Il n’y a pas de fonction à vérifier",
        "en": "There is no function to check",
    },
    "refused": {
        "fr": "Le carnet n’a pas été corrigé",
        "en": "The notebook was not graded",
    },
    "grader_error": {
        "fr": "Le correcteur a eu un problème, vous n’y êtes pour rien",
        "en": "The grader had a problem; you did nothing wrong",
    },
}

LABELS: Words = {
    "call": {"fr": "appel", "en": "call"},
    "expected": {"fr": "attendu", "en": "expected"},
    "got": {"fr": "obtenu", "en": "got"},
    "right": {"fr": "juste", "en": "right"},
    "wrong": {"fr": "faux", "en": "wrong"},
    "hint": {"fr": "Indice", "en": "Hint"},
    "cases": {"fr": "Les cas choisis", "en": "The hand-picked cases"},
    "diagnosis": {"fr": "Diagnostic", "en": "Diagnosis"},
    "printed": {"fr": "Votre fonction a affiché", "en": "Your function printed"},
    "point": {"fr": "Ce que montre cet appel", "en": "What this call shows"},
    "solution": {
        "fr": "Toujours bloqué ? La solution expliquée est dans le dossier solutions, sous le même nom.",
        "en": "Still stuck? The explained solution is in the solutions folder, under the same name.",
    },
    "error_expected": {
        "fr": "une ValueError",
        "en": "a ValueError",
    },
    "nothing": {"fr": "pas de résultat", "en": "no result"},
}

TYPES: Words = {
    "NoneType": {"fr": "None", "en": "None"},
    "bool": {"fr": "un booléen", "en": "a boolean"},
    "int": {"fr": "un entier", "en": "a whole number"},
    "float": {"fr": "un nombre", "en": "a number"},
    "str": {"fr": "un texte (str)", "en": "a string (str)"},
    "list": {"fr": "une liste", "en": "a list"},
    "tuple": {"fr": "un tuple", "en": "a tuple"},
    "set": {"fr": "un ensemble (set), qui n’a pas d’ordre", "en": "a set, which has no order"},
    "dict": {"fr": "un dictionnaire", "en": "a dictionary"},
    "ndarray": {"fr": "un tableau NumPy", "en": "a NumPy array"},
}


def type_name(value: Any, lang: str) -> str:
    """Name the type of a plain value in words."""
    name = type(value).__name__
    return TYPES[name][lang] if name in TYPES else name


def point_count(points: int, lang: str) -> str:
    """Write a number of points: zero is singular in French and plural in English."""
    plural = points > 1 or (lang == "en" and points == 0)
    return f"{points} points" if plural else f"{points} point"


def labelled(label: str, text: str, lang: str) -> str:
    """Put a label before a text, with the language's colon."""
    return f"{label}\u00a0: {text}" if lang == "fr" else f"{label}: {text}"


ALL_RIGHT: Text = {
    "fr": "{n} appels essayés, tous justes.",
    "en": "{n} calls tried, all right.",
}
SOME_RIGHT: Text = {
    "fr": "Appels justes : {n_right} sur {n}.",
    "en": "Right calls: {n_right} out of {n}.",
}
EARNED: Text = {
    "fr": "{points} sur {max_points}.",
    "en": "{points} out of {max_points}.",
}

# Where the first difference lies. Each template may use {where} (the place, or the whole result), {expected} and
# {got} (the two values there), {expected_is} and {got_is} (their types, lengths or shapes in words).
RESULT: Text = {"fr": "Le résultat", "en": "The result"}
PLACE: Text = {"fr": "résultat{path}", "en": "result{path}"}
DIFFERENCES: Words = {
    "none": {
        "fr": "{where} vaut None au lieu de {expected} : manque-t-il un return ?",
        "en": "{where} is None instead of {expected}: is a return missing?",
    },
    "changed": {
        "fr": "{where} est juste, mais la fonction a modifié ses arguments : travaillez sur une copie.",
        "en": "{where} is right, but the function has changed its arguments: work on a copy.",
    },
    "nan": {
        "fr": "{where} vaut nan, qui n’est pas un nombre : cherchez une division 0/0 ou un logarithme de 0.",
        "en": "{where} is nan (not a number): look for 0/0, or the logarithm of zero or of a negative number.",
    },
    "value": {
        "fr": "Première différence : {where} devrait valoir {expected}, et vaut {got}.",
        "en": "First difference: {where} should be {expected} but is {got}.",
    },
    "type": {
        "fr": "{where} devrait être {expected_is} ; c’est {got_is}.",
        "en": "{where} should be {expected_is}, not {got_is}.",
    },
    "length": {
        "fr": "{where} n’a pas le bon nombre d’éléments : {got_is} au lieu de {expected_is}.",
        "en": "{where} has the wrong number of items: {got_is} instead of {expected_is}.",
    },
    "missing_key": {
        "fr": "Il manque l’entrée {where}, qui devrait valoir {expected}.",
        "en": "The entry {where} is missing; it should be {expected}.",
    },
    "extra_key": {
        "fr": "L’entrée {where}, qui vaut {got}, est de trop.",
        "en": "The entry {where}, which is {got}, should not be there.",
    },
    "shape": {
        "fr": "{where} devrait avoir la forme {expected_is} ; c’est {got_is}.",
        "en": "{where} should have the shape {expected_is}, not {got_is}.",
    },
}

# What became of a call that gave no value, or gave one where a ValueError was due.
OUTCOMES: Words = {
    "error": {
        "fr": "L’appel a levé {error}.",
        "en": "The call raised {error}.",
    },
    "error_on_line": {
        "fr": "L’appel a levé {error}, à la ligne : {line}",
        "en": "The call raised {error}, on the line: {line}",
    },
    "no_error": {
        "fr": "Ces arguments n’ont pas de sens : la fonction doit lever une ValueError qui dit lequel et pourquoi.",
        "en": "These arguments make no sense: the function must raise a ValueError that says which one and why.",
    },
    "other_error": {
        "fr": "Ces arguments n’ont pas de sens : une ValueError était attendue, l’appel a levé {error}.",
        "en": "These arguments make no sense: a ValueError was expected, but the call raised {error}.",
    },
    "timeout": {
        "fr": "L’appel a été interrompu : il ne finissait pas. Une boucle dont la condition ne change jamais ?",
        "en": "The call was interrupted because it did not finish. Is there a loop whose condition never changes?",
    },
    "memory": {
        "fr": "L’appel a demandé plus de mémoire qu’il n’y en a. Une liste qui grandit sans fin ?",
        "en": "The call asked for more memory than there is. Is there a list that grows for ever?",
    },
    "crashed": {
        "fr": "Le programme qui exécutait votre fonction s’est arrêté pendant l’appel.",
        "en": "The program that ran your function stopped during the call.",
    },
    "missing": {
        "fr": "Aucune fonction {entry} n’a été trouvée dans le carnet.",
        "en": "No function {entry} was found in the notebook.",
    },
    "cell_stopped": {
        "fr": "La cellule qui définit {entry} s’est arrêtée sur {error}.",
        "en": "The cell that defines {entry} stopped on {error}.",
    },
    "not_callable": {
        "fr": "{entry} n’est pas une fonction (type : {message}). Passez son nom seul, sans parenthèses.",
        "en": "{entry} is not a function (type: {message}). Pass its name alone, without parentheses.",
    },
    "not_plain": {
        "fr": "La fonction renvoie autre chose que des données simples (type : {message}). Il faut un nombre, un "
        "texte, une liste, un dictionnaire ou un tableau.",
        "en": "The function returns something other than plain data (type: {message}). Return a number, a string, a "
        "list, a dictionary or an array.",
    },
}

NOT_ATTEMPTED: Text = {
    "fr": "La fonction n’est pas encore écrite. Remplacez raise NotImplementedError par votre code, puis relancez les "
    "deux cellules.",
    "en": "The function is not written yet. Replace raise NotImplementedError with your code, then run both cells "
    "again.",
}

SECRET: Text = {
    "fr": "Un appel tenu secret n’a pas donné le bon résultat. Essayez votre fonction sur des cas plus variés que ceux "
    "du carnet : vides, répétés, extrêmes.",
    "en": "A call that is kept secret did not give the right result. Try your function on more varied cases than the "
    "notebook's: empty, repeated, extreme ones.",
}

ABOUT: Text = {
    "fr": "{points} · niveau : {level} · importance : {importance} · environ {minutes} min",
    "en": "{points} · level: {level} · importance: {importance} · about {minutes} min",
}

ASK_HINT: Text = {
    "fr": 'Un indice ? Exécutez hint("{id}").',
    "en": 'A hint? Run hint("{id}").',
}
