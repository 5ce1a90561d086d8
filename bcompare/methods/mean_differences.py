"""What the sign and the signed-rank test share: mean differences, and where the prior sits.

Both put a Dirichlet process prior on the distribution of the mean differences z: one
pseudo-observation z0 that counts as much as `prior_strength` data sets. Source: Benavoli et
al. 2017 (JMLR 18), "Tutorial", §4.2.1 and §4.3.
"""

from dataclasses import dataclass
from typing import ClassVar, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from bcompare.errors import InputError
from bcompare.methods.base import DatasetsResult
from bcompare.notes import Note
from bcompare.rope import FloatArray, Rope

PriorPlace = Literal["rope", "left", "right", "split"]
"""Where z0 is: at 0, at -∞, at +∞, or half at either infinity."""

PRIOR_PLACES: tuple[PriorPlace, ...] = get_args(PriorPlace)

STRONGEST = 1e6

# With fewer data sets than this the answer says little of others, and with fewer than the least
# it is the prior's.
FEW_DATASETS, LEAST_DATASETS = 5, 3


def check_strength(strength: float) -> None:
    """Refuse a negative or infinite prior strength by an InputError."""
    if not 0 <= strength <= STRONGEST:
        raise InputError(
            f"prior strength {strength:g}: give a number from 0 to {STRONGEST:g}, such as 0.5; it "
            "counts like that many data sets"
        )


def check_prior(strength: float, place: str) -> None:
    """Refuse a negative or infinite prior strength and an unknown place by an InputError."""
    check_strength(strength)
    if place not in PRIOR_PLACES:
        raise InputError(f"prior place {place!r}: choose from {', '.join(PRIOR_PLACES)}")


def described_prior(strength: float, place: PriorPlace) -> str:
    """The prior in words, for the line of settings under a table."""
    return f"prior strength {strength:g}, place {place}"


def mirrored_place(place: PriorPlace) -> PriorPlace:
    """The place of the pseudo-observation after left and right are swapped."""
    swapped: dict[PriorPlace, PriorPlace] = {"left": "right", "right": "left"}
    return swapped.get(place, place)


def mean_differences(values: ArrayLike) -> FloatArray:
    """The values as a (q,) array of finite numbers, q ≥ 1; anything else is an InputError."""
    z = np.asarray(values, dtype=np.float64)
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
    """Which region each data set's mean difference is in; nothing is said of how certainly."""

    uncertain: ClassVar[bool] = False


def why_withheld(q: int) -> str | None:
    """Why q data sets allow no verdict on others; None if they do."""
    if q >= LEAST_DATASETS:
        return None
    return (
        f"{q} data set{'' if q == 1 else 's'} cannot speak of others; at least {LEAST_DATASETS} "
        "are needed, and the correlated t-test (ttest) answers for each by itself"
    )


def data_notes(z: FloatArray, rope: Rope) -> tuple[Note, ...]:
    """Notes on data sets that are all tied, or too few to speak of others."""
    if len(z) >= FEW_DATASETS:
        return tie_notes(z, rope)
    few = Note(
        "few-datasets",
        "warning",
        f"only {len(z)} data set{'' if len(z) == 1 else 's'}: the prior weighs much in what is "
        "said of others. The correlated t-test (ttest) answers for each data set by itself",
    )
    return (*tie_notes(z, rope), few)


def tie_notes(z: FloatArray, rope: Rope) -> tuple[Note, ...]:
    """A note where both classifiers have the same mean score on every data set."""
    if np.any(z):
        return ()
    meaning = (
        "without a rope this counts half for either side"
        if rope.is_empty
        else "they are practically equivalent on all of them"
    )
    return (
        Note(
            "all-tied",
            "warning",
            f"the two classifiers have the same mean score on every data set: {meaning}. "
            "Check that they really differ",
        ),
    )
