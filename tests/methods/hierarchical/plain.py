"""The hierarchical posterior once more, slowly and plainly: nested sums over Student densities.

Nothing here knows of mixtures, of interpolation or of the engine's grids. The integral over each
δ_i is a sum of the likelihood times scipy's Student density; those over δ0, σ0 and ν are
Gauss-Legendre rules over long ranges; which region is the most probable is found by comparing
the three probabilities, and the borders between them by bisection.
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

# The integral over one δ_i has joints at so many scales from either centre, and so many
# Gauss-Legendre nodes between two joints.
STEPS = np.array([1, 2.5, 6, 20, 100, 1e4])
STEPS = np.concatenate([-STEPS[::-1], [0.0], STEPS])
NODES = 6

Rule = tuple[FloatArray, FloatArray]


@dataclass(frozen=True, eq=False)
class Plain:
    """What the plain integration finds; the names are those of HierarchicalResult."""

    probabilities: FloatArray
    theta_mean: FloatArray
    delta0: tuple[float, float]
    sigma0: tuple[float, float]
    nu: tuple[float, float]
    p_delta0_positive: float
    delta_mean: FloatArray
    delta_sd: FloatArray
    delta_below: FloatArray
    delta_above: FloatArray


def student(z: FloatArray, nu: float) -> FloatArray:
    """Standard Student density."""
    if math.isinf(nu):
        return np.exp(-0.5 * z * z) / math.sqrt(2 * math.pi)
    constant = gammaln((nu + 1) / 2) - gammaln(nu / 2) - 0.5 * math.log(nu * math.pi)
    return np.exp(constant - (nu + 1) / 2 * np.log1p(z * z / nu))


def panels(low: float, high: float, count: int, nodes: int = 8) -> Rule:
    """Gauss-Legendre rule on `count` equal panels."""
    x, w = np.polynomial.legendre.leggauss(nodes)
    edges = np.linspace(low, high, count + 1)
    half = np.diff(edges) / 2
    return (
        ((edges[:-1] + edges[1:]) / 2 + half * x[:, None]).T.ravel(),
        (half * w[:, None]).T.ravel(),
    )


def stretched(low: float, high: float, centre: float, scale: float, count: int) -> Rule:
    """Gauss-Legendre rule between two numbers, dense around a centre."""
    ends = [math.asinh((x - centre) / scale) for x in (low, high)]
    u, w = panels(ends[0], ends[1], count)
    return centre + scale * np.sinh(u), w * scale * np.cosh(u)


@dataclass(frozen=True, eq=False)
class PlainModel:
    """Likelihoods and priors, written down as they stand in the paper."""

    mean: FloatArray
    scale: FloatArray
    dof: FloatArray
    sigma0_bound: float
    delta0_bounds: tuple[float, float]
    nu_density: Callable[[FloatArray], FloatArray] | None

    @classmethod
    def of(cls, data: ModelData, known_sigma: bool = False) -> "PlainModel":
        s = data.statistics
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

    def moments(self, delta0: FloatArray, sigma0: float, nu: float, rope: Rope) -> FloatArray:
        """(5, q, δ0) of L_i(δ) t(δ; δ0, σ0, ν): ∫ of it times 1, δ, δ²; below, above the rope."""
        out = np.empty((5, self.mean.size, delta0.size))
        x, w = np.polynomial.legendre.leggauss(NODES)
        for i in range(self.mean.size):
            joints = [
                np.broadcast_to(self.mean[i] + self.scale[i] * STEPS, (delta0.size, STEPS.size)),
                delta0[:, None] + sigma0 * STEPS,
                np.broadcast_to([rope.low, rope.high], (delta0.size, 2)),
            ]
            edges = np.sort(np.concatenate(joints, axis=1), axis=1)
            half = np.diff(edges)[:, :, None] / 2
            delta = edges[:, :-1, None] + half * (1 + x)
            f = student((delta - self.mean[i]) / self.scale[i], self.dof[i]) / self.scale[i]
            f *= student((delta - delta0[:, None, None]) / sigma0, nu) / sigma0 * half * w
            for k, of in enumerate((1.0, delta, delta**2, delta < rope.low, delta > rope.high)):
                out[k, i] = (f * of).sum(axis=(1, 2))
        return out


def simpson(count: int) -> FloatArray:
    """Weights of Simpson's rule for the mean over an interval."""
    if count == 1:
        return np.ones(1)
    weight = np.ones(count)
    weight[1:-1:2], weight[2:-1:2] = 4, 2
    return np.asarray(weight / weight.sum(), dtype=np.float64)


def integrate_plainly(
    model: PlainModel,
    rope: Rope,
    folds: float = 1.5,
    nu_range: tuple[float, float] = (-7.0, 8.0),
    nu_panels: int = 2,
    delta0_panels: int = 4,
) -> Plain:
    """All answers by nested sums.

    folds : of σ0 in one panel. nu_range : of log(ν - 1).
    """
    if model.nu_density is None:
        nus, nu_weight = np.array([math.inf]), np.ones(1)
    else:
        u, nu_weight = panels(*nu_range, nu_panels)
        nus, nu_weight = 1 + np.exp(u), nu_weight * np.exp(u) * model.nu_density(np.exp(u))
    total = 0.0
    sums: dict[str, FloatArray] = {}

    def add(name: str, value: FloatArray) -> None:
        sums[name] = sums.get(name, np.zeros_like(value)) + value

    middle = float(np.median(model.mean))
    for nu, in_nu in zip(nus, nu_weight, strict=True):
        for sigma0, in_sigma0 in zip(*sigma0_rule(model, nu, rope, folds), strict=True):
            first, last = model.delta0_bounds
            edges = [first, *win_borders(sigma0, nu, rope), 0.0, last]
            edges = sorted({min(max(edge, first), last) for edge in edges})
            for low, high in pairwise(edges):
                delta0, weight = stretched(
                    low, high, middle, float(model.scale.min()), delta0_panels
                )
                moments = model.moments(delta0, sigma0, nu, rope)
                mass = moments[0].prod(axis=0) * weight * in_sigma0 * in_nu
                here = float(mass.sum())
                total += here
                centre = (low + high) / 2
                theta = thetas(np.array([centre]), sigma0, nu, rope)[:, 0]
                add("probabilities", here * np.eye(3)[theta.argmax()])
                add("theta", thetas(delta0, sigma0, nu, rope) @ mass)
                add("delta0", np.array([mass @ delta0, mass @ delta0**2]))
                add("sigma0", here * np.array([sigma0, sigma0**2]))
                add("nu", here * np.array([nu, nu**2]))
                add("positive", np.array([here if centre > 0 else 0.0]))
                shares = moments[1:] / np.maximum(moments[0], 1e-200)
                add("deltas", (shares * mass).sum(axis=2))
    found = {name: value / total for name, value in sums.items()}
    mean, square, below, above = found["deltas"]
    return Plain(
        probabilities=found["probabilities"],
        theta_mean=found["theta"],
        delta0=mean_and_sd(found["delta0"]),
        sigma0=mean_and_sd(found["sigma0"]),
        nu=mean_and_sd(found["nu"]),
        p_delta0_positive=float(found["positive"][0]),
        delta_mean=mean,
        delta_sd=np.sqrt(square - mean**2),
        delta_below=below,
        delta_above=above,
    )


def sigma0_rule(model: PlainModel, nu: float, rope: Rope, folds: float) -> Rule:
    """Nodes of σ0, with a joint where the rope can win no more."""
    half_width = (rope.high - rope.low) / 2
    joint = half_width / float(student_t.ppf(2 / 3, nu))
    low, high = float(model.scale.min()) * 1e-4, model.sigma0_bound
    edges = [low, min(max(joint, low * 1.01), high * 0.99), high]
    parts = [
        panels(math.log(a), math.log(b), math.ceil(math.log(b / a) / folds))
        for a, b in pairwise(edges)
    ]
    log_sigma0, weight = (np.concatenate(arrays) for arrays in zip(*parts, strict=True))
    return np.exp(log_sigma0), weight * np.exp(log_sigma0)


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
