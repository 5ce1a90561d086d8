"""Read what a gate judges, and write its ruling wherever it is wanted, whatever goes wrong."""

import os
import re
import shlex
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from bcompare.basis.atomic import append_atomically, resolved
from bcompare.basis.messages import BcompareError, InputError, as_options, printable
from bcompare.cli.defaults import Default, configured_note
from bcompare.cli.groups import classifier_option, option
from bcompare.cli.input import PERCENT, Input
from bcompare.cli.options import Alpha, Output, RopeText, both, format_option
from bcompare.cli.parsing import parse_words
from bcompare.cli.writing import (
    STANDARD_OUTPUT,
    check_destinations,
    targets,
    write,
    write_one,
)
from bcompare.formats import (
    FORMATS,
    GATE_FORMATS,
    ITEM_FORMATS,
    PAPER_FORMATS,
    SUFFIXES,
    load_renderer,
)

if TYPE_CHECKING:
    from bcompare.comparing.comparison_set import ComparisonSet
    from bcompare.data.scores import Scores
    from bcompare.gating.rule import FailIf, Policy
    from bcompare.gating.verdict import Gate
    from bcompare.report.pair_report import Report

GATE = "Gate"
gate_option = partial(option, panel=GATE)
SUMMARY = "GITHUB_STEP_SUMMARY"

# The demands of --fail-if, the strictest first, and its word for those that fail in doubt, too.
DEMANDS: "tuple[FailIf, ...]" = ("not-better", "not-better-or-equivalent", "worse")
UNDECIDED = "undecided"

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
    rope: RopeText = None

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
        if self.baseline or bar is not None or any(metric_bar is not None for metric_bar in bars):
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
        from bcompare.columns.question import AskedError
        from bcompare.gating.metrics import Metric, combined, demands

        runs_of = runs or {}
        named = both(self.baseline, self.candidates)
        who = tuple(run for name in named for run in runs_of.get(name, [name]))
        baseline = runs_of.get(self.baseline, [self.baseline]) if self.baseline else ()
        parts: dict[str, Scores] = {}
        problems: dict[Metric, Sequence[str]] = {}
        sources = self.sources(results)
        for metric, (text, source) in zip(demands(sources, bar), sources.items(), strict=True):
            fewest = 2 if metric.bar is None else 1
            try:
                parts[text] = source.read(
                    who, bounds=bounds, fewest=fewest, baseline=tuple(baseline)
                )
            except AskedError:
                raise
            except InputError as error:
                problems[metric] = error.messages
        if problems:
            raise InputError(combined(problems, len(sources)))
        return parts

    def read_again(
        self,
        file: str,
        results: Input,
        parts: "Mapping[str, Scores]",
        runs: Mapping[str, Sequence[str]],
    ) -> "Scores":
        """Return the runs of suspects that were run again, read as the results are.

        parts : the results, by metric. runs : the whole runs of one name.

        Raises
        ------
        InputError : several metrics or candidates, so that it is not clear whose runs these are;
            with every problem of the file.
        """
        from bcompare.files.sources import label_of
        from bcompare.gating.metrics import Metric
        from bcompare.gating.runs import contestants, sides_of

        asked = [text for text in parts if text and Metric.parse(text).items]
        text = (asked or [*parts])[0]
        names = sides_of(parts[text].classifiers, runs)
        _, candidates = contestants(names, self.baseline, self.candidates)
        if len(candidates) > 1:
            raise InputError(
                f"--again {file} has the suspects of one candidate: say which by "
                f"--candidate {shlex.quote(candidates[0])}"
            )
        first = next(iter(results.results or ()), "")
        if label_of(first) is not None and label_of(file) is None:
            file = f"{candidates[0]}={file}"
        source = replace(self.sources(results)[text], results=[file])
        return source.read((), fewest=1, suspects=True)

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


# The output of the command that runs, for errors.
_REQUESTED: ContextVar["GateOutput | None"] = ContextVar("requested", default=None)


def prepare(
    results: Input, output: GateOutput, history: str | None = None, again: str | None = None
) -> None:
    """Let errors be written where the verdict is wanted; see `verdict_or_error`.

    history : a file that is appended to. again : one that is read, beside the results.

    Raises
    ------
    InputError : a destination that cannot be written, or is used twice.
    """
    _REQUESTED.set(output)
    if again is not None:
        from bcompare.files.sources import DEFAULT_FILE

        results = replace(results, results=[*(results.results or (DEFAULT_FILE,)), again])
    check_destinations(results, output, refused=(*PAPER_FORMATS, *ITEM_FORMATS), history=history)


def check_ids(output: GateOutput, judged: "Gate") -> None:
    """Refuse a list of what to run again that says nothing, or that lines cannot hold.

    Raises
    ------
    InputError : it is asked for without --items; a name with a line break or the like.
    """
    if all(chosen != "ids" for _, chosen in targets(output)):
        return
    if not judged.items:
        raise InputError("the format ids lists the items to run again: say --items, too")
    names = [name for findings in judged.items for _, name in findings.to_rerun()]
    unprintable = [name for name in names if printable(name) != name]
    if unprintable:
        raise InputError(
            f"item {printable(unprintable[0])}: the format ids has a line for each name, and this "
            "one has characters that no line holds: take the names from --format json"
        )


def deliver(
    report: "Report",
    exit_code: int,
    output: GateOutput,
    configured: Mapping[str, Default],
    study: "ComparisonSet | None" = None,
) -> None:
    """Write the report of a verdict to all destinations.

    study : its pairs, of which some may not have been computed.

    Raises
    ------
    Exit : with the code of the verdict.
    """
    from bcompare.cli.compare import finish
    from bcompare.gating.report import with_note

    if configured:
        report = with_note(report, configured_note(configured))
    write(report, output)
    _write_summary(report, output)
    if study is not None:
        finish(study)
    if exit_code:
        raise typer.Exit(exit_code)


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
    replaceable = _to_replace(wanted, words[""])
    for path in filter(Path.is_file, replaceable):
        with suppress(OSError):
            path.unlink()
    try:
        yield
    except BcompareError as error:
        _write_unjudged(error, _REQUESTED.get() or wanted, replaceable)
        raise
    except SystemExit as end:
        if end.code == InputError.exit_code:
            why = InputError("the command line could not be understood; the log says why")
            _write_unjudged(why, wanted, replaceable)
        raise


# The short name of --output, also behind other short options, with or without its value.
_SHORT_OUTPUT = re.compile(r"-[qhV]*o=?(.*)", re.DOTALL)


def _words_of(arguments: Sequence[str]) -> dict[str, list[str]]:
    """Return the values of the options of output, and under "" all other words."""
    words: dict[str, list[str]] = {"--output": [], "--format": [], "--name": [], "": []}
    rest = iter(arguments)
    for word in rest:
        short = _SHORT_OUTPUT.fullmatch(word)
        if short is not None:
            words["--output"].append(short[1] or next(rest, ""))
            continue
        name, equals, value = word.partition("=")
        if name and name in words:
            words[name].append(value if equals else next(rest, ""))
        else:
            words[""].append(word)
    return words


def _to_replace(wanted: GateOutput, others: Sequence[str]) -> set[Path]:
    """Return the files of a known format that no other word of the command line names."""
    from bcompare.files.sources import DEFAULT_FILE, files_named

    read = {*map(resolved, files_named([DEFAULT_FILE, *others]))}
    return {
        Path(path)
        for path, chosen in targets(wanted)
        if (chosen != "table" or wanted.format or Path(path).suffix in (*SUFFIXES, ""))
        and resolved(path) not in read
    }


def _write_unjudged(
    error: BcompareError, output: GateOutput, replaceable: Collection[Path]
) -> None:
    """Write in every format that there is no verdict.

    replaceable : the files that may be written.
    """
    from bcompare.gating.report import build_unjudged_report

    report = build_unjudged_report(error, output.name)
    for path, chosen in targets(output):
        # for a table, standard error has said it already
        if Path(path) in replaceable if path != STANDARD_OUTPUT else chosen != "table":
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
