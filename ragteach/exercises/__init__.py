"""The exercises of the course: what is asked, what is checked, the known misconceptions, the hints.

A chapter's module is imported when something of that chapter is asked for, and not before.
"""

from difflib import get_close_matches
from importlib import import_module

from ragteach.checking.exercise import Chapter, Exercise, Prediction

MODULES = {
    "00_start": "start",
    "01_chunking": "chunking",
    "02_bm25": "bm25",
    "03_lsa": "lsa",
    "04_fusion": "fusion",
    "05_metrics": "metrics",
    "06_ivf": "ivf",
    "07_pq": "pq",
    "08_hnsw": "hnsw",
}
"""Chapter folder -> module of this package, in the order of the course; ids begin with the module's name."""


def get(id: str) -> Exercise:
    """Return one exercise by its id, such as "bm25.idf". Raises ValueError for an unknown id, naming near ones."""
    for exercise in _of_module(id, "exercises"):
        if exercise.id == id:
            return exercise
    raise ValueError(f"There is no exercise {id!r}; the nearest are {', '.join(nearest(id))}.")


def nearest(id: str) -> list[str]:
    """Return the ids of the three exercises that are written most like this one."""
    return _nearest(id, [exercise.id for exercise in all()])


def prediction(id: str) -> Prediction:
    """Return one prediction by its id, such as "bm25.saturation". Raises ValueError for an unknown id."""
    for found in _of_module(id, "predictions"):
        if found.id == id:
            return found
    known = [found.id for chapter in chapters() for found in chapter.predictions]
    raise ValueError(f"There is no prediction {id!r}; the nearest are {', '.join(_nearest(id, known))}.")


def all() -> tuple[Exercise, ...]:
    """Return every exercise in the order of the course."""
    return tuple(exercise for chapter in chapters() for exercise in chapter.exercises)


def chapter(id: str) -> Chapter:
    """Return one chapter by the name of its folder, such as "02_bm25". Raises ValueError for an unknown one."""
    if id not in MODULES:
        raise ValueError(f"There is no chapter {id!r}; the nearest are {', '.join(_nearest(id, list(MODULES)))}.")
    return _load(MODULES[id])


def chapters() -> tuple[Chapter, ...]:
    """Return every chapter in the order of the course."""
    return tuple(_load(module) for module in MODULES.values())


def _load(module: str) -> Chapter:
    return import_module(f"{__name__}.{module}").CHAPTER


def _of_module(id: str, what: str) -> tuple:
    """Return the exercises or predictions of the chapter that an id belongs to by its first part; () for none."""
    module = str(id).partition(".")[0]
    return getattr(_load(module), what) if module in MODULES.values() else ()


def _nearest(id: str, known: list[str]) -> list[str]:
    return get_close_matches(str(id), known, n=3, cutoff=0)
