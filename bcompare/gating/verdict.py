"""A gate's verdict: the rule applied to the comparison of each candidate."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note
from bcompare.basis.showable import Showable
from bcompare.comparing.answers import Comparison, Failure
from bcompare.comparing.compare import as_method, compare
from bcompare.comparing.comparison import ComparisonSet
from bcompare.comparing.decision import Threshold
from bcompare.data.bounds import assumed_trials, extremes_of, original_names
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.data.scores import Scores
from bcompare.data.sufficient import SufficientStatistics
from bcompare.gating.claims import Claim, by_signs, judge
from bcompare.gating.contestants import check_gaps, contestants
from bcompare.gating.looks import Look
from bcompare.gating.metrics import Joint, Metric, joint_probability, parts_of
from bcompare.gating.rule import NAMED, WORST_FIRST, GateRule, Outcome, Policy, Require
from bcompare.methods import load_method
from bcompare.methods.base import Method, PopulationResult, Progress, Result, no_progress
from bcompare.methods.correlated_t import CorrelatedT, CorrelatedTResult
from bcompare.methods.suite import SuiteAverage

if TYPE_CHECKING:
    import pandas as pd


Over = Literal["these", "average", "next"]
"""Which data sets a gate asks about: those at hand, the average over others like them, the next."""

# Notes on the scale of scores, which logarithms have not.
OF_SCALES = {"percentages", "scales", "wide-rope"}
NO_SPREAD = (
    "all differences are equal on every data set, and so few or coarse scores may agree by chance"
)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The gate's verdict on one claim about a candidate.

    metric : empty where there is one. dataset : on this one by itself; None for all of them.
    datasets : over how many data sets at hand this is the average; 0 for any other claim.
    p : worse (left), equivalent (rope) and better (right) than the baseline, practically.
    means : of the baseline and the candidate, as they were read; geometric under a relative rope.
    withheld : why nothing may be read off them; None if it may.
    in_doubt : whether neither the good nor the bad is shown, so that more data could turn it.
    settle : what more data would do, in words; None where that was not asked or is not known.
    """

    candidate: str
    metric: str
    dataset: str | None
    p: RegionProbabilities[float]
    mean_difference: float
    means: tuple[float, float]
    withheld: str | None
    in_doubt: bool
    outcome: Outcome
    datasets: int = 0
    settle: str | None = None


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Gate(Showable):
    """The verdicts on all candidates, the overall outcome, and the settings.

    metrics : what is judged, and studies : the comparisons of each, all with the baseline as their
        left classifier.
    joint : of each candidate, the probability that it meets the demands of several metrics.
    look : which of several looks this is; the rule's alpha is its share then.
    """

    rule: GateRule
    over: Over
    baseline: str
    metrics: tuple[Metric, ...]
    studies: tuple[ComparisonSet, ...]
    joint: Mapping[str, Joint]
    verdicts: tuple[Verdict, ...]
    outcome: Outcome
    notes: tuple[Note, ...]
    look: Look | None = None

    @property
    def study(self) -> ComparisonSet:
        """The comparisons of the only metric, or of the first one."""
        return self.studies[0]

    @property
    def alpha(self) -> float:
        """The level of all looks together."""
        return self.rule.alpha if self.look is None else self.look.alpha

    @property
    def worst_first(self) -> list[Verdict]:
        """Of each candidate what fails before what passes, the data sets before their average."""
        return sorted(
            self.verdicts,
            key=lambda v: (
                self.candidates.index(v.candidate), WORST_FIRST.index(v.outcome),
                v.dataset is None, -round(v.p.left, 4), v.mean_difference,
            ),
        )  # fmt: skip

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
        """False if some candidate could not be computed: then nothing passes."""
        return not self.failures

    @property
    def exit_code(self) -> int:
        """0: pass; 4: fail; 5: undecided, with policy "fail"; 3: a candidate was not computed."""
        return self.rule.exit_code(self.outcome) if self.is_computed else 3

    @property
    def passed(self) -> bool:
        """Whether work may go on."""
        return self.exit_code == 0

    def __repr__(self) -> str:
        names = ", ".join(self.candidates)
        return f"<Gate {self.outcome}: {names} against {self.baseline}, {self.rule.describe()}>"


def gate(
    scores: "Scores | pd.DataFrame | Mapping[str, Scores | pd.DataFrame]",
    *,
    baseline: str | None = None,
    candidate: str | Sequence[str] | None = None,
    fail_if: str = "worse",
    alpha: float = 0.05,
    undecided: Policy = "warn",
    require: Require = "all",
    each: bool = False,
    over: Over | None = None,
    rope: Rope | float | tuple[float, float] = 0.01,
    test: Method | str | None = None,
    look: int | None = None,
    looks: int | None = None,
    jobs: int | None = 1,
    progress: Progress = no_progress,
) -> Gate:
    """Judge candidates against a baseline.

    Parameters
    ----------
    scores : as for `compare`; of several metrics a mapping from what each asks, as
        `bcompare.gating.metrics.Metric.parse` reads it, such as "fit_time: lower, 5%", to its
        scores.
    baseline : by default the first classifier that is no candidate.
    candidate : one or several; by default every classifier but the baseline.
    fail_if, alpha, undecided, require, each : see `bcompare.gating.rule.GateRule`.
    over : ``these`` data sets: each, and their average, with one error for all claims together;
        the ``next`` one, or the ``average`` over data sets like these. By default these, but the
        next one where only means are known, or by a test over data sets.
    rope : differences that do not matter, in the scores' unit.
    test : by default the correlated t-test for these data sets, ``hier`` for others, ``signrank``
        where only means are known.
    look, looks : which look this is, of how many declared ones: it has its share of alpha; see
        `bcompare.gating.looks`.
    jobs : processes to compute in, as for `compare`.

    Raises
    ------
    InputError : nothing to compare, such as a candidate that is not there or that shares no data
        set with the baseline; or a rule that is none.
    ComputationError : no candidate at all could be computed.

    Examples
    --------
    >>> import bcompare
    >>> scores = bcompare.read_scores("sample_data/results.csv", datasets=("two_hard",))
    >>> gate = bcompare.gate(scores, baseline="knn", candidate="forest")
    >>> gate.outcome, gate.exit_code
    ('pass', 0)
    """
    rule = GateRule(fail_if, alpha, undecided, require, each)
    this_look = None if look is None else Look(look, looks, alpha)
    if this_look is not None:
        if rule.condition is not None:
            raise InputError(
                f"{arg('fail_if', fail_if)} has no alpha to share among looks: choose from "
                f"{', '.join(NAMED)}, or leave {arg('look')} out"
            )
        rule = replace(rule, alpha=this_look.share)
    parts = parts_of(scores)
    metrics, usual = tuple(parts), Rope.of(rope)
    first_part = parts[metrics[0]]
    method, over = asked(first_part, test, over, each=each)
    requested = (candidate,) if isinstance(candidate, str) else tuple(candidate or ())
    first, candidates = contestants(original_names(first_part), baseline, requested)

    def judge_pairs(at: int) -> Gate:
        studies = tuple(
            compare(
                metric.prepared(part),
                method,
                rope=metric.borders(usual),
                rule=Threshold(rule.alpha),
                alpha=rule.alpha,
                pairs=[extremes_of(part, first, name)[at] for name in candidates],
                jobs=jobs,
                progress=progress,
            )
            for metric, part in parts.items()
        )
        return replace(judged(metrics, studies, rule, over, usual), look=this_look)

    worst = judge_pairs(0)
    if not first_part.extremes:
        return worst
    return _bounded(worst, judge_pairs(1), first_part)


def _bounded(worst: Gate, best: Gate, scores: Scores) -> Gate:
    """The gate at the worst for the candidates; undecided if it comes out otherwise at the best."""
    trials = assumed_trials(scores)
    if worst.outcome == best.outcome:
        note = Note("bounds", "info", f"whatever the {trials} would have scored: {worst.outcome}")
        return replace(worst, notes=(*worst.notes, note))
    message = (
        f"undecided, as it hangs on the {trials}: {worst.outcome} at the worst for the candidate, "
        f"which is shown, and {best.outcome} at the best"
    )
    notes = (*worst.notes, Note("bounds", "warning", message))
    return replace(worst, outcome="undecided", notes=notes)


def suite_claims(
    statistics: SufficientStatistics,
    result: Result,
    rope: Rope,
    rule: GateRule,
) -> list[Claim]:
    """The claims about one pair over its data sets: their average, where it is known, and each."""
    own, several = result.datasets, len(statistics) > 1
    each = zip(own.probabilities.left, own.probabilities.rope, own.probabilities.right, strict=True)
    claims = []
    for regions, withheld, n in zip(each, own.withheld, statistics.n, strict=True):
        p = RegionProbabilities(*map(float, regions))
        p = by_signs(p, int(n)) if several and withheld else p
        only = bool(withheld) and not several
        claims.append(Claim(p, withheld=only, main=rule.each or not several))
    if not several or not isinstance(result, CorrelatedTResult):
        return claims
    average = SuiteAverage.of(result.datasets.posterior)
    return [Claim(average.regions(rope), withheld=average.by_chance(statistics)), *claims]


def asked(
    scores: Scores, test: Method | str | None, over: Over | None, *, each: bool
) -> tuple[Method, Over]:
    """The test, and the data sets that it is to speak of.

    Raises
    ------
    InputError : a test that does not speak of them, or not of each; a word that is none.
    """
    if over not in (None, *get_args(Over)):
        raise InputError(f"{arg('over', over)}: choose from {', '.join(get_args(Over))}")
    method, over = _asked(scores, test, over)
    if each and method.over_datasets:
        raise InputError(
            f"{arg('each', True)} asks of each data set, and {arg('over', over)} has one answer "
            "for all: leave one of the two out"
        )
    return method, over


def _asked(scores: Scores, test: Method | str | None, over: Over | None) -> tuple[Method, Over]:
    if test is not None:
        method = as_method(test, scores)
        own: Over = "next" if method.over_datasets else "these"
        if over in (None, own):
            return method, own
        if over == "average" and method.name == "hier":
            return type(method).configured(over=over), over
        raise InputError(
            f"{arg('test', method.name)} does not speak of {arg('over', over)}: leave one of the "
            "two out"
        )
    means = scores.unit == "mean"
    if over == "these" and means:
        raise InputError(
            f"{arg('over', 'these')}: of these data sets only means are known, and how exact they "
            f"are is not; say {arg('over', 'next')}, or give their folds"
        )
    if over is None:
        over = "next" if means else "these"
    if over == "these":
        return CorrelatedT(), over
    if over == "average":
        return load_method("hier").configured(over=over), over
    return as_method(None, scores), over


def judged(
    metrics: tuple[Metric, ...],
    studies: tuple[ComparisonSet, ...],
    rule: GateRule,
    over: Over,
    usual: Rope,
) -> Gate:
    """Apply the rule to comparisons whose left classifier is the baseline.

    Raises
    ------
    InputError : a candidate lacks data sets of the baseline, or all of them.
    """
    found: list[Verdict] = []
    claims: list[Claim] = []
    for metric, study in zip(metrics, studies, strict=True):
        check_gaps(study)
        own = [v for c in study.comparisons for v in _verdicts(c, metric, study.scores, rule)]
        found += own
        claims += [_claim(verdict, metric, rule) for verdict in own]
    verdicts = tuple(
        replace(verdict, outcome=outcome)
        for verdict, outcome in zip(found, judge(rule, claims), strict=True)
    )
    baseline = studies[0].comparisons[0].left
    candidates = dict.fromkeys(verdict.candidate for verdict in verdicts)
    several = over == "these" and len(metrics) > 1
    parts = [study.scores for study in studies]
    joint = {
        name: together
        for name in candidates
        if several and (together := joint_probability(metrics, parts, usual, baseline, name))
    }
    return Gate(
        rule=rule,
        over=over,
        baseline=baseline,
        metrics=metrics,
        studies=studies,
        joint=joint,
        verdicts=verdicts,
        outcome=rule.together(
            [
                min((v.outcome for v in verdicts if v.candidate == name), key=WORST_FIRST.index)
                for name in candidates
            ]
        ),
        notes=tuple(
            dict.fromkeys(
                note
                for metric, study in zip(metrics, studies, strict=True)
                for note in study.notes
                if metric.relative is None or note.code not in OF_SCALES
            )
        ),
    )


def _verdicts(
    comparison: Comparison, metric: Metric, scores: Scores, rule: GateRule
) -> Iterator[Verdict]:
    """The claims about a pair: of one over data sets, or of each data set and their average."""
    rule = metric.demand(rule)
    result, statistics = comparison.result, comparison.differences.statistics
    names, differences = statistics.names, statistics.mean
    means = _means(comparison, scores)
    verdict = Verdict(
        candidate=comparison.right,
        metric=metric.name,
        dataset=None,
        p=RegionProbabilities(np.nan, np.nan, np.nan),
        mean_difference=comparison.mean_difference,
        means=_average(means, metric, scores),
        withheld=None,
        in_doubt=False,
        outcome="undecided",
    )
    if isinstance(result, PopulationResult):
        yield _with_answer(verdict, result.probabilities, comparison.withheld, rule)
        return
    claims = suite_claims(statistics, result, comparison.rope, rule)
    if len(claims) > len(names):
        average, *claims = claims
        whole = replace(verdict, mean_difference=float(differences.mean()), datasets=len(names))
        yield _with_answer(whole, average.p, NO_SPREAD if average.withheld else None, rule)
    for i, (name, claim) in enumerate(zip(names, claims, strict=True)):
        own = replace(
            verdict,
            dataset=name if len(names) > 1 else None,
            mean_difference=float(differences[i]),
            means=_average(means[i : i + 1], metric, scores),
        )
        withheld = comparison.dataset_withheld(i) if claim.withheld else None
        yield _with_answer(own, claim.p, withheld, rule)


def _with_answer(
    verdict: Verdict, p: RegionProbabilities[float], withheld: str | None, rule: GateRule
) -> Verdict:
    """A claim with its probabilities, not judged yet."""
    in_doubt = withheld is None and rule.in_doubt(p)
    return replace(verdict, p=p, withheld=withheld, in_doubt=in_doubt)


def _means(comparison: Comparison, scores: Scores) -> FloatArray:
    """(q, 2) mean scores of baseline and candidate on their data sets, as they are compared."""
    columns = [scores.classifiers.index(name) for name in (comparison.left, comparison.right)]
    shared = set(comparison.differences.statistics.names)
    return np.array([d.table[:, columns].mean(axis=0) for d in scores.datasets if d.name in shared])


def _average(means: FloatArray, metric: Metric, scores: Scores) -> tuple[float, float]:
    """The mean scores over data sets, as they were read."""
    average = (-1 if scores.lower_is_better else 1) * means.mean(axis=0)
    left, right = average if metric.relative is None else np.exp(average)
    return float(left), float(right)


def _claim(verdict: Verdict, metric: Metric, rule: GateRule) -> Claim:
    main = verdict.dataset is None or rule.each
    return Claim(verdict.p, withheld=verdict.withheld is not None, main=main, aim=metric.aim)
