"""Simulated results of a pair: many draws of its sufficient statistics."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bcompare.data.rope import FloatArray
from bcompare.data.sufficient import (
    ARRAYS,
    BoolArray,
    Chosen,
    IntArray,
    Source,
    SufficientStatistics,
)
from bcompare.data.units import Unit

# The weight of the prior's data set, on which all tie: the default of the tests on means.
PRIOR_DATASET = 0.5


@dataclass(frozen=True, eq=False, slots=True)
class SimulatedResults:
    """R simulated results of a pair on q data sets, each field (R, q).

    source : of the (R q) data sets' single differences, if they are known.
    """

    n: IntArray
    mean: FloatArray
    ss: FloatArray
    rho: FloatArray
    binary: BoolArray
    unit: Unit
    source: Source | None = None

    def each(self) -> Iterator[SufficientStatistics]:
        """Yield each draw as sufficient statistics."""
        q = self.n.shape[1]
        names = tuple(str(i + 1) for i in range(q))
        rows = zip(self.n, self.mean, self.ss, self.rho, self.binary, strict=True)
        for r, own in enumerate(rows):
            source = self.source and Chosen(self.source, range(r * q, (r + 1) * q))
            yield SufficientStatistics(names, *own, self.unit, source)

    def flat(self) -> SufficientStatistics:
        """All draws as data sets of one pair, for a test that answers for each by itself."""
        arrays = {name: getattr(self, name).ravel() for name in ARRAYS}
        names = tuple(map(str, range(self.n.size)))
        return SufficientStatistics(names, **arrays, unit=self.unit, source=self.source)


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
    """Return results of n scores on data sets with true differences delta and τ² = variance."""
    error = np.sqrt(variance * (1 / n + rho / (1 - rho)))
    mean = delta + error * rng.standard_normal(delta.shape)
    return SimulatedResults(n, mean, variance * rng.chisquare(n - 1), rho, binary, unit)


def reweighted(
    now: SufficientStatistics, shape: tuple[int, int], rng: np.random.Generator
) -> SimulatedResults:
    """Draw (results, data sets) from the present ones under random weights, and one all-tied."""
    count, added = shape
    q = len(now)
    weights = rng.standard_gamma(np.array([*np.ones(q), PRIOR_DATASET]), (count, q + 1))
    ends = np.cumsum(weights / weights.sum(axis=1, keepdims=True), axis=1)
    chosen = (rng.random((count, added, 1)) > ends[:, None, :-1]).sum(axis=-1)
    tied, design = chosen == q, np.minimum(chosen, q - 1)
    n, ss, rho, binary = (each[design] for each in (now.n, now.ss, now.rho, now.binary))
    mean = np.where(tied, 0.0, now.mean[design])
    return SimulatedResults(n, mean, ss, rho, binary, now.unit)
