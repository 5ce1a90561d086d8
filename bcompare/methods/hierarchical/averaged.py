"""The hierarchical test, averaged over populations."""

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.data.sufficient import OTHER_RHOS, SufficientStatistics
from bcompare.methods.base import Method
from bcompare.methods.hierarchical.model import ModelData
from bcompare.methods.hierarchical.priors import PRIORS, Bounds, nu_prior
from bcompare.methods.hierarchical.quadrature.averaged import (
    AveragedResult,
    PopulationDraws,
    averaged,
)
from bcompare.methods.hierarchical.quadrature.populations import POPULATIONS

if TYPE_CHECKING:
    from bcompare.data.sufficient import SimulatedResults

# The number of draws of θ for a picture.
THETA_DRAWS = 150_000


@dataclass(frozen=True)
class AveragedPopulations(Method):
    """The test of the next data set, averaged over populations; see `quadrature.populations`.

    prior : of the degrees of freedom ν, as of `Hierarchical`, but not ``gaussian``.
    alpha_bounds, beta_bounds : of its two hyperparameters, in place of that prior's own.
    sensitivity : answer under each prior of ν, too, and with other correlations.
    seed : of the draws for pictures and plans.

    Raises
    ------
    InputError : a prior without ν, or an unknown one.
    """

    name: ClassVar[str] = "hier"
    title: ClassVar[str] = "Bayesian hierarchical test, averaged"
    paper: ClassVar[str] = "Corani et al. 2017, averaged over populations"
    pictures: ClassVar[tuple[str, ...]] = ("simplex",)
    predicts: ClassVar[bool] = True
    varied: ClassVar[str] = "the prior of ν or ρ"

    population: Literal["averaged"] = "averaged"
    prior: str = "corani"
    alpha_bounds: Bounds | None = None
    beta_bounds: Bounds | None = None
    sensitivity: bool = False
    seed: int = field(default=0, repr=False)

    def __post_init__(self) -> None:
        if nu_prior(self.prior, self.alpha_bounds, self.beta_bounds) is None:
            raise InputError(
                f"{arg('prior', self.prior)} belongs to {arg('population', 'student')}, and not to "
                f"{arg('population', self.population)}: leave one of the two out"
            )

    @classmethod
    def configured(cls, **options: Any) -> "AveragedPopulations":
        """Return the test with options from the command line.

        Raises
        ------
        InputError : options of the Student population alone.
        """
        strange = [name for name in options if name not in cls.__dataclass_fields__]
        if strange:
            raise InputError(
                f"{arg(strange[0], options[strange[0]])} belongs to "
                f"{arg('population', 'student')}, and not to {arg('population', 'averaged')}: "
                "leave one of the two out"
            )
        return cls(**options)

    def describe(self) -> str:
        """Return the prior and the populations in words."""
        return f"prior {self.prior} · averaged over {POPULATIONS} populations · quadrature"

    def effort(self, datasets: int) -> float:
        """Return the approximate seconds for a pair."""
        return 0.1 + 2e-3 * datasets

    def test(self, statistics: SufficientStatistics, rope: Rope) -> AveragedResult:
        """Compare one pair of classifiers over q data sets."""
        varied = self._varied(statistics, rope) if self.sensitivity else {}
        return replace(averaged(self.data(statistics, rope), rope), sensitivity=varied)

    def further(
        self,
        now: SufficientStatistics,
        rope: Rope,
        shape: tuple[int, int],
        rng: np.random.Generator,
    ) -> "SimulatedResults":
        """Draw (results, further data sets) from the posterior of the populations."""
        design = rng.integers(len(now), size=shape)
        delta = PopulationDraws(self.data(now, rope), rope, shape[0], rng).deltas(design, rng)
        n, rho = now.n[design], now.rho[design]
        variance = now.ss[design] / rng.chisquare(n - 1)
        from bcompare.data.sufficient import results_of

        return results_of(delta, variance, n, rho, rng, binary=now.binary[design], unit=now.unit)

    def draw_theta(self, statistics: SufficientStatistics, rope: Rope) -> FloatArray:
        """Draw (THETA_DRAWS, 3) probabilities of the regions."""
        rng = np.random.default_rng(self.seed)
        return PopulationDraws(self.data(statistics, rope), rope, THETA_DRAWS, rng).theta.T

    def data(self, statistics: SufficientStatistics, rope: Rope) -> ModelData:
        """Return the checked data and the prior of ν."""
        prior = nu_prior(self.prior, self.alpha_bounds, self.beta_bounds)
        return ModelData(statistics, rope, nu_prior=prior)

    def _varied(
        self, statistics: SufficientStatistics, rope: Rope
    ) -> dict[str, RegionProbabilities[float]]:
        """Return the probabilities under each prior of ν, and with other correlations."""
        cases: dict[str, tuple[str, SufficientStatistics]] = {
            name: (name, statistics) for name, prior in PRIORS.items() if prior is not None
        }
        for name, factor in OTHER_RHOS.items():
            other = statistics.with_rho(factor)
            if other is not None:
                cases[name] = (self.prior, other)
        return {
            name: AveragedPopulations(prior=prior).test(given, rope).probabilities
            for name, (prior, given) in cases.items()
        }
