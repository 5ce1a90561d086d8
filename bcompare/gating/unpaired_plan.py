"""What a pilot of two sides that share nothing says of a gate with other numbers of trials."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np
from scipy.special import betaincinv, chdtri

from bcompare.data.rope import FloatArray, IntArray, Rope
from bcompare.data.sufficient import Sides, SufficientStatistics
from bcompare.gating.metrics import Metric
from bcompare.gating.rule import Claim, GateRule
from bcompare.gating.unpaired import (
    BASELINE,
    CANDIDATE,
    Both,
    UnpairedSuite,
    sides_of,
    unpaired_claims,
)
from bcompare.methods.unpaired import JEFFREYS, counts

# So many residuals show the shape of their distribution.
TELLING = 30
# How widely scores scatter: as drawn from the posterior, or at one of its ends.
Spread = Literal["drawn", "least", "most"]
# The part of the posterior that is between the two ends.
INSIDE = 0.95


@dataclass(frozen=True, eq=False, slots=True)
class UnpairedSample:
    """What the results at hand say of one metric.

    residuals : of the baseline and of the candidate, on each data set.
    """

    metric: Metric
    rope: Rope
    now: SufficientStatistics
    sides: Sides
    residuals: tuple[Both, ...]

    @classmethod
    def of(
        cls, metric: Metric, rope: Rope, now: SufficientStatistics, sides: Sides
    ) -> "UnpairedSample":
        """Return the sample of the pair with these statistics."""
        residuals = []
        for i in range(len(now)):
            base, candidate = sides.samples(i)
            residuals.append((_residuals(base), _residuals(candidate)))
        return cls(metric, rope, now, sides, tuple(residuals))

    def sizes(self, factor: float) -> IntArray:
        """Return the (q, 2) numbers of trials of so many times those at hand."""
        scaled = np.rint(factor * self.sides.n).astype(np.int64)
        return np.asarray(np.maximum(scaled, self.now.unit.fewest))

    def drawn(self, sizes: IntArray, spread: Spread, rng: np.random.Generator) -> list[Both]:
        """Return new scores on each data set, of no change.

        Of right-or-wrong trials they are uniform, and right below their rate; see `claims`.
        """
        factor = self._factor(spread, rng)
        drawn = []
        for i, residuals in enumerate(self.residuals):
            if self.now.binary[i]:
                drawn.append((rng.random(sizes[i, BASELINE]), rng.random(sizes[i, CANDIDATE])))
                continue
            base = _scattered(residuals[BASELINE], int(sizes[i, BASELINE]), rng)
            candidate = _scattered(residuals[CANDIDATE], int(sizes[i, CANDIDATE]), rng)
            level = float(self.sides.mean[i, BASELINE])
            drawn.append((level + factor * base, level + factor * candidate))
        return drawn

    def rates(self, spread: Spread, rng: np.random.Generator) -> FloatArray:
        """Return the (q,) rates of no change, by the trials of both sides; NaN of numbers."""
        ones, zeros = counts(self.sides)
        first = np.where(self.now.binary, ones.sum(axis=1), 0.0) + JEFFREYS
        second = np.where(self.now.binary, zeros.sum(axis=1), 0.0) + JEFFREYS
        if spread == "drawn":
            rates = rng.beta(first, second)
        else:
            outside = (1 - INSIDE) / 2
            low = betaincinv(first, second, outside)
            high = betaincinv(first, second, 1 - outside)
            low_is_wider = np.abs(low - 0.5) < np.abs(high - 0.5)
            rates = np.where(low_is_wider == (spread == "most"), low, high)
        return np.where(self.now.binary, rates, np.nan)

    def claims(
        self, drawn: Sequence[Both], rates: FloatArray, loss: float, rule: GateRule
    ) -> list[Claim]:
        """Return the claims on one replicate, where the candidate is worse by a loss."""
        both: list[Both] = []
        for i, (base, candidate) in enumerate(drawn):
            if self.now.binary[i]:
                rate = float(rates[i])
                lowest = self.sides.lowest
                right = candidate < max(rate - loss, 0.0)
                both.append((np.asarray((base < rate) + lowest), np.asarray(right + lowest)))
            else:
                both.append((base, candidate - loss))
        statistics = _statistics(both, self.now, self.sides.lowest)
        suite = UnpairedSuite.of(statistics)
        claims = [] if suite is None else unpaired_claims(suite, self.rope, rule)
        return [replace(c, aim=self.metric.aim, advisory=self.metric.advisory) for c in claims]

    def _factor(self, spread: Spread, rng: np.random.Generator) -> float:
        """Return the standard deviations as a multiple of those at hand.

        The degrees of freedom are those of the sum of all variances; see `plan._Sample.factors`.
        """
        n = self.sides.n
        variances = self.sides.ss / (n - 1)
        squares = float((variances**2 / (n - 1)).sum())
        if squares == 0:
            return 1.0
        dof = float(variances.sum()) ** 2 / squares
        if spread == "drawn":
            return float(np.sqrt(dof / rng.chisquare(dof)))
        outside = (1 - INSIDE) / 2
        beyond = 1 - outside if spread == "most" else outside
        return float(np.sqrt(dof / chdtri(dof, beyond)))


def _residuals(scores: FloatArray) -> FloatArray:
    """Return the deviations from the mean, with the variance of the scores."""
    n = len(scores)
    return np.asarray((scores - scores.mean()) * np.sqrt(n / (n - 1)))


def _scattered(residuals: FloatArray, size: int, rng: np.random.Generator) -> FloatArray:
    """Return new deviations: normal ones, or from the residuals where there are many."""
    if len(residuals) < TELLING:
        spread = float(np.sqrt((residuals**2).mean()))
        return np.asarray(spread * rng.standard_normal(size))
    return np.asarray(rng.choice(residuals, size))


def _statistics(
    both: Sequence[Both], now: SufficientStatistics, lowest: float
) -> SufficientStatistics:
    """Return the statistics of new scores on the data sets at hand."""
    sides = sides_of(both, lowest)
    mean = sides.mean
    differences = mean[:, CANDIDATE] - mean[:, BASELINE]
    return SufficientStatistics.of_sides(now.names, sides, differences, now.binary, now.unit)
