"""A file's columns as they were read, before anything is known of what they mean."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from bcompare.data.rope import FloatArray
from bcompare.reading.columns import Coded


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition that rows must meet to be read.

    text : as the user wrote it. column : the position of its column. holds : for a cell.
    """

    text: str
    column: int
    holds: Callable[[str], bool]


@dataclass(frozen=True, slots=True)
class Wanted:
    """What to read of a file.

    Attributes
    ----------
    keys, values : positions of columns to be read as names and as numbers.
    blank : keys of which a cell may be empty.
    where : conditions on the rows, all of which must hold.
    na : cells that stand for a missing number.
    grades : cells that stand for a number.
    """

    keys: tuple[int, ...]
    values: tuple[int, ...]
    blank: tuple[int, ...] = ()
    where: tuple[Condition, ...] = ()
    na: tuple[str, ...] = ()
    grades: Mapping[str, float] = field(default_factory=dict)

    @property
    def names(self) -> tuple[int, ...]:
        """All columns that are read as names, whether to be kept or only for a condition."""
        return tuple(dict.fromkeys([*self.keys, *(c.column for c in self.where)]))


@dataclass(frozen=True, eq=False, slots=True)
class Block:
    """The wanted columns of one file.

    Attributes
    ----------
    rows : how many meet the conditions.
    keys : position of a column → its names, stripped of blanks.
    values : position of a column → (rows,) numbers; NaN where they are marked as missing,
        infinite where they cannot be read.
    row : (rows,) which row of the file each one is, or None if none was left out.
    seen : position of a column with a condition → all names in it, whether met or not.
    filtered : how many rows do not meet the conditions.
    problems : what is wrong with single cells and rows; empty if all could be read.
    unread : whether rows had to be left out because of problems.
    """

    rows: int
    keys: dict[int, Coded]
    values: dict[int, FloatArray]
    row: NDArray[np.int64] | None = None
    seen: dict[int, tuple[str, ...]] = field(default_factory=dict)
    filtered: int = 0
    problems: tuple[str, ...] = ()
    unread: bool = False

    @classmethod
    def of(
        cls,
        rows: int,
        names: Mapping[int, Coded],
        values: Mapping[int, FloatArray],
        wanted: Wanted,
    ) -> "Block":
        """The rows that meet the conditions, of columns that could all be read."""
        if not wanted.where:
            return cls(rows, {key: names[key] for key in wanted.keys}, dict(values))
        kept = np.ones(rows, dtype=np.bool_)
        for condition in wanted.where:
            kept &= names[condition.column].which(condition.holds)
        row = np.flatnonzero(kept)
        return cls(
            rows=len(row),
            keys={key: Coded.of(names[key].codes[row], names[key].names) for key in wanted.keys},
            values={value: numbers[row] for value, numbers in values.items()},
            row=row,
            seen={c.column: names[c.column].names for c in wanted.where},
            filtered=rows - len(row),
        )
