"""What is written in the pictures."""

import re

import numpy as np
import pytest

from bcompare.data.rope import RegionProbabilities
from bcompare.planning.cases import Amount
from bcompare.planning.outlook import Prospect
from bcompare.plots.look import Pair
from bcompare.plots.outlook import draw_outlook
from bcompare.plots.posterior import draw_posterior
from bcompare.plots.regions import draw_regions
from tests.plots.layout import words_of
from tests.plots.pictures import (
    PICTURES,
    ROPES,
    SCREEN,
    SHORT,
    curve,
    dataset_names,
    forest,
    hierarchical,
    pairs,
    posterior,
    shrinkage,
    student_regions,
)

pytestmark = pytest.mark.slow


def test_posterior_writes_probabilities_mean_and_interval() -> None:
    words = words_of(posterior(SHORT, ROPES[0], SCREEN))
    expected = student_regions(ROPES[0])
    for p in (expected.left, expected.rope, expected.right):
        assert f"{p:.3f}" in words
    assert f"nbc better: {expected.left:.3f}" in words
    assert f"equivalent, from −0.01 to 0.01: {expected.rope:.3f}" in words
    assert f"aode better: {expected.right:.3f}" in words
    assert "mean difference aode − nbc" in words
    assert "mean 0.0050, 95 % interval −0.0150 to 0.0250" in words


def test_where_lower_is_better_the_axis_says_which_is_subtracted() -> None:
    pair = Pair("nbc", "aode", lower_is_better=True)
    figure = draw_posterior(pair, "set", curve(), ROPES[0], student_regions(ROPES[0]), SCREEN)
    assert "mean difference nbc − aode" in words_of(figure)


def test_hierarchical_writes_both_kinds_of_probability_and_the_parameters() -> None:
    words = words_of(hierarchical(with_nu=True)(SHORT, ROPES[0], SCREEN))
    assert {"nbc better: 0.100", "aode better: 0.700"} <= set(words)
    theta = student_regions(ROPES[0])
    assert {f"{theta.left:.3f}", f"{theta.rope:.3f}", f"{theta.right:.3f}"} <= set(words)
    assert {"centre δ₀", "scale σ₀", "degrees of freedom ν", "14.0 to 26.0"} <= set(words)
    assert "degrees of freedom ν" not in words_of(
        hierarchical(with_nu=False)(SHORT, ROPES[0], SCREEN)
    )


def test_regions_writes_every_probability_that_has_room() -> None:
    answer = RegionProbabilities(np.array([0.85, 0.0]), np.array([0.1, 0.0]), np.array([0.05, 1.0]))
    figure = draw_regions("All pairs", [("a", "b"), ("a", "c")], answer, ROPES[0], SCREEN)
    words = words_of(figure)
    assert {"0.850", "0.100", "1.000"} <= set(words)
    assert not {"0.050", "0.000"} & set(words)
    assert words.count("a") == 2
    assert {"b", "c", "left better", "right better", "equivalent, from −0.01 to 0.01"} <= set(words)


def test_forest_has_one_row_a_data_set_in_the_order_given() -> None:
    words = words_of(forest(30)(SHORT, ROPES[0], SCREEN))
    rows = [word for word in words if word in dataset_names(SHORT, 30)]
    assert rows == dataset_names(SHORT, 30)


def test_without_a_rope_no_picture_speaks_of_equivalence() -> None:
    for name in ("posterior", "forest-1", "regions-1", "hierarchical"):
        words = words_of(PICTURES[name](SHORT, ROPES[2], SCREEN))
        assert any("better" in word for word in words)
        assert not any("equivalent" in word for word in words)


def test_shrinkage_marks_every_verdict_and_counts_it() -> None:
    words = words_of(shrinkage(10)(SHORT, ROPES[0], SCREEN))
    assert {"nbc better: 3 data sets", "aode better: 2 data sets"} <= set(words)
    assert {"equivalent: 3 data sets", "undecided: 2 data sets"} <= set(words)


def test_a_plan_that_never_decides_says_so() -> None:
    never = [Prospect(Amount("runs", n), 0.0, 0.001, 0.002, 0.997, 0.01) for n in (10, 20, 50)]
    assert "undecided throughout" in words_of(draw_outlook("a", "b", never, SCREEN))
    assert "undecided throughout" not in words_of(PICTURES["outlook-3"](SHORT, ROPES[0], SCREEN))


def test_pairs_writes_numbers_while_there_is_room() -> None:
    assert "0.750" in words_of(pairs(2)(SHORT, ROPES[0], SCREEN))
    assert "0.750" not in words_of(pairs(30)(SHORT, ROPES[0], SCREEN))


def test_a_name_is_no_formula() -> None:
    words = words_of(posterior(("$x^2$", "a_b & <c>"), ROPES[0], SCREEN))
    assert "mean difference a_b & <c> − $x^2$" in words


@pytest.mark.parametrize("name", ["posterior", "forest-1", "boxplot-1", "simplex", "hierarchical"])
def test_negative_numbers_have_a_true_minus(name: str) -> None:
    words = words_of(PICTURES[name](SHORT, ROPES[0], SCREEN))
    assert any("−0.01" in word for word in words)
    assert not any(re.search(r"-\d", word) for word in words)


@pytest.mark.parametrize("name", ["forest-1", "densities-1", "boxplot-1", "shrinkage-1", "ropes"])
def test_a_character_of_a_marker_stands_in_the_legend_only_where_it_is_drawn(name: str) -> None:
    figure = PICTURES[name](SHORT, ROPES[0], SCREEN)
    drawn = {line.get_marker() for line in figure.axes[0].lines if np.size(line.get_xdata())}
    said = {
        marker for character, marker in (("◀", "<"), ("▶", ">")) if character in words_of(figure)
    }
    assert said == drawn & {"<", ">"}
    directed = {"←", "→"} <= {*words_of(figure)}
    assert directed == (name in ("forest-1", "densities-1", "boxplot-1"))
