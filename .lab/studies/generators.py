"""Results of cross-validation made by simulation, for several studies.

Two generators: folds that are correlated normal variables (Corani et al. 2017, §5), and the
cross-validation of two classifiers on data of a network of two binary nodes (Corani & Benavoli
2015, §4): one predicts the majority class, the other learns the network.
"""

from dataclasses import dataclass

import numpy as np

from bcompare.data.rope import FloatArray, IntArray
from bcompare.data.sufficient import SufficientStatistics

FOLDS, RUNS = 10, 10
RHO = 1 / FOLDS
VARIANCE_OF_MEAN = 0.00036
SIGMA2 = VARIANCE_OF_MEAN * FOLDS * RUNS / (1 + (FOLDS * RUNS - 1) * RHO)
# About so many cases give the variance above.
CASES = 2_500


def statistics_of(mean: FloatArray, ss: FloatArray, n: int = FOLDS * RUNS) -> SufficientStatistics:
    """The statistics of data sets whose means and sums of squares are known."""
    q = len(mean)
    return SufficientStatistics(
        names=tuple(str(i + 1) for i in range(q)),
        n=np.full(q, n),
        mean=mean,
        ss=ss,
        rho=np.full(q, RHO),
    )


def correlated_normal(rng: np.random.Generator, delta: FloatArray) -> SufficientStatistics:
    """Ten runs of ten folds that are normal around δ_i, with correlation ρ: (q,) δ in.

    Of such folds the mean is normal with the variance above, and the sum of squares, independent of
    it, σ²(1 - ρ) times a χ² variable with n - 1 degrees of freedom.
    """
    n = FOLDS * RUNS
    mean = rng.normal(delta, np.sqrt(VARIANCE_OF_MEAN))
    return statistics_of(mean, SIGMA2 * (1 - RHO) * rng.chisquare(n - 1, len(delta)))


@dataclass(frozen=True, eq=False, slots=True)
class CrossValidated:
    """Accuracies on each fold, of q data sets; (q, runs × folds).

    majority, network : of the two classifiers.
    """

    majority: FloatArray
    network: FloatArray

    def statistics(self, turned: np.ndarray) -> SufficientStatistics:
        """Of network - majority; of majority - network where the roles are `turned`."""
        difference = np.where(turned[:, None], -1.0, 1.0) * (self.network - self.majority)
        mean = difference.mean(axis=1)
        ss = ((difference - mean[:, None]) ** 2).sum(axis=1)
        ss[np.ptp(difference, axis=1) == 0] = 0.0
        return statistics_of(mean, ss, difference.shape[1])


def cross_validated(
    rng: np.random.Generator, theta: FloatArray, cases: IntArray, runs: int = RUNS
) -> CrossValidated:
    """Cross-validate both classifiers on data sets of the network.

    theta : (q,) P(f0|c0) and P(f1|c1), classes being equally likely. cases : (q,) in each data set.
    """
    q = len(theta)
    # Cases by class and feature: the feature is the class's own with probability θ.
    of_class = rng.binomial(cases, 0.5)
    counts = np.empty((q, 2, 2), dtype=np.int64)
    for c, number in enumerate((of_class, cases - of_class)):
        own = rng.binomial(number, theta)
        counts[:, c, c], counts[:, c, 1 - c] = own, number - own
    folds = _dealt(rng, np.repeat(counts[:, None], runs, axis=1))
    training = counts[:, None, None] - folds
    size = np.maximum(folds.sum(axis=(-2, -1)), 1)
    toss = rng.random(training.shape[:3])
    first = _prefers_first(training.sum(axis=-1), toss)
    own_class = folds.sum(axis=-1)
    majority = np.where(first, own_class[..., 0], own_class[..., 1]) / size
    right = np.zeros(size.shape, dtype=np.int64)
    for f in range(2):
        chosen = _prefers_first(training[..., f], rng.random(toss.shape))
        right += np.where(chosen, folds[..., 0, f], folds[..., 1, f])
    shape = (q, runs * FOLDS)
    return CrossValidated(majority.reshape(shape), (right / size).reshape(shape))


def _prefers_first(counts: np.ndarray, toss: FloatArray) -> np.ndarray:
    """Whether the first of two classes is predicted; a coin decides between equal ones."""
    first, second = counts[..., 0], counts[..., 1]
    return np.asarray((first > second) | ((first == second) & (toss < 0.5)))


def _dealt(rng: np.random.Generator, counts: np.ndarray) -> np.ndarray:
    """Deal cases of four kinds, (…, 2, 2), at random into folds of equal size: (…, folds, 2, 2)."""
    left = counts.reshape(*counts.shape[:-2], 4).copy()
    total = left.sum(axis=-1)
    folds = np.empty((*left.shape[:-1], FOLDS, 4), dtype=np.int64)
    for fold in range(FOLDS):
        expected = total // FOLDS + (fold < total % FOLDS)
        for kind in range(3):
            others = left[..., kind + 1 :].sum(axis=-1)
            drawn = rng.hypergeometric(left[..., kind], others, expected)
            folds[..., fold, kind] = drawn
            expected = expected - drawn
        folds[..., fold, 3] = expected
        left -= folds[..., fold, :]
    return folds.reshape(*left.shape[:-1], FOLDS, 2, 2)


def cauchy(rng: np.random.Generator, q: int, centre: float, scale: float) -> FloatArray:
    """(q,) differences of a Cauchy distribution, capped at ±0.5 as accuracies are."""
    return np.clip(centre + scale * rng.standard_cauchy(q), -0.5, 0.5)


def made_by(name: str, rng: np.random.Generator, delta: FloatArray) -> SufficientStatistics:
    """Results around true differences by either generator: "normal" or "network"."""
    if name == "normal":
        return correlated_normal(rng, delta)
    turned = delta < 0
    result = cross_validated(rng, 0.5 + np.abs(delta), np.full(len(delta), CASES))
    return result.statistics(turned)
