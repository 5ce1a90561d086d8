"""The hierarchical test's answer from draws of its posterior, whoever made them."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from scipy.special import gammaln, ndtr, stdtr

from bcompare.basis.arguments import arg
from bcompare.basis.errors import ComputationError
from bcompare.basis.notes import Note
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.data.sufficient import IntArray, read_only
from bcompare.methods.base import ErrorEstimate
from bcompare.methods.hierarchical.canonical import Canonical
from bcompare.methods.hierarchical.mirror import balanced, mirrored
from bcompare.methods.hierarchical.model import (
    INTERVAL_LEVELS,
    SHOWN_LEVEL,
    Density,
    HierarchicalDatasets,
    HierarchicalResult,
    Marginal,
    ModelData,
    ml_sigma,
)
from bcompare.methods.hierarchical.sampling.diagnostics import diagnose, ess_mean
from bcompare.methods.hierarchical.trust import SamplerDiagnostics
from bcompare.methods.wilcoxon import wilcoxon

# Of what is drawn again from the sampler's draws: the same draws, the same answer.
SEED = 20170611

# Points of a plotted curve, and draws behind that of the next data set.
CURVE_POINTS = 200
CURVE_DRAWS = 1000


@dataclass(frozen=True, eq=False, slots=True)
class Draws:
    """Draws from the posterior of a problem in canonical form, in its unit.

    delta0, sigma0, nu : (chains, draws); nu is None where the prior fixes it at infinity.
    delta : (chains, draws, q), the data sets in the order of `slots`.
    energy : (chains, draws) of the sampler. divergent : (chains, draws) 1 where a transition
        left the true path, else 0.
    """

    delta0: FloatArray
    sigma0: FloatArray
    nu: FloatArray | None
    delta: FloatArray
    energy: FloatArray
    divergent: FloatArray

    @classmethod
    def of(cls, output: Mapping[str, FloatArray], *, heavy_tails: bool) -> "Draws":
        """The draws among the output of the Stan program, by the names that they have there."""
        return cls(
            delta0=output["delta0"],
            sigma0=output["sigma0"],
            nu=output["nu"] if heavy_tails else None,
            delta=output["delta"],
            energy=output["energy__"],
            divergent=output["divergent__"],
        )


def slots(form: Canonical) -> tuple[IntArray, IntArray]:
    """The order in which data sets are sampled: all of them, equal ones next to each other.

    Returns (q,) which data set is sampled at each place, and (q,) at which place each data set
    is read: equal data sets at the same one, so that their answers are equal too.
    """
    count = form.problem.count.astype(np.int64)
    first = np.unique(form.place, return_index=True)[1]
    start = np.cumsum(count) - count
    return np.repeat(first, count), start[form.place]


def answer(data: ModelData, form: Canonical, draws: Draws) -> HierarchicalResult:
    """The hierarchical test's result: Corani 2017, §3.1, with shares of draws as probabilities.

    Where the diagnostics are bad, the result says so and withholds the verdict.

    Raises
    ------
    ComputationError : if there is nothing to sum up: draws that are not numbers or do not move.
    """
    _check(draws)
    mean_difference = data.statistics.mean
    theta = region_masses(draws, form.rope)
    won = wins(theta)
    place = slots(form)[1]
    sampler = _diagnostics(data, draws, place)
    result = HierarchicalResult(
        probabilities=_mean(won),
        next_dataset=_mean(won),
        error=ErrorEstimate(
            "monte-carlo", max(share_error(region) for region in (won.left, won.rope, won.right))
        ),
        nhst=wilcoxon(mean_difference),
        notes=data.notes + _sampler_notes(sampler),
        withheld="; ".join(sampler.problems) or None,
        datasets=_datasets(data, form, draws, place),
        delta0=_on_line(draws.delta0, form.unit),
        sigma0=_above(0.0, draws.sigma0, form.unit),
        nu=None if draws.nu is None else _above(1.0, draws.nu, 1.0),
        theta_mean=_mean(theta),
        delta0_regions=_shares(draws.delta0.ravel(), form.rope),
        p_delta0_positive=float((draws.delta0 > 0).mean()),
        next_delta=_next_delta(draws, form),
        sampler=sampler,
    )
    if form.mirrored:
        result = mirrored(result)
    if form.image is not None:
        first = np.unique(form.place, return_index=True)[1]
        result = balanced(result, first[form.image[form.place]])
    return result


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


def region_masses(draws: Draws, rope: Rope) -> RegionProbabilities[FloatArray]:
    """Probability of each region on the next data set, for every draw: (chains, draws)."""
    left = _student_cdf((rope.low - draws.delta0) / draws.sigma0, draws.nu)
    right = _student_cdf((draws.delta0 - rope.high) / draws.sigma0, draws.nu)
    middle = np.zeros_like(left) if rope.is_empty else np.maximum(1 - (left + right), 0.0)
    return RegionProbabilities(left=left, rope=middle, right=right)


def _student_cdf(x: FloatArray, nu: FloatArray | None) -> FloatArray:
    return np.asarray(ndtr(x) if nu is None else stdtr(nu, x))


def wins(theta: RegionProbabilities[FloatArray]) -> RegionProbabilities[FloatArray]:
    """For every draw 1 for the region that is the most probable, 0 for the others."""
    largest = np.argmax([theta.left, theta.rope, theta.right], axis=0)
    left, middle, right = ((largest == region).astype(np.float64) for region in range(3))
    return RegionProbabilities(left=left, rope=middle, right=right)


def share_error(won: FloatArray) -> float:
    """Monte Carlo standard error of the share of ones among (chains, draws) zeros and ones.

    The standard deviation of the share's posterior under Jeffreys' prior, given as many
    independent draws as these are worth: not 0 where all draws agree.
    """
    size = ess_mean(won)
    independent = won.size if math.isnan(size) else min(size, won.size)
    share = (float(won.mean()) * independent + 0.5) / (independent + 1)
    return math.sqrt(share * (1 - share) / (independent + 2))


def _mean(draws: RegionProbabilities[FloatArray]) -> RegionProbabilities[float]:
    return RegionProbabilities(
        left=float(draws.left.mean()),
        rope=float(draws.rope.mean()),
        right=float(draws.right.mean()),
    )


def _shares(draws: FloatArray, rope: Rope) -> RegionProbabilities[float]:
    """The shares of (draws,) in the regions."""
    left, right = float((draws < rope.low).mean()), float((draws > rope.high).mean())
    return RegionProbabilities(left=left, rope=max(1 - (left + right), 0.0), right=right)


def _datasets(
    data: ModelData, form: Canonical, draws: Draws, place: IntArray
) -> HierarchicalDatasets:
    """The answers for the data sets, each from the draws of δ at its place."""
    unit, rope = form.unit, form.rope
    delta = draws.delta.reshape(-1, draws.delta.shape[2])[:, place]
    left = (delta < rope.low).mean(axis=0)
    right = (delta > rope.high).mean(axis=0)
    mean_difference, ml = data.statistics.mean, ml_sigma(data.statistics)
    ratio, shrinkage = spread_and_shrinkage(form, draws)
    tails = [(1 - SHOWN_LEVEL) / 2, (1 + SHOWN_LEVEL) / 2]
    interval = np.quantile(ratio, tails, axis=0).T
    return HierarchicalDatasets(
        probabilities=RegionProbabilities(
            left=read_only(left),
            rope=read_only(np.maximum(1 - (left + right), 0.0)),
            right=read_only(right),
        ),
        mean_difference=read_only(
            0.0 - mean_difference if form.mirrored else mean_difference.copy()
        ),
        delta_mean=read_only(unit * delta.mean(axis=0)),
        delta_sd=read_only(unit * delta.std(axis=0, ddof=1)),
        delta_intervals={
            level: read_only(
                unit * np.quantile(delta, [(1 - level) / 2, (1 + level) / 2], axis=0).T
            )
            for level in INTERVAL_LEVELS
        },
        sigma_mean=read_only(ml * ratio.mean(axis=0)[place]),
        sigma_interval=read_only(ml[:, None] * interval[place]),
        sigma_ml=read_only(ml),
        shrinkage=read_only(shrinkage[place]),
    )


def spread_and_shrinkage(form: Canonical, draws: Draws) -> tuple[FloatArray, FloatArray]:
    """(draws, q) of σ_i over its maximum-likelihood value, and (q,) the mean shrinkage.

    Given δ_i, δ0, σ0 and ν both Students' mixing variables are independent Gammas, and are drawn
    again: λ_i, and κ_i, which is SS_i/((n_i - 2)(1 - ρ_i)) over σ_i². The data sets are in the
    order of `slots`.
    """
    problem = form.problem
    repeats = problem.count.astype(np.int64)
    mean, scale, shape = (
        np.repeat(values, repeats) for values in (problem.mean, problem.scale, problem.shape)
    )
    delta = draws.delta.reshape(-1, draws.delta.shape[2])
    delta0, sigma0 = draws.delta0.reshape(-1, 1), draws.sigma0.reshape(-1, 1)
    rng = np.random.default_rng(SEED)
    ratio, of_data = np.ones_like(delta), np.broadcast_to(scale**2, delta.shape)
    if np.isfinite(shape).all():
        rate = shape + ((delta - mean) / scale) ** 2 / 2
        kappa = rng.standard_gamma(shape + 0.5, delta.shape) / rate
        # κ = 1 where σ_i² = SS_i/((n_i - 2)(1 - ρ_i)), n_i/(n_i - 2) times the ML value
        ratio, of_data = np.sqrt((shape + 1) / shape / kappa), scale**2 / kappa
    of_prior = sigma0**2
    if draws.nu is not None:
        half_nu = draws.nu.reshape(-1, 1) / 2
        rate = half_nu + ((delta - delta0) / sigma0) ** 2 / 2
        of_prior = of_prior * rate / rng.standard_gamma(half_nu + 0.5, delta.shape)
    return ratio, np.asarray((of_data / (of_data + of_prior)).mean(axis=0))


def _diagnostics(data: ModelData, draws: Draws, place: IntArray) -> SamplerDiagnostics:
    quantities = {"δ0": draws.delta0, "σ0": draws.sigma0}
    if draws.nu is not None:
        quantities["ν"] = draws.nu
    for name, at in zip(data.statistics.names, place, strict=True):
        quantities[f"δ of data set {name}"] = draws.delta[:, :, at]
    return diagnose(quantities, draws.energy, int(draws.divergent.sum()))


def _sampler_notes(sampler: SamplerDiagnostics) -> tuple[Note, ...]:
    if not sampler.problems:
        return ()
    return (
        Note(
            "sampler",
            "warning",
            f"the sampler's draws cannot be trusted: {'; '.join(sampler.problems)}. There is no "
            f"verdict; take more draws ({arg('draws')}), or use {arg('engine', 'quadrature')}",
        ),
    )


def _on_line(draws: FloatArray, unit: float) -> Marginal:
    """Posterior of a parameter that may have any value: `unit` times its draws."""
    centre, width = np.median(draws), _quartile_range(draws)
    grid, density, cdf = _smoothed(np.arcsinh((draws - centre) / width))
    slope = width * np.cosh(grid)
    return _marginal(0.0, draws, centre + width * np.sinh(grid), density / slope, cdf, unit)


def _above(bound: float, draws: FloatArray, unit: float) -> Marginal:
    """Posterior of a parameter above a bound: `unit` times its draws."""
    excess = draws - bound
    grid, density, cdf = _smoothed(np.log(excess))
    value = np.exp(grid)
    return _marginal(bound, excess, value, density / value, cdf, unit)


def _marginal(
    offset: float,
    draws: FloatArray,
    value: FloatArray,
    density: FloatArray,
    cdf: FloatArray,
    unit: float,
) -> Marginal:
    """Summaries of offset + unit · draws, with the curves of the draws at `value`."""
    tails = [(1 + sign * level) / 2 for level in INTERVAL_LEVELS for sign in (-1, 1)]
    median, *ends = (offset + unit * np.quantile(draws, [0.5, *tails])).tolist()
    return Marginal(
        mean=offset + unit * float(draws.mean()),
        sd=unit * float(draws.std(ddof=1)),
        median=median,
        intervals={
            level: (low, high)
            for level, low, high in zip(INTERVAL_LEVELS, ends[::2], ends[1::2], strict=True)
        },
        density=Density(
            grid=read_only(offset + unit * value),
            density=read_only(density / unit),
            cdf=read_only(cdf),
        ),
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
    thinned = slice(None, None, max(1, draws.delta0.size // CURVE_DRAWS))
    delta0, sigma0 = draws.delta0.ravel()[thinned], draws.sigma0.ravel()[thinned]
    nu = None if draws.nu is None else draws.nu.ravel()[thinned]
    centre, width = float(np.median(delta0)), float(np.median(sigma0))
    far = max(np.abs(form.problem.mean - centre).max(), np.abs(delta0 - centre).max())
    reach = math.asinh(10 + far / width)
    grid = np.linspace(-reach, reach, CURVE_POINTS)
    value = centre + width * np.sinh(grid)
    z = (value[:, None] - delta0) / sigma0
    return Density(
        grid=read_only(form.unit * value),
        density=read_only((_student_density(z, nu) / sigma0).mean(axis=1) / form.unit),
        cdf=read_only(_student_cdf(z, nu).mean(axis=1)),
    )


def _student_density(z: FloatArray, nu: FloatArray | None) -> FloatArray:
    if nu is None:
        return np.asarray(np.exp(-(z**2) / 2) / math.sqrt(2 * math.pi))
    height = np.exp(gammaln((nu + 1) / 2) - gammaln(nu / 2)) / np.sqrt(np.pi * nu)
    return np.asarray(height * (1 + z**2 / nu) ** (-(nu + 1) / 2))
