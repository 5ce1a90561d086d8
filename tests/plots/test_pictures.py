"""Every picture: what is written in it, that nothing is cut, and that its bytes repeat."""

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

from bcompare.errors import ComputationError, InputError
from bcompare.methods.base import Interval
from bcompare.plots.density import Curve, Summary
from bcompare.plots.figure import drawing, picture, picture_format, save
from bcompare.plots.forest import Estimates, draw_forest
from bcompare.plots.hierarchical import ParameterCurves, draw_hierarchical
from bcompare.plots.look import Pair
from bcompare.plots.page import MOST_ROWS
from bcompare.plots.posterior import draw_posterior
from bcompare.plots.regions import draw_regions
from bcompare.rope import RegionProbabilities, Rope

if TYPE_CHECKING:
    from matplotlib.figure import Figure
    from matplotlib.transforms import BboxBase

ROOT = Path(__file__).parents[2]

SHORT = ("nbc", "aode")
LONG = ("left_" + "w" * 70 + "_end", "right_" + "m" * 90 + "_end")
ROPES = (Rope.of(0.01), Rope.of((-0.02, 0.3)), Rope.of(0.0))

Draw = Callable[[tuple[str, str], Rope], "Figure"]


def curve(location: float = 0.005, scale: float = 0.01) -> Curve:
    """A bell; what matters here is that it is drawn."""
    grid = location + scale * np.linspace(-6, 6, 201)
    density = np.exp(-(((grid - location) / scale) ** 2) / 2)
    ends = Interval(0.95, location - 2 * scale, location + 2 * scale)
    return Curve(grid, density, Summary(location, ends))


def student_regions(rope: Rope) -> RegionProbabilities[float]:
    left, right = float(stdtr(9, rope.low / 0.02)), float(stdtr(9, -rope.high / 0.02))
    return RegionProbabilities(left, max(1 - left - right, 0.0), right)


def posterior(names: tuple[str, str], rope: Rope) -> "Figure":
    return draw_posterior(Pair(*names), f"set of {names[0]}", curve(), rope, student_regions(rope))


def point_posterior(names: tuple[str, str], rope: Rope) -> "Figure":
    point = Curve(np.empty(0), np.empty(0), Summary(0.02, Interval(0.95, 0.02, 0.02)))
    return draw_posterior(Pair(*names), "set", point, rope, RegionProbabilities(0.0, 0.0, 1.0))


def far_posterior(names: tuple[str, str], rope: Rope) -> "Figure":
    answer = RegionProbabilities(1.0, 0.0, 0.0)
    return draw_posterior(Pair(*names), "set", curve(-5e-7, 1e-8), rope, answer)


def estimates(rows: int) -> Estimates:
    mean = np.linspace(-0.1, 0.2, rows)
    return Estimates(mean, Interval(0.95, mean - 0.03, mean + 0.04))


def dataset_names(names: tuple[str, str], rows: int) -> list[str]:
    return [f"{names[0]} {i}" for i in range(rows)]


def forest(rows: int, shrunken: bool) -> Draw:
    def draw(names: tuple[str, str], rope: Rope) -> "Figure":
        other = estimates(rows) if shrunken else None
        datasets = dataset_names(names, rows)
        return draw_forest(Pair(*names), datasets, estimates(rows), rope, other)

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
    "forest-1": forest(1, shrunken=False),
    "forest-60": forest(60, shrunken=False),
    "forest-60-shrunken": forest(60, shrunken=True),
    "regions-1": regions(1),
    "regions-60": regions(60),
    "hierarchical": hierarchical(with_nu=True),
    "hierarchical-gaussian": hierarchical(with_nu=False),
}
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


@every_picture
@pytest.mark.parametrize(
    ("names", "rope"),
    [(SHORT, ROPES[0]), (LONG, ROPES[1]), (LONG, ROPES[2])],
    ids=["short", "long", "long-no-rope"],
)
def test_nothing_is_cut_off_or_hidden_by_the_headings(
    draw: Draw, names: tuple[str, str], rope: Rope
) -> None:
    layout = layout_of(draw(names, rope))
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
    words = words_of(draw(LONG, ROPES[0]))
    for name in LONG:
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
    words = words_of(forest(30, shrunken=True)(SHORT, ROPES[0]))
    rows = [word for word in words if word in dataset_names(SHORT, 30)]
    assert rows == dataset_names(SHORT, 30)


def test_without_a_rope_no_picture_speaks_of_equivalence() -> None:
    for name in ("posterior", "forest-1", "regions-1", "hierarchical"):
        words = words_of(PICTURES[name](SHORT, ROPES[2]))
        assert any("better" in word for word in words)
        assert not any("equivalent" in word for word in words)


def test_a_name_is_no_formula() -> None:
    words = words_of(posterior(("$x^2$", "a_b & <c>"), ROPES[0]))
    assert "mean difference a_b & <c> − $x^2$" in words


@pytest.mark.parametrize("kind", ["svg", "png", "pdf"])
@pytest.mark.parametrize("name", ["posterior", "forest-1", "regions-1", "hierarchical"])
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
    for draw in (forest(rows, shrunken=False), regions(rows)):
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
