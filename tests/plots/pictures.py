"""Made-up examples of every picture, from few rows to many, with names from short to odd."""

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

import numpy as np
from scipy.special import stdtr

from bcompare.comparing.decision import Decision
from bcompare.data.rope import RegionProbabilities, Rope
from bcompare.methods.base import Interval
from bcompare.planning.cases import Amount
from bcompare.planning.outlook import Prospect
from bcompare.plots.boxplot import draw_boxplot
from bcompare.plots.counts import draw_counts
from bcompare.plots.critical_difference import draw_critical_difference
from bcompare.plots.densities import draw_densities
from bcompare.plots.density import Curve, Summary
from bcompare.plots.family import draw_family
from bcompare.plots.folds import draw_folds
from bcompare.plots.forest import Estimates, draw_forest
from bcompare.plots.hierarchical import ParameterCurves, draw_hierarchical
from bcompare.plots.look import Pair
from bcompare.plots.means import draw_means
from bcompare.plots.outlook import draw_outlook
from bcompare.plots.pairs import draw_pairs
from bcompare.plots.posterior import draw_posterior
from bcompare.plots.posteriors import draw_posteriors
from bcompare.plots.regions import draw_regions
from bcompare.plots.regret import draw_regret
from bcompare.plots.ropes import draw_ropes
from bcompare.plots.sheet import Sheet
from bcompare.plots.shrinkage import draw_shrinkage
from bcompare.plots.simplex import draw_simplex

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SCREEN = Sheet()

SHORT = ("nbc", "aode")
LONG = ("left_" + "w" * 70 + "_end", "right_" + "m" * 90 + "_end")
# As long as names usually are at the most.
THIRTY = ("left_classifier_with_30_letters", "right_classifier_of_30_letters")
ODD = ("<b>&amp; \\textbf{x}_i^2 $\\alpha$ " + "w" * 50, "木 ½ ‰ {} %s \\n 🙂 " + "m" * 60)
VERDICTS: tuple[Decision, ...] = ("left", "rope", "right", "none")
ROPES = (Rope.of(0.01), Rope.of((-0.02, 0.3)), Rope.of(0.0))

Draw = Callable[[Sequence[str], Rope, Sheet], "Figure"]


def curve(location: float = 0.005, scale: float = 0.01) -> Curve:
    """A bell; what matters here is that it is drawn."""
    grid = location + scale * np.linspace(-6, 6, 201)
    density = np.exp(-(((grid - location) / scale) ** 2) / 2)
    ends = Interval(0.95, location - 2 * scale, location + 2 * scale)
    return Curve(grid, density, Summary(location, (ends,)))


def student_regions(rope: Rope) -> RegionProbabilities[float]:
    left, right = float(stdtr(9, rope.low / 0.02)), float(stdtr(9, -rope.high / 0.02))
    return RegionProbabilities(left, max(1 - left - right, 0.0), right)


def posterior(names: Sequence[str], rope: Rope, sheet: Sheet = SCREEN) -> "Figure":
    return draw_posterior(
        pair_of(names), f"set of {names[0]}", curve(), rope, student_regions(rope), sheet
    )


def point_posterior(names: Sequence[str], rope: Rope, sheet: Sheet = SCREEN) -> "Figure":
    point = Curve(np.empty(0), np.empty(0), Summary(0.02, (Interval(0.95, 0.02, 0.02),)))
    return draw_posterior(
        pair_of(names), "set", point, rope, RegionProbabilities(0.0, 0.0, 1.0), sheet
    )


def far_posterior(names: Sequence[str], rope: Rope, sheet: Sheet = SCREEN) -> "Figure":
    answer = RegionProbabilities(1.0, 0.0, 0.0)
    return draw_posterior(pair_of(names), "set", curve(-5e-7, 1e-8), rope, answer, sheet)


def estimates(rows: int) -> Estimates:
    mean = np.linspace(-0.1, 0.2, rows)
    return Estimates(mean, Interval(0.95, mean - 0.03, mean + 0.04))


def pair_of(names: Sequence[str]) -> Pair:
    left, right, *_ = names
    return Pair(left, right)


def dataset_names(names: Sequence[str], rows: int) -> list[str]:
    return [f"{names[i % len(names)]} {i}" for i in range(rows)]


def pairs_of(names: Sequence[str], rows: int) -> list[tuple[str, str]]:
    count = len(names)
    return [(names[2 * i % count], names[(2 * i + 1) % count]) for i in range(rows)]


def forest(rows: int) -> Draw:
    def draw(names: Sequence[str], rope: Rope, sheet: Sheet = SCREEN) -> "Figure":
        return draw_forest(pair_of(names), dataset_names(names, rows), estimates(rows), rope, sheet)

    return draw


def shrinkage(rows: int) -> Draw:
    def draw(names: Sequence[str], rope: Rope, sheet: Sheet = SCREEN) -> "Figure":
        shrunken, datasets = estimates(rows), dataset_names(names, rows)
        verdicts = [VERDICTS[i % 4] for i in range(rows)]
        raw = 1.5 * shrunken.mean
        return draw_shrinkage(pair_of(names), datasets, raw, shrunken, verdicts, rope, sheet)

    return draw


def posteriors(rows: int) -> Draw:
    def draw(names: Sequence[str], rope: Rope, sheet: Sheet = SCREEN) -> "Figure":
        curves = [curve(0.002 * i, 0.01) for i in range(rows)]
        answers = [student_regions(rope)] * rows
        return draw_posteriors(
            pair_of(names), dataset_names(names, rows), curves, rope, answers, sheet
        )

    return draw


def densities(rows: int) -> Draw:
    def draw(names: Sequence[str], rope: Rope, sheet: Sheet = SCREEN) -> "Figure":
        found = [np.linspace(-0.1, 0.15, 10) * i for i in range(rows)]  # the first is a point
        return draw_densities(
            pair_of(names), dataset_names(names, rows), found, rope, "folds", sheet
        )

    return draw


def means(values: Sequence[float]) -> Draw:
    def draw(names: Sequence[str], rope: Rope, sheet: Sheet = SCREEN) -> "Figure":
        return draw_means(pair_of(names), np.array(values), rope, sheet)

    return draw


def boxplot(rows: int) -> Draw:
    def draw(names: Sequence[str], rope: Rope, sheet: Sheet = SCREEN) -> "Figure":
        spread = [np.array([-0.3, -0.01, 0.0, 0.01, 0.02, 0.5]) * (i + 1) for i in range(rows)]
        return draw_boxplot(pairs_of(names, rows), spread, rope, sheet)

    return draw


def simplex(names: Sequence[str], rope: Rope, sheet: Sheet = SCREEN) -> "Figure":
    draws = np.random.default_rng(0).dirichlet([3.0, 6.0, 9.0], 5_000)
    answer = RegionProbabilities(0.1, 0.2, 0.7)
    return draw_simplex(pair_of(names), 18, draws, rope, answer, sheet)


def counts(q: int) -> Draw:
    def draw(names: Sequence[str], rope: Rope, sheet: Sheet = SCREEN) -> "Figure":
        distribution = np.array([math.comb(q, k) / 2**q for k in range(q + 1)])
        return draw_counts(pair_of(names), distribution, (0.4, 0.2, 0.4), sheet)

    return draw


def ropes(names: Sequence[str], rope: Rope, sheet: Sheet = SCREEN) -> "Figure":
    p = RegionProbabilities(*np.array([[0.4, 0.2, 0.0], [0.0, 0.5, 1.0], [0.6, 0.3, 0.0]]))
    return draw_ropes(pair_of(names), ["set"], np.array([0.0, 0.01, 0.05]), p, 0.95, sheet)


def many(names: Sequence[str], count: int) -> list[str]:
    return [f"{names[k % len(names)]} {k}" for k in range(count)]


def regret(count: int) -> Draw:
    def draw(names: Sequence[str], rope: Rope, sheet: Sheet = SCREEN) -> "Figure":
        return draw_regret(
            many(names, count), estimates(count), ["0.50"] * count, rope, "on 9", sheet
        )

    return draw


def family(count: int) -> Draw:
    def draw(names: Sequence[str], rope: Rope, sheet: Sheet = SCREEN) -> "Figure":
        best = np.linspace(1, 0, count)
        return draw_family(many(names, count), best**2, best, rope, "on 9 data sets", sheet)

    return draw


def pairs(count: int) -> Draw:
    def draw(names: Sequence[str], rope: Rope, sheet: Sheet = SCREEN) -> "Figure":
        better = np.add.outer(-np.arange(count), np.arange(count)) / (2 * count) + 0.5
        np.fill_diagonal(better, np.nan)
        decisions = np.full((count, count), "none", dtype=object)
        decisions[better > 0.75], decisions[better < 0.25] = "left", "right"
        return draw_pairs(many(names, count), better, decisions, rope, "on 9 data sets", sheet)

    return draw


def critical_difference(count: int) -> Draw:
    def draw(names: Sequence[str], rope: Rope, sheet: Sheet = SCREEN) -> "Figure":
        ranks = np.linspace(1.5, count - 0.5, count)
        return draw_critical_difference(many(names, count), ranks, 0.3 * count, 0.05, "on 9", sheet)

    return draw


def folds(count: int) -> Draw:
    def draw(names: Sequence[str], rope: Rope, sheet: Sheet = SCREEN) -> "Figure":
        scores = np.sin(np.add.outer(np.arange(30), np.arange(count)))
        return draw_folds(many(names, count), "set", scores, np.eye(count), "folds", sheet)

    return draw


def regions(rows: int) -> Draw:
    def draw(names: Sequence[str], rope: Rope, sheet: Sheet = SCREEN) -> "Figure":
        right = np.linspace(0, 1, rows) ** 2
        middle = np.zeros(rows) if rope.is_empty else (1 - right) / 3
        answer = RegionProbabilities(1 - middle - right, middle, right)
        return draw_regions(
            "Bayesian test of " + names[0], pairs_of(names, rows), answer, rope, sheet
        )

    return draw


def hierarchical(with_nu: bool) -> Draw:
    def draw(names: Sequence[str], rope: Rope, sheet: Sheet = SCREEN) -> "Figure":
        next_delta = Curve(curve().grid, curve().density, None)
        nu = curve(20, 3) if with_nu else None
        parameters = ParameterCurves(curve(), curve(0.0123456, 0.003), nu)
        p = RegionProbabilities(0.1, 0.2, 0.7)
        theta = student_regions(rope)
        return draw_hierarchical(pair_of(names), rope, p, next_delta, theta, parameters, sheet)

    return draw


def outlook(kinds: int) -> Draw:
    def draw(names: Sequence[str], rope: Rope, sheet: Sheet = SCREEN) -> "Figure":
        prospects = [
            Prospect(Amount(of, count), k / 20, 0.1, k / 10, 0.9 - 3 * k / 20, 0.01)
            for of, first in (("data sets", 12), ("runs", 10), ("items", 150_000))[:kinds]
            for k, count in enumerate(first * factor for factor in (1, 2, 3, 5, 10))
        ]
        return draw_outlook(names[0], names[1], prospects, sheet)

    return draw


PICTURES: dict[str, Draw] = {
    "outlook-1": outlook(1),
    "outlook-3": outlook(3),
    "posterior": posterior,
    "point-posterior": point_posterior,
    "far-posterior": far_posterior,
    "forest-1": forest(1),
    "forest-60": forest(60),
    "shrinkage-1": shrinkage(1),
    "shrinkage-60": shrinkage(60),
    "posteriors-1": posteriors(1),
    "posteriors-7": posteriors(7),
    "densities-1": densities(1),
    "densities-60": densities(60),
    "means": means([-0.02, 0.0, 0.01, 0.05]),
    "means-equal": means([0.02, 0.02]),
    "boxplot-1": boxplot(1),
    "boxplot-60": boxplot(60),
    "simplex": simplex,
    "counts-2": counts(2),
    "counts-61": counts(61),
    "ropes": ropes,
    "regret-65": regret(65),
    "family-2": family(2),
    "family-65": family(65),
    "pairs-2": pairs(2),
    "pairs-65": pairs(65),
    "critical-difference-2": critical_difference(2),
    "critical-difference-65": critical_difference(65),
    "folds-2": folds(2),
    "folds-7": folds(7),
    "regions-1": regions(1),
    "regions-60": regions(60),
    "hierarchical": hierarchical(with_nu=True),
    "hierarchical-gaussian": hierarchical(with_nu=False),
}
