"""`bcompare plan`."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from bcompare.basis.errors import InputError
from bcompare.cli.groups import classifier_option, computing_option, grouped, option
from bcompare.cli.input import Input, both
from bcompare.cli.options import Alpha, AnyTest, Jobs, RopeText
from bcompare.cli.output import Drawn
from bcompare.cli.parsing import parse_rope

if TYPE_CHECKING:
    from bcompare.data.pairs import Pair
    from bcompare.planning.outlook import Plan

assumed_option = partial(option, panel="Power from assumed values, without any results")


@dataclass(frozen=True)
class Planned(Input):
    """Results to plan from, and the epochs to compare for test items."""

    epochs: Annotated[
        str,
        option(
            "How to combine several answers to an item: mean, pass@K or pass^K. Or such as "
            "1,3,5: plan new comparisons with that many epochs, by --items or --answers.",
            "HOW|K,K,…",
        ),
    ] = "mean"


@grouped
def plan(
    results: Planned,
    output: Drawn,
    *,
    baseline: Annotated[
        str | None,
        classifier_option(
            "Left classifier of every pair. Default: the first that is no candidate."
        ),
    ] = None,
    candidate: Annotated[
        list[str] | None,
        classifier_option("Right classifier; repeat for more. Default: all but the baseline."),
    ] = None,
    rope: RopeText = "0.01",
    alpha: Alpha = 0.05,
    test: AnyTest = None,
    effect: Annotated[float | None, assumed_option("True average difference.", "D")] = None,
    sd: Annotated[
        float | None,
        assumed_option(
            "Standard deviation of the true differences over data sets; with --items, of the "
            "differences on single items.",
            "S",
        ),
    ] = None,
    datasets: Annotated[str | None, assumed_option("Numbers of data sets.", "N,N,…")] = None,
    items: Annotated[
        str | None, assumed_option("Numbers of test items; also goes with --epochs.", "N,N,…")
    ] = None,
    anytime: Annotated[
        bool,
        assumed_option(
            "How many items the bets of gate --anytime take until a verdict, against a single "
            "look after --items."
        ),
    ] = False,
    answers: Annotated[
        int | None,
        option(
            "With --epochs: the most answers of each model, to find the best numbers of items "
            "and epochs.",
            "N",
            min=3,
        ),
    ] = None,
    noise: Annotated[
        float | None,
        assumed_option(
            "Standard deviation of the differences on the folds of one data set. Default: "
            "that of --sd.",
            "S",
        ),
    ] = None,
    runs: Annotated[int | None, assumed_option("Runs of cross-validation (10).", min=1)] = None,
    replicates: Annotated[
        int | None,
        computing_option(
            "Simulations of each size. Default: as many as take a few seconds.", "N", min=20
        ),
    ] = None,
    seed: Annotated[
        int, computing_option("Seed; the same seed gives the same output.", "N", min=0)
    ] = 0,
    jobs: Jobs = None,
) -> None:
    """Simulate what more data sets, runs or test items would settle.

    Draws truths from the posterior and further results under them, and tests old and new results
    together. Without results, --effect, --sd and --datasets or --items give the power.
    """
    from bcompare.cli.destinations import check_destinations
    from bcompare.cli.writing import draw_pictures, progress_bar, write
    from bcompare.planning.anytime import plan_anytime
    from bcompare.planning.outlook import plan as planned
    from bcompare.planning.power import power
    from bcompare.report.plan import (
        build_anytime_plan_report,
        build_plan_report,
        build_power_report,
    )

    check_destinations(results, output)
    settings: dict[str, Any] = {"rope": parse_rope(rope), "alpha": alpha,
                                "replicates": replicates, "seed": seed}  # fmt: skip
    epochs = results.epochs if results.epochs[:1].isdigit() else None
    if epochs is not None:
        results = replace(results, epochs="mean")
    if answers is not None and epochs is None:
        raise InputError("--answers is shared out among items and epochs: give --epochs 1,3,5")
    assumed = {"--effect": effect, "--sd": sd, "--datasets": datasets,
               "--items": items if epochs is None else None,
               "--noise": noise, "--runs": runs}  # fmt: skip
    if anytime or any(value is not None for value in assumed.values()):
        if effect is None or sd is None:
            given_options = {"--anytime": anytime or None, **assumed}
            given = ", ".join(name for name, value in given_options.items() if value is not None)
            raise InputError(
                f"{given}: without results give --effect and --sd, too; to plan from results leave "
                f"{given} out, or plan new comparisons by --items and --epochs"
            )
        if epochs is not None:
            raise InputError("--epochs plans from results: leave --effect and --sd out")
        if results.results or baseline or candidate or output.plot:
            raise InputError(
                "--effect stands for results: leave the files, --baseline, --candidate and --plot "
                "out"
            )
        if anytime:
            idle = {**assumed, "--test": test, "--folds": results.folds}
            own = ("--effect", "--sd", "--items")
            others = [n for n, value in idle.items() if value is not None and n not in own]
            if others:
                raise InputError(f"--anytime bets on items: leave {', '.join(others)} out")
            with progress_bar(output, "simulating bets") as progress:
                courses = plan_anytime(
                    effect, sd, _sizes("--items", items), progress=progress, **settings
                )
            write(build_anytime_plan_report(courses), output)
            return
        with progress_bar(output, "simulating designs") as progress:
            result = power(
                effect,
                sd,
                datasets=_sizes("--datasets", datasets),
                items=_sizes("--items", items),
                noise=noise,
                runs=10 if runs is None else runs,
                folds=10 if results.folds is None else results.folds,
                test=test,
                jobs=jobs,
                progress=progress,
                **settings,
            )
        write(build_power_report(result), output)
        return
    named = tuple(dict.fromkeys(candidate or ()))
    ahead_of: Callable[..., Plan]
    if epochs is None:
        scores = results.read(both(baseline, named))
        ahead_of = partial(planned, scores)
    else:
        from bcompare.planning.epochs import plan_epochs, read_repeated

        options = results.read_options(both(baseline, named))
        repeated = read_repeated(*results.files(), options=options)
        scores = repeated.scores
        ahead_of = partial(
            plan_epochs,
            repeated,
            epochs=_sizes("--epochs", epochs),
            items=_sizes("--items", items),
            answers=answers,
        )
    pairs = _pairs(scores.classifiers, baseline, named, lone=bool(output.plot))
    with progress_bar(output, "simulating more data") as progress:
        ahead = ahead_of(
            pairs=pairs,
            test=test,
            jobs=jobs,
            progress=progress,
            **settings,
        )
    write(build_plan_report(ahead), output)
    draw_pictures(ahead, output)


def _pairs(
    classifiers: Sequence[str], baseline: str | None, named: Sequence[str], *, lone: bool
) -> "list[Pair]":
    """Return the pairs of the baseline and each candidate. lone : whether there may be only one."""
    from bcompare.gating.contestants import contestants

    first, candidates = contestants(classifiers, baseline, named)
    if lone and len(candidates) > 1:
        raise InputError("the picture of a plan shows one verdict: name one --candidate")
    return [(first, name) for name in candidates]


def _sizes(name: str, text: str | None) -> tuple[int, ...]:
    if text is None:
        return ()
    try:
        return tuple(int(part) for part in text.split(","))
    except ValueError:
        raise InputError(f"{name} {text}: give whole numbers, such as 10,20,50") from None
