"""Every picture: what is written in it, that nothing is cut, and that its bytes repeat."""

import math
import subprocess
import sys
import xml.etree.ElementTree as ET
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest
from scipy.special import stdtr

from bcompare.decision import Decision
from bcompare.errors import ComputationError, InputError
from bcompare.methods.base import Interval
from bcompare.plots.boxplot import draw_boxplot
from bcompare.plots.counts import draw_counts
from bcompare.plots.critical_difference import (
    cliques,
    draw_critical_difference,
    stacked,
)
from bcompare.plots.densities import draw_densities
from bcompare.plots.density import Curve, Summary, smooth
from bcompare.plots.family import draw_family
from bcompare.plots.figure import drawing, picture, picture_format, save
from bcompare.plots.folds import draw_folds
from bcompare.plots.forest import Estimates, draw_forest
from bcompare.plots.hierarchical import ParameterCurves, draw_hierarchical
from bcompare.plots.look import Pair
from bcompare.plots.means import draw_means
from bcompare.plots.page import MOST_ROWS
from bcompare.plots.pairs import draw_pairs
from bcompare.plots.posterior import draw_posterior
from bcompare.plots.posteriors import draw_posteriors
from bcompare.plots.regions import draw_regions
from bcompare.plots.regret import draw_regret
from bcompare.plots.ropes import draw_ropes
from bcompare.plots.shrinkage import draw_shrinkage
from bcompare.plots.simplex import draw_simplex
from bcompare.plots.spread import density_in_triangle
from bcompare.rope import FloatArray, RegionProbabilities, Rope

pytestmark = pytest.mark.slow

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.transforms import BboxBase

ROOT = Path(__file__).parents[2]

SHORT = ("nbc", "aode")
LONG = ("left_" + "w" * 70 + "_end", "right_" + "m" * 90 + "_end")
# As long as names usually are at the most.
THIRTY = ("left_classifier_with_30_letters", "right_classifier_of_30_letters")
ODD = ("<b>&amp; \\textbf{x}_i^2 $\\alpha$ " + "w" * 50, "木 ½ ‰ {} %s \\n 🙂 " + "m" * 60)
VERDICTS: tuple[Decision, ...] = ("left", "rope", "right", "none")
ROPES = (Rope.of(0.01), Rope.of((-0.02, 0.3)), Rope.of(0.0))

Draw = Callable[[tuple[str, str], Rope], "Figure"]


def curve(location: float = 0.005, scale: float = 0.01) -> Curve:
    """A bell; what matters here is that it is drawn."""
    grid = location + scale * np.linspace(-6, 6, 201)
    density = np.exp(-(((grid - location) / scale) ** 2) / 2)
    ends = Interval(0.95, location - 2 * scale, location + 2 * scale)
    return Curve(grid, density, Summary(location, (ends,)))


def student_regions(rope: Rope) -> RegionProbabilities[float]:
    left, right = float(stdtr(9, rope.low / 0.02)), float(stdtr(9, -rope.high / 0.02))
    return RegionProbabilities(left, max(1 - left - right, 0.0), right)


def posterior(names: tuple[str, str], rope: Rope) -> "Figure":
    return draw_posterior(Pair(*names), f"set of {names[0]}", curve(), rope, student_regions(rope))


def point_posterior(names: tuple[str, str], rope: Rope) -> "Figure":
    point = Curve(np.empty(0), np.empty(0), Summary(0.02, (Interval(0.95, 0.02, 0.02),)))
    return draw_posterior(Pair(*names), "set", point, rope, RegionProbabilities(0.0, 0.0, 1.0))


def far_posterior(names: tuple[str, str], rope: Rope) -> "Figure":
    answer = RegionProbabilities(1.0, 0.0, 0.0)
    return draw_posterior(Pair(*names), "set", curve(-5e-7, 1e-8), rope, answer)


def estimates(rows: int) -> Estimates:
    mean = np.linspace(-0.1, 0.2, rows)
    return Estimates(mean, Interval(0.95, mean - 0.03, mean + 0.04))


def dataset_names(names: tuple[str, str], rows: int) -> list[str]:
    return [f"{names[0]} {i}" for i in range(rows)]


def forest(rows: int) -> Draw:
    def draw(names: tuple[str, str], rope: Rope) -> "Figure":
        return draw_forest(Pair(*names), dataset_names(names, rows), estimates(rows), rope)

    return draw


def shrinkage(rows: int) -> Draw:
    def draw(names: tuple[str, str], rope: Rope) -> "Figure":
        shrunken, datasets = estimates(rows), dataset_names(names, rows)
        verdicts = [VERDICTS[i % 4] for i in range(rows)]
        raw = 1.5 * shrunken.mean
        return draw_shrinkage(Pair(*names), datasets, raw, shrunken, verdicts, rope)

    return draw


def posteriors(rows: int) -> Draw:
    def draw(names: tuple[str, str], rope: Rope) -> "Figure":
        curves = [curve(0.002 * i, 0.01) for i in range(rows)]
        answers = [student_regions(rope)] * rows
        return draw_posteriors(Pair(*names), dataset_names(names, rows), curves, rope, answers)

    return draw


def densities(rows: int) -> Draw:
    def draw(names: tuple[str, str], rope: Rope) -> "Figure":
        found = [np.linspace(-0.1, 0.15, 10) * i for i in range(rows)]  # the first is a point
        return draw_densities(Pair(*names), dataset_names(names, rows), found, rope, "folds")

    return draw


def means(values: Sequence[float]) -> Draw:
    def draw(names: tuple[str, str], rope: Rope) -> "Figure":
        return draw_means(Pair(*names), np.array(values), rope)

    return draw


def boxplot(rows: int) -> Draw:
    def draw(names: tuple[str, str], rope: Rope) -> "Figure":
        spread = [np.array([-0.3, -0.01, 0.0, 0.01, 0.02, 0.5]) * (i + 1) for i in range(rows)]
        return draw_boxplot([names] * rows, spread, rope)

    return draw


def simplex(names: tuple[str, str], rope: Rope) -> "Figure":
    draws = np.random.default_rng(0).dirichlet([3.0, 6.0, 9.0], 5_000)
    answer = RegionProbabilities(0.1, 0.2, 0.7)
    return draw_simplex(Pair(*names), 18, draws, rope, answer)


def counts(q: int) -> Draw:
    def draw(names: tuple[str, str], rope: Rope) -> "Figure":
        distribution = np.array([math.comb(q, k) / 2**q for k in range(q + 1)])
        return draw_counts(Pair(*names), distribution, (0.4, 0.2, 0.4))

    return draw


def ropes(names: tuple[str, str], rope: Rope) -> "Figure":
    p = RegionProbabilities(*np.array([[0.4, 0.2, 0.0], [0.0, 0.5, 1.0], [0.6, 0.3, 0.0]]))
    return draw_ropes(Pair(*names), ["set"], np.array([0.0, 0.01, 0.05]), p, 0.95)


def many(names: tuple[str, str], count: int) -> list[str]:
    return [f"{names[k % 2]} {k}" for k in range(count)]


def regret(count: int) -> Draw:
    def draw(names: tuple[str, str], rope: Rope) -> "Figure":
        return draw_regret(many(names, count), estimates(count), ["0.50"] * count, rope, "on 9")

    return draw


def family(count: int) -> Draw:
    def draw(names: tuple[str, str], rope: Rope) -> "Figure":
        best = np.linspace(1, 0, count)
        return draw_family(many(names, count), best**2, best, rope, "on 9 data sets")

    return draw


def pairs(count: int) -> Draw:
    def draw(names: tuple[str, str], rope: Rope) -> "Figure":
        better = np.add.outer(-np.arange(count), np.arange(count)) / (2 * count) + 0.5
        np.fill_diagonal(better, np.nan)
        decisions = np.full((count, count), "none", dtype=object)
        decisions[better > 0.75], decisions[better < 0.25] = "left", "right"
        return draw_pairs(many(names, count), better, decisions, rope, "on 9 data sets")

    return draw


def critical_difference(count: int) -> Draw:
    def draw(names: tuple[str, str], rope: Rope) -> "Figure":
        ranks = np.linspace(1.5, count - 0.5, count)
        return draw_critical_difference(many(names, count), ranks, 0.3 * count, 0.05, "on 9")

    return draw


def folds(count: int) -> Draw:
    def draw(names: tuple[str, str], rope: Rope) -> "Figure":
        scores = np.sin(np.add.outer(np.arange(30), np.arange(count)))
        return draw_folds(many(names, count), "set", scores, np.eye(count), "folds")

    return draw


def regions(rows: int) -> Draw:
    def draw(names: tuple[str, str], rope: Rope) -> "Figure":
        right = np.linspace(0, 1, rows) ** 2
        middle = np.zeros(rows) if rope.is_empty else (1 - right) / 3
        answer = RegionProbabilities(1 - middle - right, middle, right)
        return draw_regions("Bayesian test of " + names[0], [names] * rows, answer, rope)

    return draw


def hierarchical(with_nu: bool) -> Draw:
    def draw(names: tuple[str, str], rope: Rope) -> "Figure":
        next_delta = Curve(curve().grid, curve().density, None)
        nu = curve(20, 3) if with_nu else None
        parameters = ParameterCurves(curve(), curve(0.0123456, 0.003), nu)
        p = RegionProbabilities(0.1, 0.2, 0.7)
        theta = student_regions(rope)
        return draw_hierarchical(Pair(*names), rope, p, next_delta, theta, parameters)

    return draw


PICTURES: dict[str, Draw] = {
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
# One of each kind.
TWICE = sorted({name.partition("-")[0]: name for name in reversed(PICTURES)}.values())
every_picture = pytest.mark.parametrize("draw", PICTURES.values(), ids=PICTURES)


def words_of(figure: "Figure") -> list[str]:
    """All pieces of text in the picture, as a reader of the SVG file finds them."""
    root = ET.fromstring(picture(figure, "svg"))
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    return [text.strip() for text in root.itertext() if text.strip()]


@dataclass(frozen=True)
class Layout:
    """Where things are on the page, in pixels: what is drawn at all, headings, axes."""

    page: "BboxBase"
    drawn: "BboxBase"
    headings: "Sequence[BboxBase]"
    axes: "Sequence[BboxBase]"


def layout_of(figure: "Figure") -> Layout:
    from matplotlib.transforms import Bbox

    with drawing():
        figure.draw_without_rendering()
        headings = [text.get_window_extent() for text in figure.texts]
        axes = [box for box in (axes.get_tightbbox() for axes in figure.axes) if box is not None]
    assert len(axes) == len(figure.axes)
    return Layout(figure.bbox, Bbox.union([*headings, *axes]), headings, axes)


def text_boxes(figure: "Figure") -> "list[tuple[str, BboxBase]]":
    """Every piece of text that is seen, and where it is, once `layout_of` has laid it out."""
    from matplotlib.text import Text

    unseen = set()
    for axes in figure.axes:
        for axis, view in ((axes.xaxis, axes.get_xlim()), (axes.yaxis, axes.get_ylim())):
            for tick in (*axis.get_major_ticks(), *axis.get_minor_ticks()):
                if not min(view) <= tick.get_loc() <= max(view):
                    unseen |= {tick.label1, tick.label2}
    with drawing():
        return [
            (text.get_text(), text.get_window_extent())
            for text in figure.findobj(Text)
            if isinstance(text, Text)
            if text.get_visible() and text.get_text().strip() and text not in unseen
        ]


def overlapping(figure: "Figure") -> set[tuple[str, str]]:
    """The pieces of text that lie on another."""
    boxes = text_boxes(figure)
    edges = np.array([box.extents for _, box in boxes])
    # Letters keep a pixel from the edge of their line's box.
    low, high = edges[:, :2] + 1, edges[:, 2:] - 1
    apart = (low[:, None] >= high) | (low >= high[:, None])
    return {(boxes[i][0], boxes[j][0]) for i, j in np.argwhere(~apart.any(axis=2)) if i < j}


@every_picture
@pytest.mark.parametrize(
    ("names", "rope"),
    [(SHORT, ROPES[0]), (THIRTY, ROPES[2]), (LONG, ROPES[1])],
    ids=["short", "thirty-no-rope", "long"],
)
def test_nothing_is_cut_off_or_lies_on_other_things(
    draw: Draw, names: tuple[str, str], rope: Rope
) -> None:
    figure = draw(names, rope)
    layout = layout_of(figure)
    assert not overlapping(figure)
    assert layout.drawn.x0 >= 0
    assert layout.drawn.y0 >= 0
    assert layout.drawn.x1 <= layout.page.x1
    assert layout.drawn.y1 <= layout.page.y1
    assert not any(axes.overlaps(text) for axes in layout.axes for text in layout.headings)


@pytest.mark.parametrize("names", [SHORT, LONG], ids=["short", "long"])
def test_hierarchical_panels_keep_apart(names: tuple[str, str]) -> None:
    layout = layout_of(hierarchical(with_nu=True)(names, ROPES[0]))
    assert len(layout.axes) == 4
    assert not any(one.overlaps(other) for one, other in combinations(layout.axes, 2))


@every_picture
def test_names_are_written_in_full(draw: Draw) -> None:
    words = words_of(draw(ODD, ROPES[0]))
    for name in ODD:
        assert any(name in piece for piece in words)


def test_posterior_writes_probabilities_mean_and_interval() -> None:
    words = words_of(posterior(SHORT, ROPES[0]))
    expected = student_regions(ROPES[0])
    for p in (expected.left, expected.rope, expected.right):
        assert f"{p:.3f}" in words
    assert f"nbc better: {expected.left:.3f}" in words
    assert f"equivalent: from -0.01 to 0.01: {expected.rope:.3f}" in words
    assert f"aode better: {expected.right:.3f}" in words
    assert "mean difference aode − nbc" in words
    assert "mean 0.0050, 95 % interval -0.0150 to 0.0250" in words


def test_where_lower_is_better_the_axis_says_which_is_subtracted() -> None:
    pair = Pair("nbc", "aode", lower_is_better=True)
    figure = draw_posterior(pair, "set", curve(), ROPES[0], student_regions(ROPES[0]))
    assert "mean difference nbc − aode" in words_of(figure)


def test_hierarchical_writes_both_kinds_of_probability_and_the_parameters() -> None:
    words = words_of(hierarchical(with_nu=True)(SHORT, ROPES[0]))
    assert {"nbc better: 0.100", "aode better: 0.700"} <= set(words)
    theta = student_regions(ROPES[0])
    assert {f"{theta.left:.3f}", f"{theta.rope:.3f}", f"{theta.right:.3f}"} <= set(words)
    assert {"centre δ₀", "scale σ₀", "degrees of freedom ν", "14.0 to 26.0"} <= set(words)
    assert "degrees of freedom ν" not in words_of(hierarchical(with_nu=False)(SHORT, ROPES[0]))


def test_regions_writes_every_probability_that_has_room() -> None:
    answer = RegionProbabilities(np.array([0.85, 0.0]), np.array([0.1, 0.0]), np.array([0.05, 1.0]))
    figure = draw_regions("All pairs", [("a", "b"), ("a", "c")], answer, ROPES[0])
    words = words_of(figure)
    assert {"0.850", "0.100", "1.000"} <= set(words)
    assert not {"0.050", "0.000"} & set(words)
    assert words.count("a") == 2
    assert {"b", "c", "left better", "right better", "equivalent: from -0.01 to 0.01"} <= set(words)


def test_forest_has_one_row_a_data_set_in_the_order_given() -> None:
    words = words_of(forest(30)(SHORT, ROPES[0]))
    rows = [word for word in words if word in dataset_names(SHORT, 30)]
    assert rows == dataset_names(SHORT, 30)


def test_without_a_rope_no_picture_speaks_of_equivalence() -> None:
    for name in ("posterior", "forest-1", "regions-1", "hierarchical"):
        words = words_of(PICTURES[name](SHORT, ROPES[2]))
        assert any("better" in word for word in words)
        assert not any("equivalent" in word for word in words)


def test_a_curve_is_smooth_through_the_points_given() -> None:
    grid = np.linspace(-3, 3, 13)
    x, density = smooth(grid, np.exp(-(grid**2) / 2))
    assert density == pytest.approx(np.exp(-(x**2) / 2), abs=0.01)
    assert density[::4] == pytest.approx(np.exp(-(grid**2) / 2), abs=1e-15)

    def corners(x: FloatArray, y: FloatArray) -> FloatArray:
        """How much the slope changes from each piece of a line to the next."""
        return np.abs(np.diff(np.diff(y) / np.diff(x)))

    # Four times as many pieces: were it not for the old corners, each would be a fourth.
    polygon = corners(grid, density[::4])
    assert corners(x, density).max() < polygon.max() / 2


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
        spread = density_in_triangle(points)
        levels = spread.levels([0.99, 0.9, 0.5])
        (x, y), fresh = spread.at, rng.dirichlet(parameters, 100_000) @ corners
        column = np.rint((fresh[:, 0] - x[0]) / (x[1] - x[0])).astype(int)
        row = np.rint((fresh[:, 1] - y[0]) / (y[1] - y[0])).astype(int)
        at = spread.density[row, column]
        held = [float((at >= level).mean()) for level in levels]
        assert held == pytest.approx([0.99, 0.9, 0.5], abs=0.02)


def test_draws_that_are_all_the_same_are_drawn() -> None:
    for theta in ([0.0, 0.0, 1.0], [0.2, 0.5, 0.3], [0.5, 0.5, 0.0]):
        for count in (1, 1000):
            draws, answer = np.tile(theta, (count, 1)), RegionProbabilities(0.0, 0.0, 1.0)
            figure = draw_simplex(Pair(*SHORT), 3, draws, ROPES[0], answer)
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


def test_shrinkage_marks_every_verdict_and_counts_it() -> None:
    words = words_of(shrinkage(10)(SHORT, ROPES[0]))
    assert {"nbc better: 3 data sets", "aode better: 2 data sets"} <= set(words)
    assert {"equivalent: 3 data sets", "undecided: 2 data sets"} <= set(words)


def test_a_box_is_the_middle_half_and_what_lies_far_is_a_dot() -> None:
    figure = boxplot(1)(SHORT, ROPES[0])
    (box,) = [patch.get_extents() for patch in figure.axes[0].patches if patch.get_zorder() == 2]
    to_data = figure.axes[0].transData.inverted()
    assert to_data.transform(box)[:, 0] == pytest.approx((-0.0075, 0.0175))
    (dots,) = [line for line in figure.axes[0].lines if line.get_marker() == "o"]
    assert np.asarray(dots.get_xdata()).tolist() == [-0.3, 0.5]


def test_counts_are_the_bars() -> None:
    figure = counts(4)(SHORT, ROPES[0])
    axes = figure.axes[0]
    boxes = [axes.transData.inverted().transform(bar.get_extents()) for bar in axes.patches]
    heights = [top for (_, _), (_, top) in sorted(box.tolist() for box in boxes)]
    assert heights == pytest.approx([1 / 16, 4 / 16, 6 / 16, 4 / 16, 1 / 16])
    assert "each better on half: 0.200" in words_of(figure)
    assert not any("on half" in word for word in words_of(counts(5)(SHORT, ROPES[0])))


def test_ropes_draws_each_region_at_each_rope() -> None:
    lines = {line.get_marker(): line for line in ropes(SHORT, ROPES[0]).axes[0].lines}
    assert np.asarray(lines["s"].get_xdata()).tolist() == [0.0, 0.01, 0.05]
    assert np.asarray(lines["s"].get_ydata()).tolist() == [0.0, 0.5, 1.0]
    assert np.asarray(lines["<"].get_ydata()).tolist() == [0.4, 0.2, 0.0]
    assert np.asarray(lines[">"].get_ydata()).tolist() == [0.6, 0.3, 0.0]


def test_pairs_writes_numbers_while_there_is_room() -> None:
    assert "0.750" in words_of(pairs(2)(SHORT, ROPES[0]))
    assert "0.750" not in words_of(pairs(30)(SHORT, ROPES[0]))


def test_a_name_is_no_formula() -> None:
    words = words_of(posterior(("$x^2$", "a_b & <c>"), ROPES[0]))
    assert "mean difference a_b & <c> − $x^2$" in words


@pytest.mark.parametrize(
    ("name", "kind"),
    [*((name, "svg") for name in TWICE), ("posterior", "png"), ("simplex", "pdf")],
)
def test_the_same_picture_is_the_same_file(name: str, kind: str) -> None:
    draw = PICTURES[name]
    assert picture(draw(SHORT, ROPES[0]), kind) == picture(draw(SHORT, ROPES[0]), kind)


def test_two_processes_write_the_same_file(tmp_path: Path) -> None:
    code = (
        "import sys\n"
        "import numpy as np\n"
        "from bcompare.plots.figure import save\n"
        "from bcompare.plots.regions import draw_regions\n"
        "from bcompare.rope import RegionProbabilities, Rope\n"
        "p = RegionProbabilities(*np.array([[0.2], [0.3], [0.5]]))\n"
        "save(draw_regions('Title', [('a', 'b')], p, Rope.of(0.01)), sys.argv[1])\n"
    )
    paths = [tmp_path / "one.svg", tmp_path / "two.svg"]
    for path in paths:
        subprocess.run([sys.executable, "-c", code, path], check=True, cwd=ROOT)
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_the_users_settings_are_neither_used_nor_changed() -> None:
    import matplotlib as mpl

    plain = picture(posterior(SHORT, ROPES[0]), "svg")
    with mpl.rc_context({"font.size": 30.0, "lines.linewidth": 9.0, "svg.hashsalt": "other"}):
        assert picture(posterior(SHORT, ROPES[0]), "svg") == plain
        assert mpl.rcParams["font.size"] == 30.0
        assert mpl.rcParams["svg.hashsalt"] == "other"


@pytest.mark.parametrize(
    ("suffix", "start"), [(".svg", b"<?xml"), (".png", b"\x89PNG"), (".PDF", b"%PDF")]
)
def test_the_suffix_chooses_the_format(tmp_path: Path, suffix: str, start: bytes) -> None:
    path = tmp_path / f"picture{suffix}"
    save(posterior(SHORT, ROPES[0]), path)
    assert path.read_bytes().startswith(start)


@pytest.mark.parametrize("name", ["picture.jpeg", "picture", "picture.svg.gz"])
def test_another_suffix_is_refused_by_name(name: str) -> None:
    with pytest.raises(InputError, match=r"end the name in \.svg, \.png or \.pdf"):
        picture_format(name)


def test_a_folder_that_does_not_exist_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written: No such file"):
        save(posterior(SHORT, ROPES[0]), tmp_path / "nowhere" / "picture.svg")


@pytest.mark.parametrize("rows", [0, MOST_ROWS + 1])
def test_more_rows_than_a_page_holds_are_refused(rows: int) -> None:
    for draw in (forest(rows), regions(rows), shrinkage(rows), densities(rows)):
        with pytest.raises(InputError, match=f"a picture of {rows} rows"):
            draw(SHORT, ROPES[0])


@every_picture
def test_without_matplotlib_the_message_says_what_to_install(
    draw: Draw, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ComputationError, match=r'pip install "bcompare\[plot\]"'):
        draw(SHORT, ROPES[0])


def test_the_room_loads_matplotlib_only_to_draw_and_never_pyplot() -> None:
    code = (
        "import sys\n"
        "from bcompare.plots import figure, forest, hierarchical, posterior, regions\n"
        "from bcompare.rope import RegionProbabilities, Rope\n"
        "assert 'matplotlib' not in sys.modules\n"
        "import numpy as np\n"
        "p = RegionProbabilities(*np.array([[0.2], [0.3], [0.5]]))\n"
        "figure.picture(regions.draw_regions('t', [('a', 'b')], p, Rope.of(0.01)), 'png')\n"
        "assert 'matplotlib' in sys.modules\n"
        "assert 'matplotlib.pyplot' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)
