"""Report the plan of a gate: the probability of each verdict with so many scores."""

from bcompare.basis.messages import number_of
from bcompare.gating.plan import ENOUGH, GatePlan, LossShares
from bcompare.gating.report import settings_of
from bcompare.planning.report import verdicts
from bcompare.report.fields import Field, head, own_fields, record, record_rows, table
from bcompare.report.input_record import input_record
from bcompare.report.pair_report import Report
from bcompare.report.paper import context_of


def _change(row: LossShares) -> str:
    return "no change" if row.loss is None else row.loss.describe()


ROW = (
    Field("count", kind="count"),
    Field("change", _change),
    Field("metric", lambda row: row.loss and row.loss.metric.name, nullable=True),
    Field("loss", lambda row: row.loss and row.loss.size, "number", nullable=True),
    Field("fail", kind="probability"),
    Field("undecided", kind="probability"),
    Field("pass", "passed", "probability"),
)
HEADINGS = {"fail": "fails", "undecided": "undecided", "passed": "passes"}


def build_gate_plan_report(plan: GatePlan) -> Report:
    """Return one table with a row for each number of scores and each change."""
    gate = plan.judged
    fields = (
        Field("", "count", "count", plan.of),
        Field("", _change, heading="truth"),
        *verdicts(plan.replicates, HEADINGS),
    )
    now = _amount(plan, plan.now)
    several = len(gate.study.scores.datasets) > 1
    alike = ", if every data set changes alike" if several else ""
    where = " on the median data set" if several else ""
    title = f"How probable each verdict of the gate is{alike} ({now}{where} now)"
    worst = max((r.fail * (1 - r.fail) / plan.replicates) ** 0.5 for r in plan.rows)
    return Report(
        tables=(table(title, fields, plan.rows),),
        sentences=(_no_change(plan), *(_sentence(plan, k) for k in range(len(plan.losses)))),
        reading=(
            f"each figure is the share of {plan.replicates:,} simulated changes "
            f"that end in this verdict, with a standard error of up to {max(worst, 0.01):.1g} · "
            "bcompare explain plan-gate"
        ),
        settings=f"{plan.replicates:,} simulations, seed {plan.seed} · {settings_of(gate)}",
        # how few there are now is what the plan is about
        notes=tuple(note for note in gate.notes if note.code != "few-folds"),
        context=lambda: context_of(gate.study),
        names=gate.study.scores.classifiers,
        document=lambda: {
            **head("plan"),
            "settings": {
                "test": gate.study.method.name,
                "unit": gate.study.scores.unit,
                "of": plan.of,
                "now": plan.now,
                "alpha": gate.rule.alpha,
                "fail_if": gate.rule.fail_if,
                "metrics": [own_fields(metric) for metric in gate.metrics],
                "replicates": plan.replicates,
                "seed": plan.seed,
            },
            "input": input_record(gate.study.scores),
            "gates": [record(ROW, row) for row in plan.rows],
            "fewest": [
                {"loss": loss.describe(), "count": plan.fewest(loss)} for loss in plan.losses
            ],
            "notes": [note.record() for note in gate.notes],
        },
        rows=lambda: record_rows([record(ROW, row) for row in plan.rows]),
    )


def _no_change(plan: GatePlan) -> str:
    passing = [row.count for row in plan.rows if row.loss is None and row.passed >= ENOUGH]
    if not passing:
        most = _amount(plan, plan.rows[-1].count)
        return f"no change: not even {most} pass with probability {ENOUGH:g}"
    one = passing[0] == 1
    return f"no change: {_amount(plan, passing[0])} pass{'es' * one} with probability {ENOUGH:g}"


def _amount(plan: GatePlan, count: int) -> str:
    """Return a number of runs, seeds or items in words."""
    return number_of(count, plan.of.removesuffix("s"))


def _sentence(plan: GatePlan, k: int) -> str:
    loss = plan.losses[k]
    studies = zip(plan.judged.metrics, plan.judged.studies, strict=True)
    if any(loss.size <= -study.rope.low for m, study in studies if m == loss.metric):
        return f"{loss.describe()} is within the rope, so that the gate should pass"
    fewest, most = plan.fewest(loss), plan.rows[-1].count
    if fewest is None:
        return f"{loss.describe()}: not even {most:,} {plan.of} find it with probability {ENOUGH:g}"
    at_least = fewest == plan.rows[0].count
    count = _amount(plan, fewest)
    return (
        f"{loss.describe()}: {count} find{'s' * (fewest == 1)} it with probability {ENOUGH:g}"
        + (" or more" if at_least else "")
    )
