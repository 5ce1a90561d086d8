"""Report slices: the overall verdict first, then a row for each slice."""

from dataclasses import replace

from bcompare.basis.notes import counted, number_of
from bcompare.basis.records import Record
from bcompare.comparing.compare import Slices
from bcompare.comparing.decision import levels_of
from bcompare.report.build import Report, build_report
from bcompare.report.claims import verdict
from bcompare.report.comparisons import NAMES, document
from bcompare.report.fields import Field, plain, record, region_fields, table
from bcompare.report.number import decimals_for
from bcompare.report.rows import record_rows
from bcompare.report.table import condensed

SLICE = (
    *NAMES,
    Field("slice", "name", heading="slice"),
    Field("items", kind="count", heading="items"),
    Field("mean_difference", kind="difference", heading="mean diff", decimals=None),
    *region_fields("p", "probability"),
    Field("shrunken.p_left", "shrunken.left", "region", "shrunken p(left)"),
    Field("shrunken.p_rope", "shrunken.rope", "region", "p(rope)"),
    Field("shrunken.p_right", "shrunken.right", "region", "p(right)"),
    Field(
        "shrunken.decision",
        "decision",
        "decision",
        "verdict",
        lambda one: verdict(one.decision, one.left, one.right),
    ),
    Field("p_value", kind="p"),
    Field("p_holm", "holm", "p", "Holm p"),
)
SHRUNKEN = (
    "shrunken: each slice is drawn towards the others, and the verdicts use these estimates; "
    "Holm p: corrected for the number of slices"
)


def build_slices_report(result: Slices) -> Report:
    """Build the overall report, and add the table of slices."""
    whole = build_report(result.overall)
    rows, levels = list(result), levels_of(result.overall.rule)
    finest = decimals_for(result.overall.rope.high)
    items = "items" if result.overall.scores.unit.has_answers else "data sets"
    fields = [replace(f, heading=items) if f.key == "items" else f for f in SLICE if f.heading]
    shown = {one.name for one in rows}
    title = f"{number_of(len(shown), 'slice')} by {result.by}"
    missing = [d.name for d in result.alone.scores.datasets if d.name not in shown]
    # what the sentence says of missing slices, and what was said of the whole, is not said again
    said = {"exact-posterior"} & {note.code for note in whole.notes}
    said |= {"absent", "unused"} if missing else set()
    more = [note for note in result.alone.notes if note.code not in said]
    why = "Not compared, as only one model has scores there: "
    return replace(
        whole,
        lead=whole.sentences,
        sentences=(why + counted(missing, "slice"),) if missing else (),
        tables=(*whole.tables, *condensed([table(title, fields, rows, finest)], levels)),
        reading=". ".join(filter(None, (whole.reading, SHRUNKEN))),
        notes=tuple(dict.fromkeys((*whole.notes, *more))),
        document=lambda: slices_document(result),
        rows=lambda: record_rows([record(SLICE, one) for one in rows]),
        names=result.overall.scores.classifiers,
    )


def slices_document(result: Slices) -> Record:
    """Return the JSON document of the overall comparison, with its slices."""
    entry = document(result.overall)
    entry["settings"] |= {"by": result.by}
    hyper = {(c.left, c.right): plain(c.result.own_fields()) for c in result.shrunken.comparisons}
    pairs = dict.fromkeys((one.left, one.right) for one in result)
    entry["slices"] = [
        {
            "left": left,
            "right": right,
            "population": hyper[left, right],
            "slices": [
                record(SLICE[2:], one) for one in result if (one.left, one.right) == (left, right)
            ],
        }
        for left, right in pairs
    ]
    return entry
