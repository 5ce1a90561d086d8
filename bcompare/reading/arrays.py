"""Read two arrays of scores."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike

from bcompare.basis.messages import InputError, as_keywords
from bcompare.data.rope import FloatArray
from bcompare.data.scores import Scores
from bcompare.reading.read import from_frame

if TYPE_CHECKING:
    import pandas as pd


# What the values of an array are; ``datasets`` for one mean of each data set.
Rows = Literal["folds", "items", "seeds", "datasets"]

# The column of items and seeds, which have no names.
PLACE = "place"
# What these arguments are called for frames.
OF_FRAMES = {
    "item_col='fold'": "rows='items'",
    "seed_col='fold'": "rows='seeds'",
    "preset='means'": "rows='datasets'",
}


def scores_of(
    left: ArrayLike,
    right: ArrayLike,
    rows: Rows,
    runs: int = 1,
    rho: float | None = None,
    names: Sequence[str] = ("left", "right"),
    *,
    lower_is_better: bool = False,
    scale: Mapping[str, float] | None = None,
) -> Scores:
    """Return the scores in two arrays; see `bcompare.compare_arrays`.

    Raises
    ------
    InputError : arrays of different shapes, or values that are not finite.
    """
    if rows not in get_args(Rows):
        raise InputError(f"rows {rows!r}: say what the values are: {', '.join(get_args(Rows))}")
    if len(set(names)) != 2:
        raise InputError(f"names {tuple(names)!r}: give two different names")
    both = [_numbers(values, name) for values, name in zip((left, right), names, strict=True)]
    if both[0].shape != both[1].shape:
        shapes = " and ".join(str(values.shape) for values in both)
        raise InputError(f"arrays of shapes {shapes}: their values must belong together")
    n = both[0].shape[-1]
    if rows == "datasets" and both[0].ndim != 1:
        raise InputError("give one mean for each data set, or say rows='folds'")
    if rho is not None and rows != "folds":
        raise InputError(f"rho is the correlation of folds: leave it out for {rows}")
    try:
        return from_frame(
            _frame(both, rows, runs, names),
            item_col=PLACE if rows == "items" else None,
            seed_col=PLACE if rows == "seeds" else None,
            lower_is_better=lower_is_better,
            rho=rho,
            scale=scale or {},
        )
    except InputError as error:
        text = as_keywords(error.text)
        for of_frames, own in OF_FRAMES.items():
            text = text.replace(of_frames, own)
        more = f"; say runs={n // 10} if they are {n // 10} runs of 10 folds"
        raise InputError(text + more * (n % 10 == 0 and "folds in a run" in text)) from None


def _numbers(values: ArrayLike, name: str) -> FloatArray:
    numbers = np.asarray(values, dtype=np.float64)
    if numbers.ndim not in (1, 2) or not numbers.size:
        raise InputError(f"{name}: an array of shape {numbers.shape}: give scores, (n,) or (q, n)")
    if not np.isfinite(numbers).all():
        place = tuple(np.argwhere(~np.isfinite(numbers))[0].tolist())
        raise InputError(f"{name}{list(place)}: not a finite number; leave such out in both arrays")
    return numbers


def _frame(
    both: Sequence[FloatArray], rows: Rows, runs: int, names: Sequence[str]
) -> "pd.DataFrame":
    """Return a frame with a row for each score."""
    import pandas as pd

    n = both[0].shape[-1]
    if rows == "folds" and (runs < 1 or n % runs):
        raise InputError(f"{n} folds are not {runs} runs of equally many: give runs")
    dataset, place = (part.ravel() for part in np.indices(np.atleast_2d(both[0]).shape))
    if rows == "datasets":
        columns = {"dataset": place}
    elif rows == "folds":
        columns = {"dataset": dataset + 1}
        columns |= {"run": place // (n // runs) + 1, "fold": place % (n // runs) + 1}
    else:
        columns = {"dataset": dataset + 1, PLACE: place + 1}
    one = pd.DataFrame(columns)
    parts = [
        one.assign(classifier=name, score=values.ravel())
        for name, values in zip(names, both, strict=True)
    ]
    return pd.concat(parts, ignore_index=True)
