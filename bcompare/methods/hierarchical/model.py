"""The hierarchical model of cross-validation results: its priors and its data.

    x_i ~ MVN(1 δ_i, Σ_i), Σ_i with σ_i² on the diagonal and ρ_i σ_i² off it
    δ_i ~ Student t(δ0, σ0, ν)              σ_i ~ uniform, out of reach
    δ0  ~ flat, or unif(delta0_bounds)      σ0  ~ unif(0, sigma0_bound)
    ν = 1 + ν′,  ν′ ~ Gamma(α, β),  α ~ unif(alpha_bounds),  β ~ unif(beta_bounds)

Sources: Corani, Benavoli, Demšar, Mangili & Zaffalon 2017 (Machine Learning 106:1817),
"Corani 2017"; Benavoli, Corani, Demšar & Zaffalon 2017 (JMLR 18), "Tutorial". The shift of ν
by one is in the authors' published program. The Tutorial states the bounds called `tutorial`
here, but its Table 12 is what those called `corani` give.
"""

import math
from dataclasses import dataclass, replace

import numpy as np
from scipy.special import ndtri, stdtr

from bcompare.basis.messages import InputError, Note, arg, counted
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.paired_binary import FEW_BINARY_ITEMS, PairedBinaryPosterior

# w, chosen by the log score on real results.
POPULATION_COUNTS = 15.0
# With more data sets the papers' population stands in for the average over several, which takes
# long and would count for a fourteenth at most.
MOST_AVERAGED = 200
# Equally probable errors of an observed mean, of variance 1: it is a mean, so they are normal.
ERRORS = ndtri((np.arange(15) + 0.5) / 15)
ERRORS /= ERRORS.std()


def mixed(
    population: RegionProbabilities[float], statistics: SufficientStatistics, rope: Rope
) -> RegionProbabilities[float]:
    """Return the chance of each region to hold the mean difference of the next data set.

    It is the chance of what the same experiment would show, with the noise of its scores, so it can
    be scored. A population counts like some data sets beside those at hand, a Dirichlet process
    around it: (w P(x̄ in the region) + number of x̄_i in it)/(w + q).

    population : its probabilities of the regions.
    """
    counts = rope.shares(statistics.mean)
    w = POPULATION_COUNTS
    total = w + len(statistics)
    chances = []
    for p, seen in zip(population, counts, strict=True):
        chances.append((w * p + float(seen.sum())) / total)
    return RegionProbabilities(*chances)


def with_noise(
    grid: FloatArray, cdf: FloatArray, statistics: SufficientStatistics, rope: Rope
) -> RegionProbabilities[float]:
    """Return the probabilities of the regions of x̄, from the distribution of the next δ.

    The noise is that of one of the data sets.
    """
    errors = np.multiply.outer(ERRORS, statistics.standard_error)
    low = float(np.interp(rope.low - errors, grid, cdf).mean())
    high = float(np.interp(rope.high - errors, grid, cdf).mean())
    return RegionProbabilities(left=low, rope=high - low, right=1 - high)


Bounds = tuple[float, float]

# The range of α and β; beyond it ν is practically 1, or infinite.
LEAST_HYPER, MOST_HYPER = 1e-5, 1e5


@dataclass(frozen=True, slots=True)
class NuPrior:
    """Prior of the degrees of freedom: ν = 1 + ν′, ν′ ~ Gamma(shape α, rate β).

    alpha_bounds, beta_bounds : α and β are uniform between them; fixed if both are equal.
    """

    alpha_bounds: Bounds
    beta_bounds: Bounds

    def __post_init__(self) -> None:
        for name, (low, high) in (("alpha", self.alpha_bounds), ("beta", self.beta_bounds)):
            if not LEAST_HYPER <= low <= high <= MOST_HYPER:
                raise InputError(
                    f"{name} bounds ({low:g}, {high:g}): give two numbers from {LEAST_HYPER:g} to "
                    f"{MOST_HYPER:,.0f}, the smaller one first"
                )


# `gaussian` has no ν: the data sets' δ_i are then normal.
PRIORS: dict[str, NuPrior | None] = {
    "corani": NuPrior((1.0, 2.0), (0.01, 0.1)),
    "tutorial": NuPrior((0.5, 5.0), (0.05, 0.15)),
    "kruschke": NuPrior((1.0, 1.0), (0.0345, 0.0345)),
    "juarez-steel": NuPrior((2.0, 2.0), (0.1, 0.1)),
    "gaussian": None,
}


def nu_prior(
    name: str, alpha_bounds: Bounds | None = None, beta_bounds: Bounds | None = None
) -> NuPrior | None:
    """Return the named prior, with other bounds if given.

    Raises
    ------
    InputError : an unknown name, bad bounds, or bounds for a prior that has none.
    """
    if name not in PRIORS:
        raise InputError(f"there is no prior called {name!r}; choose from {', '.join(PRIORS)}")
    prior = PRIORS[name]
    if alpha_bounds is None and beta_bounds is None:
        return prior
    if prior is None:
        raise InputError(
            f"the {name} prior has no α and β: leave their bounds out, or choose another prior"
        )
    return NuPrior(alpha_bounds or prior.alpha_bounds, beta_bounds or prior.beta_bounds)


# The default bound of σ0 relative to the spread of the data: Corani 2017, §3.
SIGMA0_REACH = 1000.0

FEWEST_DATASETS = 2
FEW_DATASETS = 5

# Bounds of δ0 and σ0 beyond this ratio to the spread of the data, or closer together, exceed double
# precision.
FARTHEST = 1e12


class ModelData:
    """The input of either engine for one pair of classifiers: checked data, and the priors.

    statistics : of the q ≥ 2 data sets, every sum of squares positive.
    given : as they were.
    nu_prior : of the degrees of freedom; None for ν = ∞.
    delta0_bounds : δ0 is uniform between them; None for a flat prior on the whole line, so that the
        scores' unit does not matter. The papers' uniform on (-1, 1) for scores in 0…1 gives the
        same probabilities with more than a handful of data sets.
    sigma0_bound : σ0 is uniform up to it.
    known_sigma : whether each σ_i is fixed at its maximum-likelihood value: empirical Bayes.
    notes : on replaced values, and on too few data sets.

    Raises
    ------
    InputError : fewer than 2 data sets, nothing but constant differences without a rope, or
        bounds that are not bounds.
    """

    def __init__(
        self,
        statistics: SufficientStatistics,
        rope: Rope,
        *,
        nu_prior: NuPrior | None,
        delta0_bounds: Bounds | None = None,
        sigma0_bound: float | None = None,
        known_sigma: bool = False,
    ) -> None:
        q = len(statistics)
        if q < FEWEST_DATASETS:
            verb = "is" if q == 1 else "are"
            raise InputError(
                f"the hierarchical test needs at least {FEWEST_DATASETS} data sets, but there "
                f"{verb} {q}: for one data set use ttest"
            )
        self.given = statistics
        self.statistics, self.notes = without_constants(statistics.in_equal_rows, rope)
        usual = default_sigma0_bound(self.statistics)
        _check_sigma0_bound(sigma0_bound, usual)
        _check_delta0_bounds(delta0_bounds, self.statistics.mean, usual / SIGMA0_REACH)
        if q < FEW_DATASETS:
            self.notes += (
                Note(
                    "few-datasets",
                    "warning",
                    f"only {q} data sets: the answer about the next one rests mostly on the prior. "
                    "ttest judges each data set",
                ),
            )
        self.nu_prior, self.delta0_bounds = nu_prior, delta0_bounds
        self.sigma0_bound = usual if sigma0_bound is None else sigma0_bound
        self.known_sigma = known_sigma


def _check_sigma0_bound(bound: float | None, usual: float) -> None:
    """Refuse a bound of σ0 that is invalid, or out of proportion to the default."""
    if bound is None:
        return
    if not 0 < bound < math.inf:
        raise InputError(f"σ0 bound {bound:g}: give a positive number")
    spread = usual / SIGMA0_REACH
    if not spread / FARTHEST <= bound <= spread * FARTHEST:
        raise InputError(
            f"σ0 bound {bound:g} is out of proportion to the data sets' means, which are "
            f"{spread:.2g} apart: leave it out, or give one up to {usual:.2g}, the default"
        )


def _check_delta0_bounds(bounds: Bounds | None, means: FloatArray, spread: float) -> None:
    """Refuse bounds of δ0 that are invalid, too close together, or too far from the means."""
    if bounds is None:
        return
    low, high = bounds
    if not -math.inf < low < high < math.inf:
        raise InputError(
            f"δ0 bounds ({low:g}, {high:g}): give two finite numbers, the smaller one first"
        )
    if max(abs(low), abs(high), spread) > FARTHEST * (high - low):
        raise InputError(
            f"δ0 bounds ({low:g}, {high:g}) are too close together to compute with: give "
            f"bounds at least {spread:.2g} apart, which is the spread of the data sets' means"
        )
    if max(low - float(means.max()), float(means.min()) - high) > FARTHEST * spread:
        raise InputError(
            f"δ0 bounds ({low:g}, {high:g}) are too far from the data sets' means to compute "
            f"with: those lie about {float(means.mean()):.2g}"
        )


def default_sigma0_bound(statistics: SufficientStatistics) -> float:
    """Return 1000 times the standard deviation of the means (Corani 2017, §3).

    If the means are closer together than their standard errors, their spread is chance and could be
    0: then it is 1000 times the mean standard error.
    """
    # fsum and sorting make it independent of the order of data sets and the sign of means
    mean = math.fsum(statistics.mean) / len(statistics)
    squares = math.fsum((statistics.mean - mean) ** 2)
    spread = math.sqrt(squares / (len(statistics) - 1))
    return SIGMA0_REACH * max(spread, math.fsum(statistics.standard_error) / len(statistics))


def ml_sigma(statistics: SufficientStatistics) -> FloatArray:
    """Return (q,) maximum-likelihood σ_i: σ̂_i² = SS_i/(n_i (1 - ρ_i)) (CB 2015, appendix)."""
    s = statistics
    return np.asarray(np.sqrt(s.ss / (s.n * (1 - s.rho))))


def without_constants(
    statistics: SufficientStatistics, rope: Rope
) -> tuple[SufficientStatistics, tuple[Note, ...]]:
    """Give data sets with constant differences a spread, and keep their means.

    The authors' program adds noise uniform over the rope; its standard deviation is used here
    without the noise. Without a rope it is the smallest standard deviation of the others.

    A tie in all of a few test items says little, and such a standard deviation would say much. The
    quadrature takes items from their own likelihood (`items.py`); elsewhere they have the standard
    error of their exact posterior.
    """
    items = FEW_BINARY_ITEMS.applies(statistics)
    constant = ~items & statistics.is_constant
    if items.any():
        error = PairedBinaryPosterior.of(statistics).sd
        ss = np.where(items, statistics.n * (statistics.n - 1) * error**2, statistics.ss)
        statistics = replace(statistics, ss=ss)
    if not constant.any():
        return statistics, ()
    if not rope.is_empty:
        sd = (rope.high - rope.low) / math.sqrt(12)
        source = "that of a uniform distribution over the rope"
    elif not constant.all():
        sd = float(statistics.sd[~constant].min())
        source = "the smallest of the other data sets"
    else:
        raise InputError(
            "all differences are equal on every data set, and there is no rope to say how much "
            f"they may vary: give a rope, such as {arg('rope', 0.01)}"
        )
    names = [statistics.names[i] for i in np.flatnonzero(constant)]
    ss = np.where(constant, (statistics.n - 1) * sd**2, statistics.ss)
    note = Note(
        "zero-variance",
        "warning",
        f"all differences are equal on {counted(names, 'data set')}: their standard deviation is "
        f"set to {sd:.3g}, {source}. Check that the two classifiers really differ there",
    )
    return replace(statistics, ss=ss), (note,)


def theta_of(
    delta0: FloatArray, sigma0: FloatArray, nu: FloatArray | float, rope: Rope
) -> tuple[FloatArray, FloatArray, FloatArray]:
    """Return θ_left, θ_rope, θ_right of the next data set, with Student δ (Corani 2017, §3.1)."""
    left = np.asarray(stdtr(nu, (rope.low - delta0) / sigma0), dtype=np.float64)
    right = np.asarray(stdtr(nu, (delta0 - rope.high) / sigma0), dtype=np.float64)
    middle = np.zeros_like(left) if rope.is_empty else np.maximum(1 - (left + right), 0.0)
    return left, middle, right
