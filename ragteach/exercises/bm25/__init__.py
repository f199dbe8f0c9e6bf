"""Chapter 02: BM25 and the inverted index."""

from ragteach.checking.exercise import Chapter
from ragteach.exercises.bm25.explain import EXPLAIN
from ragteach.exercises.bm25.index import INVERTED_INDEX
from ragteach.exercises.bm25.quiz import PREDICTIONS, QUIZ
from ragteach.exercises.bm25.rarity import BIM_WEIGHT, IDF
from ragteach.exercises.bm25.scores import SCORES
from ragteach.exercises.bm25.search import SEARCH
from ragteach.exercises.bm25.tokens import TOKENIZE
from ragteach.exercises.bm25.weight import TERM_WEIGHT

CHAPTER = Chapter(
    id="02_bm25",
    title={"fr": "BM25 et l’index inversé", "en": "BM25 and the inverted index"},
    exercises=(TOKENIZE, INVERTED_INDEX, BIM_WEIGHT, IDF, TERM_WEIGHT, SCORES, SEARCH, EXPLAIN),
    quiz=QUIZ,
    predictions=PREDICTIONS,
)
