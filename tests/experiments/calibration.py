"""Simulation-based calibration of the hierarchical test's quadrature.

Parameters are drawn from the prior and data from the model. If the posterior is right, the
posterior probability of lying below the true value is uniform, for δ0, σ0, ν and every δ_i
(Talts, Betancourt, Simpson, Vehtari & Gelman 2018). The default bounds of the priors depend
on the data, so that proper ones are fixed here. The prior of σ_i is improper; calibration then
holds given the sums of squares, so these are fixed too, and each mean is δ_i plus τ_i times a
draw from the Student distribution with n_i - 2 degrees of freedom.

    python -m tests.experiments.calibration [replicates]

writes what it finds to calibration.json beside this file.
"""

import json
import math
import sys
from pathlib import Path

import numpy as np
from scipy.stats import chisquare, kstest

from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.hierarchical.model import Marginal
from bcompare.rope import FloatArray, Rope
from bcompare.sufficient import SufficientStatistics

REPLICATES = 1000
SEED = 20250101
BINS = 20

DELTA0_BOUNDS = (-0.03, 0.05)
SIGMA0_BOUND = 0.04
ALPHA_BOUNDS, BETA_BOUNDS = (1.0, 2.0), (0.01, 0.1)
RHO = 0.1
N = np.array([5, 10, 10, 20, 30, 30, 100, 100])
SD = np.array([0.02, 0.01, 0.06, 0.05, 0.1, 0.02, 0.1, 0.03])
FOLLOWED = 2  # the data set whose δ_i is looked at

METHOD = Hierarchical(
    delta0_bounds=DELTA0_BOUNDS,
    sigma0_bound=SIGMA0_BOUND,
    alpha_bounds=ALPHA_BOUNDS,
    beta_bounds=BETA_BOUNDS,
)


def ranks(rng: np.random.Generator) -> dict[str, float]:
    """Posterior probability below the truth, for one draw of everything."""
    delta0 = rng.uniform(*DELTA0_BOUNDS)
    sigma0 = rng.uniform(0, SIGMA0_BOUND)
    nu = 1 + rng.gamma(rng.uniform(*ALPHA_BOUNDS)) / rng.uniform(*BETA_BOUNDS)
    delta = delta0 + sigma0 * rng.standard_t(nu, N.size)
    ss = (N - 1) * SD**2
    tau = np.sqrt(ss / (N - 2) * (1 / N + RHO / (1 - RHO)))
    mean = delta + tau * rng.standard_t(N - 2)
    names = tuple(f"set-{i}" for i in range(N.size))
    statistics = SufficientStatistics(names, N, mean, ss, np.full(N.size, RHO))
    # the border of the rope lies on the true δ_i, so that its probabilities are the rank
    truth = float(delta[FOLLOWED])
    result = METHOD.test(statistics, Rope(min(truth, 0.0), max(truth, 0.0)))
    p = result.datasets.probabilities
    below = p.left[FOLLOWED] if truth < 0 else 1 - p.right[FOLLOWED]
    assert result.nu is not None
    return {
        "delta0": below_of(result.delta0, delta0),
        "sigma0": below_of(result.sigma0, sigma0),
        "nu": below_of(result.nu, nu),
        "delta_i": float(below),
    }


def below_of(marginal: Marginal, truth: float) -> float:
    return float(np.interp(truth, marginal.density.grid, marginal.density.cdf))


def summary(values: FloatArray) -> dict[str, object]:
    """How uniform the ranks are: counts in equal bins, and two tests of uniformity."""
    counts = np.histogram(values, bins=BINS, range=(0, 1))[0]
    return {
        "counts": counts.tolist(),
        "mean": round(float(values.mean()), 4),
        "mean_standard_errors_from_half": round(
            float((values.mean() - 0.5) * math.sqrt(12 * values.size)), 2
        ),
        "chi_square_p": round(float(chisquare(counts).pvalue), 4),
        "kolmogorov_smirnov_p": round(float(kstest(values, "uniform").pvalue), 4),
    }


def main() -> None:
    replicates = int(sys.argv[1]) if len(sys.argv) > 1 else REPLICATES
    rng = np.random.default_rng(SEED)
    drawn = [ranks(rng) for _ in range(replicates)]
    found = {name: summary(np.array([draw[name] for draw in drawn])) for name in drawn[0]}
    target = Path(__file__).with_suffix(".json")
    content = {"replicates": replicates, "seed": SEED, "data_sets": N.size, "ranks": found}
    target.write_text(json.dumps(content, indent=1) + "\n")
    for name, values in found.items():
        print(
            f"{name:8} chi-square p = {values['chi_square_p']:.3f}   "
            f"Kolmogorov-Smirnov p = {values['kolmogorov_smirnov_p']:.3f}   {values['counts']}"
        )


if __name__ == "__main__":
    main()
