"""Sentences on a gate: the outcome of the gate, of each candidate and of each claim."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Literal

from bcompare.basis.notes import listed, number_of
from bcompare.comparing.decision import one_minus
from bcompare.data.rope import RegionProbabilities, inexact
from bcompare.gating.anytime import Evidence
from bcompare.gating.rule import NOT_BETTER, WORSE, GateRule, Outcome
from bcompare.gating.verdict import Gate, Verdict
from bcompare.report.claims import Claim, Relation, level_needed, withheld
from bcompare.report.number import decimals_for, probability

WORDS: dict[Outcome, str] = {"pass": "passed", "fail": "failed", "undecided": "undecided"}
NO_SUSPECT = "no suspect"

Level = Literal["error", "warning", "notice"]
"""The severity of an announcement."""


def summary_of(gate: Gate) -> str:
    """Return the verdict of the gate in one sentence."""
    if not gate.is_computed:
        missing = gate.failures
        total = sum(study.total for study in gate.studies)
        return (
            f"not computed: {len(missing)} of {number_of(total, 'candidate')}: "
            f"{missing[0].right}: {missing[0].text}"
        )
    passes = gate.outcome == "undecided" and gate.passed
    word = WORDS[gate.outcome] + (" (passes)" if passes else "")
    parts = [_about(gate, name) for name in gate.candidates]
    if len(parts) == 1:
        ((outcome, words),) = parts
        return f"{word}: {'' if outcome == gate.outcome else 'at the worst '}{words}"
    count = Counter(outcome for outcome, _ in parts)
    counts = ", ".join(f"{count[o]} {WORDS[o]}" for o in WORDS if count[o])
    which = [words for outcome, words in parts if outcome == gate.outcome]
    of_all = number_of(len(parts), "candidate")
    required = "all must pass" if gate.rule.require == "all" else "any may pass"
    other = gate.against.removeprefix("baseline ")
    return f"{word}: {of_all} against {other}: {counts}; {required}; {listed(which, 5)}"


def _about(gate: Gate, candidate: str) -> tuple[Outcome, str]:
    """Return the outcome of a candidate, and the claims that decided it, the worst first."""
    claims = [v for v in gate.worst_first if v.candidate == candidate and not v.advisory]
    outcome = claims[0].outcome
    telling = dict.fromkeys(v.metric for v in claims if v.outcome == outcome)
    parts = [_about_metric(gate, [v for v in claims if v.metric == m], outcome) for m in telling]
    return outcome, "; ".join(parts)


def _about_metric(gate: Gate, claims: Sequence[Verdict], outcome: Outcome) -> str:
    """Return the claims about one metric with this outcome."""
    main = next((v for v in claims if v.dataset is None), claims[0])
    of_datasets = [v for v in claims if v.dataset is not None]
    telling = [v for v in of_datasets if v.outcome == outcome]
    if outcome == "pass":
        worst = max(of_datasets, key=lambda v: v.p.left, default=None)
        most = "" if worst is None else f"; at worst on {_on(gate, worst)}"
        return _statement(gate, main) + most
    worse = [v for v in telling if outcome == "fail" and v.p.left > gate.rule.prob]
    if worse and gate.rule.fail_if == WORSE and not _is_worse(gate, main):
        scope = f"{metric_in(main)} on {listed([_on(gate, v) for v in worse], 3)}"
        return _claim(gate, main, scope)("worse").words
    parts = [_statement(gate, main)]
    if _is_worse(gate, main):
        if worse:
            on_all = f"each, surest on {_on(gate, worse[0])}"
            some = listed([_on(gate, v) for v in worse], 3)
            parts.append(f"by itself on {on_all if len(worse) == main.datasets else some}")
        return "; ".join(parts)
    if worse:
        parts.append(f"worse on {listed([_on(gate, v) for v in worse], 3)}")
    doubts = [v for v in of_datasets if v.outcome != "pass" and v not in worse]
    suspects = [v for v in doubts if v.p.left > gate.rule.prob]
    unknown = [v for v in telling if v.p.left <= gate.rule.prob]
    if suspects:
        needed = _needed_to_fail(gate, main)
        there = "" if needed in parts[0] else f", where {needed}"
        parts.append(
            f"suspected worse on {listed([_on(gate, v) for v in suspects], 3)}{there}; chance "
            f"alone makes up to {gate.rule.alpha * main.datasets:.2g} of {main.datasets} data sets "
            "suspect"
        )
    if unknown:
        needed = _needed_to_fail(gate, main)
        there = "" if any(needed in part for part in parts) else f", where {needed}"
        parts.append(f"not shown on {listed([_on(gate, v) for v in unknown], 3)}{there}")
    return "; ".join(parts)


def _is_worse(gate: Gate, verdict: Verdict) -> bool:
    """Return whether the average is shown to be worse, too."""
    is_average = verdict.dataset is None and verdict.datasets > 0
    return is_average and verdict.outcome == "fail" and verdict.p.left > gate.rule.prob


def advice_of(gate: Gate) -> list[str]:
    """Return a sentence on each candidate and advisory metric that would fail."""
    fails = [v for v in gate.worst_first if v.advisory and v.outcome == "fail"]
    about = dict.fromkeys((v.candidate, v.metric) for v in fails)
    return [
        "advisory, without consequence: "
        + _about_metric(
            gate, [v for v in gate.worst_first if (v.candidate, v.metric) == one], "fail"
        )
        for one in about
    ]


def metric_in(verdict: Verdict | Evidence) -> str:
    """Return the metric of a verdict, to follow a name; "" if there is only one."""
    return f" in {verdict.metric}" if verdict.metric else ""


def _on(gate: Gate, verdict: Verdict) -> str:
    """Return a data set with p(worse) and the difference there."""
    return f"{verdict.dataset} ({_how_much(gate, verdict)})"


def _how_much(gate: Gate, verdict: Verdict) -> str:
    relative = gate.metric_of(verdict).relative is not None
    difference = f"{'' if relative else 'difference '}{change(gate, verdict)}"
    if verdict.exact:
        return difference
    return f"p(worse) {sure(gate, printed(gate, verdict).left)}, {difference}"


def change(gate: Gate, verdict: Verdict) -> str:
    """Return the difference of the mean scores; if the rope is relative, the mean of ratios."""
    study = gate.study_of(verdict)
    metric = gate.metric_of(verdict)
    left, right = verdict.means
    if metric.relative is not None:
        sign = -1 if study.scores.lower_is_better else 1
        return f"{100 * sign * verdict.mean_difference:+.1f} %"
    decimals = decimals_for(max(abs(study.rope.low), study.rope.high))
    by = right - left if metric.name else verdict.mean_difference
    return f"{by:+.{decimals}f}"


def sentence_of(gate: Gate, verdict: Verdict) -> str:
    """Return one verdict in a sentence."""
    if verdict.dataset is not None and word_of(gate, verdict) == NO_SUSPECT:
        words = f"{subject_of(verdict)} is {NO_SUSPECT}{metric_in(verdict)}"
        return f"passed: {words} ({_how_much(gate, verdict)})"
    advisory = "advisory, would have " if verdict.advisory else ""
    return f"{advisory}{WORDS[verdict.outcome]}: {_statement(gate, verdict)}"


def level_of(gate: Gate, verdict: Verdict) -> Level:
    """Return the severity of a verdict."""
    if verdict.advisory:
        return "warning" if verdict.outcome == "fail" else "notice"
    return loudness(verdict.outcome, gate.rule, passed=gate.passed)


def loudness(outcome: Outcome, rule: GateRule, *, passed: bool) -> Level:
    """Return the severity of an outcome: an error only if the gate does not pass."""
    if outcome == "pass" or rule.exit_code(outcome) == 0:
        warns = outcome == "undecided" and rule.undecided == "warn"
        return "warning" if warns else "notice"
    return "notice" if passed else "error"


def subject_of(verdict: Verdict) -> str:
    """Return the candidate and the data set of a verdict."""
    return verdict.candidate + ("" if verdict.dataset is None else f" on {verdict.dataset}")


def levels_of(gate: Gate) -> tuple[float, ...]:
    """Return the probabilities that verdicts turn on."""
    rule, claims = gate.rule, sum(not v.advisory for v in gate.verdicts)
    return rule.prob, rule.alpha, 1 - rule.alpha / max(claims, 1)


def sure(gate: Gate, p: float) -> str:
    """Return a probability, with enough decimals to show on which side of those levels it is."""
    return probability(p, *levels_of(gate))


def printed(gate: Gate, verdict: Verdict) -> RegionProbabilities[float]:
    """Return the probabilities to print; 0 and 1 only where they are exact, as `sign` has them."""
    study = gate.study_of(verdict)
    if verdict.exact or (gate.over != "these" and study.tally.error is None):
        return verdict.p
    p = inexact(verdict.p)
    return replace(p, rope=0.0) if study.rope.is_empty else p


def _needed_to_fail(gate: Gate, verdict: Verdict) -> str:
    """Return the probability that the surest claim needs to fail (Holm's first step)."""
    if verdict.datasets and gate.study_of(verdict).scores.unit.has_offset:
        return (
            f"more than {one_minus(gate.rule.alpha)} is needed to fail, as there are several claims"
        )
    claims, alpha = len(gate.claims_beside(verdict)), gate.rule.alpha
    if claims == 1:
        return level_needed(alpha, "to fail")
    return f"one of {claims} claims needs {one_minus(alpha / claims, 4)} to fail"


def _statement(gate: Gate, verdict: Verdict) -> str:
    """Return the strongest statement shown about a candidate, with its probability."""
    p, rule = printed(gate, verdict), gate.metric_of(verdict).demand(gate.rule)
    (result,) = (
        c.result for c in gate.study_of(verdict).comparisons if c.right == verdict.candidate
    )
    on = result.scope if verdict.dataset is None else f" on {verdict.dataset}"
    if verdict.datasets:
        on = f" on average over these {verdict.datasets} data sets"
    on = metric_in(verdict) + on
    if verdict.withheld is not None:
        return withheld(gate.baseline, verdict.candidate, on, verdict.withheld)
    claim = _claim(gate, verdict, on)
    not_worse, not_better = p.rope + p.right, p.left + p.rope
    must_be_better = rule.fail_if == NOT_BETTER
    if verdict.outcome == "fail" and p.left <= rule.prob:
        if must_be_better:
            return claim("better", probability=sure(gate, p.right)).not_shown()
        shown = sure(gate, not_worse)
        return claim("equivalent to or better", probability=shown).not_shown()
    if verdict.outcome != "undecided":
        shown_claims: tuple[tuple[float, Relation], ...] = (
            (p.right, "better"),
            (p.left, "worse"),
            (p.rope, "equivalent"),
            (not_worse, "not worse"),
            (not_better, "not better"),
        )
        for value, relation in shown_claims:
            if value > rule.prob:
                named = relation == "worse" or verdict.exact
                shown = _how_much(gate, verdict) if named else sure(gate, value)
                likeliest = result.about_likeliest
                return claim(relation, probability=shown, likeliest=likeliest).shown()
    to_pass = level_needed(rule.alpha, "to pass")
    if must_be_better:
        known, needed = f"p(better) {sure(gate, p.right)}", to_pass
    elif p.left < 0.5:  # what it takes to pass is nearer
        known, needed = f"p(not worse) {sure(gate, not_worse)}", to_pass
    else:
        known, needed = f"p(worse) {sure(gate, p.left)}", _needed_to_fail(gate, verdict)
    asked: Relation = "better" if must_be_better else "worse"
    return claim(asked, probability=known, needed=needed).unknown()


def _claim(gate: Gate, verdict: Verdict, scope: str) -> "partial[Claim]":
    """Return what makes a claim about the candidate from a relation."""
    metric, study = gate.metric_of(verdict), gate.study_of(verdict)
    rope, lower = study.rope, study.scores.lower_is_better
    claim = partial(
        Claim,
        verdict.candidate,
        other=gate.baseline,
        scope=scope,
        practically=not rope.is_empty,
    )
    if metric.bar is None:
        return claim
    margins = tuple(f"{abs(border):g}" for border in rope.borders)
    if metric.relative is not None:
        margins = (f"{100 * metric.relative:g} %",) * 2
    return partial(
        claim, other=f"{metric.bar:g}", margins=margins, down="above" if lower else "below"
    )


def word_of(gate: Gate, verdict: Verdict) -> str:
    """Return the outcome in a word; a data set is only asked whether it is suspect."""
    if verdict.dataset is None or gate.rule.each or gate.over != "these":
        return WORDS[verdict.outcome]
    return {"pass": NO_SUSPECT, "undecided": "suspect", "fail": "failed"}[verdict.outcome]
