"""The robot corpus of the course, its questions, and the passages that answer them."""

from ragteach.corpus.chunks import Chunk, chunk, locate
from ragteach.corpus.folder import load_folder
from ragteach.corpus.loading import load
from ragteach.corpus.records import Corpus, Document, Passage, Question
from ragteach.corpus.relevance import passages_found, relevance, relevant_chunks

__all__ = [
    "Chunk",
    "Corpus",
    "Document",
    "Passage",
    "Question",
    "chunk",
    "load",
    "load_folder",
    "locate",
    "passages_found",
    "relevance",
    "relevant_chunks",
]
