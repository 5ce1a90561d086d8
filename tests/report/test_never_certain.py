"""A probability is printed as 0 or 1 only where nothing else is possible."""

import re

import numpy as np
import pandas as pd
import pytest

import bcompare
from bcompare.methods import METHODS

CERTAIN = re.compile(r"(?<![.\d])(0\.000|1\.000|100 %)(?!\d)")


def overwhelming() -> pd.DataFrame:
    """Twelve data sets: b is far above a everywhere, and c as good as a."""
    rng = np.random.default_rng(1)
    rows = []
    for dataset in range(12):
        for fold in range(10):
            base = rng.normal(0.6, 0.01)
            better, alike = rng.normal((0.3, 0.0), (0.005, 4e-4))
            scores = {"a": base, "b": base + better, "c": base + alike}
            rows += [(f"d{dataset}", 1, fold, name, score) for name, score in scores.items()]
    return pd.DataFrame(rows, columns=["dataset", "run", "fold", "classifier", "score"])


@pytest.mark.parametrize("name", METHODS)
@pytest.mark.parametrize("sets", [12, 1])
def test_no_test_is_certain(name: str, sets: int) -> None:
    frame = overwhelming()
    if sets == 1:
        if METHODS[name].to_run > 1:
            return
        frame = frame[frame["dataset"] == "d0"]
    for pair in (("a", "b"), ("a", "c"), None):
        study = bcompare.compare(frame, name, pairs=None if pair is None else [pair])
        text = bcompare.as_text(study).partition("Friedman")[0]
        before_p_values = [re.split(r"\s{2,}", line)[:6] for line in text.splitlines()]
        for cells in before_p_values:
            assert not any(CERTAIN.fullmatch(cell) for cell in cells), text
        assert not re.search(r"\((0\.000|1\.000)[ );]|\b100 %", text), text


def test_a_point_and_an_empty_rope_are() -> None:
    frame = overwhelming()
    equal = frame.assign(score=0.5)
    (pair,) = bcompare.compare(equal[equal["dataset"] == "d0"], left="a", right="b").comparisons
    assert pair.printed is not None
    assert tuple(pair.printed) == (0, 1, 0)
    (pair,) = bcompare.compare(frame, "sign", left="a", right="b", rope=0).comparisons
    assert pair.printed is not None
    assert pair.printed.rope == 0
    assert 0 < pair.printed.left < pair.printed.right < 1


def test_no_region_has_all_of_a_students_posterior() -> None:
    """Its sum is 1 all the same."""
    result = bcompare.correlated_t_test(np.random.default_rng(1).normal(0.3, 0.005, 100), rho=0.1)
    (p,) = zip(*(part.tolist() for part in result.datasets.probabilities), strict=True)
    assert 0 < p[0] < p[1] < p[2] < 1
    assert sum(p) == pytest.approx(1, abs=1e-15)
