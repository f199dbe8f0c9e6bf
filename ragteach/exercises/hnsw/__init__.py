"""Chapter 08: HNSW, a navigable graph."""

from ragteach.checking.exercise import Chapter
from ragteach.exercises.hnsw.choose import SELECT
from ragteach.exercises.hnsw.greedy import GREEDY
from ragteach.exercises.hnsw.insertion import INSERT
from ragteach.exercises.hnsw.layer import SEARCH_LAYER
from ragteach.exercises.hnsw.level import LEVEL
from ragteach.exercises.hnsw.link import CONNECT
from ragteach.exercises.hnsw.quiz import PREDICTIONS, QUIZ
from ragteach.exercises.hnsw.search import SEARCH

CHAPTER = Chapter(
    id="08_hnsw",
    title={"fr": "HNSW, un graphe navigable", "en": "HNSW, a navigable graph"},
    exercises=(LEVEL, GREEDY, SEARCH_LAYER, SELECT, CONNECT, INSERT, SEARCH),
    quiz=QUIZ,
    predictions=PREDICTIONS,
)
