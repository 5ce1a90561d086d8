"""`bcompare gate`."""

import os
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import typer

from bcompare.basis.arguments import as_options
from bcompare.basis.errors import BcompareError, InputError
from bcompare.basis.notes import Note
from bcompare.cli.defaults import Default, configured_note
from bcompare.cli.groups import classifier_option, grouped, option, output_option
from bcompare.cli.input import Input, both
from bcompare.cli.options import Alpha, Jobs, RopeText, Seed, test_option
from bcompare.cli.output import Drawn, format_option
from bcompare.cli.parsing import parse_rope
from bcompare.data.defaults import DEFAULT_ROPE_TEXT
from bcompare.render import FORMATS, GATE_FORMATS, PAPER_FORMATS

if TYPE_CHECKING:
    from bcompare.gating.anytime import Bets
    from bcompare.gating.history import History
    from bcompare.gating.verdict import Gate
    from bcompare.report.build import Report

GATE = "Gate"
gate_option = partial(option, panel=GATE)
look_option = partial(option, panel="Looking more than once")
SUMMARY = "GITHUB_STEP_SUMMARY"


if TYPE_CHECKING:
    GateFormat = str
else:
    # those of continuous integration behind the first two
    GateFormat = Literal[
        tuple(
            name
            for name in dict.fromkeys(("table", "json", *GATE_FORMATS, *FORMATS))
            if name not in PAPER_FORMATS
        )
    ]
"""Output formats of a gate: those of the registry."""


@dataclass(frozen=True)
class GateOutput(Drawn):
    """Destinations and formats of the verdict."""

    format: Annotated[
        GateFormat | None,
        format_option(GateFormat, " github also writes the summary of the step."),
    ] = None
    plot: Annotated[
        list[str] | None,
        output_option("Draw the bets of --anytime: .svg, .png or .pdf; repeat for more.", "FILE"),
    ] = None


@dataclass(frozen=True)
class Looks:
    """Options for several looks at growing data."""

    look: Annotated[
        int | None,
        look_option(
            "This is the K-th look, at growing data or against one baseline, and has its share "
            "of --alpha. With --history, say it once.",
            "K",
            min=1,
        ),
    ] = None
    looks: Annotated[
        int | None, look_option("Number of looks in all. Default: any number.", "N", min=1)
    ] = None
    anytime: Annotated[
        bool, look_option("Bet on test items in random order: look whenever you like.")
    ] = False
    budget: Annotated[
        int | None,
        look_option("Tune the bets for N items or clusters. Default: for growth.", "N", min=1),
    ] = None
    range: Annotated[
        str | None, look_option("Smallest and largest possible score. Default: 0,1.", "LO,HI")
    ] = None
    of: Annotated[
        int | None,
        look_option("Number of items, or clusters, in all; the last one decides.", "N", min=1),
    ] = None
    largest: Annotated[
        int | None,
        look_option(
            "Most items of any cluster, also of those to come. Default: of the largest so far.",
            "N",
            min=1,
        ),
    ] = None

    id: Annotated[
        str | None,
        look_option(
            "Commit of the candidate: a look that failed stands until this or the baseline "
            "changes. Default: by the candidate's scores.",
            "COMMIT",
        ),
    ] = None

    def resolved(
        self,
        past: "History | None",
        name: str,
        alpha: float,
        seed: int | None,
        ignored: Mapping[str, object],
        plot: list[str] | None,
    ) -> "tuple[int | None, int | None, Bets | None]":
        """Return this look, the number of looks, and the bets; the history may know them.

        ignored : options that have no effect with bets; --self-check has none with any look.

        Raises
        ------
        InputError : options of which one would have no effect, or that contradict the history.
        """
        look, looks, bets = self.look, self.looks, self._bets(seed)
        if past is not None:
            bets = past.next_bets(name, alpha, bets, seed)
            look, looks = past.next_look(name, alpha, look, looks)
        if look is None and looks is not None:
            raise InputError("--looks: say which one this is by --look K, or let --history count")
        if bets is not None and look is not None:
            if past is not None and (self.look, self.looks) == (None, None):
                raise InputError(f"{past.path} counts looks: begin another history for --anytime")
            raise InputError("--anytime may look at any time: leave --look and --looks out")
        idle = [option for option, value in ignored.items() if value]
        if bets is None:
            idle = [option for option in idle if option == "--self-check"]
        if idle and (bets or look):
            what = "--look" if bets is None else "--anytime"
            raise InputError(f"{what} cannot be combined with {', '.join(idle)}: leave one out")
        if plot and bets is None:
            raise InputError("--plot shows the bets of --anytime: say that, or leave --plot out")
        return look, looks, bets

    def _bets(self, seed: int | None) -> "Bets | None":
        """Return the declared bets, if any."""
        from bcompare.cli.parsing import parse_range
        from bcompare.gating.anytime import Bets

        own = {"--budget": self.budget, "--range": self.range, "--of": self.of,
               "--largest": self.largest}  # fmt: skip
        given = [name for name, value in own.items() if value is not None]
        if self.anytime:
            ends = None if self.range is None else parse_range(self.range)
            return Bets(self.budget, ends, self.of, self.largest, seed)
        if given:
            raise InputError(f"{', '.join(given)}: say --anytime, too, or leave it out")
        return None


@grouped
def gate(
    results: Input,
    output: GateOutput,
    again: Looks,
    *,
    configured: Mapping[str, Default],
    baseline: Annotated[
        str | None,
        classifier_option(
            "Classifier to judge against. Default: the first that is no candidate.", GATE
        ),
    ] = None,
    candidate: Annotated[
        list[str] | None,
        classifier_option("Classifier to judge; repeat for more. Default: all others.", GATE),
    ] = None,
    metric: Annotated[
        list[str] | None,
        gate_option(
            "Judge by this column, such as 'f1: better' or, with a rope, 'fit_time: lower, 5%'; "
            "repeat for more. Metrics in rows: add --col metric=COL.",
            "SPEC",
        ),
    ] = None,
    fail_if: Annotated[
        Literal["worse", "not-better", "not-better-or-equivalent"],
        gate_option("Fail if worse, not-better or not-better-or-equivalent.", "RULE"),
    ] = "worse",
    alpha: Alpha = 0.05,
    undecided: Annotated[
        Literal["warn", "pass", "fail"],
        gate_option("What to do when undecided: warn (and pass), pass or fail.", "WORD"),
    ] = "warn",
    require: Annotated[
        Literal["all", "any"], gate_option("Whether all of several candidates must pass, or any.")
    ] = "all",
    each: Annotated[
        bool, gate_option("Require of each data set what is required of their average.")
    ] = False,
    over: Annotated[
        Literal["these", "average", "next"] | None,
        gate_option(
            "Judge these data sets, each and on average; the average over others like them; or "
            "the next one. Default: these; of means the next.",
            "NAME",
        ),
    ] = None,
    name: Annotated[
        str, gate_option("Name of this gate in annotations, JUnit and comments.", "TEXT")
    ] = "bcompare gate",
    history: Annotated[
        str | None,
        gate_option(
            "Append the verdict to this file, one line of JSON each; without RESULTS, show the "
            "latest ones and how the baseline drifts.",
            "FILE.jsonl",
        ),
    ] = None,
    anchor: Annotated[
        str | None,
        gate_option(
            "Results of a baseline that stays while others are replaced: say how far the candidate "
            "has drifted from it. Default: the first baseline of --history.",
            "FILE",
        ),
    ] = None,
    drift: Annotated[
        list[str] | None,
        gate_option(
            "Fail if the mean is worse than the anchor's by more than this, such as 0.02 or 5%, or "
            "'accuracy: 0.02' for one metric; repeat for more.",
            "ROPE",
        ),
    ] = None,
    self_check: Annotated[
        bool,
        gate_option(
            "Judge the baseline against itself, by re-runs of it that --candidate names, or by "
            "halves of its runs, epochs, seeds or items; fail if false alarms are likelier than "
            "alpha."
        ),
    ] = False,
    rope: RopeText = DEFAULT_ROPE_TEXT,
    test: Annotated[
        str | None, test_option("Another test, such as sign. Default: as --over asks for.")
    ] = None,
    seed: Seed = None,
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
    from bcompare.cli.destinations import check_destinations
    from bcompare.cli.run import finish
    from bcompare.cli.writing import draw_pictures, progress_bar, write
    from bcompare.gating.anytime import AnytimeGate, anytime
    from bcompare.gating.history import Entry, older
    from bcompare.gating.metrics import Metric
    from bcompare.gating.rule import GateRule
    from bcompare.gating.self_check import self_check as check_itself
    from bcompare.gating.settle import with_settle
    from bcompare.gating.verdict import asked
    from bcompare.gating.verdict import gate as judge
    from bcompare.report.anytime import build_anytime_report
    from bcompare.report.gate import build_gate_report, with_note
    from bcompare.report.history import build_history_report
    from bcompare.report.self_check import build_self_check_report

    writable, note = False, configured_note(configured)
    past = _past(history, results, self_check=self_check)
    if past is not None and not results.results:
        write(build_history_report(past), output)
        return
    try:
        check_destinations(results, output, refused=PAPER_FORMATS, history=history)
        writable = True
        GateRule(fail_if, alpha, undecided, require, each)  # refused before anything is read
        look, looks, bets = again.resolved(
            past, name, alpha, seed,
            {"--self-check": self_check, "--test": test, "--over": over, "--each": each,
             "--anchor": anchor, "--drift": drift},
            output.plot,
        )  # fmt: skip
        borders = parse_rope(rope)
        named = tuple(dict.fromkeys(candidate or ()))
        _check_scales(results, metric or ())
        parts = {}
        for text in metric or [""]:
            source = results.of_metric(Metric.parse(text)) if metric else results
            if self_check and not named:  # the baseline alone, with its epochs apart
                own = () if baseline is None else (baseline,)
                parts[text] = source.read(own, lone=True)
            else:
                bounds = len(metric or ("",)) == 1 and not (self_check or bets)
                parts[text] = source.read(both(baseline, named), bounds=bounds)
        scores = next(iter(parts.values()))
        judged_on = parts if metric else scores
        method, asks = asked(scores, test, over, each=each)
        settings: dict[str, Any] = {
            "baseline": baseline, "candidate": named, "fail_if": fail_if, "alpha": alpha,
            "each": each, "over": asks, "rope": borders, "test": method.seeded(seed), "jobs": jobs,
        }  # fmt: skip
        if self_check:
            with progress_bar(output, "judging the baseline") as progress:
                check = check_itself(
                    judged_on, undecided=undecided, seed=seed or 0, progress=progress, **settings
                )
            written = with_note(build_self_check_report(check, name), note)
            write(written, output)
            _write_summary(written, output)
            if check.exit_code:
                raise typer.Exit(check.exit_code)
            return
        with progress_bar(output) as progress:
            result = judge(
                judged_on,
                undecided=undecided,
                require=require,
                look=look,
                looks=looks,
                progress=progress,
                **settings,
            )
        result = replace(result, notes=(*result.notes, *older(result.baseline, results.files())))
        result = _with_drifts(result, results, past, name, anchor, drift or ())
        result = _with_failed_look(result, past, name, again.id)
        judged: Gate | AnytimeGate = result
        if bets is None:
            with progress_bar(output, "simulating more data") as progress:
                judged = with_settle(result, seed=seed or 0, jobs=jobs, progress=progress)
            report = build_gate_report(judged, name)
        else:
            judged = anytime(result, bets)
            report = build_anytime_report(judged, name)
        report = with_note(report, note)
        draw_pictures(judged, output)  # may be refused, so before the verdict is written
        if past is not None:
            past.check_stream(name, judged)
            entry = Entry.of(judged, name, report.sentences[0], again.id or "")
            report = replace(report, notes=(*report.notes, *past.reuse(entry)))
            past.append(entry)
        write(report, output)
        _write_summary(report, output)
    except BcompareError as error:
        _write_unjudged(error, name, output, files=writable)
        raise
    finish(result.study)
    if judged.exit_code:
        raise typer.Exit(judged.exit_code)


def _check_scales(results: Input, metrics: Sequence[str]) -> None:
    """Refuse factors that name no metric where metrics are judged."""
    from bcompare.gating.metrics import Metric

    names = tuple(f"{Metric.parse(text).name}:" for text in metrics)
    for text in results.scale or () if names else ():
        if not text.startswith(names):
            raise InputError(
                f"--scale {text}: say of which metric, such as --scale "
                f"{shlex.quote(f'{names[0]}{text}')}"
            )


def _with_drifts(
    gate: "Gate",
    results: Input,
    past: "History | None",
    name: str,
    file: str | None,
    thresholds: Sequence[str],
) -> "Gate":
    """Return the gate with the drifts of its candidates from the anchor, if there is one."""
    from bcompare.gating.drift import Anchor, drift_of, means_of, parse_thresholds

    limits = parse_thresholds(thresholds, gate.metrics)
    if file is not None:
        source = replace(results, results=[file])
        parts = {
            metric: (source.of_metric(metric) if metric.name else source).read((), lone=True)
            for metric in gate.metrics
        }
        anchor: Anchor | None = Anchor(file, means_of(parts))
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


def _past(history: str | None, results: Input, *, self_check: bool) -> "History | None":
    """Return the history; its file may be missing if there are results to judge."""
    from bcompare.gating.history import History

    if history is None:
        return None
    if self_check:
        raise InputError("--self-check has no verdict for --history to keep: leave one of them out")
    if not results.results and not Path(history).exists():
        raise InputError(f"there is no {history}: name the results that are to be judged, too")
    return History.read(history)


def _write_unjudged(error: BcompareError, name: str, output: GateOutput, *, files: bool) -> None:
    """Write in every format that there is no verdict, so that no old one remains.

    files : whether the files may be written.
    """
    from bcompare.cli.destinations import STANDARD_OUTPUT, targets
    from bcompare.cli.writing import write_one
    from bcompare.report.gate import build_unjudged_report

    report = build_unjudged_report(error, name)
    for path, chosen in targets(output):
        # for a table, standard error has said it already
        if files if path != STANDARD_OUTPUT else chosen != "table":
            write_one(report, path, chosen)
    if files:
        _write_summary(report, output)


def _write_summary(report: "Report", output: GateOutput) -> None:
    """Write the summary of a GitHub workflow's step."""
    from bcompare.basis.atomic import append_atomically
    from bcompare.render import load_renderer

    summary = os.environ.get(SUMMARY)
    if output.format == "github" and summary:
        text = as_options(load_renderer("markdown")(report))
        append_atomically(summary, (text + "\n").encode("utf-8", errors="replace"))
