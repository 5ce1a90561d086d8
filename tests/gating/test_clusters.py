"""Evidence from clusters of test items: no worse answer is a gain, and the best sample is found."""

import numpy as np
import pandas as pd
import pytest
from scipy.optimize import brentq

import bcompare
from bcompare.data.clusters import rows_of
from bcompare.data.rope import FloatArray, IntArray
from bcompare.gating.monotone import _statistics, tempered


def test_a_cluster_that_gets_worse_does_not_help() -> None:
    """Of sizes 1, 1, 1, 1 and 2; at 0.5 the second answer made a failed gate pass."""
    found = []
    for second in (0.75, 0.5):
        rows = [
            (f"q{i}", f"c{min(i, 4)}", who, score)
            for who, own in (
                ("main", (0.75, 0.5, 0.25, 1, 0, 0.5)),
                ("pr", (1, second, 0.5, 1, 0, 0.5)),
            )
            for i, score in enumerate(own)
        ]
        frame = pd.DataFrame(rows, columns=["item", "passage", "classifier", "score"])
        scores = bcompare.from_frame(frame, item_col="item", cluster_col="passage")
        gate = bcompare.gate(scores, baseline="main", rope=0.05, fail_if="not-better-or-equivalent")
        found.append(gate.verdicts[0].p)
    better, worse = found
    assert worse.left >= better.left - 1e-9
    assert worse.right <= better.right


def test_clusters_that_are_all_right_count_as_much_alone_as_beside_others() -> None:
    rng = np.random.default_rng(2)
    right = {"all": np.ones((12, 2)), "some": rng.integers(0, 2, (12, 2))}
    rows = [
        (name, f"q{i}", i % 5, ("main", "pr")[k], table[i, k])
        for name, table in right.items()
        for i in range(12)
        for k in range(2)
    ]
    frame = pd.DataFrame(rows, columns=["dataset", "item", "cluster", "classifier", "score"])
    each = []
    for chosen in (frame, frame[frame["dataset"] == "all"]):
        scores = bcompare.from_items(chosen, "item", cluster="cluster", lower_is_better=False)
        verdicts = bcompare.gate(scores, baseline="main").verdicts
        known = bcompare.compare(scores, "ttest").comparisons[0].result.datasets.probabilities
        (own,) = (v for v in verdicts if v.dataset == "all" or len(verdicts) == 1)
        assert tuple(own.posterior) == tuple(float(part[0]) for part in known)
        each.append(tuple(own.p))
    assert each[0] == each[1]


def raised(y: FloatArray, m: IntArray, reach: float) -> tuple[float, float]:
    """Return the mean and the sum of squares of clusters of which none is further below the mean.

    y : sums of the m items of each.
    """
    left = 1 - m / m.sum()

    def up(mean: float) -> FloatArray:
        return np.asarray(np.maximum(y, m * mean - reach * left))

    mean = brentq(lambda x: up(x).sum() - m.sum() * x, -100, 100)
    squares = ((up(mean) - m * mean) ** 2 / left).sum() / m.sum() ** 2
    return float(mean), float(len(m) * (len(m) - 1) * squares)


def drawn_clusters(rng: np.random.Generator) -> tuple[FloatArray, IntArray]:
    """Return the sums of nine clusters whose mean is below 0, and their sizes."""
    m = rng.integers(1, 12, size=9)
    y = m * (rng.standard_t(3, 9) * 0.4 - 0.5) + rng.normal(size=9)
    y[0] = abs(y[0]) + 0.01  # else all may be raised to one value below 0
    return (y if y.sum() < 0 else y - m * (y.sum() + 1) / m.sum()), m


@pytest.mark.parametrize("seed", range(20))
def test_the_best_clusters_are_those_that_a_plain_search_finds(seed: int) -> None:
    """By the reach of the clusters: of one data set it is the only unknown."""
    y, m = drawn_clusters(np.random.default_rng(seed))
    reaches = [*(np.geomspace(1e-6, 1, 400) * np.abs(y * m.sum() / (m.sum() - m)).max() * 2), 1e9]
    *found, at_hand = (
        mean / np.sqrt(squares / 8) for mean, squares in (raised(y, m, r) for r in reaches)
    )
    own, best = _statistics(rows_of(y[:, None], m)[:, 0], m)
    assert own == pytest.approx(at_hand)
    assert best == pytest.approx(min(*found, own), rel=2e-3)


@pytest.mark.parametrize("seed", range(5))
def test_the_best_average_of_clusters_is_that_of_a_plain_search(seed: int) -> None:
    """By the reach on either of two data sets, which count as their errors say."""
    rng = np.random.default_rng(seed)
    sets, error = [drawn_clusters(rng) for _ in range(2)], np.array([0.3, 0.6])
    rows = [rows_of(y[:, None], m)[:, 0] for y, m in sets]
    found = tempered(rows, error, 0.0, [m for _, m in sets])
    assert found is not None
    reaches = np.geomspace(1e-3, 1e3, 150)
    each = np.array([[raised(y, m, reach) for reach in reaches] for y, m in sets])
    means, squares = each[..., 0], each[..., 1] * (error**2 / 8)[:, None]
    t = np.add.outer(*means) / np.sqrt(np.add.outer(*squares))
    assert found[0].sum() / np.sqrt(error**2 / 8 @ found[1]) == pytest.approx(t.min(), rel=5e-3)
