"""Chapter 01: cut the documents."""

from ragteach.checking.exercise import Chapter
from ragteach.exercises.chunking.contextual import CONTEXTUAL
from ragteach.exercises.chunking.headings import HEADINGS
from ragteach.exercises.chunking.quiz import PREDICTIONS, QUIZ
from ragteach.exercises.chunking.recursive import RECURSIVE
from ragteach.exercises.chunking.semantic import SEMANTIC
from ragteach.exercises.chunking.sentences import SENTENCE_CHUNKS
from ragteach.exercises.chunking.small_to_big import PARENT_CHILD
from ragteach.exercises.chunking.windows import COUNT, WORDS

CHAPTER = Chapter(
    id="01_chunking",
    title={"fr": "Découper les documents", "en": "Cut the documents"},
    exercises=(WORDS, COUNT, SENTENCE_CHUNKS, RECURSIVE, HEADINGS, PARENT_CHILD, CONTEXTUAL, SEMANTIC),
    quiz=QUIZ,
    predictions=PREDICTIONS,
)
