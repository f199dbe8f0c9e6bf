"""How long a reader waits for a check: the reference and each misconception of every exercise, three times.

python benchmarks/checks.py
"""

import statistics
import time

from ragteach import exercises
from ragteach.checking import run

REPEATS = 3


def seconds(exercise, function, seed: int) -> float:
    """Time one check."""
    start = time.perf_counter()
    run(exercise, function, seed)
    return time.perf_counter() - start


def main() -> None:
    run(exercises.all()[0], exercises.all()[0].reference)  # loads hypothesis: the first check of a kernel pays it once
    everything = []
    print(f"{'exercise':<24} {'right answer':>14} {'wrong answers':>14} {'slowest':>9}   (seconds: medians, maximum)")
    for exercise in exercises.all():
        right = [seconds(exercise, exercise.reference, seed) for seed in range(REPEATS)]
        wrong = [
            seconds(exercise, misconception.function, seed)
            for misconception in exercise.misconceptions
            for seed in range(REPEATS)
        ]
        everything += right + wrong
        medians = statistics.median(right), statistics.median(wrong)
        print(f"{exercise.id:<24} {medians[0]:>14.3f} {medians[1]:>14.3f} {max(right + wrong):>9.3f}")
    print(f"median of all {len(everything)} checks: {statistics.median(everything):.3f} s")


if __name__ == "__main__":
    main()
