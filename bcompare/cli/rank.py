"""`bcompare rank`."""

from typing import Annotated

from bcompare.cli.input import Input
from bcompare.cli.options import COMPARISON, Decision, Drawn, grouped, option
from bcompare.cli.population import Also, Seed, Test


@grouped
def rank(
    results: Input,
    choice: Decision,
    output: Drawn,
    *,
    test: Annotated[
        Test | None,
        option(
            "--test",
            help="For the probabilities of every pair. Default: hier; signrank for means.",
            panel=COMPARISON,
        ),
    ] = None,
    also: Also = False,
    seed: Seed = None,
) -> None:
    """Rank a whole family of classifiers over several data sets.

    Mean ranks, Friedman's test with Iman and Davenport's correction, Nemenyi's critical
    difference, Wilcoxon's test for all pairs, and every pair's three probabilities.
    """
    from bcompare.cli.destinations import check_destinations
    from bcompare.cli.run import finish, others
    from bcompare.cli.writing import progress_bar, write
    from bcompare.family import compare_family
    from bcompare.methods import load_method
    from bcompare.pairs import choose_pairs
    from bcompare.plots import check_picture
    from bcompare.report.family import build_family_report

    check_destinations(results, output)
    rope, rule = choice.parsed_rope(), choice.rule()
    scores = results.read(choice.wanted_classifiers())
    usual = Test.SIGNRANK if scores.unit == "mean" else Test.HIER
    method = load_method((test or usual).value).seeded(seed)
    if output.plot is not None:
        check_picture(method.name, scores, choose_pairs(scores.classifiers))
    with progress_bar(output) as progress:
        family = compare_family(
            scores,
            method,
            rope=rope,
            rule=rule,
            alpha=choice.alpha,
            alternative=choice.alternative.value,
            also=others(method, seed) if also else (),
            progress=progress,
        )
    write(build_family_report(family), output)
    finish(family.study, output.plot)
