"""What the tests of several files share as fixtures."""

import pytest


@pytest.fixture
def shown(monkeypatch):
    """Collect what a cell displays, as (text/plain, text/html) or a widget, instead of displaying it."""
    from ragteach.explore import figures, widgets  # matplotlib, which most tests do without

    found = []

    def display(thing, raw=False):
        found.append((thing["text/plain"], thing["text/html"]) if raw else thing)

    for module in (figures, widgets):
        monkeypatch.setattr(module, "display", display)
    return found
