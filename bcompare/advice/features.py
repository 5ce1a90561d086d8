"""What the columns of a file look like, from a sample of its rows; series of numbered columns."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bcompare.columns.direction import is_loss
from bcompare.columns.vocabulary import (
    METRICS,
    USUAL_FOLDS,
    USUAL_NAMES,
    plain,
    words_of,
)
from bcompare.data.rope import FloatArray
from bcompare.files.cells import MARKERS, TRUTH, number_in

# A larger share of numbers leaves only words for what is missing, such as OOM.
MOSTLY = 0.8
LONG_TEXT = 60
# As many words make a sentence, not a name.
SENTENCE = 6
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?([T ].*)?|\d\d?[./]\d\d?[./]\d{2,4}.*|\d\d?:\d\d(:\d\d.*)?")


@dataclass(frozen=True, eq=False)
class FileColumn:
    """A column of the sample. cells : without surrounding blanks; decimal marks are points."""

    name: str
    cells: tuple[str, ...]

    @cached_property
    def filled(self) -> tuple[str, ...]:
        """The cells that do not stand for a missing value, as rare words among numbers do."""
        filled = tuple(cell for cell in self.cells if cell.casefold() not in MARKERS)
        numbers = tuple(filter(number_in, filled))
        return numbers if len(numbers) > MOSTLY * len(filled) else filled

    @cached_property
    def markers(self) -> tuple[str, ...]:
        """The texts that mark missing cells."""
        return tuple(dict.fromkeys(c for c in self.cells if c.casefold() in MARKERS))

    @cached_property
    def distinct(self) -> tuple[str, ...]:
        """The different cells that are not missing."""
        return tuple(dict.fromkeys(self.filled))

    @cached_property
    def numbers(self) -> FloatArray:
        """The numbers in the filled cells; NaN where there is none."""
        known: dict[str, float] = {}
        for cell in self.distinct:
            written = number_in(cell)
            known[cell] = written.number if written else TRUTH.get(cell.casefold(), np.nan)
        return np.array([known[cell] for cell in self.filled])

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

    @cached_property
    def is_date(self) -> bool:
        """Whether the cells are dates or times."""
        return len(self.filled) > 0 and all(map(_DATE.fullmatch, self.distinct[:20]))

    @cached_property
    def is_counting(self) -> bool:
        """Whether these are whole numbers that only rise, or are all different and many."""
        if not self.is_whole or len(self.numbers) < 4:
            return False
        rising = bool((np.diff(self.numbers) > 0).all())
        return rising or (len(self.distinct) == len(self.filled) >= 20)

    @cached_property
    def may_be_scores(self) -> bool:
        """Whether the cells may be scores: numbers, but no IDs or dates."""
        return self.is_number and not self.is_counting and not self.is_date

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


def columns_of(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[FileColumn]:
    """Return the columns of a sample; a row has a cell for each."""
    cells = zip(*rows, strict=True) if rows else [()] * len(header)
    return [FileColumn(name, tuple(column)) for name, column in zip(header, cells, strict=True)]


ITEM_WORDS = {"q", *USUAL_NAMES["item"]}
_FOLD_WORDS, _RUN_WORDS = "cv|folds?|splits?", "seed|run|iter|iteration|itr|rep|trial|resample|exp"
_BEFORE_NUMBER = re.compile(
    rf"(.*?)((?:(?:^|[-_. /:]+)(?:{_FOLD_WORDS}|{_RUN_WORDS}))?[-_. /:]*)", re.IGNORECASE
)
LONGEST = 200  # the most characters of a header to examine


@dataclass(frozen=True)
class Numbered:
    """Columns of scores that differ in a running number.

    columns : their names. all : these, and others with as many numbers. before, after : the
    expression around the number, which may have a group of classifiers. word : the word before the
    number, such as cv, or "". many : the count of numbers.
    """

    columns: list[str]
    all: set[str]
    before: str
    after: str
    word: str
    many: int

    def expression(self, role: str) -> str:
        """Return an expression for the columns that takes the number for a role.

        Data sets are called by the whole name.
        """
        if role == "dataset":
            return rf"(?P<dataset>{self.before}\d+{self.after})"
        return rf"{self.before}(?P<{role}>\d+){self.after}"

    @property
    def counted(self) -> list[tuple[str, float | None]]:
        """What the numbers may count, the likelier first: the group, and ρ if it is known."""
        folds, seeds, anew = ("fold", None), ("seed", None), ("fold", 0.1)
        if re.fullmatch(_RUN_WORDS, self.word):
            return [seeds, anew, folds]
        if plain(self.before) in ITEM_WORDS:
            return [("item", None)]
        usual = self.word or self.many in USUAL_FOLDS
        return [folds, seeds, anew] if usual else [anew, seeds]


def find_numbered(header: Sequence[str], *, named: bool = False) -> Numbered | None:
    """Return the largest set of columns whose names differ in a number counting from 0 or 1.

    named : whether the names of the classifiers are elsewhere.
    """
    templates: dict[tuple[str, str], dict[int, str]] = {}
    for name in (name for name in header if len(name) <= LONGEST):
        for number in re.finditer(r"\d+", name, re.ASCII):
            around = (name[: number.start()], name[number.end() :])
            templates.setdefault(around, {})[int(number[0][:9])] = name
    running = {
        around: numbers
        for around, numbers in templates.items()
        if _runs_on(numbers, around[0]) and not re.search("train|time|rank", "".join(around))
    }
    if not running:
        return None
    count = max(map(len, running.values()))
    alike = [around for around, numbers in running.items() if len(numbers) == count]
    names, endings = zip(*(_taken_apart(before) for before, _ in alike), strict=True)
    afters = [after for _, after in alike]
    grouped = not (named or ITEM_WORDS.issuperset(map(plain, names)))
    if grouped and len({*endings}) == len({*afters}) == 1 and all(names):
        classifier = r"(?P<classifier>.+)" if endings[0] else r"(?P<classifier>.*\D)"
        before, after = f"{classifier}{literal(endings[0])}", literal(afters[0])
    elif (
        grouped
        and len({*names, *endings}) <= 2
        and len(alike) > 1
        and {"test", "score", *METRICS}.isdisjoint(words_of(" ".join(afters)))
    ):
        before, after = literal(names[0] + endings[0]), r"(?P<classifier>\D.*)"
    else:
        best = min(alike, key=lambda around: is_loss("".join(around)))
        before, after = map(literal, best)
    return Numbered(
        columns=[name for name in header if re.fullmatch(rf"{before}\d+{after}", name)],
        all={name for around in alike for name in running[around].values()},
        before=before,
        after=after,
        word=re.sub(r"[^a-z]", "", endings[0].casefold()),
        many=count,
    )


def _runs_on(numbers: Collection[int], before: str) -> bool:
    """Return whether numbers count from 0 or 1: at least 3 after a known word, else 5."""
    least = 3 if _taken_apart(before)[1].strip("-_. /:") else 5
    start = min(numbers)
    return len(numbers) >= least and start < 2 and max(numbers) - start == len(numbers) - 1


def _taken_apart(before: str) -> tuple[str, str]:
    """Split the text before a number into a name, and the separators and known word after it."""
    matched = _BEFORE_NUMBER.fullmatch(before)
    return (matched[1], matched[2]) if matched else (before, "")


def literal(text: str) -> str:
    """Escape text for a regular expression, without superfluous backslashes."""
    return re.sub(r"([\\.^$*+?{}\[\]|()])", r"\\\1", text)
