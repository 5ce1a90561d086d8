"""A gate's verdict: the rule applied to the comparison of each candidate."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note, lacking
from bcompare.basis.showable import Showable
from bcompare.comparing.answers import Comparison
from bcompare.comparing.compare import as_method, as_scores, compare
from bcompare.comparing.comparison import ComparisonSet
from bcompare.comparing.decision import Threshold
from bcompare.data.pairs import choose_pairs
from bcompare.data.rope import RegionProbabilities, Rope
from bcompare.data.scores import Scores
from bcompare.gating.rule import GateRule, Outcome, Policy, Require
from bcompare.methods.base import Method, PopulationResult, Progress, no_progress

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class Verdict:
    """The gate's verdict on one candidate, on one data set if each is judged by itself.

    p : worse (left), equivalent (rope) and better (right) than the baseline, practically.
    withheld : why nothing may be read off them; None if it may.
    in_doubt : whether neither the good nor the bad is shown, so that more data could turn it.
    settle : what more data would do, in words; None where that was not asked or is not known.
    """

    candidate: str
    dataset: str | None
    p: RegionProbabilities[float]
    mean_difference: float
    withheld: str | None
    in_doubt: bool
    outcome: Outcome
    settle: str | None = None


@dataclass(frozen=True, eq=False, slots=True, repr=False)
class Gate(Showable):
    """The verdicts on all candidates, the overall outcome, and the settings.

    study : the comparisons, each with the baseline as its left classifier.
    """

    rule: GateRule
    baseline: str
    study: ComparisonSet
    verdicts: tuple[Verdict, ...]
    outcome: Outcome
    notes: tuple[Note, ...]

    @property
    def candidates(self) -> tuple[str, ...]:
        """The candidates, in order."""
        return tuple(dict.fromkeys(verdict.candidate for verdict in self.verdicts))

    @property
    def is_computed(self) -> bool:
        """False if some candidate could not be computed: then nothing passes."""
        return not self.study.failures

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
    scores: "Scores | pd.DataFrame",
    *,
    baseline: str | None = None,
    candidate: str | Sequence[str] | None = None,
    fail_if: str = "worse",
    alpha: float = 0.05,
    undecided: Policy = "warn",
    require: Require = "all",
    rope: Rope | float | tuple[float, float] = 0.01,
    test: Method | str | None = None,
    jobs: int | None = 1,
    progress: Progress = no_progress,
) -> Gate:
    """Judge candidates against a baseline.

    Parameters
    ----------
    scores : as for `compare`.
    baseline : by default the first classifier that is no candidate.
    candidate : one or several; by default every classifier but the baseline.
    fail_if, alpha, undecided, require : see `bcompare.gating.rule.GateRule`.
    rope : differences that do not matter, in the scores' unit.
    test : by default the correlated t-test on one data set, ``hier`` over several, ``signrank``
        where only means are known. With ``ttest`` each of several data sets has its own verdict.
    jobs : processes to compute in, as for `compare`.

    Raises
    ------
    InputError : nothing to compare, such as a candidate that is not there or that shares no data
        set with the baseline; or a rule that is none.
    ComputationError : no candidate at all could be computed.
    """
    rule = GateRule(fail_if=fail_if, alpha=alpha, undecided=undecided, require=require)
    scores = as_scores(scores)
    requested = (candidate,) if isinstance(candidate, str) else tuple(candidate or ())
    first, candidates = contestants(scores.classifiers, baseline, requested)
    study = compare(
        scores,
        as_method(test, scores),
        rope=rope,
        rule=Threshold(rule.alpha),
        alpha=rule.alpha,
        pairs=[(first, name) for name in candidates],
        jobs=jobs,
        progress=progress,
    )
    return judged(study, rule)


def contestants(
    classifiers: Sequence[str], baseline: str | None, candidates: Sequence[str] = ()
) -> tuple[str, tuple[str, ...]]:
    """The baseline and the candidates, by name or by their order.

    Raises
    ------
    InputError : one that is not there, a baseline that is its own candidate, or no candidate.
    """
    for name in (baseline, *candidates):
        choose_pairs(classifiers, left=name)  # refuses what is not there
    if baseline is not None and baseline in candidates:
        raise InputError(f"{baseline} is the baseline and a candidate: name two classifiers")
    first = baseline or next((name for name in classifiers if name not in candidates), None)
    if first is None:
        raise InputError("every classifier is a candidate, and a gate needs a baseline beside them")
    chosen = tuple(dict.fromkeys(candidates)) or tuple(n for n in classifiers if n != first)
    if not chosen:
        raise InputError(f"there is nothing but {first} in these results: nothing to compare")
    return first, chosen


def judged(study: ComparisonSet, rule: GateRule) -> Gate:
    """Apply the rule to comparisons whose left classifier is the baseline.

    Raises
    ------
    InputError : a candidate shares no data set with the baseline.
    """
    if study.tally.n_apart:
        names = [f"{left} and {right}" for left, right in study.tally.apart]
        raise InputError(f"no data set in common: {'; '.join(names)}: nothing to compare there")
    verdicts = tuple(verdict for c in study.comparisons for verdict in _verdicts(c, rule))
    return Gate(
        rule=rule,
        baseline=study.comparisons[0].left,
        study=study,
        verdicts=verdicts,
        outcome=rule.together([verdict.outcome for verdict in verdicts]),
        notes=(*study.notes, *_gaps(study)),
    )


def _verdicts(comparison: Comparison, rule: GateRule) -> Iterator[Verdict]:
    """One verdict for the pair, or one for each data set if the test answers for each."""
    several = len(comparison.dataset_decisions) > 1
    if isinstance(comparison.result, PopulationResult):
        yield _verdict(comparison, rule, None, comparison.result.probabilities, comparison.withheld)
        return
    for i, name in enumerate(comparison.differences.statistics.names):
        p, withheld = comparison.dataset_probabilities(i), comparison.dataset_withheld(i)
        verdict = _verdict(comparison, rule, name if several else None, p, withheld)
        mean = float(comparison.differences.statistics.mean[i])
        yield replace(verdict, mean_difference=mean)


def _verdict(
    comparison: Comparison,
    rule: GateRule,
    dataset: str | None,
    p: RegionProbabilities[float],
    withheld: str | None,
) -> Verdict:
    return Verdict(
        candidate=comparison.right,
        dataset=dataset,
        p=p,
        mean_difference=comparison.mean_difference,
        withheld=withheld,
        in_doubt=withheld is None and rule.in_doubt(p),
        outcome="undecided" if withheld is not None else rule.judge(p),
    )


def _gaps(study: ComparisonSet) -> Iterator[Note]:
    """Warn of data sets that a candidate lacks: it may be absent where it does badly."""
    index = {name: k for k, name in enumerate(study.scores.classifiers)}
    absent: dict[str, list[str]] = {}
    for comparison in study.comparisons:
        left, right = index[comparison.left], index[comparison.right]
        for d in study.scores.datasets:
            if d.present[left] and not d.present[right]:
                absent.setdefault(comparison.right, []).append(d.name)
    if absent:
        message = (
            f"no scores of {lacking(absent)}, where {study.comparisons[0].left} has scores: not "
            "judged there"
        )
        yield Note("candidate-gap", "warning", message)
