"""Posterior predictive checks of whether the data sets at hand fit the model.

The model assumes that the δ_i come from a Student distribution, which is symmetric with one peak.
If that is wrong, so may be the answers about the next data set. There are two checks, each with a
limit that 2 % of families drawn from the model itself exceed (`.lab/studies/misfit.py`; textbook
limits do not apply, since the posterior has seen the data):

- the share of data sets in each region, against the expected share of further ones;
- the Anderson-Darling statistic of the data sets' PIT values u_i, the probabilities that a data set
  like the i-th would have a smaller mean difference (Anderson & Darling 1954, JASA 49).
"""

import math

import numpy as np
from scipy.special import stdtr, stdtrit

from bcompare.basis.messages import Note, arg
from bcompare.data.rope import REGIONS, FloatArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.result import Density, HierarchicalResult

# The 98 % quantiles of the two statistics hardly depend on the number of data sets, from 5 to 200,
# and on the noise relative to σ0: they are 1.45 to 1.62 and 0.70 to 0.84.
FAR, UNEVEN = 1.6, 0.85
LEAST = 1e-300

# Quantiles of a mean's error over which its PIT value is averaged.
ERRORS = (np.arange(99) + 0.5) / 99


def misfit_notes(
    result: HierarchicalResult,
    statistics: SufficientStatistics,
    rope: Rope,
) -> tuple[Note, ...]:
    """Return a warning if the regions or the shape of the data sets do not fit the model."""
    statistics = statistics.in_equal_rows
    distance = farthest_region(result, statistics, rope)[1]
    is_even = distance <= FAR and unevenness(result, statistics) <= UNEVEN
    if is_even or not np.ptp(statistics.mean):  # equal differences have no shape
        return ()
    return (
        Note(
            "misfit",
            "warning",
            "the data sets differ in a way that the model does not expect (skewed, or more than "
            f"one group): try {arg('population', 'averaged')}, too, and report both",
        ),
    )


def farthest_region(
    result: HierarchicalResult, statistics: SufficientStatistics, rope: Rope
) -> tuple[str, float, float, float]:
    """Return the region whose share is farthest from its expectation.

    Compares the probabilities of the data sets at hand, each informed by the others, with the
    expected share of further ones. Returns the distance in standard errors, and the two shares.
    """
    q = len(statistics)
    shares = dict(zip(REGIONS, region_shares(result.next_delta, statistics, rope), strict=True))
    regions = []
    for region, share in shares.items():
        expected = float(getattr(result.theta_mean, region))
        error = math.sqrt(max(expected * (1 - expected), 1 / q) / q)
        regions.append((region, abs(share - expected) / error, share, expected))
    return max(regions, key=lambda pair: pair[1])


def region_shares(
    others: Density, statistics: SufficientStatistics, rope: Rope
) -> tuple[float, float, float]:
    """Return the means over data sets of P(δ_i left of the rope), in it, and right of it.

    The prior of each is the distribution of the next data set's δ, which hardly differs from the
    prediction by the other data sets alone, and is cheap. It is taken as constant between the
    midpoints of its grid; the likelihood, a Student's, is exact.
    """
    grid = others.grid[::2]
    density = others.density[::2]
    middles = (grid[1:] + grid[:-1]) / 2
    edges = np.unique(np.concatenate([[-np.inf], middles, [rope.low, rope.high], [np.inf]]))
    cell = density[np.searchsorted(middles, edges[:-1], side="right")]
    n = statistics.n
    factor = 1 / statistics.n + statistics.rho / (1 - statistics.rho)
    scale = np.sqrt(statistics.ss / (n - 2) * factor)[:, None]
    mean = statistics.mean[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):  # a data set without spread is a point
        z = np.where(edges == mean, 0.0, (edges - mean) / scale)
    mass = np.diff(stdtr((n - 2.0)[:, None], z)) * cell
    total = np.maximum(mass.sum(axis=1), LEAST)
    left = (mass[:, edges[:-1] < rope.low].sum(axis=1) / total).mean()
    right = (mass[:, edges[:-1] >= rope.high].sum(axis=1) / total).mean()
    return float(left), float(max(1 - left - right, 0.0)), float(right)


def pit_values(result: HierarchicalResult, statistics: SufficientStatistics) -> FloatArray:
    """Return (q,) P(x̄ < x̄_i) for a new data set with the size and noise of the i-th.

    Its δ comes from the distribution of the next data set's, its noise is a Student's.
    """
    dof, where = np.unique(statistics.n - 1, return_inverse=True)  # few differ; stdtrit is slow
    errors = stdtrit(dof[:, None], ERRORS)[where] * statistics.standard_error[:, None]
    prediction = result.next_delta
    places = np.interp(statistics.mean[:, None] - errors, prediction.grid, prediction.cdf)
    return np.asarray(places.mean(axis=1))


def unevenness(result: HierarchicalResult, statistics: SufficientStatistics) -> float:
    """Return A² of the PIT values; 0 if the means differ by less than their errors let expect.

    Cochran's Q is then below its expectation, q - 1: ρ is larger than it need be, which makes the
    answers cautious and says nothing about the shape.
    """
    errors = statistics.standard_error
    if errors.all():
        center = np.average(statistics.mean, weights=errors**-2.0)
        if (((statistics.mean - center) / errors) ** 2).sum() < len(statistics) - 1:
            return 0.0
    return anderson_darling(pit_values(result, statistics))


def anderson_darling(uniform: FloatArray) -> float:
    """Return A² of values that should be uniform on (0, 1)."""
    n = len(uniform)
    u = np.clip(np.sort(uniform), 1e-12, 1 - 1e-12)
    weights = (2 * np.arange(1, n + 1) - 1) / n
    return float(-n - weights @ (np.log(u) + np.log1p(-u[::-1])))
