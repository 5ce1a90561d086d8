"""Report the plan of a gate: the probability of each verdict with so many scores."""

from bcompare.basis.messages import Record, number_of
from bcompare.gating.few_rows import FEW, RARE
from bcompare.gating.plan import ENOUGH, GatePlan, Loss, LossShares
from bcompare.gating.report import fields_of_metric, settings_of
from bcompare.planning.report import verdicts
from bcompare.report.fields import Field, head, record, record_rows, table
from bcompare.report.input_record import input_record
from bcompare.report.pair_report import Report
from bcompare.report.paper import context_of

NO_CHANGE, AT_BAR = "no change", "at the bar"


def _no_loss(plan: GatePlan) -> str:
    """Return what is true without a loss, in words."""
    has_bar = any(metric.bar is not None for metric in plan.judged.metrics)
    return AT_BAR if has_bar else NO_CHANGE


ROW = (
    Field("count", kind="count"),
    Field("change", lambda row: NO_CHANGE if row.loss is None else row.loss.describe()),
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

    def truth(row: LossShares) -> str:
        return _no_loss(plan) if row.loss is None else row.loss.describe()

    fields = (
        Field("", "count", "count", plan.of),
        Field("", truth, heading="truth"),
        *verdicts(plan.replicates, HEADINGS),
    )
    now = _amount(plan, plan.now)
    several = len(gate.study.scores.datasets) > 1
    alike = ", if every data set changes alike" if several else ""
    where = " on the median data set" if several else ""
    title = f"How probable each verdict of the gate is{alike} ({now}{where} now)"
    worst = max((r.fail * (1 - r.fail) / plan.replicates) ** 0.5 for r in plan.rows)
    reading = (
        f"each figure is the share of {plan.replicates:,} simulated changes "
        f"that end in this verdict, with a standard error of up to {max(worst, 0.01):.1g} · "
        "bcompare explain plan-gate"
    )
    # how few there are now is what the plan is about
    notes = [note for note in gate.notes if note.code not in (FEW, RARE)]
    return Report(
        tables=(table(title, fields, plan.rows),),
        sentences=tuple(_sentence(plan, loss) for loss in (None, *plan.losses)),
        reading=reading,
        settings=f"{plan.replicates:,} simulations, seed {plan.seed} · {settings_of(gate)}",
        notes=tuple(notes),
        context=lambda: context_of(gate.study),
        names=gate.study.scores.classifiers,
        document=lambda: _document(plan),
        rows=lambda: record_rows([record(ROW, row) for row in plan.rows]),
    )


def _document(plan: GatePlan) -> Record:
    """Return the JSON document."""
    gate = plan.judged
    return {
        **head("plan"),
        "settings": {
            "test": gate.study.method.name,
            "unit": gate.study.scores.unit,
            "of": plan.of,
            "now": plan.now,
            "alpha": gate.rule.alpha,
            "fail_if": gate.rule.fail_if,
            "metrics": [fields_of_metric(metric) for metric in gate.metrics],
            "replicates": plan.replicates,
            "seed": plan.seed,
        },
        "input": input_record(gate.study.scores),
        "gates": [record(ROW, row) for row in plan.rows],
        "fewest": [_fewest(plan, loss) for loss in plan.losses],
        "fewest_without_change": _fewest(plan, None),
        "notes": [note.record() for note in gate.notes],
    }


def _fewest(plan: GatePlan, loss: Loss | None) -> Record:
    """Return the numbers that suffice, by what is known of the spread, and by its ends."""
    return {
        "loss": None if loss is None else loss.describe(),
        "count": plan.fewest(loss),
        "least": plan.fewest(loss, "least"),
        "most": plan.fewest(loss, "most"),
    }


def _amount(plan: GatePlan, count: int) -> str:
    """Return a number of runs, seeds or items in words."""
    return number_of(count, plan.of.removesuffix("s"))


def _sentence(plan: GatePlan, loss: Loss | None) -> str:
    """Return how many scores suffice, and the range that the pilot leaves open."""
    what = _no_loss(plan) if loss is None else loss.describe()
    if loss is not None and _is_within_rope(plan, loss):
        return f"{what} is within the rope, so that the gate should pass"
    fewest = plan.fewest(loss)
    count = _amount(plan, plan.rows[-1].count if fewest is None else fewest)
    ending = "" if loss is None else " it"
    verb = "pass" if loss is None else "find"
    if fewest == 1:
        verb = "passes" if loss is None else "finds"
    subject = f"not even {count}" if fewest is None else count
    words = f"{what}: {subject} {verb}{ending} with probability {ENOUGH:g}"
    if fewest == plan.rows[0].count:
        words += " or more"
    return f"{words}. {_range(plan, loss)}"


def _is_within_rope(plan: GatePlan, loss: Loss) -> bool:
    """Return whether a loss does not matter by the rope of its metric."""
    for metric, study in zip(plan.judged.metrics, plan.judged.studies, strict=True):
        if metric == loss.metric and loss.size <= -study.rope.low:
            return True
    return False


def _range(plan: GatePlan, loss: Loss | None) -> str:
    """Return the numbers that may suffice, as so few scores know their spread badly."""
    least = plan.fewest(loss, "least")
    most = plan.fewest(loss, "most")
    tried = max(row.count for row in (*plan.rows, *plan.ends))
    noun = plan.of.removesuffix("s")
    pilot = f"A pilot of {_amount(plan, plan.now)}"
    if least is None:
        return f"Nor do they with the least spread that {pilot.lower()} leaves open"
    if most is None:
        return f"{pilot} leaves open {least:,} to more than {tried:,}"
    if least == most:
        return f"{pilot} leaves no other number open"
    return f"{pilot} leaves open {least:,} to {number_of(most, noun)}"
