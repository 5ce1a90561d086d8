"""A table of results as it is stored: named columns, whose cells are texts or numbers."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note
from bcompare.data.rope import FloatArray
from bcompare.files.columns import Coded
from bcompare.files.options import ReadOptions
from bcompare.files.problems import Problems

Located = dict[int, tuple[str, dict[str, str]]]
"""Row of a file → its place for messages, and its cells by column."""
Finder = Callable[[Sequence[int]], Located]


@dataclass(frozen=True, slots=True)
class Selection:
    """The columns to read, by their positions.

    names : those to read as names. values : those to read as numbers. plain : values that hold
    nothing but numbers, unless the file has cells of another kind. na : cells that stand for a
    missing number.
    """

    names: tuple[int, ...]
    values: tuple[int, ...]
    plain: tuple[int, ...]
    na: tuple[str, ...]


@dataclass(frozen=True, eq=False, slots=True)
class Cells:
    """The cells of the selected columns, before they are understood.

    rows : their number.
    names : position of a column → its cells as texts.
    values : position of a column → its cells as texts; or as numbers, if all are, NaN where they
        are marked as missing.
    problems : of rows that could not be read, and are left out.
    """

    rows: int
    names: dict[int, Coded]
    values: dict[int, Coded | FloatArray]
    problems: Problems = field(default_factory=Problems)


class Table(ABC):
    """A text file or a frame.

    title : its name in messages. header : the names of its columns. decimal : the decimal mark.
    preset : of the program that wrote it, if its content tells.
    """

    title: str
    header: tuple[str, ...]
    decimal: str
    preset: str | None

    @abstractmethod
    def cells(self, selection: Selection) -> Cells:
        """Return the selected columns."""

    @abstractmethod
    def find(self, rows: Sequence[int]) -> Located:
        """Return the places of rows for messages, and their cells; some if the file changed."""

    @abstractmethod
    def sample(self, most: int) -> list[list[str]]:
        """Return the cells of the first rows as texts, with decimal points."""

    def name(self, cell: str) -> str:
        """Return a cell as a name."""
        return cell

    @abstractmethod
    def notes(self, options: ReadOptions) -> tuple[Note, ...]:
        """Return notes on what was detected or chosen, and not said by the options."""


def located(find: Finder, rows: Sequence[int]) -> Located:
    """Return the places of all these rows.

    Raises
    ------
    InputError : some are not there any more.
    """
    there = find(rows)
    if not there.keys() >= {*rows}:
        raise InputError("a file changed while it was read: run the command again")
    return there
