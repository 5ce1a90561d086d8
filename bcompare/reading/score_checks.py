"""Checks of what was chosen and of what scores are; each adds its findings to the problems."""

import re
import shlex
from collections.abc import Sequence

import numpy as np

from bcompare.basis.messages import arg, nearest, number_of, spelled
from bcompare.basis.names import short_names
from bcompare.columns.direction import is_loss, is_measured, is_never_negative, is_share
from bcompare.columns.vocabulary import METRICS, plain
from bcompare.data.account import by_classifier
from bcompare.data.rope import LARGEST, BoolArray
from bcompare.data.scales import LEAST_PERCENT
from bcompare.files.cells import SENTINELS
from bcompare.files.options import ReadOptions
from bcompare.files.presets import lower
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
from bcompare.reading.chosen_rows import Survey
from bcompare.reading.long_table import Long

# Metrics, in letters and digits only, that may be negative though none is above 1.
SIGNED = {
    *("mcc", "matthewscorrcoef", "r2", "r2score", "kappa", "cohenkappa", "correlation", "ari"),
    *("spearman", "pearson", "kendall", "silhouette", "skill", "reward", "return"),
}
# Among percentages of which the median is higher, one below 1 is a share.
TYPICAL_PERCENT = 50.0
# So many times as large as all others a number may stand for a missing one.
FAR_OUT = 5.0
# Larger numbers are no ranks, of however many classifiers.
MOST_RANKS = 30
# A larger share of percentages above 100 is none of mistakes.
FEW_OVER = 0.5
# Values that show that a column called ``type`` holds metrics.
TYPES = {"binary", "multiclass", "classification", "regression", *METRICS}


def check_choice(long: Long, options: ReadOptions, problems: Problems) -> None:
    """Check that the chosen classifiers and data sets exist."""
    for role, chosen in (
        ("classifier", options.classifiers),
        ("dataset", options.datasets),
        ("classifier", (*options.scale, *options.baseline)),
    ):
        what = role.replace("dataset", "data set")
        names = long.keys[role].names
        for name in (name for name in chosen if name not in names):
            whole = {n[:WIDTH]: n for n in reversed(names[:1000])}
            near = nearest(name[:WIDTH], whole)
            meant = f"; did you mean {clipped(whole[near[0]])}?" if near else ""
            full = {short: full for full, short in short_names(tuple(names)).items()}.get(name)
            rest = f"; the results have {named(names)}{meant}"
            rest = f"; write it in full: {shlex.quote(full)}" if full else rest
            problems.tell(f"there is no {what} {clipped(name)}{rest}")
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
    classifier = long.keys["named"]
    rows = classifier.which(bool)
    labelled = join([long.keys["dataset"], long.keys["classifier"]], between="\0").rows(rows)
    pairs, _ = distinct(labelled.codes, classifier.codes[rows], len(classifier.names))
    label, name = np.divmod(pairs, len(classifier.names))
    for i in np.flatnonzero(np.diff(label) == 0)[:1].tolist():
        dataset, who = map(clipped, labelled.names[label[i]].split("\0"))
        names = named([classifier.names[name[i]], classifier.names[name[i + 1]]])
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
        problems.refuse(
            f"no score at all on data set {named(lacking)}: is another metric used there? Name "
            f"the data sets to compare on with {arg('datasets')}, or another "
            f"{arg('score_col')}",
        )


def check_metric(long: Long, baseline: Sequence[str], problems: Problems) -> None:
    """Check that all scores are of one metric; baseline : of a gate.

    Raises
    ------
    InputError : they are of several.
    """
    name = long.titles.get("metric")
    if name is None:
        return
    metric = long.keys["metric"]
    of_baseline = long.of(baseline)
    named_metric = metric.which(bool)
    if (
        of_baseline.any()
        and not named_metric[of_baseline].any()
        and named_metric[~of_baseline].any()
    ):  # the terms are the baseline's
        who = by_classifier(long.by_classifier(named_metric & ~of_baseline))
        problems.tell(
            f"column {quoted(name)} names the metric of the scores of {who}, but nothing names "
            "that of the baseline's: give both files that column, or neither"
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
        )
    first = next((metric for metric in counts if not is_loss(metric)), next(iter(counts)))
    listed = ", ".join(f"{clipped(metric)} ({number_of(n, 'row')})" for metric, n in counts.items())
    both = "|".join(map(re.escape, list(counts)[:2]))
    rest = f", or name those that are on one scale, such as {arg('where', [f'{name}~^({both})$'])}"
    rest *= not (long.unit.has_answers or is_type)  # an item would have two scores
    problems.refuse(
        f"column {quoted(name)} says that the scores are of several metrics: {listed}; choose one, "
        f"such as {arg('where', [f'{name}={first}'])}{lower(first)}{rest}",
    )


def check_measures(long: Long, problems: Problems) -> None:
    """Refuse scores of one data set that a program has taken from different metrics, or parts."""
    if "measure" not in long.keys:
        return
    measure = long.keys["measure"]
    dataset = long.keys["dataset"]
    measured = np.flatnonzero(measure.which(bool))
    pairs, pair = distinct(dataset.codes[measured], measure.codes[measured], len(measure.names))
    dataset_of = pairs // len(measure.names)
    for place in np.flatnonzero(np.diff(dataset_of) == 0)[:1].tolist():
        rows = [int(measured[np.flatnonzero(pair == i)[0]]) for i in (place, place + 1)]
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


def check_ranks(survey: Survey, problems: Problems) -> None:
    """Refuse means that seem to be ranks, unless the user says which ones are better."""
    score = survey.scored.numbers["score"]
    score = score[np.isfinite(score)]
    if survey.scored.unit.has_spread or survey.directed or not len(score) or (score % 0.5).any():
        return
    # not all that were ranked may be chosen
    most = MOST_RANKS if survey.options.classifiers else len(survey.grid.classifiers)
    if score.min() >= 1 and 2 <= score.max() <= most:
        problems.tell(
            f"all scores are whole or half numbers from {score.min():g} to {score.max():g}: if "
            f"they are ranks, say {arg('lower_is_better', True)}, else "
            f"{arg('lower_is_better', False)}"
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
        problems.refuse(
            f"{_those(long, large)[0]}: 1e+140 and more is too large to compute with; use another "
            "unit, or correct it"
        )
    measured = all(map(is_measured, survey.names))
    positive = measured or all(map(is_never_negative, survey.names))
    if not positive:
        _check_sentinels(survey, problems)
    beyond = (score > LEAST_PERCENT) & (score <= 100)
    in_unit = ((score > 0) & (score < 1)).any()
    if all(map(is_share, survey.names)) and beyond.any() and in_unit and not survey.options.percent:
        datasets = long.keys["dataset"]
        largest = np.zeros(len(datasets.names))
        np.maximum.at(largest, datasets.codes, score)
        if beyond.mean() < 0.5 or (largest[np.unique(datasets.codes)] <= 1).any():
            problems.refuse(
                f"{_those(long, beyond)[0]} next to shares of at most 1: correct what is in per "
                f"cent, or say {arg('percent', True)} if all scores are"
            )
    _check_percent(long, survey.options, problems)
    wrong = score <= 0 if measured else score < 0
    if positive and wrong.any():
        those, text = _those(long, wrong)
        least = "a time or a size is above 0" if measured else "a share or an error is at least 0"
        alone = len({*score[wrong].tolist()}) == 1
        mend = f"did these trials fail? Say {arg('na_values', [text])}" if alone else "correct it"
        problems.refuse(
            f"{those}: {least}; {mend}",
        )


def _check_sentinels(survey: Survey, problems: Problems) -> None:
    """Refuse a number far from all other scores that may stand for a missing one, such as -1."""
    long = survey.scored
    score = long.numbers["score"]
    names = {plain(text) for text in (long.titles.get("score", ""), *long.metrics)}
    for sentinel in SENTINELS:
        rows = score == sentinel
        others = score[np.isfinite(score) & ~rows]
        if not rows.any() or not len(others):
            continue
        low = float(others.min())
        high = float(others.max())
        if not _is_far(sentinel, low, high) or (sentinel < 0 and names & SIGNED):
            continue
        if np.isin(others, (0, 1)).all():  # of votes, which are -1, 0 or 1
            continue
        those, text = _those(long, rows)
        if survey.accepts(text, f"{those} count as scores"):
            continue
        problems.refuse(
            f"{those} among scores from {low:g} to {high:g}: do they stand for scores that are "
            f"missing? Say {arg('na_values', [text])} if so, or {arg('accept', [text])} if they "
            "are scores",
        )


def _is_far(sentinel: float, low: float, high: float) -> bool:
    """Return whether a number is the only negative one, or far from the range of all others."""
    if sentinel < 0 <= low:
        return True
    outside = sentinel < low or sentinel > high
    return outside and abs(sentinel) > FAR_OUT * max(abs(low), abs(high))


def _check_percent(long: Long, options: ReadOptions, problems: Problems) -> None:
    """Refuse percentages that are shares, or above 100."""
    score = long.numbers["score"]
    if not options.percent or options.lower_is_better:
        return
    over = score > 100
    shares = (score > 0) & (score < 1)
    if 0 < over.mean() < FEW_OVER:
        problems.refuse(f"{_those(long, over)[0]} above 100 %: correct it")
    if (score <= 1).all() and shares.any():
        problems.refuse(
            f"no score is above 1, so none is in per cent: leave out {arg('percent', True)}",
        )
    elif shares.any() and np.median(score[score >= 1]) > TYPICAL_PERCENT:
        problems.refuse(
            f"{_those(long, shares)[0]} next to percentages of {np.median(score[score >= 1]):g} "
            "and the like: correct what is a share of 1"
        )


def _those(long: Long, rows: BoolArray) -> tuple[str, str]:
    """Return how many scores these are, whose, and where the first is; and that one as text."""
    first = int(rows.argmax())
    ((place, cells),) = long.places([first])
    text = cells.get(long.titles.get("score", "")) or f"{long.numbers['score'][first]:g}"
    who = by_classifier({clipped(k): n for k, n in long.by_classifier(rows).items()})
    return f"{number_of(int(rows.sum()), 'score')} such as {text} ({who}; {place})", text


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


def check_classifiers(survey: Survey, files: Sequence[str], problems: Problems) -> None:
    """Check that some data set has scores of two classifiers."""
    labelled = _labelled(survey, files)
    grid = survey.grid
    least = 1 if survey.options.takes_one else 2
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
