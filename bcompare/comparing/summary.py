"""Summary of a stream of comparisons: counts, notes, and the few pairs that a table shows."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from operator import itemgetter

import numpy as np

from bcompare.basis.errors import BcompareError
from bcompare.basis.notes import Note, likewise
from bcompare.comparing.answers import Chunk, Comparison, Placed
from bcompare.data.pairs import Pair
from bcompare.data.rope import FloatArray
from bcompare.methods.base import ErrorEstimate, PopulationResult

# The most pairs in a table by default, and the most pairs that a note names.
TOP = 30
NAMED = 3


@dataclass(frozen=True, slots=True)
class Selection:
    """The choice of pairs for a table.

    top : the most pairs to show; 0 for all. If not all fit, decided pairs are preferred.
    """

    top: int = TOP

    def best(self, candidates: Iterable[Placed], total: int) -> list[Placed]:
        """Select the pairs to show from those computed so far, of `total` in all."""
        kept = sorted(candidates, key=itemgetter(0))
        if self.top == 0 or total <= self.top:
            return kept
        kept.sort(key=lambda placed: _by_decision(placed[1]))  # ties stay in the file's order
        return kept[: self.top]


EVERYTHING = Selection(top=0)


def _by_decision(comparison: Comparison) -> tuple[float, ...]:
    p = comparison.probabilities
    if p is None:
        return (-sum(decision != "none" for decision in comparison.dataset_decisions),)
    return (float(comparison.decision == "none"), -max(p))


@dataclass(slots=True)
class Tally:
    """Counts over all pairs, updated chunk by chunk.

    pairs : the number computed. decisions : over all data sets. crossed : for tests that answer per
    data set, the number of data sets by decision and by whether the p-value is at most alpha.
    beaten : classifiers practically beaten by another one. failures, apart : the first few pairs
    that could not be computed, or that share no data set; n_… : their number. notes : by code, the
    first pairs, their number, and whether all texts are equal. used : data sets of any pair.
    error : the largest. p_values : one for each pair, if pairs have one.
    """

    alpha: float = 0.05
    pairs: int = 0
    decisions: Counter[str] = field(default_factory=Counter)
    crossed: Counter[tuple[bool, str]] = field(default_factory=Counter)
    beaten: set[str] = field(default_factory=set)
    failures: list[tuple[Pair, BcompareError]] = field(default_factory=list)
    apart: list[Pair] = field(default_factory=list)
    n_apart: int = 0
    notes: dict[str, "Noted"] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    error: ErrorEstimate | None = None
    p_values: list[tuple[int, FloatArray]] = field(default_factory=list)

    def add(self, chunk: Chunk) -> None:
        """Count a chunk's pairs."""
        self.failures += chunk.errors
        self.n_apart += len(chunk.apart)
        self.apart += chunk.apart[: max(0, 10 - len(self.apart))]
        of_pairs = np.full(len(chunk.task.pairs), np.nan)
        seen: tuple[str, ...] | None = None
        for i, comparison in chunk.placed:
            self.pairs += 1
            self._decide(comparison)
            names = comparison.differences.statistics.names
            if names is not seen:  # most pairs share the same tuple
                self.used.update(names)
                seen = names
            for note in comparison.result.notes:
                self._add_note(Noted(note, [f"{comparison.left} – {comparison.right}"], 1))
            if len(comparison.p_values) == 1:
                of_pairs[i] = comparison.p_values[0]
        self.p_values.append((chunk.task.start, of_pairs))

    def _decide(self, comparison: Comparison) -> None:
        result = comparison.result
        if isinstance(result, PopulationResult):
            self._raise_error(result.error)
        if comparison.decision is None or not isinstance(result, PopulationResult):
            small = (comparison.p_values <= self.alpha).tolist()
            self.crossed.update(zip(small, comparison.dataset_decisions, strict=True))
        if comparison.decision is not None:
            self.decisions[comparison.decision] += 1
            if comparison.decision in ("left", "right"):
                lost = "right" if comparison.decision == "left" else "left"
                self.beaten.add(getattr(comparison, lost))

    def _raise_error(self, error: ErrorEstimate | None) -> None:
        if error is not None and (self.error is None or error.value > self.error.value):
            self.error = error

    def _add_note(self, noted: "Noted") -> None:
        self.notes.setdefault(noted.first.code, Noted(noted.first)).merge(noted)

    def merge(self, other: "Tally") -> None:
        """Add the counts of later pairs, computed elsewhere."""
        self.pairs += other.pairs
        self.decisions += other.decisions
        self.crossed += other.crossed
        self.beaten |= other.beaten
        self.failures += other.failures
        self.n_apart += other.n_apart
        self.apart = (self.apart + other.apart)[:10]
        for noted in other.notes.values():
            self._add_note(noted)
        self.used |= other.used
        self._raise_error(other.error)
        self.p_values += other.p_values

    def all_p_values(self, total: int) -> FloatArray:
        """Return the (total,) p-values of the pairs; NaN if missing."""
        p_values = np.full(total, np.nan)
        for start, values in self.p_values:
            p_values[start : start + len(values)] = values
        return p_values

    def gathered(self) -> list[Note]:
        """Yield the notes of all pairs, each code once, with the first pairs that have it."""
        return [noted.gathered(self.pairs) for noted in self.notes.values()]


@dataclass(slots=True)
class Noted:
    """The pairs with a note of one code."""

    first: Note
    named: list[str] = field(default_factory=list)
    count: int = 0
    same: bool = True

    def merge(self, other: "Noted") -> None:
        """Add further pairs with the note."""
        self.same &= other.same and other.first.text == self.first.text
        self.count += other.count
        self.named = (self.named + other.named)[:NAMED]

    def gathered(self, pairs: int) -> Note:
        """Return the note; unless all pairs share it, with the names of those that do."""
        if self.same and self.count == pairs:
            return self.first
        return replace(self.first, text=likewise(self.first.text, self.named, self.count))
