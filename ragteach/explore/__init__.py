"""Pictures that read without colour and without eyes, and explorers with sliders."""

from ragteach.explore.bm25 import bm25_explorer, index_figure, two_groups_figure
from ragteach.explore.figures import bars, curves, number, show, stacked, table
from ragteach.explore.running_table import milestones

__all__ = [
    "bars",
    "bm25_explorer",
    "curves",
    "index_figure",
    "milestones",
    "number",
    "show",
    "stacked",
    "table",
    "two_groups_figure",
]
