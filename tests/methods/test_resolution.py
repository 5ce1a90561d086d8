"""What a board tells apart: the difference against the power of a simulated paired test."""

import numpy as np
import pytest
from scipy.stats import t, ttest_1samp

from bcompare.data.rope import FloatArray
from bcompare.data.scores import Scores
from bcompare.ranking.resolution import told_apart
from tests.examples import scores_from

NAMES = ("a", "b", "c", "d")


def of_pairs(table: FloatArray, rho: float = 0.0) -> float:
    """The median over pairs, a pair at a time."""
    reaches = []
    c = table.shape[1]
    for i in range(c):
        for j in range(i):
            difference = table[:, i] - table[:, j]
            difference = difference[~np.isnan(difference)]
            n = len(difference)
            if n > 1:
                error = difference.std(ddof=1) * np.sqrt(1 / n + rho / (1 - rho))
                reaches.append((t.ppf(0.975, n - 1) + t.ppf(0.8, n - 1)) * error)
    return float(np.median(reaches))


def folds(seed: int = 0) -> FloatArray:
    rng = np.random.default_rng(seed)
    return 0.7 + 0.1 * rng.standard_normal((20, 1)) + 0.02 * rng.standard_normal((20, 4))


def test_on_one_data_set_folds_are_corrected_for_their_correlation() -> None:
    table = folds()
    scores = scores_from({"x": table}, NAMES, runs=2)
    assert scores.datasets[0].rho == pytest.approx(0.1)
    assert told_apart(scores) == pytest.approx(of_pairs(table, 0.1))


def test_over_data_sets_it_is_that_of_the_means_of_both() -> None:
    means = folds(1)
    means[3, 0] = means[5, 2] = np.nan
    means[:10, 1] = means[11:, 3] = np.nan  # these two share one
    scores = scores_from({f"d{i:02}": row[None] for i, row in enumerate(means)}, NAMES)
    assert told_apart(scores) == pytest.approx(of_pairs(means))


def test_a_paired_test_finds_such_a_difference_in_four_of_five_cases() -> None:
    """By simulation: tests of differences of this size, with the error of this board."""
    rng = np.random.default_rng(2)
    table = (rng.random((200, 2)) < rng.beta(2, 2, (200, 1))).astype(np.float64)
    difference = told_apart(scores_from({"x": table}, NAMES[:2], rho=0.0))
    assert difference is not None
    sd = (table[:, 0] - table[:, 1]).std(ddof=1)
    drawn = rng.normal(difference, sd, (4_000, 200))
    found = np.asarray(ttest_1samp(drawn, 0.0, axis=1).pvalue) < 0.05
    # the formula adds two quantiles of Student's distribution, which is nearly exact at 200
    assert abs(found.mean() - 0.8) < 4 * np.sqrt(0.8 * 0.2 / 4_000) + 0.005


def single_row() -> Scores:
    return scores_from({"x": np.array([[0.5, 0.6]])}, NAMES[:2])


def constant() -> Scores:
    return scores_from({"x": np.arange(1, 8)[:, None] / 7 + [0.0, 0.1]}, NAMES[:2])


@pytest.mark.parametrize("scores", [single_row(), constant()], ids=["one row", "constant"])
def test_without_spread_nothing_is_said(scores: Scores) -> None:
    assert told_apart(scores) is None
