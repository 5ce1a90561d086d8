"""`bcompare poisson`."""

from bcompare.cli.options import Choice, Input, Output, grouped
from bcompare.cli.population import Also


@grouped
def poisson(results: Input, choice: Choice, output: Output, *, also: Also = False) -> None:
    """Compare over several data sets: Poisson-binomial test.

    Who wins on more of these data sets? Speaks of these data sets only, not of others.
    """
    from bcompare.cli.run import run_test
    from bcompare.methods.poisson_binomial import PoissonBinomial

    run_test(PoissonBinomial(), results, choice, output, also=also)
