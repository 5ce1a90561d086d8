"""The prior of the degrees of freedom, with its two hyperparameters integrated out.

Over β, which is uniform between b₁ and b₂, in closed form: with P the regularised incomplete gamma
function,

    ∫ x^(α-1) e^(-βx) β^α / Γ(α) dβ = α/x² (P(α + 1, b₂ x) - P(α + 1, b₁ x)).
"""

import math
from functools import cache

import numpy as np
from scipy.special import gammainc, gammaincc, gammaln

from bcompare.data.rope import FloatArray
from bcompare.methods.hierarchical.model import Bounds, NuPrior

# Gauss-Legendre nodes over α: at least, and times √α, as the integrand is about so wide.
NODES, PER_ROOT = 16, 6.0

# β is taken as known where its bounds are this close to each other.
CLOSE = 1e-4


def log_prior_density(prior: NuPrior, excess: FloatArray) -> FloatArray:
    """Log density of ν′ = ν - 1 at `excess` > 0: the mean of Gamma(ν′; α, β) over α and β."""
    alpha, weight = _uniform_rule(prior.alpha_bounds)
    x = excess[..., None]
    low, high = prior.beta_bounds
    if high - low <= CLOSE * high:
        beta = (low + high) / 2
        logs = alpha * np.log(beta) - gammaln(alpha) + (alpha - 1) * np.log(x) - beta * x
    else:
        # beyond the median the difference of what is above loses fewer digits
        below = gammainc(alpha + 1, high * x) - gammainc(alpha + 1, low * x)
        above = gammaincc(alpha + 1, low * x) - gammaincc(alpha + 1, high * x)
        mass = np.where(low * x < alpha, below, above)
        logs = np.log(np.maximum(mass, np.finfo(float).tiny) * alpha / (high - low))
        logs = logs - 2 * np.log(x)
    logs = logs + np.log(weight)
    greatest = logs.max(axis=-1, keepdims=True)
    return np.asarray(np.log(np.exp(logs - greatest).sum(axis=-1)) + greatest[..., 0])


@cache
def _uniform_rule(bounds: Bounds) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of the mean over unif(bounds); one node where both bounds are equal."""
    low, high = bounds
    if low == high:
        return np.array([low]), np.array([1.0])
    nodes = max(NODES, math.ceil(PER_ROOT * math.sqrt(high)))
    node, weight = np.polynomial.legendre.leggauss(nodes)
    return (low + high) / 2 + (high - low) / 2 * node, weight / 2
