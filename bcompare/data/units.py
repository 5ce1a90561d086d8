"""The unit of a row of results: a fold, a seed, a test item, or the mean of a data set."""

from typing import Literal, get_args

Unit = Literal["fold", "seed", "item", "mean"]

UNITS: tuple[Unit, ...] = get_args(Unit)

SEVERAL: tuple[Unit, ...] = ("fold", "seed", "item")
"""Units with several rows in a data set, whose spread measures the error of the mean."""

ROWS: dict[Unit, str] = {
    "fold": "folds of cross-validation",
    "seed": "seeds on a fixed split",
    "item": "test items",
    "mean": "one mean per data set",
}
"""The units in words."""
