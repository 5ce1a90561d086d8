"""Fixtures that several test rooms use, and the setting that turns skips into failures."""

import csv
import os
from collections import defaultdict
from collections.abc import Generator
from itertools import combinations
from pathlib import Path

import numpy as np
import pytest
from hypothesis import settings

from bcompare.data.sufficient import SufficientStatistics

# Hypothesis draws the same examples in every run: a red run can be run again.
settings.register_profile("reproducible", derandomize=True, deadline=None, database=None)
settings.load_profile("reproducible")

SHARED_DATA = Path(__file__).parents[2] / "shared" / "data"

Pair = tuple[str, str]


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """With BCOMPARE_NO_SKIP=1 a skipped test fails: nothing hides on a machine that has it all."""
    report = yield
    if os.environ.get("BCOMPARE_NO_SKIP") == "1" and report.skipped:
        report.outcome = "failed"
    return report


@pytest.fixture(scope="session")
def shared_data() -> Path:
    """The folder of real results and reference answers, which is not part of the project."""
    if not SHARED_DATA.is_dir():
        pytest.skip("needs the folder ../shared/data with uci54.csv and hier_reference.json")
    return SHARED_DATA


@pytest.fixture(scope="session")
def uci54_csv(shared_data: Path) -> Path:
    """Accuracies of nbc, aode and j48 on 54 UCI data sets, 10 x 10 folds."""
    return shared_data / "uci54.csv"


@pytest.fixture(scope="session")
def uci54(uci54_csv: Path) -> dict[Pair, SufficientStatistics]:
    """Statistics of the three pairs of uci54, read without bcompare's own reader."""
    scores: dict[Pair, list[float]] = defaultdict(list)
    with uci54_csv.open(newline="") as file:
        for row in csv.DictReader(file):
            scores[row["dataset"], row["classifier"]].append(float(row["score"]))
    names = list(dict.fromkeys(dataset for dataset, _ in scores))
    pairs = combinations(dict.fromkeys(classifier for _, classifier in scores), 2)
    return {
        (left, right): SufficientStatistics.from_differences(
            [np.subtract(scores[name, right], scores[name, left]) for name in names], 0.1, names
        )
        for left, right in pairs
    }
