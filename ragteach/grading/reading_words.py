"""The sentences about a submitted file, French and English side by side."""

from collections.abc import Sequence

from ragteach.checking.exercise import Text

NAMED = 10  # files that a sentence names

EMPTY: Text = {
    "fr": "Le fichier est vide. Enregistrez votre carnet, vérifiez qu’il s’ouvre dans JupyterLab, puis rendez-le de "
    "nouveau.",
    "en": "The file is empty. Save your notebook, check that it opens in JupyterLab, then hand it in again.",
}
NO_JSON: Text = {
    "fr": "Le fichier n’est pas du JSON lisible : ce n’est pas un carnet, ou il a été abîmé. "
    "Vérifiez qu’il s’ouvre dans JupyterLab, puis rendez-le de nouveau.",
    "en": "The file is not readable JSON: it is not a notebook, or it is damaged. Check that it opens in JupyterLab, "
    "then hand it in again.",
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
TOO_MANY: Text = {
    "fr": "Le carnet a trop de cellules ou de lignes pour être lu (20 000 cellules au plus). Rendez le carnet "
    "d’exercices, avec vos réponses seulement.",
    "en": "The notebook has too many cells or lines to be read (20,000 cells at most). Hand in the exercise notebook, "
    "with your answers only.",
}
OTHER_COURSE: Text = {
    "fr": "Ce carnet n’est pas un carnet d’exercices de ce cours : rien n’y dit à quel chapitre il appartient. "
    "Rendez celui du dossier exercises.",
    "en": "This is not an exercise notebook of this course: nothing in it tells which chapter it belongs to. Hand in "
    "the one from the folder exercises.",
}
LESSON: Text = {
    "fr": "Ce carnet est celui du cours, pas celui des exercices (dossier exercises, même nom) : seules les fonctions "
    "qu’il contient ont pu être notées.",
    "en": "This is the lesson notebook, not the exercise notebook (same name, in the folder exercises): only the "
    "functions that it contains could be marked.",
}
SOLUTIONS: Text = {
    "fr": "Ce carnet est le corrigé du cours (dossier solutions), pas celui des exercices (dossier exercises, même "
    "nom). Il a été noté tel quel.",
    "en": "This is the course’s solutions notebook (folder solutions), not the exercise notebook (same name, in the "
    "folder exercises). It was marked as it is.",
}
LINK: Text = {
    "fr": "Le fichier est un lien vers un autre endroit, qui n’est pas suivi : rendez le carnet lui-même.",
    "en": "The file is a link to another place, which is not followed: hand in the notebook itself.",
}
ENCODING: Text = {
    "fr": "Le fichier n’est pas enregistré en UTF-8 : il a été lu comme du Windows-1252, et quelques accents peuvent "
    "en souffrir.",
    "en": "The file is not saved as UTF-8: it was read as Windows-1252, and some accented letters may be wrong.",
}

NESTED_ARCHIVE: Text = {
    "fr": "Le carnet est dans un zip, lui-même dans un zip, qui n’est pas ouvert : rendez le carnet lui-même.",
    "en": "The notebook is in a zip inside another zip, which is not opened: hand in the notebook itself.",
}
ARCHIVE_BROKEN: Text = {
    "fr": "Ce zip ne peut pas être ouvert : le fichier est abîmé, ou n’est pas un zip.",
    "en": "This zip cannot be opened: the file is damaged, or is not a zip.",
}
ARCHIVE_TOO_MANY: Text = {
    "fr": "Ce zip contient trop de fichiers pour être ouvert : rendez le carnet lui-même.",
    "en": "This zip holds too many files to be opened: hand in the notebook itself.",
}
ARCHIVE_TOO_BIG: Text = {
    "fr": "Ce zip n’a pas été ouvert jusqu’au bout : son contenu est démesuré par rapport à sa taille.",
    "en": "This zip was not opened to its end: its contents are out of all proportion to its size.",
}
EMPTY_ARCHIVE: Text = {
    "fr": "Ce zip ne contient aucun carnet (.ipynb).",
    "en": "This zip contains no notebook (.ipynb).",
}
MEMBER_BROKEN: Text = {
    "fr": "Le carnet n’a pas pu être sorti du zip : il y est abîmé, ou son nom ne convient pas.",
    "en": "The notebook could not be taken out of the zip: it is damaged there, or its name will not do.",
}
MEMBER_PLACE: Text = {
    "fr": "Le fichier n’a pas pu être sorti du zip : ses dossiers y sont trop nombreux, ou leurs noms trop longs ou "
    "déjà pris. Rendez le carnet seul, hors de tout dossier.",
    "en": "The file could not be taken out of the zip: it lies in too many folders there, or their names are too long "
    "or taken. Hand in the notebook alone, in no folder.",
}
ENCRYPTED: Text = {
    "fr": "Le carnet est protégé par un mot de passe dans le zip : rendez-le sans.",
    "en": "The notebook is protected by a password in the zip: hand it in without one.",
}


def bad_path(path: str, reason: Text) -> Text:
    """Say why a path cannot be read."""
    return {"fr": f"{path} : {reason['fr']}", "en": f"{path}: {reason['en']}"}


def cannot_unpack(archive: str, folder: str, why: str) -> Text:
    """Say that this computer has no room for a zip, which is no student's fault."""
    return {
        "fr": f"{folder} : {archive} n’a pas pu y être décompressé ({why}). Les rendus n’y sont pour rien : "
        "faites de la place, ou donnez un autre dossier temporaire (variable TMPDIR, ou TEMP sous Windows), puis "
        "relancez la même commande.",
        "en": f"{folder}: {archive} could not be unpacked there ({why}). That is no submission’s fault: make room, "
        "or name another temporary folder (variable TMPDIR, or TEMP on Windows), then run the same command again.",
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


def heavy(megabytes: int) -> Text:
    """Say that outputs were left out of a big file."""
    return {
        "fr": f"Le fichier pèse {megabytes} Mo : ses sorties et ses widgets n’ont pas été lus. La prochaine fois, "
        "effacez-les avant de rendre le carnet.",
        "en": f"The file weighs {megabytes} MB: its outputs and widgets were not read. Next time, clear them before "
        "you hand it in.",
    }


def other_version(theirs: str | None, ours: str) -> Text:
    """Say that notebook and package are of different versions of the course."""
    return {
        "fr": f"Ce carnet est de la version {theirs} du cours, le correcteur de la version {ours} : "
        "les exercices sont notés selon cette dernière.",
        "en": f"This notebook is from version {theirs} of the course, the grader from version {ours}: "
        "the exercises are marked according to the latter.",
    }


def duplicated(entries: Sequence[str]) -> Text:
    """Say that functions are defined in several cells."""
    names = ", ".join(entries)
    return {
        "fr": f"Définies dans plusieurs cellules : {names}. Compte la version donnée à check, à défaut celle de la "
        "cellule de l’exercice.",
        "en": f"Defined in several cells: {names}. The version given to check counts, or else that of the exercise’s "
        "own cell.",
    }


def split(entries: Sequence[str]) -> Text:
    """Say that the cells of some exercises were split or copied."""
    names = ", ".join(entries)
    return {
        "fr": f"La cellule de ces exercices a été coupée en plusieurs : {names}. Compte celle qui définit la fonction.",
        "en": f"The cell of these exercises was split: {names}. The one that defines the function counts.",
    }


def retyped(entries: Sequence[str]) -> Text:
    """Say that answers stand in cells of text."""
    names = ", ".join(entries)
    return {
        "fr": f"Une cellule de code est devenue une cellule de texte : {names}. Elle a été exécutée tout de même ; "
        "dans JupyterLab, Échap puis Y la rétablit.",
        "en": f"A code cell became a text cell: {names}. It was run all the same; in JupyterLab, Esc then Y turns it "
        "back.",
    }


def missing(entries: Sequence[str]) -> Text:
    """Say that the notebook has no cell for some exercises."""
    names = ", ".join(entries)
    return {
        "fr": f"Le carnet n’a plus de cellule pour ces fonctions : {names}.",
        "en": f"The notebook has no cell for these functions any more: {names}.",
    }


def set_aside(attempts: Sequence[str], no_attempts: Sequence[str], unread: Sequence[str], policy: str) -> list[Text]:
    """Say which other notebooks of the same student did not count, and why; `policy` is last or best."""
    why = {
        "last": {"fr": "le dernier remis compte", "en": "the last one counts"},
        "best": {"fr": "le meilleur compte", "en": "the best one counts"},
    }[policy]
    told = (
        (
            attempts,
            f"Autres carnets rendus, qui n’ont pas compté ({why['fr']})",
            f"Other notebooks handed in, which did not count ({why['en']})",
        ),
        (
            no_attempts,
            "Laissés de côté, car ce ne sont pas des essais (copie intacte, fichier illisible, leçon ou corrigé du "
            "cours)",
            "Left out, as they are no attempts (an untouched copy, a file that cannot be read, or the course’s own "
            "lesson or solutions)",
        ),
        (
            unread,
            "Laissés de côté sans être lus, car il y a trop de carnets et ce sont les plus anciens",
            "Left out unread, as there are too many notebooks and these are the oldest",
        ),
    )
    return [
        {"fr": f"{fr} : {listed(files)['fr']}.", "en": f"{en}: {listed(files)['en']}."}
        for files, fr, en in told
        if files
    ]


def listed(files: Sequence[str], most: int = NAMED) -> Text:
    """Name files, of many the first ones, and count the others."""
    names, more = ", ".join(files[:most]), len(files) - most
    if more <= 0:
        return {"fr": names, "en": names}
    return {"fr": f"{names} et {more} autre{'s' if more > 1 else ''}", "en": f"{names} and {more} more"}


def other_files(files: Sequence[str]) -> Text:
    """Say what a student handed in who handed in no notebook."""
    names = listed(files)
    return {
        "fr": f"Aucun carnet (.ipynb) n’a été rendu, mais : {names['fr']}. Rendez le carnet lui-même.",
        "en": f"No notebook (.ipynb) was handed in, but: {names['en']}. Hand in the notebook itself.",
    }


def left_out(n: int) -> Text:
    """Say that results of an earlier run are in none of the tables."""
    several = n > 1
    return {
        "fr": f"{n} rendu{'s' if several else ''} d’une correction précédente dans ce dossier "
        f"n{'e sont' if several else '’est'} pas parmi ceux-ci, ni dans les tableaux : "
        "donnez tous les chemins ensemble pour n’avoir qu’un tableau.",
        "en": f"{n} submission{'s' if several else ''} of an earlier run in this folder "
        f"{'are' if several else 'is'} not among these, nor in the tables: give all paths together to have one table.",
    }


def mean(points: float, most: int, chapter: str = "") -> Text:
    """Write the mean of the graded submissions; `chapter` names theirs where there are several."""
    number = f"{points:.1f}"
    french = f"Moyenne, {chapter}" if chapter else "Moyenne des rendus corrigés"
    return {
        "fr": f"{french} : {number.replace('.', ',')} sur {most}",
        "en": f"{f'Mean, {chapter}' if chapter else 'Mean of the graded'}: {number} out of {most}",
    }


NO_OUT: Text = {
    "fr": "--out doit nommer un dossier, qui ne soit pas le dossier courant.",
    "en": "--out must name a folder, and not the current one.",
}


def no_folder(file: str) -> Text:
    """Say that results cannot lie at a path because a file is there."""
    return {
        "fr": f"{file} est un fichier : --out doit être un dossier, ou un nom encore libre.",
        "en": f"{file} is a file: --out must be a folder, or a name that is still free.",
    }
