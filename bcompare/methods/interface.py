"""Base classes of tests and of their results: what a test says of one pair of classifiers.

A test has k answers for a pair: one over all data sets (`PopulationResult`), or one for each data
set. Everything that others need of a result it offers itself; they never ask which test made it.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field, fields, replace
from functools import partial
from typing import Any, ClassVar, Literal, Protocol

import numpy as np

from bcompare.basis.messages import BcompareError, InputError, Note, PairError
from bcompare.basis.progress import Progress, no_progress
from bcompare.data.rope import BoolArray, FloatArray, RegionProbabilities, Rope
from bcompare.data.simulated import SimulatedResults, reweighted
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import Unit
from bcompare.methods.paired_binary import matching_posterior
from bcompare.methods.result_parts import (
    Contrast,
    ErrorEstimate,
    Estimate,
    Fact,
    Interval,
    PairedNhst,
    Shown,
    part_of,
)
from bcompare.methods.student import StudentPosterior
from bcompare.methods.suite import SuiteAverage


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


# The most data sets that the text of a result shows.
MOST_LINES = 3


def in_figures(p: RegionProbabilities[float]) -> str:
    """Return the three probabilities as text."""
    return f"p(left) {p.left:.3f}, p(rope) {p.rope:.3f}, p(right) {p.right:.3f}"


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
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

    def __repr__(self) -> str:
        """Return the answer in a line; of several data sets, the first ones in a line each."""
        kind = type(self).__name__
        if self.regions is not None:
            return f"<{kind}: {in_figures(self.regions)}>"
        names = [f"data set {i + 1}" for i in range(MOST_LINES)]
        rows = zip(names, *(part.tolist() for part in self.answers), strict=False)
        lines = [f"  {name}: {in_figures(RegionProbabilities(*p))}" for name, *p in rows]
        count = len(self.answers.left)
        more = "" if count <= len(lines) else "\n  …"
        return "\n".join([f"<{kind} on {count} data sets:", *lines]) + f"{more}>"

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
    def model_alone(self) -> RegionProbabilities[float] | None:
        """The same of the true difference by the model, where chances also count the data sets."""
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
        return {
            field.name: getattr(self, field.name)
            for field in fields(self)
            if field.name not in shared
        }

    def over_these(self, statistics: SufficientStatistics) -> Average | None:
        """Return the average over these data sets; None if the test has none, or it is unknown."""
        if self.posterior is None or statistics.unit.has_offset:
            return None
        return SuiteAverage.known(self.posterior, statistics)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
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
    def contrasts(self) -> tuple[Contrast, ...]:
        """The frequentist tests to show, under their own names."""
        return (Contrast.of(self.nhst),)

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


# What an answer speaks of: the data sets at hand, the average over others like them, the next.
Scope = Literal["these", "average", "next"]

# Called with (pairs done, pairs in all) while a test works.
# The result of one pair among several, or the error.
Outcome = Result | BcompareError


def attempted(test: Callable[[], Result]) -> Outcome:
    """Return the result of one of several pairs, or the error that affects only this pair."""
    try:
        return test()
    except (PairError, InputError) as error:
        return error


class DrawsTheta(Protocol):
    """A method that can draw the regions' probabilities from the posterior."""

    def draw_theta(self, statistics: SufficientStatistics, rope: Rope) -> FloatArray:
        """Return (draws, 3) probabilities of left, rope, right on the next data set."""


@dataclass(frozen=True)
class Method(ABC):
    """A test with its options, which are the fields of a subclass and part of the output.

    Fields with `option` as metadata are options of the test's command, those with `prior_term` are
    terms of ``--prior``; this includes the fields of nested dataclasses. Other fields tune the
    computation, and are set by Python and the configuration only.

    Class attributes
    ----------------
    name : of the method's command, and in the registry.
    about : the text of the command's help after the line in the registry.
    example : of a prior, for the help.
    paper : the source to cite.
    title : the name in full, such as "Bayesian signed-rank test".
    independent_title : the name on rows that are not folds; empty if it is the same.
    unpaired_title : the name where both sides share nothing.
    varied : what `sensitivity` varies; empty without a sensitivity analysis.
    by_dataset : whether each data set has an answer, rather than all of them together.
    view : what it looks at, to follow its name in a sentence that compares tests.
    needs_differences : whether it uses every difference, and not only their means and spreads.
    predicts : whether it says what further data sets would look like.
    task_seconds : the time that a task of many pairs should take.
    assumption : the sentence on a page where no note of a misfit speaks against its model.
    """

    name: ClassVar[str]
    about: ClassVar[str] = ""
    example: ClassVar[str] = ""
    paper: ClassVar[str] = ""
    title: ClassVar[str]
    independent_title: ClassVar[str] = ""
    unpaired_title: ClassVar[str] = ""
    varied: ClassVar[str] = ""
    by_dataset: ClassVar[bool] = False
    view: ClassVar[str] = ""
    needs_differences: ClassVar[bool] = False
    predicts: ClassVar[bool] = False
    task_seconds: ClassVar[float] = 0.7
    assumption: ClassVar[str] = ""

    def describe(self) -> str:
        """Return the options in words, for the line of settings under a table."""
        options = ((option.name, getattr(self, option.name)) for option in fields(self))
        return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in options)

    def title_for(self, unit: Unit) -> str:
        """Return the title of the test on rows of a unit."""
        if unit.is_unpaired:
            return self.unpaired_title or self.title
        return self.title if unit.has_folds else self.independent_title or self.title

    @property
    def topic(self) -> str:
        """The topic that explains how to read the answers."""
        return self.name

    @property
    def has_processes(self) -> bool:
        """Whether the test starts processes of its own, so that it must not run in several."""
        return False

    def effort(self, datasets: int) -> float:
        """Return the approximate seconds for a pair, which determine the size of tasks."""
        return 1e-4 + 4e-6 * datasets

    @classmethod
    def answers(cls, datasets: int) -> int:
        """Return the number of answers for a pair: one, or one for each data set."""
        return datasets if cls.by_dataset else 1

    @property
    def scope(self) -> Scope:
        """What the answers speak of."""
        return "next"

    def asked_of(self, scope: Scope) -> "Method | None":
        """Return the test that answers for a scope, or None if it cannot."""
        return self if scope == self.scope else None

    def for_pairs(self, count: int) -> "Method":
        """Return the test for a comparison of this number of pairs."""
        del count
        return self

    def economical(self) -> "Method":
        """Return the test with just enough work to tell whether a probability exceeds 0.95."""
        return self

    @classmethod
    def configured(cls, **options: object) -> "Method":
        """Return the test with options from the command line.

        Raises
        ------
        InputError : options that have no effect together.
        """
        return cls(**options)

    def seeded(self, seed: int | None) -> "Method":
        """Return the test with this seed, if it uses random numbers."""
        seeds = {option.name: seed for option in fields(self) if option.name == "seed"}
        return self if seed is None else replace(self, **seeds)

    @abstractmethod
    def test(self, statistics: SufficientStatistics, rope: Rope) -> Result:
        """Return the result for one pair of classifiers."""

    def test_all(
        self, pairs: Sequence[SufficientStatistics], rope: Rope, progress: Progress = no_progress
    ) -> Sequence[Outcome]:
        """Return the results for many pairs, in order; override if pairs can share work.

        A pair that cannot be computed has its error instead of a result.
        """
        outcomes: list[Outcome] = []
        for statistics in pairs:
            outcomes.append(attempted(partial(self.test, statistics, rope)))
            progress(len(outcomes), len(pairs))
        return outcomes

    def probabilities(
        self, pairs: Sequence[SufficientStatistics], rope: Rope
    ) -> list[RegionProbabilities[float] | None]:
        """Return only the three probabilities of each pair over its data sets.

        None if they are withheld or could not be computed; override if they are faster to compute
        than the full result. A test that answers per data set has none.
        """
        return [
            result.regions if isinstance(result, Result) and result.withheld is None else None
            for result in self.test_all(pairs, rope)
        ]

    def simulation_effort(self, datasets: int) -> float:
        """Return the approximate seconds for one of many simulated results."""
        return self.effort(datasets)

    def further(
        self,
        now: SufficientStatistics,
        rope: Rope,
        shape: tuple[int, int],
        rng: np.random.Generator,
    ) -> SimulatedResults:
        """Draw (results, further data sets) with the designs of present ones, if it predicts them.

        By default they come from the Dirichlet process of the tests on means, that is, from the
        present data sets under random weights and the prior's data set, on which all tie.
        """
        del rope
        return reweighted(now, shape, rng)

    def test_simulated(self, results: SimulatedResults, rope: Rope) -> FloatArray:
        """Return (3, R) p(left), p(rope), p(right) of simulated results; NaN where withheld."""
        answers = self.probabilities(list(results.each()), rope)
        return np.array([(np.nan,) * 3 if p is None else tuple(p) for p in answers]).T


@dataclass(frozen=True)
class DatasetMethod(Method):
    """A test that answers for each data set by itself, so that many pairs are one long list."""

    by_dataset: ClassVar[bool] = True

    @abstractmethod
    def whole(self, statistics: SufficientStatistics, rope: Rope) -> Result:
        """Return the result on data sets of one pair or of many, without notes."""

    def noted(self, statistics: SufficientStatistics) -> BoolArray:
        """(q,) the data sets that notes may be about; by default all."""
        return np.ones(len(statistics), np.bool_)

    def notes(self, statistics: SufficientStatistics) -> tuple[Note, ...]:
        """Return the notes on a pair; by default none."""
        del statistics
        return ()

    def part(self, whole: Result, statistics: SufficientStatistics, where: slice) -> Result:
        """Return the result of the pair with these statistics, which is a part of the whole."""
        return replace(
            whole,
            datasets=part_of(whole.datasets, where),
            sensitivity=part_of(whole.sensitivity, where),
            notes=self.notes(statistics),
        )

    def test(self, statistics: SufficientStatistics, rope: Rope) -> Result:
        """Return the result for one pair of classifiers."""
        return replace(self.whole(statistics, rope), notes=self.notes(statistics))

    @property
    def scope(self) -> Scope:
        """The data sets at hand."""
        return "these"

    def simulation_effort(self, datasets: int) -> float:
        """Return the approximate seconds: simulations are data sets of one pair."""
        return self.effort(1000) / 1000 * datasets

    def test_simulated(self, results: SimulatedResults, rope: Rope) -> FloatArray:
        """Return the probabilities of simulations of one data set, as data sets of one pair."""
        datasets = self.economical().test(results.flat(), rope).datasets
        return np.where(datasets.withheld, np.nan, np.stack([*datasets.probabilities]))


def same_size(items: Sequence[Sized], most: int) -> Iterator[list[int]]:
    """Yield lists of at most `most` indices of items of equal length."""
    by_size: dict[int, list[int]] = {}
    for i, item in enumerate(items):
        by_size.setdefault(len(item), []).append(i)
    for members in by_size.values():
        for start in range(0, len(members), most):
            yield members[start : start + most]
