"""What the columns of a file hold, from its rows or a sample of them."""

import re
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bcompare.columns.vocabulary import sums_up
from bcompare.data.rope import BoolArray, FloatArray, IntArray
from bcompare.files.cells import MARKERS, TRUTH, Written, number_in

# A larger share of numbers leaves only words for what is missing, such as OOM.
MOSTLY = 0.8
LONG_TEXT = 60
# As many words make a sentence, not a name.
SENTENCE = 6
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?([T ].*)?|\d\d?[./]\d\d?[./]\d{2,4}.*|\d\d?:\d\d(:\d\d.*)?")
# The least share of rows whose place has scores of several classifiers.
LEAST_SHARED = 0.5
# Stands for the files in place of a column of names.
FILE = "\0file"


@dataclass(frozen=True, eq=False)
class FileColumn:
    """A column of the rows. cells : without surrounding blanks; decimal marks are points.

    What is said of cells is found out once for each different one.
    """

    name: str
    cells: tuple[str, ...]

    @cached_property
    def filled(self) -> tuple[str, ...]:
        """The cells that do not stand for a missing value, as rare words among numbers do."""
        filled = tuple(cell for cell in self.cells if cell in self._written)
        numbers = tuple(cell for cell in filled if self._written[cell])
        return numbers if len(numbers) > MOSTLY * len(filled) else filled

    @cached_property
    def _written(self) -> dict[str, Written | None]:
        """The number in each different cell that does not stand for a missing value."""
        cells = dict.fromkeys(self.cells)
        return {cell: number_in(cell) for cell in cells if cell.casefold() not in MARKERS}

    @property
    def empty(self) -> float:
        """The share of cells without a value."""
        return 1 - len(self.filled) / len(self.cells) if self.cells else 0.0

    @cached_property
    def distinct(self) -> tuple[str, ...]:
        """The different cells that are not missing."""
        return tuple(dict.fromkeys(self.filled))

    @cached_property
    def codes(self) -> IntArray:
        """(n,) a number for each cell, the same for equal ones."""
        code_of: dict[str, int] = {}
        codes = (code_of.setdefault(cell, len(code_of)) for cell in self.cells)
        return np.fromiter(codes, np.int64, len(self.cells))

    @cached_property
    def are_sums(self) -> BoolArray:
        """(n,) whether each cell is the name of a row that sums up others."""
        is_sum = {cell: sums_up(cell) for cell in dict.fromkeys(self.cells)}
        return np.array([is_sum[cell] for cell in self.cells], dtype=np.bool_)

    @cached_property
    def numbers(self) -> FloatArray:
        """The numbers in the filled cells; NaN where there is none."""
        number_of: dict[str, float] = {}
        for cell in self.distinct:
            written = self._written[cell]
            number_of[cell] = written.number if written else TRUTH.get(cell.casefold(), np.nan)
        return np.array([number_of[cell] for cell in self.filled])

    @cached_property
    def is_number(self) -> bool:
        """Whether all filled cells are finite numbers."""
        return len(self.filled) > 0 and bool(np.isfinite(self.numbers).all())

    @cached_property
    def is_whole(self) -> bool:
        """Whether these are whole numbers."""
        return self.is_number and bool((self.numbers % 1 == 0).all())

    @property
    def is_fractional(self) -> bool:
        """Whether these are numbers, and not all of them whole."""
        return self.is_number and not self.is_whole

    @property
    def is_binary(self) -> bool:
        """Whether these are zeros and ones."""
        return self.is_number and {*self.numbers.tolist()} <= {0.0, 1.0}

    @cached_property
    def is_date(self) -> bool:
        """Whether the cells are dates or times."""
        return len(self.filled) > 0 and all(map(_DATE.fullmatch, self.distinct[:20]))

    @cached_property
    def counts_on(self) -> bool:
        """Whether these are all whole numbers from 0 or 1 on."""
        if not self.is_whole or len(self.distinct) < 2:
            return False
        low = self.numbers.min()
        return bool(low in (0, 1)) and bool(self.numbers.max() - low == len(self.distinct) - 1)

    @property
    def is_numbering(self) -> bool:
        """Whether these are the numbers of rows: whole, and all different."""
        return self.is_whole and len(self.distinct) == len(self.cells) > 3

    @property
    def is_counter(self) -> bool:
        """Whether these number something, from 0 or 1 on; two values may be answers."""
        return self.counts_on and len(self.distinct) > 2

    @property
    def may_be_scores(self) -> bool:
        """Whether the cells may be scores: numbers that differ, and no dates."""
        return self.is_number and not self.is_date and len(self.distinct) > 1

    @property
    def is_numbered(self) -> bool:
        """Whether all cells have a number."""
        return all(re.search(r"\d", cell) for cell in self.distinct)

    @cached_property
    def is_name(self) -> bool:
        """Whether the cells may be names: texts, neither sentences nor dates."""
        if not self.filled or self.is_number or self.is_date:
            return False
        shown = self.distinct[:50]
        sentences = sum(len(cell) > LONG_TEXT or cell.count(" ") >= SENTENCE for cell in shown)
        return sentences <= len(shown) // 2

    @cached_property
    def size(self) -> float:
        """The typical size of the numbers."""
        sizes = np.abs(self.numbers[self.numbers != 0])
        return float(np.median(sizes)) if len(sizes) else 0.0


class ColumnTable:
    """The columns of a file by name, over its rows or a sample of them.

    columns : one may be called `FILE`.
    is_whole : whether these are all rows.
    stem : of a file whose name is a part of those of its columns, as of its classifier, in place of
        all files.
    """

    def __init__(
        self, columns: Iterable[FileColumn], *, is_whole: bool = True, stem: str = ""
    ) -> None:
        self.columns = {column.name: column for column in columns}
        self.is_whole, self.stem = is_whole, stem
        self.rows = len(next(iter(self.columns.values())).cells) if self.columns else 0
        self._keys: dict[tuple[str, ...], IntArray] = {}

    @classmethod
    def of(
        cls,
        header: Sequence[str],
        rows: Sequence[Sequence[str]],
        *,
        is_whole: bool = True,
        stem: str = "",
    ) -> "ColumnTable":
        """Return the columns of rows; a row has a cell for each name of the header."""
        cells = zip(*rows, strict=True) if rows else [()] * len(header)
        columns = [
            FileColumn(name, tuple(column)) for name, column in zip(header, cells, strict=True)
        ]
        return cls(columns, is_whole=is_whole, stem=stem)

    def with_parts(self, parts: Iterable[FileColumn]) -> "ColumnTable":
        """Return the table with parts of columns before its own."""
        columns = [*parts, *self.columns.values()]
        return ColumnTable(columns, is_whole=self.is_whole, stem=self.stem)

    def __getitem__(self, name: str) -> FileColumn:
        return self.columns[name]

    def __contains__(self, name: str) -> bool:
        return name in self.columns

    @property
    def header(self) -> list[str]:
        """The names of the columns, but for that of the files, and parts of others."""
        return [name for name in self.columns if "\0" not in name]

    def keys(self, names: Iterable[str]) -> IntArray:
        """Return (n,) a number for each row, the same for rows with the same cells in columns."""
        chosen = tuple(sorted({*names}))
        if chosen not in self._keys:
            codes = np.zeros(self.rows, np.int64)
            for name in chosen:
                of_column = self.columns[name].codes
                joined = codes * (of_column.max(initial=0) + 1) + of_column
                codes = np.unique(joined, return_inverse=True)[1]
            self._keys[chosen] = codes
        return self._keys[chosen]

    def count(self, names: Iterable[str]) -> int:
        """Return how many different cells columns have together."""
        return int(self.keys(names).max(initial=-1)) + 1

    def fewest_rows(self, names: Iterable[str]) -> int:
        """Return the least number of rows with the same cells of columns."""
        return int(np.bincount(self.keys(names)).min(initial=self.rows))

    def follows(self, name: str, others: Sequence[str]) -> bool:
        """Return whether a column has one value for all rows with the same cells of others."""
        return self.count([*others, name]) == self.count(others)

    def filled(self, who: Sequence[str], places: Sequence[str], rows: BoolArray) -> float:
        """Return the share of all pairs of a classifier and a place that have a row.

        0 if two rows have the same, or no two classifiers a place in common. Of a sample, 1 if no
        two rows have the same, since what they share is in other rows.

        who : the columns of classifiers; none if a row has the scores of all. rows : (n,) to look
        at.
        """
        count = int(rows.sum())
        both = self.keys([*who, *places])[rows]
        if not count or len(np.unique(both)) < count:
            return 0.0
        if not self.is_whole:
            return 1.0
        people = len(np.unique(self.keys(who)[rows]))
        spots = self.keys(places)[rows]
        in_spot = np.bincount(spots)[spots]  # how many rows each row's place has
        if people > 1 and (in_spot > 1).mean() < LEAST_SHARED:
            return 0.0
        return count / (people * len(np.unique(spots)))

    def fewest(self, groups: Sequence[str], names: Sequence[str], rows: BoolArray) -> int:
        """Return the least number of different cells of columns in a group of rows."""
        group = self.keys(groups)[rows]
        pairs = np.unique(np.stack([group, self.keys(names)[rows]]), axis=1)
        return int(np.bincount(pairs[0])[np.unique(pairs[0])].min(initial=self.rows))


def shown_names(names: Collection[str], most: int = 2, longest: int = 16) -> str:
    """Return a few names, shortened, and an ellipsis for more."""
    first = [*names][:most]
    shown = [name if len(name) <= longest else f"{name[: longest - 1]}…" for name in first]
    if len(names) > most:
        shown.append("…")
    return ", ".join(shown)


def literal(text: str) -> str:
    """Escape text for a regular expression, without superfluous backslashes."""
    return re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", text)
