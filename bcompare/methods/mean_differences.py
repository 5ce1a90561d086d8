"""The common part of the sign and the signed-rank test: mean differences, and the prior.

Both put a Dirichlet process prior on the distribution of the mean differences z: one
pseudo-observation z0 that counts as much as `prior_strength` data sets. Source: Benavoli et
al. 2017 (JMLR 18), "Tutorial", §4.2.1 and §4.3.
"""

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from bcompare.basis.messages import InputError, Note, Record, number_of
from bcompare.basis.progress import Progress, no_progress
from bcompare.data.defaults import LEAST_DATASETS
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.data.sufficient import SufficientStatistics, as_numbers
from bcompare.methods.interface import DatasetsResult, Method, PopulationResult, Result
from bcompare.methods.result_parts import prior_term

# The place of z0: at 0, at -∞, at +∞, or half at either infinity.
PriorPlace = Literal["rope", "left", "right", "split"]

PRIOR_PLACES: tuple[PriorPlace, ...] = get_args(PriorPlace)

STRONGEST = 1e6

# With fewer data sets the answer says little about others; with fewer than the least it is the
# prior's.
FEW_DATASETS = 5


@dataclass(frozen=True)
class MeansMethod(Method):
    """A test that uses one mean difference for each data set, with this prior.

    prior_strength : weight of z0, in data sets.
    prior_place : its place.

    Raises
    ------
    InputError : a negative or infinite strength, an unknown place.
    """

    varied: ClassVar[str] = "the place of the prior"
    example: ClassVar[str] = "'strength=0.5, place=rope'; places are rope, left, right and split"
    view: ClassVar[str] = "sees only the mean differences"
    predicts: ClassVar[bool] = True

    prior_strength: float = field(default=0.5, metadata=prior_term("strength"))
    prior_place: PriorPlace = field(default="rope", metadata=prior_term("place"))

    def __post_init__(self) -> None:
        if not 0 <= self.prior_strength <= STRONGEST:
            raise InputError(
                f"prior strength {self.prior_strength:g}: give a number from 0 to {STRONGEST:g}, "
                "such as 0.5; it counts like that many data sets"
            )
        if self.prior_place not in PRIOR_PLACES:
            places = ", ".join(PRIOR_PLACES)
            raise InputError(f"prior place {self.prior_place!r}: choose from {places}")

    def describe(self) -> str:
        """Return the prior in words."""
        return f"prior strength {self.prior_strength:g}, place {self.prior_place}"

    @abstractmethod
    def from_means(
        self, means: Sequence[ArrayLike], rope: Rope, progress: Progress = no_progress
    ) -> Sequence[PopulationResult]:
        """Compare many pairs, each given as its (q,) mean differences."""

    def common_fields(
        self,
        z: FloatArray,
        regions: RegionProbabilities[FloatArray],
        probabilities: FloatArray,
    ) -> Record:
        """Return the common fields of both results, from (places, 3) probabilities of one pair."""
        sensitivity = {
            place: RegionProbabilities(*p)
            for place, p in zip(PRIOR_PLACES, probabilities.tolist(), strict=True)
        }
        return {
            "probabilities": sensitivity[self.prior_place],
            "sensitivity": sensitivity,
            "datasets": MeanRegions(probabilities=regions),
            "notes": data_notes(z),
            "withheld": why_withheld(len(z)),
        }

    def test(self, statistics: SufficientStatistics, rope: Rope) -> PopulationResult:
        """Compare one pair of classifiers on q data sets."""
        return self.from_means([statistics.mean], rope)[0]

    def test_all(
        self, pairs: Sequence[SufficientStatistics], rope: Rope, progress: Progress = no_progress
    ) -> list[Result]:
        """Compare many pairs; common parts are computed once."""
        return list(self.from_means([pair.mean for pair in pairs], rope, progress))


def mirrored_place(place: PriorPlace) -> PriorPlace:
    """Return the place of the pseudo-observation after left and right are swapped."""
    swapped: dict[PriorPlace, PriorPlace] = {"left": "right", "right": "left"}
    return swapped.get(place, place)


def mean_differences(values: ArrayLike) -> FloatArray:
    """Return a (q,) array of finite numbers, q ≥ 1; anything else is an InputError."""
    z = as_numbers(values)
    if z.ndim != 1:
        raise InputError(f"mean differences of shape {z.shape}: give one number a data set")
    if z.size == 0:
        raise InputError("there is no data set to compare the two classifiers on")
    bad = np.flatnonzero(~np.isfinite(z))
    if bad.size:
        raise InputError([f"mean difference {i + 1} is {z[i]}: give finite numbers" for i in bad])
    return z


@dataclass(frozen=True, eq=False, kw_only=True)
class MeanRegions(DatasetsResult):
    """The region of each data set's mean difference, without its uncertainty."""

    uncertain: ClassVar[bool] = False


def why_withheld(q: int) -> str | None:
    """Return why q data sets allow no verdict on others, or None."""
    if q >= LEAST_DATASETS:
        return None
    return (
        f"{number_of(q, 'data set')} cannot answer for others; at least {LEAST_DATASETS} are "
        "needed (with folds, seeds or items ttest judges each one)"
    )


def data_notes(z: FloatArray) -> tuple[Note, ...]:
    """Return notes on data sets that are all tied, or too few to generalise."""
    if len(z) >= FEW_DATASETS:
        return tie_notes(z)
    few = (
        f"only {number_of(len(z), 'data set')}: the answer about others depends much on the prior. "
        "With folds, seeds or items ttest judges each data set"
    )
    return (*tie_notes(z), Note("few-datasets", "warning", few))


def tie_notes(z: FloatArray) -> tuple[Note, ...]:
    """Return a note if all differences are equal, or the only one is zero."""
    if z.any() and (len(z) == 1 or np.ptp(z) > 1e-9 * np.abs(z).max()):
        return ()
    return (
        Note(
            "zero-variance",
            "warning",
            f"the mean difference is {z[0]:.3g} on every data set: check where the scores are "
            "from, and that the two classifiers really differ",
        ),
    )
