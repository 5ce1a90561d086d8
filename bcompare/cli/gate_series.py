"""`bcompare gate-series`."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Annotated

from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note
from bcompare.cli.defaults import Default
from bcompare.cli.gate import Demands
from bcompare.cli.groups import grouped
from bcompare.cli.input import Input
from bcompare.cli.judging import (
    HISTORY,
    Contest,
    GateOutput,
    Ruling,
    deliver,
    past_of,
    recorded,
    series_option,
)
from bcompare.cli.parsing import parse_looks

if TYPE_CHECKING:
    from bcompare.gating.history import History
    from bcompare.gating.verdict import Gate


@dataclass(frozen=True)
class Series:
    """The verdicts of the past, looks at growing data, and the drift from an anchor."""

    history: Annotated[str, HISTORY]
    looks: Annotated[
        str | None,
        series_option(
            "Count the looks at growing data, or against one baseline: each spends a share of "
            "--alpha. Their total number, or any. Say it once: the history goes on counting.",
            "N|any",
        ),
    ] = None
    id: Annotated[
        str | None,
        series_option(
            "Commit of the candidate: a look that failed stands until this or the baseline "
            "changes. Default: by the candidate's scores.",
            "COMMIT",
        ),
    ] = None
    anchor: Annotated[
        str | None,
        series_option(
            "Results of a baseline that stays while others are replaced: say how far the candidate "
            "has drifted from it. Default: the first baseline of --history.",
            "FILE",
        ),
    ] = None
    drift: Annotated[
        list[str] | None,
        series_option(
            "Fail if the mean is worse than the anchor's by more than this, such as 0.02 or 5%, or "
            "'accuracy: 0.02' for one metric; repeat for more.",
            "ROPE",
        ),
    ] = None

    def numbered(
        self, past: "History", contest: Contest, name: str
    ) -> tuple[int | None, int | None]:
        """Return the number of this look and of all declared ones, if looks are counted.

        Raises
        ------
        InputError : what contradicts the history.
        """
        if past.next_bets(name, contest.alpha, None, None) is not None:
            raise InputError(f"{past.path} has bets: go on by gate-anytime")
        looks = None if self.looks is None else parse_looks(self.looks)
        return past.next_look(name, contest.alpha, looks)

    def with_drifts(self, gate: "Gate", past: "History", name: str, results: Input) -> "Gate":
        """Return the gate with the drifts of its candidates from the anchor, if there is one."""
        from bcompare.gating.drift import Anchor, drift_of, means_of, parse_thresholds

        limits = parse_thresholds(self.drift or (), gate.metrics)
        if self.anchor is not None:
            source = replace(results, results=[self.anchor])
            parts = {
                metric: (source.of_metric(metric) if metric.name else source).read((), lone=True)
                for metric in gate.metrics
            }
            anchor: Anchor | None = Anchor(self.anchor, means_of(parts))
        else:
            anchor = past.anchor(name)
        if anchor is None or (not limits and anchor.means == means_of(gate.parts, gate.baseline)):
            return gate  # the verdict says it already
        drifts = [d for c in gate.candidates for d in drift_of(gate.parts, c, anchor, limits)]
        if limits and not drifts:
            raise InputError(f"--drift: {anchor.origin} has no data set that the candidate has")
        return replace(gate, drifts=tuple(drifts))

    def with_failed_look(self, gate: "Gate", past: "History", name: str) -> "Gate":
        """Return the gate with the earlier look that failed, as a failure or as a note."""
        found = past.failed_look(name, gate, self.id or "")
        if found is None:
            return gate
        failed, stands = found
        of = "" if failed.looks is None else f" of {failed.looks}"
        words = f"failed at look {failed.look}{of}"
        if stands:
            return replace(gate, stands=f"{words}, with the same baseline and candidate")
        message = f"{words}, with another baseline or candidate: {failed.summary}"
        return replace(gate, notes=(*gate.notes, Note("failed-look", "warning", message)))


@grouped
def gate_series(
    results: Input,
    output: GateOutput,
    contest: Contest,
    demands: Demands,
    series: Series,
    *,
    configured: Mapping[str, Default],
) -> None:
    """Judge again and again: growing data, night after night, merge after merge.

    A history keeps the verdicts, counts looks, which share the error rate, and shows the drift of
    baselines. Exit codes are those of gate.
    """
    past = past_of(series.history, results)

    def judge() -> Ruling:
        look, looks = series.numbered(past, contest, output.name)
        judged = demands.verdict(results, output, contest, look, looks)
        judged = series.with_drifts(judged, past, output.name, results)
        judged = series.with_failed_look(judged, past, output.name)
        report = demands.report(judged, output, output.name)
        report = recorded(judged, report, output.name, past, series.id)
        return Ruling(report, judged.exit_code, judged.study)

    deliver(judge, results, output, output.name, configured, past)
