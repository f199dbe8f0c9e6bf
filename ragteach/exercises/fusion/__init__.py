"""Chapter 04: hybrid search, reranking, diversity."""

from ragteach.checking.exercise import Chapter
from ragteach.exercises.fusion.concepts import CONCEPT_SCORE
from ragteach.exercises.fusion.diversity import MMR
from ragteach.exercises.fusion.quiz import PREDICTIONS, QUIZ
from ragteach.exercises.fusion.reranking import HYBRID, RERANK
from ragteach.exercises.fusion.rrf import RRF, RRF_SCORES
from ragteach.exercises.fusion.scale import MIN_MAX
from ragteach.exercises.fusion.weighted import WEIGHTED_RRF

CHAPTER = Chapter(
    id="04_fusion",
    title={"fr": "Hybride, reclassement, diversité", "en": "Hybrid search, reranking, diversity"},
    exercises=(MIN_MAX, RRF_SCORES, RRF, WEIGHTED_RRF, RERANK, CONCEPT_SCORE, MMR, HYBRID),
    quiz=QUIZ,
    predictions=PREDICTIONS,
)
