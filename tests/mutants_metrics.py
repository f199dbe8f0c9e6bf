"""Mutants of chapter 05's references that do nothing wrong that an exercise asks about: see mutants.py."""

CHANCE = "drawing once more or less, or from another seed, is within what chance may do"
TINY = "a tolerance for rounding: any number that is tiny beside the differences will do"

BOOTSTRAP = (
    "def bootstrap_ci(values: Sequence[float], level: float=0.95, n_resamples: int=1000, seed: int=0) "
    "-> tuple[float, float]:"
)
PAIRED = (
    "def paired_permutation_test(a: Sequence[float], b: Sequence[float], n_permutations: int=1000, seed: int=0) "
    "-> float:"
)

EQUIVALENT = {
    "metrics.bootstrap_ci": {
        f"1000 -> 1001 in: {BOOTSTRAP}": CHANCE,
        f"1000 -> 999 in: {BOOTSTRAP}": CHANCE,
        f"0 -> 1 in: {BOOTSTRAP}": CHANCE,
    },
    "metrics.paired_test": {
        f"1000 -> 1001 in: {PAIRED}": CHANCE,
        f"1000 -> 999 in: {PAIRED}": CHANCE,
        f"0 -> 1 in: {PAIRED}": CHANCE,
        "1e-12 * np.abs(differences).mean() -> 1e-12 / np.abs(differences).mean() in: "
        "rounding = 1e-12 * np.abs(differences).mean()": TINY,
    },
}
