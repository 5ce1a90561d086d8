"""`bcompare signrank`."""

from typing import Annotated

from bcompare.cli.groups import grouped, option
from bcompare.cli.input import Input
from bcompare.cli.options import Choice, Computing
from bcompare.cli.output import Detailed
from bcompare.cli.population import Beside, Place, PriorStrength

PANEL = "Signed-rank test"


@grouped
def signrank(
    results: Input,
    choice: Choice,
    output: Detailed,
    computing: Computing,
    beside: Beside,
    *,
    draws: Annotated[int, option("Monte Carlo draws; more lower the error.", PANEL)] = 150_000,
    exact: Annotated[
        bool,
        option("Exact Wilcoxon p-value also with ties, zeros or more than 25 data sets.", PANEL),
    ] = False,
    prior_strength: PriorStrength = 0.5,
    prior_place: Place = "rope",
) -> None:
    """Compare over several data sets: Bayesian signed-rank test.

    Uses the mean difference on each data set, but not how uncertain it is.
    """
    from bcompare.cli.run import run_test
    from bcompare.methods.signed_rank import SignedRank

    method = SignedRank(
        draws=draws,
        seed=beside.seed or 0,
        exact=exact,
        prior_strength=prior_strength,
        prior_place=prior_place,
    )
    run_test(method, results, choice, output, computing, beside)
