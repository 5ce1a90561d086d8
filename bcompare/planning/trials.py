"""Simulated trials of sides that share nothing: further ones, and those of assumed values."""

import numpy as np

from bcompare.data.rope import BoolArray, FloatArray, IntArray
from bcompare.data.simulated import SimulatedResults
from bcompare.data.sufficient import Sides, SufficientStatistics
from bcompare.data.units import TRIAL
from bcompare.methods.unpaired import JEFFREYS, counts


def more_trials(
    now: SufficientStatistics, sides: Sides, factor: float, count: int, rng: np.random.Generator
) -> SimulatedResults:
    """Draw `count` results in which each side of every data set has `factor` times its trials.

    From the posterior predictive: of numbers the variance is drawn under a flat prior, then the
    mean; of right-or-wrong trials the rate, under Jeffreys' prior.
    """
    shape = (count, *sides.n.shape)
    added = np.maximum(np.rint((factor - 1) * sides.n), 1).astype(np.int64)
    n = sides.n + added
    binary = now.binary[:, None]
    variance = sides.ss / rng.chisquare(np.maximum(sides.n - 1, 1), shape)
    level = sides.mean + np.sqrt(variance / sides.n) * rng.standard_normal(shape)
    mean = level + np.sqrt(variance / added) * rng.standard_normal(shape)
    drawn = variance * rng.chisquare(np.maximum(added - 1, 1), shape)
    ss = np.where(added > 1, drawn, 0.0)
    pooled = (sides.n * sides.mean + added * mean) / n
    squares = sides.ss + ss + sides.n * added / n * (mean - sides.mean) ** 2
    ones, zeros = counts(sides)
    ones_and_zeros = np.where(binary, ones, 0.0), np.where(binary, zeros, 0.0)
    rate = rng.beta(ones_and_zeros[0] + JEFFREYS, ones_and_zeros[1] + JEFFREYS, shape)
    share = (ones_and_zeros[0] + rng.binomial(added, rate)) / n
    whole = np.broadcast_to(n, shape)
    return simulated(
        whole,
        np.where(binary, share + sides.lowest, pooled),
        np.where(binary, n * share * (1 - share), squares),
        now.binary,
        sides.lowest,
    )


def trials_of(
    effect: float,
    sd: float,
    rate: float | None,
    n: int,
    count: int,
    rng: np.random.Generator,
) -> SimulatedResults:
    """Draw `count` results of n trials a side on one data set.

    effect : the true difference right - left. sd : the standard deviation of scores. rate : of
    successes of the left side, where trials are right or wrong; else None.
    """
    shape = (count, 1, 2)
    true = np.array([0.0, effect])
    if rate is None:
        mean = true + sd / np.sqrt(n) * rng.standard_normal(shape)
        ss = sd**2 * rng.chisquare(n - 1, shape)
    else:
        mean = rng.binomial(n, np.clip(rate + true, 0.0, 1.0), shape) / n
        ss = n * mean * (1 - mean)
    sizes = np.full(shape, n)
    return simulated(sizes, mean, ss, np.array([rate is not None]), 0.0)


def simulated(
    n: IntArray, mean: FloatArray, ss: FloatArray, binary: BoolArray, lowest: float
) -> SimulatedResults:
    """Return simulated sides as results.

    n, mean, ss : (R, q, 2) of both sides. binary : (q,) whether trials are right or wrong.
    """
    results, q = n.shape[:2]
    flat = Sides(n.reshape(-1, 2), mean.reshape(-1, 2), ss.reshape(-1, 2), lowest=lowest)
    names = tuple(map(str, range(results * q)))
    everywhere = np.tile(binary, results)
    drawn = SufficientStatistics.of_sides(
        names, flat, flat.mean[:, 1] - flat.mean[:, 0], everywhere, TRIAL
    )
    shape = (results, q)
    return SimulatedResults(
        n=drawn.n.reshape(shape),
        mean=drawn.mean.reshape(shape),
        ss=drawn.ss.reshape(shape),
        rho=drawn.rho.reshape(shape),
        binary=drawn.binary.reshape(shape),
        unit=TRIAL,
        sides=flat,
    )
