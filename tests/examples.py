"""Scores made for tests, without the reader: hypothesis strategies and small builders."""

from collections.abc import Mapping

import numpy as np
from hypothesis import strategies as st
from numpy.typing import ArrayLike

from bcompare.data.account import Account
from bcompare.data.rope import FloatArray
from bcompare.data.scores import DatasetScores, Scores


def scores_from(
    tables: Mapping[str, ArrayLike],
    classifiers: tuple[str, ...] = ("a", "b"),
    rho: float = 0.1,
    runs: int = 1,
) -> Scores:
    """Complete scores: each data set's table is (folds, classifiers); all NaN marks an absence."""
    datasets = []
    for name, rows in tables.items():
        table = np.array(rows, dtype=np.float64)
        present = np.asarray(~np.isnan(table).all(axis=0))
        datasets.append(DatasetScores(name, table, present, runs, len(table) // runs, rho))
    cells = sum(d.table.size for d in datasets)
    return Scores(classifiers, tuple(datasets), account=Account(read=cells, used=cells))


@st.composite
def score_sets(draw: st.DrawFn, min_datasets: int = 3, max_datasets: int = 6) -> Scores:
    """Two classifiers on a few data sets, rounded to decimals, with ties and constant sets."""
    rng = np.random.default_rng(draw(st.integers(0, 2**32 - 1)))
    decimals = draw(st.sampled_from([2, 3, 5]))
    effect = draw(st.sampled_from([0.0, 0.004, 0.02, 0.2]))
    tables: dict[str, FloatArray] = {}
    for i in range(draw(st.integers(min_datasets, max_datasets))):
        n = draw(st.sampled_from([5, 10, 20]))
        left = rng.uniform(0.5, 0.8, n)
        spread = draw(st.sampled_from([0.0, 0.01, 0.05]))
        right = left + rng.normal(effect * rng.normal(1, 1), spread, n)
        if spread == 0:
            left, right = left.round(decimals), left.round(decimals) + round(effect, decimals)
        tables[f"set-{i}"] = np.stack([left, right], axis=1).round(decimals)
    return scores_from(tables)
