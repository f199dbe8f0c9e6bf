"""Chapter 05: measure the search alone."""

from ragteach.checking.exercise import Chapter
from ragteach.exercises.metrics.bound import EXPECTED_ACCURACY, REQUIRED_RECALL
from ragteach.exercises.metrics.cut import PRECISION, RECALL
from ragteach.exercises.metrics.doubt import BOOTSTRAP_CI, PAIRED_TEST
from ragteach.exercises.metrics.first import AVERAGE_PRECISION, MRR
from ragteach.exercises.metrics.gains import DCG, NDCG
from ragteach.exercises.metrics.means import BY_SEGMENT, RECALL_CURVE
from ragteach.exercises.metrics.quiz import PREDICTIONS, QUIZ

CHAPTER = Chapter(
    id="05_metrics",
    title={"fr": "Mesurer la recherche seule", "en": "Measure the search alone"},
    exercises=(
        PRECISION,
        RECALL,
        MRR,
        AVERAGE_PRECISION,
        DCG,
        NDCG,
        RECALL_CURVE,
        BY_SEGMENT,
        BOOTSTRAP_CI,
        PAIRED_TEST,
        EXPECTED_ACCURACY,
        REQUIRED_RECALL,
    ),
    quiz=QUIZ,
    predictions=PREDICTIONS,
)
