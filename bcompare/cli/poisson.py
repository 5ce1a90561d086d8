"""`bcompare poisson`."""

from bcompare.cli.groups import grouped
from bcompare.cli.input import Input
from bcompare.cli.options import Choice, Computing
from bcompare.cli.output import Detailed
from bcompare.cli.population import Beside, Others


@grouped
def poisson(
    results: Input,
    choice: Choice,
    output: Detailed,
    computing: Computing,
    beside: Others,
) -> None:
    """Compare over several data sets: Poisson-binomial test.

    Who wins on more of these data sets? Speaks of these data sets only, not of others.
    """
    from bcompare.cli.run import run_test
    from bcompare.methods.poisson_binomial import PoissonBinomial

    run_test(
        PoissonBinomial(),
        results,
        choice,
        output,
        computing,
        Beside(also=beside.also, seed=beside.seed),
    )
