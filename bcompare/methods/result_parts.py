"""Small parts of tests: their options; errors, intervals, estimates, frequentist tests, figures.

And what is done to whole results: to take a part of them, and to mirror them exactly. A pair of
classifiers and its mirror image are the same question, so swapping left and right mirrors an answer
to the last bit. A test computes only one of the two, the one that leans to a certain side, and
mirrors the answer for the other. Where the two are equal, the answer is the mean of the computed
one and its mirror image.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass
from functools import cache
from inspect import Parameter, signature
from typing import Any, Generic, Literal, TypeVar, cast

import numpy as np

from bcompare.data.rope import FloatArray, IntArray, RegionProbabilities, Value, read_only

Part = TypeVar("Part")
Test = TypeVar("Test", bound=Callable[..., object])


def option(help: str, *, metavar: str | None = None) -> dict[str, object]:
    """Return the metadata of a field that is an option of the method's command.

    metavar : the placeholder of the value in the help.
    """
    return {"help": help, "metavar": metavar}


def prior_term(key: str) -> dict[str, object]:
    """Return the metadata of a field that the option ``--prior`` sets.

    key : of the term; empty for a word without a key, such as the name of a prior.
    """
    return {"prior": key}


def with_options_of(method: type[Any]) -> Callable[[Test], Test]:
    """Show the options of a method in the signature of a function that passes them on."""

    def decorated(function: Test) -> Test:
        parameters = signature(function)
        named = [p for p in parameters.parameters.values() if p.kind is not Parameter.VAR_KEYWORD]
        options = [
            Parameter(o.name, Parameter.KEYWORD_ONLY, default=o.default, annotation=o.type)
            for o in fields(method)
        ]
        vars(function)["__signature__"] = parameters.replace(parameters=[*named, *options])
        return function

    return decorated


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
    title : its name in tables, if it is another.
    """

    p_left_better: float
    p_right_better: float
    z: float | None = None
    title: str = field(default="", repr=False)


@dataclass(frozen=True, eq=False, slots=True)
class Contrast:
    """A frequentist test of the k answers for a pair, for contrast.

    names : of the test; several if it depends on the data set.
    statistic : the test statistics.
    p_value : two-sided.
    p_right_better, p_left_better : one-sided p-values, small where the right (left) classifier
        scores higher. All (k,); not a number where the test does not apply.
    beside : whether tables have its p-value next to the answer.
    decimals : of the statistic.
    signed : whether its sign says which classifier is ahead.
    """

    names: tuple[str, ...] = field(repr=False)
    statistic: FloatArray
    p_value: FloatArray
    p_right_better: FloatArray
    p_left_better: FloatArray
    beside: bool = field(default=True, repr=False)
    decimals: int = field(default=3, repr=False)
    signed: bool = field(default=True, repr=False)

    @classmethod
    def of(cls, nhst: PairedNhst) -> "Contrast":
        """Return the test of one answer over all data sets."""
        figures = (nhst.statistic, nhst.p_value, nhst.p_right_better, nhst.p_left_better)
        statistic, p_value, p_right, p_left = (np.array([figure]) for figure in figures)
        name = (nhst.title or nhst.test,)
        return cls(name, statistic, p_value, p_right, p_left, decimals=1, signed=False)

    @property
    def title(self) -> str:
        """Its name in tables."""
        return " or ".join(self.names)


@dataclass(frozen=True, eq=False, slots=True)
class Interval(Generic[Value]):
    """A credible interval: `level` is its probability, low and high floats or (q,) arrays."""

    level: float
    low: Value
    high: Value

    def chosen(self: "Interval[FloatArray]", places: Sequence[int]) -> "Interval[FloatArray]":
        """Return some of several intervals."""
        return Interval(self.level, self.low[places], self.high[places])


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

    field : its name, with a dot for a field of a field.
    header : of the column.
    kind : of the number, see `bcompare.report.table`.
    """

    field: str
    header: str
    kind: Literal["count", "difference", "number", "p", "probability"]


@dataclass(frozen=True, eq=False, slots=True)
class Fact:
    """A further number for a table of details.

    label : as text.
    kind : as in `Shown`.
    interval : credible, if any.
    """

    label: str
    value: float
    kind: Literal["count", "difference", "number", "p", "probability"]
    interval: Interval[float] | None = None


def part_of(value: Part, where: slice | IntArray) -> Part:
    """Return the fields of a result for some of its data sets."""
    if isinstance(value, np.ndarray):
        return cast("Part", value[where])
    if isinstance(value, tuple):
        return type(value)(part_of(item, where) for item in value)
    if isinstance(value, dict):
        return cast("Part", {key: part_of(item, where) for key, item in value.items()})
    kind: Any = type(value)
    if not (names := _names_of(kind)):
        return value
    # what was checked as a whole needs no checks by part, of which there may be millions
    part: Part = object.__new__(kind)
    for name in names:
        object.__setattr__(part, name, part_of(getattr(value, name), where))
    return part


@cache
def _names_of(kind: type) -> tuple[str, ...]:
    """Return the names of the fields of a dataclass; none of other types."""
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()


def swapped(regions: RegionProbabilities[Value]) -> RegionProbabilities[Value]:
    """Return the probabilities after left and right are swapped."""
    return RegionProbabilities(left=regions.right, rope=regions.rope, right=regions.left)


def restored(answer: Part, lean: float, mirrored: Callable[[Part], Part]) -> Part:
    """Return the answer for a pair in its original orientation.

    answer : for the one of the pair and its mirror image that was computed. lean : positive where
        that is the pair itself, negative where it is the image, 0 where the two are equal.
    mirrored : mirrors an answer.
    """
    if lean > 0:
        return answer
    image = mirrored(answer)
    return image if lean < 0 else mean(answer, image)


def mean(one: Part, other: Part) -> Part:
    """Return the mean of the floating-point numbers of two answers; the rest is from the first."""
    if isinstance(one, np.ndarray) and isinstance(other, np.ndarray):
        return cast("Part", read_only((one + other) / 2)) if one.dtype.kind == "f" else one
    if isinstance(one, float) and isinstance(other, float):
        return cast("Part", (one + other) / 2)
    if isinstance(one, tuple) and isinstance(other, tuple):
        return cast("Part", tuple(map(mean, one, other)))
    if isinstance(one, Mapping) and isinstance(other, Mapping):
        return cast("Part", {key: mean(value, other[key]) for key, value in one.items()})
    if is_dataclass(one) and not isinstance(one, type):
        names = [field.name for field in fields(one)]
        return type(one)(**{name: mean(getattr(one, name), getattr(other, name)) for name in names})
    return one
