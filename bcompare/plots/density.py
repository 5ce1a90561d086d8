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


@dataclass(frozen=True, slots=True)
class Summary:
    """Where a distribution is: its mean, and credible intervals, drawn nested."""

    mean: float
    intervals: tuple[Interval[float], ...]

    @property
    def widest(self) -> Interval[float]:
        """The interval of the highest probability."""
        return max(self.intervals, key=lambda interval: interval.level)

    @property
    def words(self) -> tuple[str, ...]:
        """Mean; then of each interval its level, and its ends: a line each where room is short."""
        ends = self.widest.low, self.widest.high

        def written(value: float) -> str:
            return in_interval(value, *ends)

        parts = [f"mean {written(self.mean)}"]
        for interval in self.intervals:
            level = f"{100 * interval.level:.10g} % interval"
            parts += [level, f"{written(interval.low)} to {written(interval.high)}"]
        return tuple(parts)


@dataclass(frozen=True, eq=False)
class Curve:
    """A density.

    grid : (m,) increasing values. density : (m,) at them. A point has one of each, or none: it is
        then where the summary's mean is.
    summary : drawn below the curve; None where the distribution has none to show.
    """

    grid: FloatArray
    density: FloatArray
    summary: Summary | None

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
        return cls(*posterior.curve(i, points), Summary(float(posterior.location[i]), own))

    @property
    def point(self) -> float | None:
        """The only value there is; None where there are many."""
        if len(self.grid) > 1:
            return None
        return self.summary.mean if self.summary else float(self.grid[0])

    @property
    def peak(self) -> float:
        """The highest density; 1 for a point, which has none."""
        return float(self.density.max(initial=0.0)) or 1.0

    @property
    def visible(self) -> tuple[float, float]:
        """The ends of what can be seen, the interval included."""
        shown = self.grid[self.density > VISIBLE * self.peak]
        ends = [*shown[:1], *shown[-1:]]
        if self.summary:
            ends += [self.summary.widest.low, self.summary.widest.high]
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
        return Curve(values[:1], np.ones(1), None)
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
    return Curve(grid[kept], density[kept], None)


def draw_curve(axes: Axes, curve: Curve) -> None:
    """Draw the line of a density, and below it the mean and the interval."""
    if curve.point is None:
        axes.plot(*curve.line, color=INK, linewidth=1.2)
    else:
        axes.plot([curve.point] * 2, [0, curve.peak], color=INK, linewidth=2.5)
    axes.axhline(0, color=FAINT, linewidth=0.7)
    if curve.summary:
        at = INTERVAL * curve.peak
        _draw_intervals(axes, curve.summary, at)
        mean: dict[str, Any] = {
            "color": INK,
            "marker": "o",
            "markersize": 5.5,
            "markeredgecolor": "white",
        }
        axes.plot([curve.summary.mean], [at], markeredgewidth=0.6, **mean)
    axes.set_xlim(*_with_room(*curve.visible))
    axes.set_ylim(BOTTOM * curve.peak, TOP * curve.peak)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)


def _draw_intervals(axes: Axes, summary: Summary, at: float) -> None:
    """Draw each interval as a bar, the narrower ones thicker."""
    nested = sorted(summary.intervals, key=lambda interval: -interval.level)
    for i, interval in enumerate(nested):
        thickness = WIDEST_BAR if len(nested) == 1 else THINNEST + i * THICKER
        ends = [interval.low, interval.high]
        axes.plot(ends, [at, at], color=INK, linewidth=thickness, solid_capstyle="butt")


def draw_regions_under(axes: Axes, curve: Curve, rope: Rope) -> None:
    """Draw a density of the mean difference with the regions filled."""
    draw_curve(axes, curve)
    if curve.point is None:
        borders = np.clip([rope.low, rope.high], curve.grid[0], curve.grid[-1])
        x = np.union1d(curve.grid, borders)
        y = np.interp(x, curve.grid, curve.density)
        inside = (x >= rope.low) & (x <= rope.high) & (not rope.is_empty)
        for region, own in zip(
            REGIONS.values(), (x <= rope.low, inside, x >= rope.high), strict=True
        ):
            if own.any():
                axes.fill_between(x, y, where=own, **region.fill)
    draw_borders(axes, curve, rope)
    axes.set_xlim(*_range_with_regions(curve, rope))


def write_probabilities(
    axes: Axes,
    curve: Curve,
    rope: Rope,
    probabilities: RegionProbabilities[float],
    sheet: Sheet,
) -> None:
    """Write the regions' probabilities above the density, side by side however narrow it is."""
    low, high = axes.get_xlim()
    words = written(probabilities)
    inch = (high - low) / width_of(axes)
    wide = (sheet.widest(words, sheet.large, "bold") + NUMBER_GAP) * inch
    left, right = (end + sign * max(INDENT * (high - low), wide / 2)
                   for end, sign in ((low, 1), (high, -1)))  # fmt: skip
    middle = float(np.clip((rope.low + rope.high) / 2, left + wide, right - wide))
    number: dict[str, Any] = {"weight": "bold", "size": sheet.large}
    for look, at, text in zip(REGIONS.values(), (left, middle, right), words, strict=True):
        if look is not ROPE or not rope.is_empty:
            axes.text(at, NUMBERS * curve.peak, text, **number, **look.label)


def draw_borders(axes: Axes, curve: Curve, rope: Rope) -> None:
    """Draw the borders of the rope, or the zero that is left where there is none."""
    borders = [rope.low] if rope.is_empty else [rope.low, rope.high]
    axes.vlines(borders, 0, BORDERS * curve.peak, color=INK, linewidth=0.9, linestyle="--")


def _range_with_regions(curve: Curve, rope: Rope) -> tuple[float, float]:
    """The visible range, with the rope in it and room on either side for the other regions."""
    low, high = curve.visible
    low, high = min(low, rope.low), max(high, rope.high)
    sides = SIDES * (high - low or 1.0)
    low, high = _with_room(low, high)
    return min(low, rope.low - sides), max(high, rope.high + sides)


def _with_room(low: float, high: float) -> tuple[float, float]:
    room = EDGE * (high - low or 1.0)
    return low - room, high + room
