"""Judge candidates against a baseline: the rule applied to the comparison of each."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from bcompare.basis.messages import InputError, Note, arg, listed, number_of
from bcompare.basis.progress import ShownProgress, no_progress
from bcompare.basis.threads import in_one_thread
from bcompare.columns.direction import is_time
from bcompare.comparing.compare import compare
from bcompare.comparing.comparison import Comparison
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.comparing.decision import Threshold
from bcompare.data.rope import RopeLike
from bcompare.data.scales import check_one_unit
from bcompare.data.scores import (
    Scores,
    ScoresLike,
    assumed_trials,
    at_extreme,
    check_paired,
    original_names,
)
from bcompare.gating.claims import (
    are_numbers,
    claims_of,
    in_doubt_by_runs,
    less_certain,
    means_of,
)
from bcompare.gating.few_rows import notes_for
from bcompare.gating.items import ItemFindings, find_items, metrics_of_items
from bcompare.gating.metrics import BAR, Metric, parts_of, ropes_of
from bcompare.gating.rule import (
    WORSE,
    Claim,
    FailIf,
    GateRule,
    Outcome,
    Policy,
    Require,
    corrected_doubts,
    judge,
)
from bcompare.gating.runs import (
    NO_RUNS,
    Runs,
    by_row,
    by_run,
    check_candidates,
    check_runs,
    contestants,
    sides_of,
)
from bcompare.gating.scope import Over, method_and_scope
from bcompare.gating.verdict import Gate, Verdict
from bcompare.methods import METHODS
from bcompare.methods.interface import Method, Scope

# Notes on the scale of scores, which do not apply to logarithms.
OF_SCALES = {"percentages", "scales", "wide-rope"}
# That of equal differences, which says nothing of metrics that never vary.
OF_EQUAL = "zero-variance"

# That of an exact posterior; the claims of a gate have another prior.
EXACT = "exact-posterior"
AGAINST = (
    "right-or-wrong items are judged exactly, with one item added on the less probable side of "
    "each border of the rope, so that the probabilities differ from those of ttest"
)


@in_one_thread
def gate(
    scores: "ScoresLike | Mapping[str, ScoresLike]",
    *,
    baseline: str | None = None,
    candidate: str | Sequence[str] | None = None,
    fail_if: FailIf = "worse",
    bar: float | None = None,
    alpha: float = 0.05,
    undecided: Policy = "warn",
    require: Require = "all",
    over: Over | None = None,
    rope: RopeLike | None = None,
    test: Method | str | None = None,
    datasets: Collection[str] | None = None,
    runs: Runs = NO_RUNS,
    items: bool = False,
    again: Scores | None = None,
    jobs: int | None = 1,
    progress: ShownProgress = no_progress,
) -> Gate:
    """Judge candidates against a baseline.

    Parameters
    ----------
    scores : as for `compare`; for several metrics a mapping from their demands, as parsed by
        `bcompare.gating.metrics.Metric.parse`, such as "fit_time: lower, 5%", to their scores.
    baseline : the classifier to judge by, or
    bar : a fixed value in its place.
    candidate : one or several; by default all classifiers but the baseline.
    fail_if, alpha, undecided, require : see `bcompare.gating.rule.GateRule`.
    over : ``these`` data sets: each, and their average, with a common error rate; ``each`` of them,
        of which is required what else is required of their average; the ``next`` one; or,
        by ``average``, a typical one like these. By default these, but the next one for means, or
        by a test over data sets.
    rope : differences that do not matter, in the scores' unit; by default 0.01 if they are on a
        bounded scale, see `bcompare.data.assumed_rope`.
    test : by default the correlated t-test for these data sets, ``hier`` for others, ``signrank``
        for means.
    datasets : the names of those to judge on; by default all.
    runs : whole runs of one side, each a classifier in `scores`; see `bcompare.gating.runs`.
    items : claim also which single test items broke; see `bcompare.gating.items`. Of one of several
        metrics say so in its demand, as "passed: items".
    again : the suspects of such a gate, run again by the candidate: read by ``suspects=True``.
    jobs : processes to compute in, and progress : as for `compare`.

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
    # what is asked of whom
    rule = GateRule(fail_if, alpha, undecided, require, each=over == "each")
    of_baseline = () if baseline is None else tuple(runs.get(baseline, [baseline]))
    given = _on_datasets(parts_of(scores, bar, of_baseline), datasets)
    of_items = metrics_of_items([*given], asked=items, again=again is not None)
    method, scope = method_and_scope(next(iter(given.values())), test, over, runs)
    requested = (candidate,) if isinstance(candidate, str) else tuple(candidate or ())
    names = dict.fromkeys(name for part in given.values() for name in original_names(part))
    sides = sides_of(tuple(names), runs)
    first, candidates = contestants(sides, _baseline_or_bar(baseline, given), requested)

    # whether these scores can answer it
    _check_parts(given, runs, first, candidates)
    if runs:
        check_runs(given.values(), scope, runs, first)
    measured = _by_runs(given, runs, first, candidates) if runs else _Measured(given)
    for metric, part in measured.parts.items():
        with metric.in_errors():
            _check_datasets(part, method)
            for name in candidates:
                check_one_unit(part, first, name)
    ropes = ropes_of(given, rope, runs.get(first, [first]))
    parts_of_items = {metric: given[metric] for metric in of_items}
    found_items = find_items(parts_of_items, runs, first, candidates, rule, again)

    # the answers
    def compared(metric: Metric, part: Scores) -> ComparisonSet:
        with metric.in_errors():
            prepared, own_rope = metric.prepared(part, ropes[metric], first)
            return compare(
                prepared,
                method,
                rope=own_rope,
                rule=Threshold(rule.alpha),
                alpha=rule.alpha,
                pairs=[(first, name) for name in candidates],
                jobs=jobs,
                progress=progress,
            )

    def judge_pairs(best: Sequence[str]) -> Gate:
        originals = {metric: at_extreme(part, best) for metric, part in measured.parts.items()}
        studies = {metric: compared(metric, part) for metric, part in originals.items()}
        by_rows = {metric: compared(metric, part) for metric, part in measured.rows.items()}
        return _judged(studies, by_rows, measured.of_runs, originals, rule, scope, found_items)

    judged = judge_pairs([first])
    extreme = {metric: part for metric, part in measured.parts.items() if part.extremes}
    if extreme:
        judged = _bounded(judged, judge_pairs(candidates), extreme)
    notes = notes_for(judged.outcome, judged.notes, judged.compared_by_rows(), rule.alpha)
    return replace(judged, notes=notes)


@dataclass(frozen=True, eq=False, slots=True)
class _Measured:
    """The scores that are judged.

    parts : of each metric; of whole runs, if there are any, each as one number.
    rows : of each metric that is judged by rows besides.
    of_runs : of a metric and a side, with the runs of that side as rows.
    """

    parts: Mapping[Metric, Scores]
    rows: Mapping[Metric, Scores] = field(default_factory=dict)
    of_runs: Mapping[tuple[Metric, str], Scores] = field(default_factory=dict)


def _by_runs(
    given: Mapping[Metric, Scores], runs: Runs, first: str, candidates: Sequence[str]
) -> _Measured:
    """Return the scores of whole runs: those of the baseline, of candidates with several, and rows.

    Medians are asked for where single rows say little, and a lone number has no rows.
    """
    complete = {metric: part.complete() for metric, part in given.items()}
    rows = {
        metric: by_row(part, runs)
        for metric, part in complete.items()
        if not metric.median and part.unit.has_spread
    }
    repeated = [name for name in candidates if len(runs.get(name, ())) > 1]
    of_runs = {
        (metric, name): by_run(part, runs, name, median=metric.median)
        for metric, part in complete.items()
        for name in (first, *repeated)
    }
    return _Measured({metric: of_runs[metric, first] for metric in complete}, rows, of_runs)


def _baseline_or_bar(baseline: str | None, parts: Mapping[Metric, Scores]) -> str | None:
    """Return the name of what is judged by.

    Raises
    ------
    InputError : a baseline and a bar.
    """
    if all(metric.bar is None for metric in parts):
        return baseline
    if baseline is not None:
        raise InputError(f"a bar takes the place of a baseline: leave out {arg('baseline')}")
    return BAR


def _check_parts(
    parts: Mapping[Metric, Scores], runs: Runs, first: str, candidates: Sequence[str]
) -> None:
    """Refuse metrics and sides that do not go together.

    Raises
    ------
    InputError : a median without whole runs, or what `_check_sides` and `check_candidates` refuse.
    """
    if not runs and any(metric.median for metric in parts):
        raise InputError(
            "a median is taken within a whole run: name a folder with the files of several runs, "
            "such as main=runs/main"
        )
    of_baseline = runs.get(first, [first])
    of_candidates = [run for name in candidates for run in runs.get(name, [name])]
    for metric, part in parts.items():
        with metric.in_errors():
            _check_sides(metric, part, runs)
            check_candidates(at_extreme(part, []), [*of_baseline], of_candidates)


def _on_datasets(
    parts: dict[Metric, Scores], names: Collection[str] | None
) -> dict[Metric, Scores]:
    """Return the scores of each metric on the data sets of these names, or on all."""
    if names is None:
        return parts
    return {metric: part.on(names) for metric, part in parts.items()}


def _check_sides(metric: Metric, scores: Scores, runs: Runs) -> None:
    """Refuse what does not go with sides that share nothing.

    Raises
    ------
    InputError : a bar, whole runs, bounded trials.
    """
    if metric.bar is not None:
        check_paired(scores, "a bar")
    if runs:
        check_paired(scores, "a gate by whole runs, each of which counts as one number,")
    if scores.extremes:
        check_paired(scores, arg("failed", "bounds"))


def _check_datasets(scores: Scores, method: Method) -> None:
    """Refuse data sets that are too few for a test over data sets to let any candidate fail."""
    q = len(scores.datasets)
    fewest = METHODS[method.name].to_decide
    if q < fewest:
        raise InputError(
            f"{number_of(q, 'data set')} cannot answer for others, so that no candidate could "
            f"fail: give at least {fewest}, or their folds or items"
        )


def _may_be_one_run(metric: Metric, study: ComparisonSet) -> bool:
    """Return whether a metric is a time of which all rows of a side may be of one run.

    In rounds the sides take turns, so that a busy machine slows both.
    """
    return is_time(metric.name) and metric.bar is None and not study.scores.in_rounds


def _one_run(times: Sequence[str], baseline: str) -> Note:
    """Say that one run cannot show how times differ from run to run."""
    return Note(
        "one-run",
        "info",
        f"{listed(times, 3)}: if all rows of a file were measured in one run, a busy machine looks "
        "like a slow change: measure in five runs or more, and give the folder of their files, as "
        f"{baseline}=runs/{baseline}",
    )


def _bounded(worst: Gate, best: Gate, extreme: Mapping[Metric, Scores]) -> Gate:
    """Return the gate at the worst for the candidates.

    If the best differs it is undecided, but not if a candidate has failed trials: it would gain by
    them.

    extreme : the scores that are bounded.
    """
    bounded = []
    for metric, scores in extreme.items():
        of_metric = f" of {metric.name}" if metric.name else ""
        bounded.append(f"{assumed_trials(scores)}{of_metric}")
    trials = " and ".join(bounded)
    if worst.outcome == best.outcome:
        message = f"the gate has the same outcome with {trials} at the worst and at the best"
        return replace(worst, notes=(*worst.notes, Note("bounds", "info", message)))
    failed = {name for scores in extreme.values() for name in scores.account.assumed}
    outcome: Outcome = "undecided"
    why = ""
    if not failed.isdisjoint(worst.candidates):
        outcome = worst.outcome
        why = " (they count against the candidate)"
    elif worst.rule.fail_if != WORSE:
        outcome = worst.outcome
        why = " (doubt fails)"
    message = (
        f"{trials}: {worst.outcome} at worst for the candidate, as shown, and {best.outcome} at "
        f"best; so the outcome is {outcome}{why}"
    )
    notes = (*worst.notes, Note("bounds", "warning", message))
    at_best = best.outcome if outcome == worst.outcome else None
    return replace(worst, outcome=outcome, notes=notes, at_best=at_best)


def _judged(
    studies: Mapping[Metric, ComparisonSet],
    by_rows: Mapping[Metric, ComparisonSet],
    of_runs: Mapping[tuple[Metric, str], Scores],
    originals: Mapping[Metric, Scores],
    rule: GateRule,
    over: Scope,
    items: Sequence[ItemFindings],
) -> Gate:
    """Apply the rule to the comparisons of each metric, with the baseline on the left.

    by_rows : those of single rows, if whole runs are compared. of_runs : the runs of the candidates
    that have several. originals : the scores as they are in the input. items : what is claimed of
    single items, too.

    Raises
    ------
    InputError : a candidate lacks data sets of the baseline, or all of them.
    """
    unjudged: list[Verdict] = []
    claims: list[Claim] = []
    for metric, study in studies.items():
        for comparison in study.comparisons:
            of_pair = claims_of(comparison, study, rule, metric)
            if metric in by_rows:  # as certain as by rows at most
                rows = by_rows[metric]
                (same,) = (c for c in rows.comparisons if c.right == comparison.right)
                of_pair = list(map(less_certain, of_pair, claims_of(same, rows, rule, metric)))
            if repeated := of_runs.get((metric, comparison.right)):
                of_pair = in_doubt_by_runs(of_pair, comparison, study, repeated, metric)
            unjudged += _verdicts(comparison, of_pair, metric, study.scores, originals[metric])
            claims += of_pair
    verdicts, judged_items = _decided(unjudged, claims, items, rule)
    counting = [(v.candidate, v.outcome) for v in verdicts if not v.advisory]
    counting += [
        (findings.candidate, findings.outcome) for findings in judged_items if not findings.advisory
    ]
    baseline = next(iter(studies.values())).comparisons[0].left
    directions = [
        f"{metric.name or study.scores.metric}: {metric.direction_in_words(study.scores)}"
        for metric, study in studies.items()
        if metric.name or study.scores.metric
    ]
    notes = []
    if directions:
        notes.append(Note("metrics", "info", "; ".join(directions)))
    notes += dict.fromkeys(_notes(studies))
    times = [m.name for m, study in studies.items() if _may_be_one_run(m, study)]
    if times and not of_runs:
        notes.append(_one_run(times, baseline))
    return Gate(
        rule=rule,
        over=over,
        baseline=baseline,
        metrics=tuple(studies),
        studies=tuple(studies.values()),
        verdicts=tuple(verdicts),
        outcome=rule.together(counting),
        notes=(*notes, *dict.fromkeys(_outages(judged_items, baseline))),
        items=tuple(judged_items),
    )


def _decided(
    verdicts: Sequence[Verdict],
    claims: Sequence[Claim],
    items: Sequence[ItemFindings],
    rule: GateRule,
) -> tuple[list[Verdict], list[ItemFindings]]:
    """Return verdicts and findings about items with their outcomes, which share their errors.

    claims : those that the verdicts are about.
    """
    every = [*claims, *(claim for findings in items for claim in findings.claims())]
    outcomes = judge(rule, every)
    corrected = corrected_doubts(every)
    decided = [
        replace(verdict, outcome=outcome)
        for verdict, outcome in zip(verdicts, outcomes, strict=False)
    ]
    judged = []
    start = len(verdicts)
    for findings in items:
        end = start + len(findings.claims())
        judged.append(findings.judged(outcomes[start:end], corrected[start:end], rule.alpha))
        start = end
    return decided, judged


def _outages(items: Sequence[ItemFindings], baseline: str) -> Iterator[Note]:
    """Yield a note on each run in which many items failed alone, each once."""
    for findings in items:
        for outage in findings.outages:
            whose = baseline if outage.of_baseline else findings.candidate
            yield Note(
                "outage",
                "warning",
                f"{number_of(outage.alone, 'item')} failed in run {outage.title} of {whose} alone, "
                f"and {outage.usual:.1f} in each of its other runs: they may have failed together, "
                "as in an outage; if so, measure that run again",
            )


def _notes(studies: Mapping[Metric, ComparisonSet]) -> Iterator[Note]:
    """Yield the notes on the comparisons that apply to their metric, and name it.

    What is said of several metrics is said once.
    """
    for metric, study in studies.items():
        numbers = all(are_numbers(c, study.scores, metric).all() for c in study.comparisons)
        for note in study.notes:
            on_scale = metric.relative is not None and note.code in OF_SCALES
            if on_scale or (numbers and note.code == OF_EQUAL):
                continue
            alike = [one.name for one, other in studies.items() if note in other.notes]
            is_other = note.code == EXACT and study.method.asked_of("these") is not None
            said = replace(note, text=AGAINST) if is_other else note
            advice = metric.addressed(said.text)
            names = ", ".join(alike) if advice == said.text else metric.name
            everywhere = len(alike) == len(studies)
            yield said if everywhere else replace(said, text=f"{names}: {advice}")


def _verdicts(
    comparison: Comparison, claims: list[Claim], metric: Metric, scores: Scores, original: Scores
) -> Iterator[Verdict]:
    """Return the claims about a pair as verdicts, not judged yet.

    original : the scores as they are in the input.
    """
    statistics = comparison.differences.statistics
    means = means_of(comparison, original)
    sign = -1 if scores.lower_is_better else 1
    q = len(statistics)
    several = comparison.result.by_dataset and q > 1
    # the first claim is about all data sets if there is one more than these, or no other
    places = range(q) if len(claims) == q else [None, *range(q)]
    for claim, i in zip(claims, places, strict=False):
        here = slice(None) if i is None else slice(i, i + 1)
        left, right = (sign * means[here].mean(axis=0)).tolist()
        yield Verdict(
            candidate=comparison.right,
            metric=metric.name,
            dataset=statistics.names[i] if several and i is not None else None,
            p=claim.p,
            posterior=claim.posterior or claim.p,
            mean_difference=float(statistics.mean[here].mean()),
            means=(left if metric.bar is None else metric.bar, right),
            withheld=claim.withheld,
            outcome="undecided",
            datasets=q if several and i is None else 0,
            exact=claim.exact,
            advisory=claim.advisory,
        )
