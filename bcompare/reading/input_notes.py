"""Notes on the input that apply to every test."""

from collections.abc import Container, Iterator, Sequence

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.basis.notes import Note, counted, lacking
from bcompare.data.scores import DatasetScores
from bcompare.data.units import SEED
from bcompare.data.vocabulary import (
    ABOUT,
    ANSWERED,
    is_metric,
    is_summary,
    plain,
)
from bcompare.files.problems import clipped, named, quoted
from bcompare.reading.checks import TYPES
from bcompare.reading.survey import Survey

FIXED_SPLIT = (
    "rows are seeds on one fixed split (ρ 0), so verdicts hold for this split only. If another "
    "split changes a model's score as much as another seed does, and half of that change is common "
    "to all models, equal models differ with p < 0.05 in 21 % of cases at 5 seeds, in 38 % at 10 "
    "and in 61 % at 30"
)
FEW_SCORES = 10  # with fewer, verdicts are rare
UNNAMED = {"score", "scores", "value", "result", "metric", "metricvalue", "estimate", "testscore"}
"""Names of columns, in letters and digits only, that do not say which metric they hold."""
FAR = 10.0  # times as large as 1 and as all others: an outlier
SUMMARIES = {"all", "total", "sum", "score", "wtl", "wdl", "pvalue", "ntrain", "ntest"}
"""Whole names of summaries, in letters and digits only."""


def notes_on(survey: Survey, datasets: Sequence[DatasetScores]) -> Iterator[Note]:
    """Yield the notes; datasets : the tables of scores, without what was dropped."""
    grid, options = survey.grid, survey.options
    yield from _direction(survey)
    words = [f"{clipped(n)} by {f:g}" for n, f in options.scale.items() if f != 1]
    if words:
        yield Note("scaled", "info", f"scores were multiplied: {named(words)}")
    few = [dataset.name for dataset in datasets if dataset.equal_rows < FEW_SCORES]
    if few and grid.unit.has_spread:
        noun, where, remedy = f"{grid.unit.noun}s", "data set", grid.unit.more
        if any(dataset.items > len(dataset.table) for dataset in datasets):
            noun = "clusters of items"
        if options.by:
            noun, where, remedy = "items or data sets", "slice", "take coarser slices"
        message = (
            f"fewer than {FEW_SCORES} {noun} of each classifier on {counted(few, where)}: hardly "
            f"enough for a verdict; {remedy}"
        )
        yield Note("few-folds", "warning", message)
    yield from _outliers(survey)
    if grid.unit == SEED and options.rho is None:
        yield Note("fixed-split", "info", FIXED_SPLIT)
    yield from _summaries(survey)
    for what, names in (("data set", grid.datasets), ("classifier", grid.classifiers)):
        first = {name.casefold(): name for name in reversed(names)}
        alike = [f"{one} and {name}" for name in names if (one := first[name.casefold()]) != name]
        if alike:
            message = (
                f"{what}s {named(alike)} differ in case only, and are taken for two; if they are "
                "one, write them alike"
            )
            yield Note("case", "warning", message)
    absent = {
        clipped(name): [dataset.name for dataset in datasets if not dataset.present[k]]
        for k, name in enumerate(grid.classifiers)
        if not all(dataset.present[k] for dataset in datasets)
    }
    if absent:
        message = f"no scores of {lacking(absent)}: each pair rests on the data sets that both have"
        yield Note("absent", "info", message)


def _direction(survey: Survey) -> Iterator[Note]:
    """Say that higher scores count as better where nothing tells which are."""
    names = [quoted(name) for name in survey.names if name]
    if survey.told or not names:
        return
    what = f"the name {names[0]} does not say"
    kinds = ["".join(condition) for condition in survey.options.conditions if _is_type(*condition)]
    if kinds:
        what = f"{arg('where', kinds)} does not say"
    message = (
        f"{what} which scores are better, so higher ones count as better: say "
        f"{arg('lower_is_better', True)} or {arg('lower_is_better', False)}"
    )
    yield Note("direction", "warning", message)


def _is_type(column: str, operator: str, value: str) -> bool:
    """Return whether a condition chooses a type of task, each of which may have its own metric."""
    return operator != "~" and plain(column) == "type" and plain(value) in TYPES


def metric_of(survey: Survey) -> str:
    """Return the only metric that the input names; "" if there is none, or several."""
    names = {name for name in survey.names if name and plain(name) not in UNNAMED}
    only = names.pop() if len(names) == 1 else ""
    return only if is_metric(only) and plain(only) not in ANSWERED else ""


def _outliers(survey: Survey) -> Iterator[Note]:
    """Warn of scores that are absurdly large compared with the others of their data set.

    These are at most a twentieth of the scores, and each is many times as large as all others.
    """
    grid, outliers = survey.answers, []
    for i, sizes in enumerate(np.split(np.abs(grid.table), grid.starts[1:])):
        known = sizes[grid.filled[grid.rows(i)]]
        if len(known) < FEW_SCORES or known.max() < FAR:
            continue
        top = np.sort(known)[-1 - max(len(known) // 20, 1) :]
        far = top[1:] >= FAR * np.maximum(top[:-1], 1.0)
        if far.any():
            those = np.argwhere(sizes >= top[1:][far.argmax()]).tolist()
            outliers += [(int(grid.starts[i]) + row, k) for row, k in those]
    if outliers:
        row, k = outliers[0]
        score = int(np.flatnonzero(grid.cell == row * len(grid.classifiers) + k)[0])
        ((where, _),) = survey.scored.places([score])
        more = f" (and {len(outliers) - 1:,} more like it)" if len(outliers) > 1 else ""
        message = (
            f"{grid.row_name(row)}, classifier {clipped(grid.classifiers[k])}: the score "
            f"{grid.table[row, k]:g} ({where}){more} is at least {FAR:g} times as large as the "
            "others of its data set: correct it, unless it is right"
        )
        yield Note("outlier", "warning", message)


def _summaries(survey: Survey) -> Iterator[Note]:
    """Warn of data sets that seem to sum up others, and of classifiers that seem to be none.

    In a table of means, more names show that.
    """
    # only the names of the header may describe the others
    in_rows, in_header = SUMMARIES, SUMMARIES | ABOUT
    if "(?P<dataset>" in (survey.options.wide or ""):  # data sets are columns
        in_rows, in_header = in_header, in_rows
    has_spread = survey.grid.unit.has_spread
    rows = _suspects(survey.grid.datasets, () if has_spread else in_rows)
    columns = [] if has_spread else _suspects(survey.grid.classifiers, in_header)
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


def _suspects(names: Sequence[str], known: Container[str]) -> list[str]:
    """Return the names that are those of summaries.

    known : further ones, in letters and digits only.
    """
    return [
        name
        for name in names
        if is_summary(name) or plain(name.partition("(")[0].partition("[")[0]) in known
    ]
