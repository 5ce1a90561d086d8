"""Uniform grids on the real line, mapped smoothly onto the range of a parameter.

On such a grid the trapezoidal sum of a smooth function that decays at both ends converges faster
than any power of the step, and so does Whittaker's cardinal series, the sinc interpolation of its
values, with its integral (Stenger 1993, "Numerical Methods Based on Sinc and Analytic Functions",
§4.5).
"""

import math
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Literal

import numpy as np
from scipy.special import sici

from bcompare.data.rope import FloatArray, IntArray, read_only

# Steps of Newton's method for quantiles between two neighbouring points, where the CDF is smooth.
NEWTON_STEPS = 3
LEAST_SLOPE = 1e-12

# The points per step of the table of sinc's integral, and its steps beyond the ends of a grid.
PER_STEP, OUTSIDE = 64, 16

# The points of polynomial interpolation.
STENCIL = 6


@dataclass(frozen=True, slots=True)
class Chart:
    """A smooth increasing map u → t → parameter, from the whole line.

    kind : ``sinh``: centre + width·sinh(t); ``exp``: centre + width·exp(t).
    low, high : bounds of t, which it approaches exponentially, and away from which t = u.
    """

    kind: Literal["sinh", "exp"]
    centre: float = 0.0
    width: float = 1.0
    low: float = -math.inf
    high: float = math.inf

    def value(self, u: FloatArray) -> FloatArray:
        """Return the parameter at u."""
        t = self._t(u)
        return self.centre + self.width * (np.sinh(t) if self.kind == "sinh" else np.exp(t))

    def log_slope(self, u: FloatArray) -> FloatArray:
        """Return the log of the derivative of `value`."""
        t = self._t(u)
        inner = np.zeros_like(u)
        if self.low > -math.inf:
            inner -= np.logaddexp(0.0, self.low - u)
        if self.high < math.inf:
            inner -= np.logaddexp(0.0, u - self.high)
        if self.low > -math.inf and self.high < math.inf:
            inner += math.log(-math.expm1(self.low - self.high))
        outer = np.log(np.cosh(t)) if self.kind == "sinh" else t
        return math.log(self.width) + inner + outer

    def inverse(self, value: FloatArray) -> FloatArray:
        """Return the u of a parameter; infinite at and beyond the bounds."""
        scaled = (value - self.centre) / self.width
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.arcsinh(scaled) if self.kind == "sinh" else np.log(np.maximum(scaled, 0.0))
            u = t
            if self.low > -math.inf:
                u = u + np.log(-np.expm1(np.minimum(self.low - t, 0.0)))
            if self.high < math.inf:
                u = u - np.log(-np.expm1(np.minimum(t - self.high, 0.0)))
        return u

    @property
    def ends(self) -> tuple[float, float]:
        """The bounds of the parameter; infinite if there are none."""
        low = (
            self.centre + self.width * math.sinh(self.low) if math.isfinite(self.low) else self.low
        )
        high = (
            self.centre + self.width * math.sinh(self.high)
            if math.isfinite(self.high)
            else self.high
        )
        return low, high

    def _t(self, u: FloatArray) -> FloatArray:
        t = u
        if self.low > -math.inf:
            t = self.low + np.logaddexp(0.0, u - self.low)
        if self.high < math.inf:
            t = t - np.logaddexp(0.0, u - self.high)
        return t


@dataclass(frozen=True, slots=True)
class Axis:
    """A uniform grid of `count` points u = start, start + step, …, and the map to a parameter."""

    chart: Chart
    start: float
    step: float
    count: int

    @property
    def u(self) -> FloatArray:
        """(count,) the even grid."""
        return self.start + self.step * np.arange(self.count, dtype=np.float64)

    @property
    def stop(self) -> float:
        """The last point of the grid."""
        return self.start + self.step * (self.count - 1)

    @property
    def value(self) -> FloatArray:
        """(count,) the parameter at the grid."""
        return self.chart.value(self.u)

    @classmethod
    def between(cls, chart: Chart, low: float, high: float, count: int) -> "Axis":
        """Return a grid of `count` points from `low` to `high`, in u."""
        return cls(chart, low, (high - low) / (count - 1), count)

    def position(self, value: FloatArray) -> FloatArray:
        """Return the position of a parameter on the grid, in points from the first."""
        return (self.chart.inverse(np.asarray(value, dtype=np.float64)) - self.start) / self.step

    def at(self, position: FloatArray) -> FloatArray:
        """Return the parameter at such a position."""
        return self.chart.value(self.start + self.step * position)

    def spacing(self, position: FloatArray) -> FloatArray:
        """Return the increase of the parameter in a step, at such a position."""
        log_slope = self.chart.log_slope(self.start + self.step * position)
        return np.asarray(self.step * np.exp(log_slope))

    def refined(self, factor: int) -> "Axis":
        """Return the grid with `factor` times as many steps."""
        return replace(self, step=self.step / factor, count=(self.count - 1) * factor + 1)


def density_weights(position: FloatArray, count: int) -> FloatArray:
    """Return (…, count) weights of masses at `count` points in the density at `position`.

    They are sinc(position - k), with one sine for each position.
    """
    nearest = np.rint(position)
    sine = np.sin(np.pi * (position - nearest)) / np.pi
    points = np.arange(count)
    distance = position[..., None] - points
    hit = distance == 0
    distance[hit] = 1.0
    weights = (sine * _sign(nearest))[..., None] * _sign(points) / distance
    weights[hit] = 1.0
    return np.asarray(weights, dtype=np.float64)


def _sign(whole: FloatArray | IntArray) -> FloatArray:
    """Return 1 for even numbers, -1 for odd ones."""
    return np.asarray(1.0 - 2.0 * np.mod(whole, 2), dtype=np.float64)


def cdf_weights(position: FloatArray, count: int) -> FloatArray:
    """Return (…, count) weights of the masses in the integral of that density up to `position`.

    They are the integral of sinc up to position - k, by a Taylor series around the nearest position
    in a table, with an error of 1e-9. Beyond OUTSIDE steps from the points all mass, or none, is
    below.
    """
    whole = 2 ** math.ceil(math.log2(count + OUTSIDE))
    inside = np.clip(position, -OUTSIDE, count - 1.0 + OUTSIDE)
    nearest = np.rint(inside * PER_STEP)
    away = (inside - nearest / PER_STEP)[..., None]
    floor, part = np.divmod(nearest.astype(np.int64), PER_STEP)
    # the table descends, as the distance does from point to point
    value, *slopes = (windows[part, whole - floor, :count] for windows in _sinc_windows(whole))
    weights = value
    factor = away
    for order, slope in enumerate(slopes, start=2):
        weights = weights + factor * slope
        factor = factor * away / order
    weights[position < -OUTSIDE] = 0.0
    weights[position > count - 1 + OUTSIDE] = 1.0
    return np.asarray(weights)


@lru_cache(maxsize=8)
def _sinc_windows(whole: int) -> tuple[FloatArray, ...]:
    """Return the integral of sinc at j - k + i/PER_STEP, and three derivatives: (i, -j, k).

    -whole <= j <= whole, 0 <= k < whole: windows on rows (i, ·) of distances that descend.
    """
    distance = np.arange(PER_STEP)[:, None] / PER_STEP + np.arange(whole, -2 * whole, -1)
    x = np.where(distance == 0, 1.0, np.pi * distance)
    sine = np.sin(x)
    cosine = np.cos(x)
    at_0 = distance == 0
    integral = 0.5 + sici(np.pi * distance)[0] / np.pi
    value = np.where(at_0, 1.0, sine / x)
    slope = np.where(at_0, 0.0, np.pi * (cosine - sine / x) / x)
    curvature = np.pi**2 * (2 * (sine / x - cosine) / x - sine) / x
    curvature = np.where(at_0, -(np.pi**2) / 3, curvature)
    return tuple(
        np.lib.stride_tricks.sliding_window_view(read_only(table), whole, axis=1)
        for table in (integral, value, slope, curvature)
    )


def cdf_at_points(mass: FloatArray) -> FloatArray:
    """Return the same integral up to each point, for (…, n) masses."""
    return np.maximum.accumulate(mass @ _cdf_matrix(mass.shape[-1]), axis=-1)


@lru_cache(maxsize=256)
def _cdf_matrix(count: int) -> FloatArray:
    """Return (point, k) shares of each point's mass below the k-th point."""
    return read_only(cdf_weights(np.arange(float(count)), count).T.copy())


def quantile_positions(cdf: FloatArray, density: FloatArray, levels: FloatArray) -> FloatArray:
    """Return (…, levels) positions at which a CDF reaches each level.

    cdf, density : (…, n) at the points of a fine grid; the density per step. Between points
    the CDF is the cubic that has both.
    """
    low = (cdf[..., None, :] <= levels[:, None]).sum(axis=-1) - 1
    low = np.clip(low, 0, cdf.shape[-1] - 2)
    f0 = np.take_along_axis(cdf, low, axis=-1)
    f1 = np.take_along_axis(cdf, low + 1, axis=-1)
    d0 = np.take_along_axis(density, low, axis=-1)
    d1 = np.take_along_axis(density, low + 1, axis=-1)
    rise = f1 - f0
    t = np.clip((levels - f0) / np.maximum(rise, LEAST_SLOPE), 0.0, 1.0)
    for _ in range(NEWTON_STEPS):
        value = f0 + t * (d0 + t * (3 * rise - 2 * d0 - d1 + t * (d0 + d1 - 2 * rise)))
        slope = d0 + t * (2 * (3 * rise - 2 * d0 - d1) + 3 * t * (d0 + d1 - 2 * rise))
        t = np.clip(t - (value - levels) / np.maximum(slope, LEAST_SLOPE), 0.0, 1.0)
    return np.asarray(low + t)


def interpolation(
    position: FloatArray, count: int, stencil: int = STENCIL
) -> tuple[IntArray, FloatArray]:
    """Return the first index and the weights to interpolate values at 0, 1, …, count - 1.

    The value at `position` is Σ_j weights[j] · values[first + j], j < stencil.
    """
    first = np.clip(np.floor(position).astype(np.int64) - (stencil // 2 - 1), 0, count - stencil)
    points = np.arange(stencil).reshape(-1, *(1 for _ in position.shape))
    distance = position - first - points
    # the product of all distances but one: those before it, times those after it
    weights = np.ones_like(distance)
    after = np.ones_like(position)
    for j in range(1, stencil):
        np.multiply(weights[j - 1], distance[j - 1], out=weights[j])
    for j in reversed(range(stencil)):
        weights[j] *= after / math.prod(j - k for k in range(stencil) if k != j)
        after *= distance[j]
    return first, weights


def interpolated(values: FloatArray, position: FloatArray) -> FloatArray:
    """Interpolate rows of values at 0, 1, … at each row's positions."""
    first, weights = interpolation(position, values.shape[1])
    total = np.zeros_like(position)
    for j in range(weights.shape[0]):
        total += weights[j] * np.take_along_axis(values, first + j, axis=1)
    return total
