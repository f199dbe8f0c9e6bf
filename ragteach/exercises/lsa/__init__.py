"""Chapter 03: embeddings with TF-IDF and SVD."""

from ragteach.checking.exercise import Chapter
from ragteach.exercises.lsa.cosine import COSINE, SQUARED_DISTANCE
from ragteach.exercises.lsa.decompose import EMBED, FIT
from ragteach.exercises.lsa.late import MAXSIM
from ragteach.exercises.lsa.memory import INDEX_BYTES
from ragteach.exercises.lsa.quiz import PREDICTIONS, QUIZ
from ragteach.exercises.lsa.search import DENSE_SEARCH
from ragteach.exercises.lsa.training import INFO_NCE
from ragteach.exercises.lsa.weights import TFIDF

CHAPTER = Chapter(
    id="03_lsa",
    title={"fr": "Des vecteurs par TF-IDF et SVD", "en": "Embeddings with TF-IDF and SVD"},
    exercises=(TFIDF, COSINE, SQUARED_DISTANCE, FIT, EMBED, DENSE_SEARCH, INFO_NCE, MAXSIM, INDEX_BYTES),
    quiz=QUIZ,
    predictions=PREDICTIONS,
)
