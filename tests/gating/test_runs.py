"""Several whole runs of the baseline: their spread is the error of a comparison."""

import json
import random
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from scipy import stats

import bcompare
from bcompare.data.rope import FloatArray, Rope
from bcompare.data.scores import DatasetScores, Scores
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import SEED
from bcompare.files.sources import runs_in
from bcompare.gating.runs import by_spread_of_both, likeness
from bcompare.gating.verdict import Gate
from bcompare.methods.correction import smallest_of_alike
from tests.command import run
from tests.results import write_lines

TIME = "p50_ms: 5%"


def measured(tables: Mapping[str, FloatArray]) -> Scores:
    """Rows by classifiers (main's runs, then pr's) of each data set, as times."""
    columns = next(iter(tables.values())).shape[1]
    names = (*(f"main/{j}" for j in range(columns - 1)), "pr")
    datasets = tuple(
        DatasetScores(name, -table, np.ones(columns, np.bool_), 1, len(table), 0.0)
        for name, table in tables.items()
    )
    return Scores(names, datasets, lower_is_better=True, unit=SEED)


def judged(scores: Scores, spec: str = TIME, **more: Any) -> Gate:
    runs = {"main": [name for name in scores.classifiers if name.startswith("main/")]}
    return bcompare.gate({spec: scores}, baseline="main", runs=runs, **more)


def drawn(
    rng: np.random.Generator,
    runs: int,
    sets: int = 1,
    change: float = 0.0,
    spread: float = 0.05,
    outliers: float = 0.0,
) -> Scores:
    """Runs that are off as a whole, 15 rows each; outliers : their share."""
    offset = rng.normal(0, spread, runs + 1)
    tables = {}
    for d in range(sets):
        table = np.exp(np.log(20 + 10 * d) + offset + rng.normal(0, 0.02, (15, runs + 1)))
        is_out = rng.random(table.shape) < outliers
        table = np.where(is_out, table * rng.uniform(2, 5, table.shape), table)
        table[:, -1] *= 1 + change
        tables[f"d{d}"] = table
    return measured(tables)


def test_the_error_is_that_of_one_new_run() -> None:
    rng = np.random.default_rng(2)
    offset = np.array([-0.05, 0.03, -0.01, 0.05, 0.01, -0.03, 0.1])  # none far from the others
    scores = measured(
        {f"d{d}": (20 + d) * np.exp(offset + rng.normal(0, 0.005, (9, 7))) for d in range(2)}
    )
    result = judged(scores)
    means = [(-d.table).mean(axis=0) for d in scores.datasets]
    times = [mean / mean[:-1].mean() for mean in means]
    for verdict in result.verdicts:
        x = np.mean(times, axis=0) if verdict.dataset is None else times[int(verdict.dataset[1:])]
        base, new = x[:-1], x[-1]
        # of the candidate less 0.95 or 1.05 times each run of the baseline
        error = base.std(ddof=1) * np.sqrt(1 + 1 / 6)
        low, high = ((new - f * base.mean()) / (f * error) for f in (1.05, 0.95))
        assert verdict.p.left == pytest.approx(stats.t.cdf(low, 5), abs=1e-6)
        assert verdict.p.right == pytest.approx(stats.t.sf(high, 5), abs=1e-6)
    assert result.verdicts[0].datasets == 2
    assert {s.scores.unit for s in result.studies} == {"run"}


def test_several_runs_of_the_candidate_are_averaged() -> None:
    rng = np.random.default_rng(3)
    main, pr = rng.normal(30, 1, 5), rng.normal(31, 1, 3)
    table = np.tile(np.concatenate([main, pr]), (4, 1))
    names = (*(f"main/{j}" for j in range(5)), *(f"pr/{j}" for j in range(3)))
    scores = Scores(
        names,
        (DatasetScores("d", -table, np.ones(8, np.bool_), 1, 4, 0.0),),
        lower_is_better=True,
        unit=SEED,
    )
    runs = {"main": names[:5], "pr": names[5:]}
    (verdict,) = bcompare.gate(scores, baseline="main", runs=runs, rope=0.5).verdicts
    t = (pr.mean() - main.mean() - 0.5) / main.std(ddof=1) / np.sqrt(1 / 5 + 1 / 3)
    assert verdict.p.left == pytest.approx(stats.t.cdf(t, 4), abs=1e-6)


def faster(x: FloatArray, y: FloatArray, factor: float) -> float:
    """How sure it is that times y are below `factor` times x, by the runs of both sides.

    By the baseline's spread alone, or by Welch's test if some of y were slower.
    """
    error = factor * x.std(ddof=1) * np.sqrt(1 / len(x) + 1 / len(y))
    alone = stats.t.cdf((factor * x.mean() - y.mean()) / error, len(x) - 1)
    welch = [0.5]
    for least in np.linspace(y.min(), y.max(), 400):
        slower = np.maximum(y, least)
        sides = [(z.mean(), z.std(ddof=1), len(z)) for z in (factor * x, slower)]
        test = stats.ttest_ind_from_stats(*sides[0], *sides[1], equal_var=False)
        one_sided = float(test.pvalue) / 2
        welch.append(1 - one_sided if test.statistic > 0 else one_sided)
    return min(float(alone), max(welch))


@pytest.mark.parametrize("kind", ["times", "rates", "differences"])
@pytest.mark.parametrize(
    "candidate", [[[30, 30.4, 31.4], [12, 12.3, 12.15]], [[27.4, 28.3, 27.2], [10, 11.4, 11.1]]]
)
def test_each_claim_is_limited_by_the_candidates_own_runs(
    candidate: list[list[float]], kind: str
) -> None:
    main = np.array([[30, 30.4, 29.8, 30.2, 29.6], [12, 12.1, 11.9, 12.05, 11.95]])
    runs_of = np.concatenate([main, candidate], axis=1)
    noise = np.random.default_rng(1).normal(0, 0.005, (2, 15, 8))
    noise -= noise.mean(axis=1, keepdims=True)  # so that the means of runs are these
    names = (*(f"main/{j}" for j in range(5)), *(f"pr/{j}" for j in range(3)))
    sign = 1 if kind == "rates" else -1
    datasets = tuple(
        DatasetScores(f"d{i}", sign * (runs_of[i] + noise[i]), np.ones(8, np.bool_), 1, 15, 0.0)
        for i in range(2)
    )
    scores = Scores(names, datasets, lower_is_better=kind != "rates", unit=SEED)
    runs = {"main": names[:5], "pr": names[5:]}
    if kind == "differences":
        result = bcompare.gate(scores, baseline="main", runs=runs, rope=0.6)
        levels = runs_of
    else:
        spec = TIME if kind == "times" else "rate: higher, 5%"
        result = bcompare.gate({spec: scores}, baseline="main", runs=runs)
        levels = runs_of / main.mean(axis=1, keepdims=True)
    for verdict, values in zip(result.verdicts, [levels.mean(axis=0), *levels], strict=True):
        x = values[:5]
        y = values[5:]
        if kind == "times":
            not_worse, better = faster(x, y, 1.05), faster(x, y, 0.95)
        elif kind == "rates":
            not_worse, better = faster(-x, -y, 0.95), faster(-x, -y, 1.05)
        else:
            not_worse, better = faster(x, y - 0.6, 1.0), faster(x, y + 0.6, 1.0)
        assert 1 - verdict.p.left == pytest.approx(not_worse, abs=1e-3)
        assert verdict.p.right == pytest.approx(better, abs=1e-3)


@pytest.mark.parametrize("correlation", [0.0, 0.6, 0.95])
def test_alike_claims_count_as_fewer(correlation: float) -> None:
    dof, k, count = 5, 7, 100_000
    rng = np.random.default_rng(1)
    runs = np.sqrt(1 - correlation) * rng.standard_normal((count, dof + 1, k))
    runs += np.sqrt(correlation) * rng.standard_normal((count, dof + 1, 1))
    most = (runs.mean(axis=1) / runs.std(axis=1, ddof=1)).max(axis=1) * np.sqrt(dof + 1)
    p = np.array([0.001, 0.01, 0.05, 0.2, 0.5, 0.7, 0.9])
    expected = [(most > stats.t.isf(one, dof)).mean() for one in p]
    adjusted = smallest_of_alike(p, dof, correlation)
    assert adjusted == pytest.approx(expected, abs=0.006)
    if correlation == 0:
        assert adjusted == pytest.approx(1 - (1 - p) ** k, rel=1e-5)


def fails(rng: np.random.Generator, count: int, *how: float) -> float:
    """How often a gate fails, of so many."""
    runs, sets, change, spread = how
    drawn_ones = (drawn(rng, int(runs), int(sets), change, spread) for _ in range(count))
    return sum(judged(scores).outcome == "fail" for scores in drawn_ones) / count


@pytest.mark.parametrize(("runs", "sets", "spread"), [(3, 6, 0.02), (10, 1, 0.05)])
def test_runs_that_differ_as_a_whole_seldom_fail_and_large_changes_are_found(
    runs: int, sets: int, spread: float
) -> None:
    """Errors would be seen at a rate of about 0.3; by folds alone nearly all would fail."""
    rng, count = np.random.default_rng(9), 25
    border = fails(rng, count, runs, sets, 0.05, spread)
    assert border <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / count)
    # the power of a t-test of one new value, less what the other claims cost
    error = spread * np.sqrt(1 + 1 / runs)
    shift = (np.log(1.2) - np.log(1.05)) / error
    power = float(stats.nct.sf(stats.t.isf(0.05, runs - 1), runs - 1, shift))
    assert fails(rng, count, runs, sets, 0.2, spread) > power - 0.25


def test_medians_are_not_blinded_by_outliers() -> None:
    rng = np.random.default_rng(4)
    found = {
        spec: sum(
            judged(drawn(rng, 5, 6, 0.1, spread=0.01, outliers=0.05), spec).outcome == "fail"
            for _ in range(25)
        )
        for spec in (TIME, f"{TIME}, median")
    }
    assert found[f"{TIME}, median"] >= 13 > found[TIME]


@pytest.mark.parametrize("repeats", [True, False], ids=["repeat exactly", "differ"])
def test_runs_that_repeat_their_scores_say_nothing_of_folds(repeats: bool) -> None:
    """By the means of runs alone a third of these equal changes would fail."""
    rng, failed = np.random.default_rng(6), 0
    for _ in range(40):
        tables = {}
        for d in range(5):
            base = -0.8 + rng.normal(0, 0.02, (15, 1))
            noise = rng.normal(0, 0.03, (15, 6))
            noise[:, :-1] *= not repeats
            tables[f"d{d}"] = -(base + noise)
        failed += judged(measured(tables), "error_rate").outcome == "fail"
    assert failed <= 4


@settings(max_examples=25)
@given(
    arrays(np.float64, 5, elements=st.floats(-1, 1)),
    arrays(np.float64, st.integers(2, 4), elements=st.floats(-1, 1)),
    st.sampled_from([(1.0, 1.0), (0.95, 1.05)]),
)
def test_the_spread_of_both_is_welchs_of_the_best_sample_that_is_nowhere_better(
    base: FloatArray, own: FloatArray, factors: tuple[float, float]
) -> None:
    assume(base.std() > 1e-3)
    assume(own.std() > 1e-3)
    rope, rng = Rope(-0.1, 0.2), np.random.default_rng(1)
    least, most = by_spread_of_both(base, own, rope, factors)
    lower = own - rng.exponential(0.3, (40, len(own))) * rng.integers(0, 2, (40, len(own)))
    for border, factor, evidence in zip(rope.borders, factors, (1 - least, most), strict=True):
        for sample in (own, *lower):
            test = stats.ttest_ind(sample - border, factor * base, equal_var=False)
            assert stats.t.cdf(test.statistic, test.df) <= evidence + 0.005
    for k in range(len(own)):
        worse = own.copy()
        worse[k] -= 0.3
        one, other = by_spread_of_both(base, worse, rope, factors)
        assert one >= least - 0.005
        assert other <= most + 0.005


def test_runs_that_never_vary_leave_no_doubt() -> None:
    same = np.full(5, 0.8)
    assert by_spread_of_both(same, same[:3], Rope(-0.01, 0.01), (1.0, 1.0)) == (0.0, 1.0)


def test_likeness_is_the_mean_correlation_between_data_sets() -> None:
    rng = np.random.default_rng(3)
    x = rng.normal(size=(4, 6)) + 0.8 * rng.normal(size=6)
    correlation = np.asarray(np.corrcoef(x))[np.triu_indices(4, 1)].mean()
    statistics = SufficientStatistics.from_differences([*x], 0.0)
    assert likeness(statistics) == pytest.approx(correlation)


def test_each_json_file_of_a_benchmark_is_a_run(tmp_path: Path) -> None:
    times = {"results": [{"command": "ls", "times": [0.1, 0.2, 0.3], "mean": 0.2}]}
    for name, content in (("times", times), ("answers", [{"id": 1, "score": 0.5}])):
        (tmp_path / name).mkdir()
        for number in "12":
            (tmp_path / name / f"{number}.json").write_text(json.dumps(content), encoding="utf-8")
    assert list(runs_in(f"main={tmp_path / 'times'}")) == ["main/1", "main/2"]
    assert not runs_in(f"main={tmp_path / 'answers'}")


def test_a_run_may_have_one_number_a_benchmark(tmp_path: Path) -> None:
    draw = random.Random(3)
    for side, count, level in (("main", 5, 0.8), ("pr", 3, 0.76)):
        (tmp_path / side).mkdir()
        for k in range(count):
            off = draw.gauss(0, 0.006)
            rows = [f"b{i},{level + 0.02 * i + off + draw.gauss(0, 0.004):.4f}" for i in range(3)]
            write_lines(tmp_path / side / f"r{k}.csv", "dataset,score", *rows)
    shown = run("gate", f"main={tmp_path / 'main'}", f"pr={tmp_path / 'pr'}")
    assert shown.code == 4
    assert "failed: pr is worse than main" in shown.out
    (tmp_path / "again").mkdir()
    for k in range(3):
        text = (tmp_path / "main" / f"r{k}.csv").read_text("utf-8")
        (tmp_path / "again" / f"r{k}.csv").write_text(text, "utf-8")
    same = run("gate", f"main={tmp_path / 'main'}", f"again={tmp_path / 'again'}")
    assert same.code == 0
