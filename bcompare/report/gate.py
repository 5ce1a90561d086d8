"""The report of a gate: one line where all is well, and everything where it is not."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from bcompare.basis.errors import BcompareError
from bcompare.basis.printable import printable
from bcompare.comparing.summary import TOP
from bcompare.data.rope import RegionProbabilities, inexact, uncertain
from bcompare.gating.rule import NOT_BETTER, WORSE, GateRule, Outcome
from bcompare.gating.verdict import Gate, Verdict
from bcompare.methods.base import PopulationResult
from bcompare.report.build import Report
from bcompare.report.comparisons import document
from bcompare.report.fields import Field, Record, head, own_fields, record, table
from bcompare.report.number import decimals_for, number_of, probability
from bcompare.report.paper import context_of
from bcompare.report.rows import record_rows
from bcompare.report.table import Table
from bcompare.report.words import settings_line
from bcompare.version import __version__

NAME = "bcompare gate"
NAMED = ("baseline", "mean")
# A table of more claims leaves out the data sets that pass.
MOST_CLAIMS = 12
WORDS: dict[Outcome, str] = {"pass": "passed", "fail": "failed", "undecided": "undecided"}

Level = Literal["error", "warning", "notice"]
"""How loudly a verdict is to be announced."""


@dataclass(frozen=True, eq=False, slots=True)
class _Judged:
    """A verdict with the gate that gave it."""

    gate: Gate
    verdict: Verdict


CANDIDATE = Field("candidate", "verdict.candidate", heading="candidate")
METRIC = Field("metric", lambda row: row.verdict.metric or None, heading="metric", nullable=True)
DATASET = Field("dataset", "verdict.dataset", heading="data set", nullable=True)
WHERE = Field("", lambda row: row.verdict.dataset or "average", heading="data set")
REGIONS = (
    Field("p_worse", "verdict.p.left", "region", "p(worse)",
          lambda row: _shown(row.gate, row.verdict).left),
    Field("p_equivalent", "verdict.p.rope", "region", "p(equivalent)",
          lambda row: _shown(row.gate, row.verdict).rope),
    Field("p_better", "verdict.p.right", "region", "p(better)",
          lambda row: _shown(row.gate, row.verdict).right),
)  # fmt: skip
MEAN = Field("mean_difference", "verdict.mean_difference", "difference", "mean diff",
             decimals=None)  # fmt: skip
MEANS = (
    Field("baseline_mean", lambda row: row.verdict.means[0], "number", decimals=None),
    Field("candidate_mean", lambda row: row.verdict.means[1], "number", decimals=None),
)
CHANGE = Field("", lambda row: change(row.gate, row.verdict), heading="change")
OUTCOME = Field("outcome", "verdict.outcome", "verdict", "verdict",
                lambda row: _word(row.gate, row.verdict))  # fmt: skip
LEVEL = Field("level", lambda row: level_of(row.gate, row.verdict))
SENTENCE = Field("sentence", lambda row: printable(sentence_of(row.gate, row.verdict)))
SETTLE = Field("settle", "verdict.settle", nullable=True)
VERDICT = (
    CANDIDATE, Field("baseline", "gate.baseline"), METRIC, DATASET, *REGIONS, MEAN, *MEANS,
    OUTCOME, LEVEL,
    Field("datasets", lambda row: row.verdict.datasets or None, "count", nullable=True),
    Field("withheld", "verdict.withheld", nullable=True),
    Field("in_doubt", "verdict.in_doubt", "truth"), SENTENCE, SETTLE,
)  # fmt: skip
# What a self-check's verdict has, too.
ANNOUNCED = (CANDIDATE, DATASET, OUTCOME, LEVEL, SENTENCE, SETTLE)


def _judged(gate: Gate) -> list[_Judged]:
    return [_Judged(gate, verdict) for verdict in gate.worst_first]


def build_gate_report(gate: Gate, name: str = NAME) -> Report:
    """Lay out a gate; `brief` stands for all of it where it passes without a doubt."""
    summary = summary_of(gate)
    quiet = gate.passed and not (gate.outcome == "undecided" and gate.rule.undecided == "warn")
    settles = [_settle(gate, verdict) for verdict in gate.verdicts if verdict.settle is not None]
    return Report(
        tables=(_table(gate, name),),
        sentences=(summary, *settles),
        hints=tuple(_hints(gate)),
        settings=_settings_line(gate),
        notes=gate.notes,
        document=lambda: gate_document(gate, name),
        rows=lambda: record_rows([record(VERDICT, row) for row in _judged(gate)]),
        brief=summary if quiet else "",
        context=context_of(gate.study),
    )


def build_unjudged_report(error: BcompareError, name: str = NAME) -> Report:
    """Report that a gate has no verdict, and why."""
    summary = f"could not be judged: {error.text}"
    outcome: Record = {
        "passed": False,
        "outcome": "error",
        "exit_code": error.exit_code,
        "summary": printable(summary),
    }
    return Report(
        tables=(),
        sentences=(summary,),
        hints=(),
        settings=f"{name} · bcompare {__version__}",
        notes=(),
        document=lambda: {
            **gate_head(name), **outcome, "verdicts": [], "failed": [], "notes": []
        },
        rows=lambda: record_rows([{"outcome": "error", "sentence": printable(summary)}]),
    )  # fmt: skip


def gate_head(name: str) -> Record:
    """Return how every document of a gate begins."""
    return {**head("gate"), "name": printable(name)}


def gate_document(gate: Gate, name: str = NAME) -> Record:
    """Return the JSON contract: the verdicts, the rule, and the comparisons behind them."""
    first, *others = (document(study) for study in gate.studies)
    return {
        **gate_head(name),
        "passed": gate.passed,
        "outcome": gate.outcome,
        "exit_code": gate.exit_code,
        "summary": printable(summary_of(gate)),
        "baseline": gate.baseline,
        "over": gate.over,
        "rule": own_fields(gate.rule, ["condition"]) | {"described": gate.rule.describe()},
        "verdicts": [record(VERDICT, row) for row in _judged(gate)],
        "settings": {"test": gate.study.method.name, **first["settings"]},
        "input": first["input"],
        "metrics": [
            {
                **own_fields(metric),
                "rope": part["settings"]["rope"],
                "lower": part["settings"]["lower_is_better"],
                "comparisons": part["comparisons"],
            }
            for metric, part in zip(gate.metrics, (first, *others), strict=True)
            if metric.name
        ],
        "joint": {name: own_fields(joint) for name, joint in gate.joint.items()},
        "comparisons": [] if others else first["comparisons"],
        "failed": [failure for part in (first, *others) for failure in part["failed"]],
        "notes": [note.record() for note in gate.notes],
    }


def summary_of(gate: Gate) -> str:
    """Return the verdict of the gate in one sentence."""
    if not gate.is_computed:
        missing = gate.failures
        total = sum(study.total for study in gate.studies)
        return (
            f"not computed: {len(missing)} of {number_of(total, 'candidate')}: "
            f"{missing[0].right}: {missing[0].text}"
        )
    passes = gate.outcome == "undecided" and gate.rule.undecided != "fail"
    word = WORDS[gate.outcome] + (" (passes)" if passes else "")
    said = [_about(gate, name) for name in gate.candidates]
    if len(said) == 1:
        return f"{word}: {said[0][1]}"
    count = Counter(outcome for outcome, _ in said)
    counts = ", ".join(f"{count[o]} {WORDS[o]}" for o in WORDS if count[o])
    which = [words for outcome, words in said if outcome == gate.outcome]
    of_all = number_of(len(said), "candidate")
    required = "all must pass" if gate.rule.require == "all" else "any may pass"
    return f"{word}: {of_all} against {gate.baseline}: {counts}; {required}; {_listed(which)}"


def _about(gate: Gate, candidate: str) -> tuple[Outcome, str]:
    """What came of a candidate, and the claims that made it so, the worst first."""
    claims = [verdict for verdict in gate.worst_first if verdict.candidate == candidate]
    outcome = claims[0].outcome
    telling = dict.fromkeys(v.metric for v in claims if v.outcome == outcome)
    parts = [_about_metric(gate, [v for v in claims if v.metric == m], outcome) for m in telling]
    joint = gate.joint.get(candidate)
    if joint is not None:
        p = probability(uncertain(joint.p))
        parts.append(f"all {len(gate.metrics)} demands hold on average with probability {p}")
    return outcome, "; ".join(parts)


def _about_metric(gate: Gate, claims: Sequence[Verdict], outcome: Outcome) -> str:
    """The claims about one metric that have this outcome."""
    main = next((v for v in claims if v.dataset is None), claims[0])
    of_datasets = [v for v in claims if v.dataset is not None]
    telling = [v for v in of_datasets if v.outcome == outcome]
    where = _listed([_on(gate, v) for v in telling], 3)
    subject = f"{main.candidate} against {gate.baseline}{_in(main)}"
    if outcome == "pass":
        worst = max(of_datasets, key=lambda v: v.p.left, default=None)
        most = "" if worst is None else f"; at worst on {_on(gate, worst)}"
        return _statement(gate, main) + most
    if gate.rule.condition is not None and telling and main.outcome != outcome:
        return f"{subject}: {gate.rule.fail_if} holds on {where}"
    worse = [v for v in telling if v.p.left > gate.rule.prob]
    if outcome == "fail" and worse and gate.rule.fail_if == WORSE:
        practically = "" if gate.study_of(main).rope.is_empty else "practically "
        said = f"{main.candidate} is {practically}worse than {gate.baseline}{_in(main)}"
        return f"{said} on {_listed([_on(gate, v) for v in worse], 3)}"
    suspects = [v for v in of_datasets if v.outcome != "pass" and v.p.left > gate.rule.prob]
    unknown = [v for v in telling if v.p.left <= gate.rule.prob]
    parts = [_statement(gate, main)]
    if suspects:
        level = 1 - gate.rule.alpha / len(gate.verdicts)
        parts.append(
            f"suspected worse on {_listed([_on(gate, v) for v in suspects], 3)}, where one of "
            f"{len(gate.verdicts)} claims needs {level:.4g} to fail; chance alone makes up to "
            f"{gate.rule.alpha * main.datasets:.2g} of {main.datasets} data sets suspect"
        )
    if unknown:
        parts.append(f"not shown on {_listed([_on(gate, v) for v in unknown], 3)}")
    return "; ".join(parts)


def _in(verdict: Verdict) -> str:
    return f" in {verdict.metric}" if verdict.metric else ""


def _on(gate: Gate, verdict: Verdict) -> str:
    """A data set, with how surely and by how much the candidate is worse there."""
    return f"{verdict.dataset} ({_how_much(gate, verdict)})"


def _how_much(gate: Gate, verdict: Verdict) -> str:
    by = change(gate, verdict)
    difference = by if by.endswith("%") else f"difference {by}"
    return f"p(worse) {probability(_shown(gate, verdict).left)}, {difference}"


def change(gate: Gate, verdict: Verdict) -> str:
    """Return how the candidate's mean score differs, in per cent under a relative rope."""
    study = gate.study_of(verdict)
    (metric,) = (metric for metric in gate.metrics if metric.name == verdict.metric)
    left, right = verdict.means
    if metric.relative is not None:
        return f"{100 * (right / left - 1):+.1f} %"
    decimals = decimals_for(max(abs(study.rope.low), study.rope.high))
    by = right - left if metric.name else verdict.mean_difference
    return f"{by:+.{decimals}f}"


def sentence_of(gate: Gate, verdict: Verdict) -> str:
    """Return one verdict in a sentence."""
    if (
        verdict.dataset is not None
        and verdict.outcome == "pass"
        and _word(gate, verdict) != "passed"
    ):
        return (
            f"passed: {_subject(verdict)} is no suspect{_in(verdict)} ({_how_much(gate, verdict)})"
        )
    return f"{WORDS[verdict.outcome]}: {_statement(gate, verdict)}"


def level_of(gate: Gate, verdict: Verdict) -> Level:
    """How loudly to announce a verdict: an error only where the gate does not pass."""
    if verdict.outcome == "pass" or gate.rule.exit_code(verdict.outcome) == 0:
        warns = verdict.outcome == "undecided" and gate.rule.undecided == "warn"
        return "warning" if warns else "notice"
    return "notice" if gate.passed else "error"


def _listed(names: Sequence[str], shown: int = 5) -> str:
    more = f" and {len(names) - shown} more" if len(names) > shown else ""
    return ", ".join(names[:shown]) + more


def _subject(verdict: Verdict) -> str:
    return verdict.candidate + ("" if verdict.dataset is None else f" on {verdict.dataset}")


def _shown(gate: Gate, verdict: Verdict) -> RegionProbabilities[float]:
    """0 and 1 only where they are exact."""
    return verdict.p if gate.study_of(verdict).tally.error is None else inexact(verdict.p)


def _statement(gate: Gate, verdict: Verdict) -> str:
    """The strongest thing that is shown of a candidate, with its probability."""
    p, rule = _shown(gate, verdict), gate.metric_of(verdict).demand(gate.rule)
    names = (verdict.candidate, gate.baseline)
    over = _result_over_datasets(gate, verdict)
    likeliest = over is not None and over.about_likeliest
    where = "" if over is None else over.scope
    on = where if verdict.dataset is None else f" on {verdict.dataset}"
    if verdict.datasets:
        on = f" on average over these {verdict.datasets} data sets"
    practically = "" if gate.study_of(verdict).rope.is_empty else "practically "
    manner = ("most likely " if likeliest else "") + practically
    on = _in(verdict) + on
    against = f"{names[0]} against {names[1]}{on}"
    if verdict.withheld is not None:
        return f"{against}: no verdict: {verdict.withheld}"
    if rule.condition is not None:
        three = (
            f"p(worse) {probability(p.left)}, p(equivalent) {probability(p.rope)}, "
            f"p(better) {probability(p.right)}"
        )
        holds = "holds" if verdict.outcome == "fail" else "does not hold"
        return f"{against}: {rule.fail_if} {holds}: {three}"
    not_worse, not_better = p.rope + p.right, p.left + p.rope
    if verdict.outcome == "fail" and p.left <= rule.prob:
        only_better = rule.fail_if == NOT_BETTER
        what = "better than" if only_better else "equivalent to or better than"
        shown = probability(p.right if only_better else not_worse)
        return f"{names[0]} is not shown to be {practically}{what} {names[1]}{on} ({shown})"
    aim = rule.fail_if == NOT_BETTER
    word, known = ("better", p.right) if aim else ("worse", p.left)
    needed = f"{rule.prob:g} is needed to {'pass' if aim else 'fail'}"
    if known > rule.prob:
        needed = f"not enough for one of {len(gate.verdicts)} claims"
    unknown = (
        f"the data do not show whether {names[0]} is {practically}{word} than {names[1]}{on}: "
        f"p({word}) {probability(known)}, {needed}"
    )
    if verdict.outcome == "undecided":
        return unknown
    refuted = "{0} " + practically + "{2} than {1} is not the likeliest answer{3}"
    denied = "{0} is not " + practically + "{2} than {1}{3}"
    claims = (
        (p.right, "{0} is " + manner + "better than {1}{3}", ""),
        (p.left, "{0} is " + manner + "worse than {1}{3}", ""),
        (p.rope, "{0} and {1} are " + manner + "equivalent{3}", ""),
        (not_worse, refuted if likeliest else denied, "worse"),
        (not_better, refuted if likeliest else denied, "better"),
    )
    for value, claim, word in claims:
        if value > rule.prob:
            if word == "" and value == p.left:
                return f"{claim.format(*names, word, on)} ({_how_much(gate, verdict)})"
            return f"{claim.format(*names, word, on)} ({probability(value)})"
    return unknown


def _result_over_datasets(gate: Gate, verdict: Verdict) -> PopulationResult | None:
    """What the test of a candidate found, if it speaks of several data sets at once."""
    for comparison in gate.study_of(verdict).comparisons:
        if comparison.right == verdict.candidate and verdict.dataset is None:
            result = comparison.result
            return result if isinstance(result, PopulationResult) else None
    return None


def _word(gate: Gate, verdict: Verdict) -> str:
    """The outcome in a word; of a data set only whether it stands in the way is asked."""
    if verdict.dataset is None or gate.rule.each or gate.over != "these":
        return WORDS[verdict.outcome]
    return {"pass": "no suspect", "undecided": "suspect", "fail": "failed"}[verdict.outcome]


def _settle(gate: Gate, verdict: Verdict) -> str:
    return (
        f"{_subject(verdict)}: {verdict.settle}" if len(gate.verdicts) > 1 else verdict.settle or ""
    )


def _table(gate: Gate, name: str) -> Table:
    several = any(verdict.dataset is not None for verdict in gate.verdicts)
    measured = (METRIC, *(replace(f, heading=h) for f, h in zip(MEANS, NAMED, strict=True)), CHANGE)
    own = measured if gate.metrics[0].name else ()
    last = () if own else (MEAN,)
    fields = (CANDIDATE, *own, *((WHERE,) if several else ()), *REGIONS, OUTCOME, *last)
    decimals = decimals_for(max(abs(gate.study.rope.low), gate.study.rope.high))
    word = WORDS[gate.outcome] if gate.is_computed else "not computed"
    title = f"{name}: {word}{_failed_on(gate)}; baseline {gate.baseline}"
    judged = [_Judged(gate, verdict) for verdict in _shown_claims(gate)]
    return table(title, fields, judged, decimals)


def _failed_on(gate: Gate) -> str:
    """Where it failed, the worst first."""
    fails = [v for v in gate.worst_first if v.outcome == "fail" and v.dataset is not None]
    places = dict.fromkeys(f"{v.dataset}{_in(v)}" for v in fails)
    return f" on {_listed(list(places), 3)}" if places and gate.outcome == "fail" else ""


def _shown_claims(gate: Gate) -> list[Verdict]:
    """The claims of a table, the worst first; of many only the averages and the worst doubts."""
    if len(gate.verdicts) <= MOST_CLAIMS:
        return gate.worst_first
    doubts = [v for v in gate.worst_first if v.dataset is not None and v.outcome != "pass"]
    kept = {id(v) for v in doubts[: MOST_CLAIMS // 2]}
    return [v for v in gate.worst_first if v.dataset is None or id(v) in kept][:TOP]


def _hints(gate: Gate) -> Iterator[str]:
    left_out = len(gate.verdicts) - len(_shown_claims(gate))
    if left_out:
        yield f"{left_out} of {len(gate.verdicts)} claims are not shown; --format json has all"


def _ropes(gate: Gate) -> str:
    """The ropes of several metrics, in words."""
    if not gate.metrics[0].name:
        return ""
    said = (
        f"{metric.name} {study.rope.describe().removeprefix('rope ')}"
        if metric.relative is None
        else f"{metric.name} ±{100 * metric.relative:g} %"
        for metric, study in zip(gate.metrics, gate.studies, strict=True)
    )
    return f"ropes: {', '.join(said)}"


def _settings_line(gate: Gate) -> str:
    """The rule where it is not the default, and what the comparisons rest on."""
    rule, usual = gate.rule, GateRule()
    several = len(gate.verdicts) > 1 and rule.require != usual.require
    parts = [
        *([rule.describe()] if rule.describe() != usual.describe() else []),
        *([f"undecided: {rule.undecided}"] if rule.undecided != usual.undecided else []),
        *([f"require {rule.require}"] if several else []),
        settings_line(gate.study, _ropes(gate)),
    ]
    return " · ".join(parts)
