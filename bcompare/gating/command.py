"""`bcompare gate`, `gate-anytime`, `self-check` and `plan-gate`, and what they have in common."""

import os
import shlex
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bcompare.basis.arguments import as_options
from bcompare.basis.atomic import append_atomically, resolved
from bcompare.basis.errors import BcompareError, InputError
from bcompare.cli.defaults import Default, configured_note
from bcompare.cli.groups import classifier_option, computing_option, grouped, option, output_option
from bcompare.cli.options import (
    PERCENT,
    Alpha,
    Drawn,
    Input,
    Jobs,
    Output,
    RopeText,
    Seed,
    SimulationSeed,
    both,
    format_option,
    test_option,
)
from bcompare.cli.parsing import parse_range, parse_rope, parse_words
from bcompare.cli.writing import (
    STANDARD_OUTPUT,
    check_destinations,
    draw_pictures,
    progress_bar,
    targets,
    write,
    write_one,
)
from bcompare.data.defaults import DEFAULT_ROPE_TEXT
from bcompare.formats import (
    FORMATS,
    GATE_FORMATS,
    ITEM_FORMATS,
    PAPER_FORMATS,
    SUFFIXES,
    load_renderer,
)

if TYPE_CHECKING:
    from bcompare.comparing.compare import ComparisonSet
    from bcompare.data.scores import Scores
    from bcompare.gating.rule import FailIf, Policy
    from bcompare.report.build import Report

GATE = "Gate"
gate_option = partial(option, panel=GATE)
SUMMARY = "GITHUB_STEP_SUMMARY"

# The demands of --fail-if, the strictest first, and its word for those that fail in doubt, too.
DEMANDS: "tuple[FailIf, ...]" = ("not-better", "not-better-or-equivalent", "worse")
UNDECIDED = "undecided"

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
        "Judge these data sets and their average, each as strictly, the average over others, or "
        "the next one. Default: these; of means next.",
        "NAME",
    ),
]
OtherTest = Annotated[
    str | None, test_option("Another test, such as sign. Default: as --over asks for.")
]

if TYPE_CHECKING:
    GateFormat = str
else:
    # those of continuous integration behind the first two
    GateFormat = Literal[
        tuple(
            name
            for name in dict.fromkeys(("table", "json", *GATE_FORMATS, *FORMATS))
            if name not in (*PAPER_FORMATS, *ITEM_FORMATS)
        )
    ]
"""Output formats of a gate: those of the registry."""

GATE_FORMAT = format_option(GateFormat, " github also writes the summary of the step.")


@dataclass(frozen=True)
class GateOutput(Output):
    """Destinations and formats of the verdict."""

    format: Annotated[GateFormat | None, GATE_FORMAT] = None
    name: Annotated[
        str, gate_option("Name of this gate in annotations, JUnit and comments.", "TEXT")
    ] = "bcompare gate"


@dataclass(frozen=True)
class Contest:
    """Who is judged, by which metrics, and when a statement counts as shown."""

    baseline: Annotated[
        str | None,
        classifier_option(
            "Classifier to judge against. Default: the first LABEL, if any.",
            GATE,
        ),
    ] = None
    candidate: Annotated[
        list[str] | None,
        classifier_option("Classifier to judge; repeat for more. Default: all others.", GATE),
    ] = None
    metric: Annotated[
        list[str] | None,
        gate_option(
            "Judge by this column, such as 'f1: better' or, with a rope, 'fit_time: lower, 5%'; "
            "repeat for more. Metrics in rows: add --col metric=COL.",
            "SPEC",
        ),
    ] = None
    alpha: Alpha = 0.05
    rope: RopeText = DEFAULT_ROPE_TEXT

    @property
    def candidates(self) -> tuple[str, ...]:
        """The named candidates."""
        return tuple(dict.fromkeys(self.candidate or ()))

    def on(self, results: Input, bar: float | None = None) -> "Contest":
        """Return the contest, with the first of labelled files as the baseline if none is named.

        bar : a fixed value in its place.
        """
        from bcompare.files.sources import label_of
        from bcompare.gating.metrics import Metric

        first = label_of(results.results[0]) if results.results else None
        bars = (Metric.parse(text).bar for text in self.metric or ())
        if self.baseline or bar is not None or any(own is not None for own in bars):
            return self
        return replace(self, baseline=first)

    def read(
        self,
        results: Input,
        *,
        bounds: bool = False,
        bar: float | None = None,
        runs: Mapping[str, Sequence[str]] | None = None,
    ) -> "dict[str, Scores]":
        """Return the scores by metric, under "" if none is named.

        bounds : whether trials without a score may be bounded. bar : a fixed value to judge by.
        runs : the whole runs of one name.

        Raises
        ------
        InputError : with every problem of every metric.
        """
        from bcompare.gating.metrics import Metric, combined, with_bars

        of = runs or {}
        named = both(self.baseline, self.candidates)
        who = tuple(run for name in named for run in of.get(name, [name]))
        baseline = of.get(self.baseline, [self.baseline]) if self.baseline else ()
        parts: dict[str, Scores] = {}
        problems: dict[Metric, Sequence[str]] = {}
        advice: Sequence[str] = ()
        sources = self.sources(results)
        metrics = [Metric.parse(text) if text else Metric() for text in sources]
        for metric, (text, source) in zip(with_bars(metrics, bar), sources.items(), strict=True):
            fewest = 2 if metric.bar is None else 1
            try:
                parts[text] = source.read(
                    who, bounds=bounds, fewest=fewest, baseline=tuple(baseline)
                )
            except InputError as error:
                problems[metric] = error.messages
                advice = advice or error.advice
        if problems:
            raise InputError(combined(problems, len(sources)), advice)
        return parts

    def sources(self, results: Input) -> dict[str, Input]:
        """Return the input of each metric, under "" if none is named."""
        from bcompare.gating.metrics import Metric

        if not self.metric:
            return {"": results}
        metrics = {text: Metric.parse(text) for text in self.metric}
        names = [metric.name for metric in metrics.values()]
        for name in results.policies().keys() - {"", *names}:
            raise InputError(f"--failed {shlex.quote(f'{name}: …')}: no metric {name} is judged")
        for text in results.scale or ():
            if text != PERCENT and not text.startswith(tuple(f"{name}:" for name in names)):
                raise InputError(
                    f"--scale {text}: say of which metric, such as --scale "
                    f"{shlex.quote(f'{names[0]}:{text}')}"
                )
        return {text: results.of_metric(metric) for text, metric in metrics.items()}

    def judged_on(self, parts: "Mapping[str, Scores]") -> "Scores | Mapping[str, Scores]":
        """Return the scores as `bcompare.gate` takes them."""
        return parts if self.metric else parts[""]


def demanded(
    fail_if: Sequence[str] | None, known: Sequence[str] = (*DEMANDS[::-1], UNDECIDED)
) -> "tuple[FailIf, Policy]":
    """Return the strictest demand of --fail-if, and whether the undecided fail, too.

    Raises
    ------
    InputError : a word that is not known.
    """
    words = parse_words("--fail-if", fail_if, known)
    demand = next((demand for demand in DEMANDS if demand in words), DEMANDS[-1])
    return demand, "fail" if UNDECIDED in words else "warn"


@dataclass(frozen=True)
class Ruling:
    """A verdict to be delivered. study : its pairs, of which some may not have been computed."""

    report: "Report"
    exit_code: int
    study: "ComparisonSet | None" = None


def deliver(
    judge: Callable[[], Ruling],
    results: Input,
    output: GateOutput,
    configured: Mapping[str, Default],
    history: str | None = None,
) -> None:
    """Judge, and write the verdict to all destinations; see `verdict_or_error`.

    history : a file that `judge` appends to.

    Raises
    ------
    InputError : a destination that cannot be written, or is used twice; as `judge` does.
    Exit : with the code of the verdict.
    """
    from bcompare.cli.compare import finish
    from bcompare.gating.report import with_note

    _REQUESTED.set(output)
    check_destinations(results, output, refused=(*PAPER_FORMATS, *ITEM_FORMATS), history=history)
    ruling = judge()
    report = ruling.report
    if configured:
        report = with_note(report, configured_note(configured))
    write(report, output)
    _write_summary(report, output)
    if ruling.study is not None:
        finish(ruling.study)
    if ruling.exit_code:
        raise typer.Exit(ruling.exit_code)


_REQUESTED: ContextVar["GateOutput | None"] = ContextVar("requested", default=None)


@contextmanager
def verdict_or_error(arguments: Sequence[str]) -> Iterator[None]:
    """Let no old verdict remain: remove it at the start, and where none is reached write why.

    That holds for whatever goes wrong, also for options that are none and a configuration that
    cannot be read. Files that the arguments name in another place, such as the input, stay.
    """
    _REQUESTED.set(None)
    words = _words_of(arguments)
    wanted = GateOutput(
        format=next(iter(words["--format"]), None),
        output=words["--output"] or None,
        name=next(iter(words["--name"]), GateOutput.name),
    )
    own = _to_replace(wanted, words[""])
    for path in filter(Path.is_file, own):
        with suppress(OSError):
            path.unlink()
    try:
        yield
    except BcompareError as error:
        _write_unjudged(error, _REQUESTED.get() or wanted, own)
        raise
    except SystemExit as end:
        if end.code == InputError.exit_code:
            why = InputError("the command line could not be understood; the log says why")
            _write_unjudged(why, wanted, own)
        raise


def _words_of(arguments: Sequence[str]) -> dict[str, list[str]]:
    """Return the values of the options of output, and under "" all other words."""
    words: dict[str, list[str]] = {"--output": [], "--format": [], "--name": [], "": []}
    rest = iter(arguments)
    for word in rest:
        name, equals, value = word.partition("=")
        if word.startswith("-o") and word[2:]:
            name, equals, value = "--output", "=", word[2:]
        name = "--output" if name == "-o" else name
        if name in words and name:
            words[name] += [value] if equals else [next(rest, "")]
        else:
            words[""].append(word)
    return words


def _to_replace(wanted: GateOutput, others: Sequence[str]) -> set[Path]:
    """Return the files of a known format that no other word of the command line names."""
    parts = (part for word in ("results.csv", *others) for part in (word, word.partition("=")[2]))
    read = {resolved(part.partition("#")[0]) for part in parts if part}
    return {
        Path(path)
        for path, chosen in targets(wanted)
        if (chosen != "table" or wanted.format or Path(path).suffix in SUFFIXES)
        and resolved(path) not in read
    }


def _write_unjudged(error: BcompareError, output: GateOutput, own: Collection[Path]) -> None:
    """Write in every format that there is no verdict; own : the files that may be written."""
    from bcompare.gating.report import build_unjudged_report

    report = build_unjudged_report(error, output.name)
    for path, chosen in targets(output):
        # for a table, standard error has said it already
        if Path(path) in own if path != STANDARD_OUTPUT else chosen != "table":
            with suppress(InputError, KeyError):  # no such folder, no such format
                write_one(report, path, chosen)
    with suppress(InputError):
        _write_summary(report, output)


def _write_summary(report: "Report", output: GateOutput) -> None:
    """Write the summary of a GitHub workflow's step."""
    summary = os.environ.get(SUMMARY)
    if output.format == "github" and summary:
        text = as_options(load_renderer("markdown")(report))
        append_atomically(summary, (text + "\n").encode("utf-8", errors="replace"))


@grouped
def gate(
    results: Input,
    output: GateOutput,
    contest: Contest,
    *,
    configured: Mapping[str, Default],
    fail_if: FailIfs = None,
    bar: Annotated[
        float | None,
        gate_option("Judge by this fixed value instead of a baseline.", "VALUE"),
    ] = None,
    over: OverWhich = None,
    require: Annotated[
        Literal["all", "any"],
        gate_option("Whether all of several candidates must pass, or any."),
    ] = "all",
    test: OtherTest = None,
    seed: Seed = None,
    jobs: Jobs = None,
) -> None:
    """Judge a candidate against a baseline, for continuous integration.

    A change that is nowhere worse fails about 5 % of the time (--alpha), however many data sets,
    if differences are symmetric and folds correlated as assumed (else see bcompare explain rates).

    Exit codes:
    0  passed, or undecided unless --fail-if undecided
    4  failed
    5  undecided, under --fail-if undecided
    2  bad input, or nothing to compare
    3  could not be computed
    """
    from bcompare.gating.judge import asked
    from bcompare.gating.judge import gate as gate_of
    from bcompare.gating.report import build_gate_report
    from bcompare.gating.rule import GateRule

    def judge() -> Ruling:
        demand, policy = demanded(fail_if)
        GateRule(demand, contest.alpha, policy, require)  # before reading
        who = contest.on(results, bar)
        read, runs = results.with_runs()
        parts = who.read(read, bounds=True, bar=bar, runs=runs)
        method, _ = asked(next(iter(parts.values())), test, over)
        with progress_bar(output) as progress:
            judged = gate_of(
                who.judged_on(parts),
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
                jobs=jobs,
                progress=progress,
            )
        return Ruling(build_gate_report(judged, output.name), judged.exit_code, judged.study)

    deliver(judge, results, output, configured)


bets_option = partial(option, panel="Bets")


@dataclass(frozen=True)
class BetsOutput(Drawn, GateOutput):
    """Destinations and formats of the verdict, and the picture of the bets."""

    format: Annotated[GateFormat | None, GATE_FORMAT] = None
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
            "Most items of any cluster, also of those to come. Default: of the largest so far.",
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
            "Append this look to a file, one line of JSON each: the next one must continue it.",
            "FILE.jsonl",
        ),
    ] = None,
) -> None:
    """Judge a candidate on items in random order, as often as you like.

    The error rate (--alpha) holds over all looks together. Exit codes are those of gate.
    """
    from bcompare.gating.anytime import Bets, History, anytime
    from bcompare.gating.judge import gate
    from bcompare.gating.report import build_anytime_report

    contest = contest.on(results)
    past = None if history is None else History.read(history, output.name)

    def judge() -> Ruling:
        demand, policy = demanded(fail_if)
        ends = None if range is None else parse_range(range)
        bets = Bets(budget, ends, of, largest, seed)
        if past is not None:
            bets = past.bets(bets, contest.alpha)
        with progress_bar(output) as progress:
            result = gate(
                contest.judged_on(contest.read(results)),
                baseline=contest.baseline,
                candidate=contest.candidates,
                alpha=contest.alpha,
                rope=parse_rope(contest.rope),
                progress=progress,
                fail_if=demand,
                undecided=policy,
            )
        judged = anytime(result, bets)
        report = build_anytime_report(judged, output.name)
        draw_pictures(judged, output)  # may be refused, so before the verdict is written
        if past is not None:
            past.add(judged, report.sentences[0])
        return Ruling(report, judged.exit_code, result.study)

    deliver(judge, results, output, configured, history)


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
    from bcompare.gating.judge import asked
    from bcompare.gating.report import build_self_check_report
    from bcompare.gating.self_check import self_check as check_itself

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
    from bcompare.gating.plan import plan_gate as plan_of
    from bcompare.gating.plan_report import build_gate_plan_report

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
