"""Which function answers an exercise, and the clean namespace in which it is called. Runs inside the worker."""

from collections.abc import Callable
from typing import Any


class Namespace:
    """The notebook's variables, with what the reader gave for each exercise and how things stood at that moment.

    A function is called among the variables that it had when the reader checked it; those that only came later
    fill the gaps. Variables are put back before each call, so that nothing an earlier call left behind is seen.
    (They are put back in the one dict that all functions of the notebook read their globals from: that holds
    for methods, closures and decorated functions too.)
    """

    def __init__(self, variables: dict[str, Any]) -> None:
        self.variables = variables
        self.final: dict[str, Any] = {}
        self.checked: dict[str, tuple[Any, dict[str, Any]]] = {}
        self.defined: dict[str, tuple[Any, dict[str, Any]]] = {}

    def check(self, exercise: str = "", function: Any = None, *_: Any, **__: Any) -> Any:
        """Stand in for `ragteach.notebook.check`: note the function and give it back as it is."""
        if isinstance(exercise, str):
            self.checked[exercise] = function, dict(self.variables)
        return function

    def after_cell(self, exercise: str, entry: str) -> None:
        """Note what the cell of an exercise defined."""
        if callable(self.variables.get(entry)):
            self.defined[exercise] = self.variables[entry], dict(self.variables)

    def after_notebook(self) -> None:
        """Note how things stand when every cell has run."""
        self.final = dict(self.variables)

    def answer(self, exercise: str, entry: str) -> tuple[Any, dict[str, Any]]:
        """Find the reader's answer to an exercise, and the variables of that moment.

        The function last given to check, else the one that the exercise's cell defined, else the notebook's
        final variable of that name; where none is a function, what was found instead (None: nothing).
        """
        candidates = [self.checked.get(exercise), self.defined.get(exercise), (self.final.get(entry), self.final)]
        found = [candidate for candidate in candidates if candidate is not None]
        return next((one for one in found if callable(one[0])), found[0])

    def prepare(self, exercise: str, entry: str, own: dict[str, str], stand_ins: dict[str, Callable]) -> Any:
        """Put the variables back for a call of an exercise, and return the function to call.

        `own` maps names to the exercises whose right answers of the reader's stand under them, `stand_ins`
        names to functions that replace the wrong ones.
        """
        function, moment = self.answer(exercise, entry)
        variables = {**self.final, **moment}
        variables.update({name: self.answer(id, name)[0] for name, id in own.items()})
        variables.update(stand_ins)
        variables[entry] = function
        self.variables.clear()
        self.variables.update(variables)
        return function
