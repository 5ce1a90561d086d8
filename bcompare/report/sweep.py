"""Report several ropes in one table; report slices after the whole."""

from dataclasses import replace
from itertools import chain

from bcompare.basis.messages import Note, Record, counted, number_of
from bcompare.comparing.compare import Slices, Sweep
from bcompare.comparing.comparison_set import ComparisonSet
from bcompare.comparing.decision import levels_of
from bcompare.data.rope import REGIONS, Rope, inexact
from bcompare.report import pair_tables
from bcompare.report.fields import Field, lines, plain, record, record_rows, region_fields, table
from bcompare.report.pair_fields import NAMES
from bcompare.report.pair_records import comparison_rows, document
from bcompare.report.pair_report import MOST_SENTENCES, Report, build_report, topic_of
from bcompare.report.paper import context_of
from bcompare.report.sentences import how_to_read, settings_line, verdict
from bcompare.report.table import Column, Row, Table, condensed, decimals_for

ROPE = Column("rope", "figure")
PROBABILITIES = tuple(Column(f"p({region})", "region") for region in REGIONS)


def build_sweep_report(sweep: Sweep) -> Report:
    """Build the report, with a row for each pair and rope."""
    first = sweep.studies[0]
    ropes = ", ".join(_width(study.rope) for study in sweep.studies)
    comparisons = [c for study in sweep.studies for c in study.comparisons]
    irrelevant = f", treating differences within a rope ({ropes}) as irrelevant"
    return Report(
        tables=condensed([_table(sweep), *_averages(sweep)], levels_of(first.rule)),
        settings=settings_line(first, f"ropes {ropes}", p_value=True),
        notes=_notes(sweep),
        reading=how_to_read(topic_of(first), comparisons=comparisons, without=("next",)),
        context=lambda: context_of(first, irrelevant),
        document=lambda: sweep_document(sweep),
        rows=lambda: record_rows([row for study in sweep.studies for row in _rows(study)]),
        names=first.scores.classifiers,
    )


def sweep_document(sweep: Sweep) -> Record:
    """Return the JSON document of a comparison, with the rope in each pair."""
    records = [document(study) for study in sweep.studies]
    whole = records[0]
    ropes = [[*study.rope.borders] for study in sweep.studies]
    comparisons = []
    failed = []
    for record_there in records:
        rope = record_there["settings"]["rope"]
        comparisons += [{"rope": rope, **pair} for pair in record_there["comparisons"]]
        failed += record_there["failed"]
    return {
        **whole,
        "settings": {**whole["settings"], "rope": None, "ropes": ropes},
        "comparisons": comparisons,
        "failed": failed,
        "notes": [note.record() for note in _notes(sweep)],
    }


def _notes(sweep: Sweep) -> tuple[Note, ...]:
    return tuple(dict.fromkeys(note for study in sweep.studies for note in study.notes))


def _rows(study: ComparisonSet) -> list[Record]:
    rows = comparison_rows(study.comparisons)
    low, high = study.rope.borders
    return [
        {"rope_low": low, "rope_high": high, **dict(zip(rows, line, strict=True))}
        for line in lines(rows)
    ]


def _width(rope: Rope) -> str:
    return f"{rope.high:g}" if rope.is_symmetric else f"[{rope.low:g}, {rope.high:g}]"


def _table(sweep: Sweep) -> Table:
    """Return a table with the rows of each pair together, and the columns of all ropes."""
    parts = [pair_tables.of_pairs(study, span=False) for study in sweep.studies]
    # Without a rope there is no scale to round differences by.
    usual = parts[1 if sweep.studies[0].rope.is_empty else 0]
    named = {column.header: column for column in usual.columns}
    most = max(parts, key=lambda part: len(part.columns))
    left, right, *others = (named.get(column.header, column) for column in most.columns)
    rows: dict[Row, list[Row]] = {}
    for study, part in zip(sweep.studies, parts, strict=True):
        headers = [column.header for column in part.columns]
        for row in part.rows:
            cells = dict(zip(headers, row, strict=True))
            more = (cells.get(column.header) for column in others)
            rows.setdefault(row[:2], []).append((*row[:2], _width(study.rope), *more))
    columns = (left, right, ROPE, *others)
    title = f"{parts[0].title}, under several ropes"
    return Table(title, columns, [*chain(*rows.values())])


def _averages(sweep: Sweep) -> list[Table]:
    """Return the averages over these data sets, where each data set has an answer of its own."""
    columns = (Column("left"), Column("right"), ROPE, *PROBABILITIES)
    rows: list[Row] = []
    for k, pair in enumerate(sweep.studies[0].comparisons[:MOST_SENTENCES]):
        for study in sweep.studies:
            average = study.comparisons[k].over_these if pair.decision is None else None
            if average is not None:
                p = inexact(average.regions(study.rope))
                shown = replace(p, rope=0.0) if study.rope.is_empty else p
                rows.append((pair.left, pair.right, _width(study.rope), *shown))
    n = sweep.studies[0].comparisons[0].n_datasets
    return [Table(f"On average over these {n} data sets", columns, rows)] if rows else []


SLICE = (
    *NAMES,
    Field("slice", "name", heading="slice"),
    Field("items", kind="count", heading="items"),
    Field("mean_difference", kind="difference", heading="mean diff", decimals=None),
    *(replace(field, heading="") for field in region_fields("p", "probability")),
    *(replace(f, key=f"shrunken.{f.key}") for f in region_fields("shrunken")),
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
    "each slice's answer is drawn towards the others; Holm p: of the slice alone, corrected for "
    "the number of slices"
)


def build_slices_report(result: Slices) -> Report:
    """Build the overall report, and add the table of slices."""
    whole = build_report(result.overall)
    rows = list(result)
    levels = levels_of(result.overall.rule)
    finest = decimals_for(result.overall.rope.high)
    items = "items" if result.overall.scores.unit.has_answers else "data sets"
    fields = [replace(f, heading=items) if f.key == "items" else f for f in SLICE if f.heading]
    shown = {one.name for one in rows}
    title = f"{number_of(len(shown), 'slice')} by {result.by}"
    missing = [d.name for d in result.alone.scores.datasets if d.name not in shown]
    # what the sentence says of missing slices, and what was said of the whole, is not said again
    said = {"exact-posterior"} & {note.code for note in whole.notes}
    sentences = []
    if missing:
        said.add("absent")
        why = "Not compared, as only one model has scores there"
        sentences.append(f"{why}: {counted(missing, 'slice')}")
    more = [note for note in result.alone.notes if note.code not in said]
    slices = condensed([table(title, fields, rows, finest)], levels)
    return replace(
        whole,
        lead=whole.sentences,
        sentences=tuple(sentences),
        tables=(*whole.tables, *slices),
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
    slices: dict[tuple[str, str], list[Record]] = {}
    for one in result:
        slices.setdefault((one.left, one.right), []).append(record(SLICE[2:], one))
    hyper = {(c.left, c.right): plain(c.result.own_fields()) for c in result.shrunken.comparisons}
    entry["slices"] = []
    for pair, of_pair in slices.items():
        left, right = pair
        entry["slices"].append(
            {"left": left, "right": right, "population": hyper[pair], "slices": of_pair}
        )
    return entry
