"""`bcompare gate`."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from bcompare.cli.defaults import Default
from bcompare.cli.groups import grouped
from bcompare.cli.input import Input
from bcompare.cli.judging import (
    Contest,
    FailIfs,
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

if TYPE_CHECKING:
    from bcompare.gating.verdict import Gate


@dataclass(frozen=True)
class Demands:
    """What is required of the candidates, and by which test that is judged."""

    fail_if: FailIfs = None
    bar: Annotated[
        float | None,
        gate_option("Judge by this fixed value instead of a baseline.", "VALUE"),
    ] = None
    over: OverWhich = None
    require: Annotated[
        Literal["all", "any"],
        gate_option("Whether all of several candidates must pass, or any."),
    ] = "all"
    test: OtherTest = None
    seed: Seed = None
    jobs: Jobs = None

    def verdict(
        self,
        results: Input,
        output: GateOutput,
        contest: Contest,
    ) -> "Gate":
        """Return the verdict on the candidates."""
        from bcompare.cli.writing import progress_bar
        from bcompare.gating.rule import GateRule
        from bcompare.gating.verdict import asked, gate

        demand, policy = demanded(self.fail_if)
        GateRule(demand, contest.alpha, policy, self.require)  # before reading
        contest = contest.on(results, self.bar)
        results, runs = results.with_runs()
        parts = contest.read(results, bounds=True, bar=self.bar, runs=runs)
        method, _ = asked(next(iter(parts.values())), self.test, self.over)
        with progress_bar(output) as progress:
            return gate(
                contest.judged_on(parts),
                baseline=contest.baseline,
                candidate=contest.candidates,
                bar=self.bar,
                fail_if=demand,
                alpha=contest.alpha,
                undecided=policy,
                require=self.require,
                over=self.over,
                rope=parse_rope(contest.rope),
                test=method.seeded(self.seed),
                runs=runs,
                jobs=self.jobs,
                progress=progress,
            )


@grouped
def gate(
    results: Input,
    output: GateOutput,
    contest: Contest,
    demands: Demands,
    *,
    configured: Mapping[str, Default],
) -> None:
    """Judge a candidate against a baseline, for continuous integration.

    A change that is nowhere worse fails at most 5 % of the time (--alpha), however many data sets,
    if differences are symmetric and folds correlated as assumed (else see bcompare explain rates).

    Exit codes:
    0  passed, or undecided unless --fail-if undecided
    4  failed
    5  undecided, under --fail-if undecided
    2  bad input, or nothing to compare
    3  could not be computed
    """

    def judge() -> Ruling:
        from bcompare.report.gate import build_gate_report

        judged = demands.verdict(results, output, contest)
        report = build_gate_report(judged, output.name)
        return Ruling(report, judged.exit_code, judged.study)

    deliver(judge, results, output, configured)
