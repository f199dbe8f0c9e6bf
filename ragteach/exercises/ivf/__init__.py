"""Chapter 06: exact search, then cells."""

from ragteach.checking.exercise import Chapter
from ragteach.exercises.ivf.cells import ASSIGN, BUILD_CELLS
from ragteach.exercises.ivf.exact import EXACT
from ragteach.exercises.ivf.filtered import FILTERED
from ragteach.exercises.ivf.kmeans import KMEANS
from ragteach.exercises.ivf.quiz import PREDICTIONS, QUIZ
from ragteach.exercises.ivf.recall import ANN_RECALL
from ragteach.exercises.ivf.search import SEARCH

CHAPTER = Chapter(
    id="06_ivf",
    title={"fr": "Recherche exacte, puis cellules", "en": "Exact search, then cells"},
    exercises=(EXACT, ASSIGN, KMEANS, BUILD_CELLS, SEARCH, ANN_RECALL, FILTERED),
    quiz=QUIZ,
    predictions=PREDICTIONS,
)
