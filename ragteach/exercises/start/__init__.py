"""Chapter 00: a RAG in ten minutes."""

from ragteach.checking.exercise import Chapter
from ragteach.exercises.start.best import BEST_CHUNK
from ragteach.exercises.start.quiz import PREDICTIONS, QUIZ
from ragteach.exercises.start.words import COUNT_WORDS

CHAPTER = Chapter(
    id="00_start",
    title={"fr": "Un RAG en dix minutes", "en": "A RAG in ten minutes"},
    exercises=(COUNT_WORDS, BEST_CHUNK),
    quiz=QUIZ,
    predictions=PREDICTIONS,
)
