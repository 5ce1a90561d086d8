"""The verdict of a gate, claim by claim."""

from dataclasses import dataclass
from typing import Literal

from bcompare.basis.notes import Note
from bcompare.basis.showable import Showable
from bcompare.comparing.answers import Failure
from bcompare.comparing.comparison import ComparisonSet
from bcompare.data.rope import RegionProbabilities
from bcompare.gating.metrics import Metric
from bcompare.gating.rule import WORSE, WORST_FIRST, GateRule, Outcome
from bcompare.methods.base import Scope

Over = Literal["these", "each", "average", "next"]
"""The data sets that a gate asks about."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """The gate's verdict on one claim about a candidate.

    metric : empty for a single metric. dataset : on this one by itself; None for all of them.
    datasets : the number of data sets at hand in the average; 0 for any other claim.
    p : what counts for worse (left), equivalent (rope) and better (right) than the baseline,
    practically. posterior : their probabilities, which may be others.
    means : of the baseline and the candidate, arithmetic, as in the input.
    withheld : why p gives no verdict, or None.
    exact : whether two numbers are compared. advisory : whether it has no consequence.
    """

    candidate: str
    metric: str
    dataset: str | None
    p: RegionProbabilities[float]
    posterior: RegionProbabilities[float]
    mean_difference: float
    means: tuple[float, float]
    withheld: str | None
    outcome: Outcome
    datasets: int = 0
    exact: bool = False
    advisory: bool = False


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Gate(Showable):
    """The verdicts on all candidates, the overall outcome, and the settings.

    metrics : those judged, and studies : their comparisons, all with the baseline on the left.
    outcome : of the verdicts.
    """

    rule: GateRule
    over: Scope
    baseline: str
    metrics: tuple[Metric, ...]
    studies: tuple[ComparisonSet, ...]
    verdicts: tuple[Verdict, ...]
    outcome: Outcome
    notes: tuple[Note, ...]

    @property
    def study(self) -> ComparisonSet:
        """The comparisons of the only metric, or of the first one."""
        return self.studies[0]

    @property
    def against(self) -> str:
        """What the candidates are judged against, in words."""
        bars = [f"{metric.bar:g}" for metric in self.metrics if metric.bar is not None]
        what = f"bar{'s' * (len(bars) > 1)} {', '.join(bars)}"
        return what if bars else f"baseline {self.baseline}"

    def claims_beside(self, verdict: Verdict) -> list[Verdict]:
        """The claims that are corrected for their number with this one, which is among them."""
        return [v for v in self.verdicts if v.advisory == verdict.advisory]

    def in_doubt(self, verdict: Verdict) -> bool:
        """Whether neither good nor bad is shown, so that more data could change the verdict."""
        shown = verdict.exact or (verdict.outcome == "fail" and self.rule.fail_if == WORSE)
        if shown or verdict.withheld is not None:
            return False
        rule = self.metric_of(verdict).demand(self.rule)
        return rule.in_doubt(verdict.p, len(self.claims_beside(verdict)))

    @property
    def worst_first(self) -> list[Verdict]:
        """The verdicts of each candidate, failed ones first, averages before their data sets.

        Advisory ones last.
        """
        return sorted(
            self.verdicts,
            key=lambda v: (
                self.candidates.index(v.candidate),
                v.advisory,
                WORST_FIRST.index(v.outcome),
                v.dataset is not None,
                -round(v.p.left, 4),
                v.mean_difference,
            ),
        )

    def metric_of(self, verdict: Verdict) -> Metric:
        """The metric that a verdict is about."""
        return next(metric for metric in self.metrics if metric.name == verdict.metric)

    def study_of(self, verdict: Verdict) -> ComparisonSet:
        """The comparisons that a verdict is about."""
        return self.studies[self.metrics.index(self.metric_of(verdict))]

    @property
    def failures(self) -> list[Failure]:
        """The candidates that could not be computed, of all metrics."""
        return [failure for study in self.studies for failure in study.failures]

    @property
    def candidates(self) -> tuple[str, ...]:
        """The candidates, in order."""
        return tuple(dict.fromkeys(verdict.candidate for verdict in self.verdicts))

    @property
    def is_computed(self) -> bool:
        """Whether all candidates could be computed; otherwise nothing passes."""
        return not self.failures

    @property
    def exit_code(self) -> int:
        """0: pass; 4: fail; 5: undecided, with policy "fail"; 3: a candidate was not computed."""
        return self.rule.exit_code(self.outcome) if self.is_computed else 3

    @property
    def passed(self) -> bool:
        """Whether the gate lets the change pass."""
        return self.exit_code == 0

    def __repr__(self) -> str:
        names = ", ".join(self.candidates)
        return f"<Gate {self.outcome}: {names} against {self.baseline}, {self.rule.describe()}>"
