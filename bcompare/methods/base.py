"""Base classes of all tests: a method and its result."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence, Sized
from dataclasses import dataclass, field, fields, is_dataclass, replace
from functools import partial
from inspect import Parameter, signature
from typing import Any, ClassVar, Generic, Literal, Protocol, TypeVar, cast

import numpy as np

from bcompare.basis.errors import BcompareError, InputError, PairError
from bcompare.basis.notes import Note
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope, Value
from bcompare.data.sufficient import BoolArray, IntArray, SufficientStatistics
from bcompare.data.units import SEVERAL, Unit

Part = TypeVar("Part")
Test = TypeVar("Test", bound=Callable[..., object])

Progress = Callable[[int, int], None]
"""Called with (pairs done, pairs in all) while a test works."""


def no_progress(done: int, total: int) -> None:
    """Ignore progress."""


@dataclass(frozen=True, slots=True)
class ErrorEstimate:
    """The error of the printed probabilities.

    kind : ``numerical`` for a bound on the error of a deterministic computation,
        ``monte-carlo`` for one standard error of the largest uncertainty by sampling.
    value : on the probability scale.
    """

    kind: Literal["numerical", "monte-carlo"]
    value: float


@dataclass(frozen=True, slots=True)
class Nhst:
    """A null-hypothesis test of "no difference", for contrast.

    test : its name, such as ``wilcoxon``.
    statistic : the test statistic.
    p_value : two-sided if the test has sides.
    """

    test: str
    statistic: float
    p_value: float


@dataclass(frozen=True, slots=True)
class PairedNhst(Nhst):
    """A null-hypothesis test on two classifiers, with one-sided p-values.

    p_left_better, p_right_better : one-sided p-values, small where the left (right) classifier
        scores higher.
    z : the standardised statistic, positive if right scores higher; None if the test has no normal
        approximation.
    """

    p_left_better: float
    p_right_better: float
    z: float | None = None


@dataclass(frozen=True, eq=False, slots=True)
class Interval(Generic[Value]):
    """A credible interval: `level` is its probability, low and high floats or (q,) arrays."""

    level: float
    low: Value
    high: Value

    def chosen(self: "Interval[FloatArray]", at: Sequence[int]) -> "Interval[FloatArray]":
        """Return some of several intervals."""
        return Interval(self.level, self.low[at], self.high[at])


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean difference right - left, with its 95 % credible interval, in the scores' unit."""

    mean: float
    low: float
    high: float

    def mirrored(self) -> "Estimate":
        """Return the estimate of left - right."""
        return Estimate(-self.mean, -self.high, -self.low)


@dataclass(frozen=True, slots=True)
class Shown:
    """A field of the result that a table shows in addition to the common ones.

    field : its name, with a dot for a field of a field. header : of the column.
    kind : of the number, see `bcompare.report.number`.
    """

    field: str
    header: str
    kind: Literal["count", "difference", "p", "probability"]


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
    uncertain : False if the probabilities are 0 and 1 and only tell the region of the mean.
    """

    shown: ClassVar[tuple[Shown, ...]] = ()
    shown_in_details: ClassVar[tuple[Shown, ...]] = ()
    uncertain: ClassVar[bool] = True

    probabilities: RegionProbabilities[FloatArray]
    withheld: BoolArray = field(default_factory=lambda: np.zeros((), np.bool_))

    def __post_init__(self) -> None:
        if self.withheld.ndim == 0:
            everywhere = np.broadcast_to(self.withheld, self.probabilities.left.shape)
            object.__setattr__(self, "withheld", everywhere)


def part_of(value: Part, where: slice | IntArray) -> Part:
    """Return the fields of a result for some of its data sets."""
    if isinstance(value, np.ndarray):
        return cast("Part", value[where])
    if isinstance(value, tuple):
        return type(value)(part_of(item, where) for item in value)
    if isinstance(value, dict):
        return cast("Part", {key: part_of(item, where) for key, item in value.items()})
    if is_dataclass(value) and not isinstance(value, type):
        names = (own.name for own in fields(value))
        return type(value)(**{name: part_of(getattr(value, name), where) for name in names})
    return value


@dataclass(frozen=True, eq=False, kw_only=True)
class Result(ABC):
    """The result of a test for one pair of classifiers.

    datasets : the answer for each data set.
    notes : warnings and remarks on this result.

    Class attributes
    ----------------
    shown : fields of a subclass that belong into the table of pairs.
    about_these : whether the answer is about the data sets at hand, not about further ones.
    """

    shown: ClassVar[tuple[Shown, ...]] = ()
    about_these: ClassVar[bool] = False

    datasets: DatasetsResult
    notes: tuple[Note, ...] = ()

    def own_fields(self) -> dict[str, object]:
        """Return the fields that only this test has, by their names in the JSON."""
        base = PopulationResult if isinstance(self, PopulationResult) else Result
        shared = {shared.name for shared in fields(base)}
        return {own.name: getattr(self, own.name) for own in fields(self) if own.name not in shared}

    @property
    def average(self) -> Estimate | None:
        """The mean difference: on the only data set, or over data sets; None if it is unknown."""
        return None

    @property
    @abstractmethod
    def p_values(self) -> FloatArray:
        """The two-sided p-values of the NHST: (q,) if the test answers per data set, else (1,)."""


@dataclass(frozen=True, eq=False, slots=True)
class Fact:
    """A further number for a table of details.

    label : as text. kind : as in `Shown`. interval : credible, if any.
    """

    label: str
    value: float
    kind: Literal["count", "difference", "number", "p", "probability"]
    interval: Interval[float] | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class PopulationResult(Result):
    """The answer of a test over several data sets.

    probabilities : p(left), p(rope), p(right).
    error : their error; None if exact up to rounding.
    nhst : the frequentist test shown next to it.
    sensitivity : the probabilities under other priors, by name; empty unless requested.
    withheld : why there is no verdict although there are numbers, such as a sampler that did not
        converge, or None.

    """

    probabilities: RegionProbabilities[float]
    error: ErrorEstimate | None
    nhst: PairedNhst
    sensitivity: Mapping[str, RegionProbabilities[float]] = field(default_factory=dict)
    withheld: str | None = None

    @property
    def scope(self) -> str:
        """What the answer speaks of, to end a sentence with."""
        return " on the next data set"

    @property
    def about_likeliest(self) -> bool:
        """Whether the probabilities are those of each region being the likeliest one."""
        return not self.about_these

    @property
    def chances(self) -> "RegionProbabilities[float] | None":
        """The expected probabilities of the regions on the next data set, if they are known."""
        return None

    @property
    def average_regions(self) -> "RegionProbabilities[float] | None":
        """The probabilities that the average lies in each region, in addition to the answer."""
        return None

    @property
    def likeliest(self) -> RegionProbabilities[float]:
        """The probability of each region being the likeliest on the next data set, if known."""
        return self.probabilities

    @property
    def contrasts(self) -> tuple[PairedNhst, ...]:
        """The frequentist tests to show."""
        return (self.nhst,)

    @property
    def p_values(self) -> FloatArray:
        """(1,) the p-value over all data sets."""
        return np.array([self.nhst.p_value])

    def facts(self) -> tuple[Fact, ...]:
        """Return the facts for a table of details; subclasses add their own."""
        return ()


Outcome = Result | BcompareError
"""The result of one pair among several, or the error."""


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


def option(help: str, *, metavar: str | None = None) -> dict[str, Any]:
    """Return the metadata of a field that is an option of the method's command.

    metavar : the placeholder of the value in the help.
    """
    return {"help": help, "metavar": metavar}


def prior_term(key: str) -> dict[str, Any]:
    """Return the metadata of a field that the option ``--prior`` sets.

    key : of the term; empty for a word without a key, such as the name of a prior.
    """
    return {"prior": key}


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
    varied : what `sensitivity` varies; empty without a sensitivity analysis.
    units : the possible units of the scores.
    over_datasets : whether it answers for several data sets at once, or for each by itself.
    pictures : of a pair, for the page; the first that fits is drawn.
    fewest, fewest_to_decide : the least data sets to run, and for a verdict.
    predicts : the source of simulated data sets: the population of the model, or the present data
        sets under random weights; None if the test does not predict data sets.
    """

    name: ClassVar[str]
    about: ClassVar[str] = ""
    example: ClassVar[str] = ""
    paper: ClassVar[str] = ""
    title: ClassVar[str]
    varied: ClassVar[str] = ""
    units: ClassVar[tuple[Unit, ...]] = SEVERAL
    over_datasets: ClassVar[bool] = True
    pictures: ClassVar[tuple[str, ...]] = ()
    fewest: ClassVar[int] = 1
    fewest_to_decide: ClassVar[int] = 1
    predicts: ClassVar[Literal["population", "weights"] | None] = None

    def describe(self) -> str:
        """Return the options in words, for the line of settings under a table."""
        options = ((option.name, getattr(self, option.name)) for option in fields(self))
        return ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in options)

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

    def economical(self) -> "Method":
        """Return the test with just enough work to tell whether a probability exceeds 0.95."""
        return self

    @classmethod
    def configured(cls, **options: Any) -> "Method":
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
            result.probabilities
            if isinstance(result, PopulationResult) and result.withheld is None
            else None
            for result in self.test_all(pairs, rope)
        ]


def with_options_of(method: type[Method]) -> Callable[[Test], Test]:
    """Show the options of a method in the signature of a function that passes them on."""

    def decorated(function: Test) -> Test:
        own = signature(function)
        named = [p for p in own.parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
        options = [
            Parameter(o.name, Parameter.KEYWORD_ONLY, default=o.default, annotation=o.type)
            for o in fields(method)
        ]
        vars(function)["__signature__"] = own.replace(parameters=[*named, *options])
        return function

    return decorated


def same_size(items: Sequence[Sized], most: int) -> Iterator[list[int]]:
    """Yield lists of at most `most` indices of items of equal length."""
    by_size: dict[int, list[int]] = {}
    for i, item in enumerate(items):
        by_size.setdefault(len(item), []).append(i)
    for members in by_size.values():
        for start in range(0, len(members), most):
            yield members[start : start + most]
