"""Posteriors of several data sets of which some are few test items, each right or wrong."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note, counted
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.data.sufficient import BoolArray, SufficientStatistics
from bcompare.methods.base import Interval, prior_term
from bcompare.methods.paired_binary import (
    FEW_ITEMS,
    PRIOR,
    PRIOR_STRENGTH,
    Discordant,
    PairedBinaryPosterior,
)
from bcompare.methods.student import Side, StudentPosterior

WEAKEST, STRONGEST = 0.1, 1e6


@dataclass(frozen=True, slots=True)
class PairedBinary:
    """When 0/1 items get their exact posterior, and under which prior.

    strength : of the Dirichlet prior (1, 2, 1), in items. always : not
        only for fewer than 100 items, and for items that are all tied.

    Raises
    ------
    InputError : a strength that is not positive, or very large or small.
    """

    strength: float = field(default=PRIOR_STRENGTH, metadata=prior_term("strength"))
    always: bool = field(default=False, metadata={"name": "exact"})

    def __post_init__(self) -> None:
        if not WEAKEST <= self.strength <= STRONGEST:
            raise InputError(
                f"prior strength {self.strength:g}: give a number from {WEAKEST:g} to "
                f"{STRONGEST:g}, such as 4; it counts like so many items"
            )

    def applies(self, statistics: SufficientStatistics) -> BoolArray:
        """(q,) which data sets have their exact posterior."""
        if statistics.unit != "item":
            return np.zeros(len(statistics), np.bool_)
        few = (statistics.n < FEW_ITEMS) | statistics.is_constant
        return np.asarray(statistics.binary & (few | self.always))

    def notes(self, statistics: SufficientStatistics) -> tuple[Note, ...]:
        """Say where the posterior is exact, and under which prior."""
        exact = self.applies(statistics)
        if not exact.any():
            return ()
        names = [statistics.names[i] for i in np.flatnonzero(exact)]
        left, neither, right = (share * self.strength / PRIOR_STRENGTH for share in PRIOR)
        message = (
            f"exact posterior of 0/1 items on {counted(names, 'data set')}: Dirichlet prior "
            f"({left:g}, {neither:g}, {right:g}) on left alone right, both or neither, right alone"
        )
        return (Note("exact-posterior", "info", message),)


FEW_BINARY_ITEMS = PairedBinary()
"""The default: where 0/1 items are fewer than 100, or tied."""


@dataclass(frozen=True, eq=False, slots=True)
class ItemPosterior(StudentPosterior):
    """Student posteriors, but exact ones where 0/1 items are few.

    There `dof` is NaN, `location` the posterior mean and `scale` the posterior standard deviation;
    left, neither, right : (q,) parameters of the Dirichlet posterior, NaN elsewhere.
    """

    left: FloatArray
    neither: FloatArray
    right: FloatArray

    @property
    def exact(self) -> BoolArray:
        """(q,) where the posterior is the exact one."""
        return np.isnan(self.dof)

    def p_better(self, side: Side) -> FloatArray:
        """(q,) P(difference < 0) for side -1, P(difference > 0) for side 1."""
        p = StudentPosterior.p_better(self, side)
        p[self.exact] = self._dirichlet().p_better(side)
        return p

    def regions(self, rope: Rope) -> RegionProbabilities[FloatArray]:
        """Probability of each region."""
        student, exact = StudentPosterior.regions(self, rope), self._dirichlet().regions(rope)
        for name in ("left", "rope", "right"):
            getattr(student, name)[self.exact] = getattr(exact, name)
        return student

    def curve(self, i: int, points: int = 401) -> tuple[FloatArray, FloatArray]:
        """Grid and density of the i-th data set's posterior."""
        if not self.exact[i]:
            return StudentPosterior.curve(self, i, points)
        return self._dirichlet().curve(int(self.exact[:i].sum()), points)

    def intervals(self, levels: Sequence[float]) -> tuple[Interval[FloatArray], ...]:
        """Credible intervals: equal-tailed, which for a Student are those of highest density."""
        student = StudentPosterior.intervals(self, levels)
        parameters = np.stack([self.left, self.neither, self.right])[:, self.exact]
        distinct, where = np.unique(parameters, axis=1, return_inverse=True)
        exact = PairedBinaryPosterior(*distinct).intervals(levels)
        for ours, theirs in zip(student, exact, strict=True):
            ours.low[self.exact] = theirs.low[where.ravel()]
            ours.high[self.exact] = theirs.high[where.ravel()]
        return student

    def _dirichlet(self) -> PairedBinaryPosterior:
        """Of the exact data sets only."""
        parts = (part[self.exact] for part in (self.left, self.neither, self.right))
        return PairedBinaryPosterior(*parts)


def item_posterior(
    student: StudentPosterior,
    statistics: SufficientStatistics,
    binary: PairedBinary = FEW_BINARY_ITEMS,
) -> StudentPosterior:
    """The posteriors, exact where `binary` says so."""
    exact = binary.applies(statistics)
    if not exact.any():
        return student
    items = PairedBinaryPosterior.of(statistics.n, Discordant.of(statistics), binary.strength)
    return ItemPosterior(
        dof=np.where(exact, np.nan, student.dof),
        location=np.where(exact, items.mean, student.location),
        scale=np.where(exact, items.sd, student.scale),
        left=np.where(exact, items.left, np.nan),
        neither=np.where(exact, items.neither, np.nan),
        right=np.where(exact, items.right, np.nan),
    )
