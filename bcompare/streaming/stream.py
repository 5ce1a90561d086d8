"""Very many pairs: chunks in, and out come counts, rows, and the few pairs that people look at."""

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

import numpy as np

from bcompare.comparing.answers import Chunk, Task, Work, compute
from bcompare.comparing.comparison import ComparisonSet, Plan, placed
from bcompare.comparing.summary import Placed, Selection, Tally
from bcompare.comparing.workers import InProcess, Workers
from bcompare.data.rope import FloatArray
from bcompare.methods import OVER_DATASETS
from bcompare.methods.base import Progress, no_progress
from bcompare.report.rows import Rows, comparison_rows
from bcompare.streaming.spool import Part, Spool


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is wanted of every task, besides the counts.

    total : how many pairs there are. rows : whether flat rows are. selection : which pairs
    tables for people are to show; None for none.
    """

    total: int
    alpha: float
    rows: bool
    selection: Selection | None


@dataclass(frozen=True, eq=False, slots=True)
class Digest:
    """What comes back from a task: `part` for the disk, and the pairs that may be shown."""

    part: Part
    shown: tuple[Placed, ...]


Shared = tuple[Work, Wanted]


def digest(shared: Shared, task: Task, progress: Progress = no_progress) -> Digest:
    """Compute a task, and keep what is wanted of it."""
    work, wanted = shared
    chunk = compute(work, task, progress)
    tally = Tally(wanted.alpha)
    tally.add(chunk)
    rows: Rows = {}
    p_values = np.empty((len(task.pairs), 0))
    if wanted.rows:
        rows = comparison_rows(chunk.comparisons, work.rule, work.rope)
        p_values = _p_values(work, chunk)
    shown = wanted.selection.best(placed(chunk), wanted.total) if wanted.selection else []
    return Digest(Part(task, tally, rows, p_values), tuple(shown))


def _p_values(work: Work, chunk: Chunk) -> FloatArray:
    """(pairs, data sets) p-values of a test that answers there, else (pairs, 1); NaN where none."""
    over_datasets = work.method.name in OVER_DATASETS
    columns = 1 if over_datasets else len(work.scores.names)
    matrix = np.full((len(chunk.task.pairs), columns), np.nan)
    position = {name: k for k, name in enumerate(work.scores.names)}
    for i, comparison in zip(chunk.at, chunk.comparisons, strict=True):
        names = comparison.differences.statistics.names
        where = [0] if over_datasets else [position[name] for name in names]
        matrix[i, where] = comparison.p_values
    return matrix


def run(
    plan: Plan,
    selection: Selection | None,
    spool: Spool | None,
    workers: Workers,
    progress: Progress = no_progress,
) -> ComparisonSet:
    """Compare all pairs of a plan; their rows go into the spool, if there is one.

    Returns the set of the pairs that the selection shows, with the counts of all.
    """
    total = len(plan.pairs)
    wanted = Wanted(total, plan.alpha, spool is not None, selection)
    tally = Tally(plan.alpha)
    shown: list[Placed] = []
    for found in _digests(plan, wanted, spool, workers, progress):
        part = found.part
        if spool is not None:
            spool.put(part)
        tally.merge(part.tally)
        shown += found.shown
        if selection is not None:
            shown = selection.best(shown, total)
    return plan.finished(shown, tally)


def _within(progress: Progress, task: Task, total: int, step: int, steps: int) -> None:
    """Tell of a step within a task, as a step of all tasks together."""
    progress(task.start * steps + step * len(task.pairs), total * steps)


def _digests(
    plan: Plan, wanted: Wanted, spool: Spool | None, workers: Workers, progress: Progress
) -> Iterator[Digest]:
    """The digests in the order of the pairs; those on disk are not computed again."""
    shared = (plan.work, wanted)
    here = isinstance(workers, InProcess)
    if here and (plan.work.method.has_processes or plan.task_count == 1):
        for task in plan.tasks():  # slow: they tell of the steps within a task
            yield digest(shared, task, partial(_within, progress, task, wanted.total))
        return
    known = spool.known() if spool is not None and wanted.selection is None else {}
    missing = (task for task in plan.tasks() if task.start not in known)
    computed = workers.run(digest, shared, missing)
    stored = ((start, None) for start in sorted(known))
    fresh = ((found.part.task.start, found) for found in computed)
    done = 0
    for start, computed_now in heapq.merge(stored, fresh, key=lambda pair: pair[0]):
        found = computed_now or Digest(known[start](), ())
        done += len(found.part.task.pairs)
        progress(done, wanted.total)
        yield found
