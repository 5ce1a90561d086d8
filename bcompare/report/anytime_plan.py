"""Report a plan of bets: how many items they need, compared with one look at the end."""

from functools import partial
from operator import attrgetter

from bcompare.planning.anytime import AnytimePlan, Course
from bcompare.report.build import Report
from bcompare.report.fields import Field, head, record, table
from bcompare.report.paper import irrelevant
from bcompare.report.plan import share
from bcompare.report.rows import record_rows
from bcompare.report.words import joined

SHARES = {
    "worse": "worse", "not_worse": "not worse", "go_on": "go on", "items": "items until then",
    "end_worse": "at the end: worse", "end_not_worse": "at the end: not worse",
}  # fmt: skip
COURSE = (
    Field("effect", kind="number"),
    Field("budget", kind="count"),
    *(Field(key, kind="number" if key == "items" else "probability") for key in SHARES),
    Field("error", kind="number"),
)


def build_anytime_plan_report(plan: AnytimePlan) -> Report:
    """Return one table with a row for each effect and budget."""

    def shown(key: str, course: Course) -> str:
        value = float(attrgetter(key)(course))
        return f"{value:,.0f}" if key == "items" else share(value, plan.replicates)

    fields = (
        Field("", lambda c: f"{c.effect:+g}" if c.effect else "0", "figure", "true effect"),
        Field("budget", kind="count", heading="budget"),
        *(Field("", partial(shown, key), "figure", name) for key, name in SHARES.items()),
    )
    worst = max(course.error for course in plan.courses)
    settings = {"rope": [plan.rope.low, plan.rope.high], "alpha": plan.alpha,
                "replicates": plan.replicates, "seed": plan.seed}  # fmt: skip
    return Report(
        tables=(table("Bets on items at any time, and one look at the end", fields, plan.courses),),
        sentences=(_assumptions(plan),),
        reading=(
            f"How to read it: shares of {plan.replicates:,} simulated streams, with a standard "
            f"error of up to {worst:.1g} (bcompare explain looks)"
        ),
        settings=joined(f"seed {plan.seed}", plan.rope.describe(), f"level {plan.alpha:g}"),
        context=(f"{plan.replicates:,} simulated streams", irrelevant(plan.rope)),
        document=lambda: {
            **head("plan"), "settings": settings, "assumed": {"sd": plan.sd},
            "courses": [record(COURSE, course) for course in plan.courses],
        },
        rows=lambda: record_rows([record(COURSE, course) for course in plan.courses]),
    )  # fmt: skip


def _assumptions(plan: AnytimePlan) -> str:
    return (
        f"Differences of scores in 0…1 scatter by {plan.sd:g} on single items. Bets stop at the "
        "first verdict; the look at the end takes the whole budget"
    )
