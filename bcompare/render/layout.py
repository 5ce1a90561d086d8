"""Tables as lines of text: as wide as they need to be, or within a width.

Where a table is too wide its headers are broken between words first, then names after a blank,
a hyphen or an underscore, and never elsewhere.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from rich.cells import cell_len

from bcompare.report.table import Table

# Blanks between columns; one where two would make a table too wide.
GAPS = (2, 1)

# What a name may be broken into: it stays with the character that it is broken after.
_PIECE = re.compile(r"[^\s_\-]*[\s_\-]*")

Line = tuple[str, ...]
"""A cell a column, each as wide as its column, with the gap before it."""


def laid_out(table: Table, width: int | None = None) -> list[tuple[Collection[int], Line]]:
    """Return the lines of a table, header and rule first, each with its cells to emphasise.

    `width` is that of a terminal; None, or a table that cannot be made to fit, gives one line a
    row.
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
    """The widths of the columns and the gap between them that fit, or those they had."""
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
    # figures' headers are broken first, then names; a character at a time, from the widest
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
    """The lines of a row; a header's words stand on the rule, a row's at its top."""
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
    """The cell in as few lines as fit."""
    if cell_len(cell) <= width:
        return [cell]
    lines = [""]
    for piece in _PIECE.findall(cell):
        if cell_len((lines[-1] + piece).rstrip()) <= width:
            lines[-1] += piece
        else:
            lines.append(piece)
    return [line.rstrip() for line in lines if line.strip()]
