"""What a reader sees: all that is written in a figure, the numbers in a sentence."""

import re

from matplotlib.figure import Figure
from matplotlib.text import Text


def texts(figure: Figure) -> list[str]:
    """List all that is written in a figure."""
    return [item.get_text() for item in figure.findobj(Text) if item.get_text()]


def numbers(text: str) -> list[float]:
    """List the numbers in a text, with the decimal mark of either language."""
    return [float(found.replace(",", ".")) for found in re.findall(r"\d+(?:[.,]\d+)?", text)]
