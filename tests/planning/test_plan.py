"""Plans: power against closed forms."""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import norm

import bcompare
from bcompare.methods import load_method
from bcompare.planning.report import build_plan_report, share
from bcompare.planning.simulation import usual_replicates
from tests.command import run
from tests.results import small_csv

SETS = tuple(f"set-{i}" for i in range(6))


@pytest.mark.parametrize("items", [500, 2000, 10_000])
def test_power_for_items_is_that_of_the_normal_distribution(items: int) -> None:
    result = bcompare.power(0.02, 0.4, items=[items], replicates=20_000)
    (design,) = result.designs
    error = 0.4 / np.sqrt(items)
    z = norm.ppf(0.95)
    expected = norm.cdf((0.02 - 0.01) / error - z)
    assert design.prospect.right == pytest.approx(expected, abs=4 * design.prospect.error + 2e-3)
    smallest = 0.01 + (z + norm.ppf(0.8)) * error
    assert design.smallest == pytest.approx(smallest, rel=0.03)


def test_a_plan_over_data_sets_and_runs(tmp_path: Path) -> None:
    path = small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.02}, SETS)
    result = bcompare.plan(bcompare.read_scores(path), test="sign", replicates=200)
    (outlook,) = result.outlooks
    by_kind = {p.amount.of for p in outlook.prospects}
    assert by_kind == {"data sets", "runs"}
    for p in outlook.prospects:
        assert p.left + p.rope + p.right + p.undecided == pytest.approx(1)
        assert 0 < p.error <= 0.5 / np.sqrt(200)
    sets = [p for p in outlook.prospects if p.amount.of == "data sets"]
    assert [p.amount.count for p in sets] == [9, 12, 18, 30, 60]
    assert sets[-1].undecided < sets[0].undecided
    assert bcompare.document(result)["command"] == "plan"


def test_each_data_set_has_its_outlook_under_ttest(tmp_path: Path) -> None:
    path = small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.02}, SETS)
    result = run("plan", path, "--test", "ttest", "--format", "json", "--replicates", "50")
    assert result.code == 0
    outlooks = json.loads(result.out)["outlooks"]
    assert [o["dataset"] for o in outlooks] == list(SETS)
    assert outlooks[0]["prospects"][-1]["count"] is None  # as many runs as one likes


@pytest.mark.parametrize(
    ("test", "datasets", "count"), [("hier", 3, 1000), ("hier", 200, 1000), ("sign", 25, 1000)]
)
def test_a_plan_takes_a_thousand_simulations_where_they_take_seconds(
    test: str, datasets: int, count: int
) -> None:
    assert usual_replicates(load_method(test)(), datasets) == count


def test_the_plan_of_hier_is_in_thousandths_and_says_so(tmp_path: Path) -> None:
    path = small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.02}, SETS)
    result = bcompare.plan(bcompare.read_scores(path), test="hier")
    assert result.replicates == 1000
    assert "1,000 simulations, seed 0" in build_plan_report(result).settings
    (outlook,) = result.outlooks
    sets = [p for p in outlook.prospects if p.amount.of == "data sets"]
    for before, after in pairwise(sets):
        assert after.undecided <= before.undecided + 3 * before.error


def test_shares_say_how_far_the_simulation_can_tell() -> None:
    assert [share(x, 60) for x in (0.0, 1 / 60, 0.5, 1.0)] == ["<0.02", "0.02", "0.50", ">0.98"]
    assert [share(x, 500) for x in (0.0, 0.002, 0.01, 1.0)] == ["<0.01", "<0.01", "0.01", ">0.99"]
    assert [share(x, 5000) for x in (0.0, 0.0002, 0.5, 1.0)] == [
        "<0.001",
        "<0.001",
        "0.500",
        ">0.999",
    ]


def test_a_pair_has_the_same_plan_whatever_else_is_asked(tmp_path: Path) -> None:
    path = small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.02, "c": -0.01}, SETS)
    scores, pairs = bcompare.read_scores(path), [("a", "b"), ("a", "c")]
    both = bcompare.plan(scores, pairs=pairs, test="sign", replicates=100)
    alone = bcompare.plan(scores, pairs=pairs[1:], test="sign", replicates=100)
    assert alone.outlooks[0].prospects == both.outlooks[1].prospects
