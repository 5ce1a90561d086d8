"""The calls of baycomp 1.0.3, answered by the tests here: exact, seeded, and without a compiler.

``from bcompare import baycomp`` instead of ``import baycomp`` is all that a script has to change.
Names, arguments, their order and defaults are baycomp's; those that only steer its sampling are
accepted, and change nothing but samples. ``bcompare explain baycomp`` lists what differs.
"""

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, cast

import numpy as np
from numpy.typing import ArrayLike

from bcompare.basis.messages import InputError, number_of
from bcompare.comparing.compare import compare
from bcompare.data.pairs import Pair
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.correlated_t import CorrelatedT
from bcompare.methods.hierarchical.method import Hierarchical
from bcompare.methods.mean_differences import PriorPlace
from bcompare.methods.sign import Sign
from bcompare.methods.signed_rank import SignedRank
from bcompare.methods.student import StudentPosterior
from bcompare.reading.arrays import scores_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = [
    "CorrelatedTTest",
    "HierarchicalTest",
    "SignTest",
    "SignedRankTest",
    "two_on_multiple",
    "two_on_single",
]

Names = tuple[str, str] | None
# p(left) and p(right), with p(rope) between them where there is a rope.
Probabilities = tuple[float, ...]

NAMES: Pair = ("C1", "C2")
# A rope that holds ties alone, which baycomp counts as equivalent also without a rope.
TIES = Rope(-5e-324, 5e-324)
# baycomp's bound of σ0, in standard deviations of the data sets' means; it is ours, too.
UPPER_SIGMA = 1000


def _both(
    x: ArrayLike, y: ArrayLike, rope: float, dimensions: int, runs: int = 1
) -> tuple[FloatArray, FloatArray]:
    """Return both arrays of scores, checked, as are the runs along their last axis."""
    left = np.asarray(x, dtype=np.float64)
    right = np.asarray(y, dtype=np.float64)
    if left.shape != right.shape or left.ndim != dimensions:
        raise InputError(
            f"x and y have the shapes {left.shape} and {right.shape}: give two arrays of the "
            f"same shape, with {number_of(dimensions, 'dimension')}"
        )
    if not rope >= 0:
        raise InputError(f"rope {rope}: its width cannot be negative")
    if int(runs) != runs or runs < 1:
        raise InputError(f"runs {runs}: give a positive whole number")
    if left.shape[-1] % runs:
        raise InputError(f"{left.shape[-1]} scores are not {runs} runs of equally many")
    return left, right


@dataclass(frozen=True, eq=False)
class SinglePosterior:
    """The Student posterior of the mean difference on one data set.

    mean, var, df : its location, squared scale and degrees of freedom.
    nsamples : of `sample`.
    left, right : (n,) scores.
    rope : half-width.
    names : of the two.
    """

    left: FloatArray = field(repr=False)
    right: FloatArray = field(repr=False)
    rope: float
    runs: int
    names: Names
    mean: float
    var: float
    df: int
    nsamples: int

    @property
    def _student(self) -> StudentPosterior:
        df, mean, scale = np.atleast_2d([self.df, self.mean, np.sqrt(self.var)]).T
        return StudentPosterior(dof=df, location=mean, scale=scale)

    @property
    def meanx(self) -> float:
        """The mean score of the first."""
        return float(self.left.mean())

    @property
    def meany(self) -> float:
        """The mean score of the second."""
        return float(self.right.mean())

    @cached_property
    def sample(self) -> FloatArray:
        """(nsamples,) draws, the same in every run."""
        draws = np.random.default_rng(0).standard_t(self.df, self.nsamples)
        return np.asarray(self.mean + np.sqrt(self.var) * draws)

    def probs(self) -> Probabilities:
        """Return the probabilities: three, or two without a rope."""
        p = self._student.regions(Rope.of(self.rope))
        left = float(p.left[0])
        rope = float(p.rope[0])
        right = float(p.right[0])
        return (left, rope, right) if self.rope else (left, right)

    def plot(self, names: Names = None) -> "Figure":
        """Draw the posterior."""
        from bcompare.show import draw

        a, b = names or self.names or NAMES
        both = (a, b) if a != b else (f"{a} (x)", f"{b} (y)")
        folds = len(self.left) / self.runs
        rho = 1 / folds if folds > 1 else 0.0  # given, so that many folds are not asked about
        scores = scores_of(self.left, self.right, "folds", self.runs, rho=rho, names=both)
        return draw(compare(scores, CorrelatedT(), rope=self.rope))


class CorrelatedTTest:
    """The Bayesian correlated t-test on the folds of one data set."""

    def __new__(
        cls,
        x: ArrayLike,
        y: ArrayLike,
        rope: float = 0,
        runs: int = 1,
        *,
        names: Names = None,
        nsamples: int = 50_000,
    ) -> Any:
        """Return the posterior."""
        left, right = _both(x, y, rope, 1, runs)
        computed = cls.compute_statistics(left, right, int(runs))
        return SinglePosterior(left, right, float(rope), int(runs), names, *computed, nsamples)

    @classmethod
    def compute_statistics(
        cls, x: ArrayLike, y: ArrayLike, runs: int = 1
    ) -> tuple[float, float, int]:
        """Return mean, corrected variance of the mean (Nadeau & Bengio 2003), degrees of freedom.

        The variance is NaN for a single score, or a single fold in a run.
        """
        difference = np.asarray(y, dtype=np.float64) - np.asarray(x, dtype=np.float64)
        n = len(difference)
        if n < 2 or n == runs:
            return float(difference.mean()), np.nan, n - 1
        variance = float(difference.var(ddof=1)) * (1 / n + 1 / (n / runs - 1))
        return float(difference.mean()), variance, n - 1

    @classmethod
    def sample(
        cls, x: ArrayLike, y: ArrayLike, runs: int = 1, *, nsamples: int = 50_000
    ) -> FloatArray:
        """Return (nsamples,) draws from the posterior."""
        return cast("FloatArray", cls(x, y, runs=runs, nsamples=nsamples).sample)

    @classmethod
    def probs(cls, x: ArrayLike, y: ArrayLike, rope: float = 0, runs: int = 1) -> Probabilities:
        """Return the probabilities: three, or two without a rope."""
        return cast("Probabilities", cls(x, y, rope, runs).probs())

    @classmethod
    def plot(
        cls, x: ArrayLike, y: ArrayLike, rope: float = 0, runs: int = 1, *, names: Names = None
    ) -> "Figure":
        """Draw the posterior."""
        return cast("Figure", cls(x, y, rope, runs).plot(names))


class Posterior:
    """The posterior of the three probabilities over data sets.

    sample : (draws, 3) of left, rope and right.
    names : of the two.
    p : that each is the largest, if known without draws.
    rope : its half-width.
    """

    def __init__(
        self,
        sample: ArrayLike,
        *,
        names: Names = None,
        p: RegionProbabilities[float] | None = None,
        rope: float | None = None,
    ) -> None:
        self.sample = np.asarray(sample, dtype=np.float64)
        self.names = names
        self._p, self._rope = p, rope

    def probs(self, with_rope: bool = True) -> Probabilities:
        """Return three probabilities; or two, among which that of the rope is shared out."""
        left, rope, right = self._p or self._shares()
        if with_rope:
            return (left, rope, right)
        outside = left + right
        return (left / outside, right / outside) if outside else (0.5, 0.5)

    def _shares(self) -> RegionProbabilities[float]:
        """Return in which share of the draws each is the largest."""
        counts = np.bincount(self.sample.argmax(axis=1), minlength=3)
        return RegionProbabilities(*(counts / counts.sum()).tolist())

    def plot(self, names: Names = None) -> "Figure":
        """Draw the posterior: in a triangle, or a histogram without a rope."""
        from bcompare.plots.sheet import Sheet
        from bcompare.plots.simplex import draw_theta

        both = names or self.names or NAMES
        rope = TIES if self._rope is None else Rope.of(self._rope)
        p = self._p or self._shares()
        title = [both[0], f"and {both[1]}"]
        return draw_theta(self.sample, p, rope, both, title, Sheet())

    plot_simplex = plot_histogram = plot


def _posterior(
    method: "Sign | SignedRank | Hierarchical",
    statistics: SufficientStatistics,
    p: RegionProbabilities[float],
    rope: float,
    borders: Rope,
    nsamples: int,
) -> Posterior:
    """Return the posterior with this number of draws, which are the same in every run."""
    draws = method.draw_theta(statistics, borders)
    return Posterior(np.resize(draws, (nsamples, 3)), p=p, rope=rope)


def _of_means(
    method: Sign | SignedRank, x: ArrayLike, y: ArrayLike, rope: float, ties: Rope, nsamples: int
) -> Posterior:
    """Return the posterior of a test on means; ties : the rope if there is none."""
    left, right = _both(x, y, rope, 1)
    borders = Rope.of(rope) if rope else ties
    z = right - left
    (result,) = method.from_means([z], borders)
    # the spread does not matter here
    statistics = SufficientStatistics.from_differences(np.repeat(z[:, np.newaxis], 3, axis=1), 0.0)
    return _posterior(method, statistics, result.probabilities, rope, borders, nsamples)


def _sign(
    x: ArrayLike,
    y: ArrayLike,
    rope: float,
    *,
    prior: float | tuple[float, int] = 1,
    nsamples: int = 50_000,
    random_state: object = None,
) -> Posterior:
    del random_state  # the answer is exact
    strength, place = prior if isinstance(prior, tuple) else (prior, SignTest.ROPE)
    places: tuple[PriorPlace, ...] = ("left", "rope", "right")
    method = Sign(prior_strength=float(strength), prior_place=places[place])
    return _of_means(method, x, y, rope, TIES, nsamples)


def _signed_rank(
    x: ArrayLike,
    y: ArrayLike,
    rope: float,
    *,
    prior: float = 0.5,
    nsamples: int = 50_000,
    random_state: int | None = None,
) -> Posterior:
    method = SignedRank(prior_strength=prior, seed=random_state or 0)
    return _of_means(method, x, y, rope, Rope(0.0, 0.0), nsamples)


def _hierarchical(
    x: ArrayLike,
    y: ArrayLike,
    rope: float,
    *,
    runs: int = 1,
    lower_alpha: float = 1,
    upper_alpha: float = 2,
    lower_beta: float = 0.01,
    upper_beta: float = 0.1,
    upper_sigma: float = UPPER_SIGMA,
    chains: int = 4,
    nsamples: int = 50_000,
    random_state: int | None = None,
) -> Posterior:
    left, right = _both(x, y, rope, 2, runs)
    difference = right - left
    spread = float(difference.mean(axis=-1).std())
    largest = float(np.abs(difference).max())
    method = Hierarchical(
        alpha_bounds=(lower_alpha, upper_alpha),
        beta_bounds=(lower_beta, upper_beta),
        delta0_bounds=(-largest, largest) if largest else None,
        sigma0_bound=upper_sigma * spread if spread and upper_sigma != UPPER_SIGMA else None,
        chains=chains,
        seed=random_state or 0,
    )
    statistics = SufficientStatistics.from_differences(difference, runs / difference.shape[1])
    borders = Rope.of(rope)
    result = method.test(statistics, borders)
    return _posterior(method, statistics, result.probabilities, rope, borders, nsamples)


class Test:
    """A test over several data sets; calling one returns its posterior."""

    LEFT, ROPE, RIGHT = range(3)
    __test__: ClassVar[bool] = False  # it is none of pytest's
    posterior: ClassVar[Callable[..., Posterior]]

    def __new__(cls, x: ArrayLike, y: ArrayLike, rope: float = 0, **options: object) -> Any:
        """Return the posterior."""
        return cls.posterior(x, y, rope, **options)

    @classmethod
    def sample(cls, x: ArrayLike, y: ArrayLike, rope: float = 0, **options: object) -> FloatArray:
        """Return (draws, 3) probabilities of left, rope and right."""
        return cast("FloatArray", cls(x, y, rope, **options).sample)

    @classmethod
    def probs(cls, x: ArrayLike, y: ArrayLike, rope: float = 0, **options: object) -> Probabilities:
        """Return the probabilities: three, or two without a rope."""
        return cast("Probabilities", cls(x, y, rope, **options).probs(rope > 0))

    @classmethod
    def plot(
        cls, x: ArrayLike, y: ArrayLike, rope: float = 0, *, names: Names = None, **options: object
    ) -> "Figure":
        """Draw the posterior."""
        return cast("Figure", cls(x, y, rope, **options).plot(names))

    plot_simplex = plot_histogram = plot


class SignTest(Test):
    """The Bayesian sign test on one mean of each data set.

    Its prior is a strength, or strength and place: LEFT, ROPE or RIGHT.
    """

    posterior = staticmethod(_sign)


class SignedRankTest(Test):
    """The Bayesian signed-rank test on one mean of each data set."""

    posterior = staticmethod(_signed_rank)


class HierarchicalTest(Test):
    """The hierarchical test on the folds of several data sets, a row for each."""

    posterior = staticmethod(_hierarchical)


def two_on_single(
    x: ArrayLike,
    y: ArrayLike,
    rope: float = 0,
    runs: int = 1,
    *,
    names: Names = None,
    plot: bool = False,
) -> Any:
    """Compare two models on the folds of one data set by the correlated t-test.

    Parameters
    ----------
    x, y : (n,) scores. rope : half-width, in their unit. runs : of cross-validation.

    Returns
    -------
    (p_left, p_rope, p_right), or (p_left, p_right) without a rope; with `plot` also a figure.

    Raises
    ------
    InputError : arrays of different lengths, a negative rope, or runs of different lengths.

    Examples
    --------
    >>> from bcompare.baycomp import two_on_single
    >>> x, y = [0.70, 0.72, 0.71, 0.69, 0.73], [0.75, 0.74, 0.76, 0.75, 0.77]
    >>> [round(p, 3) for p in two_on_single(x, y, rope=0.01)]
    [0.003, 0.015, 0.983]
    """
    return _answer(CorrelatedTTest(x, y, rope, runs), names, plot=plot)


def two_on_multiple(
    x: ArrayLike,
    y: ArrayLike,
    rope: float = 0,
    *,
    runs: int = 1,
    names: Names = None,
    plot: bool = False,
    **options: object,
) -> Any:
    """Compare two models on several data sets: folds by `HierarchicalTest`, else `SignedRankTest`.

    Parameters
    ----------
    x, y : (q, n) scores of folds, or (q,) means. rope : half-width, in their unit.
    runs : of cross-validation. options : of the test.

    Returns
    -------
    (p_left, p_rope, p_right), also without a rope, as baycomp does; with `plot` also a figure.

    Raises
    ------
    InputError : arrays of different shapes, a negative rope, or runs of different lengths.

    Examples
    --------
    >>> from bcompare.baycomp import two_on_multiple
    >>> x, y = [0.80, 0.75, 0.91, 0.68, 0.84, 0.77], [0.82, 0.78, 0.91, 0.72, 0.83, 0.80]
    >>> [round(p, 2) for p in two_on_multiple(x, y, rope=0.01)]
    [0.0, 0.1, 0.9]
    """
    if np.ndim(x) > 1:
        return _answer(HierarchicalTest(x, y, rope, runs=runs, **options), names, plot=plot)
    return _answer(SignedRankTest(x, y, rope, **options), names, plot=plot)


def _answer(
    posterior: SinglePosterior | Posterior, names: Names, *, plot: bool
) -> Probabilities | tuple[Probabilities, "Figure"]:
    return (posterior.probs(), posterior.plot(names)) if plot else posterior.probs()
