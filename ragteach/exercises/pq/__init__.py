"""Chapter 07: eight bits a number, then product quantization."""

from ragteach.checking.exercise import Chapter
from ragteach.exercises.pq.distances import DISTANCES
from ragteach.exercises.pq.encoding import ENCODE
from ragteach.exercises.pq.int8 import QUANTIZE
from ragteach.exercises.pq.memory import BYTES
from ragteach.exercises.pq.quiz import PREDICTIONS, QUIZ
from ragteach.exercises.pq.training import TRAIN

CHAPTER = Chapter(
    id="07_pq",
    title={"fr": "Comprimer les vecteurs", "en": "Compress the vectors"},
    exercises=(QUANTIZE, TRAIN, ENCODE, DISTANCES, BYTES),
    quiz=QUIZ,
    predictions=PREDICTIONS,
)
