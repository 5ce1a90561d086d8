"""The answers of a test on simulated results, in batches, in this or in other processes."""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.comparing.workers import processes_for, run_tasks
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.data.simulated import SimulatedResults
from bcompare.methods.base import Method, Progress, no_progress

# The time that a batch should take, and the most results in it.
BATCH_SECONDS, MOST_IN_BATCH = 0.5, 2500
# The default replicates of tests that take microseconds, a millisecond, or more.
MANY, SOME, FEW = 5000, 1000, 60
FAST, SLOW = 2e-5, 5e-3  # seconds for one result

Draw = Callable[[int, np.random.Generator], SimulatedResults]
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

    replicates : of each kind. jobs, executor : where to compute, as for `compare`, which changes no
    answer.
    """

    method: Method
    rope: Rope
    replicates: int
    seed: int
    jobs: int | None = 1
    progress: Progress = no_progress
    executor: Executor | None = None

    def run(self, draws: Sequence[Draw], datasets: int) -> list[RegionProbabilities[FloatArray]]:
        """Return the (replicates,) answers for every kind; NaN where withheld.

        datasets : the largest number of data sets, which determines the time.

        Raises
        ------
        InputError : a test that needs more than simulations draw.
        """
        effort = self.method.simulation_effort(datasets)
        size = int(np.clip(BATCH_SECONDS / effort, 1, MOST_IN_BATCH))
        batches = [
            Batch(kind, number, min(size, self.replicates - start))
            for kind in range(len(draws))
            for number, start in enumerate(range(0, self.replicates, size))
        ]
        seconds = effort * self.replicates * len(draws)
        workers = self.executor or processes_for(self.jobs, seconds, len(batches))
        if self.method.has_processes and self.executor is None:
            workers = 1
        answers_of: list[list[FloatArray]] = [[] for _ in draws]
        task = partial(_answered, self.method, self.rope, self.seed, draws)
        answers = run_tasks(task, iter(batches), workers)
        for done, (batch, answer) in enumerate(zip(batches, answers, strict=True), 1):
            answers_of[batch.kind].append(answer)
            self.progress(done, len(batches))
        return [RegionProbabilities(*np.concatenate(parts, axis=1)) for parts in answers_of]


def usual_replicates(method: Method, datasets: int) -> int:
    """Return the default number of replicates."""
    effort = method.simulation_effort(datasets)
    return MANY if effort < FAST else SOME if effort < SLOW else FEW


def _answered(
    method: Method, rope: Rope, seed: int, draws: Sequence[Draw], batch: Batch
) -> FloatArray:
    # the same numbers for every kind: amounts and pairs differ by their data, not by chance
    rng = np.random.default_rng([seed, batch.number])
    results = draws[batch.kind](batch.size, rng)
    if method.needs_differences and results.source is None:
        raise InputError(
            f"{method.name} needs every difference, and simulations draw only their means and "
            f"spreads: choose another test by {arg('test', 'NAME')}"
        )
    return method.test_simulated(results, rope)
