"""Checks of the rows; each adds its findings to the problems."""

import re
import shlex
from collections.abc import Sequence
from itertools import product

import numpy as np

from bcompare.basis.messages import Record, arg, nearest, number_of, spelled
from bcompare.basis.names import short_names
from bcompare.data.account import LeftOut, by_classifier
from bcompare.data.direction import is_loss, is_measured, is_share
from bcompare.data.rope import LARGEST, BoolArray
from bcompare.data.scales import LEAST_PERCENT
from bcompare.data.units import SEED
from bcompare.data.vocabulary import METRICS, is_counter, plain, roles_of
from bcompare.files.cells import SENTINELS
from bcompare.files.options import ReadOptions
from bcompare.files.presets import lower, lower_of
from bcompare.files.problems import (
    SHOWN,
    WIDTH,
    Problems,
    alike,
    clipped,
    named,
    quoted,
)
from bcompare.files.tables import distinct, join
from bcompare.reading.grid import EpochEstimate, Grid
from bcompare.reading.long import Long
from bcompare.reading.survey import Survey, as_failed, has_bounds

# How to list every gap.
LISTED = spelled("bcompare check --format json", "profile_results(...).gaps")
# The most rows to read again for a message.
MOST_ROWS = 1000
# Names of columns, in letters only, that say how an answer was scored.
WAYS = ("filter", "scorer", "grader", "judge")
# Columns of a search by successive halving.
ROUNDS = {"iter", "n_resources"}
# Metrics, in letters and digits only, that may be negative though none is above 1.
SIGNED = {
    *("mcc", "matthewscorrcoef", "r2", "r2score", "kappa", "cohenkappa", "correlation", "ari"),
    *("spearman", "pearson", "kendall", "silhouette", "skill", "reward", "return"),
}
# Values that show that a column called ``type`` holds metrics.
TYPES = {"binary", "multiclass", "classification", "regression", *METRICS}


def check_choice(long: Long, options: ReadOptions, problems: Problems) -> None:
    """Check that the chosen classifiers and data sets exist."""
    for role, chosen in (
        ("classifier", options.classifiers),
        ("dataset", options.datasets),
        ("classifier", (*options.scale, *options.baseline)),
    ):
        what, names = role.replace("dataset", "data set"), long.keys[role].names
        for name in (name for name in chosen if name not in names):
            near = nearest(name[:WIDTH], [n[:WIDTH] for n in names[:1000]])
            meant = f"; did you mean {clipped(near[0])}?" if near else ""
            full = {short: full for full, short in short_names(tuple(names)).items()}.get(name)
            meant = f"; in full {shlex.quote(full)}" if full else meant
            problems.tell(
                f"there is no {what} {clipped(name)}{meant}; the results have {named(names)}"
            )
    several = long.keys["classifier"].names
    if options.lone and not options.classifiers and len(several) > 1:
        choices = (
            spelled(f"--baseline {shlex.quote(name)}", f"classifiers=({name!r},)")
            for name in several[:SHOWN]
        )
        problems.tell(
            f"the results have {named(several)}: say which of them is judged against itself: "
            f"{' or '.join(choices)}"
        )
    if len(problems.known) > len(long.problems.known):
        problems.raise_any()


def check_labels(long: Long, problems: Problems) -> None:
    """Refuse files of one label that name several classifiers on a data set."""
    if "named" not in long.keys:
        return
    own = long.keys["named"]
    rows = own.which(bool)
    labelled = join([long.keys["dataset"], long.keys["classifier"]], between="\0").rows(rows)
    pairs, _ = distinct(labelled.codes, own.codes[rows], len(own.names))
    label, name = np.divmod(pairs, len(own.names))
    for i in np.flatnonzero(np.diff(label) == 0)[:1].tolist():
        dataset, who = map(clipped, labelled.names[label[i]].split("\0"))
        names = named([own.names[name[i]], own.names[name[i + 1]]])
        problems.refuse(
            f"the files of {who} cannot all be that classifier, because on data set {dataset} "
            f"they name {names}: drop '{who}=', or give the files of one of them"
        )


def check_options(long: Long, options: ReadOptions, problems: Problems) -> None:
    """Check that the options apply to such rows."""
    if options.rho is not None and not long.unit.has_rho:
        problems.tell(
            f"{arg('rho')} is the correlation of folds, and rows are {long.unit.rows}; drop it"
        )
    if options.missing in ("drop-folds", "drop-items") and options.missing != long.unit.policy:
        problems.tell(
            f"{arg('missing', options.missing)}: rows are {long.unit.rows}; say "
            f"{arg('missing', long.unit.policy)}"
        )


def check_unscored(long: Long, options: ReadOptions, problems: Problems) -> None:
    """Refuse data sets of test items on which nobody has a score, unless they are to be dropped.

    Such a data set probably has another metric; it is unlikely that every trial failed.
    """
    dropped = options.failed == "drop" or options.missing not in (None, "refuse")
    missing = np.isnan(long.numbers["score"])
    if not long.unit.has_spread or dropped or not missing.any():
        return
    names, codes = long.keys["dataset"].used()
    scored = np.bincount(codes[~missing], minlength=len(names)) > 0
    chosen = options.datasets or names
    lacking = [name for i, name in enumerate(names) if not scored[i] and name in chosen]
    if lacking and scored.any():
        others = tuple(name for name in chosen if name not in lacking)
        whole = {"missing": "drop-datasets"} if not long.unit.has_answers else {"failed": "drop"}
        problems.refuse(
            f"no score at all on data set {named(lacking)}: is another metric used there? Name "
            f"the data sets to compare on with {arg('datasets')}, or another "
            f"{arg('score_col')}",
            [{"datasets": others} if len(others) <= SHOWN else whole],
        )


def check_metric(long: Long, baseline: Sequence[str], problems: Problems) -> None:
    """Check that all scores are of one metric; baseline : of a gate.

    Raises
    ------
    UnreadError : they are of several.
    """
    name = long.titles.get("metric")
    if name is None:
        return
    metric = long.keys["metric"]
    own, known = long.of(baseline), metric.which(bool)
    if own.any() and not known[own].any() and known[~own].any():  # the terms are the baseline's
        who = by_classifier(long.by_classifier(known & ~own))
        problems.tell(
            f"column {quoted(name)} says of which metric the scores of {who} are, and of the "
            "baseline's nothing does: give both files that column, or neither"
        )
    rows = np.bincount(metric.codes, minlength=len(metric.names)).tolist()
    counts = {text: n for text, n in zip(metric.names, rows, strict=True) if text and n}
    is_type = plain(name) == "type"
    if len(counts) < 2 or (is_type and len(TYPES & {*map(plain, counts)}) < 2):
        return
    if long.metrics:
        choices = " or ".join(f"{arg('score_col', o)}{lower(o)}" for o in long.metrics)
        problems.refuse(
            f"the scores are {name} where column {quoted(name)} has one, and another metric where "
            f"it is empty; choose one for all: {choices}",
            [{"score_col": metric} | lower_of(metric) for metric in long.metrics],
        )
    first = next((metric for metric in counts if not is_loss(metric)), next(iter(counts)))
    listed = ", ".join(f"{clipped(metric)} ({number_of(n, 'row')})" for metric, n in counts.items())
    both = "|".join(map(re.escape, list(counts)[:2]))
    rest = f", or name those that are on one scale, such as {arg('where', [f'{name}~^({both})$'])}"
    rest *= not (long.unit.has_answers or is_type)  # an item would have two scores
    problems.refuse(
        f"column {quoted(name)} says that the scores are of several metrics: {listed}; choose one, "
        f"such as {arg('where', [f'{name}={first}'])}{lower(first)}{rest}",
        [{"where": (f"{name}={first}",)} | lower_of(first)],
    )


def check_measures(long: Long, problems: Problems) -> None:
    """Refuse scores of one data set that a program has taken from different metrics, or parts."""
    if "measure" not in long.keys:
        return
    measure, dataset = long.keys["measure"], long.keys["dataset"]
    known = np.flatnonzero(measure.which(bool))
    pairs, pair = distinct(dataset.codes[known], measure.codes[known], len(measure.names))
    of = pairs // len(measure.names)
    for at in np.flatnonzero(np.diff(of) == 0)[:1].tolist():
        rows = [int(known[np.flatnonzero(pair == i)[0]]) for i in (at, at + 1)]
        sides = [
            f"{clipped(measure[row], 200)} of {clipped(long.keys['classifier'][row])}"
            for row in rows
        ]
        problems.add(
            f"data set {clipped(dataset[rows[0]])}: scores of different things, "
            f"{' and '.join(sides)}",
            f"give all classifiers the same ones, or name a metric that all have with "
            f"{arg('score_col')}",
        )


def check_values(survey: Survey, problems: Problems) -> None:
    """Refuse scores that are too large, or may stand for missing ones.

    These are -1 and such among scores from 0 to 1, and times and sizes that are not above 0. Those
    that are infinite are problems already.
    """
    long = survey.scored
    score = long.numbers["score"]
    large = np.isfinite(score) & (np.abs(score) >= LARGEST)
    if large.any():
        count, _, who, _ = _those(long, large)
        problems.refuse(
            f"{count} of the size of 1e+140 or more ({who}), too large to compute with: write them "
            "in another unit, or correct them"
        )
    low, rest = {*score[score < 0].tolist()}, score[score >= 0]
    names = {plain(text) for text in (long.titles.get("score", ""), *long.metrics)}
    in_shares = len(rest) and rest.max() <= 1 and not np.isin(rest, (0, 1)).all()
    if in_shares and len(low) == 1 and low <= SENTINELS and not names & SIGNED:
        count, text, who, _ = _those(long, score < 0)
        problems.refuse(
            f"{count} of {text} ({who}) among scores from 0 to 1: do they stand for scores that "
            f"are missing? Say {arg('na_values', [text])}; if scores can be negative, name their "
            "column after the metric, such as mcc or r2",
            [{"na_values": (text,)}],
        )
    beyond = (score > LEAST_PERCENT) & (score <= 100)
    in_unit = ((score > 0) & (score < 1)).any()
    if all(map(is_share, survey.names)) and beyond.any() and in_unit and not survey.options.percent:
        datasets = long.keys["dataset"]
        largest = np.zeros(len(datasets.names))
        np.maximum.at(largest, datasets.codes, score)
        if beyond.mean() < 0.5 or (largest[np.unique(datasets.codes)] <= 1).any():
            count, text, who, place = _those(long, beyond)
            problems.refuse(
                f"{count} such as {text} ({who}; {place}) next to shares of at most 1: correct "
                f"what is in per cent, or say {arg('percent', True)} if all scores are"
            )
    if all(map(is_measured, survey.names)) and (score <= 0).any():
        count, text, who, place = _those(long, score <= 0)
        problems.refuse(
            f"{count} of {text} ({who}; {place}): a time or a size is above 0, so did these trials "
            f"fail? Say {arg('na_values', [text])}",
            [{"na_values": (text,)}],
        )


def _those(long: Long, rows: BoolArray) -> tuple[str, str, str, str]:
    """Return the number of some scores, the first as text, whose they are, and its place."""
    first = int(rows.argmax())
    ((place, cells),) = long.places([first])
    text = cells.get(long.titles.get("score", ""), f"{long.numbers['score'][first]:g}")
    who = by_classifier({clipped(k): n for k, n in long.by_classifier(rows).items()})
    return number_of(int(rows.sum()), "score"), text, who, place


def check_names(survey: Survey, problems: Problems) -> None:
    """Refuse names that differ by case or _ only, of which a gate would compare one with none."""
    grid = survey.grid
    for what, names in (("data set", grid.datasets), ("classifier", grid.classifiers)):
        for pair in (
            alike(names, lambda name: re.sub(r"[\s_-]", "", name.casefold()))
            if survey.options.judges
            else ()
        ):
            problems.tell(
                f"{what}s {' and '.join(map(clipped, pair))} differ by their spelling only: if "
                "they are one, write them alike; if they are two, name them otherwise"
            )


def check_duplicates(grid: Grid, long: Long, problems: Problems) -> None:
    """Check that no two scores have the same key."""
    extra = len(grid.cell) - int(np.count_nonzero(grid.filled))
    if not extra:
        return
    order = np.argsort(grid.cell, kind="stable")
    again = np.flatnonzero(np.diff(grid.cell[order]) == 0)
    i = again[order[again + 1].argmin()]
    one, other = long.places([int(order[i]), int(order[i + 1])])
    unit, classifier = divmod(int(grid.cell[order[i]]), len(grid.classifiers))
    key = f"{grid.row_name(unit)}, classifier {clipped(grid.classifiers[classifier])}"
    columns = [name for name in one[1] if name and one[1][name] != other[1].get(name)]
    how = f"the rows differ in {named(columns)}" if columns else "the rows are equal"
    text = f"{key}: two scores, {one[0]} and {other[0]}; {how}"
    advice = grid.unit.duplicates
    if one[0].rpartition(", ")[0] != other[0].rpartition(", ")[0]:
        if not columns:
            advice = "give only one of these files, or compare them as LABEL=FILE"
        advice += "; if they are whole runs of one side, gate takes their folder: LABEL=FOLDER/"
    role = grid.unit.repetition
    ways = [name for name in columns if plain(name) in WAYS]
    usual: dict[str, list[str]] = {}
    if "dataset" not in long.titles:
        usual["dataset"] = [name for name in columns if "dataset" in roles_of(name)]
    if role and len(grid.runs) == 1 and not {role, "iteration"} & long.titles.keys():
        usual[role] = [name for name in columns if plain(name) == role or is_counter(name)]
    telling = [(r, name) for r in usual for name in _tells_apart(usual[r], grid, long)]
    remedy: Record = {}
    if {*columns} >= ROUNDS:
        last = long.places([len(long) - 1])[0][1]["iter"]
        remedy = {"where": (f"iter={last}",)}
        advice = (
            "the candidates of each round of a search had other data: compare those of one, such "
            f"as the last by {arg('where', [f'iter={last}'])}"
        )
    elif telling:
        ((role, apart), *_) = telling
        remedy = {f"{role}_col": apart}
        advice = (
            f"column {quoted(apart)} tells such rows apart: say {arg(f'{role}_col', apart)}, "
            f"or choose rows with {arg('where')}"
        )
    elif ways:
        other_way = f"{ways[0]}!={other[1][ways[0]]}"
        remedy = {"where": (other_way,)}
        advice = (
            f"column {quoted(ways[0])} tells such rows apart, one answer scored in several ways: "
            f"choose one, such as by {arg('where', [other_way])}"
        )
    problems.add(text, advice, extra, [remedy] if remedy else [])


def _tells_apart(columns: Sequence[str], grid: Grid, long: Long) -> list[str]:
    """Return the columns that differ wherever keys are equal, judged by the first rows."""
    rows = np.flatnonzero((np.bincount(grid.cell) > 1)[grid.cell])[:MOST_ROWS].tolist()
    pairs = [*zip(grid.cell[rows].tolist(), long.places(rows), strict=True)]
    return [n for n in columns if len({(k, cells[n]) for k, (_, cells) in pairs}) == len(rows)]


def check_scored(survey: Survey, problems: Problems) -> None:
    """Refuse rows without a score, unless the options say what to do about them.

    In a table of means an empty cell means that the classifier lacks the whole data set.
    """
    options, account, unit = survey.options, survey.account, survey.scored.unit
    if options.baseline:
        _check_terms(survey, problems)
        return
    part = next((part for part in account.left_out if part.reason == "no-score"), None)
    settled = options.failed not in (None, "refuse") or options.missing not in (None, "refuse")
    if part is None or settled or (options.missing is None and not unit.has_spread):
        return
    drop = {"failed": "drop"} if unit.has_answers else {"missing": unit.policy}
    whole_sets = [{"missing": "drop-datasets"}] if unit.has_spread else []
    bounds = has_bounds(survey.scored, options) is not None
    counted = as_failed(survey.scored, options)
    see = f"{arg('failed', 'bounds')} to see whether the verdict depends on them, " * bounds
    advice = f"say {see}{counted} to fail them, or {arg('failed', 'drop')} to leave out their items"
    if not unit.has_answers:
        whole = f", or {arg('missing', 'drop-datasets')} to leave out whole data sets"
        advice = (
            f"add what is missing, or say {see}{counted} to count "
            f"those that failed, or {arg('missing', unit.policy)} to compare each pair on the "
            f"{unit.remaining} of which both have a score{whole if unit.has_spread else ''}"
        )
    problems.refuse(
        f"{_without_score(survey, part, 'trial' if unit.has_answers else 'row')}; {advice}",
        [*([{"failed": "bounds"}] * bounds), drop, *whole_sets],
    )


def _without_score(survey: Survey, part: LeftOut, noun: str) -> str:
    """Return how many rows lack a score, and whose."""
    total = number_of(survey.account.used + part.rows, noun)
    return f"{part.rows:,} of {total} without a score: {clipped(part.who, 200)}"


def _check_terms(survey: Survey, problems: Problems) -> None:
    """Refuse what a gate's candidate lacks, unless the options say how failed trials count."""
    options, account = survey.options, survey.account
    if options.missing not in (None, "refuse"):
        problems.tell(
            f"{arg('missing', options.missing)}: a gate judges all that its baseline has: leave it "
            "out"
        )
    part = next((part for part in account.left_out[::-1] if part.reason == "no-score"), None)
    may_lack = {*options.baseline} if options.failed == "drop" else set()
    if part is None or part.classifiers.keys() <= may_lack:
        return
    grid = survey.answers
    gaps = np.logical_or.reduceat(~grid.filled.all(axis=1), grid.starts)
    whole = [name for name, gap in zip(grid.datasets, gaps, strict=True) if not gap]
    some = 0 < len(whole) < len(grid.datasets)
    others = f", or judge the others with {arg('datasets', whole)}" if some else ""
    dropped = {*options.baseline} & part.classifiers.keys()
    drop = f", or {arg('failed', 'drop')} to leave out those of the baseline" if dropped else ""
    incomplete = np.unique(grid.fold[~grid.filled.all(axis=1)]).tolist()
    shared = [seed for i, seed in enumerate(grid.folds) if i not in incomplete]
    if grid.unit == SEED and 1 < len(shared) < len(grid.folds):
        seeds = f"{survey.scored.titles.get('seed', 'seed')}~^({'|'.join(map(re.escape, shared))})$"
        others += f", or the seeds that all have with {arg('where', [seeds])}"
    beyond = [part.who for part in account.left_out if part.reason == "beyond"]
    if beyond:
        others += f"; rows that the baseline lacks: {beyond[0]}: are they the same by another name?"
    bounds = has_bounds(survey.scored, options) is not None
    see = f"{arg('failed', 'bounds')} to see whether the verdict depends on it, or " * bounds
    problems.tell(
        f"{_without_score(survey, part, 'trial')}; a candidate may fail where it does badly: add "
        f"what is missing, say {see}{as_failed(survey.scored, options)} to count those that "
        f"failed{drop}{others}"
    )


def check_epochs(survey: Survey, problems: Problems) -> None:
    """Check that pass@k and pass^k can be computed from the answers to each item.

    Raises
    ------
    InputError : they cannot; or there were other problems already.
    """
    estimate, grid = EpochEstimate.parse(survey.options.epochs), survey.answers
    if estimate.kind == "mean":
        return
    how = arg("epochs", survey.options.epochs)
    for wrong, message in (
        (
            survey.epochs_apart,
            (
                f"{how}: a baseline is judged against itself by halves of its epochs, with means "
                f"of an item's answers; leave it out, or name whole re-runs by {arg('candidate')}"
            ),
        ),
        (
            not grid.unit.has_answers,
            f"{how} combines answers to test items; rows are {grid.unit.rows}",
        ),
        (
            not np.isin(survey.scored.numbers["score"], (0, 1)).all(),
            (
                f"{how} needs answers that are right (1) or wrong (0), and there are other scores; "
                "leave it out to compare the means of an item's answers"
            ),
        ),
    ):
        if wrong:
            problems.refuse(message)
    problems.raise_any()
    answers = survey.rows.numbers["answers"]
    few = np.flatnonzero(answers < estimate.k)
    for row in few[:1].tolist():
        roles = ("dataset", "fold", "classifier")
        dataset, item, who = (clipped(survey.rows.keys[role][row]) for role in roles)
        problems.add(
            f"data set {dataset}, item {item}: {number_of(int(answers[row]), 'answer')} of {who}, "
            f"and {how} needs {estimate.k}",
            f"ask for {int(answers.min())} at most, or add answers",
            len(few),
        )
    problems.raise_any()


def check_classifiers(survey: Survey, files: Sequence[str], problems: Problems) -> None:
    """Check that some data set has scores of two classifiers."""
    labelled = _labelled(survey, files)
    grid, least = survey.grid, 1 if survey.options.takes_one else 2
    if len(grid.classifiers) < least:
        one = f"one classifier, {clipped(grid.classifiers[0])}" if grid.classifiers else ""
        problems.tell(
            f"the results have {one or 'no classifier'}; two are needed. To compare files, label "
            f"them: {labelled or 'old=base.csv new=changed.csv'}"
        )
    elif grid.present.sum(axis=1).max() < least:
        why = "these results are unpaired; test both on the same data sets, under the same names"
        if labelled:
            why = (
                "without a column of data sets each file is one; if they are all of one, name the "
                f"classifiers: {labelled}"
            )
        problems.tell(
            f"no data set has scores of two classifiers ({named(grid.classifiers)}): {why}"
        )


def _labelled(survey: Survey, files: Sequence[str]) -> str:
    """Return the files as LABEL=FILE if each was read as a separate data set, else ""."""
    grid = survey.grid
    alone = (grid.present.sum(axis=1) == 1).all() and "dataset" not in survey.rows.titles
    if not alone or survey.options.preset or not len(files) == len(grid.datasets) > 1:
        return ""
    distinct = len(grid.classifiers) == len(files)
    names = [grid.classifiers[k] for k in grid.present.argmax(axis=1)]
    labels = names if distinct else grid.datasets
    pairs = zip(labels, files, strict=True)
    return " ".join(shlex.quote(f"{label}={file}") for label, file in pairs)


def check_complete(survey: Survey, problems: Problems) -> None:
    """Refuse folds and data sets that some classifier lacks, unless they are to be dropped."""
    missing, grid = survey.options.missing, survey.grid
    if missing not in (None, "refuse"):
        return
    check = _check_items if grid.unit.has_answers else _check_gaps
    incomplete = np.unique(grid.dataset[grid.incomplete]).tolist()
    fit = [check(grid, i, problems) for i in incomplete]
    if incomplete and all(fit):
        remedies = [{"missing": policy} for policy in (grid.unit.policy, "drop-datasets")]
        problems.help_by(remedies[: 1 + (len(grid.datasets) > 1)])
    for i in np.flatnonzero(~grid.present.all(axis=1) & (missing == "refuse")).tolist():
        problems.add(
            f"data set {clipped(grid.datasets[i])}: no scores of "
            f"{_classifiers(grid, ~grid.present[i])}",
            f"{arg('missing', 'refuse')} asks for every data set of every classifier: add what is "
            f"missing, leave such data sets out with {arg('missing', 'drop-datasets')}, or drop "
            f"{arg('missing')} to compare each pair on what both have",
        )


def _classifiers(grid: Grid, which: Sequence[bool]) -> str:
    """Return the names of a few classifiers."""
    return named([grid.classifiers[k] for k in np.flatnonzero(which)], 3)


def _check_items(grid: Grid, dataset: int, problems: Problems) -> bool:
    """Count the items of a data set that one classifier answered and another did not.

    Returns whether they may be left out.
    """
    rows = grid.rows(dataset)
    gaps, items = grid.gaps[rows], grid.fold[rows]
    alone = int((grid.filled[rows].sum(axis=1) == 1).sum())
    lacking = [
        f"{clipped(grid.classifiers[k])} lacks {gaps[:, k].sum():,} "
        f"({named([grid.folds[item] for item in items[gaps[:, k]]], 3)})"
        for k in np.flatnonzero(gaps.any(axis=0))
    ]
    only = f", and {number_of(alone, 'item')} only one classifier answered"
    of_several = only if alone and len(grid.classifiers) > 2 else ""
    may_drop = not gaps.any(axis=1).all()
    remedy = "no item was answered by all: give the same item the same name everywhere"
    if may_drop:
        remedy = (
            "add what is missing, or compare on the items that all answered with "
            f"{arg('missing', 'drop-items')}"
        )
    problems.add(
        f"data set {clipped(grid.datasets[dataset])}: {int(gaps.any(axis=1).sum()):,} of "
        f"{number_of(len(items), 'item')} lack an answer{of_several}: {'; '.join(lacking[:SHOWN])}",
        remedy,
    )
    return may_drop


def _check_gaps(grid: Grid, dataset: int, problems: Problems) -> bool:
    """List the folds of a data set that one classifier has and another lacks.

    Returns whether they may be left out, as the others are the same ones for all.
    """
    rows, here = grid.rows(dataset), np.flatnonzero(grid.present[dataset])
    filled = grid.filled[rows, here].astype(np.int64)
    unpaired = np.argwhere(filled.T @ filled == 0)
    if len(unpaired):
        one, other = (clipped(grid.classifiers[here[k]]) for k in unpaired[0])
        first, second = (
            grid.split_name(rows.start + int(filled[:, k].argmax())) for k in unpaired[0]
        )
        problems.add(
            f"data set {clipped(grid.datasets[dataset])}: {one} and {other} have no fold in common "
            f"({one} has {first}, {other} has {second})",
            "these results are unpaired: both classifiers must be tested on the same folds of the "
            "same runs, under the same names",
        )
        return False
    # of 6 folds one may lack the first, and another the last
    late, early = np.flatnonzero(filled[0] == 0), np.flatnonzero(filled[-1] == 0)
    for j, k in product(late.tolist(), early.tolist()):
        if (filled[1:, j] == filled[:-1, k]).all():
            ahead, behind = (clipped(grid.classifiers[i]) for i in here[[j, k]])
            problems.add(
                f"data set {clipped(grid.datasets[dataset])}: the folds of {ahead} begin with "
                f"{grid.split_name(rows.start + 1)}, and those of {behind} with "
                f"{grid.split_name(rows.start)}",
                "number them alike, else different ones are paired",
            )
            return False
    for unit in rows.start + np.flatnonzero(grid.incomplete[rows]):
        problems.add(
            f"{grid.row_name(unit)}: no score of {_classifiers(grid, grid.gaps[unit])}, but one of "
            f"{_classifiers(grid, grid.filled[unit])}",
            f"add what is missing ({LISTED} lists it), or leave out what is incomplete with "
            f"{arg('missing', 'drop-folds')} or {arg('missing', 'drop-datasets')}",
        )
    return True
