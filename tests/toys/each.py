"""A toy test about one data set at a time, from means and spreads; it has no average."""

from dataclasses import dataclass, field
from typing import ClassVar

import numpy as np

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.interface import DatasetMethod, DatasetsResult, Result
from bcompare.methods.result_parts import Contrast, Shown, option
from bcompare.methods.student import StudentPosterior


@dataclass(frozen=True, eq=False, kw_only=True)
class ToyDatasets(DatasetsResult):
    """Answers, and p-values of a toy z-test; (q,) each."""

    shown: ClassVar[tuple[Shown, ...]] = (Shown("p_value", "toy p", "p"),)
    shown_in_details: ClassVar[tuple[Shown, ...]] = (Shown("toy_number", "toy no.", "number"),)
    shown_of_one: ClassVar[tuple[Shown, ...]] = shown_in_details

    p_value: FloatArray
    toy_number: FloatArray


@dataclass(frozen=True, eq=False, kw_only=True)
class ToyResult(Result):
    """The answers on each data set."""

    datasets: ToyDatasets

    @property
    def contrasts(self) -> tuple[Contrast, ...]:
        """A toy."""
        p = self.datasets.p_value
        return (Contrast(("toy z-test",), 1 - p, p, 1 - p / 2, p / 2),)


@dataclass(frozen=True)
class Toy(DatasetMethod):
    """A toy."""

    name: ClassVar[str] = "toy"
    title: ClassVar[str] = "Toy test"
    about: ClassVar[str] = "Takes the belief for the degrees of freedom."

    belief: float = field(default=9.0, metadata=option("The belief."))

    def whole(self, statistics: SufficientStatistics, rope: Rope) -> ToyResult:
        """Compare on each data set."""
        posterior = StudentPosterior(
            np.full(len(statistics), self.belief), statistics.mean, statistics.standard_error
        )
        p_value = 2 * np.minimum(posterior.p_better(-1), posterior.p_better(1))
        return ToyResult(
            datasets=ToyDatasets(
                probabilities=posterior.regions(rope),
                p_value=p_value,
                toy_number=np.full(len(statistics), 42.0),
            )
        )
