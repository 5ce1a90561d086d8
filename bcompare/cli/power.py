"""`bcompare power`."""

from typing import Annotated

from bcompare.basis.records import Record
from bcompare.cli.combinations import check_design
from bcompare.cli.groups import grouped, option
from bcompare.cli.options import Alpha, AnyTest, Jobs, Replicates, RopeText, SimulationSeed
from bcompare.cli.output import Output
from bcompare.cli.parsing import parse_rope, parse_sizes
from bcompare.data.defaults import DEFAULT_ROPE_TEXT


@grouped
def power(
    output: Output,
    *,
    effect: Annotated[float, option("True average difference.", "D")],
    sd: Annotated[
        float,
        option(
            "Standard deviation of the true differences over data sets, or else of the "
            "differences on single items.",
            "S",
        ),
    ],
    datasets: Annotated[str | None, option("Numbers of data sets.", "N,N,…")] = None,
    items: Annotated[str | None, option("Numbers of test items.", "N,N,…")] = None,
    anytime: Annotated[
        str | None,
        option(
            "Numbers of test items for the bets of gate-anytime: how many they take until a "
            "verdict, against a single look at the end.",
            "N,N,…",
        ),
    ] = None,
    noise: Annotated[
        float | None,
        option(
            "Standard deviation of the differences on the folds of one data set. Default: "
            "that of --sd.",
            "S",
        ),
    ] = None,
    runs: Annotated[
        int | None, option("Runs of cross-validation. Default: 10.", "N", min=1)
    ] = None,
    folds: Annotated[int | None, option("Folds of each run. Default: 10.", "N")] = None,
    rope: RopeText = DEFAULT_ROPE_TEXT,
    alpha: Alpha = 0.05,
    test: AnyTest = None,
    replicates: Replicates = None,
    seed: SimulationSeed = 0,
    jobs: Jobs = None,
) -> None:
    """Simulate how probable each verdict is under assumed values, without results.

    Give the true average difference, its standard deviation, and the sizes to look at.
    """
    from bcompare.cli.destinations import check_destinations
    from bcompare.cli.input import Input
    from bcompare.cli.writing import progress_bar, write
    from bcompare.planning.anytime import plan_anytime
    from bcompare.planning.power import power as power_of
    from bcompare.report.plan import build_anytime_plan_report, build_power_report

    check_destinations(Input(), output)
    check_design(
        datasets=datasets,
        items=items,
        anytime=anytime,
        of_folds={"--noise": noise, "--runs": runs, "--folds": folds},
        test=test,
    )
    settings: Record = {
        "rope": parse_rope(rope),
        "alpha": alpha,
        "replicates": replicates,
        "seed": seed,
    }
    if anytime is not None:
        budgets = parse_sizes("--anytime", anytime)
        with progress_bar(output, "simulating bets") as progress:
            courses = plan_anytime(effect, sd, budgets, progress=progress, **settings)
        write(build_anytime_plan_report(courses), output)
        return
    with progress_bar(output, "simulating designs") as progress:
        result = power_of(
            effect,
            sd,
            datasets=parse_sizes("--datasets", datasets),
            items=parse_sizes("--items", items),
            noise=noise,
            runs=10 if runs is None else runs,
            folds=10 if folds is None else folds,
            test=test,
            jobs=jobs,
            progress=progress,
            **settings,
        )
    write(build_power_report(result), output)
