"""`bcompare plan` and `bcompare power`."""

from typing import Annotated

from bcompare.basis.messages import InputError, Record
from bcompare.cli.groups import grouped, option
from bcompare.cli.input import Input
from bcompare.cli.options import (
    Alpha,
    AnyTest,
    Drawn,
    Jobs,
    Output,
    Replicates,
    RopeText,
    Scheduler,
    SimulationSeed,
    both,
)
from bcompare.cli.parsing import parse_rope, parse_sizes
from bcompare.cli.writing import check_destinations, draw_pictures, progress_bar, write


@grouped
def plan(
    results: Input,
    output: Drawn,
    *,
    baseline: Annotated[
        str | None,
        option(
            "Left classifier of every pair. Default: the first that is no candidate.",
            "NAME",
            names=("--baseline", "--left"),
        ),
    ] = None,
    candidate: Annotated[
        list[str] | None,
        option(
            "Right classifier; repeat for more. Default: all but the baseline.",
            "NAME",
            names=("--candidate", "--right"),
        ),
    ] = None,
    rope: RopeText = None,
    alpha: Alpha = 0.05,
    test: AnyTest = None,
    replicates: Replicates = None,
    seed: SimulationSeed = 0,
    jobs: Jobs = None,
    scheduler: Scheduler = None,
) -> None:
    """Simulate what more data sets, runs or items would settle.

    Draws true differences from the posterior, simulates more results under them, and tests old and
    new results together. `bcompare power` needs no results.
    """
    from bcompare.cli.compare import executor_at
    from bcompare.gating.runs import contestants
    from bcompare.planning import outlook, report

    check_destinations(results, output)
    borders = parse_rope(rope)  # before reading
    named = tuple(dict.fromkeys(candidate or ()))
    scores = results.read(both(baseline, named))
    others = [name for name in scores.classifiers if name not in named]
    usual = baseline or next(iter(others), None)
    first, candidates = contestants(scores.classifiers, usual, named)
    if output.plot and len(candidates) > 1:
        raise InputError("the picture of a plan shows one verdict: name one --candidate")
    with (
        executor_at(scheduler, jobs) as executor,
        progress_bar(output, "simulating more data") as progress,
    ):
        ahead = outlook.plan(
            scores,
            pairs=[(first, name) for name in candidates],
            rope=borders,
            alpha=alpha,
            test=test,
            replicates=replicates,
            seed=seed,
            jobs=jobs,
            executor=executor,
            progress=progress,
        )
    write(report.build_plan_report(ahead), output)
    draw_pictures(ahead, output)


@grouped
def power(
    output: Output,
    *,
    effect: Annotated[float, option("True average difference.", "D")],
    sd: Annotated[
        float | None,
        option(
            "Standard deviation of the true differences over data sets; with --items or "
            "--anytime, of the differences on single items: if these are right or wrong, the root "
            "of the share on which the two differ; with --trials, of the scores of a side.",
            "S",
        ),
    ] = None,
    datasets: Annotated[str | None, option("Numbers of data sets.", "N,N,…")] = None,
    items: Annotated[str | None, option("Numbers of test items.", "N,N,…")] = None,
    trials: Annotated[
        str | None, option("Numbers of trials of each of two sides that share nothing.", "N,N,…")
    ] = None,
    rate: Annotated[
        float | None,
        option("With --trials that are right or wrong, the left side's rate; for --sd.", "P"),
    ] = None,
    anytime: Annotated[
        str | None,
        option(
            "Numbers of test items for gate-anytime: how many its bets need until a verdict, "
            "compared with one look at the end.",
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
    rope: RopeText = None,
    alpha: Alpha = 0.05,
    test: AnyTest = None,
    replicates: Replicates = None,
    seed: SimulationSeed = 0,
    jobs: Jobs = None,
) -> None:
    """Simulate verdicts under assumed values, without results.

    Give the true average difference, its standard deviation, and the sizes to look at.
    """
    from bcompare.planning import power, report

    check_destinations(Input(), output)
    sizes = {
        "--datasets": datasets,
        "--items": items,
        "--trials": trials,
        "--anytime": anytime,
    }
    given = [name for name, text in sizes.items() if text is not None]
    if len(given) != 1:
        raise InputError(
            "name the sizes to look at by one of --datasets 10,20,50, --items 200,1000, "
            "--trials 20,50 or --anytime 1000,5000"
        )
    of_folds = {"--noise": noise, "--runs": runs, "--folds": folds}
    idle = [name for name, value in of_folds.items() if value is not None and datasets is None]
    if idle:
        rows = "trials" if trials is not None else "test items"
        raise InputError(f"{given[0]}: {rows} have no folds: leave {', '.join(idle)} out")
    if anytime is not None and test is not None:
        raise InputError("--anytime: bets are no test: leave --test out")
    settings: Record = {
        "rope": parse_rope(rope),
        "alpha": alpha,
        "replicates": replicates,
        "seed": seed,
    }
    if anytime is not None:
        if sd is None or rate is not None:
            raise InputError("--anytime: give the spread of single items by --sd, such as 0.4")
        budgets = parse_sizes("--anytime", anytime)
        with progress_bar(output, "simulating bets") as progress:
            courses = power.plan_anytime(effect, sd, budgets, progress=progress, **settings)
        write(report.build_anytime_plan_report(courses), output)
        return
    with progress_bar(output, "simulating designs") as progress:
        result = power.power(
            effect,
            sd,
            datasets=parse_sizes("--datasets", datasets),
            items=parse_sizes("--items", items),
            trials=parse_sizes("--trials", trials),
            rate=rate,
            noise=noise,
            runs=10 if runs is None else runs,
            folds=10 if folds is None else folds,
            test=test,
            jobs=jobs,
            progress=progress,
            **settings,
        )
    write(report.build_power_report(result), output)
