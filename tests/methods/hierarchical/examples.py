"""Data for the tests of the hierarchical model."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from bcompare.basis.progress import Progress, no_progress
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.model import ModelData, nu_prior
from bcompare.methods.hierarchical.result import HierarchicalResult
from bcompare.methods.hierarchical.sampling.cmdstan import Sampling
from bcompare.methods.hierarchical.sampling.stan import sample_posterior


def statistics_of(
    mean: ArrayLike, sd: ArrayLike, n: ArrayLike = 100, rho: ArrayLike = 0.1
) -> SufficientStatistics:
    """Data sets with given means and standard deviations of their differences."""
    means = np.asarray(mean, dtype=np.float64)
    counts = np.broadcast_to(np.asarray(n, dtype=np.int64), means.shape)
    spread = np.broadcast_to(np.asarray(sd, dtype=np.float64), means.shape)
    return SufficientStatistics(
        names=tuple(f"set-{i}" for i in range(means.size)),
        n=counts,
        mean=means,
        ss=(counts - 1) * spread**2,
        rho=np.broadcast_to(np.asarray(rho, dtype=np.float64), means.shape),
    )


def simulated(
    q: int,
    n: ArrayLike = 100,
    *,
    delta0: float = 0.01,
    sigma0: float = 0.02,
    nu: float = 4.0,
    sd: float = 0.05,
    seed: int = 0,
) -> SufficientStatistics:
    """Data sets drawn from the model, of differing precision."""
    rng = np.random.default_rng(seed)
    counts = np.broadcast_to(np.asarray(n), q)
    rho = 0.1
    sigma = sd * rng.uniform(0.3, 2, q)
    delta = delta0 + sigma0 * rng.standard_t(nu, q)
    mean = delta + sigma * np.sqrt((1 - rho) / counts + rho) * rng.standard_normal(q)
    sample_sd = sigma * np.sqrt((1 - rho) * rng.chisquare(counts - 1) / (counts - 1))
    return statistics_of(mean, sample_sd, counts, rho)


def taken(
    statistics: SufficientStatistics, order: Sequence[int] | ArrayLike
) -> SufficientStatistics:
    """Some of the data sets, in an order."""
    at, s = np.asarray(order, dtype=np.int64), statistics
    names = tuple(s.names[i] for i in at)
    return SufficientStatistics(names, s.n[at], s.mean[at], s.ss[at], s.rho[at])


def scaled(statistics: SufficientStatistics, factor: float) -> SufficientStatistics:
    """The same data in another unit."""
    return replace(statistics, mean=statistics.mean * factor, ss=statistics.ss * factor**2)


# Too few draws for an answer, but enough to see what a sampler does.
FEW = Sampling(chains=2, warmup=100, draws=150, seed=3)


def rising(q: int) -> SufficientStatistics:
    """Data sets with means 0, 0.01, 0.02, …"""
    return statistics_of(0.01 * np.arange(q), np.sqrt(0.02 / 49), n=50)


def sampled(
    q: int, sampling: Sampling = FEW, progress: Progress = no_progress
) -> HierarchicalResult:
    """The Stan engine's answer for these."""
    rope = Rope(-0.01, 0.01)
    data = ModelData(rising(q), rope, nu_prior=nu_prior("corani"))
    return sample_posterior(data, rope, sampling, progress)


def triple(regions: RegionProbabilities[float] | RegionProbabilities[FloatArray]) -> FloatArray:
    """Left, rope, right: (3,) or (3, q)."""
    return np.stack([regions.left, regions.rope, regions.right])


def error_of(result: HierarchicalResult) -> float:
    """The error that the result itself reports."""
    assert result.error is not None
    return result.error.value
