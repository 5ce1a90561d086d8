"""Rows of sides that share nothing: trials, numbered for each side alone; counts taken apart."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from bcompare.basis.messages import InputError, Note, arg
from bcompare.columns.direction import direction_of
from bcompare.data.rope import BoolArray, IntArray
from bcompare.files.options import MOST_TRIALS
from bcompare.files.problems import Problems, clipped, named, quoted
from bcompare.files.tables import Coded
from bcompare.reading.absent import Reasons
from bcompare.reading.long_table import Long, numbered_within

# What the rates of counts are called: of what is good, and of what is bad.
SUCCESS, FAILURE = "success", "error rate"


def as_trials(long: Long) -> Long:
    """Return the rows as trials, numbered within each data set and classifier.

    Counts become as many trials, of which the successes score 1 and the others 0.

    Raises
    ------
    InputError : counts that are none.
    """
    note = _note_on_items(long)
    if "trials" in long.numbers:
        long = _taken_apart(long)
    numbers = numbered_within(long.codes("dataset", "classifier"))
    keys = {role: names for role, names in long.keys.items() if role != "drawn"}
    keys["run"] = Coded.constant("1", len(long))
    keys["fold"] = numbers
    return replace(long, keys=keys, notes=(*long.notes, *note))


def trials_on_terms(
    long: Long, is_baseline: BoolArray, problems: Problems
) -> tuple[Long, Reasons, Reasons]:
    """Return the trials on the data sets of a gate's baseline, whose rows come first.

    And, as `bcompare.reading.baseline.on_terms`, what candidates lack, which is no single trial,
    and what was left out, since the baseline lacks these data sets.
    """
    dataset, who = long.keys["dataset"], long.keys["classifier"]
    of_baseline = {*dataset.rows(is_baseline).used()[0]}
    for name in who.rows(~is_baseline).used()[0]:
        has = {*dataset.rows(who.which(name.__eq__)).used()[0]}
        lacking = sorted(of_baseline - has)
        if lacking:
            problems.add(
                f"{clipped(name)} has no trials on data set {named(lacking)}, where the baseline "
                "has some",
                "a candidate may be absent where it does badly: add them, or name the data sets to "
                f"judge with {arg('datasets')}",
            )
    judged = dataset.which(of_baseline.__contains__)
    left_out = {
        name: {"trials on data sets that the baseline lacks": count}
        for name, count in long.by_classifier(~judged).items()
    }
    order = np.argsort(~is_baseline, kind="stable")
    return long.chosen(order[judged[order]]), {}, left_out


def _taken_apart(long: Long) -> Long:
    """Return a row for each trial of counts.

    Raises
    ------
    InputError : counts that are none, or two for one side.
    """
    successes = long.numbers["score"]
    trials = long.numbers["trials"]
    wrong = ~(np.isfinite(successes) & np.isfinite(trials))
    with np.errstate(invalid="ignore"):
        wrong |= (successes % 1 != 0) | (trials % 1 != 0)
        wrong |= (successes < 0) | (successes > trials) | (trials < 1)
    problems = Problems().include(long.problems)
    for row in np.flatnonzero(wrong)[:1].tolist():
        problems.add(
            f"{_place(long, row)}: {successes[row]:g} of {trials[row]:g}",
            "counts are whole numbers, successes from 0 to the trials, and at least one trial",
            int(wrong.sum()),
        )
    side = long.codes("dataset", "classifier")
    _, first = np.unique(side, return_index=True)
    again = np.setdiff1d(np.arange(len(side)), first)
    for row in again[:1].tolist():
        problems.add(
            f"{_place(long, row)}: counts of {clipped(long.keys['classifier'][row])} on data set "
            f"{clipped(long.keys['dataset'][row])} stand in another row, too",
            "sum them up if all their trials are alike; where runs or seeds differ as a whole, "
            f"write their shares as scores, and say {arg('unpaired', True)}; or name what tells "
            f"them apart as a part of the data set with {arg('dataset_col')}",
            len(again),
        )
    problems.raise_any()
    if trials.sum() > MOST_TRIALS:
        raise InputError(
            f"{int(trials.sum()):,} trials, and {MOST_TRIALS:,} are the most that are read"
        )
    row_of = np.repeat(np.arange(len(trials)), trials.astype(np.int64))
    place = np.arange(len(row_of)) - np.repeat(np.cumsum(trials) - trials, trials.astype(np.int64))
    scores = (place < successes[row_of]).astype(np.float64)
    apart = long.chosen(row_of).with_scores(scores)
    name = SUCCESS if direction_of(long.titles.get("score", "")) != "lower" else FAILURE
    return replace(apart, titles={**long.titles, "score": name}, written=frozenset())


def _place(long: Long, row: int) -> str:
    """Return where a row stands."""
    ((place, _),) = long.places([row])
    return place


def _note_on_items(long: Long) -> Sequence[Note]:
    """Return a note where a column names test items: shared ones pair, others are other questions.

    Seeds and episodes are drawn anew by each run. Questions are not, so that two sets of them are
    samples of one population only if they were drawn so.
    """
    if "drawn" not in long.keys:
        return ()
    item = long.keys["drawn"]
    name = long.titles.get("drawn", "item")
    pairs = _distinct_pairs(item, long.keys["classifier"])
    count = np.bincount(pairs)
    share = float((count > 1).mean())
    if share > 0:
        text = (
            f"column {quoted(name)} has {share:.0%} of its values on both sides: where they are "
            f"the same test items, {arg('item_col', name)} pairs them, which is more exact"
        )
        return (Note("shared-items", "info", text),)
    text = (
        f"by column {quoted(name)} each side has other test items: they compare the classifiers "
        "only if both sets are random samples of one population; else one may be easier"
    )
    return (Note("other-items", "warning", text),)


def _distinct_pairs(item: Coded, who: Coded) -> IntArray:
    """Return the item of each distinct pair of an item and a classifier."""
    pairs = np.unique(np.stack([item.codes, who.codes]), axis=1)
    return np.asarray(pairs[0])
