"""The prior of the degrees of freedom, with its two hyperparameters integrated out."""

from functools import cache

import numpy as np
from scipy.special import gammaln

from bcompare.methods.hierarchical.model import Bounds, NuPrior
from bcompare.rope import FloatArray

# Gauss-Legendre nodes over α and over β: the integrand is smooth and a few e-folds high.
NODES = 16


def log_prior_density(prior: NuPrior, excess: FloatArray) -> FloatArray:
    """Log density of ν′ = ν - 1 at `excess` > 0: the mean of Gamma(ν′; α, β) over α and β."""
    alpha, alpha_weight = _uniform_rule(prior.alpha_bounds)
    beta, beta_weight = _uniform_rule(prior.beta_bounds)
    alpha, beta = alpha[:, None], beta[None, :]
    weight = alpha_weight[:, None] * beta_weight[None, :]
    constant = np.log(weight) + alpha * np.log(beta) - gammaln(alpha)
    x = excess[..., None, None]
    logs = constant + (alpha - 1) * np.log(x) - beta * x
    greatest = logs.max(axis=(-2, -1), keepdims=True)
    total = np.exp(logs - greatest).sum(axis=(-2, -1))
    return np.asarray(np.log(total) + greatest[..., 0, 0])


@cache
def _uniform_rule(bounds: Bounds) -> tuple[FloatArray, FloatArray]:
    """Nodes and weights of the mean over unif(bounds); one node where both bounds are equal."""
    low, high = bounds
    if low == high:
        return np.array([low]), np.array([1.0])
    node, weight = np.polynomial.legendre.leggauss(NODES)
    return (low + high) / 2 + (high - low) / 2 * node, weight / 2
