"""Where the posterior is: the axes that hold its mass, and its width along them."""

import math
from dataclasses import dataclass

import numpy as np

from bcompare.errors import ComputationError
from bcompare.methods.hierarchical.axes import Axis, Chart
from bcompare.methods.hierarchical.likelihood import LEAST, Problem, Resolution
from bcompare.methods.hierarchical.posterior import NU_HIGH, Grid, Posterior, posterior
from bcompare.rope import FloatArray

COARSE = Resolution(s_step=0.3, mix_step=0.6, gauss_nodes=4)

# Points whose density is e^-FAR of the highest are left out; the lower tails of σ0 and ν,
# which are continued by a series, are cut sooner.
FAR, FAR_BELOW = 11.0, 7.0

# The δ0 chart is linear for so many standard deviations, logarithmic beyond.
CORE = 2.5

# The grid is fine enough to judge the posterior's shape if no step is longer than this many
# standard deviations; the next grid aims at a little less.
RESOLVED, AIM = 1.3, 1.0

# Widths along the axes (in u) beyond which the shape of the charts sets the step.
WIDEST = (0.5, 1.0, 1.2)

MOST_POINTS = (41, 33, 17)
MOST_ROUNDS = 25


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of an axis that holds the posterior.

    low, high : its ends, in u. width : about one standard deviation of the posterior, in u.
    """

    chart: Chart
    low: float
    high: float
    width: float

    def axis(self, step: float) -> Axis:
        """An axis over the window, with `step` standard deviations between points."""
        count = math.ceil((self.high - self.low) / (step * self.width)) + 1
        return self.points(max(count, 7))

    def points(self, count: int) -> Axis:
        """An axis of `count` points over the window."""
        return Axis(self.chart, self.low, (self.high - self.low) / (count - 1), count)


@dataclass(frozen=True, slots=True)
class Location:
    """The windows of δ0, σ0 and ν."""

    delta0: Window
    sigma0: Window
    nu: Window | None

    def grid(self, step: float) -> Grid:
        """The grid with `step` standard deviations between points."""
        nu = None if self.nu is None else self.nu.axis(step)
        return Grid(self.delta0.axis(step), self.sigma0.axis(step), nu)


def locate(problem: Problem) -> Location:
    """Find the posterior by zooming in from a grid that holds all that is possible."""
    grid = _first_grid(problem)
    for _ in range(MOST_ROUNDS):
        post = posterior(problem, grid, COARSE)
        location, settled = _look(problem, post, grid)
        if settled:
            return location
        grid = _next_grid(location)
    raise ComputationError("the posterior of the hierarchical model could not be located")


def _next_grid(location: Location) -> Grid:
    """A grid for the windows: as fine as need be, as far as the number of points allows."""

    def axis(window: Window, most: int) -> Axis:
        count = math.ceil((window.high - window.low) / (AIM * window.width)) + 1
        return window.points(min(max(count, 9), most))

    nu = None if location.nu is None else axis(location.nu, MOST_POINTS[2])
    return Grid(axis(location.delta0, MOST_POINTS[0]), axis(location.sigma0, MOST_POINTS[1]), nu)


def _first_grid(problem: Problem) -> Grid:
    """From the least to the greatest scale, centred at the median."""
    total = problem.count.sum()
    order = np.argsort(problem.mean)
    cumulated = np.cumsum(problem.count[order])
    middle = problem.mean[order][np.searchsorted(cumulated, [total / 2, total / 2 + 0.5])]
    centre = float(middle.mean())
    width = float(problem.scale.min()) / math.sqrt(total)
    spread = float(np.abs(problem.mean - centre).max() + problem.scale.max())
    chart = delta0_chart(problem, centre, width)
    reach = math.asinh(3 * spread / width)
    bound = math.log(problem.sigma0_bound)
    low = min(math.log(float(problem.scale.min()) / 20), bound - 10)
    return Grid(
        Window(chart, -reach, reach, 1.0).points(31),
        Window(Chart("exp", high=bound), low, bound + 2, 1.0).points(25),
        None if problem.nu_prior is None else Window(Chart("exp"), -4.0, 6.0, 1.0).points(7),
    )


def delta0_chart(problem: Problem, centre: float, width: float) -> Chart:
    """The chart of δ0, within its bounds."""
    if problem.delta0_bounds is None:
        return Chart("sinh", centre, width)
    low, high = problem.delta0_bounds
    return Chart(
        "sinh",
        centre,
        width,
        math.asinh((low - centre) / width),
        math.asinh((high - centre) / width),
    )


def _look(problem: Problem, post: Posterior, grid: Grid) -> tuple[Location, bool]:
    """Judge a grid: windows for the next one, and whether they can be relied on."""
    axes = [grid.delta0, grid.sigma0] + ([] if grid.nu is None else [grid.nu])
    density = np.exp(post.log_density)
    bends = [_bend(post.log_density, density, k) for k in range(len(axes))]
    # the peak may be this much higher than the highest of the points around it
    slack = sum(bends) / 8
    settled = True
    windows = []
    for k, axis in enumerate(axes):
        others = tuple(j for j in range(3) if j != k)
        profile = post.log_density.max(axis=others)
        if k == 0:  # the answers integrate δ0 for given σ0 and ν, where it is narrowest
            bend = bends[0]
        else:
            marginal = density.sum(axis=others)
            bend = _bend(np.log(np.maximum(marginal, LEAST)), marginal, 0)
        window, whole = _window(axis, profile, slack, bend, k)
        if k == 0:
            peak = axis.u[profile.argmax()]
            window, centred = _recentred(problem, window, peak, bend, axis)
            whole &= centred
        windows.append(window)
        settled &= whole and bend <= RESOLVED**2
    nu = windows[2] if len(windows) > 2 else None
    return Location(windows[0], windows[1], nu), settled


def _window(
    axis: Axis, profile: FloatArray, slack: float, bend: float, k: int
) -> tuple[Window, bool]:
    """The part of an axis that matters, widened where it reaches the end of the grid."""
    low, ends_low = _crossing(profile, slack + (FAR if k == 0 else FAR_BELOW))
    high, ends_high = _crossing(profile[::-1], slack + FAR)
    low, high = axis.start + axis.step * low, axis.stop - axis.step * high
    most = NU_HIGH if k == 2 else math.inf
    reach = (high - low) / 2
    whole = ends_low
    if not ends_low:
        low -= reach
    if not ends_high and high < most:
        high, whole = min(high + reach, most), False
    width = min(axis.step / math.sqrt(max(bend, 1e-12)), WIDEST[k])
    return Window(axis.chart, low, high, width), whole


def _crossing(profile: FloatArray, depth: float) -> tuple[float, bool]:
    """Where a profile first rises above -depth, in points, or (0, False) if it starts there.

    At least one point and a half before the highest: between points the profile is unknown.
    """
    first = int(np.flatnonzero(profile >= -depth)[0])
    if first == 0:
        return 0.0, False
    fraction = (-depth - profile[first - 1]) / (profile[first] - profile[first - 1])
    return max(min(first - 1 + float(fraction), float(profile.argmax()) - 1.5), 0.0), True


def _recentred(
    problem: Problem, window: Window, peak: float, bend: float, axis: Axis
) -> tuple[Window, bool]:
    """The window of δ0 in a chart that is centred at the peak, and linear around it.

    Unless its chart is so already: then the window as it is, and True.
    """
    chart = window.chart
    at = np.array([peak, window.low, window.high])
    centre, low, high = chart.value(at).tolist()
    slope = math.exp(float(chart.log_slope(at)[0]))
    width = CORE * slope * axis.step / math.sqrt(max(bend, 1e-12))
    if 0.5 < chart.width / width < 2 and abs(centre - chart.centre) < chart.width:
        return window, True
    new = delta0_chart(problem, centre, width)
    ends = new.inverse(np.array([low, high]))
    return Window(new, float(ends[0]), float(ends[1]), 1 / CORE), False


def _bend(log_density: FloatArray, weight: FloatArray, axis: int) -> float:
    """Minus the mean second difference of a log density along an axis.

    For a normal density that is the square of the step, in standard deviations.
    """
    inner = np.moveaxis(np.diff(log_density, 2, axis=axis), axis, 0)
    weight = np.moveaxis(weight, axis, 0)
    middle = weight[1:-1]
    if middle.sum() < 0.1 * weight.sum():  # the peak is at an end of the grid
        return float(np.abs(inner).mean())
    return max(-float((middle * inner).sum() / middle.sum()), 0.0)
