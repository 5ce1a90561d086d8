"""Plans: power against closed forms, and more items or more epochs against simulations."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import norm

import bcompare
from bcompare.data.rope import FloatArray, Rope
from bcompare.methods.correlated_t import CorrelatedT
from bcompare.planning.predictive import Components, NewComparison
from bcompare.reading.grid import by_cluster
from bcompare.report.plan import share
from tests.command import Outcome, run
from tests.results import small_csv, write_lines

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


@pytest.mark.slow
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
    assert outlooks[0]["floor"] > 0


def test_shares_say_how_far_the_simulation_can_tell() -> None:
    assert [share(x, 60) for x in (0.0, 1 / 60, 0.5, 1.0)] == ["<0.02", "0.02", "0.50", ">0.98"]
    assert [share(x, 500) for x in (0.0, 0.002, 0.01, 1.0)] == ["<0.01", "<0.01", "0.01", ">0.99"]
    assert [share(x, 5000) for x in (0.0, 0.0002, 0.5, 1.0)] == [
        "<0.001",
        "<0.001",
        "0.500",
        ">0.999",
    ]


MODELS = ("base", "tuned")
COLUMNS = ("--col", "item=item", "--col", "epoch=epoch", "--col", "classifier=model")


def one_way(
    shape: tuple[int, int], between: float, within: float, rng: np.random.Generator
) -> FloatArray:
    """(rows, epochs) differences around 0.02, by standard deviations."""
    level = 0.02 + between * rng.standard_normal((shape[0], 1))
    return np.asarray(level + within * rng.standard_normal(shape))


def rows_of(differences: FloatArray, rng: np.random.Generator, per: int = 1) -> pd.DataFrame:
    """Scores of two models that differ so, a row an answer; `per` items a passage."""
    items, epochs = differences.shape
    ease = rng.normal(0.5, 0.1, (items, epochs))
    keys = {
        "item": np.repeat(np.arange(items), epochs),
        "epoch": np.tile(np.arange(epochs), items),
        "passage": np.repeat(np.arange(items) // per, epochs),
    }
    return pd.concat(
        [
            pd.DataFrame({**keys, "model": model, "score": scores.ravel()})
            for model, scores in zip(MODELS, (ease, ease + differences), strict=True)
        ]
    )


@pytest.mark.parametrize("missing", [0.0, 0.3], ids=["balanced", "some epochs missing"])
def test_the_variances_are_unbiased(missing: float) -> None:
    rng = np.random.default_rng(1)
    result = []
    for _ in range(3000):
        table = one_way((12, 4), 0.3, 0.4, rng)
        table[rng.random(table.shape) < missing] = np.nan
        result.append(Components.of(table[~np.isnan(table).all(axis=1)], 12, binary=False))
    # before 0 cuts it off
    between = np.array([c.variance - c.share * c.within for c in result])
    within = np.array([c.within for c in result])
    for values, truth in ((between, 0.3**2), (within, 0.4**2)):
        assert values.mean() == pytest.approx(truth, abs=4 * values.std() / np.sqrt(len(values)))
    assert min(c.between for c in result) == 0 > between.min()


def test_of_clusters_the_variance_is_that_of_their_rows() -> None:
    """Passages of unequal sizes: the stated error of a new comparison is the one that it has."""
    rng = np.random.default_rng(2)
    cluster = np.repeat(np.arange(40), rng.integers(2, 8, 40))
    means, stated = [], []
    for _ in range(1500):
        level = (0.2 * rng.standard_normal(40))[cluster]
        table = level[:, None] + one_way((len(cluster), 3), 0.3, 0.5, rng)
        components = Components.of(by_cluster(table, cluster), len(cluster), binary=False)
        means.append(table[:, :2].mean())  # a comparison of the same size, in 2 epochs
        stated.append(components.error(len(cluster), 2) ** 2)
    assert np.mean(stated) == pytest.approx(np.var(means), rel=0.15)


def verdicts_of(answers: pd.DataFrame, rope: float) -> FloatArray:
    """Shares of left, rope and right over data sets: the test itself, on single answers."""
    scores = bcompare.from_items(
        answers,
        "item",
        epoch="epoch",
        dataset_col="dataset",
        classifier_col="model",
        score_col="score",
    )
    study = bcompare.compare(scores, "ttest", rope=rope)
    (comparison,) = study.comparisons
    return np.array(
        [
            np.mean([decision == name for decision in comparison.dataset_decisions])
            for name in ("left", "rope", "right")
        ]
    )


@pytest.mark.slow
@pytest.mark.parametrize(("items", "epochs", "rope"), [(40, 1, 0.01), (40, 6, 0.01), (400, 2, 0.1)])
def test_the_verdicts_are_those_of_simulated_answers(
    items: int, epochs: int, rope: float, tmp_path: Path
) -> None:
    """The second way: truths drawn here, answers one by one, and read and tested as any are."""
    rng = np.random.default_rng(3)
    present = one_way((60, 3), 0.3, 0.4, rng) + 0.06
    path = tmp_path / "answers.csv"
    rows_of(present, rng).to_csv(path, index=False)
    repeated = bcompare.read_repeated(
        path, item_col="item", epoch_col="epoch", classifier_col="model"
    )
    plan = bcompare.plan_epochs(repeated, items=[items], epochs=[epochs], rope=rope, seed=4)
    (prospect,) = plan.outlooks[0].prospects
    replicates, means = 500, present.mean(axis=1)
    frames = []
    for replicate in range(replicates):
        variance = means.var(ddof=1) * 59 / rng.chisquare(59)
        truth = rng.normal(means.mean(), np.sqrt(variance / 60))
        within = ((present - means[:, None]) ** 2).sum() / rng.chisquare(120)
        between = max(variance - within / 3, 0.0)
        drawn = one_way((items, epochs), np.sqrt(between), np.sqrt(within), rng) - 0.02 + truth
        frames.append(rows_of(drawn, rng).assign(dataset=str(replicate)))
    result = verdicts_of(pd.concat(frames), rope)
    stated = np.array([prospect.left, prospect.rope, prospect.right])
    error = np.sqrt(np.maximum(stated * (1 - stated), 0.002) / replicates)
    assert (abs(result - stated) < 4 * error).all(), (result, stated)
    assert 0.1 < stated.sum() < 0.95  # else it would show nothing


@pytest.mark.slow
@pytest.mark.parametrize(("items", "epochs"), [(60, 1), (60, 5)])
def test_of_right_and_wrong_answers_too(items: int, epochs: int) -> None:
    """Of so many present answers that the truth is known: what a new comparison then decides."""
    rng = np.random.default_rng(5)

    def answers(count: int, asked: int) -> tuple[FloatArray, ...]:
        ease = rng.normal(0.5, 1.5, count)
        strengths = rng.normal((0.0, 0.7), 0.8, (count, 2)).T
        shares = [1 / (1 + np.exp(-(ease + strength))) for strength in strengths]
        return tuple((rng.random((count, asked)) < p[:, None]).astype(float) for p in shares)

    left, right = answers(100_000, 4)
    components = Components.of(right - left, 100_000, binary=True)
    drawn = NewComparison(components, items, epochs)(20_000, rng)
    p = CorrelatedT(interval_levels=()).test_simulated(drawn, Rope.of(0.01))
    stated = (p > 0.95).mean(axis=1)
    assert drawn.binary.all() == (epochs == 1)
    frames = []
    for replicate in range(500):
        left, right = answers(items, epochs)
        keys = {
            "item": np.repeat(np.arange(items), epochs),
            "epoch": np.tile(np.arange(epochs), items),
            "dataset": str(replicate),
        }
        frames += [
            pd.DataFrame({**keys, "model": model, "score": scores.ravel()})
            for model, scores in zip(MODELS, (left, right), strict=True)
        ]
    result = verdicts_of(pd.concat(frames), 0.01)
    error = np.sqrt(np.maximum(stated * (1 - stated), 0.002) / 500)
    assert (abs(result - stated) < 4 * error).all(), (result, stated)
    assert 0.1 < stated[2] < 0.95


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    """100 items in 20 passages, 4 epochs."""
    rng = np.random.default_rng(6)
    table = one_way((20, 1), 0.1, 0.0, rng).repeat(5, axis=0) + one_way((100, 4), 0.2, 0.4, rng)
    path = tmp_path / "answers.csv"
    rows_of(table, rng, per=5).to_csv(path, index=False)
    return path


def ask(path: Path, *options: str) -> Outcome:
    return run("plan-epochs", path, *COLUMNS, "--replicates", "200", *options)


def outlook_of(path: Path, *options: str) -> Any:
    (outlook,) = json.loads(ask(path, *options, "--format", "json").out)["outlooks"]
    return outlook


def test_the_best_combination_is_within_the_budget(answers: Path) -> None:
    options = ("--items", "200,1000", "--epochs", "1,5")
    outlook = outlook_of(answers, *options, "--answers", "1000")
    sizes = [(p["count"], p["epochs"]) for p in outlook["prospects"]]
    assert sizes == [(200, 1), (1000, 1), (200, 5), (1000, 5)]
    assert (outlook["best"]["count"], outlook["best"]["epochs"]) == (1000, 1)
    outlook = outlook_of(answers, *options)
    decided = [p for p in outlook["prospects"] if 1 - p["undecided"] >= 0.8]
    fewest = min(p["count"] * p["epochs"] for p in decided)
    assert outlook["best"]["count"] * outlook["best"]["epochs"] == fewest
    none = ask(answers, "--items", "200", "--epochs", "1,5", "--answers", "150")
    assert "No combination within 150 answers" in none.out


def test_without_items_the_answers_are_shared_out(answers: Path) -> None:
    for more, counts in (((), [100, 100, 100]), (("--answers", "900"), [900, 300, 90])):
        outlook = outlook_of(answers, "--epochs", "1,3,10", *more)
        assert [p["count"] for p in outlook["prospects"]] == counts


def test_clusters_are_the_rows_of_a_new_comparison(answers: Path) -> None:
    options = ("--col", "cluster=passage", "--items", "200", "--epochs", "2")
    outlook = outlook_of(answers, *options)
    table = pd.read_csv(answers).pivot_table("score", ["passage", "epoch"], "model")
    cells = (table["tuned"] - table["base"]).unstack()
    within = cells.var(axis=1).mean()
    expected = {
        "rows": 20,
        "items": 100,
        "within": within,
        "between": cells.mean(axis=1).var() - within / 4,
    }
    assert outlook["components"] == pytest.approx(expected)
    assert "between clusters of items" in ask(answers, *options).out


def test_the_scores_unit_and_direction_are_kept(answers: Path, tmp_path: Path) -> None:
    turned = tmp_path / "turned.csv"
    pd.read_csv(answers).assign(score=lambda rows: -100 * rows["score"]).to_csv(turned, index=False)
    sizes = ("--items", "200", "--epochs", "2")
    one = outlook_of(answers, *sizes)
    other = outlook_of(turned, *sizes, "--lower-is-better", "--scale", "percent")
    assert other["components"] == pytest.approx(one["components"])
    assert other["prospects"] == one["prospects"]


def test_a_pair_has_the_same_plan_whatever_else_is_asked(tmp_path: Path) -> None:
    path = small_csv(tmp_path / "results.csv", {"a": 0.0, "b": 0.02, "c": -0.01}, SETS)
    scores, pairs = bcompare.read_scores(path), [("a", "b"), ("a", "c")]
    both = bcompare.plan(scores, pairs=pairs, test="sign", replicates=100)
    alone = bcompare.plan(scores, pairs=pairs[1:], test="sign", replicates=100)
    assert alone.outlooks[0].prospects == both.outlooks[1].prospects


def test_clusters_are_planned_as_clusters(tmp_path: Path) -> None:
    """Their number is what the simulations vary; items would be several times as many."""
    rng = np.random.default_rng(3)
    rows = [
        f"{i},{i // 5},{name},{0.5 + gain + rng.normal(0, 0.1):.4f}"
        for i in range(60)
        for name, gain in (("a", 0.0), ("b", -0.02))
    ]
    write_lines(tmp_path / "r.csv", "item,passage,classifier,score", *rows)
    columns = ("r.csv", "--col", "item=item", "--col", "cluster=passage")
    planned = run("plan", *columns, "--replicates", "50", folder=tmp_path).out
    assert "with 1 data set and 12 clusters" in planned
    assert " clusters " in planned.splitlines()[5]
    ranked = run("rank", *columns, folder=tmp_path).out
    assert "60 items · 12 clusters" in ranked
