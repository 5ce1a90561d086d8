"""The hierarchical posterior once more, by nested sums over Student densities that converge.

Nothing here knows of mixtures, of interpolation or of the engine's grids. It looks where the
posterior is, so that two passes, one finer, take seconds. Gauss-Legendre panels everywhere, with
joints wherever an integrand has a kink or an end: the borders of the winning regions, which are
found by bisection, those of the rope, the bounds of δ0.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from scipy.optimize import brentq
from scipy.special import gammaln, stdtr
from scipy.stats import gamma
from scipy.stats import t as student_t

from bcompare.data.rope import FloatArray, Rope
from bcompare.methods.hierarchical.model import ModelData

# The integral over one δ_i has joints at so many scales from either centre.
STEPS = np.array([1, 2.5, 6, 20, 100, 1e4])
STEPS = np.concatenate([-STEPS[::-1], [0.0], STEPS])

# A part of the range with less than this share of the posterior is left out.
LITTLE = 1e-9

# Passes agree well enough within this; the finest may not.
CLOSE = 5e-6
FINENESS = (0.75, 1.0, 1.4)

Rule = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, eq=False)
class Model:
    """Likelihoods and priors, written down as they stand in the paper."""

    mean: FloatArray
    scale: FloatArray
    dof: FloatArray
    sigma0_bound: float
    delta0_bounds: tuple[float, float]
    nu_density: Callable[[FloatArray], FloatArray] | None

    @classmethod
    def of(cls, data: ModelData) -> "Model":
        s, known_sigma = data.statistics, data.known_sigma
        spread = np.sqrt(s.ss / (s.n if known_sigma else s.n - 2) * (1 / s.n + s.rho / (1 - s.rho)))
        far = 3e4 * (data.sigma0_bound / 1000)
        prior = data.nu_prior

        def nu_density(excess: FloatArray) -> FloatArray:
            assert prior is not None
            alphas, betas = (
                np.linspace(low, high, 201) if low < high else np.array([low])
                for low, high in (prior.alpha_bounds, prior.beta_bounds)
            )
            total = np.zeros_like(excess)
            for alpha, in_alpha in zip(alphas, simpson(alphas.size), strict=True):
                density = gamma.pdf(excess[:, None], alpha, scale=1 / betas)
                total += in_alpha * (density @ simpson(betas.size))
            return total

        return cls(
            mean=s.mean,
            scale=spread,
            dof=np.where(known_sigma, math.inf, s.n - 2.0),
            sigma0_bound=data.sigma0_bound,
            delta0_bounds=data.delta0_bounds or (-far, far),
            nu_density=None if prior is None else nu_density,
        )


def panels(low: float, high: float, count: int, nodes: int = 8) -> Rule:
    """Gauss-Legendre rule on `count` equal panels."""
    x, w = np.polynomial.legendre.leggauss(nodes)
    edges = np.linspace(low, high, count + 1)
    half = np.diff(edges) / 2
    return (
        ((edges[:-1] + edges[1:]) / 2 + half * x[:, None]).T.ravel(),
        (half * w[:, None]).T.ravel(),
    )


def simpson(count: int) -> FloatArray:
    """Weights of Simpson's rule for the mean over an interval."""
    if count == 1:
        return np.ones(1)
    weight = np.ones(count)
    weight[1:-1:2], weight[2:-1:2] = 4, 2
    return np.asarray(weight / weight.sum(), dtype=np.float64)


PROBABILITIES = ("probabilities", "theta_mean", "delta0_regions", "datasets", "positive")


def settled(data: ModelData, rope: Rope) -> dict[str, FloatArray]:
    """The answers of the finest pass, and how far the one before it was from them."""
    model = Model.of(data)
    result = answers(model, rope, FINENESS[0])
    for fineness in FINENESS[1:]:
        before, result = result, answers(model, rope, fineness)
        apart = max(float(np.abs(result[name] - before[name]).max()) for name in PROBABILITIES)
        if apart <= CLOSE:
            break
    return {name: result[name] for name in PROBABILITIES} | {"apart": np.array(apart)}


def answers(model: Model, rope: Rope, fineness: float) -> dict[str, FloatArray]:
    """All three probabilities each, those of the data sets (3, q); and first and second moments.

    The moments of δ0 and σ0 (2,) each, of the δ_i (2, q); the mean of ν, where it is finite.
    """
    total, sums = 0.0, dict[str, FloatArray]()

    def add(name: str, value: FloatArray | list[float]) -> None:
        sums[name] = sums.get(name, 0.0) + np.asarray(value)

    for nu, sigma0, weight, ends in relevant_cells(model, rope, fineness):
        borders = win_borders(sigma0, nu, rope)
        edges = np.unique(np.clip([*ends, *borders, rope.low, rope.high, 0.0], *ends))
        for low, high in pairwise(edges.tolist()):
            delta0, in_delta0 = delta0_rule(model, sigma0, low, high, fineness)
            m, below, above, *powers = moments(
                model, delta0, sigma0, nu, rope, nodes=math.ceil(5 * fineness)
            )
            mass = m.prod(axis=0) * in_delta0 * weight
            centre = (low + high) / 2
            here = float(mass.sum())
            total += here
            won = thetas(np.array([centre]), sigma0, nu, rope)[:, 0].argmax()
            where = 0 if centre < rope.low else 2 if centre > rope.high else 1
            share = mass / np.maximum(m, 1e-250)
            left, right = (below * share).sum(axis=1), (above * share).sum(axis=1)
            add("probabilities", here * np.eye(3)[won])
            add("theta_mean", thetas(delta0, sigma0, nu, rope) @ mass)
            add("delta0_regions", here * np.eye(3)[where])
            add("positive", [here * (centre > 0)])
            add("datasets", np.stack([left, here - left - right, right]))
            add("delta0", [mass @ delta0, mass @ delta0**2])
            add("sigma0", [here * sigma0, here * sigma0**2])
            if math.isfinite(nu):
                add("nu", [here * nu])
            add("deltas", np.stack([(power * share).sum(axis=1) for power in powers]))
    return {name: value / total for name, value in sums.items()}


def moments(
    model: Model, delta0: FloatArray, sigma0: float, nu: float, rope: Rope, nodes: int
) -> FloatArray:
    """(5, q, δ0): ∫ L_i(δ) t(δ; δ0, σ0, ν) dδ over all δ, below the rope, above it; times δ, δ²."""
    out = np.empty((5, model.mean.size, delta0.size))
    x, w = np.polynomial.legendre.leggauss(nodes)
    for i in range(model.mean.size):
        mean, scale, dof = model.mean[i], model.scale[i], model.dof[i]
        joints = [
            np.broadcast_to(mean + scale * STEPS, (delta0.size, STEPS.size)),
            delta0[:, None] + sigma0 * STEPS,
            np.broadcast_to([rope.low, rope.high], (delta0.size, 2)),
        ]
        edges = np.sort(np.concatenate(joints, axis=1), axis=1)
        half = np.diff(edges)[:, :, None] / 2
        delta = edges[:, :-1, None] + half * (1 + x)
        logs = log_student((delta - mean) / scale, dof)
        density = np.exp(logs + log_student((delta - delta0[:, None, None]) / sigma0, nu))
        panel = (density @ w) * half[:, :, 0]
        middle = (edges[:, 1:] + edges[:, :-1]) / 2
        out[:, i] = [
            panel.sum(axis=1),
            (panel * (middle < rope.low)).sum(axis=1),
            (panel * (middle > rope.high)).sum(axis=1),
            *((((density * delta**k) @ w) * half[:, :, 0]).sum(axis=1) for k in (1, 2)),
        ]
        constant = -0.5 * math.log(2 * math.pi)
        if math.isfinite(nu):
            constant = gammaln((nu + 1) / 2) - gammaln(nu / 2) - 0.5 * math.log(nu * math.pi)
        out[:, i] *= math.exp(constant) / sigma0 / scale
    return out


def log_student(z: FloatArray, dof: float) -> FloatArray:
    """Log of the standard Student density, up to a constant."""
    return -0.5 * z**2 if math.isinf(dof) else -(dof + 1) / 2 * np.log1p(z**2 / dof)


def sigma0_rule(model: Model, nu: float, rope: Rope, fineness: float) -> Rule:
    """One panel of σ0 from 0 on, then panels of its log; a joint where the rope's reach ends."""
    joint = (rope.high - rope.low) / 2 / float(student_t.ppf(2 / 3, nu))
    low, high = min(float(model.scale.min()) / 30, model.sigma0_bound / 2), model.sigma0_bound
    node, weight = panels(0.0, low, 1, nodes=6)
    nodes, weights = [node], [weight]
    edges = [low, min(max(joint, low * 1.01), high * 0.99), high]
    edges = sorted({*edges, *(s for s in met_bounds(model, nu, rope, joint) if low < s < high)})
    for a, b in pairwise(edges):
        count = math.ceil(math.log(b / a) * fineness / 1.2)
        log_sigma0, weight = panels(math.log(a), math.log(b), count, nodes=7)
        nodes.append(np.exp(log_sigma0))
        weights.append(weight * np.exp(log_sigma0))
    return np.concatenate(nodes), np.concatenate(weights)


def met_bounds(model: Model, nu: float, rope: Rope, joint: float) -> list[float]:
    """The σ0 at which a border of the winning regions passes a bound of δ0."""
    result = []
    for bound in model.delta0_bounds:
        for side in (0, -1):

            def beyond(log_sigma0: float, bound: float = bound, side: int = side) -> float:
                return win_borders(math.exp(log_sigma0), nu, rope)[side] - bound

            ends = math.log(joint) - 40 if joint > 0 else 0.0, math.log(max(joint, 1e-300)) - 1e-9
            if joint > 0 and beyond(ends[0]) * beyond(ends[1]) < 0:
                result.append(math.exp(float(brentq(beyond, *ends))))
    return result


def nu_rule(model: Model, fineness: float) -> Rule:
    """The trapezoidal rule over log(ν - 1); below its first node the integrand falls like ν - 1."""
    if model.nu_density is None:
        return np.array([math.inf]), np.ones(1)
    step = 0.75 / fineness
    u = np.arange(-6.0, 7.5, step)
    weight = step * np.exp(u) * model.nu_density(np.exp(u))
    weight[0] = np.exp(u[0]) * model.nu_density(np.exp(u[:1]))[0] * step / -math.expm1(-step)
    keep = weight > 1e-11 * weight.max()
    return 1 + np.exp(u[keep]), weight[keep]


def delta0_rule(model: Model, sigma0: float, low: float, high: float, fineness: float) -> Rule:
    """Panels dense around the data sets' median, and never far wider than σ0 and their spread."""
    centre = float(np.median(model.mean))
    width = math.hypot(float(np.median(model.scale)), sigma0) / math.sqrt(model.mean.size)
    first, last = (math.asinh((x - centre) / width) for x in (low, high))
    u, w = panels(first, last, math.ceil((last - first) * fineness / 1.5))
    return centre + width * np.sinh(u), w * width * np.cosh(u)


Cell = tuple[float, float, float, tuple[float, float]]


def relevant_cells(model: Model, rope: Rope, fineness: float) -> list[Cell]:
    """ν, σ0, weight and range of δ0, wherever there is any posterior mass to speak of."""
    result: list[tuple[float, Cell]] = []
    for nu, in_nu in zip(*nu_rule(model, fineness), strict=True):
        for sigma0, in_sigma0 in zip(*sigma0_rule(model, nu, rope, fineness), strict=True):
            first, last = model.delta0_bounds
            delta0, weight = delta0_rule(model, sigma0, first, last, 0.45)
            mass = moments(model, delta0, sigma0, nu, rope, nodes=2)[0].prod(axis=0) * weight
            mass *= in_nu * in_sigma0
            within = np.flatnonzero(mass > LITTLE * 0.01 * mass.max())
            if within.size == 0:
                continue
            low = first if within[0] == 0 else float(delta0[max(within[0] - 2, 0)])
            high = (
                last
                if within[-1] == mass.size - 1
                else float(delta0[min(within[-1] + 2, mass.size - 1)])
            )
            result.append((float(mass.sum()), (nu, sigma0, in_nu * in_sigma0, (low, high))))
    total = sum(mass for mass, _ in result)
    return [cell for mass, cell in result if mass > LITTLE * total]


def thetas(delta0: FloatArray, sigma0: float, nu: float, rope: Rope) -> FloatArray:
    """(3, δ0) probabilities of the three regions for the next data set."""
    nu = min(nu, 1e10)
    left = stdtr(nu, (rope.low - delta0) / sigma0)
    right = stdtr(nu, (delta0 - rope.high) / sigma0)
    return np.stack([left, 1 - left - right, right])


def win_borders(sigma0: float, nu: float, rope: Rope) -> list[float]:
    """The δ0 at which the most probable region changes."""
    centre = (rope.low + rope.high) / 2

    def excess(delta0: float) -> float:
        left, middle, right = thetas(np.array([delta0]), sigma0, nu, rope)[:, 0]
        return float(middle - max(left, right))

    if excess(centre) <= 0:
        return [centre]
    far = rope.high - rope.low + sigma0
    return [
        float(brentq(excess, centre - far, centre)),
        float(brentq(excess, centre, centre + far)),
    ]


def mean_and_sd(moments: FloatArray) -> tuple[float, float]:
    mean, square = moments.tolist()
    return mean, math.sqrt(max(square - mean**2, 0.0))
