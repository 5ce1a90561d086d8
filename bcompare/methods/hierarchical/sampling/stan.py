"""The posterior of the hierarchical model by Markov chain Monte Carlo, with Stan.

The same model as the quadrature's, in `hierarchical.stan`, and the same result: slower and
with Monte Carlo error, but another way to the same numbers.
"""

import math
from pathlib import Path

import numpy as np

from bcompare.data.rope import FloatArray, Rope
from bcompare.methods.base import Progress, no_progress
from bcompare.methods.hierarchical.canonical import Canonical, canonical
from bcompare.methods.hierarchical.model import HierarchicalResult, ModelData
from bcompare.methods.hierarchical.sampling.chains import Sampling, sample
from bcompare.methods.hierarchical.sampling.draws import Draws, answer, slots

PROGRAM = Path(__file__).with_name("hierarchical.stan")

# Of α and β where there is no ν: the program wants numbers, and does not look at them.
UNUSED = (1.0, 1.0)


def sample_posterior(
    data: ModelData,
    rope: Rope,
    sampling: Sampling,
    *,
    known_sigma: bool = False,
    progress: Progress = no_progress,
) -> HierarchicalResult:
    """The hierarchical test of one pair by sampling.

    Parameters
    ----------
    data : checked statistics, and priors.
    rope : in the scores' unit.
    sampling : how many chains and draws, and the seed.
    known_sigma : empirical Bayes: each σ_i fixed at its maximum-likelihood value.
    progress : called with the iterations done and those to be done, of all chains.

    Raises
    ------
    ComputationError : if CmdStan is not installed, or could not compile or run the program.
    """
    form = canonical(data, rope, known_sigma=known_sigma)
    wanted = stan_data(data, form, known_sigma=known_sigma)
    output = sample(PROGRAM, wanted, sampling, progress)
    return answer(data, form, Draws.of(output, heavy_tails=data.nu_prior is not None))


def stan_data(
    data: ModelData, form: Canonical, *, known_sigma: bool
) -> dict[str, int | float | FloatArray]:
    """What the program's data block asks for; lengths in the unit of the canonical form."""
    order = slots(form)[0]
    statistics, problem, unit = data.statistics, form.problem, form.unit
    low, high = problem.delta0_bounds or (-math.inf, math.inf)
    prior = data.nu_prior
    alpha = UNUSED if prior is None else prior.alpha_bounds
    beta = UNUSED if prior is None else prior.beta_bounds
    return {
        "q": len(statistics),
        "n": statistics.n[order].astype(np.float64),
        "xbar": np.repeat(problem.mean, problem.count.astype(np.int64)),
        "ss": statistics.ss[order] / unit**2,
        "rho": statistics.rho[order],
        "delta0_low": low,
        "delta0_high": high,
        "sigma0_high": problem.sigma0_bound,
        "sigma_known": int(known_sigma),
        "heavy_tails": int(prior is not None),
        "alpha_low": alpha[0],
        "alpha_high": alpha[1],
        "beta_low": beta[0],
        "beta_high": beta[1],
    }
