"""The canonical long table to `Scores`: all checks of keys, and the tables themselves."""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from bcompare.basis.arguments import arg
from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note, counted
from bcompare.data.rope import FloatArray
from bcompare.data.scores import LARGEST, DatasetScores, Scores
from bcompare.data.sufficient import IntArray, read_only
from bcompare.data.units import ROWS, Unit
from bcompare.reading.design import folds_per_run
from bcompare.reading.folds import check_folds, check_rhos, counter_of_folds
from bcompare.reading.gaps import (
    POLICIES,
    find_missing,
    kept_rows,
    refuse_no_scores,
    with_dropped,
)
from bcompare.reading.grid import BoolArray, Grid
from bcompare.reading.items import by_cluster, clusters_of
from bcompare.reading.long import Long
from bcompare.reading.metrics import several_metrics
from bcompare.reading.options import ReadOptions
from bcompare.reading.problems import (
    SHOWN,
    WIDTH,
    Kind,
    Problems,
    clipped,
    named,
    nearest,
    number,
    quoted,
)
from bcompare.reading.survey import Survey

TOO_LARGE = Kind(
    "{0} of classifier {1} of the size of 1e+140 or more",
    "too large to compute with: write them in another unit, or correct them",
)
TOO_FEW = Kind(
    "data set {0}: only {1} of each classifier",
    "at least 3 are needed: add runs or folds, or name the data sets to use with "
    f"{arg('datasets')}",
)
TOO_FEW_ITEMS = Kind(
    "data set {0}: only {1} that all classifiers answered",
    f"at least 3 are needed: add items, or name the data sets to use with {arg('datasets')}",
)
COST = Kind(
    "classifier {0}: a cost that is missing or not a number",
    f"a preference needs a number in every row; name another column with {arg('prefer')}",
)
DUPLICATES: dict[Unit, str] = {
    "fold": "keep one row for each data set, run, fold and classifier; if a column tells such rows "
    f"apart, name it with {arg('dataset_col')}, {arg('run_col')} or {arg('fold_col')}, or choose "
    f"rows with {arg('where')}",
    "seed": "keep one row for each data set, seed and classifier; if every seed has several folds, "
    f"name the columns with {arg('run_col')} and {arg('fold_col')} instead of {arg('seed_col')}, "
    f"else choose rows with {arg('where')}",
    "item": "keep one row for each data set, item and classifier; if an item was asked several "
    f"times, name the column that counts its epochs with {arg('epoch_col')}, else choose rows with "
    f"{arg('where')}",
    "mean": "without a column of folds there can be one score, a mean, for each data set and "
    f"classifier; name the column that tells such rows apart with {arg('fold_col')}, with "
    f"{arg('seed_col')} for seeds on a fixed split or with {arg('item_col')} for test items, or "
    f"choose rows with {arg('where')}",
}
FIXED_SPLIT = (
    "rows are seeds on one fixed split (ρ 0): what another split of the data would change is not "
    "covered. If it changes a model's score as much as a seed does, equal models differ with "
    "p < 0.05 in 21 % of cases at 5 seeds, in 38 % at 10 and in 61 % at 30"
)
MORE: dict[Unit, tuple[str, str]] = {
    "fold": ("scores", "repeat the cross-validation"),
    "seed": ("scores", "add seeds"),
    "item": ("items, or clusters of them,", "add items"),
}
"""What there may be too few of for a verdict, and how to have more."""
ROW_NOUNS: dict[Unit, str] = {"fold": "score", "seed": "score", "item": "item", "mean": "mean"}

LEAST_SCORES = 3  # fewer leave no degrees of freedom
FEW_SCORES = 10  # with fewer a verdict is hardly ever reached
SUMMARIES = {"average", "avg", "mean", "median", "total", "overall", "rank", "average rank",
             "avg. rank", "avg rank", "mean rank", "wins", "w/t/l", "w/d/l"}  # fmt: skip
"""Rows of a table of means that are no data sets."""


def to_scores(long: Long, survey: Survey, files: Sequence[str] = ()) -> Scores:
    """Checked scores from the canonical long table, and from what is in it.

    Raises
    ------
    InputError : with every problem that was found.
    """
    options, chosen = survey.options, survey.scored
    problems = Problems(list(long.problems))
    if not len(long):
        problems.raise_any()
        where = ", ".join(files) or "the results"
        raise InputError(f"{where}: a header but no rows; a row is needed for each score")
    _check_choice(long, options, problems)
    problems.known += _misplaced(long, options)
    if not len(chosen):
        message = (
            f"every score is missing: is the right column named with {arg('score_col')}, and "
            f"{arg('na')} right?"
        )
        raise InputError([*problems.known, message])
    _check_metrics(chosen, problems)
    _check_sizes_of(chosen, problems)
    _find_duplicates(survey.answers, chosen, problems)
    costs = _costs(survey.answers, chosen, problems)
    if chosen.unit == "item" and len(survey.answers.runs) > 1:
        problems.raise_any()
    grid = survey.grid
    cluster = clusters_of(grid, survey.rows, problems)
    if long.unread:  # what is missing now may stand in the rows that could not be read
        problems.raise_any()
    refuse_no_scores(survey, problems)
    _check_classifiers(survey, problems)
    check_rhos(survey, problems)
    check_folds(survey, problems)
    find_missing(survey, problems)
    kept = kept_rows(survey)
    account = with_dropped(survey, kept)
    _check_sizes(grid, kept, account.datasets, cluster, problems)
    problems.raise_any()
    datasets = _datasets(survey, kept)
    if cluster is not None:
        datasets = _by_cluster(datasets, grid.dataset[kept], cluster[kept])
    return Scores(
        classifiers=grid.classifiers,
        datasets=datasets,
        lower_is_better=options.lower_is_better,
        files=tuple(files),
        account=account,
        notes=(*long.notes, *_notes(survey, datasets)),
        unit=grid.unit,
        costs=costs,
    )


def _check_metrics(long: Long, problems: Problems) -> None:
    """The scores must be of one metric."""
    if "metric" in long.keys and long.metric_column is not None:
        mixed = several_metrics(long.metric_column, long.keys["metric"], long.numbers["score"])
        if mixed is not None:
            raise InputError([*problems.known, mixed])


def _check_sizes_of(long: Long, problems: Problems) -> None:
    """Scores must be small enough to compute with; what cannot be read is infinite, and told."""
    large = np.isfinite(long.numbers["score"]) & (np.abs(long.numbers["score"]) >= LARGEST)
    for name, count in long.by_classifier(large).items():
        problems.add(TOO_LARGE, number(count, "score"), clipped(name))
    if large.any():
        problems.raise_any()


def _check_choice(long: Long, options: ReadOptions, problems: Problems) -> None:
    """What was asked for must be there."""
    for what, names, wanted in (
        ("classifier", long.keys["classifier"].names, options.classifiers),
        ("data set", long.keys["dataset"].names, options.datasets),
    ):
        for name in dict.fromkeys(wanted):
            if name not in names:
                guess = nearest(name[:WIDTH], [n[:WIDTH] for n in names[:1000]])
                meant = f"; did you mean {clipped(guess)}?" if guess else ""
                problems.known.append(
                    f"there is no {what} {clipped(name)}{meant}; the results have {named(names)}"
                )
    if len(problems.known) > len(long.problems):
        problems.raise_any()


def _find_duplicates(grid: Grid, long: Long, problems: Problems) -> None:
    """Two scores with the same key."""
    extra = len(grid.cell) - int(np.count_nonzero(grid.filled))
    if not extra:
        return
    kind = Kind("{0}: two scores, {1} and {2}; {3}", DUPLICATES[grid.unit])
    order = np.argsort(grid.cell, kind="stable")
    again = np.flatnonzero(np.diff(grid.cell[order]) == 0)
    later = order[again + 1]
    shown = np.argsort(later)[:SHOWN]
    pairs = [(int(order[again[i]]), int(later[i])) for i in shown]
    places = long.places([score for pair in pairs for score in pair])
    for (first, _), one, other in zip(pairs, places[::2], places[1::2], strict=True):
        unit, classifier = divmod(int(grid.cell[first]), len(grid.classifiers))
        key = f"{grid.row_name(unit)}, classifier {clipped(grid.classifiers[classifier])}"
        columns = [name for name in one[1] if one[1][name] != other[1].get(name)]
        how = f"the rows differ in {named(columns)}" if columns else "the rows are equal"
        problems.add(kind, key, one[0], other[0], how)
    problems.counts[kind] += extra - len(pairs)


def _misplaced(long: Long, options: ReadOptions) -> list[str]:
    """Options that say nothing of such rows."""
    found = []
    if options.rho is not None and long.unit in ("item", "mean"):
        found.append(
            f"{arg('rho')} is the correlation of folds, and rows are {ROWS[long.unit]}; drop it"
        )
    units = {"drop-folds": ("fold", "seed"), "drop-items": ("item",)}.get(options.missing or "")
    if options.missing is not None and units is not None and long.unit not in units:
        found.append(
            f"{arg('missing', options.missing)}: rows are {ROWS[long.unit]}; say "
            f"{arg('missing', POLICIES[long.unit][0])}"
        )
    return found


def _check_classifiers(survey: Survey, problems: Problems) -> None:
    """There must be something to compare, on some data set."""
    grid, least = survey.grid, 1 if survey.options.lone else 2
    if len(grid.classifiers) < least:
        one = f"one classifier, {clipped(grid.classifiers[0])}" if grid.classifiers else ""
        problems.known.append(
            f"the results have {one or 'no classifier'}; two are needed to compare. Several files "
            "are read as one table: old=base.csv new=changed.csv"
        )
    elif survey.coverage.present.sum(axis=1).max() < least:
        problems.known.append(
            f"no data set has scores of two classifiers ({named(grid.classifiers)}): these results "
            "are unpaired; test both on the same data sets, under the same names"
        )


def _costs(grid: Grid, long: Long, problems: Problems) -> FloatArray | None:
    """(c,) the mean cost of each classifier, over its rows; None where costs are not told."""
    if "cost" not in long.numbers:
        return None
    cost = long.numbers["cost"]
    c = len(grid.classifiers)
    classifier = grid.cell % c
    order = np.lexsort((cost, classifier))  # so that the order of rows changes no sum
    with np.errstate(invalid="ignore"):  # what cannot be read is infinite, and told already
        total = np.bincount(classifier[order], cost[order], minlength=c)
    for k in np.flatnonzero(np.isnan(total)).tolist():
        problems.add(COST, clipped(grid.classifiers[k]))
    return total / np.maximum(np.bincount(classifier, minlength=c), 1)


def _check_sizes(
    grid: Grid,
    kept: BoolArray,
    dropped: Collection[str],
    cluster: IntArray | None,
    problems: Problems,
) -> None:
    """Every data set that is not dropped must have scores enough."""
    dataset = grid.dataset[kept]
    if cluster is not None:
        dataset = np.unique(np.stack([dataset, cluster[kept]]), axis=1)[0]
    counts = np.bincount(dataset, minlength=len(grid.datasets)).tolist()
    if len(dropped) == len(counts):
        problems.known.append(
            f"{arg('missing', 'drop-datasets')} leaves nothing: every data set lacks scores; "
            f"complete the results, say {arg('missing', 'drop-folds')}, or choose classifiers with "
            f"{arg('classifiers')}"
        )
    least = 1 if grid.unit == "mean" else LEAST_SCORES
    for name, count in zip(grid.datasets, counts, strict=True):
        if count < least and name not in dropped:
            noun = "cluster" if cluster is not None else ROW_NOUNS[grid.unit]
            kind = TOO_FEW_ITEMS if grid.unit == "item" else TOO_FEW
            problems.add(kind, clipped(name), number(count, noun))


def _by_cluster(
    datasets: Sequence[DatasetScores], dataset: IntArray, cluster: IntArray
) -> tuple[DatasetScores, ...]:
    """The data sets with a row a cluster; `dataset` and `cluster` are those of all their rows."""
    starts = np.flatnonzero(np.diff(dataset, prepend=-1))
    return tuple(
        replace(scores, table=read_only(by_cluster(scores.table, part)))
        for scores, part in zip(datasets, np.split(cluster, starts[1:]), strict=True)
    )


def _datasets(survey: Survey, kept: BoolArray) -> tuple[DatasetScores, ...]:
    """The table of each data set that has rows left."""
    grid = survey.grid
    table, dataset, run = grid.table, grid.dataset, grid.run
    if not kept.all():
        table, dataset, run = table[kept], dataset[kept], run[kept]
    table = read_only(_converted(table, survey.options))
    which = np.unique(dataset)
    bounds = np.append(np.searchsorted(dataset, which), len(dataset))
    datasets = []
    for i, start, end, folds in zip(
        which, bounds[:-1], bounds[1:], folds_per_run(dataset, run), strict=True
    ):
        datasets.append(
            DatasetScores(
                name=grid.datasets[i],
                table=table[start:end],
                present=survey.coverage.present[i],
                runs=len(folds),
                folds=int(folds[0]) if (folds == folds[0]).all() else 0,
                rho=survey.designs[i].rho,
                items=int(end - start) if grid.unit == "item" else 0,
            )
        )
    return tuple(datasets)


def _converted(table: FloatArray, options: ReadOptions) -> FloatArray:
    """Percentages as fractions, and losses as scores of which more is better."""
    if options.percent:
        table = table / 100
    return np.subtract(0.0, table) if options.lower_is_better else table


def _notes(survey: Survey, datasets: Sequence[DatasetScores]) -> tuple[Note, ...]:
    """What the file makes one wonder about, whatever test follows."""
    grid, options, titles = survey.grid, survey.options, survey.rows.titles
    notes = []
    if options.percent:
        largest = max(float(np.nanmax(np.abs(dataset.table))) for dataset in datasets)
        fractions = (
            f"{arg('percent', True)} divides the scores by 100, but the largest in the file is "
            f"{100 * largest:g}: are they fractions already?"
        )
        if largest <= 1 / 100:
            notes.append(Note("fractions", "warning", fractions))
    few = [dataset.name for dataset in datasets if len(dataset.table) < FEW_SCORES]
    if few and grid.unit != "mean":
        rows, remedy = MORE[grid.unit]
        message = (
            f"fewer than 10 {rows} of each classifier on {counted(few, 'data set')}: hardly enough "
            f"for a verdict; {remedy}"
        )
        notes.append(Note("few-folds", "warning", message))
    column = counter_of_folds(survey.rows)
    if grid.unit == "fold" and column is not None and options.rho is None:
        message = (
            f"column {quoted(column)} is read as the folds of one cross-validation, so ρ is "
            f"1/{datasets[0].folds}; if it numbers independent runs on one split, say "
            f"{arg('seed_col', column)} instead"
        )
        notes.append(Note("counted-folds", "warning", message))
    if grid.unit == "seed" and options.rho is None:
        notes.append(Note("fixed-split", "info", FIXED_SPLIT))
    summaries = [name for name in grid.datasets if name.casefold().strip(". ") in SUMMARIES]
    if summaries and grid.unit == "mean":
        column = titles.get("dataset")
        how = f"with {arg('where', [f'{column}!={summaries[0]}'])}" if column else "of the file"
        message = (
            f"{named(summaries)} counts as a data set; if it sums up the others, leave it out {how}"
        )
        notes.append(Note("summary-row", "warning", message))
    present = np.array([dataset.present for dataset in datasets])
    for name, has in zip(grid.classifiers, present.T, strict=True):
        if not has.all():
            absent = [d.name for d, here in zip(datasets, has, strict=True) if not here]
            message = (
                f"{clipped(name)} has no scores on {counted(absent, 'data set')}: its pairs rest "
                "on the others"
            )
            notes.append(Note("absent", "info", message))
    return tuple(notes)
