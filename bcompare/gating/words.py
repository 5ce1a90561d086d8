"""Words of a gate: its one line, and what a row of its table says."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Literal

import numpy as np

from bcompare.basis.messages import listed, number_of
from bcompare.comparing.decision import one_minus
from bcompare.data.rope import RegionProbabilities, inexact
from bcompare.gating.anytime import Evidence
from bcompare.gating.item_words import items_in_words
from bcompare.gating.items import ItemFindings
from bcompare.gating.rule import NOT_BETTER, WORSE, GateRule, Outcome
from bcompare.gating.verdict import Gate, Verdict
from bcompare.report.sentences import Relation, withheld
from bcompare.report.table import LARGE, decimals_for, probability, unsigned

WORDS: dict[Outcome, str] = {"pass": "passed", "fail": "failed", "undecided": "undecided"}
NO_SUSPECT = "–"
# What counts is shown if it differs from the probability by as much.
TELLING = 0.005
# Smaller differences of means are those of rounding, relative to their size.
ROUNDING = 1e-12
# So many data sets, and candidates, are named in the line.
MOST_NAMED = 3

# What to do if a candidate is shown to be worse than the baseline.
MEND = "mend what failed, or accept it and measure the baseline anew"

# The severity of an announcement.
Level = Literal["error", "warning", "notice"]


def summary_of(gate: Gate) -> str:
    """Return the outcome of the gate in one line: of whom, where, and by how much."""
    if missing := gate.failures:
        total = sum(study.total for study in gate.studies)
        return (
            f"not computed: {len(missing)} of {number_of(total, 'candidate')}: "
            f"{missing[0].right}: {missing[0].text}"
        )
    word = _outcome_in_words(gate)
    counting = [verdict for verdict in gate.worst_first if not verdict.advisory]
    outcomes = {name: gate.outcome_of(name) for name in gate.candidates}
    telling = [name for name, outcome in outcomes.items() if outcome == gate.outcome]
    parts = []
    for name in telling[:MOST_NAMED]:
        parts += [items_in_words(gate, findings) for findings in _items_that_tell(gate, name)]
        verdicts = [verdict for verdict in counting if verdict.candidate == name]
        parts.append(_about(gate, verdicts))
        parts += [items_in_words(gate, findings) for findings in _other_items(gate, name)]
    if len(telling) > MOST_NAMED:
        parts.append(f"{len(telling) - MOST_NAMED} more {word}")
    for outcome, word_of_others in WORDS.items():
        others = [n for n in outcomes if n not in telling and outcomes[n] == outcome]
        if others:
            parts.append(f"{listed(others, MOST_NAMED)} {word_of_others}")
    if gate.rule.require == "any" and len(outcomes) > 1:
        parts.append("any may pass")
    beyond = _rows_beyond(gate)
    if beyond and gate.outcome != "fail":
        rows = number_of(sum(beyond.values()), "row")
        parts.append(f"not judged: {rows} of {listed([*beyond])} that {gate.baseline} lacks")
    return f"{word}: {'; '.join(parts)}"


def _outcome_in_words(gate: Gate) -> str:
    """Return the outcome, and how it depends on values that are not known."""
    word = WORDS[gate.outcome]
    if gate.outcome == "undecided" and gate.passed:
        word += " (exit code 0)"
    if gate.at_best is not None:
        word += f" at worst, {WORDS[gate.at_best]} at best"
    return word


def _rows_beyond(gate: Gate) -> dict[str, int]:
    """Return the number of rows that the baseline lacks, by candidate."""
    beyond: dict[str, int] = {}
    for study in gate.studies:
        for part in study.scores.account.left_out:
            if part.reason == "beyond":
                beyond |= part.classifiers
    return beyond


def _items_that_tell(gate: Gate, candidate: str) -> list[ItemFindings]:
    """Return the findings about a candidate's items that the outcome follows from."""
    counting = [f for f in gate.items if f.candidate == candidate and not f.advisory]
    return [findings for findings in counting if findings.outcome == gate.outcome != "pass"]


def _other_items(gate: Gate, candidate: str) -> list[ItemFindings]:
    """Return the other findings about a candidate's items."""
    telling = _items_that_tell(gate, candidate)
    return [f for f in gate.items if f.candidate == candidate and f not in telling]


def advice_of(gate: Gate) -> list[str]:
    """Return a line on each advisory metric that would fail."""
    fails = [v for v in gate.worst_first if v.advisory and v.outcome == "fail"]
    lines = []
    for whose in dict.fromkeys(map(_whose, fails)):
        claims = [verdict for verdict in fails if _whose(verdict) == whose]
        lines.append(f"advisory: {_about_metric(gate, claims)}")
    return lines


def _whose(verdict: Verdict) -> tuple[str, str]:
    return verdict.candidate, verdict.metric


def _about(gate: Gate, claims: Sequence[Verdict]) -> str:
    """Return what decided about a candidate, metric by metric."""
    outcome = claims[0].outcome
    of_metric: dict[str, list[Verdict]] = {}
    for verdict in claims:
        of_metric.setdefault(verdict.metric, []).append(verdict)
    telling = dict.fromkeys(v.metric for v in claims if v.outcome == outcome)
    return "; ".join(_about_metric(gate, of_metric[metric]) for metric in telling)


def _about_metric(gate: Gate, claims: Sequence[Verdict]) -> str:
    """Return what decided about a candidate in one metric; claims : the worst first."""
    worst = claims[0]
    main = next((v for v in claims if v.dataset is None), worst)
    who = main.candidate
    in_metric = metric_in(main)
    scope = gate.study_of(main).comparisons[0].result.scope
    on = in_metric + (" on average" if main.datasets else scope)
    if main.withheld is not None:
        return withheld(gate.baseline, who, on, main.withheld)
    if worst.outcome == "fail":
        worse = [v for v in claims if v.outcome == "fail" and v.p.left > gate.rule.prob]
        if worse:
            return f"{who} is {_relation(gate, main, 'worse')}{in_metric}{_places(gate, worse)}"
        asked, p = _asked(gate, main)
        return f"{who} is not shown to be {_relation(gate, main, asked)}{on}: {p}"
    if worst.outcome == "undecided":
        doubts = [v for v in claims if v.dataset is not None and v.outcome == "undecided"]
        if main.outcome == "undecided":
            words = f"{who}{on}: {_asked(gate, main)[1]}"
            closest = _closest(claims)
            if doubts:
                return f"{words}; suspect{_places(gate, doubts)}"
            return f"{words}; closest to failing: {closest.dataset}" if closest else words
        p = _quoted(gate, worst, "worse", "worse")
        more = len(doubts) - 1
        others = f" and {more} more" if more else ""
        needed = _needed_to_fail(gate, worst)
        return f"{who}{in_metric}: {p} on {worst.dataset}{others}, {needed}"
    words = f"{who} is {_relation(gate, main, _shown(gate, main))}{on} ({_figures(gate, main)})"
    if (closest := _closest(claims)) is None:
        return words
    p = sure(gate, printed(gate, closest, closest.posterior).left)
    figures = f"{change(gate, closest)}, p(worse) {p}"
    return f"{words}; closest to failing: {closest.dataset} ({figures})"


def _closest(claims: Sequence[Verdict]) -> Verdict | None:
    """Return the data set that is the likeliest to be worse; None without data sets."""
    return max((v for v in claims if v.dataset), key=lambda v: v.p.left, default=None)


def _places(gate: Gate, claims: Sequence[Verdict]) -> str:
    """Return where these claims hold: on average, with the change, and on which data sets."""
    of_sets = [str(v.dataset) for v in claims if v.dataset is not None]
    main = next((v for v in claims if v.dataset is None), None)
    words = [] if main is None else [f"average ({_figures(gate, main)})"]
    if of_sets:
        everywhere = main is not None and len(of_sets) == main.datasets
        words.append("every data set" if everywhere else listed(of_sets, MOST_NAMED))
    if main is not None and not main.datasets:
        return f" ({_figures(gate, main)})"
    return f" on {' and on '.join(words)}"


def _figures(gate: Gate, verdict: Verdict) -> str:
    """Return the change, and the probability of what is shown where there are no data sets."""
    if verdict.exact or verdict.datasets:
        return change(gate, verdict)
    shown = "worse" if verdict.outcome == "fail" else _shown(gate, verdict)
    p = _quoted(gate, verdict, shown, shown)
    rope = gate.study_of(verdict).rope
    is_beyond = not rope.low <= verdict.mean_difference <= rope.high
    if shown == "equivalent" and is_beyond and gate.over != "these":
        return (
            f"{p}; on these data sets {change(gate, verdict)}, most of it on {_most(gate, verdict)}"
        )
    return f"{change(gate, verdict)}, {p}"


def _most(gate: Gate, verdict: Verdict) -> str:
    """Return the data set on which the difference is largest."""
    comparisons = gate.study_of(verdict).comparisons
    (comparison,) = (c for c in comparisons if c.right == verdict.candidate)
    statistics = comparison.differences.statistics
    largest = int(np.abs(statistics.mean).argmax())
    return str(statistics.names[largest])


def _of(p: RegionProbabilities[float], relation: Relation) -> float:
    """Return the probability of a relation to the baseline."""
    return {
        "better": p.right,
        "worse": p.left,
        "equivalent": p.rope,
        "not worse": p.rope + p.right,
        "not better": p.left + p.rope,
    }[relation]


def _shown(gate: Gate, verdict: Verdict) -> Relation:
    """Return the strongest relation that is shown about a candidate."""
    relations: tuple[Relation, ...] = ("better", "equivalent", "not worse", "not better")
    return next(r for r in (*relations, "worse") if _of(verdict.p, r) > gate.rule.prob)


def _asked(gate: Gate, verdict: Verdict) -> tuple[Relation, str]:
    """Return what has to be shown, and how probable it is against what is needed."""
    asked = _turns_on(gate, verdict)
    to_pass = f"{one_minus(gate.rule.alpha)} is needed to pass"
    needed = _needed_to_fail(gate, verdict) if asked == "worse" else to_pass
    side = _relation(gate, verdict, asked) if gate.metric_of(verdict).bar is not None else asked
    return asked, f"{_quoted(gate, verdict, asked, side)}, {needed}"


def _turns_on(gate: Gate, verdict: Verdict) -> Relation:
    """Return the relation that a verdict is read off."""
    rule = gate.metric_of(verdict).demand(gate.rule)
    if rule.fail_if == WORSE and verdict.p.left > 0.5:
        return "worse"
    return "better" if rule.fail_if == NOT_BETTER else "not worse"


def _quoted(gate: Gate, verdict: Verdict, relation: Relation, name: str) -> str:
    """Return what counts for a relation, under its heading in the table."""
    told = counts_as(gate, verdict)
    p = sure(gate, _of(printed(gate, verdict, verdict.p if told else verdict.posterior), relation))
    return f"counts as {name} {p}" if told else f"p({name}) {p}"


def counts_as(gate: Gate, verdict: Verdict) -> str:
    """Return what a verdict turns on, if it differs from the probability; else ""."""
    relation = _turns_on(gate, verdict)
    if relation != "worse" and word_of(gate, verdict) == NO_SUSPECT:
        return ""
    counted = _of(printed(gate, verdict, verdict.p), relation)
    posterior = _of(printed(gate, verdict, verdict.posterior), relation)
    low, high = sorted((counted, posterior))
    differ = high - low >= TELLING or any(low < level <= high for level in levels_of(gate))
    return f"{relation} {sure(gate, counted)}" if differ else ""


def _needed_to_fail(gate: Gate, verdict: Verdict) -> str:
    """Return the probability that the surest claim needs to fail (Holm's first step)."""
    alpha = gate.rule.alpha
    claims = gate.claims_beside(verdict)
    if claims == 1:
        return f"{one_minus(alpha)} is needed to fail"
    if verdict.datasets and gate.study_of(verdict).scores.unit.has_offset:
        return f"more than {one_minus(alpha)} is needed to fail, for several claims"
    return f"{one_minus(alpha / claims, 4)} is needed to fail, for {claims} claims"


def _relation(gate: Gate, verdict: Verdict, relation: Relation) -> str:
    """Return a relation to the baseline, or to the bar, in words."""
    metric = gate.metric_of(verdict)
    if metric.bar is None:
        preposition = "to" if relation == "equivalent" else "than"
        return f"{relation} {preposition} {gate.baseline}"
    lower = gate.study_of(verdict).scores.lower_is_better
    down, up = ("above", "below") if lower else ("below", "above")
    sides = {"worse": down, "better": up, "not worse": f"not {down}", "not better": f"not {up}"}
    return f"{sides.get(relation, 'within the rope of')} {metric.bar:g}"


def metric_in(verdict: Verdict | Evidence) -> str:
    """Return the metric of a verdict, to follow a name; "" if there is only one."""
    return f" in {verdict.metric}" if verdict.metric else ""


def change(gate: Gate, verdict: Verdict) -> str:
    """Return the difference of the mean scores; if the rope is relative, as a share of them."""
    study = gate.study_of(verdict)
    metric = gate.metric_of(verdict)
    by = -verdict.mean_difference if study.scores.lower_is_better else verdict.mean_difference
    if metric.relative is not None:
        return f"{100 * by + 0.0:+.1f} %".replace("-0.0 ", "0.0 ")
    decimals = decimals_for(max(abs(study.rope.low), study.rope.high))
    noise = ROUNDING * max(map(abs, verdict.means))
    if abs(by) <= noise:
        by = 0.0
    text = f"{by + 0.0:+.{decimals}f}"
    is_hidden = by != 0 and float(text) == 0
    return f"{by:+.1e}" if is_hidden or abs(by) >= LARGE else text


def mean_score(gate: Gate, verdict: Verdict, mean: float) -> str:
    """Return the mean score of a side, as exactly as the rope is."""
    rope = gate.study_of(verdict).rope
    relative = gate.metric_of(verdict).relative
    width = max(abs(rope.low), rope.high)
    if relative is not None:
        width = relative * abs(verdict.means[0])
    text = unsigned(mean, decimals_for(width))
    is_hidden = mean != 0 and not text.strip("-0.")
    return f"{mean:.1e}" if is_hidden else text


def sentence_of(gate: Gate, verdict: Verdict) -> str:
    """Return a row of the table in words: the outcome, who, where, how sure, by how much."""
    place = "" if verdict.dataset is None and not verdict.datasets else f", {place_of(verdict)}"
    who = f"{verdict.candidate}{metric_in(verdict)}{place}"
    word = word_of(gate, verdict).replace(NO_SUSPECT, "not failed")
    advisory = "advisory, " if verdict.advisory else ""
    if verdict.withheld is not None:
        return f"{advisory}{word}: {who}: no verdict: {verdict.withheld}"
    p = printed(gate, verdict, verdict.posterior)
    counted = counts_as(gate, verdict)
    chances = [f"p(worse) {sure(gate, p.left)}", f"p(better) {sure(gate, p.right)}"]
    figures = [] if verdict.exact else chances
    figures.append(f"difference {change(gate, verdict)}")
    if counted:
        figures.append(f"counts as {counted}")
    return f"{advisory}{word}: {who}: {', '.join(figures)}"


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


def levels_of(gate: Gate) -> tuple[float, ...]:
    """Return the probabilities that verdicts turn on."""
    rule = gate.rule
    claims = gate.count_claims()
    return rule.prob, rule.alpha, 1 - rule.alpha / max(claims, 1)


def sure(gate: Gate, p: float) -> str:
    """Return a probability, with enough decimals to show on which side of those levels it is."""
    return probability(p, *levels_of(gate))


def printed(
    gate: Gate, verdict: Verdict, p: RegionProbabilities[float]
) -> RegionProbabilities[float]:
    """Return probabilities to print; 0 and 1 only where they are exact, as `sign` has them."""
    study = gate.study_of(verdict)
    if verdict.exact or (gate.over != "these" and study.tally.error is None):
        return p
    return replace(inexact(p), rope=0.0) if study.rope.is_empty else inexact(p)


def word_of(gate: Gate, verdict: Verdict) -> str:
    """Return the outcome in a word; a data set is only asked whether it is suspect."""
    if verdict.advisory and verdict.outcome == "fail":
        return "would fail"
    if verdict.dataset is None or gate.rule.each or gate.over != "these":
        return WORDS[verdict.outcome]
    return {"pass": NO_SUSPECT, "undecided": "suspect", "fail": "failed"}[verdict.outcome]


def place_of(verdict: Verdict | Evidence) -> str:
    """Return the data set of a verdict, or that it is of the average."""
    name = verdict.dataset or "average"
    return f"{name} (data set)" if verdict.dataset == "average" else name


def next_step(gate: Gate) -> str:
    """Return what to do about a gate that does not simply pass; "" if it does."""
    if gate.outcome == "pass" or gate.failures:
        return ""
    if any(findings.is_open for findings in gate.items):
        return (
            "-o ids=again.txt lists what to run again; judge these runs together with the first "
            "ones, by --again FILE"
        )
    if gate.outcome == "fail" and gate.at_best == "pass":
        return "run the trials without a score again: the verdict depends on them"
    has_bar = any(metric.bar is not None for metric in gate.metrics)
    if gate.outcome == "fail" and not _more_could_decide(gate):
        return "mend what failed, or set another bar" if has_bar else MEND
    same = "files, metrics and bar" if has_bar else "files and metrics"
    return (
        f"bcompare plan-gate with the same {same} says how many more scores would decide; or "
        "accept the change"
    )


def _more_could_decide(gate: Gate) -> bool:
    """Return whether nothing is shown by the claims that fail, so that more scores could pass."""
    fails = [v for v in gate.verdicts if v.outcome == "fail" and not v.advisory]
    return bool(fails) and all(map(gate.in_doubt, fails))
