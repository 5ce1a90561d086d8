"""`bcompare hier`."""

from typing import Annotated, Literal

from bcompare.basis.errors import InputError
from bcompare.cli.groups import COMPARISON, grouped, option
from bcompare.cli.input import Input
from bcompare.cli.options import Choice, Computing
from bcompare.cli.output import Detailed
from bcompare.cli.population import PRIOR, Beside

ENGINE = "Engine"


Engine = Literal["quadrature", "stan"]
"""How the posterior is computed."""


NuPrior = Literal["corani", "tutorial", "kruschke", "juarez-steel", "gaussian"]
"""Priors of the degrees of freedom."""


Verdict = Literal["next", "average"]
"""Which question decides."""


@grouped
def hier(
    results: Input,
    choice: Choice,
    output: Detailed,
    computing: Computing,
    beside: Beside,
    *,
    verdict: Annotated[
        Verdict,
        option(
            "Decide by which region is the likeliest on the next data set, or by where the "
            "average difference over data sets, δ0, is.",
            COMPARISON,
        ),
    ] = "next",
    engine: Annotated[
        Engine, option("Exact integration, or sampling by Stan.", ENGINE)
    ] = "quadrature",
    tol: Annotated[
        float | None, option("Quadrature: largest error of a probability (0.0005).", ENGINE)
    ] = None,
    chains: Annotated[int | None, option("Stan: chains (4).", ENGINE)] = None,
    draws: Annotated[int | None, option("Stan: draws kept of each chain (5000).", ENGINE)] = None,
    prior: Annotated[NuPrior, option("Prior of the degrees of freedom ν.", PRIOR)] = "corani",
    alpha_bounds: Annotated[
        str | None, option("Bounds of the shape of ν's Gamma prior.", PRIOR, "LOW,HIGH")
    ] = None,
    beta_bounds: Annotated[
        str | None, option("Bounds of the rate of ν's Gamma prior.", PRIOR, "LOW,HIGH")
    ] = None,
    delta0_bounds: Annotated[
        str | None,
        option(
            "Bounds between which δ0 is uniform, such as -1,1. Default: none.", PRIOR, "LOW,HIGH"
        ),
    ] = None,
    sigma0_bound: Annotated[
        float | None,
        option(
            "Bound up to which σ0 is uniform. Default: 1000 times the spread of the means.",
            PRIOR,
            "HIGH",
        ),
    ] = None,
    empirical_bayes: Annotated[
        bool,
        option("Fix each data set's standard deviation at its maximum-likelihood value.", PRIOR),
    ] = False,
) -> None:
    """Compare over several data sets: Bayesian hierarchical model.

    Which classifier will be practically better on the next data set? Uses every fold of every
    data set, and how much the data sets differ.
    """
    from bcompare.cli.run import run_test
    from bcompare.methods.hierarchical.method import (
        CHAINS,
        DRAWS,
        LEAST_TOLERANCE,
        TOLERANCE,
        Hierarchical,
    )

    if tol is not None and tol < LEAST_TOLERANCE:
        raise InputError(
            f"--tol {tol:g}: the stated error is a bound down to {LEAST_TOLERANCE:g}; no smaller "
            "one can be promised for every problem"
        )
    _refuse_others(engine, {"--tol": tol}, {"--chains": chains, "--draws": draws})
    method = Hierarchical(
        tol=TOLERANCE if tol is None else tol,
        chains=CHAINS if chains is None else chains,
        draws=DRAWS if draws is None else draws,
        engine=engine,
        seed=beside.seed or 0,
        prior=prior,
        alpha_bounds=_bounds("--alpha-bounds", alpha_bounds),
        beta_bounds=_bounds("--beta-bounds", beta_bounds),
        delta0_bounds=_bounds("--delta0-bounds", delta0_bounds),
        sigma0_bound=sigma0_bound,
        verdict=verdict,
        empirical_bayes=empirical_bayes,
        every_prior=beside.sensitivity,
    )
    run_test(method, results, choice, output, computing, beside)


def _bounds(option_name: str, text: str | None) -> tuple[float, float] | None:
    if text is None:
        return None
    try:
        low, high = (float(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"{option_name} {text}: give two numbers, such as 1,2") from None
    return low, high


def _refuse_others(
    engine: Engine, quadrature: dict[str, float | None], stan: dict[str, int | None]
) -> None:
    """Refuse the options of the engine that does not run."""
    others = stan if engine == "quadrature" else quadrature
    for name, value in others.items():
        if value is not None:
            owner = "stan" if engine == "quadrature" else "quadrature"
            raise InputError(
                f"{name} belongs to --engine {owner}: leave it out, or name the engine"
            )
