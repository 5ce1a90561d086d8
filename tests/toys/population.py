"""A toy test over data sets, from their means, with an option."""

from dataclasses import dataclass, field
from typing import ClassVar

from bcompare.data.rope import RegionProbabilities, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import UNITS, Unit
from bcompare.methods.interface import Method, PopulationResult
from bcompare.methods.mean_differences import MeanRegions
from bcompare.methods.result_parts import Fact, PairedNhst, Shown, option


@dataclass(frozen=True, eq=False, kw_only=True)
class ToyResult(PopulationResult):
    """A belief."""

    shown: ClassVar[tuple[Shown, ...]] = (Shown("toy_number", "toy no.", "number"),)

    toy_number: float

    def facts(self) -> tuple[Fact, ...]:
        """A toy."""
        return (Fact("toy fact", self.toy_number, "number"),)


@dataclass(frozen=True)
class Toy(Method):
    """A toy."""

    name: ClassVar[str] = "toy"
    title: ClassVar[str] = "Toy test"
    about: ClassVar[str] = "Takes the belief for the probability."
    view: ClassVar[str] = "believes"
    units: ClassVar[tuple[Unit, ...]] = UNITS
    predicts: ClassVar[bool] = True

    belief: float = field(default=0.96, metadata=option("The belief."))

    def test(self, statistics: SufficientStatistics, rope: Rope) -> ToyResult:
        """Compare one pair."""
        rest = (1 - self.belief) / 2
        return ToyResult(
            probabilities=RegionProbabilities(rest, rest, self.belief),
            error=None,
            nhst=PairedNhst("toy wager", 1.0, 0.25, 0.125, 0.875),
            datasets=MeanRegions(probabilities=rope.shares(statistics.mean)),
            toy_number=42.0,
        )
