"""The sentences about the teacher's folder, French and English side by side."""

from collections.abc import Sequence

from ragteach.checking.exercise import Text
from ragteach.grading.reading_words import listed

SHOWN = 5


def unwritten(files: Sequence[tuple[str, str]]) -> Text:
    """Say which files could not be written or removed, each with the reason that the system gives."""
    names = listed([f"{file} ({why})" for file, why in files], SHOWN)
    return {
        "fr": f"Fichiers qui n’ont pas pu être écrits ou effacés : {names['fr']}. Tout le reste est à jour. "
        "Remédiez-y (fermez un tableau ouvert dans Excel, libérez de la place), puis relancez la commande avec "
        "--report-only.",
        "en": f"Files that could not be written or removed: {names['en']}. All others are up to date. Set that right "
        "(close a table that is open in Excel, make room on the disk), then run the command again with --report-only.",
    }


def no_lock(folder: str, why: str) -> Text:
    """Say that a folder cannot be kept from a second grader."""
    return {
        "fr": f"{folder} : ce dossier ne peut pas être réservé à une seule correction ({why}), comme il arrive sur un "
        "disque réseau. Donnez à --out un dossier d’un disque de cet ordinateur.",
        "en": f"{folder}: this folder cannot be kept for one grader alone ({why}), as happens on network drives. Give "
        "--out a folder on a disk of this computer.",
    }
