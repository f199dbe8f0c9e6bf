"""The robot corpus of the course, its questions, and the passages that answer them."""

from ragteach.corpus.chunks import Chunk, chunk, relevant_chunks
from ragteach.corpus.loading import Corpus, Document, Passage, Question, load

__all__ = ["Chunk", "Corpus", "Document", "Passage", "Question", "chunk", "load", "relevant_chunks"]
