"""metrics.bootstrap_ci and metrics.paired_test: how far a mean over questions can be trusted."""

from __future__ import annotations

from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from ragteach.checking.exercise import Example, Exercise, Misconception
from ragteach.exercises.metrics.chance import interval_judge, p_value_judge
from ragteach.exercises.metrics.inputs import eighths
from ragteach.retrieval.statistics import bootstrap_ci, paired_permutation_test

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

EIGHT = [1, 1, 0, 1, 0, 1, 1, 0]
FORTY = [1] * 30 + [0] * 10
UNEVEN = [0.0, 0.125, 0.25, 0.375, 0.5, 0.75, 0.875, 1.0]


def ci_inputs() -> SearchStrategy[tuple]:
    """Draw up to eight scores, a level, a number of resamples and a seed."""
    from hypothesis import strategies as st

    values = st.lists(eighths(), min_size=1, max_size=8)
    usual = st.tuples(values, st.sampled_from((0.95, 0.9, 0.8, 0.5)), st.sampled_from((60, 30)), st.integers(0, 3))
    # With many resamples chance hides little: which quantiles are taken, and of what, can be told.
    spread = st.lists(eighths(), min_size=5, max_size=8, unique=True)
    spread = st.tuples(spread, st.sampled_from((0.5, 0.6)), st.sampled_from((300, 600)), st.integers(0, 3))
    skew = st.tuples(
        st.integers(4, 7), st.sampled_from((0.95, 0.9, 0.5)), st.sampled_from((300, 600)), st.integers(0, 3)
    )
    return st.one_of(usual, spread, skew.map(lambda drawn: ([1.0] + [0.0] * drawn[0], *drawn[1:])))


def test_inputs() -> SearchStrategy[tuple]:
    """Draw the scores of two systems on 1, 2, 4 or 8 questions, a number of permutations and a seed."""
    from hypothesis import strategies as st

    def pairs(n: int, n_permutations: tuple[int, ...] = (60, 30)) -> SearchStrategy[tuple]:
        scores = st.lists(eighths(), min_size=n, max_size=n)
        return st.tuples(scores, scores, st.sampled_from(n_permutations), st.integers(0, 3))

    # One system always the better: no draw, or hardly any, reaches the observed difference.
    low, high = (
        st.lists(values.map(lambda n: n / 8), min_size=8, max_size=8)
        for values in (st.integers(0, 3), st.integers(4, 8))
    )
    far = st.tuples(low, high, st.sampled_from((60, 30)), st.integers(0, 3))
    return st.one_of(*map(pairs, (1, 2, 4)), pairs(8, (600, 300)), pairs(8, (600, 300)), far, far)


test_inputs.__test__ = False  # no test of pytest's


def quantiles(drawn, level):
    low, high = np.quantile(drawn, [(1 - level) / 2, (1 + level) / 2])
    return float(low), float(high)


def resampled(values, n_resamples, seed, size=None):
    rng = np.random.default_rng(seed)
    return [rng.choice(values, size=size or len(values)).mean() for _ in range(n_resamples)]


def spread_of_values(values, level=0.95, n_resamples=1000, seed=0):
    return quantiles(values, level)


def normal(values, level=0.95, n_resamples=1000, seed=0):
    half = NormalDist().inv_cdf((1 + level) / 2) * np.std(values) / len(values) ** 0.5
    return float(np.mean(values) - half), float(np.mean(values) + half)


def resamples_too_large(values, level=0.95, n_resamples=1000, seed=0):
    return quantiles(resampled(values, n_resamples, seed, size=n_resamples), level)


def generator_recreated(values, level=0.95, n_resamples=1000, seed=0):
    (mean,) = resampled(values, 1, seed)  # every draw is the first one
    return mean, mean


def both_tails_whole(values, level=0.95, n_resamples=1000, seed=0):
    return tuple(np.quantile(resampled(values, n_resamples, seed), [1 - level, level]))


def fractions_as_percents(values, level=0.95, n_resamples=1000, seed=0):
    return tuple(np.percentile(resampled(values, n_resamples, seed), [(1 - level) / 2, (1 + level) / 2]))


def extremes(values, level=0.95, n_resamples=1000, seed=0):
    drawn = resampled(values, n_resamples, seed)
    return min(drawn), max(drawn)


def level_ignored(values, level=0.95, n_resamples=1000, seed=0):
    return bootstrap_ci(values, 0.95, n_resamples, seed)


def without_replacement(values, level=0.95, n_resamples=1000, seed=0):
    rng = np.random.default_rng(seed)
    return quantiles([rng.choice(values, len(values), replace=False).mean() for _ in range(n_resamples)], level)


def sizes_swapped(values, level=0.95, n_resamples=1000, seed=0):
    return quantiles(resampled(values, len(values), seed, size=n_resamples), level)


def reversed_bounds(values, level=0.95, n_resamples=1000, seed=0):
    return bootstrap_ci(values, level, n_resamples, seed)[::-1]


def sums_not_means(values, level=0.95, n_resamples=1000, seed=0):
    return tuple(len(values) * bound for bound in bootstrap_ci(values, level, n_resamples, seed))


BOOTSTRAP_CI = Exercise(
    id="metrics.bootstrap_ci",
    chapter="05_metrics",
    entry="bootstrap_ci",
    title={"fr": "Un intervalle de confiance", "en": "A confidence interval"},
    points=3,
    importance=3,
    minutes=6,
    reference=bootstrap_ci,
    judge=interval_judge,
    examples=(
        Example(
            (EIGHT,),
            {
                "fr": "Cinq succès sur huit questions : la moyenne est 0,625, et le doute est immense.",
                "en": "Five successes in eight questions: the mean is 0.625, and the doubt is huge.",
            },
        ),
        Example(
            (EIGHT, 0.8),
            {
                "fr": "Moins exigeant (80 %), l’intervalle est plus étroit : 10 % des moyennes de chaque côté.",
                "en": "Less demanding (80%), the interval is narrower: 10% of the means on either side.",
            },
        ),
        Example(
            (FORTY, 0.95, 1000, 1),
            {
                "fr": "Quarante questions : l’intervalle se resserre. Un autre seed changerait peu les bornes.",
                "en": "Forty questions: the interval tightens. Another seed would change the bounds little.",
            },
        ),
        Example(
            (UNEVEN, 0.5, 2500),
            {
                "fr": "Une moyenne sur deux est dans l’intervalle à 50 %.",
                "en": "One mean in two lies in the 50% interval.",
            },
        ),
        Example(
            ([0, 0, 0, 0, 0, 0, 0, 1],),
            {
                "fr": "Un seul succès : les bornes restent entre 0 et 1, et l’intervalle n’est pas symétrique.",
                "en": "A single success: the bounds stay between 0 and 1, and the interval is not symmetric.",
            },
        ),
        Example(
            ([0.25, 0.25, 0.25], 0.95, 100),
            {
                "fr": "Trois valeurs égales : tous les rééchantillons se ressemblent, (0,25, 0,25).",
                "en": "Three equal values: all resamples are alike, (0.25, 0.25).",
            },
        ),
        Example(
            ([0.5], 0.95, 100),
            {
                "fr": "Une seule question : l’intervalle est réduit à un point. Le bootstrap ne connaît que ce qu’il "
                "a vu.",
                "en": "One question: the interval shrinks to a point. The bootstrap only knows what it has seen.",
            },
        ),
        Example(
            (EIGHT, 0.95, 1),
            {
                "fr": "Un seul tirage est permis : les deux bornes sont sa moyenne.",
                "en": "A single draw is allowed: both bounds are its mean.",
            },
        ),
        Example(
            ([],),
            {"fr": "Aucune valeur : levez une ValueError.", "en": "No value: raise a ValueError."},
        ),
        Example(
            (EIGHT, 1),
            {
                "fr": "level est strictement entre 0 et 1 : 1 (ou 95) lève une ValueError.",
                "en": "level lies strictly between 0 and 1: 1 (or 95) raises a ValueError.",
            },
        ),
        Example(
            (EIGHT, 0),
            {"fr": "level = 0 : ValueError aussi.", "en": "level = 0: ValueError too."},
        ),
        Example(
            (EIGHT, 0.95, 0),
            {
                "fr": "n_resamples doit valoir au moins 1 : levez une ValueError.",
                "en": "n_resamples must be at least 1: raise a ValueError.",
            },
        ),
    ),
    inputs=ci_inputs,
    misconceptions=(
        Misconception(
            "level_ignored",
            level_ignored,
            {
                "fr": "Votre intervalle est à 95 % quel que soit level. Calculez les deux quantiles à partir de level.",
                "en": "Your interval is a 95% one whatever level is. Compute both quantiles from level.",
            },
        ),
        Misconception(
            "spread_of_values",
            spread_of_values,
            {
                "fr": "Vous prenez les quantiles des valeurs : c’est la dispersion des questions, pas le doute sur "
                "leur moyenne. Prenez ceux des moyennes rééchantillonnées.",
                "en": "You take the quantiles of the values: that is how questions spread, not how doubtful their mean "
                "is. Take those of the resampled means.",
            },
        ),
        Misconception(
            "without_replacement",
            without_replacement,
            {
                "fr": "Vous tirez sans remise : chaque rééchantillon contient toutes les valeurs et a la même "
                "moyenne. Tirez avec remise (rng.choice le fait, rng.permutation et random.sample non).",
                "en": "You draw without replacement: every resample holds all values and has the same mean. Draw with "
                "replacement (rng.choice does, rng.permutation and random.sample do not).",
            },
        ),
        Misconception(
            "sizes_swapped",
            sizes_swapped,
            {
                "fr": "Vos rééchantillons ont n_resamples valeurs : l’intervalle est bien trop étroit. Chacun doit en "
                "avoir len(values), et il en faut n_resamples.",
                "en": "Your resamples have n_resamples values, which makes the interval far too narrow. Each should "
                "have len(values), and you need n_resamples of them.",
            },
        ),
        Misconception(
            "resamples_too_large",
            resamples_too_large,
            {
                "fr": "Vos rééchantillons ont n_resamples valeurs chacun : l’intervalle est bien trop étroit. Chacun "
                "doit en avoir len(values) ; n_resamples est leur nombre.",
                "en": "Your resamples have n_resamples values each, which makes the interval far too narrow. Each "
                "should have len(values); n_resamples is how many of them you need.",
            },
        ),
        Misconception(
            "generator_recreated",
            generator_recreated,
            {
                "fr": "Tous vos rééchantillons sont le même : le générateur repart du même seed à chaque tour. "
                "Créez-le une seule fois, avant la boucle.",
                "en": "All your resamples are the same one: the generator starts again from the same seed each time "
                "round. Create it once, before the loop.",
            },
        ),
        Misconception(
            "both_tails_whole",
            both_tails_whole,
            {
                "fr": "Vous laissez 1 − level de chaque côté, donc deux fois trop en tout. Partagez : (1 − level)/2 à "
                "gauche, autant à droite.",
                "en": "You leave 1 - level on each side, twice too much in all. Split it: (1 - level)/2 on the left, "
                "as much on the right.",
            },
        ),
        Misconception(
            "fractions_as_percents",
            fractions_as_percents,
            {
                "fr": "np.percentile attend des pourcentages : 0.025 y veut dire 0,025 %. Employez np.quantile, ou "
                "multipliez par 100.",
                "en": "np.percentile expects percentages: 0.025 means 0.025% there. Use np.quantile, or multiply by "
                "100.",
            },
        ),
        Misconception(
            "extremes",
            extremes,
            {
                "fr": "Vous rendez la plus petite et la plus grande moyenne tirées : elles s’écartent à mesure que "
                "l’on tire. Prenez des quantiles.",
                "en": "You return the smallest and the largest mean drawn: they drift apart the more you draw. Take "
                "quantiles.",
            },
        ),
        Misconception(
            "normal",
            normal,
            {
                "fr": "C’est moyenne ± z · écart type/√n, l’approximation normale : sur peu de questions, elle sort "
                "de [0, 1]. Rééchantillonnez et prenez des quantiles.",
                "en": "This is mean ± z · standard deviation/√n, the normal approximation: with few questions it "
                "leaves [0, 1]. Resample and take quantiles.",
            },
        ),
        Misconception(
            "sums_not_means",
            sums_not_means,
            {
                "fr": "Vous prenez la somme de chaque rééchantillon. Prenez sa moyenne.",
                "en": "You take the sum of each resample. Take its mean.",
            },
        ),
        Misconception(
            "reversed_bounds",
            reversed_bounds,
            {
                "fr": "Les bornes sont bonnes, mais dans l’autre ordre : rendez (basse, haute).",
                "en": "The bounds are right, in the other order: return (low, high).",
            },
        ),
    ),
    hints=(
        {
            "fr": "Répétez n_resamples fois : tirer len(values) valeurs avec remise, noter leur moyenne. Deux "
            "quantiles de ces moyennes font l’intervalle.",
            "en": "Repeat n_resamples times: draw len(values) values with replacement, note their mean. Two quantiles "
            "of these means make the interval.",
        },
        {
            "fr": "rng = np.random.default_rng(seed), une fois, avant la boucle ; puis rng.choice(values, "
            "size=len(values)).mean() à chaque tour.",
            "en": "rng = np.random.default_rng(seed), once, before the loop; then rng.choice(values, "
            "size=len(values)).mean() each time round.",
        },
        {
            "fr": "np.quantile(means, [(1 - level) / 2, (1 + level) / 2]) donne les deux bornes. Avant, une ValueError "
            "pour une liste vide, un level hors de ]0, 1[, un n_resamples inférieur à 1.",
            "en": "np.quantile(means, [(1 - level) / 2, (1 + level) / 2]) gives both bounds. Before that, a ValueError "
            "for an empty list, a level outside (0, 1), an n_resamples below 1.",
        },
    ),
)


def drawn_differences(a, b, n_permutations, seed):
    """Give the observed mean difference, and those under random signs."""
    differences = np.asarray(a, dtype=float) - np.asarray(b, dtype=float)
    signs = np.random.default_rng(seed).choice([-1, 1], size=(n_permutations, len(differences)))
    return differences.mean(), signs @ differences / len(differences)


def one_sided(a, b, n_permutations=1000, seed=0):
    observed, drawn = drawn_differences(a, b, n_permutations, seed)
    return ((drawn >= observed).sum() + 1) / (n_permutations + 1)


def no_plus_one(a, b, n_permutations=1000, seed=0):
    observed, drawn = drawn_differences(a, b, n_permutations, seed)
    return float((abs(drawn) >= abs(observed)).mean())


def ties_left_out(a, b, n_permutations=1000, seed=0):
    observed, drawn = drawn_differences(a, b, n_permutations, seed)
    return ((abs(drawn) > abs(observed)).sum() + 1) / (n_permutations + 1)


def complement(a, b, n_permutations=1000, seed=0):
    return 1 - paired_permutation_test(a, b, n_permutations, seed)


def unpaired(a, b, n_permutations=1000, seed=0):
    rng, pool = np.random.default_rng(seed), np.concatenate([a, b]).astype(float)
    observed, larger = abs(np.mean(a) - np.mean(b)), 0
    for _ in range(n_permutations):
        rng.shuffle(pool)
        larger += abs(pool[: len(a)].mean() - pool[len(a) :].mean()) >= observed - 1e-12
    return (larger + 1) / (n_permutations + 1)


def signs_only(a, b, n_permutations=1000, seed=0):
    signs = np.sign(np.asarray(a, dtype=float) - np.asarray(b, dtype=float))
    return paired_permutation_test(signs, np.zeros(len(signs)), n_permutations, seed)


def one_sign_for_all(a, b, n_permutations=1000, seed=0):
    return 1.0  # |−d| = |d|: nothing ever changes


def generator_recreated_each_time(a, b, n_permutations=1000, seed=0):
    observed, (drawn,) = drawn_differences(a, b, 1, seed)  # every draw is the first one
    return (n_permutations * (abs(drawn) >= abs(observed) - 1e-12) + 1) / (n_permutations + 1)


def zero_or_one(a, b, n_permutations=1000, seed=0):
    differences = np.asarray(a, dtype=float) - np.asarray(b, dtype=float)
    kept = np.random.default_rng(seed).choice([0, 1], size=(n_permutations, len(differences)))
    as_large = abs(kept @ differences) >= abs(differences.sum()) - 1e-9
    return (int(as_large.sum()) + 1) / (n_permutations + 1)


def statistic(a, b, n_permutations=1000, seed=0):
    return float(np.mean(a) - np.mean(b))


PAIRED_TEST = Exercise(
    id="metrics.paired_test",
    chapter="05_metrics",
    entry="paired_permutation_test",
    title={"fr": "Deux systèmes, une différence : le hasard suffit-il ?", "en": "Two systems apart: is chance enough?"},
    points=3,
    importance=3,
    minutes=6,
    reference=paired_permutation_test,
    judge=p_value_judge,
    examples=(
        Example(
            ([1, 1, 1, 1, 1, 1], [0, 0, 0, 0, 0, 0]),
            {
                "fr": "Six victoires sur six : parmi les 64 façons de choisir six signes, deux font aussi bien. La "
                "valeur p est proche de 2/64, et six questions ne peuvent pas donner moins.",
                "en": "Six wins out of six: of the 64 ways to choose six signs, two do as well. The p-value is close "
                "to 2/64, and six questions cannot give less.",
            },
        ),
        Example(
            ([1, 1, 1, 0, 1, 1, 0, 0], [0, 0, 0, 1, 0, 0, 0, 0]),
            {
                "fr": "Cinq victoires, une défaite, deux nuls : environ 0,22. Le hasard suffit.",
                "en": "Five wins, one loss, two draws: about 0.22. Chance is enough.",
            },
        ),
        Example(
            ([0, 0, 0, 1, 0, 0, 0, 0], [1, 1, 1, 0, 1, 1, 0, 0], 300),
            {
                "fr": "Rôles échangés : la même valeur p, car le test est bilatéral.",
                "en": "With the roles swapped: the same p-value, since the test is two-sided.",
            },
        ),
        Example(
            ([0.5, 1, 0, 0.25], [0.5, 1, 0, 0.25], 100),
            {
                "fr": "Deux systèmes identiques : 1. Une différence aussi grande compte (≥, pas >).",
                "en": "Two identical systems: 1. A difference as large counts (≥, not >).",
            },
        ),
        Example(
            (
                [0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875, 1.0],
                [0.0, 0.125, 0.25, 0.375, 0.5, 0.625, 0.75, 0.875],
                300,
            ),
            {
                "fr": "Les questions sont de difficulté très inégale, mais a gagne sur chacune : comparées question "
                "par question, la différence est nette (2/256).",
                "en": "The questions are of very uneven difficulty, yet a wins on each: compared question by "
                "question, the difference is clear (2/256).",
            },
        ),
        Example(
            ([1.0, 0, 0, 0], [0, 0.125, 0.125, 0.125], 300),
            {
                "fr": "Une grande victoire, trois petites défaites : la taille des différences compte, et aucun choix "
                "de signes ne fait moins : 1.",
                "en": "One large win, three small losses: the size of differences counts, and no choice of signs gives "
                "less: 1.",
            },
        ),
        Example(
            ([1] * 32, [0] * 32),
            {
                "fr": "Trente-deux victoires : aucun tirage ne fait aussi bien, et la valeur p vaut 1/1001. Jamais 0 : "
                "les signes observés comptent comme un tirage.",
                "en": "Thirty-two wins: no draw does as well, and the p-value is 1/1001. Never 0: the observed signs "
                "count as one draw.",
            },
        ),
        Example(
            ([1], [0], 100, 3),
            {
                "fr": "Une seule question : les deux signes font aussi bien, donc 1. Elle ne prouve rien.",
                "en": "A single question: both signs do as well, hence 1. It proves nothing.",
            },
        ),
        Example(
            ([1, 0], [0, 0], 1),
            {"fr": "Une seule permutation est permise.", "en": "A single permutation is allowed."},
        ),
        Example(
            ([1, 0], [1]),
            {
                "fr": "Des longueurs différentes : levez une ValueError, car il faut les mêmes questions.",
                "en": "Different lengths: raise a ValueError, since the questions must be the same.",
            },
        ),
        Example(([], []), {"fr": "Aucune question : levez une ValueError.", "en": "No question: raise a ValueError."}),
        Example(
            ([1, 0], [0, 0], 0),
            {
                "fr": "n_permutations doit valoir au moins 1 : levez une ValueError.",
                "en": "n_permutations must be at least 1: raise a ValueError.",
            },
        ),
    ),
    inputs=test_inputs,
    misconceptions=(
        Misconception(
            "one_sided",
            one_sided,
            {
                "fr": "Vous ne comptez que les différences du même côté. Le test est bilatéral : comparez les valeurs "
                "absolues.",
                "en": "You count only differences on the same side. The test is two-sided: compare absolute values.",
            },
        ),
        Misconception(
            "no_plus_one",
            no_plus_one,
            {
                "fr": "Votre valeur p peut être 0, ce qu’aucun nombre fini de tirages ne permet d’affirmer. Les signes "
                "observés comptent comme un tirage : (compte + 1) / (n_permutations + 1).",
                "en": "Your p-value may be 0, which no finite number of draws can support. The observed signs count as "
                "one draw: (count + 1) / (n_permutations + 1).",
            },
        ),
        Misconception(
            "generator_recreated",
            generator_recreated_each_time,
            {
                "fr": "Tous vos tirages sont le même : le générateur repart du même seed à chaque tour. Créez-le une "
                "seule fois, avant la boucle.",
                "en": "All your draws are the same one: the generator starts again from the same seed each time "
                "round. Create it once, before the loop.",
            },
        ),
        Misconception(
            "zero_or_one",
            zero_or_one,
            {
                "fr": "Vous multipliez les différences par 0 ou 1 : certaines disparaissent. Échanger les étiquettes "
                "change le signe : multipliez par −1 ou +1.",
                "en": "You multiply differences by 0 or 1, so some of them vanish. Swapping the labels changes the "
                "sign: multiply by -1 or +1.",
            },
        ),
        Misconception(
            "ties_left_out",
            ties_left_out,
            {
                "fr": "Vous ne comptez que les différences strictement plus grandes. « Au moins aussi grande » : >=.",
                "en": 'You count only strictly larger differences. "At least as large" is >=.',
            },
        ),
        Misconception(
            "complement",
            complement,
            {
                "fr": "C’est 1 − p : vous comptez les tirages qui font moins bien que l’observé. Comptez ceux qui "
                "font au moins aussi bien.",
                "en": "This is 1 - p: you count the draws that do less than what was observed. Count those that do at "
                "least as much.",
            },
        ),
        Misconception(
            "unpaired",
            unpaired,
            {
                "fr": "Vous mélangez toutes les valeurs : les questions faciles et difficiles brouillent la "
                "comparaison. Gardez les paires et changez seulement le signe de chaque a[i] − b[i].",
                "en": "You shuffle all values together, so easy and hard questions blur the comparison. Keep the pairs "
                "and change only the sign of each a[i] - b[i].",
            },
        ),
        Misconception(
            "signs_only",
            signs_only,
            {
                "fr": "Vous ne comptez que victoires et défaites : c’est un test des signes. Gardez la taille de "
                "chaque différence.",
                "en": "You count wins and losses only: that is a sign test. Keep the size of each difference.",
            },
        ),
        Misconception(
            "one_sign_for_all",
            one_sign_for_all,
            {
                "fr": "Vos tirages ont tous la même différence absolue : un seul signe est tiré pour toutes les "
                "questions, ou l’ordre seul change. Tirez un signe par question.",
                "en": "All your draws have the same absolute difference: one sign is drawn for all questions, or only "
                "their order changes. Draw one sign a question.",
            },
        ),
        Misconception(
            "statistic",
            statistic,
            {
                "fr": "Vous rendez la différence des moyennes. La valeur p est la part des tirages qui font au moins "
                "aussi bien.",
                "en": "You return the difference of the means. The p-value is the share of draws that do at least as "
                "well.",
            },
        ),
    ),
    hints=(
        {
            "fr": "Si les systèmes se valaient, chaque différence a[i] − b[i] aurait aussi bien pu avoir le signe "
            "contraire. Tirez des signes au hasard et recalculez la moyenne, n_permutations fois.",
            "en": "If the systems were alike, each difference a[i] - b[i] could as well have had the opposite sign. "
            "Draw signs at random and recompute the mean, n_permutations times.",
        },
        {
            "fr": "rng.choice([-1, 1], size=len(a)) tire les signes. Comptez les tirages dont la moyenne est, en "
            "valeur absolue, au moins égale à celle observée (à 1e-12 près, pour les arrondis).",
            "en": "rng.choice([-1, 1], size=len(a)) draws the signs. Count the draws whose mean is, in absolute value, "
            "at least the observed one (within 1e-12, for rounding).",
        },
        {
            "fr": "Rendez (compte + 1) / (n_permutations + 1). Avant, une ValueError si les longueurs diffèrent, si "
            "elles sont nulles, ou si n_permutations < 1.",
            "en": "Return (count + 1) / (n_permutations + 1). Before that, a ValueError if the lengths differ or are "
            "zero, or if n_permutations < 1.",
        },
    ),
)
