"""The correlated t-test: two classifiers on one data set, from the folds of cross-validation.

Sources: Nadeau & Bengio 2003 for the correction; Corani & Benavoli 2015 (Machine Learning
100:285), "CB 2015", for the posterior; Benavoli, Corani, Demšar & Zaffalon 2017 (JMLR 18),
"Tutorial", for the regions.
"""

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import stdtr

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note, counted
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.data.sufficient import OTHER_RHOS, IntArray, SufficientStatistics
from bcompare.methods.base import (
    DatasetsResult,
    Estimate,
    Interval,
    Method,
    Progress,
    Result,
    Shown,
    no_progress,
    part_of,
    prior_term,
    with_options_of,
)
from bcompare.methods.paired_binary import (
    FEW_BINARY_ITEMS,
    PairedBinary,
    discordant,
    item_posterior,
    mcnemar,
)
from bcompare.methods.student import StudentPosterior, standardised

INTERVAL_LEVELS = (0.50, 0.75, 0.90, 0.95, 0.99)
# The largest shape of the prior: beyond it the Student density loses its digits.
FIRMEST = 1e9
# The reason for no verdict if no data set has any spread.
NO_SPREAD = (
    "all differences are equal on every data set, and so few or coarse scores may agree by chance"
)


@dataclass(frozen=True, slots=True)
class NormalGamma:
    """Conjugate prior of the mean difference and its precision: CB 2015, Theorem 2.

    mean : μ0, prior mean of the difference, in the scores' unit.
    k0 : prior variance of the mean in units of the differences' variance; inf leaves it flat.
    a, b : shape and rate of the Gamma prior on the precision; b in the squared unit.

    The default is the matching prior (CB 2015, Corollary 1), under which the posterior
    agrees with the frequentist correlated t-test.

    Raises
    ------
    InputError : k0 ≤ 0, a < -1/2 or very large, b < 0 or a value that is not a number.
    """

    mean: float = field(default=0.0, metadata=prior_term("mean"))
    k0: float = field(default=math.inf, metadata=prior_term("k0"))
    a: float = field(default=-0.5, metadata=prior_term("a"))
    b: float = field(default=0.0, metadata=prior_term("b"))

    def __post_init__(self) -> None:
        if self.mean != 0 and math.isinf(self.k0):
            raise InputError(
                "the prior's mean has no effect while it is flat: say by k0 how firm it is, such "
                "as k0=1"
            )
        if not math.isfinite(self.mean):
            raise InputError(f"prior mean {self.mean}: give a finite number")
        if not self.k0 > 1e-100:
            raise InputError(
                f"prior k0 {self.k0:g}: give a positive number, or inf for a flat prior"
            )
        if not -0.5 <= self.a <= FIRMEST:
            raise InputError(
                f"prior a {self.a:g}: give a number from -0.5 to {FIRMEST:g}; it counts like twice "
                "as many scores"
            )
        if not (self.b >= 0 and math.isfinite(self.b)):
            raise InputError(f"prior b {self.b:g}: give a number of at least 0")


@dataclass(frozen=True, eq=False, slots=True)
class PairedTTest:
    """Frequentist t-test of "no difference" on each data set; (q,) each. Tutorial eq. 1-3.

    statistic : t; infinite where all differences are equal and not 0.
    p_value : two-sided. p_right_better, p_left_better : one-sided p-values, small when the
    right (left) classifier scores higher.
    """

    statistic: FloatArray
    p_value: FloatArray
    p_right_better: FloatArray
    p_left_better: FloatArray


@dataclass(frozen=True, eq=False, slots=True)
class OtherRho:
    """The answer with another correlation: `factor` times ρ; (q,) probabilities each."""

    factor: float
    p_left: FloatArray
    p_rope: FloatArray
    p_right: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class CorrelatedTDatasets(DatasetsResult):
    """Answers of the correlated t-test for q data sets.

    probabilities : of the three regions under `posterior` (Tutorial §3.2).
    p_better : (q,) P(μ > 0), the probability that right is better by any amount.
    sd : (q,) standard deviation of the differences.
    posterior : of the mean difference (CB 2015, Theorem 2; Tutorial eq. 6).
    intervals : highest-density intervals of the mean difference, one for each level.
    nhst : the t-test corrected for the correlation; McNemar's exact test for 0/1 items.
    nhst_mid_p : McNemar's mid-p values for 0/1 items; not a number elsewhere.
    nhst_uncorrected : the t-test with ρ = 0.
    sensitivity : the probabilities at half and at twice the correlation, if requested.
    """

    shown: ClassVar[tuple[Shown, ...]] = (Shown("nhst.p_value", "p-value", "p"),)
    shown_in_details: ClassVar[tuple[Shown, ...]] = (
        Shown("nhst.p_left_better", "p, left better", "p"),
        Shown("nhst.p_right_better", "p, right better", "p"),
    )

    p_better: FloatArray
    sd: FloatArray
    posterior: StudentPosterior
    intervals: tuple[Interval[FloatArray], ...]
    nhst: PairedTTest
    nhst_mid_p: PairedTTest
    nhst_uncorrected: PairedTTest
    sensitivity: tuple[OtherRho, ...] = ()


@dataclass(frozen=True, eq=False, kw_only=True)
class CorrelatedTResult(Result):
    """The correlated t-test answers for each data set by itself, so `datasets` holds all."""

    about_these: ClassVar[bool] = True

    datasets: CorrelatedTDatasets

    @property
    def probabilities(self) -> RegionProbabilities[float]:
        """The three probabilities on the only data set.

        Raises
        ------
        InputError : several data sets, each of which has its own in `datasets`.
        """
        p = self.datasets.probabilities
        if len(p.left) != 1:
            raise InputError(
                f"the correlated t-test answers for each of the {len(p.left)} data sets by "
                "itself: see datasets.probabilities"
            )
        return RegionProbabilities(float(p.left[0]), float(p.rope[0]), float(p.right[0]))

    @property
    def average(self) -> Estimate | None:
        """The mean difference on the only data set."""
        posterior = self.datasets.posterior
        if len(posterior.location) != 1:
            return None
        (interval,) = posterior.intervals((0.95,))
        return Estimate(*(float(x[0]) for x in (posterior.location, interval.low, interval.high)))

    @property
    def p_values(self) -> FloatArray:
        """(q,) p-values of the corrected t-test."""
        return self.datasets.nhst.p_value


@dataclass(frozen=True)
class CorrelatedT(Method):
    """The correlated t-test; see `correlated_t_test`.

    prior : of the mean difference; the matching prior by default.
    interval_levels : credible levels of the intervals.
    binary : when 0/1 items get their exact posterior.
    sensitivity : answer at half and at twice the correlation too.
    """

    name: ClassVar[str] = "ttest"
    pictures: ClassVar[tuple[str, ...]] = ("posterior", "forest")
    over_datasets: ClassVar[bool] = False
    varied: ClassVar[str] = "ρ"
    example: ClassVar[str] = "'mean=0, k0=1, a=2, b=0.01'; of 0/1 items strength=4"
    about: ClassVar[str] = (
        "Prints p(left), p(rope), p(right): the probabilities that the left classifier is "
        "practically better, that the two are practically equivalent, that the right one is better."
    )
    title: ClassVar[str] = "Bayesian correlated t-test"
    paper: ClassVar[str] = "Corani and Benavoli 2015"

    prior: NormalGamma = NormalGamma()
    interval_levels: tuple[float, ...] = field(
        default=INTERVAL_LEVELS, metadata={"name": "interval"}
    )
    binary: PairedBinary = FEW_BINARY_ITEMS
    sensitivity: bool = False

    def describe(self) -> str:
        """Return the prior in words."""
        if self.prior == NormalGamma():
            return "matching prior"
        p = self.prior
        return f"Normal-Gamma prior (mean {p.mean:g}, k0 {p.k0:g}, a {p.a:g}, b {p.b:g})"

    def __post_init__(self) -> None:
        for level in self.interval_levels:
            if not 0 < level < 1:
                raise InputError(
                    f"interval {level:g}: give a probability between 0 and 1, such as 0.95"
                )

    def economical(self) -> "CorrelatedT":
        """Return the test without intervals."""
        return replace(self, interval_levels=())

    def test(self, statistics: SufficientStatistics, rope: Rope) -> CorrelatedTResult:
        """Compare one pair of classifiers on each of q data sets."""
        return self.test_all([statistics], rope)[0]

    def test_all(
        self, pairs: Sequence[SufficientStatistics], rope: Rope, progress: Progress = no_progress
    ) -> list[CorrelatedTResult]:
        """Compare all pairs together: their data sets form one long list."""
        answers = self._answers(SufficientStatistics.concatenated(pairs), rope)
        results, start = [], 0
        for pair in pairs:
            own = part_of(answers, slice(start, start + len(pair)))
            notes = posterior_notes(pair, self.binary)
            results.append(CorrelatedTResult(datasets=own, notes=notes))
            start += len(pair)
        progress(len(pairs), len(pairs))
        return results

    def posterior(self, statistics: SufficientStatistics) -> StudentPosterior:
        """Return the posterior of each data set's mean difference."""
        student = student_posterior(statistics, self.prior)
        return item_posterior(student, statistics, self.binary)

    def _answers(self, statistics: SufficientStatistics, rope: Rope) -> CorrelatedTDatasets:
        exact = self.binary.applies(statistics)
        if self.binary != FEW_BINARY_ITEMS and not exact.any():
            raise InputError(
                "the strength of the prior and exact posteriors are for test items that are scored "
                f"0 or 1, without clusters (name their column with {arg('item_col')}); the "
                "strength also needs fewer than 100 on which the models differ, or exact posteriors"
            )
        posterior = self.posterior(statistics)
        n, mean = statistics.n, statistics.mean
        nhst = paired_t_test(n, mean, statistics.standard_error)
        mid_p = PairedTTest(*np.full((4, len(statistics)), np.nan))
        if statistics.unit.has_answers:
            nhst = _with_mcnemar(nhst, statistics)
            mid_p = _with_mcnemar(mid_p, statistics, mid=True)
        return CorrelatedTDatasets(
            probabilities=posterior.regions(rope),
            # a prior with a spread of its own replaces the missing spread of the data
            withheld=statistics.lacks_spread & (self.prior.b == 0) & ~exact,
            p_better=posterior.p_better(1),
            sd=statistics.sd,
            posterior=posterior,
            intervals=posterior.intervals(self.interval_levels),
            nhst=nhst,
            nhst_mid_p=mid_p,
            nhst_uncorrected=paired_t_test(n, mean, statistics.sd / np.sqrt(n)),
            sensitivity=self._with_other_rhos(statistics, rope) if self.sensitivity else (),
        )

    def _with_other_rhos(
        self, statistics: SufficientStatistics, rope: Rope
    ) -> tuple[OtherRho, ...]:
        answers = []
        for factor in OTHER_RHOS.values():
            other = statistics.with_rho(factor)
            if other is not None:
                p = self.posterior(other).regions(rope)
                answers.append(OtherRho(factor, p.left, p.rope, p.right))
        if not answers:
            raise InputError(
                f"{arg('sensitivity')} varies the correlation of "
                "folds, and these rows have none: leave it out"
            )
        return tuple(answers)


@with_options_of(CorrelatedT)
def correlated_t_test(
    differences: Iterable[Any],
    *,
    rho: ArrayLike,
    rope: Rope | float | tuple[float, float] = 0.01,
    **options: Any,
) -> CorrelatedTResult:
    """Bayesian and frequentist correlated t-test on paired differences.

    Parameters
    ----------
    differences : (n,) score(right) - score(left) of the folds of one data set, or a list of
        q such arrays, one for each data set.
    rho : correlation between the differences of one data set: 1/k for k-fold cross-validation,
        however many runs; 0 for independent differences. One number, or (q,).
    rope : half-width, (low, high) or Rope, in the scores' unit.
    options : of `CorrelatedT`.

    Raises
    ------
    InputError : fewer than 3 differences, a value that is not finite, ρ outside [0, 1).

    Examples
    --------
    >>> result = correlated_t_test([0.02, 0.01, 0.03, 0.02], rho=0.25, rope=0.01)
    >>> result.datasets.probabilities.right.round(3)
    array([0.896])
    """
    statistics = SufficientStatistics.from_differences(differences, rho)
    return CorrelatedT(**options).test(statistics, Rope.of(rope))


def student_posterior(statistics: SufficientStatistics, prior: NormalGamma) -> StudentPosterior:
    """Posterior of the mean difference under a Normal-Gamma prior: CB 2015, Theorem 2.

    With c = n/(1+(n-1)ρ) and A = c + 1/k0 the posterior is St(2ã, μ̃, b̃/(ãA)). The paper prints
    b̃ with its last three signs turned; completing the square gives the form used here.
    """
    n, mean, ss, rho = statistics.n, statistics.mean, statistics.ss, statistics.rho
    c = n / (1 + (n - 1) * rho)
    weight = 1 / prior.k0
    precision = c + weight
    location = mean + weight / precision * (prior.mean - mean)
    shape = prior.a + n / 2
    rate = prior.b + ss / (1 - rho) / 2
    if weight > 0:
        # half of c x̄² + μ0²/k0 - A μ̃², written so that nothing cancels
        with np.errstate(over="ignore"):
            rate = rate + c * weight / precision * (mean - prior.mean) ** 2 / 2
    scale = np.sqrt(rate / (shape * precision))
    if not np.isfinite(scale).all():
        raise InputError(
            f"prior mean {prior.mean:g} is too far from the data to compute with: give one of "
            "the size of the differences"
        )
    return StudentPosterior(dof=2 * shape, location=location, scale=scale)


def paired_t_test(n: IntArray, mean: FloatArray, standard_error: FloatArray) -> PairedTTest:
    """Return t = mean / standard error with n - 1 degrees of freedom: Tutorial eq. 1-3."""
    statistic = standardised(mean, standard_error)
    dof = (n - 1).astype(np.float64)
    p_right, p_left = stdtr(dof, -statistic), stdtr(dof, statistic)
    return PairedTTest(
        statistic=statistic,
        p_value=2 * np.minimum(p_right, p_left),
        p_right_better=p_right,
        p_left_better=p_left,
    )


def _with_mcnemar(
    nhst: PairedTTest, statistics: SufficientStatistics, *, mid: bool = False
) -> PairedTTest:
    """Replace the t-test by McNemar's for items scored 0 or 1.

    Its statistic is the difference of the numbers of items that only one classifier got right.
    """
    left, right = discordant(statistics)
    exact = (right - left, *mcnemar(left, right, mid=mid))
    of_t = (nhst.statistic, nhst.p_value, nhst.p_right_better, nhst.p_left_better)
    binary = statistics.binary
    return PairedTTest(*(np.where(binary, *both) for both in zip(exact, of_t, strict=True)))


def posterior_notes(statistics: SufficientStatistics, binary: PairedBinary) -> tuple[Note, ...]:
    """Name the data sets where all differences are equal, and those with an exact posterior."""
    constant = np.flatnonzero(statistics.is_constant & ~binary.applies(statistics))
    if not constant.size:
        return binary.notes(statistics)
    where = counted([statistics.names[i] for i in constant], "data set")
    message = (
        f"all differences are equal on {where}: the p-value there is 0 or 1, and without a prior "
        "the posterior a point. Check that the two classifiers really differ there"
    )
    return (Note("zero-variance", "warning", message), *binary.notes(statistics))
