"""Rows and columns of a table of means that sum up or describe the others."""

import re
from collections.abc import Iterator, Sequence

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.basis.notes import Note
from bcompare.data.rope import FloatArray
from bcompare.data.scores import DatasetScores
from bcompare.data.sufficient import BoolArray
from bcompare.reading.advice import is_summary, plain
from bcompare.reading.problems import named
from bcompare.reading.survey import Survey

# Whole names of summaries, in letters and digits only.
_SUMMARIES = {"all", "total", "sum", "score", "wtl", "wdl", "pvalue"}
# Columns of results, or about data sets or classifiers, that are neither.
_DESCRIPTIONS = {
    "best", "winner", "oracle", "diff", "difference", "delta", "δ", "id", "year", "inst",
    "instances", "samples", "examples", "cases", "features", "attributes", "classes", "size",
    "ntrain", "ntest", "params", "parameters", "cost", "price",
}  # fmt: skip
_UNIT = re.compile(r"\(.*?\)|\[.*?\]")
# The fewest numbers in a row by which it is recognised; the fewest other rows of a mean, its most
# decimals, and the largest chance that an ordinary row is one.
_TELLING, _OTHERS, _MOST_DECIMALS, _CHANCE = 3, 4, 8, 1e-4


def summary_notes(survey: Survey, datasets: Sequence[DatasetScores]) -> Iterator[Note]:
    """Warn of rows and columns of a table of means that seem to be no data sets or classifiers."""
    table = np.concatenate([dataset.table for dataset in datasets])
    written = 100 * table if survey.options.percent else table
    sideways = "(?P<dataset>" in (survey.options.wide or "")
    names = [dataset.name for dataset in datasets]
    rows = _suspects(names, table, written.T if sideways else None)
    columns = _suspects(survey.grid.classifiers, table.T, None if sideways else written)
    if rows:
        column = survey.rows.titles.get("dataset")
        conditions = [f"{column}!={row}" for row in rows]
        how = f"with {arg('where', conditions)}" if column else "of the file"
        message = (
            f"data sets that may only sum up or describe others: {named(rows)}; if so, leave them "
            f"out {how}"
        )
        yield Note("summary-row", "warning", message)
    if columns:
        message = (
            f"classifiers that may be none: {named(columns)}; if so, take them out of the file, or "
            f"name the others with {arg('classifiers')}"
        )
        yield Note("summary-column", "warning", message)


def _suspects(names: Sequence[str], table: FloatArray, columns: FloatArray | None) -> list[str]:
    """Return the names of what sums up the others, by the name or by the numbers.

    table : (names, n). columns : (n, names) as in the file, if the names are those of its header,
        which may also describe the others.
    """
    whole, by_numbers = _SUMMARIES, _sums_up(table)
    if columns is not None:
        whole, by_numbers = whole | _DESCRIPTIONS, by_numbers | _are_counts(columns)
    return [
        name
        for name, sums_up in zip(names, by_numbers, strict=True)
        if sums_up or is_summary(name) or plain(_UNIT.sub("", name)) in whole
    ]


def _sums_up(table: FloatArray) -> BoolArray:
    """Return which rows are the means of the others, up to their decimals, or their largest."""
    present = ~np.isnan(table)
    counts = present.sum(axis=0) - 1
    if len(table) < _TELLING or not (counts > 1).all():
        return np.zeros(len(table), dtype=np.bool_)
    means = (np.nansum(table, axis=0) - np.nan_to_num(table)) / counts
    decimals = [_decimals(row[own]) for row, own in zip(table, present, strict=True)]
    half = 0.51 * 0.1 ** np.array(decimals)[:, None]
    largest = np.nanmax(table, axis=0)
    shared = (table == largest).sum(axis=0) > 1
    with np.errstate(divide="ignore"):  # columns of equal numbers
        shares = np.minimum(half / np.nanstd(table, axis=0), 1.0)
    is_mean = ((np.abs(table - means) <= half) | ~present).all(axis=1) & (len(table) > _OTHERS)
    is_mean &= np.prod(shares, axis=1, where=present) < _CHANCE
    is_largest = (((table == largest) & shared) | ~present).all(axis=1)
    if is_largest.sum() > 1:  # equal rows, none of which sums up the others
        is_largest[:] = False
    return np.asarray((is_mean | is_largest) & (present.sum(axis=1) >= _TELLING))


def _are_counts(table: FloatArray) -> BoolArray:
    """Return which columns hold whole numbers, if most columns do not."""
    whole = (np.abs(table) > 1) & (np.abs(table - table.round()) < 1e-9)
    columns = (whole | np.isnan(table)).all(axis=0)
    return np.asarray(columns & (2 * columns.sum() < table.shape[1]) & (len(table) >= _TELLING))


def _decimals(numbers: FloatArray) -> int:
    """Return the decimals of the numbers."""
    return next(
        (d for d in range(_MOST_DECIMALS) if np.allclose(numbers, numbers.round(d), 0, 1e-10)),
        _MOST_DECIMALS,
    )
