"""Notes on the scale of the scores: whether the rope is meant in their unit."""

import math

import numpy as np

from bcompare.basis.arguments import arg, spelled
from bcompare.basis.notes import Note
from bcompare.data.rope import Rope
from bcompare.data.scores import Scores

PERCENT_ROPE = 0.1  # a wider rope may well be meant in percent
LEAST_PERCENT = 2.0  # a typical score above this is no fraction, and hardly a log-loss
ROUNDED = 1e-12  # what rounding leaves of two equal means
VERY_DIFFERENT = 20.0  # ratio between the typical scores of two data sets


def scale_notes(scores: Scores, rope: Rope) -> tuple[Note, ...]:
    """Warnings about the rope, by itself and relative to the scale of the scores.

    ``one-sided-rope`` if no difference of one of the signs lies in it; ``wide-rope`` if it reaches
    as far as the scores do, so that nothing can lie beyond it; else ``percentages`` if the scores
    look like percentages while the rope is below 0.1; else ``scales`` if the data sets are on very
    different scales, none of them fractions of 1, under one rope.
    """
    if rope.is_empty:
        return ()
    one_sided = rope.low == 0 or rope.high == 0
    alone = (Note("one-sided-rope", "warning", _one_sided(rope)),) if one_sided else ()
    return (*alone, *_beside_scores(scores, rope))


def _beside_scores(scores: Scores, rope: Rope) -> tuple[Note, ...]:
    low = min(float(np.fmin.reduce(d.table, axis=None)) for d in scores.datasets)
    high = max(float(np.fmax.reduce(d.table, axis=None)) for d in scores.datasets)
    if scores.lower_is_better:
        low, high = 0.0 - high, 0.0 - low
    if low < high and max(-rope.low, rope.high) >= high - low:
        return (Note("wide-rope", "warning", _wide(low, high, rope)),)
    if max(abs(low), abs(high)) <= 1:  # fractions
        return ()
    typical = np.array([np.nanmedian(np.abs(d.table)) for d in scores.datasets])
    if low >= 0 and high <= 100 and np.median(typical) > LEAST_PERCENT:
        if max(-rope.low, rope.high) < PERCENT_ROPE:
            return (Note("percentages", "warning", _percentages(low, high, rope)),)
        return ()
    if typical.max() <= VERY_DIFFERENT * typical.min():
        return ()
    least, most = scores.datasets[typical.argmin()], scores.datasets[typical.argmax()]
    message = _scales(least.name, float(typical.min()), most.name, float(typical.max()))
    return (Note("scales", "warning", message),)


SEVERAL = spelled("repeat the option, as in --rope 0 --rope 0.01", "compare once for each")


def _one_sided(rope: Rope) -> str:
    return (
        f"two numbers are one rope, [{rope.low:g}, {rope.high:g}], and it lies on one side of 0, "
        "so that hardly any difference counts as equivalent on the other: for several ropes "
        f"{SEVERAL}"
    )


def _wide(low: float, high: float, rope: Rope) -> str:
    tenth = (high - low) / 10
    narrower = 10.0 ** math.floor(math.log10(tenth)) if tenth > 0 else 0.0
    if low >= 0 and high <= 1:
        narrower = min(narrower, 0.01)
    return (
        f"the rope [{rope.low:g}, {rope.high:g}] is as wide as the scores reach ({low:g} to "
        f"{high:g}), so that hardly any difference can lie beyond it: give the smallest difference "
        f"that matters, in the scores' own unit, such as {arg('rope', narrower)}"
    )


def _percentages(low: float, high: float, rope: Rope) -> str:
    return (
        f"the scores ({low:g} to {high:g}) look like percentages, but the rope is "
        f"[{rope.low:g}, {rope.high:g}]: say {arg('percent', True)} to divide them by 100, or "
        f"{arg('rope', 1)} for one percentage point"
    )


def _scales(small: str, low: float, large: str, high: float) -> str:
    return (
        f"the data sets are on very different scales (typical score {low:g} on {small}, "
        f"{high:g} on {large}), and one rope cannot fit both: use a relative score, or "
        f"choose data sets with {arg('datasets')}"
    )
