"""Pictures that read without colour and without eyes, and explorers with sliders."""

from ragteach.explore.bm25 import bm25_explorer, index_figure, two_groups_figure
from ragteach.explore.chunking import (
    chunk_viewer,
    column_pdf,
    dips_figure,
    lanes_figure,
    late_chunking_figure,
    neighbour_similarities,
    show_chunks,
)
from ragteach.explore.extras import optional
from ragteach.explore.figures import bars, curves, number, show, stacked, table
from ragteach.explore.fusion import bump_figure, choice_figure, fusion_explorer, mmr_explorer, overlapping
from ragteach.explore.hnsw_build import hnsw_builder
from ragteach.explore.hnsw_figures import friends_figure, graph_figure, growth_figure, recall_figure
from ragteach.explore.hnsw_walk import hnsw_walker
from ragteach.explore.ivf import cells_explorer, rounds_figure, stopwatch, trade_off
from ragteach.explore.lsa import chord_figure, grid_figure, lsa_map, plane_figure
from ragteach.explore.metrics import histograms, intervals, metrics_explorer, passages, ranking_figure, ranking_text
from ragteach.explore.pq import (
    codebook_explorer,
    compression_figure,
    decoded_figure,
    levels_figure,
    plane_subvectors,
    product_figure,
)
from ragteach.explore.pq_table import look_up_explorer
from ragteach.explore.running_table import milestones
from ragteach.explore.start import pipeline_figure

__all__ = [
    "bars",
    "bm25_explorer",
    "bump_figure",
    "cells_explorer",
    "choice_figure",
    "chord_figure",
    "chunk_viewer",
    "codebook_explorer",
    "column_pdf",
    "compression_figure",
    "curves",
    "decoded_figure",
    "dips_figure",
    "friends_figure",
    "fusion_explorer",
    "graph_figure",
    "grid_figure",
    "growth_figure",
    "histograms",
    "hnsw_builder",
    "hnsw_walker",
    "index_figure",
    "intervals",
    "lanes_figure",
    "late_chunking_figure",
    "levels_figure",
    "look_up_explorer",
    "lsa_map",
    "metrics_explorer",
    "milestones",
    "mmr_explorer",
    "neighbour_similarities",
    "number",
    "optional",
    "overlapping",
    "passages",
    "pipeline_figure",
    "plane_figure",
    "plane_subvectors",
    "product_figure",
    "ranking_figure",
    "ranking_text",
    "recall_figure",
    "rounds_figure",
    "show",
    "show_chunks",
    "stacked",
    "stopwatch",
    "table",
    "trade_off",
    "two_groups_figure",
]
