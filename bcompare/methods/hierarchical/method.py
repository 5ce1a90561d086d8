"""The hierarchical test with its options, and the function for arrays."""

from dataclasses import dataclass
from typing import ClassVar, Literal

from bcompare.errors import InputError
from bcompare.methods.base import Method
from bcompare.methods.hierarchical.model import (
    Bounds,
    HierarchicalResult,
    model_data,
    nu_prior,
)
from bcompare.methods.hierarchical.quadrature import integrate
from bcompare.rope import Rope
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

    title: ClassVar[str] = "Bayesian hierarchical correlated t-test"

    engine: Engine = "quadrature"
    prior: str = "corani"
    alpha_bounds: Bounds | None = None
    beta_bounds: Bounds | None = None
    delta0_bounds: Bounds | None = None
    sigma0_bound: float | None = None
    tol: float = TOLERANCE
    empirical_bayes: bool = False

    def __post_init__(self) -> None:
        if self.engine not in ("quadrature", "stan"):
            raise InputError(
                f"there is no engine called {self.engine!r}; choose quadrature or stan"
            )
        if not 0 < self.tol < 1:
            raise InputError(f"tolerance {self.tol:g}: give a number between 0 and 1, such as 5e-4")
        nu_prior(self.prior, self.alpha_bounds, self.beta_bounds)

    def test(self, statistics: SufficientStatistics, rope: Rope) -> HierarchicalResult:
        """One pair of classifiers over q data sets."""
        data = model_data(
            statistics,
            rope,
            nu_prior=nu_prior(self.prior, self.alpha_bounds, self.beta_bounds),
            delta0_bounds=self.delta0_bounds,
            sigma0_bound=self.sigma0_bound,
        )
        return integrate(data, rope, tol=self.tol, known_sigma=self.empirical_bayes)
