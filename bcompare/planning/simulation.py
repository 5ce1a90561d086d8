"""The answers of a test on simulated results, in batches, in this or in other processes."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from bcompare.comparing.workers import processes_for, run_tasks
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.methods.base import Method, Progress, no_progress
from bcompare.planning.predictive import PosteriorPredictive

# The time that a batch should take, and the most results in it.
BATCH_SECONDS, MOST_IN_BATCH = 0.5, 2500
# The default replicates of tests that take microseconds, a millisecond, or more.
MANY, SOME, FEW = 5000, 1000, 60
SLOW = 5e-3  # seconds for one result

Draw = Callable[[int, np.random.Generator], PosteriorPredictive]
"""Draws a number of results of one kind."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Some simulations of one kind: `kind` is its position among the draws."""

    kind: int
    number: int
    size: int

    def __str__(self) -> str:
        return f"batch {self.number + 1} of simulation {self.kind + 1}"


@dataclass(frozen=True, eq=False, slots=True)
class Simulation:
    """The settings of a simulation: test, rope, number of replicates, processes.

    replicates : of each kind. jobs : processes to compute in, as for `compare`; their number
    changes no answer.
    """

    method: Method
    rope: Rope
    replicates: int
    seed: int
    jobs: int | None = 1
    progress: Progress = no_progress

    def run(self, draws: Sequence[Draw], datasets: int) -> list[RegionProbabilities[FloatArray]]:
        """Return the (replicates,) answers for every kind; NaN where withheld.

        datasets : the largest number of data sets, which determines the time.
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
    """Return the default number of replicates."""
    if not method.over_datasets:
        return MANY
    return SOME if method.effort(datasets) < SLOW else FEW


def _answered(
    method: Method, rope: Rope, seed: int, draws: Sequence[Draw], batch: Batch
) -> FloatArray:
    # the same numbers for every kind: amounts and pairs differ by their data, not by chance
    rng = np.random.default_rng([seed, batch.number])
    return probabilities(method, rope, draws[batch.kind](batch.size, rng))


def probabilities(method: Method, rope: Rope, futures: PosteriorPredictive) -> FloatArray:
    """Return (3, R) p(left), p(rope), p(right) of simulations; NaN where withheld."""
    if not method.over_datasets:
        result = method.economical().test(futures.flat(), rope).datasets
        return np.where(result.withheld, np.nan, np.stack([*result.probabilities]))
    answers = method.probabilities(list(futures.each()), rope)
    return np.array([(math.nan,) * 3 if p is None else tuple(p) for p in answers]).T
