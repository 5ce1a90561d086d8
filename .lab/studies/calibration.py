"""`make calibration`: is the hierarchical posterior right? Simulation-based calibration.

Parameters are drawn from the prior and data from the model, again and again. If posterior and
prior belong together, the posterior's distribution function at the true value is uniform on
(0, 1), for every parameter (Cook, Gelman & Rubin 2006; Talts et al. 2018). The default bounds
depend on the data, so fixed ones are used here. Writes `calibration.json` next to this file.
"""

import json
import sys
from pathlib import Path

import numpy as np
from scipy.stats import kstest, norm

from bcompare.data.rope import Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.hierarchical.model import PRIORS
from bcompare.methods.hierarchical.result import Marginal

RESULT = Path(__file__).with_suffix(".json")

Q, N, RHO = 12, 100, 0.1
DELTA0_BOUNDS, SIGMA0_BOUND, SIGMA_BOUND = (-0.05, 0.05), 0.05, 0.1
TOLERANCE = 2e-3  # what a histogram can show is coarser by far
PARAMETERS = ("delta0", "sigma0", "nu", "delta of a data set")
BINS = 10


def replicate(rng: np.random.Generator) -> list[float]:
    """The posterior distribution functions at the true values of one simulated problem."""
    prior = PRIORS["corani"]
    assert prior is not None
    delta0, sigma0 = rng.uniform(*DELTA0_BOUNDS), rng.uniform(0, SIGMA0_BOUND)
    nu = 1 + rng.gamma(rng.uniform(*prior.alpha_bounds), 1 / rng.uniform(*prior.beta_bounds))
    delta = delta0 + sigma0 * rng.standard_t(nu, Q)
    sigma2 = rng.uniform(0, SIGMA_BOUND, Q) ** 2
    statistics = SufficientStatistics(
        names=tuple(str(i + 1) for i in range(Q)),
        n=np.full(Q, N),
        mean=rng.normal(delta, np.sqrt(sigma2 * (1 + (N - 1) * RHO) / N)),
        ss=sigma2 * (1 - RHO) * rng.chisquare(N - 1, Q),
        rho=np.full(Q, RHO),
    )
    # The rope reaches from 0 to the first data set's true value, whose side of it is asked for.
    truth = float(delta[0])
    rope = Rope(min(truth, 0.0), max(truth, 0.0))
    method = Hierarchical(delta0_bounds=DELTA0_BOUNDS, sigma0_bound=SIGMA0_BOUND, tol=TOLERANCE)
    result = method.test(statistics, rope)
    assert result.nu is not None
    p = result.datasets.probabilities
    below = float(p.left[0]) if truth < 0 else 1 - float(p.right[0])
    return [
        cdf(result.delta0, delta0),
        cdf(result.sigma0, sigma0),
        cdf(result.nu, nu),
        below,
    ]


def cdf(marginal: Marginal, value: float) -> float:
    """Posterior probability of a parameter below a value."""
    return float(np.interp(value, marginal.density.grid, marginal.density.cdf))


def main(replicates: int = 600) -> None:
    """Run, print and write."""
    rng = np.random.default_rng(20)
    ranks = np.array([replicate(rng) for _ in range(replicates)])
    parameters = {
        name: {
            "histogram": np.histogram(values, BINS, (0, 1))[0].tolist(),
            "kolmogorov_smirnov_p": float(kstest(values, "uniform").pvalue),
        }
        for name, values in zip(PARAMETERS, ranks.T, strict=True)
    }
    record = {"replicates": replicates, "datasets": Q, "scores": N, "parameters": parameters}
    RESULT.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    expected = replicates / BINS
    spread = norm.ppf(0.975) * np.sqrt(expected * (1 - 1 / BINS))
    print(f"{replicates} replicates; {expected:.0f} ± {spread:.0f} expected in each tenth")
    for name, result in parameters.items():
        print(f"{name:20s} {result['histogram']}  p = {result['kolmogorov_smirnov_p']:.3f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
