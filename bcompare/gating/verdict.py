"""What a gate has found: a verdict on each claim, and the outcome of all of them."""

from dataclasses import dataclass

from bcompare.basis.messages import Note
from bcompare.basis.showable import Showable
from bcompare.comparing.comparison import Comparison, Failure
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.data.rope import RegionProbabilities
from bcompare.data.scores import Scores
from bcompare.gating.items import ItemFindings
from bcompare.gating.metrics import Metric
from bcompare.gating.rule import WORSE, WORST_FIRST, GateRule, Outcome
from bcompare.methods.interface import Scope


@dataclass(frozen=True, slots=True)
class Verdict:
    """The gate's verdict on one claim about a candidate.

    metric : empty for a single metric.
    dataset : on this one by itself; None for all of them.
    datasets : the number of data sets at hand in the average; 0 for any other claim.
    p : what counts for worse (left), equivalent (rope) and better (right) than the baseline,
        practically.
    posterior : their probabilities, which may be others.
    means : of the baseline and the candidate, arithmetic, as in the input.
    withheld : why p gives no verdict, or None.
    exact : whether two numbers are compared.
    advisory : whether it has no consequence.
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
    items : what is claimed about single items, of each metric that asks for it and each candidate.
    outcome : of all claims.
    at_best : that with the trials without a score at their best, where it differs from these, at
        their worst.
    """

    rule: GateRule
    over: Scope
    baseline: str
    metrics: tuple[Metric, ...]
    studies: tuple[ComparisonSet, ...]
    verdicts: tuple[Verdict, ...]
    outcome: Outcome
    notes: tuple[Note, ...]
    at_best: Outcome | None = None
    items: tuple[ItemFindings, ...] = ()

    @property
    def study(self) -> ComparisonSet:
        """The comparisons of the only metric, or of the first one."""
        return self.studies[0]

    def claims_beside(self, verdict: Verdict) -> int:
        """Return the number of claims that are corrected together with this one, which counts."""
        return self.count_claims(advisory=verdict.advisory)

    def count_claims(self, *, advisory: bool = False) -> int:
        """Return the number of claims that count, or of those that are advisory."""
        of_items = [
            len(findings.claims()) for findings in self.items if findings.advisory == advisory
        ]
        return sum(v.advisory == advisory for v in self.verdicts) + sum(of_items)

    def in_doubt(self, verdict: Verdict) -> bool:
        """Whether neither good nor bad is shown, so that more data could change the verdict."""
        shown = verdict.exact or (verdict.outcome == "fail" and self.rule.fail_if == WORSE)
        if shown or verdict.withheld is not None:
            return False
        rule = self.metric_of(verdict).demand(self.rule)
        return rule.in_doubt(verdict.p, self.claims_beside(verdict))

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

    def compared_by_rows(self) -> list[tuple[Scores, Comparison]]:
        """Return the comparisons that the outcome rests on, if it is about these data sets.

        Each with its scores. Those of two numbers, and of advisory metrics, are left out.
        """
        if self.over != "these":
            return []
        counting = [v for v in self.verdicts if not v.exact and not v.advisory]
        judged = {(verdict.metric, verdict.candidate) for verdict in counting}
        return [
            (study.scores, comparison)
            for metric, study in zip(self.metrics, self.studies, strict=True)
            for comparison in study.comparisons
            if (metric.name, comparison.right) in judged
        ]

    @property
    def failures(self) -> list[Failure]:
        """The candidates that could not be computed, of all metrics."""
        return [failure for study in self.studies for failure in study.failures]

    def outcome_of(self, candidate: str) -> Outcome:
        """Return the outcome of a candidate by all of its claims."""
        outcomes = [v.outcome for v in self.verdicts if v.candidate == candidate and not v.advisory]
        outcomes += [
            findings.outcome
            for findings in self.items
            if findings.candidate == candidate and not findings.advisory
        ]
        return min(outcomes, key=WORST_FIRST.index)

    @property
    def candidates(self) -> tuple[str, ...]:
        """The candidates, in order."""
        return tuple(dict.fromkeys(verdict.candidate for verdict in self.verdicts))

    @property
    def exit_code(self) -> int:
        """0: pass; 4: fail; 5: undecided, with policy "fail"; 3: a candidate was not computed."""
        return 3 if self.failures else self.rule.exit_code(self.outcome)

    @property
    def passed(self) -> bool:
        """Whether the gate lets the change pass."""
        return self.exit_code == 0

    def __bool__(self) -> bool:
        """Whether it passed, so that ``assert gate(…)`` fails with it."""
        return self.passed

    @property
    def summary(self) -> str:
        """The line that the command prints: the outcome, of whom, and by how much."""
        return str(type(self).implementation().summary_of(self))

    def __repr__(self) -> str:
        """Return the summary, so that a failed assertion says why."""
        return f"<Gate {self.summary}>"
