"""Rates of items that pass some of their runs: a distribution without a form, from the counts.

Item j passes a_j of n_j runs, each with its rate π_j; the rates are drawn from a distribution G.
That which makes the counts most probable (Kiefer and Wolfowitz 1956, Ann. Math. Statist. 27:887)
is found on a grid by EM (Laird 1978, J. Amer. Statist. Assoc. 73:805). One more item, whose rate
may be anything, is added to those at hand, so that no rate is impossible.

How exactly so many items know G is told by the Bayesian bootstrap (Rubin 1981, Ann. Statist.
9:130): fits to items that are weighted at random.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from scipy.special import bdtr, gammaln, xlogy

from bcompare.data.rope import FloatArray, IntArray, read_only

# The rates of the grid: the middles of equal parts of the unit interval.
RATES = (np.arange(100) + 0.5) / 100
# Steps of EM, after which the chances no longer change.
STEPS = 200
# Fits: one to the items at hand, the others to reweighted ones.
FITS = 16
SEED = 0


@dataclass(frozen=True, eq=False, slots=True)
class RateMixture:
    """Distributions of the items' rates. weights : (fits, g) of the rates of the grid."""

    weights: FloatArray

    @classmethod
    def of(cls, passed: IntArray, runs: IntArray, fits: int = FITS) -> "RateMixture":
        """Return the distribution of the rates of items, and those of the bootstrap.

        passed, runs : (q,) of each item.
        """
        counts, number = np.unique(np.stack([passed, runs]), axis=1, return_counts=True)
        kinds = zip(counts[0].tolist(), counts[1].tolist(), number.tolist(), strict=True)
        return cls(_fitted(tuple(kinds), fits))

    def chances(self, passed: IntArray, runs: IntArray, more: int) -> FloatArray:
        """Return how probable it is that an item passes 0, 1, … of some more runs, or fewer.

        Parameters
        ----------
        passed, runs : (k,) of the items before. more : the number of further runs.

        Returns
        -------
        (k, more + 1) distribution functions under the posterior of each item's rate, averaged over
        the fits.
        """
        given_rate = bdtr(np.arange(more + 1)[:, None], more, RATES)
        return np.asarray((self.posterior(passed, runs) @ given_rate.T).mean(axis=0))

    def posterior(self, passed: IntArray, runs: IntArray) -> FloatArray:
        """Return the (fits, k, g) probabilities of each item's rate."""
        joint = self.weights[:, None, :] * _binomial(passed, runs)
        return np.asarray(joint / joint.sum(axis=2, keepdims=True))


@lru_cache(maxsize=64)
def _fitted(kinds: tuple[tuple[int, int, int], ...], fits: int) -> FloatArray:
    """Return the (fits, g) weights of the rates.

    kinds : runs that passed, all runs, and the number of items that have these.
    """
    passed, runs, number = np.array(kinds, np.int64).T
    likelihood = _binomial(passed, runs)
    q = number.sum()
    # Dirichlet weights of items add up to these of equal counts
    drawn = np.random.default_rng(SEED).gamma(number, size=(fits, len(number)))
    drawn *= q / drawn.sum(axis=1, keepdims=True)
    drawn[0] = number
    weights = np.full((fits, len(RATES)), 1 / len(RATES))
    for _ in range(STEPS):
        of_counts = drawn / (weights @ likelihood.T)
        weights = (weights * (of_counts @ likelihood) + 1 / len(RATES)) / (q + 1)
    return read_only(weights)


def _binomial(passed: IntArray, runs: IntArray) -> FloatArray:
    """Return the (k, g) probabilities of counts at each rate of the grid."""
    a = np.asarray(passed, np.float64)[:, None]
    n = np.asarray(runs, np.float64)[:, None]
    ways = gammaln(n + 1) - gammaln(a + 1) - gammaln(n - a + 1)
    return np.asarray(np.exp(ways + xlogy(a, RATES) + xlogy(n - a, 1 - RATES)))
