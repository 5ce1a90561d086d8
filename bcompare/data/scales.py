"""Notes on the scale of the scores: whether the rope is in their unit."""

import math
import shlex
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from bcompare.basis.messages import InputError, Note, arg, counted, spelled
from bcompare.data.rope import FloatArray, Rope
from bcompare.data.scores import Scores

PERCENT_ROPE = 0.1  # a wider rope may be meant in percent
DECIMALS = 1 - 1e-9  # differences of decimals are right to this factor
LEAST_PERCENT = 2.0  # a larger typical score is not a fraction, and rarely a log-loss
HIGHEST_RATING = 10.0
VERY_DIFFERENT = 20.0  # ratio between the typical scores of two data sets
APART = 30.0  # a larger ratio on every row is one of units, not of models
UNCLEAR = 0.6  # so many powers of ten beside a thousand a ratio may be of other units
SEVERAL_ROWS = 3
SOME = 0.1  # so large a share of times in another unit is no outlier
MOST_COMPARED = 50
SEVERAL = spelled("repeat the option, as in --rope 0 --rope 0.01", "compare once for each")


def scaled(name: str, factor: float) -> str:
    """Return the option that multiplies the scores of a classifier."""
    return spelled(
        f"--scale {shlex.quote(f'{name}={factor:g}')}", f"scale={{{name!r}: {factor:g}}}"
    )


def check_one_unit(scores: Scores, left: str, right: str) -> None:
    """Refuse two classifiers of which one scores `APART` times as much as the other on every row.

    Raises
    ------
    InputError : on all data sets, or on one with several rows, unless the user has given the unit.
    """
    names = (scores.extremes.get(name, (name,))[0] for name in (left, right))
    far = _apart(scores, *map(scores.classifiers.index, names))
    if not far.datasets or {left, right} & scores.scaled.keys():
        return
    convert = (
        "correct the file"
        if far.factor is None
        else f"say {scaled(right, far.factor)} to convert those of {right}"
    )
    raise InputError(
        f"{far.describe(left, right)}: these seem to be different units; {convert}, or "
        f"{scaled(right, 1)} if both are in one unit"
    )


@dataclass(frozen=True, slots=True)
class _Apart:
    """Data sets on which the scores of one classifier are at least `APART` times the other's.

    factor : the power of ten that converts them; None where that is not clear, as on some data
        sets, or of times that are not about 1,000 times each other.
    whole : whether all scores there are; else a part of times.
    """

    datasets: tuple[str, ...]
    larger: bool
    factor: float | None
    whole: bool

    def describe(self, left: str, right: str) -> str:
        which = "every score" if self.whole else "a part of the scores"
        relation = "larger" if self.larger else "smaller"
        datasets = counted(self.datasets, "data set", 3)
        return (
            f"{which} of {right} is more than {APART:g} times {relation} than that of {left} on "
            f"{datasets}"
        )


def _apart(scores: Scores, one: int, other: int) -> _Apart:
    """Compare the scores of two columns, row by row; a lone row counts if all data sets agree.

    A share beside answers that are right or wrong is a bar, in their unit.
    """
    # the rows of all data sets, one after the other
    left = np.abs(np.concatenate([dataset.table[:, one] for dataset in scores.datasets]))
    right = np.abs(np.concatenate([dataset.table[:, other] for dataset in scores.datasets]))
    starts = np.cumsum([0, *(len(dataset.table) for dataset in scores.datasets)])
    positive = (left > 0) & (right > 0)
    ratio = np.full(len(positive), np.nan)
    ratio[positive] = np.log10(right[positive] / left[positive])
    counts = np.add.reduceat(positive, starts[:-1], dtype=np.int64)
    above = np.add.reduceat(ratio > math.log10(APART), starts[:-1], dtype=np.int64)
    below = np.add.reduceat(ratio < -math.log10(APART), starts[:-1], dtype=np.int64)
    far = np.maximum(above, below)
    apart = (far == counts) & (counts > 0)
    if scores.is_time and not (scores.unit.has_answers or scores.account.assumed):
        # a few are no outliers, but in another unit
        apart |= far >= np.maximum(SOME * counts, 1)
    whole = bool((far == counts)[apart].all())
    if scores.unit.has_answers and np.isin(right, (0, 1)).all() and left.max(initial=0) < 1:
        apart[:] = False
    everywhere = bool((apart == (counts > 0)).all())
    if not everywhere:
        apart &= counts >= SEVERAL_ROWS
    if not apart.any():
        return _Apart((), False, None, whole)
    parts = np.split(ratio, starts[1:-1])
    middle = float(np.median([np.nanmedian(parts[i]) for i in np.flatnonzero(apart)]))
    names = tuple(scores.datasets[i].name for i in np.flatnonzero(apart))
    step = 3 if scores.lower_is_better and not scores.is_share else 1  # as of times
    power = step * round(middle / step)
    clear = everywhere and whole and power and abs(middle - power) < UNCLEAR
    larger = bool((above >= below)[apart].any())
    return _Apart(names, larger, 10.0**-power if clear else None, whole)


def check_rope(scores: Scores, rope: Rope) -> None:
    """Refuse ropes that nothing, or everything, would lie in.

    Raises
    ------
    InputError : unless lower is better, as of an error in any unit, or the user has given the unit.
    """
    if scores.lower_is_better or scores.scaled:
        return
    sizes = [np.abs(dataset.means) for dataset in scores.datasets]
    if min(-rope.low, rope.high) >= 1 >= max(float(np.nanmax(size)) for size in sizes):
        typical = float(np.nanmean(np.concatenate([size.ravel() for size in sizes])))
        raise InputError(
            f"{rope.describe()}: no score is above 1, so no difference is larger: "
            f"{narrower(typical)}"
        )
    for note in scale_notes(scores, rope):
        if note.code == "percentages":
            raise InputError(note.text)


def scale_notes(scores: Scores, rope: Rope) -> Iterator[Note]:
    """Warn about the rope, by itself and relative to the scale of the scores.

    ``units`` if classifiers seem to be in different ones; ``one-sided-rope`` if the rope contains
    no difference of one sign; ``wide-rope`` if it is as large as scores are on average; else
    ``percentages`` if it is below 0.1 and the scores look like these; else ``scales`` if the data
    sets have very different scales that are no fractions.
    """
    yield from _unit_notes(scores)
    if rope.is_empty:
        return
    if rope.low == 0 or rope.high == 0:
        yield Note(
            "one-sided-rope",
            "warning",
            f"two numbers are the borders of one rope, {_borders(rope)}, which lies on one side of "
            f"0: no difference on the other side counts as equivalent; for several ropes {SEVERAL}",
        )
    low, high = ends(scores)
    if low == high:  # equal in any unit
        return
    # a rope for long times may be no rope for short ones
    tables = [dataset.means for dataset in scores.datasets]
    each = tables if scores.is_time else [np.concatenate(tables)]
    size = min(float(np.nanmean(np.abs(part))) for part in each)
    if _reach(rope) >= size * DECIMALS:
        scored = "some times are long" if len(each) > 1 else "the scores are large"
        yield Note(
            "wide-rope",
            "warning",
            f"the rope {_borders(rope)} is as wide as {scored} ({low:g} to {high:g}): "
            f"{narrower(size)}",
        )
    elif _reach(rope) < PERCENT_ROPE and look_like_percentages(scores):
        yield percentages_note(scores, rope)
    elif are_unlike(scores) and max(abs(low), abs(high)) > 1:
        typical = typical_scores(scores)
        least = scores.datasets[typical.argmin()]
        most = scores.datasets[typical.argmax()]
        yield Note(
            "scales",
            "warning",
            "the data sets are on very different scales (typical score "
            f"{typical.min():g} on {least.name}, {typical.max():g} on {most.name}), and one rope "
            "cannot fit both: use a relative score, or choose data sets with "
            f"{arg('datasets')}",
        )


def typical_scores(scores: Scores) -> FloatArray:
    """Return the (q,) median size of the scores of each data set."""
    return np.array([np.nanmedian(np.abs(dataset.means)) for dataset in scores.datasets])


def are_unlike(scores: Scores) -> bool:
    """Return whether the data sets are on very different scales."""
    typical = typical_scores(scores)
    return bool(typical.max() > VERY_DIFFERENT * typical.min())


def look_like_percentages(scores: Scores) -> bool:
    """Return whether the scores seem to be in per cent, by their sizes.

    Names of amounts and of numbers such as RMSE have no per cent. A rating is at most 10.
    """
    meaning = scores.meaning
    if meaning is not None and meaning.kind in ("amount", "number"):
        return False
    if meaning is None and scores.lower_is_better:
        return False
    low, high = ends(scores)
    large = float(np.median(typical_scores(scores))) > LEAST_PERCENT
    has_end = meaning is None or meaning.kind is None or meaning.low is not None
    return low >= 0 and large and has_end and HIGHEST_RATING < high <= 100


def percentages_note(scores: Scores, rope: Rope) -> Note:
    """Return the warning that scores look like percentages under a rope for fractions."""
    low, high = ends(scores)
    return Note(
        "percentages",
        "warning",
        f"the scores ({low:g} to {high:g}) look like percentages, but the rope is "
        f"{_borders(rope)}: say {arg('percent', True)} to divide them by 100, or {arg('rope', 1)} "
        "if one point matters",
    )


def ends(scores: Scores) -> tuple[float, float]:
    """Return the smallest and the largest score."""
    values = np.concatenate([dataset.means.ravel() for dataset in scores.datasets])
    low = float(np.fmin.reduce(values))
    high = float(np.fmax.reduce(values))
    return (0.0 - high, 0.0 - low) if scores.lower_is_better else (low, high)


def _borders(rope: Rope) -> str:
    return f"[{rope.low:g}, {rope.high:g}]"


def _reach(rope: Rope) -> float:
    return max(-rope.low, rope.high)


def _unit_notes(scores: Scores) -> Iterator[Note]:
    """Warn of the first classifier whose every score is far from the first one's."""
    for k in range(1, min(len(scores.classifiers), MOST_COMPARED)):
        far = _apart(scores, 0, k)
        names = scores.classifiers
        if far.datasets and not {names[0], names[k]} & scores.scaled.keys():
            mend = "correct the file"
            if far.factor is not None:
                mend = f"say {scaled(names[k], far.factor)}"
            yield Note(
                "units",
                "warning",
                f"{far.describe(names[0], names[k])}: if these are different units, {mend}",
            )
            return


def check_reach(scores: Scores, rope: Rope, *baseline: str) -> None:
    """Refuse a rope that is as wide as the scores of the baseline, of these columns, are large.

    Of times that is asked on each data set. Of shares such as error rates, of which less is better,
    one point may matter more than twice as many errors.

    Raises
    ------
    InputError : nothing could be worse by more; or, if lower is better, twice as much would pass.
    """
    columns = [scores.classifiers.index(name) for name in baseline]
    sign = -1.0 if scores.lower_is_better else 1.0
    means = [sign * float(np.nanmean(dataset.table[:, columns])) for dataset in scores.datasets]
    size = min(means) if scores.is_time else float(np.nanmean(means))
    negative = min(float(np.nanmin(sign * dataset.table)) for dataset in scores.datasets) < 0
    if negative or -rope.low < size * DECIMALS:
        return
    if not scores.lower_is_better:
        raise InputError(
            f"{rope.describe()}: {baseline[0]} scores {size:g} on average, and no score is "
            f"negative, so nothing can be worse by more: {narrower(size)}"
        )
    if size > 0 and not scores.is_share:
        on = f"data set {scores.datasets[means.index(size)].name}" if size in means else "average"
        known = scores.meaning is not None and scores.meaning.direction == "lower"
        mend = f"say {arg('metric', f'{scores.metric}: 5%')}" if known else narrower(size)
        raise InputError(
            f"{rope.describe()}: {baseline[0]} scores {size:g} on {on}, and twice as much would "
            f"pass: {mend}"
        )


def narrower(size: float) -> str:
    """Return the advice to give a rope that is small for scores of this size."""
    rope = min(round_tenth(size), 0.01) if size <= 1 else round_tenth(size)
    return (
        "give the smallest difference that matters, in the scores' own unit, such as "
        f"{arg('rope', rope)}"
    )


def round_tenth(size: float) -> float:
    """Return about a tenth of a size, as a power of ten."""
    return 10.0 ** math.floor(math.log10(size / 10)) if size > 0 else 0.0
