"""Turn the canonical long table into `Scores`: all checks in order, then the tables."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

import numpy as np

from bcompare.basis.messages import InputError, Note, arg, counted, lacking, number_of
from bcompare.columns.direction import direction_of, is_measured, is_time, meaning_of
from bcompare.columns.vocabulary import (
    ANSWERED,
    counts_rounds,
    is_metric,
    plain,
)
from bcompare.data.account import Account, LeftOut
from bcompare.data.answers import Answers
from bcompare.data.rope import BoolArray, FloatArray, IntArray, read_only
from bcompare.data.scores import DatasetScores, Scores
from bcompare.data.units import SEED
from bcompare.files.options import ReadOptions
from bcompare.files.presets import preset_of
from bcompare.files.problems import Problems, alike, clipped, named, quoted
from bcompare.reading import gap_checks, pairing_checks, score_checks
from bcompare.reading.absent import notes_on_runs
from bcompare.reading.chosen_rows import Survey, as_failed, folds_per_run, summing
from bcompare.reading.long_table import Long
from bcompare.reading.score_checks import TYPES
from bcompare.reading.score_grid import Grid, clusters_of, in_clusters
from bcompare.reading.sides import check_alike
from bcompare.reading.weights import weights_of

LEAST_SCORES = 3  # fewer leave no degree of freedom
# Runs that name every item's answers have at most so many cells for an answer.
MOST_EMPTY = 2


def to_scores(long: Long, survey: Survey, files: Sequence[str] = ()) -> Scores:
    """Return checked scores from the canonical long table and its survey.

    Raises
    ------
    InputError : with every problem that was found.
    """
    options = survey.options
    chosen = survey.scored
    problems = Problems().include(long.problems)
    if not len(long):
        problems.raise_any()
    score_checks.check_choice(long, options, problems)
    score_checks.check_labels(long, problems)
    score_checks.check_options(long, options, problems)
    pairing_checks.check_fold_names(long, problems)
    score_checks.check_unscored(long, options, problems)
    if survey.unpaired.messages():
        problems.include(survey.unpaired).raise_any()
    if why := _nothing_left(survey):
        raise InputError([*problems.known, why])
    score_checks.check_metric(chosen, options.baseline, problems)
    score_checks.check_measures(chosen, problems)
    score_checks.check_ranks(survey, problems)
    score_checks.check_values(survey, problems)
    gap_checks.check_duplicates(survey.answers, chosen, problems)
    costs = _costs(survey.answers, chosen, problems)
    if chosen.unit.has_answers and len(survey.answers.runs) > 1:
        problems.raise_any()
    gap_checks.check_epochs(survey, problems)
    grid = survey.grid
    cluster = clusters_of(grid, survey.rows, problems)
    weights = weights_of(survey.answers, survey.scored, grid, problems)
    if weights is not None and cluster is None:  # each item by itself
        cluster = np.arange(len(grid.dataset))
    # rows of clusters are made of items that all have
    by_pair = cluster is None and options.missing in ("drop-folds", "drop-items")
    if long.unread:  # rows that seem missing may be among the unreadable ones
        problems.raise_any()
    gap_checks.check_scored(survey, problems)
    score_checks.check_classifiers(survey, files, problems)
    score_checks.check_names(survey, problems)
    pairing_checks.check_rhos(survey, problems)
    pairing_checks.check_folds(survey, problems)
    pairing_checks.check_splits(survey, problems)
    pairing_checks.check_scales(survey, problems)
    setup = check_alike(survey, problems)
    problems.raise_any()
    gap_checks.check_complete(survey, problems)
    kept = _kept(grid, options, by_pair=by_pair)
    account = _with_dropped(survey, kept, by_pair=by_pair)
    account = replace(account, fewer_answers=survey.fewer_answers)
    if not options.suspects:
        _check_sizes(grid, kept, account.datasets, cluster, problems, by_pair=by_pair)
    problems.raise_any()
    datasets = _datasets(survey, kept)
    if not grid.unit.has_spread:
        account = _with_absent(account, datasets)
    if cluster is not None:
        datasets = _in_clusters(datasets, survey, cluster[kept], weights, kept)
    metric = metric_of(survey)
    notes = [
        *long.notes,
        *survey.notes_on_accepted(),
        *setup,
        *notes_on_runs(survey.answers),
        *notes_on(survey, datasets),
    ]
    seeds = survey.scored.titles.get("seed", "")
    return Scores(
        classifiers=grid.classifiers,
        datasets=tuple(datasets),
        lower_is_better=bool(options.lower_is_better),
        files=tuple(files),
        account=account,
        notes=tuple(notes),
        unit=grid.unit,
        costs=costs,
        epochs=options.epochs,
        metric=metric,
        meaning=meaning_of(metric),
        scaled=options.scale,
        percent=options.percent,
        baseline=options.baseline,
        directed=survey.told,
        weight=survey.scored.titles.get("weight", ""),
        in_rounds=grid.unit == SEED and counts_rounds(seeds),
        answers=_answers(survey, kept) if options.baseline or options.suspects else None,
    )


def _answers(survey: Survey, kept: BoolArray) -> Answers | None:
    """Return the single answers to the items that are kept; None of other units.

    Runs whose names differ from item to item are no runs of all items: answers are numbered then.
    """
    if not survey.scored.unit.has_answers:
        return None
    answers, options = survey.answers, survey.options
    key = answers.dataset * len(answers.folds) + answers.fold
    key_of_kept = (survey.grid.dataset * len(survey.grid.folds) + survey.grid.fold)[kept]
    rows = np.flatnonzero(np.isin(key, key_of_kept))
    items, first, item = np.unique(key[rows], return_index=True, return_inverse=True)
    run, runs = answers.run[rows], answers.runs
    if len(items) * len(runs) > MOST_EMPTY * len(rows):
        order = np.lexsort((run, item))
        starts = np.flatnonzero(np.diff(item[order], prepend=-1))
        run = np.empty(len(rows), np.int64)
        run[order] = np.arange(len(rows)) - np.repeat(starts, np.diff(starts, append=len(rows)))
        runs = ()
    table = np.full((len(items), len(answers.classifiers), int(run.max()) + 1), np.nan)
    values = answers.table[rows] / 100 if options.percent else answers.table[rows]
    table[item, :, run] = np.subtract(0.0, values) if options.lower_is_better else values
    names = [
        (answers.datasets[answers.dataset[row]], answers.folds[answers.fold[row]])
        for row in rows[first].tolist()
    ]
    return Answers(tuple(names), runs[: table.shape[2]], answers.classifiers, read_only(table))


def _nothing_left(survey: Survey) -> str:
    """Return why nothing is left to compare; "" if something is."""
    names = survey.scored.keys["classifier"].used()[0]
    parts = [part for part in survey.account.left_out if part.reason == "no-score"]
    others = {name for part in parts for name in part.classifiers} - {*names}
    if len(names) == 1 and others and not survey.options.takes_one:
        return (
            f"only {clipped(names[0])} has scores; without one are {clipped(parts[-1].who, 200)}: "
            f"say {as_failed(survey.scored, survey.options)} to count those that failed"
        )
    if names:
        return ""
    if parts and parts[-1].why:
        return f"no trial has a score: {clipped(parts[-1].who, 200)}"
    preset = preset_of(survey.options)
    if preset.scored_by:
        return (
            f"no answer has a score, so these logs of {preset.program} have not been scored: do "
            f"that first, by {preset.scored_by}"
        )
    return (
        f"every score is missing: is the right column named with {arg('score_col')}, and "
        f"{arg('na_values')} right?"
    )


def _costs(grid: Grid, long: Long, problems: Problems) -> FloatArray | None:
    """Return the (c,) mean costs of the classifiers over their rows; None without costs."""
    if "cost" not in long.numbers:
        return None
    cost = long.numbers["cost"]
    c = len(grid.classifiers)
    classifier = grid.cell % c
    order = np.lexsort((cost, classifier))  # sums must not depend on the order of rows
    with np.errstate(invalid="ignore"):  # unreadable ones are infinite, and reported already
        total = np.bincount(classifier[order], cost[order], minlength=c)
    for k in np.flatnonzero(np.isnan(total)).tolist():
        problems.add(
            f"classifier {clipped(grid.classifiers[k])}: a cost that is missing or not a number",
            f"a preference needs a number in every row; name another column with {arg('prefer')}",
        )
    return total / np.maximum(np.bincount(classifier, minlength=c), 1)


def _kept(grid: Grid, options: ReadOptions, *, by_pair: bool) -> BoolArray:
    """Return the (u,) mask of rows to keep, by the policy on incomplete ones.

    by_pair : whether a row serves the pairs that have it.
    """
    if options.missing == "drop-datasets":
        has_gap = np.logical_or.reduceat(grid.incomplete, grid.starts)
        return np.asarray((grid.present.all(axis=1) & ~has_gap)[grid.dataset])
    if options.missing in ("drop-folds", "drop-items"):
        shared = by_pair & (grid.filled.sum(axis=1) > 1)
        return np.asarray(~grid.incomplete | shared)
    return np.ones(len(grid.dataset), dtype=np.bool_)


def _with_dropped(survey: Survey, kept: BoolArray, *, by_pair: bool) -> Account:
    """Return the account with the dropped rows; each answer counts as a row."""
    account = survey.account
    missing = survey.options.missing
    out = ~kept
    grid = survey.grid
    answers = survey.answers
    lacked = grid.incomplete if by_pair else out
    if not lacked.any():
        return account
    each = grid.filled[out].sum(axis=0)
    if answers is not grid and not survey.epochs_apart:
        every = answers.dataset * len(grid.folds) + answers.fold
        those = grid.dataset * len(grid.folds) + grid.fold
        each = answers.filled[~np.isin(every, those[kept])].sum(axis=0)
    lacks = grid.gaps.sum(axis=0)
    if missing == "drop-datasets":
        lacks = (~grid.present | np.logical_or.reduceat(grid.gaps, grid.starts)).sum(axis=0)
    rows = {name: n for name, n in zip(grid.classifiers, each.tolist(), strict=True) if n}
    lacking = {name: n for name, n in zip(grid.classifiers, lacks.tolist(), strict=True) if n}
    total = sum(rows.values())
    left_out = [*account.left_out]
    if total:
        left_out.append(LeftOut("incomplete", total, rows))
    compared_on = ""
    if (kept & lacked).any():
        compared_on = f"each pair is compared on the {grid.unit.remaining} that both have"
    account = replace(
        account,
        used=account.used - total,
        left_out=tuple(left_out),
        lacking=lacking,
        compared_on=compared_on,
        folds=(),
        items=(),
        datasets=(),
    )
    dataset = [grid.datasets[i] for i in grid.dataset[lacked]]
    fold = [grid.folds[i] for i in grid.fold[lacked]]
    if missing == "drop-folds":
        run = [grid.runs[i] for i in grid.run[lacked]]
        return replace(account, folds=tuple(zip(dataset, run, fold, strict=True)))
    if missing == "drop-items":
        return replace(account, items=tuple(zip(dataset, fold, strict=True)))
    if missing == "drop-datasets":
        return replace(account, datasets=tuple(dict.fromkeys(dataset)))
    return account


def _with_absent(account: Account, datasets: Sequence[DatasetScores]) -> Account:
    """Return the account; the empty cells of means are data sets that classifiers lack."""
    lacked = sum(int((~dataset.present).sum()) for dataset in datasets)
    parts = []
    for part in account.left_out:
        is_absent = part.reason == "no-score" and part.rows == lacked
        parts.append(replace(part, reason="absent") if is_absent else part)
    return replace(account, left_out=tuple(parts))


def _check_sizes(
    grid: Grid,
    kept: BoolArray,
    dropped: Collection[str],
    cluster: IntArray | None,
    problems: Problems,
    *,
    by_pair: bool,
) -> None:
    """Check that every data set that is not dropped has enough scores, of some pair if by pairs."""
    dataset = grid.dataset[kept]
    noun = grid.unit.noun
    if cluster is not None:
        noun = "cluster"
        dataset = np.unique(np.stack([dataset, cluster[kept]]), axis=1)[0]
    counts = np.bincount(dataset, minlength=len(grid.datasets)).tolist()
    if grid.unit.is_unpaired:
        _check_sides(grid, problems)
        return
    if by_pair and len(grid.classifiers) > 1:
        for i in np.unique(dataset[grid.incomplete[kept]]).tolist():
            has = grid.filled[grid.rows(i)][kept[grid.rows(i)]].astype(np.int64)
            shared = has.T @ has
            np.fill_diagonal(shared, 0)
            counts[i] = int(shared.max())
    if len(dropped) == len(counts):
        problems.tell(
            f"{arg('missing', 'drop-datasets')} leaves nothing: every data set lacks scores; "
            f"complete the results, say {arg('missing', 'drop-folds')}, or choose classifiers with "
            f"{arg('classifiers')}"
        )
    whose = "that all classifiers answered" if grid.unit.has_answers else "of each classifier"
    least = grid.unit.fewest
    otherwise = f", or name the data sets to use with {arg('datasets')}"
    if max(counts) < least:
        means = f"; signrank, sign and rank also take a table of means ({arg('preset', 'means')})"
        otherwise = means if len(counts) >= LEAST_SCORES else ""
    for name, count in zip(grid.datasets, counts, strict=True):
        if count < least and name not in dropped:
            problems.add(
                f"data set {clipped(name)}: only {number_of(count, noun)} {whose}",
                f"at least {least} are needed: {grid.unit.more}{otherwise}",
            )


def _check_sides(grid: Grid, problems: Problems) -> None:
    """Check that each classifier has enough trials on every data set that it has."""
    counts = np.add.reduceat(grid.filled, grid.starts, dtype=np.int64)
    least = grid.unit.fewest
    for i, k in np.argwhere(grid.present & (counts < least)).tolist():
        problems.add(
            f"data set {clipped(grid.datasets[i])}: only {number_of(int(counts[i, k]), 'trial')} "
            f"of {clipped(grid.classifiers[k])}",
            f"each side needs at least {least}: {grid.unit.more}, or name the data sets to use "
            f"with {arg('datasets')}",
        )


def _datasets(survey: Survey, kept: BoolArray) -> list[DatasetScores]:
    """Return the table of each data set with rows left.

    Percentages become fractions, and losses are negated.
    """
    grid = survey.grid
    options = survey.options
    table = grid.table
    dataset = grid.dataset
    run = grid.run
    if not kept.all():
        table = table[kept]
        dataset = dataset[kept]
        run = run[kept]
    if options.percent:
        table = table / 100
    table = np.subtract(0.0, table) if options.lower_is_better else table
    if grid.unit.is_unpaired:
        table = _in_order_of_size(table, dataset)
    table = read_only(table)
    order = np.empty(0, np.int64)
    keys = ()
    if grid.unit.has_answers:
        keys = tuple(grid.folds[fold] for fold in grid.fold[kept].tolist())
        order = np.unique(grid.cell // len(grid.classifiers), return_index=True)[1][kept]
    which, starts = np.unique(dataset, return_index=True)
    ends = [*starts[1:], len(dataset)]
    folds_of_runs = folds_per_run(dataset, run)
    datasets = []
    for place, i in enumerate(which):
        rows = slice(starts[place], ends[place])
        of_dataset = table[rows]
        folds = folds_of_runs[place]
        is_regular = (folds == folds[0]).all()
        datasets.append(
            DatasetScores(
                name=grid.datasets[i],
                table=of_dataset,
                present=np.asarray(~np.isnan(of_dataset).all(axis=0)),
                runs=len(folds),
                folds=int(folds[0]) if is_regular else 0,
                rho=survey.designs[i].rho,
                items=len(of_dataset) if grid.unit.has_answers else 0,
                order=order[rows],
                keys=keys[rows],
            )
        )
    return datasets


def _in_order_of_size(table: FloatArray, dataset: IntArray) -> FloatArray:
    """Return each column sorted within its data set, with NaN last: rows pair nothing.

    So no number of a trial, and no order of rows, changes any answer.
    """
    parts = np.split(table, np.flatnonzero(np.diff(dataset)) + 1)
    return np.concatenate([np.sort(part, axis=0) for part in parts])


def _in_clusters(
    datasets: Sequence[DatasetScores],
    survey: Survey,
    cluster: IntArray,
    weights: FloatArray | None,
    kept: BoolArray,
) -> list[DatasetScores]:
    """Return the data sets with their items in clusters, or weighted.

    cluster : of the items that are kept. weights : (u,) of all items, if any have some.
    """
    ends = np.cumsum([len(d.table) for d in datasets])[:-1]
    parts = np.split(cluster, ends)
    names: Sequence[str] = ()
    if "cluster" in survey.rows.keys:
        names, _ = survey.rows.keys["cluster"].in_natural_order()
    of_datasets = [None] * len(datasets) if weights is None else np.split(weights[kept], ends)
    return [
        in_clusters(dataset, part, names, weight)
        for dataset, part, weight in zip(datasets, parts, of_datasets, strict=True)
    ]


FIXED_SPLIT = (
    "rows are seeds on one split: verdicts hold for this split only; to speak of others, change "
    "the split with the seed"
)
FEW_SCORES = 10  # with fewer, verdicts are rare
# Names of columns, in letters and digits only, that do not say which metric they hold.
UNNAMED = {"score", "scores", "value", "result", "metric", "metricvalue", "estimate", "testscore"}
FAR = 10.0  # times as large as 1 and as all others: an outlier


def notes_on(survey: Survey, datasets: Sequence[DatasetScores]) -> list[Note]:
    """Return the notes; datasets : the tables of scores, without what was dropped."""
    grid = survey.grid
    options = survey.options
    notes = []
    direction = _direction(survey)
    if direction:
        notes.append(Note("direction", "warning", direction))
    factors = [f"{clipped(n)} by {f:g}" for n, f in options.scale.items() if f != 1]
    if factors:
        notes.append(Note("scaled", "info", f"scores were multiplied: {named(factors)}"))
    few = [d.name for d in datasets if _rows_that_count(d, survey) < FEW_SCORES]
    if few and grid.unit.has_spread:
        notes.append(_few_folds(survey, datasets, few))
    outliers = _outliers(survey)
    if outliers:
        notes.append(Note("outlier", "warning", outliers))
    if grid.unit.has_folds:
        notes += _single_cases(grid)
    if grid.unit == SEED and options.rho is None and not is_time(metric_of(survey)):
        notes.append(Note("fixed-split", "info", FIXED_SPLIT))
    notes += _summing(survey)
    return [*notes, *_names(grid, datasets)]


def _few_folds(survey: Survey, datasets: Sequence[DatasetScores], few: Sequence[str]) -> Note:
    """Return the note on data sets with few scores.

    few : their names.
    """
    noun = f"{survey.grid.unit.noun}s"
    where = "data set"
    remedy = survey.grid.unit.more
    if any(dataset.items > len(dataset.table) for dataset in datasets):
        noun = "clusters of items"
    if survey.options.by:
        noun = "items or data sets"
        where = "slice"
        remedy = "take coarser slices"
    which = f"all {len(few)} {where}s" if 1 < len(few) == len(datasets) else counted(few, where)
    message = (
        f"fewer than {FEW_SCORES} {noun} of each classifier on {which}: hardly enough for a "
        f"verdict; {remedy}"
    )
    return Note("few-folds", "warning", message)


def _single_cases(grid: Grid) -> Iterator[Note]:
    """Yield the note on data sets whose scores are 0 or 1, if those of others are not."""
    binary = pairing_checks.are_binary(grid)
    if binary.any() and not binary.all():
        names = [grid.datasets[i] for i in np.flatnonzero(binary)]
        message = f"scores on {counted(names, 'data set')} are 0 or 1, as of folds of one case"
        yield Note("single-cases", "info", message)


def _summing(survey: Survey) -> Iterator[Note]:
    """Yield the notes on names of data sets and classifiers that may sum up others."""
    summed = summing(survey.rows, survey.options)
    rows = summed.get("dataset")
    if rows:
        column = survey.rows.titles.get("dataset")
        how = "of the file"
        if column:
            conditions = [f"{column}!={row}" for row in rows]
            how = f"with {arg('where', conditions)}"
        message = (
            f"data sets that may only sum up or describe others: {named(rows)}; if so, leave them "
            f"out {how}"
        )
        yield Note("summary-row", "warning", message)
    columns = summed.get("classifier")
    if columns:
        message = (
            f"names that may be no classifiers: {named(columns)}; if so, take them out of the "
            f"file, or name the others with {arg('classifiers')}"
        )
        yield Note("summary-column", "warning", message)


def _names(grid: Grid, datasets: Sequence[DatasetScores]) -> Iterator[Note]:
    """Yield the notes on names that may mean the same, and on classifiers without all data sets."""
    for what, names in (("data sets", grid.datasets), ("classifiers", grid.classifiers)):
        pairs = [" and ".join(pair) for pair in alike(names, str.casefold)]
        if pairs:
            message = (
                f"{what} {named(pairs)} differ in case only, and are taken for two; if they are "
                "one, write them alike"
            )
            yield Note("case", "warning", message)
    absent: dict[str, list[str]] = {}
    for k, name in enumerate(grid.classifiers):
        lacks = [dataset.name for dataset in datasets if not dataset.present[k]]
        if lacks:
            absent[clipped(name)] = lacks
    if absent:
        message = (
            f"no scores of {lacking(absent)}: a mean is over the data sets that a classifier has, "
            "a comparison over those that both have"
        )
        yield Note("absent", "warning", message)


def _rows_that_count(dataset: DatasetScores, survey: Survey) -> float:
    """Return the number of rows; of sides that share nothing, of the smaller one."""
    if not survey.grid.unit.is_unpaired:
        return dataset.equal_rows
    counts = (~np.isnan(dataset.table[:, dataset.present])).sum(axis=0)
    return float(counts.min())


def _direction(survey: Survey) -> str:
    """Return that higher scores count as better, where nothing tells which are; else ""."""
    names = [*filter(None, survey.names)]
    if not names:  # but of classifiers, and these may be those of errors
        columns = survey.scored.keys["classifier"].names
        names = [*columns] if all(direction_of(name) == "lower" for name in columns) else []
    if survey.told or not names:
        return ""
    kinds = [  # types of tasks, each of which may have its own metric
        "".join(condition)
        for condition in survey.options.conditions
        if plain(condition.column) == "type" and plain(condition.value) in TYPES
        if condition.operator != "~"
    ]
    what = arg("where", kinds) if kinds else f"the name {quoted(names[0])}"
    return (
        f"{what} does not say which scores are better, so higher ones count as better: say "
        f"{arg('lower_is_better', True)} or {arg('lower_is_better', False)}"
    )


def metric_of(survey: Survey) -> str:
    """Return the only metric that the input names; "" if there is none, or several."""
    names = {name for name in survey.names if name and plain(name) not in UNNAMED}
    only = names.pop() if len(names) == 1 else ""
    if survey.options.successes_col is not None:  # which says what they are
        return only
    is_known = is_metric(only) or is_measured(only)
    return only if is_known and plain(only) not in ANSWERED else ""


def _outliers(survey: Survey) -> str:
    """Return that scores are absurdly large compared with the others of their data set; else "".

    These are at most a twentieth of the scores, and each is many times as large as all others.
    """
    grid = survey.answers
    outliers = []
    for i, sizes in enumerate(np.split(np.abs(grid.table), grid.starts[1:])):
        filled = sizes[grid.filled[grid.rows(i)]]
        if len(filled) < FEW_SCORES or filled.max() < FAR:
            continue
        top = np.sort(filled)[-1 - max(len(filled) // 20, 1) :]
        far = top[1:] >= FAR * np.maximum(top[:-1], 1.0)
        if far.any():
            those = np.argwhere(sizes >= top[1:][far.argmax()]).tolist()
            outliers += [(int(grid.starts[i]) + row, k) for row, k in those]
    if not outliers:
        return ""
    row, k = outliers[0]
    score = int(np.flatnonzero(grid.cell == row * len(grid.classifiers) + k)[0])
    ((where, _),) = survey.scored.places([score])
    more = f", and {len(outliers) - 1:,} more like it," if len(outliers) > 1 else ""
    return (
        f"{grid.row_name(row)}, classifier {clipped(grid.classifiers[k])}: the score "
        f"{grid.table[row, k]:g} ({where}){more} is at least {FAR:g} times as large as the others "
        "of its data set: correct it, unless it is right"
    )
