"""What the columns of a file look like, from a sample of its rows."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from bcompare.data.direction import is_loss
from bcompare.data.rope import FloatArray
from bcompare.data.vocabulary import METRICS, is_about, likeness, words_of
from bcompare.files.cells import MARKERS, TRUTH, number_in

FEW = 400
"""The most classifiers, and data sets, to look for in one column."""
LONG_TEXT = 60
NAMING = ("dataset", "classifier", "fold", "item", "metric")
"""Roles of names; a column that has the name of one has no other, unless it has that name, too."""
SENTENCE = 6
"""As many words make a sentence, not a name."""
_DATE = re.compile(r"\d{4}-\d\d?-\d\d?([T ].*)?|\d\d?[./]\d\d?[./]\d{2,4}.*|\d\d?:\d\d(:\d\d.*)?")
TESTED, _TRAINED = {"test", "testing", "eval"}, {"train", "training"}


def is_key(name: str) -> bool:
    """Return whether a column has the usual name of what tells scores apart."""
    return any(likeness(role, name) > 2 for role in ("dataset", "fold", "item", "key", "epoch"))


@dataclass(frozen=True, eq=False)
class Column:
    """A column of the sample. cells : without surrounding blanks; decimal marks are points."""

    name: str
    cells: tuple[str, ...]

    @cached_property
    def filled(self) -> tuple[str, ...]:
        """The cells that are not marked as missing."""
        return tuple(cell for cell in self.cells if cell.casefold() not in MARKERS)

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

    def as_score(self) -> float:
        """Return how likely the column holds the scores; 0 if it cannot."""
        if not self.may_be_scores or len(self.distinct) == 1:
            return 0.0
        words = {*words_of(self.name)}
        if self.name.isdecimal():
            return 0.05
        known = likeness("score", self.name) or 2.6 * (not METRICS.isdisjoint(words))
        if not known and is_loss(self.name):
            known = 1.6
        if not known:
            fractions = self.numbers.min() >= 0 and self.numbers.max() <= 1
            known = 1.2 if fractions else 1.0 if not self.is_whole else 0.4
            if is_about(self.name) or is_key(self.name):
                known = 0.1
        tested = 0.4 * (not TESTED.isdisjoint(words)) + 0.3 * ("val" in words)
        return max(known + tested - 1.5 * (not _TRAINED.isdisjoint(words)), 0.05)

    def as_names_of(self, role: str) -> float:
        """Return how likely the column names classifiers or data sets; 0 if it cannot."""
        known = likeness(role, self.name)
        if self.is_date or not self.filled or len(self.distinct) > FEW:
            return 0.0
        if known:
            return known if self.is_name or known > 3 or self.is_whole else 0.3
        others = any(likeness(o, self.name) for o in NAMING if o != role)
        is_other = others or is_about(self.name) or not self.is_name
        return 0.0 if is_other or len(self.distinct) == 1 else 0.6


def columns_of(header: Sequence[str], rows: Sequence[Sequence[str]]) -> list[Column]:
    """Return the columns of a sample; a row has a cell for each."""
    cells = zip(*rows, strict=True) if rows else [()] * len(header)
    return [Column(name, tuple(column)) for name, column in zip(header, cells, strict=True)]
