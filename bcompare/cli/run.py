"""What every test command does once its options are known: read, compare, write, draw."""

from typing import TYPE_CHECKING

from bcompare.cli.input import Input
from bcompare.cli.options import Choice, Detailed

if TYPE_CHECKING:
    from bcompare.comparison import ComparisonSet
    from bcompare.methods.base import Method


def run_test(
    method: "Method",
    results: Input,
    choice: Choice,
    output: Detailed,
    *,
    also: bool = False,
    sensitivity: bool = False,
    seed: int | None = None,
) -> None:
    """Run one test from files to output."""
    from bcompare.cli.destinations import check_destinations
    from bcompare.cli.writing import progress_bar, write
    from bcompare.comparison import choose_pairs, compare
    from bcompare.plots import check_picture
    from bcompare.report.build import build_report

    check_destinations(results, output)
    rope, rule = choice.parsed_rope(), choice.rule()
    scores = results.read(choice.wanted_classifiers())
    pairs = choose_pairs(
        scores.classifiers, left=choice.left, right=choice.right, baseline=choice.baseline
    )
    if output.plot is not None:
        check_picture(method.name, scores, pairs)
    with progress_bar(output) as progress:
        study = compare(
            scores,
            method,
            rope=rope,
            rule=rule,
            alpha=choice.alpha,
            alternative=choice.alternative.value,
            pairs=pairs,
            also=others(method, seed) if also else (),
            progress=progress,
        )
    write(build_report(study, details=output.details, sensitivity=sensitivity), output)
    finish(study, output.plot)


def finish(study: "ComparisonSet", plot: str | None) -> None:
    """Draw the comparisons once their results are written; fail if any could not be computed.

    Raises
    ------
    ComputationError : some pairs could not be computed; the others have been written.
    """
    from bcompare.errors import ComputationError

    if plot is not None:
        from bcompare.plots import draw
        from bcompare.plots.figure import save

        save(draw(study), plot)
    if study.failures:
        total = len(study.failures) + len(study.comparisons)
        raise ComputationError(
            f"{len(study.failures)} of {total} pairs could not be computed; the others are given"
        )


def others(method: "Method", seed: int | None) -> list["Method"]:
    """Return the other tests over several data sets, with their defaults."""
    from bcompare.methods import OVER_DATASETS, load_method

    kinds = [load_method(name) for name in OVER_DATASETS if name != method.name]
    return [kind.seeded(seed) for kind in kinds]
