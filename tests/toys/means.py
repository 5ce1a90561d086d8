"""A toy test over data sets, from their means."""

from dataclasses import dataclass
from typing import ClassVar

from bcompare.data.rope import RegionProbabilities, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import UNITS, Unit
from bcompare.methods.base import Method, PopulationResult
from bcompare.methods.mean_differences import MeanRegions
from bcompare.methods.values import Fact, PairedNhst


@dataclass(frozen=True, eq=False, kw_only=True)
class ToyResult(PopulationResult):
    """The shares of the means in each region."""

    toy_number: float

    def facts(self) -> tuple[Fact, ...]:
        """A toy."""
        return (Fact("toy fact", self.toy_number, "number"),)


@dataclass(frozen=True)
class Toy(Method):
    """A toy."""

    name: ClassVar[str] = "toy"
    title: ClassVar[str] = "Toy test"
    about: ClassVar[str] = "Counts means."
    view: ClassVar[str] = "counts means"
    units: ClassVar[tuple[Unit, ...]] = UNITS

    def test(self, statistics: SufficientStatistics, rope: Rope) -> ToyResult:
        """Compare one pair."""
        shares = rope.shares(statistics.mean)
        return ToyResult(
            probabilities=RegionProbabilities(*(float(part.mean()) for part in shares)),
            error=None,
            nhst=PairedNhst("toy mean count", 1.0, 0.25, 0.125, 0.875),
            datasets=MeanRegions(probabilities=shares),
            toy_number=42.0,
        )
