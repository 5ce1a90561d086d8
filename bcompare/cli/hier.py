"""`bcompare hier`."""

from enum import StrEnum
from typing import Annotated

from bcompare.cli.input import Input
from bcompare.cli.options import Choice, Detailed, grouped, option
from bcompare.cli.population import PRIOR, Also, Seed, Sensitivity
from bcompare.errors import InputError

ENGINE = "Engine"


class Engine(StrEnum):
    """How the posterior is computed."""

    QUADRATURE = "quadrature"
    STAN = "stan"


class NuPrior(StrEnum):
    """Priors of the degrees of freedom."""

    CORANI = "corani"
    TUTORIAL = "tutorial"
    KRUSCHKE = "kruschke"
    JUAREZ_STEEL = "juarez-steel"
    GAUSSIAN = "gaussian"


@grouped
def hier(
    results: Input,
    choice: Choice,
    output: Detailed,
    *,
    engine: Annotated[
        Engine,
        option("--engine", help="Exact integration, or sampling by Stan.", panel=ENGINE),
    ] = Engine.QUADRATURE,
    tol: Annotated[
        float,
        option("--tol", help="Quadrature: largest error of a probability.", panel=ENGINE),
    ] = 5e-4,
    chains: Annotated[int, option("--chains", help="Stan: chains.", panel=ENGINE)] = 4,
    draws: Annotated[
        int, option("--draws", help="Stan: draws kept of each chain.", panel=ENGINE)
    ] = 5000,
    prior: Annotated[
        NuPrior,
        option("--prior", help="Prior of the degrees of freedom ν.", panel=PRIOR),
    ] = NuPrior.CORANI,
    alpha_bounds: Annotated[
        str | None,
        option(
            "--alpha-bounds",
            help="Bounds of the shape of ν's Gamma prior.",
            panel=PRIOR,
            metavar="LOW,HIGH",
        ),
    ] = None,
    beta_bounds: Annotated[
        str | None,
        option(
            "--beta-bounds",
            help="Bounds of the rate of ν's Gamma prior.",
            panel=PRIOR,
            metavar="LOW,HIGH",
        ),
    ] = None,
    empirical_bayes: Annotated[
        bool,
        option(
            "--empirical-bayes",
            help="Fix each data set's standard deviation at its maximum-likelihood value.",
            panel=PRIOR,
        ),
    ] = False,
    sensitivity: Sensitivity = False,
    also: Also = False,
    seed: Seed = None,
) -> None:
    """Compare over several data sets: Bayesian hierarchical model.

    Which classifier will be practically better on the next data set? Uses every fold of every
    data set, and how much the data sets differ.
    """
    from bcompare.cli.run import run_test
    from bcompare.methods.hierarchical.method import Hierarchical

    method = Hierarchical(
        engine=engine.value,
        tol=tol,
        chains=chains,
        draws=draws,
        seed=seed or 0,
        prior=prior.value,
        alpha_bounds=_bounds("--alpha-bounds", alpha_bounds),
        beta_bounds=_bounds("--beta-bounds", beta_bounds),
        empirical_bayes=empirical_bayes,
        every_prior=sensitivity,
    )
    run_test(method, results, choice, output, also=also, seed=seed, sensitivity=sensitivity)


def _bounds(option_name: str, text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"{option_name} {text}: give two numbers, such as 1,2") from None
    return low, high
