"""What a gate claims of many simulated suites at once, by arrays over all of them.

The same as `bcompare.gating.suites` and `bcompare.gating.monotone` say of each suite, for folds or
seeds. One thing is approximate: the average of Student variables with scales s_i is normal with the
variance Σ s_i² w_i, given the mixing variables w_i = ν/χ²_ν of each, and its tail is the mean over
draws of these that all suites share. The draws are stratified in each w_i.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np
from scipy.special import chdtri, ndtr, stdtr

from bcompare.data.rope import BoolArray, FloatArray, IntArray, Rope, read_only
from bcompare.data.units import Unit
from bcompare.gating import monotone
from bcompare.gating.rule import NOT_BETTER, WORSE, WORST_FIRST, GateRule

# Draws of the mixing variables, which vary much with few degrees of freedom; else fewer suffice.
DRAWS, FEWER_DRAWS = 4096, 512
MANY_DOF = 15
# Suites that are averaged at once.
CHUNK = 256
# Halvings of the logarithm of a reach; see `monotone.tempered`.
STEPS = 24


@dataclass(frozen=True, eq=False, slots=True)
class SimulatedClaims:
    """The claims of one metric on R suites: of the average, and of each data set if several.

    worse, better : (R, c) what counts for them.
    suspect : (R, c) which may not pass.
    main : (c,) which must be shown.
    aim, advisory : as of `bcompare.gating.rule.Claim`.
    """

    worse: FloatArray
    better: FloatArray
    suspect: BoolArray
    main: BoolArray
    aim: bool = False
    advisory: bool = False

    def first(self) -> "SimulatedClaims":
        """Return only the claim on the average, or on the only data set."""
        first = slice(0, 1)
        return replace(
            self,
            worse=self.worse[:, first],
            better=self.better[:, first],
            suspect=self.suspect[:, first],
            main=self.main[first],
        )


def outcomes(rule: GateRule, metrics: Sequence[SimulatedClaims]) -> IntArray:
    """Return the (R,) outcomes by the claims on each metric, as positions in `WORST_FIRST`.

    The outcome is that of the worst claim. By Holm's first step one fails if the smallest p-value
    does after the correction for their number; see `bcompare.gating.rule.judge`.
    """
    judged = [claims for claims in metrics if not claims.advisory]
    p_values = []
    doubtful = np.zeros(len(metrics[0].worse), np.bool_)
    for claims in judged:
        contradicted = np.where(claims.aim & claims.main, 1 - claims.better, claims.worse)
        p_values.append(1 - contradicted)
        needs_better = claims.aim or rule.fail_if == NOT_BETTER
        good = claims.better if needs_better else 1 - claims.worse
        not_shown = claims.main & (good <= rule.prob)
        suspected = ~claims.main & (claims.suspect | (claims.worse > rule.prob))
        doubtful |= (not_shown | suspected).any(axis=1)
    p = np.concatenate(p_values, axis=1)
    fails = p.min(axis=1) * p.shape[1] < rule.alpha
    if rule.fail_if != WORSE:
        fails |= doubtful
    undecided = np.where(doubtful, WORST_FIRST.index("undecided"), WORST_FIRST.index("pass"))
    return np.asarray(np.where(fails, WORST_FIRST.index("fail"), undecided))


@dataclass(frozen=True, eq=False, slots=True)
class SimulatedSuites:
    """Differences of R suites of q data sets, of which none are all equal.

    rows : (R, g, n) for each group of data sets with equally many differences.
    rho : (g,) correlations of each group.
    """

    rows: tuple[FloatArray, ...]
    rho: tuple[FloatArray, ...]
    unit: Unit

    @property
    def datasets(self) -> int:
        """The number q of data sets."""
        return sum(group.shape[1] for group in self.rows)

    @property
    def skewness(self) -> FloatArray:
        """(R,) `monotone.common_skewness` of each suite."""
        values = []
        total = 0
        for x in self.rows:
            n = x.shape[2]
            deviation = (x - x.mean(axis=2, keepdims=True)) / x.std(axis=2, keepdims=True)
            values.append(
                np.sqrt(n * (n - 1)) / (n - 2) * (deviation * deviation * deviation).mean(axis=2)
            )
            total += n * x.shape[1]
        shrunk = total / (total + monotone.UNSKEWED)
        return np.asarray(np.median(np.concatenate(values, axis=1), axis=1) * shrunk)

    def claims(self, rope: Rope, rule: GateRule, *, aim: bool = False) -> SimulatedClaims:
        """Return the claims.

        What is better is computed only where the rule or the aim ask for it, else it is 0.
        """
        worse, suspect = self._below(rope.low, rule.alpha)
        better = np.zeros_like(worse)
        if aim or rule.fail_if == NOT_BETTER:
            better = 1 - self._below(rope.high, rule.alpha)[0]
        several = self.datasets > 1
        main = np.zeros(worse.shape[1], np.bool_)
        main[0] = True
        if several:
            suspect = np.column_stack([np.zeros(len(suspect), np.bool_), suspect])
        return SimulatedClaims(worse, better, suspect, main, aim)

    def _below(self, border: float, alpha: float) -> tuple[FloatArray, BoolArray]:
        """Return P(below a border) of the claims, (R, c), and which data sets are suspects."""
        skewness = self.skewness
        spread = monotone.SPREAD if self.datasets > 1 and self.unit.has_rho else 0.0
        allowance = monotone.Allowance(spread=spread)
        each = []
        suspects = []
        level = alpha / (self.datasets + 1)
        for x, rho in zip(self.rows, self.rho, strict=True):
            sides, best = _of_each(x - border, rho, allowance, skewness)
            each.append(sides)
            suspects.append((x.mean(axis=2) < border) & (best < level))
        below = np.concatenate(each, axis=1)
        if self.datasets > 1:
            average = self._average(border, allowance, skewness)
            below = np.column_stack([average, below])
        return below, np.concatenate(suspects, axis=1)

    def _average(
        self, border: float, allowance: monotone.Allowance, skewness: FloatArray
    ) -> FloatArray:
        """Return (R,) P(average below a border); see `Suite._sides`."""
        n = np.concatenate([np.full(x.shape[1], x.shape[2]) for x in self.rows])
        rho = np.concatenate(self.rho)
        mean = np.concatenate([x.mean(axis=2) for x in self.rows], axis=1)
        sd = np.concatenate([x.std(axis=2, ddof=1) for x in self.rows], axis=1)
        sign = np.where(mean.mean(axis=1) <= border, 1.0, -1.0)
        ordered = [_turned(np.sort(x - border, axis=2), sign) for x in self.rows]
        values = [_Raisable.of(y) for y in ordered]
        errors, weights = allowance.errors(n, rho)
        tail_sum = np.zeros(len(mean))
        best = np.zeros(len(mean))
        for error, weight in zip(errors, weights.tolist(), strict=True):
            average = _Average(mean - border, sd * error, error, n, skewness)
            raised_mean, raised_sd = _tempered(values, sign, mean - border, sd, error, n)
            raised = _Average(raised_mean, raised_sd * error, error, n, skewness)
            tail = average.tail
            tail_sum += weight * tail
            best += weight * np.minimum(tail, raised.tail)
        total = float(n.sum())
        effective = sum(map(monotone.effective_number, n.tolist(), rho.tolist()))
        signs = 0.5 ** (total / np.sqrt(len(n)))
        surplus = [monotone.surplus(total, effective, g) for g in skewness.tolist()]
        is_above = mean.mean(axis=1) > border
        worse = 1 - np.minimum(tail_sum, best + surplus)
        return np.asarray(np.where(is_above, np.maximum(best, signs), worse))


def _of_each(
    y: FloatArray, rho: FloatArray, allowance: monotone.Allowance, skewness: FloatArray
) -> tuple[FloatArray, FloatArray]:
    """Return (R, g) P(mean below 0), and the tail of the best sample; see `monotone.regions`.

    y : (R, g, n) differences from the border.
    """
    n = y.shape[2]
    is_above = y.mean(axis=2) > 0
    sign = np.where(is_above, -1.0, 1.0)[:, :, None]
    of_sample, best = _statistics(np.sort(sign * y, axis=2))
    errors, weights = allowance.errors(n, rho)
    errors = np.broadcast_to(errors.reshape(len(weights), -1), (len(weights), y.shape[1]))
    # what passes has no allowance for skewness
    skewed = np.where(is_above, 0.0, np.maximum(skewness, 0.0)[:, None])
    own_tail = np.zeros(of_sample.shape)
    best_tail = np.zeros(of_sample.shape)
    for error, weight in zip(errors, weights.tolist(), strict=True):
        own_tail += weight * _skewed_tail(of_sample / error, skewed * error, skewed, n - 1)
        best_tail += weight * _skewed_tail(best / error, skewed * error, skewed, n - 1)
    numbers = [monotone.effective_number(n, r) for r in rho.tolist()]
    surplus = np.array([[monotone.surplus(n, m, g) for m in numbers] for g in skewness.tolist()])
    below = 1 - np.minimum(own_tail, best_tail + surplus)
    return np.where(is_above, np.maximum(best_tail, 0.5**n), below), best_tail


def _skewed_tail(t: FloatArray, of_mean: FloatArray, skewness: FloatArray, dof: int) -> FloatArray:
    """Return Student's tail of Hall's statistic, and what is left of it far beyond its end."""
    return np.asarray(
        stdtr(dof, monotone.hall(t, of_mean)) * _beyond(t, of_mean, skewness, float(dof))
    )


def _beyond(t: FloatArray, of_mean: FloatArray, skewness: FloatArray, dof: float) -> FloatArray:
    """Return `monotone.beyond` for arrays of skewness, of which none are below 0."""
    shape = (2 / (monotone.SHOWN * np.maximum(skewness, monotone.TINY))) ** 2
    with np.errstate(invalid="ignore"):
        ratio = np.fmax(-t * of_mean / (3 * monotone.FAR), 1.0)
    return np.asarray(ratio ** (-np.minimum(shape, 1.0) * dof))


def _statistics(y: FloatArray) -> tuple[FloatArray, FloatArray]:
    """Return (R, g) mean/sd, and the smallest over all samples nowhere below y.

    y : (R, g, n), sorted, with means of at most 0; see `monotone._statistics`.
    """
    n = y.shape[2]
    of_sample = y.mean(axis=2) / y.std(axis=2, ddof=1)
    k = np.arange(1, n)
    rest = y[..., ::-1].cumsum(axis=2)[..., ::-1][..., 1:]
    squares = (y[..., ::-1] ** 2).cumsum(axis=2)[..., ::-1][..., 1:]
    with np.errstate(divide="ignore", invalid="ignore"):
        c = np.clip(squares / rest, y[..., :-1], y[..., 1:])
        means = (rest + k * c) / n
        variance = np.maximum(squares + k * c**2 - n * means**2, 0.0) / (n - 1)
        t = np.where(means < 0, means / np.sqrt(variance), 0.0)
    best = np.fmin.reduce(t, axis=2, initial=0.0)
    # where no value is far enough below the others, the sample at hand is the best one
    is_best = y[..., 0] * y.mean(axis=2) * n <= (y**2).sum(axis=2)
    return of_sample, np.where(is_best, of_sample, np.minimum(of_sample, best))


@dataclass(frozen=True, eq=False, slots=True)
class _Average:
    """The averages of R suites.

    mean : (R, q) distances from the border.
    scale : (R, q) their errors.
    error : (q,) the same in standard deviations.
    n : (q,) differences.
    skewness : (R,) of these.
    """

    mean: FloatArray
    scale: FloatArray
    error: FloatArray
    n: IntArray
    skewness: FloatArray

    @property
    def tail(self) -> FloatArray:
        """(R,) the smaller side of the border, corrected for skewness; see `Suite._unskewed`."""
        mean = self.mean.mean(axis=1)
        q = len(self.n)
        spread = np.sqrt((self.scale**2).sum(axis=1)) / q
        skewness = np.maximum(self.skewness, 0.0)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.minimum(mean / spread, 0.0)
            of_mean = skewness * ((self.scale**3) @ self.error) / q**3 / spread**3
            shift = (monotone.hall(t, of_mean) - t) * spread
        is_skewed = (mean < 0) & (spread > 0)
        moved = mean + np.where(is_skewed, shift, 0.0)
        beyond = _beyond(t, of_mean, skewness, float((self.n - 1).sum()))
        return np.asarray(self._beyond_border(moved) * np.where(is_skewed, beyond, 1.0))

    def _beyond_border(self, mean: FloatArray) -> FloatArray:
        """(R,) the probability of the other side of the border than the mean's."""
        squares = mixing_variables(tuple((self.n - 1).tolist()))
        result = np.empty(len(mean))
        for start in range(0, len(mean), CHUNK):
            part = slice(start, start + CHUNK)
            deviation = np.sqrt(self.scale[part] ** 2 @ squares) / len(self.n)
            with np.errstate(divide="ignore", invalid="ignore"):
                z = np.abs(mean[part, None]) / deviation
            result[part] = ndtr(-z).mean(axis=1)
        return result


@lru_cache(maxsize=8)
def mixing_variables(dof: tuple[int, ...]) -> FloatArray:
    """Return (q, draws) values of ν/χ²_ν, stratified for each data set, in an order of its own."""
    rng = np.random.default_rng(len(dof))
    draws = DRAWS if min(dof) < MANY_DOF else FEWER_DRAWS
    middle = (np.arange(draws) + 0.5) / draws
    quantiles = {v: v / chdtri(v, middle) for v in set(dof)}
    return read_only(np.stack([rng.permutation(quantiles[v]) for v in dof]))


@dataclass(frozen=True, eq=False, slots=True)
class _Raisable:
    """Sorted values, of which the lowest may be raised to be no further below their mean.

    With k values raised to c, the mean less c is the reach if Σ (y_j - c) over the others is n
    times the reach. So y_k stays if Σ_{j ≥ k} (y_j - y_k) is at most that, which decreases in k.

    y : (R, g, n) sorted.
    rest, squares : the sums of the values and squares from each one on.
    above : (R, g, n) these sums of distances from it.
    """

    y: FloatArray
    rest: FloatArray
    squares: FloatArray
    above: FloatArray

    @classmethod
    def of(cls, y: FloatArray) -> "_Raisable":
        """Return it for sorted values."""
        n = y.shape[2]
        rest = _summed_from_each(y)
        above = rest - (n - np.arange(n)) * y
        return cls(y, rest, _summed_from_each(y**2), above)

    def chosen(self, suites: IntArray) -> "_Raisable":
        """Return some of the suites."""
        return _Raisable(
            self.y[suites], self.rest[suites], self.squares[suites], self.above[suites]
        )

    def moments(self, reach: FloatArray) -> tuple[FloatArray, FloatArray]:
        """Return the (R, g) means and sums of squares within such reaches."""
        n = self.y.shape[2]
        far = self.above > n * reach[:, :, None]
        # the largest value always stays
        k = np.minimum(np.count_nonzero(far, axis=2), n - 1)
        rest = np.take_along_axis(self.rest, k[:, :, None], axis=2)[:, :, 0]
        squares = np.take_along_axis(self.squares, k[:, :, None], axis=2)[:, :, 0]
        c = (rest - n * reach) / (n - k)
        mean = (rest + k * c) / n
        return mean, np.maximum(squares + k * c**2 - n * mean**2, 0.0)


def _summed_from_each(y: FloatArray) -> FloatArray:
    """Return the sums of the values from each one to the last."""
    return np.asarray(y[..., ::-1].cumsum(axis=2)[..., ::-1])


def _tempered(
    values: Sequence[_Raisable],
    sign: FloatArray,
    mean: FloatArray,
    sd: FloatArray,
    error: FloatArray,
    n: IntArray,
) -> tuple[FloatArray, FloatArray]:
    """Return the (R, q) means and standard deviations of the samples with the most evidence.

    values : distances from the border, times the sign of each suite. mean, sd : of the distances.
    See `monotone.tempered`.
    """
    q = len(n)
    weight = error**2 / (n - 1)
    means = sign[:, None] * mean
    squares = sd**2 * (n - 1)
    lowest = np.concatenate([value.y[:, :, 0] for value in values], axis=1)
    highest = np.concatenate([value.y[:, :, -1] for value in values], axis=1)
    distance = -means.mean(axis=1)
    variance = squares @ weight / q**2
    with np.errstate(divide="ignore"):
        high = q * variance / distance
    changed = (distance > 0) & ((means - lowest) > high[:, None] / (n * weight)).any(axis=1)
    certain = highest.mean(axis=1) < 0
    search = np.flatnonzero(changed & ~certain)
    if len(search):
        chosen = [value.chosen(search) for value in values]
        means[search], squares[search] = _searched(chosen, high[search], weight, n)
    means[certain] = highest[certain]
    squares[certain] = 0.0
    return sign[:, None] * means, np.sqrt(squares / (n - 1))


def _searched(
    values: Sequence[_Raisable], high: FloatArray, weight: FloatArray, n: IntArray
) -> tuple[FloatArray, FloatArray]:
    """Return the moments of the best samples, by bisection of the logarithm of their reach."""
    q = len(n)
    ends = np.cumsum([value.y.shape[1] for value in values])
    low = monotone.LEAST * high
    for _ in range(STEPS):
        middle = np.sqrt(low * high)
        reach = middle[:, None] / (n * weight)
        of_groups = np.split(reach, ends[:-1], axis=1)
        moments = [value.moments(part) for value, part in zip(values, of_groups, strict=True)]
        means = np.concatenate([mean for mean, _ in moments], axis=1)
        squares = np.concatenate([square for _, square in moments], axis=1)
        above = squares @ weight / q > -middle * means.mean(axis=1)
        low = np.where(above, middle, low)
        high = np.where(above, high, middle)
    return means, squares


def _turned(y: FloatArray, sign: FloatArray) -> FloatArray:
    """Return sorted (R, g, n) values times a sign for each suite, sorted."""
    return np.where(sign[:, None, None] > 0, y, -y[:, :, ::-1])
