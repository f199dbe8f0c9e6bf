"""The sentences of grading, French and English side by side."""

from collections.abc import Mapping, Sequence

from ragteach.checking.exercise import Text

NO_FILE: Text = {
    "fr": "Aucun carnet (.ipynb) n’a été rendu. Rendez celui des exercices : il se trouve dans votre dossier "
    "exercises.",
    "en": "No notebook (.ipynb) was handed in. Hand in the exercise notebook, which is in your folder exercises.",
}
NOTHING_FOUND: Text = {
    "fr": "aucun carnet (.ipynb) à corriger n’a été trouvé.",
    "en": "no notebook (.ipynb) to grade was found.",
}
BAD_NUMBERS: Text = {
    "fr": "--jobs doit valoir au moins 1, et --timeout un nombre de secondes supérieur à 0.",
    "en": "--jobs must be at least 1, and --timeout a number of seconds greater than 0.",
}
BAD_POLICY: Text = {
    "fr": "--attempts vaut last ou best.",
    "en": "--attempts is last or best.",
}
GRADER_ERROR: Text = {
    "fr": "Le correcteur a eu un problème : ce carnet n’a pas pu être noté, et son auteur n’y est pour rien.",
    "en": "The grader had a problem: this notebook could not be marked, through no fault of its author.",
}

STATUS: dict[str, Text] = {
    "graded": {"fr": "corrigé", "en": "graded"},
    "refused": {"fr": "refusé", "en": "refused"},
    "timeout": {"fr": "temps dépassé", "en": "out of time"},
    "memory": {"fr": "mémoire dépassée", "en": "out of memory"},
    "crashed": {"fr": "arrêté net", "en": "crashed"},
    "grader_error": {"fr": "problème du correcteur", "en": "grader problem"},
}
"""The closed list of a submission's statuses, in words."""

# How many submissions have a status: one, and several.
COUNTED: dict[str, dict[str, tuple[str, str]]] = {
    "graded": {"fr": ("corrigé", "corrigés"), "en": ("graded", "graded")},
    "refused": {"fr": ("refusé", "refusés"), "en": ("refused", "refused")},
    "timeout": {"fr": ("hors du temps", "hors du temps"), "en": ("out of time", "out of time")},
    "memory": {"fr": ("à court de mémoire", "à court de mémoire"), "en": ("out of memory", "out of memory")},
    "crashed": {"fr": ("arrêté net", "arrêtés net"), "en": ("crashed", "crashed")},
    "grader_error": {
        "fr": ("problème du correcteur", "problèmes du correcteur"),
        "en": ("grader problem", "grader problems"),
    },
}

STOPPED: dict[str, Text] = {
    "timeout": {
        "fr": "L’exécution du carnet a dépassé le temps prévu : les exercices suivants n’ont pas pu être vérifiés.",
        "en": "The notebook ran for longer than allowed: the exercises after that point could not be checked.",
    },
    "memory": {
        "fr": "Le carnet a demandé plus de mémoire qu’il n’y en a : les exercices suivants n’ont pas pu être vérifiés.",
        "en": "The notebook asked for more memory than there is: the exercises after that point could not be checked.",
    },
    "crashed": {
        "fr": "Le programme qui exécutait le carnet s’est arrêté trop souvent : les exercices suivants n’ont pas "
        "pu être vérifiés.",
        "en": "The program that ran the notebook stopped too often: the exercises after that point could not be "
        "checked.",
    },
}

PAGE: dict[str, Text] = {
    "title": {"fr": "Votre correction", "en": "Your feedback"},
    "total": {"fr": "Total", "en": "Total"},
    "remarks": {"fr": "À savoir", "en": "Good to know"},
    "summary": {"fr": "Résumé", "en": "Summary"},
    "exercise": {"fr": "Exercice", "en": "Exercise"},
    "points": {"fr": "Points", "en": "Points"},
    "verdict": {"fr": "Verdict", "en": "Verdict"},
    "next": {"fr": "À faire maintenant", "en": "What to do next"},
    "written": {
        "fr": "Vos réponses rédigées, que votre enseignant lira",
        "en": "Your written answers, read by your teacher",
    },
    "no_answer": {"fr": "pas de réponse", "en": "no answer"},
}


def cell(kind: str, start: str, detail: str) -> Text:
    """Say what happened to the cell that starts with `start`; `kind` is error, shell, timeout, crashed or memory."""
    fr = {
        "error": f"s’est arrêtée sur {detail}. Les cellules suivantes ont été exécutées.",
        "shell": f"contient une commande du système, qui n’a pas été exécutée : {detail}",
        "timeout": "ne finissait pas et a été interrompue. Les autres cellules ont été exécutées.",
        "crashed": "a arrêté le programme qui l’exécutait. Les autres cellules ont été exécutées.",
        "memory": "a demandé plus de mémoire que permis. Les autres cellules ont été exécutées.",
    }
    en = {
        "error": f"stopped on {detail}. The cells after it were run.",
        "shell": f"contains a system command, which was not run: {detail}",
        "timeout": "did not finish, so it was interrupted. The other cells were run.",
        "crashed": "crashed the program that ran it. The other cells were run.",
        "memory": "asked for more memory than allowed. The other cells were run.",
    }
    return {
        "fr": f"La cellule qui commence par « {start} » {fr[kind]}",
        "en": f"The cell that starts with “{start}” {en[kind]}",
    }


def more_cells(n: int) -> Text:
    """Say that more cells have a remark than are shown."""
    return {
        "fr": f"Remarques semblables sur d’autres cellules : {n}.",
        "en": f"Similar remarks about other cells: {n}.",
    }


def total(points: int | None, max_points: int) -> Text:
    """Write a total."""
    shown = "–" if points is None else points
    return {
        "fr": f"{shown} point{'s' if (points or 0) > 1 else ''} sur {max_points}",
        "en": f"{shown} out of {max_points} points",
    }


def counted(counts: Mapping[str, int], lang: str) -> str:
    """Write how many submissions have each status: "3 graded, 1 refused"."""
    return ", ".join(f"{n} {COUNTED[status][lang][n > 1]}" for status in COUNTED if (n := counts.get(status)))


def class_summary(counts: Mapping[str, int]) -> Text:
    """Sum up the grading of a class in a line."""
    n = sum(counts.values())
    plural = "s" if n > 1 else ""
    return {
        "fr": f"{n} rendu{plural} ({counted(counts, 'fr')})",
        "en": f"{n} submission{plural} ({counted(counts, 'en')})",
    }


def no_such_file(path: str) -> Text:
    """Say that a file is not there."""
    return {"fr": f"le fichier {path} n’existe pas.", "en": f"there is no file {path}."}


ALL_DONE: Text = {
    "fr": "Tout est juste. Passez au chapitre suivant.",
    "en": "Everything is right. Go on to the next chapter.",
}
LOCKED: Text = {
    "fr": "une autre correction est en cours dans ce dossier : attendez qu’elle finisse, ou choisissez-en un autre.",
    "en": "another grader is at work in this folder: wait until it is done, or choose another folder.",
}
SAME_FOLDER: Text = {
    "fr": "--out doit être un autre dossier que celui des rendus.",
    "en": "--out must be another folder than that of the submissions.",
}
NO_PATH: Text = {
    "fr": "indiquez les rendus à corriger, ou --report-only.",
    "en": "name the submissions to grade, or --report-only.",
}
NO_RESULTS: Text = {
    "fr": "ce dossier ne contient aucun résultat à remettre en forme.",
    "en": "this folder holds no results to write anew.",
}
NOT_YET: Text = {
    "fr": "La nouvelle correction a été interrompue avant ce carnet : voici la correction précédente.",
    "en": "The new grading was interrupted before this notebook: these are the results of its earlier grading.",
}
KEPT: Text = {
    "fr": "Le correcteur a échoué sur la version actuelle de ce carnet : voici la correction précédente.",
    "en": "The grader failed on the present version of this notebook: these are the results of its earlier grading.",
}


def foreign(file: str) -> Text:
    """Say that a file under the name of our results is somebody else’s."""
    return {
        "fr": f"{file} n’est pas un fichier de ragteach : choisissez un autre dossier pour --out.",
        "en": f"{file} is not a file of ragteach: choose another folder for --out.",
    }


def put_aside(files: Sequence[str]) -> Text:
    """Say under which names other people’s files were kept."""
    names = ", ".join(files)
    return {
        "fr": f"Des fichiers que quelqu’un d’autre a écrits ou modifiés sont gardés sous un autre nom : {names}",
        "en": f"Files that somebody else wrote or changed are kept under another name: {names}",
    }


def unfinished(done: int, total: int) -> Text:
    """Say that grading was interrupted."""
    return {
        "fr": f"Correction interrompue : {done} rendus sur {total}. La même commande continuera où elle s’est arrêtée.",
        "en": f"Grading was interrupted: {done} of {total} submissions. The same command will go on where it stopped.",
    }


def mend(title: str, diagnosis: str, lang: str) -> str:
    """Tell what to do about a mistake that has a name."""
    return {
        "fr": f"Corrigez « {title} » : {diagnosis}",
        "en": f"Mend “{title}”: {diagnosis}",
    }[lang]


def mend_cells(titles: Sequence[str], error: str, lang: str) -> str:
    """Tell to mend the cells that stopped before they had defined their functions."""
    if lang == "fr":
        named = ", ".join(f"« {title} »" for title in titles)
        cells, stopped = (
            ("la cellule", "elle s’est arrêtée") if len(titles) == 1 else ("les cellules", "elles se sont arrêtées")
        )
        return f"Corrigez {cells} de {named} : {stopped} sur {error}."
    named = ", ".join(f"“{title}”" for title in titles)
    cells, they = ("cell", "it") if len(titles) == 1 else ("cells", "they")
    return f"Mend the {cells} of {named}: {they} stopped on {error}."


def answer_in_writing(id: str, points: int, lang: str) -> str:
    """Tell that a question waits for an answer in words."""
    return {
        "fr": f"Répondez par écrit à la question {id} : elle vaut {points} point{'s' if points > 1 else ''}.",
        "en": f"Answer in writing: question {id}, worth {points} point{'' if points == 1 else 's'}.",
    }[lang]


def look_again(title: str, lang: str) -> str:
    """Tell what to do about another mistake."""
    return {
        "fr": f"Revoyez « {title} » : ce qui ne va pas est décrit plus bas, et les indices s’ouvrent un par un.",
        "en": f"Look at “{title}” again: what goes wrong is described below, and hints open one at a time.",
    }[lang]


def do(title: str, minutes: int, lang: str) -> str:
    """Tell what is left to do."""
    return {
        "fr": f"Faites « {title} » (environ {minutes} minutes).",
        "en": f"Do “{title}” (about {minutes} minutes).",
    }[lang]
