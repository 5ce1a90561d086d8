"""How often the note `misfit` speaks: of families from the model, and of other shapes.

    python .lab/studies/misfit.py [REPETITIONS [SEED]]    # the quantiles behind the note's limits

The rates themselves are the study `misfit` of `make reproduce`.
"""

import sys
from collections.abc import Callable

import numpy as np

from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.hierarchical.misfit import (
    FAR,
    UNEVEN,
    farthest_region,
    unevenness,
)
from bcompare.methods.hierarchical.model import PRIORS

ROPE = Rope.of(0.01)
RHO = 0.1
RATE = 0.02  # of false alarms of either check
COUNTS = (5, 10, 20, 54, 200)
METHOD = Hierarchical(tol=2e-3)


def of_the_model(q: int, rng: np.random.Generator) -> FloatArray:
    """True differences from the model, its parameters of the sizes that results have."""
    prior = PRIORS["corani"]
    assert prior is not None
    nu = 1 + rng.gamma(rng.uniform(*prior.alpha_bounds), 1 / rng.uniform(*prior.beta_bounds))
    sigma0 = np.exp(rng.uniform(np.log(0.005), np.log(0.05)))
    return np.asarray(rng.uniform(-0.03, 0.03) + sigma0 * rng.standard_t(nu, q))


def groups(
    low: float, high: float, share: float
) -> Callable[[int, np.random.Generator], FloatArray]:
    """Two groups of data sets, this share of them at `high`."""

    def drawn(q: int, rng: np.random.Generator) -> FloatArray:
        return np.where(np.arange(q) < round(share * q), high, low)

    return drawn


def skewed(q: int, rng: np.random.Generator) -> FloatArray:
    """Most small, some large, none negative."""
    return rng.gamma(0.5, 0.06, q)


SHAPES: dict[str, Callable[[int, np.random.Generator], FloatArray]] = {
    "two halves, at ±0.03": groups(-0.03, 0.03, 0.5),
    "a third at 0.06, the others at 0": groups(0.0, 0.06, 1 / 3),
    "two thirds at 0.03, the others at −0.25": groups(-0.25, 0.03, 2 / 3),
    "skewed: many near 0, some up to 0.2": skewed,
}


def family(delta: FloatArray, rng: np.random.Generator) -> SufficientStatistics:
    """10 or 100 folds around these true differences."""
    q, n = len(delta), int(rng.choice([10, 100]))
    sigma = np.exp(rng.uniform(np.log(0.002), np.log(0.04))) * rng.uniform(0.5, 1.5, q)
    return SufficientStatistics(
        names=tuple(map(str, range(q))),
        n=np.full(q, n),
        mean=delta + sigma * np.sqrt((1 - RHO) / n + RHO) * rng.standard_normal(q),
        ss=sigma**2 * (1 - RHO) * rng.chisquare(n - 1, q),
        rho=np.full(q, RHO),
    )


def checks(delta: FloatArray, rng: np.random.Generator) -> tuple[float, float]:
    """The two figures of one family: of the farthest region, and Anderson-Darling's."""
    statistics = family(delta, rng)
    result = METHOD.test(statistics, ROPE)
    return farthest_region(result, statistics, ROPE)[1], unevenness(result, statistics)


def spoken(
    draw: Callable[[int, np.random.Generator], FloatArray],
    q: int,
    repetitions: int,
    rng: np.random.Generator,
) -> FloatArray:
    """(3,) shares in which the regions, the shape, or either of them is told."""
    result = np.array([checks(draw(q, rng), rng) for _ in range(repetitions)]) > [FAR, UNEVEN]
    return np.array([*result.mean(axis=0), result.any(axis=1).mean()])


def main(repetitions: int = 600, seed: int = 20) -> None:
    """Print the limits."""
    for q in COUNTS:
        rng = np.random.default_rng([seed, q])
        result = np.array([checks(of_the_model(q, rng), rng) for _ in range(repetitions)])
        limits = np.quantile(result, 1 - RATE, axis=0)
        largest = result.max(axis=0)
        print(f"{q:5} {limits[0]:.2f} {limits[1]:.2f}   largest {largest[0]:.2f} {largest[1]:.2f}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
