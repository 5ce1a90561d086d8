"""The self-check: clean where rows are what they are taken for, and not where they are not."""

import json
from collections.abc import Sequence
from itertools import combinations, permutations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from bcompare.data.rope import Rope
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import FOLD
from bcompare.gating.judge import gate
from bcompare.gating.self_check import Halves, self_check
from bcompare.methods.correlated_t import CorrelatedT
from tests.command import run
from tests.examples import scores_from
from tests.results import write_lines


def answers(
    path: Path, names: Sequence[str], count: int, drift: float, seed: int, head: str = "classifier"
) -> Path:
    """Answers to the same items, several times; each time off by its own amount."""
    rng = np.random.default_rng(seed)
    level = rng.normal(0.7, 0.1, count)
    lines = [f"item,{head},score"]
    for name in names:
        scores = level + rng.normal(0, drift) + rng.normal(0, 0.05, count)
        lines += [f"{i},{name},{score:.4f}" for i, score in enumerate(scores)]
    return write_lines(path, *lines)


def items(path: Path, runs: int, drift: float) -> Path:
    """Runs of one model, each with a name."""
    return answers(path, [f"main-{k}" for k in range(runs)], 200, drift, 2)


def check(path: Path, *options: str, baseline: str = "main-0") -> tuple[int, dict[str, Any]]:
    rope = () if "--rope" in options else ("--rope", "0.01")
    result = run("self-check", path, "--baseline", baseline, *rope, "--format", "json", *options)
    document = json.loads(result.out)
    assert document["passed"] is (result.code == 0)
    return result.code, document["self_check"]


def test_halves_of_items_cry_as_often_as_promised_without_a_rope(tmp_path: Path) -> None:
    path = items(tmp_path / "r.csv", 2, 0.0)
    code, result = check(path, "--col", "item=item", "--rope", "0")
    assert code == 0
    for side in ("worse", "better"):  # 1,000 splits of the same items: ± 0.007
        assert result[side] == pytest.approx(0.05, abs=4 * 0.007)


def test_runs_that_drift_are_found_out(tmp_path: Path) -> None:
    names = [option for k in range(1, 6) for option in ("--candidate", f"main-{k}")]
    options = ("--col", "item=item", *names)
    assert check(items(tmp_path / "r.csv", 6, 0.0), *options)[0] == 0
    code, result = check(items(tmp_path / "r.csv", 6, 0.05), *options)
    assert code == 4
    assert result["worse"] == result["better"] > 0.1  # every pair is judged in both directions
    assert result["splits"] == 30


@pytest.mark.parametrize("rope", [Rope(-0.001, 0.03), Rope.symmetric(0.01)])
def test_runs_are_judged_in_both_directions(rope: Rope) -> None:
    level = 0.7 + np.linspace(0, 0.05, 4)
    rng = np.random.default_rng(1)
    tables = {f"d{i}": level + rng.normal(0, 0.004, (10, 4)) for i in range(20)}
    scores = scores_from(tables, names := tuple("abcd"))
    result = self_check(
        scores, baseline=names[0], candidate=names[1:], rope=rope, test="sign", over="next"
    )
    verdicts = [
        gate(scores, baseline=one, candidate=other, rope=rope, test="sign", over="next")
        for one, other in permutations(names, 2)
    ]
    assert result.worse == np.mean([verdict.outcome == "fail" for verdict in verdicts]) > 0


def test_splits_are_halves_of_whole_runs() -> None:
    table = np.arange(8.0).reshape(4, 2) ** 2  # 4 runs of 2 folds
    drawn = Halves((table,), np.array([0.5]), FOLD)(500, np.random.default_rng(1))
    means = {round(float(m), 9) for m in drawn.mean[:, 0]}
    sums = table.sum(axis=1)
    expected = {
        round(float(sums[list(a)].sum() - sums[list({0, 1, 2, 3} - set(a))].sum()) / 4, 9)
        for a in [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3)]
    }
    assert means == expected
    assert (drawn.n == 4).all()


def test_what_halves_say_is_what_the_test_says_of_their_differences() -> None:
    table = np.random.default_rng(3).normal(0.7, 0.05, (6, 5))
    drawn = Halves((table,), np.array([0.2]), FOLD)(1, np.random.default_rng(4)).flat()
    order = np.random.default_rng(4).permutation(6)
    differences = (table[order[3:]] - table[order[:3]]).ravel()
    direct = SufficientStatistics.from_differences([differences], 0.2)
    test = CorrelatedT()
    ours, theirs = (test.test(each, Rope.of(0.01)).probabilities for each in (drawn, direct))
    assert [*ours] == [*theirs]


def epochs(path: Path, models: int, drift: float) -> Path:
    """Eight epochs of each model."""
    names = [f"{e},m{m}" for m in range(models) for e in range(8)]
    return answers(path, names, 100, drift, 5, head="epoch,classifier")


EPOCHS = ("--col", "item=item", "--col", "epoch=epoch")


@pytest.mark.parametrize("models", [1, 2])
def test_epochs_are_runs_over_the_same_items(tmp_path: Path, models: int) -> None:
    """Split as wholes, so that what an epoch has in common is seen; a lone baseline is enough."""
    code, result = check(epochs(tmp_path / "r.csv", models, 0.0), *EPOCHS, baseline="m0")
    assert (code, result["of"], result["repeated"]) == (0, "halves of its epochs", True)
    assert result["distinct"] == 35  # of eight epochs, four and four
    code, result = check(epochs(tmp_path / "r.csv", models, 0.05), *EPOCHS, baseline="m0")
    assert code == 4
    assert result["worse"] > 0.1


def test_healthy_baselines_of_four_runs_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """Three different splits are three cases, however often they are drawn."""
    monkeypatch.setattr("bcompare.gating.self_check.MOST_SPLITS", 100)
    rng = np.random.default_rng(1)
    failed = 0
    for _ in range(15):
        # runs vary so much that the corrected t-test of two against two is right
        runs = np.sqrt(0.246) * rng.standard_normal((4, 1))
        table = 0.7 + 0.02 * (runs + np.sqrt(0.754) * rng.standard_normal((4, 10)))
        scores = scores_from({"d": table.reshape(-1, 1)}, ("main",), runs=4)
        result = self_check(scores, rope=0.0, test=CorrelatedT())
        assert result.distinct == 3
        failed += not result.passed
    assert failed <= 2


@pytest.mark.parametrize("groups", [2, 3, 4, 5, 6])
def test_different_splits_are_counted(groups: int) -> None:
    half = groups // 2
    chosen = [
        frozenset((one, other))
        for one in combinations(range(groups), half)
        for other in combinations(range(groups), half)
        if not set(one) & set(other)
    ]
    assert Halves((np.zeros((groups, 3)),), np.array([0.1]), FOLD).distinct == len(set(chosen))


@pytest.mark.parametrize("alpha", [0.01, 0.05, 0.5])
@pytest.mark.parametrize("runs", [4, 10, 30])
def test_what_chance_may_do_is_the_binomial_quantile(alpha: float, runs: int) -> None:
    rng = np.random.default_rng(runs)
    table = 0.7 + 0.02 * rng.standard_normal((runs, 10))
    names = tuple(f"run {k}" for k in range(runs))
    scores = scores_from({"d": table.T}, names)
    result = self_check(scores, baseline=names[0], candidate=names[1:], alpha=alpha)
    cases = runs * (runs - 1) // 2
    share = stats.binom.ppf(0.98, cases, min(2 * alpha, 1)) / cases  # in either direction
    assert (result.splits, result.tolerated) == pytest.approx((2 * cases, share / 2))


@pytest.mark.parametrize(("runs", "outcome"), [(2, "undecided"), (3, "fail"), (4, "fail")])
def test_runs_that_all_differ_never_pass(runs: int, outcome: str) -> None:
    """Of two runs even the only case could be chance; three that all differ are too many."""
    rng = np.random.default_rng(runs)
    table = np.linspace(0.6, 0.9, runs) + 0.02 * rng.standard_normal((20, runs))
    names = tuple(f"run {k}" for k in range(runs))
    result = self_check(
        scores_from({"d": table}, names), baseline=names[0], candidate=names[1:], undecided="fail"
    )
    assert ((result.worse, result.better), result.outcome) == ((0.5, 0.5), outcome)
    assert result.exit_code == {"undecided": 5, "fail": 4}[outcome]
