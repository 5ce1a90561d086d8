"""Further results, drawn from the posterior predictive distribution.

On a data set the differences of scores are x_j = m + e_j with e_j ~ N(0, τ²) independent, and
m ~ N(μ, τ² ρ/(1 - ρ)): that is the correlated normal model of the tests (Corani & Benavoli 2015),
with τ² = σ²(1 - ρ). All folds of all runs share the level m. So more runs estimate m, but no
number of them estimates μ with a variance below τ² ρ/(1 - ρ), whatever ρ stands for.
"""

from dataclasses import dataclass

import numpy as np

from bcompare.basis.errors import InputError
from bcompare.data.rope import FloatArray, Rope
from bcompare.data.simulated import SimulatedResults
from bcompare.data.sufficient import ARRAYS, IntArray, SufficientStatistics
from bcompare.methods.base import Method
from bcompare.methods.paired_binary import PRIOR, discordant

# The fewest data sets that say how far true differences lie apart.
FEWEST_TO_SPREAD = 5
# This factor stands for an unlimited number of scores.
ENDLESS = 10**6


@dataclass(frozen=True, slots=True)
class Spread:
    """How the levels m of data sets are spread, as N(centre, variance).

    Estimated by the method of moments: the variance of the means, less that of their errors
    (DerSimonian & Laird 1986, Controlled Clinical Trials 7:177, with equal weights).
    """

    centre: float
    variance: float

    @classmethod
    def of(cls, statistics: SufficientStatistics) -> "Spread | None":
        """Estimate it from the data sets; None if they are too few."""
        if len(statistics) < FEWEST_TO_SPREAD:
            return None
        # of a single mean the error is not known, and taken for none
        own = statistics.ss / np.maximum(statistics.n - 1, 1) / statistics.n
        variance = float(statistics.mean.var(ddof=1) - own.mean())
        return cls(float(statistics.mean.mean()), max(variance, 0.0))


def more_scores(
    now: SufficientStatistics,
    factor: float,
    count: int,
    rng: np.random.Generator,
    spread: Spread | None = None,
) -> SimulatedResults:
    """Draw `count` results in which every data set has `factor` times its scores.

    spread : of the levels of data sets, as their prior; else any level is equally probable.
    """
    shape = (count, len(now))
    added = np.maximum(np.rint((factor - 1) * now.n), 1).astype(np.int64)
    mean, ss = _next_scores(now, added, shape, rng, spread)
    if now.unit.has_answers and now.binary.any():
        binary_mean, binary_ss = _next_binary(now, added, shape, rng)
        mean = np.where(now.binary, binary_mean, mean)
        ss = np.where(now.binary, binary_ss, ss)
    n = now.n + added
    pooled = (now.n * now.mean + added * mean) / n
    apart = np.where((now.ss == 0) & (ss == 0) & (mean == now.mean), 0.0, mean - now.mean)
    mean = np.where(apart == 0, now.mean, pooled)
    ss = now.ss + ss + now.n * added / n * apart**2
    n, rho, binary = (np.broadcast_to(each, shape) for each in (n, now.rho, now.binary))
    return SimulatedResults(n, mean, ss, rho, binary, now.unit)


def _next_scores(
    now: SufficientStatistics,
    added: IntArray,
    shape: tuple[int, int],
    rng: np.random.Generator,
    spread: Spread | None,
) -> tuple[FloatArray, FloatArray]:
    """Draw the mean and sum of squares of added scores: τ² under a flat prior, and the level m."""
    variance = now.ss / rng.chisquare(now.n - 1, shape)
    error = variance / now.n
    if spread is None:
        level = now.mean + np.sqrt(error) * rng.standard_normal(shape)
    else:
        total = np.maximum(spread.variance + error, np.finfo(float).tiny)
        weight = spread.variance / total
        level = spread.centre + weight * (now.mean - spread.centre)
        level += np.sqrt(weight * error) * rng.standard_normal(shape)
    mean = level + np.sqrt(variance / added) * rng.standard_normal(shape)
    return mean, variance * rng.chisquare(np.maximum(added - 1, 1), shape) * (added > 1)


def _next_binary(
    now: SufficientStatistics, added: IntArray, shape: tuple[int, int], rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Draw the same for 0/1 items: counts of which of the two alone is right."""
    left, right = discordant(now)
    alone = np.stack([left, now.n - left - right, right], axis=-1)
    # draws of a Dirichlet, as normalised gammas
    gammas = rng.standard_gamma(np.asarray(PRIOR) + alone, (*shape, 3))
    left = rng.binomial(added, gammas[..., 0] / gammas.sum(axis=-1))
    rest = gammas[..., 2] / np.maximum(gammas[..., 1] + gammas[..., 2], np.finfo(float).tiny)
    right = rng.binomial(added - left, rest)
    mean = (right - left) / added
    return mean, np.maximum(right + left - added * mean**2, 0.0)


def more_datasets(
    method: Method,
    rope: Rope,
    now: SufficientStatistics,
    added: int,
    count: int,
    rng: np.random.Generator,
) -> SimulatedResults:
    """Draw `count` results with `added` further data sets, with the designs of present ones.

    Raises
    ------
    InputError : a test that says nothing of further data sets.
    """
    if not method.predicts:
        raise InputError(
            f"{method.name} says nothing about the next data set: choose hier, signrank or sign"
        )
    further = method.further(now, rope, (count, added), rng)
    shape = (count, len(now))
    both = {
        name: np.concatenate(
            [np.broadcast_to(getattr(now, name), shape), getattr(further, name)], axis=1
        )
        for name in ARRAYS
    }
    n, mean, ss, rho, binary = both.values()
    return SimulatedResults(n, mean, ss, rho, binary, now.unit)
