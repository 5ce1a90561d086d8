"""A stream of chunks: pairs are computed in tasks and counted as they arrive.

A `ComparisonSet` collects that stream. Other data of each chunk, such as its rows, are made in the
worker and passed to a sink in the order of the pairs.
"""

import heapq
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

from bcompare.comparing.answers import Chunk, Placed, Task, Work, compute
from bcompare.comparing.comparison import ComparisonSet, Workload
from bcompare.comparing.summary import EVERYTHING, Selection, Tally
from bcompare.comparing.workers import run_tasks
from bcompare.methods.base import Progress, no_progress


@dataclass(frozen=True, eq=False, slots=True)
class Digest:
    """The result of a task: its counts, the pairs that may be shown, and its stored part."""

    task: Task
    tally: Tally
    shown: tuple[Placed, ...] = ()
    kept: Any = None


def digest(
    work: Work,
    task: Task,
    *,
    alpha: float,
    total: int,
    selection: Selection | None,
    keep: Callable[[Work, Chunk], Any] | None,
    progress: Progress = no_progress,
) -> Digest:
    """Compute a task, and keep what was requested. total : the number of pairs in all tasks."""
    chunk = compute(work, task, progress)
    tally = Tally(alpha)
    tally.add(chunk)
    placed = ((task.start + i, comparison) for i, comparison in chunk.placed)
    shown = selection.best(placed, total) if selection else ()
    return Digest(task, tally, tuple(shown), keep and keep(work, chunk))


def run(
    workload: Workload,
    processes: int = 1,
    *,
    selection: Selection | None = EVERYTHING,
    keep: Callable[[Work, Chunk], Any] | None = None,
    sink: Callable[[Digest], None] | None = None,
    known: Mapping[int, Callable[[], Digest]] | None = None,
    progress: Progress = no_progress,
) -> ComparisonSet:
    """Compare all pairs of a workload.

    Parameters
    ----------
    processes : to compute in; see `run_tasks`.
    selection : the pairs that the set holds; counts are of all pairs.
    keep : a picklable function that makes, in the worker, what the sink keeps of a chunk.
    sink : takes each digest, in the order of the pairs.
    known : start of a task → its digest, from an interrupted run.

    Raises
    ------
    InputError : no pair has a data set in common.
    ComputationError : no pair at all could be computed.
    """
    total = len(workload.pairs)
    digested = partial(
        digest, workload.work, alpha=workload.alpha, total=total, selection=selection, keep=keep
    )
    tally = Tally(workload.alpha)
    shown: list[Placed] = []
    for result in _digests(workload, digested, processes, known or {}, progress):
        if sink is not None:
            sink(result)
        tally.merge(result.tally)
        shown += result.shown
        if selection is not None and selection.top:
            shown = selection.best(shown, total)
    return workload.finished(shown, tally)


def _digests(
    workload: Workload,
    digested: Callable[..., Digest],
    processes: int,
    known: Mapping[int, Callable[[], Digest]],
    progress: Progress,
) -> Iterator[Digest]:
    """Yield the digests in the order of the pairs; known ones are not computed again."""
    total = len(workload.pairs)
    if processes == 1 and (workload.work.method.has_processes or workload.task_count == 1):
        for task in workload.tasks():  # slow tests report progress within a task
            yield digested(task, progress=partial(_within, progress, task, total))
        return
    missing = (task for task in workload.tasks() if task.start not in known)
    computed = run_tasks(digested, missing, processes)
    stored = ((start, None) for start in sorted(known))
    fresh = ((result.task.start, result) for result in computed)
    done = 0
    for start, computed_now in heapq.merge(stored, fresh, key=lambda pair: pair[0]):
        result = computed_now or known[start]()
        done += len(result.task.pairs)
        progress(done, total)
        yield result


def _within(progress: Progress, task: Task, total: int, step: int, steps: int) -> None:
    """Report a step within a task as progress of all tasks."""
    progress(task.start * steps + step * len(task.pairs), total * steps)
