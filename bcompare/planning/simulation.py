"""The answers of a test on simulated futures, in batches, here or in other processes."""

import math
from collections.abc import Callable, Sequence
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
SLOW = 5e-3  # seconds a future

Draw = Callable[[int, np.random.Generator], PosteriorPredictive]
"""Draws a number of futures of one kind."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some futures of one kind: `kind` is its place among the draws."""

    kind: int
    number: int
    size: int

    def __str__(self) -> str:
        return f"batch {self.number + 1} of simulation {self.kind + 1}"


@dataclass(frozen=True, eq=False, slots=True)
class Simulation:
    """How futures of any kind are answered: by which test, how many of them, and where.

    replicates : futures of each kind. jobs : processes to compute in, as for `compare`; their
    number changes no answer.
    """

    method: Method
    rope: Rope
    replicates: int
    seed: int
    jobs: int | None = 1
    progress: Progress = no_progress

    def run(self, draws: Sequence[Draw], datasets: int) -> list[RegionProbabilities[FloatArray]]:
        """Return the (replicates,) answers on every kind of futures; NaN where withheld.

        datasets : the most that any future has, which decides how long it takes.
        """
        effort = self.method.effort(datasets)
        size = int(np.clip(BATCH_SECONDS / effort, 1, MOST_IN_BATCH))
        batches = [
            Batch(kind, number, min(size, self.replicates - start))
            for kind in range(len(draws))
            for number, start in enumerate(range(0, self.replicates, size))
        ]
        processes = processes_for(self.jobs, effort * self.replicates * len(draws), len(batches))
        if self.method.has_processes or not self.method.over_datasets:
            processes = 1
        answers_of: list[list[FloatArray]] = [[] for _ in draws]
        task = partial(_answered, self.method, self.rope, self.seed, draws)
        answers = run_tasks(task, iter(batches), processes)
        for done, (batch, answer) in enumerate(zip(batches, answers, strict=True), 1):
            answers_of[batch.kind].append(answer)
            self.progress(done, len(batches))
        return [RegionProbabilities(*np.concatenate(parts, axis=1)) for parts in answers_of]


def usual_replicates(method: Method, datasets: int) -> int:
    """Return the number of futures to draw of each kind."""
    if not method.over_datasets:
        return MANY
    return SOME if method.effort(datasets) < SLOW else FEW


def _answered(
    method: Method, rope: Rope, seed: int, draws: Sequence[Draw], batch: Batch
) -> FloatArray:
    rng = np.random.default_rng([seed, batch.kind, batch.number])
    return probabilities(method, rope, draws[batch.kind](batch.size, rng))


def probabilities(method: Method, rope: Rope, futures: PosteriorPredictive) -> FloatArray:
    """(3, R) p(left), p(rope), p(right) of futures; NaN where withheld."""
    if not method.over_datasets:
        result = method.economical().test(futures.flat(), rope).datasets
        return np.where(result.withheld, np.nan, np.stack([*result.probabilities]))
    answers = method.probabilities(list(futures.each()), rope)
    return np.array([(math.nan,) * 3 if p is None else tuple(p) for p in answers]).T
