"""Simulated results of a pair: many draws of its sufficient statistics."""

from collections.abc import Iterator
from dataclasses import dataclass

from bcompare.data.rope import FloatArray
from bcompare.data.sufficient import (
    ARRAYS,
    BoolArray,
    Chosen,
    IntArray,
    Source,
    SufficientStatistics,
)
from bcompare.data.units import Unit


@dataclass(frozen=True, eq=False, slots=True)
class SimulatedResults:
    """R simulated results of a pair on q data sets, each field (R, q).

    source : of the (R q) data sets' single differences, if they are known.
    """

    n: IntArray
    mean: FloatArray
    ss: FloatArray
    rho: FloatArray
    binary: BoolArray
    unit: Unit
    source: Source | None = None

    def each(self) -> Iterator[SufficientStatistics]:
        """Yield each draw as sufficient statistics."""
        q = self.n.shape[1]
        names = tuple(str(i + 1) for i in range(q))
        rows = zip(self.n, self.mean, self.ss, self.rho, self.binary, strict=True)
        for r, own in enumerate(rows):
            source = self.source and Chosen(self.source, range(r * q, (r + 1) * q))
            yield SufficientStatistics(names, *own, self.unit, source)

    def flat(self) -> SufficientStatistics:
        """All draws as data sets of one pair, for a test that answers for each by itself."""
        arrays = {name: getattr(self, name).ravel() for name in ARRAYS}
        names = tuple(map(str, range(self.n.size)))
        return SufficientStatistics(names, **arrays, unit=self.unit, source=self.source)
