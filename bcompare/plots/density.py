"""Draw densities, plain or with the three regions filled."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes

from bcompare.basis.messages import Record
from bcompare.data.rope import FloatArray, RegionProbabilities, Rope
from bcompare.methods.result_parts import Interval
from bcompare.methods.student import StudentPosterior
from bcompare.plots.fills import FAINT, INK, REGIONS, ROPE, in_interval, width_of, written
from bcompare.plots.sheet import Sheet

# The level of the interval in pictures with room for only one.
LEVEL = 0.95
# Densities below this share of the peak are not shown.
VISIBLE = 0.004
# Margins at the ends of the axis and around the rope, so that every region is visible.
EDGE, SIDES = 0.03, 0.3
# Heights as shares of the peak.
TOP, NUMBERS, BORDERS, INTERVAL, BOTTOM = 1.25, 1.13, 1.22, -0.065, -0.13
# The distance of a number from the ends of the axes, as a share; its margin in inches.
INDENT, NUMBER_GAP = 0.08, 0.1
# Kernel density estimates: grid steps for each bandwidth, and the reach of a kernel in bandwidths;
# the most bandwidths over the range of the numbers, as narrower kernels would be invisible; the
# tolerance of thinning, as a share of the peak.
STEPS, REACH, NARROWEST, UNSEEN = 10, 3, 1000, 0.0003
# Numbers with a smaller relative difference are equal.
ROUNDING = 1e-9
# The thickness of the interval's bar.
BAR = 2.5


@dataclass(frozen=True, eq=False)
class Curve:
    """A density with the location of the distribution.

    grid : (m,) increasing values.
    density : (m,) at these values. A point mass has one of each, or none if it is at the mean.
    mean, interval : drawn below the curve, if given.
    """

    grid: FloatArray
    density: FloatArray
    mean: float | None = None
    interval: Interval[float] | None = None

    @classmethod
    def of_dataset(
        cls,
        posterior: StudentPosterior,
        i: int,
        interval: Interval[FloatArray],
        points: int,
    ) -> "Curve":
        """Return the posterior on the i-th data set, on a grid of `points`."""
        shown = Interval(interval.level, float(interval.low[i]), float(interval.high[i]))
        return cls(*posterior.curve(i, points), float(posterior.location[i]), shown)

    @property
    def words(self) -> list[str]:
        """Return the mean, and the level and the ends of the interval, as short lines."""
        if self.mean is None or self.interval is None:
            return []
        ends = self.interval.low, self.interval.high
        mean, low, high = (in_interval(value, *ends) for value in (self.mean, *ends))
        level = f"{100 * self.interval.level:.10g} % interval"
        return [f"mean {mean}", level, f"{low} to {high}"]

    @property
    def point(self) -> float | None:
        """The only value of a point mass; None for others."""
        if len(self.grid) > 1:
            return None
        return float(self.grid[0]) if self.mean is None else self.mean

    @property
    def peak(self) -> float:
        """The highest density; 1 for a point mass."""
        return float(self.density.max(initial=0.0)) or 1.0

    @property
    def visible(self) -> tuple[float, float]:
        """The ends of the visible range, including the interval."""
        shown = self.grid[self.density > VISIBLE * self.peak]
        ends_of_interval = [] if self.interval is None else [self.interval.low, self.interval.high]
        ends = [*shown[:1], *shown[-1:], *ends_of_interval]
        return min(ends), max(ends)

    @property
    def line(self) -> tuple[FloatArray, FloatArray]:
        """The points to draw, with vertical lines where the support ends."""
        grid = self.grid
        density = self.density
        ends = density[[0, -1]] > VISIBLE * self.peak
        return (
            np.concatenate([grid[:1][ends[:1]], grid, grid[-1:][ends[1:]]]),
            np.concatenate([np.zeros(int(ends[0])), density, np.zeros(int(ends[1]))]),
        )


def estimated(values: FloatArray, steps: int = STEPS) -> Curve:
    """Estimate a density by Gaussian kernels of Silverman's width; a point mass for equal numbers.

    Numbers that are equal up to rounding give a point mass. steps : grid points for each bandwidth,
    so that an outlier does not coarsen the rest of the curve.
    """
    from scipy.stats import gaussian_kde

    first = float(values.min())
    last = float(values.max())
    if last - first <= ROUNDING * max(abs(first), abs(last)):
        return Curve(values[:1], np.ones(1))
    low, high = np.quantile(values, [0.25, 0.75])
    spread = float(values.std(ddof=1))
    quartiles = float(high - low) / 1.349
    narrower = min(spread, quartiles) if quartiles > ROUNDING * spread else spread
    width = max(0.9 * narrower * len(values) ** -0.2, (last - first) / NARROWEST)
    first = first - REACH * width
    last = last + REACH * width
    grid = np.linspace(first, last, math.ceil((last - first) / width * steps) + 1)
    density = gaussian_kde(values, width / spread)(grid)
    # The line is straight between distant numbers.
    high_enough = density > UNSEEN * density.max()
    kept = np.convolve(high_enough, np.ones(3), "same") > 0
    kept[[0, -1]] = True
    return Curve(grid[kept], density[kept])


def draw_curve(axes: Axes, curve: Curve) -> None:
    """Draw the line of a density; below it the mean and the interval."""
    if curve.point is None:
        axes.plot(*curve.line, color=INK, linewidth=1.2)
    else:
        axes.plot([curve.point] * 2, [0, curve.peak], color=INK, linewidth=2.5)
    axes.axhline(0, color=FAINT, linewidth=0.7)
    level = INTERVAL * curve.peak
    if curve.interval is not None:
        ends = [curve.interval.low, curve.interval.high]
        axes.plot(ends, [level, level], color=INK, linewidth=BAR, solid_capstyle="butt")
    if curve.mean is not None:
        mean: Record = {"color": INK, "markeredgecolor": "white", "markeredgewidth": 0.6}
        axes.plot([curve.mean], [level], marker="o", markersize=5.5, **mean)
    axes.set_xlim(*_with_room(*curve.visible))
    axes.set_ylim(BOTTOM * curve.peak, TOP * curve.peak)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)


def draw_regions_under(axes: Axes, curve: Curve, rope: Rope) -> None:
    """Draw a density of the mean difference with the regions filled."""
    draw_curve(axes, curve)
    if curve.point is None:
        borders = np.clip([rope.low, rope.high], curve.grid[0], curve.grid[-1])
        x = np.union1d(curve.grid, borders)
        y = np.interp(x, curve.grid, curve.density)
        inside = (x >= rope.low) & (x <= rope.high) & (not rope.is_empty)
        parts = (x <= rope.low, inside, x >= rope.high)
        for region, is_inside in zip(REGIONS.values(), parts, strict=True):
            if is_inside.any():
                axes.fill_between(x, y, where=is_inside, **region.fill)
    draw_borders(axes, curve, rope)
    low, high = curve.visible
    low = min(low, rope.low)
    high = max(high, rope.high)
    sides = SIDES * (high - low or 1.0)
    low, high = _with_room(low, high)
    axes.set_xlim(min(low, rope.low - sides), max(high, rope.high + sides))


def draw_borders(axes: Axes, curve: Curve, rope: Rope) -> None:
    """Draw the borders of the rope, or zero without a rope."""
    borders = [rope.low] if rope.is_empty else [rope.low, rope.high]
    axes.vlines(borders, 0, BORDERS * curve.peak, color=INK, linewidth=0.9, linestyle="--")


def write_probabilities(
    axes: Axes, curve: Curve, rope: Rope, p: RegionProbabilities[float], sheet: Sheet
) -> None:
    """Write the regions' probabilities side by side above the density."""
    low, high = axes.get_xlim()
    inch = (high - low) / width_of(axes)
    wide = (sheet.widest(written(p), sheet.large, "bold") + NUMBER_GAP) * inch
    indent = max(INDENT * (high - low), wide / 2)
    left = low + indent
    right = high - indent
    middle = float(np.clip((rope.low + rope.high) / 2, left + wide, right - wide))
    look = {"weight": "bold", "size": sheet.large}
    write_in_regions(axes, (left, middle, right), NUMBERS * curve.peak, rope, p, **look)


def write_in_regions(
    axes: Axes,
    across: Sequence[float],
    up: float,
    rope: Rope,
    p: RegionProbabilities[float],
    **look: object,
) -> None:
    """Write the probability of each region in it; without a rope, of two."""
    for region, middle, words in zip(REGIONS.values(), across, written(p), strict=True):
        if region is not ROPE or not rope.is_empty:
            axes.text(middle, up, words, **{**region.label, **look})


def _with_room(low: float, high: float) -> tuple[float, float]:
    room = EDGE * (high - low or 1.0)
    return low - room, high + room
