"""What the explorers share: controls above the page that they give, and a still page in a stored notebook."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from IPython.display import display

from ragteach.explore.figures import show_html

if TYPE_CHECKING:
    from ipywidgets import HTML, DOMWidget, VBox

LINES = "line-height: 1.4; white-space: normal"
"""Style of a page: ipywidgets would otherwise space its lines as those of a form."""


def static() -> bool:
    """Tell whether a notebook is being stored: RAGTEACH_STATIC is then 1, and must not depend on who runs it."""
    return os.environ.get("RAGTEACH_STATIC") == "1"


def page(body: str, lang: str) -> str:
    """Put HTML on a page of its language."""
    return f'<div lang="{lang}" style="{LINES}">{body}</div>'


def result_of(controls: Iterable[DOMWidget], html: Callable[[], str]) -> HTML:
    """Make a widget that holds a page, written now and again whenever one of the controls changes."""
    import ipywidgets as widgets

    result = widgets.HTML()

    def refresh(change: object = None) -> None:
        result.value = html()

    for control in controls:
        control.observe(refresh, names="value")
    refresh()
    return result


def show_explorer(live: Callable[[], VBox], still: Callable[[], str], note: str) -> None:
    """Display an explorer; in a stored notebook a page stands for it, and below it a note that says so."""
    if static():
        show_html(f"{still()}<p>{note}</p>", note)
    else:
        display(live())
