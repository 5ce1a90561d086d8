"""The posterior of the hierarchical model by Markov chain Monte Carlo, with Stan.

The same model as the quadrature's, in `hierarchical.stan`, and the same result: slower and
with Monte Carlo error, but another way to the same numbers.
"""

import math
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from scipy.special import ndtr, stdtr

from bcompare.basis.messages import ComputationError, Note, arg
from bcompare.basis.progress import Progress, no_progress
from bcompare.data.rope import FloatArray, IntArray, RegionProbabilities, Rope
from bcompare.methods.hierarchical.canonical import Canonical
from bcompare.methods.hierarchical.diagnostics import SamplerDiagnostics, share_error
from bcompare.methods.hierarchical.model import ModelData, theta_of
from bcompare.methods.hierarchical.result import (
    NO_DATASETS,
    SHOWN_LEVEL,
    TAILS,
    Density,
    HierarchicalDatasets,
    HierarchicalResult,
    Marginal,
)
from bcompare.methods.hierarchical.sampling.cmdstan import Sampling, sample
from bcompare.methods.result_parts import ErrorEstimate
from bcompare.methods.wilcoxon import wilcoxon
from bcompare.version import install_command

PROGRAM = Path(__file__).with_name("hierarchical.stan")

# α and β where there is no ν: the program wants numbers, and does not look at them.
UNUSED = (1.0, 1.0)

# Seed of the mixing variables, which are drawn again: the same draws, the same answer.
SEED = 20170611

# Points of a plotted curve, and draws behind that of the next data set.
CURVE_POINTS = 200
CURVE_DRAWS = 1000


@dataclass(frozen=True, eq=False, slots=True)
class Draws:
    """Draws from the posterior of a problem in canonical form, in its unit.

    delta0, sigma0, nu : (chains, draws); nu is None where the prior fixes it at infinity.
    delta : (chains, draws, q), the data sets in the order of `slots`.
    energy : (chains, draws) of the sampler.
    divergent : (chains, draws) 1 where a transition left the true path, else 0.
    """

    delta0: FloatArray
    sigma0: FloatArray
    nu: FloatArray | None
    delta: FloatArray
    energy: FloatArray
    divergent: FloatArray


def sample_posterior(
    data: ModelData, rope: Rope, sampling: Sampling, progress: Progress = no_progress
) -> HierarchicalResult:
    """The hierarchical test of one pair by sampling.

    Parameters
    ----------
    data : checked statistics, and priors.
    rope : in the scores' unit.
    sampling : how many chains and draws, and the seed.
    progress : called with the iterations done and those to be done, of all chains.

    Raises
    ------
    ComputationError : if ArviZ or CmdStan is not installed, or CmdStan could not compile or run
        the program.
    """
    if find_spec("arviz_stats") is None:
        raise ComputationError(
            f"the Stan engine needs ArviZ, which is not installed: {install_command('stan')}"
        )
    form = Canonical(data, rope)
    return answer(form, posterior_draws(form, sampling, progress))


def posterior_draws(form: Canonical, sampling: Sampling, progress: Progress = no_progress) -> Draws:
    """Sample the posterior of the problem in canonical form; see `sample_posterior`."""
    names, values = sample(PROGRAM, stan_data(form), sampling, progress)
    delta0 = values[:, :, names.index("delta0")]
    sigma0 = values[:, :, names.index("sigma0")]
    nu = values[:, :, names.index("nu")]
    energy = values[:, :, names.index("energy__")]
    divergent = values[:, :, names.index("divergent__")]
    delta = values[:, :, [i for i, name in enumerate(names) if name.startswith("delta.")]]
    has_nu = form.data.nu_prior is not None
    return Draws(delta0, sigma0, nu if has_nu else None, delta, energy, divergent)


def stan_data(form: Canonical) -> dict[str, int | float | FloatArray]:
    """What the program's data block asks for; lengths in the unit of the canonical form."""
    order = slots(form)[0]
    data = form.data
    problem = form.problem
    unit = form.unit
    statistics = data.statistics
    low, high = problem.delta0_bounds or (-math.inf, math.inf)
    prior = data.nu_prior
    alpha, beta = (UNUSED, UNUSED) if prior is None else (prior.alpha_bounds, prior.beta_bounds)
    return {
        "q": len(statistics),
        "n": statistics.n[order].astype(np.float64),
        "xbar": np.repeat(problem.mean, problem.count.astype(np.int64)),
        "ss": statistics.ss[order] / unit**2,
        "rho": statistics.rho[order],
        "delta0_low": low,
        "delta0_high": high,
        "sigma0_high": problem.sigma0_bound,
        "sigma_known": int(data.known_sigma),
        "heavy_tails": int(prior is not None),
        "alpha_low": alpha[0],
        "alpha_high": alpha[1],
        "beta_low": beta[0],
        "beta_high": beta[1],
    }


def slots(form: Canonical) -> tuple[IntArray, IntArray]:
    """The order in which data sets are sampled: all of them, equal ones next to each other.

    Returns (q,) which data set is sampled at each place, and (q,) at which place each data set
    is read: equal data sets at the same one, so that their answers are equal too.
    """
    count = form.problem.count.astype(np.int64)
    first = np.unique(form.place, return_index=True)[1]
    start = np.cumsum(count) - count
    return np.repeat(first, count), start[form.place]


def answer(form: Canonical, draws: Draws) -> HierarchicalResult:
    """The hierarchical test's result: Corani 2017, §3.1, with shares of draws as probabilities.

    Where the diagnostics are bad, the result says so and withholds the verdict.

    Raises
    ------
    ComputationError : if there is nothing to sum up: draws that are not numbers or do not move.
    """
    _check(draws)
    nu = math.inf if draws.nu is None else draws.nu
    theta = theta_of(draws.delta0, draws.sigma0, nu, form.rope)
    largest = np.argmax(theta, axis=0)
    won = [(largest == region).astype(np.float64) for region in range(3)]
    probabilities = RegionProbabilities(*(float(region.mean()) for region in won))
    sampler = _diagnostics(form, draws)
    notes = form.data.notes
    withheld = "; ".join(sampler.problems)
    if withheld:
        warning = (
            f"the sampler's draws cannot be trusted: {withheld}. There is no verdict; take "
            f"more draws ({arg('draws')}), or use {arg('engine', 'quadrature')}"
        )
        notes = (*notes, Note("sampler", "warning", warning))
    theta_mean = [float(region.mean()) for region in theta]
    delta0_regions = _shares(draws.delta0.ravel(), form.rope)
    result = HierarchicalResult(
        probabilities=probabilities,
        next_dataset=probabilities,
        error=ErrorEstimate("monte-carlo", max(map(share_error, won))),
        nhst=wilcoxon(form.data.statistics.mean),
        notes=notes,
        withheld=withheld or None,
        datasets=NO_DATASETS,
        delta0=_marginal(draws.delta0, form.unit),
        sigma0=_marginal(draws.sigma0, form.unit, 0.0),
        nu=None if draws.nu is None else _marginal(draws.nu, 1.0, 1.0),
        theta_mean=RegionProbabilities(*theta_mean),
        delta0_regions=RegionProbabilities(*map(float, delta0_regions)),
        p_delta0_positive=float((draws.delta0 > 0).mean()),
        next_delta=_next_delta(draws, form),
        sampler=sampler,
    )
    return form.restored(result, _datasets(form, draws))


def _check(draws: Draws) -> None:
    for values in (draws.delta0, draws.sigma0, draws.nu, draws.delta):
        if values is not None and not np.isfinite(values).all():
            raise ComputationError(
                f"some of the sampler's draws are not numbers: try another seed ({arg('seed')}), "
                f"or use {arg('engine', 'quadrature')}"
            )
        if values is not None and values.ndim == 2 and _quartile_range(values) == 0:
            raise ComputationError(
                f"the sampler's chains do not move: take more draws ({arg('draws')}), or use "
                f"{arg('engine', 'quadrature')}"
            )


def _quartile_range(draws: FloatArray) -> float:
    low, high = np.quantile(draws, [0.25, 0.75])
    return float(high - low)


def _shares(draws: FloatArray, rope: Rope) -> tuple[FloatArray, FloatArray, FloatArray]:
    """The shares of (draws, …) to the left of the rope, in it and to the right, (…) each."""
    left = (draws < rope.low).mean(axis=0)
    right = (draws > rope.high).mean(axis=0)
    return left, np.maximum(1 - (left + right), 0.0), right


def _datasets(form: Canonical, draws: Draws) -> HierarchicalDatasets:
    """The answers for the data sets.

    Given δ_i, δ0, σ0 and ν both Students' mixing variables are independent Gammas, and are drawn
    again: λ_i, and κ_i, which is SS_i/((n_i - 2)(1 - ρ_i)) over σ_i².
    """
    problem = form.problem
    repeats = problem.count.astype(np.int64)
    mean = np.repeat(problem.mean, repeats)
    scale = np.repeat(problem.scale, repeats)
    shape = np.repeat(problem.shape, repeats)
    delta = draws.delta.reshape(-1, draws.delta.shape[2])
    delta0 = draws.delta0.reshape(-1, 1)
    sigma0 = draws.sigma0.reshape(-1, 1)
    rng = np.random.default_rng(SEED)
    ratio = np.ones_like(delta)
    of_data = np.broadcast_to(scale**2, delta.shape)
    if np.isfinite(shape).all():
        rate = shape + ((delta - mean) / scale) ** 2 / 2
        kappa = rng.standard_gamma(shape + 0.5, delta.shape) / rate
        # κ = 1 where σ_i² = SS_i/((n_i - 2)(1 - ρ_i)), n_i/(n_i - 2) times the ML value
        ratio = np.sqrt((shape + 1) / shape / kappa)
        of_data = scale**2 / kappa
    of_prior = sigma0**2
    if draws.nu is not None:
        half_nu = draws.nu.reshape(-1, 1) / 2
        rate = half_nu + ((delta - delta0) / sigma0) ** 2 / 2
        of_prior = of_prior * rate / rng.standard_gamma(half_nu + 0.5, delta.shape)
    tails = [(1 - SHOWN_LEVEL) / 2, (1 + SHOWN_LEVEL) / 2]
    delta = np.asfortranarray(delta)  # sums by column
    return form.datasets(
        slots(form)[1],
        probabilities=_shares(delta, form.rope),
        delta_mean=delta.mean(axis=0),
        delta_sd=delta.std(axis=0, ddof=1),
        quantiles=np.quantile(delta, TAILS, axis=0).T,
        sigma_mean=ratio.mean(axis=0),
        sigma_interval=np.quantile(ratio, tails, axis=0).T,
        shrinkage=np.asarray((of_data / (of_data + of_prior)).mean(axis=0)),
    )


def _diagnostics(form: Canonical, draws: Draws) -> SamplerDiagnostics:
    quantities = {"δ0": draws.delta0, "σ0": draws.sigma0}
    if draws.nu is not None:
        quantities["ν"] = draws.nu
    for name, slot in zip(form.data.statistics.names, slots(form)[1], strict=True):
        quantities[f"δ of data set {name}"] = draws.delta[:, :, slot]
    return SamplerDiagnostics.of(quantities, draws.energy, int(draws.divergent.sum()))


def _marginal(draws: FloatArray, unit: float, bound: float | None = None) -> Marginal:
    """Posterior of a parameter, `unit` times its draws; they lie above the bound, if there is one.

    The curves are smoothed in a variable that may have any value.
    """
    offset = bound or 0.0
    excess = draws - offset
    if bound is None:
        centre = np.median(draws)
        width = _quartile_range(draws)
        grid, density, cdf = _smoothed(np.arcsinh((draws - centre) / width))
        value = centre + width * np.sinh(grid)
        slope = width * np.cosh(grid)
    else:
        grid, density, cdf = _smoothed(np.log(excess))
        value = slope = np.exp(grid)
    return Marginal.of(
        offset + unit * float(excess.mean()),
        unit * float(excess.std(ddof=1)),
        (offset + unit * np.quantile(excess, [0.5, *TAILS])).tolist(),
        Density(offset + unit * value, density / slope / unit, cdf),
    )


def _smoothed(x: FloatArray) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Gaussian kernel estimate of a distribution: grid, density and cdf, (CURVE_POINTS,) each.

    The bandwidth is Silverman's rule of thumb (Density Estimation, 1986, eq. 3.31).
    """
    spread = min(float(x.std()), _quartile_range(x) / 1.34)
    bandwidth = 0.9 * spread * x.size**-0.2
    reach = 4 * bandwidth
    edges = np.linspace(x.min() - reach, x.max() + reach, CURVE_POINTS + 1)
    grid = (edges[1:] + edges[:-1]) / 2
    share = np.histogram(x, edges)[0] / x.size
    distance = (grid[:, None] - grid) / bandwidth
    density = np.exp(-(distance**2) / 2) @ share / (bandwidth * math.sqrt(2 * math.pi))
    return grid, density, ndtr(distance) @ share


def _next_delta(draws: Draws, form: Canonical) -> Density:
    """The mean over draws of the Student that the next data set's δ follows."""
    from scipy.stats import t

    thinned = slice(None, None, max(1, draws.delta0.size // CURVE_DRAWS))
    delta0 = draws.delta0.ravel()[thinned]
    sigma0 = draws.sigma0.ravel()[thinned]
    nu = math.inf if draws.nu is None else draws.nu.ravel()[thinned]
    centre = float(np.median(delta0))
    width = float(np.median(sigma0))
    far = max(np.abs(form.problem.mean - centre).max(), np.abs(delta0 - centre).max())
    reach = math.asinh(10 + far / width)
    grid = np.linspace(-reach, reach, CURVE_POINTS)
    value = centre + width * np.sinh(grid)
    z = (value[:, None] - delta0) / sigma0
    density = (t.pdf(z, nu) / sigma0).mean(axis=1) / form.unit
    return Density(form.unit * value, density, stdtr(nu, z).mean(axis=1))
