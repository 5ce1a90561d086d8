"""The next data set's regions, averaged over the populations by their evidence.

The noise of the next data set is that of one of those at hand, each equally probable, so the
probabilities θ of its regions are averages over them. The answers are those of the papers' model:
the probability of each region to have the largest θ.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtr

from bcompare.data.rope import BoolArray, FloatArray, IntArray, RegionProbabilities, Rope, read_only
from bcompare.methods.hierarchical.canonical import Canonical, Problem
from bcompare.methods.hierarchical.model import ERRORS, ModelData, mixed
from bcompare.methods.hierarchical.quadrature.axes import cdf_weights, interpolated
from bcompare.methods.hierarchical.quadrature.integrate import floats
from bcompare.methods.hierarchical.quadrature.likelihood import masses
from bcompare.methods.hierarchical.quadrature.population import draw_parameters, finer
from bcompare.methods.hierarchical.quadrature.populations import (
    SCALINGS,
    SKEWS,
    FittedPopulation,
    condensed,
    noise_of,
    populations,
)
from bcompare.methods.hierarchical.quadrature.search import ROUGH, USUAL
from bcompare.methods.interface import DatasetsResult, PopulationResult
from bcompare.methods.paired_binary import matching_posterior
from bcompare.methods.result_parts import ErrorEstimate, Fact, restored, swapped
from bcompare.methods.wilcoxon import wilcoxon

# Cells of (σ0, ν) with so little mass, all of a population together, change no probability.
NEGLIGIBLE = 3e-5

# The table of Students: log(ν - 1), and z.
LOG_NU = np.linspace(-8, 14, 221)
ARCSINH_Z = np.linspace(0, 11, 441)
TINY = float(np.finfo(np.float64).tiny)

# Steps of the bisection of a border between two regions, from the whole grid of δ0.
BISECTIONS = 10

# Points of σ0 for each of the grid, where a border is looked for.
FINER = 3

# Nodes between which a distribution function is interpolated, with an error of less than 1e-4.
CDF_NODES = 25

# The grids are refined if the bound of the error is above this.
TOLERANCE = 5e-3

# The most that the steps of the mixtures, on grids of any level, change a probability.
MIXING = 5e-4

# Twice as many points of a grid reduce the error at least so much: the sums are smooth but for the
# borders between likeliest regions, where they are of second order.
ORDER = 4.0


@dataclass(frozen=True, eq=False, kw_only=True, repr=False)
class AveragedResult(PopulationResult):
    """The answer of the hierarchical test, averaged over populations.

    probabilities : that each region is the most probable one of the next data set.
    theta_mean : probability that the next data set's δ falls in each region.
    next_mean : chance of each region to hold the mean difference that the next data set shows; see
        `bcompare.methods.hierarchical.model`.
    weights : (3, 7) posterior weights of the populations: for γ = 0, ½, 1, and from the most
        left-skewed to the most right-skewed.
    datasets : the answers on each data set by itself; they are not informed by the others.
    """

    theta_mean: RegionProbabilities[float]
    next_mean: RegionProbabilities[float]
    weights: FloatArray

    @property
    def chances(self) -> RegionProbabilities[float]:
        """The chances of the next data set."""
        return self.next_mean

    @property
    def model_alone(self) -> RegionProbabilities[float]:
        """The probabilities of the next data set's true difference."""
        return self.theta_mean

    def facts(self) -> tuple[Fact, ...]:
        """Return the weights of the populations."""
        side = len(SKEWS)
        skewed = self.weights.sum(axis=0)
        equal, root, whole = self.weights.sum(axis=1).tolist()
        weights = {
            "the papers' Student": self.student_weight,
            "left-skewed populations": float(skewed[:side].sum()),
            "symmetric populations": float(skewed[side]),
            "right-skewed populations": float(skewed[side + 1 :].sum()),
            "equal spread": equal,
            "spread as √noise": root,
            "spread as noise": whole,
        }
        facts = [Fact(f"weight of {of}", weight, "probability") for of, weight in weights.items()]
        return tuple(facts)

    @property
    def student_weight(self) -> float:
        """The weight of the papers' model."""
        return float(self.weights[0, len(SKEWS)])

    def mirrored(self) -> "AveragedResult":
        """Return the result for the two classifiers swapped, except for the data sets."""
        return replace(
            self,
            probabilities=swapped(self.probabilities),
            theta_mean=swapped(self.theta_mean),
            next_mean=swapped(self.next_mean),
            weights=read_only(self.weights[:, ::-1].copy()),
        )


def averaged(data: ModelData, rope: Rope) -> AveragedResult:
    """The hierarchical test of one pair, averaged over the populations.

    Parameters
    ----------
    data : checked statistics, and the prior of ν, which all populations share.
    rope : in the scores' unit.

    Raises
    ------
    PairError : a posterior that is too sharp for its grids.
    """
    form = Canonical(data, rope)
    fitted = _fitted(form, 0)
    answers, error, weights = _averaged(fitted)
    if error > TOLERANCE:
        answers, error, weights = _averaged(_fitted(form, 1))
    chances = next_chances(data, rope)
    of_theta, of_likeliest = np.split(answers, 2)
    theta = RegionProbabilities(*of_theta)
    likeliest = RegionProbabilities(*of_likeliest)
    result = AveragedResult(
        probabilities=floats(likeliest),
        theta_mean=floats(theta),
        next_mean=chances,
        weights=read_only(weights),
        error=ErrorEstimate("numerical", error),
        nhst=wilcoxon(data.statistics.mean),
        notes=data.notes,
        datasets=DatasetsResult(probabilities=matching_posterior(data.statistics).regions(rope)),
    )
    return replace(restored(result, form.lean, AveragedResult.mirrored), next_mean=chances)


def next_chances(data: ModelData, rope: Rope) -> RegionProbabilities[float]:
    """Return the chances of the next data set alone: `next_mean` of `averaged`, and its errors.

    They err by up to about 0.001.
    """
    form = Canonical(data, rope)
    noise = Noise.of(form.problem)
    fitted = populations(form.problem, 0, ROUGH)
    observed = [Predicted(population, form.rope).observed(noise) for population in fitted]
    chances = floats(RegionProbabilities(*(_weights(fitted) @ observed)))
    return mixed(restored(chances, form.lean, swapped), data.given, rope)


def _fitted(form: Canonical, level: int) -> list["Predicted"]:
    """Return the populations, fitted on grids of a level."""
    return [Predicted(population, form.rope) for population in populations(form.problem, level)]


def _averaged(fitted: Sequence["Predicted"]) -> tuple[FloatArray, float, FloatArray]:
    """Return (6,) θ and the probabilities; a bound of their error; (3, 7) weights."""
    people = [each.population for each in fitted]
    weights = _weights(people)
    predicted = [each.regions() for each in fitted]
    answers = weights @ [shares[0] for shares, _ in predicted]
    apart = 0.0
    for k in (1, 2, 3):  # by every other point of δ0, of σ0, of ν
        others = weights * [evidence[k] for _, evidence in predicted]
        others /= others.sum()
        halved = others @ [shares[k] for shares, _ in predicted]
        apart += float(np.abs(halved - answers).max())
    left_out = float(weights @ [population.post.left_out() for population in people])
    table = np.zeros((len(SCALINGS), 2 * len(SKEWS) + 1))
    ascending = sorted({1.0, *SKEWS, *(1 / skew for skew in SKEWS)})
    for population, weight in zip(people, weights.tolist(), strict=True):
        table[SCALINGS.index(population.scaling), ascending.index(population.skew)] = weight
    hopeless = (table.size - len(fitted)) * math.exp(-USUAL.hopeless) * float(weights.max())
    return answers, apart / (ORDER - 1) + left_out + hopeless + MIXING, table


def _weights(fitted: Sequence[FittedPopulation]) -> FloatArray:
    """Return the posterior weights of the populations, whose prior weights are equal."""
    logs = np.array([population.log_evidence for population in fitted])
    weights = np.exp(logs - logs.max())
    return np.asarray(weights / weights.sum(), dtype=np.float64)


class PopulationDraws:
    """Draws of populations with their parameters.

    theta : (3, draws) probabilities of the next data set's regions.
    """

    def __init__(self, data: ModelData, rope: Rope, count: int, rng: np.random.Generator) -> None:
        self.form = Canonical(data, rope)
        self.fitted = populations(self.form.problem, 0)
        self.which = np.sort(rng.choice(len(self.fitted), count, p=_weights(self.fitted)))
        parameters = np.empty((3, count))
        for k, population in enumerate(self.fitted):
            is_own = self.which == k
            parameters[:, is_own] = draw_parameters(population.post, int(is_own.sum()), rng)
        self.delta0, self.sigma0, self.nu = parameters

    @property
    def theta(self) -> FloatArray:
        """(3, draws) probabilities of the next data set's regions."""
        theta = np.empty((3, self.which.size))
        for k, population in enumerate(self.fitted):
            is_own = self.which == k
            parameters = (values[is_own, None] for values in (self.delta0, self.sigma0, self.nu))
            theta[:, is_own] = _theta(population, self.form.rope, *parameters)
        return theta[::-1] if self.form.lean < 0 else theta

    def deltas(self, design: IntArray, rng: np.random.Generator) -> FloatArray:
        """Draw (draws, further) true differences of data sets with the noise of present ones.

        The first data sets have the same draws, however many follow.
        """
        of_sizes, of_sides = rng.spawn(2)
        size = np.abs(of_sizes.standard_t(self.nu, design.shape[::-1])).T
        skew = np.array([population.skew for population in self.fitted])[self.which, None]
        scaling = np.array([population.scaling for population in self.fitted])[self.which, None]
        unit = self.form.unit * np.array([population.unit for population in self.fitted])
        side = of_sides.random(design.shape[::-1]).T
        upper = side < skew**2 / (1 + skew**2)
        u = self.delta0[:, None] + self.sigma0[:, None] * np.where(upper, skew, -1 / skew) * size
        noise = noise_of(self.form.problem)[self.form.place][design] ** scaling
        delta = unit[self.which, None] * noise * u
        return np.asarray(-delta if self.form.lean < 0 else delta)


class Predicted:
    """The next data set's regions under one population, with δ0, σ0 and ν integrated out.

    A cell is a point of σ0 and ν that holds mass. As δ0 grows, the likeliest region of the next
    data set turns from left to rope to right, at borders that are found for each cell. Where σ0 is
    too large the rope is never the likeliest, which is a kink; so its grid is finer for them.
    """

    def __init__(self, population: FittedPopulation, rope: Rope) -> None:
        self.population, self.rope = population, rope
        self.borders = np.array([rope.low, rope.high])[:, None] / population.unit / population.noise
        post = population.post
        self.delta0 = post.whole.delta0
        sigma0, nu = post.whole.axes[1:]
        self.two_pieces = _TwoPieces(1 + nu.value, population.skew)
        self.cells = _NextCells.of(post.mass, sigma0.value)

    def regions(self) -> tuple[FloatArray, FloatArray]:
        """Return (4, 6) probabilities and the (4,) evidence, relative to that by all points.

        By all points, and by every other point of δ0, σ0 or ν: the mean of θ, then the probability
        of each region to be the likeliest.
        """
        cells = self.cells
        post = self.population.post
        theta = self.theta(self.delta0.value[:, None], cells)
        means = [
            step * np.einsum("dc,rdc->rc", cells.mass[::step], theta[:, ::step]) for step in (1, 2)
        ]
        sigma0 = post.whole.sigma0.refined(FINER)
        fine = _NextCells.of(finer(post.mass, 1, FINER) / FINER, sigma0.value)
        below = self._border(fine, 0)
        up_to = self._border(fine, 2)
        likeliest = [
            step * _parted(fine.mass[::step], below / step, up_to / step) for step in (1, 2)
        ]
        sums = [
            (means[0], likeliest[0]),
            (means[1], likeliest[1]),
            (2 * means[0][:, cells.even[0]], 2 * likeliest[0][:, fine.even[0]]),
            (2 * means[0][:, cells.even[1]], 2 * likeliest[0][:, fine.even[1]]),
        ]
        totals = np.array([[part.sum(axis=1) for part in both] for both in sums])
        evidence = totals[:, 0].sum(axis=1)
        return (totals / totals.sum(axis=2, keepdims=True)).reshape(4, 6), evidence / evidence[0]

    def observed(self, noise: "Noise") -> FloatArray:
        """Return (3,) chances of the regions of the next data set's mean."""
        population = self.population
        scale = noise.relative**population.scaling * population.unit
        errors = np.multiply.outer(ERRORS, noise.relative * noise.median)
        borders = (np.array([self.rope.low, self.rope.high])[:, None, None] - errors) / scale
        low, high = (self._cdf(borders) @ noise.share).mean(axis=1).tolist()
        middle = 0.0 if self.rope.is_empty else high - low
        return np.array([low, middle, 1 - high])

    def _cdf(self, values: FloatArray) -> FloatArray:
        """Return the probabilities that the next data set's u is at most each of many values.

        They are computed at a few nodes, even in arcsinh around the centre, and interpolated.
        """
        cells = self.cells
        delta0 = self.delta0.value
        mass = cells.mass / cells.mass.sum()
        centre = float(delta0 @ mass.sum(axis=1))
        width = math.exp(float(mass.sum(axis=0) @ np.log(cells.sigma0)))
        place = np.arcsinh((values - centre) / width)
        first = float(place.min())
        step = float(np.ptp(place)) / (CDF_NODES - 1)
        nodes = centre + width * np.sinh(first + step * np.arange(CDF_NODES))
        z = (nodes - delta0[:, None, None, None]) / cells.sigma0[:, None, None]
        cdf = np.einsum("dc,dcn->n", mass, self.two_pieces(z, cells.at_nu)[:, :, 0])
        return interpolated(cdf[None], ((place - first) / step).reshape(1, -1)).reshape(place.shape)

    def theta(self, delta0: FloatArray, cells: "_NextCells") -> FloatArray:
        """Return (3, …, cells) θ at some δ0, (…, cells) or (…, 1)."""
        z = (self.borders - delta0[..., None, None]) / cells.sigma0[:, None, None]
        below = self.two_pieces(z, cells.at_nu) @ self.population.share
        low = below[..., 0]
        high = below[..., 1]
        middle = np.zeros_like(low) if self.rope.is_empty else high - low
        return np.stack([low, middle, 1 - high])

    def _border(self, cells: "_NextCells", side: int) -> FloatArray:
        """Return (cells,) positions on the grid of δ0 up to, or from, which a side is likeliest."""
        rest = [region for region in range(3) if region != side]
        low = np.full(cells.sigma0.size, -1.0)
        high = np.full(cells.sigma0.size, float(self.delta0.count))
        for _ in range(BISECTIONS):
            middle = (low + high) / 2
            theta = self.theta(self.delta0.at(middle), cells)
            wins = theta[side] > theta[rest].max(axis=0)
            before = wins if side == 0 else ~wins
            low = np.where(before, middle, low)
            high = np.where(before, high, middle)
        return np.asarray((low + high) / 2)


@dataclass(frozen=True, eq=False, slots=True)
class Noise:
    """The noise of the next data set: that of one at hand.

    relative : (m,) values over the median, with shares (m,).
    median : in the canonical unit.
    """

    relative: FloatArray
    share: FloatArray
    median: float

    @classmethod
    def of(cls, problem: Problem) -> "Noise":
        """From the data sets."""
        relative = noise_of(problem)
        return cls(*condensed(relative, problem.count), float((problem.scale / relative).max()))


@dataclass(frozen=True, eq=False, slots=True)
class _NextCells:
    """The cells of (σ0, ν) that hold mass: (δ0, cells) masses, (cells,) the rest.

    even : whether a cell has an even position on the axis of σ0, and of ν.
    """

    mass: FloatArray
    sigma0: FloatArray
    at_nu: IntArray
    even: tuple[BoolArray, BoolArray]

    @classmethod
    def of(cls, mass: FloatArray, sigma0: FloatArray) -> "_NextCells":
        """From masses (δ0, σ0, ν)."""
        of_cells = mass.sum(axis=0)
        order = np.argsort(of_cells, axis=None)
        kept = np.cumsum(of_cells.ravel()[order]) > NEGLIGIBLE * of_cells.sum()
        at_sigma0, at_nu = np.unravel_index(np.sort(order[kept]), of_cells.shape)
        even = at_sigma0 % 2 == 0, at_nu % 2 == 0
        return cls(mass[:, at_sigma0, at_nu], sigma0[at_sigma0], at_nu, even)


def _parted(mass: FloatArray, below: FloatArray, up_to: FloatArray) -> FloatArray:
    """Return (3, cells) masses of δ0 below one position on its grid, to another, and beyond."""
    total = mass.sum(axis=0)
    low = np.clip(np.einsum("cd,dc->c", cdf_weights(below, len(mass)), mass), 0.0, total)
    high = np.clip(np.einsum("cd,dc->c", cdf_weights(up_to, len(mass)), mass), 0.0, total)
    return np.stack([low, np.maximum(high - low, 0.0), total - np.maximum(high, low)])


class _TwoPieces:
    """Distribution functions of two-piece Students, from a table that is even in arcsinh.

    In single precision, as interpolation errs by up to 1e-4.
    """

    STEP, LAST = 0.03, 300

    def __init__(self, nu: FloatArray, skew: float) -> None:
        z = np.sinh(self.STEP * np.arange(self.LAST + 2))
        above, under = masses(skew)
        upper = _tails(nu, np.arcsinh(z / skew))
        lower = _tails(nu, np.arcsinh(z * skew))
        table = np.concatenate([2 * under * lower[:, :0:-1], 1 - 2 * above * upper], axis=1)
        self.table, self.width = table.astype(np.float32).ravel(), table.shape[1]

    def __call__(self, z: FloatArray, at_nu: IntArray) -> NDArray[np.float32]:
        """Return P(u ≤ z) for z of shape (…, cells, ·, ·), at_nu (cells,)."""
        position = np.arcsinh(z.astype(np.float32))
        position *= np.float32(1 / self.STEP)
        np.clip(position, -self.LAST, self.LAST, out=position)
        position += self.LAST + 1
        whole = position.astype(np.int32)
        position -= whole
        whole += (at_nu * self.width).astype(np.int32)[:, None, None]
        low = self.table[whole]
        whole += 1
        return np.asarray(low + position * (self.table[whole] - low))


def _tails(nu: FloatArray, position: FloatArray) -> FloatArray:
    """Return (ν, z) upper tails of Students at z = sinh(position), from a table."""
    at_nu = np.clip(
        (np.log(np.maximum(nu - 1, TINY)) - LOG_NU[0]) / (LOG_NU[1] - LOG_NU[0]),
        0,
        LOG_NU.size - 1.001,
    )
    whole = at_nu.astype(np.int64)
    table = _student_tails()
    share = (at_nu - whole)[:, None]
    rows = table[whole] * (1 - share) + table[whole + 1] * share
    return np.stack([np.interp(position, ARCSINH_Z, row) for row in rows])


@cache
def _student_tails() -> FloatArray:
    """Return (ν, z) upper tails of Students."""
    return np.asarray(stdtr(1 + np.exp(LOG_NU)[:, None], -np.sinh(ARCSINH_Z)))


def _theta(
    population: FittedPopulation, rope: Rope, delta0: FloatArray, sigma0: FloatArray, nu: FloatArray
) -> FloatArray:
    """Return (3, draws) θ, for draws (draws, 1)."""
    above, under = masses(population.skew)

    def share_below(border: float) -> FloatArray:
        z = (border / population.unit / population.noise - delta0) / sigma0
        stretch = np.where(z < 0, population.skew, 1 / population.skew)
        tail = stdtr(nu, -np.abs(z) * stretch)
        below = np.where(z < 0, 2 * under * tail, 1 - 2 * above * tail)
        return np.asarray(below @ population.share)

    low = share_below(rope.low)
    high = share_below(rope.high)
    middle = np.zeros_like(low) if rope.is_empty else high - low
    return np.stack([low, middle, 1 - high])
