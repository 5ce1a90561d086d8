"""`bcompare self-check`."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Annotated

from bcompare.cli.defaults import Default
from bcompare.cli.groups import grouped
from bcompare.cli.input import Input
from bcompare.cli.judging import (
    UNDECIDED,
    Contest,
    GateOutput,
    OtherTest,
    OverWhich,
    Ruling,
    deliver,
    demanded,
    gate_option,
)
from bcompare.cli.options import Jobs, Seed
from bcompare.cli.parsing import parse_rope


@grouped
def self_check(
    results: Input,
    output: GateOutput,
    contest: Contest,
    *,
    configured: Mapping[str, Default],
    fail_if: Annotated[list[str] | None, gate_option("Fail also if undecided.", UNDECIDED)] = None,
    over: OverWhich = None,
    test: OtherTest = None,
    seed: Seed = None,
    jobs: Jobs = None,
) -> None:
    """Judge a baseline against itself, and count the false alarms of a gate.

    By re-runs of it that --candidate names, or by halves of its runs, epochs, seeds or items.

    Exit codes:
    0  false alarms are as rare as --alpha promises, or undecided unless --fail-if undecided
    4  they are likelier
    5  undecided, under --fail-if undecided
    """
    from bcompare.cli.writing import progress_bar
    from bcompare.gating.self_check import self_check as check_itself
    from bcompare.gating.verdict import asked
    from bcompare.report.self_check import build_self_check_report

    def judge() -> Ruling:
        _, policy = demanded(fail_if, known=[UNDECIDED])
        folders = [f"{Path(r).name}={r}" if Path(r).is_dir() else r for r in results.results or ()]
        read, runs = replace(results, results=folders or None).with_runs()
        read = read if runs else results
        baseline, candidates = contest.baseline, contest.candidates
        name = baseline or next(iter(runs), None)
        if runs and not candidates:  # each run of the baseline as a whole
            baseline, *others = runs.get(name or "", next(iter(runs.values())))
            candidates = tuple(others)
        if candidates:
            parts = replace(contest, baseline=baseline, candidate=list(candidates)).read(read)
        else:  # the baseline alone, with its epochs apart
            own = () if contest.baseline is None else (contest.baseline,)
            sources = contest.sources(results).items()
            parts = {text: source.read(own, lone=True) for text, source in sources}
        method, _scope = asked(next(iter(parts.values())), test, over)
        with progress_bar(output, "judging the baseline") as progress:
            check = check_itself(
                contest.judged_on(parts),
                baseline=baseline,
                candidate=candidates,
                alpha=contest.alpha,
                over=over,
                rope=parse_rope(contest.rope),
                test=method.seeded(seed),
                seed=seed or 0,
                jobs=jobs,
                progress=progress,
                undecided=policy,
            )
        named = replace(check, baseline=name or check.baseline)
        return Ruling(build_self_check_report(named, output.name), check.exit_code)

    deliver(judge, results, output, configured)
