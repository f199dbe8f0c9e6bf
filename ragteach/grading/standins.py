"""What a notebook under grading finds in the place of `ragteach`: a harmless course, and no answers.

Runs inside the worker, which holds no expected value, no reference and no check.
"""

import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from types import ModuleType
from typing import Any

CLOSED = ("ragteach.retrieval", "ragteach.answers", "ragteach.exercises")
HOLLOW = ("ragteach.notebook", "ragteach.explore")
NOTEBOOK_NAMES = ("begin", "hint", "points", "predict", "progress", "quiz", "reveal")

SENTENCE = {
    "fr": "{name} n’est pas disponible pendant la correction : le carnet doit se suffire de vos propres fonctions.",
    "en": "{name} is not available during grading: the notebook must do with your own functions.",
}


class Course:
    """An import hook: closed modules raise ImportError, hollow ones hold functions that do nothing."""

    def __init__(self, check: Callable, lang: str) -> None:
        self.check, self.lang = check, lang

    def find_spec(self, name: str, *_: Any) -> ModuleSpec | None:
        """Answer Python's question where a module comes from."""
        home = ".".join(name.split(".")[:2])
        if home in CLOSED:
            raise ImportError(SENTENCE[self.lang].format(name=home), name=name)
        return ModuleSpec(name, self, is_package=True) if home in HOLLOW else None

    def create_module(self, spec: ModuleSpec) -> None:
        """Leave it to Python to make the module object."""

    def exec_module(self, module: ModuleType) -> None:
        """Fill a hollow module."""
        module.__getattr__ = _any_name
        if module.__name__ == "ragteach.notebook":
            vars(module).update(dict.fromkeys(NOTEBOOK_NAMES, nothing), check=self.check, static=lambda: True)


def install(check: Callable, lang: str) -> None:
    """Put the hook before Python's own finders; `check` is what `ragteach.notebook.check` is in the worker."""
    sys.meta_path.insert(0, Course(check, lang))


def nothing(*args: Any, **kwargs: Any) -> None:
    """Take anything, do nothing."""


def _any_name(name: str) -> Callable:
    if name.startswith("__"):
        raise AttributeError(name)
    return nothing
