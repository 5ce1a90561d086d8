"""Rows that are no folds: means, seeds and test items; and the unit, which knows what follows."""

import json
import pickle
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import ArrayLike, NDArray
from scipy import stats

import bcompare
from bcompare.basis.messages import InputError
from bcompare.data.clusters import means_of
from bcompare.data.differences import is_binary
from bcompare.data.scores import DatasetScores, Scores
from bcompare.data.sufficient import SufficientStatistics
from bcompare.data.units import FOLD, ITEM, UNITS, Unit, unit_named
from bcompare.explain import explained
from bcompare.files.options import MISSING_POLICIES
from bcompare.methods import METHODS
from bcompare.methods.correlated_t import correlated_t_test
from bcompare.methods.own_scores import own_scores
from bcompare.methods.student import MATCHING, student_posterior
from bcompare.reading.read import from_items, from_means, read_scores
from bcompare.reading.score_grid import in_clusters
from tests.reading.written import as_file, facts

CellTable = list[list[str]]

MEANS = [
    ["Dataset", "nbc", "aode", "j48"],
    ["anneal", "0.94", "0.96", "0.98"],
    ["audio", "0.71", "0.72", "0.77"],
    ["breast", "0.97", "0.97", "0.95"],
    ["glass", "0.70", "0.74", "-"],
]


def read(table: CellTable, **options: Any) -> Scores:
    return read_scores(as_file(table), **options)


def codes(scores: Scores) -> list[str]:
    return [note.code for note in scores.notes]


# Means


def test_a_table_of_means() -> None:
    scores = read(MEANS, preset="means")
    assert (scores.unit, scores.classifiers, scores.rows) == ("mean", ("nbc", "aode", "j48"), 11)
    assert scores.datasets[1].table.tolist() == [[0.71, 0.72, 0.77]]
    assert ("glass", "j48") not in facts(scores)
    assert codes(scores) == ["absent"]


def test_the_long_form_and_frames_say_the_same() -> None:
    header, *rows = MEANS
    long = [["dataset", "classifier", "score"]] + [
        [row[0], name, cell]
        for row in rows
        for name, cell in zip(header[1:], row[1:], strict=True)
        if cell != "-"
    ]
    wide = read(MEANS, preset="means")
    assert facts(read(long)) == facts(wide)
    assert read(long).unit == "mean"
    frame = pd.DataFrame(rows, columns=header)
    assert facts(from_means(frame)) == facts(wide)
    assert facts(bcompare.from_means(frame.set_index("Dataset"))) == facts(wide)
    floats = pd.DataFrame({"noise": [0.1, 0.2, 0.3], "a": [0.5, 0.6, 0.7], "b": [0.6, 0.7, 0.8]})
    assert from_means(floats).classifiers == ("noise", "a", "b")
    assert from_means(floats, dataset_col="noise").classifiers == ("a", "b")
    cells = pd.DataFrame(long[1:], columns=long[0]).set_index(["dataset", "classifier"])
    assert facts(bcompare.from_frame(cells)) == facts(wide)


@pytest.mark.parametrize("name", METHODS)
def test_the_tests_that_means_allow(name: str) -> None:
    scores = read(MEANS, preset="means")
    if "mean" in METHODS[name].units:
        study = bcompare.compare(scores, name)
        assert [len(c.differences.statistics) for c in study.comparisons] == [4, 3, 3]
        assert not study.comparisons[0].differences.statistics.lacks_spread.any()
    else:
        with pytest.raises(InputError, match="their tests are sign, signrank and rank"):
            bcompare.compare(scores, name)


SUMMED = ["Average", "mean", "Avg. rank", "Macro avg", "average ↑", "#wins", "p-value", "Total"]


@pytest.mark.parametrize("name", SUMMED)
def test_a_row_that_sums_up_the_others_is_left_out(name: str) -> None:
    table = [*MEANS, [name, "0.8", "0.8", "0.9"]]
    scores = read(table, preset="means")
    others = [row[0] for row in MEANS[1:]]
    assert [d.name for d in scores.datasets] == others
    assert any(name in note.message for note in scores.account.notes() if note.code == "summary")
    assert len(read(table, preset="means", datasets=(*others, name)).datasets) == len(others) + 1
    assert "summary-row" in codes(read(table[:4] + table[5:], preset="means", baseline="nbc"))


def test_wins_ties_and_losses_below_a_table_are_no_wrong_numbers() -> None:
    counts = ["3/0/1", "2/1/1", "1/1/2"]
    assert len(read([*MEANS, ["W/T/L", *counts]], preset="means").datasets) == len(MEANS) - 1
    with pytest.raises(InputError, match="'3/0/1' is not a number"):
        read([*MEANS, ["last", *counts]], preset="means")


def test_columns_that_describe_the_data_sets_are_left_out() -> None:
    more = {"n": "5000", "Rank of j48": "1", "mean": "0.9"}
    table = [[*MEANS[0], *more], *([*row, *more.values()] for row in MEANS[1:])]
    scores = read(table, preset="means")
    assert scores.classifiers == (*MEANS[0][1:], "mean")  # as large as scores: perhaps one
    assert "summary-column" in codes(scores)
    assert read(table, preset="means", classifiers=("nbc", "n")).classifiers == ("nbc", "n")


def test_a_mark_among_right_and_wrong_is_no_right_or_wrong() -> None:
    rows = [[f"q{i}", name, str((i + k) % 2)] for i in range(12) for k, name in enumerate("ab")]
    table = [["item", "classifier", "score"], *rows]
    for lower in (False, True):
        options = {"item_col": "item", "lower_is_better": lower}
        assert is_binary(read(table, **options).datasets[0])
        assert not is_binary(read([*table[:-1], ["q11", "b", "-1"]], **options).datasets[0])


# Seeds


def test_seeds_on_a_fixed_split() -> None:
    table = [["seed", "classifier", "score"]]
    table += [
        [str(s), name, f"0.{50 + 3 * s + k}"] for s in range(12) for k, name in enumerate("ab")
    ]
    scores = read(table, seed_col="seed")
    assert (scores.unit, scores.datasets[0].rho, codes(scores)) == ("seed", 0.0, ["fixed-split"])
    assert read(table, seed_col="seed", rho=0.3).datasets[0].rho == 0.3


# Items


def answers(
    items: int = 40, models: int = 3, epochs: int = 1, clusters: int = 0, seed: int = 1
) -> pd.DataFrame:
    """Right and wrong answers."""
    rng = np.random.default_rng(seed)
    ease = rng.random(items)
    rows = [
        (f"q{i}", f"m{k}", e, f"c{(i * i) % max(clusters, 1)}", float(rng.random() < ease[i]))
        for i in range(items)
        for k in range(models)
        for e in range(epochs)
    ]
    return pd.DataFrame(rows, columns=["question", "classifier", "epoch", "passage", "score"])


def t_test(scores: Scores) -> Any:
    return bcompare.compare(scores, "ttest").comparisons[0]


def test_items_are_paired_by_their_key() -> None:
    frame = answers()
    shuffled = frame.sample(frac=1, random_state=4)
    one, other = (from_items(f, "question") for f in (frame, shuffled))
    assert (one.unit, one.datasets[0].rho) == ("item", 0)
    assert (
        one.datasets[0].table[:, [0]].tobytes()
        == other.datasets[0].table[:, [other.classifiers.index("m0")]].tobytes()
    )
    statistics = t_test(one).differences.statistics
    wide = frame.pivot_table(index="question", columns="classifier", values="score")
    difference = wide["m1"] - wide["m0"]
    assert statistics.n[0] == 40
    assert statistics.mean[0] == pytest.approx(difference.mean())
    assert statistics.sd[0] == pytest.approx(difference.std())


def test_epochs_are_averaged_within_the_item_in_whatever_order() -> None:
    frame = answers(epochs=5)
    frame["score"] = np.random.default_rng(2).random(len(frame))
    result = from_items(frame, "question", epoch="epoch")
    means = frame.groupby(["question", "classifier"])["score"].mean().unstack().sort_index()
    names = sorted(means.index, key=lambda name: int(name[1:]))
    assert result.datasets[0].table == pytest.approx(means.loc[names].to_numpy())
    assert result.rows == len(frame)
    for seed in range(3):
        again = from_items(frame.sample(frac=1, random_state=seed), "question", epoch="epoch")
        order = [again.classifiers.index(name) for name in result.classifiers]
        assert again.datasets[0].table[:, order].tobytes() == result.datasets[0].table.tobytes()


def test_all_answers_to_an_item_that_is_left_out_are_counted() -> None:
    frame = answers(models=2, epochs=3)
    gone = ~((frame["question"] == "q3") & (frame["classifier"] == "m0"))
    kept = from_items(frame[gone], "question", epoch="epoch", missing="drop-items")
    assert (kept.rows, kept.account.rows_left_out) == (39 * 2 * 3, 3)


@pytest.mark.parametrize("clusters", [5, 7])
def test_the_standard_error_is_cluster_robust(clusters: int) -> None:
    frame = answers(items=90, clusters=clusters, epochs=2)
    scores = from_items(frame, "question", cluster="passage", epoch="epoch")
    statistics = t_test(scores).differences.statistics
    wide = frame.groupby(["question", "passage", "classifier"])["score"].mean().unstack()
    difference = wide["m1"] - wide["m0"]
    residual = (difference - difference.mean()).groupby("passage").sum()
    sizes = difference.groupby("passage").size()
    assert len(set(sizes)) > 1
    variance, dof = cr2_by_matrices(sizes.to_numpy(), difference.groupby("passage").sum())
    error = np.sqrt(variance)
    assert statistics.n[0] == len(residual)
    assert statistics.mean[0] == pytest.approx(difference.mean())
    assert statistics.standard_error[0] == pytest.approx(error)
    assert statistics.dof[0] == pytest.approx(dof)
    datasets = t_test(scores).result.datasets
    expected = stats.t(dof, difference.mean(), error)
    assert datasets.p_better[0] == pytest.approx(expected.sf(0))
    assert min(datasets.nhst.p_value) == pytest.approx(2 * min(expected.sf(0), expected.cdf(0)))
    own = own_scores(scores)
    sums = wide.groupby("passage")["m1"].sum()
    variance, dof = cr2_by_matrices(sizes.to_numpy(), sums)
    assert own.error[0, 1] == pytest.approx(np.sqrt(variance))
    half = stats.t(dof).ppf(0.975) * np.sqrt(variance)
    assert own.low[0, 1] == pytest.approx(max(wide["m1"].mean() - half, 0))


def cr2_by_matrices(sizes: NDArray[Any], sums: ArrayLike) -> tuple[float, float]:
    """Return variance and degrees of freedom as Bell and McCaffrey write them, for all items."""
    total, cluster = sizes.sum(), np.repeat(np.arange(len(sizes)), sizes)
    x = np.repeat(np.asarray(sums) / sizes, sizes)  # only the sums count
    centring = np.eye(total) - 1 / total
    parts = []
    for g in range(len(sizes)):
        own = cluster == g
        values, vectors = np.linalg.eigh(centring[np.ix_(own, own)])
        root = vectors @ np.diag(values**-0.5) @ vectors.T
        parts.append(centring[:, own] @ root.sum(axis=1) / total)
    of = np.array(parts)
    roots = np.linalg.eigvalsh(of @ of.T)
    return float(((of @ x) ** 2).sum()), float(roots.sum() ** 2 / (roots**2).sum())


@pytest.mark.parametrize(("scatter", "clusters"), [(0.8, 20), (1.5, 8)])
def test_intervals_cover_with_clusters_of_different_sizes(scatter: float, clusters: int) -> None:
    """By simulation; with C - 1 degrees of freedom and the usual error 0.79 to 0.93."""
    rng, replicates = np.random.default_rng(clusters), 2000
    tables = []
    for i in range(replicates):
        sizes = np.rint(5 * np.exp(scatter * rng.standard_normal(clusters))).clip(1).astype(int)
        of = np.repeat(np.arange(clusters), sizes)
        score = rng.standard_normal(clusters)[of] + rng.standard_normal(len(of))
        table, both = np.stack([np.zeros(len(of)), score], axis=1), np.ones(2, np.bool_)
        order = np.arange(len(of))
        items = DatasetScores(str(i), table, both, 1, 0, 0.0, items=len(of), order=order)
        tables.append(in_clusters(items, of, [*map(str, range(clusters))]))
        of_clusters = np.bincount(of, score) / sizes
        assert means_of(tables[-1].table, sizes)[:, 1] == pytest.approx(of_clusters)
    scores = Scores(("a", "b"), tuple(tables), unit=ITEM)
    (pair,) = bcompare.paired_differences(scores, [("a", "b")])
    (interval,) = student_posterior(pair.statistics, MATCHING).intervals([0.95])
    covered = np.mean((interval.low <= 0) & (interval.high >= 0))
    assert covered == pytest.approx(0.95, abs=0.0175)


def test_equal_rows_have_the_same_answers() -> None:
    """A hierarchical model sees clusters of different sizes as fewer equal ones."""
    given = replace(
        SufficientStatistics.from_differences([[0.1, 0.3, -0.1, 0.2]] * 2, 0.0),
        lost=np.array([0.7, 0.0]),
    )
    equal = given.in_equal_rows
    assert equal.n == pytest.approx([3.3, 4])
    assert equal.dof == pytest.approx(given.dof)
    assert equal.standard_error == pytest.approx(given.standard_error)


def test_several_benchmarks_feed_every_test() -> None:
    frame = pd.concat(
        answers(seed=seed, items=30 + seed).assign(dataset=f"b{seed}") for seed in range(6)
    )
    scores = from_items(frame, "question")
    assert [len(dataset.table) for dataset in scores.datasets] == [30, 31, 32, 33, 34, 35]
    for name in METHODS:
        (pair,) = bcompare.compare(scores, name, pairs=[("m0", "m1")]).comparisons
        assert len(pair.differences.statistics) == 6


def test_every_unit_is_somebodys() -> None:
    chosen = {unit for name in METHODS for unit in METHODS[name].units}
    assert chosen == set(UNITS)


@pytest.mark.parametrize(("seeds", "stated"), [(5, 0.21), (30, 0.61)])
def test_how_large_the_error_of_a_fixed_split_can_be(seeds: int, stated: float) -> None:
    """Each model's score: seed noise, and an effect of the one split as large as that."""
    rng = np.random.default_rng(seeds)
    replicates = 20_000  # of which 0.02 are at least 5.7 standard errors
    split = rng.standard_normal((replicates, 1))  # of the difference: √½ of a pair of seeds'
    differences = split + np.sqrt(2) * rng.standard_normal((replicates, seeds))
    p_values = correlated_t_test(list(differences), rho=0.0).datasets.nhst.p_value
    assert float(np.mean(p_values < 0.05)) == pytest.approx(stated, abs=0.02)
    assert f"{100 * stated:.0f} %" in explained("fixed-split")


def test_unequal_clusters_err_like_fewer_equal_ones() -> None:
    """By simulation: items that have the error of their cluster, and nothing else."""
    sizes = np.array([1, 1, 2, 3, 5, 8, 40])
    items = [
        [f"q{i}", name, f"c{c}", str((i + k) % 3)]
        for i, c in enumerate(np.repeat(range(7), sizes).tolist())
        for k, name in enumerate("ab")
    ]
    table = [["item", "classifier", "passage", "score"], *items]
    scores = read(table, item_col="item", cluster_col="passage")
    (dataset,) = scores.datasets
    errors = np.random.default_rng(0).standard_normal((40_000, 7))
    variance = np.repeat(errors, sizes, axis=1).mean(axis=1).var()
    assert dataset.equal_rows == pytest.approx(1 / variance, rel=4 * np.sqrt(2 / 40_000))


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_is_written_compared_and_sent_as_its_name(unit: Unit) -> None:
    name = str(unit)
    assert type(name) is str
    assert unit == name
    assert repr(unit) == repr(name)
    assert json.dumps({"unit": unit}) == json.dumps({"unit": name})
    sent = pickle.loads(pickle.dumps(unit))
    assert type(sent) is type(unit)
    assert sent == unit
    assert unit_named(name) is unit


def test_scores_take_the_name_of_a_unit() -> None:
    scores = bcompare.read_scores("sample_data/results.csv", datasets=("iris",))
    assert scores.unit is FOLD
    given: dict[str, Any] = {"unit": "item"}
    assert replace(scores, **given).unit is ITEM
    with pytest.raises(bcompare.InputError, match="no unit 'folds': choose from fold, seed"):
        unit_named("folds")


@pytest.mark.parametrize("unit", UNITS)
def test_each_policy_on_missing_rows_is_an_option(unit: Unit) -> None:
    assert unit.policy in MISSING_POLICIES
