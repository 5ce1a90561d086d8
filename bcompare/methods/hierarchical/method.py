"""The hierarchical test with its options, and the function for arrays."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Literal

from numpy.typing import ArrayLike

from bcompare.errors import InputError
from bcompare.methods.base import Method, Progress, Result, no_progress
from bcompare.methods.hierarchical.model import (
    PRIORS,
    Bounds,
    HierarchicalResult,
    model_data,
    nu_prior,
)
from bcompare.methods.hierarchical.quadrature import integrate
from bcompare.rope import RegionProbabilities, Rope
from bcompare.sufficient import SufficientStatistics

Engine = Literal["quadrature", "stan"]

TOLERANCE = 5e-4


@dataclass(frozen=True)
class Hierarchical(Method):
    """The hierarchical test with its options; see `hierarchical_test`.

    Raises
    ------
    InputError : an unknown engine or prior, or an option outside its range.
    """

    name: ClassVar[str] = "hier"
    title: ClassVar[str] = "Bayesian hierarchical correlated t-test"

    engine: Engine = "quadrature"
    prior: str = "corani"
    alpha_bounds: Bounds | None = None
    beta_bounds: Bounds | None = None
    delta0_bounds: Bounds | None = None
    sigma0_bound: float | None = None
    empirical_bayes: bool = False
    sensitivity: bool = False
    tol: float = TOLERANCE
    chains: int = 4
    draws: int = 5000
    seed: int = 0

    def __post_init__(self) -> None:
        if self.engine not in ("quadrature", "stan"):
            raise InputError(
                f"there is no engine called {self.engine!r}; choose quadrature or stan"
            )
        if not 0 < self.tol < 1:
            raise InputError(f"tolerance {self.tol:g}: give a number between 0 and 1, such as 5e-4")
        nu_prior(self.prior, self.alpha_bounds, self.beta_bounds)

    def describe(self) -> str:
        """Return prior and engine in words."""
        bounds = [
            f"{name} in [{given[0]:g}, {given[1]:g}]"
            for name, given in (("α", self.alpha_bounds), ("β", self.beta_bounds))
            if given is not None
        ]
        prior = ", ".join([f"prior {self.prior}", *bounds])
        variant = " · empirical Bayes" if self.empirical_bayes else ""
        if self.engine == "stan":
            chains = f"{self.chains} chains of {self.draws:,} draws, seed {self.seed}"
            return f"{prior}{variant} · Stan, {chains}"
        return f"{prior}{variant} · quadrature"

    def test(self, statistics: SufficientStatistics, rope: Rope) -> HierarchicalResult:
        """One pair of classifiers over q data sets."""
        return self._answer(statistics, rope, no_progress)

    def test_all(
        self,
        pairs: Sequence[SufficientStatistics],
        rope: Rope,
        progress: Progress = no_progress,
    ) -> list[Result]:
        """Many pairs; the sampler, which is slow, reports its iterations as well."""
        results: list[Result] = []
        for done, statistics in enumerate(pairs):

            def within(step: int, steps: int, done: int = done) -> None:
                progress(done * steps + step, len(pairs) * steps)

            results.append(self._answer(statistics, rope, within))
            progress(done + 1, len(pairs))
        return results

    def _answer(
        self, statistics: SufficientStatistics, rope: Rope, progress: Progress
    ) -> HierarchicalResult:
        data = model_data(
            statistics,
            rope,
            nu_prior=nu_prior(self.prior, self.alpha_bounds, self.beta_bounds),
            delta0_bounds=self.delta0_bounds,
            sigma0_bound=self.sigma0_bound,
        )
        if self.engine == "stan":
            from bcompare.methods.hierarchical.cmdstan import Sampling
            from bcompare.methods.hierarchical.stan import sample_posterior

            sampling = Sampling(chains=self.chains, draws=self.draws, seed=self.seed)
            result = sample_posterior(
                data, rope, sampling, known_sigma=self.empirical_bayes, progress=progress
            )
        else:
            result = integrate(data, rope, tol=self.tol, known_sigma=self.empirical_bayes)
        if not self.sensitivity:
            return result
        return replace(result, sensitivity=self._under_every_prior(statistics, rope))

    def _under_every_prior(
        self, statistics: SufficientStatistics, rope: Rope
    ) -> dict[str, RegionProbabilities[float]]:
        """The three probabilities under each named prior (Corani 2017, §7)."""
        plain = replace(self, sensitivity=False, alpha_bounds=None, beta_bounds=None)
        return {
            prior: replace(plain, prior=prior).test(statistics, rope).probabilities
            for prior in PRIORS
        }


def hierarchical_test(
    differences: Iterable[Any],
    *,
    rho: ArrayLike,
    rope: Rope | float | tuple[float, float] = 0.01,
    prior: str = "corani",
    engine: Engine = "quadrature",
    tol: float = TOLERANCE,
) -> HierarchicalResult:
    """Bayesian hierarchical correlated t-test on the paired differences of several data sets.

    Parameters
    ----------
    differences : q ≥ 2 arrays of shape (n_i,), score(right) - score(left) of the folds of each
        data set.
    rho : correlation between the differences of one data set: 1/k for k-fold cross-validation,
        however many runs; 0 for independent differences. One number, or (q,).
    rope : half-width, (low, high) or Rope, in the scores' unit.
    prior : of the degrees of freedom: corani, tutorial, kruschke, juarez-steel or gaussian.
        More options are fields of `Hierarchical`.
    engine : quadrature, or stan for Hamiltonian Monte Carlo.
    tol : how much the three probabilities may change when the quadrature is refined.

    Raises
    ------
    InputError : fewer than 2 data sets or 3 differences, a value that is not finite, ρ outside
        [0, 1), an unknown prior.
    ComputationError : the tolerance was not reached, or CmdStan is not installed.

    Source: Corani, Benavoli, Demšar, Mangili & Zaffalon 2017 (Machine Learning 106:1817).
    """
    method = Hierarchical(engine=engine, prior=prior, tol=tol)
    return method.test(SufficientStatistics.from_differences(differences, rho), Rope.of(rope))
