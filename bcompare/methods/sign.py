"""The Bayesian sign test: two classifiers on several data sets, from the mean differences.

Source: Benavoli, Corani, Demšar & Zaffalon 2017 (JMLR 18), "Tutorial", eq. 10.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import gammainc, gammainccinv, gammaincinv, gammaln

from bcompare.basis.progress import Progress, no_progress
from bcompare.basis.threads import in_one_thread
from bcompare.data.rope import DEFAULT_ROPE, FloatArray, RegionProbabilities, Rope, RopeLike
from bcompare.data.simulated import SimulatedResults
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.interface import PopulationResult
from bcompare.methods.mean_differences import (
    PRIOR_PLACES,
    MeansMethod,
    PriorPlace,
    mean_differences,
    why_withheld,
)
from bcompare.methods.result_parts import with_options_of
from bcompare.methods.wilcoxon import binomial_sign_test

# The integrand is smooth and dies out at both ends, so the trapezoidal rule converges
# exponentially: with this number of nodes its error is below 2e-11 for every count up to 5,000, and
# below 1e-10 up to a million.
NODES = 192
# The largest component lies outside the nodes' range with less than this probability.
CUT = 1e-18
# Triples integrated at once: bounds the memory to a few megabytes.
TRIPLES = 512
# Draws of the posterior.
THETA_DRAWS = 150_000


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class SignResult(PopulationResult):
    """Answer of the Bayesian sign test (Tutorial eq. 10).

    probabilities : that the left, the rope's, the right region is the most probable one for
        the mean difference on a further data set; exact to rounding.
    parameters : of the Dirichlet posterior, left, rope, right: the data sets in each region, a
        difference of 0 counting half for either side where there is no rope, plus the prior's
        share.
    theta_mean : posterior mean of the three regions' probabilities.
    sensitivity : `probabilities` under each place of the prior.
    datasets : which region each data set's mean difference is in, as 0 or 1.
    nhst : the binomial sign test.
    """

    parameters: tuple[float, float, float]
    theta_mean: RegionProbabilities[float]

    @property
    def chances(self) -> RegionProbabilities[float]:
        """The posterior means."""
        return self.theta_mean


@dataclass(frozen=True)
class Sign(MeansMethod):
    """The Bayesian sign test; see `sign_test`.

    prior_strength : weight of the prior's pseudo-observation, in data sets.
    prior_place : the region it is in; `split` puts half of it to the left and half to the
        right, and so does `rope` where there is no rope.
    """

    name: ClassVar[str] = "sign"
    title: ClassVar[str] = "Bayesian sign test"
    paper: ClassVar[str] = "Benavoli et al. 2017"
    about: ClassVar[str] = (
        "Counts on how many data sets either is better. The simplest test, and the least sensitive."
    )

    def from_means(
        self, means: Sequence[ArrayLike], rope: Rope, progress: Progress = no_progress
    ) -> list[SignResult]:
        """Many pairs, each given as its (q,) mean differences."""
        differences = [mean_differences(values) for values in means]
        regions = [rope.shares(z) for z in differences]
        counts = np.array([[r.left.sum(), r.rope.sum(), r.right.sum()] for r in regions])
        # (pairs, places, regions)
        parameters = counts[:, None, :] + self.prior_strength * _prior_shares(rope)
        probabilities = probability_of_largest(parameters)
        chosen = PRIOR_PLACES.index(self.prior_place)
        results = []
        for i, z in enumerate(differences):
            left, middle, right = parameters[i, chosen].tolist()
            theta_mean = parameters[i, chosen] / ((left + right) + middle)
            results.append(
                SignResult(
                    **self.common_fields(z, regions[i], probabilities[i]),
                    error=None,
                    nhst=binomial_sign_test(z),
                    parameters=(left, middle, right),
                    theta_mean=RegionProbabilities(*theta_mean.tolist()),
                )
            )
            progress(len(results), len(differences))
        return results

    def test_simulated(self, results: SimulatedResults, rope: Rope) -> FloatArray:
        """Return (3, R) probabilities of simulated results, from their means alone."""
        count, q = results.mean.shape
        if why_withheld(q) is not None:
            return np.full((3, count), np.nan)
        shares = rope.shares(results.mean)
        counts = np.stack([share.sum(axis=1) for share in shares], axis=1)
        place = PRIOR_PLACES.index(self.prior_place)
        prior = self.prior_strength * _prior_shares(rope)[place]
        return probability_of_largest(counts + prior).T

    def draw_theta(self, statistics: SufficientStatistics, rope: Rope) -> FloatArray:
        """(THETA_DRAWS, 3) of the Dirichlet posterior, for a picture: the answer needs no draws."""
        parameters = np.array(self.from_means([statistics.mean], rope)[0].parameters)
        weights = np.random.default_rng(0).standard_gamma(parameters, (THETA_DRAWS, 3))
        return np.asarray(weights / weights.sum(axis=1, keepdims=True))


@in_one_thread
@with_options_of(Sign)
def sign_test(
    x: ArrayLike, y: ArrayLike | None = None, *, rope: RopeLike = DEFAULT_ROPE, **options: Any
) -> SignResult:
    """Bayesian sign test on the mean differences of several data sets.

    Parameters
    ----------
    x, y : (q,) mean scores of left and right on each data set. Without y, x are the differences
        y - x already.
    rope : half-width, (low, high) or Rope, in the scores' unit.
    options : of `Sign`.

    Raises
    ------
    InputError : no difference, one that is not finite, or a prior that cannot be.

    Examples
    --------
    >>> result = sign_test([0.02, 0.03, 0.0, 0.04, -0.005], rope=0.01)
    >>> round(result.probabilities.right, 3)
    0.591
    """
    differences = x if y is None else np.subtract(y, x)
    return Sign(**options).from_means([differences], Rope.of(rope))[0]


def probability_of_largest(parameters: FloatArray) -> FloatArray:
    """Probability that each component of a Dirichlet distribution is the largest one.

    The components of Dirichlet(a) are independent Gamma(a) variables over their sum, so the
    k-th is the largest with probability ∫ f_k Π_{j≠k} F_j, densities f and distribution
    functions F: computed by the trapezoidal rule on the logarithm of the variable.

    Parameters
    ----------
    parameters : (..., 3), not negative and not all 0; a component whose parameter is 0 is
        identically 0.

    Returns
    -------
    (..., 3), summing to 1; exactly mirrored where the parameters are.
    """
    triples, place = np.unique(parameters.reshape(-1, 3), axis=0, return_inverse=True)
    blocks = [_integrate(triples[i : i + TRIPLES]) for i in range(0, len(triples), TRIPLES)]
    return np.concatenate(blocks)[place.ravel()].reshape(parameters.shape)


def _integrate(triples: FloatArray) -> FloatArray:
    """Return (m, 3) probabilities for (m, 3) parameters."""
    # The component with the largest parameter is stochastically the largest: the maximum of all
    # three exceeds its lower cut and stays below its upper one.
    greatest = triples.max(axis=1)
    low = np.log(gammaincinv(greatest, CUT))
    high = np.log(gammainccinv(greatest, CUT))
    log_x = low[:, None] + (high - low)[:, None] * np.linspace(0, 1, NODES)
    x = np.exp(log_x)
    a = triples.T[:, :, None]
    # For a = 0 these are the constants 0 and 1: gammaln(0) is infinite.
    density = np.exp(a * log_x - x - gammaln(a))  # of log x
    below = gammainc(a, x)
    left = (density[0] * (below[1] * below[2])).sum(axis=1)
    rope = (density[1] * (below[0] * below[2])).sum(axis=1)
    right = (density[2] * (below[0] * below[1])).sum(axis=1)
    # The three integrals sum to 1: this also divides by the step.
    total = (left + right) + rope
    return np.stack([left / total, rope / total, right / total], axis=1)


def _prior_shares(rope: Rope) -> FloatArray:
    """Return (places, 3): the part of the pseudo-observation in each region."""
    half = (0.5, 0.0, 0.5)
    shares: dict[PriorPlace, tuple[float, float, float]] = {
        "rope": half if rope.is_empty else (0.0, 1.0, 0.0),
        "left": (1.0, 0.0, 0.0),
        "right": (0.0, 0.0, 1.0),
        "split": half,
    }
    return np.array([shares[place] for place in PRIOR_PLACES])
