"""What every test command does once its options are known: read, compare, report, write."""

from typing import TYPE_CHECKING

from bcompare.cli.input import Input
from bcompare.cli.options import Choice, Output

if TYPE_CHECKING:
    from bcompare.comparison import ComparisonSet
    from bcompare.decision import Rule
    from bcompare.methods.base import Method


def run_test(
    method: "Method",
    results: Input,
    choice: Choice,
    output: Output,
    *,
    rule: "Rule | None" = None,
    also: bool = False,
    sensitivity: bool = False,
) -> None:
    """Run one test from files to output."""
    from bcompare.cli.destinations import check_destinations
    from bcompare.cli.writing import progress_bar, write
    from bcompare.comparison import choose_pairs, compare
    from bcompare.report.build import build_report

    check_destinations(results, output)
    rope = choice.parsed_rope()
    scores = results.read(choice.wanted_classifiers())
    pairs = choose_pairs(
        scores.classifiers, left=choice.left, right=choice.right, baseline=choice.baseline
    )
    with progress_bar(output) as progress:
        study = compare(
            scores,
            method,
            rope=rope,
            rule=rule,
            alpha=choice.alpha,
            pairs=pairs,
            also=others(method, choice.seed) if also else (),
            progress=progress,
        )
    if output.plot is not None:
        draw(study, output.plot)
    write(build_report(study, details=output.details, sensitivity=sensitivity), output)


def draw(study: "ComparisonSet", path: str) -> None:
    """Draw the comparisons into a file."""
    from bcompare.plots.figure import save
    from bcompare.plots.study import draw_study

    save(draw_study(study), path)


def others(method: "Method", seed: int | None) -> list["Method"]:
    """Return the other tests over several data sets, with their defaults."""
    from bcompare.methods import OVER_DATASETS, load_method

    kinds = [load_method(name) for name in OVER_DATASETS if name != method.name]
    return [kind.seeded(seed) for kind in kinds]
