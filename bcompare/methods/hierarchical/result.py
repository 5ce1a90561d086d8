"""The answers of the hierarchical model: on each data set, on the next one, on average."""

from collections.abc import Callable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, cast

from bcompare.data.rope import FloatArray, RegionProbabilities, read_only
from bcompare.methods.hierarchical.model import Bounds
from bcompare.methods.interface import DatasetsResult, PopulationResult
from bcompare.methods.result_parts import Estimate, Fact, Interval, Shown

if TYPE_CHECKING:
    from bcompare.methods.hierarchical.diagnostics import SamplerDiagnostics

# The deciding question: the next data set's likeliest region, or the region of δ0.
Reading = Literal["next", "average"]

SCOPES: dict[Reading, str] = {
    "next": " on the next data set",
    # δ0, the centre; `rank` speaks of the average of the means, which a few large ones move
    "average": " on a typical data set like these",
}

INTERVAL_LEVELS = (0.50, 0.90, 0.95)
SHOWN_LEVEL = 0.95
# The probabilities below the ends of those intervals, two for each level.
TAILS = tuple((1 + sign * level) / 2 for level in INTERVAL_LEVELS for sign in (-1, 1))


@dataclass(frozen=True, eq=False, slots=True)
class Density:
    """A distribution as curves over a grid: three read-only arrays of equal shape.

    grid : increasing values of the variable.
    density : at them.
    cdf : P(variable ≤ grid).
    """

    grid: FloatArray
    density: FloatArray
    cdf: FloatArray

    def __post_init__(self) -> None:
        for array in (self.grid, self.density, self.cdf):
            read_only(array)


@dataclass(frozen=True, eq=False, slots=True)
class Marginal:
    """Posterior of one parameter, in the parameter's unit.

    mean, sd, median : of the posterior.
    intervals : credible level → (low, high), equal-tailed.
    density : its curves, for plots.
    """

    mean: float
    sd: float
    median: float
    intervals: dict[float, Bounds]
    density: Density

    @classmethod
    def of(cls, mean: float, sd: float, quantiles: list[float], density: Density) -> "Marginal":
        """From the quantiles at 0.5 and at `TAILS`."""
        median, *ends = quantiles
        intervals = dict(zip(INTERVAL_LEVELS, zip(ends[::2], ends[1::2], strict=True), strict=True))
        return cls(mean, sd, median, intervals, density)


@dataclass(frozen=True, eq=False, kw_only=True)
class HierarchicalDatasets(DatasetsResult):
    """The answers of the hierarchical model on each of the q data sets, informed by the others.

    probabilities : that δ_i, the mean difference on data set i, is in each region.
    mean_difference : (q,) the raw means x̄_i, in the scores' unit.
    delta_mean, delta_sd : (q,) posterior mean (shrunken towards δ0) and standard deviation
        of δ_i (Corani 2017, §4).
    delta_intervals : credible level → (q, 2) equal-tailed interval of δ_i.
    sigma_mean, sigma_interval : (q,) and (q, 2) posterior mean and equal-tailed 95 % interval of
        σ_i, the standard deviation of a difference, in the scores' unit; under empirical Bayes
        both are the value at which σ_i is fixed.
    sigma_ml : (q,) its maximum-likelihood value, from the data set alone (Corani 2017, §7).
    shrinkage : (q,) posterior mean of the weight of δ0 in the mean of δ_i: 0 without shrinkage, 1
        for shrinkage all the way to δ0. Both Students are mixtures of normals, with variances v for
        x̄_i - δ_i and s² for δ_i - δ0; the mean of δ_i given v, s and δ0 is x̄_i + w (δ0 - x̄_i)
        with w = v/(v + s²).
    error : a bound of the numerical error of any probability; 0 if they are sampled.
    """

    shown: ClassVar[tuple[Shown, ...]] = (Shown("delta_mean", "shrunken", "difference"),)

    mean_difference: FloatArray
    delta_mean: FloatArray
    delta_sd: FloatArray
    delta_intervals: dict[float, FloatArray]
    sigma_mean: FloatArray
    sigma_interval: FloatArray
    sigma_ml: FloatArray
    shrinkage: FloatArray
    error: float


class DeferredDatasets(HierarchicalDatasets):
    """The same, computed on demand: a table of many pairs does not need it.

    compute : in this process.
    again : in another process, without the data that `compute` holds.
    """

    def __init__(
        self,
        compute: Callable[[], HierarchicalDatasets],
        again: Callable[[], HierarchicalDatasets],
    ) -> None:
        vars(self).update(_compute=compute, _again=again)

    def __reduce__(self) -> tuple[object, ...]:
        if "_again" in vars(self):
            return DeferredDatasets, (self._again, self._again)
        return partial(HierarchicalDatasets, **vars(self)), ()

    def __getattr__(self, name: str) -> Any:
        """Compute all fields on the first access to any of them."""
        if name.startswith("_"):
            raise AttributeError(name)
        computed = vars(self._compute())
        vars(self).clear()
        vars(self).update(computed)
        return computed[name]


NO_DATASETS = cast("HierarchicalDatasets", None)
# Placeholders in results of the engines, to which these are added later.
NO_OUTLOOK = cast("Callable[[], RegionProbabilities[float]]", None)


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class HierarchicalResult(PopulationResult):
    """The answer of the hierarchical test: Corani 2017, §3.1.

    probabilities : those that decide: `next_dataset`, or `delta0_regions` if `reading` is
        ``average``.
    reading : the deciding question.
    next_dataset : posterior probability that, on the next data set, each region is the most
        probable of the three (left better, equivalent, right better).
    datasets : the probabilities on each data set at hand, and its shrunken mean difference.
    delta0, sigma0 : centre and scale of the distribution of δ over data sets, scores' unit.
    nu : its degrees of freedom; None if the prior fixes them at infinity.
    theta_mean : probability that the next data set's δ falls in each region.
    delta0_regions : probability that δ0, the average over data sets, is in each region.
    p_delta0_positive : P(δ0 > 0).
    next_delta : distribution of the next data set's δ; its mean may not exist.
    sampler : diagnostics of the draws; None for quadrature.
    outlook : computes `next_mean`, which takes longer than all else, on demand.
    """

    datasets: HierarchicalDatasets
    next_dataset: RegionProbabilities[float]
    delta0: Marginal
    sigma0: Marginal
    nu: Marginal | None
    theta_mean: RegionProbabilities[float]
    delta0_regions: RegionProbabilities[float]
    p_delta0_positive: float
    next_delta: Density
    sampler: "SamplerDiagnostics | None" = None
    reading: Reading = "next"
    outlook: Callable[[], RegionProbabilities[float]] = field(default=NO_OUTLOOK, repr=False)

    @cached_property
    def next_mean(self) -> RegionProbabilities[float]:
        """Chance of each region to hold the mean difference that the next data set shows.

        See `bcompare.methods.hierarchical.model`.
        """
        return self.outlook()

    @property
    def scope(self) -> str:
        """The scope of the probabilities."""
        return SCOPES[self.reading]

    @property
    def about_likeliest(self) -> bool:
        """False if the average decides."""
        return self.reading == "next"

    @property
    def chances(self) -> RegionProbabilities[float]:
        """The chances of the next data set."""
        return self.next_mean

    @property
    def model_alone(self) -> RegionProbabilities[float]:
        """The probabilities of the next data set's true difference."""
        return self.theta_mean

    @property
    def likeliest(self) -> RegionProbabilities[float]:
        """The probabilities on the next data set, whichever question decides."""
        return self.next_dataset

    @property
    def average(self) -> Estimate:
        """δ0, the centre of the data sets."""
        low, high = self.delta0.intervals[SHOWN_LEVEL]
        return Estimate(self.delta0.mean, float(low), float(high))

    def read_as(self, reading: Reading) -> "HierarchicalResult":
        """Return the same posterior with the probabilities for the given question."""
        decides = self.next_dataset if reading == "next" else self.delta0_regions
        return replace(self, probabilities=decides, reading=reading)

    def own_fields(self) -> dict[str, object]:
        """Return the fields of this test, its parameters together."""
        entries = super().own_fields()
        parameters = {name: entries.pop(name) for name in ("delta0", "sigma0", "nu")}
        parameters["delta0"] = {
            **{field.name: getattr(self.delta0, field.name) for field in fields(self.delta0)},
            "probabilities": entries.pop("delta0_regions"),
        }
        del entries["outlook"]
        return {"parameters": parameters, **entries, "next_mean": self.next_mean}

    def facts(self) -> tuple[Fact, ...]:
        """Return facts on the parameters."""
        average = self.delta0_regions
        nu = (
            ()
            if self.nu is None
            else (_parameter("ν, tails of the data sets (from 30 on normal)", self.nu),)
        )
        return (
            Fact("P(left typically better, δ0 below the rope)", average.left, "probability"),
            Fact("P(typically equivalent, δ0 in the rope)", average.rope, "probability"),
            Fact("P(right typically better, δ0 above the rope)", average.right, "probability"),
            Fact("P(δ0 > 0)", self.p_delta0_positive, "probability"),
            _parameter("δ0, centre of the data sets", self.delta0, "difference"),
            _parameter("σ0, scale of the data sets", self.sigma0),
            *nu,
        )


def _parameter(
    label: str, marginal: Marginal, kind: Literal["difference", "number"] = "number"
) -> Fact:
    low, high = marginal.intervals[SHOWN_LEVEL]
    return Fact(label, marginal.mean, kind, Interval(SHOWN_LEVEL, low, high))
