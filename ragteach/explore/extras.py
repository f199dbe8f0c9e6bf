"""Libraries that the course does without."""

from importlib import import_module
from types import ModuleType

from ragteach.explore.widgets import static

TEXT = {
    "fr": "Cette cellule est facultative : elle se sert de {module}. Pour l’essayer : {install}",
    "en": "This cell is optional: it uses {module}. To try it: {install}",
}


def optional(module: str, install: str, lang: str) -> ModuleType | None:
    """Import a library that the course does without; where it is absent, say how to install it and give None.

    None too where RAGTEACH_STATIC is 1: a stored notebook reads the same with the library and without it.
    """
    if not static():
        try:
            return import_module(module)
        except ImportError:
            pass
    print(TEXT[lang].format(module=module, install=install))
    return None
