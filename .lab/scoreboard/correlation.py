"""How much more alike folds are than 1/k says, of the pairs of learners in the pool.

With V the variance of two learners' mean difference over data sets drawn anew, and S the mean
variance of the N differences within them, V/S = 1/N + ρ/(1 - ρ) (Nadeau & Bengio 2003). What is
reported are the odds ρ/(1 - ρ) in units of those of 1/k: 1 is what the tests assume.
"""

from collections.abc import Iterable
from itertools import combinations

import numpy as np

from bcompare.data.rope import FloatArray
from scoreboard.learners import EQUAL, FOLDS, NAMES, RUNS
from scoreboard.measures import Measure

# Runs and folds; 5 × 2 are Dietterich's.
DESIGNS = (*((1, k) for k in FOLDS), (5, 2), *((RUNS, k) for k in FOLDS))
PAIRS = tuple(pair for pair in combinations(NAMES, 2) if pair not in EQUAL)


def odds(d: FloatArray) -> tuple[float, float]:
    """The odds of the correlation over those of 1/k, with their standard error.

    d : (populations, data sets, runs, k) differences of two learners; of each population the
    variances are its own. The error is that of a variance of as many normal means.
    """
    k, flat = d.shape[3], d.reshape(*d.shape[:2], -1)
    spread = flat.var(axis=2, ddof=1).mean()
    if spread == 0:  # learners that always agree
        return np.nan, np.nan
    ratio = flat.mean(axis=2).var(axis=1, ddof=1).mean() / spread
    error = ratio * np.sqrt(2 / (d.shape[0] * (d.shape[1] - 1)))
    return float((ratio - 1 / flat.shape[2]) * (k - 1)), float(error * (k - 1))


def correlations(kept: dict[str, dict[int, FloatArray]]) -> dict[str, dict[str, Measure]]:
    """By design, "runs × k", and pair of learners the odds, their errors, the number of data sets.

    Of "each pair and population" the 5 % quantile, the median, the 95 % quantile and the largest:
    one learner that is unstable on one population may have most of a pair's variance over all.
    """
    result: dict[str, dict[str, Measure]] = {}
    for runs, k in DESIGNS:
        table = np.array([accuracies[k] for accuracies in kept.values()])[:, :, :runs]
        count = table.shape[0] * table.shape[1]
        own, each = result.setdefault(f"{runs} × {k}", {}), []
        for pair in PAIRS:
            left, right = (table[..., NAMES.index(name)] for name in pair)
            each += [odds(d[None])[0] for d in right - left]
            own[" | ".join(pair)] = _rounded([*odds(right - left), count])
        own["each pair and population"] = _rounded(np.nanquantile(each, (0.05, 0.5, 0.95, 1.0)))
    return result


def _rounded(figures: Iterable[float]) -> Measure:
    return [float(f"{x:.4g}") for x in figures]
