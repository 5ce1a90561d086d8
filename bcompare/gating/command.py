"""`bcompare gate`, `gate-anytime`, `self-check` and `plan-gate`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from shlex import quote
from typing import TYPE_CHECKING, Annotated, Literal

from bcompare.basis.messages import InputError
from bcompare.cli.defaults import Default
from bcompare.cli.groups import computing_option, grouped, option, output_option
from bcompare.cli.input import Input
from bcompare.cli.options import Drawn, Jobs, Output, Seed, SimulationSeed, test_option
from bcompare.cli.parsing import parse_range, parse_rope
from bcompare.cli.writing import (
    check_destinations,
    draw_pictures,
    progress_bar,
    write,
)
from bcompare.gating.delivery import (
    DEMANDS,
    UNDECIDED,
    Contest,
    GateOutput,
    check_ids,
    deliver,
    demanded,
    gate_option,
    prepare,
)

if TYPE_CHECKING:
    from bcompare.data.scores import Scores

FailIfs = Annotated[
    list[str] | None,
    gate_option(
        "Fail if worse (the default), not-better or not-better-or-equivalent, or also if "
        "undecided; repeat for more.",
        "RULE",
    ),
]
OverWhich = Annotated[
    Literal["these", "each", "average", "next"] | None,
    gate_option(
        "Judge these data sets and their average, each as strictly as the average, by average a "
        "typical data set like these, or the next one. Default: these; next for means.",
        "NAME",
    ),
]
Bar = Annotated[
    float | None, gate_option("Judge by this fixed value instead of a baseline.", "VALUE")
]
OtherTest = Annotated[str | None, test_option("Another test, such as sign. Default: by --over.")]


@grouped
def gate(
    results: Input,
    output: GateOutput,
    contest: Contest,
    *,
    configured: Mapping[str, Default],
    fail_if: FailIfs = None,
    bar: Bar = None,
    over: OverWhich = None,
    require: Annotated[
        Literal["all", "any"],
        gate_option("Whether all candidates must pass, or any one."),
    ] = "all",
    items: Annotated[
        bool,
        gate_option(
            "Say also which single items broke, of answers that are right or wrong; of one of "
            "several metrics --metric 'passed: items'."
        ),
    ] = False,
    again: Annotated[
        str | None,
        gate_option(
            "With --items: new runs of the suspects, judged together with the first.", "FILE"
        ),
    ] = None,
    test: OtherTest = None,
    seed: Seed = None,
    jobs: Jobs = None,
) -> None:
    """Judge a candidate against a baseline, for CI.

    A change that is nowhere worse fails at most about 5 % of the time (--alpha), however many data
    sets, if differences are symmetric and folds correlated as assumed: bcompare explain rates.

    Exit codes:
    0  passed, or undecided unless --fail-if undecided
    4  failed
    5  undecided, under --fail-if undecided
    2  bad input, or nothing to compare
    3  could not be computed
    """
    from bcompare.gating import judge, report, rule, scope

    prepare(results, output, again=again)
    demand, policy = demanded(fail_if)
    rule.GateRule(demand, contest.alpha, policy, require)  # before reading
    who = contest.on(results, bar)
    read, runs = results.with_runs()
    parts = who.read(read, bounds=True, bar=bar, runs=runs)
    suspects = None if again is None else who.read_again(again, results, parts, runs)
    method, _ = scope.method_and_scope(next(iter(parts.values())), test, over, runs)
    with progress_bar(output) as progress:
        judged = judge.gate(
            parts,
            baseline=who.baseline,
            candidate=who.candidates,
            bar=bar,
            fail_if=demand,
            alpha=who.alpha,
            undecided=policy,
            require=require,
            over=over,
            rope=parse_rope(who.rope),
            test=method.seeded(seed),
            runs=runs,
            items=items,
            again=suspects,
            jobs=jobs,
            progress=progress,
        )
    check_ids(output, judged)
    built = report.build_gate_report(judged, output.name)
    deliver(built, judged.exit_code, output, configured, judged.study)


bets_option = partial(option, panel="Bets")


@dataclass(frozen=True)
class BetsOutput(GateOutput, Drawn):
    """Destinations and formats of the verdict, and the picture of the bets."""

    plot: Annotated[
        list[str] | None,
        output_option("Draw the bets: .svg, .png or .pdf; repeat for more.", "FILE"),
    ] = None


@grouped
def gate_anytime(
    results: Input,
    output: BetsOutput,
    *,
    budget: Annotated[
        int | None,
        bets_option("Tune the bets for N items or clusters. Default: for growth.", "N", min=1),
    ] = None,
    range: Annotated[
        str | None, bets_option("Smallest and largest possible score. Default: 0,1.", "LO,HI")
    ] = None,
    of: Annotated[
        int | None,
        bets_option(
            "Total number of items or clusters; the verdict is certain at the last.", "N", min=1
        ),
    ] = None,
    largest: Annotated[
        int | None,
        bets_option(
            "Size of the largest cluster, also of those to come. Default: the largest so far.",
            "N",
            min=1,
        ),
    ] = None,
    seed: Seed = None,
    contest: Contest,
    configured: Mapping[str, Default],
    fail_if: Annotated[
        list[str] | None,
        gate_option(
            "Fail if worse (the default) or not-better, or also if undecided; repeat for more.",
            "RULE",
        ),
    ] = None,
    history: Annotated[
        str | None,
        bets_option(
            "Append this look to a file, as a line of JSON: the next look must continue it.",
            "FILE.jsonl",
        ),
    ] = None,
) -> None:
    """Judge a candidate on items in random order, at any time.

    The error rate (--alpha) holds over all looks together. Exit codes are those of gate.
    """
    from bcompare.gating import anytime, anytime_report, judge
    from bcompare.gating.history import History

    prepare(results, output, history)
    contest = contest.on(results)
    past = None if history is None else History.read(history, output.name)
    demand, policy = demanded(fail_if)
    ends = None if range is None else parse_range(range)
    bets = anytime.Bets(budget, ends, of, largest, seed)
    if past is not None:
        bets = past.bets(bets, contest.alpha)
    with progress_bar(output) as progress:
        result = judge.gate(
            contest.read(results),
            baseline=contest.baseline,
            candidate=contest.candidates,
            alpha=contest.alpha,
            rope=parse_rope(contest.rope),
            progress=progress,
            fail_if=demand,
            undecided=policy,
        )
    judged = anytime.anytime(result, bets)
    report = anytime_report.build_anytime_report(judged, output.name)
    draw_pictures(judged, output)  # may be refused, so before the verdict is written
    if past is not None:
        past.add(judged, report.lead[0])
    deliver(report, judged.exit_code, output, configured, result.study)


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
    """Judge a baseline against itself: a gate's false alarms.

    Compares re-runs that --candidate names, or else halves of its runs, epochs, seeds or items.

    Exit codes:
    0  false alarms are as rare as --alpha promises, or undecided unless --fail-if undecided
    4  false alarms are more frequent
    5  undecided, under --fail-if undecided
    """
    from bcompare.gating import report, scope
    from bcompare.gating.self_check import self_check as check_itself

    prepare(results, output)
    _, policy = demanded(fail_if, known=[UNDECIDED])
    folders = [f"{Path(r).name}={r}" if Path(r).is_dir() else r for r in results.results or ()]
    read, runs = replace(results, results=folders or None).with_runs()
    read = read if runs else results
    baseline = contest.baseline
    candidates = contest.candidates
    name = baseline or next(iter(runs), None)
    if runs and not candidates:  # each run of the baseline as a whole
        baseline, *others = runs.get(name or "", next(iter(runs.values())))
        candidates = tuple(others)
    if candidates:
        parts = replace(contest, baseline=baseline, candidate=list(candidates)).read(read)
    else:  # the baseline alone, with its epochs apart
        only = () if contest.baseline is None else (contest.baseline,)
        sources = contest.sources(results)
        parts = {text: source.read(only, lone=True) for text, source in sources.items()}
    method, _ = scope.method_and_scope(next(iter(parts.values())), test, over)
    with progress_bar(output, "judging the baseline") as progress:
        check = check_itself(
            parts,
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
    built = report.build_self_check_report(named, output.name)
    deliver(built, check.exit_code, output, configured)


@grouped
def plan_gate(
    results: Input,
    output: Output,
    contest: Contest,
    *,
    worse: Annotated[
        list[str] | None,
        option(
            "Loss to be found, in the unit of the rope, such as 0.03 or 'fit_time: 10%'; repeat "
            "for more. Default: twice the rope of each metric.",
            "SIZE",
        ),
    ] = None,
    fail_if: Annotated[
        list[str] | None,
        gate_option("Fail if worse (the default), not-better or not-better-or-equivalent.", "RULE"),
    ] = None,
    bar: Bar = None,
    broken: Annotated[
        bool,
        gate_option("Say how many runs name one item that broke, as gate --items does."),
    ] = False,
    replicates: Annotated[
        int | None,
        computing_option(
            "Simulations of each kind. Default: 1000, or 100 of items and whole runs.",
            "N",
            min=25,
        ),
    ] = None,
    seed: SimulationSeed = 0,
    jobs: Jobs = None,
) -> None:
    """Simulate a gate with other numbers of runs, seeds or items.

    Says how probable each verdict is if nothing has changed, and if every data set got worse. The
    results give the scatter: those of main and a change, or of two runs of main.
    """
    from bcompare.gating import plan, plan_report

    check_destinations(results, output)
    demand, _ = demanded(fail_if, DEMANDS)
    rope = parse_rope(contest.rope)  # before reading
    contest = contest.on(results, bar)
    read, runs = results.with_runs()
    parts = contest.read(read, bar=bar, runs=runs)
    if broken:
        if worse or bar is not None:
            raise InputError(f"--broken is about single items: leave out {_unmeant(worse)}")
        _plan_items(parts, contest, output, runs, replicates, seed)
        return
    with progress_bar(output, "simulating gates") as progress:
        planned = plan.plan_gate(
            parts,
            baseline=contest.baseline,
            candidate=contest.candidates,
            worse=worse or (),
            fail_if=demand,
            bar=bar,
            alpha=contest.alpha,
            rope=rope,
            runs=runs,
            replicates=replicates,
            seed=seed,
            jobs=jobs,
            progress=progress,
        )
    write(plan_report.build_gate_plan_report(planned), output)


def _unmeant(worse: Sequence[str] | None) -> str:
    """Return the option that says nothing about items."""
    return f"--worse {quote(worse[0])}" if worse else "--bar"


def _plan_items(
    parts: "Mapping[str, Scores]",
    contest: Contest,
    output: Output,
    runs: Mapping[str, Sequence[str]],
    replicates: int | None,
    seed: int,
) -> None:
    """Simulate how many runs name an item that broke."""
    from bcompare.gating import item_plan, item_plan_report

    candidate = contest.candidates
    with progress_bar(output, "simulating gates") as progress:
        planned = item_plan.plan_items(
            parts,
            baseline=contest.baseline,
            candidate=candidate[0] if len(candidate) == 1 else None,
            alpha=contest.alpha,
            runs=runs,
            replicates=replicates,
            seed=seed,
            progress=progress,
        )
    write(item_plan_report.build_item_plan_report(planned), output)
