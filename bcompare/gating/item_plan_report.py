"""Report how many runs name one item that broke."""

from bcompare.basis.messages import Record, number_of
from bcompare.gating.item_plan import BROKEN, ItemChance, ItemPlan
from bcompare.gating.plan import ENOUGH
from bcompare.report.fields import Field, head, record, record_rows, table
from bcompare.report.input_record import input_record
from bcompare.report.pair_report import Report
from bcompare.report.sentences import joined

CHANCE = (
    Field("baseline_runs", kind="count"),
    Field("candidate_runs", kind="count"),
    Field("named", kind="probability"),
    Field("others", kind="probability"),
)


def build_item_plan_report(plan: ItemPlan) -> Report:
    """Return a table with a row for each number of runs."""
    gate = plan.judged
    (candidate,) = gate.candidates
    fields = (
        Field("", "baseline_runs", "count", f"runs of {gate.baseline}"),
        Field("", "candidate_runs", "count", f"runs of {candidate}"),
        Field("", "named", "probability", "names it", decimals=2),
        Field("", "others", "probability", "if nothing broke", decimals=2),
    )
    where = f" in {plan.metric}" if plan.metric else ""
    items = number_of(plan.items, "item")
    title = f"How probable it is that a gate names one of {items}{where} that broke"
    reading = (
        f"an item that {gate.baseline} always passed now passes with probability {BROKEN:g}; "
        "if nothing broke: that any item is named · bcompare explain broken"
    )
    simulations = f"{plan.replicates:,} simulations"
    return Report(
        tables=(table(title, fields, plan.rows),),
        sentences=(_sentence(plan, equal=False), _sentence(plan, equal=True)),
        reading=reading,
        settings=joined(simulations, f"seed {plan.seed}", f"alpha {gate.rule.alpha:g}"),
        notes=gate.notes,
        names=gate.study.scores.classifiers,
        document=lambda: _document(plan),
        rows=lambda: record_rows([record(CHANCE, row) for row in plan.rows]),
    )


def _document(plan: ItemPlan) -> Record:
    """Return the JSON document."""
    gate = plan.judged
    return {
        **head("plan"),
        "settings": {
            "now": plan.now,
            "items": plan.items,
            "metric": plan.metric or None,
            "alpha": gate.rule.alpha,
            "replicates": plan.replicates,
            "seed": plan.seed,
        },
        "input": input_record(gate.study.scores),
        "broken": [record(CHANCE, row) for row in plan.rows],
        "fewest": _runs(plan.fewest(equal=False)),
        "fewest_of_both": _runs(plan.fewest(equal=True)),
        "notes": [note.record() for note in gate.notes],
    }


def _runs(row: ItemChance | None) -> int | None:
    """Return the number of the candidate's runs."""
    return None if row is None else row.candidate_runs


def _sentence(plan: ItemPlan, *, equal: bool) -> str:
    """Return how many runs suffice."""
    fewest = plan.fewest(equal=equal)
    if fewest is not None:
        runs = number_of(fewest.candidate_runs, "run")
        of_whom = "of both sides" if equal else f"beside {plan.now} of {plan.judged.baseline}"
        verb = "names" if fewest.candidate_runs == 1 else "name"
        return f"{runs} {of_whom} {verb} an item that broke with probability {ENOUGH:g}"
    tried = [row.candidate_runs for row in plan.rows if equal or row.baseline_runs == plan.now]
    if not tried:
        return f"{plan.judged.baseline} has one run, which names no item: run it more often"
    most = number_of(max(tried), "run")
    of_whom = "of both sides" if equal else f"beside {plan.now} of {plan.judged.baseline}"
    return f"not even {most} {of_whom} name an item that broke with probability {ENOUGH:g}"
