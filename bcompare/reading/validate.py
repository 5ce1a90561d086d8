"""The canonical long table to `Scores`: all checks of keys, and the tables themselves."""

import math
from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from bcompare.basis.errors import InputError
from bcompare.basis.notes import Note, counted
from bcompare.data.rope import FloatArray
from bcompare.data.scores import LARGEST, DatasetScores, Scores
from bcompare.data.sufficient import IntArray, read_only
from bcompare.reading import messages, notices, words
from bcompare.reading.coverage import Coverage, find_absent, find_gaps, find_missing_items
from bcompare.reading.design import Design, find_designs, folds_per_run
from bcompare.reading.doubt import counter_of_folds, doubt_folds, runs_of_one_fold
from bcompare.reading.grid import BoolArray, Grid
from bcompare.reading.items import apart, averaged, by_cluster, clusters_of
from bcompare.reading.long import Long
from bcompare.reading.metrics import several_metrics
from bcompare.reading.missing import kept_rows, refuse_no_scores, scored_only, with_dropped
from bcompare.reading.options import ReadOptions
from bcompare.reading.problems import Problems

LEAST_SCORES = 3  # fewer leave no degrees of freedom
FEW_SCORES = 10  # with fewer a verdict is hardly ever reached
SUMMARIES = {"average", "avg", "mean", "median", "total", "overall", "rank", "average rank",
             "avg. rank", "avg rank", "mean rank", "wins", "w/t/l", "w/d/l"}  # fmt: skip
"""Rows of a table of means that are no data sets."""


def to_scores(long: Long, options: ReadOptions, files: Sequence[str] = ()) -> Scores:
    """Checked scores from the canonical long table.

    Raises
    ------
    InputError : with every problem that was found.
    """
    problems = Problems(list(long.problems))
    if not len(long):
        problems.raise_any()
        raise InputError(messages.no_rows(files))
    _check_choice(long, options, problems)
    problems.known += _misplaced(long, options)
    chosen, account = scored_only(long, options)
    if not len(chosen):
        raise InputError([*problems.known, messages.all_missing()])
    _check_metrics(chosen, problems)
    _check_sizes_of(chosen, problems)
    grid = Grid.of(chosen)
    _find_duplicates(grid, chosen, problems)
    costs = _costs(grid, chosen, problems)
    answers = grid
    if chosen.unit == "item" and len(grid.runs) > 1:
        problems.raise_any()
        chosen = (apart if options.lone else averaged)(chosen)
        grid = Grid.of(chosen)
    cluster = clusters_of(grid, chosen, problems)
    if long.unread:  # what is missing now may stand in the rows that could not be read
        problems.raise_any()
    refuse_no_scores(account, grid.unit, options, problems)
    coverage = Coverage.of(grid)
    _check_classifiers(grid, coverage, problems, 1 if options.lone else 2)
    designs = find_designs(grid, chosen, options)
    _check_rhos(designs, grid, chosen, options, problems)
    doubt_folds(grid, chosen, designs, options, problems)
    if options.missing in (None, "refuse"):
        find = find_missing_items if grid.unit == "item" else find_gaps
        find(grid, coverage, problems)
    if options.missing == "refuse":
        find_absent(grid, coverage, problems)
    kept = kept_rows(grid, coverage, options)
    account = with_dropped(account, grid, coverage, kept, answers, options)
    _check_sizes(grid, kept, account.datasets, cluster, problems)
    problems.raise_any()
    datasets = _datasets(grid, coverage, kept, designs, options)
    if cluster is not None:
        datasets = _by_cluster(datasets, grid.dataset[kept], cluster[kept])
    return Scores(
        classifiers=grid.classifiers,
        datasets=datasets,
        lower_is_better=options.lower_is_better,
        files=tuple(files),
        account=account,
        notes=(*long.notes, *_notes(grid, chosen, datasets, options)),
        unit=grid.unit,
        costs=costs,
    )


def _check_metrics(long: Long, problems: Problems) -> None:
    """The scores must be of one metric."""
    if long.metric is not None and long.metric_column is not None:
        mixed = several_metrics(long.metric_column, long.metric, long.score)
        if mixed is not None:
            raise InputError([*problems.known, mixed])


def _check_sizes_of(long: Long, problems: Problems) -> None:
    """Scores must be small enough to compute with; what cannot be read is infinite, and told."""
    large = np.isfinite(long.score) & (np.abs(long.score) >= LARGEST)
    for name, count in long.by_classifier(large).items():
        problems.add(messages.TOO_LARGE, words.number(count, "score"), words.clipped(name))
    if large.any():
        problems.raise_any()


def _check_choice(long: Long, options: ReadOptions, problems: Problems) -> None:
    """What was asked for must be there."""
    for kind, names, wanted in (
        (messages.UNKNOWN_CLASSIFIER, long.classifier.names, options.classifiers),
        (messages.UNKNOWN_DATASET, long.dataset.names, options.datasets),
    ):
        unknown = [name for name in dict.fromkeys(wanted) if name not in names]
        problems.known += [messages.unknown(kind, name, names) for name in unknown]
    if len(problems.known) > len(long.problems):
        problems.raise_any()


def _find_duplicates(grid: Grid, long: Long, problems: Problems) -> None:
    """Two scores with the same key."""
    extra = len(grid.cell) - int(np.count_nonzero(grid.filled))
    if not extra:
        return
    kind = messages.DUPLICATES[grid.unit]
    order = np.argsort(grid.cell, kind="stable")
    again = np.flatnonzero(np.diff(grid.cell[order]) == 0)
    later = order[again + 1]
    shown = np.argsort(later)[: words.SHOWN]
    pairs = [(int(order[again[i]]), int(later[i])) for i in shown]
    places = long.places([score for pair in pairs for score in pair])
    for (first, _), one, other in zip(pairs, places[::2], places[1::2], strict=True):
        unit, classifier = divmod(int(grid.cell[first]), len(grid.classifiers))
        key = f"{grid.row_name(unit)}, classifier {words.clipped(grid.classifiers[classifier])}"
        problems.add(kind, key, one[0], other[0], messages.differing(one[1], other[1]))
    problems.add_unshown(kind, extra - len(pairs))


def _misplaced(long: Long, options: ReadOptions) -> list[str]:
    """Options that say nothing of such rows."""
    found = []
    if options.rho is not None and long.unit in ("item", "mean"):
        found.append(messages.no_rho(long.unit))
    units = {"drop-folds": ("fold", "seed"), "drop-items": ("item",)}.get(options.missing or "")
    if options.missing is not None and units is not None and long.unit not in units:
        found.append(messages.not_to_drop(options.missing, long.unit))
    return found


def _check_classifiers(grid: Grid, coverage: Coverage, problems: Problems, least: int) -> None:
    """There must be something to compare, on some data set."""
    if len(grid.classifiers) < least:
        problems.known.append(messages.fewer_than_two(grid.classifiers))
    elif coverage.present.sum(axis=1).max() < least:
        problems.known.append(messages.no_common_dataset(grid.classifiers))


def _check_rhos(
    designs: Sequence[Design], grid: Grid, long: Long, options: ReadOptions, problems: Problems
) -> None:
    """The correlation must be known, never guessed."""
    for name, design in zip(map(words.clipped, grid.datasets), designs, strict=True):
        if design.rho is None and design.folds == 1 < design.runs:
            problems.add(runs_of_one_fold(long, options), name, words.number(design.runs, "run"))
        elif design.rho is None and design.most > 1:
            problems.add(messages.UNEQUAL_RUNS, name, design.least, design.most)
        elif design.rho is not None and math.isnan(design.rho):
            problems.add(messages.SIZES, name)


def _costs(grid: Grid, long: Long, problems: Problems) -> FloatArray | None:
    """(c,) the mean cost of each classifier, over its rows; None where costs are not told."""
    if long.cost is None:
        return None
    c = len(grid.classifiers)
    classifier = grid.cell % c
    order = np.lexsort((long.cost, classifier))  # so that the order of rows changes no sum
    with np.errstate(invalid="ignore"):  # what cannot be read is infinite, and told already
        total = np.bincount(classifier[order], long.cost[order], minlength=c)
    for k in np.flatnonzero(np.isnan(total)).tolist():
        problems.add(messages.COST, words.clipped(grid.classifiers[k]))
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
        problems.known.append(messages.nothing_left())
    least = 1 if grid.unit == "mean" else LEAST_SCORES
    for name, count in zip(grid.datasets, counts, strict=True):
        if count < least and name not in dropped:
            noun = "cluster" if cluster is not None else messages.ROW_NOUNS[grid.unit]
            kind = messages.TOO_FEW_ITEMS if grid.unit == "item" else messages.TOO_FEW
            problems.add(kind, words.clipped(name), words.number(count, noun))


def _by_cluster(
    datasets: Sequence[DatasetScores], dataset: IntArray, cluster: IntArray
) -> tuple[DatasetScores, ...]:
    """The data sets with a row a cluster; `dataset` and `cluster` are those of all their rows."""
    starts = np.flatnonzero(np.diff(dataset, prepend=-1))
    return tuple(
        replace(scores, table=read_only(by_cluster(scores.table, part)))
        for scores, part in zip(datasets, np.split(cluster, starts[1:]), strict=True)
    )


def _datasets(
    grid: Grid,
    coverage: Coverage,
    kept: BoolArray,
    designs: Sequence[Design],
    options: ReadOptions,
) -> tuple[DatasetScores, ...]:
    """The table of each data set that has rows left."""
    table, dataset, run = grid.table, grid.dataset, grid.run
    if not kept.all():
        table, dataset, run = table[kept], dataset[kept], run[kept]
    _convert(table, options)
    read_only(table)
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
                present=coverage.present[i],
                runs=len(folds),
                folds=int(folds[0]) if (folds == folds[0]).all() else 0,
                rho=designs[i].rho,
                items=int(end - start) if grid.unit == "item" else 0,
            )
        )
    return tuple(datasets)


def _convert(table: FloatArray, options: ReadOptions) -> None:
    """Percentages to fractions, and losses to scores of which more is better."""
    if options.percent:
        table /= 100
    if options.lower_is_better:
        np.subtract(0.0, table, out=table)


def _notes(
    grid: Grid, long: Long, datasets: Sequence[DatasetScores], options: ReadOptions
) -> tuple[Note, ...]:
    """What the file makes one wonder about, whatever test follows."""
    notes = []
    if options.percent:
        largest = max(float(np.nanmax(np.abs(dataset.table))) for dataset in datasets)
        if largest <= 1 / 100:
            notes.append(Note("fractions", "warning", notices.fractions(100 * largest)))
    few = [dataset.name for dataset in datasets if len(dataset.table) < FEW_SCORES]
    if few and grid.unit != "mean":
        message = notices.few_rows(counted(few, "data set"), grid.unit)
        notes.append(Note("few-folds", "warning", message))
    column = counter_of_folds(long)
    if grid.unit == "fold" and column is not None and options.rho is None:
        message = notices.counted_folds(column, datasets[0].folds)
        notes.append(Note("counted-folds", "warning", message))
    if grid.unit == "seed" and options.rho is None:
        notes.append(Note("fixed-split", "info", notices.FIXED_SPLIT))
    summaries = [name for name in grid.datasets if name.casefold().strip(". ") in SUMMARIES]
    if summaries and grid.unit == "mean":
        notes.append(
            Note(
                "summary-row",
                "warning",
                notices.summary_rows(summaries, long.titles.get("dataset", "")),
            )
        )
    present = np.array([dataset.present for dataset in datasets])
    for name, has in zip(grid.classifiers, present.T, strict=True):
        if not has.all():
            absent = [d.name for d, here in zip(datasets, has, strict=True) if not here]
            notes.append(Note("absent", "info", notices.absent(name, counted(absent, "data set"))))
    return tuple(notes)
