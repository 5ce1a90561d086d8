"""Claims about single items: each number by a second way, and no gain by failing."""

import json
import os
from collections.abc import Iterator
from itertools import combinations, product
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats
from scipy.optimize import minimize

import bcompare
from bcompare.data.rope import FloatArray
from bcompare.gating.items import ItemRuns, found_in, lost_runs, outages
from bcompare.methods.binomial_mixture import RATES, RateMixture
from bcompare.methods.correction import discrete_step_down
from tests.command import run
from tests.screens import blocks, check

SCREENS = Path(__file__).with_name("items.txt")


@pytest.mark.skipif(os.name == "nt", reason="needs a shell: run it on Linux or macOS")
@pytest.mark.parametrize("name", blocks(SCREENS))
def test_what_is_said_of_items(name: str, tmp_path: Path) -> None:
    check(SCREENS, name, tmp_path)


def of(main: FloatArray, own: FloatArray, again: FloatArray | None = None) -> ItemRuns:
    titles = [tuple(map(str, range(table.shape[1]))) for table in (main, own)]
    items = tuple(("d", f"i{k}") for k in range(len(main)))
    found = ItemRuns(items, main, own, titles[0], titles[1])
    return found if again is None else ItemRuns(items, main, own, titles[0], titles[1], again)


def tables(q: int, runs: int) -> Iterator[FloatArray]:
    """All tables of q items with so many runs."""
    for values in product((0.0, 1.0), repeat=q * runs):
        yield np.array(values).reshape(q, runs)


# ---- the distribution of rates ----


def test_the_rates_make_the_counts_most_probable() -> None:
    """By a general optimiser, of the likelihood with one more item whose rate may be anything."""
    passed = np.repeat([5, 4, 2, 0], [30, 4, 5, 6])
    count = np.full(len(passed), 5)
    ours = RateMixture.of(passed, count, fits=1)
    likelihood = stats.binom.pmf(passed[:, None], 5, RATES)

    def loss(logits: FloatArray) -> tuple[float, FloatArray]:
        weights = np.exp(logits - logits.max())
        weights /= weights.sum()
        mixed = likelihood @ weights
        value = np.log(mixed).sum() + np.log(weights).mean()
        slope = weights * (likelihood / mixed[:, None]).sum(axis=0) + 1 / len(RATES)
        return -value, weights * (len(passed) + 1) - slope

    best = minimize(loss, np.zeros(len(RATES)), jac=True, method="BFGS", options={"maxiter": 3000})
    assert loss(np.log(ours.weights[0]))[0] <= best.fun + 0.05
    weights = np.exp(best.x - best.x.max())
    joint = weights * stats.binom.pmf(5, 5, RATES)
    expected = [joint @ stats.binom.cdf(b, 3, RATES) / joint.sum() for b in range(4)]
    found = ours.chances(np.array([5]), np.array([5]), 3)[0]
    assert found == pytest.approx(expected, rel=0.1, abs=1e-6)


def test_the_bootstrap_weighs_items() -> None:
    """Its fits scatter as those to items that are weighted at random one by one."""
    rng = np.random.default_rng(1)
    passed = np.repeat([4, 2], [12, 8])
    count = np.full(20, 4)
    ours = RateMixture.of(passed, count, fits=400).weights @ RATES
    by_item = []
    for _ in range(400):
        weights = rng.dirichlet(np.ones(20)) * 20
        by_item.append((weights @ (passed / 4) + 0.5) / 21)
    assert np.std(ours[1:]) == pytest.approx(np.std(by_item), rel=0.2)
    assert np.mean(ours[1:]) == pytest.approx(np.mean(by_item), abs=0.02)


# ---- many items ----


def naive_step_down(p: FloatArray, attainable: FloatArray) -> FloatArray:
    adjusted = np.empty(len(p))
    largest = 0.0
    for i in sorted(range(len(p)), key=lambda k: p[k]):
        left = [k for k in range(len(p)) if p[k] >= p[i]]
        own = [max([x for x in attainable[k] if x <= p[i]], default=0.0) for k in left]
        largest = max(largest, sum(own))
        adjusted[i] = min(largest, 1.0)
    return adjusted


def test_a_test_counts_by_what_it_can_reach() -> None:
    rng = np.random.default_rng(2)
    for _ in range(50):
        kinds = np.sort(rng.random((3, 4)) ** 3, axis=1)
        kinds[:, -1] = 1.0
        attainable = kinds[rng.integers(3, size=8)]
        p = attainable[np.arange(8), rng.integers(4, size=8)]
        assert discrete_step_down(p, attainable) == pytest.approx(naive_step_down(p, attainable))


def test_the_correction_keeps_the_error_of_independent_tests() -> None:
    """The probability of any p-value below 0.1, summed over all outcomes."""
    attainable = np.array([[0.02, 0.3, 1.0], [0.05, 0.2, 1.0], [0.04, 0.5, 1.0], [0.2, 0.6, 1.0]])
    chances = np.diff(attainable, prepend=0.0, axis=1)
    error = 0.0
    for outcome in product(range(3), repeat=4):
        p = attainable[range(4), outcome]
        if (discrete_step_down(p, attainable) < 0.1).any():
            error += float(chances[range(4), outcome].prod())
    assert 0.02 < error <= 0.1


# ---- lost runs ----


def losing_by_enumeration(main: FloatArray, own: FloatArray) -> float:
    """P(as many lost runs), over all ways in which each item's losses fall on its runs."""
    n = main.shape[1]
    chances = {0: 1.0}
    for row in np.hstack([main, own]):
        lost = int((row == 0).sum())
        ways = [sum(k >= n for k in at) for at in combinations(range(len(row)), lost)]
        sums = [way if way == lost else 0 for way in ways]
        mixed: dict[int, float] = {}
        for total, chance in chances.items():
            for own_sum in sums:
                key = total + own_sum
                mixed[key] = mixed.get(key, 0.0) + chance / len(sums)
        chances = mixed
    always = main.all(axis=1)
    observed = int((own[always] == 0).sum())
    return sum(chance for total, chance in chances.items() if total >= observed)


def test_lost_runs_are_as_likely_as_all_ways_to_lose_them() -> None:
    rng = np.random.default_rng(3)
    for _ in range(40):
        main = np.ones((6, 3))
        own = (rng.random((6, 2)) < 0.6).astype(float)
        each = [losing_by_enumeration(main, np.delete(own, k, axis=1)) for k in range(2)]
        assert lost_runs(of(main, own)).p == pytest.approx(max(each))
        one = own[:, :1]
        assert lost_runs(of(main, one)).p == pytest.approx(losing_by_enumeration(main, one))


def test_losses_of_the_baseline_make_lost_runs_no_surer() -> None:
    rng = np.random.default_rng(4)
    for _ in range(60):
        main = (rng.random((6, 3)) < 0.8).astype(float)
        own = (rng.random((6, 1)) < 0.5).astype(float)
        assert lost_runs(of(main, own)).p >= losing_by_enumeration(main, own) - 1e-12


def test_one_run_that_fails_as_a_whole_shows_nothing() -> None:
    main = np.ones((50, 5))
    own = np.ones((50, 5))
    own[:, 2] = 0
    found = found_in(of(main, own), 0.05)
    assert found.lost is not None
    assert found.lost.p == 1
    assert found.lost.without == 2
    assert found.adjusted.min() > 0.5
    (outage,) = found.outages
    assert (outage.title, outage.alone, outage.usual) == ("2", 50, 0.0)


def test_failures_at_random_are_no_outage() -> None:
    """The chance of a note, by the binomial: at most one in a hundred a side."""
    rng = np.random.default_rng(5)
    notes = 0
    for _ in range(300):
        table = (rng.random((40, 4)) < 0.8).astype(float)
        notes += len([*outages(of(np.ones((40, 4)), table))])
    assert notes <= stats.binom.ppf(0.9999, 300, 0.01)


# ---- no gain by failing ----


def claimed(found_runs: ItemRuns) -> list[float]:
    found = found_in(found_runs, 0.05)
    lost = 1.0 if found.lost is None else found.lost.p
    return [lost, *found.adjusted.tolist()]


@pytest.mark.parametrize(("q", "n", "m"), [(3, 2, 2), (2, 3, 3), (4, 2, 1)])
def test_a_run_that_fails_makes_no_claim_less_certain(q: int, n: int, m: int) -> None:
    """All tables of the candidate, for some of the baseline."""
    rng = np.random.default_rng(6)
    for _ in range(3):
        main = (rng.random((q, n)) < 0.8).astype(float)
        every = {own.tobytes(): claimed(of(main, own)) for own in tables(q, m)}
        for own in tables(q, m):
            for i, k in zip(*np.nonzero(own), strict=True):
                worse = own.copy()
                worse[i, k] = 0
                pairs = zip(every[own.tobytes()], every[worse.tobytes()], strict=True)
                assert all(after <= before + 1e-12 for before, after in pairs)


def test_a_rerun_that_fails_makes_no_claim_less_certain() -> None:
    main = np.ones((20, 5))
    main[15:, :3] = 0
    own = np.ones((20, 1))
    own[[0, 3, 16]] = 0
    suspect = found_in(of(main, own), 0.05).suspect
    assert suspect.tolist() == (own[:, 0] == 0).tolist()[:15] + [False] * 5
    for table in tables(2, 3):
        again = np.full((20, 3), np.nan)
        again[[0, 3]] = table
        before = claimed(of(main, own, again))
        for i, k in zip(*np.nonzero(table), strict=True):
            worse = again.copy()
            worse[[0, 3][i], k] = 0
            after = claimed(of(main, own, worse))
            assert all(y <= x + 1e-12 for x, y in zip(before, after, strict=True))


# ---- gates ----


def frame(main: FloatArray, own: FloatArray) -> pd.DataFrame:
    rows = [
        (f"i{item:02}", epoch, who, value)
        for who, table in (("main", main), ("pr", own))
        for item, row in enumerate(table)
        for epoch, value in enumerate(row)
    ]
    return pd.DataFrame(rows, columns=["item", "epoch", "classifier", "score"])


def stable(broken: int, m: int, q: int = 30) -> tuple[FloatArray, FloatArray]:
    own = np.ones((q, m))
    own[:broken] = 0
    return np.ones((q, 5)), own


def read(results: pd.DataFrame, **options: object) -> bcompare.Scores:
    columns: dict[str, Any] = {"item_col": "item", "epoch_col": "epoch", "baseline": "main"}
    return bcompare.from_frame(results, **(columns | options))


def test_a_gate_names_what_broke_where_the_average_is_open() -> None:
    scores = read(frame(*stable(1, 5, 120)))
    alone = bcompare.gate(scores, baseline="main", rope=0.05)
    gate = bcompare.gate(scores, baseline="main", rope=0.05, items=True)
    assert alone.outcome == "pass"
    assert gate.outcome == "fail"
    assert gate.exit_code == 4
    (found,) = gate.items
    assert np.flatnonzero(found.broken).tolist() == [0]
    assert gate.count_claims() == 3
    assert bcompare.document(alone)["verdicts"][0]["p_worse"] == gate.verdicts[0].posterior.left


def test_one_run_names_nothing() -> None:
    for broken in (0, 1, 10, 30):
        gate = bcompare.gate(read(frame(*stable(broken, 1))), baseline="main", items=True)
        (found,) = gate.items
        assert not found.broken.any()
        assert found.outcome == ("undecided" if broken > 1 else "pass")
        assert int(found.suspect.sum()) == broken


def test_errors_are_right_where_they_are_0() -> None:
    results = frame(*stable(1, 5)).assign(error=lambda f: 1 - f["score"]).drop(columns="score")
    scores = read(results, score_col="error", lower_is_better=True)
    gate = bcompare.gate(scores, baseline="main", items=True, rope=0.01)
    assert gate.items[0].broken.sum() == 1
    gate = bcompare.gate({"error: lower, items": scores}, baseline="main", rope=0.01)
    assert gate.items[0].broken.sum() == 1


def test_whole_runs_and_seeds_are_runs_of_items() -> None:
    results = frame(*stable(1, 5))
    sides = results["classifier"] + " " + results["epoch"].astype(str)
    by_file = results.assign(classifier=sides)
    names = [f"main {k}" for k in range(5)]
    scores = bcompare.from_frame(by_file, item_col="item", baseline=names)
    whole = {"main": names, "pr": [f"pr {k}" for k in range(5)]}
    gate = bcompare.gate(scores, baseline="main", runs=whole, items=True)
    expected = bcompare.gate(read(results), baseline="main", items=True)
    assert gate.items[0].p == pytest.approx(expected.items[0].p)
    assert gate.items[0].runs.main_titles == tuple(names)
    by_seed = results.rename(columns={"item": "dataset", "epoch": "seed"})
    scores = bcompare.from_frame(by_seed, seed_col="seed", baseline="main")
    gate = bcompare.gate(scores, baseline="main", items=True)
    assert gate.items[0].p == pytest.approx(expected.items[0].p)


def test_items_of_clusters_are_judged_one_by_one() -> None:
    results = frame(*stable(1, 5)).assign(cluster=lambda f: f["item"].str[:2])
    gate = bcompare.gate(read(results, cluster_col="cluster"), baseline="main", items=True)
    expected = bcompare.gate(read(results), baseline="main", items=True)
    assert gate.items[0].p == pytest.approx(expected.items[0].p)


def test_answers_without_names_of_runs_are_numbered() -> None:
    results = frame(*stable(1, 5))
    results["epoch"] = results["item"] + results["epoch"].astype(str)
    gate = bcompare.gate(read(results), baseline="main", items=True)
    assert gate.items[0].broken.sum() == 1
    assert gate.items[0].runs.main_titles == ()


def test_what_has_no_runs_to_break_is_refused() -> None:
    results = frame(*stable(1, 5))
    with pytest.raises(bcompare.InputError, match="a bar has none"):
        bcompare.gate(read(results), bar=0.5, items=True)
    graded = results.assign(score=results["score"] * 0.9)
    with pytest.raises(bcompare.InputError, match=r"right \(1\) or wrong \(0\), and one is 0\.9"):
        bcompare.gate(read(graded), baseline="main", items=True)
    folds = bcompare.read_scores("sample_data/results.csv", baseline="knn")
    with pytest.raises(bcompare.InputError, match="name the column of the items"):
        bcompare.gate(folds, baseline="knn", candidate="forest", items=True)
    never = results.assign(score=(results["epoch"] > 0).astype(float))
    with pytest.raises(bcompare.InputError, match="no item has passed all runs of main"):
        bcompare.plan_items(read(never), baseline="main")


def test_scores_read_without_a_baseline_are_refused() -> None:
    scores = bcompare.from_items(frame(*stable(1, 5)), "item", epoch="epoch")
    with pytest.raises(bcompare.InputError, match="read the scores with baseline='main'"):
        bcompare.gate(scores, baseline="main", items=True)


def test_a_failed_trial_counts_as_it_is_said() -> None:
    results = frame(*stable(0, 5))
    gone = results[~((results["classifier"] == "pr") & (results["item"] == "i03"))]
    gate = bcompare.gate(read(gone, failed="zero"), baseline="main", items=True)
    assert np.flatnonzero(gate.items[0].broken).tolist() == [3]
    with pytest.raises(bcompare.InputError, match="say how a trial"):
        bcompare.gate(read(gone, failed="bounds"), baseline="main", items=True)


def test_items_of_other_data_sets_are_left_out() -> None:
    both = pd.concat([frame(*stable(k, 5)).assign(dataset=f"d{k}") for k in (1, 2)])
    gate = bcompare.gate(read(both), baseline="main", items=True, datasets=["d2"])
    (found,) = gate.items
    assert {dataset for dataset, _ in found.runs.items} == {"d2"}
    assert found.broken.sum() == 2


def test_a_list_of_names_has_one_on_each_line(tmp_path: Path) -> None:
    results = frame(*stable(2, 5)).replace({"item": {"i01": "two\nlines"}})
    results.to_csv(tmp_path / "r.csv", index=False)
    command = ("gate", "r.csv", "--baseline", "main", "--col", "item=item", "--col", "epoch=epoch")
    refusal = run(*command, "--items", "-o", "ids=again.txt", folder=tmp_path)
    assert refusal.code == 2
    assert "no line holds" in refusal.err
    assert not (tmp_path / "again.txt").exists()
    told = run(*command, "--items", "--format", "json", folder=tmp_path)
    assert json.loads(told.out)["items"][0]["again"] == ["i00", "two\nlines"]


def test_a_plan_agrees_with_the_gates_that_it_stands_for() -> None:
    """What gates name whose items have rates from the posterior; by four standard errors."""
    pilot, own = stable(0, 5)
    plan = bcompare.plan_items(read(frame(pilot, own)), baseline="main", replicates=25)
    fewest = plan.fewest(equal=False)
    assert fewest is not None
    assert [row.candidate_runs for row in plan.rows if row.baseline_runs == 5][-1] == (
        fewest.candidate_runs
    )
    passed = np.full(len(pilot), 5)
    weights = RateMixture.of(passed, passed, fits=1).posterior(passed, passed)[0, 0]
    rng = np.random.default_rng(7)
    hits = 0
    for _ in range(25):
        rates = rng.choice(RATES, len(pilot), p=weights)[:, None]
        main = (rng.random(pilot.shape) < rates).astype(float)
        own = (rng.random((len(pilot), fewest.candidate_runs)) < rates).astype(float)
        own[0] = rng.random(fewest.candidate_runs) < 0.05
        gate = bcompare.gate(read(frame(main, own)), baseline="main", items=True)
        hits += bool(gate.items[0].broken[0])
    assert hits / 25 == pytest.approx(fewest.named, abs=4 * np.sqrt(0.9 * 0.1 / 25 * 2))
