"""What is written in the pictures, and what their files are."""

import re
import struct
import sys
from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pytest
from matplotlib.lines import Line2D

from bcompare.basis.messages import ComputationError, InputError
from bcompare.plots.figure import picture, save
from bcompare.plots.sheet import Sheet
from bcompare.ranking.best import Best
from bcompare.ranking.family import rank
from bcompare.ranking.report import build_family_report
from bcompare.show import draw as draw_result
from tests.examples import scores_from
from tests.golden import golden
from tests.plots.layout import words_of
from tests.plots.pictures import (
    ROPES,
    SHORT,
    draw,
    outlook,
    pair,
    ranked,
)

WORDS = Path(__file__).with_name("words.txt")
WRITTEN = (
    "posterior", "parameters", "parameters-gaussian", "regions-1", "shrinkage-60", "pairs-2",
    "pairs-65", "simplex", "forest-1", "boxplot-1", "ropes", "outlook-3", "wealths",
)  # fmt: skip


def test_every_word_is_as_it_was_last_read() -> None:
    """To accept a change, look at it, run with BCOMPARE_UPDATE_GOLDEN=1, and read the diff."""
    # behind the file's own three
    lines = (f"{name}: {' | '.join(words_of(draw(name))[3:])}\n" for name in WRITTEN)
    shown = "".join(lines)
    assert shown == golden(WORDS, shown)
    assert "-0" not in shown  # but a true minus


def test_where_lower_is_better_the_axis_says_which_is_subtracted() -> None:
    study = pair(SHORT, ROPES[0], test="ttest", lower_is_better=True)
    assert "mean difference nbc − aode" in words_of(draw_result(study))


@pytest.mark.parametrize("style", ["screen", "paper"])
def test_the_panels_of_parameters_stand_side_by_side_in_a_column(style: str) -> None:
    figure = draw("parameters", sheet=Sheet.of("column", style))
    assert len({axes.get_position().y0 for axes in figure.axes[1:]}) == 1


@pytest.mark.parametrize("picture", ["regret", "family"])
def test_pictures_of_a_family_have_the_headings_and_numbers_of_its_table(picture: str) -> None:
    family = ranked(SHORT, ROPES[0], rows=12)
    words = words_of(draw_result(family, picture))
    tables = build_family_report(family, top=0, details=True).tables
    (table,) = (t for t in tables if "p(best)" in [column.header for column in t.columns])
    headings = ["p(best on average)"] if picture == "regret" else ["p(best)", "p(within rope)"]
    numbers: list[str] = []
    for at, column in enumerate(table.columns):
        if column.header in headings:
            assert set(column.header.split()) <= {*" ".join(words).split()}
            numbers += [texts[at] for texts, _ in table.texts()]
    assert len(numbers) == 12 * len(headings)
    # the prior's data set, on which all twelve tie, leaves the last one a chance there
    assert picture == "regret" or "<0.001" not in numbers
    shown = [word for word in words if re.fullmatch(r"[<>]?[01]\.\d{3}", word)]
    assert sorted(shown) == sorted(numbers)


def test_differences_from_the_leader_are_those_of_the_table() -> None:
    """Observed ones, with the table's intervals; higher is better."""
    family = ranked(SHORT, ROPES[0], rows=12)
    best, lead = family.best, family.best.leader
    others = [k for k in best.order if k != lead]
    axes = draw_result(family, "against").axes[0]
    (points,) = [line for line in axes.lines if line.get_marker() == "o"]
    drawn = np.asarray(points.get_xdata(), dtype=np.float64)
    expected = [float(np.mean(family.means[:, k] - family.means[:, lead])) for k in others]
    np.testing.assert_allclose(drawn, expected)
    assert not np.allclose(drawn, -best.loss[others])


@pytest.mark.parametrize("q", [1, 5])
def test_the_chance_of_being_best_says_that_it_is_of_the_next_data_set(q: int) -> None:
    rng = np.random.default_rng(q)
    tables = {f"set-{i}": rng.normal([0.7, 0.75], 0.02, (10, 2)) for i in range(q)}
    family = rank(scores_from(tables), options=Best(draws=200))
    words = " ".join(words_of(draw_result(family, "family")))
    assert ("on the next data set like these 5" in words) == (q > 1)
    assert ("on set-0" in words) == (q == 1)


def test_without_a_rope_no_picture_speaks_of_equivalence() -> None:
    for name in ("posterior", "forest-1", "regions-1", "parameters"):
        words = words_of(draw(name, SHORT, ROPES[2]))
        assert any("better" in word for word in words)
        assert not any("equivalent" in word for word in words)


def test_a_plan_that_never_decides_says_so() -> None:
    never = outlook(SHORT, ROPES[0], probability=0.0002)
    assert "undecided throughout" in words_of(draw_result(never))
    assert "undecided throughout" not in words_of(draw("outlook-3"))


def test_the_lines_of_ropes_stand_in_the_legend_as_they_are_drawn() -> None:
    figure = draw("ropes")

    def looks(lines: Iterable[Line2D]) -> set[tuple[object, ...]]:
        return {(line.get_marker(), line.get_linestyle(), line.get_color()) for line in lines}

    drawn = looks(figure.axes[0].lines)
    assert len(drawn) == 4
    assert looks(line for line in figure.artists if isinstance(line, Line2D)) == drawn


@pytest.mark.parametrize("name", ["forest-1", "densities-1", "boxplot-1", "shrinkage-2"])
def test_a_character_of_a_marker_stands_in_the_legend_only_where_it_is_drawn(name: str) -> None:
    figure = draw(name)
    drawn = {line.get_marker() for line in figure.axes[0].lines if np.size(line.get_xdata())}
    explained = {
        marker for character, marker in (("◀", "<"), ("▶", ">")) if character in words_of(figure)
    }
    assert explained == drawn & {"<", ">"}
    directed = {"←", "→"} <= {*words_of(figure)}
    assert directed == (name in ("forest-1", "densities-1", "boxplot-1"))


@pytest.mark.parametrize(
    ("name", "kind"), [("regions-1", "svg"), ("posterior", "png"), ("simplex", "pdf")]
)
def test_the_same_picture_is_the_same_file(name: str, kind: str) -> None:
    assert picture(draw(name), kind) == picture(draw(name), kind)


def test_the_users_settings_are_neither_used_nor_changed() -> None:
    import matplotlib as mpl

    plain = picture(draw("posterior"), "svg")
    with mpl.rc_context({"font.size": 30.0, "lines.linewidth": 9.0, "svg.hashsalt": "other"}):
        assert (picture(draw("posterior"), "svg"), mpl.rcParams["font.size"]) == (plain, 30.0)
        assert mpl.rcParams["svg.hashsalt"] == "other"


@pytest.mark.parametrize(("style", "pixels"), [("screen", 150), ("paper", 300)])
def test_a_png_has_the_pixels_that_its_style_asks_for(style: str, pixels: int) -> None:
    file = picture(draw("posterior", sheet=Sheet.of("column", style)), "png")
    assert struct.unpack(">I", file[16:20]) == (3.5 * pixels,)
    across, down, unit = struct.unpack(">IIB", file[file.index(b"pHYs") + 4 :][:9])
    assert (across, down, unit) == (round(pixels / 0.0254), round(pixels / 0.0254), 1)  # a metre


def test_characters_without_a_glyph_are_told(tmp_path: Path) -> None:
    figure = draw("posterior")
    figure.text(0.5, 0.5, "日本")
    (note,) = save(figure, tmp_path / "x.png")
    assert note.code == "glyphs"
    assert "no glyphs for 日本" in note.text
    assert save(figure, tmp_path / "x.svg") == ()


def test_a_folder_that_does_not_exist_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot be written: No such file"):
        save(draw("posterior"), tmp_path / "nowhere" / "picture.svg")


def test_without_matplotlib_the_message_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(ComputationError, match=r"pip install '\.\[plot\]' \(in a copy"):
        draw("posterior")
