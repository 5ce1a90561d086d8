"""A method applied to all chosen pairs: the pairs of a table, and counts over all of them."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from operator import itemgetter
from typing import Any

import numpy as np

from bcompare.basis.notes import Note, likewise, number_of
from bcompare.basis.showable import Showable
from bcompare.comparing.answers import Batch, Comparison, Failure
from bcompare.comparing.decision import Rule
from bcompare.data.pairs import Pair
from bcompare.data.rope import FloatArray, Rope
from bcompare.data.scores import Scores
from bcompare.methods.base import Method
from bcompare.methods.values import ErrorEstimate

# The most pairs in a table by default, and the most pairs that a note names.
TOP = 30
NAMED = 3

Placed = tuple[int, Comparison]
"""A comparison with its position among all pairs."""


def select(candidates: Iterable[Placed], top: int, total: int) -> list[Placed]:
    """Select the pairs to show from those computed so far, in the order of the file.

    If not all fit, decided pairs come first.

    top : the most pairs to show; 0 for all. total : the number of chosen pairs.
    """
    kept = sorted(candidates, key=itemgetter(0))
    if top == 0 or total <= top:
        return kept
    kept.sort(key=lambda placed: _by_decision(placed[1]))  # ties stay in the file's order
    return kept[:top]


def _by_decision(comparison: Comparison) -> tuple[float, ...]:
    p = comparison.probabilities
    if p is None:
        return (-sum(decision != "none" for decision in comparison.dataset_decisions),)
    return (float(comparison.decision == "none"), -max(p))


@dataclass(slots=True)
class Tally:
    """What stays of pairs: counts, and the pairs to show; updated task by task.

    asked : the number of pairs. pairs : the number computed. decisions : over all data sets.
    crossed : the number of answers by decision and by whether the p-value is at most alpha.
    beaten : classifiers practically beaten by another one. failures, apart : the first few pairs
    that could not be computed, or that share no data set; n_… : their number. notes : by code, the
    first pairs, their number, and whether all texts are equal. used : data sets of any pair.
    error : the largest. p_values : one for each pair, task by task; NaN if a pair has none.
    shown : the pairs that may be shown. kept : of a single task, what the sink takes of it.
    """

    alpha: float = 0.05
    asked: int = 0
    pairs: int = 0
    decisions: Counter[str] = field(default_factory=Counter)
    crossed: Counter[tuple[bool, str]] = field(default_factory=Counter)
    beaten: set[str] = field(default_factory=set)
    failures: list[Failure] = field(default_factory=list)
    apart: list[Pair] = field(default_factory=list)
    n_apart: int = 0
    notes: dict[str, "Noted"] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    error: ErrorEstimate | None = None
    p_values: list[FloatArray] = field(default_factory=list)
    shown: list[Placed] = field(default_factory=list)
    kept: Any = None

    def add(self, batch: Batch) -> None:
        """Count the comparisons of a task."""
        self.pairs += len(batch.at)
        self.used.update(batch.differences.paired.names[batch.shared.any(axis=0)])
        for part in batch.parts:
            self._raise_error(part.result.error)
        decisions = [decision for part in batch.parts for decision in part.decisions]
        p_values = np.concatenate([np.empty(0), *(part.p_values for part in batch.parts)])
        self.crossed.update(zip((p_values <= self.alpha).tolist(), decisions, strict=True))
        ends, pairs = batch.sizes.cumsum(), batch.differences.pairs
        single = np.full(len(pairs), np.nan)
        for j in np.flatnonzero(batch.sizes == 1).tolist():
            k, decision = batch.at[j], decisions[ends[j] - 1]
            single[k] = p_values[ends[j] - 1]
            self.decisions[decision] += 1
            if decision in ("left", "right"):
                self.beaten.add(pairs[k][decision == "left"])
        self.p_values.append(single)
        for c in batch.noted():
            for note in c.result.notes:
                self._add_note(Noted(note, [f"{c.left} – {c.right}"], 1))

    def _raise_error(self, error: ErrorEstimate | None) -> None:
        if error is not None and (self.error is None or error.value > self.error.value):
            self.error = error

    def _add_note(self, noted: "Noted") -> None:
        self.notes.setdefault(noted.first.code, Noted(noted.first)).merge(noted)

    def merge(self, other: "Tally") -> None:
        """Add the counts of later pairs, computed elsewhere."""
        self.asked += other.asked
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
        self.shown += other.shown

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


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class ComparisonSet(Showable):
    """Pairs under one method, with everything needed to explain or repeat it.

    total : the number of chosen pairs, of which `comparisons` may hold only some.
    tally : counts over all of them.
    also : the same pairs under other tests, by name.
    """

    scores: Scores
    method: Method
    rope: Rope
    rule: Rule
    alpha: float
    total: int
    comparisons: tuple[Comparison, ...]
    tally: Tally
    notes: tuple[Note, ...]
    also: Mapping[str, "ComparisonSet"] = field(default_factory=dict)

    @property
    def failures(self) -> tuple[Failure, ...]:
        """The pairs that could not be computed."""
        return tuple(self.tally.failures)

    def __repr__(self) -> str:
        pairs = number_of(len(self.comparisons), "pair")
        datasets = number_of(len(self.scores.datasets), "data set")
        rope = f"rope [{self.rope.low:g}, {self.rope.high:g}]"
        return f"<ComparisonSet {self.method.name}: {pairs}, {datasets}, {rope}>"
