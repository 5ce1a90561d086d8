"""Options that the tests over several data sets share."""

from dataclasses import dataclass
from typing import Annotated, Literal

from bcompare.cli.groups import option

PRIOR = "Prior"


PriorPlace = Literal["rope", "left", "right", "split"]
"""Where the prior's pseudo-observation sits."""


Test = Literal["hier", "signrank", "sign", "poisson"]
"""Tests over several data sets."""


AnyTest = Literal["ttest", "hier", "signrank", "sign", "poisson"]
"""Tests of a pair, on one data set or over several."""


Seed = Annotated[
    int | None,
    option(
        "Of random numbers, where a test uses any: the same seed, the same bytes.",
        "Comparison",
        "N",
        min=0,
    ),
]
PriorStrength = Annotated[float, option("Weight of the prior, in data sets.", PRIOR, "S")]
Place = Annotated[
    PriorPlace,
    option(
        "Where the prior's data set sits: equivalent, left better, right better, or half "
        "left and half right.",
        PRIOR,
    ),
]


@dataclass(frozen=True)
class Others:
    """Other tests beside the one that was asked for."""

    also: Annotated[bool, option("Show what the other tests over data sets say.", "Comparison")] = (
        False
    )
    seed: Seed = None


@dataclass(frozen=True)
class Beside(Others):
    """What else a test with a prior and a posterior of its own can show."""

    sensitivity: Annotated[
        bool,
        option(
            "Show the answer under the other priors beside it, and of hier at half and at "
            "twice the correlation.",
            PRIOR,
        ),
    ] = False
    draws_out: Annotated[
        str | None,
        option(
            "Write the draws of the regions' probabilities of one pair: .npz, for NumPy.",
            "Output",
            "FILE",
        ),
    ] = None
