"""Densities: a plain one, or one over the mean difference with the three regions filled."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from bcompare.methods.base import Interval
from bcompare.plots.look import FAINT, INK, LEFT, RIGHT, ROPE
from bcompare.report.number import decimals_for, difference, probability
from bcompare.rope import FloatArray, RegionProbabilities, Rope

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# What is lower than this share of the peak is not worth its room on the page.
VISIBLE = 0.004
# Room beside all that is shown, and beside the rope, so that every region has its place.
EDGE, BESIDE = 0.03, 0.3
# Heights as shares of the peak.
TOP, NUMBERS, BORDERS, INTERVAL, BOTTOM = 1.25, 1.13, 1.22, -0.065, -0.13
NUMBER_SIZE = 11.0


@dataclass(frozen=True, slots=True)
class Summary:
    """Where a distribution is: its mean, and a credible interval."""

    mean: float
    interval: Interval[float]

    @property
    def words(self) -> tuple[str, str, str]:
        """Mean; the interval's level; the interval: a line each where room is short."""
        low, high = self.interval.low, self.interval.high
        digits = decimals_for(max(abs(low), abs(high)))
        mean, start, end = (difference(x, digits).lstrip("+") for x in (self.mean, low, high))
        return f"mean {mean}", f"{100 * self.interval.level:g} % interval", f"{start} to {end}"


@dataclass(frozen=True, eq=False, slots=True)
class Curve:
    """A density.

    grid : (m,) increasing values. density : (m,) at them. Both are empty for a point, which is
        then where the summary's mean is.
    summary : drawn below the curve; None where the distribution has none to show.
    """

    grid: FloatArray
    density: FloatArray
    summary: Summary | None

    @property
    def peak(self) -> float:
        """The highest density; 1 for a point, which has none."""
        return float(self.density.max(initial=0.0)) or 1.0

    @property
    def visible(self) -> tuple[float, float]:
        """From where to where there is something to see, the interval included."""
        shown = self.grid[self.density > VISIBLE * self.peak]
        ends = [*shown[:1], *shown[-1:]]
        if self.summary:
            ends += [self.summary.interval.low, self.summary.interval.high]
        return min(ends), max(ends)

    def between(self, low: float, high: float) -> tuple[FloatArray, FloatArray]:
        """The part of the curve from `low` to `high`, both ends included."""
        inside = self.grid[(self.grid > low) & (self.grid < high)]
        x = np.concatenate([[low], inside, [high]])
        return x, np.interp(x, self.grid, self.density, left=0.0, right=0.0)


def draw_curve(axes: "Axes", curve: Curve) -> None:
    """Draw the line of a density, and below it the mean and the interval."""
    if curve.grid.size:
        axes.plot(curve.grid, curve.density, color=INK, linewidth=1.2)
    elif curve.summary:
        axes.plot([curve.summary.mean] * 2, [0, curve.peak], color=INK, linewidth=2.5)
    axes.axhline(0, color=FAINT, linewidth=0.7)
    if curve.summary:
        at = INTERVAL * curve.peak
        ends = [curve.summary.interval.low, curve.summary.interval.high]
        axes.plot(ends, [at, at], color=INK, linewidth=2.5, solid_capstyle="butt")
        axes.plot([curve.summary.mean], [at], color=INK, marker="o", markersize=5.5)
    axes.set_xlim(*_with_room(*curve.visible))
    axes.set_ylim(BOTTOM * curve.peak, TOP * curve.peak)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)


def draw_regions_under(
    axes: "Axes", curve: Curve, rope: Rope, probabilities: RegionProbabilities[float]
) -> None:
    """Draw a density of the mean difference with the regions filled and their probabilities."""
    draw_curve(axes, curve)
    low, high = _range_with_regions(curve, rope)
    indent = 0.08 * (high - low)
    for look, start, end, p, middle in (
        (LEFT, low, rope.low, probabilities.left, low + indent),
        (ROPE, rope.low, rope.high, probabilities.rope, (rope.low + rope.high) / 2),
        (RIGHT, rope.high, high, probabilities.right, high - indent),
    ):
        if start < end:
            if curve.grid.size:
                axes.fill_between(*curve.between(start, end), **look.fill)
            number = {"weight": "bold", "size": NUMBER_SIZE, **look.label}
            axes.text(middle, NUMBERS * curve.peak, probability(p), **number)
    draw_borders(axes, curve, rope)
    axes.set_xlim(low, high)


def draw_borders(axes: "Axes", curve: Curve, rope: Rope) -> None:
    """Draw the borders of the rope, or the zero that is left where there is none."""
    borders = [rope.low] if rope.is_empty else [rope.low, rope.high]
    axes.vlines(borders, 0, BORDERS * curve.peak, color=INK, linewidth=0.9, linestyle="--")


def _range_with_regions(curve: Curve, rope: Rope) -> tuple[float, float]:
    """The visible range, with the rope in it and room on either side for the other regions."""
    low, high = curve.visible
    low, high = min(low, rope.low), max(high, rope.high)
    beside = BESIDE * (high - low or 1.0)
    low, high = _with_room(low, high)
    return min(low, rope.low - beside), max(high, rope.high + beside)


def _with_room(low: float, high: float) -> tuple[float, float]:
    room = EDGE * (high - low or 1.0)
    return low - room, high + room
