"""The correlated t-test: two classifiers on one data set, from the folds of cross-validation.

Sources: Nadeau & Bengio 2003 for the correction; Corani & Benavoli 2015 (Machine Learning
100:285), "CB 2015", for the posterior; Benavoli, Corani, Demšar & Zaffalon 2017 (JMLR 18),
"Tutorial", for the regions.
"""

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from bcompare.basis.messages import InputError, Note, arg, counted, number_of
from bcompare.basis.threads import in_one_thread
from bcompare.data.rope import (
    DEFAULT_ROPE,
    BoolArray,
    FloatArray,
    RegionProbabilities,
    Rope,
    RopeLike,
)
from bcompare.data.simulated import SimulatedResults
from bcompare.data.sufficient import OTHER_RHOS, SufficientStatistics, differences_of
from bcompare.methods.interface import DatasetMethod, DatasetsResult, Result
from bcompare.methods.paired_binary import (
    FEW_BINARY_ITEMS,
    FEW_DISCORDANT,
    PairedBinary,
    discordant,
    matching_posterior,
    mcnemar,
)
from bcompare.methods.result_parts import Contrast, Estimate, Interval, Shown, with_options_of
from bcompare.methods.student import (
    MATCHING,
    NormalGamma,
    StudentPosterior,
    standardised,
    tails,
)
from bcompare.methods.unpaired import MOST_EXACT, UnpairedPosterior, boschloo, counts

INTERVAL_LEVELS = (0.50, 0.75, 0.90, 0.95, 0.99)
# The names of the frequentist tests; the test with ρ = 0 for rows that are not correlated, or are.
CORRECTED, MCNEMAR, PAIRED, MID_P = (
    "corrected t-test",
    "McNemar's exact test",
    "paired t-test",
    "McNemar's mid-p",
)
# Of sides that share nothing.
WELCH, BOSCHLOO = "Welch's t-test", "Boschloo's exact test"
# Of more trials than Boschloo's is computed for.
SCORE_TEST = "score test of two rates"
UNCORRECTED = (PAIRED, "uncorrected t-test")
# With fewer decisive items than this number and share a t interval is too short: at 5 of 200 it
# covers 76 % for 95 %.
FEW_DECISIVE, DECISIVE_SHARE = 12, 0.1
# The reason for no verdict if no data set has any spread.
NO_SPREAD = (
    "all differences are equal on every data set, and so few or coarse scores may agree by chance"
)


@dataclass(frozen=True, eq=False, slots=True)
class OtherRho:
    """The answer with another correlation: `factor` times ρ; (q,) probabilities each."""

    factor: float
    p_left: FloatArray
    p_rope: FloatArray
    p_right: FloatArray

    @property
    def name(self) -> str:
        """The factor in words."""
        return next(name for name, factor in OTHER_RHOS.items() if factor == self.factor)

    @property
    def regions(self) -> RegionProbabilities[FloatArray]:
        """The probabilities."""
        return RegionProbabilities(self.p_left, self.p_rope, self.p_right)


@dataclass(frozen=True, eq=False, kw_only=True)
class CorrelatedTDatasets(DatasetsResult):
    """Answers of the correlated t-test for q data sets.

    probabilities : of the three regions under `posterior` (Tutorial §3.2).
    p_better : (q,) P(μ > 0), the probability that right is better by any amount.
    sd : (q,) standard deviation of the differences; not a number where nothing is paired.
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
    shown_of_one: ClassVar[tuple[Shown, ...]] = (Shown("nhst_mid_p.p_value", "mid-p", "p"),)

    p_better: FloatArray
    sd: FloatArray
    posterior: StudentPosterior
    intervals: tuple[Interval[FloatArray], ...]
    nhst: Contrast
    nhst_mid_p: Contrast
    nhst_uncorrected: Contrast
    sensitivity: tuple[OtherRho, ...] = ()

    def credible_intervals(self) -> tuple[Interval[FloatArray], ...]:
        """Return the intervals."""
        return self.intervals


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class CorrelatedTResult(Result):
    """The correlated t-test answers for each data set by itself, so `datasets` holds all.

    of_items : whether rows are test items, which may be right or wrong.
    of_sides : whether both sides share nothing.
    """

    datasets: CorrelatedTDatasets
    of_items: bool = False
    of_sides: bool = False

    @property
    def tests(self) -> tuple[str, ...]:
        """The names of the frequentist tests behind `datasets.nhst`."""
        if self.of_sides:
            return tuple(_tests_of_sides(self.datasets.posterior))
        if not self.of_items:
            return (CORRECTED,)
        binary = ~np.isnan(self.datasets.nhst_mid_p.p_value)
        if binary.all():
            return (MCNEMAR,)
        return (MCNEMAR, PAIRED) if binary.any() else (PAIRED,)

    def own_fields(self) -> dict[str, object]:
        """Return nothing: the data sets have all."""
        return {}

    @property
    def probabilities(self) -> RegionProbabilities[float]:
        """The three probabilities on the only data set.

        Raises
        ------
        InputError : several data sets, each of which has its own in `datasets`.
        """
        only = self.regions
        if only is None:
            raise InputError(
                f"the correlated t-test answers for each of the {len(self.answers.left)} data sets "
                "separately: see datasets.probabilities"
            )
        return only

    @property
    def average(self) -> Estimate | None:
        """The mean difference on the only data set."""
        posterior = self.datasets.posterior
        if len(posterior.location) != 1:
            return None
        (interval,) = posterior.intervals((0.95,))
        return Estimate(*(float(x[0]) for x in (posterior.location, interval.low, interval.high)))

    @property
    def contrasts(self) -> tuple[Contrast, ...]:
        """The test corrected for the correlation or McNemar's, its mid-p values, uncorrected."""
        datasets = self.datasets
        contrasts = (
            replace(datasets.nhst, names=self.tests),
            replace(datasets.nhst_mid_p, names=(MID_P,), beside=False),
        )
        if self.of_sides or self.tests == (PAIRED,):  # without a correlation it is the same test
            return contrasts
        name = UNCORRECTED[CORRECTED in self.tests]
        return (*contrasts, replace(datasets.nhst_uncorrected, names=(name,), beside=False))

    @property
    def posterior(self) -> StudentPosterior:
        """The posterior of each data set."""
        return self.datasets.posterior


@dataclass(frozen=True)
class CorrelatedT(DatasetMethod):
    """The correlated t-test; see `correlated_t_test`.

    prior : of the mean difference; the matching prior by default.
    interval_levels : credible levels of the intervals.
    binary : when 0/1 items get their exact posterior.
    sensitivity : answer at half and at twice the correlation too.
    """

    name: ClassVar[str] = "ttest"
    varied: ClassVar[str] = "ρ"
    example: ClassVar[str] = "'mean=0, k0=1, a=2, b=0.01'; of 0/1 items strength=4"
    about: ClassVar[str] = (
        "Prints p(left), p(rope), p(right): the probabilities that the left classifier is "
        "practically better, that the two are practically equivalent, that the right one is better."
    )
    title: ClassVar[str] = "Bayesian correlated t-test"
    independent_title: ClassVar[str] = "Bayesian paired t-test"
    unpaired_title: ClassVar[str] = "Bayesian test of two independent means"
    paper: ClassVar[str] = "Corani and Benavoli 2015"

    prior: NormalGamma = MATCHING
    interval_levels: tuple[float, ...] = INTERVAL_LEVELS
    binary: PairedBinary = FEW_BINARY_ITEMS
    sensitivity: bool = False

    def describe(self) -> str:
        """Return the prior in words."""
        if self.prior == MATCHING:
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
        return replace(self.whole(statistics, rope), notes=self.notes(statistics))

    def whole(self, statistics: SufficientStatistics, rope: Rope) -> CorrelatedTResult:
        """Return the result on q data sets, without notes."""
        datasets = self._answers(statistics, rope)
        return CorrelatedTResult(
            datasets=datasets,
            sensitivity={other.name: other.regions for other in datasets.sensitivity},
            of_items=statistics.unit.has_answers,
            of_sides=statistics.sides is not None,
        )

    def noted(self, statistics: SufficientStatistics) -> BoolArray:
        """(q,) the data sets with equal differences; of test items, all."""
        return np.asarray(statistics.is_constant | statistics.unit.has_answers)

    def notes(self, statistics: SufficientStatistics) -> tuple[Note, ...]:
        """Name the data sets where the posterior is exact, too certain, or a point."""
        exact = self.binary.applies(statistics)
        constant = np.flatnonzero(statistics.is_constant & ~exact & ~_right_or_wrong(statistics))
        notes = (*_few_decisive(statistics, exact), *self.binary.notes(statistics))
        if not constant.size:
            return notes
        where = counted([statistics.names[i] for i in constant], "data set")
        if statistics.sides is not None:
            message = f"no score of a side differs from its others on {where}"
            return (Note("zero-variance", "warning", message), *notes)
        return (
            Note(
                "zero-variance",
                "warning",
                f"all differences are equal on {where}: are these really two classifiers?",
            ),
            *notes,
        )

    def posterior(self, statistics: SufficientStatistics) -> StudentPosterior:
        """Return the posterior of each data set's mean difference."""
        return matching_posterior(statistics, self.prior, self.binary)

    def test_simulated(self, results: SimulatedResults, rope: Rope) -> FloatArray:
        """Return (3, R) probabilities; of sides that share nothing without their exact p-values."""
        if results.sides is None:
            return super().test_simulated(results, rope)
        statistics = results.flat()
        p = self.posterior(statistics).regions(rope)
        return np.where(statistics.lacks_spread, np.nan, np.stack([*p]))

    def _answers(self, statistics: SufficientStatistics, rope: Rope) -> CorrelatedTDatasets:
        exact = self.binary.applies(statistics)
        if self.binary != FEW_BINARY_ITEMS and not exact.any():
            raise InputError(
                "the strength of the prior is for test items that are scored 0 or 1, without "
                f"clusters (name their column with {arg('item_col')}), of which fewer than "
                f"{FEW_DISCORDANT} tell the two models apart"
            )
        posterior = self.posterior(statistics)
        if statistics.sides is not None:
            return self._of_sides(statistics, posterior, rope)
        n = statistics.n
        mean = statistics.mean
        dof = statistics.dof
        nhst = paired_t_test(dof, mean, statistics.standard_error)
        unknown = np.full(len(statistics), np.nan)
        mid_p = Contrast((), unknown, unknown, unknown, unknown)
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
            nhst_uncorrected=paired_t_test(dof, mean, statistics.sd / np.sqrt(n)),
            sensitivity=self._with_other_rhos(statistics, rope) if self.sensitivity else (),
        )

    def _of_sides(
        self, statistics: SufficientStatistics, posterior: StudentPosterior, rope: Rope
    ) -> CorrelatedTDatasets:
        """Return the answers where both sides share nothing."""
        if self.sensitivity:
            raise InputError(
                f"{arg('sensitivity')} varies the correlation of folds, and sides that share "
                "nothing have none: leave it out"
            )
        unknown = np.full(len(statistics), np.nan)
        welch = paired_t_test(statistics.dof, statistics.mean, statistics.standard_error)
        nhst = with_boschloo(welch, statistics)
        return CorrelatedTDatasets(
            probabilities=posterior.regions(rope),
            withheld=statistics.lacks_spread,
            p_better=posterior.p_better(1),
            sd=unknown,
            posterior=posterior,
            intervals=posterior.intervals(self.interval_levels),
            nhst=nhst,
            nhst_mid_p=Contrast((), unknown, unknown, unknown, unknown),
            nhst_uncorrected=nhst,
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


@in_one_thread
@with_options_of(CorrelatedT)
def correlated_t_test(
    x: Iterable[object],
    y: Iterable[object] | None = None,
    *,
    rho: ArrayLike,
    rope: RopeLike = DEFAULT_ROPE,
    **options: Any,
) -> CorrelatedTResult:
    """Bayesian and frequentist correlated t-test on paired scores, or on their differences.

    Parameters
    ----------
    x, y : (n,) scores of left and right on the folds of one data set, or q such arrays each, one
        for each data set. Without y, x are the differences y - x already.
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
    >>> result
    <CorrelatedTResult: p(left) 0.009, p(rope) 0.095, p(right) 0.896>
    >>> correlated_t_test([0.70, 0.72, 0.71], [0.75, 0.74, 0.76], rho=1 / 3, rope=0.01)
    <CorrelatedTResult: p(left) 0.044, p(rope) 0.056, p(right) 0.901>
    """
    statistics = SufficientStatistics.from_differences(differences_of(x, y), rho)
    return CorrelatedT(**options).test(statistics, Rope.of(rope))


def paired_t_test(dof: FloatArray, mean: FloatArray, standard_error: FloatArray) -> Contrast:
    """Return t = mean / standard error with its degrees of freedom, n - 1: Tutorial eq. 1-3.

    The statistic is infinite where all differences are equal and not 0.
    """
    statistic = standardised(mean, standard_error)
    p_left, p_right = tails(dof, statistic)
    return Contrast(
        names=(),
        statistic=statistic,
        p_value=2 * np.minimum(p_right, p_left),
        p_right_better=p_right,
        p_left_better=p_left,
    )


def _with_mcnemar(
    nhst: Contrast, statistics: SufficientStatistics, *, mid: bool = False
) -> Contrast:
    """Replace the t-test by McNemar's for items scored 0 or 1.

    Its statistic is the difference of the numbers of items that only one classifier got right.
    """
    left, right = discordant(statistics)
    exact = (right - left, *mcnemar(left, right, mid=mid))
    of_t = (nhst.statistic, nhst.p_value, nhst.p_right_better, nhst.p_left_better)
    binary = statistics.binary
    chosen = (np.where(binary, *both) for both in zip(exact, of_t, strict=True))
    statistic, p_value, p_right, p_left = chosen
    return Contrast((), statistic, p_value, p_right, p_left)


def with_boschloo(welch: Contrast, statistics: SufficientStatistics) -> Contrast:
    """Replace Welch's test by Boschloo's where scores are right or wrong.

    Its statistic is the difference of the rates.
    """
    sides = statistics.sides
    exact = np.flatnonzero(statistics.binary)
    if sides is None or not len(exact):
        return welch
    figures = [welch.statistic, welch.p_value, welch.p_right_better, welch.p_left_better]
    statistic, p_value, p_right, p_left = (np.array(figure, np.float64) for figure in figures)
    won, lost = counts(sides)
    for i in exact.tolist():
        left = int(won[i, 0]), int(lost[i, 0])
        right = int(won[i, 1]), int(lost[i, 1])
        statistic[i] = statistics.mean[i]
        p_value[i], p_right[i], p_left[i] = boschloo(left, right)
    return Contrast((), statistic, p_value, p_right, p_left)


def _tests_of_sides(posterior: StudentPosterior) -> Iterator[str]:
    """Yield the names of the frequentist tests where both sides share nothing."""
    exact = np.isnan(posterior.dof)
    many = np.zeros(len(exact), np.bool_)
    if isinstance(posterior, UnpairedPosterior):
        many = np.maximum(posterior.left.n, posterior.right.n) > MOST_EXACT
    if (exact & ~many).any():
        yield BOSCHLOO
    if (exact & many).any():
        yield SCORE_TEST
    if not exact.all():
        yield WELCH


def _right_or_wrong(statistics: SufficientStatistics) -> BoolArray:
    """(q,) whether both sides share nothing and are right or wrong."""
    return np.asarray(statistics.binary & statistics.unit.is_unpaired)


def _few_decisive(statistics: SufficientStatistics, exact: BoolArray) -> Iterator[Note]:
    """Name the data sets of test items on which few differences make up nearly all of the spread.

    Their number is (Σ d²)²/Σ d⁴, which is n/3 for normal differences.
    """
    if not statistics.unit.has_answers or statistics.source is None:
        return
    decisive = {}
    for i in np.flatnonzero(~exact & ~statistics.is_constant).tolist():
        squares = statistics.differences(i) ** 2
        number = float(squares.sum() ** 2 / (squares**2).sum())
        if number < min(FEW_DECISIVE, DECISIVE_SHARE * squares.size):
            decisive[statistics.names[i]] = number
    if decisive:
        least = math.ceil(min(decisive.values()))
        yield Note(
            "few-decisive",
            "warning",
            f"on {counted(list(decisive), 'data set')} nearly all of the spread comes from about "
            f"{number_of(least, 'item')}: a 95 % interval covers as little as 75 % there. Use the "
            "mean of an item's answers, or more items that differ",
        )
