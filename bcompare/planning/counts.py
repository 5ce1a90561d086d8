"""The answers of a test on simulated futures, in batches, here or in other processes."""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from bcompare.comparing.workers import processes_for, run_tasks
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.methods.base import Method, Progress, no_progress
from bcompare.planning.predictive import PosteriorPredictive

# Seconds that a batch should take, and futures that it may hold.
BATCH_SECONDS, MOST_IN_BATCH = 0.5, 2500
# Replicates by default: of a test that answers in microseconds, in a millisecond, in many.
MANY, SOME, FEW = 5000, 1000, 60

Draw = Callable[[int, np.random.Generator], PosteriorPredictive]
"""Draws a number of futures of one kind."""


@dataclass(frozen=True, eq=False, slots=True)
class Outcomes:
    """The answers of R futures; left, rope, right : (R,), NaN where an answer is withheld."""

    left: FloatArray
    rope: FloatArray
    right: FloatArray


@dataclass(frozen=True, eq=False, slots=True)
class Simulation:
    """What every batch needs: the test, the rope, and how futures of each kind are drawn."""

    method: Method
    rope: Rope
    draws: tuple[Draw, ...]
    seed: int


@dataclass(frozen=True, slots=True)
class Batch:
    """Some futures of one kind: `kind` is its place among the draws."""

    kind: int
    number: int
    size: int

    def __str__(self) -> str:
        return f"batch {self.number + 1} of simulation {self.kind + 1}"


def usual_replicates(method: Method, datasets: int) -> int:
    """Return the number of futures to draw of each kind."""
    seconds = method.effort(datasets)
    return MANY if not method.over_datasets else SOME if seconds < 5e-3 else FEW


def simulate(
    simulation: Simulation,
    replicates: int,
    *,
    datasets: int,
    jobs: int | None = 1,
    progress: Progress = no_progress,
) -> list[Outcomes]:
    """Return the answers of `replicates` futures of every kind, whatever the number of processes.

    datasets : the most that any future has, which decides how long it takes.
    """
    effort = simulation.method.effort(datasets)
    size = int(np.clip(BATCH_SECONDS / effort, 1, MOST_IN_BATCH))
    batches = list(_batches(len(simulation.draws), replicates, size))
    processes = processes_for(jobs, effort * replicates * len(simulation.draws), len(batches))
    if simulation.method.has_processes or not simulation.method.over_datasets:
        processes = 1
    answers_of: list[list[FloatArray]] = [[] for _ in simulation.draws]
    answers = run_tasks(partial(answered, simulation), iter(batches), processes)
    for done, (batch, answer) in enumerate(zip(batches, answers, strict=True), 1):
        answers_of[batch.kind].append(answer)
        progress(done, len(batches))
    return [Outcomes(*np.concatenate(parts, axis=1)) for parts in answers_of]


def _batches(kinds: int, replicates: int, size: int) -> Iterator[Batch]:
    for kind in range(kinds):
        for number in range(math.ceil(replicates / size)):
            yield Batch(kind, number, min(size, replicates - number * size))


def answered(simulation: Simulation, batch: Batch) -> FloatArray:
    """(3, size) the probabilities of a batch."""
    rng = np.random.default_rng([simulation.seed, batch.kind, batch.number])
    futures = simulation.draws[batch.kind](batch.size, rng)
    return probabilities(simulation.method, simulation.rope, futures)


def probabilities(method: Method, rope: Rope, futures: PosteriorPredictive) -> FloatArray:
    """(3, R) p(left), p(rope), p(right) of futures; NaN where withheld."""
    if not method.over_datasets:
        result = method.economical().test(futures.flat(), rope).datasets
        p = result.probabilities
        return np.where(result.withheld, np.nan, np.stack([p.left, p.rope, p.right]))
    return _stacked(method.probabilities(list(futures.each()), rope))


def _stacked(answers: Sequence[RegionProbabilities[float] | None]) -> FloatArray:
    nothing = (math.nan,) * 3
    rows = [nothing if p is None else (p.left, p.rope, p.right) for p in answers]
    return np.array(rows, dtype=np.float64).T
