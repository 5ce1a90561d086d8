"""The hierarchical test with its options, also averaged over populations; and for arrays."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar, Literal, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from bcompare.basis.messages import InputError, PairError, Record, arg
from bcompare.basis.progress import Progress, no_progress
from bcompare.basis.threads import in_one_thread
from bcompare.data.rope import DEFAULT_ROPE, FloatArray, RegionProbabilities, Rope, RopeLike
from bcompare.data.simulated import SimulatedResults, results_like
from bcompare.data.sufficient import OTHER_RHOS, SufficientStatistics, differences_of
from bcompare.methods.hierarchical.misfit import misfit_notes
from bcompare.methods.hierarchical.model import (
    FEWEST_DATASETS,
    MOST_AVERAGED,
    PRIORS,
    Bounds,
    ModelData,
    mixed,
    nu_prior,
    theta_of,
    with_noise,
    without_constants,
)
from bcompare.methods.hierarchical.quadrature.averaged import (
    AveragedResult,
    PopulationDraws,
    averaged,
    next_chances,
)
from bcompare.methods.hierarchical.quadrature.integrate import (
    integrate,
    next_dataset,
    population_draws,
)
from bcompare.methods.hierarchical.quadrature.populations import POPULATIONS
from bcompare.methods.hierarchical.result import Density, HierarchicalResult, Reading
from bcompare.methods.interface import Method, Outcome, Scope, attempted
from bcompare.methods.paired_binary import FEW_BINARY_ITEMS
from bcompare.methods.result_parts import option, prior_term, with_options_of

if TYPE_CHECKING:
    from bcompare.methods.hierarchical.quadrature.batch import Suites

# The fewest scores on a data set; what clusters are worth may be less.
FEWEST = 3

# The number of draws of θ for a picture.
THETA_DRAWS = 150_000


Test = TypeVar("Test", bound=Method)


def _varied(
    method: Test, statistics: SufficientStatistics, priors: Iterable[str]
) -> Iterator[tuple[str, Test, SufficientStatistics]]:
    """Yield a test with its data under each prior of ν with its own bounds, and for other ρ."""
    for name in priors:
        settings: Record = {"prior": name, "alpha_bounds": None, "beta_bounds": None}
        yield name, replace(method, **settings), statistics
    for name, factor in OTHER_RHOS.items():
        if (other := statistics.with_rho(factor)) is not None:
            yield name, method, other


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
    ) -> SimulatedResults:
        """Draw (results, further data sets) from the posterior of the populations.

        The first data sets have the same draws, however many follow.
        """
        of_populations, of_designs, of_deltas, of_results = rng.spawn(4)
        design = of_designs.integers(len(now), size=shape[::-1]).T
        populations = PopulationDraws(self.data(now, rope), rope, shape[0], of_populations)
        delta = populations.deltas(design, of_deltas)
        return results_like(now, design, delta, of_results)

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
        alone = replace(self, sensitivity=False)
        cases = _varied(
            alone, statistics, [name for name, bounds in PRIORS.items() if bounds is not None]
        )
        return {name: bounds.test(given, rope).probabilities for name, bounds, given in cases}


Engine = Literal["quadrature", "stan"]
PopulationName = Literal["student", "averaged"]

TOLERANCE = 5e-4
# The stated error has not been verified as a bound below this.
LEAST_TOLERANCE = 1e-4
CHAINS, DRAWS = 4, 5000
# The most pairs that have a second answer each.
FEW_PAIRS = 15


@dataclass(frozen=True)
class Hierarchical(Method):
    """The hierarchical test with its options; see `hierarchical_test`.

    engine : ``quadrature``, or ``stan``, which needs CmdStan.
    over : the question: ``next``, which region is the likeliest on the next data set, or
        ``average``, in which region δ0, the average over data sets, lies.
    population : of the true differences; the average over several is `AveragedPopulations`.
    prior : of the degrees of freedom ν: ``corani``, ``tutorial``, ``kruschke``,
        ``juarez-steel`` or ``gaussian`` (ν infinite).
    alpha_bounds, beta_bounds : of its two hyperparameters, in place of that prior's own.
    delta0_bounds : δ0 is uniform between them; flat on the whole line by default.
    sigma0_bound : σ0 is uniform up to it; by default 1000 times the spread of the means.
    tol : the largest error of any probability, including those of the data sets.
    empirical_bayes : fix each σ_i at its maximum-likelihood value (Corani 2017, §7).
    sensitivity : answer under each prior of ν, too, and with other correlations.
    chains, draws, seed : of the Stan engine; draws of each chain, after its warm-up.
    second : compute the answer averaged over populations, too, for the chances of the next data set
        and for the note where the data do not fit; else, and beyond 200 data sets, these are by the
        papers' population.

    Raises
    ------
    InputError : an unknown engine or prior, or an option outside its range.
    """

    name: ClassVar[str] = "hier"
    view: ClassVar[str] = (
        "weighs how uncertain each data set's scores are and is about the next data set"
    )
    predicts: ClassVar[bool] = True
    assumption: ClassVar[str] = "No large misfit of the hierarchical model of pairs was found."
    varied: ClassVar[str] = "the prior of ν or ρ"
    example: ClassVar[str] = "'kruschke, delta0=-1..1, sigma0=0.5, alpha=0.5..5, beta=0.05..0.15'"
    about: ClassVar[str] = (
        "Which classifier will be practically better on the next data set? Uses every fold of "
        "every data set, and how much the data sets differ."
    )
    title: ClassVar[str] = "Bayesian hierarchical t-test"
    paper: ClassVar[str] = "Corani et al. 2017"

    engine: Engine = field(
        default="quadrature",
        metadata=option("Integrate, or sample the posterior by Stan, the reference."),
    )
    over: Reading = field(
        default="next",
        metadata=option(
            "Decide about the next data set, or, by average, about a typical one like these."
        ),
    )
    population: PopulationName = field(
        default="student",
        metadata=option(
            "The distribution that the data sets' true differences come from: the papers' Student, "
            "or the average over skewed ones and ones that spread as the noise does."
        ),
    )
    prior: str = field(default="corani", metadata=prior_term(""))
    alpha_bounds: Bounds | None = field(default=None, metadata=prior_term("alpha"))
    beta_bounds: Bounds | None = field(default=None, metadata=prior_term("beta"))
    delta0_bounds: Bounds | None = field(default=None, metadata=prior_term("delta0"))
    sigma0_bound: float | None = field(default=None, metadata=prior_term("sigma0"))
    tol: float = field(
        default=TOLERANCE,
        metadata=option("Largest error of a probability by quadrature.", metavar="E"),
    )
    empirical_bayes: bool = field(
        default=False, metadata=option("Take each data set's spread as known, as some papers do.")
    )
    sensitivity: bool = False
    chains: int = field(default=CHAINS, metadata=option("Chains of Stan.", metavar="N"))
    draws: int = field(
        default=DRAWS, metadata=option("Draws of each chain, after its warm-up.", metavar="N")
    )
    seed: int = 0
    second: bool = field(default=True, compare=False, repr=False)

    def __post_init__(self) -> None:
        if self.engine not in ("quadrature", "stan"):
            raise InputError(
                f"there is no engine called {self.engine!r}; choose quadrature or stan"
            )
        if self.over not in ("next", "average"):
            raise InputError(f"{arg('over', self.over)}: choose next or average")
        if self.population != "student":
            raise InputError(
                "the average over populations is asked for by name: "
                "compare(scores, 'hier', population='averaged')"
            )
        if not 0 < self.tol < 1:
            raise InputError(f"tolerance {self.tol:g}: give a number between 0 and 1, such as 5e-4")
        nu_prior(self.prior, self.alpha_bounds, self.beta_bounds)

    def for_pairs(self, count: int) -> "Hierarchical":
        """Return the test without second answers, which take long, where pairs are many."""
        return replace(self, second=count <= FEW_PAIRS)

    @classmethod
    def configured(cls, **options: Any) -> "Hierarchical | AveragedPopulations":
        """Return the test with these options, or the one averaged over populations.

        Raises
        ------
        InputError : an option of the engine that does not run, or an error that is too small.
        """
        if options.get("population") == "averaged":
            return AveragedPopulations.configured(**options)
        method = cls(**options)
        if method.tol < LEAST_TOLERANCE:
            raise InputError(
                f"{arg('tol', method.tol)}: the stated error is a bound down to "
                f"{LEAST_TOLERANCE:g}; no smaller one can be promised for every problem"
            )
        for name, owner in (("tol", "quadrature"), ("chains", "stan"), ("draws", "stan")):
            if name in options and owner != method.engine:
                raise InputError(
                    f"{arg(name)} belongs to {arg('engine', owner)}: leave it out, or "
                    "name the engine"
                )
        return method

    def describe(self) -> str:
        """Return prior and engine in words."""
        bounds = [
            f"{name} in [{given[0]:g}, {given[1]:g}]"
            for name, given in (
                ("α", self.alpha_bounds),
                ("β", self.beta_bounds),
                ("δ0", self.delta0_bounds),
            )
            if given is not None
        ]
        if self.sigma0_bound is not None:
            bounds.append(f"σ0 up to {self.sigma0_bound:g}")
        prior = ", ".join([f"prior {self.prior}", *bounds])
        variant = " · empirical Bayes" if self.empirical_bayes else ""
        if self.over == "average":
            variant += " · verdict on the average over data sets, δ0"
        if self.engine == "stan":
            chains = f"{self.chains} chains of {self.draws:,} draws, seed {self.seed}"
            return f"{prior}{variant} · Stan, {chains}"
        return f"{prior}{variant} · quadrature"

    @property
    def scope(self) -> Scope:
        """The deciding question."""
        return self.over

    def asked_of(self, scope: Scope) -> "Hierarchical | None":
        """Return the test with this deciding question; these data sets are none of them."""
        return None if scope == "these" else replace(self, over=scope)

    @property
    def topic(self) -> str:
        """The topic of the deciding question."""
        return self.name if self.over == "next" else f"{self.name}-average"

    @property
    def has_processes(self) -> bool:
        """Stan's chains are processes."""
        return self.engine == "stan"

    def effort(self, datasets: int) -> float:
        """Return the seconds for a pair."""
        return 20.0 if self.engine == "stan" else 0.02 + 1e-4 * datasets

    def test(self, statistics: SufficientStatistics, rope: Rope) -> HierarchicalResult:
        """Compare one pair of classifiers over q data sets."""
        return self._answer(statistics, rope, no_progress, keep=True)

    def test_all(
        self, pairs: Sequence[SufficientStatistics], rope: Rope, progress: Progress = no_progress
    ) -> Sequence[Outcome]:
        """Compare many pairs; the sampler, which is slow, reports iterations instead of pairs."""
        outcomes: list[Outcome] = []
        for statistics in pairs:

            def of_all(step: int, steps: int, before: int = len(outcomes)) -> None:
                progress(before * steps + step, len(pairs) * steps)

            answer = partial(self._answer, statistics, rope, of_all, keep=len(pairs) == 1)
            outcomes.append(attempted(answer))
            if self.engine == "quadrature":
                progress(len(outcomes), len(pairs))
        return outcomes

    def probabilities(
        self, pairs: Sequence[SufficientStatistics], rope: Rope
    ) -> list[RegionProbabilities[float] | None]:
        """Return the three probabilities alone, which take a third of the time of all answers."""
        if self.engine == "stan" or self.over != "next":
            return super().probabilities(pairs, rope)
        return [next_dataset(self.data(pair, rope), rope, self.tol) for pair in pairs]

    def simulation_effort(self, datasets: int) -> float:
        """Return the approximate seconds for one of many simulated results."""
        if self.engine == "stan":
            return self.effort(datasets)
        return 4e-4 + 1e-5 * datasets

    def test_simulated(self, results: SimulatedResults, rope: Rope) -> FloatArray:
        """Return (3, R) probabilities of simulated results, with errors of up to 0.01.

        All at once where that can be done, and by `probabilities` what is left; see
        `quadrature.batch`.
        """
        suites = self._suites(results, rope)
        if suites is None:
            return super().test_simulated(results, rope)
        from bcompare.methods.hierarchical.quadrature.batch import batch_probabilities

        prior = nu_prior(self.prior, self.alpha_bounds, self.beta_bounds)
        average = self.over == "average"
        probabilities, held = batch_probabilities(suites, rope, prior, average=average)
        left = np.flatnonzero(~held)
        if left.size:
            probabilities[:, left] = super().test_simulated(results.chosen(left), rope)
        return probabilities

    def _suites(self, results: SimulatedResults, rope: Rope) -> "Suites | None":
        """Return simulated results for the batch, or None if they must be tested one by one.

        That is so for the sampler, for bounds of δ0 and σ0, for priors of ν and designs that the
        table does not hold, for few 0/1 items, which have likelihoods of their own, and for
        constant differences without a rope.
        """
        bounded = self.delta0_bounds is not None or self.sigma0_bound is not None
        if self.engine == "stan" or bounded or results.n.shape[1] < FEWEST_DATASETS:
            return None
        from bcompare.methods.hierarchical.quadrature.batch import Suites, has_table

        prior = nu_prior(self.prior, self.alpha_bounds, self.beta_bounds)
        if not has_table(prior) or (results.n < FEWEST).any():
            return None
        flat = results.flat()
        if FEW_BINARY_ITEMS.applies(flat).any() or (rope.is_empty and flat.is_constant.any()):
            return None
        statistics, _ = without_constants(flat, rope)
        return Suites.of(statistics, results.n.shape, known_sigma=self.empirical_bayes)

    def population_draws(
        self, statistics: SufficientStatistics, rope: Rope, count: int, rng: np.random.Generator
    ) -> tuple[FloatArray, FloatArray, FloatArray]:
        """Draw δ0, σ0, ν from their posterior, (count,) each."""
        return population_draws(self.data(statistics, rope), rope, self.tol, count, rng)

    def further(
        self,
        now: SufficientStatistics,
        rope: Rope,
        shape: tuple[int, int],
        rng: np.random.Generator,
    ) -> SimulatedResults:
        """Draw (results, further data sets) from the posterior of the population.

        The first data sets have the same draws, however many follow.
        """
        of_population, of_designs, of_normals, of_mixing, of_results = rng.spawn(5)
        delta0, sigma0, nu = self.population_draws(now, rope, shape[0], of_population)
        design = of_designs.integers(len(now), size=shape[::-1]).T
        student = of_normals.standard_normal(shape[::-1]).T
        finite = np.where(np.isfinite(nu), nu, 1.0)
        widened = student / np.sqrt(of_mixing.chisquare(finite, shape[::-1]) / finite).T
        student = np.where(np.isfinite(nu)[:, None], widened, student)
        delta = delta0[:, None] + sigma0[:, None] * student
        return results_like(now, design, delta, of_results)

    def _answer(
        self, statistics: SufficientStatistics, rope: Rope, progress: Progress, *, keep: bool
    ) -> HierarchicalResult:
        data = self.data(statistics, rope)
        varied = self._varied(statistics, rope) if self.sensitivity else {}
        if self.engine == "stan":
            from bcompare.methods.hierarchical.sampling.cmdstan import Sampling
            from bcompare.methods.hierarchical.sampling.stan import sample_posterior

            sampling = Sampling(chains=self.chains, draws=self.draws, seed=self.seed)
            result = sample_posterior(data, rope, sampling, progress)
        else:
            result = integrate(data, rope, self.tol, keep=keep)
        notes = (*result.notes, *misfit_notes(result, statistics, rope))
        summary = replace(statistics, source=None)  # without the single scores
        chances = partial(self._chances, summary, rope, result.next_delta)
        return replace(result.read_as(self.over), outlook=chances, notes=notes, sensitivity=varied)

    def _chances(
        self, statistics: SufficientStatistics, rope: Rope, next_delta: Density
    ) -> RegionProbabilities[float]:
        """Return the chances of the next data set, averaged over populations.

        By the papers' population where there is no such average, or it takes long.
        """
        if self.second and self.prior != "gaussian" and len(statistics) <= MOST_AVERAGED:
            other = AveragedPopulations(
                prior=self.prior, alpha_bounds=self.alpha_bounds, beta_bounds=self.beta_bounds
            )
            with suppress(PairError):
                return next_chances(other.data(statistics, rope), rope)
        used = self.data(statistics, rope).statistics
        chances = with_noise(next_delta.grid, next_delta.cdf, used, rope)
        return mixed(chances, statistics, rope)

    def _varied(
        self, statistics: SufficientStatistics, rope: Rope
    ) -> dict[str, RegionProbabilities[float]]:
        """Return the probabilities under each prior of ν, and with other correlations.

        The priors are those of Corani 2017, §3 and §7, with their own bounds; half and twice ρ are
        under the chosen prior. By quadrature, whatever the engine.
        """
        answers = {}
        for name, method, given in _varied(self, statistics, PRIORS):
            data = method.data(given, rope)
            answers[name] = (
                next_dataset(data, rope, self.tol)
                if self.over == "next"
                else integrate(data, rope, self.tol).delta0_regions
            )
        return answers

    def draw_theta(self, statistics: SufficientStatistics, rope: Rope) -> FloatArray:
        """Draw (THETA_DRAWS, 3) probabilities of the regions, by quadrature whatever the engine."""
        rng = np.random.default_rng(self.seed)
        drawn = self.population_draws(statistics, rope, THETA_DRAWS, rng)
        return np.stack(theta_of(*drawn, rope), axis=1)

    def data(self, statistics: SufficientStatistics, rope: Rope) -> ModelData:
        """Return the checked data and the priors under these options, the input of an engine."""
        return ModelData(
            statistics,
            rope,
            nu_prior=nu_prior(self.prior, self.alpha_bounds, self.beta_bounds),
            delta0_bounds=self.delta0_bounds,
            sigma0_bound=self.sigma0_bound,
            known_sigma=self.empirical_bayes,
        )


@in_one_thread
@with_options_of(Hierarchical)
def hierarchical_test(
    x: Iterable[object],
    y: Iterable[object] | None = None,
    *,
    rho: ArrayLike,
    rope: RopeLike = DEFAULT_ROPE,
    names: Sequence[str] | None = None,
    **options: Any,
) -> HierarchicalResult | AveragedResult:
    """Which classifier will be practically better on the next data set: Corani 2017.

    Parameters
    ----------
    x, y : q arrays each of shape (n_i,), the scores of left and right on the folds of data set i;
        n_i may differ, and is at least 3. Without y, x are the differences y - x already.
    rho : correlation between the differences of one data set: 1/k for k-fold cross-validation,
        however many runs; 0 for independent differences. One number, or (q,).
    rope : half-width, (low, high) or Rope, in the scores' unit.
    names : of the data sets; "1", "2", … by default.
    options : of `Hierarchical`.

    Raises
    ------
    InputError : fewer than 2 data sets, fewer than 3 differences, a value that is not finite,
        or an argument outside its range.
    ComputationError : if the probabilities do not settle within `tol`.

    Examples
    --------
    >>> folds = [[0.02, 0.01, 0.03, 0.02], [0.01, 0.0, 0.02, 0.03], [0.0, 0.01, 0.02, 0.02],
    ...          [0.04, 0.02, 0.03, 0.01], [0.01, 0.02, 0.0, 0.02]]
    >>> result = hierarchical_test(folds, rho=0.25, rope=0.01)
    >>> round(result.probabilities.right, 2)
    0.9
    """
    statistics = SufficientStatistics.from_differences(differences_of(x, y), rho, names)
    return Hierarchical.configured(**options).test(statistics, Rope.of(rope))
