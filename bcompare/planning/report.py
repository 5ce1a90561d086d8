"""Report a plan: the probability of each verdict with more data, or under assumed values."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from operator import attrgetter

from bcompare.basis.messages import Record, number_of
from bcompare.comparing.decision import Threshold
from bcompare.planning.outlook import Amount, Outlook, Plan, Prospect
from bcompare.planning.power import ENOUGH, AnytimePlan, Design, Power
from bcompare.report.fields import Field, Rows, head, plain, record, record_rows, table
from bcompare.report.input_record import input_record, reading_record
from bcompare.report.pair_report import Report
from bcompare.report.paper import context_of, irrelevant
from bcompare.report.sentences import against, joined, settings_line, verdict
from bcompare.report.table import Table, decimals_for, probability, unsigned

# Fewer simulations do not justify a third decimal.
MANY = 1000


PROSPECT = (
    Field("of", "amount.of"),
    Field("count", "amount.count", "count", nullable=True),
    Field("left_better", "left", "probability"),
    Field("equivalent", "rope", "probability"),
    Field("right_better", "right", "probability"),
    Field("undecided", kind="probability"),
    Field("error", kind="number"),
)
PAIR = (
    Field("left", "case.left"),
    Field("right", "case.right"),
    Field("dataset", "case.dataset", nullable=True),
)
OUTLOOK = (
    *PAIR,
    Field("decision", "case.decision", "decision"),
    Field("n_datasets", lambda outlook: len(outlook.case.now), "count"),
    Field("scores", "case.scores", "object", nullable=True),
    Field("prospects", lambda o: [record(PROSPECT, p) for p in o.prospects], "records"),
)
DESIGN = (
    *(replace(field, of=f"prospect.{field.of or field.key}") for field in PROSPECT),
    Field("smallest_effect", "smallest", "number", nullable=True),
)
ASSUMED = ("effect", "sd", "noise", "n", "rho", "unit")
# The shares of a plan of bets: of those that end so, and of those at one look at the end.
BETS = {"worse": "worse", "not_worse": "not worse", "go_on": "go on"}
AT_END = {"end_worse": "at the end: worse", "end_not_worse": "at the end: not worse"}
COURSE = (
    Field("effect", kind="number"),
    Field("budget", kind="count"),
    *(Field(key, kind="probability") for key in BETS),
    Field("items", kind="number"),
    *(Field(key, kind="probability") for key in AT_END),
    Field("error", kind="number"),
)


def build_plan_report(plan: Plan) -> Report:
    """Return a table with a row for each amount of further data."""
    study = plan.study
    assumed = "true differences spread as on these data sets"
    if all(outlook.case.spread is None for outlook in plan.outlooks):
        assumed = "any true difference equally probable beforehand"
    undecided = [outlook for outlook in plan.outlooks if outlook.case.decision == "none"]
    prospects = [prospect for outlook in plan.outlooks for prospect in outlook.prospects]
    return Report(
        tables=tuple(_table(outlook, plan.replicates) for outlook in undecided or plan.outlooks),
        lead=tuple(_sentence(outlook, plan) for outlook in plan.outlooks),
        reading=_reading(plan.replicates, prospects),
        settings=f"{_drawn(plan)} · {assumed} · {settings_line(study)}",
        notes=study.notes,
        context=lambda: context_of(study),
        names=study.scores.classifiers,
        document=lambda: _plan_document(plan),
        rows=lambda: _plan_rows(plan),
    )


def _plan_document(plan: Plan) -> Record:
    """Return the JSON document of a plan."""
    study = plan.study
    scores = study.scores
    return {
        **head("plan"),
        "settings": {
            "test": study.method.name,
            "unit": scores.unit,
            "rope": [study.rope.low, study.rope.high],
            "alpha": plan.alpha,
            "replicates": plan.replicates,
            "seed": plan.seed,
            "lower_is_better": scores.lower_is_better,
            **reading_record(scores),
        },
        "input": input_record(scores),
        "outlooks": [record(OUTLOOK, outlook) for outlook in plan.outlooks],
        "failed": [failure.record() for failure in study.failures],
        "notes": [note.record() for note in study.notes],
    }


def _plan_rows(plan: Plan) -> Rows:
    """Return a flat row for each pair and amount of data."""
    rows = []
    for outlook in plan.outlooks:
        pair = record(PAIR, outlook)
        rows += [pair | record(PROSPECT, prospect) for prospect in outlook.prospects]
    return record_rows(rows)


def build_power_report(power: Power) -> Report:
    """Return one table with a row for each design."""
    rope = power.rope
    assumed = power.assumed
    designs = power.designs
    title = power.method.title_for(assumed.unit)
    digits = decimals_for(assumed.sd) + 1

    def smallest(design: Design) -> str:
        return "–" if design.smallest is None else unsigned(design.smallest, digits)

    headings = {"right": "better", "rope": "equivalent", "left": "worse", "undecided": "undecided"}
    fields = (
        Field("", lambda d: count(d.prospect.amount), "figure", designs[0].prospect.amount.of),
        *verdicts(power.replicates, headings, "prospect."),
        Field("", smallest, "figure", "smallest effect found"),
    )
    of_what = f"How probable each verdict is if the effect is {assumed.effect:g}"
    prospects = [design.prospect for design in designs]
    settings = joined(
        _drawn(power),
        title,
        rope.describe(),
        f"ρ {assumed.rho:g}" if assumed.unit.has_folds else "",
        Threshold(power.alpha).describe(),
    )
    return Report(
        tables=(table(of_what, fields, designs),),
        sentences=(_enough(prospects).capitalize(), _assumptions(power)),
        reading=_reading(power.replicates, prospects),
        settings=settings,
        context=lambda: (
            f"{power.replicates:,} simulated results of each size",
            f", compared by the {title}{irrelevant(rope)}",
        ),
        document=lambda: _power_document(power),
        rows=lambda: record_rows([record(DESIGN, design) for design in designs]),
    )


def _power_document(power: Power) -> Record:
    """Return the JSON document of simulated designs."""
    return {
        **head("plan"),
        "settings": {
            "test": power.method.name,
            "rope": [power.rope.low, power.rope.high],
            "alpha": power.alpha,
            "replicates": power.replicates,
            "seed": power.seed,
        },
        "assumed": _assumed(power),
        "designs": [record(DESIGN, design) for design in power.designs],
    }


def _assumed(power: Power) -> Record:
    """Return the assumed values for JSON."""
    assumed = power.assumed
    record = {name: plain(getattr(assumed, name)) for name in ASSUMED}
    if not assumed.unit.has_folds:  # their number is that of the design
        record.pop("n", None)
    if assumed.unit.is_unpaired:
        record["rate"] = assumed.rate
    return record


def _drawn(result: Plan | Power | AnytimePlan) -> str:
    """Return the number of simulations and the seed."""
    return f"{result.replicates:,} simulations, seed {result.seed}"


def _reading(replicates: int, prospects: Sequence[Prospect]) -> str:
    worst = max(prospect.error for prospect in prospects)
    return (
        f"each figure is the share of {replicates:,} simulated results that end in "
        f"this verdict, with a standard error of up to {worst:.1g} · bcompare explain plan"
    )


def verdicts(replicates: int, headings: dict[str, str], within: str = "") -> list[Field]:
    """Return the fields of the shares of simulations that end in each verdict.

    headings : by the attribute of the share. within : what it is an attribute of, and a dot.
    """

    def shown(name: str, row: object) -> str:
        return share(attrgetter(within + name)(row), replicates)

    fields = []
    for name, heading in headings.items():
        fields.append(Field("", partial(shown, name), "figure", heading))
    return fields


def _table(outlook: Outlook, replicates: int) -> Table:
    case = outlook.case
    headings = {
        "left": f"{case.left} better",
        "rope": "equivalent",
        "right": f"{case.right} better",
        "undecided": "undecided",
    }
    fields = (
        Field("", "amount.of", heading="with"),
        Field("", lambda p: count(p.amount), "figure", "in all"),
        *verdicts(replicates, headings),
    )
    now = []
    if case.dataset is None:
        now.append(number_of(len(case.now), "data set"))
    if case.scores is not None:
        noun = case.scores.of
        if case.scores.count == 1:
            noun = noun.removesuffix("s")
        now.append(f"{count(case.scores)} {noun}")
    pair = f"{against(case.left, case.right)}{_where(outlook)}"
    title = f"{pair}: how probable each verdict is with more data ({', '.join(now)} now)"
    return table(title, fields, outlook.prospects)


def _where(outlook: Outlook) -> str:
    dataset = outlook.case.dataset
    return "" if dataset is None else f" on {dataset}"


def count(amount: Amount) -> str:
    """Return the size of an amount as text."""
    return "any number" if amount.count is None else f"{amount.count:,}"


def share(value: float, replicates: int) -> str:
    """Return a share of the simulated futures; that of none or all is not quite 0 or 1."""
    if replicates >= MANY:
        return probability(min(max(value, 1e-9), 1 - 1e-9))
    least = max(1 / replicates, 0.01)
    if value < least / 2:
        return f"<{least:.2f}"
    return f">{1 - least:.2f}" if value > 1 - least / 2 else f"{value:.2f}"


def _sentence(outlook: Outlook, plan: Plan) -> str:
    case = outlook.case
    pair = f"{against(case.left, case.right)}{_where(outlook)}"
    if case.decision == "none":
        return f"{pair} is undecided now; {_enough(outlook.prospects)}"
    result = next((c.result for c in plan.study.comparisons), None)
    about = result.scope if result is not None else ""
    return f"{pair} is decided already: {verdict(case.decision, case.left, case.right)}{about}"


def _enough(prospects: Sequence[Prospect]) -> str:
    """Return the least amounts that mostly decide, as a clause."""
    least: dict[str, str] = {}
    for one in prospects:
        if one.amount.count is not None and 1 - one.undecided >= ENOUGH:
            least.setdefault(one.amount.of, f"{count(one.amount)} {one.amount.of}")
    if not least:
        return f"no amount in the table decides with probability {ENOUGH:g} or more"
    amounts = " or ".join(least.values())
    return f"{amounts} in all decide with probability {ENOUGH:g} or more"


def _assumptions(power: Power) -> str:
    a = power.assumed
    smallest = f"Smallest effect found: better in {100 * ENOUGH:g} % of cases"
    if a.rate is not None:
        return f"The rates of success are {a.rate:g} and {a.rate + a.effect:g}. {smallest}"
    if a.unit.is_unpaired:
        return f"Scores of each side have a standard deviation of {a.sd:g}. {smallest}"
    if a.unit.has_answers:
        return f"Differences on single items have a standard deviation of {a.sd:g}. {smallest}"
    return (
        f"Standard deviations: {a.sd:g} between data sets, {a.noise:g} among the {a.n} scores on "
        f"each. {smallest}"
    )


def build_anytime_plan_report(plan: AnytimePlan) -> Report:
    """Return a table of the items that bets need, with a row for each effect and budget."""
    fields = (
        Field("", lambda c: f"{c.effect:+g}" if c.effect else "0", "figure", "true effect"),
        Field("budget", kind="count", heading="budget"),
        *verdicts(plan.replicates, BETS),
        Field("", lambda c: f"{c.items:,.0f}", "figure", "items until then"),
        *verdicts(plan.replicates, AT_END),
    )
    assumptions = (
        f"Differences on single items have a standard deviation of {plan.sd:g}, scores are from 0 "
        "to 1. Bets stop at the first verdict; one look at the end uses the whole budget"
    )
    worst = max(course.error for course in plan.courses)
    streams = f"{plan.replicates:,} simulated streams"
    reading = (
        f"shares of {streams}, with a standard error of up to {worst:.1g} · bcompare explain looks"
    )
    return Report(
        tables=(table("Bets on items at any time, and one look at the end", fields, plan.courses),),
        sentences=(assumptions,),
        reading=reading,
        settings=joined(_drawn(plan), plan.rope.describe(), f"level {plan.alpha:g}"),
        context=lambda: (streams, irrelevant(plan.rope)),
        document=lambda: _anytime_document(plan),
        rows=lambda: record_rows([record(COURSE, course) for course in plan.courses]),
    )


def _anytime_document(plan: AnytimePlan) -> Record:
    """Return the JSON document of simulated bets."""
    return {
        **head("plan"),
        "settings": {
            "rope": [plan.rope.low, plan.rope.high],
            "alpha": plan.alpha,
            "replicates": plan.replicates,
            "seed": plan.seed,
        },
        "assumed": {"sd": plan.sd},
        "courses": [record(COURSE, course) for course in plan.courses],
    }
