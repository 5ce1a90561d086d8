"""A file's columns as they were read, before anything is known of what they mean."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from bcompare.reading.columns import Coded
from bcompare.rope import FloatArray


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which columns to read, by position: as names (`keys`) and as numbers (`values`)."""

    keys: tuple[int, ...]
    values: tuple[int, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """The wanted columns of one file.

    Attributes
    ----------
    rows : how many.
    keys : position of a column → its names, stripped of blanks.
    values : position of a column → (rows,) numbers; NaN where they are marked as missing.
    row : (rows,) which row of the file each one is, or None if none was left out.
    problems : what is wrong with single cells and rows; empty if all could be read.
    """

    rows: int
    keys: dict[int, Coded]
    values: dict[int, FloatArray]
    row: NDArray[np.intp] | None = None
    problems: tuple[str, ...] = ()

    @property
    def unread(self) -> bool:
        """Whether rows had to be left out because of problems."""
        return self.row is not None
