"""Report what a gate, or a self-check, has found."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from shlex import quote
from typing import TYPE_CHECKING

from bcompare.basis.messages import (
    ON_THE_RULE,
    BcompareError,
    Note,
    Record,
    arg,
    number_of,
    printable,
    spelled,
)
from bcompare.columns.question import AskedError
from bcompare.comparing.comparison_set import TOP
from bcompare.data.account import INCOMPLETE
from bcompare.data.differences import is_binary
from bcompare.data.rope import OF_CANDIDATE, REGIONS, Region, Rope
from bcompare.gating.anytime import AnytimeGate, Evidence
from bcompare.gating.item_report import item_rows, item_table, items_document
from bcompare.gating.item_words import item_sentences
from bcompare.gating.metrics import BAR, Metric
from bcompare.gating.rule import GateRule
from bcompare.gating.verdict import Gate, Verdict
from bcompare.gating.words import (
    advice_of,
    change,
    counts_as,
    level_of,
    levels_of,
    loudness,
    mean_score,
    next_step,
    place_of,
    printed,
    sentence_of,
    summary_of,
    word_of,
)
from bcompare.report.fields import Field, Rows, head, own_fields, record, record_rows, table
from bcompare.report.input_record import input_record
from bcompare.report.pair_records import document
from bcompare.report.pair_report import Report
from bcompare.report.paper import context_of, irrelevant
from bcompare.report.sentences import joined, settings_line
from bcompare.report.table import Column, Table

if TYPE_CHECKING:
    from bcompare.gating.self_check import SelfCheck

NAME = "bcompare gate"
EXACT_SHARE = "exact interval of a share (Clopper and Pearson)"
# Codes of notes that every output for machines repeats.
REPEATED = (*INCOMPLETE, *ON_THE_RULE, "beyond", "wide-rope", "outage")
# Longer names head no column.
LONGEST_HEADING = 10
# Tables of more claims leave out the data sets that pass.
MOST_CLAIMS = 12


@dataclass(frozen=True, eq=False, slots=True)
class Judged:
    """A verdict with the gate that gave it."""

    gate: Gate | AnytimeGate
    verdict: Verdict | Evidence


CANDIDATE = Field("candidate", "verdict.candidate", heading="candidate")
METRIC = Field("metric", lambda row: row.verdict.metric or None, heading="metric", nullable=True)
ADVISED = Field("", lambda row: _advised(row.verdict), heading="metric")
DATASET = Field("dataset", "verdict.dataset", heading="data set", nullable=True)
WHERE = Field("", lambda row: place_of(row.verdict), heading="data set")


def _advised(verdict: Verdict) -> str:
    """Return the name of the metric of a verdict, and whether it only advises."""
    return f"{verdict.metric} (advisory)" if verdict.advisory else verdict.metric


def _region(region: Region) -> Field:
    """Return the field of a probability from the candidate's point of view."""
    word = OF_CANDIDATE[region]
    return Field(
        f"p_{word}",
        f"verdict.posterior.{region}",
        "region",
        f"p({word})",
        lambda row: getattr(printed(row.gate, row.verdict, row.verdict.posterior), region),
    )


PROBABILITIES = tuple(map(_region, REGIONS))
COUNTED = tuple(Field(f"counts_as_{OF_CANDIDATE[r]}", f"verdict.p.{r}", "region") for r in REGIONS)
COUNTS_AS = Field("", lambda row: counts_as(row.gate, row.verdict), heading="counts as")
MEAN = Field("mean_difference", "verdict.mean_difference", "difference", "mean diff", decimals=None)
MEANS = (
    Field("baseline_mean", lambda row: row.verdict.means[0], "number", decimals=None),
    Field("candidate_mean", lambda row: row.verdict.means[1], "number", decimals=None),
)
BASELINE_MEAN = Field(
    "",
    lambda row: mean_score(row.gate, row.verdict, row.verdict.means[0]),
    "figure",
    "baseline mean",
    spare="last",
)
CANDIDATE_MEAN = Field(
    "",
    lambda row: mean_score(row.gate, row.verdict, row.verdict.means[1]),
    "figure",
    "candidate mean",
    spare="last",
)
CHANGE = Field("", lambda row: change(row.gate, row.verdict), "figure", "change")
OUTCOME = Field(
    "outcome", "verdict.outcome", "verdict", "verdict", lambda row: word_of(row.gate, row.verdict)
)
LEVEL = Field("level", lambda row: level_of(row.gate, row.verdict))
SENTENCE = Field("sentence", lambda row: printable(sentence_of(row.gate, row.verdict)))
VERDICT = (
    CANDIDATE,
    Field("baseline", "gate.baseline"),
    METRIC,
    DATASET,
    *PROBABILITIES,
    *COUNTED,
    MEAN,
    *MEANS,
    OUTCOME,
    LEVEL,
    Field("datasets", lambda row: row.verdict.datasets or None, "count", nullable=True),
    Field("withheld", "verdict.withheld", nullable=True),
    Field("in_doubt", lambda row: row.gate.in_doubt(row.verdict), "truth"),
    Field("exact", "verdict.exact", "truth"),
    Field("advisory", "verdict.advisory", "truth"),
    SENTENCE,
)
# Fields that the verdict of a self-check has, too.
ANNOUNCED = (CANDIDATE, DATASET, OUTCOME, LEVEL, SENTENCE)


def _judged(gate: Gate) -> list[Judged]:
    return [Judged(gate, verdict) for verdict in gate.worst_first]


def build_gate_report(gate: Gate, name: str = NAME) -> Report:
    """Build the report; `brief` replaces it if the gate passes without any doubt."""
    summary = summary_of(gate)
    quiet = gate.passed and not (gate.outcome == "undecided" and gate.rule.undecided == "warn")
    advice = advice_of(gate)
    shown = _shown_claims(gate)
    tables: list[Table] = []
    sentences: list[str] = []
    for findings in gate.items:
        of_items = item_table(gate, findings, name)
        rows_shown = 0
        if of_items is not None:
            tables.append(of_items)
            rows_shown = len(of_items.rows)
        sentences += item_sentences(gate, findings, rows_shown)
    tables.append(_table(gate, name, shown))
    sentences += advice
    claims = len(gate.verdicts)
    if len(shown) < claims:
        everything = spelled("--format json", "gate.verdicts")
        sentences.append(
            f"{claims - len(shown)} of {claims} claims are not shown; all are in {everything}"
        )
    return Report(
        lead=(summary,),
        tables=tuple(tables),
        next_step=next_step(gate),
        sentences=tuple(sentences),
        settings=settings_of(gate),
        notes=gate.notes,
        document=lambda: gate_document(gate, name),
        rows=lambda: _gate_rows(gate),
        brief="; ".join((summary, *advice)) if quiet else "",
        context=lambda: context_of(gate.study),
        names=gate.study.scores.classifiers,
    )


def _gate_rows(gate: Gate) -> Rows:
    """Return a flat row for each verdict, and for each item that broke or is suspect."""
    verdicts = [record(VERDICT, row) for row in _judged(gate)]
    return record_rows([*verdicts, *item_rows(gate)])


def build_unjudged_report(error: BcompareError, name: str = NAME) -> Report:
    """Report that a gate has no verdict, and why."""
    summary = f"could not be judged: {'; '.join(error.messages)}"
    beginning = _head(name, "error", error.exit_code, summary)
    if isinstance(error, AskedError):
        beginning |= {"asked": error.question.record(error.call)}
    return Report(
        lead=(summary,),
        tables=(),
        settings=joined(name),
        document=lambda: {**beginning, "verdicts": [], "failed": [], "notes": []},
        rows=lambda: record_rows([{"outcome": "error", "sentence": printable(summary)}]),
    )


def with_note(report: Report, note: Note) -> Report:
    """Return the report of a gate with a further note, also in its document."""

    def document() -> Record:
        before = report.document()
        return {**before, "notes": [*before["notes"], note.record()]}

    return replace(report, notes=(*report.notes, note), document=document)


def _head(name: str, outcome: str, exit_code: int, summary: str) -> Record:
    """Return the first keys of every document of a gate."""
    return {
        **head("gate"),
        "name": printable(name),
        "passed": exit_code == 0,
        "outcome": outcome,
        "exit_code": exit_code,
        "summary": printable(summary),
    }


def _study_document(gate: Gate, k: int) -> Record:
    """Return the JSON document of a metric; of ratios, with the gate's sentences."""
    entry = document(gate.studies[k])
    metric = gate.metrics[k]
    if metric.relative is None:
        return entry
    of_metric = [verdict for verdict in gate.verdicts if verdict.metric == metric.name]
    for comparison in entry["comparisons"]:
        candidate = comparison["right"]
        verdict = next(v for v in of_metric if v.candidate == candidate)
        comparison["verdict"] = sentence_of(gate, verdict)
    return entry


def gate_document(gate: Gate, name: str = NAME) -> Record:
    """Return the JSON document: the verdicts, the rule, and the comparisons behind them."""
    parts = [_study_document(gate, k) for k in range(len(gate.studies))]
    first = parts[0]
    items = {"items": items_document(gate)} if gate.items else {}
    metrics = []
    for metric, part in zip(gate.metrics, parts, strict=True):
        if metric.name:
            metrics.append(
                {
                    **fields_of_metric(metric),
                    "rope": part["settings"]["rope"],
                    "lower": part["settings"]["lower_is_better"],
                    "comparisons": part["comparisons"],
                }
            )
    return {
        **_head(name, gate.outcome, gate.exit_code, summary_of(gate)),
        "next_step": printable(next_step(gate)),
        "baseline": gate.baseline,
        "over": gate.over,
        "rule": own_fields(gate.rule) | {"described": gate.rule.describe()},
        "verdicts": [record(VERDICT, row) for row in _judged(gate)],
        **items,
        "settings": {"test": gate.study.method.name, **first["settings"]},
        "input": first["input"],
        "metrics": metrics,
        "comparisons": first["comparisons"] if len(parts) == 1 else [],
        "failed": [failure for part in parts for failure in part["failed"]],
        "notes": [note.record() for note in gate.notes],
    }


def fields_of_metric(metric: Metric) -> Record:
    """Return what is demanded of a metric; that its items are judged only where they are."""
    fields = own_fields(metric)
    if not metric.items:
        del fields["items"]
    return fields


def _table(gate: Gate, name: str, shown: Sequence[Verdict]) -> Table:
    """Return a row for each claim; columns of candidates, metrics and data sets if several."""
    fields = []
    if len(gate.candidates) > 1:
        fields.append(CANDIDATE)
    if gate.metrics[0].name:
        fields.append(ADVISED)
    if any(verdict.dataset is not None for verdict in gate.verdicts):
        fields.append(WHERE)
    if not fields:
        fields.append(CANDIDATE)
    fields += PROBABILITIES
    if any(counts_as(gate, verdict) for verdict in shown):
        fields.append(COUNTS_AS)
    fields += _means_of_sides(gate)
    fields += [CHANGE, OUTCOME]
    one = f"{gate.candidates[0]} against " if len(gate.candidates) == 1 else ""
    bars = [f"{metric.bar:g}" for metric in gate.metrics if metric.bar is not None]
    what = f"baseline {gate.baseline}"
    if bars:
        noun = "bar" if len(bars) == 1 else "bars"
        what = f"{noun} {', '.join(bars)}"
    title = f"{name}: {one}{what}"
    judged = table(title, fields, [Judged(gate, verdict) for verdict in shown])
    return replace(judged, levels=levels_of(gate))


def _means_of_sides(gate: Gate) -> list[Field]:
    """Return the fields with the mean of each side, headed by its name where that is short."""
    baseline = BASELINE_MEAN
    if len(gate.baseline) <= LONGEST_HEADING:
        baseline = replace(baseline, heading=gate.baseline)
    candidate = CANDIDATE_MEAN
    if len(gate.candidates) == 1 and len(gate.candidates[0]) <= LONGEST_HEADING:
        candidate = replace(candidate, heading=gate.candidates[0])
    return [baseline, candidate]


def _shown_claims(gate: Gate) -> list[Verdict]:
    """Return the claims to show, the worst first; of many, the averages and the worst ones."""
    if len(gate.verdicts) <= MOST_CLAIMS:
        return gate.worst_first
    doubts = [v for v in gate.worst_first if v.dataset is not None and v.outcome != "pass"]
    kept = {id(v) for v in doubts[: MOST_CLAIMS // 2]}
    return [v for v in gate.worst_first if v.dataset is None or id(v) in kept][:TOP]


def _ropes(metrics: Mapping[Metric, Rope]) -> str:
    """Return the ropes of metrics that have a name as text."""
    words = []
    for metric, rope in metrics.items():
        if metric.name:
            direction = " (lower)" if metric.less_is_better else ""
            width = rope.describe().removeprefix("rope ")
            if metric.relative is not None:
                width = f"±{100 * metric.relative:g} %"
            words.append(f"{metric.name}{direction} {width}")
    if not words:
        return ""
    title = "rope" if len(words) == 1 else "ropes"
    return f"{title}: {', '.join(words)}"


def settings_of(gate: Gate) -> str:
    """Return the rule if it is not the default, and the settings of the comparisons."""
    rule = gate.rule
    usual = GateRule()
    several = len(gate.verdicts) > 1 and rule.require != usual.require
    parts = []
    if rule.describe() != usual.describe():
        parts.append(rule.describe())
    if rule.undecided == "fail":
        parts.append(arg("fail_if", "undecided"))
    elif rule.undecided != usual.undecided:
        parts.append(f"undecided: {rule.undecided}")
    if several:
        parts.append(f"require {rule.require}")
    ropes = [study.rope for study in gate.studies]
    comparisons = settings_line(
        gate.study,
        _ropes(dict(zip(gate.metrics, ropes, strict=True))),
        lower="" if gate.metrics[0].name else "lower is better",
        title=EXACT_SHARE if _is_share(gate) else "",
    )
    parts.append(comparisons)
    return " · ".join(parts)


def _is_share(gate: Gate) -> bool:
    """Return whether answers that are right or wrong are compared with a bar."""
    scores = gate.study.scores
    bars = [metric.bar for metric in gate.metrics]
    answers = [k for k, name in enumerate(scores.classifiers) if name != BAR]
    return (
        None not in bars
        and scores.unit.has_answers
        and all(is_binary(dataset.of(answers)) for dataset in scores.datasets)
    )


SHARES = (
    Field("of"),
    Field("splits", kind="count"),
    Field("distinct", lambda check: min(check.distinct, check.splits), "count"),
    Field("repeated", kind="truth"),
    *(Field(key, kind="probability") for key in ("worse", "better", "equivalent", "undecided")),
    Field("allowed", "rule.alpha", "probability"),
    Field("tolerated", kind="probability"),
)


def build_self_check_report(check: "SelfCheck", name: str = NAME) -> Report:
    """Return a table of the gate's verdicts, and whether it can be trusted."""
    title = check.method.title_for(check.scores.unit)
    summary = _false_alarms(check)
    shares = {
        "worse: a false alarm": check.worse,
        "better: a false alarm": check.better,
        "equivalent": check.equivalent,
        "undecided": check.undecided,
    }
    rows = [(outcome, f"{share:.3f}") for outcome, share in shares.items()]
    columns = (Column("the gate would have said"), Column("share of cases", "figure"))
    few = f" ({check.distinct:,} different)" if check.distinct < check.splits else ""
    cases = f"{check.splits:,} cases{few} from {check.of}"
    return Report(
        tables=(Table(f"{name}: {check.baseline} against itself, {cases}", columns, rows),),
        sentences=(summary,),
        settings=joined(
            title,
            _ropes(check.ropes) or check.rope.describe(),
            f"decided above {check.rule.prob:g}",
        ),
        context=lambda: ("Verdicts", f" by the {title}{irrelevant(check.rope)}"),
        document=lambda: _self_check_document(check, name, summary),
        rows=lambda: record_rows([record(SHARES, check)]),
        names=check.scores.classifiers,
    )


def _self_check_document(check: "SelfCheck", name: str, summary: str) -> Record:
    """Return the JSON document of a self-check, with its outcome as that of a claim."""
    verdict = {
        "candidate": check.baseline,
        "dataset": None,
        "outcome": check.outcome,
        "level": loudness(check.outcome, check.rule, passed=check.passed),
        "sentence": printable(summary),
    }
    return {
        **_head(name, check.outcome, check.exit_code, summary),
        "baseline": check.baseline,
        "self_check": record(SHARES, check),
        "verdicts": [verdict],
        "settings": {
            "test": check.method.name,
            "unit": check.scores.unit,
            "alpha": check.rule.alpha,
            "fail_if": check.rule.fail_if,
            "rope": [check.rope.low, check.rope.high],
        },
        "input": input_record(check.scores),
        "failed": [],
        "notes": [],
    }


def _false_alarms(check: "SelfCheck") -> str:
    """Return the outcome in a sentence."""
    allowed = f"at most {100 * check.rule.alpha:.3g} % are promised"
    false = f"{100 * check.false_alarms:.1f} % false alarms"
    share = f"{false} in {check.splits:,} cases, averaged over both directions"
    if check.outcome == "undecided":
        return (
            f"undecided: {share}; {allowed}, but this may be chance, with only "
            f"{number_of(check.distinct, 'different case')}: run {check.baseline} more often"
        )
    if check.outcome == "pass":
        words = f"passed: {share}; {allowed}"
        return words if check.repeated else f"{words}. {_blind_spot(check)}"
    if check.whole_runs:
        return (
            f"failed: {share}; {allowed}: whole runs differ by more than the scores within one run "
            "show. Judge by several runs of the baseline, as files of one folder: main=FOLDER/"
        )
    return (
        f"failed: {share}; {allowed}. Chance explains at most {100 * check.tolerated:.1f} %: this "
        "gate is noisier than its threshold says. Are the rows read correctly "
        f"({arg('item_col')}, {arg('seed_col')}, {arg('cluster_col')}, {arg('rho')})?"
    )


def _blind_spot(check: "SelfCheck") -> str:
    """Return what halves of one run cannot show, and what could."""
    rows = check.scores.unit.rows
    again = "NAME" if check.baseline == "again" else "again"
    options = f"{again}=FILE --baseline {quote(check.baseline)} --candidate {again}"
    return (
        f"The check cannot see what all {rows} of one run share, such as a slow machine: run "
        f"{check.baseline} again as a whole, and judge that file, too: "
        + spelled(options, f"self_check(scores, candidate=[{again!r}])")
    )
