"""What every test command does once its options are known: read, compare, report, write."""

from typing import TYPE_CHECKING

from bcompare.cli.options import Choice, Input, Output

if TYPE_CHECKING:
    from bcompare.decision import Rule
    from bcompare.methods.base import Method
    from bcompare.scores import Scores


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
    from bcompare.cli.writing import progress_bar, write
    from bcompare.comparison import choose_pairs, compare
    from bcompare.report.build import build_report

    rope = choice.parsed_rope()
    scores = read(results, choice)
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
            also=_others(method, choice.seed) if also else (),
            progress=progress,
        )
    write(build_report(study, details=output.details, sensitivity=sensitivity), output)


def _others(method: "Method", seed: int | None) -> list["Method"]:
    """The other tests over several data sets, with their defaults."""
    from bcompare.methods import OVER_DATASETS, load_method

    kinds = [load_method(name) for name in OVER_DATASETS if name != method.name]
    return [kind.seeded(seed) for kind in kinds]


def read(results: Input, choice: Choice) -> "Scores":
    """Read the results that the options name, restricted to the chosen classifiers."""
    from bcompare.reading.options import ReadOptions
    from bcompare.reading.read import read_scores

    options = ReadOptions(
        rho=results.rho,
        lower_is_better=results.lower_is_better,
        missing=results.missing.value,
        classifiers=choice.wanted_classifiers(),
        datasets=tuple(results.dataset or ()),
    )
    return read_scores(*(results.results or ()), options=options)
