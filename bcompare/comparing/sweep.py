"""Pairs compared under several ropes, to show how the answers depend on the rope."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Unpack

from bcompare.basis.showable import Showable
from bcompare.comparing.compare import Settings, compare
from bcompare.comparing.comparison import ComparisonSet
from bcompare.data.rope import Rope
from bcompare.data.scores import Scores
from bcompare.methods.base import Method


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Sweep(Showable):
    """A set of comparisons of the same pairs for each rope, the narrowest first."""

    studies: tuple[ComparisonSet, ...]

    def __repr__(self) -> str:
        ropes = ", ".join(f"{study.rope.high:g}" for study in self.studies)
        return f"<Sweep {self.studies[0].method.name}: ropes {ropes}>"


def sweep(
    scores: Scores,
    test: Method | str,
    ropes: Sequence[Rope | float | tuple[float, float]],
    **settings: Unpack[Settings],
) -> Sweep:
    """Compare the same pairs under each of several ropes; settings as for `compare`.

    Examples
    --------
    >>> import bcompare
    >>> scores = bcompare.read_scores("sample_data/results.csv", datasets=("two_hard",))
    >>> bcompare.sweep(scores, "ttest", [bcompare.Rope.of(r) for r in (0.01, 0.02)])
    <Sweep ttest: ropes 0.01, 0.02>
    """
    ascending = sorted(map(Rope.of, ropes), key=lambda rope: rope.high)
    return Sweep(tuple(compare(scores, test, rope=rope, **settings) for rope in ascending))
