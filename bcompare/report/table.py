"""A table that knows nothing of formats: typed columns, plain cells, and the text of numbers."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

LARGE = 1e5


def probability(p: float, *levels: float) -> str:
    """Return three decimals; <0.001 and >0.999 unless the value is exactly 0 or 1.

    levels : what verdicts take; close to one there are more, to show on which side p is.
    """
    rounded = f"{p:.3f}"
    if rounded == "0.000" and p > 0:
        return "<0.001"
    if rounded == "1.000" and p < 1:
        return ">0.999"
    texts = (f"{p:.{decimals}f}" for decimals in range(3, 10))
    sides = _sides(p, levels)
    return next((text for text in texts if _sides(float(text), levels) == sides), rounded)


def _sides(p: float, levels: Sequence[float]) -> list[int]:
    """Return on which side of each level a probability is."""
    return [(p > level) - (p < level) for level in levels]


def percent(p: float) -> str:
    """Return a chance in per cent, without the sign; never quite 0 or 100."""
    if p < 0.005:
        return "<1"
    return ">99" if p > 0.995 else f"{100 * p:.0f}"


def difference(value: float, decimals: int) -> str:
    """Return a number with its sign, and no minus before a zero."""
    if math.isnan(value):
        return "–"
    if math.isinf(value):
        return "∞" if value > 0 else "-∞"
    if abs(value) >= LARGE or decimals > 8:
        return f"{value:+.3e}"
    rounded = f"{value:+.{decimals}f}"
    return rounded if float(rounded) else f"{0:.{decimals}f}"


def unsigned(value: float, decimals: int) -> str:
    """Return a number like `difference`, without a plus."""
    return difference(value, decimals).removeprefix("+")


def decimals_for(scale: float) -> int:
    """Return the decimals that show three digits of a number of size `scale`; 4 for 0.01."""
    if scale <= 0 or not math.isfinite(scale):
        return 4
    return max(0, 2 - math.floor(math.log10(scale)))


# The kind of a field's values; tables have none of the last five.
Kind = Literal[
    "name",
    "verdict",
    "count",
    "difference",
    "probability",
    "region",
    "p",
    "number",
    "figure",
    "truth",
    "decision",
    "names",
    "object",
    "records",
]

Cell = str | int | float | None


class Strong(str):
    """A figure that every renderer makes bold, or gives a star where text has no styles."""

    __slots__ = ()


Row = tuple[Cell, ...]
# When a column is left out where lines are short: never, before anything in the table is broken, or
# only if its lines are too long with all names broken.
Spare = Literal["no", "first", "last"]
# The pieces of a cell: each ends with the character after which it may be broken.
PIECE = re.compile(r"[^\s_\-]*[\s_\-]*")
# Verdicts that decide nothing, so that no probability beside them is emphasised.
OPEN = ("undecided", "withheld")


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its header, the kind of its values, and decimals for differences.

    kind : ``difference`` is written with its sign, ``number`` without; ``region`` is a
        probability of which the largest in a row is emphasised; ``figure`` is written already.
    constant : the text for the title, such as "left {}", if the value is the same in every
        row and the column is left out; empty for a column that is always shown.
    spare : when it is left out where lines are short.
    """

    header: str
    kind: Kind = "name"
    decimals: int = 4
    constant: str = ""
    spare: Spare = "no"

    @property
    def is_numeric(self) -> bool:
        """Whether cells are aligned to the right."""
        return self.kind not in ("name", "verdict")

    def text(self, cell: Cell, levels: Sequence[float] = ()) -> str:
        """Return the cell formatted by the column's kind; an absent value is a dash.

        levels : of verdicts; see `probability`. Of p-values they are the rest.
        """
        if cell is None:
            return "–"
        if isinstance(cell, str):
            return cell
        if self.kind == "count":
            return f"{cell:,}"
        if self.kind in ("difference", "number"):
            write = difference if self.kind == "difference" else unsigned
            return write(cell, self.decimals)
        if self.kind == "p":
            return probability(cell, *(round(1 - level, 12) for level in levels))
        return probability(cell, *levels)


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """A titled table; each row has a cell for each column.

    by_test : whether the report's words on how to read it are about this table.
    levels : the probabilities that verdicts take.
    """

    title: str
    columns: tuple[Column, ...]
    rows: Sequence[Row]
    by_test: bool = True
    levels: tuple[float, ...] = ()

    def texts(self) -> Iterator[tuple[list[str], frozenset[int]]]:
        """Yield each row as text, with the indices of the cells to emphasise."""
        for row in self.rows:
            cells = [c.text(cell, self.levels) for c, cell in zip(self.columns, row, strict=True)]
            strong = [i for i, cell in enumerate(row) if isinstance(cell, Strong)]
            yield cells, frozenset([*strong, *self._largest(row)])

    def _largest(self, row: Row) -> list[int]:
        """Return the index of the largest region's cell; empty if there is none, or no verdict."""
        kinds = [column.kind for column in self.columns]
        if "verdict" in kinds and row[kinds.index("verdict")] in OPEN:
            return []
        regions = []
        for i, (cell, kind) in enumerate(zip(row, kinds, strict=True)):
            if kind == "region" and isinstance(cell, float):
                regions.append((cell, i))
        if not regions:
            return []
        largest, place = max(regions)
        is_tied = [cell for cell, _ in regions].count(largest) > 1
        return [] if is_tied else [place]

    def shown(self, show: Callable[[str], str]) -> "Table":
        """Return the table with every text in it made printable."""

        def shown(cell: Cell) -> Cell:
            return type(cell)(show(cell)) if isinstance(cell, str) else cell

        rows = [tuple(map(shown, row)) for row in self.rows]
        columns = tuple(replace(c, header=show(c.header)) for c in self.columns)
        return replace(self, title=show(self.title), columns=columns, rows=rows)

    def starred(self) -> "Table":
        """Return the table with a star after each strong cell."""
        marked = {i for row in self.rows for i, cell in enumerate(row) if isinstance(cell, Strong)}
        if not marked:
            return self
        rows = []
        for row in self.rows:
            cells = [*row]
            for i in marked:
                cell = cells[i]
                if cell is not None:
                    mark = "*" if isinstance(cell, Strong) else " "
                    cells[i] = f"{cell}{mark}"
            rows.append(tuple(cells))
        return replace(self, rows=rows)

    def without_constants(self) -> "Table":
        """Return the table without constant columns, whose values move to the title."""
        several = len(self.rows) > 1  # a lone row keeps its names
        kept = []
        constants = []
        for i, column in enumerate(self.columns):
            may_go = column.constant and (several or column.kind == "count")
            if may_go and len({row[i] for row in self.rows}) == 1:
                constants.append(column.constant.format(column.text(self.rows[0][i])))
            else:
                kept.append(i)
        columns = tuple(self.columns[i] for i in kept)
        rows = [tuple(r[i] for i in kept) for r in self.rows]
        title = self.title
        if constants:
            separator = ", " if ": " in title else ": "
            title += separator + ", ".join(constants)
        return replace(self, title=title, columns=columns, rows=rows)

    def fitted(self, width: int) -> "Table":
        """Return the table without spare columns, from the left, until it fits this width."""
        spare = next((i for i, column in enumerate(self.columns) if column.spare != "no"), None)
        if spare is None or self.width <= width:
            return self
        if self.columns[spare].spare == "last" and self.least_width <= width:
            return self
        columns = self.columns[:spare] + self.columns[spare + 1 :]
        rows = [row[:spare] + row[spare + 1 :] for row in self.rows]
        return replace(self, columns=columns, rows=rows).fitted(width)

    @property
    def width(self) -> int:
        """The width as plain text, in characters, without constant columns."""
        shown = self.without_constants()
        lines = [[column.header for column in shown.columns], *(row for row, _ in shown.texts())]
        return sum(2 + max(map(len, cells)) for cells in zip(*lines, strict=True)) - 1

    @property
    def least_width(self) -> int:
        """The width with headers and names broken wherever they may be, and narrow gaps."""
        shown = self.without_constants()
        rows = [row for row, _ in shown.texts()]
        total = 0
        for i, column in enumerate(shown.columns):
            words = pieces(column.header)
            for row in rows:
                words += [row[i]] if column.is_numeric else pieces(row[i])
            total += 1 + max(map(len, words))
        return total


def pieces(cell: str) -> list[str]:
    """Return the parts of a cell between which it may be broken."""
    return [piece.rstrip() for piece in PIECE.findall(cell)] or [""]


def condensed(tables: Iterable[Table | None], levels: tuple[float, ...] = ()) -> tuple[Table, ...]:
    """Return the tables that have rows, without constant columns, for verdicts at these levels."""
    kept = (table for table in tables if table is not None and table.rows)
    return tuple(replace(table, levels=levels).without_constants() for table in kept)
