"""Notes on the scale of the scores: whether the rope is in their unit."""

import math
from collections.abc import Iterator

import numpy as np

from bcompare.basis.arguments import arg, spelled
from bcompare.basis.notes import Note
from bcompare.data.rope import Rope
from bcompare.data.scores import Scores

PERCENT_ROPE = 0.1  # a wider rope may be meant in percent
DECIMALS = 1 - 1e-9  # differences of decimals are right to this factor
LEAST_PERCENT = 2.0  # a larger typical score is not a fraction, and rarely a log-loss
HIGHEST_RATING = 10.0
VERY_DIFFERENT = 20.0  # ratio between the typical scores of two data sets
SEVERAL = spelled("repeat the option, as in --rope 0 --rope 0.01", "compare once for each")


def scale_notes(scores: Scores, rope: Rope) -> Iterator[Note]:
    """Warn about the rope, by itself and relative to the scale of the scores.

    ``one-sided-rope`` if it contains no difference of one sign; ``wide-rope`` if it contains nearly
    all possible differences; else ``percentages`` or ``ratings`` if the scores look like these and
    the rope is below 0.1; else ``scales`` if the data sets have very different scales that are no
    fractions.
    """
    if rope.is_empty:
        return
    borders, reach = f"[{rope.low:g}, {rope.high:g}]", max(-rope.low, rope.high)
    if rope.low == 0 or rope.high == 0:
        message = (
            f"two numbers are the borders of one rope, {borders}, which lies on one side of 0: "
            f"few differences count as equivalent on the other side; for several ropes {SEVERAL}"
        )
        yield Note("one-sided-rope", "warning", message)
    low = min(float(np.fmin.reduce(d.table, axis=None)) for d in scores.datasets)
    high = max(float(np.fmax.reduce(d.table, axis=None)) for d in scores.datasets)
    if scores.lower_is_better:
        low, high = 0.0 - high, 0.0 - low
    span = high - low
    span = span if reach >= span * DECIMALS else _size_under(scores, reach)
    if low < high and reach >= span * DECIMALS:
        tenth = span / 10
        narrower = 10.0 ** math.floor(math.log10(tenth)) if tenth > 0 else 0.0
        if low >= 0 and high <= 1:
            narrower = min(narrower, 0.01)
        message = (
            f"the rope {borders} is so wide for scores from {low:g} to {high:g} that few "
            "differences can lie beyond it: give the smallest difference that matters, "
            f"in the scores' own unit, such as {arg('rope', narrower)}"
        )
        yield Note("wide-rope", "warning", message)
        return
    if max(abs(low), abs(high)) <= 1:  # fractions
        return
    typical = np.array([np.nanmedian(np.abs(d.table)) for d in scores.datasets])
    if low >= 0 and high <= 100 and np.median(typical) > LEAST_PERCENT:
        if reach < PERCENT_ROPE:
            yield _percentages(low, high, borders)
    elif typical.max() > VERY_DIFFERENT * typical.min():
        least, most = scores.datasets[typical.argmin()], scores.datasets[typical.argmax()]
        message = (
            "the data sets are on very different scales (typical score "
            f"{typical.min():g} on {least.name}, {typical.max():g} on {most.name}), and one rope "
            "cannot fit both: use a relative score, or choose data sets with "
            f"{arg('datasets')}"
        )
        yield Note("scales", "warning", message)


def _size_under(scores: Scores, reach: float) -> float:
    """Return the mean size of the scores, if the rope is wider than most of them differ; else ∞.

    Single scores may be far from the others, so their range says little.
    """
    tables = [dataset.table for dataset in scores.datasets]
    known = sum(np.count_nonzero(~np.isnan(table)) for table in tables)
    size = sum(float(np.nansum(np.abs(table))) for table in tables) / known
    if reach < size:
        return math.inf
    low, high = np.nanquantile(np.concatenate([table.ravel() for table in tables]), (0.05, 0.95))
    return size if reach >= (high - low) / 2 else math.inf


def _percentages(low: float, high: float, borders: str) -> Note:
    """Return a note on percentages, or ratings, under a rope that is too narrow for them."""
    if high <= HIGHEST_RATING:
        message = (
            f"the scores ({low:g} to {high:g}) look like ratings, and the rope {borders} is narrow "
            f"for them: give the smallest difference that matters, such as {arg('rope', 0.1)}"
        )
        return Note("ratings", "warning", message)
    message = (
        f"the scores ({low:g} to {high:g}) look like percentages, but the rope is {borders}: say "
        f"{arg('percent', True)} to divide them by 100, or {arg('rope', 1)} for one percentage "
        "point"
    )
    return Note("percentages", "warning", message)
