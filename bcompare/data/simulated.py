"""Simulated results: many draws of the sufficient statistics of a pair.

Plans, self-checks and the chances of the next data set draw them; methods answer them, some of them
all draws at once.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bcompare.data.rope import BoolArray, FloatArray, IntArray
from bcompare.data.sufficient import (
    ARRAYS,
    DifferenceSource,
    Sides,
    SufficientStatistics,
)
from bcompare.data.units import Unit

# The weight of the prior's data set, on which all tie: the default of the tests on means.
PRIOR_DATASET = 0.5


@dataclass(frozen=True, eq=False, slots=True)
class SimulatedResults:
    """R simulated results of a pair on q data sets, each field (R, q).

    source : of the (R q) data sets' single differences, if they are known.
    sides : of all of them, where both sides share nothing.
    """

    n: IntArray
    mean: FloatArray
    ss: FloatArray
    rho: FloatArray
    binary: BoolArray
    unit: Unit
    source: DifferenceSource | None = None
    sides: Sides | None = None

    def each(self) -> Iterator[SufficientStatistics]:
        """Yield each draw as sufficient statistics."""
        q = self.n.shape[1]
        names = tuple(str(i + 1) for i in range(q))
        rows = zip(self.n, self.mean, self.ss, self.rho, self.binary, strict=True)
        for r, row in enumerate(rows):
            places = range(r * q, (r + 1) * q)
            source = self.source and self.source.chosen(places)
            sides = self.sides and self.sides.chosen(places)
            yield SufficientStatistics(names, *row, self.unit, source, sides=sides)

    def chosen(self, draws: IntArray) -> "SimulatedResults":
        """Return some of the draws."""
        q = self.n.shape[1]
        places = (draws[:, None] * q + np.arange(q)).ravel().tolist()
        source = self.source and self.source.chosen(places)
        arrays = {name: getattr(self, name)[draws] for name in ARRAYS}
        sides = self.sides and self.sides.chosen(places)
        return SimulatedResults(**arrays, unit=self.unit, source=source, sides=sides)

    def flat(self) -> SufficientStatistics:
        """All draws as data sets of one pair, for a test that answers for each by itself."""
        arrays = {name: getattr(self, name).ravel() for name in ARRAYS}
        names = tuple(map(str, range(self.n.size)))
        return SufficientStatistics(
            names, **arrays, unit=self.unit, source=self.source, sides=self.sides
        )


def results_of(
    delta: FloatArray,
    variance: FloatArray,
    n: IntArray,
    rho: FloatArray,
    rng: np.random.Generator,
    *,
    binary: BoolArray,
    unit: Unit,
) -> SimulatedResults:
    """Return results of n scores on data sets with true differences delta and τ² = variance.

    The first data sets have the same draws, however many follow.
    """
    of_means, of_spreads = rng.spawn(2)
    error = np.sqrt(variance * (1 / n + rho / (1 - rho)))
    mean = delta + error * of_means.standard_normal(delta.shape[::-1]).T
    ss = variance * of_spreads.chisquare((n - 1).T).T
    return SimulatedResults(n, mean, ss, rho, binary, unit)


def results_like(
    now: SufficientStatistics, design: IntArray, delta: FloatArray, rng: np.random.Generator
) -> SimulatedResults:
    """Draw results with true differences delta, each as a present data set is.

    design : (R, q) the numbers of these data sets. Their τ² is drawn under a flat prior.
    The first data sets have the same draws, however many follow.
    """
    of_variances, of_results = rng.spawn(2)
    n = now.n[design]
    rho = now.rho[design]
    variance = now.ss[design] / of_variances.chisquare((n - 1).T).T
    return results_of(delta, variance, n, rho, of_results, binary=now.binary[design], unit=now.unit)


def reweighted(
    now: SufficientStatistics, shape: tuple[int, int], rng: np.random.Generator
) -> SimulatedResults:
    """Draw (results, data sets) from the present ones under random weights, and one all-tied.

    The first data sets have the same draws, however many follow.
    """
    count, added = shape
    q = len(now)
    weights = rng.standard_gamma(np.array([*np.ones(q), PRIOR_DATASET]), (count, q + 1))
    ends = np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)
    drawn = rng.random((added, count)).T
    chosen = (drawn[..., None] > ends[:, None, :-1]).sum(axis=-1)
    tied = chosen == q
    design = np.minimum(chosen, q - 1)
    n = now.n[design]
    ss = now.ss[design]
    rho = now.rho[design]
    binary = now.binary[design]
    mean = np.where(tied, 0.0, now.mean[design])
    return SimulatedResults(n, mean, ss, rho, binary, now.unit)
