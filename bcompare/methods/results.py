"""Base classes of results: what a test says of one pair of classifiers.

A test has k answers for a pair: one over all data sets (`PopulationResult`), or one for each data
set. Everything that others need of a result it offers itself; they never ask which test made it.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, ClassVar, Protocol

import numpy as np

from bcompare.basis.messages import Note
from bcompare.data.rope import BoolArray, FloatArray, RegionProbabilities, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.paired_binary import matching_posterior
from bcompare.methods.student import StudentPosterior
from bcompare.methods.suite import SuiteAverage
from bcompare.methods.values import (
    Contrast,
    ErrorEstimate,
    Estimate,
    Fact,
    Interval,
    PairedNhst,
    Shown,
)


class Average(Protocol):
    """The average over the data sets at hand, such as a `SuiteAverage`.

    error : a bound on that of a probability.
    """

    @property
    def error(self) -> float:
        """A bound on the error of a probability."""

    def regions(self, rope: Rope) -> RegionProbabilities[float]:
        """Return the probability that the average is in each region."""

    def estimate(self) -> Estimate:
        """Return the mean with its 95 % interval."""


@dataclass(frozen=True, eq=False, kw_only=True)
class DatasetsResult:
    """A test's answer for each of q data sets; every array field has q as first dimension.

    probabilities : p(left), p(rope), p(right), arrays of shape (q,).
    withheld : (q,) mask of data sets without a verdict, because all differences are equal and the
        posterior is a point; by default none.

    Class attributes
    ----------------
    shown : fields of a subclass that belong into the table of data sets.
    shown_in_details : further ones, under ``--details``.
    shown_of_one : further ones under ``--details`` where each pair has one data set.
    uncertain : False if the probabilities are 0 and 1 and only tell the region of the mean.
    """

    shown: ClassVar[tuple[Shown, ...]] = ()
    shown_in_details: ClassVar[tuple[Shown, ...]] = ()
    shown_of_one: ClassVar[tuple[Shown, ...]] = ()
    uncertain: ClassVar[bool] = True

    probabilities: RegionProbabilities[FloatArray]
    withheld: BoolArray = field(default_factory=lambda: np.zeros((), np.bool_))

    def __post_init__(self) -> None:
        if self.withheld.ndim == 0:
            everywhere = np.broadcast_to(self.withheld, self.probabilities.left.shape)
            object.__setattr__(self, "withheld", everywhere)

    def credible_intervals(self) -> tuple[Interval[FloatArray], ...]:
        """Return the credible intervals of the mean differences, by level; by default none."""
        return ()


@dataclass(frozen=True, eq=False, kw_only=True)
class Result(ABC):
    """The result of a test for one pair of classifiers; by default each data set has its answer.

    datasets : the answer for each data set.
    error : of the probabilities; None if exact up to rounding.
    nhst : the frequentist test over all data sets; None if each data set has its own.
    sensitivity : the answers under other assumptions, by name; empty unless requested.
    withheld : why there is no verdict although there are numbers, such as a sampler that did not
        converge, or None; if data sets have answers, these say it.
    notes : warnings and remarks on this result.

    Class attributes
    ----------------
    by_dataset : whether each data set has an answer, rather than all of them together.
    shown : fields of a subclass that belong into the table of pairs.
    scope : what the answer speaks of, to end a sentence with; "" where that is a data set.
    about_these : whether the answer is about the data sets at hand, not about further ones.
    """

    by_dataset: ClassVar[bool] = True
    shown: ClassVar[tuple[Shown, ...]] = ()
    about_these: ClassVar[bool] = True

    datasets: DatasetsResult
    error: ErrorEstimate | None = None
    nhst: PairedNhst | None = None
    sensitivity: Mapping[str, RegionProbabilities[Any]] = field(default_factory=dict)
    withheld: str | None = None
    notes: tuple[Note, ...] = ()

    @property
    @abstractmethod
    def contrasts(self) -> tuple[Contrast, ...]:
        """The frequentist tests of the k answers, by their names; the first one's are decisive."""

    @property
    def p_values(self) -> FloatArray:
        """The (k,) two-sided p-values of the first contrast."""
        return self.contrasts[0].p_value

    @property
    def answers(self) -> RegionProbabilities[FloatArray]:
        """The (k,) probabilities of the regions."""
        return self.datasets.probabilities

    @property
    def answers_withheld(self) -> BoolArray:
        """The (k,) mask of answers without a verdict."""
        return self.datasets.withheld

    @property
    def points(self) -> BoolArray:
        """The (k,) mask of answers by a point, of which 0 and 1 are all that is possible."""
        return self.datasets.withheld

    @property
    def regions(self) -> RegionProbabilities[float] | None:
        """The probabilities of the only answer; None if there are several."""
        p = self.answers
        return None if len(p.left) != 1 else RegionProbabilities(*(float(part[0]) for part in p))

    @property
    def scope(self) -> str:
        """What the answer speaks of, to end a sentence with; "" where that is a data set."""
        return ""

    @property
    def about_likeliest(self) -> bool:
        """Whether the probabilities are those of each region being the likeliest one."""
        return False

    @property
    def chances(self) -> RegionProbabilities[float] | None:
        """The expected probabilities of the regions on the next data set, if they are known."""
        return None

    @property
    def average(self) -> Estimate | None:
        """The mean difference: on the only data set, or over data sets; None if it is unknown."""
        return None

    @property
    def posterior(self) -> StudentPosterior | None:
        """The posterior of each data set's mean difference by itself; None if it is unknown."""
        return None

    def facts(self) -> tuple[Fact, ...]:
        """Return further figures for a table of details."""
        return ()

    def own_fields(self) -> dict[str, object]:
        """Return the fields that only this test has, by their names in the JSON."""
        shared = {shared.name for shared in fields(PopulationResult)}
        return {own.name: getattr(self, own.name) for own in fields(self) if own.name not in shared}

    def over_these(self, statistics: SufficientStatistics) -> Average | None:
        """Return the average over these data sets; None if the test has none, or it is unknown."""
        if self.posterior is None or statistics.unit.has_offset:
            return None
        return SuiteAverage.known(self.posterior, statistics)


@dataclass(frozen=True, eq=False, kw_only=True)
class PopulationResult(Result):
    """The answer of a test over several data sets.

    probabilities : p(left), p(rope), p(right).
    error, nhst : as of every result; they have no default here.
    """

    by_dataset: ClassVar[bool] = False
    about_these: ClassVar[bool] = False

    probabilities: RegionProbabilities[float]
    error: ErrorEstimate | None = field()
    nhst: PairedNhst = field()
    sensitivity: Mapping[str, RegionProbabilities[float]] = field(default_factory=dict)

    @property
    def scope(self) -> str:
        """What the answer speaks of, to end a sentence with."""
        return " on the next data set"

    @property
    def about_likeliest(self) -> bool:
        """Whether the probabilities are those of each region being the likeliest one."""
        return not self.about_these

    @property
    def likeliest(self) -> RegionProbabilities[float]:
        """The probability of each region being the likeliest on the next data set, if known."""
        return self.probabilities

    @property
    def nhsts(self) -> tuple[PairedNhst, ...]:
        """The frequentist tests to show."""
        return (self.nhst,)

    @property
    def contrasts(self) -> tuple[Contrast, ...]:
        """The frequentist tests to show, under their own names."""
        return tuple(map(Contrast.of, self.nhsts))

    @property
    def answers(self) -> RegionProbabilities[FloatArray]:
        """The probabilities as arrays of one."""
        return RegionProbabilities(*(np.array([p]) for p in self.probabilities))

    @property
    def answers_withheld(self) -> BoolArray:
        """Whether the answer is withheld, as an array of one."""
        return np.array([self.withheld is not None])

    @property
    def points(self) -> BoolArray:
        """No posterior over data sets is a point."""
        return np.zeros(1, np.bool_)

    @property
    def regions(self) -> RegionProbabilities[float]:
        """The probabilities."""
        return self.probabilities

    def over_these(self, statistics: SufficientStatistics) -> Average | None:
        """Return the average over these data sets, each by itself under the matching prior."""
        if not statistics.unit.has_spread or statistics.unit.has_offset:
            return None
        return SuiteAverage.known(matching_posterior(statistics), statistics)
