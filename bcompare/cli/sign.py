"""`bcompare sign`."""

from bcompare.cli.groups import grouped
from bcompare.cli.input import Input
from bcompare.cli.options import Choice, Computing
from bcompare.cli.output import Detailed
from bcompare.cli.population import Beside, Place, PriorStrength


@grouped
def sign(
    results: Input,
    choice: Choice,
    output: Detailed,
    computing: Computing,
    beside: Beside,
    *,
    prior_strength: PriorStrength = 0.5,
    prior_place: Place = "rope",
) -> None:
    """Compare over several data sets: Bayesian sign test.

    Counts on how many data sets either is better. The simplest test, and the least sensitive.
    """
    from bcompare.cli.run import run_test
    from bcompare.methods.sign import Sign

    method = Sign(prior_strength=prior_strength, prior_place=prior_place)
    run_test(method, results, choice, output, computing, beside)
