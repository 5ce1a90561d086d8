"""Densities: a plain one, or one over the mean difference with the three regions filled."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.methods.base import Interval
from bcompare.methods.student import StudentPosterior
from bcompare.plots.fills import FAINT, INK, REGIONS, ROPE, written
from bcompare.plots.numbers import in_interval, width_of
from bcompare.plots.sheet import Sheet

# Of the credible intervals, where a picture has room for one.
LEVEL = 0.95
# Densities below this share of the peak are not shown.
VISIBLE = 0.004
# Room at the ends of the axis, and on both sides of the rope, so that every region has its place.
EDGE, SIDES = 0.03, 0.3
# Heights as shares of the peak.
TOP, NUMBERS, BORDERS, INTERVAL, BOTTOM = 1.25, 1.13, 1.22, -0.065, -0.13
# From the ends of the axes to the middle of a number, as a share; around a number, in inches.
INDENT, NUMBER_GAP = 0.08, 0.1
# Of a density estimated from numbers: steps in the width of a kernel, and how many widths it
# reaches; in how many widths the numbers may lie, as narrower ones could not be seen; what a line
# may be off without being seen, as a share of the peak.
STEPS, REACH, NARROWEST, UNSEEN = 10, 3, 1000, 0.0003
# Numbers that differ by no larger share are the same.
ROUNDING = 1e-9
# Thickness of a lone interval's bar; of nested ones the widest, and how much each next adds.
WIDEST_BAR, THINNEST, THICKER = 2.5, 0.9, 1.3


@dataclass(frozen=True, eq=False)
class Curve:
    """A density, and where the distribution is.

    grid : (m,) increasing values. density : (m,) at them. A point has one of each, or none: it is
        then where the mean is.
    mean, intervals : drawn below the curve; without them there is nothing to show.
    """

    grid: FloatArray
    density: FloatArray
    mean: float | None = None
    intervals: tuple[Interval[float], ...] = ()

    @classmethod
    def of_dataset(
        cls,
        posterior: StudentPosterior,
        i: int,
        intervals: Sequence[Interval[FloatArray]],
        points: int,
    ) -> "Curve":
        """The posterior on the i-th data set, on a grid of `points`."""
        own = tuple(Interval(k.level, float(k.low[i]), float(k.high[i])) for k in intervals)
        return cls(*posterior.curve(i, points), float(posterior.location[i]), own)

    @property
    def words(self) -> list[str]:
        """Mean; then of each interval its level, and its ends: a line each where room is short."""
        if self.mean is None:
            return []
        widest = max(self.intervals, key=lambda interval: interval.level)
        mean, *ends = (
            in_interval(value, widest.low, widest.high)
            for value in (self.mean, *(end for k in self.intervals for end in (k.low, k.high)))
        )
        words = [f"mean {mean}"]
        for interval, low, high in zip(self.intervals, ends[::2], ends[1::2], strict=True):
            words += [f"{100 * interval.level:.10g} % interval", f"{low} to {high}"]
        return words

    @property
    def point(self) -> float | None:
        """The only value there is; None where there are many."""
        if len(self.grid) > 1:
            return None
        return float(self.grid[0]) if self.mean is None else self.mean

    @property
    def peak(self) -> float:
        """The highest density; 1 for a point, which has none."""
        return float(self.density.max(initial=0.0)) or 1.0

    @property
    def visible(self) -> tuple[float, float]:
        """The ends of what can be seen, the intervals included."""
        shown = self.grid[self.density > VISIBLE * self.peak]
        ends = [*shown[:1], *shown[-1:], *(end for k in self.intervals for end in (k.low, k.high))]
        return min(ends), max(ends)

    @property
    def line(self) -> tuple[FloatArray, FloatArray]:
        """The points to draw: it rises from 0 and falls to 0 where the support has an end."""
        grid, density = self.grid, self.density
        ends = density[[0, -1]] > VISIBLE * self.peak
        return (
            np.concatenate([grid[:1][ends[:1]], grid, grid[-1:][ends[1:]]]),
            np.concatenate([np.zeros(int(ends[0])), density, np.zeros(int(ends[1]))]),
        )


def estimated(values: FloatArray, steps: int = STEPS) -> Curve:
    """Estimate a density by Gaussian kernels of Silverman's width; a point for equal numbers.

    Numbers that are equal but for rounding leave no room for a curve. `steps` is the number of grid
    points in the width of a kernel, so that an outlier does not coarsen the rest of the curve.
    """
    from scipy.stats import gaussian_kde

    first, last = float(values.min()), float(values.max())
    if last - first <= ROUNDING * max(abs(first), abs(last)):
        return Curve(values[:1], np.ones(1))
    low, high = np.quantile(values, [0.25, 0.75])
    spread, quartiles = float(values.std(ddof=1)), float(high - low) / 1.349
    narrower = min(spread, quartiles) if quartiles > ROUNDING * spread else spread
    width = max(0.9 * narrower * len(values) ** -0.2, (last - first) / NARROWEST)
    first, last = first - REACH * width, last + REACH * width
    grid = np.linspace(first, last, math.ceil((last - first) / width * steps) + 1)
    density = gaussian_kde(values, width / spread)(grid)
    # Between numbers far apart the line is straight.
    high_enough = density > UNSEEN * density.max()
    kept = np.convolve(high_enough, np.ones(3), "same") > 0
    kept[[0, -1]] = True
    return Curve(grid[kept], density[kept])


def draw_curve(axes: Axes, curve: Curve) -> None:
    """Draw the line of a density; below it the mean and the intervals, narrower ones thicker."""
    if curve.point is None:
        axes.plot(*curve.line, color=INK, linewidth=1.2)
    else:
        axes.plot([curve.point] * 2, [0, curve.peak], color=INK, linewidth=2.5)
    axes.axhline(0, color=FAINT, linewidth=0.7)
    at = INTERVAL * curve.peak
    nested = sorted(curve.intervals, key=lambda interval: -interval.level)
    for i, interval in enumerate(nested):
        thickness = WIDEST_BAR if len(nested) == 1 else THINNEST + i * THICKER
        ends = [interval.low, interval.high]
        axes.plot(ends, [at, at], color=INK, linewidth=thickness, solid_capstyle="butt")
    if curve.mean is not None:
        mean: dict[str, Any] = {"color": INK, "markeredgecolor": "white", "markeredgewidth": 0.6}
        axes.plot([curve.mean], [at], marker="o", markersize=5.5, **mean)
    axes.set_xlim(*_with_room(*curve.visible))
    axes.set_ylim(BOTTOM * curve.peak, TOP * curve.peak)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)


def draw_regions_under(axes: Axes, curve: Curve, rope: Rope) -> None:
    """Draw a density of the mean difference with the regions filled, and with room for each."""
    draw_curve(axes, curve)
    if curve.point is None:
        borders = np.clip([rope.low, rope.high], curve.grid[0], curve.grid[-1])
        x = np.union1d(curve.grid, borders)
        y = np.interp(x, curve.grid, curve.density)
        inside = (x >= rope.low) & (x <= rope.high) & (not rope.is_empty)
        parts = (x <= rope.low, inside, x >= rope.high)
        for region, own in zip(REGIONS.values(), parts, strict=True):
            if own.any():
                axes.fill_between(x, y, where=own, **region.fill)
    draw_borders(axes, curve, rope)
    low, high = curve.visible
    low, high = min(low, rope.low), max(high, rope.high)
    sides = SIDES * (high - low or 1.0)
    low, high = _with_room(low, high)
    axes.set_xlim(min(low, rope.low - sides), max(high, rope.high + sides))


def draw_borders(axes: Axes, curve: Curve, rope: Rope) -> None:
    """Draw the borders of the rope, or the zero that is left where there is none."""
    borders = [rope.low] if rope.is_empty else [rope.low, rope.high]
    axes.vlines(borders, 0, BORDERS * curve.peak, color=INK, linewidth=0.9, linestyle="--")


def write_probabilities(
    axes: Axes, curve: Curve, rope: Rope, p: RegionProbabilities[float], sheet: Sheet
) -> None:
    """Write the regions' probabilities above the density, side by side however narrow it is."""
    low, high = axes.get_xlim()
    inch = (high - low) / width_of(axes)
    wide = (sheet.widest(written(p), sheet.large, "bold") + NUMBER_GAP) * inch
    indent = max(INDENT * (high - low), wide / 2)
    left, right = low + indent, high - indent
    middle = float(np.clip((rope.low + rope.high) / 2, left + wide, right - wide))
    look = {"weight": "bold", "size": sheet.large}
    write_in_regions(axes, (left, middle, right), NUMBERS * curve.peak, rope, p, **look)


def write_in_regions(
    axes: Axes,
    across: Sequence[float],
    up: float,
    rope: Rope,
    p: RegionProbabilities[float],
    **look: Any,
) -> None:
    """Write the probability of each region at its place; without a rope, of two."""
    for region, at, words in zip(REGIONS.values(), across, written(p), strict=True):
        if region is not ROPE or not rope.is_empty:
            axes.text(at, up, words, **{**region.label, **look})


def _with_room(low: float, high: float) -> tuple[float, float]:
    room = EDGE * (high - low or 1.0)
    return low - room, high + room
