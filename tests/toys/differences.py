"""A toy test about one data set at a time, from its single differences; with an average."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.interface import DatasetMethod, DatasetsResult, Result
from bcompare.methods.result_parts import Contrast, Estimate, Shown


@dataclass(frozen=True, eq=False, kw_only=True)
class ToyDatasets(DatasetsResult):
    """Shares of the differences in each region, and the number of folds that right wins."""

    shown: ClassVar[tuple[Shown, ...]] = (Shown("toy_number", "toy wins", "count"),)

    toy_number: FloatArray
    p_value: FloatArray


@dataclass(frozen=True, slots=True)
class ToyAverage:
    """The mean of the data sets' shares."""

    shares: FloatArray
    mean: float
    error: float = 0.0

    def regions(self, rope: Rope) -> RegionProbabilities[float]:
        """Return the mean shares; the rope is in them."""
        del rope
        return RegionProbabilities(*self.shares.tolist())

    def estimate(self) -> Estimate:
        """Return the mean difference."""
        return Estimate(self.mean, self.mean, self.mean)


@dataclass(frozen=True, eq=False, kw_only=True)
class ToyResult(Result):
    """The answers on each data set."""

    datasets: ToyDatasets

    @property
    def contrasts(self) -> tuple[Contrast, ...]:
        """A toy."""
        p = self.datasets.p_value
        return (Contrast(("toy fold count",), self.datasets.toy_number, p, 1 - p / 2, p / 2),)

    def over_these(self, statistics: SufficientStatistics) -> ToyAverage | None:
        """Return the mean of the shares."""
        if len(statistics) < 2:
            return None
        shares = np.stack([*self.answers]).mean(axis=1)
        return ToyAverage(shares, float(statistics.mean.mean()))


@dataclass(frozen=True)
class Toy(DatasetMethod):
    """A toy."""

    name: ClassVar[str] = "toy"
    title: ClassVar[str] = "Toy test"
    about: ClassVar[str] = "Counts folds."
    needs_differences: ClassVar[bool] = True

    def whole(self, statistics: SufficientStatistics, rope: Rope) -> ToyResult:
        """Compare on each data set."""
        each = [statistics.differences(i) for i in range(len(statistics))]
        shares = np.array([[part.mean() for part in rope.shares(x)] for x in each])
        wins = np.array([int((x > 0).sum()) for x in each])
        return ToyResult(
            datasets=ToyDatasets(
                probabilities=RegionProbabilities(*shares.T.copy()),
                toy_number=wins,
                p_value=np.full(len(each), 0.25),
            )
        )
