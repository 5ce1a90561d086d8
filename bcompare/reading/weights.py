"""Weights of test items, for rates of sums: word error rate, tokens per second, clicks per view.

A rate of sums, Σ w x / Σ w, is the mean of the single rates x weighted by their denominators w.
"""

import numpy as np

from bcompare.basis.messages import Note, arg
from bcompare.columns.features import ColumnTable
from bcompare.data.rope import FloatArray
from bcompare.files.problems import Problems, clipped, quoted
from bcompare.reading.long_table import Long
from bcompare.reading.score_grid import Grid

# The most columns that are looked at for a numerator and a denominator, and the least rows.
MOST_COLUMNS, LEAST_ROWS = 20, 5
# How far a ratio may be from a score that is written with some decimals.
ROUNDING = 5e-5


def weights_of(answers: Grid, long: Long, grid: Grid, problems: Problems) -> FloatArray | None:
    """Return the (u,) weight of each item, if there are any.

    answers : the grid of all rows, each epoch by itself, and long : these. grid : of items. An item
    has the same weight for all classifiers and epochs.
    """
    if "weight" not in long.numbers:
        return None
    given = long.numbers["weight"]
    name = quoted(long.titles.get("weight", "weight"))
    row = answers.cell // len(answers.classifiers)
    keys = answers.dataset * len(answers.folds) + answers.fold
    places = grid.dataset * len(grid.folds) + grid.fold
    order = np.argsort(places)
    item = order[np.searchsorted(places, keys[row], sorter=order)]
    wrong = ~(np.isfinite(given) & (given > 0))
    for score in np.flatnonzero(wrong)[:1].tolist():
        problems.add(
            f"{answers.row_name(int(row[score]))}: the weight in column {name} is {given[score]:g}",
            "weights are numbers above 0; an item without any counts for nothing: leave it out "
            f"with {arg('where')}",
            int(wrong.sum()),
        )
    weights = np.ones(len(grid.dataset))
    weighed = np.flatnonzero(~wrong)[::-1]  # of several rows the first one stays
    weights[item[weighed]] = given[weighed]
    differs = np.flatnonzero(~wrong & (weights[item] != given))
    for score in differs[:1].tolist():
        problems.add(
            f"{answers.row_name(int(row[score]))}: weights {weights[item[score]]:g} and "
            f"{given[score]:g} in column {name}",
            "an item has one weight for all classifiers, as the number of words of its reference; "
            "where denominators differ, as tokens of the answers do, a rate of sums is no weighted "
            "mean, and is not compared",
            len(differs),
        )
    return weights


def note_on_ratio(table: ColumnTable, score: str) -> Note | None:
    """Return what the mean means, where the scores are the ratio of two other columns."""
    if score not in table or not table[score].is_number or table.rows < LEAST_ROWS:
        return None
    scores = table[score].numbers
    names = [n for n in table.header if n != score and table[n].is_number]
    numbers = {n: table[n].numbers for n in names if len(table[n].numbers) == len(scores)}
    varied = [n for n in numbers if np.ptp(numbers[n]) > 0][:MOST_COLUMNS]
    for below in varied:
        if not (numbers[below] > 0).all():
            continue
        for above in varied:
            ratio = numbers[above] / numbers[below]
            if above == below or np.ptp(ratio) == 0:
                continue
            for part, what in (
                (ratio, f"{above} / {below}"),
                (1 - ratio, f"1 - {above} / {below}"),
            ):
                if np.abs(part - scores).max() <= ROUNDING:
                    weighted = float((numbers[below] * scores).sum() / numbers[below].sum())
                    return Note(
                        "ratio",
                        "info",
                        f"the score is {clipped(what)} in every row: its mean, "
                        f"{float(scores.mean()):.4g}, is that of single ratios; the rate of sums, "
                        f"{weighted:.4g}, weighs them: {arg('weight_col', below)}",
                    )
    return None
