"""The posterior of a mean difference: a Student distribution, in each of three regions.

Sources: Corani & Benavoli 2015 (Machine Learning 100:285), "CB 2015"; Benavoli, Corani, Demšar &
Zaffalon 2017 (JMLR 18), "Tutorial".
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.special import stdtr, stdtrit

from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.methods.base import Estimate, Interval

Side = Literal[-1, 1]
"""Left is better, or right is."""


@dataclass(frozen=True, eq=False, slots=True)
class StudentPosterior:
    """Posterior of the mean difference: a Student distribution for each data set, (q,) each.

    dof : degrees of freedom. location : mean and median, in the scores' unit.
    scale : in the scores' unit; 0 where the posterior is a point.
    """

    dof: FloatArray
    location: FloatArray
    scale: FloatArray

    def p_better(self, side: Side) -> FloatArray:
        """(q,) P(μ < 0) for side -1, P(μ > 0) for side 1; ½ for a point at 0."""
        return stdtr(self.dof, side * standardised(self.location, self.scale))

    def regions(self, rope: Rope) -> RegionProbabilities[FloatArray]:
        """Probability of each region; a point posterior is whole in the region that holds it.

        Tutorial §3.2. Each tail is computed as a lower tail, so that small ones keep their
        digits and swapping left and right swaps the numbers exactly.
        """
        below = standardised(rope.low - self.location, self.scale)
        above = standardised(self.location - rope.high, self.scale)
        left, right = stdtr(self.dof, below), stdtr(self.dof, above)
        if rope.is_empty:
            middle = np.zeros_like(left)
        else:
            # Between two lower tails on the far side of the rope, or what both leave over.
            far = np.where(above > 0, stdtr(self.dof, -above) - left, 1 - (left + right))
            middle = np.where(below > 0, stdtr(self.dof, -below) - right, far)
            middle = np.maximum(middle, 0.0)
        point, is_point = rope.shares(self.location), self.scale == 0
        return RegionProbabilities(
            left=np.where(is_point, point.left, left),
            rope=np.where(is_point, point.rope, middle),
            right=np.where(is_point, point.right, right),
        )

    def curve(self, i: int, points: int = 401) -> tuple[FloatArray, FloatArray]:
        """Grid and density of the i-th data set's posterior, (points,) each; empty for a point."""
        if self.scale[i] == 0:
            return np.empty(0), np.empty(0)
        dof, scale = float(self.dof[i]), float(self.scale[i])
        # Equal steps of the angle are dense about the peak and reach far into the tails.
        reach = math.atan(-float(stdtrit(dof, 5e-5)) / math.sqrt(dof))
        z = math.sqrt(dof) * np.tan(np.linspace(-reach, reach, points))
        logarithm = -(dof + 1) / 2 * np.log1p(z**2 / dof)
        norm = math.lgamma((dof + 1) / 2) - math.lgamma(dof / 2) - math.log(dof * math.pi) / 2
        return self.location[i] + scale * z, np.exp(logarithm + norm) / scale

    def intervals(self, levels: Sequence[float]) -> tuple[Interval[FloatArray], ...]:
        """Highest-density intervals, which are equal-tailed for a Student; one a level."""
        dof, where = np.unique(self.dof, return_inverse=True)  # few differ, and stdtrit is slow
        halves = [-stdtrit(dof, (1 - level) / 2)[where] * self.scale for level in levels]
        return tuple(
            Interval(level=level, low=self.location - half, high=self.location + half)
            for level, half in zip(levels, halves, strict=True)
        )


def estimate_of(values: FloatArray) -> Estimate | None:
    """Estimate the mean of the population that values are drawn from, under a flat prior.

    values : (q,) mean differences of data sets. None for fewer than two.
    """
    q = len(values)
    if q < 2:
        return None
    mean = float(values.mean())
    half = float(-stdtrit(q - 1, 0.025) * values.std(ddof=1) / math.sqrt(q))
    return Estimate(mean, mean - half, mean + half)


def standardised(deviation: FloatArray, scale: FloatArray) -> FloatArray:
    """Return deviation / scale; where the scale is 0, an infinity of the same sign, or 0."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratio = deviation / scale
    return np.where((scale > 0) | (deviation != 0), ratio, 0.0)
