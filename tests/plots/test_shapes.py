"""What is drawn: the curves, shades, bars and marks are those of the numbers."""

import math
import warnings
from dataclasses import dataclass, replace
from typing import cast

import numpy as np
import pytest
from matplotlib.collections import LineCollection, PolyCollection
from matplotlib.colors import to_rgba
from matplotlib.patches import Rectangle

from bcompare.comparing.compare import Sweep
from bcompare.data.rope import FloatArray, Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.methods.poisson_binomial import PoissonBinomialResult
from bcompare.methods.sign import Sign
from bcompare.plots.density import Curve, estimated
from bcompare.plots.figure import picture
from bcompare.plots.fills import REGIONS
from bcompare.plots.ranking import cliques, stacked
from bcompare.plots.sheet import Sheet
from bcompare.plots.simplex import density_in_triangle
from bcompare.ranking.family import Family, rank
from bcompare.report.table import probability
from bcompare.show import draw as draw_result
from tests.plots.layout import words_of
from tests.plots.pictures import (
    ROPES,
    SCREEN,
    SHORT,
    draw,
    on_datasets,
    pair,
    ranked,
    result_of,
    scores_of,
)


def test_a_density_that_begins_high_begins_on_its_line() -> None:
    grid = np.linspace(1, 8, 40)
    x, density = Curve(grid, np.exp(-grid), None).line
    assert (x[0], density[0]) == (1.0, 0.0)
    assert (x[1], density[1]) == pytest.approx((1.0, math.exp(-1)))


def test_the_shades_of_the_simplex_hold_their_shares() -> None:
    rng = np.random.default_rng(1)
    corners = np.array([[0, 0], [0.5, 3**0.5 / 2], [1, 0]])
    for parameters in ([3.0, 6.0, 9.0], [0.6, 4.0, 20.0], [1.0, 1.0, 1.0]):
        points = rng.dirichlet(parameters, 100_000) @ corners
        x, y, density, levels = density_in_triangle(points, [0.99, 0.9, 0.5])
        fresh = rng.dirichlet(parameters, 100_000) @ corners
        column = np.rint((fresh[:, 0] - x[0]) / (x[1] - x[0])).astype(int)
        row = np.rint((fresh[:, 1] - y[0]) / (y[1] - y[0])).astype(int)
        at = density[row, column]
        held = [float((at >= level).mean()) for level in levels]
        assert held == pytest.approx([0.99, 0.9, 0.5], abs=0.02)


@dataclass(frozen=True)
class Same(Sign):
    """A method all of whose draws are the same."""

    theta: tuple[float, float, float] = (0.0, 0.0, 1.0)
    count: int = 1

    def draw_theta(self, statistics: SufficientStatistics, rope: Rope) -> FloatArray:
        return np.tile(self.theta, (self.count, 1))


def test_draws_that_are_all_the_same_are_drawn() -> None:
    for theta in ((0.0, 0.0, 1.0), (0.2, 0.5, 0.3), (0.5, 0.5, 0.0)):
        for count in (1, 1000):
            study = replace(
                pair(SHORT, ROPES[0], test="sign"), method=Same(theta=theta, count=count)
            )
            figure = draw_result(study, "simplex")
            picture(figure, "svg")
            (mean,) = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
            x, y = np.ravel([mean.get_xdata(), mean.get_ydata()])
            assert (x - y / 3**0.5, y * 2 / 3**0.5) == pytest.approx((theta[2], theta[1]))


def test_cliques_are_the_longest_groups_within_the_difference() -> None:
    assert cliques(np.array([1.0, 1.5, 2.4, 4.0, 4.2]), 1.0) == [(0, 1), (1, 2), (3, 4)]
    assert cliques(np.array([1.0, 2.0]), 1.0) == []  # as far as the difference is significant
    assert cliques(np.array([1.0, 1.1, 1.2]), 5.0) == [(0, 2)]


def test_bars_share_a_line_where_they_are_apart() -> None:
    assert stacked([(1.0, 2.0), (1.5, 3.0), (2.5, 4.0), (2.6, 5.0)]) == [0, 1, 0, 2]


def test_a_box_is_the_middle_half_and_what_lies_far_is_a_dot() -> None:
    figure = draw("boxplot-1")
    (box,) = [patch.get_extents() for patch in figure.axes[0].patches if patch.get_zorder() == 2]
    to_data = figure.axes[0].transData.inverted()
    assert to_data.transform(box)[:, 0] == pytest.approx((-0.0075, 0.0175))
    (dots,) = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    assert np.asarray(dots.get_xdata()).tolist() == [-0.3, 0.5]


def test_counts_are_the_bars() -> None:
    study = on_datasets(SHORT, ROPES[0], test="poisson", rows=4)
    figure = draw_result(study)
    axes = figure.axes[0]
    boxes = [axes.transData.inverted().transform(bar.get_extents()) for bar in axes.patches]
    heights = [top for (_, _), (_, top) in sorted(box.tolist() for box in boxes)]
    result = cast(PoissonBinomialResult, study.comparisons[0].result)
    assert heights == pytest.approx(result.distribution.tolist())
    assert f"each better on half: {probability(result.p_even)}" in words_of(figure)
    assert not any("on half" in word for word in words_of(draw("counts-61")))


def test_ropes_draws_each_region_at_each_rope() -> None:
    lines = {line.get_marker(): line for line in draw("ropes").axes[0].lines}
    sweep = cast(Sweep, result_of("ropes", SHORT, ROPES[0]))
    for marker, region in (("<", "left"), ("s", "rope"), (">", "right")):
        p = [getattr(study.comparisons[0].printed, region) for study in sweep.studies]
        assert np.asarray(lines[marker].get_xdata()).tolist() == [0.0, 0.01, 0.05]
        assert np.asarray(lines[marker].get_ydata()).tolist() == p


def test_a_matrix_of_many_is_a_small_file_with_a_stroke_for_every_decision() -> None:
    figure = draw("pairs-65")
    assert len(picture(figure, "svg")) < 300_000
    through: dict[str, int] = {"row": 0, "column": 0}
    for line in figure.axes[0].lines:
        x, y = (
            np.asarray(values, float).reshape(-1, 3)[:, :2]
            for values in (line.get_xdata(), line.get_ydata())
        )
        through["row"] += int((np.rint(x[:, 1] - x[:, 0] + 0.4) * (y[:, 0] == y[:, 1])).sum())
        through["column"] += int((np.rint(y[:, 1] - y[:, 0] + 0.4) * (x[:, 0] == x[:, 1])).sum())
    decisions = cast(Family, result_of("pairs-65", SHORT, ROPES[0])).decisions
    assert through == {"row": (decisions == "left").sum(), "column": (decisions == "right").sum()}
    assert through["row"] > 100


def test_folds_shows_every_score_beside_the_mean_of_all() -> None:
    family = rank(scores_of("abc", ["set"], np.array([[0.02, 0.01, 0.0]]), folds=100))
    figure = draw_result(family, "folds")
    best = family.best
    scores = family.scores.datasets[0].table[:, list(best.order)]
    order = np.argsort(scores.mean(axis=1))
    for k in range(3):
        stems, mean, above, below = figure.axes[k].lines
        own = scores[order, k]
        assert np.asarray(mean.get_ydata()) == pytest.approx(scores.mean(axis=1)[order])
        is_above = own > scores.mean(axis=1)[order]
        assert np.asarray(above.get_ydata()) == pytest.approx(own[is_above])
        assert np.asarray(below.get_ydata()) == pytest.approx(own[~is_above])
        assert np.asarray(stems.get_ydata()).reshape(-1, 3)[:, 1] == pytest.approx(own)
    titles = {f"{k} {best.classifiers[i]}:" for k, i in enumerate(best.order, start=1)}
    assert titles <= {" ".join(w.split()[:2]) for w in words_of(figure)}


def test_folds_begins_with_the_hardest_and_joins_what_would_lie_on_one_another() -> None:
    scores = scores_of("ab", ["set"], np.zeros((1, 2)), folds=10_200, lower_is_better=True)
    figure = draw_result(rank(scores, rope=0.01), "folds")
    errors = -scores.datasets[0].table
    mean = np.asarray(figure.axes[0].lines[1].get_ydata())
    assert len(mean) == 120
    assert (np.diff(mean) < 0).all()  # of errors the hardest has the most
    assert mean.mean() == pytest.approx(errors.mean())
    assert any("the mean of about 85 scores" in word for word in words_of(figure))


@pytest.mark.parametrize("far", [0.45, 50.0, -3e4])
def test_a_number_far_from_the_others_leaves_their_density_its_shape(far: float) -> None:
    near = 0.012 + 0.0004 * np.linspace(-1, 1, 9)
    curve = estimated(np.append(near, far))
    assert len(curve.grid) < 5000

    def area(x: float) -> float:
        """How much of the density is within a tenth of the way to the others."""
        near_by = abs(far) / 10
        own = np.abs(curve.grid - x) < near_by
        return float(np.trapezoid(curve.density[own], curve.grid[own]))

    assert area(0.012) == pytest.approx(0.9, abs=0.005)
    assert area(far) == pytest.approx(0.1, abs=0.005)
    # The kernels are as steep as they are drawn: no step takes more than a fourth of the peak.
    assert np.abs(np.diff(curve.density)).max() < curve.peak / 4


def test_an_estimated_density_is_the_mean_of_the_kernels() -> None:
    values = np.random.default_rng(3).normal(2.0, 3.0, 1_700)
    curve = estimated(values)
    quartiles = float(np.subtract(*np.quantile(values, [0.75, 0.25]))) / 1.349
    width = 0.9 * min(float(values.std(ddof=1)), quartiles) * 1_700**-0.2
    for k in range(0, len(curve.grid), 37):
        kernels = [math.exp(-(((curve.grid[k] - x) / width) ** 2) / 2) for x in values.tolist()]
        mean = sum(kernels) / (1_700 * width * math.sqrt(2 * math.pi))
        assert curve.density[k] == pytest.approx(mean, rel=1e-9)


@pytest.mark.parametrize("rope", [Rope.of(0.003), Rope.of((-1.0, 0.002)), Rope.of((-0.001, 5.0))])
def test_the_regions_under_a_curve_meet_at_the_borders_of_the_rope(rope: Rope) -> None:
    axes = draw("posterior", SHORT, rope).axes[0]
    spans = {}
    areas = [area for area in axes.collections if isinstance(area, PolyCollection)]
    for area in areas:
        for name, region in REGIONS.items():
            if np.allclose(to_rgba(region.face), np.ravel(area.get_facecolor())[:4]):
                x = np.concatenate([np.asarray(path.vertices)[:, 0] for path in area.get_paths()])
                spans[name] = (float(x.min()), float(x.max()))
    low, high = spans["rope"]
    assert low == pytest.approx(max(rope.low, low))
    assert high == pytest.approx(min(rope.high, high))
    assert (spans.get("left", (0.0, low))[1], spans.get("right", (high, 0.0))[0]) == (low, high)
    assert ("left" in spans, "right" in spans) == (rope.low > -1, rope.high < 5)


@pytest.mark.parametrize(
    "values", [[0.1] * 6, [0.3 - 0.2, 0.1, 0.8 - 0.7], [0.0, 0.0], [-1e6, -1e6 - 1e-9]]
)
def test_means_that_are_equal_but_for_rounding_are_a_point(values: list[float]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        study = pair(SHORT, ROPES[0], test="sign", means=values, deviation=0.0)
        figure = draw_result(study, "means")
        picture(figure, "svg")
    (bar,) = [line for line in figure.axes[0].lines if line.get_linewidth() == 2.5]
    assert np.asarray(bar.get_xdata()) == pytest.approx([values[0]] * 2)
    assert np.asarray(bar.get_ydata()).tolist() == [0.0, 1.0]


def test_densities_of_many_are_a_small_file_with_a_tick_for_all_that_are_apart() -> None:
    rng = np.random.default_rng(4)
    study = on_datasets(SHORT, ROPES[0], test="ttest", rows=60)
    for dataset in study.scores.datasets:
        dataset.table[:, 1] = dataset.table[:, 0] + rng.normal(0, rng.uniform(0.01, 0.04), 10)
    differences = [np.diff(dataset.table)[:, 0] for dataset in study.scores.datasets]
    figure = draw_result(study, "densities")
    assert len(picture(figure, "svg")) < 200_000
    axes = figure.axes[0]
    point = float(np.ptp(axes.get_xlim())) / (72 * SCREEN.width * axes.get_position().width)
    ticks = [line for line in axes.lines if line.get_linewidth() == 0.5]
    for line, values in zip(ticks, differences, strict=True):
        x = np.unique(np.asarray(line.get_xdata(), float))
        assert {*x.tolist()} <= {*values.tolist()}
        assert np.abs(values[:, None] - x).min(axis=1).max() <= 0.5 * point * (1 + 1e-9)


@pytest.mark.parametrize("sheet", [Sheet(), Sheet.of("page", "paper")], ids=["screen", "page"])
@pytest.mark.parametrize("count", [10, 60])  # with numbers, and without
def test_rows_of_a_matrix_are_even_with_names_of_40_letters(count: int, sheet: Sheet) -> None:
    names = ("knn", "gradient_boosting_with_early_stopping_1", "random_forest_with_500_trees")
    family = ranked(names, ROPES[0], rows=count)
    axes = draw_result(family, "pairs", sheet).axes[0]
    assert np.asarray(axes.get_yticks()).tolist() == [*range(count)]
    lines = [label.get_text().splitlines() for label in axes.get_yticklabels()]
    assert not any(line.isdigit() for own in lines for line in own)
    assert count == 10 or {len(own) for own in lines} == {1}


@pytest.mark.parametrize("count", [4, 25])  # with numbers, and with strokes
def test_a_long_name_makes_its_own_row_higher_and_no_other(count: int) -> None:
    names = ("L" * 200, *(f"model_{k}" for k in range(count - 1)))
    family = ranked(names, ROPES[0], rows=count)
    order = list(family.best.order)
    assert order[0] == 0  # the long name is that of the first
    better = np.clip(family.best.pairs.left, 1e-9, 1 - 1e-9)[np.ix_(order, order)]
    axes = draw_result(family, "pairs").axes[0]
    bottom, top = axes.get_ylim()
    high = round(bottom - top) - (count - 1)
    assert high > 1
    assert np.asarray(axes.get_yticks())[1:].tolist() == [*range(high, high + count - 1)]
    (image,) = axes.images
    array = image.get_array()
    assert array is not None
    shade: FloatArray = np.ma.filled(np.ma.asarray(array, float), np.nan)
    assert shade == pytest.approx(np.repeat(better, [high] + [1] * (count - 1), 0), nan_ok=True)
    middle, end = (high - 1) / 2, high - 0.5
    if count == 4:
        heights = [y for text in axes.texts if (y := text.get_position()[1]) < end]
        assert len(heights) == count - 1
        assert all(abs(y - middle) < 0.13 for y in heights)
    else:
        marks = [np.asarray(line.get_ydata(), float) for line in axes.lines]
        assert any(np.any(np.abs(y - middle) < 1e-9) for y in marks)


def test_places_are_drawn_with_both_intervals_and_every_other_tier_as_a_band() -> None:
    family = ranked(SHORT, ROPES[0], rows=65)
    figure = draw_result(family, "places")
    (axes,) = figure.axes
    order = list(family.best.order)
    spans = {
        float(np.atleast_1d(lines.get_linewidth())[0]): np.array(
            [np.asarray(s)[:, 0] for s in lines.get_segments()]
        )
        for lines in axes.collections
        if isinstance(lines, LineCollection)
    }
    for width, interval in ((0.8, family.best.places.joint), (2.0, family.best.places.interval)):
        expected = np.column_stack([interval.low, interval.high])[order]
        np.testing.assert_array_equal(spans[width], expected)
    bands = [
        (p.get_y(), p.get_y() + p.get_height()) for p in axes.patches if isinstance(p, Rectangle)
    ]
    rows = np.asarray(axes.get_yticks())
    banded = [any(low < y < high for low, high in bands) for y in rows]
    assert banded == (family.tiers[order] % 2 == 0).tolist()
    assert any(banded)
    height = figure.get_size_inches()[1]
    assert height * 96 < 1050  # of a screen, with 65 rows
