"""Further results from the posterior predictive distribution, and a test's answers on these.

On a data set the differences of scores are x_j = m + e_j with e_j ~ N(0, τ²) independent, and
m ~ N(μ, τ² ρ/(1 - ρ)): that is the correlated normal model of the tests (Corani & Benavoli 2015),
with τ² = σ²(1 - ρ). All folds of all runs share the level m. So more runs estimate m, but no
number of them estimates μ with a variance below τ² ρ/(1 - ρ), whatever ρ stands for.

Tests answer on simulated results in batches, in this or in other processes.
"""

from collections.abc import Callable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from functools import partial

import numpy as np

from bcompare.basis.messages import InputError, Record, arg
from bcompare.basis.progress import Progress, no_progress
from bcompare.comparing.workers import processes_for, run_tasks
from bcompare.data.rope import FloatArray, IntArray, RegionProbabilities, Rope
from bcompare.data.simulated import SimulatedResults
from bcompare.data.sufficient import ARRAYS, SufficientStatistics
from bcompare.methods.interface import Method
from bcompare.methods.paired_binary import PRIOR, discordant
from bcompare.planning.trials import more_trials

# The fewest data sets that say how far true differences lie apart.
FEWEST_TO_SPREAD = 5
# This factor stands for an unlimited number of scores.
ENDLESS = 10**6


@dataclass(frozen=True, slots=True)
class Spread:
    """How the levels m of data sets are spread, as N(centre, variance).

    Estimated by the method of moments: the variance of the means, less that of their errors
    (DerSimonian & Laird 1986, Controlled Clinical Trials 7:177, with equal weights).
    """

    centre: float
    variance: float

    @classmethod
    def of(cls, statistics: SufficientStatistics) -> "Spread | None":
        """Estimate it from the data sets; None if they are too few."""
        if len(statistics) < FEWEST_TO_SPREAD:
            return None
        # of a single mean the error is not known, and taken for none
        error = statistics.ss / np.maximum(statistics.n - 1, 1) / statistics.n
        variance = float(statistics.mean.var(ddof=1) - error.mean())
        return cls(float(statistics.mean.mean()), max(variance, 0.0))


def more_scores(
    now: SufficientStatistics,
    factor: float,
    count: int,
    rng: np.random.Generator,
    spread: Spread | None = None,
) -> SimulatedResults:
    """Draw `count` results in which every data set has `factor` times its scores.

    spread : of the levels of data sets, as their prior; else any level is equally probable.
    """
    if now.sides is not None:
        return more_trials(now, now.sides, factor, count, rng)
    now, shape = now.in_equal_rows, (count, len(now))
    added = np.maximum(np.rint((factor - 1) * now.n), 1).astype(np.int64)
    mean, ss = _next_scores(now, added, shape, rng, spread)
    if now.unit.has_answers and now.binary.any():
        binary_mean, binary_ss = _next_binary(now, added, shape, rng)
        mean = np.where(now.binary, binary_mean, mean)
        ss = np.where(now.binary, binary_ss, ss)
    n = now.n + added
    pooled = (now.n * now.mean + added * mean) / n
    apart = np.where((now.ss == 0) & (ss == 0) & (mean == now.mean), 0.0, mean - now.mean)
    mean = np.where(apart == 0, now.mean, pooled)
    ss = now.ss + ss + now.n * added / n * apart**2
    n = np.broadcast_to(n, shape)
    rho = np.broadcast_to(now.rho, shape)
    binary = np.broadcast_to(now.binary, shape)
    return SimulatedResults(n, mean, ss, rho, binary, now.unit)


def _next_scores(
    now: SufficientStatistics,
    added: IntArray,
    shape: tuple[int, int],
    rng: np.random.Generator,
    spread: Spread | None,
) -> tuple[FloatArray, FloatArray]:
    """Draw the mean and sum of squares of added scores: τ² under a flat prior, and the level m."""
    variance = now.ss / rng.chisquare(now.n - 1, shape)
    error = variance / now.n
    if spread is None:
        level = now.mean + np.sqrt(error) * rng.standard_normal(shape)
    else:
        total = np.maximum(spread.variance + error, np.finfo(float).tiny)
        weight = spread.variance / total
        level = spread.centre + weight * (now.mean - spread.centre)
        level += np.sqrt(weight * error) * rng.standard_normal(shape)
    mean = level + np.sqrt(variance / added) * rng.standard_normal(shape)
    squares = variance * rng.chisquare(np.maximum(added - 1, 1), shape)
    return mean, np.where(added > 1, squares, 0.0)


def _next_binary(
    now: SufficientStatistics, added: IntArray, shape: tuple[int, int], rng: np.random.Generator
) -> tuple[FloatArray, FloatArray]:
    """Draw the same for 0/1 items: counts of which of the two alone is right."""
    left, right = discordant(now)
    alone = np.stack([left, now.n - left - right, right], axis=-1)
    # draws of a Dirichlet, as normalised gammas
    gammas = rng.standard_gamma(np.asarray(PRIOR) + alone, (*shape, 3))
    left = rng.binomial(added, gammas[..., 0] / gammas.sum(axis=-1))
    rest = gammas[..., 2] / np.maximum(gammas[..., 1] + gammas[..., 2], np.finfo(float).tiny)
    right = rng.binomial(added - left, rest)
    mean = (right - left) / added
    return mean, np.maximum(right + left - added * mean**2, 0.0)


def more_datasets(
    method: Method,
    rope: Rope,
    now: SufficientStatistics,
    added: int,
    count: int,
    rng: np.random.Generator,
) -> SimulatedResults:
    """Draw `count` results with `added` further data sets, with the designs of present ones.

    Raises
    ------
    InputError : a test that says nothing of further data sets.
    """
    if not method.predicts:
        raise InputError(
            f"{method.name} says nothing about the next data set: choose hier, signrank or sign"
        )
    further = method.further(now, rope, (count, added), rng)
    shape = (count, len(now))
    both: Record = {
        name: np.concatenate(
            [np.broadcast_to(getattr(now, name), shape), getattr(further, name)], axis=1
        )
        for name in ARRAYS
    }
    return SimulatedResults(**both, unit=now.unit)


# The time that a batch should take, and the most results in it.
BATCH_SECONDS, MOST_IN_BATCH = 0.5, 2500
# The default replicates of tests that take microseconds, a millisecond, or more.
MANY, SOME, FEW = 5000, 1000, 60
FAST, SLOW = 2e-5, 5e-3  # seconds for one result

# Draws a number of results of one kind.
Draw = Callable[[int, np.random.Generator], SimulatedResults]


@dataclass(frozen=True, slots=True)
class SimulatedBatch:
    """Some simulations of one kind: `kind` is its position among the draws."""

    kind: int
    number: int
    size: int

    def __str__(self) -> str:
        return f"batch {self.number + 1} of simulation {self.kind + 1}"


@dataclass(frozen=True, eq=False, slots=True)
class Simulation:
    """The settings of a simulation: test, rope, number of replicates, processes.

    replicates : of each kind.
    jobs, executor : where to compute, as for `compare`, which changes no answer.
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
            SimulatedBatch(kind, number, min(size, self.replicates - start))
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
    if effort < FAST:
        return MANY
    return SOME if effort < SLOW else FEW


def _answered(
    method: Method, rope: Rope, seed: int, draws: Sequence[Draw], batch: SimulatedBatch
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
