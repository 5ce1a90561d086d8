"""`bcompare rank`."""

from typing import Annotated

from bcompare.cli.input import Input
from bcompare.cli.options import COMPARISON, Choice, Output, grouped, option
from bcompare.cli.population import Also, Test
from bcompare.errors import InputError


@grouped
def rank(
    results: Input,
    choice: Choice,
    output: Output,
    *,
    test: Annotated[
        Test, option("--test", help="For the probabilities of every pair.", panel=COMPARISON)
    ] = Test.HIER,
    also: Also = False,
) -> None:
    """Rank a whole family of classifiers over several data sets.

    Mean ranks, Friedman's test with Iman and Davenport's correction, Nemenyi's critical
    difference, Wilcoxon's test for all pairs, and every pair's three probabilities.
    """
    from bcompare.cli.destinations import check_destinations
    from bcompare.cli.run import draw, others
    from bcompare.cli.writing import progress_bar, write
    from bcompare.family import compare_family
    from bcompare.methods import load_method
    from bcompare.report.family import build_family_report

    if choice.left is not None or choice.baseline is not None:
        raise InputError("rank compares all classifiers: choose them by --classifier NAME")
    check_destinations(results, output)
    rope = choice.parsed_rope()
    scores = results.read(choice.wanted_classifiers())
    method = load_method(test.value).seeded(choice.seed)
    with progress_bar(output) as progress:
        family = compare_family(
            scores,
            method,
            rope=rope,
            alpha=choice.alpha,
            also=others(method, choice.seed) if also else (),
            progress=progress,
        )
    if output.plot is not None:
        draw(family.study, output.plot)
    write(build_family_report(family), output)
