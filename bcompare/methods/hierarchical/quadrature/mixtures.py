"""Student distributions as mixtures of normals, on few nodes.

A Student variable with ν degrees of freedom is normal with precision λ/scale², where
λ ~ Gamma(ν/2, ν/2).
"""

import math
from functools import cache

import numpy as np

from bcompare.data.rope import FloatArray, read_only
from bcompare.methods.hierarchical.quadrature.axes import STENCIL, interpolation

# Nodes and weights.
Rule = tuple[FloatArray, FloatArray]

# With at least this shape the Gamma distribution is narrow, and a Gauss rule needs few nodes.
TIGHT_SHAPE = 10.0

# The mass of the lower tail of a wide Gamma distribution that is left out.
TAIL = 1e-14

# Below 1/shape by this many e-folds its density is a power.
POWER_FROM = 12.0


def gamma_rule(shape: float, step: float, low: float) -> Rule:
    """Return nodes λ and log weights of the mean over Gamma(shape, rate = shape).

    The trapezoidal rule over log λ, with at most `step` between nodes, from `low` to the end of the
    distribution; finer if the distribution is narrow, of width 1/√shape.
    """
    step = min(step, step * 2 / math.sqrt(shape))
    high = math.log1p(8 / math.sqrt(shape) + 30 / shape)
    count = math.ceil((high - low) / step)
    spacing = (high - low) / count
    u = low + spacing * np.arange(count + 1)
    constant = shape * math.log(shape) - math.lgamma(shape) + math.log(spacing)
    return np.exp(u), constant + shape * (u - np.exp(u))


def _with_the_rest(rule: Rule, nu: float) -> Rule:
    """Return the rule with the terms below its first node, a geometric series, added to it.

    There the normals lie beyond the grid of s: weight times 1/s is like λ^((ν + 1)/2).
    """
    node, log_weight = rule
    fall = (nu + 1) / 2 * math.log(node[1] / node[0])
    log_weight[0] -= math.log(-math.expm1(-fall))
    return node, log_weight


def lower_end(shape: float, reach: float) -> float:
    """Return the log λ below which Gamma(shape, shape) has negligible mass, or -reach if higher."""
    # P(Λ < λ) is about (shape·λ)^shape / Γ(shape + 1) in the lower tail, and less elsewhere
    tail = (math.log(TAIL) + math.lgamma(shape + 1)) / shape - math.log(shape)
    return max(tail, -reach)


def gauss_gamma_rules(shape: FloatArray, count: int) -> Rule:
    """Return (shapes, count) nodes and weights of the same means, for narrow distributions.

    Golub & Welsch 1969: the generalised Gauss-Laguerre rule, with the sum of its weights 1.
    """
    k = np.arange(count)
    off = np.sqrt(k[1:] * (k[1:] + shape[:, None] - 1))
    jacobi = np.zeros((shape.size, count, count))
    jacobi[:, k, k] = 2 * k + shape[:, None]
    jacobi[:, k[1:], k[:-1]] = off  # eigh reads the lower triangle
    node, vector = np.linalg.eigh(jacobi)
    return node / shape[:, None], vector[:, 0] ** 2


@cache
def gauss_gamma_rule(shape: float, count: int) -> Rule:
    """Return (count,) nodes and log weights of the mean over one narrow Gamma(shape, shape)."""
    node, weight = gauss_gamma_rules(np.array([shape]), count)
    return read_only(node[0]), read_only(np.log(weight[0]))


@cache
def normal_rule(count: int) -> Rule:
    """Return (count,) nodes and weights of the mean over N(0, 1): Gauss-Hermite."""
    node, weight = np.polynomial.hermite_e.hermegauss(count)
    return read_only(node), read_only(weight / weight.sum())


def mixing_matrix(
    log_scale: FloatArray, nu: FloatArray, log_s: FloatArray, step: float, gauss_nodes: int
) -> FloatArray:
    """Return (scales·ν, s) weights that turn normals of scale s into Students.

    The ν ascend. ∫ t(δ; 0, scale, ν) f(δ) dδ is W @ g, where g_k = ∫ N(δ; 0, s_k²) f(δ) dδ on
    the even grid `log_s`: s = scale/√λ, and g is interpolated between the nodes. Below the grid
    g is taken as constant, above it as proportional to 1/s; it must reach far enough for both.
    """
    count = log_s.size
    spacing = float(log_s[1] - log_s[0])
    to_end = max(2 * float(log_s[-1] - log_scale.min()), 0.0)
    wide = nu[nu < 2 * TIGHT_SHAPE]
    tight = nu[nu >= 2 * TIGHT_SHAPE]
    reach = np.maximum(to_end, POWER_FROM + np.log1p(wide / 2))
    ends = [lower_end(v / 2, far) for v, far in zip(wide.tolist(), reach.tolist(), strict=True)]
    rules = [
        _with_the_rest(gamma_rule(v / 2, step, low), v)
        for v, low in zip(wide.tolist(), ends, strict=True)
    ]
    tight_node, tight_weight = gauss_gamma_rules(tight / 2, gauss_nodes)
    node = np.concatenate([*(rule[0] for rule in rules), tight_node.ravel()])
    weight = np.concatenate([*(np.exp(rule[1]) for rule in rules), tight_weight.ravel()])
    sizes = [rule[0].size for rule in rules] + [gauss_nodes] * tight.size
    column = np.repeat(np.arange(nu.size), sizes)
    position = (log_scale[:, None] - 0.5 * np.log(node) - log_s[0]) / spacing
    beyond = np.maximum(position - (count - 1), 0.0)
    np.clip(position, 0.0, count - 1.0, out=position)
    base, basis = interpolation(position, count)
    basis *= weight * np.exp(-spacing * beyond)
    row = np.arange(log_scale.size)[:, None] * nu.size + column
    index = row * count + base + np.arange(STENCIL)[:, None, None]
    size = log_scale.size * nu.size * count
    flat = np.bincount(index.ravel(), weights=basis.ravel(), minlength=size)
    return np.asarray(flat, dtype=np.float64).reshape(-1, count)
