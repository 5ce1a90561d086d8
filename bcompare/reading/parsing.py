"""Read the cells of a table as names and numbers, and collect what is wrong with them."""

import math
import re
from collections import Counter
from collections.abc import Mapping

import numpy as np
from numpy.typing import NDArray

from bcompare.basis.messages import Note, arg, number_of
from bcompare.data.rope import FloatArray
from bcompare.files.cells import DECIMAL_COMMA, NUMBER, TIMED_OUT, TRUTH, number_in
from bcompare.files.problems import SAVE_AS_UTF8, Problems, clipped, quoted
from bcompare.files.tables import CellTable, Coded, located
from bcompare.reading.header import Layout

FILL_NAME = "every row needs a name there"
PERCENTAGES = "percentages"

# How scores may be written, besides in per cent.
NUMBERS = "numbers"
TRUTH_VALUES = "true or false"
WRITE_TRUTH = "write all scores alike, as numbers: 1 for true and 0 for false"
# The problem and the remedy of a cell that is not a number, by the first pattern that fits.
_NOT_NUMBERS = (
    (
        "",
        "empty",
        (
            f"fill it in, or say {arg('failed', 'worst')} or {arg('failed', 'SCORE')} to count it "
            f"as that score, or {arg('na_values', [''])} to count empty scores as missing"
        ),
    ),
    (
        "|".join(TIMED_OUT),
        "is a trial that ran out of time",
        (
            f"say {arg('failed', 'worst')} or {arg('failed', 'SCORE')} to count it as that score, "
            f"or name that text with {arg('na_values')} to count it as missing"
        ),
    ),
    (
        r"(?i:[+-]?nan|#?n/?a|null|none|missing|\?|-+|\.)",
        "is no score",
        f"fill it in, or name that text with {arg('na_values')} to count such scores as missing",
    ),
    (
        rf"(?i:[+-]?inf(?:inity)?|{NUMBER.pattern})",
        "is not a finite number",
        "correct it or delete the row",
    ),
    (
        r"[+-]?[1-9]\d{0,2}(?:,\d{3})+",
        "has a comma",
        f"leave it out of thousands; if it is a decimal comma, say {arg('decimal', ',')}",
    ),
    (
        DECIMAL_COMMA.pattern,
        "has a decimal comma",
        f"write it with a point, or say {arg('decimal', ',')} if commas are right everywhere",
    ),
    (
        rf"(?s:[*_$\s]*{NUMBER.pattern}\s*[*†‡§±(\[$^_↑↓\\].*|\\\w+\{{.*)",
        "has more than a number",
        "write the number alone",
    ),
    (
        "(?i:pass(ed)?|fail(ed)?|yes|no|(in)?correct|right|wrong)",
        "is a word",
        (
            f"write 1 for right and 0 for wrong; if it marks failed trials, name it with "
            f"{arg('na_values')}, and say by {arg('failed')} how they count"
        ),
    ),
    (r"(?s:\{.*\})", "holds several values", "give one of them a column of its own"),
    (
        "(?s:.*)",
        "is not a number",
        (
            f"correct it, count it as missing by {arg('na_values')}, "
            f"or name another {arg('score_col')}"
        ),
    ),
)

_HUNDREDS = re.compile(r"[1-9]\d\d")
_THOUSANDS = re.compile(r"[1-9]\d{0,2}\.\d{3}")
_UNDECODED = re.compile("[\udc80-\udcff]")
_SWAPPED_MARKS = str.maketrans(".,", ",.")


class CellReader:
    """Reads single cells and collects their problems.

    wrong : the row and column of the first cell of each problem, its text, the advice, and how many
        cells have it.
    more : problems of whole columns.
    kinds : how the numbers of each column are written.
    marked : how often each cell with more than a number occurs.
    """

    def __init__(self, table: CellTable, layout: Layout) -> None:
        self.table, self.layout = table, layout
        self.wrong: list[tuple[int, int, str, str, int]] = []
        self.more = Problems()
        self.marked: Counter[str] = Counter()
        self.kinds = dict.fromkeys(layout.scores, NUMBERS)

    @property
    def written(self) -> frozenset[str]:
        """How the scores are written."""
        return frozenset(self.kinds[column] for column in self.layout.scores) - {""}

    def check_names(self, column: int, names: Coded) -> NDArray[np.bool_]:
        """Return the rows whose name can be read."""
        readable = np.ones(len(names), dtype=np.bool_)
        for name in names.names:
            wrong = self._wrong(name, column)
            if wrong is not None:
                those = names.which(name.__eq__)
                self.wrong.append((int(those.argmax()), column, *wrong, int(those.sum())))
                readable &= ~those
        return readable

    def _wrong(self, name: str, column: int) -> tuple[str, str] | None:
        """Return the problem and the remedy of a name, if there is one."""
        undecoded = _UNDECODED.search(name)
        if undecoded:
            return f"byte 0x{ord(undecoded[0]) - 0xDC00:02x} is not UTF-8 text", SAVE_AS_UTF8
        if "\0" in name:
            return "a NUL byte", "the file is damaged or not text: export it again as CSV"
        return None if name or column not in self.layout.filled else ("empty", FILL_NAME)

    def numbers(self, column: int, texts: Coded, left_out: NDArray[np.bool_]) -> FloatArray:
        """Return the numbers in cells; NaN if they are missing, infinite if they cannot be read.

        left_out : the rows that sum up others, such as by wins/ties/losses, and may be no numbers.
        """
        numbers = np.full(len(texts.names), np.nan)
        wrong: dict[int, tuple[str, str]] = {}
        marked: list[int] = []
        plain: dict[str, str] = {}  # number with a decimal point → its cell
        usual = ""  # the kind of the first number
        for i, cell in enumerate(texts.names):
            text = cell.strip()
            if text in self.layout.na:
                continue
            if text in self.layout.grades:
                numbers[i] = self.layout.grades[text]
                continue
            decimal = text.translate(_SWAPPED_MARKS) if self.table.decimal == "," else text
            written = number_in(decimal)
            number = written.number if written else TRUTH.get(text.casefold(), math.inf)
            kind = TRUTH_VALUES
            if written is not None:
                kind = PERCENTAGES if written.percent else NUMBERS
            numbers[i] = math.inf
            if not math.isfinite(number):
                wrong[i] = not_a_number(text, self.table.decimal)
            elif kind != (usual := usual or kind):
                wrong[i] = f"{quoted(text)} among scores that are {usual}", _alike(kind, usual)
            else:
                is_share = kind == PERCENTAGES and not self.layout.percent
                numbers[i] = number / 100 if is_share else number
                plain[decimal] = text
                marked += [i] if written and written.more else []
        self.kinds[column] = usual
        seen = {*np.unique(texts.codes[~left_out]).tolist()} if wrong else set()
        numbers[[*(wrong.keys() - seen)]] = np.nan
        if wrong or marked:
            _, first, counts = np.unique(texts.codes, return_index=True, return_counts=True)
            for i in wrong.keys() & seen:
                self.wrong.append((int(first[i]), column, *wrong[i], int(counts[i])))
            self.marked.update({texts.names[i]: int(counts[i]) for i in marked})
        self._check_thousands(column, plain)
        return np.asarray(numbers[texts.codes])

    def _check_thousands(self, column: int, cells: Mapping[str, str]) -> None:
        """Refuse numbers such as 1.017 beside 973, whose mark may separate thousands."""
        marked = [number for number in cells if "." in number]
        if (
            marked
            and all(map(_THOUSANDS.fullmatch, marked))
            and any(map(_HUNDREDS.fullmatch, cells))
        ):
            self.more.add(
                f"{self.table.title}, column {clipped(self.table.header[column])}: "
                f"{quoted(cells[marked[0]])} next to numbers such as 973",
                "does its mark separate thousands? Leave it out; if not, write all numbers with "
                "decimals, such as 973.000",
            )

    def report(self, row: NDArray[np.int64], of_rows: Problems) -> Problems:
        """Return all problems with their places; row : the rows of the table that were read."""
        problems = Problems().include(of_rows)
        cells = sorted(self.wrong, key=lambda cell: cell[0])
        firsts = {advice: first for first, _, _, advice, _ in reversed(cells)}
        rows = {advice: int(row[first]) for advice, first in firsts.items()}
        places = located(self.table.find, [*rows.values()]) if rows else {}
        for _, column, what, advice, count in cells:
            where = f"{places[rows[advice]][0]}, column {clipped(self.table.header[column])}"
            problems.add(f"{where}: {what}", advice, count)
        return problems.include(self.more)

    def notes(self) -> tuple[Note, ...]:
        """Say that of some cells only the number is used."""
        if not self.marked:
            return ()
        message = (
            f"{self.table.title}: {number_of(self.marked.total(), 'score')} with more than a "
            f"number, such as {quoted(next(iter(self.marked)))}: only the number is used"
        )
        return (Note("marks", "info", message),)


def _alike(*kinds: str) -> str:
    """Return how to make numbers of several kinds alike."""
    if PERCENTAGES in kinds:
        return "write all scores alike: with a percent sign, or without one"
    return WRITE_TRUTH


def not_a_number(text: str, decimal: str = ".") -> tuple[str, str]:
    """Return the problem and the remedy of a cell without a finite number."""
    if decimal == "," and "." in text and NUMBER.fullmatch(text):
        what = "has a decimal point among decimal commas"
        advice = (
            f"write it with a comma, or say {arg('decimal', '.')} if points are right everywhere"
        )
    else:
        what, advice = next(
            words for pattern, *words in _NOT_NUMBERS if re.fullmatch(pattern, text, re.ASCII)
        )
    return f"{quoted(text)} {what}" if text else what, advice
