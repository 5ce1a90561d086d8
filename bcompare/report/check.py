"""The report of `check`: what is in the files, and which tests can run on it."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from bcompare.data.units import ROWS
from bcompare.methods import METHODS, OVER_DATASETS, load_method
from bcompare.methods.mean_differences import LEAST_DATASETS
from bcompare.reading.profile import Profile
from bcompare.report.build import Report
from bcompare.report.document import SCHEMA_VERSION, account_record, plain
from bcompare.report.number import decimals_for
from bcompare.report.rows import record_rows
from bcompare.report.table import Cell, Column, Table
from bcompare.report.words import number_of
from bcompare.version import __version__

Row = tuple[Cell, ...]

# More classifiers than this are counted, not listed side by side.
MOST_COLUMNS = 12
MOST_ROWS = 10
ENOUGH_DATASETS = 5


def build_check_report(profile: Profile) -> Report:
    """Lay out the profile: data sets by classifiers, gaps, constants, tests."""
    what = (
        f"{number_of(profile.rows, 'score')} of {number_of(len(profile.classifiers), 'classifier')}"
        f" on {number_of(len(profile.datasets), 'data set')}, from {', '.join(profile.files)}"
    )
    lower = ["lower is better"] if profile.lower_is_better else []
    duplicates = f"{profile.duplicates:,} scores too many: their data set, run, fold and classifier"
    return Report(
        tables=tuple(
            table
            for table in (_grid(profile), _gaps(profile), _constant(profile), _tests(profile))
            if table.rows
        ),
        sentences=(
            profile.taken_for,
            *([profile.account.describe()] if profile.account.left_out else []),
            *([f"{duplicates} occurred before"] if profile.duplicates else []),
            *_guide(profile),
        ),
        hints=(),
        settings=" · ".join((what, *lower, f"bcompare {__version__}")),
        notes=profile.notes,
        document=lambda: _document(profile),
        rows=lambda: record_rows(_datasets(profile)),
    )


def _guide(profile: Profile) -> Iterator[str]:
    """What the results say of a rope, without choosing one."""
    guide = profile.guide
    if guide is None:
        return
    said = []
    if guide.between_runs is not None:
        said.append(f"one classifier's mean changes by {guide.between_runs:.2g} from run to run")
    if guide.closest is not None:
        left, right = guide.closest
        said.append(f"the closest two differ by {guide.difference:.2g} ({left} – {right})")
    if said:
        yield (
            "To choose a rope, the smallest difference that matters to you: "
            f"{', and '.join(said)}; see bcompare explain rope"
        )


def _grid(profile: Profile) -> Table:
    """How many folds each classifier has of each data set."""
    folds = profile.unit == "fold"
    side_by_side = len(profile.classifiers) <= MOST_COLUMNS
    rows: list[Row] = []
    for dataset, counts in zip(profile.datasets, profile.counts.tolist(), strict=True):
        full = [count for count in counts if count == dataset.splits]
        absent = [count for count in counts if count == 0]
        cells: Row = (
            tuple(_mark(count, dataset.splits) for count in counts)
            if side_by_side
            else (len(full), len(counts) - len(full) - len(absent), len(absent))
        )
        rows.append((
            dataset.name,
            *((dataset.runs or None, dataset.folds or None, dataset.rho) if folds else ()),
            *((dataset.splits,) if not folds and profile.unit != "mean" else ()),
            None if np.isnan(dataset.low) else dataset.low,
            None if np.isnan(dataset.high) else dataset.high, *cells,
        ))  # fmt: skip
    highest = max((abs(d.high) for d in profile.datasets if not np.isnan(d.high)), default=1.0)
    decimals = decimals_for(highest) + 1
    names = profile.classifiers if side_by_side else ("complete", "with gaps", "absent")
    columns = (
        Column("data set"),
        *((Column("runs", "count"), Column("folds", "count"), Column("ρ", "number", 3))
          if folds else ()),
        *((Column(f"{profile.unit}s", "count"),)
          if not folds and profile.unit != "mean" else ()),
        Column("lowest score", "number", decimals),
        Column("highest score", "number", decimals),
        *(Column(name, "figure" if side_by_side else "count") for name in names),
    )  # fmt: skip
    title = (
        "Scores of each classifier on each data set"
        if side_by_side
        else f"Data sets, and how many of {len(profile.classifiers)} classifiers are complete"
    )
    return Table(title, columns, rows)


def _mark(count: int, splits: int) -> str:
    if count == 0:
        return "–"
    return f"{count:,}" if count == splits else f"{count:,} of {splits:,}"


def _gaps(profile: Profile) -> Table:
    rows: list[Row] = [
        (gap.dataset, gap.run, gap.fold, ", ".join(gap.lacking)) for gap in profile.gaps[:MOST_ROWS]
    ]
    columns = (Column("data set"), Column("run"), Column("fold"), Column("lacking"))
    return Table(f"Gaps{_of(len(profile.gaps))}", columns, rows)


def _constant(profile: Profile) -> Table:
    rows: list[Row] = [
        (pair.dataset, pair.left, pair.right, pair.difference)
        for pair in profile.constant[:MOST_ROWS]
    ]
    columns = (
        Column("data set"), Column("left"), Column("right"), Column("difference", "difference"),
    )  # fmt: skip
    title = "Classifiers that always differ by the same"
    return Table(f"{title}{_of(len(profile.constant))}", columns, rows)


def _of(total: int) -> str:
    return f": the first {MOST_ROWS} of {total:,}" if total > MOST_ROWS else ""


def _tests(profile: Profile) -> Table:
    yes = {True: "yes", False: "no"}
    rows: list[Row] = [
        (able.test, yes[able.can_run], yes[able.can_decide], able.remark) for able in _able(profile)
    ]
    columns = (Column("test"), Column("can run"), Column("can decide"), Column("remark"))
    return Table("Which tests can run, and come to a verdict", columns, rows)


@dataclass(frozen=True, slots=True)
class _Able:
    """Whether a test can run, whether it could decide, and why not or what to mind."""

    test: str
    can_run: bool
    can_decide: bool
    remark: str


def _able(profile: Profile) -> list[_Able]:
    names = ("ttest", *OVER_DATASETS, "rank")
    if profile.error is not None:
        return [_Able(name, False, False, "see the errors") for name in names]
    q = len(profile.comparable)
    if q == 0:
        why = "no data set on which two classifiers share enough folds"
        return [_Able(name, False, False, why) for name in names]
    able: list[_Able] = []
    for name in names:
        if name in METHODS and profile.unit not in load_method(name).units:
            why = f"needs folds, seeds or items, and rows are {ROWS[profile.unit]}"
            able.append(_Able(name, False, False, why))
            continue
        if name in METHODS:
            to_run, to_decide = load_method(name).fewest, load_method(name).fewest_to_decide
        else:  # one data set is ranked for itself
            to_run = 2 if profile.unit == "mean" else 1
            to_decide = to_run if q == 1 else LEAST_DATASETS
        if q < to_run:
            why = f"needs at least {to_run} data sets: use ttest"
            able.append(_Able(name, False, False, why))
        elif q < to_decide:
            why = f"no verdict below {to_decide} data sets: use ttest"
            able.append(_Able(name, True, False, why))
        else:
            few = name != "ttest" and 1 < q < ENOUGH_DATASETS
            why = f"{number_of(q, 'data set')}: too few to say much of others" if few else ""
            able.append(_Able(name, True, True, why))
    return able


def _document(profile: Profile) -> dict[str, Any]:
    return {
        "schema_version": SCHEMA_VERSION,
        "bcompare": __version__,
        "command": "check",
        "unit": profile.unit,
        "taken_for": profile.taken_for,
        "rope_guide": plain(profile.guide),
        "input": {
            "files": list(profile.files),
            "rows": profile.rows,
            "datasets": len(profile.datasets),
            "classifiers": list(profile.classifiers),
            "lower_is_better": profile.lower_is_better,
            **account_record(profile.account),
        },
        "datasets": _datasets(profile),
        "gaps": plain(profile.gaps),
        "duplicates": profile.duplicates,
        "constant": plain(profile.constant),
        "tests": plain(_able(profile)),
        "problems": [] if profile.error is None else list(profile.error.messages),
        "notes": [note.record() for note in profile.notes],
    }


def _datasets(profile: Profile) -> list[dict[str, Any]]:
    return [
        {
            "dataset": dataset.name,
            **{key: value for key, value in plain(dataset).items() if key != "name"},
            "counts": dict(zip(profile.classifiers, counts, strict=True)),
        }
        for dataset, counts in zip(profile.datasets, profile.counts.tolist(), strict=True)
    ]
