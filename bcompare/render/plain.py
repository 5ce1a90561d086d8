"""A report as lines: for files and pipes at full width, in a terminal within its own."""

from collections.abc import Callable, Collection, Iterator, Sequence
from itertools import starmap

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from bcompare.basis.messages import ON_THE_RULE, InputError, as_options
from bcompare.report.pair_report import WHAT_TO_DO, Report
from bcompare.report.table import PIECE, Table, pieces

# Blanks between columns; one if two would make the table too wide.
GAPS = (2, 1)

# The cells of a line, each padded to its column's width, with the gap before it.
Line = tuple[str, ...]


def laid_out(table: Table, width: int | None = None) -> list[tuple[Collection[int], Line]]:
    """Return the lines of a table, header and rule first, with the cells to emphasise.

    width : of the terminal. None, or a table that cannot fit, gives one line for each row.
    """
    rows = list(table.texts())
    header = [column.header for column in table.columns]
    cells = list(zip(header, *(row for row, _ in rows), strict=True))
    numeric = [column.is_numeric for column in table.columns]
    widths = [max(map(cell_len, column)) for column in cells]
    gap = GAPS[0]
    if width is not None:
        widths, gap = _narrowed(cells, numeric, widths, width)
    rule = tuple("─" * column for column in widths)
    above = _row(header, numeric, widths, is_header=True)
    lines: list[tuple[Collection[int], Line]] = [((), _joined(line, " ", gap)) for line in above]
    lines.append(((), _joined(rule, "─", gap)))
    for row, strong in rows:
        lines += [(strong, _joined(line, " ", gap)) for line in _row(row, numeric, widths)]
    return lines


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
    least = []
    for column, is_numeric in zip(cells, numeric, strict=True):
        header, *values = column
        words = [*pieces(header)]
        for cell in values:
            words += [cell] if is_numeric else pieces(cell)
        least.append(max(map(cell_len, words)))
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


def _row(
    cells: Sequence[str], numeric: Sequence[bool], widths: Sequence[int], *, is_header: bool = False
) -> Iterator[Line]:
    """Return the lines of a row; headers are aligned at the bottom, other cells at the top."""
    broken = [_broken(cell, width) for cell, width in zip(cells, widths, strict=True)]
    height = max(map(len, broken))
    padded = []
    for i, lines in enumerate(broken):
        blank = [""] * (height - len(lines))
        whole = blank + lines if is_header else lines + blank
        padded.append([_aligned(part, widths[i], to_right=numeric[i]) for part in whole])
    yield from zip(*padded, strict=True)


def _aligned(part: str, width: int, *, to_right: bool) -> str:
    """Return a line of a cell with spaces on one side."""
    spaces = " " * (width - cell_len(part))
    return spaces + part if to_right else part + spaces


def _broken(cell: str, width: int) -> list[str]:
    """Return a cell broken into as few lines as possible."""
    if cell_len(cell) <= width:
        return [cell]
    lines = [""]
    for piece in PIECE.findall(cell):
        if cell_len((lines[-1] + piece).rstrip()) <= width:
            lines[-1] += piece
        else:
            lines.append(piece)
    return [line.rstrip() for line in lines if line.strip()]


def render(report: Report) -> str:
    """Return the report as plain text, with no name wrapped or cut."""
    return "".join(f"{line.plain}\n" for line in lines_of(report))


def render_sentences(report: Report) -> str:
    """Return methods and results in sentences, to paste into a paper.

    Raises
    ------
    InputError : the report is of something else than comparisons or a family.
    """
    if not (paper := report.paper()):
        raise InputError("the format sentence is for rank, and for the tests with one rope")
    return f"{paper}\n"


def print_report(report: Report, console: Console) -> None:
    """Print a report, with the largest probability in bold; lines of tables are never cut."""
    for line in lines_of(report, console.width, as_options):
        console.print(line, soft_wrap=bool(line.no_wrap))


def lines_of(
    report: Report, width: int | None = None, spell: Callable[[str], str] = str
) -> Iterator[Text]:
    """Yield the lines of a report, with their styles; text, unlike tables, may be wrapped.

    width : of the terminal; None for full width. spell : how to write the arguments in messages.
    """

    def text(line: str, style: str = "") -> Text:
        return Text(spell(line), style)

    said = [text(note.line) for note in report.notes if note.code in ON_THE_RULE]
    if report.brief:
        yield Text(spell(report.brief), no_wrap=True)
        yield from said
        return
    if width:
        report = report.fitted(width)
    tables: list[list[Text]] = []
    for table in report.tables:
        lines = laid_out(table if width else table.starred(), width)
        tables.append([text(table.title, "bold"), *starmap(_line, lines)])
    if not tables:
        tables.append([])
    reading = report.reading if width or report.detailed else ""
    if reading:
        tables[report.explained[0]].append(text(reading))
    lead = [text(line, "bold") for line in report.lead]
    words = [text(line) for line in report.sentences]
    if report.next_step:
        words.append(text(f"{WHAT_TO_DO} {report.next_step}"))
    words += [*map(text, report.hints), *said]
    blocks = [block for block in (lead, tables[0], words, *tables[1:]) if block]
    for i, block in enumerate(blocks):
        yield from block
        # one blank line less keeps short answers compact
        if i < len(blocks) - 1 or len(tables) > 1 or not reading:
            yield Text()
    yield text(report.settings, "dim")


def _line(strong: Collection[int], cells: Line) -> Text:
    """Return a line of a table; if the table cannot fit, the terminal wraps it."""
    line = Text(no_wrap=True)
    for i, cell in enumerate(cells):
        line.append(cell, "bold" if i in strong else None)
    line.rstrip()
    return line
