"""`bcompare ttest`."""

import math
from typing import Annotated

from bcompare.basis.errors import InputError
from bcompare.cli.groups import grouped, option
from bcompare.cli.input import Input
from bcompare.cli.options import Choice, Computing
from bcompare.cli.output import Detailed
from bcompare.cli.population import Beside

PRIOR = "Correlated t-test"


@grouped
def ttest(
    results: Input,
    choice: Choice,
    output: Detailed,
    computing: Computing,
    *,
    prior_mean: Annotated[float, option("Prior mean of the difference.", PRIOR)] = 0.0,
    prior_k0: Annotated[
        float,
        option(
            "Prior variance of the mean, in units of the differences' variance; inf: flat.", PRIOR
        ),
    ] = float("inf"),
    prior_a: Annotated[float, option("Shape of the Gamma prior on the precision.", PRIOR)] = -0.5,
    prior_b: Annotated[float, option("Rate of the Gamma prior on the precision.", PRIOR)] = 0.0,
    prior_strength: Annotated[
        float | None,
        option(
            "Strength of the Dirichlet prior of 0/1 items, as so many items. Default: 4.", PRIOR
        ),
    ] = None,
    exact: Annotated[
        bool,
        option("Exact posterior of 0/1 items however many; by default of fewer than 100.", PRIOR),
    ] = False,
    sensitivity: Annotated[
        bool, option("Show the answer at half and at twice the correlation beside it.", PRIOR)
    ] = False,
    interval: Annotated[
        list[float] | None,
        option(
            "Probability of a credible interval; repeat for more. "
            "Default: 0.5, 0.75, 0.9, 0.95, 0.99.",
            PRIOR,
            "P",
        ),
    ] = None,
) -> None:
    """Compare on each data set by itself: Bayesian correlated t-test.

    Prints p(left), p(rope), p(right): the probabilities that the left classifier is practically
    better, that the two are practically equivalent, that the right one is better.
    """
    from bcompare.cli.run import run_test
    from bcompare.methods.correlated_t import INTERVAL_LEVELS, CorrelatedT, NormalGamma
    from bcompare.methods.item_posterior import PairedBinary
    from bcompare.methods.paired_binary import PRIOR_STRENGTH

    if prior_mean != 0 and math.isinf(prior_k0):
        raise InputError(
            "--prior-mean has no effect under a flat prior: say by --prior-k0 how firm it is"
        )
    method = CorrelatedT(
        prior=NormalGamma(mean=prior_mean, k0=prior_k0, a=prior_a, b=prior_b),
        interval_levels=tuple(interval or INTERVAL_LEVELS),
        binary=PairedBinary(
            strength=PRIOR_STRENGTH if prior_strength is None else prior_strength, always=exact
        ),
        every_rho=sensitivity,
    )
    run_test(method, results, choice, output, computing, Beside(sensitivity=sensitivity))
