"""Draws of the regions' probabilities as a NumPy archive, for whoever draws their own pictures."""

from pathlib import Path
from typing import cast

import numpy as np

from bcompare.basis.atomic import atomic_file
from bcompare.basis.errors import InputError
from bcompare.comparing.comparison import ComparisonSet
from bcompare.methods.base import DrawsTheta


def check_draws(path: str | None) -> None:
    """Refuse a name that stands for another format.

    Raises
    ------
    InputError : the name does not end in .npz.
    """
    if path is not None and Path(path).suffix.lower() != ".npz":
        raise InputError(f"{path}: draws are a NumPy archive; end the name in .npz")


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
