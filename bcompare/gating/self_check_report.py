"""Report a gate's self-check."""

from bcompare.basis.arguments import arg, spelled
from bcompare.basis.notes import number_of
from bcompare.basis.printable import printable
from bcompare.basis.records import Record
from bcompare.gating.report import NAME, gate_head
from bcompare.gating.self_check import SelfCheck
from bcompare.gating.words import loudness
from bcompare.report.build import Report
from bcompare.report.comparisons import input_record
from bcompare.report.fields import Field, record
from bcompare.report.paper import irrelevant
from bcompare.report.rows import record_rows
from bcompare.report.table import Column, Table
from bcompare.report.words import joined

SHARES = (
    Field("of"),
    Field("splits", kind="count"),
    Field("distinct", lambda check: min(check.distinct, check.splits), "count"),
    Field("repeated", kind="truth"),
    *(Field(key, kind="probability") for key in ("worse", "better", "equivalent", "undecided")),
    *(Field(key, kind="probability") for key in ("allowed", "tolerated")),
)


def build_self_check_report(check: SelfCheck, name: str = NAME) -> Report:
    """Return a table of the gate's verdicts, and whether it can be trusted."""
    title = check.method.title_for(check.scores.unit)
    return Report(
        tables=(_table(check, name),),
        sentences=(summary_of(check),),
        settings=joined(
            title,
            check.rope.describe(),
            f"decided above {check.rule.prob:g}",
        ),
        context=("Verdicts", f" by the {title}{irrelevant(check.rope)}"),
        document=lambda: self_check_document(check, name),
        rows=lambda: record_rows([record(SHARES, check)]),
        names=check.scores.classifiers,
    )


def self_check_document(check: SelfCheck, name: str) -> Record:
    """Return the JSON document, in the form of a gate's with one verdict."""
    summary = printable(summary_of(check))
    return {
        **gate_head(name, check.outcome, check.exit_code, summary),
        "baseline": check.baseline,
        "self_check": record(SHARES, check),
        "verdicts": [
            {
                "candidate": check.baseline,
                "dataset": None,
                "outcome": check.outcome,
                "level": loudness(check.outcome, check.rule, passed=check.passed),
                "sentence": summary,
            }
        ],
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


def summary_of(check: SelfCheck) -> str:
    """Return the outcome in a sentence."""
    allowed = f"at most {check.allowed:.3g} is promised"
    false = f"false alarms in {check.false_alarms:.3f}"
    share = f"{false} of {check.splits:,} cases, averaged over both directions"
    if check.outcome == "undecided":
        return (
            f"undecided: {share}; {allowed}, but this may be chance, with only "
            f"{number_of(check.distinct, 'different case')}: run {check.baseline} more often"
        )
    if check.outcome == "pass":
        words = f"passed: {share}; {allowed}"
        return words if check.repeated else f"{words}. {blind_spot(check)}"
    if check.whole_runs:
        return (
            f"failed: {share}; {allowed}: runs differ as a whole, by more than the scores within "
            "one show. Judge by several runs of the baseline, as files of one folder: main=FOLDER/"
        )
    return (
        f"failed: {share}; {allowed}. Chance explains at most {check.tolerated:.3f}: this gate is "
        "noisier than its threshold says. Are the rows read correctly "
        f"({arg('item_col')}, {arg('seed_col')}, {arg('cluster_col')}, {arg('rho')})?"
    )


def cases_of(check: SelfCheck) -> str:
    """Return the number of cases judged, and of distinct ones if there are fewer."""
    few = f" ({check.distinct:,} different)" if check.distinct < check.splits else ""
    return f"{check.splits:,} cases{few}"


def blind_spot(check: SelfCheck) -> str:
    """Return what halves of one run cannot show, and what could."""
    rows = check.scores.unit.rows
    again = "NAME" if check.baseline == "again" else "again"
    return (
        f"It cannot see what all or some {rows} of one run share, such as a machine or a passage: "
        f"run {check.baseline} again as a whole, and judge that by "
        + spelled(
            f"{again}=FILE --candidate {again}",
            f"self_check(scores, candidate=[{again!r}])",
        )
    )


def _table(check: SelfCheck, name: str) -> Table:
    shares = (
        ("worse: a false alarm", check.worse),
        ("better: a false alarm", check.better),
        ("equivalent", check.equivalent),
        ("undecided", check.undecided),
    )
    rows = [(outcome, f"{share:.3f}") for outcome, share in shares]
    columns = (Column("the gate would have said"), Column("share of cases", "figure"))
    title = f"{name}: {check.baseline} against itself, {cases_of(check)} from {check.of}"
    return Table(title, columns, rows)
