"""The sentences of grading, French and English side by side."""

from ragteach.checking.exercise import Text

EMPTY: Text = {
    "fr": "Le fichier est vide.",
    "en": "The file is empty.",
}
NO_JSON: Text = {
    "fr": "Le fichier n’est pas du JSON lisible : ce n’est pas un carnet, ou il a été abîmé. "
    "Ouvrez-le dans JupyterLab, enregistrez-le et rendez-le de nouveau.",
    "en": "The file is not readable JSON: it is not a notebook, or it is damaged. Open it in JupyterLab, save it and "
    "hand it in again.",
}
NO_NOTEBOOK: Text = {
    "fr": "Le fichier est du JSON, mais pas un carnet Jupyter.",
    "en": "The file is JSON, but not a Jupyter notebook.",
}
OLD_FORMAT: Text = {
    "fr": "Le carnet n’est pas au format 4 de Jupyter. Ouvrez-le dans JupyterLab, enregistrez-le et rendez-le de "
    "nouveau.",
    "en": "The notebook is not in Jupyter’s format 4 (nbformat). Open it in JupyterLab, save it and hand it in again.",
}
NO_CELLS: Text = {
    "fr": "Le carnet ne contient aucune cellule de code.",
    "en": "The notebook contains no code cells.",
}
OTHER_COURSE: Text = {
    "fr": "Ce carnet n’est pas un carnet d’exercices de ce cours : rien n’y renvoie à un exercice connu.",
    "en": "This is not an exercise notebook of this course: nothing in it refers to a known exercise.",
}
LESSON: Text = {
    "fr": "Ce carnet est celui du cours, pas celui des exercices (dossier exercises, même nom) : seules les fonctions "
    "qu’il contient ont pu être notées.",
    "en": "This is the lesson notebook, not the exercise notebook (same name, in the folder exercises): only the "
    "functions that it contains could be marked.",
}
NO_FILE: Text = {
    "fr": "Ce dossier ne contient aucun carnet (.ipynb).",
    "en": "This folder contains no notebook (.ipynb).",
}
NOTHING_FOUND: Text = {
    "fr": "aucun carnet (.ipynb) à corriger n’a été trouvé.",
    "en": "no notebook (.ipynb) to grade was found.",
}
BAD_NUMBERS: Text = {
    "fr": "--jobs doit valoir au moins 1, et --timeout un nombre de secondes supérieur à 0.",
    "en": "--jobs must be at least 1, and --timeout a number of seconds greater than 0.",
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
}


def unreadable(why: str) -> Text:
    """Say that a file cannot be opened."""
    return {"fr": f"Le fichier ne peut pas être lu ({why}).", "en": f"The file cannot be read ({why})."}


def too_big(megabytes: int) -> Text:
    """Say that a file is too big."""
    return {
        "fr": f"Le fichier dépasse {megabytes} Mo. Effacez les sorties du carnet (menu Kernel, Restart Kernel and "
        "Clear Outputs), enregistrez-le et rendez-le de nouveau.",
        "en": f"The file is over {megabytes} MB. Clear the notebook’s outputs (menu Kernel, Restart Kernel and Clear "
        "Outputs), save it and hand it in again.",
    }


def other_version(theirs: str | None, ours: str) -> Text:
    """Say that notebook and package are of different versions of the course."""
    return {
        "fr": f"Ce carnet est de la version {theirs} du cours, le correcteur de la version {ours} : "
        "les exercices sont notés selon cette dernière.",
        "en": f"This notebook is from version {theirs} of the course, the grader from version {ours}: "
        "the exercises are marked according to the latter.",
    }


def cell(kind: str, start: str, detail: str) -> Text:
    """Say what happened to the cell that starts with `start`; `kind` is error, shell, timeout or crashed."""
    fr = {
        "error": f"s’est arrêtée sur {detail}. Les cellules suivantes ont été exécutées.",
        "shell": f"contient une commande du système, qui n’a pas été exécutée : {detail}",
        "timeout": "ne finissait pas et a été interrompue. Les autres cellules ont été exécutées.",
        "crashed": "a arrêté le programme qui l’exécutait. Les autres cellules ont été exécutées.",
    }
    en = {
        "error": f"stopped on {detail}. The cells after it were run.",
        "shell": f"contains a system command, which was not run: {detail}",
        "timeout": "did not finish, so it was interrupted. The other cells were run.",
        "crashed": "crashed the program that ran it. The other cells were run.",
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


def class_summary(counts: dict[str, int], mean: float | None, where: str) -> Text:
    """Sum up the grading of a class in a few lines."""
    n = sum(counts.values())
    plural = "s" if n > 1 else ""
    texts = {}
    for lang, head, average in (
        ("fr", f"{n} rendu{plural} (", "Moyenne des rendus corrigés : "),
        ("en", f"{n} submission{plural} (", "Mean of the graded: "),
    ):
        lines = [head + ", ".join(f"{STATUS[status][lang]} {count}" for status, count in counts.items() if count) + ")"]
        if mean is not None:
            number = f"{mean:.1f}"
            lines.append(f"{average}{number.replace('.', ',') if lang == 'fr' else number}")
        texts[lang] = "\n".join([*lines, where])
    return texts


def no_such_file(path: str) -> Text:
    """Say that a file is not there."""
    return {"fr": f"le fichier {path} n’existe pas.", "en": f"there is no file {path}."}
