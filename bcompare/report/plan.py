"""The report of a plan: how probable each verdict is with more data, or under assumed values."""

from collections.abc import Iterator
from typing import Any

from bcompare.planning.cases import Amount
from bcompare.planning.outlook import Outlook, Plan, Prospect
from bcompare.planning.power import ENOUGH, Power
from bcompare.report.build import Report
from bcompare.report.document import SCHEMA_VERSION, input_record, plain
from bcompare.report.number import decimals_for, difference, probability
from bcompare.report.rows import record_rows
from bcompare.report.table import Cell, Column, Table
from bcompare.report.words import number_of, settings_line, verdict
from bcompare.version import __version__

# So many futures carry a third decimal.
MANY = 1000


def build_plan_report(plan: Plan) -> Report:
    """A table a verdict."""
    return Report(
        tables=tuple(_table(outlook, plan.replicates) for outlook in plan.outlooks),
        sentences=tuple(line for outlook in plan.outlooks for line in _sentences(outlook)),
        hints=(),
        settings=" · ".join((_simulated(plan), settings_line(plan.study))),
        notes=plan.study.notes,
        document=lambda: plan_document(plan),
        rows=lambda: record_rows([row for outlook in plan.outlooks for row in _rows(outlook)]),
    )


def plan_document(plan: Plan) -> dict[str, Any]:
    """Return the JSON contract."""
    study = plan.study
    return {
        "schema_version": SCHEMA_VERSION,
        "bcompare": __version__,
        "command": "plan",
        "settings": {
            "test": study.method.name,
            "unit": study.scores.unit,
            "rope": [study.rope.low, study.rope.high],
            "prob": plan.prob,
            "replicates": plan.replicates,
            "seed": plan.seed,
            "lower_is_better": study.scores.lower_is_better,
        },
        "input": input_record(study.scores),
        "outlooks": [_record(outlook) for outlook in plan.outlooks],
        "failed": [failure.record() for failure in study.failures],
        "notes": [note.record() for note in study.notes],
    }


def build_power_report(power: Power) -> Report:
    """One table, a design a row."""
    return Report(
        tables=(_power_table(power),),
        sentences=(_assumptions(power),),
        hints=(),
        settings=_power_settings(power),
        notes=(),
        document=lambda: power_document(power),
        rows=lambda: record_rows(_power_rows(power)),
    )


def power_document(power: Power) -> dict[str, Any]:
    """Return the JSON contract."""
    assumed = {
        name: value
        for name, value in plain(power.assumed).items()
        if name not in ("sets", *(("n",) if power.assumed.unit == "item" else ()))
    }
    return {
        "schema_version": SCHEMA_VERSION,
        "bcompare": __version__,
        "command": "plan",
        "settings": {
            "test": power.method.name,
            "rope": [power.rope.low, power.rope.high],
            "prob": power.prob,
            "replicates": power.replicates,
            "seed": power.seed,
        },
        "assumed": assumed,
        "designs": _power_rows(power),
    }


def _simulated(plan: Plan) -> str:
    worst = max(p.error for outlook in plan.outlooks for p in outlook.prospects)
    futures = f"{plan.replicates:,} futures of each size"
    return f"{futures} · Monte Carlo error up to {worst:.1g} · seed {plan.seed}"


def _table(outlook: Outlook, replicates: int) -> Table:
    case = outlook.case
    where = "" if case.dataset is None else f" on {case.dataset}"
    columns = (
        Column("with"), Column("in all", "figure"), Column(f"{case.left} better", "figure"),
        Column("equivalent", "figure"), Column(f"{case.right} better", "figure"),
        Column("undecided", "figure"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        (
            p.amount.of,
            count(p.amount),
            *(share(x, replicates) for x in (p.left, p.rope, p.right, p.undecided)),
        )
        for p in outlook.prospects
    ]
    title = f"{case.left} – {case.right}{where}: how probable each verdict is with more data"
    return Table(title, columns, rows)


def count(amount: Amount) -> str:
    """Return how many, in words."""
    return "any number" if amount.count is None else f"{amount.count:,}"


def share(value: float, replicates: int) -> str:
    """Return a share of so many futures: one that none or all had is not quite 0 or 1."""
    if replicates >= MANY:
        return probability(min(max(value, 1e-9), 1 - 1e-9))
    least = max(1 / replicates, 0.01)
    if value < least / 2:
        return f"<{least:.2f}"
    return f">{1 - least:.2f}" if value > 1 - least / 2 else f"{value:.2f}"


def _sentences(outlook: Outlook) -> Iterator[str]:
    case = outlook.case
    where = "" if case.dataset is None else f" on {case.dataset}"
    held = [] if case.dataset is not None else [number_of(len(case.now), "data set")]
    if case.scores is not None:
        held.append(f"{case.scores.count:,} {case.scores.of}")
    said = verdict(case.decision, case.left, case.right)
    yield f"{case.left} – {case.right}{where}: now {said}, with {' and '.join(held)}"
    if case.floor is not None and case.floor > 0:
        error = float(case.now.standard_error[0])
        digits = decimals_for(error)
        floor, now = (difference(x, digits).lstrip("+") for x in (case.floor, error))
        yield (
            f"No number of runs brings the standard error of the mean difference, now {now}, "
            f"below {floor}: √(σ̂² ρ/(1 − ρ))"
        )


def _rows(outlook: Outlook) -> list[dict[str, Any]]:
    case = outlook.case
    return [
        {"left": case.left, "right": case.right, "dataset": case.dataset, **_prospect(p)}
        for p in outlook.prospects
    ]


def _record(outlook: Outlook) -> dict[str, Any]:
    case = outlook.case
    return {
        "left": case.left,
        "right": case.right,
        "dataset": case.dataset,
        "decision": case.decision,
        "n_datasets": len(case.now),
        "scores": None if case.scores is None else plain(case.scores),
        "floor": case.floor,
        "prospects": [_prospect(p) for p in outlook.prospects],
    }


def _prospect(p: Prospect) -> dict[str, Any]:
    return {
        "of": p.amount.of,
        "count": p.amount.count,
        "left_better": p.left,
        "equivalent": p.rope,
        "right_better": p.right,
        "undecided": p.undecided,
        "error": p.error,
    }


def _power_rows(power: Power) -> list[dict[str, Any]]:
    return [{**_prospect(d.prospect), "smallest_effect": d.smallest} for d in power.designs]


def _power_table(power: Power) -> Table:
    digits = decimals_for(power.assumed.sd) + 1
    columns = (
        Column(power.designs[0].prospect.amount.of, "figure"), Column("better", "figure"),
        Column("equivalent", "figure"), Column("worse", "figure"),
        Column("undecided", "figure"), Column("smallest effect found", "figure"),
    )  # fmt: skip
    rows: list[tuple[Cell, ...]] = [
        (
            count(d.prospect.amount),
            *(
                share(x, power.replicates)
                for x in (d.prospect.right, d.prospect.rope, d.prospect.left, d.prospect.undecided)
            ),
            "–" if d.smallest is None else difference(d.smallest, digits).lstrip("+"),
        )
        for d in power.designs
    ]  # fmt: skip
    effect = f"{power.assumed.effect:g}"
    return Table(f"How probable each verdict is if the effect is {effect}", columns, rows)


def _assumptions(power: Power) -> str:
    a = power.assumed
    smallest = f"Smallest effect found: better in {probability(ENOUGH).rstrip('0')} of all cases"
    if a.unit == "item":
        return f"Differences on single items scatter by {a.sd:g}. {smallest}"
    return (
        f"Data sets' differences scatter by {a.sd:g}, those of the {a.n} scores on a data set by "
        f"{a.noise:g}. {smallest}"
    )


def _power_settings(power: Power) -> str:
    worst = max(design.prospect.error for design in power.designs)
    rope, a = power.rope, power.assumed
    parts = [
        f"{power.replicates:,} results of each size",
        f"Monte Carlo error up to {worst:.1g}",
        f"seed {power.seed}",
        power.method.title,
        "no rope" if rope.is_empty else f"rope [{rope.low:g}, {rope.high:g}]",
        *([] if a.unit == "item" else [f"ρ {a.rho:g}"]),
        f"decided above {power.prob:g}",
        f"bcompare {__version__}",
    ]
    return " · ".join(parts)
