"""`bcompare gate-anytime`."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

from bcompare.cli.defaults import Default
from bcompare.cli.groups import grouped, option, output_option
from bcompare.cli.input import Input
from bcompare.cli.judging import (
    GATE_FORMAT,
    Contest,
    GateFormat,
    GateOutput,
    Ruling,
    deliver,
    demanded,
    gate_option,
)
from bcompare.cli.options import Seed
from bcompare.cli.output import Drawn
from bcompare.cli.parsing import parse_range, parse_rope

if TYPE_CHECKING:
    from bcompare.gating.anytime import Bets
    from bcompare.gating.history import History

bets_option = partial(option, panel="Bets")


@dataclass(frozen=True)
class BetsOutput(Drawn, GateOutput):
    """Destinations and formats of the verdict, and the picture of the bets."""

    format: Annotated[GateFormat | None, GATE_FORMAT] = None
    plot: Annotated[
        list[str] | None,
        output_option("Draw the bets: .svg, .png or .pdf; repeat for more.", "FILE"),
    ] = None


@dataclass(frozen=True)
class Betting:
    """How to bet."""

    budget: Annotated[
        int | None,
        bets_option("Tune the bets for N items or clusters. Default: for growth.", "N", min=1),
    ] = None
    range: Annotated[
        str | None, bets_option("Smallest and largest possible score. Default: 0,1.", "LO,HI")
    ] = None
    of: Annotated[
        int | None,
        bets_option(
            "Total number of items or clusters; the verdict is certain at the last.", "N", min=1
        ),
    ] = None
    largest: Annotated[
        int | None,
        bets_option(
            "Most items of any cluster, also of those to come. Default: of the largest so far.",
            "N",
            min=1,
        ),
    ] = None

    seed: Seed = None

    def bets(self, past: "History | None", alpha: float) -> "Bets":
        """Return the declared bets, or those of the history.

        Raises
        ------
        InputError : a history of other bets.
        """
        from bcompare.gating.anytime import Bets

        ends = None if self.range is None else parse_range(self.range)
        declared = Bets(self.budget, ends, self.of, self.largest, self.seed)
        return declared if past is None else past.bets(declared, alpha)


@grouped
def gate_anytime(
    results: Input,
    output: BetsOutput,
    betting: Betting,
    contest: Contest,
    *,
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
    from bcompare.cli.writing import draw_pictures, progress_bar
    from bcompare.gating.anytime import anytime
    from bcompare.gating.history import History
    from bcompare.gating.verdict import gate
    from bcompare.report.anytime import build_anytime_report

    contest = contest.on(results)
    past = None if history is None else History.read(history, output.name)

    def judge() -> Ruling:
        demand, policy = demanded(fail_if)
        bets = betting.bets(past, contest.alpha)
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
