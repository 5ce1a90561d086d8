"""Draws of the regions' probabilities as a NumPy archive."""

from pathlib import Path
from typing import cast

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.basis.atomic import atomic_file
from bcompare.basis.errors import InputError
from bcompare.comparing.comparison import ComparisonSet
from bcompare.methods.base import DrawsTheta, Method


def check_draws(method: Method, comparisons: int) -> None:
    """Refuse, before the work, a test or several pairs without draws.

    Raises
    ------
    InputError : a test without draws, or several comparisons.
    """
    if not hasattr(method, "draw_theta"):
        raise InputError(f"{method.name} has no draws: hier, sign and signrank have")
    if comparisons > 1:
        raise InputError(
            "a file of draws holds those of one pair under one rope: choose by "
            f"{arg('left')} and {arg('right')}"
        )


def write_draws(study: ComparisonSet, path: str | Path) -> None:
    """Write the draws of one pair.

    The archive holds `theta`, (draws, 3) probabilities of left, rope, right on the next data set;
    `regions`, their names; `classifiers`, left and right; `rope`, its borders.

    Raises
    ------
    InputError : the file cannot be written.
    """
    (comparison,) = study.comparisons
    method = cast("DrawsTheta", study.method)
    with atomic_file(path) as file:
        np.savez_compressed(
            file,
            theta=method.draw_theta(comparison.differences.statistics, study.rope),
            regions=np.array(["left", "rope", "right"]),
            classifiers=np.array([comparison.left, comparison.right]),
            rope=np.array([study.rope.low, study.rope.high]),
        )
