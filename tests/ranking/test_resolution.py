"""What a board of two data sets tells apart, and of pairs that share two."""

import numpy as np
import pytest
from scipy import stats

from bcompare.ranking.resolution import told_apart
from tests.examples import scores_from

NAMES = ("a", "b", "c")


@pytest.mark.parametrize("seed", range(3))
def test_two_data_sets_have_one_degree_of_freedom(seed: int) -> None:
    means = np.random.default_rng(seed).normal(0.7, 0.03, (2, 3))
    scores = scores_from({"x": means[:1], "y": means[1:]}, NAMES)
    errors = [stats.sem(means[:, j] - means[:, i]) for i, j in ((0, 1), (0, 2), (1, 2))]
    reach = stats.t.ppf(0.975, 1) + stats.t.ppf(0.8, 1)
    assert told_apart(scores) == pytest.approx(reach * np.median(errors))


def test_a_pair_counts_if_it_shares_two_data_sets() -> None:
    means = np.random.default_rng(5).normal(0.7, 0.03, (3, 3))
    means[0, 2] = np.nan
    means[1, 0] = np.nan  # a and c share one
    scores = scores_from({f"d{i}": row[None] for i, row in enumerate(means)}, NAMES)
    both = [means[[0, 2]][:, [0, 1]], means[[1, 2]][:, [1, 2]]]
    errors = [stats.sem(pair[:, 1] - pair[:, 0]) for pair in both]
    reach = stats.t.ppf(0.975, 1) + stats.t.ppf(0.8, 1)
    assert told_apart(scores) == pytest.approx(reach * np.median(errors))
