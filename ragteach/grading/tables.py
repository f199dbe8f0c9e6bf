"""grades.csv, for programs, and grades-excel.csv, the same for a double-click in Excel."""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Any

from ragteach.grading.gradebook import Row

FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n", "\uff1d", "\uff0b", "\uff0d", "\uff20")
EXCEL_SEPARATOR = {"fr": ";", "en": ","}  # what Excel expects, by the system's language


def grades(rows: Sequence[Row], columns: Sequence[str], separator: str = ",") -> str:
    """Write a row for each submission: texts quoted, numbers bare; an empty cell is no zero."""
    lines = [["submission", "status", "points", "max_points", *columns]]
    for row in rows:
        points = [row.points, row.max_points, *(row.earned.get(id) for id in columns)]
        lines.append([row.name, row.status, *("" if n is None else n for n in points)])
    return table(lines, separator)


def table(lines: Sequence[Sequence[Any]], separator: str = ",") -> str:
    """Write CSV in which nothing is taken for a formula."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream, quoting=csv.QUOTE_NONNUMERIC, delimiter=separator)
    writer.writerows([harmless(cell) if isinstance(cell, str) else cell for cell in line] for line in lines)
    return stream.getvalue()


def harmless(text: str) -> str:
    """Keep a spreadsheet from reading a text as a formula."""
    return f"'{text}" if text.lstrip(" ").startswith(FORMULA) else text
