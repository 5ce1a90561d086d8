"""Simulated results of a pair: many draws of its sufficient statistics."""

from collections.abc import Iterator
from dataclasses import dataclass

from bcompare.data.rope import FloatArray
from bcompare.data.sufficient import ARRAYS, BoolArray, IntArray, SufficientStatistics
from bcompare.data.units import Unit


@dataclass(frozen=True, eq=False, slots=True)
class SimulatedResults:
    """R simulated results of a pair on q data sets, each field (R, q)."""

    n: IntArray
    mean: FloatArray
    ss: FloatArray
    rho: FloatArray
    binary: BoolArray
    unit: Unit

    def each(self) -> Iterator[SufficientStatistics]:
        """Yield each draw as sufficient statistics."""
        names = tuple(str(i + 1) for i in range(self.n.shape[1]))
        for own in zip(self.n, self.mean, self.ss, self.rho, self.binary, strict=True):
            yield SufficientStatistics(names, *own, self.unit)

    def flat(self) -> SufficientStatistics:
        """All draws as data sets of one pair, for a test that answers for each by itself."""
        arrays = {name: getattr(self, name).ravel() for name in ARRAYS}
        names = tuple(map(str, range(self.n.size)))
        return SufficientStatistics(names, **arrays, unit=self.unit)
