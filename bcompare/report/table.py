"""A table that knows nothing of formats: typed columns and plain cells."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Literal

Kind = Literal[
    "name", "verdict", "count", "difference", "probability", "region", "p", "number", "figure"
]
Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its header, what kind of value it holds, and decimals for differences.

    kind : ``difference`` is written with its sign, ``number`` without; ``region`` is a
        probability of which the largest in a row is emphasised; ``figure`` is written already.
    said : how the line of settings says the value if it is the same in every row, such as
        "left {}"; empty for a column that is always shown.
    """

    header: str
    kind: Kind = "name"
    decimals: int = 4
    said: str = ""


@dataclass(frozen=True, eq=False, slots=True)
class Table:
    """A titled table; each row has a cell a column."""

    title: str
    columns: tuple[Column, ...]
    rows: Sequence[tuple[Cell, ...]]

    def emphasised(self, row: tuple[Cell, ...]) -> int | None:
        """Index of the largest region's cell; None where there are none or two are equal."""
        regions = [
            (cell, i)
            for i, (cell, column) in enumerate(zip(row, self.columns, strict=True))
            if column.kind == "region" and isinstance(cell, float)
        ]
        if not regions:
            return None
        largest, at = max(regions)
        return at if [cell for cell, _ in regions].count(largest) == 1 else None


def condensed(tables: Iterable[Table]) -> tuple[tuple[Table, ...], tuple[str, ...]]:
    """The tables that have rows, less the columns that say the same in all, and what those said."""
    pairs = [_condensed(table) for table in tables if table.rows]
    said = dict.fromkeys(words for _, several in pairs for words in several)
    return tuple(table for table, _ in pairs), tuple(said)


def _condensed(table: Table) -> tuple[Table, tuple[str, ...]]:
    several = len(table.rows) > 1  # the names of a lone row stay
    same = [
        bool(column.said)
        and (several or column.kind == "count")
        and len({row[i] for row in table.rows}) == 1
        for i, column in enumerate(table.columns)
    ]
    said = tuple(
        column.said.format(f"{cell:,}" if isinstance(cell, int) else cell)
        for column, cell, is_same in zip(table.columns, table.rows[0], same, strict=True)
        if is_same
    )
    kept = [i for i, is_same in enumerate(same) if not is_same]
    columns = tuple(table.columns[i] for i in kept)
    rows = [tuple(row[i] for i in kept) for row in table.rows]
    return Table(table.title, columns, rows), said


# Names may hold anything: what moves the cursor, or begins a terminal's command, is replaced.
# So is what turns the direction of writing: a line would read otherwise than it says.
_TURNS = (*range(0x202A, 0x202F), *range(0x2066, 0x206A))
_CONTROL = dict.fromkeys((*range(32), *range(127, 160), *_TURNS), "�")


def printable(words: str) -> str:
    """The words with control characters, line breaks among them, made visible."""
    return words.translate(_CONTROL)


# JSON escapes what it must; these it may leave bare, and a terminal obeys them.
_BARE = {code: f"\\u{code:04x}" for code in (*range(127, 160), *_TURNS)}


def printable_json(text: str) -> str:
    """A JSON text of the same value, with every character escaped that a terminal would obey."""
    return text.translate(_BARE)


def printable_table(table: Table) -> Table:
    """The table with every word of it printable."""
    rows = [
        tuple(printable(cell) if isinstance(cell, str) else cell for cell in row)
        for row in table.rows
    ]
    columns = tuple(replace(column, header=printable(column.header)) for column in table.columns)
    return Table(printable(table.title), columns, rows)
