"""`bcompare plan-gate`."""

from typing import Annotated

from bcompare.cli.groups import computing_option, grouped, option
from bcompare.cli.input import Input
from bcompare.cli.judging import DEMANDS, Contest, demanded, gate_option
from bcompare.cli.options import Jobs, SimulationSeed
from bcompare.cli.output import Output
from bcompare.cli.parsing import parse_rope


@grouped
def plan_gate(
    results: Input,
    output: Output,
    contest: Contest,
    *,
    worse: Annotated[
        list[str] | None,
        option(
            "Change to be found, in the unit of the rope, such as 0.03 or 'fit_time: 10%'; repeat "
            "for more. Default: twice the rope, of each metric.",
            "SIZE",
        ),
    ] = None,
    fail_if: Annotated[
        list[str] | None,
        gate_option("Fail if worse (the default), not-better or not-better-or-equivalent.", "RULE"),
    ] = None,
    replicates: Annotated[
        int | None, computing_option("Simulations of each kind. Default: 100.", "N", min=25)
    ] = None,
    seed: SimulationSeed = 0,
    jobs: Jobs = None,
) -> None:
    """Simulate a gate with other numbers of runs, seeds or items.

    How probable each verdict is of no change, and of a loss everywhere, by the scatter of the
    results: of main and a change, or of two runs of main.
    """
    from bcompare.cli.destinations import check_destinations
    from bcompare.cli.writing import progress_bar, write
    from bcompare.gating.plan import plan_gate as plan_of
    from bcompare.report.plan_gate import build_gate_plan_report

    check_destinations(results, output)
    demand, _ = demanded(fail_if, DEMANDS)
    rope = parse_rope(contest.rope)  # before reading
    contest = contest.on(results)
    read, runs = results.with_runs()
    parts = contest.read(read, runs=runs)
    with progress_bar(output, "simulating gates") as progress:
        plan = plan_of(
            contest.judged_on(parts),
            baseline=contest.baseline,
            candidate=contest.candidates,
            worse=worse or (),
            fail_if=demand,
            alpha=contest.alpha,
            rope=rope,
            runs=runs,
            replicates=replicates,
            seed=seed,
            jobs=jobs,
            progress=progress,
        )
    write(build_gate_plan_report(plan), output)
