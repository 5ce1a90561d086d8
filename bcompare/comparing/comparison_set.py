"""Run a test on the chosen pairs, task by task, and collect the answers.

A `ComparisonSet` collects the results of all tasks. Other data of each task, such as its rows, are
made in the worker and passed to a sink in the order of the pairs.
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from operator import attrgetter, itemgetter
from typing import Any

import numpy as np

from bcompare.basis.messages import InputError, Note, counted, likewise, number_of
from bcompare.basis.progress import Progress, no_progress
from bcompare.basis.showable import Showable
from bcompare.comparing.comparison import Batch, Comparison, Failure, compared
from bcompare.comparing.decision import Rule, Threshold
from bcompare.data.differences import PairedScores
from bcompare.data.pairs import Pair
from bcompare.data.rope import FloatArray, Rope
from bcompare.data.scales import check_rope, scale_notes
from bcompare.data.scores import Scores
from bcompare.methods import check_unit
from bcompare.methods.correction import bonferroni, holm
from bcompare.methods.interface import Method
from bcompare.methods.result_parts import ErrorEstimate

# The most pairs in a table by default, and the most pairs that a note names.
TOP = 30
NAMED = 3

# A comparison with its position among all pairs.
Placed = tuple[int, Comparison]


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

    asked : the number of pairs.
    pairs : the number computed.
    decisions : over all data sets.
    crossed : the number of answers by decision and by whether the p-value is at most alpha.
    beaten : classifiers practically beaten by another one.
    failures, apart : the first few pairs that could not be computed, or that share no data set.
    n_apart : the number of the latter.
    notes : by code, the first pairs, their number, and whether all texts are equal.
    used : data sets of any pair.
    error : the largest.
    p_values : one for each pair, task by task; NaN if a pair has none.
    shown : the pairs that may be shown.
    kept : of a single task, what the sink takes of it.
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
    notes: dict[str, tuple[Note, list[str], int, bool]] = field(default_factory=dict)
    used: set[str] = field(default_factory=set)
    error: ErrorEstimate | None = None
    p_values: list[FloatArray] = field(default_factory=list)
    shown: list[Placed] = field(default_factory=list)
    kept: Any = None

    def add(self, batch: Batch) -> None:
        """Count the comparisons of a task."""
        self.pairs += len(batch.at)
        self.used.update(batch.differences.paired.names[batch.shared.any(axis=0)])
        self._raise_error(*(part.result.error for part in batch.parts))
        decisions = [decision for part in batch.parts for decision in part.decisions]
        p_values = np.concatenate([np.empty(0), *(part.p_values for part in batch.parts)])
        self.crossed.update(zip((p_values <= self.alpha).tolist(), decisions, strict=True))
        ends = batch.sizes.cumsum()
        pairs = batch.differences.pairs
        single = np.full(len(pairs), np.nan)
        for j in np.flatnonzero(batch.sizes == 1).tolist():
            k = batch.at[j]
            decision = decisions[ends[j] - 1]
            single[k] = p_values[ends[j] - 1]
            self.decisions[decision] += 1
            if decision in ("left", "right"):
                self.beaten.add(pairs[k][decision == "left"])
        self.p_values.append(single)
        for c in batch.noted():
            for note in c.result.notes:
                self._note(note, [f"{c.left} – {c.right}"], 1)

    def _raise_error(self, *errors: ErrorEstimate | None) -> None:
        self.error = max(filter(None, (self.error, *errors)), key=attrgetter("value"), default=None)

    def _note(self, note: Note, pairs: list[str], count: int, alike: bool = True) -> None:
        """Add pairs with a note; alike : whether all of these have the same text."""
        first, named, before, same = self.notes.get(note.code, (note, [], 0, True))
        same = same and alike and note.text == first.text
        self.notes[note.code] = first, (named + pairs)[:NAMED], before + count, same

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
            self._note(*noted)
        self.used |= other.used
        self._raise_error(other.error)
        self.p_values += other.p_values
        self.shown += other.shown

    def gathered(self) -> list[Note]:
        """Return the notes; of one that not all pairs have, with the first that do."""
        return [
            first
            if same and count == self.pairs
            else replace(first, text=likewise(first.text, named, count))
            for first, named, count, same in self.notes.values()
        ]


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


# The most pairs in a task.
MOST_PAIRS = 500


@dataclass(frozen=True, slots=True)
class PairTask:
    """A run of consecutive pairs; `start` is the index of the first among all."""

    start: int
    pairs: tuple[Pair, ...]

    def __str__(self) -> str:
        first = " – ".join(self.pairs[0])
        last = " – ".join(self.pairs[-1])
        if len(self.pairs) == 1:
            return f"pair {self.start + 1:,} ({first})"
        return f"pairs {self.start + 1:,} to {self.start + len(self.pairs):,} ({first} to {last})"


@dataclass(frozen=True, eq=False, slots=True)
class Work:
    """The pairs to compare and the settings, which all tasks share.

    paired : the scores, prepared for pairs.
    """

    paired: PairedScores
    pairs: Collection[Pair]
    method: Method
    rope: Rope
    rule: Rule
    alpha: float

    @property
    def effort(self) -> float:
        """The approximate time of a pair, in seconds on one core."""
        return self.method.effort(len(self.paired.names))

    @property
    def task_size(self) -> int:
        """The number of pairs in a task of about a second, whatever the number of workers."""
        return int(np.clip(self.method.task_seconds / self.effort, 1, MOST_PAIRS))

    def tasks(self) -> Iterator[PairTask]:
        """Yield the pairs in tasks."""
        pairs = iter(self.pairs)
        for start in range(0, len(self.pairs), self.task_size):
            yield PairTask(start, tuple(islice(pairs, self.task_size)))

    def workers(self, jobs: int | None, executor: Executor | None) -> int | Executor:
        """Return the executor, or the number of processes to compute in; see `processes_for`."""
        tasks = -(-len(self.pairs) // self.task_size)
        if executor is not None or self.method.has_processes or tasks == 1:
            return executor or 1
        from bcompare.comparing.workers import processes_for

        return processes_for(jobs, len(self.pairs) * self.effort, tasks)


# Makes, in the worker, what the sink keeps of the comparisons of a task; picklable.
Keep = Callable[[Work, Batch], object]


def tallied(
    work: Work,
    task: PairTask,
    *,
    top: int | None,
    keep: Keep | None,
    progress: Progress = no_progress,
) -> Tally:
    """Compare the pairs of a task, and keep what was requested; see `run`.

    Raises
    ------
    InputError, ComputationError : what concerns every pair, such as a missing engine.
    """
    differences = work.paired.differences(task.pairs)
    batch, failures = compared(differences, work.method, work.rope, work.rule, progress)
    apart = [task.pairs[k] for k in np.flatnonzero(~differences.shared.any(axis=1)).tolist()]
    tally = Tally(
        work.alpha, len(task.pairs), failures=failures, apart=apart[:10], n_apart=len(apart)
    )
    tally.add(batch)
    if top is not None:
        placed = (
            (task.start + k, comparison) for k, comparison in zip(batch.at, batch, strict=True)
        )
        tally.shown = select(placed, top, len(work.pairs))
    tally.kept = keep and keep(work, batch)
    return tally


def run(
    scores: Scores,
    method: Method,
    pairs: Collection[Pair],
    *,
    rope: Rope,
    rule: Rule | None = None,
    alpha: float = 0.05,
    jobs: int | None = 1,
    executor: Executor | None = None,
    top: int | None = 0,
    keep: Keep | None = None,
    sink: Callable[[Any], None] | None = None,
    progress: Progress = no_progress,
) -> ComparisonSet:
    """Compare all pairs, task by task.

    Parameters
    ----------
    scores, method, pairs, rope, rule, alpha, jobs, executor : as for `compare`.
    top : the most pairs that the set holds; 0 for all, None for none. Counts are of all pairs.
    keep : makes what the sink keeps of a task.
    sink : takes what is kept of each task, in the order of the pairs.

    Raises
    ------
    InputError : scores that the test cannot use, or no pair that has a data set in common.
    ComputationError : no pair at all could be computed.
    """
    check_unit(method, scores.unit)
    check_rope(scores, rope)
    usual, total = Threshold(alpha), len(pairs)  # which checks the level
    rule = rule or usual
    paired = PairedScores.of(scores)
    work = Work(paired, pairs, method.for_pairs(total), rope, rule, alpha)
    workers = work.workers(jobs, executor)
    tally = Tally(alpha)
    compute = partial(tallied, work, top=top, keep=keep)
    for part in _tallies(work, compute, workers, progress):
        if sink is not None:
            sink(part.kept)
        if workers != 1:
            part.shown = [
                (place, replace(comparison, differences=paired.with_source(comparison.differences)))
                for place, comparison in part.shown
            ]
        tally.merge(part)
        if top:
            tally.shown = select(tally.shown, top, total)
    if tally.n_apart == total:
        raise InputError(f"no data set in common: {_apart(tally)}; nothing to compare")
    if not tally.pairs:
        raise tally.failures[0].error
    return ComparisonSet(
        scores=scores,
        method=work.method,
        rope=rope,
        rule=rule,
        alpha=alpha,
        total=total,
        comparisons=_corrected(tally, work),
        tally=tally,
        notes=(*_notes(scores, rope, tally), *tally.gathered()),
    )


def _tallies(
    work: Work,
    compute: Callable[..., Tally],
    workers: int | Executor,
    progress: Progress,
) -> Iterator[Tally]:
    """Yield the tallies of all tasks, in the order of the pairs."""
    total = len(work.pairs)
    if workers == 1 and (work.method.has_processes or total <= work.task_size):
        for task in work.tasks():  # slow tests report progress within a task
            yield compute(task, progress=partial(_within, progress, task, total))
        return
    from bcompare.comparing.workers import run_tasks

    done = 0
    for part in run_tasks(compute, work.tasks(), workers):
        done += part.asked
        progress(done, total)
        yield part


def _within(progress: Progress, task: PairTask, total: int, step: int, steps: int) -> None:
    """Report a step within a task as progress of all tasks."""
    progress(task.start * steps + step * len(task.pairs), total * steps)


def _notes(scores: Scores, rope: Rope, tally: Tally) -> Iterator[Note]:
    """Yield notes on the input, and on missing pairs."""
    yield from (*scores.notes, *scores.account.notes(), *scale_notes(scores, rope))
    if tally.n_apart:
        yield Note(
            "no-common-dataset",
            "warning",
            f"no data set in common, so not compared: {_apart(tally)}",
        )
    reasons: dict[str, list[str]] = {}
    for failure in tally.failures:
        reasons.setdefault(failure.text, []).append(f"{failure.left} – {failure.right}")
    for text, pairs in list(reasons.items())[:NAMED]:
        yield Note(
            "not-computed", "warning", likewise(f"not computed: {text}", pairs[:NAMED], len(pairs))
        )


def _apart(tally: Tally) -> str:
    names = [f"{left} and {right}" for left, right in tally.apart]
    if tally.n_apart > len(names):
        return f"{tally.n_apart:,} pairs ({', '.join(names)} and more)"
    return counted(names, "pair")


def _corrected(tally: Tally, work: Work) -> tuple[Comparison, ...]:
    """Correct for the number of pairs, separately on each data set if the test answers for each."""
    comparisons = [comparison for _, comparison in tally.shown]
    names = work.paired.names
    if work.method.answers(len(names)) == 1:
        # one p-value for each pair, and all are known
        p_values = np.concatenate(tally.p_values)[:, None]
        cells = [(place, [0]) for place, _ in tally.shown]
    else:
        column = {name: i for i, name in enumerate(names)}
        cells = []
        for row, comparison in enumerate(comparisons):
            names_there = comparison.differences.statistics.names
            cells.append((row, [column[name] for name in names_there]))
        p_values = np.full((len(comparisons), len(column)), np.nan)
        for cell, comparison in zip(cells, comparisons, strict=True):
            p_values[cell] = comparison.p_values
    by_bonferroni = bonferroni(p_values)
    by_holm = holm(p_values)
    return tuple(
        replace(comparison, bonferroni=by_bonferroni[cell], holm=by_holm[cell])
        for cell, comparison in zip(cells, comparisons, strict=True)
    )
