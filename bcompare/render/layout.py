"""Layout of tables as lines of text, at full width or within a given one.

If a table is too wide, first headers are broken between words, then names after a blank, a hyphen
or an underscore, never elsewhere.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from rich.cells import cell_len

from bcompare.report.table import Table

# Blanks between columns; one if two would make the table too wide.
GAPS = (2, 1)

# The pieces of a name: each ends with the character after which it may be broken.
_PIECE = re.compile(r"[^\s_\-]*[\s_\-]*")

Line = tuple[str, ...]
"""The cells of a line, each padded to its column's width, with the gap before it."""


def laid_out(table: Table, width: int | None = None) -> list[tuple[Collection[int], Line]]:
    """Return the lines of a table, header and rule first, with the cells to emphasise.

    width : of the terminal. None, or a table that cannot fit, gives one line for each row.
    """
    rows = list(table.texts())
    header = [column.header for column in table.columns]
    cells = list(zip(header, *(row for row, _ in rows), strict=True))
    numeric = [column.is_numeric for column in table.columns]
    widths, gap = [max(map(cell_len, column)) for column in cells], GAPS[0]
    if width is not None:
        widths, gap = _narrowed(cells, numeric, widths, width)
    rule = tuple("─" * column for column in widths)
    return [
        *(((), _joined(line, " ", gap)) for line in _row(header, numeric, widths, is_header=True)),
        ((), _joined(rule, "─", gap)),
        *(
            (strong, _joined(line, " ", gap))
            for row, strong in rows
            for line in _row(row, numeric, widths)
        ),
    ]


def _joined(line: Line, filler: str, gap: int) -> Line:
    first, *others = line
    return (" " + first, *(filler * gap + cell for cell in others))


def _narrowed(
    cells: Sequence[Sequence[str]], numeric: Sequence[bool], widths: list[int], width: int
) -> tuple[list[int], int]:
    """Return widths of the columns, and a gap, that fit; unchanged if that is impossible."""
    rooms = {gap: width - 1 - gap * (len(widths) - 1) for gap in GAPS}
    if sum(widths) <= rooms[GAPS[0]]:
        return widths, GAPS[0]
    least = [
        max(
            cell_len(piece)
            for i, cell in enumerate(column)
            for piece in (_pieces(cell) if i == 0 or not is_numeric else [cell])
        )
        for column, is_numeric in zip(cells, numeric, strict=True)
    ]
    gap = next((gap for gap in GAPS if sum(least) <= rooms[gap]), None)
    if gap is None:
        return widths, GAPS[0]
    # first headers of figures, then names; one character at a time, the widest column first
    for numbers in (True, False):
        while sum(widths) > rooms[gap]:
            wide = [
                i
                for i, is_numeric in enumerate(numeric)
                if is_numeric is numbers and widths[i] > least[i]
            ]
            if not wide:
                break
            widths[max(wide, key=widths.__getitem__)] -= 1
    return widths, gap


def _pieces(cell: str) -> list[str]:
    return [piece.rstrip() for piece in _PIECE.findall(cell)] or [""]


def _row(
    cells: Sequence[str], numeric: Sequence[bool], widths: Sequence[int], *, is_header: bool = False
) -> Iterator[Line]:
    """Return the lines of a row; headers are aligned at the bottom, other cells at the top."""
    broken = [_broken(cell, width) for cell, width in zip(cells, widths, strict=True)]
    height = max(map(len, broken))
    padded = [
        [""] * (height - len(lines)) + lines if is_header else lines + [""] * (height - len(lines))
        for lines in broken
    ]
    for parts in zip(*padded, strict=True):
        yield tuple(
            " " * (width - cell_len(part)) + part
            if is_numeric
            else part + " " * (width - cell_len(part))
            for part, is_numeric, width in zip(parts, numeric, widths, strict=True)
        )


def _broken(cell: str, width: int) -> list[str]:
    """Return a cell broken into as few lines as possible."""
    if cell_len(cell) <= width:
        return [cell]
    lines = [""]
    for piece in _PIECE.findall(cell):
        if cell_len((lines[-1] + piece).rstrip()) <= width:
            lines[-1] += piece
        else:
            lines.append(piece)
    return [line.rstrip() for line in lines if line.strip()]
