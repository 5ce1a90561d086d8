"""What would settle an undecided gate: the line it prints is checked by simulating just that."""

import re
from pathlib import Path

import numpy as np
import pytest

import bcompare
from bcompare.data.rope import RegionProbabilities, Rope
from bcompare.data.scores import Scores
from bcompare.gating.settle import ENOUGH, with_settle
from bcompare.gating.verdict import Gate, gate
from bcompare.methods.correlated_t import CorrelatedT
from bcompare.planning.predictive import more_scores
from bcompare.planning.simulation import probabilities
from tests.results import small_csv, write_lines

SETS = tuple(f"set-{i}" for i in range(6))


def graded(path: Path, mean: float, items: int = 150) -> Scores:
    """Items scored by main, and by a candidate that is better by about this mean."""
    rng = np.random.default_rng(4)
    gain = rng.normal(0, 0.1, items)
    gain += mean - gain.mean()
    rows = [f"{i},{name},{0.5 + g:.5f}" for i, one in enumerate(gain)
            for name, g in (("main", 0.0), ("pr", one))]  # fmt: skip
    return bcompare.read_scores(write_lines(path, "item,classifier,score", *rows), item_col="item")


def settle(found: Gate) -> str:
    (verdict,) = with_settle(found).verdicts
    assert verdict.settle is not None
    return verdict.settle


def test_the_number_of_items_is_right(tmp_path: Path) -> None:
    scores = graded(tmp_path / "r.csv", -0.005)
    result = gate(scores)
    assert result.outcome == "undecided"
    match = re.fullmatch(
        r"about ([\d,]+) more items would tell with probability 0\.8 "
        r"\(± 0\.01\) whether it is worse",
        settle(result),
    )
    assert match is not None
    more = int(match[1].replace(",", ""))
    now = result.study.comparisons[0].differences.statistics
    futures = more_scores(now, 1 + more / 150, 4000, np.random.default_rng(5))
    p = probabilities(CorrelatedT(), Rope.of(0.01), futures)
    settled = [not result.rule.in_doubt(RegionProbabilities(*each)) for each in p.T]
    assert np.mean(settled) == pytest.approx(ENOUGH, abs=0.05)  # "about": between two rungs


def test_more_runs_do_not_help_beyond_the_floor(tmp_path: Path) -> None:
    path = small_csv(tmp_path / "r.csv", {"main": 0.0, "pr": 0.0}, noise=0.05, seed=2)
    result = gate(bcompare.read_scores(path))
    assert result.outcome == "undecided"
    text = settle(result)
    assert text.startswith("no number of runs (they all share their data: ρ) would tell with")


@pytest.mark.slow
def test_more_data_sets_do(tmp_path: Path) -> None:
    path = small_csv(tmp_path / "r.csv", {"main": 0.0, "pr": 0.02}, SETS, noise=0.005)
    result = gate(bcompare.read_scores(path), fail_if="not-better", test="signrank")
    assert result.outcome == "fail"
    assert re.match(r"about \d+ more data sets", settle(result))


def test_what_is_not_in_doubt_has_no_such_line(tmp_path: Path) -> None:
    clear = with_settle(gate(graded(tmp_path / "r.csv", 0.1)))
    assert clear.verdicts[0].settle is None
    tied = write_lines(tmp_path / "t.csv", "fold,classifier,score", *(
        f"{k},{name},{score}" for k in (1, 2, 3) for name, score in (("a", 0.5), ("b", 0.7))
    ))  # fmt: skip
    withheld = with_settle(gate(bcompare.read_scores(tied)))
    assert withheld.outcome == "undecided"
    assert withheld.verdicts[0].settle is None
    silent = gate(graded(tmp_path / "r.csv", -0.005), undecided="pass")
    assert with_settle(silent).verdicts[0].settle is None
