"""Student's answer, made monotone: no score that gets worse may speak for its classifier.

A t statistic is not monotone in the scores. One fold that collapses lowers the mean, and raises the
standard deviation so much that a loss that was certain becomes doubtful. Here the evidence that the
mean is below a border is the largest over all samples that are nowhere below the one at hand, and
likewise for above. With y the differences from the border, mean/sd is quasiconcave where the mean
has one sign, so that the best such sample is max(y, c), for the c at which the derivative vanishes:
with A and B the sum and the sum of squares of the values that stay, c = B/A. (The monotone Sharpe
ratio of Maccheroni, Marinacci, Rustichini & Taboga 2009, Mathematical Finance 19:487.)

Raised so far, values may come to be equal, and equal values prove no more than their signs do: that
all n lie on one side of their true mean has a probability of 2^-n, or more if they are skewed (see
`chance`). So evidence for "above" ends there. Evidence for "below", which fails a gate at small
levels, is less by `surplus`, so that the search for the largest evidence does not exceed the level;
Student's own counts if it is more.

Student's level holds for differences that are not skewed. Of skewed ones the evidence that fails a
gate is the lesser of that and of Hall's transformed statistic (Hall 1992, "On the removal of
skewness by transformation", J. R. Statist. Soc. B 54:221), by the skewness that the data sets have
in common; far beyond its end the distance counts again. What passes has no such allowance: a worse
score can make differences less skewed, and would help.

Of clusters of test items of different sizes the mean over items is asked for, and the spread is
CR2's (see `bcompare.data.clusters`): the search is over the sums of the clusters.

It also holds for folds that are correlated as assumed. Over many data sets the largest claim would
show those that are more alike, so there the evidence is the mean over correlations around it.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammainc, stdtr

from bcompare.data.clusters import differ, lost_dof, means_of
from bcompare.data.rope import FloatArray, IntArray, RegionProbabilities, Rope, Sizes
from bcompare.data.sufficient import EQUAL

# The probabilities that a mean is below a border, and above it.
Sides = tuple[float, float]

# From pair to pair of usual learners, as `make scoreboard` finds. They centre below 1/k, but
# with a smaller spread around 1/k folds with 1.5/k would fail too often.
SPREAD = 0.5
# Normal deviates and their weights (Gauss–Hermite): a mean over such a spread to 3 %.
DEVIATES = np.sqrt(3) * np.arange(-1.0, 2.0)
WEIGHTS = np.array([1, 4, 1]) / 6


@dataclass(frozen=True, slots=True)
class Allowance:
    """What Student's answer assumes, and a gate's must not.

    skewness : of differences like these; see `common_skewness`.
    spread : of the logarithm of a correlation's odds ρ/(1 - ρ) around those assumed.
    """

    skewness: float = 0.0
    spread: float = 0.0

    def errors(self, n: ArrayLike, rho: ArrayLike) -> tuple[FloatArray, FloatArray]:
        """Return the error of a mean of n in standard deviations, (m, …) of m mixed correlations.

        And their (m,) weights. Its inverse square is the effective number of values. Of values that
        are not correlated m is 1.
        """
        odds = np.asarray(rho) / (1 - np.asarray(rho))
        mixed = self.spread > 0 and odds.any()
        deviates, weights = (DEVIATES, WEIGHTS) if mixed else (np.zeros(1), np.ones(1))
        odds = np.multiply.outer(np.exp(self.spread * deviates), odds)
        return np.sqrt(1 / np.asarray(n) + odds), weights


NONE = Allowance()
NO_CLUSTERS: Sizes = np.empty(0, np.int64)

# The true skewness of long-tailed differences, relative to that which about ten of them show.
SHOWN = 1.6
# The number of values without skewness that are added to a sample's.
UNSKEWED = 5
# The shape from which a gamma distribution is as good as symmetric.
SYMMETRIC = 1e6
# From where on the distance from a border counts again; see `beyond`.
FAR = 3
# A skewness that is as good as none.
TINY = 1e-12


def regions(
    differences: FloatArray,
    rho: float,
    rope: Rope,
    allowance: Allowance = NONE,
    sizes: Sizes = NO_CLUSTERS,
) -> RegionProbabilities[float]:
    """Return the three probabilities of one data set, monotone in each of the (n,) differences.

    rho : their correlation. sizes : of the clusters of which the differences are the rows.
    """
    low = _sides(differences, rho, rope.low, allowance, sizes)
    high = _sides(differences, rho, rope.high, allowance, sizes)
    return cut(low, high, rope)


def cut(low: Sides, high: Sides, rope: Rope) -> RegionProbabilities[float]:
    """Return the regions from P(μ < border) and P(μ > border) of either border of the rope."""
    middle = 1 - low[0] - high[1]  # or from two small tails, which keep their digits
    if low[1] < 0.5:
        middle = low[1] - high[1]
    elif high[0] < 0.5:
        middle = high[0] - low[0]
    return RegionProbabilities(low[0], 0.0 if rope.is_empty else max(middle, 0.0), high[1])


def cautious(below: float, above: float) -> Sides:
    """Return the sides from the most that both may have: the smaller one decides, if below ½."""
    below = float(below)
    above = float(above)
    if min(below, above) > 0.5:
        return 0.5, 0.5
    return (below, 1 - below) if below < above else (1 - above, above)


def chance(n: float, skewness: float) -> float:
    """Return the chance that n values all lie on one side of their mean.

    Of a gamma distribution, which is lognormal enough with more skewness than a sample shows: that
    of ten lognormal values is 1.8 on average, where the true one is 6.2.

    skewness : that the sample shows, positive if its tail is on the other side.
    """
    shape = _shape(skewness) if skewness > 0 else math.inf
    return math.pow(gammainc(shape, shape) if shape < SYMMETRIC else 0.5, n)


def _shape(skewness: float) -> float:
    """Return the shape of a gamma distribution of which a sample shows this skewness."""
    return (2 / (SHOWN * skewness)) ** 2


def surplus(n: float, effective: float | None = None, skewness: float = 0.0) -> float:
    """Return what the search for the best sample adds to the level of a test of n values.

    effective : the number of values without a correlation that say as much; n if it is None.
    skewness : as of `chance`.

    By simulation, two million samples each: with this added to its tail the level is at most 1.13
    times the nominal one from 0.2 down to 0.002 for n = 3 to 10 (without: up to 60 times), and at
    most 1.4 times for 11 and more; of 10 to 100 folds with ρ from 0.02 to 0.5 at most 1.1 times.
    """
    by_skewness = chance(n, skewness)
    if effective is None or effective == n:
        return max((max(n, 5) - 2) * math.pow(0.5, n + 1), by_skewness)
    # a fold that collapses is further away from a mean that few effective values have to show
    return max(n * math.pow(0.5, n + 1), 0.06 * math.pow(0.5, effective / 2), by_skewness)


def skewness_of_sides(sides: Sequence[tuple[FloatArray, FloatArray]]) -> float:
    """Return the same of scores, where baseline and candidate share nothing.

    An unchanged candidate has scores of the same shape, so that of each data set is the mean over
    both sides, by their numbers.
    """
    if not sides:
        return 0.0
    skewness = []
    total = 0
    for pair in sides:
        size = sum(map(len, pair))
        skewness.append(sum(len(x) * _skewness_or_none(x) for x in pair) / size)
        total += size
    return float(np.median(skewness)) * total / (total + UNSKEWED)


def common_skewness(differences: Sequence[FloatArray]) -> float:
    """Return the median over data sets of the sample skewness, corrected for its bias (G1).

    A median, so that no data set by itself moves it far. Equal differences have no skewness. That
    of few values is noise, so it is taken with that of `UNSKEWED` values more.
    """
    if not differences:
        return 0.0
    skewness = [_skewness_or_none(x) for x in differences]
    total = sum(map(len, differences))
    return float(np.median(skewness)) * total / (total + UNSKEWED)


def _skewness_or_none(x: FloatArray) -> float:
    """Return the skewness of values; 0 if they are equal, or two."""
    return _skewness(x) if len(x) > 2 and np.ptp(x) > 0 else 0.0


def _skewness(x: FloatArray) -> float:
    n = len(x)
    deviation = (x - x.mean()) / x.std()
    return math.sqrt(n * (n - 1)) / (n - 2) * float((deviation**3).mean())


def hall(t: FloatArray, skewness: ArrayLike) -> FloatArray:
    """Return statistics with no more evidence than Hall's transformation leaves them.

    With u = t/√n and g the skewness of n values it is √n (u + g u²/3 + g² u³/27 + g/(6 n)), which
    is flat at u = -3/g; what is further away is no more evidence than that.

    t : at most 0. skewness : of the mean, g/√n. Below 0 it would add evidence, and changes nothing.
    """
    g = np.maximum(skewness, 0.0)
    u = np.maximum(t, -3 / np.maximum(g, TINY))
    with np.errstate(invalid="ignore"):  # of an infinite t, which is not skewed
        changed = np.minimum(u + g * u**2 / 3 + g**2 * u**3 / 27 + g / 6, 0.0)
    return np.where(g == 0, t, changed)


def beyond(t: FloatArray, of_mean: FloatArray, skewness: float, dof: float) -> FloatArray:
    """Return by how much a tail is smaller than at the end of Hall's transformation.

    That n values are so much closer to one another than to their mean falls like a power of the
    ratio: n - 1 if their density is bounded; by its shape, of a gamma distribution that is not.
    It counts from `FAR` times that end on, so that few seeds of lognormal differences do not fail
    more often (on 25 data sets of 5 it would be 11 % instead of none).

    t : at most 0. of_mean : the skewness of the mean. skewness : as of `chance`. dof : n - 1.
    """
    if skewness <= 0:
        return np.ones_like(t)
    ratio = np.maximum(-t * of_mean / (3 * FAR), 1.0)
    return np.asarray(ratio ** (-min(_shape(skewness), 1.0) * dof))


def _sides(
    differences: FloatArray, rho: float, border: float, allowance: Allowance, sizes: Sizes
) -> Sides:
    """Return P(μ < border) and P(μ > border)."""
    y = differences - border
    n = len(differences) - lost_dof(sizes)
    is_above = float(y.mean()) > 0
    if np.ptp(differences) <= EQUAL * np.abs(differences).max():
        tail = 0.5**n if y.mean() else 0.5
        return (tail, 1 - tail) if is_above else (1 - tail, tail)
    if is_above:
        best = tails(-y, rho, replace(allowance, skewness=0.0), sizes)[1]
        tail = max(best, 0.5**n)
        return tail, 1 - tail
    of_sample, best = tails(y, rho, allowance, sizes)
    tail = min(of_sample, best + surplus(n, effective_number(n, rho), allowance.skewness))
    return 1 - tail, tail


def tails(
    y: FloatArray, rho: float, allowance: Allowance, sizes: Sizes = NO_CLUSTERS
) -> tuple[float, float]:
    """Return P(μ > 0) by the (n,) values at hand, whose mean is below 0, and by the best sample."""
    dof = len(y) - 1 - lost_dof(sizes)
    skewness = allowance.skewness
    errors, weights = allowance.errors(len(y), rho)

    def below(t: float) -> float:
        """Return P(μ > 0) for Student's statistic, averaged over its errors."""
        scaled = t / errors
        moments = skewness * errors
        p = stdtr(dof, hall(scaled, moments)) * beyond(scaled, moments, skewness, dof)
        return float(p @ weights)

    t, best = _statistics(y, sizes)
    return below(t), below(best)


def effective_number(n: float, rho: float) -> float:
    """Return the number of values without a correlation whose mean is as exact as of these n."""
    return 1 / (1 / n + rho / (1 - rho)) if rho else n


def _statistics(y: FloatArray, sizes: Sizes = NO_CLUSTERS) -> tuple[float, float]:
    """Return mean/sd, and the smallest over all samples that are nowhere below y.

    The mean of y is at most 0.
    """
    n = len(y)
    mean = float(y.mean())
    of_sample = mean / float(y.std(ddof=1))
    if differ(sizes):
        means, squares = _searched([y], [sizes], np.ones(1))
        best = float(means[0]) / math.sqrt(squares[0] / (n - 1)) if squares[0] > 0 else -math.inf
        return of_sample, min(of_sample, best)
    if y.min() * mean * n <= y @ y:  # no value is far enough below the others
        return of_sample, of_sample
    y = np.sort(y)
    k = np.arange(1, n)  # the number of values that are raised to c
    rest = y[::-1].cumsum()[::-1][1:]
    squares = (y[::-1] ** 2).cumsum()[::-1][1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        c = np.clip(squares / rest, y[:-1], y[1:])
        means = (rest + k * c) / n
        variance = np.maximum(squares + k * c**2 - n * means**2, 0.0) / (n - 1)
        t = means / np.sqrt(variance)
    return of_sample, float(np.nanmin(t))


def tempered(
    differences: Sequence[FloatArray],
    error: FloatArray,
    border: float,
    sizes: Sequence[Sizes] = (),
    rest: float = 0.0,
) -> tuple[FloatArray, FloatArray] | None:
    """Return the (q,) means and sums of squares of the sample that best shows "below the border".

    The border is of the average of the q data sets' means; error : (q,) of each in its standard
    deviations. sizes : of the clusters on each data set, if rows are clusters. rest : the variance
    of a sum of other data sets, which is averaged, too. Best is the sample
    with the most evidence of all that are nowhere below the one at hand; or, if the average is
    above the border, nowhere above it, with the most evidence for "above". With S² the variance of
    the average and M its distance from the border, no value stays further than q S² / (M n w) from
    the mean of its data set, on that side, where w SS is the variance of that mean. None if that is
    so already.
    """
    q = len(differences)
    n = np.array([len(x) for x in differences])
    weight = error**2 / (n - 1)
    sign = 1.0 if np.mean([x.mean() for x in differences]) <= border else -1.0
    if any(map(differ, sizes)):
        rows = [sign * (x - border) for x in differences]
        means, squares = _searched(rows, sizes, weight, rest)
        return sign * means + border, squares
    groups = [np.flatnonzero(n == size) for size in np.unique(n)]
    values = []
    for group in groups:
        rows = [differences[i] for i in group.tolist()]
        values.append(np.sort(sign * (np.stack(rows) - border)))
    lowest, highest = np.empty((2, q))
    for group, y in zip(groups, values, strict=True):
        lowest[group], highest[group] = y[:, 0], y[:, -1]
    if highest.mean() < 0 and not rest:  # no sample shows it better than equal values
        return sign * highest + border, np.zeros(q)
    means, squares = _moments(groups, values)
    distance = -float(means.mean())
    variance = float(rest + weight @ squares) / q**2
    if distance <= 0:
        return None
    low = LEAST * q * variance / distance
    high = q * variance / distance
    if (means - lowest <= high / (n * weight)).all():
        return None
    for _ in range(STEPS):
        middle = math.sqrt(low * high)
        reach = middle / (n * weight)
        raised = [_raised(y, reach[group]) for group, y in zip(groups, values, strict=True)]
        means, squares = _moments(groups, raised)
        distance = -float(means.mean())
        variance = float(rest + weight @ squares) / q**2
        # the best sample has the reach that follows from its own distance and variance
        low, high = (middle, high) if q * variance > middle * distance else (low, middle)
    return sign * means + border, squares


# Halvings of the logarithm of a reach, and its least share of that of the sample at hand.
STEPS, LEAST = 40, 1e-13
# The points of a grid.
REACHES = 400


def _searched(
    rows: Sequence[FloatArray], sizes: Sequence[Sizes], weight: FloatArray, rest: float = 0.0
) -> tuple[FloatArray, FloatArray]:
    """Return as `tempered` the sample that best shows "below 0", of clusters of different sizes.

    With y the sums of the m items of each cluster, less m times their mean, and h = m/Σm, the sum
    of squares of the rows is that of y²/(1 - h), in another unit. In the best sample no cluster has
    y/(1 - h) further below 0 than some reach, which all data sets have in common, but for their
    units and for Σ h y/(1 - h). The reach is found on a grid.

    rows : (n_i,) of each data set, as of `bcompare.data.clusters`. weight : (q,) the variance of a
    mean for a sum of squares of 1.
    """
    curves = []
    for x, m, share in zip(rows, sizes, weight.tolist(), strict=True):
        n = len(m)
        total = m.sum()
        left = 1 - m / m.sum()
        unit = n * (n - 1) / total**2
        y = m * means_of(x[:, None], m)[:, 0]
        furthest = float(((m * x.mean() - y) / left).max())
        reach = furthest * np.concatenate([[0], np.logspace(-8, 0, REACHES)])[:, None]
        edges = (y + reach * left) / m  # a cluster is raised if the mean is above its edge
        order = edges.argsort(axis=1)
        edges = np.take_along_axis(edges, order, axis=1)
        stays = y[order][:, ::-1].cumsum(axis=1)[:, ::-1]
        weighs = m[order][:, ::-1].cumsum(axis=1)[:, ::-1]
        raised = (left[order].cumsum(axis=1) - left[order]) * reach
        means = (stays - raised) / weighs
        mean = np.take_along_axis(means, (means <= edges).argmax(axis=1, keepdims=True), axis=1)
        scaled = (np.maximum(y, m * mean - reach * left) - m * mean) / left
        squares = unit * (scaled**2 * left).sum(axis=1)
        common = (reach[:, 0] + scaled @ (1 - left)) * total * share * unit
        curves.append((common, mean[:, 0], squares))
    reaches = np.concatenate([[np.inf], *(common for common, _, _ in curves)])  # none raised, first
    means = np.array([np.interp(reaches, share[0], share[1]) for share in curves])
    squares = np.array([np.interp(reaches, share[0], share[2]) for share in curves])
    with np.errstate(divide="ignore", invalid="ignore"):
        t = means.mean(axis=0) / np.sqrt(rest + weight @ squares)
    least = EQUAL * max(float(np.abs(x).max()) for x in rows)  # at the border by rounding
    best = np.where(means.mean(axis=0) < -least, t, 0.0).argmin()
    return means[:, best], squares[:, best]


def _raised(y: FloatArray, reach: FloatArray) -> FloatArray:
    """Return (g, n) values, sorted, with none further below the mean of its row than `reach`."""
    n = y.shape[1]
    k = np.arange(y.shape[1])
    rest = y[:, ::-1].cumsum(axis=1)[:, ::-1]
    # so that mean - c is the reach if k values are raised
    c = (rest - n * reach[:, None]) / (n - k)
    first = (c <= y).argmax(axis=1, keepdims=True)  # true of the largest value, at least
    return np.asarray(np.maximum(y, np.take_along_axis(c, first, axis=1)))


def _moments(
    groups: Sequence[IntArray], values: Sequence[FloatArray]
) -> tuple[FloatArray, FloatArray]:
    """Return the means and sums of squares of the data sets; groups : those in each of `values`."""
    means, squares = np.empty((2, sum(map(len, groups))))
    for group, y in zip(groups, values, strict=True):
        means[group] = y.mean(axis=1)
        squares[group] = ((y - means[group, None]) ** 2).sum(axis=1)
    return means, squares
