"""What every test has in common: the shape of a method and of its result."""

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
    """Report progress to nobody."""


@dataclass(frozen=True, slots=True)
class ErrorEstimate:
    """How far the printed probabilities may be from the exact ones.

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
    statistic : its test statistic.
    p_value : two-sided where the test has sides.
    """

    test: str
    statistic: float
    p_value: float


Alternative = Literal["two-sided", "left", "right"]
"""What a null-hypothesis test is against: any difference, left better, right better."""

P_VALUES: dict[Alternative, str] = {
    "two-sided": "p_value",
    "left": "p_left_better",
    "right": "p_right_better",
}
"""The field of a test's p-value against each alternative."""


@dataclass(frozen=True, slots=True)
class PairedNhst(Nhst):
    """A null-hypothesis test on two classifiers, which can be asked for one side.

    p_left_better, p_right_better : one-sided p-values, small where the left (right) classifier
        scores higher.
    z : the statistic in standard deviations from what is expected of equal classifiers, positive
        where right scores higher; None where the test has no normal approximation.
    """

    p_left_better: float
    p_right_better: float
    z: float | None = None

    def p_against(self, alternative: Alternative) -> float:
        """The p-value that was asked for."""
        return float(getattr(self, P_VALUES[alternative]))


@dataclass(frozen=True, eq=False, slots=True)
class Interval(Generic[Value]):
    """A credible interval: `level` is its probability, low and high floats or (q,) arrays."""

    level: float
    low: Value
    high: Value

    def chosen(self: "Interval[FloatArray]", at: Sequence[int]) -> "Interval[FloatArray]":
        """Some of several intervals."""
        return Interval(self.level, self.low[at], self.high[at])


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean difference right - left, with its 95 % credible interval, in the scores' unit."""

    mean: float
    low: float
    high: float

    def mirrored(self) -> "Estimate":
        """The same for left - right."""
        return Estimate(-self.mean, -self.high, -self.low)


@dataclass(frozen=True, slots=True)
class Shown:
    """A field that a table shows in addition to what it always shows.

    field : its name, with a dot for a field of a field. header : of the column.
    kind : how the number is written, see `bcompare.report.number`.
    """

    field: str
    header: str
    kind: Literal["count", "difference", "p", "probability"]


@dataclass(frozen=True, eq=False, kw_only=True)
class DatasetsResult:
    """A test's answer for each of q data sets; every array field has q as first dimension.

    probabilities : p(left), p(rope), p(right), arrays of shape (q,).
    withheld : (q,) where no verdict may be read off the probabilities, because all differences
        are equal and the posterior is a point; by default nowhere.

    Class attributes
    ----------------
    shown : fields of a subclass that belong into the table of data sets.
    uncertain : False if the probabilities only say, as 0 and 1, which region the mean is in.
    """

    shown: ClassVar[tuple[Shown, ...]] = ()
    uncertain: ClassVar[bool] = True

    probabilities: RegionProbabilities[FloatArray]
    withheld: BoolArray = field(default_factory=lambda: np.zeros((), np.bool_))

    def __post_init__(self) -> None:
        if self.withheld.ndim == 0:
            everywhere = np.broadcast_to(self.withheld, self.probabilities.left.shape)
            object.__setattr__(self, "withheld", everywhere)


def part_of(value: Part, where: slice | IntArray) -> Part:
    """Return a result's fields for some of its data sets: its arrays cut, the rest unchanged."""
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
    """What every test returns for one pair of classifiers.

    datasets : the answer for each data set.
    notes : what a reader must know of this result.

    Class attributes
    ----------------
    shown : fields of a subclass that belong into the table of pairs.
    about_these : whether the answer is about the data sets at hand, and not about further ones.
    """

    shown: ClassVar[tuple[Shown, ...]] = ()
    about_these: ClassVar[bool] = False

    datasets: DatasetsResult
    notes: tuple[Note, ...] = ()

    def own_fields(self) -> dict[str, object]:
        """Return what only this test has, by the names that it has in the JSON."""
        base = PopulationResult if isinstance(self, PopulationResult) else Result
        shared = {shared.name for shared in fields(base)}
        return {own.name: getattr(self, own.name) for own in fields(self) if own.name not in shared}

    @property
    def average(self) -> Estimate | None:
        """The mean difference: on the only data set, or over data sets; None if it is unknown."""
        return None

    @abstractmethod
    def p_values(self, alternative: Alternative = "two-sided") -> FloatArray:
        """The NHST's p-values: (q,) if the test answers per data set, else (1,)."""


@dataclass(frozen=True, eq=False, slots=True)
class Fact:
    """A number that helps to understand the three probabilities.

    label : in words. kind : how it is written, as in `Shown`. interval : credible, if any.
    """

    label: str
    value: float
    kind: Literal["count", "difference", "number", "p", "probability"]
    interval: Interval[float] | None = None


@dataclass(frozen=True, eq=False, kw_only=True)
class PopulationResult(Result):
    """The answer of a test that speaks of several data sets at once.

    probabilities : p(left), p(rope), p(right).
    error : how exact they are; None if exact to rounding.
    nhst : the frequentist test shown next to it.
    sensitivity : the probabilities under other priors, by the prior's name; empty where they
        were not asked for.
    withheld : why there is no verdict although there are numbers, such as a sampler that did
        not converge; None if the numbers can be trusted.

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
        """Whether the probabilities say how surely each region is the likeliest on a data set."""
        return not self.about_these

    @property
    def chances(self) -> "RegionProbabilities[float] | None":
        """The expected probabilities of the regions on the next data set, if they are known."""
        return None

    @property
    def average_regions(self) -> "RegionProbabilities[float] | None":
        """The probabilities that the average lies in each region, beside what decides."""
        return None

    @property
    def likeliest(self) -> RegionProbabilities[float]:
        """That each region is the most probable one on the next data set, where that is asked."""
        return self.probabilities

    @property
    def contrasts(self) -> tuple[PairedNhst, ...]:
        """Every frequentist test that is shown."""
        return (self.nhst,)

    def p_values(self, alternative: Alternative = "two-sided") -> FloatArray:
        """(1,) the p-value over all data sets."""
        return np.array([self.nhst.p_against(alternative)])

    def facts(self) -> tuple[Fact, ...]:
        """Return what a table of details shows of this pair; a subclass adds its own."""
        return ()


Outcome = Result | BcompareError
"""Of one pair among several: its result, or why it could not be computed."""


def attempted(test: Callable[[], Result]) -> Outcome:
    """The result of one of several pairs, or what stands in its way and not in the others'."""
    try:
        return test()
    except (PairError, InputError) as error:
        return error


class DrawsTheta(Protocol):
    """A method that can draw the regions' probabilities from their posterior."""

    def draw_theta(self, statistics: SufficientStatistics, rope: Rope) -> FloatArray:
        """(draws, 3) of the probabilities of left, rope, right on the next data set."""


def option(help: str, *, metavar: str | None = None) -> dict[str, Any]:
    """Return the metadata of a method's field that its command offers as an option.

    metavar : what stands for the value in the help.
    """
    return {"help": help, "metavar": metavar}


def prior_term(key: str) -> dict[str, Any]:
    """Return the metadata of a field that the option ``--prior`` sets by a key.

    An empty key stands for the word before all others, such as the name of a prior.
    """
    return {"prior": key}


@dataclass(frozen=True)
class Method(ABC):
    """A test with its options: a subclass's fields are the options, and go into the output.

    The fields with `option` as metadata are options of the test's command, those with `prior_term`
    parts of its option ``--prior``; so are those of a dataclass that a field holds. Other fields
    tune the computation: Python and the configuration set them.

    Class attributes
    ----------------
    name : of the method's command, and in the registry.
    about : what the command's help says after the line in the registry.
    example : of a prior, for the help.
    paper : the source to cite for it.
    title : the test's name in words, such as "Bayesian signed-rank test".
    varied : what `sensitivity` of its result varies; empty if it has none.
    units : what one row of the scores may be.
    over_datasets : whether it answers for several data sets at once, or for each by itself.
    pictures : of a pair, for the page; the first that fits is drawn.
    fewest, fewest_to_decide : data sets that it needs to run, and for a verdict.
    predicts : what it draws further data sets from: the population of its model, or the data sets
        that there are, under random weights; None if it says nothing of further data sets.
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
        """Where it is explained how its answers are to be read."""
        return self.name

    @property
    def has_processes(self) -> bool:
        """Whether the test starts processes of its own, and so is not to run in several."""
        return False

    def effort(self, datasets: int) -> float:
        """Return about how many seconds a pair takes; decides the size of tasks."""
        return 1e-4 + 4e-6 * datasets

    def economical(self) -> "Method":
        """Return the test with as little work as tells whether a probability is above 0.95."""
        return self

    @classmethod
    def configured(cls, **options: Any) -> "Method":
        """Return the test with the options that the command line gives.

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
        """The result for one pair of classifiers."""

    def test_all(
        self, pairs: Sequence[SufficientStatistics], rope: Rope, progress: Progress = no_progress
    ) -> Sequence[Outcome]:
        """The results for many pairs, in order; override where pairs can share work.

        A pair that cannot be computed leaves its error in the place of its result.
        """
        outcomes: list[Outcome] = []
        for statistics in pairs:
            outcomes.append(attempted(partial(self.test, statistics, rope)))
            progress(len(outcomes), len(pairs))
        return outcomes

    def probabilities(
        self, pairs: Sequence[SufficientStatistics], rope: Rope
    ) -> list[RegionProbabilities[float] | None]:
        """The three probabilities of each pair over its data sets, and nothing else.

        None where they are withheld or could not be computed; override where they can be had
        faster than everything else. A test that answers per data set has none.
        """
        return [
            result.probabilities
            if isinstance(result, PopulationResult) and result.withheld is None
            else None
            for result in self.test_all(pairs, rope)
        ]


def with_options_of(method: type[Method]) -> Callable[[Test], Test]:
    """Let a function that passes keyword arguments on to a method show them in its signature."""

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
    """Where the items of equal length are: lists of at most `most` indices each."""
    by_size: dict[int, list[int]] = {}
    for i, item in enumerate(items):
        by_size.setdefault(len(item), []).append(i)
    for members in by_size.values():
        for start in range(0, len(members), most):
            yield members[start : start + most]
