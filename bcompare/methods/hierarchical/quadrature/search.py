"""Where the posterior is: the axes that hold its mass, and its width along them."""

import math
from dataclasses import dataclass, replace

import numpy as np

from bcompare.basis.messages import PairError, arg
from bcompare.data.rope import FloatArray
from bcompare.methods.hierarchical.canonical import Problem
from bcompare.methods.hierarchical.quadrature.axes import Axis, Chart
from bcompare.methods.hierarchical.quadrature.likelihood import LEAST, Resolution
from bcompare.methods.hierarchical.quadrature.posterior import GridPosterior, QuadratureGrid

# How much finer each level is, and by how many standard deviations it reaches further.
REFINEMENT = 1.4
REACH = 0.6

# The same while the posterior is still being looked for.
SCAN = Resolution(s_step=0.35, mix_step=0.7, gauss_nodes=4, delta_step=0.2)

# A grid that ends so many e-folds above its depth is too short.
MARGIN = 2.0

# A grid of log(ν - 1) need not go lower: ν is as good as 1.
NU_LOW = -12.0

# Standard deviations for which the δ0 chart is linear; it is logarithmic beyond.
CORE = 2.5

# So many e-folds beyond a bound of δ0 its chart is at the bound, to the last digit.
AT_BOUND = 36.0

# How many times as wide as a spike of δ0's density a step may be; wider if the spikes hold
# less mass than this, or would multiply the points by more than the root of this.
SPIKY, SPIKE_MASS, MOST_SPIKY = 2.0, 3e-4, 6.0

# Widths along the axes (in u) beyond which the shape of the charts sets the step.
WIDEST = (0.5, 1.0, 1.2)

# Points of the axes: of the FIRST grid; where more than MANY are needed the posterior is a needle
# in the window, and FEW are enough to find it.
FIRST = (27, 23, 7)
FEW = (25, 21, 11)
MANY = (101, 61, 31)
LEAST_POINTS = 7

SHRINKING = 0.7
LEAST_BEND = 1e-9

MOST_ROUNDS, MOST_CHARTS = 30, 10

# A grid with so many times the points that are needed costs more than another one.
WASTEFUL = 4

# The largest grid, in points.
MOST_POINTS = 4_000_000


@dataclass(frozen=True, slots=True)
class Fineness:
    """How finely, and how far, grids of level 0 follow a posterior.

    step : along the axes, in standard deviations. longest : the longest step, likewise, with which
        a grid shows the shape of the posterior.
    depths : how far below its highest, in e-folds, the density is at the two ends of δ0, σ0 and ν;
        less at the lower ends of σ0 and ν, where it is continued by a series.
    mixtures : their resolution.
    hopeless : a population so many e-folds less probable than another is left out.
    margin : by how much windows are made wider for the next population, in widths of the posterior.
    """

    step: float
    longest: float
    depths: tuple[tuple[float, float], ...]
    mixtures: Resolution
    hopeless: float
    margin: float


USUAL = Fineness(
    step=0.8,
    longest=1.0,
    depths=((11.0, 11.0), (7.0, 11.0), (6.0, 11.0)),
    mixtures=Resolution(s_step=0.17, mix_step=0.6, gauss_nodes=6, delta_step=0.2),
    hopeless=9.0,
    margin=0.3,
)
# For answers that need no error control: of chances averaged over populations errors are at most
# about 0.001, in two thirds of the time.
ROUGH = Fineness(
    step=1.0,
    longest=1.15,
    depths=((9.0, 9.0), (6.0, 9.0), (5.0, 9.0)),
    mixtures=Resolution(s_step=0.22, mix_step=0.6, gauss_nodes=5, delta_step=0.2),
    hopeless=7.0,
    margin=0.6,
)


def too_sharp() -> PairError:
    """Return the error of a posterior that would need more points than that."""
    return PairError(
        "the posterior of the hierarchical test is too sharp for its grids "
        f"(of {MOST_POINTS:,} points); sample it with {arg('engine', 'stan')}"
    )


@dataclass(frozen=True, slots=True)
class Window:
    """A stretch of an axis that holds the posterior.

    low, high : its ends, in u.
    width : about one standard deviation of the posterior, in u.
    """

    chart: Chart
    low: float
    high: float
    width: float

    def axis(self, level: int, fineness: Fineness) -> Axis:
        """An axis over the window and, at higher levels, beyond: to show what it leaves out."""
        reach = REACH * level * self.width
        low = self.low - reach
        high = self.high + reach
        step = fineness.step / REFINEMENT**level * self.width
        count = max(math.ceil((high - low) / step) + 1, LEAST_POINTS)
        return Axis.between(self.chart, low, high, count)


# The windows of δ0 and σ0, and of ν unless it is infinite.
Location = tuple[Window, ...]


def grid_of(location: Location, level: int, fineness: Fineness = USUAL) -> QuadratureGrid:
    """The grid of a level of refinement."""
    return QuadratureGrid(*(window.axis(level, fineness) for window in location))


def resolution(level: int, depth: float, fineness: Fineness = USUAL) -> Resolution:
    """How finely the mixtures are resolved at a level of refinement."""
    factor = REFINEMENT**level
    coarsest = fineness.mixtures
    return Resolution(
        s_step=coarsest.s_step / factor,
        mix_step=coarsest.mix_step / factor,
        gauss_nodes=coarsest.gauss_nodes + level,
        delta_step=coarsest.delta_step / factor,
        node_step=coarsest.node_step / factor,
        depth=depth,
    )


def locate(problem: Problem, depth: float) -> tuple[Location, GridPosterior]:
    """Find the posterior by zooming in from a grid that holds all that is possible.

    Returns the windows, and the posterior on a grid of level 0. depth : see Resolution.
    """
    post = GridPosterior(problem, _first_grid(problem), replace(SCAN, depth=depth))
    for k in range(MOST_ROUNDS):
        location, shown = _look(problem, post, may_recentre=k < MOST_CHARTS, spiky=True)
        grid = grid_of(location, 0)
        is_level_0 = post.resolution.s_step == USUAL.mixtures.s_step
        if shown and is_level_0 and post.grid.points <= WASTEFUL * grid.points:
            return location, post
        if _is_needle(grid, post.grid):
            scanned = [
                Axis.between(a.chart, a.start, a.stop, min(a.count, few))
                for a, few in zip(grid.axes, FEW, strict=False)
            ]
            post = GridPosterior(problem, QuadratureGrid(*scanned), replace(SCAN, depth=depth))
        elif grid_of(location, 1).points > MOST_POINTS:
            raise too_sharp()
        else:
            post = GridPosterior(problem, grid, resolution(0, depth))
    raise PairError("the posterior of the hierarchical model could not be located")


def follow(
    problem: Problem, near: Location, level: int, fineness: Fineness = USUAL
) -> tuple[Location, GridPosterior]:
    """Find the posterior from about where it is: the windows of a similar problem.

    Returns the windows, and the posterior on a grid of a level.
    """
    for k in range(MOST_ROUNDS):
        grid = grid_of(near, level, fineness)
        post = GridPosterior(problem, grid, resolution(level, 0.0, fineness))
        location, shown = _look(
            problem, post, may_recentre=k < MOST_CHARTS, level=level, fineness=fineness
        )
        if shown:
            return location, post
        if grid_of(location, level + 1, fineness).points > MOST_POINTS:
            raise too_sharp()
        near = location
    raise PairError("the posterior of the hierarchical model could not be located")


def _first_grid(problem: Problem) -> QuadratureGrid:
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
    delta0 = Axis.between(chart, -reach, reach, FIRST[0])
    sigma0 = Axis.between(Chart("exp", high=bound), low, bound + 2, FIRST[1])
    nu = None
    if problem.nu_prior is not None:
        nu = Axis.between(Chart("exp"), -4.0, 6.0, FIRST[2])
    return QuadratureGrid(delta0, sigma0, nu)


def delta0_chart(problem: Problem, centre: float, width: float) -> Chart:
    """The chart of δ0, within its bounds."""
    if problem.delta0_bounds is None:
        return Chart("sinh", centre, width)
    low, high = problem.delta0_bounds
    # from within, and no wider: else the map between the bounds loses its digits
    centre = min(max(centre, low), high)
    width = min(width, high - low)
    ends = (math.asinh((bound - centre) / width) for bound in (low, high))
    return Chart("sinh", centre, width, *ends)


def _is_needle(grid: QuadratureGrid, previous: QuadratureGrid) -> bool:
    """Whether a grid has very many points, and is worth looking at with few first.

    That is so while the windows are still shrinking.
    """
    many = any(axis.count > most for axis, most in zip(grid.axes, MANY, strict=False))
    shrinking = any(
        axis.stop - axis.start < SHRINKING * (old.stop - old.start)
        for axis, old in zip(grid.axes, previous.axes, strict=True)
    )
    return many and shrinking


def _look(
    problem: Problem,
    post: GridPosterior,
    may_recentre: bool,
    *,
    level: int = 0,
    fineness: Fineness = USUAL,
    spiky: bool = False,
) -> tuple[Location, bool]:
    """Judge a grid: windows for the next one, and whether it shows the posterior's shape.

    spiky : whether to resolve spikes of δ0, too, which few scores a data set may cause.
    """
    axes = post.grid.axes
    density = np.exp(post.log_density)
    bends = [_bend(post.log_density, density, k) for k in range(len(axes))]
    # the peak may be this much higher than the highest of the points around it
    slack = sum(bends) / 8
    shown = True
    resolved = (fineness.longest / REFINEMENT**level) ** 2
    windows = []
    for k, axis in enumerate(axes):
        others = tuple(j for j in range(3) if j != k)
        profile = post.log_density.max(axis=others)
        if k == 0 and spiky:  # the answers integrate δ0 for given σ0 and ν, where it is narrowest
            spikes = _spikes(post.log_density, density) / SPIKY**2
            bend = max(bends[0], min(spikes, MOST_SPIKY * bends[0]))
        else:
            marginal = density.sum(axis=others)
            bend = _bend(np.log(np.maximum(marginal, LEAST)), marginal, 0)
        low, high = fineness.depths[k]
        depths = low + post.resolution.depth, high + post.resolution.depth
        window, whole = _window(axis, profile, slack, bend, k, depths)
        if k == 0 and may_recentre:
            marginal = np.log(np.maximum(density.sum(axis=others), LEAST))
            window, centred = _recentred(problem, window, axis, marginal)
            whole &= centred
        windows.append(window)
        shown &= whole and bend <= resolved
    return tuple(windows), shown


def _window(
    axis: Axis,
    profile: FloatArray,
    slack: float,
    bend: float,
    k: int,
    depths: tuple[float, float],
) -> tuple[Window, bool]:
    """The part of an axis that matters, widened where it is not all on the grid.

    The highest point may be lower than the peak by `slack`.
    """
    for_variance = _times_square(profile, axis)
    ahead = for_variance if k == 0 else profile
    before, cut_low = _crossing(ahead, slack, depths[0])
    after, cut_high = _crossing(for_variance[::-1], slack, depths[1])
    low = axis.start + axis.step * before
    high = axis.stop - axis.step * after
    if k == 2 and low < NU_LOW:
        low, cut_low = NU_LOW, False
    width = min(axis.step / math.sqrt(max(bend, LEAST_BEND)), WIDEST[k])
    return Window(axis.chart, low, high, width), not (cut_low or cut_high)


def _times_square(profile: FloatArray, axis: Axis) -> FloatArray:
    """The profile times the squared deviation from its peak, in logs, where that is large.

    A heavy tail that adds little to the probabilities may still add to the variance. Nowhere is
    that less than the profile: the mass may all be near a peak at one end.
    """
    value = axis.value
    peak = profile.argmax()
    usual = axis.chart.width if axis.chart.kind == "sinh" else float(value[peak])
    weighted = profile + 2 * np.log(np.maximum(np.abs(value - value[peak]) / (math.e * usual), 1.0))
    return np.asarray(np.maximum(profile - profile.max(), weighted - weighted.max()))


def _crossing(profile: FloatArray, slack: float, depth: float) -> tuple[float, bool]:
    """Where a profile rises above -depth, in points from the first, and if the grid cuts it.

    That is at least one point and a half before the highest: between them it is unknown. A
    profile that begins higher is continued to where it may have that depth.
    """
    if profile[0] > MARGIN - depth:
        rise = float(profile[1] - profile[0])
        far = (profile.size - 1) / 2
        return -min(float(profile[0] + depth) / rise + 1 if rise > 0 else far, far), True
    first = int(np.flatnonzero(profile >= -depth - slack)[0])
    if first == 0:
        return 0.0, False
    fraction = (-depth - slack - profile[first - 1]) / (profile[first] - profile[first - 1])
    return max(min(first - 1 + float(fraction), float(profile.argmax()) - 1.5), 0.0), False


def _recentred(
    problem: Problem, window: Window, axis: Axis, log_marginal: FloatArray
) -> tuple[Window, bool]:
    """The window of δ0 in a chart centred at the peak of its density, and linear around it.

    Unless its chart is so already: then the window as it is, and True.
    """
    chart = window.chart
    log_slope = chart.log_slope(axis.u)
    of_delta0 = log_marginal - log_slope
    peak = int(np.clip(of_delta0.argmax(), 1, axis.count - 2))
    bend = max(-float(np.diff(of_delta0[peak - 1 : peak + 2], 2)[0]), LEAST_BEND)
    width = CORE * math.exp(float(log_slope[peak])) * axis.step / math.sqrt(bend)
    centre = float(axis.value[peak])
    if 0.4 < chart.width / width < 2.5 and abs(centre - chart.centre) < chart.width:
        return window, True
    new = delta0_chart(problem, centre, width)
    ends = new.inverse(chart.value(np.array([window.low, window.high])))
    ends = np.clip(ends, new.low - AT_BOUND, new.high + AT_BOUND)
    return Window(new, float(ends[0]), float(ends[1]), 0.85 / CORE), False


def _spikes(log_density: FloatArray, weight: FloatArray) -> float:
    """Minus the second difference along δ0 that all but a little of the mass stays below.

    With few scores a data set and a small σ0 the density has a spike at each mean. They are too
    narrow to be seen in an average, and hold too much mass to be missed.
    """
    bend = -np.diff(log_density, 2, axis=0).ravel()
    middle = weight[1:-1].ravel()
    order = np.argsort(bend)[::-1]
    above = np.cumsum(middle[order])
    return float(bend[order[np.searchsorted(above, SPIKE_MASS * above[-1])]])


def _bend(log_density: FloatArray, weight: FloatArray, axis: int) -> float:
    """Minus the second difference of a log density along an axis: its root mean square.

    For a normal density that is the square of the step, in standard deviations.
    """
    inner = np.moveaxis(np.diff(log_density, 2, axis=axis), axis, 0)
    weight = np.moveaxis(weight, axis, 0)
    middle = weight[1:-1]
    if middle.sum() < 0.1 * weight.sum():  # the peak is at an end of the grid
        return float(np.sqrt((inner**2).mean()))
    return math.sqrt(float((middle * inner**2).sum() / middle.sum()))
