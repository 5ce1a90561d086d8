"""`bcompare self-check`."""

from collections.abc import Mapping

import typer

from bcompare.cli.defaults import Default
from bcompare.cli.gate import Each, Over, Test
from bcompare.cli.groups import grouped
from bcompare.cli.input import Input
from bcompare.cli.judging import Contest, GateOutput, judging, write_verdict
from bcompare.cli.options import Jobs
from bcompare.cli.parsing import parse_rope


@grouped
def self_check(
    results: Input,
    output: GateOutput,
    contest: Contest,
    *,
    configured: Mapping[str, Default],
    each: Each = False,
    over: Over = None,
    test: Test = None,
    jobs: Jobs = None,
) -> None:
    """Judge a baseline against itself, as gate would, and count the false alarms.

    By re-runs of it that --candidate names, or by halves of its runs, epochs, seeds or items.

    Exit codes:
    0  false alarms are as rare as --alpha promises, or undecided unless --undecided fail
    4  they are likelier
    5  undecided, under --undecided fail
    """
    from bcompare.cli.writing import progress_bar
    from bcompare.gating.self_check import self_check as check_itself
    from bcompare.gating.verdict import asked
    from bcompare.report.self_check import build_self_check_report

    with judging(results, output, contest.name):
        if contest.candidates:
            parts = contest.read(results)
        else:  # the baseline alone, with its epochs apart
            own = () if contest.baseline is None else (contest.baseline,)
            sources = contest.sources(results).items()
            parts = {text: source.read(own, lone=True) for text, source in sources}
        method, scope = asked(next(iter(parts.values())), test, over, each=each)
        with progress_bar(output, "judging the baseline") as progress:
            check = check_itself(
                contest.judged_on(parts),
                baseline=contest.baseline,
                candidate=contest.candidates,
                alpha=contest.alpha,
                undecided=contest.undecided,
                each=each,
                over=scope,
                rope=parse_rope(contest.rope),
                test=method.seeded(contest.seed),
                seed=contest.seed or 0,
                jobs=jobs,
                progress=progress,
            )
        write_verdict(build_self_check_report(check, contest.name), output, configured)
    if check.exit_code:
        raise typer.Exit(check.exit_code)
