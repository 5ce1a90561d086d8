"""`bcompare gate`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note
from bcompare.cli.defaults import Default
from bcompare.cli.groups import grouped
from bcompare.cli.input import Input
from bcompare.cli.judging import (
    Contest,
    GateOutput,
    HistoryFile,
    again_option,
    gate_option,
    judging,
    past_of,
    recorded,
    shows_history,
    write_verdict,
)
from bcompare.cli.options import Jobs, test_option
from bcompare.cli.parsing import parse_rope

if TYPE_CHECKING:
    from bcompare.gating.history import History
    from bcompare.gating.verdict import Gate

Each = Annotated[bool, gate_option("Require of each data set what is required of their average.")]
Over = Annotated[
    Literal["these", "average", "next"] | None,
    gate_option(
        "Judge these data sets, each and on average; the average over others like them; or "
        "the next one. Default: these; of means the next.",
        "NAME",
    ),
]
Test = Annotated[
    str | None, test_option("Another test, such as sign. Default: as --over asks for.")
]


@dataclass(frozen=True)
class Again:
    """Looks at growing data, and the baselines of the past."""

    history: HistoryFile = None
    look: Annotated[
        int | None,
        again_option(
            "Number of this look, at growing data or against one baseline: it may spend a share "
            "of --alpha. With --history, say it once.",
            "K",
            min=1,
        ),
    ] = None
    looks: Annotated[
        int | None, again_option("Total number of looks. Default: any number.", "N", min=1)
    ] = None
    id: Annotated[
        str | None,
        again_option(
            "Commit of the candidate: a look that failed stands until this or the baseline "
            "changes. Default: by the candidate's scores.",
            "COMMIT",
        ),
    ] = None
    anchor: Annotated[
        str | None,
        again_option(
            "Results of a baseline that stays while others are replaced: say how far the candidate "
            "has drifted from it. Default: the first baseline of --history.",
            "FILE",
        ),
    ] = None
    drift: Annotated[
        list[str] | None,
        again_option(
            "Fail if the mean is worse than the anchor's by more than this, such as 0.02 or 5%, or "
            "'accuracy: 0.02' for one metric; repeat for more.",
            "ROPE",
        ),
    ] = None

    def numbered(self, past: "History | None", contest: Contest) -> tuple[int | None, int | None]:
        """Return the number of this look and of all declared ones; the history may know them.

        Raises
        ------
        InputError : a number of looks without that of this one, or what contradicts the history.
        """
        look, looks = self.look, self.looks
        if past is None and self.id is not None:
            raise InputError("--id names the candidate in a history: add --history FILE.jsonl")
        if past is not None:
            if past.next_bets(contest.name, contest.alpha, None, None) is not None:
                raise InputError(f"{past.path} has bets: go on by gate-anytime")
            look, looks = past.next_look(contest.name, contest.alpha, look, looks)
        if look is None and looks is not None:
            raise InputError("--looks: say which one this is by --look K, or let --history count")
        return look, looks


@grouped
def gate(
    results: Input,
    output: GateOutput,
    contest: Contest,
    again: Again,
    *,
    configured: Mapping[str, Default],
    fail_if: Annotated[
        Literal["worse", "not-better", "not-better-or-equivalent"],
        gate_option("Fail if worse, not-better or not-better-or-equivalent.", "RULE"),
    ] = "worse",
    require: Annotated[
        Literal["all", "any"], gate_option("Whether all of several candidates must pass, or any.")
    ] = "all",
    each: Each = False,
    over: Over = None,
    test: Test = None,
    jobs: Jobs = None,
) -> None:
    """Judge a candidate against a baseline, for continuous integration.

    A change that is nowhere worse fails at most 5 % of the time (--alpha), however many data sets,
    if differences are symmetric and folds correlated as assumed.

    Exit codes:
    0  passed, or undecided unless --undecided fail
    4  failed
    5  undecided, under --undecided fail
    2  bad input, or nothing to compare
    3  could not be computed
    """
    from bcompare.cli.run import finish
    from bcompare.cli.writing import progress_bar
    from bcompare.gating.history import older
    from bcompare.gating.rule import GateRule
    from bcompare.gating.settle import with_settle
    from bcompare.gating.verdict import asked
    from bcompare.gating.verdict import gate as judge
    from bcompare.report.gate import build_gate_report

    past = past_of(again.history, results)
    if shows_history(past, results, output):
        return
    with judging(results, output, contest.name, again.history):
        GateRule(fail_if, contest.alpha, contest.undecided, require, each)  # before reading
        look, looks = again.numbered(past, contest)
        parts = contest.read(results, bounds=True)
        method, scope = asked(next(iter(parts.values())), test, over, each=each)
        with progress_bar(output) as progress:
            result = judge(
                contest.judged_on(parts),
                baseline=contest.baseline,
                candidate=contest.candidates,
                fail_if=fail_if,
                alpha=contest.alpha,
                undecided=contest.undecided,
                require=require,
                each=each,
                over=scope,
                rope=parse_rope(contest.rope),
                test=method.seeded(contest.seed),
                look=look,
                looks=looks,
                jobs=jobs,
                progress=progress,
            )
        result = replace(result, notes=(*result.notes, *older(result.baseline, results.files())))
        result = _with_drifts(result, results, past, contest.name, again)
        result = _with_failed_look(result, past, contest.name, again.id)
        with progress_bar(output, "simulating more data") as progress:
            judged = with_settle(result, seed=contest.seed or 0, jobs=jobs, progress=progress)
        report = build_gate_report(judged, contest.name)
        report = recorded(judged, report, contest.name, past, again.id)
        write_verdict(report, output, configured)
    finish(result.study)
    if judged.exit_code:
        raise typer.Exit(judged.exit_code)


def _with_drifts(
    gate: "Gate", results: Input, past: "History | None", name: str, again: Again
) -> "Gate":
    """Return the gate with the drifts of its candidates from the anchor, if there is one."""
    from bcompare.gating.drift import Anchor, drift_of, means_of, parse_thresholds

    limits = parse_thresholds(again.drift or (), gate.metrics)
    if again.anchor is not None:
        source = replace(results, results=[again.anchor])
        parts = {
            metric: (source.of_metric(metric) if metric.name else source).read((), lone=True)
            for metric in gate.metrics
        }
        anchor: Anchor | None = Anchor(again.anchor, means_of(parts))
    else:
        anchor = None if past is None else past.anchor(name)
    if anchor is None:
        if limits and past is None:
            raise InputError("--drift needs what to drift from: name it by --anchor or --history")
        return gate
    if not limits and anchor.means == means_of(gate.parts, gate.baseline):
        return gate  # the verdict says it already
    drifts = [d for c in gate.candidates for d in drift_of(gate.parts, c, anchor, limits)]
    if limits and not drifts:
        raise InputError(f"--drift: {anchor.origin} has no data set that the candidate has")
    return replace(gate, drifts=tuple(drifts))


def _with_failed_look(
    gate: "Gate", past: "History | None", name: str, commit: str | None
) -> "Gate":
    """Return the gate with the earlier look that failed, as a failure or as a note."""
    found = None if past is None else past.failed_look(name, gate, commit or "")
    if found is None:
        return gate
    failed, stands = found
    of = "" if failed.looks is None else f" of {failed.looks}"
    words = f"failed at look {failed.look}{of}"
    if stands:
        return replace(gate, stands=f"{words}, with the same baseline and candidate")
    message = f"{words}, with another baseline or candidate: {failed.summary}"
    return replace(gate, notes=(*gate.notes, Note("failed-look", "warning", message)))
